//! Expressions over data, and their values.

use super::value::DataValue;
use kit::diagnostics::Span;
use std::borrow::Cow;

/// A variable for data: its number among those of the formula.
pub type DataSlot = usize;

/// The limit on variables of a formula.
pub const MOST_SLOTS: usize = 128;

pub type DataSlots = u128;

#[derive(Debug, Clone)]
pub enum DataExpr {
    Constant(DataValue),
    Variable(DataSlot),
    Term(String, Vec<DataExpr>),
    List(Vec<DataExpr>),
    Set(Vec<DataExpr>),
    Apply(DataFunction, Vec<DataExpr>, Span),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DataFunction {
    Not,
    /// Conjunction, from left to right.
    And,
    /// Disjunction, from left to right.
    Or,
    Implies,
    Equal,
    Unequal,
    /// Less, of numbers; of sets a proper subset.
    Less,
    /// At most, of numbers; of sets a subset.
    AtMost,
    /// A sum; of sets the union.
    Add,
    /// A difference, of sets as well.
    Subtract,
    /// A product; of sets the intersection.
    Multiply,
    /// A quotient, rounded down; the divisor is positive.
    Div,
    /// A remainder, not negative; the divisor is positive.
    Mod,
    /// The number with the other sign.
    Negate,
    /// The number of elements of a list or set.
    Size,
    /// Membership in a list or set.
    In,
    Cons,
    Snoc,
    /// Two lists, one after the other.
    Concat,
    /// The element of a list with a number, from 0 on.
    At,
    Head,
    /// A list without its first element.
    Tail,
    Rhead,
    /// A list without its last element.
    Rtail,
    /// The second or third argument, as the first is true or not.
    If,
    Min,
    Max,
    Abs,
    Succ,
    Pred,
    /// The number, which is at least 0.
    ToNat,
    /// The number, which is at least 1.
    ToPos,
    ToInt,
}

/// Functions with their names and numbers of arguments.
pub const FUNCTIONS: [(&str, usize, DataFunction); 15] = [
    ("head", 1, DataFunction::Head),
    ("tail", 1, DataFunction::Tail),
    ("rhead", 1, DataFunction::Rhead),
    ("rtail", 1, DataFunction::Rtail),
    ("if", 3, DataFunction::If),
    ("min", 2, DataFunction::Min),
    ("max", 2, DataFunction::Max),
    ("abs", 1, DataFunction::Abs),
    ("succ", 1, DataFunction::Succ),
    ("pred", 1, DataFunction::Pred),
    ("Int2Nat", 1, DataFunction::ToNat),
    ("Pos2Nat", 1, DataFunction::ToNat),
    ("Nat2Pos", 1, DataFunction::ToPos),
    ("Int2Pos", 1, DataFunction::ToPos),
    ("Nat2Int", 1, DataFunction::ToInt),
];

/// Signs with their functions; `true` if the operands change places.
pub const SIGNS: [(&str, DataFunction, bool); 19] = [
    ("not", DataFunction::Not, false),
    ("and", DataFunction::And, false),
    ("or", DataFunction::Or, false),
    ("implies", DataFunction::Implies, false),
    ("==", DataFunction::Equal, false),
    ("!=", DataFunction::Unequal, false),
    ("<", DataFunction::Less, false),
    ("<=", DataFunction::AtMost, false),
    (">", DataFunction::Less, true),
    (">=", DataFunction::AtMost, true),
    ("+", DataFunction::Add, false),
    ("-", DataFunction::Subtract, false),
    ("*", DataFunction::Multiply, false),
    ("in", DataFunction::In, false),
    ("|>", DataFunction::Cons, false),
    ("<|", DataFunction::Snoc, false),
    ("++", DataFunction::Concat, false),
    ("#", DataFunction::Size, false),
    (".", DataFunction::At, false),
];

/// An expression has no value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataFault {
    /// Where.
    pub span: Span,
    /// Why, a sentence.
    pub message: String,
}

/// The values of variables; `None` where one has no value.
pub type DataValues = [Option<DataValue>];

impl DataExpr {
    pub fn slots(&self) -> DataSlots {
        match self {
            DataExpr::Constant(_) => 0,
            DataExpr::Variable(slot) => 1 << slot,
            DataExpr::Term(_, parts)
            | DataExpr::List(parts)
            | DataExpr::Set(parts)
            | DataExpr::Apply(_, parts, _) => slots_of(parts),
        }
    }

    /// Its value.
    ///
    /// # Errors
    /// If it has none: a number out of range, the first element of an empty list, operands of the wrong kind.
    pub fn value<'v>(&'v self, values: &'v DataValues) -> Result<Cow<'v, DataValue>, DataFault> {
        let all = |parts: &[DataExpr]| -> Result<Vec<DataValue>, DataFault> {
            parts.iter().map(|part| part.value(values).map(Cow::into_owned)).collect()
        };
        Ok(match self {
            DataExpr::Constant(value) => Cow::Borrowed(value),
            DataExpr::Variable(slot) => match &values[*slot] {
                Some(value) => Cow::Borrowed(value),
                None => unreachable!("a variable has a value where it is in scope"),
            },
            DataExpr::Term(name, parts) => Cow::Owned(DataValue::Term(name.clone(), all(parts)?)),
            DataExpr::List(parts) => Cow::Owned(DataValue::List(all(parts)?)),
            DataExpr::Set(parts) => Cow::Owned(DataValue::Set(all(parts)?.into_iter().collect())),
            DataExpr::Apply(function, parts, span) => {
                let applied = match function.lazy(parts, values)? {
                    Some(value) => Ok(value),
                    None => function.apply(all(parts)?),
                };
                Cow::Owned(applied.map_err(|message| DataFault { span: *span, message })?)
            }
        })
    }

    /// Its truth.
    ///
    /// # Errors
    /// If it has no value, or is no truth value.
    pub fn truth(&self, values: &DataValues, span: Span) -> Result<bool, DataFault> {
        match self.value(values)?.as_ref() {
            DataValue::Bool(truth) => Ok(*truth),
            other => Err(DataFault { span, message: format!("{other} is no truth value") }),
        }
    }
}

pub fn slots_of(expressions: &[DataExpr]) -> DataSlots {
    expressions.iter().fold(0, |all, part| all | part.slots())
}

impl DataFunction {
    /// The value, if the function does not need all of its arguments.
    fn lazy(self, parts: &[DataExpr], values: &DataValues) -> Result<Option<DataValue>, DataFault> {
        let truth = |at: usize| match parts[at].value(values)?.as_ref() {
            DataValue::Bool(truth) => Ok(Some(*truth)),
            _ => Ok(None),
        };
        Ok(match self {
            DataFunction::And if truth(0)? == Some(false) => Some(DataValue::Bool(false)),
            DataFunction::Or if truth(0)? == Some(true) => Some(DataValue::Bool(true)),
            DataFunction::Implies if truth(0)? == Some(false) => Some(DataValue::Bool(true)),
            DataFunction::If => match truth(0)? {
                Some(true) => Some(parts[1].value(values)?.into_owned()),
                Some(false) => Some(parts[2].value(values)?.into_owned()),
                None => None,
            },
            _ => None,
        })
    }

    /// The value for arguments; why there is none.
    fn apply(self, arguments: Vec<DataValue>) -> Result<DataValue, String> {
        use DataValue::{Bool, List, Number, Set};
        let number = |value: Option<i128>| match value {
            Some(value) => Ok(Number(value)),
            None => Err("this number is out of range".to_owned()),
        };
        let mut arguments = arguments.into_iter();
        let pair = (arguments.next(), arguments.next());
        match (self, pair) {
            (DataFunction::Not, (Some(Bool(a)), _)) => Ok(Bool(!a)),
            (DataFunction::And, (Some(Bool(a)), Some(Bool(b)))) => Ok(Bool(a && b)),
            (DataFunction::Or, (Some(Bool(a)), Some(Bool(b)))) => Ok(Bool(a || b)),
            (DataFunction::Implies, (Some(Bool(a)), Some(Bool(b)))) => Ok(Bool(!a || b)),
            (DataFunction::Equal, (Some(a), Some(b))) => Ok(Bool(a == b)),
            (DataFunction::Unequal, (Some(a), Some(b))) => Ok(Bool(a != b)),
            (DataFunction::Less, (Some(Number(a)), Some(Number(b)))) => Ok(Bool(a < b)),
            (DataFunction::AtMost, (Some(Number(a)), Some(Number(b)))) => Ok(Bool(a <= b)),
            (DataFunction::Add, (Some(Number(a)), Some(Number(b)))) => number(a.checked_add(b)),
            (DataFunction::Subtract, (Some(Number(a)), Some(Number(b)))) => number(a.checked_sub(b)),
            (DataFunction::Multiply, (Some(Number(a)), Some(Number(b)))) => number(a.checked_mul(b)),
            (DataFunction::Div | DataFunction::Mod, (Some(Number(_)), Some(Number(b)))) if b <= 0 => {
                Err("the divisor is not positive".to_owned())
            }
            (DataFunction::Div, (Some(Number(a)), Some(Number(b)))) => number(a.checked_div_euclid(b)),
            (DataFunction::Mod, (Some(Number(a)), Some(Number(b)))) => number(a.checked_rem_euclid(b)),
            (DataFunction::Negate, (Some(Number(a)), _)) => number(a.checked_neg()),
            (DataFunction::Min, (Some(Number(a)), Some(Number(b)))) => Ok(Number(a.min(b))),
            (DataFunction::Max, (Some(Number(a)), Some(Number(b)))) => Ok(Number(a.max(b))),
            (DataFunction::Abs, (Some(Number(a)), _)) => number(a.checked_abs()),
            (DataFunction::Succ, (Some(Number(a)), _)) => number(a.checked_add(1)),
            (DataFunction::Pred, (Some(Number(a)), _)) => number(a.checked_sub(1)),
            (DataFunction::ToNat, (Some(Number(a)), _)) if a < 0 => Err(format!("{a} is no natural number")),
            (DataFunction::ToPos, (Some(Number(a)), _)) if a < 1 => Err(format!("{a} is not positive")),
            (DataFunction::ToNat | DataFunction::ToPos | DataFunction::ToInt, (Some(Number(a)), _)) => {
                Ok(Number(a))
            }
            (DataFunction::Less, (Some(Set(a)), Some(Set(b)))) => Ok(Bool(a != b && a.is_subset(&b))),
            (DataFunction::AtMost, (Some(Set(a)), Some(Set(b)))) => Ok(Bool(a.is_subset(&b))),
            (DataFunction::Add, (Some(Set(a)), Some(Set(b)))) => Ok(Set(&a | &b)),
            (DataFunction::Subtract, (Some(Set(a)), Some(Set(b)))) => Ok(Set(&a - &b)),
            (DataFunction::Multiply, (Some(Set(a)), Some(Set(b)))) => Ok(Set(&a & &b)),
            (DataFunction::Size, (Some(Set(a)), _)) => Ok(Number(a.len() as i128)),
            (DataFunction::In, (Some(a), Some(Set(b)))) => Ok(Bool(b.contains(&a))),
            (DataFunction::Size, (Some(List(a)), _)) => Ok(Number(a.len() as i128)),
            (DataFunction::In, (Some(a), Some(List(b)))) => Ok(Bool(b.contains(&a))),
            (DataFunction::At, (Some(List(mut a)), Some(Number(at)))) => match usize::try_from(at) {
                Ok(at) if at < a.len() => Ok(a.swap_remove(at)),
                _ => Err(format!("this list of {} has no element number {at}, counted from 0", a.len())),
            },
            (DataFunction::Cons, (Some(a), Some(List(b)))) => Ok(List([vec![a], b].concat())),
            (DataFunction::Snoc, (Some(List(a)), Some(b))) => Ok(List([a, vec![b]].concat())),
            (DataFunction::Concat, (Some(List(a)), Some(List(b)))) => Ok(List([a, b].concat())),
            (
                DataFunction::Head | DataFunction::Tail | DataFunction::Rhead | DataFunction::Rtail,
                (Some(List(a)), _),
            ) if a.is_empty() => Err("this list is empty".to_owned()),
            (DataFunction::Head, (Some(List(mut a)), _)) => Ok(a.swap_remove(0)),
            (DataFunction::Rhead, (Some(List(mut a)), _)) => Ok(a.swap_remove(a.len() - 1)),
            (DataFunction::Tail, (Some(List(a)), _)) => Ok(List(a[1..].to_vec())),
            (DataFunction::Rtail, (Some(List(a)), _)) => Ok(List(a[..a.len() - 1].to_vec())),
            (_, (first, second)) => {
                let shown: Vec<String> =
                    [first, second].into_iter().flatten().map(|value| value.to_string()).collect();
                Err(format!("{} cannot be applied to {}", self.name(), shown.join(" and ")))
            }
        }
    }

    pub fn name(self) -> &'static str {
        let named = FUNCTIONS.iter().map(|(name, _, function)| (*name, *function));
        let signs = SIGNS.iter().map(|(sign, function, _)| (*sign, *function));
        let rest = [("div", DataFunction::Div), ("mod", DataFunction::Mod), ("-", DataFunction::Negate)];
        let mut all = named.chain(signs).chain(rest);
        all.find(|(_, function)| *function == self).map_or("a function", |(name, _)| name)
    }
}
