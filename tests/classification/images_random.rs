//! Classes that symmetries make of each other, in random models of rings and rows, against enumeration of all traces.

use crate::random::seeds;
use crate::ring_model::{ring_model, ring_text};
use cladist::budget::Budget;
use cladist::classify::{Class, Classification, Options, Problem, Verdict, classify};
use cladist::explore::all_traces;
use cladist::model::{Model, eval};
use cladist::trace::Trace;
use cladist::unroll::Lengths;
use std::collections::BTreeSet;

/// The traces in a class and its images, by the reference semantics.
fn inside<'t>(model: &Model, result: &Classification, class: &Class, traces: &'t [Trace]) -> Vec<&'t Trace> {
    let holds = |class: &Class, trace: &Trace| {
        class.constraint.matches(model, &result.atoms, &trace.moments).is_some()
    };
    traces.iter().filter(|trace| class.with_images().any(|class| holds(class, trace))).collect()
}

#[test]
fn images_are_what_symmetries_make_of_classes() {
    let (mut complete, mut with_images, mut fewer, mut several) = (0, 0, 0, 0);
    for seed in seeds(300) {
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
        if flat.verdict == Verdict::Complete {
            let violating = traces
                .iter()
                .filter(|trace| eval::first_violation(&model, problem.invariant, &trace.moments).is_some());
            assert_eq!(all(&gathered).len(), violating.count(), "seed {seed}");
        }
        with_images += u32::from(!flat.images.is_empty());
        if flat.verdict == Verdict::Complete && flat.classes.len() > 1 {
            let symmetries = cladist::symmetry::find(&model, vec![problem.invariant], &Budget::unlimited());
            let proved: Vec<_> = symmetries.all().cloned().collect();
            let group = cladist::symmetry::Group::generated_by(&model.types, &proved);
            let sets: Vec<BTreeSet<String>> = flat
                .classes
                .iter()
                .map(|c| inside(&model, &flat, c, &traces).iter().map(|t| format!("{t:?}")).collect())
                .collect();
            let mut open = 0;
            let mut closed = 0;
            let mut missed = 0;
            for (n, c) in flat.classes.iter().enumerate() {
                let ts = inside(&model, &flat, c, &traces);
                for by in &group.elements {
                    let moved: BTreeSet<String> =
                        ts.iter().map(|t| format!("{:?}", t.permuted(&model, by))).collect();
                    match sets.iter().position(|s| *s == moved) {
                        None => open += 1,
                        Some(m) if m == n => {}
                        Some(m) => {
                            closed += 1;
                            let root =
                                |i: usize| flat.images.iter().find(|im| im.class == i).map_or(i, |im| im.of);
                            if root(m) != root(n) {
                                missed += 1;
                            }
                        }
                    }
                }
            }
            if open > 0 || missed > 0 {
                eprintln!(
                    "seed {seed}: open {open} closed {closed} missed {missed} of {} classes, kinds {kinds}",
                    flat.classes.len()
                );
                if open > 0 || missed > 0 {
                    for c in &flat.classes {
                        eprintln!("   {}", c.constraint.show(&model, &flat.atoms));
                    }
                }
            }
        }
        fewer += flat.images.len();
        several += usize::from(kinds > 1);
    }
    eprintln!(
        "{complete} complete, {with_images} with images, {fewer} images, {several} with several kinds left"
    );
}
