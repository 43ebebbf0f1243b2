//! Published process texts, from the folder that `CLADIST_TEST_DATA` names; skipped without it.

mod lts_common;
mod process_common;

use cladist::process::load;
use lts_common::{data, file};
use process_common::{bisimilar, checked, generated};

#[test]
fn texts_generate_the_systems_that_cadp_generates() {
    let Some(folder) = data() else { return };
    for (name, main) in [
        ("ALLBAD", None),
        ("INTERLEAVING", None),
        ("INTERLEAVINGV2", None),
        ("ISOLATED", None),
        ("ITERATION", None),
        ("UNIQUECHOICE", None),
    ] {
        let program = checked(load(&folder.join("lnt").join(name).with_extension("lnt"), main));
        let own = generated(&program).lts;
        let cadp = file(&folder.join("aut/clear").join(name).with_extension("aut"));
        eprintln!("{name}: {} states, {} for CADP", own.states(), cadp.states());
        assert!(bisimilar(&own, &cadp), "{name}");
    }
}

#[test]
fn the_alternating_bit_protocol_has_232_states() {
    let Some(folder) = data() else { return };
    let program = checked(load(&folder.join("lnt/alternating-bit.lnt"), None));
    assert_eq!(generated(&program).lts.states(), 232);
}

#[test]
fn texts_with_data_and_several_modules_are_understood() {
    let Some(folder) = data() else { return };
    let program = checked(load(&folder.join("lnt/COMMPROC.lnt"), None));
    eprintln!("COMMPROC: {} states", generated(&program).lts.states());
    let program = checked(load(&folder.join("lnt/shifumi.lnt"), Some("player (1, true)")));
    eprintln!("shifumi: {} states", generated(&program).lts.states());
    for name in ["data", "generic_data"] {
        // They have no processes: that is the only thing that is missing.
        let loaded = load(&folder.join("lnt").join(name).with_extension("lnt"), None);
        let messages: Vec<&str> = loaded.mistakes.iter().map(|m| m.message.as_str()).collect();
        assert_eq!(messages, ["there is no process MAIN"], "{name}");
    }
}
