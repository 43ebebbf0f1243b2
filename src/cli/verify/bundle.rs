//! Exchange bundles that are read: their files have to be those of the manifest.

use super::{VerifyArgs, answered, read, stored};
use crate::cli::refusal::Refusal;
use cladist::budget::Budget;
use cladist::diagnostics::Diagnostic;
use cladist::smt_solver::SmtSolver;
use cladist::verify::{MANIFEST, Manifest, Obligation, Settled, Stored, Task, sha256};
use std::path::{Path, PathBuf};

/// A result that was read, with where its model is.
pub struct Opened {
    /// The text of the result.
    pub text: String,
    /// The result.
    pub stored: Stored,
    /// The file of the model.
    pub model: PathBuf,
    /// The folder that imports must lie in, if it is known.
    pub root: Option<PathBuf>,
    /// The manifest of a bundle.
    pub manifest: Option<Manifest>,
}

/// Opens a bundle, all of whose files have to have the digests of the manifest.
pub fn open(folder: &Path) -> Result<Opened, Refusal> {
    let path = folder.join(MANIFEST);
    let manifest = Manifest::read(&read(&path)?).map_err(|why| {
        let error = Diagnostic::error_without_place(format!("{}: {why}", path.display()));
        Refusal::from(error.with_help("docs/exchange.md specifies bundles"))
    })?;
    let mut wrong = Vec::new();
    for file in &manifest.files {
        let path = folder.join(&file.path);
        if sha256(read(&path)?.as_bytes()) != file.sha256 {
            let message =
                format!("{} is not the file that the manifest lists: it has another digest", path.display());
            wrong.push(Diagnostic::error_without_place(message).with_help("get the bundle again"));
        }
    }
    if !wrong.is_empty() {
        return Err(Refusal { diagnostics: wrong, sources: Default::default() });
    }
    let path = folder.join(&manifest.result);
    let text = read(&path)?;
    let stored = stored(&path, &text)?;
    let (model, root) = (folder.join(&manifest.model), Some(folder.join(&manifest.root)));
    Ok(Opened { text, stored, model, root, manifest: Some(manifest) })
}

/// The commands of a script, without comments: these name files, which lie elsewhere now.
fn commands(script: &str) -> impl Iterator<Item = &str> {
    script.lines().filter(|line| !line.is_empty() && !line.starts_with(';'))
}

/// The scripts of a bundle that are not those that this program makes of the same result are asked about as well.
pub fn foreign(
    args: &VerifyArgs,
    manifest: &Manifest,
    own: &[(&str, &str)],
    solvers: &[SmtSolver],
    budget: &Budget,
    notes: &mut Vec<String>,
) -> Result<Vec<Settled>, Refusal> {
    let mut settled = Vec::new();
    let mut same = 0;
    for listed in &manifest.obligations {
        let Some(path) = &listed.script else { continue };
        let script = read(&args.result.join(path))?;
        if own.iter().any(|(name, text)| *name == listed.name && commands(text).eq(commands(&script))) {
            same += 1;
            continue;
        }
        let is_unsat = listed.answer.as_deref() == Some("unsat");
        let task = if is_unsat { Task::Written } else { Task::Open("only `unsat` proves something".into()) };
        let name = format!("{} (as written)", listed.name);
        let obligation = Obligation { name, claim: listed.claim.clone(), task };
        let answers = match is_unsat {
            true => solvers.iter().map(|solver| answered(solver, &script, budget)).collect(),
            false => Vec::new(),
        };
        settled.push(Settled { obligation, answers });
    }
    notes.push(format!(
        "{} {} of the bundle {} what this program makes of the result; {} others were asked about as well",
        same,
        if same == 1 { "script" } else { "scripts" },
        if same == 1 { "is" } else { "are" },
        settled.len()
    ));
    Ok(settled)
}
