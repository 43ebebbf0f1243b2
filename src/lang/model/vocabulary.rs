//! Names of vocabulary items, by which the command line refers to them.

use super::expr::ExprKind;
use super::types::Type;
use super::{Model, Observable, PredicateArgument, Vocabulary, VocabularyItem};
use itertools::Itertools;

impl VocabularyItem {
    /// A text that identifies an item, independent of where it was written: items with the same one have the same facts.
    pub fn identity(&self) -> String {
        let of = |o: &Observable| format!("{:?}", o.expr.without_places().kind);
        match self {
            Self::Before => "before".into(),
            Self::Next => "next".into(),
            Self::Ground(ty) => format!("ground {ty:?}"),
            Self::Equal(o) => format!("eq {}", of(o)),
            Self::Lacks(o) => format!("lacks {}", of(o)),
            Self::Absent(o) => format!("absent {}", of(o)),
            Self::Across(a, b) => format!("across {}", either_way(of(a), of(b))),
            Self::Bounded(o) => format!("bounded {}", of(o)),
            Self::Ordered(a, b) => format!("ordered {}", either_way(of(a), of(b))),
            Self::Shifted(a, b) => format!("shifted {}", either_way(of(a), of(b))),
            Self::Predicate(id, args) => {
                let arg = |arg: &PredicateArgument| match arg {
                    PredicateArgument::Position => String::new(),
                    PredicateArgument::Observed(observable) => of(observable),
                    PredicateArgument::Value { value, any } => format!("{any} {:?}", value.kind),
                };
                format!("predicate {} {}", id.0, args.iter().map(arg).join(" "))
            }
        }
    }

    /// Equality of any two comparable ones of these observables at positions of their own, each with itself included; of integers
    /// with many values, differences as well.
    pub fn pairs(observables: &[Observable]) -> Vec<Self> {
        let mut items = Vec::new();
        for (a, b) in pairs(observables) {
            if are_comparable(&a.expr.ty, &b.expr.ty) {
                items.push(Self::Across(a.clone(), b.clone()));
            }
            if a.has_many_values() && b.has_many_values() {
                items.push(Self::Shifted(a.clone(), b.clone()));
            }
        }
        items
    }

    /// How integers compare with the numbers of the model and, at positions of their own, with each other and themselves. The
    /// observables that are no integers are left out.
    pub fn order(observables: &[Observable]) -> Vec<Self> {
        let integers: Vec<Observable> = observables.iter().filter(|of| of.is_integer()).cloned().collect();
        let bounded = integers.iter().cloned().map(Self::Bounded);
        let pair = |(a, b): (&Observable, &Observable)| {
            [Self::Ordered(a.clone(), b.clone()), Self::Shifted(a.clone(), b.clone())]
        };
        bounded.chain(pairs(&integers).flat_map(pair)).collect()
    }

    /// The texts of the observables that its facts are about.
    pub fn observables(&self) -> Vec<&str> {
        match self {
            VocabularyItem::Equal(of)
            | VocabularyItem::Lacks(of)
            | VocabularyItem::Absent(of)
            | VocabularyItem::Bounded(of) => vec![&of.text],
            VocabularyItem::Across(left, right)
            | VocabularyItem::Ordered(left, right)
            | VocabularyItem::Shifted(left, right) => vec![&left.text, &right.text],
            VocabularyItem::Before | VocabularyItem::Next | VocabularyItem::Ground(_) => Vec::new(),
            VocabularyItem::Predicate(_, args) => {
                args.iter().filter_map(PredicateArgument::observed).map(|of| of.text.as_str()).collect()
            }
        }
    }

    /// The names of the item: its observables as written, or its predicate and the observables passed to it; of a predicate that the model does not
    /// declare itself also `action` and the variables that it reads. Order facts have no names.
    pub fn names<'a>(&'a self, model: &'a Model) -> Vec<&'a str> {
        let VocabularyItem::Predicate(id, _) = self else { return self.observables() };
        let predicate = &model.predicates[id.0 as usize];
        let mut names = vec![predicate.name.as_str()];
        names.extend(self.observables());
        if predicate.added.is_some() {
            names.push("action");
            predicate.body.walk(&mut |expr| {
                if let ExprKind::Var(var) = expr.kind {
                    names.push(&model.variables[var.0 as usize].name);
                }
            });
        }
        names
    }
}

impl Vocabulary {
    /// The indices of the items that a name refers to: those with this name, or with a name that continues it by `[`
    /// or `.`, as `state[A]` continues `state` and `msgs.replay` continues `msgs`.
    pub fn meant_by(&self, model: &Model, name: &str) -> Vec<usize> {
        let name = without_spaces(name);
        let meant = |item: &VocabularyItem| {
            item.names(model).into_iter().any(|known| {
                let known = without_spaces(known);
                known.strip_prefix(&name).is_some_and(|rest| rest.is_empty() || rest.starts_with(['[', '.']))
            })
        };
        (0..self.items.len()).filter(|&index| meant(&self.items[index])).collect()
    }

    /// The names of all items, each once, in order; a variable or library comes before the first of its parts.
    pub fn names<'a>(&'a self, model: &'a Model) -> Vec<&'a str> {
        let mut names: Vec<&str> = Vec::new();
        for name in self.items.iter().flat_map(|item| item.names(model)) {
            for known in [whole_of(name), name] {
                if !known.is_empty() && !names.contains(&known) {
                    names.push(known);
                }
            }
        }
        names
    }

    /// The vocabulary without the items at these indices.
    #[must_use]
    pub fn without(&self, items: &[usize]) -> Self {
        let kept = self.items.iter().enumerate().filter(|(index, _)| !items.contains(index));
        Self { items: kept.map(|(_, item)| item.clone()).collect(), ..self.clone() }
    }
}

/// Any two of these, each with itself included.
fn pairs(observables: &[Observable]) -> impl Iterator<Item = (&Observable, &Observable)> {
    observables.iter().enumerate().flat_map(|(index, a)| observables[index..].iter().map(move |b| (a, b)))
}

/// Two texts in an order that does not depend on which is which.
fn either_way(a: String, b: String) -> String {
    if a < b { format!("{a} {b}") } else { format!("{b} {a}") }
}

/// True if leaves of these types can have equal values.
fn are_comparable(a: &Type, b: &Type) -> bool {
    match (a.inner(), b.inner()) {
        (Type::Int { lo: p, hi: q }, Type::Int { lo: r, hi: s }) => r <= q && p <= s,
        (a, b) => can_be_compared(a, b),
    }
}

/// True if the language compares values of these types, whatever the ranges of integers.
fn can_be_compared(a: &Type, b: &Type) -> bool {
    match (a, b) {
        (Type::Int { .. }, Type::Int { .. }) => true,
        (Type::Option(_), _) | (_, Type::Option(_)) => can_be_compared(a.inner(), b.inner()),
        (Type::Set(a), Type::Set(b)) => can_be_compared(a, b),
        (Type::Map(k, a), Type::Map(l, b)) => k == l && can_be_compared(a, b),
        (a, b) => a == b,
    }
}

/// The variable or library that a name is a part of; the name itself if it is not a part.
pub fn whole_of(name: &str) -> &str {
    name.split(['[', '.']).next().unwrap_or(name)
}

fn without_spaces(text: &str) -> String {
    text.split_whitespace().collect()
}
