//! The obligations of a classification of infinite traces.

use super::claims::{Claimed, NoFormula, ReadClass};
use super::classified::{SHARED, unknown_within, vocabulary};
use super::combinations::{MOST, Sets};
use super::consistent::{CommonFields, together};
use super::document::{LassoDocument, Mode, StoredLassoClass, StoredLassoPair, StoredShared, StoredTrace};
use super::notation;
use super::obligation::{Obligation, Question};
use super::replay::{constants, lasso, shown};
use engines::ltl::{Fairness, is_fair, satisfies};
use kit::diagnostics::Diagnostic;
use lang::model::eval::check_trace;
use lang::model::expr::Formula;
use lang::model::permutation::Permutation;
use lang::model::value::Value;
use lang::model::{LassoFormula, LassoFormulaText, Model, Position, PropertyKind, Recurrence};
use lang::trace::Lasso;
use solvers::smt::LassoQuestion;
use std::sync::Arc;

/// The infinite traces of a result.
pub(super) struct Infinite<'a> {
    pub model: &'a Model,
    /// The name of the formula.
    pub name: &'a str,
    pub formula: &'a Formula,
    pub fairness: Vec<Fairness>,
}

impl Infinite<'_> {
    /// Returns the infinite trace of a document, which must be fair, satisfy the formula or not, and have at most
    /// `most` steps.
    pub fn found(&self, document: &StoredTrace, satisfied: bool, most: usize) -> Result<Lasso, String> {
        self.found_named(document, &[], satisfied, most)
    }

    /// Like [`Infinite::found`], with named positions.
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

/// A class of infinite traces, or an image of one, with its formula.
type ReadLassos<'a> = ReadClass<'a, StoredLassoClass, LassoFormula>;

struct Claims<'a> {
    document: &'a LassoDocument,
    subject: Infinite<'a>,
    classes: Vec<ReadLassos<'a>>,
    /// For a cover of the counterexamples of another class: its formula. Other traces do not count as counterexamples.
    within: Option<Arc<LassoFormula>>,
    /// True if the search for classes was completed, so that none is missing for lack of time.
    finished: bool,
}

/// Returns the obligations of a classification of infinite traces.
pub(super) fn obligations(model: &Model, document: &LassoDocument) -> Vec<Obligation> {
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
    let read = |class: &StoredLassoClass| match LassoFormula::read(model, &class.formula) {
        Ok(formula) => Ok(Arc::new(formula)),
        Err(unreadable) => Err(NoFormula::Wrong(message(&unreadable.diagnostics))),
    };
    let classes = document.classes.iter();
    let claims = Claims {
        document,
        subject: Infinite { model, name: &document.property, formula, fairness },
        classes: classes.flat_map(|class| ReadClass::with_images(class, read)).collect(),
        within: within(model, document, &mut list),
        finished: CommonFields::from(document).answer().is_finished(),
    };
    for class in &claims.classes {
        claims.of_class(class, &mut list);
    }
    claims.whole(&mut list);
    claims.shown(&mut list);
    claims.shared(&mut list);
    list
}

/// Returns the class whose counterexamples were covered, unless all were.
fn within(model: &Model, document: &LassoDocument, list: &mut Vec<Obligation>) -> Option<Arc<LassoFormula>> {
    let (constraint, formula) = (document.within.as_ref()?, document.within_formula.as_ref()?);
    let claim = "the text of the class whose counterexamples were covered says what its formula says";
    let found = formula_of(model, formula);
    let right = found.as_ref().map_err(Clone::clone);
    let right = right.and_then(|_| notation::agree_on_lassos(constraint, (formula, false), None));
    list.push(Obligation::evaluated("within", claim, right));
    found.ok().map(Arc::new)
}

/// Checks the fields of a document against each other.
fn consistent(document: &LassoDocument) -> Result<(), String> {
    let LassoDocument { classes, mode, bound, horizon, .. } = document;
    CommonFields::from(document).check()?;
    together([(*bound > 0 && horizon >= bound, "the bound and the horizon")])?;
    let may_be_accepted = *mode == Mode::Cover;
    let right = |class: &StoredLassoClass| match class.accepted {
        Some(_) => may_be_accepted && !class.sufficient,
        None => class.sufficient,
    };
    match classes.iter().flat_map(StoredLassoClass::with_images).all(right) {
        true => Ok(()),
        false => {
            Err("a class does not suffice, and the result is no cover or shows no trace for that".into())
        }
    }
}

impl Claims<'_> {
    fn of_class(&self, read: &ReadLassos<'_>, list: &mut Vec<Obligation>) {
        let ReadClass { class, which, .. } = read;
        let (name, title) = (which.name(), which.title());
        let claim = format!("the texts of {title} say what its formula says");
        let formula = match &read.formula {
            Ok(formula) => formula,
            Err(no_formula) => {
                list.push(no_formula.obligation(name, claim));
                return;
            }
        };
        list.push(Obligation::evaluated(format!("{name}-texts"), claim, texts(class)));
        list.extend(self.image(read, formula));
        let (model, bound) = (self.subject.model, self.document.bound);
        let claim = format!("the infinite trace of {title} is a counterexample, and in the class");
        list.push(shown(model, format!("{name}-trace"), claim, &class.representative, |document| {
            let named = named(class)?;
            let found = self.subject.found_named(document, &named, false, bound)?;
            self.is_counted(&found)?;
            let values = assigned(model, class, formula)?;
            let positions: Vec<Position> = named.iter().map(|(_, at)| *at).collect();
            match formula.holds_at(model, &found.trace.moments, found.start, &values, &positions) {
                true => Ok(()),
                false => Err("its positions and individuals do not satisfy the class".into()),
            }
        }));
        list.extend(self.alone(read));
        self.needed_parts(read, list);
        self.questions(read, list);
    }

    /// Checks that an infinite trace is in the other class, if only those count.
    fn is_counted(&self, found: &Lasso) -> Result<(), String> {
        match &self.within {
            Some(other) if !is_in(self.subject.model, other, found) => {
                Err("it is not in the class whose counterexamples were covered".into())
            }
            _ => Ok(()),
        }
    }

    /// Returns the question for counterexamples that repeat after up to `steps` steps, of the other class if only those
    /// count.
    fn question(&self, steps: usize) -> LassoQuestion {
        let inside = self.within.iter().map(|other| ("the class within".to_owned(), Arc::clone(other)));
        LassoQuestion { inside: inside.collect(), ..self.subject.question(steps, false) }
    }

    /// True if only the counterexamples of an unknown class count.
    fn is_within_unknown(&self) -> bool {
        self.document.within.is_some() && self.within.is_none()
    }

    /// Adds the obligations that no part of a class can be omitted.
    fn needed_parts(&self, read: &ReadLassos<'_>, list: &mut Vec<Obligation>) {
        let (class, name, title) = (read.class, read.which.name(), read.which.title());
        let weaker = class.formula.weaker();
        if class.needed.is_empty() {
            if self.finished && self.document.mode == Mode::Sufficient && !weaker.is_empty() {
                let claim = format!("no part of {title} can be left out");
                let why = "there are no infinite traces that show it";
                list.push(Obligation::open(format!("{name}-needed"), claim, why));
            }
            return;
        }
        if class.needed.len() != weaker.len() {
            let claim = format!("no part of {title} can be left out");
            let why = format!("it has {} parts, and shows {} traces", weaker.len(), class.needed.len());
            list.push(Obligation::evaluated(format!("{name}-needed"), claim, Err(why)));
            return;
        }
        for (number, (needed, weaker)) in class.needed.iter().zip(&weaker).enumerate() {
            let part = number + 1;
            let claim = format!("without part {part}, {title} does not suffice");
            let name = format!("{name}-needed-{part}");
            list.push(shown(self.subject.model, name, claim, &needed.trace, |document| {
                notation::agree_on_weaker(&needed.without, weaker)?;
                let found = self.subject.found(document, true, self.document.horizon)?;
                match is_in(self.subject.model, &formula_of(self.subject.model, weaker)?, &found) {
                    true => Ok(()),
                    false => Err("it does not satisfy the other parts".into()),
                }
            }));
        }
    }

    /// Adds the obligations of a class about all infinite traces.
    fn questions(&self, read: &ReadLassos<'_>, list: &mut Vec<Obligation>) {
        let (Some(inside), class) = (read.named(), read.class) else { return };
        let (own_name, title) = (read.which.name(), read.which.title());
        match &class.accepted {
            Some(accepted) => {
                let claim = format!("an infinite trace in {title} satisfies the property");
                let name = format!("{own_name}-accepted");
                list.push(shown(self.subject.model, name, claim, accepted, |document| {
                    let found = self.subject.found(document, true, self.document.horizon)?;
                    match is_in(self.subject.model, &inside.1, &found) {
                        true => Ok(()),
                        false => Err("it is not in the class".into()),
                    }
                }));
            }
            None => {
                let asked = self.subject.question(self.document.horizon, true);
                list.push(Obligation::ask(
                    format!("{own_name}-sufficient"),
                    format!("no infinite trace in {title} satisfies the property"),
                    LassoQuestion { inside: vec![inside.clone()], ..asked },
                ));
            }
        }
        if let Some(shorter @ 1..) =
            class.accepted.as_ref().and_then(|trace| trace.steps.min(self.document.horizon).checked_sub(1))
        {
            let asked = self.subject.question(shorter, true);
            list.push(Obligation::ask(
                format!("{own_name}-accepted-shortest"),
                format!("no infinite trace in {title} that satisfies the property has fewer steps"),
                LassoQuestion { inside: vec![inside.clone()], ..asked },
            ));
        }
        let steps = class.representative.steps.min(self.document.bound);
        let is_known = self.finished && !self.is_within_unknown();
        // An interrupted search may show a trace that is not shortest. Every lasso has at least one step.
        if let (true, Some(shorter @ 1..)) = (is_known, steps.checked_sub(1)) {
            let mut asked = self.question(shorter);
            asked.inside.push(inside.clone());
            list.push(Obligation::ask(
                format!("{own_name}-shortest"),
                format!("no counterexample of {title} has fewer steps than the one that is shown"),
                asked,
            ));
        }
        let canonical = class.canonical.as_ref().map_or(0, |trace| trace.steps.min(self.document.bound));
        if let (true, Some(shorter @ 1..)) = (is_known && canonical > steps, canonical.checked_sub(1)) {
            let mut asked = self.question(shorter);
            asked.inside.push(inside);
            let others = self.classes.iter().filter(|other| other.which != read.which);
            asked.outside.extend(others.filter_map(ReadClass::named));
            list.push(Obligation::ask(
                format!("{own_name}-alone-shortest"),
                format!("no counterexample of {title} alone has fewer steps than the one that is shown"),
                asked,
            ));
        }
    }

    /// Adds the claims of the verdict.
    fn whole(&self, list: &mut Vec<Obligation>) {
        let LassoDocument { property, bound, .. } = self.document;
        let verdict = CommonFields::from(self.document).answer();
        if self.is_within_unknown() {
            list.extend(self.document.within_formula.is_none().then(unknown_within));
        } else if verdict.holds() {
            let claim = format!("no infinite trace within the bound violates {property}");
            list.push(Obligation::ask("holds", claim, self.question(*bound)));
        } else if verdict.is_complete() {
            let claim = "every infinite counterexample within the bound is in a class";
            list.extend(self.of_all("complete", claim, |all| {
                let asked = self.question(*bound);
                vec![Obligation::ask("complete", claim, LassoQuestion { outside: all, ..asked })]
            }));
        }
        if self.document.unbounded.as_ref().is_some_and(|unbounded| unbounded.proved) {
            list.push(Obligation::open(
                "every-length",
                "the same is so of all infinite traces",
                "a classification stores no certificate for that",
            ));
        }
    }

    /// Adds the obligations about the other traces of the result.
    fn shown(&self, list: &mut Vec<Obligation>) {
        let LassoDocument { unclassified, remainder, too_weak, .. } = self.document;
        let model = self.subject.model;
        self.outside(
            "an infinite counterexample",
            [("unclassified", unclassified), ("remainder", remainder)],
            list,
        );
        if let Some(listed) = &self.document.combinations {
            let all = self.document.all_combinations == Some(true) && !self.is_within_unknown();
            self.combinations(listed, self.document.bound, all, list);
        }
        if let Some(pair) = too_weak {
            let claim =
                "a counterexample and an infinite trace that satisfies the property have all these facts";
            list.push(shown(model, "too-weak", claim, &pair.counterexample, |_| self.pair(pair)));
        }
    }

    /// Adds the obligations about facts that all counterexamples share.
    fn shared(&self, list: &mut Vec<Obligation>) {
        let Some(necessary) = &self.document.necessary_facts else { return };
        for (number, fact) in necessary.always.iter().enumerate() {
            let name = format!("always-{}", number + 1);
            let claim = format!("every infinite counterexample within the bound has {}", fact.constraint);
            let each = |of: Arc<LassoFormula>| {
                let outside = vec![("the fact".to_owned(), of)];
                LassoQuestion { outside, ..self.question(self.document.bound) }
            };
            match self.of_each(fact) {
                Err(why) => list.push(Obligation::evaluated(name, claim, Err(why))),
                Ok(all) if all.len() == 1 => {
                    list.extend(all.into_iter().map(|of| Obligation::ask(&name, &claim, each(of))));
                }
                Ok(all) => list.extend(
                    all.into_iter()
                        .zip(1..)
                        .map(|(of, choice)| Obligation::ask(format!("{name}-{choice}"), &claim, each(of))),
                ),
            }
        }
        for (number, fact) in necessary.never.iter().enumerate() {
            let name = format!("never-{}", number + 1);
            let claim = format!("no infinite counterexample within the bound has {}", fact.constraint);
            list.push(match self.of_each(fact) {
                Err(why) => Obligation::evaluated(name, claim, Err(why)),
                Ok(all) => {
                    let mut asked = self.question(self.document.bound);
                    asked.inside.extend(all.into_iter().map(|of| ("the fact".to_owned(), of)));
                    Obligation::ask(name, claim, asked)
                }
            });
        }
        if necessary.every_length {
            let why = "a classification stores no certificate for that";
            list.push(Obligation::open("shared-every-length", SHARED, why));
        }
    }

    /// Returns the formulas of a shared fact; one for each choice of individuals if it holds for each.
    fn of_each(&self, fact: &StoredShared<LassoFormulaText>) -> Result<Vec<Arc<LassoFormula>>, String> {
        let of_each = fact.of_each == Some(true);
        notation::agree_on_lassos(&fact.constraint, (&fact.formula, of_each), None)?;
        let formula = formula_of(self.subject.model, &fact.formula)?;
        if !of_each {
            return Ok(vec![Arc::new(formula)]);
        }
        let of = |choice: &Vec<Value>| {
            let mut one = formula.clone();
            one.choices = vec![choice.clone()];
            Arc::new(one)
        };
        Ok(formula.choices.iter().map(of).collect())
    }

    fn pair(&self, pair: &StoredLassoPair) -> Result<(), String> {
        notation::agree_on_lassos(&pair.constraint, (&pair.formula, false), None)?;
        let formula = formula_of(self.subject.model, &pair.formula)?;
        let LassoDocument { bound, horizon, .. } = self.document;
        let violating = self.subject.found(&pair.counterexample, false, *bound)?;
        let accepting = self.subject.found(&pair.accepting, true, *horizon)?;
        match [violating, accepting].iter().all(|found| is_in(self.subject.model, &formula, found)) {
            true => Ok(()),
            false => Err("one of the traces does not have all the facts".into()),
        }
    }
}

impl Claimed for Claims<'_> {
    type Class = StoredLassoClass;
    type Formula = LassoFormula;
    type Trace = Lasso;

    fn model(&self) -> &Model {
        self.subject.model
    }

    fn classes(&self) -> &[ReadLassos<'_>] {
        &self.classes
    }

    fn is_finished(&self) -> bool {
        self.finished
    }

    fn counterexample(&self, document: &StoredTrace) -> Result<Lasso, String> {
        let found = self.subject.found(document, false, self.document.bound)?;
        self.is_counted(&found).map(|()| found)
    }

    fn contains(&self, formula: &LassoFormula, found: &Lasso) -> bool {
        is_in(self.subject.model, formula, found)
    }

    fn moved(
        &self,
        class: &StoredLassoClass,
        document: &StoredTrace,
        by: &Permutation,
    ) -> Result<Lasso, String> {
        let model = self.subject.model;
        let found = self.subject.found_named(document, &named(class)?, false, self.document.bound)?;
        let moved = found.permuted(model, by);
        check_trace(model, &moved.trace.moments)
            .map_err(|fault| format!("it is no trace of the model: {}", fault.diagnostic(model).message))?;
        self.subject.asked_for(&moved, false).map(|()| moved)
    }

    /// One for each choice of images.
    fn of_sets(&self, sets: &Sets, steps: usize) -> Vec<Question> {
        // No lasso has no step.
        if self.is_within_unknown() || steps == 0 {
            return Vec::new();
        }
        let mut asked = self.question(steps);
        asked.outside.extend(sets.without.iter().flat_map(|&id| self.named(id)));
        let mut all = vec![asked];
        for &id in &sets.with {
            let with = |asked: LassoQuestion| {
                self.named(id).map(move |one| {
                    let mut asked = asked.clone();
                    asked.inside.push(one);
                    asked
                })
            };
            all = all.into_iter().flat_map(with).take(MOST + 1).collect();
        }
        all.into_iter().map(Question::from).collect()
    }
}

fn is_in(model: &Model, formula: &LassoFormula, found: &Lasso) -> bool {
    formula.holds(model, &found.trace.moments, found.start)
}

/// Checks the displayed texts of a class against its formula.
fn texts(class: &StoredLassoClass) -> Result<(), String> {
    let StoredLassoClass { constraint, formula, facts, distinct, individuals, .. } = class;
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

/// Returns the positions of a class by name with their places in its infinite trace, in the order of the constraint.
fn named(class: &StoredLassoClass) -> Result<Vec<(&str, Position)>, String> {
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
fn assigned(model: &Model, class: &StoredLassoClass, formula: &LassoFormula) -> Result<Vec<Value>, String> {
    let value = |(variable, said): (&lang::model::FormulaVariable, &super::document::StoredIndividual)| {
        let all = variable.values.iter().flatten();
        let value = all.into_iter().find(|value| model.types.show_value(value) == said.value);
        value.cloned().ok_or_else(|| format!("`{}` is nothing in it", said.name))
    };
    formula.individuals().iter().zip(&class.individuals).map(value).collect()
}
