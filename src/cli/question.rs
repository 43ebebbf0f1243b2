//! `cladist export smt2` and `cladist export dimacs`: the question of a bounded check, for other solvers.

use super::args::{BoundedArgs, TheoryArg};
use super::console::Console;
use super::exit::Exit;
use super::limits::LimitArgs;
use super::loading::{LoadingArgs, OutputFileArgs};
use super::refusal::UsageError;
use super::{bounds, input, settings};
use cladist::budget::{Budget, Exhausted};
use cladist::diagnostics::Diagnostic;
use cladist::model::expr::Expr;
use cladist::model::{Model, Property};
use cladist::smt::{self, TraceLengths};
use cladist::unroll::{self, Lengths};
use clap::Args;

/// A question about an invariant of a model.
#[derive(Debug, Args)]
pub struct QuestionArgs {
    #[command(flatten)]
    pub question: BoundedArgs,
    #[command(flatten)]
    pub loading: LoadingArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub output: OutputFileArgs,
}

#[derive(Debug, Args)]
pub struct ExportSmt2Args {
    #[command(flatten)]
    pub question: QuestionArgs,
    /// Integer encoding for SMT solvers
    #[arg(long, value_enum, default_value_t = TheoryArg::Int, value_name = "THEORY")]
    pub theory: TheoryArg,
}

#[derive(Debug, Args)]
pub struct ExportDimacsArgs {
    #[command(flatten)]
    pub question: QuestionArgs,
}

/// A question whose model has been read.
struct LoadedQuestion<'m> {
    model: &'m Model,
    property: &'m Property,
    invariant: &'m Expr,
    lengths: Lengths,
    budget: &'m Budget,
}

/// Runs `cladist export smt2`.
pub fn export_smt2(args: &ExportSmt2Args, console: &Console) -> Result<Exit, UsageError> {
    export(&args.question, console, |asked| {
        let LoadedQuestion { model, property, invariant, lengths, budget } = *asked;
        let steps = match lengths {
            Lengths::UpTo(bound) => TraceLengths::UpTo(bound),
            Lengths::Exactly(bound) => TraceLengths::Exactly(bound),
        };
        let script = smt::script(model, property, invariant, steps, args.theory.into(), budget)?;
        let mut text = format!("; {}\n", asked.sentence());
        text.push_str("; sat: there is such a trace; unsat: there is none\n");
        text.push_str(&script);
        Ok(text)
    })
}

pub fn export_dimacs(args: &ExportDimacsArgs, console: &Console) -> Result<Exit, UsageError> {
    export(&args.question, console, |asked| {
        let LoadedQuestion { model, invariant, lengths, budget, .. } = *asked;
        let question = unroll::clauses(model, invariant, lengths, budget)?;
        let mut clauses = Vec::new();
        let written = question.write(&mut clauses);
        written.unwrap_or_else(|_| unreachable!("a vector takes everything"));
        let clauses = String::from_utf8_lossy(&clauses);
        Ok(format!("c {}\n{clauses}", asked.sentence()))
    })
}

impl LoadedQuestion<'_> {
    /// Returns the question on one line.
    fn sentence(&self) -> String {
        let LoadedQuestion { model, property, .. } = self;
        let (how, bound) = match self.lengths {
            Lengths::UpTo(bound) => ("at most", bound),
            Lengths::Exactly(bound) => ("exactly", bound),
        };
        let steps = if bound == 1 { "step" } else { "steps" };
        format!("{}: a trace of {how} {bound} {steps} that violates {}", model.name, property.name)
    }
}

/// Reads the model, and writes the question as converted by `make`.
fn export(
    args: &QuestionArgs,
    console: &Console,
    make: impl FnOnce(&LoadedQuestion<'_>) -> Result<String, Exhausted>,
) -> Result<Exit, UsageError> {
    let (budget, doubts) = settings::limits(args.limits.limits());
    console.diagnose(&doubts, &Default::default());
    let question = &args.question;
    let options = args.loading.options(&budget);
    let (model, _) = input::load_settled(&question.model, &question.protocol, &options, console)?;
    let refuse = |d: Diagnostic| UsageError { sources: model.sources.clone(), ..UsageError::from(d) };
    let (property, invariant) = settings::invariant(&model, question.property.as_deref()).map_err(refuse)?;
    let lengths = question.lengths();
    bounds::refuse_absurd(lengths)?;
    let asked = LoadedQuestion { model: &model, property, invariant, lengths, budget: &budget };
    let text = match make(&asked) {
        Ok(text) => text,
        Err(Exhausted::Interrupt) => return Ok(Exit::Interrupted),
        Err(why) => {
            let option = if why == Exhausted::Time { "time with --timeout" } else { "memory with --memory" };
            let message =
                format!("the question for {} steps was not finished: {}", lengths.bound(), why.was_reached());
            console.diagnose(
                &[Diagnostic::error_without_place(message)
                    .with_help(format!("allow more {option}, or fewer steps"))],
                &Default::default(),
            );
            return Ok(Exit::Undecided);
        }
    };
    args.output.write(&text, console)?;
    Ok(Exit::Fine)
}
