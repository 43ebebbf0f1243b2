//! Transfer of a known weakness to another vocabulary.

use crate::facts::atom::Atoms;
use crate::facts::collect::Collector;
use crate::facts::fact::Assignment;
use crate::results::result::TooWeak;
use crate::search::draft::{CounterexampleFacts, Orders};
use kit::budget::{Budget, Limited};
use lang::model::{Model, Vocabulary};
use solvers::unroll::Lengths;

impl TooWeak {
    /// True if another vocabulary does not distinguish this counterexample from this accepted trace either: all its facts of the
    /// counterexample hold at the same places of the accepted trace. Then there is no complete classification with it, since a class
    /// that had the counterexample would have the accepted trace as well. No solver is asked; if the answer is no, the vocabulary may
    /// still be too weak, here or elsewhere.
    ///
    /// Where places change their order, absences do not follow: a stretch that ends before it begins is empty in one trace and
    /// need not be in the other. Then the answer is no if the vocabulary has absences.
    ///
    /// # Errors
    /// If the budget ends first.
    pub fn remains_with(
        &self,
        model: &Model,
        vocabulary: &Vocabulary,
        lengths: Lengths,
        budget: &Budget,
    ) -> Limited<bool> {
        let atoms = Atoms::default();
        let mut collector = Collector::new(model, vocabulary, &atoms);
        let orders = Orders { before: collector.has_before(), next: collector.has_next() };
        let placed = collector.collect(&self.counterexample.moments, budget)?;
        let absent = collector.occurrences(&self.counterexample.moments);
        let facts = CounterexampleFacts::new(placed, orders, self.counterexample.last())
            .with_absences(absent, matches!(lengths, Lengths::Exactly(_)));
        if !facts.occurrences.is_empty() && !self.positions.is_sorted() {
            return Ok(false);
        }
        let (constraint, _) = facts.constraint(&facts.everything());
        let places = Assignment { individuals: Vec::new(), positions: self.positions.clone() };
        let accepting = &self.accepting.moments;
        Ok(constraint.facts.iter().all(|fact| fact.holds(model, &atoms, accepting, &places)))
    }
}
