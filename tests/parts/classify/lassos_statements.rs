//! Tests of `classify::lassos::statements`.

use classify::facts::atom::Atoms;
use classify::facts::statements::Statements;
use classify::lassos::constraint::LassoConstraint;
use classify::search::images::{Images, are_alike};
use lang::model::permutation::{NameType, Permutation};
use lang::model::types::Type;
use lang::model::value::Value;
use lang::model::{
    LassoFactText, LassoFormula, LassoFormulaText, Model, ParameterText, Recurrence, SaidText, load_text,
};
use std::io::ErrorKind;

const BEACONS: &str = "model beacons; type Beacon = 1..4; var lit : map Beacon to bool;
        init { forall b in Beacon: not lit[b]; }
        action light(b: Beacon) { lit'[b] = true; }";

/// The constraint of facts, written `again lit[1] & not lit[2]`, `forever …`, or `lit[1] < lit[2] | not lit[3]` for what is so at one
/// position, at a later one, and always after that.
fn constraint(model: &Model, atoms: &Atoms, individuals: &[&str], facts: &[&str]) -> LassoConstraint {
    let said = |text: &str| -> Vec<SaidText> {
        let parts = text.split('&').map(str::trim).filter(|part| !part.is_empty());
        let said = |part: &str| match part.strip_prefix("not ") {
            Some(part) => SaidText { text: format!("{part}@t"), holds: false },
            None => SaidText { text: format!("{part}@t"), holds: true },
        };
        parts.map(said).collect()
    };
    let fact = |text: &&str| {
        let recurrences = [("again ", Recurrence::Again), ("forever ", Recurrence::Forever)];
        let recurring = recurrences.iter().find_map(|(word, when)| Some((*when, text.strip_prefix(word)?)));
        let (when, text) = recurring.unwrap_or((Recurrence::Once, text));
        let (at, after) = text.split_once('|').unwrap_or((text, ""));
        LassoFactText { when, at: at.split('<').map(said).collect(), after: said(after) }
    };
    let individual = |name: &&str| ParameterText { name: (*name).into(), ty: "Beacon".into() };
    let text = LassoFormulaText {
        individuals: individuals.iter().map(individual).collect(),
        position: "t".into(),
        facts: facts.iter().map(fact).collect(),
        distinct: Vec::new(),
    };
    let formula = LassoFormula::read(model, &text).unwrap_or_else(|_| panic!("{text:?}"));
    LassoConstraint::of_formula(atoms, &formula).expect("a constraint")
}

#[test]
fn constraints_are_taken_to_others_up_to_order_and_names() {
    let loaded = load_text("beacons.sts", BEACONS, &[], &|_| Err(ErrorKind::NotFound.into()));
    let model = loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics));
    let atoms = Atoms::default();
    let ty = NameType::of(&Type::Int { lo: 1, hi: 4 }).expect("names");
    let turn = (1..=4).map(|n| (Value::Int(n), Value::Int(n % 4 + 1))).collect();
    let turn = Permutation::of([(ty, turn)].into()).expect("a permutation");
    let is_taken = |individuals: [&[&str]; 2], of: &[&str], to: &[&str]| {
        let of = Statements::from(&constraint(&model, &atoms, individuals[0], of));
        let to = Statements::from(&constraint(&model, &atoms, individuals[1], to));
        let mut images = Images::new(&model.types, &atoms, std::slice::from_ref(&turn));
        let taken = images.takes(&of, &to).is_some();
        assert!(!taken || are_alike(&atoms, [of, to].into_iter()));
        taken
    };
    let ground = |of: &[&str], to: &[&str]| is_taken([&[]; 2], of, to);
    assert!(ground(&["again lit[1] & lit[2]"], &["again lit[4] & lit[3]"]));
    assert!(!ground(&["again lit[1] & lit[2]"], &["again lit[1] & lit[3]"]));
    assert!(!ground(&["again lit[1] & lit[2]"], &["again lit[2] & not lit[3]"]));
    assert!(!ground(&["again lit[1] & lit[2]"], &["forever lit[2] & lit[3]"]));
    // What is so at one position is not what is so at two.
    assert!(!ground(&["again lit[1] & lit[2]"], &["again lit[2]", "again lit[3]"]));
    let crossed = ["again lit[1] & not lit[2]", "again lit[3] & not lit[4]"];
    assert!(ground(&crossed, &["again lit[4] & not lit[1]", "again lit[2] & not lit[3]"]));
    assert!(!ground(&crossed, &["again lit[4] & not lit[3]", "again lit[2] & not lit[1]"]));
    // In which order, and what is so after it.
    assert!(ground(&["lit[1] < lit[2]"], &["lit[4] < lit[1]"]));
    assert!(!ground(&["lit[1] < lit[2]"], &["lit[2] < lit[1]"]));
    assert!(!ground(&["lit[1] < lit[2]"], &["lit[2]", "lit[3]"]));
    assert!(ground(&["lit[1] | not lit[2] & lit[3]"], &["lit[2] | lit[4] & not lit[3]"]));
    assert!(!ground(&["lit[1] | not lit[2] & lit[3]"], &["lit[2] | not lit[4] & lit[3]"]));
    assert!(!ground(&["lit[1] & not lit[2]"], &["lit[2] | not lit[3]"]));
    // Individuals have any names, but each is one.
    let of = ["again lit[b] & lit[1]", "forever not lit[c]"];
    assert!(is_taken([&["b", "c"], &["c", "b"]], &of, &["again lit[2] & lit[b]", "forever not lit[c]"]));
    assert!(!is_taken([&["b", "c"], &["b"]], &of, &["again lit[2] & lit[b]", "forever not lit[b]"]));
}
