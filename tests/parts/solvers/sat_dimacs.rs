//! Tests of `solvers::sat::dimacs`.

use solvers::sat::Lit;
use solvers::sat::dimacs::*;

#[test]
fn writes_names_clauses_and_assumptions() {
    let [x, y, z] = [0, 1, 4].map(Lit::positive);
    let mut cnf = Cnf::default();
    cnf.push(&[x, !y]);
    cnf.push(&[]);
    let names = [(x, "door\nopen".to_owned()), (!y, "lock = none".to_owned())];
    let mut text = Vec::new();
    cnf.assuming(&[!z]).write(&names, &mut text).unwrap();
    let expected = "c var 1 = door open\nc var -2 = lock = none\np cnf 5 3\n1 -2 0\n0\n-5 0\n";
    assert_eq!(String::from_utf8(text).unwrap(), expected);
}
