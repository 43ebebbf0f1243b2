//! The bugs of random models against their definition, over states that the reference semantics lists.

use crate::build::{and, constant, eq, expr, not, truth};
use crate::random::{Random, cases};
use crate::random_model;

use cladist::budget::Budget;
use cladist::explore::{Forbidden, StateSpace, initial_states, kept, model_bugs, successors};
use cladist::lts::bugs::BugVerdict;
use cladist::model::eval::eval_state;
use cladist::model::expr::{Expr, ExprKind, VarId};
use cladist::model::value::{Moment, State};
use cladist::model::{ActionSteps, Environment, Model};
use random_model::random_model;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

const MODELS: u64 = 400;

/// Some of these models have bugs that others hide, which is rare.
const FIRST: u64 = 400;

const LIMIT: usize = 1_000_000;

/// Who makes a step: an action of the model, its dummy, or the environment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum By {
    Action(usize),
    Dummy(usize),
    Environment,
}

type Steps = BTreeMap<State, BTreeSet<(By, State)>>;

struct Defined<'m> {
    model: &'m Model,
    invariant: &'m Expr,
    environment: Option<Environment>,
    kept: Vec<VarId>,
}

impl Defined<'_> {
    fn holds(&self, formula: &Expr, state: &State) -> bool {
        eval_state(self.model, formula, &Moment { label: None, state: state.clone() }).is_true()
    }

    fn initial(&self) -> Vec<State> {
        initial_states(self.model, LIMIT).expect("few choices")
    }

    /// The state in which an action was skipped that leads from one state to another, if there is one.
    fn skipped(&self, before: &State, after: &State) -> Option<State> {
        let mut skipped = after.clone();
        self.kept.iter().for_each(|var| skipped.0[var.0 as usize] = before.0[var.0 as usize].clone());
        let assumed = self.model.assumptions.iter().filter(|assumption| !assumption.step);
        assumed.into_iter().all(|assumption| self.holds(&assumption.expr, &skipped)).then_some(skipped)
    }

    /// All states that can be reached with dummies for some actions.
    fn steps(&self, dummies: &BTreeSet<usize>) -> Steps {
        let mut steps = Steps::new();
        let mut open = self.initial();
        while let Some(state) = open.pop() {
            if steps.contains_key(&state) {
                continue;
            }
            let mut out = BTreeSet::new();
            for (label, after) in successors(self.model, &state, LIMIT).expect("few choices") {
                let is_its = self.environment.as_ref().is_some_and(|environment| environment.has(&label));
                if !is_its
                    && dummies.contains(&label.action)
                    && let Some(skipped) = self.skipped(&state, &after)
                {
                    out.insert((By::Dummy(label.action), skipped));
                }
                let by = if is_its { By::Environment } else { By::Action(label.action) };
                out.insert((by, after));
            }
            open.extend(out.iter().map(|(_, after)| after.clone()));
            steps.insert(state, out);
        }
        steps
    }

    /// The states that violate the invariant, or from which the environment alone can do so.
    fn wrong(&self, steps: &Steps) -> BTreeSet<State> {
        let mut wrong: BTreeSet<State> =
            steps.keys().filter(|state| !self.holds(self.invariant, state)).cloned().collect();
        loop {
            let more: Vec<State> = steps
                .iter()
                .filter(|(state, out)| {
                    !wrong.contains(*state)
                        && out.iter().any(|(by, to)| *by == By::Environment && wrong.contains(to))
                })
                .map(|(state, _)| state.clone())
                .collect();
            if more.is_empty() {
                return wrong;
            }
            wrong.extend(more);
        }
    }

    /// The least number of steps before a first violation that each action makes.
    fn makers(
        &self,
        steps: &Steps,
        wrong: &BTreeSet<State>,
        allowed: &dyn Fn(By) -> bool,
    ) -> BTreeMap<usize, usize> {
        let mut distance: BTreeMap<State, usize> = BTreeMap::new();
        let mut queue: VecDeque<(State, usize)> =
            self.initial().into_iter().map(|state| (state, 0)).collect();
        let mut found = BTreeMap::new();
        while let Some((state, length)) = queue.pop_front() {
            if wrong.contains(&state) || distance.contains_key(&state) {
                continue;
            }
            for (by, to) in steps[&state].iter().filter(|(by, _)| allowed(*by)) {
                match by {
                    By::Action(action) if wrong.contains(to) => {
                        found.entry(*action).or_insert(length);
                    }
                    // A dummy leads to no violation, nor does the environment where it could not before.
                    _ => {
                        assert!(matches!(by, By::Action(_)) || !wrong.contains(to), "{by:?}");
                        queue.push_back((to.clone(), length + 1));
                    }
                }
            }
            distance.insert(state, length);
        }
        found
    }

    /// Whether every maximal run has a violation.
    fn always(&self, steps: &Steps, wrong: &BTreeSet<State>, allowed: &dyn Fn(By) -> bool) -> bool {
        // What a run can avoid forever: the greatest set of which each state has no step, or one that stays.
        let mut safe: BTreeSet<&State> = steps.keys().filter(|state| !wrong.contains(*state)).collect();
        loop {
            let stays = |state: &&&State| {
                let mut out = steps[**state].iter().filter(|(by, _)| allowed(*by)).peekable();
                out.peek().is_none() || out.any(|(_, to)| safe.contains(to))
            };
            let left: BTreeSet<&State> = safe.iter().filter(stays).copied().collect();
            if left.len() == safe.len() {
                return !self.initial().iter().any(|state| safe.contains(state));
            }
            safe = left;
        }
    }
}

/// What was compared.
#[derive(Default)]
struct Found {
    inevitable: usize,
    avoidable: usize,
    hidden: usize,
    with_environment: usize,
}

/// An invariant that forbids a few of the values that some variables have together in reachable states: there, inevitable bugs
/// are frequent, and those that others hide.
fn without_some_values(model: &Model, rng: &mut Random) -> Expr {
    let defined = Defined { model, invariant: &truth(true), environment: None, kept: Vec::new() };
    let mut states: Vec<State> = defined.steps(&BTreeSet::new()).into_keys().collect();
    let mut variables: Vec<usize> = (0..model.variables.len()).collect();
    rng.shuffle(&mut variables);
    variables.truncate(1 + rng.below(2));
    let same = |a: &State, b: &State| variables.iter().all(|at| a.0[*at] == b.0[*at]);
    let starts = defined.initial();
    states.retain(|state| !starts.iter().any(|start| same(state, start)));
    let mut invariant = truth(true);
    for _ in 0..2 + rng.below(3) {
        let Some(state) = (!states.is_empty()).then(|| rng.pick(&states)) else { break };
        let has_value = |at: &usize| {
            let ty = &model.variables[*at].ty;
            let var = expr(ExprKind::Var(VarId(*at as u32)), ty.clone());
            eq(var, constant(state.0[*at].clone(), ty.clone()))
        };
        let has_values = variables.iter().map(has_value).reduce(and).expect("variables");
        invariant = and(invariant, not(has_values));
    }
    invariant
}

/// Compares the bugs of a model for an invariant with the definition.
fn compare(model: &Model, invariant: &Expr, environment: Option<Environment>, text: &str, found: &mut Found) {
    let kept = kept(model, invariant, environment.as_ref());
    let defined = Defined { model, invariant, environment, kept };

    let mut dummies = BTreeSet::new();
    let (steps, wrong, makers) = loop {
        let steps = defined.steps(&dummies);
        let wrong = defined.wrong(&steps);
        let makers = defined.makers(&steps, &wrong, &|_| true);
        let before = dummies.len();
        dummies.extend(makers.keys().copied());
        if dummies.len() == before {
            break (steps, wrong, makers);
        }
    };
    let plain = defined.makers(&steps, &wrong, &|by| !matches!(by, By::Dummy(_)));
    let starts = defined.initial();
    let expected: Vec<(BugVerdict, usize, bool)> = makers
        .iter()
        .map(|(action, with_dummies)| {
            let verdict = match defined.always(&steps, &wrong, &|by| by != By::Dummy(*action)) {
                true => BugVerdict::Inevitable,
                false => BugVerdict::Avoidable,
            };
            let length = plain.get(action).unwrap_or(with_dummies) + 1 + usize::from(starts.len() != 1);
            (verdict, length, !plain.contains_key(action))
        })
        .collect();

    let budget = Budget::unlimited();
    let space = StateSpace::of(model, usize::MAX, &budget);
    let forbidden = Forbidden::States { invariant, environment: defined.environment.as_ref() };
    let own = model_bugs(model, &space, forbidden, usize::MAX, 10, &budget).expect("no limit");
    let holds = plain.is_empty() && !starts.iter().any(|state| wrong.contains(state));
    assert_eq!(own.bugs.holds, holds, "{text}");
    assert!(own.stopped.is_none(), "{text}");
    // Where every start violates the invariant, no step is the first to do so.
    let bugs: Vec<(BugVerdict, usize, bool)> = own
        .bugs
        .occurrences
        .iter()
        .map(|o| {
            let way = o.way.as_ref().expect("a bug");
            (o.verdict, way.labels.len(), way.leaves_out)
        })
        .collect();
    assert_eq!(bugs, expected, "{text}");
    let of = |verdict| expected.iter().filter(|(v, ..)| *v == verdict).count();
    found.inevitable += of(BugVerdict::Inevitable);
    found.avoidable += of(BugVerdict::Avoidable);
    found.hidden += expected.iter().filter(|(.., leaves_out)| *leaves_out).count();
    found.with_environment += usize::from(defined.environment.is_some() && !expected.is_empty());
}

#[test]
fn bugs_are_those_of_the_definition() {
    let mut found = Found::default();
    for seed in FIRST..FIRST + cases(MODELS) {
        let model = random_model(seed);
        let first = ActionSteps { action: 0, with: Vec::new() };
        let environment = (seed % 3 == 1).then(|| Environment { steps: vec![first] });
        let invariant = model.properties[0].invariant().expect("an invariant");
        compare(&model, invariant, environment.clone(), &format!("{seed}"), &mut found);
        let invariant = without_some_values(&model, &mut Random::new(seed));
        compare(&model, &invariant, environment, &format!("{seed} without some values"), &mut found);
    }
    let Found { inevitable, avoidable, hidden, with_environment } = found;
    println!(
        "{inevitable} inevitable, {avoidable} avoidable, {hidden} hidden, {with_environment} with environment"
    );
    assert!(inevitable > 15 && avoidable > 250 && hidden > 0 && with_environment > 50);
}
