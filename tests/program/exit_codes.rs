//! The table of exit codes in `docs/notes/exit-codes.md`: each row is what a command line returns that this test runs.
//!
//! `CLADIST_RECORD=1` writes the table.
#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// The page, and what surrounds the table in it.
const PAGE: &str = "docs/notes/exit-codes.md";
const HEAD: &str = "| command | situation | code |\n| --- | --- | --- |\n";

/// How a situation comes about.
enum Way {
    /// A script for `sh` in the root of the repository; `$T` is the folder of the fixtures.
    Script(&'static str),
    /// The arguments of a command that is interrupted once it has come so far that it returns this.
    Interrupted(&'static str, i32),
}
use Way::{Interrupted, Script};

/// Commands, what came of them, and how.
type Row = (&'static str, &'static str, Way);

const ROWS: &[Row] = &[
    // 0
    ("all", "help or version was asked for", Script("cladist --help && cladist check --help && cladist --version")),
    ("check", "types and names are right, and nothing else was asked", Script("cladist check specs/mutex.sts")),
    ("check", "no property is violated up to the bound", Script("cladist check specs/mutex.sts -p exclusion -k 4")),
    ("check", "proved for every length", Script("cladist check specs/token_ring.sts --unbounded")),
    ("classify", "no violation up to the bound", Script("cladist classify specs/mutex.sts -k 4")),
    ("classify", "violated, with `--exit-zero`", Script("cladist classify specs/mutex.sts -k 6 --exit-zero")),
    ("classify", "`--baseline`: all kinds are known", Script("cladist classify specs/mutex.sts -k 6 --baseline $T/result.json")),
    ("vocabulary", "all vocabularies were tried, whether the property is violated or not", Script("cladist vocabulary specs/increment_decrement.sts -k 3")),
    ("ctl", "the formula holds", Script("cladist ctl $T/coin.aut 'EF enabled(\"LOSE\")'")),
    ("lts check, tag, neighbours, inevitable, counterexample, bugs", "the property holds", Script("
        cladist lts check $T/coin.aut --formula '<true> true' && cladist lts tag $T/coin.aut --formula '[TOSS . TOSS] false' &&
        cladist lts neighbours $T/coin.aut --formula '[TOSS . TOSS] false' && cladist lts inevitable $T/coin.aut --actions TOSS &&
        cladist lts counterexample $T/coin.aut --actions TOSS && cladist lts bugs specs/mutex.sts -p exclusion --set FIXED=true")),
    ("lts compare", "the systems are equivalent", Script("cladist lts compare $T/coin.aut $T/coin.aut")),
    ("lts info, convert, minimize, generate", "done", Script("
        cladist lts info $T/coin.aut && cladist lts convert $T/coin.aut -o $T/x.aut && cladist lts minimize $T/coin.aut &&
        cladist lts generate specs/processes/alternating_bit.lnt")),
    ("trace show, trace check", "a trace that violates no invariant", Script("cladist trace show $T/fine.itf.json && cladist trace check $T/fine.itf.json $T/lamp.sts")),
    ("trace sort", "each trace violates nothing, or is in a class", Script("cladist trace sort $T/lamp.json $T/lamp.sts $T/fine.itf.json $T/lit.itf.json")),
    ("verify", "accepted", Script("cladist verify $T/lamp.json --solver 'echo unsat'")),
    ("diff", "the same classes and verdict", Script("cladist diff $T/result.json $T/result.json")),
    ("proof check", "the proof is one", Script("cladist proof check $T/proof.cnf $T/proof.lrat")),
    ("fmt", "laid out, or nothing to change", Script("cp specs/mutex.sts $T/laid.sts && cladist fmt $T/laid.sts && cladist fmt --check $T/laid.sts")),
    ("test", "every example is as it says", Script("cladist test specs/web_shop.sts predicates/channels.pred")),
    ("doc", "printed, or written", Script("cladist doc predicates/channels.pred && cladist doc specs/web_shop.sts -o $T/shop.html")),
    ("export, import", "written", Script("
        cladist export aut $T/lamp.sts -o $T/x.aut && cladist export smt2 $T/lamp.sts -k 2 -o $T/x.smt2 &&
        cladist export dimacs $T/lamp.sts -k 2 -o $T/x.cnf && cladist export sts specs/protocols/tmn.spdl -o $T/x.sts &&
        cladist export certificates specs/protocols/carlsen.spdl -o $T/x.json && cladist verify $T/x.json &&
        cladist import smv tests/models/smv/arbiter.smv -o $T/y.sts")),
    ("batch", "all jobs have a complete result, whatever their verdicts", Script("cladist batch $T/plan.toml --out $T/batch")),
    ("completions, man", "printed", Script("cladist completions bash && cladist man")),
    // 10
    ("check", "a property is violated, and all are decided", Script("cladist check specs/mutex.sts -p exclusion -k 6")),
    ("classify", "violated, and the classification is complete", Script("cladist classify specs/mutex.sts -k 6")),
    ("classify", "`--baseline`: a kind is new", Script("cladist classify $T/lamp.sts -V v --baseline $T/none.json")),
    ("ctl", "the formula does not hold", Script("cladist ctl $T/coin.aut 'AG deadlock'")),
    ("lts check, tag, neighbours", "the property is violated", Script("
        cladist lts check $T/coin.aut --formula '<LOSE> true'; a=$?; cladist lts tag $T/coin.aut --formula '[true* . LOSE] false'; b=$?
        cladist lts neighbours $T/coin.aut --formula '[true* . LOSE] false'; c=$?; [ $a = $b ] && exit $c")),
    ("lts inevitable, counterexample, bugs", "a run avoids the actions, or the property is violated", Script("
        cladist lts inevitable $T/coin.aut --actions WIN; a=$?; cladist lts counterexample $T/coin.aut --actions WIN; b=$?
        cladist lts bugs specs/mutex.sts -p exclusion; c=$?; [ $a = $b ] && exit $c")),
    ("lts compare", "the systems differ", Script("cladist lts compare $T/coin.aut $T/lamp.sts")),
    ("trace check", "a trace that violates an invariant", Script("cladist trace check $T/lit.itf.json $T/lamp.sts")),
    ("trace sort", "a trace is a violation of no class", Script("cladist trace sort $T/none.json $T/lamp.sts $T/lit.itf.json")),
    ("diff", "the results differ", Script("cladist diff $T/lamp.json $T/none.json")),
    ("fmt --check", "a file is laid out otherwise", Script("printf 'model m;var x:bool;' > $T/m.sts; cladist fmt --check $T/m.sts")),
    ("test", "an example is not as it says", Script("cladist test tests/cli/account_fails.sts")),
    // 11
    ("test", "an example is not as it says, and a limit was reached in another", Script("
        sed 's/^counterexample/counterexample of small within 1; &/' $T/factors.sts > $T/both.sts; cladist test $T/both.sts --timeout 5s")),
    ("check", "a property is violated, and another is undecided", Script("
        { cat $T/factors.sts; echo 'invariant two: b = 2; invariant prime: a * b != 2305843009213693951;'; } > $T/two.sts
        cladist check $T/two.sts -k 1 --timeout 4s")),
    ("classify", "a limit ended the search after a violation was found", Script("cladist classify specs/increment_decrement.sts --max-classes 1 -k 3")),
    ("vocabulary", "interrupted, or a limit was reached, after some of the vocabularies", Interrupted("vocabulary specs/tcp_handshake.sts -k 12", 11)),
    ("lts bugs", "a limit ended the search after a bug was found", Script("cladist lts bugs tests/cli/processes/endless.lnt --max-states 100 --formula '[STEP . STEP] false'")),
    ("batch", "some jobs have no complete result", Script("cladist batch $T/partial.toml --out $T/partial")),
    // 12
    ("classify", "violated, and the vocabulary is too weak", Script("cladist classify specs/increment_decrement.sts -V too_weak")),
    ("classify --cover", "a violation has nothing of the vocabulary", Script("cladist classify specs/mutex.sts -V steps -k 8 --cover")),
    // 13
    ("verify", "the result makes a wrong claim", Script("cladist verify $T/lamp.json --solver 'echo sat'")),
    // 5
    ("check, classify, vocabulary", "a limit was reached before a violation was found", Script("
        cladist check specs/mutex.sts -k 9 --timeout 1ms; a=$?; cladist classify specs/mutex.sts --timeout 1ms; b=$?
        cladist vocabulary specs/mutex.sts --timeout 1ms; c=$?; [ $a = $b ] && exit $c")),
    ("check, classify, ctl, lts, export", "the time or memory ended while the model was loaded", Script("
        cladist check $T/endless.sts --timeout 30ms; a=$?; cladist classify $T/endless.sts --timeout 30ms; b=$?
        cladist ctl $T/endless.sts 'AG n = 0' --timeout 30ms; c=$?; cladist lts info $T/endless.sts --timeout 30ms; d=$?
        cladist export smt2 $T/endless.sts --timeout 30ms; e=$?; [ $a$b$c$d = $e$e$e$e ] && exit $e")),
    ("check, classify, vocabulary", "the time ended while a protocol was loaded", Script("
        cladist check $T/long.spdl --timeout 50ms; a=$?; cladist classify $T/long.spdl --claim A1 --timeout 50ms; b=$?
        cladist vocabulary $T/long.spdl --claim A1 --timeout 50ms; c=$?; [ $a = $b ] && exit $c")),
    ("check, classify, …", "the model expands to too much", Script("cladist check $T/endless.sts")),
    ("ctl, lts", "a limit on time, memory or states was reached", Script("
        cladist ctl specs/mutex.sts 'AG EF true' --timeout 1ms; a=$?; cladist lts info specs/mutex.sts --max-states 3; b=$?; [ $a = $b ] && exit $b")),
    ("lts generate", "a limit was reached; what was generated is written", Script("cladist lts generate tests/cli/processes/endless.lnt --max-states 100 -o $T/endless.aut")),
    ("test", "a limit was reached before an example was decided", Script("cladist test $T/factors.sts --timeout 1s")),
    ("export aut, smt2, dimacs", "a limit was reached; nothing is written", Script("
        cladist export aut specs/mutex.sts -o $T/y.aut --timeout 1ms; a=$?; cladist export smt2 specs/mutex.sts -o $T/y.smt2 --timeout 1ms; b=$?
        cladist export dimacs specs/mutex.sts -o $T/y.cnf --timeout 1ms; c=$?; [ $a = $b ] && [ ! -e $T/y.aut ] && exit $c")),
    ("verify", "an obligation is open, or no solver answers", Script("cladist verify $T/lamp.json --solver 'echo unknown'")),
    // 2
    ("all", "an option that there is not, or a value that it cannot have", Script("cladist check --nonsense; a=$?; cladist check specs/mutex.sts -k -1; b=$?; [ $a = $b ] && exit $b")),
    ("all", "a file that is not there, or has mistakes", Script("cladist check $T/nothing.sts; a=$?; cladist check $T/none.json; b=$?; [ $a = $b ] && exit $b")),
    ("all", "a result that cannot be written to standard output, whatever the verdict", Script("cladist classify specs/mutex.sts -k 6 --json > /dev/full")),
    ("all", "standard output was closed before the result was written", Script("
        { cladist completions bash; echo $? > $T/code; } | true; exit $(cat $T/code)")),
    ("check, classify", "a file of `--out`, `--junit` or `--sarif` that cannot be written", Script("
        cladist classify specs/mutex.sts -k 6 --out $T/lamp.sts; a=$?; cladist classify specs/mutex.sts -k 6 --junit /dev/full; b=$?
        cladist check specs/mutex.sts -k 6 --sarif /dev/full; c=$?; [ $a = $b ] && exit $c")),
    ("ctl, lts, export, import, verify", "an output file that cannot be written", Script("
        cladist ctl $T/coin.aut 'AG deadlock' --dot /dev/full; a=$?; cladist lts tag $T/coin.aut --formula '[true* . LOSE] false' --dot /dev/full; b=$?
        cladist export smt2 $T/lamp.sts -o /dev/full; c=$?; cladist import smv tests/models/smv/arbiter.smv -o /dev/full; d=$?
        cladist verify $T/lamp.json --solver 'echo unsat' --exchange /dev/full; e=$?; [ $a$b$c$d = $e$e$e$e ] && exit $e")),
    ("check, classify, ctl, lts", "a property, vocabulary or claim that the model does not have", Script("cladist classify specs/mutex.sts -p exclusoin; a=$?; cladist classify specs/mutex.sts -V stepz; b=$?; [ $a = $b ] && exit $b")),
    ("ctl, lts", "a label that no action of the model and no gate of the process text has", Script("
        cladist lts tag specs/mutex.sts --formula '[true* . entr] false'; a=$?; cladist lts inevitable specs/mutex.sts --actions entr; b=$?
        cladist lts bugs specs/processes/alternating_bit.lnt --formula '[PUTT] false'; c=$?; cladist lts info specs/mutex.sts -p exclusion --environment entr; d=$?
        cladist ctl specs/processes/alternating_bit.lnt 'EF enabled(\"PUTT\")'; e=$?; [ $a$b$c$d = $e$e$e$e ] && exit $e")),
    ("ctl, lts", "`--strict-labels`: a label that the explicit system does not have", Script("
        cladist ctl $T/coin.aut 'EF enabled(\"WON\")' --strict-labels; a=$?; cladist lts check $T/coin.aut --formula '<WON> true' --strict-labels; b=$?; [ $a = $b ] && exit $b")),
    ("trace show, check, sort", "a file that is no trace, or not one of the model", Script("
        cladist trace show $T/lamp.json; a=$?; cladist trace check $T/fine.itf.json specs/mutex.sts; b=$?
        cladist trace sort $T/lamp.json $T/lamp.sts $T/none.json; c=$?; cladist trace sort $T/lamp.json $T/lamp.sts $T/jump.itf.json; d=$?
        [ $a$b$c = $d$d$d ] && exit $d")),
    ("verify, diff, trace sort", "a file that is no stored result", Script("
        cladist verify $T/fine.itf.json --solver true; a=$?; cladist diff $T/fine.itf.json $T/lamp.json; b=$?; [ $a = $b ] && exit $b")),
    ("verify", "the model is another one than that of the result", Script("cladist verify $T/lamp.json --model specs/mutex.sts --solver true")),
    ("verify", "a solver that there is not", Script("cladist verify $T/lamp.json --solver nosuch")),
    ("verify", "a bundle that is not as it was written, or has a symbolic link", Script("
        cladist verify $T/lamp.json --solver 'echo unsat' --exchange $T/bundle && ln -s $T/lamp.sts $T/bundle/x && mv $T/bundle/x $T/bundle/model/lamp.sts; cladist verify $T/bundle --solver true")),
    ("verify", "`--exchange`: a folder with other files", Script("cladist verify $T/lamp.json --solver 'echo unsat' --exchange $T")),
    ("proof check", "the proof is none", Script("cladist proof check $T/proof.cnf $T/lamp.sts")),
    ("batch", "a plan with mistakes", Script("cladist batch tests/cli/plans/mistakes.toml --out $T/mistakes")),
    // 130
    ("all with `--timeout`", "interrupted (Ctrl-C, SIGTERM) before any result", Interrupted("lts info -", 130)),
];

/// The folder of the fixtures, and the environment of scripts.
struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("written");
        write(
            "lamp.sts",
            "model lamp;\nvar on : bool;\ninit { not on; }\naction press() { on' = true; }\ninvariant dark: not on;\n\
             pred pressed(i: pos) = action@i = press;\nvocabulary v = { pressed };\nvocabulary w = { pressed };\n",
        );
        // Of a prime.
        write(
            "factors.sts",
            "model factors;\ntype Factor = 2..2000000000;\nvar a : Factor;\nvar b : Factor;\ninit { a = 2; b = 2; }\n\
             action pick modifies a, b {}\npred product(t: pos) = a@t * b@t = 2305843009213693951;\n\
             pred small(t: pos) = a@t = 2;\ncounterexample of product within 1;\n",
        );
        write(
            "coin.aut",
            "des (0, 4, 3)\n(0, \"TOSS\", 1)\n(0, \"TOSS\", 2)\n(1, \"WIN\", 1)\n(2, \"LOSE\", 2)\n",
        );
        write(
            "endless.sts",
            "model endless;\nvar n : 0..4095;\ninit { n = 0; }\naction a { forall p in 0..4095 { forall q in 0..4095 { require p != n or q != n; } } }\n",
        );
        let steps = |what: &str, of: fn(usize) -> String, event: &str| -> String {
            let declared: String = (0..60).map(of).collect();
            let events: String =
                (0..60).map(|n| format!("{event}_{n}(A, B, {{A, n{n}}}k(A, B));\n")).collect();
            format!("role {what} {{\n{declared}{events}claim_{what}1({what}, Secret, n0);\n}}\n")
        };
        let (fresh, var) = (|n| format!("fresh n{n}: Nonce;\n"), |n| format!("var n{n}: Nonce;\n"));
        let roles = steps("A", fresh, "send") + &steps("B", var, "recv");
        write("long.spdl", &format!("protocol long(A, B) {{\n{roles}}}\n"));
        let state = |n: usize, on: bool| format!("{{\"#meta\": {{\"index\": {n}}}, \"on\": {on}}}");
        let trace =
            |states: &[String]| format!("{{\"vars\": [\"on\"], \"states\": [{}]}}", states.join(", "));
        write("fine.itf.json", &trace(&[state(0, false)]));
        write("lit.itf.json", &trace(&[state(0, false), state(1, true)]));
        write("jump.itf.json", &trace(&[state(0, true)]));
        write("proof.cnf", "p cnf 1 2\n1 0\n-1 0\n");
        write("proof.lrat", "3 0 1 2 0\n");
        write("plan.toml", "[[classify]]\nmodels = [\"lamp.sts\"]\nvocabularies = [\"v\"]\nbounds = [2]\n");
        write(
            "partial.toml",
            "[settings]\nmax_classes = 1\n\n[[classify]]\nmodels = [\"increment_decrement.sts\"]\nbounds = [3]\n",
        );
        let own = Self(folder);
        own.prepare(
            "cp specs/increment_decrement.sts $T && cladist classify specs/mutex.sts -V steps -k 6 --json > $T/result.json
             cladist classify $T/lamp.sts -V v -k 2 --json > $T/lamp.json; cladist classify $T/lamp.sts -V v -k 0 --json > $T/none.json",
        );
        own
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        let binary = Path::new(env!("CARGO_BIN_EXE_cladist"));
        let folders = std::env::var_os("PATH").unwrap_or_default();
        let own = binary.parent().expect("a folder").to_path_buf();
        let folders = std::iter::once(own).chain(std::env::split_paths(&folders));
        command.env("PATH", std::env::join_paths(folders).expect("a list"));
        for variable in ["CLADIST_SOLVER", "CLADIST_TIMEOUT", "CLADIST_MEMORY", "CLADIST_THREADS"] {
            command.env_remove(variable);
        }
        command.current_dir(env!("CARGO_MANIFEST_DIR")).env("T", self.0.path());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn prepare(&self, script: &str) {
        let output = self.command("sh").args(["-c", script]).output().expect("sh runs");
        let _ = output.status;
    }

    /// The exit code that something returns, and what it says.
    fn code(&self, way: &Way) -> (Option<i32>, String) {
        match way {
            Script(script) => {
                // What is printed is of no interest, unless it goes elsewhere.
                let output = self.command("sh").args(["-c", script]).output().expect("sh runs");
                let said = [output.stdout, output.stderr].concat();
                (output.status.code(), String::from_utf8_lossy(&said).into_owned())
            }
            Interrupted(line, wanted) => self.interrupted(line, *wanted),
        }
    }

    /// The exit code of a command that is interrupted later and later, until it is the wanted one.
    fn interrupted(&self, line: &str, wanted: i32) -> (Option<i32>, String) {
        let mut last = (None, String::new());
        for attempt in 0..7 {
            let mut command = self.command(env!("CARGO_BIN_EXE_cladist"));
            let mut child = command.args(line.split(' ')).stdin(Stdio::piped()).spawn().expect("it runs");
            // Standard input stays open.
            let _input = child.stdin.take();
            std::thread::sleep(Duration::from_millis(400 << attempt));
            interrupt(&child);
            let output = child.wait_with_output().expect("it ends");
            let said = [output.stdout, output.stderr].concat();
            last = (output.status.code(), String::from_utf8_lossy(&said).into_owned());
            if last.0 == Some(wanted) {
                break;
            }
        }
        last
    }
}

fn interrupt(child: &Child) {
    let _ = Command::new("kill").args(["-INT", &child.id().to_string()]).stderr(Stdio::null()).status();
}

#[test]
fn every_row_of_the_table_is_what_happens() {
    let place = Place::new();
    let mut rows: Vec<(i32, String)> = Vec::new();
    for (command, situation, way) in ROWS {
        let (code, said) = place.code(way);
        assert!(!said.contains("panicked"), "{command}: {situation}\n{said}");
        let code = code.unwrap_or_else(|| panic!("{command}: {situation}: a signal\n{said}"));
        assert_ne!(code, 1, "{command}: {situation}: the commands of the row differ\n{said}");
        rows.push((code, format!("| {command} | {situation} | {code} |\n")));
        eprintln!("{code} {command}: {situation}");
        if matches!(way, Interrupted(_, 11)) {
            assert!(said.contains("interrupted after "), "{said}");
        }
    }
    // In the order of the page, which a row with another code than it was written for does not keep.
    let table: String = rows.into_iter().map(|(_, row)| row).collect();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(PAGE);
    let page = fs::read_to_string(&path).expect("the page");
    let (before, rest) = page.split_once(HEAD).expect("the head of the table");
    let after = rest.find("\n\n").map_or("", |at| &rest[at + 1..]);
    let new = format!("{before}{HEAD}{table}{after}");
    if std::env::var_os("CLADIST_RECORD").is_some() {
        fs::write(&path, new).expect("written");
        return;
    }
    for (now, was) in new.lines().zip(page.lines()) {
        assert_eq!(now, was, "with CLADIST_RECORD=1 the table is written");
    }
    assert_eq!(new, page);
}
