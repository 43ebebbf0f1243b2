//! What formulas say of the state before a position and of all positions between two, by further positions.
//!
//! Before a position there is none, if no step led to it, or there is one right before it. That something holds nowhere between two positions is
//! a fact of its own; that it does not hold nowhere says that there is a position between them.

use super::cases::{Alternative, Part, Splitter};
use super::distance::Distance;
use super::{Param, is_closed};
use crate::automata::letter::Letter;
use crate::facts::fact::Stretch;
use crate::facts::index::PositionVar;
use lang::model::expr::{Expr, ExprKind, LocalId};
use lang::model::types::Type;
use lang::model::value::Value;

impl Splitter<'_> {
    /// The alternatives of a formula that does not consist of others.
    pub(super) fn around(&mut self, expr: &Expr, truth: bool) -> Option<Vec<Alternative>> {
        if let ExprKind::Never { value, after, before } = &expr.kind {
            return self.nowhere(value, *after, *before, truth);
        }
        let at = read_before(expr)?;
        let known = self.params.iter().find(|param| param.local == at)?.variable;
        // No step led there.
        let label = Type::Enum(self.model.action_enum).optional();
        let action = Expr { kind: ExprKind::ActionLabel, ty: label.clone(), span: expr.span };
        let action = Expr { kind: ExprKind::At { value: Box::new(action), at }, ty: label, span: expr.span };
        let labelled = Expr { kind: ExprKind::IsSome(Box::new(action)), ty: Type::Bool, span: expr.span };
        let first = without_before(expr, at, None)?;
        let mut found = self.with(Part::Holds(labelled.negated()), &first, truth)?;
        // A step led there.
        let before = self.position();
        let later = without_before(expr, at, Some(before.local))?;
        let right_before = Distance { first: before.variable, second: known, steps: 1, exact: true };
        found.extend(self.with(Part::Distance(right_before), &later, truth)?);
        Some(found)
    }

    /// The alternatives of a formula, each with a further part.
    fn with(&mut self, part: Part, expr: &Expr, truth: bool) -> Option<Vec<Alternative>> {
        let alternatives = self.alternatives(expr, truth)?.into_iter();
        Some(alternatives.map(|parts| [std::slice::from_ref(&part), &parts[..]].concat()).collect())
    }

    /// The alternatives of `never e between t1 and t2`, or of its negation.
    fn nowhere(
        &mut self,
        value: &Expr,
        after: Option<LocalId>,
        before: LocalId,
        truth: bool,
    ) -> Option<Vec<Alternative>> {
        let variable = |of: &Self, local| {
            let param = of.params.iter().find(|param: &&Param| param.local == local)?;
            Some(param.variable)
        };
        let after = match after {
            Some(after) => Some(variable(self, after)?),
            None => None,
        };
        let before = variable(self, before)?;
        let between = self.position();
        let at = between.local;
        let there = Expr {
            kind: ExprKind::At { value: Box::new(value.clone()), at },
            ty: Type::Bool,
            span: value.span,
        };
        if truth {
            if there.reads_around() || !is_closed(value, &mut Vec::new()) {
                return None;
            }
            let letter = Letter::new(self.model, there, at);
            let stretch = if after.is_some() { Stretch::Between } else { Stretch::Before };
            let positions = after.into_iter().chain([before]).collect();
            return Some(vec![vec![Part::Absent { letter, stretch, positions }]]);
        }
        let less = |first, second| Part::Distance(Distance { first, second, steps: 1, exact: false });
        let mut parts: Vec<Part> = after.into_iter().map(|after| less(after, between.variable)).collect();
        parts.push(less(between.variable, before));
        let alternatives = self.alternatives(&there, true)?.into_iter();
        Some(alternatives.map(|more| [&parts[..], &more[..]].concat()).collect())
    }

    /// A name for a further position.
    fn position(&mut self) -> Param {
        let number = self.further.get();
        self.further.set(number + 1);
        let (local, variable) =
            (LocalId(u32::MAX - number), PositionVar::new(FIRST_FURTHER + number as usize));
        self.params.push(Param { local, variable });
        Param { local, variable }
    }
}

/// Greater than the numbers of the position variables of constraints.
const FIRST_FURTHER: usize = 1 << 16;

/// A position before which something is read.
fn read_before(expr: &Expr) -> Option<LocalId> {
    let mut found = None;
    expr.walk(&mut |e| {
        if let ExprKind::At { value, at } = &e.kind
            && value.reads_around()
        {
            found = Some(*at);
        }
    });
    found
}

/// The expression where what it reads before `at` is read at another position, or is `none`. `None` where a name stands between.
fn without_before(expr: &Expr, at: LocalId, before: Option<LocalId>) -> Option<Expr> {
    match &expr.kind {
        ExprKind::At { value, at: here } if *here == at && value.reads_around() => placed(value, at, before),
        ExprKind::Never { .. } => None,
        _ => {
            let mut result = expr.clone();
            let mut is_clear = true;
            result.for_each_child(&mut |child| match without_before(child, at, before) {
                Some(new) => *child = new,
                None => is_clear = false,
            });
            is_clear.then_some(result)
        }
    }
}

/// A state expression at a position, where each part says where it is read.
fn placed(value: &Expr, at: LocalId, before: Option<LocalId>) -> Option<Expr> {
    let read = |value: &Expr, at: LocalId| {
        let kind = ExprKind::At { value: Box::new(value.clone()), at };
        Expr { kind, ty: value.ty.clone(), span: value.span }
    };
    match &value.kind {
        ExprKind::Const(_) | ExprKind::Local(_) => Some(value.clone()),
        ExprKind::Previous(inner) => Some(match before {
            None => Expr::constant(Value::None, value.ty.clone(), value.span),
            Some(before) if !inner.reads_around() && is_closed(inner, &mut Vec::new()) => read(inner, before),
            // Deeper, or with names in it.
            Some(before) if inner.reads_around() => read(inner, before),
            Some(before) => placed(inner, before, None)?,
        }),
        _ if !value.reads_around() && is_closed(value, &mut Vec::new()) => Some(read(value, at)),
        ExprKind::Var(_) | ExprKind::ActionLabel | ExprKind::LabelArg { .. } => Some(read(value, at)),
        _ => {
            let mut result = value.clone();
            let mut is_clear = true;
            result.for_each_child(&mut |child| match placed(child, at, before) {
                Some(new) => *child = new,
                None => is_clear = false,
            });
            is_clear.then_some(result)
        }
    }
}
