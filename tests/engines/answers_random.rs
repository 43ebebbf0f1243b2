//! Properties that ask for an answer, on random models: the states in which something is waited for, the tags of steps and shortest
//! runs against their definitions, and verdicts against the search over all infinite traces.

use crate::build::{constant, eq, truth, var};
use crate::random::{Random, seeds};
use crate::random_model::random_model;
use cladist::budget::Budget;
use cladist::explore::{Graph, Labelling, Response, StateSpace, Waiting};
use cladist::ltl::{ListedSystem, LtlTruth, satisfies};
use cladist::lts::inevitable::{InevitabilityAnalysis, NeighbourhoodEntry};
use cladist::lts::safety::{Keep, Tag};
use cladist::lts::strategy::shortest_of_inevitable;
use cladist::lts::{LtsTransition, StateId};
use cladist::model::eval::eval_state;
use cladist::model::expr::{Expr, ExprKind, Formula};
use cladist::model::value::Value;
use cladist::model::{Model, Position};
use cladist::syntax::ast::TemporalOp;
use cladist::trace::{Lasso, Trace};
use std::collections::{BTreeMap, BTreeSet};

const MODELS: u64 = 150;
const FORMULAS: u64 = 4;

/// A state of the model with whether something is waited for.
type Pair = (u32, bool);
/// A step between two of them with its label.
type Step = (Pair, String, Pair);

fn atom(rng: &mut Random, model: &Model) -> Expr {
    let variable = rng.pick(&model.variables);
    let value = rng.pick(&model.types.values(&variable.ty)).clone();
    eq(var(model, &variable.name), constant(value, variable.ty.clone()))
}

/// What asks, and what answers; the first is no formula where the beginning asks.
fn response(rng: &mut Random, model: &Model) -> (Option<Expr>, Expr) {
    let asks = match rng.below(4) {
        0 => None,
        1 => Some(truth(true)),
        _ => Some(atom(rng, model)),
    };
    (asks, atom(rng, model))
}

fn formula(asks: Option<&Expr>, answer: &Expr, written_out: bool) -> Formula {
    let atom = |expr: &Expr| Formula::Atom(expr.clone(), Vec::new());
    let temporal = |op, operand| Formula::Temporal(op, vec![operand]);
    let answered = temporal(TemporalOp::Eventually, atom(answer));
    match asks {
        None => answered,
        Some(_) if !written_out => temporal(TemporalOp::Always, answered),
        Some(asks) => {
            temporal(TemporalOp::Always, Formula::Implies(Box::new(atom(asks)), Box::new(answered)))
        }
    }
}

/// Everything that can be reached, by the definition of waiting.
struct Definition {
    first: Vec<Pair>,
    steps: BTreeSet<Step>,
    pairs: BTreeSet<Pair>,
}

impl Definition {
    fn new(model: &Model, graph: &Graph, asks: Option<&Expr>, answer: &Expr) -> Self {
        let holds = |expr: &Expr, arrival: u32| eval_state(model, expr, &graph.moment(arrival)).is_true();
        let after = |before: Option<bool>, arrival: u32| {
            let asked = match asks {
                None => before.is_none(),
                Some(asks) => holds(asks, arrival),
            };
            (before == Some(true) || asked) && !holds(answer, arrival)
        };
        let pair = |before, arrival: u32| (graph.state_of(arrival) as u32, after(before, arrival));
        let first: Vec<Pair> = (0..graph.initial as u32).map(|arrival| pair(None, arrival)).collect();
        let (mut steps, mut pairs) = (BTreeSet::new(), BTreeSet::new());
        let mut open = first.clone();
        while let Some(from) = open.pop() {
            if !pairs.insert(from) {
                continue;
            }
            for &arrival in &graph.steps[from.0 as usize] {
                let to = pair(Some(from.1), arrival);
                let label = graph.moment(arrival).label.expect("a step");
                steps.insert((from, model.show_label(&label), to));
                open.push(to);
            }
        }
        Self { first, steps, pairs }
    }

    fn after(&self, from: Pair) -> impl Iterator<Item = Pair> {
        self.steps.iter().filter(move |step| step.0 == from).map(|step| step.2)
    }

    /// The pairs from which a run comes to one of these.
    fn before(&self, mut found: BTreeSet<Pair>) -> BTreeSet<Pair> {
        loop {
            let more: Vec<Pair> =
                self.steps.iter().filter(|s| found.contains(&s.2)).map(|step| step.0).collect();
            let size = found.len();
            found.extend(more);
            if found.len() == size {
                return found;
            }
        }
    }

    /// The pairs from which some maximal run waits from some point on.
    fn may_fail(&self) -> BTreeSet<Pair> {
        let mut stay: BTreeSet<Pair> = self.pairs.iter().copied().filter(|pair| pair.1).collect();
        loop {
            let ends = |pair: Pair| self.after(pair).next().is_none();
            let goes_on = |pair: &Pair| ends(*pair) || self.after(*pair).any(|to| stay.contains(&to));
            let next: BTreeSet<Pair> = stay.iter().copied().filter(goes_on).collect();
            if next == stay {
                return self.before(stay);
            }
            stay = next;
        }
    }

    /// The pairs from which some maximal run does not.
    fn may_hold(&self) -> BTreeSet<Pair> {
        let mut left = self.pairs.clone();
        loop {
            let ends = |pair: Pair| self.after(pair).next().is_none();
            let goes_on = |pair: &&Pair| ends(**pair) || self.after(**pair).any(|to| left.contains(&to));
            let answered = self.pairs.iter().filter(|pair| !pair.1).filter(goes_on).copied().collect();
            let next = self.before(answered);
            if next == left {
                return left;
            }
            left = next;
        }
    }

    /// The least number of steps to somewhere.
    fn distances(&self, starts: &[Pair], inside: impl Fn(Pair) -> bool) -> BTreeMap<Pair, usize> {
        let mut far = BTreeMap::new();
        let mut level = starts.to_vec();
        for depth in 0.. {
            level.retain(|pair| inside(*pair) && !far.contains_key(pair));
            if level.is_empty() {
                break;
            }
            level.iter().for_each(|pair| _ = far.insert(*pair, depth));
            level = level.iter().flat_map(|pair| self.after(*pair).collect::<Vec<_>>()).collect();
        }
        far
    }

    /// The least number of steps of a run that violates the property, a loop counted once.
    fn shortest(&self) -> Option<usize> {
        let far = self.distances(&self.first, |_| true);
        let lengths = self.pairs.iter().filter(|pair| pair.1).filter_map(|&head| {
            let next: Vec<Pair> = self.after(head).collect();
            match next.is_empty() {
                true => Some(far[&head]),
                false => Some(far[&head] + self.distances(&next, |pair| pair.1).get(&head)? + 1),
            }
        });
        lengths.min()
    }
}

/// What the steps of the analysed system are, and their tags.
fn check(model: &Model, definition: &Definition, waiting: &Waiting, starts: bool) -> [usize; 3] {
    let unlimited = Budget::unlimited();
    let analysis =
        InevitabilityAnalysis::of_answers(&waiting.lts, &waiting.waiting, &unlimited).expect("no limit");
    let (may_fail, may_hold) = (definition.may_fail(), definition.may_hold());
    let pair = |state: StateId| (waiting.states[state.index()].to_u32(), waiting.waiting.has(state.index()));
    let own = |step: &LtsTransition| !starts || step.from != waiting.lts.initial();
    let steps: Vec<LtsTransition> = waiting.lts.all_transitions().collect();
    let text = |step: &LtsTransition| waiting.lts.labels().text(step.label).into_owned();
    let named =
        steps.iter().filter(|step| own(step)).map(|step| (pair(step.from), text(step), pair(step.to)));
    assert_eq!(named.collect::<BTreeSet<Step>>(), definition.steps, "{}", model.name);
    assert_eq!(analysis.holds(), definition.first.iter().all(|first| !may_fail.contains(first)));
    let mut seen = [0; 3];
    for step in &steps {
        let to = pair(step.to);
        let expected = match (may_fail.contains(&to), may_hold.contains(&to)) {
            (false, _) => Tag::Correct,
            (true, false) => Tag::Incorrect,
            (true, true) => Tag::Neutral,
        };
        assert_eq!(analysis.tag(*step), expected);
        seen[expected as usize] += 1;
    }
    seen
}

#[test]
fn tags_and_shortest_runs_are_those_of_the_definitions() {
    let unlimited = Budget::unlimited();
    let (mut tags, mut held, mut lassos, mut ended) = ([0; 3], 0, 0, 0);
    for seed in seeds(MODELS) {
        let model = random_model(seed);
        let graph = Graph::explore(&model, None, 1_000, &unlimited).expect("few states");
        for number in 0..FORMULAS {
            let rng = &mut Random::new(seed * 1_000 + number);
            let (asks, answer) = response(rng, &model);
            let is_constant = asks.as_ref().is_some_and(|e| e.kind == ExprKind::Const(Value::Bool(true)));
            let formula = formula(asks.as_ref(), &answer, !is_constant || rng.percent(50));
            let definition = Definition::new(&model, &graph, asks.as_ref(), &answer);
            let response = Response::of(&formula).expect("it asks for an answer");
            let space = StateSpace::of(&model, 1_000, &unlimited);
            let labelling = Labelling { arguments: true, visible: vec![true; model.actions.len()] };
            let waiting = response.product(&model, &space, &labelling, &unlimited).expect("no limit");
            let starts = graph.initial > 1;
            let seen = check(&model, &definition, &waiting, starts);
            tags.iter_mut().zip(seen).for_each(|(all, seen)| *all += seen);

            let analysis = InevitabilityAnalysis::of_answers(&waiting.lts, &waiting.waiting, &unlimited)
                .expect("no limit");
            let (entered, keep) = (NeighbourhoodEntry::ByNeutralOnly, Keep::Neighbourhoods);
            let run = shortest_of_inevitable(&analysis, entered, keep, &unlimited).expect("no limit");
            let before = usize::from(starts);
            assert_eq!(
                run.as_ref().map(|run| run.labels.len() - before),
                definition.shortest(),
                "seed {seed}"
            );
            let listed = ListedSystem { model: &model, graph: &graph, fairness: &[] };
            let of_infinite = listed.decide(&formula, &unlimited).expect("a small formula");
            let Some(run) = run else {
                assert_eq!(of_infinite, LtlTruth::Holds, "seed {seed}");
                held += 1;
                continue;
            };
            let Some(start) = run.loop_from else {
                ended += 1;
                continue;
            };
            lassos += 1;
            assert!(matches!(of_infinite, LtlTruth::Violated { .. }), "seed {seed}");
            let states = run.states[before..].iter().map(|state| waiting.states[state.index()].to_u32());
            let states: Vec<u32> = states.collect();
            let labels = run.labels[before..].iter().map(|&l| waiting.lts.labels().text(l).into_owned());
            let mut moments = vec![
                graph.moment(
                    (0..graph.initial as u32)
                        .find(|&a| graph.state_of(a) as u32 == states[0])
                        .expect("an initial state"),
                ),
            ];
            for (at, label) in labels.enumerate() {
                let arrivals = graph.steps[states[at] as usize].iter();
                let taken =
                    arrivals.map(|&arrival| (arrival, graph.moment(arrival))).find(|(arrival, moment)| {
                        graph.state_of(*arrival) as u32 == states[at + 1]
                            && model.show_label(moment.label.as_ref().expect("a step")) == label
                    });
                moments.push(taken.expect("a step of the model").1);
            }
            let lasso = Lasso { trace: Trace { moments }, start: Position::after(start - before) };
            assert!(!satisfies(&model, &formula, &lasso), "seed {seed}");
        }
    }
    assert!(
        tags.iter().all(|&seen| seen > 100) && held > 50 && lassos > 50 && ended > 5,
        "{tags:?} {held} {lassos} {ended}"
    );
}

#[test]
fn other_forms_ask_for_no_answer() {
    let model = random_model(1);
    let rng = &mut Random::new(1);
    let (a, b) = (atom(rng, &model), atom(rng, &model));
    let one = |expr: &Expr| Formula::Atom(expr.clone(), Vec::new());
    let temporal = |op, operand| Formula::Temporal(op, vec![operand]);
    let later = |expr: &Expr| temporal(TemporalOp::Eventually, one(expr));
    let others = [
        one(&a),
        temporal(TemporalOp::Always, one(&a)),
        temporal(TemporalOp::Eventually, temporal(TemporalOp::Always, one(&a))),
        temporal(TemporalOp::Always, Formula::Implies(Box::new(later(&a)), Box::new(later(&b)))),
        Formula::And(Box::new(later(&a)), Box::new(later(&b))),
    ];
    assert!(others.iter().all(|formula| Response::of(formula).is_none()));
}
