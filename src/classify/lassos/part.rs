//! The parts of a fact, each of which could be left out.

use super::fact::{AtomLiteral, LassoFact, When};

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum FactPart {
    /// A literal at one of its positions, numbered from the earliest.
    Here(usize, AtomLiteral),
    /// A literal at every position after the last one.
    After(AtomLiteral),
    /// The order between the positions up to this one and those that follow it.
    Order(usize),
}

impl LassoFact {
    /// Its parts: what it says of atoms in the order of [`LassoFact::said`], then how its positions are ordered.
    pub fn parts(&self) -> Vec<FactPart> {
        let places = self.before.iter().chain([&self.what]).enumerate();
        let here =
            places.flat_map(|(place, said)| said.iter().map(move |s| FactPart::Here(place, s.clone())));
        let after = self.after.iter().cloned().map(FactPart::After);
        here.chain(after).chain((0..self.before.len()).map(FactPart::Order)).collect()
    }

    /// The fact restricted to some of its parts: facts that all hold exactly if these do. Positions of which nothing is said are left
    /// out, and between those that need not be in order it falls apart.
    pub fn of_parts(&self, parts: &[FactPart]) -> Vec<Self> {
        let last = self.before.len();
        let mut here = vec![Vec::new(); last + 1];
        let mut after = Vec::new();
        for part in parts {
            match part {
                FactPart::Here(place, said) => here[*place].push(said.clone()),
                FactPart::After(said) => after.push(said.clone()),
                FactPart::Order(_) => {}
            }
        }
        // After some position that is late enough means from some position on.
        let is_limit = last > 0 && here[last].is_empty() && !after.is_empty();
        let limit = is_limit.then(|| Self::of(When::Forever, std::mem::take(&mut after)));
        let mut facts = Vec::new();
        let mut run = Vec::new();
        for (place, said) in here.into_iter().enumerate() {
            run.extend((!said.is_empty()).then_some(said));
            if !parts.contains(&FactPart::Order(place)) {
                let after = if place == last { std::mem::take(&mut after) } else { Vec::new() };
                let what = run.pop().unwrap_or_default();
                facts.push(Self { when: self.when, what, after, before: std::mem::take(&mut run) });
            }
        }
        facts.retain(|fact| fact.size() > 0);
        facts.into_iter().chain(limit).collect()
    }
}
