//! Scripts that somebody else wrote. A solver does whatever a script says, also write files and start programs; so it gets
//! only the commands that declare, define, assert and ask, and these as they were understood here.

use super::tokens::{SmtToken, SmtTokens};
use kit::diagnostics::{Diagnostic, SourceId, Span, nearest};
use std::fmt::Write;

/// A script that asks one question, and does nothing else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForeignScript(String);

/// The commands with terms and sorts. What else begins with `declare-` or `define-` are extensions of single solvers: cvc5 runs a
/// program for `declare-oracle-fun`.
const STATEMENTS: &[&str] = &[
    "assert",
    "declare-const",
    "declare-datatype",
    "declare-datatypes",
    "declare-fun",
    "declare-sort",
    "define-const",
    "define-fun",
    "define-fun-rec",
    "define-funs-rec",
    "define-sort",
];

const OTHERS: &[&str] = &["check-sat", "exit", "set-info", "set-logic", "set-option"];

/// The options that change no more than how a solver works, and what could be asked for afterwards.
const OPTIONS: &[&str] = &[
    "global-declarations",
    "print-success",
    "produce-assertions",
    "produce-assignments",
    "produce-models",
    "produce-proofs",
    "produce-unsat-assumptions",
    "produce-unsat-cores",
    "random-seed",
    "reproducible-resource-limit",
];

/// The annotations of terms.
const ANNOTATIONS: &[&str] = &["named", "no-pattern", "pattern", "qid", "skolemid", "weight"];

impl ForeignScript {
    /// Reads a script of SMT-LIB 2.6 with a single `(check-sat)`, after which nothing but `(exit)` comes.
    ///
    /// # Errors
    /// At the first thing that is none, or that a script need not do.
    pub fn read(text: &str, source: SourceId) -> Result<Self, Diagnostic> {
        let mut tokens = SmtTokens::new(text);
        let mut reader = ForeignReader { source, out: String::with_capacity(text.len()), has_asked: false };
        while let Some(command) = reader.command(&mut tokens)? {
            reader.take(&command)?;
        }
        match reader.has_asked {
            true => Ok(Self(reader.out)),
            false => Err(Diagnostic::error(reader.span(tokens.at(), 0), "the script asks nothing")
                .with_help("a script has one `(check-sat)`")),
        }
    }

    /// The commands, each in a line of its own, without comments.
    pub fn text(&self) -> &str {
        &self.0
    }
}

/// The tokens of a command with their places.
type ForeignCommand<'t> = [(SmtToken<'t>, usize)];

struct ForeignReader {
    source: SourceId,
    out: String,
    has_asked: bool,
}

impl ForeignReader {
    fn span(&self, at: usize, length: usize) -> Span {
        Span::new(self.source, at, at + length)
    }

    fn wrong(&self, (token, at): (SmtToken<'_>, usize), message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(self.span(at, token.to_string().len()), message)
    }

    /// The next command, from its first parenthesis to its last.
    fn command<'t>(
        &self,
        tokens: &mut SmtTokens<'t>,
    ) -> Result<Option<Vec<(SmtToken<'t>, usize)>>, Diagnostic> {
        let mut command = Vec::new();
        let mut depth = 0_usize;
        for token in tokens.by_ref() {
            let token = token.map_err(|at| {
                Diagnostic::error(self.span(at, 1), "this is not part of SMT-LIB 2.6")
                    .with_help("strings and quoted symbols end, and have no `\\` before `\"` or `|`")
            })?;
            match token.0 {
                SmtToken::Open => depth += 1,
                SmtToken::Close if depth > 0 => depth -= 1,
                _ if depth > 0 => {}
                _ => return Err(self.wrong(token, "a command begins with `(`")),
            }
            command.push(token);
            if depth == 0 {
                return Ok(Some(command));
            }
        }
        match command.first() {
            Some(&open) => Err(self.wrong(open, "this `(` is not closed")),
            None => Ok(None),
        }
    }

    /// Takes a command over, if it may be passed on.
    fn take(&mut self, command: &ForeignCommand<'_>) -> Result<(), Diagnostic> {
        let [_, head, arguments @ .., _] = command else {
            return Err(self.wrong(command[0], "a command has a name"));
        };
        let SmtToken::Symbol(name) = head.0 else { return Err(self.not_passed_on(*head)) };
        let is_right = match (name, arguments) {
            ("check-sat" | "exit", arguments) => arguments.is_empty(),
            ("set-logic", [(logic, _)]) => matches!(logic, SmtToken::Symbol(_)),
            ("set-info", [(key, _), value @ ..]) => {
                let is_plain =
                    |(value, _): &(SmtToken<'_>, _)| !matches!(value, SmtToken::Open | SmtToken::Keyword(_));
                matches!(key, SmtToken::Keyword(_)) && value.len() <= 1 && value.iter().all(is_plain)
            }
            ("set-option", [key, value @ ..]) => self.sets_option(*key, value)?,
            (name, arguments) if STATEMENTS.contains(&name) => {
                self.is_statement(arguments)?;
                !arguments.is_empty()
            }
            (name, _) if OTHERS.contains(&name) => false,
            _ => return Err(self.not_passed_on(*head)),
        };
        if !is_right {
            return Err(self.wrong(*head, format!("`{name}` is not used like this in SMT-LIB 2.6")));
        }
        if self.has_asked && name != "exit" {
            let error = self.wrong(*head, "after `(check-sat)` a script does nothing but `(exit)`");
            return Err(error.with_help("an obligation is one question: it needs a script of its own"));
        }
        self.has_asked |= name == "check-sat";
        if name == "exit" && !self.has_asked {
            return Err(self
                .wrong(*head, "the script ends before it asks")
                .with_help("`(check-sat)` comes first"));
        }
        // The description of a script is no business of a solver.
        if name != "set-info" {
            self.print(command);
        }
        Ok(())
    }

    /// True if an option is set to a truth value or number.
    fn sets_option(
        &self,
        key: (SmtToken<'_>, usize),
        value: &ForeignCommand<'_>,
    ) -> Result<bool, Diagnostic> {
        let SmtToken::Keyword(name) = key.0 else { return Ok(false) };
        if !OPTIONS.contains(&name) {
            let error = self.wrong(key, format!("the option `:{name}` is not passed on to a solver"));
            return Err(error.with_help(help(name, OPTIONS, ":")));
        }
        Ok(matches!(value, [(SmtToken::Symbol("true" | "false") | SmtToken::Constant(_), _)]))
    }

    /// Sees to it that keywords are annotations of terms.
    fn is_statement(&self, arguments: &ForeignCommand<'_>) -> Result<(), Diagnostic> {
        let mut depth = 0_usize;
        for &token in arguments {
            match token.0 {
                SmtToken::Open => depth += 1,
                SmtToken::Close => depth -= 1,
                SmtToken::Keyword(name) if depth == 0 || !ANNOTATIONS.contains(&name) => {
                    let error = self.wrong(token, format!("`:{name}` is not passed on to a solver"));
                    return Err(error.with_help(help(name, ANNOTATIONS, "an annotation `(! TERM …)` has :")));
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn not_passed_on(&self, head: (SmtToken<'_>, usize)) -> Diagnostic {
        let message = format!("the command `{}` is not passed on to a solver", head.0);
        let known: Vec<&str> = STATEMENTS.iter().chain(OTHERS).copied().collect();
        let name = head.0.to_string();
        self.wrong(head, message).with_help(help(
            &name,
            &known,
            "a script declares, defines, asserts and asks: ",
        ))
    }

    /// Writes a command in one line; what is quoted may have more.
    fn print(&mut self, command: &ForeignCommand<'_>) {
        let mut is_first = true;
        for (token, _) in command {
            if !is_first && *token != SmtToken::Close {
                self.out.push(' ');
            }
            is_first = *token == SmtToken::Open;
            write!(self.out, "{token}").unwrap_or_else(|_| unreachable!("a string takes every text"));
        }
        self.out.push('\n');
    }
}

/// Help on the things that would be passed on instead.
fn help(name: &str, known: &[&str], intro: &str) -> String {
    match nearest(name, known.iter().copied()) {
        Some(meant) => format!("did you mean `{}{meant}`?", if intro.ends_with(':') { ":" } else { "" }),
        None => format!("{intro}{}", known.join(if intro.ends_with(':') { ", :" } else { ", " })),
    }
}
