//! Choices of few kinds: a class and its images count as one.
//!
//! Where symmetries move all values of a type, as in a ring, no individual can take the place of just any value, and one that can be any but
//! some others joins classes so that the rest is no image of them. Then other constraints that were made for the counterexamples may do with
//! fewer kinds, each of which stands for its images.

use crate::facts::index::CandidateId;
use crate::search::hitting_set;
use crate::search::score::Score;
use kit::budget::Limited;

/// Groups with more elements than this are not looked at.
pub(crate) const MOST_ELEMENTS: usize = 64;
/// The most questions whether a counterexample is in an image of a constraint.
pub(crate) const MOST_QUESTIONS: usize = 20_000;
/// How many times a counterexample is found that the images leave out.
pub(crate) const MOST_ROUNDS: usize = 8;

/// Candidates that together are one class with its images.
pub(crate) enum CandidateOrbit {
    /// Chosen classes, the first of which the others are images of.
    Chosen(Vec<CandidateId>),
    /// A candidate and all of its images.
    AllOf(CandidateId),
}

/// Candidates by kinds: each with those that `takes` says its images are.
pub(crate) fn grouped(
    candidates: impl Iterator<Item = CandidateId>,
    takes: &mut dyn FnMut(CandidateId, CandidateId) -> bool,
) -> Vec<Vec<CandidateId>> {
    let mut kinds: Vec<Vec<CandidateId>> = Vec::new();
    for candidate in candidates {
        match kinds.iter_mut().find(|kind| takes(kind[0], candidate)) {
            Some(kind) => kind.push(candidate),
            None => kinds.push(vec![candidate]),
        }
    }
    kinds
}

/// The candidates of some kinds, ascending: `image_of` gives what each of so many elements of the group makes of one. `None` where that is not
/// possible.
pub(crate) fn members_of(
    kinds: Vec<CandidateOrbit>,
    elements: usize,
    image_of: &mut dyn FnMut(usize, CandidateId) -> Limited<Option<CandidateId>>,
) -> Limited<Option<Vec<CandidateId>>> {
    let mut members = Vec::new();
    for kind in kinds {
        let candidate = match kind {
            CandidateOrbit::Chosen(classes) => {
                members.extend(classes);
                continue;
            }
            CandidateOrbit::AllOf(candidate) => candidate,
        };
        members.push(candidate);
        for element in 0..elements {
            let Some(image) = image_of(element, candidate)? else { return Ok(None) };
            members.push(image);
        }
    }
    members.sort_unstable();
    members.dedup();
    Ok(Some(members))
}

/// Candidates of different kinds, and what is known of them.
pub(crate) struct OrbitCandidates<'a> {
    /// The chosen classes, by kinds.
    pub chosen: Vec<Vec<CandidateId>>,
    /// Other candidates, of which all images can be made.
    pub known: Vec<CandidateId>,
    /// How many counterexamples there are.
    pub counterexamples: usize,
    /// True if a candidate has a counterexample, given by its index; if that is asked as well, whether it has an image of it.
    pub has: &'a dyn Fn(CandidateId, usize, bool) -> bool,
    pub score: &'a dyn Fn(CandidateId) -> Score,
}

impl OrbitCandidates<'_> {
    /// As few kinds as possible that have all counterexamples, if these are fewer than those of the chosen classes, or there is less to read
    /// of them.
    pub fn fewer(self) -> Option<Vec<CandidateOrbit>> {
        let Self { chosen, known, counterexamples, has, score } = self;
        let count = chosen.len();
        let all: Vec<CandidateOrbit> = chosen
            .into_iter()
            .map(CandidateOrbit::Chosen)
            .chain(known.into_iter().map(CandidateOrbit::AllOf))
            .collect();
        let has = |kind: &CandidateOrbit, counterexample: usize| match kind {
            CandidateOrbit::Chosen(members) => members.iter().any(|&c| has(c, counterexample, false)),
            // The group has the inverse of each element.
            CandidateOrbit::AllOf(candidate) => has(*candidate, counterexample, true),
        };
        let covering: Vec<Vec<CandidateId>> = (0..counterexamples)
            .map(|counterexample| {
                let covers = |(index, kind)| has(kind, counterexample).then(|| CandidateId::new(index));
                all.iter().enumerate().filter_map(covers).collect()
            })
            .collect();
        let cost = |kind: &CandidateOrbit| match kind {
            // There is nothing better than a class without images.
            CandidateOrbit::Chosen(members) if members.len() == 1 => Score::default(),
            CandidateOrbit::Chosen(members) => score(members[0]),
            CandidateOrbit::AllOf(candidate) => score(*candidate),
        };
        let scores: Vec<Score> = all.iter().map(cost).collect();
        let best = hitting_set::best(&covering, &scores);
        let is_best = |index: usize| best.chosen.contains(&CandidateId::new(index));
        let kinds = all.into_iter().enumerate().filter(|(index, _)| is_best(*index));
        let kinds: Vec<CandidateOrbit> = kinds.map(|(_, kind)| kind).collect();
        let differs = kinds.iter().any(|kind| matches!(kind, CandidateOrbit::AllOf(_)));
        (best.minimum && differs && kinds.len() <= count).then_some(kinds)
    }
}
