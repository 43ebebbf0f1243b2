//! The program as a process: closed pipes, completions, manual pages.

use std::io::Read;
use std::process::{Command, Stdio};

fn cladist(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cladist"));
    command.args(args);
    command
}

#[test]
fn a_reader_that_goes_away_has_no_result() {
    let mut child = cladist(&["completions", "bash"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("runs");
    drop(child.stdout.take());
    let mut stderr = String::new();
    child.stderr.take().expect("piped").read_to_string(&mut stderr).expect("UTF-8");
    assert_eq!(child.wait().expect("ends").code(), Some(2));
    assert_eq!(stderr, "error: cannot write to standard output: its reader is gone\n");
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
    let pages = [
        "",
        "-init",
        "-check",
        "-classify",
        "-vocabulary",
        "-batch",
        "-trace",
        "-trace-show",
        "-trace-check",
        "-trace-sort",
        "-lts",
        "-lts-info",
        "-lts-check",
        "-lts-tag",
        "-lts-neighbours",
        "-lts-inevitable",
        "-lts-counterexample",
        "-lts-convert",
        "-lts-minimize",
        "-lts-compare",
        "-lts-generate",
        "-lts-bugs",
        "-proof",
        "-proof-check",
        "-export",
        "-export-aut",
        "-export-sts",
        "-export-smt2",
        "-export-dimacs",
        "-import",
        "-import-aiger",
        "-import-promela",
        "-import-quint",
        "-import-smv",
        "-import-tla",
        "-verify",
        "-lsp",
        "-diff",
        "-fmt",
        "-test",
        "-doc",
        "-completions",
        "-man",
        "-ctl",
    ];
    for page in pages {
        let text = std::fs::read_to_string(folder.path().join(format!("cladist{page}.1"))).expect("a page");
        assert!(text.contains(".SH NAME") && text.contains(".SH SYNOPSIS"), "{page}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), pages.len());
    let page = String::from_utf8(cladist(&["man"]).output().expect("runs").stdout).expect("UTF-8");
    for part in [".SH EXAMPLES\n.nf\n  cladist check", ".SH \"EXIT STATUS\"\n.nf\n    0  holds"] {
        assert!(page.contains(part), "{page}");
    }
}

#[test]
fn every_command_has_help_with_an_example() {
    for command in [
        &["check"][..],
        &["classify"],
        &["batch"],
        &["trace", "show"],
        &["trace", "check"],
        &["trace", "sort"],
        &["completions"],
        &["man"],
        &["ctl"],
        &["lts", "info"],
        &["lts", "check"],
        &["lts", "tag"],
        &["lts", "neighbours"],
        &["lts", "inevitable"],
        &["lts", "counterexample"],
        &["lts", "convert"],
        &["lts", "minimize"],
        &["lts", "compare"],
        &["lts", "generate"],
        &["lts", "bugs"],
        &["proof", "check"],
        &["export", "aut"],
        &["export", "smt2"],
        &["export", "dimacs"],
        &["import", "aiger"],
        &["import", "promela"],
        &["import", "quint"],
        &["import", "smv"],
        &["import", "tla"],
        &["verify"],
        &["diff"],
        &["test"],
        &["doc"],
        &["lsp"],
    ] {
        let output = cladist(command).arg("--help").output().expect("runs");
        assert!(output.status.success());
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        let name = command.join(" ");
        assert!(text.contains(&format!("Usage: cladist {name}")), "{text}");
        assert!(text.contains("Example") && text.contains(&format!("  cladist {name}")), "{text}");
    }
}

#[test]
fn colours_are_used_when_asked_for() {
    let args = ["classify", "specs/running_example.sts", "-k", "2"];
    for (color, environment, escapes) in
        [("always", "", true), ("never", "", false), ("auto", "", false), ("always", "1", true)]
    {
        let mut command = cladist(&args);
        command.current_dir(env!("CARGO_MANIFEST_DIR")).args(["--color", color]).env("NO_COLOR", environment);
        let output = command.output().expect("runs");
        assert_eq!(output.stdout.contains(&0x1b), escapes, "{color} {environment}");
    }
}

/// Sends a signal once the program has had time to install its handler; tries longer times where it had
/// not.
#[cfg(unix)]
#[test]
fn an_interrupt_ends_the_run_with_what_is_known() {
    let args = ["classify", "specs/tcp_handshake.sts", "--set", "ATTACKER=false", "-k", "2000", "--json"];
    for (signal, milliseconds) in
        [("-INT", 300), ("-TERM", 300), ("-INT", 1500), ("-TERM", 1500), ("-INT", 8000)]
    {
        let child = cladist(&args)
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("runs");
        std::thread::sleep(std::time::Duration::from_millis(milliseconds));
        let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().expect("kill runs");
        assert!(sent.success());
        let output = child.wait_with_output().expect("ends");
        if let Some(code) = output.status.code() {
            assert_eq!(code, 130);
            let document: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
            assert_eq!(document["verdict"], "undecided");
            assert_eq!(document["reason"], "interrupt");
            return;
        }
    }
    panic!("the program never caught the signal");
}

#[test]
fn files_are_complete() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().to_str().expect("UTF-8");
    let args = ["classify", "specs/ns_public_key.sts", "-V", "attacks", "-k", "6", "--out", path];
    let output = cladist(&args).current_dir(env!("CARGO_MANIFEST_DIR")).output().expect("runs");
    assert_eq!(output.status.code(), Some(10));
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect(name);
    let document: serde_json::Value = serde_json::from_str(&read("classes.json")).expect("JSON");
    let classes = document["classes"].as_array().expect("classes").len();
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 2 + 2 * classes);
    for number in 1..=classes {
        assert!(read(&format!("class-{number}.mmd")).starts_with("sequenceDiagram\n"));
        assert!(read(&format!("class-{number}.itf.json")).contains("\"#meta\""));
    }
    let page = read("report.html");
    assert!(page.contains("<svg") && page.contains(">Alice</text>") && page.contains("</html>"));
}

/// What a warning about a class that restates the property suggests can be typed, and gives other classes.
#[test]
fn the_suggested_command_finds_classes_that_do_not_restate_the_property() {
    let run = |args: &[&str]| -> serde_json::Value {
        let output = cladist(args).arg("--json").output().expect("runs");
        assert_eq!(output.status.code(), Some(10), "{args:?}");
        serde_json::from_slice(&output.stdout).expect("JSON")
    };
    let restating = |document: &serde_json::Value| -> Vec<bool> {
        let classes = document["classes"].as_array().expect("classes").iter();
        classes.map(|class| class["restates"].as_bool().expect("a truth value")).collect()
    };
    let first = run(&["classify", "specs/ns_symmetric.sts", "-V", "knowledge"]);
    assert_eq!(restating(&first), [true]);
    let warnings = first["warnings"].as_array().expect("warnings").iter();
    let command = warnings
        .filter_map(|warning| warning["help"].as_str()?.split_once(": cladist "))
        .map(|(_, command)| command.to_owned())
        .next()
        .expect("a command is suggested");
    assert!(command.contains("--hide keys.uses_known "), "{command}");
    let second = run(&command.split(' ').collect::<Vec<_>>());
    assert_eq!(restating(&second), [false]);
    assert_eq!(second["hide"], serde_json::json!(["keys.uses_known"]));
    assert_eq!(second["classes"][0]["facts"][0]["predicate"], "keys.falls_for");
}
