//! Values of a type, made leaf by leaf: unknown ones, and names for known ones.

use super::script::Script;
use super::symbolic::{Body, TermValue};
use super::term::{Term, TermRange, Terms, Truth};
use lang::model::types::{Collection, CollectionKind, RecordDecl, RecordId, Type, Types};
use std::rc::Rc;

/// A maker of leaves: it is asked for one after the other, always in the same order for a type.
pub trait Leaves {
    /// The terms of the script.
    fn terms(&mut self) -> &mut Terms;
    /// A truth value with this name.
    fn truth(&mut self, name: &str) -> Truth;
    fn number(&mut self, name: &str, range: TermRange) -> super::term::Number;
}

/// New symbols, which remain to be declared.
pub struct NewSymbols<'s> {
    /// Where they are made.
    pub script: &'s mut Script,
    /// Those made so far.
    pub made: Vec<Term>,
}

impl Leaves for NewSymbols<'_> {
    fn terms(&mut self) -> &mut Terms {
        &mut self.script.terms
    }

    fn truth(&mut self, name: &str) -> Truth {
        let symbol = self.script.truth_symbol(name);
        self.made.push(Term::Truth(symbol));
        symbol
    }

    fn number(&mut self, name: &str, range: TermRange) -> super::term::Number {
        let symbol = self.script.number_symbol(name, range);
        self.made.push(Term::Number(symbol));
        symbol
    }
}

/// The name of a value: a text for the place, and something behind it that says when.
#[derive(Debug, Clone, Copy)]
pub struct ValueName<'n> {
    /// The place in the syntax of the language: `net.sender`.
    pub place: &'n str,
    /// The ending: `@3`.
    pub when: &'n str,
}

impl<'n> ValueName<'n> {
    fn leaf(self) -> String {
        format!("{}{}", self.place, self.when)
    }

    fn of(self, place: &'n str) -> Self {
        Self { place, ..self }
    }
}

/// The indices of the values of an enumeration.
fn indices(count: usize) -> TermRange {
    TermRange { lo: 0, hi: (count as i128 - 1).max(0) }
}

/// An unknown value of a type. It has the structure of the type; what else is to be demanded of it says [`well_formed`].
pub fn unknown(leaves: &mut dyn Leaves, types: &Types, name: ValueName<'_>, ty: &Type) -> TermValue {
    match ty {
        Type::Option(inner) => {
            let present = leaves.truth(&format!("{} is some{}", name.place, name.when));
            let value = unknown(leaves, types, name, inner);
            value.only_if(leaves.terms(), present)
        }
        Type::Bool => TermValue::bool(leaves.truth(&name.leaf())),
        Type::Int { lo, hi } => {
            let range = TermRange { lo: (*lo).into(), hi: (*hi).into() };
            TermValue::there(Body::Int(leaves.number(&name.leaf(), range)))
        }
        Type::Enum(id) => {
            let range = indices(types.enumeration(*id).variants.len());
            TermValue::there(Body::Enum(*id, leaves.number(&name.leaf(), range)))
        }
        Type::Set(element) => {
            let members = types.values(element).into_iter().map(|value| {
                let inside = format!("{} in {}{}", types.show_value(&value), name.place, name.when);
                (value, leaves.truth(&inside))
            });
            TermValue::there(Body::Set(members.collect()))
        }
        Type::Record(id) => unknown_record(leaves, types, name, *id),
        Type::Map(key, value) => {
            let entries = types.values(key).into_iter().map(|key| {
                let place = format!("{}[{}]", name.place, types.show_value(&key));
                let entry = unknown(leaves, types, name.of(&place), value);
                (key, entry)
            });
            TermValue::there(Body::Map(entries.collect()))
        }
        Type::Pos | Type::Abstract(_) => unreachable!("no variable or parameter of a model has such a type"),
    }
}

/// Of a variant or collection, which fields are there is said by its constructor.
fn unknown_record(leaves: &mut dyn Leaves, types: &Types, name: ValueName<'_>, id: RecordId) -> TermValue {
    let decl = types.record(id);
    let mut fields: Vec<TermValue> = Vec::new();
    for (index, (_, slot)) in decl.fields.iter().enumerate() {
        let place = decl.part_text(name.place, index);
        let having: Vec<(usize, &Type)> = decl.having(index).collect();
        if !decl.is_tagged() || index == 0 || having.len() == decl.constructors.len() {
            fields.push(unknown(leaves, types, name.of(&place), slot));
            continue;
        }
        let value = match having.first() {
            Some((_, ty)) => unknown(leaves, types, name.of(&place), ty),
            None => TermValue::absent(),
        };
        let there = has_constructor(leaves.terms(), &fields[0], &having);
        fields.push(value.only_if(leaves.terms(), there));
    }
    TermValue::there(Body::Record(id, fields.into()))
}

/// True if the first field of a variant or collection is one of these constructors.
fn has_constructor(terms: &mut Terms, tag: &TermValue, having: &[(usize, &Type)]) -> Truth {
    let (Body::Int(tag) | Body::Enum(_, tag)) = tag.body else { return Terms::NO };
    let mut parts = Vec::new();
    for (index, _) in having {
        let index = terms.int(*index as i128);
        parts.push(terms.equal(tag, index));
    }
    terms.any(parts)
}

/// Conditions that make an unknown value one of its type: the order of the elements of bags and sets, and that enumerations have values.
pub fn well_formed(terms: &mut Terms, types: &Types, value: &TermValue, ty: &Type) -> Truth {
    let inside = match (&value.body, ty.inner()) {
        (_, Type::Enum(id)) => Terms::bool(!types.enumeration(*id).variants.is_empty()),
        (Body::Record(_, fields), Type::Record(id)) => {
            let decl = types.record(*id);
            let declared = fields.iter().zip(&decl.fields);
            let mut parts: Vec<Truth> =
                declared.map(|(field, (_, ty))| well_formed(terms, types, field, ty)).collect();
            parts.push(in_order(terms, decl, fields));
            terms.all(parts)
        }
        (Body::Map(entries), Type::Map(_, ty)) => {
            let parts = entries.iter().map(|(_, entry)| well_formed(terms, types, entry, ty)).collect();
            terms.all(parts)
        }
        _ => Terms::YES,
    };
    terms.implies(value.present, inside)
}

/// True if the elements of a bag or set are in ascending order, those of a set without repetition.
fn in_order(terms: &mut Terms, decl: &RecordDecl, fields: &[TermValue]) -> Truth {
    let Some(Collection { kind: kind @ (CollectionKind::Bag | CollectionKind::Set), .. }) = &decl.collection
    else {
        return Terms::YES;
    };
    let mut parts = Vec::new();
    for pair in fields[1..].windows(2) {
        let [a, b] = pair else { unreachable!("two at a time") };
        let right = match kind {
            CollectionKind::Set => a.before(terms, b),
            _ => {
                let wrong = b.before(terms, a);
                terms.not(wrong)
            }
        };
        parts.push(terms.implies(b.present, right));
    }
    terms.all(parts)
}

/// Gives the leaves of a value names. The value has to be of the type in every model of the script; what it has beyond the
/// type is left out.
pub fn named(
    script: &mut Script,
    types: &Types,
    name: ValueName<'_>,
    ty: &Type,
    value: &TermValue,
) -> TermValue {
    let Type::Option(inner) = ty else {
        return TermValue::there(named_body(script, types, name, ty, &value.body));
    };
    let present = script.define_truth(&format!("{} is some{}", name.place, name.when), value.present);
    if present == Terms::NO {
        return TermValue::absent();
    }
    TermValue { present, body: named_body(script, types, name, inner, &value.body) }
}

fn named_body(script: &mut Script, types: &Types, name: ValueName<'_>, ty: &Type, body: &Body) -> Body {
    match (ty, body) {
        (Type::Bool, Body::Bool(truth)) => Body::Bool(script.define_truth(&name.leaf(), *truth)),
        (Type::Int { lo, hi }, Body::Int(number)) => {
            let range = TermRange { lo: (*lo).into(), hi: (*hi).into() };
            Body::Int(script.define_number(&name.leaf(), *number, range))
        }
        (Type::Enum(id), Body::Enum(_, number)) => {
            let range = indices(types.enumeration(*id).variants.len());
            Body::Enum(*id, script.define_number(&name.leaf(), *number, range))
        }
        (Type::Set(element), Body::Set(members)) => {
            let mut kept = Vec::new();
            for value in types.values(element) {
                let known = members.binary_search_by(|(member, _)| member.cmp(&value));
                let inside = known.map_or(Terms::NO, |at| members[at].1);
                let text = format!("{} in {}{}", types.show_value(&value), name.place, name.when);
                kept.push((value, script.define_truth(&text, inside)));
            }
            Body::Set(kept.into())
        }
        (Type::Record(id), Body::Record(_, fields)) => {
            let decl = types.record(*id);
            let declared = fields.iter().zip(&decl.fields).enumerate();
            let fields: Rc<[TermValue]> = declared
                .map(|(index, (field, (_, ty)))| {
                    named(script, types, name.of(&decl.part_text(name.place, index)), ty, field)
                })
                .collect();
            Body::Record(*id, fields)
        }
        (Type::Map(_, ty), Body::Map(entries)) => {
            let entry = |(key, entry): &(_, TermValue)| {
                let place = format!("{}[{}]", name.place, types.show_value(key));
                (key.clone(), named(script, types, name.of(&place), ty, entry))
            };
            Body::Map(entries.iter().map(entry).collect())
        }
        // No step leads here; any value will do.
        _ => match types.simplest(ty) {
            Some(value) => TermValue::constant(&mut script.terms, &value).body,
            None => Body::Nothing,
        },
    }
}
