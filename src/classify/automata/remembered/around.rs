//! Formulas about the state before a position and about all positions between two, by further positions.
//!
//! The state before a position is absent if no step led to the position; otherwise it is at the adjacent one.
//! `never` between two positions is a fact of its own; its negation says that there is a position between
//! them.

use super::cases::{SplitConjunct, SplitDisjunct, Splitter};
use super::distance::Distance;
use super::{PositionParam, is_closed};
use crate::automata::letter::Letter;
use crate::facts::fact::Stretch;
use crate::facts::index::PositionVar;
use lang::model::expr::{Expr, ExprKind, LocalId};
use lang::model::types::Type;
use lang::model::value::Value;

impl Splitter<'_> {
    /// Returns the alternatives of a formula without operands.
    pub(super) fn around(&mut self, expr: &Expr, truth: bool) -> Option<Vec<SplitDisjunct>> {
        if let ExprKind::Never { value, after, before } = &expr.kind {
            return self.nowhere(value, *after, *before, truth);
        }
        let at = read_before(expr)?;
        let known = self.variable(at)?;
        // No step led there.
        let label = Type::Enum(self.model.action_enum).optional();
        let action = Expr { kind: ExprKind::ActionLabel, ty: label, span: expr.span };
        let first = without_before(expr, at, None)?;
        let mut found = self.with(SplitConjunct::Holds(action.at(at).presence().negated()), &first, truth)?;
        // A step led there.
        let before = self.position();
        let later = without_before(expr, at, Some(before.local))?;
        let right_before = Distance { first: before.variable, second: known, steps: 1, exact: true };
        found.extend(self.with(SplitConjunct::Distance(right_before), &later, truth)?);
        Some(found)
    }

    /// Returns the alternatives of a formula, each with a further part.
    fn with(&mut self, part: SplitConjunct, expr: &Expr, truth: bool) -> Option<Vec<SplitDisjunct>> {
        let alternatives = self.alternatives(expr, truth)?.into_iter();
        Some(alternatives.map(|parts| [std::slice::from_ref(&part), &parts[..]].concat()).collect())
    }

    /// Returns the alternatives of `never e between t1 and t2`, or of its negation.
    fn nowhere(
        &mut self,
        value: &Expr,
        after: Option<LocalId>,
        before: LocalId,
        truth: bool,
    ) -> Option<Vec<SplitDisjunct>> {
        let after = match after {
            Some(after) => Some(self.variable(after)?),
            None => None,
        };
        let before = self.variable(before)?;
        let between = self.position();
        let there = value.clone().at(between.local);
        if truth {
            if there.reads_around() || !is_closed(value, &mut Vec::new()) {
                return None;
            }
            let letter = Letter::new(self.model, there, between.local);
            let stretch = if after.is_some() { Stretch::Between } else { Stretch::Before };
            let positions = after.into_iter().chain([before]).collect();
            return Some(vec![vec![SplitConjunct::Absent { letter, stretch, positions }]]);
        }
        let less =
            |first, second| SplitConjunct::Distance(Distance { first, second, steps: 1, exact: false });
        let mut parts: Vec<SplitConjunct> =
            after.into_iter().map(|after| less(after, between.variable)).collect();
        parts.push(less(between.variable, before));
        let alternatives = self.alternatives(&there, true)?.into_iter();
        Some(alternatives.map(|more| [&parts[..], &more[..]].concat()).collect())
    }

    /// The position variable of a name.
    fn variable(&self, of: LocalId) -> Option<PositionVar> {
        self.params.iter().find(|param| param.local == of).map(|param| param.variable)
    }

    /// A name for a further position.
    fn position(&mut self) -> PositionParam {
        let number = self.further.get();
        self.further.set(number + 1);
        let (local, variable) =
            (LocalId(u32::MAX - number), PositionVar::new(FIRST_FURTHER + number as usize));
        self.params.push(PositionParam { local, variable });
        PositionParam { local, variable }
    }
}

/// An index greater than those of the position variables of constraints.
const FIRST_FURTHER: usize = 1 << 16;

/// Returns a position whose previous state is read.
fn read_before(expr: &Expr) -> Option<LocalId> {
    match &expr.kind {
        ExprKind::At { value, at } if value.reads_around() => Some(*at),
        _ => expr.children().into_iter().find_map(read_before),
    }
}

/// Rewrites reads of the state before `at` to reads at another position, or to `none`. `None` if a bound name prevents this.
fn without_before(expr: &Expr, at: LocalId, before: Option<LocalId>) -> Option<Expr> {
    match &expr.kind {
        ExprKind::At { value, at: here } if *here == at && value.reads_around() => placed(value, at, before),
        ExprKind::Never { .. } => None,
        _ => expr.with_children(&mut |child| without_before(child, at, before)),
    }
}

/// Distributes a state expression at a position, so that each part is read at its own position.
fn placed(value: &Expr, at: LocalId, before: Option<LocalId>) -> Option<Expr> {
    let is_plain = |value: &Expr| !value.reads_around() && is_closed(value, &mut Vec::new());
    match &value.kind {
        ExprKind::Const(_) | ExprKind::Local(_) => Some(value.clone()),
        ExprKind::Previous(inner) => Some(match before {
            None => Expr::constant(Value::None, value.ty.clone(), value.span),
            // A state read before that one is taken apart later.
            Some(before) if inner.reads_around() || is_plain(inner) => Expr::clone(inner).at(before),
            Some(before) => placed(inner, before, None)?,
        }),
        _ if is_plain(value) => Some(value.clone().at(at)),
        _ => value.with_children(&mut |child| placed(child, at, before)),
    }
}
