//! `--out`: a folder has all files of one result, whatever happens.
#![cfg(target_os = "linux")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

fn cladist(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cladist"));
    command.args(args).current_dir(env!("CARGO_MANIFEST_DIR")).stdin(Stdio::null());
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

/// The files below a folder, with their texts.
fn files(folder: &Path) -> BTreeMap<String, String> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry"));
    let named = entries.map(|entry| {
        let name = entry.file_name().into_string().expect("UTF-8");
        (name, fs::read_to_string(entry.path()).unwrap_or_default())
    });
    named.collect()
}

fn names(folder: &Path) -> Vec<String> {
    files(folder).into_keys().collect()
}

#[test]
fn a_full_disk_leaves_the_old_result() {
    let above = tempfile::tempdir().expect("a folder");
    let out = above.path().join("r");
    let path = out.to_str().expect("UTF-8");
    assert_eq!(
        cladist(&["check", "specs/mutex.sts", "-k", "7", "--out", path]).status().expect("runs").code(),
        Some(10)
    );
    let old = files(&out);
    assert!(old.contains_key("check.json"));
    // No file may grow beyond a few kilobytes.
    let mut limited = Command::new("sh");
    limited.args(["-c", "ulimit -f 8; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_cladist")]);
    limited.args(["classify", "specs/mutex.sts", "-k", "7", "--out", path]);
    let output = limited.current_dir(env!("CARGO_MANIFEST_DIR")).output().expect("runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("error: cannot write ") && said.contains("File too large"), "{said}");
    assert_eq!(files(&out), old);
    assert_eq!(names(above.path()), ["r"]);
}

#[test]
fn a_killed_program_leaves_the_files_of_one_result() {
    let above = tempfile::tempdir().expect("a folder");
    let out = above.path().join("r");
    let path = out.to_str().expect("UTF-8");
    let check = ["check", "specs/mutex.sts", "-k", "7", "--out", path];
    let classify = ["classify", "specs/mutex.sts", "-k", "7", "--out", path];
    let mut whole = Vec::new();
    for args in [&check[..], &classify] {
        assert_eq!(cladist(args).status().expect("runs").code(), Some(10), "{args:?}");
        whole.push(names(&out));
        // What an earlier result had and this one has not is gone.
        assert_ne!(out.join("check.json").exists(), out.join("causes.json").exists());
    }
    for round in 0..24_u64 {
        let args = if round % 2 == 0 { &check[..] } else { &classify };
        let mut child = cladist(args).spawn().expect("runs");
        std::thread::sleep(Duration::from_millis(20 * round));
        let _ = child.kill();
        let _ = child.wait();
        assert!(whole.contains(&names(&out)), "{:?}", names(&out));
    }
}

#[test]
fn files_of_the_user_stay_where_they_are() {
    let above = tempfile::tempdir().expect("a folder");
    let out = above.path().join("r");
    fs::create_dir(&out).expect("made");
    fs::write(out.join("notes.txt"), "mine").expect("written");
    let path = out.to_str().expect("UTF-8");
    for args in [["classify", "specs/mutex.sts", "--out", path], ["check", "specs/mutex.sts", "--out", path]]
    {
        cladist(&args).status().expect("runs");
        assert_eq!(files(&out)["notes.txt"], "mine");
        assert_eq!(out.join("check.json").exists(), args[0] == "check");
        assert_eq!(out.join("causes.json").exists(), args[0] == "classify");
        assert_eq!(out.join("kind-1.itf.json").exists(), args[0] == "classify");
        assert_eq!(names(above.path()), ["r"]);
    }
}
