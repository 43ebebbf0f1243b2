//! Which classes are new, stay, split or disappear from one bound to the next.

use super::{FoundClass, FoundIndividual};
use classify::restore;
use classify::{Atoms, Constraint, Restored, ShownIndividual, position_names};
use lang::model::{LassoFormula, LassoFormulaText, Model, Position, Vocabulary};
use lang::trace::{Lasso, Trace, lasso_from_json, trace_from_json};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

/// No class has more positions or individuals than this.
const MOST_VARIABLES: usize = 64;

/// The fate of a class at the next bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// Both bounds have a class with this constraint.
    Stays,
    /// Only the greater bound has it.
    New,
    /// Only the smaller bound has it; as far as the known traces show, its violations are in one class of the
    /// greater bound.
    Replaced,
    /// Only the smaller bound has it; its violations are in several classes that only the greater bound has.
    Split,
    /// Only the smaller bound has it; its known traces are in no class of the greater bound, which must have a
    /// partial result.
    Gone,
}

/// A class of either bound and its fate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct ClassChange {
    /// Its fate.
    pub fate: Fate,
    /// The constraint in the paper's notation, by which classes are compared.
    pub constraint: String,
    /// The number of the class at the smaller bound, from 1; `null` for a new class.
    #[cfg_attr(feature = "schemas", schemars(range(min = 1)))]
    pub before: Option<usize>,
    /// Numbers at the greater bound: of the class itself, or of those that share its violations.
    #[cfg_attr(feature = "schemas", schemars(inner(range(min = 1))))]
    pub after: Vec<usize>,
}

/// A class with what is needed to decide membership.
struct Rebuilt<'a> {
    class: &'a FoundClass,
    /// Of the class and its images, as far as they can be rebuilt.
    constraints: Vec<MembershipDecider>,
    /// The representative, and the canonical counterexample.
    traces: Vec<ClassTrace>,
}

/// The test of membership in a class.
enum MembershipDecider {
    Finite(Restored),
    Infinite(LassoFormula),
}

/// A trace that is known of a class.
enum ClassTrace {
    Finite(Trace),
    Infinite(Lasso),
}

impl ClassTrace {
    fn read(model: &Model, document: &Json) -> Option<Self> {
        match document.get("loop") {
            Some(_) => lasso_from_json(model, document).map(Self::Infinite),
            None => trace_from_json(model, document).map(Self::Finite),
        }
    }
}

impl MembershipDecider {
    fn contains(&self, model: &Model, trace: &ClassTrace) -> bool {
        match (self, trace) {
            (Self::Finite(constraint), ClassTrace::Finite(trace)) => constraint.contains(model, trace),
            (Self::Infinite(formula), ClassTrace::Infinite(lasso)) => {
                formula.holds(model, &lasso.trace.moments, lasso.start)
            }
            _ => false,
        }
    }
}

impl<'a> Rebuilt<'a> {
    fn new(model: &Model, vocabulary: &Vocabulary, class: &'a FoundClass) -> Self {
        let known = [Some(&class.representative), class.canonical.as_ref()];
        let traces = known.into_iter().flatten().filter_map(|trace| ClassTrace::read(model, trace)).collect();
        let constraint = |class: &FoundClass| match class.is_infinite() {
            true => class.lasso_formula(model).map(MembershipDecider::Infinite),
            false => class.restored(model, vocabulary).map(MembershipDecider::Finite),
        };
        Self { class, constraints: class.with_images().filter_map(constraint).collect(), traces }
    }

    /// True if a known trace of the other class satisfies this one's constraint.
    fn has_one_of(&self, model: &Model, other: &Rebuilt<'_>) -> bool {
        let has = |own: &MembershipDecider| other.traces.iter().any(|trace| own.contains(model, trace));
        self.constraints.iter().any(has)
    }
}

impl FoundClass {
    /// True if its traces are infinite.
    pub fn is_infinite(&self) -> bool {
        self.representative.get("loop").is_some()
    }

    /// The formula of a class of infinite traces; `None` if it is of another model, or the class is one of finite traces.
    pub fn lasso_formula(&self, model: &Model) -> Option<LassoFormula> {
        let text = LassoFormulaText::deserialize(&self.formula).ok()?;
        LassoFormula::read(model, &text).ok()
    }

    /// True if its constraint is that of another class, or one of its images is.
    fn says(&self, other: &Self) -> bool {
        self.with_images().any(|own| own.constraint == other.constraint)
    }

    /// The constraint of the class, rebuilt from its text and its representative; `None` if they are of another model or
    /// vocabulary.
    pub fn restored(&self, model: &Model, vocabulary: &Vocabulary) -> Option<Restored> {
        let atoms = Atoms::default();
        let constraint = self.restored_into(&atoms, model, vocabulary)?;
        Some(Restored { constraint, atoms })
    }

    /// The constraint, with its atoms in an existing arena.
    pub fn restored_into(&self, atoms: &Atoms, model: &Model, vocabulary: &Vocabulary) -> Option<Constraint> {
        let representative = trace_from_json(model, &self.representative)?;
        let names = position_names(self.positions.len());
        let positions = names.iter().map(|name| self.positions.get(name).copied());
        let positions = positions.collect::<Option<Vec<usize>>>()?;
        // What was edited may say anything.
        let inside = positions.iter().all(|&position| position < representative.moments.len());
        let positions: Vec<Position> = positions.into_iter().map(Position::new).collect();
        if !inside || positions.len() > MOST_VARIABLES || self.individuals.len() > MOST_VARIABLES {
            return None;
        }
        let shown = |of: &FoundIndividual| ShownIndividual { ty: of.ty.clone(), value: of.value.clone() };
        let individuals: Vec<ShownIndividual> = self.individuals.iter().map(shown).collect();
        let texts: Vec<&str> = self.facts.iter().map(|fact| fact.text.as_str()).collect();
        restore(atoms, model, vocabulary, &representative, &positions, &individuals, &texts)
    }
}

/// The fates of the classes of a smaller bound at a greater one, in the order of the smaller bound; after them the new classes.
/// Membership is decided by the reference semantics: a class has violations of another one if a known trace of either satisfies the
/// constraint of the other.
pub fn changes<'a>(
    model: &Model,
    vocabulary: &Vocabulary,
    old: impl Iterator<Item = &'a FoundClass> + Clone,
    new: impl Iterator<Item = &'a FoundClass> + Clone,
) -> Vec<ClassChange> {
    let stays = |class: &FoundClass| new.clone().find(|other| other.says(class));
    let stayed = |class: &FoundClass| old.clone().any(|other| class.says(other));
    let rebuild = |class| Rebuilt::new(model, vocabulary, class);
    let mut changes = Vec::new();
    // Mostly all classes stay; then none has to be rebuilt.
    let mut rebuilt: Option<Vec<Rebuilt<'_>>> = None;
    for class in old.clone() {
        let (fate, after) = match stays(class) {
            Some(same) => (Fate::Stays, vec![same.id]),
            None => homes(
                model,
                &rebuild(class),
                rebuilt.get_or_insert_with(|| new.clone().map(rebuild).collect()),
                stayed,
            ),
        };
        let before = Some(class.id);
        changes.push(ClassChange { fate, constraint: class.constraint.clone(), before, after });
    }
    for class in new.clone().filter(|class| !stayed(class)) {
        let (constraint, after) = (class.constraint.clone(), vec![class.id]);
        changes.push(ClassChange { fate: Fate::New, constraint, before: None, after });
    }
    changes
}

/// The classes that share violations with one that is gone.
fn homes(
    model: &Model,
    old: &Rebuilt<'_>,
    new: &[Rebuilt<'_>],
    stayed: impl Fn(&FoundClass) -> bool,
) -> (Fate, Vec<usize>) {
    let shares = |home: &&Rebuilt<'_>| home.has_one_of(model, old) || old.has_one_of(model, home);
    let fresh = new.iter().filter(|home| !stayed(home.class)).filter(shares);
    let fresh: Vec<usize> = fresh.map(|home| home.class.id).collect();
    match fresh.len() {
        // Classes that were there before may have had some of its traces all along.
        0 => match new.iter().find(|home| home.has_one_of(model, old)) {
            Some(home) => (Fate::Replaced, vec![home.class.id]),
            None => (Fate::Gone, Vec::new()),
        },
        1 => (Fate::Replaced, fresh),
        _ => (Fate::Split, fresh),
    }
}
