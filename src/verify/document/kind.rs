//! Fields that only documents of one kind of traces have.

use serde::de::{DeserializeOwned, Error, IgnoredAny};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt::Debug;

/// A kind of traces with classifications that are stored.
pub trait DocumentKind: Debug + Clone {
    /// The schema of their documents.
    const SCHEMA: &'static str;
    /// A field of documents about finite traces only.
    type IfFinite<T: Field>: Field;
    /// A field of documents about infinite traces only.
    type IfInfinite<T: Field>: Field;
    /// Fairness conditions.
    type Conditions: Field + Default;
    /// A formula in the language of models.
    type Formula: Field;
    /// A fact of a class.
    type Fact: Field;
    /// The decisive steps of a class.
    type Decisive: Field + Default;
    /// The results beyond the bound.
    type Horizon: Field;
    /// The result for every length.
    type Unbounded: Field;
    /// The resources used.
    type Statistics: Field;

    /// True if decisive steps are left out of the document.
    fn has_no_steps(decisive: &Self::Decisive) -> bool;

    /// True if a result proves its verdict for traces of every length.
    fn is_proved(unbounded: &Self::Unbounded) -> bool;
}

/// A type with a JSON schema, where schemas are generated.
#[cfg(feature = "schemas")]
pub use schemars::JsonSchema as Described;

/// Any type, as no schemas are generated.
#[cfg(not(feature = "schemas"))]
pub trait Described {}

#[cfg(not(feature = "schemas"))]
impl<T> Described for T {}

/// The value of a field.
pub trait Field: Debug + Clone + Serialize + DeserializeOwned + Described {}

impl<T: Debug + Clone + Serialize + DeserializeOwned + Described> Field for T {}

/// The value of a field that documents of a kind do not have.
#[derive(Debug, Clone, Copy, Default)]
pub struct Absent;

impl Serialize for Absent {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_none()
    }
}

impl<'de> Deserialize<'de> for Absent {
    /// Reads the missing field; one that is there is unknown to documents of the kind.
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        match Option::<IgnoredAny>::deserialize(from)? {
            None => Ok(Self),
            Some(_) => Err(D::Error::custom("unknown field")),
        }
    }
}

#[cfg(feature = "schemas")]
impl schemars::JsonSchema for Absent {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Absent".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        false.into()
    }
}

/// True if a field is [`Absent`], the only type of its values without a size.
pub(super) fn is_absent<T>(_: &T) -> bool {
    size_of::<T>() == 0
}
