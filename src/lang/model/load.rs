//! Reads, parses and checks a model and the libraries it imports.

use super::check::{self, Context, Override, SourceFile, SyntaxTrees};
use super::expr::{Expr, Formula};
use super::in_context::{InContext, load_in_context};
use super::names::ModelNames;
use super::root::{ImportRoot, OutsideRoot};
use super::{ActionFairness, Model, Observable, TraceExample};
use crate::syntax::ast::{AstExpr, File, FileKind, Ident, ItemKind};
use crate::syntax::{parse, parse_expression, parse_formula};
use kit::budget::{Budget, Exhausted};
use kit::diagnostics::{
    Diagnostic, EarlyEnd, SourceMap, Span, TEXT_LIMIT, first_mistakes, read_text, unreadable, why_unreadable,
};
use rustc_hash::FxHashMap;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// The maximum number of files of a model, itself included.
const MAX_FILES: usize = 256;

/// The number of bytes that are read regardless of the budget, so that an ordinary model is always loaded.
const ALWAYS_READ: u64 = 1 << 20;

/// Options for reading a model.
#[derive(Debug, Clone, Default)]
pub struct LoadOptions<'a> {
    /// Names of constants with the texts of their new values, as in `--set NAME=VALUE`.
    pub overrides: &'a [(String, String)],
    /// The folder that imports must lie in. By default, the nearest folder at or above the model that
    /// holds a folder `predicates` or is the root of a repository; without one, the folder of the model.
    pub root: Option<&'a Path>,
    /// The limits. If they end loading, there is no model, and an [unfinished](Diagnostic::unfinished)
    /// diagnostic gives the reason.
    pub budget: Budget,
}

/// A model, if it is free of errors, with the diagnostics about it.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// The model; present iff no diagnostic is an error.
    pub model: Option<Model>,
    /// Errors, warnings and notes, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
    /// The texts that the diagnostics refer to; the model itself is the first.
    pub sources: Arc<SourceMap>,
}

/// The result of checking a library by itself.
#[derive(Debug, Clone)]
pub struct LoadedLibrary {
    /// The name in its header; `None` if the header is missing.
    pub name: Option<String>,
    /// The names of its predicates, in the order of declaration.
    pub predicates: Vec<String>,
    /// Its examples, in the order of the text.
    pub examples: Vec<LibraryExample>,
    /// Errors, warnings and notes, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
    /// The texts that the diagnostics refer to; the library itself is the first.
    pub sources: Arc<SourceMap>,
}

/// An example of a library, of which no more is known than what it is about.
#[derive(Debug, Clone)]
pub struct LibraryExample {
    /// The path of its model, relative to the library, with its span.
    pub model: (String, Span),
    /// Constants of the model with the values that they have here, as written.
    pub with: Vec<(String, String)>,
}

/// State formulas that hold again and again, and fairness of actions.
pub type LoadedFairness = InContext<(Vec<Expr>, Vec<ActionFairness>)>;

/// Reads a model and the libraries it imports from a path. `overrides` are names of constants with the
/// texts of their new values, as in `--set NAME=VALUE`. A file that cannot be read gives an error.
///
/// All other options have their defaults, see [`LoadOptions`]: no limits, and imports from the default root only.
pub fn load(path: &Path, overrides: &[(String, String)]) -> Loaded {
    load_with(path, &LoadOptions { overrides, ..LoadOptions::default() })
}

/// Reads a model and the libraries it imports from a path, with all options. A file that cannot be read gives an error.
pub fn load_with(path: &Path, options: &LoadOptions<'_>) -> Loaded {
    match open(path, options.root) {
        Ok((text, root)) => {
            let read = |file: &Path| root.read(file);
            load_text_with(&path.to_string_lossy(), &text, options, &read)
        }
        Err(error) => Loaded { model: None, diagnostics: vec![error], sources: Arc::new(SourceMap::new()) },
    }
}

/// The text of a model or library named by the user, and the root of its imports.
fn open(path: &Path, root: Option<&Path>) -> Result<(String, ImportRoot), Diagnostic> {
    let text = read_text(path, TEXT_LIMIT).map_err(|error| unreadable(path, &error))?;
    Ok((text, root_of(path, root)?))
}

/// The root of the imports of a model or library.
fn root_of(path: &Path, root: Option<&Path>) -> Result<ImportRoot, Diagnostic> {
    match root {
        Some(folder) => ImportRoot::at(folder).map_err(|error| unreadable(folder, &error)),
        None => ImportRoot::of_model(path).map_err(|error| unreadable(path, &error)),
    }
}

/// Like [`load_with`] for a text that is being edited, and not as it is stored under its path. `edited` gives the texts of imported files
/// that are being edited as well.
pub fn load_edited(
    path: &Path,
    text: &str,
    options: &LoadOptions<'_>,
    edited: &dyn Fn(&Path) -> Option<String>,
) -> Loaded {
    match root_of(path, options.root) {
        Ok(root) => {
            let read = |file: &Path| read_edited(&root, file, edited);
            load_text_with(&path.to_string_lossy(), text, options, &read)
        }
        Err(error) => Loaded { model: None, diagnostics: vec![error], sources: Arc::new(SourceMap::new()) },
    }
}

/// The text of an import, as it is being edited or stored. What cannot be read from its folder cannot be edited either.
fn read_edited(
    root: &ImportRoot,
    file: &Path,
    edited: &dyn Fn(&Path) -> Option<String>,
) -> io::Result<String> {
    root.read(file).map(|stored| edited(file).unwrap_or(stored))
}

/// Like [`check_library`] for a text that is being edited; see [`load_edited`].
pub fn check_library_edited(
    path: &Path,
    text: &str,
    options: &LoadOptions<'_>,
    edited: &dyn Fn(&Path) -> Option<String>,
) -> LoadedLibrary {
    match root_of(path, options.root) {
        Ok(root) => {
            let read = |file: &Path| read_edited(&root, file, edited);
            library_within(&path.to_string_lossy(), text, &options.budget, &read)
        }
        Err(error) => LoadedLibrary::unreadable(error),
    }
}

/// Like [`load`], from a text. `name` is its path as shown in messages; `read` gives the text of an
/// imported file, whose path is already resolved against that of the importing file.
pub fn load_text(
    name: &str,
    text: &str,
    overrides: &[(String, String)],
    read: &dyn Fn(&Path) -> io::Result<String>,
) -> Loaded {
    load_text_with(name, text, &LoadOptions { overrides, ..LoadOptions::default() }, read)
}

/// The end of the name of a text that the program has written.
const AS_MODEL: &str = " as a model";

/// The file that the text of a model was made of, as people know it; `None` if they wrote the text themselves.
pub fn written_from(model: &Model) -> Option<&str> {
    model.sources.texts().next()?.0.strip_suffix(AS_MODEL)
}

/// The file of a model, as people know it.
pub fn file_of(model: &Model) -> &str {
    written_from(model).or_else(|| Some(model.sources.texts().next()?.0)).unwrap_or(&model.name)
}

/// Reads a text without imports that the program has written as the model of a file, which is `shown` in messages. What is odd about
/// it is no concern of those who wrote the file: only errors are told.
pub fn load_written(shown: &str, text: &str, options: &LoadOptions<'_>) -> Loaded {
    let none = |_: &Path| Err(io::Error::from(io::ErrorKind::NotFound));
    let mut loaded = load_text_with(&format!("{shown}{AS_MODEL}"), text, options, &none);
    loaded.diagnostics.retain(Diagnostic::is_error);
    loaded
}

/// Like [`load_text`], with all options.
pub fn load_text_with(
    name: &str,
    text: &str,
    options: &LoadOptions<'_>,
    read: &dyn Fn(&Path) -> io::Result<String>,
) -> Loaded {
    let mut reader = ImportReader::new(read, options.budget.clone());
    reader.read_root(name, text);
    let overrides: Vec<Override> = options
        .overrides
        .iter()
        .map(|(name, text)| {
            let source = reader.sources.add(format!("--set {name}"), text.clone());
            let (value, problems) = parse_expression(source, text);
            let value = value.filter(|_| !problems.iter().any(Diagnostic::is_error));
            Override { name: name.clone(), text: text.clone(), value, known: None }
        })
        .collect();
    if reader.exhausted.is_some() {
        let (diagnostics, sources) = reader.finish(Vec::new());
        return Loaded { model: None, diagnostics, sources };
    }
    let checked = check::check_model(&reader.files, &reader.sources, &overrides, &options.budget);
    reader.exhausted = checked.exhausted;
    let good = !reader.diagnostics.iter().any(Diagnostic::is_error);
    let trees = SyntaxTrees(Arc::new(std::mem::take(&mut reader.files)));
    // Oddities of a text that cannot be read may be so because it cannot.
    let mut found = checked.diagnostics;
    found.retain(|diagnostic| good || diagnostic.is_error());
    let (diagnostics, sources) = reader.finish(found);
    let model = checked.found.filter(|_| good).map(|m| Model { sources: Arc::clone(&sources), trees, ..m });
    Loaded { model, diagnostics, sources }
}

/// Reads and checks a library by itself, with opaque types and values in place of what it requires.
/// [`LoadOptions::overrides`] is ignored.
pub fn check_library(path: &Path, options: &LoadOptions<'_>) -> LoadedLibrary {
    match open(path, options.root) {
        Ok((text, root)) => {
            let read = |file: &Path| root.read(file);
            library_within(&path.to_string_lossy(), &text, &options.budget, &read)
        }
        Err(error) => LoadedLibrary::unreadable(error),
    }
}

impl LoadedLibrary {
    /// One that could not be read.
    fn unreadable(error: Diagnostic) -> Self {
        let sources = Arc::new(SourceMap::new());
        Self { name: None, predicates: Vec::new(), examples: Vec::new(), diagnostics: vec![error], sources }
    }
}

/// Like [`check_library`], from a text; see [`load_text`].
pub fn check_library_text(
    name: &str,
    text: &str,
    read: &dyn Fn(&Path) -> io::Result<String>,
) -> LoadedLibrary {
    library_within(name, text, &Budget::unlimited(), read)
}

fn library_within(
    name: &str,
    text: &str,
    budget: &Budget,
    read: &dyn Fn(&Path) -> io::Result<String>,
) -> LoadedLibrary {
    let mut reader = ImportReader::new(read, budget.clone());
    reader.read_root(name, text);
    let mut found = Vec::new();
    if reader.exhausted.is_none() {
        let checked = check::check_library(&reader.files, &reader.sources, budget);
        reader.exhausted = checked.exhausted;
        found = checked.diagnostics;
    }
    let tree = &reader.files[0].tree;
    let name = tree.header.as_ref().map(|h| h.name.name.clone());
    let predicates = tree.items.iter().filter_map(|item| match &item.kind {
        ItemKind::Pred { name, .. } => Some(name.name.clone()),
        _ => None,
    });
    let predicates = predicates.collect();
    let examples = tree.items.iter().filter_map(|item| match &item.kind {
        ItemKind::Example(example) => {
            let given = |(name, value): &(Ident, AstExpr)| {
                (name.name.clone(), reader.sources.snippet(value.span).to_owned())
            };
            let with = example.with.iter().map(given).collect();
            example.model.clone().map(|model| LibraryExample { model, with })
        }
        _ => None,
    });
    let examples = examples.collect();
    let (diagnostics, sources) = reader.finish(found);
    LoadedLibrary { name, predicates, examples, diagnostics, sources }
}

/// True if a text is a model or a library, according to its header; `None` without a header.
pub fn file_kind(text: &str) -> Option<FileKind> {
    let source = SourceMap::new().add("", text);
    parse(source, text).0.header.map(|h| h.kind)
}

/// Parses and checks an expression over a state of `model` and the label of the step that led to it,
/// as given on the command line.
pub fn load_expression(model: &Model, text: &str) -> InContext<Observable> {
    load_in_context(model, ("expression", text), parse_expression, &check::check_expression)
}

/// Reads the model of an example of a library. It has to lie where imports of the library may come from.
///
/// # Errors
/// With its place in the library, that there is no such model.
pub fn load_model_of_example(
    library: &Path,
    example: &LibraryExample,
    options: &LoadOptions<'_>,
) -> Result<Loaded, Diagnostic> {
    let (written, span) = &example.model;
    let root = root_of(library, options.root)?;
    let path = normal_path(&library.parent().unwrap_or(Path::new("")).join(written));
    let refuse = |message: String, help: &str| Diagnostic::error(*span, message).with_help(help);
    let text = root.read(&path).map_err(|error| {
        let message = format!("cannot read {}: {}", path.display(), why_unreadable(&error));
        refuse(message, "the path is relative to the library")
    })?;
    // Other files may be anything that the user can read, and are not quoted.
    if file_kind(&text) != Some(FileKind::Model) {
        return Err(refuse(format!("{} is no model", path.display()), "it would begin with `model name;`"));
    }
    Ok(load_text_with(&path.to_string_lossy(), &text, options, &|file| root.read(file)))
}

/// Checks one of the examples of a library, by its index, as one about traces of a model that imports it. `path` and `text` are those of the
/// library.
pub fn load_example(model: &Model, path: &Path, text: &str, index: usize) -> InContext<TraceExample> {
    let parse_all = |source, text: &str| {
        let (tree, problems) = parse(source, text);
        (Some(tree), problems)
    };
    // The model may have come to it by another way.
    let same = |name: &str| {
        let canonical = |path: &Path| path.canonicalize().ok();
        canonical(Path::new(name)).is_some_and(|file| Some(file) == canonical(path))
    };
    let known = model.sources.texts().map(|(name, _)| name).find(|name| same(name));
    let known = known.map_or(path, Path::new);
    let check = |context: Context<'_>, tree: &File| check::check_foreign_example(context, tree, known, index);
    let name = path.to_string_lossy();
    load_in_context(model, (&name, text), parse_all, &check)
}

/// Parses and checks a CTL formula over the states of `model`, as given on the command line. `name` refers to it
/// in messages.
pub fn load_formula(model: &Model, name: &str, text: &str) -> InContext<Formula> {
    load_in_context(model, (name, text), parse_formula, &check::check_formula)
}

/// Parses and checks a condition of fairness in the context of `model`, as given on the command line: an action, `a`, or one for each value of
/// some of its parameters, `a(p)`; or else, unless it `is_strong`, a state formula. `name` refers to it in messages.
pub fn load_fairness(model: &Model, name: &str, text: &str, is_strong: bool) -> LoadedFairness {
    let check = |context: Context<'_>, expr: &AstExpr| check::check_given_fairness(context, expr, is_strong);
    load_in_context(model, (name, text), parse_expression, &check)
}

/// Reads files, each of them once.
struct ImportReader<'r> {
    read: &'r dyn Fn(&Path) -> io::Result<String>,
    budget: Budget,
    /// Why reading ended early, if it did.
    exhausted: Option<Exhausted>,
    sources: SourceMap,
    files: Vec<SourceFile>,
    paths: Vec<PathBuf>,
    diagnostics: Vec<Diagnostic>,
    /// The files being read, outermost first.
    reading: Vec<usize>,
    /// The total number of bytes of all files.
    bytes: u64,
    /// True if there were too many files or bytes.
    given_up: bool,
}

impl<'r> ImportReader<'r> {
    fn new(read: &'r dyn Fn(&Path) -> io::Result<String>, budget: Budget) -> Self {
        Self {
            read,
            budget,
            exhausted: None,
            sources: SourceMap::new(),
            files: Vec::new(),
            paths: Vec::new(),
            diagnostics: Vec::new(),
            reading: Vec::new(),
            bytes: 0,
            given_up: false,
        }
    }

    fn read_root(&mut self, name: &str, text: &str) {
        let source = self.sources.add(name, text);
        self.bytes = text.len() as u64;
        // The maker of the text, or reading it, may have taken long.
        self.look();
        let parsed = parse(source, if self.exhausted.is_none() { text } else { "" });
        self.look();
        self.file(PathBuf::from(name), parsed);
    }

    /// Looks at the budget, unless little was read.
    fn look(&mut self) {
        if self.bytes > ALWAYS_READ {
            self.exhausted = self.exhausted.or_else(|| self.budget.exhausted());
        }
    }

    /// Stores a parsed file and reads the files it imports.
    fn file(&mut self, path: PathBuf, (tree, problems): (File, Vec<Diagnostic>)) -> usize {
        let incomplete = problems.iter().any(Diagnostic::is_error);
        self.diagnostics.extend(problems);
        let index = self.files.len();
        let empty = File { header: None, items: Vec::new() };
        self.files.push(SourceFile { tree: empty, imports: Vec::new(), incomplete });
        self.paths.push(normal_path(&path));
        self.reading.push(index);
        let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
        let mut imports = Vec::new();
        for item in &tree.items {
            if let ItemKind::Import { path, path_span, .. } = &item.kind {
                self.look();
                let open = self.exhausted.is_none() && !self.given_up;
                let written = Path::new(path);
                let path = if is_standard_path(written) { written } else { &*folder.join(written) };
                imports.push(open.then(|| self.import(normal_path(path), *path_span)).flatten());
            }
        }
        self.reading.pop();
        self.files[index].tree = tree;
        self.files[index].imports = imports;
        index
    }

    fn import(&mut self, path: PathBuf, span: Span) -> Option<usize> {
        if let Some(known) = self.paths.iter().position(|p| *p == path) {
            if let Some(from) = self.reading.iter().position(|f| *f == known) {
                let way = self.reading[from..].iter().chain([&known]);
                let way: Vec<String> = way.map(|f| self.paths[*f].display().to_string()).collect();
                let message = format!("cyclic import: {}", way.join(" → "));
                self.diagnostics.push(Diagnostic::error(span, message));
                return None;
            }
            return Some(known);
        }
        if self.files.len() >= MAX_FILES {
            let message = format!("a model can have at most {MAX_FILES} files");
            self.given_up = true;
            self.diagnostics.push(Diagnostic::error(span, message));
            return None;
        }
        let text = if is_standard_path(&path) {
            standard_text(&path).map(str::to_owned).or_else(|| {
                let message = format!("there is no file {} in this program", path.display());
                let help = format!("its files are {}", standard_files().join(", "));
                self.diagnostics.push(Diagnostic::error(span, message).with_help(help));
                None
            })?
        } else {
            (self.read)(&path).map_err(|error| self.unreadable_import(&path, &error, span)).ok()?
        };
        self.bytes += text.len() as u64;
        if self.bytes > TEXT_LIMIT {
            let message =
                format!("a model and its libraries can have at most {} MiB in total", TEXT_LIMIT >> 20);
            self.given_up = true;
            self.diagnostics.push(Diagnostic::error(span, message));
            return None;
        }
        // Only libraries and components are quoted: other files may be anything that the user can read.
        let parsed = parse(self.sources.next_id(), &text);
        if parsed.0.header.is_none() {
            let error =
                Diagnostic::error(span, format!("{} is neither a library nor a component", path.display()));
            self.diagnostics
                .push(error.with_help("it would begin with `library name;` or `component name;`"));
            return None;
        }
        self.sources.add(path.to_string_lossy(), text);
        Some(self.file(path, parsed))
    }

    fn unreadable_import(&mut self, path: &Path, error: &io::Error, span: Span) {
        let message = format!("cannot read {}: {}", path.display(), why_unreadable(error));
        let outside = error.get_ref().is_some_and(|inner| inner.is::<OutsideRoot>());
        let help = match outside {
            true => "`--root DIR` sets the folder that imports must lie in",
            false => "paths are relative to the importing file",
        };
        self.diagnostics.push(Diagnostic::error(span, message).with_help(help));
    }

    /// All diagnostics, in the order of the texts.
    fn finish(mut self, found: Vec<Diagnostic>) -> (Vec<Diagnostic>, Arc<SourceMap>) {
        self.diagnostics.extend(found);
        let place = |d: &Diagnostic| d.span.map(|s| (s.source, s.start));
        self.diagnostics.sort_by_key(place);
        let mut list: Vec<Diagnostic> = Vec::new();
        for diagnostic in self.diagnostics {
            // Equal diagnostics have equal places.
            let mut here = list.iter().rev().take_while(|d| place(d) == place(&diagnostic));
            if !here.any(|d| *d == diagnostic) {
                list.push(diagnostic);
            }
        }
        let mut list = first_mistakes(list, &self.sources);
        list.extend(self.exhausted.map(loading_ended));
        (list, Arc::new(self.sources))
    }
}

/// The diagnostic for a limit that ended loading.
pub fn loading_ended(why: Exhausted) -> Diagnostic {
    let diagnostic = Diagnostic::error_without_place(format!("{why} while loading"));
    let unfinished = if why == Exhausted::Interrupt { EarlyEnd::Interrupted } else { EarlyEnd::Limit };
    Diagnostic { unfinished: Some(unfinished), ..diagnostic.with_help(why.help("nothing has been decided")) }
}

/// A path without `.` and `x/..`.
pub fn normal_path(path: &Path) -> PathBuf {
    let mut result = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if matches!(result.components().next_back(), Some(Component::Normal(_))) => {
                result.pop();
            }
            other => result.push(other),
        }
    }
    result
}

/// The folder that is no folder.
pub(super) const FOLDER: &str = "std";

const FILES: &[(&str, &str)] = &[
    ("crash_restart.sts", include_str!("../standard/crash_restart.sts")),
    ("lossy_channel.sts", include_str!("../standard/lossy_channel.sts")),
    ("channels.pred", include_str!("../standard/channels.pred")),
    ("knowledge.pred", include_str!("../standard/knowledge.pred")),
    ("messages.pred", include_str!("../standard/messages.pred")),
    ("orderings.pred", include_str!("../standard/orderings.pred")),
    ("protocols.pred", include_str!("../standard/protocols.pred")),
];

/// True if a path as written in an import means a file of the program.
pub fn is_standard_path(path: &Path) -> bool {
    path.starts_with(FOLDER)
}

/// The text of a file of the program, by its path, `std/messages.pred`.
pub fn standard_text(path: &Path) -> Option<&'static str> {
    let name = path.strip_prefix(FOLDER).ok()?;
    FILES.iter().find(|(file, _)| Path::new(file) == name).map(|(_, text)| *text)
}

/// The paths of all of them.
pub(super) fn standard_files() -> Vec<String> {
    FILES.iter().map(|(name, _)| format!("{FOLDER}/{name}")).collect()
}

/// The names of a model, library or component and of what it imports, from a text that is being edited; see
/// [`load_edited`](super::load_edited). Mistakes are no errors here: what cannot be read has no names, and if the budget ends, or the text is a
/// component, it is not known which records fields belong to.
pub fn names_edited(
    path: &Path,
    text: &str,
    options: &LoadOptions<'_>,
    edited: &dyn Fn(&Path) -> Option<String>,
) -> ModelNames {
    let Ok(root) = root_of(path, options.root) else { return ModelNames::default() };
    let read = |file: &Path| read_edited(&root, file, edited);
    let mut reader = ImportReader::new(&read, options.budget.clone());
    reader.read_root(&path.to_string_lossy(), text);
    let ImportReader { files, sources, exhausted, .. } = reader;
    let kind = files.first().and_then(|file| file.tree.header.as_ref()).map(|header| header.kind);
    let owners = match (exhausted, kind) {
        (Some(_), _) => FxHashMap::default(),
        (None, Some(FileKind::Library)) => {
            check::check_library(&files, &sources, &options.budget).field_owners
        }
        (None, _) => check::check_model(&files, &sources, &[], &options.budget).field_owners,
    };
    ModelNames::new(&files, sources, owners)
}
