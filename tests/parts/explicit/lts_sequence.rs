//! Tests of `explicit::lts::sequence`.

use explicit::lts::labels::Labels;
use explicit::lts::sequence::*;
use kit::diagnostics::SourceId;

fn parsed(text: &str) -> Result<Vec<String>, usize> {
    Sequence::parse(SourceId::default(), text).map(|s| s.names()).map_err(|mistakes| mistakes.len())
}

#[test]
fn actions_are_read() {
    let list = |parts: &[&str]| Ok(parts.iter().map(|&p| p.to_owned()).collect());
    assert_eq!(parsed("A"), list(&["A"]));
    assert_eq!(parsed(" A , SEND !1,tau"), list(&["A", "SEND !1", "tau"]));
    assert_eq!(parsed("move(p=P,q=[1,2]),B"), list(&["move(p=P,q=[1,2])", "B"]));
    assert_eq!(parsed("\"A,B\",'C.*,'"), list(&["A,B", "'C.*,'"]));
    assert_eq!(parsed("it's,B"), list(&["it's", "B"]));
    assert_eq!(parsed("\"\""), list(&["\"\""]));
    assert_eq!(parsed(""), Err(1));
    assert_eq!(parsed("A,,'[',\"x"), Err(3));
}

#[test]
fn a_match_grows() {
    let mut labels = Labels::default();
    labels.intern(b"A");
    let b = labels.intern(b"B");
    let steps = Sequence::parse(SourceId::default(), "A,B,B").expect("right").over(&labels);
    assert_eq!([0, 1, 2, 3].map(|m| steps.forward(b, m)), [0, 2, 3, 3]);
}
