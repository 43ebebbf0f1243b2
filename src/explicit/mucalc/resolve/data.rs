//! Names in expressions.

use super::BoundName;
use super::Resolver;
use crate::mucalc::expr::{DataExpr, DataFunction, FUNCTIONS, SIGNS};
use crate::mucalc::sort::DeclaredSort;
use crate::mucalc::system::collect;
use crate::mucalc::text::tree::{Data, DataKind};
use crate::mucalc::value::DataValue;
use itertools::Itertools as _;
use kit::diagnostics::{Span, nearest};
use rustc_hash::FxHashSet;

impl Resolver<'_> {
    pub fn data(&mut self, data: &Data) -> DataExpr {
        match &data.kind {
            DataKind::Number(number) => DataExpr::Constant(DataValue::Number(*number)),
            DataKind::Bool(value) => DataExpr::Constant(DataValue::Bool(*value)),
            DataKind::List(items) => {
                let items = items.iter().map(|item| self.data(item)).collect();
                folded(DataExpr::List(items))
            }
            DataKind::Set(items) => {
                let items = items.iter().map(|item| self.data(item)).collect();
                folded(DataExpr::Set(items))
            }
            DataKind::Quantifier { all, .. } => {
                let word = if *all { "forall" } else { "exists" };
                let help = "write it around the comparison: quantified formulas have truth values only";
                self.mistake(
                    data.span,
                    format!("`{word}` can stand only under `!`, `&&`, `||` and `=>`"),
                    help,
                );
                DataExpr::Constant(DataValue::Bool(false))
            }
            DataKind::Unary("-", of) => self.applied(DataFunction::Negate, vec![of], data.span),
            DataKind::Unary(sign, of) => self.applied(function_of(sign).0, vec![of], data.span),
            DataKind::Binary(sign, a, b) => match function_of(sign) {
                (function, true) => self.applied(function, vec![b, a], data.span),
                (function, false) => self.applied(function, vec![a, b], data.span),
            },
            DataKind::Name(name, arguments) => self.named(name, arguments, data.span),
        }
    }

    fn applied(&mut self, function: DataFunction, arguments: Vec<&Data>, span: Span) -> DataExpr {
        let arguments = arguments.into_iter().map(|argument| self.data(argument)).collect();
        folded(DataExpr::Apply(function, arguments, span))
    }

    fn named(&mut self, name: &str, arguments: &[Data], span: Span) -> DataExpr {
        if let Some(BoundName::Variable(slot)) = self.scope.find(name) {
            let slot = *slot;
            if !arguments.is_empty() {
                let help = "functions as values are not supported";
                self.mistake(span, format!("`{name}` is a variable and has no arguments"), help);
            }
            return DataExpr::Variable(slot);
        }
        let function =
            FUNCTIONS.iter().find(|(known, number, _)| *known == name && *number == arguments.len());
        if let Some((.., function)) = function {
            return self.applied(*function, arguments.iter().collect(), span);
        }
        let resolved: Vec<DataExpr> = arguments.iter().map(|argument| self.data(argument)).collect();
        if !self.is_constructor(name, arguments.len()) {
            self.unknown(name, arguments.len(), span);
        }
        folded(DataExpr::Term(name.to_owned(), resolved))
    }

    fn is_constructor(&self, name: &str, arguments: usize) -> bool {
        let declared = |sort: &DeclaredSort| {
            let mut found = FxHashSet::default();
            sort.values.iter().for_each(|value| collect(value, &mut found));
            found.contains(&(name.to_owned(), arguments))
        };
        self.parts.has_constructor(name, arguments) || self.declared.iter().any(declared)
    }

    /// Reports an unknown name. A name that is no constructor may be a function of the specification, which is not known here; so
    /// nothing is assumed of it.
    fn unknown(&mut self, name: &str, arguments: usize, span: Span) {
        let message = match arguments {
            0 => format!("`{name}` is no variable, and no label has it as a value"),
            _ => format!("`{name}` is no function that is known here, and no label has it in a value"),
        };
        let known = self.scope.variables().chain(self.parts.constants());
        let help = match nearest(name, known) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None if arguments == 0 => {
                format!(
                    "declare it with --sort 'D={{{name},…}}' if it is a value that just does not occur, or \
                     define it: `macro {name} = 5 end_macro`"
                )
            }
            None => {
                let parameters = ["x", "y", "z"].iter().take(arguments).join(", ");
                format!("define it: `macro {name} ({parameters}) = … end_macro` before the formula")
            }
        };
        self.mistake(span, message, help);
    }
}

/// The function of a sign, and whether its operands change places.
fn function_of(sign: &str) -> (DataFunction, bool) {
    match sign {
        "div" => (DataFunction::Div, false),
        "mod" => (DataFunction::Mod, false),
        _ => {
            let known = SIGNS.iter().find(|(known, ..)| *known == sign);
            known.map_or_else(|| unreachable!("the grammar has no sign {sign}"), |(_, f, swap)| (*f, *swap))
        }
    }
}

/// The value of an expression without variables, if it has one.
fn folded(expr: DataExpr) -> DataExpr {
    if expr.slots() != 0 {
        return expr;
    }
    match expr.value(&[]) {
        Ok(value) => DataExpr::Constant(value.into_owned()),
        Err(_) => expr,
    }
}
