//! Which occurrences are bugs, and of which kind.

use super::final_lts::FinalLts;
use super::marked::{Marked, Refused};
use super::paper;
use super::rank::{self, Rank};
use super::traces::{self, Way};
use crate::budget::{Budget, Exhausted};
use crate::diagnostics::Span;
use crate::lts::property::Property;
use crate::lts::safety::{Analysis, Incorrect, Stopped, Tag};
use crate::process::program::{CodeId, Program};
use crate::process::semantics::{Meaning, Trouble};

/// What an occurrence of a last action is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It makes the first violation of no run.
    None,
    /// It makes the first violation of no run of the part of the system that there is, which is not complete.
    Unknown,
    /// It does, and it is not certain whether it can be avoided: the system is not complete.
    Undecided,
    /// It does, and some run has no violation although it cannot be left out.
    Avoidable,
    /// It does, and without leaving it out every run has a violation.
    Inevitable,
}

/// An occurrence of a last action in the text.
#[derive(Debug, Clone)]
pub struct Occurrence {
    /// Its code.
    pub code: CodeId,
    /// Where it stands.
    pub span: Span,
    /// The labels of its transitions that are last ones.
    pub actions: Vec<String>,
    /// What it is.
    pub verdict: Verdict,
    /// What Algorithm 1 of the paper finds.
    pub paper: Verdict,
    /// A shortest run whose first violation it makes; of a bug only.
    pub way: Option<Way>,
    /// How often it happens; of a bug only, and only if the system is complete.
    pub rank: Option<Rank>,
}

/// What was found.
#[derive(Debug)]
pub struct Bugs {
    /// Whether the property holds, as far as the system was generated.
    pub holds: bool,
    /// The occurrences of last actions in the order of the text.
    pub occurrences: Vec<Occurrence>,
    /// The system without dummies: states, transitions, labels.
    pub original: (usize, usize, usize),
    /// The counterexample LTS in which inevitable bugs can be left out.
    pub final_lts: FinalLts,
    /// Why the system is not complete.
    pub stopped: Option<Trouble>,
}

impl Bugs {
    /// How many occurrences have a verdict.
    pub fn number(&self, verdict: Verdict) -> usize {
        self.occurrences.iter().filter(|occurrence| occurrence.verdict == verdict).count()
    }
}

/// How far to go.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// At most so many states.
    pub most_states: usize,
    /// Violating traces are counted up to this length.
    pub longest: usize,
}

/// Why there is no result.
#[derive(Debug)]
pub enum NoResult {
    /// The automaton of the property has too many states.
    Automaton,
    /// A value cannot be computed.
    Failure(Trouble),
    /// The budget ended.
    Exhausted(Exhausted),
    /// System and property are too large together.
    TooLarge,
}

impl From<Refused> for NoResult {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::Automaton => NoResult::Automaton,
            Refused::Failure(trouble) => NoResult::Failure(trouble),
            Refused::Exhausted(why) => NoResult::Exhausted(why),
        }
    }
}

impl From<Exhausted> for NoResult {
    fn from(why: Exhausted) -> Self {
        NoResult::Exhausted(why)
    }
}

impl From<Stopped> for NoResult {
    fn from(stopped: Stopped) -> Self {
        match stopped {
            Stopped::Exhausted(why) => NoResult::Exhausted(why),
            Stopped::TooLarge { .. } => NoResult::TooLarge,
        }
    }
}

/// Counts the bugs of a program.
///
/// # Errors
/// If the system cannot be generated or analysed at all; limits of the generation are part of the result.
pub fn count(
    program: &Program,
    property: &Property,
    limits: Limits,
    budget: &Budget,
) -> Result<Bugs, NoResult> {
    let marked = Marked::new(program, property, limits.most_states, budget)?;
    let without_dummies = marked.only(|meaning| matches!(meaning, Meaning::Actions { .. }));
    let automaton = marked.seeing_actions();
    let original = Analysis::new(&without_dummies, &automaton, Incorrect::EveryRun, budget)?;
    let holds = original.holds();
    let runs = if holds { vec![None; marked.occurrences.len()] } else { traces::runs(&marked, &original) };
    let by_paper = paper::verdicts(&marked, budget)?;
    let mut ranks = match (holds, &marked.stopped) {
        (false, None) => rank::ranks(&marked, &original, limits.longest, budget)?,
        _ => Vec::new(),
    };
    let mut occurrences = Vec::new();
    for (at, &code) in marked.occurrences.iter().enumerate() {
        let verdict = match &runs[at] {
            None if marked.stopped.is_some() => Verdict::Unknown,
            None => Verdict::None,
            Some(_) if marked.stopped.is_some() => Verdict::Undecided,
            Some(_) if is_inevitable(&marked, code, budget)? => Verdict::Inevitable,
            Some(_) => Verdict::Avoidable,
        };
        occurrences.push(Occurrence {
            code,
            span: program.code[code as usize].span,
            actions: actions_of(&marked, code),
            verdict,
            paper: by_paper[at],
            way: None,
            rank: runs[at].as_ref().and(ranks.get_mut(at).map(std::mem::take)),
        });
    }
    let inevitable: Vec<CodeId> =
        occurrences.iter().filter(|o| o.verdict == Verdict::Inevitable).map(|o| o.code).collect();
    let with_inevitable = marked.only(|meaning| match meaning {
        Meaning::Actions { .. } => true,
        Meaning::Dummy(code) => inevitable.contains(code),
    });
    let choices = Analysis::new(&with_inevitable, &automaton, Incorrect::EveryRun, budget)?;
    for (occurrence, run) in occurrences.iter_mut().zip(&runs) {
        occurrence.way = run.as_ref().map(|run| run.explain(&marked, &choices));
        // Another choice would only leave something out later on.
        if let Some(way) = occurrence.way.as_mut().filter(|_| occurrence.verdict == Verdict::Inevitable) {
            way.avoided_by = None;
        }
    }
    let final_lts = FinalLts::new(&marked, &with_inevitable, budget)?;
    Ok(Bugs { holds, occurrences, original: marked.original, final_lts, stopped: marked.stopped })
}

/// Whether every run of a complete system has a violation if an action cannot be left out.
fn is_inevitable(marked: &Marked, code: CodeId, budget: &Budget) -> Result<bool, Stopped> {
    let lts = marked.only(|meaning| *meaning != Meaning::Dummy(code));
    let automaton = marked.seeing_actions();
    let analysis = Analysis::new(&lts, &automaton, Incorrect::EveryRun, budget)?;
    Ok(analysis.tag(analysis.product.initial()) == Tag::Incorrect)
}

fn actions_of(marked: &Marked, code: CodeId) -> Vec<String> {
    let mut found: Vec<String> = marked
        .meanings
        .iter()
        .filter_map(|meaning| match meaning {
            Meaning::Actions { visible, who } if who.contains(&code) => {
                Some(marked.names.text(*visible).into_owned())
            }
            _ => None,
        })
        .collect();
    found.sort();
    found.dedup();
    found
}
