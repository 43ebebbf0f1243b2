//! Constraints of infinite traces: conjunctions of facts, under individuals that may be any.

use super::fact::{AtomLiteral, AtomRef, LassoFact};
use crate::facts::atom::{Atoms, VariableNames};
use crate::facts::constraint::{Constraint, assignments, individual_names, position_names, show_individuals};
use crate::facts::fact::{Assignment, Fact, FactKind};
use crate::facts::index::{DomainId, IndividualVar, PositionVar};
use crate::facts::statements::{Statement, Statements};
use lang::model::Recurrence;
use lang::model::value::Value;
use lang::model::{Model, Position};
use lang::trace::Lasso;
use std::collections::BTreeSet;

/// Individuals that can be together more than this are not made.
pub const MOST_INSTANCES: usize = 256;

/// `∃ r ∈ T, …, i, … : fact ∧ … ∧ fact`. Its atoms and domains are in an arena, which methods take where they need it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct LassoConstraint {
    /// The domains of its individuals. A *ground* constraint has none.
    pub individuals: Vec<DomainId>,
    /// The facts: those of some position first, then what happens again and again, then what lasts.
    pub facts: Vec<LassoFact>,
    /// Literals over individuals alone: some individuals differ.
    pub distinct: Vec<AtomRef>,
}

impl LassoConstraint {
    /// The ground conjunction of facts.
    pub fn ground(facts: Vec<LassoFact>) -> Self {
        Self::new(Vec::new(), facts, Vec::new())
    }

    /// The conjunction of facts about individuals of these domains, and what is said of these.
    pub fn new(individuals: Vec<DomainId>, mut facts: Vec<LassoFact>, distinct: Vec<AtomRef>) -> Self {
        let order = |fact: &LassoFact| match fact.when {
            Recurrence::Once => 0,
            Recurrence::Again => 1,
            Recurrence::Forever => 2,
        };
        facts.sort_by(|a, b| (order(a), a).cmp(&(order(b), b)));
        facts.dedup();
        Self { individuals, facts, distinct }
    }

    /// The constraint with its facts about one position at some positions, or at those that [`When`] tells; `None` where it says
    /// something of several positions, of order or of absences, or its individuals can be too many together.
    pub(super) fn recurring(
        model: &Model,
        atoms: &Atoms,
        constraint: &Constraint,
        when: Recurrence,
    ) -> Option<Self> {
        let said = |fact: &Fact| match fact.kind {
            FactKind::Atom(atom) if fact.positions == [PositionVar::FIRST] => {
                Some(AtomLiteral::positive(AtomRef { atom, individuals: fact.individuals.clone() }))
            }
            _ => None,
        };
        let said = constraint.facts.iter().map(said).collect::<Option<Vec<AtomLiteral>>>()?;
        let individuals = constraint.individuals.clone();
        assignments(model, atoms, &individuals, MOST_INSTANCES)?;
        Some(Self::new(individuals, vec![LassoFact::of(when, said)], Vec::new()))
    }

    /// The names of its individuals, and of the positions of facts that hold at some position, in the order of the facts.
    pub fn names(&self, model: &Model, atoms: &Atoms) -> VariableNames {
        VariableNames {
            positions: position_names(self.facts.iter().map(LassoFact::positions).sum()),
            individuals: individual_names(model, atoms, &self.individuals),
        }
    }

    /// Each of its facts with the names of its positions, if it has any, and of all individuals.
    pub fn named_facts(&self, model: &Model, atoms: &Atoms) -> Vec<(&LassoFact, VariableNames)> {
        let VariableNames { positions, individuals } = self.names(model, atoms);
        let mut positions = positions.into_iter();
        let named = |fact: &LassoFact| VariableNames {
            positions: positions.by_ref().take(fact.positions()).collect(),
            individuals: individuals.clone(),
        };
        let names: Vec<VariableNames> = self.facts.iter().map(named).collect();
        self.facts.iter().zip(names).collect()
    }

    /// Each fact as text, those that individuals differ last.
    pub fn show_facts(&self, model: &Model, atoms: &Atoms) -> Vec<String> {
        let facts = self.named_facts(model, atoms);
        let facts = facts.iter().map(|(fact, names)| fact.show(model, atoms, names));
        let names = self.names(model, atoms);
        let distinct = self.distinct.iter().map(|about| about.show(model, atoms, &names));
        facts.chain(distinct).collect()
    }

    /// The constraint: `∃ i : action@i = crash ∧ again waiting`.
    pub fn show(&self, model: &Model, atoms: &Atoms) -> String {
        let facts = self.show_facts(model, atoms).join(" ∧ ");
        let facts = if facts.is_empty() { "true".to_owned() } else { facts };
        let mut variables = show_individuals(model, atoms, &self.individuals);
        variables.extend(self.names(model, atoms).positions);
        if variables.is_empty() { facts } else { format!("∃ {} : {facts}", variables.join(", ")) }
    }

    /// An assignment that makes an infinite trace satisfy it, by the reference semantics: the first choice of individuals, and for
    /// these the first positions, of which those beyond the end of the lasso are in a later iteration of its loop. `None` where it
    /// does not.
    pub fn matches(&self, model: &Model, atoms: &Atoms, lasso: &Lasso) -> Option<Assignment> {
        self.choices(model, atoms).into_iter().find_map(|individuals| {
            let holds = |about: &AtomRef, at: Position| {
                about.holds((model, atoms), &lasso.trace.moments, &[at], &individuals)
            };
            let mut positions = Vec::new();
            for fact in &self.facts {
                match fact.when {
                    Recurrence::Once => positions.extend(fact.places(lasso, holds)?),
                    _ => fact.is_true(lasso, holds).then_some(())?,
                }
            }
            Some(Assignment { positions, individuals })
        })
    }

    /// True if an infinite trace satisfies it, by the reference semantics.
    pub fn holds(&self, model: &Model, atoms: &Atoms, lasso: &Lasso) -> bool {
        self.matches(model, atoms, lasso).is_some()
    }

    /// The ground constraints one of which an infinite trace satisfies exactly if it satisfies this one.
    pub fn instances(&self, model: &Model, atoms: &Atoms) -> Vec<Self> {
        if self.individuals.is_empty() {
            return vec![self.clone()];
        }
        let ground = |values: &Vec<Value>| {
            let fact = |fact: &LassoFact| fact.map(|about| about.instance(atoms, values));
            Self::ground(self.facts.iter().map(fact).collect())
        };
        self.choices(model, atoms).iter().map(ground).collect()
    }

    /// The values that its individuals can have together.
    fn choices(&self, model: &Model, atoms: &Atoms) -> Vec<Vec<Value>> {
        if self.individuals.is_empty() {
            return vec![Vec::new()];
        }
        let mut all = assignments(model, atoms, &self.individuals, MOST_INSTANCES)
            .unwrap_or_else(|| unreachable!("individuals with so many values are not made"));
        all.retain(|values| self.distinct.iter().all(|about| about.holds((model, atoms), &[], &[], values)));
        all
    }

    /// The constraints that lack one of its parts each, in the order of facts and parts; then those in which two individuals need not
    /// differ.
    pub fn weaker(&self) -> Vec<Self> {
        let mut list = Vec::new();
        for (index, fact) in self.facts.iter().enumerate() {
            let parts = fact.parts();
            for left_out in 0..parts.len() {
                let mut kept = parts.clone();
                kept.remove(left_out);
                let mut less = self.clone();
                less.facts.splice(index..=index, fact.of_parts(&kept));
                list.push(less.without_unused());
            }
        }
        for index in 0..self.distinct.len() {
            let mut less = self.clone();
            less.distinct.remove(index);
            list.push(less.without_unused());
        }
        list
    }

    /// Without the individuals of which it says nothing.
    fn without_unused(self) -> Self {
        let used: BTreeSet<usize> = (self.facts.iter().flat_map(LassoFact::atoms).chain(&self.distinct))
            .flat_map(|about| about.individuals.iter().map(|individual| individual.index()))
            .collect();
        let number = |individual: &IndividualVar| {
            IndividualVar::new(used.iter().take_while(|other| **other < individual.index()).count())
        };
        let renumbered = |about: &AtomRef| AtomRef {
            atom: about.atom,
            individuals: about.individuals.iter().map(number).collect(),
        };
        Self {
            individuals: used.iter().map(|&index| self.individuals[index]).collect(),
            facts: self.facts.iter().map(|fact| fact.map(renumbered)).collect(),
            distinct: self.distinct.iter().map(renumbered).collect(),
        }
    }
}

/// The statement, but for the atom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LassoFactForm {
    /// One position of a fact is before another one.
    Before,
    /// The atom holds or not at the positions of a fact.
    At(Recurrence, bool),
    /// It holds or not at all positions after that of a fact.
    After(bool),
    /// It is so of individuals, at whatever position.
    OfIndividuals,
}

impl From<&LassoConstraint> for Statements<LassoFactForm> {
    fn from(constraint: &LassoConstraint) -> Self {
        let individuals = constraint.individuals.clone();
        let mut statements = Self { positions: 0, individuals, all: Vec::new() };
        for fact in &constraint.facts {
            statements.add(fact);
        }
        for about in &constraint.distinct {
            statements.say(LassoFactForm::OfIndividuals, about, Vec::new());
        }
        statements
    }
}

impl Statements<LassoFactForm> {
    fn add(&mut self, fact: &LassoFact) {
        let mut earlier = None;
        for here in fact.before.iter().chain([&fact.what]) {
            let position = PositionVar::new(self.positions);
            self.positions += 1;
            if let Some(earlier) = earlier.replace(position) {
                let (atom, individuals) = (None, Vec::new());
                let positions = vec![earlier, position];
                self.all.push(Statement { said: LassoFactForm::Before, atom, positions, individuals });
            }
            for AtomLiteral { about, holds } in here {
                self.say(LassoFactForm::At(fact.when, *holds), about, vec![position]);
            }
        }
        for AtomLiteral { about, holds } in &fact.after {
            self.say(LassoFactForm::After(*holds), about, earlier.into_iter().collect());
        }
    }

    fn say(&mut self, said: LassoFactForm, about: &AtomRef, positions: Vec<PositionVar>) {
        let (atom, individuals) = (Some(about.atom), about.individuals.clone());
        self.all.push(Statement { said, atom, positions, individuals });
    }
}
