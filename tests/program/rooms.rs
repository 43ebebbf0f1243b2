//! The sizes of rooms: each folder of a crate has a budget of lines. Who needs more changes it here, on purpose. Notes name files and
//! types that exist.

use regex_lite::Regex;
use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The most lines of Rust of each room: of a folder or a file right below a crate, or of a crate without such rooms.
const BUDGETS: &[(&str, usize)] = &[
    ("cadical", 840),
    ("classify/automata", 4320),
    ("classify/beyond", 860),
    ("classify/causes", 4190),
    ("classify/facts", 3900),
    ("classify/lassos", 4360),
    ("classify/oracles", 3900),
    ("classify/predicates", 880),
    ("classify/results", 1010),
    ("classify/search", 7920),
    ("classify/vocabulary", 2540),
    ("cli", 17940),
    ("engines/ctl", 5360),
    ("engines/decide", 1250),
    ("engines/explore", 6730),
    ("engines/ltl", 2070),
    ("engines/prove", 3540),
    ("engines/relations", 960),
    ("engines/symmetry", 790),
    ("explicit/lts", 10280),
    ("explicit/mucalc", 4510),
    ("explicit/process", 8080),
    ("import/aiger", 790),
    ("import/btor2", 710),
    ("import/limits", 80),
    ("import/promela", 8140),
    ("import/protocol", 19560),
    ("import/quint", 6470),
    ("import/readers", 100),
    ("import/smv", 5630),
    ("import/tla", 4780),
    ("import/written", 90),
    ("kit/budget", 870),
    ("kit/diagnostics", 660),
    ("kit/diagram", 670),
    ("kit/index", 60),
    ("kit/number", 70),
    ("kit/parsing", 870),
    ("kit/proof", 490),
    ("kit/random", 60),
    ("lang/model", 18830),
    ("lang/syntax", 6290),
    ("lang/trace", 1470),
    ("report/batch", 2770),
    ("report/causes", 1310),
    ("report/checks", 1300),
    ("report/ci", 450),
    ("report/classes", 2480),
    ("report/explicit", 3340),
    ("report/findings", 450),
    ("report/lassos", 510),
    ("report/reference", 260),
    ("report/shared", 1500),
    ("report/traces", 1720),
    ("report/view", 1350),
    ("report/writing", 840),
    ("solvers/sat", 2020),
    ("solvers/smt", 4140),
    ("solvers/smt_solver", 1090),
    ("solvers/unroll", 4820),
    ("verify", 6490),
];

#[test]
fn rooms_keep_within_their_budgets() {
    let src = Path::new(ROOT).join("src");
    let budgets: BTreeMap<&str, usize> = BUDGETS.iter().copied().collect();
    let mut sizes: BTreeMap<String, usize> = BTreeMap::new();
    for file in files(&src, "rs") {
        let path = file.strip_prefix(&src).expect("below src").with_extension("");
        let names: Vec<_> = path.iter().map(|name| name.to_string_lossy()).collect();
        let room = match &names[..] {
            // The first pages of crates, and of the program.
            [_] | [_, _] if path.ends_with("lib") || path.ends_with("main") => continue,
            [whole, ..] if budgets.contains_key(&**whole) => whole.to_string(),
            [name, room, ..] => format!("{name}/{room}"),
            _ => panic!("{} is in no room", file.display()),
        };
        *sizes.entry(room).or_default() += read(&file).lines().count();
    }
    assert!(sizes.len() > 20, "the sources were not found");
    let known = |room: &String| budgets.contains_key(room.as_str());
    let (known, unknown): (Vec<&String>, Vec<&String>) = sizes.keys().partition(|room| known(room));
    assert_eq!(unknown, Vec::<&String>::new(), "rooms without a budget");
    assert_eq!(known.len(), budgets.len(), "budgets without a room");
    let above = sizes.iter().filter(|(room, lines)| **lines > budgets[room.as_str()]);
    let above: Vec<String> = above
        .map(|(room, lines)| format!("{room}: {lines} lines, above its budget of {}", budgets[room.as_str()]))
        .collect();
    assert!(above.is_empty(), "{}", above.join("\n"));
}

/// Notes with names of models that look like types.
const NOTES_ON_MODELS: &[&str] = &["models.md", "reproduction.md"];

#[test]
fn notes_name_what_exists() {
    let root = Path::new(ROOT);
    let folders = ["src", "tests", "docs/schema"];
    let code: Vec<PathBuf> = folders.iter().flat_map(|name| files(&root.join(name), "rs")).collect();
    let texts: Vec<String> = code.iter().map(|path| read(path)).collect();
    let in_texts = texts.iter().flat_map(|text| text.split(|c: char| !c.is_alphanumeric() && c != '_'));
    let modules =
        code.iter().flat_map(|path| path.iter().filter_map(|name| Path::new(name).file_stem()?.to_str()));
    let names: HashSet<&str> = in_texts.chain(modules).collect();

    let pattern = |text| Regex::new(text).expect("a pattern");
    let (span, word) = (pattern("`([^`]+)`"), pattern(r"\w+"));
    let (file, path) = (pattern(r"^[\w/]+\.rs$"), pattern(r"^\w+(::\w+)+$"));
    let of_type = pattern("^[A-Z][a-z]+([A-Z][a-z]+)*$");
    let mut notes = files(&root.join("docs/notes"), "md");
    notes.extend(["docs/architecture.md", "CONTRIBUTING.md"].map(|name| root.join(name)));
    let (mut seen, mut missing) = (0, Vec::new());
    for note in notes {
        let is_on_models = NOTES_ON_MODELS.iter().any(|name| note.ends_with(name));
        let text = read(&note);
        for found in text.lines().flat_map(|line| span.captures_iter(line)) {
            let named = &found[1];
            let exists = match named {
                _ if file.is_match(named) => code.iter().any(|path| path.ends_with(named)),
                _ if path.is_match(named) || !is_on_models && of_type.is_match(named) => {
                    word.find_iter(named).all(|part| names.contains(part.as_str()))
                }
                _ => continue,
            };
            seen += 1;
            if !exists {
                missing.push(format!("{}: `{named}`", note.display()));
            }
        }
    }
    assert!(seen > 100, "the names were not found");
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).expect("UTF-8")
}

/// All files below a folder with this ending.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("readable").map(|entry| entry.expect("readable").path());
    let all = entries.flat_map(|path| if path.is_dir() { files(&path, ending) } else { vec![path] });
    all.filter(|path| path.extension().is_some_and(|extension| extension == ending)).collect()
}
