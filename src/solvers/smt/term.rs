//! Terms of the logic: truth values and integers with known ranges, in an arena in which equal terms are one term.
//!
//! Terms are simplified as they are made, by constants and by ranges. The range of a symbol is a promise: the assertions of
//! the script have to see to it that the symbol has no other value in any model of them.

use kit::budget::{Budget, Exhausted};
use kit::index;
use rustc_hash::FxHashMap;
use std::ops::RangeInclusive;

index! {
    /// A truth-valued term.
    Truth
}
index! {
    /// An integer term.
    Number
}
index! {
    /// A name of the script.
    SymbolId
}

/// A term of either sort.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Term {
    /// A truth value.
    Truth(Truth),
    /// An integer.
    Number(Number),
}

/// The outermost form of a truth-valued term.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum TruthForm {
    /// `true` or `false`.
    Const(bool),
    /// A name.
    Symbol(SymbolId),
    /// Negation, of anything but a negation.
    Not(Truth),
    /// Conjunction of at least two.
    And(Box<[Truth]>),
    /// Disjunction of at least two.
    Or(Box<[Truth]>),
    /// The second if the first holds, otherwise the third.
    Ite(Truth, Truth, Truth),
    /// Equivalence.
    Iff(Truth, Truth),
    /// Equality of integers.
    Equal(Number, Number),
    /// `<=` on integers.
    AtMost(Number, Number),
}

/// The outermost form of an integer term. Arithmetic is exact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NumberForm {
    /// A constant.
    Const(i128),
    /// A name.
    Symbol(SymbolId),
    /// The first number if the condition holds, otherwise the second.
    Ite(Truth, Number, Number),
    /// Sum.
    Add(Number, Number),
    /// Difference.
    Sub(Number, Number),
    /// Product.
    Mul(Number, Number),
}

/// The least and the greatest value that a number can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TermRange {
    /// The least value.
    pub lo: i128,
    /// The greatest value, at least `lo`.
    pub hi: i128,
}

impl TermRange {
    /// Just one value.
    pub fn single(value: i128) -> Self {
        Self { lo: value, hi: value }
    }

    /// The values that both ranges have, if there are any.
    pub fn intersection(self, other: TermRange) -> Option<TermRange> {
        let (lo, hi) = (self.lo.max(other.lo), self.hi.min(other.hi));
        (lo <= hi).then_some(TermRange { lo, hi })
    }

    /// All values, in ascending order.
    pub fn values(self) -> RangeInclusive<i128> {
        self.lo..=self.hi
    }

    /// The least range with the values of both.
    fn union(self, other: TermRange) -> TermRange {
        TermRange { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
    }
}

/// The connective of truth values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Junction {
    And,
    Or,
}

/// All terms of a script.
#[derive(Debug)]
pub struct Terms {
    truths: Vec<TruthForm>,
    numbers: Vec<NumberForm>,
    /// For each number, its range.
    ranges: Vec<TermRange>,
    truth_of: FxHashMap<TruthForm, Truth>,
    number_of: FxHashMap<NumberForm, Number>,
    symbols: Vec<String>,
    budget: Budget,
    exhausted: Option<Exhausted>,
    /// The work since the budget was looked at: terms that were asked for, new ones or not, with their operands.
    work: usize,
}

impl Terms {
    /// The constant `false`.
    pub const NO: Truth = Truth::from_u32(0);
    /// The constant `true`.
    pub const YES: Truth = Truth::from_u32(1);

    /// Operands of so many are looked into when terms are simplified.
    const FEW: usize = 8;
    /// How much is done between two looks at the budget.
    const PATIENCE: usize = 4096;

    /// The two constants alone. Once the budget is exhausted, what is made of terms means nothing.
    pub fn new(budget: Budget) -> Self {
        let mut terms = Self {
            truths: Vec::new(),
            numbers: Vec::new(),
            ranges: Vec::new(),
            truth_of: FxHashMap::default(),
            number_of: FxHashMap::default(),
            symbols: Vec::new(),
            budget,
            exhausted: None,
            work: 0,
        };
        let constants = [false, true].map(|b| terms.intern(TruthForm::Const(b)));
        debug_assert_eq!(constants, [Self::NO, Self::YES]);
        terms
    }

    /// True if there is budget left; cheap enough for inner loops.
    pub fn goes_on(&mut self) -> bool {
        self.work += 1;
        if self.exhausted.is_none() && self.work >= Self::PATIENCE {
            self.work = 0;
            self.exhausted = self.budget.exhausted();
        }
        self.exhausted.is_none()
    }

    /// Looks at the budget.
    ///
    /// # Errors
    /// If it is exhausted, or was when it was looked at before.
    pub fn check_budget(&mut self) -> Result<(), Exhausted> {
        self.exhausted = self.exhausted.or_else(|| self.budget.exhausted());
        self.exhausted.map_or(Ok(()), Err)
    }

    /// The number of truth values.
    pub fn truths(&self) -> usize {
        self.truths.len()
    }

    /// The number of numbers.
    pub fn numbers(&self) -> usize {
        self.numbers.len()
    }

    /// The form of a truth value.
    pub fn truth(&self, term: Truth) -> &TruthForm {
        &self.truths[term.index()]
    }

    pub fn number(&self, term: Number) -> NumberForm {
        self.numbers[term.index()]
    }

    /// The values that a number can have.
    pub fn range(&self, term: Number) -> TermRange {
        self.ranges[term.index()]
    }

    /// The name of a symbol, unquoted.
    pub fn name(&self, symbol: SymbolId) -> &str {
        &self.symbols[symbol.index()]
    }

    /// A truth-valued symbol of this name, which has to be a new one.
    pub fn truth_symbol(&mut self, name: String) -> Truth {
        self.symbols.push(name);
        self.intern(TruthForm::Symbol(SymbolId::new(self.symbols.len() - 1)))
    }

    /// A symbol of this name, which has to be a new one, for numbers of a range.
    pub fn number_symbol(&mut self, name: String, range: TermRange) -> Number {
        self.symbols.push(name);
        self.intern_number(NumberForm::Symbol(SymbolId::new(self.symbols.len() - 1)), range)
    }

    /// A constant.
    pub fn bool(value: bool) -> Truth {
        if value { Self::YES } else { Self::NO }
    }

    /// A constant.
    pub fn int(&mut self, value: impl Into<i128>) -> Number {
        let value = value.into();
        self.intern_number(NumberForm::Const(value), TermRange::single(value))
    }

    /// The value of a number that can have only one.
    pub fn value(&self, term: Number) -> Option<i128> {
        let TermRange { lo, hi } = self.range(term);
        (lo == hi).then_some(lo)
    }

    /// Negation.
    pub fn not(&mut self, term: Truth) -> Truth {
        match *self.truth(term) {
            TruthForm::Const(b) => Self::bool(!b),
            TruthForm::Not(inner) => inner,
            _ => self.intern(TruthForm::Not(term)),
        }
    }

    /// Conjunction.
    pub fn and(&mut self, a: Truth, b: Truth) -> Truth {
        self.all(vec![a, b])
    }

    /// Disjunction.
    pub fn or(&mut self, a: Truth, b: Truth) -> Truth {
        self.any(vec![a, b])
    }

    /// Implication.
    pub fn implies(&mut self, a: Truth, b: Truth) -> Truth {
        let not_a = self.not(a);
        self.any(vec![not_a, b])
    }

    /// Conjunction of any number.
    pub fn all(&mut self, parts: Vec<Truth>) -> Truth {
        self.junction(parts, Junction::And)
    }

    /// Disjunction of any number.
    pub fn any(&mut self, parts: Vec<Truth>) -> Truth {
        self.junction(parts, Junction::Or)
    }

    fn junction(&mut self, parts: Vec<Truth>, kind: Junction) -> Truth {
        let neutral = Self::bool(kind == Junction::And);
        let mut flat = Vec::with_capacity(parts.len());
        for part in parts {
            match self.junction_of(part) {
                Some((same, inner)) if same == kind => flat.extend(inner),
                _ => flat.push(part),
            }
        }
        self.work += flat.len();
        flat.sort_unstable();
        flat.dedup();
        flat.retain(|part| *part != neutral);
        let decided = flat.iter().any(|part| match *self.truth(*part) {
            TruthForm::Const(_) => true,
            TruthForm::Not(inner) => flat.binary_search(&inner).is_ok(),
            _ => false,
        });
        if decided {
            return Self::bool(kind == Junction::Or);
        }
        if let Some(fewer) = self.absorbed(&flat, kind) {
            return self.junction(fewer, kind);
        }
        match (flat.as_slice(), kind) {
            ([], _) => neutral,
            ([only], _) => *only,
            (_, Junction::And) => self.intern(TruthForm::And(flat.into())),
            (_, Junction::Or) => self.intern(TruthForm::Or(flat.into())),
        }
    }

    /// The operands of a conjunction or disjunction, without what the other operands make superfluous in those that are of the
    /// other kind; `None` if nothing is superfluous. They are in ascending order.
    fn absorbed(&mut self, parts: &[Truth], kind: Junction) -> Option<Vec<Truth>> {
        let has = |part: &Truth| parts.binary_search(part).is_ok();
        let mut changed = Vec::new();
        for (at, part) in parts.iter().enumerate() {
            let Some((other, inner)) = self.junction_of(*part) else { continue };
            if other == kind {
                continue;
            }
            if inner.iter().any(has) {
                changed.push((at, None));
                continue;
            }
            let needed = inner.iter().filter(|part| !self.known_negation(**part).is_some_and(|n| has(&n)));
            let needed: Vec<Truth> = needed.copied().collect();
            if needed.len() < inner.len() {
                changed.push((at, Some((other, needed))));
            }
        }
        if changed.is_empty() {
            return None;
        }
        let mut parts: Vec<Option<Truth>> = parts.iter().copied().map(Some).collect();
        for (at, replacement) in changed {
            parts[at] = replacement.map(|(other, needed)| self.junction(needed, other));
        }
        Some(parts.into_iter().flatten().collect())
    }

    /// The operands of a conjunction or disjunction of few.
    fn junction_of(&self, term: Truth) -> Option<(Junction, Vec<Truth>)> {
        match self.truth(term) {
            TruthForm::And(parts) if parts.len() <= Self::FEW => Some((Junction::And, parts.to_vec())),
            TruthForm::Or(parts) if parts.len() <= Self::FEW => Some((Junction::Or, parts.to_vec())),
            _ => None,
        }
    }

    /// The negation of a term, if there is such a term already.
    fn known_negation(&self, term: Truth) -> Option<Truth> {
        match *self.truth(term) {
            TruthForm::Not(inner) => Some(inner),
            _ => self.truth_of.get(&TruthForm::Not(term)).copied(),
        }
    }

    /// A term where a condition holds, as far as that is plain to see.
    fn given(&mut self, condition: Truth, term: Truth) -> Truth {
        if term == condition {
            return Self::YES;
        }
        let negation = self.known_negation(condition);
        if Some(term) == negation {
            return Self::NO;
        }
        match *self.truth(term) {
            TruthForm::Ite(c, a, _) if c == condition => return a,
            TruthForm::Ite(c, _, b) if Some(c) == negation => return b,
            _ => {}
        }
        let Some((kind, parts)) = self.junction_of(term) else { return term };
        let is_known = |part: &Truth| *part == condition || Some(*part) == negation;
        if !parts.iter().any(is_known) {
            return term;
        }
        let parts = parts.into_iter().map(|part| match part {
            part if part == condition => Self::YES,
            part if Some(part) == negation => Self::NO,
            part => part,
        });
        self.junction(parts.collect(), kind)
    }

    /// A number where a condition holds, as far as that is plain to see.
    fn given_number(&self, condition: Truth, term: Number) -> Number {
        match self.number(term) {
            NumberForm::Ite(c, a, _) if c == condition => a,
            NumberForm::Ite(c, _, b) if Some(c) == self.known_negation(condition) => b,
            _ => term,
        }
    }

    /// Equivalence.
    pub fn iff(&mut self, a: Truth, b: Truth) -> Truth {
        let (a, b) = (a.min(b), a.max(b));
        match (self.truth(a), self.truth(b)) {
            _ if a == b => Self::YES,
            (TruthForm::Const(false), _) => self.not(b),
            (TruthForm::Const(true), _) => b,
            (TruthForm::Not(inner), _) if *inner == b => Self::NO,
            (_, TruthForm::Not(inner)) if *inner == a => Self::NO,
            _ => self.intern(TruthForm::Iff(a, b)),
        }
    }

    /// `a` if `c` holds, otherwise `b`.
    pub fn ite(&mut self, c: Truth, a: Truth, b: Truth) -> Truth {
        if a == b {
            return a;
        }
        match *self.truth(c) {
            TruthForm::Const(c) => return if c { a } else { b },
            TruthForm::Not(inner) => return self.ite(inner, b, a),
            _ => {}
        }
        let not_c = self.not(c);
        let (a, b) = (self.given(c, a), self.given(not_c, b));
        if a == b {
            return a;
        }
        match (self.truth(a), self.truth(b)) {
            (TruthForm::Const(true), _) => self.or(c, b),
            (_, TruthForm::Const(false)) => self.and(c, a),
            (TruthForm::Const(false), _) => self.and(not_c, b),
            (_, TruthForm::Const(true)) => self.implies(c, a),
            _ => self.intern(TruthForm::Ite(c, a, b)),
        }
    }

    /// `a` if `c` holds, otherwise `b`.
    pub fn ite_number(&mut self, c: Truth, a: Number, b: Number) -> Number {
        if a == b {
            return a;
        }
        match *self.truth(c) {
            TruthForm::Const(c) => return if c { a } else { b },
            TruthForm::Not(inner) => return self.ite_number(inner, b, a),
            _ => {}
        }
        let not_c = self.not(c);
        let (a, b) = (self.given_number(c, a), self.given_number(not_c, b));
        if a == b {
            return a;
        }
        let range = self.range(a).union(self.range(b));
        self.intern_number(NumberForm::Ite(c, a, b), range)
    }

    /// Equality.
    pub fn equal(&mut self, a: Number, b: Number) -> Truth {
        if a == b {
            return Self::YES;
        }
        if self.range(a).intersection(self.range(b)).is_none() {
            return Self::NO;
        }
        match (self.value(a), self.value(b)) {
            (Some(_), Some(_)) => return Self::YES,
            (None, None) => {}
            (Some(_), None) => return self.equal(b, a),
            // Equality with a constant goes into choices among constants.
            (None, Some(_)) => {
                if let Some((c, x, y)) = self.choice_with_constant(a) {
                    let (x, y) = (self.equal(x, b), self.equal(y, b));
                    return self.ite(c, x, y);
                }
                return self.intern(TruthForm::Equal(a, b));
            }
        }
        self.intern(TruthForm::Equal(a.min(b), a.max(b)))
    }

    /// `a <= b`.
    pub fn at_most(&mut self, a: Number, b: Number) -> Truth {
        let (left, right) = (self.range(a), self.range(b));
        if a == b || left.hi <= right.lo {
            return Self::YES;
        }
        if left.lo > right.hi {
            return Self::NO;
        }
        if self.value(b).is_some()
            && let Some((c, x, y)) = self.choice_with_constant(a)
        {
            let (x, y) = (self.at_most(x, b), self.at_most(y, b));
            return self.ite(c, x, y);
        }
        if self.value(a).is_some()
            && let Some((c, x, y)) = self.choice_with_constant(b)
        {
            let (x, y) = (self.at_most(a, x), self.at_most(a, y));
            return self.ite(c, x, y);
        }
        self.intern(TruthForm::AtMost(a, b))
    }

    /// `a < b`.
    pub fn less(&mut self, a: Number, b: Number) -> Truth {
        let other = self.at_most(b, a);
        self.not(other)
    }

    /// The condition and the branches of a choice one of whose branches is a constant.
    fn choice_with_constant(&self, term: Number) -> Option<(Truth, Number, Number)> {
        match self.number(term) {
            NumberForm::Ite(c, x, y) if self.value(x).is_some() || self.value(y).is_some() => Some((c, x, y)),
            _ => None,
        }
    }

    /// Sum.
    pub fn add(&mut self, a: Number, b: Number) -> Number {
        let (left, right) = (self.range(a), self.range(b));
        let range = TermRange { lo: left.lo + right.lo, hi: left.hi + right.hi };
        match (self.value(a), self.value(b)) {
            (Some(_), Some(_)) => self.int(range.lo),
            (Some(0), _) => b,
            (_, Some(0)) => a,
            _ => self.intern_number(NumberForm::Add(a.min(b), a.max(b)), range),
        }
    }

    /// Difference.
    pub fn sub(&mut self, a: Number, b: Number) -> Number {
        let (left, right) = (self.range(a), self.range(b));
        let range = TermRange { lo: left.lo - right.hi, hi: left.hi - right.lo };
        match (self.value(a), self.value(b)) {
            _ if a == b => self.int(0),
            (Some(_), Some(_)) => self.int(range.lo),
            (_, Some(0)) => a,
            _ => self.intern_number(NumberForm::Sub(a, b), range),
        }
    }

    /// Product of two numbers of at most 64 bits.
    pub fn mul(&mut self, a: Number, b: Number) -> Number {
        let (left, right) = (self.range(a), self.range(b));
        let corners = [left.lo * right.lo, left.lo * right.hi, left.hi * right.lo, left.hi * right.hi];
        let [first, rest @ ..] = corners;
        let range = rest.into_iter().fold(TermRange::single(first), |all, n| all.union(TermRange::single(n)));
        match (self.value(a), self.value(b)) {
            (Some(_), Some(_)) | (Some(0), _) | (_, Some(0)) => self.int(range.lo),
            (Some(1), _) => b,
            (_, Some(1)) => a,
            // A constant comes first.
            (None, Some(_)) => self.intern_number(NumberForm::Mul(b, a), range),
            _ => self.intern_number(NumberForm::Mul(a, b), range),
        }
    }

    /// The number of a range that is nearest to a number.
    pub fn clamped(&mut self, number: Number, to: TermRange) -> Number {
        let mut range = self.range(number);
        if range.lo > to.hi || range.hi < to.lo {
            return self.int(if range.hi < to.lo { to.lo } else { to.hi });
        }
        let mut result = number;
        if range.hi > to.hi {
            let greatest = self.int(to.hi);
            let below = self.at_most(result, greatest);
            range.hi = to.hi;
            result = self.intern_number(NumberForm::Ite(below, result, greatest), range);
        }
        if range.lo < to.lo {
            let least = self.int(to.lo);
            let above = self.at_most(least, result);
            range.lo = to.lo;
            result = self.intern_number(NumberForm::Ite(above, result, least), range);
        }
        result
    }

    fn intern(&mut self, form: TruthForm) -> Truth {
        if let Some(&known) = self.truth_of.get(&form) {
            return known;
        }
        let term = Truth::new(self.truths.len());
        self.truths.push(form.clone());
        self.truth_of.insert(form, term);
        term
    }

    fn intern_number(&mut self, form: NumberForm, range: TermRange) -> Number {
        if let Some(&known) = self.number_of.get(&form) {
            return known;
        }
        let term = Number::new(self.numbers.len());
        self.numbers.push(form);
        self.ranges.push(range);
        self.number_of.insert(form, term);
        term
    }
}
