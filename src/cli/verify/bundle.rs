//! Exchange bundles. A bundle that is read is data: only questions to solvers are run, and no other file is read. A
//! bundle that is written replaces no other files.

use super::{answered, read, stored};
use crate::cli::console::Console;
use crate::cli::refusal::UsageError;
use crate::cli::result_folder::{BUNDLE, ResultFolder};
use cladist::budget::Budget;
use cladist::diagnostics::{Diagnostic, SourceMap, unreadable};
use cladist::smt_solver::{ForeignScript, SmtSolver};
use cladist::verify::{
    Bundle, ListedObligation, MANIFEST, Manifest, Obligation, SettledObligation, Stored, Task, sha256,
};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A loaded result, with the place of its model.
pub struct OpenedResult {
    pub text: String,
    pub stored: Stored,
    pub model: PathBuf,
    /// The folder that imports must lie in, if known.
    pub root: Option<PathBuf>,
    /// The obligations of a bundle that have scripts.
    pub scripts: Option<Vec<(ListedObligation, ForeignScript)>>,
}

/// Opens a bundle, all of whose files must have the digests of the manifest, and whose scripts may only ask questions.
pub fn open(folder: &Path) -> Result<OpenedResult, UsageError> {
    let path = inside(folder, MANIFEST)?;
    let text = read(&path)?;
    let refuse = |why: String| {
        let error = Diagnostic::error_without_place(format!("{}: {why}", path.display()));
        UsageError::from(error.with_help("docs/exchange.md specifies bundles"))
    };
    let manifest = Manifest::read(&text).map_err(refuse)?;
    let mut wrong = Vec::new();
    for file in &manifest.files {
        let path = inside(folder, &file.path)?;
        if sha256(read(&path)?.as_bytes()) != file.sha256 {
            let message =
                format!("{} is not the file that the manifest lists: it has another digest", path.display());
            wrong.push(Diagnostic::error_without_place(message).with_help("get the bundle again"));
        }
    }
    if !wrong.is_empty() {
        return Err(UsageError { diagnostics: wrong, sources: Default::default() });
    }
    let path = inside(folder, &manifest.result)?;
    let text = read(&path)?;
    let stored = stored(&path, &text)?;
    manifest.contradiction(&stored).map_or(Ok(()), |why| Err(refuse(why)))?;
    let (model, root) = (inside(folder, &manifest.model)?, Some(inside(folder, &manifest.root)?));
    Ok(OpenedResult { text, stored, model, root, scripts: Some(scripts(folder, &manifest)?) })
}

/// Returns a path in a bundle without symbolic links, which may lead elsewhere.
fn inside(folder: &Path, path: &str) -> Result<PathBuf, UsageError> {
    let mut at = folder.to_owned();
    for part in Path::new(path) {
        at.push(part);
        if fs::symlink_metadata(&at).map_err(|error| unreadable(&at, &error))?.is_symlink() {
            let message = format!("{} is a symbolic link, and bundles have none", at.display());
            return Err(Diagnostic::error_without_place(message).with_help("get the bundle again").into());
        }
    }
    Ok(at)
}

/// Returns the scripts of a bundle.
fn scripts(folder: &Path, manifest: &Manifest) -> Result<Vec<(ListedObligation, ForeignScript)>, UsageError> {
    let (mut scripts, mut mistakes, mut sources) = (Vec::new(), Vec::new(), SourceMap::new());
    for listed in &manifest.obligations {
        let Some(path) = &listed.script else { continue };
        let path = inside(folder, path)?;
        let text = read(&path)?;
        match ForeignScript::read(&text, sources.next_id()) {
            Ok(script) => scripts.push((listed.clone(), script)),
            Err(mistake) => {
                sources.add(path.to_string_lossy(), text);
                mistakes.push(mistake);
            }
        }
    }
    match mistakes.is_empty() {
        true => Ok(scripts),
        false => Err(UsageError { diagnostics: mistakes, sources: Arc::new(sources) }),
    }
}

/// Asks about the scripts of a bundle that differ from those generated from the same result.
pub fn foreign(
    scripts: &[(ListedObligation, ForeignScript)],
    own: &[(&str, &str)],
    solvers: &[SmtSolver],
    budget: &Budget,
    notes: &mut Vec<String>,
) -> Vec<SettledObligation> {
    let own = own.iter().map(|(name, text)| (*name, ForeignScript::read(text, Default::default()).ok()));
    let own: Vec<(&str, Option<ForeignScript>)> = own.collect();
    let is_own = |(listed, script): &&(ListedObligation, ForeignScript)| {
        own.iter().any(|(name, own)| *name == listed.name && own.as_ref() == Some(script))
    };
    let same = scripts.iter().filter(is_own).count();
    let others = scripts.iter().filter(|one| !is_own(one)).map(|(listed, script)| SettledObligation {
        obligation: Obligation {
            name: format!("{} (as written)", listed.name),
            claim: format!("the bundle says: {}", listed.claim),
            task: Task::Written,
        },
        answers: solvers.iter().map(|solver| answered(solver, script.text(), budget)).collect(),
    });
    let settled: Vec<SettledObligation> = others.collect();
    notes.push(format!(
        "scripts of the bundle that the result gives: {same}; others, checked as written: {}",
        settled.len()
    ));
    settled
}

/// Writes a bundle into a new or empty folder, or in the place of another bundle.
pub fn write(folder: &Path, bundle: &Bundle, console: &Console) -> Result<(), UsageError> {
    refuse_other_files(folder)?;
    ResultFolder::prepare(folder, &BUNDLE, console.watchdog())?
        .replace(|new| bundle.files.iter().try_for_each(|(path, text)| new.write(path, text)))
}

/// Checks that a folder is new or empty, or that of a bundle without other files.
pub fn refuse_other_files(folder: &Path) -> Result<(), UsageError> {
    let manifest_path = folder.join(MANIFEST);
    let manifest = read(&manifest_path).ok().and_then(|text| Manifest::read(&text).ok());
    let is_listed = |path: &Path| {
        let name = path.strip_prefix(folder).ok()?;
        let listed = manifest.as_ref()?.files.iter().find(|file| Path::new(&file.path) == name)?;
        Some(sha256(&fs::read(path).ok()?) == listed.sha256)
    };
    let is_own = |path: &Path| match fs::symlink_metadata(path) {
        Ok(found) if found.is_file() && path == manifest_path => manifest.is_some(),
        Ok(found) if found.is_file() => is_listed(path) == Some(true),
        _ => false,
    };
    let mut files = Vec::new();
    if folder.exists() {
        files_below(folder, &mut files).map_err(|error| unreadable(folder, &error))?;
    }
    let Some(other) = files.iter().find(|path| !is_own(path)) else { return Ok(()) };
    let message = format!("{} is no file of a bundle as it was written", other.display());
    let help = "`--exchange` takes a new or empty folder, or one with a bundle and nothing else";
    Err(Diagnostic::error_without_place(message).with_help(help).into())
}

/// Collects all files below a folder. Symbolic links are not followed.
fn files_below(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        match entry.file_type()?.is_dir() {
            true => files_below(&entry.path(), files)?,
            false => files.push(entry.path()),
        }
    }
    Ok(())
}
