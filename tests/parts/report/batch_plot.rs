//! Tests of `report::batch::plot`.

use report::batch::plot::*;

#[test]
fn scales_are_round_and_wide_enough() {
    let linear = |values: &[f64]| Scale::Linear.ticks(values.iter().copied());
    assert_eq!(linear(&[0.0, 3.0]), [0.0, 1.0, 2.0, 3.0]);
    assert_eq!(linear(&[12.0, 41.0]), [0.0, 20.0, 40.0, 60.0]);
    assert_eq!(linear(&[]), [0.0, 1.0]);
    let logarithmic = |values: &[f64]| Scale::Logarithmic.ticks(values.iter().copied());
    assert_eq!(logarithmic(&[0.004, 2.5]), [0.001, 0.01, 0.1, 1.0, 10.0]);
    assert_eq!(logarithmic(&[0.001]), [0.001, 0.01]);
    assert_eq!(logarithmic(&[]), [0.001, 1.0]);
}
