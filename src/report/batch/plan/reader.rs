//! Typed values from a TOML text, each with its place. All mistakes are collected, not only the first.

use kit::diagnostics::{Diagnostic, SourceId, Span, find_name};
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A value with its place in the plan.
#[derive(Debug, Clone)]
pub struct PlacedValue<T> {
    /// The value as the plan gives it.
    pub value: T,
    /// The place of the value, without its key.
    pub span: Span,
}

/// Reads values and collects what is wrong with them.
#[derive(Debug)]
pub struct PlanReader {
    source: SourceId,
    /// The mistakes so far, in the order in which they were found.
    pub problems: Vec<Diagnostic>,
}

/// A table and its name in messages.
#[derive(Debug, Clone, Copy)]
pub struct PlanTable<'t> {
    entries: &'t DeTable<'t>,
    /// The name in messages: `[settings]`.
    pub name: &'t str,
    /// The place of the whole table.
    pub span: Span,
}

impl PlanReader {
    /// A reader of this source, without any mistakes.
    pub fn new(source: SourceId) -> Self {
        Self { source, problems: Vec::new() }
    }

    /// Parses the text as TOML. After a syntax error the rest is parsed as far as possible.
    pub fn parse<'t>(&mut self, text: &'t str) -> DeTable<'t> {
        let (table, errors) = DeTable::parse_recoverable(text);
        for error in errors {
            let span = self.span(error.span().unwrap_or(0..0));
            self.error(span, format!("this is not TOML: {}", error.message()));
        }
        table.into_inner()
    }

    fn span(&self, range: Range<usize>) -> Span {
        Span::new(self.source, range.start, range.end)
    }

    /// Reports a mistake.
    pub fn error(&mut self, span: Span, message: impl Into<String>) {
        self.problems.push(Diagnostic::error(span, message));
    }

    /// Reports a mistake with what to do about it.
    pub fn error_with_help(&mut self, span: Span, message: impl Into<String>, help: &str) {
        self.problems.push(Diagnostic::error(span, message).with_help(help));
    }

    /// Reports a mistake unless it has been reported: several tables may share its cause.
    pub fn error_once(&mut self, span: Span, message: &str, help: &str) {
        let error = Diagnostic::error(span, message).with_help(help);
        if !self.problems.contains(&error) {
            self.problems.push(error);
        }
    }

    /// The root table, `the plan` in messages.
    pub fn root<'t>(&self, entries: &'t DeTable<'t>) -> PlanTable<'t> {
        PlanTable { entries, name: "the plan", span: self.span(0..0) }
    }

    /// A table below a table; `None` if the key is missing or its value is not a table.
    pub fn table<'t>(&mut self, table: PlanTable<'t>, key: &str, name: &'t str) -> Option<PlanTable<'t>> {
        let value = table.entries.get(key)?;
        self.as_table(value, name)
    }

    /// The tables of `[[key]]`; empty if the key is missing.
    pub fn tables<'t>(&mut self, table: PlanTable<'t>, key: &str, name: &'t str) -> Vec<PlanTable<'t>> {
        let Some(value) = table.entries.get(key) else { return Vec::new() };
        match value.get_ref() {
            DeValue::Array(items) => items.iter().filter_map(|item| self.as_table(item, name)).collect(),
            _ => {
                self.expected(value, &format!("tables under `{name}`"));
                Vec::new()
            }
        }
    }

    fn as_table<'t>(&mut self, value: &'t Spanned<DeValue<'t>>, name: &'t str) -> Option<PlanTable<'t>> {
        match value.get_ref() {
            DeValue::Table(entries) => Some(PlanTable { entries, name, span: self.span(value.span()) }),
            _ => {
                self.expected(value, &format!("a table `{name}`"));
                None
            }
        }
    }

    /// Reports every key of a table that is not among the known ones.
    pub fn only(&mut self, table: PlanTable<'_>, known: &[&str]) {
        for key in table.entries.keys() {
            if let Err(error) = find_name("key", key.get_ref(), known) {
                let message = format!("{} in {}", error.message, table.name);
                self.problems.push(Diagnostic { span: Some(self.span(key.span())), message, ..error });
            }
        }
    }

    /// A list of at least one string; `None` if the key is missing or its value is something else.
    pub fn strings(&mut self, table: PlanTable<'_>, key: &str) -> Option<Vec<PlacedValue<String>>> {
        let items = self.list(table, key, "a list of strings")?;
        items.into_iter().map(|item| self.as_string(item)).collect()
    }

    /// A list of at least one list of strings, with the places of the inner lists.
    pub fn string_lists(
        &mut self,
        table: PlanTable<'_>,
        key: &str,
    ) -> Option<Vec<PlacedValue<Vec<PlacedValue<String>>>>> {
        let what = "a list of lists of strings";
        let items = self.list(table, key, what)?;
        let mut lists = Vec::new();
        for item in items {
            let DeValue::Array(inner) = item.get_ref() else {
                self.expected(item, what);
                continue;
            };
            let strings: Option<Vec<_>> = inner.iter().map(|s| self.as_string(s)).collect();
            lists.push(PlacedValue { value: strings?, span: self.span(item.span()) });
        }
        Some(lists)
    }

    /// A string without control characters.
    pub fn string(&mut self, table: PlanTable<'_>, key: &str) -> Option<PlacedValue<String>> {
        let value = table.entries.get(key)?;
        self.as_string(value)
    }

    /// A string, or a whole number as text.
    pub fn string_or_number(&mut self, table: PlanTable<'_>, key: &str) -> Option<PlacedValue<String>> {
        let value = table.entries.get(key)?;
        match value.get_ref() {
            DeValue::Integer(_) => {
                let number = self.as_number(value)?;
                Some(PlacedValue { value: number.value.to_string(), span: number.span })
            }
            _ => self.as_string(value),
        }
    }

    /// `true` or `false`.
    pub fn flag(&mut self, table: PlanTable<'_>, key: &str) -> Option<PlacedValue<bool>> {
        let value = table.entries.get(key)?;
        match value.get_ref() {
            DeValue::Boolean(flag) => Some(PlacedValue { value: *flag, span: self.span(value.span()) }),
            _ => {
                self.expected(value, "true or false");
                None
            }
        }
    }

    /// A whole number, 0 or more.
    pub fn number(&mut self, table: PlanTable<'_>, key: &str) -> Option<PlacedValue<usize>> {
        let value = table.entries.get(key)?;
        self.as_number(value)
    }

    /// A list of at least one whole number.
    pub fn numbers(&mut self, table: PlanTable<'_>, key: &str) -> Option<Vec<PlacedValue<usize>>> {
        let items = self.list(table, key, "a list of whole numbers")?;
        items.into_iter().map(|item| self.as_number(item)).collect()
    }

    /// True if the value of a key is a table.
    pub fn is_table(&self, table: PlanTable<'_>, key: &str) -> bool {
        matches!(table.entries.get(key).map(Spanned::get_ref), Some(DeValue::Table(_)))
    }

    /// True if the value of a key is a string.
    pub fn is_string(&self, table: PlanTable<'_>, key: &str) -> bool {
        matches!(table.entries.get(key).map(Spanned::get_ref), Some(DeValue::String(_)))
    }

    /// True if the table has this key.
    pub fn has(&self, table: PlanTable<'_>, key: &str) -> bool {
        table.entries.get(key).is_some()
    }

    fn list<'t>(
        &mut self,
        table: PlanTable<'t>,
        key: &str,
        what: &str,
    ) -> Option<Vec<&'t Spanned<DeValue<'t>>>> {
        let value = table.entries.get(key)?;
        let DeValue::Array(items) = value.get_ref() else {
            self.expected(value, what);
            return None;
        };
        if items.is_empty() {
            let help = "list at least one value, or leave the key out (all keys but `models` and `bounds` are optional)";
            self.error_with_help(
                self.span(value.span()),
                format!("`{key}` is empty, so no job would run"),
                help,
            );
            return None;
        }
        Some(items.iter().collect())
    }

    fn as_string(&mut self, value: &Spanned<DeValue<'_>>) -> Option<PlacedValue<String>> {
        match value.get_ref() {
            DeValue::String(text) if text.chars().any(char::is_control) => {
                let help = "names, paths and values of a plan are printed: leave control characters out";
                self.error_with_help(self.span(value.span()), "a string with a control character", help);
                None
            }
            DeValue::String(text) => {
                Some(PlacedValue { value: text.clone().into_owned(), span: self.span(value.span()) })
            }
            _ => {
                self.expected(value, "a string");
                None
            }
        }
    }

    fn as_number(&mut self, value: &Spanned<DeValue<'_>>) -> Option<PlacedValue<usize>> {
        let number = match value.get_ref() {
            DeValue::Integer(n) => usize::from_str_radix(n.as_str(), n.radix()).ok(),
            _ => None,
        };
        if number.is_none() {
            self.expected(value, "a whole number, 0 or more");
        }
        number.map(|n| PlacedValue { value: n, span: self.span(value.span()) })
    }

    fn expected(&mut self, value: &Spanned<DeValue<'_>>, what: &str) {
        let found = match value.get_ref() {
            DeValue::String(_) => "a string".to_owned(),
            DeValue::Integer(n) => n.to_string(),
            DeValue::Float(x) => x.to_string(),
            DeValue::Boolean(flag) => flag.to_string(),
            DeValue::Datetime(date) => date.to_string(),
            DeValue::Array(_) => "a list".to_owned(),
            DeValue::Table(_) => "a table".to_owned(),
        };
        self.error(self.span(value.span()), format!("expected {what}, found {found}"));
    }
}
