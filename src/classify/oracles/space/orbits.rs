//! Questions about one trace of each orbit ([`crate::oracles::orbit`]).

use super::Space;
use crate::facts::constraint::Constraint;
use crate::facts::index::{DomainId, IndividualVar};
use crate::oracles::orbit::Exchange;
use solvers::sat::Lit;
use std::sync::Arc;

impl Space<'_> {
    /// From now on, whether there are counterexamples is asked of one of each orbit where these values are interchangeable. There must be
    /// all positions.
    pub fn exchange(&mut self, exchange: Arc<Exchange>) {
        if let Some(harmless) = &mut self.harmless {
            harmless.exchange(Arc::clone(&exchange));
        }
        self.exchange = Some(exchange);
    }

    /// What may be assumed where only traces that satisfy, or do not satisfy, these constraints are looked for.
    pub fn one_of_each_orbit<'c>(
        &mut self,
        mut constraints: impl Iterator<Item = &'c Constraint>,
    ) -> Option<Lit> {
        let exchange = self.exchange.as_ref()?;
        let types = &self.problem.model.types;
        let all = constraints.all(|constraint| exchange.preserves(types, self.atoms, constraint));
        all.then(|| self.in_order(Vec::new()))?
    }

    /// What may be assumed where a trace and values of the individuals are looked for that satisfy a constraint, whose facts have
    /// literals.
    pub(super) fn one_match_of_each_orbit(&mut self, constraint: &Constraint) -> Option<Lit> {
        let exchange = self.exchange.as_ref()?;
        if !exchange.preserves(&self.problem.model.types, self.atoms, constraint) {
            return None;
        }
        let numbered = constraint.individuals.iter().enumerate();
        let individuals = numbered.map(|(n, &domain)| (domain, IndividualVar::new(n)));
        // One that no fact mentions has no value.
        let ordered = individuals.filter(|individual| {
            exchange.is_about(self.atoms.type_of(individual.0)) && self.individuals.contains_key(individual)
        });
        self.in_order(ordered.collect())
    }

    fn in_order(&mut self, individuals: Vec<(DomainId, IndividualVar)>) -> Option<Lit> {
        let exchange = self.exchange.as_ref()?;
        if let Some(&lit) = self.in_order.get(&individuals) {
            return Some(lit);
        }
        let values: Vec<_> =
            individuals.iter().map(|individual| self.individuals[individual].clone()).collect();
        let lit = exchange.in_order(&mut self.unrolling, &values);
        self.in_order.insert(individuals, lit);
        Some(lit)
    }
}
