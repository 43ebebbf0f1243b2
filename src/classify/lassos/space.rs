//! The lassos of up to so many steps that satisfy a formula, in a solver.
//!
//! Going on round its loop, a lasso of few steps is one of more steps as well: the position that closes it moves on, and with it the one
//! where it begins. So the lassos of exactly k steps are those of up to k, and one question is about all of them.

use super::condition::{LassoCondition, LassoForm};
use super::constraint::LassoConstraint;
use super::fact::{AtomLiteral, LassoFact};
use crate::facts::atom::Atoms;
use crate::facts::index::AtomId;
use crate::facts::restates::{any_frame, arrive};
use engines::ltl::{Fairness, LassoEncoding, LtlFormula};
use kit::budget::{Budget, Limited};
use lang::model::Recurrence;
use lang::model::{Model, Position};
use lang::trace::Lasso;
use rustc_hash::FxHashMap;
use solvers::sat::{Answer, Circuit, Lit, Setup};
use solvers::unroll::{Encoder, Lengths, Unrolling};

/// Adds positions of any states after any labels.
fn add_anything(unrolling: &mut Unrolling<'_>, steps: usize) -> Limited<()> {
    for _ in 0..steps {
        unrolling.circuit.check_budget()?;
        let model = unrolling.model;
        let frame = any_frame(&mut unrolling.circuit, model);
        let first = frame.unlabelled.unwrap_or(unrolling.circuit.no());
        unrolling.circuit.add_clause(&[!first]);
        unrolling.frames.push(frame);
    }
    Ok(())
}

/// Demands that each position is reached by a step of the model from some state, which makes the state formulas of a property as true as the
/// position before does.
fn add_single_steps(unrolling: &mut Unrolling<'_>, formula: &LtlFormula, steps: usize) -> Limited<()> {
    for to in Position::all(steps + 1).skip(1) {
        unrolling.circuit.check_budget()?;
        let from = unrolling.any_state();
        arrive(unrolling, from, to);
        for formula in formula.atoms() {
            let before = Position::new(to.index() - 1);
            let [one, other] = [from, before].map(|at| unrolling.state_truth(formula, at));
            let same = unrolling.circuit.iff(one, other);
            unrolling.circuit.add_clause(&[same]);
        }
    }
    Ok(())
}

/// The kind of positions of lassos.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LassoPositions {
    /// Those of the model.
    OfModel,
    /// Any states of the right types after any labels, whatever the model does.
    Any,
    /// From an initial state, each is reached by a step of the model from some state, reachable or not, that makes the state formulas of the
    /// property as true as the position before does.
    AfterSingleSteps,
}

/// Fair lassos of up to so many steps that satisfy a formula.
pub struct LassoSpace<'q> {
    unrolling: Unrolling<'q>,
    encoding: LassoEncoding<'q>,
    atoms: &'q Atoms,
    steps: usize,
    /// For each position whether the loop comes by with the label there.
    in_loop: Vec<Lit>,
    /// For each atom that was asked about its truth at each position.
    truths: FxHashMap<AtomId, Vec<Lit>>,
}

impl<'q> LassoSpace<'q> {
    /// The lassos of up to `steps` steps, at least one, whose positions are of some kind.
    pub fn new(
        (model, atoms): (&'q Model, &'q Atoms),
        (formula, fairness): (&'q LtlFormula, &'q [Fairness]),
        (positions, steps): (LassoPositions, usize),
        setup: Setup,
        budget: &Budget,
    ) -> Limited<Self> {
        let circuit = Circuit::new(setup.start(budget)).within(budget);
        let mut unrolling = match positions {
            LassoPositions::Any => Unrolling::from_any_state(model, circuit),
            LassoPositions::OfModel | LassoPositions::AfterSingleSteps => {
                Unrolling::new(model, Lengths::Exactly(steps), circuit)
            }
        };
        let mut encoding = LassoEncoding::new(&mut unrolling, formula, fairness);
        unrolling.circuit.add_clause(&[encoding.root()]);
        match positions {
            LassoPositions::OfModel => unrolling.grow_to(steps)?,
            LassoPositions::Any | LassoPositions::AfterSingleSteps => add_anything(&mut unrolling, steps)?,
        }
        encoding.grow(&mut unrolling)?;
        let closed = encoding.closed(&mut unrolling);
        let circuit = &mut unrolling.circuit;
        circuit.add_clause(&[closed]);
        let mut in_loop = vec![circuit.no()];
        for &start in encoding.starts() {
            let before = in_loop[in_loop.len() - 1];
            in_loop.push(circuit.or(before, start));
        }
        if positions == LassoPositions::AfterSingleSteps {
            add_single_steps(&mut unrolling, formula, steps)?;
        }
        let truths = FxHashMap::default();
        Ok(Self { unrolling, encoding, atoms, steps, in_loop, truths })
    }

    pub fn circuit(&self) -> &Circuit {
        &self.unrolling.circuit
    }

    /// The literal of a ground fact: it is true exactly of the lassos that have it.
    pub fn fact(&mut self, fact: &LassoFact) -> Lit {
        let here = self.conjunction(&fact.what);
        let after = self.conjunction(&fact.after);
        let circuit = &mut self.unrolling.circuit;
        let positions = self.in_loop.iter().zip(&here);
        match fact.when {
            Recurrence::Again => {
                let again = positions.map(|(&is_in, &here)| circuit.and(is_in, here)).collect::<Vec<_>>();
                circuit.any(&again)
            }
            Recurrence::Forever => {
                let ever = positions.map(|(&is_in, &here)| circuit.or(!is_in, here)).collect::<Vec<_>>();
                circuit.all(&ever)
            }
            Recurrence::Once => self.in_order(&fact.before, &here, &after),
        }
    }

    /// The literal of what happens at earlier positions, one after the other, and then at one after which something is always so.
    fn in_order(&mut self, before: &[Vec<AtomLiteral>], last: &[Lit], after: &[Lit]) -> Lit {
        let before: Vec<Vec<Lit>> = before.iter().map(|said| self.conjunction(said)).collect();
        let circuit = &mut self.unrolling.circuit;
        let in_loop = &self.in_loop;
        let mut later = Vec::new();
        for (&is_in, &after) in in_loop.iter().zip(after) {
            later.push(circuit.or(!is_in, after));
        }
        let mut later = circuit.all(&later);
        let again = |circuit: &mut Circuit, here: &[Lit]| {
            let again: Vec<Lit> =
                in_loop.iter().zip(here).map(|(&is_in, &here)| circuit.and(is_in, here)).collect();
            circuit.any(&again)
        };
        // What is left after the first round may as well come in the next ones.
        let mut rest = match before.is_empty() {
            true => circuit.no(),
            false => {
                let last = again(circuit, last);
                circuit.and(last, later)
            }
        };
        let rounds: Vec<Lit> = before.iter().skip(1).rev().map(|here| again(circuit, here)).collect();
        let mut rests = vec![rest];
        for round in rounds {
            rest = circuit.and(rest, round);
            rests.push(rest);
        }

        // Whether all that comes before has come at an earlier position.
        let mut come = vec![circuit.yes(); self.steps + 1];
        let mut ways = Vec::new();
        for (here, rest) in before.iter().zip(rests.into_iter().rev()) {
            let mut so_far = circuit.no();
            for (come, &here) in come.iter_mut().zip(here) {
                let now = circuit.and(*come, here);
                *come = so_far;
                so_far = circuit.or(so_far, now);
            }
            ways.push(circuit.and(so_far, rest));
        }
        let mut once = circuit.any(&ways);
        for at in (0..=self.steps).rev() {
            let now = circuit.and(last[at], later);
            let now = circuit.and(come[at], now);
            once = circuit.or(once, now);
            later = circuit.and(later, after[at]);
        }
        once
    }

    /// The literal of a constraint.
    pub fn constraint(&mut self, constraint: &LassoConstraint) -> Lit {
        let instances = constraint.instances(self.unrolling.model, self.atoms);
        let all = instances.iter().map(|ground| {
            let facts: Vec<Lit> = ground.facts.iter().map(|fact| self.fact(fact)).collect();
            self.unrolling.circuit.all(&facts)
        });
        let all: Vec<Lit> = all.collect();
        self.unrolling.circuit.any(&all)
    }

    /// The literal of a condition: it is true exactly of the lassos that meet it.
    pub fn condition(&mut self, condition: &LassoCondition) -> Lit {
        match condition {
            LassoCondition::In(constraint) => self.constraint(constraint),
            LassoCondition::Outside(constraint) => !self.constraint(constraint),
            LassoCondition::AnyOf(conditions) => {
                let any: Vec<Lit> = conditions.iter().map(|condition| self.condition(condition)).collect();
                self.unrolling.circuit.any(&any)
            }
            LassoCondition::Formed(LassoForm::Takes { actions, start }) if actions.len() == self.steps => {
                let Unrolling { circuit, frames, .. } = &mut self.unrolling;
                let taken = frames.iter().skip(1).zip(actions).map(|(frame, action)| frame.actions[*action]);
                let begins = self.encoding.starts()[start.index()];
                let all: Vec<Lit> = taken.chain([begins]).collect();
                circuit.all(&all)
            }
            LassoCondition::Formed(LassoForm::Takes { .. }) => self.unrolling.circuit.no(),
            LassoCondition::Formed(LassoForm::Begins(states)) => {
                let Unrolling { circuit, frames, .. } = &mut self.unrolling;
                let mut same = Vec::new();
                for (frame, state) in frames.iter().zip(states) {
                    same.extend(
                        frame.state.iter().zip(&state.0).map(|(own, value)| own.is_value(circuit, value)),
                    );
                }
                circuit.all(&same)
            }
        }
    }

    /// Limits each later question to this many conflicts; `None` removes the limit.
    pub fn limit_conflicts(&mut self, most: Option<u32>) {
        self.unrolling.circuit.limit_conflicts(most);
    }

    /// The first of the lassos that satisfy these literals, if there is one: that with the shortest stem, and among these the first
    /// one in the order of the model.
    pub fn first(&mut self, assumptions: &[Lit]) -> Limited<Option<Lasso>> {
        if !self.is_possible(assumptions)? {
            return Ok(None);
        }
        self.encoding.first(&mut self.unrolling, self.steps, assumptions.to_vec()).map(Some)
    }

    /// True if there is a lasso that satisfies these literals.
    pub fn is_possible(&mut self, assumptions: &[Lit]) -> Limited<bool> {
        match self.unrolling.circuit.solve(assumptions) {
            Answer::Sat => Ok(true),
            Answer::Unsat => Ok(false),
            Answer::Unknown(why) => Err(why),
        }
    }

    /// Any lasso that satisfies these literals.
    pub fn any(&mut self, assumptions: &[Lit]) -> Limited<Option<Lasso>> {
        let is_possible = self.is_possible(assumptions)?;
        Ok(is_possible.then(|| self.encoding.found(&self.unrolling, self.steps)))
    }

    /// Literals of a conjunction, one for each position.
    fn conjunction(&mut self, what: &[AtomLiteral]) -> Vec<Lit> {
        let truths: Vec<(Vec<Lit>, bool)> =
            what.iter().map(|said| (self.truth(said.about.atom), said.holds)).collect();
        let circuit = &mut self.unrolling.circuit;
        let at = |position: Position| {
            let said = truths.iter().map(|(truth, holds)| (truth[position.index()], *holds));
            said.map(|(lit, holds)| if holds { lit } else { !lit }).collect::<Vec<Lit>>()
        };
        Position::all(self.steps + 1).map(|position| circuit.all(&at(position))).collect()
    }

    /// The truth of an atom at each position.
    fn truth(&mut self, id: AtomId) -> Vec<Lit> {
        if let Some(known) = self.truths.get(&id) {
            return known.clone();
        }
        let atom = self.atoms.get(id);
        let Unrolling { circuit, model, frames, .. } = &mut self.unrolling;
        let at = |position| {
            let mut encoder = Encoder::new(circuit, model, frames);
            encoder.bind_position(atom.params[0], position);
            encoder.truth(&atom.expr)
        };
        let truth: Vec<Lit> = Position::all(self.steps + 1).map(at).collect();
        self.truths.insert(id, truth.clone());
        truth
    }
}
