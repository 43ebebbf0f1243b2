//! Operators: the types of their operands and of their results.

use super::{Elaborator, Failed, Moment, Result};
use crate::smv::evaluate::{Value, constant};
use crate::smv::term::{Node, Op, Temporal, Term, Ty};
use crate::smv::text::tree::{Binary, Expr, Unary, WordType};
use kit::diagnostics::Span;

/// The greatest absolute value of integers.
pub(in crate::smv) const LARGEST: i64 = 1 << 48;
/// The greatest number of integers that are distinguished as symbols or divisors.
const MOST_SYMBOLS: u64 = 255;
/// The greatest number of sets made of sets with cases.
const MOST_SETS: usize = 10_000;
/// The greatest number of steps of a bounded operator.
const MOST_STEPS: i64 = 200;

impl<'f> Elaborator<'f> {
    pub(in crate::smv) fn number(&mut self, value: i64, span: Span) -> Result<Term> {
        self.integer(Node::Int(value), (value.into(), value.into()), span)
    }

    /// Creates an integer term with bounds.
    pub(super) fn integer(&mut self, node: Node, (low, high): (i128, i128), span: Span) -> Result<Term> {
        let bounds = i64::try_from(low).ok().zip(i64::try_from(high).ok());
        match bounds {
            Some((low, high)) if -LARGEST <= low && high <= LARGEST => {
                Ok(Term::new(node, Ty::Int(low, high), span))
            }
            _ => {
                let message = format!("this can be {}", if high > i128::from(LARGEST) { high } else { low });
                Err(self.wrong(span, message, format!("integers lie in -{LARGEST}..{LARGEST}")))
            }
        }
    }

    /// Reports a term that is not of a type, regardless of bounds; joins the enumerations of two symbols.
    pub(super) fn expect(&mut self, term: &Term, wanted: &Ty) -> Result<()> {
        match (&term.ty, wanted) {
            (Ty::Bool, Ty::Bool) | (Ty::Int(..), Ty::Int(..)) => Ok(()),
            (Ty::Word(a), Ty::Word(b)) if a == b => Ok(()),
            (Ty::Symbol(a), Ty::Symbol(b)) => {
                self.system.symbols.join(*a, *b);
                Ok(())
            }
            (found, wanted) => {
                let message = format!("this is {}, but {} is needed", described(found), described(wanted));
                let help = match (found, wanted, &*term.node) {
                    (Ty::Int(..), Ty::Bool, Node::Int(value @ (0 | 1))) => {
                        format!("write `{}`", if *value == 1 { "TRUE" } else { "FALSE" })
                    }
                    (Ty::Bool, Ty::Int(..), _) => "`toint(e)` makes a number of it".to_owned(),
                    (Ty::Int(..), Ty::Bool, _) => "compare it, or write `bool(e)`".to_owned(),
                    (Ty::Word(a), Ty::Word(b), _) => format!(
                        "one is a {}, the other a {}; `resize`, `signed` and `unsigned` change words",
                        word_name(*a),
                        word_name(*b)
                    ),
                    (Ty::Word(_), Ty::Int(..), _) => "`toint(e)` makes a number of it".to_owned(),
                    (Ty::Int(..), Ty::Word(word), _) => {
                        format!(
                            "write a word, such as `0{}d{}_1`",
                            if word.signed { "s" } else { "u" },
                            word.width
                        )
                    }
                    (Ty::Set(_), ..) => "a set can only be assigned, or follow `in`".to_owned(),
                    _ => "truth values, integers and symbols are different".to_owned(),
                };
                Err(self.wrong(term.span, message, help))
            }
        }
    }

    pub(super) fn plain(&mut self, term: &Term) -> Result<()> {
        if !term.is_temporal() {
            return Ok(());
        }
        let span = term.culprit(|traits| traits.ltl || traits.ctl).span;
        let help = "temporal formulas are combined by `!`, `&`, `|`, `xor`, `->` and `<->`";
        Err(self.wrong(span, "a temporal operator is inside an expression of the state", help))
    }

    pub(super) fn minus(&mut self, inner: &'f Expr, place: Moment, span: Span) -> Result<Term> {
        let term = self.at(inner, place)?;
        if let Ty::Word(word) = term.ty {
            return self.negative(&term, word, span);
        }
        let (low, high) = self.bounds(&term)?;
        match *term.node {
            Node::Int(value) => self.number(-value, span),
            _ => self.integer(Node::Minus(term), (-high, -low), span),
        }
    }

    pub(super) fn bounds(&mut self, term: &Term) -> Result<(i128, i128)> {
        self.expect(term, &Ty::Int(0, 0))?;
        match term.ty {
            Ty::Int(low, high) => Ok((low.into(), high.into())),
            _ => Err(Failed),
        }
    }

    pub(super) fn number_of(&mut self, inner: &'f Expr, place: Moment, span: Span) -> Result<Term> {
        let term = self.at(inner, place)?;
        match term.ty {
            Ty::Word(_) => return Ok(integer_of(&term)),
            Ty::Int(..) => return Ok(term),
            _ => self.expect(&term, &Ty::Bool)?,
        }
        let (one, zero) = (self.number(1, span)?, self.number(0, span)?);
        let always = Term::new(Node::Bool(true), Ty::Bool, span);
        self.case(vec![(term, one), (always, zero)], span)
    }

    pub(super) fn truth_of(&mut self, inner: &'f Expr, place: Moment, span: Span) -> Result<Term> {
        let term = match self.at(inner, place)? {
            term if matches!(term.ty, Ty::Word(_)) => integer_of(&term),
            term => term,
        };
        self.expect(&term, &Ty::Int(0, 0))?;
        let zero = self.number(0, span)?;
        Ok(Term::new(Node::Binary(Op::NotEqual, term, zero), Ty::Bool, span))
    }

    /// Creates a case term; the values, or the members of the sets, have one type.
    pub(in crate::smv) fn case(&mut self, cases: Vec<(Term, Term)>, span: Span) -> Result<Term> {
        for (condition, value) in &cases {
            self.expect(condition, &Ty::Bool)?;
            self.plain(condition)?;
            self.plain(value)?;
        }
        let (conditions, values): (Vec<Term>, Vec<Term>) = cases.into_iter().unzip();
        let is_set = values.iter().any(|value| matches!(value.ty, Ty::Set(_)));
        let (values, ty) = self.common(values)?;
        let ty = if is_set { Ty::Set(Box::new(ty)) } else { ty };
        Ok(Term::new(Node::Case(conditions.into_iter().zip(values).collect()), ty, span))
    }

    /// Returns values and sets with the common type of the values and members.
    fn common(&mut self, mut terms: Vec<Term>) -> Result<(Vec<Term>, Ty)> {
        if terms.iter().any(|term| matches!(element(term), Ty::Symbol(_))) {
            terms = terms.into_iter().map(|term| self.as_symbols(term)).collect::<Result<_>>()?;
        }
        let mut all = element(&terms[0]).clone();
        for term in &terms[1..] {
            let own = element(term).clone();
            self.expect(&Term { ty: own.clone(), ..term.clone() }, &all)?;
            if let (Ty::Int(low, high), Ty::Int(least, most)) = (&own, &all) {
                all = Ty::Int(*low.min(least), *high.max(most));
            }
        }
        Ok((terms, all))
    }

    /// Replaces integers by the symbols that they are among other symbols: `{a, b, 0}`.
    pub(super) fn as_symbols(&mut self, term: Term) -> Result<Term> {
        let span = term.span;
        let Ty::Int(low, high) = *element(&term) else { return Ok(term) };
        match &*term.node {
            Node::Int(value) => Ok(self.number_symbol(*value, span)),
            Node::Case(cases) => {
                let of = |(condition, value): &(Term, Term)| {
                    Ok((condition.clone(), self.as_symbols(value.clone())?))
                };
                let cases = cases.iter().map(of).collect::<Result<_>>()?;
                self.case(cases, span)
            }
            Node::Set(members) => {
                let members = members.iter().map(|member| self.as_symbols(member.clone()));
                let members = members.collect::<Result<_>>()?;
                self.set(members, span)
            }
            _ if high.abs_diff(low) > MOST_SYMBOLS => {
                let help = "give the integers names, such as `n1`, or the symbols numbers";
                Err(self.wrong(span, "symbols and many integers are compared", help))
            }
            Node::Range(..) => {
                let members = (low..=high).map(|value| self.number_symbol(value, span)).collect();
                self.set(members, span)
            }
            _ => {
                let mut cases = Vec::new();
                for value in low..=high {
                    let number = self.number(value, span)?;
                    let is = if value < high {
                        Term::new(Node::Binary(Op::Equal, term.clone(), number), Ty::Bool, span)
                    } else {
                        Term::new(Node::Bool(true), Ty::Bool, span)
                    };
                    cases.push((is, self.number_symbol(value, span)));
                }
                self.case(cases, span)
            }
        }
    }

    fn number_symbol(&mut self, value: i64, span: Span) -> Term {
        let symbol = self.system.symbols.declare(&value.to_string());
        self.system.symbols.note(symbol);
        Term::new(Node::Symbol(symbol), Ty::Symbol(symbol), span)
    }

    pub(super) fn set(&mut self, mut members: Vec<Term>, span: Span) -> Result<Term> {
        for member in &members {
            self.plain(member)?;
        }
        let depends =
            members.iter().position(|member| matches!(member.ty, Ty::Set(_)) && !is_written_out(member));
        if let Some(at) = depends
            && let Some(cases) = cases_of(&members[at])
        {
            // A set with a case is a set in each case.
            let mut all = Vec::new();
            for (condition, value) in cases {
                members[at] = value;
                all.push((condition, self.set(members.clone(), span)?));
                self.count_set(span)?;
            }
            return self.case(all, span);
        }
        let (members, ty) = self.common(members)?;
        Ok(Term::new(Node::Set(members), Ty::Set(Box::new(ty)), span))
    }

    /// Limits the sets made of sets with cases.
    fn count_set(&mut self, span: Span) -> Result<()> {
        self.sets += 1;
        match self.sets > MOST_SETS {
            true => Err(self.wrong(
                span,
                "too many sets with cases are joined",
                "write one `case` with a set in each case",
            )),
            false => Ok(()),
        }
    }

    pub(super) fn binary(
        &mut self,
        operator: Binary,
        (a, b): (&'f Expr, &'f Expr),
        place: Moment,
        span: Span,
    ) -> Result<Term> {
        // Both operands are elaborated, so that mistakes in both are found.
        let (a, b) = (self.at(a, place), self.at(b, place));
        let (a, b) = (a?, b?);
        let temporal = |op| (op, vec![a.clone(), b.clone()]);
        let (op, operands) = match operator {
            Binary::Until => temporal(Temporal::Until),
            Binary::Release => temporal(Temporal::Release),
            Binary::Since => temporal(Temporal::Since),
            Binary::Triggered => temporal(Temporal::Triggered),
            Binary::AllUntil => temporal(Temporal::AllUntil),
            Binary::ExistsUntil => temporal(Temporal::ExistsUntil),
            Binary::Range => return self.range(&a, &b, span),
            Binary::Union => return self.set(vec![a, b], span),
            other => return self.plain_binary(other, a, b, span),
        };
        self.formula(op, operands, span)
    }

    fn plain_binary(&mut self, operator: Binary, a: Term, b: Term, span: Span) -> Result<Term> {
        if let Some(word) = self.of_words(operator, &a, &b, span) {
            return word;
        }
        let op = match operator {
            Binary::And => Op::And,
            Binary::Or => Op::Or,
            Binary::Xor => Op::Xor,
            Binary::Implies => Op::Implies,
            Binary::Iff | Binary::Xnor => Op::Iff,
            Binary::Equal => Op::Equal,
            Binary::NotEqual => Op::NotEqual,
            Binary::Less => Op::Less,
            Binary::LessEqual => Op::LessEqual,
            Binary::Greater => Op::Greater,
            Binary::GreaterEqual => Op::GreaterEqual,
            Binary::In => Op::In,
            Binary::Plus => Op::Plus,
            Binary::Minus => Op::Minus,
            Binary::Times => Op::Times,
            Binary::Divide => Op::Divide,
            _ => Op::Mod,
        };
        match op {
            Op::And | Op::Or | Op::Xor | Op::Implies | Op::Iff => {
                self.expect(&a, &Ty::Bool)?;
                self.expect(&b, &Ty::Bool)?;
            }
            _ => {
                self.plain(&a)?;
                self.plain(&b)?;
            }
        }
        match op {
            Op::Equal | Op::NotEqual => {
                if matches!(a.ty, Ty::Set(_)) {
                    self.expect(&a, &Ty::Bool)?;
                }
                let mixed = matches!(a.ty, Ty::Symbol(_)) || matches!(b.ty, Ty::Symbol(_));
                let (a, b) = if mixed { (self.as_symbols(a)?, self.as_symbols(b)?) } else { (a, b) };
                self.expect(&b, &a.ty)?;
                return Ok(Term::new(Node::Binary(op, a, b), Ty::Bool, span));
            }
            Op::Less | Op::LessEqual | Op::Greater | Op::GreaterEqual => {
                self.bounds(&a)?;
                self.bounds(&b)?;
            }
            Op::In => return self.membership(a, b, span),
            Op::Plus | Op::Minus | Op::Times | Op::Divide | Op::Mod => {
                return self.arithmetic(op, a, b, span);
            }
            Op::And | Op::Or | Op::Xor | Op::Implies | Op::Iff => {}
        }
        Ok(Term::new(Node::Binary(op, a, b), Ty::Bool, span))
    }

    /// Translates `a in b`, where b is a literal set, or one value.
    fn membership(&mut self, a: Term, b: Term, span: Span) -> Result<Term> {
        let b = match b.ty {
            Ty::Set(_) => b,
            _ => self.set(vec![b.clone()], b.span)?,
        };
        let mixed = matches!(a.ty, Ty::Symbol(_)) || matches!(element(&b), Ty::Symbol(_));
        let (a, b) = if mixed { (self.as_symbols(a)?, self.as_symbols(b)?) } else { (a, b) };
        self.expect(&a, element(&b))?;
        if !is_written_out(&b)
            && let Some(cases) = cases_of(&b)
        {
            let mut all = Vec::new();
            for (condition, value) in cases {
                all.push((condition, self.membership(a.clone(), value, span)?));
            }
            return self.case(all, span);
        }
        Ok(Term::new(Node::Binary(Op::In, a, b), Ty::Bool, span))
    }

    pub(super) fn arithmetic(&mut self, op: Op, a: Term, b: Term, span: Span) -> Result<Term> {
        let ((low, high), (least, most)) = (self.bounds(&a)?, self.bounds(&b)?);
        let bounds = match op {
            Op::Plus => (low + least, high + most),
            Op::Minus => (low - most, high - least),
            Op::Times => {
                let corners = [low * least, low * most, high * least, high * most];
                (corners.into_iter().min().unwrap_or_default(), corners.into_iter().max().unwrap_or_default())
            }
            _ => {
                let Some(Value::Int(by)) = constant(&b, &self.system).filter(|by| *by != Value::Int(0))
                else {
                    return self.divided_by_any(op, &a, &b, span);
                };
                let (is_negative, by) = (by < 0, i128::from(by).abs());
                // As wide as the bounds of the text written for it.
                match op {
                    Op::Divide if low >= 0 && is_negative => (-(high / by), -(low / by)),
                    Op::Divide if low >= 0 => (low / by, high / by),
                    Op::Divide => {
                        let largest = (low.abs().max(high.abs()) + by - 1) / by;
                        (-largest, largest)
                    }
                    _ => (if low < 0 { 1 - by } else { 0 }, by - 1),
                }
            }
        };
        self.integer(Node::Binary(op, a, b), bounds, span)
    }

    /// Distinguishes the values of a divisor; 0 is none of them.
    fn divided_by_any(&mut self, op: Op, a: &Term, b: &Term, span: Span) -> Result<Term> {
        let (least, most) = self.bounds(b)?;
        if most - least > i128::from(MOST_SYMBOLS) || (least, most) == (0, 0) {
            let message = "the divisor has too many values, or is 0";
            return Err(self.wrong(b.span, message, "distinguish its values with `case`"));
        }
        let mut cases = Vec::new();
        for value in (least..=most).filter(|value| *value != 0) {
            let by = self.integer(Node::Int(value as i64), (value, value), span)?;
            let is = Term::new(Node::Binary(Op::Equal, b.clone(), by.clone()), Ty::Bool, span);
            cases.push((is, self.arithmetic(op, a.clone(), by, span)?));
        }
        self.case(cases, span)
    }

    fn range(&mut self, low: &Term, high: &Term, span: Span) -> Result<Term> {
        let (low, high) = (self.constant_integer(low)?, self.constant_integer(high)?);
        if low > high {
            return Err(self.wrong(
                span,
                "this range has no values",
                "its first bound is not above the second",
            ));
        }
        Ok(Term::new(Node::Range(low, high), Ty::Set(Box::new(Ty::Int(low, high))), span))
    }

    /// Returns the value of an integer that does not depend on the state.
    pub(super) fn constant_integer(&mut self, term: &Term) -> Result<i64> {
        self.expect(term, &Ty::Int(0, 0))?;
        match constant(term, &self.system) {
            Some(Value::Int(value)) => Ok(value),
            _ => Err(self.wrong(term.span, "this is no constant", "bounds are constant")),
        }
    }

    pub(super) fn temporal(&mut self, operator: Unary, term: Term, span: Span) -> Result<Term> {
        let op = match operator {
            Unary::X => Temporal::Next,
            Unary::G => Temporal::Always,
            Unary::F => Temporal::Eventually,
            Unary::AX => Temporal::AllNext,
            Unary::AG => Temporal::AllAlways,
            Unary::AF => Temporal::AllEventually,
            Unary::EX => Temporal::ExistsNext,
            Unary::EG => Temporal::ExistsAlways,
            Unary::Y => Temporal::Yesterday,
            Unary::Z => Temporal::NotYesterdayNot,
            Unary::H => Temporal::Historically,
            Unary::O => Temporal::Once,
            _ => Temporal::ExistsEventually,
        };
        self.formula(op, vec![term], span)
    }

    /// Writes an operator for some numbers of steps as steps: `F [1, 2] e` is `X (e | X e)`.
    pub(super) fn bounded(
        &mut self,
        operator: Unary,
        (low, high): (i64, i64),
        term: &Term,
        span: Span,
    ) -> Result<Term> {
        let (next, op) = match operator {
            Unary::F => (Unary::X, Op::Or),
            Unary::G => (Unary::X, Op::And),
            Unary::O => (Unary::Y, Op::Or),
            Unary::H => (Unary::Z, Op::And),
            Unary::AF => (Unary::AX, Op::Or),
            Unary::AG => (Unary::AX, Op::And),
            Unary::EF => (Unary::EX, Op::Or),
            _ => (Unary::EX, Op::And),
        };
        self.few_steps(high, span)?;
        let mut all = term.clone();
        for step in (0..high).rev() {
            all = self.temporal(next, all, span)?;
            if step >= low {
                all = Term::new(Node::Binary(op, term.clone(), all), Ty::Bool, span);
            }
        }
        self.expect(term, &Ty::Bool)?;
        Ok(all)
    }

    /// Writes `A [f BU low..high g]` as steps.
    pub(super) fn bounded_until(
        &mut self,
        operator: Binary,
        (low, high): (i64, i64),
        (f, g): (&Term, &Term),
        span: Span,
    ) -> Result<Term> {
        let next = if operator == Binary::AllUntil { Unary::AX } else { Unary::EX };
        self.few_steps(high, span)?;
        self.expect(f, &Ty::Bool)?;
        self.expect(g, &Ty::Bool)?;
        let mut all = g.clone();
        for step in (0..high).rev() {
            all = self.temporal(next, all, span)?;
            all = Term::new(Node::Binary(Op::And, f.clone(), all), Ty::Bool, span);
            if step >= low {
                all = Term::new(Node::Binary(Op::Or, g.clone(), all), Ty::Bool, span);
            }
        }
        Ok(all)
    }

    fn few_steps(&mut self, steps: i64, span: Span) -> Result<()> {
        if steps <= MOST_STEPS {
            return Ok(());
        }
        let message = format!("an operator is for {steps} steps");
        Err(self.wrong(span, message, format!("at most {MOST_STEPS} are possible")))
    }

    fn formula(&mut self, op: Temporal, operands: Vec<Term>, span: Span) -> Result<Term> {
        for operand in &operands {
            self.expect(operand, &Ty::Bool)?;
        }
        let formula = Term::new(Node::Temporal(op, operands), Ty::Bool, span);
        if op.is_past() && future(&formula) {
            let message = "an operator of the future inside one of the past is not supported";
            return Err(self.wrong(
                span,
                message,
                "only `Y`, `Z`, `H`, `O`, `S` and `T` can be inside each other",
            ));
        }
        if formula.traits.ltl && formula.traits.ctl {
            let message = "operators of LTL and of CTL are in one formula";
            return Err(self.wrong(span, message, "`G F` is LTL, `AG EF` is CTL"));
        }
        Ok(formula)
    }
}

/// True if the members of a set do not depend on cases.
fn is_written_out(set: &Term) -> bool {
    match &*set.node {
        Node::Set(members) => {
            members.iter().all(|member| !matches!(member.ty, Ty::Set(_)) || is_written_out(member))
        }
        Node::Range(..) => true,
        _ => false,
    }
}

/// Returns the cases that a set depends on; a set of one such set is that set.
fn cases_of(set: &Term) -> Option<Vec<(Term, Term)>> {
    match &*set.node {
        Node::Case(cases) => Some(cases.clone()),
        Node::Set(members) if members.len() == 1 => cases_of(&members[0]),
        _ => None,
    }
}

/// Returns the type of a value, or of the members of a set.
fn element(term: &Term) -> &Ty {
    match &term.ty {
        Ty::Set(inner) => inner,
        other => other,
    }
}

/// True if an operator of the future is in a formula.
fn future(formula: &Term) -> bool {
    matches!(*formula.node, Node::Temporal(op, _) if !op.is_past())
        || (formula.is_temporal() && formula.node.parts().into_iter().any(future))
}

/// Returns the integer that a word stands for.
pub(super) fn integer_of(word: &Term) -> Term {
    match word.ty {
        Ty::Word(ty) => {
            let (low, high) = ty.bounds();
            Term { ty: Ty::Int(low, high), ..word.clone() }
        }
        _ => word.clone(),
    }
}

fn word_name(word: WordType) -> String {
    format!("{}word of {} bits", if word.signed { "signed " } else { "" }, word.width)
}

fn described(ty: &Ty) -> &'static str {
    match ty {
        Ty::Bool => "a truth value",
        Ty::Int(..) => "an integer",
        Ty::Symbol(_) => "a symbol",
        Ty::Word(_) => "a word",
        Ty::Set(_) => "a set",
    }
}
