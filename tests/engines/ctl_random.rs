//! Thousands of small random systems and formulas: truth by fixpoints, smallest counterexamples by enumeration.

use crate::ctl_common as common;
use crate::random::cases;
use cladist::lts::{Bits, StateId};

use cladist::budget::Budget;
use cladist::ctl::{
    CtlFormula, CtlGoal, DiagramLimit, EvidenceForm, EvidenceOutcome, Explicit, Implicit, ListedTruth,
    ModelFormula, PathSearch, SatisfactionSets, SubgraphSearch, SymbolicModel, Witness, WitnessShape,
    any_subgraph, check, definition, evidence, graph_search, is_about_one_state, shortest_path,
    smallest_subgraph,
};
use cladist::model::expr::Expr;
use cladist::model::value::{State, Value};
use cladist::model::{Model, load_expression, load_text};
use cladist::sat::{Backend, Circuit};
use common::{F, LABELS, Meaning, Random, System};
use std::collections::BTreeSet;

struct Case {
    system: System,
    f: F,
    fair: Vec<usize>,
}

impl Case {
    fn new(seed: u64, states: usize, transitions: usize) -> Self {
        let mut random = Random::new(seed);
        let system = System::random(&mut random, states, transitions);
        let depth = 1 + random.below(3);
        let f =
            if seed.is_multiple_of(2) { F::random(&mut random, depth) } else { F::branching(&mut random) };
        let fair = match random.below(6) {
            0 => vec![0],
            1 => vec![0, 1],
            _ => vec![],
        };
        Self { system, f, fair }
    }

    fn formula(&self) -> CtlFormula {
        self.f.formula(&self.fair)
    }

    fn whole(&self) -> Meaning<'_> {
        Meaning { whole: &self.system, chosen: &self.system, fair: &self.fair }
    }

    /// Whether these steps alone prove in a state that the formula holds, or does not.
    fn proves(&self, edges: &[(usize, usize)], state: usize, holds: bool) -> bool {
        let chosen = self.system.only(edges);
        Meaning { whole: &self.system, chosen: &chosen, fair: &self.fair }.of(&self.f, holds)[state]
    }
}

fn truth_of(formula: &CtlFormula, case: &Case) -> SatisfactionSets {
    check(formula, &case.system.structure(), &case.system.label_sets(), &Budget::unlimited())
        .expect("no limits")
}

fn circuit() -> Circuit {
    Circuit::new(Backend::Cadical.start(&Budget::unlimited()))
}

#[test]
fn truth_agrees_with_fixpoints_and_with_the_definition() {
    let mut classes = BTreeSet::new();
    for seed in 0..4000 {
        let case = Case::new(seed, 7, 16);
        let formula = case.formula();
        classes.insert(formula.class().word());
        let truth = truth_of(&formula, &case);
        let expected = case.whole().of(&case.f, true);
        let found: Vec<bool> = (0..case.system.states()).map(|s| truth.of(formula.root).has(s)).collect();
        assert_eq!(found, expected, "{seed}: {:?}", case.f);
        let labels: Vec<Vec<bool>> =
            (0..LABELS).map(|label| case.system.labels.iter().map(|l| l[label]).collect()).collect();
        let closed = definition::evaluate(&formula, &case.system.structure(), &labels);
        assert_eq!(closed[formula.root.index()], expected, "{seed}: {:?}", case.f);
    }
    assert_eq!(classes.len(), 4);
}

/// All paths on which no state comes twice: their states, and where they go back to.
fn restricted_paths(system: &System) -> Vec<(Vec<usize>, Option<usize>)> {
    let mut paths = Vec::new();
    let mut open: Vec<Vec<usize>> = system.initial.iter().map(|&s| vec![s]).collect();
    while let Some(path) = open.pop() {
        paths.push((path.clone(), None));
        for &to in &system.steps[path[path.len() - 1]] {
            match path.iter().position(|&s| s == to) {
                Some(back) => paths.push((path.clone(), Some(back))),
                None => open.push([path.clone(), vec![to]].concat()),
            }
        }
    }
    paths
}

fn path_edges(path: &[usize], back: Option<usize>) -> Vec<(usize, usize)> {
    let mut edges: Vec<(usize, usize)> = path.windows(2).map(|pair| (pair[0], pair[1])).collect();
    edges.extend(back.map(|to| (path[path.len() - 1], path[to])));
    edges
}

/// The least path that proves it: its number of states, and whether it goes round.
fn least_path(case: &Case, holds: bool) -> Option<(usize, bool)> {
    let all = restricted_paths(&case.system).into_iter();
    let good = all.filter(|(path, back)| case.proves(&path_edges(path, *back), path[0], holds));
    good.map(|(path, back)| (path.len(), back.is_some())).min()
}

/// The least subgraph connected from an initial state that proves it: its numbers of transitions and of states; and the least
/// number of states of any that does.
fn least_subgraph(case: &Case, holds: bool) -> Option<((usize, usize), usize)> {
    let edges = case.system.edges();
    let mut best: Option<((usize, usize), usize)> = None;
    for &root in &case.system.initial {
        for choice in 0u32..1 << edges.len() {
            let chosen: Vec<(usize, usize)> =
                edges.iter().enumerate().filter(|(at, _)| choice >> at & 1 == 1).map(|(_, e)| *e).collect();
            let mut seen = BTreeSet::from([root]);
            while let Some(&(_, to)) =
                chosen.iter().find(|(from, to)| seen.contains(from) && !seen.contains(to))
            {
                seen.insert(to);
            }
            let size = (chosen.len(), seen.len());
            let connected = chosen.iter().all(|(from, _)| seen.contains(from));
            let better = |best: ((usize, usize), usize)| size < best.0 || seen.len() < best.1;
            if connected && best.is_none_or(better) && case.proves(&chosen, root, holds) {
                let (least, states) = best.unwrap_or((size, seen.len()));
                best = Some((least.min(size), states.min(seen.len())));
            }
        }
    }
    best
}

/// A witness is made of the system, and proves what it is for.
fn assert_proves(
    case: &Case,
    goal: &CtlGoal,
    truth: &SatisfactionSets,
    witness: &Witness<StateId>,
    holds: bool,
    seed: u64,
) {
    let at = |index: usize| witness.states[index].index();
    let edges: Vec<(usize, usize)> = witness.edges.iter().map(|&(from, to)| (at(from), at(to))).collect();
    assert!(case.system.initial.contains(&at(0)), "{seed}");
    assert!(edges.iter().all(|(from, to)| case.system.steps[*from].contains(to)), "{seed}");
    assert!(case.proves(&edges, at(0), holds), "{seed}: {:?} {witness:?}", case.f);
    let fact = |number: usize, state: &StateId| {
        let fact = goal.facts[number];
        truth.holds(fact.part, *state) == fact.holds
    };
    assert!(witness.shows(goal, fact), "{seed}: {:?} {witness:?}", case.f);
    // Its evidence uses every transition of a smallest one, and only these.
    let labels: Vec<Bits> = (0..goal.facts.len())
        .map(|number| {
            let mut set = Bits::new(witness.states.len());
            let states = witness.states.iter().enumerate();
            states.filter(|(_, s)| fact(number, s)).for_each(|(s, _)| _ = set.insert(s));
            set
        })
        .collect();
    let structure = witness.structure();
    let own = check(&goal.formula, &structure, &labels, &Budget::unlimited()).expect("no limits");
    let steps: BTreeSet<(usize, usize)> = evidence(&goal.formula, &structure, &own, StateId::FIRST)
        .iter()
        .filter_map(|e| e.step.map(|(to, _)| (e.state.index(), to.index())))
        .collect();
    assert_eq!(steps.into_iter().collect::<Vec<_>>(), witness.edges, "{seed}: {:?}", case.f);
}

#[test]
fn paths_are_the_shortest_and_subgraphs_the_smallest_there_are() {
    let (mut paths, mut impossible, mut branching) = (0, 0, 0);
    for seed in 0..3000 {
        let case = Case::new(seed + 10_000, 4, 8);
        let formula = case.formula();
        let truth = truth_of(&formula, &case);
        let structure = case.system.structure();
        for holds in [false, true] {
            let shown = case.system.initial.iter().any(|&s| truth.of(formula.root).has(s) == holds);
            let goal = CtlGoal::new(&formula, holds);
            let facts = goal.fact_sets(&truth, case.system.states());
            let on_goal = check(&goal.formula, &structure, &facts, &Budget::unlimited()).expect("no limits");
            let space = || Explicit::new(&structure, &goal, &on_goal, circuit());
            let found = shortest_path(&mut space(), &goal.formula, 1..=10);
            let least = least_path(&case, holds);
            match &found {
                PathSearch::Found(path) => {
                    paths += 1;
                    let round = matches!(path.shape, WitnessShape::Lasso(_));
                    assert_eq!(Some((path.states.len(), round)), least, "{seed}: {:?}", case.f);
                    assert_proves(&case, &goal, &truth, path, holds, seed);
                }
                PathSearch::Impossible => {
                    impossible += usize::from(shown);
                    assert_eq!(least, None, "{seed}: {:?}", case.f);
                }
                other => panic!("{seed}: {other:?}"),
            }
            if !shown {
                continue;
            }
            let (size, states) = least_subgraph(&case, holds).expect("the whole system proves it");
            for scope in 1..=case.system.states() {
                let some = any_subgraph(space(), &goal.formula, scope).expect("no limits");
                assert_eq!(some.is_some(), scope >= states, "{seed}: {:?}", case.f);
            }
            match smallest_subgraph(space, &goal.formula, 10) {
                SubgraphSearch::Found(subgraph) => {
                    branching += usize::from(subgraph.edges.len() > 2 && least.is_none());
                    let own = (subgraph.edges.len(), subgraph.states.len());
                    assert_eq!(own, size, "{seed}: {:?}", case.f);
                    assert_proves(&case, &goal, &truth, &subgraph, holds, seed);
                }
                other => panic!("{seed}: {other:?}"),
            }
        }
    }
    assert!(paths > 1000 && impossible > 25 && branching > 8, "{paths} {impossible} {branching}");
}

/// Bounds by graph search, for goals of which it says something, are right, and what it calls shortest is: held against the
/// enumeration of all paths.
#[test]
fn graph_search_finds_shortest_paths_and_lassos() {
    let (mut shortest, mut lassos, mut fair, mut open, mut linear) = (0, 0, 0, 0, 0);
    for seed in 0..6000 {
        let case = graph_case(seed + 30_000);
        let formula = case.formula();
        let truth = truth_of(&formula, &case);
        let structure = case.system.structure();
        for holds in [false, true] {
            let goal = CtlGoal::new(&formula, holds);
            if !case.system.initial.iter().any(|&s| truth.of(formula.root).has(s) == holds) {
                continue;
            }
            let facts = goal.fact_sets(&truth, case.system.states());
            let on_goal = check(&goal.formula, &structure, &facts, &Budget::unlimited()).expect("no limits");
            let search = graph_search(&goal, &structure, &on_goal, &Budget::unlimited());
            let least = least_path(&case, holds);
            assert!(least.is_none_or(|(states, _)| search.at_least <= states), "{seed}: {:?}", case.f);
            linear += usize::from(goal.is_linear());
            if !goal.is_linear() {
                assert_eq!((search.witness, search.at_least), (None, 1), "{seed}");
                continue;
            }
            let is_shortest = search.is_shortest();
            let witness = search.witness.expect("no limit is reached in small systems");
            let lasso = matches!(witness.shape, WitnessShape::Lasso(_));
            if is_shortest {
                shortest += 1;
                lassos += usize::from(lasso);
                fair += usize::from(lasso && case.fair.len() > 1);
                assert_eq!(Some((witness.states.len(), lasso)), least, "{seed}: {:?}", case.f);
                assert_proves(&case, &goal, &truth, &witness, holds, seed);
            } else {
                open += 1;
                assert!(witness.is_part_of(&structure), "{seed}");
                let at = |index: usize| witness.states[index].index();
                let edges: Vec<(usize, usize)> =
                    witness.edges.iter().map(|&(from, to)| (at(from), at(to))).collect();
                assert!(case.proves(&edges, at(0), holds), "{seed}: {:?} {witness:?}", case.f);
            }
        }
    }
    let seen = [shortest, lassos, fair, open, linear];
    assert!(shortest > 3000 && lassos > 500 && fair > 50 && open > 50, "{seen:?}");
}

/// Systems of more states, with formulas that are often shown by lassos.
fn graph_case(seed: u64) -> Case {
    let mut random = Random::new(seed);
    let system = System::random(&mut random, 7, 12);
    let depth = 1 + random.below(3);
    let f = match random.below(3) {
        0 => F::random(&mut random, depth),
        1 => F::Always(
            true,
            Box::new(F::Or(
                Box::new(F::Label(random.below(LABELS))),
                Box::new(F::Eventually(true, Box::new(F::random(&mut random, 0)))),
            )),
        ),
        _ => F::Eventually(true, Box::new(F::random(&mut random, 1))),
    };
    let fair = [vec![], vec![0], vec![0, 1]][random.below(3)].clone();
    Case { system, f, fair }
}

/// On a single path, going backwards over the positions is the definition by closures.
#[test]
fn paths_are_evaluated_as_by_closures() {
    for seed in 0..3000 {
        let case = Case::new(seed + 40_000, 7, 12);
        let formula = case.formula();
        let mut random = Random::new(seed);
        let states = 1 + random.below(7);
        let back = Some(random.below(states + 1)).filter(|&to| to < states);
        let path = Witness::path((0..states).collect(), back);
        let labels: Vec<Vec<bool>> =
            (0..LABELS).map(|_| (0..states).map(|_| random.below(2) == 0).collect()).collect();
        let closed = definition::evaluate(&formula, &path.structure(), &labels);
        let direct = definition::evaluate_on_path(&formula, states, back, &labels);
        assert_eq!(closed, direct, "{seed}: {:?} {path:?}", case.f);
    }
}

/// A model of a system, with the labels as expressions.
fn model(system: &System) -> (Model, Vec<Expr>) {
    let missing = |_: &std::path::Path| Err(std::io::Error::from(std::io::ErrorKind::NotFound));
    let loaded = load_text("generated.sts", &system.model_text(), &[], &missing);
    let model = loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics));
    let label = |label| load_expression(&model, &system.label_text(label)).found.expect("an expression").expr;
    let labels = (0..LABELS).map(label).collect();
    (model, labels)
}

#[test]
fn models_as_they_are_give_the_same_sizes_as_their_states() {
    let mut compared = 0;
    for seed in 0..cases(300) {
        let case = Case::new(seed + 20_000, 4, 8);
        let formula = case.formula();
        let truth = truth_of(&formula, &case);
        let structure = case.system.structure();
        let (model, labels) = model(&case.system);
        for holds in [false, true] {
            let goal = CtlGoal::new(&formula, holds);
            if !is_about_one_state(&formula, &goal) {
                continue;
            }
            let shown = case.system.initial.iter().any(|&s| truth.of(formula.root).has(s) == holds);
            let symbolic = || SymbolicModel::new(&model, &formula, &goal, &labels, circuit());
            let facts = goal.fact_sets(&truth, case.system.states());
            let on_goal = check(&goal.formula, &structure, &facts, &Budget::unlimited()).expect("no limits");
            let explicit = || Explicit::new(&structure, &goal, &on_goal, circuit());
            let state = |state: State| match state.0[0] {
                Value::Int(s) => StateId::new(s as usize),
                ref other => panic!("{other:?}"),
            };
            let (a, b) = (
                shortest_path(&mut symbolic(), &goal.formula, 1..=6),
                shortest_path(&mut explicit(), &goal.formula, 1..=6),
            );
            match (a, b) {
                (PathSearch::Found(a), PathSearch::Found(b)) => {
                    assert_eq!((a.states.len(), a.edges.len()), (b.states.len(), b.edges.len()), "{seed}");
                    assert_proves(&case, &goal, &truth, &a.map(state), holds, seed);
                }
                (PathSearch::Impossible, PathSearch::Impossible) => {}
                (a, b) => panic!("{seed}: {a:?}, {b:?}"),
            }
            let most = 5;
            match (smallest_subgraph(symbolic, &goal.formula, most), shown) {
                (SubgraphSearch::Found(a), true) => {
                    let SubgraphSearch::Found(b) = smallest_subgraph(explicit, &goal.formula, most) else {
                        panic!("{seed}: {:?}", case.f)
                    };
                    assert_eq!((a.states.len(), a.edges.len()), (b.states.len(), b.edges.len()), "{seed}");
                    assert_proves(&case, &goal, &truth, &a.map(state), holds, seed);
                    compared += 1;
                }
                (SubgraphSearch::NoneUpTo(up_to), false) => assert_eq!(up_to, most),
                (found, shown) => panic!("{seed}: {found:?}, {shown}"),
            }
        }
    }
    assert!(compared > 80, "{compared}");
}

/// Diagrams of a model against its listed states: verdicts, numbers, doubts, and what is shown.
#[test]
fn decision_diagrams_decide_as_listed_states_do() {
    let (mut paths, mut lassos, mut subgraphs, mut shortest) = (0, 0, 0, 0);
    for seed in 0..cases(500) {
        let case = Case::new(seed + 60_000, 7, 14);
        let (model, labels) = model(&case.system);
        let formula = ModelFormula { formula: case.formula(), labels };
        let structure = case.system.structure();
        let unlimited = Budget::unlimited();
        let listed = ListedTruth::new(&formula.formula, &structure, &case.system.label_sets(), &unlimited)
            .expect("no limits");
        let mut implicit = Implicit::new(&model, &formula, &unlimited).expect("no limits");
        let holds = listed.holds();
        assert_eq!(implicit.holds(), Ok(holds), "{seed}: {:?}", case.f);
        let reachable = structure.reachable();
        assert_eq!(implicit.states(), reachable.iter().count().into(), "{seed}");
        let deadlocks = structure.deadlocks().map_or(0, |(_, count)| count);
        assert_eq!(implicit.deadlocks(), Ok(deadlocks.into()), "{seed}");
        assert_eq!(implicit.unfair(), listed.unfair(&unlimited).map_err(DiagramLimit::Budget), "{seed}");

        let found = implicit.show(EvidenceForm::default());
        let goal = CtlGoal::new(&formula.formula, holds);
        let EvidenceOutcome::Shown(exhibit) = found else {
            assert!(holds && !goal.has_steps(), "{seed}: {:?} {found:?}", case.f);
            continue;
        };
        let state = |state: State| match state.0[0] {
            Value::Int(s) => StateId::new(s as usize),
            ref other => panic!("{other:?}"),
        };
        let witness = exhibit.witness.map(state);
        // Not every transition of one that need not be smallest is needed, so that evidence may be without some.
        let at = |index: usize| witness.states[index].index();
        let edges: Vec<(usize, usize)> = witness.edges.iter().map(|&(a, b)| (at(a), at(b))).collect();
        assert!(witness.is_part_of(&structure), "{seed}");
        assert!(case.proves(&edges, at(0), holds), "{seed}: {:?} {witness:?}", case.f);
        match witness.shape {
            WitnessShape::Path => paths += 1,
            WitnessShape::Lasso(_) => lassos += 1,
            WitnessShape::Subgraph => subgraphs += 1,
        }
        if exhibit.minimal {
            shortest += 1;
            let round = matches!(witness.shape, WitnessShape::Lasso(_));
            assert_eq!(least_path(&case, holds), Some((witness.states.len(), round)), "{seed}: {:?}", case.f);
        }
    }
    let counts = (paths, lassos, subgraphs, shortest);
    assert!(paths > 60 && lassos > 30 && subgraphs > 6 && shortest > 50, "{counts:?}");
}
