//! Who wins each position of a game that matters, and by which move.
//!
//! Positions are explored breadth-first from the first one, and what is won there and then is passed back at once, so that the
//! search ends as soon as the first position is won. What is left is solved by strongly connected components, the last ones
//! first: where all fixpoints of a component are of one kind it is linear, so alternation-free formulas take linear time;
//! elsewhere by W. Zielonka's algorithm (*Infinite games on finitely coloured graphs*, 1998).

mod recursive;

use super::game::{Game, GameStopped};
use crate::lts::{Bits, components_of};
use kit::budget::{Budget, Clock, Exhausted};
use kit::number::to_u32;

const NONE: u32 = u32::MAX;

/// Who wins which position, and how.
#[derive(Debug, Default)]
pub struct Solution {
    /// For each position who wins it; `None` if that was not needed.
    won: Vec<Option<bool>>,
    /// For each position where its winner moves, if it is the winner's and has moves.
    choice: Vec<u32>,
    /// For each position the number of its moves to positions that nobody has won yet.
    open: Vec<u32>,
    /// For each position the last of the moves to it.
    head: Vec<u32>,
    /// For each move the one before it to the same position, and where it comes from.
    moves_to: Vec<(u32, u32)>,
}

impl Solution {
    /// True if the shower wins a position; `None` if that was not needed.
    pub fn won(&self, position: u32) -> Option<bool> {
        self.won[position as usize]
    }

    /// Where the winner of a position moves.
    pub fn choice(&self, position: u32) -> Option<u32> {
        Some(self.choice[position as usize]).filter(|&choice| choice != NONE)
    }

    fn grow(&mut self, positions: usize) {
        self.won.resize(positions, None);
        self.choice.resize(positions, NONE);
        self.open.resize(positions, 0);
        self.head.resize(positions, NONE);
    }

    /// The positions from which a move leads to this one.
    fn before(&self, position: u32) -> impl Iterator<Item = u32> + '_ {
        let mut at = self.head[position as usize];
        std::iter::from_fn(move || {
            let &(next, from) = self.moves_to.get(at as usize)?;
            at = next;
            Some(from)
        })
    }

    /// Gives a position to its winner.
    fn give(&mut self, position: u32, shower: bool, choice: u32) {
        self.won[position as usize] = Some(shower);
        self.choice[position as usize] = choice;
    }

    /// Passes back that positions are won.
    fn pass_back(
        &mut self,
        game: &Game<'_>,
        mut news: Vec<u32>,
        clock: &mut Clock<'_>,
    ) -> Result<(), Exhausted> {
        let mut at = 0;
        while let Some(&position) = news.get(at) {
            at += 1;
            let Some(shower) = self.won[position as usize] else { continue };
            let mut link = self.head[position as usize];
            while link != NONE {
                let (next, from) = self.moves_to[link as usize];
                link = next;
                clock.tick()?;
                if self.won[from as usize].is_some() {
                    continue;
                }
                self.open[from as usize] -= 1;
                // Whose position it is wins by one move; the other one if there is no better.
                if game.is_deniers(from) != shower {
                    self.give(from, shower, position);
                    news.push(from);
                } else if self.open[from as usize] == 0 {
                    self.give(from, shower, NONE);
                    news.push(from);
                }
            }
        }
        Ok(())
    }
}

/// Solves a game as far as its first position needs it.
///
/// # Errors
/// If the budget is exhausted, or an expression has no value.
pub fn solve(game: &mut Game<'_>, budget: &Budget) -> Result<Solution, GameStopped> {
    let mut solution = Solution::default();
    explore(game, &mut solution, budget)?;
    if solution.won(0).is_none() {
        by_components(game, &mut solution, budget)?;
    }
    Ok(solution)
}

/// Explores the game until its first position is won or there is nothing more to explore.
fn explore(game: &mut Game<'_>, solution: &mut Solution, budget: &Budget) -> Result<(), GameStopped> {
    let mut clock = Clock::new(budget, "positions explored");
    let mut at: u32 = 0;
    while (at as usize) < game.len() {
        game.room(&mut clock)?;
        game.expand()?;
        solution.grow(game.len());
        let moves = game.moves(at);
        clock.ticks(1 + moves.len())?;
        let deniers = game.is_deniers(at);
        let mut result = None;
        for one in moves {
            let to = game.target(one);
            solution.moves_to.push((NONE, at));
            match solution.won(to) {
                None => {
                    solution.open[at as usize] += 1;
                    let head = &mut solution.head[to as usize];
                    solution.moves_to[one].0 = *head;
                    *head = to_u32(one);
                }
                Some(shower) if shower != deniers && result.is_none() => result = Some((shower, to)),
                Some(_) => {}
            }
        }
        if result.is_none() && solution.open[at as usize] == 0 {
            result = Some((deniers, NONE));
        }
        if let Some((shower, choice)) = result {
            solution.give(at, shower, choice);
            solution.pass_back(game, vec![at], &mut clock)?;
            if solution.won(0).is_some() {
                return Ok(());
            }
        }
        at += 1;
    }
    Ok(())
}

/// Solves what is left of a game that was explored, one component after the other.
fn by_components(game: &Game<'_>, solution: &mut Solution, budget: &Budget) -> Result<(), Exhausted> {
    let undecided = |position: u32| solution.won(position).is_none();
    let target =
        |_: usize, one: usize| Some(game.target(one)).filter(|&to| undecided(to)).map(|to| to as usize);
    let all = (0..game.len()).filter(|&position| undecided(to_u32(position)));
    let found = components_of(game.len(), all, |p| game.moves(to_u32(p)), target, budget)?;
    let mut clock = Clock::new(budget, "positions solved");
    // The positions of the component at hand.
    let mut inside = Bits::new(game.len());
    let mut order: Vec<u32> = (0..to_u32(game.len())).filter(|&p| solution.won(p).is_none()).collect();
    order.sort_unstable_by_key(|&p| (found.of[p as usize], p));
    for members in order.chunk_by(|&a, &b| found.of[a as usize] == found.of[b as usize]) {
        let left: Vec<u32> = members.iter().copied().filter(|&p| solution.won(p).is_none()).collect();
        if left.is_empty() {
            continue;
        }
        clock.ticks(left.len())?;
        let kinds = |even: bool| {
            left.iter().any(|&p| game.priority(p) > 0 && game.priority(p).is_multiple_of(2) == even)
        };
        match (kinds(true), kinds(false)) {
            (true, true) => recursive::solve(game, solution, left.clone(), &mut clock)?,
            (shower, _) => {
                left.iter().for_each(|&p| _ = inside.insert(p as usize));
                for &position in &left {
                    let own = game.is_deniers(position) != shower;
                    let mut stay = game.moves(position).map(|m| game.target(m));
                    let choice = stay.find(|&to| inside.has(to as usize)).filter(|_| own);
                    solution.give(position, shower, choice.unwrap_or(NONE));
                }
                left.iter().for_each(|&p| inside.remove(p as usize));
            }
        }
        solution.pass_back(game, left, &mut clock)?;
    }
    Ok(())
}
