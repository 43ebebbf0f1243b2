//! Tests of `explicit::lts::partition`.

use explicit::lts::graph::StateId;
use explicit::lts::partition::*;
use itertools::Itertools;

fn blocks(partition: &Partition) -> Vec<Vec<usize>> {
    let states = |block| partition.states(block).iter().map(|state| state.index());
    (0..partition.block_count()).map(|block| states(block).sorted().collect()).collect()
}

#[test]
fn the_largest_part_keeps_its_number() {
    let mut partition = Partition::new(vec![0, 1, 0, 0, 0, 0, 0]);
    assert_eq!(blocks(&partition), [vec![0, 2, 3, 4, 5, 6], vec![1]]);
    assert!(partition.mark(StateId::new(5)) && !partition.mark(StateId::new(5)));
    assert_eq!((partition.marked(0), partition.mark_of(StateId::new(5))), (1, Some(0)));
    assert_eq!(partition.divide_marked(0), Some(2));
    assert_eq!(blocks(&partition), [vec![0, 2, 3, 4, 6], vec![1], vec![5]]);
    // The states 0 and 6 have the first key, 3 has the second one; 2 and 4 have none.
    assert!([0, 3, 6].map(|state| partition.mark(StateId::new(state))) == [true, false, false]);
    assert_eq!(partition.divide_by(0, &[0, 1, 0], 2), 3..5);
    assert_eq!(blocks(&partition), [vec![0, 6], vec![1], vec![5], vec![3], vec![2, 4]]);
    partition.mark_all(0);
    assert_eq!((partition.divide_marked(0), partition.marked(0)), (None, 0));
}
