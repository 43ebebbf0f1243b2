//! Formulas up to what makes no difference: places, the names of bound values, and the order of what `and` and `or` join.

use kit::diagnostics::Span;
use lang::model::expr::{Expr, ExprKind, Formula, LocalId, Op};

/// A formula as a tree. Formulas with the same tree are equivalent.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct NormalForm {
    /// The operator or leaf.
    head: String,
    parts: Vec<NormalForm>,
}

impl NormalForm {
    /// The normal form of a temporal formula, whose state formulas are replaced; `None` if one of them has no replacement.
    pub fn of_formula(formula: &Formula, change: &dyn Fn(&Expr) -> Option<Expr>) -> Option<Self> {
        let of = |formula: &Formula| Self::of_formula(formula, change);
        Some(match formula {
            Formula::Atom(expr, _) => Self::of(&change(expr)?),
            Formula::Not(a) => Self::new("not", vec![of(a)?]),
            Formula::And(a, b) => Self::joined("and", [of(a)?, of(b)?]),
            Formula::Or(a, b) => Self::joined("or", [of(a)?, of(b)?]),
            Formula::Implies(a, b) => Self::new("implies", vec![of(a)?, of(b)?]),
            Formula::Iff(a, b) => {
                let mut parts = vec![of(a)?, of(b)?];
                parts.sort_unstable();
                Self::new("iff", parts)
            }
            Formula::If(condition, a, b) => Self::new("if", vec![of(condition)?, of(a)?, of(b)?]),
            Formula::Temporal(op, parts) => {
                let parts = parts.iter().map(of).collect::<Option<_>>()?;
                Self::new(&format!("temporal {op:?}"), parts)
            }
        })
    }

    /// The normal form of a state formula.
    pub fn of(expr: &Expr) -> Self {
        Self::inside(expr, &mut Vec::new())
    }

    /// The normal form inside binders of these names, the outermost first.
    fn inside(expr: &Expr, scope: &mut Vec<LocalId>) -> Self {
        match &expr.kind {
            ExprKind::Local(local) => {
                if let Some(depth) = scope.iter().rposition(|bound| bound == local) {
                    return Self::new(&format!("bound {depth} {:?}", expr.ty), Vec::new());
                }
            }
            ExprKind::Binary(op @ (Op::And | Op::Or), a, b) => {
                let parts = [a, b].map(|part| Self::inside(part, scope));
                return Self::joined(&format!("{op:?}"), parts);
            }
            ExprKind::Let { bindings, body } => {
                let outer = scope.len();
                let mut parts = Vec::new();
                for (local, value) in bindings {
                    parts.push(Self::inside(value, scope));
                    scope.push(*local);
                }
                parts.push(Self::inside(body, scope));
                scope.truncate(outer);
                return Self::new("let", parts);
            }
            _ => {}
        }
        let mut head = expr.clone();
        head.span = Span::default();
        head.for_each_child(&mut |child| *child = Expr::bool(true, Span::default()));
        let bound = bound_name(&mut head.kind).map(|name| std::mem::replace(name, LocalId(0)));
        let mut parts: Vec<Self> = Vec::new();
        let children = expr.children();
        for (index, child) in children.iter().enumerate() {
            // A name is bound in the last part: what comes before is its value, or the set that it is from.
            let binds = bound.filter(|_| index + 1 == children.len());
            scope.extend(binds);
            parts.push(Self::inside(child, scope));
            scope.truncate(scope.len() - usize::from(binds.is_some()));
        }
        Self::new(&format!("{head:?}"), parts)
    }

    fn new(head: &str, parts: Vec<Self>) -> Self {
        Self { head: head.to_owned(), parts }
    }

    /// Joins two operands of a commutative operator; more of the same kind in one of them is part of the whole.
    fn joined(head: &str, parts: [Self; 2]) -> Self {
        let mut all: Vec<Self> = Vec::new();
        for part in parts {
            if part.head == head { all.extend(part.parts) } else { all.push(part) }
        }
        all.sort_unstable();
        all.dedup();
        Self::new(head, all)
    }
}

/// The name that an expression binds.
fn bound_name(kind: &mut ExprKind) -> Option<&mut LocalId> {
    match kind {
        ExprKind::Filter { local, .. }
        | ExprKind::MapOf { local, .. }
        | ExprKind::Quant { local, .. }
        | ExprKind::Fold { local, .. } => Some(local),
        _ => None,
    }
}
