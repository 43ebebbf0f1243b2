//! Two traces side by side: which step of one belongs beside which step of the other.

use lang::model::Position;
use lang::trace::Trace;

/// A row of two traces side by side: a position of either, or of both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Aligned {
    /// The position in the first trace.
    pub left: Option<Position>,
    /// The position in the second trace.
    pub right: Option<Position>,
}

/// How much it is worth that two labels stand beside each other.
const SAME: usize = 3;
const SAME_ACTION: usize = 1;

/// The alignment with as many equal labels beside each other as possible, and among these with as many labels of the same
/// action. Initial states are beside each other. (A longest common subsequence: Wagner, Fischer, *The string-to-string
/// correction problem*, 1974.)
pub fn align(left: &Trace, right: &Trace) -> Vec<Aligned> {
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
pub fn align_matched(matched: &[Position], (rows, columns): (usize, usize)) -> Vec<Aligned> {
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
