//! Tests of `classify::vocabulary::word`.

use classify::vocabulary::word::without_keys;

#[test]
fn keys_of_maps_do_not_tell_leaves_apart() {
    assert_eq!(without_keys("phase[Bob].at[m[1]].x"), "phase.at.x");
}
