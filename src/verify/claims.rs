//! The obligations of a classification, of finite or of infinite traces.

use super::combinations::{ClassCombination, MOST, unlisted};
use super::document::{
    ClassRequirement, ClassifyDocument, DocumentKind, StoredClass, StoredImage, StoredShared, StoredTrace,
};
use super::images::{ClassOrImage, permutation};
use super::obligation::{Obligation, Question};
use super::replay::shown;
use lang::model::eval::check_trace;
use lang::model::permutation::Permutation;
use lang::model::value::Moment;
use lang::model::{Model, Position};
use std::sync::Arc;

/// The reason why a formula cannot be read.
#[derive(Debug, Clone)]
pub(super) enum NoFormula {
    /// The formula is wrong, for this reason.
    Wrong(String),
    /// The formula depends on the fates of states, for which the model has no formula.
    Fates,
}

impl NoFormula {
    /// Returns the obligation with this claim, which cannot be met.
    pub fn obligation(&self, name: impl Into<String>, claim: impl Into<String>) -> Obligation {
        match self {
            Self::Fates => Obligation::open(name, claim, self.why()),
            Self::Wrong(_) => Obligation::evaluated(name, claim, Err(self.why())),
        }
    }

    /// Returns the reason in words.
    pub fn why(&self) -> String {
        match self {
            Self::Fates => "lost, safe, open and decisive have no meaning in a result: which states they are of was found by visiting all states".to_owned(),
            Self::Wrong(why) => why.clone(),
        }
    }
}

/// A question about traces that are in some classes and not in others.
pub(super) trait ClassQuestion<F>: Clone + Into<Question> {
    /// Adds that traces are in a class, or are not.
    fn push(&mut self, class: (String, Arc<F>), is_in: bool);
    /// Asks for traces of one of the classes beside: one question, or one for each choice.
    fn in_one_of(self, title: String, classes: Vec<(String, Arc<F>)>) -> Vec<Self>;
}

/// The traces that a question is about.
#[derive(Debug, Clone, Copy)]
pub(super) enum TraceSet {
    /// Counterexamples, as they are shown.
    Counterexamples,
    /// Those that violate the property anywhere.
    Violating,
    /// Those that do not.
    Accepted,
}

/// A trace without violation that a result shows in a class.
pub(super) struct ShownAccepted<'c> {
    /// Its word in names of obligations.
    pub word: &'static str,
    pub claim: String,
    /// The trace, unless it is too long to be shown.
    pub trace: Option<&'c StoredTrace>,
    pub steps: usize,
}

/// A formula in a stored classification.
type FormulaOf<D> = <D as DocumentKind>::Formula;

/// A stored classification of a kind of traces, with its subject.
pub(super) trait Classified<'a> {
    type Kind: DocumentKind + 'a;
    type Formula;
    type Trace;
    /// The lengths of the traces that a question is about.
    type Steps: Copy;
    type Question: ClassQuestion<Self::Formula>;

    /// The word before `trace` and `counterexample`, with a space, if there is one.
    const KIND: &'static str;
    /// The words for traces that do not violate the property, after `that`.
    const ACCEPTED: &'static str;
    /// The words for traces of whatever length.
    const ALL: &'static str;
    /// True if questions about one of several classes are one for each choice.
    const IS_SPLIT: bool;

    fn model(&self) -> &'a Model;
    fn document(&self) -> &'a ClassifyDocument<Self::Kind>;
    /// True if a class is marked as one that the others cover.
    fn is_redundant(_class: &StoredClass<Self::Kind>) -> bool {
        false
    }
    fn read(&self, text: &FormulaOf<Self::Kind>) -> Result<Arc<Self::Formula>, NoFormula>;
    /// Checks that a constraint says what a formula says.
    fn agree(&self, constraint: &str, text: &FormulaOf<Self::Kind>) -> Result<(), String>;
    /// The formulas of a shared fact, which all hold, or none does.
    fn shared(
        &self,
        fact: &StoredShared<FormulaOf<Self::Kind>>,
    ) -> Result<Vec<Arc<Self::Formula>>, NoFormula>;
    /// Checks that what is shown of a class agrees with its formula.
    fn texts(&self, class: &StoredClass<Self::Kind>) -> Result<(), String>;
    /// Returns the positions of a class by name with their places in its representative, in the order of the constraint.
    fn named<'c>(&self, class: &'c StoredClass<Self::Kind>) -> Result<Vec<(&'c str, Position)>, String>;
    /// Checks that a class holds of its representative as the result says.
    fn assigned(
        &self,
        class: &StoredClass<Self::Kind>,
        formula: &Self::Formula,
        found: &Self::Trace,
    ) -> Result<(), String>;
    fn is_in(&self, formula: &Self::Formula, found: &Self::Trace) -> bool;
    /// The trace of a document, which has to be a counterexample within the bound.
    fn counterexample(
        &self,
        document: &StoredTrace,
        named: &[(&str, Position)],
    ) -> Result<Self::Trace, String>;
    /// Checks that a trace violates the property.
    fn violates(&self, found: &Self::Trace) -> Result<(), String>;
    /// The trace of a document, which must not violate the property, and not be longer than classes suffice for.
    fn accepted(&self, document: &StoredTrace) -> Result<Self::Trace, String>;
    fn moved(&self, found: &Self::Trace, by: &Permutation) -> Self::Trace;
    fn moments(found: &Self::Trace) -> &[Moment];

    /// The trace that shows that a class does not suffice for all, if the result has one.
    fn accepting<'c>(&self, class: &'c StoredClass<Self::Kind>, title: &str) -> Option<ShownAccepted<'c>>;
    fn found_accepting(&self, document: &StoredTrace, steps: usize) -> Result<Self::Trace, String>;
    /// Adds the obligations that no part of a class can be omitted.
    fn needed(&self, read: &ReadClass<'a, Self>, finished: bool, list: &mut Vec<Obligation>)
    where
        Self: Sized;
    /// A counterexample beyond the bound that is shown, and is in no class.
    fn beyond(&self, _in_none: &dyn Fn(&Self::Trace) -> Result<(), String>) -> Option<Obligation> {
        None
    }
    /// The obligation of a search that was ended: nothing is violated in fewer steps.
    fn before(&self, _ask: &dyn Fn(Self::Steps) -> Self::Question) -> Option<Obligation> {
        None
    }
    /// Two traces that the vocabulary cannot tell apart.
    fn pair(&self) -> Option<Obligation>;

    /// The lengths within the bound.
    fn steps(&self) -> Self::Steps;
    /// The lengths for which classes suffice.
    fn sufficient_steps(&self) -> Self::Steps;
    /// Fewer steps than these, if there are such traces.
    fn fewer(&self, steps: usize) -> Option<Self::Steps>;
    fn question(&self, steps: Self::Steps, of: TraceSet) -> Self::Question;

    /// The obligation that a part of a class is needed, as the trace of a document shows, which satisfies the others.
    fn part_needed(
        &self,
        (which, part, number): (ClassOrImage, &str, usize),
        document: &StoredTrace,
        weaker: impl FnOnce() -> Result<Arc<Self::Formula>, String>,
    ) -> Obligation {
        let claim = format!("without {part} {number}, {} does not suffice", which.title());
        shown(self.model(), format!("{}-needed-{number}", which.name()), claim, document, |document| {
            let weaker = weaker()?;
            let found = self.accepted(document)?;
            is_so(self.is_in(&weaker, &found), || format!("it does not satisfy the other {part}s"))
        })
    }
}

/// Success, or what is wrong.
pub(super) fn is_so(is_so: bool, wrong: impl FnOnce() -> String) -> Result<(), String> {
    if is_so { Ok(()) } else { Err(wrong()) }
}

type StoredImageOf<'a, K> = (&'a StoredClass<K>, &'a StoredImage<StoredClass<K>>);

/// A class, or an image of one, with its formula.
pub(super) struct ReadClass<'a, K: Classified<'a>> {
    pub class: &'a StoredClass<K::Kind>,
    pub which: ClassOrImage,
    /// For an image, the class and the symmetry that maps it to the image.
    of: Option<StoredImageOf<'a, K::Kind>>,
    /// The formula, or the reason why there is none.
    pub formula: Result<Arc<K::Formula>, NoFormula>,
}

impl<'a, K: Classified<'a>> ReadClass<'a, K> {
    /// Returns a class of a result and its images.
    fn with_images(kind: &K, class: &'a StoredClass<K::Kind>) -> Vec<Self> {
        let read = |class: &'a StoredClass<K::Kind>, image, of| {
            let formula = kind.read(&class.formula);
            Self { which: ClassOrImage { class: class.id, image }, class, of, formula }
        };
        let own = read(class, None, None);
        let images = (1..).zip(&own.class.images);
        let images = images.map(|(number, image)| read(&image.class, Some(number), Some((class, image))));
        let images: Vec<Self> = images.collect();
        std::iter::once(own).chain(images).collect()
    }

    /// Returns the formula for a question, with a name.
    fn named(&self) -> Option<(String, Arc<K::Formula>)> {
        let formula = self.formula.as_ref().ok()?;
        Some((self.which.title(), Arc::clone(formula)))
    }

    fn formula(&self) -> Result<&Arc<K::Formula>, String> {
        self.formula.as_ref().map_err(|_| format!("the formula of {} cannot be read", self.which.title()))
    }
}

struct ClassifyClaims<'a, K: Classified<'a>> {
    kind: K,
    document: &'a ClassifyDocument<K::Kind>,
    classes: Vec<ReadClass<'a, K>>,
    /// For a cover of the counterexamples of another class: its formula. Other traces do not count as counterexamples.
    within: Option<Arc<K::Formula>>,
    /// True if the search for classes came to its end, so that nothing is left out for want of time.
    finished: bool,
}

/// Adds all obligations of a classification but that about the fields of its document.
pub(super) fn add_obligations<'a, K: Classified<'a>>(kind: K, list: &mut Vec<Obligation>) {
    let document = kind.document();
    let classes = document.classes.iter().flat_map(|class| ReadClass::with_images(&kind, class)).collect();
    // The class whose counterexamples were covered, if these were not all.
    let within =
        document.within.as_deref().zip(document.within_formula.as_ref()).and_then(|(constraint, text)| {
            let claim = "the text of the class whose counterexamples were covered agrees with its formula";
            let found = kind.read(text);
            list.push(match &found {
                Ok(_) => Obligation::evaluated("within", claim, kind.agree(constraint, text)),
                Err(none) => none.obligation("within", claim),
            });
            found.ok()
        });
    let finished = document.answer().is_finished();
    let claims = ClassifyClaims { kind, document, classes, within, finished };
    claims.classes.iter().for_each(|read| claims.of_class(read, list));
    claims.whole(list);
    claims.shown(list);
    claims.combinations(list);
    claims.necessary(list);
    list.extend(claims.kind.pair());
}

/// Checks that the model has a vocabulary, unless the program made it.
pub(super) fn vocabulary(model: &Model, name: &str, is_made: bool) -> Result<(), String> {
    is_so(is_made || model.vocabulary(name).is_some(), || format!("the model has no vocabulary {name}"))
}

impl<'a, K: Classified<'a>> ClassifyClaims<'a, K> {
    /// The obligations of one class.
    fn of_class(&self, read: &ReadClass<'a, K>, list: &mut Vec<Obligation>) {
        let (ReadClass { class, which, .. }, model) = (read, self.kind.model());
        let (name, title) = (which.name(), which.title());
        let claim = format!("the texts of {title} agree with its formula");
        let formula = match &read.formula {
            Ok(formula) => formula,
            Err(none) => return list.push(none.obligation(name, claim)),
        };
        list.push(Obligation::evaluated(format!("{name}-texts"), claim, self.kind.texts(class)));
        self.image(read, formula, list);
        let claim =
            format!("the {}trace of {title} is a counterexample, and in the class as it says", K::KIND);
        list.push(shown(model, format!("{name}-trace"), claim, &class.representative, |document| {
            let found = self.kind.counterexample(document, &self.kind.named(class)?)?;
            self.is_counted(&found)?;
            self.kind.assigned(class, formula, &found)
        }));
        let claim = format!("a counterexample of {title} is in no other class");
        match &class.canonical {
            Some(canonical) => {
                list.push(shown(model, format!("{name}-alone"), claim, canonical, |document| {
                    self.alone(*which, &self.counterexample(document)?)
                }));
            }
            None if !K::is_redundant(class) && self.finished => list.push(Obligation::open(
                format!("{name}-alone"),
                claim,
                "there is no counterexample that is in no other class",
            )),
            None => {}
        }
        self.kind.needed(read, self.finished, list);
        let accepting = self.kind.accepting(class, &title);
        if let Some(ShownAccepted { word, claim, trace, steps }) = &accepting {
            let name = format!("{name}-{word}");
            list.push(match trace {
                None => Obligation::open(name, claim, "the trace is not shown"),
                Some(document) => shown(model, name, claim, document, |document| {
                    let found = self.kind.found_accepting(document, *steps)?;
                    is_so(self.kind.is_in(formula, &found), || "it is not in the class".into())
                }),
            });
        }
        self.questions(read, accepting.as_ref(), list);
    }

    /// Adds the obligation that an image is the one it is called, which the trace of the class can show only in part.
    fn image(&self, read: &ReadClass<'a, K>, formula: &K::Formula, list: &mut Vec<Obligation>) {
        let (Some((of, image)), model) = (read.of, self.kind.model()) else { return };
        let ClassOrImage { class, .. } = read.which;
        let (kind, title) = (K::KIND, read.which.title());
        let claim = format!(
            "with values moved as it says, the {kind}trace of class {class} is a counterexample in {title}"
        );
        let name = format!("{}-moved", read.which.name());
        list.push(shown(model, name, claim, &of.representative, |document| {
            let by = permutation(model, image)?;
            is_so(image.by == by.show(&model.types), || "its words describe another permutation".into())?;
            let found = self.kind.counterexample(document, &self.kind.named(of)?)?;
            let moved = self.kind.moved(&found, &by);
            check_trace(model, K::moments(&moved)).map_err(|fault| {
                format!("it is no trace of the model: {}", fault.diagnostic(model).message)
            })?;
            self.kind.violates(&moved)?;
            is_so(self.kind.is_in(formula, &moved), || "it is not in the class".into())
        }));
    }

    /// Returns the trace of a document, which must be a counterexample, and of the other class if only those count.
    fn counterexample(&self, document: &StoredTrace) -> Result<K::Trace, String> {
        let found = self.kind.counterexample(document, &[])?;
        self.is_counted(&found).map(|()| found)
    }

    /// Checks that a counterexample is in the other class, if only those count.
    fn is_counted(&self, found: &K::Trace) -> Result<(), String> {
        let counts = self.within.as_ref().is_none_or(|other| self.kind.is_in(other, found));
        is_so(counts, || "it is not in the class whose counterexamples were covered".into())
    }

    /// A question about counterexamples, of the other class if only those count.
    fn counted(&self, mut asked: K::Question) -> K::Question {
        let inside = self.within.iter().map(|other| ("the class within".to_owned(), Arc::clone(other)));
        inside.for_each(|within| asked.push(within, true));
        asked
    }

    /// The question for counterexamples, of the other class if only those count.
    fn counterexamples(&self, steps: K::Steps) -> K::Question {
        self.counted(self.kind.question(steps, TraceSet::Counterexamples))
    }

    /// True if only the counterexamples of a class count that is not known.
    fn is_within_unknown(&self) -> bool {
        self.document.within.is_some() && self.within.is_none()
    }

    /// Returns the classes that are not redundant.
    fn irredundant(&self) -> impl Iterator<Item = &ReadClass<'a, K>> {
        self.classes.iter().filter(|read| !K::is_redundant(read.class))
    }

    /// Checks that a trace is in one class and in no other that is not redundant.
    fn alone(&self, which: ClassOrImage, found: &K::Trace) -> Result<(), String> {
        for other in &self.classes {
            let is_in = self.kind.is_in(other.formula()?, found);
            if other.which == which {
                is_so(is_in, || "it is not in the class".into())?;
            } else if is_in && !K::is_redundant(other.class) {
                return Err(format!("it is in {}, too", other.which.title()));
            }
        }
        Ok(())
    }

    /// The questions about all traces of a class.
    fn questions(
        &self,
        read: &ReadClass<'a, K>,
        accepting: Option<&ShownAccepted<'_>>,
        list: &mut Vec<Obligation>,
    ) {
        let (Some(inside), class) = (read.named(), &read.class) else { return };
        let (name, title) = (read.which.name(), read.which.title());
        let ask = |name: String, claim: String, mut asked: K::Question| {
            asked.push(inside.clone(), true);
            Obligation::ask(name, claim, asked)
        };
        if class.sufficient {
            let claim = format!("no {}trace in {title} {}", K::KIND, K::ACCEPTED);
            let asked = self.kind.question(self.kind.sufficient_steps(), TraceSet::Accepted);
            list.push(ask(format!("{name}-sufficient"), claim, asked));
        }
        if let Some((it, fewer)) = accepting.and_then(|it| Some((it, self.kind.fewer(it.steps)?))) {
            let claim = format!(
                "no {}trace in {title} that {} has fewer steps than the one that is shown",
                K::KIND,
                K::ACCEPTED
            );
            list.push(ask(
                format!("{name}-{}-shortest", it.word),
                claim,
                self.kind.question(fewer, TraceSet::Accepted),
            ));
        }
        if self.is_within_unknown() {
            return;
        }
        let others = || self.irredundant().filter(|other| other.which != read.which);
        // An interrupted search may show a trace that is not shortest.
        let within_bound = |trace: &StoredTrace| trace.steps.min(self.document.bound);
        let steps = within_bound(&class.representative);
        if let Some(fewer) = self.kind.fewer(steps).filter(|_| self.finished) {
            let claim = format!("no counterexample of {title} has fewer steps than the one that is shown");
            let asked = self.counterexamples(fewer);
            list.push(ask(format!("{name}-shortest"), claim, asked));
        }
        let canonical = class.canonical.as_ref().map_or(0, within_bound);
        // If it is no longer than the representative, no shorter one exists.
        if let Some(fewer) = self.kind.fewer(canonical).filter(|_| self.finished && canonical > steps) {
            let claim =
                format!("no counterexample of {title} alone has fewer steps than the one that is shown");
            let mut asked = self.counterexamples(fewer);
            others().filter_map(ReadClass::named).for_each(|class| asked.push(class, false));
            list.push(ask(format!("{name}-alone-shortest"), claim, asked));
        }
        if K::is_redundant(class) {
            let claim = format!("every counterexample of {title} is in another class");
            let mut asked = self.counterexamples(self.kind.steps());
            others().filter_map(ReadClass::named).for_each(|class| asked.push(class, false));
            list.push(ask(format!("{name}-redundant"), claim, asked));
        }
    }

    /// Adds the claims of the verdict about all traces.
    fn whole(&self, list: &mut Vec<Obligation>) {
        let verdict = self.document.answer();
        let anywhere = |steps| self.counted(self.kind.question(steps, TraceSet::Violating));
        if self.is_within_unknown() {
            let why = "these are the counterexamples of another class, which the result does not store";
            let unknown = || Obligation::open("within", "only the counterexamples of a class count", why);
            list.extend(self.document.within_formula.is_none().then(unknown));
        } else if verdict.holds() {
            let claim = format!("no {}trace within the bound violates {}", K::KIND, self.document.property);
            list.push(Obligation::ask("holds", claim, anywhere(self.kind.steps())));
        } else if verdict.is_complete() {
            let claim = format!("every {}counterexample within the bound is in a class", K::KIND);
            list.extend(self.of_all("complete", &claim, || {
                let mut asked = self.counterexamples(self.kind.steps());
                self.irredundant().filter_map(ReadClass::named).for_each(|class| asked.push(class, false));
                vec![Obligation::ask("complete", &claim, asked)]
            }));
        } else {
            list.extend(self.kind.before(&anywhere));
        }
        if self.document.is_proved() {
            let claim = format!("the same is so of {}", K::ALL);
            list.push(Obligation::open("every-length", claim, NO_CERTIFICATE));
        }
    }

    /// Returns formulas for questions about all classes, or an open obligation with the reason why there are none.
    fn of_all(&self, name: &str, claim: &str, ask: impl FnOnce() -> Vec<Obligation>) -> Vec<Obligation> {
        for read in self.irredundant() {
            match &read.formula {
                Err(none @ NoFormula::Fates) => return vec![none.obligation(name, claim)],
                Err(NoFormula::Wrong(_)) => {
                    return vec![Obligation::evaluated(name, claim, read.formula().map(|_| ()))];
                }
                Ok(_) => {}
            }
        }
        ask()
    }

    /// Adds the obligations about the other traces of the result.
    fn shown(&self, list: &mut Vec<Obligation>) {
        let model = self.kind.model();
        let ClassifyDocument { unclassified, remainder, combinations, .. } = self.document;
        let in_none = |found: &K::Trace| match self.classes_of(found)?.first() {
            Some(class) => Err(format!("it is in class {class}")),
            None => Ok(()),
        };
        for (name, document) in [("unclassified", unclassified), ("remainder", remainder)] {
            let Some(document) = document else { continue };
            let claim = "a counterexample that is shown is in no class";
            list.push(shown(model, name, claim, document, |document| {
                in_none(&self.counterexample(document)?)
            }));
        }
        list.extend(self.kind.beyond(&in_none));
        for (number, combination) in combinations.iter().flatten().enumerate() {
            let claim = format!("a counterexample is in the classes {:?} and no others", combination.classes);
            let name = format!("combination-{}", number + 1);
            list.push(shown(model, name, claim, &combination.trace, |document| {
                let found = self.classes_of(&self.counterexample(document)?)?;
                is_so(found == combination.classes, || format!("it is in the classes {found:?}"))
            }));
        }
    }

    /// Returns the classes that contain a trace, at least in some image, without redundant ones.
    fn classes_of(&self, found: &K::Trace) -> Result<Vec<usize>, String> {
        let mut classes = Vec::new();
        for read in self.irredundant() {
            if self.kind.is_in(read.formula()?, found) {
                classes.push(read.which.class);
            }
        }
        classes.dedup();
        Ok(classes)
    }

    /// Adds the obligation that all combinations are listed, if the result claims it.
    fn combinations(&self, list: &mut Vec<Obligation>) {
        let Some(listed) = self.document.combinations.as_deref().filter(|_| !self.is_within_unknown()) else {
            return;
        };
        let classes = || self.irredundant().filter(|read| read.of.is_none());
        let ids: Vec<usize> = classes().map(|read| read.which.class).collect();
        for (number, combination) in listed.iter().enumerate() {
            let members = classes().filter(|read| combination.classes.contains(&read.which.class));
            let least = members.map(|read| read.class.representative.steps).max().unwrap_or(0);
            let steps = combination.steps.min(self.document.bound);
            let Some(fewer) = self.kind.fewer(steps).filter(|_| self.finished && steps > least) else {
                continue;
            };
            let name = format!("combination-{}-shortest", number + 1);
            let claim = "no counterexample of these classes alone has fewer steps";
            list.extend(self.of_all(&name, claim, || {
                let asked = self.of_sets(&ClassCombination::only(&combination.classes, &ids), fewer);
                let named = |(choice, asked)| match K::IS_SPLIT {
                    true => Obligation::ask(format!("{name}-{choice}"), claim, asked),
                    false => Obligation::ask(&name, claim, asked),
                };
                (1..).zip(asked).map(named).collect()
            }));
        }
        if self.document.all_combinations != Some(true) {
            return;
        }
        let (name, claim) = ("combinations", "no other classes occur together");
        let of = |sets: &ClassCombination| -> Vec<_> {
            self.of_sets(sets, self.kind.steps()).into_iter().map(|asked| (sets.claim(), asked)).collect()
        };
        let asked = unlisted(&ids, listed).map(|all| all.iter().flat_map(of).collect::<Vec<_>>());
        let Some(asked) = asked.filter(|asked| asked.len() <= MOST) else {
            let why = "there are too many classes to ask about all of their sets";
            return list.push(Obligation::open(name, claim, why));
        };
        list.extend(self.of_all(name, claim, || {
            let named = (1..).zip(asked);
            let ask = |(number, (claim, asked))| Obligation::ask(format!("{name}-{number}"), claim, asked);
            named.map(ask).collect()
        }));
    }

    /// The questions for counterexamples that are in all of some classes, and in none of others.
    fn of_sets(&self, sets: &ClassCombination, steps: K::Steps) -> Vec<K::Question> {
        let of = |id: usize| self.classes.iter().filter(move |read| read.which.class == id);
        let of = |id: usize| of(id).filter_map(ReadClass::named);
        let mut asked = self.counterexamples(steps);
        sets.without.iter().flat_map(|&id| of(id)).for_each(|class| asked.push(class, false));
        let mut all = vec![asked];
        for &id in &sets.with {
            let title = format!("class {id} or an image holds");
            let with = |asked: K::Question| asked.in_one_of(title.clone(), of(id).collect());
            all = all.into_iter().flat_map(with).take(MOST + 1).collect();
        }
        all
    }

    /// The facts that all counterexamples have, or none.
    fn necessary(&self, list: &mut Vec<Obligation>) {
        let Some(necessary) = &self.document.necessary_facts else { return };
        let question = || self.counterexamples(self.kind.steps());
        for (number, fact) in (1..).zip(&necessary.always) {
            let name = format!("always-{number}");
            let claim = format!("every {}counterexample within the bound has {}", K::KIND, fact.constraint);
            let each = |of| {
                let mut asked = question();
                asked.push(("the fact".to_owned(), of), false);
                asked
            };
            match self.kind.shared(fact) {
                Err(none) => list.push(none.obligation(name, claim)),
                Ok(all) if all.len() == 1 => {
                    list.extend(all.into_iter().map(|of| Obligation::ask(&name, &claim, each(of))));
                }
                Ok(all) => list.extend(
                    (1..)
                        .zip(all)
                        .map(|(choice, of)| Obligation::ask(format!("{name}-{choice}"), &claim, each(of))),
                ),
            }
        }
        for (number, fact) in (1..).zip(&necessary.never) {
            let name = format!("never-{number}");
            let claim = format!("no {}counterexample within the bound has {}", K::KIND, fact.constraint);
            list.push(match self.kind.shared(fact) {
                Err(none) => none.obligation(name, claim),
                Ok(all) => {
                    let mut asked = question();
                    all.into_iter().for_each(|of| asked.push(("the fact".to_owned(), of), true));
                    Obligation::ask(name, claim, asked)
                }
            });
        }
        if necessary.every_length {
            let claim = "the shared facts hold in violating traces of every length";
            list.push(Obligation::open("shared-every-length", claim, NO_CERTIFICATE));
        }
    }
}

/// The reason why claims about traces of every length are open.
const NO_CERTIFICATE: &str = "a classification stores no certificate for that";

/// The open obligation that parts of a class are needed, of a result that shows no traces for that though its search was finished.
pub(super) fn not_shown(
    mode: ClassRequirement,
    finished: bool,
    name: String,
    claim: String,
) -> Option<Obligation> {
    let is_said = mode == ClassRequirement::Sufficient && finished;
    is_said.then(|| Obligation::open(name, claim, "there is no trace that shows it"))
}
