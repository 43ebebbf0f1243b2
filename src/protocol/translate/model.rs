//! The model of a protocol: its state, one action for each step of each role, and the claims.

use super::attacker::{Attacker, Definition};
use super::claims::{self, Property};
use super::condition::Condition;
use super::forms::forms;
use super::names::Names;
use super::script::{Script, Step};
use super::terms::{ATTACKER, Sorts, Terms};
use super::tickets::Layout;
use super::value::{Place, Sort, Value, equal};
use super::words::words;
use crate::protocol::ir::{EventKind, Protocols, RoleId, Term, VariableId};
use itertools::Itertools;
use std::collections::BTreeMap;
use std::fmt::Write;

/// How many runs and agents a protocol is looked at with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scope {
    /// The most runs of roles, at least one.
    pub runs: usize,
    /// The honest agents; as many as a protocol has roles, if it is not given.
    pub honest: Option<usize>,
}

/// A protocol as a model.
#[derive(Debug, Clone)]
pub struct Translation {
    /// The model, in the specification language.
    pub text: String,
    /// What the roles claim, in the order of the file.
    pub claims: Vec<ClaimedProperty>,
    /// The number of steps in which all runs have come to their ends.
    pub steps: usize,
}

/// A claim and the property that it became.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimedProperty {
    /// The name of the property in the model.
    pub property: String,
    /// The protocol.
    pub protocol: String,
    /// The role that claims it.
    pub role: String,
    /// The label of the claim, as in the file.
    pub label: String,
    /// What is claimed: `Secret`.
    pub claim: &'static str,
    /// Of what, if of something.
    pub term: Option<String>,
}

/// The names of honest agents, the first ones first.
const HONEST: &[&str] = &["Alice", "Bob", "Simon", "Carol", "Dave", "Frank", "Grace", "Heidi"];

/// The model of a protocol, with so many runs.
pub fn translate(name: &str, protocols: &Protocols, scope: Scope) -> Translation {
    let script = Script::new(protocols);
    let mut names = Names::default();
    for name in
        ["Agent", "Run", "Role", "role", "agents", "done", "honest", "started", "step", "actor", ATTACKER]
    {
        names.fresh(name);
    }
    let model = names.fresh(name);
    let runs: Vec<String> = (1..=scope.runs).map(|number| names.fresh(&format!("r{number}"))).collect();
    let most_roles = protocols.protocols.iter().map(|protocol| protocol.roles.len()).max().unwrap_or(1);
    let count = scope.honest.unwrap_or(most_roles).max(1);
    let honest = (0..count).map(|number| match HONEST.get(number) {
        Some(name) => names.fresh(name),
        None => names.fresh(&format!("Agent{number}")),
    });
    let honest = honest.collect();
    let terms = Terms::new(&script, honest, runs[0].clone(), &mut names);
    let layout = Layout::new(forms(&terms), &terms.sorts, &mut names);
    let mut attacker = Attacker::new(&terms, &layout, &mut names);
    let mut writer = Writer { terms: &terms, layout: &layout, attacker: &mut attacker, out: String::new() };
    let mut labels = claims::labels(&terms, writer.attacker.names());
    let properties = claims::properties(&terms, &labels, writer.attacker, &layout);
    if !properties.iter().any(|property| property.agreement) {
        labels.clear();
    }
    writer.actions(&labels);
    let actions = std::mem::take(&mut writer.out);
    writer.properties(&properties);
    let claims = std::mem::take(&mut writer.out);
    let definitions = attacker.definitions(scope.runs, &mut names);
    let mut text = format!("/// {}\nmodel {model};\n\n", heading(protocols, scope));
    types(&mut text, &terms, &layout, &runs);
    state(&mut text, &terms, &layout, script.longest(), &labels);
    for definition in &definitions {
        text.push_str(&show_definition(definition));
    }
    text.push_str(&actions);
    text.push_str(&claims);
    text.push_str(&words(&terms, &layout, &properties, &labels, &mut names));
    let claims = properties.into_iter().map(|property| property.claim).collect();
    Translation { text, claims, steps: scope.runs * script.longest() }
}

fn heading(protocols: &Protocols, scope: Scope) -> String {
    let names = protocols.protocols.iter().filter(|protocol| !protocol.helper);
    let names = names.map(|protocol| protocol.name.as_str()).join(", ");
    let runs = if scope.runs == 1 { "one run".to_owned() } else { format!("up to {} runs", scope.runs) };
    format!("Security protocol {names}, with {runs}; the network is the attacker.")
}

/// The declarations of types and constants.
fn types(out: &mut String, terms: &Terms<'_>, layout: &Layout, runs: &[String]) {
    let Sorts { honest, .. } = &terms.sorts;
    let _ = writeln!(out, "/// {ATTACKER} is the attacker.");
    let _ = writeln!(out, "type Agent = enum {{ {}, {ATTACKER} }};", honest.join(", "));
    let _ = writeln!(out, "/// Runs of roles, in the order in which they begin.");
    let _ = writeln!(out, "type Run = enum {{ {} }};", runs.join(", "));
    let _ = writeln!(out, "type Role = enum {{ {} }};\n", terms.roles.join(", "));
    for atomic in terms.sorts.atomic().values() {
        let values = atomic.names.iter().chain([&atomic.own_name]).join(", ");
        let _ = writeln!(out, "type {} = enum {{ {values} }};", atomic.names_type);
        let _ =
            writeln!(out, "type {} = record {{ name: {}, run: Run }};", atomic.type_name, atomic.names_type);
        let _ = writeln!(out, "/// One that {ATTACKER} made.");
        let own = format!("{}(name: {}, run: {})", atomic.type_name, atomic.own_name, terms.first_run);
        let _ = writeln!(out, "const {} : {} = {own};\n", atomic.own, atomic.type_name);
    }
    if layout.forms.is_empty() {
        return;
    }
    let _ = writeln!(out, "/// The forms of terms that a variable of any type can have:");
    for (name, form) in &layout.forms {
        let mut leaves = form.sorts().into_iter().map(|sort| Place::present(terms.sorts.name(sort)));
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

/// The state variables, their first values, and what is said of runs.
fn state(
    out: &mut String,
    terms: &Terms<'_>,
    layout: &Layout,
    longest: usize,
    synchronised: &[claims::Label],
) {
    let mut initial = vec!["role[q] = none".to_owned(), "step[q] = 0".to_owned()];
    initial.push("(forall x in Role: agents[q][x] = none)".to_owned());
    let _ = writeln!(out, "/// What each run does.\nvar role : map Run to option Role;");
    let _ = writeln!(out, "/// Whom it takes for whom.\nvar agents : map Run to map Role to option Agent;");
    let _ = writeln!(out, "/// How many steps it has taken.\nvar step : map Run to 0..{longest};");
    for role in terms.script.roles() {
        for (_, name, sort) in terms.received(role) {
            let ty = if sort == Sort::Ticket { &layout.name } else { terms.sorts.name(sort) };
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
    let _ = writeln!(out, "\ninit {{\n  forall q in Run:\n    {};\n}}\n", initial.join("\n    and "));
    let _ = writeln!(out, "/// Whether a run is one of this role, and has taken so many steps.");
    let _ =
        writeln!(out, "def done(q: Run, x: Role, n: 0..{longest}): bool = role[q] = x and step[q] >= n;\n");
    let _ = writeln!(out, "/// Whether all partners of a run are honest.");
    let _ = writeln!(out, "def honest(q: Run): bool = forall x in Role: agents[q][x] != {ATTACKER};\n");
    let _ = writeln!(out, "/// Whether an agent takes part in a run as the one who does it.");
    let actors = script_actors(terms);
    let _ = writeln!(out, "def actor(q: Run, a: Agent): bool = {actors};\n");
}

fn script_actors(terms: &Terms<'_>) -> String {
    let actors = terms.script.roles().map(|role| {
        let name = &terms.roles[role.index()];
        Condition::all([
            Condition::Is(format!("role[q] = {name}")),
            Condition::Is(format!("agents[q][{name}] = a")),
        ])
    });
    Condition::any(actors).text(2)
}

fn show_definition(definition: &Definition) -> String {
    let Definition { doc, name, parameters, ty, body } = definition;
    let parameters = parameters.join(", ");
    if ty.is_empty() {
        return format!("/// {doc}\ntype {name} = record {{ {parameters} }};\n\n");
    }
    let parameters = if parameters.is_empty() { String::new() } else { format!("({parameters})") };
    format!("/// {doc}\ndef {name}{parameters}: {ty} =\n  {};\n\n", body.text(2))
}

/// Writes actions and properties.
struct Writer<'w, 'a> {
    terms: &'a Terms<'a>,
    layout: &'a Layout,
    attacker: &'w mut Attacker<'a>,
    out: String,
}

impl Writer<'_, '_> {
    fn actions(&mut self, synchronised: &[claims::Label]) {
        let mut names = Names::default();
        for role in self.terms.script.roles() {
            for (number, step) in self.terms.script.steps(role).iter().enumerate() {
                let label = match (&step.receives, step.sends.first()) {
                    (Some(received), _) => received.label,
                    (None, Some(sent)) => sent.label,
                    (None, None) => "begin",
                };
                let name = names.fresh(&format!("{}_{label}", self.terms.roles[role.index()]));
                self.action(&name, role, number, step, synchronised);
            }
        }
    }

    fn action(
        &mut self,
        name: &str,
        role: RoleId,
        number: usize,
        step: &Step<'_>,
        synchronised: &[claims::Label],
    ) {
        let mut scope = self.attacker.scope();
        let run = scope.fresh("run");
        let mut parameters = vec![format!("{run}: Run")];
        let mut lines: Vec<String> = Vec::new();
        let own = &self.terms.roles[role.index()];
        let mut agents: BTreeMap<RoleId, String> = BTreeMap::new();
        if number == 0 {
            for partner in self.terms.script.partners(role) {
                let name = scope.fresh(&self.terms.script.role(*partner).name.to_lowercase());
                parameters.push(format!("{name}: Agent"));
                agents.insert(*partner, name);
            }
            lines.push(format!(
                "require role[{run}] = none and (forall q in Run: q < {run} => role[q] is some);"
            ));
            lines.push(format!("require {} != {ATTACKER};", agents.get(&role).map_or("", |name| name)));
            if self.terms.script.role(role).singular {
                lines.push(format!("require forall q in Run: role[q] != {own};"));
            }
        } else {
            lines.push(format!("require role[{run}] = {own} and step[{run}] = {number};"));
        }
        let mut given: BTreeMap<VariableId, Place> = BTreeMap::new();
        let mut kept: Vec<String> = Vec::new();
        let mut tickets: Vec<String> = Vec::new();
        let mut constraints: Vec<Condition> = Vec::new();
        for variable in &step.binds {
            let state = self.terms.name(role, *variable).to_owned();
            match self.terms.sort(role, *variable) {
                Sort::Ticket => {
                    let text = format!("{state}'[{run}]");
                    let place =
                        Place { text: text.clone(), default: Some(self.terms.sorts.no_ticket.clone()) };
                    let others = Condition::Is(format!("q != {run}"))
                        .implies(Condition::Is(format!("{state}'[q] = {state}[q]")));
                    constraints.push(Condition::forall("q", "Run", others));
                    constraints.push(Condition::Is(format!("{text} is some")));
                    constraints.push(self.layout.canonical(&place));
                    tickets.push(state);
                    given.insert(*variable, place);
                }
                sort => {
                    let name = scope.fresh(&self.terms.script.role(role).variables[variable.index()].name);
                    parameters.push(format!("{name}: {}", self.terms.sorts.name(sort)));
                    kept.push(format!("{state}'[{run}] = {name};"));
                    given.insert(*variable, Place::present(name));
                }
            }
        }
        let place = |variable: VariableId| given.get(&variable).cloned();
        let value = |terms: &Terms<'_>, term: &Term| {
            with_agents(terms.value(role, &run, term, &place), terms, &run, &agents)
        };
        let mut conditions: Vec<Condition> = Vec::new();
        if let Some(received) = &step.receives {
            let message = value(self.terms, &received.message.content);
            conditions.push(self.attacker.makes(&message));
        }
        for event in &step.matches {
            if let EventKind::Match { pattern, term, equal: wanted } = &event.kind {
                let (left, right) = (value(self.terms, pattern), value(self.terms, term));
                let same = equal(&left, &right, self.layout);
                conditions.push(if *wanted { same } else { same.negated() });
            }
        }
        let condition = Condition::all(conditions);
        if tickets.is_empty() {
            if condition != Condition::True {
                lines.push(format!("require\n    {};", condition.text(4)));
            }
        } else {
            constraints.push(condition);
            let constraints = constraints.into_iter().filter(|constraint| *constraint != Condition::True);
            lines.extend(constraints.map(|constraint| format!("constrain\n    {};", constraint.text(4))));
        }
        if number == 0 {
            lines.push(format!("role'[{run}] = {own};"));
            for (partner, name) in &agents {
                lines.push(format!("agents'[{run}][{}] = {name};", self.terms.roles[partner.index()]));
            }
        }
        lines.push(format!("step'[{run}] = {};", number + 1));
        lines.extend(kept);
        let mut modified: Vec<String> = Vec::new();
        if let Some(received) = &step.receives {
            for label in
                synchronised.iter().filter(|label| label.receiver == role && label.label == received.label)
            {
                let message = value(self.terms, &received.message.content);
                let from = value(self.terms, &Term::Agent(label.sender));
                let to = value(self.terms, &Term::Agent(label.receiver));
                let sent = label.sent(self.terms, "q", &message, &from, &to, self.layout);
                if tickets.is_empty() {
                    lines.push(format!("{}'[{run}] = {{ q in Run :\n    {} }};", label.name, sent.text(4)));
                } else {
                    // What is received is not yet known in the old state.
                    let others = Condition::Is(format!("p != {run}"))
                        .implies(Condition::Is(format!("{0}'[p] = {0}[p]", label.name)));
                    lines.push(format!("constrain {};", Condition::forall("p", "Run", others).text(4)));
                    let within = Condition::Is(format!("q in {}'[{run}]", label.name));
                    let both = [within.clone().implies(sent.clone()), sent.implies(within)];
                    lines.push(format!(
                        "constrain\n    {};",
                        Condition::forall("q", "Run", Condition::all(both)).text(4)
                    ));
                    modified.push(label.name.clone());
                }
            }
        }
        let modified = tickets.iter().chain(&modified).join(", ");
        let modifies = if modified.is_empty() { String::new() } else { format!(" modifies {modified}") };
        let doc = describe(step);
        let _ = writeln!(self.out, "/// {doc}\naction {name}({}){modifies} {{", parameters.join(", "));
        for line in lines {
            let _ = writeln!(self.out, "  {line}");
        }
        self.out.push_str("}\n\n");
    }

    fn properties(&mut self, properties: &[Property]) {
        for property in properties {
            let _ = writeln!(self.out, "/// {}", property.doc);
            let _ =
                writeln!(self.out, "invariant {}:\n  {};\n", property.claim.property, property.holds.text(2));
        }
    }
}

/// The agents of a run that begins are those of the step.
fn with_agents(value: Value, terms: &Terms<'_>, run: &str, agents: &BTreeMap<RoleId, String>) -> Value {
    let all = |values: Vec<Value>| values.into_iter().map(|v| with_agents(v, terms, run, agents)).collect();
    match value {
        Value::Agent(place) => {
            let found = agents.iter().find(|(role, _)| terms.agent(run, **role) == place);
            Value::Agent(found.map_or(place, |(_, name)| Place::present(name)))
        }
        Value::Tuple(values) => Value::Tuple(all(values)),
        Value::Apply(function, values) => Value::Apply(function, all(values)),
        Value::Encrypted(body, key) => Value::Encrypted(
            Box::new(with_agents(*body, terms, run, agents)),
            Box::new(with_agents(*key, terms, run, agents)),
        ),
        other => other,
    }
}

fn describe(step: &Step<'_>) -> String {
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
    if parts.is_empty() { "Begins.".to_owned() } else { format!("It {}.", parts.join(", ")) }
}
