//! Protocols with the claims of their points of view, as parts of the tree of a protocol file.

use super::agents::actors;
use super::claims::PlacedEvent;
use super::forms::{CpsaFile, CpsaProtocol};
use super::terms::{
    ATTACKER, HASH, LOST_KEY, OUTSIDE, PRIVATE, PUBLIC, PlainNames, SHARED, Sort, applied, name_term, names,
    sort_of, with,
};
use super::viewed::{ANYONE, Part, ViewedProtocol};
use super::views::{View, views};
use super::writer::RoleWriter;
use crate::protocol::text::tree::{
    DeclarationKind, EventSyntaxKind, Name, ProtocolDeclaration, ProtocolItem, ProtocolMember, RoleItem,
    TermKind,
};
use kit::diagnostics::Diagnostic;
use std::collections::{BTreeSet, HashMap};

/// The protocols of a file: for each of its protocols one for each set of assumptions.
pub fn items(file: &CpsaFile, found: &mut Vec<Diagnostic>) -> Vec<ProtocolItem> {
    let mut items: Vec<ProtocolItem> = Vec::new();
    for described in &file.protocols {
        let views = views(described, found);
        let first = items.len();
        match views.is_empty() {
            true => items.extend(protocol(described, None, 0, found)),
            false => {
                let all = views.iter().enumerate();
                items.extend(all.filter_map(|(number, view)| protocol(described, Some(view), number, found)));
            }
        }
        // A protocol may be described again under its name.
        for number in first..items.len() {
            while items[..number].iter().any(|other| other.name.text == items[number].name.text) {
                items[number].name.text.push('\'');
            }
        }
    }
    items
}

/// A protocol with the claims of a point of view; without one, no claims.
fn protocol(
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
    ViewedProtocol::new(described, view, &actors.into_iter().map(|(actor, _)| actor).collect::<Vec<_>>())
        .item(number, found)
}

impl<'f> ViewedProtocol<'f> {
    fn item(&self, number: usize, found: &mut Vec<Diagnostic>) -> Option<ProtocolItem> {
        let span = self.described.name.span;
        let mut shared = PlainNames::default();
        for name in [PUBLIC, PRIVATE, SHARED, HASH, OUTSIDE, ATTACKER, LOST_KEY, ANYONE] {
            shared.reserve(name);
        }
        let roles: Vec<String> = self.parts.iter().map(|part| shared.plain(&part.name)).collect();
        let claims = self.claims(&roles, found);
        let mut tags: BTreeSet<String> = BTreeSet::new();
        for name in (0..self.parts.len()).flat_map(|place| self.terms(place)).flat_map(names) {
            if name.starts_with('"') {
                tags.insert(name.to_owned());
            }
        }
        let secrets = self.view.map_or(&[][..], |view| &view.secret[..]);
        for name in tags.iter().chain(secrets) {
            shared.plain(name);
        }
        let mut members = self.declared(&tags, secrets, &mut shared, &claims);
        let labels = self.labels();
        for (place, labels) in labels.iter().enumerate() {
            members.push(self.role(place, &roles, labels, &claims, &shared));
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
        let functions = [HASH, OUTSIDE].into_iter().filter(|of| uses(of) || *of == OUTSIDE && self.guards());
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
            viewed: self,
            place,
            roles,
            names: shared.clone(),
            steps: Vec::new(),
            values: HashMap::new(),
        };
        writer.declare();
        writer.begin(labels);
        let events = part.trace.iter().zip(labels).map(Some).chain([None]);
        for (at, event) in events.enumerate() {
            for claim in claims.iter().filter(|claim| claim.part == place && claim.after == at) {
                let label = claim.label.as_ref().map(|text| Name { text: writer.names.kept(text), span });
                let data = claim.data.iter().map(|term| with(term, &writer.values));
                let terms = claim.head.iter().cloned().chain(data).collect();
                writer.event(EventSyntaxKind::Claim { label, terms }, claim.span);
            }
            let Some((event, (label, other))) = event else { continue };
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
