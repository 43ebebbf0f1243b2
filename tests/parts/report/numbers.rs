//! Tests of `report::classes::numbers`.

use classify::{Count, Tally};
use num_bigint::BigUint;
use report::classes::numbers::*;

fn tally(counts: &[(&[usize], u64)]) -> Tally {
    Tally(counts.iter().map(|(classes, n)| (classes.to_vec(), BigUint::from(*n))).collect())
}

#[test]
fn numbers_are_grouped_or_rounded() {
    for (n, expected) in [
        (0u64, "0"),
        (999, "999"),
        (1000, "1,000"),
        (999_999_999_999, "999,999,999,999"),
        (1_234_449_999_999, "1.234·10^12"),
        (1_234_500_000_000, "1.235·10^12"),
        (9_999_960_000_000, "1.000·10^13"),
    ] {
        assert_eq!(short_number(&BigUint::from(n)), expected);
    }
}

#[test]
fn columns_are_those_that_say_something() {
    let count = |steps, first| Count { steps, first, ..Count::default() };
    let one = [count(2, tally(&[(&[0], 5)])), count(3, tally(&[(&[0], 7)]))];
    let one = &tables(&one, 1)[0];
    assert_eq!(table_lines(one, 40), ["steps  all", "    2    5", "    3    7", "  sum   12"]);
    let overlapping = [count(2, tally(&[(&[0], 5), (&[0, 1], 2), (&[1], 1)])), count(3, Tally::default())];
    let overlapping = &tables(&overlapping, 2)[0];
    assert_eq!(
        table_lines(overlapping, 60),
        [
            "steps  all  class 1  only 1  class 2  only 2",
            "    2    8        7       5        3       1",
            "  sum    8        7       5        3       1"
        ]
    );
    assert_eq!(table_lines(overlapping, 24).len(), 9, "three blocks");
    let outside = [count(2, tally(&[(&[], 5), (&[0], 2)]))];
    assert_eq!(tables(&outside, 1)[0].head, ["steps", "all", "class 1", "in no class"]);
}

#[test]
fn long_tables_are_cut_in_the_middle() {
    let counts: Vec<Count> =
        (0..40).map(|steps| Count { steps, first: tally(&[(&[0], 1)]), ..Count::default() }).collect();
    let rows = &tables(&counts, 1)[0].rows;
    let first: Vec<&str> = rows.iter().map(|row| row[0].as_str()).collect();
    assert_eq!(first, ["0", "1", "2", "3", "4", "5", "…", "35", "36", "37", "38", "39", "sum"]);
    assert_eq!(rows[12][1], "40", "the sum is of all lengths");
}
