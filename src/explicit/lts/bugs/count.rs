//! Which occurrences are bugs, and of which kind.

use super::marked::{Marked, MarkedLabel, OccurrenceId};
use super::result::FinalLts;
use super::result::{BugVerdict, Bugs, Occurrence};
use super::{rank, traces};
use crate::lts::quotient;
use crate::lts::safety::{AnalysisError, Incorrect, SafetyAnalysis, Tag};
use kit::budget::Budget;
use kit::diagnostics::Span;

/// Counts the bugs of a system, and their violating traces up to a length.
///
/// # Errors
/// If the budget is exhausted, or the product of system and property is too large.
pub fn count(marked: Marked, longest: usize, budget: &Budget) -> Result<Bugs, AnalysisError> {
    let without_dummies = marked.only(|meaning| meaning.visible().is_some());
    let automaton = marked.seeing_actions();
    let original = SafetyAnalysis::new(&without_dummies, &automaton, Incorrect::EveryRun, budget)?;
    let holds = original.holds();
    let runs = if holds { vec![None; marked.occurrences.len()] } else { traces::runs(&marked, &original) };
    let by_paper = match marked.partial {
        false => verdicts(&marked, budget)?,
        true => vec![BugVerdict::Undecided; marked.occurrences.len()],
    };
    let mut ranks = match (holds, marked.partial) {
        // States that differed only in their dummies are merged.
        (false, false) => {
            let lts = quotient(&without_dummies, budget)?.lts;
            let original = SafetyAnalysis::new(&lts, &automaton, Incorrect::EveryRun, budget)?;
            rank::ranks(&marked, &original, longest, budget)?
        }
        _ => Vec::new(),
    };
    let mut occurrences = Vec::new();
    for id in marked.ids() {
        let at = id.index();
        let verdict = match &runs[at] {
            None if marked.partial => BugVerdict::Unknown,
            None => BugVerdict::None,
            Some(_) if marked.partial => BugVerdict::Undecided,
            Some(_) if violates_always(&marked, |other| other != id, budget)? => BugVerdict::Inevitable,
            Some(_) => BugVerdict::Avoidable,
        };
        occurrences.push(Occurrence {
            id,
            span: marked.occurrences[at],
            actions: actions_of(&marked, id),
            verdict,
            paper: by_paper[at],
            way: None,
            avoided_without: None,
            rank: runs[at].as_ref().and(ranks.get_mut(at).map(std::mem::take)),
        });
    }
    let inevitable: Vec<OccurrenceId> =
        occurrences.iter().filter(|o| o.verdict == BugVerdict::Inevitable).map(|o| o.id).collect();
    let with_inevitable = marked.only(|meaning| match meaning {
        MarkedLabel::Dummy(id) => inevitable.contains(id),
        _ => meaning.visible().is_some(),
    });
    let choices = SafetyAnalysis::new(&with_inevitable, &automaton, Incorrect::EveryRun, budget)?;
    for (occurrence, run) in occurrences.iter_mut().zip(&runs) {
        occurrence.way = run.as_ref().map(|run| run.explain(&marked, &choices));
        // For an inevitable bug, another choice would only defer the omission; and missing parts of the system could
        // violate the property anyway.
        let unknown = occurrence.verdict == BugVerdict::Inevitable || !marked.complete;
        if let Some(way) = occurrence.way.as_mut().filter(|_| unknown) {
            way.avoided_by = None;
        }
    }
    if choices.tag(choices.product.initial()) == Tag::Incorrect {
        avoided_without(&marked, &inevitable, &mut occurrences, budget)?;
    }
    let final_lts = FinalLts::new(&marked, &with_inevitable, budget)?;
    let Marked { original, complete, partial, .. } = marked;
    Ok(Bugs { holds, occurrences, original, final_lts, complete, partial, by_parts: false })
}

/// For avoidable bugs that no choice of actions avoids: the other occurrences whose omission avoids them.
fn avoided_without(
    marked: &Marked,
    inevitable: &[OccurrenceId],
    occurrences: &mut [Occurrence],
    budget: &Budget,
) -> Result<(), AnalysisError> {
    if !occurrences.iter().any(|o| o.verdict == BugVerdict::Avoidable) {
        return Ok(());
    }
    let mut enough: Vec<(OccurrenceId, Span)> = Vec::new();
    for other in occurrences.iter().filter(|o| o.verdict != BugVerdict::Inevitable) {
        let left_out = |id: OccurrenceId| id == other.id || inevitable.contains(&id);
        if !violates_always(marked, left_out, budget)? {
            enough.push((other.id, other.span));
        }
    }
    for occurrence in occurrences.iter_mut().filter(|o| o.verdict == BugVerdict::Avoidable) {
        let others = enough.iter().filter(|(id, _)| *id != occurrence.id);
        occurrence.avoided_without = Some(others.map(|(_, span)| *span).collect());
    }
    Ok(())
}

/// True if every run of a complete system has a violation if only certain actions can be left out.
fn violates_always(
    marked: &Marked,
    left_out: impl Fn(OccurrenceId) -> bool,
    budget: &Budget,
) -> Result<bool, AnalysisError> {
    let lts = marked.only(|meaning| match meaning {
        MarkedLabel::Dummy(id) => left_out(*id),
        _ => true,
    });
    let automaton = marked.seeing_actions();
    let analysis = SafetyAnalysis::new(&lts, &automaton, Incorrect::EveryRun, budget)?;
    Ok(analysis.tag(analysis.product.initial()) == Tag::Incorrect)
}

fn actions_of(marked: &Marked, id: OccurrenceId) -> Vec<String> {
    let mut found: Vec<String> = marked
        .meanings
        .iter()
        .filter_map(|meaning| match meaning {
            MarkedLabel::Actions { visible, who } if who.contains(&id) => {
                Some(marked.names.text(*visible).into_owned())
            }
            _ => None,
        })
        .collect();
    found.sort();
    found.dedup();
    found
}

pub fn verdicts(marked: &Marked, budget: &Budget) -> Result<Vec<BugVerdict>, AnalysisError> {
    let automaton = marked.seeing_dummies();
    let all = marked.only(|_| true);
    let with_all = SafetyAnalysis::new(&all, &automaton, Incorrect::NoWayOut, budget)?;
    let mut leaves_faulty = vec![false; marked.meanings.len()];
    for position in with_all.violable().filter(|&p| !with_all.product.is_bad(p) && with_all.is_faulty(p)) {
        for (label, _) in with_all.product.after(position) {
            leaves_faulty[label.index()] = true;
        }
    }
    let mut found = Vec::new();
    for id in marked.ids() {
        let dummy = MarkedLabel::Dummy(id);
        let chosen = marked.meanings.iter().zip(&leaves_faulty).any(|(m, faulty)| *faulty && *m == dummy);
        if !chosen {
            found.push(BugVerdict::None);
            continue;
        }
        let lts = marked.only(|meaning| *meaning != dummy);
        let analysis = SafetyAnalysis::new(&lts, &automaton, Incorrect::NoWayOut, budget)?;
        let faulty = analysis.violable().any(|p| !analysis.product.is_bad(p) && analysis.is_faulty(p));
        found.push(if faulty { BugVerdict::Avoidable } else { BugVerdict::Inevitable });
    }
    Ok(found)
}
