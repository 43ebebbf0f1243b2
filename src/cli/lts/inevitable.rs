//! `lts inevitable`.

use super::args::InevitableArgs;
use super::command_error::{CommandError, conclude};
use super::convert::{draw, refuse_stdout, write_page};
use super::input;
use super::property::load_actions;
use super::response::{self, ResponseQuery};
use crate::cli::console::Console;
use crate::cli::exit::Exit;
use crate::cli::limits::CommandLimits;
use cladist::budget::{Budget, Exhausted};
use cladist::lts::drawing::Drawing;
use cladist::lts::inevitable::{
    InevitabilityAnalysis, InevitabilitySizes, NeighbourhoodEntry, neighbourhoods,
};
use cladist::lts::safety::Keep;
use cladist::lts::strategy::shortest_of_inevitable;
use cladist::report::explicit::lts::{
    AnswerProperty, Findings, InevitableGoal, InevitableReport, ReportedSystem,
};

/// The neighbourhoods that `--some` asks for.
pub fn entered(some: bool) -> NeighbourhoodEntry {
    if some { NeighbourhoodEntry::ByNeutral } else { NeighbourhoodEntry::ByNeutralOnly }
}

impl super::SystemCommand for InevitableArgs {
    fn limits_and_json(&self) -> (CommandLimits, bool) {
        (self.input.input.system.limits(), self.output.json)
    }

    fn run(&self, console: &Console) -> Result<Exit, CommandError> {
        refuse_stdout(&[("--dot", self.draw.dot.as_ref()), ("--page", self.page.page.as_ref())])?;
        match (&self.property, &self.actions) {
            (Some(property), _) => answers(self, property, console),
            (None, actions) => of_actions(self, actions.as_deref().unwrap_or_default(), console),
        }
    }
}

fn of_actions(args: &InevitableArgs, actions: &str, console: &Console) -> Result<Exit, CommandError> {
    let actions = load_actions("--actions", actions)?;
    let input = input::load_reduced(&args.input, None, console)?;
    let warnings = actions.warn(input.known(), console)?;
    let steps = actions.over(&input.lts);
    let stopped = |why| input.ended("analysing", why);
    let analysis = InevitabilityAnalysis::new(&input.lts, &steps, &input.budget).map_err(stopped)?;
    let drawn = |budget: &Budget| Drawing::of_inevitable(&analysis, entered(args.some), budget);
    draw(&args.draw, input.lts.labels(), &input.budget, console, drawn)?;
    let asked = InevitableReport {
        system: input.system(),
        wanted: InevitableGoal::Actions(&actions.names),
        entered: entered(args.some),
        analysis: &analysis,
        counts: InevitabilitySizes::default(),
        shortest: None,
        warnings: Findings(&warnings, &actions.sources),
        full: args.full,
        neighbourhoods: Vec::new(),
    };
    tell(args, asked, stopped, &input.budget, console)
}

/// Analyses the inevitability that a property of a model demands.
fn answers(args: &InevitableArgs, property: &str, console: &Console) -> Result<Exit, CommandError> {
    let ResponseQuery { file, lts, waiting, property, budget, sources } =
        response::load(args, property, console)?;
    let stopped = |why| CommandError::exhausted(&format!("analysing {file}"), why, &budget);
    let analysis =
        InevitabilityAnalysis::of_answers(&waiting.lts, &waiting.waiting, &budget).map_err(stopped)?;
    draw(&args.draw, waiting.lts.labels(), &budget, console, |budget| {
        let mut drawing = Drawing::of_inevitable(&analysis, entered(args.some), budget)?;
        for node in &mut drawing.nodes {
            let waits = waiting.waiting.has(node.state.index());
            node.state = waiting.states[node.state.index()];
            node.name = if waits { format!("{}\nwaiting", node.state) } else { node.state.to_string() };
        }
        Ok(drawing)
    })?;
    let answered = AnswerProperty { property: &property, states: &waiting.states, waiting: &waiting.waiting };
    let asked = InevitableReport {
        system: ReportedSystem { file: &file, lts: &lts, reduced_from: None },
        wanted: InevitableGoal::Answers(answered),
        entered: entered(args.some),
        analysis: &analysis,
        counts: InevitabilitySizes::default(),
        shortest: None,
        warnings: Findings(&[], &sources),
        full: false,
        neighbourhoods: Vec::new(),
    };
    tell(args, asked, stopped, &budget, console)
}

/// Prints the result with the counts, a shortest counterexample and the nearest neighbourhoods.
fn tell(
    args: &InevitableArgs,
    asked: InevitableReport<'_>,
    ended: impl Fn(Exhausted) -> CommandError,
    budget: &Budget,
    console: &Console,
) -> Result<Exit, CommandError> {
    let (analysis, entered) = (asked.analysis, asked.entered);
    let shortest = shortest_of_inevitable(analysis, entered, Keep::Neighbourhoods, budget).map_err(&ended)?;
    let counts = InevitabilitySizes::new(analysis, entered, budget).map_err(&ended)?;
    // Where all runs are right, there is nothing to decide.
    let listed = if analysis.holds() { 0 } else { args.limit };
    let neighbourhoods = neighbourhoods(analysis, entered, listed, budget).map_err(&ended)?;
    let report = InevitableReport { counts, shortest, neighbourhoods, ..asked };
    write_page(&args.page, console, |rerun| report.page(rerun))?;
    conclude(&report, analysis.holds(), &args.output, budget, console)
}
