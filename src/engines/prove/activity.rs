//! Activity scores of literals in recently blocked cubes: often needed literals are the last candidates to be dropped.

use super::cube::Cube;
use super::statement::StateLit;

/// The factor by which the increment grows with each blocked cube.
const GROWTH: f64 = 1.05;

/// The score beyond which all scores are scaled down.
const LARGEST: f64 = 1e100;

/// A score for each literal.
pub(super) struct LiteralActivity {
    scores: Vec<[f64; 2]>,
    increment: f64,
}

impl LiteralActivity {
    pub fn new(statements: usize) -> Self {
        Self { scores: vec![[0.0; 2]; statements], increment: 1.0 }
    }

    /// Raises the scores of the literals of a blocked cube.
    pub fn bump(&mut self, cube: &Cube) {
        for literal in cube.literals() {
            self.scores[literal.statement.0][usize::from(literal.holds)] += self.increment;
        }
        self.increment *= GROWTH;
        if self.increment > LARGEST {
            self.scores.iter_mut().flatten().for_each(|score| *score /= LARGEST);
            self.increment /= LARGEST;
        }
    }

    /// Returns the literals of a cube, the least active first.
    pub fn least_first(&self, cube: &Cube) -> Vec<StateLit> {
        let mut literals = cube.literals().to_vec();
        let score = |literal: &StateLit| self.scores[literal.statement.0][usize::from(literal.holds)];
        literals.sort_by(|a, b| score(a).total_cmp(&score(b)));
        literals
    }

    /// Returns the literals of a cube, the most active first.
    pub fn most_first(&self, cube: &Cube) -> impl Iterator<Item = StateLit> + use<> {
        self.least_first(cube).into_iter().rev()
    }
}
