//! The obligations of single classes.

use super::document::{StoredClass, StoredImage};
use super::images::{Which, permutation};
use super::obligation::Obligation;
use super::replay::{Subject, shown};
use super::texts;
use crate::model::eval::{check_trace, first_violation};
use crate::model::value::Value;
use crate::model::{FactText, Model, TraceFormula, TraceFormulaText};
use crate::smt::{Start, Steps, TraceQuestion, Violation};
use crate::trace::Trace;
use serde_json::Value as Json;
use std::sync::Arc;

/// A class, or an image of one, with its formula.
pub(super) struct ReadClass<'a> {
    /// What the result says.
    pub class: &'a StoredClass,
    /// Which image of the class it is, from 1, with the class and the symmetry that makes the image of it.
    pub image: Option<(usize, &'a StoredClass, &'a StoredImage)>,
    /// The formula, or why there is none.
    pub formula: Result<Arc<TraceFormula>, NoFormula>,
}

/// Why a formula cannot be read.
#[derive(Debug, Clone)]
pub(super) enum NoFormula {
    /// It is wrong.
    Wrong(String),
    /// It speaks of what can still become of a state, for which the model has no formula.
    Fates,
}

/// Reads the formula of something in a result.
pub(super) fn read(model: &Model, text: &TraceFormulaText) -> Result<Arc<TraceFormula>, NoFormula> {
    let fates = |fact: &FactText| {
        model.fates.iter().any(|fate| {
            let name = &model.predicates[fate.predicate.0 as usize].name;
            fact.holds.starts_with(&format!("{name}("))
        })
    };
    match TraceFormula::read(model, text) {
        Ok(formula) => Ok(Arc::new(formula)),
        Err(_) if text.facts.iter().any(fates) => Err(NoFormula::Fates),
        Err(unreadable) => {
            let errors = unreadable.diagnostics.iter().filter(|diagnostic| diagnostic.is_error());
            let message = errors.map(|error| error.message.clone()).next().unwrap_or_default();
            Err(NoFormula::Wrong(message))
        }
    }
}

/// What is said where a word about fates is in the way.
pub(super) const FATES: &str = "lost, safe, open and decisive have no meaning in a result: which states they are of was found by visiting all states";

impl<'a> ReadClass<'a> {
    /// A class of a result and its images.
    pub fn with_images(model: &Model, class: &'a StoredClass) -> impl Iterator<Item = Self> {
        let original = Self { class, image: None, formula: read(model, &class.formula) };
        let image = |(number, image): (usize, &'a StoredImage)| Self {
            class: &image.class,
            image: Some((number, class, image)),
            formula: read(model, &image.class.formula),
        };
        let images: Vec<Self> = (1..).zip(&class.images).map(image).collect();
        std::iter::once(original).chain(images)
    }

    fn which(&self) -> Which {
        Which { class: self.class.id, image: self.image.map(|(number, ..)| number) }
    }

    /// Its name in obligations.
    pub fn name(&self) -> String {
        self.which().name()
    }

    /// What it is called in sentences and questions.
    pub fn title(&self) -> String {
        self.which().title()
    }

    /// The formula for a question, with a name.
    pub fn named(&self) -> Option<(String, Arc<TraceFormula>)> {
        let formula = self.formula.as_ref().ok()?;
        Some((self.title(), Arc::clone(formula)))
    }
}

/// The question for traces of a subject, before anything is said of classes.
pub(super) fn question(
    subject: &Subject<'_>,
    name: &str,
    steps: Steps,
    violation: Violation,
) -> TraceQuestion {
    TraceQuestion {
        start: Start::First,
        steps,
        name: name.to_owned(),
        invariant: Arc::new(subject.invariant.clone()),
        violation,
        given: None,
        distinct: false,
        inside: Vec::new(),
        outside: Vec::new(),
        least: 0,
        one_of: Vec::new(),
    }
}

/// The obligations of a class among all.
pub(super) struct OfClass<'a> {
    pub subject: Subject<'a>,
    /// The property's name.
    pub property: &'a str,
    /// Up to how many steps the classes are said to suffice.
    pub sufficient_up_to: usize,
    pub all: &'a [ReadClass<'a>],
    /// Whether the search for classes came to its end, so that nothing is left out for want of time.
    pub finished: bool,
    /// Whether no fact of a class can be left out.
    pub minimised: bool,
}

impl OfClass<'_> {
    /// All obligations of one class.
    pub fn obligations(&self, read: &ReadClass<'_>) -> Vec<Obligation> {
        let name = read.name();
        let title = format!("the texts of {} say what its formula says", read.title());
        let mut list = Vec::new();
        match &read.formula {
            Err(NoFormula::Fates) => {
                list.push(Obligation::open(name, title, FATES));
                return list;
            }
            Err(NoFormula::Wrong(why)) => {
                let why = format!("its formula cannot be read: {why}");
                list.push(Obligation::evaluated(name, title, Err(why)));
                return list;
            }
            Ok(_) => {
                list.push(Obligation::evaluated(format!("{name}-texts"), title, texts::agree(read.class)))
            }
        }
        self.image(read, &mut list);
        self.traces(read, &mut list);
        self.questions(read, &mut list);
        list
    }

    /// That an image is what it is called, as far as the trace of the class shows it.
    fn image(&self, read: &ReadClass<'_>, list: &mut Vec<Obligation>) {
        let (Ok(formula), Some((_, of, image))) = (&read.formula, read.image) else { return };
        let Subject { model, .. } = self.subject;
        let title = read.title();
        let claim = format!(
            "with values moved as it says, the trace of class {} is a counterexample in {title}",
            of.id
        );
        list.push(shown(model, format!("{}-moved", read.name()), claim, &of.representative, |document| {
            let by = permutation(model, image)?;
            let moved = self.subject.counterexample(document)?.permuted(model, &by);
            check_trace(model, &moved.moments).map_err(|fault| {
                format!("it is no trace of the model: {}", fault.diagnostic(model).message)
            })?;
            let violation = first_violation(model, self.subject.invariant, &moved.moments);
            match violation.is_some() && formula.matches(model, &moved.moments).is_some() {
                true => Ok(()),
                false => Err("it is none".into()),
            }
        }));
    }

    /// What the traces of a class show.
    fn traces(&self, read: &ReadClass<'_>, list: &mut Vec<Obligation>) {
        let (Ok(formula), class, name) = (&read.formula, read.class, read.name()) else { return };
        let (title, Subject { model, .. }) = (read.title(), self.subject);
        let claim = format!("the trace of {title} is a counterexample, and in the class as it says");
        list.push(shown(model, format!("{name}-trace"), claim, &class.representative, |document| {
            let trace = self.subject.counterexample(document)?;
            let values = assigned(model, class, &trace)?;
            match formula.holds(model, &trace.moments, &values) {
                true => Ok(()),
                false => Err("its positions and individuals do not satisfy the class".into()),
            }
        }));
        if let Some(canonical) = &class.canonical {
            let claim = format!("a counterexample of {title} is in no other class");
            list.push(shown(model, format!("{name}-alone"), claim, canonical, |document| {
                self.alone(read, &self.subject.counterexample(document)?)
            }));
        } else if !class.redundant && self.finished {
            let claim = format!("{title} is not redundant");
            list.push(Obligation::open(
                format!("{name}-alone"),
                claim,
                "there is no counterexample that is in no other class",
            ));
        }
        for (number, fact) in class.facts.iter().enumerate() {
            let (fact_name, claim) = (
                format!("{name}-needed-{}", number + 1),
                format!("without fact {}, {title} does not suffice", number + 1),
            );
            match &fact.needed {
                Some(needed) => {
                    list.push(shown(model, fact_name, claim, needed, |document| {
                        let trace = self.subject.accepted(document)?;
                        if trace.len() > self.sufficient_up_to {
                            return Err(format!("it has {} steps, more than classes are about", trace.len()));
                        }
                        let matched = formula.without(number).matches(model, &trace.moments);
                        matched.map(|_| ()).ok_or("it does not satisfy the other facts".to_owned())
                    }));
                }
                None if self.minimised && self.finished => {
                    list.push(Obligation::open(fact_name, claim, "there is no trace that shows it"));
                }
                None => {}
            }
        }
        if let Some(longer) = &class.rests_on_bound {
            let claim = format!("{title} rests on the bound: a longer trace of it is not violating");
            list.push(match &longer.trace {
                None => Obligation::open(format!("{name}-longer"), claim, "the trace is not shown"),
                Some(document) => shown(model, format!("{name}-longer"), claim, document, |document| {
                    self.longer(formula, longer.steps, &self.subject.accepted(document)?)
                }),
            });
        }
    }

    fn longer(&self, formula: &TraceFormula, steps: usize, trace: &Trace) -> Result<(), String> {
        if trace.len() != steps || steps <= self.subject.bound {
            return Err(format!("it has {} steps, and the bound is {}", trace.len(), self.subject.bound));
        }
        match formula.matches(self.subject.model, &trace.moments) {
            Some(_) => Ok(()),
            None => Err("it is not in the class".into()),
        }
    }

    /// That a trace is in one class and in no other that is needed.
    fn alone(&self, read: &ReadClass<'_>, trace: &Trace) -> Result<(), String> {
        for other in self.all {
            let Ok(formula) = &other.formula else {
                return Err(format!("{} cannot be read", other.title()));
            };
            let inside = formula.matches(self.subject.model, &trace.moments).is_some();
            let is_itself = std::ptr::eq(other.class, read.class);
            if is_itself && !inside {
                return Err("it is not in the class".into());
            }
            if !is_itself && inside && !other.class.redundant {
                return Err(format!("it is in {}, too", other.title()));
            }
        }
        Ok(())
    }

    /// What is asked of all traces.
    fn questions(&self, read: &ReadClass<'_>, list: &mut Vec<Obligation>) {
        let (Some(inside), class, name) = (read.named(), read.class, read.name()) else { return };
        let title = read.title();
        if class.sufficient {
            let steps = match self.subject.steps() {
                Steps::UpTo(_) => Steps::UpTo(self.sufficient_up_to),
                exactly @ Steps::Exactly(_) => exactly,
            };
            let asked = question(&self.subject, self.property, steps, Violation::Nowhere);
            list.push(Obligation::ask(
                format!("{name}-sufficient"),
                format!("no trace in {title} is without violation"),
                TraceQuestion { inside: vec![inside.clone()], ..asked },
            ));
        }
        let steps =
            class.representative.get("steps").and_then(Json::as_u64).and_then(|n| usize::try_from(n).ok());
        // A search that was ended may have shown what it had.
        if let (Steps::UpTo(_), true, Some(shorter)) =
            (self.subject.steps(), self.finished, steps.and_then(|n| n.checked_sub(1)))
        {
            let asked = question(&self.subject, self.property, Steps::UpTo(shorter), Violation::Last);
            list.push(Obligation::ask(
                format!("{name}-shortest"),
                format!("no counterexample of {title} has fewer steps than the one that is shown"),
                TraceQuestion { inside: vec![inside.clone()], ..asked },
            ));
        }
        if class.redundant {
            let others = self.all.iter().filter(|other| !other.class.redundant).filter_map(ReadClass::named);
            let asked =
                question(&self.subject, self.property, self.subject.steps(), counterexamples(&self.subject));
            list.push(Obligation::ask(
                format!("{name}-redundant"),
                format!("every counterexample of {title} is in another class"),
                TraceQuestion { inside: vec![inside], outside: others.collect(), ..asked },
            ));
        }
    }
}

/// Where counterexamples are violated.
pub(super) fn counterexamples(subject: &Subject<'_>) -> Violation {
    match subject.steps() {
        Steps::UpTo(_) => Violation::Last,
        Steps::Exactly(_) => Violation::Somewhere,
    }
}

/// The values of the variables of a class in its representative, as the result says.
fn assigned(model: &Model, class: &StoredClass, trace: &Trace) -> Result<Vec<Value>, String> {
    let Ok(formula) = TraceFormula::read(model, &class.formula) else {
        return Err("its formula cannot be read".into());
    };
    let mut individuals = class.individuals.iter();
    let mut values = Vec::new();
    for variable in &formula.variables {
        let value = match &variable.values {
            None => {
                let at = class.positions.get(variable.name.trim_end_matches('_')).and_then(Json::as_u64);
                let at = at.filter(|at| *at < trace.moments.len() as u64);
                at.and_then(|at| i64::try_from(at).ok()).map(Value::Int)
            }
            Some(all) => {
                let shown = individuals.next().map(|individual| individual.value.as_str());
                all.iter().find(|value| Some(model.types.show_value(value).as_str()) == shown).cloned()
            }
        };
        values.push(value.ok_or_else(|| format!("`{}` is nothing in it", variable.name))?);
    }
    Ok(values)
}
