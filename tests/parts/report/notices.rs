//! Tests of `report::findings::notices`.

use crate::fixture;
use classify::{SilentPredicates, Verdict};
use kit::diagnostics::{Diagnostic, Severity};
use lang::model::expr::{Expr, ExprKind, VarId};
use lang::model::types::Type;
use lang::model::{PredicateId, Update, UpdateValue, Vocabulary, VocabularyItem};
use report::findings::notices::*;
use solvers::unroll::{Lengths, Vacuity};

fn messages(notices: &[Diagnostic]) -> Vec<&str> {
    notices.iter().map(|n| n.message.as_str()).collect()
}

#[test]
fn one_mistake_gives_one_warning() {
    let mut model = fixture::model();
    let expr = |lo, hi| Expr {
        kind: ExprKind::Var(VarId(0)),
        ty: Type::Int { lo, hi },
        span: kit::diagnostics::Span::default(),
    };
    let update = |lo, hi| Update {
        guard: None,
        var: VarId(0),
        path: Vec::new(),
        ty: Type::Int { lo: 0, hi: 3 },
        value: UpdateValue::Is(expr(lo, hi)),
        span: kit::diagnostics::Span::default(),
    };
    let vacuity = |dead: &[usize]| Vacuity {
        dead_actions: dead.to_vec(),
        overflows: vec![(1, 0)],
        ..Vacuity::default()
    };
    // A value that never fits was reported when the model was loaded.
    model.actions[1].updates = vec![update(4, 9)];
    assert!(vacuity_notices(&model, &vacuity(&[1]), 8).is_empty());
    model.actions[1].updates = vec![update(0, 9)];
    let notices = vacuity_notices(&model, &vacuity(&[1]), 8);
    assert_eq!(messages(&notices), ["action `idle` is never enabled within 8 steps"]);
    assert_eq!(notices[0].related.len(), 1);
    let notices = vacuity_notices(&model, &vacuity(&[]), 8);
    assert_eq!(
        messages(&notices),
        ["action `idle` can assign a value outside 0..3; such steps are disabled"]
    );
}

#[test]
fn a_predicate_to_start_with_that_never_holds_or_is_not_named_is_reported() {
    let model = fixture::model();
    let mut result = fixture::classification(Verdict::Complete);
    let (unnamed, id) = (&model.vocabularies[0], Some(PredicateId(0)));
    let items = vec![VocabularyItem::Predicate(PredicateId(0), Vec::new())];
    let named = &Vocabulary { items, ..unnamed.clone() };
    let severities = |start_with, vocabulary: &Vocabulary, result: &_| -> Vec<Severity> {
        start_notices(&model, (start_with, vocabulary), result).iter().map(|n| n.severity).collect()
    };
    assert!(severities(id, named, &result).is_empty());
    assert_eq!(severities(id, unnamed, &result), [Severity::Note]);
    result.start_unmatched = true;
    assert!(severities(None, named, &result).is_empty());
    assert_eq!(severities(id, named, &result), [Severity::Warning]);
    assert_eq!(severities(id, unnamed, &result), [Severity::Warning]);
}

#[test]
fn dead_actions_are_named() {
    let vacuity = Vacuity { dead_actions: vec![1], incomplete: true, ..Vacuity::default() };
    let notices = vacuity_notices(&fixture::model(), &vacuity, 8);
    assert_eq!(
        messages(&notices),
        [
            "action `idle` is never enabled within 8 steps",
            "the search for actions that are never enabled within 8 steps did not finish"
        ]
    );
}

#[test]
fn an_empty_model_is_all_there_is_to_say() {
    let model = fixture::model();
    let (one, other) = (model.properties[0].span, model.actions[0].span);
    let no_initial_state = Some(vec![one, other]);
    let vacuity = Vacuity { no_initial_state, dead_actions: vec![0, 1], ..Vacuity::default() };
    let notices = vacuity_notices(&model, &vacuity, 8);
    assert_eq!(
        messages(&notices),
        ["no state satisfies `init` and the assumptions, so every property holds"]
    );
    assert_eq!((notices[0].span, notices[0].related[0].span), (Some(one), other));
}

#[test]
fn silent_predicates_are_named_with_the_length_that_was_asked() {
    let model = fixture::model();
    let mut result = fixture::classification(Verdict::Complete);
    assert!(silence_notices(&model, &result).is_empty());
    let name = &model.predicates[0].name;
    let (one, none) = (vec![PredicateId(0)], Vec::new());
    let lengths = Lengths::UpTo(6);
    for (never, harmless, what) in [(&one, &none, "trace"), (&none, &one, "counterexample")] {
        result.silent = Some(SilentPredicates { never: never.clone(), harmless: harmless.clone(), lengths });
        let expected = format!("predicate `{name}` holds in no {what} of up to 6 steps");
        assert_eq!(messages(&silence_notices(&model, &result)), [expected]);
    }
}
