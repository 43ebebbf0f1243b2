//! Models in SMV with known verdicts.

use cladist::budget::Budget;
use cladist::explore::Graph;
use cladist::ltl::{Fairness, ListedSystem, LtlTruth};
use cladist::model::eval::Scope;
use cladist::model::value::State;
use cladist::model::{LoadOptions, Model, Property, PropertyKind};
use cladist::readers::ForeignLanguage;
use std::path::Path;

/// Whether each property holds.
type Verdicts = &'static [(&'static str, bool)];

/// For each model how many states are reached, and what holds of the properties that are not of CTL.
const VERDICTS: &[(&str, usize, Verdicts)] = &[
    (
        "arbiter",
        16,
        &[("one_grant", true), ("granted_is_last", true), ("never_first", false), ("served", true)],
    ),
    ("broken_mutex", 9, &[("ctlspec_1", false), ("exclusion", false)]),
    ("cells", 6, &[("never_both", false), ("never_full", true), ("bounded", true)]),
    (
        "checksum",
        273,
        &[
            ("small", false),
            ("last_small", true),
            ("inverse", true),
            ("first", true),
            ("known", true),
            ("once", true),
            ("within", true),
            ("soon", false),
            ("since", true),
        ],
    ),
    ("counter", 8, &[("below_eight", true), ("never_full", false), ("overflows", true)]),
    ("dining", 14, &[("neighbours", true), ("no_deadlock", false)]),
    ("elevator", 184, &[("inside", true), ("stays_low", false)]),
    ("ferryman", 21, &[("no_solution", false)]),
    ("frozen", 32, &[("kept", true), ("quick", true), ("never_five", false), ("finds", true)]),
    ("mutex", 24, &[("exclusion", true), ("enters", false)]),
    ("ring", 7, &[("never_all", true), ("never_two", false), ("rises", false)]),
    ("semaphore", 48, &[("exclusion", true), ("always_free", false), ("enters", false), ("moves", true)]),
    ("shift", 31, &[("empty_at_first", true), ("never_ones", false), ("grows", true)]),
    ("strong", 4, &[("answered", true), ("idle", false)]),
    ("tables", 15, &[("remainder", true), ("table", false), ("not_zero", false), ("power", true)]),
    ("traffic", 11, &[("safe_", true), ("walkers_wait", false)]),
    (
        "wide",
        15,
        &[
            ("next__left__has_a_result", true),
            ("next_tank_1_has_a_result", false),
            ("next_lost_has_a_result", false),
            ("quiet", false),
        ],
    ),
    ("unstuck", 2, &[("reached", false), ("never", true), ("never_either", true)]),
];

/// Whether a property holds, decided as `check` does it: what has the form of an invariant is about all states that are reached. `None` if it
/// is of CTL, or too large.
pub fn holds(model: &Model, graph: &Graph, fairness: &[Fairness], property: &Property) -> Option<bool> {
    if let Some(invariant) = property.invariant() {
        let fails = &mut |state: &State| !Scope::new(model).with_state(state).holds(invariant);
        return Some(graph.depth_of(fails).is_none());
    }
    let PropertyKind::Ltl(formula) = &property.kind else { return None };
    let listed = ListedSystem { model, graph, fairness };
    Some(listed.decide(formula, &Budget::unlimited()).ok()? == LtlTruth::Holds)
}

#[test]
fn models_have_their_verdicts() {
    let unlimited = Budget::unlimited();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models/smv");
    let files = std::fs::read_dir(&folder).expect("the folder").count();
    assert_eq!(files, VERDICTS.len(), "each model has its verdicts here");
    for (name, states, verdicts) in VERDICTS {
        let loaded =
            ForeignLanguage::Smv.load(&folder.join(name).with_extension("smv"), &LoadOptions::default());
        let model = loaded.model.unwrap_or_else(|| panic!("{name}: {:?}", loaded.diagnostics));
        let graph = Graph::explore(&model, None, 10_000, &unlimited).expect("few states");
        let fairness = Fairness::of_model(&model);
        let mut found = Vec::new();
        for property in &model.properties {
            let Some(holds) = holds(&model, &graph, &fairness, property) else { continue };
            found.push((property.name.as_str(), holds));
        }
        assert_eq!((graph.states.len(), found), (*states, verdicts.to_vec()), "{name}");
    }
}
