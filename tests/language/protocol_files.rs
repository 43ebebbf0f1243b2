//! Protocol files: published ones are read, and what is read means what the file says.

use cladist::budget::Budget;
use cladist::diagnostics::{Diagnostic, render};
use cladist::protocol::{Loaded, Protocols, load, load_text};
use std::path::{Path, PathBuf};

/// The protocol files of the folder that `CLADIST_TEST_DATA` names.
pub fn published() -> Option<Vec<PathBuf>> {
    let Some(folder) = std::env::var_os("CLADIST_TEST_DATA").filter(|value| !value.is_empty()) else {
        eprintln!("skipped: CLADIST_TEST_DATA is not set");
        return None;
    };
    let entries = std::fs::read_dir(Path::new(&folder).join("spdl")).expect("a folder");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "spdl"));
    paths.sort();
    assert_eq!(paths.len(), 36);
    Some(paths)
}

/// All diagnostics, as a terminal without colours shows them.
pub fn shown(loaded: &Loaded) -> String {
    loaded.diagnostics.iter().map(|diagnostic| render(diagnostic, &loaded.sources, false)).collect()
}

#[test]
fn published_files_have_no_errors() {
    let Some(paths) = published() else { return };
    for path in paths {
        let loaded = load(&path, &Budget::unlimited());
        eprintln!("{}\n{}", path.display(), shown(&loaded));
        assert!(loaded.protocols.is_some(), "{}:\n{}", path.display(), shown(&loaded));
        assert!(!loaded.diagnostics.iter().any(Diagnostic::is_error));
    }
}
