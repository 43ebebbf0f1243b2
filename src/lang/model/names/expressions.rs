//! Resolves the names of expressions and patterns.

use super::NameKind;
use super::scope::NameResolver;
use crate::syntax::ast::{AstExpr, AstExprKind, AstPattern, AstPatternKind, AstTest, Ident};
use kit::diagnostics::Span;

impl NameResolver<'_> {
    /// Resolves the names in an expression.
    pub(super) fn expr(&mut self, expr: &AstExpr) {
        match &expr.kind {
            AstExprKind::Name(_) | AstExprKind::Field(..) => {
                self.dotted(expr);
            }
            AstExprKind::Primed(name) => {
                self.qualified(name);
            }
            AstExprKind::Call { path, args } => {
                let path: Vec<(Span, String)> =
                    path.iter().map(|name| (name.span, name.name.clone())).collect();
                self.path(&path);
                args.iter().for_each(|arg| self.expr(arg));
            }
            AstExprKind::Record { name, fields } => match self.qualified(name) {
                // Of a step, the parameters of its action.
                Some(of) if self.names.declared[of].kind == NameKind::Action => {
                    for (parameter, value) in fields {
                        self.member(of, parameter.span, &parameter.name);
                        self.expr(value);
                    }
                }
                _ => self.given(fields),
            },
            AstExprKind::With(base, fields) => {
                self.expr(base);
                self.given(fields);
            }
            AstExprKind::Is { expr, test } => {
                self.expr(expr);
                if let AstTest::Constructor(name) = test {
                    self.qualified(name);
                }
            }
            AstExprKind::Filter { var, domain, cond: body } | AstExprKind::Map { var, domain, body } => {
                self.quantified(std::slice::from_ref(var), domain, body);
            }
            AstExprKind::Quant { vars, domain, body, .. }
            | AstExprKind::Aggregate { vars, domain, body, .. } => {
                self.quantified(vars, domain, body);
            }
            AstExprKind::Let { bindings, body } => {
                let before = self.bound.len();
                self.bindings(bindings, body.span);
                self.expr(body);
                self.bound.truncate(before);
            }
            AstExprKind::Match { value, arms } => {
                self.expr(value);
                for arm in arms {
                    let before = self.bound.len();
                    self.patterns(&arm.patterns, arm.body.span);
                    self.expr(&arm.body);
                    self.bound.truncate(before);
                }
            }
            _ => expr.children().into_iter().for_each(|child| self.expr(child)),
        }
    }

    /// Resolves a name or a field; gives what it stands for if something can be selected from that by a dot.
    fn dotted(&mut self, expr: &AstExpr) -> Option<usize> {
        let of = match &expr.kind {
            AstExprKind::Name(_) => {
                // Parentheses belong to the place of an expression.
                let path = self.words(expr.span);
                self.path(path.get(..1)?)
            }
            AstExprKind::Field(base, field) => match self.dotted(base) {
                Some(base) => self.member(base, field.span, &field.name),
                None => self.field(field),
            },
            _ => {
                self.expr(expr);
                None
            }
        };
        of.filter(|&of| self.has_members(of))
    }

    fn given(&mut self, fields: &[(Ident, AstExpr)]) {
        for (field, value) in fields {
            self.field(field);
            self.expr(value);
        }
    }

    fn quantified(&mut self, vars: &[Ident], domain: &AstExpr, body: &AstExpr) {
        self.expr(domain);
        let before = self.bound.len();
        for var in vars {
            let text = format!("{} in {}", var.name, self.text(domain.span));
            self.bind(var, text, body.span);
        }
        self.expr(body);
        self.bound.truncate(before);
    }

    /// Binds names to values; each is known from its value on, up to the end of `until`.
    pub(super) fn bindings(&mut self, bindings: &[(Ident, AstExpr)], until: Span) {
        for (name, value) in bindings {
            self.expr(value);
            let text = format!("let {}", self.text(name.span.to(value.span)));
            self.bind(name, text, until);
        }
    }

    /// Resolves patterns, and binds the names that they give to fields up to the end of `until`. Patterns of one case bind the same names.
    pub(super) fn patterns(&mut self, patterns: &[AstPattern], until: Span) {
        let before = self.bound.len();
        for pattern in patterns {
            match &pattern.kind {
                AstPatternKind::Name(name, fields) => {
                    self.qualified(name);
                    for (field, own) in fields {
                        let text = format!("{} of {}", field.name, name.name);
                        self.named_field((field, own), text, before, until);
                    }
                }
                AstPatternKind::Some(name) => self.bind(name, format!("some({})", name.name), until),
                AstPatternKind::Value(value) => self.expr(value),
                AstPatternKind::Else => {}
            }
        }
    }

    /// `f` or `f: x` in a pattern of a case whose names are bound from `before` on.
    fn named_field(&mut self, (field, own): (&Ident, &Ident), text: String, before: usize, until: Span) {
        let known = self.bound[before..].iter().find(|(name, _)| *name == own.name).map(|(_, of)| *of);
        let of_field = self.field(field);
        let of = match known {
            Some(of) => {
                self.declared_again(own, of);
                of
            }
            None => {
                let of = self.declare(own, NameKind::Bound, text, None);
                self.enter(own, of, own.span.to(until));
                of
            }
        };
        if field.span == own.span && of_field.is_some() {
            // One word for both: the use of the field stands for the name as well.
            self.names.uses.pop();
            if let Some(used) = self.names.uses.last_mut() {
                used.short_for = Some(of);
            }
        }
    }
}
