//! The forms of a file: protocols with their roles, and skeletons.

use super::list::{List, ListKind};
use super::terms::{self, Sort, Sorts, carried, names, sort_of, sorts, variable};
use crate::protocol::text::tree::{Name, TermKind, TermSyntax};
use kit::diagnostics::{Diagnostic, Span, nearest_word};

#[derive(Debug, Default)]
pub struct CpsaFile {
    pub protocols: Vec<CpsaProtocol>,
}

#[derive(Debug)]
pub struct CpsaProtocol {
    pub name: Name,
    pub roles: Vec<CpsaRole>,
    pub skeletons: Vec<Skeleton>,
}

#[derive(Debug)]
pub struct CpsaRole {
    pub name: Name,
    pub sorts: Sorts,
    pub trace: Vec<CpsaEvent>,
    pub assumed: Assumed,
}

#[derive(Debug, Clone)]
pub struct CpsaEvent {
    pub sends: bool,
    pub content: TermSyntax,
    pub span: Span,
}

/// Assumptions about the origin of values.
#[derive(Debug, Clone, Default)]
pub struct Assumed {
    /// Values that the attacker does not have, and that no message carries.
    pub non_originating: Vec<Assumption>,
    /// Values that the attacker does not have from the beginning.
    pub unguessable: Vec<Assumption>,
    /// Values that are made once.
    pub unique: Vec<Assumption>,
}

/// An assumption about the origin of a value.
#[derive(Debug, Clone)]
pub struct Assumption {
    pub term: TermSyntax,
    /// In a role: the event, from 0, with which it begins to hold.
    pub from: usize,
}

impl CpsaRole {
    /// The variables of which each run makes the values, from the event on in which they first occur.
    pub fn unique(&self) -> impl Iterator<Item = &str> {
        let names = self.assumed.unique.iter().filter_map(|Assumption { term, from }| {
            let name = variable(term)?;
            let has = |event: &CpsaEvent| names(&event.content).contains(&name);
            self.trace.iter().position(has).filter(|first| from <= first).map(|_| name)
        });
        names.filter(|name| begins(&self.trace, name) == Some(true))
    }
}

/// True if a trace sends a value, perhaps in a key or a hash, before it receives the value; `None` if it has no such value.
pub fn begins(trace: &[CpsaEvent], name: &str) -> Option<bool> {
    let first = trace.iter().find(|event| names(&event.content).contains(&name))?;
    Some(first.sends && originates(trace, name) != Some(false))
}

/// True if a trace sends a value outside of keys and hashes before it receives the value in that way; `None` if it does neither.
pub fn originates(trace: &[CpsaEvent], name: &str) -> Option<bool> {
    let carries = |event: &&CpsaEvent| {
        let mut found = false;
        carried(&event.content, &mut |part| found |= variable(part) == Some(name));
        found
    };
    trace.iter().find(carries).map(|event| event.sends)
}

/// Strands of which one asks for what else happened.
#[derive(Debug)]
pub struct Skeleton {
    /// The place among the skeletons of the file, from 1.
    pub number: usize,
    pub sorts: Sorts,
    pub strands: Vec<Strand>,
    /// The terms that listeners hear.
    pub listeners: Vec<TermSyntax>,
    pub assumed: Assumed,
    pub span: Span,
}

#[derive(Debug)]
pub struct Strand {
    /// The place of its role in the protocol.
    pub role: usize,
    /// How many events have happened.
    pub height: usize,
    /// Parameters of the role with their terms.
    pub values: Vec<(Name, TermSyntax)>,
}

/// The algebra that is read.
const ALGEBRA: &str = "basic";

/// The help where an assumption is left out.
pub const STILL_HOLDS: &str = "claims that hold without it also hold with it";

/// Parts of protocols and skeletons that say nothing about executions.
const NOTES: &[&str] =
    &["comment", "url", "note", "label", "parent", "traces", "operation", "origs", "ugens", "goals"];

/// Reads the forms of a file. The file lacks what is wrong.
pub fn file(lists: &[List]) -> (CpsaFile, Vec<Diagnostic>) {
    let mut reader = FormReader {
        file: CpsaFile::default(),
        found: Vec::new(),
        skeletons: 0,
        goals: 0,
        refused: Vec::new(),
    };
    for list in lists {
        match list.form() {
            Some(("herald" | "comment", _)) => {}
            Some(("defprotocol", rest)) => reader.protocol(list.span, rest),
            Some(("defskeleton", rest)) => reader.skeleton(list.span, rest),
            Some(("defgoal", _)) => {
                reader.goals += 1;
                if reader.goals == 1 {
                    let message = "goals are left out";
                    reader.warn(list.span, message, "write skeletons for the questions: `(defskeleton …)`");
                }
            }
            Some(("include", _)) => {
                let help = "copy the contents of that file here";
                reader.mistake(list.span, "`include` is not supported: a protocol file stands alone", help);
            }
            Some((other, _)) => {
                let known = ["herald", "defprotocol", "defskeleton", "defgoal", "defmacro"];
                let help = "a file has `defprotocol`, `defskeleton`, `defmacro` and `herald`";
                let help = meant(other, known.into_iter(), help);
                reader.mistake(list.span, format!("`{other}` is not supported"), help);
            }
            None => {
                reader.mistake(list.span, "this is no form", "a form is `(defprotocol …)`, `(defskeleton …)`")
            }
        }
    }
    if lists.is_empty() || reader.file.protocols.is_empty() && reader.found.is_empty() {
        let message = "the file has no protocol";
        reader.found.push(
            match lists.first() {
                Some(list) => Diagnostic::error(list.span, message),
                None => Diagnostic::error_without_place(message),
            }
            .with_help("write `(defprotocol name basic (defrole …))`"),
        );
    }
    (reader.file, reader.found)
}

struct FormReader {
    file: CpsaFile,
    found: Vec<Diagnostic>,
    skeletons: usize,
    goals: usize,
    /// The names of protocols with mistakes: nothing is said about their skeletons.
    refused: Vec<String>,
}

impl FormReader {
    fn mistake(&mut self, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.found.push(Diagnostic::error(span, message).with_help(help));
    }

    fn warn(&mut self, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.found.push(Diagnostic::warning(span, message).with_help(help));
    }

    /// The number of mistakes so far.
    fn mistakes(&self) -> usize {
        self.found.iter().filter(|found| found.is_error()).count()
    }

    fn protocol(&mut self, span: Span, rest: &[List]) {
        let head = match rest {
            [name, algebra, members @ ..] => name.named().zip(algebra.named()).map(|head| (head, members)),
            _ => None,
        };
        let Some(((name, algebra), members)) = head else {
            let message = "a protocol has a name and an algebra";
            return self.mistake(span, message, "write `(defprotocol name basic …)`");
        };
        let mistakes = self.mistakes();
        if algebra.text != ALGEBRA {
            let message = format!("the algebra `{}` is not supported", algebra.text);
            self.mistake(algebra.span, message, "protocols over the algebra `basic` are read");
            self.refused.push(name.text);
            return;
        }
        let mut roles: Vec<CpsaRole> = Vec::new();
        for member in members {
            match member.form() {
                Some(("defrole", rest)) => {
                    if let Some(role) = self.role(member.span, rest) {
                        if roles.iter().any(|other| other.name.text == role.name.text) {
                            let message = format!("role `{}` is described twice", role.name.text);
                            self.mistake(role.name.span, message, "give one of them another name");
                        }
                        roles.push(role);
                    }
                }
                Some(("defrule" | "defgenrule", _)) => {
                    self.warn(member.span, "this rule is left out: attacks may break it", STILL_HOLDS)
                }
                Some(("lang", _)) => {
                    self.mistake(
                        member.span,
                        "`lang` is not supported",
                        "use `enc`, `hash`, `pubk`, `privk` and `ltk`",
                    );
                }
                Some((note, _)) if NOTES.contains(&note) => {}
                Some((other, _)) => {
                    let message = format!("`{other}` is left out: attacks may break it");
                    self.warn(member.span, message, STILL_HOLDS);
                }
                _ => self.mistake(
                    member.span,
                    "this is no part of a protocol",
                    "a protocol has roles: `(defrole …)`",
                ),
            }
        }
        if roles.is_empty() && self.mistakes() == mistakes {
            let message = format!("protocol `{}` has no role", name.text);
            self.mistake(name.span, message, "write `(defrole name (vars …) (trace …))`");
        }
        if self.mistakes() > mistakes {
            self.refused.push(name.text.clone());
        }
        self.file.protocols.push(CpsaProtocol { name, roles, skeletons: Vec::new() });
    }

    fn role(&mut self, span: Span, rest: &[List]) -> Option<CpsaRole> {
        let (name, members) = rest.split_first()?;
        let (name, sorts) = (name.named()?, self.declared(members));
        let mut role = CpsaRole { name, sorts, trace: Vec::new(), assumed: Assumed::default() };
        for member in members {
            match member.form() {
                Some(("vars", _)) => {}
                Some(("trace", events)) => {
                    for event in events {
                        role.trace.extend(self.event(event, &role.sorts));
                    }
                }
                Some((key, rest)) => self.assumption(member.span, key, rest, &role.sorts, &mut role.assumed),
                None => {
                    self.mistake(member.span, "this is no part of a role", "a role has `vars` and a `trace`")
                }
            }
        }
        let is_told = |member: &List| matches!(member.form(), Some(("trace", [_, ..])));
        if !members.iter().any(is_told) {
            self.mistake(
                span,
                format!("role `{}` has no trace", role.name.text),
                "write `(trace (send m) (recv n))`",
            );
        }
        Some(role)
    }

    /// The variables of a role or a skeleton.
    fn declared(&mut self, members: &[List]) -> Sorts {
        let lists = members.iter().filter_map(|member| match member.form() {
            Some(("vars", rest)) => Some(sorts(rest, &mut self.found)),
            _ => None,
        });
        lists.flatten().collect()
    }

    fn event(&mut self, event: &List, sorts: &Sorts) -> Option<CpsaEvent> {
        let help = "an event is `(send m)` or `(recv m)`";
        match event.form() {
            Some((direction @ ("send" | "recv"), [content])) => match terms::term(content, sorts) {
                Ok(content) => Some(CpsaEvent { sends: direction == "send", content, span: event.span }),
                Err(mistake) => {
                    self.found.push(mistake);
                    None
                }
            },
            Some(("send" | "recv", [_, _])) => {
                self.mistake(event.span, "channels are not supported", help);
                None
            }
            Some((state @ ("load" | "stor"), _)) => {
                self.mistake(event.span, format!("`{state}` is not supported: roles have no state"), help);
                None
            }
            _ => {
                self.mistake(event.span, "this is no event", help);
                None
            }
        }
    }

    fn assumption(&mut self, span: Span, key: &str, rest: &[List], sorts: &Sorts, assumed: &mut Assumed) {
        let known = match key {
            "non-orig" => &mut assumed.non_originating,
            "pen-non-orig" => &mut assumed.unguessable,
            "uniq-orig" | "uniq-gen" => &mut assumed.unique,
            _ if NOTES.contains(&key) => return,
            _ => {
                let message = format!("`{key}` is left out: attacks may break it");
                return self.warn(span, message, STILL_HOLDS);
            }
        };
        for list in rest {
            // `(2 k)`: with event 2.
            let from = |first: &List| first.name().and_then(|first| first.parse().ok());
            let (from, list) = match list.parts() {
                [first, term] => from(first).map_or((0, list), |from| (from, term)),
                _ => (0, list),
            };
            match terms::term(list, sorts) {
                Ok(term) => known.push(Assumption { term, from }),
                Err(mistake) => self.found.push(mistake),
            }
        }
    }

    fn skeleton(&mut self, span: Span, rest: &[List]) {
        self.skeletons += 1;
        let Some((name, members)) = rest.split_first() else {
            return self.mistake(
                span,
                "a skeleton has a protocol",
                "write `(defskeleton name (vars …) (defstrand …))`",
            );
        };
        let text = name.name().unwrap_or_default();
        if self.refused.iter().any(|refused| refused == text) {
            return;
        }
        let Some(protocol) = self.file.protocols.iter().rposition(|protocol| protocol.name.text == text)
        else {
            let known = self.file.protocols.iter().map(|protocol| protocol.name.text.as_str());
            let help = meant(text, known, "describe it before: `(defprotocol name basic …)`");
            return self.mistake(name.span, format!("unknown protocol `{text}`"), help);
        };
        let mut skeleton = Skeleton {
            number: self.skeletons,
            sorts: self.declared(members),
            strands: Vec::new(),
            listeners: Vec::new(),
            assumed: Assumed::default(),
            span,
        };
        for member in members {
            match member.form() {
                Some(("vars", _)) => {}
                Some(("defstrand", rest)) => {
                    let strand = self.strand(member.span, rest, protocol, &skeleton.sorts);
                    skeleton.strands.extend(strand);
                }
                Some(("deflistener", [term])) => match terms::term(term, &skeleton.sorts) {
                    Ok(term) => skeleton.listeners.push(term),
                    Err(mistake) => self.found.push(mistake),
                },
                Some((key, rest)) => {
                    self.assumption(member.span, key, rest, &skeleton.sorts, &mut skeleton.assumed);
                }
                None => self.mistake(
                    member.span,
                    "this is no part of a skeleton",
                    "a skeleton has `vars`, strands and assumptions: `(defstrand init 3 (a a))`",
                ),
            }
        }
        self.file.protocols[protocol].skeletons.push(skeleton);
    }

    fn strand(&mut self, span: Span, rest: &[List], protocol: usize, sorts: &Sorts) -> Option<Strand> {
        let help = "write `(defstrand role height (parameter term) …)`";
        let [name, height, values @ ..] = rest else {
            self.mistake(span, "a strand has a role and a height", help);
            return None;
        };
        let text = name.name().unwrap_or_default();
        let roles = &self.file.protocols[protocol].roles;
        let Some(role) = roles.iter().position(|role| role.name.text == text) else {
            let help = meant(text, roles.iter().map(|role| role.name.text.as_str()), help);
            self.mistake(name.span, format!("the protocol has no role `{text}`"), help);
            return None;
        };
        let (length, parameters) = (roles[role].trace.len(), roles[role].sorts.clone());
        let Some(height) =
            height.name().and_then(|text| text.parse().ok()).filter(|at| (1..=length).contains(at))
        else {
            let message = format!("the height is not a number from 1 to {length}");
            self.mistake(height.span, message, format!("the trace of `{text}` has {length} events"));
            return None;
        };
        let mut strand = Strand { role, height, values: Vec::new() };
        for value in values {
            let [List { kind: ListKind::Name(parameter), span }, term] = value.parts() else {
                self.mistake(value.span, "a parameter has a term", "write `(a a)`");
                continue;
            };
            let name = Name { text: parameter.clone(), span: *span };
            match (sort_of(&parameters, parameter), terms::term(term, sorts)) {
                (None, _) => {
                    let help = meant(parameter, parameters.iter().map(|(name, _)| name.text.as_str()), help);
                    self.mistake(*span, format!("role `{text}` has no variable `{parameter}`"), help);
                }
                (Some(_), Err(mistake)) => self.found.push(mistake),
                (Some(sort), Ok(value)) => match fits(sort, &value, sorts) {
                    true => strand.values.push((name, value)),
                    false => {
                        let message = format!("this is no value for `{parameter}`");
                        self.mistake(
                            term.span,
                            message,
                            "the sorts of a parameter and its term are the same",
                        );
                    }
                },
            }
        }
        Some(strand)
    }
}

/// A question about a word that was meant, if one is near; otherwise the other help.
fn meant<'k>(word: &str, known: impl Iterator<Item = &'k str>, otherwise: &str) -> String {
    nearest_word(word, known, &[])
        .map_or_else(|| otherwise.to_owned(), |meant| format!("did you mean `{meant}`?"))
}

/// True if a term of a skeleton has the sort of a parameter.
fn fits(sort: Sort, value: &TermSyntax, sorts: &Sorts) -> bool {
    match (&value.kind, sort) {
        (_, Sort::Any) => true,
        (TermKind::Name(name), _) => sort_of(sorts, name).is_none_or(|of| of == sort),
        (TermKind::Apply { function, .. }, Sort::Asymmetric) => {
            function.text == terms::PUBLIC || function.text == terms::PRIVATE
        }
        (TermKind::Apply { function, .. }, Sort::Symmetric) => function.text == terms::SHARED,
        _ => false,
    }
}
