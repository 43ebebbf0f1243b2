//! Translates a document of the compiler to the text of a model.

use super::alternative::StepAlternative;
use super::elaborate::{QuintElaborator, QuintEnv, Result, UntranslatableReason};
use super::ir::{Document, QuintDeclaration, QuintExpr, QuintModule, QuintType};
use super::limited::{GuessWords, LimitedMistake, cut, within_limits};
use super::names::{QuintNames, short};
use super::print_model::{ModelParts, model_text};
use super::types::TypeTable;
use super::value::QuintValue;
use crate::limits::ValueLimits;
use kit::diagnostics::{Diagnostic, find_name, read_text, unreadable};
use lang::syntax::as_name;
use std::collections::{BTreeSet, HashMap};
use std::path::Path;

/// The options of an import.
#[derive(Debug, Clone, Default)]
pub struct QuintOptions {
    /// The initial action; by default the one given to the compiler, or `init`.
    pub init: Option<String>,
    /// The action of a step; by default the one given to the compiler, or `step`.
    pub step: Option<String>,
    /// The invariants, by name; by default those given to the compiler.
    pub invariants: Vec<String>,
    /// The values of constants: integers, `true` and `false`, and strings in double quotes; and limits of other values.
    pub values: ValueLimits,
}

/// The most bytes of a document: with all types and modules, it is much larger than the specification.
const LARGEST: u64 = 1 << 30;

/// Reads a file of Quint's compiler and writes it as a model in the specification language, with warnings.
///
/// # Errors
/// An unreadable file, and everything in it that has no counterpart.
pub fn import_file(
    path: &Path,
    options: &QuintOptions,
) -> std::result::Result<(String, Vec<Diagnostic>), Vec<Diagnostic>> {
    let text = read_text(path, LARGEST).map_err(|error| vec![unreadable(path, &error)])?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name = name.split('.').next().unwrap_or_default();
    import_text(&path.display().to_string(), name, &text, options)
}

/// Like [`import_file`], from a text. `shown` is the path for messages, and `name` that of the model.
///
/// # Errors
/// Like [`import_file`].
pub fn import_text(
    shown: &str,
    name: &str,
    text: &str,
    options: &QuintOptions,
) -> std::result::Result<(String, Vec<Diagnostic>), Vec<Diagnostic>> {
    let document: Document = serde_json::from_str(text).map_err(|error| {
        let message = format!("{shown}: this is no document of Quint's compiler: {error}");
        let help = "write one with `quint compile --target json --invariant INV SPEC.qnt > SPEC.qnt.json`";
        vec![Diagnostic::error_without_place(message).with_help(help)]
    })?;
    let module = main_module(&document).map_err(|found| vec![diagnostic(shown, found)])?;
    let written = within_limits(&options.values, &GUESSED, &mut |limits, guessed| {
        let mut elaborator = elaborator(&document, module, limits);
        elaborator.types.guessed = guessed;
        let mut import = QuintImport { shown, found: Vec::new(), elaborator };
        match import.parts(module, options) {
            Some(parts) if import.found.is_empty() => {
                match model_text(name, shown, &mut import.elaborator, parts) {
                    Ok(text) => Ok((text, cut(&import.elaborator.types).into_iter().collect())),
                    Err(found) => Err(found.into_iter().map(|found| mistake(shown, found)).collect()),
                }
            }
            _ => Err(import.found),
        }
    });
    written.map_err(without_repetition)
}

/// Words for limits that are guessed.
const GUESSED: GuessWords = GuessWords {
    // These are mostly keys of maps, each of which has a place.
    integers: &[(-8, 16), (-2, 8)],
    lists: "lists",
    of_integers: "--int 0..99 limits the integers that grow: properties that hold do so within these limits",
    of_lists: "--list 4 gives the greatest length of lists that grow",
};

/// Removes duplicates: an error in a definition is found in each alternative that uses it.
fn without_repetition(found: Vec<LimitedMistake>) -> Vec<Diagnostic> {
    let mut kept: Vec<Diagnostic> = Vec::new();
    for (_, diagnostic) in found {
        if !kept.contains(&diagnostic) {
            kept.push(diagnostic);
        }
    }
    kept
}

fn diagnostic(shown: &str, found: UntranslatableReason) -> Diagnostic {
    let error = Diagnostic::error_without_place(format!("{shown}: {}", found.message));
    match found.help {
        Some(help) => error.with_help(help),
        None => error,
    }
}

fn mistake(shown: &str, found: UntranslatableReason) -> LimitedMistake {
    (found.kind, diagnostic(shown, found))
}

fn main_module(document: &Document) -> Result<&QuintModule> {
    let named = document.main.as_ref().and_then(|main| document.modules.iter().find(|m| m.name == *main));
    let module = named.or(document.modules.last()).ok_or("there is no module in it")?;
    let uses = |d: &QuintDeclaration| {
        matches!(d, QuintDeclaration::Import {} | QuintDeclaration::Instance {} | QuintDeclaration::Export {})
    };
    if module.declarations.iter().any(uses) {
        return Err(UntranslatableReason::helped(
            format!("module `{}` uses other modules, which are not written out", module.name),
            "`quint compile --target json` writes them out; `quint typecheck` does not",
        ));
    }
    Ok(module)
}

/// Collects all declarations, with the values of constants.
fn elaborator<'a>(
    document: &'a Document,
    module: &'a QuintModule,
    limits: &ValueLimits,
) -> QuintElaborator<'a> {
    let mut elaborator = QuintElaborator::new(TypeTable::limited(limits.integers, limits.lists));
    for scheme in document.types.values() {
        sums(&scheme.ty, &mut elaborator.sums);
    }
    for declaration in &module.declarations {
        match declaration {
            QuintDeclaration::Def(definition) => {
                written(&definition.expr, &mut elaborator.words, &mut elaborator.names.choices);
                elaborator.definitions.insert(&definition.name, definition);
            }
            QuintDeclaration::Const { name } => {
                elaborator.constants.insert(name, None);
            }
            QuintDeclaration::Var { ty, .. } => sums(ty, &mut elaborator.sums),
            _ => {}
        }
    }
    let labels: Vec<String> = elaborator.sums.keys().map(|&label| label.to_owned()).collect();
    elaborator.names.taken.extend(labels);
    elaborator.names.taken.extend(elaborator.words.clone());
    elaborator
}

/// Collects the sum types in a type, by constructor. Types with an open row of constructors are incomplete.
fn sums<'a>(ty: &'a QuintType, found: &mut HashMap<&'a str, Vec<(&'a str, &'a QuintType)>>) {
    match ty {
        QuintType::Set { elem } | QuintType::List { elem } => sums(elem, found),
        QuintType::Fun { arg, res } => {
            sums(arg, found);
            sums(res, found);
        }
        QuintType::Tup { fields } | QuintType::Rec { fields } => {
            fields.fields().0.iter().for_each(|field| sums(&field.field_type, found));
        }
        QuintType::Sum { fields } => {
            let (fields, closed) = fields.fields();
            let all: Vec<(&str, &QuintType)> =
                fields.iter().map(|f| (f.field_name.as_str(), &f.field_type)).collect();
            let general = all.iter().any(|(_, ty)| matches!(ty, QuintType::Var { .. }));
            for (label, ty) in all.iter().filter(|_| closed) {
                // A type with variables as payloads fits every use.
                if general || !found.contains_key(label) {
                    found.insert(label, all.clone());
                }
                sums(ty, found);
            }
        }
        _ => {}
    }
}

/// Collects the strings that occur, which other names must avoid, and the names of chosen values.
fn written(expr: &QuintExpr, strings: &mut BTreeSet<String>, choices: &mut BTreeSet<String>) {
    match expr {
        QuintExpr::Str { value } => {
            strings.insert(as_name(value));
        }
        QuintExpr::App { opcode, args } => {
            // Names of fields and constructors are no strings.
            let labels = matches!(opcode.as_str(), "Rec" | "field" | "with" | "variant" | "matchVariant");
            let others = args.iter().filter(|arg| !labels || !matches!(arg, QuintExpr::Str { .. }));
            others.for_each(|arg| written(arg, strings, choices));
        }
        QuintExpr::Lambda(lambda) => written(&lambda.expr, strings, choices),
        QuintExpr::Let { opdef, expr } => {
            if opdef.qualifier == "nondet" {
                choices.insert(as_name(short(&opdef.name)));
            }
            written(&opdef.expr, strings, choices);
            written(expr, strings, choices);
        }
        _ => {}
    }
}

struct QuintImport<'a, 's> {
    shown: &'s str,
    found: Vec<LimitedMistake>,
    elaborator: QuintElaborator<'a>,
}

impl<'a> QuintImport<'a, '_> {
    /// Records an error, and continues.
    fn kept<T>(&mut self, result: Result<T>) -> Option<T> {
        result.map_err(|found| self.found.push(mistake(self.shown, found))).ok()
    }

    fn parts(&mut self, module: &'a QuintModule, options: &QuintOptions) -> Option<ModelParts> {
        let constants = self.constants(&options.values.constants);
        self.kept(constants);
        for declaration in &module.declarations {
            if let QuintDeclaration::Var { name, ty } = declaration {
                let variable = self.variable(name, ty);
                self.kept(variable);
            }
        }
        let initial = self.definition("init", options.init.as_deref(), "q::init");
        let initial = self.kept(initial);
        let step = self.definition("step", options.step.as_deref(), "q::step");
        let step = self.kept(step);
        let invariants = self.invariants(options);
        let invariants = self.kept(invariants)?;
        let names = self.elaborator.names.clone();
        let mut all_names = QuintNames::default();
        let mut action = |import: &mut Self, expr| {
            all_names.extend(std::mem::replace(&mut import.elaborator.names, names.clone()));
            let found = import.elaborator.action(expr, &QuintEnv::default());
            for problem in std::mem::take(&mut import.elaborator.problems) {
                import.kept::<()>(Err(problem));
            }
            import.kept(found)
        };
        let initial = initial.and_then(|expr| action(self, expr));
        let step = step.and_then(|expr| action(self, self.body(expr)));
        let mut checked = Vec::new();
        for (name, expr) in invariants {
            all_names.extend(std::mem::replace(&mut self.elaborator.names, names.clone()));
            let term = self.elaborator.expression(expr, &QuintEnv::default());
            let term = term.map_err(|found| super::elaborate::inside(&name, found));
            if let Some(term) = self.kept(term) {
                checked.push((name, term));
            }
        }
        self.elaborator.names.extend(all_names);
        let (initial, mut step) = (initial?, step?);
        if let Some(name) = &options.step {
            let unnamed = step.iter_mut().filter(|alternative| alternative.part.is_none());
            unnamed.for_each(|alternative| alternative.part = Some(name.clone()));
        }
        for (alternatives, what) in [(&initial, "init"), (&step, "step")] {
            self.complete(alternatives, what);
        }
        Some(ModelParts { initial, step, invariants: checked, ..ModelParts::default() })
    }

    /// Checks that each alternative assigns each variable.
    fn complete(&mut self, alternatives: &[StepAlternative], what: &str) {
        let names: Vec<String> = self.elaborator.variables.values().map(|(name, _)| name.clone()).collect();
        for alternative in alternatives {
            let missing = |name: &&String| alternative.assigned.iter().all(|(assigned, _)| assigned != *name);
            if let Some(missing) = names.iter().find(missing) {
                let action = alternative.name.as_deref().unwrap_or(what);
                let message = format!("in `{action}`: the variable `{missing}` gets no value");
                self.found.push(mistake(self.shown, message.into()));
            }
        }
    }

    fn variable(&mut self, name: &'a str, ty: &'a QuintType) -> Result<()> {
        let ty = self.elaborator.of_type(ty, &mut HashMap::new())?;
        let wanted = as_name(short(name));
        let mut own = wanted.clone();
        let clashes =
            |own: &str, e: &QuintElaborator<'_>| e.variables.values().any(|(other, _)| other == own);
        if clashes(&own, &self.elaborator) {
            own = as_name(name);
        }
        while lang::syntax::is_reserved(&own) || self.elaborator.sums.contains_key(own.as_str()) {
            own.push('_');
        }
        self.elaborator.names.taken.insert(own.clone());
        self.elaborator.variables.insert(name, (own, ty));
        Ok(())
    }

    fn constants(&mut self, given: &[(String, String)]) -> Result<()> {
        for (name, text) in given {
            let known: Vec<&str> = self.elaborator.constants.keys().copied().collect();
            let shorts: Vec<&str> = known.iter().map(|name| short(name)).collect();
            let at = find_name("constant", name, &shorts)
                .map_err(|found| UntranslatableReason::from(found.message))?;
            let text = text.trim();
            let value = match text {
                "true" | "false" => Some(QuintValue::Bool(text == "true")),
                _ => match text.strip_prefix('"').and_then(|text| text.strip_suffix('"')) {
                    Some(word) => Some(QuintValue::Str(word.to_owned())),
                    None => text.parse().ok().map(QuintValue::Int),
                },
            };
            let value = value.ok_or_else(|| {
                UntranslatableReason::helped(
                    format!("{name}={text} is no value"),
                    "integers, true, false and strings in double quotes are",
                )
            })?;
            self.elaborator.constants.insert(known[at], Some(value));
        }
        Ok(())
    }

    /// Returns a definition of the main module: the requested one, the one given to the compiler, or the usual one.
    fn definition(&self, usual: &str, asked: Option<&str>, told: &str) -> Result<&'a QuintExpr> {
        if asked.is_none()
            && let Some(found) = self.elaborator.definitions.get(told)
        {
            return Ok(&found.expr);
        }
        self.by_name(asked.unwrap_or(usual))
    }

    /// Returns the body of an action that is only a name: all steps are its steps, so its name is uninformative.
    fn body(&self, mut expr: &'a QuintExpr) -> &'a QuintExpr {
        while let QuintExpr::Name { name } = expr
            && let Some(found) = self.elaborator.definitions.get(name.as_str())
        {
            expr = &found.expr;
        }
        expr
    }

    fn by_name(&self, name: &str) -> Result<&'a QuintExpr> {
        let definitions = &self.elaborator.definitions;
        let mut known: Vec<&str> = definitions.keys().copied().collect();
        known.sort_unstable();
        if let Some(found) = definitions.get(name) {
            return Ok(&found.expr);
        }
        let shorts: Vec<&str> = known.iter().map(|name| short(name)).collect();
        match find_name("definition", name, &shorts) {
            Ok(at) => Ok(&definitions[known[at]].expr),
            Err(found) => Err(UntranslatableReason::helped(
                found.message,
                "the compiler keeps only the operators named by --init, --step and --invariant",
            )),
        }
    }

    fn invariants(&self, options: &QuintOptions) -> Result<Vec<(String, &'a QuintExpr)>> {
        if !options.invariants.is_empty() {
            let named = options.invariants.iter().map(|name| Ok((name.clone(), self.by_name(name)?)));
            return named.collect();
        }
        let Some(told) = self.elaborator.definitions.get("q::inv") else { return Ok(Vec::new()) };
        let parts: Vec<&QuintExpr> = match &told.expr {
            QuintExpr::App { opcode, args } if opcode == "and" => args.iter().collect(),
            other => vec![other],
        };
        let named = parts.into_iter().enumerate().map(|(at, part)| match part {
            QuintExpr::Name { name } => (short(name).to_owned(), part),
            _ => (format!("inv{}", at + 1), part),
        });
        Ok(named.collect())
    }
}
