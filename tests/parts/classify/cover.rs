//! Tests of `classify::cover`.

use classify::facts::index::CandidateId;
use classify::search::hitting_set::*;
use classify::search::score::Score;

/// Every choice of candidates, compared one by one.
fn by_enumeration(covering: &[Vec<CandidateId>], scores: &[Score]) -> Vec<CandidateId> {
    let choices = (0u32..1 << scores.len()).map(|bits| -> Vec<CandidateId> {
        (0..scores.len()).filter(|c| bits >> c & 1 == 1).map(CandidateId::new).collect()
    });
    let covers = |chosen: &Vec<CandidateId>| covering.iter().all(|by| by.iter().any(|c| chosen.contains(c)));
    let rank = |chosen: &Vec<CandidateId>| {
        let score = chosen.iter().fold(Score::default(), |sum, c| sum.plus(&scores[c.index()]));
        (chosen.len(), score, chosen.clone())
    };
    choices.filter(covers).min_by_key(rank).expect("all of them cover everything")
}

/// A score with these costs for its predicates and its positions.
fn score_of(without_predicate: usize, positions: usize) -> Score {
    Score { without_predicate, positions, ..Score::default() }
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
        let covering: Vec<Vec<CandidateId>> = (0..1 + below(9))
            .map(|_| {
                let all = (0..8).map(CandidateId::new);
                let mut by: Vec<CandidateId> = all.filter(|_| below(3) == 0).collect();
                if by.is_empty() {
                    by.push(CandidateId::new(below(8) as usize));
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
    let pair = |a: usize, d: usize| [a, (a + d) % 60].map(CandidateId::new).to_vec();
    let covering: Vec<Vec<CandidateId>> = (0..60).flat_map(|a| [1, 7, 16, 23].map(|d| pair(a, d))).collect();
    let cover = best(&covering, &vec![Score::default(); 60]);
    assert!(!cover.minimum);
    assert!(covering.iter().all(|by| by.iter().any(|c| cover.chosen.contains(c))));
}
