//! The table of what verification makes of each field, and the schemas.

use cladist::verify::{FIELDS, FieldGroup, FieldStanding};
use serde_json::Value as Json;
use std::collections::BTreeSet;
use std::path::Path;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The documents that are verified, with their schemas.
const DOCUMENTS: &[(&str, &str)] = &[
    ("classify", "classify-1"),
    ("lassos", "classify-lassos-1"),
    ("causes", "causes-1"),
    ("check", "check-1"),
    ("job", "job-1"),
];

/// A walk through a schema along the table.
struct Walk<'s> {
    schema: &'s Json,
    /// The fields of the table that were met.
    met: &'s mut BTreeSet<(&'static str, &'static str)>,
    /// The parts of the table that were met in this schema.
    parts: BTreeSet<&'static str>,
    wrong: &'s mut Vec<String>,
}

fn row(part: &str, path: &str) -> Option<(&'static str, &'static str, &'static FieldGroup)> {
    FIELDS.iter().find_map(|group| {
        let part = group.parts.iter().find(|other| **other == part)?;
        let field = group.fields.iter().find(|other| **other == path)?;
        Some((*part, *field, group))
    })
}

/// Whether the table has fields below a field.
fn has_fields_of_its_own(part: &str, field: &str) -> bool {
    let is_below = |other: &&&str| other.strip_prefix(field).is_some_and(|rest| rest.starts_with(['.', '[']));
    FIELDS
        .iter()
        .filter(|group| group.parts.contains(&part))
        .any(|group| group.fields.iter().any(|other| is_below(&other)))
}

impl Walk<'_> {
    /// Goes through what the schema of a value at a path of a part allows. `above` is the standing of the nearest field above it.
    fn value(&mut self, schema: &Json, part: &'static str, path: &str, above: Option<FieldStanding>) {
        let found = row(part, path);
        let mut standing = above;
        if let Some((part, field, group)) = found {
            self.met.insert((part, field));
            standing = Some(group.standing);
            if let FieldStanding::Part(other) = group.standing {
                if self.parts.insert(other) {
                    self.inside(schema, other, "", None);
                }
                return;
            }
            let is_whole = matches!(group.standing, FieldStanding::NotChecked | FieldStanding::Origin);
            if is_whole && !has_fields_of_its_own(part, field) {
                return;
            }
        }
        if !self.inside(schema, part, path, standing) {
            // What is established has to be listed itself, so that nothing new is taken for it.
            let is_listed = found.is_some()
                || matches!(standing, Some(FieldStanding::NotChecked | FieldStanding::Origin));
            if !is_listed {
                self.wrong.push(format!("{part}: {path} is not in the table"));
            }
        }
    }

    /// Goes through what a value consists of; whether it is an object with fields of its own, or a list.
    fn inside(
        &mut self,
        schema: &Json,
        part: &'static str,
        path: &str,
        above: Option<FieldStanding>,
    ) -> bool {
        if let Some(name) = schema["$ref"].as_str() {
            let definition = self.schema["$defs"][name.trim_start_matches("#/$defs/")].clone();
            return self.inside(&definition, part, path, above);
        }
        if let Some(all) = schema["anyOf"].as_array().or_else(|| schema["oneOf"].as_array()) {
            let all: Vec<bool> = all.iter().map(|one| self.inside(one, part, path, above)).collect();
            return all.contains(&true);
        }
        if let Some(fields) = schema["properties"].as_object() {
            for (name, field) in fields {
                let below = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                self.value(field, part, &below, above);
            }
            return true;
        }
        if schema["items"].is_object() {
            self.value(&schema["items"], part, &format!("{path}[]"), above);
            return true;
        }
        false
    }
}

#[test]
fn every_field_of_the_schemas_is_in_the_table_and_no_other() {
    let (mut met, mut wrong) = (BTreeSet::new(), Vec::new());
    for (document, schema) in DOCUMENTS {
        let path = Path::new(ROOT).join("docs/schema").join(schema).with_extension("json");
        let schema: Json = serde_json::from_slice(&std::fs::read(path).expect("a schema")).expect("JSON");
        let (met, wrong) = (&mut met, &mut wrong);
        let mut walk = Walk { schema: &schema, met, parts: BTreeSet::new(), wrong };
        walk.inside(&schema, document, "", None);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let all = FIELDS.iter().flat_map(|group| {
        group.parts.iter().flat_map(|part| group.fields.iter().map(|field| (*part, *field)))
    });
    let strange: Vec<_> = all.filter(|field| !met.contains(field)).collect();
    assert!(strange.is_empty(), "no schema has {strange:?}");
}
