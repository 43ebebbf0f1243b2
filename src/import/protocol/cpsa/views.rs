//! Skeletons as points of view: of each, the strand whose run makes claims, with the assumptions about its values.

use super::forms::{Assumed, Assumption, CpsaEvent, CpsaProtocol, STILL_HOLDS, Skeleton, begins};
use super::terms::{
    PRIVATE, PUBLIC, SHARED, Sort, Sorts, applied, name_term, names, same, sort_of, tuple, variable, walk,
    with,
};
use crate::protocol::text::tree::{Name, TermKind, TermSyntax};
use kit::diagnostics::{Diagnostic, Span};
use std::collections::{BTreeSet, HashMap};

/// A strand of a skeleton with its assumptions, in the variables of the skeleton.
#[derive(Debug)]
pub struct View {
    /// The place of the role in the protocol.
    pub role: usize,
    pub trace: Vec<CpsaEvent>,
    pub sorts: Sorts,
    /// The parameters of the role with their values.
    pub values: HashMap<String, TermSyntax>,
    /// The variables of which the run makes the values.
    pub fresh: Vec<String>,
    /// Keys of its agents that the attacker may have.
    pub leaked: Vec<TermSyntax>,
    /// Agents that differ, since one of them has a key that the attacker may have, and the other one does not.
    pub apart: Vec<[TermSyntax; 2]>,
    /// Variables for values that the attacker does not have, and other runs may.
    pub secret: Vec<String>,
    /// Variables for key pairs of which the attacker does not have the private key.
    pub kept: Vec<String>,
    pub claims: Vec<ViewClaim>,
}

/// A question of a skeleton.
#[derive(Debug)]
pub struct ViewClaim {
    pub skeleton: usize,
    pub height: usize,
    /// The terms of listeners; without one, the claim is about the partners.
    pub listeners: Vec<TermSyntax>,
    pub span: Span,
}

/// The points of view of a protocol, one for each set of assumptions.
pub fn views(protocol: &CpsaProtocol, found: &mut Vec<Diagnostic>) -> Vec<View> {
    let mut views: Vec<View> = Vec::new();
    for skeleton in &protocol.skeletons {
        let Some(view) = view(protocol, skeleton, found) else { continue };
        match views.iter_mut().find(|other| is_alike(other, &view)) {
            Some(other) => {
                other.claims.extend(view.claims);
                if other.trace.len() < view.trace.len() {
                    (other.trace, other.fresh) = (view.trace, view.fresh);
                }
            }
            None => views.push(view),
        }
    }
    views
}

/// True if two strands of a role have the same values and assumptions, up to their heights.
fn is_alike(one: &View, other: &View) -> bool {
    let all = |ones: &[TermSyntax], others: &[TermSyntax]| {
        ones.len() == others.len() && ones.iter().zip(others).all(|(one, other)| same(one, other))
    };
    let is_fresh = |view: &View, of: &View, name: &String| {
        view.fresh.contains(name)
            || !of.trace.iter().any(|event| names(&event.content).contains(&name.as_str()))
    };
    let is_same_sort = |name: &str| sort_of(&one.sorts, name) == sort_of(&other.sorts, name);
    let is_value = |name: &String, value: &TermSyntax| {
        other.values.get(name).is_some_and(|of| same(of, value)) && names(value).into_iter().all(is_same_sort)
    };
    one.role == other.role
        && one.values.len() == other.values.len()
        && one.values.iter().all(|(name, value)| is_value(name, value))
        && one.fresh.iter().all(|name| is_fresh(other, other, name))
        && other.fresh.iter().all(|name| is_fresh(one, one, name))
        && all(&one.leaked, &other.leaked)
        && one.secret == other.secret
        && one.kept == other.kept
}

fn view(protocol: &CpsaProtocol, skeleton: &Skeleton, found: &mut Vec<Diagnostic>) -> Option<View> {
    let [strand] = &skeleton.strands[..] else {
        let message = match skeleton.strands.len() {
            0 => "a skeleton without a strand is left out".to_owned(),
            count => format!("a skeleton with {count} strands is left out"),
        };
        let help = "skeletons with one strand ask for claims of a run";
        found.push(Diagnostic::warning(skeleton.span, message).with_help(help));
        return None;
    };
    let role = &protocol.roles[strand.role];
    let mut sorts = skeleton.sorts.clone();
    let mut values: HashMap<String, TermSyntax> = HashMap::new();
    for (parameter, sort) in &role.sorts {
        let given = strand.values.iter().find(|(name, _)| name.text == parameter.text);
        let value = match given.map(|(name, value)| (name, &value.kind, value)) {
            Some((_, TermKind::Apply { function, arguments }, value)) if *sort == Sort::Asymmetric => {
                if function.text != PUBLIC {
                    let message = format!("`{}` is a private key: this is not supported", parameter.text);
                    found.push(Diagnostic::error(value.span, message).with_help("give it a public key"));
                    return None;
                }
                tuple(arguments.clone(), value.span)
            }
            Some((_, _, value)) => value.clone(),
            None => {
                let mut own = parameter.text.clone();
                while sort_of(&sorts, &own).is_some() {
                    own.push_str("-0");
                }
                sorts.push((Name { text: own.clone(), span: parameter.span }, *sort));
                name_term(&own, parameter.span)
            }
        };
        values.insert(parameter.text.clone(), value);
    }
    let trace: Vec<CpsaEvent> = role.trace[..strand.height]
        .iter()
        .map(|event| CpsaEvent { content: with(&event.content, &values), ..event.clone() })
        .collect();
    let Assumed { non_originating, unguessable, unique } = &role.assumed;
    let both = |of_skeleton: &[Assumption], of_role: &[Assumption]| {
        let of_role = of_role.iter().filter(|Assumption { from, .. }| *from < strand.height);
        let of_role =
            of_role.map(|Assumption { term, from }| Assumption { term: with(term, &values), from: *from });
        of_skeleton.iter().cloned().chain(of_role).collect::<Vec<_>>()
    };
    let assumed = &skeleton.assumed;
    let assumed = Assumed {
        non_originating: both(&assumed.non_originating, non_originating),
        unguessable: both(&assumed.unguessable, unguessable),
        unique: both(&assumed.unique, unique),
    };
    let claims = vec![ViewClaim {
        skeleton: skeleton.number,
        height: strand.height,
        listeners: skeleton.listeners.clone(),
        span: skeleton.span,
    }];
    let mut view = View {
        role: strand.role,
        trace,
        sorts,
        values,
        fresh: Vec::new(),
        leaked: Vec::new(),
        apart: Vec::new(),
        secret: Vec::new(),
        kept: Vec::new(),
        claims,
    };
    view.assume(protocol, &assumed, found);
    Some(view)
}

impl View {
    /// The names of agents in the strand, each once.
    fn agents(&self) -> Vec<&str> {
        let mut found: Vec<&str> = Vec::new();
        for name in self.trace.iter().flat_map(|event| names(&event.content)) {
            if sort_of(&self.sorts, name) == Some(Sort::Name) && !found.contains(&name) {
                found.push(name);
            }
        }
        found
    }

    fn assume(&mut self, protocol: &CpsaProtocol, assumed: &Assumed, found: &mut Vec<Diagnostic>) {
        let mut left_out = |term: &TermSyntax, why: &str| {
            let message = format!("this assumption is left out: {why}");
            found.push(Diagnostic::warning(term.span, message).with_help(STILL_HOLDS));
        };
        let begins = |name: &str| begins(&self.trace, name);
        for Assumption { term, .. } in &assumed.unique {
            match variable(term).map(|name| (name, begins(name))) {
                Some((name, Some(true))) => self.fresh.push(name.to_owned()),
                Some((_, Some(false))) => left_out(term, "another run makes the value"),
                Some((_, None)) => {}
                None => left_out(term, "it is about no variable"),
            }
        }
        let mut honest: Vec<&TermSyntax> = Vec::new();
        for Assumption { term, .. } in &assumed.non_originating {
            match &term.kind {
                TermKind::Name(name) => match begins(name) {
                    Some(true) => self.secret.push(name.clone()),
                    Some(false) => left_out(term, "another run has the value"),
                    None => {}
                },
                TermKind::Apply { function, arguments }
                    if function.text == PRIVATE || function.text == SHARED =>
                {
                    let pair = match &arguments[..] {
                        [TermSyntax { kind: TermKind::Name(name), .. }] => {
                            Some(name).filter(|name| sort_of(&self.sorts, name) == Some(Sort::Asymmetric))
                        }
                        _ => None,
                    };
                    let known = |name: &&str| begins(name).is_none() && sort_of(&self.sorts, name).is_some();
                    match pair {
                        Some(name) => self.kept.push(name.clone()),
                        None if names(term).iter().any(known) => {
                            left_out(term, "the strand has no such agent");
                        }
                        None => honest.push(term),
                    }
                }
                _ => left_out(term, "it is about no key"),
            }
        }
        for Assumption { term, .. } in &assumed.unguessable {
            match variable(term).map(|name| (name, begins(name))) {
                Some((name, Some(true))) if !self.fresh.iter().any(|fresh| fresh == name) => {
                    self.secret.push(name.to_owned());
                }
                Some((_, Some(false))) | None => left_out(term, "another run has the value"),
                Some(_) => {}
            }
        }
        let fresh = std::mem::take(&mut self.fresh);
        self.fresh = fresh.into_iter().filter(|name| !self.secret.contains(name)).collect();
        for list in [&mut self.fresh, &mut self.secret, &mut self.kept] {
            list.sort();
            list.dedup();
        }
        self.leaked = self.leaked(protocol, &honest);
        self.apart = apart(&self.leaked, &honest);
        if !self.apart.is_empty() {
            let pairs =
                self.apart.iter().map(|[one, other]| [names(one), names(other)].map(|names| names.join(" ")));
            let pairs: Vec<String> = pairs.map(|[one, other]| format!("{one} = {other}")).collect();
            let message = format!("strands with {} are left out: attacks may be missed", pairs.join(", "));
            let help = "assume all long-term keys of these agents: `(non-orig (privk a) (privk b))`";
            found.push(Diagnostic::warning(self.claims[0].span, message).with_help(help));
        }
    }

    /// The keys of the agents that are not assumed to be secret, of those that the protocol uses.
    fn leaked(&self, protocol: &CpsaProtocol, honest: &[&TermSyntax]) -> Vec<TermSyntax> {
        let (mut tags, mut is_shared): (Vec<Vec<TermSyntax>>, bool) = (Vec::new(), false);
        let events = protocol.roles.iter().flat_map(|role| role.trace.iter().map(move |event| (role, event)));
        for (role, event) in events {
            walk(&event.content, &mut |part| {
                if let TermKind::Apply { function, arguments } = &part.kind
                    && let Some((TermSyntax { kind: TermKind::Name(agent), .. }, tag)) =
                        arguments.split_last()
                    && sort_of(&role.sorts, agent) == Some(Sort::Name)
                {
                    is_shared |= function.text == SHARED;
                    let is_new = || {
                        !tags.iter().any(|other| {
                            other.len() == tag.len()
                                && other.iter().zip(tag).all(|(one, other)| same(one, other))
                        })
                    };
                    if (function.text == PRIVATE || function.text == PUBLIC) && is_new() {
                        tags.push(tag.to_vec());
                    }
                }
            });
        }
        let span = self.claims[0].span;
        let agents = self.agents();
        let term = |name: &&str| name_term(name, span);
        let mut keys = Vec::new();
        for agent in &agents {
            keys.extend(
                tags.iter()
                    .map(|tag| applied(PRIVATE, tag.iter().cloned().chain([term(agent)]).collect(), span)),
            );
            if is_shared {
                let pairs = agents.iter().map(|other| applied(SHARED, vec![term(agent), term(other)], span));
                keys.extend(pairs);
            }
        }
        keys.retain(|key| !honest.iter().any(|other| same(other, key)));
        keys
    }

    /// True if the assumptions are those of each run of the role, and the values variables of their own.
    pub fn is_plain(&self, protocol: &CpsaProtocol) -> bool {
        let role = &protocol.roles[self.role];
        let own = self.values.values().map(|value| match &value.kind {
            TermKind::Name(name) => Some(name),
            _ => None,
        });
        let own: Option<BTreeSet<&String>> = own.collect();
        let is_value = |parameter: &str, name: &str| matches!(&self.values[parameter].kind, TermKind::Name(of) if of == name);
        let unique = |name: &String| role.unique().any(|parameter| is_value(parameter, name));
        own.is_some_and(|own| own.len() == self.values.len())
            && self.fresh.iter().all(unique)
            && self.leaked.is_empty()
            && self.secret.is_empty()
            && self.kept.is_empty()
    }
}

/// The agents that differ where none of the leaked keys is an honest one.
fn apart(leaked: &[TermSyntax], honest: &[&TermSyntax]) -> Vec<[TermSyntax; 2]> {
    let mut found: Vec<[TermSyntax; 2]> = Vec::new();
    let mut pairs: Vec<(Vec<TermSyntax>, Vec<TermSyntax>)> = Vec::new();
    for (lost, kept) in leaked.iter().flat_map(|lost| honest.iter().map(move |kept| (lost, kept))) {
        let (TermKind::Apply { function: f, arguments: a }, TermKind::Apply { function: g, arguments: b }) =
            (&lost.kind, &kept.kind)
        else {
            continue;
        };
        if f.text == g.text && a.len() == b.len() {
            let differ = a.iter().zip(b).filter(|(one, other)| !same(one, other));
            pairs.push(differ.map(|(one, other)| (one.clone(), other.clone())).unzip());
        }
    }
    // Where two agents differ, so do all keys that have them in the same place.
    pairs.sort_by_key(|(ones, _)| ones.len());
    for (ones, others) in pairs {
        let is_tag = |term: &TermSyntax| names(term).iter().any(|name| name.starts_with('"'));
        let is_covered = found.iter().any(|[one, other]| {
            let at = |(a, b): (&TermSyntax, &TermSyntax)| {
                same(a, one) && same(b, other) || same(a, other) && same(b, one)
            };
            ones.iter().zip(&others).any(at)
        });
        if !is_covered && !ones.iter().any(is_tag) {
            let span = ones[0].span;
            found.push([tuple(ones, span), tuple(others, span)]);
        }
    }
    found
}
