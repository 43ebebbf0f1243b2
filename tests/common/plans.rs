//! Folders with models and a plan, and what is in the documents that come of it.

use serde_json::Value;
use std::path::Path;

/// A folder with the models of `specs/` and a plan `plan.toml`.
pub fn folder(plan: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for part in ["specs", "predicates"] {
        std::fs::create_dir(folder.path().join(part)).expect("created");
        for entry in std::fs::read_dir(root.join(part)).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_file() {
                let name = path.file_name().expect("a name");
                std::fs::copy(&path, folder.path().join(part).join(name)).expect("copied");
            }
        }
    }
    std::fs::write(folder.path().join("specs/plan.toml"), plan).expect("written");
    folder
}

/// A document.
pub fn json(bytes: &[u8]) -> Value {
    serde_json::from_slice(bytes).expect("one JSON document")
}

/// A document in a file.
pub fn read_json(path: &Path) -> Value {
    json(&std::fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display())))
}

/// Holds a document against its schema.
pub fn assert_valid(schema: &str, document: &Value) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("docs/schema/{schema}.json"));
    let validator = jsonschema::validator_for(&read_json(&path)).expect("a schema");
    let errors: Vec<String> =
        validator.iter_errors(document).map(|e| format!("{e} {}", e.instance_path())).collect();
    assert!(errors.is_empty(), "{errors:#?}");
}

/// The document without what depends on the machine.
pub fn timeless(mut document: Value) -> Value {
    fn walk(value: &mut Value) {
        match value {
            Value::Object(entries) => {
                for name in ["seconds", "cpu_seconds", "peak_memory_kb"] {
                    entries.remove(name);
                }
                entries.values_mut().for_each(walk);
            }
            Value::Array(items) => items.iter_mut().for_each(walk),
            _ => {}
        }
    }
    walk(&mut document);
    document
}
