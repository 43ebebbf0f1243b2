//! Generates the model of a protocol: its state, one action for each step of each role, and the claims.

use super::Translation;
use super::actions::{actions, leave_names};
use super::attacker::{Attacker, AttackerDefinition};
use super::chart::Charts;
use super::claims::{self, EARLIER_STEPS, TranslatedClaim, is_about_recent};
use super::condition::Condition;
use super::frame::ModelFrame;
use super::scope::ProtocolScope;
use super::script::RoleScripts;
use super::terms::{RoleTerms, Sorts};
use super::threats::ATTACKER;
use super::tickets::FormLayout;
use super::value::{LeafKind, ModelExpr};
use super::words::words;
use crate::protocol::ir::Protocols;
use itertools::Itertools;
use std::fmt::Write;

const RUNS: &str = "Run";

/// Generates the model of a protocol within a scope.
pub fn translate(name: &str, protocols: &Protocols, scope: ProtocolScope) -> Translation {
    let script = RoleScripts::new(protocols, scope);
    let ModelFrame { model, terms, layout, mut names, runs, cut } = ModelFrame::new(name, &script, scope);
    let mut attacker = Attacker::new(&terms, &layout, &mut names);
    let mut labels = claims::labels(&terms, attacker.names());
    let properties = claims::properties(&terms, &labels, &mut attacker, &layout);
    let partners = scope.reveals.of_runs().then(|| claims::partners(&terms, &labels, &layout));
    leave_names(&script, attacker.names());
    if !properties.iter().any(|property| property.agreement) {
        labels.clear();
    }
    let actions = actions(&terms, &layout, &mut attacker, &labels);
    let (variable_sums, given_sums) = (layout.has_sums(), attacker.is_given_sums());
    let definitions = attacker.definitions(scope.runs, &mut names);
    let mut text = format!("/// {}\nmodel {model};\n\n", heading(protocols, scope));
    types(&mut text, &terms, &layout, &runs);
    state(&mut text, &terms, &layout, script.longest(), &labels);
    about_runs(&mut text, &terms, script.longest(), partners);
    for definition in &definitions {
        text.push_str(&show_definition(definition));
    }
    text.push_str(&actions);
    text.push_str(&show_properties(&properties));
    if scope.words {
        text.push_str(&words(&terms, &layout, &properties, &mut names));
    }
    let forms = layout.most_forms();
    let claims = properties.into_iter().map(|property| property.claim).collect();
    let steps = scope.runs * script.longest() + terms.threats.steps();
    let charts = Charts { name: name.to_owned(), protocols: protocols.clone(), scope, steps };
    Translation { text, claims, charts, runs: RUNS, wishes: wishes(), cut, variable_sums, given_sums, forms }
}

/// Returns the preferences for agents in traces: all different, or at least no agent that is its own partner.
fn wishes() -> Vec<String> {
    let differ = |roles: &str| {
        let differ = "agents[q][x] is some => agents[q][x] != agents[q][y]";
        format!("forall q in Run: forall x in Role: forall y in Role: {roles} and {differ}")
    };
    vec![differ("x < y"), differ("role[q] = x and x != y")]
}

fn heading(protocols: &Protocols, scope: ProtocolScope) -> String {
    let names = protocols.protocols.iter().filter(|protocol| !protocol.helper);
    let names = names.map(|protocol| protocol.name.as_str()).join(", ");
    let runs = if scope.runs == 1 { "one run".to_owned() } else { format!("up to {} runs", scope.runs) };
    format!("Security protocol {names}, with {runs}; the network is the attacker.")
}

/// Writes the declarations of types and constants.
fn types(out: &mut String, terms: &RoleTerms<'_>, layout: &FormLayout, runs: &[String]) {
    let Sorts { honest, .. } = &terms.sorts;
    let attackers = match &terms.threats.agents[..] {
        [] => format!("{ATTACKER} is the name of the attacker, who shares no keys."),
        [_] => format!("{ATTACKER} is the attacker."),
        [_, others @ ..] => format!("{ATTACKER} is the attacker, and with her {}.", others.join(", ")),
    };
    let others = terms.threats.agents.iter().map(String::as_str).filter(|name| *name != ATTACKER);
    let agents = honest.iter().map(String::as_str).chain([ATTACKER]).chain(others).join(", ");
    let _ = writeln!(out, "/// {attackers}\ntype Agent = enum {{ {agents} }};");
    let _ = writeln!(out, "/// Runs of roles, in the order in which they begin.");
    let _ = writeln!(out, "type {RUNS} = enum {{ {} }};", runs.join(", "));
    let _ = writeln!(out, "type Role = enum {{ {} }};\n", terms.roles.join(", "));
    for atomic in terms.sorts.atomic().values() {
        let values = atomic.names.iter().chain(&atomic.own_names).join(", ");
        let _ = writeln!(out, "type {} = enum {{ {values} }};", atomic.names_type);
        let _ =
            writeln!(out, "type {} = record {{ name: {}, run: Run }};", atomic.type_name, atomic.names_type);
        let _ = writeln!(out, "/// One that {ATTACKER} made.");
        let own = format!("{}(name: {}, run: {})", atomic.type_name, atomic.own_names[0], terms.first_run);
        let _ = writeln!(out, "const {} : {} = {own};\n", atomic.own, atomic.type_name);
    }
    if layout.forms.is_empty() {
        return;
    }
    let _ = writeln!(out, "/// The forms of terms that a variable of any type can have:");
    for (name, form) in &layout.forms {
        let mut leaves = form.sorts().into_iter().map(|sort| ModelExpr::present(terms.sorts.name(sort)));
        let shown = super::attacker::show(&form.with(&mut leaves), terms);
        let _ = writeln!(out, "/// `{name}` is {shown}.");
    }
    let forms = layout.forms.iter().map(|(name, _)| name).join(", ");
    let _ = writeln!(out, "type {} = enum {{ {forms} }};", layout.forms_name);
    let mut fields = vec![format!("form: {}", layout.forms_name)];
    let mut unused = vec![format!("form: {}", layout.forms[0].0)];
    for (sort, slots) in &layout.slots {
        fields.extend(slots.fields.iter().map(|field| format!("{field}: {}", terms.sorts.name(*sort))));
        unused.extend(slots.fields.iter().map(|field| format!("{field}: {}", slots.unused)));
    }
    let _ = writeln!(out, "type {} = record {{ {} }};", layout.name, fields.join(", "));
    let _ = writeln!(
        out,
        "const {} : {} = {}({});\n",
        terms.sorts.no_ticket,
        layout.name,
        layout.name,
        unused.join(", ")
    );
}

/// Writes the state variables and their initial values.
fn state(
    out: &mut String,
    terms: &RoleTerms<'_>,
    layout: &FormLayout,
    longest: usize,
    synchronised: &[claims::CommunicationLabel],
) {
    let mut initial = vec!["role[q] = none".to_owned(), "step[q] = 0".to_owned()];
    initial.push("(forall x in Role: agents[q][x] = none)".to_owned());
    let _ = writeln!(out, "/// The role of each run.\nvar role : map Run to option Role;");
    let _ = writeln!(out, "/// Whom it takes for whom.\nvar agents : map Run to map Role to option Agent;");
    let _ = writeln!(out, "/// How many steps it has taken.\nvar step : map Run to 0..{longest};");
    for role in terms.script.roles() {
        for (_, name, sort) in terms.received(role) {
            let ty = if sort == LeafKind::Ticket { &layout.name } else { terms.sorts.name(sort) };
            let _ = writeln!(out, "var {name} : map Run to option {ty};");
            initial.push(format!("{name}[q] = none"));
        }
    }
    for label in synchronised {
        let _ = writeln!(
            out,
            "/// The runs that had sent message {} when it was received, exactly as it was received.",
            label.shown
        );
        let _ = writeln!(out, "var {} : map Run to set of Run;", label.name);
        initial.push(format!("{}[q] = {{}}", label.name));
    }
    if terms.script.roles().any(|role| is_about_recent(terms.script, role)) {
        let _ = writeln!(out, "/// How many steps each run had taken when this one began.");
        let _ = writeln!(out, "var {EARLIER_STEPS} : map Run to map Run to 0..{longest};");
        initial.push(format!("(forall p in Run: {EARLIER_STEPS}[q][p] = 0)"));
    }
    let lost = terms.threats.variables(out, longest);
    let lost: String = lost.iter().map(|line| format!("  {line};\n")).collect();
    let _ = writeln!(out, "\ninit {{\n  forall q in Run:\n    {};\n{lost}}}\n", initial.join("\n    and "));
}

/// Writes the definitions about runs.
fn about_runs(out: &mut String, terms: &RoleTerms<'_>, longest: usize, partners: Option<Condition>) {
    let _ = writeln!(out, "/// True if a run has this role, and has taken so many steps.");
    let _ =
        writeln!(out, "def done(q: Run, x: Role, n: 0..{longest}): bool = role[q] = x and step[q] >= n;\n");
    if let Some(partners) = partners {
        let _ = writeln!(
            out,
            "/// True if two runs are partners: they agree in every message that both have exchanged."
        );
        let _ = writeln!(out, "def partners(q, p: Run): bool =\n  {};\n", partners.text(2));
    }
    let _ = writeln!(out, "/// True if claims apply to a run: all its partners are honest.");
    let _ = writeln!(out, "def honest(q: Run): bool =\n  {};\n", terms.threats.counts("q").text(2));
    let _ = writeln!(out, "/// True if an agent is the actor of a run.");
    let actors = script_actors(terms);
    let _ = writeln!(out, "def actor(q: Run, a: Agent): bool = {actors};\n");
}

fn script_actors(terms: &RoleTerms<'_>) -> String {
    let actors = terms.script.roles().map(|role| {
        let name = &terms.roles[role.index()];
        Condition::all([
            Condition::Is(format!("role[q] = {name}")),
            Condition::Is(format!("agents[q][{name}] = a")),
        ])
    });
    Condition::any(actors).text(2)
}

fn show_definition(definition: &AttackerDefinition) -> String {
    let AttackerDefinition { doc, name, parameters, ty, body } = definition;
    let parameters = parameters.join(", ");
    if ty.is_empty() {
        return format!("/// {doc}\ntype {name} = record {{ {parameters} }};\n\n");
    }
    let parameters = if parameters.is_empty() { String::new() } else { format!("({parameters})") };
    format!("/// {doc}\ndef {name}{parameters}: {ty} =\n  {};\n\n", body.text(2))
}

fn show_properties(properties: &[TranslatedClaim]) -> String {
    let shown = properties.iter().map(|TranslatedClaim { doc, claim, holds, .. }| {
        format!("/// {doc}\ninvariant {}:\n  {};\n\n", claim.property, holds.text(2))
    });
    shown.collect()
}
