//! The obligations of a classification.

use super::claims::{Claimed, ReadClass};
use super::classes::{OfClass, ReadTraces, before, question, read};
use super::consistent::{CommonFields, reached, together};
use super::document::{
    ClassifyDocument, ClassifyVerdict, LengthsWord, Mode, StoredClass, StoredNecessary, StoredPair,
    StoredShared, StoredSource,
};
use super::facts::About;
use super::indistinct;
use super::notation;
use super::obligation::Obligation;
use super::replay::{Subject, constants, shown};
use lang::model::{Model, TraceFormula, TraceFormulaText};
use solvers::smt::{TraceQuestion, Violation};
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
    let read_class = |class: &StoredClass| read(model, &class.formula);
    let classes = document.classes.iter().flat_map(|class| ReadClass::with_images(class, read_class));
    let classes: Vec<ReadTraces<'_>> = classes.collect();
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
    list.push(match &found {
        Ok(_) => Obligation::evaluated("within", claim, notation::agree(constraint, formula, None)),
        Err(no_formula) => no_formula.obligation("within", claim),
    });
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

    fn complete(&self) -> Obligation {
        let claim = "every counterexample within the bound is in a class";
        let asked = self.of_class.of_all("complete", claim, |outside| {
            let asked = self.of_class.question(self.subject.steps());
            vec![Obligation::ask("complete", claim, TraceQuestion { outside, ..asked })]
        });
        asked.into_iter().next().unwrap_or_else(|| unreachable!("there is one obligation"))
    }

    /// Adds the obligations about single traces of the result.
    fn shown(&self, list: &mut Vec<Obligation>) {
        let ClassifyDocument { unclassified, remainder, combinations, horizon, .. } = self.document;
        let model = self.subject.model;
        self.of_class.outside(
            "a counterexample",
            [("unclassified", unclassified), ("remainder", remainder)],
            list,
        );
        if let Some(longer) = horizon.as_ref().and_then(|horizon| horizon.uncovered.as_ref()) {
            let claim = "a longer counterexample that is shown is in no class";
            list.push(match &longer.trace {
                None => Obligation::open("beyond", claim, "the trace is not shown"),
                Some(document) => shown(model, "beyond", claim, document, |document| {
                    let trace = self.subject.violating(document, &[])?;
                    match trace.len() == longer.steps && longer.steps > self.subject.bound {
                        true => self.of_class.in_none(&trace),
                        false => Err("it is not longer than the bound".into()),
                    }
                }),
            });
        }
        if let Some(listed) = combinations {
            let all = self.document.all_combinations == Some(true) && !self.of_class.is_within_unknown;
            self.of_class.combinations(listed, self.document.bound, all, list);
        }
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
                    Err(no_formula) => {
                        list.push(no_formula.obligation(name, claim));
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
        let formula = read(self.subject.model, &pair.formula).map_err(|no_formula| no_formula.why())?;
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
