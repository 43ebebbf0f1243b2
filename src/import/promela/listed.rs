//! Statements as Spin lists them, without spaces and brackets.

use super::text::tree::{PlaceSyntax, PromelaExpr, PromelaExprKind, PromelaStmtKind};

/// The line of a list for a statement, without spaces and brackets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ListedText {
    Exactly(String),
    /// Spin writes the rest out.
    Begins(String),
    /// `skip`, or what is printed.
    Nothing,
    /// `goto` or `break` that begins an option.
    Jump,
}

impl ListedText {
    /// The line for a statement that does something.
    pub fn of(kind: &PromelaStmtKind) -> Self {
        let mut text = String::new();
        match statement(&mut text, kind) {
            true => Self::Exactly(text),
            false => Self::Begins(text),
        }
    }

    /// The beginning of the line for a message, up to its values.
    pub fn channel(kind: &PromelaStmtKind) -> Self {
        let mut text = String::new();
        statement(&mut text, kind);
        text.truncate(text.find(['!', '?']).map_or(text.len(), |end| end + 1));
        Self::Begins(text)
    }

    /// True if a line is that of the statement.
    pub fn is(&self, line: &str) -> bool {
        match self {
            Self::Exactly(text) => text == line,
            Self::Begins(text) => line.starts_with(text),
            Self::Nothing => line == "1" || ["print", "_="].iter().any(|begin| line.starts_with(begin)),
            Self::Jump => is_jump(line),
        }
    }
}

/// True for the line of a jump.
pub(super) fn is_jump(line: &str) -> bool {
    ["goto", "break"].iter().any(|begin| line.starts_with(begin))
}

/// Removes spaces and brackets.
pub(super) fn plain(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace() && !"()[]".contains(*c)).collect()
}

/// Writes a statement up to its end, or to a part that Spin writes in another way; true for the end.
fn statement(text: &mut String, kind: &PromelaStmtKind) -> bool {
    match kind {
        PromelaStmtKind::Expr(e) => expression(text, e),
        PromelaStmtKind::Assign(to, e) => place(text, to) && sign(text, "=") && expression(text, e),
        PromelaStmtKind::Send { channel, values, .. } => {
            place(text, channel) && sign(text, "!") && all(text, values)
        }
        PromelaStmtKind::Receive { channel, pattern, any, copy } => {
            let begin = format!("{}{}", if *any { "??" } else { "?" }, if *copy { "<" } else { "" });
            place(text, channel)
                && sign(text, &begin)
                && all(text, pattern)
                && sign(text, if *copy { ">" } else { "" })
        }
        PromelaStmtKind::Assert(e) => sign(text, "assert") && expression(text, e),
        PromelaStmtKind::Else => sign(text, "else"),
        _ => false,
    }
}

fn sign(text: &mut String, sign: &str) -> bool {
    text.push_str(sign);
    true
}

fn all(text: &mut String, list: &[PromelaExpr]) -> bool {
    list.iter().enumerate().all(|(at, e)| sign(text, if at == 0 { "" } else { "," }) && expression(text, e))
}

fn place(text: &mut String, place: &PlaceSyntax) -> bool {
    place.parts.iter().enumerate().all(|(at, (name, index))| {
        sign(text, if at == 0 { "" } else { "." })
            && sign(text, &name.text)
            && index.as_ref().is_none_or(|index| expression(text, index))
    })
}

fn expression(text: &mut String, e: &PromelaExpr) -> bool {
    match &e.kind {
        PromelaExprKind::Number(number) => sign(text, &number.to_string()),
        PromelaExprKind::Bool(value) => sign(text, if *value { "1" } else { "0" }),
        PromelaExprKind::Read(own) => place(text, own),
        PromelaExprKind::Unary(own, a) => sign(text, own) && expression(text, a),
        PromelaExprKind::Binary(own, a, b) => expression(text, a) && sign(text, own) && expression(text, b),
        PromelaExprKind::If(a, b, c) => {
            let both = expression(text, a) && sign(text, "->") && expression(text, b);
            both && sign(text, ":") && expression(text, c)
        }
        PromelaExprKind::Run(name, values) => {
            sign(text, "run") && sign(text, &name.text) && all(text, values)
        }
        // The size of an array.
        PromelaExprKind::Channel("last", _) => false,
        PromelaExprKind::Channel(word, channel) => sign(text, word) && place(text, channel),
        PromelaExprKind::Poll { channel, pattern, any } => {
            place(text, channel) && sign(text, if *any { "??" } else { "?" }) && all(text, pattern)
        }
        PromelaExprKind::Eval(e) => sign(text, "eval") && expression(text, e),
        PromelaExprKind::Timeout => sign(text, "timeout"),
        PromelaExprKind::Label { .. } | PromelaExprKind::Remote { .. } => false,
    }
}
