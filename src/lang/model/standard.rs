//! The libraries and components that come with the program: `import "std/messages.pred" …` works in every model.

use std::path::Path;

/// The folder that is no folder.
pub(super) const FOLDER: &str = "std";

const FILES: &[(&str, &str)] = &[
    ("crash_restart.sts", include_str!("../standard/crash_restart.sts")),
    ("lossy_channel.sts", include_str!("../standard/lossy_channel.sts")),
    ("channels.pred", include_str!("../standard/channels.pred")),
    ("knowledge.pred", include_str!("../standard/knowledge.pred")),
    ("messages.pred", include_str!("../standard/messages.pred")),
    ("orderings.pred", include_str!("../standard/orderings.pred")),
    ("protocols.pred", include_str!("../standard/protocols.pred")),
];

/// True if a path as written in an import means a file of the program.
pub fn is_standard(path: &Path) -> bool {
    path.starts_with(FOLDER)
}

/// The text of a file of the program, by its path, `std/messages.pred`.
pub fn text(path: &Path) -> Option<&'static str> {
    let name = path.strip_prefix(FOLDER).ok()?;
    FILES.iter().find(|(file, _)| Path::new(file) == name).map(|(_, text)| *text)
}

/// The paths of all of them.
pub(super) fn all() -> Vec<String> {
    FILES.iter().map(|(name, _)| format!("{FOLDER}/{name}")).collect()
}
