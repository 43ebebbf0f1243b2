//! Examples: traces in which a predicate has to hold, or must not.

use super::entity::Entity;
use super::vocabularies::VocabularySources;
use super::{CheckedInContext, Checker, Context, ExprScope, ReadAccess, check_in_context};
use crate::model::check::names::help_on_name;
use crate::model::expr::ExprKind;
use crate::model::load::normal_path;
use crate::model::types::Type;
use crate::model::value::Value;
use crate::model::{ExampleTraces, Predicate, TraceExample, VocabularyItem};
use crate::syntax::ast::{AstExpr, ExampleBlock, File, Ident, Item, ItemKind, WrittenTraces};
use kit::diagnostics::Diagnostic;
use rustc_hash::FxHashMap;
use std::path::Path;

/// The greatest number of steps of the traces of an example.
const MOST_STEPS: i64 = 1_000_000;

/// The predicates of a model and the index of each declared one among them.
type PredicateIndex<'p> = (&'p [Predicate], &'p FxHashMap<usize, usize>);

/// The examples of a file, in order.
fn blocks(tree: &File) -> impl Iterator<Item = (&Item, &ExampleBlock)> {
    tree.items.iter().filter_map(|item| match &item.kind {
        ItemKind::Example(example) => Some((item, example)),
        _ => None,
    })
}

/// Checks one of the examples of a library, by its index, as one about traces of this model. `path` is that of the library.
pub(in crate::model) fn check_foreign_example<'a>(
    context: Context<'a>,
    tree: &'a File,
    path: &Path,
    index: usize,
) -> CheckedInContext<TraceExample> {
    check_in_context(context, |checker, unit| {
        checker.check_imports(unit);
        for unit in checker.model_units() {
            checker.within(unit, |c| c.check_predicates(unit));
        }
        checker.diagnostics.clear();
        let (predicates, ids) = checker.all_predicates(unit);
        let (item, example) = blocks(tree).nth(index)?;
        let homes = checker.imported_from(path);
        if homes.is_empty() {
            let (file, span) = example.model.as_ref()?;
            let error = Diagnostic::error(*span, format!("{file} does not import this library"));
            let help = "an example reads the library as its model imports it: add an import there, or name another model";
            checker.report(error.with_help(help));
            return None;
        }
        checker.example(item, example, &homes, (&predicates, &ids))
    })
}

impl<'a> Checker<'a> {
    pub(super) fn check_examples(
        &mut self,
        unit: usize,
        predicates: &[Predicate],
        ids: &FxHashMap<usize, usize>,
    ) -> Vec<TraceExample> {
        let mut found = Vec::new();
        for (item, example) in blocks(self.units[unit].tree) {
            if let Some((_, span)) = &example.model {
                let error = Diagnostic::error(*span, "an example in a model is about this model");
                self.report(error.with_help("leave out `in`; examples of libraries name a model"));
                continue;
            }
            found.extend(self.example(item, example, &[unit], (predicates, ids)));
        }
        found
    }

    /// Checks what can be said of the examples of a library without their models.
    pub(super) fn check_examples_of_library(&mut self, unit: usize) {
        for (_, example) in blocks(self.units[unit].tree) {
            self.predicate_named(
                &VocabularySources::of_unit(unit, &[], &FxHashMap::default()),
                &example.predicate,
            );
            if example.model.is_none() {
                let error = Diagnostic::error(example.subject, "an example in a library is about a model");
                self.report(error.with_help("name one that imports the library: `in \"model.sts\"`"));
            }
        }
    }

    /// The instances of the library or component with this path.
    fn imported_from(&self, path: &Path) -> Vec<usize> {
        let path = normal_path(path);
        let is_meant = |file: usize| {
            let header = self.files[file].tree.header.as_ref();
            header.is_some_and(|header| {
                normal_path(Path::new(self.sources.name(header.name.span.source))) == path
            })
        };
        let imports = self.imports.iter().filter(|import| import.file.is_some_and(is_meant));
        let mut units: Vec<usize> = imports.filter_map(|import| import.unit).collect();
        units.sort_unstable();
        units.dedup();
        units
    }

    /// Checks an example whose predicate is declared or imported in any of these units, and whose model is the first unit.
    fn example(
        &mut self,
        item: &'a Item,
        example: &'a ExampleBlock,
        homes: &[usize],
        (predicates, ids): PredicateIndex<'_>,
    ) -> Option<TraceExample> {
        let before = self.errors();
        let mut items: Vec<VocabularyItem> = Vec::new();
        for &home in homes {
            let sources = VocabularySources::of_unit(home, predicates, ids);
            let args = (0, example.args.as_deref());
            items.extend(self.predicate_read(&sources, &example.predicate, args, example.subject));
        }
        let with =
            example.with.iter().filter_map(|(name, value)| self.example_constant(&example.with, name, value));
        let with = with.collect();
        let traces = match &example.traces {
            WrittenTraces::Within(bound) => self.example_bound(bound).map(ExampleTraces::Within),
            WrittenTraces::Steps(steps) => {
                let help = "the steps of an example are those of actions: `a;`, `b(x = e);`";
                let checked = steps.iter().map(|written| {
                    self.action_steps(0, written, help).map(|steps| (steps, written.action.span))
                });
                // All mistakes are reported.
                let checked: Vec<_> = checked.collect();
                checked.into_iter().collect::<Option<Vec<_>>>().map(ExampleTraces::Steps)
            }
        };
        let traces = traces.filter(|_| self.errors() == before && !items.is_empty())?;
        Some(TraceExample {
            counter: example.counter,
            text: self.text(example.subject),
            doc: item.doc.clone(),
            items,
            model: example.model.as_ref().map(|(path, _)| path.clone()),
            with,
            traces,
            span: example.subject,
        })
    }

    /// The number of steps after `within`.
    fn example_bound(&mut self, written: &'a AstExpr) -> Option<usize> {
        let mut scope = ExprScope::new(0, ReadAccess::Constants);
        let typed = self.expr(&mut scope, written).ok()?;
        match typed.kind {
            ExprKind::Const(Value::Int(steps @ 0..=MOST_STEPS)) => usize::try_from(steps).ok(),
            _ => {
                let error = Diagnostic::error(written.span, "this is no number of steps");
                self.wrong(error.with_help(format!("write a constant from 0 to {MOST_STEPS}"))).ok()
            }
        }
    }

    /// A constant of the model with the value that an example gives it, as written.
    fn example_constant(
        &mut self,
        all: &'a [(Ident, AstExpr)],
        name: &'a Ident,
        written: &'a AstExpr,
    ) -> Option<(String, String)> {
        let Some(Entity::Const(index)) = self.entity(0, &name.name) else {
            let known = self.consts.iter().filter(|known| known.unit == 0);
            let known: Vec<&str> = known.map(|known| known.name.name.as_str()).collect();
            let error = Diagnostic::error(name.span, format!("the model has no constant `{}`", name.name));
            let help = help_on_name(&name.name, &known, "constants");
            return self.wrong(error.with_help(help)).ok();
        };
        if all.iter().any(|(other, _)| other.name == name.name && other.span.start < name.span.start) {
            let error = Diagnostic::error(name.span, format!("`{}` is given twice", name.name));
            return self.wrong(error.with_help("give it one value")).ok();
        }
        let ty: Type = self.consts[index].declared.clone();
        let place = format!("constant `{}`", name.name);
        self.constant_value(ExprScope::new(0, ReadAccess::Constants), &ty, written, &place).ok()?;
        Some((name.name.clone(), self.text(written.span)))
    }
}
