//! A folder of independent files, each of which is complete or absent.

use super::export::write_file;
use super::refusal::UsageError;
use super::watchdog::Watchdog;
use cladist::budget::Budget;
use std::path::{Path, PathBuf};

/// A folder of independent files.
#[derive(Debug)]
pub struct OutDir {
    path: PathBuf,
    watchdog: Watchdog,
}

impl OutDir {
    /// Creates the folder, so that a wrong path is reported before the work begins.
    pub fn create(path: &Path, watchdog: &Watchdog) -> Result<Self, UsageError> {
        if path.exists() && !path.is_dir() {
            let reason = std::io::Error::other("it is a file, and results need a folder");
            return Err(cannot("create", path, &reason));
        }
        std::fs::create_dir_all(path).map_err(|error| cannot("create", path, &error))?;
        Ok(Self { path: path.to_owned(), watchdog: watchdog.clone() })
    }

    /// Writes a file, completely or not at all.
    pub fn write(&self, name: &str, text: &str) -> Result<(), UsageError> {
        let path = self.path.join(name);
        let written =
            write_file(&path, &Budget::unlimited(), &self.watchdog, |out| out.write_all(text.as_bytes()));
        written.map_err(|error| error.refusal(&path))
    }
}

fn cannot(what: &str, path: &Path, error: &std::io::Error) -> UsageError {
    UsageError::message(format!("cannot {what} {}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::super::limits::CommandLimits;
    use super::*;

    fn idle() -> Watchdog {
        Watchdog::idle(CommandLimits::default(), false)
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_failure_leaves_nothing_behind() {
        let folder = tempfile::tempdir().expect("a folder");
        let out = OutDir::create(folder.path(), &idle()).expect("created");
        // A folder of the name cannot be replaced by a file.
        std::fs::create_dir(folder.path().join("taken")).expect("created");
        let error = out.write("taken", "text").expect_err("there is a folder");
        assert!(error.diagnostics[0].message.starts_with("cannot write "));
        assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }

    #[test]
    fn a_file_in_the_way_is_an_error() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("file");
        std::fs::write(&file, "").expect("written");
        let error = OutDir::create(&file, &idle()).expect_err("not a folder");
        assert!(format!("{error:?}").contains("results need a folder"), "{error:?}");
        let error = OutDir::create(&file.join("below"), &idle()).expect_err("not a folder");
        assert!(error.diagnostics[0].message.starts_with("cannot create "));
    }
}
