//! Files that are complete or absent.
//!
//! An export goes to a temporary file in the folder of its target, which takes the target's name once it is complete.
//! On any error, on a panic, and when the budget ends (including signals), the temporary file is removed and an earlier
//! file of that name is unchanged.

use super::refusal::UsageError;
use super::watchdog::{Temporary, Watchdog};
use cladist::budget::{Budget, Exhausted};
use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

pub const PREFIX: &str = ".cladist-";
pub const SUFFIX: &str = ".partial";

/// The number of bytes written between two checks of the budget.
const PATIENCE: usize = 1 << 18;

/// The reason why a file was not written.
#[derive(Debug)]
pub enum ExportError {
    Io(io::Error),
    Exhausted(Exhausted),
}

impl ExportError {
    /// Returns the refusal for commands without a result of their own for a used-up budget.
    pub fn refusal(self, path: &Path) -> UsageError {
        UsageError::message(format!("cannot write {}: {self}", path.display()))
    }
}

impl fmt::Display for ExportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExportError::Io(error) => error.fmt(f),
            ExportError::Exhausted(why) => f.write_str(why.was_reached()),
        }
    }
}

impl std::error::Error for ExportError {}

impl From<io::Error> for ExportError {
    fn from(error: io::Error) -> Self {
        match error.get_ref().and_then(|inner| inner.downcast_ref::<OutOfBudget>()) {
            Some(&OutOfBudget(why)) => ExportError::Exhausted(why),
            None => ExportError::Io(error),
        }
    }
}

/// Writes a file through a buffer, completely or not at all. Special files (a device, a pipe) are written directly. Use
/// [`Budget::unlimited`] for a result that is written after the budget has ended. The watchdog removes the temporary
/// file if it ends the program.
///
/// # Errors
/// If the file cannot be written, or the budget ends.
pub fn write_file(
    path: &Path,
    budget: &Budget,
    watchdog: &Watchdog,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), ExportError> {
    // Through a symbolic link, the file that it points to is replaced, not the link.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    block_file_size_signal();
    match fs::metadata(&target) {
        Ok(old) if old.is_dir() => Err(ExportError::Io(io::ErrorKind::IsADirectory.into())),
        Ok(old) if !old.is_file() => {
            let device = OpenOptions::new().write(true).open(&target)?;
            write_within(&mut &device, budget, write)
        }
        old => {
            let pending = Pending::beside(&target, watchdog)?;
            pending.write(budget, write)?;
            if let Ok(old) = old {
                pending.temporary.as_file().set_permissions(old.permissions())?;
            }
            Ok(pending.persist()?)
        }
    }
}

/// A file under a temporary name, which is removed unless [`Pending::persist`] is called. The watchdog removes it if it
/// ends the program.
pub struct Pending {
    temporary: tempfile::NamedTempFile,
    target: PathBuf,
    _removed: Temporary,
}

impl Pending {
    /// Creates an empty file beside its target.
    pub fn beside(target: &Path, watchdog: &Watchdog) -> io::Result<Self> {
        let (temporary, removed) = watchdog.temporary(|| {
            let temporary = temporary_beside(target)?;
            Ok((temporary.path().to_owned(), temporary))
        })?;
        Ok(Self { temporary, target: target.to_owned(), _removed: removed })
    }

    /// Returns its current path.
    pub fn path(&self) -> &Path {
        self.temporary.path()
    }

    /// Returns the file, for other writers.
    pub fn file(&self) -> io::Result<File> {
        self.temporary.as_file().try_clone()
    }

    /// Writes the file through a buffer.
    pub fn write(
        &self,
        budget: &Budget,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), ExportError> {
        write_within(&mut self.temporary.as_file(), budget, write)
    }

    /// Gives the complete file its name.
    pub fn persist(self) -> io::Result<()> {
        self.temporary.persist(&self.target).map(drop).map_err(|failed| failed.error)
    }
}

/// Writes to any stream through a buffer.
///
/// # Errors
/// If the stream cannot be written, or the budget ends.
pub fn write_within(
    out: &mut dyn Write,
    budget: &Budget,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), ExportError> {
    let mut out = BufWriter::with_capacity(1 << 16, Within { out, budget, since: PATIENCE });
    let written = write(&mut out).and_then(|()| out.flush());
    // After an error, the rest of the buffer is not written.
    drop(out.into_parts());
    Ok(written?)
}

/// Creates a hidden file that is removed when it is dropped; its permissions are those of any new file.
fn temporary_beside(target: &Path) -> io::Result<tempfile::NamedTempFile> {
    let folder = match target.parent() {
        Some(folder) if folder != Path::new("") => folder.to_owned(),
        _ => PathBuf::from("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    // The error of the system ends with the temporary name, which the user does not know.
    builder.tempfile_in(&folder).map_err(|error| {
        let cause = std::error::Error::source(&error).and_then(|inner| inner.downcast_ref::<io::Error>());
        let code = error.raw_os_error().or_else(|| cause.and_then(io::Error::raw_os_error));
        match code {
            _ if !folder.exists() => io::Error::new(io::ErrorKind::NotFound, "there is no such folder"),
            Some(code) => io::Error::from_raw_os_error(code),
            None => error.kind().into(),
        }
    })
}

/// Makes a file that grows beyond the limit of `ulimit -f` an error of the write, not the end of the process.
pub fn block_file_size_signal() {
    #[cfg(unix)]
    {
        use nix::sys::signal::{SigSet, Signal};
        // If this fails, the signal ends the process as by default.
        let _ = SigSet::from(Signal::SIGXFSZ).thread_block();
    }
}

/// The error of a writer whose budget has ended.
#[derive(Debug)]
struct OutOfBudget(Exhausted);

impl fmt::Display for OutOfBudget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        ExportError::Exhausted(self.0).fmt(f)
    }
}

impl std::error::Error for OutOfBudget {}

/// A writer that fails when the budget ends.
struct Within<'a> {
    out: &'a mut dyn Write,
    budget: &'a Budget,
    /// The number of bytes since the last check of the budget.
    since: usize,
}

impl Write for Within<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.since >= PATIENCE {
            self.since = 0;
            if let Some(why) = self.budget.exhausted() {
                return Err(io::Error::other(OutOfBudget(why)));
            }
        }
        let written = self.out.write(bytes)?;
        self.since += written;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::limits::CommandLimits;

    fn idle() -> Watchdog {
        Watchdog::idle(CommandLimits::default(), false)
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("a folder");
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn a_file_is_replaced_when_it_is_complete() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        write_file(&path, &Budget::unlimited(), &idle(), |out| out.write_all(b"old")).expect("written");
        let error = write_file(&path, &Budget::unlimited(), &idle(), |out| {
            out.write_all(b"ne")?;
            Err(io::ErrorKind::StorageFull.into())
        });
        assert!(matches!(error, Err(ExportError::Io(_))), "{error:?}");
        assert_eq!(
            (fs::read(&path).expect("a file"), names(folder.path())),
            (b"old".into(), vec!["file".into()])
        );
        write_file(&path, &Budget::unlimited(), &idle(), |out| out.write_all(b"new")).expect("written");
        assert_eq!(
            (fs::read(&path).expect("a file"), names(folder.path())),
            (b"new".into(), vec!["file".into()])
        );
    }

    #[test]
    fn the_budget_ends_writing() {
        let folder = tempfile::tempdir().expect("a folder");
        let budget = Budget::unlimited();
        let mut pieces = 0;
        let error = write_file(&folder.path().join("file"), &budget, &idle(), |out| {
            for _ in 0..100 {
                out.write_all(&[b'x'; 100_000])?;
                pieces += 1;
                budget.interrupt();
            }
            Ok(())
        });
        assert!(matches!(error, Err(ExportError::Exhausted(Exhausted::Interrupt))), "{error:?}");
        assert!((1..10).contains(&pieces), "{pieces}");
        assert!(names(folder.path()).is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn links_and_permissions_stay() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("a folder");
        let (path, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&path, "old").expect("written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).expect("permitted");
        std::os::unix::fs::symlink("file", &link).expect("linked");
        write_file(&link, &Budget::unlimited(), &idle(), |out| out.write_all(b"new")).expect("written");
        assert!(fs::symlink_metadata(&link).expect("there").is_symlink());
        assert_eq!(fs::read(&path).expect("a file"), b"new");
        assert_eq!(fs::metadata(&path).expect("there").permissions().mode() & 0o777, 0o640);
        let fresh = folder.path().join("fresh");
        write_file(&fresh, &Budget::unlimited(), &idle(), |_| Ok(())).expect("written");
        let usual = folder.path().join("usual");
        fs::write(&usual, "").expect("written");
        let mode = |path| fs::metadata(path).expect("there").permissions().mode();
        assert_eq!(mode(&fresh), mode(&usual));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_device_is_an_error() {
        let full = Path::new("/dev/full");
        let error =
            write_file(full, &Budget::unlimited(), &idle(), |out| out.write_all(b"x")).expect_err("full");
        assert!(error.refusal(full).diagnostics[0].message.contains("No space left"), "it says why");
    }
}
