//! Reading files: only regular ones, and only up to a stated size.

use super::Diagnostic;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The largest model, library, plan or property file that is read, in bytes.
pub const TEXT_LIMIT: u64 = 16 << 20;

/// Reads a regular file of at most `limit` bytes as UTF-8.
///
/// # Errors
///
/// Directories, devices, FIFOs and sockets are refused without being opened, since reading them may block or
/// never end; a file above the limit is refused without being read ([`io::ErrorKind::FileTooLarge`]).
/// [`why_unreadable`] explains every error to the user.
pub fn read_text(path: &Path, limit: u64) -> io::Result<String> {
    String::from_utf8(read_bytes(path, limit)?)
        .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

/// Reads a regular file of at most `limit` bytes.
///
/// # Errors
/// As [`read_text`].
pub fn read_bytes(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let kind = std::fs::metadata(path)?.file_type();
    if kind.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if !kind.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"));
    }
    let file = File::open(path)?;
    let too_large = || {
        let message = format!("it is larger than {}", size_text(limit));
        Err(io::Error::new(io::ErrorKind::FileTooLarge, message))
    };
    if file.metadata()?.len() > limit {
        return too_large();
    }
    // The file may grow while it is read, and files of `/proc` give no size.
    let mut bytes = Vec::new();
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit { too_large() } else { Ok(bytes) }
}

/// The error for a file that the user named and that cannot be read.
pub fn unreadable(path: &Path, error: &io::Error) -> Diagnostic {
    Diagnostic::error_without_place(format!("cannot read {}: {}", path.display(), why_unreadable(error)))
}

/// Returns the reason why a file cannot be read, as the end of a sentence: `there is no such file`.
pub fn why_unreadable(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".into(),
        io::ErrorKind::PermissionDenied => "permission denied".into(),
        io::ErrorKind::InvalidData => "it is not UTF-8 text".into(),
        io::ErrorKind::IsADirectory => "it is a directory".into(),
        _ => error.to_string(),
    }
}

/// A number of bytes for a reader: `16 MiB`, `1000 bytes`.
fn size_text(bytes: u64) -> String {
    if bytes >= 1 << 20 { format!("{} MiB", bytes >> 20) } else { format!("{bytes} bytes") }
}
