//! Terms of the algebra `basic`, as terms of protocol files.

use super::list::{List, ListKind};
use crate::protocol::text::tree::{Name, TermKind, TermSyntax};
use kit::diagnostics::{Diagnostic, Span};
use std::collections::{BTreeMap, HashMap};

pub const PUBLIC: &str = "pubk";
pub const PRIVATE: &str = "privk";
pub const SHARED: &str = "ltk";
pub const HASH: &str = "hash";
/// The function for values from outside: of each value that the attacker has, and of secret constants.
pub const OUTSIDE: &str = "given";
/// The agent of the attacker.
pub const ATTACKER: &str = "Eve";
/// The key pair of which the attacker has the private key.
pub const LOST_KEY: &str = "lost-key";

/// The sorts of variables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    Name,
    Text,
    Data,
    Symmetric,
    Asymmetric,
    Any,
    Tag,
}

impl Sort {
    const ALL: [(&str, Sort); 7] = [
        ("name", Sort::Name),
        ("text", Sort::Text),
        ("data", Sort::Data),
        ("skey", Sort::Symmetric),
        ("akey", Sort::Asymmetric),
        ("mesg", Sort::Any),
        ("tag", Sort::Tag),
    ];

    /// The type of its values in a protocol file; nothing for any term.
    pub fn type_name(self) -> Option<&'static str> {
        match self {
            Sort::Name => Some("Agent"),
            Sort::Text => Some("Text"),
            Sort::Data => Some("Data"),
            Sort::Symmetric => Some("Key"),
            Sort::Asymmetric => Some("KeyName"),
            Sort::Tag => Some("Tag"),
            Sort::Any => None,
        }
    }
}

/// Variables in the order of their declarations.
pub type Sorts = Vec<(Name, Sort)>;

pub fn sort_of(sorts: &Sorts, name: &str) -> Option<Sort> {
    sorts.iter().rev().find(|(known, _)| known.text == name).map(|(_, sort)| *sort)
}

/// Reads `(vars (a b name) (n text))`.
pub fn sorts(lists: &[List], mistakes: &mut Vec<Diagnostic>) -> Sorts {
    let mut found = Sorts::new();
    for list in lists {
        let help = "variables come before their sort: `(a b name)`";
        let names: Option<Vec<Name>> = list.parts().iter().map(List::named).collect();
        let Some((sort, names)) = names.as_deref().and_then(<[Name]>::split_last) else {
            mistakes.push(Diagnostic::error(list.span, "these are no variables with a sort").with_help(help));
            continue;
        };
        match Sort::ALL.iter().find(|(known, _)| *known == sort.text) {
            Some((_, sort)) => found.extend(names.iter().map(|name| (name.clone(), *sort))),
            None => {
                let known = Sort::ALL.map(|(name, _)| name).join(", ");
                let mistake = Diagnostic::error(sort.span, format!("unknown sort `{}`", sort.text));
                mistakes.push(mistake.with_help(format!("the algebra `basic` has {known}")));
            }
        }
    }
    found
}

pub fn name_term(name: &str, span: Span) -> TermSyntax {
    TermSyntax { kind: TermKind::Name(name.to_owned()), span }
}

pub fn applied(function: &str, arguments: Vec<TermSyntax>, span: Span) -> TermSyntax {
    let function = Name { text: function.to_owned(), span };
    TermSyntax { kind: TermKind::Apply { function, arguments }, span }
}

pub fn tuple(mut terms: Vec<TermSyntax>, span: Span) -> TermSyntax {
    match terms.len() {
        1 => terms.swap_remove(0),
        _ => TermSyntax { kind: TermKind::Tuple(terms), span },
    }
}

/// The name of the constant for a text between quotes.
pub fn tag(text: &str) -> String {
    format!("\"{text}\"")
}

/// Reads a term. Variables of key pairs are names of these: `k` is `pubk(k)`, and `(invk k)` is `privk(k)`.
///
/// # Errors
/// The first mistake.
pub fn term(list: &List, sorts: &Sorts) -> Result<TermSyntax, Diagnostic> {
    let span = list.span;
    let mistake = |message: String, help: &str| Err(Diagnostic::error(span, message).with_help(help));
    let (head, rest) = match &list.kind {
        ListKind::Text(text) => return Ok(name_term(&tag(text), span)),
        ListKind::Name(name) => {
            return match sort_of(sorts, name) {
                Some(Sort::Asymmetric) => Ok(applied(PUBLIC, vec![name_term(name, span)], span)),
                Some(_) => Ok(name_term(name, span)),
                None => mistake(format!("unknown variable `{name}`"), "declare it in `vars` with its sort"),
            };
        }
        ListKind::List(_) => match list.form() {
            Some(form) => form,
            None => {
                return mistake("this is not a term".to_owned(), "terms are `n`, `(cat n m)`, `(enc n k)`");
            }
        },
    };
    let terms = || rest.iter().map(|part| term(part, sorts)).collect::<Result<Vec<_>, _>>();
    let read = match (head, rest.len()) {
        ("cat", 1..) => tuple(terms()?, span),
        ("hash", 1..) => applied(HASH, terms()?, span),
        ("enc", 2..) => {
            let mut body = terms()?;
            let key = body.pop().map(Box::new);
            let key = key.unwrap_or_else(|| unreachable!("two terms at least"));
            TermSyntax { kind: TermKind::Encrypted { body, key }, span }
        }
        ("pubk", 1 | 2) => applied(PUBLIC, names_after_tag(rest, sorts)?, span),
        ("privk", 1 | 2) => applied(PRIVATE, names_after_tag(rest, sorts)?, span),
        ("ltk", 2) => {
            applied(SHARED, rest.iter().map(|part| name(part, sorts)).collect::<Result<_, _>>()?, span)
        }
        ("invk", 1) => match term(&rest[0], sorts)?.kind {
            TermKind::Apply { function, arguments } if function.text == PUBLIC => {
                applied(PRIVATE, arguments, span)
            }
            TermKind::Apply { function, arguments } if function.text == PRIVATE => {
                applied(PUBLIC, arguments, span)
            }
            _ => {
                return mistake(
                    "`invk` is for asymmetric keys".to_owned(),
                    "`(invk k)` belongs to `k` of sort `akey`",
                );
            }
        },
        ("cat" | "hash" | "enc" | "pubk" | "privk" | "ltk" | "invk", count) => {
            return mistake(
                format!("`{head}` does not take {count} terms"),
                "terms are `(cat n m)`, `(enc n k)`, `(hash n)`, `(pubk a)`, `(privk a)`, `(ltk a b)`, `(invk k)`",
            );
        }
        _ => {
            return mistake(
                format!("`{head}` is no function of the algebra `basic`"),
                "it has cat, enc, hash, pubk, privk, ltk and invk",
            );
        }
    };
    Ok(read)
}

fn names_after_tag(rest: &[List], sorts: &Sorts) -> Result<Vec<TermSyntax>, Diagnostic> {
    let (last, tags) = rest.split_last().unwrap_or_else(|| unreachable!("one term at least"));
    let tags = tags.iter().map(|part| match &part.kind {
        ListKind::Text(text) => Ok(name_term(&tag(text), part.span)),
        _ => Err(Diagnostic::error(part.span, "this is not a text between quotes")
            .with_help("write `(pubk \"sign\" a)`")),
    });
    tags.chain([name(last, sorts)]).collect()
}

fn name(list: &List, sorts: &Sorts) -> Result<TermSyntax, Diagnostic> {
    match list.name().map(|name| (name, sort_of(sorts, name))) {
        Some((name, Some(Sort::Name))) => Ok(name_term(name, list.span)),
        _ => Err(Diagnostic::error(list.span, "keys belong to variables of sort `name`")
            .with_help("declare `(a name)`")),
    }
}

/// The terms in a term, from left to right.
pub fn parts(term: &TermSyntax) -> Vec<&TermSyntax> {
    match &term.kind {
        TermKind::Name(_) => Vec::new(),
        TermKind::Apply { arguments: parts, .. } | TermKind::Tuple(parts) => parts.iter().collect(),
        TermKind::Encrypted { body, key } => body.iter().chain([&**key]).collect(),
    }
}

/// Visits a term and all its parts.
pub fn walk<'t>(term: &'t TermSyntax, visit: &mut impl FnMut(&'t TermSyntax)) {
    visit(term);
    parts(term).into_iter().for_each(|part| walk(part, visit));
}

/// The variables and constants in a term, from left to right.
pub fn names(term: &TermSyntax) -> Vec<&str> {
    let mut found = Vec::new();
    walk(term, &mut |part| {
        if let TermKind::Name(name) = &part.kind {
            found.push(name.as_str());
        }
    });
    found
}

/// The name of a variable or constant, also if it names a key pair of which this is the public key.
pub fn variable(term: &TermSyntax) -> Option<&str> {
    match &term.kind {
        TermKind::Name(name) => Some(name),
        TermKind::Apply { function, arguments } if function.text == PUBLIC => match &arguments[..] {
            [TermSyntax { kind: TermKind::Name(name), .. }] => Some(name),
            _ => None,
        },
        _ => None,
    }
}

/// A term with other terms for its variables.
pub fn with(term: &TermSyntax, values: &HashMap<String, TermSyntax>) -> TermSyntax {
    let all = |terms: &[TermSyntax]| terms.iter().map(|part| with(part, values)).collect::<Vec<_>>();
    let kind = match &term.kind {
        TermKind::Name(name) => match values.get(name) {
            Some(value) => value.kind.clone(),
            None => term.kind.clone(),
        },
        TermKind::Apply { function, arguments } => {
            TermKind::Apply { function: function.clone(), arguments: all(arguments) }
        }
        TermKind::Tuple(terms) => TermKind::Tuple(all(terms)),
        TermKind::Encrypted { body, key } => {
            TermKind::Encrypted { body: all(body), key: Box::new(with(key, values)) }
        }
    };
    TermSyntax { kind, span: term.span }
}

/// True if two terms are equal wherever they are.
pub fn same(one: &TermSyntax, other: &TermSyntax) -> bool {
    let (ones, others) = (parts(one), parts(other));
    let is_same_kind = match (&one.kind, &other.kind) {
        (TermKind::Name(one), TermKind::Name(other)) => one == other,
        (TermKind::Apply { function: one, .. }, TermKind::Apply { function: other, .. }) => {
            one.text == other.text
        }
        (TermKind::Tuple(_), TermKind::Tuple(_))
        | (TermKind::Encrypted { .. }, TermKind::Encrypted { .. }) => true,
        _ => false,
    };
    is_same_kind && ones.len() == others.len() && ones.iter().zip(others).all(|(one, other)| same(one, other))
}

/// A term as one flat list, tuples in tuples apart, to be compared with another one.
fn flat(term: &TermSyntax) -> Vec<&TermSyntax> {
    match &term.kind {
        TermKind::Tuple(parts) => parts.iter().flat_map(flat).collect(),
        _ => vec![term],
    }
}

/// True unless two terms of different roles certainly differ. Variables of atomic sorts stand for atomic terms.
pub fn can_fit(one: [&[TermSyntax]; 2], sorts: [&Sorts; 2]) -> bool {
    let [ones, others] = one.map(|terms| terms.iter().flat_map(flat).collect::<Vec<_>>());
    let is_any = |term: &TermSyntax, sorts: &Sorts| matches!(&term.kind, TermKind::Name(name) if sort_of(sorts, name) == Some(Sort::Any));
    for at in 0.. {
        match (ones.get(at), others.get(at)) {
            (None, None) => return true,
            (Some(one), _) if is_any(one, sorts[0]) && at + 1 == ones.len() => return true,
            (_, Some(other)) if is_any(other, sorts[1]) && at + 1 == others.len() => return true,
            (Some(one), Some(other)) => {
                if is_any(one, sorts[0]) || is_any(other, sorts[1]) {
                    continue;
                }
                if !can_be(one, other, sorts) {
                    return false;
                }
            }
            _ => return false,
        }
    }
    true
}

fn can_be(one: &TermSyntax, other: &TermSyntax, sorts: [&Sorts; 2]) -> bool {
    match (&one.kind, &other.kind) {
        (TermKind::Name(a), TermKind::Name(b)) => match (sort_of(sorts[0], a), sort_of(sorts[1], b)) {
            (None, None) => a == b,
            (Some(a), Some(b)) => a == b,
            (Some(sort), None) | (None, Some(sort)) => sort == Sort::Tag,
        },
        (TermKind::Name(a), TermKind::Apply { function, .. }) => {
            sort_of(sorts[0], a) == Some(Sort::Symmetric) && function.text == SHARED
        }
        (TermKind::Apply { function, .. }, TermKind::Name(b)) => {
            sort_of(sorts[1], b) == Some(Sort::Symmetric) && function.text == SHARED
        }
        (TermKind::Apply { function: f, arguments: a }, TermKind::Apply { function: g, arguments: b }) => {
            f.text == g.text && (f.text != HASH || can_fit([a, b], sorts))
        }
        (TermKind::Encrypted { body: a, key: k }, TermKind::Encrypted { body: b, key: l }) => {
            can_fit([a, b], sorts) && (is_composed(k) || is_composed(l) || can_be(k, l, sorts))
        }
        _ => false,
    }
}

fn is_composed(term: &TermSyntax) -> bool {
    matches!(term.kind, TermKind::Tuple(_) | TermKind::Encrypted { .. })
}

/// The parts of a message that are carried: those in no key and no hash.
pub fn carried<'t>(term: &'t TermSyntax, visit: &mut impl FnMut(&'t TermSyntax)) {
    visit(term);
    match &term.kind {
        TermKind::Tuple(parts) => parts.iter().for_each(|part| carried(part, visit)),
        TermKind::Encrypted { body, .. } => body.iter().for_each(|part| carried(part, visit)),
        TermKind::Name(_) | TermKind::Apply { .. } => {}
    }
}

/// Names for a protocol file, which has fewer signs in its names, each unused so far.
#[derive(Debug, Default, Clone)]
pub struct PlainNames {
    given: BTreeMap<String, String>,
    taken: Vec<String>,
}

impl PlainNames {
    pub fn reserve(&mut self, name: &str) {
        self.taken.push(name.to_owned());
    }

    /// The plain name for a name, always the same.
    pub fn plain(&mut self, name: &str) -> String {
        if let Some(plain) = self.given.get(name) {
            return plain.clone();
        }
        let kept = |c: char| if c.is_ascii_alphanumeric() || "-^'".contains(c) { c } else { '-' };
        let mut plain: String = name.trim_matches('"').chars().map(kept).collect();
        if plain.is_empty() {
            plain.push('-');
        }
        while self.taken.contains(&plain) {
            plain.push('\'');
        }
        self.taken.push(plain.clone());
        self.given.insert(name.to_owned(), plain.clone());
        plain
    }

    /// A name for a variable of a role, different from all plain names.
    pub fn own(&mut self, name: &str) -> String {
        self.given.remove(name);
        self.plain(name)
    }

    /// A label, with the signs of a protocol file.
    pub fn kept(&self, label: &str) -> String {
        PlainNames::default().plain(label)
    }
}
