//! Values of expressions, and what functions do.

use super::failure::ProcessFailure;
use super::failure::WorkMeter;
use super::program::{
    BehaviourOp, BuiltinOperation, CasePattern, CodeId, ProcessExpr, ProcessExprKind, ProcessProgram,
    ProcessTypeKind, Slot, TypeId,
};
use super::value::ProcessValue;
use kit::budget::Budget;
use kit::diagnostics::Span;
use std::cell::Cell;
use std::rc::Rc;

/// The variables of a process or function; those without a value are no longer needed.
pub type LocalValues = [Option<ProcessValue>];

/// The maximum depth of function calls.
const DEEPEST_CALL: usize = 250;

/// The maximum number of steps of a function called from a process.
const MOST_STEPS: u64 = 10_000_000;

/// The maximum number of parts of a value, including nested ones.
const MOST_PARTS: usize = 1 << 20;

/// The maximum nesting depth of values.
const DEEPEST_VALUE: usize = 5000;

#[derive(Debug)]
pub struct ProcessEvaluator<'a> {
    program: &'a ProcessProgram,
    pub(super) meter: WorkMeter,
    depth: Cell<usize>,
    steps: Cell<u64>,
}

/// How a part of a function ends.
enum ControlFlow {
    On,
    Break(CodeId),
    Return(ProcessValue),
}

impl<'a> ProcessEvaluator<'a> {
    /// An evaluator for the expressions of a program, within a budget.
    pub fn new(program: &'a ProcessProgram, budget: Budget) -> Self {
        Self { program, meter: WorkMeter::new(budget), depth: Cell::new(0), steps: Cell::new(0) }
    }

    /// The value of an expression.
    ///
    /// # Errors
    /// If the value is undefined, for example a number out of range or a division by zero; or a limit is exceeded.
    pub fn value(&self, expr: &ProcessExpr, store: &LocalValues) -> Result<ProcessValue, ProcessFailure> {
        let fail = |message: String| Err(ProcessFailure::undefined(expr.span, message));
        match &expr.kind {
            ProcessExprKind::Value(value) => Ok(value.clone()),
            ProcessExprKind::Variable(slot) => match &store[slot.index()] {
                Some(value) => Ok(value.clone()),
                None => fail("this variable has no value yet".to_owned()),
            },
            ProcessExprKind::Construct(index, fields) => self
                .measured(ProcessValue::Constructed(*index, self.values(fields, store)?.into()), expr.span),
            ProcessExprKind::List(items) => {
                let mut items = self.values(items, store)?;
                self.order(expr.of, &mut items);
                self.measured(ProcessValue::List(items.into()), expr.span)
            }
            ProcessExprKind::Call(function, arguments) => {
                let arguments = self.values(arguments, store)?.into_iter().map(Some).collect();
                let (result, _) = self.call(*function, arguments, expr.span)?;
                result.map_or_else(|| fail("this function has no result".to_owned()), Ok)
            }
            ProcessExprKind::Apply(
                operation @ (BuiltinOperation::And | BuiltinOperation::Or | BuiltinOperation::Implies),
                arguments,
            ) => {
                // What decides alone is enough, so that one side can guard the other.
                let first = self.value(&arguments[0], store)?;
                match (operation, first.is_true()) {
                    (BuiltinOperation::And, false) => Ok(ProcessValue::truth(false)),
                    (BuiltinOperation::Or, true) | (BuiltinOperation::Implies, false) => {
                        Ok(ProcessValue::truth(true))
                    }
                    _ => self.value(&arguments[1], store),
                }
            }
            ProcessExprKind::Apply(operation, arguments) => {
                let arguments = self.values(arguments, store)?;
                self.measured(self.apply(operation, expr.of, &arguments).or_else(fail)?, expr.span)
            }
        }
    }

    /// A new value, if it is not too large: repeated parts are stored only once, but compared and printed as often as they
    /// occur.
    fn measured(&self, value: ProcessValue, span: Span) -> Result<ProcessValue, ProcessFailure> {
        let (mut parts, mut open) = (0, Vec::from([(&value, 0)]));
        while let Some((part, depth)) = open.pop() {
            parts += 1;
            if let ProcessValue::Constructed(_, inner) | ProcessValue::List(inner) = part {
                if parts + open.len() + inner.len() > MOST_PARTS {
                    let message = format!("this value has more than {MOST_PARTS} parts");
                    return Err(ProcessFailure::too_much(span, message));
                }
                if depth > DEEPEST_VALUE {
                    let message = format!("values are nested more than {DEEPEST_VALUE} deep");
                    return Err(ProcessFailure::too_much(span, message));
                }
                open.extend(inner.iter().map(|part| (part, depth + 1)));
            }
        }
        self.meter.spend(parts, span)?;
        Ok(value)
    }

    /// True if a condition holds.
    ///
    /// # Errors
    /// As for [`ProcessEvaluator::value`].
    pub fn holds(
        &self,
        condition: Option<&ProcessExpr>,
        store: &LocalValues,
    ) -> Result<bool, ProcessFailure> {
        condition.map_or(Ok(true), |condition| Ok(self.value(condition, store)?.is_true()))
    }

    fn values(
        &self,
        exprs: &[ProcessExpr],
        store: &LocalValues,
    ) -> Result<Vec<ProcessValue>, ProcessFailure> {
        exprs.iter().map(|expr| self.value(expr, store)).collect()
    }

    /// The assignments of a function that is called as a statement.
    ///
    /// # Errors
    /// As for [`ProcessEvaluator::value`].
    pub fn effect(
        &self,
        code: CodeId,
        store: &LocalValues,
    ) -> Result<Vec<(Slot, ProcessValue)>, ProcessFailure> {
        let at = &self.program.code[code.index()];
        let BehaviourOp::Eval { function, arguments, outs, result } = &at.op else {
            unreachable!("nothing else calls a function as a statement")
        };
        let given = self.given(arguments, store)?;
        let (own, values) = self.call(*function, given, at.span)?;
        Ok(outs.iter().copied().zip(values).chain(result.zip(own)).collect())
    }

    /// The values of actual parameters.
    ///
    /// # Errors
    /// As for [`ProcessEvaluator::value`].
    pub fn given(
        &self,
        arguments: &[Option<ProcessExpr>],
        store: &LocalValues,
    ) -> Result<Vec<Option<ProcessValue>>, ProcessFailure> {
        let value =
            |argument: &Option<ProcessExpr>| argument.as_ref().map(|e| self.value(e, store)).transpose();
        arguments.iter().map(value).collect()
    }

    /// The result of a function, and the values of the parameters that it assigns.
    fn call(
        &self,
        function: usize,
        arguments: Vec<Option<ProcessValue>>,
        span: Span,
    ) -> Result<(Option<ProcessValue>, Vec<ProcessValue>), ProcessFailure> {
        let of = &self.program.functions[function];
        if self.depth.get() == 0 {
            self.steps.set(0);
        }
        if self.depth.get() >= DEEPEST_CALL {
            let message = format!("function calls are nested more than {DEEPEST_CALL} deep");
            return Err(ProcessFailure::too_much(span, message));
        }
        self.depth.set(self.depth.get() + 1);
        let mut store = arguments;
        store.resize(of.slots, None);
        let done = self.run(of.body, &mut store);
        self.depth.set(self.depth.get() - 1);
        let result = match done? {
            ControlFlow::Return(value) => Some(value),
            _ if of.result.is_none() => None,
            _ => {
                let message = format!("the function {} ends without `return`", of.name);
                return Err(ProcessFailure::undefined(span, message));
            }
        };
        let outs: Option<Vec<ProcessValue>> =
            of.outs.iter().map(|slot| store[slot.index()].clone()).collect();
        let message = || format!("the function {} does not assign all of its parameters", of.name);
        Ok((result, outs.ok_or_else(|| ProcessFailure::undefined(span, message()))?))
    }

    fn run(
        &self,
        code: CodeId,
        store: &mut Vec<Option<ProcessValue>>,
    ) -> Result<ControlFlow, ProcessFailure> {
        let at = &self.program.code[code.index()];
        self.steps.set(self.steps.get() + 1);
        self.meter.spend(1, at.span)?;
        if self.steps.get() > MOST_STEPS {
            let message = format!("a function takes more than {MOST_STEPS} steps");
            return Err(ProcessFailure::too_much(at.span, message));
        }
        match &at.op {
            BehaviourOp::Null => {}
            BehaviourOp::Assign(slot, value) => store[slot.index()] = Some(self.value(value, store)?),
            BehaviourOp::Eval { .. } => {
                let changes = self.effect(code, store)?;
                changes.into_iter().for_each(|(slot, value)| store[slot.index()] = Some(value));
            }
            BehaviourOp::Sequence(first, second) => {
                return match self.run(*first, store)? {
                    ControlFlow::On => self.run(*second, store),
                    other => Ok(other),
                };
            }
            BehaviourOp::Var(_, body) => return self.run(*body, store),
            BehaviourOp::If { .. } | BehaviourOp::Case { .. } => {
                let (body, bound) = self.chosen(code, store)?;
                bound.into_iter().for_each(|(slot, value)| store[slot.index()] = Some(value));
                return self.run(body, store);
            }
            BehaviourOp::Loop(condition, body) => {
                while self.holds(condition.as_ref(), store)? {
                    match self.run(*body, store)? {
                        ControlFlow::On => {}
                        ControlFlow::Break(left) if left == code => break,
                        other => return Ok(other),
                    }
                }
            }
            BehaviourOp::Break(left) => return Ok(ControlFlow::Break(*left)),
            BehaviourOp::Return(value) => return Ok(ControlFlow::Return(self.value(value, store)?)),
            BehaviourOp::Fail(message) => return Err(ProcessFailure::undefined(at.span, message.clone())),
            _ => unreachable!("functions do nothing that processes alone can do"),
        }
        Ok(ControlFlow::On)
    }

    /// The branch that an `if` or `case` takes, and the assignments to the variables of its pattern.
    ///
    /// # Errors
    /// If a value cannot be computed, or no branch of a `case` matches.
    #[allow(clippy::type_complexity, reason = "a list of assignments")]
    pub fn chosen(
        &self,
        code: CodeId,
        store: &LocalValues,
    ) -> Result<(CodeId, Vec<(Slot, ProcessValue)>), ProcessFailure> {
        let at = &self.program.code[code.index()];
        match &at.op {
            BehaviourOp::If { cases, otherwise } => {
                for (condition, body) in cases {
                    if self.value(condition, store)?.is_true() {
                        return Ok((*body, Vec::new()));
                    }
                }
                Ok((*otherwise, Vec::new()))
            }
            BehaviourOp::Case { values, arms } => {
                let values = self.values(values, store)?;
                for arm in arms {
                    for patterns in &arm.patterns {
                        let mut bound = Vec::new();
                        if !patterns.iter().zip(&values).all(|(p, v)| matches(p, v, &mut bound)) {
                            continue;
                        }
                        let mut extended = store.to_vec();
                        bound.iter().for_each(|(slot, v)| extended[slot.index()] = Some(v.clone()));
                        if self.holds(arm.condition.as_ref(), &extended)? {
                            return Ok((arm.body, bound));
                        }
                    }
                }
                Err(ProcessFailure::undefined(at.span, "no branch of this `case` matches the value"))
            }
            _ => unreachable!("nothing else chooses by values"),
        }
    }

    fn apply(
        &self,
        operation: &BuiltinOperation,
        of: TypeId,
        arguments: &[ProcessValue],
    ) -> Result<ProcessValue, String> {
        use BuiltinOperation as O;
        let truth = |value| Ok(ProcessValue::truth(value));
        match (operation, arguments) {
            (O::Equal, [a, b]) => truth(a == b),
            (O::Different, [a, b]) => truth(a != b),
            (O::Less, [a, b]) => truth(a < b),
            (O::LessOrEqual, [a, b]) => truth(a <= b),
            (O::Greater, [a, b]) => truth(a > b),
            (O::GreaterOrEqual, [a, b]) => truth(a >= b),
            (O::Not, [a]) => truth(!a.is_true()),
            (O::Xor, [a, b]) => truth(a.is_true() != b.is_true()),
            (O::Minimum, [a, b]) => Ok(a.min(b).clone()),
            (O::Maximum, [a, b]) => Ok(a.max(b).clone()),
            (O::Convert, [ProcessValue::Number(a)]) => self.number(of, Some(*a)),
            (O::Negate, [ProcessValue::Number(a)]) => self.number(of, a.checked_neg()),
            (_, [ProcessValue::Number(a), ProcessValue::Number(b)]) => self.arithmetic(operation, of, *a, *b),
            (O::Get(places), [ProcessValue::Constructed(index, fields)]) => match places[*index as usize] {
                Some(place) => Ok(fields[place].clone()),
                None => Err("this value has no such field".to_owned()),
            },
            (O::Set(places), [ProcessValue::Constructed(index, fields), value]) => {
                match places[*index as usize] {
                    Some(place) => {
                        let mut fields = fields.to_vec();
                        fields[place] = value.clone();
                        Ok(ProcessValue::Constructed(*index, fields.into()))
                    }
                    None => Err("this value has no such field".to_owned()),
                }
            }
            (O::Fill(length), [value]) => {
                Ok(ProcessValue::Constructed(0, vec![value.clone(); *length].into()))
            }
            (O::At(low), [ProcessValue::Constructed(_, items), ProcessValue::Number(at)]) => {
                Ok(items[place(*low, items, *at)?].clone())
            }
            (O::With(low), [ProcessValue::Constructed(index, items), ProcessValue::Number(at), value]) => {
                let at = place(*low, items, *at)?;
                let mut items = items.to_vec();
                items[at] = value.clone();
                Ok(ProcessValue::Constructed(*index, items.into()))
            }
            _ => self.on_list(operation, of, arguments),
        }
    }

    fn arithmetic(
        &self,
        operation: &BuiltinOperation,
        of: TypeId,
        a: i64,
        b: i64,
    ) -> Result<ProcessValue, String> {
        use BuiltinOperation as O;
        if b == 0 && matches!(operation, O::Divide | O::Modulo | O::Remainder) {
            return Err("division by zero".to_owned());
        }
        let result = match operation {
            O::Add => a.checked_add(b),
            O::Subtract => a.checked_sub(b),
            O::Multiply => a.checked_mul(b),
            O::Divide => a.checked_div(b),
            O::Modulo => a.checked_rem_euclid(b).map(|r| if b < 0 && r != 0 { r + b } else { r }),
            O::Remainder => a.checked_rem(b),
            O::Power => u32::try_from(b).ok().and_then(|b| a.checked_pow(b)),
            _ => unreachable!("nothing else is computed with numbers"),
        };
        self.number(of, result)
    }

    /// A number, if it lies in the range of its type.
    fn number(&self, of: TypeId, number: Option<i64>) -> Result<ProcessValue, String> {
        let found = &self.program.types[of.index()];
        let ProcessTypeKind::Number { low, high, only } = &found.kind else {
            unreachable!("numbers have a type of numbers")
        };
        match number {
            Some(number) if found.kind.has_number(number) => Ok(ProcessValue::Number(number)),
            Some(number) if only.is_some() && (*low..=*high).contains(&number) => {
                Err(format!("{number} does not satisfy the condition of {}", found.name))
            }
            Some(number) => Err(format!("{number} is not in {} ({low} to {high})", found.name)),
            None => Err(format!("the result is out of range for {}", found.name)),
        }
    }

    fn on_list(
        &self,
        operation: &BuiltinOperation,
        of: TypeId,
        arguments: &[ProcessValue],
    ) -> Result<ProcessValue, String> {
        use BuiltinOperation as O;
        let list = |mut items: Vec<ProcessValue>| {
            self.order(of, &mut items);
            Ok(ProcessValue::List(items.into()))
        };
        match (operation, arguments) {
            (O::Cons, [item, ProcessValue::List(items)]) => {
                list(std::iter::once(item).chain(items.iter()).cloned().collect())
            }
            (O::Append, [item, ProcessValue::List(items)] | [ProcessValue::List(items), item]) => {
                list(items.iter().chain(std::iter::once(item)).cloned().collect())
            }
            (O::Length, [ProcessValue::List(items)]) => self.number(of, i64::try_from(items.len()).ok()),
            (O::Element, [ProcessValue::List(items), ProcessValue::Number(at)]) => usize::try_from(*at - 1)
                .ok()
                .and_then(|at| items.get(at).cloned())
                .ok_or_else(|| format!("a list of {} elements has no element {at}", items.len())),
            (O::Member, [item, ProcessValue::List(items)]) => Ok(ProcessValue::truth(items.contains(item))),
            (O::IsEmpty, [ProcessValue::List(items)]) => Ok(ProcessValue::truth(items.is_empty())),
            (O::Head, [ProcessValue::List(items)]) => {
                items.first().cloned().ok_or_else(|| "the empty list has no first element".to_owned())
            }
            (O::Tail, [ProcessValue::List(items)]) => match items.split_first() {
                Some((_, others)) => list(others.to_vec()),
                None => Err("the empty list has no first element".to_owned()),
            },
            (O::Remove, [item, ProcessValue::List(items)]) => {
                let mut items = items.to_vec();
                if let Some(at) = items.iter().position(|other| other == item) {
                    items.remove(at);
                }
                list(items)
            }
            (O::Union, [ProcessValue::List(a), ProcessValue::List(b)]) => {
                list(a.iter().chain(b.iter()).cloned().collect())
            }
            (O::Intersection, [ProcessValue::List(a), ProcessValue::List(b)]) => {
                list(a.iter().filter(|item| b.contains(item)).cloned().collect())
            }
            (O::Difference, [ProcessValue::List(a), ProcessValue::List(b)]) => {
                list(a.iter().filter(|item| !b.contains(item)).cloned().collect())
            }
            (O::Reverse, [ProcessValue::List(items)]) => list(items.iter().rev().cloned().collect()),
            _ => unreachable!("the arguments were checked"),
        }
    }

    /// Brings the elements of a list of this type into order, if it has one. Sets are kept sorted, so that equal sets
    /// are the same value.
    fn order(&self, of: TypeId, items: &mut Vec<ProcessValue>) {
        if let ProcessTypeKind::List { sorted, set, .. } = self.program.types[of.index()].kind {
            if sorted || set {
                items.sort();
            }
            if set {
                items.dedup();
            }
        }
    }
}

/// The place of the element of an array with this index, given the least one.
fn place(low: i64, items: &[ProcessValue], at: i64) -> Result<usize, String> {
    let place = at.checked_sub(low).and_then(|place| usize::try_from(place).ok());
    place.filter(|&place| place < items.len()).ok_or_else(|| {
        let high = low.saturating_add_unsigned(items.len() as u64).saturating_sub(1);
        format!("{at} is not an index of this array ({low} to {high})")
    })
}

/// True if a value matches a pattern; adds the assignments to its variables.
pub fn matches(pattern: &CasePattern, value: &ProcessValue, bound: &mut Vec<(Slot, ProcessValue)>) -> bool {
    match (pattern, value) {
        (CasePattern::Any, _) => true,
        (CasePattern::Bind(slot), _) => {
            bound.push((*slot, value.clone()));
            true
        }
        (CasePattern::Value(wanted), _) => wanted == value,
        (CasePattern::Constructed(wanted, patterns), ProcessValue::Constructed(index, fields)) => {
            wanted == index && patterns.iter().zip(fields.iter()).all(|(p, v)| matches(p, v, bound))
        }
        (CasePattern::List(patterns), ProcessValue::List(items)) => {
            patterns.len() == items.len()
                && patterns.iter().zip(items.iter()).all(|(p, v)| matches(p, v, bound))
        }
        (CasePattern::Cons(patterns), ProcessValue::List(items)) => match items.split_first() {
            Some((first, others)) => {
                let others = ProcessValue::List(Rc::from(others));
                matches(&patterns[0], first, bound) && matches(&patterns[1], &others, bound)
            }
            None => false,
        },
        _ => false,
    }
}
