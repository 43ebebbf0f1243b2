//! Loading a process text with the modules that it imports.

use super::{CheckedText, check};
use crate::process::program::ProcessProgram;
use crate::process::text::tree::{ProcessFile, ProcessName};
use crate::process::text::{parse, parse_call};
use kit::budget::{Budget, Exhausted};
use kit::diagnostics::{Diagnostic, SourceMap, read_text, unreadable, why_unreadable};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The outcome of loading a text.
#[derive(Debug)]
pub struct LoadedText {
    /// The program, if nothing is wrong.
    pub program: Option<ProcessProgram>,
    /// The reason if the budget was exhausted before the arguments of the main process were computed.
    pub exhausted: Option<Exhausted>,
    /// Errors, in the order of the text.
    pub mistakes: Vec<Diagnostic>,
    /// The texts that the diagnostics refer to; the first is the main file.
    pub sources: Arc<SourceMap>,
}

/// Reads a file and the modules that it imports, which lie in the same folder. The system is the process `MAIN`, or the
/// call of a process: `P [G, H] (1)`. The budget limits the evaluation of its arguments.
pub fn load(path: &Path, main: Option<&str>, budget: &Budget) -> LoadedText {
    match read_text(path, MOST_BYTES) {
        Ok(text) => ModuleReader::default().run((&path.to_string_lossy(), &text), Some(path), main, budget),
        Err(error) => LoadedText {
            program: None,
            exhausted: None,
            mistakes: vec![unreadable(path, &error)],
            sources: Arc::default(),
        },
    }
}

/// Larger files are refused: a process text is written by people, and a text of this size takes about a second to read.
const MOST_BYTES: u64 = 4 << 20;

/// Reads a text that imports no modules.
pub fn load_text(name: &str, text: &str, main: Option<&str>, budget: &Budget) -> LoadedText {
    ModuleReader::default().run((name, text), None, main, budget)
}

#[derive(Default)]
struct ModuleReader {
    sources: SourceMap,
    files: Vec<ProcessFile>,
    mistakes: Vec<Diagnostic>,
    known: BTreeSet<String>,
}

impl ModuleReader {
    fn run(
        mut self,
        (name, text): (&str, &str),
        path: Option<&Path>,
        main: Option<&str>,
        budget: &Budget,
    ) -> LoadedText {
        self.read(name, path, text);
        let call = main.and_then(|text| {
            let source = self.sources.add("--main", text);
            let (call, mistakes) = parse_call(source, text);
            self.mistakes.extend(mistakes);
            call
        });
        // Where whole modules are missing, further mistakes would be noise.
        let (mut program, mut exhausted) = (None, None);
        if !self.files.iter().any(|file| file.lacks_modules) {
            let understood = self.mistakes.is_empty();
            let mistakes;
            CheckedText { program, mistakes, exhausted } =
                check(&self.files, call.as_ref(), understood, budget);
            self.mistakes.extend(mistakes);
        }
        self.mistakes.sort_by_key(|mistake| mistake.span.map(|span| (span.source, span.start)));
        self.mistakes.dedup();
        LoadedText { program, exhausted, mistakes: self.mistakes, sources: Arc::new(self.sources) }
    }

    fn read(&mut self, name: &str, path: Option<&Path>, text: &str) {
        let source = self.sources.add(name, text);
        let (file, mistakes) = parse(source, text);
        self.mistakes.extend(mistakes);
        let imports = file.imports.clone();
        let own = self.files.len();
        self.files.push(file);
        for import in imports {
            let before = self.mistakes.len();
            if !self.known.insert(import.key.clone()) {
                continue;
            }
            match path.and_then(|path| beside(path, &import)) {
                Some(found) => match read_text(&found, MOST_BYTES) {
                    Ok(text) => self.read(&found.to_string_lossy(), Some(&found), &text),
                    Err(error) => {
                        let message = format!("cannot read {}: {}", found.display(), why_unreadable(&error));
                        self.mistakes.push(Diagnostic::error(import.span, message));
                    }
                },
                None => {
                    let message = format!("there is no module {}", import.shown);
                    let help = format!("{}.lnt must be in the same folder", import.shown);
                    self.mistakes.push(Diagnostic::error(import.span, message).with_help(help));
                }
            }
            if self.mistakes.len() > before {
                self.files[own].lacks_modules = true;
            }
        }
    }
}

/// The file of a module, in the folder of the one that imports it; case is ignored.
fn beside(path: &Path, module: &ProcessName) -> Option<PathBuf> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut found: Vec<PathBuf> = std::fs::read_dir(folder)
        .ok()?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|end| end.eq_ignore_ascii_case("lnt")))
        .filter(|path| path.file_stem().is_some_and(|stem| stem.eq_ignore_ascii_case(&module.key)))
        .collect();
    found.sort();
    found.into_iter().next()
}
