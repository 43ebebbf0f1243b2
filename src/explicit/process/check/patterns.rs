//! Patterns of `case` and `?`.

use super::ProcessChecker;
use super::names::{RoutineScope, variable};
use super::types::{CallSignature, Callee};
use crate::process::program::{CasePattern, ProcessTypeKind, TypeId};
use crate::process::text::tree::{self, PatternSyntaxKind, ProcessName};
use crate::process::value::ProcessValue;
use kit::diagnostics::Span;

impl ProcessChecker {
    /// Checks a pattern for values of a type; `None` after a mistake.
    pub(super) fn pattern(
        &mut self,
        pattern: &tree::PatternSyntax,
        of: TypeId,
        scope: &RoutineScope,
    ) -> Option<CasePattern> {
        match &pattern.kind {
            PatternSyntaxKind::Any(None) => Some(CasePattern::Any),
            PatternSyntaxKind::Number(_)
            | PatternSyntaxKind::Constructed(..)
            | PatternSyntaxKind::Named(..)
            | PatternSyntaxKind::List(_)
                if self.is_vague(of) =>
            {
                None
            }
            PatternSyntaxKind::Any(Some(name)) => {
                let found = self.type_of(name)?;
                self.needs(pattern, found, of).then_some(CasePattern::Any)
            }
            PatternSyntaxKind::Of(inner, name) => {
                let found = self.type_of(name)?;
                if self.needs(pattern, found, of) { self.pattern(inner, of, scope) } else { None }
            }
            PatternSyntaxKind::Text(_) | PatternSyntaxKind::Number(_) => self.literal(pattern, of),
            PatternSyntaxKind::Name(name) => {
                if let Some(signature) = self.constructor(&name.key, 0, of) {
                    return Some(nullary(&signature));
                }
                let Some(variable) = variable(&scope.variables, &name.key).cloned() else {
                    let known: Vec<String> = scope.variables.iter().map(|v| v.key.clone()).collect();
                    let known: Vec<&str> = known.iter().map(String::as_str).collect();
                    self.unknown(name, "variable or constructor", &known, "declare it with `var`");
                    return None;
                };
                self.needs(pattern, variable.of, of).then_some(CasePattern::Bind(variable.slot))
            }
            PatternSyntaxKind::Constructed(name, patterns) => {
                let Some(signature) = self.constructor(&name.key, patterns.len(), of) else {
                    if let (Some(element), "CONS", [first, others]) =
                        (self.element(of), name.key.as_str(), patterns.as_slice())
                    {
                        let parts = [self.pattern(first, element, scope)?, self.pattern(others, of, scope)?];
                        return Some(CasePattern::Cons(Box::new(parts)));
                    }
                    let message = format!(
                        "{} has no constructor {} with {} fields",
                        self.type_name(of),
                        name.shown,
                        patterns.len()
                    );
                    self.mistake(pattern.span, message, "a constructor pattern lists all fields");
                    return None;
                };
                let Callee::Constructor(index) = signature.callee else { return Some(nullary(&signature)) };
                let parts = patterns.iter().zip(&signature.parameters);
                let parts: Option<Vec<CasePattern>> =
                    parts.map(|(p, of)| self.pattern(p, *of, scope)).collect();
                Some(CasePattern::Constructed(index, parts?))
            }
            PatternSyntaxKind::Named(name, fields) => {
                self.with_named_fields(name, fields, (pattern.span, of), scope)
            }
            PatternSyntaxKind::List(patterns) => {
                let Some(element) = self.element(of) else {
                    let message = format!("{} is not a list type", self.type_name(of));
                    self.mistake(pattern.span, message, "write a value of this type or a variable");
                    return None;
                };
                let parts: Option<Vec<CasePattern>> =
                    patterns.iter().map(|part| self.pattern(part, element, scope)).collect();
                Some(CasePattern::List(parts?))
            }
        }
    }

    fn literal(&mut self, pattern: &tree::PatternSyntax, of: TypeId) -> Option<CasePattern> {
        let kind = &self.types[of.index()].kind;
        let shown = match (&pattern.kind, kind) {
            (PatternSyntaxKind::Text(text), ProcessTypeKind::Text) => {
                return Some(CasePattern::Value(ProcessValue::Text(text.as_str().into())));
            }
            (PatternSyntaxKind::Number(number), kind) if kind.has_number(*number) => {
                return Some(CasePattern::Value(ProcessValue::Number(*number)));
            }
            (PatternSyntaxKind::Number(number), _) => number.to_string(),
            _ => "a string".to_owned(),
        };
        let message = format!("{shown} is not a value of {}", self.type_name(of));
        self.mistake(pattern.span, message, "write a value of this type or a variable");
        None
    }

    /// `C (f -> p, g -> q)` for values of a type
    fn with_named_fields(
        &mut self,
        name: &ProcessName,
        fields: &[(ProcessName, tree::PatternSyntax)],
        (span, of): (Span, TypeId),
        scope: &RoutineScope,
    ) -> Option<CasePattern> {
        let names: Vec<&ProcessName> = fields.iter().map(|(name, _)| name).collect();
        let found = self.with_fields(&name.key, &names).into_iter().find(|found| found.of == of);
        let Some(found) = found else {
            let message =
                format!("{} has no constructor {} with these fields", self.type_name(of), name.shown);
            self.mistake(span, message, "a constructor pattern lists all fields");
            return None;
        };
        let parts = found.order.iter().zip(&found.types);
        let parts: Option<Vec<CasePattern>> =
            parts.map(|(&at, of)| self.pattern(&fields[at].1, *of, scope)).collect();
        Some(CasePattern::Constructed(found.constructor, parts?))
    }

    fn constructor(&self, key: &str, fields: usize, of: TypeId) -> Option<CallSignature> {
        let known = self.signatures.get(&(key.to_owned(), fields))?;
        known.iter().find(|s| s.result == of && s.callee.is_constructor()).cloned()
    }

    fn needs(&mut self, pattern: &tree::PatternSyntax, found: TypeId, wanted: TypeId) -> bool {
        if found != wanted {
            let message =
                format!("this is {}, but {} is needed here", self.type_name(found), self.type_name(wanted));
            self.mistake(pattern.span, message, "use a variable of this type");
        }
        found == wanted
    }

    /// The type that a pattern has by itself: that of its variable, or the one it names.
    pub(super) fn own_type(&mut self, pattern: &tree::PatternSyntax, scope: &RoutineScope) -> Option<TypeId> {
        match &pattern.kind {
            PatternSyntaxKind::Of(_, name) | PatternSyntaxKind::Any(Some(name)) => self.type_of(name),
            PatternSyntaxKind::Name(name) if variable(&scope.variables, &name.key).is_some() => {
                variable(&scope.variables, &name.key).map(|variable| variable.of)
            }
            PatternSyntaxKind::Name(name) => {
                let known: Vec<String> = scope.variables.iter().map(|v| v.key.clone()).collect();
                let known: Vec<&str> = known.iter().map(String::as_str).collect();
                self.unknown(name, "variable", &known, "declare it: `var x : nat in ... end var`");
                None
            }
            _ if self.lacks(&["channel"]) => None,
            _ => {
                let help = "write `?x`, `?any T` or `?P of T`, or give the gate a typed channel";
                self.mistake(pattern.span, "the type of this offer is unknown", help);
                None
            }
        }
    }
}

fn nullary(signature: &CallSignature) -> CasePattern {
    match signature.callee {
        Callee::EmptyList => CasePattern::List(Vec::new()),
        Callee::Constructor(index) => {
            CasePattern::Value(ProcessValue::Constructed(index, Default::default()))
        }
        _ => unreachable!("only constructors are searched for"),
    }
}
