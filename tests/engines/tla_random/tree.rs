//! Syntax trees of specifications in TLA+, and their text.

use std::fmt::Write;

/// The sorts of values: words are `"a"`, `"b"` and `"c"`, functions have the domain `{"a", "b"}`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sort {
    Bool,
    Int,
    Word,
    Set(Box<Sort>),
    Fun(Box<Sort>),
    Seq(Box<Sort>),
    /// `[n |-> 0, on |-> TRUE]`
    Rec,
    /// `<<0, "a">>`
    Pair,
}

pub const WORDS: &[&str] = &["a", "b", "c"];
pub const LEAST: i64 = 0;
pub const GREATEST: i64 = 3;
pub const LONGEST: usize = 2;

#[derive(Debug, Clone)]
pub enum Expr {
    Bool(bool),
    Int(i64),
    Word(&'static str),
    /// A name of a variable, bound by an operator, or of a definition without parameters.
    Name(String),
    /// A variable in the next state.
    Primed(String),
    /// An operator, by its text with `_` for operands.
    Op(&'static str, Vec<Expr>),
    Set(Vec<Expr>),
    Seq(Vec<Expr>),
    Case(Vec<(Expr, Expr)>, Option<Box<Expr>>),
    Let(String, Box<Expr>, Box<Expr>),
    /// A name in a set, and an expression about it, by a text with 1, 2 and 3 for these.
    Over(&'static str, String, Box<Expr>, Box<Expr>),
    /// Changes at a place within places.
    Except(Box<Expr>, Vec<(Vec<Expr>, Expr)>),
    Call(String, Vec<Expr>),
    /// The condition that a value is of a sort, within its bounds.
    Fits(Box<Expr>, Sort),
}

/// A formula that gives variables values.
#[derive(Debug, Clone)]
pub enum Act {
    Is(Expr),
    Gives(String, Expr),
    GivesAny(String, Expr),
    Unchanged(Vec<String>),
    And(Vec<Act>),
    Or(Vec<Act>),
    If(Expr, Box<Act>, Box<Act>),
    Exists(String, Expr, Box<Act>),
    Let(String, Expr, Box<Act>),
    Call(String, Vec<Expr>),
}

#[derive(Debug, Clone, Default)]
pub struct Spec {
    pub variables: Vec<(String, Sort)>,
    /// Operators with their parameters.
    pub operators: Vec<(String, Vec<String>, Expr)>,
    pub actions: Vec<(String, Vec<String>, Act)>,
    pub init: Vec<Act>,
    pub next: Vec<Act>,
    /// `TypeOK` is the first.
    pub invariants: Vec<(String, Expr)>,
    pub constraint: Option<Expr>,
    /// A formula that each step satisfies, if it changes a variable.
    pub steps: Option<Expr>,
}

impl Sort {
    /// The set of its values within bounds; `Seq` without the bound on lengths.
    pub fn text(&self) -> String {
        match self {
            Self::Bool => "BOOLEAN".into(),
            Self::Int => format!("({LEAST}..{GREATEST})"),
            Self::Word => "{\"a\", \"b\", \"c\"}".into(),
            Self::Set(of) => format!("(SUBSET {})", of.text()),
            Self::Fun(to) => format!("[Few -> {}]", to.text()),
            Self::Seq(of) => format!("Seq({})", of.text()),
            Self::Rec => format!("[n : {LEAST}..{GREATEST}, on : BOOLEAN]"),
            Self::Pair => format!("(({LEAST}..{GREATEST}) \\X {{\"a\", \"b\", \"c\"}})"),
        }
    }
}

fn list(all: &[Expr]) -> String {
    all.iter().map(Expr::text).collect::<Vec<_>>().join(", ")
}

impl Expr {
    pub fn text(&self) -> String {
        match self {
            Self::Bool(value) => value.to_string().to_uppercase(),
            Self::Int(value) if *value < 0 => format!("({value})"),
            Self::Int(value) => value.to_string(),
            Self::Word(word) => format!("\"{word}\""),
            Self::Name(name) => name.clone(),
            Self::Primed(name) => format!("{name}'"),
            Self::Op(template, operands) => {
                let mut operands = operands.iter();
                let put = |c: char| match c {
                    '_' => operands.next().expect("an operand for each place").text(),
                    c => c.to_string(),
                };
                template.chars().map(put).collect()
            }
            Self::Set(members) => format!("{{{}}}", list(members)),
            Self::Seq(elements) => format!("<<{}>>", list(elements)),
            Self::Case(cases, other) => {
                let mut all: Vec<String> =
                    cases.iter().map(|(c, e)| format!("{} -> {}", c.text(), e.text())).collect();
                all.extend(other.as_ref().map(|e| format!("OTHER -> {}", e.text())));
                format!("(CASE {})", all.join(" [] "))
            }
            Self::Let(name, value, body) => {
                format!("(LET {name} == {} IN {})", value.text(), body.text())
            }
            Self::Over(template, name, set, body) => {
                let put = |c: char| match c {
                    '1' => name.clone(),
                    '2' => set.text(),
                    '3' => body.text(),
                    c => c.to_string(),
                };
                template.chars().map(put).collect()
            }
            Self::Except(old, changes) => {
                let place = |key: &Self| match key {
                    Self::Word(field @ ("n" | "on")) => format!(".{field}"),
                    key => format!("[{}]", key.text()),
                };
                let change = |(places, value): &(Vec<Self>, Self)| {
                    format!("!{} = {}", places.iter().map(place).collect::<String>(), value.text())
                };
                let changes: Vec<String> = changes.iter().map(change).collect();
                format!("[{} EXCEPT {}]", old.text(), changes.join(", "))
            }
            Self::Call(name, args) if args.is_empty() => name.clone(),
            Self::Call(name, args) => format!("{name}({})", list(args)),
            Self::Fits(value, sort) => {
                let inside = format!("{} \\in {}", value.text(), sort.text());
                match sort {
                    Sort::Seq(_) => format!("({inside} /\\ Len({}) <= {LONGEST})", value.text()),
                    _ => format!("({inside})"),
                }
            }
        }
    }
}

impl Act {
    /// Writes it at a column, and leaves the line unfinished.
    fn write(&self, column: usize, prime: &str, text: &mut String) {
        let listed = |symbol: &str, parts: &[Self], text: &mut String| {
            for (at, part) in parts.iter().enumerate() {
                if at > 0 {
                    let _ = write!(text, "\n{}", " ".repeat(column));
                }
                let _ = write!(text, "{symbol} ");
                part.write(column + 3, prime, text);
            }
        };
        match self {
            Self::Is(expr) => text.push_str(&expr.text()),
            Self::Gives(variable, value) => {
                let _ = write!(text, "{variable}{prime} = {}", value.text());
            }
            Self::GivesAny(variable, set) => {
                let _ = write!(text, "{variable}{prime} \\in {}", set.text());
            }
            Self::Unchanged(variables) => {
                let _ = match &variables[..] {
                    [only] => write!(text, "UNCHANGED {only}"),
                    all => write!(text, "UNCHANGED <<{}>>", all.join(", ")),
                };
            }
            Self::And(parts) => listed("/\\", parts, text),
            Self::Or(parts) => listed("\\/", parts, text),
            Self::If(condition, then, other) => {
                let _ = write!(text, "IF {}\n{}THEN ", condition.text(), " ".repeat(column + 2));
                then.write(column + 7, prime, text);
                let _ = write!(text, "\n{}ELSE ", " ".repeat(column + 2));
                other.write(column + 7, prime, text);
            }
            Self::Exists(name, set, body) => {
                let _ = write!(text, "\\E {name} \\in {} :\n{}", set.text(), " ".repeat(column + 2));
                body.write(column + 2, prime, text);
            }
            Self::Let(name, value, body) => {
                let _ = write!(text, "LET {name} == {} IN\n{}", value.text(), " ".repeat(column + 2));
                body.write(column + 2, prime, text);
            }
            Self::Call(name, args) => text.push_str(&Expr::Call(name.clone(), args.clone()).text()),
        }
    }
}

impl Spec {
    pub fn module(&self) -> String {
        let head = |name: &str, params: &[String]| match params {
            [] => name.to_owned(),
            all => format!("{name}({})", all.join(", ")),
        };
        let mut text = "---- MODULE M ----\nEXTENDS Integers, Sequences, FiniteSets, TLC\n".to_owned();
        let names: Vec<&str> = self.variables.iter().map(|(name, _)| name.as_str()).collect();
        let _ = writeln!(text, "VARIABLES {}\nFew == {{\"a\", \"b\"}}\nvars == <<{0}>>", names.join(", "));
        for (name, params, body) in &self.operators {
            let _ = writeln!(text, "{} == {}", head(name, params), body.text());
        }
        let all = [("Init".to_owned(), Vec::new(), Act::And(self.init.clone()))];
        let next = [("Next".to_owned(), Vec::new(), Act::Or(self.next.clone()))];
        for (prime, actions) in [("", &all[..]), ("'", &self.actions), ("'", &next[..])] {
            for (name, params, body) in actions {
                let _ = write!(text, "{} ==\n  ", head(name, params));
                body.write(2, prime, &mut text);
                text.push('\n');
            }
        }
        for (name, formula) in &self.invariants {
            let _ = writeln!(text, "{name} == {}", formula.text());
        }
        if let Some(formula) = &self.constraint {
            let _ = writeln!(text, "Within == {}", formula.text());
        }
        if let Some(formula) = &self.steps {
            let _ = writeln!(text, "Steps == [][{}]_vars", formula.text());
        }
        text.push_str("====\n");
        text
    }

    pub fn config(&self) -> String {
        let names: Vec<&str> = self.invariants.iter().map(|(name, _)| name.as_str()).collect();
        let mut text = format!("INIT Init\nNEXT Next\nINVARIANTS {}\n", names.join(" "));
        if self.constraint.is_some() {
            text.push_str("CONSTRAINT Within\n");
        }
        if self.steps.is_some() {
            text.push_str("PROPERTY Steps\n");
        }
        text
    }
}
