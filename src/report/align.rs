//! Two traces side by side: which step of one belongs beside which step of the other.

use crate::model::Position;
use crate::trace::Trace;

/// A row of two traces side by side: a position of either, or of both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Aligned {
    /// The position in the first trace.
    pub left: Option<Position>,
    /// The position in the second trace.
    pub right: Option<Position>,
}

/// How much it is worth that two labels stand beside each other.
const SAME: usize = 3;
const SAME_ACTION: usize = 1;

/// The alignment with as many equal labels beside each other as possible, and among these with as many labels of the same
/// action. First states are beside each other. (A longest common subsequence: Wagner, Fischer, *The string-to-string
/// correction problem*, 1974.)
pub(super) fn align(left: &Trace, right: &Trace) -> Vec<Aligned> {
    let worth = |l: usize, r: usize| match (&left.moments[l].label, &right.moments[r].label) {
        (None, None) => SAME,
        (Some(a), Some(b)) if a == b => SAME,
        (Some(a), Some(b)) if a.action == b.action => SAME_ACTION,
        _ => 0,
    };
    let (rows, columns) = (left.moments.len(), right.moments.len());
    // What the rest of both is worth from these positions on.
    let mut best = vec![vec![0; columns + 1]; rows + 1];
    for l in (0..rows).rev() {
        for r in (0..columns).rev() {
            let beside = if worth(l, r) > 0 { worth(l, r) + best[l + 1][r + 1] } else { 0 };
            best[l][r] = beside.max(best[l + 1][r]).max(best[l][r + 1]);
        }
    }
    let (mut l, mut r) = (0, 0);
    let mut aligned = Vec::new();
    while l < rows || r < columns {
        let both = l < rows && r < columns;
        if both && worth(l, r) > 0 && best[l][r] == worth(l, r) + best[l + 1][r + 1] {
            aligned.push(Aligned { left: Some(Position::new(l)), right: Some(Position::new(r)) });
            (l, r) = (l + 1, r + 1);
        } else if r == columns || (l < rows && best[l][r] == best[l + 1][r]) {
            aligned.push(Aligned { left: Some(Position::new(l)), right: None });
            l += 1;
        } else {
            aligned.push(Aligned { left: None, right: Some(Position::new(r)) });
            r += 1;
        }
    }
    aligned
}

/// The alignment in which position p of the first trace is beside `matched[p]` of the second one. Where matched positions
/// are not in order, what is not matched comes last.
pub(super) fn align_matched(matched: &[Position], (rows, columns): (usize, usize)) -> Vec<Aligned> {
    let ordered = matched.windows(2).all(|pair| pair[0] < pair[1]);
    let mut aligned = Vec::new();
    let alone = |r: Position| Aligned { left: None, right: Some(r) };
    let mut next = Position::FIRST;
    for l in Position::all(rows) {
        let right = matched.get(l.index()).copied();
        if let Some(r) = right.filter(|_| ordered) {
            aligned.extend(Position::range(next..r).map(alone));
            next = r.next();
        }
        aligned.push(Aligned { left: Some(l), right });
    }
    let rest = if ordered { next } else { Position::FIRST };
    let rest = Position::range(rest..Position::new(columns));
    aligned.extend(rest.filter(|r| ordered || !matched.contains(r)).map(alone));
    aligned
}

#[cfg(test)]
mod tests {
    use super::super::fixture;
    use super::*;

    fn pairs(aligned: &[Aligned]) -> Vec<(Option<usize>, Option<usize>)> {
        aligned.iter().map(|row| (row.left.map(Position::index), row.right.map(Position::index))).collect()
    }

    #[test]
    fn equal_steps_stand_beside_each_other() {
        // send(Alice), idle, send(Eve) beside send(Alice), send(Eve).
        let aligned = align(&fixture::violating(), &fixture::accepting());
        let expected = [(Some(0), Some(0)), (Some(1), Some(1)), (Some(2), None), (Some(3), Some(2))];
        assert_eq!(pairs(&aligned), expected);
        let mirrored: Vec<_> = expected.iter().map(|(l, r)| (*r, *l)).collect();
        assert_eq!(pairs(&align(&fixture::accepting(), &fixture::violating())), mirrored);
    }

    #[test]
    fn every_position_occurs_once_whatever_is_matched() {
        for matched in [vec![0, 2, 3], vec![1, 2], vec![2, 0, 1], vec![], vec![3, 3]] {
            let positions: Vec<Position> = matched.iter().map(|&at| Position::new(at)).collect();
            let aligned = pairs(&align_matched(&positions, (3, 4)));
            let left: Vec<usize> = aligned.iter().filter_map(|(left, _)| *left).collect();
            assert_eq!(left, [0, 1, 2], "{matched:?}");
            for r in 0..4 {
                assert!(aligned.iter().any(|(_, right)| *right == Some(r)), "{r} of {matched:?}");
            }
            for (l, r) in matched.iter().enumerate() {
                assert!(aligned.contains(&(Some(l), Some(*r))) || l >= 3);
            }
        }
    }
}
