//! The version in full: commit, solvers and features.

use cladist::sat::Backend;

/// Returns the text of `--version`, after the name of the program.
pub fn in_full() -> String {
    let commit = option_env!("CLADIST_COMMIT").map(|commit| format!(" ({commit})")).unwrap_or_default();
    let solvers = Backend::all().iter().map(|backend| backend.signature()).chain(library());
    let features = if cfg!(feature = "z3") { "z3" } else { "none" };
    format!(
        "{}{commit}\nsolvers: {}\nfeatures: {features}",
        env!("CARGO_PKG_VERSION"),
        solvers.collect::<Vec<_>>().join(", ")
    )
}

/// The solver of the system that is linked.
fn library() -> Option<&'static str> {
    #[cfg(feature = "z3")]
    return Some(z3::full_version());
    #[cfg(not(feature = "z3"))]
    None
}
