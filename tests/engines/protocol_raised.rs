//! Attack patterns of random protocols with powers, with losses of keys, against the model.

use super::protocol_powers::random_protocol;
use super::protocol_random::{NOTHING, RUNS, within};
use crate::random::{Random, seeds};
use cladist::budget::Budget;
use cladist::protocol::{PatternVerdict, Patterns, ProtocolScope, Reveals, load_text};
use std::collections::BTreeMap;

/// The most runs of patterns, and the most patterns of a claim.
const MOST: (usize, usize) = (3, 3_000);

/// The verdicts of patterns on the claims of a file, by their labels.
fn verdicts(text: &str, reveals: Reveals, most: (usize, usize)) -> BTreeMap<String, PatternVerdict> {
    let loaded = load_text("protocol.spdl", text, &Budget::unlimited());
    let protocols = loaded.protocols.unwrap_or_else(|| panic!("{:?}\n{text}", loaded.diagnostics));
    let patterns =
        Patterns::new(&protocols, ProtocolScope { reveals, ..ProtocolScope::default() }).expect("patterns");
    let claims = patterns.claims().into_iter().map(|(role, event)| {
        let label = protocols.roles[role.index()].events[event].label.clone();
        (label, patterns.decide(role, event, most, &Budget::unlimited()))
    });
    claims.collect()
}

/// True if there is an attack with so many runs; nothing if patterns do not say.
fn attacked(verdict: PatternVerdict, runs: usize) -> Option<bool> {
    match verdict {
        PatternVerdict::Attacked { runs: fewest } => Some(fewest <= runs),
        PatternVerdict::Proved => Some(false),
        PatternVerdict::UpTo { runs: most } => (most >= runs).then_some(false),
    }
}

const ACTOR: Reveals = Reveals { actor: true, ..NOTHING };
const AFTER: Reveals = Reveals { after: true, ..NOTHING };

#[test]
fn patterns_of_powers_are_the_attacks_of_the_model() {
    let (mut attacks, mut proved, mut open, mut larger, mut holding) = (0, 0, 0, 0, 0);
    for seed in seeds(3) {
        let text = random_protocol(&mut Random::new(seed)).text();
        for (name, reveals) in [("nothing", NOTHING), ("actor", ACTOR), ("after", AFTER)] {
            let scope = ProtocolScope { runs: RUNS, reveals, ..ProtocolScope::default() };
            let Some(model) = within(&text, scope) else { continue };
            for (label, verdict) in verdicts(&text, reveals, MOST) {
                let theirs = model[&label].attacked;
                match attacked(verdict, RUNS) {
                    Some(ours) => {
                        assert!(ours || !theirs, "seed {seed}, {label} with {name}: {verdict:?}\n{text}");
                        // The model has functions as keys, and exponents, of few forms.
                        larger += usize::from(ours && !theirs);
                    }
                    None => open += 1,
                }
                attacks += usize::from(theirs);
                holding += usize::from(!theirs);
                proved += usize::from(verdict == PatternVerdict::Proved);
            }
        }
    }
    eprintln!(
        "{attacks} attacks, {larger} larger ones, {holding} claims hold, {proved} proved, {open} left open"
    );
    assert!(attacks > 0 && proved > 0 && larger * 10 <= attacks && open * 5 <= attacks + holding);
}
