//! Normalisation: whatever needs no action is executed at once, so that code with the same behaviour has the same term.

use super::rules::Rules;
use super::term::{Env, Gates, Term, TermId, masked, with};
use crate::process::failure::Failure;
use crate::process::program::{CodeId, Expr, GateId, GateSlot, Op};

/// The maximum depth of normalisation; code below it is normalised when it moves.
const DEEPEST: usize = 100;

impl Rules<'_> {
    /// The term of a piece of code, with the variables that it needs. Where a value cannot be computed, the code is kept as it
    /// is, and fails when it moves.
    pub fn code(&mut self, code: CodeId, env: &Env, gates: &Gates) -> TermId {
        self.normal(code, env, gates, DEEPEST)
    }

    fn normal(&mut self, id: CodeId, env: &Env, gates: &Gates, left: usize) -> TermId {
        let simpler = if left == 0 { None } else { self.simpler(id, env, gates, left - 1).unwrap_or(None) };
        simpler.unwrap_or_else(|| self.plain(id, env, gates))
    }

    /// The term of a piece of code without normalisation.
    pub(super) fn plain(&mut self, id: CodeId, env: &Env, gates: &Gates) -> TermId {
        let env = masked(env, &self.program.code[id.index()].live);
        self.terms.intern(Term::Code(id, env, gates.clone()))
    }

    fn simpler(
        &mut self,
        id: CodeId,
        env: &Env,
        gates: &Gates,
        left: usize,
    ) -> Result<Option<TermId>, Failure> {
        let program = self.program;
        let term = match &program.code[id.index()].op {
            Op::Stop => self.terms.intern(Term::Stop),
            Op::Null => {
                let env = masked(env, &program.code[id.index()].live);
                self.terms.intern(Term::Done(env))
            }
            Op::Assign(slot, value) => {
                let value = self.evaluator.value(value, env)?;
                self.terms.intern(Term::Done(with(env, [(*slot, value)])))
            }
            Op::Eval { .. } => {
                let changes = self.evaluator.effect(id, env)?;
                self.terms.intern(Term::Done(with(env, changes)))
            }
            Op::Sequence(first, second) => {
                let first = self.normal(*first, env, gates, left);
                match self.terms.done(first) {
                    Some(env) => self.normal(*second, &env, gates, left),
                    None => self.terms.intern(Term::Sequence(first, *second, gates.clone())),
                }
            }
            Op::Var(_, body) => self.normal(*body, env, gates, left),
            Op::If { .. } | Op::Case { .. } => {
                let (body, bound) = self.evaluator.chosen(id, env)?;
                self.normal(body, &with(env, bound), gates, left)
            }
            Op::Loop(condition, _) if !self.evaluator.holds(condition.as_ref(), env)? => {
                self.terms.intern(Term::Done(env.clone()))
            }
            Op::Call { process, gates: given, arguments, after, .. } => {
                let (store, given) = self.called(*process, given, arguments, env, gates)?;
                let body = self.normal(program.processes[*process].body, &store, &given, left);
                match after {
                    None => body,
                    Some(after) => self.returning(body, &masked(env, after), id),
                }
            }
            Op::Par(branches) => {
                // A branch is normalised when it first moves: processes often compose themselves again.
                let terms = branches.iter().map(|branch| self.plain(branch.body, env, gates)).collect();
                let kept = self.kept(branches, id, env);
                self.parallel(id, terms, &kept, gates)
            }
            Op::Hide(slot, body) => {
                let (inner, hidden) = self.with_hidden(*slot, gates);
                let body = self.normal(*body, env, &inner, left);
                self.hiding(body, hidden)
            }
            Op::Disrupt(first, second) => {
                let first = self.normal(*first, env, gates, left);
                let env = masked(env, &program.code[second.index()].live);
                self.terms.intern(Term::Disrupt(first, *second, env, gates.clone()))
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
        arguments: &[Option<Expr>],
        env: &Env,
        gates: &Gates,
    ) -> Result<(Env, Gates), Failure> {
        let mut store = self.evaluator.given(arguments, env)?;
        store.resize(self.program.processes[process].slots, None);
        Ok((store.into(), given.iter().map(|&slot| gates[slot.index()]).collect()))
    }

    /// The gates with a hidden one in a slot: the least gate that is not in use.
    pub(super) fn with_hidden(&self, slot: GateSlot, gates: &Gates) -> (Gates, GateId) {
        let mut hidden = (self.program.gates.len()..).map(GateId::new);
        let free = hidden.find(|gate| !gates.contains(gate)).unwrap_or(GateId::FIRST);
        let mut inner = gates.to_vec();
        inner.resize(inner.len().max(slot.index() + 1), free);
        inner[slot.index()] = free;
        (inner.into(), free)
    }
}
