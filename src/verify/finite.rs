//! The obligations of a classification of finite traces.

use super::claims::{
    ClassQuestion, Classified, NoFormula, ReadClass, ShownAccepted, TraceSet, add_obligations, is_so,
    not_shown, vocabulary,
};
use super::consistent::{reached, together};
use super::document::{
    ClassRequirement, ClassifyDocument, ClassifyVerdict, LengthsWord, StoredClass, StoredPair, StoredShared,
    StoredSource, StoredTrace,
};
use super::facts::FactModel;
use super::indistinct;
use super::notation;
use super::obligation::Obligation;
use super::replay::{Subject, constants, shown};
use lang::model::eval::{failing_conjuncts, first_violation};
use lang::model::permutation::Permutation;
use lang::model::value::{Moment, Value};
use lang::model::{FactText, Model, Position, TraceFormula, TraceFormulaText};
use lang::trace::{Finite, Trace};
use serde_json::Value as Json;
use solvers::smt::{Start, TraceLengths, TraceQuestion, Violation};
use std::sync::Arc;

/// Reads a formula of a result.
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
            Err(NoFormula::Wrong(format!("its formula cannot be read: {message}")))
        }
    }
}

impl ClassQuestion<TraceFormula> for TraceQuestion {
    fn push(&mut self, class: (String, Arc<TraceFormula>), is_in: bool) {
        if is_in { self.inside.push(class) } else { self.outside.push(class) }
    }

    fn in_one_of(mut self, title: String, classes: Vec<(String, Arc<TraceFormula>)>) -> Vec<Self> {
        self.one_of.push((title, classes.into_iter().map(|(_, formula)| (formula, true)).collect()));
        vec![self]
    }
}

/// Returns the question for traces of a subject, without conditions about classes.
pub(super) fn question(
    subject: &Subject<'_>,
    name: &str,
    steps: TraceLengths,
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

/// Returns the obligation that there is no violation before the depth that an interrupted search has reached.
pub(super) fn before(
    name: impl Into<String>,
    depth: Option<usize>,
    subject: &Subject<'_>,
    property: &str,
    ask: impl FnOnce(TraceLengths) -> TraceQuestion,
) -> Option<Obligation> {
    let shorter = depth?.checked_sub(1)?.min(subject.bound);
    let claim = format!("no trace of at most {shorter} steps violates {property}");
    Some(match subject.lengths {
        LengthsWord::UpTo => Obligation::ask(name, claim, ask(TraceLengths::UpTo(shorter))),
        LengthsWord::Exactly => {
            let why = "only prefixes of traces of the one length were examined";
            Obligation::open(name, claim, why)
        }
    })
}

/// A classification of finite traces.
struct ClassifiedTraces<'a> {
    document: &'a ClassifyDocument,
    subject: Subject<'a>,
    /// The number of steps up to which the classes suffice, as the result claims.
    sufficient_up_to: usize,
    about: FactModel<'a>,
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
    let beyond = document.horizon.as_ref().and_then(|horizon| horizon.sufficient_up_to);
    let sufficient_up_to = beyond.unwrap_or(document.bound).max(document.bound);
    let about = FactModel { model, sources };
    add_obligations(ClassifiedTraces { document, subject, sufficient_up_to, about }, &mut list);
    list
}

/// Checks the fields of a document against each other.
fn consistent(document: &ClassifyDocument) -> Result<(), String> {
    let ClassifyDocument { classes, depth, horizon, mode, bound, .. } = document;
    let verdict = document.answer();
    document.check()?;
    let has_horizon = verdict.is_complete() || verdict.holds() || verdict == ClassifyVerdict::Remainder;
    let is_from = document.lengths == LengthsWord::UpTo;
    let beyond = horizon.as_ref().and_then(|horizon| horizon.sufficient_up_to);
    together([
        (depth.is_some() == (verdict == ClassifyVerdict::Undecided), "the depth"),
        (horizon.is_none() || has_horizon && is_from, "the traces beyond the bound"),
        (beyond.is_none_or(|steps| steps > *bound), "the horizon"),
    ])?;
    reached(*depth, Some(*bound))?;
    match *mode == ClassRequirement::Cover || classes.iter().all(|class| class.sufficient) {
        true => Ok(()),
        false => Err("a class does not suffice, and the result is no cover".into()),
    }
}

impl<'a> Classified<'a> for ClassifiedTraces<'a> {
    type Kind = Finite;
    type Formula = TraceFormula;
    type Trace = Trace;
    type Steps = TraceLengths;
    type Question = TraceQuestion;

    const KIND: &'static str = "";
    const ACCEPTED: &'static str = "is without violation";
    const ALL: &'static str = "traces of every length";
    const IS_SPLIT: bool = false;

    fn model(&self) -> &'a Model {
        self.subject.model
    }

    fn document(&self) -> &'a ClassifyDocument {
        self.document
    }

    fn is_redundant(class: &StoredClass) -> bool {
        class.redundant
    }

    fn read(&self, text: &TraceFormulaText) -> Result<Arc<TraceFormula>, NoFormula> {
        read(self.subject.model, text)
    }

    fn agree(&self, constraint: &str, text: &TraceFormulaText) -> Result<(), String> {
        notation::agree(constraint, text, None)
    }

    fn shared(&self, fact: &StoredShared<TraceFormulaText>) -> Result<Vec<Arc<TraceFormula>>, NoFormula> {
        notation::agree(&fact.constraint, &fact.formula, None).map_err(NoFormula::Wrong)?;
        read(self.subject.model, &fact.formula).map(|formula| vec![formula])
    }

    fn texts(&self, class: &StoredClass) -> Result<(), String> {
        let StoredClass { constraint, formula, facts, individuals, positions, .. } = class;
        let texts: Vec<&str> = facts.iter().map(|fact| fact.text.as_str()).collect();
        notation::agree(constraint, formula, Some(&texts))?;
        let (of_positions, others): (Vec<_>, Vec<_>) =
            formula.parameters.iter().partition(|parameter| parameter.ty == "pos");
        let named = of_positions.iter().all(|it| positions.contains_key(notation::shown(&it.name)));
        if !named || positions.len() != of_positions.len() {
            return Err("its positions are not those of its formula".into());
        }
        let same = individuals.len() == others.len()
            && individuals.iter().zip(others).all(|(individual, parameter)| individual.is(parameter));
        if !same {
            return Err("its individuals are not those of its formula".into());
        }
        facts.iter().zip(&formula.facts).try_for_each(|(fact, text)| self.about.agree(fact, text, formula))
    }

    fn named<'c>(&self, class: &'c StoredClass) -> Result<Vec<(&'c str, Position)>, String> {
        Ok(positions(class))
    }

    fn assigned(&self, class: &StoredClass, formula: &TraceFormula, found: &Trace) -> Result<(), String> {
        let model = self.subject.model;
        let values = assigned(model, class, found)?;
        is_so(formula.holds(model, &found.moments, &values), || {
            "its positions and individuals do not satisfy the class".into()
        })?;
        let fails = failing_conjuncts(model, self.subject.invariant, &found.moments);
        is_so(class.violates == fails, || "other parts of the property fail at its end".into())
    }

    fn is_in(&self, formula: &TraceFormula, found: &Trace) -> bool {
        formula.matches(self.subject.model, &found.moments).is_some()
    }

    fn counterexample(&self, document: &StoredTrace, named: &[(&str, Position)]) -> Result<Trace, String> {
        self.subject.counterexample(document, named)
    }

    fn violates(&self, found: &Trace) -> Result<(), String> {
        let violation = first_violation(self.subject.model, self.subject.invariant, &found.moments);
        is_so(violation.is_some(), || "it does not violate the property".into())
    }

    fn accepted(&self, document: &StoredTrace) -> Result<Trace, String> {
        let found = self.subject.accepted(document, &[])?;
        let steps = found.len();
        is_so(steps <= self.sufficient_up_to, || {
            format!("it has {steps} steps, more than classes are about")
        })?;
        Ok(found)
    }

    fn moved(&self, found: &Trace, by: &Permutation) -> Trace {
        found.permuted(self.subject.model, by)
    }

    fn moments(found: &Trace) -> &[Moment] {
        &found.moments
    }

    fn accepting<'c>(&self, class: &'c StoredClass, title: &str) -> Option<ShownAccepted<'c>> {
        let longer = class.rests_on_bound.as_ref()?;
        let claim = format!("{title} depends on the bound: a longer trace of it is not violating");
        Some(ShownAccepted { word: "longer", claim, trace: longer.trace.as_ref(), steps: longer.steps })
    }

    fn found_accepting(&self, document: &StoredTrace, steps: usize) -> Result<Trace, String> {
        let found = self.subject.accepted(document, &[])?;
        let bound = self.subject.bound;
        is_so(found.len() == steps && steps > bound, || {
            format!("it has {} steps, and the bound is {bound}", found.len())
        })?;
        Ok(found)
    }

    fn needed(&self, read: &ReadClass<'a, Self>, finished: bool, list: &mut Vec<Obligation>) {
        let (ReadClass { class, which, .. }, Ok(formula)) = (read, &read.formula) else { return };
        for (index, fact) in class.facts.iter().enumerate() {
            let number = index + 1;
            list.extend(match &fact.needed {
                Some(document) => Some(self.part_needed((*which, "fact", number), document, || {
                    Ok(Arc::new(formula.without(index)))
                })),
                None => {
                    let claim = format!("without fact {number}, {} does not suffice", which.title());
                    let name = format!("{}-needed-{number}", which.name());
                    not_shown(self.document.mode, finished, name, claim)
                }
            });
        }
    }

    fn beyond(&self, in_none: &dyn Fn(&Trace) -> Result<(), String>) -> Option<Obligation> {
        let longer = self.document.horizon.as_ref()?.uncovered.as_ref()?;
        let claim = "a longer counterexample that is shown is in no class";
        let Some(document) = &longer.trace else {
            return Some(Obligation::open("beyond", claim, "the trace is not shown"));
        };
        Some(shown(self.subject.model, "beyond", claim, document, |document| {
            let trace = self.subject.violating(document, &[])?;
            let is_longer = trace.len() == longer.steps && longer.steps > self.subject.bound;
            is_so(is_longer, || "it is not longer than the bound".into())?;
            in_none(&trace)
        }))
    }

    fn before(&self, ask: &dyn Fn(TraceLengths) -> TraceQuestion) -> Option<Obligation> {
        before("depth", self.document.depth, &self.subject, &self.document.property, ask)
    }

    fn pair(&self) -> Option<Obligation> {
        let pair = self.document.too_weak.as_ref()?;
        let claim = "a counterexample and a trace without violation have all these facts";
        let model = self.subject.model;
        Some(shown(model, "too-weak", claim, &pair.counterexample, |_| self.has_facts(pair)))
    }

    fn steps(&self) -> TraceLengths {
        self.subject.steps()
    }

    fn sufficient_steps(&self) -> TraceLengths {
        match self.subject.steps() {
            TraceLengths::UpTo(_) => TraceLengths::UpTo(self.sufficient_up_to),
            exactly @ TraceLengths::Exactly(_) => exactly,
        }
    }

    fn fewer(&self, steps: usize) -> Option<TraceLengths> {
        match self.subject.steps() {
            TraceLengths::UpTo(_) => steps.checked_sub(1).map(TraceLengths::UpTo),
            TraceLengths::Exactly(_) => None,
        }
    }

    fn question(&self, steps: TraceLengths, of: TraceSet) -> TraceQuestion {
        let violation = match of {
            TraceSet::Counterexamples => counterexamples(&self.subject),
            TraceSet::Violating => Violation::Somewhere,
            TraceSet::Accepted => Violation::Nowhere,
        };
        question(&self.subject, &self.document.property, steps, violation)
    }
}

impl ClassifiedTraces<'_> {
    fn has_facts(&self, pair: &StoredPair) -> Result<(), String> {
        notation::agree(&pair.constraint, &pair.formula, None)?;
        let formula = read(self.subject.model, &pair.formula).map_err(|none| none.why())?;
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

/// Returns the position at which counterexamples violate the property.
pub(super) fn counterexamples(subject: &Subject<'_>) -> Violation {
    match subject.steps() {
        TraceLengths::UpTo(_) => Violation::Last,
        TraceLengths::Exactly(_) => Violation::Somewhere,
    }
}

/// Returns the values of the variables of a class in its representative, according to the result.
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

/// Returns the positions of a class by name with their places in its representative, in the order of the constraint.
fn positions(class: &StoredClass) -> Vec<(&str, Position)> {
    let names = class.formula.parameters.iter().map(|parameter| notation::shown(&parameter.name));
    let placed = names.filter_map(|name| {
        let at = class.positions.get(name)?.as_u64()?;
        Some((name, Position::from_u32(u32::try_from(at).ok()?)))
    });
    placed.collect()
}
