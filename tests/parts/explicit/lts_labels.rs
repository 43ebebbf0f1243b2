//! Tests of `explicit::lts::labels`.

use explicit::lts::labels::*;

#[test]
fn labels_are_found_again() {
    let mut labels = Labels::default();
    assert_eq!(labels.find(b"A"), None);
    let names: Vec<String> = (0..1000).map(|n| format!("SEND !{n}")).collect();
    for (number, name) in names.iter().enumerate() {
        assert_eq!(labels.intern(name.as_bytes()), LabelId::new(number));
    }
    for (number, name) in names.iter().enumerate() {
        assert_eq!(labels.intern(name.as_bytes()), LabelId::new(number));
        assert_eq!(labels.find(name.as_bytes()), Some(LabelId::new(number)));
        assert_eq!(labels.text(LabelId::new(number)), name.as_str());
    }
    assert_eq!((labels.len(), labels.find(b"SEND"), labels.find(b"")), (1000, None, None));
    assert_eq!(labels.intern(b"").index(), 1000);
    assert_eq!(labels.get(LabelId::new(1000)), b"");
}

#[test]
fn latin_1_is_shown_as_text() {
    assert_eq!(as_text(b"caf\xe9"), "café");
    assert_eq!(as_text("café".as_bytes()), "café");
}
