//! Necessary facts: what every violating trace has, and what none has.
//!
//! A counterexample without a fact refutes that all have it, one with it that none has; so traces that are known answer most
//! questions. What is left is asked of the solver for all facts at once, whose answer is one more such trace, or a proof for
//! all of them.

mod candidates;
mod every_length;

use super::block;
use super::constraint::Constraint;
use super::fact::{Fact, FactKind};
use super::occurrence::anywhere;
use super::options::{Necessity, Options};
use super::oracle::Oracle;
use super::product::search::Sought;
use super::result::{Class, Classification, Necessary, SharedFact, Verdict};
use super::space::Space;
use crate::budget::{Budget, Limited};
use crate::model::{Vocabulary, VocabularyItem};
use crate::sat::{Lit, Setup};
use crate::trace::Trace;
use candidates::{Candidates, Family};
use std::collections::BTreeSet;

pub(super) use every_length::EveryLength;

/// The most conflicts of a question for a short list. Limits of work, unlike those of time, give the same list on every machine.
const BRIEF_CONFLICTS: u32 = 1000;
/// The most questions of a kind for a short list.
const BRIEF_QUESTIONS: usize = 24;
/// The most conflicts of a question about several facts; one about a single fact has no such limit.
const JOINT_CONFLICTS: u32 = 20_000;
/// The most facts of each kind in a short list.
const BRIEF_FACTS: usize = 4;
/// The most instances of a fact with individuals that is looked at in this way.
const MOST_INSTANCES: usize = 64;
/// Variables of facts are numbered from here, apart from those of other searches.
const FIRST_NUMBER: usize = 1 << 12;
/// What is known before the first question.
pub(super) struct Known<'a> {
    /// Violating traces, the first of which is not longer than any other.
    pub violating: Vec<Trace>,
    /// Traces without violation.
    pub accepted: Vec<Trace>,
    /// After how many steps a trace is first violated at the earliest.
    pub least: usize,
    /// The classes: what all of them say is left out of a short list.
    pub classes: &'a [Class],
}

/// The facts that all violating traces of the space have, and those that none has, as far as is asked for and the budget allows.
pub(super) fn necessary(
    space: &mut Space<'_>,
    vocabulary: &Vocabulary,
    options: &Options,
    known: Known<'_>,
    budget: &Budget,
) -> Option<Necessary> {
    asked(space, vocabulary, options, known, None, budget)
}

fn asked(
    space: &mut Space<'_>,
    vocabulary: &Vocabulary,
    options: &Options,
    known: Known<'_>,
    every: Option<&mut EveryLength<'_>>,
    budget: &Budget,
) -> Option<Necessary> {
    let shortest = known.violating.first()?;
    let full = match options.necessity {
        Necessity::Unasked => return None,
        Necessity::Brief => false,
        Necessity::Full => true,
    };
    let (model, atoms) = (space.problem.model, space.atoms);
    // A short list is about what was done and what has a name.
    let vocabulary = if full { vocabulary.clone() } else { vocabulary.without(&observed(vocabulary)) };
    let candidates = Candidates::of(model, &vocabulary, atoms, options, shortest);
    let literals = candidates.list.iter().map(|_| Literals::default()).collect();
    let mut search = Search { space, candidates, literals, known, every, budget, full };
    let found = search.run(options.setup(options.check_backend));
    search.space.circuit().limit_conflicts(None);
    Some(found)
}

/// The same for traces of every length, of a result for some lengths: what is so up to its bound is decided for all others.
pub(super) fn necessary_for_every_length(
    every: &mut EveryLength<'_>,
    vocabulary: &Vocabulary,
    options: &Options,
    result: &Classification,
    budget: &Budget,
) -> Option<Necessary> {
    let weak = match &result.verdict {
        Verdict::TooWeak(weak) => Some(&weak.counterexample),
        _ => None,
    };
    let remainder = result.cover.as_ref().and_then(|cover| cover.remainder.as_ref());
    let classes = result.classes.iter().map(|class| &class.representative);
    let others = weak.into_iter().chain(&result.unclassified).chain(remainder);
    let mut violating: Vec<Trace> = classes.chain(others).cloned().collect();
    if violating.is_empty() {
        return None;
    }
    let problem = every.problem;
    let setup = options.setup(options.backend);
    let mut space = Space::unrolled(problem, &result.atoms, result.lengths, setup, budget).ok()?;
    violating.sort_by_key(|trace| space.steps_to_violation(trace));
    let steps = violating.first().map(|trace| space.steps_to_violation(trace));
    let listed =
        every.graph.ok().and_then(|graph| graph.depth_of(&mut |state| problem.is_violated_in(state)));
    let least = listed.or(steps).unwrap_or_default();
    let known = Known { violating, accepted: Vec::new(), least, classes: &result.classes };
    let found = asked(&mut space, vocabulary, options, known, Some(every), budget)?;
    Some(Necessary { every_length: true, ..found })
}

/// The items of a vocabulary that are no predicates.
fn observed(vocabulary: &Vocabulary) -> Vec<usize> {
    let is_observed =
        |item: &VocabularyItem| !matches!(item, VocabularyItem::Predicate(..) | VocabularyItem::Ground(_));
    (0..vocabulary.items.len()).filter(|&item| is_observed(&vocabulary.items[item])).collect()
}

/// The literals of a candidate.
#[derive(Default)]
struct Literals {
    /// Makes a trace have it, when it is true.
    has: Option<Lit>,
    /// Makes a trace lack it, when it is true.
    lacks: Option<Lit>,
}

/// Which traces are asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Which {
    /// Violating ones.
    Violating,
    /// Those without violation that are at least as long as a shortest violating one.
    Accepted,
    /// Those without violation, however short.
    Harmless,
    /// All of them, going on after a violation as well.
    Any,
}

/// What came of some candidates of which all traces were supposed to have each, or none.
#[derive(Default)]
struct Settled {
    proved: Vec<usize>,
    refuted: Vec<usize>,
    open: Vec<usize>,
}

struct Search<'a, 's, 'm, 'e> {
    space: &'s mut Space<'m>,
    candidates: Candidates,
    literals: Vec<Literals>,
    known: Known<'a>,
    /// Decides it for every length, if that is asked for.
    every: Option<&'s mut EveryLength<'e>>,
    budget: &'a Budget,
    /// Whether everything is asked for, and not only what makes a short list.
    full: bool,
}

impl Search<'_, '_, '_, '_> {
    fn run(&mut self, check: Setup) -> Necessary {
        let all: Vec<usize> = (0..self.candidates.list.len()).collect();
        let always = self.settle(&all, Which::Violating, true);
        // Predicates that hold in no counterexample are looked for elsewhere, and with their arguments, labels that none has are
        // many.
        let list = &self.candidates.list;
        let wanted: Vec<usize> = all.into_iter().filter(|&c| self.full || list[c].is_action()).collect();
        let never = self.settle(&wanted, Which::Violating, false);
        // What a trace lacks already without a violation of its own tells nothing.
        let told = self.settle(&always.proved, Which::Accepted, true);
        // Of every length, only traces without violation are known.
        let others = if self.every.is_some() { Which::Harmless } else { Which::Any };
        let possible = self.settle(&never.proved, others, false);
        let full = self.full;
        let mut result = Necessary {
            always: self.shared(&always.proved, &self.telling(&told), true),
            never: self.shared(&never.proved, &self.telling(&possible), false),
            full,
            ..Necessary::default()
        };
        if full {
            // What the budget leaves unchecked was proved once.
            let _ = self.check(check, &always.proved, &never.proved);
            let open = always.open.iter().chain(&never.open);
            let constraint = |&c: &usize| self.candidates.list[c].constraint.clone();
            result.undecided = open.map(constraint).collect();
            result.skipped = std::mem::take(&mut self.candidates.skipped);
        } else {
            for list in [&mut result.always, &mut result.never] {
                list.retain(|fact| fact.telling);
                result.more += list.len().saturating_sub(BRIEF_FACTS);
                list.truncate(BRIEF_FACTS);
            }
        }
        result
    }

    /// Of which of these candidates it is true that all such traces have it, or that none has it: of those within the bound, and of all
    /// others if these are asked about.
    fn settle(&mut self, candidates: &[usize], which: Which, have: bool) -> Settled {
        let mut settled = self.settle_within(candidates, which, have);
        let Some(every) = &mut self.every else { return settled };
        let least = if which == Which::Accepted { self.known.least } else { 0 };
        let sought = Sought { violating: which == Which::Violating, inside: !have, least };
        for c in std::mem::take(&mut settled.proved) {
            let constraint = &self.candidates.list[c].constraint;
            match every.exists(self.space.atoms, constraint, sought, self.budget) {
                Ok(None) => settled.proved.push(c),
                Ok(Some(_)) => settled.refuted.push(c),
                Err(_) => settled.open.push(c),
            }
        }
        settled
    }

    /// The same of the traces within the bound.
    fn settle_within(&mut self, candidates: &[usize], which: Which, have: bool) -> Settled {
        let mut settled = Settled::default();
        let refutes = |search: &Self, trace: &Trace, c: usize| {
            let constraint = &search.candidates.list[c].constraint;
            search.space.matches(constraint, trace).is_some() != have
        };
        let known: &[Trace] = match which {
            Which::Violating => &self.known.violating,
            Which::Accepted | Which::Harmless => &self.known.accepted,
            Which::Any => &[],
        };
        let counts = |trace: &&Trace| which != Which::Accepted || trace.len() >= self.known.least;
        let refuted = |&c: &usize| known.iter().filter(counts).any(|trace| refutes(self, trace, c));
        let (refuted, mut left): (Vec<usize>, Vec<usize>) = candidates.iter().partition(|c| refuted(c));
        settled.refuted = refuted;
        let mut groups = Vec::new();
        if !left.is_empty() {
            groups.push(std::mem::take(&mut left));
        }
        let mut questions = 0;
        while let Some(mut group) = groups.pop() {
            questions += 1;
            if !self.full && questions > BRIEF_QUESTIONS {
                settled.open.extend(group);
                break;
            }
            match self.ask(&group, which, have) {
                Ok(None) => settled.proved.extend(group),
                Ok(Some(trace)) => {
                    let before = group.len();
                    let refuted: Vec<usize> = group.extract_if(.., |c| refutes(self, &trace, *c)).collect();
                    settled.refuted.extend(refuted);
                    match which {
                        Which::Violating => self.known.violating.push(trace),
                        Which::Accepted | Which::Harmless => self.known.accepted.push(trace),
                        Which::Any => {}
                    }
                    if group.len() < before && !group.is_empty() {
                        groups.push(group);
                    } else if !group.is_empty() {
                        self.split(group, &mut groups, &mut settled);
                    }
                }
                Err(_) => self.split(group, &mut groups, &mut settled),
            }
        }
        settled.proved.sort_unstable();
        settled
    }

    /// What tells violating traces from others. Where that is not decided, a long list does not deny it.
    fn telling(&self, settled: &Settled) -> Vec<usize> {
        let open = settled.open.iter().filter(|_| self.full);
        settled.refuted.iter().chain(open).copied().collect()
    }

    /// Asks about parts of what was too hard to be asked about at once, if there is time.
    fn split(&self, mut group: Vec<usize>, groups: &mut Vec<Vec<usize>>, settled: &mut Settled) {
        if group.len() == 1 || !self.full || self.budget.exhausted().is_some() {
            settled.open.extend(group);
            return;
        }
        let rest = group.split_off(group.len() / 2);
        groups.extend([rest, group]);
    }

    /// A trace that refutes one of the candidates at least; an error where that is not known.
    fn ask(&mut self, group: &[usize], which: Which, have: bool) -> Limited<Option<Trace>> {
        if let Some(why) = self.budget.exhausted() {
            return Err(why);
        }
        let limit = match self.full {
            true => (group.len() > 1).then_some(JOINT_CONFLICTS),
            false => Some(BRIEF_CONFLICTS),
        };
        let mut lits = Vec::new();
        for &c in group {
            lits.push(if have { self.lacks(c) } else { self.has(c) });
        }
        let differs = self.space.circuit().any(&lits);
        self.space.circuit().limit_conflicts(limit);
        match which {
            Which::Violating => self.space.any_counterexample(&[differs]),
            Which::Accepted => self.space.accepted_from(self.known.least, &[differs]),
            Which::Harmless => self.space.accepted_from(0, &[differs]),
            Which::Any => self.space.any_trace(&[differs]),
        }
    }

    /// A literal that, when it is true, makes a trace have a candidate.
    fn has(&mut self, candidate: usize) -> Lit {
        if let Some(lit) = self.literals[candidate].has {
            return lit;
        }
        let constraint = &self.candidates.list[candidate].constraint;
        let lit = match occurs(self.space, constraint) {
            Some(lit) => {
                self.literals[candidate].lacks = Some(!lit);
                lit
            }
            None => anywhere(self.space, constraint, FIRST_NUMBER + candidate),
        };
        *self.literals[candidate].has.insert(lit)
    }

    /// A literal that, when it is true, makes a trace lack a candidate.
    fn lacks(&mut self, candidate: usize) -> Lit {
        if let Some(lit) = self.literals[candidate].lacks {
            return lit;
        }
        let constraint = &self.candidates.list[candidate].constraint;
        let lit = match occurs(self.space, constraint) {
            Some(lit) => {
                self.literals[candidate].has = Some(lit);
                !lit
            }
            None => {
                let matched = block::matched(self.space, constraint);
                self.space.exclude_in_gates(matched);
                !matched
            }
        };
        *self.literals[candidate].lacks.insert(lit)
    }

    /// Checks in a fresh solver that all violating traces have the first of these facts, and none the second.
    ///
    /// # Panics
    /// If that is wrong: that is a bug in this program.
    fn check(&self, setup: Setup, always: &[usize], never: &[usize]) -> Limited<()> {
        let Space { problem, atoms, .. } = *self.space;
        let mut space = Space::unrolled(problem, atoms, self.space.lengths(), setup, self.budget)?;
        space.limit_violations(self.space.most_steps());
        let facts = always.iter().map(|&c| (c, true)).chain(never.iter().map(|&c| (c, false)));
        for (c, have) in facts {
            let constraint = &self.candidates.list[c].constraint;
            let differs = match have {
                true => !block::matched(&mut space, constraint),
                false => anywhere(&mut space, constraint, FIRST_NUMBER + c),
            };
            let found = space.any_counterexample(&[differs])?;
            assert!(found.is_none(), "self-check: {constraint:?} is not shared: {found:?}");
        }
        Ok(())
    }

    /// What was proved, without what follows from other parts of it: predicates first, then labels, then states.
    fn shared(&self, proved: &[usize], telling: &[usize], always: bool) -> Vec<SharedFact> {
        let list = &self.candidates.list;
        let mut left: Vec<usize> = proved.to_vec();
        if !self.full {
            let said = self.said_by_classes();
            left.retain(|c| !said.contains(c));
        }
        let families = self.families(&left);
        if always {
            let implied = self.candidates.implied_by(&left);
            left.retain(|c| !implied.contains(c));
        } else {
            left.retain(|&c| self.candidates.implied_by(&[c]).is_disjoint(&proved.iter().copied().collect()));
        }
        let atoms = self.space.atoms;
        left.sort_by_key(|&c| (!list[c].constraint.has_predicate(atoms), !list[c].about_labels, c));
        let mut shared: Vec<SharedFact> = Vec::new();
        for c in left {
            let fact = match list[c].family.filter(|family| families.contains(family)) {
                Some(family) => SharedFact {
                    constraint: Constraint::of_atom(atoms, family.shape),
                    of_each: true,
                    telling: telling.contains(&c),
                },
                None => SharedFact {
                    constraint: list[c].constraint.clone(),
                    of_each: false,
                    telling: telling.contains(&c),
                },
            };
            // A value that a predicate is given, and one that its argument may have, read alike.
            let text =
                |fact: &SharedFact| (fact.of_each, fact.constraint.show(self.space.problem.model, atoms));
            let same = |other: &&mut SharedFact| text(other) == text(&fact);
            match shared.iter_mut().find(same) {
                Some(known) => known.telling |= fact.telling,
                None => shared.push(fact),
            }
        }
        shared
    }

    /// The families of which all members are among these.
    fn families(&self, candidates: &[usize]) -> Vec<Family> {
        let of: Vec<Family> = candidates.iter().filter_map(|&c| self.candidates.list[c].family).collect();
        let whole =
            |family: &Family| of.iter().filter(|other| *other == family).count() as u64 == family.size;
        of.iter().copied().filter(|family| family.size > 1 && whole(family)).collect()
    }

    /// The candidates that every class mentions.
    fn said_by_classes(&self) -> BTreeSet<usize> {
        let said = |class: &Class| self.candidates.said_by(self.space.atoms, &class.constraint.facts);
        let mut classes = self.known.classes.iter().map(said);
        let Some(first) = classes.next() else { return BTreeSet::new() };
        classes.fold(first, |all, next| &all & &next)
    }
}

/// A literal that is true exactly in the traces that satisfy a constraint, if that is about one position and few choices of
/// individuals.
fn occurs(space: &mut Space<'_>, constraint: &Constraint) -> Option<Lit> {
    if constraint.positions != 1 {
        return None;
    }
    let instances = constraint.instances(space.problem.model, space.atoms, MOST_INSTANCES)?;
    let mut places = Vec::new();
    for instance in &instances {
        for t in 0..=space.last() {
            let mut parts = vec![space.alive(t)];
            for fact in &instance.facts {
                let Fact { kind: FactKind::Atom(atom), .. } = fact else { return None };
                parts.push(space.atom_at(*atom, t));
            }
            places.push(space.circuit().all(&parts));
        }
    }
    Some(space.circuit().any(&places))
}
