//! Tests of `import::protocol::translate::script`.

use import::protocol::ir::RoleId;
use import::protocol::load_text;
use import::protocol::translate::scope::ProtocolScope;
use import::protocol::translate::script::*;
use kit::budget::Budget;

/// How many steps the role of a protocol has that does this.
fn steps(events: &str) -> usize {
    let text =
        format!("protocol p(A, B) {{ role A {{ var X: Nonce; fresh N: Nonce; {events} }} role B {{ }} }}");
    let loaded = load_text("p.spdl", &text, &Budget::unlimited());
    let protocols = loaded.protocols.unwrap_or_else(|| panic!("{text}: {:?}", loaded.diagnostics));
    RoleScripts::new(&protocols, ProtocolScope::default()).steps(RoleId::FIRST).len()
}

#[test]
fn what_is_compared_before_a_receipt_costs_no_step() {
    let receive = "recv_!1(B, A, X);";
    for (events, expected) in [
        (receive.to_owned(), 1),
        (format!("not match(A, B); {receive}"), 1),
        (format!("not match(A, B); match(N, N); {receive} recv_!2(B, A, X);"), 2),
        (format!("send_!0(A, B, N); not match(A, B); {receive}"), 2),
        (format!("not match(A, B); send_!0(A, B, N); {receive}"), 2),
        (format!("not match(A, B); claim(A, Running, B, N); {receive}"), 2),
        ("not match(A, B);".to_owned(), 1),
        ("send_!0(A, B, N); match(N, N);".to_owned(), 1),
        ("send_!0(A, B, N); match(N, N); send_!1(A, B, N);".to_owned(), 2),
    ] {
        assert_eq!(steps(&events), expected, "{events}");
    }
}
