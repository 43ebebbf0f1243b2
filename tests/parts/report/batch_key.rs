//! Tests of `report::batch::key`.

use report::batch::key::*;
use verify::digest;

/// A key to vary.
pub fn key(bound: usize) -> JobKey {
    JobKey {
        model: "../toy.sts".into(),
        sources: "00".into(),
        property: "safe".into(),
        claim: None,
        vocabulary: "generic".into(),
        constants: Vec::new(),
        bound: Some(bound),
        exact: false,
        unbounded: false,
        count: false,
        environment: None,
        ground: None,
        max_states: None,
        solver: "cadical".into(),
        timeout_ms: None,
        memory_bytes: None,
        max_classes: None,
        keep_redundant: false,
        verify: false,
        version: "0.1.0".into(),
    }
}

#[test]
fn every_part_of_the_key_is_in_the_name() {
    let base = key(3);
    let others = [
        JobKey { model: "toy.sts".into(), ..base.clone() },
        JobKey { sources: "01".into(), ..base.clone() },
        JobKey { property: "saf".into(), ..base.clone() },
        JobKey { claim: Some("A1 Secret".into()), ..base.clone() },
        JobKey { vocabulary: "g".into(), ..base.clone() },
        JobKey { constants: vec!["N=1".into()], ..base.clone() },
        JobKey { constants: vec!["N=1".into(), "M=2".into()], ..base.clone() },
        JobKey { bound: Some(4), ..base.clone() },
        JobKey { bound: None, ..base.clone() },
        JobKey { unbounded: true, ..base.clone() },
        JobKey { count: true, ..base.clone() },
        JobKey { environment: Some("send".into()), ..base.clone() },
        JobKey { ground: Some("send".into()), ..base.clone() },
        JobKey { environment: Some(String::new()), ..base.clone() },
        JobKey { max_states: Some(1), ..base.clone() },
        JobKey { solver: "varisat".into(), ..base.clone() },
        JobKey { timeout_ms: Some(1), ..base.clone() },
        JobKey { memory_bytes: Some(1), ..base.clone() },
        JobKey { max_classes: Some(1), ..base.clone() },
        JobKey { exact: true, ..base.clone() },
        JobKey { keep_redundant: true, ..base.clone() },
        JobKey { verify: true, ..base.clone() },
        JobKey { version: "0.2.0".into(), ..base.clone() },
    ];
    let mut names: Vec<String> = others.iter().chain([&base]).map(JobKey::name).collect();
    assert!(names.iter().all(|n| n.starts_with("toy.") && !n.contains('/')), "{names:?}");
    names.sort();
    names.dedup();
    assert_eq!(names.len(), others.len() + 1);
}

#[test]
fn a_job_for_every_length_says_so() {
    let every = JobKey { unbounded: true, bound: None, ..key(0) };
    assert!(every.name().starts_with("toy.safe.generic.unbounded."), "{}", every.name());
    assert_eq!(every.label(), "toy safe generic unbounded");
    assert_eq!(JobKey { bound: Some(4), ..every.clone() }.label(), "toy safe generic unbounded k=4");
    assert_eq!(every.title(), "toy safe generic");
    assert_eq!(every.series(), key(5).series());
    assert_ne!(every.series(), JobKey { exact: true, ..key(5) }.series());
}

#[test]
fn names_stay_the_same_from_version_to_version() {
    // SHA-256 of nothing.
    assert_eq!(digest([]), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    assert_ne!(digest(["ab", "c"]), digest(["a", "bc"]));
    assert_eq!(key(3).name(), "toy.safe.generic.k3.49e9146b3572566d");
}
