//! Formulas as text, with universal operators where they are meant.

use super::formula::{Formula, Node, Part};

/// How tightly a text binds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Implies,
    Or,
    And,
    Prefix,
}

impl Formula {
    /// A part as the language writes it. That a path goes on fairly is written `fair`.
    pub fn text(&self, part: Part) -> String {
        self.write(part, true).0
    }

    /// The negation of a part.
    pub fn negated_text(&self, part: Part) -> String {
        self.write(part, false).0
    }

    fn within(&self, (part, holds): (Part, bool), at: Level) -> String {
        let (text, level) = self.write(part, holds);
        if level < at { format!("({text})") } else { text }
    }

    /// A part or its negation.
    fn write(&self, part: Part, holds: bool) -> (String, Level) {
        let prefix = |word: &str, part: Part, holds: bool| {
            (format!("{word} {}", self.within((part, holds), Level::Prefix)), Level::Prefix)
        };
        match self.node(part) {
            Node::True => (holds.to_string(), Level::Prefix),
            Node::Label(label) => {
                let text = self.labels[*label].clone();
                let level = level_of(&text);
                match holds {
                    true => (text, level),
                    false if level < Level::Prefix => (format!("not ({text})"), Level::Prefix),
                    false => (format!("not {text}"), Level::Prefix),
                }
            }
            Node::Not(a) => self.write(*a, !holds),
            Node::And(a, b) | Node::Or(a, b) => {
                let and = matches!(self.node(part), Node::And(..)) == holds;
                if let (false, true, Node::Not(condition)) = (and, holds, self.node(*a)) {
                    let (a, b) =
                        (self.within((*condition, true), Level::Or), self.within((*b, true), Level::Or));
                    return (format!("{a} => {b}"), Level::Implies);
                }
                let (word, level) = if and { ("and", Level::And) } else { ("or", Level::Or) };
                let (a, b) = (self.within((*a, holds), level), self.within((*b, holds), level));
                (format!("{a} {word} {b}"), level)
            }
            Node::Next(a) => prefix(if holds { "EX" } else { "AX" }, self.unfair(*a), holds),
            Node::Until(a, b) => {
                let b = self.unfair(*b);
                match (self.node(*a), holds) {
                    (Node::True, true) => prefix("EF", b, true),
                    (Node::True, false) => prefix("AG", b, false),
                    _ => {
                        let not = if holds { "" } else { "not " };
                        (format!("{not}E[{} U {}]", self.text(*a), self.text(b)), Level::Prefix)
                    }
                }
            }
            Node::Always { of, fair } => {
                let own: Vec<Part> = fair.iter().copied().filter(|c| !self.fair.contains(c)).collect();
                if *self.node(*of) == Node::True && own.is_empty() && !fair.is_empty() {
                    return (if holds { "fair" } else { "not fair" }.to_owned(), Level::Prefix);
                }
                if !own.is_empty() {
                    let own: Vec<String> = own.iter().map(|c| self.text(*c)).collect();
                    let not = if holds { "" } else { "not " };
                    let of = self.within((*of, true), Level::Prefix);
                    return (format!("{not}EG{{{}}} {of}", own.join(", ")), Level::Prefix);
                }
                prefix(if holds { "EG" } else { "AF" }, *of, holds)
            }
        }
    }

    /// The part without the demand, which every operator has, that the path goes on fairly.
    fn unfair(&self, part: Part) -> Part {
        match self.node(part) {
            Node::And(a, b) if self.is_fair_path(*b) => *a,
            _ => part,
        }
    }

    fn is_fair_path(&self, part: Part) -> bool {
        match self.node(part) {
            Node::Always { of, fair } => {
                *self.node(*of) == Node::True && !fair.is_empty() && *fair == self.fair
            }
            _ => false,
        }
    }
}

/// How tightly the text of a label binds, by the loosest operator outside of brackets.
fn level_of(text: &str) -> Level {
    let mut depth = 0usize;
    let mut level = Level::Prefix;
    for word in text.split_whitespace() {
        if depth == 0 {
            level = level.min(match word {
                "=>" | "<=>" | "forall" | "exists" | "if" => Level::Implies,
                "or" => Level::Or,
                "and" => Level::And,
                _ => Level::Prefix,
            });
        }
        for c in word.chars() {
            match c {
                '(' | '[' | '{' => depth += 1,
                ')' | ']' | '}' => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
    }
    level
}
