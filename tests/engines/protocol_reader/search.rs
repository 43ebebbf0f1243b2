//! Which claims are false in some trace of a few runs.

use super::cast::{begin, initial, own, scenarios};
use super::run::{Place, Run, State};
use super::term::{Bindings, Name, Term};
use super::text::{Claim, Event, File};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt::Write as _;
use std::rc::Rc;

/// What was found about a claim.
#[derive(Default, Clone)]
pub struct Verdict {
    /// True if a run with honest partners has come to it.
    pub reached: bool,
    /// The steps of a trace in which it is false.
    pub attack: Option<String>,
}

/// A claim by the names of its protocol, its role and itself.
pub type ClaimName = (Name, Name, Name);

pub type Verdicts = BTreeMap<ClaimName, Verdict>;

/// A state in which a claim is false.
pub struct Attack {
    pub claim: ClaimName,
    /// The run that made it.
    pub victim: usize,
    pub runs: Vec<AttackRun>,
}

/// A run in an attack.
#[derive(Clone)]
pub struct AttackRun {
    pub role: Name,
    /// The agents in the roles of its protocol, as it believes.
    pub agents: Vec<(Name, Term)>,
    /// What it has sent and received, in order.
    pub messages: Vec<Term>,
}

/// Looks at everything that at most `count` runs can do; nothing if it has more than `limit` steps.
pub fn explore(file: &File, count: usize, limit: usize) -> Option<Verdicts> {
    search(file, count, limit, &mut None)
}

/// All attacks of at most `count` runs, but for orders of events; nothing if there are more than `limit` steps.
pub fn attacks(file: &File, count: usize, limit: usize) -> Option<Vec<Attack>> {
    let mut attacks = Some(vec![]);
    search(file, count, limit, &mut attacks)?;
    attacks
}

fn search(file: &File, count: usize, limit: usize, attacks: &mut Option<Vec<Attack>>) -> Option<Verdicts> {
    let mut verdicts = Verdicts::new();
    for (protocol, role) in file.protocols.iter().flat_map(|p| p.roles.iter().map(move |role| (p, role))) {
        for event in &role.events {
            if let Event::Claim { label, claim } = event
                && !matches!(claim, Claim::Running(..))
            {
                let name = (protocol.name.clone(), role.name.clone(), label.clone());
                verdicts.insert(name, Verdict::default());
            }
        }
    }
    let known = Rc::new(initial(file));
    let (seen, trace) = (HashSet::new(), vec![]);
    let mut search = Search { own: own(file), verdicts, attacks, seen, trace, left: limit };
    for casts in scenarios(file, count) {
        let runs: Vec<Run> =
            casts.iter().enumerate().map(|(number, cast)| begin(file, number, cast)).collect();
        if !runs.iter().any(|run| search.is_open(run)) {
            continue;
        }
        search.seen.clear();
        search.visit(&State { runs, knowledge: known.clone(), delivered: BTreeSet::new() });
    }
    (search.left > 0).then_some(search.verdicts)
}

/// What there is to tell states apart: what runs have done and got, and what was done before they began or sent before it was received.
type Key = (Vec<(usize, Vec<usize>, Bindings)>, BTreeSet<(Place, Place)>);

struct Search<'a> {
    /// What the attacker has of her own.
    own: Vec<[Term; 2]>,
    verdicts: Verdicts,
    /// All attacks, if they are asked for.
    attacks: &'a mut Option<Vec<Attack>>,
    /// The states that were visited.
    seen: HashSet<Key>,
    /// The runs whose steps led here.
    trace: Vec<usize>,
    /// How many steps may still be looked at.
    left: usize,
}

impl Search<'_> {
    /// True if the run makes a claim that is not known to be false, or any claim if all attacks are asked for.
    fn is_open(&self, run: &Run) -> bool {
        let open = |event: &Event| match event {
            Event::Claim { label, .. } => {
                let verdict = self.verdicts.get(&claim_name(run, label));
                verdict.is_some_and(|verdict| verdict.attack.is_none() || self.attacks.is_some())
            }
            _ => false,
        };
        run.is_honest() && run.role.events.iter().any(open)
    }

    /// True if the attacker has used the first value of a type that she has of her own if she has used the second one: with both exchanged
    /// it would be the same.
    fn takes_first_ones(&self, state: &State) -> bool {
        let values = state.runs.iter().flat_map(|run| run.bindings.values());
        let used: Vec<&Term> = values.flat_map(Term::subterms).collect();
        self.own.iter().all(|[first, second]| used.contains(&first) || !used.contains(&second))
    }

    /// Goes on from a state in all ways.
    fn visit(&mut self, state: &State) {
        if !self.takes_first_ones(state) {
            return;
        }
        let progress =
            state.runs.iter().map(|run| (run.done, run.done_before.clone(), run.bindings.clone())).collect();
        if !self.seen.insert((progress, state.delivered.clone())) {
            return;
        }
        self.judge(state);
        for run in 0..state.runs.len() {
            for next in state.steps(run) {
                self.left = self.left.saturating_sub(1);
                if self.left == 0 {
                    return;
                }
                self.trace.push(run);
                self.visit(&next);
                self.trace.pop();
            }
        }
    }

    /// Looks at the claims that runs have made: those of secrecy in each state, others when they are made.
    fn judge(&mut self, state: &State) {
        for (number, run) in state.runs.iter().enumerate().filter(|(_, run)| run.is_honest()) {
            for (place, event) in run.past().iter().enumerate() {
                let Event::Claim { label, claim } = event else { continue };
                let Some(verdict) = self.verdicts.get_mut(&claim_name(run, label)) else { continue };
                verdict.reached = true;
                let now = matches!(claim, Claim::Secret(_)) || place + 1 == run.done;
                let is_wanted = verdict.attack.is_none() || self.attacks.is_some();
                if is_wanted && now && !state.holds(number, place, claim) {
                    verdict.attack.get_or_insert_with(|| describe(state, &self.trace));
                    if let Some(attacks) = &mut self.attacks {
                        let runs = state.runs.iter().map(in_attack).collect();
                        attacks.push(Attack { claim: claim_name(run, label), victim: number, runs });
                    }
                }
            }
        }
    }
}

/// The claim of a run.
fn claim_name(run: &Run, label: &Name) -> ClaimName {
    (run.protocol.name.clone(), run.role.name.clone(), label.clone())
}

fn in_attack(run: &Run) -> AttackRun {
    let agents = run.protocol.head.iter().map(|role| (role.clone(), run.agent(role).clone()));
    let messages = run.past().iter().filter_map(|event| match event {
        Event::Send(message) | Event::Receive(message) => Some(run.message(message).text),
        Event::Compare { .. } | Event::Claim { .. } => None,
    });
    AttackRun { role: run.role.name.clone(), agents: agents.collect(), messages: messages.collect() }
}

/// The runs of a trace and its steps.
fn describe(state: &State, steps: &[usize]) -> String {
    let mut text = String::new();
    for (number, run) in state.runs.iter().enumerate() {
        let agents = run.protocol.head.iter().map(|role| format!("{role} = {}", run.agent(role)));
        let agents = agents.collect::<Vec<_>>().join(", ");
        let _ = writeln!(text, "  run {} is role {} with {agents}", number + 1, run.role.name);
    }
    let mut done = vec![0; state.runs.len()];
    for &number in steps {
        let run = &state.runs[number];
        let _ = match &run.role.events[done[number]] {
            Event::Send(message) => {
                writeln!(text, "    run {} sends {} {}", number + 1, message.label, run.message(message).text)
            }
            Event::Receive(message) => {
                writeln!(
                    text,
                    "    run {} receives {} {}",
                    number + 1,
                    message.label,
                    run.message(message).text
                )
            }
            Event::Compare { term, .. } => writeln!(text, "    run {} compares {term}", number + 1),
            Event::Claim { label, .. } => writeln!(text, "    run {} claims {label}", number + 1),
        };
        done[number] += 1;
    }
    text
}
