//! The folder that the imports of a model must lie in.

use crate::diagnostics::{TEXT_LIMIT, read_text};
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// A folder, as an absolute path without symbolic links; imports are read from it and its subfolders.
pub(super) struct Root(PathBuf);

/// An import lies outside the root folder.
#[derive(Debug)]
pub(super) struct OutsideRoot(PathBuf);

impl Root {
    /// The folder named by the user.
    pub(super) fn at(folder: &Path) -> io::Result<Self> {
        match folder.canonicalize()? {
            path if path.is_dir() => Ok(Self(path)),
            _ => Err(io::ErrorKind::NotADirectory.into()),
        }
    }

    /// The nearest folder at or above that of the model that contains a folder `predicates` or is the root of a
    /// repository; if there is none, the folder of the model.
    pub(super) fn of_model(model: &Path) -> io::Result<Self> {
        let folder = match model.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let folder = folder.canonicalize()?;
        let marked = |f: &&Path| f.join("predicates").is_dir() || f.join(".git").exists();
        Ok(Self(folder.ancestors().find(marked).unwrap_or(&folder).to_path_buf()))
    }

    /// The text of an import.
    pub(super) fn read(&self, import: &Path) -> io::Result<String> {
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
    Root::of_model(path).ok().map(|root| root.0)
}

impl fmt::Display for OutsideRoot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "it is outside {}", self.0.display())
    }
}

impl std::error::Error for OutsideRoot {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn imports_stay_inside_of_the_root() {
        let folder = tempfile::tempdir().expect("a folder");
        let (models, predicates) = (folder.path().join("specs/deep"), folder.path().join("predicates"));
        fs::create_dir_all(&models).expect("made");
        fs::write(folder.path().join("specs/up.pred"), "library up;").expect("written");
        let model = models.join("m.sts");
        let up = models.join("../up.pred");
        let outside = |root: io::Result<Root>| root.expect("a root").read(&up).is_err();
        assert!(outside(Root::of_model(&model)), "only the folder of the model");
        fs::create_dir(&predicates).expect("made");
        assert!(!outside(Root::of_model(&model)), "as far as the folder with `predicates`");
        assert!(outside(Root::at(&models)));
        assert!(!outside(Root::at(folder.path())));
        assert!(Root::at(&up).is_err() && Root::at(&models.join("none")).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn symbolic_links_lead_nowhere_else() {
        let folder = tempfile::tempdir().expect("a folder");
        let inside = folder.path().join("inside");
        fs::create_dir(&inside).expect("made");
        fs::write(folder.path().join("secret"), "library s;").expect("written");
        std::os::unix::fs::symlink(folder.path().join("secret"), inside.join("link.pred")).expect("made");
        let error = Root::at(&inside).expect("a root").read(&inside.join("link.pred")).expect_err("outside");
        assert!(error.to_string().starts_with("it is outside "), "{error}");
    }
}
