//! Terms whose leaves are expressions of the generated model.

use super::condition::Condition;
use crate::protocol::equation::Applied;
use crate::protocol::ir::{SymbolId, TypeId};
use itertools::Itertools;
use std::collections::BTreeSet;

/// An expression of the generated model.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct ModelExpr {
    pub text: String,
    /// The value that it stands for where it is absent, if it can be.
    pub default: Option<String>,
}

impl ModelExpr {
    /// Creates an expression that is never absent.
    pub fn present(text: impl Into<String>) -> Self {
        Self { text: text.into(), default: None }
    }

    /// Returns the expression as an argument, which cannot be absent.
    pub fn argument(&self) -> String {
        match &self.default {
            None => self.text.clone(),
            Some(default) => format!("{} otherwise {default}", self.text),
        }
    }
}

impl ModelExpr {
    /// Returns the name of the state variable of which it is an entry; empty for other expressions.
    pub fn variable(&self) -> &str {
        self.text.split_once(['[', '\'']).map_or("", |(name, _)| name)
    }

    /// Returns a field of a record, with its value where the record is absent.
    pub fn field(&self, name: &str, unused: &str) -> ModelExpr {
        let default = self.default.as_ref().map(|_| unused.to_owned());
        ModelExpr { text: format!("{}.{name}", self.text), default }
    }
}

/// A term with expressions for its leaves.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum LeafTerm {
    Agent(ModelExpr),
    /// The value that a run created for one of its fresh names.
    Fresh {
        sort: TypeId,
        /// Its name in the generated model.
        name: String,
        run: String,
        text: String,
    },
    /// An atomic term.
    Atom(TypeId, ModelExpr),
    /// Any term.
    Ticket(ModelExpr),
    /// A function as a term of its own.
    Constant(SymbolId),
    /// Several terms, the last of which is no tuple.
    Tuple(Vec<LeafTerm>),
    /// `{body}key`.
    Encrypted(Box<LeafTerm>, Box<LeafTerm>),
    /// Of an exponentiation, a base that is no such power, and the exponents, the order of which has no meaning.
    Apply(SymbolId, Vec<LeafTerm>),
}

/// The form of a term, without its leaves.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum TermForm {
    Agent,
    Atom(TypeId),
    Ticket,
    Constant(SymbolId),
    Tuple(Vec<TermForm>),
    Encrypted(Box<TermForm>, Box<TermForm>),
    Apply(SymbolId, Vec<TermForm>),
}

/// The kind of a leaf.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum LeafKind {
    Agent,
    Atom(TypeId),
    Ticket,
}

impl LeafTerm {
    /// Creates a tuple: a tuple in the last place is spliced in.
    pub fn tuple(values: impl IntoIterator<Item = LeafTerm>) -> Self {
        let mut all: Vec<LeafTerm> = values.into_iter().collect();
        while let Some(LeafTerm::Tuple(last)) = all.last().cloned() {
            all.pop();
            all.extend(last);
        }
        if all.len() == 1 { all.remove(0) } else { LeafTerm::Tuple(all) }
    }

    /// Creates a power: a base that is one itself, of the same exponentiation, passes on its exponents.
    pub fn power(function: SymbolId, base: LeafTerm, exponents: impl IntoIterator<Item = LeafTerm>) -> Self {
        let mut parts = match base {
            LeafTerm::Apply(inner, parts) if inner == function => parts,
            base => vec![base],
        };
        parts.extend(exponents);
        if parts.len() == 1 { parts.remove(0) } else { LeafTerm::Apply(function, parts) }
    }

    /// Creates a sum: sums in it are spliced in, and a term cancels out with itself. One term is its own sum.
    pub fn sum(function: SymbolId, terms: impl IntoIterator<Item = LeafTerm>) -> Self {
        let mut kept: Vec<LeafTerm> = Vec::new();
        for term in terms.into_iter().flat_map(|term| term.summands(function).to_vec()) {
            match kept.iter().position(|other| *other == term) {
                Some(at) => _ = kept.remove(at),
                None => kept.push(term),
            }
        }
        kept.sort_by_cached_key(LeafTerm::form);
        if kept.len() == 1 { kept.remove(0) } else { LeafTerm::Apply(function, kept) }
    }

    /// Returns the terms of which it is the sum: itself if it is none.
    pub fn summands(&self, function: SymbolId) -> &[LeafTerm] {
        match self {
            LeafTerm::Apply(inner, terms) if *inner == function => terms,
            term => std::slice::from_ref(term),
        }
    }

    pub fn form(&self) -> TermForm {
        let all = |values: &[LeafTerm]| values.iter().map(LeafTerm::form).collect();
        match self {
            LeafTerm::Agent(_) => TermForm::Agent,
            LeafTerm::Fresh { sort, .. } | LeafTerm::Atom(sort, _) => TermForm::Atom(*sort),
            LeafTerm::Ticket(_) => TermForm::Ticket,
            LeafTerm::Constant(symbol) => TermForm::Constant(*symbol),
            LeafTerm::Tuple(values) => TermForm::Tuple(all(values)),
            LeafTerm::Encrypted(body, key) => {
                TermForm::Encrypted(Box::new(body.form()), Box::new(key.form()))
            }
            LeafTerm::Apply(function, values) => TermForm::Apply(*function, all(values)),
        }
    }

    /// Returns the encryptions and applications of functions in it, except in keys.
    pub fn composed(&self) -> Vec<&LeafTerm> {
        match self {
            LeafTerm::Tuple(values) => values.iter().flat_map(LeafTerm::composed).collect(),
            LeafTerm::Encrypted(body, _) => [self].into_iter().chain(body.composed()).collect(),
            LeafTerm::Apply(_, values) => {
                [self].into_iter().chain(values.iter().flat_map(LeafTerm::composed)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns the encryptions and applications of functions in it, including those in keys.
    pub fn composed_with_keys(&self) -> Vec<&LeafTerm> {
        let keys = self.keys().into_iter().flat_map(LeafTerm::composed);
        self.composed().into_iter().chain(keys).collect()
    }

    pub fn keys(&self) -> Vec<&LeafTerm> {
        match self {
            LeafTerm::Tuple(values) | LeafTerm::Apply(_, values) => {
                values.iter().flat_map(LeafTerm::keys).collect()
            }
            LeafTerm::Encrypted(body, key) => {
                [&**key].into_iter().chain(key.keys()).chain(body.keys()).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Adds the state variables in it that take any term.
    pub fn variables(&self, found: &mut BTreeSet<String>) {
        match self {
            LeafTerm::Ticket(place) => {
                found.insert(place.variable().to_owned());
            }
            LeafTerm::Tuple(values) | LeafTerm::Apply(_, values) => {
                values.iter().for_each(|value| value.variables(found));
            }
            LeafTerm::Encrypted(body, key) => {
                body.variables(found);
                key.variables(found);
            }
            LeafTerm::Agent(_) | LeafTerm::Fresh { .. } | LeafTerm::Atom(..) | LeafTerm::Constant(_) => {}
        }
    }

    /// Returns the leaves as arguments, from left to right.
    pub fn leaves(&self) -> Vec<String> {
        let mut found = Vec::new();
        self.collect(&mut found);
        found
    }

    fn collect(&self, found: &mut Vec<String>) {
        match self {
            LeafTerm::Agent(place) | LeafTerm::Atom(_, place) | LeafTerm::Ticket(place) => {
                found.push(place.argument())
            }
            LeafTerm::Fresh { text, .. } => found.push(text.clone()),
            LeafTerm::Constant(_) => {}
            LeafTerm::Tuple(values) | LeafTerm::Apply(_, values) => {
                values.iter().for_each(|value| value.collect(found));
            }
            LeafTerm::Encrypted(body, key) => {
                body.collect(found);
                key.collect(found);
            }
        }
    }
}

impl Applied for LeafTerm {
    fn apply(function: SymbolId, arguments: Vec<Self>) -> Self {
        LeafTerm::Apply(function, arguments)
    }

    fn applied(&self) -> Option<(SymbolId, &[Self])> {
        match self {
            LeafTerm::Apply(function, arguments) => Some((*function, arguments)),
            _ => None,
        }
    }

    fn tuple(terms: Vec<Self>) -> Self {
        LeafTerm::tuple(terms)
    }

    fn elements(self) -> Vec<Self> {
        match self {
            LeafTerm::Tuple(terms) => terms,
            term => vec![term],
        }
    }
}

impl TermForm {
    /// Returns the kinds of the leaves, from left to right.
    pub fn sorts(&self) -> Vec<LeafKind> {
        let mut found = Vec::new();
        self.collect(&mut found);
        found
    }

    fn collect(&self, found: &mut Vec<LeafKind>) {
        match self {
            TermForm::Agent => found.push(LeafKind::Agent),
            TermForm::Atom(sort) => found.push(LeafKind::Atom(*sort)),
            TermForm::Ticket => found.push(LeafKind::Ticket),
            TermForm::Constant(_) => {}
            TermForm::Tuple(forms) | TermForm::Apply(_, forms) => {
                forms.iter().for_each(|form| form.collect(found))
            }
            TermForm::Encrypted(body, key) => {
                body.collect(found);
                key.collect(found);
            }
        }
    }

    /// Returns a term of this form.
    pub fn of_anything(&self) -> LeafTerm {
        self.with(&mut std::iter::repeat(ModelExpr::present("x")))
    }

    /// Returns the term of this form with these leaves.
    pub fn with(&self, leaves: &mut impl Iterator<Item = ModelExpr>) -> LeafTerm {
        let mut next = || leaves.next().unwrap_or_else(|| unreachable!("there is one for each leaf"));
        match self {
            TermForm::Agent => LeafTerm::Agent(next()),
            TermForm::Atom(sort) => LeafTerm::Atom(*sort, next()),
            TermForm::Ticket => LeafTerm::Ticket(next()),
            TermForm::Constant(symbol) => LeafTerm::Constant(*symbol),
            TermForm::Tuple(forms) => LeafTerm::Tuple(forms.iter().map(|form| form.with(leaves)).collect()),
            TermForm::Encrypted(body, key) => {
                let body = body.with(leaves);
                LeafTerm::Encrypted(Box::new(body), Box::new(key.with(leaves)))
            }
            TermForm::Apply(function, forms) => {
                LeafTerm::Apply(*function, forms.iter().map(|form| form.with(leaves)).collect())
            }
        }
    }

    /// True for forms of terms without parts.
    pub fn is_atomic(&self) -> bool {
        matches!(self, TermForm::Agent | TermForm::Atom(_) | TermForm::Ticket | TermForm::Constant(_))
    }

    /// Returns the nesting depth of encryptions and functions.
    pub fn depth(&self) -> usize {
        let deepest = |forms: &[TermForm]| forms.iter().map(TermForm::depth).max().unwrap_or(0);
        match self {
            TermForm::Agent | TermForm::Atom(_) | TermForm::Ticket | TermForm::Constant(_) => 0,
            TermForm::Tuple(forms) => deepest(forms),
            TermForm::Apply(_, forms) => 1 + deepest(forms),
            TermForm::Encrypted(body, _) => 1 + body.depth(),
        }
    }
}

/// The forms that a term of any kind can have, as records of the generated model.
pub(super) trait Tickets {
    /// Returns the term in each of its possible forms, with the condition that it has this form.
    fn cases(&self, ticket: &ModelExpr) -> Vec<(Condition, LeafTerm)>;

    /// True for exponentiation.
    fn is_power(&self, function: SymbolId) -> bool;

    /// True for exclusive or.
    fn is_sum(&self, function: SymbolId) -> bool;

    /// Returns the sums in a term, outer ones included.
    fn sums<'t>(&self, term: &'t LeafTerm) -> Vec<&'t LeafTerm> {
        let mut found = term.composed_with_keys();
        found.retain(|part| matches!(part, LeafTerm::Apply(function, _) if self.is_sum(*function)));
        found
    }

    /// Returns the forms of a term that can be a term of any kind, or a power or sum of one; nothing for other terms.
    fn opened(&self, term: &LeafTerm) -> Option<Vec<(Condition, LeafTerm)>> {
        match term {
            LeafTerm::Ticket(ticket) => Some(self.cases(ticket)),
            LeafTerm::Apply(function, parts) if self.is_power(*function) => {
                let [LeafTerm::Ticket(base), exponents @ ..] = &parts[..] else { return None };
                let power = |base| LeafTerm::power(*function, base, exponents.iter().cloned());
                let cases = self.cases(base).into_iter();
                Some(cases.map(|(has, base)| (has, power(base))).collect())
            }
            LeafTerm::Apply(function, parts) if self.is_sum(*function) => {
                let at = parts.iter().position(|part| matches!(part, LeafTerm::Ticket(_)))?;
                let LeafTerm::Ticket(ticket) = &parts[at] else { return None };
                let others = [&parts[..at], &parts[at + 1..]].concat();
                let sum = |term| LeafTerm::sum(*function, others.iter().cloned().chain([term]));
                let cases = self.cases(ticket).into_iter();
                Some(cases.map(|(has, term)| (has, sum(term))).collect())
            }
            _ => None,
        }
    }
}

/// Returns the name of an atomic term given literally.
pub(super) fn written_name(text: &str) -> Option<&str> {
    text.split_once("(name: ")?.1.strip_suffix(')')?.split_once(", run: ").map(|(name, _)| name)
}

/// Returns the condition that two terms are equal.
pub(super) fn equal(left: &LeafTerm, right: &LeafTerm, tickets: &impl Tickets) -> Condition {
    let is = |left: &str, right: &str| match (written_name(left), written_name(right)) {
        _ if left == right => Condition::True,
        (Some(left), Some(right)) if left != right => Condition::False,
        _ => Condition::Is(format!("{left} = {right}")),
    };
    match (left, right) {
        _ if left == right => Condition::True,
        (LeafTerm::Agent(a), LeafTerm::Agent(b)) => is(&a.text, &b.text),
        (LeafTerm::Ticket(a), LeafTerm::Ticket(b)) => {
            // The terms of a sum can be in records in several orders.
            let sums = |ticket| {
                let cases = tickets.cases(ticket).into_iter();
                cases.filter(|(_, term)| !tickets.sums(term).is_empty())
            };
            let pairs = sums(a).cartesian_product(sums(b).collect_vec());
            let pairs = pairs.filter(|((_, a), (_, b))| a.form() == b.form());
            let pairs = pairs.map(|((has, a), (is, b))| {
                let same = match (&a, &b) {
                    (LeafTerm::Apply(sum, a), LeafTerm::Apply(_, b)) if tickets.is_sum(*sum) => {
                        permuted(a, b, tickets)
                    }
                    _ => equal(&a, &b, tickets),
                };
                Condition::all([has, is, same])
            });
            Condition::any([is(&a.text, &b.text)].into_iter().chain(pairs.collect_vec()))
        }
        (LeafTerm::Fresh { name: a, run: r, .. }, LeafTerm::Fresh { name: b, run: s, .. }) => {
            if a == b {
                is(r, s)
            } else {
                Condition::False
            }
        }
        (LeafTerm::Fresh { sort, text, .. }, LeafTerm::Atom(other, place))
        | (LeafTerm::Atom(other, place), LeafTerm::Fresh { sort, text, .. })
            if sort == other =>
        {
            is(&place.text, text)
        }
        (LeafTerm::Atom(sort, a), LeafTerm::Atom(other, b)) if sort == other => is(&a.text, &b.text),
        (LeafTerm::Constant(a), LeafTerm::Constant(b)) if a == b => Condition::True,
        (LeafTerm::Tuple(a), LeafTerm::Tuple(b)) => tuples(a, b, tickets),
        (LeafTerm::Encrypted(a, k), LeafTerm::Encrypted(b, l)) => {
            Condition::all([equal(a, b, tickets), equal(k, l, tickets)])
        }
        _ => match (tickets.opened(left), tickets.opened(right)) {
            (Some(cases), _) => among(cases, right, tickets),
            (_, Some(cases)) => among(cases, left, tickets),
            (None, None) => applications(left, right, tickets),
        },
    }
}

/// Returns the condition that a term, in the form that it has, is another one.
fn among(cases: Vec<(Condition, LeafTerm)>, other: &LeafTerm, tickets: &impl Tickets) -> Condition {
    let cases = cases.into_iter();
    Condition::any(cases.map(|(has, value)| Condition::all([has, equal(&value, other, tickets)])))
}

/// Returns the condition that two applications are equal; it is false of other terms.
fn applications(left: &LeafTerm, right: &LeafTerm, tickets: &impl Tickets) -> Condition {
    match (left, right) {
        (LeafTerm::Apply(sum, _), other) | (other, LeafTerm::Apply(sum, _)) if tickets.is_sum(*sum) => {
            let own = if std::ptr::eq(other, left) { right } else { left };
            cancels(&[own.summands(*sum), other.summands(*sum)].concat(), tickets)
        }
        (LeafTerm::Apply(f, a), LeafTerm::Apply(g, b)) if f == g && a.len() == b.len() => {
            if tickets.is_power(*f) {
                return Condition::all([equal(&a[0], &b[0], tickets), permuted(&a[1..], &b[1..], tickets)]);
            }
            Condition::all(a.iter().zip(b).map(|(a, b)| equal(a, b, tickets)))
        }
        _ => Condition::False,
    }
}

/// Returns the condition that each term of a sum cancels out with another one.
fn cancels(terms: &[LeafTerm], tickets: &impl Tickets) -> Condition {
    let Some((first, rest)) = terms.split_first() else { return Condition::True };
    if rest.len().is_multiple_of(2) {
        return Condition::False;
    }
    Condition::any((0..rest.len()).map(|at| match cancel(first, &rest[at], tickets) {
        Condition::False => Condition::False,
        same => Condition::all([same, cancels(&[&rest[..at], &rest[at + 1..]].concat(), tickets)]),
    }))
}

/// Returns the condition that two terms of a sum cancel out. Those of one variable differ.
fn cancel(a: &LeafTerm, b: &LeafTerm, tickets: &impl Tickets) -> Condition {
    let record = |term: &LeafTerm| match term {
        LeafTerm::Agent(place) | LeafTerm::Atom(_, place) => {
            place.text.rsplit_once('.').map(|(record, _)| record.to_owned())
        }
        _ => None,
    };
    match (record(a), record(b)) {
        (Some(one), Some(other)) if one == other && a != b => Condition::False,
        _ => equal(a, b, tickets),
    }
}

/// The ways in which terms of a sum can cancel out: the condition that they do, and the others.
pub(super) fn cancellations(terms: &[LeafTerm], tickets: &impl Tickets) -> Vec<(Condition, Vec<LeafTerm>)> {
    let Some((first, rest)) = terms.split_first() else { return vec![(Condition::True, Vec::new())] };
    let stays = cancellations(rest, tickets).into_iter();
    let mut ways: Vec<_> = stays
        .map(|(is, mut left)| {
            left.insert(0, first.clone());
            (is, left)
        })
        .collect();
    for at in 0..rest.len() {
        let same = cancel(first, &rest[at], tickets);
        if same != Condition::False {
            let others = cancellations(&[&rest[..at], &rest[at + 1..]].concat(), tickets).into_iter();
            ways.extend(others.map(|(is, left)| (Condition::all([same.clone(), is]), left)));
        }
    }
    ways
}

/// The ways to divide terms into two parts, the first of which is not empty; without repetition.
pub(super) fn splits(terms: &[LeafTerm]) -> Vec<(Vec<LeafTerm>, Vec<LeafTerm>)> {
    let Some((first, rest)) = terms.split_first() else { return Vec::new() };
    let with_first = rest.iter().cloned().powerset().map(|others| {
        let left = rest.iter().filter(|term| !others.contains(term)).cloned().collect();
        ([vec![first.clone()], others].concat(), left)
    });
    with_first.collect()
}

/// Returns the condition that two lists have the same terms, in any order.
fn permuted(a: &[LeafTerm], b: &[LeafTerm], tickets: &impl Tickets) -> Condition {
    let Some((first, rest)) = a.split_first() else { return Condition::True };
    Condition::any((0..b.len()).map(|at| {
        let same = equal(first, &b[at], tickets);
        match same {
            Condition::False => Condition::False,
            same => Condition::all([same, permuted(rest, &[&b[..at], &b[at + 1..]].concat(), tickets)]),
        }
    }))
}

/// Compares tuples element by element; the last element of the shorter one can stand for several.
fn tuples(a: &[LeafTerm], b: &[LeafTerm], tickets: &impl Tickets) -> Condition {
    if a.len() > b.len() {
        return tuples(b, a, tickets);
    }
    let Some((last, first)) = a.split_last() else { return Condition::False };
    let rest = LeafTerm::tuple(b[first.len()..].iter().cloned());
    let firsts = first.iter().zip(b).map(|(a, b)| equal(a, b, tickets));
    Condition::all(firsts.chain([equal(last, &rest, tickets)]))
}
