//! Terms whose leaves are expressions of the generated model.

use super::condition::Condition;
use crate::protocol::ir::{SymbolId, TypeId};
use std::collections::BTreeSet;

/// An expression of the generated model.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Place {
    pub text: String,
    /// The value that it stands for where it is absent, if it can be.
    pub default: Option<String>,
}

impl Place {
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

impl Place {
    /// Returns the name of the state variable of which it is an entry; empty for other expressions.
    pub fn variable(&self) -> &str {
        self.text.split_once(['[', '\'']).map_or("", |(name, _)| name)
    }

    /// Returns a field of a record, with its value where the record is absent.
    pub fn field(&self, name: &str, unused: &str) -> Place {
        let default = self.default.as_ref().map(|_| unused.to_owned());
        Place { text: format!("{}.{name}", self.text), default }
    }
}

/// A term with expressions for its leaves.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Value {
    Agent(Place),
    /// The value that a run created for one of its fresh names.
    Fresh {
        sort: TypeId,
        /// Its name in the generated model.
        name: String,
        run: String,
        text: String,
    },
    /// An atomic term.
    Atom(TypeId, Place),
    /// Any term.
    Ticket(Place),
    /// A function as a term of its own.
    Constant(SymbolId),
    /// Several terms, the last of which is no tuple.
    Tuple(Vec<Value>),
    /// `{body}key`.
    Encrypted(Box<Value>, Box<Value>),
    Apply(SymbolId, Vec<Value>),
}

/// The form of a term, without its leaves.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Form {
    Agent,
    Atom(TypeId),
    Ticket,
    Constant(SymbolId),
    Tuple(Vec<Form>),
    Encrypted(Box<Form>, Box<Form>),
    Apply(SymbolId, Vec<Form>),
}

/// The kind of a leaf.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Sort {
    Agent,
    Atom(TypeId),
    Ticket,
}

impl Value {
    /// Creates a tuple: a tuple in the last place is spliced in.
    pub fn tuple(values: impl IntoIterator<Item = Value>) -> Self {
        let mut all: Vec<Value> = values.into_iter().collect();
        while let Some(Value::Tuple(last)) = all.last().cloned() {
            all.pop();
            all.extend(last);
        }
        if all.len() == 1 { all.remove(0) } else { Value::Tuple(all) }
    }

    pub fn form(&self) -> Form {
        let all = |values: &[Value]| values.iter().map(Value::form).collect();
        match self {
            Value::Agent(_) => Form::Agent,
            Value::Fresh { sort, .. } | Value::Atom(sort, _) => Form::Atom(*sort),
            Value::Ticket(_) => Form::Ticket,
            Value::Constant(symbol) => Form::Constant(*symbol),
            Value::Tuple(values) => Form::Tuple(all(values)),
            Value::Encrypted(body, key) => Form::Encrypted(Box::new(body.form()), Box::new(key.form())),
            Value::Apply(function, values) => Form::Apply(*function, all(values)),
        }
    }

    /// Returns the encryptions and applications of functions in it, except in keys.
    pub fn composed(&self) -> Vec<&Value> {
        match self {
            Value::Tuple(values) => values.iter().flat_map(Value::composed).collect(),
            Value::Encrypted(body, _) => [self].into_iter().chain(body.composed()).collect(),
            Value::Apply(_, values) => {
                [self].into_iter().chain(values.iter().flat_map(Value::composed)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns the encryptions and applications of functions in it, including those in keys.
    pub fn composed_with_keys(&self) -> Vec<&Value> {
        let keys = self.keys().into_iter().flat_map(Value::composed);
        self.composed().into_iter().chain(keys).collect()
    }

    pub fn keys(&self) -> Vec<&Value> {
        match self {
            Value::Tuple(values) | Value::Apply(_, values) => values.iter().flat_map(Value::keys).collect(),
            Value::Encrypted(body, key) => {
                [&**key].into_iter().chain(key.keys()).chain(body.keys()).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Adds the state variables in it that take any term.
    pub fn variables(&self, found: &mut BTreeSet<String>) {
        match self {
            Value::Ticket(place) => {
                found.insert(place.variable().to_owned());
            }
            Value::Tuple(values) | Value::Apply(_, values) => {
                values.iter().for_each(|value| value.variables(found));
            }
            Value::Encrypted(body, key) => {
                body.variables(found);
                key.variables(found);
            }
            Value::Agent(_) | Value::Fresh { .. } | Value::Atom(..) | Value::Constant(_) => {}
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
            Value::Agent(place) | Value::Atom(_, place) | Value::Ticket(place) => {
                found.push(place.argument())
            }
            Value::Fresh { text, .. } => found.push(text.clone()),
            Value::Constant(_) => {}
            Value::Tuple(values) | Value::Apply(_, values) => {
                values.iter().for_each(|value| value.collect(found));
            }
            Value::Encrypted(body, key) => {
                body.collect(found);
                key.collect(found);
            }
        }
    }
}

impl Form {
    /// Returns the kinds of the leaves, from left to right.
    pub fn sorts(&self) -> Vec<Sort> {
        let mut found = Vec::new();
        self.collect(&mut found);
        found
    }

    fn collect(&self, found: &mut Vec<Sort>) {
        match self {
            Form::Agent => found.push(Sort::Agent),
            Form::Atom(sort) => found.push(Sort::Atom(*sort)),
            Form::Ticket => found.push(Sort::Ticket),
            Form::Constant(_) => {}
            Form::Tuple(forms) | Form::Apply(_, forms) => forms.iter().for_each(|form| form.collect(found)),
            Form::Encrypted(body, key) => {
                body.collect(found);
                key.collect(found);
            }
        }
    }

    /// Returns the term of this form with these leaves.
    pub fn with(&self, leaves: &mut impl Iterator<Item = Place>) -> Value {
        let mut next = || leaves.next().unwrap_or_else(|| unreachable!("there is one for each leaf"));
        match self {
            Form::Agent => Value::Agent(next()),
            Form::Atom(sort) => Value::Atom(*sort, next()),
            Form::Ticket => Value::Ticket(next()),
            Form::Constant(symbol) => Value::Constant(*symbol),
            Form::Tuple(forms) => Value::Tuple(forms.iter().map(|form| form.with(leaves)).collect()),
            Form::Encrypted(body, key) => {
                let body = body.with(leaves);
                Value::Encrypted(Box::new(body), Box::new(key.with(leaves)))
            }
            Form::Apply(function, forms) => {
                Value::Apply(*function, forms.iter().map(|form| form.with(leaves)).collect())
            }
        }
    }

    /// True for forms of terms without parts.
    pub fn is_atomic(&self) -> bool {
        matches!(self, Form::Agent | Form::Atom(_) | Form::Ticket | Form::Constant(_))
    }

    /// Returns the nesting depth of encryptions and functions.
    pub fn depth(&self) -> usize {
        let deepest = |forms: &[Form]| forms.iter().map(Form::depth).max().unwrap_or(0);
        match self {
            Form::Agent | Form::Atom(_) | Form::Ticket | Form::Constant(_) => 0,
            Form::Tuple(forms) => deepest(forms),
            Form::Apply(_, forms) => 1 + deepest(forms),
            Form::Encrypted(body, _) => 1 + body.depth(),
        }
    }
}

/// The forms that a term of any kind can have, as records of the generated model.
pub(super) trait Tickets {
    /// Returns the term in each of its possible forms, with the condition that it has this form.
    fn cases(&self, ticket: &Place) -> Vec<(Condition, Value)>;
}

/// Returns the name of an atomic term given literally.
pub(super) fn written_name(text: &str) -> Option<&str> {
    text.split_once("(name: ")?.1.strip_suffix(')')?.split_once(", run: ").map(|(name, _)| name)
}

/// Returns the condition that two terms are equal.
pub(super) fn equal(left: &Value, right: &Value, tickets: &impl Tickets) -> Condition {
    let is = |left: &str, right: &str| match (written_name(left), written_name(right)) {
        _ if left == right => Condition::True,
        (Some(left), Some(right)) if left != right => Condition::False,
        _ => Condition::Is(format!("{left} = {right}")),
    };
    match (left, right) {
        (Value::Agent(a), Value::Agent(b)) | (Value::Ticket(a), Value::Ticket(b)) => is(&a.text, &b.text),
        (Value::Fresh { name: a, run: r, .. }, Value::Fresh { name: b, run: s, .. }) => {
            if a == b {
                is(r, s)
            } else {
                Condition::False
            }
        }
        (Value::Fresh { sort, text, .. }, Value::Atom(other, place))
        | (Value::Atom(other, place), Value::Fresh { sort, text, .. })
            if sort == other =>
        {
            is(&place.text, text)
        }
        (Value::Atom(sort, a), Value::Atom(other, b)) if sort == other => is(&a.text, &b.text),
        (Value::Constant(a), Value::Constant(b)) if a == b => Condition::True,
        (Value::Tuple(a), Value::Tuple(b)) => tuples(a, b, tickets),
        (Value::Encrypted(a, k), Value::Encrypted(b, l)) => {
            Condition::all([equal(a, b, tickets), equal(k, l, tickets)])
        }
        (Value::Apply(f, a), Value::Apply(g, b)) if f == g && a.len() == b.len() => {
            Condition::all(a.iter().zip(b).map(|(a, b)| equal(a, b, tickets)))
        }
        (Value::Ticket(ticket), other) | (other, Value::Ticket(ticket)) => {
            let cases = tickets.cases(ticket).into_iter();
            Condition::any(cases.map(|(has, value)| Condition::all([has, equal(&value, other, tickets)])))
        }
        _ => Condition::False,
    }
}

/// Compares tuples element by element; the last element of the shorter one can stand for several.
fn tuples(a: &[Value], b: &[Value], tickets: &impl Tickets) -> Condition {
    if a.len() > b.len() {
        return tuples(b, a, tickets);
    }
    let Some((last, first)) = a.split_last() else { return Condition::False };
    let rest = Value::tuple(b[first.len()..].iter().cloned());
    let firsts = first.iter().zip(b).map(|(a, b)| equal(a, b, tickets));
    Condition::all(firsts.chain([equal(last, &rest, tickets)]))
}
