//! Restricts questions to one trace of each orbit ([`crate::oracles::orbit`]).

use super::SatOracle;
use crate::facts::constraint::Constraint;
use crate::facts::index::{DomainId, IndividualVar};
use crate::oracles::orbit::InterchangeableValues;
use solvers::sat::Lit;
use std::sync::Arc;

impl SatOracle<'_> {
    /// Restricts later questions about the existence of counterexamples to one of each orbit under exchanges
    /// of these values. All positions must be unrolled.
    pub fn exchange(&mut self, exchange: Arc<InterchangeableValues>) {
        if let Some(harmless) = &mut self.harmless {
            harmless.exchange(Arc::clone(&exchange));
        }
        self.exchange = Some(exchange);
    }

    /// Returns an assumption for searches of traces by these constraints only, if these are symmetric.
    pub fn one_of_each_orbit<'c>(
        &mut self,
        mut constraints: impl Iterator<Item = &'c Constraint>,
    ) -> Option<Lit> {
        let exchange = self.exchange.as_ref()?;
        let types = &self.problem.model.types;
        let all = constraints.all(|constraint| exchange.preserves(types, self.atoms, constraint));
        all.then(|| self.in_order(Vec::new()))?
    }

    /// Returns an assumption for searches of a trace and values of the individuals that satisfy a constraint
    /// whose facts have literals.
    pub(super) fn one_match_of_each_orbit(&mut self, constraint: &Constraint) -> Option<Lit> {
        let exchange = self.exchange.as_ref()?;
        if !exchange.preserves(&self.problem.model.types, self.atoms, constraint) {
            return None;
        }
        let numbered = constraint.individuals.iter().enumerate();
        let individuals = numbered.map(|(n, &domain)| (domain, IndividualVar::new(n)));
        // An unused individual has no value.
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
