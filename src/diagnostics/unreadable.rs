//! Files that cannot be read.

use super::Diagnostic;
use std::io;
use std::path::Path;

/// That a file which the user named cannot be read, and why.
pub fn unreadable(path: &Path, error: &io::Error) -> Diagnostic {
    Diagnostic::error_without_place(format!("cannot read {}: {}", path.display(), why_unreadable(error)))
}

/// Why a file cannot be read: `there is no such file`.
pub fn why_unreadable(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".into(),
        io::ErrorKind::PermissionDenied => "no permission".into(),
        io::ErrorKind::InvalidData => "it is not text (UTF-8)".into(),
        io::ErrorKind::IsADirectory => "it is a directory".into(),
        _ => error.to_string(),
    }
}
