//! Words for the classes of attacks: the patterns of the library `std/protocols.pred`, over what the runs of the model hold.

use super::claims::{Label, Property};
use super::condition::Condition;
use super::names::Names;
use super::terms::Terms;
use super::tickets::Layout;
use super::value::{Place, Sort};
use crate::protocol::ir::TypeId;
use itertools::Itertools;
use std::collections::BTreeMap;
use std::fmt::Write;

/// A predicate of the library with the kinds of its parameters between the claim and the position.
struct Pattern {
    name: &'static str,
    parameters: &'static [&'static str],
    /// Whether it is about single messages.
    about_messages: bool,
}

const PATTERNS: &[Pattern] = &[
    Pattern { name: "man_in_the_middle", parameters: &["r", "s"], about_messages: false },
    Pattern { name: "redirection", parameters: &["r", "s"], about_messages: false },
    Pattern { name: "replay", parameters: &["r", "s"], about_messages: false },
    Pattern { name: "reflection", parameters: &["r", "s"], about_messages: false },
    Pattern { name: "oracle", parameters: &["r", "s"], about_messages: false },
    Pattern { name: "impersonation", parameters: &["r", "x"], about_messages: false },
    Pattern { name: "mistaken_identity", parameters: &["r", "x"], about_messages: false },
    Pattern { name: "forged", parameters: &["r", "m"], about_messages: true },
    Pattern { name: "misinformed", parameters: &["r", "x", "m"], about_messages: true },
];

/// The import of the library, what it is about, and a vocabulary for each claim.
pub(super) fn words(
    terms: &Terms<'_>,
    layout: &Layout,
    properties: &[Property],
    labels: &[Label],
    names: &mut Names,
) -> String {
    let mut out = String::new();
    if properties.is_empty() {
        return out;
    }
    let (claim_type, message_type) = (names.fresh("Claim"), names.fresh("Message"));
    let claims: Vec<String> = properties
        .iter()
        .map(|property| {
            let label = &property.claim.label;
            let digits = label.starts_with(|c: char| c.is_ascii_digit());
            names.fresh(&if digits { format!("{}_{label}", property.claim.role) } else { label.clone() })
        })
        .collect();
    let messages: Vec<String> =
        labels.iter().map(|label| names.fresh(&format!("message_{}", label.label))).collect();
    let _ =
        writeln!(out, "/// Claims, by their labels.\ntype {claim_type} = enum {{ {} }};", claims.join(", "));
    let nothing = names.fresh("no_message");
    let all = messages.iter().chain([&nothing]).join(", ");
    let _ = writeln!(out, "/// Messages, by their labels.\ntype {message_type} = enum {{ {all} }};\n");
    let cases = claims.iter().zip(properties).map(|(claim, property)| {
        Condition::all([Condition::Is(format!("c = {claim}")), property.reached.clone()])
    });
    let victims = names.fresh("victims");
    let _ = writeln!(out, "/// The runs that have come to a claim with honest partners.");
    let _ = writeln!(
        out,
        "def {victims}(c: {claim_type}): set of Run =\n  {{ q in Run :\n    {} }};\n",
        Condition::any(cases).text(4)
    );
    let takes = names.fresh("takes");
    let _ = writeln!(out, "/// The other runs that made values which a run holds.");
    let _ = writeln!(
        out,
        "def {takes}(q: Run): set of Run =\n  {{ p in Run :\n    {} }};\n",
        holds(terms, layout).text(4)
    );
    let (received, sent_by) = (names.fresh("received"), names.fresh("sent_by"));
    let met = labels.iter().zip(&messages).map(|(label, message)| {
        Condition::all([Condition::Is(format!("m = {message}")), label.received_by(terms, "q")])
    });
    let _ = writeln!(out, "/// The messages that a run has received.");
    let _ = writeln!(
        out,
        "def {received}(q: Run): set of {message_type} =\n  {{ m in {message_type} :\n    {} }};\n",
        Condition::any(met).text(4)
    );
    let from = labels.iter().zip(&messages).map(|(label, message)| {
        Condition::all([
            Condition::Is(format!("m = {message}")),
            Condition::Is(format!("p in {}[q]", label.name)),
        ])
    });
    let _ = writeln!(
        out,
        "/// The runs that had sent a message when it was received, exactly as it was received."
    );
    let _ = writeln!(
        out,
        "def {sent_by}(q: Run, m: {message_type}): set of Run =\n  {{ p in Run :\n    {} }};\n",
        Condition::any(from).text(4)
    );
    let alias = names.fresh("attacks");
    let _ = writeln!(
        out,
        "import \"std/protocols.pred\" as {alias} with {{\n  Claim = {claim_type}, Message = {message_type},\n  \
         victims = map c in {claim_type}: {victims}(c),\n  takes = map q in Run: {takes}(q),\n  \
         received = map q in Run: {received}(q),\n  sent_by = map q in Run: map m in {message_type}: {sent_by}(q, m)\n}};\n"
    );
    let letters: BTreeMap<&str, String> =
        ["r", "s", "x", "m", "t"].map(|letter| (letter, names.fresh(letter))).into();
    for (claim, property) in claims.iter().zip(properties) {
        let items =
            PATTERNS.iter().filter(|pattern| property.agreement || !pattern.about_messages).map(|pattern| {
                let inner = pattern.parameters.iter().map(|letter| letters[letter].as_str());
                let arguments =
                    [claim.as_str()].into_iter().chain(inner).chain([letters["t"].as_str()]).join(", ");
                format!("{alias}.{}({arguments})", pattern.name)
            });
        let _ = writeln!(
            out,
            "vocabulary {} = {{\n  {}\n}};\n",
            property.claim.property,
            items.collect_vec().join(",\n  ")
        );
    }
    out
}

/// The condition that run q holds a value that run p made.
fn holds(terms: &Terms<'_>, layout: &Layout) -> Condition {
    let mut cases = Vec::new();
    for role in terms.script.roles() {
        for (_, name, sort) in terms.received(role) {
            let place = Place::present(format!("{name}[q]"));
            cases.extend(made_by(terms, layout, &place, sort));
        }
    }
    Condition::all([Condition::Is("p != q".to_owned()), Condition::any(cases)])
}

fn made_by(terms: &Terms<'_>, layout: &Layout, place: &Place, sort: Sort) -> Vec<Condition> {
    let atom = |ty: TypeId, text: &str| {
        let own = &terms.sorts.atomic()[&ty].own_name;
        Condition::all([
            Condition::Is(format!("{text}.run = p")),
            Condition::Is(format!("{text}.name != {own}")),
        ])
    };
    match sort {
        Sort::Agent => Vec::new(),
        Sort::Atom(ty) => vec![atom(ty, &place.text)],
        Sort::Ticket => layout
            .slots
            .iter()
            .filter_map(|(sort, slots)| if let Sort::Atom(ty) = sort { Some((*ty, slots)) } else { None })
            .flat_map(|(ty, slots)| slots.fields.iter().map(move |field| (ty, field)))
            .map(|(ty, field)| atom(ty, &format!("{}.{field}", place.text)))
            .collect(),
    }
}
