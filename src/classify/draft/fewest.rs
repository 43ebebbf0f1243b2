//! As few facts of a counterexample as suffice for a violation: an implicit hitting set.

use super::{Accepted, Draft, Facts};
use crate::budget::Limited;
use crate::classify::atom::Atoms;
use crate::classify::cover;
use crate::classify::index::{AtomId, CandidateId, PlacedId};
use crate::classify::options::Preference;
use crate::classify::oracle::Oracle;
use crate::classify::score::Score;
use crate::model::{Model, Position};
use rustc_hash::FxHashMap;

/// With how many accepting traces that are known already the search begins.
const MOST_KNOWN: usize = 16;

impl Facts {
    /// Of these facts as few as possible that suffice, with the strongest order over their positions. `None` if `fewer_than` many
    /// are needed, or if that is not found out with so many questions.
    ///
    /// A minimal set need not be a smallest one. Each accepting trace lacks a fact of every set that suffices, wherever the positions
    /// are laid in it. So a smallest choice that hits what each of the traces known so far lacks is asked about: it suffices and is a smallest
    /// set, or one more trace accepts it (A. Ignatiev, A. Previti, M. Liffiton, J. Marques-Silva, *Smallest MUS extraction with minimal
    /// hitting set dualization*, CP 2015).
    pub fn fewest(
        &mut self,
        space: &mut dyn Oracle<'_>,
        among: &[PlacedId],
        fewer_than: usize,
        questions: usize,
        preference: &Preference,
    ) -> Limited<Option<Draft>> {
        let (model, atoms) = (space.problem().model, space.atoms());
        let score = |&fact: &PlacedId| {
            let positions = self.placed(fact).positions.len();
            Score::of_used(&[self.atom(atoms, fact)], preference).with(positions, 0, 0)
        };
        let scores: Vec<Score> = among.iter().map(score).collect();
        self.look_ahead(space.longest());
        let mut lacking: Vec<Vec<CandidateId>> = Vec::new();
        let mut read = self.insufficient.len().saturating_sub(MOST_KNOWN);
        for _ in 0..questions {
            let new = self.insufficient[read..].iter();
            lacking.extend(new.map(|known| self.lacking(model, atoms, known, among)));
            read = self.insufficient.len();
            if lacking.iter().any(Vec::is_empty) {
                // All of the facts do not suffice.
                return Ok(None);
            }
            let best = cover::best(&lacking, &scores);
            if !best.minimum || best.chosen.len() >= fewer_than {
                return Ok(None);
            }
            let chosen: Vec<PlacedId> = best.chosen.iter().map(|choice| among[choice.index()]).collect();
            let positions = self.positions_of(&chosen);
            if self.suffices(space, &chosen, &positions)? {
                return Ok(Some(self.strongest(chosen, positions)));
            }
            if self.insufficient.len() == read {
                // A trace found long ago accepts it, so that nothing was learned.
                break;
            }
        }
        Ok(None)
    }

    /// Which of these facts an accepting trace lacks, at the places where it was found to match the counterexample. Further
    /// positions are laid one by one where most of what is said of them holds.
    fn lacking(
        &self,
        model: &Model,
        atoms: &Atoms,
        known: &Accepted,
        among: &[PlacedId],
    ) -> Vec<CandidateId> {
        let moments = &known.trace.moments;
        let places: Vec<Position> = known.trace.positions().collect();
        let mut at: Vec<Option<Position>> = vec![None; known.at.len()];
        for index in 0..at.len() {
            at[index] = known.at[index];
            if !self.is_in_order(&at) {
                at[index] = None;
            }
        }
        let mut truths: FxHashMap<(AtomId, Position), bool> = FxHashMap::default();
        for index in 0..at.len() {
            if at[index].is_some() {
                continue;
            }
            let here = Position::new(index);
            let said = among.iter().map(|&fact| self.placed(fact)).filter(|fact| fact.positions == [here]);
            let said: Vec<AtomId> = said.map(|fact| fact.atom).collect();
            let mut best = (0, None);
            for &place in &places {
                at[index] = Some(place);
                if !self.is_in_order(&at) {
                    continue;
                }
                let holds = |&&atom: &&AtomId| {
                    let evaluate = || atoms.get(atom).holds(model, moments, &[place], &[]);
                    *truths.entry((atom, place)).or_insert_with(evaluate)
                };
                let count = said.iter().filter(holds).count();
                if count > best.0 {
                    best = (count, Some(place));
                }
            }
            at[index] = best.1;
        }
        let holds = |fact: PlacedId| {
            let placed = self.placed(fact);
            let laid: Option<Vec<Position>> = placed.positions.iter().map(|p| at[p.index()]).collect();
            laid.is_some_and(|laid| atoms.get(placed.atom).holds(model, moments, &laid, &[]))
        };
        let lacks = among.iter().enumerate().filter(|(_, fact)| !holds(**fact));
        lacks.map(|(number, _)| CandidateId::new(number)).collect()
    }

    /// Whether positions that are laid somewhere come in the strongest order that the vocabulary has for them.
    fn is_in_order(&self, at: &[Option<Position>]) -> bool {
        let laid = Position::all(at.len()).filter(|p| at[p.index()].is_some()).collect();
        self.strongest(Vec::new(), laid).order.iter().all(|ordered| {
            let place = |p: Position| at[p.index()].expect("it is laid somewhere");
            ordered.order.holds(place(ordered.first), place(ordered.second))
        })
    }
}
