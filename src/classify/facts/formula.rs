//! Writes constraints as formulas in the language of models, so that they can be read again without the engine.

use crate::facts::atom::{Atom, Atoms, VariableNames};
use crate::facts::constraint::Constraint;
use crate::facts::fact::{Fact, FactKind, OrderRelation, Stretch};
use lang::model::{FactText, Model, ParameterText, StretchText, TraceFormulaText};
use lang::syntax::is_reserved;
use std::collections::BTreeSet;

/// Delimits the placeholder of a variable until its name is chosen: a character that occurs in no text of a model.
const MARK: char = '\u{1}';

impl Constraint {
    /// Returns the constraint in the language of models. Variables keep their usual names; one that would
    /// clash with another word of the facts gets an underscore.
    pub fn formula(&self, model: &Model, atoms: &Atoms) -> TraceFormulaText {
        let shown = self.names(model, atoms);
        let count = shown.positions.len();
        let all: Vec<&str> = shown.positions.iter().chain(&shown.individuals).map(String::as_str).collect();
        let at = mark(all.len());
        let marked = VariableNames {
            positions: (0..count).map(mark).collect(),
            individuals: (count..all.len()).map(mark).collect(),
        };
        let facts: Vec<FactText> =
            self.facts.iter().map(|fact| fact_text(model, atoms, fact, &marked, &at)).collect();
        let wanted = all.into_iter().chain(["t"]);
        let names = ChosenNames::new(facts.iter().map(|fact| fact.holds.as_str()), wanted);
        let types = self.individuals.iter().map(|&domain| model.types.name(atoms.type_of(domain)));
        let types = (0..count).map(|_| "pos".to_owned()).chain(types);
        TraceFormulaText {
            parameters: names
                .0
                .iter()
                .zip(types)
                .map(|(name, ty)| ParameterText { name: name.clone(), ty })
                .collect(),
            facts: facts.into_iter().map(|fact| names.put_fact(fact)).collect(),
            of_each: false,
        }
    }
}

/// Returns the placeholder of the variable with this number.
pub fn mark(number: usize) -> String {
    format!("{MARK}{number}{MARK}")
}

/// The chosen names of variables, by number.
pub struct ChosenNames(pub Vec<String>);

impl ChosenNames {
    /// Chooses, for each wanted name, this name or one with underscores that is no other word of the texts.
    pub fn new<'a>(texts: impl Iterator<Item = &'a str>, wanted: impl Iterator<Item = &'a str>) -> Self {
        let mut taken: BTreeSet<String> = texts.flat_map(words).collect();
        let mut names = Vec::new();
        for wanted in wanted {
            let mut name = wanted.to_owned();
            while is_reserved(&name) || !taken.insert(name.clone()) {
                name.push('_');
            }
            names.push(name);
        }
        Self(names)
    }

    /// Replaces the placeholders in a fact by the names.
    pub fn put_fact(&self, FactText { holds, nowhere }: FactText) -> FactText {
        let put = |text: String| self.put(text);
        let nowhere = nowhere.map(|StretchText { at, after, before }| StretchText {
            at: put(at),
            after: after.map(put),
            before: before.map(put),
        });
        FactText { holds: put(holds), nowhere }
    }

    /// Replaces the placeholders in a text by the names.
    pub fn put(&self, text: String) -> String {
        let each = self.0.iter().enumerate();
        each.fold(text, |text, (number, name)| text.replace(&mark(number), name))
    }
}

/// Returns the words of a text other than placeholders.
fn words(text: &str) -> Vec<String> {
    let plain: String = text.split(MARK).step_by(2).collect::<Vec<_>>().join(" ");
    plain.split(|c: char| !(c.is_alphanumeric() || c == '_')).map(str::to_owned).collect()
}

fn fact_text(model: &Model, atoms: &Atoms, fact: &Fact, names: &VariableNames, at: &str) -> FactText {
    let own = fact.own_names(names);
    let position = |n: usize| own.positions[n].clone();
    match fact.kind {
        FactKind::Order(OrderRelation::Before) => {
            FactText { holds: format!("{} < {}", position(0), position(1)), nowhere: None }
        }
        FactKind::Order(OrderRelation::Next) => {
            FactText { holds: format!("{} = {} + 1", position(1), position(0)), nowhere: None }
        }
        FactKind::Atom(atom) => FactText { holds: atom_text(model, atoms.get(atom), &own), nowhere: None },
        FactKind::Absent(atom, stretch) => {
            let there =
                VariableNames { positions: vec![at.to_owned()], individuals: own.individuals.clone() };
            let (after, before) = match stretch {
                Stretch::Between => (Some(position(0)), Some(position(1))),
                Stretch::Before => (None, Some(position(0))),
                Stretch::After => (Some(position(0)), None),
            };
            FactText {
                holds: atom_text(model, atoms.get(atom), &there),
                nowhere: Some(StretchText { at: at.to_owned(), after, before }),
            }
        }
    }
}

/// Returns an atom in the language of models. Observables other than plain paths are put in parentheses before `@`.
pub fn atom_text(model: &Model, atom: &Atom, names: &VariableNames) -> String {
    atom.written(model, names, ("!=", &|observable, at| read(observable, at.unwrap_or_default())))
}

/// Returns an observable at a position.
fn read(observable: &str, at: &str) -> String {
    let mut depth = 0usize;
    let is_plain = observable.chars().all(|c| {
        match c {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth > 0 || c == ']' || c.is_alphanumeric() || "_.".contains(c) || c == MARK
    });
    if is_plain { format!("{observable}@{at}") } else { format!("({observable})@{at}") }
}
