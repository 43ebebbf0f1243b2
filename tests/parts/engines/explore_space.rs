//! Exploring with threads against exploring without, and explorations that go on.

use engines::explore::Exploration;
use engines::explore::limits::Stop;
use engines::explore::orbits::Orbits;
use engines::explore::space::*;
use kit::budget::{Budget, Exhausted};
use lang::model::permutation::{NameType, Permutation};
use lang::model::value::{Label, State, Value};
use lang::model::{Model, PropertyKind, load, load_text};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// All that an exploration tells.
#[derive(Debug, PartialEq)]
struct Explored {
    states: Vec<State>,
    initial: usize,
    explored: usize,
    stopped: Option<Stop>,
    levels: Vec<usize>,
    reached_by: Vec<(u32, u32)>,
    labels: Vec<Label>,
    rows: [Vec<u32>; 3],
    violation: Option<usize>,
}

impl Explored {
    fn of(space: StateSpace<'_>, violation: Option<usize>) -> Self {
        // Values too large to be packed are numbered as they come, by whichever thread.
        let states = (0..space.len()).map(|number| space.state(number)).collect();
        let StateSpace { initial, explored, stopped, levels, reached_by, labels, .. } = space;
        let rows = [space.starts, space.step_labels, space.step_targets];
        Self { states, initial, explored, stopped, levels, reached_by, labels, rows, violation }
    }
}

fn explored<'m>(model: &'m Model, course: ExplorationCourse<'_, 'm>) -> Explored {
    let mut space = StateSpace::new(model);
    let violation = space.explore(course);
    Explored::of(space, violation)
}

fn specs() -> Vec<PathBuf> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/specs");
    let files = std::fs::read_dir(folder).expect("it is there").map(|file| file.expect("readable").path());
    let mut files: Vec<PathBuf> = files.filter(|file| file.extension().is_some_and(|e| e == "sts")).collect();
    files.sort();
    files
}

fn model(file: &Path, overrides: &[(String, String)]) -> Model {
    load(file, overrides).model.expect("no mistakes")
}

const CREWS: [Crews; 3] = [
    Crews { threads: 2, piece: Some(1) },
    Crews { threads: 3, piece: Some(7) },
    Crews { threads: 4, piece: None },
];

#[test]
fn threads_find_the_same_in_the_same_order() {
    let alone = Crews { threads: 1, piece: None };
    let budget = &Budget::unlimited();
    let mut together = 0;
    for file in specs() {
        let model = model(&file, &[]);
        for (states, steps) in [(2_000, usize::MAX), (333, usize::MAX), (2_000, 5)] {
            let course = |crews, edges| ExplorationCourse {
                crews,
                edges,
                steps,
                ..ExplorationCourse::states(states, budget)
            };
            for edges in [true, false] {
                let expected = explored(&model, course(alone, edges));
                together += expected.explored;
                for crews in CREWS {
                    let found = explored(&model, course(crews, edges));
                    assert!(found == expected, "{}, {crews:?}, {states} states", file.display());
                }
            }
        }
        for property in &model.properties {
            let PropertyKind::Invariant(invariant) = &property.kind else { continue };
            let course = |crews| ExplorationCourse { crews, ..ExplorationCourse::states(2_000, budget) };
            let until =
                |crews| explored(&model, ExplorationCourse { invariant: Some(invariant), ..course(crews) });
            let without =
                |crews| explored(&model, ExplorationCourse { ends: Some(invariant), ..course(crews) });
            let expected = (until(alone), without(alone));
            for crews in CREWS {
                assert!((until(crews), without(crews)) == expected, "{}, {crews:?}", file.display());
            }
        }
    }
    assert!(together > 25_000, "{together}");
}

#[test]
fn threads_find_the_same_normal_forms() {
    let file = specs().into_iter().find(|file| file.ends_with("ns_sessions.sts")).expect("it is there");
    let model = model(&file, &[("N".to_owned(), "2".to_owned())]);
    let mut swap = Permutation::default();
    swap.swap(NameType::Range { lo: 1, hi: 2 }, &Value::Int(1), &Value::Int(2));
    let orbits = &Orbits::new(&model, &[swap], true).expect("small");
    let budget = &Budget::unlimited();
    let course =
        |crews| ExplorationCourse { crews, orbits: Some(orbits), ..ExplorationCourse::states(5_000, budget) };
    let found = |crews| explored(&model, course(crews));
    let expected = found(Crews { threads: 1, piece: None });
    for crews in CREWS {
        assert!(found(crews) == expected, "{crews:?}");
    }
    let mut space = StateSpace::new(&model);
    space.explore(course(Crews { threads: 1, piece: None }));
    assert!(space.in_orbits(orbits) > Some(6_000), "{:?}", space.in_orbits(orbits));
}

#[test]
fn what_was_interrupted_goes_on_with_threads() {
    let file = specs().into_iter().find(|file| file.ends_with("ns_sessions.sts")).expect("it is there");
    let model = model(&file, &[]);
    let unlimited = &Budget::unlimited();
    let expected = explored(&model, ExplorationCourse::states(5_000, unlimited));
    for crews in CREWS {
        let mut space = StateSpace::new(&model);
        // At the second look at the budget, after some hundred states.
        let (looks, flag) = (AtomicUsize::new(0), Arc::new(AtomicBool::new(false)));
        let raised = Arc::clone(&flag);
        let interrupted = Budget::unlimited()
            .with_interrupt_flag(flag)
            .watched(move |_| raised.store(looks.fetch_add(1, Ordering::Relaxed) > 0, Ordering::Relaxed));
        space.explore(ExplorationCourse { crews, ..ExplorationCourse::states(5_000, &interrupted) });
        assert_eq!(space.stopped, Some(Stop::Budget(Exhausted::Interrupt)), "{crews:?}");
        assert!(0 < space.explored && space.explored < expected.explored, "{crews:?}: {}", space.explored);
        let violation =
            space.explore(ExplorationCourse { crews, ..ExplorationCourse::states(5_000, unlimited) });
        // States that the unfinished one leads to were numbered already, in the same order.
        assert!(Explored::of(space, violation) == expected, "{crews:?}");
    }
}

/// Where initial states were left out, an exploration never says that all states are there.
#[test]
fn first_states_that_were_left_out_end_an_exploration() {
    let text = "model many; var x: 0..99; init { true; } action stay {} invariant p: x >= 0;";
    let loaded = load_text("many.sts", text, &[], &|_| Err(ErrorKind::NotFound.into()));
    let model = loaded.model.expect("no mistakes");
    let invariant = model.properties[0].invariant().expect("an invariant");
    let budget = Budget::unlimited();
    let mut some = Exploration::default();
    for states in [10, 1_000] {
        let stopped = some.go_on(&model, invariant, states, 1_000, &budget);
        assert!(matches!(stopped, Some(Stop::States(_))), "{states}: {stopped:?}");
    }
    let mut all = Exploration::default();
    assert_eq!(all.go_on(&model, invariant, 1_000, 1_000, &budget), None);
    assert_eq!(all.into_reached(&budget).states.len(), 100);
}
