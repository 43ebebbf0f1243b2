//! Formulas up to what makes no difference: places, the names of bound values, and the order of what `and` and `or` join.

use crate::diagnostics::Span;
use crate::model::expr::{Expr, ExprKind, Formula, LocalId, Op};

/// A formula as a tree. Formulas with the same tree are equivalent.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct NormalForm {
    /// What is made of the parts.
    head: String,
    parts: Vec<NormalForm>,
}

impl NormalForm {
    /// That of a temporal formula, with something else in the place of its state formulas; `None` if nothing takes the place of one.
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

    /// That of a state formula.
    pub fn of(expr: &Expr) -> Self {
        Self::inside(expr, &mut Vec::new())
    }

    /// The same inside of what binds these names, the outermost first.
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

    /// What is made of two parts in whichever order; more of the same kind in one of them is part of the whole.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{PropertyKind, load_text};
    use std::io::ErrorKind;

    /// The normal forms of formulas about lamps.
    fn forms(formulas: &[&str]) -> Vec<NormalForm> {
        let properties: Vec<String> =
            formulas.iter().zip(1..).map(|(formula, n)| format!("ltl p{n}: {formula};")).collect();
        let text = format!(
            "model lamps; type Lamp = enum {{ A, B, C }}; var on : map Lamp to bool; var last : Lamp;
             init {{ forall l in Lamp: not on[l]; last = A; }}
             action turn(l: Lamp) {{ on'[l] = not on[l]; last' = l; }}
             {}",
            properties.join("\n")
        );
        let loaded = load_text("lamps.sts", &text, &[], &|_| Err(ErrorKind::NotFound.into()));
        let model = loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics));
        let form = |kind: &PropertyKind| match kind {
            PropertyKind::Ltl(formula) => NormalForm::of_formula(formula, &|expr| Some(expr.clone())),
            _ => None,
        };
        model.properties.iter().filter_map(|property| form(&property.kind)).collect()
    }

    #[test]
    fn order_repetition_and_names_make_no_difference() {
        let same = forms(&[
            "(always eventually on[A]) and (eventually always on[B]) and always eventually (on[C] or last = A)",
            "always eventually (last = A or on[C] or on[C]) and ((eventually always on[B]) and always eventually on[A])",
        ]);
        assert_eq!((same.len(), &same[0]), (2, &same[1]));
        let renamed = forms(&[
            "always eventually exists a in Lamp: on[a] and forall b in Lamp: on[b] or last = a",
            "always eventually exists x in Lamp: on[x] and forall a in Lamp: last = x or on[a]",
        ]);
        assert_eq!((renamed.len(), &renamed[0]), (2, &renamed[1]));
        let expanded = forms(&[
            "forall a in Lamp: always eventually exists b in Lamp: on[b] and a != b",
            "forall b in Lamp: always eventually exists a in Lamp: a != b and on[a]",
        ]);
        assert_eq!(expanded.len(), 2);
        assert_ne!(expanded[0], expanded[1], "the sides of an equation are not looked at");
    }

    #[test]
    fn what_may_differ_is_told_apart() {
        let forms = forms(&[
            "always (on[A] => eventually on[B])",
            "always (on[B] => eventually on[A])",
            "on[A] until (on[B] and next on[A])",
            "on[B] until (on[A] and next on[A])",
            "always eventually exists a in Lamp: forall b in Lamp: on[a] or last = b",
            "always eventually exists a in Lamp: forall b in Lamp: on[b] or last = a",
            "(always eventually on[A]) and eventually always on[B]",
            "(always eventually on[A]) or eventually always on[B]",
            "(always eventually on[B]) and eventually always on[A]",
            "if always on[A] then eventually on[B] else eventually on[C]",
            "if always on[A] then eventually on[C] else eventually on[B]",
        ]);
        assert_eq!(forms.len(), 11);
        for (index, form) in forms.iter().enumerate() {
            assert!(!forms[..index].contains(form), "{index}");
        }
    }
}
