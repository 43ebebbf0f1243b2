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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classify::score::score_of;

    /// Every choice of candidates, compared one by one.
    fn by_enumeration(covering: &[Vec<usize>], scores: &[Score]) -> Vec<usize> {
        let choices = (0u32..1 << scores.len())
            .map(|bits| -> Vec<usize> { (0..scores.len()).filter(|c| bits >> c & 1 == 1).collect() });
        let covers = |chosen: &Vec<usize>| covering.iter().all(|by| by.iter().any(|c| chosen.contains(c)));
        let rank = |chosen: &Vec<usize>| {
            let score = chosen.iter().fold(Score::default(), |sum, &c| sum.plus(&scores[c]));
            (chosen.len(), score, chosen.clone())
        };
        choices.filter(covers).min_by_key(rank).expect("all of them cover everything")
    }

    #[test]
    fn the_best_choice_is_the_best_of_all_choices() {
        let mut state = 1u64;
        let mut below = |n: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % n
        };
        let mut sizes = [0; 8];
        for _ in 0..400 {
            let scores: Vec<Score> = (0..8).map(|_| score_of(below(3) as usize, below(4) as usize)).collect();
            let covering: Vec<Vec<usize>> = (0..1 + below(9))
                .map(|_| {
                    let mut by: Vec<usize> = (0..8).filter(|_| below(3) == 0).collect();
                    if by.is_empty() {
                        by.push(below(8) as usize);
                    }
                    by
                })
                .collect();
            let cover = best(&covering, &scores);
            assert_eq!(cover.chosen, by_enumeration(&covering, &scores), "{covering:?} {scores:?}");
            assert!(cover.minimum);
            sizes[cover.chosen.len()] += 1;
        }
        assert!(sizes[2] > 20 && sizes[3] > 20, "{sizes:?}");
    }

    #[test]
    fn a_choice_too_hard_to_prove_smallest_still_covers_everything() {
        // Pairs of 60 candidates, far too many choices.
        let covering: Vec<Vec<usize>> =
            (0..60usize).flat_map(|a| [1, 7, 16, 23].map(|d| vec![a, (a + d) % 60])).collect();
        let cover = best(&covering, &vec![Score::default(); 60]);
        assert!(!cover.minimum);
        assert!(covering.iter().all(|by| by.iter().any(|c| cover.chosen.contains(c))));
    }
}
