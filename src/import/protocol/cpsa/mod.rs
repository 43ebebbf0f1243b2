//! Protocols of CPSA (`.scm`) over its algebra `basic`, turned into the tree of a protocol file: strands of a role become runs, and
//! skeletons with one strand become claims about the runs that must have taken part.
//!
//! M. Liskov, J. Ramsdell, J. Guttman, P. Rowe: *The Cryptographic Protocol Shapes Analyzer: a manual* (2016).

mod agents;
mod claims;
mod forms;
mod item;
mod list;
mod macros;
mod terms;
mod viewed;
mod views;
mod writer;

use super::text::tree::{
    DeclarationKind, EventSyntax, EventSyntaxKind, Name, ProtocolDeclaration, ProtocolFile, ProtocolItem,
    ProtocolMember, SpdlItem, StepSyntax, TermKind,
};
use kit::diagnostics::{Diagnostic, SourceId};
use terms::{ATTACKER, name_term};

/// Reads a text. Without mistakes, the tree is complete.
pub(super) fn parse(source: SourceId, text: &str) -> (ProtocolFile, Vec<Diagnostic>) {
    match list::read(source, text).and_then(macros::expand).and_then(|lists| file(&lists)) {
        Ok(found) => found,
        Err(mistakes) => (ProtocolFile { items: Vec::new(), lost: true }, mistakes),
    }
}

fn file(lists: &[list::List]) -> Result<(ProtocolFile, Vec<Diagnostic>), Vec<Diagnostic>> {
    let (file, mut diagnostics) = forms::file(lists);
    if diagnostics.iter().any(Diagnostic::is_error) {
        return Err(diagnostics);
    }
    let protocols = item::items(&file, &mut diagnostics);
    if diagnostics.iter().any(Diagnostic::is_error) {
        return Err(diagnostics);
    }
    let mut items = Vec::new();
    if let Some(span) = file.protocols.first().map(|protocol| protocol.name.span) {
        let name = |text: &str| Name { text: text.to_owned(), span };
        items.push(SpdlItem::Usertype(["Text", "Key", "KeyName", "Tag"].map(name).to_vec()));
        if protocols.iter().any(names_attacker) {
            let kind = DeclarationKind::Constant {
                names: vec![name(ATTACKER)],
                of: Some(name("Agent")),
                secret: false,
            };
            items.push(SpdlItem::Declaration(ProtocolDeclaration { kind, span }));
            items.push(SpdlItem::Untrusted(vec![name_term(ATTACKER, span)]));
        }
    }
    items.extend(protocols.into_iter().map(SpdlItem::Protocol));
    Ok((ProtocolFile { items, lost: false }, diagnostics))
}

/// True if a run compares an agent with the attacker's.
fn names_attacker(protocol: &ProtocolItem) -> bool {
    let steps = protocol.members.iter().flat_map(|member| match member {
        ProtocolMember::Role(role) => &role.steps[..],
        ProtocolMember::Declaration(_) => &[],
    });
    let mut compared = steps.filter_map(|step| match step {
        StepSyntax::Event(EventSyntax { kind: EventSyntaxKind::Match { term, .. }, .. }) => Some(term),
        _ => None,
    });
    compared.any(|term| term.kind == TermKind::Name(ATTACKER.to_owned()))
}
