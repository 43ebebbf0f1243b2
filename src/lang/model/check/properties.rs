//! Initial conditions, fairness, assumptions and properties.

use super::free::free_names;
use super::{Checker, ExprScope, NameBinding, ReadAccess, finished, or_poison};
use crate::model::expr::{Expr, ExprKind, Formula, NameOccurrence};
use crate::model::{Assumption, Property, PropertyKind};
use crate::syntax::ast::{AstExpr, AstExprKind, BinaryOp, Ident, ItemKind, Quantifier, TemporalOp};
use kit::diagnostics::{Diagnostic, Span};

/// The logic, which decides on the temporal operators allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Logic {
    Linear,
    Branching,
}

impl<'a> Checker<'a> {
    /// Checks the formulas of all `init` blocks.
    pub(super) fn check_init(&mut self, unit: usize) -> Vec<Expr> {
        let tree = self.units[unit].tree;
        let mut list = Vec::new();
        for item in &tree.items {
            if let ItemKind::Init(formulas) = &item.kind {
                list.extend(formulas.iter().map(|e| self.state_formula(unit, e)));
            }
        }
        list
    }

    pub(super) fn check_fairness(&mut self, unit: usize) -> Vec<Expr> {
        let tree = self.units[unit].tree;
        let conditions = tree.items.iter().filter_map(|item| match &item.kind {
            ItemKind::Fairness(e) => Some(e),
            _ => None,
        });
        conditions.filter_map(|e| self.fair_state(unit, e)).collect()
    }

    /// Checks the assumptions, over states and over steps.
    pub(super) fn check_assumptions(&mut self, unit: usize) -> Vec<Assumption> {
        let tree = self.units[unit].tree;
        let mut list = Vec::new();
        for item in &tree.items {
            let ItemKind::Assume(e) = &item.kind else { continue };
            let mut scope = ExprScope::new(unit, ReadAccess::State);
            scope.primes = true;
            let in_step = std::mem::replace(&mut self.in_step, true);
            let expr = finished(or_poison(self.bool(&mut scope, e), e.span));
            self.in_step = in_step;
            let step = expr.any(&|e| matches!(e.kind, ExprKind::Next(_)));
            list.push(Assumption { expr, step, span: item.span });
        }
        list
    }

    /// Checks the properties, which have a name space of their own.
    pub(super) fn check_properties(&mut self, unit: usize) -> Vec<Property> {
        let tree = self.units[unit].tree;
        let mut list: Vec<Property> = Vec::new();
        for item in &tree.items {
            let (name, body, kind) = match &item.kind {
                ItemKind::Invariant { name, body } => {
                    (name, body, Some(PropertyKind::Invariant(self.state_formula(unit, body))))
                }
                ItemKind::Ltl { name, body } => {
                    let mut scope = ExprScope::new(unit, ReadAccess::State);
                    (name, body, self.formula(&mut scope, body, Logic::Linear).map(PropertyKind::Ltl))
                }
                ItemKind::Ctl { name, body } => {
                    (name, body, self.ctl_formula(unit, body).map(PropertyKind::Ctl))
                }
                _ => continue,
            };
            let full_name = self.full_name(unit, &name.name);
            if let Some(first) = list.iter().find(|p| p.name == full_name) {
                let message = format!("property `{}` is declared twice", name.name);
                let error = Diagnostic::error(name.span, message);
                self.report(error.with_related(first.span, "first declared here"));
                continue;
            }
            let Some(kind) = kind else { continue };
            let (span, formula) = (name.span, body.span);
            list.push(Property { name: full_name, doc: item.doc.clone(), kind, span, formula });
        }
        list
    }

    /// Checks a CTL formula; `None` after an error.
    pub(super) fn ctl_formula(&mut self, unit: usize, body: &'a AstExpr) -> Option<Formula> {
        self.formula(&mut ExprScope::new(unit, ReadAccess::State), body, Logic::Branching)
    }

    pub(super) fn state_formula(&mut self, unit: usize, e: &'a AstExpr) -> Expr {
        let mut scope = ExprScope::new(unit, ReadAccess::State);
        finished(or_poison(self.bool(&mut scope, e), e.span))
    }

    /// Checks a temporal formula; a subformula without temporal operators is an atom. `None` after an error.
    fn formula(&mut self, scope: &mut ExprScope, e: &'a AstExpr, logic: Logic) -> Option<Formula> {
        if !temporal(e) {
            let atom = self.bool(scope, e).ok()?;
            return Some(Formula::Atom(finished(atom), named(scope, e)));
        }
        let not = |f| Formula::Not(Box::new(f));
        match &e.kind {
            AstExprKind::Not(inner) => self.formula(scope, inner, logic).map(not),
            AstExprKind::Binary(op, a, b) => {
                let make: fn(Box<Formula>, Box<Formula>) -> Formula = match op {
                    BinaryOp::And => Formula::And,
                    BinaryOp::Or => Formula::Or,
                    BinaryOp::Implies => Formula::Implies,
                    BinaryOp::Iff => Formula::Iff,
                    _ => return self.misplaced(e.span),
                };
                let (a, b) = (self.formula(scope, a, logic), self.formula(scope, b, logic));
                Some(make(Box::new(a?), Box::new(b?)))
            }
            AstExprKind::If(cond, a, b) => {
                let cond = self.formula(scope, cond, logic);
                let (a, b) = (self.formula(scope, a, logic), self.formula(scope, b, logic));
                Some(Formula::If(Box::new(cond?), Box::new(a?), Box::new(b?)))
            }
            AstExprKind::Quant { quantifier, vars, domain, body } => {
                self.quantified_formula(scope, *quantifier, vars, domain, body, logic)
            }
            AstExprKind::Let { bindings, body } => self.let_formula(scope, bindings, body, logic),
            AstExprKind::Temporal(op, operands) => {
                let Spelling { word, logic: own, other } = Spelling::of(*op);
                if own != logic {
                    let (this, that) = match logic {
                        Logic::Linear => ("an ltl", "a ctl"),
                        Logic::Branching => ("a ctl", "an ltl"),
                    };
                    let message = format!("`{word}` is {that} operator, but this is {this} property");
                    return self.wrong(Diagnostic::error(e.span, message).with_help(other)).ok();
                }
                let parts: Vec<Option<Formula>> =
                    operands.iter().map(|o| self.formula(scope, o, logic)).collect();
                Some(Formula::Temporal(*op, parts.into_iter().collect::<Option<_>>()?))
            }
            _ => self.misplaced(e.span),
        }
    }

    fn misplaced(&mut self, span: Span) -> Option<Formula> {
        let error = Diagnostic::error(span, "a temporal operator cannot occur inside a state expression");
        let help =
            "only `not`, `and`, `or`, `=>`, `<=>`, `if` and quantifiers can be applied to temporal formulas";
        self.wrong(error.with_help(help)).ok()
    }

    /// Checks a temporal formula in which names stand for constants.
    fn let_formula(
        &mut self,
        scope: &mut ExprScope,
        bindings: &'a [(Ident, AstExpr)],
        body: &'a AstExpr,
        logic: Logic,
    ) -> Option<Formula> {
        let depth = scope.locals.len();
        let mut constant = true;
        for (name, value) in bindings {
            let mut lets = Vec::new();
            let named = self.bind_let(scope, name, value, &mut lets);
            if !lets.is_empty() || named.reads_state() {
                let message =
                    format!("`{}` is a value of one state, and the formula is about several", name.name);
                let help = "use `def`, which is read in each state, or put the `let` into a part without temporal operators";
                self.report(Diagnostic::error(value.span, message).with_help(help));
                constant = false;
            }
        }
        let body = if constant { self.formula(scope, body, logic) } else { None };
        scope.locals.truncate(depth);
        body
    }

    /// Expands a quantifier over temporal formulas.
    fn quantified_formula(
        &mut self,
        scope: &mut ExprScope,
        quantifier: Quantifier,
        vars: &'a [Ident],
        domain: &'a AstExpr,
        body: &'a AstExpr,
        logic: Logic,
    ) -> Option<Formula> {
        let Some((var, rest)) = vars.split_first() else { return self.formula(scope, body, logic) };
        let (set, element) = self.domain(scope, domain).ok()?;
        let Some(members) = self.members_of(&set) else {
            let message = "the domain of a quantifier over temporal formulas must be constant";
            let help = "range over a type, and restrict its values in the body";
            return self.wrong(Diagnostic::error(domain.span, message).with_help(help)).ok();
        };
        self.warn_shadowed(scope, var);
        let mut parts = Vec::new();
        for member in members {
            let binding = NameBinding::Alias(Expr::element(member, &element, var.span));
            scope.locals.push((var.name.clone(), binding));
            let part = self.quantified_formula(scope, quantifier, rest, domain, body, logic);
            scope.locals.pop();
            // An error in the body is reported once.
            parts.push(part?);
        }
        let make = match quantifier {
            Quantifier::Forall => Formula::And,
            Quantifier::Exists => Formula::Or,
        };
        let empty = Formula::Atom(Expr::bool(quantifier == Quantifier::Forall, body.span), Vec::new());
        Some(parts.into_iter().reduce(|a, b| make(Box::new(a), Box::new(b))).unwrap_or(empty))
    }
}

/// The occurrences in an atom of names bound by expanded quantifiers, with their values.
fn named(scope: &ExprScope, e: &AstExpr) -> Vec<NameOccurrence> {
    let mut named: Vec<NameOccurrence> = Vec::new();
    for (at, (name, binding)) in scope.locals.iter().enumerate() {
        let hidden = scope.locals[at + 1..].iter().any(|(inner, _)| inner == name);
        if let NameBinding::Alias(Expr { kind: ExprKind::Const(value), span, .. }) = binding
            && !hidden
        {
            // An atom that is only the name has the span of its binding.
            let mut places = vec![*span];
            free_names(e, name, &mut places);
            named.extend(places.into_iter().map(|span| NameOccurrence { span, value: value.clone() }));
        }
    }
    named
}

/// True if an expression contains a temporal operator in a place where formulas allow one.
fn temporal(e: &AstExpr) -> bool {
    match &e.kind {
        AstExprKind::Temporal(..) => true,
        AstExprKind::Not(a) | AstExprKind::Neg(a) | AstExprKind::Some(a) => temporal(a),
        AstExprKind::Is { expr, .. } => temporal(expr),
        AstExprKind::Binary(_, a, b) => temporal(a) || temporal(b),
        AstExprKind::If(a, b, c) => temporal(a) || temporal(b) || temporal(c),
        AstExprKind::Match { value, arms } => temporal(value) || arms.iter().any(|arm| temporal(&arm.body)),
        AstExprKind::Quant { body, .. } | AstExprKind::Aggregate { body, .. } => temporal(body),
        AstExprKind::Let { bindings, body } => temporal(body) || bindings.iter().any(|(_, e)| temporal(e)),
        _ => false,
    }
}

/// An operator in messages.
struct Spelling {
    word: &'static str,
    logic: Logic,
    /// Help on its closest equivalent in the other logic.
    other: &'static str,
}

impl Spelling {
    fn of(op: TemporalOp) -> Self {
        const NO_LTL: &str = "ltl cannot express this: its formulas are about all paths";
        let linear = |word, other| Self { word, logic: Logic::Linear, other };
        let branching = |word, other| Self { word, logic: Logic::Branching, other };
        match op {
            TemporalOp::Always => linear("always", "use `AG` for all paths or `EG` for some path"),
            TemporalOp::Eventually => linear("eventually", "use `AF` for all paths or `EF` for some path"),
            TemporalOp::Next => linear("next", "use `AX` for all paths or `EX` for some path"),
            TemporalOp::Until => linear("until", "use `A[f U g]` for all paths or `E[f U g]` for some path"),
            TemporalOp::WeakUntil => {
                linear("weak until", "use `not E[not g U (not f and not g)]` for all paths")
            }
            TemporalOp::Release => linear("release", "use `not E[not f U not g]` for all paths"),
            TemporalOp::AllNext => branching("AX", "use `next`"),
            TemporalOp::AllEventually => branching("AF", "use `eventually`"),
            TemporalOp::AllAlways => branching("AG", "use `always`"),
            TemporalOp::AllUntil => branching("A[… U …]", "use `until`"),
            TemporalOp::ExistsNext => branching("EX", NO_LTL),
            TemporalOp::ExistsEventually => branching("EF", NO_LTL),
            TemporalOp::ExistsAlways => branching("EG", NO_LTL),
            TemporalOp::ExistsUntil => branching("E[… U …]", NO_LTL),
        }
    }
}
