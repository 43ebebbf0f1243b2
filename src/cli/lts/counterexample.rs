//! `lts counterexample`.

use super::args::CounterexampleArgs;
use super::command_error::{CommandError, conclude};
use super::convert::{refuse_stdout, write_page};
use super::inevitable::entered;
use super::input::{self, Input};
use super::property::{load_actions, with_analysis};
use super::shared_args::{KeepArg, StrategyArg};
use crate::cli::console::Console;
use crate::cli::exit::Exit;
use crate::cli::limits::CommandLimits;
use crate::cli::refusal::UsageError;
use cladist::diagnostics::Diagnostic;
use cladist::lts::LabelSequence;
use cladist::lts::inevitable::InevitabilityAnalysis;
use cladist::lts::safety::Keep;
use cladist::lts::strategy::{
    Counterexample, Inevitable, NoCounterexample, SafetyProduct, Strategy, of_inevitable, of_safety,
    shortest_of_inevitable,
};
use cladist::report::explicit::lts::{CounterexampleOutcome, CounterexampleReport, Findings, SystemGoal};

impl From<KeepArg> for Keep {
    fn from(arg: KeepArg) -> Self {
        match arg {
            KeepArg::Neighbourhoods => Keep::Neighbourhoods,
            KeepArg::FaultyStates => Keep::FaultyStates,
        }
    }
}

impl StrategyArg {
    /// The strategy; the random seed is 0 by default.
    pub fn with_seed(self, seed: Option<u64>) -> Strategy {
        match self {
            StrategyArg::Readable => Strategy::Readable,
            StrategyArg::Random => Strategy::Random { seed: seed.unwrap_or_default() },
            StrategyArg::Shortest => Strategy::Shortest,
            StrategyArg::Longest => Strategy::Longest,
            StrategyArg::FaultyFirst => Strategy::FaultyFirst,
            StrategyArg::FewestFaulty => Strategy::FewestFaulty,
            StrategyArg::MostFaulty => Strategy::MostFaulty,
            StrategyArg::ShortestFewestFaulty => Strategy::ShortestFewestFaulty,
            StrategyArg::MostProbable => Strategy::MostProbable,
            StrategyArg::LeastProbable => Strategy::LeastProbable,
            StrategyArg::ClosestFaulty => Strategy::ClosestFaulty,
            StrategyArg::ClosestFewestFaulty => Strategy::ClosestFewestFaulty,
            StrategyArg::Neighbourhood => Strategy::Neighbourhood,
        }
    }
}

/// Rejects a seed where no strategy is random.
pub fn refuse_idle_seed(seed: Option<u64>, strategies: &[StrategyArg]) -> Result<(), UsageError> {
    if seed.is_none() || strategies.contains(&StrategyArg::Random) {
        return Ok(());
    }
    let error =
        Diagnostic::error_without_place("--seed has no effect: only the strategy `random` is randomised");
    Err(error.with_help("add --strategy random, or leave --seed out").into())
}

fn strategy(args: &CounterexampleArgs) -> Strategy {
    args.strategy.with_seed(args.seed)
}

impl super::SystemCommand for CounterexampleArgs {
    fn limits_and_json(&self) -> (CommandLimits, bool) {
        (self.input.input.system.limits(), self.output.json)
    }

    fn run(&self, console: &Console) -> Result<Exit, CommandError> {
        refuse_stdout(&[("--page", self.page.page.as_ref())])?;
        refuse_idle_seed(self.seed, &[self.strategy])?;
        let through = self.through.as_deref().map(|text| load_actions("--through", text)).transpose()?;
        let pattern = |input: &Input| match &through {
            Some(through) => {
                through.warn(input.known(), console)?;
                Ok(through.over(&input.lts))
            }
            None => Ok(LabelSequence::none()),
        };
        match &self.actions {
            Some(text) => inevitable(self, text, pattern, console),
            None => safety(self, pattern, console),
        }
    }
}

fn safety(
    args: &CounterexampleArgs,
    pattern: impl Fn(&Input) -> Result<LabelSequence, UsageError>,
    console: &Console,
) -> Result<Exit, CommandError> {
    with_analysis(&args.property, &args.input, console, |input, asked| {
        let pattern = pattern(input)?;
        let violations = SafetyProduct { analysis: asked.analysis, keep: args.keep.into() };
        let found = of_safety(&violations, strategy(args), &pattern, &input.budget)
            .map_err(|why| input.ended("choosing a counterexample of", why))?;
        let outcome = outcome(asked.analysis.holds(), found);
        tell(args, input, SystemGoal::Property(asked.property), asked.warnings, outcome, console)
    })
}

fn inevitable(
    args: &CounterexampleArgs,
    text: &str,
    pattern: impl Fn(&Input) -> Result<LabelSequence, UsageError>,
    console: &Console,
) -> Result<Exit, CommandError> {
    let actions = load_actions("--actions", text)?;
    let input = input::load_reduced(&args.input, None, console)?;
    let warnings = actions.warn(input.known(), console)?;
    let (steps, pattern) = (actions.over(&input.lts), pattern(&input)?);
    let stopped = |why| input.ended("choosing a counterexample of", why);
    let analysis = InevitabilityAnalysis::new(&input.lts, &steps, &input.budget).map_err(stopped)?;
    let (entered, keep) = (entered(args.some), args.keep.into());
    let found = match strategy(args) {
        Strategy::Readable | Strategy::Shortest if pattern.is_empty() => {
            shortest_of_inevitable(&analysis, entered, keep, &input.budget).map_err(stopped)?.map(Ok)
        }
        strategy => {
            let violations = Inevitable::new(&analysis, entered, keep, &input.budget).map_err(stopped)?;
            of_inevitable(&violations, strategy, &pattern, &input.budget).map_err(stopped)?
        }
    };
    let asked = SystemGoal::Actions(&actions.names);
    let outcome = outcome(analysis.holds(), found);
    tell(args, &input, asked, Findings(&warnings, &actions.sources), outcome, console)
}

fn outcome(holds: bool, found: Option<Result<Counterexample, NoCounterexample>>) -> CounterexampleOutcome {
    match found {
        _ if holds => CounterexampleOutcome::Holds,
        None => CounterexampleOutcome::NotThrough,
        Some(Ok(counterexample)) => CounterexampleOutcome::Found(counterexample),
        Some(Err(nothing)) => CounterexampleOutcome::Nothing(nothing),
    }
}

fn tell(
    args: &CounterexampleArgs,
    input: &Input,
    asked: SystemGoal<'_>,
    warnings: Findings<'_>,
    outcome: CounterexampleOutcome,
    console: &Console,
) -> Result<Exit, CommandError> {
    let holds = matches!(outcome, CounterexampleOutcome::Holds);
    let report = CounterexampleReport {
        system: input.system(),
        asked,
        strategy: strategy(args),
        through: args.through.as_deref(),
        keep: args.keep.into(),
        outcome: &outcome,
        warnings,
    };
    write_page(&args.page, console, |rerun| report.page(rerun))?;
    conclude(&report, holds, &args.output, &input.budget, console)
}
