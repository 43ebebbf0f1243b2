//! As few facts of a counterexample as suffice for a violation: an implicit hitting set.

use super::{Draft, Facts};
use crate::budget::Limited;
use crate::classify::cover;
use crate::classify::index::{CandidateId, PlacedId};
use crate::classify::options::Preference;
use crate::classify::oracle::Oracle;
use crate::classify::score::Score;

/// The most maximal sets that are found before the search is given up.
const MOST_SETS: usize = 48;

impl Facts {
    /// Of these facts as few as possible that suffice, with the strongest order over their positions, and of several such sets the one
    /// with the best score; `None` if not even all of them suffice so, or if that is too hard to find out.
    ///
    /// A minimal set need not be a smallest one. Every set that suffices has a fact that a given maximal set, which does not, lacks. So a
    /// smallest choice of facts that hits what all those known so far lack is asked about: it suffices, and is a smallest
    /// set, or it is part of one more maximal set (A. Ignatiev, A. Previti, M. Liffiton, J. Marques-Silva, *Smallest MUS extraction with
    /// minimal hitting set dualization*, CP 2015). Sets grow fact by fact, not by what happens to hold in the solver's trace, so
    /// that the result, and whether it is found, depends on answers only.
    pub fn fewest(
        &mut self,
        space: &mut dyn Oracle<'_>,
        among: &[PlacedId],
        preference: &Preference,
    ) -> Limited<Option<Draft>> {
        let atoms = space.atoms();
        let score = |&fact: &PlacedId| {
            let positions = self.placed(fact).positions.len();
            Score::of_used(&[self.atom(atoms, fact)], preference).with(positions, 0, 0)
        };
        let scores: Vec<Score> = among.iter().map(score).collect();
        self.look_ahead(space.longest());
        let mut lacking: Vec<Vec<CandidateId>> = Vec::new();
        while lacking.len() <= MOST_SETS {
            let best = cover::best(&lacking, &scores);
            if !best.minimum {
                return Ok(None);
            }
            let chosen: Vec<PlacedId> = best.chosen.iter().map(|number| among[number.index()]).collect();
            if self.are_enough(space, &chosen)? {
                let positions = self.positions_of(&chosen);
                return Ok(Some(self.strongest(chosen, positions)));
            }
            let lacked = self.lacked_by_more(space, among, chosen)?;
            if lacked.is_empty() {
                return Ok(None);
            }
            lacking.push(lacked);
        }
        Ok(None)
    }

    /// What a maximal set that does not suffice lacks, numbered as in `among`. It has these facts, which do not suffice, and each further one
    /// with which it still does not.
    fn lacked_by_more(
        &mut self,
        space: &mut dyn Oracle<'_>,
        among: &[PlacedId],
        mut set: Vec<PlacedId>,
    ) -> Limited<Vec<CandidateId>> {
        let mut lacking = Vec::new();
        for (number, &fact) in among.iter().enumerate() {
            if set.contains(&fact) {
                continue;
            }
            set.push(fact);
            if self.are_enough(space, &set)? {
                set.pop();
                lacking.push(CandidateId::new(number));
            }
        }
        Ok(lacking)
    }

    /// Whether facts suffice, with the strongest order over their positions.
    fn are_enough(&mut self, space: &mut dyn Oracle<'_>, set: &[PlacedId]) -> Limited<bool> {
        let positions = self.positions_of(set);
        self.suffices(space, set, &positions)
    }
}
