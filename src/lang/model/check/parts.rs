//! Parts of values: `occurs(v, m)`, and `alike(m, n, T)`, equality apart from the parts of a type.
//!
//! A value is a part of itself. Parts of it are further the fields of a record and of the payload of a constructor, the elements
//! of a set or collection, the entries of a map (not its keys), and all of their parts. What is absent has no parts. Types are
//! finite, so that both become formulas over the parts; the types alone say which parts there are to look at.

use super::operators::Operands;
use super::relations::{compatible, unknown_parts};
use super::types::known;
use super::{Checker, ExprScope, Typed, both, type_of};
use crate::model::expr::{Expr, ExprKind, Op, Quantifier};
use crate::model::types::{CollectionKind, RecordId, Type, Types};
use crate::syntax::ast::AstExpr;
use kit::diagnostics::{Diagnostic, Span};

impl<'a> Checker<'a> {
    pub(super) fn occurs(
        &mut self,
        scope: &mut ExprScope,
        value: &'a AstExpr,
        whole: &'a AstExpr,
        span: Span,
    ) -> Typed {
        let (part, of) = both(self.expr(scope, value), self.expr(scope, whole))?;
        if unknown_parts(&self.types, &part.ty) || unknown_parts(&self.types, &of.ty) {
            return Ok(undecided(part, span));
        }
        if !has_parts(&self.types, &of.ty, &part.ty) {
            let (found, of) = (self.described(&part, value), self.show(of.ty.inner()));
            let error = Diagnostic::error(value.span, format!("{found} cannot be a part of {of}"));
            return self.wrong(error);
        }
        Ok(self.shared(part, |c, part| {
            c.shared(of, |c, of| {
                let inside = c.inside(&part, &of, span);
                match part.ty.is_option() {
                    true => c.both(present(&part, span), inside),
                    false => Expr { span, ..inside },
                }
            })
        }))
    }

    /// True if a value that is there is a part of another one.
    fn inside(&mut self, part: &Expr, of: &Expr, span: Span) -> Expr {
        if !has_parts(&self.types, &of.ty, &part.ty) {
            return Expr::bool(false, span);
        }
        if compatible(&self.types, part.ty.inner(), of.ty.inner()) {
            let part = self.reshaped(part.clone(), &of.ty);
            return self.folded(Expr { span, ..Expr::binary_bool(Op::Eq, part, of.clone()) });
        }
        match of.ty.inner().clone() {
            Type::Record(id) => {
                let fields = self.fields_of(of, id);
                fields.iter().fold(Expr::bool(false, span), |any, field| {
                    let inside = self.inside(part, field, span);
                    self.folded(Expr::binary_bool(Op::Or, any, inside))
                })
            }
            Type::Set(element) => {
                let set = self.as_if_present(of.clone(), of.ty.inner());
                if compatible(&self.types, part.ty.inner(), &element) {
                    let part = self.reshaped(part.clone(), &element);
                    return self.folded(Expr { span, ..Expr::binary_bool(Op::In, part, set) });
                }
                self.over_members(Quantifier::Exists, set, &element, |c, member| c.inside(part, member, span))
            }
            Type::Map(key, _) => {
                let keys = self.all_values(&key, span);
                self.over_members(Quantifier::Exists, keys, &key, |c, key| {
                    c.inside(part, &entry(of, key, span), span)
                })
            }
            _ => Expr::bool(false, span),
        }
    }

    pub(super) fn alike(
        &mut self,
        scope: &mut ExprScope,
        (a, b): (&'a AstExpr, &'a AstExpr),
        apart: &'a AstExpr,
        span: Span,
    ) -> Typed {
        let left = self.expr(scope, a);
        let right = self.expr_for(scope, b, type_of(&left));
        let Some(apart_type) = self.type_named_by(scope, apart) else {
            let message = format!("`{}` is not the name of a type", self.text(apart.span));
            let help = "write `alike(m, n, T)`: true if m and n are equal apart from their parts of type T";
            return self.wrong(Diagnostic::error(apart.span, message).with_help(help));
        };
        let (left, right) = self.comparable(scope, left?, right?, Operands { a, b, span })?;
        let apart_type = known(apart_type)?;
        if [&left.ty, &right.ty, &apart_type].into_iter().any(|ty| unknown_parts(&self.types, ty)) {
            return Ok(undecided(left, span));
        }
        if !has_parts(&self.types, &left.ty, &apart_type) {
            let message =
                format!("no part of {} is of type {}", self.show(left.ty.inner()), self.show(&apart_type));
            let warning = Diagnostic::warning(apart.span, message);
            self.report(warning.with_help("this is equality: write `=`"));
        }
        Ok(self.shared(left, |c, left| {
            c.shared(right, |c, right| Expr { span, ..c.equal_apart(&left, &right, &apart_type, span) })
        }))
    }

    /// True if two values are equal, apart from their parts of a type, of which only the presence counts.
    fn equal_apart(&mut self, a: &Expr, b: &Expr, apart: &Type, span: Span) -> Expr {
        if !has_parts(&self.types, &a.ty, apart) && !has_parts(&self.types, &b.ty, apart) {
            return self.folded(Expr { span, ..Expr::binary_bool(Op::Eq, a.clone(), b.clone()) });
        }
        let both_there = match a.ty.is_option() || b.ty.is_option() {
            true => self.folded(Expr::binary_bool(Op::Eq, present(a, span), present(b, span))),
            false => Expr::bool(true, span),
        };
        if compatible(&self.types, a.ty.inner(), apart) {
            return both_there;
        }
        let parts = match a.ty.inner().clone() {
            Type::Record(id) => match self.types.record(id).collection.as_ref().map(|of| of.kind) {
                Some(CollectionKind::Bag | CollectionKind::Set) => {
                    self.elements_alike(&self.fields_of(a, id), &self.fields_of(b, id), apart, span)
                }
                _ => self.fields_alike(a, b, id, apart, span),
            },
            Type::Set(element) => {
                let (x, y) = (
                    self.as_if_present(a.clone(), a.ty.inner()),
                    self.as_if_present(b.clone(), b.ty.inner()),
                );
                let forth = self.each_has_one_alike(&x, &y, &element, apart, span);
                let back = self.each_has_one_alike(&y, &x, &element, apart, span);
                self.both(forth, back)
            }
            Type::Map(key, _) => {
                let keys = self.all_values(&key, span);
                self.over_members(Quantifier::Forall, keys, &key, |c, key| {
                    c.equal_apart(&entry(a, key, span), &entry(b, key, span), apart, span)
                })
            }
            _ => Expr::bool(true, span),
        };
        self.both(both_there, parts)
    }

    /// True if all fields of two records are equal, apart from parts of a type.
    fn fields_alike(&mut self, a: &Expr, b: &Expr, id: RecordId, apart: &Type, span: Span) -> Expr {
        let tagged = self.types.record(id).is_tagged();
        let fields: Vec<(Expr, Expr)> =
            self.fields_of(a, id).into_iter().zip(self.fields_of(b, id)).collect();
        // The constructors, or the sizes.
        let tags = match tagged {
            true => self.folded(Expr::binary_bool(Op::Eq, self.field_of(a, id, 0), self.field_of(b, id, 0))),
            false => Expr::bool(true, span),
        };
        fields.iter().fold(tags, |all, (a, b)| {
            let same = self.equal_apart(a, b, apart, span);
            self.both(all, same)
        })
    }

    /// True if each of these elements, which may be absent, is like one of the others, and the other way round.
    fn elements_alike(&mut self, a: &[Expr], b: &[Expr], apart: &Type, span: Span) -> Expr {
        let mut all = Expr::bool(true, span);
        for (these, those) in [(a, b), (b, a)] {
            for x in these {
                let mut found = present(x, span).negated();
                for y in those {
                    let alike = self.equal_apart(x, y, apart, span);
                    found = self.folded(Expr::binary_bool(Op::Or, found, alike));
                }
                all = self.both(all, found);
            }
        }
        all
    }

    fn each_has_one_alike(&mut self, a: &Expr, b: &Expr, element: &Type, apart: &Type, span: Span) -> Expr {
        self.over_members(Quantifier::Forall, a.clone(), element, |c, x| {
            c.over_members(Quantifier::Exists, b.clone(), element, |c, y| c.equal_apart(x, y, apart, span))
        })
    }

    /// The parts that a record consists of: what is in the payload of a variant, and the elements of a collection.
    fn fields_of(&self, of: &Expr, id: RecordId) -> Vec<Expr> {
        let decl = self.types.record(id);
        let first = usize::from(decl.is_tagged());
        (first..decl.fields.len()).map(|field| self.field_of(of, id, field)).collect()
    }

    pub(super) fn field_of(&self, of: &Expr, id: RecordId, field: usize) -> Expr {
        let ty = self.types.record(id).fields[field].1.clone();
        let ty = if of.ty.is_option() { ty.optional() } else { ty };
        Expr { kind: ExprKind::Field(Box::new(of.clone()), field), ty, span: of.span }
    }
}

fn entry(map: &Expr, key: &Expr, span: Span) -> Expr {
    let ty = match map.ty.inner() {
        Type::Map(_, value) => value.as_ref().clone(),
        _ => unreachable!("a map"),
    };
    let ty = if map.ty.is_option() { ty.optional() } else { ty };
    Expr { kind: ExprKind::Index(Box::new(map.clone()), Box::new(key.clone())), ty, span }
}

fn present(e: &Expr, span: Span) -> Expr {
    match e.ty.is_option() {
        true => Expr { kind: ExprKind::IsSome(Box::new(e.clone())), ty: Type::Bool, span },
        false => Expr::bool(true, span),
    }
}

/// A formula in place of one that depends on types which a library requires; it is made anew where the library is imported.
fn undecided(e: Expr, span: Span) -> Expr {
    Expr { kind: ExprKind::IsSome(Box::new(Expr { ty: e.ty.clone().optional(), ..e })), ty: Type::Bool, span }
}

/// True if a value of the first type is or can have a part of the second one.
fn has_parts(types: &Types, of: &Type, part: &Type) -> bool {
    compatible(types, of.inner(), part.inner())
        || match of.inner() {
            Type::Set(element) => has_parts(types, element, part),
            Type::Map(_, value) => has_parts(types, value, part),
            Type::Record(id) => {
                let decl = types.record(*id);
                let first = usize::from(decl.is_tagged());
                decl.fields[first..].iter().any(|(_, ty)| has_parts(types, ty, part))
            }
            _ => false,
        }
}
