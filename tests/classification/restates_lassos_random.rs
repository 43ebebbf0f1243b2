//! The marks of classes of infinite traces that restate the property, by themselves or in names of actions, against enumeration of lassos that
//! the models need not have.

use crate::random::{Random, seeds};
use cladist::budget::Budget;
use cladist::classify::lassos::{LassoConstraint, LassoProblem, classify_lassos};
use cladist::classify::{Atoms, Options, Restates, Verdict};
use cladist::explore::successors;
use cladist::ltl::satisfies;
use cladist::model::eval::eval_state;
use cladist::model::expr::{Expr, Formula};
use cladist::model::value::{Label, Moment, State};
use cladist::model::{Model, Position, load_text};
use cladist::trace::{Lasso, Trace};
use itertools::Itertools;
use std::collections::BTreeSet;
use std::io::ErrorKind;

/// All lassos have so many steps; those of fewer are among them, with their loop taken twice.
const STEPS: usize = 2;

/// Properties, each with the state formulas in it.
const PROPERTIES: [(&str, &[&str]); 6] = [
    ("always (x => eventually not x)", &["x"]),
    ("always (x => eventually y)", &["x", "y"]),
    ("always eventually y", &["y"]),
    ("eventually always not x", &["x"]),
    ("always eventually (x and not y)", &["x and not y"]),
    ("eventually (x = y)", &["x = y"]),
];

const VOCABULARIES: [&str; 4] = ["eq(action)", "eq(action, x)", "eq(x, y)", "eq(action, y), before"];

/// A model of two truth values with three actions, which set them, leave them or demand something of them.
fn random_text(seed: u64) -> String {
    let mut random = Random::new(seed);
    let guards =
        ["", "", "require x; ", "require not x; ", "require y; ", "require not y; ", "require x != y; "];
    let effects = [
        "",
        "x' = true; ",
        "x' = false; ",
        "y' = true; ",
        "y' = false; ",
        "x' = not x; ",
        "y' = x; ",
        "x' = true; y' = false; ",
        "x' = false; y' = true; ",
    ];
    let actions = ["a", "b", "c"]
        .map(|name| format!("action {name} {{ {}{}}}", random.pick(&guards), random.pick(&effects)));
    let first = random.pick(&["not x; not y;", "not x; y;", "x = y;", "not y;"]);
    let (property, atoms) = random.pick(&PROPERTIES);
    let vocabulary = random.pick(&VOCABULARIES);
    // The state formulas of the property as invariants, so that they can be evaluated.
    let atoms = atoms.iter().enumerate().map(|(n, atom)| format!("invariant atom{n}: {atom};")).join(" ");
    format!(
        "model m; var x : bool; var y : bool; init {{ {first} }} {} ltl p: {property}; {atoms} vocabulary v = {{ {vocabulary} }};",
        actions.join(" ")
    )
}

/// Everything that could be, reachable or not.
struct Universe<'a> {
    model: &'a Model,
    formula: &'a Formula,
    states: Vec<State>,
    labels: Vec<Label>,
}

impl Universe<'_> {
    fn truth(&self, formula: &Expr, state: &State) -> bool {
        eval_state(self.model, formula, &Moment { label: None, state: state.clone() }).is_true()
    }

    /// The lassos from these states with these steps.
    fn lassos(&self, first: &[State], is_step: &dyn Fn(&State, &Label, &State) -> bool) -> Vec<Lasso> {
        let begin = |state: &State| vec![Moment { label: None, state: state.clone() }];
        let mut traces: Vec<Vec<Moment>> = first.iter().map(begin).collect();
        for _ in 0..STEPS {
            let steps: Vec<(&Label, &State)> = self.labels.iter().cartesian_product(&self.states).collect();
            let longer = traces.iter().cartesian_product(&steps).filter_map(|(trace, (label, state))| {
                let last = &trace.last().expect("a state").state;
                let next = Moment { label: Some((*label).clone()), state: (*state).clone() };
                is_step(last, label, state).then(|| [&trace[..], &[next]].concat())
            });
            traces = longer.collect();
        }
        let closed = |moments: Vec<Moment>| {
            let starts = (0..STEPS).map(Position::new).collect::<Vec<_>>();
            starts.into_iter().filter_map(move |start| {
                let lasso = Lasso { trace: Trace { moments: moments.clone() }, start };
                lasso.is_closed().then_some(lasso)
            })
        };
        traces.into_iter().flat_map(closed).collect()
    }

    fn expected(&self, atoms: &Atoms, constraint: &LassoConstraint) -> Restates {
        let model = self.model;
        let is_in = |lasso: &Lasso| constraint.holds(model, atoms, lasso);
        let sorted = |lassos: Vec<Lasso>| -> (Vec<Lasso>, Vec<Lasso>) {
            lassos.into_iter().partition(|lasso| satisfies(model, self.formula, lasso))
        };
        let (accepting, _) = sorted(self.lassos(&self.states, &|_, _, _| true));
        if !accepting.is_empty() && !accepting.iter().any(is_in) {
            return Restates::Property;
        }
        let said: Vec<&Expr> = model.properties.iter().filter_map(|property| property.invariant()).collect();
        let valuation =
            |state: &State| said.iter().map(|formula| self.truth(formula, state)).collect::<Vec<_>>();
        let steps: BTreeSet<(Vec<bool>, Label, State)> = self
            .states
            .iter()
            .flat_map(|from| {
                let steps = successors(model, from, 1_000).expect("few steps");
                steps.into_iter().map(|(label, to)| (valuation(from), label, to)).collect::<Vec<_>>()
            })
            .collect();
        let first: Vec<State> = self
            .states
            .iter()
            .filter(|state| model.init.iter().all(|formula| self.truth(formula, state)))
            .cloned()
            .collect();
        let is_step = |from: &State, label: &Label, to: &State| {
            steps.contains(&(valuation(from), label.clone(), to.clone()))
        };
        let (accepting, violating) = sorted(self.lassos(&first, &is_step));
        let says_just_that = !accepting.is_empty()
            && !violating.is_empty()
            && !accepting.iter().any(is_in)
            && violating.iter().all(is_in);
        if says_just_that { Restates::Step } else { Restates::Nothing }
    }
}

#[test]
fn marks_are_those_of_the_definition() {
    let (mut property, mut names, mut nothing) = (0, 0, 0);
    for seed in seeds(400) {
        let text = random_text(seed);
        let loaded = load_text("m.sts", &text, &[], &|_| Err(ErrorKind::NotFound.into()));
        let model = loaded.model.unwrap_or_else(|| panic!("{text}: {:?}", loaded.diagnostics));
        let formula =
            model.properties.iter().find_map(|property| property.linear()).expect("an LTL property");
        let problem = LassoProblem { model: &model, formula, fairness: &[] };
        let options = Options::of_lassos(STEPS, STEPS);
        let budget = Budget::unlimited();
        let result = classify_lassos(problem, &model.vocabularies[0], &options, &budget, &mut ());
        if result.verdict != Verdict::Complete {
            continue;
        }
        let values = model.variables.iter().map(|v| model.types.values(&v.ty));
        let states = values.multi_cartesian_product().map(State).collect();
        let labels = (0..3).map(|action| Label { action, args: Vec::new() }).collect();
        let universe = Universe { model: &model, formula, states, labels };
        for class in &result.classes {
            let expected = universe.expected(&result.atoms, &class.constraint);
            let shown = class.constraint.show(&model, &result.atoms);
            assert_eq!(class.restates, expected, "seed {seed}: {shown}\n{text}");
            match expected {
                Restates::Property => property += 1,
                Restates::Step => names += 1,
                Restates::Nothing => nothing += 1,
                Restates::Undecided => unreachable!("it is enumerated"),
            }
        }
    }
    eprintln!("{property} restate the property, {names} in names of actions, {nothing} say more");
    assert!(property > 9 && names > 2 && nothing > 9);
}
