//! Constraints of infinite traces as formulas in the language of models, and back.

use super::constraint::{LassoConstraint, MOST_INSTANCES};
use super::fact::{AtomLiteral, AtomRef, LassoFact};
use crate::facts::atom::{Atom, AtomOrigin, Atoms, ValueParam, VariableNames};
use crate::facts::formula::{ChosenNames, atom_text, mark};
use crate::facts::index::{DomainId, IndividualVar};
use kit::diagnostics::Span;
use lang::model::expr::{Expr, LocalId};
use lang::model::{LassoFactText, LassoFormula, LassoFormulaText, Model, ParameterText, SaidText};
use std::collections::BTreeMap;

impl LassoConstraint {
    /// The constraint in the language of models.
    pub fn formula(&self, model: &Model, atoms: &Atoms) -> LassoFormulaText {
        let shown = self.names(model, atoms).individuals;
        let count = shown.len();
        let marked =
            VariableNames { positions: vec![mark(count)], individuals: (0..count).map(mark).collect() };
        let text = |about: &AtomRef| atom_text(model, atoms.get(about.atom), &about.names(&marked));
        let said = |said: &[AtomLiteral]| -> Vec<SaidText> {
            said.iter().map(|said| SaidText { text: text(&said.about), holds: said.holds }).collect()
        };
        let facts = self.facts.iter().map(|fact| LassoFactText {
            when: fact.when,
            at: fact.before.iter().chain([&fact.what]).map(|here| said(here)).collect(),
            after: said(&fact.after),
        });
        let mut facts: Vec<LassoFactText> = facts.collect();
        let distinct: Vec<String> = self.distinct.iter().map(text).collect();
        let all = facts.iter().flat_map(said_in).map(|said| said.text.as_str());
        let texts = all.chain(distinct.iter().map(String::as_str));
        let names = ChosenNames::new(texts, shown.iter().map(String::as_str).chain(["t"]));
        for said in facts.iter_mut().flat_map(said_in_mut) {
            said.text = names.put(std::mem::take(&mut said.text));
        }
        let types = self.individuals.iter().map(|&domain| model.types.name(atoms.type_of(domain)));
        LassoFormulaText {
            individuals: names
                .0
                .iter()
                .zip(types)
                .map(|(name, ty)| ParameterText { name: name.clone(), ty })
                .collect(),
            position: names.put(mark(count)),
            facts,
            distinct: distinct.into_iter().map(|text| names.put(text)).collect(),
        }
    }

    /// The constraint that a formula is, over atoms that are added to the arena; `None` where it cannot be one: a fact is about no
    /// position, or individuals can be too many together.
    pub fn of_formula(atoms: &Atoms, formula: &LassoFormula) -> Option<Self> {
        let individuals = formula.individuals();
        let choices = individuals.iter().map(|individual| individual.values.as_ref().map_or(0, Vec::len));
        if choices.fold(1, usize::saturating_mul) > MOST_INSTANCES {
            return None;
        }
        let domains: Vec<DomainId> = individuals.iter().map(|it| atoms.domain(&it.ty)).collect();
        let reader = LassoAtomReader { atoms, formula, domains: &domains };
        let facts = formula.facts.iter().map(|fact| {
            let (what, before) = fact.at.split_last()?;
            let said = |all: &[lang::model::LassoLiteral]| -> Option<Vec<AtomLiteral>> {
                let said = |said: &lang::model::LassoLiteral| {
                    Some(AtomLiteral { about: reader.about(said.number, true)?, holds: said.holds })
                };
                all.iter().map(said).collect()
            };
            let before = before.iter().map(|here| said(here)).collect::<Option<_>>()?;
            Some(LassoFact { when: fact.when, what: said(what)?, after: said(&fact.after)?, before })
        });
        let facts = facts.collect::<Option<_>>()?;
        let distinct = formula.distinct.clone().map(|number| reader.about(number, false));
        let distinct = distinct.collect::<Option<_>>()?;
        Some(Self::new(domains.clone(), facts, distinct))
    }
}

fn said_in(fact: &LassoFactText) -> impl Iterator<Item = &SaidText> {
    fact.at.iter().flatten().chain(&fact.after)
}

fn said_in_mut(fact: &mut LassoFactText) -> impl Iterator<Item = &mut SaidText> {
    fact.at.iter_mut().flatten().chain(&mut fact.after)
}

/// Makes atoms of what a formula says.
struct LassoAtomReader<'a> {
    atoms: &'a Atoms,
    formula: &'a LassoFormula,
    domains: &'a [DomainId],
}

impl LassoAtomReader<'_> {
    /// The atom with this number in the formula, which speaks of a position or only of individuals.
    fn about(&self, number: usize, of_position: bool) -> Option<AtomRef> {
        let mut locals: BTreeMap<usize, LocalId> = BTreeMap::new();
        let mut conjuncts = Vec::new();
        for part in self.formula.parts(number) {
            for &(variable, local) in &part.reads {
                // A variable has one name in a text.
                if *locals.entry(variable).or_insert(local) != local {
                    return None;
                }
            }
            conjuncts.push(part.expr.clone());
        }
        let position = locals.remove(&0);
        if position.is_some() != of_position {
            return None;
        }
        let read: Vec<usize> = locals.keys().map(|variable| variable - 1).collect();
        let values = read.iter().zip(locals.values());
        let values = values.map(|(&own, &local)| ValueParam { local, domain: self.domains[own] }).collect();
        let origin = AtomOrigin::Written(self.formula.text(number).to_owned());
        let expr = Expr::all(conjuncts, Span::default());
        let atom = Atom::new(origin, 0, position.into_iter().collect(), values, expr);
        let individuals = read.into_iter().map(IndividualVar::new).collect();
        Some(AtomRef { atom: self.atoms.add(atom), individuals })
    }
}
