//! Operators: the types of their operands and of their results.

use super::{ReportedFailure, SmvElaborator, SmvMoment, SmvResult};
use crate::smv::evaluate::{SmvValue, constant};
use crate::smv::term::{SmvNode, SmvTerm, SmvType};
use crate::smv::text::tree::{SmvBinary, SmvExpr, SmvOp, Temporal, WordType};
use kit::diagnostics::Span;

/// The greatest absolute value of integers.
pub(in crate::smv) const LARGEST: i64 = 1 << 48;
/// The greatest number of integers that are distinguished as symbols or divisors.
const MOST_SYMBOLS: u64 = 255;
/// The greatest number of sets made of sets with cases.
const MOST_SETS: usize = 10_000;
/// The greatest number of steps of a bounded operator.
const MOST_STEPS: i64 = 200;

impl<'f> SmvElaborator<'f> {
    /// Creates an integer constant.
    pub(in crate::smv) fn number(&mut self, value: impl Into<i128>, span: Span) -> SmvResult<SmvTerm> {
        let value = value.into();
        // An integer beyond 64 bits is refused.
        let node = SmvNode::Int(i64::try_from(value).unwrap_or_default());
        self.integer(node, (value, value), span)
    }

    /// Creates an integer term with bounds.
    pub(super) fn integer(
        &mut self,
        node: SmvNode,
        (low, high): (i128, i128),
        span: Span,
    ) -> SmvResult<SmvTerm> {
        let bounds = i64::try_from(low).ok().zip(i64::try_from(high).ok());
        match bounds {
            Some((low, high)) if -LARGEST <= low && high <= LARGEST => {
                Ok(SmvTerm::new(node, SmvType::Int(low, high), span))
            }
            _ => {
                let message = format!("this can be {}", if high > i128::from(LARGEST) { high } else { low });
                Err(self.wrong(span, message, format!("integers lie in -{LARGEST}..{LARGEST}")))
            }
        }
    }

    /// Reports a term that is not of a type, regardless of bounds; joins the enumerations of two symbols.
    pub(super) fn expect(&mut self, term: &SmvTerm, wanted: &SmvType) -> SmvResult<()> {
        match (&term.ty, wanted) {
            (SmvType::Bool, SmvType::Bool) | (SmvType::Int(..), SmvType::Int(..)) => Ok(()),
            (SmvType::Word(a), SmvType::Word(b)) if a == b => Ok(()),
            (SmvType::Symbol(a), SmvType::Symbol(b)) => {
                self.system.symbols.join(*a, *b);
                Ok(())
            }
            (found, wanted) => {
                let message = format!("this is {}, but {} is needed", described(found), described(wanted));
                let help = match (found, wanted, &*term.node) {
                    (SmvType::Int(..), SmvType::Bool, SmvNode::Int(value @ (0 | 1))) => {
                        format!("write `{}`", if *value == 1 { "TRUE" } else { "FALSE" })
                    }
                    (SmvType::Bool, SmvType::Int(..), _) => "`toint(e)` makes a number of it".to_owned(),
                    (SmvType::Int(..), SmvType::Bool, _) => "compare it, or write `bool(e)`".to_owned(),
                    (SmvType::Word(a), SmvType::Word(b), _) => format!(
                        "one is a {}, the other a {}; `resize`, `signed` and `unsigned` change words",
                        word_name(*a),
                        word_name(*b)
                    ),
                    (SmvType::Word(_), SmvType::Int(..), _) => "`toint(e)` makes a number of it".to_owned(),
                    (SmvType::Int(..), SmvType::Word(word), _) => {
                        format!(
                            "write a word, such as `0{}d{}_1`",
                            if word.signed { "s" } else { "u" },
                            word.width
                        )
                    }
                    (SmvType::Set(_), ..) => "a set can only be assigned, or follow `in`".to_owned(),
                    _ => "truth values, integers and symbols are different".to_owned(),
                };
                Err(self.wrong(term.span, message, help))
            }
        }
    }

    pub(super) fn plain(&mut self, term: &SmvTerm) -> SmvResult<()> {
        if !term.is_temporal() {
            return Ok(());
        }
        let span = term.culprit(|traits| traits.ltl || traits.ctl).span;
        let help = "temporal formulas are combined by `!`, `&`, `|`, `xor`, `->` and `<->`";
        Err(self.wrong(span, "a temporal operator is inside an expression of the state", help))
    }

    pub(super) fn minus(&mut self, inner: &'f SmvExpr, place: SmvMoment, span: Span) -> SmvResult<SmvTerm> {
        let term = self.at(inner, place)?;
        if let SmvType::Word(word) = term.ty {
            return self.negative(&term, word, span);
        }
        let (low, high) = self.bounds(&term)?;
        match *term.node {
            SmvNode::Int(value) => self.number(-value, span),
            _ => self.integer(SmvNode::Minus(term), (-high, -low), span),
        }
    }

    pub(super) fn bounds(&mut self, term: &SmvTerm) -> SmvResult<(i128, i128)> {
        self.expect(term, &SmvType::Int(0, 0))?;
        match term.ty {
            SmvType::Int(low, high) => Ok((low.into(), high.into())),
            _ => Err(ReportedFailure),
        }
    }

    pub(super) fn number_of(
        &mut self,
        inner: &'f SmvExpr,
        place: SmvMoment,
        span: Span,
    ) -> SmvResult<SmvTerm> {
        let term = self.at(inner, place)?;
        match term.ty {
            SmvType::Word(_) => return Ok(integer_of(&term)),
            SmvType::Int(..) => return Ok(term),
            _ => self.expect(&term, &SmvType::Bool)?,
        }
        let (one, zero) = (self.number(1, span)?, self.number(0, span)?);
        let always = SmvTerm::new(SmvNode::Bool(true), SmvType::Bool, span);
        self.case(vec![(term, one), (always, zero)], span)
    }

    pub(super) fn truth_of(
        &mut self,
        inner: &'f SmvExpr,
        place: SmvMoment,
        span: Span,
    ) -> SmvResult<SmvTerm> {
        let term = match self.at(inner, place)? {
            term if matches!(term.ty, SmvType::Word(_)) => integer_of(&term),
            term if term.ty == SmvType::Bool => return Ok(term),
            term => term,
        };
        self.expect(&term, &SmvType::Int(0, 0))?;
        let zero = self.number(0, span)?;
        Ok(SmvTerm::new(SmvNode::Binary(SmvOp::NotEqual, term, zero), SmvType::Bool, span))
    }

    /// Creates a case term; the values, or the members of the sets, have one type.
    pub(in crate::smv) fn case(&mut self, cases: Vec<(SmvTerm, SmvTerm)>, span: Span) -> SmvResult<SmvTerm> {
        for (condition, value) in &cases {
            self.expect(condition, &SmvType::Bool)?;
            self.plain(condition)?;
            self.plain(value)?;
        }
        let (conditions, values): (Vec<SmvTerm>, Vec<SmvTerm>) = cases.into_iter().unzip();
        let is_set = values.iter().any(|value| matches!(value.ty, SmvType::Set(_)));
        let (values, ty) = self.common(values)?;
        let ty = if is_set { SmvType::Set(Box::new(ty)) } else { ty };
        Ok(SmvTerm::new(SmvNode::Case(conditions.into_iter().zip(values).collect()), ty, span))
    }

    /// Returns values and sets with the common type of the values and members.
    fn common(&mut self, mut terms: Vec<SmvTerm>) -> SmvResult<(Vec<SmvTerm>, SmvType)> {
        if terms.iter().any(|term| matches!(element(term), SmvType::Symbol(_))) {
            terms = terms.into_iter().map(|term| self.as_symbols(term)).collect::<SmvResult<_>>()?;
        }
        let mut all = element(&terms[0]).clone();
        for term in &terms[1..] {
            let own = element(term).clone();
            self.expect(&SmvTerm { ty: own.clone(), ..term.clone() }, &all)?;
            if let (SmvType::Int(low, high), SmvType::Int(least, most)) = (&own, &all) {
                all = SmvType::Int(*low.min(least), *high.max(most));
            }
        }
        Ok((terms, all))
    }

    /// Replaces integers by the symbols that they are among other symbols: `{a, b, 0}`.
    pub(super) fn as_symbols(&mut self, term: SmvTerm) -> SmvResult<SmvTerm> {
        let span = term.span;
        let SmvType::Int(low, high) = *element(&term) else { return Ok(term) };
        match &*term.node {
            SmvNode::Int(value) => Ok(self.number_symbol(*value, span)),
            SmvNode::Case(cases) => {
                let of = |(condition, value): &(SmvTerm, SmvTerm)| {
                    Ok((condition.clone(), self.as_symbols(value.clone())?))
                };
                let cases = cases.iter().map(of).collect::<SmvResult<_>>()?;
                self.case(cases, span)
            }
            SmvNode::Set(members) => {
                let members = members.iter().map(|member| self.as_symbols(member.clone()));
                let members = members.collect::<SmvResult<_>>()?;
                self.set(members, span)
            }
            _ if high.abs_diff(low) > MOST_SYMBOLS => {
                let help = "give the integers names, such as `n1`, or the symbols numbers";
                Err(self.wrong(span, "symbols and many integers are compared", help))
            }
            SmvNode::Range(..) => {
                let members = (low..=high).map(|value| self.number_symbol(value, span)).collect();
                self.set(members, span)
            }
            _ => {
                let mut cases = Vec::new();
                for value in low..=high {
                    let number = self.number(value, span)?;
                    let is = if value < high {
                        SmvTerm::new(SmvNode::Binary(SmvOp::Equal, term.clone(), number), SmvType::Bool, span)
                    } else {
                        SmvTerm::new(SmvNode::Bool(true), SmvType::Bool, span)
                    };
                    cases.push((is, self.number_symbol(value, span)));
                }
                self.case(cases, span)
            }
        }
    }

    fn number_symbol(&mut self, value: i64, span: Span) -> SmvTerm {
        let symbol = self.system.symbols.declare(&value.to_string());
        self.system.symbols.note(symbol);
        SmvTerm::new(SmvNode::Symbol(symbol), SmvType::Symbol(symbol), span)
    }

    pub(super) fn set(&mut self, mut members: Vec<SmvTerm>, span: Span) -> SmvResult<SmvTerm> {
        for member in &members {
            self.plain(member)?;
        }
        let depends =
            members.iter().position(|member| matches!(member.ty, SmvType::Set(_)) && !is_written_out(member));
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
        Ok(SmvTerm::new(SmvNode::Set(members), SmvType::Set(Box::new(ty)), span))
    }

    /// Limits the sets made of sets with cases.
    fn count_set(&mut self, span: Span) -> SmvResult<()> {
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
        operator: SmvBinary,
        (a, b): (&'f SmvExpr, &'f SmvExpr),
        place: SmvMoment,
        span: Span,
    ) -> SmvResult<SmvTerm> {
        // Both operands are elaborated, so that mistakes in both are found.
        let (a, b) = (self.at(a, place), self.at(b, place));
        let (a, b) = (a?, b?);
        let op = match operator {
            SmvBinary::Temporal(op) => return self.formula(op, vec![a, b], span),
            SmvBinary::Range => return self.range(&a, &b, span),
            SmvBinary::Union => return self.set(vec![a, b], span),
            SmvBinary::Concatenate => return self.concatenated(&a, &b, span),
            SmvBinary::ShiftLeft | SmvBinary::ShiftRight => return self.shifted(operator, &a, &b, span),
            SmvBinary::Value(op) => op,
        };
        match self.of_words(op, &a, &b, span) {
            Some(word) => word,
            None => self.plain_binary(op, a, b, span),
        }
    }

    fn plain_binary(&mut self, op: SmvOp, a: SmvTerm, b: SmvTerm, span: Span) -> SmvResult<SmvTerm> {
        match op {
            SmvOp::And | SmvOp::Or | SmvOp::Xor | SmvOp::Implies | SmvOp::Iff => {
                self.expect(&a, &SmvType::Bool)?;
                self.expect(&b, &SmvType::Bool)?;
            }
            _ => {
                self.plain(&a)?;
                self.plain(&b)?;
            }
        }
        match op {
            SmvOp::Equal | SmvOp::NotEqual => {
                if matches!(a.ty, SmvType::Set(_)) {
                    self.expect(&a, &SmvType::Bool)?;
                }
                let mixed = matches!(a.ty, SmvType::Symbol(_)) || matches!(b.ty, SmvType::Symbol(_));
                let (a, b) = if mixed { (self.as_symbols(a)?, self.as_symbols(b)?) } else { (a, b) };
                self.expect(&b, &a.ty)?;
                return Ok(SmvTerm::new(SmvNode::Binary(op, a, b), SmvType::Bool, span));
            }
            SmvOp::Less | SmvOp::LessEqual | SmvOp::Greater | SmvOp::GreaterEqual => {
                self.bounds(&a)?;
                self.bounds(&b)?;
            }
            SmvOp::In => return self.membership(a, b, span),
            SmvOp::Plus | SmvOp::Minus | SmvOp::Times | SmvOp::Divide | SmvOp::Mod => {
                return self.arithmetic(op, a, b, span);
            }
            SmvOp::And | SmvOp::Or | SmvOp::Xor | SmvOp::Implies | SmvOp::Iff => {}
        }
        Ok(SmvTerm::new(SmvNode::Binary(op, a, b), SmvType::Bool, span))
    }

    /// Translates `a in b`, where b is a literal set, or one value.
    fn membership(&mut self, a: SmvTerm, b: SmvTerm, span: Span) -> SmvResult<SmvTerm> {
        let b = match b.ty {
            SmvType::Set(_) => b,
            _ => self.set(vec![b.clone()], b.span)?,
        };
        let mixed = matches!(a.ty, SmvType::Symbol(_)) || matches!(element(&b), SmvType::Symbol(_));
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
        Ok(SmvTerm::new(SmvNode::Binary(SmvOp::In, a, b), SmvType::Bool, span))
    }

    pub(super) fn arithmetic(&mut self, op: SmvOp, a: SmvTerm, b: SmvTerm, span: Span) -> SmvResult<SmvTerm> {
        let ((low, high), (least, most)) = (self.bounds(&a)?, self.bounds(&b)?);
        let bounds = match op {
            SmvOp::Plus => (low + least, high + most),
            SmvOp::Minus => (low - most, high - least),
            SmvOp::Times => {
                let corners = [low * least, low * most, high * least, high * most];
                (corners.into_iter().min().unwrap_or_default(), corners.into_iter().max().unwrap_or_default())
            }
            _ => {
                let Some(SmvValue::Int(by)) = constant(&b, &self.system).filter(|by| *by != SmvValue::Int(0))
                else {
                    return self.divided_by_any(op, &a, &b, span);
                };
                let (is_negative, by) = (by < 0, i128::from(by).abs());
                // As wide as the bounds of the text written for it.
                match op {
                    SmvOp::Divide if low >= 0 && is_negative => (-(high / by), -(low / by)),
                    SmvOp::Divide if low >= 0 => (low / by, high / by),
                    SmvOp::Divide => {
                        let largest = (low.abs().max(high.abs()) + by - 1) / by;
                        (-largest, largest)
                    }
                    _ => (if low < 0 { 1 - by } else { 0 }, by - 1),
                }
            }
        };
        self.integer(SmvNode::Binary(op, a, b), bounds, span)
    }

    /// Distinguishes the values of a divisor; 0 is none of them.
    fn divided_by_any(&mut self, op: SmvOp, a: &SmvTerm, b: &SmvTerm, span: Span) -> SmvResult<SmvTerm> {
        let (least, most) = self.bounds(b)?;
        if most - least > i128::from(MOST_SYMBOLS) || (least, most) == (0, 0) {
            let message = "the divisor has too many values, or is 0";
            return Err(self.wrong(b.span, message, "distinguish its values with `case`"));
        }
        let mut cases = Vec::new();
        for value in (least..=most).filter(|value| *value != 0) {
            let by = self.number(value, span)?;
            let is = SmvTerm::new(SmvNode::Binary(SmvOp::Equal, b.clone(), by.clone()), SmvType::Bool, span);
            cases.push((is, self.arithmetic(op, a.clone(), by, span)?));
        }
        self.case(cases, span)
    }

    fn range(&mut self, low: &SmvTerm, high: &SmvTerm, span: Span) -> SmvResult<SmvTerm> {
        let (low, high) = (self.constant_integer(low)?, self.constant_integer(high)?);
        if low > high {
            return Err(self.wrong(
                span,
                "this range has no values",
                "its first bound is not above the second",
            ));
        }
        Ok(SmvTerm::new(SmvNode::Range(low, high), SmvType::Set(Box::new(SmvType::Int(low, high))), span))
    }

    /// Returns the value of an integer that does not depend on the state.
    pub(super) fn constant_integer(&mut self, term: &SmvTerm) -> SmvResult<i64> {
        self.expect(term, &SmvType::Int(0, 0))?;
        match constant(term, &self.system) {
            Some(SmvValue::Int(value)) => Ok(value),
            _ => Err(self.wrong(term.span, "this is no constant", "bounds are constant")),
        }
    }

    /// Writes an operator for some numbers of steps as steps: `F [1, 2] e` is `X (e | X e)`.
    pub(super) fn bounded(
        &mut self,
        operator: Temporal,
        (low, high): (i64, i64),
        term: &SmvTerm,
        span: Span,
    ) -> SmvResult<SmvTerm> {
        let (next, op) = match operator {
            Temporal::Eventually => (Temporal::Next, SmvOp::Or),
            Temporal::Always => (Temporal::Next, SmvOp::And),
            Temporal::Once => (Temporal::Yesterday, SmvOp::Or),
            Temporal::Historically => (Temporal::NotYesterdayNot, SmvOp::And),
            Temporal::AllEventually => (Temporal::AllNext, SmvOp::Or),
            Temporal::AllAlways => (Temporal::AllNext, SmvOp::And),
            Temporal::ExistsEventually => (Temporal::ExistsNext, SmvOp::Or),
            _ => (Temporal::ExistsNext, SmvOp::And),
        };
        self.few_steps(high, span)?;
        let mut all = term.clone();
        for step in (0..high).rev() {
            all = self.formula(next, vec![all], span)?;
            if step >= low {
                all = SmvTerm::new(SmvNode::Binary(op, term.clone(), all), SmvType::Bool, span);
            }
        }
        self.expect(term, &SmvType::Bool)?;
        Ok(all)
    }

    /// Writes `A [f BU low..high g]` as steps.
    pub(super) fn bounded_until(
        &mut self,
        operator: Temporal,
        (low, high): (i64, i64),
        (f, g): (&SmvTerm, &SmvTerm),
        span: Span,
    ) -> SmvResult<SmvTerm> {
        let next = if operator == Temporal::AllUntil { Temporal::AllNext } else { Temporal::ExistsNext };
        self.few_steps(high, span)?;
        self.expect(f, &SmvType::Bool)?;
        self.expect(g, &SmvType::Bool)?;
        let mut all = g.clone();
        for step in (0..high).rev() {
            all = self.formula(next, vec![all], span)?;
            all = SmvTerm::new(SmvNode::Binary(SmvOp::And, f.clone(), all), SmvType::Bool, span);
            if step >= low {
                all = SmvTerm::new(SmvNode::Binary(SmvOp::Or, g.clone(), all), SmvType::Bool, span);
            }
        }
        Ok(all)
    }

    fn few_steps(&mut self, steps: i64, span: Span) -> SmvResult<()> {
        if steps <= MOST_STEPS {
            return Ok(());
        }
        let message = format!("an operator is for {steps} steps");
        Err(self.wrong(span, message, format!("at most {MOST_STEPS} are possible")))
    }

    pub(super) fn formula(&mut self, op: Temporal, operands: Vec<SmvTerm>, span: Span) -> SmvResult<SmvTerm> {
        for operand in &operands {
            self.expect(operand, &SmvType::Bool)?;
        }
        let formula = SmvTerm::new(SmvNode::Temporal(op, operands), SmvType::Bool, span);
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
fn is_written_out(set: &SmvTerm) -> bool {
    match &*set.node {
        SmvNode::Set(members) => {
            members.iter().all(|member| !matches!(member.ty, SmvType::Set(_)) || is_written_out(member))
        }
        SmvNode::Range(..) => true,
        _ => false,
    }
}

/// Returns the cases that a set depends on; a set of one such set is that set.
fn cases_of(set: &SmvTerm) -> Option<Vec<(SmvTerm, SmvTerm)>> {
    match &*set.node {
        SmvNode::Case(cases) => Some(cases.clone()),
        SmvNode::Set(members) if members.len() == 1 => cases_of(&members[0]),
        _ => None,
    }
}

/// Returns the type of a value, or of the members of a set.
fn element(term: &SmvTerm) -> &SmvType {
    match &term.ty {
        SmvType::Set(inner) => inner,
        other => other,
    }
}

/// True if an operator of the future is in a formula.
fn future(formula: &SmvTerm) -> bool {
    matches!(*formula.node, SmvNode::Temporal(op, _) if !op.is_past())
        || (formula.is_temporal() && formula.node.parts().into_iter().any(future))
}

/// Returns the integer that a word stands for.
pub(super) fn integer_of(word: &SmvTerm) -> SmvTerm {
    match word.ty {
        SmvType::Word(ty) => {
            let (low, high) = ty.bounds();
            SmvTerm { ty: SmvType::Int(low, high), ..word.clone() }
        }
        _ => word.clone(),
    }
}

fn word_name(word: WordType) -> String {
    format!("{}word of {} bits", if word.signed { "signed " } else { "" }, word.width)
}

fn described(ty: &SmvType) -> &'static str {
    match ty {
        SmvType::Bool => "a truth value",
        SmvType::Int(..) => "an integer",
        SmvType::Symbol(_) => "a symbol",
        SmvType::Word(_) => "a word",
        SmvType::Set(_) => "a set",
    }
}
