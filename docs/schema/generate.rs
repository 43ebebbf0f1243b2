//! Writes the JSON schemas whose documents have types, and `python/cladist/documents.py` with the types of all schemas:
//! `cargo run --features schemas --example schemas`. With `--check` it writes nothing, and fails if a file differs.

mod schemas;

use serde_json::{Map, Value as Json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::{Error, Result};
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() -> Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = root.join("docs/schema");
    let mut files: Vec<(PathBuf, String)> = Vec::new();
    let mut python = Python::default();
    let generated = schemas::schemas();
    for (name, schema) in &generated {
        python.add(name, schema, false);
        files.push((folder.join(name).with_extension("json"), format!("{schema:#}\n")));
    }
    let mut written: Vec<PathBuf> =
        fs::read_dir(&folder)?.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    written.sort();
    for path in written.iter().filter(|path| path.extension().is_some_and(|end| end == "json")) {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if !generated.iter().any(|(known, _)| *known == name) {
            python.add(&name, &serde_json::from_slice(&fs::read(path)?)?, true);
        }
    }
    files.push((root.join("python/cladist/documents.py"), python.text()));
    for (path, text) in files {
        let is_current = fs::read_to_string(&path).is_ok_and(|old| old == text);
        if env::args().any(|argument| argument == "--check") && !is_current {
            let command = "cargo run --features schemas --example schemas";
            return Err(Error::other(format!("{} is not what `{command}` writes", path.display())));
        }
        fs::write(&path, text)?;
    }
    Ok(())
}

/// The types of documents in Python.
#[derive(Default)]
struct Python {
    /// The classes and aliases by name, with their texts.
    types: BTreeMap<String, String>,
    /// The names of the documents, with their schemas.
    documents: BTreeMap<String, Json>,
    /// The definitions of schemas, by the name in Python, each with everything that it refers to.
    definitions: BTreeMap<String, String>,
}

/// A schema whose parts are translated.
struct Translation<'s> {
    /// The names of its definitions in Python.
    names: BTreeMap<&'s str, String>,
}

impl Python {
    /// Adds a document. The definitions of others may have the same names unless they are its `own`.
    fn add(&mut self, name: &str, schema: &Json, own: bool) {
        let document = camel(name.trim_end_matches(|c: char| c == '-' || c.is_ascii_digit()));
        let mut translation = Translation { names: BTreeMap::new() };
        let definitions = schema["$defs"].as_object();
        for key in definitions.into_iter().flat_map(Map::keys) {
            let mut reached = BTreeSet::new();
            let whole = reachable(schema, key, &mut reached);
            let mut name = camel(key);
            if own || self.definitions.get(&name).is_some_and(|other| *other != whole) {
                name = format!("{document}{name}");
            }
            self.definitions.insert(name.clone(), whole);
            translation.names.insert(key, name);
        }
        for (key, definition) in definitions.into_iter().flatten() {
            let name = translation.names[key.as_str()].clone();
            let found = self.of(definition, &name, &translation);
            if found != name {
                let text = format!("{name}: TypeAlias = {}\n{}", alias(&found), docstring(definition, ""));
                self.types.insert(name, text);
            }
        }
        let name = format!("{document}Document");
        self.of(schema, &name, &translation);
        self.documents.insert(name, schema["properties"]["schema"]["const"].clone());
    }

    /// Returns the type of a value; if it is an object with fields, that is a class with the given name.
    fn of(&mut self, schema: &Json, name: &str, translation: &Translation<'_>) -> String {
        if let Some(reference) = schema["$ref"].as_str() {
            return translation.names[reference.trim_start_matches("#/$defs/")].clone();
        }
        if let Some(words) = schema["enum"].as_array() {
            return format!("Literal[{}]", words.iter().map(literal).collect::<Vec<_>>().join(", "));
        }
        if !schema["const"].is_null() {
            return format!("Literal[{}]", literal(&schema["const"]));
        }
        let variants: Vec<&Json> =
            ["oneOf", "anyOf"].iter().filter_map(|key| schema[*key].as_array()).flatten().collect();
        let all = std::iter::once(schema).chain(variants.iter().copied());
        let parts: Vec<&Json> = all.filter(|part| part["properties"].is_object()).collect();
        if schema["properties"].is_object() || (variants.len() > 1 && parts.len() == variants.len()) {
            self.class(schema, &parts, name, translation);
            return name.to_owned();
        }
        if !variants.is_empty() {
            let found: Vec<String> =
                variants.iter().map(|variant| self.of(variant, name, translation)).collect();
            return found.join(" | ");
        }
        let types: Vec<&str> = match &schema["type"] {
            Json::String(only) => vec![only],
            Json::Array(types) => types.iter().filter_map(Json::as_str).collect(),
            _ => Vec::new(),
        };
        if types.is_empty() || types.len() > 3 {
            return "Any".into();
        }
        let found = types.iter().map(|word| match *word {
            "string" => "str".to_owned(),
            "integer" => "int".to_owned(),
            "number" => "float".to_owned(),
            "boolean" => "bool".to_owned(),
            "array" => {
                let item = schema["prefixItems"].get(0).unwrap_or(&schema["items"]);
                format!("list[{}]", self.of(item, &format!("{name}Item"), translation))
            }
            "object" if schema["additionalProperties"].is_object() => {
                let value = &schema["additionalProperties"];
                format!("dict[str, {}]", self.of(value, &format!("{name}Value"), translation))
            }
            "object" => "dict[str, Any]".to_owned(),
            _ => "None".to_owned(),
        });
        found.collect::<Vec<_>>().join(" | ")
    }

    /// Adds the class of an object, which has the fields of all alternatives.
    fn class(&mut self, schema: &Json, parts: &[&Json], name: &str, translation: &Translation<'_>) {
        let mut fields: BTreeMap<&str, (usize, Vec<String>, String)> = BTreeMap::new();
        for field in parts.iter().flat_map(|part| part["properties"].as_object()).flat_map(Map::keys) {
            let place = fields.len();
            let (_, types, text) = fields.entry(field).or_insert((place, Vec::new(), String::new()));
            for own in parts.iter().map(|part| &part["properties"][field]).filter(|own| own.is_object()) {
                let found = self.of(own, &format!("{name}{}", camel(field)), translation);
                if !types.contains(&found) {
                    types.push(found);
                }
                *text = docstring(own, "    ");
            }
        }
        let is_required = |field: &str| {
            let has = |part: &Json| {
                part["required"].as_array().is_some_and(|all| all.iter().any(|one| one == field))
            };
            has(schema)
                || parts.iter().filter(|part| !std::ptr::eq(**part, schema)).all(|part| has(part))
                    && parts.len() > 1
        };
        let mut fields: Vec<_> = fields.into_iter().collect();
        fields.sort_by_key(|(_, (place, ..))| *place);
        let [mut own, mut keywords] = [String::new(), String::new()];
        for (field, (_, types, text)) in fields {
            let mut found = types.join(" | ");
            if !is_required(field) {
                found = format!("NotRequired[{found}]");
            }
            // Writing to strings cannot fail.
            let _ = match ["class", "from"].contains(&field) {
                true => write!(keywords, "\"{field}\": \"{}\", ", found.replace('"', "'")),
                false => write!(own, "    {field}: {found}\n{text}"),
            };
        }
        let mut text = String::new();
        let mut base = "TypedDict".to_owned();
        if !keywords.is_empty() {
            base = format!("_{name}");
            let _ =
                writeln!(text, "{base} = TypedDict(\"{base}\", {{{}}})\n\n", keywords.trim_end_matches(", "));
        }
        let _ = write!(text, "class {name}({base}):\n{}{own}", class_docstring(schema));
        self.types.insert(name.to_owned(), text);
    }

    fn text(&self) -> String {
        let mut out = String::from(HEAD);
        for text in self.types.values() {
            let _ = write!(out, "\n\n{text}");
        }
        let documents: Vec<&str> = self.documents.keys().map(String::as_str).collect();
        let _ = write!(out, "\n\nSCHEMAS = frozenset(\n    (\n");
        for schema in self.documents.values() {
            let _ = writeln!(out, "        {},", literal(schema));
        }
        let _ = write!(out, "    )\n)\n\"\"\"The schemas of all documents.\"\"\"\n");
        let _ = write!(
            out,
            "\n\nDocument: TypeAlias = \"{}\"\n\"\"\"Any document.\"\"\"\n",
            documents.join(" | ")
        );
        out
    }
}

const HEAD: &str = r#""""Documents of Cladist as typed dictionaries: what `--json` prints, by the schemas in `docs/schema`.

`cargo run --features schemas --example schemas` writes this file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypedDict

if TYPE_CHECKING:
    from typing_extensions import NotRequired, TypeAlias
"#;

/// Returns a definition with all those that it refers to, as text.
fn reachable(schema: &Json, key: &str, reached: &mut BTreeSet<String>) -> String {
    if !reached.insert(key.to_owned()) {
        return String::new();
    }
    let mut text = schema["$defs"][key].to_string();
    let references: BTreeSet<String> = text
        .split("\"#/$defs/")
        .skip(1)
        .filter_map(|rest| Some(rest.split_once('"')?.0.to_owned()))
        .collect();
    for reference in references {
        text.push_str(&reachable(schema, &reference, reached));
    }
    text
}

/// `lts-info` and `lts_info` as `LtsInfo`.
fn camel(name: &str) -> String {
    let words = name.split(['-', '_']);
    words
        .map(|word| {
            word.chars().take(1).flat_map(char::to_uppercase).chain(word.chars().skip(1)).collect::<String>()
        })
        .collect()
}

fn literal(value: &Json) -> String {
    match value {
        Json::Null => "None".into(),
        Json::Bool(true) => "True".into(),
        Json::Bool(false) => "False".into(),
        value => value.to_string(),
    }
}

/// A type as a string, so that it may name what follows.
fn alias(found: &str) -> String {
    format!("\"{}\"", found.replace('"', "'"))
}

fn docstring(schema: &Json, indent: &str) -> String {
    let text = schema["description"].as_str().unwrap_or_default().replace('\\', "\\\\");
    match text.is_empty() {
        true => String::new(),
        false => format!("{indent}\"\"\"{}\"\"\"\n", text.replace('\n', &format!("\n{indent}"))),
    }
}

fn class_docstring(schema: &Json) -> String {
    let text = docstring(schema, "    ");
    match (schema["title"].as_str(), text.is_empty()) {
        (Some(title), _) => format!("    \"\"\"{title}.\"\"\"\n\n"),
        (None, false) => format!("{text}\n"),
        (None, true) => String::new(),
    }
}
