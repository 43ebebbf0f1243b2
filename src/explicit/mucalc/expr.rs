//! Expressions over data, and their values.

use super::value::Value;
use kit::diagnostics::Span;
use std::borrow::Cow;

/// A variable for data: its number among those of the formula.
pub type Slot = usize;

/// The limit on variables of a formula.
pub const MOST_SLOTS: usize = 128;

pub type Slots = u128;

#[derive(Debug, Clone)]
pub enum Expr {
    Constant(Value),
    Variable(Slot),
    Term(String, Vec<Expr>),
    List(Vec<Expr>),
    Set(Vec<Expr>),
    Apply(Function, Vec<Expr>, Span),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Function {
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
pub const FUNCTIONS: [(&str, usize, Function); 15] = [
    ("head", 1, Function::Head),
    ("tail", 1, Function::Tail),
    ("rhead", 1, Function::Rhead),
    ("rtail", 1, Function::Rtail),
    ("if", 3, Function::If),
    ("min", 2, Function::Min),
    ("max", 2, Function::Max),
    ("abs", 1, Function::Abs),
    ("succ", 1, Function::Succ),
    ("pred", 1, Function::Pred),
    ("Int2Nat", 1, Function::ToNat),
    ("Pos2Nat", 1, Function::ToNat),
    ("Nat2Pos", 1, Function::ToPos),
    ("Int2Pos", 1, Function::ToPos),
    ("Nat2Int", 1, Function::ToInt),
];

/// Signs with their functions; `true` if the operands change places.
pub const SIGNS: [(&str, Function, bool); 19] = [
    ("not", Function::Not, false),
    ("and", Function::And, false),
    ("or", Function::Or, false),
    ("implies", Function::Implies, false),
    ("==", Function::Equal, false),
    ("!=", Function::Unequal, false),
    ("<", Function::Less, false),
    ("<=", Function::AtMost, false),
    (">", Function::Less, true),
    (">=", Function::AtMost, true),
    ("+", Function::Add, false),
    ("-", Function::Subtract, false),
    ("*", Function::Multiply, false),
    ("in", Function::In, false),
    ("|>", Function::Cons, false),
    ("<|", Function::Snoc, false),
    ("++", Function::Concat, false),
    ("#", Function::Size, false),
    (".", Function::At, false),
];

/// An expression has no value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Where.
    pub span: Span,
    /// Why, a sentence.
    pub message: String,
}

/// The values of variables; `None` where one has no value.
pub type Values = [Option<Value>];

impl Expr {
    pub fn slots(&self) -> Slots {
        match self {
            Expr::Constant(_) => 0,
            Expr::Variable(slot) => 1 << slot,
            Expr::Term(_, parts) | Expr::List(parts) | Expr::Set(parts) | Expr::Apply(_, parts, _) => {
                slots_of(parts)
            }
        }
    }

    /// Its value.
    ///
    /// # Errors
    /// If it has none: a number out of range, the first element of an empty list, operands of the wrong kind.
    pub fn value<'v>(&'v self, values: &'v Values) -> Result<Cow<'v, Value>, Fault> {
        let all = |parts: &[Expr]| -> Result<Vec<Value>, Fault> {
            parts.iter().map(|part| part.value(values).map(Cow::into_owned)).collect()
        };
        Ok(match self {
            Expr::Constant(value) => Cow::Borrowed(value),
            Expr::Variable(slot) => match &values[*slot] {
                Some(value) => Cow::Borrowed(value),
                None => unreachable!("a variable has a value where it is in scope"),
            },
            Expr::Term(name, parts) => Cow::Owned(Value::Term(name.clone(), all(parts)?)),
            Expr::List(parts) => Cow::Owned(Value::List(all(parts)?)),
            Expr::Set(parts) => Cow::Owned(Value::Set(all(parts)?.into_iter().collect())),
            Expr::Apply(function, parts, span) => {
                let applied = match function.lazy(parts, values)? {
                    Some(value) => Ok(value),
                    None => function.apply(all(parts)?),
                };
                Cow::Owned(applied.map_err(|message| Fault { span: *span, message })?)
            }
        })
    }

    /// Its truth.
    ///
    /// # Errors
    /// If it has no value, or is no truth value.
    pub fn truth(&self, values: &Values, span: Span) -> Result<bool, Fault> {
        match self.value(values)?.as_ref() {
            Value::Bool(truth) => Ok(*truth),
            other => Err(Fault { span, message: format!("{other} is no truth value") }),
        }
    }
}

pub fn slots_of(expressions: &[Expr]) -> Slots {
    expressions.iter().fold(0, |all, part| all | part.slots())
}

impl Function {
    /// The value, if the function does not need all of its arguments.
    fn lazy(self, parts: &[Expr], values: &Values) -> Result<Option<Value>, Fault> {
        let truth = |at: usize| match parts[at].value(values)?.as_ref() {
            Value::Bool(truth) => Ok(Some(*truth)),
            _ => Ok(None),
        };
        Ok(match self {
            Function::And if truth(0)? == Some(false) => Some(Value::Bool(false)),
            Function::Or if truth(0)? == Some(true) => Some(Value::Bool(true)),
            Function::Implies if truth(0)? == Some(false) => Some(Value::Bool(true)),
            Function::If => match truth(0)? {
                Some(true) => Some(parts[1].value(values)?.into_owned()),
                Some(false) => Some(parts[2].value(values)?.into_owned()),
                None => None,
            },
            _ => None,
        })
    }

    /// The value for arguments; why there is none.
    fn apply(self, arguments: Vec<Value>) -> Result<Value, String> {
        use Value::{Bool, List, Number, Set};
        let number = |value: Option<i128>| match value {
            Some(value) => Ok(Number(value)),
            None => Err("this number is out of range".to_owned()),
        };
        let mut arguments = arguments.into_iter();
        let pair = (arguments.next(), arguments.next());
        match (self, pair) {
            (Function::Not, (Some(Bool(a)), _)) => Ok(Bool(!a)),
            (Function::And, (Some(Bool(a)), Some(Bool(b)))) => Ok(Bool(a && b)),
            (Function::Or, (Some(Bool(a)), Some(Bool(b)))) => Ok(Bool(a || b)),
            (Function::Implies, (Some(Bool(a)), Some(Bool(b)))) => Ok(Bool(!a || b)),
            (Function::Equal, (Some(a), Some(b))) => Ok(Bool(a == b)),
            (Function::Unequal, (Some(a), Some(b))) => Ok(Bool(a != b)),
            (Function::Less, (Some(Number(a)), Some(Number(b)))) => Ok(Bool(a < b)),
            (Function::AtMost, (Some(Number(a)), Some(Number(b)))) => Ok(Bool(a <= b)),
            (Function::Add, (Some(Number(a)), Some(Number(b)))) => number(a.checked_add(b)),
            (Function::Subtract, (Some(Number(a)), Some(Number(b)))) => number(a.checked_sub(b)),
            (Function::Multiply, (Some(Number(a)), Some(Number(b)))) => number(a.checked_mul(b)),
            (Function::Div | Function::Mod, (Some(Number(_)), Some(Number(b)))) if b <= 0 => {
                Err("the divisor is not positive".to_owned())
            }
            (Function::Div, (Some(Number(a)), Some(Number(b)))) => number(a.checked_div_euclid(b)),
            (Function::Mod, (Some(Number(a)), Some(Number(b)))) => number(a.checked_rem_euclid(b)),
            (Function::Negate, (Some(Number(a)), _)) => number(a.checked_neg()),
            (Function::Min, (Some(Number(a)), Some(Number(b)))) => Ok(Number(a.min(b))),
            (Function::Max, (Some(Number(a)), Some(Number(b)))) => Ok(Number(a.max(b))),
            (Function::Abs, (Some(Number(a)), _)) => number(a.checked_abs()),
            (Function::Succ, (Some(Number(a)), _)) => number(a.checked_add(1)),
            (Function::Pred, (Some(Number(a)), _)) => number(a.checked_sub(1)),
            (Function::ToNat, (Some(Number(a)), _)) if a < 0 => Err(format!("{a} is no natural number")),
            (Function::ToPos, (Some(Number(a)), _)) if a < 1 => Err(format!("{a} is not positive")),
            (Function::ToNat | Function::ToPos | Function::ToInt, (Some(Number(a)), _)) => Ok(Number(a)),
            (Function::Less, (Some(Set(a)), Some(Set(b)))) => Ok(Bool(a != b && a.is_subset(&b))),
            (Function::AtMost, (Some(Set(a)), Some(Set(b)))) => Ok(Bool(a.is_subset(&b))),
            (Function::Add, (Some(Set(a)), Some(Set(b)))) => Ok(Set(&a | &b)),
            (Function::Subtract, (Some(Set(a)), Some(Set(b)))) => Ok(Set(&a - &b)),
            (Function::Multiply, (Some(Set(a)), Some(Set(b)))) => Ok(Set(&a & &b)),
            (Function::Size, (Some(Set(a)), _)) => Ok(Number(a.len() as i128)),
            (Function::In, (Some(a), Some(Set(b)))) => Ok(Bool(b.contains(&a))),
            (Function::Size, (Some(List(a)), _)) => Ok(Number(a.len() as i128)),
            (Function::In, (Some(a), Some(List(b)))) => Ok(Bool(b.contains(&a))),
            (Function::At, (Some(List(mut a)), Some(Number(at)))) => match usize::try_from(at) {
                Ok(at) if at < a.len() => Ok(a.swap_remove(at)),
                _ => Err(format!("this list of {} has no element number {at}, counted from 0", a.len())),
            },
            (Function::Cons, (Some(a), Some(List(b)))) => Ok(List([vec![a], b].concat())),
            (Function::Snoc, (Some(List(a)), Some(b))) => Ok(List([a, vec![b]].concat())),
            (Function::Concat, (Some(List(a)), Some(List(b)))) => Ok(List([a, b].concat())),
            (Function::Head | Function::Tail | Function::Rhead | Function::Rtail, (Some(List(a)), _))
                if a.is_empty() =>
            {
                Err("this list is empty".to_owned())
            }
            (Function::Head, (Some(List(mut a)), _)) => Ok(a.swap_remove(0)),
            (Function::Rhead, (Some(List(mut a)), _)) => Ok(a.swap_remove(a.len() - 1)),
            (Function::Tail, (Some(List(a)), _)) => Ok(List(a[1..].to_vec())),
            (Function::Rtail, (Some(List(a)), _)) => Ok(List(a[..a.len() - 1].to_vec())),
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
        let rest = [("div", Function::Div), ("mod", Function::Mod), ("-", Function::Negate)];
        let mut all = named.chain(signs).chain(rest);
        all.find(|(_, function)| *function == self).map_or("a function", |(name, _)| name)
    }
}
