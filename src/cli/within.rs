//! The class that `--within` names: one of this run, one of a stored result, or a predicate.

use super::refusal::UsageError;
use super::settings;
use super::stored::{StoredClasses, wrong};
use cladist::classify::facts::collect::Collector;
use cladist::classify::lassos::{Infinite, LassoContext};
use cladist::classify::{Atoms, Classification, Constraint, Restored};
use cladist::diagnostics::Diagnostic;
use cladist::model::{Model, PredicateId, Vocabulary};
use std::path::Path;

/// A class whose violating traces are to be covered.
pub enum CoverTarget<C = Restored> {
    /// The class of this run with this number, from 1.
    OfThisRun(usize),
    /// A class known in advance.
    Known(Box<C>),
}

enum Meant<'t> {
    /// A class of this run.
    Number(usize),
    /// A class of a stored result.
    Stored(&'t Path, usize),
    Name(&'t str),
}

fn meant(text: &str) -> Meant<'_> {
    if let Ok(number) = text.parse() {
        return Meant::Number(number);
    }
    let stored = text.rsplit_once(':').and_then(|(file, number)| Some((file, number.parse().ok()?)));
    stored.map_or(Meant::Name(text), |(file, number)| Meant::Stored(Path::new(file), number))
}

/// Returns the named class. A stored one is rebuilt with the vocabulary of its result, if the model still has it, and
/// else with this one.
pub fn target(text: &str, model: &Model, vocabulary: &Vocabulary) -> Result<CoverTarget, UsageError> {
    let predicate = match meant(text) {
        Meant::Number(number) => return Ok(CoverTarget::OfThisRun(number)),
        Meant::Stored(file, number) => return of_file(file, number, model, vocabulary).map(known),
        Meant::Name(name) => predicate(name, model)?,
    };
    let atoms = Atoms::default();
    let instances = Collector::new(model, vocabulary, &atoms).instances(predicate);
    let constraint = instances.first().map(|&atom| Constraint::of_atom(&atoms, atom)).unwrap_or_default();
    Ok(known(Restored { constraint, atoms }))
}

/// Returns the named class of infinite traces.
pub fn lasso_target(
    text: &str,
    model: &Model,
    vocabulary: &Vocabulary,
) -> Result<CoverTarget<LassoContext>, UsageError> {
    let context = match meant(text) {
        Meant::Number(number) => return Ok(CoverTarget::OfThisRun(number)),
        Meant::Stored(file, number) => {
            let stored = StoredClasses::read(file)?.about(true, file)?;
            let class = numbered(&stored.classes, number)?;
            let formula = class.lasso_formula(model);
            formula.and_then(|formula| LassoContext::of_formula(&formula)).ok_or_else(|| {
                let (shown, model) = (file.display(), &model.name);
                wrong(format!("class {number} of `{shown}` is not one of the model `{model}`"))
            })?
        }
        Meant::Name(name) => LassoContext::of_predicate(model, vocabulary, predicate(name, model)?)
            .ok_or_else(|| {
                let message = format!("`{name}` is not about one position");
                let help = "give a predicate with one parameter of the type `pos`";
                refuse(model, Diagnostic::error_without_place(message).with_help(help))
            })?,
    };
    Ok(CoverTarget::Known(Box::new(context)))
}

/// Returns the predicate with this name.
fn predicate(name: &str, model: &Model) -> Result<PredicateId, UsageError> {
    settings::predicate(model, name).map_err(|error| {
        let forms =
            "--within takes the number of a class, a stored result as in `classes.json:2`, or a predicate";
        refuse(model, if error.help.is_none() { error.with_help(forms) } else { error })
    })
}

fn refuse(model: &Model, error: Diagnostic) -> UsageError {
    UsageError { sources: model.sources.clone(), ..UsageError::from(error) }
}

/// Returns the class of a result about infinite traces with this number.
pub fn of_lassos(result: &Classification<Infinite>, number: usize) -> Result<LassoContext, UsageError> {
    // Images have no numbers of their own.
    let classes: Vec<_> = result.firsts().collect();
    let constraint = numbered(&classes, number)?.constraint.clone();
    Ok(LassoContext { constraint, atoms: result.atoms.clone() })
}

/// Returns the class with this number.
fn numbered<C>(classes: &[C], number: usize) -> Result<&C, UsageError> {
    let class = number.checked_sub(1).and_then(|index| classes.get(index));
    class.ok_or_else(|| no_such_class(number, classes.len()).into())
}

fn known(restored: Restored) -> CoverTarget {
    CoverTarget::Known(Box::new(restored))
}

/// Returns the class of a result with this number.
pub fn of_result(result: &Classification, number: usize) -> Result<Restored, UsageError> {
    let gathered = result.clone().gathered();
    let class = numbered(&gathered.classes, number)?;
    Ok(Restored { constraint: class.constraint.clone(), atoms: result.atoms.clone() })
}

fn no_such_class(number: usize, count: usize) -> Diagnostic {
    let there_are = match count {
        0 => "there are no classes".to_owned(),
        1 => "there is one class".to_owned(),
        n => format!("there are {n} classes, numbered from 1"),
    };
    Diagnostic::error_without_place(format!("no class has the number {number}")).with_help(there_are)
}

/// Returns the class of a stored result with this number.
fn of_file(
    file: &Path,
    number: usize,
    model: &Model,
    vocabulary: &Vocabulary,
) -> Result<Restored, UsageError> {
    let stored = StoredClasses::read(file)?.about(false, file)?;
    let class = numbered(&stored.classes, number)?;
    class.restored(model, stored.vocabulary(model, vocabulary)).ok_or_else(|| {
        let (shown, model) = (file.display(), &model.name);
        wrong(format!("class {number} of `{shown}` is not one of the model `{model}` and its vocabulary"))
    })
}
