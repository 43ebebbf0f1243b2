//! `cladist proof check`: a check that an LRAT proof shows clauses to be unsatisfiable.

use super::console::Console;
use super::exit::Exit;
use super::limits::LimitArgs;
use super::refusal::UsageError;
use super::settings;
use super::stream::{ByteSource, Stream};
use cladist::budget::Budget;
use cladist::diagnostics::Diagnostic;
use cladist::proof::{CnfFormula, ProofStopped, Verified, check};
use clap::{Args, ValueHint};
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
pub struct ProofCheckArgs {
    /// The clauses, in DIMACS CNF
    #[arg(value_name = "FILE.cnf", value_hint = ValueHint::FilePath)]
    pub clauses: PathBuf,
    /// The proof, as LRAT text
    #[arg(value_name = "FILE.lrat", value_hint = ValueHint::FilePath)]
    pub proof: PathBuf,
    #[command(flatten)]
    pub limits: LimitArgs,
}

pub fn run_check(args: &ProofCheckArgs, console: &Console) -> Result<Exit, UsageError> {
    let (budget, doubts) = settings::limits(args.limits.limits());
    console.diagnose(&doubts, &Default::default());
    let formula = match CnfFormula::read(&mut open(&args.clauses, &budget), &budget) {
        Ok(formula) => formula,
        Err(stopped) => {
            return ended(stopped, &args.clauses, "clauses begin with `p cnf VARIABLES CLAUSES`", console);
        }
    };
    let Verified { derived, deleted } = match check(&formula, &mut open(&args.proof, &budget), &budget) {
        Ok(verified) => verified,
        Err(stopped) => {
            let help = "nothing is proved: a step must follow from its hints by unit propagation";
            return ended(stopped, &args.proof, help, console);
        }
    };
    console.print(&format!(
        "verified: the {} clauses of {} are unsatisfiable ({derived} derived, {deleted} deleted)\n",
        formula.len(),
        args.clauses.display()
    ))?;
    Ok(Exit::Fine)
}

fn open<'a>(path: &Path, budget: &'a Budget) -> BufReader<Stream<'a>> {
    BufReader::new(Stream::new(ByteSource::File(path.to_owned()), budget))
}

/// Reports a faulty file, or the end of the budget.
fn ended(stopped: ProofStopped, path: &Path, help: &str, console: &Console) -> Result<Exit, UsageError> {
    let path = path.display();
    match stopped {
        ProofStopped::Fault(fault) => {
            let message = format!("{path}:{}: {}", fault.line, fault.reason);
            Err(Diagnostic::error_without_place(message).with_help(help).into())
        }
        ProofStopped::Io(error) if error.kind() != io::ErrorKind::TimedOut => {
            Err(UsageError::message(format!("cannot read {path}: {error}")))
        }
        ProofStopped::Io(_) | ProofStopped::Exhausted(_) => {
            let message = format!("stopped reading {path}: time or memory limit reached");
            let help = "allow more time with --timeout, or more memory with --memory";
            console
                .diagnose(&[Diagnostic::error_without_place(message).with_help(help)], &Default::default());
            Ok(Exit::Undecided)
        }
    }
}
