//! The abilities of the attacker besides the network: agents of her own, and lost keys and secrets.
//!
//! The compromise of keys and sessions follows D. Basin, C. Cremers, *Know your enemy: compromising adversaries in
//! protocol analysis* (2014), with these differences: keys are lost once, those of all agents together, which is the
//! worst case; so are random values, from the start. Old sessions are lost only while no run is active, so that no
//! partner of a claiming run is among them. The lost runs of session-key and session-state reveal are chosen at the start, and
//! give away what they have, as soon as they have it: the attacker can always ask again. A partner is a run of another role of
//! the protocol with the same agents that agrees with the claiming run in every message that both have exchanged.

use super::condition::Condition;
use super::scope::Reveals;
use super::script::RoleScripts;
use std::fmt::Write;

pub(super) const ATTACKER: &str = "Eve";

/// The abilities of the attacker besides the network.
#[derive(Debug)]
pub(super) struct Threats {
    /// The agents on her side.
    pub agents: Vec<String>,
    pub reveals: Reveals,
}

/// Names of the generated model used here.
pub(super) const NAMES: &[&str] =
    &["exposed", "keys_lost", "steps_before", "over", "lost", "partners", "lose_keys", "lose_sessions"];

impl Threats {
    /// Returns the condition that an agent is on the attacker's side.
    pub fn is_attackers(&self, agent: &str) -> Condition {
        Condition::any(self.agents.iter().map(|own| Condition::Is(format!("{agent} = {own}"))))
    }

    /// Returns the condition that an agent is not on the attacker's side. No honest agent has her name.
    pub fn is_honest(&self, agent: &str) -> Condition {
        let others = self.agents.iter().map(String::as_str).filter(|own| *own != ATTACKER);
        Condition::all(
            [ATTACKER].into_iter().chain(others).map(|own| Condition::Is(format!("{agent} != {own}"))),
        )
    }

    /// Returns the condition that the attacker has the long-term secrets of an agent.
    pub fn has_keys_of(&self, agent: &str) -> Condition {
        let exposed = self.reveals.actor.then(|| Condition::Is(format!("exposed = {agent}")));
        let lost = self.reveals.after.then(|| Condition::Is("keys_lost".to_owned()));
        Condition::any([self.is_attackers(agent)].into_iter().chain(exposed).chain(lost))
    }

    /// Returns the condition that claims are about a run: its partners are honest, and its own keys and secrets are not lost.
    pub fn counts(&self, run: &str) -> Condition {
        let honest = Condition::forall("x", "Role", self.is_honest(&format!("agents[{run}][x]")));
        let alone = self.reveals.actor.then(|| {
            let own = format!("(role[{run}] = x) = (agents[{run}][x] = exposed)");
            let only = Condition::forall("x", "Role", Condition::Is(own));
            Condition::any([Condition::Is("exposed = none".to_owned()), only])
        });
        let later = self.reveals.old_sessions.then(|| Condition::Is(format!("{run} not in over")));
        let apart = self.reveals.of_runs().then(|| {
            let other = Condition::Is("p in lost".to_owned());
            let own = Condition::Is(format!("partners({run}, p)")).negated();
            let others = Condition::forall("p", "Run", other.implies(own));
            Condition::all([Condition::Is(format!("{run} not in lost")), others])
        });
        Condition::all([honest].into_iter().chain(alone).chain(later).chain(apart))
    }

    /// Returns the condition that a run had taken `steps` steps before keys were lost, if they were.
    pub fn in_time(&self, run: &str, steps: usize) -> Condition {
        if !self.reveals.after {
            return Condition::True;
        }
        let lost = Condition::Is("keys_lost".to_owned());
        lost.implies(Condition::Is(format!("steps_before[{run}] >= {steps}")))
    }

    /// Returns the condition that the secrets of a run are lost; `None` if they cannot be.
    pub fn is_over(&self, run: &str) -> Option<Condition> {
        self.reveals.old_sessions.then(|| Condition::Is(format!("{run} in over")))
    }

    /// Returns the condition that a run is lost; `None` if none can be.
    pub fn is_lost(&self, run: &str) -> Option<Condition> {
        self.reveals.of_runs().then(|| Condition::Is(format!("{run} in lost")))
    }

    /// Returns the number of steps that do not belong to a run.
    pub fn steps(&self) -> usize {
        usize::from(self.reveals.after) + usize::from(self.reveals.old_sessions)
    }

    /// Writes the state variables; returns the conditions on them in initial states.
    pub fn variables(&self, out: &mut String, longest: usize) -> Vec<String> {
        let mut initial = Vec::new();
        if self.reveals.actor {
            let _ = writeln!(out, "/// An honest agent whose long-term keys {ATTACKER} has.");
            let _ = writeln!(out, "var exposed : option Agent;");
            initial.push(self.is_honest("exposed").text(2));
        }
        if self.reveals.after {
            let _ = writeln!(out, "/// True if {ATTACKER} has all long-term keys.\nvar keys_lost : bool;");
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
        if self.reveals.of_runs() {
            let what = match (self.reveals.session_keys, self.reveals.states) {
                (true, false) => "session keys",
                (false, _) => "states",
                (true, true) => "states and session keys",
            };
            let _ = writeln!(out, "/// The runs whose {what} {ATTACKER} obtains.\nvar lost : set of Run;");
        }
        initial
    }

    /// Returns the actions by which keys and secrets are lost.
    pub fn actions(&self, script: &RoleScripts<'_>, roles: &[String]) -> String {
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
            let _ = writeln!(out, "/// Secrets of finished runs are revealed.");
            let _ = writeln!(out, "action lose_sessions() {{\n  require\n    {};", all.text(4));
            let _ = writeln!(out, "  over' = {{ q in Run : role[q] is some }};\n}}\n");
        }
        out
    }
}
