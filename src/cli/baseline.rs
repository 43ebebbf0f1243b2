//! `--baseline`: comparison of a classification with a stored result, for new kinds of violation.

use super::refusal::UsageError;
use super::stored::StoredClasses;
use cladist::batch::FoundClass;
use cladist::budget::Budget;
use cladist::classify::lassos::{Infinite, LassoConstraint, LassoProblem};
use cladist::classify::{Classification, Comparison, KnownClass, Novelty, Options, Problem, TraceKind};
use cladist::diagnostics::Diagnostic;
use cladist::model::{Model, Property, Vocabulary};
use std::path::Path;

/// The result that a classification is compared with.
pub struct Baseline {
    file: String,
    stored: StoredClasses,
}

impl Baseline {
    /// Reads the result. It must be about the same property of a model of the same name.
    ///
    /// # Errors
    /// If it is about another property or model, or is not a result.
    pub fn read(path: &Path, model: &Model, property: &Property) -> Result<Self, UsageError> {
        let stored = StoredClasses::read(path)?;
        let file = path.to_string_lossy().into_owned();
        let asked = [("model", &model.name), ("property", &property.name)];
        let other = |(field, own): &(&str, &String)| {
            let there = stored.text(field).filter(|there| there != own)?;
            let message = format!("`{file}` is about the {field} `{there}`, and this is `{own}`");
            let help = "compare with a result about the same property of the same model; \
                        `cladist classify MODEL -V VOCABULARY --json` writes one";
            Some(Diagnostic::error_without_place(message).with_help(help))
        };
        let mut diagnostics: Vec<Diagnostic> = asked.iter().filter_map(other).collect();
        let is_infinite = property.invariant().is_none();
        if diagnostics.is_empty() && stored.is_about_infinite_traces() != is_infinite {
            let (there, here) = if is_infinite { ("finite", "infinite") } else { ("infinite", "finite") };
            let message = format!("`{file}` has classes of {there} traces, and this is about {here} ones");
            diagnostics.push(Diagnostic::error_without_place(message).with_help("store a new result"));
        }
        match diagnostics.is_empty() {
            true => Ok(Self { file, stored }),
            false => Err(UsageError { diagnostics, sources: model.sources.clone() }),
        }
    }

    /// Compares a result with it. A class that cannot be restored covers nothing, and a warning reports it; a class
    /// with the same text as one of the result is known nevertheless.
    pub fn compare(
        &self,
        problem: Problem<'_>,
        vocabulary: &Vocabulary,
        result: &Classification,
        options: &Options,
        budget: &Budget,
    ) -> (Comparison, Vec<Diagnostic>) {
        let model = problem.model;
        let vocabulary = self.stored.vocabulary(model, vocabulary);
        let known = self.stored.classes.iter().flat_map(FoundClass::with_images).map(|class| KnownClass {
            id: class.id,
            text: class.constraint.clone(),
            constraint: class.restored_into(&result.atoms, model, vocabulary),
        });
        let known: Vec<KnownClass> = known.collect();
        let novelties = result.novelties(problem, &known, options, budget);
        self.compared(known, novelties)
    }

    /// Like [`Baseline::compare`], for a result about infinite traces.
    pub fn compare_lassos(
        &self,
        problem: LassoProblem<'_>,
        result: &Classification<Infinite>,
        options: &Options,
        budget: &Budget,
    ) -> (Comparison<Infinite>, Vec<Diagnostic>) {
        let known = self.stored.classes.iter().flat_map(FoundClass::with_images).map(|class| KnownClass {
            id: class.id,
            text: class.constraint.clone(),
            constraint: class
                .lasso_formula(problem.model)
                .and_then(|formula| LassoConstraint::of_formula(&result.atoms, &formula)),
        });
        let known: Vec<KnownClass<Infinite>> = known.collect();
        let novelties = result.novelties(problem, &known, options, budget);
        self.compared(known, novelties)
    }

    /// Returns the comparison, with a warning for each class that covers nothing.
    fn compared<K: TraceKind>(
        &self,
        known: Vec<KnownClass<K>>,
        novelties: Vec<Novelty<K>>,
    ) -> (Comparison<K>, Vec<Diagnostic>) {
        let comparison = Comparison::new(self.file.clone(), known, novelties);
        let lost = comparison.not_repeated().filter(|class| class.constraint.is_none());
        let warning = |class: &KnownClass<K>| {
            let message = format!(
                "class {} of `{}` was ignored: it uses names that the model and its vocabulary do not define",
                class.id, self.file
            );
            Diagnostic::warning_without_place(message)
                .with_note(class.text.clone())
                .with_help("review the classes, then store a new result")
        };
        let warnings = lost.map(warning).collect();
        (comparison, warnings)
    }
}
