//! `cladist test`: the examples of models and libraries.

use super::args::{RunArgs, SolverArgs};
use super::console::Console;
use super::exit::Exit;
use super::refusal::UsageError;
use super::values::parse_bound;
use super::watchdog::{KnownResult, PartialResult};
use super::{input, settings};
use cladist::budget::{Budget, Exhausted};
use cladist::classify::predicates::example::decide;
use cladist::diagnostics::{Diagnostic, SourceMap};
use cladist::model::{self, LibraryExample, LoadOptions, Loaded, LoadedLibrary, Model, TraceExample};
use cladist::report::{
    ExampleDocument, Paint, TestDocument, TestedFileDocument, diagnostic_document, example_document,
    test_document, test_text, to_json,
};
use clap::{Args as Arguments, ValueHint};
use std::path::{Path, PathBuf};
use std::time::Instant;

#[derive(Debug, Arguments)]
pub struct TestArgs {
    /// Models (.sts) and predicate libraries (.pred)
    #[arg(value_name = "FILE", required = true, value_hint = ValueHint::FilePath)]
    pub files: Vec<PathBuf>,
    /// Consider traces of up to N steps [default: 10; `check` searches only with -k]
    ///
    /// To warn about predicates of vocabularies that hold in none of them, or always.
    #[arg(short = 'k', long = "bound", value_name = "N", value_parser = parse_bound, default_value_t = 10, hide_default_value = true, allow_negative_numbers = true)]
    pub bound: usize,
    #[command(flatten)]
    pub run: RunArgs,
    #[command(flatten)]
    pub solver: SolverArgs,
    /// Print one JSON document and nothing else on standard output
    #[arg(long)]
    pub json: bool,
    /// Exit with 0 instead of 10, 11 or 12
    #[arg(long)]
    pub exit_zero: bool,
}

/// Runs `cladist test`. A file that cannot be read is reported, and the others are tested nevertheless.
pub fn run(args: &TestArgs, console: &Console) -> Result<Exit, UsageError> {
    let started = Instant::now();
    super::bounds::refuse_absurd(cladist::unroll::Lengths::UpTo(args.bound))?;
    let (budget, doubts) = settings::budget(&args.run);
    console.diagnose(&doubts, &Default::default());
    let mut tests = Tests { args, budget: &budget, console, done: Vec::new(), started };
    let mut worst = Exit::Fine;
    for path in &args.files {
        let Err(refusal) = tests.file(path) else { continue };
        tests.done.retain(|file| !file.examples.is_empty() || Path::new(&file.file) != path);
        if args.json {
            return Err(refusal);
        }
        worst = console.refuse(&refusal, false);
    }
    let document = tests.document();
    let exit = match (Exit::from(&document), budget.exhausted()) {
        (Exit::Undecided, Some(Exhausted::Interrupt)) if document.is_empty() => Exit::Interrupted,
        (exit, _) => exit,
    };
    let exit: Exit = [worst, exit].into_iter().collect();
    let text = if args.json { to_json(&document) } else { test_text(&document, console.paint()) };
    console.print(&text)?;
    Ok(exit.with_exit_zero(args.exit_zero))
}

/// The files that were tested so far.
struct Tests<'a> {
    args: &'a TestArgs,
    budget: &'a Budget,
    console: &'a Console,
    done: Vec<TestedFileDocument>,
    started: Instant,
}

impl Tests<'_> {
    fn document(&self) -> TestDocument {
        test_document(self.done.clone(), self.started.elapsed().as_secs_f64())
    }

    fn options(&self) -> LoadOptions<'_> {
        self.args.run.loading.options(self.budget)
    }

    fn file(&mut self, path: &Path) -> Result<(), UsageError> {
        self.done.push(TestedFileDocument {
            file: path.to_string_lossy().into_owned(),
            examples: Vec::new(),
            warnings: Vec::new(),
        });
        let options = self.options();
        let library = input::library(path, &options, self.console)?;
        match library {
            Some(library) => self.library(path, &library),
            None => self.model(path),
        }
    }

    fn model(&mut self, path: &Path) -> Result<(), UsageError> {
        let (model, mut warnings) = input::load(path, &self.options(), self.console)?;
        let file = path.to_string_lossy().into_owned();
        for (index, example) in model.examples.iter().enumerate() {
            if example.with.is_empty() {
                self.test((&model, &file), (example, &model.sources));
                continue;
            }
            let overrides = self.overrides(&example.with);
            let other =
                loaded(model::load_with(path, &LoadOptions { overrides: &overrides, ..self.options() }))?;
            // The text is the same, and so is the number of examples.
            self.test((&other, &file), (&other.examples[index], &other.sources));
        }
        // A generated model has words for those of other models.
        let backend = self.args.solver.solver.backend();
        let notices = match input::is_written(path) {
            true => Vec::new(),
            false => settings::tell_nothing(&model, self.args.bound, backend, self.budget),
        };
        self.console.diagnose(&notices, &model.sources);
        warnings.extend(notices);
        self.warn(&warnings, &model.sources);
        Ok(())
    }

    /// Tests the examples of a library. Errors in one are reported, and the others are tested nevertheless.
    fn library(&mut self, path: &Path, library: &LoadedLibrary) -> Result<(), UsageError> {
        let text = input::read(path)?;
        let mut wrong: Option<UsageError> = None;
        for (index, example) in library.examples.iter().enumerate() {
            let Err(refusal) = self.example_of(path, &text, library, (index, example)) else { continue };
            if let Some(before) = wrong.replace(refusal).filter(|_| !self.args.json) {
                self.console.refuse(&before, false);
            }
        }
        self.warn(&library.diagnostics, &library.sources);
        wrong.map_or(Ok(()), Err)
    }

    fn example_of(
        &mut self,
        path: &Path,
        text: &str,
        library: &LoadedLibrary,
        (index, example): (usize, &LibraryExample),
    ) -> Result<(), UsageError> {
        let refuse = |d: Diagnostic| UsageError { diagnostics: vec![d], sources: library.sources.clone() };
        let load =
            |overrides: &[(String, String)]| -> Result<(Model, model::InContext<TraceExample>), UsageError> {
                let options = LoadOptions { overrides, ..self.options() };
                let model = loaded(model::load_model_of_example(path, example, &options).map_err(refuse)?)?;
                let found = model::load_example(&model, path, text, index);
                Ok((model, found))
            };
        let (mut model, mut found) = load(&self.args.run.loading.overrides)?;
        // Names of constants have already been looked up.
        if found.found.is_some() && !example.with.is_empty() {
            (model, found) = load(&self.overrides(&example.with))?;
        }
        let Some(checked) = &found.found else {
            return Err(UsageError { diagnostics: found.diagnostics, sources: found.sources });
        };
        let file = model_file(&model, example);
        self.test((&model, &file), (checked, &found.sources));
        Ok(())
    }

    /// Returns the constants of the command line, and those of an example, which take precedence.
    fn overrides(&self, with: &[(String, String)]) -> Vec<(String, String)> {
        let given = &self.args.run.loading.overrides;
        let others = given.iter().filter(|(name, _)| !with.iter().any(|(own, _)| own == name));
        others.chain(with).cloned().collect()
    }

    fn test(&mut self, model: (&Model, &str), example: (&TraceExample, &SourceMap)) {
        let finding = decide(model.0, example.0, self.args.solver.solver.backend(), self.budget);
        let document: ExampleDocument = example_document(model, example, &finding);
        if let Some(file) = self.done.last_mut() {
            file.examples.push(document);
        }
        let so_far = self.document();
        self.console.watchdog().keep(KnownResult::new(move |_: Exhausted| PartialResult {
            exit: [Exit::from(&so_far), Exit::Undecided].into_iter().collect(),
            text: test_text(&so_far, Paint::new(false)),
            document: serde_json::to_value(&so_far).unwrap_or_default(),
        }));
    }

    fn warn(&mut self, warnings: &[Diagnostic], sources: &SourceMap) {
        if let Some(file) = self.done.last_mut() {
            file.warnings.extend(warnings.iter().map(|d| diagnostic_document(d, sources)));
        }
    }
}

/// Returns the file of the model of an example of a library.
fn model_file(model: &Model, example: &LibraryExample) -> String {
    model.sources.texts().next().map_or_else(|| example.model.0.clone(), |(name, _)| name.to_owned())
}

/// Returns a model, or its errors.
fn loaded(loaded: Loaded) -> Result<Model, UsageError> {
    let Loaded { model, diagnostics, sources } = loaded;
    model.ok_or(UsageError { diagnostics, sources })
}
