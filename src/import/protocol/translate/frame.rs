//! The names and types of the generated model, shared by the translation and the reading of its traces.

use super::claims::EARLIER_STEPS;
use super::forms::forms;
use super::names::TakenNames;
use super::scope::ProtocolScope;
use super::script::RoleScripts;
use super::terms::RoleTerms;
use super::threats::{self, ATTACKER, Threats};
use super::tickets::FormLayout;

/// The names of honest agents, in order of use.
const HONEST: &[&str] = &["Alice", "Bob", "Simon", "Carol", "Dave", "Frank", "Grace", "Heidi"];

/// The names of agents on the attacker's side.
pub(in crate::protocol) const DISHONEST: &[&str] = &[ATTACKER, "Mallory", "Oscar", "Trudy"];

/// Names that the generated model uses itself, including bound variables.
const OWN: &[&str] = &[
    "Agent",
    "Run",
    "Role",
    "role",
    "agents",
    "done",
    "honest",
    "started",
    "step",
    "actor",
    "Ticket",
    "TicketForm",
    ATTACKER,
    "a",
    "c",
    "i",
    "m",
    "n",
    "o",
    "p",
    "q",
    "r",
    "s",
    "t",
    "x",
];

/// The types, names and state variables of a generated model.
pub(super) struct ModelFrame<'a> {
    pub model: String,
    pub terms: RoleTerms<'a>,
    pub layout: FormLayout,
    pub names: TakenNames,
    pub runs: Vec<String>,
    /// Variables with more possible forms than the limit.
    pub cut: Vec<String>,
}

impl<'a> ModelFrame<'a> {
    /// Creates the frame of the model with this name.
    pub fn new(name: &str, script: &'a RoleScripts<'a>, scope: ProtocolScope) -> Self {
        let mut names = TakenNames::default();
        for name in OWN.iter().chain(threats::NAMES).chain(&[EARLIER_STEPS]) {
            names.fresh(name);
        }
        let model = names.fresh(name);
        let runs: Vec<String> = (1..=scope.runs).map(|number| names.fresh(&format!("r{number}"))).collect();
        let protocols = &script.protocols.protocols;
        let most_roles = protocols.iter().map(|protocol| protocol.roles.len()).max().unwrap_or(1);
        let count = scope.honest.unwrap_or(most_roles).max(1);
        let honest = (0..count).map(|number| match HONEST.get(number) {
            Some(name) => names.fresh(name),
            None => names.fresh(&format!("Agent{number}")),
        });
        let honest = honest.collect();
        let untrusted = (0..scope.untrusted).map(|number| match DISHONEST.get(number) {
            Some(name) if *name == ATTACKER => ATTACKER.to_owned(),
            Some(name) => names.fresh(name),
            None => names.fresh(&format!("Attacker{number}")),
        });
        let threats = Threats { agents: untrusted.collect(), reveals: scope.reveals };
        let terms = RoleTerms::new(script, honest, threats, runs[0].clone(), &mut names);
        let forms = forms(&terms, scope.forms);
        let cut = forms.cut.clone();
        let layout = FormLayout::new(forms, &terms.sorts, &mut names);
        Self { model, terms, layout, names, runs, cut }
    }
}
