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
        assert!(script.contains("CLADIST_COMPLETE") && script.contains(shell), "{shell}");
    }
}

/// The completions of the last word of a command line.
fn completed(words: &[&str]) -> Vec<String> {
    let output = cladist(&["--", "cladist"])
        .args(words)
        .env("CLADIST_COMPLETE", "bash")
        .env("_CLAP_COMPLETE_INDEX", words.len().to_string())
        .output()
        .expect("runs");
    assert!(output.status.success() && output.stderr.is_empty(), "{words:?}");
    String::from_utf8(output.stdout).expect("UTF-8").lines().map(str::to_owned).collect()
}

#[test]
fn names_of_the_model_are_completed() {
    let model = "specs/ns_public_key.sts";
    assert_eq!(completed(&["classify", model, "-p", ""]), ["secrecy", "agreement"]);
    assert_eq!(completed(&["classify", model, "--property=a"]), ["--property=agreement"]);
    assert_eq!(completed(&["classify", model, "-V", "a"]), ["attacks", "auto"]);
    assert_eq!(completed(&["check", model, "--set", "LOWE"]), ["LOWE_FIX="]);
    assert_eq!(completed(&["lts", "bugs", "specs/mutex.sts", "--actions", "enter,c"]), ["enter,commit"]);
    assert_eq!(completed(&["classify", model, "--start-with", "msgs.repl"]), ["msgs.replay"]);
    let protocol = "specs/protocols/needham-schroeder-public-key.spdl";
    assert_eq!(completed(&["check", protocol, "--claim", "A2,B"]), ["A2,B1", "A2,B2"]);
    assert_eq!(completed(&["check", "specs/mute"]), ["specs/mutex.sts"]);
}

#[test]
fn nothing_is_completed_from_a_model_that_is_wrong_or_large() {
    let folder = tempfile::tempdir().expect("a folder");
    let (wrong, large) = (folder.path().join("wrong.sts"), folder.path().join("large.sts"));
    std::fs::write(&wrong, "model m\nvar x : \n").expect("written");
    let model = std::fs::read_to_string("specs/mutex.sts").expect("a model");
    std::fs::write(&large, model + &"-- a comment\n".repeat(1 << 17)).expect("written");
    for file in [&wrong, &large, &folder.path().join("missing.sts"), &folder.path().to_owned()] {
        assert_eq!(
            completed(&["classify", &file.to_string_lossy(), "-p", ""]),
            [""; 0],
            "{}",
            file.display()
        );
    }
}

/// The search never ends by itself: the line is drawn until the time does.
#[test]
fn progress_on_a_terminal_tells_activity_and_aim() {
    if !cfg!(target_os = "linux") {
        return;
    }
    let program = env!("CARGO_BIN_EXE_cladist");
    let search = format!("{program} classify specs/ns_sessions.sts -V answering -k 40 --timeout 4s");
    let run = |command: &str| {
        let output =
            Command::new("script").args(["-qec", command, "/dev/null"]).stdin(Stdio::null()).output();
        String::from_utf8(output.expect("script(1) is there").stdout).expect("UTF-8")
    };
    let shown = run(&search);
    assert!(shown.contains("\r\u{1b}[Ksearching step ") && shown.contains(" of 40 · "), "{shown}");
    assert!(shown.contains("· 0:0"), "{shown}");
    let redirected = run(&format!("{search} 2>&1 | cat"));
    assert!(redirected.contains("secrecy") && !redirected.contains("searching step"), "{redirected}");
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
        "-export-certificates",
        "-export-smt2",
        "-export-dimacs",
        "-import",
        "-import-aiger",
        "-import-btor2",
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
        &["import", "btor2"],
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
    let args = [
        "classify",
        "specs/tcp_handshake.sts",
        "-V",
        "generic",
        "--set",
        "ATTACKER=false",
        "-k",
        "2000",
        "--json",
    ];
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
