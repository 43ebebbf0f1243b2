//! A model without modules: variables, definitions, constraints and properties.

use super::symbols::Symbols;
use super::term::{SymbolId, Term, VariableId};
use super::text::tree::{PropertyKind, VariableKind, WordType};
use kit::diagnostics::Span;

/// The values of a variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Domain {
    Bool,
    /// All integers from the first to the second.
    Range(i64, i64),
    /// These integers, in ascending order.
    Integers(Vec<i64>),
    /// These symbols, in the order of the declaration.
    Symbols(Vec<SymbolId>),
}

/// A variable, or an array of variables.
#[derive(Debug, Clone)]
pub(super) struct Variable {
    /// The name, prefixed by its instances: `p.q.x`.
    pub name: String,
    pub kind: VariableKind,
    /// For each index of an array, its bounds.
    pub indices: Vec<(i64, i64)>,
    /// The values of the variable, or of each element.
    pub domain: Domain,
    /// The type of words that its values stand for.
    pub word: Option<WordType>,
    /// True if the variable is defined by an assignment in every state, and so no part of the state.
    pub defined: bool,
}

/// A variable, or an element of an array.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Place {
    pub variable: VariableId,
    pub indices: Vec<i64>,
}

#[derive(Debug, Clone)]
pub(super) struct Definition {
    /// The name, prefixed by its instances.
    pub name: String,
    /// The term that it stands for.
    pub value: Term,
}

#[derive(Debug, Clone)]
pub(super) struct Property {
    pub kind: PropertyKind,
    pub name: Option<String>,
    pub formula: Term,
}

/// A model without modules.
#[derive(Debug, Default)]
pub(super) struct System {
    pub symbols: Symbols,
    pub variables: Vec<Variable>,
    pub definitions: Vec<Definition>,
    /// The assignments in the initial state, after each step, and in every state.
    pub first: Vec<(Place, Term)>,
    pub next: Vec<(Place, Term)>,
    pub always: Vec<(Place, Term)>,
    pub init: Vec<Term>,
    pub trans: Vec<Term>,
    pub invar: Vec<Term>,
    pub justice: Vec<Term>,
    pub compassion: Vec<(Term, Term)>,
    pub properties: Vec<Property>,
    /// The sections left out.
    pub ignored: Vec<(&'static str, Span)>,
}

impl Domain {
    /// Returns the number of values.
    pub fn size(&self) -> u64 {
        match self {
            Domain::Bool => 2,
            Domain::Range(low, high) => high.abs_diff(*low).saturating_add(1),
            Domain::Integers(all) => all.len() as u64,
            Domain::Symbols(all) => all.len() as u64,
        }
    }

    pub fn has_integer(&self, value: i64) -> bool {
        match self {
            Domain::Range(low, high) => (*low..=*high).contains(&value),
            Domain::Integers(all) => all.binary_search(&value).is_ok(),
            Domain::Bool | Domain::Symbols(_) => false,
        }
    }
}

impl Variable {
    /// Returns all of its places: itself, or its elements.
    pub fn places(&self, variable: VariableId) -> Vec<Place> {
        let mut all = vec![Vec::new()];
        for &(low, high) in &self.indices {
            let longer = |indices: &Vec<i64>| {
                let indices = indices.clone();
                (low..=high).map(move |index| [indices.clone(), vec![index]].concat()).collect::<Vec<_>>()
            };
            all = all.iter().flat_map(longer).collect();
        }
        all.into_iter().map(|indices| Place { variable, indices }).collect()
    }
}
