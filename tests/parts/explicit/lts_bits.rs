//! Tests of `explicit::lts::bits`.

use explicit::lts::bits::*;

#[test]
fn a_set_has_what_was_put_in() {
    let mut bits = Bits::new(200);
    assert!(bits.insert(3) && bits.insert(64) && bits.insert(199) && !bits.insert(64));
    assert!(bits.has(3) && !bits.has(4));
    assert_eq!(bits.iter().collect::<Vec<_>>(), [3, 64, 199]);
    bits.remove(64);
    assert_eq!(bits.count(), 2);
}
