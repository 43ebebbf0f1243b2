//! Claims of classifications that are alike for finite and infinite traces: about classes, and the traces that are in them.

use super::combinations::{MOST, Sets, unlisted};
use super::document::{StoredClass, StoredCombination, StoredImage, StoredLassoClass, StoredTrace};
use super::images::{Which, permutation};
use super::obligation::{Obligation, Question};
use super::replay::shown;
use lang::model::Model;
use lang::model::permutation::Permutation;
use std::sync::Arc;

/// The reason why a formula cannot be read.
#[derive(Debug, Clone)]
pub(super) enum NoFormula {
    /// The formula is wrong.
    Wrong(String),
    /// The formula depends on the fates of states, for which the model has no formula.
    Fates,
}

/// The reason why obligations that depend on fates are open.
const FATES: &str = "lost, safe, open and decisive have no meaning in a result: which states they are of was found by visiting all states";

impl NoFormula {
    /// Returns the reason as a sentence.
    pub fn why(&self) -> String {
        match self {
            Self::Wrong(why) => format!("its formula cannot be read: {why}"),
            Self::Fates => FATES.to_owned(),
        }
    }

    /// Returns the obligation that cannot be decided without the formula.
    pub fn obligation(&self, name: impl Into<String>, claim: impl Into<String>) -> Obligation {
        match self {
            Self::Wrong(_) => Obligation::evaluated(name, claim, Err(self.why())),
            Self::Fates => Obligation::open(name, claim, FATES),
        }
    }
}

/// The fields that classes of both kinds of documents share.
pub(super) struct ClassFields<'a, C> {
    pub id: usize,
    pub images: &'a [StoredImage<C>],
    pub representative: &'a StoredTrace,
    pub canonical: Option<&'a StoredTrace>,
    pub redundant: bool,
}

/// A class in a document.
pub(super) trait DocumentedClass: Sized {
    fn fields(&self) -> ClassFields<'_, Self>;
}

impl DocumentedClass for StoredClass {
    fn fields(&self) -> ClassFields<'_, Self> {
        let Self { id, images, representative, canonical, redundant, .. } = self;
        ClassFields { id: *id, images, representative, canonical: canonical.as_ref(), redundant: *redundant }
    }
}

impl DocumentedClass for StoredLassoClass {
    fn fields(&self) -> ClassFields<'_, Self> {
        let Self { id, images, representative, canonical, .. } = self;
        ClassFields { id: *id, images, representative, canonical: canonical.as_ref(), redundant: false }
    }
}

/// A class, or an image of one, with its formula.
pub(super) struct ReadClass<'a, C, F> {
    pub class: &'a C,
    pub which: Which,
    /// For an image, the class and the symmetry that maps it to the image.
    pub of: Option<(&'a C, &'a StoredImage<C>)>,
    pub formula: Result<Arc<F>, NoFormula>,
}

impl<'a, C: DocumentedClass, F> ReadClass<'a, C, F> {
    /// Returns a class of a result and its images.
    pub fn with_images(class: &'a C, read: impl Fn(&C) -> Result<Arc<F>, NoFormula>) -> Vec<Self> {
        let which = Which { class: class.fields().id, image: None };
        let original = Self { class, which, of: None, formula: read(class) };
        let images = (1..).zip(class.fields().images).map(|(number, image)| Self {
            class: &image.class,
            which: Which { image: Some(number), ..which },
            of: Some((class, image)),
            formula: read(&image.class),
        });
        std::iter::once(original).chain(images).collect()
    }

    /// Returns the formula for a question, with a name.
    pub fn named(&self) -> Option<(String, Arc<F>)> {
        let formula = self.formula.as_ref().ok()?;
        Some((self.which.title(), Arc::clone(formula)))
    }
}

/// The classes that a result has of some kind of traces.
pub(super) trait Claimed {
    type Class: DocumentedClass;
    type Formula;
    type Trace;

    fn model(&self) -> &Model;

    /// All classes and their images.
    fn classes(&self) -> &[ReadClass<'_, Self::Class, Self::Formula>];

    /// True if the search for classes was completed, so that none is missing for lack of time.
    fn is_finished(&self) -> bool;

    /// Returns the trace of a document, which must be a counterexample that counts.
    fn counterexample(&self, document: &StoredTrace) -> Result<Self::Trace, String>;

    fn contains(&self, formula: &Self::Formula, trace: &Self::Trace) -> bool;

    /// Returns the trace of a class with values moved, which must be a counterexample.
    fn moved(
        &self,
        class: &Self::Class,
        document: &StoredTrace,
        by: &Permutation,
    ) -> Result<Self::Trace, String>;

    /// Returns the questions for counterexamples of up to `steps` steps in sets of classes; none if these are unknown.
    fn of_sets(&self, sets: &Sets, steps: usize) -> Vec<Question>;

    /// Returns the classes that are not redundant.
    fn needed(&self) -> impl Iterator<Item = &ReadClass<'_, Self::Class, Self::Formula>> {
        self.classes().iter().filter(|read| !read.class.fields().redundant)
    }

    /// Returns the formulas of a class that is not redundant, and of its images.
    fn named(&self, id: usize) -> impl Iterator<Item = (String, Arc<Self::Formula>)> {
        self.needed().filter(move |read| read.which.class == id).filter_map(ReadClass::named)
    }

    /// Returns the classes that contain a trace, at least in some image, without redundant ones.
    fn classes_of(&self, trace: &Self::Trace) -> Result<Vec<usize>, String> {
        let mut found = Vec::new();
        for read in self.needed() {
            let Ok(formula) = &read.formula else {
                return Err(format!("the formula of {} cannot be read", read.which.title()));
            };
            if self.contains(formula, trace) {
                found.push(read.which.class);
            }
        }
        found.dedup();
        Ok(found)
    }

    /// Checks that a trace is in no class.
    fn in_none(&self, trace: &Self::Trace) -> Result<(), String> {
        match self.classes_of(trace)?.first() {
            Some(class) => Err(format!("it is in class {class}")),
            None => Ok(()),
        }
    }

    /// Checks that a trace is in one class and in no other that is not redundant.
    fn in_one(&self, which: Which, trace: &Self::Trace) -> Result<(), String> {
        for other in self.classes() {
            let Ok(formula) = &other.formula else {
                return Err(format!("{} cannot be read", other.which.title()));
            };
            match (self.contains(formula, trace), other.which == which) {
                (false, true) => return Err("it is not in the class".into()),
                (true, false) if !other.class.fields().redundant => {
                    return Err(format!("it is in {}, too", other.which.title()));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Returns the obligation that an image is the one it is called, which the trace of the class can show only in part.
    fn image(
        &self,
        read: &ReadClass<'_, Self::Class, Self::Formula>,
        formula: &Self::Formula,
    ) -> Option<Obligation> {
        let (of, image) = read.of?;
        let (id, title) = (of.fields().id, read.which.title());
        let claim =
            format!("with values moved as it says, the trace of class {id} is a counterexample in {title}");
        let name = format!("{}-moved", read.which.name());
        Some(shown(self.model(), name, claim, of.fields().representative, |document| {
            let by = permutation(self.model(), image)?;
            if image.by != by.show(&self.model().types) {
                return Err("it says otherwise in words what moves".into());
            }
            match self.contains(formula, &self.moved(of, document, &by)?) {
                true => Ok(()),
                false => Err("it is not in the class".into()),
            }
        }))
    }

    /// Returns the obligation that a class has a counterexample of its own.
    fn alone(&self, read: &ReadClass<'_, Self::Class, Self::Formula>) -> Option<Obligation> {
        let claim = format!("a counterexample of {} is in no other class", read.which.title());
        let name = format!("{}-alone", read.which.name());
        match read.class.fields().canonical {
            Some(canonical) => Some(shown(self.model(), name, claim, canonical, |document| {
                self.in_one(read.which, &self.counterexample(document)?)
            })),
            None => (!read.class.fields().redundant && self.is_finished()).then(|| {
                Obligation::open(name, claim, "there is no counterexample that is in no other class")
            }),
        }
    }

    /// Returns obligations about all classes, or one with the reason why there are none.
    fn of_all(
        &self,
        name: &str,
        claim: &str,
        ask: impl FnOnce(Vec<(String, Arc<Self::Formula>)>) -> Vec<Obligation>,
    ) -> Vec<Obligation> {
        match self.needed().find_map(|read| read.formula.as_ref().err()) {
            Some(NoFormula::Wrong(_)) => {
                let why = "the formula of a class cannot be read".to_owned();
                vec![Obligation::evaluated(name, claim, Err(why))]
            }
            Some(fates) => vec![fates.obligation(name, claim)],
            None => ask(self.needed().filter_map(ReadClass::named).collect()),
        }
    }

    /// Adds the obligations that traces are in no class: `what` is `a counterexample`.
    fn outside(&self, what: &str, traces: [(&str, &Option<StoredTrace>); 2], list: &mut Vec<Obligation>) {
        for (name, document) in traces {
            let Some(document) = document else { continue };
            let claim = format!("{what} that is shown is in no class");
            list.push(shown(self.model(), name, claim, document, |document| {
                self.in_none(&self.counterexample(document)?)
            }));
        }
    }

    /// Adds the obligations about classes that occur together, and if `all`, that no others do.
    fn combinations(
        &self,
        listed: &[StoredCombination],
        bound: usize,
        all: bool,
        list: &mut Vec<Obligation>,
    ) {
        for (combination, number) in listed.iter().zip(1..) {
            let claim = format!("a counterexample is in the classes {:?} and no others", combination.classes);
            let name = format!("combination-{number}");
            list.push(shown(self.model(), name, claim, &combination.trace, |document| {
                let found = self.classes_of(&self.counterexample(document)?)?;
                (found == combination.classes).then_some(()).ok_or(format!("it is in the classes {found:?}"))
            }));
        }
        let firsts = || self.needed().filter(|read| read.of.is_none());
        let ids: Vec<usize> = firsts().map(|read| read.which.class).collect();
        for (combination, number) in listed.iter().zip(1..).filter(|_| self.is_finished()) {
            let members = firsts().filter(|read| combination.classes.contains(&read.which.class));
            let least = members.map(|read| read.class.fields().representative.steps).max().unwrap_or(0);
            let shorter = combination.steps.min(bound).checked_sub(1).filter(|shorter| *shorter >= least);
            let Some(shorter) = shorter else { continue };
            let (name, claim) = (
                format!("combination-{number}-shortest"),
                "no counterexample of these classes alone has fewer steps",
            );
            list.extend(self.of_all(&name, claim, |_| {
                let asked = self.of_sets(&Sets::only(&combination.classes, &ids), shorter);
                let named = |(asked, choice)| Obligation::ask(format!("{name}-{choice}"), claim, asked);
                asked.into_iter().zip(1..).map(named).collect()
            }));
        }
        if !all {
            return;
        }
        let (name, claim) = ("combinations", "no other classes occur together");
        let of = |sets: &Sets| -> Vec<(String, Question)> {
            self.of_sets(sets, bound).into_iter().map(|asked| (sets.claim(), asked)).collect()
        };
        let asked: Option<Vec<_>> = unlisted(&ids, listed).map(|all| all.iter().flat_map(of).collect());
        let Some(asked) = asked.filter(|asked| asked.len() <= MOST) else {
            let why = "there are too many classes to ask about all of their sets";
            list.push(Obligation::open(name, claim, why));
            return;
        };
        list.extend(self.of_all(name, claim, |_| {
            let numbered = asked.into_iter().zip(1..);
            let ask = |((claim, asked), number)| Obligation::ask(format!("{name}-{number}"), claim, asked);
            numbered.map(ask).collect()
        }));
    }
}
