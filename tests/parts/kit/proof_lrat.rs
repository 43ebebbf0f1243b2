//! Tests of `kit::proof`.

use kit::budget::Budget;
use kit::proof::*;

/// All four clauses over two variables, and a proof.
const CLAUSES: &str = "p cnf 3 4\n1 2 0\n1 -2 0\n-1 2 0\n-1 -2 0\n";
const PROOF: &str = "5 1 0 1 2 0\n5 d 1 2 0\n6 2 0 5 3 0\n7 0 5 6 4 0\n";

fn checked(clauses: &str, proof: &str) -> Result<Verified, String> {
    let budget = Budget::unlimited();
    let formula = CnfFormula::read(&mut clauses.as_bytes(), &budget).expect("clauses");
    check(&formula, &mut proof.as_bytes(), &budget).map_err(|stopped| match stopped {
        ProofStopped::Fault(fault) => fault.to_string(),
        other => panic!("{other:?}"),
    })
}

#[test]
fn a_proof_is_verified() {
    let verified = Verified { derived: 3, deleted: 2 };
    assert_eq!(checked(CLAUSES, PROOF), Ok(verified));
    let with_more = format!("c a comment\n{PROOF}8 x\n");
    assert_eq!(checked(CLAUSES, &with_more), Ok(verified));
    assert_eq!(checked("p cnf 0 1\n0\n", "2 0 1 0\n"), Ok(Verified { derived: 1, deleted: 0 }));
}

#[test]
fn wrong_proofs_are_refused_with_the_step() {
    for (from, to, expected) in [
        ("5 1 0 1 2 0", "5 1 0 1 0", "line 1: step 5: its hints end without a conflict"),
        ("5 1 0 1 2 0", "5 -1 0 1 2 0", "line 1: step 5: its hints end without a conflict"),
        ("5 1 0 1 2 0", "5 3 0 1 2 0", "line 1: step 5: clause 1 is neither unit nor false"),
        ("5 1 0 1 2 0", "5 1 0 1 9 0", "line 1: step 5: there is no clause 9"),
        ("5 1 0 1 2 0", "4 1 0 1 2 0", "line 1: step 4 has no greater number than a clause before it"),
        ("5 1 0 1 2 0", "5 4 0 1 2 0", "line 1: step 5: the clauses have no variable 4"),
        (
            "5 1 0 1 2 0",
            "5 1 0 -1 2 0",
            "line 1: step 5: it does not claim to follow by unit propagation alone",
        ),
        ("5 1 0 1 2 0", "5 1 0 1 2", "line 1: one list of numbers that ends with 0 was expected"),
        ("5 1 0 1 2 0", "5 1", "line 1: the clause does not end with 0"),
        ("5 d 1 2 0", "5 d 3 9 0", "line 2: there is no clause 9 to delete"),
        ("5 d 1 2 0", "5 d 3 0", "line 3: step 6: there is no clause 3"),
        ("7 0 5 6 4 0\n", "", "line 3: the proof ends without the empty clause"),
        ("7 0 5 6 4 0", "7 0 6 4 0", "line 4: step 7: its hints end without a conflict"),
        ("7 0 5 6 4 0", "7 0 5 6 4 x", "line 4: `x` is not a number"),
    ] {
        assert_eq!(checked(CLAUSES, &PROOF.replace(from, to)), Err(expected.to_owned()), "{to}");
    }
}

#[test]
fn a_clause_less_leaves_no_proof() {
    for dropped in ["1 2 0", "1 -2 0", "-1 2 0", "-1 -2 0"] {
        let clauses = CLAUSES.replacen(&format!("\n{dropped}\n"), "\n1 2 3 0\n", 1);
        assert!(checked(&clauses, PROOF).is_err(), "{dropped}");
    }
}
