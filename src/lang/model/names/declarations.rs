//! What the files declare.

use super::NameKind;
use super::scope::Resolver;
use crate::syntax::Part;
use crate::syntax::ast::{Ident, Item, ItemKind, Param, Requirement, RequirementKind, TypeExpr, TypeKind};
use kit::diagnostics::Span;

impl Resolver<'_> {
    /// Enters what a file declares.
    pub(super) fn declarations(&mut self, file: usize) {
        let files = self.files;
        self.file = file;
        let mut imports = files[file].imports.iter();
        for item in &files[file].tree.items {
            if let Some(of) = self.declaration(item)
                && let ItemKind::Import { .. } = &item.kind
                && let Some(imported) = imports.next().copied().flatten()
            {
                self.imported.insert(of, imported);
            }
            item.walk(&mut |part| {
                if let Part::Type(ty) = part {
                    self.type_parts(ty);
                }
            });
        }
        for item in &files[file].tree.items {
            self.declared_vocabulary(item);
        }
    }

    fn declaration(&mut self, item: &Item) -> Option<usize> {
        let doc = item.doc.as_ref();
        let whole = self.text(item.span);
        let whole = whole.trim_end_matches(';').to_owned();
        // Without what it is defined as.
        let until = |end: Span| Span { end: end.start, ..item.span };
        let head = |resolver: &Self, body: Span| {
            let text = resolver.text(until(body));
            text.trim_end_matches(['=', '{', ' ']).to_owned()
        };
        Some(match &item.kind {
            ItemKind::Import { alias, .. } => {
                let text = whole.split(" with ").next().unwrap_or_default().to_owned();
                self.declare_global(alias, NameKind::Import, text, doc)
            }
            ItemKind::Const { name, .. } => self.declare_global(name, NameKind::Constant, whole, doc),
            ItemKind::Type { name, .. } => self.declare_global(name, NameKind::Type, whole, doc),
            ItemKind::Var { name, .. } => self.declare_global(name, NameKind::Variable, whole, doc),
            ItemKind::Def { name, params, body, .. } => {
                let text = head(self, body.span);
                let of = self.declare_global(name, NameKind::Definition, text, doc);
                self.declared_parameters(of, params)
            }
            ItemKind::Pred { name, params, body } => {
                let text = head(self, body.span);
                let of = self.declare_global(name, NameKind::Predicate, text, doc);
                self.declared_parameters(of, params)
            }
            ItemKind::Action { name, params, .. } => {
                let text = whole.split(" {").next().unwrap_or_default().to_owned();
                let of = self.declare_global(name, NameKind::Action, text, doc);
                self.declared_parameters(of, params)
            }
            ItemKind::Operation { name, params, .. } => {
                let text = whole.split(" {").next().unwrap_or_default().to_owned();
                let of = self.declare_global(name, NameKind::Operation, text, doc);
                self.declared_parameters(of, params)
            }
            ItemKind::Invariant { name, .. } | ItemKind::Ltl { name, .. } | ItemKind::Ctl { name, .. } => {
                let of = self.declare(name, NameKind::Property, whole, doc);
                self.properties.entry((self.file, name.name.clone())).or_insert(of);
                of
            }
            ItemKind::Requires(requirements) => {
                requirements.iter().for_each(|requirement| self.requirement(requirement));
                return None;
            }
            _ => return None,
        })
    }

    fn declared_parameters(&mut self, owner: usize, params: &[Param]) -> usize {
        let mut all = Vec::new();
        for param in params {
            let text = format!("{}: {}", param.name.name, self.text(param.ty.span));
            all.push(self.declare(&param.name, NameKind::Parameter, text, None));
        }
        self.parameters.insert(owner, all);
        owner
    }

    fn requirement(&mut self, requirement: &Requirement) {
        let name = &requirement.name;
        let text = match &requirement.kind {
            RequirementKind::Type => format!("type {}", name.name),
            RequirementKind::Value(ty) => format!("value {} : {}", name.name, self.text(ty.span)),
            RequirementKind::Observe(ty) => format!("observe {} : {}", name.name, self.text(ty.span)),
            RequirementKind::Variable(ty) => format!("variable {} : {}", name.name, self.text(ty.span)),
            RequirementKind::Function(_, ty) => {
                format!("function {}", self.text(name.span.to(ty.span)))
            }
        };
        let of = self.declare_global(name, NameKind::Requirement, text, requirement.doc.as_ref());
        if let RequirementKind::Function(params, _) = &requirement.kind {
            self.declared_parameters(of, params);
        }
    }

    /// A vocabulary that has the name of a property is the one it is classified with: it has the same name, not another equal one.
    fn declared_vocabulary(&mut self, item: &Item) {
        let ItemKind::Vocabulary { name, .. } = &item.kind else { return };
        let key = (self.file, name.name.clone());
        let of = match self.properties.get(&key) {
            Some(&of) => {
                self.declared_again(name, of);
                of
            }
            None => {
                let text = self.text(item.span);
                let text = text.trim_end_matches(';').to_owned();
                self.declare(name, NameKind::Vocabulary, text, item.doc.as_ref())
            }
        };
        self.vocabularies.entry(key).or_insert(of);
    }

    /// Enters the values, constructors and fields that a type declares, once: the type of several parameters is visited for each.
    fn type_parts(&mut self, ty: &TypeExpr) {
        match &ty.kind {
            TypeKind::Enum(values) => {
                let text = self.text(ty.span);
                for value in values {
                    if !self.places.contains_key(&value.span) {
                        self.declare_global(
                            value,
                            NameKind::Value,
                            format!("{} of {text}", value.name),
                            None,
                        );
                    }
                }
            }
            TypeKind::Record(fields) => {
                fields.iter().for_each(|(name, of)| self.declared_field(ty.span, name, of));
            }
            TypeKind::Variant(constructors) => {
                for constructor in constructors {
                    let name = &constructor.name;
                    if !self.places.contains_key(&name.span) {
                        let fields = constructor.fields.last().map(|(_, ty)| ty.span);
                        let text = match fields {
                            Some(last) => format!("{})", self.text(name.span.to(last))),
                            None => name.name.clone(),
                        };
                        self.declare_global(name, NameKind::Constructor, text, None);
                    }
                    constructor.fields.iter().for_each(|(name, of)| self.declared_field(ty.span, name, of));
                }
            }
            _ => {}
        }
    }

    fn declared_field(&mut self, owner: Span, name: &Ident, ty: &TypeExpr) {
        let key = (owner, name.name.clone());
        if let Some(&of) = self.fields.get(&key) {
            if !self.places.contains_key(&name.span) {
                self.declared_again(name, of);
            }
            return;
        }
        let text = format!("{}: {}", name.name, self.text(ty.span));
        let of = self.declare(name, NameKind::Field, text, None);
        self.fields.insert(key, of);
    }
}
