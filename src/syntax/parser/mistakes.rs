//! From what was expected and what was found to a diagnostic that says what to write.

use super::input::{Expected, State};
use crate::diagnostics::{Diagnostic, Span};
use crate::syntax::operators;
use crate::syntax::token::{ITEM_WORDS, Kind, STATEMENT_WORDS, Token, WORDS};

/// The diagnostic for the token `at`, where one of `expected` was wanted, inside of the bracket `opening`.
pub(super) fn unexpected(
    state: &State<'_>,
    at: usize,
    expected: &[Expected],
    opening: Option<&Token<'_>>,
) -> Diagnostic {
    let mistake = Mistake { tokens: state.tokens, at, expected };
    let diagnostic = match mistake.missing_semicolon() {
        Some(diagnostic) => diagnostic,
        None => {
            let diagnostic = Diagnostic::error(mistake.place(), mistake.message());
            match mistake.help() {
                Some(help) => diagnostic.with_help(help),
                None => diagnostic,
            }
        }
    };
    match opening {
        Some(opening) if mistake.leaves_open(opening) => {
            diagnostic.with_related(opening.span, format!("this `{}` is not closed", opening.text))
        }
        _ => diagnostic,
    }
}

/// The diagnostic for `left first middle second right`, where comparisons or ranges follow each other.
pub(super) fn chain(
    state: &State<'_>,
    operator: Span,
    left: Span,
    middle: Span,
    (first, second): (&str, &str),
    right: Span,
) -> Diagnostic {
    if first == ".." {
        return Diagnostic::error(operator, "a range has two ends").with_help("write `lo..hi`");
    }
    let text = |span: Span| state.text.get(span.start as usize..span.end as usize).unwrap_or_default();
    let plain = |operator: &str| !operator.starts_with("is ");
    let before = text(left);
    let help = if plain(first) && plain(second) && !before.contains('\n') && before.len() < 60 {
        let middle = text(middle);
        format!("write `{before} and {middle} {second} {}`, or put parentheses around one comparison", text(right))
    } else {
        "put parentheses around one of them".to_string()
    };
    Diagnostic::error(operator, format!("comparisons do not chain: `{first}` is followed by `{second}`"))
        .with_help(help)
}

/// What went wrong at a token.
struct Mistake<'m, 'a> {
    tokens: &'a [Token<'a>],
    at: usize,
    expected: &'m [Expected],
}

impl<'a> Mistake<'_, 'a> {
    fn found(&self) -> &'a Token<'a> {
        &self.tokens[self.at]
    }

    fn previous(&self) -> Option<&'a Token<'a>> {
        self.tokens.get(self.at.checked_sub(1)?)
    }

    fn wants(&self, spelling: &'static str) -> bool {
        self.expected.contains(&Expected::Token(spelling))
    }

    fn wants_thing(&self, thing: &'static str) -> bool {
        self.expected.contains(&Expected::Thing(thing))
    }

    /// Whether the text ends, or the next thing seems to begin, before what was expected.
    fn at_boundary(&self) -> bool {
        let found = self.found();
        match found.kind {
            Kind::End | Kind::Sign("}") => true,
            Kind::Word(word) => {
                found.first_on_line || ITEM_WORDS.contains(&word) || STATEMENT_WORDS.contains(&word)
            }
            Kind::Name if self.tokens.get(self.at + 1).is_some_and(|next| next.is("'")) => true,
            _ => found.first_on_line,
        }
    }

    /// At the end of the text, the place is the end of the last token.
    fn place(&self) -> Span {
        match (self.found().kind, self.previous()) {
            (Kind::End, Some(previous)) => Span { start: previous.span.end, ..previous.span },
            _ => self.found().span,
        }
    }

    fn message(&self) -> String {
        format!("expected {}, found {}", alternatives(self.expected), describe(self.found()))
    }

    /// A missing `;` is shown where it belongs, behind the last token.
    fn missing_semicolon(&self) -> Option<Diagnostic> {
        let previous = self.previous().filter(|_| self.wants(";") && self.at_boundary())?;
        if self.found().kind == Kind::Name && self.capitals(self.found()).is_some() {
            return None;
        }
        let span = Span { start: previous.span.end, ..previous.span };
        let help = self.miswritten(previous).unwrap_or_else(|| format!("add `;` behind {}", quote(previous)));
        Some(Diagnostic::error(span, "missing `;`").with_help(help))
    }

    fn leaves_open(&self, opening: &Token<'_>) -> bool {
        let close = match opening.spelling() {
            Some("(") => ")",
            Some("[") => "]",
            _ => "}",
        };
        let closing = matches!(self.found().kind, Kind::Sign(";" | ")" | "]" | "}"));
        self.wants(close) && (closing || self.at_boundary())
    }

    fn help(&self) -> Option<String> {
        let found = self.found();
        if let Kind::Foreign(foreign) = found.kind {
            return Some(foreign.help.to_string());
        }
        self.for_declarations()
            .or_else(|| self.for_statements())
            .or_else(|| self.capitals(found))
            .or_else(|| self.previous().and_then(|previous| self.miswritten(previous)))
            .or_else(|| self.for_pairs())
            .or_else(|| self.for_names())
            .or_else(|| self.for_operands())
            .or_else(|| self.for_signs())
    }

    fn for_declarations(&self) -> Option<String> {
        let found = self.found();
        if self.wants_thing("`model` or `library`") {
            return Some("a file begins with `model name;` or `library name;`".into());
        }
        if !self.wants_thing("a declaration") {
            return None;
        }
        Some(match found.kind {
            Kind::Sign("}") => "nothing is open that this `}` could close; remove it".into(),
            Kind::Sign(";") => "no `;` stands behind `}`; remove it".into(),
            Kind::Word("value" | "observe") => format!("`{}` belongs into `requires {{ … }}`", found.text),
            Kind::Word(word) if STATEMENT_WORDS.contains(&word) => {
                format!("`{word}` belongs into the braces of an action")
            }
            Kind::Name if self.tokens.get(self.at + 1).is_some_and(|next| next.is("'")) => {
                "assignments belong into the braces of an action".into()
            }
            Kind::Name => match similar(found.text, ITEM_WORDS, DECLARATION_SYNONYMS) {
                Some(word) => format!("did you mean `{word}`?"),
                None => DECLARATIONS.into(),
            },
            _ => DECLARATIONS.into(),
        })
    }

    fn for_statements(&self) -> Option<String> {
        let found = self.found();
        if self.wants_thing("a formula") {
            return Some("add `}` where the block ends".into());
        }
        if !self.wants_thing("a statement") {
            return None;
        }
        let next = self.tokens.get(self.at + 1);
        Some(match found.kind {
            Kind::End => "add `}` where the block ends".into(),
            Kind::Word(word) if ITEM_WORDS.contains(&word) && self.wants("}") => {
                format!("add `}}` in front of `{word}`, which begins a declaration")
            }
            Kind::Sign(";") => "remove this `;`".into(),
            Kind::Word("else") => "`else` stands right behind the `}` of `if e { … }`".into(),
            Kind::Word("exists") => "an action parameter or `x' in S;` leaves a choice open".into(),
            Kind::Name if next.is_some_and(|next| ["+=", "-=", "*=", "++"].contains(&next.text)) => {
                format!("the next value of {0} is given by `{0}' = …;`", found.text)
            }
            Kind::Name | Kind::Word("assume") => match similar(found.text, STATEMENT_WORDS, STATEMENT_SYNONYMS) {
                Some(word) => format!("did you mean `{word}`?"),
                None => STATEMENTS.into(),
            },
            _ => STATEMENTS.into(),
        })
    }

    /// A keyword written with capitals.
    fn capitals(&self, token: &Token<'_>) -> Option<String> {
        let word = token.text.to_lowercase();
        let meant = token.kind == Kind::Name && token.text.len() > 1 && WORDS.contains(&word.as_str());
        let infix = operators::binary(&word).is_some() || word == "is" || word == "until" || word == "not";
        let fits = infix || self.expected.iter().any(|e| matches!(e, Expected::Token(spelling) if *spelling == word));
        (meant && (fits || self.previous().is_some_and(|previous| std::ptr::eq(previous, token))))
            .then(|| format!("keywords are written in small letters: `{word}`"))
    }

    /// What the token before the mistake was probably meant to be.
    fn miswritten(&self, previous: &Token<'_>) -> Option<String> {
        let operand = matches!(self.found().kind, Kind::Name | Kind::Integer(_) | Kind::Sign("("))
            || self.found().is("of")
            || self.found().is("not")
            || self.found().is("some");
        if previous.kind != Kind::Name || !operand || self.found().first_on_line {
            return None;
        }
        let synonym = OPERAND_SYNONYMS.iter().find(|(word, _)| *word == previous.text);
        self.capitals(previous).or_else(|| synonym.map(|(_, help)| help.to_string()))
    }

    /// Mistakes known by what was wanted and what stands there.
    fn for_pairs(&self) -> Option<String> {
        let found = self.found();
        let previous = self.previous().and_then(Token::spelling);
        let help = match found.kind {
            Kind::Sign("=") if self.wants_thing("an expression") && previous == Some("=") => {
                "equality is a single `=`"
            }
            Kind::Sign("=") if self.wants("'") => "an assignment names the next value: `x' = e`, `x'[k] = e`, `x'.f = e`",
            Kind::Sign("[" | ".") if self.wants("'") => "the prime comes right after the variable: `x'[k] = e`, `x'.f = e`",
            Kind::Sign("=") if self.wants(":") => "a type stands between: `name : type = …`",
            Kind::Sign(":") if self.wants("=") && self.wants("'") => "an assignment is `x' = e`",
            Kind::Sign(":") if self.wants("in") => "write `forall x in S: …`, `exists x in S: …`",
            Kind::Sign(":") if self.wants("{") => "in an action, `forall x in T { … }` has braces and no `:`",
            Kind::Sign(",") if self.wants(":") && previous.is_none_or(|sign| sign != ",") => {
                "several variables share one domain: `forall x, y in S: …`; another domain needs another `forall` or `exists`"
            }
            Kind::Word("then") if self.wants("{") => "in an action, write `if e { … } else { … }`",
            Kind::Word("not") if self.wants("some") => "`e is some` is the opposite of `e is none`",
            Kind::Sign("[") if self.wants_thing("a type") => "a map type is `map K to T`, a set type `set of T`",
            Kind::Sign("{") if self.wants_thing("a type") => "write `enum { A, B }` or `record { f: T }`",
            Kind::Sign("(") if self.wants_thing("a type") => "types are not put in parentheses",
            Kind::Sign("[") if self.wants_thing("an expression") => "a set is `{ a, b }`, a map `map x in T: e`",
            Kind::Sign("(") if self.wants(";") => "only a name can stand in front of arguments",
            Kind::Sign(",") if self.wants(";") => "join formulas with `and`, end statements and declarations with `;`",
            Kind::Sign(";") if self.wants(",") && self.wants("}") => "the parts between the braces are separated by `,`",
            Kind::Sign(":") if self.wants(")") => "the fields of a record are all written `name: value`",
            Kind::Sign("=") if self.wants(":") || self.wants_thing("the name of a field") => "fields are written `name: value`",
            Kind::Text if self.wants_thing("an expression") => "there are no text values; declare `enum { … }`",
            _ if self.wants("else") => "every `if … then …` needs an `else`; an implication is `a => b`",
            _ if self.wants("then") => "write `if c then a else b`",
            _ if self.wants_thing("a path in double quotes") => "write `import \"path\" as name;`",
            _ if self.wants_thing("the end of the expression") => "one expression stands here, and nothing behind it",
            _ if self.wants_thing("a position") => "write `e@t` with a position t",
            _ => return None,
        };
        Some(help.to_string())
    }

    fn for_names(&self) -> Option<String> {
        let Kind::Word(word) = self.found().kind else { return None };
        if self.wants("then") || !["a name", "the name of a field"].iter().any(|thing| self.wants_thing(thing)) {
            return None;
        }
        Some(format!("`{word}` is a keyword; choose another name, like `{word}_` or `the_{word}`"))
    }

    fn for_operands(&self) -> Option<String> {
        let found = self.found();
        if self.wants_thing("a type") {
            return Some(TYPES.into());
        }
        if self.wants_thing("an item of a vocabulary") {
            return Some("items are `eq(x, y)`, `eq(x) across`, `lacks(s)`, `before`, `next` and predicates".into());
        }
        if self.wants_thing("`type`, `value`, `observe`") || self.wants("observe") {
            return Some("write `type T;`, `value V : T;` or `observe o : T;`".into());
        }
        if !self.wants_thing("an expression") {
            return None;
        }
        let is_operator = |token: &Token<'_>| {
            token.spelling().is_some_and(|s| operators::binary(s).is_some() || [".", "..", "until"].contains(&s))
        };
        if let Some(previous) = self.previous().filter(|previous| is_operator(previous)) {
            return Some(format!("`{}` needs an operand on its right", previous.text));
        }
        if is_operator(found) {
            return Some(format!("`{}` needs an operand on its left", found.text));
        }
        match found.kind {
            Kind::Word(word) if !ITEM_WORDS.contains(&word) => Some(format!("`{word}` is a keyword and cannot be a name")),
            Kind::Sign(_) | Kind::Word(_) | Kind::End => {
                let previous = self.previous()?;
                Some(format!("something is missing behind {}", quote(previous)))
            }
            _ => None,
        }
    }

    /// One sign or word is missing.
    fn for_signs(&self) -> Option<String> {
        let sign = self.expected.iter().rev().find(|e| matches!(e, Expected::Token(_)))?;
        match (self.expected.len(), self.found().kind, self.previous()) {
            (1, Kind::End, Some(previous)) => Some(format!("add {sign} behind {}", quote(previous))),
            (1, ..) => Some(format!("add {sign} in front of {}", quote(self.found()))),
            (_, _, Some(previous)) => Some(format!("{} can follow {}", alternatives(self.expected), quote(previous))),
            _ => None,
        }
    }
}

const DECLARATIONS: &str = "declarations begin with `import`, `requires`, `const`, `type`, `var`, `init`, `def`, \
    `action`, `assume`, `invariant`, `ltl`, `ctl`, `fairness`, `pred` or `vocabulary`";
const STATEMENTS: &str = "statements are `require e;`, `x' = e;`, `x' in S;`, `if e { … } else { … }`, \
    `forall x in T { … }` and `constrain e;`";
const TYPES: &str = "types are `bool`, `lo..hi`, `enum { A, B }`, `set of T`, `option T`, `record { f: T }`, \
    `map K to T` and declared names";

/// Words of other languages in the place of a declaration's keyword.
const DECLARATION_SYNONYMS: &[(&str, &str)] = &[
    ("variable", "var"), ("variables", "var"), ("state", "var"), ("constant", "const"), ("let", "def"),
    ("fn", "def"), ("fun", "def"), ("func", "def"), ("function", "def"), ("define", "def"), ("pure", "def"),
    ("predicate", "pred"), ("rule", "action"), ("event", "action"), ("transition", "action"), ("trans", "action"),
    ("property", "invariant"), ("safety", "invariant"), ("assert", "invariant"), ("spec", "invariant"),
    ("module", "model"), ("struct", "type"), ("datatype", "type"), ("enum", "type"), ("record", "type"),
    ("fact", "assume"), ("fair", "fairness"), ("open", "import"), ("use", "import"), ("include", "import"),
    ("LTLSPEC", "ltl"), ("CTLSPEC", "ctl"), ("INVARSPEC", "invariant"), ("initial", "init"),
];

/// Words of other languages in the place of a statement's keyword.
const STATEMENT_SYNONYMS: &[(&str, &str)] = &[
    ("assume", "require"), ("assert", "require"), ("guard", "require"), ("when", "require"), ("pre", "require"),
    ("where", "require"), ("requires", "require"), ("for", "forall"), ("foreach", "forall"), ("all", "forall"),
    ("ensure", "constrain"), ("ensures", "constrain"),
];

/// Words that other languages have in front of an operand, or between two, and what is written here.
const OPERAND_SYNONYMS: &[(&str, &str)] = &[
    ("all", "write `forall x in S: …`"),
    ("any", "write `exists x in S: …`"),
    ("exist", "write `exists x in S: …`"),
    ("let", "name a part of an expression with `def`"),
    ("G", "write `always e`; in `ctl` properties `AG e` or `EG e`"),
    ("F", "write `eventually e`; in `ctl` properties `AF e` or `EF e`"),
    ("X", "write `next e`; in `ctl` properties `AX e` or `EX e`"),
    ("globally", "write `always e`"),
    ("finally", "write `eventually e`"),
    ("implies", "implication is `=>`"),
    ("iff", "equivalence is `<=>`"),
    ("xor", "of truth values, `!=` is the exclusive or"),
    ("div", "division is `/`"),
    ("next", "`next e` is for `ltl` properties; the next value of x is `x'`"),
];

/// `a`, `b` or `c`
fn alternatives(expected: &[Expected]) -> String {
    let shown: Vec<String> = expected.iter().map(ToString::to_string).collect();
    match shown.split_last() {
        None => "something else".into(),
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
    }
}

fn describe(token: &Token<'_>) -> String {
    match token.kind {
        Kind::Word(_) => format!("the keyword {}", quote(token)),
        _ => quote(token),
    }
}

fn quote(token: &Token<'_>) -> String {
    if token.kind == Kind::End {
        return "the end of the text".into();
    }
    let mut text: String = token.text.chars().take(30).collect();
    if text.len() < token.text.len() {
        text.push('…');
    }
    format!("`{text}`")
}

/// The keyword that a word stands for in another language, or that it resembles.
fn similar(text: &str, words: &[&'static str], synonyms: &[(&str, &'static str)]) -> Option<&'static str> {
    let meant = synonyms.iter().find(|(word, _)| *word == text).map(|(_, meant)| *meant);
    let small = text.to_lowercase();
    let closest = words.iter().map(|word| (distance(&small, word), *word)).min();
    meant.or(closest.filter(|(distance, word)| *distance <= 2 && *distance * 2 < word.len()).map(|(_, word)| word))
}

/// How many letters must be inserted, removed or replaced to make one word of the other (Levenshtein).
fn distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (i, a) in from.chars().take(40).enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, b) in to.iter().enumerate() {
            let replaced = diagonal + usize::from(a != *b);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[to.len()]
}
