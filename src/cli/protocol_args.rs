//! The options that only protocol files (`.spdl`) have.

use super::values::{parse_count, parse_number};
use cladist::protocol::{Charts, ClaimedProperty, Translation};
use clap::{Args as Arguments, ValueEnum, ValueHint};
use itertools::Itertools;
use std::path::PathBuf;

/// Options for protocol files.
#[derive(Debug, Default, Arguments)]
#[command(next_help_heading = "Protocol files (.spdl)")]
pub struct ProtocolArgs {
    /// Only the claim with this label
    #[arg(long, value_name = "LABEL", conflicts_with = "property")]
    pub claim: Option<String>,
    /// What is looked at.
    #[command(flatten)]
    pub scope: ScopeArgs,
    /// The translation, once it is known; nothing for a model.
    #[arg(skip)]
    pub translation: Option<Translation>,
}

impl ProtocolArgs {
    /// What the roles claim; nothing for a model.
    pub fn claims(&self) -> &[ClaimedProperty] {
        self.translation.as_ref().map_or(&[], |translation| &translation.claims)
    }

    /// What it takes to draw traces.
    pub fn charts(&self) -> Option<Charts> {
        self.translation.as_ref().map(|translation| translation.charts.clone())
    }
}

/// How many runs and agents there are, and what the attacker can do.
#[derive(Debug, Default, Arguments)]
#[command(next_help_heading = "Protocol files (.spdl)")]
pub struct ScopeArgs {
    /// At most N runs of roles; 3 if not given
    #[arg(long, value_name = "N", value_parser = parse_count, allow_negative_numbers = true)]
    pub runs: Option<usize>,
    /// N honest agents; as many as a protocol has roles if not given
    #[arg(long, value_name = "N", value_parser = parse_count, allow_negative_numbers = true)]
    pub agents: Option<usize>,
    /// N agents are on the attacker's side; 1 if not given
    #[arg(long, value_name = "N", value_parser = parse_number::<usize>, allow_negative_numbers = true)]
    pub untrusted: Option<usize>,
    /// What variables take; terms of their types if not given
    #[arg(long = "match", value_enum, value_name = "TERMS")]
    pub matching: Option<Match>,
    /// What gets lost (several with commas)
    #[arg(long, value_enum, value_name = "WHAT", value_delimiter = ',')]
    pub reveal: Vec<Reveal>,
}

/// What variables take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Match {
    /// Terms of their types
    #[value(alias = "0")]
    Typed,
    /// Atomic terms of any type: basic type flaws
    #[value(alias = "1")]
    Basic,
    /// Any terms: all type flaws
    #[value(alias = "2")]
    Full,
}

/// What gets lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Reveal {
    /// The long-term keys of the agent that claims, from the start: key compromise impersonation
    Actor,
    /// All long-term keys, after the claim: forward secrecy
    After,
    /// What runs claimed to be a secret, when they are over and before the claiming run begins
    OldSessions,
}

impl ScopeArgs {
    /// The options that are given, as constants are set.
    pub fn overrides(&self) -> Vec<(String, String)> {
        let reveal = self.reveal.iter().map(name).join(",");
        let set = [
            ("RUNS", self.runs.map(|runs| runs.to_string())),
            ("AGENTS", self.agents.map(|agents| agents.to_string())),
            ("UNTRUSTED", self.untrusted.map(|untrusted| untrusted.to_string())),
            ("MATCH", self.matching.as_ref().map(name)),
            ("REVEAL", Some(reveal).filter(|reveal| !reveal.is_empty())),
        ];
        set.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
    }

    /// The first option that is given, to say which.
    pub fn given(&self) -> Option<&'static str> {
        let given = [
            ("--runs", self.runs.is_some()),
            ("--agents", self.agents.is_some()),
            ("--untrusted", self.untrusted.is_some()),
            ("--match", self.matching.is_some()),
            ("--reveal", !self.reveal.is_empty()),
        ];
        given.into_iter().find_map(|(option, given)| given.then_some(option))
    }
}

/// A value as it is written.
fn name(value: &impl ValueEnum) -> String {
    value.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}

/// `export sts`.
#[derive(Debug, Arguments)]
pub struct ExportStsArgs {
    /// The protocol (.spdl)
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    /// Output file [default: standard output]
    #[arg(value_name = "OUT", value_hint = ValueHint::FilePath)]
    pub out: Option<PathBuf>,
    /// What is looked at.
    #[command(flatten)]
    pub scope: ScopeArgs,
}
