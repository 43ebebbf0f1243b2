//! Tokens: the keywords, signs, names and literals of a text, each with its place.

use kit::diagnostics::Span;
use std::collections::{BTreeSet, HashMap};

/// One token, with the doc comment (`/// …`) before it.
#[derive(Debug, Clone, PartialEq)]
pub struct SyntaxToken<'a> {
    /// The kind, with the value of a literal.
    pub kind: SyntaxKind,
    /// The text as written; empty at the end of the text.
    pub text: &'a str,
    /// The span of the token.
    pub span: Span,
    /// The doc comment directly before it, lines joined by `\n`.
    pub doc: Option<String>,
    /// True if it is the first token of its line.
    pub first_on_line: bool,
    /// True if unreadable characters before it were skipped and reported.
    pub after_unreadable: bool,
}

/// The kinds of tokens.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SyntaxKind {
    /// A name; also `next`, `before`, `size`, `A`, `E` and `U`, which are special only in a few places.
    Name,
    /// A number; `None` if it is out of range or malformed, which was reported.
    Integer(Option<i64>),
    /// A string in double quotes.
    Text,
    /// A keyword.
    Word(&'static str),
    /// A sign or a bracket.
    Sign(&'static str),
    /// A spelling from another language.
    Foreign(&'static Foreign),
    /// The end of the text.
    End,
}

/// A spelling from another language, recognised to give help on the spelling here.
#[derive(Debug, PartialEq)]
pub struct Foreign {
    /// The spelling in the other language.
    pub text: &'static str,
    /// The sign or keyword of this language with the same meaning, if there is exactly one.
    pub instead: Option<&'static str>,
    /// The help that says what to write here.
    pub help: &'static str,
}

impl<'a> SyntaxToken<'a> {
    /// The sign or keyword that this token is, or stands for.
    pub fn spelling(&self) -> Option<&'static str> {
        match self.kind {
            SyntaxKind::Word(spelling) | SyntaxKind::Sign(spelling) => Some(spelling),
            SyntaxKind::Foreign(foreign) => foreign.instead,
            SyntaxKind::Name | SyntaxKind::Integer(_) | SyntaxKind::Text | SyntaxKind::End => None,
        }
    }

    /// True if it is, or stands for, this sign or keyword.
    pub fn is(&self, spelling: &str) -> bool {
        self.spelling() == Some(spelling)
    }

    /// True if it is this name, for the words that are special only in a few places.
    pub fn is_name(&self, name: &str) -> bool {
        self.kind == SyntaxKind::Name && self.text == name
    }

    /// The content of a quoted string, without the quotes.
    pub fn unquoted(&self) -> &'a str {
        let content = self.text.strip_prefix('"').unwrap_or(self.text);
        content.strip_suffix('"').unwrap_or(content)
    }
}

/// True if a word cannot be a name, or reads like something else: a keyword, a word that is special in some places, or one of
/// another language.
pub fn is_reserved(word: &str) -> bool {
    const SPECIAL: &[&str] = &["before", "decisive", "ground", "lost", "next", "open", "pos", "safe", "size"];
    WORDS.contains(&word)
        || SPECIAL.contains(&word)
        || FOREIGN_WORDS.iter().any(|foreign| foreign.text == word)
}

/// The name that is most like a text: other characters than letters, digits and `_` become `_`.
pub fn as_name(text: &str) -> String {
    let kept: String = text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    match kept.chars().next() {
        None => "empty".into(),
        Some(c) if c.is_ascii_digit() => format!("n{kept}"),
        Some(_) => kept,
    }
}

/// The keywords, all reserved.
pub const WORDS: &[&str] = &[
    "AF",
    "AG",
    "AX",
    "EF",
    "EG",
    "EX",
    "absent",
    "across",
    "action",
    "always",
    "and",
    "as",
    "assume",
    "bool",
    "const",
    "constrain",
    "ctl",
    "def",
    "else",
    "enum",
    "environment",
    "eq",
    "eventually",
    "exists",
    "fairness",
    "false",
    "forall",
    "if",
    "import",
    "in",
    "init",
    "intersect",
    "invariant",
    "is",
    "lacks",
    "library",
    "ltl",
    "map",
    "match",
    "minus",
    "mod",
    "model",
    "modifies",
    "none",
    "not",
    "observe",
    "of",
    "option",
    "or",
    "otherwise",
    "pred",
    "record",
    "require",
    "requires",
    "set",
    "some",
    "subset",
    "symmetric",
    "then",
    "to",
    "true",
    "type",
    "union",
    "until",
    "value",
    "var",
    "variant",
    "vocabulary",
    "with",
];

/// The keywords that begin a declaration.
pub(super) const ITEM_WORDS: &[&str] = &[
    "import",
    "requires",
    "const",
    "symmetric",
    "type",
    "var",
    "init",
    "def",
    "action",
    "assume",
    "invariant",
    "ltl",
    "ctl",
    "fairness",
    "environment",
    "pred",
    "vocabulary",
];

/// The keywords that begin a statement.
pub(super) const STATEMENT_WORDS: &[&str] = &["require", "if", "match", "forall", "constrain"];

/// The signs and brackets.
pub const SIGNS: &[&str] = &[
    "<=>", "..", "!=", "<=", ">=", "=>", ";", ",", ":", ".", "(", ")", "{", "}", "[", "]", "=", "<", ">",
    "+", "-", "*", "/", "'", "@",
];

const fn foreign(text: &'static str, instead: &'static str, help: &'static str) -> Foreign {
    Foreign { text, instead: Some(instead), help }
}

const fn unknown(text: &'static str, help: &'static str) -> Foreign {
    Foreign { text, instead: None, help }
}

/// Words from other languages that cannot be names here.
pub static FOREIGN_WORDS: &[Foreign] = &[
    foreign("True", "true", "write `true`"),
    foreign("TRUE", "true", "write `true`"),
    foreign("False", "false", "write `false`"),
    foreign("FALSE", "false", "write `false`"),
];

/// Signs from other languages and from mathematical notation.
pub static FOREIGN_SIGNS: &[Foreign] = &[
    foreign("==", "=", "equality is a single `=`"),
    foreign("===", "=", "equality is a single `=`"),
    foreign(":=", "=", "write a single `=`; in an action, `x' = e` gives x its next value"),
    foreign("<>", "!=", "not equal is `!=`"),
    foreign("/=", "!=", "not equal is `!=`"),
    foreign("~=", "!=", "not equal is `!=`"),
    foreign("!==", "!=", "not equal is `!=`"),
    foreign("≠", "!=", "not equal is `!=`"),
    foreign("=<", "<=", "less than or equal is `<=`"),
    foreign("≤", "<=", "less than or equal is `<=`"),
    foreign("≥", ">=", "greater than or equal is `>=`"),
    foreign("&&", "and", "conjunction is `and`"),
    foreign("/\\", "and", "conjunction is `and`"),
    foreign("∧", "and", "conjunction is `and`"),
    foreign("&", "and", "conjunction is `and`; the common elements of two sets are `S intersect T`"),
    foreign("||", "or", "disjunction is `or`"),
    foreign("\\/", "or", "disjunction is `or`"),
    foreign("∨", "or", "disjunction is `or`"),
    foreign("|", "or", "disjunction is `or`; the domain of a variable is followed by `:`"),
    foreign("!", "not", "negation is `not`"),
    foreign("~", "not", "negation is `not`"),
    foreign("¬", "not", "negation is `not`"),
    foreign("->", "=>", "implication is `=>`; a map type is `map K to T`"),
    foreign("-->", "=>", "implication is `=>`"),
    foreign("==>", "=>", "implication is `=>`"),
    foreign("→", "=>", "implication is `=>`; a map type is `map K to T`"),
    foreign("⇒", "=>", "implication is `=>`"),
    foreign("<->", "<=>", "equivalence is `<=>`"),
    foreign("<==>", "<=>", "equivalence is `<=>`"),
    foreign("⇔", "<=>", "equivalence is `<=>`"),
    foreign("%", "mod", "the remainder is `mod`"),
    foreign("×", "*", "multiplication is `*`"),
    foreign("–", "-", "write the minus sign `-`"),
    foreign("−", "-", "write the minus sign `-`"),
    foreign("..=", "..", "`lo..hi` includes `hi`"),
    foreign("...", "..", "a range is `lo..hi`"),
    foreign("…", "..", "a range is `lo..hi`"),
    foreign("::", ":", "write a single `:`"),
    foreign("∈", "in", "membership is `in`"),
    foreign("∪", "union", "write `union`"),
    foreign("∩", "intersect", "write `intersect`"),
    foreign("⊆", "subset", "write `subset`"),
    foreign("∀", "forall", "write `forall x in S: …`"),
    foreign("∃", "exists", "write `exists x in S: …`"),
    foreign("□", "always", "write `always`"),
    foreign("◇", "eventually", "write `eventually`"),
    foreign("’", "'", "the prime is the plain apostrophe `'`"),
    foreign("′", "'", "the prime is the plain apostrophe `'`"),
    foreign("\\A", "forall", "write `forall x in S: …`"),
    foreign("\\E", "exists", "write `exists x in S: …`"),
    foreign("\\in", "in", "membership is `in`"),
    foreign("\\cup", "union", "write `union`"),
    foreign("\\union", "union", "write `union`"),
    foreign("\\cap", "intersect", "write `intersect`"),
    foreign("\\intersect", "intersect", "write `intersect`"),
    foreign("\\subseteq", "subset", "write `subset`"),
    foreign("\\land", "and", "conjunction is `and`"),
    foreign("\\lor", "or", "disjunction is `or`"),
    foreign("\\lnot", "not", "negation is `not`"),
    foreign("\\neg", "not", "negation is `not`"),
    foreign("\\leq", "<=", "less than or equal is `<=`"),
    foreign("\\geq", ">=", "greater than or equal is `>=`"),
    foreign("\\div", "/", "division is `/`"),
    unknown("\\notin", "write `not in`"),
    unknown("..<", "`lo..hi` includes `hi`: write `lo..hi - 1`"),
    unknown("[]<>", "write `always eventually e`"),
    unknown("~>", "write `always (p => eventually q)`"),
    unknown("∉", "write `not in`"),
    unknown("∅", "the empty set is `{}`"),
    unknown("\\", "set difference is `minus`"),
    unknown("++", "write `x' = x + 1`; set union is `union`, and one sequence after another `concat(q, r)`"),
    unknown("\\o", "one sequence after another is `concat(q, r)`"),
    unknown("\\circ", "one sequence after another is `concat(q, r)`"),
    unknown("+=", "write `x' = x + …`"),
    unknown("-=", "write `x' = x - …`"),
    unknown("*=", "write `x' = x * …`"),
    unknown("**", "there is no power operator"),
    unknown("^", "there is no power operator; conjunction is `and`"),
    unknown("?", "a conditional is `if c then a else b`"),
    unknown(
        "#",
        "the number of elements is `size(S)`, of those with a property `count x in S: c`; comments start with `//`",
    ),
];

/// Longer names than this, in bytes, are not taken over.
const LONGEST: usize = 1_000;

/// Names that are in use.
#[derive(Debug, Default)]
pub struct NameSupply {
    taken: BTreeSet<String>,
    /// For each name that was wanted the number to try next at its end.
    numbers: HashMap<String, usize>,
}

impl NameSupply {
    /// No names.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name that is most like the one that is wanted, or another one, and that nothing else has.
    pub fn unused(&mut self, wanted: Option<&str>, otherwise: &str) -> String {
        let short = wanted.filter(|name| name.len() <= LONGEST);
        let wanted = short.map_or_else(|| otherwise.to_owned(), as_name);
        let number = self.numbers.entry(wanted.clone()).or_insert(2);
        let mut own = wanted.clone();
        while is_reserved(&own) || !self.taken.insert(own.clone()) {
            own = format!("{wanted}_{number}");
            *number += 1;
        }
        own
    }

    /// All names that were given.
    pub fn taken(self) -> BTreeSet<String> {
        self.taken
    }
}
