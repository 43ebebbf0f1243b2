//! Tests of `report::batch::plan`.

use kit::diagnostics::SourceMap;
use report::batch::plan::read_plan;
use report::batch::plan::*;

#[test]
fn claims_need_no_bounds() {
    let text =
        "[[classify]]\nmodels=['p']\nclaims='all'\n[[classify]]\nmodels=['p']\nclaims=['A1']\nbounds=[2]";
    let (plan, problems) = read_plan(SourceMap::new().add("plan.toml", text), text);
    assert_eq!(problems, []);
    let [all, some] = &plan.groups[..] else { panic!("two groups: {plan:?}") };
    assert!(matches!(all.claims, Some(ClaimSelection::All)) && all.bounds == [None]);
    let Some(ClaimSelection::Labelled(labels)) = &some.claims else { panic!("labels: {some:?}") };
    assert_eq!((labels[0].value.as_str(), &some.bounds), ("A1", &vec![Some(2)]));
}
