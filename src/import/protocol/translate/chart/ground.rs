//! Terms without variables, as they are in a trace.

use crate::protocol::ir::{Protocols, SymbolId};
use itertools::Itertools;

/// A term without variables.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Ground {
    /// An agent.
    Agent(String),
    /// An atomic term, by its name for people: `Na#1` is what the first run made for `Na`.
    Atom {
        name: String,
        /// Whether the attacker has it from the start.
        public: bool,
    },
    /// A function that is used as a term of its own.
    Constant(SymbolId),
    /// Several terms, the last of which is no tuple.
    Tuple(Vec<Ground>),
    /// `{body}key`.
    Encrypted(Box<Ground>, Box<Ground>),
    /// An application of a function.
    Apply(SymbolId, Vec<Ground>),
}

impl Ground {
    /// A tuple: one in the last place is a part of it.
    pub fn tuple(terms: impl IntoIterator<Item = Ground>) -> Self {
        let mut all: Vec<Ground> = terms.into_iter().collect();
        while let Some(Ground::Tuple(last)) = all.last().cloned() {
            all.pop();
            all.extend(last);
        }
        if all.len() == 1 { all.remove(0) } else { Ground::Tuple(all) }
    }

    /// The term for people, a tuple without parentheses around it.
    pub fn show(&self, protocols: &Protocols) -> String {
        let list = |terms: &[Ground]| terms.iter().map(|term| term.show_part(protocols)).join(", ");
        match self {
            Ground::Agent(name) | Ground::Atom { name, .. } => name.clone(),
            Ground::Constant(symbol) => protocols.symbols[symbol.index()].name.clone(),
            Ground::Tuple(terms) => list(terms),
            Ground::Encrypted(body, key) => {
                format!("{{{}}}{}", body.show(protocols), key.show_part(protocols))
            }
            Ground::Apply(function, terms) => {
                format!("{}({})", protocols.symbols[function.index()].name, list(terms))
            }
        }
    }

    /// The term as an element of a tuple or as a key: a tuple has parentheses.
    pub fn show_part(&self, protocols: &Protocols) -> String {
        let shown = self.show(protocols);
        if matches!(self, Ground::Tuple(_)) { format!("({shown})") } else { shown }
    }
}
