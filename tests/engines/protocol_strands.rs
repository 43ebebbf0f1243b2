//! Protocols of CPSA: their claims are as the literature says, and as those of the same protocols written for Scyther.

use crate::random::{Random, cases};
use cladist::budget::Budget;
use cladist::protocol::{PatternVerdict, Patterns, ProtocolScope, Protocols, load_text};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

const MOST: (usize, usize) = (4, 50_000);

fn read(name: &str, text: &str) -> Protocols {
    let loaded = load_text(name, text, &Budget::unlimited());
    let errors: Vec<_> = loaded.diagnostics.iter().filter(|found| found.is_error()).collect();
    assert!(errors.is_empty(), "{name}: {errors:?}\n{text}");
    loaded.protocols.expect("protocols")
}

/// The claims by their labels: true if there is an attack, false if there is none with any number of runs or up to three. Claims that take too
/// many patterns are missing.
fn attacked(protocols: &Protocols) -> BTreeMap<String, bool> {
    let patterns = Patterns::new(protocols, ProtocolScope::default()).expect("patterns");
    let decided = patterns.claims().into_iter().filter_map(|(role, event)| {
        let label = protocols.roles[role.index()].events[event].label.clone();
        let attacked = match patterns.decide(role, event, MOST, &Budget::unlimited()) {
            PatternVerdict::Attacked { .. } => true,
            PatternVerdict::Proved => false,
            PatternVerdict::UpTo { runs } if runs >= 3 => false,
            PatternVerdict::UpTo { .. } => return None,
        };
        Some((label, attacked))
    });
    decided.collect()
}

#[test]
fn strands_of_the_literature_are_as_they_expect() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("specs/cpsa");
    let mut compared = 0;
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("readable").path();
        let (name, text) = (path.display().to_string(), std::fs::read_to_string(&path).expect("a text"));
        let found = attacked(&read(&name, &text));
        let expected = text.lines().filter_map(|line| line.strip_prefix("; Expect: ")?.split_once(' '));
        for (label, word) in expected {
            if let Some(is_attacked) = found.get(label) {
                assert_eq!(*is_attacked, word == "attack", "{name} {label}");
                compared += 1;
            }
        }
    }
    assert!(compared > 12);
}

/// A term of both roles.
#[derive(Clone)]
enum Term {
    /// An agent: `a` or `b`.
    Agent(usize),
    /// The value of a role: `na` or `nb`.
    Value(usize),
    /// A body with a key: the public or private one of an agent, or the shared one.
    Encrypted(Vec<Term>, Key),
    Hash(Vec<Term>),
}

#[derive(Clone, Copy)]
enum Key {
    Public(usize),
    Private(usize),
    Shared,
}

impl Term {
    fn strands(&self) -> String {
        let all = |terms: &[Term]| terms.iter().map(Term::strands).collect::<Vec<_>>().join(" ");
        match self {
            Term::Agent(role) => ["a", "b"][*role].to_owned(),
            Term::Value(role) => ["na", "nb"][*role].to_owned(),
            Term::Hash(body) => format!("(hash {})", all(body)),
            Term::Encrypted(body, key) => {
                let key = match key {
                    Key::Public(role) => format!("(pubk {})", ["a", "b"][*role]),
                    Key::Private(role) => format!("(privk {})", ["a", "b"][*role]),
                    Key::Shared => "(ltk a b)".to_owned(),
                };
                format!("(enc {} {key})", all(body))
            }
        }
    }

    fn roles(&self) -> String {
        let all = |terms: &[Term]| terms.iter().map(Term::roles).collect::<Vec<_>>().join(", ");
        match self {
            Term::Agent(role) => ["A", "B"][*role].to_owned(),
            Term::Value(role) => ["na", "nb"][*role].to_owned(),
            Term::Hash(body) => format!("h({})", all(body)),
            Term::Encrypted(body, key) => {
                let key = match key {
                    Key::Public(role) => format!("pk({})", ["A", "B"][*role]),
                    Key::Private(role) => format!("sk({})", ["A", "B"][*role]),
                    Key::Shared => "k(A, B)".to_owned(),
                };
                format!("{{{}}}{key}", all(body))
            }
        }
    }

    fn has(&self, value: usize) -> bool {
        match self {
            Term::Agent(_) => false,
            Term::Value(role) => *role == value,
            Term::Encrypted(body, _) | Term::Hash(body) => body.iter().any(|part| part.has(value)),
        }
    }
}

/// Messages between the roles `a` and `b`, with the sender of each; the first one is from `a`. Each message has the value of its sender.
fn random_messages(random: &mut Random) -> Vec<(usize, Vec<Term>)> {
    let mut messages = Vec::new();
    let count = 2 + random.below(2);
    for number in 0..count {
        let sender = number % 2;
        let values = if number == 0 { 1 } else { 2 };
        let body = |random: &mut Random, is_first: bool| {
            let mut body: Vec<Term> = (0..1 + random.below(2))
                .map(|_| match random.percent(40) {
                    true => Term::Agent(random.below(2)),
                    false => Term::Value(random.below(values)),
                })
                .collect();
            if is_first {
                body.insert(random.below(body.len() + 1), Term::Value(sender));
            }
            body
        };
        let mut parts = Vec::new();
        for part in 0..1 + random.below(2) {
            let body = body(random, part == 0);
            // What a role receives, it can open.
            let key = match random.below(3) {
                0 => Key::Public(1 - sender),
                1 => Key::Private(sender),
                _ => Key::Shared,
            };
            let is_hash = part > 0 && random.percent(20);
            parts.push(if is_hash { Term::Hash(body) } else { Term::Encrypted(body, key) });
        }
        messages.push((sender, parts));
    }
    messages
}

const ROLES: [(&str, &str); 2] = [("init", "A"), ("resp", "B")];

/// The messages with a question of each role, and of each role whether its value is secret.
fn in_strands(messages: &[(usize, Vec<Term>)], of_roles: bool) -> String {
    let mut text = "(defprotocol p basic\n".to_owned();
    for (role, (name, _)) in ROLES.iter().enumerate() {
        let _ = writeln!(text, "  (defrole {name} (vars (a b name) (na nb text)) (trace");
        for (sender, parts) in messages {
            let parts: Vec<String> = parts.iter().map(Term::strands).collect();
            let event = if *sender == role { "send" } else { "recv" };
            let _ = writeln!(text, "    ({event} (cat {}))", parts.join(" "));
        }
        let unique = if of_roles { format!("(uniq-orig {})", ["na", "nb"][role]) } else { String::new() };
        let _ = writeln!(text, "  ) {unique})");
    }
    text.push_str(")\n");
    for (role, (name, _)) in ROLES.iter().enumerate() {
        let value = ["na", "nb"][role];
        for listener in ["", &format!("(deflistener {value})")] {
            let unique = if of_roles { String::new() } else { format!("(uniq-orig {value})") };
            let _ = writeln!(
                text,
                "(defskeleton p (vars (a b name) ({value} text)) (defstrand {name} {} (a a) (b b) ({value} {value}))\n\
                 {listener} (non-orig (privk a) (privk b) (ltk a b) (ltk b a) (ltk a a) (ltk b b)) {unique})",
                messages.len()
            );
        }
    }
    text
}

/// The same for Scyther, with the labels of the other.
fn in_roles(messages: &[(usize, Vec<Term>)]) -> String {
    let mut text = "hashfunction h;\nusertype Text;\nconst S1, S3: Text;\nprotocol p(A, B) {\n".to_owned();
    for role in 0..2 {
        let (own, other) = (ROLES[role].1, ROLES[1 - role].1);
        let [value, theirs] = [["na", "nb"][role], ["na", "nb"][1 - role]];
        let _ = writeln!(text, "role {own} {{ fresh {value}: Text; var {theirs}: Text;");
        let known = |before: usize, value: usize| {
            messages[..before].iter().any(|(_, parts)| parts.iter().any(|part| part.has(value)))
        };
        let data = |before: [usize; 2]| {
            let values = (0..2).filter(|value| before.iter().all(|before| known(*before, *value)));
            let values: String = values.map(|value| format!(", {}", ["na", "nb"][value])).collect();
            format!("A, B{values}")
        };
        let last_sent = |sender: usize| messages.iter().rposition(|(from, _)| *from == sender);
        for (number, (sender, parts)) in messages.iter().enumerate() {
            // Who is running says so before its last message.
            if last_sent(role) == Some(number) {
                let label = ["S3", "S1"][role];
                let _ = writeln!(
                    text,
                    "claim({own}, Running, {other}, {label}, {});",
                    data([messages.len(), number + 1])
                );
            }
            let parts: Vec<String> = parts.iter().map(Term::roles).collect();
            let event = if *sender == role { "send" } else { "recv" };
            let [from, to] = [ROLES[*sender].1, ROLES[1 - sender].1];
            let _ = writeln!(text, "{event}_{}({from}, {to}, {});", number + 1, parts.join(", "));
        }
        let (label, secret) = [("S1", "S2"), ("S3", "S4")][role];
        let name = ROLES[1 - role].0;
        if let Some(last) = last_sent(1 - role) {
            let _ = writeln!(
                text,
                "claim_{label}-{name}-alive({own}, Alive, {other});\n\
                 claim_{label}-{name}({own}, Commit, {other}, {label}, {});",
                data([messages.len(), last + 1])
            );
        }
        let _ = writeln!(text, "claim_{secret}({own}, Secret, {value});\n}}");
    }
    text + "}\n"
}

#[test]
fn random_protocols_have_the_verdicts_of_scyther() {
    let (mut compared, mut attacks, mut weaker) = (0, 0, 0);
    for seed in 0..cases(60) {
        let messages = random_messages(&mut Random::new(seed));
        let roles = in_roles(&messages);
        let strands = in_strands(&messages, true);
        let expected = attacked(&read("p.spdl", &roles));
        let found = attacked(&read("p.scm", &strands));
        for (label, is_attacked) in &found {
            let Some(expected) = expected.get(label) else { continue };
            assert_eq!(is_attacked, expected, "seed {seed}, {label}\n{strands}\n{roles}");
            compared += 1;
            attacks += usize::from(*is_attacked);
        }
        // With values that only one run makes, there are no fewer attacks.
        let alone = attacked(&read("p.scm", &in_strands(&messages, false)));
        for (label, is_attacked) in found.iter().filter(|(_, is_attacked)| **is_attacked) {
            if let Some(alone) = alone.get(label) {
                assert!(*alone, "seed {seed}, {label}\n{strands}");
                weaker += usize::from(*is_attacked);
            }
        }
    }
    assert!(compared > 60 && attacks > 10 && weaker > 5, "{compared} {attacks} {weaker}");
}

/// A protocol with its questions.
fn asked(roles: &str, skeletons: &str) -> String {
    format!("(defprotocol p basic {roles})\n{skeletons}")
}

/// Each with a label: with the first roles and skeletons there is an attack, with the second ones none.
#[test]
fn assumptions_and_values_reach_no_further_than_they_say() {
    let init = |event: &str, assumed: &str| {
        format!(
            "(defrole init (vars (a b name) (n text)) (trace (send (cat a b)) (recv (enc n (ltk a b))) {event}) {assumed})"
        )
    };
    let resp = "(defrole resp (vars (a b name) (n text)) (trace (recv (cat a b)) (send (enc n (ltk a b)))) (uniq-orig n))";
    let plain = "(defskeleton p (vars (a b name)) (defstrand init 2 (a a) (b b)))";
    // An assumption with event 2 is none about a strand of two events.
    let of_height =
        |height: usize| asked(&(init("(send n)", &format!("(non-orig ({height} (ltk a b)))")) + resp), plain);
    // Another run hashes or encrypts with what it does not say.
    let unique = "(defskeleton p (vars (a b name) (n text)) (defstrand init 2 (a a) (b b) (n n)) (non-orig (ltk a b)) (uniq-orig n))";
    let hashing = |events: &str| {
        let init =
            "(defrole init (vars (a b name) (n text)) (trace (send (enc n (ltk a b))) (recv (hash n))))";
        let resp =
            "(defrole resp (vars (a b name) (n text)) (trace (recv (enc n (ltk a b))) (send (hash n))))";
        asked(&format!("{init} {resp} (defrole other (vars (n text)) (trace {events}))"), unique)
    };
    let encrypting = |events: &str| {
        let init =
            "(defrole init (vars (a b name) (n text)) (trace (send (cat a b n)) (recv (enc n (ltk a b)))))";
        let resp =
            "(defrole resp (vars (a b name) (n text)) (trace (recv (cat a b n)) (send (enc n (ltk a b)))))";
        asked(&format!("{init} {resp} (defrole other (vars (m mesg) (k skey)) (trace {events}))"), unique)
    };
    let signing = |events: &str| {
        let init = "(defrole init (vars (a b name) (n text) (k akey)) (trace (send (cat a b n (enc k (ltk a b)))) (recv (enc n (invk k)))))";
        let resp = "(defrole resp (vars (a b name) (n text) (k akey)) (trace (recv (cat a b n (enc k (ltk a b)))) (send (enc n (invk k)))))";
        let other = format!("(defrole other (vars (m mesg) (k akey)) (trace {events}))");
        let skeleton = "(defskeleton p (vars (a b name) (n text) (k akey)) (defstrand init 2 (a a) (b b) (n n) (k k)) (non-orig (ltk a b) (invk k)) (uniq-orig n k))";
        asked(&format!("{init} {resp} {other}"), skeleton)
    };
    // A text and any message are different questions, whatever the name of the variable.
    let sorted = |sort: &str| {
        let init =
            "(defrole init (vars (a b name) (x mesg)) (trace (send (cat a b)) (recv (enc x (ltk a b)))))";
        let other = "(defrole other (vars (a b name) (n text)) (trace (recv (cat a b)) (send (enc \"x\" n (ltk a b)))))";
        let skeleton = |sort: &str| {
            format!(
                "(defskeleton p (vars (a b name) (n {sort})) (defstrand init 2 (a a) (b b) (x n)) (non-orig (ltk a b)))\n"
            )
        };
        asked(&format!("{init} {resp} {other}"), &(skeleton("text") + &skeleton(sort)))
    };
    for (label, attacked_text, text) in [
        ("S1-resp", of_height(2), of_height(1)),
        ("S1-resp-alive", hashing("(send (hash n))"), hashing("(recv n) (send (hash n))")),
        (
            "S1-resp-alive",
            encrypting("(recv m) (send (enc m k))"),
            encrypting("(recv m) (send (cat k (enc m k)))"),
        ),
        (
            "S1-resp-alive",
            signing("(recv m) (send (enc m (invk k)))"),
            signing("(recv m) (send (cat k (enc m (invk k))))"),
        ),
        ("S2-resp", sorted("mesg"), sorted("text")),
    ] {
        for (text, is_attacked) in [(attacked_text, true), (text, false)] {
            let found = attacked(&read("p.scm", &text));
            assert_eq!(found.get(label), Some(&is_attacked), "{text}\n{found:?}");
        }
    }
}

/// A value that a strand hashes and then receives comes from another run, which may say it.
#[test]
fn a_value_that_is_received_is_not_the_strands() {
    let init = "(defrole init (vars (a b name) (n text)) (trace (send (hash n)) (recv (enc n (ltk a b)))))";
    let resp = "(defrole resp (vars (a b name) (n text)) (trace (send n) (send (enc n (ltk a b)))))";
    let skeleton = "(defskeleton p (vars (a b name) (n text)) (defstrand init 2 (a a) (b b) (n n)) (deflistener n) (non-orig (ltk a b)) (uniq-orig n))";
    let text = asked(&format!("{init} {resp}"), skeleton);
    assert_eq!(attacked(&read("p.scm", &text)).get("S1"), Some(&true), "{text}");
}

#[test]
fn listeners_hear_terms_that_no_message_has() {
    for (sent, is_attacked) in [("n", true), ("(enc n (ltk a b))", false)] {
        let init = format!("(defrole init (vars (a b name) (n text)) (trace (send (cat a b {sent}))))");
        let skeleton = "(defskeleton p (vars (a b name) (n text)) (defstrand init 1 (a a) (b b) (n n)) (deflistener (hash \"x\" n)) (non-orig (ltk a b)) (uniq-orig n))";
        let text = asked(&init, skeleton);
        assert_eq!(attacked(&read("p.scm", &text)).get("S1"), Some(&is_attacked), "{text}");
    }
}

/// The agent of `init` is in no message, and no run of `resp` can disagree on it.
#[test]
fn nothing_is_claimed_of_agents_in_no_message() {
    let init = "(defrole init (vars (a b name) (n text)) (trace (send (enc n (pubk b))) (recv (hash n))))";
    let resp = "(defrole resp (vars (a b name) (n text)) (trace (recv (enc n (pubk b))) (send (hash n))))";
    let skeleton = "(defskeleton p (vars (b name) (n text)) (defstrand init 2 (b b) (n n)) (non-orig (privk b)) (uniq-orig n))";
    let found = attacked(&read("p.scm", &asked(&format!("{init} {resp}"), skeleton)));
    assert_eq!(found, BTreeMap::from([("S1-resp-alive".to_owned(), false)]));
}
