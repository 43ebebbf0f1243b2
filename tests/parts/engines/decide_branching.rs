//! Tests of `engines::decide::branching`.

use engines::ctl::{CtlVerdict, EvidenceForm, EvidenceOutcome, Implicit, formula_of_property};
use engines::decide::branching::*;
use kit::budget::Budget;
use lang::model::load;

#[test]
fn a_verdict_stands_where_there_is_no_time_for_evidence() {
    let model = load("specs/reliable_data_transfer.sts".as_ref(), &[]).model.expect("no mistakes");
    let property = &model.properties[model.property("liveness").expect("a property of the model")];
    let formula = formula_of_property(&model, property).expect("of branching time");
    let decided = |has_time: bool| {
        let budget = Budget::unlimited();
        let mut implicit = Implicit::new(&model, &formula, &budget).expect("no limit");
        let holds = implicit.holds().expect("no limit");
        if !has_time {
            budget.interrupt();
        }
        with_evidence(implicit, holds, EvidenceForm::default())
    };
    let (whole, bare) = (decided(true), decided(false));
    assert_eq!((whole.verdict, &bare.verdict), (CtlVerdict::Violated, &CtlVerdict::Violated));
    assert!(matches!(whole.found, EvidenceOutcome::Shown(_)));
    assert!(matches!(bare.found, EvidenceOutcome::Nothing(why) if why.contains("ran out")));
}
