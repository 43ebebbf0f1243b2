//! Variables that take any term: records of the generated model, with the form of the term and its leaves.

use super::condition::Condition;
use super::forms::VariableForms;
use super::names::TakenNames;
use super::terms::Sorts;
use super::value::{LeafKind, LeafTerm, ModelExpr, TermForm, Tickets, equal};
use crate::protocol::ir::SymbolId;
use itertools::Itertools;
use std::collections::{BTreeMap, BTreeSet};

/// The forms of terms that a variable of any type can have.
#[derive(Debug)]
pub(super) struct FormLayout {
    /// The name of the type; empty if no variable takes any term.
    pub name: String,
    /// The name of the type of forms.
    pub forms_name: String,
    pub forms: Vec<(String, TermForm)>,
    /// The greatest number of leaves of each kind, as fields.
    pub slots: BTreeMap<LeafKind, Slots>,
    /// For each variable, the numbers of its forms.
    of: BTreeMap<String, BTreeSet<usize>>,
    /// The functions that are exponentiation.
    powers: Vec<SymbolId>,
    /// The functions that are exclusive or.
    sums: Vec<SymbolId>,
}

/// The places for leaves of one kind.
#[derive(Debug)]
pub(super) struct Slots {
    pub fields: Vec<String>,
    /// The value of a field that the form does not need.
    pub unused: String,
}

impl FormLayout {
    pub fn new(forms: VariableForms, sorts: &Sorts, names: &mut TakenNames) -> Self {
        let VariableForms { all: forms, of, powers, sums, cut: _ } = forms;
        let (name, forms_name) = ("Ticket".to_owned(), "TicketForm".to_owned());
        let mut slots: BTreeMap<LeafKind, Slots> = BTreeMap::new();
        for form in &forms {
            let leaves = form.sorts();
            for sort in &leaves {
                let count = leaves.iter().filter(|other| *other == sort).count();
                let short = sorts.name(*sort).to_lowercase();
                let slots = slots.entry(*sort).or_insert_with(|| Slots {
                    fields: Vec::new(),
                    unused: sorts.attackers(*sort).to_owned(),
                });
                while slots.fields.len() < count {
                    slots.fields.push(format!("{short}{}", slots.fields.len() + 1));
                }
            }
        }
        let mut ciphers = 0;
        let forms = forms.into_iter().map(|form| {
            let name = match &form {
                TermForm::Agent => "an_agent".to_owned(),
                TermForm::Atom(sort) => format!("a_{}", sorts.name(LeafKind::Atom(*sort)).to_lowercase()),
                _ => {
                    ciphers += 1;
                    format!("cipher_{ciphers}")
                }
            };
            (names.fresh(&name), form)
        });
        Self { name, forms_name, forms: forms.collect(), slots, of, powers, sums }
    }

    /// Returns the greatest number of forms of a variable.
    pub fn most_forms(&self) -> usize {
        self.of.values().map(BTreeSet::len).max().unwrap_or(0)
    }

    /// Iterates over the possible forms of a term: those of its variable, if it has one.
    fn forms_of(&self, ticket: &ModelExpr) -> impl Iterator<Item = &(String, TermForm)> {
        let own = self.of.get(ticket.variable());
        let numbered = self.forms.iter().enumerate();
        numbered.filter(move |(number, _)| own.is_none_or(|own| own.contains(number))).map(|(_, form)| form)
    }

    /// True if a variable can be a sum, or contain one.
    pub fn has_sums(&self) -> bool {
        self.forms.iter().any(|(_, form)| !self.sums(&form.of_anything()).is_empty())
    }

    /// Returns the condition that a record has a form of its variable, and default values in unused fields. In a sum, all terms differ.
    pub fn canonical(&self, ticket: &ModelExpr) -> Condition {
        let form_is = |name: &str| {
            let form = ticket.field("form", "").text;
            Condition::Is(format!("{form} = {name}"))
        };
        let one_of = Condition::any(self.forms_of(ticket).map(|(name, _)| form_is(name)));
        let cases = self.forms_of(ticket).map(|(name, form)| {
            let leaves = form.sorts();
            let unused = self.slots.iter().flat_map(|(sort, slots)| {
                let used = leaves.iter().filter(|leaf| *leaf == sort).count();
                let field = |field| ticket.field(field, &slots.unused).text;
                slots.fields[used..].iter().map(move |name| format!("{} = {}", field(name), slots.unused))
            });
            form_is(name).implies(Condition::all(unused.map(Condition::Is)))
        });
        let differ = self.cases(ticket).into_iter().map(|(has, value)| {
            let pairs = self.sums(&value).into_iter().flat_map(|sum| match sum {
                LeafTerm::Apply(_, terms) => terms.iter().array_combinations().collect_vec(),
                _ => Vec::new(),
            });
            has.implies(Condition::all(pairs.map(|[a, b]| equal(a, b, self).negated()).collect_vec()))
        });
        Condition::all([one_of].into_iter().chain(cases).chain(differ))
    }
}

impl Tickets for FormLayout {
    fn is_power(&self, function: SymbolId) -> bool {
        self.powers.contains(&function)
    }

    fn is_sum(&self, function: SymbolId) -> bool {
        self.sums.contains(&function)
    }

    fn cases(&self, ticket: &ModelExpr) -> Vec<(Condition, LeafTerm)> {
        let cases = self.forms_of(ticket).map(|(name, form)| {
            let mut used: BTreeMap<LeafKind, usize> = BTreeMap::new();
            let leaves = form.sorts();
            let mut leaves = leaves.iter().map(|sort| {
                let slots = &self.slots[sort];
                let number = used.entry(*sort).or_default();
                let place = ticket.field(&slots.fields[*number], &slots.unused);
                *number += 1;
                place
            });
            let has = Condition::Is(format!("{} = {name}", ticket.field("form", "").text));
            (has, form.with(&mut leaves))
        });
        cases.collect()
    }
}
