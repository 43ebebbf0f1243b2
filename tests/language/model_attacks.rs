//! The sample models mean what they should: their attacks are found, and gone once they are prevented.

use crate::model_common;

use cladist::budget::Budget;
use cladist::model::eval::check_trace;
use cladist::sat::Backend;
use cladist::unroll::{BoundedResult, Lengths, check};
use model_common::{NEEDHAM_SCHROEDER, TCP, all, load};

#[test]
fn attacks_and_their_prevention() {
    let cases = [
        (
            NEEDHAM_SCHROEDER,
            ("LOWE_FIX", "false"),
            "start(b=Eve) learn(n=Na) forge(b=Bob,k=M1,n=Na,claimed=Alice) answer(a=Alice,n=Na) \
             finish(b=Eve,n=Nb) learn(n=Nb)",
        ),
        (NEEDHAM_SCHROEDER, ("LOWE_FIX", "true"), ""),
        (TCP, ("ATTACKER", "false"), ""),
    ];
    for (text, set, expected) in cases {
        let labels = attack(text, set, 8);
        assert_eq!(labels.join(" "), expected, "{set:?}");
    }
    assert_eq!(attack(TCP, ("ATTACKER", "true"), 8).len(), 3);
}

/// The labels of a shortest trace that violates the first property; none if there is no such trace.
fn attack(text: &str, set: (&str, &str), bound: usize) -> Vec<String> {
    let loaded = load(text, &[set]);
    let model = loaded.model.unwrap_or_else(|| panic!("{}", all(&loaded.diagnostics, &loaded.sources)));
    let invariant = model.properties[0].invariant().expect("an invariant");
    match check(&model, invariant, Lengths::UpTo(bound), Backend::Cadical, &Budget::unlimited(), &mut ()) {
        BoundedResult::Holds => Vec::new(),
        BoundedResult::Violated(trace) => {
            assert_eq!(check_trace(&model, &trace.moments), Ok(()));
            let labels = trace.moments.iter().filter_map(|m| m.label.as_ref());
            labels.map(|l| model.show_label(l)).collect()
        }
        BoundedResult::Undecided { .. } => panic!("no budget was set"),
    }
}
