//! Modules with those that they extend and instantiate, as one module.

use super::lexer::tokens;
use super::parser::{Parser, TlaModule, name};
use crate::quint::ir::{Lambda, QuintDefinition, QuintExpr, QuintParam};
use kit::diagnostics::{Diagnostic, SourceId, SourceMap, Span};
use std::collections::{BTreeMap, BTreeSet};
use std::io;

/// Modules whose operators are built in.
const STANDARD: &[&str] = &[
    "Naturals",
    "Integers",
    "Sequences",
    "FiniteSets",
    "TLC",
    "TLAPS",
    "NaturalsInduction",
    "FiniteSetTheorems",
    "FunctionTheorems",
    "SequencesTheorems",
    "SequencesExtTheorems",
    "BagsTheorems",
    "SequenceTheorems",
    "WellFoundedInduction",
];

/// Community modules, as far as their operators can be written with others.
const COMMUNITY: &[(&str, &str)] = &[
    ("Bitwise", include_str!("community/Bitwise.tla")),
    ("FiniteSetsExt", include_str!("community/FiniteSetsExt.tla")),
    ("Folds", include_str!("community/Folds.tla")),
    ("Functions", include_str!("community/Functions.tla")),
    ("SequencesExt", include_str!("community/SequencesExt.tla")),
    ("UndirectedGraphs", include_str!("community/UndirectedGraphs.tla")),
];

/// The greatest depth of modules that use each other.
const MOST_NESTED: usize = 16;

/// The greatest number of modules, each counted as often as it is used.
const MOST_MODULES: usize = 256;

/// Returns the path and the text of a file beside a module, by its name.
pub(super) type TlaFileReader<'r> = dyn Fn(&str) -> io::Result<(String, String)> + Sync + 'r;

pub(super) struct Loading<'r> {
    pub sources: SourceMap,
    pub mistakes: Vec<Diagnostic>,
    /// Returns the path and the text of a module, by its name.
    pub read: &'r TlaFileReader<'r>,
    pub depth: usize,
    /// The number of modules that were read.
    pub count: usize,
    /// Definitions that the configuration replaces within a module: the module, the name, and what stands in place of it.
    pub replaced: Vec<(String, String, QuintExpr)>,
}

impl Loading<'_> {
    /// Reads a module, with all that it uses.
    pub fn module(&mut self, shown: &str, text: &str) -> TlaModule {
        let source = self.sources.add(shown, text);
        self.module_at(source, text)
    }

    /// Reads a module whose text is known, with all that it uses.
    pub fn module_at(&mut self, source: SourceId, text: &str) -> TlaModule {
        let tokens = tokens(text, source, &mut self.mistakes);
        let end = Span::new(source, text.len(), text.len());
        let mut module = Parser::new(&tokens, end).module(&mut self.mistakes);
        let mut own = BTreeMap::new();
        for (_, replaced, by) in self.replaced.iter().filter(|(other, ..)| *other == module.name) {
            let replaced = match replaced.as_str() {
                "Nat" | "Int" => replaced.clone(),
                _ => format!("::{replaced}"),
            };
            own.insert(replaced, by.clone());
        }
        if !own.is_empty() {
            for (definition, _) in &mut module.definitions {
                definition.expr = rename(&definition.expr, &own);
            }
        }
        let mut whole = TlaModule { name: module.name.clone(), ..TlaModule::default() };
        for (other, span) in std::mem::take(&mut module.extends) {
            if let Some(other) = self.other(&other, span) {
                merge(&mut whole, other);
            }
        }
        let instances = std::mem::take(&mut module.instances);
        merge(&mut whole, module);
        for instance in instances {
            let Some(mut other) = self.other(&instance.module, instance.span) else { continue };
            let own: BTreeSet<String> = other.definitions.iter().map(|(d, _)| d.name.clone()).collect();
            let places: Vec<String> = other.constants.iter().chain(&other.variables).cloned().collect();
            let prefix =
                if instance.name.is_empty() { String::new() } else { format!("::{}", instance.name) };
            let mut renamed: BTreeMap<String, QuintExpr> = BTreeMap::new();
            if !prefix.is_empty() {
                renamed.extend(own.iter().map(|own| (own.clone(), name(&format!("{prefix}{own}")))));
            }
            for place in &places {
                // A name that is not replaced is that of the module around.
                let given = instance.with.iter().find(|(replaced, _)| replaced == place);
                if let Some((_, given)) = given {
                    let own = format!("{prefix}::{place}");
                    let plain = matches!(given, QuintExpr::Name { name } if *name == format!("::{place}"));
                    if plain {
                        continue;
                    }
                    let own = if prefix.is_empty() { format!("::{}!{place}", instance.module) } else { own };
                    renamed.insert(format!("::{place}"), name(&own));
                    let definition =
                        QuintDefinition { name: own, qualifier: "def".into(), expr: given.clone() };
                    whole.definitions.push((definition, instance.span));
                }
            }
            for (definition, span) in std::mem::take(&mut other.definitions) {
                let name = format!("{prefix}{}", definition.name);
                if whole.definitions.iter().any(|(own, _)| own.name == name) {
                    continue;
                }
                let definition =
                    QuintDefinition { name, expr: rename(&definition.expr, &renamed), ..definition };
                whole.definitions.push((definition, span));
            }
        }
        whole
    }

    fn other(&mut self, name: &str, span: Span) -> Option<TlaModule> {
        if STANDARD.contains(&name) {
            return None;
        }
        if self.depth < MOST_NESTED
            && let Some((_, text)) = COMMUNITY.iter().find(|(own, _)| *own == name)
            && (self.read)(name).is_err()
        {
            self.count += 1;
            self.depth += 1;
            let module = self.module(&format!("{name}.tla"), text);
            self.depth -= 1;
            return Some(module);
        }
        self.count += 1;
        if self.depth >= MOST_NESTED || self.count > MOST_MODULES {
            self.mistakes
                .push(Diagnostic::error(span, "the modules use each other in a circle, or too deeply"));
            return None;
        }
        let read = (self.read)(name);
        if let Err(error) = &read
            && error.kind() != io::ErrorKind::NotFound
        {
            self.mistakes.push(Diagnostic::error(span, format!("cannot read the module `{name}`: {error}")));
            return None;
        }
        let Ok((shown, text)) = read else {
            self.mistakes.push(
                Diagnostic::error(
                    span,
                    format!("the module `{name}` is not supported, and there is no {name}.tla beside"),
                )
                .with_help(
                    "of the standard modules, Naturals, Integers, Sequences, FiniteSets and TLC are known",
                ),
            );
            return None;
        };
        self.depth += 1;
        let module = self.module(&shown, &text);
        self.depth -= 1;
        Some(module)
    }
}

/// Adds a module that is extended; definitions of one name are the same.
fn merge(whole: &mut TlaModule, other: TlaModule) {
    for (own, others) in [(&mut whole.constants, other.constants), (&mut whole.variables, other.variables)] {
        for name in others {
            if !own.contains(&name) {
                own.push(name);
            }
        }
    }
    for (definition, span) in other.definitions {
        if whole.definitions.iter().all(|(own, _)| own.name != definition.name) {
            whole.definitions.push((definition, span));
        }
    }
    whole.assumptions.extend(other.assumptions);
    whole.recursive.extend(other.recursive);
}

/// Replaces names in an expression.
pub(super) fn rename(expr: &QuintExpr, renamed: &BTreeMap<String, QuintExpr>) -> QuintExpr {
    let one = |expr: &QuintExpr| rename(expr, renamed);
    match expr {
        QuintExpr::Name { name } => renamed.get(name).cloned().unwrap_or_else(|| expr.clone()),
        QuintExpr::Bool { .. } | QuintExpr::Int { .. } | QuintExpr::Str { .. } => expr.clone(),
        QuintExpr::App { opcode, args } => {
            let opcode = match renamed.get(opcode) {
                Some(QuintExpr::Name { name }) => name.clone(),
                _ => opcode.clone(),
            };
            QuintExpr::App { opcode, args: args.iter().map(one).collect() }
        }
        QuintExpr::Lambda(lambda) => QuintExpr::Lambda(Lambda {
            params: lambda.params.iter().map(|param| QuintParam { name: param.name.clone() }).collect(),
            expr: Box::new(one(&lambda.expr)),
        }),
        QuintExpr::Let { opdef, expr } => QuintExpr::Let {
            opdef: Box::new(QuintDefinition { expr: one(&opdef.expr), ..(**opdef).clone() }),
            expr: Box::new(one(expr)),
        },
    }
}
