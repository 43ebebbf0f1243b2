//! Labels without order and without the identity of individuals.

use crate::facts::problem::Problem;
use crate::lassos::options::LassoProblem;
use itertools::Itertools;
use kit::diagnostics::Span;
use lang::model::expr::{Expr, ExprKind, Op};
use lang::model::types::{EnumId, Type, Types};
use lang::model::value::{Label, Value};
use lang::model::{Model, PathStep, UpdateValue};
use lang::syntax::names_in;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// A pattern of a finite trace tells individuals apart as long as there are no more choices of values for them; then those of small types.
pub const MOST_CHOICES: u64 = 4_096;
/// Values of a type with more values are not told apart.
const MOST_VALUES: u64 = 64;

/// A part of the arguments of an action that is no record: where a label has it.
#[derive(Debug, Clone)]
pub struct ArgumentPart {
    /// An expression over the label.
    pub expr: Expr,
    /// Its type.
    pub ty: Type,
    param: usize,
    fields: Vec<usize>,
}

impl ArgumentPart {
    /// The value of the part in a label of the action.
    pub fn of<'l>(&self, label: &'l Label) -> &'l Value {
        self.fields.iter().fold(&label.args[self.param], |value, &field| match value {
            Value::Record(_, fields) => &fields[field],
            _ => &Value::None,
        })
    }

    /// The index of the parameter that it is a part of.
    pub fn param(&self) -> usize {
        self.param
    }

    /// The fields that lead from the parameter to it.
    pub fn fields(&self) -> &[usize] {
        &self.fields
    }

    /// The record in a label that it is a field of; `None` for a parameter.
    fn record<'l>(&self, label: &'l Label) -> Option<&'l Value> {
        let (_, before) = self.fields.split_last()?;
        before.iter().try_fold(&label.args[self.param], |value, &field| match value {
            Value::Record(_, fields) => fields.get(field),
            _ => None,
        })
    }

    /// The label with another value there.
    fn replaced(&self, label: &Label, value: Value) -> Label {
        let mut changed = label.clone();
        let place = self.fields.iter().fold(&mut changed.args[self.param], |place, &field| match place {
            Value::Record(_, fields) => &mut fields[field],
            other => other,
        });
        *place = value;
        changed
    }
}

/// The parts of the arguments of each action of a model.
#[derive(Debug, Clone)]
pub struct ArgumentParts {
    /// By action.
    pub of: Vec<Vec<ArgumentPart>>,
    /// Values that the model names: roles, which are no individuals like others.
    roles: FxHashSet<Value>,
}

impl ArgumentParts {
    /// Those of a model with an invariant.
    pub fn new(problem: Problem<'_>) -> Self {
        Self::of_formulas(problem.model, &[problem.invariant])
    }

    /// Those of a model with a property of linear time.
    pub fn of_lassos(problem: LassoProblem<'_>) -> Self {
        Self::of_formulas(problem.model, &problem.formula.atoms())
    }

    fn of_formulas(model: &Model, property: &[&Expr]) -> Self {
        let of_action = |action: usize| {
            let mut parts = Vec::new();
            for (param, local) in model.actions[action].params.iter().enumerate() {
                let kind = ExprKind::LabelArg { action, param };
                let whole = Expr { kind, ty: local.ty.clone().optional(), span: Span::default() };
                add_parts(
                    model,
                    ArgumentPart { expr: whole, ty: local.ty.clone(), param, fields: Vec::new() },
                    &mut parts,
                );
            }
            parts
        };
        Self { of: (0..model.actions.len()).map(of_action).collect(), roles: roles(model, property) }
    }
}

impl ArgumentParts {
    /// The parts of the arguments of an action, each with a name: that of the parameter, `m.key` for a field.
    pub fn named<'p>(
        &'p self,
        model: &'p Model,
        action: usize,
    ) -> impl Iterator<Item = (&'p ArgumentPart, String)> {
        self.named_after(model, action, "")
    }

    /// The parts with such names, and something before that of the parameter.
    pub fn named_after<'p>(
        &'p self,
        model: &'p Model,
        action: usize,
        before: &'p str,
    ) -> impl Iterator<Item = (&'p ArgumentPart, String)> {
        let params = &model.actions[action].params;
        self.of[action].iter().map(move |part| {
            let mut ty = params[part.param].ty.inner();
            let mut name = format!("{before}{}", params[part.param].name);
            for &field in &part.fields {
                let Type::Record(id) = ty else { break };
                let record = model.types.record(*id);
                name = record.part_text(&name, field);
                ty = record.fields[field].1.inner();
            }
            (part, name)
        })
    }

    /// True for values that the model names.
    pub fn is_role(&self, value: &Value) -> bool {
        self.roles.contains(value)
    }
}

/// The values of enumerations that formulas of the model name, but for formulas that name all values of a type, or all but one.
fn roles(model: &Model, property: &[&Expr]) -> FxHashSet<Value> {
    let mut roles = FxHashSet::default();
    let mut add = |formula: &Expr| {
        let mut named: BTreeSet<(EnumId, u32)> = BTreeSet::new();
        visit_constants(formula, &mut |value, span| {
            add_named(value, &mut |id, value| {
                if is_written(model, &Value::Enum(id, value), span) {
                    named.insert((id, value));
                }
            });
        });
        for (id, values) in &named.into_iter().chunk_by(|(id, _)| *id) {
            let values: Vec<u32> = values.map(|(_, value)| value).collect();
            // All but one are named where the last one is meant by `else`.
            let named = if values.len() > 1 { values.len() + 1 } else { values.len() };
            if named < model.types.enumeration(id).variants.len() {
                roles.extend(values.into_iter().map(|value| Value::Enum(id, value)));
            }
        }
    };
    property.iter().copied().for_each(&mut add);
    // Initial values of all individuals name none of them.
    add(&Expr::all(model.init.clone(), Span::default()));
    for action in &model.actions {
        action.requires.iter().chain(&action.constraints).for_each(&mut add);
        for update in &action.updates {
            update.guard.iter().for_each(&mut add);
            update.path.iter().for_each(|step| {
                if let PathStep::Index(key) = step {
                    add(key);
                }
            });
            let (UpdateValue::Is(value) | UpdateValue::In(value)) = &update.value;
            add(value);
        }
    }
    roles
}

/// True if a value of an enumeration is named at a place of the model, rather than one for which a quantifier is written out.
pub fn is_written(model: &Model, value: &Value, place: Span) -> bool {
    let name = model.types.show_value(value);
    names_in(model.sources.snippet(place)).iter().any(|(_, written)| *written == name)
}

/// Visits the constants of a formula with their places, but for defaults of absent values, which name nobody.
fn visit_constants(formula: &Expr, visit: &mut dyn FnMut(&Value, Span)) {
    match &formula.kind {
        ExprKind::Const(value) => visit(value, formula.span),
        ExprKind::Binary(Op::Otherwise, value, default) if matches!(default.kind, ExprKind::Const(_)) => {
            visit_constants(value, visit);
        }
        _ => formula.children().into_iter().for_each(|child| visit_constants(child, visit)),
    }
}

/// Passes on the values of enumerations in a constant, but for keys.
fn add_named(value: &Value, add: &mut dyn FnMut(EnumId, u32)) {
    match value {
        Value::Enum(id, value) => add(*id, *value),
        Value::Record(_, fields) => fields.iter().for_each(|field| add_named(field, add)),
        Value::Set(members) => members.iter().for_each(|member| add_named(member, add)),
        Value::Map(entries) => entries.values().for_each(|value| add_named(value, add)),
        Value::None | Value::Bool(_) | Value::Int(_) => {}
    }
}

fn add_parts(model: &Model, part: ArgumentPart, parts: &mut Vec<ArgumentPart>) {
    let Type::Record(id) = *part.ty.inner() else { return parts.push(part) };
    let record = model.types.record(id);
    // Sequences and bags are not told apart.
    if record.collection.is_some() {
        return;
    }
    for (field, (_, ty)) in record.fields.iter().enumerate() {
        let expr = Expr {
            kind: ExprKind::Field(Box::new(part.expr.clone()), field),
            ty: ty.clone().optional(),
            span: Span::default(),
        };
        let fields = part.fields.iter().copied().chain([field]).collect();
        add_parts(model, ArgumentPart { expr, ty: ty.clone(), param: part.param, fields }, parts);
    }
}

/// One part of the arguments of a step of a pattern.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ArgumentSlot {
    /// Any value.
    Any,
    /// An individual, equal wherever this number is.
    Individual(usize),
    /// This value.
    Value(Value),
}

/// A step of a pattern.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PatternStep {
    /// The action.
    pub action: usize,
    /// The parts of its arguments, in their order.
    pub slots: Vec<ArgumentSlot>,
}

/// The steps of a trace, up to order and to the identity of individuals.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct CausePattern {
    /// The steps that violate the property, and the others.
    pub steps: Vec<PatternStep>,
    /// The number of those that violate the property: the last one of a finite trace, those of the loop of an infinite one.
    pub roots: usize,
    /// For each individual the values that it can have wherever it occurs.
    pub individuals: Vec<Vec<Value>>,
    /// Pairs of individuals with different values, the lower number first.
    pub different: Vec<(usize, usize)>,
    /// Of an infinite trace pairs of the other steps, by their numbers among these, the first of which is taken before the second.
    pub ordered: Vec<(usize, usize)>,
}

/// A violating trace with other labels.
pub trait ChangedLabels {
    /// True if the trace is a violation with these labels.
    fn violates_as(&self, labels: &[&Label]) -> bool;
    /// True if a step, by number from 0, leads to the same state with another label, and the property does not read labels.
    fn is_alike(&self, step: usize, label: &Label) -> bool;
}

/// The steps of a trace, with the role of each argument in the violation.
#[derive(Debug)]
pub struct RoleSteps<'t> {
    labels: Vec<&'t Label>,
    first_root: usize,
    most_choices: u64,
    /// By step and part of its arguments.
    kept: Vec<Vec<KeptRole>>,
    /// Fields of records, by type and value, that are equal to other individuals by chance.
    apart: FxHashSet<RecordField<'t>>,
    /// Pairs of values of an enumeration, in either order, without whose difference the trace is no violation.
    different: FxHashSet<(&'t Value, &'t Value)>,
}

/// An individual: its type and value, and the record of which it is a field, if that tells it from others with the value.
type IndividualKey<'t> = (&'t Type, &'t Value, Option<&'t Value>);

/// A field of a record: the record, and the type and value of the field.
type RecordField<'t> = (&'t Value, &'t Type, &'t Value);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum KeptRole {
    Nothing,
    Value,
    Individual,
    /// A value that the model names: told from others where it matters, and an individual like others if roles are not told.
    Named {
        matters: bool,
        is_read: bool,
    },
}

/// The treatment of values that the model names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToldRoles {
    /// They are told from others in every step.
    OfAll,
    /// They are told from others in the steps that violate the property, and stand for any value elsewhere.
    OfRoots,
    /// They are individuals like others.
    OfNone,
}

impl KeptRole {
    /// Its part in a pattern.
    fn told(self, told: ToldRoles, is_root: bool) -> Self {
        let KeptRole::Named { matters, is_read } = self else { return self };
        match told {
            ToldRoles::OfAll if matters => KeptRole::Value,
            ToldRoles::OfRoots if is_root && matters => KeptRole::Value,
            ToldRoles::OfNone if is_read => KeptRole::Individual,
            _ => KeptRole::Nothing,
        }
    }
}

impl<'t> RoleSteps<'t> {
    /// The steps of a violating trace; those from `first_root` on violate the property. A role and a truth value are kept where the trace is no violation with another one; others stand for any value,
    /// and so do individuals that a step does not read. Individuals have at most `most_choices` values together.
    pub fn new(
        types: &Types,
        parts: &'t ArgumentParts,
        (labels, first_root): (Vec<&'t Label>, usize),
        most_choices: u64,
        changed: &dyn ChangedLabels,
    ) -> Self {
        let kept = |step: usize| {
            let of_part = |part: &ArgumentPart| {
                let value = part.of(labels[step]);
                let others = || {
                    let others = types.values(&part.ty).into_iter().filter(|other| other != value);
                    others.map(|other| part.replaced(labels[step], other))
                };
                let violates_with = |label: Label| {
                    let mut labels = labels.clone();
                    labels[step] = &label;
                    changed.violates_as(&labels)
                };
                let matters = || !others().any(violates_with);
                let is_read = || !others().all(|label| changed.is_alike(step, &label));
                match value {
                    Value::None => KeptRole::Value,
                    Value::Bool(_) if matters() => KeptRole::Value,
                    Value::Bool(_) => KeptRole::Nothing,
                    _ if parts.roles.contains(value) => {
                        KeptRole::Named { matters: matters(), is_read: is_read() }
                    }
                    _ if types.cardinality(&part.ty) > MOST_VALUES => KeptRole::Nothing,
                    _ if is_read() => KeptRole::Individual,
                    _ => KeptRole::Nothing,
                }
            };
            parts.of[labels[step].action].iter().map(of_part).collect()
        };
        let kept = (0..labels.len()).map(kept).collect();
        let (apart, different) = (FxHashSet::default(), FxHashSet::default());
        let mut steps = Self { kept, labels, first_root, most_choices, apart, different };
        let fields: FxHashSet<RecordField<'_>> =
            steps.individuals(parts).filter_map(|(_, field)| field).collect();
        steps.apart =
            fields.into_iter().filter(|field| steps.is_apart(types, parts, *field, changed)).collect();
        let values = steps.individuals(parts).map(|((ty, value), _)| (ty, value));
        let values: Vec<(&Type, &Value)> =
            values.filter(|(ty, _)| matches!(ty, Type::Enum(_))).unique().collect();
        let pairs = values.iter().array_combinations().filter(|[(of, _), (other, _)]| of == other);
        let have_to_differ = pairs.filter(|[(_, a), (_, b)]| {
            [(*a, *b), (*b, *a)].into_iter().all(|pair| !steps.violates_without(parts, pair, changed))
        });
        steps.different = have_to_differ.flat_map(|[(_, a), (_, b)]| [(*a, *b), (*b, *a)]).collect();
        steps
    }

    /// True if the trace is a violation with another value in place of an individual.
    fn violates_without(
        &self,
        parts: &ArgumentParts,
        (individual, other): (&Value, &Value),
        changed: &dyn ChangedLabels,
    ) -> bool {
        let replaced = |(label, kept): (&&'t Label, &Vec<KeptRole>)| {
            let parts = parts.of[label.action].iter().zip(kept);
            let own =
                parts.filter(|(part, kept)| **kept == KeptRole::Individual && part.of(label) == individual);
            own.fold((*label).clone(), |label, (part, _)| part.replaced(&label, other.clone()))
        };
        let labels: Vec<Label> = self.labels.iter().zip(&self.kept).map(replaced).collect();
        changed.violates_as(&labels.iter().collect::<Vec<_>>())
    }

    /// The individuals in the arguments, and the record of each that is a field.
    fn individuals<'s>(
        &'s self,
        parts: &'t ArgumentParts,
    ) -> impl Iterator<Item = ((&'t Type, &'t Value), Option<RecordField<'t>>)> + 's {
        self.labels.iter().zip(&self.kept).flat_map(move |(&label, kept)| {
            let parts = parts.of[label.action].iter().zip(kept);
            parts.filter(|(_, kept)| **kept == KeptRole::Individual).map(move |(part, _)| {
                let (ty, value) = (part.ty.inner(), part.of(label));
                ((ty, value), part.record(label).map(|record| (record, ty, value)))
            })
        })
    }

    /// True if a field of a record is equal to another individual, and the trace is a violation with another value there, in all of its steps.
    fn is_apart(
        &self,
        types: &Types,
        parts: &ArgumentParts,
        field: RecordField<'_>,
        changed: &dyn ChangedLabels,
    ) -> bool {
        let (record, ty, value) = field;
        if !self.individuals(parts).any(|(individual, own)| individual == (ty, value) && own != Some(field)) {
            return false;
        }
        let fields = |label: &'t Label| {
            parts.of[label.action].iter().filter(move |part| part.record(label) == Some(record))
        };
        types.values(ty).into_iter().filter(|other| other != value).any(|other| {
            let replaced = |label: &&'t Label| {
                let own = fields(label).filter(|part| part.ty.inner() == ty && part.of(label) == value);
                own.fold((*label).clone(), |label, part| part.replaced(&label, other.clone()))
            };
            let labels: Vec<Label> = self.labels.iter().map(replaced).collect();
            // Another record of the trace stays another one.
            let of_changed = |(label, changed): (&&'t Label, &Label)| {
                fields(label).filter_map(|part| part.record(changed).cloned()).collect::<Vec<_>>()
            };
            let records: FxHashSet<Value> = self.labels.iter().zip(&labels).flat_map(of_changed).collect();
            let is_taken = self.labels.iter().any(|label| {
                parts.of[label.action]
                    .iter()
                    .any(|part| part.record(label).is_some_and(|own| records.contains(own)))
            });
            !is_taken && changed.violates_as(&labels.iter().collect::<Vec<_>>())
        })
    }

    /// The pattern of some steps, by their numbers from 0; the first `roots` of them violate the property. Individuals are values of one type that
    /// occur at least twice, and those that have to differ from others.
    pub fn pattern_of(
        &self,
        types: &Types,
        parts: &'t ArgumentParts,
        (roots, chosen): (usize, &[usize]),
        told: ToldRoles,
    ) -> CausePattern {
        let individual = |part: &'t ArgumentPart, label: &'t Label| {
            let (ty, value) = (part.ty.inner(), part.of(label));
            let record = part.record(label).filter(|record| self.apart.contains(&(record, ty, value)));
            (ty, value, record)
        };
        let mut occurrences: FxHashMap<IndividualKey<'_>, usize> = FxHashMap::default();
        for &step in chosen {
            for (part, kept) in parts.of[self.labels[step].action].iter().zip(&self.kept[step]) {
                if kept.told(told, step >= self.first_root) == KeptRole::Individual {
                    *occurrences.entry(individual(part, self.labels[step])).or_default() += 1;
                }
            }
        }
        let have_to_differ = |one: &IndividualKey<'_>, other: &IndividualKey<'_>| {
            one.0 == other.0 && one.2.or(other.2).is_none() && self.different.contains(&(one.1, other.1))
        };
        let is_told = |one: &IndividualKey<'_>| {
            occurrences[one] > 1 || occurrences.keys().any(|other| have_to_differ(one, other))
        };
        let mut numbers: FxHashMap<IndividualKey<'_>, usize> = FxHashMap::default();
        let mut individuals: Vec<Vec<Value>> = Vec::new();
        let mut steps = Vec::new();
        for &step in chosen {
            let label = self.labels[step];
            let mut slots = Vec::new();
            for (part, kept) in parts.of[label.action].iter().zip(&self.kept[step]) {
                let value = part.of(label);
                slots.push(match kept.told(told, step >= self.first_root) {
                    KeptRole::Value => ArgumentSlot::Value(value.clone()),
                    KeptRole::Individual if is_told(&individual(part, label)) => {
                        let number = *numbers.entry(individual(part, label)).or_insert_with(|| {
                            individuals.push(types.values(part.ty.inner()));
                            individuals.len() - 1
                        });
                        individuals[number].retain(|value| types.contains(&part.ty, value));
                        ArgumentSlot::Individual(number)
                    }
                    _ => ArgumentSlot::Any,
                });
            }
            steps.push(PatternStep { action: label.action, slots });
        }
        let pairs = numbers.iter().cartesian_product(&numbers);
        let pairs = pairs.filter(|((one, a), (other, b))| a < b && have_to_differ(one, other));
        let different = pairs.map(|((_, a), (_, b))| (*a, *b)).sorted_unstable().collect();
        CausePattern { steps, roots, individuals, different, ordered: Vec::new() }
            .with_few_choices(self.most_choices)
    }
}

impl CausePattern {
    /// The steps with other arguments, without individuals.
    fn with_slots(&self, slot: impl Fn(&ArgumentSlot) -> ArgumentSlot) -> Self {
        let form = |form: &PatternStep| PatternStep {
            action: form.action,
            slots: form.slots.iter().map(&slot).collect(),
        };
        let steps = self.steps.iter().map(form).collect();
        Self { steps, individuals: Vec::new(), different: Vec::new(), ..self.clone() }
    }

    /// The pattern, or one that says less and has a text: types of components have no names outside.
    #[must_use]
    pub fn readable(self, has_text: &dyn Fn(&Self) -> bool) -> Self {
        if has_text(&self) {
            return self;
        }
        let less = self.with_slots(|slot| match slot {
            ArgumentSlot::Individual(_) => ArgumentSlot::Any,
            slot => slot.clone(),
        });
        if has_text(&less) { less } else { self.with_any_from(0) }
    }

    /// The pattern in which steps from a number on have any arguments.
    #[must_use]
    pub fn with_any_from(&self, first: usize) -> Self {
        let mut less = self.clone();
        less.steps.iter_mut().skip(first).flat_map(|step| &mut step.slots).for_each(|slot| {
            *slot = ArgumentSlot::Any;
        });
        less.drop_rare(1);
        less
    }

    /// The pattern in which individuals may have the same value.
    #[must_use]
    pub fn without_differences(&self) -> Self {
        let mut less = Self { different: Vec::new(), ..self.clone() };
        less.drop_rare(2);
        less
    }

    /// Lets individuals stand for any value that occur less often.
    fn drop_rare(&mut self, least: usize) {
        for number in (0..self.individuals.len()).rev() {
            let slots = self.steps.iter().flat_map(|step| &step.slots);
            if slots.filter(|slot| **slot == ArgumentSlot::Individual(number)).count() < least {
                self.drop_individual(number);
            }
        }
    }

    /// Of too many individuals, those with most values are not told from others.
    fn with_few_choices(mut self, most: u64) -> Self {
        let choices = |individuals: &[Vec<Value>]| {
            individuals.iter().fold(1u64, |product, values| product.saturating_mul(values.len() as u64))
        };
        while choices(&self.individuals) > most {
            let largest = (0..self.individuals.len()).max_by_key(|&n| self.individuals[n].len());
            let Some(dropped) = largest else { break };
            self.drop_individual(dropped);
        }
        self
    }

    /// Lets an individual stand for any value.
    fn drop_individual(&mut self, dropped: usize) {
        self.individuals.remove(dropped);
        for slot in self.steps.iter_mut().flat_map(|step| &mut step.slots) {
            match slot {
                ArgumentSlot::Individual(n) if *n == dropped => *slot = ArgumentSlot::Any,
                ArgumentSlot::Individual(n) if *n > dropped => *n -= 1,
                _ => {}
            }
        }
        let renumbered = |n: usize| if n > dropped { n - 1 } else { n };
        self.different.retain(|(a, b)| *a != dropped && *b != dropped);
        self.different.iter_mut().for_each(|(a, b)| (*a, *b) = (renumbered(*a), renumbered(*b)));
    }

    /// True if the steps of both that violate the property are of the same actions, and the others, too.
    pub fn has_actions_of(&self, other: &Self) -> bool {
        let actions = |pattern: &Self| {
            let mut actions: Vec<usize> = pattern.steps.iter().map(|step| step.action).collect();
            let (roots, others) = actions.split_at_mut(pattern.roots);
            roots.sort_unstable();
            others.sort_unstable();
            actions
        };
        self.roots == other.roots && actions(self) == actions(other)
    }

    /// Some of its steps as a pattern of their own, none of which violates the property.
    fn of(&self, steps: &[PatternStep]) -> Self {
        let (individuals, different) = (self.individuals.clone(), self.different.clone());
        Self { steps: steps.to_vec(), roots: 0, individuals, different, ordered: Vec::new() }
    }

    /// The steps that violate the property as a pattern of their own.
    #[must_use]
    pub fn of_roots(&self) -> Self {
        self.of(&self.steps[..self.roots])
    }

    /// The other steps as a pattern of their own.
    #[must_use]
    pub fn of_others(&self) -> Self {
        self.of(&self.steps[self.roots..])
    }

    /// All choices of a value for each individual.
    pub fn assignments(&self) -> Vec<Vec<Value>> {
        let differ =
            |choice: &Vec<Value>| self.different.iter().all(|&(one, other)| choice[one] != choice[other]);
        let choices = self.individuals.iter().map(|values| values.iter().cloned());
        // The product of nothing has one member.
        if self.individuals.is_empty() {
            vec![Vec::new()]
        } else {
            choices.multi_cartesian_product().filter(differ).collect()
        }
    }

    /// True if some step of this pattern is one of the other one.
    pub fn shares_step(&self, other: &Self) -> bool {
        self.steps.iter().any(|form| self.of(std::slice::from_ref(form)).is_in(other))
    }

    /// True if every trace that contains the other pattern contains this one: the other pattern has a step of its own for each step of this one,
    /// at least as narrow.
    pub fn is_in(&self, other: &Self) -> bool {
        self.is_embedded(other, false)
    }

    /// True if every trace that contains the other pattern, with the same steps that violate the property, contains this one.
    pub fn is_rooted_in(&self, other: &Self) -> bool {
        self.is_embedded(other, true)
    }

    /// True if both say the same, of the steps that violate the property as well.
    pub fn is_same(&self, other: &Self) -> bool {
        self.steps.len() == other.steps.len()
            && self.is_embedded(other, true)
            && other.is_embedded(self, true)
    }

    /// True if one of both says all that the other does, of the steps that violate the property as well, and has no more steps.
    pub fn is_like(&self, other: &Self) -> bool {
        self.steps.len() == other.steps.len()
            && (self.is_embedded(other, true) || other.is_embedded(self, true))
    }

    /// True if it is in the other one; `rooted` if the steps that violate the property have to be among those there, and the others among the others.
    fn is_embedded(&self, other: &Self, rooted: bool) -> bool {
        let mut individuals = vec![None; self.individuals.len()];
        let mut used = vec![false; other.steps.len()];
        // A violation in an initial state is a part of no other one.
        self.steps.is_empty() == other.steps.is_empty()
            && self.steps.len() <= other.steps.len()
            && self.embed(0, other, rooted, &mut used, &mut individuals)
    }

    /// True if a slot of this pattern has only some of these values.
    fn is_one_of(&self, slot: &ArgumentSlot, values: &[Value]) -> bool {
        match slot {
            ArgumentSlot::Any => false,
            ArgumentSlot::Value(value) => values.contains(value),
            ArgumentSlot::Individual(n) => self.individuals[*n].iter().all(|value| values.contains(value)),
        }
    }

    /// True if two slots of this pattern have different values.
    fn differ(&self, one: &ArgumentSlot, other: &ArgumentSlot) -> bool {
        match (one, other) {
            (ArgumentSlot::Value(one), ArgumentSlot::Value(other)) => one != other,
            (ArgumentSlot::Individual(one), ArgumentSlot::Individual(other)) => {
                self.different.contains(&(*one.min(other), *one.max(other)))
            }
            (ArgumentSlot::Individual(number), ArgumentSlot::Value(value))
            | (ArgumentSlot::Value(value), ArgumentSlot::Individual(number)) => {
                !self.individuals[*number].contains(value)
            }
            _ => false,
        }
    }

    fn embed<'o>(
        &self,
        next: usize,
        other: &'o Self,
        rooted: bool,
        used: &mut [bool],
        individuals: &mut [Option<&'o ArgumentSlot>],
    ) -> bool {
        let Some(form) = self.steps.get(next) else { return true };
        // Of equal steps, one that does not do stands for all.
        let mut tried: Vec<(bool, &PatternStep)> = Vec::new();
        for (at, step) in other.steps.iter().enumerate() {
            let kind = (at < other.roots, step);
            if used[at]
                || form.action != step.action
                || rooted && (next < self.roots) != (at < other.roots)
                || tried.contains(&kind)
            {
                continue;
            }
            tried.push(kind);
            let mut named = Vec::new();
            let agrees = form.slots.iter().zip(&step.slots).all(|(own, slot)| match own {
                ArgumentSlot::Any => true,
                ArgumentSlot::Value(_) => own == slot,
                ArgumentSlot::Individual(n) if !other.is_one_of(slot, &self.individuals[*n]) => false,
                ArgumentSlot::Individual(n) => match individuals[*n] {
                    Some(known) => known == slot,
                    None => {
                        individuals[*n] = Some(slot);
                        named.push(*n);
                        true
                    }
                },
            });
            used[at] = true;
            let differ = |&(one, two): &(usize, usize)| match (individuals[one], individuals[two]) {
                (Some(a), Some(b)) => other.differ(a, b),
                _ => true,
            };
            let agrees = agrees && self.different.iter().all(differ);
            if agrees && self.embed(next + 1, other, rooted, used, individuals) {
                return true;
            }
            used[at] = false;
            named.into_iter().for_each(|n| individuals[n] = None);
        }
        false
    }
}
