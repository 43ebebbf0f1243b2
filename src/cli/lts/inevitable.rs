//! `lts inevitable`.

use super::args::InevitableArgs;
use super::command_error::{CommandError, print_document};
use super::convert::refuse_stdout;
use super::draw::draw;
use super::response::{self, Asked};
use super::{input, sequence};
use crate::cli::console::Console;
use crate::cli::exit::Exit;
use cladist::budget::{Budget, Exhausted};
use cladist::lts::drawing::Drawing;
use cladist::lts::inevitable::{Analysis, Counts, Entered, neighbourhoods};
use cladist::lts::safety::Keep;
use cladist::lts::strategy::shortest_of_inevitable;
use cladist::report::explicit::lts::{
    Answered, InevitableRequest, System, Wanted, inevitable_document, inevitable_text,
};

/// Which neighbourhoods `--some` asks for.
pub fn entered(some: bool) -> Entered {
    if some { Entered::ByNeutral } else { Entered::ByNeutralOnly }
}

pub fn run(args: &InevitableArgs, console: &Console) -> Result<Exit, CommandError> {
    refuse_stdout(&[("--dot", args.draw.dot.as_ref())])?;
    match (&args.property, &args.actions) {
        (Some(property), _) => answers(args, property, console),
        (None, actions) => of_actions(args, actions.as_deref().unwrap_or_default(), console),
    }
}

fn of_actions(args: &InevitableArgs, actions: &str, console: &Console) -> Result<Exit, CommandError> {
    let actions = sequence::load("--actions", actions)?;
    let input = input::load_reduced(&args.input, None, console)?;
    let warnings = actions.warn(input.known(), console)?;
    let steps = actions.over(&input.lts);
    let stopped = |why| input.ended("analysing", why);
    let analysis = Analysis::new(&input.lts, &steps, &input.budget).map_err(stopped)?;
    let drawn = |budget: &Budget| Drawing::of_inevitable(&analysis, entered(args.some), budget);
    draw(&args.draw, input.lts.labels(), &input.budget, console, drawn)?;
    let asked = InevitableRequest {
        system: input.system(),
        wanted: Wanted::Actions(&actions.names),
        entered: entered(args.some),
        analysis: &analysis,
        counts: Counts::default(),
        shortest: None,
        warnings: &warnings,
        sources: &actions.sources,
        full: args.full,
        neighbourhoods: Vec::new(),
    };
    tell(args, completed(args, asked, &input.budget).map_err(stopped)?, &input.budget, console)
}

/// What a property of a model asks for.
fn answers(args: &InevitableArgs, property: &str, console: &Console) -> Result<Exit, CommandError> {
    let Asked { file, lts, waiting, property, budget, sources } = response::load(args, property, console)?;
    let stopped = |why| CommandError::exhausted(&format!("analysing {file}"), why, &budget);
    let analysis = Analysis::of_answers(&waiting.lts, &waiting.waiting, &budget).map_err(stopped)?;
    draw(&args.draw, waiting.lts.labels(), &budget, console, |budget| {
        let mut drawing = Drawing::of_inevitable(&analysis, entered(args.some), budget)?;
        for node in &mut drawing.nodes {
            let waits = waiting.waiting.has(node.state.index());
            node.state = waiting.states[node.state.index()];
            node.name = if waits { format!("{}\nwaiting", node.state) } else { node.state.to_string() };
        }
        Ok(drawing)
    })?;
    let answered = Answered { property: &property, states: &waiting.states, waiting: &waiting.waiting };
    let asked = InevitableRequest {
        system: System { file: &file, lts: &lts, reduced_from: None },
        wanted: Wanted::Answers(answered),
        entered: entered(args.some),
        analysis: &analysis,
        counts: Counts::default(),
        shortest: None,
        warnings: &[],
        sources: &sources,
        full: false,
        neighbourhoods: Vec::new(),
    };
    tell(args, completed(args, asked, &budget).map_err(stopped)?, &budget, console)
}

/// With the counts, a shortest counterexample and the nearest neighbourhoods.
fn completed<'a>(
    args: &InevitableArgs,
    asked: InevitableRequest<'a>,
    budget: &Budget,
) -> Result<InevitableRequest<'a>, Exhausted> {
    let (analysis, entered) = (asked.analysis, asked.entered);
    let shortest = shortest_of_inevitable(analysis, entered, Keep::Neighbourhoods, budget)?;
    let counts = Counts::new(analysis, entered, budget)?;
    // Where all runs are right, there is nothing to decide.
    let listed = if analysis.holds() { 0 } else { args.limit };
    let neighbourhoods = neighbourhoods(analysis, entered, listed, budget)?;
    Ok(InevitableRequest { counts, shortest, neighbourhoods, ..asked })
}

fn tell(
    args: &InevitableArgs,
    request: InevitableRequest<'_>,
    budget: &Budget,
    console: &Console,
) -> Result<Exit, CommandError> {
    match args.output.json {
        true => print_document(&inevitable_document(&request), budget, console)?,
        false => console.print(&inevitable_text(&request, console.paint(), console.width()))?,
    }
    let exit = if request.analysis.holds() { Exit::Fine } else { Exit::Violated };
    Ok(exit.with_exit_zero(args.output.exit_zero))
}
