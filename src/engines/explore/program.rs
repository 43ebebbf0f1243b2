//! The steps of a model, compiled once, from packed state to packed state.

use super::compiled::{
    AssignmentTarget, ClosureEnv, CompiledFormula, Compiler, EvalContext, Uncompiled, ValueWriter,
};
use super::limits::{SearchLimits, Stop};
use super::packed::bits::{equal, read};
use super::packed::{Layout, PackedCode, StateLayout};
use super::successors::{after_label, of_action};
use lang::model::expr::{Expr, LocalId};
use lang::model::value::Label;
use lang::model::{Action, Model, Update, UpdateValue};
use std::cell::Cell;
use std::sync::Arc;

/// The most values of a compiled parameter; others are left to the search.
const MOST_VALUES: u64 = 1 << 16;

/// The number of expressions that are evaluated between two checks of the budget.
const POLL: usize = 1 << 16;

/// The name of a step: an action with the ranks of its arguments as one number, or a label as it is.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Called {
    /// A step of a compiled action.
    Ranked {
        /// Index of the action.
        action: usize,
        /// The rank of its arguments.
        args: u128,
    },
    /// A step of an action whose parameters are not compiled.
    Label(Label),
}

/// The receiver of steps: the name of each, and the state after it.
pub type Sink<'a> = dyn FnMut(Called, &[u64]) -> Result<(), Stop> + 'a;

/// A compiled model.
pub struct StepProgram<'m> {
    model: &'m Model,
    /// The layout of its states.
    pub states: Arc<StateLayout>,
    actions: Vec<Compiled<'m>>,
    state_assumptions: Vec<CompiledFormula<'m>>,
    step_assumptions: Vec<CompiledFormula<'m>>,
}

/// The values of bound names during a computation: each thread has its own.
pub struct Registers(Vec<Cell<Option<PackedCode>>>);

/// A compiled action.
struct Compiled<'m> {
    params: Vec<ProgramParam>,
    bound: Vec<(LocalId, Arc<Layout>)>,
    /// The formulas required once the first parameters have values, by the number of these.
    requires: Vec<Vec<CompiledFormula<'m>>>,
    constraints: Vec<CompiledFormula<'m>>,
    effect: ProgramEffect<'m>,
    /// The number of expressions that a step evaluates.
    expressions: usize,
}

struct ProgramParam {
    local: LocalId,
    values: Vec<Option<PackedCode>>,
}

enum ProgramEffect<'m> {
    /// Assignments of values; `overlapping` if two of them may be to the same place.
    Assign { assignments: Vec<ProgramAssignment<'m>>, overlapping: bool },
    /// The states after a label are searched for.
    Search,
    /// The arguments are searched for, too.
    SearchAll,
}

struct ProgramAssignment<'m> {
    guard: Option<CompiledFormula<'m>>,
    target: AssignmentTarget,
    store: ValueWriter,
}

/// The result of assigning values.
enum AssignResult {
    Done,
    Impossible,
    /// A value had no code.
    Escaped,
}

impl<'m> StepProgram<'m> {
    /// Compiles a model.
    pub fn new(model: &'m Model) -> Self {
        let states = Arc::new(StateLayout::of(model));
        let compiler = Compiler::new(model, &states);
        let formula = |step: bool| -> Vec<CompiledFormula<'m>> {
            let wanted = model.assumptions.iter().filter(|a| a.step == step);
            wanted.map(|a| CompiledFormula::new(&compiler, &a.expr)).collect()
        };
        let (state_assumptions, step_assumptions) = (formula(false), formula(true));
        let actions = model.actions.iter().map(|action| compile_action(model, &states, action)).collect();
        Self { model, states, actions, state_assumptions, step_assumptions }
    }

    /// Returns the registers for computing with this program.
    pub fn registers(&self) -> Registers {
        Registers(vec![Cell::new(None); self.model.locals as usize])
    }

    /// Compiles a formula over one state.
    pub fn formula(&self, expr: &'m Expr) -> CompiledFormula<'m> {
        CompiledFormula::new(&Compiler::new(self.model, &self.states), expr)
    }

    /// True if a formula holds in a state.
    pub fn holds(&self, registers: &Registers, formula: &CompiledFormula<'m>, state: &[u64]) -> bool {
        let escaped = Cell::new(false);
        let env = ClosureEnv { now: state, next: &[], locals: &registers.0, escaped: &escaped };
        formula.holds(&env, self.surroundings(&[]))
    }

    /// Returns the label of a step.
    pub fn label(&self, called: &Called) -> Label {
        match called {
            Called::Label(label) => label.clone(),
            Called::Ranked { action, args } => {
                let mut rest = *args;
                let compiled = &self.actions[*action];
                let parts = compiled.params.iter().zip(&compiled.bound).rev().map(|(param, (_, layout))| {
                    let count = param.values.len() as u128;
                    let value = layout.value_of(param.values[(rest % count) as usize]);
                    rest /= count;
                    value
                });
                let mut args: Vec<_> = parts.collect();
                args.reverse();
                Label { action: *action, args }
            }
        }
    }

    /// Passes on all steps from a state, in the order of [`super::successors`].
    ///
    /// # Errors
    /// If there are too many choices, the budget ends, or the sink fails.
    pub fn steps(
        &self,
        registers: &Registers,
        now: &[u64],
        limits: SearchLimits<'_>,
        sink: &mut Sink<'_>,
    ) -> Result<(), Stop> {
        let escaped = Cell::new(false);
        let mut after = now.to_vec();
        let mut evaluated = 0;
        for (index, action) in self.actions.iter().enumerate() {
            if matches!(action.effect, ProgramEffect::SearchAll) {
                self.search_all(index, now, limits, sink)?;
                continue;
            }
            let env = ClosureEnv { now, next: &[], locals: &registers.0, escaped: &escaped };
            let (after, evaluated) = (&mut after, &mut evaluated);
            let mut step = ActionExecution { program: self, index, action, env, limits, after, evaluated };
            step.choose(0, 0, sink)?;
        }
        Ok(())
    }

    fn search_all(
        &self,
        index: usize,
        now: &[u64],
        limits: SearchLimits<'_>,
        sink: &mut Sink<'_>,
    ) -> Result<(), Stop> {
        let mut words = vec![0; self.states.words];
        of_action(self.model, &self.states.unpack(now), index, limits, &mut |label, state| {
            assert!(self.states.pack(state, &mut words), "a successor is of the variables' types");
            sink(Called::Label(label.clone()), &words)
        })
    }

    fn surroundings<'a>(&'a self, bound: &'a [(LocalId, Arc<Layout>)]) -> EvalContext<'a> {
        EvalContext { model: self.model, states: &self.states, bound }
    }
}

/// The steps of one action from one state.
struct ActionExecution<'s, 'm> {
    program: &'s StepProgram<'m>,
    index: usize,
    action: &'s Compiled<'m>,
    env: ClosureEnv<'s>,
    limits: SearchLimits<'s>,
    after: &'s mut Vec<u64>,
    /// The number of expressions evaluated in the state since the last check of the budget.
    evaluated: &'s mut usize,
}

impl ActionExecution<'_, '_> {
    /// Chooses values for the parameters from one on, and takes the steps.
    fn choose(&mut self, param: usize, args: u128, sink: &mut Sink<'_>) -> Result<(), Stop> {
        self.evaluates(1 + self.action.requires[param].len())?;
        let around = self.program.surroundings(&self.action.bound[..param]);
        if !self.action.requires[param].iter().all(|formula| formula.holds(&self.env, around)) {
            return Ok(());
        }
        let Some(ProgramParam { local, values }) = self.action.params.get(param) else {
            return self.take(args, sink);
        };
        for (rank, value) in values.iter().enumerate() {
            self.env.locals[local.0 as usize].set(*value);
            self.choose(param + 1, args * values.len() as u128 + rank as u128, sink)?;
        }
        Ok(())
    }

    /// Counts expressions, and checks the budget from time to time.
    fn evaluates(&mut self, expressions: usize) -> Result<(), Stop> {
        *self.evaluated += expressions;
        if *self.evaluated < POLL {
            return Ok(());
        }
        *self.evaluated = 0;
        self.limits.budget.exhausted().map_or(Ok(()), |why| Err(Stop::Budget(why)))
    }

    /// Takes the steps with the chosen arguments.
    fn take(&mut self, args: u128, sink: &mut Sink<'_>) -> Result<(), Stop> {
        self.evaluates(self.action.expressions)?;
        let called = Called::Ranked { action: self.index, args };
        if let ProgramEffect::Assign { assignments, overlapping } = &self.action.effect {
            match self.assign(assignments, *overlapping) {
                AssignResult::Done if self.is_allowed() => return sink(called, self.after),
                AssignResult::Done | AssignResult::Impossible => return Ok(()),
                AssignResult::Escaped => {}
            }
        }
        let program = self.program;
        let label = program.label(&called);
        let mut words = vec![0; program.states.words];
        let before = program.states.unpack(self.env.now);
        after_label(program.model, &before, &label, self.limits, &mut |state| {
            assert!(program.states.pack(state, &mut words), "a successor is of the variables' types");
            sink(called.clone(), &words)
        })
    }

    fn assign(&mut self, assignments: &[ProgramAssignment<'_>], overlapping: bool) -> AssignResult {
        self.after.copy_from_slice(self.env.now);
        let around = self.program.surroundings(&self.action.bound);
        let mut written: Vec<(u32, u32, u64)> = Vec::new();
        for ProgramAssignment { guard, target, store } in assignments {
            if guard.as_ref().is_some_and(|guard| !guard.holds(&self.env, around)) {
                continue;
            }
            let place = target.at(&self.env);
            let is_stored = place.is_some_and(|place| store(&self.env, self.after, place));
            if self.env.escaped.replace(false) {
                return AssignResult::Escaped;
            }
            let Some(place) = place.filter(|_| is_stored) else { return AssignResult::Impossible };
            if overlapping {
                let width = target.layout.width;
                written.push((place, width, read(self.after, place, width)));
            }
        }
        // Assignments to one place must agree.
        let agree = written.iter().all(|&(place, width, bits)| equal(&[bits], 0, self.after, place, width));
        if agree { AssignResult::Done } else { AssignResult::Impossible }
    }

    /// True if constraints and assumptions allow the step.
    fn is_allowed(&self) -> bool {
        let program = self.program;
        let (bound, free) = (program.surroundings(&self.action.bound), program.surroundings(&[]));
        let both = ClosureEnv { next: self.after, ..self.env };
        let then = ClosureEnv { now: self.after, ..self.env };
        self.action.constraints.iter().all(|formula| formula.holds(&both, bound))
            && program.state_assumptions.iter().all(|formula| formula.holds(&then, free))
            && program.step_assumptions.iter().all(|formula| formula.holds(&both, free))
    }
}

fn compile_action<'m>(model: &'m Model, states: &StateLayout, action: &'m Action) -> Compiled<'m> {
    let compiler = Compiler::new(model, states);
    match params(model, &compiler, action) {
        Ok((params, bound)) => {
            let mut requires: Vec<Vec<CompiledFormula<'m>>> = Vec::new();
            requires.resize_with(params.len() + 1, Vec::new);
            for conjunct in action.requires.iter().flat_map(Expr::conjuncts) {
                let last = super::successors::last_parameter(action, conjunct);
                requires[last].push(CompiledFormula::new(&compiler, conjunct));
            }
            let constraints = action.constraints.iter().map(|e| CompiledFormula::new(&compiler, e)).collect();
            let effect = assignments(&compiler, action).unwrap_or(ProgramEffect::Search);
            Compiled { params, bound, requires, constraints, effect, expressions: expressions(action) }
        }
        Err(Uncompiled) => Compiled {
            params: Vec::new(),
            bound: Vec::new(),
            requires: Vec::new(),
            constraints: Vec::new(),
            effect: ProgramEffect::SearchAll,
            expressions: 0,
        },
    }
}

/// Returns the number of expressions that a step of an action evaluates after its guards.
fn expressions(action: &Action) -> usize {
    let updates = action.updates.iter();
    let values =
        updates.flat_map(|Update { guard, value: UpdateValue::Is(e) | UpdateValue::In(e), .. }| {
            guard.iter().chain([e])
        });
    let mut count = 0;
    values.chain(&action.constraints).for_each(|e| e.walk(&mut |_| count += 1));
    count
}

/// Parameters with their values, and their names with the layouts of these.
type Params = (Vec<ProgramParam>, Vec<(LocalId, Arc<Layout>)>);

fn params(model: &Model, compiler: &Compiler<'_>, action: &Action) -> Result<Params, Uncompiled> {
    let mut params = Vec::new();
    let mut bound = Vec::new();
    let mut combinations = 1u128;
    for param in &action.params {
        let count = model.types.cardinality(&param.ty);
        combinations = combinations.checked_mul(u128::from(count)).ok_or(Uncompiled)?;
        let layout = Layout::of(&model.types, param.ty.inner()).ok_or(Uncompiled)?;
        if count > MOST_VALUES || !layout.is_small() {
            return Err(Uncompiled);
        }
        let values = model.types.values(&param.ty);
        let values = values.iter().map(|value| layout.code_of(value).ok_or(Uncompiled));
        params.push(ProgramParam { local: param.local, values: values.collect::<Result<_, _>>()? });
        compiler.bind(param.local, &layout)?;
        bound.push((param.local, layout));
    }
    Ok((params, bound))
}

fn assignments<'m>(compiler: &Compiler<'_>, action: &'m Action) -> Result<ProgramEffect<'m>, Uncompiled> {
    if !action.modifies.is_empty() {
        return Err(Uncompiled);
    }
    let mut assignments = Vec::new();
    let mut overlapping = false;
    for (number, update) in action.updates.iter().enumerate() {
        let UpdateValue::Is(value) = &update.value else { return Err(Uncompiled) };
        let target = compiler.target(update)?;
        overlapping |= action.updates[..number].iter().any(|other| other.var == update.var);
        let store = compiler.store(value, &target.layout)?;
        let guard = update.guard.as_ref().map(|guard| CompiledFormula::new(compiler, guard));
        assignments.push(ProgramAssignment { guard, target, store });
    }
    if overlapping && assignments.iter().any(|a| a.target.layout.width > u64::BITS) {
        return Err(Uncompiled);
    }
    Ok(ProgramEffect::Assign { assignments, overlapping })
}
