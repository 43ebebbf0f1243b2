//! Imports point down the layers only: reads every `crate::` path in `src` and checks it against the
//! table of `docs/architecture.md`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Modules with their layers. A module may use modules of lower layers; siblings do not see each other.
const LAYERS: &[(&str, u32)] = &[
    ("diagnostics", 0),
    ("budget", 0),
    ("random", 0),
    ("index", 0),
    ("cadical", 0),
    ("diagram", 1),
    ("smt_solver", 1),
    ("parsing", 1),
    ("proof", 1),
    ("syntax", 2),
    ("model", 3),
    ("lts", 4),
    ("protocol", 4),
    ("quint", 4),
    ("aiger", 4),
    ("smv", 4),
    ("trace", 4),
    ("sat", 4),
    ("unroll", 5),
    ("explore", 5),
    ("process", 5),
    ("smt", 5),
    ("mucalc", 5),
    ("symmetry", 6),
    ("relations", 6),
    ("prove", 7),
    ("ctl", 7),
    ("ltl", 7),
    ("classify", 8),
    ("decide", 8),
    ("verify", 8),
    ("vocabulary", 9),
    ("report", 10),
    ("batch", 11),
    ("cli", 12),
    ("main", 13),
];

#[test]
fn imports_point_down() {
    let layers: BTreeMap<&str, u32> = LAYERS.iter().copied().collect();
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    collect(&src, &mut files);
    assert!(files.len() > 20, "the sources were not found");
    let mut wrong = Vec::new();
    let mut seen = 0;
    for file in files {
        let relative = file.strip_prefix(&src).expect("below src");
        let relative = relative.strip_prefix("base").unwrap_or(relative);
        let top = relative.components().next().expect("a name").as_os_str().to_string_lossy().into_owned();
        let module = top.trim_end_matches(".rs");
        if module == "lib" {
            continue;
        }
        let own = *layers.get(module).unwrap_or_else(|| panic!("{module} has no layer: add it to the table"));
        let text = std::fs::read_to_string(&file).expect("readable");
        for (line, code) in text.lines().enumerate() {
            let code = code.split("//").next().unwrap_or("");
            for (at, marker) in ["crate::", "cladist::", "cladist_base::"]
                .iter()
                .flat_map(|marker| code.match_indices(marker))
            {
                for used in modules_of(&code[at + marker.len()..]) {
                    let Some(&layer) = layers.get(used) else { continue };
                    seen += 1;
                    if used != module && layer >= own {
                        wrong.push(format!("{}:{}: {module} uses {used}", relative.display(), line + 1));
                    }
                }
            }
        }
    }
    assert!(seen > 50, "only {seen} imports were recognised");
    assert!(wrong.is_empty(), "imports that point up or sideways:\n{}", wrong.join("\n"));
}

/// The first names of a path, several of them for `crate::{a, b::c}`.
fn modules_of(path: &str) -> Vec<&str> {
    let name = |s: &str| s.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(s.len());
    match path.strip_prefix('{') {
        None => vec![&path[..name(path)]],
        Some(group) => group
            .split(',')
            .map(|part| part.trim())
            .map(|part| &part[..name(part)])
            .filter(|part| !part.is_empty())
            .collect(),
    }
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("readable folder") {
        let path = entry.expect("entry").path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|e| e == "rs") {
            files.push(path);
        }
    }
}
