//! Tests of `kit::proof`.

use kit::budget::Budget;
use kit::proof::*;

fn read(text: &str) -> Result<CnfFormula, String> {
    CnfFormula::read(&mut text.as_bytes(), &Budget::unlimited()).map_err(|stopped| match stopped {
        ProofStopped::Fault(fault) => fault.to_string(),
        other => panic!("{other:?}"),
    })
}

#[test]
fn reads_what_it_writes() {
    let mut formula = CnfFormula::default();
    formula.push([1, -3]);
    formula.push([]);
    formula.push([2]);
    let mut text = Vec::new();
    formula.write(0, &mut text).unwrap();
    assert_eq!(String::from_utf8(text.clone()).unwrap(), "p cnf 3 3\n1 -3 0\n0\n2 0\n");
    assert_eq!(CnfFormula::read(&mut &text[..], &Budget::unlimited()).unwrap(), formula);
}

#[test]
fn comments_and_line_breaks_are_free() {
    let formula = read("c a b\n\np cnf 4 2\n1\nc c\n -2 0 4\n0\n").unwrap();
    let clauses: Vec<&[i32]> = formula.clauses().collect();
    assert_eq!((formula.variables(), clauses), (4, vec![&[1, -2][..], &[4]]));
}

#[test]
fn mistakes_have_a_line() {
    for (text, expected) in [
        ("", "line 0: there is no header `p cnf VARIABLES CLAUSES`"),
        ("1 2 0\n", "line 1: the header `p cnf VARIABLES CLAUSES` was expected"),
        ("p cnf -1 2\n", "line 1: a number of the header is negative or too large"),
        ("p cnf 99999999999 2\n", "line 1: a number of the header is negative or too large"),
        ("p cnf 2 1\n1 x 0\n", "line 2: `x` is not a number"),
        ("p cnf 2 1\n1 - 0\n", "line 2: `-` is not a number"),
        ("p cnf 2 1\n1 3 0\n", "line 2: 3 is no literal of 2 variables"),
        ("p cnf 2 1\n1 2\n", "line 2: the last clause does not end with 0"),
        ("p cnf 2 2\n1 2 0\n", "line 2: there are 1 clauses, and the header says 2"),
        ("p cnf 2 1\n1 99999999999999999999 0\n", "line 2: `99999999999999999999` is not a number"),
    ] {
        assert_eq!(read(text), Err(expected.to_owned()), "{text}");
    }
}

#[test]
fn the_budget_ends_reading() {
    let budget = Budget::unlimited();
    budget.interrupt();
    let read = CnfFormula::read(&mut "p cnf 0 0\n".as_bytes(), &budget);
    assert!(matches!(read, Err(ProofStopped::Exhausted(_))));
}
