//! Candidates for necessary facts of violating lassos: each predicate or observable at some position, again and again, or at all from
//! some position on.

use super::constraint::LassoConstraint;
use super::fact::AtomLiteral;
use crate::facts::atom::Atoms;
use crate::facts::constraint::Constraint;
use crate::search::necessary::candidates::{Candidates, Family, NecessaryCandidate};
use lang::model::Model;
use lang::model::Recurrence;
use std::collections::BTreeSet;

/// Each of these implies those before.
const STRONGER: [Recurrence; 3] = [Recurrence::Once, Recurrence::Again, Recurrence::Forever];

/// The candidates of infinite traces.
pub struct Recurring {
    /// All of them. For each thing there are those of [`STRONGER`] in this order, one after the other.
    pub all: Candidates<LassoConstraint>,
}

impl Recurring {
    /// Those of things that can happen at a position. What says more than that of a thing is left out.
    pub fn of(model: &Model, atoms: &Atoms, things: &Candidates<Constraint>) -> Self {
        let recurring =
            |constraint: &Constraint, when| LassoConstraint::recurring(model, atoms, constraint, when);
        let is_kept =
            |thing: &NecessaryCandidate<Constraint>| recurring(&thing.constraint, Recurrence::Once).is_some();
        let kept: Vec<bool> = things.list.iter().map(is_kept).collect();
        let first = |thing: usize| kept[..thing].iter().filter(|kept| **kept).count() * STRONGER.len();
        let mut list = Vec::new();
        for (number, thing) in things.list.iter().enumerate() {
            for (strength, when) in STRONGER.into_iter().enumerate() {
                let Some(constraint) = recurring(&thing.constraint, when) else { continue };
                let weaker = (strength > 0).then(|| first(number) + strength - 1);
                let others = thing.implied.iter().filter(|other| kept[**other]);
                let family = thing.family.as_ref().and_then(|family| {
                    Some(Family { shape: recurring(&family.shape, when)?, size: family.size })
                });
                list.push(NecessaryCandidate {
                    constraint,
                    has_predicate: thing.has_predicate,
                    about_labels: thing.about_labels,
                    is_action: thing.is_action && when != Recurrence::Forever,
                    implied: others.map(|&other| first(other) + strength).chain(weaker).collect(),
                    family,
                });
            }
        }
        Self { all: Candidates { list, skipped: things.skipped.clone() } }
    }

    /// The candidates that a class says all of its lassos have, with what they imply, and those of which it says that none has.
    pub fn said_by(&self, atoms: &Atoms, class: &LassoConstraint) -> BTreeSet<usize> {
        let text = |said: &AtomLiteral| atoms.get(said.about.atom).identity();
        let mut texts: BTreeSet<(Recurrence, bool, String)> = BTreeSet::new();
        for fact in &class.facts {
            let here = fact.before.iter().flatten().chain(&fact.what).map(|said| (fact.when, said));
            let later = fact.after.iter().map(|said| (Recurrence::Forever, said));
            texts.extend(here.chain(later).map(|(when, said)| (when, said.holds, text(said))));
        }
        let says = |constraint: &LassoConstraint, when: Recurrence, holds: bool| {
            let mut said = constraint.facts.iter().flat_map(|fact| &fact.what);
            said.all(|said| texts.contains(&(when, holds, text(said))))
        };
        let list = self.all.list.iter().enumerate();
        let said = list.clone().filter(|(_, candidate)| {
            let when = candidate.constraint.facts[0].when;
            let shape = candidate.family.as_ref().map(|family| &family.shape);
            [Some(&candidate.constraint), shape].into_iter().flatten().any(|own| says(own, when, true))
        });
        let said: Vec<usize> = said.map(|(number, _)| number).collect();
        // What is never so from some position on is not so again and again.
        let denied = list.filter(|(_, candidate)| {
            let is_limit = candidate.constraint.facts[0].when == Recurrence::Again;
            is_limit && says(&candidate.constraint, Recurrence::Forever, false)
        });
        let denied: Vec<usize> = denied.map(|(number, _)| number).collect();
        let implied = self.all.implied_by(&said);
        said.into_iter().chain(denied).chain(implied).collect()
    }
}
