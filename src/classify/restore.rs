//! Constraints from their texts: what a report says of a class becomes a constraint again.

use super::collect::Atoms;
use super::constraint::Constraint;
use super::fact::{Fact, FactKind, Stretch};
use crate::budget::Budget;
use crate::model::{Model, Vocabulary};
use crate::trace::Trace;
use itertools::Itertools;
use std::sync::Arc;

/// The constraint whose facts have these texts, in their order, rebuilt from a trace that satisfies it:
/// every fact of it holds there at `positions`, one for each position variable, and so it is among the
/// facts that the vocabulary has of this trace. `None` if one is not: the texts come from another
/// model, vocabulary or trace.
pub fn restore(
    model: &Model,
    vocabulary: &Vocabulary,
    trace: &Trace,
    positions: &[usize],
    texts: &[&str],
) -> Option<Constraint> {
    let mut constraint = Constraint { positions: positions.len(), facts: Vec::new() };
    let names = constraint.names();
    let mut atoms = Atoms::new(model, vocabulary);
    let placed = atoms.collect(&trace.moments, &Budget::unlimited()).ok()?;
    let occurrences = atoms.occurrences(&trace.moments);
    let atoms = placed.into_iter().map(|p| p.atom).chain(atoms.across()).unique_by(Arc::as_ptr);
    let atoms = atoms.filter(|atom| !atom.params.is_empty()).flat_map(|atom| {
        // Where a fact is not found in the trace in the order that was shown, it may still hold there.
        let variables = (0..atom.params.len()).map(|_| 0..positions.len()).multi_cartesian_product();
        variables.map(move |positions| Fact { kind: FactKind::Atom(atom.clone()), positions })
    });
    let atoms = atoms.filter(|f| f.holds(model, &trace.moments, positions));
    let of_one = (0..positions.len()).flat_map(|p| [(Stretch::Before, vec![p]), (Stretch::After, vec![p])]);
    let of_two = (0..positions.len()).permutations(2).map(|pair| (Stretch::Between, pair));
    let stretches: Vec<(Stretch, Vec<usize>)> = of_one.chain(of_two).collect();
    let absent = occurrences.into_iter().flat_map(|what| {
        stretches.iter().map(move |(stretch, positions)| Fact {
            kind: FactKind::Absent(what.atom.clone(), *stretch),
            positions: positions.clone(),
        })
    });
    let absent = absent.filter(|f| f.holds(model, &trace.moments, positions));
    let orders = (0..positions.len()).permutations(2.min(positions.len())).flat_map(|pair| {
        [FactKind::Before, FactKind::Next].map(|kind| Fact { kind, positions: pair.clone() })
    });
    let orders = orders.filter(|f| f.positions.len() == 2 && f.holds(model, &trace.moments, positions));
    let mut wanted: Vec<Option<Fact>> = vec![None; texts.len()];
    for fact in atoms.chain(absent).chain(orders) {
        let text = fact.show(model, &names);
        if let Some(index) = texts.iter().position(|t| *t == text) {
            wanted[index].get_or_insert(fact);
        }
    }
    constraint.facts = wanted.into_iter().collect::<Option<_>>()?;
    Some(constraint)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classify::{Options, classify};
    use crate::model::load;
    use crate::unroll::Lengths;
    use std::path::Path;

    #[test]
    fn every_class_of_the_samples_can_be_restored() {
        let samples = [
            ("../tests/cli/across", "w", 5),
            ("running_example", "messages", 5),
            ("running_example", "equality", 5),
            ("increment_decrement", "both", 3),
            ("mutex", "steps", 6),
            ("mutex", "courses", 8),
            ("tcp_handshake", "generic", 4),
            ("ns_public_key", "attacks", 6),
            ("paper/tcp", "senders_absent", 10),
        ];
        for (name, vocabulary, bound) in samples {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("specs").join(name).with_extension("sts");
            let model = load(&path, &[]).model.expect("no mistakes");
            let vocabulary = &model.vocabularies[model.vocabulary(vocabulary).expect("it exists")];
            let invariant = model.properties[0].invariant().expect("an invariant");
            let options = Options { keep_redundant: true, ..Options::of(Lengths::UpTo(bound)) };
            let result = classify(&model, invariant, vocabulary, &options, &Budget::unlimited(), &mut ());
            assert!(!result.classes.is_empty(), "{name}");
            for class in &result.classes {
                let names = class.constraint.names();
                let texts: Vec<String> =
                    class.constraint.facts.iter().map(|f| f.show(&model, &names)).collect();
                let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
                let again = restore(&model, vocabulary, &class.representative, &class.positions, &texts)
                    .unwrap_or_else(|| panic!("{name}: {texts:?}"));
                assert_eq!(again.show(&model), class.constraint.show(&model));
                for other in &result.classes {
                    assert_eq!(
                        again.matches(&model, &other.representative.moments),
                        class.constraint.matches(&model, &other.representative.moments),
                        "{name}: {texts:?}"
                    );
                }
                let strange = [&texts[..], &["no such fact"]].concat();
                let restored = restore(&model, vocabulary, &class.representative, &class.positions, &strange);
                assert_eq!(restored, None);
            }
        }
    }
}
