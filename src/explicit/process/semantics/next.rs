//! Targets of steps, which are built when the values of all offers are known.

use super::rules::SosRules;
use super::step::StepTarget;
use super::term::{ActualGates, BehaviourTerm, ProcessEnv, TermId, masked, with};
use crate::process::eval::matches;
use crate::process::failure::ProcessFailure;
use crate::process::program::{ActionOffer, BehaviourOp, CodeId, GateId};
use crate::process::value::ProcessValue;

impl SosRules<'_> {
    /// The term after a step whose offers have these values; `None` if they do not match the patterns of an action or violate
    /// its condition.
    pub fn finish(
        &mut self,
        next: &StepTarget,
        values: &[ProcessValue],
    ) -> Result<Option<TermId>, ProcessFailure> {
        let finished = match next {
            StepTarget::Term(term) => return Ok(Some(*term)),
            StepTarget::Act(code, env) => return self.after_act(*code, env, values),
            StepTarget::Sequence(first, code, gates) => {
                self.finish(first, values)?.map(|first| self.sequence(first, *code, gates))
            }
            StepTarget::Loop(turn, code, gates) => {
                self.finish(turn, values)?.map(|turn| match self.terms.done(turn) {
                    Some(env) => self.code(*code, &env, gates),
                    None => self.terms.intern(BehaviourTerm::Loop(turn, *code, gates.clone())),
                })
            }
            StepTarget::Return(body, env, call) => {
                self.finish(body, values)?.map(|body| self.returning(body, env, *call))
            }
            StepTarget::Hide(inner, gate) => {
                self.finish(inner, values)?.map(|inner| self.hiding(inner, *gate))
            }
            StepTarget::Disrupt(first, code, env, gates) => self.finish(first, values)?.map(|first| {
                self.terms.intern(BehaviourTerm::Disrupt(first, *code, env.clone(), gates.clone()))
            }),
            StepTarget::Par(term, changed) => {
                let BehaviourTerm::Par(code, branches, env, gates) = self.terms.get(*term) else {
                    unreachable!("only parallel compositions have branches")
                };
                let mut branches = branches.to_vec();
                for (at, next) in changed {
                    match self.finish(next, values)? {
                        Some(branch) => branches[*at] = branch,
                        None => return Ok(None),
                    }
                }
                Some(self.parallel(code, branches, &env, &gates))
            }
        };
        Ok(finished)
    }

    fn after_act(
        &mut self,
        code: CodeId,
        env: &ProcessEnv,
        values: &[ProcessValue],
    ) -> Result<Option<TermId>, ProcessFailure> {
        let BehaviourOp::Act(act) = &self.program.code[code.index()].op else {
            unreachable!("only actions communicate")
        };
        let mut bound = Vec::new();
        for (offer, value) in act.offers.iter().zip(values) {
            if let ActionOffer::Receive(_, pattern) = offer
                && !matches(pattern, value, &mut bound)
            {
                return Ok(None);
            }
        }
        let env = if bound.is_empty() { env.clone() } else { with(env, bound) };
        if !self.evaluator.holds(act.condition.as_ref(), &env)? {
            return Ok(None);
        }
        let env = masked(&env, &act.after);
        Ok(Some(self.terms.intern(BehaviourTerm::Done(env))))
    }

    pub(super) fn sequence(&mut self, first: TermId, code: CodeId, gates: &ActualGates) -> TermId {
        match self.terms.done(first) {
            Some(env) => self.code(code, &env, gates),
            None => self.terms.intern(BehaviourTerm::Sequence(first, code, gates.clone())),
        }
    }

    pub(super) fn returning(&mut self, body: TermId, env: &ProcessEnv, call: CodeId) -> TermId {
        let term = match self.terms.done(body) {
            Some(end) => BehaviourTerm::Done(self.returned(call, env, &end)),
            None => BehaviourTerm::Return(body, env.clone(), call),
        };
        self.terms.intern(term)
    }

    /// The variables of a caller after a call whose process ended with these.
    pub(super) fn returned(&self, call: CodeId, env: &ProcessEnv, end: &ProcessEnv) -> ProcessEnv {
        let BehaviourOp::Call { outs, .. } = &self.program.code[call.index()].op else {
            unreachable!("only calls return")
        };
        if outs.is_empty() {
            return env.clone();
        }
        with(env, outs.iter().filter_map(|(from, to)| Some((*to, end[from.index()].clone()?))))
    }

    pub(super) fn hiding(&mut self, inner: TermId, gate: GateId) -> TermId {
        match self.terms.get(inner) {
            BehaviourTerm::Done(_) | BehaviourTerm::Stop => inner,
            _ => self.terms.intern(BehaviourTerm::Hide(inner, gate)),
        }
    }

    pub(super) fn parallel(
        &mut self,
        code: CodeId,
        branches: Vec<TermId>,
        env: &ProcessEnv,
        gates: &ActualGates,
    ) -> TermId {
        let ends: Option<Vec<ProcessEnv>> = branches.iter().map(|&branch| self.terms.done(branch)).collect();
        let term = match ends {
            Some(ends) => BehaviourTerm::Done(self.merged(code, env, ends.iter())),
            None => BehaviourTerm::Par(code, branches.into(), env.clone(), gates.clone()),
        };
        self.terms.intern(term)
    }

    /// The variables after a parallel composition whose branches ended with these.
    pub(super) fn merged<'e>(
        &self,
        code: CodeId,
        env: &ProcessEnv,
        ends: impl Iterator<Item = &'e ProcessEnv>,
    ) -> ProcessEnv {
        let BehaviourOp::Par(branches) = &self.program.code[code.index()].op else {
            unreachable!("only parallel compositions have branches")
        };
        let mut merged = env.to_vec();
        for (branch, end) in branches.iter().zip(ends) {
            branch.writes.iter().for_each(|&slot| merged[slot.index()] = end[slot.index()].clone());
        }
        merged.into()
    }
}
