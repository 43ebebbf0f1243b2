//! Claims about all infinite traces, made by a result for lassos up to a bound.

use super::constraint::LassoConstraint;
use super::result::Infinite;
use crate::results::result::{Classification, Verdict};

/// Non-existence of fair lassos of a kind.
pub struct NoLassoClaim<'a> {
    /// True if the lasso would satisfy the property, or violate it.
    pub satisfied: bool,
    /// It would be in all of these.
    pub inside: Vec<&'a LassoConstraint>,
    /// It would be in none of these.
    pub outside: Vec<&'a LassoConstraint>,
}

impl<'a> NoLassoClaim<'a> {
    pub fn constraints(&self) -> Vec<&'a LassoConstraint> {
        self.inside.iter().chain(&self.outside).copied().collect()
    }
}

/// The claims of a result: first that its classes suffice, then that they cover what they have to.
pub fn claims(result: &Classification<Infinite>) -> Vec<NoLassoClaim<'_>> {
    let classes: Vec<&LassoConstraint> = result.classes.iter().map(|class| &class.constraint).collect();
    let violating = |inside, outside| NoLassoClaim { satisfied: false, inside, outside };
    // A class of a cover does not suffice where it says which lasso it accepts.
    let sufficient = result.classes.iter().filter(|class| class.sufficient);
    let mut claims: Vec<NoLassoClaim<'_>> = sufficient
        .map(|class| NoLassoClaim { satisfied: true, inside: vec![&class.constraint], outside: Vec::new() })
        .collect();
    match result.cover.as_ref().filter(|_| result.verdict == Verdict::Remainder) {
        // Where something is left over, classes have those lassos in which something happens.
        Some(cover) => {
            claims.extend(cover.others.iter().map(|other| violating(vec![other], classes.clone())));
        }
        None => claims.push(violating(Vec::new(), classes)),
    }
    let necessary = result.cover.iter().flat_map(|cover| &cover.necessary);
    claims.extend(necessary.map(|necessary| violating(Vec::new(), vec![necessary])));
    claims
}
