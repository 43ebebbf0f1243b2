//! `--proofs DIR`: the unsatisfiable answers that a result rests on, as clauses with checked LRAT proofs.

use super::console::Console;
use super::export::{ExportError, Pending, write_file};
use super::refusal::UsageError;
use super::watchdog::Watchdog;
use cladist::budget::{Budget, Exhausted, Limited};
use cladist::diagnostics::Diagnostic;
use cladist::proof::{self, CnfFormula, ProofStopped, Verified};
use cladist::report::{FileDocument, ProofsDocument, ProvedDocument, to_json};
use cladist::sat::{self, Backend, ClauseObligation, Refutation, refute, refuting_solver};
use cladist::verify::document::{StoredMissing, StoredProofs};
use serde_json::Value as Json;
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The file that lists the contents of the folder.
const MANIFEST: &str = "manifest.json";

/// The folder of `--proofs`, while it is filled.
#[derive(Debug)]
pub struct ProofFolder {
    path: PathBuf,
    budget: Budget,
    watchdog: Watchdog,
    manifest: ProofsDocument,
    /// A solver that refutes all clauses again, with a proof that its own checker checks.
    second: Option<Backend>,
}

impl ProofFolder {
    /// Creates the folder. It must be empty, or have the proofs of an earlier run, which are removed.
    pub fn create(
        path: &Path,
        file: &Path,
        rerun: &str,
        budget: &Budget,
        console: &Console,
    ) -> Result<Self, UsageError> {
        let cannot =
            |error: io::Error| UsageError::message(format!("cannot use {}: {error}", path.display()));
        if path.exists() && !path.is_dir() {
            return Err(cannot(io::Error::other("it is a file, and proofs need a folder")));
        }
        fs::create_dir_all(path).map_err(cannot)?;
        clear(path)?;
        Ok(Self {
            path: path.to_owned(),
            budget: budget.clone(),
            watchdog: console.watchdog().clone(),
            manifest: ProofsDocument::new(&file.to_string_lossy(), rerun, refuting_solver()),
            second: None,
        })
    }

    /// Lets varisat refute all clauses again, and its checker check that.
    #[must_use]
    pub fn with_second_opinion(mut self, wanted: bool) -> Self {
        self.second = wanted.then_some(Backend::Varisat);
        self
    }

    /// Records a claim that is known without an unsatisfiable answer.
    pub fn without(&mut self, words: String) {
        self.manifest.without.push(words);
    }

    /// Records a claim without a proof.
    pub fn missing(&mut self, claim: &str, reason: String) {
        self.manifest.missing.push(StoredMissing { claim: claim.to_owned(), reason });
    }

    /// Proves a claim: `name` names the files, `make` makes the clauses. If the budget ends first, records that there
    /// is no proof.
    ///
    /// # Panics
    /// If the clauses are satisfiable, or the proof is wrong: a bug in this program or in a solver.
    pub fn prove(
        &mut self,
        name: &str,
        claim: &str,
        make: impl FnOnce(&Budget) -> Limited<ClauseObligation>,
    ) -> Result<(), UsageError> {
        let proved = match make(&self.budget) {
            Ok(obligation) => self.proved(name, claim, &obligation),
            Err(why) => Err(Failure::Exhausted(why)),
        };
        match proved {
            Ok(document) => self.manifest.proofs.push(document),
            Err(Failure::Exhausted(why)) => self.missing(claim, why.to_string()),
            Err(Failure::Io(error)) => {
                let folder = self.path.display();
                return Err(UsageError::message(format!("cannot write a proof to {folder}: {error}")));
            }
        }
        Ok(())
    }

    fn proved(
        &self,
        name: &str,
        claim: &str,
        obligation: &ClauseObligation,
    ) -> Result<ProvedDocument, Failure> {
        let number = self.manifest.proofs.len() + 1;
        let named = |end: &str| format!("{number:02}-{name}.{end}");
        let (clauses_file, proof_file) = (named("cnf"), named("lrat"));
        let clauses = Pending::beside(&self.path.join(&clauses_file), &self.watchdog)?;
        let proof = Pending::beside(&self.path.join(&proof_file), &self.watchdog)?;
        clauses.write(&self.budget, |out| obligation.write(out))?;

        let started = Instant::now();
        let formula = obligation.clauses.formula();
        match refute(formula, BufWriter::new(proof.file()?), &self.budget)? {
            Refutation::Unsatisfiable => {}
            Refutation::Unknown(why) => return Err(Failure::Exhausted(why)),
            Refutation::Satisfiable => panic!("proof: the clauses are satisfiable: {claim}"),
        }
        let solve_seconds = started.elapsed().as_secs_f64();

        // From here on only the contents of the files count.
        let started = Instant::now();
        let mut read = Hashed::open(clauses.path())?;
        let formula = checked(CnfFormula::read(&mut BufReader::new(&mut read), &self.budget), claim)?;
        let clauses_document = read.document(clauses_file)?;
        let mut read = Hashed::open(proof.path())?;
        let text = &mut BufReader::with_capacity(1 << 16, &mut read);
        let Verified { derived, deleted } = checked(proof::check(&formula, text, &self.budget), claim)?;
        let proof_document = read.document(proof_file)?;
        let check_seconds = started.elapsed().as_secs_f64();

        let mut checked_by = vec!["cladist".to_owned()];
        if let Some(backend) = self.second {
            checked_by.push(self.refuted_again(backend, obligation, claim)?.to_owned());
        }
        clauses.persist()?;
        proof.persist()?;
        Ok(ProvedDocument {
            claim: claim.to_owned(),
            clauses: clauses_document,
            variables: formula.variables(),
            clause_count: formula.len(),
            proof: proof_document,
            derived,
            deleted,
            checked_by,
            solve_seconds,
            check_seconds,
        })
    }

    /// Refutes the clauses by another solver that checks its own proof.
    fn refuted_again(
        &self,
        backend: Backend,
        obligation: &ClauseObligation,
        claim: &str,
    ) -> Result<&'static str, Failure> {
        let mut solver = backend.start_checking_proofs(&self.budget);
        for clause in obligation.clauses.clauses() {
            self.budget.exhausted().map_or(Ok(()), |why| Err(Failure::Exhausted(why)))?;
            solver.add_clause(&clause);
        }
        match solver.solve(&[]) {
            sat::Answer::Unsat => Ok(solver.name()),
            sat::Answer::Unknown(why) => Err(Failure::Exhausted(why)),
            sat::Answer::Sat => panic!("proof: {} finds the clauses satisfiable: {claim}", solver.name()),
        }
    }

    /// Writes the manifest, and returns its summary for the result.
    pub fn finish(self) -> Result<StoredProofs, UsageError> {
        let path = self.path.join(MANIFEST);
        let text = to_json(&self.manifest);
        let written =
            write_file(&path, &Budget::unlimited(), &self.watchdog, |out| out.write_all(text.as_bytes()));
        written.map_err(|error| error.refusal(&path))?;
        Ok(self.manifest.summary(&self.path.to_string_lossy()))
    }
}

/// The reason why there is no proof.
enum Failure {
    Exhausted(Exhausted),
    Io(io::Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<ExportError> for Failure {
    fn from(error: ExportError) -> Self {
        match error {
            ExportError::Io(error) => Self::Io(error),
            ExportError::Exhausted(why) => Self::Exhausted(why),
        }
    }
}

/// Returns the result of reading or checking; a fault is a bug.
fn checked<T>(result: Result<T, ProofStopped>, claim: &str) -> Result<T, Failure> {
    result.map_err(|stopped| match stopped {
        ProofStopped::Exhausted(why) => Failure::Exhausted(why),
        ProofStopped::Io(error) => Failure::Io(error),
        ProofStopped::Fault(fault) => panic!("proof: {claim}: refused in {fault}"),
    })
}

/// A file whose hash is computed while it is read.
struct Hashed {
    file: File,
    hash: Sha256,
    bytes: u64,
}

impl Hashed {
    fn open(path: &Path) -> io::Result<Self> {
        Ok(Self { file: File::open(path)?, hash: Sha256::new(), bytes: 0 })
    }

    /// Returns the hash of the whole file, including unread parts.
    fn document(mut self, name: String) -> io::Result<FileDocument> {
        io::copy(&mut self, &mut io::sink())?;
        let sha256 = self.hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(FileDocument { file: name, sha256, bytes: self.bytes })
    }
}

impl Read for Hashed {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read(buffer)?;
        self.hash.update(&buffer[..count]);
        self.bytes += count as u64;
        Ok(count)
    }
}

/// Removes the proofs of an earlier run; refuses a folder with any other files.
fn clear(path: &Path) -> Result<(), UsageError> {
    let cannot = |error: io::Error| UsageError::message(format!("cannot use {}: {error}", path.display()));
    let ours = listed(&path.join(MANIFEST));
    let entries = fs::read_dir(path).map_err(cannot)?;
    let names = entries.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
    let names: Vec<String> = names.collect::<io::Result<_>>().map_err(cannot)?;
    if let Some(name) = names.iter().filter(|name| !ours.contains(name)).min() {
        let message = format!("{} has files that are no proofs of an earlier run: {name}", path.display());
        return Err(Diagnostic::error_without_place(message)
            .with_help("name a folder that is empty or does not exist")
            .into());
    }
    let mut files: Vec<PathBuf> = names.iter().map(|name| path.join(name)).collect();
    // The manifest goes last: without it, the others would be foreign.
    files.sort_by_key(|file| file.ends_with(MANIFEST));
    files.iter().try_for_each(|file| fs::remove_file(file).map_err(cannot))
}

/// Returns the files of an earlier run, as listed in its manifest.
fn listed(manifest: &Path) -> Vec<String> {
    let text = fs::read_to_string(manifest).unwrap_or_default();
    let Ok(document) = serde_json::from_str::<Json>(&text) else { return Vec::new() };
    if document["schema"] != "cladist/proofs-1" {
        return Vec::new();
    }
    let proofs = document["proofs"].as_array().into_iter().flatten();
    let files = proofs.flat_map(|proof| [&proof["clauses"]["file"], &proof["proof"]["file"]]);
    files.filter_map(Json::as_str).map(str::to_owned).chain([MANIFEST.to_owned()]).collect()
}
