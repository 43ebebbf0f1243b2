//! The modelling language for the parser kit: tokens, shared state and names.

pub(super) mod mistakes;

use crate::syntax::ast::Ident;
use crate::syntax::token::{ITEM_WORDS, STATEMENT_WORDS, SyntaxKind, SyntaxToken};
use kit::diagnostics::{Diagnostic, Span};
pub(super) use kit::parsing::token;
use kit::parsing::{self, Expected};
use std::cell::{Cell, RefCell};

pub(super) type ModelTokens<'a> = parsing::Tokens<'a, SyntaxToken<'a>, Models<'a>>;
/// The state that the parsers of one text share.
pub(super) type ModelParserState<'a> = parsing::ParserState<'a, SyntaxToken<'a>, Models<'a>>;
pub(super) type ModelParseResult<'a, O> = parsing::Parsed<'a, SyntaxToken<'a>, Models<'a>, O>;

/// The data that the parsers of the modelling language need besides the tokens.
#[derive(Debug)]
pub(super) struct Models<'a> {
    /// The whole text.
    pub text: &'a str,
    /// True if the parser is in the body of an `ltl` or `ctl` property, where `next` is an operator.
    pub temporal: Cell<bool>,
    /// True if the parser is in the value of a `let`, outside of all brackets, where `in` is no operator.
    pub ended_by_in: Cell<bool>,
    /// True if spellings from other languages, like `!` for `not`, are accepted without a diagnostic.
    pub any_spelling: bool,
    /// True if the text declares a definition or predicate `next`.
    pub declares_next: bool,
    /// True if the text gives the name `never` to something.
    pub declares_never: bool,
    /// The number of `{` without a `}` before a declaration, each of which was reported.
    pub left_open: Cell<usize>,
    /// The tokens that could stand at the end of the text.
    pub at_end: RefCell<Vec<Expected>>,
}

impl<'a> Models<'a> {
    /// The state before parsing a text.
    pub fn new(text: &'a str, tokens: &[SyntaxToken<'a>], any_spelling: bool) -> Self {
        let declares_next = tokens
            .windows(2)
            .any(|pair| (pair[0].is("def") || pair[0].is("pred")) && pair[1].is_name("next"));
        Self {
            text,
            temporal: Cell::new(false),
            ended_by_in: Cell::new(false),
            any_spelling,
            declares_next,
            declares_never: is_given("never", tokens),
            left_open: Cell::default(),
            at_end: RefCell::default(),
        }
    }

    pub fn text_at(&self, span: Span) -> &'a str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or_default()
    }
}

/// True if a text declares or binds a name that is a word of the language otherwise. Properties and vocabularies have names of their own.
fn is_given(name: &str, tokens: &[SyntaxToken<'_>]) -> bool {
    let is_one =
        |token: &SyntaxToken<'_>, spellings: &[&str]| spellings.iter().any(|spelling| token.is(spelling));
    let given = |around: &[SyntaxToken<'_>]| {
        around[1].is_name(name)
            && !is_one(&around[0], &["invariant", "ltl", "ctl", "vocabulary"])
            && (is_one(&around[0], &["const", "type", "var", "def", "pred", "action", "as"])
                || is_one(&around[2], &[":", "in", ",", "=", "}"]))
    };
    tokens.windows(3).any(given)
}

impl parsing::AnyToken for SyntaxToken<'_> {
    fn span(&self) -> Span {
        self.span
    }

    fn text(&self) -> &str {
        self.text
    }

    fn is_end(&self) -> bool {
        self.kind == SyntaxKind::End
    }

    fn is(&self, spelling: &str) -> bool {
        self.spelling() == Some(spelling)
    }
}

impl<'t> parsing::Grammar<SyntaxToken<'t>> for Models<'t> {
    const TOO_DEEP: &'static str = "name the inner parts with `def` or `type`";
    const TOO_LONG: &'static str =
        "split it: several `require` or formulas, a `def` for a part, or `forall` and `exists`";

    fn unexpected(
        state: &parsing::ParserState<'_, SyntaxToken<'t>, Self>,
        at: usize,
        expected: &[Expected],
        opening: Option<&SyntaxToken<'t>>,
    ) -> Option<Diagnostic> {
        if state.tokens[at].kind == SyntaxKind::End {
            // Later errors are about the text around it.
            let wanted = &mut *state.grammar.at_end.borrow_mut();
            if wanted.is_empty() {
                wanted.extend(expected);
            }
        }
        // Skipped characters were reported; a second message about the same place would not help.
        let known = state.tokens[at].after_unreadable;
        (!known).then(|| mistakes::unexpected(state.tokens, at, expected, opening))
    }

    /// A foreign spelling that stands for a token is reported and accepted.
    fn accepted(state: &parsing::ParserState<'_, SyntaxToken<'t>, Self>, token: &SyntaxToken<'t>) {
        if let SyntaxKind::Foreign(foreign) = token.kind
            && !state.grammar.any_spelling
        {
            let message = format!("`{}` is not part of the language", token.text);
            state.add(Diagnostic::error(token.span, message).with_help(foreign.help));
        }
    }

    fn ends_brackets(input: parsing::Tokens<'_, SyntaxToken<'t>, Self>) -> bool {
        at_item(input.first(), input.peek(1)) || input.at(";")
    }
}

/// True if a declaration begins with these two tokens.
pub(super) fn at_item(first: &SyntaxToken<'_>, second: &SyntaxToken<'_>) -> bool {
    let SyntaxKind::Word(word) = first.kind else {
        return first.is_name("operation") && first.first_on_line && second.kind == SyntaxKind::Name
            || at_example(first, second);
    };
    // `action` is also the label of a step: `action@t = forge`, `E[action = a U action = b]`.
    ITEM_WORDS.contains(&word)
        && match word {
            "action" => second.kind == SyntaxKind::Name && !second.is_name("U"),
            // Without braces, it is a misspelt `require`.
            "requires" => second.is("{"),
            _ => true,
        }
}

/// True if an example begins with these two tokens.
pub(super) fn at_example(first: &SyntaxToken<'_>, second: &SyntaxToken<'_>) -> bool {
    (first.is_name("example") || first.is_name("counterexample")) && second.is("of")
}

/// Recognition of constructs by their first two tokens.
pub trait Lookahead {
    /// True at the beginning of a declaration.
    fn at_item(&self) -> bool;

    /// True at the beginning of a `let` statement.
    fn at_let(&self) -> bool;

    /// True where a statement certainly begins.
    fn at_statement(&self) -> bool;
}

impl Lookahead for ModelTokens<'_> {
    fn at_item(&self) -> bool {
        at_item(self.first(), self.peek(1))
    }

    fn at_let(&self) -> bool {
        self.first().is_name("let") && self.peek(1).kind == SyntaxKind::Name
    }

    fn at_statement(&self) -> bool {
        match self.first().kind {
            SyntaxKind::Word(word) => STATEMENT_WORDS.contains(&word),
            SyntaxKind::Name => self.peek(1).is("'") || self.at_let(),
            _ => false,
        }
    }
}

/// A name, or that of a part of a component: `net.content`, as one name with dots.
pub(super) fn qualified_name(input: ModelTokens<'_>) -> ModelParseResult<'_, Ident> {
    let (mut rest, mut whole) = name(input)?;
    while rest.first().is(".") && rest.peek(1).kind == SyntaxKind::Name {
        let (after, part) = name(rest.skip())?;
        whole = Ident { name: format!("{}.{}", whole.name, part.name), span: input.span_to(after) };
        rest = after;
    }
    Ok((rest, whole))
}

/// A word that is special only here, before a name.
pub(super) fn word(spelling: &'static str) -> impl FnMut(ModelTokens<'_>) -> ModelParseResult<'_, ()> {
    move |input| match input.first().is_name(spelling) && input.peek(1).kind == SyntaxKind::Name {
        true => Ok((input.skip(), ())),
        false => input.unexpected(Expected::Token(spelling)),
    }
}

pub(super) fn name(input: ModelTokens<'_>) -> ModelParseResult<'_, Ident> {
    let first = input.first();
    match first.kind {
        SyntaxKind::Name => Ok((input.skip(), Ident { name: first.text.to_string(), span: first.span })),
        _ => input.unexpected(Expected::Thing("a name")),
    }
}
