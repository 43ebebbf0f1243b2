//! The obligations of single classes.

use super::claims::{Claimed, NoFormula, ReadClass};
use super::combinations::Sets;
use super::document::{LengthsWord, Mode, StoredClass, StoredTrace};
use super::facts::About;
use super::notation;
use super::obligation::{Obligation, Question};
use super::replay::{Subject, shown};
use lang::model::eval::{check_trace, failing_conjuncts, first_violation};
use lang::model::permutation::Permutation;
use lang::model::value::Value;
use lang::model::{FactText, Model, Position, TraceFormula, TraceFormulaText};
use lang::trace::Trace;
use serde_json::Value as Json;
use solvers::smt::{Start, Steps, TraceQuestion, Violation};
use std::sync::Arc;

/// A class of finite traces, or an image of one, with its formula.
pub(super) type ReadTraces<'a> = ReadClass<'a, StoredClass, TraceFormula>;

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
            Err(NoFormula::Wrong(message))
        }
    }
}

/// Returns the question for traces of a subject, without conditions about classes.
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

/// Returns the obligation that there is no violation before the depth that an interrupted search has reached.
pub(super) fn before(
    name: impl Into<String>,
    depth: Option<usize>,
    subject: &Subject<'_>,
    property: &str,
    ask: impl FnOnce(Steps) -> TraceQuestion,
) -> Option<Obligation> {
    let shorter = depth?.checked_sub(1)?.min(subject.bound);
    let claim = format!("no trace of at most {shorter} steps violates {property}");
    Some(match subject.lengths {
        LengthsWord::UpTo => Obligation::ask(name, claim, ask(Steps::UpTo(shorter))),
        LengthsWord::Exactly => {
            let why = "only beginnings of traces of the one length were looked at";
            Obligation::open(name, claim, why)
        }
    })
}

/// The obligations of one class among all.
pub(super) struct OfClass<'a> {
    pub subject: Subject<'a>,
    /// The property's name.
    pub property: &'a str,
    /// The number of steps up to which the classes suffice, as the result claims.
    pub sufficient_up_to: usize,
    pub all: &'a [ReadTraces<'a>],
    /// For a cover of the counterexamples of another class: its formula. Other traces do not count as counterexamples.
    pub within: Option<Arc<TraceFormula>>,
    /// True if only counterexamples of an unknown class count.
    pub is_within_unknown: bool,
    /// True if the search for classes was completed, so that none is missing for lack of time.
    pub finished: bool,
    /// The mode, by which classes of a cover need not suffice.
    pub mode: Mode,
    /// The context of facts.
    pub about: &'a About<'a>,
}

impl OfClass<'_> {
    /// Returns all obligations of one class.
    pub fn obligations(&self, read: &ReadTraces<'_>) -> Vec<Obligation> {
        let name = read.which.name();
        let claim = format!("the texts of {} say what its formula says", read.which.title());
        let formula = match &read.formula {
            Ok(formula) => formula,
            Err(no_formula) => return vec![no_formula.obligation(name, claim)],
        };
        let mut list = vec![Obligation::evaluated(format!("{name}-texts"), claim, self.texts(read.class))];
        list.extend(self.image(read, formula));
        self.traces(read, &mut list);
        self.questions(read, &mut list);
        list
    }

    /// Checks the displayed texts of a class against its formula.
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

    /// Returns the trace of a document, which must be a counterexample, and of the other class if only those count.
    fn counterexample_named(
        &self,
        document: &StoredTrace,
        named: &[(&str, Position)],
    ) -> Result<Trace, String> {
        let found = self.subject.counterexample(document, named)?;
        match &self.within {
            Some(other) if other.matches(self.subject.model, &found.moments).is_none() => {
                Err("it is not in the class whose counterexamples were covered".into())
            }
            _ => Ok(found),
        }
    }

    /// Returns the question for counterexamples of these lengths, of the other class if only those count.
    pub fn question(&self, steps: Steps) -> TraceQuestion {
        let inside = self.within.iter().map(|other| ("the class within".to_owned(), Arc::clone(other)));
        let asked = question(&self.subject, self.property, steps, counterexamples(&self.subject));
        TraceQuestion { inside: inside.collect(), ..asked }
    }

    /// Adds the obligations that the traces of a class show.
    fn traces(&self, read: &ReadTraces<'_>, list: &mut Vec<Obligation>) {
        let (Ok(formula), class, name) = (&read.formula, read.class, read.which.name()) else { return };
        let (title, Subject { model, .. }) = (read.which.title(), self.subject);
        let claim = format!("the trace of {title} is a counterexample, and in the class as it says");
        list.push(shown(model, format!("{name}-trace"), claim, &class.representative, |document| {
            let trace = self.counterexample_named(document, &positions(class))?;
            let values = assigned(model, class, &trace)?;
            if !formula.holds(model, &trace.moments, &values) {
                return Err("its positions and individuals do not satisfy the class".into());
            }
            match class.violates == failing_conjuncts(model, self.subject.invariant, &trace.moments) {
                true => Ok(()),
                false => Err("other parts of the property fail at its end".into()),
            }
        }));
        list.extend(self.alone(read));
        for (number, fact) in class.facts.iter().enumerate() {
            let (fact_name, claim) = (
                format!("{name}-needed-{}", number + 1),
                format!("without fact {}, {title} does not suffice", number + 1),
            );
            match &fact.needed {
                Some(needed) => {
                    list.push(shown(model, fact_name, claim, needed, |document| {
                        let trace = self.subject.accepted(document, &[])?;
                        if trace.len() > self.sufficient_up_to {
                            return Err(format!("it has {} steps, more than classes are about", trace.len()));
                        }
                        let matched = formula.without(number).matches(model, &trace.moments);
                        matched.map(|_| ()).ok_or("it does not satisfy the other facts".to_owned())
                    }));
                }
                None if self.mode == Mode::Sufficient && self.finished => {
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
                    self.longer(formula, longer.steps, &self.subject.accepted(document, &[])?)
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

    /// Adds the obligations about all traces.
    fn questions(&self, read: &ReadTraces<'_>, list: &mut Vec<Obligation>) {
        let (Some(inside), class, name) = (read.named(), read.class, read.which.name()) else { return };
        let title = read.which.title();
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
        if let Some(shorter) = class.rests_on_bound.as_ref().and_then(|longer| longer.steps.checked_sub(1)) {
            let asked = question(&self.subject, self.property, Steps::UpTo(shorter), Violation::Nowhere);
            list.push(Obligation::ask(
                format!("{name}-longer-shortest"),
                format!("no trace in {title} without violation is shorter than the one that is shown"),
                TraceQuestion { inside: vec![inside.clone()], ..asked },
            ));
        }
        if self.is_within_unknown {
            return;
        }
        // An interrupted search may show a trace that is not shortest.
        let steps = class.representative.steps.min(self.subject.bound);
        if let (Steps::UpTo(_), true, Some(shorter)) =
            (self.subject.steps(), self.finished, steps.checked_sub(1))
        {
            let mut asked = self.question(Steps::UpTo(shorter));
            asked.inside.push(inside.clone());
            list.push(Obligation::ask(
                format!("{name}-shortest"),
                format!("no counterexample of {title} has fewer steps than the one that is shown"),
                asked,
            ));
        }
        let others = self.needed();
        let canonical = class.canonical.as_ref().map_or(0, |trace| trace.steps.min(self.subject.bound));
        // If it is no longer than the representative, no shorter one exists.
        if let (Steps::UpTo(_), true, Some(shorter)) =
            (self.subject.steps(), self.finished && canonical > steps, canonical.checked_sub(1))
        {
            let mut asked = self.question(Steps::UpTo(shorter));
            asked.inside.push(inside.clone());
            let others = self.needed().filter(|other| other.which != read.which);
            asked.outside.extend(others.filter_map(ReadClass::named));
            list.push(Obligation::ask(
                format!("{name}-alone-shortest"),
                format!("no counterexample of {title} alone has fewer steps than the one that is shown"),
                asked,
            ));
        }
        if class.redundant {
            let mut asked = self.question(self.subject.steps());
            asked.inside.push(inside);
            asked.outside.extend(others.filter_map(ReadClass::named));
            list.push(Obligation::ask(
                format!("{name}-redundant"),
                format!("every counterexample of {title} is in another class"),
                asked,
            ));
        }
    }
}

impl Claimed for OfClass<'_> {
    type Class = StoredClass;
    type Formula = TraceFormula;
    type Trace = Trace;

    fn model(&self) -> &Model {
        self.subject.model
    }

    fn classes(&self) -> &[ReadTraces<'_>] {
        self.all
    }

    fn is_finished(&self) -> bool {
        self.finished
    }

    fn counterexample(&self, document: &StoredTrace) -> Result<Trace, String> {
        self.counterexample_named(document, &[])
    }

    fn contains(&self, formula: &TraceFormula, trace: &Trace) -> bool {
        formula.matches(self.subject.model, &trace.moments).is_some()
    }

    fn moved(&self, class: &StoredClass, document: &StoredTrace, by: &Permutation) -> Result<Trace, String> {
        let Subject { model, invariant, .. } = self.subject;
        let moved = self.subject.counterexample(document, &positions(class))?.permuted(model, by);
        check_trace(model, &moved.moments)
            .map_err(|fault| format!("it is no trace of the model: {}", fault.diagnostic(model).message))?;
        match first_violation(model, invariant, &moved.moments) {
            Some(_) => Ok(moved),
            None => Err("it does not violate the property".into()),
        }
    }

    fn of_sets(&self, sets: &Sets, steps: usize) -> Vec<Question> {
        let steps = match self.subject.steps() {
            _ if self.is_within_unknown => return Vec::new(),
            Steps::UpTo(_) => Steps::UpTo(steps),
            Steps::Exactly(bound) if steps == bound => Steps::Exactly(bound),
            Steps::Exactly(_) => return Vec::new(),
        };
        let mut asked = self.question(steps);
        let one_of = |id: usize| self.named(id).map(|(_, formula)| formula).collect();
        let with = sets.with.iter().map(|&id| (format!("class {id} or an image holds"), one_of(id)));
        asked.one_of.extend(with);
        asked.outside.extend(sets.without.iter().flat_map(|&id| self.named(id)));
        vec![asked.into()]
    }
}

/// Returns the position at which counterexamples violate the property.
pub(super) fn counterexamples(subject: &Subject<'_>) -> Violation {
    match subject.steps() {
        Steps::UpTo(_) => Violation::Last,
        Steps::Exactly(_) => Violation::Somewhere,
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
