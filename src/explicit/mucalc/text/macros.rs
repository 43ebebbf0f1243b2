//! Macros: `macro NAME (A, B) = … end_macro`, used as `NAME (…, …)`.

use kit::diagnostics::{Diagnostic, Span, nearest};
use kit::parsing::{AnyToken, Token, TokenKind};
use rustc_hash::FxHashMap;

/// The limit on the tokens of a formula without macros.
const MOST_TOKENS: usize = 100_000;

/// The limit on macros that use macros.
const DEEPEST: usize = 100;

pub struct Macro<'a> {
    name: &'a str,
    parameters: Vec<&'a str>,
    body: Vec<Token<'a>>,
}

/// Separates definitions of macros and mentions of libraries from the rest of a text; mistakes in them are added.
pub fn definitions<'a>(
    tokens: &[Token<'a>],
    mistakes: &mut Vec<Diagnostic>,
) -> (Vec<Token<'a>>, Vec<Macro<'a>>) {
    let (mut rest, mut found) = (Vec::new(), Vec::new());
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let end = match (token.is("macro"), token.is("library")) {
            (true, _) => "end_macro",
            (_, true) => "end_library",
            _ => {
                rest.push(*token);
                at += 1;
                continue;
            }
        };
        let length = tokens[at..].iter().position(|token| token.is(end));
        let Some(length) = length else {
            let message = format!("`{}` has no `{end}`", token.text);
            mistakes.push(Diagnostic::error(token.span, message).with_help(format!("end it with `{end}`")));
            rest.extend(tokens.last());
            return (rest, found);
        };
        if end == "end_macro" {
            match definition(&tokens[at + 1..at + length]) {
                Ok(definition) => found.push(definition),
                Err(span) => mistakes.push(
                    Diagnostic::error(span.unwrap_or(token.span), "this is no definition of a macro")
                        .with_help("a macro is written `macro NAME (A, B) = formula end_macro`"),
                ),
            }
        }
        at += length + 1;
    }
    (rest, found)
}

/// `NAME (A, B) = …`; the place of the mistake if it is none.
fn definition<'a>(tokens: &[Token<'a>]) -> Result<Macro<'a>, Option<Span>> {
    let place = |at: usize| tokens.get(at).map(|t: &Token<'a>| t.span);
    let sign = |at: usize, text: &str| tokens.get(at).is_some_and(|token| token.is(text));
    let word =
        |at: usize| tokens.get(at).filter(|t| t.kind == TokenKind::Name).map(|t| t.text).ok_or(place(at));
    let name = word(0)?;
    let (mut at, mut parameters) = (1, Vec::new());
    if sign(at, "(") {
        at += 1;
        while !sign(at, ")") {
            parameters.push(word(at)?);
            at += 1;
            if sign(at, ",") {
                at += 1;
            } else if !sign(at, ")") {
                return Err(place(at));
            }
        }
        at += 1;
    }
    if !sign(at, "=") || at + 1 >= tokens.len() {
        return Err(place(at));
    }
    Ok(Macro { name, parameters, body: tokens[at + 1..].to_vec() })
}

/// Macros by name and number of parameters; of several equal ones the last.
#[derive(Default)]
pub struct Macros<'a> {
    known: FxHashMap<(&'a str, usize), Macro<'a>>,
}

impl<'a> Macros<'a> {
    pub fn add(&mut self, definitions: Vec<Macro<'a>>) {
        for definition in definitions {
            self.known.insert((definition.name, definition.parameters.len()), definition);
        }
    }

    /// The text without macros.
    ///
    /// # Errors
    /// If macros use each other in a circle or make too long a text, or one has another number of arguments than is given.
    pub fn expand(&self, tokens: &[Token<'a>]) -> Result<Vec<Token<'a>>, Diagnostic> {
        let mut out = Vec::with_capacity(tokens.len());
        self.within(tokens, 0, &mut out)?;
        Ok(out)
    }

    fn within(&self, tokens: &[Token<'a>], depth: usize, out: &mut Vec<Token<'a>>) -> Result<(), Diagnostic> {
        let mut at = 0;
        while let Some(&token) = tokens.get(at) {
            if depth > 0 && out.len() > MOST_TOKENS {
                let message = format!("macros make a formula of more than {MOST_TOKENS} words and signs");
                return Err(Diagnostic::error(token.span, message).with_help("use fewer macros in macros"));
            }
            at += 1;
            if token.kind != TokenKind::Name || self.known.keys().all(|(name, _)| *name != token.text) {
                out.push(token);
                continue;
            }
            let (arguments, length) = arguments(&tokens[at..]);
            let (chosen, used) = match self.known.get(&(token.text, arguments.len())) {
                Some(chosen) => (chosen, length),
                None => match self.known.get(&(token.text, 0)) {
                    Some(chosen) => (chosen, 0),
                    None => return Err(self.wrong_number(token, arguments.len())),
                },
            };
            if depth >= DEEPEST {
                let message = format!("macro `{}` uses itself, or macros nest too deeply", token.text);
                let help = "recursion is written with `mu` and `nu`";
                return Err(Diagnostic::error(token.span, message).with_help(help));
            }
            let last = tokens[at - 1 + used].span;
            let call = token.span.to(last);
            let body = chosen.with(if used > 0 { &arguments } else { &[] }, call);
            out.push(sign("(", call));
            self.within(&body, depth + 1, out)?;
            out.push(sign(")", call));
            at += used;
        }
        Ok(())
    }

    fn wrong_number(&self, token: Token<'a>, given: usize) -> Diagnostic {
        let mut numbers: Vec<usize> =
            self.known.keys().filter(|(name, _)| *name == token.text).map(|(_, number)| *number).collect();
        numbers.sort_unstable();
        let numbers: Vec<String> = numbers.iter().map(usize::to_string).collect();
        let message =
            format!("macro `{}` has {} arguments, but {given} are given", token.text, numbers.join(" or "));
        let names = self.known.keys().map(|(name, _)| *name).filter(|name| *name != token.text);
        let help = match nearest(token.text, names) {
            Some(other) => format!("separate arguments by commas; or did you mean `{other}`?"),
            None => "separate arguments by commas".to_owned(),
        };
        Diagnostic::error(token.span, message).with_help(help)
    }
}

impl<'a> Macro<'a> {
    /// The body with arguments in the place of parameters. What is not from the arguments has the place of the call.
    fn with(&self, arguments: &[&[Token<'a>]], call: Span) -> Vec<Token<'a>> {
        let mut body = Vec::new();
        for token in &self.body {
            let parameter =
                self.parameters.iter().position(|p| token.kind == TokenKind::Name && *p == token.text);
            match parameter.and_then(|at| arguments.get(at)) {
                Some([one]) => body.push(*one),
                Some(several) => {
                    body.push(sign("(", call));
                    body.extend_from_slice(several);
                    body.push(sign(")", call));
                }
                None => body.push(Token { span: call, ..*token }),
            }
        }
        body
    }
}

/// A sign that is not in the text, in the place of what it was made for.
fn sign(text: &'static str, span: Span) -> Token<'static> {
    Token { kind: TokenKind::Sign(text), text, span, reported: false }
}

/// `(…, …)` at the beginning: the arguments, and how many tokens that takes. None if there are no parentheses, or they are not
/// closed.
fn arguments<'t, 'a>(tokens: &'t [Token<'a>]) -> (Vec<&'t [Token<'a>]>, usize) {
    let mut found = Vec::new();
    let (mut depth, mut start) = (0usize, 1);
    for (at, token) in tokens.iter().enumerate() {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            "," if depth == 1 => {
                found.push(&tokens[start..at]);
                start = at + 1;
            }
            _ => {}
        }
        if depth == 0 {
            if at == 0 {
                break;
            }
            if at > start || !found.is_empty() {
                found.push(&tokens[start..at]);
            }
            return (found, at + 1);
        }
    }
    (Vec::new(), 0)
}
