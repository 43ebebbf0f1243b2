//! Types, constants, functions, and the initial knowledge of the attacker.

use super::scope::{DeclarationLevel, NameUse};
use super::{ProtocolChecker, RoleTerm, Span, Symbol, SymbolId, TypeId};
use crate::protocol::ir::{ProtocolSymbolKind, RoleId, RoleVariable, VariableId};
use crate::protocol::text::tree::{self, DeclarationKind, Name, ProtocolDeclaration, TermKind};
use kit::diagnostics::Diagnostic;

const TYPES: &[&str] = &["Agent", "Function", "Nonce", "Ticket", "SessionKey", "Data"];

impl<'t> ProtocolChecker<'t> {
    /// Declares the predefined types and functions.
    pub(super) fn predefined(&mut self) {
        for name in TYPES {
            self.add_type(name);
        }
        let keys = [("k", true, 0), ("pk", false, 2), ("sk", true, 1)];
        for (name, secret, inverse) in keys {
            let inverse = Some(SymbolId::new(inverse));
            let symbol =
                Symbol { name: name.to_owned(), kind: ProtocolSymbolKind::Function, secret, inverse };
            let id = self.add_symbol(symbol);
            self.scopes.predefine(DeclarationLevel::File, name, NameUse::Symbol(id));
        }
    }

    fn add_type(&mut self, name: &str) -> TypeId {
        self.found.types.push(name.to_owned());
        let id = TypeId::new(self.found.types.len() - 1);
        self.type_names.insert(name.to_owned(), id);
        id
    }

    fn add_symbol(&mut self, symbol: Symbol) -> SymbolId {
        self.found.symbols.push(symbol);
        SymbolId::new(self.found.symbols.len() - 1)
    }

    /// Declares a type. Repetition has no effect, as files often declare predefined types.
    pub(super) fn declare_type(&mut self, name: &Name) {
        if !self.type_names.contains_key(&name.text) {
            let id = self.add_type(&name.text);
            self.declared_types.push((id, name.clone()));
        }
    }

    fn type_id(&mut self, name: &Name) -> Option<TypeId> {
        let found = self.type_names.get(&name.text).copied();
        self.used_types.extend(found);
        if found.is_none() {
            let mut known: Vec<&str> = self.type_names.keys().map(String::as_str).collect();
            known.sort_unstable();
            let help = self.meant(&name.text, known.into_iter(), &[]);
            let help =
                help.unwrap_or_else(|| format!("declare it outside of protocols: `usertype {};`", name.text));
            self.missing(
                Diagnostic::error(name.span, format!("unknown type `{}`", name.text)).with_help(help),
            );
        }
        found
    }

    fn type_ids(&mut self, names: &[Name]) -> Vec<TypeId> {
        names.iter().filter_map(|name| self.type_id(name)).collect()
    }

    /// Returns the kind of a constant of this type. Constants without a type share one that nothing else has.
    fn constant_kind(&mut self, of: Option<&Name>) -> ProtocolSymbolKind {
        let Some(of) = of else {
            let untyped = *self.untyped.get_or_insert_with(|| {
                self.found.types.push("untyped".to_owned());
                TypeId::new(self.found.types.len() - 1)
            });
            return ProtocolSymbolKind::Constant(untyped);
        };
        match self.type_id(of) {
            Some(id) if self.found.types[id.index()] == "Function" => ProtocolSymbolKind::Function,
            id => ProtocolSymbolKind::Constant(id.unwrap_or(TypeId::FIRST)),
        }
    }

    /// Declares the names of a declaration outside of roles.
    pub(super) fn declare_outside(&mut self, item: &ProtocolDeclaration, level: DeclarationLevel) {
        match &item.kind {
            DeclarationKind::Constant { names, of, secret } => {
                let kind = self.constant_kind(of.as_ref());
                names.iter().for_each(|name| self.declare_symbol(level, name, kind, *secret));
            }
            DeclarationKind::Function { names, secret } => {
                names
                    .iter()
                    .for_each(|name| self.declare_symbol(level, name, ProtocolSymbolKind::Hash, *secret));
            }
            DeclarationKind::Exponentiation(names) | DeclarationKind::ExclusiveOr(names) => {
                let kind = match &item.kind {
                    DeclarationKind::ExclusiveOr(_) => ProtocolSymbolKind::Sum,
                    _ => ProtocolSymbolKind::Exponentiation,
                };
                names.iter().for_each(|name| self.declare_symbol(level, name, kind, false));
            }
            DeclarationKind::Variable { names, types } => {
                let types = self.type_ids(types);
                for name in names {
                    self.declare(level, "variable", name, NameUse::Shared(types.clone()));
                }
            }
            DeclarationKind::Fresh { names, of } => {
                self.type_ids(of.as_slice());
                for name in names {
                    self.declare(level, "fresh value", name, NameUse::Misplaced);
                    self.scopes.touch(level, &name.text);
                    let message = format!(
                        "fresh value `{}` is declared outside of roles, where no run makes it",
                        name.text
                    );
                    self.warn(name.span, message, "remove it, or declare it in the role that makes it");
                }
            }
            DeclarationKind::Equation { .. } if level == DeclarationLevel::File => {}
            DeclarationKind::Equation { .. } => self.misplaced_equation(item.span),
            DeclarationKind::Inverse(_) | DeclarationKind::Compromised(_) | DeclarationKind::Macro { .. } => {
            }
        }
    }

    fn declare_symbol(
        &mut self,
        level: DeclarationLevel,
        name: &Name,
        kind: ProtocolSymbolKind,
        secret: bool,
    ) {
        let what = match kind {
            ProtocolSymbolKind::Constant(_) => "constant",
            _ => "function",
        };
        let earlier = self.scopes.at(level, &name.text).map(|declared| declared.meaning.clone());
        let Some(NameUse::Symbol(id)) = earlier else {
            let id = SymbolId::new(self.found.symbols.len());
            let inverse = (!kind.is_one_way()).then_some(id);
            self.add_symbol(Symbol { name: name.text.clone(), kind, secret, inverse });
            self.declare(level, what, name, NameUse::Symbol(id));
            return;
        };
        self.declared_again(level, what, name);
        // The attacker knows the symbol if one of its declarations lacks `secret`.
        let symbol = &mut self.found.symbols[id.index()];
        let was_predefined = id.index() < 3;
        if was_predefined && symbol.secret && !secret {
            let message = format!("the attacker knows all keys `{}(…)`", name.text);
            let help = format!("remove this declaration: `{}` is predefined, and secret", name.text);
            self.diagnostics.push(Diagnostic::warning(name.span, message).with_help(help));
        }
        let symbol = &mut self.found.symbols[id.index()];
        symbol.secret &= secret;
        symbol.kind = kind;
        if kind.is_one_way() {
            symbol.inverse = None;
        }
    }

    /// Declares a name, and warns if this level has it already.
    pub(super) fn declare(
        &mut self,
        level: DeclarationLevel,
        what: &'static str,
        name: &Name,
        meaning: NameUse,
    ) {
        self.declared_again(level, what, name);
        self.scopes.declare(level, what, name, meaning);
    }

    fn declared_again(&mut self, level: DeclarationLevel, what: &'static str, name: &Name) {
        let Some(earlier) = self.scopes.at(level, &name.text) else { return };
        let Some((before, first)) = earlier.declaration.clone() else { return };
        self.scopes.touch(level, &name.text);
        let message = format!("`{}` is declared twice", name.text);
        let diagnostic = if before == what {
            Diagnostic::warning(name.span, message).with_help("the last declaration counts")
        } else {
            Diagnostic::error(name.span, message).with_help(format!("it is a {before} and a {what}"))
        };
        self.diagnostics.push(diagnostic.with_related(first.span, "first declared here"));
    }

    /// Declares the names of a declaration in a role.
    pub(super) fn declare_in_role(&mut self, item: &ProtocolDeclaration, role: RoleId) {
        match &item.kind {
            DeclarationKind::Constant { names, of, .. } => {
                let message = "a constant of a role is a value that each run makes";
                self.warn(item.span, message, "write `fresh`");
                self.fresh(names, of.as_ref(), role);
            }
            DeclarationKind::Fresh { names, of } => self.fresh(names, of.as_ref(), role),
            DeclarationKind::Variable { names, types } => {
                let types = self.type_ids(types);
                for name in names {
                    self.declare_variable(role, "variable", name, false, types.clone());
                }
            }
            DeclarationKind::Function { .. }
            | DeclarationKind::Exponentiation(_)
            | DeclarationKind::ExclusiveOr(_) => {
                let message =
                    "a function declared in a role is not supported: functions are the same for all runs";
                self.lost = true;
                self.mistake(item.span, message, "declare it outside of protocols");
            }
            DeclarationKind::Equation { .. } => self.misplaced_equation(item.span),
            DeclarationKind::Inverse(_) | DeclarationKind::Compromised(_) | DeclarationKind::Macro { .. } => {
            }
        }
    }

    fn misplaced_equation(&mut self, span: Span) {
        self.mistake(span, "an equation holds in the whole file", "write it outside of protocols");
    }

    fn fresh(&mut self, names: &[Name], of: Option<&Name>, role: RoleId) {
        let types = self.type_ids(of.map(std::slice::from_ref).unwrap_or_default());
        for name in names {
            self.declare_variable(role, "fresh value", name, true, types.clone());
        }
    }

    fn declare_variable(
        &mut self,
        role: RoleId,
        what: &'static str,
        name: &Name,
        fresh: bool,
        types: Vec<TypeId>,
    ) {
        let id = self.add_variable(role, RoleVariable { name: name.text.clone(), fresh, types });
        self.declare(DeclarationLevel::Role, what, name, NameUse::Variable(id));
    }

    /// Applies the other effects of a declaration: macros, inverses, and knowledge of the attacker.
    pub(super) fn apply(&mut self, item: &'t ProtocolDeclaration) {
        match &item.kind {
            DeclarationKind::Macro { name, body } => self.macros.define(name, body),
            DeclarationKind::Inverse(terms) => self.inverse(terms, item.span),
            DeclarationKind::Compromised(terms) => {
                for term in terms {
                    match self.term(term) {
                        Some(known) if is_constant(&known) => self.found.compromised.push(known),
                        Some(_) => self.mistake(
                            term.span,
                            "only terms of constants can be compromised: others differ from run to run",
                            "name an agent as a constant: `const Eve: Agent; compromised sk(Eve);`",
                        ),
                        None => {}
                    }
                }
            }
            _ => {}
        }
    }

    /// Applies `inversekeys(f, g)`.
    fn inverse(&mut self, terms: &'t [tree::TermSyntax], span: Span) {
        let Some(keys) = self.components(terms) else { return };
        let names = terms.iter().map(|term| match &term.kind {
            TermKind::Name(name) => Some(name),
            _ => None,
        });
        let names: Option<Vec<_>> = names.collect();
        match (&keys[..], names.as_deref()) {
            (&[RoleTerm::Constant(one), RoleTerm::Constant(other)], _) => {
                self.found.symbols[one.index()].inverse = Some(other);
                self.found.symbols[other.index()].inverse = Some(one);
            }
            (&[RoleTerm::Variable(one), RoleTerm::Variable(other)], Some(names))
                if one != other && self.is_fresh(one) && self.is_fresh(other) =>
            {
                for (name, half) in names.iter().zip(self.key_halves()) {
                    self.scopes.predefine(DeclarationLevel::Role, name, NameUse::KeyHalf(half, one));
                }
                let types = [one, other].map(|half| self.variable(half).types.clone());
                self.pair_types.extend(types.into_iter().flatten());
            }
            _ => {
                let message = if keys.len() == 2 {
                    "these keys cannot be inverses of each other".to_owned()
                } else {
                    format!("two keys are inverses of each other, not {}", keys.len())
                };
                let help = "name two functions, two constants, or two fresh values of a role";
                self.mistake(span, message, help);
            }
        }
    }

    /// Returns a variable of the role being checked.
    fn variable(&self, variable: VariableId) -> &RoleVariable {
        let role = self.role.expect("only roles have variables");
        &self.found.roles[role.index()].variables[variable.index()]
    }

    fn is_fresh(&self, variable: VariableId) -> bool {
        self.variable(variable).fresh
    }

    /// Makes variables of the types of key pairs take any term: halves of pairs are not atomic.
    pub(super) fn widen_key_variables(&mut self) {
        let variables = self.found.roles.iter_mut().flat_map(|role| &mut role.variables);
        let takes_half =
            |variable: &&mut RoleVariable| variable.types.iter().any(|ty| self.pair_types.contains(ty));
        let received = variables.filter(|variable| !variable.fresh);
        received.filter(takes_half).for_each(|variable| variable.types.clear());
    }

    /// Returns the functions that give the halves of the key pairs of runs, the public one first.
    fn key_halves(&mut self) -> [SymbolId; 2] {
        let is_half = |symbol: &Symbol| matches!(symbol.kind, ProtocolSymbolKind::KeyHalf(_));
        let first = self.found.symbols.iter().position(is_half).map(SymbolId::new);
        let first = first.unwrap_or_else(|| {
            let next = self.found.symbols.len();
            for (name, other) in [("public", next + 1), ("private", next)] {
                let kind = ProtocolSymbolKind::KeyHalf(SymbolId::new(other));
                self.add_symbol(Symbol { name: name.to_owned(), kind, secret: false, inverse: None });
            }
            SymbolId::new(next)
        });
        [first, SymbolId::new(first.index() + 1)]
    }

    /// Applies `untrusted Eve;`.
    pub(super) fn untrusted(&mut self, agents: &'t [tree::TermSyntax]) {
        for agent in agents {
            match self.term(agent) {
                Some(RoleTerm::Constant(symbol)) => self.found.untrusted.push(symbol),
                Some(_) => self.mistake(
                    agent.span,
                    "only agents can be untrusted",
                    "declare one: `const Eve: Agent;`",
                ),
                None => {}
            }
        }
    }
}

/// True if a term is equal in all runs.
fn is_constant(term: &RoleTerm) -> bool {
    match term {
        RoleTerm::Constant(_) => true,
        RoleTerm::Agent(_) | RoleTerm::Variable(_) => false,
        RoleTerm::Tuple(terms) | RoleTerm::Apply { arguments: terms, .. } => terms.iter().all(is_constant),
        RoleTerm::Encrypted { body, key } => is_constant(body) && is_constant(key),
    }
}
