//! Minimal attack patterns in `cladist classify`: in the place of kinds in the model of few runs, or after them.

use super::args::{ClassifyArgs, OutputArgs};
use super::claims;
use super::console::Console;
use super::exit::Exit;
use super::refusal::UsageError;
use super::rerun;
use super::settings::{self, Opened};
use cladist::budget::Exhausted;
use cladist::diagnostics::Diagnostic;
use cladist::model::Model;
use cladist::number::counted;
use cladist::protocol::{Characterisation, ClaimedProperty, PatternVerdict};
use cladist::report::{
    DisplayOptions, PatternRequest, patterns_beside, patterns_document, patterns_text, to_json,
};
use cladist::unroll;
use std::time::{Duration, Instant};

/// The processor time for the search without `--timeout`, and for the question whether the model of few runs has attacks.
const PATIENCE: Duration = Duration::from_secs(10);

/// The processor time for the question whether a run comes to a claim that holds.
const SHORT: Duration = Duration::from_secs(2);

/// The processor time for attacks in the model of few runs without `--timeout`.
const FEW_RUNS: Duration = Duration::from_secs(60);

/// The minimal patterns of a claim, with what was asked.
pub struct ClaimPatterns<'a> {
    args: &'a ClassifyArgs,
    console: &'a Console,
    claim: &'a ClaimedProperty,
    /// The runs of the model.
    runs: usize,
    found: Characterisation,
    seconds: f64,
}

/// Finds the minimal patterns of a claim of a protocol file, if nothing is asked about the model of few runs.
pub fn find<'a>(
    args: &'a ClassifyArgs,
    opened: &Opened,
    console: &'a Console,
) -> Result<Option<ClaimPatterns<'a>>, UsageError> {
    let Opened { model, budget, .. } = opened;
    let is_open = args.protocol.any_runs && !asks_about_traces(args, model);
    let Some(file) = args.protocol.file.as_ref().filter(|_| is_open) else { return Ok(None) };
    let refuse = |d: Diagnostic| UsageError { sources: model.sources.clone(), ..UsageError::from(d) };
    let (property, _) = settings::invariant(model, args.property.as_deref()).map_err(refuse)?;
    let Some(claim) = args.protocol.claims().iter().find(|claim| claim.property == property.name) else {
        return Ok(None);
    };
    let budget = match args.run.limits.timeout {
        Some(_) => budget.share(2),
        None => budget.at_most_work(PATIENCE),
    };
    let clock = Instant::now();
    let found = claims::characterise(&file.translation, claim, &budget);
    let (runs, seconds) = (file.translation.charts.runs(), clock.elapsed().as_secs_f64());
    Ok(found.map(|found| ClaimPatterns { args, console, claim, runs, found, seconds }))
}

/// True if the result is to have traces of the model.
fn asks_about_traces(args: &ClassifyArgs, model: &Model) -> bool {
    let OutputArgs { out, proofs, junit, sarif, .. } = &args.output;
    args.asks_for_classes(model)
        || args.wants_causes()
        || args.verify
        || args.environment.is_some()
        || [out, proofs, junit, sarif].into_iter().any(Option::is_some)
}

impl ClaimPatterns<'_> {
    /// Prints the patterns as the result: if they cover the attacks in the model of few runs, if there are none with any number, or in a
    /// single document if that model is not known to have attacks.
    pub fn show_alone(&self, opened: &Opened) -> Result<Option<Exit>, UsageError> {
        let Self { args, found, .. } = self;
        let model = &opened.model;
        let (property, invariant) = settings::invariant(model, Some(&self.claim.property))?;
        let (bound, backend) = (args.lengths().bound(), args.engine.solver.backend());
        let (exit, notice) = match found.verdict() {
            // A claim to which no run comes holds for that reason alone.
            PatternVerdict::Proved => {
                let budget = opened.budget.at_most_work(SHORT);
                (Exit::Fine, claims::unreached(model, self.claim, bound, backend, &budget))
            }
            _ if found.patterns.is_empty() => return Ok(None),
            _ if found.covers(self.runs) => (Exit::Violated, None),
            verdict if args.output.json => {
                let broken = [invariant.clone().negated()];
                let budget = opened.budget.share(2).at_most_work(PATIENCE);
                let answer = unroll::reachable(model, &broken, bound, &[], backend, &budget);
                match answer[..] {
                    [Some(true)] => return Ok(None),
                    [Some(false)] => {
                        (Exit::Partial, claims::difference(self.claim, false, verdict, self.runs))
                    }
                    _ => (Exit::Partial, None),
                }
            }
            _ => return Ok(None),
        };
        let warnings: Vec<Diagnostic> = opened.warnings.iter().chain(&notice).cloned().collect();
        let request = PatternRequest {
            found,
            model,
            property,
            claim: self.claim,
            file: &args.model.to_string_lossy(),
            set: &args.run.loading.overrides,
            display: DisplayOptions {
                only: args.class,
                ..settings::display(&args.view, model, args.protocol.charts(), self.console)?
            },
            brief: args.brief,
            runs: self.runs,
            seconds: self.seconds,
            warnings: &warnings,
            rerun: &rerun::patterns(args, &property.name),
        };
        self.console.print(&match args.output.json {
            true => to_json(&patterns_document(&request)),
            false => patterns_text(&request),
        })?;
        args.note_missing_class("kind", found.kinds().len(), self.console);
        self.console.diagnose(notice.as_slice(), &model.sources);
        Ok(Some(exit.with_exit_zero(args.output.exit_zero)))
    }

    /// Limits the processor time for the model of few runs unless `--timeout` is given.
    pub fn limit_few_runs(&self, opened: &mut Opened) {
        if self.args.run.limits.timeout.is_none() {
            opened.budget = opened.budget.at_most_work(FEW_RUNS);
        }
    }

    /// Prints the patterns after the result for few runs, with which the program would end.
    pub fn show_beside(&self, opened: &Opened, exit: Exit) -> Result<Exit, UsageError> {
        let Self { args, console, found, .. } = self;
        if !args.output.json {
            let view = settings::display(&args.view, &opened.model, None, console)?;
            console.print(&patterns_beside(found, &view))?;
        }
        let is_violated = match exit {
            Exit::Violated | Exit::Partial | Exit::TooWeak => Some(true),
            Exit::Fine if !args.output.exit_zero => Some(false),
            _ => None,
        };
        let notice = is_violated
            .and_then(|is_violated| claims::difference(self.claim, is_violated, found.verdict(), self.runs));
        let is_cut = args.run.limits.timeout.is_none() && opened.budget.exhausted() == Some(Exhausted::Time);
        let notice = notice.or_else(|| is_cut.then(|| self.cut_short()));
        console.diagnose(notice.as_slice(), &opened.model.sources);
        Ok(match exit {
            // Not all attacks are known.
            Exit::Fine | Exit::Undecided if !found.patterns.is_empty() => {
                Exit::Partial.with_exit_zero(args.output.exit_zero)
            }
            other => other,
        })
    }

    /// Returns the notice about an unfinished search for attacks of few runs.
    fn cut_short(&self) -> Diagnostic {
        let message = format!(
            "the search for attacks of at most {} ended after {} s of processor time",
            counted(self.runs, "run"),
            FEW_RUNS.as_secs()
        );
        Diagnostic::note_without_place(message).with_help("--timeout TIME sets another limit")
    }
}

#[cfg(test)]
mod tests {
    use super::super::args::Color;
    use super::super::command::{Args, Command};
    use super::super::limits::CommandLimits;
    use super::super::protocol;
    use super::super::watchdog::Watchdog;
    use super::*;
    use cladist::protocol::Extent;
    use clap::Parser;

    /// A secret that is lost if there are three agents; the model has two honest ones.
    const THIRD: &str = "protocol p(A, B) {
        role A {
            fresh n: Nonce;
            var X: Agent;
            not match(A, B);
            recv_1(B, A, {X}k(A, X));
            not match(X, A);
            not match(X, B);
            send_!2(A, B, n);
            claim_A1(A, Secret, n);
        }
        role B {
            send_1(B, A, {B}k(A, B));
        }
    }";

    /// Passes on the patterns of `cladist classify` and its opened model.
    fn with_patterns<R>(options: &[&str], act: impl FnOnce(ClaimPatterns<'_>, Opened) -> R) -> R {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("third.spdl");
        std::fs::write(&path, THIRD).expect("written");
        let path = path.to_str().expect("a name");
        let line = [&["cladist", "classify", path], options].concat();
        let mut command = Args::try_parse_from(line).expect("a command").command;
        assert!(protocol::settle(&mut command).is_ok());
        let Command::Classify(args) = command else { panic!("{command:?}") };
        let console =
            Console::new(Color::Never, Watchdog::idle(CommandLimits::default(), false), String::new());
        let opened = settings::open(&args.model, &args.protocol, &args.run, &console);
        let opened = opened.unwrap_or_else(|_| panic!("a model"));
        let patterns = find(&args, &opened, &console).unwrap_or_else(|_| panic!("patterns"));
        act(patterns.expect("patterns"), opened)
    }

    /// The end of `cladist classify` with patterns that cover only so many runs, as far as they are the result.
    fn end(options: &[&str], extent: Extent) -> Option<Exit> {
        with_patterns(options, |mut patterns, opened| {
            assert!(!patterns.found.patterns.is_empty());
            patterns.found.extent = extent;
            patterns.show_alone(&opened).unwrap_or_else(|_| panic!("an end"))
        })
    }

    #[test]
    fn the_model_has_a_limit_of_its_own_unless_one_is_given() {
        let is_limited = |options: &[&str]| {
            with_patterns(options, |patterns, mut opened| {
                patterns.limit_few_runs(&mut opened);
                opened.budget.limits_work()
            })
        };
        assert!(is_limited(&[]) && is_limited(&["--json"]));
        assert!(!is_limited(&["--timeout", "1h"]));
    }

    #[test]
    fn documents_have_attacks_that_the_model_lacks() {
        let alone = ["--untrusted", "0", "--json"];
        assert!(matches!(end(&alone, Extent::UpTo(1)), Some(Exit::Partial)));
        assert!(matches!(end(&alone, Extent::UpTo(3)), Some(Exit::Violated)));
        assert!(end(&["--json"], Extent::UpTo(1)).is_none(), "the model has attacks");
        assert!(end(&["--untrusted", "0"], Extent::UpTo(1)).is_none(), "both results are shown");
    }
}
