//! Types made of others: arrays, and types with a condition; and other names for predefined functions.

use super::ProcessChecker;
use super::names::ScopedVariable;
use super::types::{CallSignature, Callee};
use crate::process::eval::ProcessEvaluator;
use crate::process::program::{
    BOOL, BuiltinOperation, INT, NAT, ProcessConstructor, ProcessProgram, ProcessTypeKind, Slot, TypeId,
};
use crate::process::text::tree::{self, Parameter, ProcessName};
use crate::process::value::ProcessValue;
use std::rc::Rc;

/// The maximum number of elements of an array.
const LONGEST_ARRAY: i64 = 1 << 16;

impl ProcessChecker {
    /// A bound of the indices of an array: an integer or a natural number.
    pub(super) fn index(&mut self, expr: &tree::ExprSyntax) -> Option<i64> {
        let base = if self.types_of(expr, &[]).contains(&INT) { INT } else { NAT };
        self.constant(expr, base)
    }

    /// A program without functions and processes, to evaluate expressions over predefined functions.
    pub(super) fn only_types(&self) -> ProcessProgram {
        ProcessProgram {
            types: self.types.clone(),
            functions: Vec::new(),
            processes: Vec::new(),
            code: Vec::new(),
            main: 0,
            arguments: Vec::new(),
            gates: Vec::new(),
        }
    }

    /// The values of an array type.
    pub(super) fn array(
        &mut self,
        name: &ProcessName,
        low: i64,
        high: i64,
        of: TypeId,
    ) -> Option<ProcessTypeKind> {
        let length = high.saturating_sub(low).saturating_add(1);
        if !(1..=LONGEST_ARRAY).contains(&length) {
            let message = format!("an array cannot have the indices {low} .. {high}");
            let help = format!("arrays have between 1 and {LONGEST_ARRAY} elements");
            self.mistake(name.span, message, help);
            return None;
        }
        let fields = (0..length).map(|_| (String::new(), of)).collect();
        Some(ProcessTypeKind::Constructed(vec![ProcessConstructor { name: name.key.clone(), fields }]))
    }

    /// Declares the functions of an array type: `A (e)` has equal elements, `x [i]` is one of them.
    pub(super) fn functions_of_array(&mut self, of: TypeId, low: i64) {
        let ProcessTypeKind::Constructed(constructors) = &self.types[of.index()].kind else { return };
        let Some(ProcessConstructor { name, fields }) = constructors.first().cloned() else { return };
        let Some(&(_, element)) = fields.first() else { return };
        if fields.len() > 1 {
            self.operation(&name, &[element], of, BuiltinOperation::Fill(fields.len()));
        }
        let numbers = |t: &TypeId| matches!(self.types[t.index()].kind, ProcessTypeKind::Number { .. });
        let indices: Vec<TypeId> = self.type_ids().filter(numbers).collect();
        for index in indices {
            self.operation("[]", &[of, index], element, BuiltinOperation::At(low));
            self.operation("[]:=", &[of, index, element], of, BuiltinOperation::With(low));
        }
    }

    /// The values of a type with a condition. The condition is evaluated for every value of the type that it restricts.
    pub(super) fn restricted(
        &mut self,
        variable: &Parameter,
        condition: &tree::ExprSyntax,
    ) -> Option<ProcessTypeKind> {
        let base = self.type_of(&variable.of)?;
        if self.is_vague(base) {
            return None;
        }
        let ProcessTypeKind::Number { low, high, .. } = self.types[base.index()].kind else {
            let message = "a condition can only restrict a type of numbers that is defined before";
            self.mistake(variable.of.span, message, "check values where they are made");
            return None;
        };
        let program = self.only_types();
        let candidates = match program.values(base) {
            Ok(candidates) => candidates,
            Err(why) => {
                let message = format!("{} cannot be restricted: {why}", self.type_name(base));
                self.mistake(variable.of.span, message, "restrict a range: `range 0 .. 99 of nat`");
                return None;
            }
        };
        let own = ScopedVariable { key: variable.name.key.clone(), slot: Slot::FIRST, of: base };
        let condition = self.typed(condition, Some(BOOL), &[own])?;
        let evaluator = ProcessEvaluator::new(&program, self.budget.clone());
        let mut only = Vec::new();
        for value in candidates {
            match (evaluator.holds(Some(&condition), &[Some(value.clone())]), value) {
                (Ok(true), ProcessValue::Number(number)) => only.push(number),
                (Ok(_), _) => {}
                (Err(failure), _) => {
                    self.failed(failure, "the condition must have a value for all numbers of the type");
                    return None;
                }
            }
        }
        if only.is_empty() {
            let message = "no value satisfies this condition";
            self.mistake(condition.span, message, "a type needs a value");
            return None;
        }
        Some(ProcessTypeKind::Number { low, high, only: Some(Rc::from(only)) })
    }

    /// Declares other names for predefined functions of a type.
    pub(super) fn aliases(&mut self, of: TypeId, aliases: &[(ProcessName, ProcessName)]) {
        for (predefined, alias) in aliases {
            self.note(alias);
            let of_type = |s: &CallSignature| s.result == of || s.parameters.contains(&of);
            let named = self.signatures.iter().filter(|((key, _), _)| *key == predefined.key);
            let known = named.flat_map(|(_, signatures)| signatures);
            let found: Vec<CallSignature> =
                known.filter(|s| of_type(s) && !matches!(s.callee, Callee::Function(_))).cloned().collect();
            if found.is_empty() {
                let message =
                    format!("{} has no predefined function {}", self.type_name(of), predefined.shown);
                self.mistake(predefined.span, message, "name a predefined function before `as`");
            }
            for CallSignature { parameters, result, callee } in found {
                self.signature(&alias.key, &parameters, result, callee);
            }
        }
    }
}
