//! The states of a model in which some actions can be skipped.

use crate::explore::compiled::CompiledFormula;
use crate::explore::limits::{DEFAULT_SEARCH_LIMIT, SearchLimits, Stop};
use crate::explore::packed::bits::copy;
use crate::explore::packed::{StateLayout, StateTable};
use crate::explore::program::{Called, StepProgram};
use crate::explore::space::StateSpace;
use explicit::lts::Bits;
use kit::budget::{Budget, Stage};
use kit::number::to_u32;
use lang::model::expr::{Expr, VarId};
use lang::model::value::Label;
use lang::model::{Environment, Model};
use rustc_hash::FxHashMap;

/// The number of explored states between two checks of the budget.
const POLL_STATES: usize = 256;

/// The scope of an exploration.
#[derive(Clone, Copy)]
pub struct SkipCourse<'a> {
    /// The invariant; states that violate it have no steps.
    pub invariant: Option<&'a Expr>,
    /// The environment, whose steps cannot be skipped.
    pub environment: Option<&'a Environment>,
    /// The variables that keep their values when an action is skipped.
    pub kept: &'a [VarId],
    /// True for each action that can be skipped.
    pub skipped: &'a [bool],
    /// The limit on the number of states.
    pub states: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepKind {
    /// A step of the model, as an index into [`Skippable::labels`].
    Step(usize),
    /// The dummy of an action.
    Skipped(usize),
}

/// A step between two states.
#[derive(Debug, Clone, Copy)]
pub struct SkippableStep {
    pub from: u32,
    pub taken: StepKind,
    pub to: u32,
}

/// A label, with true if the environment chooses its steps.
#[derive(Debug, Clone)]
pub struct KnownLabel {
    pub label: Label,
    pub is_of_environment: bool,
}

/// States with their steps and the dummies of these.
#[derive(Debug)]
pub struct Skippable {
    /// The number of states.
    pub states: usize,
    /// The number of initial states, which come first.
    pub initial: usize,
    /// The labels, each once.
    pub labels: Vec<KnownLabel>,
    /// The steps, ordered by their source states.
    pub steps: Vec<SkippableStep>,
    /// The states that violate the invariant.
    pub violating: Bits,
}

impl Skippable {
    /// Explores the states from the initial ones of `space`. Each step of an action that can be skipped has a dummy, to
    /// the state that differs from the one after the step in that the kept variables have their previous values, if the
    /// assumptions about states hold there.
    ///
    /// # Errors
    /// If there are too many states or choices, or the budget ends.
    pub fn explore(
        model: &Model,
        space: &StateSpace<'_>,
        course: SkipCourse<'_>,
        budget: &Budget,
    ) -> Result<Self, Stop> {
        let program = StepProgram::new(model);
        let invariant = course.invariant.map(|invariant| program.formula(invariant));
        let assumptions = model.assumptions.iter().filter(|assumption| !assumption.step);
        let assumptions: Vec<CompiledFormula<'_>> = assumptions.map(|a| program.formula(&a.expr)).collect();
        let layout = program.states.clone();
        let registers = program.registers();
        let mut listing = SkipListing::new(&layout, course);
        let mut now = vec![0; layout.words];
        for number in 0..space.initial {
            assert!(layout.pack(&space.state(number), &mut now), "a state is of the variables' types");
            listing.number(&now)?;
        }
        let limits = SearchLimits { tries: course.states.max(DEFAULT_SEARCH_LIMIT), budget };
        let mut violating = Vec::new();
        let mut skipped = vec![0; layout.words];
        let mut from = 0;
        while from < listing.table.state_count() {
            let stage = Stage { done: listing.table.state_count() as u64, of: None, what: "states explored" };
            if from.is_multiple_of(POLL_STATES)
                && let Some(why) = budget.at(stage)
            {
                return Err(Stop::Budget(why));
            }
            now.copy_from_slice(listing.table.get(to_u32(from)));
            if invariant.as_ref().is_some_and(|invariant| !program.holds(&registers, invariant, &now)) {
                violating.push(from);
                from += 1;
                continue;
            }
            program.steps(&registers, &now, limits, &mut |called, after| {
                let label = listing.label(called, &program);
                listing.add(from, StepKind::Step(label), after)?;
                let KnownLabel { label, is_of_environment } = &listing.labels[label];
                let action = label.action;
                if *is_of_environment || !course.skipped[action] {
                    return Ok(());
                }
                skipped.copy_from_slice(after);
                for &var in course.kept {
                    let (offset, part) = layout.variable(var);
                    copy(&now, offset, &mut skipped, offset, part.width);
                }
                if assumptions.iter().all(|assumed| program.holds(&registers, assumed, &skipped)) {
                    listing.add(from, StepKind::Skipped(action), &skipped)?;
                }
                Ok(())
            })?;
            from += 1;
        }
        let states = listing.table.state_count();
        let mut bits = Bits::new(states);
        violating.into_iter().for_each(|state| _ = bits.insert(state));
        let SkipListing { labels, steps, .. } = listing;
        Ok(Self { states, initial: space.initial, labels, steps, violating: bits })
    }
}

/// The listing so far.
struct SkipListing<'a> {
    course: SkipCourse<'a>,
    table: StateTable,
    numbers: FxHashMap<Called, usize>,
    labels: Vec<KnownLabel>,
    steps: Vec<SkippableStep>,
}

impl<'a> SkipListing<'a> {
    fn new(layout: &StateLayout, course: SkipCourse<'a>) -> Self {
        let table = StateTable::new(layout.words);
        Self { course, table, numbers: FxHashMap::default(), labels: Vec::new(), steps: Vec::new() }
    }

    /// Returns the number of a state, a new one if it is not known.
    fn number(&mut self, state: &[u64]) -> Result<u32, Stop> {
        let limit = self.course.states.min(u32::MAX as usize);
        self.table.insert(state, limit).map(|(number, _)| number).ok_or(Stop::States(limit))
    }

    fn add(&mut self, from: usize, taken: StepKind, after: &[u64]) -> Result<(), Stop> {
        let to = self.number(after)?;
        self.steps.push(SkippableStep { from: to_u32(from), taken, to });
        Ok(())
    }

    /// Returns the number of a label.
    fn label(&mut self, called: Called, program: &StepProgram<'_>) -> usize {
        if let Some(&known) = self.numbers.get(&called) {
            return known;
        }
        let label = program.label(&called);
        let is_of_environment = self.course.environment.is_some_and(|environment| environment.has(&label));
        self.labels.push(KnownLabel { label, is_of_environment });
        self.numbers.insert(called, self.labels.len() - 1);
        self.labels.len() - 1
    }
}
