//! Collecting the facts of a counterexample (Algorithm 2 of the classification paper), for predicates
//! of any arity: positions are tried one after the other and each conjunct is evaluated as soon as it
//! can be.

use super::fact::{Atom, Origin};
use super::space::Limited;
use crate::budget::Budget;
use crate::model::expr::{Expr, ExprKind, LocalId, Op};
use crate::model::types::Type;
use crate::model::value::{Moment, Value};
use crate::model::{Model, Observable, PredicateId, Vocabulary, VocabularyItem, eval};
use std::collections::HashMap;
use std::sync::Arc;

/// An atom that holds at certain positions of a counterexample.
#[derive(Debug, Clone)]
pub struct Placed {
    /// The atom; the same fact always has the same allocation, so it can be recognised by address.
    pub atom: Arc<Atom>,
    /// The positions, one for each parameter.
    pub positions: Vec<usize>,
}

/// Where something is in a counterexample, so that it is absent elsewhere.
#[derive(Debug, Clone)]
pub struct Occurrences {
    /// What; it reads one position.
    pub atom: Arc<Atom>,
    /// Where it holds, ascending.
    pub positions: Vec<usize>,
    /// Whether facts at a single position can say that it does not hold there.
    pub told: bool,
}

/// All atoms that a vocabulary can form, made when they are first needed.
pub struct Atoms<'m> {
    model: &'m Model,
    vocabulary: &'m Vocabulary,
    known: HashMap<(usize, Option<Value>), Arc<Atom>>,
    next_local: u32,
}

impl<'m> Atoms<'m> {
    /// The atoms of a vocabulary.
    pub fn new(model: &'m Model, vocabulary: &'m Vocabulary) -> Self {
        Self { model, vocabulary, known: HashMap::new(), next_local: model.locals }
    }

    /// The model they speak of.
    pub fn model(&self) -> &'m Model {
        self.model
    }

    /// Whether the vocabulary has `before`.
    pub fn has_before(&self) -> bool {
        self.vocabulary.items.contains(&VocabularyItem::Before)
    }

    /// Whether the vocabulary has `next`.
    pub fn has_next(&self) -> bool {
        self.vocabulary.items.contains(&VocabularyItem::Next)
    }

    /// Everything that holds in a trace, in the order of the vocabulary's items, then of positions.
    ///
    /// # Errors
    /// If the budget ends first: predicates over many positions can hold in very many places.
    pub fn collect(&mut self, trace: &[Moment], budget: &Budget) -> Limited<Vec<Placed>> {
        let mut placed = Vec::new();
        for index in 0..self.vocabulary.items.len() {
            budget.exhausted().map_or(Ok(()), Err)?;
            match &self.vocabulary.items[index] {
                VocabularyItem::Before | VocabularyItem::Next | VocabularyItem::Absent(_) => {}
                VocabularyItem::Equal(observable) => {
                    for (at, moment) in trace.iter().enumerate() {
                        match eval::eval_state(self.model, &observable.expr, moment) {
                            Value::Set(members) => {
                                for member in members {
                                    let atom = self.constant_atom(index, observable, member, Membership::In);
                                    placed.push(Placed { atom, positions: vec![at] });
                                }
                            }
                            value => {
                                let atom = self.constant_atom(index, observable, value, Membership::Equal);
                                placed.push(Placed { atom, positions: vec![at] });
                            }
                        }
                    }
                }
                VocabularyItem::Lacks(observable) => {
                    let Type::Set(element) = observable.expr.ty.inner() else { continue };
                    let values = self.model.types.values(element);
                    for (at, moment) in trace.iter().enumerate() {
                        let present = match eval::eval_state(self.model, &observable.expr, moment) {
                            Value::Set(members) => members,
                            _ => Default::default(),
                        };
                        for value in values.iter().filter(|v| !present.contains(*v)) {
                            let atom =
                                self.constant_atom(index, observable, value.clone(), Membership::NotIn);
                            placed.push(Placed { atom, positions: vec![at] });
                        }
                    }
                }
                VocabularyItem::Across(left, right) => {
                    let atom = self.across_atom(index, left, right);
                    let value = |o: &Observable| -> Vec<Value> {
                        trace.iter().map(|m| eval::eval_state(self.model, &o.expr, m)).collect()
                    };
                    let (at_left, at_right) = (value(left), value(right));
                    for (i, value) in at_left.iter().enumerate() {
                        // The same observable at the same position says nothing, and i, j is as good as j, i.
                        let from = if left.text == right.text { i + 1 } else { 0 };
                        for j in (from..trace.len()).filter(|&j| *value == at_right[j]) {
                            placed.push(Placed { atom: atom.clone(), positions: vec![i, j] });
                        }
                    }
                }
                VocabularyItem::Predicate(id, args) => {
                    let atom = self.predicate_atom(index, *id, args);
                    let mut positions = Vec::new();
                    everywhere(self.model, &atom, trace, &mut positions, &mut placed, budget)?;
                }
            }
        }
        Ok(placed)
    }

    /// What absence facts can speak of, and where it is in a trace: every value of every observable that the
    /// vocabulary has them for.
    pub fn occurrences(&mut self, trace: &[Moment]) -> Vec<Occurrences> {
        let mut found = Vec::new();
        let items = &self.vocabulary.items;
        for (index, item) in items.iter().enumerate() {
            let VocabularyItem::Absent(observable) = item else { continue };
            let told = items.iter().any(|other| match (other, &observable.expr.ty) {
                (VocabularyItem::Lacks(o), Type::Set(_)) => o.text == observable.text,
                (VocabularyItem::Equal(o), ty) => o.text == observable.text && !matches!(ty, Type::Set(_)),
                _ => false,
            });
            let here: Vec<Value> =
                trace.iter().map(|m| eval::eval_state(self.model, &observable.expr, m)).collect();
            let (values, membership) = match &observable.expr.ty {
                Type::Set(element) => (self.model.types.values(element), Membership::In),
                ty => (self.model.types.values(ty), Membership::Equal),
            };
            for value in values {
                let holds = |at: &usize| match &here[*at] {
                    Value::Set(members) => members.contains(&value),
                    other => *other == value,
                };
                let positions = (0..trace.len()).filter(holds).collect();
                let atom = self.constant_atom(index, observable, value, membership);
                found.push(Occurrences { atom, positions, told });
            }
        }
        found
    }

    /// The atoms of all items that are instances of this predicate; one over positions only if the
    /// vocabulary has none.
    pub fn instances(&mut self, predicate: PredicateId) -> Vec<Arc<Atom>> {
        let mut found = Vec::new();
        for index in 0..self.vocabulary.items.len() {
            if let VocabularyItem::Predicate(id, args) = &self.vocabulary.items[index]
                && *id == predicate
            {
                found.push(self.predicate_atom(index, *id, args));
            }
        }
        let params = &self.model.predicates[predicate.0 as usize].params;
        if found.is_empty() && params.iter().all(|p| p.ty == Type::Pos) {
            let index = self.vocabulary.items.len();
            found.push(self.predicate_atom(index, predicate, &vec![None; params.len()]));
        }
        found
    }

    /// The atoms that compare values at two positions.
    pub fn across(&mut self) -> Vec<Arc<Atom>> {
        let mut found = Vec::new();
        for index in 0..self.vocabulary.items.len() {
            if let VocabularyItem::Across(left, right) = &self.vocabulary.items[index] {
                found.push(self.across_atom(index, left, right));
            }
        }
        found
    }

    fn fresh_local(&mut self) -> LocalId {
        self.next_local += 1;
        LocalId(self.next_local - 1)
    }

    fn constant_atom(
        &mut self,
        item: usize,
        observable: &Observable,
        value: Value,
        membership: Membership,
    ) -> Arc<Atom> {
        let key = (item, Some(value.clone()));
        if let Some(atom) = self.known.get(&key) {
            return atom.clone();
        }
        let position = self.fresh_local();
        let read = read_at(observable, position);
        let span = observable.span;
        let element = match observable.expr.ty.inner() {
            Type::Set(element) if membership != Membership::Equal => (**element).clone(),
            other => {
                if value == Value::None || observable.expr.ty.is_option() {
                    observable.expr.ty.clone()
                } else {
                    other.clone()
                }
            }
        };
        let constant = Expr::constant(value.clone(), element, span);
        let text = observable.text.clone();
        let (expr, origin) = match membership {
            Membership::Equal => {
                (Expr::binary_bool(Op::Eq, read, constant), Origin::Equal { observable: text, value })
            }
            Membership::In => {
                (Expr::binary_bool(Op::In, constant, read), Origin::Member { observable: text, value })
            }
            Membership::NotIn => (
                Expr::binary_bool(Op::In, constant, read).negated(),
                Origin::NotMember { observable: text, value },
            ),
        };
        let atom = Arc::new(Atom::new(origin, item, vec![position], expr));
        self.known.insert(key, atom.clone());
        atom
    }

    fn across_atom(&mut self, item: usize, left: &Observable, right: &Observable) -> Arc<Atom> {
        if let Some(atom) = self.known.get(&(item, None)) {
            return atom.clone();
        }
        let (i, j) = (self.fresh_local(), self.fresh_local());
        let expr = Expr::binary_bool(Op::Eq, read_at(left, i), read_at(right, j));
        let origin = Origin::Across { left: left.text.clone(), right: right.text.clone() };
        let atom = Arc::new(Atom::new(origin, item, vec![i, j], expr));
        self.known.insert((item, None), atom.clone());
        atom
    }

    fn predicate_atom(&mut self, item: usize, id: PredicateId, args: &[Option<Observable>]) -> Arc<Atom> {
        if let Some(atom) = self.known.get(&(item, None)) {
            return atom.clone();
        }
        let predicate = &self.model.predicates[id.0 as usize];
        let mut expr = predicate.body.clone();
        let mut params = Vec::new();
        for (param, arg) in predicate.params.iter().zip(args) {
            match arg {
                None => params.push(param.local),
                Some(observable) => {
                    let position = self.fresh_local();
                    params.push(position);
                    let (span, ty) = (expr.span, expr.ty.clone());
                    let value = Box::new(read_at(observable, position));
                    let kind = ExprKind::Let { local: param.local, value, body: Box::new(expr) };
                    expr = Expr { kind, ty, span };
                }
            }
        }
        let args = args.iter().map(|a| a.as_ref().map(|o| o.text.clone())).collect();
        let atom = Arc::new(Atom::new(Origin::Predicate { predicate: id, args }, item, params, expr));
        self.known.insert((item, None), atom.clone());
        atom
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Membership {
    Equal,
    In,
    NotIn,
}

fn read_at(observable: &Observable, position: LocalId) -> Expr {
    let kind = ExprKind::At { value: Box::new(observable.expr.clone()), at: position };
    Expr { kind, ty: observable.expr.ty.clone(), span: observable.span }
}

/// Adds all positions at which an atom holds that begin with `positions`.
fn everywhere(
    model: &Model,
    atom: &Arc<Atom>,
    trace: &[Moment],
    positions: &mut Vec<usize>,
    placed: &mut Vec<Placed>,
    budget: &Budget,
) -> Limited<()> {
    if positions.len() == atom.params.len() {
        placed.push(Placed { atom: atom.clone(), positions: positions.clone() });
        return Ok(());
    }
    if positions.len() + 2 == atom.params.len() {
        budget.exhausted().map_or(Ok(()), Err)?;
    }
    let last = positions.len();
    for at in 0..trace.len() {
        positions.push(at);
        let bound: Vec<(LocalId, Value)> =
            atom.params.iter().zip(&*positions).map(|(&p, &t)| (p, Value::Int(t as i64))).collect();
        let decided = atom.conjuncts.iter().filter(|c| c.params.last().copied().unwrap_or(0) == last);
        let holds = |c: &super::fact::Conjunct| eval::eval_trace(model, &c.expr, trace, &bound).is_true();
        if decided.into_iter().all(holds) {
            everywhere(model, atom, trace, positions, placed, budget)?;
        }
        positions.pop();
    }
    Ok(())
}
