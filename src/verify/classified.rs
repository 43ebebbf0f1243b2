//! The obligations of a classification.

use super::classes::{FATES, NoFormula, OfClass, ReadClass, counterexamples, question, read};
use super::document::{Classified, StoredClass, StoredNecessary, StoredPair, StoredShared};
use super::obligation::Obligation;
use super::replay::{Subject, constants, shown};
use super::texts;
use crate::model::{Model, Position};
use crate::smt::{Steps, TraceQuestion, Violation};
use crate::trace::Trace;
use serde_json::Value as Json;

struct Claims<'a> {
    document: &'a Classified,
    subject: Subject<'a>,
    classes: Vec<ReadClass<'a>>,
}

/// What has to be so if a classification is right.
pub(super) fn obligations(model: &Model, document: &Classified) -> Vec<Obligation> {
    let property = model.properties.iter().find(|property| property.name == document.property);
    let invariant = property.and_then(|property| property.invariant());
    let about = match invariant {
        None => Err(format!("the model has no invariant {}", document.property)),
        Some(_) if model.name != document.model => Err(format!("the model is called {}", model.name)),
        Some(_) => constants(model, &document.constants).and_then(|()| consistent(document)),
    };
    let mut list =
        vec![Obligation::evaluated("document", "the result is about this model, and consistent", about)];
    let Some(invariant) = invariant else { return list };
    let subject = Subject { model, invariant, lengths: document.lengths, bound: document.bound };
    let classes = document.classes.iter().flat_map(|class| ReadClass::with_images(model, class));
    let claims = Claims { document, subject, classes: classes.collect() };
    let of_class = OfClass {
        subject,
        property: &document.property,
        sufficient_up_to: document
            .horizon
            .as_ref()
            .and_then(|horizon| horizon.sufficient_up_to)
            .unwrap_or(document.bound)
            .max(document.bound),
        all: &claims.classes,
        finished: !matches!(document.verdict.as_str(), "partial" | "undecided" | "too_weak"),
        minimised: document.mode == "sufficient",
    };
    list.extend(claims.classes.iter().flat_map(|class| of_class.obligations(class)));
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

/// That a verdict goes with what is beside it.
fn consistent(document: &Classified) -> Result<(), String> {
    let Classified { verdict, classes, depth, remainder, unclassified, too_weak, mode, unbounded, .. } =
        document;
    let some = !classes.is_empty();
    let proved = unbounded.as_ref().is_some_and(|unbounded| unbounded.proved);
    let right = match verdict.as_str() {
        "complete" => some && !proved && remainder.is_none(),
        "complete_unbounded" => some && proved && remainder.is_none(),
        "holds" => !some && !proved,
        "holds_unbounded" => !some && proved,
        "partial" => unclassified.is_some() || some || remainder.is_some(),
        "too_weak" => too_weak.is_some(),
        "remainder" => remainder.is_some() && mode == "cover",
        "undecided" => !some && depth.is_some(),
        _ => false,
    };
    if !right {
        return Err(format!("the verdict {verdict} does not go with the rest of the result"));
    }
    if classes.iter().enumerate().any(|(index, class)| class.id != index + 1) {
        return Err("the classes are not numbered from 1".into());
    }
    let strange = |class: &StoredClass| {
        class.images.iter().any(|image| image.class.id != class.id || !image.class.images.is_empty())
    };
    if classes.iter().any(strange) {
        return Err("an image does not have the number of its class, or has images of its own".into());
    }
    if mode == "sufficient" && classes.iter().any(|class| !class.sufficient) {
        return Err("a class does not suffice, and the result is no cover".into());
    }
    Ok(())
}

impl Claims<'_> {
    fn ask(&self, steps: Steps, violation: Violation) -> TraceQuestion {
        question(&self.subject, &self.document.property, steps, violation)
    }

    /// What the verdict says of all traces.
    fn whole(&self, list: &mut Vec<Obligation>) {
        let Classified { verdict, property, depth, within, .. } = self.document;
        let steps = self.subject.steps();
        match verdict.as_str() {
            "holds" | "holds_unbounded" => {
                let asked = self.ask(steps, Violation::Somewhere);
                list.push(Obligation::ask(
                    "holds",
                    format!("no trace within the bound violates {property}"),
                    asked,
                ));
            }
            "complete" | "complete_unbounded" => list.push(self.complete(within.as_deref())),
            "undecided" => {
                if let Some(shorter) = depth.and_then(|depth| depth.checked_sub(1)) {
                    let steps = Steps::UpTo(shorter.min(self.subject.bound));
                    let asked = self.ask(steps, Violation::Somewhere);
                    let claim = format!("no trace of at most {shorter} steps violates {property}");
                    list.push(Obligation::ask("depth", claim, asked));
                }
            }
            _ => {}
        }
        if verdict.ends_with("_unbounded") {
            list.push(Obligation::open(
                "every-length",
                "the same is so of traces of every length",
                "a classification stores no certificate for that",
            ));
        }
    }

    fn complete(&self, within: Option<&str>) -> Obligation {
        let claim = "every counterexample within the bound is in a class";
        if within.is_some() {
            let why = "these are the counterexamples of another class, which the result does not store";
            return Obligation::open("complete", claim, why);
        }
        let needed = || self.classes.iter().filter(|read| !read.class.redundant);
        for read in needed() {
            match &read.formula {
                Err(NoFormula::Fates) => return Obligation::open("complete", claim, FATES),
                Err(NoFormula::Wrong(_)) => {
                    let why = format!("the formula of {} cannot be read", read.title());
                    return Obligation::evaluated("complete", claim, Err(why));
                }
                Ok(_) => {}
            }
        }
        let outside = needed().filter_map(ReadClass::named).collect();
        let asked = self.ask(self.subject.steps(), counterexamples(&self.subject));
        Obligation::ask("complete", claim, TraceQuestion { outside, ..asked })
    }

    /// What single traces of the result show.
    fn shown(&self, list: &mut Vec<Obligation>) {
        let Classified { unclassified, remainder, combinations, horizon, .. } = self.document;
        let model = self.subject.model;
        let in_none = |trace: &Trace| match self.classes_of(trace)?.first() {
            Some(class) => Err(format!("it is in class {class}")),
            None => Ok(()),
        };
        for (name, document) in [("unclassified", unclassified), ("remainder", remainder)] {
            let Some(document) = document else { continue };
            let claim = "a counterexample that is shown is in no class";
            list.push(shown(model, name, claim, document, |document| {
                in_none(&self.subject.counterexample(document)?)
            }));
        }
        if let Some(longer) = horizon.as_ref().and_then(|horizon| horizon.uncovered.as_ref())
            && let Some(document) = &longer.trace
        {
            let claim = "a longer counterexample that is shown is in no class";
            list.push(shown(model, "beyond", claim, document, |document| {
                let trace = self.subject.violating(document)?;
                match trace.len() == longer.steps && longer.steps > self.subject.bound {
                    true => in_none(&trace),
                    false => Err("it is not longer than the bound".into()),
                }
            }));
        }
        for (number, combination) in combinations.iter().flatten().enumerate() {
            let claim = format!("a counterexample is in the classes {:?} and no others", combination.classes);
            let name = format!("combination-{}", number + 1);
            list.push(shown(model, name, claim, &combination.trace, |document| {
                let found = self.classes_of(&self.subject.counterexample(document)?)?;
                (found == combination.classes).then_some(()).ok_or(format!("it is in the classes {found:?}"))
            }));
        }
    }

    /// The classes that a trace is in, in some image at least, those left out that are redundant.
    fn classes_of(&self, trace: &Trace) -> Result<Vec<usize>, String> {
        let mut found = Vec::new();
        for read in self.classes.iter().filter(|read| !read.class.redundant) {
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

    fn necessary(&self, necessary: &StoredNecessary, list: &mut Vec<Obligation>) {
        let mut of = |kind: &str, facts: &[StoredShared], is_always: bool| {
            for (number, fact) in facts.iter().enumerate() {
                let name = format!("{kind}-{}", number + 1);
                let who = if is_always { "every" } else { "no" };
                let claim = format!("{who} counterexample within the bound has {}", fact.constraint);
                if let Err(why) = texts::shared(fact) {
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
                let asked = self.ask(self.subject.steps(), counterexamples(&self.subject));
                let asked = match is_always {
                    true => TraceQuestion { outside: formula, ..asked },
                    false => TraceQuestion { inside: formula, ..asked },
                };
                list.push(Obligation::ask(name, claim, asked));
            }
        };
        of("always", &necessary.always, true);
        of("never", &necessary.never, false);
    }

    fn pair(&self, pair: &StoredPair) -> Result<(), String> {
        texts::whole(&pair.constraint, &pair.formula)?;
        let formula = match read(self.subject.model, &pair.formula) {
            Ok(formula) => formula,
            Err(NoFormula::Wrong(why)) => return Err(format!("its formula cannot be read: {why}")),
            Err(NoFormula::Fates) => return Err(FATES.into()),
        };
        let violating = self.subject.counterexample(&pair.counterexample)?;
        let accepted = self.subject.accepted(&pair.accepting)?;
        if accepted.len() > self.subject.bound {
            return Err(format!(
                "the trace without violation has {} steps, more than the bound",
                accepted.len()
            ));
        }
        for (trace, document) in [(violating, &pair.counterexample), (accepted, &pair.accepting)] {
            let mut values = Vec::new();
            for variable in &formula.variables {
                let name = variable.name.trim_end_matches('_');
                let at = position(document, name).ok_or_else(|| format!("a trace has no position {name}"))?;
                values.push(at.into());
            }
            if !formula.holds(self.subject.model, &trace.moments, &values) {
                return Err("a trace does not have all the facts".into());
            }
        }
        Ok(())
    }
}

/// Where a position variable lies in the document of a trace.
fn position(document: &Json, name: &str) -> Option<Position> {
    let states = document.get("states")?.as_array()?;
    let is_there = |state: &Json| {
        let positions = state.get("positions").and_then(Json::as_array);
        positions.is_some_and(|positions| positions.iter().any(|position| position == name))
    };
    states.iter().position(is_there).map(Position::new)
}
