//! The product of a listed system with a linear goal: a state, and the part of the goal that remains to be shown from
//! there.
//!
//! In a linear goal ([`CtlGoal::is_linear`]), at most one operator is open in each state, so a path that shows it is a
//! walk in this product. Breadth-first search finds shortest walks.

use super::check::SatisfactionSets;
use super::formula::{CtlFormula, CtlOp, Subformula};
use super::goal::CtlGoal;
use super::pace::WorkPoll;
use super::structure::Structure;
use explicit::lts::StateId;
use kit::budget::Exhausted;
use kit::number::to_u32;

/// An operator of the goal, by its number among its operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct GoalOperator(u32);

impl GoalOperator {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A state with its open operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ProductState {
    pub state: StateId,
    pub location: GoalOperator,
}

/// The number of a [`ProductState`], below [`GoalProduct::configs`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ConfigIndex(u32);

impl ConfigIndex {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The obligation that remains in a state that a walk enters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum EntryObligation {
    /// No obligation.
    Nothing,
    /// An operator to be shown.
    Operator(GoalOperator),
}

/// An operator `EG`.
pub(super) struct Always<'a> {
    pub location: GoalOperator,
    /// The part that holds along the path.
    pub of: Subformula,
    /// The fairness conditions, each of which holds infinitely often.
    pub fair: &'a [Subformula],
}

/// A system and a linear goal.
pub(super) struct GoalProduct<'a> {
    pub structure: &'a Structure,
    pub formula: &'a CtlFormula,
    /// The truth of all parts of the goal.
    pub truth: &'a SatisfactionSets,
    operators: Vec<Subformula>,
    /// For each part of the goal its number among the operators, if it is one.
    locations: Vec<Option<GoalOperator>>,
    /// True for each part of the goal that takes steps to show.
    steps: Vec<bool>,
}

impl<'a> GoalProduct<'a> {
    /// Creates the product, unless there are too many configurations to number.
    pub fn new(goal: &'a CtlGoal, structure: &'a Structure, truth: &'a SatisfactionSets) -> Option<Self> {
        let formula = &goal.formula;
        let steps: Vec<bool> = formula.quantifiers().iter().map(|quantifiers| quantifiers.0).collect();
        let (mut operators, mut locations) = (Vec::new(), Vec::new());
        for part in formula.parts() {
            let operator =
                matches!(formula.node(part), CtlOp::Next(_) | CtlOp::Until(..) | CtlOp::Always { .. });
            locations.push(operator.then_some(GoalOperator(to_u32(operators.len()))));
            operators.extend(operator.then_some(part));
        }
        let configs = structure.states().checked_mul(operators.len())?;
        (configs < u32::MAX as usize).then_some(())?;
        Some(Self { structure, formula, truth, operators, locations, steps })
    }

    /// Returns the number of configurations.
    pub fn configs(&self) -> usize {
        self.structure.states() * self.operators.len()
    }

    /// Returns all operators of the goal, by their locations.
    pub fn all_operators(&self) -> &[Subformula] {
        &self.operators
    }

    /// Returns the part of the goal that an operator is.
    pub fn operator(&self, location: GoalOperator) -> Subformula {
        self.operators[location.index()]
    }

    /// Returns the configuration with a number.
    pub fn index_of(&self, number: usize) -> ConfigIndex {
        debug_assert!(number < self.configs());
        ConfigIndex(to_u32(number))
    }

    pub fn index(&self, config: ProductState) -> ConfigIndex {
        ConfigIndex(config.state.to_u32() * to_u32(self.operators.len()) + config.location.0)
    }

    pub fn config(&self, index: ConfigIndex) -> ProductState {
        let operators = to_u32(self.operators.len());
        ProductState {
            state: StateId::from_u32(index.0 / operators),
            location: GoalOperator(index.0 % operators),
        }
    }

    /// Returns the operators that are `EG`.
    pub fn always(&self) -> impl Iterator<Item = Always<'_>> {
        self.operators.iter().enumerate().filter_map(|(at, &operator)| match self.formula.node(operator) {
            CtlOp::Always { of, fair } => Some(Always { location: GoalOperator(to_u32(at)), of: *of, fair }),
            _ => None,
        })
    }

    /// True if shortest walks of this product determine the shortest paths, even if a lasso still shows the goal after
    /// its return to an earlier state: all outermost operators are `EG` or untils, and only `EG` follows an until.
    pub fn is_exact(&self) -> bool {
        self.leaves(self.formula.root).into_iter().all(|first| match self.formula.node(first) {
            CtlOp::Always { .. } => true,
            CtlOp::Until(_, end) => {
                let after = self.leaves(*end);
                after.into_iter().all(|part| matches!(self.formula.node(part), CtlOp::Always { .. }))
            }
            _ => false,
        })
    }

    /// Returns the operators of a part that are not below others.
    fn leaves(&self, part: Subformula) -> Vec<Subformula> {
        let (mut open, mut seen) = (vec![part], vec![false; self.formula.len()]);
        let mut leaves = Vec::new();
        while let Some(part) = open.pop() {
            if !self.steps[part.index()] || std::mem::replace(&mut seen[part.index()], true) {
                continue;
            }
            match self.formula.node(part) {
                CtlOp::And(a, b) | CtlOp::Or(a, b) => open.extend([*b, *a]),
                _ => leaves.push(part),
            }
        }
        leaves
    }

    /// Returns the ways to show a part that holds in a state.
    fn enter(&self, state: StateId, part: Subformula) -> Vec<EntryObligation> {
        let mut ways = Vec::new();
        let (mut open, mut seen) = (vec![part], Vec::new());
        while let Some(part) = open.pop() {
            if seen.contains(&part) || !self.truth.holds(part, state) {
                continue;
            }
            seen.push(part);
            if !self.steps[part.index()] {
                ways.push(EntryObligation::Nothing);
                continue;
            }
            match self.formula.node(part) {
                // The goal is linear: one of the two takes no steps, and holds.
                CtlOp::And(a, b) => open.push(if self.steps[a.index()] { *a } else { *b }),
                CtlOp::Or(a, b) => open.extend([*b, *a]),
                node => {
                    let location = self.locations[part.index()].expect("what takes steps is an operator");
                    ways.push(EntryObligation::Operator(location));
                    if let CtlOp::Until(_, end) = node {
                        open.push(*end);
                    }
                }
            }
        }
        ways
    }

    /// True if some operator can be shown in a state so that no other one remains but `EG`.
    pub fn can_end(&self, state: StateId) -> bool {
        let ends = |part: Subformula| self.enter(state, part).contains(&EntryObligation::Nothing);
        self.operators.iter().any(|&operator| match self.formula.node(operator) {
            CtlOp::Next(a) | CtlOp::Until(_, a) => ends(*a),
            _ => self.truth.holds(operator, state),
        }) || ends(self.formula.root)
    }

    /// Returns the part that must hold after a step from a configuration.
    fn after(&self, location: GoalOperator, state: StateId) -> Option<Subformula> {
        let operator = self.operator(location);
        match self.formula.node(operator) {
            CtlOp::Next(a) => Some(*a),
            CtlOp::Until(through, _) => self.truth.holds(*through, state).then_some(operator),
            _ => Some(operator),
        }
    }

    /// Visits the configurations after another one, and the states that show the goal, state by state.
    pub fn successors(&self, config: ProductState, mut visit: impl FnMut(StateId, Option<GoalOperator>)) {
        let Some(part) = self.after(config.location, config.state) else { return };
        // `EG` continues by itself.
        let always =
            part == self.operator(config.location) && matches!(self.formula.node(part), CtlOp::Always { .. });
        for to in self.structure.after(config.state).filter(|&to| self.truth.holds(part, to)) {
            if always {
                visit(to, Some(config.location));
                continue;
            }
            for way in self.enter(to, part) {
                match way {
                    EntryObligation::Nothing => visit(to, None),
                    EntryObligation::Operator(location) => visit(to, Some(location)),
                }
            }
        }
    }

    /// Returns shortest walks from the initial states in which the goal holds to all configurations, up to the first
    /// one that shows the goal without going on for ever.
    ///
    /// # Errors
    /// If the budget ends.
    pub fn walks(&self, pace: &mut WorkPoll<'_>) -> Result<ShortestWalks, Exhausted> {
        let mut walks = ShortestWalks {
            distances: vec![ShortestWalks::FAR; self.configs()],
            before: vec![ConfigIndex(ShortestWalks::FAR); self.configs()],
            order: Vec::new(),
            shown: None,
        };
        let root = self.formula.root;
        for &state in self.structure.initial.iter().filter(|&&s| self.truth.holds(root, s)) {
            for way in self.enter(state, root) {
                let location = match way {
                    EntryObligation::Nothing => None,
                    EntryObligation::Operator(location) => Some(location),
                };
                walks.reach(self, None, state, location);
            }
        }
        let mut next = 0;
        while walks.shown.is_none()
            && let Some(&from) = walks.order.get(next)
        {
            next += 1;
            let config = self.config(from);
            pace.spend(1 + self.structure.lts.out(config.state).len())?;
            self.successors(config, |state, location| walks.reach(self, Some(from), state, location));
        }
        Ok(walks)
    }
}

/// Shortest walks through a product.
pub(super) struct ShortestWalks {
    /// For each configuration the least number of steps to it, or [`ShortestWalks::FAR`].
    distances: Vec<u32>,
    /// For each configuration the one before it on a shortest walk; itself at the beginning.
    before: Vec<ConfigIndex>,
    /// The configurations that were reached, nearest first.
    pub order: Vec<ConfigIndex>,
    /// A nearest state where nothing remains to be shown: its number, and the configuration before it, if any.
    pub shown: Option<(StateId, Option<ConfigIndex>)>,
}

impl ShortestWalks {
    const FAR: u32 = u32::MAX;

    fn reach(
        &mut self,
        product: &GoalProduct<'_>,
        from: Option<ConfigIndex>,
        state: StateId,
        location: Option<GoalOperator>,
    ) {
        let Some(location) = location else {
            self.shown.get_or_insert((state, from));
            return;
        };
        let index = product.index(ProductState { state, location });
        if self.distances[index.index()] == Self::FAR {
            self.distances[index.index()] = from.map_or(0, |from| self.distances[from.index()] + 1);
            self.before[index.index()] = from.unwrap_or(index);
            self.order.push(index);
        }
    }

    /// Returns the least number of steps to a configuration.
    pub fn distance(&self, to: ConfigIndex) -> Option<usize> {
        let distance = self.distances[to.index()];
        (distance != Self::FAR).then_some(distance as usize)
    }

    /// Returns the states of a shortest walk to a configuration.
    pub fn states_to(&self, product: &GoalProduct<'_>, to: ConfigIndex) -> Vec<StateId> {
        let mut states = Vec::new();
        let mut at = to;
        loop {
            states.push(product.config(at).state);
            let before = self.before[at.index()];
            if before == at {
                break;
            }
            at = before;
        }
        states.reverse();
        states
    }
}
