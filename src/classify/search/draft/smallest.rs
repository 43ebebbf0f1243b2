//! A smallest set of facts of a counterexample that suffices for a violation: an implicit hitting set.

use super::{CounterexampleFacts, Draft};
use crate::facts::index::{CandidateId, PlacedId};
use crate::oracles::oracle::Oracle;
use crate::results::options::Preference;
use crate::search::hitting_set;
use crate::search::quick_xplain::grown;
use crate::search::score::Score;
use kit::budget::Limited;

impl CounterexampleFacts {
    /// A smallest set of these facts that suffices, with the strongest order over its positions, and of several such sets one
    /// with the best score; `None` if not even all of them suffice so, or if that is not known after so many questions. There must be
    /// no absences: they may get stronger where a position is left out.
    ///
    /// A minimal set need not be a smallest one. Of a maximal set that does not suffice, every set that does has a fact that is not in it. So
    /// a smallest choice of facts that has, for each maximal set known so far, a fact that this lacks is asked about: it suffices, and is a smallest
    /// set, or it is part of one more maximal set (A. Ignatiev, A. Previti, M. Liffiton, J. Marques-Silva, *Smallest MUS extraction with
    /// minimal hitting set dualization*, CP 2015). Sets grow fact by fact, not by what happens to hold in the solver's trace, so
    /// that the result, and whether it is found, depends on answers only.
    pub fn smallest(
        &mut self,
        oracle: &mut dyn Oracle<'_>,
        among: &[PlacedId],
        most_questions: u64,
        preference: &Preference,
    ) -> Limited<Option<Draft>> {
        debug_assert!(self.occurrences.is_empty());
        let atoms = oracle.atoms();
        let score = |&fact: &PlacedId| {
            let positions = self.placed(fact).positions.len();
            Score::of_used(&[self.atom(atoms, fact)], preference).with(positions, 0, 0)
        };
        let scores: Vec<Score> = among.iter().map(score).collect();
        let most = self.questions() + most_questions;
        self.look_ahead(oracle.longest());
        let mut found = None;
        hitting_set::implicit(Vec::new(), &scores, &mut |cover| {
            let chosen: Vec<PlacedId> = cover.chosen.iter().map(|number| among[number.index()]).collect();
            if !cover.minimum {
                return Ok(None);
            }
            if self.are_enough(oracle, &chosen)? {
                found = Some(chosen);
                return Ok(None);
            }
            if self.questions() + among.len() as u64 > most {
                return Ok(None);
            }
            let set = grown(chosen, among, &mut |set| self.are_enough(oracle, set))?;
            let lacked = (0..among.len()).filter(|&number| !set.contains(&among[number]));
            let lacked: Vec<CandidateId> = lacked.map(CandidateId::new).collect();
            Ok(Some(lacked).filter(|lacked| !lacked.is_empty()))
        })?;
        Ok(found.map(|chosen| {
            let positions = self.positions_of(&chosen);
            self.strongest(chosen, positions)
        }))
    }

    /// True if facts suffice, with the strongest order over their positions.
    fn are_enough(&mut self, oracle: &mut dyn Oracle<'_>, set: &[PlacedId]) -> Limited<bool> {
        let positions = self.positions_of(set);
        self.suffices(oracle, set, &positions)
    }
}
