//! Classes that symmetries make of each other, in random models of rings and rows, against enumeration of all traces.

use crate::all_traces::all_traces;
use crate::random::seeds;
use crate::ring_model::{ring_model, ring_text};
use cladist::budget::Budget;
use cladist::classify::{Class, Classification, Mode, Options, Problem, Verdict, classify};
use cladist::model::{Model, eval, load_text};
use cladist::trace::Trace;
use cladist::unroll::Lengths;
use itertools::Itertools;
use num_bigint::BigUint;
use std::collections::BTreeSet;
use std::io::ErrorKind;

/// The traces in a class and its images, by the reference semantics.
fn inside<'t>(model: &Model, result: &Classification, class: &Class, traces: &'t [Trace]) -> Vec<&'t Trace> {
    let holds = |class: &Class, trace: &Trace| {
        class.constraint.matches(model, &result.atoms, &trace.moments).is_some()
    };
    traces.iter().filter(|trace| class.with_images().any(|class| holds(class, trace))).collect()
}

#[test]
fn images_are_what_symmetries_make_of_classes() {
    let (mut complete, mut with_images, mut images, mut with_numbers) = (0, 0, 0, 0);
    for seed in seeds(150) {
        let model = ring_model(seed);
        let problem = Problem::first(&model).expect("an invariant");
        let options = Options::of(Lengths::UpTo(2));
        let flat = classify(problem, &model.vocabularies[0], &options, &Budget::unlimited(), &mut ());
        let traces = all_traces(&model, 2, 400_000).expect("small models");
        complete += u32::from(flat.verdict == Verdict::Complete);
        for image in &flat.images {
            let [of, class] = [image.of, image.class].map(|index| &flat.classes[index]);
            let of = inside(&model, &flat, of, &traces);
            let class: BTreeSet<String> =
                inside(&model, &flat, class, &traces).iter().map(|trace| format!("{trace:?}")).collect();
            let moved: BTreeSet<String> =
                of.iter().map(|trace| format!("{:?}", trace.permuted(&model, &image.by))).collect();
            assert_eq!(moved, class, "seed {seed}:\n{}", ring_text(seed));
        }
        let kinds = flat.kinds();
        let gathered = flat.clone().gathered();
        assert_eq!((gathered.classes.len(), gathered.kinds()), (kinds, kinds), "seed {seed}");
        let all = |result: &Classification| -> BTreeSet<usize> {
            let is_in = |trace: &Trace| {
                let all = result.classes.iter().flat_map(Class::with_images);
                let mut constraints = all.map(|class| &class.constraint);
                constraints.any(|c| c.matches(&model, &result.atoms, &trace.moments).is_some())
            };
            (0..traces.len()).filter(|&index| is_in(&traces[index])).collect()
        };
        assert_eq!(all(&flat), all(&gathered), "seed {seed}");
        let all = all(&gathered);
        for (index, trace) in traces.iter().enumerate() {
            match eval::first_violation(&model, problem.invariant, &trace.moments) {
                None => assert!(!all.contains(&index), "seed {seed}"),
                Some(at) if at == trace.last() && flat.verdict == Verdict::Complete => {
                    assert!(all.contains(&index), "seed {seed}");
                }
                Some(_) => {}
            }
        }
        let mut counted = flat.clone();
        counted.count_traces(problem, 1_000_000, &Budget::unlimited());
        let gathered = counted.gathered();
        let numbers = gathered.counts.as_ref().and_then(|counts| counts.as_ref().ok());
        for (index, class) in gathered.classes.iter().enumerate().filter(|_| numbers.is_some()) {
            let all = inside(&model, &gathered, class, &traces).into_iter();
            let ends_there = |trace: &&Trace| {
                eval::first_violation(&model, problem.invariant, &trace.moments) == Some(trace.last())
            };
            let found = numbers.iter().flat_map(|numbers| &numbers.counts).map(|count| count.first.of(index));
            assert_eq!(found.sum::<BigUint>(), all.filter(ends_there).count().into(), "seed {seed}");
            with_numbers += u32::from(!class.images.is_empty());
        }
        with_images += u32::from(!flat.images.is_empty());
        images += flat.images.len();
    }
    let found = (complete, with_images, images, with_numbers);
    assert!(complete > 40 && with_images > 12 && images > 40 && with_numbers > 12, "{found:?}");
}

/// Covers name what nodes are given, so that there is something for symmetries to move.
#[test]
fn images_are_what_symmetries_make_of_classes_of_covers() {
    let (mut with_images, mut images, mut together) = (0, 0, 0);
    for seed in seeds(150) {
        let text = ring_text(seed);
        let nodes = if text.contains("Ada") { ["Ada", "Bea", "Cia", "Dea"] } else { ["1", "2", "3", "4"] };
        let count = if text.contains(nodes[3]) || text.contains("1..4") { 4 } else { 3 };
        let items = |name: &str| nodes[..count].iter().map(|node| format!("{name}({node}, t)")).join(", ");
        let (body, _) = text.split_once("vocabulary").expect("it has one");
        let text = format!(
            "{body}
             pred is_on(n: Node, t: pos) = n in on@t;
             pred holds(n: Node, t: pos) = token@t = n and lit[n]@t;
             vocabulary v = {{ {}, {} }};",
            items("is_on"),
            items("holds"),
        );
        let loaded = load_text("nodes.sts", &text, &[], &|_| Err(ErrorKind::NotFound.into()));
        let model = loaded.model.unwrap_or_else(|| panic!("{:?} in\n{text}", loaded.diagnostics));
        let problem = Problem::first(&model).expect("an invariant");
        let options = Options { mode: Mode::Cover, ..Options::of(Lengths::UpTo(2)) };
        let flat = classify(problem, &model.vocabularies[0], &options, &Budget::unlimited(), &mut ());
        let traces = all_traces(&model, 2, 400_000).expect("small models");
        let shown = |traces: Vec<Trace>| -> BTreeSet<String> {
            traces.iter().map(|trace| format!("{trace:?}")).collect()
        };
        for image in &flat.images {
            let [of, class] = [image.of, image.class].map(|index| {
                inside(&model, &flat, &flat.classes[index], &traces).into_iter().cloned().collect::<Vec<_>>()
            });
            let moved = of.iter().map(|trace| trace.permuted(&model, &image.by)).collect();
            assert_eq!(shown(moved), shown(class), "seed {seed}:\n{text}");
        }
        // What occurs together are the classes that a trace is in, in some image at least.
        let gathered = flat.clone().gathered();
        let cover = gathered.cover.as_ref().expect("a cover");
        for combination in &cover.combinations {
            let is_in = |class: &Class| {
                !inside(&model, &gathered, class, std::slice::from_ref(&combination.trace)).is_empty()
            };
            let classes: Vec<usize> =
                (0..gathered.classes.len()).filter(|&index| is_in(&gathered.classes[index])).collect();
            assert_eq!(classes, combination.classes, "seed {seed}:\n{text}");
        }
        let several = cover.combinations.iter().map(|combination| &combination.classes).all_unique();
        assert!(several, "seed {seed}: {:?}", cover.combinations);
        with_images += u32::from(!flat.images.is_empty());
        images += flat.images.len();
        let before = flat.cover.as_ref().map_or(0, |cover| cover.combinations.len());
        together += usize::from(before > cover.combinations.len());
    }
    let found = (with_images, images, together);
    assert!(with_images > 12 && images > 20 && together > 5, "{found:?}");
}
