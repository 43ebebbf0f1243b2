//! Breadth-first exploration over packed states.

use super::compiled::CompiledFormula;
use super::crew::{LabelNames, WorkerMessage, WorkerPool};
use super::limits::{DEFAULT_SEARCH_LIMIT, SearchLimits, Stop, TooMany};
use super::orbits::Orbits;
use super::pace::StateTimer;
use super::packed::StateTable;
use super::producer::{Producer, ProducerTask, StepBlock};
use super::program::{Called, Registers, StepProgram};
use super::reached::{Reachable, ReachedEdge};
use super::search::first_states;
use explicit::lts::Bits;
use kit::budget::{Budget, Clock, Exhausted, Stage};
use kit::number::to_u32;
use lang::model::Model;
use lang::model::expr::Expr;
use lang::model::value::{Label, State};
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The number of explored states between two checks of the budget.
const POLL_STATES: usize = 256;
/// The number of states in which a formula is evaluated between two checks of the budget.
const POLL_LOOKS: usize = 4096;
/// The predecessor of initial states: no state.
const NOWHERE: u32 = u32::MAX;

/// The reachable states of a model in packed form, in the order of a breadth-first search, with their steps.
pub struct StateSpace<'m> {
    model: &'m Model,
    program: Arc<StepProgram<'m>>,
    registers: Registers,
    table: StateTable,
    /// The number of initial states, which come first.
    pub initial: usize,
    /// True if these are all; if there are more initial states than the limit admits, only the first of them are kept.
    has_all_initial: bool,
    /// The number of states, from the first, that have all their steps listed.
    pub explored: usize,
    /// The reason why the exploration ended early; `None` if it did not.
    pub stopped: Option<Stop>,
    /// The first state of each depth from 1 on.
    pub levels: Vec<usize>,
    /// For each state the state and the label by which it was first reached.
    pub reached_by: Vec<(u32, u32)>,
    numbers: FxHashMap<Called, u32>,
    /// The labels, each once, in order of occurrence.
    pub labels: Vec<Label>,
    /// The index of the first step of each explored state, and the end of the last one's steps.
    pub starts: Vec<u32>,
    /// The label of each step, ordered by source state.
    pub step_labels: Vec<u32>,
    /// The state that each step leads to.
    pub step_targets: Vec<u32>,
}

/// The limits of an exploration.
pub struct ExplorationCourse<'a, 'm> {
    /// The number of states.
    pub states: usize,
    /// The number of tries in one state where an action leaves choices, and for the initial states.
    pub choices: usize,
    /// The number of steps from the initial states.
    pub steps: usize,
    /// True if steps are kept, not only their targets.
    pub edges: bool,
    /// The invariant whose violation ends the exploration.
    pub invariant: Option<&'m Expr>,
    /// States that violate this get no steps.
    pub ends: Option<&'m Expr>,
    /// Symmetries: one state of each orbit suffices. Steps and traces then lead to normal forms of states.
    pub orbits: Option<&'a Orbits>,
    /// The threads.
    pub crews: Crews,
    /// Time and memory.
    pub budget: &'a Budget,
}

/// The participation of other threads.
#[derive(Debug, Clone, Copy)]
pub struct Crews {
    /// The number of threads; none start if it is 1.
    pub threads: usize,
    /// The number of states that are given to a thread at a time; `None` to choose it by the time they take.
    pub piece: Option<usize>,
}

impl<'a> ExplorationCourse<'a, '_> {
    /// Limits an exploration to `states` states at any distance, keeping the steps between them.
    pub fn states(states: usize, budget: &'a Budget) -> Self {
        let choices = DEFAULT_SEARCH_LIMIT;
        let (invariant, ends, orbits) = (None, None, None);
        // A limit of processor time is about one thread.
        let threads = if budget.limits_work() { 1 } else { budget.threads() };
        let crews = Crews { threads, piece: None };
        Self { states, choices, steps: usize::MAX, edges: true, invariant, ends, orbits, crews, budget }
    }
}

impl<'m> StateSpace<'m> {
    /// Creates a space without states.
    pub fn new(model: &'m Model) -> Self {
        let program = StepProgram::new(model);
        Self {
            model,
            table: StateTable::new(program.states.words),
            registers: program.registers(),
            program: Arc::new(program),
            initial: 0,
            has_all_initial: false,
            explored: 0,
            stopped: None,
            levels: Vec::new(),
            reached_by: Vec::new(),
            numbers: FxHashMap::default(),
            labels: Vec::new(),
            starts: vec![0],
            step_labels: Vec::new(),
            step_targets: Vec::new(),
        }
    }

    /// Explores at most `limit` states. `limit` also bounds the tries in one state if an action leaves choices, but
    /// never below [`DEFAULT_SEARCH_LIMIT`].
    pub fn of(model: &'m Model, limit: usize, budget: &Budget) -> Self {
        let mut space = Self::new(model);
        space.explore(ExplorationCourse {
            choices: limit.max(DEFAULT_SEARCH_LIMIT),
            ..ExplorationCourse::states(limit, budget)
        });
        space
    }

    /// Returns the number of states.
    pub fn len(&self) -> usize {
        self.table.state_count()
    }

    /// True if there are no states.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of steps that are kept.
    pub fn steps(&self) -> usize {
        self.step_targets.len()
    }

    /// Returns the least number of steps to a state.
    pub fn depth(&self, state: usize) -> usize {
        self.levels.partition_point(|&first| first <= state)
    }

    /// Returns the progress of the exploration.
    pub fn stage(&self) -> Stage {
        Stage { done: self.len() as u64, of: None, what: "states explored" }
    }

    /// Returns a state by its number.
    pub fn state(&self, number: usize) -> State {
        self.program.states.unpack(self.table.get(to_u32(number)))
    }

    /// Returns the number of a state, or of the representative of its orbit, if it was reached.
    pub fn number_of(&self, state: &State, orbits: Option<&Orbits>) -> Option<usize> {
        let mut words = vec![0; self.program.states.words];
        if !self.program.states.pack(state, &mut words) {
            return None;
        }
        let mut normaliser = orbits.map(Orbits::normaliser);
        let words = normaliser.as_mut().map_or(&words[..], |normaliser| normaliser.normal_form(&words));
        self.table.find(words).map(|number| number as usize)
    }

    /// Returns the number of states in the orbits of the normal forms that were reached, at most 2⁶⁴ − 1; `None` if the normal forms
    /// are not those of a whole group.
    pub fn in_orbits(&self, orbits: &Orbits) -> Option<u64> {
        let mut normaliser = orbits.normaliser();
        let mut states = 0..to_u32(self.len());
        states.try_fold(0u64, |sum, state| {
            Some(sum.saturating_add(normaliser.orbit_size(self.table.get(state))?))
        })
    }

    /// Returns the model.
    pub fn model(&self) -> &'m Model {
        self.model
    }

    /// Returns the states in which a formula over one state is false.
    ///
    /// # Errors
    /// If the budget is exhausted.
    pub fn violating(&self, formula: &'m Expr, budget: &Budget) -> Result<Bits, Exhausted> {
        let formula = self.program.formula(formula);
        // One more, since the system of a model can have a state before the initial ones.
        let mut violating = Bits::new(self.len() + 1);
        for state in 0..self.len() {
            if state.is_multiple_of(POLL_LOOKS) {
                budget.check()?;
            }
            if !self.program.holds(&self.registers, &formula, self.table.get(to_u32(state))) {
                violating.insert(state);
            }
        }
        Ok(violating)
    }

    /// Explores until the limits are met or a state violates the invariant; returns that state.
    pub fn explore(&mut self, mut course: ExplorationCourse<'_, 'm>) -> Option<usize> {
        course.states = course.states.min(u32::MAX as usize);
        let invariant = course.invariant.map(|invariant| self.program.formula(invariant));
        let ends = course.ends.map(|invariant| self.program.formula(invariant));
        let registers = self.program.registers();
        let mut violation = None;
        let checked = &mut |program: &StepProgram<'m>, number: u32, words: &[u64]| {
            if invariant.as_ref().is_some_and(|invariant| !program.holds(&registers, invariant, words)) {
                violation = Some(number as usize);
            }
            violation.is_some()
        };
        self.stopped =
            self.begin(&course, checked).and_then(|()| self.go_on(&course, ends.as_ref(), checked)).err();
        if violation.is_some() {
            self.stopped = None;
        }
        violation
    }

    /// Finds the initial states.
    fn begin(
        &mut self,
        course: &ExplorationCourse<'_, 'm>,
        found: &mut StateVisitor<'_, 'm>,
    ) -> Result<(), Stop> {
        if !self.is_empty() {
            // Initial states that were left out are not searched for again.
            return if self.has_all_initial { Ok(()) } else { Err(Stop::States(self.initial)) };
        }
        let states = self.program.states.clone();
        let limits = SearchLimits { tries: course.choices, budget: course.budget };
        let (mut packed, mut words) = (Vec::new(), vec![0; states.words]);
        let mut normaliser = course.orbits.map(Orbits::normaliser);
        let complete = first_states(self.model, limits, &mut |state| {
            if packed.len() / states.words >= course.states {
                return Err(Stop::States(course.states));
            }
            assert!(states.pack(&state, &mut words), "an initial state is of the variables' types");
            packed.extend_from_slice(match &mut normaliser {
                Some(normaliser) => normaliser.normal_form(&words),
                None => &words,
            });
            Ok(())
        });
        if let Err(stop @ (Stop::Budget(_) | Stop::Choices(_))) = complete {
            return Err(stop);
        }
        self.has_all_initial = complete.is_ok();
        states.sort(&mut packed);
        for state in packed.chunks_exact(states.words) {
            let Some((number, _)) = self.table.insert(state, course.states) else { break };
            self.reached_by.push((NOWHERE, 0));
            self.initial += 1;
            if found(&self.program, number, state) {
                return Err(Stop::States(course.states));
            }
        }
        complete
    }

    /// Explores the states one after the other, but not those where `ends` is false. If there are enough of them, other
    /// threads compute their steps; the order of states, labels and steps is the same.
    fn go_on(
        &mut self,
        course: &ExplorationCourse<'_, 'm>,
        ends: Option<&CompiledFormula<'m>>,
        found: &mut StateVisitor<'_, 'm>,
    ) -> Result<(), Stop> {
        if self.goes_on(course)
            && let Some(why) = course.budget.at(self.stage())
        {
            return Err(Stop::Budget(why));
        }
        let program = Arc::clone(&self.program);
        let limits = SearchLimits { tries: course.choices, budget: course.budget };
        let is_over = &AtomicBool::new(false);
        let task = ProducerTask { program: &program, ends, orbits: course.orbits, limits, is_over };
        let Crews { mut threads, piece } = course.crews;
        std::thread::scope(|scope| {
            // Dropped at the end of this function, so that its threads end.
            let mut crew: Option<WorkerPool<'_>> = None;
            let (mut here, mut names) = (Producer::new(task), LabelNames::default());
            let mut now = Vec::new();
            let mut pace = StateTimer::new(piece);
            while self.goes_on(course) {
                // Further threads are not worthwhile without enough states for two.
                if threads > 1
                    && let Some(piece) = pace.piece().filter(|piece| self.len() - self.explored >= 2 * piece)
                {
                    crew = crew.or_else(|| WorkerPool::start(scope, threads, task));
                    match &mut crew {
                        Some(crew) => self.explore_with(crew, piece, course, found)?,
                        None => threads = 1,
                    }
                    if !self.goes_on(course) {
                        break;
                    }
                    pace = StateTimer::new(course.crews.piece);
                }
                now.clear();
                now.extend_from_slice(self.table.get(to_u32(self.explored)));
                here.steps(&now, &mut |block| self.add(block, &mut names, course, found))
                    .inspect_err(|_| self.forget_unfinished())?;
            }
            Ok(())
        })
    }

    /// True if there is a state that can be explored.
    fn goes_on(&self, course: &ExplorationCourse<'_, '_>) -> bool {
        self.explored < self.len() && self.depth(self.explored) < course.steps
    }

    /// Explores states with other threads, as long as there are enough of them.
    fn explore_with(
        &mut self,
        crew: &mut WorkerPool<'_>,
        piece: usize,
        course: &ExplorationCourse<'_, 'm>,
        found: &mut StateVisitor<'_, 'm>,
    ) -> Result<(), Stop> {
        let mut given = self.explored;
        loop {
            while !crew.is_busy()
                && self.len() - given >= piece
                && self.depth(given + piece - 1) < course.steps
            {
                crew.give(self.table.range(given..given + piece).to_vec());
                given += piece;
            }
            if crew.is_idle() {
                return Ok(());
            }
            let received = match crew.receive(course.budget) {
                WorkerMessage::Steps(by, mut block) => {
                    self.add(&mut block, &mut crew.names[by], course, found)
                }
                WorkerMessage::End(end) => end,
            };
            received.inspect_err(|_| self.forget_unfinished())?;
        }
    }

    /// Removes the steps of the state that is explored next.
    fn forget_unfinished(&mut self) {
        let before = self.starts[self.explored] as usize;
        self.step_labels.truncate(before);
        self.step_targets.truncate(before);
    }

    /// Adds steps from the state that is explored next, and from those after it.
    fn add(
        &mut self,
        block: &mut StepBlock,
        names: &mut LabelNames,
        course: &ExplorationCourse<'_, 'm>,
        found: &mut StateVisitor<'_, 'm>,
    ) -> Result<(), Stop> {
        names.extend(block.called.drain(..));
        let mut step = 0;
        for &end in &block.complete {
            self.add_steps(block, step..end as usize, names, course, found)?;
            step = end as usize;
            let end = u32::try_from(self.steps());
            self.starts.push(end.map_err(|_| too_many_steps())?);
            self.explored += 1;
            if self.explored.is_multiple_of(POLL_STATES)
                && self.goes_on(course)
                && let Some(why) = course.budget.at(self.stage())
            {
                return Err(Stop::Budget(why));
            }
        }
        self.add_steps(block, step..block.labels.len(), names, course, found)
    }

    /// Adds some steps of a block, which leave the state that is explored next.
    fn add_steps(
        &mut self,
        block: &StepBlock,
        steps: Range<usize>,
        names: &mut LabelNames,
        course: &ExplorationCourse<'_, 'm>,
        found: &mut StateVisitor<'_, 'm>,
    ) -> Result<(), Stop> {
        let Self { program, table, levels, reached_by, numbers, labels, explored, .. } = self;
        let (step_labels, step_targets) = (&mut self.step_labels, &mut self.step_targets);
        let from = to_u32(*explored);
        let width = program.states.words;
        for step in steps {
            let after = &block.words[step * width..(step + 1) * width];
            let inserted = table.insert_hashed(block.hashes[step], after, course.states);
            let (to, is_new) = inserted.ok_or(Stop::States(course.states))?;
            if !is_new && !course.edges {
                continue;
            }
            let label = names.number(block.labels[step], |called| match numbers.get(called) {
                Some(&known) => known,
                None => {
                    labels.push(program.label(called));
                    let number = to_u32(labels.len()) - 1;
                    numbers.insert(called.clone(), number);
                    number
                }
            });
            if is_new {
                // The first state that is reached from the last level begins a new one.
                if from as usize >= levels.last().copied().unwrap_or(0) {
                    levels.push(to as usize);
                }
                reached_by.push((from, label));
            }
            if course.edges {
                step_labels.push(label);
                step_targets.push(to);
            }
            if is_new && found(program, to, after) {
                return Err(Stop::States(course.states));
            }
        }
        Ok(())
    }

    /// Returns the states and labels as values; if the budget ends, only the reason.
    pub fn into_reachable(self, budget: &Budget) -> Reachable {
        let mut edges = Vec::new();
        let states = match self.list_edges(&mut edges, budget).and_then(|()| self.list_states(budget)) {
            Ok(states) => states,
            Err(why) => return Reachable { stopped: Some(Stop::Budget(why)), ..Reachable::default() },
        };
        let reached_by = self.reached_by.iter().map(|&(from, label)| {
            (from != NOWHERE).then(|| (from as usize, self.labels[label as usize].clone()))
        });
        Reachable {
            states,
            initial: self.initial,
            reached_by: reached_by.collect(),
            depths: (0..self.len()).map(|number| self.depth(number)).collect(),
            edges,
            explored: self.explored,
            stopped: self.stopped,
        }
    }

    fn list_states(&self, budget: &Budget) -> Result<Vec<State>, Exhausted> {
        /// The number of states, which are large as values, between two checks of the budget.
        const PATIENCE: usize = 256;
        let state = |number: usize| {
            let ended = number.is_multiple_of(PATIENCE).then(|| budget.exhausted()).flatten();
            ended.map_or_else(|| Ok(self.state(number)), Err)
        };
        (0..self.len()).map(state).collect()
    }

    fn list_edges(&self, edges: &mut Vec<ReachedEdge>, budget: &Budget) -> Result<(), Exhausted> {
        let mut clock = Clock::new(budget, "steps listed");
        clock.look()?;
        clock.room(self.steps() * size_of::<ReachedEdge>())?;
        edges.reserve_exact(self.steps());
        for from in 0..self.explored {
            for step in self.starts[from] as usize..self.starts[from + 1] as usize {
                clock.tick()?;
                let label = self.labels[self.step_labels[step] as usize].clone();
                edges.push(ReachedEdge { from, label, to: self.step_targets[step] as usize });
            }
        }
        Ok(())
    }

    /// Returns only the labels and the steps: the start of each state's steps, their labels and their targets.
    pub(super) fn into_rows(self) -> (Vec<Label>, [Vec<u32>; 3]) {
        (self.labels, [self.starts, self.step_labels, self.step_targets])
    }
}

/// Receives each new state; returns true if it is the wanted one.
type StateVisitor<'a, 'm> = dyn FnMut(&StepProgram<'m>, u32, &[u64]) -> bool + 'a;

fn too_many_steps() -> Stop {
    Stop::Choices(TooMany { what: "steps".into(), limit: u32::MAX as usize })
}
