//! Linear-time properties that ask for a response: the states of a model in which one is pending.

use super::StateSpace;
use super::state_space::{Labelling, START};
use explicit::lts::{Bits, Lts, LtsBuilder, StateId};
use kit::budget::{Budget, Clock, Exhausted};
use kit::number::to_u32;
use lang::model::Model;
use lang::model::eval::eval_state;
use lang::model::expr::{Expr, Formula, TemporalOp};
use lang::model::value::Moment;
use rustc_hash::FxHashMap;

/// The positions that ask for the response.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Request<'m> {
    /// The beginning: `eventually answer`.
    Start,
    /// Every position: `always eventually answer`.
    Everywhere,
    /// The positions at which this holds: `always (request => eventually answer)`.
    Where(&'m Expr),
}

/// A linear-time formula that asks for a response: a request is pending until the response, which may be immediate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Response<'m> {
    request: Request<'m>,
    answer: &'m Expr,
}

/// The states of a model, each with true if a response is pending.
#[derive(Debug)]
pub struct Waiting {
    /// The system of reachable pairs of a state of the model and a flag for a pending response, in the order of a
    /// breadth-first search.
    pub lts: Lts,
    /// For each pair the number of the state of the model.
    pub states: Vec<StateId>,
    /// The pairs in which a response is pending.
    pub waiting: Bits,
}

impl<'m> Response<'m> {
    /// Returns the response that a formula asks for; `None` if it has another form.
    pub fn of(formula: &'m Formula) -> Option<Self> {
        let Formula::Temporal(op, parts) = formula else { return None };
        match (op, parts.as_slice()) {
            (TemporalOp::Eventually, [Formula::Atom(answer, _)]) => {
                Some(Self { request: Request::Start, answer })
            }
            (TemporalOp::Always, [Formula::Implies(request, then)]) => {
                match (&**request, eventually(then)?) {
                    (Formula::Atom(request, _), answer) => {
                        Some(Self { request: Request::Where(request), answer })
                    }
                    _ => None,
                }
            }
            (TemporalOp::Always, [then]) => {
                Some(Self { request: Request::Everywhere, answer: eventually(then)? })
            }
            _ => None,
        }
    }

    /// Returns the states of a model with pending responses; with several initial states, one more precedes them, in
    /// which nothing is pending.
    ///
    /// # Errors
    /// If the budget is exhausted.
    pub fn product(
        &self,
        model: &'m Model,
        space: &StateSpace<'m>,
        labelling: &Labelling,
        budget: &Budget,
    ) -> Result<Waiting, Exhausted> {
        let mut clock = Clock::new(budget, "states found that await a response");
        let mut wait = Wait::new(self, model, space);
        let mut pairs = Pairs::default();
        let mut builder = LtsBuilder::new();
        if space.initial > 1 {
            pairs.number((to_u32(space.len()), false));
        }
        for state in 0..to_u32(space.initial) {
            let waits = wait.after(None, state);
            let to = pairs.number((state, waits));
            if space.initial > 1 {
                let label = builder.labels.intern(START);
                builder.add(StateId::FIRST, label, to);
            }
        }
        let names: Vec<_> =
            space.labels.iter().map(|label| builder.labels.intern(&labelling.label(model, label))).collect();
        let mut next = 0;
        while let Some(&(state, waited)) = pairs.list.get(next) {
            clock.tick()?;
            clock.room_in(&pairs.numbers)?;
            let row = space
                .starts
                .get(state as usize..state as usize + 2)
                .map_or(0..0, |row| row[0] as usize..row[1] as usize);
            for step in row {
                let (label, to) = (space.step_labels[step], space.step_targets[step]);
                let waits = wait.after(Some(waited), to);
                let to = pairs.number((to, waits));
                builder.add(StateId::new(next), names[label as usize], to);
            }
            next += 1;
        }
        let count = pairs.list.len();
        let lts = builder.finish_within(StateId::FIRST, to_u32(count), budget)?;
        let lts = lts.choosing_start(space.initial > 1);
        let mut waiting = Bits::new(count);
        pairs.list.iter().enumerate().filter(|(_, pair)| pair.1).for_each(|(at, _)| _ = waiting.insert(at));
        let states = pairs.list.into_iter().map(|(state, _)| StateId::from_u32(state)).collect();
        Ok(Waiting { lts, states, waiting })
    }
}

/// The evaluation of pending responses.
struct Wait<'a, 'm> {
    request: Request<'m>,
    asked: Option<StateTruth<'a, 'm>>,
    answered: StateTruth<'a, 'm>,
}

impl<'a, 'm> Wait<'a, 'm> {
    fn new(response: &Response<'m>, model: &'m Model, space: &'a StateSpace<'m>) -> Self {
        let asked = match response.request {
            Request::Where(request) => Some(StateTruth::new(model, space, request)),
            Request::Start | Request::Everywhere => None,
        };
        Self { request: response.request, asked, answered: StateTruth::new(model, space, response.answer) }
    }

    /// True if a response is pending in a state, given the same for the previous position; `None` at the first
    /// position.
    fn after(&mut self, before: Option<bool>, state: u32) -> bool {
        let asks = match self.request {
            _ if before == Some(true) => true,
            Request::Start => before.is_none(),
            Request::Everywhere => true,
            Request::Where(_) => self.asked.as_mut().is_some_and(|asked| asked.holds(state)),
        };
        asks && !self.answered.holds(state)
    }
}

/// The truth of a formula, evaluated once for each state.
struct StateTruth<'a, 'm> {
    model: &'m Model,
    space: &'a StateSpace<'m>,
    formula: &'m Expr,
    known: FxHashMap<u32, bool>,
}

impl<'a, 'm> StateTruth<'a, 'm> {
    fn new(model: &'m Model, space: &'a StateSpace<'m>, formula: &'m Expr) -> Self {
        Self { model, space, formula, known: FxHashMap::default() }
    }

    fn holds(&mut self, state: u32) -> bool {
        *self.known.entry(state).or_insert_with(|| {
            let moment = Moment { label: None, state: self.space.state(state as usize) };
            eval_state(self.model, self.formula, &moment).is_true()
        })
    }
}

/// Pairs of a state of the model and a flag for a pending response, each with its number.
#[derive(Default)]
struct Pairs {
    list: Vec<(u32, bool)>,
    numbers: FxHashMap<(u32, bool), StateId>,
}

impl Pairs {
    fn number(&mut self, pair: (u32, bool)) -> StateId {
        *self.numbers.entry(pair).or_insert_with(|| {
            self.list.push(pair);
            StateId::new(self.list.len() - 1)
        })
    }
}

/// Returns the operand of `eventually`, if that is a state formula.
fn eventually(formula: &Formula) -> Option<&Expr> {
    match formula {
        Formula::Temporal(TemporalOp::Eventually, parts) => match parts.as_slice() {
            [Formula::Atom(answer, _)] => Some(answer),
            _ => None,
        },
        _ => None,
    }
}
