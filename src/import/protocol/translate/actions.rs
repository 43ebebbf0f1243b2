//! The actions of the generated model: one for each step of each role.

use super::attacker::Attacker;
use super::claims::{CommunicationLabel, EARLIER_STEPS, is_about_recent};
use super::condition::Condition;
use super::names::TakenNames;
use super::script::{RoleScripts, RoleStep};
use super::terms::RoleTerms;
use super::tickets::FormLayout;
use super::value::{LeafKind, LeafTerm, ModelExpr, equal};
use crate::protocol::ir::{EventKind, RoleId, RoleTerm, VariableId};
use itertools::Itertools;
use std::collections::BTreeMap;

/// Returns all actions, in the order of the roles and their steps.
pub(super) fn actions<'a>(
    terms: &'a RoleTerms<'a>,
    layout: &'a FormLayout,
    attacker: &mut Attacker<'a>,
    labels: &[CommunicationLabel],
) -> String {
    let mut out = String::new();
    for role in terms.script.roles() {
        for (number, step) in terms.script.steps(role).iter().enumerate() {
            let label = match (&step.receives, step.sends.first(), step.claims.first()) {
                (Some(received), ..) => received.label,
                (None, Some(sent), _) => sent.label,
                (None, None, Some(claimed)) if number > 0 => claimed.label,
                _ => "begin",
            };
            let name = attacker.names().fresh(&format!("{}_{label}", terms.roles[role.index()]));
            let mut scope = attacker.scope();
            let run = scope.fresh(RUN);
            let mut action = StepAction {
                terms,
                layout,
                role,
                number,
                scope,
                parameters: vec![format!("{run}: Run")],
                run,
                agents: BTreeMap::new(),
                given: BTreeMap::new(),
                tickets: Vec::new(),
                modified: Vec::new(),
                lines: Vec::new(),
            };
            action.begin();
            let kept = action.bind(step);
            action.require(step, attacker);
            action.go_on();
            action.lines.extend(kept);
            action.note_senders(step, labels);
            attacker.names().leave(&action.scope);
            out.push_str(&action.text(&name, step));
        }
    }
    out.push_str(&terms.threats.actions(terms.script, &terms.roles));
    out
}

/// Reserves the names of parameters for actions, so that they hide nothing at the top of the model.
pub(super) fn leave_names(script: &RoleScripts<'_>, names: &mut TakenNames) {
    names.leave_inside(RUN);
    for role in script.roles().map(|role| script.role(role)) {
        names.leave_inside(&role.name.to_lowercase());
        role.variables.iter().for_each(|variable| names.leave_inside(&variable.name));
    }
}

/// The name of the run that takes a step.
const RUN: &str = "run";

/// The action for a step of a role.
struct StepAction<'a> {
    terms: &'a RoleTerms<'a>,
    layout: &'a FormLayout,
    role: RoleId,
    number: usize,
    /// The names in scope inside the action.
    scope: TakenNames,
    run: String,
    parameters: Vec<String>,
    /// The parameters for the agents of a run that begins.
    agents: BTreeMap<RoleId, String>,
    /// The values of the variables bound here.
    given: BTreeMap<VariableId, ModelExpr>,
    /// The bound state variables that take terms of any kind: too many values for parameters.
    tickets: Vec<String>,
    /// The other state variables described by constraints, because they depend on such terms.
    modified: Vec<String>,
    lines: Vec<String>,
}

impl StepAction<'_> {
    /// Returns the name of the role.
    fn own(&self) -> &str {
        &self.terms.roles[self.role.index()]
    }

    /// Requires that runs begin in the order of their numbers, with any partners.
    fn begin(&mut self) {
        let (own, run) = (self.own().to_owned(), self.run.clone());
        if self.number > 0 {
            self.lines.push(format!("require role[{run}] = {own} and step[{run}] = {};", self.number));
            return;
        }
        for partner in self.terms.script.partners(self.role) {
            let name = self.scope.fresh(&self.terms.script.role(*partner).name.to_lowercase());
            self.parameters.push(format!("{name}: Agent"));
            self.agents.insert(*partner, name);
        }
        self.lines
            .push(format!("require role[{run}] = none and (forall q in Run: q < {run} => role[q] is some);"));
        let threats = &self.terms.threats;
        let mut honest = vec![threats.is_honest(&self.agents[&self.role])];
        if threats.agents.is_empty() {
            honest = self.agents.values().map(|agent| threats.is_honest(agent)).collect();
        }
        self.lines.push(format!("require {};", Condition::all(honest).text(2)));
        if self.terms.script.role(self.role).singular {
            self.lines.push(format!("require forall q in Run: role[q] != {own};"));
        }
    }

    /// Chooses a value for each variable bound here; returns the assignments.
    fn bind(&mut self, step: &RoleStep<'_>) -> Vec<String> {
        let mut kept = Vec::new();
        let mut constraints = Vec::new();
        for variable in &step.binds {
            let state = self.terms.name(self.role, *variable).to_owned();
            let sort = self.terms.sort(self.role, *variable);
            if sort == LeafKind::Ticket {
                let text = format!("{state}'[{}]", self.run);
                let default = Some(self.terms.sorts.no_ticket.clone());
                let place = ModelExpr { text: text.clone(), default };
                constraints.push(self.others_keep(&state));
                constraints.push(Condition::Is(format!("{text} is some")));
                constraints.push(self.layout.canonical(&place));
                self.tickets.push(state);
                self.given.insert(*variable, place);
            } else {
                let described = &self.terms.script.role(self.role).variables[variable.index()];
                let name = self.scope.fresh(&described.name);
                self.parameters.push(format!("{name}: {}", self.terms.sorts.name(sort)));
                kept.push(format!("{state}'[{}] = {name};", self.run));
                self.given.insert(*variable, ModelExpr::present(name));
            }
        }
        constraints.iter().for_each(|constraint| self.constrain(constraint));
        kept
    }

    /// Requires that the attacker can make the received message, and that it has the form that the role expects.
    fn require(&mut self, step: &RoleStep<'_>, attacker: &mut Attacker<'_>) {
        let mut conditions: Vec<Condition> = Vec::new();
        if let Some(received) = &step.receives {
            conditions.push(attacker.makes(&self.value(&received.message.content)));
        }
        for event in &step.matches {
            if let EventKind::Match { pattern, term, equal: wanted } = &event.kind {
                let same = equal(&self.value(pattern), &self.value(term), self.layout);
                conditions.push(if *wanted { same } else { same.negated() });
            }
        }
        match Condition::all(conditions) {
            Condition::True => {}
            condition if self.tickets.is_empty() => {
                self.lines.push(format!("require\n    {};", condition.text(4)));
            }
            condition => self.constrain(&condition),
        }
    }

    /// Records the identity of the run, and its progress.
    fn go_on(&mut self) {
        let (own, run) = (self.own().to_owned(), self.run.clone());
        if self.number == 0 {
            self.lines.push(format!("role'[{run}] = {own};"));
            for (partner, name) in &self.agents {
                let partner = &self.terms.roles[partner.index()];
                self.lines.push(format!("agents'[{run}][{partner}] = {name};"));
            }
        }
        if self.number == 0 && is_about_recent(self.terms.script, self.role) {
            self.lines.push(format!("{EARLIER_STEPS}'[{run}] = step;"));
        }
        self.lines.push(format!("step'[{run}] = {};", self.number + 1));
    }

    /// Records the runs that had sent the received message.
    fn note_senders(&mut self, step: &RoleStep<'_>, labels: &[CommunicationLabel]) {
        let Some(received) = &step.receives else { return };
        let of_step =
            |label: &&CommunicationLabel| label.receiver == self.role && label.label == received.label;
        let of_step: Vec<&CommunicationLabel> = labels.iter().filter(of_step).collect();
        for label in of_step {
            let message = self.value(&received.message.content);
            let from = self.value(&RoleTerm::Agent(label.sender));
            let to = self.value(&RoleTerm::Agent(label.receiver));
            let sent = label.sent(self.terms, "q", &message, &from, &to, self.layout);
            let place = format!("{}'[{}]", label.name, self.run);
            if self.tickets.is_empty() {
                self.lines.push(format!("{place} = {{ q in Run :\n    {} }};", sent.text(4)));
                continue;
            }
            // The received message is not yet known in the old state.
            self.constrain(&self.others_keep(&label.name));
            let within = Condition::Is(format!("q in {place}"));
            let both = [within.clone().implies(sent.clone()), sent.implies(within)];
            self.constrain(&Condition::forall("q", "Run", Condition::all(both)));
            self.modified.push(label.name.clone());
        }
    }

    /// Returns the condition that the entries of other runs are unchanged.
    fn others_keep(&self, state: &str) -> Condition {
        let kept = Condition::Is(format!("{state}'[p] = {state}[p]"));
        Condition::forall("p", "Run", Condition::Is(format!("p != {}", self.run)).implies(kept))
    }

    fn constrain(&mut self, condition: &Condition) {
        if *condition != Condition::True {
            self.lines.push(format!("constrain\n    {};", condition.text(4)));
        }
    }

    /// Returns a term as it is after the step.
    fn value(&self, term: &RoleTerm) -> LeafTerm {
        let place = |variable: VariableId| self.given.get(&variable).cloned();
        self.with_agents(self.terms.value(self.role, &self.run, term, &place))
    }

    /// Replaces the agents of a run that begins by the parameters of the step.
    fn with_agents(&self, value: LeafTerm) -> LeafTerm {
        let all = |values: Vec<LeafTerm>| values.into_iter().map(|value| self.with_agents(value)).collect();
        match value {
            LeafTerm::Agent(place) => {
                let found = self.agents.iter().find(|(role, _)| self.terms.agent(&self.run, **role) == place);
                LeafTerm::Agent(found.map_or(place, |(_, name)| ModelExpr::present(name)))
            }
            LeafTerm::Tuple(values) => LeafTerm::Tuple(all(values)),
            LeafTerm::Apply(function, values) => LeafTerm::Apply(function, all(values)),
            LeafTerm::Encrypted(body, key) => {
                LeafTerm::Encrypted(Box::new(self.with_agents(*body)), Box::new(self.with_agents(*key)))
            }
            other => other,
        }
    }

    fn text(self, name: &str, step: &RoleStep<'_>) -> String {
        let modified = self.tickets.iter().chain(&self.modified).join(", ");
        let modifies = if modified.is_empty() { String::new() } else { format!(" modifies {modified}") };
        let body: String = self.lines.iter().map(|line| format!("  {line}\n")).collect();
        let parameters = self.parameters.join(", ");
        format!("/// {}\naction {name}({parameters}){modifies} {{\n{body}}}\n\n", describe(step))
    }
}

fn describe(step: &RoleStep<'_>) -> String {
    let mut parts = Vec::new();
    if let Some(received) = &step.receives {
        parts.push(format!("receives message {}", received.label));
    }
    if !step.sends.is_empty() {
        parts.push(format!("sends message {}", step.sends.iter().map(|sent| sent.label).join(" and ")));
    }
    if !step.claims.is_empty() {
        parts.push(format!("claims {}", step.claims.iter().map(|claim| claim.label).join(", ")));
    }
    if parts.is_empty() { "A run begins.".to_owned() } else { format!("A run {}.", parts.join(", ")) }
}
