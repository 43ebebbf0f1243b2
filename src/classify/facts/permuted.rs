//! Images of formulas under permutations of values.

use lang::model::expr::{Expr, ExprKind, LocalId, Op};
use lang::model::permutation::{NameType, Permutation};
use lang::model::types::{Type, Types};
use lang::model::value::Value;
use rustc_hash::FxHashMap;

/// Returns the formula that holds for the image of a trace under a permutation iff the given one holds for
/// the trace: named values are replaced by their images. `None` if the formula has an unsupported form.
///
/// The type of an integer says what it names, so if values of a range move, operands must have equal types.
pub fn permuted(types: &Types, by: &Permutation, expr: &Expr) -> Option<Expr> {
    let ranges_move = by.moves().any(|(ty, ..)| matches!(ty, NameType::Range { .. }));
    Permuting { types, by, ranges_move }.image(expr)
}

/// True if a formula says of the image of a trace what it says of the trace: no part of it tells values apart that move. May be false where
/// that is so.
pub(crate) fn is_kept(types: &Types, by: &Permutation, expr: &Expr) -> bool {
    permuted(types, by, expr).is_some_and(|image| image == *expr)
}

struct Permuting<'a> {
    types: &'a Types,
    by: &'a Permutation,
    /// True if integers of some range move.
    ranges_move: bool,
}

impl Permuting<'_> {
    fn image(&self, expr: &Expr) -> Option<Expr> {
        let boxed = |expr: Option<Expr>| expr.map(Box::new);
        let kind = match &expr.kind {
            ExprKind::Const(value) => {
                let image = || changed(expr, self.by.image(self.types, &expr.ty, value));
                return self.is_named(&expr.ty, value).then(image);
            }
            ExprKind::Record(fields) => ExprKind::Record(self.record(&expr.ty, fields)?),
            ExprKind::Field(record, _) if self.moves(&expr.ty) && self.is_fixed(&record.ty) => return None,
            ExprKind::Size(_) if self.moves(&expr.ty) => return None,
            ExprKind::Index(map, key) => {
                let Type::Map(of, _) = map.ty.inner() else { return None };
                ExprKind::Index(boxed(self.image(map))?, boxed(self.image_as(key, of))?)
            }
            ExprKind::Let { bindings, body } => {
                let taken_for = types_of_names(expr);
                let image = |(local, value): &(LocalId, Expr)| {
                    let types = taken_for.get(local).map_or(&[][..], Vec::as_slice);
                    Some((*local, self.named_value(value, types)?))
                };
                let bindings = bindings.iter().map(image).collect::<Option<_>>()?;
                ExprKind::Let { bindings, body: boxed(self.image(body))? }
            }
            // Conditions narrow the types of integers, which then no longer say what these name.
            ExprKind::If(..) if self.ranges_move => return None,
            ExprKind::Binary(op, left, right) => {
                let (left, right) = self.operands(*op, left, right)?;
                ExprKind::Binary(*op, Box::new(left), Box::new(right))
            }
            ExprKind::Var(_)
            | ExprKind::ActionLabel
            | ExprKind::LabelArg { .. }
            | ExprKind::Local(_)
            | ExprKind::At { .. }
            | ExprKind::Previous(_)
            | ExprKind::Never { .. }
            | ExprKind::Field(..)
            | ExprKind::Size(_)
            | ExprKind::Not(_)
            | ExprKind::IsSome(_)
            | ExprKind::If(..)
            | ExprKind::Quant { .. } => return self.by_parts(expr),
            ExprKind::Next(_)
            | ExprKind::With(..)
            | ExprKind::SetLiteral(_)
            | ExprKind::Filter { .. }
            | ExprKind::MapOf { .. }
            | ExprKind::Neg(_)
            | ExprKind::Fold { .. } => return None,
        };
        Some(Expr { kind, ..expr.clone() })
    }

    /// Replaces each child by its image.
    fn by_parts(&self, expr: &Expr) -> Option<Expr> {
        expr.with_children(&mut |child| self.image(child))
    }

    /// Returns the image of an operand that meets values of a type. An integer literal has a type of its own,
    /// so it is treated as of this type.
    fn image_as(&self, expr: &Expr, ty: &Type) -> Option<Expr> {
        match &expr.kind {
            ExprKind::Const(value @ Value::Int(_)) if !is_literal(ty) => {
                Some(changed(expr, self.by.image(self.types, ty, value)))
            }
            _ if self.is_same(&expr.ty, ty) => self.image(expr),
            _ => None,
        }
    }

    /// Returns the image of a bound value, treated as of the type of the name's uses, even for an integer literal.
    fn named_value(&self, value: &Expr, taken_for: &[Type]) -> Option<Expr> {
        match taken_for {
            [] => self.image(value),
            [ty] => self.image_as(value, ty),
            [..] => (!self.ranges_move).then(|| self.image(value)).flatten(),
        }
    }

    fn record(&self, ty: &Type, fields: &[Expr]) -> Option<Vec<Expr>> {
        let Type::Record(id) = ty.inner() else { return None };
        // A fixed record moves nothing, whatever its fields.
        let is_moved = |(field, value): (usize, &Value)| matches!(&fields[field].kind, ExprKind::Const(other) if other != value);
        if !self.by.fixed_in(*id).all(is_moved) {
            return None;
        }
        let declared = self.types.record(*id).fields.iter();
        fields.iter().zip(declared).map(|(field, (_, ty))| self.image_as(field, ty)).collect()
    }

    fn operands(&self, op: Op, left: &Expr, right: &Expr) -> Option<(Expr, Expr)> {
        match op {
            Op::Or | Op::And => Some((self.image(left)?, self.image(right)?)),
            Op::Eq | Op::Subset | Op::Otherwise | Op::Union | Op::Intersect | Op::Minus => {
                // The other operand of a comparison determines what an integer literal names.
                let met = |by: &Expr, of: &Expr| if is_written(by) { of.ty.clone() } else { by.ty.clone() };
                let left_image = self.image_as(left, &met(right, left))?;
                Some((left_image, self.image_as(right, &met(left, right))?))
            }
            Op::In => match right.ty.inner() {
                Type::Set(of) => Some((self.image_as(left, of)?, self.image(right)?)),
                _ => None,
            },
            Op::Lt | Op::Le | Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Mod => {
                let may_be = left.ty == Type::Pos || !self.ranges_move && !self.moves(&left.ty);
                if may_be { Some((self.image(left)?, self.image(right)?)) } else { None }
            }
        }
    }

    fn moves(&self, ty: &Type) -> bool {
        self.by.moves_in(self.types, ty)
    }

    /// True if some records of a type stay as they are.
    fn is_fixed(&self, ty: &Type) -> bool {
        matches!(ty.inner(), Type::Record(id) if self.by.fixed_in(*id).next().is_some())
    }

    fn is_same(&self, a: &Type, b: &Type) -> bool {
        !self.ranges_move || a.inner() == b.inner()
    }

    /// True if no integer in a constant could be a name that moves although its type, such as that of a literal, does not say so.
    fn is_named(&self, ty: &Type, value: &Value) -> bool {
        match (ty.inner(), value) {
            (ty, Value::Int(_)) => {
                let is_moved = |(range, from, _): (NameType, &Value, &Value)| {
                    matches!(range, NameType::Range { .. }) && from == value
                };
                NameType::of(ty).is_some_and(|name| self.by.moves().any(|(moved, ..)| moved == name))
                    || !self.by.moves().any(is_moved)
            }
            (Type::Set(of), Value::Set(members)) => members.iter().all(|member| self.is_named(of, member)),
            (Type::Record(id), Value::Record(_, fields)) => {
                let declared = self.types.record(*id).fields.iter();
                fields.iter().zip(declared).all(|(field, (_, ty))| self.is_named(ty, field))
            }
            (Type::Map(key, of), Value::Map(entries)) => {
                entries.iter().all(|(k, v)| self.is_named(key, k) && self.is_named(of, v))
            }
            (_, Value::Set(_) | Value::Record(..) | Value::Map(_)) => false,
            _ => true,
        }
    }
}

/// True if a type is that of an integer as it is written, which does not say what it names.
fn is_literal(ty: &Type) -> bool {
    matches!(ty.inner(), Type::Int { lo, hi } if lo == hi)
}

/// True if it is an integer as it is written.
fn is_written(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Const(Value::Int(_))) && is_literal(&expr.ty)
}

/// Returns a constant with another value.
fn changed(written: &Expr, value: Value) -> Expr {
    let ty = match (&value, &written.ty) {
        (Value::Int(n), ty) if is_literal(ty) => Type::Int { lo: *n, hi: *n },
        (_, ty) => ty.clone(),
    };
    Expr::constant(value, ty, written.span)
}

/// Returns the types with which bound names are used in an expression.
fn types_of_names(expr: &Expr) -> FxHashMap<LocalId, Vec<Type>> {
    let mut types: FxHashMap<LocalId, Vec<Type>> = FxHashMap::default();
    expr.walk(&mut |part| {
        if let ExprKind::Local(named) = part.kind {
            let types = types.entry(named).or_default();
            if !types.contains(&part.ty) {
                types.push(part.ty.clone());
            }
        }
    });
    types
}
