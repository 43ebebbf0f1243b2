//! The obligations of a classification.

use super::classes::{FATES, NoFormula, OfClass, ReadClass, before, question, read};
use super::combinations::{Sets, unlisted};
use super::consistent::{CommonFields, reached, together};
use super::document::{
    ClassifyDocument, ClassifyVerdict, LengthsWord, Mode, StoredNecessary, StoredPair, StoredShared,
    StoredSource,
};
use super::facts::About;
use super::indistinct;
use super::notation;
use super::obligation::Obligation;
use super::replay::{Subject, constants, shown};
use lang::model::{Model, TraceFormula, TraceFormulaText};
use lang::trace::Trace;
use solvers::smt::{Steps, TraceQuestion, Violation};
use std::sync::Arc;

/// The claim about facts that violating traces of every length share.
pub(super) const SHARED: &str = "what violating traces share, those of every length do";

struct Claims<'a> {
    document: &'a ClassifyDocument,
    subject: Subject<'a>,
    of_class: OfClass<'a>,
}

/// Returns the obligations of a classification.
pub(super) fn obligations(
    model: &Model,
    document: &ClassifyDocument,
    sources: &[StoredSource],
) -> Vec<Obligation> {
    let property = model.properties.iter().find(|property| property.name == document.property);
    let invariant = property.and_then(|property| property.invariant());
    let about = match invariant {
        None => Err(format!("the model has no invariant {}", document.property)),
        Some(_) if model.name != document.model => Err(format!("the model is called {}", model.name)),
        Some(_) => constants(model, &document.constants)
            .and_then(|()| vocabulary(model, &document.vocabulary, document.chosen.is_some()))
            .and_then(|()| consistent(document)),
    };
    let mut list =
        vec![Obligation::evaluated("document", "the result is about this model, and consistent", about)];
    let Some(invariant) = invariant else { return list };
    let subject = Subject { model, invariant, lengths: document.lengths, bound: document.bound };
    let classes = document.classes.iter().flat_map(|class| ReadClass::with_images(model, class));
    let classes: Vec<ReadClass<'_>> = classes.collect();
    let within = within(model, document, &mut list);
    let of_class = OfClass {
        subject,
        property: &document.property,
        sufficient_up_to: document
            .horizon
            .as_ref()
            .and_then(|horizon| horizon.sufficient_up_to)
            .unwrap_or(document.bound)
            .max(document.bound),
        all: &classes,
        is_within_unknown: document.within.is_some() && within.is_none(),
        within,
        finished: CommonFields::from(document).answer().is_finished(),
        mode: document.mode,
        about: &About { model, sources },
    };
    list.extend(classes.iter().flat_map(|class| of_class.obligations(class)));
    let claims = Claims { document, subject, of_class };
    claims.whole(&mut list);
    claims.shown(&mut list);
    claims.combinations(&mut list);
    if let Some(necessary) = &document.necessary_facts {
        claims.necessary(necessary, &mut list);
    }
    if let Some(pair) = &document.too_weak {
        let claim = "a counterexample and a trace without violation have all these facts";
        list.push(shown(model, "too-weak", claim, &pair.counterexample, |_| claims.pair(pair)));
    }
    list
}

/// Returns the class whose counterexamples were covered, unless all were.
fn within(
    model: &Model,
    document: &ClassifyDocument,
    list: &mut Vec<Obligation>,
) -> Option<Arc<TraceFormula>> {
    let (constraint, formula) = (document.within.as_ref()?, document.within_formula.as_ref()?);
    let claim = "the text of the class whose counterexamples were covered says what its formula says";
    let found = read(model, formula);
    let right = match &found {
        Ok(_) => notation::agree(constraint, formula, None),
        Err(NoFormula::Wrong(why)) => Err(format!("its formula cannot be read: {why}")),
        Err(NoFormula::Fates) => {
            list.push(Obligation::open("within", claim, FATES));
            return None;
        }
    };
    list.push(Obligation::evaluated("within", claim, right));
    found.ok()
}

/// Returns the open obligation that only the counterexamples of another class count, which the result does not store.
pub(super) fn unknown_within() -> Obligation {
    let why = "these are the counterexamples of another class, which the result does not store";
    Obligation::open("within", "only the counterexamples of a class count", why)
}

/// Checks that the model has a vocabulary, unless the program made it.
pub(super) fn vocabulary(model: &Model, name: &str, is_made: bool) -> Result<(), String> {
    match is_made || model.vocabulary(name).is_some() {
        true => Ok(()),
        false => Err(format!("the model has no vocabulary {name}")),
    }
}

/// Checks the fields of a document against each other.
fn consistent(document: &ClassifyDocument) -> Result<(), String> {
    let ClassifyDocument { classes, depth, horizon, mode, bound, .. } = document;
    let verdict = CommonFields::from(document).answer();
    CommonFields::from(document).check()?;
    let has_horizon = verdict.is_complete() || verdict.holds() || verdict == ClassifyVerdict::Remainder;
    let is_from = document.lengths == LengthsWord::UpTo;
    let beyond = horizon.as_ref().and_then(|horizon| horizon.sufficient_up_to);
    together([
        (depth.is_some() == (verdict == ClassifyVerdict::Undecided), "the depth"),
        (horizon.is_none() || has_horizon && is_from, "what traces beyond the bound say"),
        (beyond.is_none_or(|steps| steps > *bound), "the horizon"),
    ])?;
    reached(*depth, Some(*bound))?;
    match *mode == Mode::Cover || classes.iter().all(|class| class.sufficient) {
        true => Ok(()),
        false => Err("a class does not suffice, and the result is no cover".into()),
    }
}

impl Claims<'_> {
    /// Adds the claims of the verdict about all traces.
    fn whole(&self, list: &mut Vec<Obligation>) {
        let ClassifyDocument { property, depth, .. } = self.document;
        let verdict = CommonFields::from(self.document).answer();
        let holds = |steps| {
            let inside = self.of_class.question(steps).inside;
            let asked = question(&self.subject, property, steps, Violation::Somewhere);
            TraceQuestion { inside, ..asked }
        };
        if self.of_class.is_within_unknown {
            list.extend(self.document.within_formula.is_none().then(unknown_within));
        } else if verdict.holds() {
            let claim = format!("no trace within the bound violates {property}");
            list.push(Obligation::ask("holds", claim, holds(self.subject.steps())));
        } else if verdict.is_complete() {
            list.push(self.complete());
        } else {
            list.extend(before("depth", *depth, &self.subject, property, holds));
        }
        if self.document.unbounded.as_ref().is_some_and(|unbounded| unbounded.proved) {
            list.push(Obligation::open(
                "every-length",
                "the same is so of traces of every length",
                "a classification stores no certificate for that",
            ));
        }
    }

    /// Returns the classes that are not redundant.
    fn needed(&self) -> impl Iterator<Item = &ReadClass<'_>> {
        self.of_class.all.iter().filter(|read| !read.class.redundant)
    }

    /// Returns formulas for questions about these classes, or an open obligation with the reason why there are none.
    fn of_all(
        &self,
        name: &str,
        claim: &str,
        ask: impl FnOnce(Vec<(&ReadClass<'_>, Arc<TraceFormula>)>) -> Vec<Obligation>,
    ) -> Vec<Obligation> {
        let mut formulas = Vec::new();
        for read in self.needed() {
            match &read.formula {
                Err(NoFormula::Fates) => return vec![Obligation::open(name, claim, FATES)],
                Err(NoFormula::Wrong(_)) => {
                    let why = format!("the formula of {} cannot be read", read.title());
                    return vec![Obligation::evaluated(name, claim, Err(why))];
                }
                Ok(formula) => formulas.push((read, Arc::clone(formula))),
            }
        }
        ask(formulas)
    }

    fn complete(&self) -> Obligation {
        let claim = "every counterexample within the bound is in a class";
        let asked = self.of_all("complete", claim, |formulas| {
            let outside = formulas.into_iter().map(|(read, formula)| (read.title(), formula)).collect();
            let asked = self.of_class.question(self.subject.steps());
            vec![Obligation::ask("complete", claim, TraceQuestion { outside, ..asked })]
        });
        asked.into_iter().next().unwrap_or_else(|| unreachable!("there is one obligation"))
    }

    /// Adds the obligation that all combinations are listed, if the result claims it.
    fn combinations(&self, list: &mut Vec<Obligation>) {
        let is_known = !self.of_class.is_within_unknown;
        let Some(listed) = self.document.combinations.as_ref().filter(|_| is_known) else { return };
        let needed = || self.needed().filter(|read| read.image.is_none()).map(|read| read.class);
        let ids: Vec<usize> = needed().map(|class| class.id).collect();
        for (number, combination) in listed.iter().enumerate() {
            let members = needed().filter(|class| combination.classes.contains(&class.id));
            let least = members.map(|class| class.representative.steps).max().unwrap_or(0);
            let shorter = combination.steps.min(self.document.bound).checked_sub(1);
            let (Steps::UpTo(_), true, Some(shorter)) =
                (self.subject.steps(), self.of_class.finished, shorter.filter(|shorter| *shorter >= least))
            else {
                continue;
            };
            let (name, claim) = (
                format!("combination-{}-shortest", number + 1),
                "no counterexample of these classes alone has fewer steps",
            );
            list.extend(self.of_all(&name, claim, |formulas| {
                let asked =
                    self.of_sets(&formulas, &Sets::only(&combination.classes, &ids), Steps::UpTo(shorter));
                vec![Obligation::ask(&name, claim, asked)]
            }));
        }
        if self.document.all_combinations != Some(true) {
            return;
        }
        let (name, claim) = ("combinations", "no other classes occur together");
        let Some(unlisted) = unlisted(&ids, listed) else {
            list.push(Obligation::open(
                name,
                claim,
                "there are too many classes to ask about all of their sets",
            ));
            return;
        };
        list.extend(self.of_all(name, claim, |formulas| {
            let ask = |(number, sets): (usize, &Sets)| {
                let asked = self.of_sets(&formulas, sets, self.subject.steps());
                Obligation::ask(format!("{name}-{}", number + 1), sets.claim(), asked)
            };
            unlisted.iter().enumerate().map(ask).collect()
        }));
    }

    /// Returns the question for counterexamples that are in all of some classes, and in none of others.
    fn of_sets(
        &self,
        formulas: &[(&ReadClass<'_>, Arc<TraceFormula>)],
        sets: &Sets,
        steps: Steps,
    ) -> TraceQuestion {
        let of = |id: usize| {
            formulas
                .iter()
                .filter(move |(read, _)| read.class.id == id)
                .map(|(_, formula)| Arc::clone(formula))
        };
        let mut asked = self.of_class.question(steps);
        asked
            .one_of
            .extend(sets.with.iter().map(|&id| (format!("class {id} or an image holds"), of(id).collect())));
        let none = sets.without.iter().flat_map(|&id| of(id).map(move |of| (format!("class {id}"), of)));
        asked.outside.extend(none);
        asked
    }

    /// Adds the obligations about single traces of the result.
    fn shown(&self, list: &mut Vec<Obligation>) {
        let ClassifyDocument { unclassified, remainder, combinations, horizon, .. } = self.document;
        let model = self.subject.model;
        let in_none = |trace: &Trace| match self.classes_of(trace)?.first() {
            Some(class) => Err(format!("it is in class {class}")),
            None => Ok(()),
        };
        for (name, document) in [("unclassified", unclassified), ("remainder", remainder)] {
            let Some(document) = document else { continue };
            let claim = "a counterexample that is shown is in no class";
            list.push(shown(model, name, claim, document, |document| {
                in_none(&self.of_class.counterexample(document, &[])?)
            }));
        }
        if let Some(longer) = horizon.as_ref().and_then(|horizon| horizon.uncovered.as_ref()) {
            let claim = "a longer counterexample that is shown is in no class";
            list.push(match &longer.trace {
                None => Obligation::open("beyond", claim, "the trace is not shown"),
                Some(document) => shown(model, "beyond", claim, document, |document| {
                    let trace = self.subject.violating(document, &[])?;
                    match trace.len() == longer.steps && longer.steps > self.subject.bound {
                        true => in_none(&trace),
                        false => Err("it is not longer than the bound".into()),
                    }
                }),
            });
        }
        for (number, combination) in combinations.iter().flatten().enumerate() {
            let claim = format!("a counterexample is in the classes {:?} and no others", combination.classes);
            let name = format!("combination-{}", number + 1);
            list.push(shown(model, name, claim, &combination.trace, |document| {
                let found = self.classes_of(&self.of_class.counterexample(document, &[])?)?;
                (found == combination.classes).then_some(()).ok_or(format!("it is in the classes {found:?}"))
            }));
        }
    }

    /// Returns the classes that contain a trace, at least in some image, without redundant ones.
    fn classes_of(&self, trace: &Trace) -> Result<Vec<usize>, String> {
        let mut found = Vec::new();
        for read in self.needed() {
            let Ok(formula) = &read.formula else {
                return Err(format!("the formula of {} cannot be read", read.title()));
            };
            if formula.matches(self.subject.model, &trace.moments).is_some() {
                found.push(read.class.id);
            }
        }
        found.dedup();
        Ok(found)
    }

    fn necessary(&self, necessary: &StoredNecessary<TraceFormulaText>, list: &mut Vec<Obligation>) {
        let mut of = |kind: &str, facts: &[StoredShared<TraceFormulaText>], is_always: bool| {
            for (number, fact) in facts.iter().enumerate() {
                let name = format!("{kind}-{}", number + 1);
                let who = if is_always { "every" } else { "no" };
                let claim = format!("{who} counterexample within the bound has {}", fact.constraint);
                if let Err(why) = notation::agree(&fact.constraint, &fact.formula, None) {
                    list.push(Obligation::evaluated(name, claim, Err(why)));
                    continue;
                }
                let formula = match read(self.subject.model, &fact.formula) {
                    Ok(formula) => vec![("the fact".to_owned(), formula)],
                    Err(NoFormula::Fates) => {
                        list.push(Obligation::open(name, claim, FATES));
                        continue;
                    }
                    Err(NoFormula::Wrong(why)) => {
                        let why = format!("its formula cannot be read: {why}");
                        list.push(Obligation::evaluated(name, claim, Err(why)));
                        continue;
                    }
                };
                let asked = self.of_class.question(self.subject.steps());
                let asked = match is_always {
                    true => TraceQuestion { outside: formula, ..asked },
                    false => TraceQuestion { inside: formula, ..asked },
                };
                list.push(Obligation::ask(name, claim, asked));
            }
        };
        of("always", &necessary.always, true);
        of("never", &necessary.never, false);
        if necessary.every_length {
            let why = "a classification stores no certificate for that";
            list.push(Obligation::open("shared-every-length", SHARED, why));
        }
    }

    fn pair(&self, pair: &StoredPair) -> Result<(), String> {
        notation::agree(&pair.constraint, &pair.formula, None)?;
        let formula = match read(self.subject.model, &pair.formula) {
            Ok(formula) => formula,
            Err(NoFormula::Wrong(why)) => return Err(format!("its formula cannot be read: {why}")),
            Err(NoFormula::Fates) => return Err(FATES.into()),
        };
        let named =
            [&pair.counterexample, &pair.accepting].map(|trace| indistinct::named(trace, &pair.formula));
        let violating = self.subject.counterexample(&pair.counterexample, &named[0])?;
        let accepted = self.subject.accepted(&pair.accepting, &named[1])?;
        if accepted.len() > self.subject.bound {
            return Err(format!(
                "the trace without violation has {} steps, more than the bound",
                accepted.len()
            ));
        }
        for (trace, named) in [&violating, &accepted].into_iter().zip(&named) {
            let values: Vec<_> = named.iter().map(|(_, at)| (*at).into()).collect();
            if values.len() != formula.variables.len() {
                return Err("a trace does not name all positions of the facts, and each once".into());
            }
            if !formula.holds(self.subject.model, &trace.moments, &values) {
                return Err("a trace does not have all the facts".into());
            }
        }
        let places = named.map(|named| named.into_iter().map(|(_, at)| at).collect::<Vec<_>>());
        indistinct::told_apart(self.subject.model, self.document, [&violating, &accepted], &places)
    }
}
