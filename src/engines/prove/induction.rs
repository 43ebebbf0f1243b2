//! k-induction (M. Sheeran, S. Singh, G. Stålmarck, "Checking safety properties using induction and a
//! SAT-solver", FMCAD 2000).
//!
//! A state that is not bad before position k, and never bad after k states that are not, is never bad. Paths may be
//! assumed to visit no state twice; two positions are made to differ only once the solver finds them equal (N. Eén, N.
//! Sörensson, "Temporal induction by incremental SAT solving", BMC 2003).

use super::certificate::{Certificate, differ};
use super::system::{ObservedModel, SystemPath};
use super::{ProofEffort, ProofSearchResult};
use kit::budget::{Activity, Progress};
use lang::model::Position;
use solvers::sat::{Answer, Lit};

/// k-induction for one k after the other.
pub(super) struct Induction<'a> {
    /// Paths from the initial states.
    base: SystemPath<'a>,
    /// Paths from any state, with no bad state before the last position.
    step: SystemPath<'a>,
    /// The statements at each position of `step`.
    statements: Vec<Vec<Lit>>,
    distinct: Vec<(Position, Position)>,
    k: usize,
}

impl<'a> Induction<'a> {
    pub fn new(system: &'a ObservedModel<'a>, effort: &ProofEffort<'_>) -> Self {
        Self {
            base: system.paths_from_start(effort.backend, effort.budget),
            step: system.paths_from_anywhere(effort.backend, effort.budget),
            statements: Vec::new(),
            distinct: Vec::new(),
            k: 0,
        }
    }

    /// Returns the number of steps below which no bad state is reachable.
    pub fn depth(&self) -> usize {
        self.k
    }

    /// Tries all k up to `most`, continuing from the last k.
    pub fn up_to(&mut self, most: usize, effort: &mut ProofEffort<'_>) -> ProofSearchResult {
        while self.k <= most {
            let [base, step] = [&self.base, &self.step].map(|path| path.unrolling.circuit.effort());
            let spent = (base.0 + step.0, base.1 + step.1);
            effort.observer.progress(&Progress::of(Activity::Induction, self.k, spent));
            match self.follows() {
                Answer::Unsat => {
                    let distinct = self.distinct.clone();
                    return ProofSearchResult::Holds(Certificate::Induction { k: self.k, distinct });
                }
                Answer::Unknown(why) => return ProofSearchResult::Exhausted(why),
                Answer::Sat => {}
            }
            match self.happens(effort.observer.excluded()) {
                Answer::Sat => return ProofSearchResult::Violated(self.k),
                Answer::Unknown(why) => return ProofSearchResult::Exhausted(why),
                Answer::Unsat => self.k += 1,
            }
        }
        ProofSearchResult::Nothing
    }

    /// Searches for a bad state after exactly k steps, unless it is known that there is none in fewer than `excluded` steps.
    fn happens(&mut self, excluded: usize) -> Answer {
        let last = Position::after(self.k);
        self.base.grow_to(last);
        let (here, bad) = (self.base.reaches(last), self.base.bad(last));
        let answer =
            if self.k < excluded { Answer::Unsat } else { self.base.unrolling.circuit.solve(&[here, bad]) };
        if answer == Answer::Unsat {
            self.base.unrolling.circuit.add_clause(&[!here, !bad]);
        }
        answer
    }

    /// Searches for a bad state after k different states that are not bad.
    fn follows(&mut self) -> Answer {
        let last = Position::after(self.k);
        self.step.grow_to(last);
        let statements = self.step.statements(last);
        self.statements.push(statements);
        let (here, bad) = (self.step.reaches(last), self.step.bad(last));
        loop {
            let answer = self.step.unrolling.circuit.solve(&[here, bad]);
            if answer != Answer::Sat {
                return answer;
            }
            let Some((i, j)) = self.visited_twice() else {
                self.step.unrolling.circuit.add_clause(&[!here, !bad]);
                return Answer::Sat;
            };
            self.distinct.push((i, j));
            let different = differ(&mut self.step, i, j);
            self.step.unrolling.circuit.add_clause(&[!self.step.reaches(j), different]);
        }
    }

    /// Returns two positions of the solver's path with the same state.
    fn visited_twice(&self) -> Option<(Position, Position)> {
        let circuit = &self.step.unrolling.circuit;
        let states: Vec<Vec<bool>> =
            self.statements.iter().map(|lits| lits.iter().map(|lit| circuit.value(*lit)).collect()).collect();
        let positions = Position::all(states.len());
        let mut pairs = positions.flat_map(|j| Position::range(Position::FIRST..j).map(move |i| (i, j)));
        pairs.find(|&(i, j)| states[i.index()] == states[j.index()])
    }
}
