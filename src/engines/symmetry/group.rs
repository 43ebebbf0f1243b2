//! The group that symmetries generate.

use lang::model::permutation::Permutation;
use lang::model::types::Types;
use std::collections::BTreeSet;

/// The most elements of a group that is listed.
pub const MOST_ELEMENTS: usize = 720;

/// A group of symmetries.
#[derive(Debug, Clone)]
pub struct Group {
    /// Elements besides the identity: all of them or, if there are too many, the generators and products of two of
    /// them.
    pub elements: Vec<Permutation>,
    /// True if these are all elements.
    pub whole: bool,
}

impl Group {
    /// Returns the group that some symmetries generate. Symmetries with exceptions for records that another one moves
    /// are left out, later ones first.
    pub fn generated_by(types: &Types, symmetries: &[Permutation]) -> Self {
        let mut generators: Vec<Permutation> = Vec::new();
        for symmetry in symmetries {
            let with = || generators.iter().chain([symmetry]);
            let fixed: BTreeSet<_> = with().flat_map(Permutation::fixed).cloned().collect();
            let agree =
                with().all(|generator| generator.clone().fixing(types, &fixed).as_ref() == Some(generator));
            if agree {
                generators.push(symmetry.clone());
            }
        }
        let fixed: BTreeSet<_> = generators.iter().flat_map(Permutation::fixed).cloned().collect();
        // Records in which nothing moves are omitted, so that equal permutations are equal values.
        let product = |a: &Permutation, b: &Permutation| {
            a.then(b).fixing(types, &fixed).expect("no generator moves what the others leave as it is")
        };
        let mut elements: BTreeSet<Permutation> = BTreeSet::new();
        let mut open = generators.clone();
        while let Some(element) = open.pop() {
            if element.is_identity() || !elements.insert(element.clone()) {
                continue;
            }
            if elements.len() >= MOST_ELEMENTS {
                let products =
                    generators.iter().flat_map(|a| generators.iter().map(|b| product(&product(a, b), a)));
                let some: BTreeSet<_> = products.chain(generators.iter().cloned()).collect();
                let elements = some.into_iter().filter(|element| !element.is_identity()).collect();
                return Self { elements, whole: false };
            }
            open.extend(generators.iter().map(|generator| product(&element, generator)));
        }
        Self { elements: elements.into_iter().collect(), whole: true }
    }
}
