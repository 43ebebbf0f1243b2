//! `cladist verify` of kinds by their causes: those that the program stores are accepted, and what was changed afterwards is refused.

use crate::verify::{ROOT, cladist, solvers, stored, verify};
use serde_json::{Value as Json, json};
use std::path::{Path, PathBuf};

/// Command lines of trees: of invariants with several kinds, of violations in initial states, of infinite traces, of one without violation.
const TREES: &[&[&str]] = &[
    &["specs/web_shop.sts", "-k", "6"],
    &["specs/running_example.sts", "-k", "5"],
    &["specs/ns_public_key.sts", "-k", "7"],
    &["specs/tcp_handshake.sts", "-k", "4"],
    &["specs/increment_decrement.sts", "-k", "5"],
    &["specs/liveness/cache_thrash.sts", "--ignore-fairness", "-k", "5"],
    &["specs/liveness/pinned_address.sts", "-k", "6"],
    &["specs/liveness/starvation.sts", "-p", "all_enter", "-k", "6"],
];

fn tree(folder: &Path, args: &[&str]) -> PathBuf {
    stored(folder, &[&["classify"], args, &["--tree"]].concat())
}

#[test]
fn causes_that_the_program_found_are_accepted() {
    for solver in solvers() {
        for args in TREES {
            let folder = tempfile::tempdir().expect("a folder");
            let (code, text) = verify(&tree(folder.path(), args), &[], &[solver]);
            assert_eq!(code, 0, "{args:?} by {solver}: {text}");
        }
    }
    let folder = tempfile::tempdir().expect("a folder");
    let model = folder.path().join("initial.sts");
    let text =
        "model initial; var on : bool; init { true; } action heat { on' = true; } invariant cold: not on;";
    std::fs::write(&model, text).expect("written");
    let file = tree(folder.path(), &[model.to_str().expect("UTF-8"), "-k", "3"]);
    for solver in solvers() {
        let (code, text) = verify(&file, &[], &[solver]);
        assert_eq!(code, 0, "by {solver}: {text}");
    }
}

/// Declares the kinds of a folder in the model itself, which then has a complete cover.
#[test]
fn kinds_as_predicates_leave_no_remainder() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    for name in ["specs", "predicates"] {
        std::fs::create_dir(at(name)).expect("a folder");
        for file in std::fs::read_dir(Path::new(ROOT).join(name)).expect("a folder").flatten() {
            // Folders are left out.
            _ = std::fs::copy(file.path(), at(name).join(file.file_name()));
        }
    }
    let initial =
        "model initial; var on : bool; init { true; } action heat { on' = true; } invariant cold: not on;";
    std::fs::write(at("specs/initial.sts"), initial).expect("written");
    let out = at("out");
    for args in TREES[..5].iter().copied().chain([&["specs/initial.sts", "-k", "2"][..]]) {
        let model = at(args[0]);
        let classify = |more: &[&str]| {
            let file = model.to_str().expect("UTF-8");
            let output = cladist(&[&["classify", file, "--brief"], more, &args[1..]].concat());
            let shown = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
            assert_eq!(output.status.code(), Some(10), "{args:?}: {shown}");
            shown
        };
        classify(&["--tree", "--out", out.to_str().expect("UTF-8")]);
        let read = |path: &Path| std::fs::read_to_string(path).expect("read");
        std::fs::write(&model, read(&model) + &read(&out.join("kinds.txt"))).expect("written");
        let shown = classify(&["-V", "kinds", "--cover"]);
        assert!(shown.lines().next().is_some_and(|line| line.contains("every violating trace")), "{shown}");
    }
}

/// Changes of a tree that make it wrong.
type Change = (&'static str, &'static dyn Fn(&mut Json));

const CHANGES: &[Change] = &[
    ("a kind is missing", &|tree| _ = tree["kinds"].as_array_mut().expect("kinds").remove(0)),
    ("a kind is there, and the verdict says that nothing is violated", &|tree| {
        tree["verdict"] = json!("holds")
    }),
    ("nothing is there, and the verdict says that nothing is violated", &|tree| {
        tree["verdict"] = json!("holds");
        tree["kinds"] = json!([]);
        tree["always"] = json!([]);
    }),
    ("a trace is that of another kind", &|tree| {
        tree["kinds"][0]["ways"][0]["trace"] = tree["kinds"][1]["ways"][0]["trace"].clone();
        tree["kinds"][0]["steps"] = tree["kinds"][1]["steps"].clone();
    }),
    ("a trace lacks its last step", &|tree| {
        let trace = &mut tree["kinds"][0]["ways"][0]["trace"];
        trace["states"].as_array_mut().expect("states").pop();
        trace["steps"] = json!(trace["steps"].as_u64().expect("a number") - 1);
    }),
    ("a pattern says more", &|tree| {
        let pattern = &mut tree["kinds"][0]["ways"][0]["pattern"];
        match pattern["finite"].as_object().is_some() {
            true => pattern["finite"]["facts"] = json!([{ "holds": "last = last + 1" }]),
            false => pattern["infinite"]["facts"][0]["at"][0][0]["holds"] = json!(false),
        }
    }),
    ("every trace is said to have another action", &|tree| {
        let other = if tree["model"] == "web_shop" { "xss" } else { "fetch" };
        tree["always"] = json!([other]);
    }),
    ("another number of steps is said to be complete", &|tree| tree["complete_to"] = json!(2)),
    ("a longer trace is within the bound", &|tree| tree["every_length"] = json!({ "longer": 2 })),
    ("a constant has another value", &|tree| tree["constants"] = json!({ "N": 4 })),
    ("the property is another one", &|tree| tree["property"] = json!("none")),
];

#[test]
fn changed_causes_are_refused() {
    let Some(solver) = solvers().first().copied() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    for args in [TREES[0], TREES[5]] {
        let file = tree(folder.path(), args);
        let right: Json = serde_json::from_slice(&std::fs::read(&file).expect("a result")).expect("JSON");
        for (what, change) in CHANGES {
            let mut wrong = right.clone();
            change(&mut wrong);
            assert_ne!(wrong, right, "{what}");
            std::fs::write(&file, wrong.to_string()).expect("written");
            let (code, text) = verify(&file, &[], &[solver]);
            assert_eq!(code, 13, "{what} of {args:?}: {text}");
        }
    }
}

/// Changes of classes with a tree, and the obligation that refuses each.
const CHANGED_CLASSES: &[(&str, Change)] = &[
    ("class-1-kinds", ("a class lacks a kind", &|result| result["classes"][0]["kinds"] = json!([]))),
    (
        "class-2-kinds",
        ("a class has one more", &|result| result["classes"][1]["kinds"] = json!([1, 2, 3, 4])),
    ),
    ("tree", ("there is no tree", &|result| _ = result.as_object_mut().expect("a result").remove("tree"))),
    ("tree", ("the tree is about another bound", &|result| result["tree"]["bound"] = json!(7))),
    (
        "tree-kind-1-way-1",
        ("a trace is another one", &|result| {
            result["tree"]["kinds"][0]["ways"][0]["trace"] = result["classes"][1]["representative"].clone();
        }),
    ),
];

#[test]
fn kinds_in_classes_are_verified() {
    let Some(solver) = solvers().first().copied() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let lassos =
        ["specs/liveness/starvation.sts", "-p", "p_enters", "--ignore-fairness", "-k", "5", "--cover"];
    let (code, text) = verify(&tree(folder.path(), &lassos), &[], &[solver]);
    assert_eq!(code, 0, "{text}");
    let file = tree(folder.path(), &["specs/web_shop.sts", "-V", "own", "-k", "6"]);
    let right: Json = serde_json::from_slice(&std::fs::read(&file).expect("a result")).expect("JSON");
    for (name, (what, change)) in CHANGED_CLASSES {
        let mut wrong = right.clone();
        change(&mut wrong);
        std::fs::write(&file, wrong.to_string()).expect("written");
        let (code, text) = verify(&file, &[], &[solver]);
        assert!(code == 13 && text.contains(name), "{what}: {text}");
    }
    // What earlier versions said of classes is not used.
    let mut earlier = right;
    earlier["classes"][0]["causes"] = json!([{ "id": 1 }]);
    earlier["classes"][0]["refined"] = json!({ "minimum": true });
    earlier["classes"][1]["causes"] = Json::Null;
    std::fs::write(&file, earlier.to_string()).expect("written");
    let (code, text) = verify(&file, &[], &[solver]);
    assert!(code == 0 && text.contains("a field that is not known"), "{text}");
}
