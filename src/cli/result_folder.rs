//! A result as a folder: the complete new one, or the previous content.
//!
//! A new folder is filled beside the old one and replaces it in one step when it is complete, so that no fault leaves
//! files of two results together. A folder that cannot be exchanged (a mount point, the folder that the program runs
//! in, one with files of the user) gets the new files one by one. Meanwhile it has no *index*, the file that is read
//! first.

use super::export::{PREFIX, SUFFIX, block_file_size_signal};
use super::refusal::UsageError;
use super::watchdog::{Temporary, Watchdog};
use cladist::classify::{Classification, TraceKind, Verdict};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The files of a kind of result.
#[derive(Debug)]
pub struct ResultKind {
    /// The files one of which is read first.
    pub index: &'static [&'static str],
    /// True for the names of files and folders of such results.
    pub has: fn(&str) -> bool,
}

/// The results of `classify` and `check` with `--out`. A folder has one of them.
pub const RESULTS: ResultKind = ResultKind {
    index: &["classes.json", "causes.json", "check.json"],
    has: |name| {
        let begins = ["class-", "kind-", "counterexample-", "unclassified.", "remainder.", "too-weak-"];
        let is_trace = [".itf.json", ".mmd"].iter().any(|end| name.ends_with(end));
        ["report.html", "causes.dot", "kinds.txt"].contains(&name)
            || is_trace && begins.iter().any(|begin| name.starts_with(begin))
            || name.starts_with("invariant-") && name.ends_with(".sts")
    },
};

/// A bundle of `verify --exchange`.
pub const BUNDLE: ResultKind = ResultKind {
    index: &["manifest.json"],
    has: |name| matches!(name, "result.json" | "model" | "obligations"),
};

/// The target folder of a result.
#[derive(Debug)]
pub struct ResultFolder {
    path: PathBuf,
    kind: &'static ResultKind,
    watchdog: Watchdog,
}

impl ResultFolder {
    /// Checks that a result can be written there, so that a wrong path is reported before the work begins. Creates its
    /// parent folders.
    pub fn prepare(path: &Path, kind: &'static ResultKind, watchdog: &Watchdog) -> Result<Self, UsageError> {
        // For a symbolic link, the folder that it points to is replaced, not the link.
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        if target.exists() && !target.is_dir() {
            return Err(cannot("create", path, &io::Error::other("it is a file, and results need a folder")));
        }
        let folder = Self { path: target, kind, watchdog: watchdog.clone() };
        let above = folder.above();
        let made = match above.exists() && !above.is_dir() {
            true => Err(io::ErrorKind::NotADirectory.into()),
            false => fs::create_dir_all(above),
        };
        made.and_then(|()| NewFolder::create(&folder)).map_err(|error| cannot("create", path, &error))?;
        Ok(folder)
    }

    /// Writes a result, which replaces the existing one.
    pub fn replace(
        &self,
        write: impl FnOnce(&NewFolder) -> Result<(), UsageError>,
    ) -> Result<(), UsageError> {
        let new = NewFolder::create(self).map_err(|error| cannot("replace", &self.path, &error))?;
        write(&new)?;
        self.take(&new).map_err(|error| cannot("replace", &self.path, &error))
    }

    /// Returns its parent folder.
    fn above(&self) -> &Path {
        self.path.parent().filter(|above| *above != Path::new("")).unwrap_or(Path::new("."))
    }

    /// True if the folder is not in use as the current one, and has only files of results.
    fn may_be_exchanged(&self) -> io::Result<bool> {
        if !self.path.exists() {
            return Ok(true);
        }
        let runs_here = std::env::current_dir().is_ok_and(|here| here.starts_with(&self.path));
        Ok(!runs_here && self.names()?.iter().all(|(_, is_own)| *is_own))
    }

    /// True if a folder beside it is on the same file system.
    fn takes(&self, beside: &Path) -> bool {
        let inside = self.path.join(beside.file_name().unwrap_or_default());
        !self.path.exists() || fs::rename(beside, &inside).and_then(|()| fs::rename(inside, beside)).is_ok()
    }

    /// Returns the files and folders in it, with true for those of a result or left by an unfinished one.
    fn names(&self) -> io::Result<Vec<(PathBuf, bool)>> {
        let is_own = |name: &str| {
            let is_left = name.starts_with(PREFIX) && name.ends_with(SUFFIX);
            is_left || self.kind.index.contains(&name) || (self.kind.has)(name)
        };
        let entries = fs::read_dir(&self.path)?;
        entries.map(|e| e.map(|e| (e.path(), e.file_name().to_str().is_some_and(is_own)))).collect()
    }

    /// Takes over the files of a new folder.
    fn take(&self, new: &NewFolder) -> io::Result<()> {
        if !self.path.exists() {
            return fs::rename(&new.path, &self.path);
        }
        if !new.is_inside {
            fs::set_permissions(&new.path, fs::metadata(&self.path)?.permissions())?;
            if self.may_be_exchanged()? && exchange(&new.path, &self.path).is_ok() {
                return Ok(());
            }
        }
        let is_index = |path: &Path| self.kind.index.iter().any(|index| path.ends_with(index));
        let mut old = self.names()?;
        old.sort_by_key(|(path, _)| !is_index(path));
        for (path, is_own) in old {
            if is_own && path != new.path {
                remove(&path)?;
            }
        }
        let mut files: Vec<fs::DirEntry> = fs::read_dir(&new.path)?.collect::<io::Result<_>>()?;
        files.sort_by_key(|file| is_index(&file.path()));
        files.iter().try_for_each(|file| fs::rename(file.path(), self.path.join(file.file_name())))
    }
}

/// A folder under a temporary name, which is removed unless it was renamed.
pub struct NewFolder {
    path: PathBuf,
    is_inside: bool,
    /// The name for messages.
    shown: PathBuf,
    _removed: Temporary,
}

impl NewFolder {
    /// Creates an empty folder beside the other one, or in it if that cannot be exchanged.
    fn create(of: &ResultFolder) -> io::Result<Self> {
        if of.may_be_exchanged()? {
            let beside = Self::create_in(of, of.above(), false)?;
            if of.takes(&beside.path) {
                return Ok(beside);
            }
        }
        Self::create_in(of, &of.path, true)
    }

    fn create_in(of: &ResultFolder, place: &Path, is_inside: bool) -> io::Result<Self> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(PREFIX).suffix(SUFFIX);
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o777));
        let (path, removed) = of.watchdog.temporary(|| {
            let path = builder.tempdir_in(place)?.keep();
            Ok((path.clone(), path))
        })?;
        Ok(Self { path, is_inside, shown: of.path.clone(), _removed: removed })
    }

    /// Writes the traces of a classification, each as a text.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn write_traces<K: TraceKind>(
        &self,
        result: &Classification<K>,
        text: impl Fn(&K::Trace) -> String,
    ) -> Result<(), UsageError> {
        for (number, class) in (1..).zip(&result.classes) {
            self.write(&format!("class-{number}.itf.json"), &text(&class.representative))?;
        }
        let pair = match &result.verdict {
            Verdict::TooWeak(pair) => Some(pair),
            _ => None,
        };
        let others = [
            ("unclassified", result.unclassified.as_ref()),
            ("remainder", result.cover.as_ref().and_then(|cover| cover.remainder.as_ref())),
            ("too-weak-violation", pair.map(|pair| &pair.counterexample)),
            ("too-weak-accepted", pair.map(|pair| &pair.accepting)),
        ];
        let mut shown = others.into_iter().filter_map(|(name, trace)| Some((name, trace?)));
        shown.try_for_each(|(name, trace)| self.write(&format!("{name}.itf.json"), &text(trace)))
    }

    /// Writes a file, whose name may include folders.
    pub fn write(&self, name: &str, text: &str) -> Result<(), UsageError> {
        block_file_size_signal();
        let path = self.path.join(name);
        let written = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(&path, text));
        written.map_err(|error| cannot("write", &self.shown.join(name), &error))
    }
}

impl Drop for NewFolder {
    fn drop(&mut self) {
        // After an exchange, this name is that of the old result, which is no longer needed.
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// Exchanges the names of two folders in one step.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn exchange(one: &Path, other: &Path) -> io::Result<()> {
    use nix::fcntl::{AT_FDCWD, RenameFlags, renameat2};
    Ok(renameat2(AT_FDCWD, one, AT_FDCWD, other, RenameFlags::RENAME_EXCHANGE)?)
}

/// Exchanges the names of two folders, where the system can do so in one step.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn exchange(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path)?.is_dir() {
        true => fs::remove_dir_all(path),
        false => fs::remove_file(path),
    }
}

fn cannot(what: &str, path: &Path, error: &io::Error) -> UsageError {
    UsageError::message(format!("cannot {what} {}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::limits::CommandLimits;

    fn folder(path: &Path) -> ResultFolder {
        let idle = Watchdog::idle(CommandLimits::default(), false);
        ResultFolder::prepare(path, &RESULTS, &idle).expect("a folder")
    }

    /// Returns the names below a folder with their texts.
    fn files(folder: &Path) -> Vec<(String, String)> {
        let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
        let mut files: Vec<(String, String)> = entries
            .map(|path| {
                let name = path.file_name().expect("a name").to_string_lossy().into_owned();
                (name, fs::read_to_string(path).unwrap_or_default())
            })
            .collect();
        files.sort();
        files
    }

    fn write(to: &ResultFolder, files: &[(&str, &str)]) -> Result<(), UsageError> {
        to.replace(|new| files.iter().try_for_each(|(name, text)| new.write(name, text)))
    }

    fn owned(files: &[(&str, &str)]) -> Vec<(String, String)> {
        files.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
    }

    #[test]
    fn a_result_replaces_another_as_a_whole() {
        let above = tempfile::tempdir().expect("a folder");
        let path = above.path().join("a/b");
        let out = folder(&path);
        assert!(!path.exists());
        let long = [("class-1.itf.json", "1"), ("class-2.itf.json", "2"), ("classes.json", "old")];
        write(&out, &long).expect("written");
        assert_eq!(files(&path), owned(&long));
        let short = [("check.json", "new"), ("counterexample-p.itf.json", "1")];
        write(&folder(&path), &short).expect("written");
        assert_eq!(files(&path), owned(&short));
        assert_eq!(files(&above.path().join("a")), owned(&[("b", "")]));
    }

    #[test]
    fn a_failure_leaves_what_was_there() {
        let above = tempfile::tempdir().expect("a folder");
        let path = above.path().join("r");
        let old = [("class-1.itf.json", "1"), ("classes.json", "old")];
        write(&folder(&path), &old).expect("written");
        let failed = folder(&path).replace(|new| {
            new.write("class-1.itf.json", "other")?;
            // A folder of the name cannot be replaced by a file.
            new.write("report.html/x", "")?;
            new.write("report.html", "")
        });
        assert!(failed.expect_err("a folder").diagnostics[0].message.starts_with("cannot write "));
        assert_eq!(files(&path), owned(&old));
        assert_eq!(files(above.path()), owned(&[("r", "")]));
    }

    #[test]
    fn files_of_the_user_stay() {
        let above = tempfile::tempdir().expect("a folder");
        let path = above.path().join("r");
        fs::create_dir(&path).expect("made");
        fs::write(path.join("notes"), "mine").expect("written");
        write(&folder(&path), &[("class-1.itf.json", "1"), ("classes.json", "old")]).expect("written");
        write(&folder(&path), &[("check.json", "new")]).expect("written");
        assert_eq!(files(&path), owned(&[("check.json", "new"), ("notes", "mine")]));
        assert_eq!(files(above.path()), owned(&[("r", "")]));
    }

    #[test]
    fn a_file_in_the_way_is_an_error() {
        let above = tempfile::tempdir().expect("a folder");
        let file = above.path().join("file");
        fs::write(&file, "").expect("written");
        for (path, why) in [(file.clone(), "results need a folder"), (file.join("below"), "not a directory")]
        {
            let idle = Watchdog::idle(CommandLimits::default(), false);
            let error = ResultFolder::prepare(&path, &RESULTS, &idle).expect_err("no folder");
            let message = &error.diagnostics[0].message;
            assert!(message.starts_with("cannot create ") && message.contains(why), "{message}");
        }
    }
}
