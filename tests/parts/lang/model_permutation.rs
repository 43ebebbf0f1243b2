//! Tests of `lang::model::permutation`.

use kit::diagnostics::Span;
use lang::model::permutation::*;
use lang::model::types::{EnumDecl, EnumId, RecordDecl, RecordId, Type, Types};
use lang::model::value::Value;
use std::sync::Arc;

const S: EnumId = EnumId(0);

fn types() -> Types {
    let session = EnumDecl {
        name: "Session".into(),
        variants: vec!["S1".into(), "S2".into(), "S3".into()],
        span: Span::default(),
    };
    let nonce = RecordDecl {
        name: "Nonce".into(),
        fields: vec![("evil".into(), Type::Bool), ("session".into(), Type::Enum(S))],
        constructors: Vec::new(),
        collection: None,
        span: Span::default(),
    };
    Types { enums: vec![session], records: vec![nonce], ..Types::default() }
}

fn session(n: u32) -> Value {
    Value::Enum(S, n)
}

#[test]
fn composites_are_permuted_through_their_parts() {
    let types = types();
    let mut swap = Permutation::default();
    assert!(swap.swap(NameType::Enum(S), &session(0), &session(2)));
    assert!(!swap.swap(NameType::Enum(S), &session(0), &session(1)), "it moves already");
    let map = Type::Map(Arc::new(Type::Enum(S)), Arc::new(Type::Set(Arc::new(Type::Enum(S)))));
    let value = |keys: [u32; 3], members: [u32; 3]| {
        let sets = members.map(|m| Value::Set([session(m)].into()));
        Value::Map(keys.into_iter().map(session).zip(sets).collect())
    };
    assert_eq!(swap.image(&types, &map, &value([0, 1, 2], [0, 1, 1])), value([2, 1, 0], [2, 1, 1]));
    let record = RecordId(0);
    let nonce = |evil, n| Value::Record(record, vec![Value::Bool(evil), session(n)]);
    let fixed = [FixedRecords { record, field: 0, value: Value::Bool(true) }].into();
    let swap = swap.fixing(&types, &fixed).expect("truth values do not move");
    assert_eq!(swap.image(&types, &Type::Record(record), &nonce(true, 0)), nonce(true, 0));
    assert_eq!(swap.image(&types, &Type::Record(record), &nonce(false, 0)), nonce(false, 2));
    assert_eq!(swap.show(&types), "S1 and S3");
    let moved = [FixedRecords { record, field: 1, value: session(0) }].into();
    assert_eq!(swap.fixing(&types, &moved), None);
}

#[test]
fn permutations_are_composed() {
    let ty = NameType::Enum(S);
    let to = |next: [u32; 3]| (0..).map(session).zip(next.map(session)).collect();
    let cycle = Permutation::of([(ty, to([1, 2, 0]))].into()).expect("each value once");
    assert_eq!(Permutation::of([(ty, to([1, 1, 0]))].into()), None);
    assert_eq!(Permutation::of([(ty, to([0, 1, 2]))].into()), Some(Permutation::default()));
    assert_eq!(cycle.show(&types()), "S1, S2, S3 in turn");
    assert!(cycle.then(&cycle).then(&cycle).is_identity());
    let mut swap = Permutation::default();
    swap.swap(ty, &session(0), &session(1));
    // 0 → 1 → 0, 1 → 2, 2 → 0 → 1.
    let both = cycle.then(&swap);
    assert_eq!(both.moves().map(|(_, _, to)| to.clone()).collect::<Vec<_>>(), [session(2), session(1)]);
}
