//! Trace constraints: conjunctions of facts under existential position variables (Definition 10 of the
//! classification paper), and under existential individuals, which the paper does not have.

use crate::facts::atom::{Atom, Atoms, VariableNames};
use crate::facts::fact::{Assignment, Fact, FactKind};
use crate::facts::index::{AtomId, DomainId, IndividualVar, PositionVar};
use crate::facts::memoised_trace::{MemoisedTrace, Truths};
use itertools::Itertools;
use lang::model::types::Type;
use lang::model::value::{Moment, Value};
use lang::model::{Model, Position};
use std::collections::BTreeSet;

/// `∃ r ∈ T, …, i1, …, ik ∈ [0..len(ρ)] : fact ∧ … ∧ fact`. Its atoms and domains are in an arena, which
/// methods take as an argument.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Constraint {
    /// The number of position variables. A constraint without variables and facts is satisfied by every trace.
    pub positions: usize,
    /// The domains of its individuals. A *ground* constraint has none.
    pub individuals: Vec<DomainId>,
    /// The facts: about states, then absences, then order, then individuals.
    pub facts: Vec<Fact>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ConstraintVariable {
    Position(PositionVar),
    Individual(IndividualVar),
}

impl Constraint {
    /// Creates a ground constraint.
    pub fn ground(positions: usize, facts: Vec<Fact>) -> Self {
        Self { positions, individuals: Vec::new(), facts }
    }

    /// Returns the constraint that an atom holds, at any positions and for any individuals.
    pub fn of_atom(atoms: &Atoms, atom: AtomId) -> Self {
        let open = atoms.get(atom);
        let fact = Fact {
            kind: FactKind::Atom(atom),
            positions: (0..open.params.len()).map(PositionVar::new).collect(),
            individuals: (0..open.values.len()).map(IndividualVar::new).collect(),
        };
        let individuals = open.values.iter().map(|value| value.domain).collect();
        Self { positions: open.params.len(), individuals, facts: vec![fact] }
    }

    /// Iterates over the position variables.
    pub fn variables(&self) -> impl Iterator<Item = PositionVar> + use<> {
        (0..self.positions).map(PositionVar::new)
    }

    /// True if it has individuals.
    pub fn is_lifted(&self) -> bool {
        !self.individuals.is_empty()
    }

    /// Removes one of its facts; all variables stay.
    #[must_use]
    pub fn without(&self, fact: usize) -> Self {
        let mut less = self.clone();
        less.facts.remove(fact);
        less
    }

    /// Returns names for the variables. Up to three positions are `i`, `j`, `k`, more are `i1`, `i2`, …;
    /// individuals have the beginning of their type's name, in lower case, numbered if several are of one type.
    pub fn names(&self, model: &Model, atoms: &Atoms) -> VariableNames {
        let individuals = individual_names(model, atoms, &self.individuals);
        VariableNames { positions: position_names(self.positions), individuals }
    }

    /// Returns the constraint in the paper's notation.
    pub fn show(&self, model: &Model, atoms: &Atoms) -> String {
        let names = self.names(model, atoms);
        let facts = self.show_facts(model, atoms);
        let mut variables = show_individuals(model, atoms, &self.individuals);
        if !names.positions.is_empty() {
            variables.push(format!("{} ∈ [0..len(ρ)]", names.positions.join(", ")));
        }
        if variables.is_empty() { facts } else { format!("∃ {} : {facts}", variables.join(", ")) }
    }

    /// Like [`Constraint::show`], without quantifiers.
    pub fn show_facts(&self, model: &Model, atoms: &Atoms) -> String {
        let names = self.names(model, atoms);
        let facts = self.facts.iter().map(|f| f.show(model, atoms, &names)).join(" ∧ ");
        if facts.is_empty() { "true".to_owned() } else { facts }
    }

    /// Returns the first assignment of the variables with which a trace satisfies the constraint, by the
    /// reference semantics; `None` if the trace is not in the class.
    pub fn matches(&self, model: &Model, atoms: &Atoms, trace: &[Moment]) -> Option<Assignment> {
        self.matches_by(model, atoms, trace, &Truths::default())
    }

    /// True if a trace that is asked about many constraints is in the class.
    pub fn has(&self, model: &Model, atoms: &Atoms, example: &MemoisedTrace) -> bool {
        self.matches_by(model, atoms, &example.trace.moments, example.truths()).is_some()
    }

    fn matches_by(
        &self,
        model: &Model,
        atoms: &Atoms,
        trace: &[Moment],
        truths: &Truths,
    ) -> Option<Assignment> {
        let order = self.order_of_search(atoms);
        let place = |variable: &ConstraintVariable| order.iter().position(|other| other == variable);
        let decided_at = |fact: &Fact| {
            let positions = fact.positions.iter().map(|&p| ConstraintVariable::Position(p));
            let individuals = fact.individuals.iter().map(|&v| ConstraintVariable::Individual(v));
            positions.chain(individuals).filter_map(|v| place(&v)).max()
        };
        let mut decided: Vec<Vec<&Fact>> = vec![Vec::new(); order.len()];
        for fact in &self.facts {
            match decided_at(fact) {
                Some(at) => decided[at].push(fact),
                None if fact.holds(model, atoms, trace, &Assignment::default()) => {}
                None => return None,
            }
        }
        let individuals: Vec<Vec<Value>> =
            self.individuals.iter().map(|&d| model.types.values(atoms.type_of(d))).collect();
        let search =
            AssignmentEnumeration { model, atoms, trace, truths, order, decided, individuals: &individuals };
        let mut chosen = ChosenValues {
            positions: vec![Position::FIRST; self.positions],
            individuals: vec![0; self.individuals.len()],
        };
        search.extend(0, &mut chosen).then(|| {
            let values = individuals.iter().zip(&chosen.individuals).map(|(values, &n)| values[n].clone());
            Assignment { individuals: values.collect(), positions: chosen.positions }
        })
    }

    /// Returns the positions in order, each individual as soon as an atom with it has all its positions.
    fn order_of_search(&self, atoms: &Atoms) -> Vec<ConstraintVariable> {
        let mut order = Vec::new();
        let mut left: Vec<IndividualVar> = (0..self.individuals.len()).map(IndividualVar::new).collect();
        for position in self.variables() {
            order.push(ConstraintVariable::Position(position));
            let occurs = |individual: &IndividualVar| {
                self.facts.iter().any(|fact| {
                    !fact.is_about_individuals(atoms)
                        && fact.individuals.contains(individual)
                        && fact.positions.iter().max() <= Some(&position)
                })
            };
            let now: Vec<IndividualVar> = left.iter().copied().filter(occurs).collect();
            left.retain(|individual| !now.contains(individual));
            order.extend(now.into_iter().map(ConstraintVariable::Individual));
        }
        order.extend(left.into_iter().map(ConstraintVariable::Individual));
        order
    }

    /// True if every atom that must hold reads at most one position: then whether a trace matches can be
    /// decided moment by moment.
    pub fn is_local(&self, atoms: &Atoms) -> bool {
        self.atoms(atoms).all(|(atom, _)| atom.params.len() <= 1)
    }

    /// True if its order facts say that one position is before another.
    pub fn orders(&self, first: PositionVar, second: PositionVar) -> bool {
        let orders = self.facts.iter().filter(|fact| fact.is_order() && fact.positions[0] == first);
        orders.map(|fact| fact.positions[1]).any(|next| next == second || self.orders(next, second))
    }

    /// True if some of its facts are absences. Without any, a trace that goes on stays in the class.
    pub fn has_absences(&self) -> bool {
        self.facts.iter().any(Fact::is_absence)
    }

    /// True if some of its facts are predicates of the user.
    pub fn has_predicate(&self, atoms: &Atoms) -> bool {
        self.facts.iter().any(|fact| fact.predicate(atoms).is_some())
    }

    /// Iterates over the atoms that must hold, with their facts.
    pub fn atoms<'a>(&'a self, atoms: &'a Atoms) -> impl Iterator<Item = (&'a Atom, &'a Fact)> {
        self.facts.iter().filter_map(|fact| match fact.kind {
            FactKind::Atom(atom) => Some((atoms.get(atom), fact)),
            _ => None,
        })
    }

    /// Creates a constraint of facts over some position variables, renumbered in the order of `used`, which
    /// is ascending. Individuals keep their numbers.
    pub fn over(atoms: &Atoms, facts: &[Fact], used: &[PositionVar]) -> Self {
        let number =
            |v: &PositionVar| PositionVar::new(used.binary_search(v).expect("a variable that is used"));
        let renumbered =
            |fact: &Fact| Fact { positions: fact.positions.iter().map(number).collect(), ..fact.clone() };
        let mut individuals: Vec<DomainId> = Vec::new();
        for fact in facts {
            let (FactKind::Atom(atom) | FactKind::Absent(atom, _)) = fact.kind else { continue };
            for (param, individual) in atoms.get(atom).values.iter().zip(&fact.individuals) {
                // An unused number in between may have any domain.
                individuals.resize(individuals.len().max(individual.index() + 1), param.domain);
                individuals[individual.index()] = param.domain;
            }
        }
        Self { positions: used.len(), individuals, facts: facts.iter().map(renumbered).collect() }
    }

    /// Returns the ground constraint with these values for the individuals.
    pub fn instance(&self, atoms: &Atoms, values: &[Value]) -> Self {
        let of = |fact: &Fact, atom: AtomId| {
            let own: Vec<Value> = fact.individuals.iter().map(|v| values[v.index()].clone()).collect();
            atoms.instance(atom, &own)
        };
        let ground = |fact: &Fact| {
            let kind = match fact.kind {
                FactKind::Atom(atom) => FactKind::Atom(of(fact, atom)),
                FactKind::Absent(atom, stretch) => FactKind::Absent(of(fact, atom), stretch),
                order @ FactKind::Order(_) => order,
            };
            Fact::about(kind, fact.positions.clone())
        };
        Self::ground(self.positions, self.facts.iter().map(ground).collect())
    }

    /// Returns all ground instances, whose disjunction is equivalent to the constraint; instances with false
    /// facts about individuals are omitted. `None` if there are more than `most` assignments.
    pub fn instances(&self, model: &Model, atoms: &Atoms, most: usize) -> Option<Vec<Self>> {
        if !self.is_lifted() {
            return Some(vec![self.clone()]);
        }
        let choices = self.choices(model, atoms, most)?;
        let mut plain = self.clone();
        plain.facts.retain(|fact| !fact.is_about_individuals(atoms));
        Some(choices.iter().map(|values| plain.instance(atoms, values)).collect())
    }

    /// Returns the values of the individuals that satisfy the facts about individuals alone. `None` if there
    /// are more than `most` assignments.
    pub fn choices(&self, model: &Model, atoms: &Atoms, most: usize) -> Option<Vec<Vec<Value>>> {
        let mut choices = assignments(model, atoms, &self.individuals, most)?;
        choices.retain(|values| {
            let assigned = Assignment { positions: Vec::new(), individuals: values.clone() };
            let mut about = self.facts.iter().filter(|fact| fact.is_about_individuals(atoms));
            about.all(|fact| fact.holds(model, atoms, &[], &assigned))
        });
        Some(choices)
    }
}

/// Returns names for individuals of these domains: the beginning of the type's name, in lower case, numbered
/// if several are of one type.
pub(crate) fn individual_names(model: &Model, atoms: &Atoms, domains: &[DomainId]) -> Vec<String> {
    let mut individuals = vec![String::new(); domains.len()];
    let mut taken: BTreeSet<String> =
        model.types.enums.iter().flat_map(|decl| decl.variants.iter().cloned()).collect();
    // Functions are applied to individuals, so their names are taken.
    taken.extend(model.functions.iter().map(|function| function.name.clone()));
    for &domain in domains.iter().unique() {
        let own: Vec<usize> = domains.iter().positions(|other| *other == domain).collect();
        let names = names_of(&model.types.name(atoms.type_of(domain)), own.len(), &taken);
        taken.extend(names.iter().cloned());
        own.into_iter().zip(names).for_each(|(index, name)| individuals[index] = name);
    }
    individuals
}

/// Returns `r1, r2 ∈ T` for each of these domains.
pub(crate) fn show_individuals(model: &Model, atoms: &Atoms, domains: &[DomainId]) -> Vec<String> {
    let names = individual_names(model, atoms, domains);
    let of_one = |domain: &DomainId| {
        let of = domains.iter().zip(&names).filter(|(other, _)| *other == domain).map(|(_, name)| name);
        format!("{} ∈ {}", of.into_iter().join(", "), model.types.name(atoms.type_of(*domain)))
    };
    domains.iter().unique().map(of_one).collect()
}

/// Returns all tuples of values for individuals of these domains (at least one); `None` if there are more than `most`.
pub(crate) fn assignments(
    model: &Model,
    atoms: &Atoms,
    domains: &[DomainId],
    most: usize,
) -> Option<Vec<Vec<Value>>> {
    let types: Vec<&Type> = domains.iter().map(|&domain| atoms.type_of(domain)).collect();
    let count = types.iter().fold(1u64, |n, ty| n.saturating_mul(model.types.cardinality(ty)));
    let values = types.iter().map(|ty| model.types.values(ty));
    (count <= most as u64).then(|| values.multi_cartesian_product().collect())
}

/// Returns names for `count` position variables.
pub fn position_names(count: usize) -> Vec<String> {
    if count <= 3 {
        ["i", "j", "k"].iter().take(count).map(ToString::to_string).collect()
    } else {
        (1..=count).map(|n| format!("i{n}")).collect()
    }
}

/// Returns names for `count` individuals of a type, none of which is taken or names a position: the shortest
/// such beginning of the type's name.
fn names_of(ty: &str, count: usize, taken: &BTreeSet<String>) -> Vec<String> {
    let letters: String = ty.to_lowercase().chars().filter(|c| c.is_alphabetic()).collect();
    let letters = if letters.is_empty() { "n".to_owned() } else { letters };
    let beginnings = letters.char_indices().map(|(at, c)| &letters[..at + c.len_utf8()]);
    let numbered = |beginning: &str| -> Vec<String> {
        let name =
            |number: usize| if count == 1 { beginning.to_owned() } else { format!("{beginning}{number}") };
        (1..=count).map(name).collect()
    };
    let is_free = |names: &Vec<String>| {
        let is_position = |name: &String| {
            let rest = name.strip_prefix('i').map(|rest| rest.chars().all(|c| c.is_ascii_digit()));
            rest == Some(true) || name == "j" || name == "k"
        };
        // Names of other types with the same letters would look like more of these.
        let alike = |name: &String| {
            let plain = |text: &str| text.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned();
            taken.iter().any(|other| plain(other) == plain(name))
        };
        !names.iter().any(|name| is_position(name) || alike(name))
    };
    let mut choices = beginnings.map(numbered);
    choices.find(is_free).unwrap_or_else(|| {
        let longer = (1..).map(|more| numbered(&format!("{letters}{}", "_".repeat(more))));
        longer.into_iter().find(is_free).expect("one of them is free")
    })
}

/// A search for the values of all variables.
struct AssignmentEnumeration<'a> {
    model: &'a Model,
    atoms: &'a Atoms,
    trace: &'a [Moment],
    truths: &'a Truths,
    order: Vec<ConstraintVariable>,
    /// For each variable of the order, the facts that can be evaluated once it has a value.
    decided: Vec<Vec<&'a Fact>>,
    individuals: &'a [Vec<Value>],
}

/// The chosen values of variables: positions, and indices of the values of individuals.
struct ChosenValues {
    positions: Vec<Position>,
    individuals: Vec<usize>,
}

impl AssignmentEnumeration<'_> {
    /// Backtracks over the variables in order.
    fn extend(&self, depth: usize, chosen: &mut ChosenValues) -> bool {
        let Some(&variable) = self.order.get(depth) else { return true };
        let goes_on = |chosen: &mut ChosenValues| {
            self.decided[depth].iter().all(|fact| self.holds(fact, chosen)) && self.extend(depth + 1, chosen)
        };
        match variable {
            ConstraintVariable::Position(position) => Position::all(self.trace.len()).any(|at| {
                chosen.positions[position.index()] = at;
                goes_on(chosen)
            }),
            ConstraintVariable::Individual(individual) => (0..self.individuals[individual.index()].len())
                .any(|value| {
                    chosen.individuals[individual.index()] = value;
                    goes_on(chosen)
                }),
        }
    }

    fn holds(&self, fact: &Fact, chosen: &ChosenValues) -> bool {
        let at: Vec<Position> = fact.positions.iter().map(|p| chosen.positions[p.index()]).collect();
        fact.holds_by(self.trace.len(), &at, |atom, at| self.atom_holds(atom, at, fact, chosen))
    }

    /// True if an atom holds at these positions and of the individuals of a fact.
    fn atom_holds(&self, atom: AtomId, positions: &[Position], fact: &Fact, chosen: &ChosenValues) -> bool {
        let individuals = fact.individuals.iter().map(|v| v.index());
        // A mixed-radix encoding of all numbers.
        let places = positions.iter().map(|&at| (at.index(), self.trace.len()));
        let values = individuals.clone().map(|v| (chosen.individuals[v], self.individuals[v].len()));
        let place = places.chain(values).try_fold(0u64, |place, (number, range)| {
            place.checked_mul(range as u64)?.checked_add(number as u64)
        });
        self.truths.holds(atom, place, || {
            let values: Vec<Value> =
                individuals.map(|v| self.individuals[v][chosen.individuals[v]].clone()).collect();
            self.atoms.get(atom).holds(self.model, self.trace, positions, &values)
        })
    }
}
