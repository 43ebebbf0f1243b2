//! The roles of a message list, as the tree of a protocol file.

use super::knowledge::{AnbFunctions, RoleKnowledge};
use super::tree::{AnbFile, AnbGoalKind, AnbTerm, AnbTermKind};
use crate::protocol::text::tree::{
    DeclarationKind, EventSyntax, EventSyntaxKind, ProtocolDeclaration, ProtocolFile, ProtocolItem,
    ProtocolMember, RoleItem, SpdlItem, StepSyntax, TermKind, TermSyntax,
};
use kit::diagnostics::{Diagnostic, Span};
use kit::parsing::Name;
use std::collections::{HashMap, HashSet};

/// Turns a message list into roles, with warnings.
///
/// # Errors
/// All mistakes that are found.
pub fn file(described: &AnbFile) -> Result<(ProtocolFile, Vec<Diagnostic>), Vec<Diagnostic>> {
    let mut roles = AnbRoles::new(described);
    if roles.mistakes.iter().any(Diagnostic::is_error) {
        return Err(roles.mistakes);
    }
    let steps = roles.steps();
    if roles.mistakes.iter().any(Diagnostic::is_error) {
        return Err(roles.mistakes);
    }
    let goals = roles.goals(&steps);
    if roles.mistakes.iter().any(Diagnostic::is_error) {
        return Err(roles.mistakes);
    }
    let members = roles.agents.iter().map(|agent| {
        let claimed = goals.iter().filter(|(of, _)| of == agent);
        roles.role(agent, &steps[agent], claimed.map(|(_, claim)| claim))
    });
    let members: Vec<ProtocolMember> = roles.members().into_iter().chain(members).collect();
    let agents = roles.agents.iter().map(|agent| roles.name(agent)).collect();
    let name = described.name.clone();
    let mut items = roles.file_items();
    items.push(SpdlItem::Protocol(ProtocolItem { name, roles: agents, members }));
    Ok((ProtocolFile { items, lost: false }, roles.mistakes))
}

/// A sent or received message of a role.
struct AnbStep {
    /// The terms of fresh values that it makes before.
    fresh: Vec<String>,
    event: EventSyntax,
    compared: Vec<[TermSyntax; 2]>,
}

/// A claim of a role, and the number of steps before it.
struct PlacedClaim {
    before: usize,
    event: EventSyntax,
}

/// The attacker's agent in this notation.
pub const ATTACKER: &str = "i";

/// The most actions of a file.
const MOST_ACTIONS: usize = 200;

/// The most terms in all actions together.
const MOST_TERMS: usize = 5000;

pub struct AnbRoles<'f> {
    pub file: &'f AnbFile,
    types: HashMap<&'f str, &'f str>,
    /// The agents that are roles, in the order of their first messages.
    pub agents: Vec<String>,
    pub functions: AnbFunctions,
    /// The functions that are applied, in the order of the text.
    pub applied: Vec<String>,
    /// The knowledge of each role at the end of its steps, with its variables.
    last: HashMap<String, (Vec<String>, Vec<String>)>,
    mistakes: Vec<Diagnostic>,
}

impl<'f> AnbRoles<'f> {
    fn new(file: &'f AnbFile) -> Self {
        let types: HashMap<&str, &str> =
            file.types.iter().map(|(name, ty)| (name.text.as_str(), ty.text.as_str())).collect();
        let mut roles = AnbRoles {
            file,
            types,
            agents: Vec::new(),
            functions: AnbFunctions::default(),
            applied: Vec::new(),
            last: HashMap::new(),
            mistakes: Vec::new(),
        };
        for name in file.actions.iter().flat_map(|action| [&action.from, &action.to]) {
            if roles.types.get(name.text.as_str()).is_some_and(|ty| *ty != "Agent") {
                roles.mistake(name.span, format!("`{}` is no agent", name.text), "declare it: `Agent A, B;`");
            }
            if !roles.agents.contains(&name.text) {
                roles.agents.push(name.text.clone());
            }
        }
        let others = file.types.iter().filter(|(name, ty)| ty.text == "Agent" && is_variable(&name.text));
        for (name, _) in others {
            if !roles.agents.contains(&name.text) {
                roles.agents.push(name.text.clone());
            }
        }
        if file.actions.is_empty() {
            let help = "write a message: `A->B: {NA,A}pk(B)`";
            roles.mistake(file.name.span, "the protocol has no actions", help);
        }
        let mut count = 0;
        file.actions.iter().for_each(|action| action.content.walk(&mut |_| count += 1));
        if file.actions.len() > MOST_ACTIONS || count > MOST_TERMS {
            let message =
                format!("the protocol has more than {MOST_ACTIONS} actions, or {MOST_TERMS} terms in them");
            roles.mistake(file.name.span, message, "describe it in parts");
            return roles;
        }
        roles.find_functions();
        roles.check_knowledge();
        roles.mistakes.extend(roles.check_given());
        roles.warn_of_untyped();
        roles
    }

    fn mistake(&mut self, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.mistakes.push(Diagnostic::error(span, message).with_help(help));
    }

    pub fn all_terms(&self) -> impl Iterator<Item = &'f AnbTerm> {
        let AnbFile { knowledge, actions, goals, .. } = self.file;
        let known = knowledge.iter().flat_map(|(_, terms)| terms);
        known
            .chain(actions.iter().map(|action| &action.content))
            .chain(goals.iter().map(|goal| &goal.content))
    }

    fn find_functions(&mut self) {
        let mut inverse: Vec<&AnbTerm> = Vec::new();
        let (mut applied, mut pairs) = (Vec::new(), HashSet::new());
        for term in self.all_terms() {
            term.walk(&mut |part| match &part.kind {
                AnbTermKind::Apply(function, _) if !applied.contains(function) => {
                    applied.push(function.clone())
                }
                AnbTermKind::Inverse(of) => match &of.kind {
                    AnbTermKind::Apply(function, _) => {
                        pairs.insert(function.clone());
                    }
                    _ => inverse.push(part),
                },
                _ => {}
            });
        }
        for part in inverse {
            let help = "keys of agents are functions: `Function pk`, `inv(pk(A))`";
            self.mistake(part.span, format!("`{}` is not supported", part.show()), help);
        }
        // `inv(pk(A))` may come before any `pk(A)` alone.
        let formats = applied.iter().filter(|function| self.types.get(function.as_str()) == Some(&"Format"));
        let (formats, certifying) = (formats.cloned().collect(), self.certifying());
        self.functions = AnbFunctions { formats, key_pairs: pairs, certifying };
        self.applied = applied;
    }

    /// The private keys that no agent has who may be the attacker, and with which certificates alike are signed, and nothing else.
    fn certifying(&self) -> HashSet<AnbTerm> {
        let mut signed: HashMap<&AnbTerm, Vec<&AnbTerm>> = HashMap::new();
        for term in self.all_terms() {
            term.walk(&mut |part| {
                if let AnbTermKind::Asymmetric(parts) = &part.kind
                    && matches!(parts[1].kind, AnbTermKind::Inverse(_))
                {
                    signed.entry(&parts[1]).or_default().push(&parts[0]);
                }
            });
        }
        let variables = self.file.knowledge.iter().filter(|(agent, _)| is_variable(&agent.text));
        let theirs: Vec<&AnbTerm> = variables.flat_map(|(_, terms)| terms).collect();
        let is_certificate = |body: &AnbTerm| {
            let parts = body.parts().iter();
            let agents: Vec<&str> = parts.clone().filter_map(|part| self.agent_named(part)).collect();
            matches!(body.kind, AnbTermKind::Tuple(_))
                && body.parts().iter().all(|part| match &part.kind {
                    AnbTermKind::Apply(_, arguments) => {
                        let named =
                            |of: &AnbTerm| self.agent_named(of).is_some_and(|agent| agents.contains(&agent));
                        arguments.iter().all(named)
                    }
                    _ => self.agent_named(part).is_some(),
                })
        };
        let kept = signed.into_iter().filter(|(key, bodies)| {
            !key.names().iter().any(|name| is_variable(name))
                && !theirs.contains(key)
                && bodies.iter().all(|body| is_certificate(body))
                && bodies.iter().all(|body| self.shape(body) == self.shape(bodies[0]))
        });
        kept.map(|(key, _)| key.clone()).collect()
    }

    /// Warns of values without a type.
    fn warn_of_untyped(&mut self) {
        let mut seen: HashSet<&str> = HashSet::new();
        for action in &self.file.actions {
            action.content.walk(&mut |part| {
                if let AnbTermKind::Name(name) = &part.kind
                    && self.is_made(name)
                    && self.type_of(name).is_none()
                    && seen.insert(name)
                {
                    let message = format!("`{name}` has no type: it may stand for any term");
                    let help = format!("declare it: `Number {name};`");
                    self.mistakes.push(Diagnostic::warning(part.span, message).with_help(help));
                }
            });
        }
    }

    fn agent_named<'t>(&self, term: &'t AnbTerm) -> Option<&'t str> {
        match &term.kind {
            AnbTermKind::Name(name) if self.is_agent(name) => Some(name),
            _ => None,
        }
    }

    /// The text of a certificate, with the places of agents in it instead of their names.
    fn shape(&self, body: &AnbTerm) -> String {
        let places = body.parts().iter();
        let place = |name: &str| places.clone().position(|part| self.agent_named(part) == Some(name));
        let shown = body.parts().iter().map(|part| match &part.kind {
            AnbTermKind::Apply(function, arguments) => {
                let arguments = arguments.iter().filter_map(|of| self.agent_named(of)).map(place);
                format!("{function}{:?}", arguments.collect::<Vec<_>>())
            }
            _ => "agent".to_owned(),
        });
        shown.collect::<Vec<_>>().join(",")
    }

    fn is_agent(&self, name: &str) -> bool {
        self.types.get(name) == Some(&"Agent") || self.agents.iter().any(|agent| agent == name)
    }

    fn check_knowledge(&mut self) {
        let file = self.file;
        for (agent, terms) in &file.knowledge {
            if !self.is_agent(&agent.text) {
                self.mistake(
                    agent.span,
                    format!("`{}` is no agent", agent.text),
                    "declare it: `Agent A, B;`",
                );
            }
            for term in terms {
                term.walk(&mut |part| {
                    if let AnbTermKind::Name(name) = &part.kind
                        && is_variable(name)
                        && !self.is_agent(name)
                        && self.types.get(name.as_str()) != Some(&"Function")
                    {
                        let message = format!("`{name}` is known from the beginning, and is no agent");
                        let help = "give it a small first letter, or let an agent make it";
                        self.mistakes.push(Diagnostic::error(part.span, message).with_help(help));
                    }
                });
            }
        }
    }

    /// The terms that an agent knows from the beginning, and the names of all agents, as every run has partners in mind.
    fn known(&self, agent: &str) -> Vec<AnbTerm> {
        let named = self.file.knowledge.iter().filter(|(of, _)| of.text == agent);
        let terms = named.flat_map(|(_, terms)| terms.iter().cloned());
        let span = self.file.name.span;
        let others = self.file.types.iter().map(|(name, _)| &name.text).filter(|name| self.is_agent(name));
        let agents = self.agents.iter().chain(others);
        let agents = agents.map(|agent| AnbTerm { kind: AnbTermKind::Name(agent.clone()), span });
        terms.chain(agents).collect()
    }

    /// The values that runs make: names with a capital first letter that nobody knows from the beginning.
    fn is_made(&self, name: &str) -> bool {
        is_variable(name) && !self.is_agent(name)
    }

    /// The steps of all roles.
    fn steps(&mut self) -> HashMap<String, Vec<AnbStep>> {
        let functions = std::mem::take(&mut self.functions);
        let mut known: HashMap<String, RoleKnowledge<'_>> = self
            .agents
            .iter()
            .map(|agent| (agent.clone(), RoleKnowledge::new(&functions, &self.known(agent))))
            .collect();
        let mut steps: HashMap<String, Vec<AnbStep>> =
            self.agents.iter().map(|agent| (agent.clone(), Vec::new())).collect();
        let mut made: HashSet<&str> = HashSet::new();
        let mut own: HashMap<String, Vec<String>> = HashMap::new();
        for (number, action) in self.file.actions.iter().enumerate() {
            let label = Name { text: (number + 1).to_string(), span: action.from.span };
            let ends = [&action.from, &action.to].map(|agent| name_term(&agent.text, agent.span));
            let Some(sender) = known.get_mut(&action.from.text) else { continue };
            let mut fresh = Vec::new();
            for name in action.content.names() {
                if self.is_made(name) && made.insert(name) {
                    sender
                        .learn(AnbTerm { kind: AnbTermKind::Name(name.to_owned()), span: action.from.span });
                    fresh.push(name.to_owned());
                }
            }
            own.entry(action.from.text.clone()).or_default().extend(fresh.iter().cloned());
            let Some(sent) = sender.make(&action.content) else {
                let lacking = lacking(sender, &action.content);
                let message =
                    format!("{} cannot send this: it cannot make {}", action.from.text, lacking.show());
                let help = "an agent makes terms of its knowledge and of received messages";
                self.mistake(lacking.span, message, help);
                return steps;
            };
            let terms = ends.iter().cloned().chain([sent]).collect();
            let event = EventSyntaxKind::Send { label: label.clone(), terms };
            let event = EventSyntax { kind: event, span: action.content.span };
            let of_sender = steps.entry(action.from.text.clone()).or_default();
            of_sender.push(AnbStep { fresh, event, compared: Vec::new() });
            let Some(receiver) = known.get_mut(&action.to.text) else { continue };
            let mut count = receiver.variables().count();
            let mut variable = || {
                count += 1;
                format!("x{count}")
            };
            match receiver.receive(&action.content, &mut variable) {
                Ok((received, compared)) => {
                    let terms = ends.iter().cloned().chain([received]).collect();
                    let event = EventSyntaxKind::Receive { label, terms };
                    let event = EventSyntax { kind: event, span: action.content.span };
                    let of_receiver = steps.entry(action.to.text.clone()).or_default();
                    of_receiver.push(AnbStep { fresh: Vec::new(), event, compared });
                }
                Err(why) => {
                    let message = format!("{} cannot receive this: {why}", action.to.text);
                    let help = "give the agent the key in its knowledge";
                    self.mistake(action.content.span, message, help);
                    return steps;
                }
            }
        }
        let variables = |known: &RoleKnowledge<'_>| {
            (known.received.clone(), known.variables().map(str::to_owned).collect::<Vec<_>>())
        };
        self.last = known.iter().map(|(agent, known)| (agent.clone(), variables(known))).collect();
        self.functions = functions;
        steps
    }

    /// The claims of the goals, each with its role.
    fn goals(&mut self, steps: &HashMap<String, Vec<AnbStep>>) -> Vec<(String, PlacedClaim)> {
        let mut found = Vec::new();
        for (number, goal) in self.file.goals.iter().enumerate() {
            let at_end = |agent: &str| steps.get(agent).map_or(0, Vec::len);
            match &goal.kind {
                AnbGoalKind::Secret(between) => {
                    let made: Vec<_> =
                        between.iter().map(|agent| self.first_made(agent, &goal.content)).collect();
                    if made.iter().all(Option::is_none) {
                        self.never_known(between.first(), &goal.content);
                    }
                    for (agent, made) in between.iter().zip(made) {
                        let Some((_, term)) = made else { continue };
                        let label = format!("G{}{}", number + 1, agent.text);
                        let terms =
                            vec![name_term(&agent.text, goal.span), name_term("Secret", goal.span), term];
                        found.push((
                            agent.text.clone(),
                            placed(at_end(&agent.text), Some(label), terms, goal.span),
                        ));
                    }
                }
                AnbGoalKind::Authentic { agent, of, is_injective } => {
                    let made = [agent, of].map(|agent| self.first_made(agent, &goal.content));
                    let [Some((_, own)), Some((from, theirs))] = made else {
                        let lacking = [agent, of].into_iter().zip(&made).find(|(_, made)| made.is_none());
                        self.never_known(lacking.map(|(agent, _)| agent), &goal.content);
                        continue;
                    };
                    // Goals about the same agents are told apart.
                    let tag = name_term(&tag(number), goal.span);
                    let label = format!("G{}{}", number + 1, agent.text);
                    let claim = if *is_injective { "Icommit" } else { "Commit" };
                    let claims = [
                        (agent, of, claim, at_end(&agent.text), Some(label), own),
                        (of, agent, "Running", from, None, theirs),
                    ];
                    for (actor, partner, claim, before, label, term) in claims {
                        let terms = [actor.text.as_str(), claim, partner.text.as_str()];
                        let terms = terms.map(|name| name_term(name, goal.span)).into_iter();
                        let terms = terms.chain([tag.clone(), term]).collect();
                        found.push((actor.text.clone(), placed(before, label, terms, goal.span)));
                    }
                }
            }
        }
        found
    }

    /// The number of steps before which a role can make a term for the first time, with the values that it makes in the next one, and the
    /// term as it makes it.
    fn first_made(&mut self, agent: &Name, content: &AnbTerm) -> Option<(usize, TermSyntax)> {
        if !self.agents.contains(&agent.text) {
            let message = format!("`{}` neither sends nor receives anything", agent.text);
            self.mistake(agent.span, message, "goals are about agents of actions");
            return None;
        }
        let mut known = RoleKnowledge::new(&self.functions, &self.known(&agent.text));
        let mut made: HashSet<&str> = HashSet::new();
        let (mut count, mut steps) = (0, 0);
        let mut variable = || {
            count += 1;
            format!("x{count}")
        };
        for action in &self.file.actions {
            let is_first = |name: &&str| self.is_made(name);
            let names: Vec<&str> = action.content.names().into_iter().filter(is_first).collect();
            let new: Vec<&str> = names.into_iter().filter(|name| made.insert(name)).collect();
            if action.from.text == agent.text {
                for name in new {
                    known.learn(AnbTerm { kind: AnbTermKind::Name(name.to_owned()), span: agent.span });
                }
                // Before it is sent.
                if let Some(term) = known.make(content) {
                    return Some((steps, term));
                }
                steps += 1;
            }
            if action.to.text == agent.text {
                steps += 1;
                known.receive(&action.content, &mut variable).ok()?;
                if let Some(term) = known.make(content) {
                    return Some((steps, term));
                }
            }
        }
        None
    }

    /// Reports an agent that never has the term of a goal.
    fn never_known(&mut self, agent: Option<&Name>, content: &AnbTerm) {
        if let Some(agent) = agent.filter(|agent| self.agents.contains(&agent.text)) {
            let message = format!("{} never knows {}", agent.text, content.show());
            self.mistake(content.span, message, "goals are about terms that their agents know at the end");
        }
    }

    fn name(&self, agent: &str) -> Name {
        let mut names = self.file.actions.iter().flat_map(|action| [&action.from, &action.to]);
        let named = names.find(|name| name.text == agent);
        named.cloned().unwrap_or_else(|| Name { text: agent.to_owned(), span: self.file.name.span })
    }

    /// The role of an agent.
    fn role<'c>(
        &self,
        agent: &str,
        steps: &[AnbStep],
        claims: impl Iterator<Item = &'c PlacedClaim>,
    ) -> ProtocolMember {
        let span = self.name(agent).span;
        let claims: Vec<&PlacedClaim> = claims.collect();
        let mut all: Vec<StepSyntax> = Vec::new();
        let (received, unseen) = &self.last[agent];
        let declare = |names: Vec<String>, is_fresh: bool, of: Option<&str>| {
            let names = names.into_iter().map(|text| Name { text, span }).collect();
            let of = of.map(|of| Name { text: of.to_owned(), span });
            let kind = match is_fresh {
                true => DeclarationKind::Fresh { names, of },
                false => DeclarationKind::Variable { names, types: of.into_iter().collect() },
            };
            StepSyntax::Declaration(ProtocolDeclaration { kind, span })
        };
        let fresh = steps.iter().flat_map(|step| &step.fresh);
        all.extend(
            fresh.map(|name| declare(vec![name.clone()], true, Some(self.type_of(name).unwrap_or("Number")))),
        );
        all.extend(received.iter().map(|name| declare(vec![name.clone()], false, self.type_of(name))));
        all.extend(unseen.iter().map(|name| declare(vec![name.clone()], false, None)));
        let compare = |pattern: TermSyntax, term: TermSyntax, equal: bool| {
            let kind = EventSyntaxKind::Match { pattern, term, equal };
            StepSyntax::Event(EventSyntax { kind, span })
        };
        if !steps.is_empty() {
            let constants = self.agents.iter().filter(|agent| !is_variable(agent));
            all.extend(
                constants
                    .map(|agent| compare(name_term(agent, span), name_term(&constant(agent), span), true)),
            );
            for (one, other) in &self.file.differ {
                let [one, other] = [one, other].map(|agent| match self.agents.contains(&agent.text) {
                    true => name_term(&agent.text, agent.span),
                    false => name_term(&constant(&agent.text), agent.span),
                });
                all.push(compare(one, other, false));
            }
        }
        for number in 0..=steps.len() {
            all.extend(
                claims
                    .iter()
                    .filter(|claim| claim.before == number)
                    .map(|claim| StepSyntax::Event(claim.event.clone())),
            );
            if let Some(step) = steps.get(number) {
                all.push(StepSyntax::Event(step.event.clone()));
                all.extend(
                    step.compared
                        .iter()
                        .map(|[seen, variable]| compare(seen.clone(), variable.clone(), true)),
                );
            }
        }
        ProtocolMember::Role(RoleItem { singular: false, name: self.name(agent), steps: all })
    }

    /// The type of a value that runs make; nothing for any term.
    pub fn type_of(&self, name: &str) -> Option<&'f str> {
        self.types.get(name).copied()
    }
}

/// True for names that stand for something else in each run.
pub fn is_variable(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_uppercase())
}

/// The name of the constant that a role with a small first letter plays.
pub fn constant(agent: &str) -> String {
    match agent {
        ATTACKER => ATTACKER.to_owned(),
        _ => format!("{agent}'"),
    }
}

/// The constant that tells a goal from others.
pub fn tag(goal: usize) -> String {
    format!("goal{}", goal + 1)
}

fn name_term(name: &str, span: Span) -> TermSyntax {
    TermSyntax { kind: TermKind::Name(name.to_owned()), span }
}

fn placed(before: usize, label: Option<String>, terms: Vec<TermSyntax>, span: Span) -> PlacedClaim {
    let label = label.map(|text| Name { text, span });
    PlacedClaim { before, event: EventSyntax { kind: EventSyntaxKind::Claim { label, terms }, span } }
}

/// The smallest part of a term that a role cannot make.
fn lacking<'t>(known: &RoleKnowledge<'_>, term: &'t AnbTerm) -> &'t AnbTerm {
    let part = term.parts().iter().find(|part| known.make(part).is_none());
    part.map_or(term, |part| lacking(known, part))
}
