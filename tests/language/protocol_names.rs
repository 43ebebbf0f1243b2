//! Names in protocol files that mean something in the generated models, or to the language of models.

use crate::random::one_in;
use cladist::budget::Budget;
use cladist::model::{LoadOptions, load_text_with};
use cladist::protocol::{Matching, ProtocolScope, Reveals, load, load_text, translate};
use std::path::Path;

const PROTOCOL: &str = "usertype TYPE; const CONST: TYPE; hashfunction HASH;
    protocol p(ROLE, B) {
        role ROLE {
            fresh FRESH: TYPE;
            var VAR: Nonce;
            send_1(ROLE, B, {ROLE, FRESH, CONST}pk(B));
            recv_2(B, ROLE, {VAR, HASH(FRESH)}pk(ROLE));
            claim_LABEL(ROLE, Secret, VAR);
            claim_other(ROLE, Nisynch);
        }
        role B {
            fresh own: Nonce;
            var given: TYPE;
            recv_1(ROLE, B, {ROLE, given, CONST}pk(B));
            send_2(B, ROLE, {own, HASH(given)}pk(ROLE));
            claim_B1(B, Secret, own);
        }
    }";
/// What stands for something else in the text above.
const KINDS: &[(&str, &str)] = &[
    ("TYPE", "Key"),
    ("CONST", "zero"),
    ("HASH", "h"),
    ("ROLE", "A"),
    ("FRESH", "value"),
    ("VAR", "answer"),
    ("LABEL", "A1"),
];

#[test]
fn every_name_may_be_given_to_anything() {
    let letters = ('a'..='z').map(String::from);
    let words = "1 2 run Run Role role agents done honest step actor takes own old fooled victims leaks foreign overheard again attacks over lost partners \
                 Claim Message known none forall map n1 a1 k1 run-A run-B other bound part message-1 makes-1 Eve_Nonce A_1 B_2 claim_A1 exposed keys_lost Ticket";
    let names = letters.chain(words.split_whitespace().map(str::to_owned));
    let scope = ProtocolScope {
        matching: Matching::Basic,
        reveals: Reveals {
            actor: true,
            after: true,
            old_sessions: true,
            session_keys: true,
            states: true,
            random: false,
        },
        ..ProtocolScope::default()
    };
    let mut loaded = 0;
    for name in one_in(3, names) {
        for (kind, _) in KINDS {
            let text = KINDS.iter().fold(PROTOCOL.to_owned(), |text, (other, usual)| {
                text.replace(other, if other == kind { &name } else { usual })
            });
            // Some are names of the protocol language, or of something else in the text.
            let Some(protocols) = load_text("p.spdl", &text, &Budget::unlimited()).protocols else {
                continue;
            };
            for scope in [ProtocolScope::default(), scope] {
                let translation = translate("p", &protocols, scope);
                let none = |_: &Path| Err(std::io::ErrorKind::NotFound.into());
                let found = load_text_with("p.sts", &translation.text, &LoadOptions::default(), &none);
                assert!(found.model.is_some(), "{kind} is {name}: {:?}", found.diagnostics);
                assert_eq!(found.diagnostics, [], "{kind} is {name}");
                loaded += 1;
            }
        }
    }
    assert!(loaded > 130, "{loaded}");
}

/// What `cladist export sts` writes is a model like any other, in which no name hides another one.
#[test]
fn models_of_the_corpus_load_without_warnings() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("specs/protocols");
    let mut loaded = 0;
    for entry in std::fs::read_dir(folder).expect("the corpus") {
        let path = entry.expect("an entry").path();
        let protocols = load(&path, &Budget::unlimited()).protocols.expect("no mistakes");
        let translation = translate("p", &protocols, ProtocolScope::default());
        let none = |_: &Path| Err(std::io::ErrorKind::NotFound.into());
        let found = load_text_with("p.sts", &translation.text, &LoadOptions::default(), &none);
        assert_eq!(found.diagnostics, [], "{}", path.display());
        loaded += 1;
    }
    assert!(loaded > 40, "{loaded}");
}
