//! Protocol files: published ones are read, and what is read means what the file says.

use crate::random::{Random, cases};
use cladist::budget::Budget;
use cladist::diagnostics::{Diagnostic, EarlyEnd, render};
use cladist::model::LoadOptions;
use cladist::protocol::{
    Event, EventKind, LoadedProtocols, Message, ProtocolSymbolKind, Protocols, Role, RoleClaim, RoleId,
    RoleTerm, load, load_text, translate_file,
};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The protocol files of the folder that `CLADIST_TEST_DATA` names.
pub fn published() -> Option<Vec<PathBuf>> {
    let Some(folder) = std::env::var_os("CLADIST_TEST_DATA").filter(|value| !value.is_empty()) else {
        eprintln!("skipped: CLADIST_TEST_DATA is not set");
        return None;
    };
    let entries = std::fs::read_dir(Path::new(&folder).join("spdl")).expect("a folder");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "spdl"));
    paths.sort();
    assert_eq!(paths.len(), 36);
    Some(paths)
}

/// All diagnostics, as a terminal without colours shows them.
pub fn shown(loaded: &LoadedProtocols) -> String {
    loaded.diagnostics.iter().map(|diagnostic| render(diagnostic, &loaded.sources, false)).collect()
}

#[test]
fn published_files_have_no_errors() {
    let Some(paths) = published() else { return };
    for path in paths {
        let loaded = load(&path, &Budget::unlimited());
        assert!(loaded.protocols.is_some(), "{}:\n{}", path.display(), shown(&loaded));
        assert!(!loaded.diagnostics.iter().any(Diagnostic::is_error));
    }
}

/// What a text describes.
fn described(text: &str) -> Protocols {
    let loaded = load_text("p.spdl", text, &Budget::unlimited());
    loaded.protocols.clone().unwrap_or_else(|| panic!("{}", shown(&loaded)))
}

/// A file of the examples.
fn example(name: &str) -> Protocols {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/protocols").join(name);
    let loaded = load(&path, &Budget::unlimited());
    loaded.protocols.clone().unwrap_or_else(|| panic!("{}", shown(&loaded)))
}

/// A term of a role, written out.
fn term(protocols: &Protocols, role: &Role, of: &RoleTerm) -> String {
    let all =
        |terms: &[RoleTerm]| terms.iter().map(|of| term(protocols, role, of)).collect::<Vec<_>>().join(",");
    match of {
        RoleTerm::Agent(id) => protocols.roles[id.index()].name.clone(),
        RoleTerm::Variable(id) => role.variables[id.index()].name.clone(),
        RoleTerm::Constant(id) => protocols.symbols[id.index()].name.clone(),
        RoleTerm::Tuple(terms) => format!("({})", all(terms)),
        RoleTerm::Encrypted { body, key } => {
            format!("{{{}}}{}", term(protocols, role, body), term(protocols, role, key))
        }
        RoleTerm::Apply { function, arguments } => {
            format!("{}({})", protocols.symbols[function.index()].name, all(arguments))
        }
    }
}

/// The events of a role, written out.
fn events(protocols: &Protocols, name: &str) -> Vec<String> {
    let role = protocols.roles.iter().find(|role| role.name == name).expect("the role");
    let message = |verb: &str, label: &str, message: &Message| {
        let name = |role: RoleId| &protocols.roles[role.index()].name;
        let exempt = if message.exempt { " exempt" } else { "" };
        format!(
            "{verb} {label}{exempt} {}->{} {}",
            name(message.from),
            name(message.to),
            term(protocols, role, &message.content)
        )
    };
    let event = |event: &Event| match &event.kind {
        EventKind::Send(sent) => message("send", &event.label, sent),
        EventKind::Receive(received) => message("recv", &event.label, received),
        EventKind::Match { pattern, term: of, equal } => {
            let sign = if *equal { "=" } else { "!=" };
            format!("{} {sign} {}", term(protocols, role, pattern), term(protocols, role, of))
        }
        EventKind::Claim(RoleClaim::Secret(of)) => {
            format!("{} secret {}", event.label, term(protocols, role, of))
        }
        EventKind::Claim(RoleClaim::SessionKey(of)) => {
            format!("{} key {}", event.label, term(protocols, role, of))
        }
        EventKind::Claim(
            RoleClaim::Commit { role: with, data, .. } | RoleClaim::Running { role: with, data },
        ) => {
            let data = term(protocols, role, &RoleTerm::Tuple(data.clone()));
            format!("{} {} {data}", event.label, protocols.roles[with.index()].name)
        }
        EventKind::Claim(claim) => format!("{} {claim:?}", event.label),
    };
    role.events.iter().map(event).collect()
}

#[test]
fn a_file_means_what_it_says() {
    let protocols = example("needham_schroeder.spdl");
    assert_eq!(protocols.protocols.len(), 1);
    assert_eq!(
        (protocols.protocols[0].name.as_str(), protocols.protocols[0].helper),
        ("needham-schroeder", false)
    );
    let initiator = [
        "send 1 I->R {(I,Ni)}pk(R)",
        "recv 2 R->I {(Ni,Nr)}pk(I)",
        "send 3 I->R {Nr}pk(R)",
        "I1 secret Nr",
        "I2 NonInjectiveSynchronisation",
    ];
    assert_eq!(events(&protocols, "I"), initiator);
    let fresh: Vec<bool> = protocols.roles[0].variables.iter().map(|variable| variable.fresh).collect();
    assert_eq!(fresh, [true, false]);
    let symbol =
        |name: &str| protocols.symbols.iter().find(|symbol| symbol.name == name).expect("the symbol");
    let inverse = |name: &str| symbol(name).inverse.map(|id| protocols.symbols[id.index()].name.as_str());
    assert_eq!(["k", "pk", "sk"].map(inverse), [Some("k"), Some("sk"), Some("pk")]);
    assert_eq!(["k", "pk", "sk"].map(|name| symbol(name).secret), [true, false, true]);
}

#[test]
fn every_construct_means_something() {
    let protocols = example("everything.spdl");
    let heads: Vec<(&str, bool)> = protocols.protocols.iter().map(|p| (p.name.as_str(), p.helper)).collect();
    assert_eq!(heads, [("swap", true), ("every-thing'", false)]);
    assert_eq!(
        events(&protocols, "X"),
        ["recv !X1 exempt X->X (A,B,{T}k(A,B))", "send !X2 exempt X->X {T}k(B,A)"]
    );
    let initiator = [
        // No label of the file is I7; I1 to I6 are taken.
        "I7 R (N)",
        // A tuple in the last place is no component of its own.
        "send 1 I->R ({(N,I,R)}k(I,R),mac(S),{S}suc)",
        "recv 2 R->I {(T,M)}pk2(I)",
        "(I,M) = (I,M)",
        "T != N",
        "send 3 I->R (T,h(M,T))",
        "I1 secret N",
        "I2 key h(N,M)",
        "I3 Alive(None)",
        "I4 WeakAgreement(None)",
        "I5 NonInjectiveAgreement",
        "I6 NonInjectiveSynchronisation",
        "I8 Empty",
        "I9 Reachable",
    ];
    assert_eq!(events(&protocols, "I"), initiator);
    let responder = [
        "recv 1 I->R ({(N,I,R)}k(I,R),mac(S),{S}suc)",
        "send 2 R->I {((Tok,I),M)}pk2(I)",
        "recv 3 I->R ((Tok,I),h(M,Tok,I))",
        "R1 I (N)",
        "N != M",
    ];
    assert_eq!(events(&protocols, "R"), responder);
    let singular: Vec<bool> = protocols.roles.iter().map(|role| role.singular).collect();
    assert_eq!(singular, [false, true, false]);
    let types = |role: usize, variable: usize| {
        let types = protocols.roles[role].variables[variable].types.iter();
        types.map(|id| protocols.types[id.index()].as_str()).collect::<Vec<_>>()
    };
    assert_eq!([types(0, 2), types(1, 2), types(1, 3)], [vec![], vec!["Ticket"], vec!["Nonce", "Stamp"]]);
    let symbol =
        |name: &str| protocols.symbols.iter().find(|symbol| symbol.name == name).expect("the symbol");
    let inverse = |name: &str| symbol(name).inverse.map(|id| protocols.symbols[id.index()].name.as_str());
    let names = ["h", "mac", "pre", "suc", "pk2", "sk2", "master"];
    assert_eq!(
        names.map(inverse),
        [None, None, Some("suc"), Some("pre"), Some("sk2"), Some("pk2"), Some("master")]
    );
    assert_eq!(names.map(|name| symbol(name).secret), [false, true, false, false, false, true, true]);
    assert_eq!(
        [symbol("h").kind, symbol("pre").kind],
        [ProtocolSymbolKind::Hash, ProtocolSymbolKind::Function]
    );
    let untrusted: Vec<&str> =
        protocols.untrusted.iter().map(|id| protocols.symbols[id.index()].name.as_str()).collect();
    let known: Vec<String> =
        protocols.compromised.iter().map(|known| term(&protocols, &protocols.roles[0], known)).collect();
    assert_eq!((untrusted, known), (vec!["Eve"], vec!["sk2(Eve)".to_owned(), "h(master)".to_owned()]));
}

/// Macros are known from their definition on, wherever that is; their names mean what they mean where they are used, but for
/// other macros.
#[test]
fn macros_stand_for_terms() {
    let protocols = described(
        "const a, b: Nonce; macro x = a; macro y = (x, n); macro x = b;
         protocol p(I, R) {
           role I { fresh n: Nonce; send_!1(I, R, y, x); macro z = {I}n; send_!2(I, R, z); }
           role R { var n: Nonce; recv_!3(I, R, n); send_!4(R, I, y, x, z); macro a = (a, a); send_!5(R, I, a); }
         }",
    );
    assert_eq!(events(&protocols, "I"), ["send !1 exempt I->R ((a,n),b)", "send !2 exempt I->R {I}n"]);
    let responder =
        ["recv !3 exempt I->R n", "send !4 exempt R->I ((a,n),b,{I}n)", "send !5 exempt R->I (a,a)"];
    assert_eq!(events(&protocols, "R"), responder);
}

/// Names of an inner scope hide those of an outer one; a variable that is declared outside of roles belongs to each of them.
#[test]
fn names_have_scopes() {
    let protocols = described(
        "const a: Nonce; var v: Ticket;
         protocol p(I, R) {
           const b: Nonce;
           role I { fresh a: Nonce; var R: Agent; recv_!1(I, I, R, v); send_!2(I, I, a, b, v); }
           role R { send_!3(R, I, a, b, I, R); recv_!4(I, R, v); }
         }
         protocol q(I) { const b: Ticket; role I { send_!1(I, I, b); } }",
    );
    let all: Vec<Vec<String>> = ["I", "R"].map(|name| events(&protocols, name)).to_vec();
    assert_eq!(all[0], ["recv !1 exempt I->I (R,v)", "send !2 exempt I->I (a,b,v)"]);
    assert_eq!(all[1], ["send !3 exempt R->I (a,b,I,R)", "recv !4 exempt I->R v"]);
    let variables =
        |role: usize| protocols.roles[role].variables.iter().map(|v| v.name.as_str()).collect::<Vec<_>>();
    assert_eq!([variables(0), variables(1)], [vec!["a", "R", "v"], vec!["v"]]);
    let names: Vec<&str> = protocols.symbols.iter().map(|symbol| symbol.name.as_str()).collect();
    assert_eq!(names, ["k", "pk", "sk", "a", "b", "b"]);
}

/// What is received fits what is sent if it is made of it by putting variables in place of terms; not, if a name is changed.
#[test]
fn random_messages_fit_their_patterns() {
    let mut differ = 0;
    for seed in 0..cases(500) {
        let mut random = Random::new(seed);
        let sent = Sent::random(&mut random, 0);
        let mut variables = Vec::new();
        let pattern = sent.pattern(&mut random, &mut variables);
        let (good, changed) = (pattern.clone(), pattern.replacen('b', "c", 1));
        for (pattern, fits) in [(&good, true), (&changed, good == changed)] {
            let declared = if variables.is_empty() {
                String::new()
            } else {
                format!("var {}: Ticket;", variables.join(", "))
            };
            let text = format!(
                "const a, b, c: Nonce; hashfunction h;
                 protocol p(I, R) {{ role I {{ send_1(I, R, {}); }} role R {{ {declared} recv_1(I, R, {pattern}); }} }}",
                sent.text()
            );
            let loaded = load_text("p.spdl", &text, &Budget::unlimited());
            let found = shown(&loaded);
            assert_eq!(!found.contains("differs from the one sent"), fits, "{text}\n{found}");
            differ += usize::from(!fits);
        }
    }
    assert!(differ > 50, "only {differ} differed");
}

/// A random term without variables.
enum Sent {
    Name(&'static str),
    Tuple(Vec<Sent>),
    Hash(Vec<Sent>),
    Encrypted(Box<Sent>, Box<Sent>),
}

impl Sent {
    fn random(random: &mut Random, depth: usize) -> Self {
        let inner = |random: &mut Random| Self::random(random, depth + 1);
        match random.below(if depth > 3 { 1 } else { 4 }) {
            0 => Self::Name(["a", "b", "I", "R"][random.below(4)]),
            1 => Self::Tuple((0..2 + random.below(3)).map(|_| inner(random)).collect()),
            2 => Self::Hash((0..1 + random.below(3)).map(|_| inner(random)).collect()),
            _ => Self::Encrypted(Box::new(inner(random)), Box::new(inner(random))),
        }
    }

    fn text(&self) -> String {
        self.written(&mut |_| None)
    }

    /// The text, with variables in place of some terms.
    fn pattern(&self, random: &mut Random, variables: &mut Vec<String>) -> String {
        self.written(&mut |_| {
            random.percent(15).then(|| {
                variables.push(format!("V{}", variables.len()));
                variables[variables.len() - 1].clone()
            })
        })
    }

    fn written(&self, instead: &mut dyn FnMut(&Self) -> Option<String>) -> String {
        if let Some(other) = instead(self) {
            return other;
        }
        let all = |terms: &[Self], instead: &mut dyn FnMut(&Self) -> Option<String>| {
            terms.iter().map(|term| term.written(instead)).collect::<Vec<_>>().join(", ")
        };
        match self {
            Self::Name(name) => (*name).to_owned(),
            Self::Tuple(terms) => format!("({})", all(terms, instead)),
            Self::Hash(terms) => format!("h({})", all(terms, instead)),
            Self::Encrypted(body, key) => {
                let body = body.written(instead);
                format!("{{{body}}}{}", key.written(instead))
            }
        }
    }
}

/// A limit that ends loading the model of a protocol is a limit, and no mistake of the protocol.
#[test]
fn limits_of_the_model_are_limits() {
    // So much that loading looks at the clock.
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("specs/protocols/yahalom-ban.spdl");
    let scope = [("RUNS", "8"), ("MATCH", "full")].map(|(name, value)| (name.to_owned(), value.to_owned()));
    let unlimited = LoadOptions { overrides: &scope, ..LoadOptions::default() };
    let file = translate_file(&path, &unlimited).expect("a protocol");
    let budget = Budget::unlimited().with_timeout(Duration::ZERO);
    let ended = file.load(&LoadOptions { budget, ..LoadOptions::default() });
    let unfinished: Vec<_> = ended.diagnostics.iter().filter_map(|found| found.unfinished).collect();
    assert!(ended.model.is_none() && unfinished == [EarlyEnd::Limit], "{:?}", ended.diagnostics);
}
