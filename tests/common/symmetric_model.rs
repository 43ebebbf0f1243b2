//! Random models of a few sessions that are mostly alike, as texts, for differential tests of individuals.
#![allow(dead_code)]

use super::random::Random;
use cladist::model::{Model, load_text};
use std::io::ErrorKind;

/// The text of the model of a seed: two or three sessions with a phase each, a set of them, an optional one, and two or three
/// actions of one or two sessions. In a third of the models one session is named somewhere, so that they are not all alike.
pub fn symmetric_text(seed: u64) -> String {
    let mut rng = Random::new(seed ^ 0x5e55);
    let sessions = *rng.pick(&["S1, S2", "S1, S2", "S1, S2, S3"]);
    let named = rng.percent(33);
    let actions = actions(&mut rng, named);
    let invariants = [
        "not exists s in Session: phase[s] = Over",
        "not exists s in Session: phase[s] = Busy and s in held",
        "not exists s, t in Session: s != t and s in held and t in held",
        "not exists s, t in Session: s != t and phase[s] = Busy and phase[t] = Busy",
        "not exists s in Session: last = s and phase[s] != Idle",
        "phase[S1] != Over",
        "not (S1 in held and last = S2)",
    ];
    let invariant = *rng.pick(&invariants[..if named { 7 } else { 5 }]);
    let items = [
        "eq(phase)",
        "eq(held)",
        "eq(last)",
        "eq(act0.s, act1.s)",
        "eq(action)",
        "lacks(held)",
        "absent(act0.s, act1.s)",
        "both(act0.s, act1.s)",
        "eq(last, act0.s) across",
        "meets(last)",
        "meets(S1)",
        "meets(x)",
        "both(act0.s, x)",
        "joins(t1, t2, x, x)",
        "joins(x, y)",
        "joins(x, S2)",
    ];
    let mut chosen: Vec<&str> = Vec::new();
    for _ in 0..2 + rng.below(3) {
        let item = *rng.pick(&items);
        if !chosen.contains(&item) {
            chosen.push(item);
        }
    }
    chosen.push(if rng.percent(70) { "before" } else { "next" });
    format!(
        "model sessions;\n\
         type Session = enum {{ {sessions} }};\n\
         type Phase = enum {{ Idle, Busy, Over }};\n\
         var phase : map Session to Phase;\n\
         var held : set of Session;\n\
         var last : option Session;\n\
         init {{ forall s in Session: phase[s] = Idle; held = {{}}; last = none; }}\n\
         {actions}\
         invariant safe: {invariant};\n\
         pred both(t1, t2: pos, a, b: option Session) = t1 < t2 and a is some and a = b;\n\
         pred meets(t: pos, a: option Session) = a is some and a in held@t;\n\
         pred joins(t1, t2: pos, a, b: Session) = t1 <= t2 and phase[a]@t1 = Busy and b in held@t2;\n\
         vocabulary v = {{ {} }};\n",
        chosen.join(", ")
    )
}

/// Two or three actions.
fn actions(rng: &mut Random, named: bool) -> String {
    let mut actions = String::new();
    for index in 0..2 + rng.below(2) {
        let two = rng.percent(40);
        let params = if two { "s, t: Session" } else { "s: Session" };
        let mut guards =
            vec!["phase[s] = Idle", "phase[s] = Busy", "s in held", "s not in held", "last = s", "last != s"];
        if two {
            guards.extend(["s != t", "phase[t] = Busy", "t in held", "phase[s] = phase[t]"]);
        }
        if named {
            guards.extend(["s != S1", "S2 not in held"]);
        }
        let mut updates = vec![
            "phase'[s] = Busy;",
            "phase'[s] = if phase[s] = Busy then Over else Busy;",
            "held' = held union {s};",
            "held' = held minus {s};",
            "last' = s;",
            "last' = none;",
        ];
        if two {
            updates.extend(["phase'[t] = Over;", "last' = t;", "held' = {s, t};"]);
        }
        if named {
            updates.push("last' = S1;");
        }
        let mut chosen: Vec<&str> = Vec::new();
        for _ in 0..1 + rng.below(3) {
            let update = *rng.pick(&updates);
            let target = update.split(['\'', '[']).next();
            if chosen.iter().all(|other| other.split(['\'', '[']).next() != target) {
                chosen.push(update);
            }
        }
        let wanted: Vec<&str> = (0..1 + rng.below(2)).map(|_| *rng.pick(&guards)).collect();
        actions += &format!(
            "action act{index}({params}) {{ require {}; {} }}\n",
            wanted.join(" and "),
            chosen.join(" ")
        );
    }
    actions
}

/// The model of a seed.
pub fn symmetric_model(seed: u64) -> Model {
    let text = symmetric_text(seed);
    let loaded = load_text("sessions.sts", &text, &[], &|_| Err(ErrorKind::NotFound.into()));
    loaded.model.unwrap_or_else(|| panic!("{:?} in\n{text}", loaded.diagnostics))
}
