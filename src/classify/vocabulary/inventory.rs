//! The words that a model offers.

use super::AUTO;
use super::conditions::breaking_literals;
use super::word::{RestrictedObservable, Word, items_of, vocabulary};
use crate::facts::problem::Problem;
use itertools::Itertools;
use kit::number::to_u32;
use lang::model::expr::VarId;
use lang::model::types::Type;
use lang::model::{Model, Observable, Predicate, PredicateArgument, PredicateId, Vocabulary};

/// The greatest number of positions of a predicate; more give too many places.
const MOST_POSITIONS: usize = 3;

/// The greatest number of readings of a predicate over values, likewise.
const MOST_READINGS: usize = 16;

/// The observables and predicates of a model.
#[derive(Debug, Clone)]
pub struct Inventory {
    /// The action of a step.
    pub action: RestrictedObservable,
    /// The arguments of actions.
    pub arguments: Vec<RestrictedObservable>,
    /// The variables.
    pub variables: Vec<RestrictedObservable>,
    /// The parts of the variables that the property does not read.
    pub unread: Vec<RestrictedObservable>,
    /// The predicates of the model and of its imported libraries.
    pub predicates: Vec<Word>,
    /// The predicates for the steps that established the conditions of breaking steps.
    pub establishing: Vec<Word>,
    /// The literals of the conditions under which steps break the property.
    pub literals: Vec<RestrictedObservable>,
}

impl Inventory {
    /// Collects the observables and predicates of the model of a problem.
    pub fn of(problem: Problem<'_>) -> Self {
        let model = problem.model;
        let whole = |observable: Observable| RestrictedObservable::of(model, &observable);
        let arguments = model.actions.iter().enumerate().flat_map(|(action, declared)| {
            (0..declared.params.len()).map(move |param| Observable::of_argument(model, action, param))
        });
        let variables: Vec<Observable> =
            (0..model.variables.len()).map(|v| Observable::of_variable(model, VarId(to_u32(v)))).collect();
        let ids = (0..model.predicates.len()).map(|index| PredicateId(to_u32(index)));
        let predicates = ids.zip(&model.predicates).filter(|&(id, _)| !model.is_about_fates(id));
        let words = predicates.filter_map(|(id, declared)| predicate_word(model, &variables, id, declared));
        let (establishing, predicates) = words.partition(Word::is_added);
        let variable_parts: Vec<RestrictedObservable> = variables.iter().cloned().map(whole).collect();
        Self {
            action: whole(Observable::of_action(model)),
            arguments: arguments.map(whole).filter(|part| !part.leaves.is_empty()).collect(),
            unread: variable_parts.iter().filter_map(|part| part.apart_from_property(problem)).collect(),
            predicates,
            establishing,
            variables: variable_parts,
            literals: breaking_literals(problem),
        }
    }

    /// Returns the action of a step, and the arguments of actions.
    pub fn labels(&self) -> Vec<RestrictedObservable> {
        std::iter::once(&self.action).chain(&self.arguments).cloned().collect()
    }

    /// Returns a vocabulary of all observables and predicates.
    pub fn everything(&self) -> Vocabulary {
        let parts = self.labels().into_iter().chain(self.variables.iter().cloned());
        let predicates = self.predicates.iter().chain(&self.establishing).cloned();
        let words: Vec<Word> = predicates.chain(parts.map(Word::Equal)).collect();
        vocabulary(AUTO, items_of(&words))
    }

    /// Returns the arguments and variables that can be tied, grouped by type, at least two leaves in each
    /// group. Truth values coincide too often to be tied.
    pub fn ties(&self) -> Vec<Vec<RestrictedObservable>> {
        let parts = self.arguments.iter().chain(&self.variables);
        let leaves = parts.flat_map(|part| part.leaves.iter().map(|leaf| (kind_of(leaf), leaf)));
        let leaves = leaves.filter(|(kind, _)| *kind != Type::Bool);
        let mut groups: Vec<(Type, Vec<RestrictedObservable>)> = Vec::new();
        for (kind, leaf) in leaves {
            let part = RestrictedObservable::leaf(leaf);
            match groups.iter_mut().find(|(known, _)| *known == kind) {
                Some((_, group)) => group.push(part),
                None => groups.push((kind, vec![part])),
            }
        }
        groups.into_iter().map(|(_, group)| group).filter(|group| group.len() > 1).collect()
    }
}

/// Returns the type by which observables are tied: without `option`, and one for all integers.
fn kind_of(leaf: &Observable) -> Type {
    match leaf.expr.ty.inner() {
        Type::Int { .. } => Type::Int { lo: 0, hi: 0 },
        ty => ty.clone(),
    }
}

/// Returns a predicate at any positions, applied to every part of a variable of exactly its parameter's type.
fn predicate_word(
    model: &Model,
    variables: &[Observable],
    id: PredicateId,
    declared: &Predicate,
) -> Option<Word> {
    let positions = declared.params.iter().filter(|p| p.ty == Type::Pos).count();
    if declared.params.is_empty() || positions > MOST_POSITIONS {
        return None;
    }
    let choices = declared.params.iter().map(|param| match &param.ty {
        Type::Pos => vec![PredicateArgument::Position],
        ty => {
            let fitting = variables.iter().flat_map(|v| v.parts_of_type(&model.types, ty));
            fitting.map(PredicateArgument::Observed).collect()
        }
    });
    let choices: Vec<Vec<PredicateArgument>> = choices.collect();
    let count = choices.iter().fold(1usize, |n, of| n.saturating_mul(of.len()));
    if count == 0 || count > MOST_READINGS {
        return None;
    }
    let readings = choices.into_iter().multi_cartesian_product().collect();
    let (name, added) = (declared.name.clone(), declared.added.clone());
    Some(Word::Predicate { id, name, readings, all: true, added })
}
