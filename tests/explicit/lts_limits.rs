//! Limits end every phase of the commands about explicit systems.

use crate::lts_common::{actions, automaton, state};
use cladist::budget::{Budget, Exhausted};
use cladist::lts::drawing::Drawing;
use cladist::lts::inevitable::{self, NeighbourhoodEntry};
use cladist::lts::property::Closure;
use cladist::lts::safety::{
    CounterexampleLts, Counts, Incorrect, Keep, SafetyAnalysis, neighbourhoods, shortest,
};
use cladist::lts::strategy::{
    Inevitable, SafetyProduct, Strategy, of_inevitable, of_safety, shortest_of_inevitable,
};
use cladist::lts::{LabelSequence, Lts, LtsBuilder, StateId, facts, quotient};
use std::fmt::Write as _;
use std::fs;
use std::io::{Read, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const STRATEGIES: [Strategy; 13] = [
    Strategy::Readable,
    Strategy::Random { seed: 1 },
    Strategy::Shortest,
    Strategy::Longest,
    Strategy::FaultyFirst,
    Strategy::FewestFaulty,
    Strategy::MostFaulty,
    Strategy::ShortestFewestFaulty,
    Strategy::MostProbable,
    Strategy::LeastProbable,
    Strategy::ClosestFaulty,
    Strategy::ClosestFewestFaulty,
    Strategy::Neighbourhood,
];

/// A ring that can be left everywhere for its middle, with `B` at the end and a way out beside it.
fn ring(length: u32) -> Lts {
    let mut builder = LtsBuilder::new();
    let (a, b, c) = (builder.labels.intern(b"A"), builder.labels.intern(b"B"), builder.labels.intern(b"C"));
    for number in 0..length {
        builder.add(state(number), a, state((number + 1) % length));
    }
    builder.add(state(length - 1), b, state(length));
    builder.add(state(length - 1), c, state(length + 1));
    builder.finish(StateId::FIRST, length + 2)
}

#[test]
fn every_analysis_ends_with_its_budget() {
    let (lts, spent, free) =
        (ring(100_000), Budget::unlimited().with_timeout(Duration::ZERO), Budget::unlimited());
    let ended = |what: &str, why: Option<Exhausted>| assert_eq!(why, Some(Exhausted::Time), "{what}");
    ended("facts", facts(&lts, &spent).err());
    ended("quotient", quotient(&lts, &spent).err());
    ended("backward", lts.backward_within(&spent).err());
    let automaton = automaton("[true* . B] false", &lts, Closure::Prefix);
    let analysis = SafetyAnalysis::new(&lts, &automaton, Incorrect::NoWayOut, &free).expect("no limit");
    assert!(!analysis.holds());
    assert!(SafetyAnalysis::new(&lts, &automaton, Incorrect::NoWayOut, &spent).is_err());
    ended("counts", Counts::new(&analysis, &spent).err());
    ended("shortest", shortest(&analysis, Keep::Neighbourhoods, &spent).err());
    ended("neighbourhoods", neighbourhoods(&analysis, 10, &spent).err());
    ended("counterexample LTS", CounterexampleLts::new(&analysis, &spent).err());
    ended("drawing", Drawing::of_safety(&analysis, &spent).err());
    for strategy in STRATEGIES {
        let violations = SafetyProduct { analysis: &analysis, keep: Keep::Neighbourhoods };
        let found = of_safety(&violations, strategy, &LabelSequence::none(), &spent);
        ended(&format!("{strategy:?}"), found.err());
    }
    let steps = actions("B", &lts);
    let entered = NeighbourhoodEntry::ByNeutralOnly;
    ended("inevitable", inevitable::InevitabilityAnalysis::new(&lts, &steps, &spent).err());
    let analysis = inevitable::InevitabilityAnalysis::new(&lts, &steps, &free).expect("no limit");
    ended("counts", inevitable::InevitabilitySizes::new(&analysis, entered, &spent).err());
    ended("neighbourhoods", inevitable::neighbourhoods(&analysis, entered, 10, &spent).err());
    ended("drawing", Drawing::of_inevitable(&analysis, entered, &spent).err());
    let found = shortest_of_inevitable(&analysis, entered, Keep::Neighbourhoods, &spent);
    ended("shortest", found.err());
    let violations = Inevitable::new(&analysis, entered, Keep::Neighbourhoods, &free).expect("no limit");
    for strategy in STRATEGIES {
        let found = of_inevitable(&violations, strategy, &LabelSequence::none(), &spent);
        ended(&format!("{strategy:?}"), found.err());
    }
}

#[test]
fn what_does_not_fit_is_not_allocated() {
    let lts = ring(100_000);
    // Whatever this process uses, there is no room for more.
    let full = Budget::unlimited().with_memory(1);
    assert_eq!(lts.backward_within(&full).err(), Some(Exhausted::Memory));
    assert_eq!(quotient(&lts, &full).err(), Some(Exhausted::Memory));
}

/// Writes a system with so many transitions.
fn large(path: &Path, transitions: u32) {
    let mut text = format!("des (0, {transitions}, {transitions})\n");
    for state in 0..transitions {
        let target = (u64::from(state) * 7919 + 1) % u64::from(transitions);
        let _ = writeln!(text, "({state}, \"A !{}\", {target})", state % 1000);
    }
    fs::write(path, text).expect("written");
}

fn cladist(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cladist"));
    command.args(args).current_dir(folder).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Waits for the end of a program, which must come soon; its exit code and what it said on standard error.
fn soon(mut command: Command) -> (Option<i32>, String) {
    let started = Instant::now();
    let mut child = command.spawn().expect("started");
    let status = loop {
        match child.try_wait().expect("a child") {
            Some(status) => break status,
            None if started.elapsed() > Duration::from_secs(60) => {
                child.kill().expect("killed");
                panic!("still running");
            }
            None => std::thread::sleep(Duration::from_millis(10)),
        }
    };
    let mut said = String::new();
    child.stderr.take().expect("piped").read_to_string(&mut said).expect("text");
    (status.code(), said)
}

#[test]
fn a_conversion_ends_in_time_and_leaves_no_file() {
    let folder = tempfile::tempdir().expect("a folder");
    large(&folder.path().join("x.aut"), 1_800_000);
    for out in ["y.aut", "y.aut.gz", "y.dot"] {
        for limit in [["--timeout", "100ms"], ["--timeout", "500ms"], ["--memory", "20M"]] {
            let mut args = vec!["lts", "convert", "x.aut", "-o", out];
            args.extend(limit);
            let (code, said) = soon(cladist(folder.path(), &args));
            let left = folder.path().join(out).exists();
            match code {
                Some(5) => assert!(!left && said.contains("limit reached while"), "{args:?}: {said}"),
                code => assert!(code == Some(0) && left, "{args:?}: {said}"),
            }
            let _ = fs::remove_file(folder.path().join(out));
            assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
        }
    }
}

#[cfg(unix)]
#[test]
fn a_signal_ends_a_conversion() {
    let folder = tempfile::tempdir().expect("a folder");
    large(&folder.path().join("x.aut"), 1_800_000);
    let mut child =
        cladist(folder.path(), &["lts", "convert", "x.aut", "-o", "y.aut.gz"]).spawn().expect("started");
    // Until something is written.
    while fs::read_dir(folder.path()).expect("a folder").count() < 2 {
        assert_eq!(child.try_wait().expect("a child"), None);
        std::thread::sleep(Duration::from_millis(5));
    }
    let sent = Command::new("kill").args(["-TERM", &child.id().to_string()]).status().expect("kill runs");
    assert!(sent.success());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
}

#[cfg(unix)]
#[test]
fn waiting_for_input_ends_in_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let made = Command::new("mkfifo").arg(folder.path().join("pipe.aut")).status().expect("mkfifo runs");
    assert!(made.success());
    let info = |file: &str| cladist(folder.path(), &["lts", "info", file, "--timeout", "300ms"]);
    let (code, said) = soon(info("pipe.aut"));
    assert_eq!(code, Some(5), "{said}");
    assert!(said.contains("while reading pipe.aut"), "{said}");
    // Somebody has standard input open, and has written the beginning.
    let (reader, mut writer) = std::io::pipe().expect("a pipe");
    writer.write_all(b"des (0, 1, 2)\n(0, A,").expect("written");
    let mut command = cladist(folder.path(), &["lts", "info", "-", "--timeout", "300ms"]);
    command.stdin(reader);
    assert_eq!(soon(command).0, Some(5));
    drop(writer);
}

#[cfg(unix)]
#[test]
fn pipes_and_devices_are_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let (reader, mut writer) = std::io::pipe().expect("a pipe");
    writer.write_all(b"des (0, 1, 2)\n(0, A, 1)\n").expect("written");
    drop(writer);
    let mut command = cladist(folder.path(), &["lts", "info", "-"]);
    command.stdin(reader);
    assert_eq!(soon(command).0, Some(0));
    std::os::unix::fs::symlink("/dev/zero", folder.path().join("zero.aut")).expect("linked");
    let (code, said) = soon(cladist(folder.path(), &["lts", "info", "zero.aut"]));
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("longer than 16 MiB") && said.len() < 1000, "{said}");
}
