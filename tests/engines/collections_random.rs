//! Random models with collections that exceed their limits in formulas and in assignments, against a reference that knows vectors and
//! sets only: the evaluator, the explorer, the bounded check, proofs for every length, and SMT solvers.

mod reference;
mod writer;

use crate::random::{Random, seeds};
use crate::smt_solver::{SmtAnswer, SmtSolver};
use cladist::budget::Budget;
use cladist::decide;
use cladist::explore::{initial_states, reachable, successors};
use cladist::model::eval::{allows_step, eval_state, is_initial};
use cladist::model::types::{CollectionKind, Types};
use cladist::model::value::{Moment, State, Value};
use cladist::model::{IntegerEncoding, Model, load_text};
use cladist::sat::Backend;
use cladist::smt::{Theory, TraceLengths, script};
use cladist::unroll::{BoundedResult, Lengths, check};
use reference::{Decl, Env, Val};
use std::collections::{BTreeMap, BTreeSet};
use writer::{Action, Assigned, Target, Writer, Written};

/// Larger systems take too long.
const MOST_STATES: usize = 150;
/// The bound of bounded checks.
const BOUND: usize = 3;

type Labelled = (usize, Option<Val>, Vec<Val>);

/// Shows a model where something goes wrong.
struct Shown<'t>(u64, &'t str);

impl Drop for Shown<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("seed {}:\n{}", self.0, self.1);
        }
    }
}

/// What the reference knows of a model.
struct System<'w> {
    written: &'w Written,
    first: Vec<Vec<Val>>,
    /// Whether all states were visited.
    complete: bool,
    /// The states with their steps, and how far each is from a first one.
    steps: BTreeMap<Vec<Val>, (usize, BTreeSet<Labelled>)>,
}

fn env<'s>(state: &'s [Val], param: Option<&Val>) -> Env<'s> {
    Env { state, names: param.map(|value| ("e".to_owned(), value.clone())).into_iter().collect() }
}

/// The states that an assignment leads to, from those that others have led to.
fn assigned(written: &Written, action: &Assigned, env: &Env<'_>, after: Vec<Vec<Val>>) -> Vec<Vec<Val>> {
    let decl = &written.vars[action.var].1;
    let mut found = Vec::new();
    for value in &action.values {
        let value = value.value(env);
        for state in &after {
            let mut state = state.clone();
            let place = &mut state[action.var];
            match (&action.target, place) {
                (Target::Whole, place) => *place = value.clone(),
                (Target::Field(at, _), Val::Record(fields)) => fields[*at] = value.clone(),
                (Target::Entry(key), Val::Map(entries)) => match key.value(env) {
                    Val::Enum(at) => entries[at] = value.clone(),
                    key => panic!("{key:?} is no key"),
                },
                (_, place) => panic!("{place:?} has no such part"),
            }
            if state[action.var].fits(decl) {
                found.push(state);
            }
        }
    }
    found
}

fn steps_of(written: &Written, state: &[Val]) -> BTreeSet<Labelled> {
    let mut steps = BTreeSet::new();
    for (index, Action { param, require, assigned: all, .. }) in written.actions.iter().enumerate() {
        let args = if *param { written.element.values().into_iter().map(Some).collect() } else { vec![None] };
        for arg in args {
            let env = env(state, arg.as_ref());
            if !require.value(&env).is_true() {
                continue;
            }
            let after =
                all.iter().fold(vec![state.to_vec()], |after, one| assigned(written, one, &env, after));
            steps.extend(after.into_iter().map(|after| (index, arg.clone(), after)));
        }
    }
    steps
}

impl<'w> System<'w> {
    fn of(written: &'w Written) -> Self {
        let mut first: Vec<Vec<Val>> = vec![Vec::new()];
        // What is given may read variables that are before it.
        for ((_, decl), given) in written.vars.iter().zip(&written.init) {
            let values = |state: &Vec<Val>| match given {
                Some(value) => {
                    Some(value.value(&env(state, None))).filter(|v| v.fits(decl)).into_iter().collect()
                }
                None => decl.values(),
            };
            let with = |state: &Vec<Val>| {
                values(state).into_iter().map(|v| [state.as_slice(), &[v]].concat()).collect::<Vec<_>>()
            };
            first = first.iter().flat_map(with).collect();
        }
        first.sort();
        let (mut steps, mut complete) = (BTreeMap::new(), true);
        let mut open: std::collections::VecDeque<(usize, Vec<Val>)> =
            first.iter().map(|state| (0, state.clone())).collect();
        while let Some((distance, state)) = open.pop_front() {
            if steps.contains_key(&state) {
                continue;
            }
            if steps.len() >= MOST_STATES {
                complete = false;
                break;
            }
            let found = steps_of(written, &state);
            open.extend(found.iter().map(|(_, _, after)| (distance + 1, after.clone())));
            steps.insert(state, (distance, found));
        }
        Self { written, first, complete, steps }
    }

    /// The least number of steps after which something does not hold, as far as states were visited.
    fn violated(&self, holds: impl Fn(&[Val]) -> bool) -> Option<usize> {
        self.steps.iter().filter(|(state, _)| !holds(state)).map(|(_, (distance, _))| *distance).min()
    }
}

/// A value of the model as one of the reference.
fn read(types: &Types, value: &Value) -> Val {
    let all = |values: &[Value]| values.iter().map(|value| read(types, value)).collect::<Vec<Val>>();
    match value {
        Value::None => Val::None,
        Value::Bool(b) => Val::Bool(*b),
        Value::Int(n) => Val::Int(*n),
        Value::Enum(_, at) => Val::Enum(*at as usize),
        Value::Set(members) => Val::Set(members.iter().map(|member| read(types, member)).collect()),
        Value::Map(entries) => Val::Map(entries.values().map(|value| read(types, value)).collect()),
        Value::Record(id, values) => {
            let decl = types.record(*id);
            match &decl.collection {
                Some(of) => {
                    let elements = decl.elements(values).map(|value| read(types, value)).collect();
                    match of.kind {
                        CollectionKind::Sequence => reference::Kind::Seq.of(elements),
                        CollectionKind::Bag => reference::Kind::Bag.of(elements),
                        CollectionKind::Set => reference::Kind::Set.of(elements),
                    }
                }
                None if decl.is_variant() => {
                    let Value::Enum(_, at) = values[0] else { panic!("no constructor") };
                    let payload = decl.parts(values).1;
                    Val::Variant(at as usize, payload.into_iter().map(|(_, _, v)| read(types, v)).collect())
                }
                None => Val::Record(all(values)),
            }
        }
    }
}

fn read_state(model: &Model, state: &State) -> Vec<Val> {
    state.0.iter().map(|value| read(&model.types, value)).collect()
}

fn loaded(written: &Written) -> Model {
    let found = load_text("random.sts", &written.text, &[], &|_| Err(std::io::ErrorKind::NotFound.into()));
    let errors: Vec<_> = found.diagnostics.iter().filter(|d| d.is_error()).collect();
    found.model.unwrap_or_else(|| panic!("{errors:#?}"))
}

fn holds(model: &Model, property: usize, state: &State) -> bool {
    let moment = Moment { label: None, state: state.clone() };
    eval_state(model, model.properties[property].invariant().expect("an invariant"), &moment).is_true()
}

/// What the invariants say of a state.
fn expected(written: &Written, state: &[Val], steps: &BTreeSet<Labelled>) -> Vec<bool> {
    let taken = |index| steps.iter().any(|(action, _, _)| *action == index);
    vec![written.good.value(&env(state, None)).is_true(), taken(0), taken(1)]
}

/// All values of the types of the variables are those of the reference.
fn same_types(model: &Model, written: &Written) -> Vec<BTreeMap<Val, Value>> {
    let column = |(variable, (_, decl)): (&cladist::model::Variable, &(_, Decl))| {
        let own: BTreeMap<Val, Value> =
            model.types.values(&variable.ty).into_iter().map(|v| (read(&model.types, &v), v)).collect();
        let expected: BTreeSet<Val> = decl.values().into_iter().collect();
        assert!(own.keys().eq(&expected), "{}", variable.name);
        own
    };
    model.variables.iter().zip(&written.vars).map(column).collect()
}

/// The evaluator and the explorer in the visited states and some others.
fn compare_states(model: &Model, system: &System<'_>, columns: &[BTreeMap<Val, Value>], rng: &mut Random) {
    let written = system.written;
    let first: BTreeSet<Vec<Val>> =
        initial_states(model, 1_000_000).expect("few").iter().map(|state| read_state(model, state)).collect();
    assert_eq!(first, system.first.iter().cloned().collect());
    let back =
        |state: &[Val]| State(state.iter().zip(columns).map(|(v, column)| column[v].clone()).collect());
    let mut states: Vec<Vec<Val>> = system.steps.keys().cloned().collect();
    rng.shuffle(&mut states);
    states.truncate(20);
    for _ in 0..10 {
        let any = columns.iter().map(|column| {
            let values: Vec<&Val> = column.keys().collect();
            (*rng.pick(&values)).clone()
        });
        states.push(any.collect());
    }
    for state in &states {
        let own = back(state);
        assert_eq!(is_initial(model, &own), first.contains(state), "{own:?}");
        let steps = steps_of(written, state);
        let found = successors(model, &own, 1_000_000).expect("few");
        let read: BTreeSet<Labelled> = found
            .iter()
            .map(|(label, after)| {
                let arg = label.args.first().map(|arg| read(&model.types, arg));
                (label.action, arg, read_state(model, after))
            })
            .collect();
        assert_eq!(read, steps, "{state:?}");
        for (label, after) in &found {
            assert!(allows_step(model, &own, label, after), "{own:?}");
        }
        let says: Vec<bool> = (0..3).map(|property| holds(model, property, &own)).collect();
        assert_eq!(says, expected(written, state, &steps), "{state:?}");
    }
    if system.complete {
        let reached = reachable(model, 100_000, &Budget::unlimited());
        assert_eq!(reached.states.len(), system.steps.len());
    }
}

/// Whether each invariant is violated, and after how many steps at least: `None` where too few states were visited to say so.
fn verdicts(system: &System<'_>) -> Vec<Option<Option<usize>>> {
    let known = |found: Option<usize>| match found {
        Some(steps) => Some(Some(steps)),
        None => system.complete.then_some(None),
    };
    (0..3)
        .map(|property| {
            known(system.violated(|state| expected(system.written, state, &system.steps[state].1)[property]))
        })
        .collect()
}

fn compare_checks(model: &Model, verdicts: &[Option<Option<usize>>]) {
    for (property, verdict) in verdicts.iter().enumerate() {
        let Some(verdict) = verdict else { continue };
        let expr = model.properties[property].invariant().expect("an invariant");
        for integers in [IntegerEncoding::OneHot, IntegerEncoding::Binary] {
            let model = Model { integers, ..model.clone() };
            let lengths = Lengths::UpTo(BOUND);
            let found = match check(&model, expr, lengths, Backend::Cadical, &Budget::unlimited(), &mut ()) {
                BoundedResult::Violated(trace) => Some(trace.moments.len() - 1),
                BoundedResult::Holds => None,
                undecided => panic!("{undecided:?}"),
            };
            assert_eq!(found, verdict.filter(|steps| *steps <= BOUND), "property {property}");
        }
        let options = decide::InvariantOptions::default();
        match decide::invariant(model, expr, &options, &Budget::unlimited(), &mut ()) {
            decide::InvariantResult::Proved(_) => assert_eq!(*verdict, None, "property {property}"),
            decide::InvariantResult::Violated(trace) => {
                assert_eq!(Some(trace.moments.len() - 1), *verdict, "property {property}");
            }
            other => panic!("{other:?}"),
        }
    }
}

fn compare_scripts(solvers: &[SmtSolver], model: &Model, verdicts: &[Option<Option<usize>>]) {
    for (property, verdict) in verdicts.iter().enumerate() {
        let Some(verdict) = verdict else { continue };
        let of = &model.properties[property];
        let expr = of.invariant().expect("an invariant");
        let expected = match verdict.is_some_and(|steps| steps <= 2) {
            true => SmtAnswer::Sat,
            false => SmtAnswer::Unsat,
        };
        for solver in solvers {
            let steps = TraceLengths::UpTo(2);
            let script = script(model, of, expr, steps, Theory::Int, &Budget::unlimited()).expect("no limit");
            assert_eq!(solver.answer(&script), expected, "{}", solver.name());
        }
    }
}

#[test]
fn collections_that_exceed_their_limits_are_what_mathematics_says() {
    let solvers = SmtSolver::installed();
    let (mut with_steps, mut violations, mut proved) = (0, 0, 0);
    let seeds = seeds(50);
    let models = seeds.end - seeds.start;
    for seed in seeds {
        let written = Writer::new(seed).model(1 + (seed % 3) as usize);
        let _shown = Shown(seed, &written.text);
        let (model, system) = (loaded(&written), System::of(&written));
        let columns = same_types(&model, &written);
        compare_states(&model, &system, &columns, &mut Random::new(seed));
        let verdicts = verdicts(&system);
        compare_checks(&model, &verdicts);
        if seed % 10 == 0 {
            compare_scripts(&solvers[..solvers.len().min(1)], &model, &verdicts);
        }
        with_steps += u64::from(system.steps.values().any(|(_, steps)| !steps.is_empty()));
        violations += u64::from(verdicts.iter().any(|verdict| matches!(verdict, Some(Some(_)))));
        proved += u64::from(verdicts.contains(&Some(None)));
    }
    assert!(with_steps >= models / 2, "only {with_steps} of {models} models have steps");
    assert!(violations >= models / 4 && proved >= models / 4, "{violations} violated, {proved} proved");
}
