//! What the attacker of Dolev and Yao can do with what she knows.

use super::term::{Bindings, Name, Term, bound, takes_any};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Which keys open what others have closed.
#[derive(Default, Clone)]
pub struct Inverses {
    /// Each opens what the other one has closed.
    pub keys: Vec<[Term; 2]>,
    /// Functions: with the same arguments, each gives a key that opens what that of the other one has closed.
    pub functions: Vec<[Term; 2]>,
}

impl Inverses {
    /// The key that opens what `key` has closed.
    fn of(&self, key: &Term) -> Term {
        match key {
            Term::Crypt { text, key: function } => Term::Crypt {
                text: text.clone(),
                key: other_half(&self.functions, function).map_or_else(|| function.clone(), Rc::new),
            },
            _ => other_half(&self.keys, key).unwrap_or_else(|| key.clone()),
        }
    }
}

/// What the term is the inverse of.
fn other_half(pairs: &[[Term; 2]], term: &Term) -> Option<Term> {
    let pair = pairs.iter().find(|pair| pair.contains(term))?;
    pair.iter().find(|half| *half != term).cloned()
}

/// What the attacker knows: the parts that she can take out of what she has heard. Pairs are known by their parts.
#[derive(Clone)]
pub struct Knowledge {
    parts: BTreeSet<Term>,
    inverses: Rc<Inverses>,
}

impl Knowledge {
    pub fn new(inverses: Inverses) -> Self {
        Self { parts: BTreeSet::new(), inverses: inverses.into() }
    }

    pub fn parts(&self) -> &BTreeSet<Term> {
        &self.parts
    }

    /// She hears a term, and takes apart what she can, until there is nothing new.
    pub fn hear(&mut self, term: &Term) {
        self.keep(term);
        loop {
            let opened = |part: &Term| match part {
                Term::Crypt { text, key } if self.can_make(&self.inverses.of(key)) => Some(text.clone()),
                _ => None,
            };
            let before = self.parts.len();
            let texts: Vec<Rc<Term>> = self.parts.iter().filter_map(opened).collect();
            for text in texts {
                self.keep(&text);
            }
            if self.parts.len() == before {
                return;
            }
        }
    }

    fn keep(&mut self, term: &Term) {
        if let Term::Pair(first, second) = term {
            self.keep(first);
            self.keep(second);
        } else {
            self.parts.insert(term.clone());
        }
    }

    /// True if she can make a term out of what she knows.
    pub fn can_make(&self, term: &Term) -> bool {
        self.parts.contains(term)
            || match term {
                Term::Atom { .. } | Term::Local(_) => false,
                Term::Pair(..) | Term::Crypt { .. } => {
                    term.children().into_iter().all(|part| self.can_make(part))
                }
            }
    }

    /// All bindings with which she can make the pattern, where `kinds` has the types of variables, and `any` what those may get that take
    /// any term.
    pub fn instances(
        &self,
        pattern: &Term,
        kinds: &BTreeMap<Name, Name>,
        any: &BTreeMap<Name, BTreeSet<Term>>,
        bindings: &Bindings,
    ) -> BTreeSet<Bindings> {
        let pattern = pattern.under(bindings);
        let further = |pattern: &Term, from: BTreeSet<Bindings>| -> BTreeSet<Bindings> {
            from.iter().flat_map(|bindings| self.instances(pattern, kinds, any, bindings)).collect()
        };
        let start = BTreeSet::from([bindings.clone()]);
        if pattern.locals().is_empty() {
            return if self.can_make(&pattern) { start } else { BTreeSet::new() };
        }
        if let Term::Local(name) = &pattern {
            let candidates = if takes_any(&kinds[name]) { &any[name] } else { &self.parts };
            let taken = candidates.iter().filter(|term| term.has_kind(&kinds[name]));
            return taken.map(|term| bound(bindings, name, term)).collect();
        }
        let known = self.parts.iter().filter_map(|part| pattern.matches(part, kinds, bindings));
        let mut made = pattern.children().into_iter().fold(start, |from, part| further(part, from));
        made.extend(known);
        made
    }
}
