//! Normalisation: whatever needs no action is executed at once, so that code with the same behaviour has the same term.

use super::rules::SosRules;
use super::term::{ActualGates, BehaviourTerm, ProcessEnv, TermId, masked, with};
use crate::process::failure::ProcessFailure;
use crate::process::program::{BehaviourOp, CodeId, GateId, GateSlot, ProcessExpr};

/// The maximum depth of normalisation; code below it is normalised when it moves.
const DEEPEST: usize = 100;

impl SosRules<'_> {
    /// The term of a piece of code, with the variables that it needs. Where a value cannot be computed, the code is kept as it
    /// is, and fails when it moves.
    pub fn code(&mut self, code: CodeId, env: &ProcessEnv, gates: &ActualGates) -> TermId {
        self.normal(code, env, gates, DEEPEST)
    }

    fn normal(&mut self, id: CodeId, env: &ProcessEnv, gates: &ActualGates, left: usize) -> TermId {
        let simpler = if left == 0 { None } else { self.simpler(id, env, gates, left - 1).unwrap_or(None) };
        simpler.unwrap_or_else(|| self.plain(id, env, gates))
    }

    /// The term of a piece of code without normalisation.
    pub(super) fn plain(&mut self, id: CodeId, env: &ProcessEnv, gates: &ActualGates) -> TermId {
        let env = masked(env, &self.program.code[id.index()].live);
        self.terms.intern(BehaviourTerm::Code(id, env, gates.clone()))
    }

    fn simpler(
        &mut self,
        id: CodeId,
        env: &ProcessEnv,
        gates: &ActualGates,
        left: usize,
    ) -> Result<Option<TermId>, ProcessFailure> {
        let program = self.program;
        let term = match &program.code[id.index()].op {
            BehaviourOp::Stop => self.terms.intern(BehaviourTerm::Stop),
            BehaviourOp::Null => {
                let env = masked(env, &program.code[id.index()].live);
                self.terms.intern(BehaviourTerm::Done(env))
            }
            BehaviourOp::Assign(slot, value) => {
                let value = self.evaluator.value(value, env)?;
                self.terms.intern(BehaviourTerm::Done(with(env, [(*slot, value)])))
            }
            BehaviourOp::Eval { .. } => {
                let changes = self.evaluator.effect(id, env)?;
                self.terms.intern(BehaviourTerm::Done(with(env, changes)))
            }
            BehaviourOp::Sequence(first, second) => {
                let first = self.normal(*first, env, gates, left);
                match self.terms.done(first) {
                    Some(env) => self.normal(*second, &env, gates, left),
                    None => self.terms.intern(BehaviourTerm::Sequence(first, *second, gates.clone())),
                }
            }
            BehaviourOp::Var(_, body) => self.normal(*body, env, gates, left),
            BehaviourOp::If { .. } | BehaviourOp::Case { .. } => {
                let (body, bound) = self.evaluator.chosen(id, env)?;
                self.normal(body, &with(env, bound), gates, left)
            }
            BehaviourOp::Loop(condition, _) if !self.evaluator.holds(condition.as_ref(), env)? => {
                self.terms.intern(BehaviourTerm::Done(env.clone()))
            }
            BehaviourOp::Call { process, gates: given, arguments, after, .. } => {
                let (store, given) = self.called(*process, given, arguments, env, gates)?;
                let body = self.normal(program.processes[*process].body, &store, &given, left);
                match after {
                    None => body,
                    Some(after) => self.returning(body, &masked(env, after), id),
                }
            }
            BehaviourOp::Par(branches) => {
                // A branch is normalised when it first moves: processes often compose themselves again.
                let terms = branches.iter().map(|branch| self.plain(branch.body, env, gates)).collect();
                let kept = self.kept(branches, id, env);
                self.parallel(id, terms, &kept, gates)
            }
            BehaviourOp::Hide(slot, body) => {
                let (inner, hidden) = self.with_hidden(*slot, gates);
                let body = self.normal(*body, env, &inner, left);
                self.hiding(body, hidden)
            }
            BehaviourOp::Disrupt(first, second) => {
                let first = self.normal(*first, env, gates, left);
                let env = masked(env, &program.code[second.index()].live);
                self.terms.intern(BehaviourTerm::Disrupt(first, *second, env, gates.clone()))
            }
            _ => return Ok(None),
        };
        Ok(Some(term))
    }

    /// The initial variables, and the gates, of a called process.
    pub(super) fn called(
        &self,
        process: usize,
        given: &[GateSlot],
        arguments: &[Option<ProcessExpr>],
        env: &ProcessEnv,
        gates: &ActualGates,
    ) -> Result<(ProcessEnv, ActualGates), ProcessFailure> {
        let mut store = self.evaluator.given(arguments, env)?;
        store.resize(self.program.processes[process].slots, None);
        Ok((store.into(), given.iter().map(|&slot| gates[slot.index()]).collect()))
    }

    /// The gates with a hidden one in a slot: the least gate that is not in use.
    pub(super) fn with_hidden(&self, slot: GateSlot, gates: &ActualGates) -> (ActualGates, GateId) {
        let mut hidden = (self.program.gates.len()..).map(GateId::new);
        let free = hidden.find(|gate| !gates.contains(gate)).unwrap_or(GateId::FIRST);
        let mut inner = gates.to_vec();
        inner.resize(inner.len().max(slot.index() + 1), free);
        inner[slot.index()] = free;
        (inner.into(), free)
    }
}
