//! Kinds of infinite violation: irreducible lassos, by the steps of their loops and by the steps to which it is due that these violate the property.

use super::enumeration::Enumeration;
use super::lasso_replay::{LassoReplay, StepOrder};
use super::pattern::{ArgumentParts, CausePattern, ChangedLabels, RoleSteps, ToldRoles};
use super::question::CausalQuestion;
use super::reasons::{ConditionPart, Reason, Reasons, of_guards};
use super::replay::{label, leads_alike};
use super::way::{FewerRoles, LoopRound, Way};
use crate::facts::atom::Atoms;
use crate::lassos::condition::{LassoCondition, LassoForm};
use crate::lassos::constraint::{LassoConstraint, MOST_INSTANCES};
use crate::lassos::options::LassoProblem;
use crate::lassos::oracle::{LassoOracle, LassoQuery};
use engines::ltl::{Fairness, LtlFormula, is_fair, is_meant, satisfies};
use itertools::Itertools;
use kit::budget::{Activity, Limited, Observer, Progress};
use lang::model::LassoFormula;
use lang::model::value::Label;
use lang::trace::Lasso;
use solvers::sat::{Backend, Setup};

/// Of stems with more steps, those of one action are in the order of the trace and the others in none.
const MOST_ORDERED: usize = 12;

impl<'a> CausalQuestion<'a, LassoProblem<'a>> {
    /// The irreducible violating lassos.
    ///
    /// # Panics
    /// Only on a bug in this program.
    pub fn enumerate(&self, observer: &mut dyn Observer) -> Enumeration {
        let (atoms, violated) = (Atoms::default(), LtlFormula::new(self.problem.formula, false));
        let asked = LassoQuery::violating(self.problem, &atoms, &violated, self.bound);
        let mut search = LassoOracle::new(asked, self.solver, self.budget);
        let mut result = Enumeration::default();
        let mut patterns = Vec::new();
        let outcome = self.run(&mut search, &mut patterns, &mut result, observer).and_then(|()| {
            let model = self.problem.model;
            let lassos: Vec<Option<Lasso>> = result.found.iter().map(Way::as_lasso).collect();
            // Containment is decided within the bound.
            result.keep_minimal(&mut |a, b| {
                let has = |lasso: &Lasso| patterns[b].holds(model, &atoms, lasso);
                let only =
                    [LassoCondition::In(patterns[a].clone()), LassoCondition::Outside(patterns[b].clone())];
                Ok(lassos[a].as_ref().is_some_and(has) && search.any(&only)?.is_none())
            })
        });
        result.ended = outcome.err();
        result.solver_calls = search.calls().0;
        result
    }

    fn run(
        &self,
        search: &mut LassoOracle<'_>,
        patterns: &mut Vec<LassoConstraint>,
        result: &mut Enumeration,
        observer: &mut dyn Observer,
    ) -> Limited<()> {
        let atoms = search.asked().atoms;
        let mut steps = 1;
        loop {
            let (solver_calls, solver_seconds) = search.calls();
            observer.progress(&Progress {
                activity: Activity::Causes,
                depth: steps,
                counterexamples: result.found.len(),
                solver_calls,
                solver_seconds,
                ..Progress::default()
            });
            let outside: Vec<LassoCondition> =
                patterns.iter().cloned().map(LassoCondition::Outside).collect();
            let Some(lasso) = search.shortest(steps, &outside)? else {
                result.complete_to = Some(self.bound);
                return Ok(());
            };
            if result.found.len() >= self.most {
                result.has_more = true;
                return Ok(());
            }
            steps = lasso.len();
            result.complete_to = Some(steps - 1);
            let way = Way::of_lasso(self.problem, self.parts, lasso);
            result.add(way, &mut |pattern| patterns.push(self.constraint(atoms, pattern)));
        }
    }

    pub(super) fn constraint(&self, atoms: &Atoms, pattern: &CausePattern) -> LassoConstraint {
        let text = pattern.recurrence(self.problem.model, self.parts);
        let formula = LassoFormula::read(self.problem.model, &text)
            .unwrap_or_else(|why| panic!("{:?}: {text:?}", why.diagnostics));
        let constraint = LassoConstraint::of_formula(atoms, &formula);
        constraint.unwrap_or_else(|| panic!("a pattern is no constraint: {text:?}"))
    }

    /// Asks a fresh solver whether every violating lasso contains one of these patterns; its name.
    ///
    /// # Errors
    /// If the budget is exhausted first.
    ///
    /// # Panics
    /// If one does not, which is a bug in this program.
    pub fn check_complete(&self, patterns: &[&CausePattern], backend: Backend) -> Limited<&'static str> {
        let (atoms, violated) = (Atoms::default(), LtlFormula::new(self.problem.formula, false));
        let asked = LassoQuery::violating(self.problem, &atoms, &violated, self.bound);
        let mut search = LassoOracle::new(asked, Setup { backend, ..self.solver }, self.budget);
        let outside =
            patterns.iter().map(|pattern| LassoCondition::Outside(self.constraint(&atoms, pattern)));
        let left = search.any(&outside.collect::<Vec<_>>())?;
        assert!(left.is_none(), "a violating lasso has none of the patterns: {left:?}");
        Ok(backend.as_str())
    }

    /// True if a violating lasso takes exactly the actions of a way, those of its loop again and again.
    ///
    /// # Errors
    /// If the budget is exhausted first.
    pub fn is_violated_by(&self, way: &Way) -> Limited<bool> {
        let Some(round) = &way.round else { return Ok(false) };
        let (atoms, violated) = (Atoms::default(), LtlFormula::new(self.problem.formula, false));
        let asked = LassoQuery::violating(self.problem, &atoms, &violated, way.trace.len());
        let takes = LassoForm::Takes { actions: way.actions(), start: round.start };
        Ok(LassoOracle::new(asked, self.solver, self.budget).any(&[LassoCondition::Formed(takes)])?.is_some())
    }
}

struct ChangedLasso<'a> {
    problem: LassoProblem<'a>,
    lasso: &'a Lasso,
    order: &'a StepOrder,
}

impl ChangedLabels for ChangedLasso<'_> {
    fn violates_as(&self, labels: &[&Label]) -> bool {
        let Self { problem, lasso, order } = *self;
        let of = |step: usize| labels[step];
        LassoReplay::new(problem.model, lasso, order, &of).is_whole_violation(problem)
    }

    fn is_alike(&self, step: usize, changed: &Label) -> bool {
        let reads_label = self.problem.formula.atoms().iter().any(|atom| atom.reads_label());
        !reads_label && leads_alike(self.problem.model, &self.lasso.trace, step, changed)
    }
}

impl Way {
    /// The way of a violating lasso.
    pub fn of_lasso(problem: LassoProblem<'_>, parts: &ArgumentParts, lasso: Lasso) -> Self {
        let types = &problem.model.types;
        let order = StepOrder::of(&lasso);
        let reasons = Reasons::of_lasso(problem, &lasso);
        let (roots, start) = (lasso.round(), lasso.start);
        let changed = ChangedLasso { problem, lasso: &lasso, order: &order };
        let labels = (lasso.trace.labels().collect(), start.steps());
        let steps = RoleSteps::new(types, parts, labels, MOST_INSTANCES as u64, &changed);
        let lasting = reasons.lasting(problem.fairness, &lasso);
        let lasting = steps.pattern_of(types, parts, (0, &lasting), ToldRoles::OfRoots);
        // Arguments for which the language has no text are not told apart.
        let model = problem.model;
        let has_text =
            |pattern: &CausePattern| LassoFormula::read(model, &pattern.recurrence(model, parts)).is_ok();
        let of = |others: &[usize], told: ToldRoles| {
            let chosen: Vec<usize> = order.round.iter().chain(others).copied().collect();
            steps.pattern_of(types, parts, (roots, &chosen), told).readable(&has_text)
        };
        // Roles of earlier steps are not told: those that begin a loop later would hide those that begin it at once.
        let fewer = FewerRoles::new(&of, &order.stem, &reasons.deciding());
        let (mut pattern, deciding) = (fewer.all.clone(), fewer.deciding.clone());
        pattern.ordered = ordered(problem, &lasso, &order, &pattern);
        let rests = order.round.iter().all(|&step| {
            let action = &model.actions[label(&lasso.trace, step).action];
            action.updates.is_empty() && action.modifies.is_empty()
        });
        let round = Some(LoopRound { start, rests, lasting });
        Self { trace: lasso.trace, pattern, reasons, deciding, fewer, round }
    }
}

/// The pairs of steps of the stem, by their numbers, whose order matters: the trace is no violation if the one is moved past the other. Equal steps are
/// two only in some order.
fn ordered(
    problem: LassoProblem<'_>,
    lasso: &Lasso,
    order: &StepOrder,
    pattern: &CausePattern,
) -> Vec<(usize, usize)> {
    let of = |step: usize| label(&lasso.trace, step);
    let form = |step: usize| &pattern.steps[pattern.roots + step];
    let violates = |stem: Vec<usize>| {
        let order = StepOrder { stem, round: order.round.clone() };
        LassoReplay::new(problem.model, lasso, &order, &of).is_whole_violation(problem)
    };
    let matters = |&(first, second): &(usize, usize)| {
        if order.stem.len() > MOST_ORDERED || form(first) == form(second) {
            return form(first).action == form(second).action;
        }
        let (before, rest) = order.stem.split_at(first);
        let (between, after) = rest.split_at(second - first);
        let earlier = [before, &after[..1], between, &after[1..]].concat();
        let later = [before, &between[1..], &after[..1], &between[..1], &after[1..]].concat();
        !violates(earlier) && !violates(later)
    };
    let pairs = order.stem.iter().copied().array_combinations();
    pairs.map(|[first, second]| (first, second)).filter(matters).collect()
}

impl Reasons {
    /// The reasons in a violating lasso. Its violation and its fairness are parts of the condition of its last step.
    pub fn of_lasso(problem: LassoProblem<'_>, lasso: &Lasso) -> Self {
        let LassoProblem { model, formula, fairness } = problem;
        let order = StepOrder::of(lasso);
        let of = |step: usize| label(&lasso.trace, step);
        let without: Vec<LassoReplay> =
            (0..lasso.len()).map(|step| LassoReplay::new(model, lasso, &order.without(step), &of)).collect();
        let reason = |part: ConditionPart, causes: &[usize], holds: &dyn Fn(&LassoReplay) -> bool| {
            let needed: Vec<usize> =
                causes.iter().copied().filter(|&cause| !holds(&without[cause])).collect();
            Reason::of(part, &needed, &|cause, other| without[cause].taken[other])
        };
        // Of a run in which the loop is as it was.
        let goes_on = |run: &LassoReplay, holds: &dyn Fn(&Lasso) -> bool| {
            !run.has_taken(&order.round) || run.lasso.as_ref().is_none_or(holds)
        };
        let of_step = |step: usize| {
            // A step of the loop comes after all others.
            let earlier: Vec<usize> = match order.round.contains(&step) {
                true => (0..lasso.len()).filter(|&other| other != step).collect(),
                false => (0..step).collect(),
            };
            of_guards(model, of(step), &|part, holds| {
                reason(part, &earlier, &|run| run.before[step].as_ref().is_none_or(holds))
            })
        };
        let mut of_steps: Vec<Vec<Reason>> = (0..lasso.len()).map(of_step).collect();
        let violated = |run: &LassoReplay| goes_on(run, &|lasso| !satisfies(model, formula, lasso));
        let mut whole: Vec<Reason> =
            reason(ConditionPart::Breaks, &order.stem, &violated).into_iter().collect();
        for (number, condition) in fairness.iter().enumerate() {
            let fair = |run: &LassoReplay| {
                goes_on(run, &|lasso| is_fair(model, std::slice::from_ref(condition), lasso))
            };
            whole.extend(reason(ConditionPart::Fair(number), &order.stem, &fair));
        }
        if let Some(last) = of_steps.last_mut() {
            last.splice(0..0, whole);
        }
        let is_violation = |run: &LassoReplay| !run.has_taken(&order.round) || run.is_violation(problem);
        let of_whole = reason(ConditionPart::Breaks, &order.stem, &is_violation);
        Self { of: of_steps, of_whole: Some(of_whole.map_or_else(Vec::new, |reason| reason.steps)) }
    }

    /// The steps to which it is due that an infinite trace is fair, but for those that are due themselves.
    fn lasting(&self, fairness: &[Fairness], lasso: &Lasso) -> Vec<usize> {
        let mut found = Vec::new();
        for reason in self.of.iter().flatten() {
            let ConditionPart::Fair(number) = reason.part else { continue };
            let is_due = |step: &usize| match &fairness[number] {
                Fairness::Action(action) => is_meant(action, label(&lasso.trace, *step)),
                Fairness::Again(_) => false,
            };
            found.extend(reason.steps.iter().copied().filter(|step| !is_due(step)));
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}
