//! Conditions of generated models: simplified on construction, printed on as many lines as they need.

use itertools::Itertools;

/// A truth value of the generated model.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Condition {
    True,
    False,
    /// An expression that binds as tightly as a comparison.
    Is(String),
    Not(Box<Condition>),
    All(Vec<Condition>),
    Any(Vec<Condition>),
    /// An implication: the second follows from the first.
    Implies(Box<Condition>, Box<Condition>),
    /// A quantification over the values of a type.
    Each {
        /// `forall` or `exists`.
        quantifier: &'static str,
        name: String,
        domain: String,
        body: Box<Condition>,
    },
}

use Condition::{All, Any, Each, False, Implies, Is, Not, True};

/// The greatest number of columns of a line.
const WIDTH: usize = 110;

/// The greatest number of operands of one operation; more are grouped in parentheses, because the height of a
/// chain of operations is its length, and the height of an expression is limited.
const MOST_OPERANDS: usize = 64;

impl Condition {
    /// Returns the conjunction of the parts.
    pub fn all(parts: impl IntoIterator<Item = Condition>) -> Self {
        let mut kept: Vec<Condition> = Vec::new();
        for part in parts {
            match part {
                True => {}
                False => return False,
                All(inner) => kept.extend(inner),
                part => kept.push(part),
            }
        }
        one_of_each(kept).unwrap_or_else(|kept| if kept.is_empty() { True } else { All(kept) })
    }

    /// Returns the disjunction of the parts.
    pub fn any(parts: impl IntoIterator<Item = Condition>) -> Self {
        let mut kept: Vec<Condition> = Vec::new();
        for part in parts {
            match part {
                False => {}
                True => return True,
                Any(inner) => kept.extend(inner),
                part => kept.push(part),
            }
        }
        one_of_each(kept).unwrap_or_else(|kept| if kept.is_empty() { False } else { Any(kept) })
    }

    pub fn negated(self) -> Self {
        match self {
            True => False,
            False => True,
            Not(inner) => *inner,
            other => Not(Box::new(other)),
        }
    }

    pub fn implies(self, then: Condition) -> Self {
        match (self, then) {
            (False, _) | (_, True) => True,
            (True, then) => then,
            (condition, False) => condition.negated(),
            (condition, then) => Implies(Box::new(condition), Box::new(then)),
        }
    }

    /// Returns the existential quantification over a type.
    pub fn exists(name: &str, domain: &str, body: Condition) -> Self {
        Self::each("exists", name, domain, body)
    }

    /// Returns the universal quantification over a type.
    pub fn forall(name: &str, domain: &str, body: Condition) -> Self {
        Self::each("forall", name, domain, body)
    }

    fn each(quantifier: &'static str, name: &str, domain: &str, body: Condition) -> Self {
        match body {
            True | False => body,
            body => {
                Each { quantifier, name: name.to_owned(), domain: domain.to_owned(), body: Box::new(body) }
            }
        }
    }

    /// Returns the text, with further lines indented by `indent` columns.
    pub fn text(&self, indent: usize) -> String {
        self.at(Precedence::Implies, indent)
    }

    fn at(&self, loosest: Precedence, indent: usize) -> String {
        let level = self.level();
        if level < loosest { format!("({})", self.bare(indent + 1)) } else { self.bare(indent) }
    }

    fn level(&self) -> Precedence {
        match self {
            True | False | Is(_) => Precedence::Comparison,
            Not(_) => Precedence::Not,
            All(_) => Precedence::And,
            Any(_) => Precedence::Or,
            Implies(..) => Precedence::Implies,
            Each { .. } => Precedence::Quantifier,
        }
    }

    fn bare(&self, indent: usize) -> String {
        match self {
            True => "true".to_owned(),
            False => "false".to_owned(),
            Is(text) => text.clone(),
            Not(inner) => format!("not {}", inner.at(Precedence::Not, indent + 4)),
            All(parts) => joined(parts, "and", Precedence::And, indent),
            Any(parts) => joined(parts, "or", Precedence::Or, indent),
            Implies(condition, then) => {
                let (condition, then) =
                    (condition.at(Precedence::Or, indent + 2), then.at(Precedence::Or, indent + 2));
                split(&[condition, then], "=>", indent)
            }
            Each { quantifier, name, domain, body } => {
                let head = format!("{quantifier} {name} in {domain}:");
                let line = format!("{head} {}", body.at(Precedence::Quantifier, 0));
                if line.contains('\n') || indent + line.len() > WIDTH {
                    let indent = indent + 2;
                    format!("{head}\n{}{}", " ".repeat(indent), body.at(Precedence::Quantifier, indent))
                } else {
                    line
                }
            }
        }
    }
}

/// The precedence of an expression, loosest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Precedence {
    Quantifier,
    Implies,
    Or,
    And,
    Not,
    Comparison,
}

/// Removes duplicates, and returns the condition if a single one remains.
///
/// # Errors
/// The list without duplicates, if it has none or several.
fn one_of_each(parts: Vec<Condition>) -> Result<Condition, Vec<Condition>> {
    let mut kept: Vec<Condition> = parts.into_iter().unique().collect();
    if kept.len() == 1 { Ok(kept.remove(0)) } else { Err(kept) }
}

fn joined(parts: &[Condition], word: &str, level: Precedence, indent: usize) -> String {
    if parts.len() > MOST_OPERANDS {
        let whole = |parts: &[Condition]| {
            if level == Precedence::And { All(parts.to_vec()) } else { Any(parts.to_vec()) }
        };
        let groups: Vec<Condition> = parts.chunks(parts.len().div_ceil(MOST_OPERANDS)).map(whole).collect();
        return joined(&groups, word, level, indent);
    }
    let tighter = if level == Precedence::And { Precedence::Not } else { Precedence::And };
    let parts: Vec<String> = parts.iter().map(|part| part.at(tighter, indent + word.len() + 1)).collect();
    split(&parts, word, indent)
}

/// Joins the operands on one line if they fit, otherwise with one on each line.
fn split(parts: &[String], word: &str, indent: usize) -> String {
    let line = parts.join(&format!(" {word} "));
    if line.contains('\n') || indent + line.len() > WIDTH {
        parts.join(&format!("\n{}{word} ", " ".repeat(indent)))
    } else {
        line
    }
}
