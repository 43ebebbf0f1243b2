//! Configurations of TLC: the file `.cfg` beside a module.

use super::lexer::{TlaToken, TlaTokenKind, tokens};
use super::parser::Parser;
use crate::quint::ir::QuintExpr;
use crate::quint::types::MODEL_VALUE;
use kit::diagnostics::{Diagnostic, SourceId, Span, nearest};

/// The value given for a constant.
#[derive(Debug, Clone)]
pub(super) enum ConstantValue {
    Value(QuintExpr),
    /// The definition that stands for it.
    Definition(String),
}

#[derive(Debug, Clone, Default)]
pub(super) struct Config {
    pub constants: Vec<(String, ConstantValue, Span)>,
    pub init: Option<(String, Span)>,
    pub next: Option<(String, Span)>,
    pub specification: Option<(String, Span)>,
    pub invariants: Vec<(String, Span)>,
    pub properties: Vec<(String, Span)>,
    pub constraints: Vec<(String, Span)>,
    pub step_constraints: Vec<(String, Span)>,
    /// Sections that change how TLC searches or prints, not the traces.
    pub warnings: Vec<Diagnostic>,
    pub no_deadlock: bool,
    /// `N <- [M]D` or `N = [M]value`: the module, the name, and what stands in place of it.
    pub within: Vec<(String, String, QuintExpr)>,
}

pub(super) const SECTIONS: &[&str] = &[
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
            if !SECTIONS.contains(&token.text.as_str()) || token.kind != TlaTokenKind::Name {
                let message = format!("expected a section such as `INVARIANT`, but found `{}`", token.text);
                mistakes.push(suggested(
                    Diagnostic::error(token.span, message),
                    &token.text,
                    SECTIONS.iter().copied(),
                ));
                while all.get(at).is_some_and(|token| !SECTIONS.contains(&token.text.as_str())) {
                    at += 1;
                }
                continue;
            }
            let begin = at;
            while all.get(at).is_some_and(|token| !SECTIONS.contains(&token.text.as_str())) {
                at += 1;
            }
            config.section(token, &all[begin..at], mistakes);
        }
        if let (Some((_, span)), true) =
            (&config.specification, config.init.is_some() || config.next.is_some())
        {
            let message = "SPECIFICATION stands beside INIT or NEXT";
            mistakes.push(Diagnostic::error(*span, message).with_help("keep one of the two"));
        }
        config
    }

    fn section(&mut self, token: &TlaToken, tokens: &[TlaToken], mistakes: &mut Vec<Diagnostic>) {
        let section = token.text.as_str();
        if let "CONSTANT" | "CONSTANTS" = section {
            return self.constants(tokens, mistakes);
        }
        let mut named = Vec::new();
        for token in tokens {
            match token.kind {
                TlaTokenKind::Name => named.push((token.text.clone(), token.span)),
                _ => {
                    let message = format!("expected the name of a definition, but found `{}`", token.text);
                    let help = "give the formula a name in the module, and write the name here";
                    mistakes.push(Diagnostic::error(token.span, message).with_help(help));
                }
            }
        }
        let single = matches!(section, "INIT" | "NEXT" | "SPECIFICATION" | "CHECK_DEADLOCK");
        let earlier = match section {
            "INIT" => self.init.is_some(),
            "NEXT" => self.next.is_some(),
            "SPECIFICATION" => self.specification.is_some(),
            _ => false,
        };
        if single && (named.len() != 1 || earlier) {
            let message = format!("`{section}` needs one name");
            let other =
                named.iter().skip(1).find(|(name, _)| nearest(name, SECTIONS.iter().copied()).is_some());
            let error = Diagnostic::error(other.map_or(token.span, |(_, span)| *span), message);
            mistakes.push(match other {
                Some((name, _)) => suggested(error, name, SECTIONS.iter().copied()),
                None => error.with_help("write it once, with one name"),
            });
            return;
        }
        let names = || named.clone();
        match section {
            "INIT" => self.init = names().pop(),
            "NEXT" => self.next = names().pop(),
            "SPECIFICATION" => self.specification = names().pop(),
            "INVARIANT" | "INVARIANTS" => self.invariants.extend(names()),
            "PROPERTY" | "PROPERTIES" => self.properties.extend(names()),
            "CONSTRAINT" | "CONSTRAINTS" => self.constraints.extend(names()),
            "ACTION_CONSTRAINT" | "ACTION_CONSTRAINTS" => self.step_constraints.extend(names()),
            "CHECK_DEADLOCK" => match named.first().map(|(name, _)| name.as_str()) {
                Some("TRUE") => self.no_deadlock = true,
                Some("FALSE") => self.no_deadlock = false,
                _ => mistakes.push(Diagnostic::error(token.span, "`CHECK_DEADLOCK` is TRUE or FALSE")),
            },
            "SYMMETRY" | "VIEW" => self.warnings.push(Diagnostic::warning(
                token.span,
                format!("`{section}` is left out: there are more states than TLC counts"),
            )),
            "ALIAS" => self
                .warnings
                .push(Diagnostic::warning(token.span, "`ALIAS` is left out: traces show the variables")),
            _ => mistakes.push(
                Diagnostic::error(token.span, format!("`{section}` is not supported"))
                    .with_help("remove it from the .cfg: it is about the search of TLC, not about traces"),
            ),
        }
    }

    fn constants(&mut self, tokens: &[TlaToken], mistakes: &mut Vec<Diagnostic>) {
        let starts: Vec<usize> = (0..tokens.len())
            .filter(|&at| tokens.get(at + 1).is_some_and(|next| matches!(next.text.as_str(), "=" | "<-")))
            .collect();
        if starts.first() != Some(&0) && !tokens.is_empty() {
            mistakes
                .push(Diagnostic::error(tokens[0].span, "expected `NAME = value` or `NAME <- Definition`"));
        }
        for (number, &start) in starts.iter().enumerate() {
            let end = starts.get(number + 1).copied().unwrap_or(tokens.len());
            // Of two signs in a row, the first one has no value.
            let (name, value) = (&tokens[start], tokens.get(start + 2..end).unwrap_or_default());
            let is_definition = tokens[start + 1].text == "<-";
            if let [open, module, close, by] = value
                && (open.text.as_str(), close.text.as_str()) == ("[", "]")
                && by.kind == TlaTokenKind::Name
            {
                let by = QuintExpr::Name { name: format!("::{}", by.text) };
                let by = if is_definition { by } else { values(by) };
                self.within.push((module.text.clone(), name.text.clone(), by));
                continue;
            }
            let given = if is_definition {
                match value {
                    [one] if one.kind == TlaTokenKind::Name => {
                        Ok(ConstantValue::Definition(one.text.clone()))
                    }
                    _ => Err(Diagnostic::error(name.span, "expected `<-` and the name of a definition")
                        .with_help("write `N <- D`, or `N <- [M]D` for one module")),
                }
            } else {
                Parser::new(value, name.span).whole().map(|value| ConstantValue::Value(values(value)))
            };
            match given {
                Ok(given) => self.constants.push((name.text.clone(), given, name.span)),
                Err(mistake) => mistakes.push(mistake),
            }
        }
    }
}

/// Adds the name that was meant, if one is like the one that is written.
pub(super) fn suggested<'n>(
    error: Diagnostic,
    written: &str,
    names: impl Iterator<Item = &'n str>,
) -> Diagnostic {
    match nearest(written, names) {
        Some(meant) => error.with_help(format!("did you mean `{meant}`?")),
        None => error,
    }
}

/// Replaces names by model values, which differ from all strings.
pub(super) fn values(expr: QuintExpr) -> QuintExpr {
    match expr {
        QuintExpr::Name { name } => match name.strip_prefix("::") {
            Some(value) => QuintExpr::Str { value: format!("{MODEL_VALUE}{value}") },
            None => QuintExpr::Name { name },
        },
        QuintExpr::App { opcode, args } => {
            QuintExpr::App { opcode, args: args.into_iter().map(values).collect() }
        }
        other => other,
    }
}
