//! Operators: the types of their operands and of their results.

use super::{Elaborator, Failed, Moment, Result};
use crate::smv::evaluate::{Value, constant};
use crate::smv::term::{Node, Op, Temporal, Term, Ty};
use crate::smv::text::tree::{Binary, Expr, Unary};
use kit::diagnostics::Span;

/// The greatest absolute value of integers.
pub(in crate::smv) const LARGEST: i64 = 1 << 48;

impl<'f> Elaborator<'f> {
    pub(super) fn number(&mut self, value: i64, span: Span) -> Result<Term> {
        self.integer(Node::Int(value), (value.into(), value.into()), span)
    }

    /// Creates an integer term with bounds.
    fn integer(&mut self, node: Node, (low, high): (i128, i128), span: Span) -> Result<Term> {
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
        let (low, high) = self.bounds(&term)?;
        match *term.node {
            Node::Int(value) => self.number(-value, span),
            _ => self.integer(Node::Minus(term), (-high, -low), span),
        }
    }

    fn bounds(&mut self, term: &Term) -> Result<(i128, i128)> {
        self.expect(term, &Ty::Int(0, 0))?;
        match term.ty {
            Ty::Int(low, high) => Ok((low.into(), high.into())),
            _ => Err(Failed),
        }
    }

    pub(super) fn number_of(&mut self, inner: &'f Expr, place: Moment, span: Span) -> Result<Term> {
        let term = self.at(inner, place)?;
        self.expect(&term, &Ty::Bool)?;
        let (one, zero) = (self.number(1, span)?, self.number(0, span)?);
        let always = Term::new(Node::Bool(true), Ty::Bool, span);
        self.case(vec![(term, one), (always, zero)], span)
    }

    pub(super) fn truth_of(&mut self, inner: &'f Expr, place: Moment, span: Span) -> Result<Term> {
        let term = self.at(inner, place)?;
        self.expect(&term, &Ty::Int(0, 0))?;
        let zero = self.number(0, span)?;
        Ok(Term::new(Node::Binary(Op::NotEqual, term, zero), Ty::Bool, span))
    }

    /// Creates a case term; the values, or the members of the sets, have one type.
    pub(super) fn case(&mut self, cases: Vec<(Term, Term)>, span: Span) -> Result<Term> {
        for (condition, value) in &cases {
            self.expect(condition, &Ty::Bool)?;
            self.plain(condition)?;
            self.plain(value)?;
        }
        let values: Vec<&Term> = cases.iter().map(|(_, value)| value).collect();
        let is_set = values.iter().any(|value| matches!(value.ty, Ty::Set(_)));
        let ty = self.common(&values)?;
        let ty = if is_set { Ty::Set(Box::new(ty)) } else { ty };
        Ok(Term::new(Node::Case(cases), ty, span))
    }

    /// Returns the common type of values and members of sets.
    fn common(&mut self, terms: &[&Term]) -> Result<Ty> {
        let element = |term: &Term| match &term.ty {
            Ty::Set(inner) => (**inner).clone(),
            other => other.clone(),
        };
        let mut all = element(terms[0]);
        for term in &terms[1..] {
            let own = element(term);
            self.expect(&Term { ty: own.clone(), ..(*term).clone() }, &all)?;
            if let (Ty::Int(low, high), Ty::Int(least, most)) = (&own, &all) {
                all = Ty::Int(*low.min(least), *high.max(most));
            }
        }
        Ok(all)
    }

    pub(super) fn set(&mut self, members: Vec<Term>, span: Span) -> Result<Term> {
        for member in &members {
            self.plain(member)?;
            if matches!(member.ty, Ty::Set(_)) && !is_written_out(member) {
                let help = "make a set in each case";
                return Err(self.wrong(member.span, "a part of a set depends on a case", help));
            }
        }
        let ty = self.common(&members.iter().collect::<Vec<_>>())?;
        Ok(Term::new(Node::Set(members), Ty::Set(Box::new(ty)), span))
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
            Binary::AllUntil => temporal(Temporal::AllUntil),
            Binary::ExistsUntil => temporal(Temporal::ExistsUntil),
            Binary::Range => return self.range(&a, &b, span),
            Binary::Union => return self.set(vec![a, b], span),
            other => return self.plain_binary(other, a, b, span),
        };
        self.formula(op, operands, span)
    }

    fn plain_binary(&mut self, operator: Binary, a: Term, b: Term, span: Span) -> Result<Term> {
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
                self.expect(&b, &a.ty)?;
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
        if let Ty::Set(element) = &b.ty {
            self.expect(&a, element)?;
        }
        if !is_written_out(&b) {
            let help = "write `in` in each case";
            return Err(self.wrong(b.span, "the set after `in` depends on a case", help));
        }
        Ok(Term::new(Node::Binary(Op::In, a, b), Ty::Bool, span))
    }

    fn arithmetic(&mut self, op: Op, a: Term, b: Term, span: Span) -> Result<Term> {
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
                    let message = "the divisor is no constant other than 0";
                    return Err(self.wrong(b.span, message, "distinguish its values with `case`"));
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
            _ => Temporal::ExistsEventually,
        };
        self.formula(op, vec![term], span)
    }

    fn formula(&mut self, op: Temporal, operands: Vec<Term>, span: Span) -> Result<Term> {
        for operand in &operands {
            self.expect(operand, &Ty::Bool)?;
        }
        let formula = Term::new(Node::Temporal(op, operands), Ty::Bool, span);
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

fn described(ty: &Ty) -> &'static str {
    match ty {
        Ty::Bool => "a truth value",
        Ty::Int(..) => "an integer",
        Ty::Symbol(_) => "a symbol",
        Ty::Set(_) => "a set",
    }
}
