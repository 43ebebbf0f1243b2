//! Symmetry breaking: where values are interchangeable, only counterexamples in which these first occur in
//! their order are considered.
//!
//! A proved symmetry ([`engines::symmetry`]) maps counterexamples to counterexamples. If it also maps each
//! class to itself, it maps counterexamples outside of all classes to such ones. One of the images uses the
//! values of a type as arguments of steps for the first time in their order, because exchanges generate all
//! orders of the values. So it is enough to search among these (J. Crawford, M. Ginsberg, E. Luks, A. Roy,
//! *Symmetry-breaking predicates for search problems*, KR 1996). The choice of the counterexample shown does
//! not depend on it.
//!
//! Likewise, sufficiency of a constraint is decided on one of each orbit of traces without violation. If the
//! constraint has individuals of that type, these come first: the first one stands for the first value, the next
//! for that or the second, and so on, so that little more than one instance of the constraint is considered.

mod alike;

use crate::facts::atom::Atoms;
use crate::facts::constraint::Constraint;
use crate::facts::fact::FactKind;
use crate::facts::permuted::is_kept;
use crate::facts::problem::Problem;
use engines::symmetry::{self, Interchangeable, Symmetries};
use kit::budget::Budget;
use kit::diagnostics::Span;
use lang::model::eval::{check_trace, first_violation};
use lang::model::expr::{Expr, ExprKind, Op};
use lang::model::permutation::{NameType, Permutation};
use lang::model::types::{Type, Types};
use lang::model::value::Value;
use lang::model::{Model, Position};
use lang::trace::Trace;
use solvers::sat::{Circuit, Lit};
use solvers::unroll::Unrolling;
use std::sync::Arc;
use std::time::Duration;

pub use alike::Alike;

/// The time limit of the search for symmetries.
pub const PATIENCE: Duration = Duration::from_secs(2);

/// Searches for symmetries of a problem within the time limit; `counterexamples` rule out candidates.
pub fn soon<T>(
    problem: Problem<'_>,
    counterexamples: &[Trace],
    budget: &Budget,
    ask: impl FnOnce(&symmetry::PermutationQuestion<'_>) -> T,
) -> T {
    let Problem { model, invariant } = problem;
    let is_likely = |by: &Permutation| {
        counterexamples.iter().all(|trace| {
            let image = trace.permuted(model, by).moments;
            check_trace(model, &image).is_ok()
                && first_violation(model, invariant, &image)
                    == first_violation(model, invariant, &trace.moments)
        })
    };
    let budget = &budget.at_most(PATIENCE);
    ask(&symmetry::PermutationQuestion { model, invariants: vec![invariant], is_likely: &is_likely, budget })
}

/// Interchangeable values of one type, with the symmetries that exchange them.
#[derive(Debug)]
pub struct InterchangeableValues {
    values: Interchangeable,
    /// Each exchanges two of the values, and moves values tied to these; together they generate all
    /// permutations of the values.
    by: Vec<Permutation>,
}

impl InterchangeableValues {
    /// Finds the largest set of values of a type that occur as arguments of steps and that the solver proves
    /// to be interchangeable, within the time limit.
    pub fn find(problem: Problem<'_>, budget: &Budget) -> Option<Arc<Self>> {
        Self::of(problem.model, &soon(problem, &[], budget, symmetry::exchanges))
    }

    /// Returns the largest set of values of a type that occur as arguments of steps and that these symmetries
    /// make interchangeable, if any.
    pub fn of(model: &Model, symmetries: &Symmetries) -> Option<Arc<Self>> {
        let is_argument = |class: &&Interchangeable| !arguments(model, class.ty).is_empty();
        let classes = symmetries.classes();
        let values = classes.iter().filter(is_argument).max_by_key(|class| class.values.len())?.clone();
        let moved = |permutation: &Permutation| -> Vec<Value> {
            permutation
                .moves()
                .filter(|(ty, ..)| *ty == values.ty)
                .map(|(_, value, _)| value.clone())
                .collect()
        };
        let by: Vec<Permutation> = symmetries
            .exchanges
            .iter()
            .filter(|permutation| moved(permutation).len() == 2)
            .cloned()
            .collect();
        // The values that exchanges reach from the first one.
        let mut reached = vec![values.values[0].clone()];
        let pairs: Vec<Vec<Value>> = by.iter().map(moved).collect();
        while let Some(more) = pairs.iter().flatten().find(|value| {
            !reached.contains(value)
                && pairs.iter().any(|pair| pair.contains(value) && pair.iter().any(|v| reached.contains(v)))
        }) {
            reached.push(more.clone());
        }
        let by = by.into_iter().filter(|permutation| reached.contains(&moved(permutation)[0])).collect();
        let whole = values.values.iter().all(|value| reached.contains(value));
        whole.then(|| Arc::new(Self { values, by }))
    }

    /// True if all symmetries map traces of a constraint to traces of it. May be false although they do.
    pub fn preserves(&self, types: &Types, atoms: &Atoms, constraint: &Constraint) -> bool {
        constraint.facts.iter().all(|fact| match fact.kind {
            FactKind::Atom(atom) | FactKind::Absent(atom, _) => {
                let expr = &atoms.get(atom).expr;
                self.by.iter().all(|permutation| is_kept(types, permutation, expr))
            }
            FactKind::Order(_) => true,
        })
    }

    /// Returns the values, ascending, and their type.
    pub fn values(&self) -> (NameType, &[Value]) {
        (self.values.ty, &self.values.values)
    }

    /// True if an exchange moves values of a type.
    pub fn moves(&self, types: &Types, ty: &Type) -> bool {
        self.by.iter().any(|by| by.moves_in(types, ty))
    }

    /// Returns the image of a trace under each exchange: a trace with violations at the same positions.
    pub fn images(&self, model: &Model, trace: &Trace) -> Vec<Trace> {
        self.by.iter().map(|by| trace.permuted(model, by)).collect()
    }

    /// True if individuals of a type range over the values.
    pub fn is_about(&self, ty: &Type) -> bool {
        NameType::of(ty) == Some(self.values.ty)
    }

    /// Returns a literal that, when assumed, orders the first occurrences of the values: as values of these individuals,
    /// one after the other, then as arguments of steps. Each individual is given by the literals of its values.
    pub fn in_order(&self, unrolling: &mut Unrolling<'_>, individuals: &[Vec<(Value, Lit)>]) -> Lit {
        let assumed = unrolling.circuit.fresh();
        let arguments = arguments(unrolling.model, self.values.ty);
        let mut before: Vec<Vec<Lit>> = vec![Vec::new(); self.values.values.len()];
        let mut come_up = |circuit: &mut Circuit, unless: Lit, now: &[Lit]| {
            // Simultaneous occurrences may be in any order.
            before.iter_mut().zip(now).for_each(|(before, &now)| before.push(now));
            for (value, &now) in now.iter().enumerate().skip(1) {
                let mut clause = vec![!assumed, unless, !now];
                clause.extend(&before[value - 1]);
                circuit.add_clause(&clause);
            }
        };
        let no = unrolling.circuit.no();
        for individual in individuals {
            let is =
                |value: &Value| individual.iter().find(|(other, _)| other == value).map_or(no, |&(_, is)| is);
            let now: Vec<Lit> = self.values.values.iter().map(is).collect();
            come_up(&mut unrolling.circuit, no, &now);
        }
        for position in unrolling.positions().skip(1) {
            let values = self.values.values.iter();
            let now: Vec<Lit> =
                values.map(|value| mentioned(unrolling, &arguments, value, position)).collect();
            let alive = unrolling.frame(position).alive;
            come_up(&mut unrolling.circuit, !alive, &now);
        }
        assumed
    }
}

/// Returns the arguments of steps that are of a type.
fn arguments(model: &Model, ty: NameType) -> Vec<Expr> {
    let mut arguments = Vec::new();
    for (action, declared) in model.actions.iter().enumerate() {
        for (param, local) in declared.params.iter().enumerate() {
            if NameType::of(&local.ty) == Some(ty) {
                let kind = ExprKind::LabelArg { action, param };
                let ty = Type::Option(Arc::new(local.ty.clone()));
                arguments.push(Expr { kind, ty, span: Span::default() });
            }
        }
    }
    arguments
}

/// Returns a literal that is true if a value is an argument of the step to a position.
fn mentioned(unrolling: &mut Unrolling<'_>, arguments: &[Expr], value: &Value, position: Position) -> Lit {
    let is = |argument: &Expr| {
        let constant = Expr::constant(value.clone(), argument.ty.inner().clone(), Span::default());
        Expr::binary_bool(Op::Eq, argument.clone(), constant)
    };
    let any: Vec<Lit> =
        arguments.iter().map(|argument| unrolling.state_truth(&is(argument), position)).collect();
    unrolling.circuit.any(&any)
}
