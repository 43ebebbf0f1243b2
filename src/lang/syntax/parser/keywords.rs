//! Keywords in place of declared names, as in `var set : 0..3`. Each is reported once, and is a name from there on, so that what uses it
//! is no mistake as well.

use crate::syntax::token::{SyntaxKind, SyntaxToken};
use kit::diagnostics::Diagnostic;

/// Reports the keywords that are declared as names, and makes names of them and of their uses.
pub(super) fn taken_as_names(tokens: &mut [SyntaxToken<'_>]) -> Vec<Diagnostic> {
    let declared = declared(tokens);
    let mut known: Vec<&str> = Vec::new();
    let mut diagnostics = Vec::new();
    for &at in &declared {
        let SyntaxToken { text, span, .. } = tokens[at];
        if !known.contains(&text) {
            known.push(text);
            let message = format!("expected a name, found the keyword `{text}`");
            diagnostics.push(Diagnostic::error(span, message).with_help(other_name(text)));
        }
    }
    if known.is_empty() {
        return diagnostics;
    }
    let used = (0..tokens.len()).filter(|&at| known.contains(&tokens[at].text) && is_used(tokens, at));
    for at in declared.iter().copied().chain(used.collect::<Vec<usize>>()) {
        tokens[at].kind = SyntaxKind::Name;
    }
    diagnostics
}

/// A name to write in place of a keyword where a name is expected.
pub(super) fn other_name(word: &str) -> String {
    format!("`{word}` is a keyword; choose another name, such as `{word}_` or `the_{word}`")
}

/// The text of a token nearby; empty outside of the tokens.
fn text<'a>(tokens: &[SyntaxToken<'a>], at: usize, distance: isize) -> &'a str {
    let near = at.checked_add_signed(distance).and_then(|at| tokens.get(at));
    near.map_or("", |token| token.text)
}

/// The keywords that are declared as names.
fn declared(tokens: &[SyntaxToken<'_>]) -> Vec<usize> {
    let mut declared = Vec::new();
    let mut is_enumeration = false;
    for (at, token) in tokens.iter().enumerate() {
        match token.kind {
            SyntaxKind::Sign("{") => is_enumeration = text(tokens, at, -1) == "enum",
            SyntaxKind::Sign(",") | SyntaxKind::Name => {}
            SyntaxKind::Word(_) => {
                let neighbours = (text(tokens, at, -1), text(tokens, at, 1));
                let is_value = is_enumeration && matches!(neighbours, ("{" | ",", "," | "}"));
                if is_value || is_declared(tokens, at) {
                    declared.push(at);
                }
            }
            _ => is_enumeration = false,
        }
    }
    declared
}

/// True if a keyword stands where only the name of something that is declared can.
fn is_declared(tokens: &[SyntaxToken<'_>], at: usize) -> bool {
    let SyntaxKind::Word(word) = tokens[at].kind else { return false };
    let (before, previous, next) = (text(tokens, at, -2), text(tokens, at, -1), text(tokens, at, 1));
    let begins = ["", ";", "}", "{", "symmetric"].contains(&before);
    let declares = match previous {
        "var" | "const" | "invariant" | "ltl" | "ctl" | "value" | "observe" | "variable" => next == ":",
        "type" => next == "=" || next == ";",
        "vocabulary" => next == "=",
        "def" | "pred" => [":", "(", "="].contains(&next),
        // Names everywhere but in components, so that `function and (…)` is a condition.
        "function" => !JOINING.contains(&word) && [":", "("].contains(&next),
        // `action in { a, b }` is a condition.
        "action" | "operation" => !JOINING.contains(&word) && ["(", "{"].contains(&next),
        _ => false,
    };
    // A field, also where a value is given to it, or a parameter.
    let labels = ["(", ",", "{"].contains(&previous) && next == ":";
    let binds = ["forall", "exists"].contains(&previous) && next == "in";
    declares && begins || labels || binds
}

/// True if a keyword stands where an operand or the name of a field can, and where the keyword cannot.
fn is_used(tokens: &[SyntaxToken<'_>], at: usize) -> bool {
    let SyntaxKind::Word(word) = tokens[at].kind else { return false };
    let previous = tokens.get(at.wrapping_sub(1));
    let (previous, is_primed) = (previous.map(|token| token.kind), text(tokens, at, 1) == "'");
    if is_primed || previous == Some(SyntaxKind::Sign(".")) {
        return true;
    }
    let after_operand = matches!(
        previous,
        Some(
            SyntaxKind::Name
                | SyntaxKind::Integer(_)
                | SyntaxKind::Sign(")" | "]" | "}" | "'")
                | SyntaxKind::Word("true" | "false" | "none" | "some" | "is")
        )
    );
    if after_operand || ["true", "false", "some", "bool", "else"].contains(&word) {
        return false;
    }
    match tokens.get(at + 1).map(|token| token.kind) {
        Some(SyntaxKind::Sign("[" | "-")) => NOUNS.contains(&word),
        Some(SyntaxKind::Sign(sign)) => !["(", "{", ":"].contains(&sign),
        Some(SyntaxKind::Foreign(foreign)) => {
            foreign.instead.is_some_and(|sign| !["not", "-"].contains(&sign))
        }
        Some(SyntaxKind::Word(next)) => JOINING.contains(&next),
        _ => false,
    }
}

/// The keywords that no expression follows.
const NOUNS: &[&str] = &[
    "action",
    "enum",
    "environment",
    "import",
    "init",
    "library",
    "map",
    "model",
    "none",
    "observe",
    "option",
    "record",
    "set",
    "symmetric",
    "to",
    "type",
    "value",
    "var",
    "variant",
    "vocabulary",
];

/// The keywords that can follow an operand.
const JOINING: &[&str] = &[
    "and",
    "else",
    "in",
    "intersect",
    "is",
    "minus",
    "mod",
    "not",
    "or",
    "otherwise",
    "subset",
    "then",
    "union",
    "until",
    "with",
];
