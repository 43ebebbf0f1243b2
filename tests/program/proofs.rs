//! The folder of `--proofs`: its manifest, and what the checker says when a file was changed.

use crate::plans::assert_valid;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn cladist(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cladist"));
    command.args(args).current_dir(env!("CARGO_MANIFEST_DIR"));
    for variable in ["CLADIST_SOLVER", "CLADIST_TIMEOUT", "CLADIST_MEMORY", "CLADIST_THREADS"] {
        command.env_remove(variable);
    }
    command.output().expect("it runs")
}

fn text(path: &Path) -> String {
    path.to_str().expect("a name").to_owned()
}

#[test]
fn the_manifest_lists_files_that_can_be_checked_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let proofs = folder.path().join("proofs");
    let model = "specs/running_example.sts";
    let output = cladist(&["classify", model, "-k", "4", "--verify", "--proofs", &text(&proofs)]);
    assert_eq!(output.status.code(), Some(10), "{output:?}");
    let manifest = fs::read_to_string(proofs.join("manifest.json")).expect("a manifest");
    let manifest: Value = serde_json::from_str(&manifest).expect("JSON");
    assert_valid("proofs-1", &manifest);
    let entries = manifest["proofs"].as_array().expect("a list");
    assert_eq!(entries.len(), 3);
    assert_eq!(fs::read_dir(&proofs).expect("a folder").count(), 7);
    for entry in entries {
        let checked_by = entry["checked_by"].as_array().expect("a list");
        assert_eq!(checked_by.len(), 2, "{checked_by:?}");
        for part in ["clauses", "proof"] {
            let file = entry[part]["file"].as_str().expect("a name");
            let bytes = fs::read(proofs.join(file)).expect("a file");
            assert_eq!(entry[part]["bytes"], bytes.len());
            let hash: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
            assert_eq!(entry[part]["sha256"], hash);
        }
        let [clauses, proof] =
            ["clauses", "proof"].map(|part| proofs.join(entry[part]["file"].as_str().expect("a name")));
        let check = || cladist(&["proof", "check", &text(&clauses), &text(&proof)]);
        let output = check();
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        assert!(output.stdout.starts_with(b"verified: "), "{output:?}");
        // Without its last step, it proves nothing.
        let whole = fs::read_to_string(&proof).expect("a proof");
        let (rest, _) = whole.trim_end().rsplit_once('\n').unwrap_or_default();
        fs::write(&proof, rest).expect("written");
        let output = check();
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        let said = String::from_utf8(output.stderr).expect("text");
        assert!(said.contains("the proof ends without the empty clause"), "{said}");
    }
}

#[test]
fn proofs_that_the_time_leaves_out_are_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let proofs = folder.path().join("proofs");
    let args =
        ["classify", "specs/ns_public_key.sts", "-V", "attacks", "-k", "60", "--timeout", "5s", "--json"];
    let output = cladist(&[&args[..], &["--proofs", &text(&proofs)]].concat());
    let result: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_valid("classify-1", &result);
    let files = fs::read_dir(&proofs).expect("a folder").count();
    let Some(proved) = result["proofs"]["proved"].as_u64() else {
        // The watchdog ended it, and left no part of a file behind.
        assert_eq!(files % 2, 0, "{files}");
        return;
    };
    let missing = result["proofs"]["missing"].as_array().expect("a list").len();
    let classes = result["classes"].as_array().expect("a list").len();
    let complete = usize::from(result["verdict"] == "complete");
    assert_eq!((proved as usize + missing, files), (classes + complete, 2 * proved as usize + 1), "{result}");
}
