//! Claims and their labels.

use super::order::Actor;
use super::{ProtocolChecker, RoleTerm, Span};
use crate::protocol::ir::{EventKind, RoleClaim};
use crate::protocol::text::tree::{
    self, EventSyntaxKind as Kind, Name, ProtocolItem, ProtocolMember, StepSyntax, TermKind,
};
use kit::diagnostics::Diagnostic;
use rustc_hash::{FxHashMap, FxHashSet};

const CLAIMS: &[&str] = &[
    "Secret",
    "SKR",
    "Alive",
    "Recentalive",
    "Weakagree",
    "Niagree",
    "Nisynch",
    "Commit",
    "Icommit",
    "Running",
    "Reachable",
    "Empty",
    "SID",
    "NotEqual",
];

/// Synonyms of claims in papers and tools, with their names here.
const OTHER_WORDS: &[(&str, &str)] = &[
    ("Secrecy", "Secret"),
    ("SessionKey", "SKR"),
    ("Aliveness", "Alive"),
    ("RecentAliveness", "Recentalive"),
    ("Recent", "Recentalive"),
    ("WeakAgreement", "Weakagree"),
    ("Agree", "Niagree"),
    ("Agreement", "Niagree"),
    ("Synch", "Nisynch"),
    ("Synchronisation", "Nisynch"),
    ("Synchronization", "Nisynch"),
    ("InjectiveAgreement", "Icommit"),
    ("Injcommit", "Icommit"),
    ("Reach", "Reachable"),
];

/// The labels of the claims of a protocol.
#[derive(Debug, Default)]
pub(super) struct ClaimLabels {
    written: FxHashSet<String>,
    /// The labels assigned so far, with their places in the text.
    given: FxHashMap<String, Option<Span>>,
    /// For each role, the number of labels tried for its claims.
    tried: FxHashMap<String, usize>,
}

pub(super) struct ChosenLabel {
    pub label: String,
    /// A warning if the label in the text belongs to another claim.
    pub warning: Option<Diagnostic>,
}

impl ClaimLabels {
    /// Prepares the labels of a protocol, before any claim is checked.
    pub fn of(item: &ProtocolItem) -> Self {
        let steps = item.members.iter().filter_map(|member| match member {
            ProtocolMember::Role(role) => Some(&role.steps),
            ProtocolMember::Declaration(_) => None,
        });
        let written = steps.flatten().filter_map(|step| match step {
            StepSyntax::Event(tree::EventSyntax { kind: Kind::Claim { label: Some(label), .. }, .. }) => {
                Some(label.text.clone())
            }
            _ => None,
        });
        Self { written: written.collect(), ..Self::default() }
    }

    /// Chooses the label of the next claim of a role: its own, or an unused one: `I1`, `I2`, …
    pub fn choose(&mut self, label: Option<&Name>, role: &str) -> ChosenLabel {
        let own = label.filter(|label| !self.given.contains_key(&label.text));
        if let Some(label) = own {
            self.given.insert(label.text.clone(), Some(label.span));
            return ChosenLabel { label: label.text.clone(), warning: None };
        }
        let tried = self.tried.entry(role.to_owned()).or_default();
        let made = loop {
            *tried += 1;
            let made = format!("{role}{tried}");
            if !self.written.contains(&made) && !self.given.contains_key(&made) {
                break made;
            }
        };
        self.given.insert(made.clone(), None);
        let warning = label.map(|label| {
            let message = format!("another claim has the label `{}`", label.text);
            let warning =
                Diagnostic::warning(label.span, message).with_help(format!("this one is called `{made}`"));
            match self.given.get(&label.text) {
                Some(Some(first)) => warning.with_related(*first, "it is here"),
                _ => warning,
            }
        });
        ChosenLabel { label: made, warning }
    }
}

impl<'t> ProtocolChecker<'t> {
    /// Checks a claim. Leaves its variables in `mentions`, for the caller to check.
    pub(super) fn claim(
        &mut self,
        terms: &'t [tree::TermSyntax],
        span: Span,
        actor: &mut Actor,
    ) -> Option<EventKind> {
        let [role, kind, about @ ..] = terms else {
            let message = "a claim has the role that makes it and its kind";
            self.mistake(span, message, "write `claim_I1(I, Secret, x)`");
            return None;
        };
        let own = self.term(role);
        self.check_claimant(own, role.span, actor);
        let TermKind::Name(name) = &kind.kind else {
            self.mistake(
                kind.span,
                "this is not the name of a claim",
                format!("claims are {}", CLAIMS.join(", ")),
            );
            return None;
        };
        if !CLAIMS.contains(&name.as_str()) {
            let help = self.meant(name, CLAIMS.iter().copied(), OTHER_WORDS);
            let help = help.unwrap_or_else(|| format!("claims are {}", CLAIMS.join(", ")));
            self.mistake(kind.span, format!("unknown claim `{name}`"), help);
            return None;
        }
        if name == "NotEqual" {
            let [pattern, term] = about else {
                self.mistake(span, "`NotEqual` compares two terms", "write `not match(t, u)`");
                return None;
            };
            return self.compared(pattern, term, false, actor);
        }
        let about_them =
            matches!(name.as_str(), "Alive" | "Recentalive" | "Weakagree" | "Niagree" | "Nisynch");
        if about_them && !actor.received {
            let message = format!("`{name}` is claimed before the role receives anything");
            self.warn(kind.span, message, "it cannot refer to other roles yet");
        }
        let parameters = if about.is_empty() { Some(Vec::new()) } else { self.components(about) };
        let claim = self.claimed(name, kind.span, parameters?)?;
        self.check_partner(name, &claim, about.first().map_or(kind.span, |partner| partner.span), actor)?;
        Some(EventKind::Claim(claim))
    }

    /// Checks that a claim about one role is about another one than that which makes it.
    fn check_partner(&mut self, name: &str, claim: &RoleClaim, span: Span, actor: &Actor) -> Option<()> {
        let (RoleClaim::Alive(Some(role))
        | RoleClaim::RecentlyAlive(Some(role))
        | RoleClaim::WeakAgreement(Some(role))
        | RoleClaim::Commit { role, .. }
        | RoleClaim::Running { role, .. }) = claim
        else {
            return Some(());
        };
        if *role != actor.role {
            return Some(());
        }
        let Self { found, .. } = self;
        let own = &found.roles[role.index()];
        let others = found.protocols[own.protocol.index()].roles.iter().filter(|other| *other != role);
        let others = others.map(|other| format!("`{}`", found.roles[other.index()].name)).collect::<Vec<_>>();
        let message = format!("role `{}` makes a claim about itself", own.name);
        let help = match &others[..] {
            [] => "the protocol has no other role: remove the claim".to_owned(),
            _ => format!("`{name}` is about a partner: {}", others.join(" or ")),
        };
        self.mistake(span, message, help);
        None
    }

    /// Checks that the first term of a claim is the role that makes it.
    fn check_claimant(&mut self, own: Option<RoleTerm>, span: Span, actor: &Actor) {
        if own.is_some_and(|own| own != RoleTerm::Agent(actor.role)) {
            let name = self.found.roles[actor.role.index()].name.clone();
            let message = "a role can make claims for itself only";
            self.mistake(span, message, format!("write `{name}`"));
        }
    }

    /// Builds a claim from its name and parameters.
    fn claimed(&mut self, name: &str, span: Span, about: Vec<RoleTerm>) -> Option<RoleClaim> {
        let count = about.len();
        match name {
            "Secret" | "SKR" => {
                let [term] = <[RoleTerm; 1]>::try_from(about)
                    .map_err(|_| self.not_one_term(name, span, count))
                    .ok()?;
                Some(if name == "SKR" { RoleClaim::SessionKey(term) } else { RoleClaim::Secret(term) })
            }
            "Commit" | "Icommit" | "Running" => {
                let mut about = about.into_iter();
                let partner = match about.next() {
                    Some(RoleTerm::Agent(role)) if count > 1 => role,
                    _ => {
                        let message = format!("`{name}` needs the role of the partner and the agreed terms");
                        self.mistake(span, message, format!("write `claim(I, {name}, R, x, y)`"));
                        return None;
                    }
                };
                let data = about.collect();
                Some(match name {
                    "Running" => RoleClaim::Running { role: partner, data },
                    _ => RoleClaim::Commit { role: partner, data, injective: name == "Icommit" },
                })
            }
            "Empty" => Some(RoleClaim::Empty),
            "SID" => {
                self.warn(span, "`SID` is read as a note: sessions have no names", "nothing is checked here");
                Some(RoleClaim::Empty)
            }
            "Alive" | "Recentalive" | "Weakagree" => {
                let of = match about[..] {
                    [] => None,
                    [RoleTerm::Agent(role)] => Some(role),
                    _ => {
                        let message =
                            format!("`{name}` is about the partner in one role, or about all partners");
                        let help = format!("write `claim(I, {name}, R)` or `claim(I, {name})`");
                        self.mistake(span, message, help);
                        return None;
                    }
                };
                Some(match name {
                    "Alive" => RoleClaim::Alive(of),
                    "Recentalive" => RoleClaim::RecentlyAlive(of),
                    _ => RoleClaim::WeakAgreement(of),
                })
            }
            _ if count > 0 => {
                self.mistake(span, format!("`{name}` is not about terms"), "remove the terms after it");
                None
            }
            "Niagree" => Some(RoleClaim::NonInjectiveAgreement),
            "Nisynch" => Some(RoleClaim::NonInjectiveSynchronisation),
            _ => Some(RoleClaim::Reachable),
        }
    }

    fn not_one_term(&mut self, name: &str, span: Span, count: usize) {
        self.mistake(span, format!("`{name}` is about one term, not {count}"), "make a claim for each term");
    }
}
