//! Selects the types whose values can become individuals.

use itertools::Itertools;
use lang::model::expr::{Expr, ExprKind};
use lang::model::permutation::Permutation;
use lang::model::types::Type;
use lang::model::value::Value;
use lang::model::{Model, PredicateArgument, UpdateValue, Vocabulary, VocabularyItem};

/// Types with more values than this are not lifted.
const MOST_VALUES: u64 = 64;

/// The types for which constraints name values only, not individuals.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Grounding {
    /// No type.
    #[default]
    Nothing,
    /// These types.
    Types(Vec<Type>),
    /// All types: constraints are as in the classification paper.
    Everything,
}

impl Grounding {
    /// True if the values of a type stay as they are.
    pub fn has(&self, ty: &Type) -> bool {
        match self {
            Self::Nothing => false,
            Self::Types(types) => types.contains(ty),
            Self::Everything => true,
        }
    }
}

impl Grounding {
    /// Returns the types of a model whose values can become individuals: enumerations that are keys of maps,
    /// arguments of actions or members of sets, ranges of integers that are keys of maps, and types left open
    /// by vocabularies in arguments of predicates; of 2 to 64 values.
    pub fn liftable(model: &Model) -> Vec<Type> {
        let mut names: Vec<Type> = Vec::new();
        for variable in &model.variables {
            add_names(model, &variable.ty, &mut names);
        }
        for param in model.actions.iter().flat_map(|action| &action.params) {
            if let ty @ Type::Enum(_) = param.ty.inner() {
                names.push(ty.clone());
            }
        }
        for item in model.vocabularies.iter().flat_map(|vocabulary| &vocabulary.items) {
            let VocabularyItem::Predicate(_, args) = item else { continue };
            for arg in args {
                if let PredicateArgument::Value { value, any: true } = arg {
                    add_scalars(model, &value.ty, &mut names);
                }
            }
        }
        names.retain(|ty| (2..=MOST_VALUES).contains(&model.types.cardinality(ty)));
        names.into_iter().unique().collect()
    }

    /// Returns the liftable types whose values are lifted with this vocabulary.
    pub(crate) fn lifted(&self, model: &Model, vocabulary: &Vocabulary) -> Vec<Type> {
        Self::liftable(model).into_iter().filter(|ty| !self.keeps(vocabulary, ty)).collect()
    }

    /// True if the values of a type stay as they are, also by what the vocabulary says.
    pub(crate) fn keeps(&self, vocabulary: &Vocabulary, ty: &Type) -> bool {
        self.has(ty)
            || vocabulary.items.iter().any(|item| match item {
                VocabularyItem::Ground(None) => true,
                VocabularyItem::Ground(Some(marked)) => marked == ty,
                _ => false,
            })
    }

    /// True if a permutation moves values of a type that stay as they are, also by what the vocabulary says.
    pub(crate) fn forbids(&self, vocabulary: &Vocabulary, by: &Permutation) -> bool {
        by.moves().any(|(ty, ..)| self.keeps(vocabulary, &ty.ty()))
    }
}

/// Returns the number of occurrences of an enumeration's values in initial states and actions of a model; 0
/// for ranges of integers, whose values are numbers as well.
pub(crate) fn mentions(model: &Model, ty: &Type) -> usize {
    let mut count = 0;
    let mut look = |expr: &Expr| {
        expr.walk(&mut |e| {
            let is_named =
                matches!((&e.kind, ty), (ExprKind::Const(Value::Enum(id, _)), Type::Enum(of)) if id == of);
            count += usize::from(is_named);
        });
    };
    model.init.iter().for_each(&mut look);
    for action in &model.actions {
        action.requires.iter().chain(&action.constraints).for_each(&mut look);
        for update in &action.updates {
            update.guard.iter().for_each(&mut look);
            let (UpdateValue::Is(value) | UpdateValue::In(value)) = &update.value;
            look(value);
        }
    }
    count
}

/// Adds the enumerations and ranges of integers that a value consists of.
fn add_scalars(model: &Model, ty: &Type, names: &mut Vec<Type>) {
    match ty.inner() {
        ty @ (Type::Enum(_) | Type::Int { .. }) => names.push(ty.clone()),
        Type::Record(id) => {
            model.types.record(*id).contents().for_each(|(_, ty)| add_scalars(model, ty, names));
        }
        _ => {}
    }
}

/// Adds the types within a type whose values serve as names.
fn add_names(model: &Model, ty: &Type, names: &mut Vec<Type>) {
    match ty {
        Type::Map(key, value) => {
            match &**key {
                ty @ (Type::Enum(_) | Type::Int { .. }) => names.push(ty.clone()),
                Type::Record(id) => {
                    let fields = model.types.record(*id).contents().map(|(_, ty)| ty);
                    names.extend(fields.filter(|ty| matches!(ty, Type::Enum(_))).cloned());
                }
                _ => {}
            }
            add_names(model, value, names);
        }
        Type::Set(element) => {
            if let Type::Enum(_) = **element {
                names.push((**element).clone());
            }
            add_names(model, element, names);
        }
        Type::Option(inner) => add_names(model, inner, names),
        Type::Record(id) => {
            model.types.record(*id).contents().for_each(|(_, ty)| add_names(model, ty, names));
        }
        Type::Bool | Type::Int { .. } | Type::Enum(_) | Type::Pos | Type::Abstract(_) => {}
    }
}
