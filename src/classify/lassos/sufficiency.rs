//! Sufficiency of facts for a violation, and the smallest sufficient sets.

use super::condition::LassoCondition;
use super::constraint::LassoConstraint;
use super::fact::{AtomLiteral, LassoFact};
use super::oracle::{LassoOracle, LassoQuery};
use crate::facts::index::{AtomId, CandidateId};
use crate::results::options::Preference;
use crate::search::hitting_set;
use crate::search::hitting_set::HittingSet;
use crate::search::quick_xplain::quick_xplain;
use crate::search::score::Score;
use kit::budget::Limited;
use lang::model::Recurrence;
use lang::trace::Lasso;
use rustc_hash::FxHashMap;

/// An accepting lasso is made to satisfy so many further facts, one after the other, at most.
const MOST_TRIED: usize = 24;

/// Knows which facts suffice, from lassos that satisfy the property.
pub struct LassoSufficiency<'a, 'q> {
    /// The lassos that satisfy the property.
    pub accepting: LassoOracle<'q>,
    preference: &'a Preference,
    known: Vec<AcceptedLasso>,
}

/// A lasso that satisfies the property.
struct AcceptedLasso {
    lasso: Lasso,
    /// Where atoms hold in it.
    truths: FxHashMap<AtomId, Vec<bool>>,
}

impl<'a, 'q> LassoSufficiency<'a, 'q> {
    /// Nothing is known yet.
    pub fn new(accepting: LassoOracle<'q>, preference: &'a Preference) -> Self {
        Self { accepting, preference, known: Vec::new() }
    }

    /// True if every lasso with all of these facts violates the property.
    pub fn suffices(&mut self, facts: &[LassoFact]) -> Limited<bool> {
        // The newest first: consecutive questions are alike.
        for known in (0..self.known.len()).rev() {
            if facts.iter().all(|fact| self.accepts(known, fact)) {
                return Ok(false);
            }
        }
        Ok(self.ask(facts)?.is_none())
    }

    /// True if every lasso that satisfies this constraint violates the property.
    pub fn implies_violation(&mut self, constraint: &LassoConstraint) -> Limited<bool> {
        let LassoQuery { model, atoms, .. } = self.accepting.asked();
        if self.known.iter().rev().any(|known| constraint.holds(model, atoms, &known.lasso)) {
            return Ok(false);
        }
        let found = self.accepting.any(&[LassoCondition::In(constraint.clone())])?;
        let none = found.is_none();
        self.known.extend(found.map(|lasso| AcceptedLasso { lasso, truths: FxHashMap::default() }));
        Ok(none)
    }

    /// Of these facts as few as possible that suffice, the best of such choices for a reader; `None` if all of them do not.
    ///
    /// Each accepting lasso lacks one of the facts that are chosen. So the choice is a smallest one that hits what each of the lassos
    /// known so far lacks; the solver is asked for one more (implicit hitting sets).
    pub fn smallest(&mut self, facts: &[LassoFact]) -> Limited<Option<Vec<LassoFact>>> {
        if !self.suffices(facts)? {
            return Ok(None);
        }
        let scores: Vec<Score> = facts.iter().map(|fact| self.score_of(std::slice::from_ref(fact))).collect();
        let lacking = (0..self.known.len()).map(|known| self.lacking(known, facts)).collect();
        let chosen = |cover: &HittingSet| -> Vec<LassoFact> {
            cover.chosen.iter().map(|id| facts[id.index()].clone()).collect()
        };
        let smallest =
            hitting_set::implicit(lacking, &scores, &mut |cover| match self.ask(&chosen(cover))? {
                Some(known) => self.lacking_grown(known, facts).map(Some),
                None => Ok(None),
            })?;
        match smallest.minimum {
            true => Ok(Some(chosen(&smallest))),
            // What is not known to be smallest may have facts that are not needed.
            false => quick_xplain(&chosen(&smallest), &mut |facts| self.suffices(facts)).map(Some),
        }
    }

    /// The constraint of some facts that suffice, of which those with several parts keep no more of these than are needed.
    pub fn refined(&mut self, facts: Vec<LassoFact>) -> Limited<LassoConstraint> {
        let mut facts: Vec<Vec<LassoFact>> = facts.into_iter().map(|fact| vec![fact]).collect();
        for index in 0..facts.len() {
            let [whole] = facts[index].as_slice() else { unreachable!("it is as it was") };
            let (whole, mut parts) = (whole.clone(), whole.parts());
            if parts.len() < 2 {
                continue;
            }
            let atoms = self.accepting.asked().atoms;
            // What comes first is kept where there is a choice: what the user asked for or defined, then labels.
            parts.sort_by_key(|part| {
                let (said, later) = match part {
                    FactPart::Here(_, said) => (said, false),
                    FactPart::After(said) => (said, true),
                    FactPart::Order(_) => return (2, false, false, false, false),
                };
                let atom = atoms.get(said.about.atom);
                // That something lasts from a position on says more than that something else never comes.
                let lasts = later && said.holds;
                let is_asked_for = self.preference.is_asked_for(atom);
                (u8::from(lasts), !is_asked_for, !atom.is_predicate(), !atom.reads_label(), later)
            });
            let others = facts.clone();
            let mut kept = quick_xplain(&parts, &mut |parts| {
                let mut facts = others.clone();
                facts[index] = whole.of_parts(parts);
                self.suffices(&facts.concat())
            })?;
            kept.sort_unstable();
            facts[index] = whole.of_parts(&kept);
        }
        Ok(LassoConstraint::ground(facts.concat()))
    }

    pub fn score(&self, constraint: &LassoConstraint) -> Score {
        let of_facts = self.score_of(&constraint.facts);
        let individuals = constraint.individuals.len() + constraint.distinct.len();
        of_facts.plus(&Score::default().with(0, 0, individuals))
    }

    /// The score of facts, together.
    fn score_of(&self, facts: &[LassoFact]) -> Score {
        let atoms = self.accepting.asked().atoms;
        let used: Vec<_> =
            facts.iter().flat_map(LassoFact::atoms).map(|about| atoms.get(about.atom)).collect();
        let positions = facts.iter().map(LassoFact::positions).sum();
        let order: usize = facts.iter().map(|fact| fact.before.len()).sum();
        let forever = facts.iter().filter(|fact| fact.when == Recurrence::Forever);
        let lasting = forever.map(|fact| 1 + usize::from(fact.what.iter().any(|said| !said.holds)));
        Score::of_used(&used, self.preference).with(positions, order + lasting.sum::<usize>(), 0)
    }

    /// Asks the solver for a lasso that satisfies the property and has these facts, and keeps it.
    fn ask(&mut self, facts: &[LassoFact]) -> Limited<Option<usize>> {
        let constraint = LassoConstraint { facts: facts.to_vec(), ..LassoConstraint::default() };
        let Some(lasso) = self.accepting.any(&[LassoCondition::In(constraint)])? else { return Ok(None) };
        self.known.push(AcceptedLasso { lasso, truths: FxHashMap::default() });
        Ok(Some(self.known.len() - 1))
    }

    /// True if an accepting lasso has a fact.
    fn accepts(&mut self, known: usize, fact: &LassoFact) -> bool {
        let LassoQuery { model, atoms, .. } = self.accepting.asked();
        let AcceptedLasso { lasso, truths } = &mut self.known[known];
        for about in fact.atoms() {
            truths.entry(about.atom).or_insert_with(|| {
                let moments = &lasso.trace.moments;
                lasso.trace.positions().map(|at| about.holds((model, atoms), moments, &[at], &[])).collect()
            });
        }
        fact.is_true(lasso, |about, at| truths[&about.atom][at.index()])
    }

    /// The facts that an accepting lasso lacks.
    fn lacking(&mut self, known: usize, facts: &[LassoFact]) -> Vec<CandidateId> {
        let lacks = |index: &usize| !self.accepts(known, &facts[*index]);
        (0..facts.len()).filter(lacks).map(CandidateId::new).collect()
    }

    /// The facts that an accepting lasso lacks which has as many more than this one as can be had without much ado.
    fn lacking_grown(&mut self, known: usize, facts: &[LassoFact]) -> Limited<Vec<CandidateId>> {
        let mut lacking = self.lacking(known, facts);
        for candidate in lacking.clone().into_iter().take(MOST_TRIED) {
            if !lacking.contains(&candidate) {
                continue;
            }
            let has = (0..facts.len()).filter(|&index| !lacking.contains(&CandidateId::new(index)));
            let more: Vec<LassoFact> = has.chain([candidate.index()]).map(|i| facts[i].clone()).collect();
            if let Some(better) = self.ask(&more)? {
                self.known.swap(known, better);
                self.known.pop();
                lacking = self.lacking(known, facts);
            }
        }
        Ok(lacking)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum FactPart {
    /// A literal at one of its positions, numbered from the earliest.
    Here(usize, AtomLiteral),
    /// A literal at every position after the last one.
    After(AtomLiteral),
    /// The order between the positions up to this one and those that follow it.
    Order(usize),
}

impl LassoFact {
    /// Its parts: what it says of atoms in the order of [`LassoFact::said`], then how its positions are ordered.
    pub fn parts(&self) -> Vec<FactPart> {
        let places = self.before.iter().chain([&self.what]).enumerate();
        let here =
            places.flat_map(|(place, said)| said.iter().map(move |s| FactPart::Here(place, s.clone())));
        let after = self.after.iter().cloned().map(FactPart::After);
        here.chain(after).chain((0..self.before.len()).map(FactPart::Order)).collect()
    }

    /// The fact restricted to some of its parts: facts that all hold exactly if these do. Positions of which nothing is said are left
    /// out, and between those that need not be in order it falls apart.
    pub fn of_parts(&self, parts: &[FactPart]) -> Vec<Self> {
        let last = self.before.len();
        let mut here = vec![Vec::new(); last + 1];
        let mut after = Vec::new();
        for part in parts {
            match part {
                FactPart::Here(place, said) => here[*place].push(said.clone()),
                FactPart::After(said) => after.push(said.clone()),
                FactPart::Order(_) => {}
            }
        }
        // After some position that is late enough means from some position on.
        let is_limit = last > 0 && here[last].is_empty() && !after.is_empty();
        let limit = is_limit.then(|| Self::of(Recurrence::Forever, std::mem::take(&mut after)));
        let mut facts = Vec::new();
        let mut run = Vec::new();
        for (place, said) in here.into_iter().enumerate() {
            run.extend((!said.is_empty()).then_some(said));
            if !parts.contains(&FactPart::Order(place)) {
                let after = if place == last { std::mem::take(&mut after) } else { Vec::new() };
                let what = run.pop().unwrap_or_default();
                facts.push(Self { when: self.when, what, after, before: std::mem::take(&mut run) });
            }
        }
        facts.retain(|fact| fact.size() > 0);
        facts.into_iter().chain(limit).collect()
    }
}
