//! Formulas as text, with universal operators restored.

use super::formula::{CtlFormula, CtlOp, Subformula};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The binding strength of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum CtlPrecedence {
    Implies,
    Or,
    And,
    Prefix,
}

/// The length in bytes beyond which `…` replaces the longest operand. Without this limit, repeated parts would make
/// texts exponentially long.
const LONGEST: usize = 2000;

/// A text with its binding strength.
type BoundText = (Rc<str>, CtlPrecedence);

impl CtlFormula {
    /// Returns a part in the language. The demand that a path continues fairly is written `fair`, and too long operands
    /// `…`.
    pub fn text(&self, part: Subformula) -> String {
        PartWriter { formula: self, known: FxHashMap::default() }.write(part, true).0.to_string()
    }

    /// Returns the negation of a part.
    pub fn negated_text(&self, part: Subformula) -> String {
        PartWriter { formula: self, known: FxHashMap::default() }.write(part, false).0.to_string()
    }

    /// Returns the sides of an equivalence, if this is one, `(not a or b) and (not b or a)`: the negation of the first
    /// one, and the second one.
    fn sides(&self, part: Subformula) -> Option<(Subformula, Subformula)> {
        let CtlOp::And(to, back) = self.node(part) else { return None };
        let (CtlOp::Or(not_a, b), CtlOp::Or(not_b, a)) = (self.node(*to), self.node(*back)) else {
            return None;
        };
        let contrary =
            |x: Subformula, y: Subformula| *self.node(x) == CtlOp::Not(y) || *self.node(y) == CtlOp::Not(x);
        (contrary(*not_a, *a) && contrary(*not_b, *b)).then_some((*not_a, *b))
    }

    /// Returns the operand of `EX` or `E[U]` without the added demand that the path continues fairly.
    pub fn without_fair_path(&self, part: Subformula) -> Subformula {
        match self.node(part) {
            CtlOp::And(a, b) if self.is_fair_path(*b) => *a,
            _ => part,
        }
    }

    fn is_fair_path(&self, part: Subformula) -> bool {
        match self.node(part) {
            CtlOp::Always { of, fair } => {
                *self.node(*of) == CtlOp::True && !fair.is_empty() && *fair == self.fair
            }
            _ => false,
        }
    }
}

/// Writes each part once.
struct PartWriter<'a> {
    formula: &'a CtlFormula,
    known: FxHashMap<(Subformula, bool), BoundText>,
}

impl PartWriter<'_> {
    fn write(&mut self, part: Subformula, holds: bool) -> BoundText {
        if let Some(known) = self.known.get(&(part, holds)) {
            return known.clone();
        }
        let (text, level) = self.made(part, holds);
        let written: BoundText = (text.into(), level);
        self.known.insert((part, holds), written.clone());
        written
    }

    fn within(&mut self, (part, holds): (Subformula, bool), at: CtlPrecedence) -> String {
        let (text, level) = self.write(part, holds);
        if level < at { format!("({text})") } else { text.to_string() }
    }

    fn prefix(&mut self, word: &str, part: Subformula, holds: bool) -> (String, CtlPrecedence) {
        let text = short(vec![self.within((part, holds), CtlPrecedence::Prefix)]).concat();
        (format!("{word} {text}"), CtlPrecedence::Prefix)
    }

    fn infix(
        &mut self,
        a: (Subformula, bool),
        word: &str,
        b: (Subformula, bool),
        within: CtlPrecedence,
        level: CtlPrecedence,
    ) -> (String, CtlPrecedence) {
        let sides = short(vec![self.within(a, within), self.within(b, within)]);
        (sides.join(&format!(" {word} ")), level)
    }

    /// Writes a part or its negation.
    fn made(&mut self, part: Subformula, holds: bool) -> (String, CtlPrecedence) {
        let formula = self.formula;
        let not = if holds { "" } else { "not " };
        match formula.node(part) {
            CtlOp::True => (holds.to_string(), CtlPrecedence::Prefix),
            CtlOp::Label(label) => {
                let text = formula.labels[*label].clone();
                let level = level_of(&text);
                match holds {
                    true => (text, level),
                    false if level < CtlPrecedence::Prefix => {
                        (format!("not ({text})"), CtlPrecedence::Prefix)
                    }
                    false => (format!("not {text}"), CtlPrecedence::Prefix),
                }
            }
            CtlOp::Not(a) => {
                let (text, level) = self.write(*a, !holds);
                (text.to_string(), level)
            }
            CtlOp::And(a, b) | CtlOp::Or(a, b) => {
                if let Some((not_a, b)) = formula.sides(part) {
                    return self.infix(
                        (not_a, false),
                        "<=>",
                        (b, holds),
                        CtlPrecedence::Or,
                        CtlPrecedence::Implies,
                    );
                }
                let and = matches!(formula.node(part), CtlOp::And(..)) == holds;
                if let (false, true, CtlOp::Not(condition)) = (and, holds, formula.node(*a)) {
                    return self.infix(
                        (*condition, true),
                        "=>",
                        (*b, true),
                        CtlPrecedence::Or,
                        CtlPrecedence::Implies,
                    );
                }
                let (word, level) = if and { ("and", CtlPrecedence::And) } else { ("or", CtlPrecedence::Or) };
                self.infix((*a, holds), word, (*b, holds), level, level)
            }
            CtlOp::Next(a) => {
                self.prefix(if holds { "EX" } else { "AX" }, formula.without_fair_path(*a), holds)
            }
            CtlOp::Until(a, b) => {
                let b = formula.without_fair_path(*b);
                match (formula.node(*a), holds) {
                    (CtlOp::True, true) => self.prefix("EF", b, true),
                    (CtlOp::True, false) => self.prefix("AG", b, false),
                    _ => {
                        let sides = [*a, b].map(|side| self.write(side, true).0.to_string());
                        let sides = short(sides.to_vec()).join(" U ");
                        (format!("{not}E[{sides}]"), CtlPrecedence::Prefix)
                    }
                }
            }
            CtlOp::Always { of, fair } => {
                let own: Vec<Subformula> =
                    fair.iter().copied().filter(|c| !formula.fair.contains(c)).collect();
                if *formula.node(*of) == CtlOp::True && own.is_empty() && !fair.is_empty() {
                    return (format!("{not}fair"), CtlPrecedence::Prefix);
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
fn level_of(text: &str) -> CtlPrecedence {
    let mut depth = 0usize;
    let mut level = CtlPrecedence::Prefix;
    for word in text.split_whitespace() {
        if depth == 0 {
            level = level.min(match word {
                "=>" | "<=>" | "forall" | "exists" | "if" => CtlPrecedence::Implies,
                "or" => CtlPrecedence::Or,
                "and" => CtlPrecedence::And,
                _ => CtlPrecedence::Prefix,
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
