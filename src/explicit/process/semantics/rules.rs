//! The rules: the steps of a term, and the ways in which it can terminate without one. There is a function for each operator.
//!
//! Termination is not a step: what follows continues at once. Moves are cached by term.

use super::step::{Act, OpenOffer, StepTarget, TermStep};
use super::term::{ActualGates, BehaviourTerm, ProcessEnv, TermId, TermTable, masked, with};
use crate::process::eval::ProcessEvaluator;
use crate::process::failure::{FailureCause, ProcessFailure};
use crate::process::program::{self, BehaviourOp, CodeId, GateId, ProcessProgram, TypeId};
use crate::process::value::ProcessValue;
use kit::budget::Budget;
use kit::diagnostics::Span;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

#[derive(Debug, Clone, Default)]
pub struct Moves {
    pub steps: Vec<TermStep>,
    pub ends: Vec<End>,
}

/// A termination: with these variables, and by leaving a loop if its code is given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct End {
    /// The loop that is left.
    pub leaves: Option<CodeId>,
    pub env: ProcessEnv,
}

/// The maximum depth of the derivation of moves; deeper ones are divergent.
const DEEPEST: usize = 1500;

/// A term whose moves are being derived.
struct OpenTerm {
    term: TermId,
    /// True if its moves become part of other steps rather than moves of the enclosing term.
    inside: bool,
}

pub struct SosRules<'a> {
    pub(super) program: &'a ProcessProgram,
    pub(super) evaluator: ProcessEvaluator<'a>,
    pub terms: TermTable,
    /// The actions that can be omitted.
    dummies: FxHashSet<CodeId>,
    known: FxHashMap<TermId, Rc<Moves>>,
    open: Vec<OpenTerm>,
    /// The outermost open term whose moves were needed for themselves since it was last looked at.
    again: usize,
    pub(super) known_values: FxHashMap<TypeId, Rc<[ProcessValue]>>,
}

impl<'a> SosRules<'a> {
    /// For a program, as long as the budget lasts; actions among `dummies` can be left out.
    pub fn new(program: &'a ProcessProgram, dummies: FxHashSet<CodeId>, budget: Budget) -> Self {
        Self {
            program,
            evaluator: ProcessEvaluator::new(program, budget),
            terms: TermTable::default(),
            dummies,
            known: FxHashMap::default(),
            open: Vec::new(),
            again: usize::MAX,
            known_values: FxHashMap::default(),
        }
    }

    /// The initial term of the system.
    pub fn start(&mut self) -> TermId {
        let process = &self.program.processes[self.program.main];
        let mut env: Vec<Option<ProcessValue>> = self.program.arguments.iter().cloned().map(Some).collect();
        env.resize(process.slots, None);
        let gates: ActualGates = (0..self.program.gates.len()).map(GateId::new).collect();
        self.code(process.body, &env.into(), &gates)
    }

    /// The moves of a whole system, which are not cached.
    ///
    /// # Errors
    /// If a value cannot be computed, or the term diverges without an action.
    pub fn moves_of_system(&mut self, term: TermId) -> Result<Moves, ProcessFailure> {
        self.open.clear();
        self.again = usize::MAX;
        self.open.push(OpenTerm { term, inside: true });
        self.apply(term)
    }

    /// Accounts for work that is done elsewhere.
    pub fn spend(&self, work: usize, span: Span) -> Result<(), ProcessFailure> {
        self.evaluator.meter.spend(work, span)
    }

    /// The moves of a term; `inside` says whether they become part of others.
    pub(super) fn moves(&mut self, term: TermId, inside: bool) -> Result<Rc<Moves>, ProcessFailure> {
        if let Some(moves) = self.known.get(&term) {
            return Ok(moves.clone());
        }
        if let Some(at) = self.open.iter().position(|open| open.term == term) {
            // It does what it does anyway, unless a part of it is the whole.
            if inside || self.open[at + 1..].iter().any(|open| open.inside) {
                return Err(self.endless(term));
            }
            self.again = self.again.min(at);
            return Ok(Rc::default());
        }
        if self.open.len() >= DEEPEST {
            return Err(self.endless(term));
        }
        let own = self.open.len();
        self.open.push(OpenTerm { term, inside });
        let moves = Rc::new(self.apply(term)?);
        self.open.pop();
        if self.again >= own {
            self.again = usize::MAX;
            self.known.insert(term, moves.clone());
        }
        Ok(moves)
    }

    fn endless(&self, term: TermId) -> ProcessFailure {
        let code = match self.terms.get(term) {
            BehaviourTerm::Code(code, ..)
            | BehaviourTerm::Sequence(_, code, _)
            | BehaviourTerm::Loop(_, code, _) => code,
            _ => self.program.processes[self.program.main].body,
        };
        let message = "too many steps without an action, perhaps infinitely many";
        ProcessFailure::too_much(self.program.code[code.index()].span, message)
    }

    fn apply(&mut self, term: TermId) -> Result<Moves, ProcessFailure> {
        match self.terms.get(term) {
            BehaviourTerm::Stop => Ok(Moves::default()),
            BehaviourTerm::Done(env) => Ok(ending(env)),
            BehaviourTerm::Code(code, env, gates) => self.of_code(code, &env, &gates),
            BehaviourTerm::Sequence(first, code, gates) => self.of_sequence(first, code, &gates),
            BehaviourTerm::Loop(turn, code, gates) => self.of_turn(turn, code, &gates),
            BehaviourTerm::Return(body, env, call) => self.of_return(body, &env, call),
            BehaviourTerm::Par(code, branches, env, gates) => {
                self.of_par(term, code, &branches, &env, &gates)
            }
            BehaviourTerm::Hide(inner, gate) => self.of_hide(inner, gate),
            BehaviourTerm::Disrupt(first, code, env, gates) => self.of_disrupt(first, code, &env, &gates),
        }
    }

    fn of_code(
        &mut self,
        id: CodeId,
        env: &ProcessEnv,
        gates: &ActualGates,
    ) -> Result<Moves, ProcessFailure> {
        let program = self.program;
        let code = &program.code[id.index()];
        match &code.op {
            BehaviourOp::Stop => Ok(Moves::default()),
            BehaviourOp::Null => Ok(ending(env.clone())),
            BehaviourOp::Break(left) => {
                let end = End { leaves: Some(*left), env: masked(env, &code.live) };
                Ok(Moves { steps: Vec::new(), ends: vec![end] })
            }
            BehaviourOp::Act(act) => self.of_act(id, act, env, gates),
            BehaviourOp::Assign(slot, value) => {
                let value = self.evaluator.value(value, env)?;
                Ok(ending(with(env, [(*slot, value)])))
            }
            BehaviourOp::Eval { .. } => Ok(ending(with(env, self.evaluator.effect(id, env)?))),
            BehaviourOp::AssignAny(slot, of, condition) => {
                let mut moves = Moves::default();
                for value in self.values(*of, code.span)?.iter() {
                    let env = with(env, [(*slot, value.clone())]);
                    if self.evaluator.holds(condition.as_ref(), &env)? {
                        self.end(&mut moves, End { leaves: None, env }, id)?;
                    }
                }
                Ok(moves)
            }
            BehaviourOp::Sequence(first, second) => {
                let first = self.code(*first, env, gates);
                self.of_sequence(first, *second, gates)
            }
            BehaviourOp::Var(_, body) => self.go_on(*body, env, gates),
            BehaviourOp::If { .. } | BehaviourOp::Case { .. } => {
                let (body, bound) = self.evaluator.chosen(id, env)?;
                self.go_on(body, &with(env, bound), gates)
            }
            BehaviourOp::Select(branches) => {
                let mut moves = Moves::default();
                for &branch in branches {
                    let branch = self.go_on(branch, env, gates)?;
                    self.add(&mut moves, &branch, id)?;
                }
                Ok(moves)
            }
            BehaviourOp::Loop(condition, body) => {
                if !self.evaluator.holds(condition.as_ref(), env)? {
                    return Ok(ending(env.clone()));
                }
                let turn = self.code(*body, env, gates);
                self.of_turn(turn, id, gates)
            }
            BehaviourOp::Call { process, gates: given, arguments, after, .. } => {
                let (store, given) = self.called(*process, given, arguments, env, gates)?;
                let body = program.processes[*process].body;
                match after {
                    None => self.go_on(body, &store, &given),
                    Some(after) => {
                        let body = self.code(body, &store, &given);
                        self.of_return(body, &masked(env, after), id)
                    }
                }
            }
            BehaviourOp::Par(branches) => {
                let terms: Vec<TermId> =
                    branches.iter().map(|branch| self.plain(branch.body, env, gates)).collect();
                let env = self.kept(branches, id, env);
                let term = BehaviourTerm::Par(id, terms.clone().into(), env.clone(), gates.clone());
                let term = self.terms.intern(term);
                self.of_par(term, id, &terms, &env, gates)
            }
            BehaviourOp::Hide(slot, body) => {
                let (inner, hidden) = self.with_hidden(*slot, gates);
                let body = self.code(*body, env, &inner);
                self.of_hide(body, hidden)
            }
            BehaviourOp::Disrupt(first, second) => {
                let first = self.code(*first, env, gates);
                self.of_disrupt(first, *second, env, gates)
            }
            BehaviourOp::Fail(message) => Err(ProcessFailure::undefined(code.span, message.clone())),
            BehaviourOp::Return(_) => unreachable!("only functions return"),
        }
    }

    /// The moves of code that replaces other code.
    fn go_on(
        &mut self,
        code: CodeId,
        env: &ProcessEnv,
        gates: &ActualGates,
    ) -> Result<Moves, ProcessFailure> {
        let term = self.code(code, env, gates);
        Ok(self.moves(term, false)?.as_ref().clone())
    }

    fn of_act(
        &mut self,
        id: CodeId,
        act: &program::ActionCode,
        env: &ProcessEnv,
        gates: &ActualGates,
    ) -> Result<Moves, ProcessFailure> {
        let mut offers = Vec::with_capacity(act.offers.len());
        for offer in &act.offers {
            offers.push(match offer {
                program::ActionOffer::Send(value) => {
                    OpenOffer { of: value.of, value: Some(self.evaluator.value(value, env)?) }
                }
                program::ActionOffer::Receive(of, _) => OpenOffer { of: *of, value: None },
            });
        }
        let mut moves = Moves::default();
        if self.dummies.contains(&id) {
            self.leave_out(id, &offers, env, &mut moves)?;
        }
        moves.steps.push(TermStep {
            act: act.gate.map_or(Act::Invisible, |slot| Act::Gate(gates[slot.index()])),
            offers: offers.into(),
            who: Rc::from([id]),
            next: Rc::new(StepTarget::Act(id, env.clone())),
        });
        Ok(moves)
    }

    /// The steps that omit an action; its variables get any values that it could have received.
    fn leave_out(
        &mut self,
        id: CodeId,
        offers: &[OpenOffer],
        env: &ProcessEnv,
        moves: &mut Moves,
    ) -> Result<(), ProcessFailure> {
        let span = self.program.code[id.index()].span;
        let rows = self.rows(offers, span)?;
        let mut terms = Vec::new();
        for row in rows {
            match self.finish(&StepTarget::Act(id, env.clone()), &row) {
                Ok(term) => terms.extend(term),
                // Nobody can have received this.
                Err(failure) if failure.cause == FailureCause::Undefined => {}
                Err(failure) => return Err(failure),
            }
        }
        terms.sort_unstable();
        terms.dedup();
        moves.steps.extend(terms.into_iter().map(|term| TermStep {
            act: Act::Dummy(id),
            offers: Rc::default(),
            who: Rc::default(),
            next: Rc::new(StepTarget::Term(term)),
        }));
        Ok(())
    }

    fn of_sequence(
        &mut self,
        first: TermId,
        code: CodeId,
        gates: &ActualGates,
    ) -> Result<Moves, ProcessFailure> {
        let before = self.moves(first, true)?;
        let mut moves = wrapped(&before, |next| StepTarget::Sequence(next, code, gates.clone()));
        for end in &before.ends {
            match end.leaves {
                Some(_) => self.end(&mut moves, end.clone(), code)?,
                None => {
                    let after = self.go_on(code, &end.env, gates)?;
                    self.add(&mut moves, &after, code)?;
                }
            }
        }
        Ok(moves)
    }

    /// An iteration of a loop, and the loop after it.
    fn of_turn(&mut self, turn: TermId, code: CodeId, gates: &ActualGates) -> Result<Moves, ProcessFailure> {
        let inner = self.moves(turn, true)?;
        let mut moves = wrapped(&inner, |next| StepTarget::Loop(next, code, gates.clone()));
        for end in &inner.ends {
            match end.leaves {
                Some(left) if left == code => {
                    self.end(&mut moves, End { leaves: None, env: end.env.clone() }, code)?;
                }
                Some(_) => self.end(&mut moves, end.clone(), code)?,
                None => {
                    let after = self.go_on(code, &end.env, gates)?;
                    self.add(&mut moves, &after, code)?;
                }
            }
        }
        Ok(moves)
    }

    fn of_return(&mut self, body: TermId, env: &ProcessEnv, call: CodeId) -> Result<Moves, ProcessFailure> {
        let inner = self.moves(body, true)?;
        let mut moves = wrapped(&inner, |next| StepTarget::Return(next, env.clone(), call));
        for end in &inner.ends {
            self.end(&mut moves, End { leaves: None, env: self.returned(call, env, &end.env) }, call)?;
        }
        Ok(moves)
    }

    fn of_hide(&mut self, inner: TermId, gate: GateId) -> Result<Moves, ProcessFailure> {
        let inner = self.moves(inner, true)?;
        let mut moves = wrapped(&inner, |next| StepTarget::Hide(next, gate));
        moves.ends.clone_from(&inner.ends);
        for step in moves.steps.iter_mut().filter(|step| step.act == Act::Gate(gate)) {
            step.act = Act::Invisible;
        }
        Ok(moves)
    }

    fn of_disrupt(
        &mut self,
        first: TermId,
        code: CodeId,
        env: &ProcessEnv,
        gates: &ActualGates,
    ) -> Result<Moves, ProcessFailure> {
        let inner = self.moves(first, true)?;
        let mut moves = wrapped(&inner, |next| StepTarget::Disrupt(next, code, env.clone(), gates.clone()));
        moves.ends.clone_from(&inner.ends);
        let other = self.go_on(code, env, gates)?;
        self.add(&mut moves, &other, code)?;
        Ok(moves)
    }

    /// Adds the moves of a piece of code.
    fn add(&self, moves: &mut Moves, others: &Moves, code: CodeId) -> Result<(), ProcessFailure> {
        self.spend(others.steps.len(), self.program.code[code.index()].span)?;
        moves.steps.extend(others.steps.iter().cloned());
        others.ends.iter().try_for_each(|end| self.end(moves, end.clone(), code))
    }

    /// Adds a termination of a piece of code, unless it is already known.
    pub(super) fn end(&self, moves: &mut Moves, end: End, code: CodeId) -> Result<(), ProcessFailure> {
        self.spend(moves.ends.len() + 1, self.program.code[code.index()].span)?;
        if !moves.ends.contains(&end) {
            moves.ends.push(end);
        }
        Ok(())
    }
}

fn ending(env: ProcessEnv) -> Moves {
    Moves { steps: Vec::new(), ends: vec![End { leaves: None, env }] }
}

/// The steps of a part as steps of the whole.
fn wrapped(moves: &Moves, wrap: impl Fn(Rc<StepTarget>) -> StepTarget) -> Moves {
    let steps =
        moves.steps.iter().map(|step| TermStep { next: Rc::new(wrap(step.next.clone())), ..step.clone() });
    Moves { steps: steps.collect(), ends: Vec::new() }
}

/// The limit on the combinations of values that one action can receive.
const MOST_ROWS: usize = 1 << 20;

impl SosRules<'_> {
    pub fn values(&mut self, of: TypeId, span: Span) -> Result<Rc<[ProcessValue]>, ProcessFailure> {
        if let Some(values) = self.known_values.get(&of) {
            return Ok(values.clone());
        }
        let name = &self.program.types[of.index()].name;
        let values = self.program.values(of).map_err(|_| {
            let message = format!("any value of {name} can be received here, but there are too many to list");
            ProcessFailure::too_much(span, message)
        })?;
        let values: Rc<[ProcessValue]> = values.into();
        self.known_values.insert(of, values.clone());
        Ok(values)
    }

    /// All combinations of values for offers.
    pub fn rows(
        &mut self,
        offers: &[OpenOffer],
        span: Span,
    ) -> Result<Vec<Vec<ProcessValue>>, ProcessFailure> {
        let mut rows: Vec<Vec<ProcessValue>> = vec![Vec::new()];
        for offer in offers {
            let values = match &offer.value {
                Some(value) => Rc::from([value.clone()]),
                None => self.values(offer.of, span)?,
            };
            if rows.len().saturating_mul(values.len()) > MOST_ROWS {
                let message = format!("more than {MOST_ROWS} combinations of values can be received here");
                return Err(ProcessFailure::too_much(span, message));
            }
            self.spend(rows.len() * values.len(), span)?;
            let longer = |row: &Vec<ProcessValue>| {
                let row = row.clone();
                values
                    .iter()
                    .map(move |value| row.iter().chain([value]).cloned().collect())
                    .collect::<Vec<_>>()
            };
            rows = rows.iter().flat_map(longer).collect();
        }
        Ok(rows)
    }
}
