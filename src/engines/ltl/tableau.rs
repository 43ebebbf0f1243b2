//! The automaton of a formula: which parts of it hold, position by position.
//!
//! The tableau of E. Clarke, O. Grumberg and K. Hamaguchi, *Another look at LTL model checking* (1997). Without past
//! operators, the truth of a formula depends only on later positions, so the cells of the positions of a lasso repeat
//! with it. A shortest lasso of the product with a system is therefore a shortest one of the system (V. Schuppan and A.
//! Biere, *Shortest counterexamples for symbolic model checking of LTL with past*, 2005).

use super::formula::{LtlFormula, LtlOp, LtlPart};
use kit::number::to_u32;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The most operators of a formula with an automaton, which can have two to the power of their number cells.
pub const MOST_OPERATORS: usize = 16;

/// The most parts of a formula with an automaton.
pub const MOST_PARTS: usize = 128;

/// The truth of all parts of the formula at a position, a bit for each.
pub type PartTruths = u128;

/// The cells of the automaton, made on demand.
pub struct Tableau<'f> {
    formula: &'f LtlFormula,
    /// The numbers of the temporal parts.
    temporal: Vec<usize>,
    /// The `until` parts, each with its second operand: (part, goal).
    untils: Vec<(usize, usize)>,
    cells: Vec<TableauCell>,
    /// The cells of each truth of the atoms.
    of_letter: FxHashMap<u64, Rc<[u32]>>,
    /// The successors of a cell under a truth of the atoms.
    after: FxHashMap<(u32, u64), Rc<[u32]>>,
}

#[derive(Debug, Clone, Copy)]
struct TableauCell {
    truth: PartTruths,
}

impl<'f> Tableau<'f> {
    /// Creates the automaton; `None` if the formula is too large.
    pub fn new(formula: &'f LtlFormula) -> Option<Self> {
        let temporal: Vec<usize> = formula.temporal().map(|part| part.index()).collect();
        if temporal.len() > MOST_OPERATORS || formula.nodes().len() > MOST_PARTS || formula.atoms().len() > 64
        {
            return None;
        }
        let untils = formula.nodes().iter().enumerate().filter_map(|(index, node)| match node {
            LtlOp::Until(_, goal) => Some((index, goal.index())),
            _ => None,
        });
        let untils = untils.collect();
        let (of_letter, after) = (FxHashMap::default(), FxHashMap::default());
        Some(Self { formula, temporal, untils, cells: Vec::new(), of_letter, after })
    }

    /// Returns the initial cells for a trace whose initial state has this letter (the truth of the atoms).
    pub fn first(&mut self, letter: u64) -> Vec<u32> {
        let root = self.formula.root.index();
        let cells = self.of_letter(letter);
        cells.iter().copied().filter(|&cell| has(self.cells[cell as usize].truth, root)).collect()
    }

    /// Returns the cells of the next position, which has this letter.
    pub fn after(&mut self, cell: u32, letter: u64) -> Rc<[u32]> {
        if let Some(known) = self.after.get(&(cell, letter)) {
            return Rc::clone(known);
        }
        let all = self.of_letter(letter);
        let here = self.cells[cell as usize].truth;
        let follows = |next: &u32| self.follows(here, self.cells[*next as usize].truth);
        let found: Rc<[u32]> = all.iter().copied().filter(follows).collect();
        self.after.insert((cell, letter), Rc::clone(&found));
        found
    }

    /// Returns the number of acceptance sets, each of which must be met infinitely often.
    pub fn sets(&self) -> usize {
        self.untils.len()
    }

    /// Returns the acceptance sets of a cell, a bit for each: those whose `until` is not open.
    pub fn met(&self, cell: u32) -> u64 {
        let truth = self.cells[cell as usize].truth;
        let met = |(part, goal): (usize, usize)| !has(truth, part) || has(truth, goal);
        self.untils.iter().enumerate().fold(0, |all, (set, &until)| all | (u64::from(met(until)) << set))
    }

    /// Returns all cells of a letter, one for each consistent truth of the temporal parts.
    fn of_letter(&mut self, letter: u64) -> Rc<[u32]> {
        if let Some(known) = self.of_letter.get(&letter) {
            return Rc::clone(known);
        }
        let first = to_u32(self.cells.len());
        for choice in 0..1u64 << self.temporal.len() {
            if let Some(truth) = self.truth(letter, choice) {
                self.cells.push(TableauCell { truth });
            }
        }
        let cells: Rc<[u32]> = (first..to_u32(self.cells.len())).collect();
        self.of_letter.insert(letter, Rc::clone(&cells));
        cells
    }

    /// Returns the truth of all parts, given that of the atoms and of the temporal parts; `None` if they contradict
    /// each other.
    fn truth(&self, letter: u64, choice: u64) -> Option<PartTruths> {
        let mut truth: PartTruths = 0;
        let mut temporal = 0;
        for (index, node) in self.formula.nodes().iter().enumerate() {
            let mut chosen = || {
                temporal += 1;
                choice >> (temporal - 1) & 1 == 1
            };
            let of = |part: LtlPart| has(truth, part.index());
            let holds = match *node {
                LtlOp::Constant(value) => value,
                LtlOp::Atom(atom, positive) => (letter >> atom & 1 == 1) == positive,
                LtlOp::And(a, b) => of(a) && of(b),
                LtlOp::Or(a, b) => of(a) || of(b),
                LtlOp::Next(_) => chosen(),
                LtlOp::Until(a, b) => {
                    let holds = chosen();
                    // A part that already holds, or can no longer hold, leaves no choice.
                    if of(b) && !holds || holds && !of(a) && !of(b) {
                        return None;
                    }
                    holds
                }
                LtlOp::Release(a, b) => {
                    let holds = chosen();
                    if holds && !of(b) || !holds && of(a) && of(b) {
                        return None;
                    }
                    holds
                }
            };
            truth |= PartTruths::from(holds) << index;
        }
        Some(truth)
    }

    /// True if one truth of the parts can directly follow another.
    fn follows(&self, here: PartTruths, next: PartTruths) -> bool {
        self.temporal.iter().all(|&index| {
            let own = has(here, index);
            match self.formula.nodes()[index] {
                LtlOp::Next(a) => own == has(next, a.index()),
                LtlOp::Until(a, b) => {
                    let open = has(here, a.index()) && !has(here, b.index());
                    !open || own == has(next, index)
                }
                LtlOp::Release(a, b) => {
                    let open = has(here, b.index()) && !has(here, a.index());
                    !open || own == has(next, index)
                }
                _ => true,
            }
        })
    }
}

fn has(truth: PartTruths, part: usize) -> bool {
    truth >> part & 1 == 1
}
