//! Variants: their types, constructors, and which constructor a value has.

use super::entity::Entity;
use super::types::{POISON, poisoned};
use super::{Checker, ExprScope, Reported, Typed};
use crate::model::expr::{Expr, ExprKind, Op};
use crate::model::types::{Constructor, EnumDecl, EnumId, Payload, RecordDecl, RecordId, Type};
use crate::model::value::Value;
use crate::syntax::ast::{AstConstructor, AstExpr, Ident};
use kit::diagnostics::{Diagnostic, Span, nearest};
use kit::number::to_u32;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ConstructorId {
    pub variant: RecordId,
    pub index: usize,
}

impl<'a> Checker<'a> {
    pub(super) fn variant_type(
        &mut self,
        unit: usize,
        written: &'a [AstConstructor],
        span: Span,
        name: &str,
    ) -> Type {
        if let Some(id) = self.record_ids.get(&(unit, span)) {
            return Type::Record(*id);
        }
        let tag = EnumId(to_u32(self.types.enums.len()));
        let variants = written.iter().map(|constructor| constructor.name.name.clone()).collect();
        let enum_name = format!("{name}.{}", RecordDecl::CONSTRUCTOR);
        self.types.enums.push(EnumDecl { name: enum_name, variants, span });
        let mut fields = vec![(RecordDecl::CONSTRUCTOR.to_owned(), Type::Enum(tag))];
        let mut constructors: Vec<Constructor> = Vec::new();
        for constructor in written {
            let mut payload: Vec<Payload> = Vec::new();
            for (field, ty) in &constructor.fields {
                let of = format!("{name}.{}.{}", constructor.name.name, field.name);
                let ty = self.resolve_type(unit, ty, &of);
                let Ok(index) = self.variant_field(&mut fields, field, &ty) else { continue };
                if payload.iter().any(|part| part.field == index) {
                    let error = Diagnostic::error(field.span, format!("field `{}` occurs twice", field.name));
                    self.report(error);
                    continue;
                }
                payload.push(Payload { field: index, ty });
            }
            constructors.push(Constructor { name: constructor.name.name.clone(), payload });
        }
        let in_all = |index: usize| {
            constructors.iter().all(|constructor| constructor.payload.iter().any(|part| part.field == index))
        };
        for (index, (_, ty)) in fields.iter_mut().enumerate().skip(1) {
            if !in_all(index) && !poisoned(ty) {
                *ty = ty.clone().optional();
            }
        }
        let name = name.into();
        self.add_record(unit, RecordDecl { name, fields, constructors, collection: None, span })
    }

    /// The index of a field of a variant, which is entered if it is new. Fields of one name have one type.
    fn variant_field(&mut self, fields: &mut Vec<(String, Type)>, field: &Ident, ty: &Type) -> Typed<usize> {
        if field.name == RecordDecl::CONSTRUCTOR {
            let message = format!("`{}` already says which constructor a value has", field.name);
            return self.wrong(
                Diagnostic::error(field.span, message).with_help("choose another name for the field"),
            );
        }
        let Some(index) = fields.iter().position(|(name, _)| *name == field.name) else {
            fields.push((field.name.clone(), ty.clone()));
            return Ok(fields.len() - 1);
        };
        let first = &fields[index].1;
        if first != ty && !poisoned(first) && !poisoned(ty) {
            let message = format!(
                "field `{}` is {} here and {} in another constructor",
                field.name,
                self.show(ty),
                self.show(first)
            );
            let help = "fields of one name have one type in all constructors: rename one of them";
            return self.wrong(Diagnostic::error(field.span, message).with_help(help));
        }
        Ok(index)
    }

    /// The constructor that an entity is.
    pub(super) fn constructor(&mut self, variant: usize, index: u32) -> Typed<ConstructorId> {
        let decl = &self.variants[variant];
        let (unit, written, name) = (decl.unit, decl.written, decl.name.clone());
        match self.unsilenced(|c| c.resolve_type(unit, written, &name)) {
            Type::Record(variant) => Ok(ConstructorId { variant, index: index as usize }),
            _ => Err(Reported),
        }
    }

    /// A constructor by itself, as a value.
    pub(super) fn plain_constructor(&mut self, variant: usize, index: u32, span: Span) -> Typed {
        let id = self.constructor(variant, index)?;
        let decl = self.types.record(id.variant);
        if decl.constructors[id.index].payload.is_empty() {
            let value = decl.constructed(id.variant, id.index, Vec::new());
            return Ok(Expr::constant(value, Type::Record(id.variant), span));
        }
        let name = &decl.constructors[id.index].name;
        let error = Diagnostic::error(span, format!("constructor `{name}` needs its fields"));
        let help =
            format!("write `{}`; `m is {name}` is true if m has this constructor", self.written_form(id));
        self.wrong(error.with_help(help))
    }

    /// `A(f: …, g: …)`
    pub(super) fn written_form(&self, id: ConstructorId) -> String {
        let decl = self.types.record(id.variant);
        let constructor = &decl.constructors[id.index];
        let field = |part: &Payload| format!("{}: …", decl.fields[part.field].0);
        let fields: Vec<String> = constructor.payload.iter().map(field).collect();
        if fields.is_empty() {
            constructor.name.clone()
        } else {
            format!("{}({})", constructor.name, fields.join(", "))
        }
    }

    /// The forms of all constructors: `A(f: …)` or `B`.
    pub(super) fn forms(&self, variant: RecordId) -> String {
        let count = self.types.record(variant).constructors.len();
        let forms =
            (0..count).map(|index| format!("`{}`", self.written_form(ConstructorId { variant, index })));
        forms.collect::<Vec<_>>().join(" or ")
    }

    pub(super) fn construction(
        &mut self,
        scope: &mut ExprScope,
        id: ConstructorId,
        given: &'a [(Ident, AstExpr)],
        span: Span,
    ) -> Typed {
        let decl = self.types.record(id.variant).clone();
        let constructor = &decl.constructors[id.index];
        let tag = decl.fields[0].1.clone();
        let tag = match tag {
            Type::Enum(of) => Expr::constant(Value::Enum(of, to_u32(id.index)), tag, span),
            _ => unreachable!("the first field of a variant is an enumeration"),
        };
        let none = |(_, ty): &(String, Type)| Expr::constant(Value::None, ty.clone(), span);
        let mut parts: Vec<Expr> = decl.fields.iter().map(none).collect();
        parts[0] = tag;
        let mut missing: Vec<usize> = constructor.payload.iter().map(|part| part.field).collect();
        let mut good = true;
        for (field, value) in given {
            let expected = decl.fields.iter().find(|(name, _)| *name == field.name);
            let typed = self.expr_for(scope, value, expected.map_or(&POISON, |(_, ty)| ty));
            let part = constructor.payload.iter().find(|part| decl.fields[part.field].0 == field.name);
            self.field_owners.insert(field.span, decl.span);
            let Some(part) = part else {
                good = self.no_such_field::<()>(id, field).is_ok();
                continue;
            };
            let Some(at) = missing.iter().position(|missing| *missing == part.field) else {
                self.report(Diagnostic::error(field.span, format!("field `{}` is given twice", field.name)));
                good = false;
                continue;
            };
            missing.remove(at);
            match typed.and_then(|typed| self.field_value(scope, typed, &part.ty, (field, value))) {
                Ok(fitting) => parts[part.field] = fitting,
                Err(Reported) => good = false,
            }
        }
        if !good {
            return Err(Reported);
        }
        if !missing.is_empty() {
            let names: Vec<String> =
                missing.iter().map(|field| format!("`{}`", decl.fields[*field].0)).collect();
            let plural = if names.len() == 1 { "field" } else { "fields" };
            let message = format!("`{}` is missing {plural} {}", constructor.name, names.join(", "));
            return self.wrong(
                Diagnostic::error(span, message).with_help(format!("write `{}`", self.written_form(id))),
            );
        }
        let (variant, parts) = self.with_room(id.variant, parts.into_iter().enumerate().collect());
        let parts = parts.into_iter().map(|(_, part)| part).collect();
        Ok(Expr { kind: ExprKind::Record(parts), ty: Type::Record(variant), span })
    }

    /// Reports that a constructor has no field of this name.
    pub(super) fn no_such_field<T>(&mut self, id: ConstructorId, field: &Ident) -> Typed<T> {
        let decl = self.types.record(id.variant);
        let constructor = &decl.constructors[id.index];
        let message = format!("constructor `{}` has no field `{}`", constructor.name, field.name);
        let names: Vec<&str> =
            constructor.payload.iter().map(|part| decl.fields[part.field].0.as_str()).collect();
        let mut error = Diagnostic::error(field.span, message);
        error.help =
            nearest(&field.name, names.iter().copied()).map(|name| format!("did you mean `{name}`?"));
        if names.is_empty() {
            error = error.with_note("it has no fields");
        } else {
            error = error.with_note(format!("its fields are {}", names.join(", ")));
        }
        self.wrong(error)
    }

    /// `e is A`
    pub(super) fn is_constructed(
        &mut self,
        scope: &mut ExprScope,
        value: &'a AstExpr,
        name: &'a Ident,
        span: Span,
    ) -> Typed {
        let typed = self.expr(scope, value)?;
        let id = self.constructor_of(scope, &typed, value, name)?;
        Ok(self.has_constructor(&typed, id, span))
    }

    /// The constructor of this name that a value can have; reports an error if it cannot.
    pub(super) fn constructor_of(
        &mut self,
        scope: &ExprScope,
        typed: &Expr,
        written: &'a AstExpr,
        name: &Ident,
    ) -> Typed<ConstructorId> {
        let variant = match typed.ty.inner() {
            Type::Record(id) if self.types.record(*id).is_variant() => *id,
            _ => {
                let message = format!("{} has no constructors", self.described(typed, written));
                let text = self.text(written.span);
                let error = Diagnostic::error(name.span, message);
                return self.wrong(match self.global(scope, &name.name) {
                    Some(Entity::EnumValue(..)) => error.with_help(format!("write `{text} = {}`", name.name)),
                    _ => error.with_note("constructors are declared in `variant { A(f: T), B }`"),
                });
            }
        };
        let decl = self.types.record(variant);
        if let Some(index) = decl.constructors.iter().position(|constructor| constructor.name == name.name) {
            return Ok(ConstructorId { variant, index });
        }
        let names = decl.constructors.iter().map(|constructor| constructor.name.as_str());
        let near = nearest(&name.name, names.clone()).map(|name| format!("did you mean `{name}`?"));
        let all = names.collect::<Vec<_>>().join(", ");
        let message = format!("`{}` has no constructor `{}`", decl.name, name.name);
        let error = Diagnostic::error(name.span, message).with_note(format!("its constructors are {all}"));
        self.wrong(Diagnostic { help: near, ..error })
    }

    /// True if a value of a variant has a constructor; false where it is `none`.
    pub(super) fn has_constructor(&self, typed: &Expr, id: ConstructorId, span: Span) -> Expr {
        let tag = self.types.record(id.variant).fields[0].1.clone();
        let Type::Enum(of) = tag else { unreachable!("the first field of a variant is an enumeration") };
        let ty = if typed.ty.is_option() { tag.clone().optional() } else { tag.clone() };
        let read = Expr { kind: ExprKind::Field(Box::new(typed.clone()), 0), ty, span };
        let constant = Expr::constant(Value::Enum(of, to_u32(id.index)), tag, span);
        let equal = Expr { span, ..Expr::binary_bool(Op::Eq, read, constant) };
        self.folded(equal)
    }

    /// A part of a value, unless it cannot be replaced by itself: the constructor of a variant, or what only some have.
    pub(super) fn replaceable(&mut self, id: RecordId, index: usize, span: Span) -> Typed<usize> {
        let decl = self.types.record(id);
        if !decl.is_tagged() || (index > 0 && decl.having(index).count() == decl.constructors.len()) {
            return Ok(index);
        }
        let name = &decl.fields[index].0;
        let message = match index {
            0 => format!("the constructor of a value of `{}` cannot be replaced by itself", decl.name),
            _ => format!("not every constructor of `{}` has the field `{name}`", decl.name),
        };
        let help = format!("make a new value: {}", self.forms(id));
        self.wrong(Diagnostic::error(span, message).with_help(help))
    }

    /// The type of a place that holds one of several values; poison if it is no variant.
    pub(super) fn variant_id(&self, ty: &Type) -> Option<RecordId> {
        match ty.inner() {
            Type::Record(id) if *ty != POISON && self.types.record(*id).is_variant() => Some(*id),
            _ => None,
        }
    }
}
