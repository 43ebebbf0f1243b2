//! Parallel composition: branches step alone, or synchronise with others on a gate.

use super::rules::{End, Moves, SosRules};
use super::step::{Act, OpenOffer, StepTarget, TermStep};
use super::term::{ActualGates, ProcessEnv, TermId, masked};
use crate::process::failure::ProcessFailure;
use crate::process::program::{BehaviourOp, Branch, CodeId};
use std::rc::Rc;

impl SosRules<'_> {
    /// The variables that are live after a parallel composition and that its branches do not assign.
    pub(super) fn kept(&self, branches: &[Branch], id: CodeId, env: &ProcessEnv) -> ProcessEnv {
        let live = &self.program.code[id.index()].live;
        let mut kept = masked(env, live).to_vec();
        for branch in branches {
            branch.writes.iter().for_each(|&slot| kept[slot.index()] = None);
        }
        kept.into()
    }

    pub(super) fn of_par(
        &mut self,
        term: TermId,
        code: CodeId,
        branches: &[TermId],
        env: &ProcessEnv,
        gates: &ActualGates,
    ) -> Result<Moves, ProcessFailure> {
        let program = self.program;
        let BehaviourOp::Par(parts) = &program.code[code.index()].op else {
            unreachable!("only parallel compositions have branches")
        };
        let mut inner = Vec::with_capacity(branches.len());
        for &branch in branches {
            inner.push(self.moves(branch, true)?);
        }
        let mut moves = Moves::default();
        for (at, own) in inner.iter().enumerate() {
            for step in &own.steps {
                match partners(&parts[at], step.act, gates) {
                    None => moves.steps.push(TermStep {
                        next: Rc::new(StepTarget::Par(term, vec![(at, step.next.clone())])),
                        ..step.clone()
                    }),
                    // Each rendezvous is found once, from its first branch.
                    Some(all) if all[0] == at => {
                        let met = self.meet((term, code), step, all, &inner)?;
                        moves.steps.extend(met);
                    }
                    Some(_) => {}
                }
            }
        }
        let mut ends: Vec<Vec<ProcessEnv>> = vec![Vec::new()];
        for own in &inner {
            let mut longer = Vec::new();
            for row in &ends {
                self.spend(own.ends.len(), program.code[code.index()].span)?;
                longer.extend(
                    own.ends.iter().map(|end| row.iter().cloned().chain([end.env.clone()]).collect()),
                );
            }
            ends = longer;
        }
        for row in ends {
            let env = self.merged(code, env, row.iter());
            self.end(&mut moves, End { leaves: None, env }, code)?;
        }
        Ok(moves)
    }

    /// All ways in which branches synchronise with this step of the first of them.
    fn meet(
        &self,
        (term, code): (TermId, CodeId),
        first: &TermStep,
        all: &[usize],
        inner: &[Rc<Moves>],
    ) -> Result<impl Iterator<Item = TermStep> + use<>, ProcessFailure> {
        let span = self.program.code[code.index()].span;
        let mut meetings: Vec<Meeting> = vec![Meeting {
            offers: first.offers.to_vec(),
            who: first.who.to_vec(),
            next: vec![(all[0], first.next.clone())],
        }];
        for &at in &all[1..] {
            let mut larger = Vec::new();
            for Meeting { offers, who, next } in &meetings {
                self.spend(inner[at].steps.len(), span)?;
                for step in inner[at].steps.iter().filter(|step| step.act == first.act) {
                    if step.offers.len() != offers.len() {
                        continue;
                    }
                    let agreed = offers.iter().zip(step.offers.iter()).map(|(a, b)| a.meet(b));
                    let Some(agreed) = agreed.collect::<Option<Vec<OpenOffer>>>() else { continue };
                    let mut who: Vec<CodeId> = who.iter().chain(step.who.iter()).copied().collect();
                    who.sort_unstable();
                    who.dedup();
                    let next = next.iter().cloned().chain([(at, step.next.clone())]).collect();
                    larger.push(Meeting { offers: agreed, who, next });
                }
            }
            meetings = larger;
        }
        let act = first.act;
        Ok(meetings.into_iter().map(move |Meeting { offers, who, next }| TermStep {
            act,
            offers: offers.into(),
            who: who.into(),
            next: Rc::new(StepTarget::Par(term, next)),
        }))
    }
}

/// Steps of some branches of a composition that agree.
struct Meeting {
    offers: Vec<OpenOffer>,
    /// The actions that take part; ascending.
    who: Vec<CodeId>,
    /// The branches, each with what comes after its step.
    next: Vec<(usize, Rc<StepTarget>)>,
}

/// The branches that synchronise with a step of a branch, its own included; `None` if it steps alone.
fn partners<'b>(branch: &'b Branch, act: Act, gates: &ActualGates) -> Option<&'b [usize]> {
    let Act::Gate(gate) = act else { return None };
    let found = branch.meets.iter().find(|(slot, _)| gates[slot.index()] == gate);
    found.map(|(_, with)| &**with).filter(|with| with.len() > 1)
}
