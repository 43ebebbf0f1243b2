//! The roles of a protocol with the claims of a point of view.

use super::terms::{ATTACKER, LOST_KEY, OUTSIDE, PlainNames, Sort, applied, name_term, names, tuple, with};
use super::viewed::{ANYONE, Part, ViewedProtocol};
use crate::protocol::text::tree::{
    DeclarationKind, EventSyntax, EventSyntaxKind, Name, ProtocolDeclaration, StepSyntax, TermSyntax,
};
use kit::diagnostics::Span;
use std::collections::HashMap;

/// Writes the steps of a part.
pub struct RoleWriter<'w, 'f> {
    pub viewed: &'w ViewedProtocol<'f>,
    pub place: usize,
    pub roles: &'w [String],
    pub names: PlainNames,
    pub steps: Vec<StepSyntax>,
    /// The names of the new role for variables.
    pub values: HashMap<String, TermSyntax>,
}

impl RoleWriter<'_, '_> {
    pub fn event(&mut self, kind: EventSyntaxKind, span: Span) {
        self.steps.push(StepSyntax::Event(EventSyntax { kind, span }));
    }

    fn part(&self) -> &Part<'_> {
        &self.viewed.parts[self.place]
    }

    /// Declares fresh values and variables.
    pub fn declare(&mut self) {
        let viewed = self.viewed;
        let part = &viewed.parts[self.place];
        let mut declared: Vec<&str> = Vec::new();
        let leaked = part.view.map_or(&[][..], |view| &view.leaked[..]);
        for name in viewed.terms(self.place).chain(leaked).flat_map(names) {
            if declared.contains(&name) {
                continue;
            }
            declared.push(name);
            let Some(sort) = part.sort(name) else {
                self.values.insert(name.to_owned(), name_term(&self.names.plain(name), part.span));
                continue;
            };
            if let Some(place) = viewed.place_of(self.place, name) {
                self.values.insert(name.to_owned(), name_term(&self.roles[place], part.span));
                continue;
            }
            if part.view.is_some_and(|view| view.secret.iter().any(|secret| secret == name)) {
                self.values.insert(name.to_owned(), name_term(&self.names.plain(name), part.span));
                continue;
            }
            let text = self.names.own(name);
            self.values.insert(name.to_owned(), name_term(&text, part.span));
            let (names, of) = (vec![Name { text, span: part.span }], sort.type_name());
            let of = of.map(|of| Name { text: of.to_owned(), span: part.span });
            let kind = match part.fresh.iter().any(|fresh| fresh == name) {
                true => DeclarationKind::Fresh { names, of },
                false => {
                    let is_wide = match sort {
                        Sort::Asymmetric => viewed.has_agents_keys(),
                        Sort::Symmetric => viewed.passes_shared_keys(),
                        _ => false,
                    };
                    DeclarationKind::Variable { names, types: of.into_iter().filter(|_| !is_wide).collect() }
                }
            };
            self.steps.push(StepSyntax::Declaration(ProtocolDeclaration { kind, span: part.span }));
        }
    }

    fn compare(&mut self, pattern: TermSyntax, term: TermSyntax, equal: bool) {
        let span = self.part().span;
        self.event(EventSyntaxKind::Match { pattern, term, equal }, span);
    }

    pub fn message(&mut self, sends: bool, label: &str, other: usize, content: TermSyntax, span: Span) {
        let address = |place: usize| name_term(&self.roles[place], span);
        let (own, other) = (address(self.place), address(other));
        let label = Name { text: label.to_owned(), span };
        let kind = match sends {
            true => EventSyntaxKind::Send { label, terms: vec![own, other, content] },
            false => EventSyntaxKind::Receive { label, terms: vec![other, own, content] },
        };
        self.event(kind, span);
    }

    /// The events before the trace: agents are compared, keys are lost, and values come from outside.
    pub fn begin(&mut self, labels: &[(String, usize)]) {
        let viewed = self.viewed;
        let part = &viewed.parts[self.place];
        let span = part.span;
        for (place, agent) in part.agents.iter().enumerate() {
            let own = name_term(&self.roles[place], span);
            match agent {
                Some(agent) => {
                    let first = viewed.place_of(self.place, agent).unwrap_or(place);
                    if first != place {
                        self.compare(own, name_term(&self.roles[first], span), true);
                    }
                }
                None if !viewed.acts[place] => self.compare(own, name_term(ANYONE, span), true),
                None => {}
            }
        }
        let other = labels.first().map_or(self.place, |(_, other)| *other);
        let number = self.place + 1;
        let outside = viewed.outside(self.place);
        let is_agent = |name: &&String| part.view.is_some() && part.sort(name) == Some(Sort::Name);
        let (agents, values): (Vec<&String>, Vec<&String>) = outside.iter().partition(is_agent);
        if !agents.is_empty() {
            let agents = agents.into_iter().map(|name| with(&name_term(name, span), &self.values)).collect();
            self.message(false, &format!("!named-{number}"), other, tuple(agents, span), span);
        }
        for [one, other] in part.view.iter().flat_map(|view| &view.apart) {
            self.compare(with(one, &self.values), with(other, &self.values), false);
        }
        if let Some(view) = part.view.filter(|view| !view.leaked.is_empty()) {
            let keys = view.leaked.iter().map(|key| with(key, &self.values)).collect();
            self.message(true, &format!("!lost-{number}"), other, tuple(keys, span), span);
        }
        let given = |writer: &Self, name: &String| {
            let value = with(&name_term(name, span), &writer.values);
            let is_guarded = part.is_free(name) || part.is_guardable(name) && viewed.has_secrets();
            if is_guarded { applied(OUTSIDE, vec![value], span) } else { value }
        };
        let is_free = |sort: Sort| viewed.free.contains(&sort);
        let own = part.fresh.iter().filter(|name| part.sort(name).is_some_and(is_free));
        let keys = part.shared_keys().into_iter().filter(|_| is_free(Sort::Symmetric));
        let own = own.map(|name| name_term(name, span)).chain(keys.cloned());
        let own: Vec<TermSyntax> =
            own.map(|value| applied(OUTSIDE, vec![with(&value, &self.values)], span)).collect();
        if !own.is_empty() {
            self.message(true, &format!("!own-{number}"), other, tuple(own, span), span);
        }
        if !values.is_empty() {
            let values = values.into_iter().map(|name| given(self, name)).collect();
            self.message(false, &format!("!given-{number}"), other, tuple(values, span), span);
        }
        self.compare_names(&outside);
    }

    /// Compares values that are known now with those of the attacker.
    fn compare_names(&mut self, known: &[String]) {
        let viewed = self.viewed;
        let part = &viewed.parts[self.place];
        let Some(view) = part.view else { return };
        for name in known {
            let value = with(&name_term(name, part.span), &self.values);
            if view.kept.contains(name) {
                self.compare(value.clone(), name_term(LOST_KEY, part.span), false);
            }
            if part.sort(name) == Some(Sort::Name) || view.kept.contains(name) && viewed.has_agents_keys() {
                self.compare(value, name_term(ATTACKER, part.span), false);
            }
        }
    }

    /// Compares values that an event was the first to have.
    pub fn compare_keys(&mut self, at: usize) {
        let part = &self.viewed.parts[self.place];
        let earlier = self.viewed.known(self.place, at);
        let mut new: Vec<String> = Vec::new();
        for name in names(&part.trace[at].content) {
            let is_new = !earlier.iter().any(|known| known == name) && !new.iter().any(|known| known == name);
            let is_variable = part.sort(name).is_some()
                && self.viewed.place_of(self.place, name).is_none()
                && !part.fresh.iter().any(|fresh| fresh == name);
            if is_new && is_variable {
                new.push(name.to_owned());
            }
        }
        self.compare_names(&new);
    }
}
