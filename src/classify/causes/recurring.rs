//! Kinds of infinite violation: irreducible lassos, by the steps of their loops and by the steps to which it is due that these violate the property.

use super::enumeration::{Enumeration, minimal};
use super::pattern::{ArgumentParts, Pattern, Steps};
use super::reasons::{Part, Reason, Reasons, guards};
use super::replay::label;
use super::rounds::{Order, Rounds};
use super::way::Way;
use crate::facts::atom::Atoms;
use crate::lassos::condition::Condition;
use crate::lassos::constraint::{LassoConstraint, MOST_INSTANCES};
use crate::lassos::options::LassoProblem;
use crate::lassos::search::{Asked, Search};
use engines::ltl::{Fairness, Linear, is_fair, is_meant, satisfies};
use itertools::Itertools;
use kit::budget::{Budget, Limited, Observer, Progress};
use lang::model::eval::{Scope, arguments};
use lang::model::value::Label;
use lang::model::{LassoFormula, LassoFormulaText, Position};
use lang::trace::Lasso;
use rustc_hash::FxHashSet;
use solvers::sat::{Backend, Setup};

/// After so many patterns, lassos that contain the deciding steps of one that was found are of no further interest.
const MOST_PATTERNS: usize = 40;
/// Of stems with more steps, those of one action are in the order of the trace and the others in none.
const MOST_ORDERED: usize = 12;

/// The violating lassos that are asked about, and the solver.
#[derive(Clone, Copy)]
pub struct RecurringQuestion<'a> {
    /// The model with the property of linear time.
    pub problem: LassoProblem<'a>,
    /// The parts of arguments of the model.
    pub parts: &'a ArgumentParts,
    /// The greatest number of steps, at least 1.
    pub bound: usize,
    /// The solver.
    pub solver: Setup,
    /// Time and memory.
    pub budget: &'a Budget,
}

impl<'a> RecurringQuestion<'a> {
    /// The irreducible violating lassos.
    ///
    /// # Panics
    /// Only on a bug in this program.
    pub fn enumerate(&self, observer: &mut dyn Observer) -> Enumeration {
        let (atoms, violated) = (Atoms::default(), Linear::new(self.problem.formula, false));
        let asked = Asked::violating(self.problem, &atoms, &violated, self.bound);
        let mut search = Search::new(asked, self.solver, self.budget);
        let mut result = Enumeration::default();
        let mut patterns = Vec::new();
        let mut outcome = self.run(&mut search, &mut patterns, &mut result, observer);
        // After lassos were left out because of their deciding steps, each one counts.
        if outcome.is_ok() && result.narrowed_from.is_none() {
            outcome = self.keep_minimal(&mut search, &patterns, &mut result.found);
        }
        result.ended = outcome.err();
        result.solver_calls = search.calls().0;
        result
    }

    /// Keeps the ways of patterns that no lasso within the bound has which does not have another one, too.
    fn keep_minimal(
        &self,
        search: &mut Search<'_>,
        patterns: &[LassoConstraint],
        found: &mut Vec<Way>,
    ) -> Limited<()> {
        let mut contained = FxHashSet::default();
        for [a, b] in (0..found.len()).permutations(2).map(|pair| [pair[0], pair[1]]) {
            let lasso = found[a].as_lasso().expect("of a loop");
            let is_possible = patterns[b].holds(self.problem.model, search.asked().atoms, &lasso);
            let only = [Condition::In(patterns[a].clone()), Condition::Outside(patterns[b].clone())];
            if is_possible && search.any(&only)?.is_none() {
                contained.insert((a, b));
            }
        }
        let kept = minimal(found.len(), &|a, b| contained.contains(&(a, b)));
        let mut number = 0..;
        found.retain(|_| number.next().is_some_and(|number| kept.contains(&number)));
        Ok(())
    }

    fn run(
        &self,
        search: &mut Search<'_>,
        patterns: &mut Vec<LassoConstraint>,
        result: &mut Enumeration,
        observer: &mut dyn Observer,
    ) -> Limited<()> {
        let mut steps = 1;
        loop {
            let (solver_calls, solver_seconds) = search.calls();
            observer.progress(&Progress {
                phase: "causes",
                depth: steps,
                counterexamples: result.found.len(),
                solver_calls,
                solver_seconds,
                ..Progress::default()
            });
            let outside: Vec<Condition> = patterns.iter().cloned().map(Condition::Outside).collect();
            let Some(lasso) = search.shortest(steps, &outside)? else {
                result.complete_to = Some(self.bound);
                return Ok(());
            };
            steps = lasso.len();
            result.complete_to = Some(steps - 1);
            let way = Way::of_lasso(self.problem, self.parts, lasso);
            let atoms = search.asked().atoms;
            let deciding = |way: &Way| {
                let text = way.deciding.recurrence(self.problem.model, self.parts, &[]);
                self.constraint(atoms, &text)
            };
            if result.found.len() < MOST_PATTERNS {
                let text = way.recurrence.as_ref().expect("of a loop");
                patterns.push(self.constraint(atoms, text));
            } else {
                if result.narrowed_from.is_none() {
                    result.narrowed_from = Some(steps);
                    *patterns = result.found.iter().map(deciding).collect();
                }
                patterns.push(deciding(&way));
            }
            result.found.push(way);
        }
    }

    fn constraint(&self, atoms: &Atoms, text: &LassoFormulaText) -> LassoConstraint {
        let formula = LassoFormula::read(self.problem.model, text)
            .unwrap_or_else(|why| panic!("{:?}: {text:?}", why.diagnostics));
        let constraint = LassoConstraint::of_formula(atoms, &formula);
        constraint.unwrap_or_else(|| panic!("a pattern is no constraint: {text:?}"))
    }

    /// Asks a fresh solver whether every violating lasso contains the steps of one of these ways, only the deciding ones if `narrowed`; its name.
    ///
    /// # Errors
    /// If the budget is exhausted first.
    ///
    /// # Panics
    /// If one does not, which is a bug in this program.
    pub fn check_complete(&self, ways: &[&Way], narrowed: bool, backend: Backend) -> Limited<&'static str> {
        let (atoms, violated) = (Atoms::default(), Linear::new(self.problem.formula, false));
        let asked = Asked::violating(self.problem, &atoms, &violated, self.bound);
        let mut search = Search::new(asked, Setup { backend, ..self.solver }, self.budget);
        let outside = ways.iter().map(|way| {
            let deciding = || way.deciding.recurrence(self.problem.model, self.parts, &[]);
            let text = way.recurrence.clone().filter(|_| !narrowed).unwrap_or_else(deciding);
            Condition::Outside(self.constraint(&atoms, &text))
        });
        let left = search.any(&outside.collect::<Vec<_>>())?;
        assert!(left.is_none(), "a violating lasso has none of the patterns: {left:?}");
        Ok(backend.as_str())
    }
}

impl Way {
    /// The way of a violating lasso.
    pub fn of_lasso(problem: LassoProblem<'_>, parts: &ArgumentParts, lasso: Lasso) -> Self {
        let types = &problem.model.types;
        let order = Order::of(&lasso);
        let reasons = Reasons::of_lasso(problem, &lasso);
        let (roots, start) = (lasso.round(), lasso.start);
        let (pattern, deciding, lasting) = {
            let violates_with = |step: usize, changed: &Label| {
                let of = |other: usize| if other == step { changed } else { label(&lasso.trace, other) };
                let run = Rounds::new(problem.model, &lasso, &order, &of);
                run.taken.iter().all(|&taken| taken) && run.is_violation(problem)
            };
            let labels = (lasso.trace.labels().collect(), start.steps());
            let steps = Steps::new(types, parts, labels, MOST_INSTANCES as u64, &violates_with);
            let lasting = steps.pattern_of(types, parts, (0, &reasons.lasting(problem.fairness, &lasso)));
            let of = |others: Vec<usize>| {
                let chosen: Vec<usize> = order.round.iter().copied().chain(others).collect();
                steps.pattern_of(types, parts, (roots, &chosen))
            };
            (of(order.stem.clone()), of(reasons.deciding()), lasting)
        };
        // Arguments for which the language has no text are not told apart.
        let [pattern, deciding] = [pattern, deciding].map(|pattern| pattern.readable(problem.model, parts));
        let ordered = ordered(problem, &lasso, &order, &pattern);
        let recurrence = Some(pattern.recurrence(problem.model, parts, &ordered));
        let rests = order.round.iter().all(|&step| {
            let action = &problem.model.actions[label(&lasso.trace, step).action];
            action.updates.is_empty() && action.modifies.is_empty()
        });
        Self {
            trace: lasso.trace,
            start: Some(start),
            pattern,
            reasons,
            deciding,
            rests,
            lasting,
            recurrence,
        }
    }

    /// Its trace as an infinite one, if it is one.
    pub fn as_lasso(&self) -> Option<Lasso> {
        self.start.map(|start| Lasso { trace: self.trace.clone(), start })
    }

    /// True if no step of its loop changes a state.
    pub fn stays(&self) -> bool {
        let is_still = |start: Position| {
            self.trace.moments[start.index()..].iter().map(|moment| &moment.state).all_equal()
        };
        self.start.is_some_and(is_still)
    }
}

/// The pairs of steps of the stem, by their numbers, whose order matters: the trace is no violation if the one is moved past the other. Equal steps are
/// two only in some order.
fn ordered(
    problem: LassoProblem<'_>,
    lasso: &Lasso,
    order: &Order,
    pattern: &Pattern,
) -> Vec<(usize, usize)> {
    let of = |step: usize| label(&lasso.trace, step);
    let form = |step: usize| &pattern.steps[pattern.roots + step];
    let violates = |stem: Vec<usize>| {
        let order = Order { stem, round: order.round.clone() };
        let run = Rounds::new(problem.model, lasso, &order, &of);
        run.taken.iter().all(|&taken| taken) && run.is_violation(problem)
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
    /// The reasons in a violating lasso. That it violates the property and is fair is a part of the condition of its last step.
    pub fn of_lasso(problem: LassoProblem<'_>, lasso: &Lasso) -> Self {
        let LassoProblem { model, formula, fairness } = problem;
        let order = Order::of(lasso);
        let of = |step: usize| label(&lasso.trace, step);
        let without: Vec<Rounds> =
            (0..lasso.len()).map(|step| Rounds::new(model, lasso, &order.without(step), &of)).collect();
        let reason = |part: Part, causes: &[usize], holds: &dyn Fn(&Rounds) -> bool| {
            let needed: Vec<usize> =
                causes.iter().copied().filter(|&cause| !holds(&without[cause])).collect();
            Reason::of(part, &needed, &|cause, other| without[cause].taken[other])
        };
        // Of a run in which the loop is as it was.
        let goes_on = |run: &Rounds, holds: &dyn Fn(&Lasso) -> bool| {
            !run.has_taken(&order.round) || run.lasso.as_ref().is_none_or(holds)
        };
        let of_step = |step: usize| {
            let action = &model.actions[of(step).action];
            let locals = arguments(action, &of(step).args);
            let guards = guards(model, of(step).action);
            // A step of the loop comes after all others.
            let earlier: Vec<usize> = match order.round.contains(&step) {
                true => (0..lasso.len()).filter(|&other| other != step).collect(),
                false => (0..step).collect(),
            };
            let guards: Vec<Reason> = guards
                .iter()
                .enumerate()
                .filter_map(|(number, guard)| {
                    reason(Part::Guard(number), &earlier, &|run| {
                        run.before[step].as_ref().is_none_or(|state| {
                            Scope::new(model).with_state(state).with_locals(&locals).holds(guard)
                        })
                    })
                })
                .collect();
            guards
        };
        let mut of_steps: Vec<Vec<Reason>> = (0..lasso.len()).map(of_step).collect();
        let violated = |run: &Rounds| goes_on(run, &|lasso| !satisfies(model, formula, lasso));
        let mut whole: Vec<Reason> = reason(Part::Breaks, &order.stem, &violated).into_iter().collect();
        for (number, condition) in fairness.iter().enumerate() {
            let fair =
                |run: &Rounds| goes_on(run, &|lasso| is_fair(model, std::slice::from_ref(condition), lasso));
            whole.extend(reason(Part::Fair(number), &order.stem, &fair));
        }
        if let Some(last) = of_steps.last_mut() {
            last.splice(0..0, whole);
        }
        let is_violation = |run: &Rounds| !run.has_taken(&order.round) || run.is_violation(problem);
        let of_whole = reason(Part::Breaks, &order.stem, &is_violation);
        Self { of: of_steps, of_whole: Some(of_whole.map_or_else(Vec::new, |reason| reason.steps)) }
    }

    /// The steps to which it is due that an infinite trace is fair, but for those that are due themselves.
    fn lasting(&self, fairness: &[Fairness], lasso: &Lasso) -> Vec<usize> {
        let mut found = Vec::new();
        for reason in self.of.iter().flatten() {
            let Part::Fair(number) = reason.part else { continue };
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
