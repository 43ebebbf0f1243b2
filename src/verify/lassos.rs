//! The obligations of a classification of infinite traces.

use super::document::{LassoClassified, StoredImage, StoredLassoClass, StoredLassoPair};
use super::images::{Which, permutation};
use super::obligation::Obligation;
use super::replay::{constants, lasso, shown};
use super::texts;
use crate::diagnostics::Diagnostic;
use crate::ltl::{Fairness, is_fair, satisfies};
use crate::model::eval::check_trace;
use crate::model::expr::Formula;
use crate::model::{LassoFormula, LassoFormulaText, Model, PropertyKind};
use crate::smt::LassoQuestion;
use crate::trace::Lasso;
use serde_json::Value as Json;
use std::sync::Arc;

/// Infinite traces that a result is about.
pub(super) struct Infinite<'a> {
    pub model: &'a Model,
    /// What the formula is called.
    pub name: &'a str,
    pub formula: &'a Formula,
    pub fairness: Vec<Fairness>,
}

impl Infinite<'_> {
    /// The infinite trace of a document, which has to be fair, and to satisfy the formula or not, within so many steps.
    pub fn found(&self, document: &Json, satisfied: bool, most: usize) -> Result<Lasso, String> {
        let found = lasso(self.model, document)?;
        if found.len() > most {
            return Err(format!("it has {} steps, and {most} are the most", found.len()));
        }
        self.asked_for(&found, satisfied).map(|()| found)
    }

    /// That an infinite trace is fair, and satisfies the formula or not.
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

    /// The question for infinite traces that satisfy the formula or not, before anything is said of classes.
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

/// The first message of what is wrong with a text.
pub(super) fn message(diagnostics: &[Diagnostic]) -> String {
    diagnostics
        .iter()
        .find(|diagnostic| diagnostic.is_error())
        .map(|it| it.message.clone())
        .unwrap_or_default()
}

fn formula_of(model: &Model, text: &LassoFormulaText) -> Result<LassoFormula, String> {
    LassoFormula::read(model, text)
        .map_err(|unreadable| format!("its formula cannot be read: {}", message(&unreadable.diagnostics)))
}

/// A class, or an image of one, with its formula.
struct ReadClass<'a> {
    class: &'a StoredLassoClass,
    which: Which,
    /// Of an image the class, and how the image is made of it.
    of: Option<(&'a StoredLassoClass, &'a StoredImage<StoredLassoClass>)>,
    formula: Result<Arc<LassoFormula>, String>,
}

impl<'a> ReadClass<'a> {
    /// A class of a result and its images.
    fn with_images(model: &Model, class: &'a StoredLassoClass) -> Vec<Self> {
        let formula = |class: &StoredLassoClass| formula_of(model, &class.formula).map(Arc::new);
        let which = Which { class: class.id, image: None };
        let images = (1..).zip(&class.images).map(|(number, image)| Self {
            class: &image.class,
            which: Which { image: Some(number), ..which },
            of: Some((class, image)),
            formula: formula(&image.class),
        });
        std::iter::once(Self { class, which, of: None, formula: formula(class) }).chain(images).collect()
    }

    fn named(&self) -> Option<(String, Arc<LassoFormula>)> {
        let formula = self.formula.as_ref().ok()?;
        Some((self.which.title(), Arc::clone(formula)))
    }
}

struct Claims<'a> {
    document: &'a LassoClassified,
    subject: Infinite<'a>,
    classes: Vec<ReadClass<'a>>,
    /// Whether the search for classes came to its end, so that nothing is left out for want of time.
    finished: bool,
}

/// What has to be so if a classification of infinite traces is right.
pub(super) fn obligations(model: &Model, document: &LassoClassified) -> Vec<Obligation> {
    let property = model.properties.iter().find(|property| property.name == document.property);
    let formula = property.and_then(|property| match &property.kind {
        PropertyKind::Ltl(formula) => Some(formula),
        _ => None,
    });
    let fairness =
        Fairness::demanded(model, document.ignore_fairness, &document.fair, &document.strongly_fair);
    let about = match (formula, &fairness) {
        (None, _) => Err(format!("the model has no property {} of ltl", document.property)),
        (_, Err(wrong)) => Err(format!("a condition of fairness is none: {}", message(&wrong.diagnostics))),
        _ if model.name != document.model => Err(format!("the model is called {}", model.name)),
        (_, Ok(fairness)) if fairness.len() != document.fairness => {
            Err(format!("there are {} conditions of fairness", fairness.len()))
        }
        _ => constants(model, &document.constants).and_then(|()| consistent(document)),
    };
    let mut list =
        vec![Obligation::evaluated("document", "the result is about this model, and consistent", about)];
    let (Some(formula), Ok(fairness)) = (formula, fairness) else { return list };
    let classes = document.classes.iter();
    let claims = Claims {
        document,
        subject: Infinite { model, name: &document.property, formula, fairness },
        classes: classes.flat_map(|class| ReadClass::with_images(model, class)).collect(),
        finished: !matches!(document.verdict.as_str(), "partial" | "undecided" | "too_weak"),
    };
    for class in &claims.classes {
        claims.of_class(class, &mut list);
    }
    claims.whole(&mut list);
    list
}

/// That a verdict goes with what is beside it.
fn consistent(document: &LassoClassified) -> Result<(), String> {
    let LassoClassified { verdict, classes, unclassified, too_weak, unbounded, bound, horizon, .. } =
        document;
    let (covers, over) = (document.covers(), document.remainder.is_some());
    let some = !classes.is_empty();
    let proved = unbounded.as_ref().is_some_and(|unbounded| unbounded.proved);
    let right = match verdict.as_str() {
        "complete" => some && !proved && !over,
        "complete_unbounded" => some && proved && !over,
        "holds" => !some && !proved,
        "holds_unbounded" => !some && proved,
        "partial" => unclassified.is_some() || some || over,
        "remainder" => covers && over,
        "too_weak" => too_weak.is_some(),
        "undecided" => !some,
        _ => false,
    };
    if !right {
        return Err(format!("the verdict {verdict} does not go with the rest of the result"));
    }
    let mut all = classes.iter().flat_map(StoredLassoClass::with_images);
    if !covers && all.any(|class| class.accepted.is_some()) {
        return Err("a class does not suffice, and the result is no cover".into());
    }
    if classes.iter().enumerate().any(|(index, class)| class.id != index + 1) {
        return Err("the classes are not numbered from 1".into());
    }
    let strange = |class: &StoredLassoClass| {
        class.images.iter().any(|image| image.class.id != class.id || !image.class.images.is_empty())
    };
    if classes.iter().any(strange) {
        return Err("an image does not have the number of its class, or has images of its own".into());
    }
    if *bound == 0 || horizon < bound {
        return Err(format!("the bound is {bound} and the horizon {horizon}"));
    }
    Ok(())
}

impl Claims<'_> {
    fn of_class(&self, read: &ReadClass<'_>, list: &mut Vec<Obligation>) {
        let ReadClass { class, which, .. } = read;
        let (name, title) = (which.name(), which.title());
        let claim = format!("the texts of {title} say what its formula says");
        let formula = match &read.formula {
            Ok(formula) => formula,
            Err(why) => {
                list.push(Obligation::evaluated(name, claim, Err(why.clone())));
                return;
            }
        };
        list.push(Obligation::evaluated(format!("{name}-texts"), claim, texts::agree_on_lassos(class)));
        self.image(read, formula, list);
        let (model, bound) = (self.subject.model, self.document.bound);
        let claim = format!("the infinite trace of {title} is a counterexample, and in the class");
        list.push(shown(model, format!("{name}-trace"), claim, &class.representative, |document| {
            let found = self.subject.found(document, false, bound)?;
            match is_in(model, formula, &found) {
                true => Ok(()),
                false => Err("it is not in the class".into()),
            }
        }));
        let claim = format!("a counterexample of {title} is in no other class");
        match &class.canonical {
            Some(canonical) => {
                list.push(shown(model, format!("{name}-alone"), claim, canonical, |document| {
                    self.alone(*which, &self.subject.found(document, false, bound)?)
                }));
            }
            None if self.finished => list.push(Obligation::open(
                format!("{name}-alone"),
                claim,
                "there is no counterexample that is in no other class",
            )),
            None => {}
        }
        self.needed(read, list);
        self.questions(read, list);
    }

    /// That an image is what it is called, as far as the infinite trace of the class shows it.
    fn image(&self, read: &ReadClass<'_>, formula: &LassoFormula, list: &mut Vec<Obligation>) {
        let (Some((of, image)), model) = (read.of, self.subject.model) else { return };
        let claim = format!(
            "with values moved as it says, the infinite trace of class {} is a counterexample in {}",
            of.id,
            read.which.title()
        );
        let name = format!("{}-moved", read.which.name());
        list.push(shown(model, name, claim, &of.representative, |document| {
            let by = permutation(model, image)?;
            let found = self.subject.found(document, false, self.document.bound)?;
            let moved = found.permuted(model, &by);
            check_trace(model, &moved.trace.moments).map_err(|fault| {
                format!("it is no trace of the model: {}", fault.diagnostic(model).message)
            })?;
            self.subject.asked_for(&moved, false)?;
            match is_in(model, formula, &moved) {
                true => Ok(()),
                false => Err("it is not in the class".into()),
            }
        }));
    }

    /// That an infinite trace is in one class and in no other.
    fn alone(&self, which: Which, found: &Lasso) -> Result<(), String> {
        for other in &self.classes {
            let formula = other.formula.as_ref().map_err(Clone::clone)?;
            match (is_in(self.subject.model, formula, found), other.which == which) {
                (false, true) => return Err("it is not in the class".into()),
                (true, false) => return Err(format!("it is in {}, too", other.which.title())),
                _ => {}
            }
        }
        Ok(())
    }

    /// Why no part of a class can be left out.
    fn needed(&self, read: &ReadClass<'_>, list: &mut Vec<Obligation>) {
        let (class, name, title) = (read.class, read.which.name(), read.which.title());
        let weaker = class.formula.weaker();
        if class.needed.is_empty() {
            if self.finished && !self.document.covers() && !weaker.is_empty() {
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
                let found = self.subject.found(document, true, self.document.horizon)?;
                match is_in(self.subject.model, &formula_of(self.subject.model, weaker)?, &found) {
                    true => Ok(()),
                    false => Err("it does not satisfy the other parts".into()),
                }
            }));
        }
    }

    /// What is asked of all infinite traces about a class.
    fn questions(&self, read: &ReadClass<'_>, list: &mut Vec<Obligation>) {
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
            None => self.sufficient(read.which, inside.clone(), list),
        }
        let steps = class.representative.get("steps").and_then(Json::as_u64);
        let steps = steps.and_then(|steps| usize::try_from(steps).ok()).map(|n| n.min(self.document.bound));
        // A search that was ended may have shown what it had. No lasso has no step.
        if let (true, Some(shorter @ 1..)) = (self.finished, steps.and_then(|n| n.checked_sub(1))) {
            let asked = self.subject.question(shorter, false);
            list.push(Obligation::ask(
                format!("{own_name}-shortest"),
                format!("no counterexample of {title} has fewer steps than the one that is shown"),
                LassoQuestion { inside: vec![inside], ..asked },
            ));
        }
    }

    /// That a class suffices.
    fn sufficient(&self, which: Which, inside: (String, Arc<LassoFormula>), list: &mut Vec<Obligation>) {
        let asked = self.subject.question(self.document.horizon, true);
        list.push(Obligation::ask(
            format!("{}-sufficient", which.name()),
            format!("no infinite trace in {} satisfies the property", which.title()),
            LassoQuestion { inside: vec![inside], ..asked },
        ));
    }

    /// What the verdict says, and what single traces show beside.
    fn whole(&self, list: &mut Vec<Obligation>) {
        let LassoClassified { verdict, property, bound, unclassified, too_weak, .. } = self.document;
        match verdict.as_str() {
            "holds" | "holds_unbounded" => list.push(Obligation::ask(
                "holds",
                format!("no infinite trace within the bound violates {property}"),
                self.subject.question(*bound, false),
            )),
            "complete" | "complete_unbounded" => {
                let claim = "every infinite counterexample within the bound is in a class";
                let unread = self.classes.iter().find_map(|read| read.formula.as_ref().err());
                list.push(match unread {
                    Some(why) => Obligation::evaluated("complete", claim, Err(why.clone())),
                    None => {
                        let outside = self.classes.iter().filter_map(ReadClass::named).collect();
                        let asked = self.subject.question(*bound, false);
                        Obligation::ask("complete", claim, LassoQuestion { outside, ..asked })
                    }
                });
            }
            _ => {}
        }
        if verdict.ends_with("_unbounded") {
            list.push(Obligation::open(
                "every-length",
                "the same is so of all infinite traces",
                "a classification stores no certificate for that",
            ));
        }
        let model = self.subject.model;
        let outside = [("unclassified", unclassified), ("remainder", &self.document.remainder)];
        for (name, document) in outside {
            let Some(document) = document else { continue };
            let claim = "an infinite counterexample that is shown is in no class";
            list.push(shown(model, name, claim, document, |document| {
                let found = self.subject.found(document, false, *bound)?;
                for read in &self.classes {
                    if is_in(model, read.formula.as_ref().map_err(Clone::clone)?, &found) {
                        return Err(format!("it is in {}", read.which.title()));
                    }
                }
                Ok(())
            }));
        }
        if let Some(pair) = too_weak {
            let claim =
                "a counterexample and an infinite trace that satisfies the property have all these facts";
            list.push(shown(model, "too-weak", claim, &pair.counterexample, |_| self.pair(pair)));
        }
    }

    fn pair(&self, pair: &StoredLassoPair) -> Result<(), String> {
        texts::whole_of_lassos(&pair.constraint, &pair.formula)?;
        let formula = formula_of(self.subject.model, &pair.formula)?;
        let LassoClassified { bound, horizon, .. } = self.document;
        let violating = self.subject.found(&pair.counterexample, false, *bound)?;
        let accepting = self.subject.found(&pair.accepting, true, *horizon)?;
        match [violating, accepting].iter().all(|found| is_in(self.subject.model, &formula, found)) {
            true => Ok(()),
            false => Err("one of the traces does not have all the facts".into()),
        }
    }
}

fn is_in(model: &Model, formula: &LassoFormula, found: &Lasso) -> bool {
    formula.holds(model, &found.trace.moments, found.start)
}
