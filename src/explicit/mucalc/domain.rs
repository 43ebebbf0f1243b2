//! Which values of a variable matter.
//!
//! Of a variable that ranges over infinitely many values, or over values that are not known, only finitely many matter in most
//! formulas: `<a(n)> f` is false in every state unless some label is a(n). Everything here answers one question: a finite set
//! of values such that with any other value, and whatever other variables are, a formula is true in all states (or false in
//! all). The sets may be too large, never too small.

use super::expr::{Expr, Function, Slot};
use super::formula::{Action, FixpointId, Regular, State};
use super::system::LabelParts;
use super::value::Value;
use std::collections::BTreeSet;

/// The limit on values that a comparison of numbers admits.
const MOST: i128 = 100_000;

/// A set of values, `None` if no finite one is known.
type Known = Option<BTreeSet<Value>>;

/// The question: with which values of a variable is something not what is wanted?
pub struct Question<'a> {
    pub slot: Slot,
    /// The least number that it can be, if there is one.
    pub least: Option<i128>,
    pub labels: &'a LabelParts,
    /// The fixpoints inside which the formula is, as far as the variable is bound outside of them; `true` for greatest ones.
    pub inside: Vec<(FixpointId, bool)>,
}

/// The smaller of two sets, each of which will do.
fn either(a: Known, b: Known) -> Known {
    match (a, b) {
        (Some(a), Some(b)) => Some(if a.len() <= b.len() { a } else { b }),
        (a, b) => a.or(b),
    }
}

/// The union, if all are known.
fn union(parts: impl Iterator<Item = Known>) -> Known {
    let mut all = BTreeSet::new();
    for part in parts {
        all.extend(part?);
    }
    Some(all)
}

/// The best of several sets, each of which will do.
fn best(parts: impl Iterator<Item = Known>) -> Known {
    parts.fold(None, either)
}

impl Question<'_> {
    /// The values with which a formula need not be `wanted` in all states.
    pub fn state(&mut self, formula: &State, wanted: bool) -> Known {
        match formula {
            State::Bool(value) => (*value == wanted).then(BTreeSet::new),
            State::Val(expr, _) => self.expr(expr, wanted),
            State::Not(of) => self.state(of, !wanted),
            State::And(parts) | State::Or(parts) => {
                // A conjunction is false if one part is, and true if all are.
                let one_is_enough = matches!(formula, State::And(_)) != wanted;
                let known: Vec<Known> = parts.iter().map(|part| self.state(part, wanted)).collect();
                if one_is_enough { best(known.into_iter()) } else { union(known.into_iter()) }
            }
            State::Modal(all, regular, then) if *all == wanted => {
                let none = self.empty(regular);
                either(none, self.state(then, wanted))
            }
            State::Modal(..) => None,
            State::Fixpoint(fixpoint) => {
                self.inside.push((fixpoint.id, fixpoint.greatest));
                let known = self.state(&fixpoint.body, wanted);
                self.inside.pop();
                known
            }
            // By induction: if the body is false wherever X is taken for false, then so is the least fixpoint.
            State::Call(called, _) => {
                let found = self.inside.iter().find(|(id, _)| id == called);
                found.filter(|(_, greatest)| *greatest == wanted).map(|_| BTreeSet::new())
            }
            State::Bind(bind, of) => {
                if bind.values.is_empty() {
                    return (bind.all == wanted).then(BTreeSet::new);
                }
                self.state(of, wanted)
            }
        }
    }

    /// The values with which some sequence may be in the set.
    fn empty(&mut self, regular: &Regular) -> Known {
        match regular {
            Regular::Action(action) => self.action(action, false),
            Regular::Empty(_) | Regular::Star(_) | Regular::Optional(_) | Regular::Times(_, 0) => None,
            Regular::Sequence(parts) => {
                let known: Vec<Known> = parts.iter().map(|part| self.empty(part)).collect();
                best(known.into_iter())
            }
            Regular::Choice(parts) => {
                let known: Vec<Known> = parts.iter().map(|part| self.empty(part)).collect();
                union(known.into_iter())
            }
            Regular::Plus(part) | Regular::Times(part, _) => self.empty(part),
        }
    }

    /// The values with which a set of labels need not have all labels if `wanted`, or may have one if not.
    pub fn action(&mut self, action: &Action, wanted: bool) -> Known {
        match action {
            Action::Bool(value) => (*value == wanted).then(BTreeSet::new),
            Action::Val(expr, _) => self.expr(expr, wanted),
            Action::Atom(..) => None,
            Action::Multi(actions, _) if !wanted => {
                best(actions.iter().map(|(name, arguments)| self.bound(name, arguments, actions.len())))
            }
            Action::Multi(..) => None,
            Action::Not(of) => self.action(of, !wanted),
            Action::And(parts) | Action::Or(parts) => {
                let one_is_enough = matches!(action, Action::And(_)) != wanted;
                let known: Vec<Known> = parts.iter().map(|part| self.action(part, wanted)).collect();
                if one_is_enough { best(known.into_iter()) } else { union(known.into_iter()) }
            }
            Action::Bind(bind, of) => {
                if bind.values.is_empty() {
                    return (bind.all == wanted).then(BTreeSet::new);
                }
                self.action(of, wanted)
            }
        }
    }

    /// The values with which some label may have an action with these arguments.
    fn bound(&self, name: &str, arguments: &[Expr], together: usize) -> Known {
        let mut values = BTreeSet::new();
        for action in self.labels.with_name(name, arguments.len(), together) {
            match self.fitting_all(arguments, &action.arguments) {
                Fit::Never => {}
                Fit::With(value) => _ = values.insert(value),
                Fit::Always => return None,
            }
        }
        Some(values)
    }

    fn fitting_all(&self, patterns: &[Expr], values: &[Value]) -> Fit {
        if patterns.len() != values.len() {
            return Fit::Never;
        }
        let all = patterns.iter().zip(values).map(|(pattern, value)| self.fitting(pattern, value));
        all.fold(Fit::Always, Fit::and)
    }

    /// With which value of the variable an expression can have a value.
    fn fitting(&self, pattern: &Expr, value: &Value) -> Fit {
        match (pattern, value) {
            (Expr::Variable(slot), value) if *slot == self.slot => Fit::With(value.clone()),
            (Expr::Variable(_) | Expr::Set(_) | Expr::Apply(..), _) => Fit::Always,
            (Expr::Constant(constant), value) if constant == value => Fit::Always,
            (Expr::Term(name, parts), Value::Term(other, values)) if name == other => {
                self.fitting_all(parts, values)
            }
            (Expr::List(parts), Value::List(values)) => self.fitting_all(parts, values),
            _ => Fit::Never,
        }
    }

    /// The values with which an expression need not be `wanted`.
    fn expr(&self, expr: &Expr, wanted: bool) -> Known {
        let Expr::Apply(function, parts, _) = expr else {
            let constant = matches!(expr, Expr::Constant(Value::Bool(value)) if *value == wanted);
            return constant.then(BTreeSet::new);
        };
        match (function, parts.as_slice()) {
            (Function::Not, [a]) => self.expr(a, !wanted),
            (Function::And, [a, b]) if wanted => union([self.expr(a, true), self.expr(b, true)].into_iter()),
            (Function::And, [a, b]) => either(self.expr(a, false), self.expr(b, false)),
            (Function::Or, [a, b]) if wanted => either(self.expr(a, true), self.expr(b, true)),
            (Function::Or, [a, b]) => union([self.expr(a, false), self.expr(b, false)].into_iter()),
            (Function::Implies, [a, b]) if wanted => either(self.expr(a, false), self.expr(b, true)),
            (Function::Implies, [a, b]) => union([self.expr(a, true), self.expr(b, false)].into_iter()),
            (Function::Equal, [a, b]) if !wanted => self.equal(a, b),
            (Function::Unequal, [a, b]) if wanted => self.equal(a, b),
            (Function::In, [a, Expr::Constant(Value::List(values))]) if !wanted => {
                self.one_of(a, values.iter())
            }
            (Function::In, [a, Expr::Constant(Value::Set(values))]) if !wanted => {
                self.one_of(a, values.iter())
            }
            (Function::Less, [a, Expr::Constant(Value::Number(b))]) if !wanted => self.below(a, *b),
            (Function::AtMost, [a, Expr::Constant(Value::Number(b))]) if !wanted => {
                self.below(a, b.checked_add(1)?)
            }
            (Function::Less, [Expr::Constant(Value::Number(b)), a]) if wanted => {
                self.below(a, b.checked_add(1)?)
            }
            (Function::AtMost, [Expr::Constant(Value::Number(b)), a]) if wanted => self.below(a, *b),
            _ => None,
        }
    }

    /// The values with which an expression may have one of these values.
    fn one_of<'v>(&self, expr: &Expr, values: impl Iterator<Item = &'v Value>) -> Known {
        union(values.map(|value| self.equal(expr, &Expr::Constant(value.clone()))))
    }

    /// The values with which two expressions may be equal.
    fn equal(&self, a: &Expr, b: &Expr) -> Known {
        let (pattern, value) = match (a, b) {
            (pattern, Expr::Constant(value)) | (Expr::Constant(value), pattern) => (pattern, value),
            _ => return None,
        };
        match self.fitting(pattern, value) {
            Fit::Never => Some(BTreeSet::new()),
            Fit::With(value) => Some(BTreeSet::from([value])),
            Fit::Always => None,
        }
    }

    /// The numbers below a limit, if the expression is the variable and has a least value.
    fn below(&self, expr: &Expr, limit: i128) -> Known {
        let least = self.least?;
        let is_variable = matches!(expr, Expr::Variable(slot) if *slot == self.slot);
        let few = limit.checked_sub(least).is_some_and(|number| number <= MOST);
        (is_variable && few).then(|| (least..limit).map(Value::Number).collect())
    }
}

/// The condition under which a pattern matches a value.
enum Fit {
    /// Whatever the variable is.
    Always,
    /// Only if the variable is this.
    With(Value),
    /// With no value.
    Never,
}

impl Fit {
    fn and(self, other: Fit) -> Fit {
        match (self, other) {
            (Fit::Never, _) | (_, Fit::Never) => Fit::Never,
            (Fit::With(a), Fit::With(b)) if a != b => Fit::Never,
            (Fit::With(a), _) | (_, Fit::With(a)) => Fit::With(a),
            _ => Fit::Always,
        }
    }
}
