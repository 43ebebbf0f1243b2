//! The folder that the imports of a model must lie in.

use kit::diagnostics::{TEXT_LIMIT, read_text};
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// A folder, as an absolute path without symbolic links; imports are read from it and its subfolders.
pub struct ImportRoot(PathBuf);

/// An import lies outside the root folder.
#[derive(Debug)]
pub(super) struct OutsideRoot(PathBuf);

impl ImportRoot {
    /// The folder named by the user.
    pub fn at(folder: &Path) -> io::Result<Self> {
        match folder.canonicalize()? {
            path if path.is_dir() => Ok(Self(path)),
            _ => Err(io::ErrorKind::NotADirectory.into()),
        }
    }

    /// The nearest folder at or above that of the model that contains a folder `predicates` or is the root of a
    /// repository; if there is none, the folder of the model.
    pub fn of_model(model: &Path) -> io::Result<Self> {
        let folder = match model.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let folder = folder.canonicalize()?;
        let marked = |f: &&Path| f.join("predicates").is_dir() || f.join(".git").exists();
        Ok(Self(folder.ancestors().find(marked).unwrap_or(&folder).to_path_buf()))
    }

    /// The text of an import.
    pub fn read(&self, import: &Path) -> io::Result<String> {
        let path = import.canonicalize()?;
        if !path.starts_with(&self.0) {
            return Err(io::Error::other(OutsideRoot(self.0.clone())));
        }
        read_text(&path, TEXT_LIMIT)
    }
}

/// The folder that imports of a model, library or component must lie in by default, as an absolute path without symbolic links; `None` if
/// there is no such file's folder.
pub fn import_root(path: &Path) -> Option<PathBuf> {
    ImportRoot::of_model(path).ok().map(|root| root.0)
}

impl fmt::Display for OutsideRoot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "it is outside {}", self.0.display())
    }
}

impl std::error::Error for OutsideRoot {}
