//! Prints terms in the specification language, with more parentheses than needed.

use super::system::{Domain, System};
use super::term::{Node, Op, SymbolId, Temporal, Term, Ty, VariableId};
use std::cell::Cell;
use std::collections::HashMap;

/// The greatest number of terms printed.
const MOST_PRINTED: usize = 200_000;
/// The greatest number of members of a range in a union with other sets.
const MOST_LISTED: u64 = 4_096;

/// A result with the reason why a term cannot be printed.
pub(super) type Result<T> = std::result::Result<T, String>;

#[derive(Debug)]
pub(super) struct Printer<'s> {
    pub system: &'s System,
    /// The names of variables, by number.
    pub variables: Vec<String>,
    /// The names of definitions, by number.
    pub definitions: Vec<String>,
    pub symbols: HashMap<SymbolId, String>,
    /// For the representative symbol of a type, all symbols of the type.
    pub groups: HashMap<SymbolId, Vec<SymbolId>>,
    /// The names of the types of symbols.
    pub types: HashMap<SymbolId, String>,
    pub printed: Cell<usize>,
}

impl Printer<'_> {
    /// Returns a term in parentheses, unless it is atomic.
    pub fn text(&self, term: &Term) -> Result<String> {
        self.printed.set(self.printed.get() + 1);
        if self.printed.get() > MOST_PRINTED {
            return Err("its text gets too long once definitions are written out".to_owned());
        }
        Ok(match &*term.node {
            Node::Bool(value) => value.to_string(),
            Node::Int(value) if *value < 0 => format!("({value})"),
            Node::Int(value) => value.to_string(),
            Node::Symbol(symbol) => self.symbols[symbol].clone(),
            Node::Read { variable, indices, next } => self.read(*variable, indices, *next)?,
            Node::Definition(id) => self.definitions[*id].clone(),
            Node::Bits(bits, signed) => self.bits(bits, *signed)?,
            Node::Not(inner) => format!("(not {})", self.text(inner)?),
            Node::Minus(inner) => format!("(-{})", self.text(inner)?),
            Node::Binary(op @ (Op::And | Op::Or | Op::Plus), ..) => self.chain(*op, term)?,
            Node::Binary(Op::In, element, set) => self.membership(&self.text(element)?, set)?,
            Node::Binary(op @ (Op::Divide | Op::Mod), a, b) => self.divided(*op, a, b)?,
            Node::Binary(Op::Xor, a, b) if term.is_temporal() => {
                format!("(not ({} <=> {}))", self.text(a)?, self.text(b)?)
            }
            Node::Binary(Op::Xor, a, b) if matches!(*b.node, Node::Bool(_)) => match *b.node {
                Node::Bool(true) => format!("(not {})", self.text(a)?),
                _ => self.text(a)?,
            },
            Node::Binary(op, a, b) => format!("({} {} {})", self.text(a)?, sign(*op), self.text(b)?),
            Node::Case(cases) => format!("({})", self.cases(cases)?),
            Node::Count(parts) => {
                let one = |part: &Term| Ok(format!("(if {} then 1 else 0)", self.text(part)?));
                let all = parts.iter().map(one).collect::<Result<Vec<_>>>()?;
                format!("({})", all.join(" + "))
            }
            Node::Set(_) | Node::Range(..) => self.set(term)?,
            Node::Temporal(op, operands) => self.temporal(*op, operands)?,
        })
    }

    /// Returns the operands of nested applications of one operator in a flat chain, without neutral elements.
    fn chain(&self, op: Op, term: &Term) -> Result<String> {
        let (mut at, mut operands) = (term, Vec::new());
        while let Node::Binary(own, a, b) = &*at.node
            && *own == op
        {
            operands.push(self.text(b)?);
            at = a;
        }
        operands.push(self.text(at)?);
        operands.reverse();
        let neutral = match op {
            Op::And => "true",
            Op::Or => "false",
            _ => "0",
        };
        operands.retain(|operand| operand != neutral);
        if operands.is_empty() {
            return Ok(neutral.to_owned());
        }
        Ok(format!("({})", operands.join(&format!(" {} ", sign(op)))))
    }

    /// Returns the sum of the weights of the bits that hold.
    fn bits(&self, bits: &[Term], signed: bool) -> Result<String> {
        let mut parts = Vec::new();
        for (number, bit) in bits.iter().enumerate() {
            let weight = if signed && number + 1 == bits.len() { -(1_i64 << number) } else { 1 << number };
            match *bit.node {
                Node::Bool(false) => {}
                Node::Bool(true) => parts.push(format!("({weight})")),
                _ => parts.push(format!("(if {} then {weight} else 0)", self.text(bit)?)),
            }
        }
        Ok(if parts.is_empty() { "0".to_owned() } else { format!("({})", parts.join(" + ")) })
    }

    fn read(&self, variable: VariableId, indices: &[Term], next: bool) -> Result<String> {
        let mut text = self.variables[variable].clone();
        if next {
            text.push('\'');
        }
        let of = &self.system.variables[variable];
        let mut inside = true;
        for (index, (low, high)) in indices.iter().zip(&of.indices) {
            text += &format!("[{}]", self.text(index)?);
            inside &= matches!(index.ty, Ty::Int(least, most) if *low <= least && most <= *high);
        }
        if inside {
            return Ok(text);
        }
        // The index is never out of bounds, but its type does not show that.
        let default = match &of.domain {
            Domain::Bool => "false".to_owned(),
            Domain::Range(low, _) => format!("({low})"),
            Domain::Integers(all) => format!("({})", all[0]),
            Domain::Symbols(all) => self.symbols[&all[0]].clone(),
        };
        Ok(format!("({text} otherwise {default})"))
    }

    /// Returns `if c then a else b`; the last of exhaustive cases needs no condition.
    fn cases(&self, cases: &[(Term, Term)]) -> Result<String> {
        let mut text = String::new();
        for (number, (condition, value)) in cases.iter().enumerate() {
            if number + 1 < cases.len() {
                text += &format!("if {} then {} else ", self.text(condition)?, self.text(value)?);
            } else {
                text += &self.text(value)?;
            }
        }
        Ok(text)
    }

    /// Returns a division or remainder towards zero, by a constant.
    fn divided(&self, op: Op, a: &Term, by: &Term) -> Result<String> {
        let Some(super::evaluate::Value::Int(value)) = super::evaluate::constant(by, self.system) else {
            return Err("a divisor is no constant".to_owned());
        };
        let (a_text, sign, by) = (self.text(a)?, sign(op), value.unsigned_abs());
        let positive = format!("({a_text} {sign} {by})");
        let negative = format!("(-((-{a_text}) {sign} {by}))");
        let quotient = match a.ty {
            Ty::Int(low, _) if low >= 0 => positive,
            _ => format!("(if {a_text} >= 0 then {positive} else {negative})"),
        };
        Ok(if op == Op::Divide && value < 0 { format!("(-{quotient})") } else { quotient })
    }

    /// Returns the condition that an element is in a set.
    pub fn membership(&self, element: &str, set: &Term) -> Result<String> {
        let (mut values, mut parts) = (Vec::new(), Vec::new());
        for member in members(set) {
            match *member.node {
                Node::Range(low, high) => parts.push(format!("({element} in {low}..{high})")),
                _ => values.push(self.text(member)?),
            }
        }
        match values.as_slice() {
            [] => {}
            [value] => parts.insert(0, format!("({element} = {value})")),
            _ => parts.insert(0, format!("({element} in {{ {} }})", values.join(", "))),
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { format!("({})", parts.join(" or ")) })
    }

    pub fn set(&self, set: &Term) -> Result<String> {
        let members = members(set);
        if let [only] = members.as_slice()
            && let Node::Range(low, high) = *only.node
        {
            return Ok(format!("{low}..{high}"));
        }
        if let Some(ty) = self.whole_type(&members) {
            return Ok(ty);
        }
        let mut values = Vec::new();
        for member in members {
            match *member.node {
                Node::Range(low, high) if high.abs_diff(low) < MOST_LISTED => {
                    values.extend((low..=high).map(|value| value.to_string()));
                }
                Node::Range(..) => return Err("a large range is joined with other values".to_owned()),
                _ => values.push(self.text(member)?),
            }
        }
        Ok(format!("{{ {} }}", values.join(", ")))
    }

    /// Returns the name of the type with exactly these values.
    fn whole_type(&self, members: &[&Term]) -> Option<String> {
        let mut truths = Vec::new();
        let mut symbols = Vec::new();
        for member in members {
            match *member.node {
                Node::Bool(value) => truths.push(value),
                Node::Symbol(symbol) => symbols.push(symbol),
                _ => return None,
            }
        }
        if truths.contains(&true) && truths.contains(&false) {
            return Some("bool".to_owned());
        }
        symbols.sort_unstable();
        symbols.dedup();
        let ty = self.system.symbols.ty(*symbols.first()?);
        (*self.groups.get(&ty)? == symbols).then(|| self.types[&ty].clone())
    }

    fn temporal(&self, op: Temporal, operands: &[Term]) -> Result<String> {
        let all = operands.iter().map(|operand| self.text(operand)).collect::<Result<Vec<_>>>()?;
        Ok(match (op, all.as_slice()) {
            (Temporal::Until, [a, b]) => format!("({a} until {b})"),
            (Temporal::Release, [a, b]) => format!("({a} release {b})"),
            (Temporal::AllUntil, [a, b]) => format!("A[{a} U {b}]"),
            (Temporal::ExistsUntil, [a, b]) => format!("E[{a} U {b}]"),
            (op, all) => {
                let word = match op {
                    Temporal::Next => "next",
                    Temporal::Always => "always",
                    Temporal::Eventually => "eventually",
                    Temporal::AllNext => "AX",
                    Temporal::AllAlways => "AG",
                    Temporal::AllEventually => "AF",
                    Temporal::ExistsNext => "EX",
                    Temporal::ExistsAlways => "EG",
                    _ => "EF",
                };
                format!("({word} ({}))", all.join(", "))
            }
        })
    }

    /// Returns the type of a definition.
    pub fn ty(&self, ty: &Ty) -> String {
        match ty {
            Ty::Bool => "bool".to_owned(),
            Ty::Int(low, high) => format!("{low}..{high}"),
            Ty::Word(word) => {
                let (low, high) = word.bounds();
                format!("{low}..{high}")
            }
            Ty::Symbol(symbol) => self.types[&self.system.symbols.ty(*symbol)].clone(),
            Ty::Set(element) => format!("set of {}", self.ty(element)),
        }
    }

    /// Returns the type of a variable, and true if it has further values.
    pub fn variable_type(&self, variable: VariableId) -> (String, bool) {
        let of = &self.system.variables[variable];
        let (ty, is_wider) = match &of.domain {
            Domain::Bool => ("bool".to_owned(), false),
            Domain::Range(low, high) => (format!("{low}..{high}"), false),
            Domain::Integers(all) => (format!("{}..{}", all[0], all[all.len() - 1]), true),
            Domain::Symbols(all) => {
                let root = self.system.symbols.ty(all[0]);
                (self.types[&root].clone(), self.groups[&root].len() > all.len())
            }
        };
        let maps: String = of.indices.iter().map(|(low, high)| format!("map {low}..{high} to ")).collect();
        (maps + &ty, is_wider)
    }

    /// Returns the values of a variable or of its elements, as a set.
    pub fn domain(&self, domain: &Domain) -> String {
        match domain {
            Domain::Bool => "bool".to_owned(),
            Domain::Range(low, high) => format!("{low}..{high}"),
            Domain::Integers(all) => {
                let all: Vec<String> = all.iter().map(i64::to_string).collect();
                format!("{{ {} }}", all.join(", "))
            }
            Domain::Symbols(all) => {
                let root = self.system.symbols.ty(all[0]);
                if self.groups[&root].len() == all.len() {
                    return self.types[&root].clone();
                }
                let all: Vec<&str> = all.iter().map(|symbol| self.symbols[symbol].as_str()).collect();
                format!("{{ {} }}", all.join(", "))
            }
        }
    }
}

/// Returns the values and ranges in a set.
pub(super) fn members(set: &Term) -> Vec<&Term> {
    match &*set.node {
        Node::Set(all) => all.iter().flat_map(members).collect(),
        _ => vec![set],
    }
}

fn sign(op: Op) -> &'static str {
    match op {
        Op::And => "and",
        Op::Or => "or",
        Op::Xor | Op::NotEqual => "!=",
        Op::Implies => "=>",
        Op::Iff => "<=>",
        Op::Equal => "=",
        Op::Less => "<",
        Op::LessEqual => "<=",
        Op::Greater => ">",
        Op::GreaterEqual => ">=",
        Op::In => "in",
        Op::Plus => "+",
        Op::Minus => "-",
        Op::Times => "*",
        Op::Divide => "/",
        Op::Mod => "mod",
    }
}
