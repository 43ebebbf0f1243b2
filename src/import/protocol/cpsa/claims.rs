//! The claims of a point of view, and what its partners say at the same time.

use super::terms::{HASH, can_fit, carried, name_term, names, same, sort_of, walk};
use super::viewed::{Part, ViewedProtocol};
use super::views::View;
use crate::protocol::text::tree::{TermKind, TermSyntax};
use kit::diagnostics::{Diagnostic, Span};

/// A claim of a part, before the event with this number.
pub struct PlacedEvent {
    pub part: usize,
    pub after: usize,
    pub label: Option<String>,
    /// The constant that tells it from the claims of other skeletons.
    pub mark: Option<String>,
    /// The roles and the kind of claim.
    pub head: Vec<TermSyntax>,
    /// Terms of the part.
    pub data: Vec<TermSyntax>,
    pub span: Span,
}

impl ViewedProtocol<'_> {
    /// True if a received message may contain an encrypted or hashed part of a sent one; of messages without such parts, if they fit.
    pub fn feeds(&self, (from, sent): (usize, usize), (to, received): (usize, usize)) -> bool {
        let (sender, receiver) = (&self.parts[from], &self.parts[to]);
        let inner = |part: &Part<'_>, at: usize| {
            let mut found: Vec<TermSyntax> = Vec::new();
            carried(&part.trace[at].content, &mut |term| {
                if is_protected(term) {
                    found.push(term.clone());
                }
            });
            found
        };
        let earlier = |term: &TermSyntax| {
            let mut is_own = false;
            for event in receiver.trace[..received].iter().filter(|event| event.sends) {
                walk(&event.content, &mut |part| is_own |= same(part, term));
            }
            is_own
        };
        let wanted: Vec<TermSyntax> =
            inner(receiver, received).into_iter().filter(|term| !earlier(term)).collect();
        let fits = |one: &TermSyntax, other: &TermSyntax| {
            can_fit([one, other].map(std::slice::from_ref), [&sender.sorts, &receiver.sorts])
        };
        if wanted.is_empty() {
            return fits(&sender.trace[sent].content, &receiver.trace[received].content);
        }
        let made = inner(sender, sent);
        wanted.iter().any(|wanted| made.iter().any(|made| fits(made, wanted)))
    }

    /// The claims of the strand, and what its partners say at the same time.
    pub fn claims(&self, roles: &[String], found: &mut Vec<Diagnostic>) -> Vec<PlacedEvent> {
        let (Some(view), Some(own)) = (self.view, self.own) else { return Vec::new() };
        let mut claims = Vec::new();
        for claim in &view.claims {
            let label = format!("S{}", claim.skeleton);
            let here = |label: String, head: Vec<TermSyntax>, data: Vec<TermSyntax>| PlacedEvent {
                part: own,
                after: claim.height,
                label: Some(label),
                mark: None,
                head,
                data,
                span: claim.span,
            };
            let known = self.known(own, claim.height);
            for (number, heard) in claim.listeners.iter().enumerate() {
                let unknown = names(heard).into_iter().find(|name| {
                    sort_of(&view.sorts, name).is_some() && !known.iter().any(|known| known == name)
                });
                if let Some(name) = unknown {
                    let message = format!("this listener is left out: the strand does not have `{name}`");
                    found.push(
                        Diagnostic::warning(heard.span, message).with_help("listen to what the strand has"),
                    );
                    continue;
                }
                let label = if number == 0 { label.clone() } else { format!("{label}-{}", number + 1) };
                let head = [roles[own].as_str(), "Secret"].map(|text| name_term(text, claim.span));
                claims.push(here(label, head.to_vec(), vec![heard.clone()]));
            }
            if !claim.listeners.is_empty() {
                continue;
            }
            let count = claims.len();
            for (place, role) in roles.iter().enumerate() {
                let is_copy = place >= self.described.roles.len() && self.described.roles.len() > 1;
                let Some(last) = self.last_needed(place, claim.height).filter(|_| place != own && !is_copy)
                else {
                    continue;
                };
                let name = |text: &str| name_term(text, claim.span);
                let is_named = |part: usize, of: usize, height: usize| {
                    let Part { agents, trace, .. } = &self.parts[part];
                    let has = |agent: &String| {
                        trace[..height].iter().any(|event| names(&event.content).contains(&agent.as_str()))
                    };
                    !self.acts[of] || agents[of].as_ref().is_some_and(has)
                };
                if is_named(own, place, claim.height) {
                    let head = [roles[own].as_str(), "Alive", role].map(name).to_vec();
                    claims.push(here(format!("{label}-{role}-alive"), head, Vec::new()));
                }
                if !is_named(own, place, claim.height) || !is_named(place, own, last + 1) {
                    continue;
                }
                let parameters = self.shared(view, &known, place, last);
                let data = parameters.iter().map(|parameter| view.values[*parameter].clone()).collect();
                let head = [roles[own].as_str(), "Commit", role, &label].map(name).to_vec();
                let commit = here(format!("{label}-{role}"), head, data);
                claims.push(PlacedEvent { mark: Some(label.clone()), ..commit });
                claims.push(PlacedEvent {
                    part: place,
                    after: last,
                    label: None,
                    mark: None,
                    head: [role.as_str(), "Running", &roles[own], &label].map(name).to_vec(),
                    data: parameters.into_iter().map(|parameter| name(parameter)).collect(),
                    span: claim.span,
                });
            }
            if claims.len() == count {
                let message = "no claim can be made for this skeleton";
                let help =
                    "no other role sends what the strand receives, or their agents have different names";
                found.push(Diagnostic::warning(claim.span, message).with_help(help));
            }
        }
        claims
    }

    /// The parameters of the strand's role, of which it knows these values, that another part has too up to its event `last`.
    fn shared<'v>(&'v self, view: &'v View, known: &[String], place: usize, last: usize) -> Vec<&'v String> {
        let theirs = self.known(place, last + 1);
        let parameters = self.described.roles[view.role].sorts.iter().filter(|(name, sort)| {
            let value = &view.values[&name.text];
            sort_of(&self.parts[place].sorts, &name.text) == Some(*sort)
                && theirs.contains(&name.text)
                && names(value).into_iter().all(|value| known.iter().any(|known| known == value))
        });
        parameters.map(|(name, _)| &name.text).collect()
    }

    /// The last event of a part that sends what the strand receives.
    fn last_needed(&self, place: usize, height: usize) -> Option<usize> {
        let own = self.own?;
        let received = (0..height).filter(|at| !self.parts[own].trace[*at].sends);
        let received: Vec<usize> = received.collect();
        let mut sent =
            (0..self.parts[place].trace.len()).rev().filter(|at| self.parts[place].trace[*at].sends);
        sent.find(|sent| received.iter().any(|received| self.feeds((place, *sent), (own, *received))))
    }
}

fn is_protected(term: &TermSyntax) -> bool {
    match &term.kind {
        TermKind::Encrypted { .. } => true,
        TermKind::Apply { function, .. } => function.text == HASH,
        _ => false,
    }
}
