//! The questions by which it is found out what all violating traces have, and what none has, whatever traces and facts are.
//!
//! A counterexample without a fact refutes that all have it, one with it that none has; so traces that are known answer most
//! questions. What is left is asked of the solver for all facts at once, whose answer is one more such trace, or a proof for
//! all of them.

use super::candidates::Candidates;
use crate::results::result::{NecessaryFacts, TraceKind};
use kit::budget::{Budget, Limited};
use std::collections::BTreeSet;

/// The most conflicts of a question for a short list. Limits of work, unlike those of time for an SMT solver, give the same list on every machine.
const BRIEF_CONFLICTS: u32 = 1000;
/// The most questions of a kind for a short list.
const BRIEF_QUESTIONS: usize = 24;
/// The most conflicts of a question about several facts; one about a single fact has no such limit.
const JOINT_CONFLICTS: u32 = 20_000;
/// The most facts of each kind in a short list.
const BRIEF_FACTS: usize = 4;

/// Which traces are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TracePolarity {
    /// Violating ones.
    Violating,
    /// Those without violation that are to lack something: of finite ones, those that are at least as long as a shortest violating one.
    Accepted,
    /// Those without violation, however short.
    Harmless,
    /// All of them, going on after a violation as well.
    Any,
}

/// The outcome for candidates of which all traces were supposed to have each, or none.
#[derive(Default)]
pub struct SettledCandidates {
    /// So of all such traces.
    pub proved: Vec<usize>,
    /// Some trace is a counterexample.
    pub refuted: Vec<usize>,
    /// Not decided.
    pub open: Vec<usize>,
}

/// A search for what all violating traces have, and what none has. Candidates are meant by their numbers.
pub trait SharedFactSearch<K: TraceKind> {
    fn candidates(&self) -> &Candidates<K::Constraint>;
    /// True if all facts are asked for, and not only a short list.
    fn is_full(&self) -> bool;
    /// The limits of the search.
    fn budget(&self) -> &Budget;
    /// Among which traces one is looked for that has what no violating trace has.
    fn others(&self) -> TracePolarity;
    /// Such traces that are known already.
    fn known(&self, which: TracePolarity) -> Vec<&K::Trace>;
    /// True if a trace has a candidate, by the reference semantics.
    fn has(&self, trace: &K::Trace, candidate: usize) -> bool;
    /// Those of these candidates of which it is known without the solver whether all such traces `have` them, or none has them, with that.
    fn listed(&mut self, _candidates: &[usize], _which: TracePolarity, _have: bool) -> Vec<(usize, bool)> {
        Vec::new()
    }
    /// A trace that lacks one of these candidates at least, if they are supposed to `have` them, and otherwise has one; `None` if there
    /// is none.
    ///
    /// # Errors
    /// If that is not decided, with so many conflicts or within the budget.
    fn ask(
        &mut self,
        group: &[usize],
        which: TracePolarity,
        have: bool,
        most_conflicts: Option<u32>,
    ) -> Limited<Option<K::Trace>>;
    /// Keeps a trace that was found.
    fn learn(&mut self, which: TracePolarity, trace: K::Trace);
    /// True if a fact of all traces within the bound extends to all traces that the result is about; `None` if that is not decided.
    fn is_so_beyond(&mut self, candidate: usize, which: TracePolarity, have: bool) -> Option<bool>;
    /// The candidates that every class mentions, with what they imply.
    fn said_by_classes(&self) -> BTreeSet<usize>;
    /// Checks in a fresh solver that all violating traces have the first of these, and none has the second.
    fn check(&self, always: &[usize], never: &[usize]) -> Limited<()>;
    /// A candidate as text.
    fn show(&self, constraint: &K::Constraint) -> String;

    /// Everything that is asked for.
    fn run(&mut self) -> NecessaryFacts<K> {
        let full = self.is_full();
        let all: Vec<usize> = (0..self.candidates().list.len()).collect();
        let always = self.settle(&all, TracePolarity::Violating, true);
        // Predicates that hold in no counterexample are looked for elsewhere, and with their arguments, labels that none has are
        // many.
        let list = &self.candidates().list;
        let wanted: Vec<usize> = all.into_iter().filter(|&c| full || list[c].is_action).collect();
        let never = self.settle(&wanted, TracePolarity::Violating, false);
        // What a trace lacks already without a violation of its own tells nothing.
        let told = self.settle(&always.proved, TracePolarity::Accepted, true);
        let possible = self.settle(&never.proved, self.others(), false);
        let said = if full { BTreeSet::new() } else { self.said_by_classes() };
        // Where it is not decided that something tells violating traces from others, a long list does not deny it.
        let telling = |settled: &SettledCandidates| -> Vec<usize> {
            let open = settled.open.iter().filter(|_| full);
            settled.refuted.iter().chain(open).copied().collect()
        };
        let shared = |proved: &[usize], settled: &SettledCandidates, have: bool| {
            let show = |constraint: &K::Constraint| self.show(constraint);
            self.candidates().shared(proved, &said, &telling(settled), have, &show)
        };
        let mut result = NecessaryFacts {
            always: shared(&always.proved, &told, true),
            never: shared(&never.proved, &possible, false),
            full,
            ..NecessaryFacts::default()
        };
        if full {
            // What the budget leaves unchecked was proved once.
            let _ = self.check(&always.proved, &never.proved);
            let open = always.open.iter().chain(&never.open);
            let constraint = |&c: &usize| self.candidates().list[c].constraint.clone();
            result.undecided = open.map(constraint).collect();
            result.skipped = self.candidates().skipped.clone();
        } else {
            for list in [&mut result.always, &mut result.never] {
                list.retain(|fact| fact.telling);
                result.more += list.len().saturating_sub(BRIEF_FACTS);
                list.truncate(BRIEF_FACTS);
            }
        }
        result
    }

    /// Of which of these candidates it is true that all such traces have it, or that none has it: of those within the bound, and of all
    /// others if these are asked about.
    fn settle(&mut self, candidates: &[usize], which: TracePolarity, have: bool) -> SettledCandidates {
        let mut settled = self.settle_within(candidates, which, have);
        for c in std::mem::take(&mut settled.proved) {
            match self.is_so_beyond(c, which, have) {
                Some(true) => settled.proved.push(c),
                Some(false) => settled.refuted.push(c),
                None => settled.open.push(c),
            }
        }
        settled
    }

    /// As `settle`, for the traces within the bound.
    fn settle_within(&mut self, candidates: &[usize], which: TracePolarity, have: bool) -> SettledCandidates {
        let mut settled = SettledCandidates::default();
        let known = self.known(which);
        let refuted = |&c: &usize| known.iter().any(|trace| self.has(trace, c) != have);
        let (refuted, mut left): (Vec<usize>, Vec<usize>) = candidates.iter().partition(|c| refuted(c));
        settled.refuted = refuted;
        for (candidate, is_so) in self.listed(&left, which, have) {
            left.retain(|c| *c != candidate);
            if is_so { &mut settled.proved } else { &mut settled.refuted }.push(candidate);
        }
        let mut groups: Vec<Vec<usize>> = vec![left];
        groups.retain(|group| !group.is_empty());
        let mut questions = 0;
        while let Some(mut group) = groups.pop() {
            questions += 1;
            if !self.is_full() && questions > BRIEF_QUESTIONS {
                settled.open.extend(group);
                break;
            }
            let most = match self.is_full() {
                true => (group.len() > 1).then_some(JOINT_CONFLICTS),
                false => Some(BRIEF_CONFLICTS),
            };
            match self.budget().exhausted().map_or_else(|| self.ask(&group, which, have, most), Err) {
                Ok(None) => settled.proved.extend(group),
                Ok(Some(trace)) => {
                    let before = group.len();
                    settled.refuted.extend(group.extract_if(.., |c| self.has(&trace, *c) != have));
                    self.learn(which, trace);
                    if group.len() < before && !group.is_empty() {
                        groups.push(group);
                    } else if !group.is_empty() {
                        self.split(group, &mut groups, &mut settled);
                    }
                }
                Err(_) => self.split(group, &mut groups, &mut settled),
            }
        }
        settled.proved.sort_unstable();
        settled
    }

    /// Asks about parts of what was too hard to be asked about at once, if there is time.
    fn split(&self, mut group: Vec<usize>, groups: &mut Vec<Vec<usize>>, settled: &mut SettledCandidates) {
        if group.len() == 1 || !self.is_full() || self.budget().exhausted().is_some() {
            settled.open.extend(group);
            return;
        }
        let rest = group.split_off(group.len() / 2);
        groups.extend([rest, group]);
    }
}
