//! Published process texts, from the folder that `CLADIST_TEST_DATA` names; skipped without it.

use crate::{lts_common, process_common};
use cladist::lts::{Lts, StateId};

use cladist::budget::Budget;
use cladist::process::load;
use lts_common::{data, file};
use process_common::{bisimilar, checked, generated};
use std::collections::{BTreeMap, BTreeSet};

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
        let program =
            checked(load(&folder.join("lnt").join(name).with_extension("lnt"), main, &Budget::unlimited()));
        let own = generated(&program).lts;
        let cadp = file(&folder.join("aut/clear").join(name).with_extension("aut"));
        eprintln!("{name}: {} states, {} for CADP", own.states(), cadp.states());
        assert!(bisimilar(&own, &cadp), "{name}");
    }
}

#[test]
fn the_alternating_bit_protocol_has_232_states() {
    let Some(folder) = data() else { return };
    let program = checked(load(&folder.join("lnt/alternating-bit.lnt"), None, &Budget::unlimited()));
    assert_eq!(generated(&program).lts.states(), 232);
}

#[test]
fn texts_with_data_and_several_modules_are_understood() {
    let Some(folder) = data() else { return };
    let program = checked(load(&folder.join("lnt/COMMPROC.lnt"), None, &Budget::unlimited()));
    eprintln!("COMMPROC: {} states", generated(&program).lts.states());
    let program =
        checked(load(&folder.join("lnt/shifumi.lnt"), Some("player (1, true)"), &Budget::unlimited()));
    eprintln!("shifumi: {} states", generated(&program).lts.states());
    for name in ["data", "generic_data"] {
        // They have no processes: that is the only thing that is missing.
        let loaded = load(&folder.join("lnt").join(name).with_extension("lnt"), None, &Budget::unlimited());
        let messages: Vec<&str> = loaded.mistakes.iter().map(|m| m.message.as_str()).collect();
        assert_eq!(messages, ["there is no process MAIN"], "{name}");
    }
}

/// The sanitary agency: four peers with queues, each message being shared by its sender and the queue of its receiver.
const AGENCY: &str = "
module agency (EX153) is
process MAIN [acceptance_EM, acceptance_REC, askinf_EM, askinf_REC, paymentprivatefee_EM, provinf_EM, provm_EM, provm_REC,
              provt_EM, provt_REC, refusal_EM, refusal_REC, request_EM, done_EM, done_REC, paymentpublicfee_EM, provinf_REC,
              req_EM, request_REC, paymentm_EM, paymentm_REC, paymentt_EM, paymentt_REC, recmoneypossm_EM,
              recmoneyposst_EM, req_REC, paymentprivatefee_REC, paymentpublicfee_REC, recmoneypossm_REC,
              recmoneyposst_REC: any] is
par
  acceptance_EM, askinf_EM, paymentprivatefee_EM, provinf_EM, provm_EM, provt_EM, refusal_EM, request_EM ->
    peer_queue_peer1_2 [...]
||
  acceptance_EM, askinf_EM, done_EM, paymentpublicfee_EM, provinf_EM, refusal_EM, req_EM, request_EM ->
    peer_queue_peer2_2 [...]
||
  paymentm_EM, paymentt_EM, provm_EM, provt_EM, recmoneypossm_EM, recmoneyposst_EM, req_EM ->
    peer_queue_peer3_2 [...]
||
  done_EM, paymentm_EM, paymentprivatefee_EM, paymentpublicfee_EM, paymentt_EM, recmoneypossm_EM, recmoneyposst_EM ->
    peer_queue_peer4_2 [...]
end par
end process
end module";

/// States that invisible actions lead to.
fn closed(lts: &Lts, states: impl IntoIterator<Item = StateId>) -> BTreeSet<StateId> {
    let mut found: BTreeSet<StateId> = states.into_iter().collect();
    let mut open: Vec<StateId> = found.iter().copied().collect();
    while let Some(state) = open.pop() {
        for (_, to) in lts.out(state).filter(|&(label, _)| lts.labels().is_invisible(label)) {
            if found.insert(to) {
                open.push(to);
            }
        }
    }
    found
}

/// What is seen next, and the states after it.
fn visible_steps(lts: &Lts, states: &BTreeSet<StateId>) -> BTreeMap<String, BTreeSet<StateId>> {
    let mut steps: BTreeMap<String, BTreeSet<StateId>> = BTreeMap::new();
    for (label, to) in states.iter().flat_map(|&state| lts.out(state)) {
        if !lts.labels().is_invisible(label) {
            steps.entry(lts.labels().text(label).into_owned()).or_default().insert(to);
        }
    }
    steps.into_iter().map(|(label, states)| (label, closed(lts, states))).collect()
}

#[test]
fn peers_with_queues_do_what_cadp_says() {
    let Some(folder) = data() else { return };
    let temporary = tempfile::tempdir().expect("a folder");
    std::fs::copy(folder.join("lnt/EX153.lnt"), temporary.path().join("EX153.lnt")).expect("copied");
    std::fs::write(temporary.path().join("agency.lnt"), AGENCY).expect("written");
    let own = generated(&checked(load(&temporary.path().join("agency.lnt"), None, &Budget::unlimited()))).lts;
    let cadp = file(&folder.join("aut/clear/EX153.aut"));
    // CADP's system has no invisible actions any more, so what is seen is compared.
    let start = (closed(&own, [own.initial()]), closed(&cadp, [cadp.initial()]));
    let mut seen = BTreeSet::from([start.clone()]);
    let mut open = vec![start];
    while let Some((a, b)) = open.pop() {
        let (a, b) = (visible_steps(&own, &a), visible_steps(&cadp, &b));
        assert_eq!(a.keys().collect::<Vec<_>>(), b.keys().collect::<Vec<_>>());
        for pair in a.into_values().zip(b.into_values()) {
            if seen.insert(pair.clone()) {
                open.push(pair);
            }
        }
    }
    assert!(own.states() > 100 && seen.len() > 100);
}
