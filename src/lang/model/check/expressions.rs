//! Expressions: names, parts of values, and what an expression may read in its context.

use super::collected::integer;
use super::collections::is_literal;
use super::components::dotted;
use super::entity::Entity;
use super::foreign::method;
use super::operators::Operands;
use super::relations::{assignable, same_shape, within};
use super::tall::Whole;
use super::types::{OPEN, POISON, known, poisoned};
use super::{Checker, ExprScope, NameBinding, ReadAccess, Reported, Typed, both, type_of};
use crate::model::expr::{Expr, ExprKind, Op};
use crate::model::types::Type;
use crate::model::value::Value;
use crate::syntax::ast::{AstExpr, AstExprKind, AstTest, BinaryOp, Ident, RequirementKind};
use kit::diagnostics::{Diagnostic, Span};
use kit::number::to_u32;

impl<'a> Checker<'a> {
    /// Resolves, types and folds an expression.
    pub(super) fn expr(&mut self, scope: &mut ExprScope, e: &'a AstExpr) -> Typed {
        self.expr_for(scope, e, &OPEN)
    }

    /// [`Self::expr`] in a place of an expected type, which says what `[a, b]` and `{a, b}` are; [`OPEN`] where nothing is known of it.
    pub(super) fn expr_for(&mut self, scope: &mut ExprScope, e: &'a AstExpr, expected: &Type) -> Typed {
        self.elaborated(scope, e, |c, scope| c.form(scope, e, expected))
    }

    /// [`Self::expr_for`] for a value stored in a place of this type: a union needs no places for more elements.
    pub(super) fn stored(&mut self, scope: &mut ExprScope, e: &'a AstExpr, ty: &Type) -> Typed {
        match (&e.kind, self.collected(ty)) {
            (AstExprKind::Binary(BinaryOp::Union, a, b), Some(to)) => {
                let of = Operands { a, b, span: e.span };
                self.elaborated(scope, e, |c, scope| c.set_operation(scope, Op::Union, of, Some(to.of.most)))
            }
            _ => self.expr_for(scope, e, ty),
        }
    }

    fn elaborated(
        &mut self,
        scope: &mut ExprScope,
        e: &'a AstExpr,
        form: impl FnOnce(&mut Self, &mut ExprScope) -> Typed,
    ) -> Typed {
        let around = self.inside;
        self.inside = around.or(Some(Whole { since: self.locals, is_definition: false }));
        let typed = self.deeper(e.span, |c| form(c, scope)).unwrap_or(Err(Reported));
        self.inside = around;
        let typed = typed?;
        if poisoned(&typed.ty) {
            return Err(Reported);
        }
        let typed = scope.narrowed(self.folded(typed));
        if around.is_none() { self.with_definitions(typed) } else { Ok(typed) }
    }

    fn form(&mut self, scope: &mut ExprScope, e: &'a AstExpr, expected: &Type) -> Typed {
        let span = e.span;
        match &e.kind {
            AstExprKind::Bool(b) => Ok(Expr::bool(*b, span)),
            AstExprKind::Int(n) => Ok(integer(*n, span)),
            AstExprKind::None => Ok(Expr::constant(Value::None, OPEN.optional(), span)),
            AstExprKind::Some(inner) => self.some(scope, inner, expected),
            AstExprKind::Name(name) => self.name(scope, name, span),
            AstExprKind::Primed(name) => self.primed(scope, name, span),
            AstExprKind::Field(base, field) => self.field(scope, base, field, span),
            AstExprKind::Index(map, key) => self.index(scope, map, key, span),
            AstExprKind::At(inner, position) => self.at(scope, inner, position, span),
            AstExprKind::Never { value, after, before } => {
                self.never(scope, value, (after.as_deref(), before), span)
            }
            AstExprKind::Established { value, by, before } => {
                self.established(scope, value, (by, before), span)
            }
            AstExprKind::Call { path, args } => self.call(scope, path, args, span),
            AstExprKind::Record { name, fields } => self.record(scope, name, fields, span),
            AstExprKind::With(base, fields) => self.with(scope, base, fields, span),
            AstExprKind::Set(elements) => self.set_or_bag(scope, elements, expected, span),
            AstExprKind::List(elements) => self.sequence(scope, elements, expected, span),
            AstExprKind::Filter { var, domain, cond } => self.filter(scope, var, domain, cond, span),
            AstExprKind::Map { var, domain, body } => self.map_of(scope, var, domain, body, expected, span),
            AstExprKind::Range(lo, hi) => self.range(scope, lo, hi, span),
            AstExprKind::Size(set) => self.size(scope, set, span),
            AstExprKind::Not(inner) => {
                let inner = self.bool(scope, inner)?;
                Ok(Expr { span, ..inner.negated() })
            }
            AstExprKind::Neg(inner) => self.negative(scope, inner, span),
            AstExprKind::Binary(op, a, b) => self.binary(scope, *op, Operands { a, b, span }, expected),
            AstExprKind::Is { expr, test: AstTest::Constructor(name) } => {
                self.is_constructed(scope, expr, name, span)
            }
            AstExprKind::Is { expr, test } => self.is_some(scope, expr, *test == AstTest::Some, span),
            AstExprKind::Match { value, arms } => self.match_expression(scope, value, arms, expected, span),
            AstExprKind::If(cond, a, b) => self.conditional(scope, cond, (a, b), expected, span),
            AstExprKind::Quant { quantifier, vars, domain, body } => {
                self.quantified(scope, *quantifier, vars, domain, body, span)
            }
            AstExprKind::Let { bindings, body } => self.let_in(scope, bindings, body, expected, span),
            AstExprKind::Aggregate { aggregate, vars, domain, body } => {
                self.aggregate(scope, *aggregate, vars, domain, body, span)
            }
            AstExprKind::Text(_) => {
                let error = Diagnostic::error(span, "a string is not a value");
                self.wrong(error.with_help("string literals are not supported; declare `enum { … }`"))
            }
            AstExprKind::Temporal(..) => {
                let error = Diagnostic::error(
                    span,
                    "temporal operators are only allowed in `ltl` and `ctl` properties",
                );
                self.wrong(error.with_help("state it as a separate property"))
            }
            AstExprKind::Error => Err(Reported),
        }
    }

    /// Checks an expression that must be a truth value.
    pub(super) fn bool(&mut self, scope: &mut ExprScope, e: &'a AstExpr) -> Typed {
        let typed = self.expr(scope, e)?;
        self.as_bool(scope, typed, e)
    }

    /// The check for an expression that was typed already.
    pub(super) fn as_bool(&mut self, scope: &ExprScope, typed: Expr, e: &'a AstExpr) -> Typed {
        let typed = self.where_known(scope, typed);
        match &typed.ty {
            Type::Bool => Ok(typed),
            Type::Option(inner) if matches!(**inner, Type::Bool) => {
                let text = self.text(e.span);
                let mut error =
                    Diagnostic::error(e.span, format!("`{text}` may be `none` instead of true or false"));
                error.notes.extend(self.key_outside(&typed, e));
                self.wrong(error.with_help(format!("write `{text} = true`")))
            }
            _ => {
                let message = format!("expected a truth value, found {}", self.described(&typed, e));
                let mut error = Diagnostic::error(e.span, message);
                error.notes.extend(self.because(scope, "it", &typed, e));
                self.wrong(error)
            }
        }
    }

    fn some(&mut self, scope: &mut ExprScope, inner: &'a AstExpr, expected: &Type) -> Typed {
        let typed = self.expr_for(scope, inner, expected)?;
        if typed.ty.is_option() {
            let error =
                Diagnostic::error(inner.span, format!("`{}` is already an option", self.text(inner.span)));
            return self.wrong(error.with_help("remove `some(…)`"));
        }
        Ok(typed)
    }

    /// Resolves a name that is used as a value.
    pub(super) fn name(&mut self, scope: &mut ExprScope, name: &str, span: Span) -> Typed {
        match scope.local(name) {
            Some(NameBinding::Local(local, ty)) => {
                return Ok(Expr { kind: ExprKind::Local(*local), ty: ty.clone(), span });
            }
            Some(NameBinding::Alias(expr)) => return Ok(Expr { span, ..expr.clone() }),
            None => {}
        }
        // A variable can only have this name where that was reported.
        if name == "action" && self.entity(scope.unit, name).is_none() {
            return self.label(scope, ExprKind::ActionLabel, Type::Enum(self.action_enum), span);
        }
        match self.global(scope, name) {
            Some(Entity::Const(c)) => Ok(Expr { span, ..self.constant(scope, c, span)? }),
            Some(Entity::EnumValue(id, v)) => Ok(Expr::constant(Value::Enum(id, v), Type::Enum(id), span)),
            Some(Entity::Constructor(variant, index)) => self.plain_constructor(variant, index, span),
            Some(Entity::Var(var)) => {
                let ty = self.var_type(var.0 as usize);
                let expr = Expr { kind: ExprKind::Var(var), ty, span };
                self.read(scope, expr, name)
            }
            Some(Entity::Bound(b)) => {
                let bound = &self.bounds[b];
                let value = matches!(bound.requirement.kind, RequirementKind::Value(_));
                let expr = Expr { span, ..bound.expr.clone() };
                if !scope.labels && expr.reads_label() {
                    let message = format!("`{name}` reads the label of a step, which cannot be read here");
                    let error = Diagnostic::error(span, message);
                    return self
                        .wrong(error.with_help("labels can only be read in predicates and vocabularies"));
                }
                if value { Ok(expr) } else { self.read(scope, expr, name) }
            }
            Some(Entity::Def(def)) => self.call_definition(scope, def, &[], span),
            Some(Entity::Action(action)) => {
                let value = Value::Enum(self.action_enum, to_u32(action));
                self.label(scope, ExprKind::Const(value), Type::Enum(self.action_enum), span)
            }
            Some(other) => {
                let error = Diagnostic::error(span, format!("`{name}` is {}, not a value", other.kind()));
                self.wrong(match other {
                    Entity::Pred(_) => error.with_help(format!("apply it to positions: `{name}(…)`")),
                    _ => error,
                })
            }
            None => {
                let hidden = |e: Entity| matches!(e, Entity::Import(_) | Entity::Type(_) | Entity::Pred(_));
                let labels = scope.labels;
                let fits = |e| !hidden(e) && (labels || !matches!(e, Entity::Action(_)));
                self.unknown("name", name, span, scope, &fits)
            }
        }
    }

    /// An expression that reads the state; an error where the state cannot be read.
    pub(super) fn read(&mut self, scope: &ExprScope, expr: Expr, name: &str) -> Typed {
        match scope.reads {
            ReadAccess::State | ReadAccess::At => Ok(expr),
            ReadAccess::Constants => {
                let message = format!("`{name}` depends on the state, but a constant is needed here");
                self.wrong(Diagnostic::error(expr.span, message))
            }
            ReadAccess::Positions => {
                let error = Diagnostic::error(expr.span, format!("`{name}` is read without a position"));
                let position = scope.position().unwrap_or("t");
                self.wrong(error.with_help(format!("`{name}@{position}` reads it at position `{position}`")))
            }
        }
    }

    /// An expression that reads the label of a step; an error where labels cannot be read.
    fn label(&mut self, scope: &ExprScope, kind: ExprKind, ty: Type, span: Span) -> Typed {
        let constant = matches!(kind, ExprKind::Const(_));
        if !scope.labels {
            let text = self.text(span);
            let message = match constant {
                true => format!("`{text}` is an action, not a value"),
                false => format!("`{text}` is the label of a step, which cannot be read here"),
            };
            let error = Diagnostic::error(span, message);
            return self.wrong(error.with_help("labels can only be read in predicates and vocabularies"));
        }
        if constant {
            return Ok(Expr { kind, ty, span });
        }
        let text = self.text(span);
        self.read(scope, Expr { kind, ty: ty.optional(), span }, &text)
    }

    fn primed(&mut self, scope: &mut ExprScope, name: &Ident, span: Span) -> Typed {
        if self.prime_is_misplaced(scope, name) {
            return Err(Reported);
        }
        match self.global(scope, &name.name) {
            Some(Entity::Var(var)) if scope.primes => {
                let ty = self.var_type(var.0 as usize);
                Ok(Expr { kind: ExprKind::Next(var), ty, span })
            }
            Some(Entity::Var(_)) => {
                let error = Diagnostic::error(span, format!("`{}'` cannot be read here", name.name));
                self.wrong(error.with_help(format!(
                    "`{}` is its value before the step; next values can only be read in `constrain` and `assume`",
                    name.name
                )))
            }
            Some(other) => {
                let message =
                    format!("`{}` is {}; only variables have a next value", name.name, other.kind());
                self.wrong(Diagnostic::error(name.span, message))
            }
            None if scope.local(&name.name).is_some() => {
                let message = format!("`{}` is a bound name; only variables have a next value", name.name);
                self.wrong(Diagnostic::error(name.span, message))
            }
            None => self.unknown("variable", &name.name, name.span, scope, &|e| matches!(e, Entity::Var(_))),
        }
    }

    fn field(&mut self, scope: &mut ExprScope, base: &'a AstExpr, field: &Ident, span: Span) -> Typed {
        if let Some(name) = dotted(base) {
            match self.global(scope, &name) {
                Some(Entity::Action(action)) => return self.label_argument(scope, action, field, span),
                Some(Entity::Import(import)) if self.is_component(import) => {
                    return self.name(scope, &format!("{name}.{}", field.name), span);
                }
                Some(Entity::Import(_)) => {
                    let text = self.text(span);
                    let error = Diagnostic::error(span, format!("`{text}` is not a value"));
                    return self
                        .wrong(error.with_help("imported predicates must be called: `alias.name(…)`"));
                }
                _ => {}
            }
        }
        let typed = self.expr(scope, base)?;
        let Type::Record(id) = *typed.ty.inner() else {
            let message = format!("{} has no fields", self.described(&typed, base));
            let mut error = Diagnostic::error(field.span, message);
            error.notes.extend(self.because(scope, "it", &typed, base));
            return self.wrong(error);
        };
        if let Some(to) = self.collected(&typed.ty) {
            let message = format!("a {} has no field `{}`", to.of.kind.word(), field.name);
            let error = Diagnostic {
                help: method(&field.name).map(str::to_owned),
                ..Diagnostic::error(field.span, message)
            };
            return self.wrong(error);
        }
        let index = self.field_index(id, field)?;
        let ty = self.types.record(id).fields[index].1.clone();
        let ty = if typed.ty.is_option() && ty != POISON { ty.optional() } else { ty };
        Ok(Expr { kind: ExprKind::Field(Box::new(typed), index), ty, span })
    }

    fn label_argument(&mut self, scope: &ExprScope, action: usize, field: &Ident, span: Span) -> Typed {
        let params = self.action_params(action);
        let name = self.action_name(action);
        let param = self.parameter_named(&name, &params, field)?;
        let ty = known(params[param].ty.clone())?;
        self.label(scope, ExprKind::LabelArg { action, param }, ty, span)
    }

    fn index(&mut self, scope: &mut ExprScope, map: &'a AstExpr, key: &'a AstExpr, span: Span) -> Typed {
        let typed = self.expr(scope, map);
        if let Ok(of) = &typed
            && let Some(to) = self.collected(&of.ty)
        {
            return self.element_at(scope, &to, typed?, key, span);
        }
        let (typed, key_typed) = both(typed, self.expr(scope, key))?;
        let Type::Map(key_type, value) = typed.ty.inner().clone() else {
            let message = format!("{} is not a map", self.described(&typed, map));
            return self.wrong(Diagnostic::error(map.span, message));
        };
        if poisoned(&value) || poisoned(&key_type) {
            return Err(Reported);
        }
        if !assignable(&self.types, key_typed.ty.inner(), &key_type) {
            return self.wrong_key(scope, &key_typed, key, &key_type);
        }
        let optional = typed.ty.is_option() || key_typed.ty.is_option();
        let ty = if optional { value.as_ref().clone().optional() } else { value.as_ref().clone() };
        let outside = self.may_be_outside(&key_typed, &key_type, key);
        let key_typed = self.coerced(key_typed, &key_type);
        let (map, key) = (Box::new(typed), Box::new(key_typed));
        if !outside {
            return Ok(Expr { kind: ExprKind::Index(map, key), ty, span });
        }
        // The entry is optional if the key may be outside the map.
        let ty = ty.optional();
        let keys = self.all_values(&key_type, span);
        let inside = Expr::binary_bool(Op::In, key.as_ref().clone(), keys);
        let entry = Expr { kind: ExprKind::Index(map, key), ty: ty.clone(), span };
        let none = Expr::constant(Value::None, ty.clone(), span);
        Ok(Expr { kind: ExprKind::If(Box::new(inside), Box::new(entry), Box::new(none)), ty, span })
    }

    /// True if a key may be an integer without an entry in the map; warns if it always is.
    fn may_be_outside(&mut self, key: &Expr, key_type: &Type, written: &AstExpr) -> bool {
        let (Type::Int { lo, hi }, Type::Int { lo: first, hi: last }) = (key.ty.inner(), key_type) else {
            return !same_shape(&key.ty, key_type) && !within(&self.types, key.ty.inner(), key_type, true);
        };
        if hi < first || last < lo {
            let message = format!("{} is never a key of this map", self.described(key, written));
            let warning = Diagnostic::warning(written.span, message);
            self.report(warning.with_note(format!("its keys are {first}..{last}")));
        }
        lo < first || last < hi
    }

    /// Why the entry of a map may be absent, if its key may be outside.
    pub(super) fn key_outside(&self, entry: &Expr, written: &AstExpr) -> Option<String> {
        let (ExprKind::If(inside, ..), AstExprKind::Index(_, key)) = (&entry.kind, &written.kind) else {
            return None;
        };
        let ExprKind::Binary(Op::In, typed, keys) = &inside.kind else { return None };
        let Type::Set(of) = &keys.ty else { return None };
        let (text, found, of) = (self.text(key.span), self.show(typed.ty.inner()), self.show(of));
        Some(format!("the key `{text}` is {found}, and the keys are {of}: exclude the others with `if`"))
    }

    /// Reports a key of the wrong type.
    pub(super) fn wrong_key(
        &mut self,
        scope: &ExprScope,
        key: &Expr,
        written: &'a AstExpr,
        key_type: &Type,
    ) -> Typed {
        let described = self.described(key, written);
        let message = format!("this map has keys of type {}, not {described}", self.show(key_type));
        let mut error = Diagnostic::error(written.span, message);
        error.notes.extend(self.because(scope, "the key", key, written));
        self.wrong(error)
    }

    fn is_some(&mut self, scope: &mut ExprScope, e: &'a AstExpr, some: bool, span: Span) -> Typed {
        let typed = self.expr(scope, e)?;
        if typed.ty == Type::Pos {
            return self.wrong(Diagnostic::error(e.span, "a position is never `none`"));
        }
        let direct = matches!(
            typed.kind,
            ExprKind::Var(_)
                | ExprKind::Next(_)
                | ExprKind::Field(..)
                | ExprKind::Index(..)
                | ExprKind::At { .. }
        );
        if direct && !typed.ty.is_option() {
            let message =
                format!("`{}` is {}, which is never `none`", self.text(e.span), self.show(&typed.ty));
            self.report(Diagnostic::warning(span, message));
        }
        let present = Expr { kind: ExprKind::IsSome(Box::new(typed)), ty: Type::Bool, span };
        Ok(if some { present } else { self.folded(present).negated() })
    }

    fn conditional(
        &mut self,
        scope: &mut ExprScope,
        asked: &'a AstExpr,
        (a, b): (&'a AstExpr, &'a AstExpr),
        expected: &Type,
        span: Span,
    ) -> Typed {
        let cond = self.bool(scope, asked);
        let known = scope.known.len();
        let mut branch = |c: &mut Self, e: &'a AstExpr, truth, expected: &Type| {
            cond.iter().for_each(|cond| scope.learn(cond, truth));
            let typed = c.only_where(scope, &[(asked, truth)], |c, scope| c.expr_for(scope, e, expected));
            // As if it were there, if it is.
            let sure = match expected.is_option() {
                true => typed.clone(),
                false => typed.clone().map(|typed| c.where_known(scope, typed)),
            };
            scope.known.truncate(known);
            (typed, sure)
        };
        // Where nothing else does, one branch says what a literal is in the other one.
        let (then, otherwise) = if is_literal(a) && !is_literal(b) {
            let otherwise = branch(self, b, false, expected);
            let place = if *expected == OPEN { type_of(&otherwise.1) } else { expected };
            (branch(self, a, true, place), otherwise)
        } else {
            let then = branch(self, a, true, expected);
            let place = if *expected == OPEN { type_of(&then.1) } else { expected };
            let otherwise = branch(self, b, false, place);
            (then, otherwise)
        };
        let sure = !type_of(&then.1).is_option() && !type_of(&otherwise.1).is_option();
        let (then, otherwise) = if sure { (then.1, otherwise.1) } else { (then.0, otherwise.0) };
        let (cond, then, otherwise) = (cond?, then?, otherwise?);
        let Some(ty) = self.unify(&then.ty, &otherwise.ty).filter(|_| then.ty != Type::Pos) else {
            let (x, y) = (self.described(&then, a), self.described(&otherwise, b));
            let error = Diagnostic::error(span, format!("the branches have incompatible types: {x} and {y}"));
            return self.wrong(error);
        };
        let (then, otherwise) = (self.coerced(then, &ty), self.coerced(otherwise, &ty));
        let parts = (Box::new(cond), Box::new(then), Box::new(otherwise));
        Ok(Expr { kind: ExprKind::If(parts.0, parts.1, parts.2), ty, span })
    }

    /// An expression in an error message: a literal as written, anything else by its type.
    pub(super) fn described(&self, typed: &Expr, written: &AstExpr) -> String {
        let literal = match (&written.kind, &typed.ty) {
            (AstExprKind::Int(_) | AstExprKind::Bool(_) | AstExprKind::None, _) => true,
            (_, Type::Int { lo, hi }) => lo == hi,
            _ => false,
        };
        if literal { self.text(written.span) } else { self.show(&typed.ty) }
    }

    /// A note on the declaration that gives something its type.
    pub(super) fn because(
        &self,
        scope: &ExprScope,
        what: &str,
        typed: &Expr,
        written: &AstExpr,
    ) -> Option<String> {
        let origin = self.origin(scope, written)?;
        Some(format!("{what} is {} because of {origin}", self.show(&typed.ty)))
    }

    /// The declaration that gives an expression its type: `` `var x : Agent` (specs/ns.sts:4) ``.
    pub(super) fn origin(&self, scope: &ExprScope, e: &AstExpr) -> Option<String> {
        match &e.kind {
            AstExprKind::Name(name) | AstExprKind::Primed(Ident { name, .. }) => {
                let (text, span) = match self.global(scope, name)? {
                    Entity::Var(var) => {
                        let decl = &self.vars[var.0 as usize];
                        (format!("var {name} : {}", self.text(decl.written.span)), decl.name.span)
                    }
                    Entity::Const(c) => {
                        let decl = &self.consts[c];
                        (format!("const {name} : {}", self.text(decl.ty.span)), decl.name.span)
                    }
                    Entity::Def(d) => {
                        let decl = &self.defs[d];
                        (format!("def {name}: {}", self.text(decl.ty.span)), decl.name.span)
                    }
                    Entity::EnumValue(id, _) => {
                        let decl = self.types.enumeration(id);
                        (format!("enum {}", decl.name), decl.span)
                    }
                    Entity::Bound(b) => {
                        let requirement = self.bounds[b].requirement;
                        let ty = match &requirement.kind {
                            RequirementKind::Value(ty) => {
                                format!("value {name} : {}", self.text(ty.span))
                            }
                            RequirementKind::Observe(ty) => {
                                format!("observe {name} : {}", self.text(ty.span))
                            }
                            RequirementKind::Type
                            | RequirementKind::Variable(_)
                            | RequirementKind::Function(..) => return None,
                        };
                        (ty, requirement.name.span)
                    }
                    _ => return None,
                };
                Some(format!("`{text}` ({})", self.line(span)))
            }
            AstExprKind::Call { path, .. } => match path.as_slice() {
                [name] => match self.entity(scope.unit, &name.name)? {
                    Entity::Def(d) => {
                        let decl = &self.defs[d];
                        let ty = self.text(decl.ty.span);
                        Some(format!("`def {}(…): {ty}` ({})", name.name, self.line(decl.name.span)))
                    }
                    _ => None,
                },
                _ => None,
            },
            AstExprKind::Index(inner, _) | AstExprKind::At(inner, _) => self.origin(scope, inner),
            AstExprKind::Field(_, field) => {
                let place = self.field_place(&field.name)?;
                Some(format!("field `{}` ({})", field.name, self.line(place)))
            }
            _ => None,
        }
    }

    /// The declaration of the record type with this field, if it is unique.
    fn field_place(&self, field: &str) -> Option<Span> {
        let mut having = self.types.records.iter().filter(|r| r.fields.iter().any(|(n, _)| n == field));
        let first = having.next()?;
        if having.next().is_some() { None } else { Some(first.span) }
    }
}
