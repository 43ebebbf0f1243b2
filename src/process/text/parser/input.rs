//! What the parsers run on: the tokens not yet read, what was expected at the furthest place, the basic parsers.

use crate::diagnostics::{Diagnostic, Span};
use crate::process::text::token::{Kind, Token};
use crate::process::text::tree::Name;
pub use crate::syntax::Trouble;
use nom::{Err, IResult, Parser};
use std::cell::{Cell, RefCell};

/// How deep behaviours, parentheses and operators may nest.
pub const DEEPEST: usize = 200;

/// The tokens not yet read. Copying is free.
#[derive(Debug, Clone, Copy)]
pub struct Tokens<'a> {
    rest: &'a [Token<'a>],
    /// What all parsers of a text share.
    pub state: &'a State<'a>,
}

/// What the parsers of a text share.
#[derive(Debug)]
pub struct State<'a> {
    tokens: &'a [Token<'a>],
    /// The furthest token that could not be used, and what would have been right in its place. It is kept here
    /// because `opt` and `alt` throw errors away.
    furthest: RefCell<(usize, Vec<&'static str>)>,
    mistakes: RefCell<Vec<Diagnostic>>,
    /// Where the last reported mistake is.
    mistake_at: Cell<usize>,
    depth: Cell<usize>,
    next_expr: Cell<u32>,
}

/// The result of a parser.
pub type Parsed<'a, O> = IResult<Tokens<'a>, O, Trouble>;

impl<'a> State<'a> {
    /// The state at the beginning; the last token is [`Kind::End`].
    pub fn new(tokens: &'a [Token<'a>], mistakes: Vec<Diagnostic>) -> Self {
        Self {
            tokens,
            furthest: RefCell::default(),
            mistakes: RefCell::new(mistakes),
            mistake_at: Cell::new(0),
            depth: Cell::new(0),
            next_expr: Cell::new(0),
        }
    }

    /// The tokens from an index on.
    pub fn from(&'a self, index: usize) -> Tokens<'a> {
        Tokens { rest: &self.tokens[index.min(self.tokens.len() - 1)..], state: self }
    }

    /// Adds a diagnostic.
    pub fn add(&self, diagnostic: Diagnostic) {
        self.mistakes.borrow_mut().push(diagnostic);
    }

    /// A number for an expression.
    pub fn fresh(&self) -> u32 {
        self.next_expr.replace(self.next_expr.get() + 1)
    }

    /// Turns a failure into a diagnostic, unless there is one already; gives the index of the mistake.
    pub fn report(&self, failure: Err<Trouble>) -> usize {
        if !matches!(failure, Err::Error(Trouble::Reported) | Err::Failure(Trouble::Reported)) {
            let (at, expected) = self.furthest.take();
            let token = &self.tokens[at];
            let found = match token.kind {
                Kind::End => "the text ends here".to_owned(),
                _ => format!("found `{}`", token.text),
            };
            let wanted = match expected.as_slice() {
                [] => "something else".to_owned(),
                [one] => (*one).to_owned(),
                [all @ .., last] => format!("{} or {last}", all.join(", ")),
            };
            let mut diagnostic = Diagnostic::error(token.span, format!("expected {wanted}, but {found}"));
            diagnostic.help = help(token, &expected);
            self.add(diagnostic);
            self.mistake_at.set(at);
        }
        self.mistake_at.get()
    }

    /// All diagnostics in the order of the text.
    pub fn into_mistakes(self) -> Vec<Diagnostic> {
        let mut mistakes = self.mistakes.into_inner();
        mistakes.sort_by_key(|mistake| mistake.span.map(|span| span.start));
        mistakes
    }
}

/// What to do about an unexpected token.
fn help(token: &Token<'_>, expected: &[&'static str]) -> Option<String> {
    let text = match token.kind {
        Kind::Sign("=") => "write `:=` to assign and `==` to compare",
        Kind::Sign("!" | "?") => "offers stand in parentheses with commas between them: `G (!e, ?x)`",
        Kind::Sign("[]") => "`[]` separates the branches of `select`; those of `par` are separated by `||`",
        Kind::Sign("||") => "`||` separates the branches of `par`; those of `select` are separated by `[]`",
        Kind::Word(_) if expected.contains(&"a behaviour") => "this keyword begins no behaviour",
        Kind::Word(_) if expected.contains(&"a name") => "this is a keyword, and cannot be a name",
        Kind::Foreign => "real numbers and characters are not supported",
        Kind::Text => "texts are not supported",
        Kind::Number(None) => "this number is too large",
        _ => return None,
    };
    Some(text.to_owned())
}

impl<'a> Tokens<'a> {
    /// The next token.
    pub fn first(&self) -> &'a Token<'a> {
        &self.rest[0]
    }

    /// The token after the next one.
    pub fn second(&self) -> &'a Token<'a> {
        self.rest.get(1).unwrap_or(&self.rest[0])
    }

    /// The index of the next token.
    pub fn position(&self) -> usize {
        self.state.tokens.len() - self.rest.len()
    }

    /// Without the next token, unless that is the end.
    pub fn skip(&self) -> Self {
        self.state.from(self.position() + 1)
    }

    /// Whether everything was read.
    pub fn at_end(&self) -> bool {
        self.first().kind == Kind::End
    }

    /// Whether the next token is this keyword or sign.
    pub fn at(&self, spelling: &str) -> bool {
        self.first().is(spelling)
    }

    /// The place of everything from here up to what was reached by parsing.
    pub fn span_to(&self, end: Tokens<'a>) -> Span {
        let (from, to) = (self.position(), end.position());
        let first = self.first().span;
        if to > from { first.to(self.state.tokens[to - 1].span) } else { first }
    }

    /// The failure of a parser that wanted something else than the next token.
    pub fn unexpected<O>(&self, expected: &'static str) -> Parsed<'a, O> {
        let at = self.position();
        let mut furthest = self.state.furthest.borrow_mut();
        if at > furthest.0 {
            *furthest = (at, vec![expected]);
        } else if at == furthest.0 && !furthest.1.contains(&expected) {
            furthest.1.push(expected);
        }
        Err(Err::Error(Trouble::Unexpected))
    }

    /// The failure of a parser that knows what is wrong with the next token.
    pub fn mistake<O>(&self, message: String, help: &str) -> Parsed<'a, O> {
        self.state.add(Diagnostic::error(self.first().span, message).with_help(help));
        self.state.mistake_at.set(self.position());
        Err(Err::Failure(Trouble::Reported))
    }
}

/// Keywords and signs between quotes, as they are shown.
macro_rules! shown {
    ($spelling:expr, $($word:literal)*) => {
        match $spelling {
            $($word => concat!("`", $word, "`"),)*
            other => other,
        }
    };
}

/// A keyword or a sign.
pub fn token<'a>(spelling: &'static str) -> impl Parser<Tokens<'a>, Output = &'a Token<'a>, Error = Trouble> {
    move |input: Tokens<'a>| {
        if input.at(spelling) {
            return Ok((input.skip(), input.first()));
        }
        input.unexpected(shown!(
            spelling,
            "->" ":=" "(" ")" "[" "]" "{" "}" "," ";" ":" ".." "?" "!" "|" "by" "else" "end" "function" "if"
            "in" "is" "loop" "module" "of" "process" "then" "type" "while" "channel" "select" "alt" "par" "case"
            "var" "hide" "disrupt" "list" "set" "only" "where"
        ))
    }
}

/// A name.
pub fn name(input: Tokens<'_>) -> Parsed<'_, Name> {
    let first = input.first();
    match first.kind {
        Kind::Name => {
            let (key, shown) = (first.text.to_ascii_uppercase(), first.text.to_owned());
            Ok((input.skip(), Name { key, shown, span: first.span }))
        }
        _ => input.unexpected("a name"),
    }
}

/// One or more, with a separator between them.
pub fn separated<'a, O>(
    separator: &'static str,
    mut parser: impl Parser<Tokens<'a>, Output = O, Error = Trouble>,
) -> impl FnMut(Tokens<'a>) -> Parsed<'a, Vec<O>> {
    move |input| {
        let (mut rest, first) = parser.parse(input)?;
        let mut all = vec![first];
        while let Ok((after, _)) = token(separator).parse(rest) {
            let (after, next) = parser.parse(after)?;
            all.push(next);
            rest = after;
        }
        Ok((rest, all))
    }
}

/// Runs a parser one level deeper; too deep is an error, not the end of the stack.
pub fn nested<'a, O>(input: Tokens<'a>, parser: impl FnOnce(Tokens<'a>) -> Parsed<'a, O>) -> Parsed<'a, O> {
    let depth = input.state.depth.get();
    if depth >= DEEPEST {
        return input
            .mistake(format!("nested more than {DEEPEST} levels deep"), "make processes of the inner parts");
    }
    input.state.depth.set(depth + 1);
    let result = parser(input);
    input.state.depth.set(depth);
    result
}
