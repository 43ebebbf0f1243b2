//! The forms of terms that variables of any type can take.
//!
//! A variable that is forwarded unread can have any value, but only parts that some run inspects matter:
//! terms in its place in sent messages, and terms expected in its place where it is forwarded to. One value
//! of the attacker stands for all others.

use super::scope::Matching;
use super::terms::RoleTerms;
use super::value::{LeafKind, LeafTerm, ModelExpr, TermForm};
use crate::protocol::ir::{EventKind, RoleClaim, SymbolId};
use itertools::Itertools;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Debug, Clone, Copy)]
struct FormLimits {
    /// The greatest number of forms of one variable.
    forms: usize,
    /// The greatest nesting depth of encryptions and functions within other terms.
    depth: usize,
    /// The greatest number of leaves of a form.
    leaves: usize,
}

impl FormLimits {
    fn of(matching: Matching) -> Self {
        match matching {
            // Terms deeper than those sent are irrelevant.
            Matching::Typed | Matching::Basic => Self { forms: 40, depth: 4, leaves: usize::MAX },
            // Every variable may hold the values of others, recursively.
            Matching::Full => Self { forms: 24, depth: 2, leaves: 6 },
        }
    }
}

/// The forms of each variable that takes any term, by the name of its state variable.
#[derive(Debug, Default)]
pub(super) struct VariableForms {
    /// The distinct forms. The first one is that of the attacker's value for irrelevant terms.
    pub all: Vec<TermForm>,
    /// For each variable, the numbers of its forms.
    pub of: BTreeMap<String, BTreeSet<usize>>,
    /// Variables with more possible forms than the limit.
    pub cut: Vec<String>,
    /// The functions that are exponentiation.
    pub powers: Vec<SymbolId>,
    /// The functions that are exclusive or.
    pub sums: Vec<SymbolId>,
}

/// The greatest number of exponents of a variable.
const EXPONENTS: usize = 3;

/// The greatest number of terms in the sum that a variable is.
const SUMMANDS: usize = 3;

/// A term in the place of a variable of any type.
struct Met {
    variable: String,
    value: LeafTerm,
}

pub(super) fn forms(terms: &RoleTerms<'_>, most: usize) -> VariableForms {
    let protocols = terms.script.protocols;
    let symbols = (0..protocols.symbols.len()).map(SymbolId::new);
    let powers = symbols.clone().filter(|symbol| protocols.is_power(*symbol)).collect();
    let sums = symbols.filter(|symbol| protocols.is_sum(*symbol)).collect();
    let mut forms = VariableForms { powers, sums, ..VariableForms::default() };
    let limits = FormLimits::of(terms.script.matching);
    let limits = FormLimits { forms: limits.forms.min(most), ..limits };
    let mut variables: Vec<String> = Vec::new();
    // The declared sorts of variables with a type.
    let mut declared: BTreeMap<&str, LeafKind> = BTreeMap::new();
    for role in terms.script.roles() {
        for (variable, name, sort) in terms.received(role) {
            if sort == LeafKind::Ticket {
                variables.push(name.to_owned());
            }
            match terms.declared(role, variable) {
                LeafKind::Ticket => {}
                sort => _ = declared.insert(name, sort),
            }
        }
    }
    if variables.is_empty() {
        return forms;
    }
    let nothing = terms.sorts.atomic().keys().next().map_or(TermForm::Agent, |sort| TermForm::Atom(*sort));
    forms.all.push(nothing);
    forms.of = variables.iter().map(|name| (name.clone(), BTreeSet::from([0]))).collect();
    let met = meetings(terms);
    if terms.script.matching == Matching::Full {
        // Every form that is possible with typed matching.
        let typed = FormLimits { forms: limits.forms, ..FormLimits::of(Matching::Typed) };
        forms.close(&met, typed, |variable, form| match declared.get(variable) {
            Some(sort) => *form == form_of(*sort),
            None => true,
        });
    }
    let keys = keys(terms);
    let is_power = |form: &TermForm| matches!(form, TermForm::Apply(function, _) if protocols.is_power(*function) || protocols.is_sum(*function));
    forms.close(&met, limits, |variable, form| match terms.script.matching {
        Matching::Typed => true,
        Matching::Basic => form.is_atomic() || !declared.contains_key(variable),
        Matching::Full => form.depth() == 0 || is_power(form) || !keys.contains(variable),
    });
    forms
}

/// Returns the form of a declared type.
fn form_of(sort: LeafKind) -> TermForm {
    match sort {
        LeafKind::Atom(ty) => TermForm::Atom(ty),
        _ => TermForm::Agent,
    }
}

impl VariableForms {
    /// Adds the forms that variables meet and may take, up to a fixpoint.
    fn close(&mut self, met: &[Met], limits: FormLimits, takes: impl Fn(&str, &TermForm) -> bool) {
        loop {
            let before: usize = self.of.values().map(BTreeSet::len).sum();
            for Met { variable, value } in met {
                let found = self.filled(value, limits);
                let known = &self.of[variable];
                let is_new = |form: &TermForm| {
                    takes(variable, form) && known.iter().all(|number| self.all[*number] != *form)
                };
                let new: Vec<TermForm> = found.into_iter().filter(is_new).collect();
                for form in new {
                    self.add(variable, form, limits);
                }
            }
            if self.of.values().map(BTreeSet::len).sum::<usize>() == before {
                return;
            }
        }
    }

    fn add(&mut self, variable: &str, form: TermForm, limits: FormLimits) {
        if self.of[variable].len() >= limits.forms || form.sorts().len() > limits.leaves {
            if !self.cut.iter().any(|name| name == variable) {
                self.cut.push(variable.to_owned());
            }
            return;
        }
        let number = self.all.iter().position(|other| *other == form).unwrap_or_else(|| {
            self.all.push(form);
            self.all.len() - 1
        });
        self.of.entry(variable.to_owned()).or_default().insert(number);
    }

    /// Returns the forms of a term, given those of the variables in it.
    fn filled(&self, value: &LeafTerm, limits: FormLimits) -> Vec<TermForm> {
        let lists = |values: &[LeafTerm]| -> Vec<Vec<TermForm>> {
            values.iter().map(|value| self.filled(value, limits)).multi_cartesian_product().collect()
        };
        match value {
            LeafTerm::Ticket(ticket) => match self.of.get(ticket.variable()) {
                Some(own) => own
                    .iter()
                    .map(|number| self.all[*number].clone())
                    .filter(|form| form.depth() < limits.depth)
                    .collect(),
                None => Vec::new(),
            },
            LeafTerm::Tuple(values) => lists(values).into_iter().map(TermForm::Tuple).collect(),
            LeafTerm::Apply(function, values) if self.powers.contains(function) => {
                let power = |mut forms: Vec<TermForm>| {
                    let mut parts = match forms.remove(0) {
                        TermForm::Apply(inner, base) if inner == *function => base,
                        base => vec![base],
                    };
                    parts.extend(forms);
                    parts[1..].sort_by_key(TermForm::depth);
                    parts
                };
                let parts = lists(values).into_iter().map(power).filter(|parts| parts.len() <= 1 + EXPONENTS);
                parts.map(|parts| TermForm::Apply(*function, parts)).collect()
            }
            LeafTerm::Apply(function, values) if self.sums.contains(function) => {
                let spliced = |form| match form {
                    TermForm::Apply(inner, terms) if inner == *function => terms,
                    term => vec![term],
                };
                // Some of the terms can cancel out.
                let remaining = lists(values).into_iter().flat_map(|forms| {
                    let forms = forms.into_iter().flat_map(spliced).collect_vec();
                    let most = SUMMANDS.min(forms.len());
                    (0..=most)
                        .flat_map(move |count| forms.clone().into_iter().combinations(count))
                        .collect_vec()
                });
                remaining.map(|forms| sum_form(*function, forms)).unique().collect()
            }
            LeafTerm::Apply(function, values) => {
                lists(values).into_iter().map(|forms| TermForm::Apply(*function, forms)).collect()
            }
            LeafTerm::Encrypted(body, key) => self
                .filled(body, limits)
                .into_iter()
                .cartesian_product(self.filled(key, limits))
                .map(|(body, key)| TermForm::Encrypted(Box::new(body), Box::new(key)))
                .collect(),
            closed => vec![closed.form()],
        }
    }
}

/// Returns the form of a sum of terms with these forms.
fn sum_form(function: SymbolId, mut forms: Vec<TermForm>) -> TermForm {
    if forms.len() == 1 {
        return forms.remove(0);
    }
    forms.sort();
    TermForm::Apply(function, forms)
}

/// Returns the variables in the keys of messages. Encryptions with terms that contain themselves would have no end.
fn keys(terms: &RoleTerms<'_>) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for role in terms.script.roles() {
        for event in &terms.script.role(role).events {
            if let EventKind::Send(message) | EventKind::Receive(message) = &event.kind {
                let value = terms.value(role, "q", &message.content, &|_| None);
                value.keys().into_iter().for_each(|key| key.variables(&mut found));
            }
        }
    }
    found
}

/// Returns the terms met by variables of any type: in messages with the same label, and in all pairs of terms
/// of messages and claims that could be equal.
fn meetings(terms: &RoleTerms<'_>) -> Vec<Met> {
    let mut sent: Vec<(String, LeafTerm)> = Vec::new();
    let mut received: Vec<(String, LeafTerm)> = Vec::new();
    let mut claimed: Vec<LeafTerm> = Vec::new();
    let mut undone: Vec<LeafTerm> = Vec::new();
    let mut met = Vec::new();
    for role in terms.script.roles() {
        let described = terms.script.role(role);
        let value = |term| terms.value(role, "q", term, &|_| None);
        for event in &described.events {
            let label = format!("{}:{}", described.protocol, event.label);
            match &event.kind {
                EventKind::Send(message) => sent.push((label, value(&message.content))),
                EventKind::Receive(message) => received.push((label, value(&message.content))),
                EventKind::Match { pattern, term, .. } => {
                    let (pattern, term) = (value(pattern), value(term));
                    [&pattern, &term].into_iter().for_each(|value| applied(value, &mut met));
                    align(terms, &pattern, &term, &mut met);
                    undone.extend([pattern, term]);
                }
                EventKind::Claim(RoleClaim::Secret(term) | RoleClaim::SessionKey(term)) => {
                    claimed.push(value(term))
                }
                EventKind::Claim(_) => {}
            }
        }
    }
    for ((label, sent), (other, received)) in sent.iter().cartesian_product(&received) {
        if label == other {
            align(terms, sent, received, &mut met);
        }
    }
    let made: Vec<&LeafTerm> = sent.iter().flat_map(|(_, value)| value.composed_with_keys()).collect();
    // The attacker has the terms that belong to her own name.
    for (_, value) in sent.iter().chain(&received) {
        applied(value, &mut met);
    }
    claimed.iter().for_each(|value| applied(value, &mut met));
    let all = sent.iter().chain(&received).map(|(_, value)| value).chain(&claimed);
    raised(terms, all.clone(), &mut met);
    summed(terms, all.chain(&undone), &mut met);
    let expected = received
        .iter()
        .map(|(_, value)| value)
        .chain(&claimed)
        .chain(&undone)
        .flat_map(LeafTerm::composed_with_keys);
    for (made, expected) in made.into_iter().cartesian_product(expected.collect::<Vec<_>>()) {
        let mut aligned = Vec::new();
        if align(terms, made, expected, &mut aligned) {
            met.extend(aligned);
        }
    }
    met
}

/// Variables to which functions are applied meet names of agents, which determine who can make the result, or open it.
fn applied(value: &LeafTerm, met: &mut Vec<Met>) {
    for part in value.composed_with_keys() {
        let LeafTerm::Apply(_, arguments) = part else { continue };
        for argument in arguments {
            if let LeafTerm::Ticket(ticket) = argument {
                let value = LeafTerm::Agent(ModelExpr::present(ticket.variable()));
                met.push(Met { variable: ticket.variable().to_owned(), value });
            }
        }
    }
}

/// Variables that are raised to a power meet all powers of the bases in these terms, and variable exponents all other exponents.
fn raised<'v>(terms: &RoleTerms<'_>, values: impl Iterator<Item = &'v LeafTerm>, met: &mut Vec<Met>) {
    let powers = values.flat_map(LeafTerm::composed_with_keys).filter_map(|part| match part {
        LeafTerm::Apply(function, parts) if terms.script.protocols.is_power(*function) => {
            let (base, exponents) = parts.split_first()?;
            Some((*function, base, exponents))
        }
        _ => None,
    });
    let powers: Vec<_> = powers.unique().collect();
    let is_open = |value: &&LeafTerm| matches!(value, LeafTerm::Ticket(_));
    let exponents = powers.iter().flat_map(|(.., exponents)| *exponents);
    let (open, exponents): (Vec<&LeafTerm>, Vec<&LeafTerm>) = exponents.partition(is_open);
    let exponents = exponents.into_iter().unique_by(|value| value.form()).collect_vec();
    let mut meet = |ticket: &LeafTerm, value: LeafTerm| {
        if let LeafTerm::Ticket(ticket) = ticket {
            met.push(Met { variable: ticket.variable().to_owned(), value });
        }
    };
    for (exponent, value) in open.into_iter().cartesian_product(&exponents) {
        meet(exponent, (*value).clone());
    }
    for ((function, base, _), (other, ticket, _)) in powers.iter().cartesian_product(&powers) {
        if function == other && is_open(ticket) && !is_open(base) {
            for number in 0..=EXPONENTS {
                for exponents in exponents.iter().combinations_with_replacement(number) {
                    let exponents = exponents.into_iter().copied().cloned();
                    meet(ticket, LeafTerm::power(*function, (*base).clone(), exponents));
                }
            }
        }
    }
}

/// Variables in sums meet all sums of few small terms of the forms that occur in sums, at most one of which is not atomic.
fn summed<'v>(terms: &RoleTerms<'_>, values: impl Iterator<Item = &'v LeafTerm>, met: &mut Vec<Met>) {
    let sums = values.flat_map(LeafTerm::composed_with_keys).filter_map(|part| match part {
        LeafTerm::Apply(function, parts) if terms.script.protocols.is_sum(*function) => {
            Some((*function, parts))
        }
        _ => None,
    });
    let summands = sums.flat_map(|(function, parts)| parts.iter().map(move |part| (function, part)));
    let (open, closed): (Vec<_>, Vec<_>) =
        summands.unique().partition(|(_, part)| matches!(part, LeafTerm::Ticket(_)));
    for (function, variable) in open {
        let LeafTerm::Ticket(ticket) = variable else { continue };
        let summands = closed.iter().filter(|(other, _)| *other == function).map(|(_, part)| *part);
        let is_small = |part: &&LeafTerm| {
            let mut variables = BTreeSet::new();
            part.variables(&mut variables);
            variables.is_empty() && part.form().depth() <= 1
        };
        let summands = summands.filter(is_small).unique_by(|part| part.form()).collect_vec();
        let is_composed = |part: &&&LeafTerm| !part.form().is_atomic();
        for number in 0..=SUMMANDS {
            for parts in summands.iter().combinations_with_replacement(number) {
                if parts.iter().filter(|part| is_composed(part)).count() > 1 {
                    continue;
                }
                let mut parts = parts.into_iter().copied().cloned().collect_vec();
                let value = if number == 1 { parts.remove(0) } else { LeafTerm::Apply(function, parts) };
                met.push(Met { variable: ticket.variable().to_owned(), value });
            }
        }
    }
}

/// True if two terms could be equal; adds the terms in the place of variables of any type.
fn align(terms: &RoleTerms<'_>, left: &LeafTerm, right: &LeafTerm, met: &mut Vec<Met>) -> bool {
    match (left, right) {
        (LeafTerm::Ticket(a), LeafTerm::Ticket(b)) => {
            met.push(Met { variable: a.variable().to_owned(), value: right.clone() });
            met.push(Met { variable: b.variable().to_owned(), value: left.clone() });
            true
        }
        (LeafTerm::Ticket(ticket), value) | (value, LeafTerm::Ticket(ticket)) => {
            met.push(Met { variable: ticket.variable().to_owned(), value: value.clone() });
            true
        }
        // So do those in sums, whose terms can cancel out.
        (LeafTerm::Apply(function, _), _) | (_, LeafTerm::Apply(function, _))
            if terms.script.protocols.is_sum(*function) =>
        {
            true
        }
        (LeafTerm::Tuple(a), LeafTerm::Tuple(b)) => {
            let (a, b) = if a.len() <= b.len() { (a, b) } else { (b, a) };
            let Some((last, first)) = a.split_last() else { return false };
            let rest = LeafTerm::tuple(b[first.len()..].iter().cloned());
            first.iter().zip(b).all(|(a, b)| align(terms, a, b, met)) && align(terms, last, &rest, met)
        }
        (LeafTerm::Encrypted(a, k), LeafTerm::Encrypted(b, l)) => {
            align(terms, a, b, met) && align(terms, k, l, met)
        }
        // Variables in powers meet all that matters anyway.
        (LeafTerm::Apply(f, _), LeafTerm::Apply(g, _)) if f == g && terms.script.protocols.is_power(*f) => {
            true
        }
        (LeafTerm::Apply(f, a), LeafTerm::Apply(g, b)) => {
            f == g && a.len() == b.len() && a.iter().zip(b).all(|(a, b)| align(terms, a, b, met))
        }
        (a, b) => a.form() == b.form(),
    }
}
