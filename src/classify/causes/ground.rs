//! Steps of patterns with values for their individuals.

use super::pattern::{ArgumentParts, ArgumentSlot, CausePattern, PatternStep};
use itertools::Itertools;
use kit::diagnostics::Span;
use lang::model::expr::{Expr, Op};
use lang::model::types::Type;
use lang::model::value::Value;
use solvers::sat::{Circuit, Lit};

/// A step with values in the places of individuals.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct GroundStep {
    /// The action.
    pub action: usize,
    /// The values of the parts of its arguments; `None` for any value.
    pub values: Vec<Option<Value>>,
}

/// The steps of a pattern with values for its individuals.
#[derive(Debug, Clone)]
pub struct GroundPattern {
    /// The last step; `None` for a violation in an initial state.
    pub last: Option<GroundStep>,
    /// Steps of which so many have to occur earlier: for all sets of steps that one label can match, as many labels that match one of them
    /// (Hall's theorem).
    pub earlier: Vec<(Vec<GroundStep>, usize)>,
}

impl CausePattern {
    /// The pattern of a finite trace, for each choice of values for its individuals.
    pub fn grounded(&self) -> impl Iterator<Item = GroundPattern> {
        self.assignments().into_iter().map(|individuals| {
            let mut steps = self.steps.iter().map(|form| form.with(&individuals));
            let last = steps.next();
            GroundPattern { last, earlier: counted(&steps.collect::<Vec<_>>()) }
        })
    }
}

impl PatternStep {
    fn with(&self, individuals: &[Value]) -> GroundStep {
        let value = |slot: &ArgumentSlot| match slot {
            ArgumentSlot::Any => None,
            ArgumentSlot::Individual(n) => Some(individuals[*n].clone()),
            ArgumentSlot::Value(value) => Some(value.clone()),
        };
        GroundStep { action: self.action, values: self.slots.iter().map(value).collect() }
    }
}

impl GroundStep {
    /// The parts of its arguments that have given values.
    pub fn given(&self) -> impl Iterator<Item = (usize, &Value)> {
        self.values.iter().enumerate().filter_map(|(part, value)| Some((part, value.as_ref()?)))
    }

    /// True if one label can match both.
    fn overlaps(&self, other: &Self) -> bool {
        let mut values = self.values.iter().zip(&other.values);
        self.action == other.action && values.all(|(a, b)| a.is_none() || b.is_none() || a == b)
    }
}

impl ArgumentParts {
    /// The formula that a part of the arguments of an action has this value.
    pub fn has_value(&self, action: usize, part: usize, value: &Value) -> Expr {
        let part = &self.of[action][part];
        let constant = Expr::constant(value.clone(), part.expr.ty.clone(), Span::default());
        let constant = match value {
            Value::Int(n) => Expr { ty: Type::Int { lo: *n, hi: *n }, ..constant },
            _ => constant,
        };
        Expr::binary_bool(Op::Eq, part.expr.clone(), constant)
    }
}

/// The counts "at least 1", "at least 2", … with one more that may be true.
pub fn counted_on(circuit: &mut Circuit, counts: &[Lit], one_more: Lit) -> Vec<Lit> {
    let count = |at: usize| {
        let fewer = if at == 0 { circuit.yes() } else { counts[at - 1] };
        let reached = circuit.and(fewer, one_more);
        circuit.or(counts[at], reached)
    };
    (0..counts.len()).map(count).collect()
}

/// The sets of steps that one label can match, each with the number of labels that they need.
fn counted(steps: &[GroundStep]) -> Vec<(Vec<GroundStep>, usize)> {
    let numbers = steps.iter().counts();
    let mut groups: Vec<Vec<&GroundStep>> = Vec::new();
    for step in steps.iter().unique() {
        let (touched, mut others): (Vec<_>, Vec<_>) =
            groups.into_iter().partition(|group| group.iter().any(|other| step.overlaps(other)));
        others.push(touched.into_iter().flatten().chain([step]).collect());
        groups = others;
    }
    let sets = groups.into_iter().flat_map(|group| group.into_iter().powerset());
    let needed = |set: &[&GroundStep]| set.iter().map(|step| numbers[*step]).sum();
    sets.filter(|set| !set.is_empty())
        .map(|set| (set.iter().map(|step| (*step).clone()).collect(), needed(&set)))
        .collect()
}
