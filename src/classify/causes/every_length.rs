//! Kinds of traces of every length: a search over all states, each with the steps that led to it, for a violation without the steps of a kind; of
//! infinite traces in the product of the states with the property and the kinds. Of too many states, a symbolic proof.

use super::counters;
use super::pattern::{ArgumentSlot, CausePattern, PatternStep};
use super::question::{CausalQuestion, EveryTrace};
use crate::facts::atom::Atoms;
use crate::facts::problem::Problem;
use crate::lassos::claims::NoLassoClaim;
use crate::lassos::condition::LassoCondition;
use crate::lassos::constraint::LassoConstraint;
use crate::lassos::options::LassoProblem;
use crate::lassos::oracle::{LassoOracle, LassoQuery};
use crate::lassos::proof::LassoProver;
use crate::lassos::unbounded::contradiction;
use engines::explore::Graph;
use engines::ltl::LtlFormula;
use engines::prove::ProofEffort;
use kit::budget::{Exhausted, Limited};
use kit::number::to_u32;
use lang::model::value::Label;
use rustc_hash::FxHashMap;
use std::time::Duration;

/// The processor time for listing states before a symbolic proof is tried.
const LISTING: Duration = Duration::from_secs(2);

/// The steps on the way to a state, as far as patterns tell them apart: how often each was taken.
type StepCounts = Vec<u32>;

struct Situations<'a> {
    question: &'a CausalQuestion<'a, Problem<'a>>,
    patterns: &'a [&'a CausePattern],
    /// For each action the parts of its arguments that some pattern tells apart, and how many steps of it a pattern has before the last one.
    told: Vec<(Vec<bool>, u32)>,
    /// The forms of labels before the last one, each with its number.
    forms: Vec<PatternStep>,
    numbers: FxHashMap<PatternStep, usize>,
    /// By state the fewest steps with which it was reached.
    reached: Vec<Vec<StepCounts>>,
    known: FxHashMap<(PatternStep, StepCounts), bool>,
}

impl CausalQuestion<'_, Problem<'_>> {
    /// Decides whether violating traces of every length contain one of these patterns, which those within the bound do: by listing the states with
    /// the steps before them, if there are at most `limit`, else by a symbolic proof. `None` if there is too much to remember of the steps.
    ///
    /// # Errors
    /// If the budget is exhausted first.
    pub fn every_length(&self, patterns: &[&CausePattern], limit: usize) -> Limited<Option<EveryTrace>> {
        let problem = self.problem;
        let budget = &self.budget.at_most_work(LISTING);
        let listing = CausalQuestion { budget, ..*self };
        let graph = Graph::explore(problem.model, Some(problem.invariant), limit, budget);
        let listed =
            graph.ok().and_then(|graph| Situations::new(&listing, patterns, &graph).run(&graph, limit).ok());
        let every = match listed.flatten() {
            None => self.proved(patterns)?,
            every => every,
        };
        // Patterns of deciding steps may tell individuals apart that patterns of all steps do not.
        Ok(every.filter(|every| !matches!(every, EveryTrace::Longer(steps) if *steps <= self.bound)))
    }

    /// Decides the same symbolically.
    fn proved(&self, patterns: &[&CausePattern]) -> Limited<Option<EveryTrace>> {
        let effort = ProofEffort { backend: self.solver.backend, budget: self.budget, observer: &mut () };
        match counters::proved(self.problem, self.parts, patterns, effort)? {
            Some(EveryTrace::Longer(steps)) => {
                let trace = Self { bound: steps, ..*self }.shortest_without(patterns)?;
                Ok(Some(EveryTrace::Longer(trace.map_or(steps, |trace| trace.len()))))
            }
            answer => Ok(answer),
        }
    }
}

impl CausalQuestion<'_, LassoProblem<'_>> {
    /// Decides whether violating lassos of every length contain one of these patterns, which those within the bound do: by listing the states, if there are
    /// at most `limit`, else by a symbolic proof.
    ///
    /// # Errors
    /// If the budget is exhausted first.
    pub fn every_length(&self, patterns: &[&CausePattern], limit: usize) -> Limited<Option<EveryTrace>> {
        let (problem, atoms) = (self.problem, &Atoms::default());
        let patterns: Vec<LassoConstraint> =
            patterns.iter().map(|pattern| self.constraint(atoms, pattern)).collect();
        let outside: Vec<&LassoConstraint> = patterns.iter().collect();
        let claims = &[NoLassoClaim { satisfied: false, inside: Vec::new(), outside }];
        let short = &self.budget.at_most_work(LISTING);
        let listed = Graph::explore(problem.model, None, limit, short).ok().and_then(|graph| {
            let found = contradiction((problem, &graph), atoms, claims, short).ok()?;
            Some((found, Some(graph.states.len())))
        });
        let (found, situations) = match listed {
            Some(answer) => answer,
            None => {
                let (backend, budget) = (self.solver.backend, self.budget);
                let mut prover = LassoProver { problem, atoms, claims, backend, budget, observer: &mut () };
                (prover.contradiction().map_err(|open| open.why)?, None)
            }
        };
        let Some(lasso) = found else { return Ok(Some(EveryTrace::Covered { situations })) };
        // The lasso need not be a shortest one.
        let violated = LtlFormula::new(problem.formula, false);
        let asked = LassoQuery::violating(problem, atoms, &violated, lasso.len());
        let outside: Vec<LassoCondition> = patterns.iter().cloned().map(LassoCondition::Outside).collect();
        let shortest = LassoOracle::new(asked, self.solver, self.budget).shortest(1, &outside)?;
        let steps = shortest.map_or(lasso.len(), |lasso| lasso.len());
        // Patterns of deciding steps may tell individuals apart that patterns of all steps do not.
        Ok((steps > self.bound).then_some(EveryTrace::Longer(steps)))
    }
}

impl<'a> Situations<'a> {
    fn new(
        question: &'a CausalQuestion<'a, Problem<'a>>,
        patterns: &'a [&'a CausePattern],
        graph: &Graph,
    ) -> Self {
        let mut told: Vec<(Vec<bool>, u32)> =
            question.parts.of.iter().map(|parts| (vec![false; parts.len()], 0)).collect();
        for pattern in patterns {
            let mut steps = vec![0; told.len()];
            for form in pattern.steps.iter().skip(pattern.roots) {
                steps[form.action] += 1;
                let parts = told[form.action].0.iter_mut().zip(&form.slots);
                parts.for_each(|(told, slot)| *told |= *slot != ArgumentSlot::Any);
            }
            told.iter_mut().zip(steps).for_each(|((_, most), steps)| *most = (*most).max(steps));
        }
        Self {
            question,
            patterns,
            told,
            forms: Vec::new(),
            numbers: FxHashMap::default(),
            reached: vec![Vec::new(); graph.states.len()],
            known: FxHashMap::default(),
        }
    }

    fn run(mut self, graph: &Graph, limit: usize) -> Limited<Option<EveryTrace>> {
        let is_violated: Vec<bool> =
            graph.states.iter().map(|state| self.question.problem.is_violated_in(state)).collect();
        let initial = (0..to_u32(graph.initial)).map(|first| graph.state_of(first));
        let mut layer: Vec<(usize, StepCounts)> =
            initial.filter(|state| !is_violated[*state]).map(|state| (state, StepCounts::new())).collect();
        layer.retain(|(state, taken)| self.is_new(*state, taken));
        let (mut situations, mut steps) = (layer.len(), 0);
        while !layer.is_empty() {
            steps += 1;
            let mut next = Vec::new();
            for (state, taken) in layer {
                self.question.budget.exhausted().map_or(Ok(()), Err::<(), Exhausted>)?;
                for &arrival in &graph.steps[state] {
                    let (to, label) = (graph.state_of(arrival), graph.moment(arrival).label);
                    let Some(label) = label else { continue };
                    if is_violated[to] {
                        if !self.is_covered(&label, &taken) {
                            return Ok(Some(EveryTrace::Longer(steps)));
                        }
                    } else {
                        let taken = self.after(&taken, &label);
                        if self.is_new(to, &taken) {
                            next.push((to, taken));
                        }
                    }
                }
            }
            situations += next.len();
            if situations > limit {
                return Ok(None);
            }
            layer = next;
        }
        Ok(Some(EveryTrace::Covered { situations: Some(situations) }))
    }

    /// Notes a situation; false if one with the same state and no more steps is known.
    fn is_new(&mut self, state: usize, taken: &StepCounts) -> bool {
        let is_within = |few: &StepCounts, many: &StepCounts| {
            few.iter().enumerate().all(|(number, times)| *times <= many.get(number).copied().unwrap_or(0))
        };
        let known = &mut self.reached[state];
        if known.iter().any(|other| is_within(other, taken)) {
            return false;
        }
        known.retain(|other| !is_within(taken, other));
        known.push(taken.clone());
        true
    }

    /// The steps with one more.
    fn after(&mut self, taken: &StepCounts, label: &Label) -> StepCounts {
        let (told, most) = &self.told[label.action];
        let mut taken = taken.clone();
        if *most == 0 {
            return taken;
        }
        let slots = self.question.parts.of[label.action].iter().zip(told);
        let slots = slots.map(|(part, told)| match told {
            true => ArgumentSlot::Value(part.of(label).clone()),
            false => ArgumentSlot::Any,
        });
        let form = PatternStep { action: label.action, slots: slots.collect() };
        let number = *self.numbers.entry(form).or_insert_with_key(|form| {
            self.forms.push(form.clone());
            self.forms.len() - 1
        });
        if taken.len() <= number {
            taken.resize(number + 1, 0);
        }
        taken[number] = (taken[number] + 1).min(*most);
        taken
    }

    /// True if a violating trace with this last label, and these steps before it, contains one of the patterns.
    fn is_covered(&mut self, last: &Label, taken: &StepCounts) -> bool {
        let slots =
            self.question.parts.of[last.action].iter().map(|part| ArgumentSlot::Value(part.of(last).clone()));
        let last = PatternStep { action: last.action, slots: slots.collect() };
        let key = (last, taken.clone());
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let others = taken.iter().zip(&self.forms);
        let others = others.flat_map(|(times, form)| std::iter::repeat_n(form.clone(), *times as usize));
        let steps = std::iter::once(key.0.clone()).chain(others).collect();
        let trace = CausePattern { steps, roots: 1, ..CausePattern::default() };
        let is_covered = self.patterns.iter().any(|pattern| pattern.is_rooted_in(&trace));
        self.known.insert(key, is_covered);
        is_covered
    }
}
