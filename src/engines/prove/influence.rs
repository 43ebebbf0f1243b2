//! The cone of influence: the variables of a step on which bad states, now or later, and the possibility of steps depend.

use kit::number::to_u32;
use rustc_hash::FxHashSet;
use solvers::sat::{GateDefinition, Lit};

/// The variables on which some literals depend, closed under steps: with a statement before the step, the same statement
/// after it is in the cone.
pub(super) struct ConeOfInfluence<'d> {
    definitions: &'d [Option<GateDefinition>],
    /// True for each variable in the cone. Variable 0, which is true, is in every cone.
    reached: Vec<bool>,
}

impl<'d> ConeOfInfluence<'d> {
    /// Returns the cone of these literals alone; definitions are of gates, by variable.
    pub fn of(definitions: &'d [Option<GateDefinition>], roots: impl Iterator<Item = Lit>) -> Self {
        let mut cone = Self { definitions, reached: vec![false; definitions.len()] };
        cone.reached[0] = true;
        roots.for_each(|root| cone.add(root));
        cone
    }

    /// Closes the cone under steps, given the statements before and after one. Returns those of the initial conditions
    /// that constrain variables in the cone; the others constrain only variables outside.
    pub fn close(&mut self, now: &[Lit], next: &[Lit], initial: &[Lit]) -> Vec<Lit> {
        let mut statements: Vec<(Lit, Lit)> = now.iter().copied().zip(next.iter().copied()).collect();
        let mut conditions = initial.to_vec();
        let mut read = Vec::new();
        loop {
            let open = (statements.len(), conditions.len());
            statements.retain(|&(now, next)| {
                let is_read = self.reads(now);
                if is_read {
                    self.add(now);
                    self.add(next);
                }
                !is_read
            });
            conditions.retain(|&condition| {
                let is_read = condition.vidx() == 0 || self.reads(condition);
                if is_read {
                    self.add(condition);
                    read.push(condition);
                }
                !is_read
            });
            if open == (statements.len(), conditions.len()) {
                return read;
            }
        }
    }

    /// True for a variable in the cone.
    pub fn contains(&self, variable: usize) -> bool {
        self.reached[variable]
    }

    /// Numbers the variables in the cone in ascending order; for those outside, returns the literal that is always true.
    pub fn numbers(&self) -> Vec<Lit> {
        let mut count = 0;
        let number = |&is_reached: &bool| {
            count += usize::from(is_reached);
            Lit::positive(if is_reached { to_u32(count - 1) } else { 0 })
        };
        self.reached.iter().map(number).collect()
    }

    fn add(&mut self, root: Lit) {
        let mut open = vec![root];
        while let Some(lit) = open.pop() {
            if !std::mem::replace(&mut self.reached[lit.vidx()], true)
                && let Some(definition) = &self.definitions[lit.vidx()]
            {
                open.extend(definition.inputs());
            }
        }
    }

    /// True if a literal depends on a variable in the cone.
    fn reads(&self, root: Lit) -> bool {
        let (mut open, mut seen) = (vec![root], FxHashSet::default());
        while let Some(lit) = open.pop() {
            if lit.vidx() == 0 || !seen.insert(lit.vidx()) {
                continue;
            }
            if self.reached[lit.vidx()] {
                return true;
            }
            open.extend(self.definitions[lit.vidx()].iter().flat_map(GateDefinition::inputs));
        }
        false
    }
}
