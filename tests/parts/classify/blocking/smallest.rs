//! The smallest sets of facts that suffice, against all sets of fewer facts.

use super::random::{Random, cases};
use super::space;
use classify::facts::atom::Atoms;
use classify::facts::collect::Collector;
use classify::facts::index::PlacedId;
use classify::facts::problem::Problem;
use classify::oracles::oracle::Oracle;
use classify::results::options::Preference;
use classify::search::draft::{CounterexampleFacts, Orders};
use itertools::Itertools;
use kit::budget::Budget;
use lang::model::{Model, load_text};
use solvers::unroll::Lengths;
use std::io::ErrorKind;

/// The facts of a counterexample that are considered, so that all sets of three can be tried.
const MOST_FACTS: usize = 14;
/// All sets of fewer facts than this are tried.
const MOST: usize = 4;

/// More questions than are ever asked.
const UNLIMITED: u64 = u64::MAX / 2;

/// A model that runs through one of six courses, of which the first few are bad; lamps that are on at random tell them apart.
fn lamps(rng: &mut Random) -> Model {
    let names = ["a", "b", "c", "d", "e"];
    let declared: String = names.iter().map(|name| format!("var {name} : bool; ")).collect();
    let on = names.iter().map(|name| {
        let shown = (0..3).map(|clock| {
            let courses: Vec<String> =
                (1..=6).filter(|_| rng.percent(50)).map(|course: usize| course.to_string()).collect();
            format!("clock = {clock} and course in {{{}}}", courses.join(", "))
        });
        format!("{name}' = ({}); ", shown.collect::<Vec<_>>().join(" or "))
    });
    let on: String = on.collect();
    let bad = 1 + rng.below(3);
    let order = *rng.pick(&["", ", before", ", before, next"]);
    let text = format!(
        "model lamps; var course : 1..6; var clock : 0..3; {declared}
         init {{ clock = 0; not a; not b; not c; not d; not e; }}
         action tick {{ require clock < 3; clock' = clock + 1; {on} }}
         invariant harmless: not (clock = 3 and course <= {bad});
         vocabulary v = {{ eq(a, b, c, d, e){order} }};"
    );
    let loaded = load_text("lamps.sts", &text, &[], &|_| Err(ErrorKind::NotFound.into()));
    loaded.model.expect("a model")
}

#[test]
fn no_fewer_facts_suffice_than_are_found() {
    let mut given_up = 0;
    // How many smallest sets of each size there were; 0 stands for none.
    let mut found = [0; MOST + 1];
    for seed in 0..cases(300) {
        let mut rng = Random::new(seed);
        let model = lamps(&mut rng);
        let problem = Problem::first(&model).expect("an invariant");
        let atoms = Atoms::default();
        let mut space = space(problem, &atoms, Lengths::UpTo(3));
        Oracle::grow_to(&mut space, 3).expect("no budget");
        let Some(trace) = space.first_from(0, &[]).expect("no budget") else { continue };
        let mut collector = Collector::new(&model, &model.vocabularies[0], &atoms);
        let placed = collector.collect(&trace.moments, &Budget::unlimited()).expect("no budget");
        let orders = Orders { before: collector.has_before(), next: collector.has_next() };
        let mut facts = CounterexampleFacts::new(placed, orders, trace.last());
        let all = facts.all();
        if !facts.suffices(&mut space, &all, &facts.all_positions()).expect("no budget") {
            continue;
        }
        // Only some of them; as often as not they do not suffice.
        let mut among = all.clone();
        while among.len() > MOST_FACTS {
            among.remove(rng.below(among.len()));
        }
        // What is known already does not change the result.
        let mut experienced = CounterexampleFacts::new(facts.placed.clone(), facts.orders, facts.last);
        for _ in 0..40 {
            let set: Vec<PlacedId> = all.iter().copied().filter(|_| rng.percent(30)).collect();
            let mut draft = experienced.strongest(set.clone(), experienced.positions_of(&set));
            draft.order.retain(|_| rng.percent(70));
            experienced.is_sufficient(&mut space, &draft).expect("no budget");
        }
        let known =
            experienced.smallest(&mut space, &among, UNLIMITED, &Preference::default()).expect("no budget");
        let smallest =
            facts.smallest(&mut space, &among, UNLIMITED, &Preference::default()).expect("no budget");
        assert_eq!(smallest, known, "seed {seed}");
        let before = facts.questions();
        let soon = facts.smallest(&mut space, &among, 30, &Preference::default()).expect("no budget");
        assert!(facts.questions() - before <= 31 && (soon.is_none() || soon == smallest), "seed {seed}");
        given_up += usize::from(soon != smallest);
        let size = match &smallest {
            Some(draft) => {
                assert!(draft.atoms.iter().all(|fact| among.contains(fact)));
                assert!(suffices(&mut space, &facts, &draft.atoms), "seed {seed}");
                draft.atoms.len()
            }
            None => {
                assert!(!suffices(&mut space, &facts, &among), "seed {seed}");
                0
            }
        };
        found[size.min(MOST)] += 1;
        for fewer in 0..size.min(MOST) {
            for set in among.iter().copied().combinations(fewer) {
                assert!(!suffices(&mut space, &facts, &set), "seed {seed}: {set:?} suffices, {smallest:?}");
            }
        }
    }
    assert!(found[0] > 10 && found[2..].iter().all(|&count| count > 20), "{found:?}");
    assert!(given_up > 20, "{given_up}");
}

/// Whether facts suffice with the strongest order, whatever is known of the counterexample.
fn suffices(space: &mut dyn Oracle<'_>, facts: &CounterexampleFacts, set: &[PlacedId]) -> bool {
    let mut fresh = CounterexampleFacts::new(facts.placed.clone(), facts.orders, facts.last);
    let positions = fresh.positions_of(set);
    fresh.suffices(space, set, &positions).expect("no budget")
}
