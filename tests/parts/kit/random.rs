//! Tests of `kit::random`.

use kit::random::SplitMix64;

#[test]
fn the_sequence_is_the_published_one() {
    // The reference implementation by S. Vigna gives these for the seed 1234567.
    let mut random = SplitMix64::new(1_234_567);
    let found: Vec<u64> = (0..3).map(|_| random.next_u64()).collect();
    assert_eq!(found, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
}

#[test]
fn a_shuffle_keeps_everything() {
    let mut things: Vec<u32> = (0..100).collect();
    SplitMix64::new(7).shuffle(&mut things);
    assert_ne!(things, (0..100).collect::<Vec<_>>());
    things.sort_unstable();
    assert_eq!(things, (0..100).collect::<Vec<_>>());
}
