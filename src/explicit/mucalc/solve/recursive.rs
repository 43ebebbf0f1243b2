//! Zielonka's algorithm for the greatest priority of a part of a game.

use super::{NONE, Solution};
use crate::mucalc::game::Game;
use kit::budget::{Clock, Exhausted};
use rustc_hash::FxHashMap;

/// Gives each of these positions to its winner. Every position has a move to another of them, and no move to others matters.
///
/// # Errors
/// If the budget is exhausted.
pub fn solve(
    game: &Game<'_>,
    solution: &mut Solution,
    positions: Vec<u32>,
    clock: &mut Clock<'_>,
) -> Result<(), Exhausted> {
    let part = positions.iter().map(|&position| (position, 0)).collect();
    let mut solver = ZielonkaSolver { game, before: &*solution, part, parts: 0, won: FxHashMap::default() };
    solver.solve(positions, clock)?;
    let won = solver.won;
    for (position, (shower, choice)) in won {
        solution.give(position, shower, choice);
    }
    Ok(())
}

struct ZielonkaSolver<'s, 'g> {
    game: &'s Game<'g>,
    before: &'s Solution,
    /// For each position the smallest part that it was last put into.
    part: FxHashMap<u32, u32>,
    parts: u32,
    /// The winner of each position, and where it moves.
    won: FxHashMap<u32, (bool, u32)>,
}

/// The attractor of a player: positions from which that player can force the play into a set.
struct Attracted {
    /// Those positions, each with the move that leads nearer, if it is the player's.
    near: Vec<(u32, u32)>,
    rest: Vec<u32>,
}

impl ZielonkaSolver<'_, '_> {
    /// Makes a part of these positions.
    fn mark(&mut self, positions: &[u32]) -> u32 {
        self.parts += 1;
        for position in positions {
            self.part.insert(*position, self.parts);
        }
        self.parts
    }

    fn is_in(&self, position: u32, part: u32) -> bool {
        self.part.get(&position) == Some(&part)
    }

    fn moves(&self, position: u32, part: u32) -> impl Iterator<Item = u32> + '_ {
        let moves = self.game.moves(position).map(|one| self.game.target(one));
        moves.filter(move |&to| self.is_in(to, part))
    }

    /// Finds the winners of a part in which every position has a move. The depth is that of the number of priorities.
    fn solve(&mut self, mut positions: Vec<u32>, clock: &mut Clock<'_>) -> Result<(), Exhausted> {
        while !positions.is_empty() {
            let part = self.mark(&positions);
            let greatest = positions.iter().map(|&p| self.game.priority(p)).max().unwrap_or(0);
            let favoured = greatest.is_multiple_of(2);
            let top: Vec<u32> =
                positions.iter().copied().filter(|&p| self.game.priority(p) == greatest).collect();
            let Attracted { near, rest } = self.attract(&positions, top.clone(), favoured, part, clock)?;
            self.solve(rest.clone(), clock)?;
            let lost: Vec<u32> = rest
                .iter()
                .copied()
                .filter(|p| self.won.get(p).is_some_and(|(s, _)| *s != favoured))
                .collect();
            let part = self.mark(&positions);
            if lost.is_empty() {
                for (position, choice) in near {
                    self.won.insert(position, (favoured, choice));
                }
                for position in top {
                    let own = self.game.is_deniers(position) != favoured;
                    let choice = self.moves(position, part).next().filter(|_| own).unwrap_or(NONE);
                    self.won.insert(position, (favoured, choice));
                }
                return Ok(());
            }
            let strategy: FxHashMap<u32, (bool, u32)> = lost.iter().map(|p| (*p, self.won[p])).collect();
            let Attracted { near, rest } = self.attract(&positions, lost, !favoured, part, clock)?;
            for (position, choice) in near {
                self.won.insert(position, (!favoured, choice));
            }
            self.won.extend(strategy);
            positions = rest;
        }
        Ok(())
    }

    /// The positions of a part from which a player can force the play into a set.
    fn attract(
        &self,
        positions: &[u32],
        set: Vec<u32>,
        shower: bool,
        part: u32,
        clock: &mut Clock<'_>,
    ) -> Result<Attracted, Exhausted> {
        let mut found: FxHashMap<u32, u32> = set.iter().map(|&position| (position, NONE)).collect();
        let mut open: FxHashMap<u32, usize> = FxHashMap::default();
        let mut news = set;
        let mut at = 0;
        while let Some(&position) = news.get(at) {
            at += 1;
            for from in self.before.before(position) {
                clock.tick()?;
                if found.contains_key(&from) || !self.is_in(from, part) {
                    continue;
                }
                if self.game.is_deniers(from) != shower {
                    found.insert(from, position);
                    news.push(from);
                    continue;
                }
                let left = open.entry(from).or_insert_with(|| self.moves(from, part).count());
                *left -= 1;
                if *left == 0 {
                    found.insert(from, NONE);
                    news.push(from);
                }
            }
        }
        let rest = positions.iter().copied().filter(|position| !found.contains_key(position)).collect();
        Ok(Attracted { near: found.into_iter().collect(), rest })
    }
}
