//! Resolution of types as written, and compatibility of types.

use super::entity::Entity;
use super::{CheckProgress, Checker, ExprScope, ReadAccess, Reported, TypeDecl, Typed};
use crate::model::SymmetricType;
use crate::model::expr::{Expr, ExprKind};
use crate::model::permutation::NameType;
use crate::model::types::{CollectionKind, NamedRange, RecordDecl, RecordId, Type};
use crate::model::value::Value;
use crate::syntax::ast::{AstTypeKind, Ident, TypeExpr};
use kit::diagnostics::{Diagnostic, Span};
use kit::number::to_u32;
use std::sync::Arc;

/// The type of an ill-formed expression; compatible with every type.
pub(super) const POISON: Type = Type::Abstract(u32::MAX);
/// A type that is still open: of the value in `none`, of the elements of `{}`.
pub(super) const OPEN: Type = Type::Abstract(u32::MAX - 1);
/// The smallest index of these two special types.
pub(super) const OPEN_FROM: u32 = u32::MAX - 1;
/// The maximum number of values of a type whose values are listed: of keys, elements, domains.
pub(super) const LIMIT: u64 = 4096;

/// The maximum number of parts (scalars and possible members of sets) of a type and of a state.
pub(super) const MAX_PARTS: u64 = 100_000;

/// True if an expression of this type was reported as ill-formed.
pub(super) fn poisoned(ty: &Type) -> bool {
    *ty.inner() == POISON
}

/// A type, unless something is wrong with it.
pub(super) fn known(ty: Type) -> Typed<Type> {
    if poisoned(&ty) { Err(Reported) } else { Ok(ty) }
}

/// True if a type has a part that is still open.
pub(super) fn is_open(ty: &Type) -> bool {
    match ty {
        Type::Abstract(n) => *n == OPEN_FROM,
        Type::Option(inner) | Type::Set(inner) => is_open(inner),
        Type::Map(_, value) => is_open(value),
        _ => false,
    }
}

/// Replaces the open parts of a type by an arbitrary type.
pub(super) fn close(ty: &mut Type) {
    match ty {
        Type::Abstract(n) if *n == OPEN_FROM => *ty = Type::Bool,
        Type::Option(inner) | Type::Set(inner) | Type::Map(_, inner) if is_open(inner) => {
            close(Arc::make_mut(inner));
        }
        _ => {}
    }
}

/// `ty` with its open parts as in `target`, and optional where `target` is, if `lift`.
fn adapted(ty: &Type, target: &Type, lift: bool) -> Type {
    match (ty, target) {
        _ if *ty == OPEN => target.clone(),
        (Type::Option(a), _) => adapted(a, target.inner(), lift).optional(),
        (a, Type::Option(b)) if lift => adapted(a, b, lift).optional(),
        (a, Type::Option(b)) => adapted(a, b, lift),
        (Type::Set(a), Type::Set(b)) => Type::Set(Arc::new(adapted(a, b, lift))),
        (Type::Map(k, a), Type::Map(_, b)) => Type::Map(k.clone(), Arc::new(adapted(a, b, lift))),
        _ => ty.clone(),
    }
}

/// An expression whose integer is known to be in a range, as the result of a definition whose arguments are as declared.
pub(super) fn clipped(e: Expr, declared: &Type) -> Expr {
    let (Type::Int { lo, hi }, Type::Int { lo: least, hi: greatest }) = (e.ty.inner(), declared.inner())
    else {
        return e;
    };
    let (lo, hi) = (*lo.max(least), *hi.min(greatest));
    if lo > hi {
        return e;
    }
    let ty = Type::Int { lo, hi };
    let ty = if e.ty.is_option() { ty.optional() } else { ty };
    Expr { ty, ..e }
}

/// Replaces the open types in an expression by the type that its context expects.
pub(super) fn coerce(mut expr: Expr, target: &Type) -> Expr {
    if poisoned(&expr.ty) || poisoned(target) {
        return expr;
    }
    let push = |e: &mut Box<Expr>, target: &Type| {
        let inner = std::mem::replace(&mut **e, super::poison(Span::default()));
        **e = coerce(inner, target);
    };
    match &mut expr.kind {
        ExprKind::Const(_) => expr.ty = adapted(&expr.ty, target, false),
        ExprKind::If(_, a, b) => {
            push(a, target);
            push(b, target);
            expr.ty = adapted(&expr.ty, target, true);
        }
        ExprKind::Let { body, .. } => {
            push(body, target);
            expr.ty = body.ty.clone();
        }
        ExprKind::MapOf { body, .. } => {
            if let Type::Map(_, value) = target.inner() {
                push(body, value);
                if let Type::Map(key, own) = &expr.ty {
                    expr.ty = Type::Map(key.clone(), Arc::new(adapted(own, value, true)));
                }
            }
        }
        ExprKind::SetLiteral(elements) => {
            if let Type::Set(element) = target.inner() {
                for e in elements {
                    *e = coerce(e.clone(), element);
                }
            }
            expr.ty = adapted(&expr.ty, target, false);
        }
        ExprKind::Binary(_, a, b) if is_open(&expr.ty) => {
            push(a, target);
            push(b, target);
            expr.ty = adapted(&expr.ty, target, false);
        }
        _ => {}
    }
    expr
}

impl<'a> Checker<'a> {
    /// An expression in a context that expects values of this type, in the form of that type.
    pub(super) fn coerced(&mut self, expr: Expr, target: &Type) -> Expr {
        let expr = coerce(expr, target);
        self.reshaped(expr, target)
    }

    pub(super) fn var_type(&mut self, var: usize) -> Type {
        if let Some(ty) = &self.vars[var].ty {
            return ty.clone();
        }
        let (unit, written, name) = (self.vars[var].unit, self.vars[var].written, self.vars[var].name);
        let ty = self.unsilenced(|c| c.resolve_type(unit, written, &name.name));
        self.vars[var].ty = Some(ty.clone());
        ty
    }

    /// The ranges of integers that are declared as types in a unit.
    pub(super) fn named_ranges(&self, unit: usize) -> Vec<NamedRange> {
        let own = self.type_decls.iter().filter(|decl| decl.unit == unit);
        let range = |decl: &TypeDecl| match &decl.ty {
            CheckProgress::Done(ty @ Type::Int { .. }) => {
                Some(NamedRange { name: decl.name.name.clone(), ty: ty.clone() })
            }
            _ => None,
        };
        own.filter_map(range).collect()
    }

    /// The types of a unit that are declared to be symmetric; reports those whose values are no names.
    pub(super) fn symmetric_types(&mut self, unit: usize) -> Vec<SymmetricType> {
        let (mut found, mut wrong) = (Vec::new(), Vec::new());
        for decl in self.type_decls.iter().filter(|decl| decl.unit == unit && decl.symmetric) {
            let CheckProgress::Done(ty) = &decl.ty else { continue };
            let (name, span) = (self.full_name(unit, &decl.name.name), decl.name.span);
            match NameType::of(ty) {
                _ if poisoned(ty) => {}
                Some(_) if self.is_in_order(ty) => wrong.push(
                    Diagnostic::error(
                        span,
                        format!("`{name}` cannot be symmetric: its values order the elements of a bag or set with `max`"),
                    )
                    .with_help("use a sequence, or a plain set; symmetries are not searched for in bags and sets with `max`"),
                ),
                Some(_) if self.is_size(ty) => wrong.push(
                    Diagnostic::error(span, format!("`{name}` cannot be symmetric: its values are sizes of a collection"))
                        .with_help("give the type another range, such as 1..n"),
                ),
                Some(_) if self.types.cardinality(ty) > LIMIT => wrong.push(
                    Diagnostic::error(span, format!("`{name}` cannot be symmetric: it has too many values"))
                        .with_help(format!("at most {LIMIT} are allowed: use a smaller type")),
                ),
                Some(ty) => found.push(SymmetricType { name, ty, span }),
                None => wrong.push(
                    Diagnostic::error(
                        span,
                        format!("`{name}` cannot be symmetric: only enumerations and ranges of integers can"),
                    )
                    .with_help("declare the enumerations and ranges that its values are made of symmetric"),
                ),
            }
        }
        wrong.into_iter().for_each(|error| self.report(error));
        found
    }

    /// True if values of a type are in elements of a bag or set of limited size.
    fn is_in_order(&self, ty: &Type) -> bool {
        let collections = self.types.records.iter().filter_map(|decl| decl.collection.as_ref());
        let mut ordered = collections.filter(|collection| collection.kind != CollectionKind::Sequence);
        ordered.any(|collection| self.types.consists_of(&collection.element, ty))
    }

    /// True if a type is that of the sizes of a collection of limited size.
    fn is_size(&self, ty: &Type) -> bool {
        self.types.records.iter().any(|decl| decl.collection.is_some() && decl.fields[0].1 == *ty)
    }

    pub(super) fn declared_type(&mut self, decl: usize) -> Type {
        let TypeDecl { unit, name, written, ty, .. } = &self.type_decls[decl];
        match (ty, *written) {
            (CheckProgress::Done(ty), _) => ty.clone(),
            (CheckProgress::Todo, Some(written)) => {
                let (unit, name) = (*unit, *name);
                self.type_decls[decl].ty = CheckProgress::Doing;
                let resolve = |c: &mut Self| c.unsilenced(|c| c.resolve_type(unit, written, &name.name));
                let ty = self.deeper(name.span, resolve).unwrap_or(POISON);
                self.type_decls[decl].ty = CheckProgress::Done(ty.clone());
                ty
            }
            _ => {
                let error = Diagnostic::error(name.span, format!("type `{}` contains itself", name.name));
                self.unsilenced(|c| c.report(error.with_help("types are finite: break the cycle")));
                POISON
            }
        }
    }

    /// Runs something with reporting enabled, even during a silent elaboration.
    pub(super) fn unsilenced<R>(&mut self, run: impl FnOnce(&mut Self) -> R) -> R {
        let silent = std::mem::take(&mut self.silent);
        let result = run(self);
        self.silent = silent;
        result
    }

    /// Resolves a type expression. `name` names an enumeration or record declared in it.
    pub(super) fn resolve_type(&mut self, unit: usize, written: &'a TypeExpr, name: &str) -> Type {
        let span = written.span;
        match &written.kind {
            AstTypeKind::Bool => Type::Bool,
            AstTypeKind::Range(lo, hi) => {
                let mut scope = ExprScope::new(unit, ReadAccess::Constants);
                scope.ordered = true;
                match (self.constant_int(&mut scope, lo), self.constant_int(&mut scope, hi)) {
                    (Ok(lo), Ok(hi)) => self.int_range(lo, hi, span).unwrap_or(POISON),
                    _ => POISON,
                }
            }
            AstTypeKind::Enum(_) => match self.enum_ids.get(&span) {
                Some(id) => Type::Enum(*id),
                None => {
                    let error = Diagnostic::error(span, "an enumeration cannot be declared here");
                    self.report(error.with_help("declare it with `type` and use its name"));
                    POISON
                }
            },
            AstTypeKind::Set(inner) => {
                let element = self.resolve_type(unit, inner, name);
                if element.is_option() && !poisoned(&element) {
                    let error = Diagnostic::error(inner.span, "a set cannot contain `none`");
                    self.report(error.with_help(format!("write `set of {}`", self.show(element.inner()))));
                    return POISON;
                }
                match self.few_values(&element, inner.span, "the elements of a set") {
                    Ok(()) => Type::Set(Arc::new(element)),
                    Err(Reported) => POISON,
                }
            }
            AstTypeKind::Option(inner) => {
                let ty = self.resolve_type(unit, inner, name);
                if ty.is_option() && !poisoned(&ty) {
                    let error = Diagnostic::error(span, "options cannot be nested");
                    self.report(error.with_help(format!("write `{}`", self.show(&ty))));
                }
                ty.optional()
            }
            AstTypeKind::Map(key, value) => {
                let key_type = self.resolve_type(unit, key, name);
                let value = self.resolve_type(unit, value, name);
                if key_type.is_option() && !poisoned(&key_type) {
                    let error = Diagnostic::error(key.span, "the keys of a map cannot be `none`");
                    self.report(error.with_help(format!("write `map {} to …`", self.show(key_type.inner()))));
                    return POISON;
                }
                if self.few_values(&key_type, key.span, "the keys of a map").is_err() {
                    return POISON;
                }
                let ty = Type::Map(Arc::new(key_type), Arc::new(value));
                if self.few_parts(self.size_of(&ty), span) { ty } else { POISON }
            }
            AstTypeKind::Record(fields) => self.record_type(unit, fields, span, name),
            AstTypeKind::Variant(constructors) => self.variant_type(unit, constructors, span, name),
            AstTypeKind::Collection { kind, element, most } => {
                self.collection_type(unit, *kind, element, most, span, name)
            }
            AstTypeKind::Name(used) if used == "pos" => {
                let error = Diagnostic::error(span, "only parameters of predicates can be of type `pos`");
                self.report(error);
                POISON
            }
            AstTypeKind::Name(used) => self.named_type(unit, used, span),
            AstTypeKind::Error => POISON,
        }
    }

    pub(super) fn named_type(&mut self, unit: usize, name: &str, span: Span) -> Type {
        match self.entity(unit, name) {
            Some(Entity::Type(decl)) => self.declared_type(decl),
            Some(other) => {
                let error = Diagnostic::error(span, format!("`{name}` is {}, not a type", other.kind()));
                self.report(error);
                POISON
            }
            None if name == "int" => Type::INT,
            None => {
                let scope = ExprScope::new(unit, ReadAccess::Constants);
                let types = |e| matches!(e, Entity::Type(_));
                self.unknown("type", name, span, &scope, &types).unwrap_or(POISON)
            }
        }
    }

    /// The integers from `lo` to `hi`; an error if the range is empty or wider than `int`.
    pub(super) fn int_range(&mut self, lo: i64, hi: i64, span: Span) -> Typed<Type> {
        if lo > hi {
            let error = Diagnostic::error(span, format!("the range {lo}..{hi} is empty"));
            return self.wrong(error.with_help("write the smaller bound first"));
        }
        const WIDEST: i64 = Type::WIDEST;
        if lo < -WIDEST || hi > WIDEST {
            let message = format!("the range {lo}..{hi} is not within -{WIDEST}..{WIDEST}");
            return self.wrong(Diagnostic::error(span, message).with_help("choose bounds closer to 0"));
        }
        Ok(Type::Int { lo, hi })
    }

    /// Reports a type with more than [`LIMIT`] values.
    pub(super) fn few_values(&mut self, ty: &Type, span: Span, what: &str) -> Typed<()> {
        let count = self.types.cardinality(ty);
        if count <= LIMIT || poisoned(ty) {
            return Ok(());
        }
        let shown = self.show(ty);
        let many = if count == u64::MAX { "too many".to_string() } else { count.to_string() };
        let error = Diagnostic::error(span, format!("{shown} has {many} values, too many for {what}"));
        self.wrong(error.with_help(format!("at most {LIMIT} are allowed: use a smaller type")))
    }

    /// The maximum number of parts of a value: scalars, and possible members of sets.
    pub(super) fn size_of(&self, ty: &Type) -> u64 {
        match ty {
            Type::Bool | Type::Int { .. } | Type::Enum(_) | Type::Pos | Type::Abstract(_) => 1,
            Type::Set(element) => self.types.cardinality(element),
            Type::Option(inner) => self.size_of(inner).saturating_add(1),
            Type::Record(id) => match self.record_sizes.get(id.0 as usize) {
                Some(size) => *size,
                None => self.size_of_fields(self.types.record(*id)),
            },
            Type::Map(key, value) => self.types.cardinality(key).saturating_mul(self.size_of(value)),
        }
    }

    fn size_of_fields(&self, decl: &RecordDecl) -> u64 {
        decl.fields.iter().fold(0, |sum, (_, ty)| sum.saturating_add(self.size_of(ty)))
    }

    /// True if a size is at most [`MAX_PARTS`]; reports an error if not.
    pub(super) fn few_parts(&mut self, size: u64, span: Span) -> bool {
        if size > MAX_PARTS {
            let message = format!("a value of this type has {}", parts_text(size));
            let error = Diagnostic::error(span, message);
            self.report(error.with_help(format!("at most {MAX_PARTS} are allowed: use a smaller type")));
        }
        size <= MAX_PARTS
    }

    /// Reports a state that is too large, at the variable that exceeds the limit.
    pub(super) fn check_state_size(&mut self) {
        let mut size = 0_u64;
        for index in 0..self.vars.len() {
            size = size.saturating_add(self.vars[index].ty.as_ref().map_or(0, |ty| self.size_of(ty)));
            if size > MAX_PARTS {
                let message = format!("with this variable, a state has {}", parts_text(size));
                let error = Diagnostic::error(self.vars[index].name.span, message);
                self.report(error.with_help(format!("at most {MAX_PARTS} are allowed: use smaller types")));
                return;
            }
        }
    }

    fn record_type(&mut self, unit: usize, fields: &'a [(Ident, TypeExpr)], span: Span, name: &str) -> Type {
        if let Some(id) = self.record_ids.get(&(unit, span)) {
            return Type::Record(*id);
        }
        let mut list: Vec<(String, Type)> = Vec::new();
        for (field, ty) in fields {
            let ty = self.resolve_type(unit, ty, &format!("{name}.{}", field.name));
            if list.iter().any(|(n, _)| *n == field.name) {
                let error = Diagnostic::error(field.span, format!("field `{}` occurs twice", field.name));
                self.report(error);
                continue;
            }
            list.push((field.name.clone(), ty));
        }
        if fields.is_empty() {
            self.report(Diagnostic::error(span, "a record needs at least one field"));
        }
        let (name, constructors) = (name.into(), Vec::new());
        self.add_record(unit, RecordDecl { name, fields: list, constructors, collection: None, span })
    }

    /// Enters a record or variant; poison, with an error, if it is too large.
    pub(super) fn add_record(&mut self, unit: usize, decl: RecordDecl) -> Type {
        let size = self.size_of_fields(&decl);
        if !self.few_parts(size, decl.span) {
            return POISON;
        }
        self.record_sizes.push(size);
        let id = RecordId(to_u32(self.types.records.len()));
        if decl.collection.is_none() {
            self.record_ids.insert((unit, decl.span), id);
        }
        self.types.records.push(decl);
        Type::Record(id)
    }

    /// The set of all values of a type.
    pub(super) fn all_values(&self, ty: &Type, span: Span) -> Expr {
        let values = self.types.values(ty).into_iter().collect();
        Expr::constant(Value::Set(values), Type::Set(Arc::new(ty.clone())), span)
    }
}

/// `120000 parts (scalars and possible members of sets)`
fn parts_text(size: u64) -> String {
    let many = if size == u64::MAX { "too many".to_owned() } else { size.to_string() };
    format!("{many} parts (scalars and possible members of sets)")
}
