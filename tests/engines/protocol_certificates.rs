//! Certificates of claims that hold for any number of runs: all are accepted, and none that was changed.

use crate::protocol_reader::generate;
use crate::random::{Random, seeds};
use cladist::budget::Budget;
use cladist::protocol::{
    Certificate, Loss, Matching, PatternVerdict, Patterns, ProtocolScope, Protocols, Reveals, load_text,
};
use std::collections::BTreeMap;
use std::path::Path;

const MOST: (usize, usize) = (4, 50_000);

fn read(text: &str) -> Protocols {
    let loaded = load_text("protocol.spdl", text, &Budget::unlimited());
    loaded.protocols.unwrap_or_else(|| panic!("{:?}\n{text}", loaded.diagnostics))
}

/// The certificates of all claims that hold for any number of runs, each checked; and how many claims hold like this.
fn certificates(name: &str, protocols: &Protocols, scope: ProtocolScope) -> Vec<Certificate> {
    let patterns = Patterns::new(protocols, scope).expect("patterns");
    let mut found = Vec::new();
    for (role, event) in patterns.claims() {
        let budget = Budget::unlimited();
        let certificate = patterns.certificate(role, event, MOST, &budget);
        let verdict = patterns.decide(role, event, MOST, &budget);
        let label = &protocols.roles[role.index()].events[event].label;
        assert_eq!(certificate.is_some(), verdict == PatternVerdict::Proved, "{name}, {label}");
        if let Some(certificate) = certificate {
            let checked = certificate.check(protocols, scope, &budget);
            assert_eq!(checked, Ok(()), "{name}, {label}\n{certificate:#?}");
            found.push(certificate);
        }
    }
    found
}

/// The files of the literature, by name.
fn literature() -> Vec<(String, Protocols)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("specs/protocols");
    let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("readable").path());
    let mut files: Vec<_> =
        entries.filter(|path| path.extension().is_some_and(|end| end == "spdl")).collect();
    files.sort();
    let read = |path: &std::path::PathBuf| {
        let text = std::fs::read_to_string(path).expect("a text");
        (path.display().to_string(), read(&text))
    };
    files.iter().map(read).collect()
}

#[test]
fn certificates_of_random_protocols_are_accepted() {
    let mut accepted = 0;
    let reveals = [None, Some(Loss::Actor), Some(Loss::After)];
    for seed in seeds(80) {
        let mut random = Random::new(seed);
        let text = match seed % 4 {
            0 => generate::protocol(&mut random),
            1 => generate::commitments(&mut random),
            2 => generate::wrapped(&mut random),
            _ => generate::three_roles(&mut random),
        };
        let scope = ProtocolScope {
            matching: Matching::ALL[seed as usize / 3 % 3],
            untrusted: usize::from(seed % 5 > 0),
            reveals: reveals[seed as usize % 3].into_iter().collect::<Reveals>(),
            ..ProtocolScope::default()
        };
        accepted += certificates(&format!("seed {seed}\n{text}"), &read(&text), scope).len();
    }
    eprintln!("{accepted} certificates");
    assert!(accepted > 30);
}

/// A change of a certificate after which it proves nothing, if there is a place for it.
fn changed(certificate: &Certificate, random: &mut Random) -> Option<(&'static str, Certificate)> {
    let mut changed = certificate.clone();
    let count = changed.patterns.len();
    let number = random.below(count.max(1));
    let word = match random.below(9) {
        0 => {
            let place = random.below(changed.starts.len().max(1));
            (place < changed.starts.len()).then(|| changed.starts.remove(place))?;
            "a pattern to begin with is missing"
        }
        1 => {
            let parents: Vec<usize> =
                (0..count).filter(|at| !changed.patterns[*at].next.is_empty()).collect();
            let next = &mut changed.patterns[*parents.get(random.below(parents.len().max(1)))?].next;
            let place = random.below(next.len());
            next.remove(place);
            "a pattern that comes of another is missing"
        }
        2 => {
            changed.patterns.pop()?;
            "the last pattern is missing"
        }
        3 => {
            changed.patterns.get_mut(number)?.term.push('x');
            "there is another term"
        }
        4 => {
            let pattern = changed.patterns.get_mut(number)?;
            pattern.before = match pattern.before {
                Some((run, event)) => Some((run, event + 20)),
                None => Some((0, 0)),
            };
            "the term is needed at another time"
        }
        5 => {
            let pattern = changed.patterns.get_mut(number)?;
            pattern.pattern = pattern.pattern.replacen("1:", "2:", 1);
            "a run has another number"
        }
        6 => {
            let known = changed.starts.first().copied()?;
            changed.patterns.get_mut(number)?.next.push(known);
            "a pattern comes of a later one"
        }
        7 => {
            let other = changed.patterns.get(random.below(count.max(1)))?.clone();
            let pattern = changed.patterns.get_mut(number)?;
            (other.pattern != pattern.pattern).then(|| pattern.pattern = other.pattern)?;
            "a pattern is another one"
        }
        _ => {
            let other = changed.patterns.get(random.below(count.max(1)))?.next.clone();
            let pattern = changed.patterns.get_mut(number)?;
            (other != pattern.next).then(|| pattern.next = other)?;
            "other patterns come of one"
        }
    };
    Some((word, changed))
}

#[test]
fn certificates_of_the_literature_are_accepted_and_changed_ones_refused() {
    let (mut accepted, mut of_others) = (0, 0);
    let mut refused: BTreeMap<&str, usize> = BTreeMap::new();
    let scope = ProtocolScope::default();
    for (seed, (name, protocols)) in literature().into_iter().enumerate() {
        let mut random = Random::new(seed as u64);
        let attacked = attacked(&protocols);
        for certificate in certificates(&name, &protocols, scope) {
            accepted += 1;
            for (word, changed) in (0..12).filter_map(|_| changed(&certificate, &mut random)) {
                let checked = changed.check(&protocols, scope, &Budget::unlimited());
                assert!(checked.is_err(), "{name}: {word}\n{changed:#?}\n{certificate:#?}");
                *refused.entry(word).or_default() += 1;
            }
            for (role, label) in &attacked {
                let of_attacked =
                    Certificate { role: role.clone(), label: label.clone(), ..certificate.clone() };
                let checked = of_attacked.check(&protocols, scope, &Budget::unlimited());
                assert!(checked.is_err(), "{name}, {label}\n{of_attacked:#?}");
                of_others += 1;
            }
        }
    }
    eprintln!("{accepted} accepted, refused {of_others} for attacked claims and {refused:?}");
    assert!(accepted > 80 && of_others >= 50);
    assert!(refused.len() == 9 && refused.values().sum::<usize>() >= 500);
}

/// The roles and labels of the attacked claims.
fn attacked(protocols: &Protocols) -> Vec<(String, String)> {
    let patterns = Patterns::new(protocols, ProtocolScope::default()).expect("patterns");
    let attacked = patterns.claims().into_iter().filter(|(role, event)| {
        let verdict = patterns.decide(*role, *event, MOST, &Budget::unlimited());
        matches!(verdict, PatternVerdict::Attacked { .. })
    });
    let named = attacked.map(|(role, event)| {
        let described = &protocols.roles[role.index()];
        (described.name.clone(), described.events[event].label.clone())
    });
    named.collect()
}

/// The attacker puts together what is around an encryption with a tuple, and gets the tuple back in the clear.
const NESTED: &str = "
    protocol nested(A, B) {
        role A { fresh n, m: Nonce; send_!1(A, B, {n, m}k(A, B)); claim_A1(A, Secret, n); }
        role B { var x: Ticket; recv_!2(A, B, {{x}k(A, B)}pk(B)); send_!3(B, A, x); }
    }";

#[test]
fn tuples_are_found_in_variables_within_two_encryptions() {
    let protocols = read(NESTED);
    let scope = ProtocolScope::default();
    let patterns = Patterns::new(&protocols, scope).expect("patterns");
    let (role, event) = patterns.claims()[0];
    let verdict = patterns.decide(role, event, MOST, &Budget::unlimited());
    assert_eq!(verdict, PatternVerdict::Attacked { runs: 2 });
}
