//! Resolved, typed expressions, which the reference semantics evaluates and the encoder turns into
//! literals. Definitions are inlined, library names are bound, and constants are folded.

use super::types::Type;
use super::value::Value;
pub use crate::syntax::ast::{Quantifier, TemporalOp};
use kit::diagnostics::Span;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// Index of a state variable in [`super::Model::variables`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VarId(pub u32);

/// A bound name: a parameter, a quantified name, a let. Unique in its model, so binding never
/// captures. An inlined definition body may occur several times with the same ids; that is harmless
/// because each occurrence binds them anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LocalId(pub u32);

/// A typed expression.
#[derive(Debug, Clone, PartialEq)]
pub struct Expr {
    /// Its outermost form, with its operands.
    pub kind: ExprKind,
    /// The type of its values; an integer range contains every possible value.
    pub ty: Type,
    /// Where it was written; for an inlined definition, a place in its body.
    pub span: Span,
}

/// The forms of expressions.
///
/// No operator is partial. Where an operand may be `none`: `Field`, `Index`, `With`, `Neg` and
/// arithmetic give `none`; `Lt`, `Le`, `In` and `Subset` are false; `Eq` compares, `none` being
/// equal to itself only; elements that are `none` are left out of a `SetLiteral`.
#[derive(Debug, Clone, PartialEq)]
pub enum ExprKind {
    /// A constant.
    Const(Value),
    /// A variable in the current state.
    Var(VarId),
    /// A variable in the next state.
    Next(VarId),
    /// The action of the step that led to the current state, a value of
    /// [`super::Model::action_enum`]; `none` in the initial state.
    ActionLabel,
    /// An argument of the step that led to the current state; `none` where another action was taken.
    LabelArg {
        /// Index into [`super::Model::actions`].
        action: usize,
        /// Index into its parameters.
        param: usize,
    },
    /// A bound name.
    Local(LocalId),
    /// Values under names in `body`. A value may use the names before its own, so that a long chain of values is no deep tree.
    Let {
        /// The bound names with their values, at least one.
        bindings: Vec<(LocalId, Expr)>,
        /// The expression in which the names are visible.
        body: Box<Expr>,
    },
    /// `value` at position `at`, an expression of type `pos` that is always a plain [`ExprKind::Local`].
    At {
        /// A state expression.
        value: Box<Expr>,
        /// The position.
        at: LocalId,
    },
    /// The value of a state expression in the state before the step that led to the current one, with the label that it has
    /// there; `none` where no step led there. Below [`ExprKind::At`] and [`ExprKind::Never`] only.
    Previous(Box<Expr>),
    /// A state expression, a truth value, holds at none of the positions between two, these excluded.
    Never {
        /// The state expression.
        value: Box<Expr>,
        /// The position that they come after; from the first one on if there is none.
        after: Option<LocalId>,
        /// The position that they come before.
        before: LocalId,
    },
    /// A field of a record, by index.
    Field(Box<Expr>, usize),
    /// The value of a map at a key.
    Index(Box<Expr>, Box<Expr>),
    /// A record, its fields in declaration order.
    Record(Vec<Expr>),
    /// A record with some fields replaced.
    With(Box<Expr>, Vec<(usize, Expr)>),
    /// A set of listed elements.
    SetLiteral(Vec<Expr>),
    /// The elements of `set` for which `cond` is true.
    Filter {
        /// The name of the element.
        local: LocalId,
        /// The set that is filtered.
        set: Box<Expr>,
        /// The condition.
        cond: Box<Expr>,
    },
    /// A map given by an expression over its key.
    MapOf {
        /// The name of the key.
        local: LocalId,
        /// The value at that key.
        body: Box<Expr>,
    },
    /// The number of elements of a set.
    Size(Box<Expr>),
    /// Negation of a truth value.
    Not(Box<Expr>),
    /// Negation of an integer.
    Neg(Box<Expr>),
    /// A binary operator.
    Binary(Op, Box<Expr>, Box<Expr>),
    /// True if an optional value is present.
    IsSome(Box<Expr>),
    /// `if c then a else b`.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `forall` or `exists` over the members of a set (a type's values are a constant set).
    Quant {
        /// `forall` or `exists`.
        quantifier: Quantifier,
        /// The name of the member.
        local: LocalId,
        /// The set that is quantified over.
        set: Box<Expr>,
        /// The formula about the member.
        body: Box<Expr>,
    },
    /// A fold of the values of `body` for all members of a set.
    Fold {
        /// The fold.
        fold: Fold,
        /// The name of the member.
        local: LocalId,
        /// The set.
        set: Box<Expr>,
        /// The value for a member.
        body: Box<Expr>,
    },
}

/// Folds of the values for all members of a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Fold {
    /// Their sum, 0 if there are none; `none` if one of them is.
    Sum,
    /// The least one that is present, a number or a value of an enumeration; `none` if there is none.
    Least,
    /// The greatest one, likewise.
    Greatest,
}

/// Binary operators after checking. `!=`, `>`, `>=` and `not in` are expressed by the others, as are
/// `=>` (`Or` of a negation) and `<=>` (`Eq`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Op {
    /// Disjunction.
    Or,
    /// Conjunction.
    And,
    /// Equality of any two comparable types; also of positions.
    Eq,
    /// `<` on integers, on values of one enumeration (declaration order) and on positions.
    Lt,
    /// `<=`, likewise.
    Le,
    /// Membership.
    In,
    /// Inclusion.
    Subset,
    /// The left operand, or the right one where it is `none`.
    Otherwise,
    /// Set union.
    Union,
    /// Set intersection.
    Intersect,
    /// Set difference.
    Minus,
    /// Addition; also of a position and an integer.
    Add,
    /// Subtraction; also of a position and an integer.
    Sub,
    /// Multiplication.
    Mul,
    /// Division by a positive constant, rounding towards minus infinity.
    Div,
    /// Remainder by a positive constant, never negative.
    Mod,
}

/// An occurrence of a name that stands for a value.
#[derive(Debug, Clone, PartialEq)]
pub struct NameOccurrence {
    /// The place of the name.
    pub span: Span,
    /// The value that the name has in this copy of the formula.
    pub value: Value,
}

/// A temporal formula of an `ltl` or `ctl` property.
#[derive(Debug, Clone, PartialEq)]
pub enum Formula {
    /// A truth-valued state expression, and the occurrences of names bound by expanded outer quantifiers.
    Atom(Expr, Vec<NameOccurrence>),
    /// Negation.
    Not(Box<Formula>),
    /// Conjunction.
    And(Box<Formula>, Box<Formula>),
    /// Disjunction.
    Or(Box<Formula>, Box<Formula>),
    /// Implication.
    Implies(Box<Formula>, Box<Formula>),
    /// Equivalence.
    Iff(Box<Formula>, Box<Formula>),
    /// The second operand if the first holds, otherwise the third.
    If(Box<Formula>, Box<Formula>, Box<Formula>),
    /// A temporal operator with its one or two operands.
    Temporal(TemporalOp, Vec<Formula>),
}

impl Formula {
    /// The state formulas that it consists of, in the order of its text.
    pub fn atoms(&self) -> Vec<&Expr> {
        match self {
            Self::Atom(expr, _) => vec![expr],
            Self::Not(a) => a.atoms(),
            Self::And(a, b) | Self::Or(a, b) | Self::Implies(a, b) | Self::Iff(a, b) => {
                [a.atoms(), b.atoms()].concat()
            }
            Self::If(condition, a, b) => [condition.atoms(), a.atoms(), b.atoms()].concat(),
            Self::Temporal(_, operands) => operands.iter().flat_map(Self::atoms).collect(),
        }
    }
}

/// Visits the expressions directly below a form, by reference or, with `iter_mut`, to change them.
macro_rules! each_child {
    ($kind:expr, $iter:ident, |$child:ident| $visit:expr) => {{
        let mut visit = |$child| $visit;
        match $kind {
            ExprKind::Const(_)
            | ExprKind::Var(_)
            | ExprKind::Next(_)
            | ExprKind::ActionLabel
            | ExprKind::LabelArg { .. }
            | ExprKind::Local(_) => {}
            ExprKind::Let { bindings, body } => {
                bindings.$iter().for_each(|(_, value)| visit(value));
                visit(body);
            }
            ExprKind::Index(a, b)
            | ExprKind::Filter { set: a, cond: b, .. }
            | ExprKind::Binary(_, a, b)
            | ExprKind::Quant { set: a, body: b, .. }
            | ExprKind::Fold { set: a, body: b, .. } => {
                visit(a);
                visit(b);
            }
            ExprKind::At { value: a, .. }
            | ExprKind::Never { value: a, .. }
            | ExprKind::Previous(a)
            | ExprKind::Field(a, _)
            | ExprKind::MapOf { body: a, .. }
            | ExprKind::Size(a)
            | ExprKind::Not(a)
            | ExprKind::Neg(a)
            | ExprKind::IsSome(a) => visit(a),
            ExprKind::Record(parts) | ExprKind::SetLiteral(parts) => parts.$iter().for_each(visit),
            ExprKind::With(base, fields) => {
                visit(base);
                fields.$iter().for_each(|(_, value)| visit(value));
            }
            ExprKind::If(c, a, b) => {
                visit(c);
                visit(a);
                visit(b);
            }
        }
    }};
}

impl Expr {
    /// A constant.
    pub fn constant(value: Value, ty: Type, span: Span) -> Self {
        Self { kind: ExprKind::Const(value), ty, span }
    }

    /// A member of a set of this type, or a key; the type of an integer has no other values.
    pub(super) fn element(value: Value, ty: &Type, span: Span) -> Self {
        let ty = match value {
            Value::Int(n) => Type::Int { lo: n, hi: n },
            _ => ty.clone(),
        };
        Self::constant(value, ty, span)
    }

    /// The expression without its spans, equal to every copy written elsewhere.
    pub fn without_places(&self) -> Self {
        fn clear(expr: &mut Expr) {
            expr.for_each_child(&mut clear);
            expr.span = Span::default();
        }
        let mut expr = self.clone();
        clear(&mut expr);
        expr
    }

    /// A truth value.
    pub fn bool(value: bool, span: Span) -> Self {
        Self::constant(Value::Bool(value), Type::Bool, span)
    }

    /// A binary truth-valued expression.
    pub fn binary_bool(op: Op, left: Expr, right: Expr) -> Self {
        let span = left.span;
        Self { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), ty: Type::Bool, span }
    }

    /// The conjunction of `parts`; true if there are none.
    pub fn all(parts: Vec<Expr>, span: Span) -> Self {
        parts.into_iter().reduce(|a, b| Self::binary_bool(Op::And, a, b)).unwrap_or(Self::bool(true, span))
    }

    /// Negation.
    #[must_use]
    pub fn negated(self) -> Self {
        let span = self.span;
        Self { kind: ExprKind::Not(Box::new(self)), ty: Type::Bool, span }
    }

    /// A state expression at a position.
    #[must_use]
    pub fn at(self, position: LocalId) -> Self {
        let (ty, span) = (self.ty.clone(), self.span);
        Self { kind: ExprKind::At { value: Box::new(self), at: position }, ty, span }
    }

    /// A state expression in the state before.
    #[must_use]
    pub fn before(self) -> Self {
        let (ty, span) = (self.ty.clone().optional(), self.span);
        Self { kind: ExprKind::Previous(Box::new(self)), ty, span }
    }

    /// The formula that an option is present.
    #[must_use]
    pub fn presence(self) -> Self {
        let span = self.span;
        Self { kind: ExprKind::IsSome(Box::new(self)), ty: Type::Bool, span }
    }

    /// An option as a value of this type, where it is known to be present: as if it were `any` where it is not.
    #[must_use]
    pub fn or_any(self, any: Value, ty: &Type) -> Self {
        let span = self.span;
        let any = Self::constant(any, ty.clone(), span);
        Self { kind: ExprKind::Binary(Op::Otherwise, Box::new(self), Box::new(any)), ty: ty.clone(), span }
    }

    /// The option that is known to be present in a [value made of it](Self::or_any), which has one place throughout.
    pub fn known_present(&self) -> Option<&Self> {
        match &self.kind {
            ExprKind::Binary(Op::Otherwise, option, any)
                if any.span == self.span && self.span != Span::default() =>
            {
                Some(option)
            }
            _ => None,
        }
    }

    /// Calls `visit` on this expression and everything below it.
    pub fn walk(&self, visit: &mut dyn FnMut(&Expr)) {
        visit(self);
        each_child!(&self.kind, iter, |child| Expr::walk(child, visit));
    }

    /// Calls `change` on this expression and everything below it, operands first.
    pub fn walk_mut(&mut self, change: &mut dyn FnMut(&mut Expr)) {
        self.for_each_child(&mut |child| child.walk_mut(change));
        change(self);
    }

    /// The expressions directly below this one.
    pub fn children(&self) -> Vec<&Expr> {
        let mut found = Vec::new();
        each_child!(&self.kind, iter, |child| found.push(child));
        found
    }

    /// Replaces every occurrence of a bound name by another one.
    pub fn rename_local(&mut self, from: LocalId, to: LocalId) {
        match &mut self.kind {
            ExprKind::Local(local) | ExprKind::At { at: local, .. } if *local == from => *local = to,
            ExprKind::Never { after, before, .. } => {
                after
                    .iter_mut()
                    .chain([before])
                    .filter(|local| **local == from)
                    .for_each(|local| *local = to);
            }
            _ => {}
        }
        self.for_each_child(&mut |child| child.rename_local(from, to));
    }

    /// The expression with others for those directly below it; `None` if there is none for one of them.
    pub fn with_children(&self, new: &mut dyn FnMut(&Expr) -> Option<Expr>) -> Option<Self> {
        let mut result = self.clone();
        let mut is_known = true;
        result.for_each_child(&mut |child| match new(child) {
            Some(new) => *child = new,
            None => is_known = false,
        });
        is_known.then_some(result)
    }

    /// Calls `change` on each expression directly below this one.
    pub fn for_each_child(&mut self, change: &mut dyn FnMut(&mut Expr)) {
        each_child!(&mut self.kind, iter_mut, |child| change(child));
    }

    /// True if the value depends on the state or the label of a step, outside of [`ExprKind::At`].
    pub fn reads_state(&self) -> bool {
        match &self.kind {
            ExprKind::Var(_) | ExprKind::Next(_) => true,
            ExprKind::At { .. } | ExprKind::Never { .. } => false,
            _ => self.is_of_step() || self.children().into_iter().any(Expr::reads_state),
        }
    }

    /// The conjuncts of a conjunction, from left to right; the expression itself if it is not a conjunction.
    pub fn conjuncts(&self) -> Vec<&Expr> {
        match &self.kind {
            ExprKind::Binary(Op::And, a, b) => [a.conjuncts(), b.conjuncts()].concat(),
            _ => vec![self],
        }
    }

    /// The conjuncts of an expression. Names for positions are replaced by what they stand for; names for values are kept
    /// around each conjunct that reads them.
    pub fn split_conjuncts(&self) -> Vec<Expr> {
        let mut parts = Vec::new();
        self.add_conjuncts(&mut parts);
        parts
    }

    fn add_conjuncts(&self, parts: &mut Vec<Expr>) {
        match &self.kind {
            ExprKind::Binary(Op::And, a, b) => {
                a.add_conjuncts(parts);
                b.add_conjuncts(parts);
            }
            ExprKind::Let { bindings, body } => {
                parts.extend(body.split_conjuncts().into_iter().map(|part| part.below(bindings)));
            }
            _ => parts.push(self.clone()),
        }
    }

    /// The expression with the values of those names around it that it reads; names for names are replaced.
    fn below(mut self, bindings: &[(LocalId, Expr)]) -> Self {
        let mut read = FxHashSet::default();
        self.add_read(&mut read);
        let mut kept: Vec<(LocalId, Expr)> = Vec::new();
        for (local, value) in bindings.iter().rev() {
            if !read.contains(local) {
                continue;
            }
            match value.kind {
                ExprKind::Local(target) => {
                    self.rename_local(*local, target);
                    kept.iter_mut().for_each(|(_, value)| value.rename_local(*local, target));
                    read.insert(target);
                }
                _ => {
                    value.add_read(&mut read);
                    kept.push((*local, value.clone()));
                }
            }
        }
        if kept.is_empty() {
            return self;
        }
        kept.reverse();
        let (ty, span) = (self.ty.clone(), self.span);
        Self { kind: ExprKind::Let { bindings: kept, body: Box::new(self) }, ty, span }
    }

    /// An expression with those of these names around it that it uses, in itself or in the values of names that it uses.
    pub fn with_names(bindings: &[(LocalId, Expr)], body: Expr) -> Self {
        let mut read = FxHashSet::default();
        if !bindings.is_empty() {
            body.add_read(&mut read);
        }
        if read.is_empty() {
            return body;
        }
        let mut used = Vec::new();
        for binding in bindings.iter().rev() {
            if read.contains(&binding.0) {
                binding.1.add_read(&mut read);
                used.push(binding);
            }
        }
        if used.is_empty() {
            return body;
        }
        let bindings = used.into_iter().rev().cloned().collect();
        let (ty, span) = (body.ty.clone(), body.span);
        Self { kind: ExprKind::Let { bindings, body: Box::new(body) }, ty, span }
    }

    /// Adds the bound names that occur.
    fn add_read(&self, names: &mut FxHashSet<LocalId>) {
        self.walk(&mut |e| {
            names.extend(e.names());
        });
    }

    /// True if bound names occur as values.
    pub fn reads_names(&self) -> bool {
        self.any(&|e| matches!(e.kind, ExprKind::Local(_)))
    }

    /// True if the expression or one below it passes a test.
    pub fn any(&self, test: &dyn Fn(&Expr) -> bool) -> bool {
        test(self) || self.children().into_iter().any(|child| child.any(test))
    }

    /// True if the label of a step occurs.
    pub fn reads_label(&self) -> bool {
        self.any(&|e| matches!(e.kind, ExprKind::ActionLabel | ExprKind::LabelArg { .. }))
    }

    /// True for what is read of the step that led to a state: its label, and the state before.
    pub fn is_of_step(&self) -> bool {
        matches!(self.kind, ExprKind::ActionLabel | ExprKind::LabelArg { .. } | ExprKind::Previous(_))
    }

    /// True if a bound name occurs.
    pub fn reads_local(&self, local: LocalId) -> bool {
        self.any(&|e| e.names().any(|name| name == local))
    }

    /// The bound names that occur in its outermost form, operands apart.
    fn names(&self) -> impl Iterator<Item = LocalId> {
        let names = match self.kind {
            ExprKind::Local(local) | ExprKind::At { at: local, .. } => [Some(local), None],
            ExprKind::Never { after, before, .. } => [after, Some(before)],
            _ => [None, None],
        };
        names.into_iter().flatten()
    }

    /// True if names occur that the expression does not bind.
    pub fn is_open(&self) -> bool {
        !self.unbound().is_empty()
    }

    /// The names that occur and that the expression does not bind.
    pub fn unbound(&self) -> BTreeSet<LocalId> {
        let (mut read, mut bound) = (BTreeSet::new(), BTreeSet::new());
        self.walk(&mut |e| {
            read.extend(e.names());
            match &e.kind {
                ExprKind::Let { bindings, .. } => bound.extend(bindings.iter().map(|(local, _)| *local)),
                ExprKind::Filter { local, .. }
                | ExprKind::MapOf { local, .. }
                | ExprKind::Quant { local, .. }
                | ExprKind::Fold { local, .. } => _ = bound.insert(*local),
                _ => {}
            }
        });
        &read - &bound
    }

    /// True if something is read in the state before a step, or between two positions.
    pub fn reads_around(&self) -> bool {
        self.any(&|e| matches!(e.kind, ExprKind::Previous(_) | ExprKind::Never { .. }))
    }
}
