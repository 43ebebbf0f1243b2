//! The truth of a formula while parts of the states are open.
//!
//! A three-valued evaluation: the result is known only if it is the same for all values of the open parts. A formula
//! that is false therefore rules all of them out at once, and one that is true need not be evaluated again. Without
//! open parts it agrees with [`lang::model::eval`].

use super::partial::{Partial, one_of};
use kit::number::to_i64;
use lang::model::eval::{PlaceStep, folded, operator_value};
use lang::model::expr::{Expr, ExprKind, Fold, LocalId, Op, Quantifier};
use lang::model::types::{Type, Types};
use lang::model::value::Value;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// The most alternatives that are evaluated one by one.
const FEW: usize = 64;

#[derive(Clone, Copy)]
pub(super) struct FormulaContext<'a> {
    /// The types of the model.
    pub types: &'a Types,
    /// The current state.
    pub state: &'a [Partial],
    /// The next state, in a step.
    pub next: &'a [Partial],
    /// Values of bound names.
    pub locals: &'a [(LocalId, Value)],
    /// Names bound inside the formula.
    pub inner: Option<&'a LocalBindings<'a>>,
}

/// Names bound inside the formula, and the ones around them.
pub(super) struct LocalBindings<'a> {
    names: &'a [(LocalId, Partial)],
    outer: Option<&'a LocalBindings<'a>>,
}

impl<'a> FormulaContext<'a> {
    /// Returns the truth of the formula, if that is certain.
    pub fn truth(&self, formula: &'a Expr) -> Option<bool> {
        truth_of(&self.look(formula))
    }

    fn with<T>(&self, names: &[(LocalId, Partial)], then: impl FnOnce(&FormulaContext<'_>) -> T) -> T {
        let bound = LocalBindings { names, outer: self.inner };
        then(&FormulaContext { inner: Some(&bound), ..*self })
    }

    fn local(&self, local: LocalId) -> Cow<'a, Partial> {
        let mut bound = self.inner;
        while let Some(b) = bound {
            if let Some((_, value)) = b.names.iter().rev().find(|(l, _)| *l == local) {
                return Cow::Borrowed(value);
            }
            bound = b.outer;
        }
        let found = self.locals.iter().rev().find(|(l, _)| *l == local);
        found.map_or(Cow::Owned(Partial::Unknown), |(_, v)| Cow::Owned(Partial::Known(v.clone())))
    }

    fn look(&self, expr: &'a Expr) -> Cow<'a, Partial> {
        match &expr.kind {
            ExprKind::Var(var) => self.state.get(var.0 as usize).map_or(unknown(), Cow::Borrowed),
            ExprKind::Next(var) => self.next.get(var.0 as usize).map_or(unknown(), Cow::Borrowed),
            ExprKind::Local(local) => self.local(*local),
            ExprKind::Field(base, field) => {
                part(self.look(base), |v| matches!(v, Value::Record(..)), &|p| match p {
                    Partial::Known(Value::Record(_, fields)) => Partial::Known(fields[*field].clone()),
                    Partial::Record(_, fields) => fields[*field].clone(),
                    _ => Partial::Unknown,
                })
            }
            ExprKind::Index(map, key) => match &*self.look(key) {
                Partial::Known(key) => {
                    part(self.look(map), |v| matches!(v, Value::Map(_)), &|p| entry(p, key))
                }
                _ => unknown(),
            },
            ExprKind::If(cond, then, otherwise) => match self.truth(cond) {
                Some(true) => self.look(then),
                Some(false) => self.look(otherwise),
                None => {
                    let (a, b) = (self.look(then), self.look(otherwise));
                    if a == b { a } else { unknown() }
                }
            },
            ExprKind::Binary(Op::Otherwise, left, right) => {
                let left = self.look(left);
                match &*left {
                    Partial::Known(Value::None) => self.look(right),
                    Partial::Known(_)
                    | Partial::Between { .. }
                    | Partial::Record(..)
                    | Partial::Map(_)
                    | Partial::Set { .. } => left,
                    Partial::Open(_) | Partial::Unknown => unknown(),
                }
            }
            _ => Cow::Owned(self.compute(expr)),
        }
    }

    fn compute(&self, expr: &'a Expr) -> Partial {
        match &expr.kind {
            ExprKind::Const(value) => Partial::Known(value.clone()),
            ExprKind::Let { bindings, body } => {
                let mut values = Vec::with_capacity(bindings.len());
                for (local, value) in bindings {
                    let value = self.with(&values, |inner| inner.look(value).into_owned());
                    values.push((*local, value));
                }
                self.with(&values, |inner| inner.look(body).into_owned())
            }
            ExprKind::Record(fields) => match expr.ty.inner() {
                Type::Record(id) => {
                    Partial::Record(*id, fields.iter().map(|f| self.look(f).into_owned()).collect()).settled()
                }
                _ => Partial::Unknown,
            },
            ExprKind::With(base, replaced) => {
                let mut base = self.look(base).into_owned();
                match base {
                    Partial::Known(Value::Record(..)) | Partial::Record(..) => {
                        for (field, value) in replaced {
                            let step = PlaceStep::Field(*field);
                            base.put(&[step], self.look(value).into_owned());
                        }
                        base
                    }
                    Partial::Known(_) => Partial::Known(Value::None),
                    _ => Partial::Unknown,
                }
            }
            ExprKind::SetLiteral(elements) => {
                let known =
                    elements.iter().map(|e| self.look(e).known().cloned()).collect::<Option<Vec<_>>>();
                known.map_or(Partial::Unknown, |known| {
                    Partial::Known(Value::Set(known.into_iter().filter(|v| *v != Value::None).collect()))
                })
            }
            ExprKind::Filter { local, set, cond } => self.filter(*local, set, cond),
            ExprKind::MapOf { local, body } => match expr.ty.inner() {
                Type::Map(key, _) => {
                    let entries = self.types.values(key).into_iter().map(|key| {
                        let bound = Partial::Known(key.clone());
                        (key, self.with(&[(*local, bound)], |inner| inner.look(body).into_owned()))
                    });
                    Partial::Map(entries.collect()).settled()
                }
                _ => Partial::Unknown,
            },
            ExprKind::Size(set) => match &*self.look(set) {
                Partial::Known(Value::Set(members)) => Partial::Known(Value::Int(to_i64(members.len()))),
                Partial::Known(_) => Partial::Known(Value::None),
                _ => Partial::Unknown,
            },
            ExprKind::Not(operand) => truth(self.truth(operand).map(|t| !t)),
            ExprKind::Neg(operand) => match &*self.look(operand) {
                Partial::Known(Value::Int(n)) => Partial::Known(Value::Int(n.saturating_neg())),
                Partial::Known(_) => Partial::Known(Value::None),
                _ => Partial::Unknown,
            },
            ExprKind::IsSome(operand) => truth(equal(&self.look(operand), &NONE).map(|none| !none)),
            ExprKind::Quant { quantifier, local, set, body } => {
                self.quantified(*quantifier, *local, set, body)
            }
            ExprKind::Fold { fold, local, set, body } => self.folded(*fold, *local, set, body),
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right),
            _ => Partial::Unknown,
        }
    }

    /// Returns the elements of a set that satisfy a condition.
    fn filter(&self, local: LocalId, set: &'a Expr, cond: &'a Expr) -> Partial {
        let Some((certain, possible)) = members(&self.look(set)) else { return Partial::Unknown };
        let mut result = (BTreeSet::new(), BTreeSet::new());
        let all = certain.into_iter().map(|e| (e, true)).chain(possible.into_iter().map(|e| (e, false)));
        for (element, sure) in all {
            let bound = [(local, Partial::Known(element))];
            let kept = self.with(&bound, |inner| truth_of(&inner.look(cond)));
            let [(_, Partial::Known(element))] = bound else { continue };
            match (sure, kept) {
                (_, Some(false)) => {}
                (true, Some(true)) => drop(result.0.insert(element)),
                _ => drop(result.1.insert(element)),
            }
        }
        Partial::Set { certain: result.0, possible: result.1 }.settled()
    }

    /// Returns the truth of a quantified formula over the elements of a set.
    fn quantified(&self, quantifier: Quantifier, local: LocalId, set: &'a Expr, body: &'a Expr) -> Partial {
        let Some((certain, possible)) = members(&self.look(set)) else { return Partial::Unknown };
        let decisive = quantifier == Quantifier::Exists;
        let mut result = Some(!decisive);
        let all = certain.into_iter().map(|e| (e, true)).chain(possible.into_iter().map(|e| (e, false)));
        for (element, sure) in all {
            let element = Partial::Known(element);
            let holds = self.with(&[(local, element)], |inner| truth_of(&inner.look(body)));
            match holds {
                Some(t) if t == decisive && sure => return truth(Some(decisive)),
                Some(t) if t != decisive => {}
                _ => result = None,
            }
        }
        truth(result)
    }

    /// Returns a fold over the members of a set, if the members and their values are certain.
    fn folded(&self, fold: Fold, local: LocalId, set: &'a Expr, body: &'a Expr) -> Partial {
        let Some((certain, possible)) = members(&self.look(set)) else { return Partial::Unknown };
        if !possible.is_empty() {
            return Partial::Unknown;
        }
        let value = |member| {
            let member = Partial::Known(member);
            self.with(&[(local, member)], |inner| inner.look(body).known().cloned())
        };
        let values: Option<Vec<Value>> = certain.into_iter().map(value).collect();
        values.map_or(Partial::Unknown, |values| Partial::Known(folded(fold, values.into_iter())))
    }

    fn binary(&self, op: Op, left: &'a Expr, right: &'a Expr) -> Partial {
        match op {
            Op::And | Op::Or => {
                let decisive = op == Op::Or;
                match self.truth(left) {
                    Some(t) if t == decisive => truth(Some(decisive)),
                    a => match (a, self.truth(right)) {
                        (_, Some(t)) if t == decisive => truth(Some(decisive)),
                        (Some(_), Some(_)) => truth(Some(!decisive)),
                        _ => Partial::Unknown,
                    },
                }
            }
            Op::Eq => truth(equal(&self.look(left), &self.look(right))),
            Op::In => truth(contains(&self.look(right), &self.look(left))),
            _ => {
                let (left, right) = (self.look(left), self.look(right));
                match (&*left, &*right) {
                    (Partial::Known(a), Partial::Known(b)) => Partial::Known(operator_value(op, a, b)),
                    // One absent operand decides all the others.
                    (Partial::Known(Value::None), _) | (_, Partial::Known(Value::None)) => {
                        Partial::Known(operator_value(op, &Value::None, &Value::None))
                    }
                    (left, right) => match (members(left), members(right)) {
                        _ if bounds(left).is_some() => on_ranges(op, bounds(left), bounds(right)),
                        (Some(a), Some(b)) => on_sets(op, a, b),
                        _ => Partial::Unknown,
                    },
                }
            }
        }
    }
}

static NONE: Partial = Partial::Known(Value::None);

/// Certain and possible elements.
type ElementBounds = (BTreeSet<Value>, BTreeSet<Value>);

fn unknown<'a>() -> Cow<'a, Partial> {
    Cow::Owned(Partial::Unknown)
}

fn truth(known: Option<bool>) -> Partial {
    known.map_or(Partial::Unknown, |t| Partial::Known(Value::Bool(t)))
}

fn truth_of(value: &Partial) -> Option<bool> {
    match value {
        Partial::Known(value) => Some(value.is_true()),
        Partial::Open(candidates) => agreed(candidates.iter().map(truth_of)),
        Partial::Between { .. } | Partial::Record(..) | Partial::Map(_) | Partial::Set { .. } => Some(false),
        Partial::Unknown => None,
    }
}

/// Returns the common answer, if all answers are known and equal.
fn agreed(mut answers: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let first = answers.next()??;
    answers.all(|a| a == Some(first)).then_some(first)
}

/// Returns a part of a value that may be open as a whole; `has_parts` is false for known values without parts, which
/// are `none`.
fn part<'a>(
    whole: Cow<'a, Partial>,
    has_parts: impl Fn(&Value) -> bool + Copy,
    take: &dyn Fn(&Partial) -> Partial,
) -> Cow<'a, Partial> {
    match &*whole {
        Partial::Known(value) if !has_parts(value) => Cow::Owned(NONE.clone()),
        Partial::Open(candidates) if candidates.len() <= FEW => {
            let parts = candidates.iter().map(|c| part(Cow::Borrowed(c), has_parts, take).into_owned());
            Cow::Owned(one_of(parts.collect()))
        }
        Partial::Open(_) => unknown(),
        whole => Cow::Owned(take(whole)),
    }
}

fn entry(map: &Partial, key: &Value) -> Partial {
    match map {
        Partial::Known(Value::Map(entries)) => {
            Partial::Known(entries.get(key).cloned().unwrap_or(Value::None))
        }
        Partial::Map(entries) => match entries.binary_search_by(|(k, _)| k.cmp(key)) {
            Ok(at) => entries[at].1.clone(),
            Err(_) => NONE.clone(),
        },
        _ => Partial::Unknown,
    }
}

/// Returns the certain and the possible members; `none` has none of either.
fn members(set: &Partial) -> Option<ElementBounds> {
    match set {
        Partial::Known(Value::Set(certain)) => Some((certain.clone(), BTreeSet::new())),
        Partial::Set { certain, possible } => Some((certain.clone(), possible.clone())),
        Partial::Known(_) => Some(ElementBounds::default()),
        _ => None,
    }
}

/// Returns the least and the greatest integer that a value can be.
fn bounds(value: &Partial) -> Option<(i64, i64)> {
    match value {
        Partial::Known(Value::Int(n)) => Some((*n, *n)),
        Partial::Between { lo, hi } => Some((*lo, *hi)),
        Partial::Open(candidates) => {
            let mut all = candidates.iter().map(bounds);
            let first = all.next()??;
            all.try_fold(first, |(lo, hi), next| next.map(|(p, q)| (lo.min(p), hi.max(q))))
        }
        _ => None,
    }
}

/// Returns the certain part of the result of an operation on integers between bounds.
fn on_ranges(op: Op, a: Option<(i64, i64)>, b: Option<(i64, i64)>) -> Partial {
    let (Some((p, q)), Some((r, s))) = (a, b) else { return Partial::Unknown };
    let sum = match op {
        Op::Lt if q < r => return truth(Some(true)),
        Op::Lt if p >= s => return truth(Some(false)),
        Op::Le if q <= r => return truth(Some(true)),
        Op::Le if p > s => return truth(Some(false)),
        Op::Add => p.checked_add(r).zip(q.checked_add(s)),
        Op::Sub => p.checked_sub(s).zip(q.checked_sub(r)),
        _ => None,
    };
    sum.map_or(Partial::Unknown, |(lo, hi)| Partial::Between { lo, hi })
}

fn on_sets(op: Op, (a, a_possible): ElementBounds, (b, b_possible): ElementBounds) -> Partial {
    let (a_all, b_all) = (&a | &a_possible, &b | &b_possible);
    let between = |certain: BTreeSet<Value>, all: &BTreeSet<Value>| {
        let possible = all - &certain;
        Partial::Set { certain, possible }.settled()
    };
    match op {
        Op::Subset if a_all.is_subset(&b) => truth(Some(true)),
        Op::Subset if !a.is_subset(&b_all) => truth(Some(false)),
        Op::Union => between(&a | &b, &(&a_all | &b_all)),
        Op::Intersect => between(&a & &b, &(&a_all & &b_all)),
        Op::Minus => between(&a - &b_all, &(&a_all - &b)),
        _ => Partial::Unknown,
    }
}

/// True if the element is in the set, false if not; `None` if uncertain.
fn contains(set: &Partial, element: &Partial) -> Option<bool> {
    match element {
        Partial::Known(Value::None) => Some(false),
        Partial::Known(element) => match set {
            Partial::Known(Value::Set(members)) => Some(members.contains(element)),
            Partial::Known(_) => Some(false),
            Partial::Set { certain, .. } if certain.contains(element) => Some(true),
            Partial::Set { possible, .. } if !possible.contains(element) => Some(false),
            _ => None,
        },
        Partial::Open(candidates) => agreed(candidates.iter().map(|c| contains(set, c))),
        Partial::Between { lo, hi } => {
            let has_one =
                |set: &BTreeSet<Value>| set.range(Value::Int(*lo)..=Value::Int(*hi)).next().is_some();
            match set {
                Partial::Known(Value::Set(members)) if has_one(members) => None,
                Partial::Set { certain, possible } if has_one(certain) || has_one(possible) => None,
                Partial::Known(_) | Partial::Set { .. } => Some(false),
                _ => None,
            }
        }
        _ => None,
    }
}

/// True if two values are equal, false if not; `None` if uncertain.
fn equal(a: &Partial, b: &Partial) -> Option<bool> {
    use Partial::{Between, Known, Map, Open, Record, Set, Unknown};
    match (a, b) {
        (Unknown, _) | (_, Unknown) | (Open(_), Open(_)) => None,
        (Known(a), Known(b)) => Some(a == b),
        (Open(candidates), other) | (other, Open(candidates)) => {
            agreed(candidates.iter().map(|c| equal(c, other)))
        }
        (Between { .. }, _) | (_, Between { .. }) => match (bounds(a), bounds(b)) {
            (Some((p, q)), Some((r, s))) if p <= s && r <= q => None,
            _ => Some(false),
        },
        (Record(r, fields), Known(Value::Record(s, values)))
        | (Known(Value::Record(s, values)), Record(r, fields)) => {
            let parts = fields.iter().zip(values).map(|(f, v)| equal(f, &Known(v.clone())));
            if r == s { all_equal(parts) } else { Some(false) }
        }
        (Record(r, f), Record(s, g)) if r == s => all_equal(f.iter().zip(g).map(|(x, y)| equal(x, y))),
        (Map(entries), Known(Value::Map(values))) | (Known(Value::Map(values)), Map(entries)) => {
            if !entries.iter().map(|(k, _)| k).eq(values.keys()) {
                return Some(false);
            }
            all_equal(entries.iter().zip(values.values()).map(|((_, e), v)| equal(e, &Known(v.clone()))))
        }
        (Map(x), Map(y)) => {
            if !x.iter().map(|(k, _)| k).eq(y.iter().map(|(k, _)| k)) {
                return Some(false);
            }
            all_equal(x.iter().zip(y).map(|((_, v), (_, w))| equal(v, w)))
        }
        (Set { certain, possible }, Known(Value::Set(values)))
        | (Known(Value::Set(values)), Set { certain, possible }) => {
            let fits = certain.is_subset(values)
                && values.iter().all(|v| certain.contains(v) || possible.contains(v));
            if fits { None } else { Some(false) }
        }
        (Set { certain: x, possible: p }, Set { certain: y, possible: q }) => {
            let fits = x.is_subset(&(y | q)) && y.is_subset(&(x | p));
            if fits { None } else { Some(false) }
        }
        // A structure is present and of its own kind.
        _ => Some(false),
    }
}

/// Certainly different if one part is, certainly equal if all parts are.
fn all_equal(parts: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut result = Some(true);
    for part in parts {
        match part {
            Some(false) => return Some(false),
            Some(true) => {}
            None => result = None,
        }
    }
    result
}
