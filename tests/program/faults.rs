//! The program under bad conditions: limits that an engine cannot keep, full and blocked outputs, input that is not
//! a file, control characters.
#![cfg(target_os = "linux")]

use crate::plans::{assert_valid, json};
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

fn cladist(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cladist"));
    command.args(args).current_dir(env!("CARGO_MANIFEST_DIR"));
    for variable in ["CLADIST_SOLVER", "CLADIST_TIMEOUT", "CLADIST_MEMORY", "CLADIST_THREADS"] {
        command.env_remove(variable);
    }
    command
}

/// Waits for the end of a process, but not for ever. Its standard input and output stay open until then.
fn end_of(mut child: Child) -> (i32, Child) {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("it can be waited for") {
            return (status.code().expect("an exit code"), child);
        }
        assert!(start.elapsed() < Duration::from_secs(120), "it does not end");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn text(stream: Option<impl Read>) -> String {
    let mut text = String::new();
    stream.expect("a pipe").read_to_string(&mut text).expect("UTF-8");
    text
}

/// A process whose standard input stays open.
fn start(args: &[&str]) -> Child {
    let mut command = cladist(args);
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("runs")
}

#[test]
fn a_read_that_hangs_ends_with_the_time_limit() {
    let mut child = start(&["lts", "info", "-", "--timeout", "300ms", "--json"]);
    let stdin = child.stdin.take();
    let (code, mut child) = end_of(child);
    drop(stdin);
    assert_eq!(code, 5);
    let document = json(text(child.stdout.take()).as_bytes());
    assert_valid("lts-undecided-1", &document);
    assert!(document["reason"].as_str().expect("a reason").contains("time"), "{document}");
    assert!(text(child.stderr.take()).contains("time"));
}

#[test]
fn two_interrupts_end_a_read_that_hangs() {
    let mut child = start(&["lts", "info", "-", "--json"]);
    let stdin = child.stdin.take();
    let pid = child.id().to_string();
    std::thread::sleep(Duration::from_millis(1500));
    for _ in 0..2 {
        // The first one may have ended it.
        let _ = Command::new("kill").args(["-INT", &pid]).stderr(Stdio::null()).status();
        std::thread::sleep(Duration::from_millis(300));
    }
    let (code, _) = end_of(child);
    drop(stdin);
    assert_eq!(code, 130);
}

/// A model with this many invariants that its initial state violates.
fn violated(folder: &Path, properties: usize) -> String {
    let invariants: String = (0..properties).map(|n| format!("invariant p{n}: x > 0;\n")).collect();
    let model =
        format!("model m;\nvar x : 0..1;\ninit {{ x = 0; }}\naction step {{ x' = 1; }}\n{invariants}");
    let path = folder.join("m.sts");
    std::fs::write(&path, model).expect("written");
    path.to_str().expect("UTF-8").to_owned()
}

#[test]
fn no_verdict_survives_a_reader_that_hangs() {
    let folder = tempfile::tempdir().expect("a folder");
    let model = violated(folder.path(), 300);
    let (code, mut child) = end_of(start(&["check", &model, "-k", "0", "--timeout", "6s", "--json"]));
    let said = text(child.stderr.take());
    assert_eq!(code, 2, "{said}");
    assert!(said.contains("while the result was being written"), "{said}");
}

#[test]
fn no_verdict_survives_a_full_output() {
    let full = || File::options().write(true).open("/dev/full").expect("a device");
    let run = |args: &[&str]| cladist(args).stdout(full()).output().expect("runs");
    let folder = tempfile::tempdir().expect("a folder");
    let model = violated(folder.path(), 1);
    for args in [
        &["check", &model, "-k", "0"][..],
        &["check", &model, "-k", "0", "--json"],
        &["classify", "specs/mutex.sts", "-k", "7"],
        &["classify", "specs/mutex.sts", "--timeout", "1ms"],
        &["check", &model],
        &["check", &model, "-k", "0", "--exit-zero"],
        &["--help"],
        &["completions", "bash"],
    ] {
        let output = run(args);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{args:?} {said}");
        assert!(said.contains("cannot write to standard output: No space left"), "{said}");
    }
    // Files are written all the same.
    let out = folder.path().join("out");
    let output = run(&["check", &model, "-k", "0", "--out", out.to_str().expect("UTF-8")]);
    assert_eq!(output.status.code(), Some(2));
    assert!(out.join("check.json").exists());
}

#[test]
fn plans_are_regular_files_of_a_moderate_size() {
    let folder = tempfile::tempdir().expect("a folder");
    let fifo = folder.path().join("fifo");
    assert!(Command::new("mkfifo").arg(&fifo).status().expect("mkfifo runs").success());
    let large = folder.path().join("large.toml");
    File::create(&large).expect("created").set_len(1 << 40).expect("a sparse file");
    let path = |path: &Path| path.to_str().expect("UTF-8").to_owned();
    for (plan, why) in [
        ("/dev/zero".to_owned(), "regular file"),
        (path(&fifo), "regular file"),
        (path(folder.path()), "directory"),
        (path(&large), "larger than"),
    ] {
        let output = cladist(&["batch", &plan]).output().expect("runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(why), "{said}");
    }
}

#[test]
fn control_characters_are_never_printed() {
    let folder = tempfile::tempdir().expect("a folder");
    let plan = folder.path().join("plan\u{1b}[2J.toml");
    std::fs::write(&plan, "[[classify]]\nmodels = [\"\\u001b]0;x\\u0007\"]\nbounds = [1]\n")
        .expect("written");
    let model = folder.path().join("m\u{1b}[31m\u{9b}.sts");
    std::fs::copy(violated(folder.path(), 1), &model).expect("copied");
    let [plan, model] = [&plan, &model].map(|path| path.to_str().expect("UTF-8"));
    let bad = "\u{1b}[2J\r\u{7f}";
    for args in [
        &["batch", plan][..],
        &["batch", plan, "--json"],
        &["check", model, "-k", "0"],
        &["check", model, "-k", "0", "--json"],
        &["check", model, "-p", bad],
        &["check", model, "--set", bad],
        &["check", model, "--set", &format!("{bad}=1"), "--json"],
        &[bad],
        &["check", bad],
        &["classify", model, &format!("--{bad}")],
        &["--color", bad],
    ] {
        let Output { stdout, stderr, .. } = cladist(args).output().expect("runs");
        assert!(stdout.len() + stderr.len() > 0, "{args:?}");
        for stream in [stdout, stderr] {
            let text = String::from_utf8(stream).expect("UTF-8");
            let raw = text.chars().find(|&c| c.is_control() && c != '\n' && c != '\t');
            assert_eq!(raw, None, "{args:?}: {text:?}");
        }
    }
}
