//! The parts of a reference page: each declaration as it is written, with its doc comment and its examples.

use crate::reference::page::{PageBlock, Reference};
use itertools::Itertools;
use kit::diagnostics::{SourceMap, Span};
use lang::model::names::NameKind;
use lang::syntax::ast::{ExampleBlock, File, FileKind, Item, ItemKind, Requirement, RequirementKind};

/// The sections of a page, in order, with their headings.
const SECTIONS: [(NameKind, &str); 10] = [
    (NameKind::Predicate, "Predicates"),
    (NameKind::Vocabulary, "Vocabularies"),
    (NameKind::Property, "Properties"),
    (NameKind::Definition, "Definitions"),
    (NameKind::Action, "Actions"),
    (NameKind::Operation, "Operations"),
    (NameKind::Variable, "Variables"),
    (NameKind::Constant, "Constants"),
    (NameKind::Type, "Types"),
    (NameKind::Import, "Imports"),
];

/// The reference page of a library, component or model, whose text is one of `sources`. `path` is its file as the user wrote it.
pub fn reference(file: &File, sources: &SourceMap, path: &str) -> Reference {
    let mut page = Page { sources, file, blocks: Vec::new() };
    page.head(path);
    page.requirements();
    for (kind, heading) in SECTIONS {
        page.section(kind, heading);
    }
    page.other_examples();
    Reference { blocks: page.blocks }
}

struct Page<'a> {
    sources: &'a SourceMap,
    file: &'a File,
    blocks: Vec<PageBlock>,
}

impl<'a> Page<'a> {
    fn head(&mut self, path: &str) {
        let Some(header) = &self.file.header else { return };
        let word = match header.kind {
            FileKind::Model => "Model",
            FileKind::Library => "Library",
            FileKind::Component => "Component",
        };
        self.blocks.push(PageBlock::Heading(1, format!("{word} `{}`", header.name.name)));
        self.doc(header.doc.as_deref());
        self.blocks.push(PageBlock::Paragraph(format!("Declared in `{path}`.")));
        if header.kind != FileKind::Model {
            self.blocks.push(PageBlock::Code(self.import(path, &header.name.name)));
        }
    }

    /// How a model imports it: with what it has to supply.
    fn import(&self, path: &str, name: &str) -> String {
        let needed = self.required().filter(|required| required.default.is_none());
        let bindings = needed.map(|required| format!("  {} = …", required.name.name)).join(",\n");
        match bindings.is_empty() {
            true => format!("import \"{path}\" as {name};"),
            false => format!("import \"{path}\" as {name} with {{\n{bindings}\n}};"),
        }
    }

    fn required(&self) -> impl Iterator<Item = &'a Requirement> + use<'a> {
        self.file.items.iter().flat_map(|item| match &item.kind {
            ItemKind::Requires(requirements) => requirements.as_slice(),
            _ => &[],
        })
    }

    fn requirements(&mut self) {
        let rows: Vec<Vec<String>> = self.required().map(|required| self.requirement(required)).collect();
        if rows.is_empty() {
            return;
        }
        self.blocks.push(PageBlock::Heading(2, "Requirements".to_owned()));
        let heads = ["name", "kind", "type", "unless an import says it", "meaning"];
        self.blocks.push(PageBlock::Table(heads.map(str::to_owned).to_vec(), rows));
    }

    fn requirement(&self, required: &Requirement) -> Vec<String> {
        let code = |text: String| if text.is_empty() { text } else { format!("`{text}`") };
        let (kind, ty) = match &required.kind {
            RequirementKind::Type => ("type", String::new()),
            RequirementKind::Value(ty) => ("value", self.line(ty.span)),
            RequirementKind::Observe(ty) => ("observe", self.line(ty.span)),
            RequirementKind::Variable(ty) => ("variable", self.line(ty.span)),
            RequirementKind::Function(_, ty) => ("function", self.line(required.name.span.to(ty.span))),
        };
        let default = required.default.as_ref().map(|default| self.line(default.span)).unwrap_or_default();
        let doc = required.doc.as_deref().unwrap_or_default().split_whitespace().join(" ");
        vec![code(required.name.name.clone()), kind.to_owned(), code(ty), code(default), doc]
    }

    fn section(&mut self, kind: NameKind, heading: &str) {
        let mut heading = Some(heading);
        for item in &self.file.items {
            let Some((_, name)) = NameKind::declared(&item.kind).filter(|(of, _)| *of == kind) else {
                continue;
            };
            if let Some(heading) = heading.take() {
                self.blocks.push(PageBlock::Heading(2, heading.to_owned()));
            }
            self.blocks.push(PageBlock::Heading(3, format!("`{}`", name.name)));
            self.doc(item.doc.as_deref());
            self.blocks.push(PageBlock::Code(self.text(item.span)));
            if kind == NameKind::Predicate {
                self.examples(|example| {
                    example.predicate.len() == 1 && example.predicate[0].name == name.name
                });
            }
        }
    }

    /// The examples of predicates that are not declared here.
    fn other_examples(&mut self) {
        let is_imported = |example: &ExampleBlock| example.predicate.len() > 1;
        if self.of_examples().any(|(_, example)| is_imported(example)) {
            self.blocks.push(PageBlock::Heading(2, "Examples of imported predicates".to_owned()));
            self.examples(is_imported);
        }
    }

    fn of_examples(&self) -> impl Iterator<Item = (&'a Item, &'a ExampleBlock)> + use<'a> {
        self.file.items.iter().filter_map(|item| match &item.kind {
            ItemKind::Example(example) => Some((item, example)),
            _ => None,
        })
    }

    fn examples(&mut self, is_wanted: impl Fn(&ExampleBlock) -> bool) {
        let wanted: Vec<(&Item, &ExampleBlock)> =
            self.of_examples().filter(|(_, example)| is_wanted(example)).collect();
        for (item, example) in wanted {
            let word = if example.counter { "It does not hold" } else { "It holds" };
            let doc = item.doc.as_deref().map(|doc| doc.split_whitespace().join(" "));
            self.blocks.push(PageBlock::Paragraph(match doc {
                Some(doc) => format!("{word}: {doc}"),
                None => format!("{word}:"),
            }));
            self.blocks.push(PageBlock::Code(self.text(item.span)));
        }
    }

    /// The paragraphs of a doc comment.
    fn doc(&mut self, doc: Option<&str>) {
        let lines = doc.unwrap_or_default().lines().map(str::trim);
        let paragraphs = lines.chunk_by(|line| line.is_empty());
        for (is_empty, lines) in &paragraphs {
            if !is_empty {
                let paragraph = lines.collect::<Vec<_>>().join("\n");
                self.blocks.push(PageBlock::Paragraph(paragraph));
            }
        }
    }

    fn text(&self, span: Span) -> String {
        self.sources.snippet(span).to_owned()
    }

    fn line(&self, span: Span) -> String {
        self.sources.snippet(span).split_whitespace().join(" ")
    }
}
