//! SMT solvers, which are asked with scripts.

mod foreign;
mod launcher;
#[cfg(feature = "z3")]
pub mod library;
mod process;
pub mod tokens;
pub mod values;

pub use foreign::ForeignScript;
pub use launcher::launch_solvers;
pub use values::{ScriptSymbol, SymbolSort};

use kit::budget::{Budget, Exhausted};
use process::SolverCommand;
use std::fmt;
use std::io;

/// An SMT solver.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SmtSolver(Means);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Means {
    /// By a process that reads a script from standard input.
    Process(SolverCommand),
    /// In this process.
    #[cfg(feature = "z3")]
    Library,
}

/// The name of the solver that the feature `z3` brings.
const LIBRARY: &str = "z3";

/// The answer of a solver to a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SmtAnswer {
    /// It has a model.
    Sat,
    /// It has none.
    Unsat,
    /// The solver gave up.
    Unknown,
}

/// Why there is no answer.
#[derive(Debug)]
pub enum NoAnswer {
    /// The process could not be started.
    NotStarted(io::Error),
    /// The budget ended, and with it the process.
    Exhausted(Exhausted),
    /// The process ended without an answer, and said this.
    Failed(String),
}

impl fmt::Display for NoAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotStarted(error) => write!(f, "it cannot be started: {error}"),
            Self::Exhausted(why) => f.write_str(why.was_reached()),
            Self::Failed(said) => f.write_str(said),
        }
    }
}

impl std::error::Error for NoAnswer {}

impl SmtAnswer {
    /// The word of SMT-LIB.
    pub fn word(self) -> &'static str {
        match self {
            Self::Sat => "sat",
            Self::Unsat => "unsat",
            Self::Unknown => "unknown",
        }
    }
}

impl SmtSolver {
    /// A command as it is typed: words between spaces, or in quotes of either kind. No shell is involved. `z3` alone is the library,
    /// which the feature of this name brings.
    ///
    /// # Errors
    /// If there is no word, a quote is not closed, or the library is not there, with the reason.
    pub fn parse(command: &str) -> Result<Self, String> {
        let mut words: Vec<String> = Vec::new();
        let (mut word, mut quote): (Option<String>, Option<char>) = (None, None);
        for c in command.chars() {
            match quote {
                Some(open) if c == open => quote = None,
                None if c == '\'' || c == '"' => {
                    quote = Some(c);
                    word.get_or_insert_default();
                }
                None if c.is_whitespace() => words.extend(word.take()),
                _ => word.get_or_insert_default().push(c),
            }
        }
        if let Some(open) = quote {
            return Err(format!("the quote {open} is not closed"));
        }
        words.extend(word);
        if words == [LIBRARY] {
            return of_system();
        }
        let mut words = words.into_iter();
        let program = words.next().filter(|program| !program.is_empty()).ok_or("no program is named")?;
        Ok(Self(Means::Process(SolverCommand { program, arguments: words.collect() })))
    }

    /// The solver that is used where none is named, if it is in one of the folders of `PATH`.
    pub fn usual() -> Option<Self> {
        let usual =
            Self(Means::Process(SolverCommand { program: "z3".into(), arguments: vec!["-in".into()] }));
        usual.is_there().is_ok().then_some(usual)
    }

    /// Sees to it that there is such a program.
    ///
    /// # Errors
    /// If there is none, or it may not be run.
    pub fn is_there(&self) -> Result<(), NoAnswer> {
        match &self.0 {
            Means::Process(process) => process.file().map(drop).map_err(NoAnswer::NotStarted),
            #[cfg(feature = "z3")]
            Means::Library => Ok(()),
        }
    }

    /// The command, to be shown.
    pub fn name(&self) -> String {
        match &self.0 {
            Means::Process(SolverCommand { program, arguments }) => {
                std::iter::once(program).chain(arguments).cloned().collect::<Vec<_>>().join(" ")
            }
            #[cfg(feature = "z3")]
            Means::Library => LIBRARY.to_owned(),
        }
    }

    /// Asks about a script with a single `(check-sat)`, at its end. Nothing runs on when this returns.
    ///
    /// # Errors
    /// If there is no answer.
    pub fn ask(&self, script: &str, budget: &Budget) -> Result<SmtAnswer, NoAnswer> {
        self.values(script, &[], budget).map(|(answer, _)| answer)
    }

    /// Asks about such a script, and for the values of symbols if it has a model. Without a model there are no values.
    ///
    /// # Errors
    /// If there is no answer, or the values are not understood.
    pub fn values(
        &self,
        script: &str,
        symbols: &[ScriptSymbol],
        budget: &Budget,
    ) -> Result<(SmtAnswer, Vec<i128>), NoAnswer> {
        match &self.0 {
            Means::Process(process) => process.ask(script, symbols, budget),
            #[cfg(feature = "z3")]
            Means::Library => library::ask(script, symbols, budget),
        }
    }
}

/// The library, if it is there.
#[cfg(feature = "z3")]
fn of_system() -> Result<SmtSolver, String> {
    Ok(SmtSolver(Means::Library))
}

/// The library, if it is there.
#[cfg(not(feature = "z3"))]
fn of_system() -> Result<SmtSolver, String> {
    Err("the z3 library was left out of this build: write 'z3 -in' for the program".into())
}
