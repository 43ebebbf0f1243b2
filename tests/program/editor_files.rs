//! The extension for Visual Studio Code: what its manifest names is there, and its script can be read, where there is Node.

use serde_json::Value as Json;
use std::path::Path;
use std::process::{Command, Stdio};

#[test]
fn the_extension_is_complete() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("editors/vscode");
    let text = std::fs::read_to_string(folder.join("package.json")).expect("readable");
    let manifest: Json = serde_json::from_str(&text).expect("JSON");
    let contributed = &manifest["contributes"];
    let grammars = contributed["grammars"].as_array().expect("a list").iter().map(|grammar| &grammar["path"]);
    let languages = contributed["languages"].as_array().expect("a list").iter();
    let named = languages.map(|language| &language["configuration"]).chain(grammars);
    for path in named.map(|path| path.as_str().expect("a path")) {
        let text =
            std::fs::read_to_string(folder.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
        let is_data = Path::new(path).extension().is_some_and(|ending| ending == "json");
        assert!(!is_data || serde_json::from_str::<Json>(&text).is_ok(), "{path}");
    }
    // The task that it makes is one that it declares.
    let script = std::fs::read_to_string(folder.join("extension.js")).expect("readable");
    let task = contributed["taskDefinitions"][0]["type"].as_str().expect("a type");
    assert!(script.contains(&format!("type: \"{task}\"")));
    for command in contributed["commands"].as_array().expect("a list") {
        let registered = format!("registerCommand({},", command["command"]);
        assert!(script.contains(&registered), "{registered}");
    }
    let bundle = manifest["scripts"]["bundle"].as_str().expect("a command");
    let outfile =
        format!("--outfile={}", manifest["main"].as_str().expect("a path").trim_start_matches("./"));
    assert!(bundle.starts_with("esbuild extension.js ") && bundle.ends_with(&outfile), "{bundle}");
    if Command::new("node").arg("--version").stdout(Stdio::null()).status().is_err() {
        return eprintln!("skipped: there is no Node");
    }
    let checked = Command::new("node").arg("--check").arg(folder.join("extension.js")).status();
    assert!(checked.expect("it runs").success());
}
