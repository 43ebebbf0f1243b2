//! `ctl` on large systems keeps within `--timeout` and `--memory` in every phase.
#![cfg(target_os = "linux")]

use std::fmt::Write;
use std::io::{Read, Seek};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A strongly connected system: on a ring with chords, some of which have another label.
fn system(folder: &TempDir, states: usize) -> PathBuf {
    let mut text = format!("des (0, {}, {states})\n", 2 * states);
    for from in 0..states {
        let label = if from % 1000 == 999 { "GOAL" } else { "STEP" };
        let _ = writeln!(text, "({from}, \"{label}\", {})", (from + 1) % states);
        let _ = writeln!(text, "({from}, \"CHORD\", {})", (from * 7 + 3) % states);
    }
    let path = folder.path().join("system.aut");
    std::fs::write(&path, text).expect("written");
    path
}

/// What a run gave, how long it took, and the most memory it used, in bytes.
struct Run {
    output: Output,
    time: Duration,
    memory: u64,
}

fn run(file: &Path, formula: &str, args: &[&str]) -> Run {
    let started = Instant::now();
    let mut command = Command::new(env!("CARGO_BIN_EXE_cladist"));
    command.arg("ctl").arg(file).arg(formula).args(args);
    // Nobody reads while it runs, so it writes to a file.
    let mut stdout = tempfile::tempfile().expect("a file");
    command.stdout(stdout.try_clone().expect("a file")).stderr(Stdio::piped());
    let mut child = command.spawn().expect("runs");
    let status = format!("/proc/{}/status", child.id());
    let mut memory = 0;
    while child.try_wait().expect("waits").is_none() {
        memory = memory.max(peak(&status).unwrap_or(0));
        std::thread::sleep(Duration::from_millis(5));
    }
    let time = started.elapsed();
    let mut output = child.wait_with_output().expect("ends");
    stdout.rewind().expect("a file");
    stdout.read_to_end(&mut output.stdout).expect("a file");
    Run { output, time, memory }
}

/// `VmHWM:     12345 kB`
fn peak(status: &str) -> Option<u64> {
    let text = std::fs::read_to_string(status).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

/// Formulas whose search for something to show does not end in time by itself, with their options.
const HARD: &[(&str, &[&str])] = &[
    ("AG AF deadlock", &["--subgraph"]),
    ("EG not deadlock", &["--subgraph"]),
    ("AG not (EX enabled(\"GOAL\") and EX EX EX enabled(\"GOAL\") and EX EX deadlock)", &[]),
    ("AG (matches(\"GOAL\") => AX (AF deadlock or not EF AG matches(\"STEP\")))", &[]),
    ("EF (EX EX EX EX EX EX EX EX enabled(\"GOAL\") and EG not enabled(\"GOAL\"))", &["--path"]),
];

#[test]
fn time_ends_every_phase() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = system(&folder, 30_000);
    for (formula, options) in HARD {
        let run = run(&file, formula, &[options, &["--timeout", "2s"][..]].concat());
        assert!(matches!(run.output.status.code(), Some(0 | 5 | 10)), "{formula}: {:?}", run.output);
        // Twice what is asked for, and some more for a busy machine: it was without end before.
        assert!(run.time < Duration::from_secs(12), "{formula}: {:?}", run.time);
    }
}

#[test]
fn memory_ends_every_phase() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = system(&folder, 200_000);
    for (formula, options) in HARD {
        let run = run(&file, formula, &[options, &["--memory", "150M", "--timeout", "8s"][..]].concat());
        assert!(matches!(run.output.status.code(), Some(0 | 5 | 10)), "{formula}: {:?}", run.output);
        let most = (150 + 64) << 20;
        assert!(run.memory < most, "{formula}: {} MB", run.memory >> 20);
    }
}

#[test]
fn a_long_lasso_is_found_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let states = 5000;
    let mut text = format!("des (0, {states}, {states})\n");
    for from in 0..states {
        let _ = writeln!(text, "({from}, \"STEP\", {})", (from + 1) % states);
    }
    let path = folder.path().join("ring.aut");
    std::fs::write(&path, text).expect("written");
    for (formula, code) in [
        ("AF deadlock", 10),
        ("AG AF deadlock", 10),
        ("EG enabled(\"STEP\")", 0),
        ("EG{enabled(\"STEP\")} true", 0),
    ] {
        let run = run(&path, formula, &["--json"]);
        assert_eq!(run.output.status.code(), Some(code), "{formula}");
        let document: serde_json::Value = serde_json::from_slice(&run.output.stdout).expect("JSON");
        assert_eq!(document["kind"], "lasso", "{formula}");
        assert_eq!((&document["length"], &document["minimal"]), (&5000.into(), &true.into()), "{formula}");
    }
}
