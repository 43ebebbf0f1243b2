//! The treatment of each field of a stored result by verification: established, not checked, or not a claim.
//!
//! `fields.md` is the table, and a test compares it with the schemas.

use super::Stored;
use super::document::StoredResult;
use itertools::Itertools;
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Fields of some parts of documents that are treated alike.
#[derive(Debug, Clone)]
pub struct FieldGroup {
    /// The parts: whole documents, and their components.
    pub parts: Vec<&'static str>,
    /// Paths below a part; `[]` stands for the elements of a list.
    pub fields: Vec<&'static str>,
    /// Their treatment.
    pub standing: FieldStanding,
    /// The way they are established, or the part of them that is not checked.
    pub how: &'static str,
}

/// The treatment of a field by verification.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldStanding {
    /// The field must be correct, or the result is refused.
    Established,
    /// The field and its components are not checked.
    NotChecked,
    /// The field is not checked with some values, and established with others.
    NotCheckedWhere(FieldValues),
    /// The field describes how the result was made, not the model or its traces.
    Origin,
    /// The field is a part with fields of its own.
    Part(&'static str),
}

/// Values of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldValues {
    /// All values, including a missing one.
    Any,
    /// All but `false` and 0.
    Some,
    /// `false`.
    False,
    /// A verdict that depends on the expressiveness of the vocabulary.
    Vocabulary,
    /// `minimum` for more than one class.
    Minimum,
    /// Any value if the verdict is `partial` or `undecided`.
    Partial,
}

/// A claim of a result that is not checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unchecked {
    /// Its place in the document, as a JSON pointer (RFC 6901).
    pub path: String,
    /// The part of it that is not checked.
    pub what: &'static str,
}

use FieldStanding::{Established, NotChecked, NotCheckedWhere, Origin, Part};

/// All fields of the documents that are verified: the table of `fields.md`.
pub static FIELDS: LazyLock<Vec<FieldGroup>> = LazyLock::new(|| {
    let lines = include_str!("fields.md").lines().filter(|line| line.starts_with('|'));
    lines.skip(2).map(FieldGroup::of_line).collect()
});

impl FieldGroup {
    /// Reads a line of the table: parts, fields, their treatment, how.
    fn of_line(line: &'static str) -> Self {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [parts, fields, standing, how] = cells[..] else { unreachable!("a line of four cells: {line}") };
        let standing = match standing {
            "established" => Established,
            "no claim" => Origin,
            "not checked" => NotChecked,
            "not checked, even if `null`" => NotCheckedWhere(FieldValues::Any),
            "not checked, if it is not `false` or 0" => NotCheckedWhere(FieldValues::Some),
            "not checked, if `false`" => NotCheckedWhere(FieldValues::False),
            "not checked, if `remainder` or `too_weak`" => NotCheckedWhere(FieldValues::Vocabulary),
            "not checked, if `partial` or `undecided`" => NotCheckedWhere(FieldValues::Partial),
            "not checked, if `minimum` of several" => NotCheckedWhere(FieldValues::Minimum),
            "part" => Part(how.trim_matches('`')),
            _ => unreachable!("a known treatment: {line}"),
        };
        let fields = fields.split(", ").map(|field| field.trim_matches('`'));
        Self { parts: parts.split(", ").collect(), fields: fields.collect(), standing, how }
    }
}

/// The rows by part and path.
static ROWS: LazyLock<BTreeMap<(&str, &str), &FieldGroup>> = LazyLock::new(|| {
    let of = |group: &'static FieldGroup| {
        let parts = group.parts.iter().copied().cartesian_product(group.fields.iter().copied());
        parts.map(move |field| (field, group))
    };
    FIELDS.iter().flat_map(of).collect()
});

/// Returns the row of the value that a JSON pointer into a document leads to, or else that of the nearest value above
/// it. `part` is the kind of document: `classify`, `lassos`, `causes`, `check`, `job`.
pub fn row_of(part: &'static str, pointer: &str) -> Option<&'static FieldGroup> {
    let (mut part, mut path, mut found) = (part, String::new(), None);
    for token in pointer.split('/').skip(1) {
        path = below(&path, token.parse::<usize>().is_err().then_some(token));
        match ROWS.get(&(part, path.as_str())) {
            Some(FieldGroup { standing: Part(other), .. }) => {
                (part, path, found) = (other, String::new(), None)
            }
            Some(row) => found = Some(*row),
            None => {}
        }
    }
    found
}

/// Returns the path of an entry of an object, or of an element of a list.
fn below(path: &str, key: Option<&str>) -> String {
    match key {
        None => format!("{path}[]"),
        Some(key) if path.is_empty() => key.to_owned(),
        Some(key) => format!("{path}.{key}"),
    }
}

impl Stored {
    /// Returns the claims of the result that are not checked, in the order of the document.
    pub fn unchecked(&self) -> Vec<Unchecked> {
        let part = match self.result {
            StoredResult::Classify(_) => "classify",
            StoredResult::Lassos(_) => "lassos",
            StoredResult::Causes(_) => "causes",
            StoredResult::Check(_) => "check",
        };
        let mut list = Vec::new();
        walk(&self.json, (part, String::new(), &self.json), self.below, &mut list);
        list
    }
}

/// Collects the unchecked claims of a value at a path below a part; `whole` is the value of the part.
fn walk(
    value: &Json,
    (part, path, whole): (&'static str, String, &Json),
    pointer: &str,
    list: &mut Vec<Unchecked>,
) {
    let says_something = match value {
        Json::Null => false,
        Json::Array(elements) => !elements.is_empty(),
        Json::Object(entries) => !entries.is_empty(),
        _ => true,
    };
    let row = ROWS.get(&(part, path.as_str())).filter(|_| !path.is_empty());
    let (standing, what) =
        row.map_or((None, "a field that is not known"), |row| (Some(row.standing), row.how));
    let is_unchecked = match standing {
        Some(Established | Origin) => return,
        Some(NotChecked) => says_something,
        Some(NotCheckedWhere(values)) => values.are(value, whole),
        Some(Part(_)) | None => !matches!(value, Json::Array(_) | Json::Object(_)) && says_something,
    };
    if is_unchecked {
        list.push(Unchecked { path: pointer.to_owned(), what });
    }
    let (part, path, whole) = match standing {
        Some(Part(other)) => (other, String::new(), value),
        None => (part, path, whole),
        Some(_) => return,
    };
    match value {
        Json::Array(elements) => {
            for (number, element) in elements.iter().enumerate() {
                walk(element, (part, below(&path, None), whole), &format!("{pointer}/{number}"), list);
            }
        }
        Json::Object(entries) => {
            for (key, entry) in entries {
                let token = key.replace('~', "~0").replace('/', "~1");
                walk(entry, (part, below(&path, Some(key)), whole), &format!("{pointer}/{token}"), list);
            }
        }
        _ => {}
    }
}

impl FieldValues {
    /// True if a value of a field is one of these, in a part of a document.
    fn are(self, value: &Json, whole: &Json) -> bool {
        match self {
            Self::Any => true,
            Self::Some => *value != Json::Bool(false) && *value != 0,
            Self::False => *value == Json::Bool(false),
            Self::Vocabulary => {
                ["remainder", "too_weak"].iter().any(|word| *value == **word) || !whole["remainder"].is_null()
            }
            Self::Partial => whole["verdict"] == "partial" || whole["verdict"] == "undecided",
            Self::Minimum => {
                let classes = whole["classes"].as_array().into_iter().flatten();
                *value == "minimum" && classes.filter(|class| class["redundant"] != true).count() > 1
            }
        }
    }
}
