//! Powers: the ways in which they are equal, and the ways in which the attacker comes to have them.
//!
//! A power is a base with a multiset of exponents. Of a base that is an open variable of any type, the exponents are not all known: it
//! stands for a base with any number of them. A variable of the sort of products stands for any number of exponents, which the attacker
//! has.
//!
//! Take a power that the attacker comes to have, in a shortest way at the earliest moment. She takes a *start* out of a message, the power
//! of the same base with some of the exponents, or has the base itself, and has all other exponents. If the base is an open
//! variable Y, exponents that it stands for can be among these: then Y is a start's R raised to a product of hers.
//! So the patterns that follow are all, and nothing is assumed of how many exponents a variable stands for, or who made them.

use super::role::AttackTheory;
use super::search::AttackSearch;
use super::state::{AttackerGoal, PartialPattern, TermSource};
use super::term::{AtomName, Bindings, PatternAtom, PatternTerm, VariableSort};
use crate::protocol::ir::{ProtocolSymbolKind, SymbolId};
use itertools::{Itertools, iproduct};

/// The most exponents of one power that become part of variables of another one.
const MOST_ABSORBED: usize = 12;

/// Two powers that are to be equal.
type Equation = [PatternTerm; 2];

impl Bindings {
    /// The bindings, with powers that were to be equal made so: in all ways, unless `is_cut` becomes true.
    pub fn solved(mut self, is_cut: &mut bool) -> Vec<Bindings> {
        let Some(equation) = self.powers.pop() else { return vec![self] };
        let ways = self.equated(equation, MOST_ABSORBED, is_cut);
        ways.into_iter().flat_map(|way| way.solved(is_cut)).collect()
    }

    /// Of an equation, first a single exponent is the same as one of the other side, or one of those that a variable there stands for.
    fn equated(self, equation: Equation, room: usize, is_cut: &mut bool) -> Vec<Bindings> {
        let [left, right] = equation.map(|side| self.resolve(&side));
        let [(base, mut exponents), (other_base, mut others)] = [&left, &right].map(|side| {
            let (base, exponents) = side.as_power();
            (base.clone(), exponents.to_vec())
        });
        for exponent in std::mem::take(&mut exponents) {
            match others.iter().position(|other| *other == exponent) {
                Some(same) => _ = others.remove(same),
                None => exponents.push(exponent),
            }
        }
        let is_single = |exponent: &PatternTerm| !self.is_product(exponent);
        let sides = [(&base, &exponents), (&other_base, &others)];
        let sides = match exponents.iter().position(is_single) {
            Some(single) => Some((single, sides)),
            None => others.iter().position(is_single).map(|single| (single, [sides[1], sides[0]])),
        };
        let Some((single, [(base, exponents), (other_base, others)])) = sides else {
            return self.joined([base, other_base], [exponents, others], is_cut);
        };
        if room == 0 {
            *is_cut = true;
            return Vec::new();
        }
        let exponent = &exponents[single];
        let both = [(base, exponents), (other_base, others)].map(|(base, exponents)| raised(base, exponents));
        let mut found = Vec::new();
        for (number, other) in others.iter().enumerate() {
            let mut ways = self.clone();
            match other {
                PatternTerm::Variable(product) if self.is_product(other) => {
                    if !self.occurs(*product, exponent) {
                        let rest = PatternTerm::Variable(ways.declare([VariableSort::Product]));
                        ways.bind(*product, PatternTerm::product([exponent.clone(), rest]));
                        found.extend(ways.equated(both.clone(), room - 1, is_cut));
                    }
                }
                _ => {
                    if ways.unify(exponent, other) {
                        let without = |all: &[PatternTerm], at: usize| [&all[..at], &all[at + 1..]].concat();
                        let rest = [
                            raised(base, &without(exponents, single)),
                            raised(other_base, &without(others, number)),
                        ];
                        found.extend(ways.equated(rest, room, is_cut));
                    }
                }
            }
        }
        if let Some(variable) = self.absorbs(other_base, base).filter(|of| !self.occurs(*of, exponent)) {
            let mut ways = self;
            let rest = PatternTerm::Variable(ways.declare([VariableSort::Any]));
            ways.bind(variable, PatternTerm::power(rest, [exponent.clone()]));
            found.extend(ways.equated(both, room - 1, is_cut));
        }
        found
    }

    /// The bindings in which two bases with products as exponents are equal. Each pair of products has a part in common, and the rest
    /// belongs to what the base of the other side stands for.
    fn joined(
        mut self,
        [base, other_base]: [PatternTerm; 2],
        [left, right]: [Vec<PatternTerm>; 2],
        is_cut: &mut bool,
    ) -> Vec<Bindings> {
        if !left.iter().all_unique() || !right.iter().all_unique() {
            *is_cut = true;
            return Vec::new();
        }
        let absorbing = [self.absorbs(&base, &other_base), self.absorbs(&other_base, &base)];
        let mut products = |count: usize| -> Vec<PatternTerm> {
            (0..count).map(|_| PatternTerm::Variable(self.declare([VariableSort::Product]))).collect()
        };
        let common: Vec<Vec<PatternTerm>> = left.iter().map(|_| products(right.len())).collect();
        let [of_right, of_left] =
            [(absorbing[0], right.len()), (absorbing[1], left.len())].map(|(absorbs, count)| match absorbs {
                Some(_) => products(count),
                None => Vec::new(),
            });
        let left_parts =
            (0..left.len()).map(|row| common[row].iter().cloned().chain(of_left.get(row).cloned()));
        let left_parts = left_parts.map(PatternTerm::product).collect_vec();
        let right_parts = (0..right.len()).map(|column| {
            common.iter().map(move |row| row[column].clone()).chain(of_right.get(column).cloned())
        });
        let right_parts = right_parts.map(PatternTerm::product).collect_vec();
        for (product, part) in left.iter().zip(left_parts).chain(right.iter().zip(right_parts)) {
            if let PatternTerm::Variable(product) = product {
                self.bind(*product, part);
            }
        }
        let is_same = match absorbing {
            [Some(one), Some(other)] if !(of_left.is_empty() && of_right.is_empty()) => {
                let rest = PatternTerm::Variable(self.declare([VariableSort::Any]));
                self.bind(one, PatternTerm::power(rest.clone(), of_right));
                self.bind(other, PatternTerm::power(rest, of_left));
                true
            }
            [Some(_), None] => self.unify(&base, &PatternTerm::power(other_base, of_right)),
            [None, Some(_)] => self.unify(&other_base, &PatternTerm::power(base, of_left)),
            _ => self.unify(&base, &other_base),
        };
        match is_same {
            true => vec![self],
            false => Vec::new(),
        }
    }

    pub fn is_product(&self, term: &PatternTerm) -> bool {
        matches!(term, PatternTerm::Variable(variable) if self.kind(*variable) == VariableSort::Product)
    }

    /// The open variable that a resolved base is, if it stands for powers with exponents that the other base does not have.
    fn absorbs(&self, base: &PatternTerm, other: &PatternTerm) -> Option<usize> {
        match base {
            PatternTerm::Variable(variable) if self.kind(*variable) == VariableSort::Any && base != other => {
                Some(*variable)
            }
            _ => None,
        }
    }

    /// True if a resolved power may have exponents other than those that it shows, or fewer.
    pub fn is_flexible(&self, power: &PatternTerm) -> bool {
        let (base, exponents) = power.as_power();
        self.absorbs(base, power).is_some() || exponents.iter().any(|exponent| self.is_product(exponent))
    }

    /// True for variables, and for powers of one of any type with products only: terms that the attacker can always choose.
    pub fn is_open(&self, term: &PatternTerm) -> bool {
        let (base, exponents) = term.as_power();
        match base {
            PatternTerm::Variable(variable) => {
                exponents.is_empty()
                    || self.kind(*variable) == VariableSort::Any
                        && exponents.iter().all(|exponent| self.is_product(exponent))
            }
            _ => false,
        }
    }
}

fn raised(base: &PatternTerm, exponents: &[PatternTerm]) -> PatternTerm {
    PatternTerm::power(base.clone(), exponents.iter().cloned())
}

impl<'t> PartialPattern<'t> {
    /// The patterns in which two terms are equal.
    pub fn unified(mut self, left: &PatternTerm, right: &PatternTerm, is_cut: &mut bool) -> Vec<Self> {
        match self.bindings.unify(left, right) {
            true => self.solved(is_cut),
            false => Vec::new(),
        }
    }

    /// The patterns in which powers that were to be equal are so.
    pub fn solved(mut self, is_cut: &mut bool) -> Vec<Self> {
        if self.bindings.powers.is_empty() {
            return vec![self];
        }
        let ways = std::mem::take(&mut self.bindings).solved(is_cut);
        let with = |bindings| {
            let mut state = self.clone();
            state.bindings = bindings;
            state
        };
        ways.into_iter().map(with).collect()
    }

    /// True for values that runs made if none is ever sent but in powers and under keys that are not opened.
    fn is_never_had(&self, term: &PatternTerm) -> bool {
        let PatternTerm::Atom(PatternAtom { name: AtomName::Fresh { run, variable }, sort }) = term else {
            return false;
        };
        let AttackTheory { roles, parts, .. } = self.theory;
        let role = self.runs[*run].role;
        let of_role = PatternTerm::Atom(PatternAtom {
            name: AtomName::Fresh { run: 0, variable: *variable },
            sort: *sort,
        });
        !parts.iter().any(|part| match &part.term {
            PatternTerm::Variable(held) => roles[part.role].kinds[*held].takes(term),
            other => part.role == role && *other == of_role,
        })
    }
}

impl<'t> AttackSearch<'t, '_> {
    /// The patterns in which the attacker makes a power out of a start and exponents that she has. Of a flexible power, the start may be
    /// all of it.
    pub(super) fn raised(&self, state: &PartialPattern<'t>, goal: &AttackerGoal) -> Vec<PartialPattern<'t>> {
        let (base, exponents) = goal.term.as_power();
        let open = match base {
            PatternTerm::Variable(variable) if state.bindings.kind(*variable) == VariableSort::Any => {
                Some(*variable)
            }
            _ => None,
        };
        let (products, single): (Vec<_>, Vec<_>) =
            exponents.iter().cloned().partition(|exponent| state.bindings.is_product(exponent));
        let (never, perhaps): (Vec<_>, Vec<_>) =
            single.into_iter().partition(|exponent| state.is_never_had(exponent));
        let mut found = Vec::new();
        for hers in perhaps.iter().powerset() {
            let mut start: Vec<PatternTerm> = perhaps.clone();
            for exponent in &hers {
                let at = start.iter().position(|other| other == *exponent);
                at.map(|at| start.remove(at));
            }
            start.extend(never.iter().cloned());
            let mut hers: Vec<PatternTerm> = hers.into_iter().cloned().collect();
            let mut state = state.clone();
            if start.is_empty() {
                let mut of_base = state.clone();
                of_base.met.push((goal.clone(), TermSource::Made));
                let parts = [base].into_iter().chain(exponents);
                of_base.open.extend(parts.map(|part| goal.part(part.clone(), false)));
                found.push(of_base);
            }
            if start.is_empty() && products.is_empty()
                || hers.is_empty() && products.is_empty() && open.is_none()
            {
                continue;
            }
            let may_be_all = hers.is_empty();
            let source = if may_be_all { TermSource::Raised } else { TermSource::Made };
            state.met.push((goal.clone(), source));
            let mut product = || PatternTerm::Variable(state.bindings.declare([VariableSort::Product]));
            let halves = products.iter().map(|whole| (whole, [product(), product()])).collect_vec();
            let further = open.map(|variable| (variable, product()));
            for (whole, [given, own]) in halves {
                if let PatternTerm::Variable(whole) = whole {
                    state.bindings.bind(*whole, PatternTerm::product([given.clone(), own.clone()]));
                }
                start.push(given);
                hers.push(own);
            }
            let mut base = base.clone();
            if let Some((variable, product)) = further {
                base = PatternTerm::Variable(state.bindings.declare([VariableSort::Any]));
                state.bindings.bind(variable, PatternTerm::power(base.clone(), [product.clone()]));
                hers.push(product);
            }
            let start = goal.part(PatternTerm::power(base, start), true);
            state.open.push(AttackerGoal { is_start: may_be_all, ..start });
            state.open.extend(hers.into_iter().map(|part| goal.part(part, false)));
            found.push(state);
        }
        found
    }

    /// The patterns in which a power is a public key, as [`AttackTheory::is_public_key`] has it.
    pub(super) fn published(
        &self,
        state: &PartialPattern<'t>,
        goal: &AttackerGoal,
        is_cut: &mut bool,
    ) -> Vec<PartialPattern<'t>> {
        let protocols = self.theory().protocols;
        let symbols = || (0..protocols.symbols.len()).map(SymbolId::new);
        let is_constant = |symbol: &SymbolId| {
            let described = &protocols.symbols[symbol.index()];
            !described.secret && matches!(described.kind, ProtocolSymbolKind::Constant(_))
        };
        let keys = symbols().filter(|symbol| protocols.is_private_key(*symbol)).collect_vec();
        let mut found = Vec::new();
        let (_, exponents) = goal.term.as_power();
        if exponents.iter().filter(|exponent| !state.bindings.is_product(exponent)).count() > 1 {
            return found;
        }
        for (base, key) in iproduct!(symbols().filter(is_constant), keys) {
            let [base, key] = [base, key].map(|symbol| self.theory().symbol(symbol));
            let mut state = state.clone();
            let owner = PatternTerm::Variable(state.bindings.declare([VariableSort::Any]));
            let public = PatternTerm::power(base, [PatternTerm::crypt(owner, key)]);
            found.extend(state.unified(&goal.term, &public, is_cut));
        }
        found
    }
}
