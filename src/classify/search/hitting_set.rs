//! The smallest choice of classes that covers the counterexamples known so far: a minimum hitting set, by
//! branch and bound.

use crate::facts::index::CandidateId;
use crate::search::score::Score;
use kit::budget::Limited;
use std::cmp::Reverse;

/// A choice of candidates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HittingSet {
    /// The candidates, ascending.
    pub chosen: Vec<CandidateId>,
    /// True if no smaller choice covers everything.
    pub minimum: bool,
}

/// The most steps of the search; then the best choice so far is taken.
const MOST_STEPS: usize = 20_000;

/// Of the choices of candidates that cover everything one of the smallest, and of these the one with the
/// best scores in sum; where these are equal, too, the one whose candidates come first. `covering` lists
/// for each counterexample the candidates that cover it, at least one; `scores` has all candidates.
pub fn best(covering: &[Vec<CandidateId>], scores: &[Score]) -> HittingSet {
    let is_chosen = vec![false; scores.len()];
    let mut search = MinimumCover { covering, scores, best: greedy(covering, scores), is_chosen, steps: 0 };
    search.extend(&mut Vec::new());
    let minimum = search.steps <= MOST_STEPS;
    HittingSet { chosen: search.best.chosen, minimum }
}

/// The best choice for more and more sets, which `more` finds for each choice until it finds none: an implicit hitting set. The sets and
/// scores are those of [`best`].
///
/// # Errors
/// If `more` fails.
pub fn implicit(
    mut covering: Vec<Vec<CandidateId>>,
    scores: &[Score],
    more: &mut dyn FnMut(&HittingSet) -> Limited<Option<Vec<CandidateId>>>,
) -> Limited<HittingSet> {
    loop {
        let cover = best(&covering, scores);
        match more(&cover)? {
            Some(set) => covering.push(set),
            None => return Ok(cover),
        }
    }
}

/// A choice; the least one in the order of its fields is the best.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct RankedChoice {
    /// The number of candidates.
    size: usize,
    /// The sum of their scores.
    score: Score,
    /// The candidates, ascending.
    chosen: Vec<CandidateId>,
}

impl RankedChoice {
    fn new(mut chosen: Vec<CandidateId>, scores: &[Score]) -> Self {
        chosen.sort_unstable();
        let score = chosen.iter().fold(Score::default(), |sum, c| sum.plus(&scores[c.index()]));
        Self { size: chosen.len(), score, chosen }
    }
}

struct MinimumCover<'a> {
    covering: &'a [Vec<CandidateId>],
    scores: &'a [Score],
    best: RankedChoice,
    /// True if each candidate is in the choice that is extended.
    is_chosen: Vec<bool>,
    steps: usize,
}

impl MinimumCover<'_> {
    fn extend(&mut self, chosen: &mut Vec<CandidateId>) {
        self.steps += 1;
        if self.steps > MOST_STEPS {
            return;
        }
        // The counterexample with the fewest candidates is branched on.
        let left = self.covering.iter().filter(|by| !by.iter().any(|c| self.is_chosen[c.index()]));
        let Some(by) = left.min_by_key(|by| by.len()) else {
            let choice = RankedChoice::new(chosen.clone(), self.scores);
            if choice < self.best {
                self.best = choice;
            }
            return;
        };
        // One more at least, and more than that if some counterexamples have no candidate in common.
        if chosen.len() + self.disjoint() > self.best.size {
            return;
        }
        for &candidate in by {
            chosen.push(candidate);
            self.is_chosen[candidate.index()] = true;
            self.extend(chosen);
            self.is_chosen[candidate.index()] = false;
            chosen.pop();
        }
    }

    /// How many counterexamples that are left share no candidate, counted greedily.
    fn disjoint(&self) -> usize {
        let mut used = self.is_chosen.clone();
        let mut count = 0;
        for by in self.covering {
            if !by.iter().any(|c| used[c.index()]) {
                by.iter().for_each(|c| used[c.index()] = true);
                count += 1;
            }
        }
        count
    }
}

/// A choice made by taking the candidate that covers most of what is left, again and again.
fn greedy(covering: &[Vec<CandidateId>], scores: &[Score]) -> RankedChoice {
    let mut chosen: Vec<CandidateId> = Vec::new();
    // How many of the counterexamples that are left each candidate covers.
    let mut covers = vec![0_usize; scores.len()];
    covering.iter().flatten().for_each(|c| covers[c.index()] += 1);
    let mut left: Vec<&Vec<CandidateId>> = covering.iter().collect();
    while !left.is_empty() {
        let candidates = (0..scores.len()).map(CandidateId::new);
        let next = candidates.max_by_key(|c| (covers[c.index()], Reverse((scores[c.index()], *c))));
        let Some(next) = next else { break };
        chosen.push(next);
        let (covered, others) = left.into_iter().partition(|by| by.contains(&next));
        left = others;
        let covered: Vec<&Vec<CandidateId>> = covered;
        covered.into_iter().flatten().for_each(|c| covers[c.index()] -= 1);
    }
    RankedChoice::new(chosen, scores)
}
