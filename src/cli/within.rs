//! Which class `--within` means: one of this run, one of a stored result, or a predicate.

use super::refusal::Refusal;
use super::settings;
use super::stored::{StoredClasses, wrong};
use cladist::classify::collect::Collector;
use cladist::classify::{Atoms, Classification, Constraint, Restored};
use cladist::diagnostics::Diagnostic;
use cladist::model::{Model, Vocabulary};
use std::path::Path;

/// A class whose violating traces are to be covered.
pub enum Target {
    /// The class of this run with this number, from 1.
    OfThisRun(usize),
    /// One that is known before.
    Known(Box<Restored>),
}

/// The class that is meant. A stored one is rebuilt with the vocabulary of its result, if the model still has it, and else with this
/// one.
pub fn target(text: &str, model: &Model, vocabulary: &Vocabulary) -> Result<Target, Refusal> {
    if let Ok(number) = text.parse() {
        return Ok(Target::OfThisRun(number));
    }
    let stored = text.rsplit_once(':').and_then(|(file, number)| Some((file, number.parse().ok()?)));
    if let Some((file, number)) = stored {
        return of_file(Path::new(file), number, model, vocabulary).map(known);
    }
    let refuse = |error: Diagnostic| Refusal { sources: model.sources.clone(), ..Refusal::from(error) };
    let predicate = settings::predicate(model, text).map_err(|error| {
        let forms =
            "--within takes the number of a class, a stored result as in `classes.json:2`, or a predicate";
        refuse(if error.help.is_none() { error.with_help(forms) } else { error })
    })?;
    let atoms = Atoms::default();
    let instances = Collector::new(model, vocabulary, &atoms).instances(predicate);
    let constraint = instances.first().map(|&atom| Constraint::of_atom(&atoms, atom)).unwrap_or_default();
    Ok(known(Restored { constraint, atoms }))
}

fn known(restored: Restored) -> Target {
    Target::Known(Box::new(restored))
}

/// The class of a result with this number.
pub fn of_result(result: &Classification, number: usize) -> Result<Restored, Refusal> {
    let class = number.checked_sub(1).and_then(|index| result.classes.get(index));
    let Some(class) = class else { return Err(no_such_class(number, result.classes.len()).into()) };
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

/// The class of a stored result with this number.
fn of_file(file: &Path, number: usize, model: &Model, vocabulary: &Vocabulary) -> Result<Restored, Refusal> {
    let stored = StoredClasses::read(file)?.finite(file)?;
    let Some(class) = number.checked_sub(1).and_then(|index| stored.classes.get(index)) else {
        return Err(no_such_class(number, stored.classes.len()).into());
    };
    class.restored(model, stored.vocabulary(model, vocabulary)).ok_or_else(|| {
        let (shown, model) = (file.display(), &model.name);
        wrong(format!("class {number} of `{shown}` is not one of the model `{model}` and its vocabulary"))
    })
}
