//! Tokens: the words, signs, names and literals of a text, each with its place.

use crate::diagnostics::Span;

/// One token. The doc comment (`/// …`) before it travels with it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Token<'a> {
    /// What it is.
    pub kind: Kind,
    /// As written; empty at the end of the text.
    pub text: &'a str,
    /// Its place.
    pub span: Span,
    /// The doc comment right before it, lines joined by `\n`.
    pub doc: Option<String>,
    /// Whether it is the first token of its line.
    pub first_on_line: bool,
    /// Whether characters before it were skipped and reported.
    pub after_unreadable: bool,
}

/// The kinds of tokens.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Kind {
    /// A name; `next`, `before`, `size`, `A`, `E`, `U` too, which are special in few places only.
    Name,
    /// A number; `None` when it could not be read, which was reported.
    Integer(Option<i64>),
    /// A text in double quotes.
    Text,
    /// A keyword.
    Word(&'static str),
    /// A sign or a bracket.
    Sign(&'static str),
    /// A spelling that other languages have.
    Foreign(&'static Foreign),
    /// The end of the text.
    End,
}

/// A spelling of another language, understood only to say what to write here.
#[derive(Debug, PartialEq)]
pub(super) struct Foreign {
    /// The spelling.
    pub text: &'static str,
    /// The sign or word of this language that it stands for, if there is exactly one.
    pub instead: Option<&'static str>,
    /// What to write.
    pub help: &'static str,
}

impl<'a> Token<'a> {
    /// The sign or keyword that this token is, or stands for.
    pub fn spelling(&self) -> Option<&'static str> {
        match self.kind {
            Kind::Word(spelling) | Kind::Sign(spelling) => Some(spelling),
            Kind::Foreign(foreign) => foreign.instead,
            Kind::Name | Kind::Integer(_) | Kind::Text | Kind::End => None,
        }
    }

    /// Whether it is, or stands for, this sign or keyword.
    pub fn is(&self, spelling: &str) -> bool {
        self.spelling() == Some(spelling)
    }

    /// Whether it is this name, for the words that are special in few places only.
    pub fn is_name(&self, name: &str) -> bool {
        self.kind == Kind::Name && self.text == name
    }

    /// The content of a text in quotes.
    pub fn unquoted(&self) -> &'a str {
        let content = self.text.strip_prefix('"').unwrap_or(self.text);
        content.strip_suffix('"').unwrap_or(content)
    }
}

/// The keywords, all reserved.
pub(super) const WORDS: &[&str] = &[
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
    "then",
    "to",
    "true",
    "type",
    "union",
    "until",
    "value",
    "var",
    "vocabulary",
    "with",
];

/// The keywords that begin a declaration.
pub(super) const ITEM_WORDS: &[&str] = &[
    "import",
    "requires",
    "const",
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
    "pred",
    "vocabulary",
];

/// The keywords that begin a statement.
pub(super) const STATEMENT_WORDS: &[&str] = &["require", "if", "forall", "constrain"];

/// The signs and brackets.
pub(super) const SIGNS: &[&str] = &[
    "<=>", "..", "!=", "<=", ">=", "=>", ";", ",", ":", ".", "(", ")", "{", "}", "[", "]", "=", "<", ">",
    "+", "-", "*", "/", "'", "@",
];

const fn foreign(text: &'static str, instead: &'static str, help: &'static str) -> Foreign {
    Foreign { text, instead: Some(instead), help }
}

const fn unknown(text: &'static str, help: &'static str) -> Foreign {
    Foreign { text, instead: None, help }
}

/// Words of other languages that cannot be names here.
pub(super) static FOREIGN_WORDS: &[Foreign] = &[
    foreign("True", "true", "write `true`"),
    foreign("TRUE", "true", "write `true`"),
    foreign("False", "false", "write `false`"),
    foreign("FALSE", "false", "write `false`"),
];

/// Signs of other languages and of blackboards.
pub(super) static FOREIGN_SIGNS: &[Foreign] = &[
    foreign("==", "=", "equality is a single `=`"),
    foreign("===", "=", "equality is a single `=`"),
    foreign(":=", "=", "write a single `=`; in an action, `x' = e` gives x its next value"),
    foreign("<>", "!=", "not equal is `!=`"),
    foreign("/=", "!=", "not equal is `!=`"),
    foreign("~=", "!=", "not equal is `!=`"),
    foreign("!==", "!=", "not equal is `!=`"),
    foreign("≠", "!=", "not equal is `!=`"),
    foreign("=<", "<=", "less or equal is `<=`"),
    foreign("≤", "<=", "less or equal is `<=`"),
    foreign("≥", ">=", "greater or equal is `>=`"),
    foreign("&&", "and", "conjunction is `and`"),
    foreign("/\\", "and", "conjunction is `and`"),
    foreign("∧", "and", "conjunction is `and`"),
    foreign("&", "and", "conjunction is `and`; the common elements of two sets are `S intersect T`"),
    foreign("||", "or", "disjunction is `or`"),
    foreign("\\/", "or", "disjunction is `or`"),
    foreign("∨", "or", "disjunction is `or`"),
    foreign("|", "or", "disjunction is `or`; after the domain of a variable stands `:`"),
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
    unknown("..<", "`lo..hi` includes `hi`: write `lo..hi - 1`"),
    unknown("∉", "write `not in`"),
    unknown("∅", "the empty set is `{}`"),
    unknown("\\", "set difference is `minus`"),
    unknown("++", "write `x' = x + 1`; sets are joined by `union`"),
    unknown("+=", "write `x' = x + …`"),
    unknown("-=", "write `x' = x - …`"),
    unknown("*=", "write `x' = x * …`"),
    unknown("**", "there is no power operator"),
    unknown("^", "there is no power operator; conjunction is `and`"),
    unknown("?", "a choice is `if c then a else b`"),
    unknown("#", "the number of elements is `size(S)`; comments start with `//`"),
];
