//! Declarations of the files.

use super::NameKind;
use super::scope::NameResolver;
use crate::syntax::DeclarationPart;
use crate::syntax::ast::{
    AstParam, AstTypeKind, Ident, Item, ItemKind, Requirement, RequirementKind, TypeExpr,
};
use kit::diagnostics::Span;

impl NameResolver<'_> {
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
                if let DeclarationPart::Type(ty) = part {
                    self.type_parts(ty);
                }
            });
        }
        for item in &files[file].tree.items {
            self.declared_vocabulary(item);
        }
    }

    fn declaration(&mut self, item: &Item) -> Option<usize> {
        if let ItemKind::Requires(requirements) = &item.kind {
            requirements.iter().for_each(|requirement| self.requirement(requirement));
        }
        let (kind, name) = NameKind::declared(&item.kind)?;
        let doc = item.doc.as_ref();
        let whole = self.text(item.span);
        let whole = whole.trim_end_matches(';').to_owned();
        let until = |sign: &str| whole.split(sign).next().unwrap_or_default().to_owned();
        let (text, params) = match &item.kind {
            ItemKind::Import { .. } => (until(" with "), None),
            ItemKind::Def { params, body, .. } | ItemKind::Pred { params, body, .. } => {
                // Without what it is defined as.
                let head = self.text(Span { end: body.span.start, ..item.span });
                (head.trim_end_matches(['=', '{', ' ']).to_owned(), Some(params))
            }
            ItemKind::Action { params, .. } | ItemKind::Operation { params, .. } => {
                (until(" {"), Some(params))
            }
            // After the properties, whose names it can have.
            ItemKind::Vocabulary { .. } => return None,
            _ => (whole, None),
        };
        if kind == NameKind::Property {
            let of = self.declare(name, kind, text, doc);
            self.properties.entry((self.file, name.name.clone())).or_insert(of);
            return Some(of);
        }
        let of = self.declare_global(name, kind, text, doc);
        if let Some(params) = params {
            self.declared_parameters(of, params);
        }
        Some(of)
    }

    fn declared_parameters(&mut self, owner: usize, params: &[AstParam]) {
        let mut all = Vec::new();
        for param in params {
            let text = format!("{}: {}", param.name.name, self.text(param.ty.span));
            all.push(self.declare(&param.name, NameKind::Parameter, text, None));
        }
        self.parameters.insert(owner, all);
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
            AstTypeKind::Enum(values) => {
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
            AstTypeKind::Record(fields) => {
                fields.iter().for_each(|(name, of)| self.declared_field(ty.span, name, of));
            }
            AstTypeKind::Variant(constructors) => {
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
