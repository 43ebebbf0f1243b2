//! Words: integers within bounds. Operators of bits work on lists of bits, those of numbers on integers.

use super::operators::integer_of;
use super::{SmvElaborator, SmvResult};
use crate::smv::evaluate::{SmvValue, constant};
use crate::smv::system::SmvDefinition;
use crate::smv::term::{SmvNode, SmvTerm, SmvType, Traits};
use crate::smv::text::WIDEST;
use crate::smv::text::tree::{SmvBinary, SmvFunction, SmvOp, WordType};
use kit::diagnostics::Span;
use kit::number::to_usize;

impl SmvElaborator<'_> {
    pub(super) fn constant_word(&mut self, value: i64, ty: WordType, span: Span) -> SmvResult<SmvTerm> {
        let value = self.number(value, span)?;
        self.wrapped(value, ty)
    }

    /// Returns a number of bits.
    pub(super) fn width(&mut self, term: &SmvTerm) -> SmvResult<u32> {
        let width = self.constant_integer(&integer_of(term))?;
        match u32::try_from(width).ok().filter(|width| (1..=WIDEST).contains(width)) {
            Some(width) => Ok(width),
            None => Err(self.wrong(
                term.span,
                format!("a word has {width} bits"),
                format!("words have 1 to {WIDEST} bits"),
            )),
        }
    }

    fn word(&mut self, term: &SmvTerm) -> SmvResult<WordType> {
        match term.ty {
            SmvType::Word(word) => Ok(word),
            _ => {
                let help = "`word1(e)` makes a word of a truth value, `uwconst(n, bits)` of a number";
                Err(self.wrong(term.span, "this is no word", help))
            }
        }
    }

    /// Returns the word that an integer stands for, modulo the number of words.
    fn wrapped(&mut self, term: SmvTerm, ty: WordType) -> SmvResult<SmvTerm> {
        let span = term.span;
        let ((low, high), (least, most)) = (self.bounds(&term)?, ty.bounds());
        let (least, most) = (i128::from(least), i128::from(most));
        if least <= low && high <= most {
            return Ok(SmvTerm { ty: SmvType::Word(ty), ..term });
        }
        if let Some(SmvValue::Int(value)) = constant(&term, &self.system) {
            let value = (i128::from(value) - least).rem_euclid(1 << ty.width) + least;
            let term = self.number(value, span)?;
            return Ok(SmvTerm { ty: SmvType::Word(ty), ..term });
        }
        // The remainder is of an integer that is not negative.
        let size = 1_i128 << ty.width;
        let shift = -least + if low - least < 0 { (least - low + size - 1) / size * size } else { 0 };
        let term = self.plus(term, shift)?;
        let by = self.number(size, span)?;
        let term = self.integer(SmvNode::Binary(SmvOp::Mod, term, by), (0, size - 1), span)?;
        let term = self.plus(term, least)?;
        Ok(SmvTerm { ty: SmvType::Word(ty), ..term })
    }

    /// Adds a constant.
    fn plus(&mut self, term: SmvTerm, constant: i128) -> SmvResult<SmvTerm> {
        if constant == 0 {
            return Ok(term);
        }
        let span = term.span;
        let (op, value) = if constant < 0 { (SmvOp::Minus, -constant) } else { (SmvOp::Plus, constant) };
        let value = self.number(value, span)?;
        self.arithmetic(op, term, value, span)
    }

    /// Returns a term that can be repeated: a name, if possible, for one that is not simple.
    fn repeatable(&mut self, term: &SmvTerm) -> SmvTerm {
        let is_simple = matches!(
            &*term.node,
            SmvNode::Int(_) | SmvNode::Read { .. } | SmvNode::Definition(_) | SmvNode::Bits(..)
        );
        let traits = term.traits;
        if is_simple || traits.next || traits.input || term.is_temporal() {
            return term.clone();
        }
        let id = self.system.definitions.len();
        let own = Traits { partial: traits.partial, ..Traits::default() };
        let name = format!("word_{}", id + 1);
        self.system.definitions.push(SmvDefinition { name, value: term.clone() });
        let named = SmvTerm::with_traits(SmvNode::Definition(id), term.ty.clone(), own, term.span);
        SmvTerm { height: term.height + 1, ..named }
    }

    /// Returns the bits of a word, the lowest first.
    fn bits(&mut self, term: &SmvTerm) -> SmvResult<Vec<SmvTerm>> {
        let ty = self.word(term)?;
        if let SmvNode::Bits(bits, _) = &*term.node {
            return Ok(bits.clone());
        }
        let (span, term) = (term.span, self.repeatable(term));
        if let SmvNode::Int(value) = *term.node {
            let bit = |at: u32| SmvTerm::new(SmvNode::Bool(value >> at & 1 == 1), SmvType::Bool, span);
            return Ok((0..ty.width).map(bit).collect());
        }
        let whole = self.unsigned(&term)?;
        let whole = integer_of(&whole);
        let mut bits = Vec::new();
        for at in 0..ty.width {
            let by = self.number(1 << at, span)?;
            let mut bit = if at == 0 {
                whole.clone()
            } else {
                self.arithmetic(SmvOp::Divide, whole.clone(), by, span)?
            };
            if at + 1 < ty.width {
                let two = self.number(2, span)?;
                bit = self.arithmetic(SmvOp::Mod, bit, two, span)?;
            }
            let one = self.number(1, span)?;
            bits.push(SmvTerm::new(SmvNode::Binary(SmvOp::Equal, bit, one), SmvType::Bool, span));
        }
        Ok(bits)
    }

    fn of_bits(&mut self, bits: Vec<SmvTerm>, signed: bool, span: Span) -> SmvResult<SmvTerm> {
        let ty = WordType { signed, width: u32::try_from(bits.len()).unwrap_or(u32::MAX) };
        if ty.width > WIDEST {
            let message = format!("a word has {} bits", ty.width);
            return Err(self.wrong(span, message, format!("words have 1 to {WIDEST} bits")));
        }
        let term = SmvTerm::new(SmvNode::Bits(bits, signed), SmvType::Word(ty), span);
        Ok(match constant(&term, &self.system) {
            Some(SmvValue::Int(value)) => SmvTerm::new(SmvNode::Int(value), SmvType::Word(ty), span),
            _ => term,
        })
    }

    fn unsigned(&mut self, term: &SmvTerm) -> SmvResult<SmvTerm> {
        let ty = self.word(term)?;
        let wanted = WordType { signed: false, ..ty };
        match &*term.node {
            _ if !ty.signed => Ok(term.clone()),
            SmvNode::Bits(bits, _) => self.of_bits(bits.clone(), false, term.span),
            _ => self.wrapped(integer_of(term), wanted),
        }
    }

    fn signed(&mut self, term: &SmvTerm) -> SmvResult<SmvTerm> {
        let ty = self.word(term)?;
        match &*term.node {
            _ if ty.signed => Ok(term.clone()),
            SmvNode::Bits(bits, _) => self.of_bits(bits.clone(), true, term.span),
            _ => self.wrapped(integer_of(term), WordType { signed: true, ..ty }),
        }
    }

    /// Inverts all bits.
    pub(super) fn inverted(&mut self, term: &SmvTerm, span: Span) -> SmvResult<SmvTerm> {
        let ty = self.word(term)?;
        let not = |bit: SmvTerm| SmvTerm::new(SmvNode::Not(bit), SmvType::Bool, span);
        let bits = self.bits(term)?.into_iter().map(not).collect();
        self.of_bits(bits, ty.signed, span)
    }

    pub(super) fn negative(&mut self, term: &SmvTerm, ty: WordType, span: Span) -> SmvResult<SmvTerm> {
        let zero = self.number(0, span)?;
        let difference = self.arithmetic(SmvOp::Minus, zero, integer_of(term), span)?;
        self.wrapped(difference, ty)
    }

    /// Applies a binary operator if an operand is a word.
    pub(super) fn of_words(
        &mut self,
        op: SmvOp,
        a: &SmvTerm,
        b: &SmvTerm,
        span: Span,
    ) -> Option<SmvResult<SmvTerm>> {
        let is_word = |term: &SmvTerm| matches!(term.ty, SmvType::Word(_));
        let other = matches!(op, SmvOp::Equal | SmvOp::NotEqual | SmvOp::In);
        (!other && (is_word(a) || is_word(b))).then(|| self.word_operator(op, a, b, span))
    }

    pub(super) fn concatenated(&mut self, a: &SmvTerm, b: &SmvTerm, span: Span) -> SmvResult<SmvTerm> {
        let high = self.bits(a)?;
        let bits = [self.bits(b)?, high].concat();
        self.of_bits(bits, false, span)
    }

    fn word_operator(&mut self, op: SmvOp, a: &SmvTerm, b: &SmvTerm, span: Span) -> SmvResult<SmvTerm> {
        let ty = self.word(a)?;
        self.expect(b, &a.ty)?;
        if op == SmvOp::Times {
            return self.product(a, b, ty, span);
        }
        let both = (integer_of(a), integer_of(b));
        match op {
            SmvOp::And | SmvOp::Or | SmvOp::Xor | SmvOp::Implies | SmvOp::Iff => {
                let bit = |(a, b)| SmvTerm::new(SmvNode::Binary(op, a, b), SmvType::Bool, span);
                let bits = self.bits(a)?.into_iter().zip(self.bits(b)?).map(bit).collect();
                self.of_bits(bits, ty.signed, span)
            }
            SmvOp::Less | SmvOp::LessEqual | SmvOp::Greater | SmvOp::GreaterEqual => {
                Ok(SmvTerm::new(SmvNode::Binary(op, both.0, both.1), SmvType::Bool, span))
            }
            _ => {
                let result = self.arithmetic(op, both.0, both.1, span)?;
                self.wrapped(result, ty)
            }
        }
    }

    /// Multiplies words: as integers if these are small, else by the bits of one of them.
    fn product(&mut self, a: &SmvTerm, b: &SmvTerm, ty: WordType, span: Span) -> SmvResult<SmvTerm> {
        let constants =
            [a, b].iter().any(|term| matches!(*term.node, SmvNode::Int(value) if value.abs() <= 32));
        if ty.width <= 23 || constants {
            let result = self.arithmetic(SmvOp::Times, integer_of(a), integer_of(b), span)?;
            return self.wrapped(result, ty);
        }
        let (a, unsigned) = (self.repeatable(a), WordType { signed: false, ..ty });
        let mut sum = self.number(0, span)?;
        for (at, bit) in (0_u32..).zip(self.bits(b)?) {
            let shift = self.number(at, span)?;
            let part = self.unsigned(&a)?;
            let part = self.shifted(SmvBinary::ShiftLeft, &part, &shift, span)?;
            let (zero, always) =
                (self.number(0, span)?, SmvTerm::new(SmvNode::Bool(true), SmvType::Bool, span));
            let part = self.case(vec![(bit, integer_of(&part)), (always, zero)], span)?;
            sum = self.arithmetic(SmvOp::Plus, sum, part, span)?;
        }
        let sum = self.wrapped(sum, unsigned)?;
        if ty.signed { self.signed(&sum) } else { Ok(sum) }
    }

    pub(super) fn shifted(
        &mut self,
        operator: SmvBinary,
        a: &SmvTerm,
        by: &SmvTerm,
        span: Span,
    ) -> SmvResult<SmvTerm> {
        let ty = self.word(a)?;
        let by = integer_of(by);
        self.bounds(&by)?;
        if let Some(SmvValue::Int(by)) = constant(&by, &self.system) {
            let width = i64::from(ty.width);
            if !(0..=width).contains(&by) {
                return Err(self.wrong(
                    span,
                    "a word is shifted by too many bits",
                    format!("it has {width} bits"),
                ));
            }
            let (by, mut bits) = (to_usize(by), self.bits(a)?);
            let no = SmvTerm::new(SmvNode::Bool(false), SmvType::Bool, span);
            if operator == SmvBinary::ShiftLeft {
                bits.truncate(bits.len() - by);
                bits = [vec![no; by], bits].concat();
            } else {
                let sign = if ty.signed { bits[bits.len() - 1].clone() } else { no };
                bits = [bits.split_off(by), vec![sign; by]].concat();
            }
            return self.of_bits(bits, ty.signed, span);
        }
        let (a, by) = (self.repeatable(a), self.repeatable(&by));
        let mut cases = Vec::new();
        for count in 0..=i64::from(ty.width) {
            let count = self.number(count, span)?;
            let is =
                SmvTerm::new(SmvNode::Binary(SmvOp::Equal, by.clone(), count.clone()), SmvType::Bool, span);
            cases.push((is, self.shifted(operator, &a, &count, span)?));
        }
        // More bits than there are leave nothing.
        let rest = if operator == SmvBinary::ShiftRight && ty.signed {
            cases[ty.width as usize].1.clone()
        } else {
            self.constant_word(0, ty, span)?
        };
        cases.push((SmvTerm::new(SmvNode::Bool(true), SmvType::Bool, span), rest));
        self.case(cases, span)
    }

    /// Returns the bits from `high` to `low` of a word.
    pub(super) fn selected(
        &mut self,
        of: &SmvTerm,
        (high, low): (&SmvTerm, &SmvTerm),
        span: Span,
    ) -> SmvResult<SmvTerm> {
        let ty = self.word(of)?;
        let (high, low) = (self.constant_integer(high)?, self.constant_integer(low)?);
        if low < 0 || high < low || high >= i64::from(ty.width) {
            let help = format!("write `e[high:low]`, with numbers from 0 to {}", ty.width - 1);
            return Err(self.wrong(span, "there are no such bits", help));
        }
        let bits = self.bits(of)?[to_usize(low)..=to_usize(high)].to_vec();
        self.of_bits(bits, false, span)
    }

    /// Applies a function of words or numbers.
    pub(super) fn call(
        &mut self,
        function: SmvFunction,
        arguments: &[SmvTerm],
        span: Span,
    ) -> SmvResult<SmvTerm> {
        arguments.iter().try_for_each(|argument| self.plain(argument))?;
        match (function, arguments) {
            (SmvFunction::Word1, [a]) => {
                self.expect(a, &SmvType::Bool)?;
                self.of_bits(vec![a.clone()], false, span)
            }
            (SmvFunction::Signed, [a]) => self.signed(a),
            (SmvFunction::Unsigned, [a]) => self.unsigned(a),
            (SmvFunction::SizeOf, [a]) => {
                let width = self.word(a)?.width;
                self.number(width, span)
            }
            (SmvFunction::Extend, [a, more]) => {
                let ty = self.word(a)?;
                let more = self.constant_integer(more)?;
                let width = self.number(i64::from(ty.width) + more, span)?;
                self.resized(a, &width)
            }
            (SmvFunction::Resize, [a, width]) => self.resized(a, width),
            (SmvFunction::UwConst | SmvFunction::SwConst, [a, width]) => {
                let value = self.constant_integer(a)?;
                let ty = WordType { signed: function == SmvFunction::SwConst, width: self.width(width)? };
                self.constant_word(value, ty, span)
            }
            (SmvFunction::Abs, [a]) => {
                let zero = self.number(0, span)?;
                let negative = self.arithmetic(SmvOp::Minus, zero.clone(), a.clone(), span)?;
                self.lesser((a, &zero), (&negative, a), span)
            }
            (SmvFunction::Max, [a, b]) => self.lesser((a, b), (b, a), span),
            (SmvFunction::Min, [a, b]) => self.lesser((a, b), (a, b), span),
            _ => {
                let help =
                    "words have one argument, `extend`, `resize`, `uwconst`, `swconst`, `min` and `max` two";
                Err(self.wrong(span, "this is not the number of arguments", help))
            }
        }
    }

    /// Returns `a < b ? then : otherwise`.
    fn lesser(
        &mut self,
        (a, b): (&SmvTerm, &SmvTerm),
        (then, otherwise): (&SmvTerm, &SmvTerm),
        span: Span,
    ) -> SmvResult<SmvTerm> {
        self.bounds(a)?;
        self.bounds(b)?;
        let less = SmvTerm::new(SmvNode::Binary(SmvOp::Less, a.clone(), b.clone()), SmvType::Bool, span);
        let always = SmvTerm::new(SmvNode::Bool(true), SmvType::Bool, span);
        self.case(vec![(less, then.clone()), (always, otherwise.clone())], span)
    }

    fn resized(&mut self, a: &SmvTerm, width: &SmvTerm) -> SmvResult<SmvTerm> {
        let (ty, span, width) = (self.word(a)?, a.span, self.width(width)?);
        if width >= ty.width && !matches!(*a.node, SmvNode::Bits(..)) {
            return Ok(SmvTerm { ty: SmvType::Word(WordType { width, ..ty }), ..a.clone() });
        }
        let (mut bits, width) = (self.bits(a)?, width as usize);
        let last = bits[bits.len() - 1].clone();
        if width < bits.len() {
            bits.truncate(width);
            if ty.signed {
                // The sign is kept.
                bits[width - 1] = last;
            }
        } else {
            let filled =
                if ty.signed { last } else { SmvTerm::new(SmvNode::Bool(false), SmvType::Bool, span) };
            bits.resize(width, filled);
        }
        self.of_bits(bits, ty.signed, span)
    }
}
