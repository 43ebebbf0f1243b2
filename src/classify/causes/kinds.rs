//! Kinds of violation: irreducible traces in which the last step breaks the property for the same reasons.

use super::pattern::{ArgumentSlot, CausePattern, PatternStep};
use super::replay::shorter_violation;
use super::way::{LoopRound, Way};
use crate::facts::problem::Problem;
use crate::lassos::options::LassoProblem;

/// A kind of violation.
#[derive(Debug, Clone)]
pub struct CausalKind {
    /// The step that breaks the property, and the deciding ones.
    pub deciding: CausePattern,
    /// Its irreducible traces, one of each pattern, the shortest first.
    pub ways: Vec<Way>,
    /// Kinds with more steps: those with a last step of the same action whose deciding steps contain those of this one, those of which every trace
    /// has a violation of this kind among its own steps, and those that take its steps with other roles and add no reason of the violation.
    pub variants: Vec<CausalKind>,
    /// True if its steps in another order are another kind, because a constant of the model tells them apart.
    pub in_this_order: bool,
    /// Steps of its first trace among the deciding ones that no later step is due to, but that tell it from other kinds, by number from 0.
    telling: Vec<usize>,
}

/// The kinds of irreducible traces, in the order in which they first occur.
pub fn kinds(problem: Problem<'_>, found: Vec<Way>) -> Vec<CausalKind> {
    without_variants(without_detours(problem, grouped(found)))
}

/// The kinds of irreducible lassos, in the order in which they first occur.
pub fn kinds_of_lassos(problem: LassoProblem<'_>, found: Vec<Way>) -> Vec<CausalKind> {
    let reads_labels = problem.formula.atoms().iter().any(|atom| atom.reads_label());
    let mut kinds = without_variants(grouped(found));
    // Where nothing changes any more, an action that never changes anything is the one to show.
    let mut hosts: Vec<usize> = (0..kinds.len()).filter(|&at| kinds[at].ways[0].stays()).collect();
    hosts.sort_by_key(|&at| !kinds[at].ways[0].round.as_ref().is_some_and(|round| round.rests));
    let mut host_of: Vec<Option<usize>> = vec![None; kinds.len()];
    for host in hosts {
        for other in (0..kinds.len()).filter(|&other| other != host) {
            if host_of[host].is_none() && host_of[other].is_none() {
                let is_host = kinds[host].lasts_in(&kinds[other])
                    || !reads_labels && kinds[host].ends_like(&kinds[other]);
                host_of[other] = is_host.then_some(host);
            }
        }
    }
    for other in (0..kinds.len()).filter(|&other| host_of[other].is_some()) {
        // A host may be a variant of another kind itself.
        let mut host = other;
        while let Some(next) = host_of[host] {
            host = next;
        }
        let variant = kinds[other].clone();
        kinds[host].add_variant(variant);
    }
    let mut number = 0..;
    kinds.retain(|_| number.next().is_some_and(|number| host_of[number].is_none()));
    kinds
}

/// The ways by their deciding steps. Values that the model names tell them apart only in the steps that violate the property, and only where every way
/// has one.
fn grouped(found: Vec<Way>) -> Vec<CausalKind> {
    let mut kinds: Vec<CausalKind> = Vec::new();
    for way in found {
        match kinds.iter_mut().find(|kind| kind.admits(&way)) {
            Some(kind) => kind.add(way),
            None => kinds.push(CausalKind::of(way)),
        }
    }
    kinds
}

/// Gathers the kinds of which every trace has a shorter violation among its own steps below the kind of that one.
fn without_detours(problem: Problem<'_>, kinds: Vec<CausalKind>) -> Vec<CausalKind> {
    let mut kept: Vec<CausalKind> = Vec::new();
    for kind in kinds {
        let shorter = |way: &Way| Some(way.actions()[shorter_violation(problem, &way.trace)?]);
        let shorter: Option<Vec<usize>> = kind.ways.iter().map(shorter).collect();
        let breaking = shorter.and_then(|actions| actions.first().copied());
        let is_host = |other: &&mut CausalKind| {
            breaking.is_some()
                && breaking == other.breaking_action()
                && other.deciding.is_in(&kind.ways[0].pattern)
        };
        match kept.iter_mut().find(is_host) {
            Some(host) => host.variants.push(kind),
            None => kept.push(kind),
        }
    }
    kept
}

/// Gathers the kinds whose deciding steps contain those of a kind with fewer steps, and with a last step of the same action, or the same loop, below
/// that one.
fn without_variants(kinds: Vec<CausalKind>) -> Vec<CausalKind> {
    let mut kept: Vec<CausalKind> = Vec::new();
    for kind in kinds {
        let contains = |other: &&mut CausalKind| {
            let is_contained = match other.ways[0].round {
                Some(_) => other.deciding.is_rooted_in(&kind.deciding),
                None => {
                    other.breaking_action() == kind.breaking_action() && other.deciding.is_in(&kind.deciding)
                }
            };
            other.steps() < kind.steps() && (is_contained || other.is_detour(&kind))
        };
        match kept.iter_mut().find(contains) {
            Some(other) => other.add_variant(kind),
            None => kept.push(kind),
        }
    }
    kept
}

impl CausalKind {
    /// The kind of one trace.
    pub fn of(way: Way) -> Self {
        Self {
            deciding: way.deciding.clone(),
            ways: vec![way],
            variants: Vec::new(),
            in_this_order: false,
            telling: Vec::new(),
        }
    }

    /// True if a way has the deciding steps of this kind with the same roles in those that violate the property, or one of both has none there, or
    /// if individuals are the same that differ here.
    fn admits(&self, way: &Way) -> bool {
        let first = &self.ways[0];
        let pairs = [
            (&first.fewer.deciding, &way.fewer.deciding),
            (&first.fewer.deciding, &way.fewer.without),
            (&way.fewer.deciding, &first.fewer.without),
        ];
        let merged = first.fewer.deciding.without_differences();
        let is_merged = merged.steps.len() == way.fewer.deciding.steps.len();
        pairs.into_iter().any(|(one, other)| one.is_same(other))
            || is_merged && merged.is_rooted_in(&way.fewer.deciding)
    }

    /// Adds a way. The deciding steps of the kind are then those that all its ways have, with as many roles and arguments as possible.
    pub(super) fn add(&mut self, way: Way) {
        self.ways.push(way);
        let way = &self.ways[self.ways.len() - 1];
        let fits = |pattern: &CausePattern| {
            self.ways.iter().all(|way| {
                let forms = [&way.deciding, &way.fewer.deciding, &way.fewer.without];
                forms.into_iter().any(|form| pattern.is_rooted_in(form))
            })
        };
        let of_both = [&self.deciding, &way.deciding, &way.fewer.deciding, &way.fewer.without];
        let merged = of_both.iter().map(|of| of.without_differences());
        let less = of_both.iter().flat_map(|of| [of.with_any_from(of.roots), of.with_any_from(0)]);
        let common = of_both.iter().copied().cloned().chain(merged).chain(less).find(fits);
        self.deciding = common.expect("the ways of a kind have the same actions");
    }

    /// Adds the other steps that all its ways have to the deciding ones, unless all of some other ways have them, too.
    pub(super) fn tell_more(&mut self, others: &[Way]) {
        let first = &self.ways[0].pattern;
        let earlier = first.steps[first.roots..].iter().enumerate();
        for (step, form) in earlier.filter(|(step, _)| !self.ways[0].reasons.deciding().contains(step)) {
            let place = self.told_steps().partition_point(|&told| told < step);
            let form = PatternStep { slots: vec![ArgumentSlot::Any; form.slots.len()], ..form.clone() };
            let mut more = self.deciding.clone();
            more.steps.insert(more.roots + place, form);
            let have_all = |ways: &[Way]| ways.iter().all(|way| more.is_rooted_in(&way.pattern));
            if have_all(&self.ways) && !have_all(others) {
                self.deciding = more;
                self.telling.push(step);
            }
        }
    }

    /// Adds all other steps to the deciding ones, if all its ways have them.
    pub(super) fn tell_all(&mut self) {
        let first = &self.ways[0];
        if self.ways.iter().all(|way| first.pattern.is_rooted_in(&way.pattern)) {
            let others = first.pattern.steps.len() - first.pattern.roots;
            let deciding = first.reasons.deciding();
            self.telling = (0..others).filter(|step| !deciding.contains(step)).collect();
            self.deciding = first.pattern.clone();
        }
    }

    /// The steps of its first trace that its deciding steps are, by number from 0, but for those that violate the property.
    pub fn told_steps(&self) -> Vec<usize> {
        let mut steps = self.ways[0].reasons.deciding();
        steps.extend(&self.telling);
        steps.sort_unstable();
        steps
    }

    /// True if every way of another kind has the steps of one of this kind, except for roles before the violation, and the violation is due to no
    /// others. Steps that only make the last one possible are no such reason.
    fn is_detour(&self, other: &CausalKind) -> bool {
        let is_part = |own: &Way, other: &Way| {
            own.fewer.all.is_rooted_in(&other.fewer.all)
                && (!other.reasons.is_breaking_due() || other.fewer.without.is_in(&own.fewer.without))
        };
        other.ways.iter().all(|way| self.ways.iter().any(|own| is_part(own, way)))
    }

    /// Adds a kind and its variants to the variants of this one.
    pub(super) fn add_variant(&mut self, mut kind: CausalKind) {
        let own = std::mem::take(&mut kind.variants);
        self.variants.extend([kind].into_iter().chain(own));
    }

    /// True if nothing changes any more in the loops of both kinds, and the other one has the deciding steps of this one.
    fn ends_like(&self, other: &CausalKind) -> bool {
        let deciding = self.deciding.of_others();
        let has_deciding = |other: &Way| deciding.steps.is_empty() || deciding.is_in(&other.pattern);
        self.ways.iter().chain(&other.ways).all(Way::stays) && other.ways.iter().all(has_deciding)
    }

    /// True if steps keep actions from being due for ever in this kind, in whose loop nothing changes, and in the other one either such steps do so as
    /// well, or they are taken, some of them again and again.
    fn lasts_in(&self, other: &CausalKind) -> bool {
        let Some(LoopRound { lasting, .. }) = &self.ways[0].round else { return false };
        let is_other = |way: &Way| match &way.round {
            Some(round) if way.stays() => lasting.is_in(&round.lasting),
            _ => lasting.is_in(&way.pattern) && lasting.shares_step(&way.pattern.of_roots()),
        };
        !lasting.steps.is_empty() && other.ways.iter().all(is_other)
    }

    /// The action of its last step; `None` for a violation in an initial state.
    pub fn breaking_action(&self) -> Option<usize> {
        self.deciding.steps.first().map(|step| step.action)
    }

    /// True if the steps that violate the property are of the same actions as those of another kind.
    pub fn breaks_like(&self, other: &CausalKind) -> bool {
        self.deciding.of_roots().has_actions_of(&other.deciding.of_roots())
    }

    /// The number of steps of its shortest traces.
    pub fn steps(&self) -> usize {
        self.ways[0].trace.len()
    }

    /// The kind and its variants.
    pub fn with_variants(&self) -> impl Iterator<Item = &CausalKind> {
        std::iter::once(self).chain(&self.variants)
    }
}
