//! The unrolling of a model: the state at each position of a trace, as symbolic values.
//!
//! Traces of up to `bound` steps may end anywhere: position t belongs to the trace iff `alive[t]` holds, and the
//! transition relation is asserted only there. In traces of an exact length every position is alive. The next
//! state is computed from the old one by selecting among the actions, not guessed and constrained, so
//! constants in the initial state are folded in the later ones. The label of a step is stored with the state
//! it leads to.

use super::encode::Encoder;
use super::forms::{IntegerForm, IntegerForms};
use super::frame::{Frame, Overflow};
use super::initial;
use super::lengths::Lengths;
use super::symbolic::Symbolic as S;
use crate::sat::{Circuit, Lit};
use kit::budget::Exhausted;
use kit::number::to_u32;
use lang::model::expr::{Expr, ExprKind, LocalId, VarId};
use lang::model::types::Type;
use lang::model::value::{Label, Moment, State, Value};
use lang::model::{Action, Model, PathStep, Position, Update, UpdateValue, eval};
use lang::trace::Trace;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Of more actions, those that keep a variable are not listed.
const MOST_LISTED: usize = 64;

/// A model unrolled step by step in one incremental solver.
pub struct Unrolling<'m> {
    /// The gates and the solver.
    pub circuit: Circuit,
    /// The model that is unrolled.
    pub model: &'m Model,
    /// The lengths of the traces considered.
    pub lengths: Lengths,
    pub(super) forms: IntegerForms,
    /// The frames so far, at least one.
    pub frames: Vec<Frame>,
    /// The decisions of the last search for a first trace: the next one often shares a prefix.
    pub(super) decided: Vec<Lit>,
}

impl<'m> Unrolling<'m> {
    /// The initial position alone.
    pub fn new(model: &'m Model, lengths: Lengths, mut circuit: Circuit) -> Self {
        let forms = IntegerForms::of(model);
        let state = initial::state(&mut circuit, model, &forms);
        let alive = circuit.yes();
        let frames = vec![Frame::of_state(alive, state)];
        let mut unrolling = Self { circuit, model, lengths, forms, frames, decided: Vec::new() };
        for formula in &model.init {
            let holds = unrolling.state_truth(formula, Position::FIRST);
            unrolling.circuit.add_clause(&[holds]);
        }
        unrolling.assume_state(Position::FIRST);
        unrolling
    }

    /// An unrolling that starts in any state that satisfies the state assumptions, reachable or not. The label
    /// of that state is unknown, so expressions that read labels must not be encoded there.
    pub fn from_any_state(model: &'m Model, mut circuit: Circuit) -> Self {
        let forms = IntegerForms::of(model);
        let frame = initial::any_state(&mut circuit, model, &forms);
        let mut unrolling = Self {
            circuit,
            model,
            lengths: Lengths::UpTo(usize::MAX),
            forms,
            frames: vec![frame],
            decided: Vec::new(),
        };
        unrolling.assume_state(Position::FIRST);
        unrolling
    }

    /// Adds positions until traces of which the first `steps` steps matter are complete.
    ///
    /// # Errors
    /// If the circuit's budget is exhausted first; no more queries are possible then.
    pub fn grow_to(&mut self, steps: usize) -> Result<(), Exhausted> {
        while self.frames.len() <= self.lengths.whole(steps) {
            // Steps take time and memory even if everything is constant, so that they add no gates.
            self.circuit.check_budget()?;
            self.step();
        }
        self.circuit.exhausted().map_or(Ok(()), Err)
    }

    /// The positions so far, in order.
    pub fn positions(&self) -> impl DoubleEndedIterator<Item = Position> + Clone + use<> {
        Position::all(self.frames.len())
    }

    /// The last position so far.
    pub fn last(&self) -> Position {
        Position::new(self.frames.len() - 1)
    }

    /// The position that is added next.
    fn after_last(&self) -> Position {
        Position::new(self.frames.len())
    }

    /// The frame of a position.
    pub fn frame(&self, at: Position) -> &Frame {
        &self.frames[at.index()]
    }

    /// The literal of a state formula at a position.
    pub fn state_truth(&mut self, formula: &Expr, position: Position) -> Lit {
        Encoder::new(&mut self.circuit, self.model, &self.frames).at(position).truth(formula)
    }

    /// Assumptions for a trace of which only the first `steps` steps matter: it ends there if its length is not
    /// fixed.
    pub fn looked_at(&self, steps: usize) -> Vec<Lit> {
        match self.lengths {
            Lengths::UpTo(_) => self.ends_at(steps),
            Lengths::Exactly(_) => Vec::new(),
        }
    }

    /// Assumptions that the trace has exactly `length` steps.
    pub fn ends_at(&self, length: usize) -> Vec<Lit> {
        let mut lits = vec![self.frames[length].alive];
        lits.extend(self.frames.get(length + 1).map(|next| !next.alive));
        lits
    }

    /// The first `length` steps of the trace in the solver's assignment, checked against the reference
    /// semantics.
    ///
    /// # Panics
    /// If the reference semantics rejects it, which means that the encoding is wrong.
    pub fn decode(&self, length: usize) -> Trace {
        let moments: Vec<Moment> = self.frames[..=length].iter().map(|frame| self.moment(frame)).collect();
        if let Err(fault) = eval::check_trace(self.model, &moments) {
            panic!("the encoding and the reference semantics disagree: {fault:?} in {moments:?}");
        }
        Trace { moments }
    }

    /// The number of steps of the trace in the solver's assignment.
    pub fn length(&self) -> usize {
        self.frames.iter().take_while(|f| self.circuit.value(f.alive)).count() - 1
    }

    /// The state at a position in the solver's assignment.
    pub fn state_at(&self, position: Position) -> State {
        self.moment(self.frame(position)).state
    }

    fn moment(&self, frame: &Frame) -> Moment {
        let taken = frame.actions.iter().position(|&l| self.circuit.value(l));
        let label = taken.map(|action| {
            let args = frame.args[action].iter().map(|a| a.decode(&self.circuit)).collect();
            Label { action, args }
        });
        Moment { label, state: State(frame.state.iter().map(|s| s.decode(&self.circuit)).collect()) }
    }

    fn assume_state(&mut self, position: Position) {
        let model = self.model;
        for assumption in model.assumptions.iter().filter(|a| !a.step) {
            let holds = self.state_truth(&assumption.expr, position);
            let alive = self.frame(position).alive;
            self.circuit.add_clause(&[!alive, holds]);
        }
    }

    /// Adds the position after the last one.
    fn step(&mut self) {
        let alive = match self.lengths {
            Lengths::UpTo(_) => self.circuit.fresh(),
            Lengths::Exactly(_) => self.circuit.yes(),
        };
        self.successor(self.last(), alive);
    }

    /// Adds a position with any state that satisfies the state assumptions, reachable or not, and returns it.
    /// The positions no longer form a path then: only [`Unrolling::successor`] may be used afterwards,
    /// and expressions that read labels must not be encoded there.
    pub fn any_state(&mut self) -> Position {
        let position = self.after_last();
        self.frames.push(initial::any_state(&mut self.circuit, self.model, &self.forms));
        self.assume_state(position);
        position
    }

    /// Any state of the right types, at no position.
    pub fn some_state(&mut self) -> Vec<S> {
        initial::any_state(&mut self.circuit, self.model, &self.forms).state
    }

    /// Adds a position for a successor of the position `from`, constrained only if `alive` holds, and returns it.
    pub fn successor(&mut self, from: Position, alive: Lit) -> Position {
        let model = self.model;
        self.circuit.add_clause(&[!alive, self.frames[from.index()].alive]);
        let actions = self.choose_action(alive);
        let mut args = Vec::new();
        let mut effects = Vec::new();
        let mut overflows = Vec::new();
        for (index, action) in model.actions.iter().enumerate() {
            let taken = actions[index];
            let chosen: Vec<S> = action
                .params
                .iter()
                .enumerate()
                .map(|(number, p)| {
                    let form = self.forms.param(index, number);
                    S::fresh(&mut self.circuit, &model.types, &p.ty, taken, form)
                })
                .collect();
            let effect = self.effect(action, &chosen, from, taken, Choices::Free);
            for &(update, outside) in &effect.outside {
                overflows.push(Overflow { action: index, update, outside });
            }
            self.circuit.add_clause(&[!alive, !taken, effect.allowed]);
            args.push(chosen);
            effects.push(effect);
        }
        let state = self.next_state(&actions, &effects, from, alive);
        self.link(&actions, &args, &effects, from, alive, &state);
        let position = self.after_last();
        self.frames.push(Frame { alive, actions, unlabelled: None, args, state, overflows });
        self.assume_state(position);
        position
    }

    /// One literal for each action, exactly one of them true if the trace continues.
    fn choose_action(&mut self, alive: Lit) -> Vec<Lit> {
        match self.model.actions.len() {
            0 => {
                self.circuit.add_clause(&[!alive]);
                Vec::new()
            }
            1 => vec![self.circuit.yes()],
            n => {
                let lits: Vec<Lit> = (0..n).map(|_| self.circuit.fresh()).collect();
                let mut one = lits.clone();
                super::fault::forget(&mut one);
                self.circuit.add_clause(&one);
                self.circuit.at_most_one(&lits);
                lits
            }
        }
    }

    /// Encodes the effect of an action and the condition under which it is enabled.
    pub(super) fn effect(
        &mut self,
        action: &Action,
        args: &[S],
        from: Position,
        taken: Lit,
        choices: Choices<'_>,
    ) -> Effect {
        let model = self.model;
        let mut encoder = Encoder::new(&mut self.circuit, model, &self.frames).at(from);
        for (param, arg) in action.params.iter().zip(args) {
            encoder.bind(param.local, arg.assumed_present(encoder.circuit));
        }
        let required: Vec<Lit> = action.requires.iter().map(|e| encoder.truth(e)).collect();
        let mut allowed = vec![encoder.circuit.all(&required)];
        let mut outside = Vec::new();
        if allowed[0] == encoder.circuit.no() {
            return Effect { allowed: allowed[0], values: BTreeMap::new(), outside };
        }
        let mut values: BTreeMap<usize, S> = BTreeMap::new();
        for var in &action.modifies {
            let ty = &model.variables[var.0 as usize].ty;
            let yes = encoder.circuit.yes();
            let value = match choices {
                Choices::Free => S::fresh(encoder.circuit, &model.types, ty, yes, self.forms.variable(*var)),
                Choices::Made(next) => next[var.0 as usize].clone(),
            };
            values.insert(var.0 as usize, value);
        }
        let mut written = Vec::new();
        let mut named = FxHashMap::default();
        for (number, update) in action.updates.iter().enumerate() {
            let guard = update.guard.as_ref().map_or(encoder.circuit.yes(), |g| encoder.truth(g));
            if guard == encoder.circuit.no() {
                continue;
            }
            let form = self.forms.variable(update.var);
            let (value, ok) = match &update.value {
                UpdateValue::Is(e) => {
                    let inside = without_names(&mut encoder, e, &mut named);
                    let value = encoder.value(inside);
                    value.into_type(encoder.circuit, &model.types, &update.ty)
                }
                UpdateValue::In(set) => {
                    let choice = chosen(&mut encoder, update, guard, taken, choices, form);
                    let inside = encoder.member(&choice, set);
                    (choice, inside)
                }
            };
            if ok != encoder.circuit.yes() {
                let ok = encoder.circuit.or(!guard, ok);
                if matches!(update.value, UpdateValue::Is(_)) {
                    outside.push((number, encoder.circuit.all(&[taken, allowed[0], !ok])));
                }
                allowed.push(ok);
            }
            let keys: Vec<PathKey> = update.path.iter().map(|step| key(&mut encoder, step)).collect();
            let var = update.var.0 as usize;
            let old = values.remove(&var).unwrap_or_else(|| self.frames[from.index()].state[var].clone());
            let exists = exists(encoder.circuit, &old, &keys);
            allowed.push(encoder.circuit.or(!guard, exists));
            values.insert(var, assign(encoder.circuit, &old, &keys, guard, &value));
            written.push((var, keys, guard, value));
        }
        // Every assignment must hold in the new state: two assignments to one place must agree.
        for (var, keys, guard, value) in &written {
            if written.iter().filter(|w| w.0 == *var).count() > 1
                && let Some(new) = values.get(var)
            {
                let kept = agrees(encoder.circuit, new, keys, value);
                allowed.push(encoder.circuit.or(!*guard, kept));
            }
        }
        Effect { allowed: encoder.circuit.all(&allowed), values, outside }
    }

    fn next_state(&mut self, actions: &[Lit], effects: &[Effect], from: Position, alive: Lit) -> Vec<S> {
        let possible: Vec<usize> =
            (0..effects.len()).filter(|action| effects[*action].allowed != self.circuit.no()).collect();
        let before = &self.frames[from.index()].state;
        let mut writers: Vec<Vec<usize>> = vec![Vec::new(); before.len()];
        for &action in &possible {
            let changed = effects[action].values.iter().filter(|(var, value)| **value != before[**var]);
            changed.for_each(|(var, _)| writers[*var].push(action));
        }
        let mut state = Vec::with_capacity(writers.len());
        for (var, writers) in writers.into_iter().enumerate() {
            let old = self.frames[from.index()].state[var].clone();
            if writers.is_empty() {
                state.push(old);
                continue;
            }
            let mut cases: Vec<(Lit, S)> = writers
                .iter()
                .map(|&action| (actions[action], effects[action].values[&var].clone()))
                .collect();
            let others = possible.len() - writers.len();
            if others > 0 {
                cases.push((self.keeps(actions, &possible, &writers), old.clone()));
            }
            let form = self.forms.variable(VarId(to_u32(var)));
            let value = S::select(&mut self.circuit, &cases, false).in_form(&mut self.circuit, form, true);
            let value = match value {
                S::Binary(_) => {
                    let mut written = writers.iter().peekable();
                    let by_action = possible.iter().map(|action| match written.next_if_eq(&action) {
                        Some(_) => (actions[*action], &effects[*action].values[&var]),
                        None => (actions[*action], &old),
                    });
                    let by_action: Vec<(Lit, &S)> = by_action.collect();
                    value.selected_from(&mut self.circuit, &by_action)
                }
                value => value,
            };
            let values: Vec<&S> = cases.iter().map(|(_, s)| s).collect();
            self.circuit.implied(|circuit| {
                value.assert_choice(circuit, alive);
                value.assert_agreement(circuit, alive, &values);
            });
            state.push(value);
        }
        state
    }

    /// True if the action taken is one of the `possible` ones but none of these `writers`.
    fn keeps(&mut self, actions: &[Lit], possible: &[usize], writers: &[usize]) -> Lit {
        if possible.len() > MOST_LISTED {
            // Exactly one action is taken, and it is possible.
            let writers: Vec<Lit> = writers.iter().map(|action| actions[*action]).collect();
            return !self.circuit.any(&writers);
        }
        let mut written = writers.iter().peekable();
        let kept = possible.iter().filter(|action| written.next_if_eq(action).is_none());
        let kept: Vec<Lit> = kept.map(|action| actions[*action]).collect();
        self.circuit.any(&kept)
    }

    /// Asserts constraints and step assumptions over the old and the new state.
    fn link(
        &mut self,
        actions: &[Lit],
        args: &[Vec<S>],
        effects: &[Effect],
        from: Position,
        alive: Lit,
        next: &[S],
    ) {
        let model = self.model;
        for (index, action) in model.actions.iter().enumerate() {
            if effects[index].allowed == self.circuit.no() {
                continue;
            }
            let mut encoder = Encoder::new(&mut self.circuit, model, &self.frames).at(from).with_next(next);
            for (param, arg) in action.params.iter().zip(&args[index]) {
                encoder.bind(param.local, arg.assumed_present(encoder.circuit));
            }
            for constraint in &action.constraints {
                let holds = encoder.truth(constraint);
                encoder.circuit.add_clause(&[!alive, !actions[index], holds]);
            }
        }
        let mut encoder = Encoder::new(&mut self.circuit, model, &self.frames).at(from).with_next(next);
        for assumption in model.assumptions.iter().filter(|a| a.step) {
            let holds = encoder.truth(&assumption.expr);
            encoder.circuit.add_clause(&[!alive, holds]);
        }
    }
}

/// The choices that an action leaves open: values of variables without a frame condition, and members of sets.
#[derive(Clone, Copy)]
pub(super) enum Choices<'a> {
    /// The solver chooses.
    Free,
    /// They are those that lead to this state, if any do.
    Made(&'a [S]),
}

/// The effect of an action from a position.
pub(super) struct Effect {
    /// True if the action is enabled.
    pub allowed: Lit,
    /// The new value of each variable that it writes; empty if it is never enabled.
    values: BTreeMap<usize, S>,
    /// Updates whose value can lie outside its type, with the literal for that case.
    outside: Vec<(usize, Lit)>,
}

impl Effect {
    /// The state after the action, given the one before it.
    pub fn after(&self, before: &[S]) -> Vec<S> {
        let value = |(variable, old)| self.values.get(&variable).unwrap_or(old).clone();
        before.iter().enumerate().map(value).collect()
    }
}

/// A step of a path, with its key encoded.
enum PathKey {
    Index(S, Type),
    Field(usize),
}

fn key(encoder: &mut Encoder<'_>, step: &PathStep) -> PathKey {
    match step {
        PathStep::Index(e) => PathKey::Index(encoder.value(e), e.ty.clone()),
        PathStep::Field(i) => PathKey::Field(*i),
    }
}

/// Binds the names around a value of an action and returns the expression inside. Assignments of an action share names:
/// those of `named`, which are bound already, are not evaluated again.
fn without_names<'e>(
    encoder: &mut Encoder<'_>,
    value: &'e Expr,
    named: &mut FxHashMap<LocalId, &'e Expr>,
) -> &'e Expr {
    let ExprKind::Let { bindings, body } = &value.kind else { return value };
    for (local, value) in bindings {
        match named.get(local) {
            Some(&known) if known == value => continue,
            // Other names may depend on this one.
            Some(_) => named.clear(),
            None => {}
        }
        let symbolic = encoder.value(value);
        encoder.bind(*local, symbolic);
        named.insert(*local, value);
    }
    body
}

/// Returns the value that an assignment chooses from a set.
fn chosen(
    encoder: &mut Encoder<'_>,
    update: &Update,
    guard: Lit,
    taken: Lit,
    choices: Choices<'_>,
    form: IntegerForm,
) -> S {
    let used = encoder.circuit.and(guard, taken);
    match choices {
        Choices::Free => S::fresh(encoder.circuit, encoder.types(), &update.ty, used, form),
        Choices::Made(next) => {
            let path: Vec<PathKey> = update.path.iter().map(|step| key(encoder, step)).collect();
            read(encoder.circuit, &next[update.var.0 as usize], &path)
        }
    }
}

/// True if the place exists: every key of the path is in its map.
fn exists(c: &mut Circuit, value: &S, path: &[PathKey]) -> Lit {
    let Some((step, rest)) = path.split_first() else { return c.yes() };
    let mut found = Vec::new();
    match (step, value) {
        (PathKey::Index(key, ty), S::Map { entries, .. }) => {
            let has = |n: &i64| entries.iter().any(|(k, _)| *k == Value::Int(*n));
            let always = match ty {
                Type::Int { lo, hi } => has(lo) && has(hi),
                Type::Bool | Type::Enum(_) => true,
                _ => false,
            };
            for (k, entry) in entries {
                let here = if always { c.yes() } else { key.is_value(c, k) };
                let below = exists(c, entry, rest);
                found.push(c.and(here, below));
            }
        }
        (PathKey::Field(i), S::Record { fields, .. }) => return exists(c, &fields[*i], rest),
        _ => {}
    }
    c.any(&found)
}

/// The value at a place; means nothing if the place does not exist.
fn read(c: &mut Circuit, value: &S, path: &[PathKey]) -> S {
    let Some((step, rest)) = path.split_first() else { return value.clone() };
    match (step, value) {
        (PathKey::Index(key, _), S::Map { entries, .. }) => {
            let mut cases = Vec::new();
            for (k, entry) in entries {
                let here = key.is_value(c, k);
                if here != c.no() {
                    cases.push((here, read(c, entry, rest)));
                }
            }
            if cases.is_empty() { S::Scalar(Vec::new()) } else { S::select(c, &cases, false) }
        }
        (PathKey::Field(i), S::Record { fields, .. }) => read(c, &fields[*i], rest),
        _ => unreachable!("the checker admits paths through maps and records only"),
    }
}

/// `old` with `value` at the place if `cond` holds.
fn assign(c: &mut Circuit, old: &S, path: &[PathKey], cond: Lit, value: &S) -> S {
    let Some((step, rest)) = path.split_first() else {
        return S::select(c, &[(cond, value.clone()), (!cond, old.clone())], false);
    };
    match (step, old) {
        (PathKey::Index(key, _), S::Map { present, entries }) => {
            let mut changed = Vec::with_capacity(entries.len());
            for (k, entry) in entries {
                let here = key.is_value(c, k);
                let here = c.and(cond, here);
                let entry = if here == c.no() { entry.clone() } else { assign(c, entry, rest, here, value) };
                changed.push((k.clone(), entry));
            }
            S::Map { present: *present, entries: changed }
        }
        (PathKey::Field(i), S::Record { present, id, fields }) => {
            let mut fields = fields.clone();
            fields[*i] = assign(c, &fields[*i], rest, cond, value);
            S::Record { present: *present, id: *id, fields }
        }
        _ => unreachable!("the checker admits paths through maps and records only"),
    }
}

/// True if the place has the value; true if the place does not exist.
fn agrees(c: &mut Circuit, new: &S, path: &[PathKey], value: &S) -> Lit {
    let Some((step, rest)) = path.split_first() else {
        return new.equal(c, value);
    };
    match (step, new) {
        (PathKey::Index(key, _), S::Map { entries, .. }) => {
            let mut parts = Vec::new();
            for (k, entry) in entries {
                let here = key.is_value(c, k);
                if here != c.no() {
                    let same = agrees(c, entry, rest, value);
                    parts.push(c.or(!here, same));
                }
            }
            c.all(&parts)
        }
        (PathKey::Field(i), S::Record { fields, .. }) => agrees(c, &fields[*i], rest, value),
        _ => unreachable!("the checker admits paths through maps and records only"),
    }
}
