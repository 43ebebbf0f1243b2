//! Selection among symbolic values by mutually exclusive literals.

use super::binary::BinaryInteger;
use super::symbolic::{Symbolic, disjunctions};
use crate::sat::{Circuit, Lit};
use lang::model::value::Value;
use std::collections::BTreeMap;

use Symbolic as S;

/// A part of a composite: the literal that selects the composite, whether this is there, and the part.
type SelectedPart<'s> = (Lit, Lit, &'s S);

impl Symbolic {
    /// The one of several values whose literal holds; the literals are mutually exclusive. If none of them
    /// holds, the result is absent if `optional`; otherwise one of them must always hold.
    pub fn select(c: &mut Circuit, cases: &[(Lit, S)], optional: bool) -> S {
        let cases: Vec<&(Lit, S)> = cases.iter().filter(|(l, _)| *l != c.no()).collect();
        if let [(_, only)] = cases.as_slice()
            && !optional
        {
            return only.clone();
        }
        if let Some((_, sure)) = cases.iter().find(|(l, _)| *l == c.yes()) {
            return sure.clone();
        }
        if !optional && cases.windows(2).all(|w| w[0].1 == w[1].1) && !cases.is_empty() {
            return cases[0].1.clone();
        }
        let composite = cases.iter().find(|(_, s)| !matches!(s, S::Bool(_) | S::Scalar(_) | S::Binary(_)));
        let Some((_, shape)) = composite else {
            return S::select_scalar(c, &cases, optional);
        };
        match shape {
            S::Set { .. } => {
                let mut present = Vec::new();
                let mut members: BTreeMap<Value, Vec<Lit>> = BTreeMap::new();
                for (sel, s) in &cases {
                    if let S::Set { present: p, members: list } = s {
                        present.push(c.and(*sel, *p));
                        for (v, l) in list {
                            members.entry(v.clone()).or_default().push(c.and(*sel, *l));
                        }
                    }
                }
                let all_present = !optional && cases.iter().all(|(_, s)| s.is_some(c) == c.yes());
                let present = if all_present { c.yes() } else { c.any(&present) };
                S::Set { present, members: disjunctions(c, members) }
            }
            S::Record { id, fields, .. } => {
                let width = fields.len();
                let column = |i: usize| -> Vec<SelectedPart<'_>> {
                    cases
                        .iter()
                        .filter_map(|(sel, s)| match s {
                            S::Record { present, fields, .. } => Some((*sel, *present, &fields[i])),
                            _ => None,
                        })
                        .collect()
                };
                let present = S::select_present(c, &cases, optional);
                let fields = (0..width).map(|i| S::select_below(c, &column(i), present)).collect();
                S::Record { present, id: *id, fields }
            }
            S::Map { entries, .. } => {
                let keys: Vec<Value> = entries.iter().map(|(k, _)| k.clone()).collect();
                let column = |i: usize| -> Vec<SelectedPart<'_>> {
                    cases
                        .iter()
                        .filter_map(|(sel, s)| match s {
                            // Once the budget is exhausted, a map that is made by then can have fewer entries.
                            S::Map { present, entries } => Some((*sel, *present, &entries.get(i)?.1)),
                            _ => None,
                        })
                        .collect()
                };
                let present = S::select_present(c, &cases, optional);
                let values = keys.into_iter().enumerate();
                let entries = values.map(|(i, k)| (k, S::select_below(c, &column(i), present))).collect();
                S::Map { present, entries }
            }
            S::Bool(_) | S::Scalar(_) | S::Binary(_) => S::select_scalar(c, &cases, optional),
        }
    }

    /// The value, which is known to be selected from these; one of the literals holds.
    #[must_use]
    pub fn selected_from(self, c: &mut Circuit, cases: &[(Lit, &S)]) -> S {
        let S::Binary(number) = self else { return self };
        let numbers = cases.iter().map(|(sel, s)| Some((*sel, s.as_binary(c, true)?)));
        S::Binary(match numbers.collect() {
            Some(numbers) => number.selected_from(c, numbers),
            None => number,
        })
    }

    /// True if the selected composite is present.
    fn select_present(c: &mut Circuit, cases: &[&(Lit, S)], optional: bool) -> Lit {
        if !optional && cases.iter().all(|(_, s)| s.is_some(c) == c.yes()) {
            return c.yes();
        }
        let parts: Vec<Lit> = cases
            .iter()
            .map(|(sel, s)| {
                let p = s.is_some(c);
                c.and(*sel, p)
            })
            .collect();
        c.any(&parts)
    }

    /// Selection inside a composite: all literals are false if the composite is absent.
    fn select_below(c: &mut Circuit, parts: &[SelectedPart<'_>], present: Lit) -> S {
        let listed = parts.iter().any(|(_, _, s)| matches!(s, S::Scalar(_)));
        let case = |(sel, there, s): &SelectedPart<'_>| {
            (*sel, if listed { s.listed_below(c, *there) } else { S::clone(s) })
        };
        let cases: Vec<(Lit, S)> = parts.iter().map(case).collect();
        if present == c.yes() { S::select(c, &cases, false) } else { S::select_null(c, &cases) }
    }

    /// A part of a composite that is there if `present` holds, for a list of values: where the composite is absent, a truth
    /// value is neither true nor false.
    pub fn listed_below(&self, c: &mut Circuit, present: Lit) -> S {
        match self {
            S::Bool(b) if present != c.yes() => {
                S::Scalar(vec![(Value::Bool(false), c.and(present, !*b)), (Value::Bool(true), *b)])
            }
            other => other.clone(),
        }
    }

    /// Like [`Symbolic::select`], but all literals are false if no case holds.
    pub fn select_null(c: &mut Circuit, cases: &[(Lit, S)]) -> S {
        if let [(sel, only)] = cases {
            return only.guarded(c, *sel);
        }
        match cases.first() {
            Some((_, S::Bool(_))) if cases.iter().all(|(_, s)| matches!(s, S::Bool(_))) => {
                S::Bool(selected_truth(c, cases.iter()))
            }
            Some((_, S::Bool(_) | S::Scalar(_) | S::Binary(_))) | None => {
                let all: Vec<&(Lit, S)> = cases.iter().collect();
                if let Some(numbers) = binary_cases(c, &all) {
                    return S::Binary(BinaryInteger::select(c, &numbers));
                }
                let values = selected_values(c, cases.iter());
                S::Scalar(disjunctions(c, values))
            }
            // The literals of an optional composite are false if it is absent.
            Some(_) => S::select(c, cases, true),
        }
    }

    fn select_scalar(c: &mut Circuit, cases: &[&(Lit, S)], optional: bool) -> S {
        if !optional && cases.iter().all(|(_, s)| matches!(s, S::Bool(_))) {
            if let [(p, S::Bool(a)), (q, S::Bool(b))] = cases
                && *p == !*q
            {
                return S::Bool(c.ite(*p, *a, *b));
            }
            return S::Bool(selected_truth(c, cases.iter().copied()));
        }
        let some = if optional {
            let sels: Vec<Lit> = cases.iter().map(|(sel, _)| *sel).collect();
            c.any(&sels)
        } else {
            c.yes()
        };
        if let Some(numbers) = binary_cases(c, cases) {
            if !optional {
                return S::Binary(BinaryInteger::select_one(c, &numbers));
            }
            return S::Binary(BinaryInteger::select(c, &numbers).below(c, some));
        }
        let mut values = selected_values(c, cases.iter().copied());
        if optional {
            values.entry(Value::None).or_default().push(!some);
        }
        S::Scalar(disjunctions(c, values))
    }
}

/// The cases as bits, if one of them is.
fn binary_cases(c: &mut Circuit, cases: &[&(Lit, S)]) -> Option<Vec<(Lit, BinaryInteger)>> {
    if !cases.iter().any(|(_, s)| matches!(s, S::Binary(_))) {
        return None;
    }
    cases.iter().map(|(sel, s)| Some((*sel, s.as_binary(c, false)?))).collect()
}

/// True if the selected truth value holds.
fn selected_truth<'s>(c: &mut Circuit, cases: impl Iterator<Item = &'s (Lit, S)>) -> Lit {
    let truths = cases.filter_map(|(sel, s)| match s {
        S::Bool(b) => Some(c.and(*sel, *b)),
        _ => None,
    });
    let truths: Vec<Lit> = truths.collect();
    c.any(&truths)
}

/// For each value of a scalar, the cases in which it is selected.
fn selected_values<'s>(
    c: &mut Circuit,
    cases: impl Iterator<Item = &'s (Lit, S)>,
) -> BTreeMap<Value, Vec<Lit>> {
    let mut values: BTreeMap<Value, Vec<Lit>> = BTreeMap::new();
    for (sel, s) in cases {
        for (v, l) in s.as_scalar(c) {
            values.entry(v).or_default().push(c.and(*sel, l));
        }
    }
    values
}
