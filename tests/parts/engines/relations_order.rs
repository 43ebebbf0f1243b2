//! Tests of `engines::relations::order`.

use engines::relations::order::*;

#[test]
fn what_belongs_together_comes_together() {
    // Pairs that are declared far from each other.
    let pairs: Vec<Vec<usize>> = (0..8).map(|item| vec![item, item + 8]).collect();
    let places = arranged(16, &pairs);
    let mut sorted = places.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, (0..16).collect::<Vec<_>>());
    let distance = |pair: &Vec<usize>| places[pair[0]].abs_diff(places[pair[1]]);
    assert_eq!(pairs.iter().map(distance).sum::<usize>(), 8);
    assert_eq!(arranged(3, &[]), [0, 1, 2]);
}
