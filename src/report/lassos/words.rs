//! Infinite traces, their facts and what became of a classification in words.

use super::LassoRequest;
use crate::classes::beyond::weak_words;
use crate::classes::vocabulary::{cut_text, tried_text};
use crate::shared::verdict::{VerdictWords, ended, extent_of_lassos, steps};
use crate::writing::wording::Wording;
use crate::writing::words::{
    ConstraintLine, absence, atom_words, individual_words, moment_words, who_is_who,
};
use classify::lassos::{
    AtomLiteral, AtomRef, Infinite, LassoBasis, LassoConstraint, LassoFact, LassoProof, OpenClaims,
};
use classify::vocabulary::ChoiceSummary;
use classify::{Atoms, Class, Classification, Unbounded, UnknownReason, VariableNames};
use engines::decide::NotListed;
use itertools::Itertools;
use kit::budget::Exhausted;
use kit::number::thousands;
use lang::model::Recurrence;
use lang::model::{Model, Position};

/// A constraint in words: one line for its individuals, if any, and one for each fact.
pub fn constraint_words(model: &Model, atoms: &Atoms, constraint: &LassoConstraint) -> Vec<String> {
    constraint_lines(model, atoms, constraint).into_iter().map(|line| line.words).collect()
}

/// The lines of [`constraint_words`] with their facts.
pub(crate) fn constraint_lines(
    model: &Model,
    atoms: &Atoms,
    constraint: &LassoConstraint,
) -> Vec<ConstraintLine> {
    let names = constraint.names(model, atoms);
    let individuals = individual_words(model, atoms, &constraint.individuals, &names.individuals);
    let facts = constraint.named_facts(model, atoms).into_iter().enumerate();
    let facts = facts.map(|(number, (fact, names))| ConstraintLine {
        words: fact_words(model, atoms, fact, &names),
        facts: vec![number],
    });
    let distinct = distinct_words(model, atoms, constraint).into_iter().map(ConstraintLine::bare);
    let mut lines: Vec<ConstraintLine> =
        individuals.map(ConstraintLine::bare).into_iter().chain(facts).chain(distinct).collect();
    if lines.is_empty() {
        lines.push(ConstraintLine::bare("no condition: the property is always violated".to_owned()));
    }
    lines
}

/// The literals of a constraint about its individuals alone, in words.
fn distinct_words(model: &Model, atoms: &Atoms, constraint: &LassoConstraint) -> Vec<String> {
    let names = constraint.names(model, atoms);
    let words = |about: &AtomRef| atom_words(model, atoms.get(about.atom), &about.names(&names));
    constraint.distinct.iter().map(words).collect()
}

/// One fact in words; `names` has those of all individuals, and of its own positions.
pub fn fact_words(model: &Model, atoms: &Atoms, fact: &LassoFact, names: &VariableNames) -> String {
    let nowhere = VariableNames { positions: Vec::new(), ..names.clone() };
    let words = |about: &AtomRef, names: &VariableNames| {
        moment_words(model, atoms.get(about.atom), &about.names(names))
    };
    let said = |said: &AtomLiteral, names: &VariableNames| match said.holds {
        true => words(&said.about, names),
        false => format!("not ({})", words(&said.about, names)),
    };
    let all =
        |what: &[AtomLiteral], names: &VariableNames| what.iter().map(|s| said(s, names)).join(", and ");
    match (fact.when, fact.what.as_slice()) {
        (Recurrence::Again, what) => format!("again and again, {}", all(what, names)),
        (Recurrence::Forever, [AtomLiteral { about, holds: false }]) => {
            format!(
                "from some position on, {}",
                absence(model, atoms.get(about.atom), &about.names(&nowhere))
            )
        }
        (Recurrence::Forever, what) => format!("from some position on, always {}", all(what, names)),
        (Recurrence::Once, _) => {
            let placed = fact.placed(names).filter(|(what, _)| !what.is_empty()).enumerate();
            let here = placed.map(|(index, (what, own))| {
                let later = if index > 0 { "later, " } else { "" };
                format!("{later}at {}, {}", own.positions.join(", "), all(what, &own))
            });
            let last = names.positions.last().map(String::as_str).unwrap_or_default();
            let after = fact.after.iter().map(|said| match said.holds {
                true => format!("after {last}, always {}", words(&said.about, &nowhere)),
                false => {
                    let own = said.about.names(&nowhere);
                    format!("after {last}, {}", absence(model, atoms.get(said.about.atom), &own))
                }
            });
            here.chain(after).join("; ")
        }
    }
}

/// How a vocabulary was chosen.
pub fn chosen_words(chosen: &ChoiceSummary) -> String {
    tried_text(chosen, "best of") + &cut_text(chosen)
}

/// The decisive step of the representative of the class with this index, if that is known.
pub fn decisive_words(result: &Classification<Infinite>, class: usize) -> Option<String> {
    let decisions = result.decisions.as_ref()?;
    let lasso = &result.classes[class].representative;
    let Some(position) = decisions.positions[class] else {
        return Some(match decisions.is_of_all {
            true => "no step decides: the property can still be satisfied at every position".to_owned(),
            false => "no step of the first loop iteration makes the violation inevitable".to_owned(),
        });
    };
    let as_far = match decisions.is_of_all {
        true => String::new(),
        false => format!(" that repeats after up to {}", steps(result.sufficient_up_to)),
    };
    Some(match (position, lasso.place(position)) {
        (Position::FIRST, _) => {
            format!("the initial state decides: no infinite trace{as_far} satisfies the property")
        }
        (_, place) if place == position => {
            format!("step {place} decides: afterwards no infinite trace{as_far} satisfies the property")
        }
        (_, place) => {
            format!(
                "step {place} decides, in a later iteration: afterwards no infinite trace{as_far} satisfies the property"
            )
        }
    })
}

/// Returns who the individuals are, and the positions in later rounds of the loop: this follows the steps of the representative.
pub fn assigned_words(model: &Model, atoms: &Atoms, class: &Class<Infinite>) -> String {
    let names = class.constraint.names(model, atoms);
    let places = names.positions.iter().zip(&class.assigned.positions);
    let later =
        places.filter(|(_, at)| **at > class.representative.trace.last()).map(|(name, _)| name).join(", ");
    let later = if later.is_empty() { later } else { format!(", {later} in a later iteration") };
    who_is_who(model, &names, &class.assigned) + &later
}

/// Returns the positions of a class by name, with their places in its representative: those in a later round of the loop in the first one.
pub fn placed(model: &Model, atoms: &Atoms, class: &Class<Infinite>) -> Vec<(String, Position)> {
    let places = class.assigned.positions.iter().map(|&at| class.representative.place(at));
    class.constraint.names(model, atoms).positions.into_iter().zip(places).collect()
}

/// The end of a classification in one sentence.
pub fn sentence(request: &LassoRequest<'_>, result: &Classification<Infinite>) -> String {
    let bound = (!result.is_unbounded()).then_some(result.lengths.bound());
    let extent = |what: &str| extent_of_lassos(request.fairness, what, bound);
    let is_in_class = result.cover.as_ref().is_some_and(|cover| cover.context.is_some());
    let within = if is_in_class { " in this class" } else { "" };
    let several = extent("infinite counterexamples").replacen("repeats", "repeat", 1) + within;
    let words = VerdictWords {
        past: "violated",
        vocabulary: &request.asked.vocabulary.name,
        found: Wording::Violation.kinds(result.classes.len()),
        any_kind: "any kind of violation".to_owned(),
        holds: format!("holds: no {} violates the property", extent("infinite trace")),
        every: format!("every {}", extent("infinite counterexample")),
        longer: "classified",
        traces: "counterexamples".to_owned(),
        alike: "a violating and a satisfying infinite trace",
        one: extent("infinite counterexample") + within,
        searched: several.clone(),
        several,
        article: "any",
        excluded: |_| String::new(),
    };
    words.sentence(result, |constraint| constraint.individuals.len())
}

/// Beyond which lengths the result is known, if there is something to say.
pub fn lengths_words(result: &Classification<Infinite>) -> Option<String> {
    let Some(unbounded) = &result.unbounded else {
        let suffices = result.classes.iter().filter(|class| class.sufficient).count();
        let says_more = result.sufficient_up_to > result.lengths.bound() && suffices > 0;
        let which =
            if suffices < result.classes.len() { "classes that suffice do so" } else { "classes suffice" };
        return says_more.then(|| format!("{which} up to {}", steps(result.sufficient_up_to)));
    };
    let bound = result.lengths.bound();
    Some(match unbounded {
        Unbounded::Proved(LassoProof { basis, bounds }) => {
            let bounds = bounds.iter().join(", ");
            let how = match basis {
                LassoBasis::States(states) => format!("{} states were listed", thousands(*states)),
                LassoBasis::Proofs(checked_by) => {
                    format!("proved by induction, which {checked_by} checked again")
                }
            };
            format!("all: {how}, after a search for classes up to {bounds} steps")
        }
        Unbounded::Open(UnknownReason::Obstacle(open)) => {
            format!("up to {}: {}", steps(bound), open_words(*open))
        }
        Unbounded::Open(UnknownReason::Weak { complete_up_to }) => weak_words(bound, *complete_up_to),
        Unbounded::Open(UnknownReason::Broken { steps: n, why }) => {
            format!("up to {}; {}", steps(bound), broken_words(*n, *why))
        }
    })
}

/// Why the result is not about all infinite traces, and what is proved of these.
pub fn open_words(OpenClaims { why, sufficient, classes }: OpenClaims) -> String {
    let proved = match (sufficient, classes) {
        (0, _) => "nothing is proved for all infinite traces".to_owned(),
        (1, 1) => "the class is proved sufficient for all infinite traces".to_owned(),
        (n, all) if n == all => "the classes are proved sufficient for all infinite traces".to_owned(),
        (n, all) => format!("{n} of {all} classes are proved sufficient for all infinite traces"),
    };
    format!("{}; {proved}", NotListed::Budget(why))
}

/// A sentence about a longer infinite trace that contradicts the result.
pub fn broken_words(n: usize, why: Option<Exhausted>) -> String {
    let fails = format!("beyond, it fails at {}", steps(n));
    why.map_or(fails.clone(), |why| format!("{fails}, and {} before a better one was found", ended(why)))
}
