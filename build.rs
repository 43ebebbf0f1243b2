//! Names the commit that an optimised build is made from, for `cladist --version`: in `CLADIST_COMMIT`, which is unset where that is unknown.
//! Development builds do not look, so that a commit alone compiles nothing anew.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let optimised = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    if let Some(commit) = optimised.then(|| of_package().or_else(of_checkout)).flatten() {
        println!("cargo::rustc-env=CLADIST_COMMIT={commit}");
    }
}

/// The commit that Cargo notes in a package.
fn of_package() -> Option<String> {
    let notes = fs::read_to_string(".cargo_vcs_info.json").ok()?;
    let (_, after) = notes.split_once("\"sha1\": \"")?;
    let dirty = if notes.contains("\"dirty\": true") { "-dirty" } else { "" };
    Some(format!("{}{dirty}", after.get(..12)?))
}

/// The commit of a checkout; `-dirty` if files differ from it. Without Git there is none, nor in sources within another checkout.
fn of_checkout() -> Option<String> {
    if !Path::new(".git").exists() {
        return None;
    }
    let watched =
        ["HEAD", "logs/HEAD"].into_iter().filter_map(|file| git(&["rev-parse", "--git-path", file]));
    for file in watched.chain(["src".to_owned()]).filter(|file| Path::new(file).exists()) {
        println!("cargo::rerun-if-changed={file}");
    }
    git(&["describe", "--always", "--exclude=*", "--abbrev=12", "--dirty"])
}

/// What a command of Git prints; `None` if it fails.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    (output.status.success() && !text.trim().is_empty()).then(|| text.trim().to_owned())
}
