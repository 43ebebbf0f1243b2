//! The literal definition of the operators by transitive closures, for small systems: it checks the results of the
//! other methods.
//!
//! After definition III.1 of M. Kember, L. Tran, G. Gao, N. A. Day, *Extracting counterexamples from
//! transitive-closure-based model checking* (2019), with several fairness conditions: a path meets each of them
//! infinitely often iff it returns to a state from which all of them can be met on the way back.

use super::formula::{CtlFormula, CtlOp, Subformula};
use super::structure::Structure;
use explicit::lts::StateId;

/// Returns the truth of each part of a formula in each state; `labels` gives that of labels. Takes quadratic space, and
/// quadratic time if there are few steps.
pub fn evaluate(formula: &CtlFormula, structure: &Structure, labels: &[Vec<bool>]) -> Vec<Vec<bool>> {
    let states = structure.states();
    let mut truth: Vec<Vec<bool>> = Vec::with_capacity(formula.len());
    for part in formula.parts() {
        let set: Vec<bool> = match formula.node(part) {
            CtlOp::True | CtlOp::Label(_) | CtlOp::Not(_) | CtlOp::And(..) | CtlOp::Or(..) => {
                state_by_state(formula.node(part), states, labels, &truth)
            }
            CtlOp::Next(a) => {
                let step = |s: usize| structure.after(StateId::new(s)).any(|to| truth[a.index()][to.index()]);
                (0..states).map(step).collect()
            }
            CtlOp::Until(a, b) => {
                let (through, goal) = (&truth[a.index()], &truth[b.index()]);
                // The last step leaves `a` and leads to the goal, which need not be in `a` itself.
                let closure = closure(structure, |from, _| through[from]);
                let reaches = |s: usize| goal[s] || (0..states).any(|t| closure[s][t] && goal[t]);
                (0..states).map(reaches).collect()
            }
            CtlOp::Always { of, fair } => {
                let inside = &truth[of.index()];
                let closure = closure(structure, |from, to| inside[from] && inside[to]);
                let again = |t: usize| {
                    let meets = |c: &Vec<bool>| (0..states).any(|u| c[u] && closure[t][u] && closure[u][t]);
                    closure[t][t] && fair.iter().all(|c| meets(&truth[c.index()]))
                };
                let good: Vec<bool> = (0..states).map(again).collect();
                let begins = |s: usize| good[s] || (0..states).any(|t| closure[s][t] && good[t]);
                (0..states).map(begins).collect()
            }
        };
        truth.push(set);
    }
    truth
}

/// Like [`evaluate`], on a single path of the given number of different states, which ends or returns to one of its
/// positions: there each state has one continuation, so no closure is needed.
///
/// After A. Biere, K. Heljanko, T. Junttila, T. Latvala, V. Schuppan, *Linear encodings of bounded LTL model checking*
/// (2006): two backward passes over the positions suffice for untils that end on the cycle before the position at which
/// they begin.
pub fn evaluate_on_path(
    formula: &CtlFormula,
    states: usize,
    back: Option<usize>,
    labels: &[Vec<bool>],
) -> Vec<Vec<bool>> {
    let mut truth: Vec<Vec<bool>> = Vec::with_capacity(formula.len());
    // The value after the last position, given the values at all positions.
    let after_last = |values: &[bool]| back.is_some_and(|to| values[to]);
    for part in formula.parts() {
        let set: Vec<bool> = match formula.node(part) {
            CtlOp::True | CtlOp::Label(_) | CtlOp::Not(_) | CtlOp::And(..) | CtlOp::Or(..) => {
                state_by_state(formula.node(part), states, labels, &truth)
            }
            CtlOp::Next(a) => {
                let a = &truth[a.index()];
                a[1..].iter().copied().chain([after_last(a)]).collect()
            }
            CtlOp::Until(a, b) => {
                let (through, goal) = (&truth[a.index()], &truth[b.index()]);
                let mut until = vec![false; states];
                for _ in 0..2 {
                    let mut later = after_last(&until);
                    for at in (0..states).rev() {
                        later = goal[at] || through[at] && later;
                        until[at] = later;
                    }
                }
                until
            }
            CtlOp::Always { of, fair } => {
                let inside = &truth[of.index()];
                let on_cycle = |set: &[bool], to: usize| set[to..].iter().any(|&holds| holds);
                let is_fair = |to| fair.iter().all(|condition| on_cycle(&truth[condition.index()], to));
                let mut always = vec![false; states];
                let mut later = back.is_some_and(|to| is_fair(to) && inside[to..].iter().all(|&holds| holds));
                for at in (0..states).rev() {
                    later &= inside[at];
                    always[at] = later;
                }
                always
            }
        };
        truth.push(set);
    }
    truth
}

/// Returns the transitive closure of the transitions that are kept.
fn closure(structure: &Structure, keep: impl Fn(usize, usize) -> bool) -> Vec<Vec<bool>> {
    let reached = |start: usize| {
        let mut row = vec![false; structure.states()];
        let mut open = vec![start];
        while let Some(from) = open.pop() {
            for to in structure.after(StateId::new(from)).map(|to| to.index()).filter(|&to| keep(from, to)) {
                if !std::mem::replace(&mut row[to], true) {
                    open.push(to);
                }
            }
        }
        row
    };
    (0..structure.states()).map(reached).collect()
}

/// Returns the values of a part that depend, in each state, only on the values of its operands there.
fn state_by_state(node: &CtlOp, states: usize, labels: &[Vec<bool>], truth: &[Vec<bool>]) -> Vec<bool> {
    let both = |a: &Subformula, b: &Subformula, combine: fn(bool, bool) -> bool| {
        truth[a.index()].iter().zip(&truth[b.index()]).map(|(&a, &b)| combine(a, b)).collect()
    };
    match node {
        CtlOp::True => vec![true; states],
        CtlOp::Label(label) => labels[*label].clone(),
        CtlOp::Not(a) => truth[a.index()].iter().map(|t| !t).collect(),
        CtlOp::And(a, b) => both(a, b, |a, b| a && b),
        CtlOp::Or(a, b) => both(a, b, |a, b| a || b),
        CtlOp::Next(_) | CtlOp::Until(..) | CtlOp::Always { .. } => {
            unreachable!("temporal operators depend on other states")
        }
    }
}
