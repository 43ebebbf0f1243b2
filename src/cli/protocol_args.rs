//! The options of protocol files (`.spdl`).

use super::loading::FormerOutputArgs;
use super::values::{parse_count, parse_number};
use cladist::diagnostics::Diagnostic;
use cladist::protocol::{Charts, ClaimedProperty, ClaimsAsked, Loss, Matching, TranslatedFile};
use clap::builder::PossibleValue;
use clap::{Args as Arguments, ValueEnum, ValueHint};
use itertools::Itertools;
use std::path::PathBuf;

/// Options for protocol files.
#[derive(Debug, Default, Arguments)]
pub struct ProtocolArgs {
    /// Restrict to these claims (comma-separated labels)
    #[arg(long, value_name = "LABEL", conflicts_with = "property", value_delimiter = ',')]
    pub claim: Vec<String>,
    #[command(flatten)]
    pub scope: ScopeArgs,
    /// The properties of the chosen claims, once they are known, in the order of the labels.
    #[arg(skip)]
    pub properties: Vec<String>,
    /// True if claims are asked about for any number of runs.
    #[arg(skip)]
    pub any_runs: bool,
    /// True if proofs for any number of runs answer as well.
    #[arg(skip)]
    pub takes_proofs: bool,
    /// The translated file, once it is known; `None` for a model.
    #[arg(skip)]
    pub file: Option<TranslatedFile>,
}

impl ProtocolArgs {
    /// Returns the claims of the roles; none for a model.
    pub fn claims(&self) -> &[ClaimedProperty] {
        self.file.as_ref().map_or(&[], |file| &file.translation.claims)
    }

    /// Returns warnings about limits of the model of few runs that have to be given if patterns do not settle the claims.
    pub fn limits_beside_patterns(&self) -> Vec<Diagnostic> {
        self.file.as_ref().filter(|_| self.any_runs).map_or(Vec::new(), TranslatedFile::limits)
    }

    /// Returns the data for drawing traces.
    pub fn charts(&self) -> Option<Charts> {
        self.file.as_ref().map(|file| file.translation.charts.clone())
    }
}

/// The numbers of runs and agents, and the abilities of the attacker.
#[derive(Debug, Default, Arguments)]
pub struct ScopeArgs {
    /// Up to N runs of roles [default: 3; `check` and `classify`: also any number]
    #[arg(long, value_name = "N", value_parser = parse_count, allow_negative_numbers = true)]
    pub runs: Option<usize>,
    /// N honest agents [default: one for each role]
    #[arg(long, value_name = "N", value_parser = parse_count, allow_negative_numbers = true)]
    pub agents: Option<usize>,
    /// N agents of the attacker [default: 1]
    #[arg(long, value_name = "N", value_parser = parse_number::<usize>, allow_negative_numbers = true)]
    pub untrusted: Option<usize>,
    /// Terms that a variable may match [default: those of its type]
    #[arg(long = "match", value_enum, value_name = "TERMS")]
    pub matching: Option<Match>,
    /// Keys or secrets that the attacker gets (comma-separated)
    #[arg(long, value_enum, value_name = "WHAT", value_delimiter = ',')]
    pub reveal: Vec<Reveal>,
    /// Instead of the claims of the file, ask whether runs come to the end of each role, and whether its values are secret
    #[arg(long)]
    pub explore: bool,
}

/// The terms that variables take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Match(Matching);

impl ValueEnum for Match {
    fn value_variants<'a>() -> &'a [Self] {
        const ALL: [Match; Matching::ALL.len()] =
            [Match(Matching::ALL[0]), Match(Matching::ALL[1]), Match(Matching::ALL[2])];
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let (number, help) = match self.0 {
            Matching::Typed => ("0", "Terms of their types"),
            Matching::Basic => ("1", "Atomic terms of any type: basic type flaws"),
            Matching::Full => ("2", "Any terms: all type flaws"),
        };
        Some(PossibleValue::new(self.0.name()).alias(number).help(help))
    }
}

/// The terms that get lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reveal(Loss);

impl ValueEnum for Reveal {
    fn value_variants<'a>() -> &'a [Self] {
        const ALL: [Reveal; Loss::ALL.len()] = {
            let mut all = [Reveal(Loss::Actor); Loss::ALL.len()];
            let mut at = 0;
            while at < all.len() {
                all[at] = Reveal(Loss::ALL[at]);
                at += 1;
            }
            all
        };
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let help = match self.0 {
            Loss::Actor => {
                "The long-term keys of the agent that claims, from the start: key compromise impersonation"
            }
            Loss::After => "All long-term keys, after the claim: forward secrecy",
            Loss::OldSessions => "The claimed secrets of runs that ended before the claiming run begins",
            Loss::SessionKeys => "The session keys of runs that are no partners of the claiming run",
            Loss::States => "The fresh values and variables of runs that are no partners of the claiming run",
            Loss::Random => "The fresh values of all runs",
        };
        Some(PossibleValue::new(self.0.name()).help(help))
    }
}

impl ScopeArgs {
    /// Returns the given options, as constants are set.
    pub fn overrides(&self) -> Vec<(String, String)> {
        let reveal = self.reveal.iter().map(|reveal| reveal.0.name()).join(",");
        let set = [
            ("RUNS", self.runs.map(|runs| runs.to_string())),
            ("AGENTS", self.agents.map(|agents| agents.to_string())),
            ("UNTRUSTED", self.untrusted.map(|untrusted| untrusted.to_string())),
            ("MATCH", self.matching.map(|matching| matching.0.name().to_owned())),
            ("REVEAL", Some(reveal).filter(|reveal| !reveal.is_empty())),
            ("CLAIMS", self.explore.then(|| ClaimsAsked::Overview.name().to_owned())),
        ];
        set.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
    }

    /// Returns the first given option, for messages.
    pub fn given(&self) -> Option<&'static str> {
        let given = [
            ("--runs", self.runs.is_some()),
            ("--agents", self.agents.is_some()),
            ("--untrusted", self.untrusted.is_some()),
            ("--match", self.matching.is_some()),
            ("--reveal", !self.reveal.is_empty()),
            ("--explore", self.explore),
        ];
        given.into_iter().find_map(|(option, given)| given.then_some(option))
    }
}

#[derive(Debug, Arguments)]
pub struct ExportStsArgs {
    /// The protocol (.spdl, .anb, .scm)
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    #[command(flatten)]
    pub output: FormerOutputArgs,
    #[command(flatten)]
    pub scope: ScopeArgs,
}
