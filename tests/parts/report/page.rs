//! Tests of `report::writing::page`.

use report::writing::page::*;

#[test]
fn what_is_between_backticks_is_code() {
    assert_eq!(prose("`a<b` holds").into_string(), "<code>a&lt;b</code> holds");
    assert_eq!(prose("a ` alone").into_string(), "a ` alone");
}
