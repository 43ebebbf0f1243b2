//! Values out of a TOML text, each with its place; all mistakes are kept, not only the first.

use crate::cli::suggest::find;
use cladist::diagnostics::{Diagnostic, SourceId, Span};
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A value and where it stands.
#[derive(Debug, Clone)]
pub struct Placed<T> {
    /// The value.
    pub value: T,
    /// Its place.
    pub span: Span,
}

/// Reads from one text.
#[derive(Debug)]
pub struct Reader {
    source: SourceId,
    /// What is wrong so far.
    pub problems: Vec<Diagnostic>,
}

/// A table with what it is called in messages.
#[derive(Debug, Clone, Copy)]
pub struct Table<'t> {
    entries: &'t DeTable<'t>,
    /// `[settings]`.
    pub name: &'t str,
    /// Its place.
    pub span: Span,
}

impl Reader {
    /// For this source.
    pub fn new(source: SourceId) -> Self {
        Self { source, problems: Vec::new() }
    }

    /// Parses the text, as far as it goes.
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

    /// Notes a mistake.
    pub fn error(&mut self, span: Span, message: impl Into<String>) {
        self.problems.push(Diagnostic::error(span, message));
    }

    /// Notes a mistake and what to do about it.
    pub fn error_with_help(&mut self, span: Span, message: impl Into<String>, help: &str) {
        self.problems.push(Diagnostic::error(span, message).with_help(help));
    }

    /// Notes a mistake that several tables have in common.
    pub fn error_once(&mut self, span: Span, message: &str, help: &str) {
        let error = Diagnostic::error(span, message).with_help(help);
        if !self.problems.contains(&error) {
            self.problems.push(error);
        }
    }

    /// The root of a text.
    pub fn root<'t>(&self, entries: &'t DeTable<'t>) -> Table<'t> {
        Table { entries, name: "the plan", span: self.span(0..0) }
    }

    /// A table in a table.
    pub fn table<'t>(&mut self, table: Table<'t>, key: &str, name: &'t str) -> Option<Table<'t>> {
        let value = table.entries.get(key)?;
        self.as_table(value, name)
    }

    /// A list of tables in a table: `[[key]]`.
    pub fn tables<'t>(&mut self, table: Table<'t>, key: &str, name: &'t str) -> Vec<Table<'t>> {
        let Some(value) = table.entries.get(key) else { return Vec::new() };
        match value.get_ref() {
            DeValue::Array(items) => items.iter().filter_map(|item| self.as_table(item, name)).collect(),
            _ => {
                self.expected(value, &format!("tables under `{name}`"));
                Vec::new()
            }
        }
    }

    fn as_table<'t>(&mut self, value: &'t Spanned<DeValue<'t>>, name: &'t str) -> Option<Table<'t>> {
        match value.get_ref() {
            DeValue::Table(entries) => Some(Table { entries, name, span: self.span(value.span()) }),
            _ => {
                self.expected(value, &format!("a table `{name}`"));
                None
            }
        }
    }

    /// Notes every key of a table that is not among the known ones.
    pub fn only(&mut self, table: Table<'_>, known: &[&str]) {
        for key in table.entries.keys() {
            if let Err(error) = find("key", key.get_ref(), known) {
                let message = format!("{} in {}", error.message, table.name);
                self.problems.push(Diagnostic { span: Some(self.span(key.span())), message, ..error });
            }
        }
    }

    /// A list of strings, at least one; `None` if the key is not there or the value is no such list.
    pub fn strings(&mut self, table: Table<'_>, key: &str) -> Option<Vec<Placed<String>>> {
        let items = self.list(table, key, "a list of strings")?;
        items.into_iter().map(|item| self.as_string(item)).collect()
    }

    /// A list of lists of strings, at least one, with the places of the inner lists.
    pub fn string_lists(&mut self, table: Table<'_>, key: &str) -> Option<Vec<Placed<Vec<Placed<String>>>>> {
        let what = "a list of lists of strings";
        let items = self.list(table, key, what)?;
        let mut lists = Vec::new();
        for item in items {
            let DeValue::Array(inner) = item.get_ref() else {
                self.expected(item, what);
                continue;
            };
            let strings: Option<Vec<_>> = inner.iter().map(|s| self.as_string(s)).collect();
            lists.push(Placed { value: strings?, span: self.span(item.span()) });
        }
        Some(lists)
    }

    /// A string.
    pub fn string(&mut self, table: Table<'_>, key: &str) -> Option<Placed<String>> {
        let value = table.entries.get(key)?;
        self.as_string(value)
    }

    /// A string or a whole number, as text.
    pub fn string_or_number(&mut self, table: Table<'_>, key: &str) -> Option<Placed<String>> {
        let value = table.entries.get(key)?;
        match value.get_ref() {
            DeValue::Integer(_) => {
                let number = self.as_number(value)?;
                Some(Placed { value: number.value.to_string(), span: number.span })
            }
            _ => self.as_string(value),
        }
    }

    /// A truth value.
    pub fn flag(&mut self, table: Table<'_>, key: &str) -> Option<Placed<bool>> {
        let value = table.entries.get(key)?;
        match value.get_ref() {
            DeValue::Boolean(flag) => Some(Placed { value: *flag, span: self.span(value.span()) }),
            _ => {
                self.expected(value, "true or false");
                None
            }
        }
    }

    /// A whole number.
    pub fn number(&mut self, table: Table<'_>, key: &str) -> Option<Placed<usize>> {
        let value = table.entries.get(key)?;
        self.as_number(value)
    }

    /// A list of whole numbers, at least one.
    pub fn numbers(&mut self, table: Table<'_>, key: &str) -> Option<Vec<Placed<usize>>> {
        let items = self.list(table, key, "a list of whole numbers")?;
        items.into_iter().map(|item| self.as_number(item)).collect()
    }

    /// Whether the value of a key is a table.
    pub fn is_table(&self, table: Table<'_>, key: &str) -> bool {
        matches!(table.entries.get(key).map(Spanned::get_ref), Some(DeValue::Table(_)))
    }

    /// Whether a key is there.
    pub fn has(&self, table: Table<'_>, key: &str) -> bool {
        table.entries.get(key).is_some()
    }

    fn list<'t>(&mut self, table: Table<'t>, key: &str, what: &str) -> Option<Vec<&'t Spanned<DeValue<'t>>>> {
        let value = table.entries.get(key)?;
        let DeValue::Array(items) = value.get_ref() else {
            self.expected(value, what);
            return None;
        };
        if items.is_empty() {
            let help = "list something, or leave the key out if it is not needed (every key but `models` and `bounds`)";
            self.error_with_help(
                self.span(value.span()),
                format!("`{key}` is empty: nothing would be run"),
                help,
            );
            return None;
        }
        Some(items.iter().collect())
    }

    fn as_string(&mut self, value: &Spanned<DeValue<'_>>) -> Option<Placed<String>> {
        match value.get_ref() {
            DeValue::String(text) => {
                Some(Placed { value: text.clone().into_owned(), span: self.span(value.span()) })
            }
            _ => {
                self.expected(value, "a string");
                None
            }
        }
    }

    fn as_number(&mut self, value: &Spanned<DeValue<'_>>) -> Option<Placed<usize>> {
        let number = match value.get_ref() {
            DeValue::Integer(n) => usize::from_str_radix(n.as_str(), n.radix()).ok(),
            _ => None,
        };
        if number.is_none() {
            self.expected(value, "a whole number, 0 or more");
        }
        number.map(|n| Placed { value: n, span: self.span(value.span()) })
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
