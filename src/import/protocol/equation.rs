//! Equations with the subterm property: a function undoes another one, `open(enc(m, k), k) = m`.

use super::ir::{RoleTerm, SymbolId, VariableId};
use std::collections::BTreeMap;

/// An equation between terms.
#[derive(Debug, Clone, PartialEq)]
pub struct Equation {
    /// The names of its variables.
    pub variables: Vec<String>,
    /// The function that undoes the other one: `open`.
    pub destructor: SymbolId,
    /// The arguments of the destructor. One of them applies the constructor.
    pub arguments: Vec<RoleTerm>,
    /// The place of that argument.
    pub place: usize,
    /// An argument of the constructor, or a constant.
    pub result: RoleTerm,
}

/// Terms with applications of functions.
pub(super) trait Applied: Clone + PartialEq {
    /// Applies a function.
    fn apply(function: SymbolId, arguments: Vec<Self>) -> Self;
    /// The function and its arguments, if a term applies one.
    fn applied(&self) -> Option<(SymbolId, &[Self])>;
    /// The tuple of several terms, or the only one.
    fn tuple(terms: Vec<Self>) -> Self;
    /// The elements of a tuple, or the term.
    fn elements(self) -> Vec<Self>;
}

/// The values of the variables of an equation.
pub(super) type EquationValues<T> = BTreeMap<VariableId, T>;

impl Equation {
    /// The function that is undone, with its arguments.
    pub(super) fn constructor(&self) -> (SymbolId, &[RoleTerm]) {
        let RoleTerm::Apply { function, arguments } = &self.arguments[self.place] else {
            unreachable!("the constructor is applied")
        };
        (*function, arguments)
    }

    /// The arguments of the destructor other than the term that it undoes.
    pub(super) fn others(&self) -> impl Iterator<Item = &RoleTerm> {
        self.arguments.iter().enumerate().filter(|(at, _)| *at != self.place).map(|(_, term)| term)
    }

    /// The most arguments that it has for a function; `None` if it does not name the function.
    pub(super) fn arguments_of(&self, symbol: SymbolId) -> Option<usize> {
        let mut most = (self.destructor == symbol).then_some(self.arguments.len());
        self.arguments.iter().for_each(|term| {
            term.walk(&mut |part| match part {
                RoleTerm::Apply { function, arguments } if *function == symbol => {
                    most = most.max(Some(arguments.len()));
                }
                _ => {}
            })
        });
        most
    }
}

/// Gives values to variables, so that terms become these; adds the pairs that are not of one shape, or have to be equal.
pub(super) fn fit<T: Applied>(
    patterns: &[RoleTerm],
    terms: &[T],
    values: &mut EquationValues<T>,
    unlike: &mut Vec<(RoleTerm, T)>,
) {
    let Some((last, first)) = patterns.split_last().filter(|_| patterns.len() <= terms.len()) else {
        return;
    };
    // The last one can stand for several.
    let rest = T::tuple(terms[first.len()..].to_vec());
    let pairs = first.iter().zip(terms).chain([(last, &rest)]);
    for (pattern, term) in pairs {
        match (pattern, term.applied()) {
            (RoleTerm::Variable(variable), _) if !values.contains_key(variable) => {
                values.insert(*variable, term.clone());
            }
            (RoleTerm::Apply { function, arguments }, Some((other, terms)))
                if *function == other && arguments.len() <= terms.len() =>
            {
                fit(arguments, terms, values, unlike);
            }
            _ => unlike.push((pattern.clone(), term.clone())),
        }
    }
}

/// A term of an equation with these values; nothing if a variable has none.
pub(super) fn filled<T: Applied>(term: &RoleTerm, values: &EquationValues<T>) -> Option<T> {
    match term {
        RoleTerm::Variable(variable) => values.get(variable).cloned(),
        RoleTerm::Apply { function, arguments } => {
            let terms = arguments.iter().map(|term| filled(term, values)).collect::<Option<Vec<T>>>()?;
            Some(T::apply(*function, T::tuple(terms).elements()))
        }
        _ => None,
    }
}

impl Applied for RoleTerm {
    fn apply(function: SymbolId, arguments: Vec<Self>) -> Self {
        RoleTerm::Apply { function, arguments }
    }

    fn applied(&self) -> Option<(SymbolId, &[Self])> {
        match self {
            RoleTerm::Apply { function, arguments } => Some((*function, arguments)),
            _ => None,
        }
    }

    fn tuple(mut terms: Vec<Self>) -> Self {
        if let Some(RoleTerm::Tuple(last)) = terms.last().cloned() {
            terms.pop();
            terms.extend(last);
        }
        if terms.len() == 1 { terms.remove(0) } else { RoleTerm::Tuple(terms) }
    }

    fn elements(self) -> Vec<Self> {
        match self {
            RoleTerm::Tuple(terms) => terms,
            term => vec![term],
        }
    }
}
