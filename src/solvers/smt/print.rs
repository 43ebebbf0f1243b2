//! Scripts as text. Terms that are used more than once get a name first, so that a script is not much longer than its
//! arena.

use super::Theory;
use super::script::{Script, ScriptCommand};
use super::term::{Number, NumberForm, Term, TermRange, Terms, Truth, TruthForm};
use std::fmt::Write;

/// Writes the commands of a script, with the logic that they need.
pub fn print(script: &Script, theory: Theory) -> String {
    let uses = Uses::of(script);
    let logic = match theory {
        Theory::Bv => "QF_BV",
        Theory::Int if uses.nonlinear => "QF_NIA",
        Theory::Int => "QF_LIA",
    };
    let mut printer = ScriptPrinter {
        terms: &script.terms,
        theory,
        named: vec![false; uses.truths.len()],
        named_numbers: vec![false; uses.numbers.len()],
        uses,
        out: String::new(),
    };
    printer.line(format_args!("(set-option :produce-models true)"));
    printer.line(format_args!("(set-logic {logic})"));
    script.commands.iter().for_each(|command| printer.command(command));
    printer.line(format_args!("(check-sat)"));
    printer.out
}

/// How often each term is used.
struct Uses {
    truths: Vec<u32>,
    numbers: Vec<u32>,
    /// True if there is a product of two numbers neither of which is a constant.
    nonlinear: bool,
}

impl Uses {
    fn of(script: &Script) -> Self {
        let terms = &script.terms;
        let mut uses =
            Self { truths: vec![0; terms.truths()], numbers: vec![0; terms.numbers()], nonlinear: false };
        for command in &script.commands {
            match command {
                ScriptCommand::Comment(_) | ScriptCommand::Declare(_) => {}
                ScriptCommand::Assert(formula) => uses.add(terms, Term::Truth(*formula)),
                ScriptCommand::Define(_, value) => uses.add(terms, *value),
            }
        }
        uses
    }

    /// Counts one more use of a term, and with the first one those of its parts.
    fn add(&mut self, terms: &Terms, term: Term) {
        let mut open = vec![term];
        while let Some(term) = open.pop() {
            let count = match term {
                Term::Truth(truth) => {
                    // A negation is written where it is used.
                    if let TruthForm::Not(inner) = terms.truth(truth) {
                        open.push(Term::Truth(*inner));
                        continue;
                    }
                    &mut self.truths[truth.index()]
                }
                Term::Number(number) => {
                    if let NumberForm::Mul(a, b) = terms.number(number) {
                        self.nonlinear |= terms.value(a).is_none() && terms.value(b).is_none();
                    }
                    &mut self.numbers[number.index()]
                }
            };
            *count += 1;
            if *count == 1 {
                open.extend(parts(terms, term));
            }
        }
    }
}

/// The terms directly below a term.
fn parts(terms: &Terms, term: Term) -> Vec<Term> {
    match term {
        Term::Truth(truth) => match terms.truth(truth) {
            TruthForm::Const(_) | TruthForm::Symbol(_) => Vec::new(),
            TruthForm::Not(inner) => vec![Term::Truth(*inner)],
            TruthForm::And(parts) | TruthForm::Or(parts) => parts.iter().copied().map(Term::Truth).collect(),
            TruthForm::Ite(c, a, b) => [*c, *a, *b].map(Term::Truth).to_vec(),
            TruthForm::Iff(a, b) => [*a, *b].map(Term::Truth).to_vec(),
            TruthForm::Equal(a, b) | TruthForm::AtMost(a, b) => [*a, *b].map(Term::Number).to_vec(),
        },
        Term::Number(number) => match terms.number(number) {
            NumberForm::Const(_) | NumberForm::Symbol(_) => Vec::new(),
            NumberForm::Ite(c, a, b) => vec![Term::Truth(c), Term::Number(a), Term::Number(b)],
            NumberForm::Add(a, b) | NumberForm::Sub(a, b) | NumberForm::Mul(a, b) => {
                [a, b].map(Term::Number).to_vec()
            }
        },
    }
}

/// The least number of bits of two's complement for all numbers of a range.
pub fn width(range: TermRange) -> u32 {
    let bits = |n: i128| i128::BITS + 1 - if n < 0 { (!n).leading_zeros() } else { n.leading_zeros() };
    bits(range.lo).max(bits(range.hi))
}

struct ScriptPrinter<'s> {
    terms: &'s Terms,
    theory: Theory,
    uses: Uses,
    /// The truth values that are defined already.
    named: Vec<bool>,
    named_numbers: Vec<bool>,
    out: String,
}

impl ScriptPrinter<'_> {
    fn line(&mut self, text: std::fmt::Arguments<'_>) {
        self.out.write_fmt(text).unwrap_or_else(|_| unreachable!("a string takes every text"));
        self.out.push('\n');
    }

    fn command(&mut self, command: &ScriptCommand) {
        match command {
            ScriptCommand::Comment(text) if text.is_empty() => self.out.push('\n'),
            ScriptCommand::Comment(text) => self.line(format_args!("; {}", text.replace(['\n', '\r'], " "))),
            ScriptCommand::Declare(symbol) => {
                let text = self.text(*symbol);
                let sort = self.sort(*symbol);
                self.line(format_args!("(declare-fun {text} () {sort})"));
                if let Term::Number(number) = *symbol {
                    self.bounds(number, &text);
                }
            }
            ScriptCommand::Define(symbol, value) => {
                let is_plain = parts(self.terms, *value).is_empty();
                self.define_parts(*value);
                let (name, sort) = (self.text(*symbol), self.sort(*symbol));
                let value = match (*symbol, *value) {
                    (Term::Number(symbol), Term::Number(value)) => {
                        self.wide(value, width(self.terms.range(symbol)))
                    }
                    (_, value) => self.text(value),
                };
                if is_plain {
                    self.line(format_args!("(define-fun {name} () {sort} {value})"));
                } else {
                    self.equation(&name, &sort, &value);
                }
            }
            ScriptCommand::Assert(formula) => {
                self.define_parts(Term::Truth(*formula));
                // The operands of a conjunction are demanded one by one.
                let parts = match self.terms.truth(*formula) {
                    TruthForm::And(parts) => parts.to_vec(),
                    _ => vec![*formula],
                };
                for part in parts {
                    let text = self.text(Term::Truth(part));
                    self.line(format_args!("(assert {text})"));
                }
            }
        }
    }

    /// Demands that a number is in its range, unless it cannot be elsewhere.
    fn bounds(&mut self, number: Number, text: &str) {
        let TermRange { lo, hi } = self.terms.range(number);
        let bits = width(TermRange { lo, hi });
        let (least, at_most) = match self.theory {
            Theory::Int => (None, "<="),
            Theory::Bv => (Some(-(1i128 << (bits - 1))), "bvsle"),
        };
        if least != Some(lo) {
            let lo = self.constant(lo, bits);
            self.line(format_args!("(assert ({at_most} {lo} {text}))"));
        }
        if least.is_none_or(|least| hi != -(least + 1)) {
            let hi = self.constant(hi, bits);
            self.line(format_args!("(assert ({at_most} {text} {hi}))"));
        }
    }

    fn sort(&self, term: Term) -> String {
        match (term, self.theory) {
            (Term::Truth(_), _) => "Bool".to_owned(),
            (Term::Number(_), Theory::Int) => "Int".to_owned(),
            (Term::Number(number), Theory::Bv) => {
                format!("(_ BitVec {})", width(self.terms.range(number)))
            }
        }
    }

    /// Defines the terms below and at this one that are used more than once, those without parts excepted.
    fn define_parts(&mut self, root: Term) {
        let mut open = vec![(root, false)];
        while let Some((term, parts_done)) = open.pop() {
            if self.is_named(term) {
                continue;
            }
            let parts = parts(self.terms, term);
            if parts.is_empty() {
                continue;
            }
            if !parts_done {
                open.push((term, true));
                open.extend(parts.into_iter().map(|part| (part, false)));
                continue;
            }
            let uses = match term {
                Term::Truth(truth) => self.uses.truths[truth.index()],
                Term::Number(number) => self.uses.numbers[number.index()],
            };
            if uses > 1 {
                let (text, sort) = (self.written(term), self.sort(term));
                match term {
                    Term::Truth(truth) => self.named[truth.index()] = true,
                    Term::Number(number) => self.named_numbers[number.index()] = true,
                }
                let name = self.text(term);
                self.equation(&name, &sort, &text);
            }
        }
    }

    /// A constant that an equation defines. Solvers put what `define-fun` defines where it is used, which makes terms as deep as the
    /// trace is long, and some of them visit such a term along every path into it.
    fn equation(&mut self, name: &str, sort: &str, value: &str) {
        self.line(format_args!("(declare-fun {name} () {sort})"));
        self.line(format_args!("(assert (= {name} {value}))"));
    }

    fn is_named(&self, term: Term) -> bool {
        match term {
            Term::Truth(truth) => self.named[truth.index()],
            Term::Number(number) => self.named_numbers[number.index()],
        }
    }

    /// A term by its name if it has one, otherwise written out.
    fn text(&self, term: Term) -> String {
        match term {
            Term::Truth(truth) if self.is_named(term) => format!("b{truth}"),
            Term::Number(number) if self.is_named(term) => format!("n{number}"),
            _ => self.written(term),
        }
    }

    fn written(&self, term: Term) -> String {
        let truth = |term: Truth| self.text(Term::Truth(term));
        match term {
            Term::Truth(term) => match self.terms.truth(term) {
                TruthForm::Const(b) => b.to_string(),
                TruthForm::Symbol(symbol) => format!("|{}|", self.terms.name(*symbol)),
                TruthForm::Not(inner) => format!("(not {})", truth(*inner)),
                TruthForm::And(parts) => self.applied("and", parts),
                TruthForm::Or(parts) => self.applied("or", parts),
                TruthForm::Ite(c, a, b) => format!("(ite {} {} {})", truth(*c), truth(*a), truth(*b)),
                TruthForm::Iff(a, b) => format!("(= {} {})", truth(*a), truth(*b)),
                TruthForm::Equal(a, b) => self.compared("=", *a, *b),
                TruthForm::AtMost(a, b) => {
                    self.compared(if self.theory == Theory::Int { "<=" } else { "bvsle" }, *a, *b)
                }
            },
            Term::Number(term) => {
                let bits = width(self.terms.range(term));
                let wide = |part: Number| self.wide(part, bits);
                let [add, sub, mul] = match self.theory {
                    Theory::Int => ["+", "-", "*"],
                    Theory::Bv => ["bvadd", "bvsub", "bvmul"],
                };
                match self.terms.number(term) {
                    NumberForm::Const(n) => self.constant(n, bits),
                    NumberForm::Symbol(symbol) => format!("|{}|", self.terms.name(symbol)),
                    NumberForm::Ite(c, a, b) => format!("(ite {} {} {})", truth(c), wide(a), wide(b)),
                    NumberForm::Add(a, b) => format!("({add} {} {})", wide(a), wide(b)),
                    NumberForm::Sub(a, b) => format!("({sub} {} {})", wide(a), wide(b)),
                    NumberForm::Mul(a, b) => format!("({mul} {} {})", wide(a), wide(b)),
                }
            }
        }
    }

    fn applied(&self, operator: &str, parts: &[Truth]) -> String {
        let mut text = format!("({operator}");
        for part in parts {
            text.push(' ');
            text += &self.text(Term::Truth(*part));
        }
        text.push(')');
        text
    }

    fn compared(&self, operator: &str, a: Number, b: Number) -> String {
        let bits = width(self.terms.range(a)).max(width(self.terms.range(b)));
        format!("({operator} {} {})", self.wide(a, bits), self.wide(b, bits))
    }

    /// A number of so many bits. Fewer than it has leave out what is never needed: results are exact in their own width.
    fn wide(&self, number: Number, bits: u32) -> String {
        if let NumberForm::Const(n) = self.terms.number(number) {
            return self.constant(n, bits);
        }
        let text = self.text(Term::Number(number));
        let own = width(self.terms.range(number));
        match self.theory {
            Theory::Bv if own < bits => format!("((_ sign_extend {}) {text})", bits - own),
            Theory::Bv if own > bits => format!("((_ extract {} 0) {text})", bits - 1),
            _ => text,
        }
    }

    fn constant(&self, n: i128, bits: u32) -> String {
        match self.theory {
            Theory::Int if n < 0 => format!("(- {})", n.unsigned_abs()),
            Theory::Int => n.to_string(),
            Theory::Bv => {
                let mask = u128::MAX >> (u128::BITS - bits.min(u128::BITS));
                format!("(_ bv{} {bits})", n.cast_unsigned() & mask)
            }
        }
    }
}
