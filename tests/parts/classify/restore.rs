//! Tests of `classify::restore`.

use classify::facts::atom::Atoms;
use classify::facts::restore::*;
use classify::{Options, Problem, classify};
use kit::budget::Budget;
use lang::model::load;
use solvers::unroll::Lengths;
use std::path::Path;

#[test]
fn every_class_of_the_samples_can_be_restored() {
    let samples = [
        ("../tests/cli/across", "w", 5),
        ("../tests/cli/linked", "told", 4),
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
        let problem = Problem::first(&model).expect("an invariant");
        let options = Options { keep_redundant: true, ..Options::of(Lengths::UpTo(bound)) };
        let result = classify(problem, vocabulary, &options, &Budget::unlimited(), &mut ());
        assert!(!result.classes.is_empty(), "{name}");
        for class in &result.classes {
            let names = class.constraint.names(&model, &result.atoms);
            let domains = class.constraint.individuals.iter().map(|&d| result.atoms.type_of(d));
            let individuals: Vec<ShownIndividual> = domains
                .zip(&class.assigned.individuals)
                .map(|(ty, value)| ShownIndividual {
                    ty: model.types.name(ty),
                    value: model.types.show_value(value),
                })
                .collect();
            let positions = &class.assigned.positions;
            let restored = |texts: &[&str]| {
                let (atoms, trace) = (Atoms::default(), &class.representative);
                let constraint = restore(&atoms, &model, vocabulary, trace, positions, &individuals, texts)?;
                Some(Restored { constraint, atoms })
            };
            let texts: Vec<String> =
                class.constraint.facts.iter().map(|f| f.show(&model, &result.atoms, &names)).collect();
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let again = restored(&texts).unwrap_or_else(|| panic!("{name}: {texts:?}"));
            assert_eq!(
                again.constraint.show(&model, &again.atoms),
                class.constraint.show(&model, &result.atoms)
            );
            for other in &result.classes {
                let moments = &other.representative.moments;
                assert_eq!(
                    again.constraint.matches(&model, &again.atoms, moments),
                    class.constraint.matches(&model, &result.atoms, moments),
                    "{name}: {texts:?}"
                );
            }
            let strange = [&texts[..], &["no such fact"]].concat();
            assert_eq!(restored(&strange), None);
        }
    }
}
