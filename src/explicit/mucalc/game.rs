//! The game in which one player shows that a formula holds and the other that it does not, as far as it was explored.
//!
//! A position is a state of the system with a right-hand side and the values of the variables on which that depends. Positions
//! of conjunctions, `[a]` and `forall` are the denier's, all others the shower's.

use super::equations::{EquationKind, Equations, FormId};
use super::expr::{DataExpr, DataFault, DataSlot, DataSlots, DataValues};
use super::formula::ActionFormula;
use super::system::LabelParts;
use super::value::DataValue;
use crate::lts::{Bits, LabelId, Lts, StateId};
use kit::budget::{Clock, Exhausted};
use kit::number::to_u32;
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::rc::Rc;

/// Why there is no answer.
#[derive(Debug)]
pub enum GameStopped {
    /// Time or memory ended.
    Exhausted(Exhausted),
    /// An expression has no value.
    Fault(DataFault),
}

impl From<Exhausted> for GameStopped {
    fn from(why: Exhausted) -> Self {
        GameStopped::Exhausted(why)
    }
}

impl From<DataFault> for GameStopped {
    fn from(fault: DataFault) -> Self {
        GameStopped::Fault(fault)
    }
}

/// Values of variables: an index of [`Environments`].
pub type EnvironmentId = u32;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct GamePosition {
    pub state: StateId,
    /// The formula of a position.
    pub form: FormId,
    pub environment: EnvironmentId,
}

/// Assignments of values to variables, each once.
#[derive(Debug, Default)]
struct Environments {
    all: Vec<Rc<DataValues>>,
    numbers: FxHashMap<Rc<DataValues>, EnvironmentId>,
}

impl Environments {
    fn intern(&mut self, values: Vec<Option<DataValue>>) -> EnvironmentId {
        let values: Rc<DataValues> = values.into();
        if let Some(&number) = self.numbers.get(&values) {
            return number;
        }
        let number = to_u32(self.all.len());
        self.all.push(Rc::clone(&values));
        self.numbers.insert(values, number);
        number
    }

    /// An environment with the values of some variables only.
    fn restrict(&mut self, environment: EnvironmentId, to: DataSlots) -> EnvironmentId {
        let values = &self.all[environment as usize];
        let superfluous =
            |(slot, value): (DataSlot, &Option<DataValue>)| value.is_some() && to >> slot & 1 == 0;
        if !values.iter().enumerate().any(superfluous) {
            return environment;
        }
        let kept = values.iter().enumerate();
        let kept = kept.map(|(slot, value)| if to >> slot & 1 == 1 { value.clone() } else { None }).collect();
        self.intern(kept)
    }
}

/// The positions that were reached, and the moves of those that were expanded.
pub struct Game<'a> {
    pub lts: &'a Lts,
    parts: &'a LabelParts,
    pub equations: &'a Equations,
    environments: Environments,
    /// For each set of labels with values for its variables its labels.
    labels: FxHashMap<(usize, EnvironmentId), Rc<Bits>>,
    positions: Vec<GamePosition>,
    numbers: FxHashMap<GamePosition, u32>,
    /// The moves of all positions, one position after the other.
    moves: Vec<u32>,
    /// For each position its part of `moves`, and whether it is the denier's.
    rows: Vec<(Range<u32>, bool)>,
}

impl<'a> Game<'a> {
    /// The game with its first position, number 0.
    pub fn new(lts: &'a Lts, parts: &'a LabelParts, equations: &'a Equations) -> Self {
        let mut game = Self {
            lts,
            parts,
            equations,
            environments: Environments::default(),
            labels: FxHashMap::default(),
            positions: Vec::new(),
            numbers: FxHashMap::default(),
            moves: Vec::new(),
            rows: Vec::new(),
        };
        let environment = game.environments.intern(vec![None; equations.slots.len()]);
        game.number(GamePosition { state: lts.initial(), form: equations.root, environment });
        game
    }

    pub fn len(&self) -> usize {
        self.positions.len()
    }

    pub fn position(&self, number: u32) -> GamePosition {
        self.positions[number as usize]
    }

    /// The values of the variables in a position.
    pub fn values(&self, environment: EnvironmentId) -> &DataValues {
        &self.environments.all[environment as usize]
    }

    /// The numbers of the moves of a position that was expanded.
    #[inline]
    pub fn moves(&self, number: u32) -> Range<usize> {
        let (range, _) = &self.rows[number as usize];
        range.start as usize..range.end as usize
    }

    #[inline]
    pub fn target(&self, at: usize) -> u32 {
        self.moves[at]
    }

    /// True if a position that was expanded is the denier's.
    #[inline]
    pub fn is_deniers(&self, number: u32) -> bool {
        self.rows[number as usize].1
    }

    /// The priority of a position; 0 if it is no fixpoint.
    pub fn priority(&self, number: u32) -> u32 {
        match self.equations.form(self.position(number).form).kind {
            EquationKind::Fixpoint { priority, .. } => priority,
            _ => 0,
        }
    }

    /// Checks the budget before the tables grow.
    pub fn room(&self, clock: &mut Clock<'_>) -> Result<(), Exhausted> {
        clock.room_in(&self.numbers)
    }

    fn number(&mut self, position: GamePosition) -> u32 {
        let fresh = to_u32(self.positions.len());
        let number = *self.numbers.entry(position).or_insert(fresh);
        if number == fresh {
            self.positions.push(position);
        }
        number
    }

    /// The position after a move to another right-hand side.
    fn go(&mut self, state: StateId, form: FormId, environment: EnvironmentId) -> u32 {
        let slots = self.equations.form(form).slots;
        let environment = self.environments.restrict(environment, slots);
        self.number(GamePosition { state, form, environment })
    }

    /// Finds the moves of the next position that has none yet; positions are expanded in their order.
    ///
    /// # Errors
    /// If an expression has no value.
    pub fn expand(&mut self) -> Result<(), DataFault> {
        let number = self.rows.len();
        let GamePosition { state, form, environment } = self.positions[number];
        let start = self.moves.len();
        let equations = self.equations;
        let deniers = match &equations.form(form).kind {
            EquationKind::Constant(value) => *value,
            EquationKind::Val { expr, span, negated } => {
                expr.truth(self.values(environment), *span)? != *negated
            }
            EquationKind::Join { all, of } => {
                for &part in of {
                    let to = self.go(state, part, environment);
                    self.moves.push(to);
                }
                *all
            }
            EquationKind::Modal { all, action, then } => {
                let labels = self.labels(*action, environment)?;
                for (label, to) in self.lts.out(state) {
                    if labels.has(label.index()) {
                        let to = self.go(to, *then, environment);
                        self.moves.push(to);
                    }
                }
                *all
            }
            EquationKind::Quantifier { all, slot, values, of } => {
                for value in values {
                    let environment = self.with(environment, [(*slot, value.clone())]);
                    let to = self.go(state, *of, environment);
                    self.moves.push(to);
                }
                *all
            }
            EquationKind::Fixpoint { of, .. } => {
                let to = self.go(state, *of, environment);
                self.moves.push(to);
                false
            }
            EquationKind::Call { of, arguments } => {
                let environment = self.called(environment, arguments)?;
                let to = self.go(state, *of, environment);
                self.moves.push(to);
                false
            }
        };
        self.moves[start..].sort_unstable();
        let mut end = start;
        for at in start..self.moves.len() {
            if at == start || self.moves[at] != self.moves[end - 1] {
                self.moves[end] = self.moves[at];
                end += 1;
            }
        }
        self.moves.truncate(end);
        self.rows.push((to_u32(start)..to_u32(end), deniers));
        Ok(())
    }

    fn with(
        &mut self,
        environment: EnvironmentId,
        values: impl IntoIterator<Item = (DataSlot, DataValue)>,
    ) -> EnvironmentId {
        let mut all = self.values(environment).to_vec();
        for (slot, value) in values {
            all[slot] = Some(value);
        }
        self.environments.intern(all)
    }

    fn called(
        &mut self,
        environment: EnvironmentId,
        arguments: &[(DataSlot, DataExpr)],
    ) -> Result<EnvironmentId, DataFault> {
        let mut given = Vec::with_capacity(arguments.len());
        for (slot, value) in arguments {
            given.push((*slot, value.value(self.values(environment))?.into_owned()));
        }
        Ok(self.with(environment, given))
    }

    pub fn labels(&mut self, action: usize, environment: EnvironmentId) -> Result<Rc<Bits>, DataFault> {
        let equations = self.equations;
        let set = &equations.actions[action];
        let environment = self.environments.restrict(environment, set.slots());
        if let Some(known) = self.labels.get(&(action, environment)) {
            return Ok(Rc::clone(known));
        }
        let mut found = Bits::new(self.lts.labels().len());
        let mut values = self.values(environment).to_vec();
        for label in self.lts.labels().ids() {
            if self.has(set, label, &mut values)? {
                found.insert(label.index());
            }
        }
        let found = Rc::new(found);
        self.labels.insert((action, environment), Rc::clone(&found));
        Ok(found)
    }

    /// True if a label is in a set.
    fn has(
        &self,
        set: &ActionFormula,
        label: LabelId,
        values: &mut Vec<Option<DataValue>>,
    ) -> Result<bool, DataFault> {
        Ok(match set {
            ActionFormula::Bool(value) => *value,
            ActionFormula::Val(expr, span) => expr.truth(values, *span)?,
            ActionFormula::Atom(atom, _) => atom.matches(self.lts.labels(), label),
            ActionFormula::Multi(actions, _) => {
                let there = self.parts.of_label(label);
                let names = actions.iter().map(|(name, _)| name).eq(there.iter().map(|a| &a.name));
                if !names {
                    return Ok(false);
                }
                let mut wanted = Vec::with_capacity(actions.len());
                for (name, arguments) in actions {
                    let arguments: Result<Vec<DataValue>, DataFault> =
                        arguments.iter().map(|e| e.value(values).map(|v| v.into_owned())).collect();
                    wanted.push((name, arguments?));
                }
                wanted.sort();
                wanted.iter().zip(there).all(|((_, arguments), there)| *arguments == there.arguments)
            }
            ActionFormula::Not(of) => !self.has(of, label, values)?,
            ActionFormula::And(parts) => {
                for part in parts {
                    if !self.has(part, label, values)? {
                        return Ok(false);
                    }
                }
                true
            }
            ActionFormula::Or(parts) => {
                for part in parts {
                    if self.has(part, label, values)? {
                        return Ok(true);
                    }
                }
                false
            }
            ActionFormula::Bind(bind, of) => {
                let before = values[bind.slot].take();
                let mut result = bind.all;
                for value in &bind.values {
                    values[bind.slot] = Some(value.clone());
                    if self.has(of, label, values)? != bind.all {
                        result = !bind.all;
                        break;
                    }
                }
                values[bind.slot] = before;
                result
            }
        })
    }
}
