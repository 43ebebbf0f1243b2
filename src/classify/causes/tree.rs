//! The causal tree of a property: from the search to the kinds.

use super::defences::{Defences, ModelChange, defences};
use super::enumeration::Enumeration;
use super::kinds::CausalKind;
use super::pattern::CausePattern;
use super::question::{CausalProblem, CausalQuestion, EveryTrace};
use super::way::Way;
use crate::facts::problem::Problem;
use engines::explore::{DecisivePlace, ListedFates};
use itertools::Itertools;
use kit::budget::{Exhausted, Observer};
use lang::model::{Environment, Model};
use lang::trace::Trace;
use solvers::sat::Backend;

/// The kinds of violation of a property, by the reasons of their steps.
#[derive(Debug, Clone, Default)]
pub struct CausalTree {
    /// The kinds, those with the shortest traces first.
    pub kinds: Vec<CausalKind>,
    /// The most steps of violating traces that all are of one of the kinds; `None` if initial states are undecided.
    pub complete_to: Option<usize>,
    /// From this number of steps on, traces that have the deciding steps of a shorter one were left out, because there are too many.
    pub narrowed_from: Option<usize>,
    /// True if the search ended because there are more patterns than were asked for.
    pub has_more: bool,
    /// The limit that ended the search, if one did.
    pub ended: Option<Exhausted>,
    /// The solver that checked that the kinds are all.
    pub checked_by: Option<&'static str>,
    /// The answer for traces of every length, if it is known.
    pub every_length: Option<EveryTrace>,
    /// True if actions of which every violating trace up to the bound has a step are in those of every length as well.
    pub always_in_all: bool,
    /// By kind the step of its first trace after which the violation can no longer be avoided; empty if not all states were listed.
    pub decisive: Vec<Option<DecisivePlace>>,
    /// The constants that stop kinds, if they were tried.
    pub defences: Option<Defences>,
    /// The number of questions to the solver.
    pub solver_calls: u64,
}

impl CausalTree {
    /// The tree of the violating traces that are asked about. A solver of this kind checks that the kinds are all.
    ///
    /// # Panics
    /// Only on a bug in this program.
    pub fn new(question: &CausalQuestion<'_>, check: Backend, observer: &mut dyn Observer) -> Self {
        let Enumeration { found, complete_to, narrowed_from, has_more, ended, solver_calls } =
            question.enumerate(observer);
        let kinds = question.kinds(found);
        let mut tree =
            Self { kinds, complete_to, narrowed_from, has_more, ended, solver_calls, ..Self::default() };
        if tree.ended.is_none() && !has_more {
            let ways = tree.all().flat_map(|kind| &kind.ways);
            let patterns: Vec<&CausePattern> = ways.map(|way| way.told(narrowed_from.is_some())).collect();
            match question.check_complete(&patterns, check) {
                Ok(solver) => tree.checked_by = Some(solver),
                Err(why) => tree.ended = Some(why),
            }
        }
        tree
    }

    /// Makes kinds with the same word one: the later ones are variants of the first. The words are those of the kinds, in their order.
    pub fn join(&mut self, words: &[Option<&str>]) {
        let mut joined: Vec<(Option<&str>, CausalKind)> = Vec::new();
        for (kind, word) in std::mem::take(&mut self.kinds).into_iter().zip(words) {
            match joined.iter_mut().find(|(known, _)| word.is_some() && known == word) {
                Some((_, host)) => host.add_variant(kind),
                None => joined.push((*word, kind)),
            }
        }
        self.kinds = joined.into_iter().map(|(_, kind)| kind).collect();
    }

    /// The kinds with their variants.
    pub fn all(&self) -> impl Iterator<Item = &CausalKind> {
        self.kinds.iter().flat_map(CausalKind::with_variants)
    }

    /// The decisive step of the first trace of a kind, if it is known.
    pub fn decisive_of(&self, kind: usize) -> Option<&DecisivePlace> {
        self.decisive.get(kind).and_then(Option::as_ref)
    }

    /// Decides whether the kinds are all in traces of every length, where all within the bound are known: by listing at most `limit` states, or by a symbolic
    /// proof. What takes longer than the budget stays open.
    pub fn find_every_length(&mut self, question: &CausalQuestion<'_>, limit: usize) {
        if self.checked_by.is_none() {
            return;
        }
        let ways: Vec<&Way> = self.all().flat_map(|kind| &kind.ways).collect();
        let deciding: Vec<&CausePattern> = ways.iter().map(|way| &way.deciding).unique().collect();
        let told = ways.iter().map(|way| way.told(self.narrowed_from.is_some()));
        let told: Vec<&CausePattern> = told.unique().collect();
        let covered = |every: Option<EveryTrace>| matches!(every, Some(EveryTrace::Covered { .. }));
        let every_length = question.every_length(&deciding, limit).ok().flatten();
        // Longer traces of the same kinds may lack steps that do not decide.
        let always_in_all = !told.is_empty()
            && covered(every_length)
            && (told == deciding || covered(question.every_length(&told, limit).ok().flatten()));
        (self.every_length, self.always_in_all) = (every_length, always_in_all);
    }

    /// Finds the decisive steps of the kinds of finite traces, where the model has at most `limit` states. The environment is that of the model, if none is given. What
    /// takes longer than the budget stays unknown.
    pub fn find_decisive(
        &mut self,
        question: &CausalQuestion<'_>,
        environment: Option<&Environment>,
        limit: usize,
    ) {
        let CausalProblem::Invariant(Problem { model, invariant }) = question.problem else { return };
        if self.kinds.is_empty() {
            return;
        }
        if let Ok(listed) = ListedFates::new(model, invariant, environment, limit, question.budget) {
            let traces = self.kinds.iter().map(|kind| &kind.ways[0].trace);
            let place = |trace: &Trace| trace.positions().find_map(|at| listed.decisive_place(trace, at));
            self.decisive = traces.map(place).collect();
        }
    }

    /// Finds the truth-valued constants that stop kinds, where all kinds are known.
    pub fn find_defences(&mut self, question: &CausalQuestion<'_>, change: &ModelChange<'_>) {
        if self.ended.is_none() {
            self.defences = defences(question, &mut self.kinds, change);
        }
    }

    /// The names of actions of which every violating trace up to the bound has a step, in the order of declaration.
    pub fn always(&self, model: &Model) -> Vec<String> {
        let in_all = |&action: &usize| {
            let mut ways = self.all().flat_map(|kind| &kind.ways);
            ways.all(|way| {
                way.told(self.narrowed_from.is_some()).steps.iter().any(|step| step.action == action)
            })
        };
        let is_known = self.ended.is_none() && !self.kinds.is_empty();
        let actions = (0..model.actions.len()).filter(|action| is_known && in_all(action));
        actions.map(|action| model.actions[action].name.clone()).collect()
    }
}
