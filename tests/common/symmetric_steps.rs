//! Random models whose sessions, nonces and numbers are mostly alike, as texts, for differential tests of symmetries.

use super::random::Random;
use cladist::model::{Model, load_text};
use std::io::ErrorKind;

/// The text of the model of a seed: sessions with nonces of their own, numbers that go round, an agent's token for one of
/// the numbers, one to three actions, some with choices. In half of the models something is said of single values.
pub fn text(seed: u64) -> String {
    let mut rng = Random::new(seed ^ 0x0b17);
    let named = rng.percent(50);
    let mut variables = vec![
        ("phase", "map Session to Phase", vec!["forall s in Session: phase[s] = Idle", "phase[S1] = Idle"]),
        ("last", "option Session", vec!["last is none", "last = S1", "last is some"]),
        ("seen", "set of Nonce", vec!["seen = {}", "forall n in Nonce: n in seen", "N1 in seen"]),
        ("at", "Place", vec!["at = 1", "at != 2"]),
        ("token", "option Token", vec!["token is none", "token = Token(who: Eve, at: 1)"]),
    ];
    rng.shuffle(&mut variables);
    variables.truncate(1 + rng.below(3));
    let has = |name: &str| variables.iter().any(|(known, ..)| *known == name);
    let mut parts = Parts::default();
    if has("phase") {
        parts.add(&["phase[s] = Idle", "phase[s] != phase[t]"], &["phase[S1] = Busy"]);
        parts.write(
            &["phase'[s] = Busy;", "phase'[s] in {Idle, Busy};", "if s != t { phase'[t] = Idle; }"],
            &[],
        );
        parts.say(&["exists s in Session: phase[s] = Idle"], &["phase[S2] = Idle"]);
    }
    if has("last") {
        parts.add(&["last = s", "last is none", "last != t"], &["last != S2"]);
        parts.write(&["last' = s;", "last' = none;", "last' in {s, t};"], &["last' = S1;"]);
        parts.say(&["last is some"], &["last != S1"]);
    }
    if has("seen") {
        parts.add(&["nonce(s) not in seen", "nonce(s) in seen", "size(seen) < 2"], &["N1 in seen"]);
        parts.write(
            &["seen' = seen union {nonce(s)};", "seen' = {n in Nonce : n not in seen};"],
            &["seen' = {N2};"],
        );
        parts.say(&["size(seen) < 2", "exists n in Nonce: n not in seen"], &["N2 in seen"]);
    }
    if has("at") {
        parts.add(&["at = p", "at != p"], &["at < 3"]);
        parts.write(&["at' = p;", "at' = at mod 3 + 1;", "at' in {q in Place : q != at};"], &["at' = 2;"]);
        parts.say(&["true"], &["at != 2"]);
    }
    if has("token") {
        parts.add(&["token is none", "token.at = p", "token.who = Bob"], &["token.at = 1"]);
        parts.write(
            &["token' = Token(who: Bob, at: p);", "token' = none;"],
            &["token' = Token(who: Eve, at: 1);"],
        );
        parts.say(&["token is some", "token.who = Bob"], &["token.at = 3"]);
    }
    if has("last") && has("seen") {
        parts.add(&["last is some => exists s in Session: last = s and nonce(s) in seen"], &[]);
        parts.say(&["exists s in Session: last = s and nonce(s) in seen"], &[]);
    }
    let declared: String = variables.iter().map(|(name, ty, _)| format!("var {name} : {ty};\n")).collect();
    let first: String = variables.iter().map(|(.., ways)| format!("  {};\n", rng.pick(ways))).collect();
    let actions: String = (0..1 + rng.below(3)).map(|index| parts.action(index, named, &mut rng)).collect();
    let invariant = Parts::pick(&parts.invariants, named, &mut rng);
    let assumption = if rng.percent(20) {
        format!("assume {};\n", Parts::pick(&parts.invariants, named, &mut rng))
    } else {
        String::new()
    };
    format!(
        "model steps;\n\
         type Session = enum {{ S1, S2 }};\n\
         type Nonce = enum {{ N1, N2, N3 }};\n\
         type Place = 1..3;\n\
         type Phase = enum {{ Idle, Busy }};\n\
         type Agent = enum {{ Bob, Eve }};\n\
         type Token = record {{ who: Agent, at: Place }};\n\
         def nonce(s: Session): Nonce = if s = S1 then N1 else N2;\n\
         {declared}init {{\n{first}}}\n{actions}{assumption}invariant safe: {invariant};\n"
    )
}

/// Guards, assignments and invariants, each with whether it is about single values.
#[derive(Default)]
struct Parts {
    guards: Vec<(&'static str, bool)>,
    updates: Vec<(&'static str, bool)>,
    invariants: Vec<(&'static str, bool)>,
}

impl Parts {
    fn add(&mut self, alike: &[&'static str], named: &[&'static str]) {
        extend(&mut self.guards, alike, named);
    }

    fn write(&mut self, alike: &[&'static str], named: &[&'static str]) {
        extend(&mut self.updates, alike, named);
    }

    fn say(&mut self, alike: &[&'static str], named: &[&'static str]) {
        extend(&mut self.invariants, alike, named);
    }

    fn pick(list: &[(&'static str, bool)], named: bool, rng: &mut Random) -> &'static str {
        let allowed: Vec<&str> =
            list.iter().filter(|(_, is_named)| named || !is_named).map(|p| p.0).collect();
        allowed[rng.below(allowed.len())]
    }

    /// An action with up to two guards and an assignment to each of one or two variables.
    fn action(&self, index: usize, named: bool, rng: &mut Random) -> String {
        let guards: String = (0..rng.below(3))
            .map(|_| format!("require {}; ", Self::pick(&self.guards, named, rng)))
            .collect();
        let mut updates: Vec<&str> = Vec::new();
        for _ in 0..1 + rng.below(2) {
            let update = Self::pick(&self.updates, named, rng);
            let variable = |update: &str| {
                ["phase'", "last'", "seen'", "at'", "token'"].iter().position(|v| update.contains(v))
            };
            if updates.iter().all(|other| variable(other) != variable(update)) {
                updates.push(update);
            }
        }
        format!("action act{index}(s, t: Session, p: Place) {{ {guards}{} }}\n", updates.join(" "))
    }
}

fn extend(list: &mut Vec<(&'static str, bool)>, alike: &[&'static str], named: &[&'static str]) {
    list.extend(alike.iter().map(|&text| (text, false)));
    list.extend(named.iter().map(|&text| (text, true)));
}

/// The model of a seed.
pub fn model(seed: u64) -> Model {
    let text = text(seed);
    let loaded = load_text("steps.sts", &text, &[], &|_| Err(ErrorKind::NotFound.into()));
    loaded.model.unwrap_or_else(|| panic!("{:?} in\n{text}", loaded.diagnostics))
}
