//! Tests of `kit::diagnostics::nearest`.

use kit::diagnostics::*;

#[test]
fn other_words_stand_for_candidates() {
    let meant = |name| nearest_word(name, ["recv", "send"].into_iter(), &[("receive", "recv")]);
    for (typed, expected) in
        [("receive", Some("recv")), ("recieve", Some("recv")), ("snd", Some("send")), ("emit", None)]
    {
        assert_eq!(meant(typed), expected, "{typed}");
    }
}

#[test]
fn only_what_is_near_is_meant() {
    let names = ["secrecy", "agreement", "msgs.replay"];
    for (typed, expected) in [
        ("secercy", Some("secrecy")),
        ("Secrecy", Some("secrecy")),
        ("agreemnt", Some("agreement")),
        ("replay", Some("msgs.replay")),
        ("msg.replay", Some("msgs.replay")),
        ("liveness", None),
        ("x", None),
    ] {
        assert_eq!(nearest(typed, names.into_iter()), expected, "{typed}");
    }
    let aliases = ["p.turns_into", "q.turns_into", "q.returns"];
    assert_eq!(nearest("q.turn_into", aliases.into_iter()), Some("q.turns_into"));
    assert_eq!(nearest("y", ["x", "y", "z"].into_iter()), None);
}

#[test]
fn an_unknown_name_comes_with_the_known_ones() {
    let names = ["secrecy", "agreement", "msgs.replay"];
    let error = find_name("property", "secercy", &names).expect_err("it does not exist");
    assert_eq!(error.help.as_deref(), Some("did you mean `secrecy`?"));
    assert_eq!(error.notes, ["known names: secrecy, agreement, msgs.replay"]);
    assert_eq!(find_name("property", "agreement", &names), Ok(1));
    let none = find_name("vocabulary", "v", &[]).expect_err("it does not exist");
    assert_eq!(none.notes, ["the model has no vocabulary"]);
    assert_eq!(none.help, None);
}
