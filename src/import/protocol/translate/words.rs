//! Words for the classes of attacks: the patterns of the library `std/protocols.pred`, applied to the runs of the model.

use super::attacker::Disclosure;
use super::bindings::{
    AllTraffic, EqualMessages, Made, RECEIVER, RIVAL, ReceivedEncryption, ReceivedTerms, SENDER, Traffic,
    alike, bindings, received, traffic,
};
use super::claims::TranslatedClaim;
use super::condition::Condition;
use super::names::TakenNames;
use super::terms::RoleTerms;
use super::threats::ATTACKER;
use super::tickets::FormLayout;
use super::value::LeafKind;
use crate::protocol::ir::TypeId;
use itertools::Itertools;
use std::collections::BTreeMap;
use std::fmt::Write;

/// A predicate of the library with the kinds of its parameters between the claim and the position.
struct LibraryPattern {
    name: &'static str,
    parameters: &'static [&'static str],
    about: ClaimGroup,
}

/// A group of claims to which a pattern applies.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ClaimGroup {
    All,
    Secrets,
    /// Claims about partners.
    Partners,
    /// Claims of both kinds: all that can be attacked.
    Attacked,
    /// Claims of reachability.
    Places,
    /// All claims if the file has old sessions, else claims of injective agreement.
    Repeatable,
    /// All claims, if the file has several protocols, helpers aside.
    SeveralProtocols,
}

/// If two patterns cover the same attacks, the first one names the class.
const PATTERNS: &[LibraryPattern] = &[
    LibraryPattern { name: "with_partners", parameters: &["r"], about: ClaimGroup::Places },
    LibraryPattern { name: "other_protocol", parameters: &["r", "s"], about: ClaimGroup::SeveralProtocols },
    LibraryPattern { name: "reflection", parameters: &["r", "s"], about: ClaimGroup::All },
    LibraryPattern { name: "oracle", parameters: &["r", "s"], about: ClaimGroup::All },
    LibraryPattern { name: "replay", parameters: &["r", "s"], about: ClaimGroup::Repeatable },
    LibraryPattern { name: "man_in_the_middle", parameters: &["r", "s"], about: ClaimGroup::All },
    LibraryPattern { name: "redirection", parameters: &["r", "s"], about: ClaimGroup::All },
    LibraryPattern { name: "impersonation", parameters: &["r", "x"], about: ClaimGroup::Attacked },
    LibraryPattern { name: "disclosure", parameters: &["r", "s", "m"], about: ClaimGroup::Secrets },
    LibraryPattern { name: "planted", parameters: &["r"], about: ClaimGroup::Secrets },
    LibraryPattern { name: "disagreement", parameters: &["r", "s"], about: ClaimGroup::Partners },
    LibraryPattern { name: "without_partner", parameters: &["r", "x"], about: ClaimGroup::Places },
];

/// Returns the import of the library, its arguments, and vocabularies for each claim.
pub(super) fn words(
    terms: &RoleTerms<'_>,
    layout: &FormLayout,
    properties: &[TranslatedClaim],
    names: &mut TakenNames,
) -> String {
    if properties.is_empty() {
        return String::new();
    }
    let traffic = traffic(terms);
    let received = received(terms, layout, &traffic);
    let bindings = bindings(layout, &traffic, &received);
    let mut words = WordWriter { out: String::new(), names, terms, messages: BTreeMap::new() };
    let claims: Vec<String> = properties.iter().map(|property| property.value.clone()).collect();
    words.name_messages(&traffic, properties);
    let claim = words.enumeration("Claims, by their labels.", "Claim", &claims);
    let messages = words.messages.values().cloned().collect_vec();
    let message = words.enumeration("Messages, by their labels.", "Message", &messages);
    let types = WordTypes { claim, message };
    let mut given = words.of_runs(
        layout,
        &types,
        &claims,
        properties,
        &ExchangedMessages { sent: &traffic.sent, received: &received },
    );
    given.push(words.leaks(&types, &claims, properties));
    given.push(words.overheard(&types, &claims, properties));
    let aliases = words.imports(&types, &given, properties);
    let exchanges = [alike(&bindings, |binding| &binding.whole), alike(&bindings, |binding| &binding.part)];
    let exchanges = exchanges.each_ref().map(Vec::as_slice);
    let predicates = words.exchanges(&types, exchanges);
    words.vocabularies(&aliases, &claims, properties);
    words.bindings(&predicates, exchanges);
    words.out
}

/// The greatest number of messages of which all pairs are in a vocabulary.
const FEW_MESSAGES: usize = 24;

struct WordTypes {
    claim: String,
    message: String,
}

/// The names of the library's imports: for attacks, and for reachability.
struct Aliases {
    attacks: String,
    ways: String,
}

/// The sent messages, and the received ones.
struct ExchangedMessages<'t> {
    sent: &'t [Traffic],
    received: &'t [ReceivedTerms<'t>],
}

struct WordWriter<'n, 'a> {
    out: String,
    names: &'n mut TakenNames,
    terms: &'n RoleTerms<'a>,
    /// The values for messages, by label.
    messages: BTreeMap<String, String>,
}

impl WordWriter<'_, '_> {
    fn name_messages(&mut self, traffic: &AllTraffic, properties: &[TranslatedClaim]) {
        let exchanged = traffic.sent.iter().chain(&traffic.received).map(|traffic| &traffic.label);
        let disclosed = properties.iter().flat_map(|property| &property.disclosures).map(label_of);
        for label in exchanged.map(String::as_str).chain(disclosed) {
            if !self.messages.contains_key(label) {
                let wish = match label.trim_start_matches('!') {
                    "" if self.terms.threats.reveals.of_runs() => "revealed".to_owned(),
                    "" => "old_session".to_owned(),
                    label => format!("message_{label}"),
                };
                let name = self.names.fresh(&wish);
                self.messages.insert(label.to_owned(), name);
            }
        }
        if self.messages.is_empty() {
            // A type has at least one value.
            let name = self.names.fresh("no_message");
            self.messages.insert(String::new(), name);
        }
    }

    fn enumeration(&mut self, doc: &str, wish: &str, values: &[String]) -> String {
        let name = self.names.fresh(wish);
        let _ = writeln!(self.out, "/// {doc}\ntype {name} = enum {{ {} }};\n", values.join(", "));
        name
    }

    /// Defines the set of the `elements`, such as `p in Run`, for which a condition holds; returns its name.
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

    /// Defines a truth value; returns its name.
    fn condition(&mut self, doc: &str, wish: &str, parameters: &str, is: &Condition) -> String {
        let name = self.names.fresh(wish);
        let _ = writeln!(self.out, "/// {doc}\ndef {name}({parameters}): bool =\n  {};\n", is.text(2));
        name
    }

    fn done(&self, run: &str, traffic: &Traffic) -> Condition {
        let role = &self.terms.roles[traffic.role.index()];
        Condition::Is(format!("done({run}, {role}, {})", traffic.steps))
    }

    /// Returns the condition that the sender has made, in one of these messages, an encryption that the
    /// receiver has received. Encryptions that a run makes after receiving them do not count. Of a role's
    /// messages that make it alike, the first one counts.
    fn was_made(&self, received: &Traffic, made: &[Made], sent: &[Traffic]) -> Condition {
        let cases = made.iter().map(|made| {
            let message = &sent[made.sent];
            let later = message.role == received.role && message.steps >= received.steps;
            let other =
                if later { Condition::Is(format!("{SENDER} != {RECEIVER}")) } else { Condition::True };
            (message, Condition::all([other, made.by_sender.clone()]))
        });
        let cases = cases.unique_by(|(message, condition)| (message.role, condition.clone()));
        let cases = cases.map(|(message, condition)| Condition::all([self.done(SENDER, message), condition]));
        Condition::any(cases.collect_vec())
    }

    /// Returns the condition that the sender has made, for another place of the protocol, an encryption that
    /// the receiver has received, and nobody has made it for this place.
    fn confused(&self, received: &Traffic, part: &ReceivedEncryption, sent: &[Traffic]) -> Condition {
        let confused = self.was_made(received, &part.out_of_place, sent);
        let rightly = part.in_place.iter();
        let rightly = rightly.unique_by(|made| (sent[made.sent].role, made.by_rival.clone()));
        let rightly =
            rightly.map(|made| Condition::all([self.done(RIVAL, &sent[made.sent]), made.by_rival.clone()]));
        let rightly = Condition::exists(RIVAL, "Run", Condition::any(rightly.collect_vec()));
        Condition::all([confused, rightly.negated()])
    }

    /// Defines the library's arguments about runs and the terms that they take from each other.
    fn of_runs(
        &mut self,
        layout: &FormLayout,
        types: &WordTypes,
        claims: &[String],
        properties: &[TranslatedClaim],
        exchanged: &ExchangedMessages<'_>,
    ) -> Vec<String> {
        let claim = &types.claim;
        let broken = Condition::any(claims.iter().zip(properties).map(|(claim, property)| {
            Condition::all([Condition::Is(format!("c = {claim}")), property.broken.clone()])
        }));
        let doc = "The runs of which a claim is false.";
        let victims = self.set(doc, "victims", &format!("c: {claim}"), "q in Run", &broken);
        let ExchangedMessages { sent, received } = exchanged;
        let of_parts = |condition: &dyn Fn(&Traffic, &ReceivedEncryption) -> Condition| {
            let parts = received.iter().flat_map(|r| r.parts.iter().map(|part| (r.message, part)));
            let parts = parts.map(|(message, part)| (message, condition(message, part)));
            let parts = parts.unique_by(|(message, condition)| (message.role, condition.clone()));
            let parts = parts.map(|(message, made)| Condition::all([self.done(RECEIVER, message), made]));
            Condition::any(parts.collect_vec())
        };
        let in_place = of_parts(&|message, part| self.was_made(message, &part.in_place, sent));
        let out_of_place = of_parts(&|message, part| self.confused(message, part, sent));
        let doc = "The runs that made an encryption which a run receives at another place of the protocol, where nobody made it for this place.";
        let confuses = self.set(doc, "confuses", "q: Run", "p in Run", &out_of_place);
        let others = [holds(self.terms, layout, TermMaker::Run), in_place];
        let others = Condition::all([Condition::Is("p != q".to_owned()), Condition::any(others)]);
        let takes = Condition::any([Condition::Is(format!("p in {confuses}(q)")), others]);
        let doc = "The runs that made something which a run has received.";
        let takes = self.set(doc, "takes", "q: Run", "p in Run", &takes);
        let again = self.again(&takes, claim, claims, properties);
        let both = Condition::all(["p", "q"].map(|run| Condition::Is(format!("actor({run}, a)"))));
        let own = Condition::exists("a", "Agent", both);
        let own = self.set("The runs of the same agent.", "own", "q: Run", "p in Run", &own);
        let old = self.old();
        let foreign = self.foreign();
        let planted = holds(self.terms, layout, TermMaker::Attacker);
        let fooled =
            self.set("The runs that hold a value of the attacker.", "fooled", "", "q in Run", &planted);
        vec![
            format!("victims = map c in {claim}: {victims}(c)"),
            format!("takes = map q in Run: {takes}(q)"),
            format!("again = map c in {claim}: map q in Run: {again}"),
            format!("confuses = map q in Run: {confuses}(q)"),
            format!("own = map q in Run: {own}(q)"),
            format!("old = {old}, fooled = {fooled}"),
            format!("foreign = map q in Run: {foreign}(q)"),
        ]
    }

    /// Returns the runs from which another run of the same role and agents takes something, for claims of injective agreement; defines them if
    /// there are such claims.
    fn again(
        &mut self,
        takes: &str,
        claim: &str,
        claims: &[String],
        properties: &[TranslatedClaim],
    ) -> String {
        let injective = claims.iter().zip(properties).filter(|(_, property)| property.injective);
        let injective = Condition::any(injective.map(|(claim, _)| Condition::Is(format!("c = {claim}"))));
        if injective == Condition::False {
            return "{}".to_owned();
        }
        let same = Condition::forall("x", "Role", Condition::Is("agents[o][x] = agents[q][x]".to_owned()));
        let twin = ["o != q".to_owned(), "role[o] = role[q]".to_owned(), format!("p in {takes}(o)")];
        let twin = Condition::all(twin.map(Condition::Is).into_iter().chain([same]));
        let again = Condition::all([injective, Condition::exists("o", "Run", twin)]);
        let doc = "The runs from which another run of the same role and agents has received something, for claims of injective agreement.";
        self.set(doc, "again", &format!("c: {claim}, q: Run"), "p in Run", &again) + "(c, q)"
    }

    /// Returns the roles of old sessions: those of helpers that receive nothing.
    fn old_roles(&self) -> Vec<&str> {
        let script = self.terms.script;
        let sends_only = script.roles().filter(|role| {
            let helper = script.protocols.protocols[script.role(*role).protocol.index()].helper;
            helper && script.steps(*role).iter().all(|step| step.receives.is_none())
        });
        sends_only.map(|role| self.terms.roles[role.index()].as_str()).collect()
    }

    /// Returns the roles of each protocol that is no helper.
    fn protocols(&self) -> Vec<Vec<&str>> {
        let script = self.terms.script;
        let protocols = script.protocols.protocols.iter().filter(|protocol| !protocol.helper);
        let roles = protocols.map(|protocol| {
            protocol.roles.iter().map(|role| self.terms.roles[role.index()].as_str()).collect()
        });
        roles.collect()
    }

    /// Defines the runs of other protocols than that of a run, helpers aside.
    fn foreign(&mut self) -> String {
        let protocols = self.protocols();
        let plays = |run: &str, roles: &[&str]| {
            Condition::any(
                roles.iter().map(|role| Condition::Is(format!("role[{run}] = {role}"))).collect_vec(),
            )
        };
        let cases = protocols.iter().enumerate().map(|(own, roles)| {
            let others = protocols.iter().enumerate().filter(|(other, _)| *other != own);
            let others = others.flat_map(|(_, roles)| roles.iter().copied()).collect_vec();
            Condition::all([plays("q", roles), plays("p", &others)])
        });
        let foreign = Condition::any(cases.collect_vec());
        let doc = "The runs of other protocols.";
        self.set(doc, "foreign", "q: Run", "p in Run", &foreign)
    }

    /// Defines the set of runs of old sessions.
    fn old(&mut self) -> String {
        let roles = self.old_roles().into_iter().map(|role| Condition::Is(format!("role[q] = {role}")));
        let over = self.terms.threats.is_over("q");
        let roles = Condition::any(roles.chain(over).collect_vec());
        self.set("The runs of old sessions, which the attacker has recorded.", "old", "", "q in Run", &roles)
    }

    /// Defines the messages in which a run discloses a term that another one claims to be secret.
    fn leaks(&mut self, types: &WordTypes, claims: &[String], properties: &[TranslatedClaim]) -> String {
        let leaks = claims.iter().zip(properties).map(|(claim, property)| {
            let cases = property.disclosures.iter().map(|found| {
                let label = Condition::Is(format!("m = {}", self.messages[label_of(found)]));
                Condition::all([label, found.condition.clone()])
            });
            Condition::all([Condition::Is(format!("c = {claim}")), Condition::any(cases.collect_vec())])
        });
        let leaks = Condition::any(leaks.collect_vec());
        let WordTypes { claim, message } = types;
        let doc = format!(
            "The messages of run q out of which {ATTACKER} can take what run p claims to be a secret."
        );
        let parameters = format!("c: {claim}, p: Run, q: Run");
        let leaks = self.set(&doc, "leaks", &parameters, &format!("m in {message}"), &leaks);
        format!("leaks = map c in {claim}: map p in Run: map q in Run: {leaks}(c, p, q)")
    }

    /// Defines the runs whose secret some run sends in the clear.
    fn overheard(&mut self, types: &WordTypes, claims: &[String], properties: &[TranslatedClaim]) -> String {
        let overheard = claims.iter().zip(properties).map(|(claim, property)| {
            let clear = property.disclosures.iter().filter(|found| found.in_clear);
            let clear = Condition::any(clear.map(|found| found.condition.clone()).collect_vec());
            let sent = Condition::exists("q", "Run", clear);
            Condition::all([Condition::Is(format!("c = {claim}")), sent])
        });
        let overheard = Condition::any(overheard.collect_vec());
        let claim = &types.claim;
        let doc = "The runs whose secret some run sends in the clear.";
        let overheard = self.set(doc, "overheard", &format!("c: {claim}"), "p in Run", &overheard);
        format!("overheard = map c in {claim}: {overheard}(c)")
    }

    /// Defines the relations between received and sent messages, and their parts; returns the names of both predicates.
    fn exchanges(&mut self, types: &WordTypes, exchanges: [&[EqualMessages<'_>]; 2]) -> Vec<String> {
        let any = |name: &str, run: &str, messages: &[&Traffic]| {
            let each = messages.iter().map(|traffic| {
                let is = Condition::Is(format!("{name} = {}", self.messages[&traffic.label]));
                Condition::all([is, self.done(run, traffic)])
            });
            Condition::any(each.collect_vec())
        };
        let all = |alike: &[EqualMessages<'_>]| {
            Condition::any(alike.iter().map(|alike| {
                let received = any("m", RECEIVER, &alike.received);
                Condition::all([received, any("n", SENDER, &alike.sent), alike.condition.clone()])
            }))
        };
        let [whole, part] = exchanges.map(all);
        let WordTypes { message, .. } = types;
        let parameters = format!("q: Run, m: {message}, p: Run, n: {message}");
        let doc = "True if run q has received as message m what run p has sent as message n.";
        let whole = self.condition(doc, "is_message", &parameters, &whole);
        let doc = "True if an encryption in message m, which run q has received, is one that run p has made in message n.";
        let part = self.condition(doc, "has_part", &parameters, &part);
        let predicates = [
            ("bound", "Run r has received as message m exactly what run s has sent as message n.", &whole),
            (
                "part",
                "Run r has received in message m an encryption that run s has made for message n.",
                &part,
            ),
        ];
        let mut found = Vec::new();
        for (wish, doc, of) in predicates {
            let name = self.names.fresh(wish);
            let _ = writeln!(
                self.out,
                "/// {doc}\npred {name}(r: Run, m: {message}, s: Run, n: {message}, t: pos) = {of}(r, m, s, n)@t;\n"
            );
            found.push(name);
        }
        found
    }

    /// Imports the library with its arguments, for attacks and for reachability.
    fn imports(&mut self, types: &WordTypes, given: &[String], properties: &[TranslatedClaim]) -> Aliases {
        let aliases = Aliases { attacks: self.names.fresh("attacks"), ways: self.names.fresh("ways") };
        let WordTypes { claim, message } = types;
        for (alias, reachability) in [(&aliases.attacks, false), (&aliases.ways, true)] {
            if properties.iter().any(|property| property.claim.reachability == reachability) {
                let _ = writeln!(
                    self.out,
                    "import \"std/protocols.pred\" as {alias} with {{\n  Claim = {claim}, Message = {message},\n  {}\n}};\n",
                    given.join(",\n  ")
                );
            }
        }
        aliases
    }

    /// True if the vocabulary of a claim contains a pattern.
    fn speaks_of(&self, property: &TranslatedClaim, pattern: &LibraryPattern) -> bool {
        let secret = !property.disclosures.is_empty();
        let place = property.claim.reachability;
        match pattern.about {
            ClaimGroup::All => true,
            ClaimGroup::Secrets => secret,
            ClaimGroup::Partners => !secret && !place,
            ClaimGroup::Attacked => !place,
            ClaimGroup::Places => place,
            ClaimGroup::SeveralProtocols => self.protocols().len() > 1,
            ClaimGroup::Repeatable => {
                property.injective || !self.old_roles().is_empty() || self.terms.threats.reveals.old_sessions
            }
        }
    }

    fn vocabularies(&mut self, aliases: &Aliases, claims: &[String], properties: &[TranslatedClaim]) {
        for (claim, property) in claims.iter().zip(properties) {
            let alias = if property.claim.reachability { &aliases.ways } else { &aliases.attacks };
            let patterns = PATTERNS.iter().filter(|pattern| self.speaks_of(property, pattern));
            let mut items = patterns.map(|pattern| {
                let arguments =
                    [claim.as_str()].into_iter().chain(pattern.parameters.iter().copied()).chain(["t"]);
                format!("{alias}.{}({})", pattern.name, arguments.collect_vec().join(", "))
            });
            let items = items.join(",\n  ");
            let _ = writeln!(self.out, "vocabulary {} = {{\n  {items}\n}};\n", property.claim.property);
        }
    }

    /// Writes the vocabulary of bindings: of all pairs of messages if these are few, otherwise of those that
    /// can be equal; of several messages sent alike, the intended one, or the first one.
    fn bindings(&mut self, predicates: &[String], exchanges: [&[EqualMessages<'_>]; 2]) {
        let name = self.names.fresh("bindings");
        let label = |traffic: &Traffic| self.messages[&traffic.label].as_str();
        let mut items = predicates.iter().zip(exchanges).flat_map(|(predicate, alike)| {
            let pairs: Vec<[&str; 2]> = if self.messages.len() <= FEW_MESSAGES {
                vec![["m", "n"]]
            } else {
                let pairs = alike.iter().flat_map(|alike| {
                    alike.received.iter().map(|received| {
                        let meant = alike.sent.iter().find(|sent| sent.label == received.label);
                        [label(received), label(meant.unwrap_or(&alike.sent[0]))]
                    })
                });
                pairs.unique().collect()
            };
            pairs.into_iter().map(move |[m, n]| format!("{predicate}(r, {m}, s, {n}, t)"))
        });
        let items = items.join(",\n  ");
        if !items.is_empty() {
            let _ =
                writeln!(self.out, "/// Which message went where.\nvocabulary {name} = {{\n  {items}\n}};\n");
        }
    }
}

#[derive(Clone, Copy)]
enum TermMaker {
    /// Run `p`.
    Run,
    Attacker,
}

/// Returns the label of the message of a disclosure; empty for a loss with an old session.
fn label_of(disclosure: &Disclosure) -> &str {
    disclosure.label.as_deref().unwrap_or_default()
}

/// Returns the condition that run `q` holds a value that `maker` made. Values that a run does not inspect
/// count only as made by runs.
fn holds(terms: &RoleTerms<'_>, layout: &FormLayout, maker: TermMaker) -> Condition {
    let atom = |ty: TypeId, text: &str| {
        let atomic = &terms.sorts.atomic()[&ty];
        let own = &atomic.own_names;
        match maker {
            TermMaker::Run => {
                let constants = atomic.names.iter().filter(|name| terms.variable_of(name).is_none());
                let others =
                    own.iter().chain(constants).map(|own| Condition::Is(format!("{text}.name != {own}")));
                Condition::all([Condition::Is(format!("{text}.run = p"))].into_iter().chain(others))
            }
            TermMaker::Attacker => {
                Condition::any(own.iter().map(|own| Condition::Is(format!("{text}.name = {own}"))))
            }
        }
    };
    let mut cases = Vec::new();
    for role in terms.script.roles() {
        for (_, name, sort) in terms.received(role) {
            match (sort, maker) {
                (LeafKind::Agent, _) | (LeafKind::Ticket, TermMaker::Attacker) => {}
                (LeafKind::Atom(ty), _) => cases.push(atom(ty, &format!("{name}[q]"))),
                (LeafKind::Ticket, TermMaker::Run) => {
                    for (sort, slots) in &layout.slots {
                        if let LeafKind::Atom(ty) = sort {
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
