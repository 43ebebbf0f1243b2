//! Random models of a few sessions and the tokens that belong to them, as texts, for differential tests of individuals that the
//! model ties to each other.
#![allow(dead_code)]

use super::random::Random;
use cladist::model::{Model, load_text};
use std::io::ErrorKind;

/// How sessions and tokens are tied: from sessions to tokens or back, for all of them or for some; by definitions and a
/// constant map; by two at once.
fn links(rng: &mut Random, sessions: usize, spare: bool) -> String {
    let turn = rng.below(sessions);
    let order: Vec<usize> = (0..sessions).map(|n| (n + turn) % sessions).collect();
    // The n-th one belongs to the one with this number; where there are only some, one of three does not.
    let cases = |name: &str, from: &str, to: &str, some: bool| {
        let value = |n: usize| if some { format!("some({to}{})", n + 1) } else { format!("{to}{}", n + 1) };
        let mut text = if some { "none".to_owned() } else { value(order[sessions - 1]) };
        for n in (0..if some { 2 } else { sessions - 1 }).rev() {
            text = format!("if {name} = {from}{} then {} else {text}", n + 1, value(order[n]));
        }
        text
    };
    let (all, some) = (cases("s", "S", "T", false), cases("s", "S", "T", true));
    let token = format!("def token(s: Session): Token = {all};");
    match rng.below(6) {
        0 if !spare => format!("def owner(t: Token): Session = {};\n{token}", cases("t", "T", "S", false)),
        0 | 1 => token,
        2 => format!(
            "const OF : map Session to Token = map s in Session: {all};\ndef token(s: Session): Token = OF[s];"
        ),
        3 => format!("def token(s: Session): option Token = {some};"),
        4 => format!("def owner(t: Token): option Session = {};\n{token}", cases("t", "T", "S", true)),
        _ => format!(
            "def owner(t: Token): option Session = {};\ndef token(s: Session): option Token = {some};",
            cases("t", "T", "S", true)
        ),
    }
}

/// The text of the model of a seed: two or three sessions with a phase each and a set of them, tokens in a set and an optional
/// one, and an action of a session, one of a token and perhaps one of both. In a third of the models a session or token is
/// named somewhere, so that they are not all alike.
pub fn linked_text(seed: u64) -> String {
    let mut rng = Random::new(seed ^ 0x11e5);
    let count = if seed.is_multiple_of(4) { 3 } else { 2 };
    let spare = rng.percent(50);
    let link = links(&mut rng, count, spare);
    let sessions = &["S1", "S2", "S3"][..count];
    // Where there is one more token, it belongs to nobody.
    let tokens = &["T0", "T1", "T2", "T3"][usize::from(!spare)..=count];
    let (sessions, tokens) = (sessions.join(", "), tokens.join(", "));
    let named = rng.percent(33);
    let actions = actions(&mut rng, named);
    let invariants = [
        "not exists s in Session: phase[s] = Busy and token(s) in seen",
        "not exists s in Session: s in held and token(s) in seen",
        "not exists s in Session: s in held and last = token(s)",
        "not exists s in Session: last is some and token(s) = last and phase[s] != Idle",
        "not exists s, t in Session: s != t and s in held and token(t) in seen",
        "not exists s in Session: s in held and token(s) is some and token(s) not in seen",
        "not (S1 in held and T1 in seen)",
        "not exists s in Session: s in held and T2 in seen",
    ];
    let invariant = *rng.pick(&invariants[..if named { 8 } else { 6 }]);
    // Some of sessions, some of tokens, some more.
    let about_sessions = ["eq(phase)", "eq(held)", "eq(act0.s)", "both(x, y)"];
    let about_tokens = ["eq(seen)", "eq(last)", "eq(seen)", "marked(x)"];
    let others =
        ["eq(act0.s, act1.t)", "eq(action)", "lacks(seen)", "absent(act0.s, act1.t)", "eq(held, last)"];
    let mut chosen = vec![*rng.pick(&about_sessions), *rng.pick(&about_tokens)];
    for _ in 0..rng.below(3) {
        let item = *rng.pick(&others);
        if !chosen.contains(&item) {
            chosen.push(item);
        }
    }
    chosen.push(if rng.percent(70) { "before" } else { "next" });
    format!(
        "model sessions;\n\
         type Session = enum {{ {sessions} }};\n\
         type Token = enum {{ {tokens} }};\n\
         type Phase = enum {{ Idle, Busy }};\n\
         {link}\n\
         var phase : map Session to Phase;\n\
         var held : set of Session;\n\
         var seen : set of Token;\n\
         var last : option Token;\n\
         init {{ forall s in Session: phase[s] = Idle; held = {{}}; seen = {{}}; last = none; }}\n\
         {actions}\
         invariant safe: {invariant};\n\
         pred marked(t: pos, a: Token) = a in seen@t and last@t != a;\n\
         pred both(t1, t2: pos, a: Session, b: Token) = t1 <= t2 and a in held@t1 and b in seen@t2;\n\
         vocabulary v = {{ {} }};\n",
        chosen.join(", ")
    )
}

/// Two or three actions.
fn actions(rng: &mut Random, named: bool) -> String {
    let mut actions = String::new();
    for index in 0..2 + usize::from(rng.percent(25)) {
        let (mut guards, mut updates) = (Vec::new(), vec!["last' = none;"]);
        if index != 1 {
            guards.extend(["phase[s] = Idle", "phase[s] = Busy", "s in held", "s not in held"]);
            guards.extend(["token(s) not in seen", "last = token(s)"]);
            updates.extend(["phase'[s] = Busy;", "held' = held union {s};", "held' = held minus {s};"]);
            updates.extend(["seen' = { n in Token : n in seen or n = token(s) };", "last' = token(s);"]);
        }
        if index != 0 {
            guards.extend(["t not in seen", "t in seen", "last = t", "last != t"]);
            guards.push("exists r in Session: token(r) = t and phase[r] = Busy");
            updates.extend(["seen' = seen union {t};", "seen' = seen minus {t};", "last' = t;"]);
        }
        if index == 2 {
            guards.extend(["t = token(s)", "t != token(s)"]);
        }
        if named {
            guards.extend(if index == 1 {
                ["t != T2", "T1 not in seen"]
            } else {
                ["s != S1", "T1 not in seen"]
            });
            updates.push("last' = T1;");
        }
        let mut chosen: Vec<&str> = Vec::new();
        for _ in 0..2 + rng.below(3) {
            let update = *rng.pick(&updates);
            let target = update.split(['\'', '[']).next();
            if chosen.iter().all(|other| other.split(['\'', '[']).next() != target) {
                chosen.push(update);
            }
        }
        let wanted = if rng.percent(50) { "true" } else { *rng.pick(&guards) };
        let params = ["s: Session", "t: Token", "s: Session, t: Token"][index];
        actions += &format!("action act{index}({params}) {{ require {wanted}; {} }}\n", chosen.join(" "));
    }
    actions
}

/// The model of a seed.
pub fn linked_model(seed: u64) -> Model {
    let text = linked_text(seed);
    let loaded = load_text("sessions.sts", &text, &[], &|_| Err(ErrorKind::NotFound.into()));
    loaded.model.unwrap_or_else(|| panic!("{:?} in\n{text}", loaded.diagnostics))
}
