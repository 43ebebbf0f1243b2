//! JSON objects that are written field by field, without a type of their own.

use serde::ser::{Serialize, SerializeMap, Serializer};

/// The fields of a JSON object, in the order in which they are written.
pub trait Fields {
    /// Writes the fields into an object.
    ///
    /// # Errors
    /// Those of the writer.
    fn write<M: SerializeMap>(&self, to: &mut M) -> Result<(), M::Error>;
}

impl Fields for () {
    fn write<M: SerializeMap>(&self, _: &mut M) -> Result<(), M::Error> {
        Ok(())
    }
}

impl<V: Serialize, R: Fields> Fields for (&'static str, V, R) {
    fn write<M: SerializeMap>(&self, to: &mut M) -> Result<(), M::Error> {
        to.serialize_entry(self.0, &self.1)?;
        self.2.write(to)
    }
}

/// A field that is left out where it has no value.
impl<V: Serialize, R: Fields> Fields for ([&'static str; 1], Option<V>, R) {
    fn write<M: SerializeMap>(&self, to: &mut M) -> Result<(), M::Error> {
        if let Some(value) = &self.1 {
            to.serialize_entry(self.0[0], value)?;
        }
        self.2.write(to)
    }
}

/// The fields of another object, before those that follow.
impl<A: Fields, R: Fields> Fields for (Object<A>, R) {
    fn write<M: SerializeMap>(&self, to: &mut M) -> Result<(), M::Error> {
        self.0.0.write(to)?;
        self.1.write(to)
    }
}

/// An object with such fields; [`object!`] makes it.
#[derive(Debug, Clone, Copy)]
pub struct Object<F>(pub F);

impl<F: Fields> Serialize for Object<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        self.0.write(&mut map)?;
        map.end()
    }
}

/// A list that is made while it is written, because it may be very long.
pub struct Streamed<F>(pub F);

impl<I: Iterator<Item: Serialize>, F: Fn() -> I> Serialize for Streamed<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((self.0)())
    }
}

/// An [`Object`] of `name: value,` or `name,`, of `name?: option,` that is left out without a value, and of `..object,`, the
/// fields of another one.
macro_rules! object {
    ({ $($fields:tt)* }) => { $crate::explicit::object::Object(object!(@ $($fields)*)) };
    (@) => { () };
    (@ ..$other:expr, $($rest:tt)*) => { ($other, object!(@ $($rest)*)) };
    (@ $name:ident, $($rest:tt)*) => { (stringify!($name), $name, object!(@ $($rest)*)) };
    (@ $name:ident: $value:expr, $($rest:tt)*) => { (stringify!($name), $value, object!(@ $($rest)*)) };
    (@ $name:ident?: $value:expr, $($rest:tt)*) => { ([stringify!($name)], $value, object!(@ $($rest)*)) };
}

pub(crate) use object;
