//! Terms: resolves names, and expands macros.

use super::order::Mention;
use super::scope::{DeclarationLevel, NameUse};
use super::{ProtocolChecker, RoleTerm};
use crate::protocol::ir::{ProtocolSymbolKind, RoleId, RoleVariable, SymbolId, VariableId};
use crate::protocol::text::tree::{self, TermKind};
use kit::diagnostics::{Diagnostic, Span};
use kit::parsing::MAX_HEIGHT;

/// The greatest number of terms of a file after expansion of macros. Without a limit, thirty short macros give a billion.
const MOST_TERMS: usize = 1_000_000;

/// The number of terms created between two checks of the budget.
const PATIENCE: usize = 1 << 12;

#[derive(Debug, Clone, Copy)]
struct TermPlace {
    /// The number of visible macros.
    visible: usize,
    /// The use of the macro that contains the term.
    of_macro: Option<Span>,
    depth: usize,
}

impl<'t> ProtocolChecker<'t> {
    /// Resolves a term; `None` after reporting an error in it.
    pub(super) fn term(&mut self, term: &'t tree::TermSyntax) -> Option<RoleTerm> {
        self.whole(std::slice::from_ref(term))
    }

    /// Resolves several terms as one: the only one, or a tuple.
    pub(super) fn whole(&mut self, terms: &'t [tree::TermSyntax]) -> Option<RoleTerm> {
        let place = TermPlace { visible: self.macros.len(), of_macro: None, depth: 0 };
        self.tuple(terms, place)
    }

    /// Resolves terms as the components of a tuple. As a tuple is a pair of its first component and the rest,
    /// a tuple in the last place is no component of its own.
    pub(super) fn components(&mut self, terms: &'t [tree::TermSyntax]) -> Option<Vec<RoleTerm>> {
        let place = TermPlace { visible: self.macros.len(), of_macro: None, depth: 0 };
        self.spread(terms, place)
    }

    fn spread(&mut self, terms: &'t [tree::TermSyntax], place: TermPlace) -> Option<Vec<RoleTerm>> {
        // All of them are resolved, so that all mistakes are found.
        let made: Vec<Option<RoleTerm>> = terms.iter().map(|term| self.resolve(term, place)).collect();
        let mut components = made.into_iter().collect::<Option<Vec<RoleTerm>>>()?;
        if let Some(RoleTerm::Tuple(_)) = components.last()
            && let Some(RoleTerm::Tuple(last)) = components.pop()
        {
            components.extend(last);
        }
        Some(components)
    }

    fn tuple(&mut self, terms: &'t [tree::TermSyntax], place: TermPlace) -> Option<RoleTerm> {
        let mut components = self.spread(terms, place)?;
        if components.len() == 1 { components.pop() } else { Some(RoleTerm::Tuple(components)) }
    }

    fn resolve(&mut self, term: &'t tree::TermSyntax, place: TermPlace) -> Option<RoleTerm> {
        let span = place.of_macro.unwrap_or(term.span);
        self.count(span, place.depth)?;
        let inner = TermPlace { depth: place.depth + 1, ..place };
        match &term.kind {
            TermKind::Name(name) => match self.macros.used(name, place.visible) {
                Some(found) => {
                    let within = TermPlace { visible: found.earlier, of_macro: Some(span), ..inner };
                    self.tuple(found.body, within)
                }
                None => self.name(name, span),
            },
            TermKind::Apply { function, arguments } if self.is_value(function) => {
                let place = place.of_macro.unwrap_or(function.span);
                let name = &function.text;
                let message = format!("`{name}` is no function: `{name}(x)` is read as `{{x}}{name}`");
                self.warn(place, message, format!("write `{{x}}{name}`; Scyther reads it alike"));
                let (body, key) = (self.tuple(arguments, inner), self.name(&function.text, place));
                Some(RoleTerm::Encrypted { body: Box::new(body?), key: Box::new(key?) })
            }
            TermKind::Apply { function, arguments } => {
                let symbol = self.function(function, place.of_macro.unwrap_or(function.span));
                let arguments = self.spread(arguments, inner);
                self.applied(symbol?, arguments?, span, place.depth == 0)
            }
            TermKind::Encrypted { body, key } => {
                let (body, key) = (self.tuple(body, inner), self.resolve(key, inner));
                let (body, key) = (body?, key?);
                // `{x, y}f` is `f(x, y)`.
                if let RoleTerm::Constant(function) = key {
                    let count = if let RoleTerm::Tuple(terms) = &body { terms.len() } else { 1 };
                    self.check_arguments(function, count, span)?;
                }
                Some(RoleTerm::Encrypted { body: Box::new(body), key: Box::new(key) })
            }
            TermKind::Tuple(terms) => self.tuple(terms, inner),
        }
    }

    /// An application, of the names of an equation undone. `is_whole` if it is no part of another term.
    fn applied(
        &mut self,
        function: SymbolId,
        arguments: Vec<RoleTerm>,
        span: Span,
        is_whole: bool,
    ) -> Option<RoleTerm> {
        if self.found.is_power(function) && arguments.len() != 2 {
            let name = &self.found.symbols[function.index()].name;
            let help = format!("several exponents: `{name}({name}(g, x), y)`");
            self.mistake(span, "a power has a base and one exponent", help);
            return None;
        }
        if self.found.is_sum(function) && arguments.len() < 2 {
            let help = format!("write `{}(x, y)`", self.found.symbols[function.index()].name);
            self.mistake(span, "exclusive or has at least two arguments", help);
            return None;
        }
        self.check_arguments(function, arguments.len(), span)?;
        if self.found.undone_by(function).is_some() {
            let wanted = if is_whole { self.wanted.take() } else { None };
            return self.undo(function, arguments, wanted, span);
        }
        self.check_builtin(function, arguments.len(), span);
        Some(RoleTerm::Apply { function, arguments })
    }

    /// Refuses other numbers of arguments than in an equation: a variable in the place of several may be a tuple of them, which is undone.
    fn check_arguments(&mut self, function: SymbolId, given: usize, span: Span) -> Option<()> {
        let Some(count) = self.found.arguments_in_equations(function) else { return Some(()) };
        let is_more = given > count && self.found.undone_by(function).is_some();
        if given >= count && !is_more {
            return Some(());
        }
        let name = &self.found.symbols[function.index()].name;
        let message = format!("`{name}` has {count} arguments in its equation");
        self.mistake(span, message, "write as many here");
        None
    }

    /// Counts a term; `None` if there are too many, or the budget is exhausted.
    fn count(&mut self, span: Span, depth: usize) -> Option<()> {
        if self.terms > MOST_TERMS || self.exhausted.is_some() {
            return None;
        }
        self.terms += 1;
        if self.terms > MOST_TERMS {
            let message = format!("the file has more than {MOST_TERMS} terms when macros are replaced");
            self.mistake(span, message, "write shorter macros");
            return None;
        }
        if depth > MAX_HEIGHT {
            let message = format!("macros nest terms more than {MAX_HEIGHT} levels deep");
            self.mistake(span, message, "write fewer macros that use others");
            return None;
        }
        (!self.terms.is_multiple_of(PATIENCE) || !self.ended()).then_some(())
    }

    fn name(&mut self, name: &str, span: Span) -> Option<RoleTerm> {
        let Some(meaning) = self.scopes.used(name).cloned() else {
            self.unknown_name(name, span, "declare it with `fresh`, `var` or `const`");
            return None;
        };
        Some(match meaning {
            NameUse::Symbol(symbol) if self.found.is_algebraic(symbol) => {
                let help = format!("apply it: `{name}(x, y)`");
                self.mistake(span, format!("function `{name}` is no term of its own"), help);
                return None;
            }
            NameUse::Symbol(symbol) => RoleTerm::Constant(symbol),
            NameUse::Role(role) => RoleTerm::Agent(role),
            NameUse::Variable(variable) => {
                self.mentions.push(Mention { variable, span });
                RoleTerm::Variable(variable)
            }
            NameUse::KeyHalf(function, variable) => {
                self.mentions.push(Mention { variable, span });
                RoleTerm::Apply { function, arguments: vec![RoleTerm::Variable(variable)] }
            }
            NameUse::Shared(types) => {
                let variable = self.own_variable(name, types, span)?;
                self.mentions.push(Mention { variable, span });
                RoleTerm::Variable(variable)
            }
            NameUse::Misplaced => {
                let message =
                    format!("fresh value `{name}` is declared outside of roles, where no run makes it");
                self.mistake(span, message, "declare it in the role that makes it");
                return None;
            }
        })
    }

    /// Returns a role's own variable for one declared outside of roles.
    fn own_variable(
        &mut self,
        name: &str,
        types: Vec<crate::protocol::ir::TypeId>,
        span: Span,
    ) -> Option<VariableId> {
        let Some(role) = self.role else {
            self.mistake(span, format!("variable `{name}` has no value here"), "use constants");
            return None;
        };
        let variable = self.add_variable(role, RoleVariable { name: name.to_owned(), fresh: false, types });
        self.scopes.predefine(DeclarationLevel::Role, name, NameUse::Variable(variable));
        Some(variable)
    }

    /// Adds a variable or fresh value to a role.
    pub(super) fn add_variable(&mut self, role: RoleId, variable: RoleVariable) -> VariableId {
        let variables = &mut self.found.roles[role.index()].variables;
        variables.push(variable);
        VariableId::new(variables.len() - 1)
    }

    /// True for the name of a variable or fresh value of the role.
    fn is_value(&mut self, name: &tree::Name) -> bool {
        self.role.is_some()
            && matches!(
                self.scopes.used(&name.text),
                Some(NameUse::Variable(_) | NameUse::KeyHalf(..) | NameUse::Shared(_))
            )
    }

    pub(super) fn function(&mut self, name: &tree::Name, span: Span) -> Option<SymbolId> {
        match self.scopes.used(&name.text).cloned() {
            Some(NameUse::Symbol(symbol)) => Some(symbol),
            Some(_) => {
                let message = format!("`{}` is not a function", name.text);
                let help = "only functions and constants can be applied; encryption is written `{x}k`";
                self.mistake(span, message, help);
                None
            }
            None => {
                let is_macro = self.macros.names().any(|known| known == name.text);
                let help = if is_macro {
                    "macros have no parameters".to_owned()
                } else {
                    format!("declare it: `hashfunction {};`", name.text)
                };
                self.unknown_name(&name.text, span, &help);
                None
            }
        }
    }

    fn unknown_name(&mut self, name: &str, span: Span, help: &str) {
        if self.lost || !self.unknown.insert(name.to_owned()) {
            return;
        }
        if self.type_names.contains_key(name) {
            self.mistake(span, format!("`{name}` is a type, not a term"), help);
            return;
        }
        let known: Vec<&str> = self.scopes.names().chain(self.macros.names()).collect();
        // Sorted, so that the first of equally near names is suggested.
        let known = itertools::Itertools::sorted(known.into_iter());
        let help = self.meant(name, known, &[]).unwrap_or_else(|| help.to_owned());
        self.diagnostics.push(Diagnostic::error(span, format!("unknown name `{name}`")).with_help(help));
    }

    /// Warns of keys of agents with an unusual number of arguments.
    fn check_builtin(&mut self, function: SymbolId, arguments: usize, span: Span) {
        let symbol = &self.found.symbols[function.index()];
        let (usual, help) = match symbol.name.as_str() {
            "pk" => (1, "`pk(A)` is the public key of agent A"),
            "sk" => (1, "`sk(A)` is the private key of agent A"),
            "k" => (2, "`k(A, B)` is the key that agents A and B share"),
            _ => return,
        };
        if symbol.kind == ProtocolSymbolKind::Function && usual != arguments {
            let plural = if arguments == 1 { "" } else { "s" };
            let message = format!("`{}` has {arguments} argument{plural} here", symbol.name);
            self.warn(span, message, help);
        }
    }
}
