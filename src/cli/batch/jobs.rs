//! From a plan to its jobs: every model is loaded and every name looked up before anything runs.

use super::plan::{self, Group, Plan};
use super::reader::Placed;
use crate::cli::args::Solver;
use crate::cli::refusal::Refusal;
use crate::cli::{input, rerun, settings};
use cladist::batch::{Key, fingerprint};
use cladist::diagnostics::{Diagnostic, SourceMap, Span};
use cladist::model::{self, LoadOptions, Loaded, Model};
use itertools::Itertools;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// More jobs than this are a slip.
const MOST_JOBS: usize = 100_000;

/// A job of a plan.
#[derive(Debug)]
pub struct Job {
    /// Its number in the plan, from 0.
    pub index: usize,
    /// What it is.
    pub key: Key,
    /// The model with its constants.
    pub model: Arc<Model>,
    /// The model's file, from the current folder.
    path: PathBuf,
    /// Constants with other values than in the model.
    constants: Vec<(String, String)>,
    /// Where imports have to come from.
    root: Option<PathBuf>,
}

impl Job {
    /// The arguments of the same job as a single classification, for people.
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
        option("--memory", key.memory_bytes.map(settings::bytes_text));
        option("--max-classes", key.max_classes.map(|n| n.to_string()));
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

    /// The same as a shell reads it.
    pub fn command_line(&self) -> String {
        let words = self.command();
        let words = words.iter().map(|word| rerun::quoted(word));
        std::iter::once("cladist".to_owned()).chain(words).collect::<Vec<_>>().join(" ")
    }

    /// Whether the files of the model still say what they said when the plan was read.
    pub fn is_current(&self) -> bool {
        let loaded = load_model(&self.path, &self.constants, self.root.as_deref());
        sources(&loaded.sources) == self.key.sources
    }
}

fn load_model(path: &Path, overrides: &[(String, String)], root: Option<&Path>) -> Loaded {
    model::load_with(path, &LoadOptions { overrides, root, ..LoadOptions::default() })
}

fn sources(sources: &SourceMap) -> String {
    format!("{:016x}", fingerprint(sources.texts().map(|(_, text)| text)))
}

/// Reads a plan and makes its jobs.
///
/// # Errors
/// Everything that is wrong with the plan, its models and the names in it.
pub fn load(path: &Path, root: Option<&Path>) -> Result<Vec<Job>, Refusal> {
    let text = input::read(path)?;
    let mut sources = SourceMap::new();
    let source = sources.add(path.to_string_lossy(), &text);
    let (plan, problems) = plan::read(source, &text);
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
        false => Err(Refusal { diagnostics: problems, sources: Arc::new(sources) }),
    }
}

/// A file and the constants that it is loaded with.
type Wanted = (PathBuf, Vec<(String, String)>);

struct Planner<'p> {
    plan: &'p Plan,
    folder: PathBuf,
    root: Option<&'p Path>,
    /// The plan, and the sources of models that something is wrong with.
    sources: SourceMap,
    problems: Vec<Diagnostic>,
    /// Models by file and constants; `None` where that has a mistake.
    models: HashMap<Wanted, Option<Arc<Model>>>,
    /// The names of the jobs, with the places of their groups.
    seen: HashMap<String, Span>,
    jobs: Vec<Job>,
}

impl Planner<'_> {
    fn group(&mut self, group: &Group) {
        for file in &group.models {
            let path = model::normal_path(&self.folder.join(&file.value));
            // Names do not depend on the values of constants.
            let Some(model) = self.model(&path, &[], file.span) else { continue };
            let properties = self.names(&model, group.properties.as_deref(), file.span, |model, name| {
                settings::invariant(model, name).map(|(property, _)| property.name.clone())
            });
            let vocabularies = self.names(&model, group.vocabularies.as_deref(), file.span, |model, name| {
                settings::vocabulary(model, name).map(|vocabulary| vocabulary.name.clone())
            });
            for constants in &group.constants {
                let Some(model) = self.model(&path, &constants.value, constants.span) else { continue };
                let names = properties.iter().cartesian_product(&vocabularies);
                for ((property, vocabulary), &bound) in names.cartesian_product(&group.bounds) {
                    let key = self.key(group, &file.value, &model, &constants.value, bound);
                    let key = Key { property: property.clone(), vocabulary: vocabulary.clone(), ..key };
                    let (model, path) = (Arc::clone(&model), path.clone());
                    let job = Job {
                        index: self.jobs.len(),
                        key,
                        model,
                        path,
                        constants: constants.value.clone(),
                        root: self.root.map(Path::to_path_buf),
                    };
                    if self.add(job, group.span).is_err() {
                        return;
                    }
                }
            }
        }
    }

    /// A key without names of a property and of a vocabulary.
    fn key(
        &self,
        group: &Group,
        file: &str,
        model: &Model,
        constants: &[(String, String)],
        bound: Option<usize>,
    ) -> Key {
        let settings = &self.plan.settings;
        let explores = group.unbounded || group.count;
        Key {
            model: file.to_owned(),
            sources: sources(&model.sources),
            property: String::new(),
            vocabulary: String::new(),
            constants: constants.iter().map(|(name, value)| format!("{name}={value}")).collect(),
            bound,
            exact: settings.exact,
            unbounded: group.unbounded,
            count: group.count,
            max_states: settings.max_states.as_ref().filter(|_| explores).map(|n| n.value),
            solver: settings.solver.unwrap_or(Solver::Cadical).name().to_owned(),
            timeout_ms: settings.timeout_ms,
            memory_bytes: settings.memory_bytes,
            max_classes: settings.max_classes,
            keep_redundant: settings.keep_redundant,
            verify: settings.verify,
            version: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }

    /// Adds a job of a group; an error if the rest of the group is not worth looking at.
    fn add(&mut self, job: Job, group: Span) -> Result<(), ()> {
        if self.jobs.len() == MOST_JOBS {
            let message = format!("the plan has more than {MOST_JOBS} jobs");
            self.problems.push(Diagnostic::error(group, message));
            return Err(());
        }
        if let Some(first) = self.seen.insert(job.key.name(), group) {
            let message = format!("the plan has the job {} twice", job.key.label());
            let error = Diagnostic::error(group, message).with_help("leave one of them out");
            self.problems.push(if first == group {
                error
            } else {
                error.with_related(first, "here for the first time")
            });
            return Err(());
        }
        self.jobs.push(job);
        Ok(())
    }

    /// A model with constants. What is wrong with it is reported once, with the place that asks for it.
    fn model(&mut self, path: &Path, constants: &[(String, String)], asked: Span) -> Option<Arc<Model>> {
        let key = (path.to_owned(), constants.to_vec());
        if let Some(known) = self.models.get(&key) {
            return known.clone();
        }
        let loaded = load_model(path, constants, self.root);
        if loaded.model.is_none() {
            let errors = loaded.diagnostics.into_iter().filter(Diagnostic::is_error).collect();
            self.report(errors, &loaded.sources, asked);
        }
        let model = loaded.model.map(Arc::new);
        self.models.insert(key, model.clone());
        model
    }

    /// Findings about a model, which the plan asks for at this place.
    fn report(&mut self, found: Vec<Diagnostic>, sources: &SourceMap, asked: Span) {
        let by = self.sources.append(sources);
        for problem in found {
            let problem = problem.moved(by);
            self.problems.push(match problem.span {
                None => Diagnostic { span: Some(asked), ..problem },
                Some(_) => problem.with_related(asked, "the plan asks for it here"),
            });
        }
    }

    /// The names that are asked for and that the model has; the first one if none is asked for.
    fn names(
        &mut self,
        model: &Model,
        asked: Option<&[Placed<String>]>,
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
