//! What the attacker has besides the network: agents of her own, and keys and secrets that get lost.
//!
//! The compromise of keys and sessions follows D. Basin, C. Cremers, *Know your enemy: compromising adversaries in protocol
//! analysis* (2014), with two differences: keys are lost once, those of all agents together, which gives the attacker the most;
//! and sessions are lost only while no run is under way, so that no partner of a run that claims something is among them.

use super::condition::Condition;
use super::scope::Reveals;
use super::script::Script;
use std::fmt::Write;

pub(super) const ATTACKER: &str = "Eve";

/// What the attacker has besides the network.
#[derive(Debug)]
pub(super) struct Threats {
    /// The agents on her side.
    pub agents: Vec<String>,
    pub reveals: Reveals,
}

/// Names of the generated model that mean something here.
pub(super) const NAMES: &[&str] =
    &["exposed", "keys_lost", "steps_before", "over", "lose_keys", "lose_sessions"];

impl Threats {
    /// The condition that an agent is on the attacker's side.
    pub fn is_attackers(&self, agent: &str) -> Condition {
        Condition::any(self.agents.iter().map(|own| Condition::Is(format!("{agent} = {own}"))))
    }

    /// The condition that an agent is not on the attacker's side. Her name is that of no agent who does something.
    pub fn is_honest(&self, agent: &str) -> Condition {
        let others = self.agents.iter().map(String::as_str).filter(|own| *own != ATTACKER);
        Condition::all(
            [ATTACKER].into_iter().chain(others).map(|own| Condition::Is(format!("{agent} != {own}"))),
        )
    }

    /// The condition that the attacker has the long-term secrets of an agent.
    pub fn has_keys_of(&self, agent: &str) -> Condition {
        let exposed = self.reveals.actor.then(|| Condition::Is(format!("exposed = {agent}")));
        let lost = self.reveals.after.then(|| Condition::Is("keys_lost".to_owned()));
        Condition::any([self.is_attackers(agent)].into_iter().chain(exposed).chain(lost))
    }

    /// The condition that claims of a run are about: its partners are honest, and no keys or secrets of it are lost by themselves.
    pub fn counts(&self, run: &str) -> Condition {
        let honest = Condition::forall("x", "Role", self.is_honest(&format!("agents[{run}][x]")));
        let alone = self.reveals.actor.then(|| {
            let own = format!("(role[{run}] = x) = (agents[{run}][x] = exposed)");
            let only = Condition::forall("x", "Role", Condition::Is(own));
            Condition::any([Condition::Is("exposed = none".to_owned()), only])
        });
        let later = self.reveals.old_sessions.then(|| Condition::Is(format!("{run} not in over")));
        Condition::all([honest].into_iter().chain(alone).chain(later))
    }

    /// The condition that a run had taken so many steps before keys were lost, if they were.
    pub fn in_time(&self, run: &str, steps: usize) -> Condition {
        if !self.reveals.after {
            return Condition::True;
        }
        let lost = Condition::Is("keys_lost".to_owned());
        lost.implies(Condition::Is(format!("steps_before[{run}] >= {steps}")))
    }

    /// The condition that the secrets of a run are lost, if they can be.
    pub fn is_over(&self, run: &str) -> Option<Condition> {
        self.reveals.old_sessions.then(|| Condition::Is(format!("{run} in over")))
    }

    /// How many steps there are that are none of a run.
    pub fn steps(&self) -> usize {
        usize::from(self.reveals.after) + usize::from(self.reveals.old_sessions)
    }

    /// The state variables, with what holds of them in the first states.
    pub fn variables(&self, out: &mut String, longest: usize) -> Vec<String> {
        let mut initial = Vec::new();
        if self.reveals.actor {
            let _ = writeln!(out, "/// An honest agent whose long-term keys {ATTACKER} has.");
            let _ = writeln!(out, "var exposed : option Agent;");
            initial.push(self.is_honest("exposed").text(2));
        }
        if self.reveals.after {
            let _ = writeln!(out, "/// Whether {ATTACKER} has all long-term keys.\nvar keys_lost : bool;");
            let _ = writeln!(out, "/// How many steps each run had taken when they were lost.");
            let _ = writeln!(out, "var steps_before : map Run to 0..{longest};");
            initial.push("not keys_lost".to_owned());
            initial.push("forall q in Run: steps_before[q] = 0".to_owned());
        }
        if self.reveals.old_sessions {
            let _ = writeln!(out, "/// The runs that were over when their secrets were lost.");
            let _ = writeln!(out, "var over : set of Run;");
            initial.push("over = {}".to_owned());
        }
        initial
    }

    /// The actions: what gets lost.
    pub fn actions(&self, script: &Script<'_>, roles: &[String]) -> String {
        let mut out = String::new();
        if self.reveals.after {
            let _ = writeln!(out, "/// All long-term keys get lost.\naction lose_keys() {{");
            let _ = writeln!(
                out,
                "  require not keys_lost;\n  keys_lost' = true;\n  steps_before' = step;\n}}\n"
            );
        }
        if self.reveals.old_sessions {
            let ended = Condition::any(script.roles().map(|role| {
                let steps = script.steps(role).len();
                Condition::Is(format!("done(q, {}, {steps})", roles[role.index()]))
            }));
            let begun = || Condition::Is("role[q] is some".to_owned());
            let all = Condition::all([
                Condition::Is("over = {}".to_owned()),
                Condition::exists("q", "Run", begun()),
                Condition::forall("q", "Run", begun().implies(ended)),
            ]);
            let _ = writeln!(out, "/// What runs that are over claimed to be a secret gets lost.");
            let _ = writeln!(out, "action lose_sessions() {{\n  require\n    {};", all.text(4));
            let _ = writeln!(out, "  over' = {{ q in Run : role[q] is some }};\n}}\n");
        }
        out
    }
}
