//! Reading plans and stored results: regular files only, up to a stated size.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Reads a regular file of at most `limit` bytes as UTF-8.
///
/// # Errors
/// Folders, devices and FIFOs are refused without being opened, because reading them may block or never end;
/// a larger file is refused without being read.
pub fn read_text(path: &Path, limit: u64) -> io::Result<String> {
    let kind = std::fs::metadata(path)?.file_type();
    if kind.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if !kind.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"));
    }
    let file = File::open(path)?;
    let too_large = || io::Error::other(format!("it is larger than {} MiB", limit >> 20));
    if file.metadata()?.len() > limit {
        return Err(too_large());
    }
    // The file may grow while it is read.
    let mut text = String::new();
    file.take(limit + 1).read_to_string(&mut text)?;
    if text.len() as u64 > limit { Err(too_large()) } else { Ok(text) }
}
