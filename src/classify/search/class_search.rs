//! The loop of Algorithm 1 for finite and infinite traces: a shortest counterexample outside all classes, its facts, as few of them as
//! suffice, and the next counterexample; then redundant classes and canonical counterexamples (section 3.1.1 of the classification paper,
//! Definition 8), and images under symmetries.

use crate::facts::atom::Atoms;
use crate::facts::fact::Assignment;
use crate::facts::grounding::Grounding;
use crate::facts::index::{CandidateId, SampleId};
use crate::results::options::Options;
use crate::results::result::{Class, ImageOf, TooWeak, TraceKind, Verdict, Why};
use crate::results::statistics::Timed;
use crate::search::choice::{AssignedTrace, Choice};
use crate::search::images::{Images, are_alike, images_among};
use crate::search::orbits::{
    CandidateOrbit, MOST_ELEMENTS, MOST_QUESTIONS, MOST_ROUNDS, OrbitCandidates, grouped, members_of,
};
use engines::symmetry::Symmetries;
use kit::budget::{Exhausted, Limited};
use lang::model::permutation::Permutation;
use lang::model::{Model, Vocabulary};
use rustc_hash::FxHashMap;

/// How a search ended.
pub(crate) enum SearchEnd<K: TraceKind> {
    Holds,
    Exhaustive,
    TooWeak(Box<TooWeak<K>>),
    MaxClasses,
}

/// Returns a counterexample outside all chosen classes with as few steps as possible, at least so many.
pub(crate) type NextCounterexample<'n, K, S> =
    dyn FnMut(&mut S, usize) -> Limited<Option<<K as TraceKind>::Trace>> + 'n;

/// A counterexample outside these other classes.
pub(crate) struct ExclusiveTrace<K: TraceKind> {
    others: Vec<CandidateId>,
    trace: K::Trace,
}

/// Counterexamples of classes that others lack, by class.
pub(crate) type ExclusiveTraces<K> = FxHashMap<CandidateId, ExclusiveTrace<K>>;

/// A search for classes of finite or infinite traces.
pub(crate) trait ClassSearch<'m, K: TraceKind>: Timed {
    /// The facts and values that a candidate is made of.
    type Origin;
    /// A trace of which membership can be decided repeatedly.
    type Known;

    fn model(&self) -> &'m Model;
    /// The atoms of all facts and constraints.
    fn atoms(&self) -> &'m Atoms;
    fn vocabulary(&self) -> &'m Vocabulary;
    fn options(&self) -> &Options;
    /// The candidates, and the choice among them.
    fn choice(&self) -> &Choice<K, Self::Origin>;
    /// Likewise, to be changed.
    fn choice_mut(&mut self) -> &mut Choice<K, Self::Origin>;
    /// A counterexample that was examined.
    fn sample(&self, sample: SampleId) -> &K::Trace;
    /// A counterexample that is in no class yet.
    fn unclassified(&mut self) -> &mut Option<K::Trace>;
    /// The number of steps of a counterexample that count.
    fn steps(&self, trace: &K::Trace) -> usize;
    /// The least number of steps of all counterexamples.
    fn least_steps(&self) -> usize;
    /// A number of steps that no counterexample has fewer of, as far as is known.
    fn depth(&self) -> usize;
    /// Makes candidates of a counterexample that no chosen class has, and chooses again.
    fn examine(&mut self, trace: K::Trace) -> Limited<Option<Box<TooWeak<K>>>>;
    /// A shortest counterexample of at least so many steps outside of these candidates.
    fn shortest_outside(&mut self, least: usize, classes: &[CandidateId]) -> Limited<Option<K::Trace>>;
    /// The values of a candidate's variables in a trace, if it is in the class.
    fn matches(&self, candidate: CandidateId, trace: &K::Trace) -> Option<Assignment>;
    /// The symmetries of the model and the property, as far as they are soon found.
    fn symmetries(&mut self) -> &Symmetries;
    /// All counterexamples that are known.
    fn counterexamples(&self) -> Vec<&K::Trace>;
    /// The image of a trace under a permutation.
    fn moved(&self, trace: &K::Trace, by: Option<&Permutation>) -> Self::Known;
    /// True if a candidate has a trace.
    fn contains(&self, candidate: CandidateId, trace: &Self::Known) -> bool;
    /// The image of a ground candidate under an element of the group, as a candidate; `None` where it is not clear.
    fn image_of(
        &mut self,
        images: &mut Images<'_>,
        element: usize,
        candidate: CandidateId,
    ) -> Limited<Option<CandidateId>>;

    /// Makes a chosen class more general, so that it has a counterexample that no chosen class has. True if that was possible.
    fn widen(&mut self, trace: &K::Trace) -> Limited<bool> {
        let _ = trace;
        Ok(false)
    }

    /// True if no further counterexample is wanted.
    fn is_enough(&mut self) -> bool {
        false
    }

    /// True if images of classes may take the place of others.
    fn may_prefer_images(&self) -> bool {
        self.options().grounding != Grounding::Everything
    }

    /// The reason why a result is partial where the budget ended.
    fn interrupted(&self, why: Exhausted) -> Why {
        Why::Exhausted(why)
    }

    /// Classifies until `next` finds no counterexample; `Some` if that had to be given up.
    fn classify_all(&mut self, next: &mut NextCounterexample<'_, K, Self>) -> Limited<Option<SearchEnd<K>>> {
        let mut least = self.least_steps();
        while let Some(trace) = next(self, least)? {
            least = self.steps(&trace);
            *self.unclassified() = Some(trace.clone());
            let before = self.choice().chosen.clone();
            if self.widen(&trace)? {
                self.statistics().counterexamples += 1;
            } else if self.options().max_classes.is_some_and(|most| before.len() >= most) {
                return Ok(Some(SearchEnd::MaxClasses));
            } else if let Some(weak) = self.examine(trace)? {
                return Ok(Some(SearchEnd::TooWeak(weak)));
            }
            *self.unclassified() = None;
            if !before.iter().all(|class| self.choice().chosen.contains(class)) {
                // Shorter counterexamples may have lost their class.
                least = self.least_steps();
            }
            if self.is_enough() {
                break;
            }
        }
        Ok(None)
    }

    /// The verdict of a search that ended so.
    fn verdict(&mut self, outcome: Limited<SearchEnd<K>>) -> Verdict<K> {
        // A limit may have ended the search after a class was chosen for the last counterexample.
        let last = self.unclassified().take();
        let is_in = |trace: &K::Trace| self.choice().chosen.iter().any(|&c| self.matches(c, trace).is_some());
        let unclassified = last.filter(|trace| !is_in(trace));
        *self.unclassified() = unclassified;
        match outcome {
            Ok(SearchEnd::Holds) => Verdict::Holds,
            Ok(SearchEnd::Exhaustive) => Verdict::Complete,
            Ok(SearchEnd::TooWeak(weak)) => Verdict::TooWeak(weak),
            Ok(SearchEnd::MaxClasses) => Verdict::Partial(Why::MaxClasses),
            Err(why) if self.unclassified().is_none() && self.choice().chosen.is_empty() => {
                Verdict::Undecided { why, depth: self.depth() }
            }
            Err(why) => Verdict::Partial(self.interrupted(why)),
        }
    }

    /// Drops classes that the others cover, and gives each remaining class a shortest counterexample that is in no other one. The chosen
    /// classes must be complete; `known` are counterexamples that some of them have alone.
    fn settle(&mut self, mut known: ExclusiveTraces<K>) -> Limited<()> {
        if !self.choice().minimum {
            // Those without a predicate of the user go first, then those found first.
            let mut order = self.choice().chosen.clone();
            order.sort_by_key(|&class| self.has_predicate(class));
            known.extend(self.drop_redundant(order)?);
        }
        for class in self.choice().chosen.clone() {
            let others = self.choice().others(class);
            let canonical = match (self.choice().first_of_its_own(class), known.remove(&class)) {
                (Some(sample), _) => Some(self.sample(sample).clone()),
                (None, Some(ExclusiveTrace { others: of, trace })) if of == others => Some(trace),
                _ => self.shortest_outside(self.least_steps_of(class), &others)?,
            };
            let Some(trace) = canonical else {
                self.choice_mut().drop_class(class);
                continue;
            };
            // What is as short and in no other class shows more.
            let as_short = self.steps(&trace) == self.least_steps_of(class);
            let shortest = if as_short { self.matches(class, &trace) } else { None };
            let candidate = self.choice_mut().candidate_mut(class);
            if let Some(assigned) = shortest {
                candidate.shortest = Some(AssignedTrace { trace: trace.clone(), assigned });
            }
            candidate.canonical = Some(trace);
        }
        self.statistics().redundant = self.choice().passed_over().len();
        Ok(())
    }

    /// Drops redundant classes, one at a time in this order. Returns the counterexamples that were found of classes that stay.
    fn drop_redundant(&mut self, order: Vec<CandidateId>) -> Limited<ExclusiveTraces<K>> {
        let mut found = ExclusiveTraces::default();
        for class in order {
            if self.choice().has_sample_of_its_own(class) {
                continue;
            }
            let others = self.choice().others(class);
            match self.shortest_outside(self.least_steps_of(class), &others)? {
                Some(trace) => {
                    found.insert(class, ExclusiveTrace { others, trace });
                }
                None => self.choice_mut().drop_class(class),
            }
        }
        Ok(found)
    }

    /// The least number of steps of the counterexamples of a class, as far as it is known.
    fn least_steps_of(&self, class: CandidateId) -> usize {
        let shortest = self.choice().candidate(class).shortest.as_ref();
        shortest.map_or_else(|| self.least_steps(), |shortest| self.steps(&shortest.trace))
    }

    /// True if a fact of a class is one of a predicate.
    fn has_predicate(&self, class: CandidateId) -> bool {
        let statements = K::statements(&self.choice().candidate(class).constraint);
        let mut atoms = statements.all.iter().filter_map(|statement| statement.atom);
        atoms.any(|atom| self.atoms().get(atom).is_predicate())
    }

    /// Which of the classes symmetries make of others.
    fn images(&mut self, classes: &[Class<K>]) -> Vec<ImageOf> {
        let of = (self.model(), self.atoms());
        let (grounding, vocabulary) = (self.options().grounding.clone(), self.vocabulary());
        let classes: Vec<_> = classes.iter().map(Class::said).collect();
        images_among(of, (&grounding, vocabulary), &classes, |_| self.symmetries().clone())
    }

    /// Chooses other classes where these are images of fewer, or of what is shorter. The chosen ones must be complete, and so are the
    /// others. Returns the counterexamples that were found of these.
    fn prefer_images(&mut self) -> Limited<ExclusiveTraces<K>> {
        let choice = self.choice();
        let ground = choice.chosen.iter().map(|&class| choice.candidate(choice.ground_of(class)));
        let ground = ground.map(|candidate| K::statements(&candidate.constraint));
        if !self.may_prefer_images() || !are_alike(self.atoms(), ground) || self.symmetries().turns.is_empty()
        {
            return Ok(ExclusiveTraces::default());
        }
        let found = self.symmetries().clone();
        let (grounding, vocabulary) = (&self.options().grounding, self.vocabulary());
        // Those that move no values of types that stay ground.
        let proved = found.all().filter(|by| !grounding.forbids(vocabulary, by));
        let proved: Vec<Permutation> = proved.cloned().collect();
        let mut images = Images::new(&self.model().types, self.atoms(), &proved);
        let Some(members) = self.preferred_images(&mut images)? else {
            return Ok(ExclusiveTraces::default());
        };
        // What was known before stays rather than images that were made.
        let order = members.iter().rev().copied().collect();
        self.choice_mut().chosen = members;
        self.drop_redundant(order)
    }

    /// Other classes in place of the chosen ones, which must be complete, where these are images of fewer, or of shorter ones. They are
    /// complete, too. `None` if there are none.
    fn preferred_images(&mut self, images: &mut Images<'_>) -> Limited<Option<Vec<CandidateId>>> {
        let count = images.elements.len();
        if !images.whole || count == 0 || count > MOST_ELEMENTS {
            return Ok(None);
        }
        let mut further: Vec<K::Trace> = Vec::new();
        for _ in 0..MOST_ROUNDS {
            let Some(orbits) = self.fewer_orbits(images, &further) else { break };
            let mut image_of = |element, candidate| self.image_of(images, element, candidate);
            let Some(members) = members_of(orbits, count, &mut image_of)? else { break };
            match self.shortest_outside(self.least_steps(), &members)? {
                Some(left_out) => further.push(left_out),
                None => return Ok(Some(members)),
            }
        }
        Ok(None)
    }

    /// As few orbits as possible that have all known counterexamples, if these are fewer than those of the chosen classes, or there is less
    /// to read of them.
    fn fewer_orbits(&self, images: &mut Images<'_>, further: &[K::Trace]) -> Option<Vec<CandidateOrbit>> {
        let choice = self.choice();
        let mut takes = |of: CandidateId, to: CandidateId| {
            let [of, to] = [of, to].map(|candidate| K::statements(&choice.candidate(candidate).constraint));
            images.takes(&of, &to).is_some()
        };
        let chosen = grouped(choice.chosen.iter().copied(), &mut takes);
        if chosen.iter().all(|orbit| orbit.len() == 1) && chosen.len() < 2 {
            return None;
        }
        let known = grouped(choice.ground_candidates(), &mut takes);
        let known: Vec<CandidateId> = known.into_iter().map(|orbit| orbit[0]).collect();
        let traces: Vec<&K::Trace> = self.counterexamples().into_iter().chain(further).collect();
        let elements = images.elements.len();
        if traces.len() * known.len() * (elements + 1) > MOST_QUESTIONS {
            return None;
        }
        let moved = |trace: &&K::Trace| -> Vec<Self::Known> {
            let by = images.elements.iter().map(Some);
            [None].into_iter().chain(by).map(|by| self.moved(trace, by)).collect()
        };
        let traces: Vec<Vec<Self::Known>> = traces.iter().map(moved).collect();
        let has = |candidate: CandidateId, counterexample: usize, moved: bool| {
            let count = if moved { elements + 1 } else { 1 };
            traces[counterexample].iter().take(count).any(|trace| self.contains(candidate, trace))
        };
        let score = |candidate: CandidateId| choice.candidate(candidate).score;
        OrbitCandidates { chosen, known, counterexamples: traces.len(), has: &has, score: &score }.fewer()
    }
}
