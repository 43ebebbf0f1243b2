//! Fills in the open parts of a state so that all formulas hold.
//!
//! Depth-first with constraint propagation: candidates that make some formula certainly false are dropped, parts with
//! one candidate left are decided at once, and among the others the one with the fewest candidates goes first. Formulas
//! that have become certainly true are not evaluated again.

use super::decide::FormulaContext;
use super::limits::{SearchLimits, Stop, TooMany};
use super::partial::{OpenPart, Partial, one_of};
use kit::budget::Budget;
use kit::number::to_u32;
use lang::model::Model;
use lang::model::eval::is_initial;
use lang::model::expr::{Expr, ExprKind, LocalId, Quantifier, VarId};
use lang::model::value::{State, Value};

/// The number of choices open at once from which on a search is given up, since it would use up memory without an end.
const DEEPEST: usize = 256;

/// The number of evaluated nodes of formulas between two checks of the budget.
const POLL_NODES: usize = 1 << 14;

/// The most members of a `forall` that is expanded; the third of nested ones is never expanded.
const WIDEST: usize = 256;

/// Returns all states in which a trace may start, in ascending order. Gives up after `limit` tries, where a try is a
/// candidate value for a part of the state; every state found costs at least one.
pub fn initial_states(model: &Model, limit: usize) -> Result<Vec<State>, TooMany> {
    let mut states = Vec::new();
    let limits = SearchLimits { tries: limit, budget: &Budget::unlimited() };
    let found = first_states(model, limits, &mut |state| {
        states.push(state);
        Ok(())
    });
    found.map_err(Stop::into_too_many)?;
    states.sort();
    states.dedup();
    Ok(states)
}

/// Passes on the states in which a trace may start, each once, in any order.
pub fn first_states(
    model: &Model,
    limits: SearchLimits<'_>,
    sink: &mut dyn FnMut(State) -> Result<(), Stop>,
) -> Result<(), Stop> {
    let open = model.variables.iter().map(|v| Partial::any(&model.types, &v.ty)).collect();
    let assumptions = model.assumptions.iter().filter(|a| !a.step).map(|a| &a.expr);
    let formulas = model.init.iter().chain(assumptions);
    let constraints = formulas.flat_map(|e| SearchConstraint::split(e, &[], &[], Reads::Current)).collect();
    let keep = &mut |state| if is_initial(model, &state) { sink(state) } else { Ok(()) };
    StateSearch::new(model, None, limits, &|| "initial states".into(), keep).run(open, constraints)
}

/// The state that is searched for: the current one of a formula, or the next one.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Reads {
    Current,
    Next,
}

/// A formula that must hold.
#[derive(Clone)]
pub(super) struct SearchConstraint<'a> {
    formula: &'a Expr,
    locals: Vec<(LocalId, Value)>,
    /// The variables of the searched state in the formula.
    variables: Vec<VarId>,
    /// The number of nodes of the formula.
    nodes: usize,
    reads: Reads,
}

impl<'a> SearchConstraint<'a> {
    /// Returns the conjuncts of a formula, `forall` over constant sets counting as conjunction, with the values of the
    /// `given` bound names that they mention. In a search for the current state the formula does not mention the next
    /// one.
    pub fn split(
        formula: &'a Expr,
        given: &[(LocalId, Value)],
        bound_here: &[(LocalId, Value)],
        reads: Reads,
    ) -> Vec<SearchConstraint<'a>> {
        let mut parts = Vec::new();
        for conjunct in formula.conjuncts() {
            if let ExprKind::Quant { quantifier: Quantifier::Forall, local, set, body } = &conjunct.kind
                && let ExprKind::Const(Value::Set(members)) = &set.kind
                && members.len() <= WIDEST
                && bound_here.len() < 2
            {
                for member in members {
                    let bound = [bound_here, &[(*local, member.clone())]].concat();
                    parts.extend(Self::split(body, given, &bound, reads));
                }
                continue;
            }
            let (mut variables, mut nodes) = (Vec::new(), 0);
            conjunct.walk(&mut |e| {
                nodes += 1;
                match e.kind {
                    ExprKind::Var(var) if reads == Reads::Current => variables.push(var),
                    ExprKind::Next(var) if reads == Reads::Next => variables.push(var),
                    _ => {}
                }
            });
            variables.sort();
            variables.dedup();
            let locals = [given, bound_here].concat();
            parts.push(SearchConstraint { formula: conjunct, locals, variables, nodes, reads });
        }
        parts
    }
}

pub(super) struct StateSearch<'a, 's> {
    model: &'a Model,
    /// The state before the step, if the search is for the one after it.
    before: Vec<Partial>,
    limits: SearchLimits<'s>,
    tries: usize,
    /// The nodes of formulas evaluated since the last check of the budget.
    nodes: usize,
    /// The objects of the search, for messages.
    what: &'s dyn Fn() -> String,
    sink: &'s mut dyn FnMut(State) -> Result<(), Stop>,
}

impl<'a, 's> StateSearch<'a, 's> {
    pub fn new(
        model: &'a Model,
        before: Option<&State>,
        limits: SearchLimits<'s>,
        what: &'s dyn Fn() -> String,
        sink: &'s mut dyn FnMut(State) -> Result<(), Stop>,
    ) -> Self {
        let before = before.map_or(Vec::new(), |s| s.0.iter().cloned().map(Partial::Known).collect());
        Self { model, before, limits, tries: 0, nodes: 0, what, sink }
    }

    /// Passes on all states obtained from `open` by deciding its open parts such that all constraints hold.
    ///
    /// # Errors
    /// If that takes too many tries, the budget ends, or the receiver fails.
    pub fn run(&mut self, open: Vec<Partial>, constraints: Vec<SearchConstraint<'a>>) -> Result<(), Stop> {
        self.fill(open, constraints, 0)
    }

    fn fill(
        &mut self,
        mut state: Vec<Partial>,
        mut constraints: Vec<SearchConstraint<'a>>,
        depth: usize,
    ) -> Result<(), Stop> {
        let choice = loop {
            self.evaluate(constraints.iter().map(|constraint| constraint.nodes).sum())?;
            let mut refuted = false;
            constraints.retain(|c| match self.truth(c, &state) {
                Some(true) => false,
                Some(false) => {
                    refuted = true;
                    true
                }
                None => true,
            });
            if refuted {
                return Ok(());
            }
            if constraints.is_empty() {
                let ways = state.iter().fold(1usize, |n, part| n.saturating_mul(part.ways()));
                if ways > self.limits.tries.saturating_sub(self.tries) {
                    return Err(self.too_many());
                }
            }
            match self.propagate(&mut state, &constraints)? {
                PropagationResult::Refuted => return Ok(()),
                PropagationResult::Narrowed => {}
                PropagationResult::Stable(choice) => break choice,
            }
        };
        let Some((var, choice)) = choice else {
            self.try_one()?;
            let state = State(state.iter().filter_map(|p| p.known().cloned()).collect());
            // The elements of bags and sets of limited size are decided one by one, in any order.
            let variables = self.model.variables.iter().zip(&state.0);
            let mut values =
                variables.map(|(variable, value)| self.model.types.contains(&variable.ty, value));
            return if values.all(|contained| contained) { (self.sink)(state) } else { Ok(()) };
        };
        if depth >= DEEPEST {
            return Err(self.too_many());
        }
        for candidate in choice.candidates {
            let mut next = state.clone();
            next[var].decide(&choice.way, candidate);
            self.fill(next, constraints.clone(), depth + 1)?;
        }
        Ok(())
    }

    /// Drops the candidates that no formula admits, for all parts that can be decided now.
    fn propagate(
        &mut self,
        state: &mut [Partial],
        constraints: &[SearchConstraint<'a>],
    ) -> Result<PropagationResult, Stop> {
        let mut narrowed = false;
        let mut best: Option<((bool, usize), usize, OpenPart)> = None;
        for var in 0..state.len() {
            let relevant: Vec<&SearchConstraint<'a>> =
                constraints.iter().filter(|c| c.variables.contains(&VarId(to_u32(var)))).collect();
            let nodes = relevant.iter().map(|constraint| constraint.nodes).sum();
            for mut choice in state[var].choices() {
                let before = choice.candidates.len();
                if !relevant.is_empty() {
                    let whole = state[var].clone();
                    let mut kept = Vec::new();
                    for candidate in choice.candidates {
                        self.try_one()?;
                        self.evaluate(nodes)?;
                        state[var].decide(&choice.way, candidate.clone());
                        if relevant.iter().all(|c| self.truth(c, state) != Some(false)) {
                            kept.push(candidate);
                        }
                        state[var] = whole.clone();
                    }
                    choice.candidates = kept;
                }
                if choice.candidates.is_empty() {
                    return Ok(PropagationResult::Refuted);
                }
                if choice.candidates.len() < before {
                    narrowed = true;
                    // Sets are decided one element at a time, so a choice of two is now settled.
                    state[var].decide(&choice.way, one_of(choice.candidates));
                    continue;
                }
                // Parts that no formula mentions are decided last.
                let rank = (relevant.is_empty(), choice.candidates.len());
                if best.as_ref().is_none_or(|(least, _, _)| rank < *least) {
                    best = Some((rank, var, choice));
                }
            }
        }
        Ok(if narrowed {
            PropagationResult::Narrowed
        } else {
            PropagationResult::Stable(best.map(|(_, var, choice)| (var, choice)))
        })
    }

    fn truth(&self, constraint: &SearchConstraint<'a>, searched: &[Partial]) -> Option<bool> {
        let (state, next) = match constraint.reads {
            Reads::Current => (searched, &[][..]),
            Reads::Next => (self.before.as_slice(), searched),
        };
        let locals = &constraint.locals;
        FormulaContext { types: &self.model.types, state, next, locals, inner: None }
            .truth(constraint.formula)
    }

    fn try_one(&mut self) -> Result<(), Stop> {
        if self.tries >= self.limits.tries {
            return Err(self.too_many());
        }
        self.tries += 1;
        self.evaluate(1)
    }

    /// Counts evaluated nodes of formulas, and checks the budget at intervals.
    fn evaluate(&mut self, nodes: usize) -> Result<(), Stop> {
        self.nodes += nodes;
        if self.nodes < POLL_NODES {
            return Ok(());
        }
        self.nodes = 0;
        self.limits.budget.exhausted().map_or(Ok(()), |why| Err(Stop::Budget(why)))
    }

    fn too_many(&self) -> Stop {
        Stop::Choices(TooMany { what: (self.what)(), limit: self.limits.tries })
    }
}

enum PropagationResult {
    /// Some part has no candidate left.
    Refuted,
    /// Candidates were dropped; another pass is worthwhile.
    Narrowed,
    /// No more candidates can be dropped; this part (of this variable) is best decided next, if any is open.
    Stable(Option<(usize, OpenPart)>),
}
