//! Prints types in the language of models, with names for those that need one.

use super::elaborate::{ReasonKind, Result, UntranslatableReason};
use super::types::{MODEL_VALUE, Ty, TypeSlot, TypeTable, WIDEST};
use crate::written;
use lang::syntax::as_name;
use std::collections::{BTreeMap, BTreeSet};

/// The greatest number of values of types that the language of models enumerates: elements of sets, keys of maps.
const MOST_LISTED: u128 = 4096;

/// A constructor with the field for its payload, if any, and its type.
type PrintedPayload = (String, Option<(String, String)>);

/// The types and their names in the text.
#[derive(Debug)]
pub(crate) struct TypeNames<'t> {
    pub types: &'t TypeTable,
    pub taken: BTreeSet<String>,
    /// The names of declared types, by definition.
    declared: BTreeMap<String, String>,
    pub declarations: Vec<String>,
    enums: BTreeMap<TypeSlot, String>,
    words: BTreeMap<String, String>,
    /// The names of constructors, by type and label.
    constructors: BTreeMap<(String, String), String>,
}

impl<'t> TypeNames<'t> {
    pub fn new(types: &'t TypeTable, taken: BTreeSet<String>) -> Self {
        let (declared, enums, words) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        Self { types, taken, declared, declarations: Vec::new(), enums, words, constructors: BTreeMap::new() }
    }

    /// Returns an unused name like the given one, with underscores if needed; stored traces have the name without.
    pub fn name(&mut self, like: &str) -> String {
        let mut name = as_name(like);
        while lang::syntax::is_reserved(&name) || !self.taken.insert(name.clone()) {
            name.push('_');
        }
        name
    }

    /// Returns the text of a type; `hint` gives its name if it needs one.
    pub fn text(&mut self, ty: &Ty, hint: &str) -> Result<String> {
        Ok(match self.types.resolve(ty) {
            Ty::Bool | Ty::Open(_) => "bool".into(),
            Ty::Int(slot) => match self.types.bounds(slot) {
                (lo, hi) if lo <= -WIDEST && hi >= WIDEST => "int".into(),
                (0, hi) if hi >= WIDEST => self.declare(&format!("0..{WIDEST}"), "Natural"),
                (lo, hi) => format!("{lo}..{hi}"),
            },
            Ty::Str(slot) => self.enumeration(slot, hint),
            Ty::Set(element) => format!("set of {}", self.listed(&element, "elements of a set", hint)?),
            Ty::List(element, slot) => {
                let Some(most) = self.types.length(slot) else {
                    return Err(UntranslatableReason::helped(
                        format!("the lists of `{hint}` get longer without an end"),
                        "give their greatest length: --list 4",
                    )
                    .of(ReasonKind::EndlessLists));
                };
                let each = self.text(&element, hint)?;
                let each = if each.starts_with("set ") || each.starts_with("map ") {
                    self.alias(each, hint)
                } else {
                    each
                };
                format!("seq of {each} max {most}")
            }
            Ty::Map(key, value, slot) => {
                let keys = self.listed(&key, "keys of a map", &format!("{hint}Key"))?;
                let option = if self.types.total(&key, slot) { "" } else { "option " };
                format!("map {keys} to {option}{}", self.text(&value, hint)?)
            }
            Ty::Tup(parts) => {
                let parts = (1..).zip(parts).map(|(at, part)| (format!("_{at}"), part));
                self.record(parts.collect(), hint)?
            }
            Ty::Rec(fields) => self.record(fields, hint)?,
            Ty::Sum(constructors) => self.sum(&constructors, hint)?,
            Ty::Union(_) => return Err("a value of several sorts is not known".into()),
        })
    }

    fn listed(&mut self, ty: &Ty, what: &str, hint: &str) -> Result<String> {
        self.small(ty, what)?;
        self.text(ty, hint)
    }

    /// Rejects types with too many values to enumerate.
    pub fn small(&self, ty: &Ty, what: &str) -> Result<()> {
        match self.types.cardinality(ty) {
            Some(number) if number <= MOST_LISTED => Ok(()),
            number => {
                let number = number.map_or("too many".into(), |n| n.to_string());
                Err(UntranslatableReason::helped(
                    format!("there are {number} possible {what}, and {MOST_LISTED} are the most"),
                    "limit integers without a bound, as with --int 0..3, or choose smaller constants",
                )
                .of(ReasonKind::TooManyValues))
            }
        }
    }

    fn enumeration(&mut self, slot: TypeSlot, hint: &str) -> String {
        let root = self.types.root(slot);
        if let Some(name) = self.enums.get(&root) {
            return name.clone();
        }
        let words: Vec<String> = self.types.words(slot).iter().cloned().collect();
        let words: Vec<String> = words.iter().map(|word| self.word(word)).collect();
        let values = if words.is_empty() { self.name("no_text") } else { words.join(", ") };
        // A string in a part of a value usually names an object independent of that part.
        let hint = if hint.contains('_') || hint.ends_with("Key") { "Name" } else { hint };
        let name = self.declare(&format!("enum {{ {values} }}"), hint);
        self.enums.insert(root, name.clone());
        name
    }

    /// Returns the value of an enumeration for a string.
    pub fn word(&mut self, word: &str) -> String {
        if let Some(name) = self.words.get(word) {
            return name.clone();
        }
        let name = self.name(word.trim_start_matches(MODEL_VALUE));
        self.words.insert(word.to_owned(), name.clone());
        name
    }

    fn declare(&mut self, text: &str, hint: &str) -> String {
        if let Some(name) = self.declared.get(text) {
            return name.clone();
        }
        let mut letters = as_name(hint).chars().collect::<Vec<_>>();
        letters[0] = letters[0].to_ascii_uppercase();
        let name = self.name(&letters.into_iter().collect::<String>());
        self.declared.insert(text.to_owned(), name.clone());
        self.declarations.push(format!("type {name} = {text};"));
        name
    }

    fn alias(&mut self, text: String, hint: &str) -> String {
        self.declare(&text, hint)
    }

    fn record(&mut self, fields: Vec<(String, Ty)>, hint: &str) -> Result<String> {
        if fields.is_empty() {
            return Err("the empty tuple is used as a value".into());
        }
        let mut parts = Vec::new();
        for (field, ty) in fields {
            let each = self.text(&ty, &format!("{hint}_{}", field.trim_start_matches('_')))?;
            parts.push(format!("{}: {each}", field_name(&field)));
        }
        Ok(self.declare(&format!("record {{ {} }}", parts.join(", ")), hint))
    }

    fn sum(&mut self, constructors: &[(String, Ty)], hint: &str) -> Result<String> {
        let payloads = self.payloads(constructors, hint)?;
        let kept = payloads.iter().map(|(label, payload)| match payload {
            None => label.clone(),
            Some((field, ty)) => format!("{label}({field}: {ty})"),
        });
        let key = kept.collect::<Vec<_>>().join(", ");
        if let Some(name) = self.declared.get(&key) {
            return Ok(name.clone());
        }
        let word = if payloads.iter().any(|(_, payload)| payload.is_some()) { "variant" } else { "enum" };
        let mut written = Vec::new();
        for (label, payload) in payloads {
            let name = self.name(&label);
            written.push(match payload {
                None => name.clone(),
                Some((field, ty)) => format!("{name}({field}: {ty})"),
            });
            self.constructors.insert((key.clone(), label), name);
        }
        let name = self.declare(&format!("{word} {{ {} }}", written.join(", ")), hint);
        self.declared.insert(key, name.clone());
        Ok(name)
    }

    /// Returns the constructors with the fields for their payloads, if any, and their types.
    fn payloads(&mut self, constructors: &[(String, Ty)], hint: &str) -> Result<Vec<PrintedPayload>> {
        let mut found: Vec<PrintedPayload> = Vec::new();
        for (label, ty) in constructors {
            let nothing = matches!(self.types.resolve(ty), Ty::Tup(parts) if parts.is_empty());
            let payload = match nothing {
                true => None,
                false => Some((String::new(), self.text(ty, &format!("{hint}_{label}"))?)),
            };
            found.push((label.clone(), payload));
        }
        let kinds: BTreeSet<String> = found.iter().filter_map(|(_, p)| Some(p.as_ref()?.1.clone())).collect();
        for (label, payload) in &mut found {
            if let Some((field, _)) = payload {
                // Fields of one name have one type.
                *field =
                    if kinds.len() == 1 { "payload".into() } else { field_name(&label.to_ascii_lowercase()) };
            }
        }
        Ok(found)
    }

    /// Returns the form of a constructor of a sum type in the text.
    pub fn constructor(&mut self, ty: &Ty, label: &str) -> Result<PrintedConstructor> {
        let Ty::Sum(constructors) = self.types.resolve(ty) else {
            return Err(format!("the type of the constructor `{label}` is not known").into());
        };
        self.text(ty, label)?;
        let payloads = self.payloads(&constructors, label)?;
        let kept = payloads.iter().map(|(label, payload)| match payload {
            None => label.clone(),
            Some((field, ty)) => format!("{label}({field}: {ty})"),
        });
        let key = kept.collect::<Vec<_>>().join(", ");
        let field =
            payloads.iter().find(|(own, _)| own == label).and_then(|(_, payload)| Some(payload.clone()?.0));
        let everywhere = payloads.iter().all(|(_, payload)| payload.as_ref().map(|p| &p.0) == field.as_ref());
        let name = self.constructors.get(&(key, label.to_owned())).cloned();
        let name =
            name.ok_or_else(|| UntranslatableReason::from(format!("the type has no constructor `{label}`")))?;
        let plain = payloads.iter().all(|(_, payload)| payload.is_none());
        Ok(PrintedConstructor { name, field, everywhere, plain, only: payloads.len() == 1 })
    }

    /// Returns the text of all values of a type, as the keys of a map.
    pub fn keys(&mut self, ty: &Ty) -> Result<String> {
        match self.types.resolve(ty) {
            Ty::Bool | Ty::Open(_) => Ok("bool".into()),
            _ => self.domain(ty, "Key"),
        }
    }

    /// Returns the text of all values of a type, as the domain of a bound name.
    pub fn domain(&mut self, ty: &Ty, hint: &str) -> Result<String> {
        self.small(ty, "values to go through")?;
        let text = self.text(ty, hint)?;
        Ok(match self.types.resolve(ty) {
            Ty::Bool | Ty::Open(_) => "{ false, true }".into(),
            Ty::Set(_) | Ty::Map(..) | Ty::List(..) => self.alias(text, hint),
            _ => text,
        })
    }
}

/// The form of a constructor in the text.
#[derive(Debug, Clone)]
pub(crate) struct PrintedConstructor {
    pub name: String,
    pub field: Option<String>,
    /// True if all constructors of the type have that field.
    pub everywhere: bool,
    /// True if the type is an enumeration.
    pub plain: bool,
    /// True if the type has no other.
    pub only: bool,
}

pub(crate) fn field_name(field: &str) -> String {
    written::own_name(field)
}
