//! `cladist lsp`: a server for editors, which speaks the Language Server Protocol on standard input and output.

mod commands;
mod completion;
mod files;
mod findings;
mod frames;
mod messages;
mod navigation;
mod places;
mod rename;

use super::exit::Exit;
use super::fmt::laid_out;
use super::refusal::UsageError;
use cladist::budget::Budget;
use cladist::model::names::ModelNames;
use cladist::model::{LoadOptions, names_edited, normal_path};
use cladist::protocol::is_protocol;
use findings::{CheckExtent, WHILE_TYPING, findings, shown};
use kit::number::to_u8;
use lsp_server::{Connection, ErrorCode, Message, Notification, ProtocolError, Request, Response};
use messages::{
    CodeActionParams, DidChangeTextDocumentParams, DidOpenTextDocumentParams, ExecuteCommandParams,
    PublishDiagnosticsParams, PublishedDiagnostic, ReferenceParams, RenameParams, TextDocumentParams,
    TextDocumentPositionParams, TextEdit, Uri,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The protocol's number for changes sent as whole texts.
const WHOLE_TEXTS: u8 = 1;

/// Serves an editor until it ends the session.
pub fn run() -> Result<Exit, UsageError> {
    let (connection, writer) = frames::connect();
    let served = serve(&connection);
    drop(connection);
    match (served, writer.join()) {
        (Ok(()), Ok(Ok(()))) => Ok(Exit::Fine),
        (Err(error), _) => Err(UsageError::message(format!("the editor broke the protocol: {error}"))),
        (Ok(()), Ok(Err(error))) => {
            Err(UsageError::message(format!("the editor cannot be reached: {error}")))
        }
        (Ok(()), Err(panic)) => std::panic::resume_unwind(panic),
    }
}

/// Returns the capabilities of the server. An editor with a terminal runs the commands itself.
fn capabilities(has_terminal: bool) -> Json {
    let mut capabilities = json!({
        "textDocumentSync": {"openClose": true, "change": WHOLE_TEXTS, "save": true},
        "documentSymbolProvider": true,
        "documentFormattingProvider": true,
        "definitionProvider": true,
        "referencesProvider": true,
        "hoverProvider": true,
        "renameProvider": {"prepareProvider": true},
        "completionProvider": {"triggerCharacters": ["."]},
        "codeActionProvider": true,
    });
    if !has_terminal {
        capabilities["executeCommandProvider"] = json!({"commands": [commands::CLASSIFY]});
    }
    capabilities
}

fn serve(connection: &Connection) -> Result<(), ProtocolError> {
    let (id, params) = connection.initialize_start()?;
    let has_terminal = params["initializationOptions"]["terminal"] == true;
    let mut server = Server { connection, open: BTreeMap::new() };
    server.send(Response::new_ok(id, json!({"capabilities": capabilities(has_terminal)})));
    let mut is_shut_down = false;
    // There are no more messages after `exit`.
    for message in &connection.receiver {
        match message {
            Message::Request(Request { id, .. }) if is_shut_down => {
                let message = "the server was asked to shut down".to_owned();
                server.send(Response::new_err(id, ErrorCode::InvalidRequest as i32, message));
            }
            Message::Request(Request { id, method, .. }) if method == "shutdown" => {
                is_shut_down = true;
                server.send(Response::new_ok(id, Json::Null));
            }
            Message::Request(request) => server.answer(request),
            Message::Notification(notification) if !is_shut_down => server.note(notification),
            Message::Notification(_) | Message::Response(_) => {}
        }
    }
    Ok(())
}

/// A text that is open in the editor.
struct OpenText {
    uri: Uri,
    text: String,
}

struct Server<'a> {
    connection: &'a Connection,
    open: BTreeMap<PathBuf, OpenText>,
}

impl Server<'_> {
    /// Sends a message. The loss of the editor is noticed when the next message is received.
    fn send(&self, message: impl Into<Message>) {
        let _ = self.connection.sender.send(message.into());
    }

    fn answer(&self, request: Request) {
        let Request { id, method, params } = request;
        let result = match method.as_str() {
            "textDocument/documentSymbol" => read(params).map(|asked| self.symbols(&asked)),
            "textDocument/formatting" => read(params).map(|asked| self.formatted(&asked)),
            "textDocument/definition" => read(params).map(|at: TextDocumentPositionParams| {
                answered(self.definition(&at.text_document.uri, at.position))
            }),
            "textDocument/references" => read(params).map(|asked: ReferenceParams| {
                let with_declaration = asked.context.include_declaration;
                answered(self.references(&asked.text_document.uri, asked.position, with_declaration))
            }),
            "textDocument/hover" => read(params).map(|at: TextDocumentPositionParams| {
                answered(self.hover(&at.text_document.uri, at.position))
            }),
            "textDocument/prepareRename" => read(params).map(|at: TextDocumentPositionParams| {
                answered(self.named(&at.text_document.uri, at.position).map(|named| named.range()))
            }),
            "textDocument/completion" => read(params).map(|at: TextDocumentPositionParams| {
                answered(self.completions(&at.text_document.uri, at.position))
            }),
            "textDocument/codeAction" => read(params)
                .map(|asked: CodeActionParams| answered(self.actions(&asked.text_document.uri, asked.range))),
            "workspace/executeCommand" => read(params).and_then(|asked: ExecuteCommandParams| {
                commands::execute(&asked.command, &asked.arguments).map(answered)
            }),
            "textDocument/rename" => read(params).and_then(|asked: RenameParams| {
                self.rename(&asked.text_document.uri, asked.position, &asked.new_name).map(answered)
            }),
            _ => {
                let message = format!("{method} is not supported");
                return self.send(Response::new_err(id, ErrorCode::MethodNotFound as i32, message));
            }
        };
        self.send(match result {
            Ok(result) => Response::new_ok(id, result),
            Err(message) => Response::new_err(id, ErrorCode::InvalidParams as i32, message),
        });
    }

    fn symbols(&self, asked: &TextDocumentParams) -> Json {
        let document = self.document(&asked.text_document.uri).filter(|(path, _)| !is_protocol(path));
        let symbols = document.map(|(_, document)| navigation::outline(&document.text)).unwrap_or_default();
        answered(symbols)
    }

    /// Returns the edits that format a text; none for one that cannot be read.
    fn formatted(&self, asked: &TextDocumentParams) -> Json {
        let document = self.document(&asked.text_document.uri);
        let edit = document.and_then(|(path, OpenText { text, .. })| {
            let laid_out = laid_out(&path, text).ok().filter(|laid_out| laid_out != text)?;
            Some(TextEdit { range: places::whole(text), new_text: laid_out })
        });
        answered(edit.into_iter().collect::<Vec<TextEdit>>())
    }

    /// Returns the names of a model or library and its imports; none of a protocol.
    fn names(&self, path: &Path, text: &str) -> ModelNames {
        names_with(path, text, &|other| self.open.get(other).map(|document| document.text.clone()))
    }

    fn document(&self, uri: &Uri) -> Option<(PathBuf, &OpenText)> {
        let path = path_of(uri)?;
        let document = self.open.get(&path)?;
        Some((path, document))
    }

    fn note(&mut self, notification: Notification) {
        let Notification { method, params } = notification;
        match method.as_str() {
            "textDocument/didOpen" => {
                let Ok(DidOpenTextDocumentParams { text_document }) = read(params) else { return };
                self.update(text_document.uri, Some(text_document.text), CheckExtent::Full);
            }
            "textDocument/didChange" => {
                let Ok(DidChangeTextDocumentParams { text_document, content_changes }) = read(params) else {
                    return;
                };
                let text = content_changes.into_iter().next_back().map(|change| change.text);
                self.update(text_document.uri, text, CheckExtent::Typing);
            }
            "textDocument/didSave" => {
                let Ok(TextDocumentParams { text_document }) = read(params) else { return };
                self.update(text_document.uri, None, CheckExtent::Full);
            }
            "textDocument/didClose" => {
                let Ok(TextDocumentParams { text_document }) = read(params) else { return };
                if let Some(path) = path_of(&text_document.uri) {
                    self.open.remove(&path);
                }
                self.publish(text_document.uri, Vec::new());
            }
            _ => {}
        }
    }

    /// Takes over a text, if there is a new one, and publishes its findings.
    fn update(&mut self, uri: Uri, text: Option<String>, effort: CheckExtent) {
        let Some(path) = path_of(&uri) else { return };
        if let Some(text) = text {
            self.open.insert(path.clone(), OpenText { uri, text });
        }
        let Some(OpenText { uri, text }) = self.open.get(&path) else { return };
        let edited = |other: &Path| self.open.get(other).map(|document| document.text.clone());
        let (found, sources) = findings(&path, text, effort, &edited);
        let found = found.iter().map(|found| shown(found, &sources, uri)).collect();
        self.publish(uri.clone(), found);
    }

    fn publish(&self, uri: Uri, diagnostics: Vec<PublishedDiagnostic>) {
        let params = PublishDiagnosticsParams { uri, diagnostics };
        self.send(Notification::new("textDocument/publishDiagnostics".to_owned(), params));
    }
}

/// Returns the names of a text; `edited` gives the texts of other files with unsaved changes.
fn names_with(path: &Path, text: &str, edited: &dyn Fn(&Path) -> Option<String>) -> ModelNames {
    if is_protocol(path) {
        return ModelNames::default();
    }
    let options =
        LoadOptions { budget: Budget::unlimited().with_timeout(WHILE_TYPING), ..LoadOptions::default() };
    names_edited(path, text, &options, edited)
}

fn answered(value: impl Serialize) -> Json {
    serde_json::to_value(value).unwrap_or_default()
}

fn read<T: DeserializeOwned>(params: Json) -> Result<T, String> {
    serde_json::from_value(params).map_err(|error| error.to_string())
}

/// Returns the path of a file that an editor names.
fn path_of(uri: &Uri) -> Option<PathBuf> {
    let path = uri.0.strip_prefix("file://")?;
    let mut bytes = Vec::new();
    let mut rest = path.as_bytes();
    while let Some((&first, more)) = rest.split_first() {
        let decoded = match (first, more) {
            (b'%', [high, low, ..]) => {
                let digit = |byte: u8| char::from(byte).to_digit(16);
                Some(to_u8(digit(*high)? * 16 + digit(*low)?))
            }
            _ => None,
        };
        bytes.push(decoded.unwrap_or(first));
        rest = if decoded.is_some() { &more[2..] } else { more };
    }
    Some(normal_path(Path::new(&String::from_utf8(bytes).ok()?)))
}

/// Returns the editor's name of a file; `None` if its path is not absolute, such as that of a library of the program.
fn uri_of(path: &Path) -> Option<Uri> {
    let absolute = path.is_absolute().then(|| path.to_str()).flatten()?;
    Some(Uri(report::ci::uri(absolute)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_survive_as_addresses() {
        for path in ["/a/b.sts", "/a b/ü%41&\"<>.sts"] {
            let uri = uri_of(Path::new(path)).expect("an address");
            assert_eq!(path_of(&uri).as_deref(), Some(Path::new(path)), "{}", uri.0);
        }
        assert_eq!(uri_of(Path::new("std/protocols.pred")), None);
        assert_eq!(path_of(&Uri("untitled:a".to_owned())), None);
    }
}
