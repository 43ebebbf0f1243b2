//! Tests of `report::writing::markup`.

use report::writing::markup::*;

#[test]
fn nothing_is_left_to_interpret() {
    assert_eq!(escape("<a & \"b\">\u{1b}"), "&lt;a &amp; &quot;b&quot;&gt;\\u001b");
}
