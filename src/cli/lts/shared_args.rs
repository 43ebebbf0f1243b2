//! Options that several of the commands have: the property, the choice of a counterexample, the output.

use cladist::lts::StateId;
use cladist::lts::drawing::DrawnNeighbourhood;
use clap::{Args, ValueHint};
use std::path::PathBuf;

/// The property as text.
#[derive(Debug, Args)]
pub struct PropertyTextArgs {
    /// The formula
    #[arg(short, long, value_name = "TEXT")]
    pub formula: Option<String>,
    /// File that contains the formula (.mcl, .mcf)
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "formula")]
    pub formula_file: Option<PathBuf>,
}

/// A property of a model, and who works towards its violation.
#[derive(Debug, Args)]
pub struct InvariantArgs {
    /// The property, by its name
    ///
    /// An invariant of the model.
    #[arg(short, long, value_name = "PROP")]
    pub property: Option<String>,
    /// Actions of the environment: 'xss,visit(u=Mallory)' [default: as the model declares]
    ///
    /// Then a state is lost if the environment alone can complete the violation; without an environment, if every way
    /// on violates the property.
    #[arg(long, value_name = "ACTION,...", requires = "property")]
    pub environment: Option<String>,
}

/// The property and its interpretation.
#[derive(Debug, Args)]
pub struct PropertyArgs {
    #[command(flatten)]
    pub text: PropertyTextArgs,
    #[command(flatten)]
    pub states: InvariantArgs,
    /// Tag a transition as incorrect only if every run after it violates the property: staying in a cycle forever avoids it
    #[arg(long, conflicts_with_all = ["literal", "property"])]
    pub strict: bool,
    /// Only traces in L(R) are bad, not their continuations
    #[arg(long, conflicts_with = "property")]
    pub literal: bool,
}

/// Other labels for a system.
#[derive(Debug, Args)]
pub struct RelabelArgs {
    /// Make labels invisible that a basic regular expression matches as a whole (repeatable)
    #[arg(long, value_name = "PATTERN")]
    pub hide: Vec<String>,
    /// Give labels that a basic regular expression matches as a whole this name, before hiding (repeatable)
    #[arg(long, value_name = "PATTERN=LABEL")]
    pub rename: Vec<String>,
}

/// The form of the result.
#[derive(Debug, Args)]
pub struct ResultArgs {
    /// Print one JSON document and nothing else on standard output
    #[arg(long)]
    pub json: bool,
    /// Exit with 0 instead of 10, 11 or 12
    #[arg(long)]
    pub exit_zero: bool,
}

/// The page of a result.
#[derive(Debug, Args)]
pub struct PageArgs {
    /// Write a page for the browser (HTML)
    ///
    /// Of the result and the counterexample or witness.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub page: Option<PathBuf>,
}

/// The positions around which an abstraction keeps actions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum KeepArg {
    /// Actions before and after neighbourhoods
    Neighbourhoods,
    /// Actions before and after faulty states
    FaultyStates,
}

/// The tagged system as a graph.
#[derive(Debug, Args)]
pub struct DrawArgs {
    /// Write a graph for Graphviz (DOT)
    ///
    /// Of the tagged system: correct green, incorrect red and dashed, neutral black and dotted.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub dot: Option<PathBuf>,
    /// Draw only what is at most RADIUS transitions away from a state [default radius: 3]
    #[arg(long, value_name = "STATE[:RADIUS]", requires = "dot", value_parser = parse_around)]
    pub around: Option<DrawnNeighbourhood>,
}

fn parse_around(text: &str) -> Result<DrawnNeighbourhood, String> {
    const USUAL: usize = 3;
    let (state, radius) = text.split_once(':').map_or((text, None), |(state, radius)| (state, Some(radius)));
    let state = state
        .parse()
        .map(StateId::from_u32)
        .map_err(|_| format!("`{state}` is not a state number: write STATE or STATE:RADIUS"))?;
    let radius = match radius {
        None => USUAL,
        Some(text) => text
            .parse()
            .map_err(|_| format!("`{text}` is not a valid radius: write a number of transitions"))?,
    };
    Ok(DrawnNeighbourhood { state, radius })
}

/// The strategy that chooses a counterexample.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum StrategyArg {
    /// Among the shortest, the one with the shortest abstraction
    Readable,
    /// A random one without repeated states (--seed)
    Random,
    /// A shortest one
    Shortest,
    /// A longest one without repeated states
    Longest,
    /// The shortest path to a faulty state, then the shortest path to the violation
    FaultyFirst,
    /// One with the fewest faulty states; among these, one with the shortest abstraction
    FewestFaulty,
    /// One with the most faulty states, without repeated states
    MostFaulty,
    /// A shortest one among those with the fewest faulty states
    ShortestFewestFaulty,
    /// The most probable one if all transitions of a state are equally probable
    MostProbable,
    /// The least probable one without repeated states
    LeastProbable,
    /// The shortest one through a faulty state nearest to the violation
    ClosestFaulty,
    /// As `closest`, with the fewest faulty states
    ClosestFewestFaulty,
    /// The shortest path to a neighbourhood, which stops there
    Neighbourhood,
}
