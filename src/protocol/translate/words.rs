//! Words for the classes of attacks: the patterns of the library `std/protocols.pred`, over what the runs of the model hold.

use super::claims::{Label, Property};
use super::condition::Condition;
use super::names::Names;
use super::terms::{ATTACKER, Terms};
use super::tickets::Layout;
use super::value::Sort;
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
    Pattern { name: "inactive", parameters: &["r", "x"], about_messages: false },
    Pattern { name: "stranger", parameters: &["r", "x"], about_messages: false },
    Pattern { name: "planted", parameters: &["r"], about_messages: false },
    Pattern { name: "impersonation", parameters: &["r", "x"], about_messages: false },
    Pattern { name: "mistaken_identity", parameters: &["r", "x"], about_messages: false },
    Pattern { name: "forged", parameters: &["r", "m"], about_messages: true },
    Pattern { name: "misinformed", parameters: &["r", "x", "m"], about_messages: true },
    Pattern { name: "crossed", parameters: &["r", "x", "m"], about_messages: true },
];

/// The import of the library, what it is about, and a vocabulary for each claim.
pub(super) fn words(
    terms: &Terms<'_>,
    layout: &Layout,
    properties: &[Property],
    labels: &[Label],
    names: &mut Names,
) -> String {
    if properties.is_empty() {
        return String::new();
    }
    let mut words = Words { out: String::new(), names };
    let claims: Vec<String> = properties.iter().map(|property| words.claim(property)).collect();
    let disclosed =
        properties.iter().flat_map(|property| &property.disclosures).map(|found| found.label.as_deref());
    let of_messages = labels.iter().map(|label| Some(label.label.as_str())).chain(disclosed).unique();
    let named =
        |label: Option<&str>| label.map_or("old_session".to_owned(), |label| format!("message_{label}"));
    let messages: BTreeMap<Option<&str>, String> =
        of_messages.map(|label| (label, words.names.fresh(&named(label)))).collect();
    let claim = words.enumeration("Claims, by their labels.", "Claim", &claims);
    // A type has at least one value.
    let none = words.names.fresh("no_message");
    let all: Vec<String> = messages.values().cloned().chain([none]).collect();
    let message = words.enumeration("Messages, by their labels.", "Message", &all);

    let reached = claims.iter().zip(properties).map(|(claim, property)| {
        Condition::all([Condition::Is(format!("c = {claim}")), property.reached.clone()])
    });
    let reached = Condition::any(reached);
    let doc = "The runs that have come to a claim with honest partners.";
    let victims = words.set(doc, "victims", &format!("c: {claim}"), "q in Run", &reached);
    let takes = Condition::all([Condition::Is("p != q".to_owned()), holds(terms, layout, Maker::Run)]);
    let doc = "The other runs that made values which a run holds.";
    let takes = words.set(doc, "takes", "q: Run", "p in Run", &takes);
    let planted = holds(terms, layout, Maker::Attacker);
    let fooled = words.set("The runs that hold a value of the attacker.", "fooled", "", "q in Run", &planted);
    let is = |label: Option<&str>| Condition::Is(format!("m = {}", messages[&label]));
    let met =
        labels.iter().map(|label| Condition::all([is(Some(&label.label)), label.received_by(terms, "q")]));
    let met = Condition::any(met);
    let doc = "The messages that a run has received.";
    let received = words.set(doc, "received", "q: Run", &format!("m in {message}"), &met);
    let sends =
        labels.iter().map(|label| Condition::all([is(Some(&label.label)), label.sent_by(terms, "q")]));
    let sends = Condition::any(sends);
    let doc = "The messages that a run has sent.";
    let sends = words.set(doc, "sent", "q: Run", &format!("m in {message}"), &sends);
    let from = labels.iter().map(|label| {
        let within = Condition::Is(format!("p in {}[q]", label.name));
        Condition::all([is(Some(&label.label)), within])
    });
    let from = Condition::any(from);
    let doc = "The runs that had sent a message when it was received, exactly as it was received.";
    let sent_by = words.set(doc, "sent_by", &format!("q: Run, m: {message}"), "p in Run", &from);

    let alias = words.names.fresh("attacks");
    let bindings = [
        format!("Claim = {claim}, Message = {message}"),
        format!("victims = map c in {claim}: {victims}(c)"),
        format!("takes = map q in Run: {takes}(q)"),
        format!("fooled = {fooled}"),
        format!("received = map q in Run: {received}(q)"),
        format!("sent = map q in Run: {sends}(q)"),
        format!("sent_by = map q in Run: map m in {message}: {sent_by}(q, m)"),
    ];
    let bindings = bindings.join(",\n  ");
    let _ = writeln!(words.out, "import \"std/protocols.pred\" as {alias} with {{\n  {bindings}\n}};\n");
    let disclosed = claims.iter().zip(properties).map(|(claim, property)| {
        let cases = property.disclosures.iter();
        let cases = cases.map(|found| Condition::all([is(found.label.as_deref()), found.condition.clone()]));
        Condition::all([Condition::Is(format!("c = {claim}")), Condition::any(cases)])
    });
    let disclosed = Condition::any(disclosed);
    let discloses = words.disclosure(&claim, &message, &victims, &disclosed);
    words.vocabularies(&alias, &discloses, &claims, properties);
    words.out
}

/// Declarations that are written one after the other.
struct Words<'n> {
    out: String,
    names: &'n mut Names,
}

impl Words<'_> {
    /// The name of a claim as a value.
    fn claim(&mut self, property: &Property) -> String {
        let label = &property.claim.label;
        if label.starts_with(|c: char| c.is_ascii_digit()) {
            return self.names.fresh(&format!("{}_{label}", property.claim.role));
        }
        self.names.fresh(label)
    }

    fn enumeration(&mut self, doc: &str, wish: &str, values: &[String]) -> String {
        let name = self.names.fresh(wish);
        let _ = writeln!(self.out, "/// {doc}\ntype {name} = enum {{ {} }};\n", values.join(", "));
        name
    }

    /// Defines a set, of elements `p in Run` of which a condition holds.
    fn set(&mut self, doc: &str, wish: &str, parameters: &str, elements: &str, of: &Condition) -> String {
        let name = self.names.fresh(wish);
        let parameters = if parameters.is_empty() { String::new() } else { format!("({parameters})") };
        let ty = elements.rsplit(' ').next().unwrap_or_default();
        let _ = writeln!(
            self.out,
            "/// {doc}\ndef {name}{parameters}: set of {ty} =\n  {{ {elements} :\n    {} }};\n",
            of.text(4)
        );
        name
    }

    /// Defines when a run gives away what another one claims to be a secret; returns the name of the predicate.
    fn disclosure(&mut self, claim: &str, message: &str, victims: &str, condition: &Condition) -> String {
        let (discloses, name) = (self.names.fresh("discloses"), self.names.fresh("disclosure"));
        let _ = writeln!(
            self.out,
            "/// Whether {ATTACKER} can take what run p claims to be a secret out of a message of run q.\n\
             def {discloses}(c: {claim}, p: Run, q: Run, m: {message}): bool =\n  {};\n",
            condition.text(2)
        );
        let _ = writeln!(
            self.out,
            "/// The attacker takes the secret of a run out of a message that another run sent.\n\
             pred {name}(c: {claim}, r, s: Run, m: {message}, t: pos) =\n  \
             r in {victims}(c)@t and {discloses}(c, r, s, m)@t;\n"
        );
        name
    }

    fn vocabularies(&mut self, alias: &str, disclosure: &str, claims: &[String], properties: &[Property]) {
        let letters: BTreeMap<&str, String> =
            ["r", "s", "x", "m", "t"].map(|letter| (letter, self.names.fresh(letter))).into();
        for (claim, property) in claims.iter().zip(properties) {
            let patterns = PATTERNS.iter().filter(|pattern| property.agreement || !pattern.about_messages);
            let items = patterns.map(|pattern| {
                let inner = pattern.parameters.iter().map(|letter| letters[letter].as_str());
                let arguments = [claim.as_str()].into_iter().chain(inner).chain([letters["t"].as_str()]);
                format!("{alias}.{}({})", pattern.name, arguments.collect_vec().join(", "))
            });
            let mut items = items.collect_vec();
            if !property.disclosures.is_empty() {
                let arguments = ["r", "s", "m", "t"].map(|letter| letters[letter].as_str()).join(", ");
                items.push(format!("{disclosure}({claim}, {arguments})"));
            }
            let items = items.join(",\n  ");
            let _ = writeln!(self.out, "vocabulary {} = {{\n  {items}\n}};\n", property.claim.property);
        }
    }
}

/// Who made a value.
#[derive(Clone, Copy)]
enum Maker {
    /// Run `p`.
    Run,
    Attacker,
}

/// The condition that run `q` holds a value that somebody made. What a run does not look into is nobody's but a run's.
fn holds(terms: &Terms<'_>, layout: &Layout, maker: Maker) -> Condition {
    let atom = |ty: TypeId, text: &str| {
        let own = &terms.sorts.atomic()[&ty].own_name;
        match maker {
            Maker::Run => Condition::all([
                Condition::Is(format!("{text}.run = p")),
                Condition::Is(format!("{text}.name != {own}")),
            ]),
            Maker::Attacker => Condition::Is(format!("{text}.name = {own}")),
        }
    };
    let mut cases = Vec::new();
    for role in terms.script.roles() {
        for (_, name, sort) in terms.received(role) {
            match (sort, maker) {
                (Sort::Agent, _) | (Sort::Ticket, Maker::Attacker) => {}
                (Sort::Atom(ty), _) => cases.push(atom(ty, &format!("{name}[q]"))),
                (Sort::Ticket, Maker::Run) => {
                    for (sort, slots) in &layout.slots {
                        if let Sort::Atom(ty) = sort {
                            let fields = slots.fields.iter();
                            cases.extend(fields.map(|field| atom(*ty, &format!("{name}[q].{field}"))));
                        }
                    }
                }
            }
        }
    }
    Condition::any(cases)
}
