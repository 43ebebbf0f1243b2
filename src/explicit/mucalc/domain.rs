//! Which values of a variable matter.
//!
//! Of a variable that ranges over infinitely many values, or over values that are not known, only finitely many matter in most
//! formulas: `<a(n)> f` is false in every state unless some label is a(n). Everything here answers one question: a finite set
//! of values such that with any other value, and whatever other variables are, a formula is true in all states (or false in
//! all). The sets may be too large, never too small.

use super::expr::{DataExpr, DataFunction, DataSlot};
use super::formula::{ActionFormula, FixpointId, RegularFormula, StateFormula};
use super::system::LabelParts;
use super::value::DataValue;
use std::collections::BTreeSet;

/// The limit on values that a comparison of numbers admits.
const MOST: i128 = 100_000;

/// A set of values, `None` if no finite one is known.
type FiniteDomain = Option<BTreeSet<DataValue>>;

/// The question: with which values of a variable is something not what is wanted?
pub struct DomainQuestion<'a> {
    pub slot: DataSlot,
    /// The least number that it can be, if there is one.
    pub least: Option<i128>,
    pub labels: &'a LabelParts,
    /// The fixpoints inside which the formula is, as far as the variable is bound outside of them; `true` for greatest ones.
    pub inside: Vec<(FixpointId, bool)>,
}

/// The smaller of two sets, each of which will do.
fn either(a: FiniteDomain, b: FiniteDomain) -> FiniteDomain {
    match (a, b) {
        (Some(a), Some(b)) => Some(if a.len() <= b.len() { a } else { b }),
        (a, b) => a.or(b),
    }
}

/// The union, if all are known.
fn union(parts: impl Iterator<Item = FiniteDomain>) -> FiniteDomain {
    let mut all = BTreeSet::new();
    for part in parts {
        all.extend(part?);
    }
    Some(all)
}

/// The best of several sets, each of which will do.
fn best(parts: impl Iterator<Item = FiniteDomain>) -> FiniteDomain {
    parts.fold(None, either)
}

impl DomainQuestion<'_> {
    /// The values with which a formula need not be `wanted` in all states.
    pub fn state(&mut self, formula: &StateFormula, wanted: bool) -> FiniteDomain {
        match formula {
            StateFormula::Bool(value) => (*value == wanted).then(BTreeSet::new),
            StateFormula::Val(expr, _) => self.expr(expr, wanted),
            StateFormula::Not(of) => self.state(of, !wanted),
            StateFormula::And(parts) | StateFormula::Or(parts) => {
                // A conjunction is false if one part is, and true if all are.
                let one_is_enough = matches!(formula, StateFormula::And(_)) != wanted;
                let known: Vec<FiniteDomain> = parts.iter().map(|part| self.state(part, wanted)).collect();
                if one_is_enough { best(known.into_iter()) } else { union(known.into_iter()) }
            }
            StateFormula::Modal(all, regular, then) if *all == wanted => {
                let none = self.empty(regular);
                either(none, self.state(then, wanted))
            }
            StateFormula::Modal(..) => None,
            StateFormula::Fixpoint(fixpoint) => {
                self.inside.push((fixpoint.id, fixpoint.greatest));
                let known = self.state(&fixpoint.body, wanted);
                self.inside.pop();
                known
            }
            // By induction: if the body is false wherever X is taken for false, then so is the least fixpoint.
            StateFormula::Call(called, _) => {
                let found = self.inside.iter().find(|(id, _)| id == called);
                found.filter(|(_, greatest)| *greatest == wanted).map(|_| BTreeSet::new())
            }
            StateFormula::Bind(bind, of) => {
                if bind.values.is_empty() {
                    return (bind.all == wanted).then(BTreeSet::new);
                }
                self.state(of, wanted)
            }
        }
    }

    /// The values with which some sequence may be in the set.
    fn empty(&mut self, regular: &RegularFormula) -> FiniteDomain {
        match regular {
            RegularFormula::Action(action) => self.action(action, false),
            RegularFormula::Empty(_)
            | RegularFormula::Star(_)
            | RegularFormula::Optional(_)
            | RegularFormula::Times(_, 0) => None,
            RegularFormula::Sequence(parts) => {
                let known: Vec<FiniteDomain> = parts.iter().map(|part| self.empty(part)).collect();
                best(known.into_iter())
            }
            RegularFormula::Choice(parts) => {
                let known: Vec<FiniteDomain> = parts.iter().map(|part| self.empty(part)).collect();
                union(known.into_iter())
            }
            RegularFormula::Plus(part) | RegularFormula::Times(part, _) => self.empty(part),
        }
    }

    /// The values with which a set of labels need not have all labels if `wanted`, or may have one if not.
    pub fn action(&mut self, action: &ActionFormula, wanted: bool) -> FiniteDomain {
        match action {
            ActionFormula::Bool(value) => (*value == wanted).then(BTreeSet::new),
            ActionFormula::Val(expr, _) => self.expr(expr, wanted),
            ActionFormula::Atom(..) => None,
            ActionFormula::Multi(actions, _) if !wanted => {
                best(actions.iter().map(|(name, arguments)| self.bound(name, arguments, actions.len())))
            }
            ActionFormula::Multi(..) => None,
            ActionFormula::Not(of) => self.action(of, !wanted),
            ActionFormula::And(parts) | ActionFormula::Or(parts) => {
                let one_is_enough = matches!(action, ActionFormula::And(_)) != wanted;
                let known: Vec<FiniteDomain> = parts.iter().map(|part| self.action(part, wanted)).collect();
                if one_is_enough { best(known.into_iter()) } else { union(known.into_iter()) }
            }
            ActionFormula::Bind(bind, of) => {
                if bind.values.is_empty() {
                    return (bind.all == wanted).then(BTreeSet::new);
                }
                self.action(of, wanted)
            }
        }
    }

    /// The values with which some label may have an action with these arguments.
    fn bound(&self, name: &str, arguments: &[DataExpr], together: usize) -> FiniteDomain {
        let mut values = BTreeSet::new();
        for action in self.labels.with_name(name, arguments.len(), together) {
            match self.fitting_all(arguments, &action.arguments) {
                MatchCondition::Never => {}
                MatchCondition::With(value) => _ = values.insert(value),
                MatchCondition::Always => return None,
            }
        }
        Some(values)
    }

    fn fitting_all(&self, patterns: &[DataExpr], values: &[DataValue]) -> MatchCondition {
        if patterns.len() != values.len() {
            return MatchCondition::Never;
        }
        let all = patterns.iter().zip(values).map(|(pattern, value)| self.fitting(pattern, value));
        all.fold(MatchCondition::Always, MatchCondition::and)
    }

    /// With which value of the variable an expression can have a value.
    fn fitting(&self, pattern: &DataExpr, value: &DataValue) -> MatchCondition {
        match (pattern, value) {
            (DataExpr::Variable(slot), value) if *slot == self.slot => MatchCondition::With(value.clone()),
            (DataExpr::Variable(_) | DataExpr::Set(_) | DataExpr::Apply(..), _) => MatchCondition::Always,
            (DataExpr::Constant(constant), value) if constant == value => MatchCondition::Always,
            (DataExpr::Term(name, parts), DataValue::Term(other, values)) if name == other => {
                self.fitting_all(parts, values)
            }
            (DataExpr::List(parts), DataValue::List(values)) => self.fitting_all(parts, values),
            _ => MatchCondition::Never,
        }
    }

    /// The values with which an expression need not be `wanted`.
    fn expr(&self, expr: &DataExpr, wanted: bool) -> FiniteDomain {
        let DataExpr::Apply(function, parts, _) = expr else {
            let constant = matches!(expr, DataExpr::Constant(DataValue::Bool(value)) if *value == wanted);
            return constant.then(BTreeSet::new);
        };
        match (function, parts.as_slice()) {
            (DataFunction::Not, [a]) => self.expr(a, !wanted),
            (DataFunction::And, [a, b]) if wanted => {
                union([self.expr(a, true), self.expr(b, true)].into_iter())
            }
            (DataFunction::And, [a, b]) => either(self.expr(a, false), self.expr(b, false)),
            (DataFunction::Or, [a, b]) if wanted => either(self.expr(a, true), self.expr(b, true)),
            (DataFunction::Or, [a, b]) => union([self.expr(a, false), self.expr(b, false)].into_iter()),
            (DataFunction::Implies, [a, b]) if wanted => either(self.expr(a, false), self.expr(b, true)),
            (DataFunction::Implies, [a, b]) => union([self.expr(a, true), self.expr(b, false)].into_iter()),
            (DataFunction::Equal, [a, b]) if !wanted => self.equal(a, b),
            (DataFunction::Unequal, [a, b]) if wanted => self.equal(a, b),
            (DataFunction::In, [a, DataExpr::Constant(DataValue::List(values))]) if !wanted => {
                self.one_of(a, values.iter())
            }
            (DataFunction::In, [a, DataExpr::Constant(DataValue::Set(values))]) if !wanted => {
                self.one_of(a, values.iter())
            }
            (DataFunction::Less, [a, DataExpr::Constant(DataValue::Number(b))]) if !wanted => {
                self.below(a, *b)
            }
            (DataFunction::AtMost, [a, DataExpr::Constant(DataValue::Number(b))]) if !wanted => {
                self.below(a, b.checked_add(1)?)
            }
            (DataFunction::Less, [DataExpr::Constant(DataValue::Number(b)), a]) if wanted => {
                self.below(a, b.checked_add(1)?)
            }
            (DataFunction::AtMost, [DataExpr::Constant(DataValue::Number(b)), a]) if wanted => {
                self.below(a, *b)
            }
            _ => None,
        }
    }

    /// The values with which an expression may have one of these values.
    fn one_of<'v>(&self, expr: &DataExpr, values: impl Iterator<Item = &'v DataValue>) -> FiniteDomain {
        union(values.map(|value| self.equal(expr, &DataExpr::Constant(value.clone()))))
    }

    /// The values with which two expressions may be equal.
    fn equal(&self, a: &DataExpr, b: &DataExpr) -> FiniteDomain {
        let (pattern, value) = match (a, b) {
            (pattern, DataExpr::Constant(value)) | (DataExpr::Constant(value), pattern) => (pattern, value),
            _ => return None,
        };
        match self.fitting(pattern, value) {
            MatchCondition::Never => Some(BTreeSet::new()),
            MatchCondition::With(value) => Some(BTreeSet::from([value])),
            MatchCondition::Always => None,
        }
    }

    /// The numbers below a limit, if the expression is the variable and has a least value.
    fn below(&self, expr: &DataExpr, limit: i128) -> FiniteDomain {
        let least = self.least?;
        let is_variable = matches!(expr, DataExpr::Variable(slot) if *slot == self.slot);
        let few = limit.checked_sub(least).is_some_and(|number| number <= MOST);
        (is_variable && few).then(|| (least..limit).map(DataValue::Number).collect())
    }
}

/// The condition under which a pattern matches a value.
enum MatchCondition {
    /// Whatever the variable is.
    Always,
    /// Only if the variable is this.
    With(DataValue),
    /// With no value.
    Never,
}

impl MatchCondition {
    fn and(self, other: MatchCondition) -> MatchCondition {
        match (self, other) {
            (MatchCondition::Never, _) | (_, MatchCondition::Never) => MatchCondition::Never,
            (MatchCondition::With(a), MatchCondition::With(b)) if a != b => MatchCondition::Never,
            (MatchCondition::With(a), _) | (_, MatchCondition::With(a)) => MatchCondition::With(a),
            _ => MatchCondition::Always,
        }
    }
}
