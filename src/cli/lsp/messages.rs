//! The parts of the Language Server Protocol (version 3.17) that the server uses, under their names there. The crate
//! with all of the protocol takes longer to build than everything in this folder.

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use std::collections::BTreeMap;

/// The address of a text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Uri(pub String);

/// A line and a column, in units of UTF-16; both from 0.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextPosition {
    /// The line.
    pub line: u32,
    /// The column.
    pub character: u32,
}

/// The text between two positions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Range {
    /// The first position within.
    pub start: TextPosition,
    /// The first position after it.
    pub end: TextPosition,
}

/// A range of some text.
#[derive(Debug, PartialEq, Serialize)]
pub struct Location {
    /// The text.
    pub uri: Uri,
    /// The range.
    pub range: Range,
}

/// The text that a request is about.
#[derive(Deserialize)]
pub struct TextDocumentIdentifier {
    /// Its address.
    pub uri: Uri,
}

/// Parameters of requests and notifications about a text as a whole.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TextDocumentParams {
    /// The text.
    pub text_document: TextDocumentIdentifier,
}

/// Parameters of requests about a place.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TextDocumentPositionParams {
    /// The text.
    pub text_document: TextDocumentIdentifier,
    /// The place.
    pub position: TextPosition,
}

/// Parameters of `textDocument/references`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReferenceParams {
    /// The text.
    pub text_document: TextDocumentIdentifier,
    /// The place of a name.
    pub position: TextPosition,
    /// The requested places.
    pub context: ReferenceContext,
}

/// The requested references.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReferenceContext {
    /// True to include declarations.
    pub include_declaration: bool,
}

/// Parameters of `textDocument/rename`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RenameParams {
    /// The text.
    pub text_document: TextDocumentIdentifier,
    /// The place of a name.
    pub position: TextPosition,
    /// The new name.
    pub new_name: String,
}

/// Parameters of `textDocument/codeAction`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CodeActionParams {
    /// The text.
    pub text_document: TextDocumentIdentifier,
    /// The range of the request.
    pub range: Range,
}

/// Parameters of `workspace/executeCommand`.
#[derive(Deserialize)]
pub struct ExecuteCommandParams {
    /// The command.
    pub command: String,
    /// Its arguments.
    #[serde(default)]
    pub arguments: Vec<Json>,
}

/// Parameters of `textDocument/didOpen`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DidOpenTextDocumentParams {
    /// The opened text.
    pub text_document: TextDocumentItem,
}

/// An opened text.
#[derive(Deserialize)]
pub struct TextDocumentItem {
    /// Its address.
    pub uri: Uri,
    /// The text itself.
    pub text: String,
}

/// Parameters of `textDocument/didChange`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DidChangeTextDocumentParams {
    /// The changed text.
    pub text_document: TextDocumentIdentifier,
    /// The whole text after each change.
    pub content_changes: Vec<TextDocumentContentChangeEvent>,
}

/// A change of a text.
#[derive(Deserialize)]
pub struct TextDocumentContentChangeEvent {
    /// The whole text after it.
    pub text: String,
}

/// A range to be replaced.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TextEdit {
    /// The range.
    pub range: Range,
    /// The text in its place.
    pub new_text: String,
}

/// Edits of several texts.
#[derive(Debug, Serialize)]
pub struct WorkspaceEdit {
    /// The edits of each text.
    pub changes: BTreeMap<Uri, Vec<TextEdit>>,
}

/// A text to be shown, in Markdown.
#[derive(Debug, Serialize)]
pub struct MarkupContent {
    kind: &'static str,
    value: String,
}

impl MarkupContent {
    /// A text in Markdown.
    pub fn markdown(value: String) -> Self {
        Self { kind: "markdown", value }
    }
}

/// The description of a name.
#[derive(Debug, Serialize)]
pub struct Hover {
    /// The description.
    pub contents: MarkupContent,
    /// The place of the name.
    pub range: Range,
}

/// A completion at a place.
#[derive(Debug, Serialize)]
pub struct CompletionItem {
    /// The word.
    pub label: String,
    /// Its kind.
    pub kind: CompletionItemKind,
    /// Its declaration.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// The comment above its declaration.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub documentation: Option<MarkupContent>,
}

/// The number of a kind of word.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct CompletionItemKind(u8);

impl CompletionItemKind {
    pub const METHOD: Self = Self(2);
    pub const FUNCTION: Self = Self(3);
    pub const FIELD: Self = Self(5);
    pub const VARIABLE: Self = Self(6);
    pub const INTERFACE: Self = Self(8);
    pub const MODULE: Self = Self(9);
    pub const PROPERTY: Self = Self(10);
    pub const KEYWORD: Self = Self(14);
    pub const ENUM_MEMBER: Self = Self(20);
    pub const CONSTANT: Self = Self(21);
    pub const STRUCT: Self = Self(22);
}

/// A declaration, as editors list it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DocumentSymbol {
    /// The declared name.
    pub name: String,
    /// The first line of the comment above it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// The kind of the name.
    pub kind: SymbolKind,
    /// The whole declaration.
    pub range: Range,
    /// The name in it.
    pub selection_range: Range,
}

/// The number of a kind of declaration.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct SymbolKind(u8);

impl SymbolKind {
    pub const MODULE: Self = Self(2);
    pub const NAMESPACE: Self = Self(3);
    pub const METHOD: Self = Self(6);
    pub const PROPERTY: Self = Self(7);
    pub const FUNCTION: Self = Self(12);
    pub const VARIABLE: Self = Self(13);
    pub const CONSTANT: Self = Self(14);
    pub const STRUCT: Self = Self(23);
}

/// A command that an editor offers.
#[derive(Debug, Serialize)]
pub struct EditorCommand {
    /// The words on its button.
    pub title: String,
    /// The name of the command.
    pub command: &'static str,
    /// Its arguments.
    pub arguments: Vec<Json>,
}

/// Parameters of `textDocument/publishDiagnostics`.
#[derive(Debug, Serialize)]
pub struct PublishDiagnosticsParams {
    /// The text.
    pub uri: Uri,
    /// All findings about it.
    pub diagnostics: Vec<PublishedDiagnostic>,
}

/// An error, a warning or a note, as editors show it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PublishedDiagnostic {
    /// The place.
    pub range: Range,
    /// The number of its severity.
    pub severity: DiagnosticSeverity,
    /// The name of this program.
    pub source: &'static str,
    /// The text, notes and help included.
    pub message: String,
    /// Other places that explain it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub related_information: Vec<DiagnosticRelatedInformation>,
}

/// The number of a severity.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct DiagnosticSeverity(u8);

impl DiagnosticSeverity {
    pub const ERROR: Self = Self(1);
    pub const WARNING: Self = Self(2);
    pub const INFORMATION: Self = Self(3);
}

/// Another place that explains a diagnostic.
#[derive(Debug, Serialize)]
pub struct DiagnosticRelatedInformation {
    /// The place.
    pub location: Location,
    /// The explanation.
    pub message: String,
}
