//! Tests of `engines::explore::packed::image`.

use engines::explore::packed::image::*;
use engines::explore::packed::states::StateLayout;
use engines::explore::reachable;
use kit::budget::Budget;
use lang::model::load;
use lang::model::permutation::{FixedRecords, NameType, Permutation};
use lang::model::types::Type;
use lang::model::value::Value;
use std::collections::BTreeSet;

#[test]
fn packed_images_are_those_of_values() {
    let three = [("N".to_owned(), "3".to_owned())];
    let model = load(concat!(env!("CARGO_MANIFEST_DIR"), "/specs/ns_sessions.sts").as_ref(), &three)
        .model
        .expect("no mistakes");
    let states = StateLayout::of(&model);
    let named = |name: &str| {
        let ty = |id| Type::Enum(lang::model::types::EnumId(id));
        let mut all = (0..model.types.enums.len() as u32).map(ty);
        all.find(|ty| model.types.show(ty) == name).and_then(|ty| NameType::of(&ty)).expect("a type")
    };
    let (session, agent) = (NameType::Range { lo: 1, hi: 3 }, named("Agent"));
    let values = model.types.values(&agent.ty());
    let nonce = model.types.records.iter().position(|record| record.name == "Nonce").expect("a type");
    let record = lang::model::types::RecordId(nonce as u32);
    let eve: BTreeSet<_> = [FixedRecords { record, field: 0, value: values[2].clone() }].into();
    let rotation = Permutation::of(
        [(session, [1, 2, 3].map(Value::Int).into_iter().zip([2, 3, 1].map(Value::Int)).collect())].into(),
    )
    .expect("each value once");
    let mut swap = Permutation::default();
    swap.swap(session, &Value::Int(1), &Value::Int(3));
    swap.swap(agent, &values[0], &values[1]);
    let fixing = swap.clone().fixing(&model.types, &eve).expect("Eve does not move");
    let explored = reachable(&model, 3_000, &Budget::unlimited()).states;
    let (mut packed, mut expected) = (vec![0; states.words], vec![0; states.words]);
    let mut found = expected.clone();
    let mut moved = 0;
    for by in [rotation, swap, fixing] {
        let image = PackedImage::of(&model, &states, &by).expect("small");
        for state in &explored {
            assert!(states.pack(state, &mut packed));
            assert!(states.pack(&by.state(&model, state), &mut expected));
            image.write(&packed, &mut found);
            assert_eq!(found, expected, "{state:?}");
            moved += usize::from(found != packed);
        }
    }
    assert!(moved > explored.len());
}
