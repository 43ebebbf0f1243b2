//! A protocol with the claims of one point of view, as the tree of a protocol file.

use super::agents::actors;
use super::claims::PlacedEvent;
use super::forms::{CpsaEvent, CpsaProtocol};
use super::terms::{
    ATTACKER, HASH, LOST_KEY, OUTSIDE, PRIVATE, PUBLIC, PlainNames, SHARED, Sort, Sorts, applied, carried,
    name_term, names, sort_of, walk, with,
};
use super::views::View;
use super::writer::RoleWriter;
use crate::protocol::text::tree::{
    DeclarationKind, EventSyntaxKind, Name, ProtocolDeclaration, ProtocolItem, ProtocolMember, RoleItem,
    TermKind, TermSyntax,
};
use kit::diagnostics::{Diagnostic, Span};
use std::collections::{BTreeSet, HashMap};

/// The agent in roles that name none.
pub const ANYONE: &str = "anyone";

/// A role of the new protocol.
pub struct Part<'f> {
    name: String,
    pub span: Span,
    pub trace: Vec<CpsaEvent>,
    pub sorts: Sorts,
    pub fresh: Vec<String>,
    /// The variables in it for the agents of all parts.
    pub agents: Vec<Option<String>>,
    /// The assumptions of the skeleton, if the part is that of its strand alone.
    pub view: Option<&'f View>,
}

/// A protocol with the claims of a point of view; without one, no claims.
pub fn protocol(
    described: &CpsaProtocol,
    view: Option<&View>,
    number: usize,
    found: &mut Vec<Diagnostic>,
) -> Option<ProtocolItem> {
    let actors = actors(described);
    if number == 0 {
        for (role, (actor, lacking)) in described.roles.iter().zip(&actors) {
            for key in lacking {
                let of = actor.as_deref().unwrap_or("nobody");
                let message = format!("role `{}` acts for {of}, who does not have this key", role.name.text);
                let help = "runs with a key of the attacker in this place are left out";
                found.push(Diagnostic::warning(key.span, message).with_help(help));
            }
        }
    }
    World::new(described, view, &actors.into_iter().map(|(actor, _)| actor).collect::<Vec<_>>())
        .item(number, found)
}

pub struct World<'f> {
    pub described: &'f CpsaProtocol,
    pub view: Option<&'f View>,
    pub parts: Vec<Part<'f>>,
    /// The place of the part of the strand.
    pub own: Option<usize>,
    /// For each part, true if it has an agent.
    pub acts: Vec<bool>,
    /// True if values from outside need not be known to the attacker.
    pub guards: bool,
}

impl<'f> World<'f> {
    fn new(described: &'f CpsaProtocol, view: Option<&'f View>, actors: &[Option<String>]) -> Self {
        let is_plain = view.is_some_and(|view| {
            let names_place = |(name, sort): &(Name, Sort)| {
                *sort != Sort::Name || actors.iter().flatten().any(|actor| *actor == name.text)
            };
            view.is_plain(described) && described.roles[view.role].sorts.iter().all(names_place)
        });
        let is_copied = view.is_some() && !is_plain;
        // The agents of parts: those of roles, and of the strand apart from other runs of its role.
        let mut of_parts: Vec<(usize, bool)> = (0..described.roles.len()).map(|role| (role, false)).collect();
        let mut own = None;
        if let Some(view) = view {
            own = Some(view.role);
            if is_copied {
                of_parts[view.role].1 = true;
                of_parts.push((view.role, false));
            }
        }
        let parts = of_parts.iter().enumerate().map(|(place, (role, is_view))| {
            let of = &described.roles[*role];
            let is_own = own == Some(place);
            let used = view.filter(|_| is_own);
            let value = |name: &str| match used {
                Some(view) => match &view.values.get(name)?.kind {
                    TermKind::Name(name) => Some(name.clone()),
                    _ => None,
                },
                None => Some(name.to_owned()),
            };
            let agents = of_parts.iter().map(|(other, _)| {
                let actor = actors[*other].as_deref()?;
                (sort_of(&of.sorts, actor) == Some(Sort::Name)).then(|| value(actor)).flatten()
            });
            let agents = agents.collect();
            let mut trace: Vec<CpsaEvent> = of.trace.clone();
            if let Some(view) = used {
                trace.iter_mut().for_each(|event| event.content = with(&event.content, &view.values));
                if *is_view {
                    trace.truncate(view.trace.len());
                }
            }
            let begins = |name: &String| {
                trace
                    .iter()
                    .find(|event| names(&event.content).contains(&name.as_str()))
                    .is_some_and(|event| event.sends)
            };
            let unique = of.assumed.unique.iter().flat_map(names);
            let fresh: Vec<String> = match used {
                Some(view) if *is_view => view.fresh.clone(),
                _ => unique.filter_map(value).filter(begins).collect::<BTreeSet<_>>().into_iter().collect(),
            };
            Part {
                name: match own.is_some_and(|own| own < place && own == *role) {
                    true => format!("{}'", of.name.text),
                    false => of.name.text.clone(),
                },
                span: of.name.span,
                trace,
                sorts: used.map_or_else(|| of.sorts.clone(), |view| view.sorts.clone()),
                fresh,
                agents,
                view: used.filter(|_| *is_view),
            }
        });
        let parts: Vec<Part<'_>> = parts.collect();
        let acts = of_parts.iter().map(|(role, _)| actors[*role].is_some()).collect();
        let mut world = World { described, view, parts, own, acts, guards: false };
        world.guards = view.is_some_and(|view| !view.secret.is_empty())
            || (0..world.parts.len()).any(|part| {
                let outside = world.outside(part);
                outside.iter().any(|name| world.parts[part].sort(name) == Some(Sort::Symmetric))
            });
        world
    }

    /// The variables of a part that are sent before they are received, and that the run does not make.
    pub fn outside(&self, part: usize) -> Vec<String> {
        let Part { trace, sorts, fresh, view, .. } = &self.parts[part];
        let mut known: Vec<&str> = Vec::new();
        let mut found: Vec<String> = Vec::new();
        for event in trace {
            for name in names(&event.content) {
                let is_own = fresh.iter().any(|other| other == name)
                    || view.is_some_and(|view| view.secret.iter().any(|other| other == name))
                    || self.place_of(part, name).is_some();
                if sort_of(sorts, name).is_none() || known.contains(&name) || is_own {
                    continue;
                }
                known.push(name);
                if event.sends {
                    found.push(name.to_owned());
                }
            }
        }
        found
    }

    /// The first part whose agent a variable of a part stands for.
    pub fn place_of(&self, part: usize, name: &str) -> Option<usize> {
        self.parts[part].agents.iter().position(|agent| agent.as_deref() == Some(name))
    }

    fn item(&self, number: usize, found: &mut Vec<Diagnostic>) -> Option<ProtocolItem> {
        let span = self.described.name.span;
        let mut shared = PlainNames::default();
        for name in [PUBLIC, PRIVATE, SHARED, HASH, OUTSIDE, ATTACKER, LOST_KEY, ANYONE] {
            shared.reserve(name);
        }
        let roles: Vec<String> = self.parts.iter().map(|part| shared.plain(&part.name)).collect();
        let claims = self.claims(&roles, found);
        let mut tags: BTreeSet<String> = BTreeSet::new();
        for part in &self.parts {
            for event in &part.trace {
                tags.extend(
                    names(&event.content).into_iter().filter(|name| name.starts_with('"')).map(str::to_owned),
                );
            }
        }
        let secrets = self.view.map_or(&[][..], |view| &view.secret[..]);
        for name in tags.iter().chain(secrets) {
            shared.plain(name);
        }
        let mut members = self.declared(&tags, secrets, &mut shared, &claims);
        let labels = self.labels();
        for place in 0..self.parts.len() {
            members.push(self.role(place, &roles, &labels[place], &claims, &shared));
        }
        let text = shared_name(&self.described.name.text, number);
        let heads =
            roles.into_iter().zip(&self.parts).map(|(text, part)| Name { text, span: part.span }).collect();
        Some(ProtocolItem { name: Name { text, span }, roles: heads, members })
    }

    fn declared(
        &self,
        tags: &BTreeSet<String>,
        secrets: &[String],
        shared: &mut PlainNames,
        claims: &[PlacedEvent],
    ) -> Vec<ProtocolMember> {
        let span = self.described.name.span;
        let name = |text: &str| Name { text: text.to_owned(), span };
        let constant = |text: &str, of: &str, secret: bool| DeclarationKind::Constant {
            names: vec![name(text)],
            of: Some(name(of)),
            secret,
        };
        let uses = |of: &str| {
            self.has(|_, term| matches!(&term.kind, TermKind::Apply { function, .. } if function.text == of))
        };
        let mut kinds = Vec::new();
        if uses(PUBLIC) || uses(PRIVATE) {
            kinds.push(constant(PUBLIC, "Function", false));
            kinds.push(constant(PRIVATE, "Function", true));
            kinds.push(DeclarationKind::Inverse([PUBLIC, PRIVATE].map(|key| name_term(key, span)).to_vec()));
        }
        if uses(SHARED) {
            kinds.push(constant(SHARED, "Function", true));
        }
        let functions = [HASH, OUTSIDE].into_iter().filter(|of| uses(of) || *of == OUTSIDE && self.guards);
        let functions: Vec<Name> = functions.map(name).collect();
        if !functions.is_empty() {
            kinds.push(DeclarationKind::Function { names: functions, secret: false });
        }
        if self.has(|part, term| matches!(&term.kind, TermKind::Name(name) if part.sort(name) == Some(Sort::Asymmetric))) {
            kinds.push(constant(LOST_KEY, "KeyName", false));
            kinds.push(DeclarationKind::Compromised(vec![applied(PRIVATE, vec![name_term(LOST_KEY, span)], span)]));
        }
        kinds.extend(tags.iter().map(|tag| constant(&shared.plain(tag), "Tag", false)));
        let marks: BTreeSet<&str> = claims.iter().filter_map(|claim| claim.mark.as_deref()).collect();
        kinds.extend(marks.into_iter().map(|mark| constant(mark, "Tag", false)));
        for secret in secrets {
            let of = self.view.and_then(|view| sort_of(&view.sorts, secret)).and_then(Sort::type_name);
            let plain = shared.plain(secret);
            kinds.push(constant(&plain, of.unwrap_or("Text"), true));
            kinds.push(DeclarationKind::Compromised(vec![applied(
                OUTSIDE,
                vec![name_term(&plain, span)],
                span,
            )]));
        }
        if self.acts.iter().any(|acts| !acts) {
            kinds.push(constant(ANYONE, "Agent", false));
        }
        kinds
            .into_iter()
            .map(|kind| ProtocolMember::Declaration(ProtocolDeclaration { kind, span }))
            .collect()
    }

    /// For each event of each part, the label and the other part. Labels of messages that fit are the same.
    fn labels(&self) -> Vec<Vec<(String, usize)>> {
        let other = |place: usize| (0..self.parts.len()).find(|other| *other != place).unwrap_or(place);
        let mut labels: Vec<Vec<(String, usize)>> = (0..self.parts.len())
            .map(|place| vec![(String::new(), other(place)); self.parts[place].trace.len()])
            .collect();
        let events = |sends: bool| {
            let of = move |(place, part): (usize, &Part<'f>)| {
                let events = part.trace.iter().enumerate().filter(move |(_, event)| event.sends == sends);
                events.map(move |(at, _)| (place, at)).collect::<Vec<_>>()
            };
            self.parts.iter().enumerate().flat_map(of).collect::<Vec<_>>()
        };
        let mut sent = events(true);
        for (number, (place, at)) in sent.iter().enumerate() {
            labels[*place][*at].0 = (number + 1).to_string();
        }
        for (place, at) in events(false) {
            let fits =
                |(from, sent): &(usize, usize)| *from != place && self.feeds((*from, *sent), (place, at));
            let Some(found) = sent.iter().position(fits) else {
                labels[place][at].0 = format!("!{}-{}", place + 1, at + 1);
                continue;
            };
            let (from, sending) = sent.remove(found);
            let label = labels[from][sending].0.clone();
            labels[from][sending].1 = place;
            labels[place][at] = (label, from);
        }
        labels
    }

    /// The variables of a part that have values after some events.
    pub fn known(&self, part: usize, height: usize) -> Vec<String> {
        let outside = self.outside(part).into_iter();
        let events = self.parts[part].trace[..height].iter().flat_map(|event| names(&event.content));
        outside.chain(events.map(str::to_owned)).collect()
    }

    fn role(
        &self,
        place: usize,
        roles: &[String],
        labels: &[(String, usize)],
        claims: &[PlacedEvent],
        shared: &PlainNames,
    ) -> ProtocolMember {
        let part = &self.parts[place];
        let span = part.span;
        let mut writer = RoleWriter {
            world: self,
            place,
            roles,
            names: shared.clone(),
            steps: Vec::new(),
            values: HashMap::new(),
        };
        writer.declare();
        writer.begin(labels);
        for at in 0..=part.trace.len() {
            for claim in claims.iter().filter(|claim| claim.part == place && claim.after == at) {
                let label = claim.label.as_ref().map(|text| Name { text: writer.names.kept(text), span });
                let data = claim.data.iter().map(|term| with(term, &writer.values));
                let terms = claim.head.iter().cloned().chain(data).collect();
                writer.event(EventSyntaxKind::Claim { label, terms }, claim.span);
            }
            let Some(event) = part.trace.get(at) else { continue };
            let (label, other) = &labels[at];
            writer.message(event.sends, label, *other, with(&event.content, &writer.values), event.span);
            writer.compare_keys(at);
        }
        let name = Name { text: roles[place].clone(), span };
        ProtocolMember::Role(RoleItem { singular: part.view.is_some(), name, steps: writer.steps })
    }
}

fn shared_name(name: &str, number: usize) -> String {
    let plain = PlainNames::default().plain(name);
    match number {
        0 => plain,
        _ => format!("{plain}-{}", number + 1),
    }
}

impl Part<'_> {
    pub fn sort(&self, name: &str) -> Option<Sort> {
        sort_of(&self.sorts, name)
    }
}

impl World<'_> {
    /// True if there are key pairs of agents.
    pub fn has_agents_keys(&self) -> bool {
        self.has(|part, term| {
            matches!(&term.kind, TermKind::Apply { function, arguments }
            if (function.text == PUBLIC || function.text == PRIVATE)
                && arguments.last().is_some_and(|last| matches!(&last.kind, TermKind::Name(name)
                    if part.sort(name) == Some(Sort::Name))))
        })
    }

    /// True if a key that agents share is part of a message.
    pub fn sends_shared_keys(&self) -> bool {
        let mut found = false;
        for part in &self.parts {
            for event in part.trace.iter().filter(|event| event.sends) {
                carried(&event.content, &mut |term| {
                    found |=
                        matches!(&term.kind, TermKind::Apply { function, .. } if function.text == SHARED);
                });
            }
        }
        found
    }

    fn has(&self, is: impl Fn(&Part<'_>, &TermSyntax) -> bool) -> bool {
        let mut found = false;
        for part in &self.parts {
            for event in &part.trace {
                walk(&event.content, &mut |term| found |= is(part, term));
            }
        }
        found
    }
}
