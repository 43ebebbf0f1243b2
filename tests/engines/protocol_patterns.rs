//! Attack patterns: what they say of claims against the third reader, other programs, and what files of the literature expect.

use super::protocol_random::{NOTHING, of_model};
use crate::protocol_reader::generate;
use crate::protocol_reader::search::explore;
use crate::protocol_reader::text::File;
use crate::random::{Random, seeds};
use cladist::budget::Budget;
use cladist::protocol::{
    AttackPattern, Characterisation, EventKind, Extent, Matching, PatternVerdict, Patterns, ProtocolScope,
    Reveals, load_text,
};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

/// The most runs of patterns, and the most patterns of a claim.
const MOST: (usize, usize) = (4, 50_000);

/// A claim by the names of its protocol and role, and its label.
type Named = (String, String, String);

/// The verdicts of patterns on the claims of a file.
fn verdicts(text: &str) -> BTreeMap<Named, PatternVerdict> {
    verdicts_up_to(MOST.0, Reveals::default(), text)
}

/// Likewise, of patterns of at most so many runs, with losses of keys.
fn verdicts_up_to(runs: usize, reveals: Reveals, text: &str) -> BTreeMap<Named, PatternVerdict> {
    let loaded = load_text("protocol.spdl", text, &Budget::unlimited());
    let protocols = loaded.protocols.unwrap_or_else(|| panic!("{:?}\n{text}", loaded.diagnostics));
    let patterns =
        Patterns::new(&protocols, ProtocolScope { reveals, ..ProtocolScope::default() }).expect("patterns");
    let claims = patterns.claims().into_iter().map(|(role, event)| {
        let described = &protocols.roles[role.index()];
        assert!(matches!(described.events[event].kind, EventKind::Claim(_)));
        let protocol = protocols.protocols[described.protocol.index()].name.clone();
        let name = (protocol, described.name.clone(), described.events[event].label.clone());
        (name, patterns.decide(role, event, (runs, MOST.1), &Budget::unlimited()))
    });
    claims.collect()
}

/// True if there is an attack with so many runs; nothing if patterns do not say.
fn attacked(verdict: PatternVerdict, runs: usize) -> Option<bool> {
    match verdict {
        PatternVerdict::Attacked { runs: fewest } => Some(fewest <= runs),
        PatternVerdict::Proved => Some(false),
        PatternVerdict::UpTo { runs: most } => (most >= runs).then_some(false),
    }
}

/// Counts of claims that were compared.
#[derive(Default)]
struct Compared {
    claims: usize,
    attacks: usize,
    proved: usize,
    open: usize,
}

impl Compared {
    /// Compares patterns with what the third reader finds in so many runs and steps. The claims, by their labels, that have attacks or
    /// have none; nothing if there are more steps.
    fn add(
        &mut self,
        context: &str,
        text: &str,
        (runs, steps): (usize, usize),
    ) -> Option<BTreeMap<String, bool>> {
        let file = File::read(text).unwrap_or_else(|problem| panic!("{context}: {problem}\n{text}"));
        let found = explore(&file, runs, steps)?;
        let verdicts = verdicts(text);
        assert_eq!(verdicts.len(), found.len(), "both read the same claims");
        let mut decided = BTreeMap::new();
        for ((protocol, role, label), theirs) in found {
            let verdict = verdicts[&(protocol.to_string(), role.to_string(), label.to_string())];
            let Some(ours) = attacked(verdict, runs) else {
                self.open += 1;
                continue;
            };
            let attack = theirs.attack.as_deref().unwrap_or("no attack");
            assert_eq!(ours, theirs.attack.is_some(), "{context}, {label}: {verdict:?}\n{text}\n{attack}");
            self.claims += 1;
            self.attacks += usize::from(ours);
            self.proved += usize::from(verdict == PatternVerdict::Proved);
            decided.insert(label.to_string(), ours);
        }
        Some(decided)
    }

    fn assert_enough(&self) {
        let Self { claims, attacks, proved, open } = self;
        eprintln!("{claims} claims, {attacks} of them false, {proved} proved; {open} left open");
        assert!(*attacks > 0 && *proved > 0 && open * 10 <= *claims);
    }
}

#[test]
fn random_protocols_have_the_attacks_that_the_definitions_say() {
    let mut compared = Compared::default();
    for seed in seeds(40) {
        let text = generate::protocol(&mut Random::new(seed));
        compared.add(&format!("seed {seed}"), &text, (2, 2_000));
    }
    compared.assert_enough();
}

#[test]
fn random_commitments_of_three_runs_are_repeated_as_the_definitions_say() {
    let (mut compared, mut repeated) = (Compared::default(), 0);
    for seed in seeds(20) {
        let text = generate::commitments(&mut Random::new(seed));
        let decided = compared.add(&format!("seed {seed}"), &text, (3, 60_000));
        let by_repetition = |decided: &BTreeMap<String, bool>| decided["B2"] && !decided["B1"];
        repeated += usize::from(decided.as_ref().is_some_and(by_repetition));
    }
    eprintln!("{repeated} commitments are false by repetition alone");
    compared.assert_enough();
    assert!(repeated > 0);
}

#[test]
fn random_tuples_within_encryptions_are_passed_on_as_the_definitions_say() {
    let mut compared = Compared::default();
    for seed in seeds(40) {
        let text = generate::wrapped(&mut Random::new(seed));
        compared.add(&format!("seed {seed}"), &text, (2, 20_000));
    }
    compared.assert_enough();
}

#[test]
fn random_claims_about_one_of_three_roles_are_as_the_definitions_say() {
    let (mut compared, mut differing) = (Compared::default(), 0);
    for seed in seeds(30) {
        let text = generate::three_roles(&mut Random::new(seed));
        let decided = compared.add(&format!("seed {seed}"), &text, (2, 20_000));
        for (label, is_attacked) in decided.iter().flatten() {
            let plain = label.trim_end_matches(|c: char| c.is_alphabetic());
            differing += usize::from(decided.as_ref().is_some_and(|all| all[plain] != *is_attacked));
        }
    }
    eprintln!("{differing} claims differ from those about all partners");
    compared.assert_enough();
    assert!(differing > 0);
}

/// The files of a folder by their names.
fn files(folder: &Path) -> Vec<(String, String)> {
    let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("readable").path());
    let texts = entries.filter(|path| path.extension().is_some_and(|extension| extension == "spdl"));
    let named = texts.map(|path| {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        (name, std::fs::read_to_string(&path).expect("a text"))
    });
    named.collect()
}

/// Compares the claims of a folder with the verdicts of patterns of so many runs, of other numbers, and with losses of keys:
/// `# Expect with five runs: S1 attack`, `# Expect with actor: R1 attack`. Returns their number, and that of the proved ones.
fn compare_with_expected(folder: &str, runs: usize, of_powers: usize) -> (usize, usize) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let (mut compared, mut proved) = (0, 0);
    for (name, text) in files(&folder) {
        let runs = if text.contains("\nexponentiation ") { of_powers } else { runs };
        let (none, most) = (Reveals::default(), MOST.0);
        let (actor, after) = (Reveals { actor: true, ..none }, Reveals { after: true, ..none });
        for (start, runs, most, reveals) in [
            ("# Expect: ", runs, most, none),
            ("# Expect with three runs: ", 3, most, none),
            ("# Expect with five runs: ", 5, 5, none),
            ("# Expect with actor: ", runs, most, actor),
            ("# Expect with after: ", runs, most, after),
        ] {
            let expected = text.lines().filter_map(|line| line.strip_prefix(start)?.split_once(' '));
            let expected: Vec<_> = expected.collect();
            if expected.is_empty() {
                continue;
            }
            let verdicts = verdicts_up_to(most, reveals, &text);
            for (label, expected) in expected {
                let claim = verdicts.iter().find(|((_, _, other), _)| other == label);
                let (claim, verdict) = claim.unwrap_or_else(|| panic!("{name}: no claim {label}"));
                let Some(attacked) = attacked(*verdict, runs) else { panic!("{name}: {claim:?} is open") };
                assert_eq!(
                    attacked,
                    expected.starts_with("attack"),
                    "{name}: {claim:?} {verdict:?} {expected}"
                );
                compared += 1;
                proved += usize::from(*verdict == PatternVerdict::Proved);
            }
        }
    }
    eprintln!("{compared} claims, {proved} proved");
    (compared, proved)
}

#[test]
fn protocols_of_the_literature_are_as_they_expect() {
    let (compared, proved) = compare_with_expected("specs/protocols", 3, 3);
    assert!(compared > 150 && proved > 80);
}

#[test]
fn protocols_of_standards_are_as_they_expect() {
    let (compared, proved) = compare_with_expected("specs/standards", MOST.0, 2);
    assert!(compared > 75 && proved > 50, "{compared} compared, {proved} proved");
}

#[test]
fn claims_about_powers_hold_for_any_number_of_runs() {
    let (compared, proved) = compare_with_expected("specs/diffie-hellman", 3, 3);
    assert!(compared > 20 && proved > 12, "{compared} compared, {proved} proved");
}

#[test]
fn patterns_agree_with_scyther() {
    let Some(folder) = std::env::var_os("CLADIST_TEST_DATA").filter(|value| !value.is_empty()) else {
        eprintln!("skipped: CLADIST_TEST_DATA is not set");
        return;
    };
    let folder = Path::new(&folder).join("spdl");
    let all: BTreeMap<String, String> = files(&folder).into_iter().collect();
    let mut known: BTreeMap<String, BTreeMap<Named, PatternVerdict>> = BTreeMap::new();
    let mut compared = 0;
    for runs in 2..=4 {
        let table =
            std::fs::read_to_string(folder.join(format!("scyther-{runs}-runs.tsv"))).expect("a table");
        for line in table.lines() {
            let cells: Vec<&str> = line.split('\t').collect();
            let (protocol, role) = cells[1].rsplit_once(',').expect("protocol and role");
            let (_, label) = cells[2].split_once('_').expect("claim and label");
            let verdicts = known.entry(cells[0].to_owned()).or_insert_with(|| verdicts(&all[cells[0]]));
            let verdict = verdicts[&(protocol.to_owned(), role.to_owned(), label.to_owned())];
            assert_eq!(attacked(verdict, runs), Some(cells[4] == "Fail"), "{line}: {verdict:?}");
            compared += 1;
        }
    }
    assert!(compared > 300);
}

#[test]
fn minimal_patterns_of_the_literature_are_replayed_attacks_with_words() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("specs/protocols");
    let only = std::env::var("CLADIST_PROTOCOL").ok();
    let (mut complete, mut attacked) = (0, 0);
    for (name, text) in files(&folder) {
        if only.as_ref().is_some_and(|only| *only != name) {
            continue;
        }
        let loaded = load_text("protocol.spdl", &text, &Budget::unlimited());
        let protocols = loaded.protocols.unwrap_or_else(|| panic!("{:?}\n{text}", loaded.diagnostics));
        let patterns = Patterns::new(&protocols, ProtocolScope::default()).expect("patterns");
        for (role, event) in patterns.claims() {
            let found = patterns.characterise(role, event, MOST, &Budget::unlimited());
            let verdict = patterns.decide(role, event, MOST, &Budget::unlimited());
            let fewest = found.patterns.first().map(|pattern| pattern.runs);
            let decided = match verdict {
                PatternVerdict::Attacked { runs } => Some(runs),
                _ => None,
            };
            let label = &protocols.roles[role.index()].events[event].label;
            assert_eq!(fewest, decided, "{name} {label}: {verdict:?}");
            if fewest.is_none() {
                continue;
            }
            attacked += 1;
            complete += usize::from(found.extent == Extent::AnyRuns);
            let kinds = found.kinds();
            let of_kinds: BTreeSet<usize> = kinds.iter().flat_map(|kind| kind.patterns.clone()).collect();
            assert_eq!(of_kinds.len(), found.patterns.len(), "{name} {label}: each pattern is of one kind");
            for kind in &kinds {
                let has_word = |index: &usize| {
                    let pattern: &AttackPattern = &found.patterns[*index];
                    pattern.chart.is_some() && kind.word.is_some_and(|word| pattern.words.contains(&word))
                };
                assert!(kind.patterns.iter().all(has_word), "{name} {label}: {kinds:?}");
            }
        }
    }
    eprintln!("{attacked} claims with attacks, {complete} characterised for any number of runs");
    assert!(
        only.is_some() || attacked > 50 && 2 * complete > attacked,
        "{attacked} attacked, {complete} complete"
    );
}

/// What patterns say of a claim of a text, by its label.
fn characterised(text: &str, label: &str, budget: &Budget) -> Characterisation {
    let loaded = load_text("protocol.spdl", text, &Budget::unlimited());
    let protocols = loaded.protocols.unwrap_or_else(|| panic!("{:?}\n{text}", loaded.diagnostics));
    let patterns = Patterns::new(&protocols, ProtocolScope::default()).expect("patterns");
    let mut claims = patterns.claims().into_iter();
    let claim = claims.find(|(role, event)| protocols.roles[role.index()].events[*event].label == label);
    let (role, event) = claim.unwrap_or_else(|| panic!("no claim {label}"));
    patterns.characterise(role, event, MOST, budget)
}

/// A secret that everybody reads, and names that patterns would like to have for agents.
const CLEAR: &str = "
    usertype Text; const a, Eve2: Agent; const x1: Text;
    protocol clear(A, B) {
        role A { fresh n: Nonce; send_1(A, B, n); claim_A1(A, Secret, n); }
        role B { var n: Nonce; recv_1(A, B, n); claim_B1(B, Secret, n); claim_B2(B, Alive); }
    }";

#[test]
fn open_agents_have_names_that_no_other_thing_has() {
    for label in ["A1", "B2"] {
        let found = characterised(CLEAR, label, &Budget::unlimited());
        let [pattern] = &found.patterns[..] else { panic!("{found:?}") };
        let run = &pattern.chart.as_ref().expect("a chart").runs[0];
        let mut agents = vec![run.agent.as_str()];
        agents.extend(run.partners.iter().map(|(_, agent)| agent.as_str()));
        assert_eq!(agents.iter().collect::<BTreeSet<_>>().len(), 2, "{agents:?}");
        assert!(agents.iter().all(|agent| !["a", "x1", "Eve", "Eve2"].contains(agent)), "{agents:?}");
    }
}

#[test]
fn a_secret_that_everybody_reads_is_disclosed() {
    let words = |label: &str| {
        let found = characterised(CLEAR, label, &Budget::unlimited());
        found.kinds().iter().map(|kind| kind.word).collect::<Vec<_>>()
    };
    assert_eq!(words("A1"), [Some("disclosure")]);
    assert_eq!(words("B1"), [Some("impersonation")]);
}

#[test]
fn patterns_without_a_budget_cover_no_number_of_runs() {
    let budget = Budget::unlimited();
    budget.interrupt();
    let found = characterised(CLEAR, "A1", &budget);
    assert_eq!(found.extent, Extent::UpTo(0), "{found:?}");
}

/// The claims that the model of so many runs and three agents violates, by their labels; nothing if it is too large.
fn violated(path: &Path, (runs, reveal): (usize, &str)) -> Option<BTreeMap<String, bool>> {
    let program = Command::new(env!("CARGO_BIN_EXE_cladist"))
        .arg("check")
        .arg(path)
        .args(["--runs", &runs.to_string(), "--agents", "3", "--reveal", reveal, "--json"])
        // With a bound, the model alone decides.
        .args(["-k", "20"])
        .output()
        .expect("the program starts");
    let document: serde_json::Value = serde_json::from_slice(&program.stdout).expect("a document");
    assert_ne!(document["runs"]["all_interleavings"], false, "the bound is too small");
    let claims = document["claims"].as_array()?.iter().map(|claim| {
        let label = claim["label"].as_str().expect("a label").to_owned();
        (label, claim["verdict"].as_str().expect("a verdict") == "violated")
    });
    Some(claims.collect())
}

#[test]
fn lost_keys_give_random_protocols_the_same_attacks_in_both_engines() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("random.spdl");
    let (mut compared, mut by_loss) = (0, 0);
    for seed in seeds(6) {
        let text = generate::protocol(&mut Random::new(seed));
        std::fs::write(&path, &text).expect("written");
        let loaded = load_text("protocol.spdl", &text, &Budget::unlimited());
        let protocols = loaded.protocols.unwrap_or_else(|| panic!("{:?}\n{text}", loaded.diagnostics));
        let without = Patterns::new(&protocols, ProtocolScope::default()).expect("patterns");
        for (actor, after, reveal) in
            [(true, false, "actor"), (false, true, "after"), (true, true, "actor,after")]
        {
            let Some(violated) = violated(&path, (2, reveal)) else { continue };
            let reveals = Reveals { actor, after, ..Reveals::default() };
            let patterns = Patterns::new(&protocols, ProtocolScope { reveals, ..ProtocolScope::default() })
                .expect("patterns");
            for (role, event) in patterns.claims() {
                let label = &protocols.roles[role.index()].events[event].label;
                let verdict = patterns.decide(role, event, MOST, &Budget::unlimited());
                let Some(ours) = attacked(verdict, 2) else { continue };
                let theirs = violated[label];
                assert_eq!(ours, theirs, "seed {seed}, {reveal}, {label}: {verdict:?}\n{text}");
                compared += 1;
                let usual = without.decide(role, event, MOST, &Budget::unlimited());
                by_loss += usize::from(ours && attacked(usual, 2) == Some(false));
            }
        }
    }
    eprintln!("{compared} claims, {by_loss} with attacks by loss alone");
    assert!(compared > 20 && by_loss > 0);
}

/// The verdict on a claim of a text, by its label.
fn verdict_on(text: &str, label: &str) -> PatternVerdict {
    let verdicts = verdicts(text);
    let mut claims = verdicts.iter().filter(|((_, _, other), _)| other == label);
    let (_, verdict) = claims.next().unwrap_or_else(|| panic!("no claim {label}"));
    *verdict
}

#[test]
fn halves_of_the_key_pair_of_a_run_open_each_other() {
    let signed = "usertype Key; protocol p(A, B) {
        role A {
            fresh epk, esk: Key; inversekeys(epk, esk); var n: Nonce;
            send_1(A, B, {B, epk}sk(A));
            recv_2(B, A, {{n, A}epk}sk(B));
            claim_A1(A, Secret, n); claim_A2(A, Secret, esk); claim_A3(A, Reachable);
        }
        role B {
            var epk: Key; fresh n: Nonce;
            recv_1(A, B, {B, epk}sk(A));
            send_2(B, A, {{n, A}epk}sk(B));
            claim_B1(B, Secret, n);
        }
    }";
    let unsigned = signed.replace("{B, epk}sk(A)", "epk");
    let given_away = signed.replace("send_1(A, B,", "send_!3(A, B, esk); send_1(A, B,");
    for (text, attacked) in
        [(signed, ["A3"].as_slice()), (&unsigned, &["A3", "B1"]), (&given_away, &["A1", "A2", "A3", "B1"])]
    {
        let found = of_model(text, Matching::Typed, NOTHING).expect("a model");
        for (label, found) in found {
            let is_attacked = attacked.contains(&label.as_str());
            assert_eq!(found.attacked, is_attacked, "{label} of {text}");
            let verdict = verdict_on(text, &label);
            assert_eq!(matches!(verdict, PatternVerdict::Attacked { .. }), is_attacked, "{label} of {text}");
            assert!(is_attacked || verdict == PatternVerdict::Proved, "{label} of {text}");
        }
    }
}

#[test]
fn a_replayed_message_is_committed_to_twice() {
    let one_message = "protocol p(A, B) {
        role A { fresh n: Nonce; claim(A, Running, B, n); send_1(A, B, {A, B, n}k(A, B)); }
        role B { var n: Nonce; recv_1(A, B, {A, B, n}k(A, B)); claim_B1(B, Commit, A, n); claim_B2(B, Icommit, A, n); }
    }";
    assert_eq!(verdict_on(one_message, "B1"), PatternVerdict::Proved);
    assert_eq!(verdict_on(one_message, "B2"), PatternVerdict::Attacked { runs: 3 });
    let challenge = "protocol p(A, B) {
        role A {
            var m: Nonce;
            recv_1(B, A, m);
            claim(A, Running, B, m);
            send_2(A, B, {A, B, m}k(A, B));
        }
        role B {
            fresh m: Nonce;
            send_1(B, A, m);
            recv_2(A, B, {A, B, m}k(A, B));
            claim_B1(B, Icommit, A, m);
        }
    }";
    assert_eq!(verdict_on(challenge, "B1"), PatternVerdict::Proved);
}

/// Commitments in which the partner's answer has a value of its own, to which no run but the one that asked commits.
const ANSWERED: &str = "protocol p(A, B) {
    role A {
        fresh n: Nonce;
        var m: Nonce;
        recv_1(B, A, m);
        claim_A1(A, Running, B, n);
        send_2(A, B, {A, B, m, n}k(A, B));
        send_3(A, B, n);
    }
    role B {
        fresh m: Nonce;
        var n: Nonce;
        send_1(B, A, m);
        recv_2(A, B, {A, B, m, n}k(A, B));
        claim_B1(B, Icommit, A, n);
        recv_3(A, B, n);
    }
}";

#[test]
fn a_commitment_forged_with_lost_keys_repeats_none_from_before() {
    let loaded = load_text("protocol.spdl", ANSWERED, &Budget::unlimited());
    let protocols = loaded.protocols.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics));
    let reveals = Reveals { after: true, ..Reveals::default() };
    let scope = ProtocolScope { reveals, ..ProtocolScope::default() };
    let patterns = Patterns::new(&protocols, scope).expect("patterns");
    for (role, event) in patterns.claims() {
        assert_eq!(patterns.decide(role, event, MOST, &Budget::unlimited()), PatternVerdict::Proved);
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("answered.spdl");
    std::fs::write(&path, ANSWERED).expect("written");
    assert_eq!(violated(&path, (3, "after")), Some(BTreeMap::from([("B1".to_owned(), false)])));
}

#[test]
fn old_sessions_are_beyond_patterns() {
    let loaded = load_text("protocol.spdl", CLEAR, &Budget::unlimited());
    let protocols = loaded.protocols.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics));
    let reveals = Reveals { old_sessions: true, ..Reveals::default() };
    assert!(Patterns::new(&protocols, ProtocolScope { reveals, ..ProtocolScope::default() }).is_none());
}

#[test]
fn a_claim_about_one_role_is_about_no_other() {
    let text = "protocol p(A, B, C) {
        role A { send_1(A, C, {A, B, C}k(A, C)); }
        role B { }
        role C { recv_1(A, C, {A, B, C}k(A, C)); claim_C1(C, Alive, A); claim_C2(C, Alive, B); claim_C3(C, Alive); }
    }";
    assert_eq!(verdict_on(text, "C1"), PatternVerdict::Proved);
    assert!(matches!(verdict_on(text, "C2"), PatternVerdict::Attacked { .. }));
    assert!(matches!(verdict_on(text, "C3"), PatternVerdict::Attacked { .. }));
}

#[test]
fn an_old_message_is_no_sign_of_recent_life() {
    let text = "protocol p(A, B) {
        role A { fresh n: Nonce; send_1(A, B, {A, n}sk(A)); }
        role B { var n: Nonce; recv_1(A, B, {A, n}sk(A)); claim_B1(B, Alive); claim_B2(B, Recentalive); }
    }
    protocol q(C, D, E) {
        role C {
            fresh n: Nonce;
            send_2(C, D, n);
            recv_3(D, C, {n, C}sk(D));
            claim_C1(C, Recentalive, D);
            claim_C2(C, Recentalive, E);
            claim_C3(C, Recentalive);
        }
        role D { var n: Nonce; recv_2(C, D, n); send_3(D, C, {n, C}sk(D)); }
        role E { }
    }";
    for (label, verdict) in [
        ("B1", PatternVerdict::Proved),
        ("B2", PatternVerdict::Attacked { runs: 2 }),
        ("C1", PatternVerdict::Proved),
        ("C2", PatternVerdict::Attacked { runs: 2 }),
        ("C3", PatternVerdict::Attacked { runs: 2 }),
    ] {
        assert_eq!(verdict_on(text, label), verdict, "{label}");
    }
    let charted = characterised(text, "B2", &Budget::unlimited());
    let [pattern] = &charted.patterns[..] else { panic!("{charted:#?}") };
    let chart = pattern.chart.as_ref().expect("a chart");
    assert!(chart.runs[0].role.starts_with("A"), "the message is older than the run that claims: {chart:#?}");
}

#[test]
fn terms_of_another_protocol_are_named() {
    let text = "
        protocol asks(A, B) {
            role A { fresh n: Nonce; send_1(A, B, {A, n}pk(B)); claim_A1(A, Secret, n); }
            role B { var n: Nonce; recv_1(A, B, {A, n}pk(B)); }
        }
        protocol opens(C, D) {
            role C { var n: Nonce; recv_3(D, C, {D, n}pk(C)); send_4(C, D, {n, D}pk(D)); send_!5(C, D, n); }
            role D { fresh n: Nonce; send_3(D, C, {D, n}pk(C)); var m: Nonce; recv_4(C, D, {m, D}pk(D)); }
        }";
    let found = characterised(text, "A1", &Budget::unlimited());
    assert!(found.patterns.iter().all(|pattern| pattern.words.contains(&"other_protocol")), "{found:?}");
    assert!(!found.patterns.is_empty());
}
