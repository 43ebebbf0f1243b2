//! The types of variables.

use super::{Elaborator, Result};
use crate::smv::scopes::{Entity, ScopeId};
use crate::smv::system::{Domain, Variable};
use crate::smv::term::{Node, Term, Ty, VariableId};
use crate::smv::text::tree::{Expr, ExprKind, File, Item, Type, TypeKind};
use kit::diagnostics::Span;

/// The greatest number of elements of an array. The limit of a model is lower in total, and reported separately.
const MOST_ELEMENTS: i128 = 100_000;

impl<'f> Elaborator<'f> {
    /// Declares the symbols of all modules.
    pub fn declare_symbols(&mut self, file: &File) {
        for item in file.modules.iter().flat_map(|module| &module.items) {
            match item {
                Item::Constant(name) => _ = self.system.symbols.declare(&name.text),
                Item::Variable(_, _, ty) => self.declare_symbols_of(ty),
                _ => {}
            }
        }
    }

    fn declare_symbols_of(&mut self, ty: &Type) {
        match &ty.kind {
            TypeKind::Array(_, _, of) => self.declare_symbols_of(of),
            TypeKind::Enumeration(members) => {
                for member in members {
                    if let ExprKind::Name(name) = &member.kind {
                        self.system.symbols.declare(name);
                    }
                }
            }
            _ => {}
        }
    }

    /// Adds the variables of an instance of a module.
    pub fn declare_variables(&mut self, scope: ScopeId) {
        for name in self.scopes[scope].order.clone() {
            let Some((Entity::Variable(kind, ty), _)) = self.scopes[scope].names.get(name).copied() else {
                continue;
            };
            let Ok((indices, domain)) = self.domain(ty, scope) else { continue };
            let name_of = format!("{}{name}", self.scopes[scope].path);
            let variable = Variable { name: name_of, kind, indices, domain, defined: false };
            self.variables.insert((scope, name), self.system.variables.len());
            self.system.variables.push(variable);
            self.keys.push((scope, name));
        }
    }

    /// Reports a value, or a set, of a type other than that of a variable or its elements.
    pub fn suits(&mut self, value: &Term, variable: VariableId) -> Result<()> {
        self.plain(value)?;
        let ty = match &self.system.variables[variable].domain {
            Domain::Bool => Ty::Bool,
            Domain::Range(..) | Domain::Integers(_) => Ty::Int(0, 0),
            Domain::Symbols(all) => Ty::Symbol(all[0]),
        };
        match &value.ty {
            Ty::Set(element) => self.expect(&Term { ty: (**element).clone(), ..value.clone() }, &ty),
            _ => self.expect(value, &ty),
        }
    }

    /// Returns the bounds of indices, and the values of a variable or of each element.
    fn domain(&mut self, ty: &'f Type, scope: ScopeId) -> Result<(Vec<(i64, i64)>, Domain)> {
        match &ty.kind {
            TypeKind::Boolean | TypeKind::Instance(..) => Ok((Vec::new(), Domain::Bool)),
            TypeKind::Range(low, high) => {
                let (low, high) = self.constant_range((low, high), scope, ty.span)?;
                Ok((Vec::new(), Domain::Range(low, high)))
            }
            TypeKind::Array(low, high, of) => {
                let bounds = self.constant_range((low, high), scope, ty.span)?;
                let (inner, domain) = self.domain(of, scope)?;
                let all = [vec![bounds], inner].concat();
                let mut elements = 1_i128;
                for (low, high) in &all {
                    elements = elements.saturating_mul(i128::from(*high) - i128::from(*low) + 1);
                }
                if elements > MOST_ELEMENTS {
                    let message = format!("this array has {elements} elements");
                    return Err(self.wrong(
                        ty.span,
                        message,
                        format!("at most {MOST_ELEMENTS} are possible"),
                    ));
                }
                Ok((all, domain))
            }
            TypeKind::Enumeration(members) => Ok((Vec::new(), self.enumeration(members, scope, ty.span)?)),
        }
    }

    fn constant_range(
        &mut self,
        (low, high): (&'f Expr, &'f Expr),
        scope: ScopeId,
        span: Span,
    ) -> Result<(i64, i64)> {
        let (low, high) = (self.term(low, scope)?, self.term(high, scope)?);
        let (low, high) = (self.constant_integer(&low)?, self.constant_integer(&high)?);
        match low <= high {
            true => Ok((low, high)),
            false => {
                Err(self.wrong(span, "this range has no values", "its first bound is not above the second"))
            }
        }
    }

    fn enumeration(&mut self, members: &'f [Expr], scope: ScopeId, span: Span) -> Result<Domain> {
        let mut symbols = Vec::new();
        let mut integers = Vec::new();
        for member in members {
            if let ExprKind::Name(name) = &member.kind
                && let Some(symbol) = self.system.symbols.find(name)
            {
                symbols.push(symbol);
                continue;
            }
            let term = self.term(member, scope)?;
            match (&*term.node, &term.ty) {
                (Node::Int(value), _) => integers.push(*value),
                (_, Ty::Bool) => {
                    let help = "an enumeration of both truth values is `boolean`";
                    return Err(self.wrong(term.span, "truth values are in an enumeration", help));
                }
                _ => integers.push(self.constant_integer(&term)?),
            }
        }
        if !symbols.is_empty() && !integers.is_empty() {
            let help = "give the integers names, such as `n1`, or the symbols numbers";
            return Err(self.wrong(span, "symbols and integers are in one enumeration", help));
        }
        let count = symbols.len() + integers.len();
        if symbols.is_empty() {
            integers.sort_unstable();
            integers.dedup();
        } else {
            let mut seen = std::collections::HashSet::new();
            symbols.retain(|symbol| seen.insert(*symbol));
        }
        if symbols.len() + integers.len() < count {
            return Err(self.wrong(span, "a value is twice in an enumeration", "leave one of them out"));
        }
        for &symbol in &symbols {
            self.system.symbols.note(symbol);
            self.system.symbols.join(symbols[0], symbol);
        }
        Ok(match (symbols.is_empty(), integers.as_slice()) {
            (false, _) => Domain::Symbols(symbols),
            (true, [first, .., last]) if last.abs_diff(*first) + 1 == integers.len() as u64 => {
                Domain::Range(*first, *last)
            }
            (true, _) => Domain::Integers(integers),
        })
    }
}
