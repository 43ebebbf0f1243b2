//! Minimal attack patterns in `cladist classify`: in the place of kinds in the model of few runs, or after them.

use super::args::{ClassifyArgs, OutputArgs};
use super::claims;
use super::console::Console;
use super::exit::Exit;
use super::refusal::UsageError;
use super::rerun;
use super::settings::{self, Opened};
use cladist::diagnostics::Diagnostic;
use cladist::model::Model;
use cladist::protocol::{Characterisation, ClaimedProperty, PatternVerdict};
use cladist::report::{
    PatternRequest, TraceView, patterns_beside, patterns_document, patterns_text, to_json,
};
use std::time::{Duration, Instant};

/// The processor time for the search without `--timeout`.
const PATIENCE: Duration = Duration::from_secs(10);

/// The processor time for the question whether a run comes to a claim that holds.
const SHORT: Duration = Duration::from_secs(2);

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
        || args.tree
        || args.verify
        || args.environment.is_some()
        || [out, proofs, junit, sarif].into_iter().any(Option::is_some)
}

impl ClaimPatterns<'_> {
    /// Prints the patterns as the result, if they cover the attacks in the model of few runs, or if there are none with any number.
    pub fn show_alone(&self, opened: &Opened) -> Result<Option<Exit>, UsageError> {
        let Self { args, found, .. } = self;
        let model = &opened.model;
        let is_proved = found.verdict() == PatternVerdict::Proved;
        if !is_proved && (found.patterns.is_empty() || !found.covers(self.runs)) {
            return Ok(None);
        }
        let Some(property) = model.properties.iter().find(|property| property.name == self.claim.property)
        else {
            return Ok(None);
        };
        // A claim to which no run comes holds for that reason alone.
        let notice = is_proved.then(|| {
            let budget = opened.budget.at_most_work(SHORT);
            let (bound, backend) = (args.lengths().bound(), args.engine.solver.backend());
            claims::unreached(model, self.claim, bound, backend, &budget)
        });
        let notice = notice.flatten();
        let warnings: Vec<Diagnostic> = opened.warnings.iter().chain(&notice).cloned().collect();
        let request = PatternRequest {
            found,
            model,
            property,
            claim: self.claim,
            file: &args.model.to_string_lossy(),
            view: TraceView { only: args.class, ..settings::view(&args.view, model, None, self.console)? },
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
        Ok(Some(match is_proved {
            true => Exit::Fine,
            false => Exit::Violated.with_exit_zero(args.output.exit_zero),
        }))
    }

    /// Prints the patterns after the result for few runs, with which the program would end.
    pub fn show_beside(&self, opened: &Opened, exit: Exit) -> Result<Exit, UsageError> {
        let Self { args, console, found, .. } = self;
        if args.output.json {
            return Ok(exit);
        }
        let view = settings::view(&args.view, &opened.model, None, console)?;
        console.print(&patterns_beside(found, &view))?;
        let is_violated = match exit {
            Exit::Violated | Exit::Partial | Exit::TooWeak => Some(true),
            Exit::Fine if !args.output.exit_zero => Some(false),
            _ => None,
        };
        let notice = is_violated
            .and_then(|is_violated| claims::difference(self.claim, is_violated, found.verdict(), self.runs));
        console.diagnose(notice.as_slice(), &opened.model.sources);
        Ok(match exit {
            // Not all attacks are known.
            Exit::Fine | Exit::Undecided if !found.patterns.is_empty() => {
                Exit::Partial.with_exit_zero(args.output.exit_zero)
            }
            other => other,
        })
    }
}
