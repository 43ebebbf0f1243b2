//! The jobs of a plan: every model is loaded and every name looked up before any job runs.

use crate::cli::refusal::UsageError;
use crate::cli::settings::RequestedVocabulary;
use crate::cli::{input, lassos, settings, values};
use cladist::batch::{ClaimSelection, ClassifyGroup, JobKey, PlacedValue, Plan, read_plan};
use cladist::diagnostics::{Diagnostic, SourceMap, Span, find_name, read_text, unreadable};
use cladist::model;
use cladist::model::{Environment, LoadOptions, Model};
use cladist::protocol::{ClaimedProperty, LoadedModel, is_protocol};
use cladist::report::checks::check_text::quoted;
use cladist::sat::Backend;
use cladist::verify::digest;
use itertools::Itertools;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The most jobs of a plan; more are taken for a mistake.
const MOST_JOBS: usize = 100_000;

/// A job of a plan, ready to run.
#[derive(Debug)]
pub struct BatchJob {
    /// The number in the plan, from 0.
    pub index: usize,
    /// Everything that the result depends on.
    pub key: JobKey,
    pub model: Arc<Model>,
    /// The model's file, relative to the current folder.
    path: PathBuf,
    /// Constants with other values than in the model.
    constants: Vec<(String, String)>,
    root: Option<PathBuf>,
}

impl BatchJob {
    /// Returns the arguments of the job as a single classification, for users.
    pub fn command(&self) -> Vec<String> {
        let key = &self.key;
        let mut words: Vec<String> = vec!["classify".into(), self.path.to_string_lossy().into_owned()];
        let mut option = |name: &str, value: Option<String>| {
            words.extend(value.into_iter().flat_map(|value| [name.to_owned(), value]));
        };
        option("-p", Some(key.property.clone()));
        option("-V", Some(key.vocabulary.clone()));
        option("-k", key.bound.map(|bound| bound.to_string()));
        for constant in &key.constants {
            option("--set", Some(constant.clone()));
        }
        option("--root", self.root.as_ref().map(|folder| folder.to_string_lossy().into_owned()));
        option("--solver", Some(key.solver.clone()));
        option("--timeout", key.timeout_ms.map(|ms| format!("{ms}ms")));
        option("--memory", key.memory_bytes.map(values::bytes_text));
        option("--max-classes", key.max_classes.map(|n| n.to_string()));
        option("--environment", key.environment.clone());
        option("--ground", key.ground.clone());
        option("--max-states", key.max_states.map(|n| n.to_string()));
        for (name, set) in [
            ("--exact", key.exact),
            ("--unbounded", key.unbounded),
            ("--count", key.count),
            ("--keep-redundant", key.keep_redundant),
            ("--verify", key.verify),
        ] {
            words.extend(set.then(|| name.to_owned()));
        }
        words
    }

    /// Returns the job as a command line for a shell.
    pub fn command_line(&self) -> String {
        let words = self.command();
        let words = words.iter().map(|word| quoted(word));
        std::iter::once("cladist".to_owned()).chain(words).collect::<Vec<_>>().join(" ")
    }

    /// True if the model and its libraries are unchanged since the plan was read.
    pub fn is_current(&self) -> bool {
        let read = load_model(&self.path, &self.constants, self.root.as_deref());
        sources(&read.loaded.sources) == self.key.sources
    }
}

fn load_model(path: &Path, overrides: &[(String, String)], root: Option<&Path>) -> LoadedModel {
    input::load_any(path, &LoadOptions { overrides, root, ..LoadOptions::default() })
}

fn sources(sources: &SourceMap) -> String {
    digest(sources.texts().map(|(_, text)| text))
}

/// The largest plan that is read, in bytes.
const PLAN_LIMIT: u64 = 4 << 20;

/// Reads a plan and lists its jobs.
///
/// # Errors
/// All errors in the plan, its models and the names in it.
pub fn load(path: &Path, root: Option<&Path>) -> Result<Vec<BatchJob>, UsageError> {
    let text = read_text(path, PLAN_LIMIT).map_err(|error| unreadable(path, &error))?;
    let mut sources = SourceMap::new();
    let source = sources.add(path.to_string_lossy(), &text);
    let (plan, problems) = read_plan(source, &text);
    let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
    let mut planner = Planner {
        plan: &plan,
        folder,
        root,
        sources,
        problems,
        models: HashMap::new(),
        seen: HashMap::new(),
        jobs: Vec::new(),
    };
    for group in &plan.groups {
        planner.group(group);
    }
    let Planner { sources, problems, jobs, .. } = planner;
    match problems.is_empty() {
        true => Ok(jobs),
        false => Err(UsageError { diagnostics: problems, sources: Arc::new(sources) }),
    }
}

/// True for a linear-time property, of infinite traces.
fn is_about_infinite(model: &Model, property: &str) -> bool {
    matches!(lassos::asked(model, Some(property)), Ok(Some(_)))
}

/// True if a vocabulary has words for fates, and the property is one for which they are used.
fn speaks_of_fates(model: &Model, property: &str, vocabulary: &str) -> bool {
    if is_about_infinite(model, property) {
        return false;
    }
    match settings::vocabulary(model, property, Some(vocabulary)) {
        Ok(RequestedVocabulary::Declared(vocabulary)) => model.speaks_of_fates(vocabulary),
        Ok(RequestedVocabulary::Auto) | Err(_) => false,
    }
}

/// A model file and the constants that it is loaded with.
type ModelKey = (PathBuf, Vec<(String, String)>);

#[derive(Debug, Clone)]
struct JobModel {
    model: Arc<Model>,
    /// The claims of roles; empty for a model that is not a protocol.
    claims: Arc<[ClaimedProperty]>,
    /// The number of steps in which all runs of a protocol have ended.
    steps: Option<usize>,
}

/// The question of a job about a model.
#[derive(Debug, Clone)]
struct JobQuestion {
    property: String,
    /// The claim that the property stands for, if the plan asks by claims.
    claim: Option<String>,
    vocabulary: String,
}

struct Planner<'p> {
    plan: &'p Plan,
    folder: PathBuf,
    root: Option<&'p Path>,
    /// The plan, and the sources of models with mistakes.
    sources: SourceMap,
    problems: Vec<Diagnostic>,
    /// Models by file and constants; `None` for one with a mistake.
    models: HashMap<ModelKey, Option<JobModel>>,
    /// The names of the jobs so far, with the places of their groups.
    seen: HashMap<String, Span>,
    jobs: Vec<BatchJob>,
}

impl Planner<'_> {
    fn group(&mut self, group: &ClassifyGroup) {
        for file in &group.models {
            let path = self.path(&file.value);
            if group.claims.is_none() || !path.is_dir() {
                if self.file(group, file).is_err() {
                    return;
                }
                continue;
            }
            match protocols_in(&path, &file.value) {
                Ok(files) => {
                    for value in files {
                        if self.file(group, &PlacedValue { value, span: file.span }).is_err() {
                            return;
                        }
                    }
                }
                Err(error) => self.problems.push(Diagnostic { span: Some(file.span), ..error }),
            }
        }
    }

    /// Returns the path of a file that the plan names, relative to the current folder.
    fn path(&self, file: &str) -> PathBuf {
        model::normal_path(&self.folder.join(file))
    }

    /// Adds the jobs of a group for one file; fails if the rest of the group would only repeat the same messages.
    fn file(&mut self, group: &ClassifyGroup, file: &PlacedValue<String>) -> Result<(), ()> {
        let path = self.path(&file.value);
        // Names do not depend on the values of constants.
        let Some(read) = self.model(&path, &[], file.span) else { return Ok(()) };
        let questions = self.questions(group, &read, file);
        for constants in &group.constants {
            let Some(read) = self.model(&path, &constants.value, constants.span) else { continue };
            let environment = self.environment(group, &read.model, &questions);
            let ground = self.ground(group, &read.model);
            for (question, &bound) in questions.iter().cartesian_product(&group.bounds) {
                let to_the_end = read.steps.filter(|_| group.claims.is_some() && !group.unbounded);
                let bound = bound.or(to_the_end);
                let key = self.key(group, &file.value, &read.model, &constants.value, bound);
                let JobQuestion { property, claim, vocabulary } = question.clone();
                let environment =
                    environment.clone().filter(|_| speaks_of_fates(&read.model, &property, &vocabulary));
                let max_states =
                    key.max_states.filter(|_| group.unbounded || group.count || environment.is_some());
                let ground = ground.clone();
                let key = JobKey { property, claim, vocabulary, environment, ground, max_states, ..key };
                let job = BatchJob {
                    index: self.jobs.len(),
                    key,
                    model: Arc::clone(&read.model),
                    path: path.clone(),
                    constants: constants.value.clone(),
                    root: self.root.map(Path::to_path_buf),
                };
                self.add(job, group.span)?;
            }
        }
        Ok(())
    }

    /// Returns the questions of a group about a file: each property, or claim, with each vocabulary.
    fn questions(
        &mut self,
        group: &ClassifyGroup,
        read: &JobModel,
        file: &PlacedValue<String>,
    ) -> Vec<JobQuestion> {
        let model = &read.model;
        let properties: Vec<(String, Option<String>)> = match &group.claims {
            Some(claims) => {
                let (found, problems) = those_of(claims, &read.claims, file);
                self.problems.extend(problems);
                let found = found.into_iter();
                found.map(|it| (it.property.clone(), Some(format!("{} {}", it.label, it.claim)))).collect()
            }
            None => {
                let named = group.properties.as_deref();
                let names = self.names(model, named, file.span, |model, name| {
                    let property = match lassos::asked(model, name)? {
                        Some((property, _)) => property,
                        None => settings::invariant(model, name)?.0,
                    };
                    Ok(property.name.clone())
                });
                self.refuse_for_infinite(group, model, &names);
                names.into_iter().map(|name| (name, None)).collect()
            }
        };
        let named = group.vocabularies.as_deref();
        let vocabularies = self.names(model, named, file.span, |model, name| {
            settings::vocabulary(model, "", name).map(|wanted| wanted.name().to_owned())
        });
        let of_property = |property: &str| match settings::vocabulary(model, property, None) {
            Ok(wanted) if named.is_none() => vec![wanted.name().to_owned()],
            _ => vocabularies.clone(),
        };
        let with_each = |(property, claim): (String, Option<String>)| {
            of_property(&property).into_iter().map(move |vocabulary| JobQuestion {
                property: property.clone(),
                claim: claim.clone(),
                vocabulary,
            })
        };
        properties.into_iter().flat_map(with_each).collect()
    }

    /// Refuses settings that do not apply to infinite traces, once for a group.
    fn refuse_for_infinite(&mut self, group: &ClassifyGroup, model: &Model, properties: &[String]) {
        let Some(name) = properties.iter().find(|name| is_about_infinite(model, name)) else { return };
        let settings = &self.plan.settings;
        let asked =
            [(settings.exact, "exact"), (settings.keep_redundant, "keep_redundant"), (group.count, "count")];
        for (_, key) in asked.iter().filter(|(is_asked, _)| *is_asked) {
            let message = format!("`{key}` is not for infinite traces, which property `{name}` is about");
            let help = "leave it out, or put the properties of ltl into a plan of their own";
            self.problems.push(Diagnostic::error(group.span, message).with_help(help));
        }
    }

    /// Returns the steps of a group's environment as written; `None` also if they have a mistake, or no vocabulary has
    /// words for fates.
    fn environment(
        &mut self,
        group: &ClassifyGroup,
        model: &Model,
        questions: &[JobQuestion],
    ) -> Option<String> {
        let asked = group.environment.as_ref()?;
        let mut refuse = |error: Diagnostic| {
            self.report(vec![error], &model.sources, asked.span);
            None
        };
        let environment = match Environment::parse(model, &asked.value) {
            Ok(environment) => environment,
            Err(unknown) => {
                return refuse(Diagnostic::error_without_place(unknown.message).with_help(unknown.help));
            }
        };
        if !questions.iter().any(|asked| speaks_of_fates(model, &asked.property, &asked.vocabulary)) {
            let message = format!("`environment` has no effect on the vocabularies of model {}", model.name);
            let help = "it is for vocabularies with `lost`, `safe`, `open` or `decisive`";
            return refuse(Diagnostic::error_without_place(message).with_help(help));
        }
        Some(environment.names(model).join(","))
    }

    /// Returns the grounded types of a group, as written; `None` also if there is a mistake.
    fn ground(&mut self, group: &ClassifyGroup, model: &Model) -> Option<String> {
        let asked = group.ground.as_ref()?;
        let names: Vec<String> = asked.value.split(',').map(|name| name.trim().to_owned()).collect();
        match settings::grounding(model, &names) {
            Ok(_) => Some(names.join(",")),
            Err(errors) => {
                self.report(errors, &model.sources, asked.span);
                None
            }
        }
    }

    /// Returns the key of a job without its property, claim, vocabulary, environment and grounded types.
    fn key(
        &self,
        group: &ClassifyGroup,
        file: &str,
        model: &Model,
        constants: &[(String, String)],
        bound: Option<usize>,
    ) -> JobKey {
        let settings = &self.plan.settings;
        JobKey {
            model: file.to_owned(),
            sources: sources(&model.sources),
            property: String::new(),
            claim: None,
            vocabulary: String::new(),
            constants: constants.iter().map(|(name, value)| format!("{name}={value}")).collect(),
            bound,
            exact: settings.exact,
            unbounded: group.unbounded,
            count: group.count,
            environment: None,
            ground: None,
            max_states: settings.max_states.as_ref().map(|n| n.value),
            solver: settings.solver.unwrap_or(Backend::Cadical).to_string(),
            timeout_ms: settings.timeout_ms,
            memory_bytes: settings.memory_bytes,
            max_classes: settings.max_classes,
            keep_redundant: settings.keep_redundant,
            verify: settings.verify,
            version: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }

    /// Adds a job of a group; fails if the rest of the group would only repeat the same messages.
    fn add(&mut self, job: BatchJob, group: Span) -> Result<(), ()> {
        if self.jobs.len() == MOST_JOBS {
            let message = format!("the plan has more than {MOST_JOBS} jobs");
            self.problems.push(Diagnostic::error(group, message));
            return Err(());
        }
        if let Some(first) = self.seen.insert(job.key.name(), group) {
            let message = format!("the job {} occurs twice in the plan", job.key.label());
            let error = Diagnostic::error(group, message).with_help("remove one of the two");
            self.problems.push(if first == group {
                error
            } else {
                error.with_related(first, "first occurrence")
            });
            return Err(());
        }
        self.jobs.push(job);
        Ok(())
    }

    /// Loads a model with constants. Its mistakes are reported once, with the place in the plan that names it.
    fn model(&mut self, path: &Path, constants: &[(String, String)], asked: Span) -> Option<JobModel> {
        let key = (path.to_owned(), constants.to_vec());
        if let Some(known) = self.models.get(&key) {
            return known.clone();
        }
        let LoadedModel { loaded, translation } = load_model(path, constants, self.root);
        if loaded.model.is_none() {
            let errors = loaded.diagnostics.into_iter().filter(Diagnostic::is_error).collect();
            self.report(errors, &loaded.sources, asked);
        }
        let steps = translation.as_ref().map(|translation| translation.charts.steps());
        let claims: Arc<[ClaimedProperty]> = translation.map_or_else(Arc::default, |it| it.claims.into());
        let read = loaded.model.map(|model| JobModel { model: Arc::new(model), claims, steps });
        self.models.insert(key, read.clone());
        read
    }

    /// Reports findings about a model that the plan names at this place.
    fn report(&mut self, found: Vec<Diagnostic>, sources: &SourceMap, asked: Span) {
        let by = self.sources.append(sources);
        for problem in found {
            let problem = problem.moved(by);
            self.problems.push(match problem.span {
                None => Diagnostic { span: Some(asked), ..problem },
                Some(_) => problem.with_related(asked, "the plan names it here"),
            });
        }
    }

    /// Returns those of the listed names that the model has; its first one if the plan lists none.
    fn names(
        &mut self,
        model: &Model,
        asked: Option<&[PlacedValue<String>]>,
        file: Span,
        look_up: fn(&Model, Option<&str>) -> Result<String, Diagnostic>,
    ) -> Vec<String> {
        let asked: Vec<(Option<&str>, Span)> = match asked {
            None => vec![(None, file)],
            Some(names) => names.iter().map(|name| (Some(name.value.as_str()), name.span)).collect(),
        };
        let mut names = Vec::new();
        for (name, span) in asked {
            match look_up(model, name) {
                Ok(name) => names.push(name),
                Err(error) => {
                    let error = error.with_note(format!("in model {}", model.name));
                    self.report(vec![error], &model.sources, span);
                }
            }
        }
        names
    }
}

/// Returns the protocol files in a folder, in alphabetical order, as a plan would name them; `shown` is its name for
/// the folder.
///
/// # Errors
/// A folder that cannot be read, has no protocol file, or one whose name cannot be printed.
pub fn protocols_in(folder: &Path, shown: &str) -> Result<Vec<String>, Diagnostic> {
    let cannot_read = |error: std::io::Error| unreadable(folder, &error);
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(cannot_read)? {
        let path = entry.map_err(cannot_read)?.path();
        let Some(name) = path.file_name().filter(|_| is_protocol(&path)) else { continue };
        let name = name.to_string_lossy();
        if name.contains(char::is_control) {
            let message = format!("{} has a file with a control character in its name", folder.display());
            return Err(Diagnostic::error_without_place(message));
        }
        files.push(format!("{}/{name}", shown.trim_end_matches('/')));
    }
    if files.is_empty() {
        let message = format!("there is no protocol file (.spdl, .anb, .scm) in {}", folder.display());
        return Err(Diagnostic::error_without_place(message));
    }
    files.sort();
    Ok(files)
}

/// Returns the requested claims of a file, and the errors in the request.
pub fn those_of<'c>(
    wanted: &ClaimSelection,
    claims: &'c [ClaimedProperty],
    file: &PlacedValue<String>,
) -> (Vec<&'c ClaimedProperty>, Vec<Diagnostic>) {
    if claims.is_empty() {
        let message = format!("{} makes no claims", file.value);
        let help = "claims are those of protocol files (.spdl, .anb, .scm); the invariants of models are named under `properties`";
        return (Vec::new(), vec![Diagnostic::error(file.span, message).with_help(help)]);
    }
    let ClaimSelection::Labelled(names) = wanted else { return (claims.iter().collect(), Vec::new()) };
    let labels: Vec<&str> = claims.iter().map(|claim| claim.label.as_str()).collect();
    let (mut found, mut problems) = (Vec::new(), Vec::new());
    for name in names {
        match find_name("claim", &name.value, &labels) {
            // Several protocols of one file may have claims of the same label.
            Ok(index) => found.extend(claims.iter().filter(|claim| claim.label == labels[index])),
            Err(error) => {
                let error = error.with_note(format!("in {}", file.value));
                problems.push(Diagnostic { span: Some(name.span), ..error });
            }
        }
    }
    (found, problems)
}
