//! Which occurrences are bugs, and of which kind.

use super::error::BugsError;
use super::final_lts::FinalLts;
use super::marked::Marked;
use super::paper;
use super::rank;
use super::result::{Bugs, Limits, Occurrence, Verdict};
use super::traces;
use crate::budget::Budget;
use crate::diagnostics::Span;
use crate::lts::property::Property;
use crate::lts::quotient;
use crate::lts::safety::{Analysis, AnalysisError, Incorrect, Tag};
use crate::process::program::{CodeId, Program};
use crate::process::semantics::Meaning;

/// Counts the bugs of a program.
///
/// # Errors
/// If the system cannot be generated or analysed at all; limits of the generation are part of the result.
pub fn count(
    program: &Program,
    property: &Property,
    limits: Limits,
    budget: &Budget,
) -> Result<Bugs, BugsError> {
    let marked = Marked::new(program, property, limits.most_states, budget)?;
    let without_dummies = marked.only(|meaning| matches!(meaning, Meaning::Actions { .. }));
    let automaton = marked.seeing_actions();
    let original = Analysis::new(&without_dummies, &automaton, Incorrect::EveryRun, budget)?;
    let holds = original.holds();
    let runs = if holds { vec![None; marked.occurrences.len()] } else { traces::runs(&marked, &original) };
    let by_paper = match &marked.stopped {
        None => paper::verdicts(&marked, budget)?,
        Some(_) => vec![Verdict::Undecided; marked.occurrences.len()],
    };
    let mut ranks = match (holds, &marked.stopped) {
        // States that differed only in their dummies are merged.
        (false, None) => {
            let lts = quotient(&without_dummies, budget)?.lts;
            let original = Analysis::new(&lts, &automaton, Incorrect::EveryRun, budget)?;
            rank::ranks(&marked, &original, limits.longest, budget)?
        }
        _ => Vec::new(),
    };
    let mut occurrences = Vec::new();
    for (at, &code) in marked.occurrences.iter().enumerate() {
        let verdict = match &runs[at] {
            None if marked.stopped.is_some() => Verdict::Unknown,
            None => Verdict::None,
            Some(_) if marked.stopped.is_some() => Verdict::Undecided,
            Some(_) if violates_always(&marked, |other| *other != code, budget)? => Verdict::Inevitable,
            Some(_) => Verdict::Avoidable,
        };
        occurrences.push(Occurrence {
            code,
            span: program.code[code.index()].span,
            actions: actions_of(&marked, code),
            verdict,
            paper: by_paper[at],
            way: None,
            avoided_without: None,
            rank: runs[at].as_ref().and(ranks.get_mut(at).map(std::mem::take)),
        });
    }
    let inevitable: Vec<CodeId> =
        occurrences.iter().filter(|o| o.verdict == Verdict::Inevitable).map(|o| o.code).collect();
    let with_inevitable = marked.only(|meaning| match meaning {
        Meaning::Actions { .. } => true,
        Meaning::Dummy(code) => inevitable.contains(code),
        Meaning::Fails => false,
    });
    let choices = Analysis::new(&with_inevitable, &automaton, Incorrect::EveryRun, budget)?;
    for (occurrence, run) in occurrences.iter_mut().zip(&runs) {
        occurrence.way = run.as_ref().map(|run| run.explain(&marked, &choices));
        // For an inevitable bug, another choice would only defer the omission; and missing parts of the system could
        // violate the property anyway.
        let unknown = occurrence.verdict == Verdict::Inevitable || !marked.complete;
        if let Some(way) = occurrence.way.as_mut().filter(|_| unknown) {
            way.avoided_by = None;
        }
    }
    if choices.tag(choices.product.initial()) == Tag::Incorrect {
        avoided_without(&marked, &inevitable, &mut occurrences, budget)?;
    }
    let final_lts = FinalLts::new(&marked, &with_inevitable, budget)?;
    let Marked { original, complete, stopped, fails, .. } = marked;
    Ok(Bugs { holds, occurrences, original, final_lts, complete, stopped, fails })
}

/// For avoidable bugs that no choice of actions avoids: the other occurrences whose omission avoids them.
fn avoided_without(
    marked: &Marked,
    inevitable: &[CodeId],
    occurrences: &mut [Occurrence],
    budget: &Budget,
) -> Result<(), AnalysisError> {
    if !occurrences.iter().any(|o| o.verdict == Verdict::Avoidable) {
        return Ok(());
    }
    let mut enough: Vec<(CodeId, Span)> = Vec::new();
    for other in occurrences.iter().filter(|o| o.verdict != Verdict::Inevitable) {
        let left_out = |code: &CodeId| *code == other.code || inevitable.contains(code);
        if !violates_always(marked, left_out, budget)? {
            enough.push((other.code, other.span));
        }
    }
    for occurrence in occurrences.iter_mut().filter(|o| o.verdict == Verdict::Avoidable) {
        let others = enough.iter().filter(|(code, _)| *code != occurrence.code);
        occurrence.avoided_without = Some(others.map(|(_, span)| *span).collect());
    }
    Ok(())
}

/// Whether every run of a complete system has a violation if only certain actions can be left out.
fn violates_always(
    marked: &Marked,
    left_out: impl Fn(&CodeId) -> bool,
    budget: &Budget,
) -> Result<bool, AnalysisError> {
    let lts = marked.only(|meaning| match meaning {
        Meaning::Dummy(code) => left_out(code),
        _ => true,
    });
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
