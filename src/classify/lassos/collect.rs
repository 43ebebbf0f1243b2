//! The facts of a lasso over a vocabulary.

use super::fact::{AtomLiteral, AtomRef, LassoFact};
use crate::facts::atom::{Atom, Atoms};
use crate::facts::collect::Collector;
use crate::facts::index::AtomId;
use itertools::Itertools;
use kit::budget::{Budget, Limited};
use lang::model::Recurrence;
use lang::model::{self, Model, Position, Vocabulary, VocabularyItem};
use lang::trace::Lasso;
use std::collections::BTreeSet;

/// Absences are facts only of atoms with at most as many values as this.
const MOST_ABSENT: u64 = 64;

/// The items of a vocabulary that speak of one position, with `before` and `next` and what says of values what they are; and the
/// indices of the others, which say nothing of infinite traces here.
pub fn usable(model: &Model, vocabulary: &Vocabulary) -> (Vocabulary, Vec<usize>) {
    let atoms = Atoms::default();
    let mut collector = Collector::new(model, vocabulary, &atoms);
    let speaks_of_one = |item: &usize| match &vocabulary.items[*item] {
        VocabularyItem::Across(..) | VocabularyItem::Ordered(..) | VocabularyItem::Shifted(..) => false,
        _ => {
            let own = collector.atoms_of(*item, MOST_ABSENT).unwrap_or_default();
            own.into_iter().all(|atom| reads_one_moment(atoms.get(atom)))
        }
    };
    let (kept, others): (Vec<usize>, Vec<usize>) = (0..vocabulary.items.len()).partition(speaks_of_one);
    let items = kept.into_iter().map(|item| vocabulary.items[item].clone()).collect();
    (Vocabulary { items, ..vocabulary.clone() }, others)
}

/// True if an atom depends on the state and the label at its position only.
fn reads_one_moment(atom: &Atom) -> bool {
    match atom.params.as_slice() {
        [position] => model::reads_one_moment(&atom.expr, Some(*position)),
        _ => false,
    }
}

/// The facts of a lasso, in the order in which they are resorted to.
pub struct FactTiers {
    /// Those about one atom; about everything that holds at a position; about what happens no more from some position on; and about what
    /// never happens, or always, after a certain one.
    pub unordered: [Vec<LassoFact>; 4],
    /// Those about what happens one after the other; and about that together with what never happens, or always, after it.
    pub in_order: [Vec<LassoFact>; 2],
}

/// Finds the facts of lassos.
pub struct LassoFactCollector<'m> {
    collector: Collector<'m>,
    /// Everything of which it can be said that it does not happen.
    universe: Vec<AtomId>,
}

impl<'m> LassoFactCollector<'m> {
    /// A collector for a vocabulary whose items speak of one position each.
    pub fn new(model: &'m Model, vocabulary: &'m Vocabulary, atoms: &'m Atoms) -> Self {
        let mut collector = Collector::new(model, vocabulary, atoms);
        let items = 0..vocabulary.items.len();
        let universe =
            items.filter_map(|item| collector.atoms_of(item, MOST_ABSENT)).flatten().unique().collect();
        Self { collector, universe }
    }

    /// The facts of a lasso.
    ///
    /// # Errors
    /// If the budget ends first.
    pub fn facts(&mut self, lasso: &Lasso, budget: &Budget) -> Limited<FactTiers> {
        let placed = self.collector.collect(&lasso.trace.moments, budget)?;
        let mut at: Vec<BTreeSet<AtomId>> = vec![BTreeSet::new(); lasso.len() + 1];
        placed.iter().for_each(|placed| _ = at[placed.positions[0].index()].insert(placed.atom));
        let round = &at[lasso.start.next().index()..];
        let said = |atoms: &BTreeSet<AtomId>| -> Vec<AtomLiteral> {
            atoms.iter().map(|&atom| AtomLiteral::positive(AtomRef::ground(atom))).collect()
        };

        let mut singles = Vec::new();
        for &atom in at.iter().flatten().unique() {
            let often = round.iter().filter(|here| here.contains(&atom)).count();
            let single = |when| LassoFact::single(when, AtomRef::ground(atom));
            singles.extend((often > 0).then(|| single(Recurrence::Again)));
            singles.extend((often == round.len()).then(|| single(Recurrence::Forever)));
            singles.push(single(Recurrence::Once));
        }
        let several = |here: &&BTreeSet<AtomId>| here.len() > 1;
        let again = round.iter().filter(several).map(|here| LassoFact::of(Recurrence::Again, said(here)));
        let once = at.iter().filter(several).map(|here| LassoFact::of(Recurrence::Once, said(here)));
        let together = again.chain(once).unique().collect();

        let absent = |from: Position| {
            let later: BTreeSet<AtomId> = at[from.index()..].iter().flatten().copied().collect();
            self.universe.iter().copied().filter(move |atom| !later.contains(atom)).collect::<Vec<_>>()
        };
        let lasting = |from: Position| -> BTreeSet<AtomId> {
            let (first, others) = at[from.index()..].split_first().unwrap_or((&at[lasso.len()], &[]));
            first.iter().copied().filter(|atom| others.iter().all(|here| here.contains(atom))).collect()
        };
        let never = absent(lasso.start.next()).into_iter();
        let never = never.map(|atom| {
            LassoFact::of(Recurrence::Forever, vec![AtomLiteral::negative(AtomRef::ground(atom))])
        });
        let after = |position: Position| LassoFact {
            after: {
                let never = absent(position.next())
                    .into_iter()
                    .map(|atom| AtomLiteral::negative(AtomRef::ground(atom)));
                let always = said(&lasting(position.next())).into_iter();
                let mut after: Vec<AtomLiteral> = never.chain(always).collect();
                after.sort_unstable();
                after
            },
            ..LassoFact::of(Recurrence::Once, said(&at[position.index()]))
        };
        let after: Vec<LassoFact> = Position::up_to(lasso.start).map(after).collect();
        // In the loop, everything follows everything else.
        let something: Vec<&LassoFact> = after.iter().filter(|fact| !fact.what.is_empty()).collect();
        let last_after = (1..something.len()).map(|last| LassoFact {
            before: something[..last].iter().map(|fact| fact.what.clone()).collect(),
            ..something[last].clone()
        });
        let last_after: Vec<LassoFact> = last_after.collect();
        let in_order = last_after.last().map(|fact| LassoFact { after: Vec::new(), ..fact.clone() });
        let after = after.into_iter().unique().collect();
        Ok(FactTiers {
            unordered: [singles, together, never.collect(), after],
            in_order: [in_order.into_iter().collect(), last_after],
        })
    }
}
