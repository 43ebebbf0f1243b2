//! SMT solvers that are installed, to answer the scripts of `cladist::smt`.

use cladist::smt::Theory;
use std::path::{Path, PathBuf};
use std::process::Command;

/// An SMT solver that reads a script from a file.
#[derive(Debug, Clone)]
pub struct SmtSolver {
    program: PathBuf,
}

/// What a solver says of a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SmtAnswer {
    Sat,
    Unsat,
}

impl SmtSolver {
    /// The solvers that `CLADIST_SMT_SOLVERS` names, as a list like that of `PATH`, or those known ones that are in `PATH`. Says so
    /// on standard error if there are none.
    pub fn installed() -> Vec<Self> {
        let solver = |program: PathBuf| Self { program };
        let named = std::env::var_os("CLADIST_SMT_SOLVERS");
        if let Some(named) = &named {
            return std::env::split_paths(named).map(solver).collect();
        }
        let folders: Vec<PathBuf> =
            std::env::var_os("PATH").iter().flat_map(|path| std::env::split_paths(path)).collect();
        let find = |name: &&str| folders.iter().map(|folder| folder.join(name)).find(|path| path.is_file());
        let found: Vec<Self> =
            ["z3", "cvc5", "yices-smt2", "bitwuzla"].iter().filter_map(find).map(solver).collect();
        if found.is_empty() {
            eprintln!("skipped: no SMT solver in PATH, and none named by CLADIST_SMT_SOLVERS");
        }
        found
    }

    /// The name of the program.
    pub fn name(&self) -> String {
        self.program.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    }

    /// Whether it reads scripts of a theory.
    pub fn knows(&self, theory: Theory) -> bool {
        theory == Theory::Bv || !self.name().starts_with("bitwuzla")
    }

    /// Its answer to a script.
    pub fn answer(&self, script: &str) -> SmtAnswer {
        let file = tempfile::Builder::new().suffix(".smt2").tempfile().expect("a file");
        std::fs::write(file.path(), script).expect("written");
        self.answer_file(file.path())
    }

    fn answer_file(&self, file: &Path) -> SmtAnswer {
        let output = Command::new(&self.program).arg(file).output().expect("the solver runs");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        match text.trim() {
            "sat" => SmtAnswer::Sat,
            "unsat" => SmtAnswer::Unsat,
            other => panic!("{}: {other} {}", self.name(), String::from_utf8_lossy(&output.stderr)),
        }
    }
}
