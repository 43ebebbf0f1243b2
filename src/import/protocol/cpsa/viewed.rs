//! The parts of a protocol for one point of view: its roles, and the strand apart from other runs of its role.

use super::forms::{CpsaEvent, CpsaProtocol, originates};
use super::terms::{PRIVATE, PUBLIC, SHARED, Sort, Sorts, carried, names, same, sort_of, walk, with};
use super::views::View;
use crate::protocol::text::tree::{Name, TermKind, TermSyntax};
use kit::diagnostics::Span;
use std::collections::BTreeSet;

/// The agent in roles that name none.
pub const ANYONE: &str = "anyone";

/// A role of the new protocol.
pub struct Part<'f> {
    pub name: String,
    pub span: Span,
    pub trace: Vec<CpsaEvent>,
    pub sorts: Sorts,
    pub fresh: Vec<String>,
    /// The variables in it for the agents of all parts.
    pub agents: Vec<Option<String>>,
    /// The assumptions of the skeleton, if the part is that of its strand alone.
    pub view: Option<&'f View>,
}

/// True for a key that two agents share.
fn is_shared(term: &TermSyntax) -> bool {
    matches!(&term.kind, TermKind::Apply { function, .. } if function.text == SHARED)
}

/// The parts of a protocol with the claims of one point of view.
pub struct ViewedProtocol<'f> {
    pub described: &'f CpsaProtocol,
    pub view: Option<&'f View>,
    pub parts: Vec<Part<'f>>,
    /// The place of the part of the strand.
    pub own: Option<usize>,
    /// For each part, true if it has an agent.
    pub acts: Vec<bool>,
    /// The sorts of [free](Part::is_free) values.
    pub free: Vec<Sort>,
}

impl<'f> ViewedProtocol<'f> {
    pub fn new(described: &'f CpsaProtocol, view: Option<&'f View>, actors: &[Option<String>]) -> Self {
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
            let fresh: Vec<String> = match used {
                Some(view) if *is_view => view.fresh.clone(),
                _ => of.unique().filter_map(value).collect::<BTreeSet<_>>().into_iter().collect(),
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
        let mut viewed = ViewedProtocol { described, view, parts, own, acts, free: Vec::new() };
        for (place, part) in viewed.parts.iter().enumerate() {
            let outside = viewed.outside(place);
            let free = outside.iter().filter(|name| part.is_free(name)).filter_map(|name| part.sort(name));
            viewed.free.extend(free.collect::<Vec<_>>());
        }
        viewed
    }

    /// True if values from outside need not be known to the attacker.
    pub fn guards(&self) -> bool {
        self.has_secrets() || !self.free.is_empty()
    }

    /// True if the attacker lacks values that several runs have.
    pub fn has_secrets(&self) -> bool {
        self.view.is_some_and(|view| !view.secret.is_empty())
    }

    /// The variables of a part that are sent before they are received, and that the run does not make; of the strand, all agents that no part
    /// acts for, since assumptions are about their keys.
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
                if event.sends || view.is_some() && sort_of(sorts, name) == Some(Sort::Name) {
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

    /// The variables of a part that have values after some events.
    pub fn known(&self, part: usize, height: usize) -> Vec<String> {
        let outside = self.outside(part).into_iter();
        let events = self.parts[part].trace[..height].iter().flat_map(|event| names(&event.content));
        outside.chain(events.map(str::to_owned)).collect()
    }
}

impl Part<'_> {
    pub fn sort(&self, name: &str) -> Option<Sort> {
        sort_of(&self.sorts, name)
    }

    /// True if a value from outside may be one that other runs made: it is sent in keys and hashes only, where it does not originate.
    pub fn is_free(&self, name: &str) -> bool {
        self.is_guardable(name) && originates(&self.trace, name) != Some(true)
    }

    /// True if the attacker may lack the values of a variable.
    pub fn is_guardable(&self, name: &str) -> bool {
        matches!(self.sort(name), Some(Sort::Symmetric | Sort::Asymmetric | Sort::Text | Sort::Data))
    }

    /// The keys in its messages that agents of parts share, each once.
    pub fn shared_keys(&self) -> Vec<&TermSyntax> {
        let is_of_parts = |key: &TermSyntax| {
            names(key).iter().all(|name| self.agents.iter().flatten().any(|agent| agent == name))
        };
        let mut found: Vec<&TermSyntax> = Vec::new();
        for event in &self.trace {
            walk(&event.content, &mut |term| {
                if is_shared(term) && is_of_parts(term) && !found.iter().any(|other| same(other, term)) {
                    found.push(term);
                }
            });
        }
        found
    }
}

impl ViewedProtocol<'_> {
    /// True if there are key pairs of agents.
    pub fn has_agents_keys(&self) -> bool {
        self.has(|part, term| {
            matches!(&term.kind, TermKind::Apply { function, arguments }
            if (function.text == PUBLIC || function.text == PRIVATE)
                && arguments.last().is_some_and(|last| matches!(&last.kind, TermKind::Name(name)
                    if part.sort(name) == Some(Sort::Name))))
        })
    }

    /// True if a variable may be a key that agents share: such a key is part of a message, or comes from outside.
    pub fn passes_shared_keys(&self) -> bool {
        let mut found = self.free.contains(&Sort::Symmetric);
        for part in &self.parts {
            for event in part.trace.iter().filter(|event| event.sends) {
                carried(&event.content, &mut |term| found |= is_shared(term));
            }
        }
        found && self.has(|_, term| is_shared(term))
    }

    /// True if a message has such a term, or a listener hears it.
    pub fn has(&self, is: impl Fn(&Part<'_>, &TermSyntax) -> bool) -> bool {
        let mut found = false;
        for (place, part) in self.parts.iter().enumerate() {
            self.terms(place).for_each(|whole| walk(whole, &mut |term| found |= is(part, term)));
        }
        found
    }

    /// The messages of a part, and what listeners hear of it.
    pub fn terms(&self, place: usize) -> impl Iterator<Item = &TermSyntax> {
        let view = self.view.filter(|_| self.own == Some(place));
        let heard = view.into_iter().flat_map(|view| &view.claims).flat_map(|claim| &claim.listeners);
        self.parts[place].trace.iter().map(|event| &event.content).chain(heard)
    }
}
