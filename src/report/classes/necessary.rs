//! Facts that all violating traces have in common: as lists, and as JSON.

use crate::shared::request::ClassifyRequest;
use crate::shared::verdict::extent;
use classify::{Atoms, Classification, Constraint, DomainId, Finite, NecessaryFacts, SharedFact, TraceKind};
use lang::model::{Model, TraceFormulaText};
use solvers::unroll::Lengths;
use std::collections::BTreeSet;
use verify::document::{StoredNecessary, StoredShared};

/// A list of facts.
#[derive(Debug, PartialEq, Eq)]
pub struct FactList {
    /// The heading.
    pub title: String,
    /// The facts in the paper's notation, with remarks.
    pub lines: Vec<String>,
}

/// How facts of some kind of traces are spoken of.
pub(crate) struct SharedWords<'a, K: TraceKind> {
    /// The head of facts of every violating trace.
    pub every: String,
    /// The word for facts of every trace that distinguish nothing.
    pub every_other: &'a str,
    /// The head of what none has.
    pub none: String,
    /// The word for facts of no trace that distinguish nothing.
    pub no_other: &'a str,
    /// The head of what was not decided.
    pub undecided: &'a str,
    /// A fact as text.
    pub show: &'a dyn Fn(&K::Constraint) -> String,
    /// A constraint as text if it holds of each of its individuals by itself.
    pub show_each: &'a dyn Fn(&K::Constraint) -> String,
}

impl<K: TraceKind> SharedWords<'_, K> {
    /// The lists that there is something in, without what is listed elsewhere.
    pub fn lists(&self, necessary: &NecessaryFacts<K>, listed: &BTreeSet<String>) -> Vec<FactList> {
        let lines = |facts: &[SharedFact<K>], idle: &str| -> Vec<String> {
            let line = |fact: &SharedFact<K>| {
                let text = self.text(fact);
                if fact.telling { text } else { format!("{text}  ({idle})") }
            };
            facts.iter().map(line).filter(|line| !listed.contains(line)).collect()
        };
        let list = |title: &str, lines: Vec<String>| FactList { title: title.to_owned(), lines };
        let mut lists = vec![
            list(&self.every, lines(&necessary.always, self.every_other)),
            list(&self.none, lines(&necessary.never, self.no_other)),
            list(self.undecided, necessary.undecided.iter().map(self.show).collect()),
            list("not examined, because they have too many values", necessary.skipped.clone()),
        ];
        lists.retain(|list| !list.lines.is_empty());
        if let Some(last) = lists.last_mut().filter(|_| necessary.more > 0) {
            last.lines.push(format!("and {} more: --necessary shows them", necessary.more));
        }
        lists
    }

    /// The document of what is shared, with facts in the language of models; it says by itself whether they are so of each individual
    /// where the formula does not.
    pub fn document<F>(
        &self,
        necessary: &NecessaryFacts<K>,
        formula: impl Fn(&SharedFact<K>) -> (F, Option<bool>),
    ) -> StoredNecessary<F> {
        let document = |fact: &SharedFact<K>| {
            let (formula, of_each) = formula(fact);
            StoredShared { constraint: self.text(fact), formula, of_each, telling: fact.telling }
        };
        StoredNecessary {
            full: necessary.full,
            every_length: necessary.every_length,
            always: necessary.always.iter().map(document).collect(),
            never: necessary.never.iter().map(document).collect(),
            undecided: necessary.undecided.iter().map(self.show).collect(),
            skipped: necessary.skipped.clone(),
            more: necessary.more,
        }
    }

    fn text(&self, fact: &SharedFact<K>) -> String {
        if fact.of_each { (self.show_each)(&fact.constraint) } else { (self.show)(&fact.constraint) }
    }
}

/// The lists that there is something in. What a cover lists by itself is left out of a short one.
pub fn necessary_lists(request: &ClassifyRequest<'_>, result: &Classification) -> Vec<FactList> {
    let Some(necessary) = &result.necessary else { return Vec::new() };
    let (model, atoms) = (request.asked.model, &result.atoms);
    let listed: BTreeSet<String> = result
        .cover
        .iter()
        .filter(|_| !necessary.full)
        .flat_map(|cover| cover.necessary.iter().map(|constraint| constraint.show(model, atoms)))
        .collect();
    let within = match necessary.every_length {
        true => "whatever length".to_owned(),
        false => extent(result.lengths),
    };
    with_words(request, atoms, result.lengths, &within, necessary.every_length, |words| {
        words.lists(necessary, &listed)
    })
}

/// Does something with how the facts of finite traces within some lengths are spoken of.
fn with_words<T>(
    request: &ClassifyRequest<'_>,
    atoms: &Atoms,
    lengths: Lengths,
    within: &str,
    every_length: bool,
    speak: impl FnOnce(&SharedWords<'_, Finite>) -> T,
) -> T {
    let (model, wording) = (request.asked.model, request.asked.display.wording);
    // What has happened has happened, but more may happen later.
    let cut = match lengths {
        Lengths::UpTo(_) => wording.choose(", up to its first violation", ", on its way there"),
        Lengths::Exactly(_) => "",
    };
    speak(&SharedWords {
        every: format!("every {} has", wording.of_length(within)),
        every_other: "as has every other trace that long",
        none: format!("no {} has{cut}", wording.of_length(within)),
        no_other: match every_length {
            true => "nor has any trace without violation",
            false => "nor has any other trace",
        },
        undecided: wording.choose(
            "undecided (in all, some or no violating traces)",
            "undecided (in all, some or no traces that get there)",
        ),
        show: &|constraint| constraint.show(model, atoms),
        show_each: &|constraint| each_text(model, atoms, constraint),
    })
}

/// A constraint that holds of each of its individuals by itself, in the paper's notation.
fn each_text(model: &Model, atoms: &Atoms, constraint: &Constraint) -> String {
    let names = constraint.names(model, atoms);
    let individuals = each_individual(model, atoms, &names.individuals, &constraint.individuals);
    let positions = names.positions.join(", ");
    let facts = constraint.show_facts(model, atoms);
    format!("{individuals} ∃ {positions} ∈ [0..len(ρ)] : {facts}")
}

/// `∀ p ∈ Process, s ∈ Session`, for individuals with these names.
pub(crate) fn each_individual(
    model: &Model,
    atoms: &Atoms,
    names: &[String],
    individuals: &[DomainId],
) -> String {
    let types = individuals.iter().map(|&domain| model.types.name(atoms.type_of(domain)));
    let each: Vec<String> = names.iter().zip(types).map(|(name, ty)| format!("{name} ∈ {ty}")).collect();
    format!("∀ {}", each.join(", "))
}

/// The document of what all violating traces have in common.
pub fn necessary_document(
    request: &ClassifyRequest<'_>,
    atoms: &Atoms,
    necessary: &NecessaryFacts,
) -> StoredNecessary<TraceFormulaText> {
    let formula = |fact: &SharedFact| {
        let formula = fact.constraint.formula(request.asked.model, atoms);
        (TraceFormulaText { of_each: fact.of_each, ..formula }, None)
    };
    with_words(request, atoms, Lengths::UpTo(0), "", necessary.every_length, |words| {
        words.document(necessary, formula)
    })
}
