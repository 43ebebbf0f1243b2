//! Configurations of TLC: the file `.cfg` beside a module.

use super::lexer::{Kind, Token, tokens};
use super::parser::Parser;
use crate::quint::ir::Expr;
use kit::diagnostics::{Diagnostic, SourceId, Span};

/// The value given for a constant.
#[derive(Debug, Clone)]
pub(super) enum Given {
    Value(Expr),
    /// The definition that stands for it.
    Definition(String),
}

#[derive(Debug, Clone, Default)]
pub(super) struct Config {
    pub constants: Vec<(String, Given, Span)>,
    pub init: Option<(String, Span)>,
    pub next: Option<(String, Span)>,
    pub specification: Option<(String, Span)>,
    pub invariants: Vec<(String, Span)>,
    pub properties: Vec<(String, Span)>,
    pub constraints: Vec<(String, Span)>,
    pub step_constraints: Vec<(String, Span)>,
    pub no_deadlock: bool,
}

const SECTIONS: &[&str] = &[
    "CONSTANT",
    "CONSTANTS",
    "INIT",
    "NEXT",
    "SPECIFICATION",
    "INVARIANT",
    "INVARIANTS",
    "PROPERTY",
    "PROPERTIES",
    "CONSTRAINT",
    "CONSTRAINTS",
    "ACTION_CONSTRAINT",
    "ACTION_CONSTRAINTS",
    "SYMMETRY",
    "VIEW",
    "CHECK_DEADLOCK",
    "ALIAS",
    "POSTCONDITION",
];

impl Config {
    pub fn read(text: &str, source: SourceId, mistakes: &mut Vec<Diagnostic>) -> Self {
        let all = tokens(text, source, mistakes);
        let mut config = Self { no_deadlock: true, ..Self::default() };
        let mut at = 0;
        while let Some(token) = all.get(at) {
            at += 1;
            if !SECTIONS.contains(&token.text.as_str()) || token.kind != Kind::Name {
                let message = format!("expected a section such as `INVARIANT`, but found `{}`", token.text);
                mistakes.push(Diagnostic::error(token.span, message));
                while all.get(at).is_some_and(|token| !SECTIONS.contains(&token.text.as_str())) {
                    at += 1;
                }
                continue;
            }
            let begin = at;
            while all.get(at).is_some_and(|token| !SECTIONS.contains(&token.text.as_str())) {
                at += 1;
            }
            config.section(&token.text, &all[begin..at], mistakes);
        }
        config
    }

    fn section(&mut self, section: &str, tokens: &[Token], mistakes: &mut Vec<Diagnostic>) {
        let names = || {
            let names = tokens.iter().filter(|token| token.kind == Kind::Name);
            names.map(|token| (token.text.clone(), token.span)).collect::<Vec<_>>()
        };
        match section {
            "CONSTANT" | "CONSTANTS" => self.constants(tokens, mistakes),
            "INIT" => self.init = names().pop(),
            "NEXT" => self.next = names().pop(),
            "SPECIFICATION" => self.specification = names().pop(),
            "INVARIANT" | "INVARIANTS" => self.invariants.extend(names()),
            "PROPERTY" | "PROPERTIES" => self.properties.extend(names()),
            "CONSTRAINT" | "CONSTRAINTS" => self.constraints.extend(names()),
            "ACTION_CONSTRAINT" | "ACTION_CONSTRAINTS" => self.step_constraints.extend(names()),
            "CHECK_DEADLOCK" => self.no_deadlock = tokens.first().is_none_or(|token| token.text != "FALSE"),
            // They change how TLC searches or prints, not which traces there are.
            _ => {}
        }
    }

    fn constants(&mut self, tokens: &[Token], mistakes: &mut Vec<Diagnostic>) {
        let starts: Vec<usize> = (0..tokens.len())
            .filter(|&at| tokens.get(at + 1).is_some_and(|next| matches!(next.text.as_str(), "=" | "<-")))
            .collect();
        if starts.first() != Some(&0) && !tokens.is_empty() {
            mistakes
                .push(Diagnostic::error(tokens[0].span, "expected `NAME = value` or `NAME <- Definition`"));
        }
        for (number, &start) in starts.iter().enumerate() {
            let end = starts.get(number + 1).copied().unwrap_or(tokens.len());
            let (name, value) = (&tokens[start], &tokens[start + 2..end]);
            let given = if tokens[start + 1].text == "<-" {
                match value.last() {
                    Some(last) => Ok(Given::Definition(last.text.clone())),
                    None => Err(Diagnostic::error(name.span, "expected the name of a definition")),
                }
            } else {
                Parser::new(value, name.span).expression().map(|value| Given::Value(values(value)))
            };
            match given {
                Ok(given) => self.constants.push((name.text.clone(), given, name.span)),
                Err(mistake) => mistakes.push(mistake),
            }
        }
    }
}

/// Replaces names by model values, which are strings here.
fn values(expr: Expr) -> Expr {
    match expr {
        Expr::Name { name } => match name.strip_prefix("::") {
            Some(value) => Expr::Str { value: value.to_owned() },
            None => Expr::Name { name },
        },
        Expr::App { opcode, args } => Expr::App { opcode, args: args.into_iter().map(values).collect() },
        other => other,
    }
}
