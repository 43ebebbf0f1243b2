//! Other tools beside Cladist, on the same questions: one table of processor seconds and their ratios.
//!
//! `cargo bench --bench peers`. Tools that are not installed are left out: `spin` with a C compiler, `berkeley-abc` or `abc`, `z3`, `cvc5`, `kissat`,
//! `NuSMV`. Each program runs three times, the least time counts; time for starting is part of it. A minute is the limit. `-- --test` only runs Cladist
//! once on each question.

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use std::fmt::Write as _;
use std::fs::{File, write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const RUNS: usize = 3;

/// Latches of the ring whose safety is to be proved.
const NODES: usize = 64;

/// A question with the program that is measured for each tool.
struct Question {
    name: &'static str,
    cladist: Vec<String>,
    peers: Vec<Peer>,
}

/// Another tool.
struct Peer {
    name: &'static str,
    command: Vec<String>,
}

fn main() {
    let folder = std::env::temp_dir().join(format!("cladist-peers-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for inputs");
    if std::env::args().any(|argument| argument == "--test") {
        for Question { name, cladist, .. } in questions(&folder) {
            let status = Command::new(&cladist[0]).args(&cladist[1..]).stdout(Stdio::null()).status();
            let code = status.expect("it starts").code();
            assert!(matches!(code, Some(0 | 10)), "{name}: {code:?}");
        }
        std::fs::remove_dir_all(&folder).expect("the folder is ours");
        return;
    }
    println!("{:34} {:>9}  {:12} {:>9}  {:>7}", "question", "cladist", "peer", "its time", "ratio");
    for Question { name, cladist, peers } in questions(&folder) {
        let own = seconds(&cladist, &folder);
        for Peer { name: peer, command } in peers.into_iter().filter(|peer| is_installed(&peer.command[0])) {
            let other = seconds(&command, &folder);
            let ratio = own.zip(other).map_or("–".to_owned(), |(own, other)| format!("{:.2}", own / other));
            println!("{name:34} {:>9}  {peer:12} {:>9}  {ratio:>7}", text(own), text(other));
        }
    }
    std::fs::remove_dir_all(&folder).expect("the folder is ours");
}

fn questions(folder: &Path) -> Vec<Question> {
    let cladist = |rest: &[&str]| words(&[&[env!("CARGO_BIN_EXE_cladist")], rest].concat());
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let spec = |name: &str| root.join(name).to_string_lossy().into_owned();
    let file = |name: &str, text: &str| {
        let path = folder.join(name);
        write(&path, text).expect("writable");
        path.to_string_lossy().into_owned()
    };
    let peer = |name, command: &[&str]| Peer { name, command: words(command) };

    let promela = file("counters.pml", &promela());
    prepare_spin(folder);
    let ring = file("ring.aag", &ring());
    let abc = if is_installed("abc") { "abc" } else { "berkeley-abc" };
    let pdr = format!("read {ring}; fold; pdr");
    let smv = file("counters.smv", &smv());
    let (accounts, election) = (spec("benches/models/accounts.sts"), spec("specs/ring_election.sts"));
    let sums = ["-k", "10", "--set", "N=1000000"];
    let script =
        exported(&cladist(&[&["export", "smt2", &accounts], &sums[..]].concat()), folder, "sums.smt2");
    let clauses = exported(&cladist(&["export", "dimacs", &election, "-k", "10"]), folder, "election.cnf");
    let pan = folder.join("pan").to_string_lossy().into_owned();
    vec![
        Question {
            name: "a million states, listed",
            cladist: cladist(&["check", &promela, "--unbounded", "--proof", "explicit"]),
            peers: vec![peer("spin", &[&pan, "-m2000000"])],
        },
        Question {
            name: "a ring of 64 latches, proved",
            cladist: cladist(&["check", &ring, "--unbounded"]),
            peers: vec![peer("abc", &[abc, "-q", &pdr])],
        },
        Question {
            name: "three million states, violated",
            cladist: cladist(&["check", &smv, "--unbounded"]),
            peers: vec![peer("NuSMV", &["NuSMV", &smv])],
        },
        Question {
            name: "sums of large integers, bounded",
            cladist: cladist(&[&["check", &accounts], &sums[..]].concat()),
            peers: vec![peer("z3", &["z3", &script]), peer("cvc5", &["cvc5", &script])],
        },
        Question {
            name: "an election, bounded",
            cladist: cladist(&["check", &election, "-k", "10"]),
            peers: vec![peer("kissat", &["kissat", "-q", &clauses])],
        },
    ]
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

/// Returns the file with the output of a program.
fn exported(command: &[String], folder: &Path, name: &str) -> String {
    let path = folder.join(name);
    let output = File::create(&path).expect("writable");
    let status = Command::new(&command[0]).args(&command[1..]).stdout(output).status().expect("it starts");
    assert!(status.success(), "{command:?}");
    path.to_string_lossy().into_owned()
}

/// Compiles the verifier of `promela`, if that is possible.
fn prepare_spin(folder: &Path) {
    let run = |program: &str, arguments: &[&str]| {
        let quiet = Command::new(program).args(arguments).current_dir(folder).stdout(Stdio::null()).status();
        quiet.is_ok_and(|status| status.success())
    };
    let _ = is_installed("spin")
        && run("spin", &["-a", "counters.pml"])
        && run("cc", &["-O2", "-DSAFETY", "-DMEMLIM=4096", "-w", "-o", "pan", "pan.c"]);
}

/// Six counters that go round from 0 to 9.
fn promela() -> String {
    let option = |one| format!("  :: at[{one}] = (at[{one}] == 9 -> 0 : at[{one}] + 1)\n");
    let options: String = (0..6).map(option).collect();
    format!("byte at[6];\nactive proctype counters() {{\n  do\n{options}  od\n}}\n")
}

/// A token that goes round, if it is asked to; two neighbours never have it.
fn ring() -> String {
    let latch = |node: usize| 2 * (node % NODES + 2);
    let gate = |number: usize| 2 * (NODES + 2 + number);
    let (mut latches, mut gates, mut count) = (String::new(), String::new(), 0);
    let mut and = |a: usize, b: usize| {
        let _ = writeln!(gates, "{} {a} {b}", gate(count));
        count += 1;
        gate(count - 1)
    };
    for node in 0..NODES {
        let moved = and(2, latch(node + NODES - 1));
        let kept = and(3, latch(node));
        let next = and(moved ^ 1, kept ^ 1) ^ 1;
        let _ = writeln!(latches, "{} {next} {}", latch(node), usize::from(node == 0));
    }
    let mut bad = 0;
    for node in 0..NODES {
        let both = and(latch(node), latch(node + 1));
        bad = and(bad ^ 1, both ^ 1) ^ 1;
    }
    format!("aag {} 1 {NODES} 1 {count}\n2\n{latches}{bad}\n{gates}", NODES + 1 + count)
}

/// Six counters from 0 to 11, one of which steps; not all of them are in the middle.
fn smv() -> String {
    let mut text = "MODULE main\nIVAR who : 0..5;\nVAR\n".to_owned();
    (0..6).for_each(|c| _ = writeln!(text, "  c{c} : 0..11;"));
    text.push_str("ASSIGN\n");
    for c in 0..6 {
        let next = format!("who = {c} & c{c} < 11 : c{c} + 1; TRUE : c{c};");
        let _ = writeln!(text, "  init(c{c}) := 0; next(c{c}) := case {next} esac;");
    }
    let all: Vec<String> = (0..6).map(|c| format!("c{c} = 5")).collect();
    let _ = writeln!(text, "INVARSPEC !({})", all.join(" & "));
    text
}

fn is_installed(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    Path::new(program).is_file()
        || std::env::split_paths(&path).any(|folder: PathBuf| folder.join(program).is_file())
}

/// Returns the least processor time of a program; `None` if it does not end in a minute.
fn seconds(command: &[String], folder: &Path) -> Option<f64> {
    let used = || {
        let usage = getrusage(UsageWho::RUSAGE_CHILDREN).expect("the system reports it");
        (usage.user_time() + usage.system_time()).num_microseconds() as f64 / 1e6
    };
    let mut least: Option<f64> = None;
    for _ in 0..RUNS {
        let before = used();
        let mut limited = Command::new("timeout");
        limited.arg("60").args(command).current_dir(folder).stdout(Stdio::null()).stderr(Stdio::null());
        let status = limited.status().expect("`timeout` starts");
        if status.code() == Some(124) {
            return None;
        }
        let took = used() - before;
        least = Some(least.map_or(took, |least| least.min(took)));
    }
    least
}

fn text(seconds: Option<f64>) -> String {
    seconds.map_or("> 60 s".to_owned(), |seconds| format!("{seconds:.3} s"))
}
