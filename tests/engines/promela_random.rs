//! Random programs in Promela against Spin, where it is installed: numbers of states and verdicts.

use super::smv_models::holds;
use crate::random::{Random, seeds};
use cladist::budget::Budget;
use cladist::explore::{Graph, Unlabelled, follow};
use cladist::ltl::Fairness;
use cladist::model::eval::{check_trace, first_violation};
use cladist::model::value::{Label, Value};
use cladist::model::{LoadOptions, Model, load_written};
use cladist::promela::{ProgramSteps, Trail, import_text, program_steps};
use cladist::trace::ItfTrace;
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::Command;

/// What Spin says of a program.
#[derive(Debug, PartialEq, Eq)]
struct Said {
    states: usize,
    /// An assertion fails, or an index is outside of its array.
    fails: bool,
    /// The program ends where it should not.
    stuck: bool,
    /// The steps to the first error, as Spin lists them, with each statement as a step, and with several as one.
    trails: Vec<String>,
}

/// Asks Spin; the outer `None` if it, or a C compiler, is not installed, the inner one if it refuses the program or finds too many states.
fn spin(text: &str) -> Option<Option<Said>> {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("p.pml"), text).expect("written");
    let run = |program: &str, arguments: &[&str]| {
        Command::new(program).args(arguments).current_dir(folder.path()).output().ok()
    };
    let find = |options: &[&str], flags: &[&str]| {
        run("spin", &[options, &["-a", "p.pml"]].concat())?;
        run("cc", &[&["-w", "-O0", "-DSAFETY", "-DVECTORSZ=2048", "-o", "pan", "pan.c"], flags].concat())?;
        // Some programs have more states than can be visited, or more errors than can be written.
        run("timeout", &["20", "./pan", "-m20000", "-w18", "-c0", "-e", "-n"])
    };
    let listed = || {
        let has_trail = folder.path().join("p.pml1.trail").exists();
        let listed = has_trail.then(|| run("spin", &["-t1", "-p", "p.pml"])).flatten()?;
        Some(String::from_utf8_lossy(&listed.stdout).into_owned())
    };
    let output = find(&["-o1", "-o2", "-o3"], &["-DNOREDUCE"])?;
    let said =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    let states = said.lines().find_map(|line| line.trim().strip_suffix(" states, stored")?.parse().ok());
    if said.contains("search depth too small") {
        return Some(None);
    }
    let mut trails: Vec<String> = listed().into_iter().collect();
    if !trails.is_empty() {
        find(&[], &[])?;
        trails.extend(listed());
    }
    let told = |what: &str| said.lines().any(|line| line.starts_with("pan:") && line.contains(what));
    Some(states.map(|states| Said {
        states,
        fails: told("assertion violated"),
        stuck: told("invalid end state"),
        trails,
    }))
}

/// A program that is being written.
struct Writer {
    random: Random,
    channel: bool,
    rendezvous: bool,
    array: bool,
    /// `d_step` is around.
    deterministic: bool,
    text: String,
}

impl Writer {
    fn one<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.random.below(all.len())]
    }

    fn atom(&mut self) -> String {
        match self.random.below(5) {
            0 => self.random.below(3).to_string(),
            1 if self.array => format!("a[{}]", self.random.below(3)),
            2 => "_pid".to_owned(),
            _ => self.one(&["x", "y", "i"]).to_owned(),
        }
    }

    fn number(&mut self) -> String {
        let (a, b) = (self.atom(), self.atom());
        match self.random.below(7) {
            0 => format!("({a} % {})", 1 + self.random.below(3)),
            1 => format!("({a} / {})", 1 + self.random.below(3)),
            2 => format!("({a} {} {})", self.one(&["<<", ">>"]), self.random.below(3)),
            3 => format!("({a} {} {b})", self.one(&["&", "|", "^", "*"])),
            4 => format!("({a} {} {b})", self.one(&["+", "-"])),
            _ => a,
        }
    }

    fn condition(&mut self) -> String {
        let (a, b) = (self.number(), self.number());
        let sign = self.one(&["==", "!=", "<", "<=", ">", ">="]);
        let plain = format!("({a} {sign} {b})");
        match self.random.below(8) {
            0 => format!("!({plain})"),
            1 if self.channel => self.one(&["(len(q) > 0)", "nfull(q)", "empty(q)", "(q?[1])"]).to_owned(),
            2 => {
                let other = self.number();
                format!("({plain} {} ({other} == {a}))", self.one(&["&&", "||"]))
            }
            _ => plain,
        }
    }

    fn basic(&mut self) -> String {
        let variable = self.one(&["x", "y", "i"]);
        match self.random.below(12) {
            0 => format!("{variable}{}", self.one(&["++", "--"])),
            1 if self.array => format!("a[{}] = {}", self.random.below(3), self.number()),
            2 | 3 if self.channel && !self.deterministic => {
                let value = self.number();
                let got = self.one(&["1", "_", "eval(x)", variable]);
                if self.random.percent(50) { format!("q!{value}") } else { format!("q?{got}") }
            }
            4 | 5 if self.rendezvous && !self.deterministic => {
                let value = self.number();
                let got = self.one(&["1", "_", variable]);
                if self.random.percent(50) { format!("h!{value}") } else { format!("h?{got}") }
            }
            6 => format!("assert({})", self.condition()),
            7 => "skip".to_owned(),
            8 if !self.deterministic && self.random.percent(20) => "timeout".to_owned(),
            9 => self.condition(),
            _ => format!("{variable} = {}", self.number()),
        }
    }

    fn options(&mut self, depth: usize, loops: bool) -> String {
        let mut all = String::new();
        for _ in 0..=self.random.below(2) {
            let (guard, then) = (self.condition(), self.statement(depth));
            let _ = writeln!(all, ":: {guard} -> {then}");
        }
        match self.random.below(3) {
            0 => {
                let then = if loops { "break".to_owned() } else { self.basic() };
                let _ = writeln!(all, ":: else -> {then}");
            }
            1 if loops => all.push_str(":: break\n"),
            1 => {
                let guard = self.basic();
                let _ = writeln!(all, ":: {guard}");
            }
            _ => {}
        }
        all
    }

    fn statement(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.basic();
        }
        match self.random.below(10) {
            0 | 1 => format!("if\n{}fi", self.options(depth - 1, false)),
            2 if !self.deterministic => format!("do\n{}od", self.options(depth - 1, true)),
            3 => format!("atomic {{ {}; {}; {} }}", self.basic(), self.statement(depth - 1), self.basic()),
            4 if !self.deterministic => {
                self.deterministic = true;
                let text = format!("d_step {{ {}; {} }}", self.condition(), self.statement(depth - 1));
                self.deterministic = false;
                text
            }
            5 if !self.deterministic => format!("select (i : 0 .. {})", 1 + self.random.below(2)),
            _ => self.basic(),
        }
    }

    fn program(mut self) -> String {
        let kinds = [self.one(&["byte", "bit", "bool", "short", "int"]), self.one(&["byte", "bit", "bool"])];
        let _ = writeln!(self.text, "{} x;\n{} y = 1;\nbyte a[3];", kinds[0], kinds[1]);
        let room = 1 + self.random.below(2);
        let _ = writeln!(self.text, "chan q = [{room}] of {{ byte }};\nchan h = [0] of {{ byte }};");
        let runs = self.random.percent(30);
        let processes = 1 + self.random.below(2) + usize::from(self.rendezvous);
        for number in 0..processes {
            let active = if runs {
                String::new()
            } else {
                self.one(&["active ", "active ", "active [2] "]).to_owned()
            };
            let provided = if self.random.percent(10) { " provided (y != 0)" } else { "" };
            let _ = writeln!(self.text, "{active}proctype P{number}(){provided}\n{{\n\tbyte i;");
            for step in 0..=self.random.below(3) {
                let label = if step == 1 { self.one(&["", "", "end: ", "L: "]) } else { "" };
                let statement = self.statement(2);
                let _ = writeln!(self.text, "{label}{statement};");
            }
            let jump = if self.text.rsplit("proctype").next().is_some_and(|own| own.contains("L: ")) {
                "goto L"
            } else {
                "skip"
            };
            let _ = writeln!(self.text, "{jump}\n}}");
        }
        if runs {
            let all: Vec<String> = (0..processes).map(|number| format!("run P{number}()")).collect();
            let _ = writeln!(self.text, "init {{ atomic {{ {} }} }}", all.join("; "));
        }
        self.text
    }
}

/// The trace of a trail.
fn meant(model: &Model, steps: &ProgramSteps, listed: &str) -> Result<ItfTrace, String> {
    let trail = Trail::read(model, steps, listed).map_err(|fault| format!("{fault:?}"))?;
    let executes = |label: &Label, at: usize| trail.executes(label, at);
    let replays = follow(model, trail.len(), &executes, &|replay| trail.ends(model, replay));
    let replays = replays.map_err(|error| match error {
        Unlabelled::Beyond(at) | Unlabelled::Cut(at) => format!("{:?}", trail.fault_at(at, "")),
        _ => error.to_string(),
    })?;
    trail.meant(replays).map_err(|fault| format!("{fault:?}"))
}

/// True if a trail ends at an assertion; the trace that is meant violates it then, and has the values at the end of the trail.
fn is_followed(seed: u64, text: &str, written: &str, model: &Model, listed: &str) -> bool {
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("p.pml");
    std::fs::write(&program, text).expect("written");
    let steps = program_steps(&program).expect("it was read");
    let meant = meant(model, &steps, listed);
    let meant = meant.unwrap_or_else(|why| panic!("{seed}: {why}\n{listed}\n{text}\n{written}"));
    assert_eq!(check_trace(model, &meant.trace().moments), Ok(()), "{seed}");
    let moments = &meant.trace().moments;
    let violates = listed.contains("Error: assertion violated");
    if violates {
        let mut asserted = model.properties.iter().filter(|own| own.name.starts_with("assert"));
        let violated =
            asserted.any(|own| own.invariant().is_some_and(|e| first_violation(model, e, moments).is_some()));
        assert!(violated, "{seed}: no assertion is violated\n{listed}\n{text}\n{written}");
    }
    let (before, last) = listed.split_once("spin: trail ends").expect("an end");
    // A step of Spin may go on after an assertion.
    if violates && before.lines().last().is_none_or(|line| !line.contains("[assert")) {
        return violates;
    }
    for (name, value) in last.lines().filter_map(|line| line.strip_prefix("\t\t")?.split_once(" = ")) {
        let own = model.variables.iter().position(|own| own.name == name);
        let own = own.map(|at| &moments.last().expect("a state").state.0[at]);
        let own = own.and_then(|own| match own {
            Value::Int(own) => Some(own.to_string()),
            Value::Bool(own) => Some(u8::from(*own).to_string()),
            _ => None,
        });
        assert!(own.is_none_or(|own| own == value), "{seed}: {name}\n{listed}\n{text}\n{written}");
    }
    violates
}

/// True if a message may be cut to a variable: Spin puts the cut one back into the channel when it undoes the step, and goes on from
/// states that do not exist.
fn cuts_messages(text: &str) -> bool {
    let is_narrow = |name: &str| ["bit", "bool"].iter().any(|kind| text.contains(&format!("{kind} {name}")));
    ["x", "y"].iter().any(|name| is_narrow(name) && text.contains(&format!("?{name}")))
}

#[test]
fn programs_do_what_spin_does() {
    let unlimited = Budget::unlimited();
    let (mut refused, mut compared, mut counted, mut followed, mut violating) = (0, 0, 0, 0, 0);
    for seed in seeds(15) {
        let mut random = Random::new(seed);
        let (channel, rendezvous, array) = (random.percent(40), random.percent(30), random.percent(40));
        let writer = Writer { random, channel, rendezvous, array, deterministic: false, text: String::new() };
        let text = writer.program();
        let Some(said) = spin(&text) else {
            let _ = writeln!(std::io::stderr(), "skipped: Spin, or a C compiler, is not installed");
            return;
        };
        let written = import_text("p", "p.pml", &text, &|_| Err(String::new()));
        let said = said.filter(|said| said.states < 20_000 && !cuts_messages(&text));
        let (Some(said), Ok(written)) = (said, written) else {
            refused += 1;
            continue;
        };
        let loaded = load_written("p", &written, &LoadOptions::default());
        let model =
            loaded.model.unwrap_or_else(|| panic!("{seed}: {:?}\n{text}\n{written}", loaded.diagnostics));
        let Some(graph) = Graph::explore(&model, None, 60_000, &unlimited).ok() else {
            refused += 1;
            continue;
        };
        let fairness = Fairness::of_model(&model);
        let fails = |name: &str| {
            let mut own = model.properties.iter().filter(|property| property.name.starts_with(name));
            own.any(|property| holds(&model, &graph, &fairness, property) == Some(false))
        };
        if fails("d_steps") {
            continue;
        }
        let found = (fails("assert") || fails("defined"), fails("valid_end_states"));
        assert_eq!(found, (said.fails, said.stuck), "{seed}\n{text}\n{written}");
        for listed in said.trails.iter().filter(|listed| Trail::is_listed(listed)) {
            violating += usize::from(is_followed(seed, &text, &written, &model, listed));
            followed += 1;
        }
        compared += 1;
        // Where a long sequence is cut, or process numbers depend on what happens, there are more states.
        if !written.contains("locked") && !written.contains("_pid :") {
            assert_eq!(graph.states.len(), said.states, "{seed}\n{text}\n{written}");
            counted += 1;
        }
    }
    println!(
        "{compared} compared with Spin, {counted} with their numbers of states; {followed} trails followed, {violating} to an assertion; {refused} left out"
    );
    assert!(compared > refused, "most programs are compared");
    assert!(followed > 0, "some trails are followed");
}
