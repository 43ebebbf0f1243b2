//! Small protocols with attacks that depend on one thing each: what is a key, in which order the attacker learns keys, and between
//! which two events of a role she does something.

use cladist::budget::Budget;
use cladist::model::{LoadOptions, load_text_with};
use cladist::protocol::{ProtocolScope, Translation, load_text, translate};
use cladist::sat::Backend;
use cladist::unroll::{BoundedResult, Lengths, check};

/// Compares which claims of a protocol file are attacked with so many runs, in the order of the file: `A1 attack, B1 holds`.
#[track_caller]
fn verdicts(runs: usize, text: &str, expected: &str) {
    let budget = Budget::unlimited();
    let loaded = load_text("p.spdl", text, &budget);
    let protocols = loaded.protocols.unwrap_or_else(|| panic!("{text}\n{:?}", loaded.diagnostics));
    let translation: Translation =
        translate("p", &protocols, ProtocolScope { runs, ..ProtocolScope::default() });
    let none = |_: &std::path::Path| Err(std::io::ErrorKind::NotFound.into());
    let loaded = load_text_with("p.sts", &translation.text, &LoadOptions::default(), &none);
    let model = loaded.model.unwrap_or_else(|| panic!("{text}\n{:?}", loaded.diagnostics));
    let found = translation.claims.iter().map(|claim| {
        let property = &model.properties[model.property(&claim.property).expect("its property")];
        let invariant = property.invariant().expect("an invariant");
        let lengths = Lengths::UpTo(translation.charts.steps());
        let verdict = match check(&model, invariant, lengths, Backend::Cadical, &budget, &mut ()) {
            BoundedResult::Violated(trace) => {
                let chart = translation.charts.draw(&model, &trace.moments);
                assert!(chart.is_some(), "the attacker of the chart cannot make what is received: {text}");
                "attack"
            }
            BoundedResult::Holds => "holds",
            BoundedResult::Undecided { .. } => "undecided",
        };
        format!("{} {verdict}", claim.label)
    });
    assert_eq!(found.collect::<Vec<_>>().join(", "), expected, "{text}");
}

/// Role A sends a message and claims `n` to be a secret; role B receives it.
fn sent(declarations: &str, message: &str, expected: &str) {
    let text = format!(
        "{declarations} protocol P(A, B) {{
           role A {{ fresh n, m, o: Nonce; send_1(A, B, {message}); claim_A1(A, Secret, n); }}
           role B {{ var n, m, o: Nonce; recv_1(A, B, {message}); }}
         }}"
    );
    verdicts(2, &text, expected);
}

#[test]
fn any_term_is_a_key() {
    let (attack, holds) = ("A1 attack", "A1 holds");
    let hash = "hashfunction h;";
    sent(hash, "{n}h(A)", attack);
    sent(hash, "{n}h(h(A), B)", attack);
    sent(hash, "{n}h(k(A, B))", holds);
    sent(hash, "{n}h(m)", holds);
    // Nothing opens what is encrypted with the hash function itself: that is an application of it.
    sent(hash, "{n}h", holds);
    sent(hash, "{n}{A}h", attack);
    sent("secret hashfunction h;", "{n}h(A)", holds);
    sent("const f: Function;", "{n}f(A)", attack);
    sent("const f: Function;", "f(n)", attack);
    sent("macro key = (A, B);", "{n}key", attack);
    sent("", "{n}(A, k(A, B))", holds);
    sent("", "{n}{A}k(A, B)", holds);
    sent("", "{n}{A}B", attack);
    sent("", "{n}{{A}B}{B}A", attack);
    sent("hashfunction f, g; inversekeys(f, g);", "{n}f(m)", holds);
    sent("hashfunction f, g; inversekeys(f, g);", "{n}f(A)", attack);
    sent("hashfunction f; secret hashfunction g; inversekeys(f, g);", "{n}f(A)", holds);
}

#[test]
fn constants_are_keys_with_their_inverses() {
    let keys = "usertype Key; secret const k1: Key; const k2: Key;";
    sent(keys, "{n}k1", "A1 holds");
    sent(keys, "{n}k2", "A1 attack");
    sent(&format!("{keys} inversekeys(k1, k2);"), "{n}k1", "A1 attack");
    sent(&format!("{keys} inversekeys(k1, k2);"), "{n}k2", "A1 holds");
}

#[test]
fn keys_are_learnt_in_the_same_step() {
    let hash = "hashfunction h;";
    sent(hash, "m, {n}h(m)", "A1 attack");
    sent("", "m, {n}(m, A)", "A1 attack");
    sent("", "{n}(m, A), {m}(o, A), {o}B", "A1 attack");
    sent("", "{n}(m, A), {m}(o, A), {o}k(A, B)", "A1 holds");
    sent("", "{n}{m}o, {m}o, {o}{m}B", "A1 attack");
    sent("", "{n}{m}o, {o}{m}B", "A1 holds");
    sent("", "{n}{m}o, {{m}o}B", "A1 attack");
    sent("", "{n}{{m}o}{m}o, {{{m}o}{m}o}{m}o, {{m}o}B", "A1 attack");
    // A secret function that was sent can be applied.
    sent("secret const f: Function;", "{f}m, m, {n}f(m)", "A1 attack");
}

#[test]
fn keys_are_learnt_from_several_runs() {
    // Each run opens what the one before has sent.
    let text = "hashfunction h; protocol P(A, B) {
          role A { fresh n: Nonce; var m: Nonce; recv_!1(B, A, {m}sk(B)); send_!2(A, B, {n}h(m), {h(n)}h(m)); claim_A1(A, Secret, n); }
          role B { fresh m: Nonce; send_!1(B, A, {m}sk(B)); } }";
    verdicts(2, text, "A1 attack");
    let text = "hashfunction h; protocol P(A, B) {
          role A { fresh n: Nonce; send_1(A, B, {n}pk(B)); claim_A1(A, Secret, n); }
          role B { var n: Nonce; fresh x: Nonce; recv_1(A, B, {n}pk(B)); send_2(B, A, {n}h(x)); send_!3(B, A, {x}h(B)); } }";
    verdicts(2, &text.replace("send_2", "send_!2"), "A1 attack");
}

#[test]
fn the_attacker_has_what_a_secret_function_makes_of_her_name() {
    // What stands for any term may be the name of the attacker.
    let text = "secret s: Function; protocol P(A, B) {
          role A { var x: Ticket; recv_!1(B, A, x); send_2(A, B, {B}s(A, x)); }
          role B { var x: Ticket; recv_2(A, B, {B}s(A, x)); claim_B1(B, Alive); } }";
    verdicts(1, text, "B1 attack");
}

#[test]
fn the_partner_may_be_the_claimer_itself() {
    let text = "protocol P(A, B) {
          role A { fresh a: Nonce; var b: Nonce; send_1(A, B, {a}sk(A)); recv_2(B, A, {b}sk(B));
                   claim_A1(A, Alive); claim_A2(A, Weakagree); claim_A3(A, Niagree); }
          role B { var a: Nonce; fresh b: Nonce; recv_1(A, B, {a}sk(A)); send_2(B, A, {b}sk(B)); } }";
    verdicts(2, text, "A1 holds, A2 attack, A3 attack");
    // Runs of helpers are none of agents.
    let text = "protocol P(A, B) { role A { var b: Nonce; recv_!1(B, A, {b}sk(B)); claim_A1(A, Alive); } role B { } }
          protocol @h(B) { role B { fresh b: Nonce; send_!1(B, B, {b}sk(B)); } }";
    verdicts(2, text, "A1 attack");
}

#[test]
fn weak_agreement_is_about_the_same_agents() {
    let text = "protocol P(A, B, S) {
          role A { var b, s: Nonce; recv_1(B, A, {A, S, b}sk(B)); recv_2(S, A, {A, B, s}sk(S)); claim_A1(A, Weakagree); }
          role B { fresh b: Nonce; send_1(B, A, {A, S, b}sk(B)); }
          role S { fresh s: Nonce; send_2(S, A, {A, B, s}sk(S)); } }";
    verdicts(3, text, "A1 holds");
    verdicts(3, &text.replace("{A, S, b}", "{A, b}"), "A1 attack");
}

#[test]
fn running_counts_when_it_is_claimed() {
    let text = |events: &str| {
        format!(
            "protocol P(A, B) {{ role A {{ fresh n: Nonce; {events} }}
             role B {{ var n: Nonce; recv_1(A, B, {{A, B, n}}k(A, B)); claim_B1(B, Commit, A, n); }} }}"
        )
    };
    let (send, running) = ("send_1(A, B, {A, B, n}k(A, B));", "claim_A1(A, Running, B, n);");
    verdicts(2, &text(&format!("{send} {running}")), "B1 attack");
    verdicts(2, &text(&format!("{running} {send}")), "B1 holds");
    verdicts(2, &text(&format!("send_!0(A, B, A); {running} {send}")), "B1 holds");
    verdicts(2, &text(&format!("{send} claim_A2(A, Secret, n); {running}")), "A2 holds, B1 attack");
}

#[test]
fn messages_count_when_they_are_sent() {
    let text = |one: &str, other: &str, claim: &str| {
        format!(
            "protocol P(I, R) {{
               role I {{ fresh n, m: Nonce; send_1(I, R, {one}); send_2(I, R, {other}); }}
               role R {{ var n, m: Nonce; recv_1(I, R, {one}); recv_2(I, R, {other}); claim_R1(R, {claim}); }} }}"
        )
    };
    let message = "{R, n}sk(I)";
    for claim in ["Nisynch", "Niagree"] {
        verdicts(2, &text(message, message, claim), "R1 attack");
        verdicts(2, &text(message, "{R, n, m}sk(I)", claim), "R1 holds");
        verdicts(2, &text("{R, n, m}sk(I)", "n", claim), "R1 attack");
        verdicts(2, &text("{R, n}sk(I)", "{R, m}sk(I)", claim), "R1 attack");
    }
}

#[test]
fn messages_count_where_a_later_comparison_fails() {
    let text = "protocol P(A, B) {
          role A { fresh n: Nonce; send_1(A, B, n); claim_A1(A, Secret, n); match(A, k(A, B)); send_!2(A, B, A); }
          role B { var n: Nonce; recv_1(A, B, n); claim_B1(B, Secret, n); } }";
    verdicts(2, text, "A1 attack, B1 attack");
}

#[test]
fn protocols_without_atoms_are_models() {
    let text = "protocol P(A, B) {
          role A { send_1(A, B, {{A}k(A, B)}k(B, A), {{B}k(B, A)}{A}k(A, B)); claim_A1(A, Secret, k(A, B)); }
          role B { recv_1(A, B, {{A}k(A, B)}k(B, A), {{B}k(B, A)}{A}k(A, B)); claim_B1(B, Niagree); } }";
    verdicts(2, text, "A1 holds, B1 holds");
}
