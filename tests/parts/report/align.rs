//! Tests of `report::traces::align`.

use crate::fixture;
use lang::model::Position;
use report::traces::align::*;

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
