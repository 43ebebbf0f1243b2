//! Constraints with random formulas about several positions: order with offsets, connectives, quantifiers, names.

use super::build::{and, at, compare, constant, eq, expr, if_then_else, local, not, number, or};
use super::random::{Random, cases};
use super::random_model::random_model;
use super::{blocks_exactly, by_gates};
use crate::all_traces::all_traces;
use classify::automata::automaton::Automaton;
use classify::automata::listing::{AcceptingTrace, ListedAnswer, ListedModel};
use classify::facts::atom::{Atom, AtomOrigin, Atoms, Passed};
use classify::facts::constraint::Constraint;
use classify::facts::fact::{Fact, FactKind, OrderRelation, Stretch};
use classify::facts::index::{AtomId, PositionVar};
use classify::facts::problem::Problem;
use classify::oracles::block;
use classify::oracles::block::{by_elimination, by_ladders};
use classify::oracles::sat::SatOracle;
use kit::budget::Budget;
use lang::model::expr::{Expr, ExprKind, LocalId, Op, Quantifier, VarId};
use lang::model::types::{EnumId, Type};
use lang::model::value::Value;
use lang::model::{Model, PredicateId};
use lang::trace::Trace;
use std::sync::Arc;
use std::time::Duration;

/// Makes formulas over the variables of a model.
struct Formulas<'a> {
    rng: &'a mut Random,
    model: &'a mut Model,
    params: Vec<LocalId>,
    /// The names that are bound where the next formula stands.
    bound: Vec<(LocalId, Type)>,
}

impl Formulas<'_> {
    fn fresh(&mut self) -> LocalId {
        self.model.locals += 1;
        LocalId(self.model.locals - 1)
    }

    fn position(&mut self) -> LocalId {
        *self.rng.pick(&self.params)
    }

    /// A variable at a position.
    fn reading(&mut self) -> Expr {
        let index = self.rng.below(self.model.variables.len());
        let ty = self.model.variables[index].ty.clone();
        let position = self.position();
        at(expr(ExprKind::Var(VarId(index as u32)), ty), position)
    }

    /// A position with an offset.
    fn place(&mut self) -> Expr {
        let position = local(self.position(), Type::Pos);
        let op = if self.rng.percent(50) { Op::Add } else { Op::Sub };
        let offset = number(self.rng.below(3) as i64);
        match self.rng.percent(60) {
            true => position,
            false => expr(ExprKind::Binary(op, Box::new(position), Box::new(offset)), Type::Pos),
        }
    }

    fn leaf(&mut self) -> Expr {
        let reading = self.reading();
        match self.rng.below(6) {
            0 | 1 => {
                let op = *self.rng.pick(&[Op::Lt, Op::Le, Op::Eq]);
                compare(op, self.place(), self.place())
            }
            2 => {
                let other = at(inner_of(&reading), self.position());
                eq(reading, other)
            }
            3 | 4 => {
                let bound: Vec<_> = self.bound.iter().filter(|(_, ty)| *ty == reading.ty).cloned().collect();
                let member = |ty: &Type| matches!(&reading.ty, Type::Set(of) if **of == *ty);
                let members: Vec<_> = self.bound.iter().filter(|(_, ty)| member(ty)).cloned().collect();
                if !bound.is_empty() {
                    let (id, ty) = self.rng.pick(&bound).clone();
                    eq(reading, local(id, ty))
                } else if !members.is_empty() {
                    let (id, ty) = self.rng.pick(&members).clone();
                    compare(Op::In, local(id, ty), reading)
                } else {
                    self.with_constant(reading)
                }
            }
            _ => self.with_constant(reading),
        }
    }

    fn with_constant(&mut self, reading: Expr) -> Expr {
        let ty = reading.ty.clone();
        let value = self.rng.pick(&self.model.types.values(&ty)).clone();
        eq(reading, constant(value, ty))
    }

    fn formula(&mut self, depth: usize) -> Expr {
        if depth == 0 {
            return self.leaf();
        }
        match self.rng.below(8) {
            0 | 1 => and(self.formula(depth - 1), self.formula(depth - 1)),
            2 => or(self.formula(depth - 1), self.formula(depth - 1)),
            3 => not(self.formula(depth - 1)),
            4 => match self.rng.percent(50) {
                true => eq(self.formula(depth - 1), self.formula(depth - 1)),
                false => if_then_else(self.leaf(), self.formula(depth - 1), self.formula(depth - 1)),
            },
            5 => {
                let value = match self.rng.percent(50) {
                    true => self.reading(),
                    false => local(self.position(), Type::Pos),
                };
                let name = self.fresh();
                let body = match value.ty {
                    Type::Pos => {
                        self.params.push(name);
                        let body = self.formula(depth - 1);
                        self.params.pop();
                        body
                    }
                    _ => self.below(name, value.ty.clone(), depth),
                };
                expr(ExprKind::Let { bindings: vec![(name, value)], body: Box::new(body) }, Type::Bool)
            }
            _ => self.quantified(depth),
        }
    }

    /// Over an enumeration, the values of a variable, or the members of one that is a set.
    fn quantified(&mut self, depth: usize) -> Expr {
        let reading = self.reading();
        let all = |model: &Model, ty: &Type| {
            let members = model.types.values(ty).into_iter().collect();
            (constant(Value::Set(members), Type::Set(Arc::new(ty.clone()))), ty.clone())
        };
        let (set, ty) = match reading.ty.clone() {
            Type::Set(of) => (reading, (*of).clone()),
            _ if self.rng.percent(50) => all(self.model, &Type::Enum(EnumId(1))),
            ty @ (Type::Bool | Type::Int { .. } | Type::Enum(_)) => all(self.model, &ty),
            _ => all(self.model, &Type::Enum(EnumId(2))),
        };
        let quantifier = if self.rng.percent(60) { Quantifier::Exists } else { Quantifier::Forall };
        let name = self.fresh();
        let body = Box::new(self.below(name, ty, depth));
        expr(ExprKind::Quant { quantifier, local: name, set: Box::new(set), body }, Type::Bool)
    }

    fn below(&mut self, name: LocalId, ty: Type, depth: usize) -> Expr {
        self.bound.push((name, ty));
        let body = self.formula(depth - 1);
        self.bound.pop();
        body
    }
}

/// What is read at a position.
fn inner_of(reading: &Expr) -> Expr {
    let ExprKind::At { value, .. } = &reading.kind else { panic!("a reading") };
    (**value).clone()
}

/// An atom of so many positions with a random formula.
fn random_atom(rng: &mut Random, model: &mut Model, atoms: &Atoms, positions: usize) -> AtomId {
    let mut formulas = Formulas { rng, model, params: Vec::new(), bound: Vec::new() };
    let params: Vec<LocalId> = (0..positions).map(|_| formulas.fresh()).collect();
    formulas.params = params.clone();
    let depth = 1 + formulas.rng.below(3);
    let formula = formulas.formula(depth);
    let origin = AtomOrigin::Predicate { predicate: PredicateId(0), args: vec![Passed::Position; positions] };
    atoms.add(Atom::new(origin, 0, params, Vec::new(), formula))
}

fn random_constraint(rng: &mut Random, model: &mut Model, atoms: &Atoms) -> Constraint {
    let positions = 2 + rng.below(2);
    let mut facts = Vec::new();
    for _ in 0..1 + rng.below(2) {
        let count = 1 + rng.below(3);
        let atom = random_atom(rng, model, atoms, count);
        let of = (0..count).map(|_| PositionVar::new(rng.below(positions))).collect();
        facts.push(Fact::about(FactKind::Atom(atom), of));
    }
    let [a, b] = [0, 1].map(|_| PositionVar::new(rng.below(positions)));
    if rng.percent(30) {
        facts.push(Fact::order(
            if rng.percent(50) { OrderRelation::Before } else { OrderRelation::Next },
            a,
            b,
        ));
    }
    if rng.percent(30) {
        let atom = random_atom(rng, model, atoms, 1);
        let (stretch, of) = match rng.below(3) {
            0 => (Stretch::Before, vec![a]),
            1 => (Stretch::After, vec![a]),
            _ => (Stretch::Between, vec![a, b]),
        };
        facts.push(Fact::about(FactKind::Absent(atom, stretch), of));
    }
    Constraint::ground(positions, facts)
}

fn described(constraint: &Constraint, model: &Model, atoms: &Atoms) -> String {
    let formulas: Vec<&Expr> = constraint.atoms(atoms).map(|(atom, _)| &atom.expr).collect();
    format!("{} where {formulas:?}", constraint.show(model, atoms))
}

/// Some traces in the class, if there are any, and some others.
fn sample(
    rng: &mut Random,
    model: &Model,
    atoms: &Atoms,
    constraint: &Constraint,
    traces: &[Trace],
) -> Vec<Trace> {
    let matches = |t: &&Trace| constraint.matches(model, atoms, &t.moments).is_some();
    let (inside, outside): (Vec<&Trace>, Vec<&Trace>) = traces.iter().partition(matches);
    let mut some = Vec::new();
    for side in [inside, outside].into_iter().filter(|side| !side.is_empty()) {
        some.extend((0..4).map(|_| (*rng.pick(&side)).clone()));
    }
    some
}

#[test]
fn formulas_about_several_positions_are_decided_exactly() {
    let (mut decided, mut accepted, mut refused) = (0, 0, 0);
    let mut applied = [0; 3];
    for seed in 0..cases(60) {
        let mut model = random_model(seed);
        let mut rng = Random::new(seed + 77);
        let atoms = Atoms::default();
        let constraint = random_constraint(&mut rng, &mut model, &atoms);
        let traces = all_traces(&model, 4, 20_000).expect("random models are small");
        let text = described(&constraint, &model, &atoms);
        match Automaton::of(&model, &atoms, &constraint) {
            Ok(automaton) => {
                for trace in &traces {
                    let expected = constraint.matches(&model, &atoms, &trace.moments).is_some();
                    assert_eq!(automaton.matches(&model, &trace.moments), expected, "{text} in {trace:?}");
                    accepted += usize::from(expected);
                }
                decided += 1;
            }
            Err(_) => refused += 1,
        }
        if seed % 3 != 0 {
            continue;
        }
        let short: Vec<Trace> = traces.into_iter().filter(|t| t.len() <= 3).collect();
        let some = sample(&mut rng, &model, &atoms, &constraint, &short);
        let eliminate = |space: &mut SatOracle<'_>, c: &Constraint| Some(by_elimination(space, c));
        blocks_exactly(&model, &atoms, &constraint, &some, 3, eliminate);
        let encodings = [by_ladders, block::by_automaton, by_gates];
        for (encode, applied) in encodings.into_iter().zip(&mut applied) {
            *applied += usize::from(blocks_exactly(&model, &atoms, &constraint, &some, 3, encode).is_some());
        }
    }
    assert!(
        decided > 55 && accepted > 800 && applied.iter().all(|&n| n > 8),
        "{decided} decided, {refused} refused, {accepted} traces accepted, {applied:?} by encodings"
    );
}

#[test]
fn listed_states_decide_formulas_about_several_positions() {
    let budget = Budget::unlimited();
    let (mut sufficient, mut accepted, mut unknown) = (0, 0, 0);
    for seed in 0..cases(100) {
        let mut model = random_model(seed);
        let mut rng = Random::new(seed + 177);
        let atoms = Atoms::default();
        let constraint = random_constraint(&mut rng, &mut model, &atoms);
        let problem = Problem::first(&model).expect("random models have invariants");
        let traces = all_traces(&model, 4, 20_000).expect("random models are small");
        let text = described(&constraint, &model, &atoms);
        let mut states = ListedModel::new(problem);
        states.proved_for(Duration::from_secs(100));
        let listing = states.list(&budget).expect("random models have few states");
        let accepting = |t: &&Trace| {
            lang::model::eval::first_violation(&model, problem.invariant, &t.moments).is_none()
                && constraint.matches(&model, &atoms, &t.moments).is_some()
        };
        let expected = traces.iter().filter(accepting).map(Trace::len).min();
        match listing.accepting(&atoms, &constraint, 4, &budget).expect("no budget") {
            ListedAnswer::Nothing => {
                assert_eq!(expected, None, "{text}");
                sufficient += 1;
            }
            ListedAnswer::Accepted(AcceptingTrace { trace, assigned }) => {
                assert_eq!(Some(trace.len()), expected, "{text}");
                assert!(accepting(&&trace), "{text}: {trace:?}");
                assert_eq!(assigned.positions.len(), constraint.positions, "{text}");
                let holds = |fact: &Fact| fact.holds(&model, &atoms, &trace.moments, &assigned);
                assert!(constraint.facts.iter().all(holds), "{text}: {trace:?} at {assigned:?}");
                accepted += 1;
            }
            ListedAnswer::Unknown => unknown += 1,
        }
    }
    assert!(
        sufficient > 25 && accepted > 25 && unknown < 15,
        "{sufficient} suffice, {accepted} do not, {unknown} are not decided"
    );
}
