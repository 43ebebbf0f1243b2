//! Tests of `report::classes::class_table`.

use crate::fixture;
use classify::{Classification, Constraint, Restates, Verdict};
use report::classes::class_table::*;
use solvers::unroll::Lengths;
use unicode_width::UnicodeWidthStr;

fn lines(result: &Classification, width: usize) -> Vec<String> {
    let model = fixture::model();
    class_table_lines(&class_table(&fixture::request(&model), result), width, LineOverflow::Cut)
}

#[test]
fn constraints_are_whole_then_abridged_then_cut() {
    let mut result = fixture::classification(Verdict::Complete);
    result.classes[1].constraint.facts.truncate(1);
    let whole = [
        "class  steps  constraint",
        "    1      3  ∃ i, j ∈ [0..len(ρ)] : msgs.replay(i, j) ∧ sender@j = Eve ∧ i < j",
        "    2      3  ∃ i, j ∈ [0..len(ρ)] : msgs.replay(i, j)",
    ];
    let widest = whole[1].width();
    assert_eq!(lines(&result, widest), whole);
    let abridged = "    1      3  ∃ … : msgs.replay(i, j) ∧ sender@j = Eve ∧ i < j";
    assert_eq!(lines(&result, widest - 1), [whole[0], abridged, whole[2]]);
    let cut = [
        "class  steps  constraint",
        "    1      3  … ∧ sender@j = Eve ∧ i < j",
        "    2      3  ∃ … : msgs.replay(i, j)",
        "              in all: msgs.replay(…, …)",
    ];
    assert_eq!(lines(&result, 42), cut);
    assert_eq!(lines(&result, 34)[1], "    1      3  … ∧ sender@j = Eve…");
}

#[test]
fn in_brief_constraints_go_on_in_further_lines() {
    let model = fixture::model();
    let mut result = fixture::classification(Verdict::Complete);
    result.classes[0].redundant = true;
    let table = class_table(&fixture::request(&model), &result);
    let expected = [
        "class  steps  constraint             remarks",
        "    1      3  ∃ … :                  redundant",
        "                msgs.replay(i, j) ∧",
        "                sender@j = Eve ∧",
        "                i < j",
    ];
    assert_eq!(class_table_lines(&table, 46, LineOverflow::Wrap)[..5], expected);
    let whole = class_table_lines(&table, 120, LineOverflow::Wrap);
    assert_eq!(whole, class_table_lines(&table, 120, LineOverflow::Cut));
}

#[test]
fn what_all_classes_have_is_said_once_where_there_is_no_room() {
    let mut result = fixture::classification(Verdict::Complete);
    result.classes.push(result.classes[0].clone());
    // The same predicate twice is not the same as once.
    let again = result.classes[0].constraint.facts[0].clone();
    result.classes[0].constraint.facts.push(again);
    let lines = lines(&result, 40);
    assert_eq!(lines[1], "    1      3  … ∧ i < j ∧ msgs.replay(i…");
    assert_eq!(lines[4], "              in all: msgs.replay(…, …)…");
}

#[test]
fn no_line_is_wider_than_asked() {
    let mut result = fixture::proved(Verdict::Complete);
    result.classes[0].redundant = true;
    result.classes[1].restates = Restates::Property;
    for width in 1..120 {
        assert!(lines(&result, width).iter().all(|line| line.width() <= width), "{width}");
    }
}

#[test]
fn remarks_have_a_column_where_there_are_any() {
    let mut result = fixture::classification(Verdict::Complete);
    result.classes.push(result.classes[0].clone());
    for class in &mut result.classes {
        class.constraint.facts.truncate(1);
    }
    result.classes[0].redundant = true;
    (result.classes[2].redundant, result.classes[2].restates) = (true, Restates::Property);
    let expected = [
        "class  steps  constraint               remarks",
        "    1      3  ∃ … : msgs.replay(i, j)  redundant",
        "    2      3  ∃ … : msgs.replay(i, j)",
        "    3      3  ∃ … : msgs.replay(i, j)  redundant, only restates the property",
    ];
    assert_eq!(lines(&result, 80), expected);
    result.classes.truncate(1);
    result.classes[0].redundant = false;
    result.classes[0].restates = Restates::Property;
    assert!(lines(&result, 80)[1].ends_with(")  only restates the property"));
}

#[test]
fn numbers_are_those_of_first_violations() {
    let result = fixture::proved(Verdict::Complete);
    let lines = lines(&result, 120);
    assert_eq!(lines[0], "class  steps  counterexamples  in it alone  constraint");
    assert!(lines[1].starts_with("    1      3      1.153·10^18  1.153·10^18  ∃ i, j"), "{}", lines[1]);
    assert!(lines[2].starts_with("    2      3                4            0  ∃ i, j"), "{}", lines[2]);
}

#[test]
fn traces_of_exact_length_differ_in_their_first_violations() {
    let mut result = fixture::classification(Verdict::Complete);
    result.lengths = Lengths::Exactly(4);
    let last = result.classes[0].representative.moments[3].clone();
    result.classes[0].representative.moments.push(last);
    let lines = lines(&result, 120);
    assert_eq!(lines[0], "class  violated at  constraint");
    assert!(lines[1].starts_with("    1            3  ∃ i, j"), "{}", lines[1]);
}

#[test]
fn a_constraint_without_variables_has_nothing_to_abridge() {
    let model = fixture::model();
    let mut result = fixture::classification(Verdict::Complete);
    result.classes[0].constraint = Constraint::default();
    let table = class_table(&fixture::request(&model), &result);
    assert_eq!((table.lines[0].constraint.as_str(), table.lines[0].abridged.as_str()), ("true", "true"));
}
