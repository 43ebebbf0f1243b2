//! Walks over syntax trees: what the nodes consist of.

use super::ast::{
    AstExpr, AstExprKind, AstParam, AstPathStep, AstTypeKind, Item, ItemKind, RequirementKind, Stmt,
    StmtKind, TypeExpr, VocabItemKind, VocabTerm,
};

impl AstExpr {
    /// The expressions that it is made of, in the order of the text.
    pub fn children(&self) -> Vec<&AstExpr> {
        match &self.kind {
            AstExprKind::Bool(_)
            | AstExprKind::Int(_)
            | AstExprKind::None
            | AstExprKind::Text(_)
            | AstExprKind::Name(_)
            | AstExprKind::Primed(_)
            | AstExprKind::Error => Vec::new(),
            AstExprKind::Some(e)
            | AstExprKind::Field(e, _)
            | AstExprKind::Size(e)
            | AstExprKind::Not(e)
            | AstExprKind::Neg(e)
            | AstExprKind::Is { expr: e, .. } => vec![e],
            AstExprKind::Index(a, b)
            | AstExprKind::At(a, b)
            | AstExprKind::Range(a, b)
            | AstExprKind::Binary(_, a, b)
            | AstExprKind::Filter { domain: a, cond: b, .. }
            | AstExprKind::Map { domain: a, body: b, .. }
            | AstExprKind::Quant { domain: a, body: b, .. }
            | AstExprKind::Aggregate { domain: a, body: b, .. } => vec![a, b],
            AstExprKind::Call { args: all, .. } | AstExprKind::Set(all) | AstExprKind::List(all) => {
                all.iter().collect()
            }
            AstExprKind::Temporal(_, operands) => operands.iter().collect(),
            AstExprKind::Record { fields, .. } => fields.iter().map(|(_, value)| value).collect(),
            AstExprKind::With(e, fields) => {
                std::iter::once(&**e).chain(fields.iter().map(|(_, value)| value)).collect()
            }
            AstExprKind::Match { value, arms } => {
                std::iter::once(&**value).chain(arms.iter().map(|arm| &arm.body)).collect()
            }
            AstExprKind::If(c, a, b) => vec![c, a, b],
            AstExprKind::Never { value, after, before } => {
                std::iter::once(&**value).chain(after.as_deref()).chain([&**before]).collect()
            }
            AstExprKind::Established { value, by, before } => vec![value, by, before],
            AstExprKind::Let { bindings, body } => {
                bindings.iter().map(|(_, value)| value).chain([&**body]).collect()
            }
        }
    }

    /// Visits it and all that it is made of, each node before its parts.
    pub fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a AstExpr)) {
        visit(self);
        for child in self.children() {
            child.walk(visit);
        }
    }
}

/// A part of a declaration that is visited by [`Item::walk`].
#[derive(Debug, Clone, Copy)]
pub enum DeclarationPart<'a> {
    /// An expression, before those that it is made of.
    Expr(&'a AstExpr),
    /// A type, before what it is made of.
    Type(&'a TypeExpr),
    /// A statement, before what it is made of.
    Stmt(&'a Stmt),
}

impl Item {
    /// Visits the expressions, types and statements of a declaration, each before what it is made of.
    pub fn walk<'a>(&'a self, visit: &mut dyn FnMut(DeclarationPart<'a>)) {
        match &self.kind {
            ItemKind::Import { bindings, .. } => {
                bindings.iter().for_each(|(_, value)| expression(value, visit));
            }
            ItemKind::Requires(requirements) => {
                for requirement in requirements {
                    match &requirement.kind {
                        RequirementKind::Type => {}
                        RequirementKind::Value(ty)
                        | RequirementKind::Observe(ty)
                        | RequirementKind::Variable(ty) => type_of(ty, visit),
                        RequirementKind::Function(params, ty) => {
                            parameters(params, visit);
                            type_of(ty, visit);
                        }
                    }
                    requirement.default.iter().for_each(|default| expression(default, visit));
                }
            }
            ItemKind::Const { ty, value, .. } => {
                type_of(ty, visit);
                expression(value, visit);
            }
            ItemKind::Type { ty, .. } | ItemKind::Var { ty, .. } => type_of(ty, visit),
            ItemKind::Init(formulas) => formulas.iter().for_each(|formula| expression(formula, visit)),
            ItemKind::Def { params, ty, body, .. } => {
                parameters(params, visit);
                type_of(ty, visit);
                expression(body, visit);
            }
            ItemKind::Action { params, body, .. } | ItemKind::Operation { params, body, .. } => {
                parameters(params, visit);
                statements(body, visit);
            }
            ItemKind::Assume(body)
            | ItemKind::Fairness(body)
            | ItemKind::Invariant { body, .. }
            | ItemKind::Ltl { body, .. }
            | ItemKind::Ctl { body, .. } => expression(body, visit),
            ItemKind::Pred { params, body, .. } => {
                parameters(params, visit);
                expression(body, visit);
            }
            ItemKind::ActionFairness { .. } => {}
            ItemKind::Environment(steps) => {
                let values = steps.iter().flat_map(|steps| &steps.with);
                values.for_each(|(_, value)| expression(value, visit));
            }
            ItemKind::Vocabulary { terms, .. } => terms.iter().for_each(|term| vocabulary(term, visit)),
            ItemKind::Example(example) => example.expressions().for_each(|e| expression(e, visit)),
        }
    }
}

fn expression<'a>(e: &'a AstExpr, visit: &mut dyn FnMut(DeclarationPart<'a>)) {
    e.walk(&mut |e| visit(DeclarationPart::Expr(e)));
}

fn parameters<'a>(params: &'a [AstParam], visit: &mut dyn FnMut(DeclarationPart<'a>)) {
    params.iter().for_each(|param| type_of(&param.ty, visit));
}

fn type_of<'a>(ty: &'a TypeExpr, visit: &mut dyn FnMut(DeclarationPart<'a>)) {
    visit(DeclarationPart::Type(ty));
    match &ty.kind {
        AstTypeKind::Bool | AstTypeKind::Enum(_) | AstTypeKind::Name(_) | AstTypeKind::Error => {}
        AstTypeKind::Range(lo, hi) => [lo, hi].into_iter().for_each(|bound| expression(bound, visit)),
        AstTypeKind::Set(inner) | AstTypeKind::Option(inner) => type_of(inner, visit),
        AstTypeKind::Record(fields) => fields.iter().for_each(|(_, ty)| type_of(ty, visit)),
        AstTypeKind::Variant(constructors) => {
            let fields = constructors.iter().flat_map(|constructor| &constructor.fields);
            fields.for_each(|(_, ty)| type_of(ty, visit));
        }
        AstTypeKind::Map(key, value) => {
            type_of(key, visit);
            type_of(value, visit);
        }
        AstTypeKind::Collection { element, most, .. } => {
            type_of(element, visit);
            expression(most, visit);
        }
    }
}

fn statements<'a>(body: &'a [Stmt], visit: &mut dyn FnMut(DeclarationPart<'a>)) {
    for stmt in body {
        visit(DeclarationPart::Stmt(stmt));
        match &stmt.kind {
            StmtKind::Require(e) => expression(e, visit),
            StmtKind::Assign { target, value: e } | StmtKind::Choose { target, set: e } => {
                for step in &target.path {
                    if let AstPathStep::Index(key) = step {
                        expression(key, visit);
                    }
                }
                expression(e, visit);
            }
            StmtKind::If { cond, then, otherwise } => {
                expression(cond, visit);
                statements(then, visit);
                statements(otherwise, visit);
            }
            StmtKind::Match { value, arms } => {
                expression(value, visit);
                arms.iter().for_each(|arm| statements(&arm.body, visit));
            }
            StmtKind::ForAll { domain, body, .. } => {
                expression(domain, visit);
                statements(body, visit);
            }
            StmtKind::Constrain(all) | StmtKind::Call { args: all, .. } => {
                all.iter().for_each(|e| expression(e, visit));
            }
            StmtKind::Let(bindings) => bindings.iter().for_each(|(_, value)| expression(value, visit)),
        }
    }
}

fn vocabulary<'a>(term: &'a VocabTerm, visit: &mut dyn FnMut(DeclarationPart<'a>)) {
    let VocabTerm::Items(items) = term else { return };
    for item in items {
        match &item.kind {
            VocabItemKind::Eq { observables: all, .. }
            | VocabItemKind::Lacks(all)
            | VocabItemKind::Absent(all)
            | VocabItemKind::Pred { args: Some(all), .. } => all.iter().for_each(|e| expression(e, visit)),
            VocabItemKind::Before
            | VocabItemKind::Next
            | VocabItemKind::Ground(_)
            | VocabItemKind::Pred { args: None, .. } => {}
        }
    }
}
