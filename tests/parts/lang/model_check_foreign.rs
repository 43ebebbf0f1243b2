//! Tests of `lang::model::check::foreign`.

use lang::model::check::foreign::*;

#[test]
fn names_are_understood_where_they_are_used() {
    assert!(meant_by("type", "nat").is_some_and(|help| help.contains("`int`")));
    assert!(meant_by("name", "null").is_some_and(|help| help.contains("`none`")));
    assert_eq!(meant_by("definition or predicate", "len"), method("size"));
    assert_eq!(meant_by("variable", "int"), None);
    assert_eq!(method("fold"), meant_by("definition or predicate", "reduce"));
    assert_eq!(method("unfold"), None);
}
