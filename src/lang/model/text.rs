//! Resolved expressions as texts of the language.

use super::Model;
use super::expr::{Expr, ExprKind, LocalId, Op};
use super::types::Type;
use super::value::Value;

/// How tightly a text binds, the loosest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Or,
    And,
    Not,
    Comparison,
    Sum,
    Product,
    Whole,
}

impl Model {
    /// A state expression in the syntax of the language, with a text for each bound name. `None` if a name is bound in it, or if it reads a trace.
    pub fn text(&self, expr: &Expr, name: &dyn Fn(LocalId) -> Option<String>) -> Option<String> {
        Writer { model: self, name }.text(expr).map(|(text, _)| text)
    }
}

struct Writer<'a> {
    model: &'a Model,
    name: &'a dyn Fn(LocalId) -> Option<String>,
}

impl Writer<'_> {
    fn text(&self, expr: &Expr) -> Option<(String, Binding)> {
        let whole = |text: String| Some((text, Binding::Whole));
        match &expr.kind {
            ExprKind::Const(value) => whole(self.model.types.show_value(value)),
            ExprKind::Var(var) => whole(self.model.variables[var.0 as usize].name.clone()),
            ExprKind::Local(local) => whole((self.name)(*local)?),
            ExprKind::Field(of, field) => {
                let Type::Record(id) = *of.ty.inner() else { return None };
                let of = self.within(of, Binding::Whole)?;
                whole(self.model.types.record(id).part_text(&of, *field))
            }
            ExprKind::Index(of, key) => {
                whole(format!("{}[{}]", self.within(of, Binding::Whole)?, self.within(key, Binding::Or)?))
            }
            ExprKind::Size(set) => whole(format!("size({})", self.within(set, Binding::Or)?)),
            ExprKind::SetLiteral(members) => {
                let members: Option<Vec<String>> =
                    members.iter().map(|member| self.within(member, Binding::Or)).collect();
                whole(format!("{{{}}}", members?.join(", ")))
            }
            ExprKind::Not(inner) => self.negation(inner),
            ExprKind::Neg(inner) => {
                Some((format!("-{}", self.within(inner, Binding::Whole)?), Binding::Product))
            }
            ExprKind::IsSome(inner) => {
                Some((format!("{} is some", self.within(inner, Binding::Sum)?), Binding::Comparison))
            }
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b),
            ExprKind::If(c, a, b) => {
                let [c, a, b] = [c, a, b].map(|part| self.within(part, Binding::Or));
                Some((format!("if {} then {} else {}", c?, a?, b?), Binding::Or))
            }
            _ => None,
        }
    }

    /// The text of a part that has to bind at least as tightly.
    fn within(&self, expr: &Expr, least: Binding) -> Option<String> {
        let (text, binding) = self.text(expr)?;
        Some(if binding < least { format!("({text})") } else { text })
    }

    fn operation(&self, a: &Expr, sign: &str, b: &Expr, binding: Binding) -> Option<(String, Binding)> {
        let (left, right) = match binding {
            Binding::Or | Binding::And => (binding, binding),
            Binding::Comparison => (Binding::Sum, Binding::Sum),
            Binding::Sum => (Binding::Sum, Binding::Product),
            _ => (Binding::Product, Binding::Whole),
        };
        Some((format!("{} {sign} {}", self.within(a, left)?, self.within(b, right)?), binding))
    }

    fn binary(&self, op: Op, a: &Expr, b: &Expr) -> Option<(String, Binding)> {
        let compared = |sign, turned| match self.is_turned(a, b) {
            true => self.operation(b, turned, a, Binding::Comparison),
            false => self.operation(a, sign, b, Binding::Comparison),
        };
        match op {
            Op::Or => self.operation(a, "or", b, Binding::Or),
            Op::And => self.operation(a, "and", b, Binding::And),
            Op::Eq => self.equality(a, "=", b),
            Op::Lt => compared("<", ">"),
            Op::Le => compared("<=", ">="),
            Op::In => self.operation(a, "in", b, Binding::Comparison),
            Op::Subset => self.operation(a, "subset", b, Binding::Comparison),
            Op::Otherwise => self.operation(a, "otherwise", b, Binding::Sum),
            Op::Union => self.operation(a, "union", b, Binding::Sum),
            Op::Intersect => self.operation(a, "intersect", b, Binding::Product),
            Op::Minus => self.operation(a, "minus", b, Binding::Sum),
            Op::Add => self.operation(a, "+", b, Binding::Sum),
            Op::Sub => self.operation(a, "-", b, Binding::Sum),
            Op::Mul => self.operation(a, "*", b, Binding::Product),
            Op::Div => self.operation(a, "div", b, Binding::Product),
            Op::Mod => self.operation(a, "mod", b, Binding::Product),
        }
    }

    fn equality(&self, a: &Expr, sign: &str, b: &Expr) -> Option<(String, Binding)> {
        let (a, b) = if self.is_equality_turned(a, b) { (b, a) } else { (a, b) };
        self.operation(a, sign, b, Binding::Comparison)
    }

    /// True if a comparison reads better the other way round: a constant on its right, a bound name on its left.
    fn is_turned(&self, a: &Expr, b: &Expr) -> bool {
        let is_constant = |e: &Expr| matches!(e.kind, ExprKind::Const(_));
        match (is_constant(a), is_constant(b)) {
            (true, false) => true,
            (false, true) => false,
            _ => b.reads_names() && !a.reads_names(),
        }
    }

    /// The same of an equality: a place stands on its left, a bound name or a constant on its right.
    fn is_equality_turned(&self, a: &Expr, b: &Expr) -> bool {
        let is_place =
            |e: &Expr| matches!(e.kind, ExprKind::Var(_) | ExprKind::Index(..) | ExprKind::Field(..));
        match a.kind {
            ExprKind::Const(_) => !matches!(b.kind, ExprKind::Const(_)),
            ExprKind::Local(_) => is_place(b),
            _ => matches!(b.kind, ExprKind::Local(_)) && !is_place(a),
        }
    }

    fn negation(&self, inner: &Expr) -> Option<(String, Binding)> {
        match &inner.kind {
            ExprKind::IsSome(of) => {
                Some((format!("{} is none", self.within(of, Binding::Sum)?), Binding::Comparison))
            }
            ExprKind::Binary(Op::In, a, b) => self.operation(a, "not in", b, Binding::Comparison),
            ExprKind::Binary(Op::Eq, a, b) => self.equality(a, "!=", b),
            ExprKind::Const(Value::Bool(value)) => Some(((!value).to_string(), Binding::Whole)),
            _ => Some((format!("not {}", self.within(inner, Binding::Comparison)?), Binding::Not)),
        }
    }
}
