//! What a permutation of names makes of a symbolic value: the same literals at other values.

use super::symbolic::Symbolic as S;
use crate::sat::{Circuit, Lit};
use lang::model::permutation::Permutation;
use lang::model::types::{Type, Types};
use lang::model::value::Value;

impl S {
    /// The image of a value of a type. Only records that the permutation leaves as they are need gates.
    #[must_use]
    pub fn permuted(&self, c: &mut Circuit, types: &Types, ty: &Type, by: &Permutation) -> S {
        if !by.moves_in(types, ty) || !c.goes_on() {
            return self.clone();
        }
        match (self, ty.inner()) {
            (S::Scalar(_) | S::Binary(_), ty) => S::Scalar(renamed(types, ty, &self.as_scalar(c), by)),
            (S::Set { present, members }, Type::Set(element)) => {
                S::Set { present: *present, members: renamed(types, element, members, by) }
            }
            (S::Record { present, id, fields }, _) => {
                let declared = &types.record(*id).fields;
                let moved =
                    fields.iter().zip(declared).map(|(field, (_, ty))| field.permuted(c, types, ty, by));
                let moved = S::Record { present: *present, id: *id, fields: moved.collect() };
                let stays: Vec<Lit> =
                    by.fixed_in(*id).map(|(field, value)| fields[field].is_value(c, value)).collect();
                let stays = c.any(&stays);
                if stays == c.no() {
                    moved
                } else {
                    S::select(c, &[(stays, self.clone()), (!stays, moved)], false)
                }
            }
            (S::Map { present, entries }, Type::Map(key, value)) => {
                let moved =
                    entries.iter().map(|(k, v)| (by.image(types, key, k), v.permuted(c, types, value, by)));
                let mut entries: Vec<(Value, S)> = moved.collect();
                entries.sort_by(|a, b| a.0.cmp(&b.0));
                S::Map { present: *present, entries }
            }
            _ => self.clone(),
        }
    }
}

/// The images of values with their literals, sorted.
fn renamed(types: &Types, ty: &Type, list: &[(Value, Lit)], by: &Permutation) -> Vec<(Value, Lit)> {
    let mut list: Vec<(Value, Lit)> = list.iter().map(|(v, l)| (by.image(types, ty, v), *l)).collect();
    list.sort_by(|a, b| a.0.cmp(&b.0));
    list
}
