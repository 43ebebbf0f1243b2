//! Formulas as text, with universal operators restored.

use super::formula::{Formula, Node, Part};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The binding strength of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Implies,
    Or,
    And,
    Prefix,
}

/// The length in bytes beyond which `…` replaces the longest operand. Without this limit, repeated parts would make
/// texts exponentially long.
const LONGEST: usize = 2000;

/// A text with its binding strength.
type Written = (Rc<str>, Level);

impl Formula {
    /// Returns a part in the language. The demand that a path continues fairly is written `fair`, and too long operands
    /// `…`.
    pub fn text(&self, part: Part) -> String {
        Writer { formula: self, known: FxHashMap::default() }.write(part, true).0.to_string()
    }

    /// Returns the negation of a part.
    pub fn negated_text(&self, part: Part) -> String {
        Writer { formula: self, known: FxHashMap::default() }.write(part, false).0.to_string()
    }

    /// Returns the sides of an equivalence, if this is one, `(not a or b) and (not b or a)`: the negation of the first
    /// one, and the second one.
    fn sides(&self, part: Part) -> Option<(Part, Part)> {
        let Node::And(to, back) = self.node(part) else { return None };
        let (Node::Or(not_a, b), Node::Or(not_b, a)) = (self.node(*to), self.node(*back)) else {
            return None;
        };
        let contrary = |x: Part, y: Part| *self.node(x) == Node::Not(y) || *self.node(y) == Node::Not(x);
        (contrary(*not_a, *a) && contrary(*not_b, *b)).then_some((*not_a, *b))
    }

    /// Returns the operand of `EX` or `E[U]` without the added demand that the path continues fairly.
    pub fn without_fair_path(&self, part: Part) -> Part {
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

/// Writes each part once.
struct Writer<'a> {
    formula: &'a Formula,
    known: FxHashMap<(Part, bool), Written>,
}

impl Writer<'_> {
    fn write(&mut self, part: Part, holds: bool) -> Written {
        if let Some(known) = self.known.get(&(part, holds)) {
            return known.clone();
        }
        let (text, level) = self.made(part, holds);
        let written: Written = (text.into(), level);
        self.known.insert((part, holds), written.clone());
        written
    }

    fn within(&mut self, (part, holds): (Part, bool), at: Level) -> String {
        let (text, level) = self.write(part, holds);
        if level < at { format!("({text})") } else { text.to_string() }
    }

    fn prefix(&mut self, word: &str, part: Part, holds: bool) -> (String, Level) {
        let text = short(vec![self.within((part, holds), Level::Prefix)]).concat();
        (format!("{word} {text}"), Level::Prefix)
    }

    fn infix(
        &mut self,
        a: (Part, bool),
        word: &str,
        b: (Part, bool),
        within: Level,
        level: Level,
    ) -> (String, Level) {
        let sides = short(vec![self.within(a, within), self.within(b, within)]);
        (sides.join(&format!(" {word} ")), level)
    }

    /// Writes a part or its negation.
    fn made(&mut self, part: Part, holds: bool) -> (String, Level) {
        let formula = self.formula;
        let not = if holds { "" } else { "not " };
        match formula.node(part) {
            Node::True => (holds.to_string(), Level::Prefix),
            Node::Label(label) => {
                let text = formula.labels[*label].clone();
                let level = level_of(&text);
                match holds {
                    true => (text, level),
                    false if level < Level::Prefix => (format!("not ({text})"), Level::Prefix),
                    false => (format!("not {text}"), Level::Prefix),
                }
            }
            Node::Not(a) => {
                let (text, level) = self.write(*a, !holds);
                (text.to_string(), level)
            }
            Node::And(a, b) | Node::Or(a, b) => {
                if let Some((not_a, b)) = formula.sides(part) {
                    return self.infix((not_a, false), "<=>", (b, holds), Level::Or, Level::Implies);
                }
                let and = matches!(formula.node(part), Node::And(..)) == holds;
                if let (false, true, Node::Not(condition)) = (and, holds, formula.node(*a)) {
                    return self.infix((*condition, true), "=>", (*b, true), Level::Or, Level::Implies);
                }
                let (word, level) = if and { ("and", Level::And) } else { ("or", Level::Or) };
                self.infix((*a, holds), word, (*b, holds), level, level)
            }
            Node::Next(a) => {
                self.prefix(if holds { "EX" } else { "AX" }, formula.without_fair_path(*a), holds)
            }
            Node::Until(a, b) => {
                let b = formula.without_fair_path(*b);
                match (formula.node(*a), holds) {
                    (Node::True, true) => self.prefix("EF", b, true),
                    (Node::True, false) => self.prefix("AG", b, false),
                    _ => {
                        let sides = [*a, b].map(|side| self.write(side, true).0.to_string());
                        let sides = short(sides.to_vec()).join(" U ");
                        (format!("{not}E[{sides}]"), Level::Prefix)
                    }
                }
            }
            Node::Always { of, fair } => {
                let own: Vec<Part> = fair.iter().copied().filter(|c| !formula.fair.contains(c)).collect();
                if *formula.node(*of) == Node::True && own.is_empty() && !fair.is_empty() {
                    return (format!("{not}fair"), Level::Prefix);
                }
                if own.is_empty() {
                    return self.prefix(if holds { "EG" } else { "AF" }, *of, holds);
                }
                let own: Vec<String> = own.iter().map(|c| self.write(*c, true).0.to_string()).collect();
                self.prefix(&format!("{not}EG{{{}}}", short(own).join(", ")), *of, true)
            }
        }
    }
}

/// Replaces the longest operands until all together are no longer than [`LONGEST`].
fn short(mut operands: Vec<String>) -> Vec<String> {
    while operands.iter().map(String::len).sum::<usize>() > LONGEST
        && let Some(longest) = operands.iter_mut().filter(|text| *text != "…").max_by_key(|text| text.len())
    {
        *longest = "…".to_owned();
    }
    operands
}

/// Returns the binding strength of a label's text, by its loosest operator outside brackets.
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
