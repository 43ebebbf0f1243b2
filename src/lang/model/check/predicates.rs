//! Declarations that are checked whether or not they are used: constants, types, definitions, predicates.

use super::{
    CheckProgress, CheckedInContext, Checker, Context, ExprScope, PredDecl, ReadAccess, check_in_context,
    finished,
};
use crate::model::expr::Expr;
use crate::model::{Function, Observable, Predicate};
use crate::syntax::ast::{File, ItemKind};

/// Checks the predicates of another file as if a model declared them. Whatever else that file declares is left out.
pub(in crate::model) fn check_foreign_predicates<'a>(
    context: Context<'a>,
    tree: &'a File,
) -> CheckedInContext<Vec<Predicate>> {
    check_in_context(context, |checker, unit| {
        checker.check_imports(unit);
        checker.diagnostics.clear();
        let mut found = Vec::new();
        for item in &tree.items {
            let ItemKind::Pred { name, params, body } = &item.kind else { continue };
            let checked = CheckProgress::Todo;
            checker.preds.push(PredDecl { unit, name, params, body, doc: None, checked });
            let checked = checker.check_predicate(checker.preds.len() - 1);
            let doc = item.doc.iter().flat_map(|doc| doc.lines()).map(|line| format!("/// {line}\n"));
            let text = doc.chain([checker.text(item.span)]).collect();
            found.push(checked.map(|(params, body)| Predicate {
                name: name.name.clone(),
                doc: item.doc.clone(),
                params,
                body,
                library: None,
                added: Some(text),
                span: name.span,
            }));
        }
        found.into_iter().collect()
    })
}

impl<'a> Checker<'a> {
    /// Checks everything that other declarations can refer to.
    pub(super) fn check_declarations(&mut self, unit: usize) {
        for index in 0..self.consts.len() {
            if self.consts[index].unit == unit {
                _ = self.value_of(index);
            }
        }
        if unit == 0 {
            self.check_overrides(unit);
        }
        for index in 0..self.type_decls.len() {
            if self.type_decls[index].unit == unit {
                self.declared_type(index);
            }
        }
        for index in 0..self.vars.len() {
            if self.vars[index].unit == unit {
                self.var_type(index);
            }
        }
        for index in 0..self.actions.len() {
            if self.actions[index].unit == unit {
                self.action_params(index);
            }
        }
    }

    /// Checks all definitions. Returns those without parameters, which `--show` can print.
    pub(super) fn check_definitions(&mut self, unit: usize) -> Vec<Observable> {
        let mut observables = Vec::new();
        for index in 0..self.defs.len() {
            let decl = self.defs[index].clone();
            if decl.unit != unit || !self.check_definition(index) || !decl.params.is_empty() {
                continue;
            }
            // A named definition is said once in each formula, and would be said here for each definition.
            if self.defs[index].tall.is_some() {
                continue;
            }
            let mut scope = ExprScope::new(unit, ReadAccess::State);
            let expr = self.call_definition(&mut scope, index, &[], decl.name.span);
            if let Some(expr) = expr.ok().filter(Expr::reads_state) {
                let (text, span) = (self.full_name(unit, &decl.name.name), decl.name.span);
                observables.push(Observable { text, expr: finished(expr), span });
            }
        }
        observables
    }

    /// The error-free definitions of a unit that have one parameter and read no state.
    pub(super) fn functions(&mut self, unit: usize) -> Vec<Function> {
        let mut functions = Vec::new();
        for index in 0..self.defs.len() {
            let decl = self.defs[index].clone();
            let [param] = decl.params else { continue };
            if decl.unit != unit || !self.check_definition(index) || self.defs[index].tall.is_some() {
                continue;
            }
            let ((param, ty, body), failed) = self.silently(|c| {
                let mut scope = ExprScope::new(unit, ReadAccess::State);
                let ty = c.resolve_type(unit, decl.ty, &decl.name.name);
                let of = c.resolve_type(unit, &param.ty, &param.name.name);
                let param = c.bind_parameter(&mut scope, param, of);
                (param, ty, c.expr(&mut scope, decl.body))
            });
            if let Some(body) = body.ok().filter(|body| !failed && !body.reads_state()) {
                let name = self.full_name(unit, &decl.name.name);
                functions.push(Function { name, param, ty, body: finished(body) });
            }
        }
        functions
    }

    pub(super) fn check_predicates(&mut self, unit: usize) {
        for index in 0..self.preds.len() {
            if self.preds[index].unit == unit {
                self.check_predicate(index);
            }
        }
    }
}
