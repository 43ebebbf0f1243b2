//! The knowledge of a role: which terms it can make, and what it sees of a message.

use super::tree::{AnbTerm, AnbTermKind};
use crate::protocol::text::tree::{TermKind, TermSyntax};
use kit::diagnostics::Span;
use kit::parsing::Name;
use std::collections::HashSet;

/// The name of exponentiation.
pub const POWER: &str = "exp";

/// The functions of a file.
#[derive(Debug, Default)]
pub struct AnbFunctions {
    /// Those that everybody can apply and undo.
    pub formats: HashSet<String>,
    /// Those with a private key for each public one.
    pub key_pairs: HashSet<String>,
    /// Private keys of which all signatures are certificates alike: names of agents with what functions give for these. Who opens one
    /// knows what the functions give.
    pub certifying: HashSet<AnbTerm>,
}

/// The name of the function for the private keys that belong to the public keys of another one.
pub fn private(function: &str) -> String {
    format!("inv-{function}")
}

/// A term that is looked into no further, and the variable for it.
#[derive(Debug)]
struct Unseen {
    term: AnbTerm,
    variable: String,
    /// True once it is compared with what it turned out to be.
    is_seen: bool,
}

/// The knowledge of a role at a moment.
#[derive(Debug)]
pub struct RoleKnowledge<'f> {
    functions: &'f AnbFunctions,
    /// The functions that it can apply.
    applies: HashSet<String>,
    terms: HashSet<AnbTerm>,
    unseen: Vec<Unseen>,
    /// The encrypted terms that it has opened.
    opened: HashSet<AnbTerm>,
    /// The names that it has received first, in order.
    pub received: Vec<String>,
}

impl<'f> RoleKnowledge<'f> {
    pub fn new(functions: &'f AnbFunctions, known: &[AnbTerm]) -> Self {
        let is_name = |term: &AnbTerm| matches!(term.kind, AnbTermKind::Name(_));
        let names = known.iter().filter(|term| is_name(term)).map(AnbTerm::show);
        RoleKnowledge {
            functions,
            applies: names.collect(),
            terms: known.iter().cloned().collect(),
            unseen: Vec::new(),
            opened: HashSet::new(),
            received: Vec::new(),
        }
    }

    /// Adds a term.
    pub fn learn(&mut self, term: AnbTerm) {
        self.terms.insert(term);
    }

    /// The variables for terms that are looked into no further.
    pub fn variables(&self) -> impl Iterator<Item = &str> {
        self.unseen.iter().map(|unseen| unseen.variable.as_str())
    }

    fn can_apply(&self, function: &str) -> bool {
        self.applies.contains(function) || self.functions.formats.contains(function)
    }

    /// A term as the role makes it; nothing if it cannot.
    pub fn make(&self, term: &AnbTerm) -> Option<TermSyntax> {
        self.made(term, None)
    }

    /// A term without the use of one of the unseen ones.
    fn made(&self, term: &AnbTerm, but: Option<usize>) -> Option<TermSyntax> {
        let unseen = self.unseen.iter().enumerate();
        let mut unseen = unseen.filter(|(number, unseen)| Some(*number) != but && unseen.term == *term);
        if let Some((_, unseen)) = unseen.next() {
            return Some(syntax(TermKind::Name(unseen.variable.clone()), term.span));
        }
        if self.terms.contains(term) {
            return plain(term);
        }
        if self.opened.contains(term) {
            return self.seen(term).ok();
        }
        let is_possible = match &term.kind {
            AnbTermKind::Power(parts) => return self.power_made(parts, but),
            AnbTermKind::Name(_) | AnbTermKind::Inverse(_) => false,
            AnbTermKind::Apply(function, _) => self.can_apply(function),
            AnbTermKind::Asymmetric(_) | AnbTermKind::Symmetric(_) | AnbTermKind::Tuple(_) => true,
        };
        is_possible.then(|| written(term, &|part| self.made(part, but))).flatten()
    }

    /// A power, of the base or of a power that the role has.
    fn power_made(&self, parts: &[AnbTerm], but: Option<usize>) -> Option<TermSyntax> {
        let unseen = self.unseen.iter().enumerate().filter(|(number, _)| Some(*number) != but);
        let powers = unseen.map(|(_, unseen)| &unseen.term).chain(&self.terms);
        let powers = powers.filter(|term| matches!(term.kind, AnbTermKind::Power(_)));
        powers.chain(&parts[..1]).find_map(|from| {
            let had = if from.kind == parts[0].kind { std::slice::from_ref(from) } else { from.parts() };
            let mut left = parts.to_vec();
            for part in had {
                left.swap_remove(left.iter().position(|other| other == part)?);
            }
            // The whole is no way to itself.
            let from = (!left.is_empty()).then(|| self.made(from, but)).flatten()?;
            raised(from, left.iter().map(|exponent| self.made(exponent, but)))
        })
    }

    /// Takes a message in; the term that the role expects, and the comparisons that it can make afterwards, or the reason why it cannot be
    /// expressed. `variable` gives names to what is looked into no further.
    pub fn receive(
        &mut self,
        message: &AnbTerm,
        variable: &mut impl FnMut() -> String,
    ) -> Result<(TermSyntax, Vec<[TermSyntax; 2]>), String> {
        let mut closed = Vec::new();
        self.absorb(message, &mut closed);
        closed.extend(self.unseen.iter().filter(|unseen| !unseen.is_seen).map(|unseen| unseen.term.clone()));
        loop {
            let is_open = |term: &AnbTerm| self.opens(term);
            let is_key = |term: &AnbTerm| {
                matches!(term.kind, AnbTermKind::Apply(..) | AnbTermKind::Power(_) | AnbTermKind::Inverse(_))
            };
            if let Some(place) = closed.iter().position(is_open) {
                let term = closed.swap_remove(place);
                self.open(term, &mut closed);
            } else if let Some(place) = closed.iter().position(is_key).or_else(|| closed.len().checked_sub(1))
            {
                // It may open others.
                let term = closed.swap_remove(place);
                if self.make(&term).is_none() {
                    self.unseen.push(Unseen { term, variable: variable(), is_seen: false });
                }
            } else {
                break;
            }
        }
        let mut compared = Vec::new();
        for number in 0..self.unseen.len() {
            let Unseen { term, variable, is_seen } = &self.unseen[number];
            if *is_seen {
                continue;
            }
            let seen = match self.opened.contains(term) {
                true => Some(self.seen(term)?),
                false => self.made(term, Some(number)),
            };
            if let Some(seen) = seen {
                let variable = syntax(TermKind::Name(variable.clone()), message.span);
                compared.push([seen, variable]);
                self.unseen[number].is_seen = true;
            }
        }
        Ok((self.seen(message)?, compared))
    }

    /// Takes in what is encrypted in a term.
    fn open(&mut self, term: AnbTerm, closed: &mut Vec<AnbTerm>) {
        let [body, key] = [&term.parts()[0], &term.parts()[1]];
        if self.functions.certifying.contains(key) {
            let is_given = |part: &&AnbTerm| matches!(part.kind, AnbTermKind::Apply(..));
            self.terms.extend(body.parts().iter().filter(is_given).cloned());
        }
        self.absorb(body, closed);
        self.opened.insert(term);
    }

    /// Takes in what lies open in a term; what does not is `closed`.
    fn absorb(&mut self, term: &AnbTerm, closed: &mut Vec<AnbTerm>) {
        if self.make(term).is_some() && !matches!(term.kind, AnbTermKind::Tuple(_)) {
            return;
        }
        match &term.kind {
            AnbTermKind::Name(name) => {
                self.received.push(name.clone());
                self.terms.insert(term.clone());
            }
            AnbTermKind::Tuple(parts) => parts.iter().for_each(|part| self.absorb(part, closed)),
            AnbTermKind::Apply(function, parts) if self.functions.formats.contains(function) => {
                parts.iter().for_each(|part| self.absorb(part, closed));
            }
            _ if !closed.contains(term) => closed.push(term.clone()),
            _ => {}
        }
    }

    /// True if the role can open an encrypted term.
    fn opens(&self, term: &AnbTerm) -> bool {
        let opener = match &term.kind {
            _ if self.opened.contains(term) => return false,
            AnbTermKind::Symmetric(parts) => parts[1].clone(),
            AnbTermKind::Asymmetric(parts) => match &parts[1].kind {
                AnbTermKind::Inverse(public) => (**public).clone(),
                _ => AnbTerm { kind: AnbTermKind::Inverse(Box::new(parts[1].clone())), span: parts[1].span },
            },
            _ => return false,
        };
        self.make(&opener).is_some()
    }

    /// A term as the role sees it.
    fn seen(&self, term: &AnbTerm) -> Result<TermSyntax, String> {
        let parts = || term.parts().iter().map(|part| self.seen(part)).collect::<Result<Vec<_>, _>>();
        let kind = match &term.kind {
            _ if self.opened.contains(term) => {
                let [body, key] = [&term.parts()[0], &term.parts()[1]];
                let is_received = matches!(&key.kind, AnbTermKind::Inverse(public) if self.is_unseen(public));
                let is_public = |key: &AnbTerm| written(key, &|part| self.make(part));
                let key = match is_received {
                    true => None,
                    false => self.make(key).or_else(|| is_public(key)),
                };
                let key = key.ok_or_else(|| {
                    format!("the signature {} is checked with a key that was received", term.show())
                })?;
                TermKind::Encrypted { body: vec![self.seen(body)?], key: Box::new(key) }
            }
            AnbTermKind::Tuple(_) => TermKind::Tuple(parts()?),
            AnbTermKind::Apply(function, _) if self.functions.formats.contains(function) => {
                let function = Name { text: function.clone(), span: term.span };
                TermKind::Apply { function, arguments: parts()? }
            }
            _ => return self.make(term).ok_or_else(|| format!("{} cannot be checked", term.show())),
        };
        Ok(syntax(kind, term.span))
    }

    fn is_unseen(&self, term: &AnbTerm) -> bool {
        self.unseen.iter().any(|unseen| unseen.term == *term)
    }
}

/// A base raised to the power of some exponents.
fn raised(base: TermSyntax, mut exponents: impl Iterator<Item = Option<TermSyntax>>) -> Option<TermSyntax> {
    exponents.try_fold(base, |base, exponent| {
        let (function, span) = (Name { text: POWER.to_owned(), span: base.span }, base.span);
        Some(syntax(TermKind::Apply { function, arguments: vec![base, exponent?] }, span))
    })
}

fn syntax(kind: TermKind, span: Span) -> TermSyntax {
    TermSyntax { kind, span }
}

/// A term of a protocol file.
pub fn plain(term: &AnbTerm) -> Option<TermSyntax> {
    written(term, &plain)
}

/// A term of a protocol file, given its parts.
fn written(term: &AnbTerm, part: &dyn Fn(&AnbTerm) -> Option<TermSyntax>) -> Option<TermSyntax> {
    let all = |terms: &[AnbTerm]| terms.iter().map(part).collect::<Option<Vec<_>>>();
    let apply = |function: String, arguments: &[AnbTerm]| {
        let function = Name { text: function, span: term.span };
        Some(TermKind::Apply { function, arguments: all(arguments)? })
    };
    let kind = match &term.kind {
        AnbTermKind::Name(name) => TermKind::Name(name.clone()),
        AnbTermKind::Apply(function, arguments) => apply(function.clone(), arguments)?,
        AnbTermKind::Inverse(public) => match &public.kind {
            AnbTermKind::Apply(function, arguments) => apply(private(function), arguments)?,
            _ => return None,
        },
        AnbTermKind::Asymmetric(parts) | AnbTermKind::Symmetric(parts) => {
            TermKind::Encrypted { body: vec![part(&parts[0])?], key: Box::new(part(&parts[1])?) }
        }
        AnbTermKind::Power(parts) => return raised(part(&parts[0])?, parts[1..].iter().map(part)),
        AnbTermKind::Tuple(parts) => TermKind::Tuple(all(parts)?),
    };
    Some(syntax(kind, term.span))
}
