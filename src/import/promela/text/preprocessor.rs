//! The preprocessor: `#define`, `#include`, `#if` and so on, and `inline`, which is replaced like a macro.

use super::lexicon::PROMELA;
use kit::diagnostics::{Diagnostic, SourceId, SourceMap, Span};
use kit::number::to_u32;
use kit::parsing::{Token, TokenKind};
use std::collections::HashMap;
use std::ops::Range;

/// The most files of a program, and the most tokens when all macros are replaced.
const MOST_FILES: usize = 256;
const MOST_TOKENS: usize = 1_000_000;

/// The files of a program, the first of which is the one that was asked for.
#[derive(Debug)]
pub struct PromelaFiles {
    files: Vec<Text>,
}

#[derive(Debug)]
struct Text {
    source: SourceId,
    /// With spaces in place of directives.
    code: String,
    /// With lines that go on joined.
    joined: String,
    directives: Vec<Range<usize>>,
    /// The files that directives name, or the reason why there is none.
    includes: HashMap<String, Result<usize, String>>,
}

/// Reads a text and those that it includes; `read` gives a file that is named in another.
pub fn read_texts(
    shown: &str,
    text: &str,
    sources: &mut SourceMap,
    read: &dyn Fn(&str) -> Result<String, String>,
) -> PromelaFiles {
    let mut files = vec![Text::new(sources.add(shown, text), text)];
    let mut known: HashMap<String, Result<usize, String>> = HashMap::new();
    let mut next = 0;
    while next < files.len() {
        for range in files[next].directives.clone() {
            let Some(name) = included(&files[next].joined[range]).map(str::to_owned) else { continue };
            if !known.contains_key(&name) {
                let found = match files.len() {
                    MOST_FILES.. => Err(format!("there are more than {MOST_FILES} files")),
                    _ => read(&name),
                };
                let index = found.map(|text| {
                    files.push(Text::new(sources.add(&name, &text), &text));
                    files.len() - 1
                });
                known.insert(name.clone(), index);
            }
            let index = known[&name].clone();
            files[next].includes.insert(name, index);
        }
        next += 1;
    }
    PromelaFiles { files }
}

/// The file that a directive includes.
fn included(directive: &str) -> Option<&str> {
    let rest = directive[1..].trim_start().strip_prefix("include")?.trim();
    rest.strip_prefix('"')?.split('"').next()
}

impl Text {
    fn new(source: SourceId, text: &str) -> Self {
        let joined = text.replace("\\\r\n", "   ").replace("\\\n", "  ");
        let mut code = joined.clone().into_bytes();
        let directives = directives(&joined);
        for range in &directives {
            code[range.clone()].fill(b' ');
        }
        let code = String::from_utf8(code).expect("whole lines are replaced");
        Self { source, code, joined, directives, includes: HashMap::new() }
    }
}

/// The lines that begin with `#`, outside of comments. A comment that begins in one belongs to it.
fn directives(text: &str) -> Vec<Range<usize>> {
    let (mut all, mut at, bytes) = (Vec::new(), 0, text.as_bytes());
    let (mut fresh, mut start) = (true, None);
    while at < bytes.len() {
        let rest = &text.as_bytes()[at..];
        at += if rest.starts_with(b"/*") {
            let end = rest[2..].windows(2).position(|end| end == b"*/");
            end.map_or(rest.len(), |end| end + 4)
        } else if rest.starts_with(b"//") {
            rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len())
        } else if rest[0] == b'"' && start.is_none() {
            let end = rest[1..].iter().position(|byte| matches!(byte, b'"' | b'\n'));
            end.map_or(rest.len(), |end| end + if rest[1 + end] == b'"' { 2 } else { 1 })
        } else {
            1
        };
        match rest[0] {
            b'\n' => {
                all.extend(start.take().map(|start| start..at - 1));
                fresh = true;
            }
            b'#' if fresh => start = Some(at - 1),
            byte => fresh &= byte.is_ascii_whitespace(),
        }
    }
    all.extend(start.map(|start| start..bytes.len()));
    all
}

/// Tokens that no statement begins with.
const CONTINUES: &[&str] = &[
    ";", "->", "}", ")", "]", ",", "unless", "::", "fi", "od", ".", "..", "=", "==", "!=", "<", "<=", ">",
    ">=", "+", "*", "/", "%", "&&", "||", "&", "|", "^", "<<", ">>", "?", "??", "provided", "priority", "of",
];

/// `#define name(params) body`, or `inline`.
#[derive(Debug, Clone)]
struct PromelaMacro<'a> {
    params: Option<Vec<&'a str>>,
    body: Vec<Token<'a>>,
    /// Its tokens keep their places.
    inline: bool,
}

#[derive(Debug, Default)]
pub(super) struct Preprocessor<'a> {
    macros: HashMap<&'a str, PromelaMacro<'a>>,
    tokens: Vec<Token<'a>>,
    pub mistakes: Vec<Diagnostic>,
    /// For each `#if` around: it applies; one of its branches did.
    conditions: Vec<(bool, bool)>,
    /// How many macros were replaced.
    uses: usize,
    full: bool,
}

/// All tokens of a program, and what is wrong with its lines.
pub(super) fn tokens(texts: &PromelaFiles) -> (Vec<Token<'_>>, Vec<Diagnostic>) {
    let mut preprocessor = Preprocessor::default();
    let first = &texts.files[0];
    preprocessor.file(texts, first, 0);
    if !preprocessor.conditions.is_empty() {
        let end = Span::new(first.source, first.code.len(), first.code.len());
        preprocessor.wrong(end, "`#if` without `#endif`", "add `#endif`");
    }
    preprocessor.ends_of_lines(texts);
    preprocessor.inlines();
    let end = Span::new(first.source, first.code.len(), first.code.len());
    preprocessor.tokens.push(Token { kind: TokenKind::End, text: "", span: end, reported: false });
    (preprocessor.tokens, preprocessor.mistakes)
}

impl<'a> Preprocessor<'a> {
    fn wrong(&mut self, span: Span, message: impl Into<String>, help: &str) {
        self.mistakes.push(Diagnostic::error(span, message).with_help(help));
    }

    fn applies(&self) -> bool {
        self.conditions.iter().all(|(applies, _)| *applies)
    }

    fn file(&mut self, texts: &'a PromelaFiles, text: &'a Text, depth: usize) {
        let lexed = PROMELA.lex(text.source, &text.code);
        let mut tokens = &lexed.tokens[..lexed.tokens.len() - 1];
        let mut left_out: Vec<Range<u32>> = Vec::new();
        let mut from = 0;
        let ends = text.directives.iter().cloned().map(Some).chain([None]);
        for directive in ends {
            let end = to_u32(directive.as_ref().map_or(text.code.len(), |range| range.start));
            let (now, later) = tokens.split_at(tokens.partition_point(|token| token.span.start < end));
            tokens = later;
            if self.applies() {
                self.replace(now, &mut Vec::new(), None);
            } else {
                left_out.push(from..end);
            }
            from = end;
            if let Some(range) = directive {
                self.directive(texts, text, range, depth);
            }
        }
        let read = |mistake: &Diagnostic| {
            let start = mistake.span.map_or(0, |span| span.start);
            !left_out.iter().any(|range| range.contains(&start))
        };
        self.mistakes.extend(lexed.mistakes.into_iter().filter(read));
    }

    fn directive(&mut self, texts: &'a PromelaFiles, text: &'a Text, range: Range<usize>, depth: usize) {
        let whole = Span::new(text.source, range.start, range.end);
        let lexed = PROMELA.lex(text.source, &text.joined[range.clone()]);
        let by = to_u32(range.start);
        let moved = |token: &Token<'a>| Token {
            span: Span { start: token.span.start + by, end: token.span.end + by, ..token.span },
            ..*token
        };
        let line: Vec<Token<'a>> = lexed.tokens[1..lexed.tokens.len() - 1].iter().map(moved).collect();
        let (word, rest) = line.split_first().map_or(("", &[][..]), |(word, rest)| (word.text, rest));
        let outer = self.conditions.split_last().is_none_or(|(_, outer)| outer.iter().all(|(on, _)| *on));
        let named = |preprocessor: &Self| {
            rest.first().is_some_and(|name| preprocessor.macros.contains_key(name.text))
        };
        match word {
            "if" | "ifdef" | "ifndef" => {
                let holds = self.applies()
                    && match word {
                        "if" => self.condition(rest, whole),
                        "ifdef" => named(self),
                        _ => !named(self),
                    };
                self.conditions.push((holds, holds));
            }
            "elif" | "else" | "endif" => match self.conditions.pop() {
                None => self.wrong(whole, format!("`#{word}` without `#if`"), "remove it"),
                Some((_, done)) if word != "endif" => {
                    let holds = outer && !done && (word == "else" || self.condition(rest, whole));
                    self.conditions.push((holds, done || holds));
                }
                Some(_) => {}
            },
            _ if !self.applies() => {}
            "define" => self.define(rest, whole),
            "undef" => {
                rest.first().map(|name| self.macros.remove(name.text));
            }
            "include" => match included(&text.joined[range]).map(|name| (name, &text.includes[name])) {
                None => self.wrong(whole, "`#include` without a file", "write `#include \"file\"`"),
                Some((name, Err(why))) => {
                    self.wrong(
                        whole,
                        format!("cannot read `{name}`: {why}"),
                        "includes are relative to the file",
                    );
                }
                Some((name, _)) if depth > 50 => {
                    self.wrong(whole, format!("`{name}` includes itself"), "put `#ifndef` around it");
                }
                Some((_, Ok(index))) => self.file(texts, &texts.files[*index], depth + 1),
            },
            "error" => self.wrong(whole, "the program refuses itself here", "see the condition around it"),
            // `# 1 "file"`, which preprocessors write.
            "" | "line" | "pragma" | "warning" => {}
            _ if word.starts_with(|c: char| c.is_ascii_digit()) => {}
            _ => self.wrong(
                whole,
                format!("`#{word}` is not known"),
                "known are #define, #include, #if and so on",
            ),
        }
    }

    fn define(&mut self, line: &[Token<'a>], whole: Span) {
        let Some((name, rest)) =
            line.split_first().filter(|(name, _)| matches!(name.kind, TokenKind::Name | TokenKind::Word(_)))
        else {
            return self.wrong(whole, "`#define` without a name", "write `#define name text`");
        };
        let touches = rest.first().is_some_and(|next| next.text == "(" && next.span.start == name.span.end);
        let (params, body) = match rest.iter().position(|token| token.text == ")").filter(|_| touches) {
            None => (None, rest),
            Some(close) => {
                let names = rest[1..close].iter().filter(|token| token.text != ",");
                (Some(names.map(|token| token.text).collect()), &rest[close + 1..])
            }
        };
        self.macros.insert(name.text, PromelaMacro { params, body: body.to_vec(), inline: false });
    }

    /// Adds tokens, in which macros are replaced; `at` is the place of the use that they come from.
    fn replace(&mut self, tokens: &[Token<'a>], hidden: &mut Vec<&'a str>, at: Option<Span>) {
        let mut rest = tokens;
        while let Some((first, after)) = rest.split_first() {
            rest = after;
            if self.tokens.len() + self.uses >= MOST_TOKENS {
                if !std::mem::replace(&mut self.full, true) {
                    let message =
                        format!("the program has more than {MOST_TOKENS} tokens after preprocessing");
                    self.wrong(at.unwrap_or(first.span), message, "use fewer or smaller macros");
                }
                return;
            }
            let span = at.unwrap_or(first.span);
            let known = matches!(first.kind, TokenKind::Name | TokenKind::Word(_))
                .then(|| self.macros.get(first.text))
                .flatten()
                .filter(|_| !hidden.contains(&first.text) && hidden.len() < 60);
            let Some(found) = known.cloned() else {
                self.tokens.push(Token { span, ..*first });
                continue;
            };
            let body = match &found.params {
                None => found.body,
                Some(params) => {
                    let Some((arguments, after)) = arguments(rest) else {
                        self.tokens.push(Token { span, ..*first });
                        continue;
                    };
                    rest = after;
                    let none = params.is_empty() && arguments.iter().all(Vec::is_empty);
                    if arguments.len() != params.len() && !none {
                        let message = format!(
                            "`{}` has {} parameters, not {}",
                            first.text,
                            params.len(),
                            arguments.len()
                        );
                        self.wrong(span, message, "give one argument for each");
                        continue;
                    }
                    let argument =
                        |token: &Token<'a>| match params.iter().position(|name| *name == token.text) {
                            Some(index) if !matches!(token.kind, TokenKind::Text | TokenKind::Pattern) => {
                                arguments[index].clone()
                            }
                            _ => vec![*token],
                        };
                    found.body.iter().flat_map(argument).collect()
                }
            };
            self.uses += 1;
            hidden.push(first.text);
            self.replace(&body, hidden, if found.inline { at } else { Some(span) });
            hidden.pop();
        }
    }

    /// Takes the definitions of `inline` out of the tokens, and replaces their calls.
    fn inlines(&mut self) {
        let tokens = std::mem::take(&mut self.tokens);
        self.macros.clear();
        let mut rest = &tokens[..];
        while let Some(at) = rest.iter().position(|token| token.kind == TokenKind::Word("inline")) {
            self.replace(&rest[..at], &mut Vec::new(), None);
            let word = rest[at];
            rest = &rest[at + 1..];
            let head = rest.split_first().filter(|(name, _)| name.kind == TokenKind::Name);
            let head = head.and_then(|(name, after)| Some((name, arguments(after)?)));
            let body = head.as_ref().and_then(|(_, (_, after))| block(after));
            let (Some((name, (params, after))), Some(length)) = (head, body) else {
                self.wrong(
                    word.span,
                    "`inline` needs a name, parameters and a body",
                    "write `inline f(x) { … }`",
                );
                continue;
            };
            let params = params.iter().filter_map(|param| Some(param.first()?.text)).collect();
            let body = after[..length].to_vec();
            self.macros.insert(name.text, PromelaMacro { params: Some(params), body, inline: true });
            rest = &after[length..];
        }
        self.replace(rest, &mut Vec::new(), None);
    }

    /// Puts semicolons where statements end with their lines, as Spin does.
    fn ends_of_lines(&mut self, texts: &PromelaFiles) {
        let code: HashMap<SourceId, &str> =
            texts.files.iter().map(|text| (text.source, text.code.as_str())).collect();
        let (mut braces, mut others, mut list) = (0_usize, 0_usize, false);
        let mut all = Vec::with_capacity(self.tokens.len());
        for (index, token) in self.tokens.iter().enumerate() {
            match token.text {
                "{" => {
                    let before =
                        |by: usize| index.checked_sub(by).map_or("", |index| self.tokens[index].text);
                    if braces == 0 {
                        list = ["=", "mtype", "ltl"].contains(&before(1)) || before(2) == "ltl";
                    }
                    braces += 1;
                }
                "}" => braces = braces.saturating_sub(1),
                "(" | "[" => others += 1,
                ")" | "]" => others = others.saturating_sub(1),
                _ => {}
            }
            all.push(*token);
            let ends = matches!(token.kind, TokenKind::Name | TokenKind::Number(_) | TokenKind::Pattern)
                || [
                    "}", ")", "]", "++", "--", "od", "fi", "else", "break", "skip", "true", "false",
                    "timeout",
                ]
                .contains(&token.text);
            let Some(next) =
                self.tokens.get(index + 1).filter(|_| ends && braces > 0 && others == 0 && !list)
            else {
                continue;
            };
            let same = next.span.source == token.span.source && next.span.start >= token.span.end;
            let between = code.get(&token.span.source).filter(|_| same);
            let between =
                between.and_then(|code| code.get(token.span.end as usize..next.span.start as usize));
            if between.is_some_and(|between| between.contains('\n')) && !CONTINUES.contains(&next.text) {
                let span = Span { start: token.span.end, ..token.span };
                all.push(Token { kind: TokenKind::Sign(";"), text: ";", span, reported: false });
            }
        }
        self.tokens = all;
    }

    /// The truth of the condition of `#if`.
    fn condition(&mut self, line: &[Token<'a>], whole: Span) -> bool {
        let mut plain = Vec::new();
        let mut rest = line;
        while let Some((first, after)) = rest.split_first() {
            rest = after;
            if first.text != "defined" {
                plain.push(*first);
                continue;
            }
            let skip = usize::from(rest.first().is_some_and(|next| next.text == "("));
            let name = rest.get(skip).map_or("", |name| name.text);
            let text = if self.macros.contains_key(name) { "1" } else { "0" };
            plain.push(Token {
                kind: TokenKind::Number(text.parse().ok()),
                text,
                span: first.span,
                reported: false,
            });
            rest = rest.get(1 + 2 * skip..).unwrap_or(&[]);
        }
        let before = std::mem::take(&mut self.tokens);
        self.replace(&plain, &mut Vec::new(), None);
        let tokens = std::mem::replace(&mut self.tokens, before);
        let mut rest = &tokens[..];
        let value = alternative(&mut rest, 0).filter(|_| rest.is_empty());
        if value.is_none() {
            self.wrong(
                whole,
                "this condition is not supported",
                "known are numbers, `defined`, ! && || == != < <= > >= + -",
            );
        }
        value.is_some_and(|value| value != 0)
    }
}

/// The arguments between parentheses, and what follows.
fn arguments<'t, 'a>(tokens: &'t [Token<'a>]) -> Option<(Vec<Vec<Token<'a>>>, &'t [Token<'a>])> {
    let (open, _) = tokens.split_first()?;
    let (mut all, mut depth) = (vec![Vec::new()], 0_usize);
    if open.text != "(" {
        return None;
    }
    for (index, token) in tokens.iter().enumerate() {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.checked_sub(1)?,
            _ => {}
        }
        match token.text {
            ")" if depth == 0 => return Some((all, &tokens[index + 1..])),
            "," if depth == 1 => all.push(Vec::new()),
            _ if index > 0 => all.last_mut()?.push(*token),
            _ => {}
        }
    }
    None
}

/// The length of the block that tokens begin with.
fn block(tokens: &[Token<'_>]) -> Option<usize> {
    let mut depth = 0_usize;
    for (index, token) in tokens.iter().enumerate() {
        match token.text {
            "{" => depth += 1,
            "}" => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return (index > 0).then_some(index + 1);
        }
    }
    None
}

/// The operators of conditions, those that bind least first.
const LEVELS: &[&[&str]] = &[&["||"], &["&&"], &["==", "!="], &["<", "<=", ">", ">="], &["+", "-"], &["*"]];

fn alternative(rest: &mut &[Token<'_>], level: usize) -> Option<i64> {
    let Some(signs) = LEVELS.get(level) else { return operand(rest) };
    let mut left = alternative(rest, level + 1)?;
    while let Some(sign) = rest.first().map(|token| token.text).filter(|text| signs.contains(text)) {
        *rest = &rest[1..];
        let right = alternative(rest, level + 1)?;
        left = match sign {
            "||" => i64::from(left != 0 || right != 0),
            "&&" => i64::from(left != 0 && right != 0),
            "==" => i64::from(left == right),
            "!=" => i64::from(left != right),
            "<" => i64::from(left < right),
            "<=" => i64::from(left <= right),
            ">" => i64::from(left > right),
            ">=" => i64::from(left >= right),
            "+" => left.checked_add(right)?,
            "-" => left.checked_sub(right)?,
            _ => left.checked_mul(right)?,
        };
    }
    Some(left)
}

fn operand(rest: &mut &[Token<'_>]) -> Option<i64> {
    let mut inverted = Vec::new();
    loop {
        let (first, after) = rest.split_first()?;
        *rest = after;
        let value = match first.kind {
            TokenKind::Sign(sign @ ("!" | "-")) => {
                inverted.push(sign);
                continue;
            }
            TokenKind::Number(value) => value?,
            TokenKind::Sign("(") => {
                if rest.len() > 500 {
                    return None;
                }
                let value = alternative(rest, 0)?;
                *rest = rest.split_first().filter(|(close, _)| close.text == ")")?.1;
                value
            }
            // A name that nothing defines.
            TokenKind::Name | TokenKind::Word(_) => 0,
            _ => return None,
        };
        let apply = |value: i64, sign| if sign == "!" { i64::from(value == 0) } else { value.wrapping_neg() };
        return Some(inverted.into_iter().rev().fold(value, apply));
    }
}
