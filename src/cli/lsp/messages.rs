//! The parts of the Language Server Protocol (version 3.17) that the server uses, under their names there. The crate
//! with all of the protocol takes longer to build than everything in this folder.

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use std::collections::BTreeMap;

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Uri(pub String);

/// A line and a column, in units of UTF-16; both from 0.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextPosition {
    pub line: u32,
    pub character: u32,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Range {
    pub start: TextPosition,
    pub end: TextPosition,
}

#[derive(Debug, PartialEq, Serialize)]
pub struct Location {
    pub uri: Uri,
    pub range: Range,
}

/// The text that a request is about.
#[derive(Deserialize)]
pub struct TextDocumentIdentifier {
    pub uri: Uri,
}

/// Parameters of requests and notifications about a text as a whole.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TextDocumentParams {
    pub text_document: TextDocumentIdentifier,
}

/// Parameters of requests about a place.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TextDocumentPositionParams {
    pub text_document: TextDocumentIdentifier,
    pub position: TextPosition,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReferenceParams {
    pub text_document: TextDocumentIdentifier,
    pub position: TextPosition,
    pub context: ReferenceContext,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReferenceContext {
    pub include_declaration: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RenameParams {
    pub text_document: TextDocumentIdentifier,
    pub position: TextPosition,
    pub new_name: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CodeActionParams {
    pub text_document: TextDocumentIdentifier,
    pub range: Range,
}

#[derive(Deserialize)]
pub struct ExecuteCommandParams {
    pub command: String,
    #[serde(default)]
    pub arguments: Vec<Json>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DidOpenTextDocumentParams {
    pub text_document: TextDocumentItem,
}

#[derive(Deserialize)]
pub struct TextDocumentItem {
    pub uri: Uri,
    pub text: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DidChangeTextDocumentParams {
    pub text_document: TextDocumentIdentifier,
    /// The whole text after each change.
    pub content_changes: Vec<TextDocumentContentChangeEvent>,
}

#[derive(Deserialize)]
pub struct TextDocumentContentChangeEvent {
    pub text: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TextEdit {
    pub range: Range,
    pub new_text: String,
}

#[derive(Debug, Serialize)]
pub struct WorkspaceEdit {
    pub changes: BTreeMap<Uri, Vec<TextEdit>>,
}

/// A text to be shown, in Markdown.
#[derive(Debug, Serialize)]
pub struct MarkupContent {
    kind: &'static str,
    value: String,
}

impl MarkupContent {
    pub fn markdown(value: String) -> Self {
        Self { kind: "markdown", value }
    }
}

#[derive(Debug, Serialize)]
pub struct Hover {
    pub contents: MarkupContent,
    pub range: Range,
}

#[derive(Debug, Serialize)]
pub struct CompletionItem {
    pub label: String,
    pub kind: CompletionItemKind,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
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
    pub name: String,
    /// The first line of the comment above it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    pub kind: SymbolKind,
    pub range: Range,
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
    pub title: String,
    pub command: &'static str,
    pub arguments: Vec<Json>,
}

#[derive(Debug, Serialize)]
pub struct PublishDiagnosticsParams {
    pub uri: Uri,
    pub diagnostics: Vec<PublishedDiagnostic>,
}

/// An error, a warning or a note, as editors show it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PublishedDiagnostic {
    pub range: Range,
    pub severity: DiagnosticSeverity,
    pub source: &'static str,
    /// The text, notes and help included.
    pub message: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub related_information: Vec<DiagnosticRelatedInformation>,
}

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
    pub location: Location,
    pub message: String,
}
