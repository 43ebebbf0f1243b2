//! The commands of a script, and the names that it declares.

use super::term::{Number, NumberForm, Term, TermRange, Terms, Truth, TruthForm};
use kit::budget::Budget;
use rustc_hash::{FxHashMap, FxHashSet};

#[derive(Debug, Clone)]
pub enum ScriptCommand {
    /// A line that says what follows.
    Comment(String),
    /// Declares a symbol; one for numbers has to be in its range.
    Declare(Term),
    /// Defines a new symbol, the first term, as the second one.
    Define(Term, Term),
    /// Demands that a formula holds.
    Assert(Truth),
}

/// The whole part and the remainder of a division.
#[derive(Debug, Clone, Copy)]
pub struct Division {
    /// The greatest number of times that the divisor goes into the dividend.
    pub quotient: Number,
    /// The remainder, at least 0 and less than the divisor.
    pub remainder: Number,
}

/// A script as it is being written.
#[derive(Debug)]
pub struct Script {
    pub terms: Terms,
    /// The commands so far.
    pub commands: Vec<ScriptCommand>,
    names: FxHashSet<String>,
    divisions: FxHashMap<(Number, i64), Division>,
}

impl Script {
    /// An empty script. Once the budget is exhausted, what is added means nothing.
    pub fn new(budget: &Budget) -> Self {
        Self {
            terms: Terms::new(budget.clone()),
            commands: Vec::new(),
            names: FxHashSet::default(),
            divisions: FxHashMap::default(),
        }
    }

    /// A line that says what follows.
    pub fn comment(&mut self, text: impl Into<String>) {
        self.commands.push(ScriptCommand::Comment(text.into()));
    }

    /// A new truth-valued symbol; it remains to be declared.
    pub fn truth_symbol(&mut self, name: &str) -> Truth {
        let name = self.unused(name);
        self.terms.truth_symbol(name)
    }

    /// A new symbol for numbers; it remains to be declared.
    pub fn number_symbol(&mut self, name: &str, range: TermRange) -> Number {
        let name = self.unused(name);
        self.terms.number_symbol(name, range)
    }

    pub fn declare(&mut self, symbol: Term) {
        self.commands.push(ScriptCommand::Declare(symbol));
    }

    /// Defines a symbol as a term of its sort.
    pub fn define(&mut self, symbol: Term, value: Term) {
        self.commands.push(ScriptCommand::Define(symbol, value));
    }

    /// Gives a truth value a name, and returns the shorter of both.
    pub fn define_truth(&mut self, name: &str, value: Truth) -> Truth {
        let symbol = self.truth_symbol(name);
        self.define(Term::Truth(symbol), Term::Truth(value));
        match self.terms.truth(value) {
            TruthForm::Const(_) | TruthForm::Symbol(_) | TruthForm::Not(_) => value,
            _ => symbol,
        }
    }

    /// Gives a number a name, and returns the shorter of both. In every model the number is in the range.
    pub fn define_number(&mut self, name: &str, value: Number, range: TermRange) -> Number {
        let known = self.terms.range(value).intersection(range);
        let value = match known {
            Some(range) if range.lo == range.hi => self.terms.int(range.lo),
            _ => value,
        };
        let symbol = self.number_symbol(name, known.unwrap_or(range));
        self.define(Term::Number(symbol), Term::Number(value));
        match self.terms.number(value) {
            NumberForm::Const(_) | NumberForm::Symbol(_) => value,
            _ => symbol,
        }
    }

    /// Demands that a formula holds.
    pub fn assert(&mut self, formula: Truth) {
        self.commands.push(ScriptCommand::Assert(formula));
    }

    /// Demands that a formula holds, and says why, unless it holds anyway.
    pub fn demand(&mut self, why: impl FnOnce() -> String, formula: Truth) {
        if formula != Terms::YES {
            self.comment(why());
            self.assert(formula);
        }
    }

    /// Division by a positive constant, rounding towards minus infinity. Its results are symbols that are defined by the
    /// dividend: no logic for linear arithmetic has division.
    pub fn divide(&mut self, dividend: Number, divisor: i64) -> Division {
        let by = i128::from(divisor);
        let TermRange { lo, hi } = self.terms.range(dividend);
        let quotients = TermRange { lo: lo.div_euclid(by), hi: hi.div_euclid(by) };
        if lo == hi {
            let quotient = self.terms.int(quotients.lo);
            return Division { quotient, remainder: self.terms.int(lo.rem_euclid(by)) };
        }
        if let Some(&known) = self.divisions.get(&(dividend, divisor)) {
            return known;
        }
        let number = self.divisions.len();
        let quotient = self.number_symbol(&format!("quotient {number}"), quotients);
        let remainder = self.number_symbol(&format!("remainder {number}"), TermRange { lo: 0, hi: by - 1 });
        self.declare(Term::Number(quotient));
        self.declare(Term::Number(remainder));
        let divisor_term = self.terms.int(divisor);
        let product = self.terms.mul(divisor_term, quotient);
        let sum = self.terms.add(product, remainder);
        let formula = self.terms.equal(dividend, sum);
        self.assert(formula);
        let division = Division { quotient, remainder };
        self.divisions.insert((dividend, divisor), division);
        division
    }

    /// Forgets the commands after the first ones, and the divisions with them.
    pub fn forget_after(&mut self, commands: usize) {
        self.commands.truncate(commands);
        self.divisions.clear();
    }

    /// A name that no symbol has yet, and that can be quoted.
    fn unused(&mut self, name: &str) -> String {
        let mut name = name.replace(['|', '\\'], "_");
        while !self.names.insert(name.clone()) {
            name.push('\'');
        }
        name
    }
}
