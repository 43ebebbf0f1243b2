//! The types of variables.

use super::{SmvElaborator, SmvResult};
use crate::smv::scopes::{ModuleEntity, ScopeId};
use crate::smv::system::{SmvDomain, SmvVariable};
use crate::smv::term::{SmvNode, SmvTerm, SmvType, VariableId};
use crate::smv::text::tree::{
    SmvExpr, SmvExprKind, SmvFile, SmvItem, SmvTypeKind, SmvTypeSyntax, VariableKind, WordType,
};
use kit::diagnostics::Span;
use std::collections::{BTreeMap, BTreeSet};

/// The greatest number of elements of an array. The limit of a model is lower in total, and reported separately.
const MOST_ELEMENTS: i128 = 100_000;

/// The bounds of indices, the values of each element, and its type if it is a word.
type ElementDomain = (Vec<(i64, i64)>, SmvDomain, Option<WordType>);

impl<'f> SmvElaborator<'f> {
    /// Declares the symbols of all modules.
    pub fn declare_symbols(&mut self, file: &SmvFile) {
        for item in file.modules.iter().flat_map(|module| &module.items) {
            match item {
                SmvItem::Constant(name) => _ = self.system.symbols.declare(&name.text),
                SmvItem::Variable(_, _, ty) => self.declare_symbols_of(ty),
                _ => {}
            }
        }
    }

    fn declare_symbols_of(&mut self, ty: &SmvTypeSyntax) {
        match &ty.kind {
            SmvTypeKind::Array(_, _, of) => self.declare_symbols_of(of),
            SmvTypeKind::Enumeration(members) => {
                for member in members {
                    if let SmvExprKind::Name(name) = &member.kind {
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
            let Some((ModuleEntity::Variable(kind, ty), _)) = self.scopes[scope].names.get(name).copied()
            else {
                continue;
            };
            let Ok((indices, domain, word)) = self.domain(ty, scope) else { continue };
            let name_of = format!("{}{name}", self.scopes[scope].path);
            let variable = SmvVariable { name: name_of, kind, indices, domain, word, defined: false };
            self.variables.insert((scope, name), self.system.variables.len());
            self.system.variables.push(variable);
            self.keys.push((scope, name));
        }
    }

    /// Adds the input that chooses the process that moves, if there are processes.
    pub fn declare_processes(&mut self) {
        let processes: BTreeSet<ScopeId> = self.scopes.iter().map(|scope| scope.process).collect();
        if processes.len() == 1 {
            return;
        }
        let mut symbols = BTreeMap::new();
        for process in processes {
            let path = self.scopes[process].path.trim_end_matches('.');
            let symbol = self.system.symbols.add(if path.is_empty() { "main" } else { path });
            symbols.insert(process, symbol);
            self.system.symbols.join(symbols[&0], symbol);
        }
        let domain = SmvDomain::Symbols(symbols.values().copied().collect());
        let (name, kind) = ("process".to_owned(), VariableKind::Input);
        let variable = SmvVariable { name, kind, indices: Vec::new(), domain, word: None, defined: false };
        self.selector = Some((self.system.variables.len(), symbols));
        self.system.variables.push(variable);
        self.keys.push((0, "running"));
    }

    /// Returns a value, or a set, in the type of a variable or its elements; reports another type.
    pub fn suited(&mut self, value: SmvTerm, variable: VariableId) -> SmvResult<SmvTerm> {
        self.plain(&value)?;
        let of = &self.system.variables[variable];
        let ty = match (&of.domain, of.word) {
            (_, Some(word)) => SmvType::Word(word),
            (SmvDomain::Bool, _) => SmvType::Bool,
            (SmvDomain::Range(..) | SmvDomain::Integers(_), _) => SmvType::Int(0, 0),
            (SmvDomain::Symbols(all), _) => SmvType::Symbol(all[0]),
        };
        let value = if matches!(ty, SmvType::Symbol(_)) { self.as_symbols(value)? } else { value };
        match &value.ty {
            SmvType::Set(element) => {
                self.expect(&SmvTerm { ty: (**element).clone(), ..value.clone() }, &ty)?
            }
            _ => self.expect(&value, &ty)?,
        }
        Ok(value)
    }

    /// Returns the bounds of indices, and the values of a variable or of each element.
    fn domain(&mut self, ty: &'f SmvTypeSyntax, scope: ScopeId) -> SmvResult<ElementDomain> {
        match &ty.kind {
            SmvTypeKind::Boolean | SmvTypeKind::Instance(..) | SmvTypeKind::Process(..) => {
                Ok((Vec::new(), SmvDomain::Bool, None))
            }
            SmvTypeKind::Range(low, high) => {
                let (low, high) = self.constant_range((low, high), scope, ty.span)?;
                Ok((Vec::new(), SmvDomain::Range(low, high), None))
            }
            SmvTypeKind::Word(signed, width) => {
                let width = self.term(width, scope)?;
                let word = WordType { signed: *signed, width: self.width(&width)? };
                let (low, high) = word.bounds();
                Ok((Vec::new(), SmvDomain::Range(low, high), Some(word)))
            }
            SmvTypeKind::Array(low, high, of) => {
                let bounds = self.constant_range((low, high), scope, ty.span)?;
                let (inner, domain, word) = self.domain(of, scope)?;
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
                Ok((all, domain, word))
            }
            SmvTypeKind::Enumeration(members) => {
                Ok((Vec::new(), self.enumeration(members, scope, ty.span)?, None))
            }
        }
    }

    fn constant_range(
        &mut self,
        (low, high): (&'f SmvExpr, &'f SmvExpr),
        scope: ScopeId,
        span: Span,
    ) -> SmvResult<(i64, i64)> {
        let (low, high) = (self.term(low, scope)?, self.term(high, scope)?);
        let (low, high) = (self.constant_integer(&low)?, self.constant_integer(&high)?);
        match low <= high {
            true => Ok((low, high)),
            false => {
                Err(self.wrong(span, "this range has no values", "its first bound is not above the second"))
            }
        }
    }

    fn enumeration(&mut self, members: &'f [SmvExpr], scope: ScopeId, span: Span) -> SmvResult<SmvDomain> {
        let mut symbols = Vec::new();
        let mut integers = Vec::new();
        for member in members {
            if let SmvExprKind::Name(name) = &member.kind
                && let Some(symbol) = self.system.symbols.find(name)
            {
                symbols.push(symbol);
                continue;
            }
            let term = self.term(member, scope)?;
            match (&*term.node, &term.ty) {
                (SmvNode::Int(value), _) => integers.push(*value),
                (_, SmvType::Bool) => {
                    let help = "an enumeration of both truth values is `boolean`";
                    return Err(self.wrong(term.span, "truth values are in an enumeration", help));
                }
                _ => integers.push(self.constant_integer(&term)?),
            }
        }
        if !symbols.is_empty() {
            // Among symbols, an integer is one.
            let numbers = integers.drain(..).map(|value| self.system.symbols.declare(&value.to_string()));
            symbols.extend(numbers);
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
            (false, _) => SmvDomain::Symbols(symbols),
            (true, [first, .., last]) if last.abs_diff(*first) + 1 == integers.len() as u64 => {
                SmvDomain::Range(*first, *last)
            }
            (true, _) => SmvDomain::Integers(integers),
        })
    }
}
