//! The command line that reproduces a result.

use super::args::{
    CheckArgs, ClassifyArgs, Engine, EngineArgs, ProofMethodArg, RunArgs, TheoryArg, ViewArgs,
};
use super::fairness::FairnessArgs;
use super::loading::option_of;
use super::values::bytes_text;
use cladist::explore::DEFAULT_SEARCH_LIMIT;
use cladist::report::checks::check_text::quoted;
use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

/// Returns the command line of a classification with its defaults written out; `also_hide` lists additional names of
/// the vocabulary to hide.
pub fn classify(args: &ClassifyArgs, property: &str, vocabulary: &str, also_hide: &[String]) -> String {
    let mut line = RerunLine::new("classify", &args.model);
    line.option("-p", property);
    line.option("-V", vocabulary);
    line.given("-k", args.bound.or_else(|| (!args.unbounded).then(|| args.lengths().bound())));
    line.flag("--exact", args.exact);
    line.flag("--unbounded", args.unbounded);
    line.given("--horizon", args.horizon);
    line.flag("--count", args.count);
    line.flag("--cover", args.cover);
    line.given("--environment", args.environment.as_ref());
    line.given("--within", args.within.as_ref());
    line.given("--baseline", args.baseline.as_ref().map(|file| file.display()));
    line.flag("--tree", args.tree);
    line.flag("--defences", args.defences);
    line.flag("--necessary", args.necessary);
    line.given("--max-states", Some(args.max_states).filter(|most| *most != DEFAULT_SEARCH_LIMIT));
    line.given("--start-with", args.start_with.as_ref());
    let hidden = [&args.hide, also_hide].concat();
    let preferred: Vec<String> = args.prefer.iter().filter(|name| !hidden.contains(name)).cloned().collect();
    line.names("--prefer", &preferred);
    line.names("--hide", &hidden);
    line.names("--ground", &args.ground);
    line.given("--max-classes", args.max_classes);
    line.flag("--keep-redundant", args.keep_redundant);
    line.fairness(&args.fairness);
    line.flag("--verify", args.verify);
    line.given("--seed", Some(args.seed).filter(|seed| *seed != 0));
    line.run(&args.run, &args.engine);
    line.view(&args.view);
    line.flag("--brief", args.brief);
    line.text
}

/// Returns the command line of a causal tree with its defaults written out.
pub fn causes(args: &ClassifyArgs, property: &str, bound: usize) -> String {
    let mut line = RerunLine::new("classify", &args.model);
    line.option("-p", property);
    line.flag("--tree", true);
    line.flag("--defences", args.defences);
    line.option("-k", &bound.to_string());
    line.flag("--verify", args.verify);
    line.given("--seed", Some(args.seed).filter(|seed| *seed != 0));
    line.fairness(&args.fairness);
    line.run(&args.run, &args.engine);
    line.view(&args.view);
    line.text
}

/// Returns the command line of a search for minimal attack patterns.
pub fn patterns(args: &ClassifyArgs, property: &str) -> String {
    let mut line = RerunLine::new("classify", &args.model);
    line.option("-p", property);
    line.run(&args.run, &args.engine);
    line.text
}

/// Returns the command line of a check, with the solver written out.
pub fn check(args: &CheckArgs) -> String {
    let mut line = RerunLine::new("check", &args.model);
    match &args.property {
        Some(property) => line.option("-p", property),
        None => line.names("--claim", &args.protocol.claim),
    }
    if let Some(bound) = args.bound.filter(|_| !args.protocol.takes_proofs) {
        line.option("-k", &bound.to_string());
        line.flag("--exact", args.exact);
    }
    line.flag("--deadlock", args.deadlock);
    line.flag("--unbounded", args.unbounded);
    if args.proof != ProofMethodArg::Auto {
        line.option("--proof", args.proof.name());
    }
    line.fairness(&args.fairness);
    line.flag("--no-symmetry", args.no_symmetry);
    line.run(&args.run, &args.engine);
    line.view(&args.view);
    line.text
}

/// Returns a command line without the options that say where results go.
pub fn typed(arguments: &[OsString]) -> String {
    let mut line = "cladist".to_owned();
    let mut words = arguments.iter().skip(1).map(|word| word.to_string_lossy());
    while let Some(word) = words.next() {
        match word.split_once('=').map_or(&*word, |(option, _)| option) {
            "--json" | "--exit-zero" | "--until-stdin-ends" => {}
            "--page" | "--dot" | "--color" => {
                if !word.contains('=') {
                    words.next();
                }
            }
            _ => {
                line.push(' ');
                line.push_str(&quoted(&word));
            }
        }
    }
    line
}

struct RerunLine {
    text: String,
}

impl RerunLine {
    fn new(command: &str, file: &Path) -> Self {
        Self { text: format!("cladist {command} {}", quoted(&file.to_string_lossy())) }
    }

    fn option(&mut self, name: &str, value: &str) {
        self.text.push_str(&format!(" {name} {}", quoted(value)));
    }

    /// Adds an option if it has a value.
    fn given(&mut self, name: &str, value: Option<impl ToString>) {
        value.into_iter().for_each(|value| self.option(name, &value.to_string()));
    }

    /// Adds several names at once.
    fn names(&mut self, name: &str, names: &[String]) {
        if !names.is_empty() {
            let names: Vec<&str> = names.iter().map(|name| name.trim()).collect();
            self.option(name, &names.join(","));
        }
    }

    fn flag(&mut self, name: &str, set: bool) {
        if set {
            self.text.push_str(&format!(" {name}"));
        }
    }

    fn fairness(&mut self, args: &FairnessArgs) {
        args.fair.iter().for_each(|text| self.option("--fair", text));
        args.strongly_fair.iter().for_each(|text| self.option("--strongly-fair", text));
        self.flag("--ignore-fairness", args.ignore_fairness);
    }

    fn run(&mut self, args: &RunArgs, engine: &EngineArgs) {
        for (name, value) in &args.loading.overrides {
            match option_of(name) {
                "--set" => self.option("--set", &format!("{name}={value}")),
                option => self.option(option, value),
            }
        }
        self.given("--root", args.loading.root.as_ref().map(|folder| folder.display()));
        self.option("--solver", &engine.solver.name());
        if let (Engine::Smt(_), TheoryArg::Bv) = (&engine.solver, engine.theory) {
            self.option("--theory", "bv");
        }
        self.given("--timeout", args.limits.timeout.map(duration));
        self.given("--memory", args.limits.memory.map(bytes_text));
    }

    fn view(&mut self, args: &ViewArgs) {
        args.show.iter().for_each(|text| self.option("--show", text));
        args.omit.iter().for_each(|name| self.option("--omit", name));
        self.flag("--full", args.full);
    }
}

fn duration(time: Duration) -> String {
    match time.subsec_millis() {
        0 => time.as_secs().to_string(),
        _ => format!("{}ms", time.as_millis()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::command::{Args, Command};
    use super::*;
    use clap::Parser;

    /// Parses a command line and prints it again.
    fn again(line: &[&str]) -> String {
        match Args::try_parse_from(line).map(|args| args.command) {
            Ok(Command::Classify(args)) => classify(&args, "safe", "generic", &[]),
            Ok(Command::Check(args)) => check(&args),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_typed_line_leaves_out_where_results_go() {
        let line = [
            "/bin/cladist",
            "ctl",
            "m.sts",
            "--page",
            "a.html",
            "-f=x = 1",
            "--dot=b.dot",
            "--json",
            "--path",
        ];
        assert_eq!(typed(&line.map(OsString::from)), "cladist ctl m.sts '-f=x = 1' --path");
    }

    #[test]
    fn defaults_are_written_out() {
        assert_eq!(
            again(&["cladist", "classify", "m.sts"]),
            "cladist classify m.sts -p safe -V generic -k 10 --solver cadical"
        );
        let all = [
            "cladist",
            "classify",
            "my model.sts",
            "-k",
            "7",
            "--exact",
            "--set",
            "N=it's",
            "--root",
            "my models",
            "--timeout",
            "1500ms",
            "--memory",
            "1K",
            "--max-classes",
            "3",
            "--start-with",
            "m.p",
            "--verify",
            "--keep-redundant",
            "--show",
            "size(knows)",
            "--prefer",
            "a, b",
            "--hide",
            "state[A]",
            "--hide",
            "c",
            "--seed",
            "3",
            "--omit",
            "net",
            "--full",
            "--solver",
            "varisat",
            "--json",
        ];
        assert_eq!(
            again(&all),
            r"cladist classify 'my model.sts' -p safe -V generic -k 7 --exact --start-with m.p --prefer a,b --hide 'state[A],c' --max-classes 3 --keep-redundant --verify --seed 3 --set 'N=it'\''s' --root 'my models' --solver varisat --timeout 1500ms --memory 1K --show 'size(knows)' --omit net --full"
        );
        assert_eq!(
            again(&["cladist", "classify", "m.sts", "--brief", "--omit", "net", "--out", "r"]),
            "cladist classify m.sts -p safe -V generic -k 10 --solver cadical --omit net --brief"
        );
        assert_eq!(
            again(&["cladist", "check", "m.sts", "-p", "q", "-k", "3", "--exact"]),
            "cladist check m.sts -p q -k 3 --exact --solver cadical"
        );
        assert_eq!(
            again(&["cladist", "check", "m.sts", "--every-length", "--proof", "k-induction"]),
            "cladist check m.sts --unbounded --proof k-induction --solver cadical"
        );
    }
}
