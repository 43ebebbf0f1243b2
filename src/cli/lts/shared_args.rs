//! Options that several of the commands have: the property, the choice of a counterexample, the output.

use super::around::parse_around;
use cladist::lts::drawing::Around;
use clap::{Args, ValueHint};
use std::path::PathBuf;

/// The property as text.
#[derive(Debug, Args)]
pub struct PropertyTextArgs {
    /// The property: '[ true* . A . true* . B ] false', several of them joined by `and`
    #[arg(long, value_name = "TEXT", help_heading = "Property")]
    pub property: Option<String>,
    /// The file that has the property (.mcl)
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "property", help_heading = "Property")]
    pub property_file: Option<PathBuf>,
}

/// The property, and how it is understood.
#[derive(Debug, Args)]
pub struct PropertyArgs {
    /// What it says.
    #[command(flatten)]
    pub text: PropertyTextArgs,
    /// A transition is incorrect only if every run after it has the violation: one that stays in a loop avoids it, too
    #[arg(long, conflicts_with = "literal", help_heading = "Property")]
    pub strict: bool,
    /// Only traces that are themselves in L(R) are bad, not those that go on from there
    #[arg(long, help_heading = "Property")]
    pub literal: bool,
}

/// How results are printed.
#[derive(Debug, Args)]
pub struct ResultArgs {
    /// Print one JSON document and nothing else on standard output
    #[arg(long, help_heading = "Output")]
    pub json: bool,
    /// Exit with 0 where a violation gives 10
    #[arg(long, help_heading = "Output")]
    pub exit_zero: bool,
}

/// Which positions an abstraction is about.
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
    /// Draw the tagged system for Graphviz: correct green, incorrect red and dashed, neutral black and dotted
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Output")]
    pub dot: Option<PathBuf>,
    /// Draw only what is at most RADIUS transitions away from a state; 3 if not given
    #[arg(long, value_name = "STATE[:RADIUS]", requires = "dot", value_parser = parse_around, help_heading = "Output")]
    pub around: Option<Around>,
}

/// Which counterexample is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum StrategyArg {
    /// Of the shortest the one with the shortest abstraction
    Readable,
    /// One that chance finds (--seed), without repetition
    Random,
    /// A shortest one
    Shortest,
    /// A longest one without repetition
    Longest,
    /// The shortest way to a faulty state, and from there the shortest one to the violation
    FaultyFirst,
    /// One with as few faulty states as possible; of these the one with the shortest abstraction
    FewestFaulty,
    /// One with as many faulty states as possible, without repetition
    MostFaulty,
    /// The shortest of those with fewest faulty states
    ShortestFewestFaulty,
    /// The most probable one, when all transitions of a state are equally probable
    MostProbable,
    /// The least probable one without repetition
    LeastProbable,
    /// The shortest one through a faulty state that is as near to the violation as any
    ClosestFaulty,
    /// The same with as few faulty states as possible
    ClosestFewestFaulty,
    /// The shortest way to a neighbourhood, without going on to the violation
    Neighbourhood,
}
