//! Names: where they are declared and used, and that texts with other names mean the same.

use crate::random::cases;
use cladist::diagnostics::{SourceId, Span};
use cladist::model::names::{DeclaredSymbol, ModelNames, NameKind};
use cladist::model::{LoadOptions, Model, is_standard_path, load_edited, names_edited};
use regex_lite::Regex;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The models below `specs`.
fn models() -> Vec<PathBuf> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("specs")];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "sts") {
                found.push(path);
            }
        }
    }
    found.retain(|path| !path.to_string_lossy().contains("/components/"));
    found.sort();
    found
}

fn names_of(path: &Path, texts: &BTreeMap<PathBuf, String>) -> ModelNames {
    let text = texts.get(path).cloned().unwrap_or_else(|| std::fs::read_to_string(path).expect("a text"));
    names_edited(path, &text, &LoadOptions::default(), &|other| texts.get(other).cloned())
}

fn load(path: &Path, texts: &BTreeMap<PathBuf, String>) -> Model {
    let text = texts.get(path).cloned().unwrap_or_else(|| std::fs::read_to_string(path).expect("a text"));
    let loaded = load_edited(path, &text, &LoadOptions::default(), &|other| texts.get(other).cloned());
    let found = format!("{:?}", loaded.diagnostics);
    loaded.model.unwrap_or_else(|| panic!("{}: {found}", path.display()))
}

/// The texts in which some of what is declared has another name.
fn renamed(names: &ModelNames, to: impl Fn(&DeclaredSymbol) -> Option<String>) -> BTreeMap<PathBuf, String> {
    let mut edits: BTreeMap<Span, String> = BTreeMap::new();
    for (of, declared) in names.declared.iter().enumerate() {
        if let Some(to) = to(declared) {
            for (span, new) in names.renamed(of, &to) {
                // A field and the name that a pattern gives it get the same new name.
                let short = edits.contains_key(&span) && !names.declared[of].places.contains(&span);
                edits.insert(span, if short || edits.contains_key(&span) { to.clone() } else { new });
            }
        }
    }
    let mut texts: BTreeMap<PathBuf, String> = BTreeMap::new();
    for (span, new) in edits.into_iter().rev() {
        let path = PathBuf::from(names.sources.name(span.source));
        let text = texts.entry(path).or_insert_with(|| names.sources.text(span.source).to_owned());
        text.replace_range(span.start as usize..span.end as usize, &new);
    }
    texts
}

/// Whether a name can be changed: not those of files that come with the program, nor those that such a file requires and finds by their
/// names.
fn is_own(names: &ModelNames, declared: &DeclaredSymbol) -> bool {
    let is_standard = |declared: &DeclaredSymbol| {
        is_standard_path(Path::new(names.sources.name(declared.places[0].source)))
    };
    let mut others = names.declared.iter().filter(|other| other.name == declared.name);
    !is_standard(declared) && !others.any(|other| other.kind == NameKind::Requirement && is_standard(other))
}

/// What a model says, without places; `name` stands for each match of `pattern`.
fn meaning(model: &Model, pattern: &Regex, name: &str) -> String {
    let spans = Regex::new(r"Span \{[^}]*\}").expect("a pattern");
    let parts = format!(
        "{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}",
        model.variables,
        model.types,
        model.constants,
        model.init,
        model.actions,
        model.assumptions,
        model.properties,
        model.fairness,
        model.action_fairness,
        model.environment,
        model.predicates,
        model.vocabularies,
    );
    let plain = spans.replace_all(&parts, "_").into_owned();
    pattern.replace_all(&plain, name).into_owned()
}

#[test]
fn models_with_other_names_mean_the_same() {
    let mark = Regex::new(r"([A-Za-z0-9_]+)_renamed\b").expect("a pattern");
    let mut changed = 0;
    for path in models() {
        let names = names_of(&path, &BTreeMap::new());
        let all = renamed(&names, |declared| {
            is_own(&names, declared).then(|| format!("{}_renamed", declared.name))
        });
        assert!(names.mean_the_same(&names_of(&path, &all)), "{}", path.display());
        let (before, after) = (load(&path, &BTreeMap::new()), load(&path, &all));
        // Which names the texts of predicates and the like have does not matter.
        assert_eq!(meaning(&before, &mark, "$1"), meaning(&after, &mark, "$1"), "{}", path.display());
        changed += names.declared.len();
    }
    assert!(changed > 1000, "{changed}");
}

#[test]
fn each_name_can_be_changed_alone() {
    let mark = Regex::new(r"\bfresh_name\b").expect("a pattern");
    let (mut at, step) = (0, (23 / cases(1) as usize).max(1));
    for path in models() {
        let names = names_of(&path, &BTreeMap::new());
        let before = load(&path, &BTreeMap::new());
        for (of, declared) in names.declared.iter().enumerate() {
            at += 1;
            if at % step != 0 || !is_own(&names, declared) {
                continue;
            }
            let texts = renamed(&names, |other| {
                (other.places == names.declared[of].places).then(|| "fresh_name".to_owned())
            });
            let place = format!("{} of {}", declared.name, path.display());
            assert!(names.mean_the_same(&names_of(&path, &texts)), "{place}");
            let after = load(&path, &texts);
            assert_eq!(meaning(&before, &mark, ""), meaning(&after, &mark, &declared.name), "{place}");
        }
    }
}

/// What the name at the first place of `mark` in a text stands for.
fn at<'n>(names: &'n ModelNames, text: &str, mark: &str) -> &'n DeclaredSymbol {
    let byte = text.find(mark).unwrap_or_else(|| panic!("no {mark}"));
    let used = names.at(SourceId(0), byte as u32).unwrap_or_else(|| panic!("no name at {mark}"));
    &names.declared[used.of]
}

#[test]
fn names_of_all_kinds_are_found() {
    let text = "model m;
/// A part.
type Part = record { left: Colour, right: 0..3 };
type Colour = enum { Red, Green };
type Sent = variant { One(who: Colour), Two(who: Colour, by: Colour), Nothing };
const N : 0..3 = 2;
var part : Part;
var sent : Sent;
init { part = Part(left: Red, right: N); sent = Nothing; }
def twice(n: 0..3): 0..6 = n + n;
action turn(c: Colour) { let d = c; part'.left = d; part'.right = part.right; }
action give(c: Colour) { sent' = match sent { One(who) => Two(who: who, by: c), Two(who, by: b) => One(who: b), else => sent }; }
operation rest() { part'.left = Red; }
invariant always_red: forall c in Colour: part.left = c => c = Red;
pred turned(i: pos) = turn.c@i = Red;
vocabulary always_red = { turned, eq(part.left) };
vocabulary wide = { before } + always_red;
";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("specs/none.sts");
    let names = names_edited(&path, text, &LoadOptions::default(), &|_| None);
    assert_eq!(load_edited(&path, text, &LoadOptions::default(), &|_| None).diagnostics, []);
    let kinds = [
        ("left: Red", NameKind::Field, "left: Colour"),
        ("right = part", NameKind::Field, "right: 0..3"),
        ("Part(left", NameKind::Type, "type Part = record { left: Colour, right: 0..3 }"),
        ("N);", NameKind::Constant, "const N : 0..3 = 2"),
        ("n + n", NameKind::Parameter, "n: 0..3"),
        ("d; part'", NameKind::Bound, "let d = c"),
        ("c = Red;\npred", NameKind::Bound, "c in Colour"),
        ("Red;\npred", NameKind::Value, "Red of enum { Red, Green }"),
        ("c@i", NameKind::Parameter, "c: Colour"),
        ("turn.c", NameKind::Action, "action turn(c: Colour)"),
        ("i = Red", NameKind::Parameter, "i: pos"),
        ("turned, eq", NameKind::Predicate, "pred turned(i: pos)"),
        ("One(who: b)", NameKind::Constructor, "One(who: Colour)"),
        ("who, by: c", NameKind::Bound, "who of One"),
        ("by: b)", NameKind::Field, "by: Colour"),
        (
            "always_red;",
            NameKind::Property,
            "invariant always_red: forall c in Colour: part.left = c => c = Red",
        ),
    ];
    for (mark, kind, shown) in kinds {
        let declared = at(&names, text, mark);
        assert_eq!((declared.kind, declared.text.as_str()), (kind, shown), "{mark}");
    }
    assert_eq!(at(&names, text, "Part(left").doc.as_deref(), Some("A part."));
    // Two declarations and two uses as a field, one of them in the short form of a pattern.
    let who = names.declared.iter().position(|declared| declared.text == "who: Colour").expect("a field");
    assert_eq!(names.declared[who].places.len(), 2);
    assert_eq!(names.uses_of(who).count(), 6);
    // The vocabulary that a property is classified with keeps the name of the property.
    let property = names.declared.iter().position(|declared| declared.kind == NameKind::Property);
    assert_eq!(names.uses_of(property.expect("a property")).count(), 3);
}

#[test]
fn texts_with_mistakes_have_names_as_far_as_they_can_be_read() {
    let text = "model m;\nvar x : bool;\ninit { x = unknown; }\naction a { x' = not x; y' = ; }\ninvariant i: x and (z;\n";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("specs/none.sts");
    let names = names_edited(&path, text, &LoadOptions::default(), &|_| None);
    let x = names.declared.iter().position(|declared| declared.name == "x").expect("a variable");
    assert_eq!(names.uses_of(x).count(), 4);
    assert!(names.at(SourceId(0), 0).is_none());
}

#[test]
fn parameters_in_steps_are_those_of_the_action() {
    let text = "model m;
        type P = enum { A, B };
        type R = record { who: P };
        var last : option R;
        init { last = none; }
        action give(who: P) { last' = R(who: who); }
        invariant can_give: enabled(give(who: A));
        pred given(t: pos) = give(who: A)@t and match last@t { some(found) => found.who = A, none => false };
        pred never_given(t: pos) = never give(who: B) before t and pre last@t is none;\n";
    let path = Path::new("m.sts");
    let texts = BTreeMap::from([(path.to_path_buf(), text.to_owned())]);
    let names = names_of(path, &texts);
    let rename = |declared: &DeclaredSymbol| {
        (declared.name == "who" && declared.kind == NameKind::Parameter || declared.name == "found")
            .then(|| format!("{}_there", declared.name))
    };
    let renamed = renamed(&names, rename);
    let written = &renamed[path];
    let expected = text
        .replace("give(who:", "give(who_there:")
        .replace("R(who: who)", "R(who: who_there)")
        .replace("found", "found_there");
    assert_eq!(*written, expected);
    load(path, &renamed);
}
