//! The program as a process: closed pipes, completions, manual pages.

use std::io::Read;
use std::process::{Command, Stdio};

fn cladist(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cladist"));
    command.args(args);
    command
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let mut child = cladist(&["completions", "bash"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("runs");
    drop(child.stdout.take());
    let mut stderr = String::new();
    child.stderr.take().expect("piped").read_to_string(&mut stderr).expect("UTF-8");
    assert_eq!(child.wait().expect("ends").code(), Some(0));
    assert_eq!(stderr, "");
}

#[test]
fn every_shell_has_completions() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let output = cladist(&["completions", shell]).output().expect("runs");
        assert!(output.status.success(), "{shell}");
        let script = String::from_utf8(output.stdout).expect("UTF-8");
        assert!(script.contains("classify") && script.contains("start-with"), "{shell}");
    }
}

#[test]
fn every_command_has_a_manual_page() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().to_str().expect("UTF-8");
    assert!(cladist(&["man", "--out", path]).status().expect("runs").success());
    let pages = ["", "-check", "-classify", "-trace", "-trace-show", "-trace-check", "-completions", "-man"];
    for page in pages {
        let text = std::fs::read_to_string(folder.path().join(format!("cladist{page}.1"))).expect("a page");
        assert!(text.contains(".SH NAME") && text.contains(".SH SYNOPSIS"), "{page}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), pages.len());
    let page = cladist(&["man"]).output().expect("runs").stdout;
    assert!(String::from_utf8(page).expect("UTF-8").contains("Exit codes"));
}

#[test]
fn every_command_has_help_with_an_example() {
    for command in [
        &["check"][..],
        &["classify"],
        &["trace", "show"],
        &["trace", "check"],
        &["completions"],
        &["man"],
    ] {
        let output = cladist(command).arg("--help").output().expect("runs");
        assert!(output.status.success());
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        let name = command.join(" ");
        assert!(text.contains(&format!("Usage: cladist {name}")), "{text}");
        assert!(text.contains("Example") && text.contains(&format!("  cladist {name} ")), "{text}");
    }
}
