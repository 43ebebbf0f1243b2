//! Prints terms in the specification language, with more parentheses than needed.

use super::system::{FlatSystem, SmvDomain};
use super::term::{SmvNode, SmvTerm, SmvType, SymbolId, VariableId};
use super::text::tree::{SmvOp, Temporal};
use std::cell::Cell;
use std::collections::HashMap;

/// The greatest number of terms printed.
const MOST_PRINTED: usize = 200_000;
/// The greatest number of members of a range in a union with other sets.
const MOST_LISTED: u64 = 4_096;

/// A result with the reason why a term cannot be printed.
pub(super) type PrintResult<T> = Result<T, String>;

#[derive(Debug)]
pub(super) struct SmvPrinter<'s> {
    pub system: &'s FlatSystem,
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

impl SmvPrinter<'_> {
    /// Returns a term in parentheses, unless it is atomic.
    pub fn text(&self, term: &SmvTerm) -> PrintResult<String> {
        self.printed.set(self.printed.get() + 1);
        if self.printed.get() > MOST_PRINTED {
            return Err("its text gets too long once definitions are written out".to_owned());
        }
        Ok(match &*term.node {
            SmvNode::Bool(value) => value.to_string(),
            SmvNode::Int(value) if *value < 0 => format!("({value})"),
            SmvNode::Int(value) => value.to_string(),
            SmvNode::Symbol(symbol) => self.symbols[symbol].clone(),
            SmvNode::Read { variable, indices, next } => self.read(*variable, indices, *next)?,
            SmvNode::Definition(id) => self.definitions[*id].clone(),
            SmvNode::Bits(bits, signed) => self.bits(bits, *signed)?,
            SmvNode::Not(inner) => format!("(not {})", self.text(inner)?),
            SmvNode::Minus(inner) => format!("(-{})", self.text(inner)?),
            SmvNode::Binary(op @ (SmvOp::And | SmvOp::Or | SmvOp::Plus), ..) => self.chain(*op, term)?,
            SmvNode::Binary(SmvOp::In, element, set) => self.membership(&self.text(element)?, set)?,
            SmvNode::Binary(op @ (SmvOp::Divide | SmvOp::Mod), a, b) => self.divided(*op, a, b)?,
            SmvNode::Binary(SmvOp::Xor, a, b) if term.is_temporal() => {
                format!("(not ({} <=> {}))", self.text(a)?, self.text(b)?)
            }
            SmvNode::Binary(SmvOp::Xor, a, b) if matches!(*b.node, SmvNode::Bool(_)) => match *b.node {
                SmvNode::Bool(true) => format!("(not {})", self.text(a)?),
                _ => self.text(a)?,
            },
            SmvNode::Binary(op, a, b) => format!("({} {} {})", self.text(a)?, sign(*op), self.text(b)?),
            SmvNode::Case(cases) => format!("({})", self.cases(cases)?),
            SmvNode::Count(parts) => {
                let one = |part: &SmvTerm| Ok(format!("(if {} then 1 else 0)", self.text(part)?));
                let all = parts.iter().map(one).collect::<PrintResult<Vec<_>>>()?;
                format!("({})", all.join(" + "))
            }
            SmvNode::Set(_) | SmvNode::Range(..) => self.set(term)?,
            SmvNode::Temporal(op, operands) => self.temporal(*op, operands)?,
        })
    }

    /// Returns the operands of nested applications of one operator in a flat chain, without neutral elements.
    fn chain(&self, op: SmvOp, term: &SmvTerm) -> PrintResult<String> {
        let (mut at, mut operands) = (term, Vec::new());
        while let SmvNode::Binary(own, a, b) = &*at.node
            && *own == op
        {
            operands.push(self.text(b)?);
            at = a;
        }
        operands.push(self.text(at)?);
        operands.reverse();
        let neutral = match op {
            SmvOp::And => "true",
            SmvOp::Or => "false",
            _ => "0",
        };
        operands.retain(|operand| operand != neutral);
        if operands.is_empty() {
            return Ok(neutral.to_owned());
        }
        Ok(format!("({})", operands.join(&format!(" {} ", sign(op)))))
    }

    /// Returns the sum of the weights of the bits that hold.
    fn bits(&self, bits: &[SmvTerm], signed: bool) -> PrintResult<String> {
        let mut parts = Vec::new();
        for (number, bit) in bits.iter().enumerate() {
            let weight = if signed && number + 1 == bits.len() { -(1_i64 << number) } else { 1 << number };
            match *bit.node {
                SmvNode::Bool(false) => {}
                SmvNode::Bool(true) => parts.push(format!("({weight})")),
                _ => parts.push(format!("(if {} then {weight} else 0)", self.text(bit)?)),
            }
        }
        Ok(if parts.is_empty() { "0".to_owned() } else { format!("({})", parts.join(" + ")) })
    }

    fn read(&self, variable: VariableId, indices: &[SmvTerm], next: bool) -> PrintResult<String> {
        let mut text = self.variables[variable].clone();
        if next {
            text.push('\'');
        }
        let of = &self.system.variables[variable];
        let mut inside = true;
        for (index, (low, high)) in indices.iter().zip(&of.indices) {
            text += &format!("[{}]", self.text(index)?);
            inside &= matches!(index.ty, SmvType::Int(least, most) if *low <= least && most <= *high);
        }
        if inside {
            return Ok(text);
        }
        // The index is never out of bounds, but its type does not show that.
        let default = match &of.domain {
            SmvDomain::Bool => "false".to_owned(),
            SmvDomain::Range(low, _) => format!("({low})"),
            SmvDomain::Integers(all) => format!("({})", all[0]),
            SmvDomain::Symbols(all) => self.symbols[&all[0]].clone(),
        };
        Ok(format!("({text} otherwise {default})"))
    }

    /// Returns `if c then a else b`; the last of exhaustive cases needs no condition.
    fn cases(&self, cases: &[(SmvTerm, SmvTerm)]) -> PrintResult<String> {
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
    fn divided(&self, op: SmvOp, a: &SmvTerm, by: &SmvTerm) -> PrintResult<String> {
        let Some(super::evaluate::SmvValue::Int(value)) = super::evaluate::constant(by, self.system) else {
            return Err("a divisor is no constant".to_owned());
        };
        let (a_text, sign, by) = (self.text(a)?, sign(op), value.unsigned_abs());
        let positive = format!("({a_text} {sign} {by})");
        let negative = format!("(-((-{a_text}) {sign} {by}))");
        let quotient = match a.ty {
            SmvType::Int(low, _) if low >= 0 => positive,
            _ => format!("(if {a_text} >= 0 then {positive} else {negative})"),
        };
        Ok(if op == SmvOp::Divide && value < 0 { format!("(-{quotient})") } else { quotient })
    }

    /// Returns the condition that an element is in a set.
    pub fn membership(&self, element: &str, set: &SmvTerm) -> PrintResult<String> {
        let (mut values, mut parts) = (Vec::new(), Vec::new());
        for member in members(set) {
            match *member.node {
                SmvNode::Range(low, high) => parts.push(format!("({element} in {low}..{high})")),
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

    pub fn set(&self, set: &SmvTerm) -> PrintResult<String> {
        let members = members(set);
        if let [only] = members.as_slice()
            && let SmvNode::Range(low, high) = *only.node
        {
            return Ok(format!("{low}..{high}"));
        }
        if let Some(ty) = self.whole_type(&members) {
            return Ok(ty);
        }
        let mut values = Vec::new();
        for member in members {
            match *member.node {
                SmvNode::Range(low, high) if high.abs_diff(low) < MOST_LISTED => {
                    values.extend((low..=high).map(|value| value.to_string()));
                }
                SmvNode::Range(..) => return Err("a large range is joined with other values".to_owned()),
                _ => values.push(self.text(member)?),
            }
        }
        Ok(format!("{{ {} }}", values.join(", ")))
    }

    /// Returns the name of the type with exactly these values.
    fn whole_type(&self, members: &[&SmvTerm]) -> Option<String> {
        let mut truths = Vec::new();
        let mut symbols = Vec::new();
        for member in members {
            match *member.node {
                SmvNode::Bool(value) => truths.push(value),
                SmvNode::Symbol(symbol) => symbols.push(symbol),
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

    fn temporal(&self, op: Temporal, operands: &[SmvTerm]) -> PrintResult<String> {
        let all = operands.iter().map(|operand| self.text(operand)).collect::<PrintResult<Vec<_>>>()?;
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
    pub fn ty(&self, ty: &SmvType) -> String {
        match ty {
            SmvType::Bool => "bool".to_owned(),
            SmvType::Int(low, high) => format!("{low}..{high}"),
            SmvType::Word(word) => {
                let (low, high) = word.bounds();
                format!("{low}..{high}")
            }
            SmvType::Symbol(symbol) => self.types[&self.system.symbols.ty(*symbol)].clone(),
            SmvType::Set(element) => format!("set of {}", self.ty(element)),
        }
    }

    /// Returns the type of a variable, and true if it has further values.
    pub fn variable_type(&self, variable: VariableId) -> (String, bool) {
        let of = &self.system.variables[variable];
        let (ty, is_wider) = match &of.domain {
            SmvDomain::Bool => ("bool".to_owned(), false),
            SmvDomain::Range(low, high) => (format!("{low}..{high}"), false),
            SmvDomain::Integers(all) => (format!("{}..{}", all[0], all[all.len() - 1]), true),
            SmvDomain::Symbols(all) => {
                let root = self.system.symbols.ty(all[0]);
                (self.types[&root].clone(), self.groups[&root].len() > all.len())
            }
        };
        let maps: String = of.indices.iter().map(|(low, high)| format!("map {low}..{high} to ")).collect();
        (maps + &ty, is_wider)
    }

    /// Returns the values of a variable or of its elements, as a set.
    pub fn domain(&self, domain: &SmvDomain) -> String {
        match domain {
            SmvDomain::Bool => "bool".to_owned(),
            SmvDomain::Range(low, high) => format!("{low}..{high}"),
            SmvDomain::Integers(all) => {
                let all: Vec<String> = all.iter().map(i64::to_string).collect();
                format!("{{ {} }}", all.join(", "))
            }
            SmvDomain::Symbols(all) => {
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
pub(super) fn members(set: &SmvTerm) -> Vec<&SmvTerm> {
    match &*set.node {
        SmvNode::Set(all) => all.iter().flat_map(members).collect(),
        _ => vec![set],
    }
}

fn sign(op: SmvOp) -> &'static str {
    match op {
        SmvOp::And => "and",
        SmvOp::Or => "or",
        SmvOp::Xor | SmvOp::NotEqual => "!=",
        SmvOp::Implies => "=>",
        SmvOp::Iff => "<=>",
        SmvOp::Equal => "=",
        SmvOp::Less => "<",
        SmvOp::LessEqual => "<=",
        SmvOp::Greater => ">",
        SmvOp::GreaterEqual => ">=",
        SmvOp::In => "in",
        SmvOp::Plus => "+",
        SmvOp::Minus => "-",
        SmvOp::Times => "*",
        SmvOp::Divide => "/",
        SmvOp::Mod => "mod",
    }
}
