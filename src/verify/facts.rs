//! Display of single facts beside their formulas: their kind, predicate, positions and individuals.

use super::document::{FactWord, StoredFact, StoredSource};
use super::notation::{canonical, shown};
use super::source_files;
use lang::model::{FactText, Model, Predicate, TraceFormulaText};
use lang::syntax::{ast::AstExprKind, names_in, parse_expression};
use std::collections::BTreeSet;

/// The model whose facts are shown, with the texts that it was read from.
pub(super) struct FactModel<'a> {
    pub model: &'a Model,
    pub sources: &'a [StoredSource],
}

impl FactModel<'_> {
    /// Checks a fact against its displayed fields.
    pub fn agree(
        &self,
        fact: &StoredFact,
        text: &FactText,
        formula: &TraceFormulaText,
    ) -> Result<(), String> {
        let wrong = |what: &str| Err(format!("the {what} of `{}` is another", fact.text));
        let (positions, individuals) = names(text, formula);
        let predicate = predicate(self.model, text);
        let kind = match (&text.nowhere, predicate) {
            (Some(_), _) => FactWord::Absence,
            (None, Some(_)) => FactWord::Predicate,
            (None, None) if is_order(text, &positions) => FactWord::Order,
            (None, None) if positions.is_empty() => FactWord::Individuals,
            (None, None) => FactWord::Observable,
        };
        if fact.kind != kind {
            return wrong("kind");
        }
        if fact.predicate.as_ref() != predicate.map(|predicate| &predicate.name) {
            return wrong("predicate");
        }
        if fact.title != predicate.and_then(Predicate::title) {
            return wrong("title");
        }
        if fact.source != predicate.filter(|of| of.added.is_none()).map(|predicate| self.place(predicate)) {
            return wrong("source");
        }
        let same = |said: &[String], names: &BTreeSet<&str>| {
            said.iter().map(String::as_str).collect::<BTreeSet<_>>() == *names
        };
        match same(&fact.positions, &positions) && same(&fact.individuals, &individuals) {
            true => Ok(()),
            false => Err(format!("`{}` is about other positions or individuals", fact.text)),
        }
    }

    /// Returns the place where a predicate is defined, with the names of texts at the time the result was stored.
    fn place(&self, predicate: &Predicate) -> String {
        let sources = &self.model.sources;
        let name = sources.name(predicate.span.source);
        let number = source_files(sources).position(|(file, _)| file == name);
        let file = number.and_then(|number| self.sources.get(number)).map_or(name, |source| &source.file);
        format!("{file}:{}", sources.line_column(predicate.span).0)
    }
}

/// Returns the positions and the individuals in a fact, as constraints show them.
fn names<'f>(text: &FactText, formula: &'f TraceFormulaText) -> (BTreeSet<&'f str>, BTreeSet<&'f str>) {
    let in_text: BTreeSet<&str> = names_in(&text.holds).into_iter().map(|(_, name)| name).collect();
    let ends: Vec<&String> =
        text.nowhere.iter().flat_map(|stretch| [&stretch.after, &stretch.before]).flatten().collect();
    let (mut positions, mut individuals) = (BTreeSet::new(), BTreeSet::new());
    for parameter in &formula.parameters {
        if in_text.contains(parameter.name.as_str()) || ends.contains(&&parameter.name) {
            let list = if parameter.ty == "pos" { &mut positions } else { &mut individuals };
            list.insert(shown(&parameter.name));
        }
    }
    (positions, individuals)
}

/// Returns the predicate that a fact applies.
fn predicate<'m>(model: &'m Model, text: &FactText) -> Option<&'m Predicate> {
    let (tree, _) = parse_expression(Default::default(), &text.holds);
    let AstExprKind::Call { path, .. } = tree?.kind else { return None };
    let name = path.iter().map(|part| part.name.as_str()).collect::<Vec<_>>().join(".");
    model.predicates.iter().find(|predicate| predicate.name == name).filter(|_| text.nowhere.is_none())
}

/// True if a fact expresses only the order of two positions.
fn is_order(text: &FactText, positions: &BTreeSet<&str>) -> bool {
    let names: Vec<&str> = names_in(&text.holds).into_iter().map(|(_, name)| name).collect();
    let [first, second] = names.as_slice() else { return false };
    let forms = [format!("{first} < {second}"), format!("{first} = {second} + 1")];
    positions.len() == 2 && canonical(&text.holds).is_ok_and(|holds| forms.contains(&holds))
}
