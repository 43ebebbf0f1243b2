//! `cladist verify`: verification of a stored result by the reference semantics and SMT solvers.

mod bundle;

use super::args::TheoryArg;
use super::console::Console;
use super::exit::Exit;
use super::limits::LimitArgs;
use super::refusal::UsageError;
use super::watchdog::{KnownResult, PartialResult};
use super::{certificates, input, settings};
use bundle::OpenedResult;
use cladist::budget::{Budget, Exhausted};
use cladist::diagnostics::{Diagnostic, read_text, unreadable, why_unreadable};
use cladist::model::{LoadOptions, Model};
use cladist::report::{Paint, VerifyRequest, to_json, verify_document, verify_text};
use cladist::smt_solver::{NoAnswer, SmtSolver};
use cladist::verify::{
    Bundle, Decision, MANIFEST, NoResult, Obligation, Parts, SettledObligation, SolverAnswer, Stored, Task,
    decision, differing, obligations, unknown,
};
use clap::{Args, ValueHint};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// The largest stored result that is read, in bytes.
pub const RESULT_LIMIT: u64 = 1 << 30;

#[derive(Debug, Args)]
pub struct VerifyArgs {
    /// A result of `classify --json` or `check --json`, a folder of `--out`, an exchange bundle, or certificates of a protocol
    #[arg(value_hint = ValueHint::AnyPath)]
    pub result: PathBuf,
    /// Path of the model, if it has moved
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub model: Option<PathBuf>,
    /// Root folder of imports [default: nearest folder at or above the model with `predicates` or a repository]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub root: Option<PathBuf>,
    /// Command of an SMT solver that reads standard input (repeatable) [default: 'z3 -in']
    #[arg(long, value_name = "COMMAND", value_parser = SmtSolver::parse)]
    pub solver: Vec<SmtSolver>,
    /// Integer encoding for SMT solvers
    #[arg(long, value_enum, default_value_t = TheoryArg::Bv, value_name = "THEORY")]
    pub theory: TheoryArg,
    /// Write the result, the model and a script for each obligation into this folder
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub exchange: Option<PathBuf>,
    /// Print one JSON document and nothing else on standard output
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// An obligation with its script.
struct WrittenObligation {
    obligation: Obligation,
    /// The script, or the limit that ended it; `None` if there is no question.
    script: Option<Result<String, Exhausted>>,
}

impl WrittenObligation {
    /// Returns the script, if it is complete.
    fn finished(&self) -> Option<&str> {
        self.script.as_ref()?.as_ref().ok().map(String::as_str)
    }
}

pub fn run(args: &VerifyArgs, console: &Console) -> Result<Exit, UsageError> {
    let (budget, doubts) = settings::limits(args.limits.limits());
    console.diagnose(&doubts, &Default::default());
    if let Some(certificates) = certificates::read(&args.result)? {
        return certificates::verify(args, &certificates, &budget, console);
    }
    let solvers = solvers(args)?;
    args.exchange.as_deref().map_or(Ok(()), bundle::refuse_other_files)?;
    let opened = open(args)?;
    let model = load(args, &opened, &budget)?;
    let OpenedResult { text, stored, scripts: foreign, .. } = opened;
    let theory = args.theory.into();
    let so_far = PartialVerification::default();
    so_far.keep(args, &model, &stored, console);
    let obligations = obligations(&model, &stored);
    so_far.begin(&obligations);
    let written: Vec<WrittenObligation> = obligations
        .into_iter()
        .map(|obligation| {
            let script = match &obligation.task {
                Task::Ask(question) => Some(question.script(&model, theory, &budget)),
                _ => None,
            };
            WrittenObligation { obligation, script }
        })
        .collect();
    if let Some(folder) = &args.exchange {
        bundle::write(folder, &bundle_of(&text, &stored, &model, &written), console)?;
    }
    let mut notes = Vec::new();
    for (index, one) in written.iter().enumerate() {
        let answers = ask(one, &solvers, &budget);
        so_far.lock()[index].answers = answers;
    }
    let mut settled = so_far.lock().clone();
    if let Some(foreign) = &foreign {
        settled.extend(bundle::foreign(foreign, &scripts(&written), &solvers, &budget, &mut notes));
    }
    let request = VerifyRequest {
        file: &args.result.to_string_lossy(),
        model: &model.name,
        settled: &settled,
        unchecked: &stored.unchecked(),
        notes: &notes,
    };
    match args.json {
        true => console.print(&to_json(&verify_document(&request)))?,
        false => console.print(&verify_text(&request, console.paint()))?,
    }
    Ok(match exit(&settled) {
        Exit::Undecided if budget.exhausted() == Some(Exhausted::Interrupt) => Exit::Interrupted,
        exit => exit,
    })
}

/// Returns the exit code for the outcomes.
fn exit(settled: &[SettledObligation]) -> Exit {
    match decision(settled) {
        Decision::Accepted => Exit::Fine,
        Decision::Refused => Exit::Refused,
        Decision::Undecided => Exit::Undecided,
    }
}

/// The obligations with the answers so far, which the watchdog prints if it ends the run.
#[derive(Default, Clone)]
struct PartialVerification(Arc<Mutex<Vec<SettledObligation>>>);

impl PartialVerification {
    fn lock(&self) -> MutexGuard<'_, Vec<SettledObligation>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records the obligations before any solver is asked.
    fn begin(&self, obligations: &[Obligation]) {
        let open = obligations.iter().cloned();
        *self.lock() = open.map(|obligation| SettledObligation { obligation, answers: Vec::new() }).collect();
    }

    /// Leaves the outcomes so far to the watchdog. A bundle's own scripts are not among them: they repeat earlier
    /// questions.
    fn keep(&self, args: &VerifyArgs, model: &Model, stored: &Stored, console: &Console) {
        let (so_far, file) = (self.clone(), args.result.to_string_lossy().into_owned());
        let (model, unchecked) = (model.name.clone(), stored.unchecked());
        console.watchdog().keep(KnownResult::later(move |why| {
            let why = NoAnswer::Exhausted(why);
            let mut settled = so_far.lock().clone();
            let open = |one: &&mut SettledObligation| {
                matches!(one.obligation.task, Task::Ask(_)) && one.answers.is_empty()
            };
            for one in settled.iter_mut().filter(open) {
                one.obligation.task = Task::Open(why.to_string());
            }
            let notes = match settled.is_empty() {
                true => vec![format!("the obligations were not listed: {why}")],
                false => Vec::new(),
            };
            let request = VerifyRequest {
                file: &file,
                model: &model,
                settled: &settled,
                unchecked: &unchecked,
                notes: &notes,
            };
            PartialResult {
                exit: exit(&settled),
                text: verify_text(&request, Paint::new(false)),
                document: serde_json::to_value(verify_document(&request)).unwrap_or_default(),
            }
        }));
    }
}

/// Reads the result, a folder of `--out`, or a bundle.
fn open(args: &VerifyArgs) -> Result<OpenedResult, UsageError> {
    let mut path = args.result.clone();
    if path.is_dir() {
        let of_out = ["classes.json", "causes.json"].map(|name| path.join(name));
        match of_out.into_iter().find(|of_out| !path.join(MANIFEST).exists() && of_out.exists()) {
            Some(of_out) => path = of_out,
            None => return bundle::open(&path),
        }
    }
    let text = read(&path)?;
    let stored = stored(&path, &text)?;
    let model = PathBuf::from(&stored.file);
    Ok(OpenedResult { text, stored, model, root: None, scripts: None })
}

/// Reads a file of a result.
pub fn read(path: &Path) -> Result<String, UsageError> {
    read_text(path, RESULT_LIMIT).map_err(|error| {
        UsageError::message(format!("cannot read {}: {}", path.display(), why_unreadable(&error)))
    })
}

pub fn stored(path: &Path, text: &str) -> Result<Stored, UsageError> {
    Stored::read(text).map_err(|NoResult { message, help }| {
        let error = Diagnostic::error_without_place(format!("{}: {message}", path.display()));
        error.with_help(help).into()
    })
}

/// Loads the model of a result. The result gives its path, which may be that of any file; messages therefore show
/// nothing of a file beyond the content of the result.
fn load(args: &VerifyArgs, opened: &OpenedResult, budget: &Budget) -> Result<Model, UsageError> {
    let named = args.model.as_deref();
    let file = named.unwrap_or(&opened.model);
    if !file.exists() {
        let error = Diagnostic::error_without_place(format!("there is no model {}", file.display()));
        return Err(error.with_help("`--model FILE` names the model that the result is about").into());
    }
    if let (None, Some(root)) = (named, &args.root) {
        let path = |path: &Path| path.canonicalize().map_err(|error| unreadable(path, &error));
        if !path(file)?.starts_with(path(root)?) {
            let message = format!(
                "{}: its model {} is outside {}",
                args.result.display(),
                file.display(),
                root.display()
            );
            let help = "`--model FILE` names the model that the result is about";
            return Err(Diagnostic::error_without_place(message).with_help(help).into());
        }
    }
    let root = args.root.as_ref().or(opened.root.as_ref());
    let overrides = &opened.stored.set;
    let options = LoadOptions { overrides, root: root.map(PathBuf::as_path), budget: budget.clone() };
    let loaded = input::load_any(file, &options).loaded;
    let differences = match &loaded.model {
        Some(model) => differing(&opened.stored.sources, &model.sources),
        None => unknown(&opened.stored.sources, &loaded.sources),
    };
    let is_unfinished = loaded.diagnostics.iter().any(|diagnostic| diagnostic.unfinished.is_some());
    if !differences.is_empty() && !is_unfinished {
        let shown = differences.into_iter().map(|difference| {
            let error = Diagnostic::error_without_place(format!("{}: {difference}", args.result.display()));
            error.with_help("verify it with the model that it is about, or store the result again")
        });
        return Err(UsageError { diagnostics: shown.collect(), sources: Default::default() });
    }
    let refusal = UsageError { diagnostics: loaded.diagnostics, sources: loaded.sources };
    // Its warnings were printed when the result was made.
    let mut model = loaded.model.ok_or(refusal)?;
    for declaration in opened.stored.predicates() {
        model
            .declare(declaration)
            .map_err(|wrong| UsageError { diagnostics: wrong.diagnostics, sources: wrong.sources })?;
    }
    Ok(model)
}

/// Returns the solvers: the named ones, or z3. Checks that each exists.
fn solvers(args: &VerifyArgs) -> Result<Vec<SmtSolver>, UsageError> {
    if !args.solver.is_empty() {
        for solver in &args.solver {
            solver.is_there().map_err(|why| UsageError::message(format!("`{}`: {why}", solver.name())))?;
        }
        return Ok(args.solver.clone());
    }
    match SmtSolver::usual() {
        Some(solver) => Ok(vec![solver]),
        None if args.exchange.is_some() => Ok(Vec::new()),
        None => Err(Diagnostic::error_without_place("there is no SMT solver: z3 is not in PATH")
            .with_help("install one (`apt-get install z3`), or name one with `--solver COMMAND`")
            .into()),
    }
}

/// Returns the answers of the solvers to an obligation.
fn ask(one: &WrittenObligation, solvers: &[SmtSolver], budget: &Budget) -> Vec<SolverAnswer> {
    let asked = solvers.iter().filter_map(|solver| {
        Some(match one.script.as_ref()? {
            Ok(script) => answered(solver, script, budget),
            Err(why) => SolverAnswer {
                solver: solver.name(),
                answer: Err(format!("its script was not finished: {}", NoAnswer::Exhausted(*why))),
                seconds: 0.0,
            },
        })
    });
    asked.collect()
}

/// Returns the answer of a solver to a script.
pub fn answered(solver: &SmtSolver, script: &str, budget: &Budget) -> SolverAnswer {
    let clock = Instant::now();
    let answer = solver.ask(script, budget).map_err(|why| why.to_string());
    SolverAnswer { solver: solver.name(), answer, seconds: clock.elapsed().as_secs_f64() }
}

/// Returns the complete scripts, by the names of their obligations.
fn scripts(written: &[WrittenObligation]) -> Vec<(&str, &str)> {
    written.iter().filter_map(|one| Some((one.obligation.name.as_str(), one.finished()?))).collect()
}

/// Returns the bundle of a result.
fn bundle_of(result: &str, stored: &Stored, model: &Model, written: &[WrittenObligation]) -> Bundle {
    let obligations = written.iter().map(|one| (&one.obligation, one.finished()));
    Bundle::new(&Parts {
        result,
        result_schema: stored.schema(),
        sources: &model.sources,
        set: &stored.set,
        obligations: obligations.collect(),
    })
}
