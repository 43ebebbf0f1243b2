//! Collects the facts of a counterexample (Algorithm 2 of the classification paper), for predicates of any arity:
//! positions are tried one after the other, and each conjunct is evaluated as soon as its positions are known.

mod comparisons;

use crate::facts::atom::{Atom, AtomOrigin, Atoms, ComparisonOperand, Conjunct, Passed};
use crate::facts::index::AtomId;
use kit::budget::{Budget, Limited};
use lang::model::expr::{Expr, ExprKind, LocalId, Op};
use lang::model::types::Type;
use lang::model::value::{Moment, Value};
use lang::model::{
    Model, ModelNumbers, Observable, Position, PredicateArgument, PredicateId, Threshold, Vocabulary,
    VocabularyItem, eval,
};
use std::collections::HashMap;

/// The greatest number of values of an observable for which absences are collected.
const MOST_ABSENT: u64 = 4096;

/// An atom that holds at certain positions of a counterexample.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlacedAtom {
    /// The atom.
    pub atom: AtomId,
    /// The positions, one for each parameter.
    pub positions: Vec<Position>,
}

/// The positions of an atom in a counterexample, between which it is absent.
#[derive(Debug, Clone)]
pub struct Occurrences {
    /// The atom; it reads one position.
    pub atom: AtomId,
    /// The positions where it holds, ascending.
    pub positions: Vec<Position>,
    /// True if facts at a single position can say that it does not hold there.
    pub told: bool,
}

/// Finds the facts of traces over a vocabulary. Adds each atom to an arena when it is first met, so that
/// equal atoms have equal indices.
pub struct Collector<'m> {
    model: &'m Model,
    vocabulary: &'m Vocabulary,
    atoms: &'m Atoms,
    known: HashMap<AtomKey, AtomId>,
    /// The numbers of the model for comparisons with integers.
    numbers: ModelNumbers,
    next_local: u32,
}

/// The key of an atom of a vocabulary.
#[derive(PartialEq, Eq, Hash)]
struct AtomKey {
    /// Index of the vocabulary's item.
    item: usize,
    says: Says,
}

/// The part of the key that distinguishes the atoms of an item.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Says {
    /// The only atom of its item.
    Only,
    /// The constant compared with the observable.
    Value(Value),
    /// A threshold, and true for its lower side.
    Side(Threshold, bool),
    /// `<`, or `<=` if not strict; if swapped, the second observable of the item is the lesser one.
    Less { strict: bool, swapped: bool },
    /// The second observable is the first one plus this number.
    Plus(i64),
}

impl<'m> Collector<'m> {
    /// Creates a collector for a vocabulary of the model; no other collector may add to its arena.
    pub fn new(model: &'m Model, vocabulary: &'m Vocabulary, atoms: &'m Atoms) -> Self {
        let numbers = ModelNumbers::of(model);
        Self { model, vocabulary, atoms, known: HashMap::new(), numbers, next_local: model.locals }
    }

    /// Returns the arena.
    pub fn atoms(&self) -> &'m Atoms {
        self.atoms
    }

    /// True if the vocabulary has `before`.
    pub fn has_before(&self) -> bool {
        self.vocabulary.items.contains(&VocabularyItem::Before)
    }

    /// True if the vocabulary has `next`.
    pub fn has_next(&self) -> bool {
        self.vocabulary.items.contains(&VocabularyItem::Next)
    }

    /// Returns all facts of a trace, in the order of the vocabulary's items, then of positions.
    ///
    /// # Errors
    /// If the budget ends first: predicates over many positions can hold in very many places.
    pub fn collect(&mut self, trace: &[Moment], budget: &Budget) -> Limited<Vec<PlacedAtom>> {
        let mut placed = Vec::new();
        for index in 0..self.vocabulary.items.len() {
            budget.check()?;
            match &self.vocabulary.items[index] {
                VocabularyItem::Before
                | VocabularyItem::Next
                | VocabularyItem::Ground(_)
                | VocabularyItem::Absent(_) => {}
                VocabularyItem::Equal(observable) if observable.has_many_values() => {
                    self.sides(index, observable, true, trace, &mut placed);
                    self.known_values(index, observable, trace, &mut placed);
                }
                VocabularyItem::Equal(observable) => self.values(index, observable, trace, &mut placed),
                VocabularyItem::Bounded(observable) => {
                    self.sides(index, observable, false, trace, &mut placed)
                }
                VocabularyItem::Ordered(left, right) => {
                    self.less([left, right], index, trace, &mut placed);
                }
                VocabularyItem::Shifted(left, right) => {
                    self.shifted([left, right], index, trace, &mut placed);
                }
                VocabularyItem::Lacks(observable) => self.lacking(index, observable, trace, &mut placed),
                VocabularyItem::Across(left, right) => {
                    self.equal_across(index, [left, right], trace, &mut placed);
                }
                VocabularyItem::Predicate(id, args) => {
                    let atom = self.predicate_atom(index, *id, args);
                    let mut positions = Vec::new();
                    let mut search =
                        Everywhere { model: self.model, trace, budget, id: atom, atom: self.atoms.get(atom) };
                    search.extend(&mut positions, &mut placed)?;
                }
            }
        }
        Ok(placed)
    }

    /// Adds the value of an observable at each position, or each member of it.
    fn values(&mut self, item: usize, of: &Observable, trace: &[Moment], placed: &mut Vec<PlacedAtom>) {
        for at in Position::all(trace.len()) {
            let (values, membership) = match eval::eval_at(self.model, &of.expr, trace, at) {
                Value::Set(members) => (members.into_iter().collect(), MembershipTest::In),
                value => (vec![value], MembershipTest::Equal),
            };
            for value in values {
                let atom = self.constant_atom(item, of, value, membership);
                placed.push(PlacedAtom { atom, positions: vec![at] });
            }
        }
    }

    /// Adds the non-members of an observable at each position.
    fn lacking(&mut self, item: usize, of: &Observable, trace: &[Moment], placed: &mut Vec<PlacedAtom>) {
        let Type::Set(element) = of.expr.ty.inner() else { return };
        let values = self.model.types.values(element);
        for at in Position::all(trace.len()) {
            let present = match eval::eval_at(self.model, &of.expr, trace, at) {
                Value::Set(members) => members,
                _ => Default::default(),
            };
            for value in values.iter().filter(|v| !present.contains(*v)) {
                let atom = self.constant_atom(item, of, value.clone(), MembershipTest::NotIn);
                placed.push(PlacedAtom { atom, positions: vec![at] });
            }
        }
    }

    /// Returns the value of an observable at each position.
    fn read(&self, of: &Observable, trace: &[Moment]) -> Vec<Value> {
        Position::all(trace.len()).map(|at| eval::eval_at(self.model, &of.expr, trace, at)).collect()
    }

    /// Adds the pairs of positions where two observables are equal.
    fn equal_across(
        &mut self,
        item: usize,
        [left, right]: [&Observable; 2],
        trace: &[Moment],
        placed: &mut Vec<PlacedAtom>,
    ) {
        let atom = self.across_atom(item, left, right);
        let (at_left, at_right) = (self.read(left, trace), self.read(right, trace));
        let positions = Position::all(trace.len());
        for (i, value) in positions.clone().zip(&at_left) {
            // An observable trivially equals itself at one position, and i, j is as good as j, i.
            let from = if left.text == right.text { i.next() } else { Position::FIRST };
            let others = positions.clone().zip(&at_right).skip(from.index());
            for (j, _) in others.filter(|(_, other)| value == *other) {
                placed.push(PlacedAtom { atom, positions: vec![i, j] });
            }
        }
    }

    /// Returns the atoms for absences, with their positions in a trace: every value of every observable for
    /// which the vocabulary has absences.
    pub fn occurrences(&mut self, trace: &[Moment]) -> Vec<Occurrences> {
        let mut found = Vec::new();
        let items = &self.vocabulary.items;
        for (index, item) in items.iter().enumerate() {
            let VocabularyItem::Absent(observable) = item else { continue };
            let told = items.iter().any(|other| match (other, &observable.expr.ty) {
                (VocabularyItem::Lacks(o), Type::Set(_)) => o.text == observable.text,
                // Facts deny only few of many values.
                (VocabularyItem::Equal(o), ty) => {
                    o.text == observable.text && !matches!(ty, Type::Set(_)) && !o.has_many_values()
                }
                _ => false,
            });
            let here = self.read(observable, trace);
            if self.model.types.cardinality(&observable.expr.ty) > MOST_ABSENT
                && !matches!(observable.expr.ty, Type::Set(_))
            {
                continue;
            }
            let (values, membership) = match &observable.expr.ty {
                Type::Set(element) => (self.model.types.values(element), MembershipTest::In),
                ty => (self.model.types.values(ty), MembershipTest::Equal),
            };
            for value in values {
                let holds = |at: &Position| match &here[at.index()] {
                    Value::Set(members) => members.contains(&value),
                    other => *other == value,
                };
                let positions = Position::all(trace.len()).filter(holds).collect();
                let atom = self.constant_atom(index, observable, value, membership);
                found.push(Occurrences { atom, positions, told });
            }
        }
        found
    }

    /// Returns the atoms of all items that are instances of this predicate; if the vocabulary has none, one
    /// over positions only.
    pub fn instances(&mut self, predicate: PredicateId) -> Vec<AtomId> {
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
            found.push(self.predicate_atom(
                index,
                predicate,
                &vec![PredicateArgument::Position; params.len()],
            ));
        }
        found
    }

    /// Returns all atoms of an item: of an observable, one for each value other than `none`; `None` if there
    /// are more than `most` values. Absences and order have none.
    pub fn atoms_of(&mut self, item: usize, most: u64) -> Option<Vec<AtomId>> {
        let vocabulary = self.vocabulary;
        Some(match &vocabulary.items[item] {
            VocabularyItem::Equal(of) if of.has_many_values() => {
                [self.side_atoms(item, of), self.known_value_atoms(item, of)].concat()
            }
            VocabularyItem::Equal(of) => self.atoms_of_values(item, of, MembershipTest::Equal, most)?,
            VocabularyItem::Bounded(of) => self.side_atoms(item, of),
            VocabularyItem::Ordered(left, right) => self.less_atoms(item, left, right),
            VocabularyItem::Shifted(left, right) => self.shift_atoms(item, left, right),
            VocabularyItem::Lacks(of) => self.atoms_of_values(item, of, MembershipTest::NotIn, most)?,
            VocabularyItem::Across(left, right) => vec![self.across_atom(item, left, right)],
            VocabularyItem::Predicate(id, args) => vec![self.predicate_atom(item, *id, args)],
            VocabularyItem::Before
            | VocabularyItem::Next
            | VocabularyItem::Ground(_)
            | VocabularyItem::Absent(_) => Vec::new(),
        })
    }

    fn atoms_of_values(
        &mut self,
        item: usize,
        of: &Observable,
        otherwise: MembershipTest,
        most: u64,
    ) -> Option<Vec<AtomId>> {
        let (values, membership) = match of.expr.ty.inner() {
            Type::Set(element) if otherwise == MembershipTest::Equal => (&**element, MembershipTest::In),
            Type::Set(element) => (&**element, otherwise),
            ty => (ty, MembershipTest::Equal),
        };
        if self.model.types.cardinality(values) > most {
            return None;
        }
        let values = self.model.types.values(values);
        Some(values.into_iter().map(|value| self.constant_atom(item, of, value, membership)).collect())
    }

    /// Returns the atoms that compare values at two positions.
    pub fn across(&mut self) -> Vec<AtomId> {
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
        membership: MembershipTest,
    ) -> AtomId {
        self.atom_of(AtomKey { item, says: Says::Value(value.clone()) }, |collector| {
            let position = collector.fresh_local();
            let read = read_at(observable, position);
            let span = observable.span;
            let element = match observable.expr.ty.inner() {
                Type::Set(element) if membership != MembershipTest::Equal => (**element).clone(),
                other => {
                    if value == Value::None || observable.expr.ty.is_option() {
                        observable.expr.ty.clone()
                    } else {
                        other.clone()
                    }
                }
            };
            let constant = Expr::constant(value.clone(), element, span);
            let text = observable.text.as_str().into();
            let value = ComparisonOperand::Constant(value);
            let (expr, origin) = match membership {
                MembershipTest::Equal => {
                    (Expr::binary_bool(Op::Eq, read, constant), AtomOrigin::Equal { observable: text, value })
                }
                MembershipTest::In => (
                    Expr::binary_bool(Op::In, constant, read),
                    AtomOrigin::Member { observable: text, value },
                ),
                MembershipTest::NotIn => (
                    Expr::binary_bool(Op::In, constant, read).negated(),
                    AtomOrigin::NotMember { observable: text, value },
                ),
            };
            Atom::new(origin, item, vec![position], Vec::new(), expr)
        })
    }

    fn across_atom(&mut self, item: usize, left: &Observable, right: &Observable) -> AtomId {
        self.atom_of(AtomKey { item, says: Says::Only }, |collector| {
            let (i, j) = (collector.fresh_local(), collector.fresh_local());
            let expr = Expr::binary_bool(Op::Eq, read_at(left, i), read_at(right, j));
            let origin =
                AtomOrigin::Across { left: left.text.as_str().into(), right: right.text.as_str().into() };
            Atom::new(origin, item, vec![i, j], Vec::new(), expr)
        })
    }

    fn predicate_atom(&mut self, item: usize, id: PredicateId, args: &[PredicateArgument]) -> AtomId {
        self.atom_of(AtomKey { item, says: Says::Only }, |collector| {
            let predicate = &collector.model.predicates[id.0 as usize];
            let mut expr = predicate.body.clone();
            let mut params = Vec::new();
            for (param, arg) in predicate.params.iter().zip(args) {
                let value = match arg {
                    PredicateArgument::Position => {
                        params.push(param.local);
                        continue;
                    }
                    PredicateArgument::Observed(observable) => {
                        let position = collector.fresh_local();
                        params.push(position);
                        read_at(observable, position)
                    }
                    PredicateArgument::Value { value, .. } => value.clone(),
                };
                let (span, ty) = (expr.span, expr.ty.clone());
                let kind = ExprKind::Let { bindings: vec![(param.local, value)], body: Box::new(expr) };
                expr = Expr { kind, ty, span };
            }
            let passed = |arg: &PredicateArgument| match arg {
                PredicateArgument::Position => Passed::Position,
                PredicateArgument::Observed(of) => Passed::Observed(of.text.as_str().into()),
                PredicateArgument::Value { value, any } => {
                    let ExprKind::Const(constant) = &value.kind else { unreachable!("it is a constant") };
                    Passed::Value { text: collector.model.types.show_value(constant).into(), any: *any }
                }
            };
            let args = args.iter().map(passed).collect();
            Atom::new(AtomOrigin::Predicate { predicate: id, args }, item, params, Vec::new(), expr)
        })
    }

    /// Returns the atom of a key, created at its first use.
    fn atom_of(&mut self, key: AtomKey, make: impl FnOnce(&mut Self) -> Atom) -> AtomId {
        if let Some(&atom) = self.known.get(&key) {
            return atom;
        }
        let atom = make(self);
        let id = self.atoms.add(atom);
        self.known.insert(key, id);
        id
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MembershipTest {
    Equal,
    In,
    NotIn,
}

fn read_at(observable: &Observable, position: LocalId) -> Expr {
    let kind = ExprKind::At { value: Box::new(observable.expr.clone()), at: position };
    Expr { kind, ty: observable.expr.ty.clone(), span: observable.span }
}

/// A search for all positions of a trace at which an atom holds.
struct Everywhere<'a> {
    model: &'a Model,
    trace: &'a [Moment],
    budget: &'a Budget,
    id: AtomId,
    atom: &'a Atom,
}

impl Everywhere<'_> {
    /// Adds all tuples of positions that begin with `positions`.
    fn extend(&mut self, positions: &mut Vec<Position>, placed: &mut Vec<PlacedAtom>) -> Limited<()> {
        let params = &self.atom.params;
        if positions.len() == params.len() {
            placed.push(PlacedAtom { atom: self.id, positions: positions.clone() });
            return Ok(());
        }
        if positions.len() + 2 == params.len() {
            self.budget.check()?;
        }
        let last = positions.len();
        for at in Position::all(self.trace.len()) {
            positions.push(at);
            let bound: Vec<(LocalId, Value)> =
                params.iter().zip(&*positions).map(|(&p, &t)| (p, t.into())).collect();
            let is_decided = |c: &&Conjunct| c.params.last().copied().unwrap_or(0) == last;
            let holds = |c: &Conjunct| eval::eval_trace(self.model, &c.expr, self.trace, &bound).is_true();
            if self.atom.conjuncts.iter().filter(is_decided).all(holds) {
                self.extend(positions, placed)?;
            }
            positions.pop();
        }
        Ok(())
    }
}
