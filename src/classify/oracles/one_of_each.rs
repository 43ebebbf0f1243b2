//! Counts all traces from one of each orbit: where values are interchangeable, only the traces in which these
//! first occur as arguments of steps in their order are counted, and each stands for many.
//!
//! If a symmetry is proved for each exchange of two of n values, the traces with first occurrences v1, …, vk are
//! as many as those with the first k values in their order: symmetries map the ones to the others. So the number
//! of all traces is the sum of n! / (n − k)! over the traces in which k values occur, first in their order. The
//! same holds for the traces of a class that the symmetries preserve, and for those with a violation.
//!
//! Counters receive a model extended by the number of values used so far, and automata for this number beside
//! those of the classes.

use crate::automata::automaton::Automaton;
use crate::automata::product::count::{Count, Tally};
use crate::facts::atom::{Atom, AtomOrigin, Atoms};
use crate::facts::constraint::Constraint;
use crate::facts::phrase::Phrase;
use crate::facts::problem::Problem;
use crate::oracles::orbit::InterchangeableValues;
use kit::diagnostics::Span;
use kit::number::to_i64;
use lang::model::expr::{Expr, ExprKind, LocalId, Op, VarId};
use lang::model::permutation::NameType;
use lang::model::types::Type;
use lang::model::value::Value;
use lang::model::{Action, Model, Threshold, Update, UpdateValue, Variable};
use num_bigint::BigUint;
use std::collections::BTreeMap;

/// The name of the variable, which is never shown.
const NAME: &str = "values that came up";

/// A model with one trace of each orbit of the original model.
pub struct OneOfEach {
    /// The model, which has an additional variable.
    pub model: Model,
    /// For each k from 1, an automaton for the traces in which at least k values occur.
    come_up: Vec<Automaton>,
}

impl OneOfEach {
    /// Builds the model for interchangeable values.
    ///
    /// `None` if a number of values has no automaton.
    pub fn new(problem: Problem<'_>, exchange: &InterchangeableValues) -> Option<Self> {
        let mut model = problem.model.clone();
        let (ty, values) = exchange.values();
        let counter =
            ValueCounter { ty, values, variable: VarId(u32::try_from(model.variables.len()).ok()?) };
        model.variables.push(Variable {
            name: NAME.to_owned(),
            ty: counter.number_type(),
            doc: None,
            span: Span::default(),
        });
        model.init.push(Expr::binary_bool(Op::Eq, counter.read(), counter.number(0)));
        let locals = &mut model.locals;
        model.actions.iter_mut().for_each(|action| counter.put_in_order(action, locals));
        let position = LocalId(model.locals);
        model.locals += 1;
        let come_up = (1..=values.len()).map(|least| counter.automaton(&model, position, least));
        let come_up = come_up.collect::<Option<_>>()?;
        Some(Self { model, come_up })
    }

    /// Returns the automata of which exactly k accept a trace that uses k of the values.
    pub fn automata(&self) -> &[Automaton] {
        &self.come_up
    }

    /// Converts counts with these automata, numbered after those of `classes` classes, to numbers of all traces.
    pub fn of_all(&self, classes: usize, counts: Vec<Count>) -> Vec<Count> {
        let all = |tally: &Tally| {
            let mut sums: BTreeMap<Vec<usize>, BigUint> = BTreeMap::new();
            for (accepting, number) in &tally.0 {
                let of_class = accepting.partition_point(|&automaton| automaton < classes);
                let ways = self.arrangements(accepting.len() - of_class);
                *sums.entry(accepting[..of_class].to_vec()).or_default() += number * ways;
            }
            Tally(sums)
        };
        let of_each = |count: Count| Count {
            steps: count.steps,
            first: all(&count.first),
            violating: all(&count.violating),
        };
        counts.into_iter().map(of_each).collect()
    }

    /// Returns the number of sequences of `length` different values.
    fn arrangements(&self, length: usize) -> BigUint {
        let values = self.come_up.len();
        (values - length + 1..=values).map(BigUint::from).product()
    }
}

/// The variable that counts the values used so far.
struct ValueCounter<'e> {
    ty: NameType,
    values: &'e [Value],
    variable: VarId,
}

impl ValueCounter<'_> {
    fn number_type(&self) -> Type {
        Type::Int { lo: 0, hi: to_i64(self.values.len()) }
    }

    fn number(&self, number: usize) -> Expr {
        Expr::constant(Value::Int(to_i64(number)), self.number_type(), Span::default())
    }

    fn read(&self) -> Expr {
        Expr { kind: ExprKind::Var(self.variable), ty: self.number_type(), span: Span::default() }
    }

    /// Restricts the action to steps whose new values are the next ones, and counts these. `locals` is the next free name.
    fn put_in_order(&self, action: &mut Action, locals: &mut u32) {
        let params = action.params.iter().filter(|param| NameType::of(&param.ty) == Some(self.ty));
        let mut so_far = self.read();
        for param in params {
            // The number of values before this argument, evaluated once for each value.
            let local = LocalId(*locals);
            *locals += 1;
            let before =
                || Expr { kind: ExprKind::Local(local), ty: self.number_type(), span: Span::default() };
            let with_before = |body: Expr| {
                let ty = body.ty.clone();
                let kind = ExprKind::Let { bindings: vec![(local, so_far.clone())], body: Box::new(body) };
                Expr { kind, ty, span: Span::default() }
            };
            let is = |value: &Value| {
                let kind = ExprKind::Local(param.local);
                let argument = Expr { kind, ty: param.ty.clone(), span: Span::default() };
                let constant = Expr::constant(value.clone(), param.ty.clone(), Span::default());
                Expr::binary_bool(Op::Eq, argument, constant)
            };
            let mut known = Vec::new();
            let mut after = before();
            for (place, value) in self.values.iter().enumerate() {
                let is_next = Expr::binary_bool(Op::Le, self.number(place), before());
                known.push(Expr::binary_bool(Op::Or, is(value).negated(), is_next));
                let is_new = Expr::binary_bool(Op::Eq, before(), self.number(place));
                let comes_up = Expr::binary_bool(Op::And, is(value), is_new);
                let one_more = self.number(place + 1);
                let kind = ExprKind::If(Box::new(comes_up), Box::new(one_more), Box::new(after));
                after = Expr { kind, ty: self.number_type(), span: Span::default() };
            }
            action.requires.push(with_before(Expr::all(known, Span::default())));
            so_far = with_before(after);
        }
        if so_far != self.read() {
            action.updates.push(Update {
                guard: None,
                var: self.variable,
                path: Vec::new(),
                ty: self.number_type(),
                value: UpdateValue::Is(so_far),
                span: Span::default(),
            });
        }
    }

    /// Returns an automaton for the traces in which at least `least` values occur.
    fn automaton(&self, model: &Model, position: LocalId, least: usize) -> Option<Automaton> {
        let kind = ExprKind::At { value: Box::new(self.read()), at: position };
        let read = Expr { kind, ty: self.number_type(), span: Span::default() };
        let expr = Expr::binary_bool(Op::Le, self.number(least), read);
        let atoms = Atoms::default();
        let threshold = Threshold { number: to_i64(least) - 1, inclusive: true };
        let origin = AtomOrigin::Bounded { observable: Phrase::text(NAME), threshold, below: false };
        let atom = atoms.add(Atom::new(origin, usize::MAX, vec![position], Vec::new(), expr));
        Automaton::of(model, &atoms, &Constraint::of_atom(&atoms, atom)).ok()
    }
}
