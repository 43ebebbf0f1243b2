//! From trees to a program: modules, names, types. All mistakes are reported in one run.

mod behaviours;
mod communication;
mod derived;
mod expressions;
mod flow;
mod modules;
mod names;
mod patterns;
mod routines;
mod types;

pub use modules::{LoadedText, load, load_text};

use super::failure::{FailureCause, ProcessFailure};
use super::program::{
    BehaviourOp, Code, CodeId, Process, ProcessFunction, ProcessProgram, ProcessTypeKind, TypeId,
};
use super::text::tree::{ActionSyntax, ParameterMode, ProcessFile, ProcessName, Routine, UnreadDefinition};
use communication::Main;
use kit::budget::{Budget, Exhausted};
use kit::diagnostics::{Diagnostic, Span, nearest};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use types::{CallSignature, GateChannel};

/// The head of a process: all that its callers need.
#[derive(Debug, Clone)]
pub(super) struct ProcessHead {
    name: ProcessName,
    gates: Vec<(ProcessName, GateChannel)>,
    /// The types of the parameters, and which way their values go.
    parameters: Vec<(TypeId, ParameterMode)>,
}

/// Checks definitions, and builds a program from them.
pub(super) struct ProcessChecker {
    types: Vec<super::program::ProcessDataType>,
    type_names: FxHashMap<String, TypeId>,
    channels: FxHashMap<String, GateChannel>,
    /// Functions, constructors and operators by name and number of arguments.
    signatures: FxHashMap<(String, usize), Vec<CallSignature>>,
    functions: Vec<ProcessFunction>,
    /// The functions, for calls as statements.
    called: Vec<CalledFunction>,
    heads: Vec<ProcessHead>,
    processes: Vec<Process>,
    code: Vec<Code>,
    mistakes: Vec<Diagnostic>,
    /// The definitions that could not be read.
    lost: Vec<UnreadDefinition>,
    /// The types whose definitions could not be read.
    vague: Vec<TypeId>,
    /// The spelling of each name in its first declaration, by the name in upper case.
    spelt: FxHashMap<String, String>,
    /// True if the whole text was understood; otherwise parts of it are missing.
    understood: bool,
    /// The budget for values that are computed during the check.
    budget: Budget,
    /// The reason if the budget was exhausted.
    exhausted: Option<Exhausted>,
}

impl ProcessChecker {
    fn mistake(&mut self, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.mistakes.push(Diagnostic::error(span, message).with_help(help));
    }

    /// Reports an unknown name, and suggests the known one that is nearest.
    fn unknown(&mut self, name: &ProcessName, what: &str, known: &[&str], help: &str) {
        if self.may_be_lost(what, &name.key) {
            return;
        }
        let message = format!("there is no {what} {}", name.shown);
        let help = match nearest(&name.key, known.iter().copied()) {
            Some(meant) => format!("did you mean {}?", self.spelt(meant)),
            None => help.to_owned(),
        };
        self.mistake(name.span, message, help);
    }

    /// Remembers the spelling of a name where it is declared.
    fn note(&mut self, name: &ProcessName) {
        self.spelt.entry(name.key.clone()).or_insert_with(|| name.shown.clone());
    }

    /// The spelling of a name where it is declared.
    fn spelt(&self, key: &str) -> String {
        self.spelt.get(key).cloned().unwrap_or_else(|| key.to_lowercase())
    }

    fn push(&mut self, op: BehaviourOp, span: Span) -> CodeId {
        self.code.push(Code { op, span, live: Rc::default() });
        CodeId::new(self.code.len() - 1)
    }

    fn add_type(&mut self, name: String, kind: ProcessTypeKind) -> TypeId {
        self.types.push(super::program::ProcessDataType { name, kind });
        TypeId::new(self.types.len() - 1)
    }

    fn type_ids(&self) -> impl Iterator<Item = TypeId> + use<> {
        (0..self.types.len()).map(TypeId::new)
    }

    fn type_name(&self, of: TypeId) -> String {
        self.types[of.index()].name.clone()
    }

    /// Notes that a value cannot be computed; `help` is shown if the text is to blame.
    fn failed(&mut self, failure: ProcessFailure, help: &str) {
        match failure.cause {
            FailureCause::Budget(why) => self.exhausted = Some(why),
            FailureCause::Undefined | FailureCause::TooMuch => {
                self.mistake(failure.span, failure.message, help)
            }
        }
    }
}

struct CheckedText {
    /// The program, if there is no mistake.
    program: Option<ProcessProgram>,
    mistakes: Vec<Diagnostic>,
    /// The limit that ended the check, if one did.
    exhausted: Option<Exhausted>,
}

/// Checks files whose definitions are used together; `call` is the process that is the system, with its arguments. There
/// is a program only if the text was `understood` as a whole.
fn check(
    files: &[ProcessFile],
    call: Option<&ActionSyntax>,
    understood: bool,
    budget: &Budget,
) -> CheckedText {
    let mut checker = ProcessChecker {
        types: Vec::new(),
        type_names: FxHashMap::default(),
        channels: FxHashMap::default(),
        signatures: FxHashMap::default(),
        functions: Vec::new(),
        called: Vec::new(),
        heads: Vec::new(),
        processes: Vec::new(),
        code: Vec::new(),
        mistakes: Vec::new(),
        lost: Vec::new(),
        vague: Vec::new(),
        spelt: FxHashMap::default(),
        understood,
        budget: budget.clone(),
        exhausted: None,
    };
    checker.predefined(files);
    checker.declare_lost(files);
    checker.declare_types(files);
    checker.declare_channels(files);
    let functions: Vec<&Routine> = files.iter().flat_map(|file| &file.functions).collect();
    let declared: Vec<_> = functions.into_iter().filter_map(|item| checker.declare_function(item)).collect();
    let processes: Vec<&Routine> = files.iter().flat_map(|file| &file.processes).collect();
    processes.iter().for_each(|item| checker.declare_process(item));
    declared.into_iter().for_each(|function| checker.function_body(&function));
    processes.iter().enumerate().for_each(|(index, item)| checker.process_body(index, item));
    let main = if checker.mistakes.is_empty() && understood { checker.main(call) } else { None };
    let exhausted = checker.exhausted;
    if !checker.mistakes.is_empty() || exhausted.is_some() {
        return CheckedText { program: None, mistakes: checker.mistakes, exhausted };
    }
    let program = main.map(|Main { process: main, arguments, gates }| ProcessProgram {
        types: checker.types,
        functions: checker.functions,
        processes: checker.processes,
        code: checker.code,
        main,
        arguments,
        gates,
    });
    CheckedText { program, mistakes: checker.mistakes, exhausted }
}

impl ProcessChecker {
    /// The type of the elements, if the values of a type are lists.
    fn element(&self, of: TypeId) -> Option<TypeId> {
        match self.types[of.index()].kind {
            ProcessTypeKind::List { of, .. } => Some(of),
            _ => None,
        }
    }
}

/// A function, for those who call it as a statement.
#[derive(Debug, Clone)]
struct CalledFunction {
    /// The name in upper case.
    pub key: String,
    pub index: usize,
    /// The types of the parameters, and which way their values go.
    pub parameters: Vec<(TypeId, ParameterMode)>,
    pub result: Option<TypeId>,
}

impl ProcessChecker {
    /// Declares types and channels whose definitions could not be read as unknown ones.
    fn declare_lost(&mut self, files: &[ProcessFile]) {
        self.lost = files.iter().flat_map(|file| &file.lost).cloned().collect();
        for UnreadDefinition { word, name } in self.lost.clone() {
            let Some(name) = name else { continue };
            match word {
                "type" if !self.type_names.contains_key(&name.key) => {
                    let of = self.vague_type(&name);
                    self.type_names.insert(name.key, of);
                }
                "channel" => _ = self.channels.entry(name.key).or_insert(GateChannel::Any),
                _ => {}
            }
        }
    }

    /// Adds an unknown type with this name.
    fn vague_type(&mut self, name: &ProcessName) -> TypeId {
        let of = self.add_type(name.shown.clone(), ProcessTypeKind::Constructed(Vec::new()));
        self.vague.push(of);
        of
    }

    /// True if a definition with one of these keywords could not be read.
    fn lacks(&self, words: &[&str]) -> bool {
        self.lost.iter().any(|lost| lost.word.is_empty() || words.contains(&lost.word))
    }

    /// True if there is an unreadable definition with one of these keywords that may have this name.
    fn lacks_named(&self, words: &[&str], key: &str) -> bool {
        let may_be = |lost: &&UnreadDefinition| lost.name.as_ref().is_none_or(|name| name.key == key);
        self.lost.iter().filter(may_be).any(|lost| lost.word.is_empty() || words.contains(&lost.word))
    }

    /// True if an unknown name may belong to a definition that could not be read; `what` is the expected kind.
    fn may_be_lost(&self, what: &str, key: &str) -> bool {
        match what {
            "type" | "channel" => self.lacks_named(&[what], key),
            "gate or process" => self.lacks_named(&["process"], key),
            "variable" | "gate" => false,
            // The definition of a type also introduces constructors and functions.
            _ => self.lacks(&["type"]) || self.lacks_named(&["function"], key),
        }
    }

    /// True if a type is unknown.
    fn is_vague(&self, of: TypeId) -> bool {
        self.vague.contains(&of)
    }
}
