//! The smallest choice of classes that covers the counterexamples known so far: a minimum hitting set, by
//! branch and bound.

use super::score::Score;

/// A choice of candidates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cover {
    /// Their indices, ascending.
    pub chosen: Vec<usize>,
    /// Whether no smaller choice covers everything.
    pub minimum: bool,
}

/// After so many steps the best choice so far is taken.
const MOST_STEPS: usize = 20_000;

/// Of the choices of candidates that cover everything one of the smallest, and of these the one with the
/// best scores in sum; where these are equal, too, the one whose candidates come first. `covering` lists
/// for each counterexample the candidates that cover it, at least one; `scores` has all candidates.
pub fn best(covering: &[Vec<usize>], scores: &[Score]) -> Cover {
    let mut search = Search { covering, scores, best: greedy(covering, scores), steps: 0 };
    search.extend(&mut Vec::new(), Score::default());
    let minimum = search.steps <= MOST_STEPS;
    let mut chosen = search.best.2;
    chosen.sort_unstable();
    Cover { chosen, minimum }
}

/// A choice, what matters most first: how many, their scores, which.
type Choice = (usize, Score, Vec<usize>);

struct Search<'a> {
    covering: &'a [Vec<usize>],
    scores: &'a [Score],
    best: Choice,
    steps: usize,
}

impl Search<'_> {
    fn extend(&mut self, chosen: &mut Vec<usize>, score: Score) {
        self.steps += 1;
        if self.steps > MOST_STEPS {
            return;
        }
        // The counterexample with the fewest candidates is branched on.
        let left = self.covering.iter().filter(|by| !by.iter().any(|c| chosen.contains(c)));
        let Some(by) = left.min_by_key(|by| by.len()) else {
            let mut sorted = chosen.clone();
            sorted.sort_unstable();
            let choice = (sorted.len(), score, sorted);
            if choice < self.best {
                self.best = choice;
            }
            return;
        };
        // One more at least, and more than that if some counterexamples have no candidate in common.
        if chosen.len() + self.disjoint(chosen) > self.best.0 {
            return;
        }
        for &candidate in by {
            chosen.push(candidate);
            self.extend(chosen, score.plus(&self.scores[candidate]));
            chosen.pop();
        }
    }

    /// How many counterexamples that are left share no candidate, counted greedily.
    fn disjoint(&self, chosen: &[usize]) -> usize {
        let mut used: Vec<usize> = chosen.to_vec();
        let mut count = 0;
        for by in self.covering {
            if !by.iter().any(|c| used.contains(c)) {
                used.extend(by);
                count += 1;
            }
        }
        count
    }
}

/// The candidate that covers most of what is left, again and again.
fn greedy(covering: &[Vec<usize>], scores: &[Score]) -> Choice {
    let mut chosen: Vec<usize> = Vec::new();
    loop {
        let left: Vec<&Vec<usize>> =
            covering.iter().filter(|by| !by.iter().any(|c| chosen.contains(c))).collect();
        if left.is_empty() {
            break;
        }
        let covers = |c: usize| left.iter().filter(|by| by.contains(&c)).count();
        let candidates = 0..scores.len();
        let next = candidates.max_by_key(|&c| (covers(c), std::cmp::Reverse((scores[c], c))));
        chosen.extend(next);
    }
    chosen.sort_unstable();
    let score = chosen.iter().fold(Score::default(), |sum, &c| sum.plus(&scores[c]));
    (chosen.len(), score, chosen)
}
