//! Tests of `report::findings::notices`.

use crate::fixture;
use classify::{Classification, Restates, Verdict};
use report::findings::notices::*;

#[test]
fn classes_that_restate_the_property_are_told_at_once() {
    let model = fixture::model();
    let (property, vocabulary) = (&model.properties[0], &model.vocabularies[0]);
    let mut result = fixture::classification(Verdict::Complete);
    let message = |result: &Classification| {
        restatement_notices(property, vocabulary, result, None).map(|notice| notice.message)
    };
    assert_eq!(message(&result), None);
    result.classes[0].restates = Restates::Step;
    assert_eq!(message(&result), None);
    result.classes[0].restates = Restates::Property;
    let one = "class 1 only restates the property `safe`";
    assert_eq!(message(&result).as_deref(), Some(one));
    result.classes.extend([result.classes[0].clone(), result.classes[0].clone()]);
    let several = "classes 1, 3 and 4 only restate the property `safe`";
    assert_eq!(message(&result).as_deref(), Some(several));
}
