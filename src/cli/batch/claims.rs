//! The claims of protocol files that a plan asks about.

use cladist::batch::{ClaimSelection, PlacedValue};
use cladist::diagnostics::{Diagnostic, find_name, unreadable};
use cladist::protocol::{ClaimedProperty, is_protocol};
use std::path::Path;

/// Returns the protocol files in a folder, in alphabetical order, as a plan would name them; `shown` is its name for
/// the folder.
///
/// # Errors
/// A folder that cannot be read, has no protocol file, or one whose name cannot be printed.
pub fn protocols_in(folder: &Path, shown: &str) -> Result<Vec<String>, Diagnostic> {
    let cannot_read = |error: std::io::Error| unreadable(folder, &error);
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(cannot_read)? {
        let path = entry.map_err(cannot_read)?.path();
        let Some(name) = path.file_name().filter(|_| is_protocol(&path)) else { continue };
        let name = name.to_string_lossy();
        if name.contains(char::is_control) {
            let message = format!("{} has a file with a control character in its name", folder.display());
            return Err(Diagnostic::error_without_place(message));
        }
        files.push(format!("{}/{name}", shown.trim_end_matches('/')));
    }
    if files.is_empty() {
        let message = format!("there is no protocol file (.spdl) in {}", folder.display());
        return Err(Diagnostic::error_without_place(message));
    }
    files.sort();
    Ok(files)
}

/// Returns the requested claims of a file, and the errors in the request.
pub fn those_of<'c>(
    wanted: &ClaimSelection,
    claims: &'c [ClaimedProperty],
    file: &PlacedValue<String>,
) -> (Vec<&'c ClaimedProperty>, Vec<Diagnostic>) {
    if claims.is_empty() {
        let message = format!("{} makes no claims", file.value);
        let help = "claims are those of protocol files (.spdl); the invariants of models are named under `properties`";
        return (Vec::new(), vec![Diagnostic::error(file.span, message).with_help(help)]);
    }
    let ClaimSelection::Labelled(names) = wanted else { return (claims.iter().collect(), Vec::new()) };
    let labels: Vec<&str> = claims.iter().map(|claim| claim.label.as_str()).collect();
    let (mut found, mut problems) = (Vec::new(), Vec::new());
    for name in names {
        match find_name("claim", &name.value, &labels) {
            // Several protocols of one file may have claims of the same label.
            Ok(index) => found.extend(claims.iter().filter(|claim| claim.label == labels[index])),
            Err(error) => {
                let error = error.with_note(format!("in {}", file.value));
                problems.push(Diagnostic { span: Some(name.span), ..error });
            }
        }
    }
    (found, problems)
}
