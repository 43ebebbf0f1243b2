//! Equations, and what roles undo by them: a role that undoes a term compares it with what it should be.

use super::scope::NameUse;
use super::{ProtocolChecker, RoleTerm, Span, SymbolId};
use crate::protocol::equation::{Equation, EquationValues, filled, fit};
use crate::protocol::ir::{Event, EventKind, ProtocolSymbolKind, RoleId, RoleVariable, VariableId};
use crate::protocol::text::tree::{TermKind, TermSyntax};

/// An example of an equation.
const EXAMPLE: &str = "declare `function open, enc;` and write `equation open(enc(m, k), k) = m;`";

const ONE_EACH: &str = "a function undoes one other function, and cannot be undone itself";

/// A comparison that undoes a term of a role.
#[derive(Debug)]
pub(super) struct Undone {
    pub pattern: RoleTerm,
    pub term: RoleTerm,
    span: Span,
}

impl ProtocolChecker<'_> {
    /// Checks `equation left = right;`.
    pub(super) fn equation(&mut self, left: &TermSyntax, right: &TermSyntax) {
        let mut variables = Vec::new();
        let (Some(whole), Some(result)) =
            (self.equation_term(left, &mut variables), self.equation_term(right, &mut variables))
        else {
            return;
        };
        let (destructor, arguments) = match whole {
            RoleTerm::Apply { function, arguments } if self.is_plain(function) => (function, arguments),
            _ => {
                return self.mistake(
                    left.span,
                    "the left side is no function that undoes another one",
                    EXAMPLE,
                );
            }
        };
        let name = self.found.symbols[destructor.index()].name.clone();
        if self.found.arguments_in_equations(destructor).is_some() {
            let message = format!("`{name}` occurs in another equation");
            return self.mistake(left.span, message, ONE_EACH);
        }
        let is_constant = matches!(result, RoleTerm::Constant(_));
        let undone = |term: &RoleTerm| match term {
            RoleTerm::Apply { function, arguments } => {
                self.is_plain(*function)
                    && *function != destructor
                    && self.found.undone_by(*function).is_none()
                    && (is_constant || arguments.contains(&result))
            }
            _ => false,
        };
        let Some(place) = arguments.iter().position(undone) else {
            let message = "the right side is no argument of a function that is undone, and no constant";
            return self.mistake(right.span, message, EXAMPLE);
        };
        let equation = Equation { variables, destructor, arguments, place, result };
        let (constructor, parts) = equation.constructor();
        let constructor = &self.found.symbols[constructor.index()].name;
        let is_flat = |term: &RoleTerm| match term {
            RoleTerm::Variable(_) => true,
            RoleTerm::Apply { arguments, .. } => {
                arguments.iter().all(|term| matches!(term, RoleTerm::Variable(_)))
            }
            _ => false,
        };
        if !parts.iter().all(is_flat) {
            let message =
                format!("the arguments of `{constructor}` are neither variables nor functions of variables");
            return self.mistake(left.span, message, EXAMPLE);
        }
        let bound = equation.arguments[place].variables();
        let other = equation.others().flat_map(RoleTerm::variables).find(|name| !bound.contains(name));
        if let Some(other) = other {
            let message =
                format!("`{}` does not occur in `{constructor}(…)`", equation.variables[other.index()]);
            return self.mistake(
                left.span,
                message,
                "names that are not declared are variables of the equation",
            );
        }
        let mut constants = 0;
        let count = &mut |term: &RoleTerm| constants += usize::from(matches!(term, RoleTerm::Constant(_)));
        equation.arguments.iter().for_each(|term| term.walk(count));
        if constants > 0 {
            return self.mistake(left.span, "the left side of an equation has no constants", EXAMPLE);
        }
        self.found.equations.push(equation);
    }

    /// True for a function without inverse that everybody applies.
    fn is_plain(&self, function: SymbolId) -> bool {
        let symbol = &self.found.symbols[function.index()];
        symbol.kind == ProtocolSymbolKind::Hash && !symbol.secret && symbol.inverse.is_none()
    }

    fn is_constant(&self, symbol: SymbolId) -> bool {
        matches!(self.found.symbols[symbol.index()].kind, ProtocolSymbolKind::Constant(_))
    }

    /// Resolves a term of an equation: names of constants are these, all others variables.
    fn equation_term(&mut self, term: &TermSyntax, variables: &mut Vec<String>) -> Option<RoleTerm> {
        match &term.kind {
            TermKind::Name(name) => match self.scopes.used(name).cloned() {
                Some(NameUse::Symbol(symbol)) if self.is_constant(symbol) => {
                    if !self.found.symbols[symbol.index()].secret {
                        return Some(RoleTerm::Constant(symbol));
                    }
                    let message = format!("the attacker does not know constant `{name}`");
                    self.mistake(term.span, message, "the result of an equation is no secret");
                    None
                }
                _ => {
                    let at = variables.iter().position(|other| other == name).unwrap_or(variables.len());
                    if at == variables.len() {
                        variables.push(name.clone());
                    }
                    Some(RoleTerm::Variable(VariableId::new(at)))
                }
            },
            TermKind::Apply { function, arguments } => {
                let symbol = self.function(function, function.span);
                let arguments = arguments.iter().map(|term| self.equation_term(term, variables));
                let arguments = arguments.collect::<Vec<_>>().into_iter().collect::<Option<_>>();
                let (function, arguments) = (symbol?, arguments?);
                if self.found.is_algebraic(function) {
                    let name = &self.found.symbols[function.index()].name;
                    let message = format!("`{name}` has equations of its own");
                    self.mistake(term.span, message, ONE_EACH);
                    return None;
                }
                Some(RoleTerm::Apply { function, arguments })
            }
            TermKind::Encrypted { .. } | TermKind::Tuple(_) => {
                self.mistake(
                    term.span,
                    "an equation consists of functions, variables and constants",
                    EXAMPLE,
                );
                None
            }
        }
    }

    /// Undoes a term: returns the result, after a comparison with what the term should be. A `wanted` result is part of this. `None`
    /// after an error.
    pub(super) fn undo(
        &mut self,
        function: SymbolId,
        arguments: Vec<RoleTerm>,
        wanted: Option<RoleTerm>,
        span: Span,
    ) -> Option<RoleTerm> {
        let equation = self.found.undone_by(function)?.clone();
        let name = self.found.symbols[function.index()].name.clone();
        let Some(role) = self.role.filter(|_| self.undoes) else {
            let message = format!("`{name}` cannot be applied here: it undoes a term that a role has");
            self.mistake(
                span,
                message,
                format!("receive the term as a variable x, then write `match(m, {name}(x, …));`"),
            );
            return None;
        };
        let (mut values, mut unlike) = (EquationValues::new(), Vec::new());
        for (at, (pattern, term)) in equation.arguments.iter().zip(&arguments).enumerate() {
            if at != equation.place {
                fit(std::slice::from_ref(pattern), std::slice::from_ref(term), &mut values, &mut unlike);
            }
        }
        if let (RoleTerm::Variable(result), Some(wanted)) = (&equation.result, wanted) {
            values.entry(*result).or_insert(wanted);
        }
        for variable in equation.arguments[equation.place].variables() {
            values.entry(variable).or_insert_with(|| {
                let name = equation.variables[variable.index()].clone();
                RoleTerm::Variable(
                    self.add_variable(role, RoleVariable { name, fresh: false, types: Vec::new() }),
                )
            });
        }
        unlike.insert(0, (equation.arguments[equation.place].clone(), arguments[equation.place].clone()));
        for (pattern, term) in unlike {
            self.undone.push(Undone { pattern: filled(&pattern, &values)?, term, span });
        }
        filled(&equation.result, &values).or(Some(equation.result))
    }

    /// Adds the comparisons that undo the terms of the event being checked.
    pub(super) fn add_undone(&mut self, role: RoleId) {
        for Undone { pattern, term, span } in std::mem::take(&mut self.undone) {
            let kind = EventKind::Match { pattern, term, equal: true };
            self.found.roles[role.index()].events.push(Event { label: String::new(), kind, span });
        }
    }
}
