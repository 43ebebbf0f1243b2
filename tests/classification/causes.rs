//! Kinds by their causes of models of well-known bugs, as experts name them, at several bounds; what constants stop.

use cladist::budget::Budget;
use cladist::classify::Problem;
use cladist::classify::causes::defences::{Circumstances, Defence};
use cladist::classify::causes::kinds::CausalKind;
use cladist::classify::causes::pattern::{ArgumentParts, labels};
use cladist::classify::causes::tree::CausalTree;
use cladist::explore::all_traces;
use cladist::model::expr::Expr;
use cladist::model::{Model, load};
use cladist::report::classes::causal_words::causal_title;
use cladist::sat::{Backend, Setup};
use std::path::{Path, PathBuf};

/// A model, one of its properties, and the titles of the kinds.
type Case = (&'static str, &'static str, &'static [&'static str]);

/// Models of new users, whose kinds were written down before; from the folder `CLADIST_TEST_DATA`.
const OF_USERS: &[Case] = &[
    ("overdraft.sts", "nonNegative", &["withdraw(n) where n > bal"]),
    (
        "dao.sts",
        "no_theft",
        &[
            "withdraw(a) where taken + balance[a] > paid_in, after withdraw(a)",
            "withdraw(a) where taken + balance[a] > paid_in, after withdraw(a=a') and transfer(a=a', b=a)",
        ],
    ),
    (
        "fob.sts",
        "not_stolen",
        &[
            "relay",
            "replay(n) where n > car and n <= car + 3, after press_far(n)",
            "replay(n) where n > car and n <= car + 3, after jam(n)",
            "replay(n) where n <= car and n = refused + 1, after replay",
        ],
    ),
    (
        "heap.sts",
        "memory_safe",
        &[
            "use(p) where p not in valid, after free(p)",
            "use(p) where p not in valid, after free(p=other)",
            "use(p) where p not in valid, after realloc",
            "malloc(b) where b in allocated, after malloc(b)",
            "malloc(b) where b in allocated, after realloc(b)",
        ],
    ),
    (
        "iso2.sts",
        "serialisable",
        &[
            "commit(t), after read(t, k), write(t, k) and commit",
            "commit(t), after read(t=t', k), read(t), write(t, k) and commit(t=t')",
            "commit(t), after read(t, k), write(t, k=k'), write(t=t', k), write(t=t', k=k') and commit(t=t')",
        ],
    ),
];

/// Models of `specs/`.
const OF_SPECS: &[Case] = &[
    (
        "running_example.sts",
        "no_secret_seen",
        &["send(kind=Plaintext, secret=true)", "send(secret=true) where EveKey = Key_AB, after send"],
    ),
    ("ns_public_key.sts", "secrecy", &["learn(n=Nb) where peer[Bob] = Alice, after answer"]),
    ("mutex.sts", "exclusion", &["enter where location[Q] = Critical, after enter"]),
    (
        "web_shop.sts",
        "consent",
        &[
            "forged_pay(s), after visit(s) and log_in(s, t=s)",
            "steal_pay(s), after log_in(s, t=s) and xss(s)",
            "steal_pay(s), after xss(s) and log_in(s, t=s)",
            "steal_pay(s), after visit(s) and log_in(s, t=s)",
        ],
    ),
];

fn invariant(model: &Model, property: &str) -> Expr {
    let found = model.properties.iter().find(|other| other.name == property);
    found.and_then(|property| property.invariant()).expect("an invariant").clone()
}

fn loaded(path: &Path, set: &[Defence]) -> Option<Model> {
    let overrides: Vec<(String, String)> =
        set.iter().map(|defence| (defence.constant.clone(), defence.value.to_string())).collect();
    load(path, &overrides).model
}

/// The tree with what constants do.
fn tree_of(
    path: &Path,
    property: &str,
    problem: Problem<'_>,
    parts: &ArgumentParts,
    bound: usize,
) -> CausalTree {
    let solver = Setup { backend: Backend::Cadical, seed: 0 };
    let budget = Budget::unlimited();
    let mut tree = CausalTree::new(problem, parts, bound, solver, Backend::Cadical, &budget, &mut ());
    let change = |set: &[Defence]| {
        let model = loaded(path, set)?;
        let invariant = invariant(&model, property);
        Some((model, invariant))
    };
    tree.find_defences(problem, parts, Circumstances { bound, solver, budget: &budget, change: &change });
    tree
}

fn check(path: &Path, property: &str, expected: &[&str]) {
    let model = loaded(path, &[]).expect("a model without mistakes");
    let invariant = invariant(&model, property);
    let problem = Problem::new(&model, &invariant);
    let parts = ArgumentParts::new(problem);
    for bound in [8, 10, 12] {
        let tree = tree_of(path, property, problem, &parts, bound);
        let title = |kind: &CausalKind| causal_title(problem, &parts, &tree, kind).line();
        let titles: Vec<String> = tree.kinds.iter().map(title).collect();
        assert_eq!(titles, expected, "{} at {bound}", path.display());
        assert!(tree.ended.is_none() && tree.checked_by.is_some());
    }
}

#[test]
fn kinds_of_specs_are_those_of_experts() {
    for (file, property, expected) in OF_SPECS {
        check(&Path::new("specs").join(file), property, expected);
    }
}

#[test]
fn kinds_of_models_of_new_users_are_those_of_experts() {
    let Some(data) = std::env::var_os("CLADIST_TEST_DATA") else {
        eprintln!("skipped: CLADIST_TEST_DATA is not set");
        return;
    };
    for (file, property, expected) in OF_USERS {
        check(&PathBuf::from(&data).join("models").join(file), property, expected);
    }
}

/// What a constant stops is stopped: of all traces of the changed model, none with the actions of one of the kind violates the property.
#[test]
fn what_constants_stop_does_not_happen_with_them() {
    let path = Path::new("specs/web_shop.sts");
    let model = loaded(path, &[]).expect("a model without mistakes");
    let invariant_of_model = invariant(&model, "consent");
    let problem = Problem::new(&model, &invariant_of_model);
    let parts = ArgumentParts::new(problem);
    let tree = tree_of(path, "consent", problem, &parts, 6);
    let found = tree.defences.as_ref().expect("constants");
    assert_eq!((found.defences.len(), found.ended), (4, None));
    let mut stopped = 0;
    for (number, defence) in found.defences.iter().enumerate() {
        let changed = loaded(path, std::slice::from_ref(defence)).expect("a model without mistakes");
        let invariant = invariant(&changed, "consent");
        let traces = all_traces(&changed, 4, 1_000_000).expect("few");
        let violates = |trace: &&cladist::trace::Trace| {
            let first = cladist::model::eval::first_violation(&changed, &invariant, &trace.moments);
            first.is_some_and(|at| at.steps() == trace.len())
        };
        let words: Vec<Vec<usize>> = traces
            .iter()
            .filter(violates)
            .map(|trace| labels(trace).iter().map(|label| label.action).collect())
            .collect();
        for (kind, stops) in tree.kinds.iter().zip(&found.stopping) {
            let own: Vec<usize> =
                labels(&kind.ways[0].irreducible.trace).iter().map(|label| label.action).collect();
            let happens = words.contains(&own);
            assert_eq!(stops.contains(&number), !happens, "{defence:?} and {own:?}");
            stopped += usize::from(!happens);
        }
    }
    assert_eq!(stopped, 6);
    for set in &found.sufficient {
        let with: Vec<Defence> = set.iter().map(|&number| found.defences[number].clone()).collect();
        let changed = loaded(path, &with).expect("a model without mistakes");
        let invariant = invariant(&changed, "consent");
        for trace in all_traces(&changed, 4, 1_000_000).expect("few") {
            let first = cladist::model::eval::first_violation(&changed, &invariant, &trace.moments);
            assert_eq!(first, None, "{with:?}");
        }
    }
    assert_eq!(found.sufficient.len(), 2);
}
