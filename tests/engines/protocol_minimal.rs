//! Minimal attack patterns of random protocols against all attacks that the third reader finds: every attack contains one of them, and each
//! of them is an attack. The order of events is not compared, so that patterns may differ in it alone.

use crate::protocol_reader::generate;
use crate::protocol_reader::search::{Attack, AttackRun, attacks};
use crate::protocol_reader::term::{Name, Term};
use crate::protocol_reader::text::File;
use crate::random::{Random, seeds};
use cladist::budget::Budget;
use cladist::protocol::{AttackPattern, Chart, Extent, Happening, Patterns, ProtocolScope, load_text};
use std::collections::BTreeMap;

/// The most runs of patterns, and the most patterns of a claim.
const MOST: (usize, usize) = (3, 20_000);

/// The most runs of attacks, and the most steps in which they are looked for.
const ATTACKS: (usize, usize) = (2, 20_000);

/// A pattern as its chart shows it.
struct Shown {
    /// The runs whose claim is false: one, or two that commit to the same.
    victims: Vec<usize>,
    runs: Vec<AttackRun>,
}

impl Shown {
    fn read(chart: &Chart) -> Self {
        let mut victims = vec![];
        let runs = chart.runs.iter().map(|run| {
            let agents = run.partners.iter().map(|(role, agent)| (role.as_str().into(), term(agent)));
            let own = (run.role.as_str().into(), term(&run.agent));
            let role = run.role.as_str().into();
            AttackRun { role, agents: agents.chain([own]).collect(), messages: vec![] }
        });
        let mut runs: Vec<AttackRun> = runs.collect();
        for event in &chart.events {
            match &event.what {
                Happening::Sent { run, content, .. } | Happening::Received { run, content, .. } => {
                    runs[*run].messages.push(term(content));
                }
                Happening::Claimed { run, .. } => victims.push(*run),
                Happening::Lost(what) => panic!("nothing is lost: {what}"),
            }
        }
        assert!(!victims.is_empty(), "a claim");
        Self { victims, runs }
    }

    /// True if an attack contains it, or is it but for terms.
    fn is_in(&self, attack: &Attack, equal: bool) -> bool {
        self.victims.iter().any(|victim| self.embeds(attack, (equal, *victim), &mut vec![]))
    }

    fn embeds(&self, attack: &Attack, (equal, victim): (bool, usize), images: &mut Vec<usize>) -> bool {
        let Some(run) = self.runs.get(images.len()) else {
            let others = (0..attack.runs.len()).filter(|run| !images.contains(run));
            let is_rest = others.into_iter().all(|run| attack.runs[run].messages.is_empty());
            return (is_rest || !equal) && self.matches(attack, images);
        };
        (0..attack.runs.len()).any(|image| {
            let other = &attack.runs[image];
            let (own, theirs) = (run.messages.len(), other.messages.len());
            let is_possible = other.role == run.role
                && (own == theirs || own < theirs && !equal)
                && (images.len() == victim) == (image == attack.victim)
                && !images.contains(&image);
            is_possible && {
                images.push(image);
                let embeds = self.embeds(attack, (equal, victim), images);
                images.pop();
                embeds
            }
        })
    }

    /// True if the terms of the attack are those of the pattern for some values of its open names.
    fn matches(&self, attack: &Attack, images: &[usize]) -> bool {
        let (mut own, mut theirs) = (vec![], vec![]);
        for (run, image) in self.runs.iter().zip(images) {
            let image = &attack.runs[*image];
            for (role, agent) in &run.agents {
                own.push(agent.clone());
                theirs.extend(image.agents.iter().filter(|(other, _)| other == role).map(|(_, agent)| agent));
            }
            own.extend(run.messages.iter().cloned());
            theirs.extend(image.messages.iter().take(run.messages.len()));
        }
        all_match(&own.iter().collect::<Vec<_>>(), &theirs, &BTreeMap::new(), images).is_some()
    }
}

type Values = BTreeMap<Name, Term>;

/// True if a name of a pattern stands for any agent, or for any value that the attacker has.
fn is_open(name: &str) -> bool {
    let is_numbered = |rest: &str| !rest.is_empty() && rest.chars().all(|c| c.is_ascii_digit());
    ["a", "b"].contains(&name) || name.starts_with('?') || name.strip_prefix('x').is_some_and(is_numbered)
}

/// The values of open names for which terms are these, if there are any. Of tuples, an open name may be several parts.
fn all_match(own: &[&Term], theirs: &[&Term], values: &Values, images: &[usize]) -> Option<Values> {
    let Some((first, rest)) = own.split_first() else { return theirs.is_empty().then(|| values.clone()) };
    (1..=theirs.len()).find_map(|count| {
        let (parts, others) = theirs.split_at(count);
        let values = match (first, parts) {
            (_, [part]) => term_matches(first, part, values, images)?,
            (Term::Local(name), _) if name.starts_with('?') => {
                let tuple = Term::tuple(parts.iter().map(|part| (*part).clone()));
                term_matches(first, &tuple, values, images)?
            }
            _ => return None,
        };
        all_match(rest, others, &values, images)
    })
}

fn term_matches(own: &Term, theirs: &Term, values: &Values, images: &[usize]) -> Option<Values> {
    match (own, theirs) {
        (Term::Local(name), _) if is_open(name) => {
            let mut values = values.clone();
            let value = values.entry(name.clone()).or_insert_with(|| theirs.clone());
            (value == theirs).then_some(values)
        }
        (Term::Local(name), _) => {
            let image = name.split_once('#').map(|(fresh, run)| {
                let run: usize = run.parse().expect("a number");
                format!("{fresh}#{}", images[run - 1] + 1)
            });
            let name = image.unwrap_or_else(|| name.to_string());
            (theirs.children().is_empty() && theirs.to_string() == name).then(|| values.clone())
        }
        (Term::Crypt { text, key }, Term::Crypt { text: other, key: lock }) => {
            let values = term_matches(text, other, values, images)?;
            term_matches(key, lock, &values, images)
        }
        (Term::Pair(..), Term::Pair(..)) => {
            all_match(&own.components(), &theirs.components(), values, images)
        }
        _ => None,
    }
}

/// The term that a chart shows, all of its names local.
fn term(text: &str) -> Term {
    let mut rest = text;
    let term = tuple(&mut rest);
    assert!(rest.is_empty(), "`{rest}` after a term in `{text}`");
    term
}

fn tuple(rest: &mut &str) -> Term {
    let mut parts = vec![part(rest)];
    while let Some(after) = rest.strip_prefix(", ") {
        *rest = after;
        parts.push(part(rest));
    }
    Term::tuple(parts.into_iter())
}

fn part(rest: &mut &str) -> Term {
    if let Some(after) = rest.strip_prefix('{') {
        *rest = after;
        let text = tuple(rest);
        *rest = rest.strip_prefix('}').expect("a closed text");
        return Term::crypt(text, part(rest));
    }
    let end = rest.find(['{', '}', '(', ')', ',']).unwrap_or(rest.len());
    let (name, after) = rest.split_at(end);
    *rest = after;
    let Some(after) = rest.strip_prefix('(') else { return Term::local(name) };
    *rest = after;
    let inner = tuple(rest);
    *rest = rest.strip_prefix(')').expect("a closed tuple");
    if name.is_empty() { inner } else { Term::crypt(inner, Term::local(name)) }
}

/// Counts of what was compared.
#[derive(Default)]
struct Compared {
    claims: usize,
    attacks: usize,
    patterns: usize,
    of_two_runs: usize,
}

#[test]
fn minimal_patterns_of_random_protocols_are_those_of_all_attacks() {
    let mut compared = Compared::default();
    for seed in seeds(15) {
        let text = generate::protocol(&mut Random::new(seed));
        let file = File::read(&text).unwrap_or_else(|problem| panic!("seed {seed}: {problem}\n{text}"));
        let Some(all) = attacks(&file, ATTACKS.0, ATTACKS.1) else { continue };
        let loaded = load_text("protocol.spdl", &text, &Budget::unlimited());
        let protocols = loaded.protocols.unwrap_or_else(|| panic!("{:?}\n{text}", loaded.diagnostics));
        let patterns = Patterns::new(&protocols, ProtocolScope::default()).expect("patterns");
        for (role, event) in patterns.claims() {
            let found = patterns.characterise(role, event, MOST, &Budget::unlimited());
            let role = &protocols.roles[role.index()];
            let label = &role.events[event].label;
            let attacks: Vec<&Attack> = all
                .iter()
                .filter(|attack| *attack.claim.1 == *role.name && *attack.claim.2 == **label)
                .collect();
            let context = format!("seed {seed}, {label}\n{text}");
            compared.add(&found.patterns, found.extent, &attacks, &context);
        }
    }
    let Compared { claims, attacks, patterns, of_two_runs } = compared;
    eprintln!("{claims} claims, {attacks} attacks, {patterns} patterns, {of_two_runs} of two runs");
    assert!(claims > 20 && attacks > 500 && patterns > 10 && of_two_runs > 2);
}

impl Compared {
    fn add(&mut self, patterns: &[AttackPattern], extent: Extent, attacks: &[&Attack], context: &str) {
        let shown = |pattern: &AttackPattern| {
            let chart = pattern.chart.as_ref().unwrap_or_else(|| panic!("{context}: a pattern has no chart"));
            Shown::read(chart)
        };
        let shown: Vec<Shown> = patterns.iter().map(shown).collect();
        if matches!(extent, Extent::AnyRuns) || matches!(extent, Extent::UpTo(runs) if runs >= ATTACKS.0) {
            self.claims += 1;
            self.attacks += attacks.len();
            for attack in attacks {
                let is_covered = shown.iter().any(|pattern| pattern.is_in(attack, false));
                assert!(is_covered, "{context}{}\ncontains none of {patterns:#?}", show(&attack.runs));
            }
        }
        for pattern in shown.iter().filter(|pattern| pattern.runs.len() <= ATTACKS.0) {
            let is_attack = attacks.iter().any(|attack| pattern.is_in(attack, true));
            assert!(is_attack, "{context}{}\nis no attack", show(&pattern.runs));
            self.patterns += 1;
            self.of_two_runs += usize::from(pattern.runs.len() == 2);
        }
    }
}

fn show(runs: &[AttackRun]) -> String {
    let run = |run: &AttackRun| {
        let agents = run.agents.iter().map(|(role, agent)| format!("{role} = {agent}"));
        let messages = run.messages.iter().map(|message| format!("\n    {message}"));
        format!(
            "  {} with {}{}\n",
            run.role,
            agents.collect::<Vec<_>>().join(", "),
            messages.collect::<String>()
        )
    };
    runs.iter().map(run).collect()
}
