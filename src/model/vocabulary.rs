//! The items of a vocabulary by name.

use super::{Model, Observable, Vocabulary, VocabularyItem};

impl VocabularyItem {
    /// What the item can be called: its observables as they are written, or its predicate and the observables that
    /// are passed to it. Order facts have no names.
    pub fn names<'a>(&'a self, model: &'a Model) -> Vec<&'a str> {
        match self {
            VocabularyItem::Equal(of) | VocabularyItem::Lacks(of) | VocabularyItem::Absent(of) => {
                vec![&of.text]
            }
            VocabularyItem::Across(left, right) => vec![&left.text, &right.text],
            VocabularyItem::Before | VocabularyItem::Next => Vec::new(),
            VocabularyItem::Predicate(id, args) => {
                let predicate = model.predicates[id.0 as usize].name.as_str();
                let passed = args.iter().flatten().map(|of: &Observable| of.text.as_str());
                std::iter::once(predicate).chain(passed).collect()
            }
        }
    }
}

impl Vocabulary {
    /// The items that a name means, by index: those that have it, or begin with it up to a `[` or a `.`, as
    /// `state[A]` begins with `state` and `msgs.replay` with `msgs`.
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

    /// The names of all items, each once, in their order, after each variable or library of which they name parts.
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

    /// The vocabulary without some of its items.
    #[must_use]
    pub fn without(&self, items: &[usize]) -> Self {
        let kept = self.items.iter().enumerate().filter(|(index, _)| !items.contains(index));
        Self { items: kept.map(|(_, item)| item.clone()).collect(), ..self.clone() }
    }
}

/// The variable or library that a name is a part of; the name itself if it is not one of a part.
pub fn whole_of(name: &str) -> &str {
    name.split(['[', '.']).next().unwrap_or(name)
}

fn without_spaces(text: &str) -> String {
    text.split_whitespace().collect()
}
