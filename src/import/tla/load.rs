//! Specifications in TLA+ where models are expected.

use super::actions::Gives;
use super::config::{Config, ConstantValue, SECTIONS, suggested, values};
use super::lexer::tokens;
use super::modules::{Loading, TlaFileReader, rename};
use super::parser::{Parser, TlaModule, name};
use super::specification::{PropertyPart, TlaSpecification, is_fairness};
use crate::limits::ValueLimits;
use crate::quint::alternative::StepAlternative;
use crate::quint::elaborate::{QuintElaborator, QuintEnv, ReasonKind, Result, UntranslatableReason, inside};
use crate::quint::ir::{QuintDefinition, QuintExpr};
use crate::quint::limited::{GuessWords, Limited, LimitedMistake, cut, within_limits};
use crate::quint::names::QuintNames;
use crate::quint::print_model::{LanguageRules, ModelParts, NO_DEADLOCK, model_text};
use crate::quint::term::{Node, QuintTerm};
use crate::quint::types::{MODEL_VALUE, TypeTable};
use crate::written::Refused;
use kit::diagnostics::{
    Diagnostic, SourceMap, Span, TEXT_LIMIT, first_mistakes, nearest, read_text, unreadable,
};
use kit::parsing::with_large_stack;
use lang::syntax::{as_name, is_reserved};
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex};

/// The most times that a specification is gone through: what types are not known at first may be later.
const MOST_PASSES: usize = 6;

/// A text in the specification language, and warnings about parts that are left out.
#[derive(Debug, Clone)]
pub struct Imported {
    /// The text.
    pub text: String,
    /// Parts of the specification that are left out.
    pub warnings: Vec<Diagnostic>,
    /// The texts that warnings refer to.
    pub sources: Arc<SourceMap>,
}

/// Reads a module and writes it in the specification language. Its configuration and other modules are looked for beside it.
///
/// # Errors
/// A file that cannot be read, or a specification with mistakes, or with what is not supported.
pub fn import_file(path: &Path, options: &ValueLimits) -> std::result::Result<Imported, Refused> {
    let text = read_text(path, TEXT_LIMIT).map_err(|error| vec![unreadable(path, &error)])?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let beside = |other: &str| {
        let other = path.parent().unwrap_or(Path::new("")).join(other);
        Ok((other.display().to_string(), read_text(&other, TEXT_LIMIT)?))
    };
    import_text(&name, &path.display().to_string(), &text, options, &beside)
}

/// Like [`import_file`], from a text; `shown` is the path of its file for people, and `read` gives the path and the text of a file
/// beside it.
///
/// # Errors
/// Like [`import_file`].
pub fn import_text(
    name: &str,
    shown: &str,
    text: &str,
    options: &ValueLimits,
    read: &TlaFileReader<'_>,
) -> std::result::Result<Imported, Refused> {
    let known = Mutex::new(SourceMap::new());
    let written = with_large_stack(|| {
        let modules = |other: &str| read(&format!("{other}.tla"));
        let mut loading = Loading {
            sources: SourceMap::new(),
            mistakes: Vec::new(),
            read: &modules,
            depth: 0,
            count: 0,
            replaced: Vec::new(),
        };
        // The configuration tells which definitions of other modules are replaced.
        let source = loading.sources.add(shown, text);
        let config = match read(&format!("{name}.cfg")) {
            Ok((path, text)) => {
                let source = loading.sources.add(path, text.clone());
                Some(Config::read(&text, source, &mut loading.mistakes))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => {
                loading.mistakes.push(unreadable(Path::new(&format!("{name}.cfg")), &error));
                None
            }
        };
        loading.replaced = config.as_ref().map(|config| config.within.clone()).unwrap_or_default();
        let module = loading.module_at(source, text);
        let written = match loading.mistakes.is_empty() {
            true => within_limits(options, &GUESSED, &mut |limits, guessed| {
                translated(name, shown, module.clone(), config.clone(), limits, &mut loading.sources, guessed)
            })
            .map_err(|found| found.into_iter().map(|(_, mistake)| mistake).collect()),
            false => Err(std::mem::take(&mut loading.mistakes)),
        };
        *known.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = loading.sources;
        written
    });
    let sources = known.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    let mut diagnostics = match written {
        Ok((text, warnings)) => return Ok(Imported { text, warnings, sources: Arc::new(sources) }),
        Err(found) => found,
    };
    diagnostics.sort_by_key(|diagnostic| diagnostic.span.map(|span| (span.source.0, span.start)));
    diagnostics.dedup();
    Err(Refused { diagnostics: first_mistakes(diagnostics, &sources), sources: Arc::new(sources) })
}

/// Words for limits that are guessed.
const GUESSED: GuessWords = GuessWords {
    integers: &[(-128, 128), (-32, 32), (-8, 16), (-2, 8)],
    lists: "sequences",
    of_integers: "name an invariant such as `x \\in 0..9` in the .cfg, or import with --int 0..9",
    of_lists: "name `Len(s) <= 4` as INVARIANT or CONSTRAINT, or import with --list 4",
};

/// Words of the shared representation, and those of TLA+ for them.
const WORDS: &[(&str, &str)] = &[
    ("`flatten`", "UNION"),
    ("`with`", "EXCEPT"),
    ("the lists of", "the sequences of"),
    ("a list", "a sequence"),
    ("a map", "a function"),
    ("the keys", "the domain"),
    ("a truth value", "a Boolean"),
    (
        "give their greatest length: --list 4",
        "name `Len(s) <= 4` as INVARIANT or CONSTRAINT, or import with --list 4",
    ),
    (
        "limit integers without a bound, as with --int 0..3, or choose smaller constants",
        "name an invariant such as `x \\in 0..3`, import with --int 0..3, or choose smaller constants",
    ),
    (
        "say which integers are meant: --int 0..9",
        "write a finite set, `CONSTANT Nat <- Few`, or import with --int 0..9",
    ),
];

fn in_words(message: &str) -> String {
    WORDS.iter().fold(message.to_owned(), |message, (shared, own)| message.replace(shared, own))
}

fn translated(
    name: &str,
    shown: &str,
    mut module: TlaModule,
    config: Option<Config>,
    options: &ValueLimits,
    sources: &mut SourceMap,
    guessed: bool,
) -> Limited {
    let mut config = config.unwrap_or_else(|| usual(name, &module));
    let left_out = std::mem::take(&mut config.warnings);
    let end = Span::new(kit::diagnostics::SourceId(0), 0, 0);
    given_constants(&mut module, &config, options, sources).map_err(mistakes)?;
    let places: BTreeMap<String, Span> =
        module.definitions.iter().map(|(definition, span)| (definition.name.clone(), *span)).collect();
    let definitions = std::mem::take(&mut module.definitions);
    let variables: Vec<String> = module.variables.iter().map(|name| format!("::{name}")).collect();
    let mut elaborator = QuintElaborator::new(TypeTable::limited(options.integers, options.lists));
    elaborator.types.rounds_down = true;
    elaborator.types.unions = true;
    elaborator.types.guessed = guessed;
    for (definition, _) in &definitions {
        written(&definition.expr, &mut elaborator.words, &mut elaborator.names.choices);
        elaborator.definitions.insert(&definition.name, definition);
    }
    elaborator.names.taken.extend(elaborator.words.clone());
    for variable in &variables {
        let mut own = as_name(variable.trim_start_matches(':'));
        while is_reserved(&own) || elaborator.variables.values().any(|(other, _)| *other == own) {
            own.push('_');
        }
        elaborator.names.taken.insert(own.clone());
        let ty = elaborator.types.open();
        elaborator.variables.insert(variable, (own, ty));
    }
    let mut import = TlaImport {
        config: &config,
        places,
        recursive: &module.recursive,
        sources,
        end,
        elaborator,
        found: Vec::new(),
        warnings: Vec::new(),
        leaves_out: false,
        stopped: false,
    };
    let parts = match variables.is_empty() {
        true if module.assumptions.is_empty() => {
            let message = format!("the module `{}` has no variables, and so no behaviours", module.name);
            return Err(mistakes(vec![Diagnostic::error(end, message)]));
        }
        true => Some(import.assumptions(&module.assumptions)),
        false => import.settled_parts(),
    };
    if !variables.is_empty() {
        import.assumed(&module.assumptions);
    }
    import.warnings.extend(left_out);
    match parts {
        Some(parts) if import.found.is_empty() => {
            match model_text(name, shown, &mut import.elaborator, parts) {
                Ok(text) => {
                    import.doubt_integers();
                    import.warnings.extend(cut(&import.elaborator.types));
                    Ok((text, import.warnings))
                }
                Err(found) => {
                    Err(found.into_iter().map(|found| (found.kind, import.diagnostic(end, found))).collect())
                }
            }
        }
        _ => Err(import.found),
    }
}

fn mistakes(found: Vec<Diagnostic>) -> Vec<LimitedMistake> {
    found.into_iter().map(|found| (ReasonKind::Other, found)).collect()
}

/// Returns the configuration of a module without a file for it.
fn usual(name: &str, module: &TlaModule) -> Config {
    let known = |names: &[&str]| {
        let known = |name: &&&str| module.definitions.iter().any(|(own, _)| own.name == format!("::{name}"));
        let found = names.iter().find(known)?;
        let (_, span) = module.definitions.iter().find(|(own, _)| own.name == format!("::{found}"))?;
        Some(((*found).to_owned(), *span))
    };
    Config {
        init: known(&["Init"]),
        next: known(&["Next"]),
        specification: if known(&["Init"]).is_some() { None } else { known(&["Spec"]) },
        invariants: known(&["TypeOK", "TypeInvariant"]).into_iter().collect(),
        no_deadlock: true,
        warnings: vec![Diagnostic::warning_without_place(format!(
            "there is no {name}.cfg beside the module: Init, Next and TypeOK are taken"
        ))],
        ..Config::default()
    }
}

/// Gives constants the values of the configuration and the options, as definitions.
fn given_constants(
    module: &mut TlaModule,
    config: &Config,
    options: &ValueLimits,
    sources: &mut SourceMap,
) -> std::result::Result<(), Vec<Diagnostic>> {
    let mut mistakes = Vec::new();
    let places: BTreeSet<String> =
        module.definitions.iter().map(|(definition, _)| definition.name.clone()).collect();
    let mut all = config.constants.clone();
    for (constant, value) in &options.constants {
        let source = sources.add(format!("--set {constant}"), value.clone());
        let tokens = tokens(value, source, &mut mistakes);
        match Parser::new(&tokens, Span::new(source, 0, value.len())).whole() {
            Ok(value) => {
                let (span, value) = (Span::new(source, 0, 0), values(value));
                all.retain(|(other, _, _)| other != constant);
                all.push((constant.clone(), ConstantValue::Value(value), span));
            }
            Err(mistake) => mistakes.push(mistake),
        }
    }
    let mut renamed = BTreeMap::new();
    for (constant, given, span) in &all {
        let own = format!("::{constant}");
        let expr = match given {
            ConstantValue::Value(value) => value.clone(),
            ConstantValue::Definition(other) => {
                let wanted = format!("::{other}");
                match module.definitions.iter().find(|(definition, _)| definition.name == wanted) {
                    Some((definition, _)) => definition.expr.clone(),
                    None => {
                        let error = Diagnostic::error(*span, format!("there is no definition `{other}`"));
                        let known = places.iter().map(|name| name.trim_start_matches(':'));
                        mistakes.push(suggested(error, other, known));
                        continue;
                    }
                }
            }
        };
        if matches!(constant.as_str(), "Nat" | "Int") {
            renamed.insert(constant.clone(), name(&own));
        }
        module.definitions.retain(|(definition, _)| definition.name != own);
        module.definitions.push((QuintDefinition { name: own, qualifier: "def".into(), expr }, *span));
    }
    for (definition, _) in &mut module.definitions {
        if !renamed.is_empty() && !definition.name.ends_with("::Nat") && !definition.name.ends_with("::Int") {
            definition.expr = rename(&definition.expr, &renamed);
        }
    }
    for (constant, _, span) in &config.constants {
        let is_known =
            module.constants.contains(constant) || matches!(constant.as_str(), "Nat" | "Int" | "Seq");
        let own = format!("::{constant}");
        // Definitions may be replaced, too; others are names that nothing uses.
        if !is_known && !places.contains(&own) {
            let all = module.constants.iter().map(String::as_str);
            if let Some(meant) = nearest(constant, all) {
                let message = format!("`{constant}` is neither a constant nor a definition of the module");
                mistakes
                    .push(Diagnostic::error(*span, message).with_help(format!("did you mean `{meant}`?")));
            }
        }
    }
    for constant in &module.constants {
        let own = format!("::{constant}");
        if module.definitions.iter().all(|(definition, _)| definition.name != own) {
            mistakes.push(
                Diagnostic::error_without_place(format!("the constant `{constant}` has no value")).with_help(
                    "write `CONSTANT NAME = value` into the .cfg beside the module, or --set NAME=VALUE",
                ),
            );
        }
    }
    if mistakes.is_empty() { Ok(()) } else { Err(mistakes) }
}

/// Collects the strings of an expression, and the names that may become parameters.
fn written(expr: &QuintExpr, strings: &mut BTreeSet<String>, choices: &mut BTreeSet<String>) {
    match expr {
        QuintExpr::Str { value } => {
            strings.insert(as_name(value.trim_start_matches(MODEL_VALUE)));
        }
        QuintExpr::App { opcode, args } => {
            let labels = matches!(opcode.as_str(), "Rec" | "field" | "tla:records");
            for arg in args {
                match arg {
                    QuintExpr::Str { .. } if labels => {}
                    QuintExpr::Lambda(lambda) if opcode == "exists" => {
                        choices.extend(lambda.params.iter().map(|p| as_name(p.name.trim_start_matches(':'))));
                        written(arg, strings, choices);
                    }
                    _ => written(arg, strings, choices),
                }
            }
        }
        QuintExpr::Lambda(lambda) => written(&lambda.expr, strings, choices),
        QuintExpr::Let { opdef, expr } => {
            written(&opdef.expr, strings, choices);
            written(expr, strings, choices);
        }
        _ => {}
    }
}

struct TlaImport<'a, 'c> {
    config: &'c Config,
    /// The places of definitions.
    places: BTreeMap<String, Span>,
    recursive: &'c [(String, Span)],
    sources: &'c SourceMap,
    end: Span,
    elaborator: QuintElaborator<'a>,
    found: Vec<LimitedMistake>,
    warnings: Vec<Diagnostic>,
    /// True if a part of a property is left out.
    leaves_out: bool,
    /// True after an error that ends the elaboration.
    stopped: bool,
}

impl<'a> TlaImport<'a, '_> {
    /// Returns the place of what a message names first, in the definition that begins at a place.
    fn place_within(&self, definition: Span, message: &str) -> Option<Span> {
        let source = definition.source;
        let starts = self.places.values().filter(|other| other.source == source).map(|other| other.start);
        let starts: BTreeSet<u32> = starts.collect();
        let own = starts.get(&definition.start)?;
        let end = starts.range(own + 1..).next().copied().unwrap_or(u32::MAX);
        let named = message.split('`').nth(1)?;
        let symbol = match named {
            "<<A>>_v" => ">>_",
            "[A]_v" => "]_",
            "'" => "'",
            _ => named.split([' ', '\'']).next()?,
        };
        let is_named = |text: &str| match named {
            "WF_v(A)" | "SF_v(A)" => text.starts_with(&named[..3]),
            _ => text == symbol,
        };
        let mut all = tokens(self.sources.text(source), source, &mut Vec::new()).into_iter();
        let found = all.find(|token| {
            token.span.start > definition.start && token.span.start < end && is_named(&token.text)
        });
        found.map(|token| token.span)
    }

    /// Returns an error at what it is about, or the definition that it is in, by its message.
    fn diagnostic(&self, span: Span, found: UntranslatableReason) -> Diagnostic {
        let definition = found.message.strip_prefix("in `").and_then(|rest| rest.split('`').next());
        let own = definition.map(|own| format!("::{own}"));
        if let Some((name, span)) = self.recursive.iter().find(|(name, _)| own.as_ref() == Some(name))
            && ["nested too deeply", "CHOOSE"].iter().any(|cause| found.message.contains(cause))
        {
            let name = name.trim_start_matches(':');
            return Diagnostic::error(*span, format!("the recursion of `{name}` is not known before the states are"))
                .with_help("recursion over constants is supported; over values of a state write sets, quantifiers or CHOOSE");
        }
        let place = definition.and_then(|own| {
            self.places.get(&format!("::{own}")).or_else(|| {
                let ending = format!("::{own}");
                self.places.iter().find(|(name, _)| name.ends_with(&ending)).map(|(_, span)| span)
            })
        });
        let place = place.copied().unwrap_or(span);
        let message = definition.map_or(found.message.as_str(), |own| &found.message[own.len() + 5..]);
        let place = self.place_within(place, message).unwrap_or(place);
        let error = Diagnostic::error(place, in_words(&found.message));
        match found.help {
            Some(help) => error.with_help(in_words(help)),
            None => error,
        }
    }

    fn refuse(&mut self, mistake: Diagnostic) {
        self.found.push((ReasonKind::Other, mistake));
    }

    /// Returns the sorts of the values of all variables.
    fn sorts(&self) -> Vec<String> {
        let types = &self.elaborator.types;
        self.elaborator.variables.values().map(|(_, ty)| types.sorts_within(ty)).collect()
    }

    /// Begins to go through the specification, with names in use.
    fn begin(&mut self, names: QuintNames) {
        self.elaborator.types.widened = false;
        self.elaborator.marks.clear();
        self.leaves_out = false;
        self.found.clear();
        self.warnings.clear();
        self.elaborator.names = names;
    }

    /// Goes through the specification until the sorts of the values of variables are known.
    fn settled_parts(&mut self) -> Option<ModelParts> {
        let first = self.elaborator.names.clone();
        for pass in 1..=MOST_PASSES {
            self.begin(first.clone());
            let before = self.sorts();
            let parts = self.parts();
            // Terms that were made before their places became unions are made again.
            let settled = !self.elaborator.types.widened || before == self.sorts();
            let settled = settled && (pass > 1 || !self.leaves_out);
            if self.found.is_empty() && settled || self.elaborator.too_deep {
                return parts;
            }
        }
        if self.found.is_empty() {
            let message = "the sorts of values in one place are not known after several attempts";
            self.refuse(Diagnostic::error(self.end, message));
        }
        None
    }

    /// Returns the assumptions of a module without variables as invariants of the only state.
    fn assumptions(&mut self, assumptions: &'a [(QuintExpr, Span)]) -> ModelParts {
        let mut invariants = Vec::new();
        for (number, (formula, span)) in (1..).zip(assumptions) {
            let value = self.elaborator.expression(formula, &QuintEnv::default());
            invariants.extend(self.kept(*span, value).map(|term| (format!("assumption_{number}"), term)));
        }
        ModelParts { initial: vec![StepAlternative::default()], invariants, ..ModelParts::default() }
    }

    /// Evaluates assumptions.
    fn assumed(&mut self, assumptions: &'a [(QuintExpr, Span)]) {
        for (formula, span) in assumptions {
            let value = self.elaborator.expression(formula, &QuintEnv::default());
            match value.as_ref().map(|value| &*value.node) {
                Ok(Node::Bool(true)) => {}
                Ok(Node::Bool(false)) => {
                    self.refuse(Diagnostic::error(*span, "this assumption is false"));
                }
                _ => self.warnings.push(Diagnostic::warning(
                    *span,
                    "this assumption is not checked: its value is not known before the states are",
                )),
            }
        }
    }

    /// Reports variables whose integers have no bounds.
    fn doubt_integers(&mut self) {
        for (variable, ty) in self.elaborator.variables.values() {
            if self.elaborator.types.is_wide(ty) {
                let message = format!("the integers of `{variable}` have no bounds that are known");
                let help = "name an invariant such as `x \\in 0..9` in the .cfg, or import with --int 0..9";
                self.warnings.push(Diagnostic::warning_without_place(message).with_help(help));
            }
        }
    }

    fn kept<T>(&mut self, span: Span, result: Result<T>) -> Option<T> {
        let mut problems = std::mem::take(&mut self.elaborator.problems);
        let kept = result.map_err(|found| problems.push(found)).ok();
        for problem in problems {
            // All that follows the first formula that is too deep is refused like it.
            if !std::mem::replace(&mut self.stopped, self.elaborator.too_deep) {
                self.found.push((problem.kind, self.diagnostic(span, problem)));
            }
        }
        kept
    }

    /// Returns the formula of a definition that the configuration names.
    fn defined(&mut self, (own, span): &(String, Span)) -> Option<&'a QuintExpr> {
        let found = self.elaborator.definitions.get(format!("::{own}").as_str()).copied();
        if found.is_none() {
            let error = Diagnostic::error(*span, format!("there is no definition `{own}`"));
            let all = self.elaborator.definitions.keys().map(|name| name.trim_start_matches(':'));
            let meant = nearest(own, all).or_else(|| nearest(own, SECTIONS.iter().copied()));
            self.refuse(suggested(error, own, meant.into_iter()));
        }
        found.map(|definition| &definition.expr)
    }

    /// Takes the specification apart that the configuration names, and returns its place.
    fn specification(&mut self) -> Option<(TlaSpecification<'a>, (&'a QuintExpr, QuintEnv<'a>), Span)> {
        let mut parts = TlaSpecification::default();
        let mut span = self.end;
        match (&self.config.specification, &self.config.init, &self.config.next) {
            (Some(specification), ..) => {
                span = specification.1;
                let expr = self.defined(specification)?;
                let taken = self.elaborator.taken_apart(expr, &QuintEnv::default(), &mut parts);
                self.kept(span, taken)?;
                if let Some(free) = parts.free.first() {
                    let free = free.trim_start_matches(':');
                    let message = format!(
                        "the subscript of the steps lacks `{free}`: only steps of the action change it here"
                    );
                    self.warnings.push(Diagnostic::warning(span, message));
                }
            }
            (None, Some(init), Some(next)) => {
                let expr = self.defined(init)?;
                parts.initial.push((expr, QuintEnv::default()));
                let expr = self.defined(next)?;
                parts.next = Some((expr, QuintEnv::default()));
            }
            _ => {
                let message =
                    "the specification is not known: there is no INIT with NEXT, and no SPECIFICATION";
                self.refuse(
                    Diagnostic::error(span, message)
                        .with_help("write `SPECIFICATION Spec` into the .cfg beside the module"),
                );
                return None;
            }
        }
        let Some(next) = parts.next.take() else {
            self.refuse(Diagnostic::error(span, "the specification has no `[][Next]_vars`"));
            return None;
        };
        Some((parts, next, span))
    }

    fn parts(&mut self) -> Option<ModelParts> {
        let (parts, (mut next, next_env), span) = self.specification()?;
        let names = self.elaborator.names.clone();
        let mut all_names = QuintNames::default();
        let initial = self.elaborator.every(&parts.initial, Gives::Initial);
        self.elaborator.next = None;
        let initial = self.kept(span, initial.map_err(|found| inside("Init", found)));
        let mut invariants = Vec::new();
        for named in &self.config.invariants {
            all_names.extend(std::mem::replace(&mut self.elaborator.names, names.clone()));
            invariants.extend(self.condition(named).map(|term| (named.0.clone(), term)));
        }
        all_names.extend(std::mem::replace(&mut self.elaborator.names, names.clone()));
        let mut constraints = Vec::new();
        for named in &self.config.constraints {
            constraints.extend(self.condition(named));
        }
        let mut wholes: Vec<String> = self.config.next.iter().map(|(name, _)| format!("::{name}")).collect();
        while let QuintExpr::Name { name } = next
            && let Some(found) = self.elaborator.definitions.get(name.as_str())
            && !wholes.contains(name)
        {
            // All steps are its steps, so that its name says nothing.
            wholes.push(name.clone());
            next = &found.expr;
        }
        let is_restricted = !self.config.step_constraints.is_empty();
        let mut formulas = vec![(next, next_env.clone())];
        for named in &self.config.step_constraints {
            formulas.extend(self.defined(named).map(|expr| (expr, QuintEnv::default())));
        }
        let steps = self.elaborator.every(&formulas, Gives::Next);
        self.elaborator.next = None;
        let place = wholes.last().and_then(|whole| self.places.get(whole)).copied().unwrap_or(span);
        let steps = self.kept(place, steps);
        let first = names.clone();
        all_names.extend(std::mem::replace(&mut self.elaborator.names, names));
        let (initial, mut steps) = (initial?, steps?);
        self.complete(&initial, "Init", "");
        self.complete(&steps, "Next", "'");
        if steps.is_empty() {
            let help = "a formula of the next state is needed, such as `x' = x + 1`";
            self.refuse(Diagnostic::error(span, "the next-state relation has no steps").with_help(help));
        }
        self.elaborator.under_constraints(&mut steps, &constraints);
        self.elaborator.steps.clone_from(&steps);
        let (mut linear, mut of_steps) = (Vec::new(), Vec::new());
        for named in &self.config.properties {
            let Some(expr) = self.defined(named) else { continue };
            all_names.extend(std::mem::replace(&mut self.elaborator.names, first.clone()));
            for (name, part) in self.property_parts(named, expr, &steps) {
                match part {
                    PropertyPart::State(term) => invariants.push((name, term)),
                    PropertyPart::Steps(terms) => of_steps.push((name, terms)),
                    PropertyPart::Linear(formula) => linear.push((name, formula)),
                    PropertyPart::LeftOut(reason) => self.leave_out(named, &name, reason),
                }
            }
        }
        let mut no_deadlock = self.config.no_deadlock;
        if is_restricted && no_deadlock {
            // As in TLC, a state has a next one even if the constraint forbids the step.
            let able = self.elaborator.enabled_over(next, None, &next_env);
            let within = QuintTerm::all(constraints.clone());
            let condition = self.kept(place, able).map(|able| (NO_DEADLOCK.to_owned(), within.implies(able)));
            invariants.extend(condition);
            no_deadlock = false;
        }
        let mut found = ModelParts::default();
        if !linear.is_empty() {
            // An action that the constraint forbids is still enabled, so that it is told by its formula.
            let (own, wholes) = if is_restricted { (&[][..], &[][..]) } else { (&steps[..], &wholes[..]) };
            self.on_traces(&parts.temporal, span, (own, wholes), &mut found);
        }
        self.doubt_constraints(!linear.is_empty());
        all_names.extend(std::mem::take(&mut self.elaborator.names));
        self.elaborator.names = all_names;
        let rules = LanguageRules { total: true, no_deadlock, stutters: !linear.is_empty() };
        let within = QuintTerm::all(constraints);
        let marks = std::mem::take(&mut self.elaborator.marks);
        Some(ModelParts { initial, step: steps, invariants, of_steps, linear, rules, within, marks, ..found })
    }

    /// Adds fairness and other conditions on infinite traces.
    fn on_traces(
        &mut self,
        conditions: &[(&'a QuintExpr, QuintEnv<'a>)],
        span: Span,
        (steps, wholes): (&[StepAlternative], &[String]),
        parts: &mut ModelParts,
    ) {
        for (expr, env) in conditions {
            if is_fairness(expr) {
                let groups = self.elaborator.fair(expr, env, steps, wholes);
                parts.fair.extend(self.kept(span, groups).into_iter().flatten());
            } else {
                let formula = self.elaborator.linear(expr, env);
                parts.premises.extend(self.kept(span, formula));
            }
        }
    }

    /// Returns the condition on states of an invariant or constraint.
    fn condition(&mut self, named: &(String, Span)) -> Option<QuintTerm> {
        let expr = self.defined(named)?;
        self.elaborator.typed_by(expr, 0);
        let term = self.elaborator.expression(expr, &QuintEnv::default());
        self.kept(named.1, term.map_err(|found| inside(&named.0, found)))
    }

    /// Returns the parts of a property with their names.
    fn property_parts(
        &mut self,
        (own, span): &(String, Span),
        expr: &'a QuintExpr,
        steps: &[StepAlternative],
    ) -> Vec<(String, PropertyPart)> {
        let mut parts = Vec::new();
        let taken = self.elaborator.property(expr, &QuintEnv::default(), steps, &mut parts);
        self.elaborator.next = None;
        if self.kept(*span, taken.map_err(|found| inside(own, found))).is_none() {
            return Vec::new();
        }
        let is_alone = parts.len() == 1;
        let name = |at: usize| if is_alone { own.clone() } else { format!("{own}_{at}") };
        (1..).zip(parts).map(|(at, part)| (name(at), part)).collect()
    }

    /// Reports fairness within a property that is not checked.
    fn leave_out(&mut self, (_, span): &(String, Span), name: &str, reason: UntranslatableReason) {
        self.leaves_out = true;
        let message =
            format!("`{name}` is left out, so that it is not decided: {}", in_words(&reason.message));
        let help =
            "the parts of the property that are listed are checked; write fairness of actions of this module";
        self.warnings.push(Diagnostic::warning(*span, message).with_help(help));
    }

    /// Reports constraints that change the meaning of temporal properties.
    fn doubt_constraints(&mut self, is_temporal: bool) {
        let first = self.config.constraints.first().or(self.config.step_constraints.first());
        if let (Some((_, span)), true) = (first, is_temporal) {
            let message = "temporal properties are about traces within CONSTRAINT, as in TLC";
            self.warnings.push(Diagnostic::warning(*span, message));
        }
    }

    /// Checks that each alternative gives each variable a value.
    fn complete(&mut self, alternatives: &[StepAlternative], whole: &str, prime: &str) {
        let names: Vec<String> = self.elaborator.variables.values().map(|(name, _)| name.clone()).collect();
        for alternative in alternatives {
            let missing = |name: &&String| alternative.assigned.iter().all(|(assigned, _)| assigned != *name);
            if let Some(missing) = names.iter().find(missing) {
                let action = alternative.name.as_deref().or(alternative.part.as_deref()).unwrap_or(whole);
                let message = format!("in `{action}`: `{missing}{prime}` gets no value");
                let error = self.diagnostic(self.end, message.into());
                let help = format!("write `{missing}{prime} = …`, or UNCHANGED {missing}");
                self.refuse(error.with_help(if prime.is_empty() {
                    format!("write `{missing} = …`")
                } else {
                    help
                }));
            }
        }
    }
}
