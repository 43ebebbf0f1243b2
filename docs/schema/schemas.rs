//! JSON schemas of documents, generated from the types that write them.

use import::protocol::Certificates;
use lang::trace::{Finite, Infinite};
use report::batch::document::JobsDocument;
use report::batch::{BatchDocument, Record, ResultDifference, Sorted};
use report::{ErrorDocument, PatternsDocument, ProofsDocument, SurveyDocument, TestDocument, VerifyDocument};
use schemars::generate::SchemaSettings;
use schemars::transform::transform_subschemas;
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value as Json, json};
use verify::Manifest;
use verify::document::{CausesDocument, CheckDocument, ClassifyDocument};

/// The fields that documents of classifications may lack, the last one only those of finite traces. Fields that only one kind of
/// traces has are always there.
const OPTIONAL: [&str; 5] = ["tree", "proofs", "baseline", "kinds", "decisive"];

/// Returns the name and the schema of each document whose fields are those of a type.
pub fn schemas() -> Vec<(&'static str, Json)> {
    let schemas = [
        schema::<BatchDocument>(
            "batch-1",
            "The results of a plan: `merged.json`, and `cladist batch PLAN --json`",
        ),
        schema::<CausesDocument>("causes-1", "The result of `cladist classify --tree`"),
        schema::<Certificates>(
            "certificates-1",
            "Certificates of claims that hold for any number of runs: `cladist export certificates FILE.spdl`",
        ),
        schema::<CheckDocument>("check-1", "The result of `cladist check`"),
        schema::<ClassifyDocument<Finite>>("classify-1", "The result of `cladist classify`"),
        schema::<ClassifyDocument<Infinite>>(
            "classify-lassos-1",
            "The result of `cladist classify` for a property of linear time",
        ),
        schema::<ResultDifference>("diff-1", "The result of `cladist diff`"),
        schema::<ErrorDocument>("error-1", "Input that cannot be used, or a limit while it was loaded"),
        schema::<Manifest>("exchange-1", "The manifest of an exchange bundle"),
        schema::<Record>("job-1", "The stored result of a job of `cladist batch`"),
        schema::<JobsDocument>("jobs-1", "The jobs of a plan: `cladist batch PLAN --list --json`"),
        schema::<PatternsDocument>(
            "patterns-1",
            "The minimal attack patterns of a claim: `cladist classify FILE.spdl --json`",
        ),
        schema::<ProofsDocument>("proofs-1", "The manifest of `--proofs`"),
        schema::<TestDocument>("test-1", "The result of `cladist test`"),
        schema::<Sorted>("trace-sort-1", "The result of `cladist trace sort`"),
        schema::<VerifyDocument>("verify-1", "The result of `cladist verify`"),
        schema::<SurveyDocument>("vocabulary-1", "The result of `cladist vocabulary`"),
    ];
    schemas.into()
}

fn schema<T: JsonSchema>(name: &'static str, title: &str) -> (&'static str, Json) {
    let generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    let mut found = generator.into_root_schema_for::<T>();
    if let Some(kind) = name.strip_prefix("classify") {
        let optional = if kind == "-1" { &OPTIONAL } else { &OPTIONAL[..4] };
        require_fields(found.as_object_mut(), optional);
        for part in ["/$defs/StoredClass", "/$defs/StoredPair"] {
            require_fields(found.pointer_mut(part).and_then(Json::as_object_mut), optional);
        }
    }
    simplify(&mut found);
    // The names of types have a prefix that says nothing to readers of documents.
    let text = found.to_value().to_string();
    let plain = text.replace("\"Stored", "\"").replace("$defs/Stored", "$defs/");
    let mut found: Map<String, Json> = serde_json::from_str(&plain).unwrap_or_default();
    let mut definitions = found.remove("$defs").unwrap_or_else(|| json!({}));
    if plain.contains("#/$defs/Values\"") {
        let values = "Values by name: a string for a value of an enumeration, an integer, a truth value, `null` for none, \
                      an array for a set, an object for a record by its fields or a map by its keys.";
        definitions["Values"] = json!({ "description": values, "type": "object", "additionalProperties": {
            "$ref": "#/$defs/Value",
        } });
        definitions["Value"] = json!({
            "type": ["string", "integer", "boolean", "null", "array", "object"],
            "items": { "$ref": "#/$defs/Value" },
            "additionalProperties": { "$ref": "#/$defs/Value" },
        });
    }
    if let Some(tree) = definitions.get_mut("CausesDocument") {
        tree["properties"]["schema"] = json!({ "const": "cladist/causes-1" });
    }
    let part = match name {
        "batch-1" => definitions["RowDocument"].as_object_mut(),
        "check-1" => definitions["Property"].as_object_mut(),
        "exchange-1" => definitions["ListedObligation"].as_object_mut(),
        _ => Some(&mut found),
    };
    let rules = rules(name);
    if let Some(part) = part.filter(|_| !rules.is_empty()) {
        part.insert("allOf".into(), rules.into());
    }
    let mut document = json!({
        "$schema": found.remove("$schema"),
        "$id": format!("urn:cladist:schema:{name}"),
        "title": title,
        "description": "Fields are added without a new number; a change of meaning gets one.",
    });
    found["properties"]["schema"] = json!({ "const": format!("cladist/{name}") });
    if let Some(document) = document.as_object_mut() {
        document.extend(found.into_iter().filter(|(key, _)| !document.contains_key(key)).collect::<Vec<_>>());
        document.insert("$defs".into(), definitions);
    }
    (name, document)
}

/// Requires the fields that only documents of one kind of traces have.
fn require_fields(part: Option<&mut Map<String, Json>>, optional: &[&str]) {
    let Some(part) = part else { return };
    let Some(fields) = part.get_mut("properties").and_then(Json::as_object_mut) else { return };
    fields.retain(|_, field| field["not"] != json!({}));
    let names = fields.keys().filter(|name| !optional.contains(&name.as_str()));
    let names: Vec<Json> = names.map(|name| name.as_str().into()).collect();
    part.insert("required".into(), names.into());
}

/// The constraints between fields of a document.
fn rules(name: &str) -> Vec<Json> {
    let when = |field: &str, word: &str, then: Json| json!({ "if": { "properties": { field: { "const": word } } }, "then": { "properties": then } });
    let [text, number, object, none] =
        ["string", "integer", "object", "null"].map(|name| json!({ "type": name }));
    match name {
        "batch-1" => {
            let known =
                json!({ "verdict": text, "bound": number, "classes": { "type": "array" }, "error": none });
            let mut rule = when("state", "done", known);
            rule["else"] = json!({ "properties": { "verdict": none, "classes": none, "seconds": none } });
            vec![rule]
        }
        "check-1" => vec![when("verdict", "undecided", json!({ "reason": text })), {
            let mut rule = when("verdict", "violated", json!({ "counterexample": object }));
            rule["if"]["properties"]["kind"] = json!({ "not": { "const": "ctl" } });
            rule
        }],
        "classify-1" => vec![
            when("verdict", "partial", json!({ "reason": text })),
            when(
                "verdict",
                "undecided",
                json!({ "reason": text, "depth": number, "classes": { "maxItems": 0 } }),
            ),
            when("verdict", "too_weak", json!({ "too_weak": object })),
            when("verdict", "holds", json!({ "classes": { "maxItems": 0 } })),
            when("verdict", "remainder", json!({ "mode": { "const": "cover" }, "remainder": object })),
        ],
        "exchange-1" => {
            let of_script = ["script", "logic", "answer"];
            let mut script =
                when("kind", "script", json!({ "answer": { "const": "unsat" }, "reason": false }));
            script["then"]["required"] = json!(of_script);
            script["else"] = json!({ "properties": { "script": false, "logic": false, "answer": false } });
            let mut open = when("kind", "open", json!({}));
            open["then"]["required"] = json!(["reason"]);
            open["else"] = json!({ "properties": { "reason": false } });
            vec![script, open]
        }
        "job-1" => vec![
            when("outcome", "done", json!({ "exit_code": number, "error": none, "result": object })),
            when("outcome", "failed", json!({ "error": text, "result": none })),
        ],
        _ => Vec::new(),
    }
}

/// Writes a schema in the forms that readers of documents expect.
fn simplify(schema: &mut Schema) {
    transform_subschemas(&mut simplify, schema);
    schema.remove("format");
    schema.remove("default");
    if let Some(text) = schema.remove("description") {
        let lines = text.as_str().unwrap_or_default().split('\n');
        let text = lines.map(str::trim).collect::<Vec<_>>().join(" ");
        schema.ensure_object().shift_insert(0, "description".into(), text.into());
    }
    words(schema);
    let Some(object) = schema.as_object_mut() else { return };
    if [json!("number"), json!(["number", "null"])].iter().any(|number| object.get("type") == Some(number)) {
        object.insert("minimum".into(), 0.into());
    }
    if object.get("additionalProperties") == Some(&Json::Bool(true))
        && object.get("type") == Some(&json!("object"))
    {
        object.retain(|key, _| key == "description");
        object.insert("$ref".into(), "#/$defs/Values".into());
    }
    let required = object.get("required").and_then(Json::as_array).cloned().unwrap_or_default();
    let Some(fields) = object.get_mut("properties").and_then(Json::as_object_mut) else { return };
    // An alternative with one field has its docstring itself.
    let is_alternative = fields.len() == 1;
    for (name, field) in fields.iter_mut() {
        let is_documented = is_alternative
            || name == "schema"
            || ["description", "const"].iter().any(|key| field.get(key).is_some());
        assert!(is_documented, "the field `{name}` has no docstring");
        if !required.iter().any(|other| other == name) {
            without_null(field);
        }
    }
    match object.get_mut("oneOf").and_then(Json::as_array_mut) {
        None => object.insert("additionalProperties".into(), false.into()),
        Some(variants) => {
            let variants = variants.iter_mut().filter_map(Json::as_object_mut);
            variants.for_each(|variant| _ = variant.remove("additionalProperties"));
            object.insert("unevaluatedProperties".into(), false.into())
        }
    };
}

/// Makes an enumeration of alternative words, with their descriptions.
fn words(schema: &mut Schema) {
    let Some(variants) = schema.get("oneOf").and_then(Json::as_array) else { return };
    let mut found = Vec::new();
    let mut text = schema.get("description").and_then(Json::as_str).unwrap_or_default().to_owned();
    for variant in variants {
        match (variant.get("const"), variant.get("enum").and_then(Json::as_array)) {
            (Some(word), _) => {
                found.push(word.clone());
                let word = word.as_str().unwrap_or_default();
                let description = variant.get("description").and_then(Json::as_str).unwrap_or_default();
                text.push_str(&format!("\n`{word}`: {description}"));
            }
            (None, Some(words)) => found.extend(words.iter().cloned()),
            (None, None) => return,
        }
    }
    schema.remove("oneOf");
    schema.remove("description");
    schema.ensure_object().shift_insert(0, "description".into(), text.trim_start().into());
    schema.insert("type".into(), "string".into());
    schema.insert("enum".into(), found.into());
}

/// Removes `null` from a field that is missing instead.
fn without_null(field: &mut Json) {
    if let Some(Json::Array(types)) = field.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = &types[..] {
            field["type"] = only.clone();
        }
    }
    let Some(Json::Array(variants)) = field.get_mut("anyOf") else { return };
    variants.retain(|variant| variant["type"] != "null");
    if let ([only], Some(field)) = (&variants.clone()[..], field.as_object_mut()) {
        field.remove("anyOf");
        field.extend(only.as_object().cloned().unwrap_or_default());
    }
}
