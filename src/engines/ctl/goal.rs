//! Goals of counterexamples and witnesses: formulas with existential operators only.
//!
//! A formula is violated at a state iff its negation holds there. With negations pushed inwards, existential operators
//! assert that certain steps exist; a counterexample shows these. A universal subformula is a fact of the whole system:
//! no choice of steps can show it.

use super::check::SatisfactionSets;
use super::formula::{CtlBuilder, CtlFormula, CtlOp, PreservationClass, Subformula};
use explicit::lts::Bits;
use rustc_hash::FxHashMap;

/// A fact about a state that is taken from the whole system: a part of the original formula holds there, or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct GoalFact {
    /// The part of the original formula.
    pub part: Subformula,
    /// True if the part holds there.
    pub holds: bool,
}

/// A goal: a formula in negation normal form with existential operators only.
#[derive(Debug, Clone)]
pub struct CtlGoal {
    /// Existential operators, conjunctions and disjunctions over labels; each label is one of the facts.
    pub formula: CtlFormula,
    /// The meanings of its labels.
    pub facts: Vec<GoalFact>,
}

impl CtlGoal {
    /// Creates the goal of showing that a formula holds in a state, or that it does not.
    pub fn new(formula: &CtlFormula, holds: bool) -> Self {
        let mut maker = GoalBuilder {
            formula,
            shows_steps: shows_steps(formula),
            builder: CtlBuilder::new(),
            facts: Vec::new(),
            known: FxHashMap::default(),
        };
        let fair: Vec<Subformula> = formula.fair.iter().map(|&c| maker.part(c, true)).collect();
        maker.builder.only_fair(fair);
        let root = maker.part(formula.root, holds);
        Self { formula: maker.builder.finish(root), facts: maker.facts }
    }

    /// Returns the facts as sets of states, from the truth of the original formula on the whole system.
    pub fn fact_sets(&self, truth: &SatisfactionSets, states: usize) -> Vec<Bits> {
        let set = |fact: &GoalFact| {
            let mut set = Bits::new(states);
            (0..states).filter(|&s| truth.of(fact.part).has(s) == fact.holds).for_each(|s| _ = set.insert(s));
            set
        };
        self.facts.iter().map(set).collect()
    }

    /// True if steps must be shown at all.
    pub fn has_steps(&self) -> bool {
        self.formula.quantifies(self.formula.root).0
    }

    /// Returns the reason why no steps show the verdict that the formula holds (`holds`) or not; `None` if some do.
    pub(super) fn is_shown_by_nothing(&self, formula: &CtlFormula, holds: bool) -> Option<&'static str> {
        let nothing = holds && !self.has_steps();
        nothing.then(|| match formula.class() {
            PreservationClass::Propositional => "it is about the initial states alone",
            _ => "no steps can show that it holds: it is about all paths",
        })
    }

    /// True if it asks for at most one continuation in every state, so that some single path, possibly with repeated
    /// states, shows it.
    pub fn is_linear(&self) -> bool {
        let quantifiers = self.formula.quantifiers();
        let steps = |part: &Subformula| quantifiers[part.index()].0;
        self.formula.parts().all(|part| match self.formula.node(part) {
            CtlOp::And(a, b) => !(steps(a) && steps(b)),
            CtlOp::Until(a, _) => !steps(a),
            CtlOp::Always { of, fair } => !steps(of) && !fair.iter().any(steps),
            _ => true,
        })
    }
}

/// Returns for each part if it takes steps to show that it does not hold, and that it does. Universal subformulas do
/// not count.
fn shows_steps(formula: &CtlFormula) -> Vec<[bool; 2]> {
    let mut all: Vec<[bool; 2]> = Vec::with_capacity(formula.len());
    for part in formula.parts() {
        let of = |part: &Subformula| all[part.index()];
        all.push(match formula.node(part) {
            CtlOp::True | CtlOp::Label(_) => [false, false],
            CtlOp::Not(a) => [of(a)[1], of(a)[0]],
            CtlOp::And(a, b) | CtlOp::Or(a, b) => [of(a)[0] || of(b)[0], of(a)[1] || of(b)[1]],
            CtlOp::Next(_) | CtlOp::Until(..) | CtlOp::Always { .. } => [false, true],
        });
    }
    all
}

struct GoalBuilder<'a> {
    formula: &'a CtlFormula,
    shows_steps: Vec<[bool; 2]>,
    builder: CtlBuilder,
    facts: Vec<GoalFact>,
    known: FxHashMap<GoalFact, Subformula>,
}

impl GoalBuilder<'_> {
    fn part(&mut self, part: Subformula, holds: bool) -> Subformula {
        let fact = GoalFact { part, holds };
        if let Some(&known) = self.known.get(&fact) {
            return known;
        }
        let made = self.make(fact);
        self.known.insert(fact, made);
        made
    }

    fn make(&mut self, fact: GoalFact) -> Subformula {
        let GoalFact { part, holds } = fact;
        match self.formula.node(part) {
            CtlOp::True if holds => self.builder.yes(),
            CtlOp::Not(a) => self.part(*a, !holds),
            _ if !self.shows_steps[part.index()][usize::from(holds)] => {
                let text = if holds { self.formula.text(part) } else { self.formula.negated_text(part) };
                self.facts.push(fact);
                self.builder.label(text)
            }
            CtlOp::And(a, b) | CtlOp::Or(a, b) => {
                let and = matches!(self.formula.node(part), CtlOp::And(..)) == holds;
                let (a, b) = (self.part(*a, holds), self.part(*b, holds));
                if and { self.builder.and(a, b) } else { self.builder.or(a, b) }
            }
            // Fairness is already expanded, so operators are built without it.
            CtlOp::Next(a) => {
                let a = self.part(*a, true);
                self.builder.part(CtlOp::Next(a))
            }
            CtlOp::Until(a, b) => {
                let (a, b) = (self.part(*a, true), self.part(*b, true));
                self.builder.part(CtlOp::Until(a, b))
            }
            CtlOp::Always { of, fair } => {
                let of = self.part(*of, true);
                let mut fair: Vec<Subformula> = fair.iter().map(|&c| self.part(c, true)).collect();
                fair.sort_unstable();
                fair.dedup();
                self.builder.part(CtlOp::Always { of, fair })
            }
            CtlOp::True | CtlOp::Label(_) => unreachable!("these show no steps"),
        }
    }
}
