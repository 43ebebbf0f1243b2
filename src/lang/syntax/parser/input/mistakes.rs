//! Diagnostics for syntax errors, with help on what to write, from the tokens expected and found.

use super::{Models, at_item};
use crate::syntax::operators;
use crate::syntax::parser::keywords::other_name;
use crate::syntax::parser::words::{
    BINDERS, CALLERS, DECLARATION_SYNONYMS, EXAMPLES, INFIX_SYNONYMS, LET, OPERAND_SYNONYMS,
    STATEMENT_SYNONYMS, similar,
};
use crate::syntax::token::{ITEM_WORDS, STATEMENT_WORDS, SyntaxKind, SyntaxToken, WORDS};
use kit::diagnostics::{Diagnostic, Span};
use kit::parsing::{Expected, alternatives, shortened};

/// The diagnostic for the token `at`, where one of `expected` was expected, inside the bracket `opening`.
pub(super) fn unexpected<'a>(
    tokens: &'a [SyntaxToken<'a>],
    at: usize,
    expected: &[Expected],
    opening: Option<&SyntaxToken<'_>>,
) -> Diagnostic {
    let mistake = Mistake { tokens, at, expected };
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

/// The diagnostic for `left first middle second right`: chained comparisons or ranges.
pub(in crate::syntax::parser) fn chain(
    grammar: &Models<'_>,
    operator: Span,
    left: Span,
    middle: Span,
    (first, second): (&str, &str),
    right: Span,
) -> Diagnostic {
    if first == ".." {
        return Diagnostic::error(operator, "a range has exactly two bounds").with_help("write `lo..hi`");
    }
    let plain = |operator: &str| !operator.starts_with("is ");
    let before = grammar.text_at(left);
    let help = if plain(first) && plain(second) && !before.contains('\n') && before.len() < 60 {
        let middle = grammar.text_at(middle);
        format!(
            "write `{before} and {middle} {second} {}`, or put parentheses around one comparison",
            grammar.text_at(right)
        )
    } else {
        "put parentheses around one of them".to_string()
    };
    Diagnostic::error(operator, format!("comparisons do not chain: `{first}` is followed by `{second}`"))
        .with_help(help)
}

/// A syntax error at a token.
struct Mistake<'m, 'a> {
    tokens: &'a [SyntaxToken<'a>],
    at: usize,
    expected: &'m [Expected],
}

impl<'a> Mistake<'_, 'a> {
    fn found(&self) -> &'a SyntaxToken<'a> {
        &self.tokens[self.at]
    }

    fn previous(&self) -> Option<&'a SyntaxToken<'a>> {
        self.tokens.get(self.at.checked_sub(1)?)
    }

    /// True if these two words stand before what was found.
    fn is_after(&self, first: &str, second: &str) -> bool {
        let before = self.at.checked_sub(2).map(|from| &self.tokens[from..self.at]);
        before.is_some_and(|before| before[0].text == first && before[1].text == second)
    }

    fn wants(&self, spelling: &'static str) -> bool {
        self.expected.contains(&Expected::Token(spelling))
    }

    fn wants_thing(&self, thing: &'static str) -> bool {
        self.expected.contains(&Expected::Thing(thing))
    }

    /// True if the text ends, or the next declaration or statement seems to begin, before what was expected.
    fn at_boundary(&self) -> bool {
        let found = self.found();
        match found.kind {
            SyntaxKind::End | SyntaxKind::Sign("}") => true,
            SyntaxKind::Word(word) => {
                found.first_on_line || ITEM_WORDS.contains(&word) || STATEMENT_WORDS.contains(&word)
            }
            SyntaxKind::Name if self.tokens.get(self.at + 1).is_some_and(|next| next.is("'")) => true,
            _ => found.first_on_line,
        }
    }

    /// True at a declaration inside braces that are closed after it.
    fn is_misplaced_declaration(&self) -> bool {
        let rest = &self.tokens[self.at..];
        let mut depth = 1;
        let ends = |token: &SyntaxToken<'_>| {
            depth += i64::from(token.is("{")) - i64::from(token.is("}"));
            depth == 0
        };
        rest.get(1).is_some_and(|next| at_item(self.found(), next)) && rest.iter().any(ends)
    }

    /// The span of the error; at the end of the text, the end of the last token.
    fn place(&self) -> Span {
        match (self.found().kind, self.previous()) {
            (SyntaxKind::End, Some(previous)) => Span { start: previous.span.end, ..previous.span },
            _ => self.found().span,
        }
    }

    fn message(&self) -> String {
        format!("expected {}, found {}", alternatives(self.expected), describe(self.found()))
    }

    /// A missing `;`, reported after the previous token, where it belongs.
    fn missing_semicolon(&self) -> Option<Diagnostic> {
        let previous = self.previous().filter(|_| self.wants(";") && self.at_boundary())?;
        if self.found().kind == SyntaxKind::Name && self.capitals(self.found()).is_some() {
            return None;
        }
        let span = Span { start: previous.span.end, ..previous.span };
        let help = self.miswritten(previous).unwrap_or_else(|| format!("add `;` after {}", quote(previous)));
        Some(Diagnostic::error(span, "missing `;`").with_help(help))
    }

    fn leaves_open(&self, opening: &SyntaxToken<'_>) -> bool {
        let close = match opening.spelling() {
            Some("(") => ")",
            Some("[") => "]",
            _ => "}",
        };
        let closing = matches!(self.found().kind, SyntaxKind::Sign(";" | ")" | "]" | "}"));
        self.wants(close) && (closing || self.at_boundary()) && !self.is_misplaced_declaration()
    }

    fn help(&self) -> Option<String> {
        let found = self.found();
        if let Some(help) = self.for_binders() {
            return Some(help);
        }
        if found.is("of") && self.previous().is_some_and(|previous| at_item(previous, found)) {
            return Some("an example is a declaration, which stands outside of all braces".to_string());
        }
        if found.text == "|" && self.wants("}") && self.wants(",") {
            return Some("constructors, values and cases are separated by `,`".to_string());
        }
        if self.spelling_before(1) == "]" && self.spelling_before(2) == "[" {
            return Some("`[]` is the empty sequence; the temporal operator is `always`".to_string());
        }
        if let SyntaxKind::Foreign(foreign) = found.kind {
            let is_step = self.wants(";") && self.expected.iter().all(|e| STEP_SIGNS.contains(e));
            return Some(match is_step && foreign.instead == Some("=>") {
                true => "end each step with `;`".to_string(),
                false => foreign.help.to_string(),
            });
        }
        self.for_declarations()
            .or_else(|| self.for_else_if())
            .or_else(|| self.for_statements())
            .or_else(|| self.for_dots_after_domains())
            .or_else(|| self.capitals(found))
            .or_else(|| {
                INFIX_SYNONYMS.iter().find(|(word, _)| *word == found.text).map(|(_, help)| help.to_string())
            })
            .or_else(|| self.previous().and_then(|previous| self.miswritten(previous)))
            .or_else(|| self.for_misspellings())
            .or_else(|| self.for_pairs())
            .or_else(|| self.for_names())
            .or_else(|| self.for_operands())
            .or_else(|| self.for_signs())
    }

    fn for_declarations(&self) -> Option<String> {
        let found = self.found();
        if self.wants_thing("`model`, `library` or `component`") {
            let words = ["model", "library", "component"];
            let meant = similar(found.text, &words, &[("module", "model"), ("MODULE", "model")]);
            return Some(match meant.filter(|word| found.kind == SyntaxKind::Name && *word != found.text) {
                Some(word) => format!("did you mean `{word}`?"),
                None => "a file begins with `model name;`, `library name;` or `component name;`".into(),
            });
        }
        if self.wants_thing("`type`, `value`, `observe`, `variable`, `function`") {
            return Some(match found.text {
                "var" => "a variable is required by `variable x : T;`".into(),
                "const" => "a constant is required by `value N : T;`".into(),
                "def" | "pred" => "a definition is required by `function f(x: T): U;`".into(),
                _ => REQUIREMENTS.into(),
            });
        }
        if !self.wants_thing("a declaration") {
            return None;
        }
        Some(match found.kind {
            SyntaxKind::Sign("}") => "this `}` has no matching `{`; remove it".into(),
            SyntaxKind::Sign(";") => "a `}` is not followed by `;`; remove it".into(),
            SyntaxKind::Word("enum" | "record" | "set" | "map" | "option") => {
                "name the type: `type T = …;`".into()
            }
            SyntaxKind::Word("value" | "observe") => {
                format!("`{}` belongs in `requires {{ … }}`", found.text)
            }
            SyntaxKind::Word(word) if STATEMENT_WORDS.contains(&word) => {
                format!("`{word}` belongs in the braces of an action")
            }
            SyntaxKind::Name if self.tokens.get(self.at + 1).is_some_and(|next| next.is("'")) => {
                "assignments belong in the braces of an action".into()
            }
            SyntaxKind::Name if self.tokens.get(self.at + 1).is_some_and(|next| next.is(".")) => {
                "calls belong in the braces of an action".into()
            }
            SyntaxKind::Name if found.text == "operation" => "write `operation o(x: T) { … }`".into(),
            SyntaxKind::Name if EXAMPLES.iter().any(|(word, _)| *word == found.text) => {
                let (_, word) = EXAMPLES.iter().find(|(word, _)| *word == found.text)?;
                format!("write `{word} of p within N;`, or `{word} of p {{ a; b(x = e); }}`")
            }
            SyntaxKind::Name => match similar(found.text, ITEM_WORDS, DECLARATION_SYNONYMS) {
                Some(word) => format!("did you mean `{word}`?"),
                None => DECLARATIONS.into(),
            },
            _ => DECLARATIONS.into(),
        })
    }

    fn for_statements(&self) -> Option<String> {
        let found = self.found();
        if self.wants("}") && !found.is("assume") && self.is_misplaced_declaration() {
            return Some(format!(
                "`{}` begins a declaration, which stands outside of all braces",
                found.text
            ));
        }
        if self.wants("within") && found.is(":") {
            return Some("write `example of p within N;`, or `example of p { a; b(x = e); }`".into());
        }
        if self.wants_thing("a step") {
            return Some(match self.wants("}") && self.at_boundary() {
                true => "add `}` where the steps end".into(),
                false => "the steps of an example are those of actions, `a;` or `b(x = e);`".into(),
            });
        }
        if self.wants_thing("a formula") {
            return Some("add `}` where the block ends".into());
        }
        if !self.wants_thing("a statement") {
            return None;
        }
        let next = self.tokens.get(self.at + 1);
        Some(match found.kind {
            SyntaxKind::End => "add `}` where the block ends".into(),
            SyntaxKind::Word("assume") => "the conditions of an action are `require e;`".into(),
            SyntaxKind::Word(word) if ITEM_WORDS.contains(&word) && self.wants("}") => {
                format!("add `}}` before `{word}`, which begins a declaration")
            }
            SyntaxKind::Sign(";") => "remove this `;`".into(),
            SyntaxKind::Word("else") => "`else` directly follows the `}` of `if e { … }`".into(),
            SyntaxKind::Word("exists") => "an action parameter or `x' in S;` leaves a choice open".into(),
            SyntaxKind::Name if next.is_some_and(|next| ["+=", "-=", "*=", "++"].contains(&next.text)) => {
                format!("the next value of {0} is given by `{0}' = …;`", found.text)
            }
            SyntaxKind::Name if CALLERS.contains(&found.text) => CALL.into(),
            SyntaxKind::Name if next.is_some_and(|next| ["!", "?", "."].contains(&next.text)) => CALL.into(),
            SyntaxKind::Name | SyntaxKind::Word("requires") => {
                match similar(found.text, STATEMENT_WORDS, STATEMENT_SYNONYMS) {
                    Some(word) => format!("did you mean `{word}`?"),
                    None => STATEMENTS.into(),
                }
            }
            _ => STATEMENTS.into(),
        })
    }

    /// `let x = e in body`, and `sum x in S: e` and the like.
    fn for_binders(&self) -> Option<String> {
        let found = self.found();
        let before = |distance| self.at.checked_sub(distance).and_then(|at| self.tokens.get(at));
        let is_let = |distance| before(distance).is_some_and(|token| token.is_name("let"));
        let foreign_let = before(1).is_some_and(|token| ["val", "LET", "local"].contains(&token.text));
        if self.wants("'") && foreign_let {
            return Some("a name for a value is `let x = e;`".into());
        }
        let binder = |token: &SyntaxToken<'_>| BINDERS.iter().find(|word| token.text == **word).copied();
        if self.wants("=") && is_let(2) {
            return Some(match found.kind {
                SyntaxKind::Sign(":") => format!("a `let` has no type: {LET}"),
                SyntaxKind::Sign("(") => "a `let` has no parameters: declare a `def`".to_owned(),
                _ if before(3).is_some_and(|token| [";", "{", "}"].contains(&token.text)) => {
                    "as a statement, write `let x = e;`".to_owned()
                }
                _ => LET.to_owned(),
            });
        }
        if self.wants(";") && found.is("in") && self.word_before() == Some("let") {
            return Some(
                "as a statement, `let x = e;` names a value for the rest of the block, without `in`".into(),
            );
        }
        if self.wants("in") {
            return match self.word_before()? {
                "let" if found.is(";") => {
                    Some(format!("{LET}; only as a statement of an action, `let x = e;` stands alone"))
                }
                "let" if found.text == "|" => Some(format!("{LET}; disjunction is `or`")),
                "let"
                    if found.is("{")
                        || found.is(")")
                        || found.kind == SyntaxKind::End
                        || self.at_boundary() =>
                {
                    Some(LET.to_owned())
                }
                word @ ("sum" | "count" | "min" | "max") => Some(format!("write `{word} x in S: …`")),
                _ => None,
            };
        }
        let domain_ends = self.wants(",") && self.wants(":") && found.spelling() != Some("or");
        let word =
            self.word_before().filter(|word| domain_ends && *word != "let" && self.spelling_before(2) != ".");
        if let Some(word) = word {
            return Some(format!("the domain is followed by `:`: `{word} x in S: …`"));
        }
        let word = self.previous().filter(|token| token.kind == SyntaxKind::Name).and_then(binder);
        match (found.kind, word) {
            (SyntaxKind::Sign("{"), Some(word @ ("min" | "max"))) => {
                Some(format!("write `{word} x in S: e` for a set, `{word}(a, b)` for some values"))
            }
            (SyntaxKind::Sign("{"), Some(word)) => Some(format!("write `{word} x in S: …`")),
            (SyntaxKind::Sign(":"), _) if self.wants(")") => {
                let opening = self.opening()?;
                let word = opening.checked_sub(1).and_then(|at| binder(&self.tokens[at]));
                let arrow = self.tokens[opening..self.at].iter().any(|token| token.text == "->");
                match word {
                    Some(word) => Some(format!("write `{word} x in S: …`, without parentheses")),
                    None if arrow => Some("a conditional is `if c then a else b`".to_owned()),
                    None => None,
                }
            }
            _ => None,
        }
    }

    /// The `let`, or the word before a bound name, that is nearest before the error, outside of brackets that are closed.
    fn word_before(&self) -> Option<&'static str> {
        let mut depth = 0_usize;
        for at in (0..self.at).rev() {
            let token = &self.tokens[at];
            match token.kind {
                SyntaxKind::Sign(")" | "]" | "}") => depth += 1,
                SyntaxKind::Sign("(" | "[" | "{" | ";") if depth == 0 => return None,
                SyntaxKind::Sign("(" | "[" | "{") => depth -= 1,
                _ if depth > 0 || self.tokens[at + 1].kind != SyntaxKind::Name => {}
                SyntaxKind::Name if token.text == "let" => return Some("let"),
                SyntaxKind::Name | SyntaxKind::Word(_) => {
                    if let Some(word) = BINDERS.iter().find(|word| token.text == **word) {
                        return Some(word);
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// The innermost bracket around the error.
    fn opening(&self) -> Option<usize> {
        let mut depth = 0_usize;
        (0..self.at).rev().find(|at| match self.tokens[*at].kind {
            SyntaxKind::Sign(")" | "]" | "}") => {
                depth += 1;
                false
            }
            SyntaxKind::Sign("(" | "[" | "{") if depth == 0 => true,
            SyntaxKind::Sign("(" | "[" | "{") => {
                depth -= 1;
                false
            }
            _ => false,
        })
    }

    /// `elif` and similar words.
    fn for_else_if(&self) -> Option<String> {
        let found = self.found();
        let else_if = found.kind == SyntaxKind::Name && ["elif", "elsif", "elseif"].contains(&found.text);
        let help = match self.wants_thing("a statement") {
            _ if !else_if => return None,
            true => "write `else if e { … }`",
            false if self.wants("else") => "write `else if c then a else b`",
            false => return None,
        };
        Some(help.to_string())
    }

    /// `forall x in S. …`: what follows the dot was read as a field, or should have been one.
    fn for_dots_after_domains(&self) -> Option<String> {
        let dot = if self.wants_thing("the name of a field") { 1 } else { 2 };
        let (kind, quantifier) = (self.spelling_before(dot + 2), self.spelling_before(dot + 4));
        let dotted = (dot == 1 || self.wants(":")) && self.spelling_before(dot) == ".";
        (dotted && kind == "in" && ["forall", "exists"].contains(&quantifier))
            .then(|| format!("the domain is followed by `:`, not `.`: `{quantifier} x in S: …`"))
    }

    fn capitals(&self, token: &SyntaxToken<'_>) -> Option<String> {
        let word = token.text.to_lowercase();
        let meant = token.kind == SyntaxKind::Name && token.text.len() > 1 && WORDS.contains(&word.as_str());
        let infix = operators::binary(&word).is_some() || word == "is" || word == "until" || word == "not";
        let fits = infix
            || self.expected.iter().any(|e| matches!(e, Expected::Token(spelling) if *spelling == word));
        (meant && (fits || self.previous().is_some_and(|previous| std::ptr::eq(previous, token))))
            .then(|| format!("keywords are written in lower case: `{word}`"))
    }

    /// The word that the token before the error was probably meant to be.
    fn miswritten(&self, previous: &SyntaxToken<'_>) -> Option<String> {
        let operand =
            matches!(self.found().kind, SyntaxKind::Name | SyntaxKind::Integer(_) | SyntaxKind::Sign("("))
                || self.found().is("of")
                || self.found().is("not")
                || self.found().is("some");
        if previous.kind != SyntaxKind::Name || !operand || self.found().first_on_line || self.wants("}") {
            return None;
        }
        let synonym = OPERAND_SYNONYMS.iter().find(|(word, _)| *word == previous.text);
        self.capitals(previous).or_else(|| synonym.map(|(_, help)| help.to_string()))
    }

    /// Errors recognised by what was expected and what was found.
    fn for_pairs(&self) -> Option<String> {
        let wants = |spelling| self.wants(spelling);
        let thing = |thing| self.wants_thing(thing);
        let (before, word) = (self.spelling_before(1), self.spelling_before(2));
        let help = match self.found().kind {
            SyntaxKind::Sign("=") if thing("an expression") && before == "=" => "equality is a single `=`",
            SyntaxKind::Sign("=") if wants("'") => {
                "an assignment names the next value: `x' = e`, `x'[k] = e`, `x'.f = e`"
            }
            SyntaxKind::Sign("[" | ".") if wants("'") => {
                "the prime directly follows the variable: `x'[k] = e`, `x'.f = e`"
            }
            SyntaxKind::Sign("=" | ";") if wants(":") && ["invariant", "ltl", "ctl"].contains(&word) => {
                "write the name, `:` and the formula"
            }
            SyntaxKind::Sign("=") if wants(":") && before == ")" => {
                "the type of the result is missing: `def f(x: T): U = e;`"
            }
            SyntaxKind::Sign("=") if wants(":") && ["const", "var", "def"].contains(&word) => {
                "the type is missing: `name : type = …`"
            }
            SyntaxKind::Sign(":") if thing("a name") && ["invariant", "ltl", "ctl"].contains(&before) => {
                "every property has a name, before the `:`"
            }
            _ if thing("a name") && ["model", "library"].contains(&before) => {
                "a file begins with `model name;` or `library name;`"
            }
            SyntaxKind::Sign("(") if ["forall", "exists"].contains(&before) => {
                "the variable and its domain are not put in parentheses: `forall x in S: …`, `exists x in S: …`"
            }
            SyntaxKind::Sign(":") if wants("in") => {
                "write `forall x in S: …`, `exists x in S: …`, with several domains `exists x in S, y in T: …`"
            }
            SyntaxKind::Sign(":") if wants("{") && !wants("=") => {
                "in an action, `forall x in T { … }` has braces and no `:`"
            }
            SyntaxKind::Sign(":") if wants("=") && before == ")" => {
                "a predicate has no result type: `pred p(t: pos) = e;`"
            }
            SyntaxKind::Sign(":") if wants("=") => "a name is separated from its definition by `=`",
            SyntaxKind::Sign(":") if wants("}") => "to select elements, write `{ x in S : condition }`",
            SyntaxKind::Sign(":") if wants(")") => "every field of a record is written `name: value`",
            SyntaxKind::Sign("{") if wants("=") => "the body follows `=`, without braces",
            SyntaxKind::Sign(",") if wants(":") && ["const", "var"].contains(&word) => {
                "declare one name at a time"
            }
            SyntaxKind::Sign(",") if wants(":") => "a map has one key: `map x in K: map y in L: e`",
            SyntaxKind::Name if wants(":") && wants(",") => "write `(x, y: T)`: names, `:` and their type",
            SyntaxKind::Word("then") if wants("{") => "in an action, write `if e { … } else { … }`",
            SyntaxKind::Word("not") if wants("some") => "`e is some` is the opposite of `e is none`",
            SyntaxKind::Word("not") => "membership is `x in S` and `x not in S`",
            SyntaxKind::Sign("(") if thing("a type") => "types are not put in parentheses",
            SyntaxKind::Sign("'") if thing("an expression") => "the prime follows a variable: `x'`",
            SyntaxKind::Sign("(") if wants(";") => "only a name can be followed by arguments",
            SyntaxKind::Sign(",") if wants(";") => {
                "join formulas with `and`, end statements and declarations with `;`"
            }
            SyntaxKind::Sign(";") if wants(",") && wants("}") => {
                "the items between the braces are separated by `,`"
            }
            SyntaxKind::Sign("=") if thing("the name of a field") => "fields are written `name: value`",
            SyntaxKind::Name if self.found().text == "U" && wants(")") => "write `A[p U q]` or `E[p U q]`",
            SyntaxKind::Name if before == "some" => "write `exists x in S: …`; a present value is `some(e)`",
            _ if thing("`between` or `before`") => NEVER,
            _ if self.is_between() => NEVER,
            _ if wants("max") => "sequences and bags have at most so many elements: `seq of T max 3`",
            _ if wants("=") && wants("in") => "write `x' = e;` or `x' in S;`",
            _ if before == "else" && wants("{") => "write `else { … }`",
            _ if wants("else") => "every `if … then …` needs an `else`; an implication is `a => b`",
            _ if wants("then") => "write `if c then a else b`",
            _ if thing("a path in double quotes") && self.spelling_before(1) == "in" => {
                "write `in \"model.sts\"`"
            }
            _ if thing("a path in double quotes") || wants("as") => "write `import \"path\" as name;`",
            _ if thing("a position") => "write `e@t` with a position t",
            _ if thing("the name of a vocabulary or `{`") => {
                "write `vocabulary v = { eq(x, y), before } + other;`"
            }
            _ => return None,
        };
        Some(help.to_string())
    }

    /// True if the second position of `never e between t1 and t2` is missing.
    fn is_between(&self) -> bool {
        let word = self.at.checked_sub(2).and_then(|at| self.tokens.get(at));
        self.wants("and") && word.is_some_and(|word| word.is_name("between"))
    }

    /// The sign or keyword `distance` tokens before the error.
    fn spelling_before(&self, distance: usize) -> &'static str {
        let token = self.at.checked_sub(distance).and_then(|at| self.tokens.get(at));
        token.and_then(SyntaxToken::spelling).unwrap_or_default()
    }

    fn for_names(&self) -> Option<String> {
        if self.wants("then") || !self.wants_thing("a name") && !self.wants_thing("the name of a field") {
            return None;
        }
        Some(match self.found().kind {
            SyntaxKind::Word(word @ ("exists" | "forall")) if self.spelling_before(1) == "." => {
                format!("write `{word} x in S: …`")
            }
            SyntaxKind::Word(word @ ("union" | "intersect" | "subset")) if self.spelling_before(1) == "." => {
                format!("write `S {word} T`")
            }
            SyntaxKind::Word("in") if self.spelling_before(1) == "." => "membership is `x in S`".into(),
            SyntaxKind::Word("to") if self.spelling_before(1) == "." => "a range is `lo..hi`".into(),
            SyntaxKind::Word("map") if self.spelling_before(1) == "." => "a map is `map x in K: e`".into(),
            SyntaxKind::Word(word) => other_name(word),
            _ if self.wants_thing("the name of a field") && self.spelling_before(1) != "." => {
                "every field of a record is written `name: value`".into()
            }
            _ => "a name consists of letters, digits and `_`, and does not begin with a digit".into(),
        })
    }

    fn for_operands(&self) -> Option<String> {
        let found = self.found();
        if self.wants_thing("a type") {
            return Some(TYPES.into());
        }
        if self.wants_thing("an item of a vocabulary") {
            return Some(
                "items are `eq(x, y)`, `eq(x) across`, `lacks(s)`, `absent(x)`, `before`, `next` and predicates".into(),
            );
        }
        if self.wants_thing("`type`, `value`, `observe`") || self.wants("observe") {
            return Some(REQUIREMENTS.into());
        }
        if !self.wants_thing("an expression") {
            return None;
        }
        let is_operator = |token: &SyntaxToken<'_>| {
            token
                .spelling()
                .is_some_and(|s| operators::binary(s).is_some() || [".", "..", "until"].contains(&s))
        };
        let previous = self.previous();
        Some(match (found.kind, previous) {
            (_, Some(previous)) if is_operator(previous) => {
                format!("`{}` needs an operand on its right", previous.text)
            }
            _ if is_operator(found) => format!("`{}` needs an operand on its left", found.text),
            (SyntaxKind::Word(word), _) if !ITEM_WORDS.contains(&word) => {
                format!("`{word}` is a keyword and cannot be a name")
            }
            (_, Some(previous)) => format!("something is missing after {}", quote(previous)),
            (_, None) => "write a value, a name or an operation".into(),
        })
    }

    fn for_misspellings(&self) -> Option<String> {
        let found = self.found();
        let words = self.expected.iter().filter_map(|expected| match expected {
            Expected::Token(word) if word.len() > 2 => Some(*word),
            _ => None,
        });
        let words: Vec<&'static str> = words.collect();
        let word = similar(found.text, &words, &[]).filter(|_| found.kind == SyntaxKind::Name)?;
        Some(format!("did you mean `{word}`?"))
    }

    /// A missing sign, keyword or operator.
    fn for_signs(&self) -> Option<String> {
        let found = self.found();
        let previous = self.previous()?;
        let between = format!("between {} and {}", quote(previous), quote(found));
        let operand =
            matches!(found.kind, SyntaxKind::Name | SyntaxKind::Integer(_) | SyntaxKind::Sign("(" | "{"));
        let close = [")", "]", "}"].into_iter().find(|close| self.wants(close));
        Some(match (close, self.expected) {
            _ if self.wants_thing("the end of the expression") && operand => {
                format!("an operator is missing {between}")
            }
            _ if self.wants_thing("the end of the expression") => {
                "only one expression is expected here".into()
            }
            _ if self.wants(",") && operand && found.kind != SyntaxKind::Sign("{") => {
                format!("put `,` {between}")
            }
            _ if self.wants(";") && found.kind == SyntaxKind::Name && self.is_after("fairness", "strong") => {
                format!("strong fairness is about an action: `fairness strong action {}`", found.text)
            }
            _ if self.wants(";") && operand && found.kind != SyntaxKind::Sign("{") => {
                format!("an operator or `;` is missing {between}")
            }
            (Some(close @ (")" | "]")), _) if operand && found.kind != SyntaxKind::Sign("{") => {
                format!("an operator or `{close}` is missing {between}")
            }
            (Some(close), _) if self.at_boundary() => format!("add `{close}` after {}", quote(previous)),
            (Some(close), _) => format!("add `{close}` before {}", quote(found)),
            (None, [sign]) if found.kind == SyntaxKind::End => {
                format!("add {sign} after {}", quote(previous))
            }
            (None, [sign]) => format!("add {sign} before {}", quote(found)),
            _ => format!("{} can follow {}", alternatives(self.expected), quote(previous)),
        })
    }
}

/// Tokens that can follow the name of the action of a step.
const STEP_SIGNS: [Expected; 3] = [Expected::Token("."), Expected::Token("("), Expected::Token(";")];
const DECLARATIONS: &str = "declarations begin with `import`, `requires`, `const`, `type`, `var`, `init`, `def`, \
    `action`, `operation`, `assume`, `invariant`, `ltl`, `ctl`, `fairness`, `environment`, `pred`, \
    `vocabulary` or `example of`";
const STATEMENTS: &str = "statements are `require e;`, `x' = e;`, `x' in S;`, `o(e);`, `let x = e;`, `if e { … } else { … }`, \
    `forall x in T { … }` and `constrain e;`";
const REQUIREMENTS: &str =
    "write `type T;`, `value N : T;`, `observe o : T;`, `variable x : T;` or `function f(x: T): U;`";
const NEVER: &str = "write `never e between t1 and t2`, or `never e before t`";
const CALL: &str = "an operation is called by `o(e);`, that of a component by `net.o(e);`";
const TYPES: &str = "types are `bool`, `lo..hi`, `enum { A, B }`, `set of T`, `option T`, `record { f: T }`, \
    `map K to T` and declared names";

fn describe(token: &SyntaxToken<'_>) -> String {
    match token.kind {
        SyntaxKind::Word(_) => format!("the keyword {}", quote(token)),
        _ => quote(token),
    }
}

fn quote(token: &SyntaxToken<'_>) -> String {
    if token.kind == SyntaxKind::End {
        return "the end of the text".into();
    }
    format!("`{}`", shortened(token.text))
}
