//! Which operands the rest of a condition says to be present: in `x is none or x != v`, the comparison matters only where
//! there is a value.

use super::entity::Entity;
use super::{Checker, ExprScope, Typed, type_of};
use crate::syntax::ast::{AstExpr, AstExprKind, AstTest, BinaryOp, Ident};
use std::rc::Rc;

/// The most conditions that are looked at for one operand, those of predicates and definitions that are called included.
const MOST_CONDITIONS: usize = 256;

/// The texts of arguments by the names of their parameters.
type ArgumentTexts = Rc<[(String, String)]>;

/// Facts that conditions give of operands, by their texts.
#[derive(Default)]
struct GuardFacts {
    present: Vec<String>,
    /// The operands of both sides of equations: one is present if the other one is.
    equal: Vec<[Vec<String>; 2]>,
    /// The beginnings and ends of the texts of arguments of the actions that are known to be taken: `send.m@t`.
    taken: Vec<[String; 2]>,
}

impl<'a> Checker<'a> {
    /// Checks a condition that matters only where all of these have the truth value beside them.
    pub(super) fn only_where(
        &mut self,
        scope: &mut ExprScope,
        guards: &[(&'a AstExpr, bool)],
        check: impl FnOnce(&mut Self, &mut ExprScope) -> Typed,
    ) -> Typed {
        let (around, own) = (self.conditions.len(), scope.guards.len());
        self.conditions.extend(guards);
        scope.guards.extend(around..self.conditions.len());
        let checked = check(self, scope);
        scope.guards.truncate(own);
        self.conditions.truncate(around);
        checked
    }

    /// True if the conditions around say that an operand is present: all that it is computed from is.
    pub(super) fn is_present(&mut self, scope: &ExprScope, operand: &AstExpr) -> bool {
        let GuardFacts { mut present, mut equal, taken } = self.said(scope);
        let is_taken =
            |text: &String| taken.iter().any(|[begin, end]| text.starts_with(begin) && text.ends_with(end));
        let known = |parts: &[String], present: &[String]| {
            parts.iter().all(|text| present.contains(text) || is_taken(text))
        };
        while let Some(one) = equal.iter().position(|sides| sides.iter().any(|side| known(side, &present))) {
            present.extend(equal.swap_remove(one).concat());
        }
        known(&self.parts(operand, &ArgumentTexts::default()), &present)
    }

    /// The texts of what an operand is computed from, as far as that is read at positions.
    fn parts(&self, operand: &AstExpr, given: &ArgumentTexts) -> Vec<String> {
        let parts = computed_from(operand).into_iter().map(|part| self.with_given(part, given));
        parts.filter(|text| text.contains('@')).collect()
    }

    /// The facts that the conditions around give.
    fn said(&mut self, scope: &ExprScope) -> GuardFacts {
        let mut said = GuardFacts::default();
        let nothing = ArgumentTexts::default();
        let own = scope.guards.iter().filter_map(|&at| self.conditions.get(at).copied());
        let mut open: Vec<(&'a AstExpr, bool, ArgumentTexts)> =
            own.map(|(e, truth)| (e, truth, nothing.clone())).collect();
        let mut left = MOST_CONDITIONS;
        while let Some((e, truth, given)) = open.pop()
            && left > 0
        {
            left -= 1;
            match &e.kind {
                AstExprKind::Not(inner) => open.push((inner, !truth, given)),
                AstExprKind::Binary(BinaryOp::And, a, b) if truth => {
                    open.extend([(&**a, true, given.clone()), (b, true, given)]);
                }
                AstExprKind::Binary(BinaryOp::Or, a, b) if !truth => {
                    open.extend([(&**a, false, given.clone()), (b, false, given)]);
                }
                AstExprKind::Binary(BinaryOp::Implies, a, b) if !truth => {
                    open.extend([(&**a, true, given.clone()), (b, false, given)]);
                }
                AstExprKind::Call { path, args } => {
                    open.extend(self.called(scope, path, args, &given).map(|(body, own)| (body, truth, own)));
                }
                _ => self.add_said(scope, (e, truth), &given, &mut said),
            }
        }
        said
    }

    /// Adds what a single condition says.
    fn add_said(
        &mut self,
        scope: &ExprScope,
        (e, truth): (&'a AstExpr, bool),
        given: &ArgumentTexts,
        said: &mut GuardFacts,
    ) {
        let none = |e: &AstExpr| e.kind == AstExprKind::None;
        match &e.kind {
            AstExprKind::Is { expr, test: AstTest::Some | AstTest::Constructor(_) } if truth => {
                self.add_present(scope, expr, given, said);
            }
            AstExprKind::Is { expr, test: AstTest::None } if !truth => {
                self.add_present(scope, expr, given, said)
            }
            AstExprKind::Binary(op @ (BinaryOp::Eq | BinaryOp::Ne), a, b) if none(a) || none(b) => {
                let other = if none(a) { b } else { a };
                if (*op == BinaryOp::Ne) == truth {
                    self.add_present(scope, other, given, said);
                }
            }
            // A value that differs from another one need not be present: `none` differs, too.
            AstExprKind::Binary(BinaryOp::Eq, a, b) if truth => self.add_equation(scope, [a, b], given, said),
            AstExprKind::Binary(
                BinaryOp::In | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge,
                a,
                _,
            ) if truth => self.add_present(scope, a, given, said),
            _ => {}
        }
    }

    fn add_equation(
        &mut self,
        scope: &ExprScope,
        sides: [&'a AstExpr; 2],
        given: &ArgumentTexts,
        said: &mut GuardFacts,
    ) {
        let [a, b] = sides;
        for (label, action) in [(a, b), (b, a)] {
            if let AstExprKind::At(of, at) = &label.kind
                && matches!(&of.kind, AstExprKind::Name(name) if name == "action")
            {
                let [begin, end] = [action, at].map(|e| self.with_given(e, given));
                said.taken.push([format!("{begin}."), format!("@{end}")]);
            }
        }
        if sides.into_iter().any(|side| !self.may_be_none(scope, side, given)) {
            sides.into_iter().for_each(|side| self.add_present(scope, side, given, said));
        } else {
            said.equal.push(sides.map(|side| self.parts(side, given)));
        }
    }

    /// Adds that an operand is present: so are those that it is computed from, and all arguments of an action of which it is one.
    fn add_present(&self, scope: &ExprScope, e: &AstExpr, given: &ArgumentTexts, said: &mut GuardFacts) {
        for part in computed_from(e) {
            if let AstExprKind::At(of, at) = &part.kind
                && let AstExprKind::Field(action, _) = &of.kind
                && self.names_action(scope, action)
            {
                let [begin, end] = [action, at].map(|e| self.with_given(e, given));
                said.taken.push([format!("{begin}."), format!("@{end}")]);
            }
            said.present.push(self.with_given(part, given));
        }
    }

    fn names_action(&self, scope: &ExprScope, e: &AstExpr) -> bool {
        matches!(&e.kind, AstExprKind::Name(name) if matches!(self.entity(scope.unit, name), Some(Entity::Action(_))))
    }

    /// True if two operands are the same part of the state at two positions: that they are equal says that it is the same.
    pub(super) fn is_same_part(&self, scope: &ExprScope, a: &AstExpr, b: &AstExpr) -> bool {
        let (AstExprKind::At(one, _), AstExprKind::At(other, _)) = (&a.kind, &b.kind) else { return false };
        let mut reads_label = false;
        one.walk(&mut |part| {
            reads_label |= matches!(&part.kind, AstExprKind::Field(of, _) if self.names_action(scope, of))
        });
        !reads_label && self.text(one.span) == self.text(other.span)
    }

    /// True if an operand of a condition has an option as its type, as far as that is known.
    fn may_be_none(&mut self, scope: &ExprScope, e: &'a AstExpr, given: &ArgumentTexts) -> bool {
        let reads = reads_position(e);
        if !given.is_empty() {
            return reads || self.with_given(e, given).contains('@');
        }
        if !reads {
            return false;
        }
        let (typed, _) = self.silently(|c| c.expr(&mut scope.clone(), e));
        type_of(&typed).is_option()
    }

    /// The body of a predicate or definition that is called, if its names mean the same here, with the texts of the arguments.
    fn called(
        &self,
        scope: &ExprScope,
        path: &[Ident],
        args: &[AstExpr],
        given: &ArgumentTexts,
    ) -> Option<(&'a AstExpr, ArgumentTexts)> {
        let [name] = path else { return None };
        let (unit, params, body) = match self.entity(scope.unit, &name.name)? {
            Entity::Def(id) => (self.defs[id].unit, self.defs[id].params, self.defs[id].body),
            Entity::Pred(id) => (self.preds[id].unit, self.preds[id].params, self.preds[id].body),
            _ => return None,
        };
        let of_params = params.iter().zip(args);
        let own: ArgumentTexts =
            of_params.map(|(p, arg)| (p.name.name.clone(), self.with_given(arg, given))).collect();
        (unit == scope.unit).then_some((body, own))
    }

    /// The text of an operand with arguments in the place of parameters.
    fn with_given(&self, e: &AstExpr, given: &ArgumentTexts) -> String {
        let text = self.text(e.span);
        if given.is_empty() {
            return text;
        }
        let mut out = String::new();
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let mut rest = text.as_str();
        while let Some(first) = rest.chars().next() {
            let end = match is_word(first) {
                true => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
                false => first.len_utf8(),
            };
            let (word, after) = rest.split_at(end);
            let argument = given.iter().find(|(name, _)| name == word && !out.ends_with('.'));
            out.push_str(argument.map_or(word, |(_, text)| text));
            rest = after;
        }
        out
    }
}

/// The operands of a number; anything else is by itself.
fn computed_from(e: &AstExpr) -> Vec<&AstExpr> {
    match &e.kind {
        AstExprKind::Neg(inner) => computed_from(inner),
        AstExprKind::Binary(
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div | BinaryOp::Mod,
            a,
            b,
        ) => [computed_from(a), computed_from(b)].concat(),
        _ => vec![e],
    }
}

/// True if something of a position is read.
fn reads_position(e: &AstExpr) -> bool {
    let mut reads = false;
    e.walk(&mut |part| reads |= matches!(part.kind, AstExprKind::At(..)));
    reads
}
