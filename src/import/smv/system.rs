//! A model without modules: variables, definitions, constraints and properties.

use super::symbols::Symbols;
use super::term::{SmvTerm, SymbolId, VariableId};
use super::text::tree::{SmvPropertyKind, VariableKind, WordType};
use kit::diagnostics::Span;

/// The values of a variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum SmvDomain {
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
pub(super) struct SmvVariable {
    /// The name, prefixed by its instances: `p.q.x`.
    pub name: String,
    pub kind: VariableKind,
    /// For each index of an array, its bounds.
    pub indices: Vec<(i64, i64)>,
    /// The values of the variable, or of each element.
    pub domain: SmvDomain,
    /// The type of words that its values stand for.
    pub word: Option<WordType>,
    /// True if the variable is defined by an assignment in every state, and so no part of the state.
    pub defined: bool,
}

/// A variable, or an element of an array.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct SmvPlace {
    pub variable: VariableId,
    pub indices: Vec<i64>,
}

#[derive(Debug, Clone)]
pub(super) struct SmvDefinition {
    /// The name, prefixed by its instances.
    pub name: String,
    /// The term that it stands for.
    pub value: SmvTerm,
}

#[derive(Debug, Clone)]
pub(super) struct SmvProperty {
    pub kind: SmvPropertyKind,
    pub name: Option<String>,
    pub formula: SmvTerm,
}

/// A model without modules.
#[derive(Debug, Default)]
pub(super) struct FlatSystem {
    pub symbols: Symbols,
    pub variables: Vec<SmvVariable>,
    pub definitions: Vec<SmvDefinition>,
    /// The assignments in the initial state, after each step, and in every state.
    pub first: Vec<(SmvPlace, SmvTerm)>,
    pub next: Vec<(SmvPlace, SmvTerm)>,
    pub always: Vec<(SmvPlace, SmvTerm)>,
    pub init: Vec<SmvTerm>,
    pub trans: Vec<SmvTerm>,
    pub invar: Vec<SmvTerm>,
    pub justice: Vec<SmvTerm>,
    pub compassion: Vec<(SmvTerm, SmvTerm)>,
    pub properties: Vec<SmvProperty>,
    /// The sections left out.
    pub ignored: Vec<(&'static str, Span)>,
}

impl SmvDomain {
    /// Returns the number of values.
    pub fn size(&self) -> u64 {
        match self {
            SmvDomain::Bool => 2,
            SmvDomain::Range(low, high) => high.abs_diff(*low).saturating_add(1),
            SmvDomain::Integers(all) => all.len() as u64,
            SmvDomain::Symbols(all) => all.len() as u64,
        }
    }

    pub fn has_integer(&self, value: i64) -> bool {
        match self {
            SmvDomain::Range(low, high) => (*low..=*high).contains(&value),
            SmvDomain::Integers(all) => all.binary_search(&value).is_ok(),
            SmvDomain::Bool | SmvDomain::Symbols(_) => false,
        }
    }
}

impl SmvVariable {
    /// Returns all of its places: itself, or its elements.
    pub fn places(&self, variable: VariableId) -> Vec<SmvPlace> {
        let mut all = vec![Vec::new()];
        for &(low, high) in &self.indices {
            let longer = |indices: &Vec<i64>| {
                let indices = indices.clone();
                (low..=high).map(move |index| [indices.clone(), vec![index]].concat()).collect::<Vec<_>>()
            };
            all = all.iter().flat_map(longer).collect();
        }
        all.into_iter().map(|indices| SmvPlace { variable, indices }).collect()
    }
}
