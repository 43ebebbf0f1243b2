//! The forms of terms that variables of any type can take.

use super::terms::Terms;
use super::value::{Form, Sort};
use crate::protocol::ir::{EventKind, Term};
use itertools::Itertools;

/// The most forms; where there would be more, those in which terms of any kind are in each other are left out.
const MOST_FORMS: usize = 200;

/// The forms that are of interest: all atoms, and what is encrypted or made by functions anywhere in the protocol. Where any term
/// is a part of these, atoms and forms without such a part stand for it. None if no variable takes any term.
pub(super) fn closed_forms(terms: &Terms<'_>) -> Vec<Form> {
    let mut found: Vec<Form> = Vec::new();
    let mut open = false;
    for role in terms.script.roles() {
        open |= terms.received(role).any(|(_, _, sort)| sort == Sort::Ticket);
        for event in &terms.script.role(role).events {
            let mut note = |term: &Term| {
                term.walk(&mut |part| {
                    if matches!(part, Term::Encrypted { .. } | Term::Apply { .. } | Term::Constant(_)) {
                        found.push(terms.value(role, "q", part, &|_| None).form());
                    }
                });
            };
            match &event.kind {
                EventKind::Send(message) | EventKind::Receive(message) => note(&message.content),
                EventKind::Match { pattern, term, .. } => {
                    note(pattern);
                    note(term);
                }
                EventKind::Claim(_) => {}
            }
        }
    }
    if !open {
        return Vec::new();
    }
    let atoms = terms.sorts.atomic().keys().map(|sort| Form::Atom(*sort)).chain([Form::Agent]);
    let simple: Vec<Form> =
        atoms.chain(found.iter().filter(|form| !form.is_open()).cloned()).unique().collect();
    let mut forms = simple.clone();
    for form in found.iter().filter(|form| form.is_open()).unique() {
        let filled = filled(form, &simple);
        if forms.len() + filled.len() <= MOST_FORMS {
            forms.extend(filled);
        }
    }
    forms.into_iter().unique().collect()
}

/// The forms that a form becomes if these stand where any term can.
fn filled(form: &Form, simple: &[Form]) -> Vec<Form> {
    let lists = |forms: &[Form]| -> Vec<Vec<Form>> {
        let parts = forms.iter().map(|form| filled(form, simple));
        parts.multi_cartesian_product().collect()
    };
    match form {
        Form::Ticket => simple.to_vec(),
        Form::Agent | Form::Atom(_) | Form::Constant(_) => vec![form.clone()],
        Form::Tuple(forms) => lists(forms).into_iter().map(Form::Tuple).collect(),
        Form::Apply(function, forms) => {
            lists(forms).into_iter().map(|forms| Form::Apply(*function, forms)).collect()
        }
        Form::Encrypted(body, key) => {
            let keys = filled(key, simple);
            let bodies = filled(body, simple);
            bodies
                .into_iter()
                .cartesian_product(keys)
                .map(|(body, key)| Form::Encrypted(Box::new(body), Box::new(key)))
                .collect()
        }
    }
}

