//! The sizes of rooms: each folder of a crate has a budget of lines. Who needs more changes it here, on purpose.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The most lines of Rust of each room: of a folder or a file right below a crate, or of a crate without such rooms.
const BUDGETS: &[(&str, usize)] = &[
    ("cadical", 800),
    ("classify/automata", 4350),
    ("classify/beyond", 850),
    ("classify/causes", 3380),
    ("classify/facts", 3950),
    ("classify/lassos", 4490),
    ("classify/oracles", 3750),
    ("classify/predicates", 900),
    ("classify/results", 1045),
    ("classify/search", 7710),
    ("classify/vocabulary", 2240),
    ("cli", 17530),
    ("engines/ctl", 5370),
    ("engines/decide", 920),
    ("engines/explore", 6420),
    ("engines/ltl", 2100),
    ("engines/prove", 2550),
    ("engines/relations", 650),
    ("engines/symmetry", 800),
    ("explicit/lts", 10020),
    ("explicit/mucalc", 4520),
    ("explicit/process", 8090),
    ("import/aiger", 800),
    ("import/btor2", 690),
    ("import/limits", 80),
    ("import/promela", 7590),
    ("import/protocol", 11430),
    ("import/quint", 4520),
    ("import/smv", 5520),
    ("import/tla", 3680),
    ("import/written", 80),
    ("kit/budget", 850),
    ("kit/diagnostics", 850),
    ("kit/diagram", 900),
    ("kit/index", 100),
    ("kit/number", 100),
    ("kit/parsing", 850),
    ("kit/proof", 600),
    ("kit/random", 100),
    ("lang/model", 18870),
    ("lang/syntax", 6250),
    ("lang/trace", 1450),
    ("report/batch", 2750),
    ("report/causes", 1220),
    ("report/checks", 1290),
    ("report/ci", 430),
    ("report/classes", 2370),
    ("report/explicit", 3280),
    ("report/findings", 450),
    ("report/lassos", 690),
    ("report/reference", 260),
    ("report/shared", 1470),
    ("report/traces", 1720),
    ("report/view", 1370),
    ("report/writing", 800),
    ("solvers/sat", 2100),
    ("solvers/smt", 4150),
    ("solvers/smt_solver", 1100),
    ("solvers/unroll", 4800),
    ("verify", 6800),
];

#[test]
fn rooms_keep_within_their_budgets() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let budgets: BTreeMap<&str, usize> = BUDGETS.iter().copied().collect();
    let mut sizes: BTreeMap<String, usize> = BTreeMap::new();
    for file in files(&src) {
        let path = file.strip_prefix(&src).expect("below src").with_extension("");
        let names: Vec<_> = path.iter().map(|name| name.to_string_lossy()).collect();
        let room = match &names[..] {
            // The first pages of crates, and of the program.
            [_] | [_, _] if path.ends_with("lib") || path.ends_with("main") => continue,
            [whole, ..] if budgets.contains_key(&**whole) => whole.to_string(),
            [name, room, ..] => format!("{name}/{room}"),
            _ => panic!("{} is in no room", file.display()),
        };
        *sizes.entry(room).or_default() += std::fs::read_to_string(&file).expect("readable").lines().count();
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

/// All files of Rust below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("readable").map(|entry| entry.expect("readable").path());
    let all = entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] });
    all.filter(|path| path.extension().is_some_and(|extension| extension == "rs")).collect()
}
