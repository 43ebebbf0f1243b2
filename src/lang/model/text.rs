//! Resolved expressions as syntax trees, to be printed.

use super::Model;
use super::expr::{Expr, ExprKind, LocalId, Op};
use super::types::Type;
use super::value::Value;
use crate::syntax::ast::{AstExpr, AstExprKind, AstTest, BinaryOp, Ident};
use crate::syntax::print_expression;
use kit::diagnostics::Span;

impl Model {
    /// A state expression in the syntax of the language, with a text for each bound name. `None` if a name is bound in it, or if it reads a trace.
    pub fn text(&self, expr: &Expr, name: &dyn Fn(LocalId) -> Option<String>) -> Option<String> {
        ExprWriter { model: self, name }.tree(expr).map(|tree| print_expression(&tree))
    }
}

struct ExprWriter<'a> {
    model: &'a Model,
    name: &'a dyn Fn(LocalId) -> Option<String>,
}

impl ExprWriter<'_> {
    fn tree(&self, expr: &Expr) -> Option<AstExpr> {
        use AstExprKind as Tree;
        if let Some(option) = expr.known_present() {
            return self.tree(option);
        }
        let kind = match &expr.kind {
            ExprKind::Const(value) => self.constant(value),
            ExprKind::Var(var) => Tree::Name(self.model.variables[var.0 as usize].name.clone()),
            ExprKind::Local(local) => Tree::Name((self.name)(*local)?),
            ExprKind::Field(of, field) => {
                let Type::Record(id) = *of.ty.inner() else { return None };
                let record = self.model.types.record(id);
                let of = self.boxed(of)?;
                match (&record.collection, field) {
                    (Some(_), 0) => Tree::Size(of),
                    (Some(_), field) => {
                        let index = i64::try_from(field - 1).ok()?;
                        Tree::Index(of, Box::new(made(Tree::Int(index))))
                    }
                    (None, field) => Tree::Field(of, ident(&record.fields[*field].0)),
                }
            }
            ExprKind::Index(of, key) => Tree::Index(self.boxed(of)?, self.boxed(key)?),
            ExprKind::Size(set) => Tree::Size(self.boxed(set)?),
            ExprKind::SetLiteral(members) => {
                Tree::Set(members.iter().map(|member| self.tree(member)).collect::<Option<_>>()?)
            }
            ExprKind::Not(inner) => self.negation(inner)?,
            ExprKind::Neg(inner) => Tree::Neg(self.boxed(inner)?),
            ExprKind::IsSome(inner) => Tree::Is { expr: self.boxed(inner)?, test: AstTest::Some },
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b)?,
            ExprKind::If(c, a, b) => Tree::If(self.boxed(c)?, self.boxed(a)?, self.boxed(b)?),
            _ => return None,
        };
        Some(made(kind))
    }

    fn boxed(&self, expr: &Expr) -> Option<Box<AstExpr>> {
        self.tree(expr).map(Box::new)
    }

    fn constant(&self, value: &Value) -> AstExprKind {
        match value {
            Value::None => AstExprKind::None,
            Value::Bool(value) => AstExprKind::Bool(*value),
            Value::Int(value) => AstExprKind::Int(*value),
            _ => AstExprKind::Name(self.model.types.show_value(value)),
        }
    }

    fn operation(&self, op: BinaryOp, a: &Expr, b: &Expr) -> Option<AstExprKind> {
        Some(AstExprKind::Binary(op, self.boxed(a)?, self.boxed(b)?))
    }

    fn binary(&self, op: Op, a: &Expr, b: &Expr) -> Option<AstExprKind> {
        let compared = |op, turned| match is_turned(a, b) {
            true => self.operation(turned, b, a),
            false => self.operation(op, a, b),
        };
        match op {
            Op::Or => self.operation(BinaryOp::Or, a, b),
            Op::And => self.operation(BinaryOp::And, a, b),
            Op::Eq => self.equality(BinaryOp::Eq, a, b),
            Op::Lt => compared(BinaryOp::Lt, BinaryOp::Gt),
            Op::Le => compared(BinaryOp::Le, BinaryOp::Ge),
            Op::In => self.operation(BinaryOp::In, a, b),
            Op::Subset => self.operation(BinaryOp::Subset, a, b),
            Op::Otherwise => self.operation(BinaryOp::Otherwise, a, b),
            Op::Union => self.operation(BinaryOp::Union, a, b),
            Op::Intersect => self.operation(BinaryOp::Intersect, a, b),
            Op::Minus => self.operation(BinaryOp::Minus, a, b),
            Op::Add => self.operation(BinaryOp::Add, a, b),
            Op::Sub => self.operation(BinaryOp::Sub, a, b),
            Op::Mul => self.operation(BinaryOp::Mul, a, b),
            Op::Div => self.operation(BinaryOp::Div, a, b),
            Op::Mod => self.operation(BinaryOp::Mod, a, b),
        }
    }

    fn equality(&self, op: BinaryOp, a: &Expr, b: &Expr) -> Option<AstExprKind> {
        if is_equality_turned(a, b) { self.operation(op, b, a) } else { self.operation(op, a, b) }
    }

    fn negation(&self, inner: &Expr) -> Option<AstExprKind> {
        match &inner.kind {
            ExprKind::IsSome(of) => Some(AstExprKind::Is { expr: self.boxed(of)?, test: AstTest::None }),
            ExprKind::Binary(Op::In, a, b) => self.operation(BinaryOp::NotIn, a, b),
            ExprKind::Binary(Op::Eq, a, b) => self.equality(BinaryOp::Ne, a, b),
            ExprKind::Const(Value::Bool(value)) => Some(AstExprKind::Bool(!value)),
            _ => Some(AstExprKind::Not(self.boxed(inner)?)),
        }
    }
}

fn made(kind: AstExprKind) -> AstExpr {
    AstExpr { kind, span: Span::default() }
}

fn ident(name: &str) -> Ident {
    Ident { name: name.to_owned(), span: Span::default() }
}

/// True if a comparison reads better the other way round: a constant on its right, a bound name on its left.
fn is_turned(a: &Expr, b: &Expr) -> bool {
    let is_constant = |e: &Expr| matches!(e.kind, ExprKind::Const(_));
    match (is_constant(a), is_constant(b)) {
        (true, false) => true,
        (false, true) => false,
        _ => b.reads_names() && !a.reads_names(),
    }
}

/// [`is_turned`] for an equality: a place stands on its left, a bound name or a constant on its right.
fn is_equality_turned(a: &Expr, b: &Expr) -> bool {
    let is_place = |e: &Expr| matches!(e.kind, ExprKind::Var(_) | ExprKind::Index(..) | ExprKind::Field(..));
    match a.kind {
        ExprKind::Const(_) => !matches!(b.kind, ExprKind::Const(_)),
        ExprKind::Local(_) => is_place(b),
        _ => matches!(b.kind, ExprKind::Local(_)) && !is_place(a),
    }
}
