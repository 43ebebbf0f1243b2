//! The obligations of a classification of infinite traces.

use super::claims::{
    ClassQuestion, Classified, NoFormula, ReadClass, ShownAccepted, TraceSet, add_obligations, is_so,
    not_shown, vocabulary,
};
use super::consistent::together;
use super::document::{
    ClassRequirement, ClassifyDocument, StoredClass, StoredIndividual, StoredPair, StoredShared, StoredTrace,
};
use super::notation;
use super::obligation::Obligation;
use super::replay::{constants, lasso, shown};
use engines::ltl::{Fairness, is_fair, satisfies};
use kit::diagnostics::Diagnostic;
use lang::model::expr::Formula;
use lang::model::permutation::Permutation;
use lang::model::value::{Moment, Value};
use lang::model::{
    FormulaVariable, LassoFormula, LassoFormulaText, Model, Position, PropertyKind, Recurrence,
};
use lang::trace::{Infinite, Lasso};
use solvers::smt::LassoQuestion;
use std::sync::Arc;

/// The infinite traces of a result.
pub(super) struct LassoSubject<'a> {
    pub model: &'a Model,
    /// The name of the formula.
    pub name: &'a str,
    pub formula: &'a Formula,
    pub fairness: Vec<Fairness>,
}

impl LassoSubject<'_> {
    /// Returns the infinite trace of a document, which must be fair, satisfy the formula or not, and have at most
    /// `most` steps.
    pub fn found(&self, document: &StoredTrace, satisfied: bool, most: usize) -> Result<Lasso, String> {
        self.found_named(document, &[], satisfied, most)
    }

    /// The infinite trace of a document in which positions are named, see [`LassoSubject::found`].
    fn found_named(
        &self,
        document: &StoredTrace,
        named: &[(&str, Position)],
        satisfied: bool,
        most: usize,
    ) -> Result<Lasso, String> {
        let found = lasso(self.model, document, named)?;
        if found.len() > most {
            return Err(format!("it has {} steps, and {most} are the most", found.len()));
        }
        self.asked_for(&found, satisfied).map(|()| found)
    }

    /// Checks that an infinite trace is fair, and satisfies the formula or not.
    fn asked_for(&self, found: &Lasso, satisfied: bool) -> Result<(), String> {
        if !is_fair(self.model, &self.fairness, found) {
            return Err("it is not fair".into());
        }
        match satisfies(self.model, self.formula, found) == satisfied {
            true => Ok(()),
            false if satisfied => Err("it violates the property".into()),
            false => Err("it does not violate the property".into()),
        }
    }

    /// Returns the question for infinite traces that satisfy the formula or not, without conditions about classes.
    pub fn question(&self, steps: usize, satisfied: bool) -> LassoQuestion {
        let (mut again, mut actions) = (Vec::new(), Vec::new());
        for condition in &self.fairness {
            match condition {
                Fairness::Again(expr) => again.push(expr.clone()),
                Fairness::Action(action) => actions.push(action.clone()),
            }
        }
        LassoQuestion {
            steps,
            name: self.name.to_owned(),
            formula: Arc::new(self.formula.clone()),
            satisfied,
            again,
            actions,
            inside: Vec::new(),
            outside: Vec::new(),
        }
    }
}

/// Returns the first error in a text.
pub(super) fn message(diagnostics: &[Diagnostic]) -> String {
    diagnostics
        .iter()
        .find(|diagnostic| diagnostic.is_error())
        .map(|it| it.message.clone())
        .unwrap_or_default()
}

/// Returns the fairness conditions of a result.
pub(super) fn fairness_of(
    model: &Model,
    is_ignored: bool,
    fair: &[String],
    strongly_fair: &[String],
) -> Result<Vec<Fairness>, String> {
    Fairness::demanded(model, is_ignored, fair, strongly_fair)
        .map_err(|wrong| format!("a condition of fairness is none: {}", message(&wrong.diagnostics)))
}

pub(super) fn formula_of(model: &Model, text: &LassoFormulaText) -> Result<LassoFormula, String> {
    LassoFormula::read(model, text)
        .map_err(|unreadable| format!("its formula cannot be read: {}", message(&unreadable.diagnostics)))
}

impl ClassQuestion<LassoFormula> for LassoQuestion {
    fn push(&mut self, class: (String, Arc<LassoFormula>), is_in: bool) {
        if is_in { self.inside.push(class) } else { self.outside.push(class) }
    }

    fn in_one_of(self, _: String, classes: Vec<(String, Arc<LassoFormula>)>) -> Vec<Self> {
        let with = |one| {
            let mut asked = self.clone();
            asked.inside.push(one);
            asked
        };
        classes.into_iter().map(with).collect()
    }
}

/// A classification of infinite traces.
struct ClassifiedLassos<'a> {
    document: &'a ClassifyDocument<Infinite>,
    subject: LassoSubject<'a>,
}

/// Returns the obligations of a classification of infinite traces.
pub(super) fn obligations(model: &Model, document: &ClassifyDocument<Infinite>) -> Vec<Obligation> {
    let property = model.properties.iter().find(|property| property.name == document.property);
    let formula = property.and_then(|property| match &property.kind {
        PropertyKind::Ltl(formula) => Some(formula),
        _ => None,
    });
    let fairness = fairness_of(model, document.ignore_fairness, &document.fair, &document.strongly_fair);
    let about = match (formula, &fairness) {
        (None, _) => Err(format!("the model has no property {} of ltl", document.property)),
        (_, Err(wrong)) => Err(wrong.clone()),
        _ if model.name != document.model => Err(format!("the model is called {}", model.name)),
        (_, Ok(fairness)) if fairness.len() != document.fairness => {
            Err(format!("there are {} conditions of fairness", fairness.len()))
        }
        _ => constants(model, &document.constants)
            .and_then(|()| vocabulary(model, &document.vocabulary, document.declaration.is_some()))
            .and_then(|()| consistent(document)),
    };
    let mut list =
        vec![Obligation::evaluated("document", "the result is about this model, and consistent", about)];
    let (Some(formula), Ok(fairness)) = (formula, fairness) else { return list };
    let subject = LassoSubject { model, name: &document.property, formula, fairness };
    add_obligations(ClassifiedLassos { document, subject }, &mut list);
    list
}

/// Checks the fields of a document against each other.
fn consistent(document: &ClassifyDocument<Infinite>) -> Result<(), String> {
    let ClassifyDocument { classes, mode, bound, horizon, .. } = document;
    document.check()?;
    together([(*bound > 0 && horizon >= bound, "the bound and the horizon")])?;
    let may_be_accepted = *mode == ClassRequirement::Cover;
    let right = |class: &StoredClass<Infinite>| match class.accepted {
        Some(_) => may_be_accepted && !class.sufficient,
        None => class.sufficient,
    };
    match classes.iter().flat_map(StoredClass::with_images).all(right) {
        true => Ok(()),
        false => {
            Err("a class does not suffice, and the result is no cover or shows no trace for that".into())
        }
    }
}

impl<'a> Classified<'a> for ClassifiedLassos<'a> {
    type Kind = Infinite;
    type Formula = LassoFormula;
    type Trace = Lasso;
    type Steps = usize;
    type Question = LassoQuestion;

    const KIND: &'static str = "infinite ";
    const ACCEPTED: &'static str = "satisfies the property";
    const ALL: &'static str = "all infinite traces";
    const IS_SPLIT: bool = true;

    fn model(&self) -> &'a Model {
        self.subject.model
    }

    fn document(&self) -> &'a ClassifyDocument<Infinite> {
        self.document
    }

    fn read(&self, text: &LassoFormulaText) -> Result<Arc<LassoFormula>, NoFormula> {
        formula_of(self.subject.model, text).map(Arc::new).map_err(NoFormula::Wrong)
    }

    fn agree(&self, constraint: &str, text: &LassoFormulaText) -> Result<(), String> {
        notation::agree_on_lassos(constraint, (text, false), None)
    }

    fn shared(&self, fact: &StoredShared<LassoFormulaText>) -> Result<Vec<Arc<LassoFormula>>, NoFormula> {
        let of_each = fact.of_each == Some(true);
        notation::agree_on_lassos(&fact.constraint, (&fact.formula, of_each), None)
            .map_err(NoFormula::Wrong)?;
        let formula = self.read(&fact.formula)?;
        if !of_each {
            return Ok(vec![formula]);
        }
        // It is so for each choice of individuals.
        let of = |choice: &Vec<Value>| {
            let mut one = LassoFormula::clone(&formula);
            one.choices = vec![choice.clone()];
            Arc::new(one)
        };
        Ok(formula.choices.iter().map(of).collect())
    }

    fn texts(&self, class: &StoredClass<Infinite>) -> Result<(), String> {
        let StoredClass { constraint, formula, facts, distinct, individuals, .. } = class;
        let texts: Vec<&str> = facts.iter().map(|fact| fact.text.as_str()).collect();
        notation::agree_on_lassos(constraint, (formula, false), Some((&texts, distinct)))?;
        if facts.iter().zip(&formula.facts).any(|(fact, written)| fact.when != written.when) {
            return Err("a fact happens at other times than its formula says".into());
        }
        let named = individuals.iter().zip(&formula.individuals);
        match individuals.len() == formula.individuals.len() && named.into_iter().all(|(it, of)| it.is(of)) {
            true => Ok(()),
            false => Err("its individuals are not those of its formula".into()),
        }
    }

    fn named<'c>(&self, class: &'c StoredClass<Infinite>) -> Result<Vec<(&'c str, Position)>, String> {
        named(class)
    }

    fn assigned(
        &self,
        class: &StoredClass<Infinite>,
        formula: &LassoFormula,
        found: &Lasso,
    ) -> Result<(), String> {
        let model = self.subject.model;
        let values = assigned(model, class, formula)?;
        let positions: Vec<Position> = named(class)?.into_iter().map(|(_, at)| at).collect();
        let holds = formula.holds_at(model, &found.trace.moments, found.start, &values, &positions);
        is_so(holds, || "its positions and individuals do not satisfy the class".into())
    }

    fn is_in(&self, formula: &LassoFormula, found: &Lasso) -> bool {
        formula.holds(self.subject.model, &found.trace.moments, found.start)
    }

    fn counterexample(&self, document: &StoredTrace, named: &[(&str, Position)]) -> Result<Lasso, String> {
        self.subject.found_named(document, named, false, self.document.bound)
    }

    fn violates(&self, found: &Lasso) -> Result<(), String> {
        self.subject.asked_for(found, false)
    }

    fn accepted(&self, document: &StoredTrace) -> Result<Lasso, String> {
        self.subject.found(document, true, self.document.horizon)
    }

    fn moved(&self, found: &Lasso, by: &Permutation) -> Lasso {
        found.permuted(self.subject.model, by)
    }

    fn moments(found: &Lasso) -> &[Moment] {
        &found.trace.moments
    }

    fn accepting<'c>(&self, class: &'c StoredClass<Infinite>, title: &str) -> Option<ShownAccepted<'c>> {
        let trace = class.accepted.as_ref()?;
        let claim = format!("an infinite trace in {title} satisfies the property");
        let steps = trace.steps.min(self.document.horizon);
        Some(ShownAccepted { word: "accepted", claim, trace: Some(trace), steps })
    }

    fn found_accepting(&self, document: &StoredTrace, _: usize) -> Result<Lasso, String> {
        self.accepted(document)
    }

    fn needed(&self, read: &ReadClass<'a, Self>, finished: bool, list: &mut Vec<Obligation>) {
        let (class, which) = (read.class, read.which);
        let weaker = class.formula.weaker();
        let (name, claim) =
            (format!("{}-needed", which.name()), format!("every part of {} is needed", which.title()));
        if class.needed.is_empty() && !weaker.is_empty() {
            list.extend(not_shown(self.document.mode, finished, name, claim));
            return;
        }
        if class.needed.len() != weaker.len() {
            let why = format!("it has {} parts, and shows {} traces", weaker.len(), class.needed.len());
            list.push(Obligation::evaluated(name, claim, Err(why)));
            return;
        }
        for (number, (needed, weaker)) in (1..).zip(class.needed.iter().zip(&weaker)) {
            list.push(self.part_needed((which, "part", number), &needed.trace, || {
                notation::agree_on_weaker(&needed.without, weaker)?;
                formula_of(self.subject.model, weaker).map(Arc::new)
            }));
        }
    }

    fn pair(&self) -> Option<Obligation> {
        let pair = self.document.too_weak.as_ref()?;
        let claim = "a counterexample and an infinite trace that satisfies the property have all these facts";
        Some(shown(self.subject.model, "too-weak", claim, &pair.counterexample, |_| self.has_facts(pair)))
    }

    fn steps(&self) -> usize {
        self.document.bound
    }

    fn sufficient_steps(&self) -> usize {
        self.document.horizon
    }

    fn fewer(&self, steps: usize) -> Option<usize> {
        // No lasso has no step.
        steps.checked_sub(1).filter(|steps| *steps > 0)
    }

    fn question(&self, steps: usize, of: TraceSet) -> LassoQuestion {
        self.subject.question(steps, matches!(of, TraceSet::Accepted))
    }
}

impl ClassifiedLassos<'_> {
    fn has_facts(&self, pair: &StoredPair<Infinite>) -> Result<(), String> {
        self.agree(&pair.constraint, &pair.formula)?;
        let formula = formula_of(self.subject.model, &pair.formula)?;
        let violating = self.counterexample(&pair.counterexample, &[])?;
        let accepting = self.accepted(&pair.accepting)?;
        let have = [violating, accepting].iter().all(|found| self.is_in(&formula, found));
        is_so(have, || "one of the traces does not have all the facts".into())
    }
}

/// Returns the positions of a class by name with their places in its infinite trace, in the order of the constraint.
fn named(class: &StoredClass<Infinite>) -> Result<Vec<(&str, Position)>, String> {
    let states = &class.representative.states;
    let place = |name: &str| states.iter().position(|state| state.positions.iter().any(|at| at == name));
    let once = class.formula.facts.iter().filter(|fact| fact.when == Recurrence::Once);
    let count: usize = once.map(|fact| fact.at.len()).sum();
    let names = notation::positions(&class.constraint)?;
    if names.len() != count {
        return Err("its constraint does not name the positions of its formula".into());
    }
    let all: Option<Vec<(&str, Position)>> = names
        .into_iter()
        .map(|name| {
            let (at, state) = (place(&name)?, states.iter().flat_map(|state| &state.positions));
            Some((state.into_iter().find(|at| **at == name)?.as_str(), Position::new(at)))
        })
        .collect();
    all.ok_or_else(|| "it does not show the positions of its constraint".into())
}

/// Returns the values of the individuals of a class in its infinite trace, according to the result.
fn assigned(
    model: &Model,
    class: &StoredClass<Infinite>,
    formula: &LassoFormula,
) -> Result<Vec<Value>, String> {
    let value = |(variable, said): (&FormulaVariable, &StoredIndividual)| {
        let all = variable.values.iter().flatten();
        let value = all.into_iter().find(|value| model.types.show_value(value) == said.value);
        value.cloned().ok_or_else(|| format!("`{}` is nothing in it", said.name))
    };
    formula.individuals().iter().zip(&class.individuals).map(value).collect()
}
