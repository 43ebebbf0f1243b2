//! Constraints under construction, over the facts of one counterexample, and the questions about them.

use super::absences::{Absence, strongest};
use super::collect::{Occurrences, Placed};
use super::constraint::Constraint;
use super::fact::{Fact, FactKind};
use super::space::{Limited, Space, Sufficiency};
use crate::model::Model;
use crate::trace::Trace;
use std::collections::BTreeSet;

/// Which order facts the vocabulary offers.
#[derive(Debug, Clone, Copy)]
pub struct Orders {
    /// `i < j`
    pub before: bool,
    /// `j = i + 1`
    pub next: bool,
}

/// A constraint under construction; positions are those of the counterexample.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    /// Indices of facts of the counterexample.
    pub atoms: Vec<usize>,
    /// Positions of the counterexample that have a variable.
    pub positions: BTreeSet<usize>,
    /// Absences.
    pub absent: Vec<Absence>,
    /// Order facts.
    pub order: Vec<(FactKind, usize, usize)>,
}

/// The facts of one counterexample with the answers known so far.
pub struct Facts {
    /// The facts.
    pub placed: Vec<Placed>,
    /// Which order facts there are besides.
    pub orders: Orders,
    /// The last position of the counterexample.
    pub last: usize,
    /// What absences may speak of: nothing unless they are needed.
    pub occurrences: Vec<Occurrences>,
    /// Whether absences after a position can be of use.
    to_the_end: bool,
    /// Longer accepting traces than this are not looked for.
    horizon: usize,
    sufficient: Vec<Sufficient>,
    insufficient: Vec<Accepted>,
    questions: u64,
}

/// A draft that suffices.
struct Sufficient {
    draft: Draft,
    /// Up to which length of accepting traces that is known.
    horizon: usize,
    /// How many facts it has, to tell quickly what it cannot be a part of.
    size: usize,
}

/// A draft that does not suffice: a trace without violation satisfies it.
struct Accepted {
    trace: Trace,
    /// For each position of the counterexample where the trace matches it.
    at: Vec<Option<usize>>,
    /// For each fact whether it holds at these places, as far as that was asked.
    holds: Vec<Option<bool>>,
    /// For each thing that may be absent where it is in the trace, as far as that was asked.
    occurs: Vec<Option<Vec<usize>>>,
}

impl Draft {
    /// The number of its facts.
    pub fn size(&self) -> usize {
        self.atoms.len() + self.absent.len() + self.order.len()
    }

    /// It without one of its facts: atoms come first, then absences, then order.
    #[must_use]
    pub fn without(&self, mut index: usize) -> Self {
        let mut draft = self.clone();
        if index < self.atoms.len() {
            draft.atoms.remove(index);
            return draft;
        }
        index -= self.atoms.len();
        if index < self.absent.len() {
            draft.absent.remove(index);
        } else {
            draft.order.remove(index - self.absent.len());
        }
        draft
    }
}

impl Facts {
    /// The facts of a counterexample with that last position.
    pub fn new(placed: Vec<Placed>, orders: Orders, last: usize) -> Self {
        Self {
            placed,
            orders,
            last,
            occurrences: Vec::new(),
            to_the_end: false,
            horizon: usize::MAX,
            sufficient: Vec::new(),
            insufficient: Vec::new(),
            questions: 0,
        }
    }

    /// Allows absences of these if nothing else suffices. `to_the_end` says whether those after a position can be of
    /// use.
    pub fn allow_absences(
        &mut self,
        space: &mut Space<'_>,
        absent: Vec<Occurrences>,
        to_the_end: bool,
    ) -> Limited<()> {
        let everything = self.everything();
        if absent.is_empty() || self.is_sufficient(space, &everything)? {
            return Ok(());
        }
        let no = space.circuit().no();
        for what in absent {
            // What holds in no state at all needs no saying.
            if (0..=space.last()).any(|t| space.atom_at(&what.atom, t) != no) {
                self.occurrences.push(what);
            }
        }
        self.to_the_end = to_the_end;
        self.insufficient.clear();
        Ok(())
    }

    /// Every position of the counterexample.
    pub fn all_positions(&self) -> BTreeSet<usize> {
        (0..=self.last).collect()
    }

    /// The positions that some facts read.
    pub fn positions_of(&self, atoms: &[usize]) -> BTreeSet<usize> {
        atoms.iter().flat_map(|&a| self.placed[a].positions.iter().copied()).collect()
    }

    /// The strongest draft with these facts and positions: everything else that the vocabulary offers to say
    /// about the positions is added.
    pub fn strongest(&self, atoms: Vec<usize>, positions: BTreeSet<usize>) -> Draft {
        let list: Vec<usize> = positions.iter().copied().collect();
        let mut order = Vec::new();
        for pair in list.windows(2) {
            if self.orders.next && pair[0] + 1 == pair[1] {
                order.push((FactKind::Next, pair[0], pair[1]));
            } else if self.orders.before {
                order.push((FactKind::Before, pair[0], pair[1]));
            }
        }
        let absent = self.strongest_absences(&positions);
        Draft { atoms, positions, absent, order }
    }

    /// The strongest absences over these positions.
    pub fn strongest_absences(&self, positions: &BTreeSet<usize>) -> Vec<Absence> {
        strongest(&self.occurrences, positions, self.to_the_end)
    }

    /// The constraint of all facts over all positions.
    pub fn everything(&self) -> Draft {
        self.strongest((0..self.placed.len()).collect(), self.all_positions())
    }

    /// The draft as a constraint, positions numbered by their order, and where each of these lies.
    pub fn constraint(&self, draft: &Draft) -> (Constraint, Vec<usize>) {
        let positions: Vec<usize> = draft.positions.iter().copied().collect();
        let number = |p: usize| positions.iter().position(|&q| q == p).unwrap_or(0);
        let facts = self.facts(draft, number);
        (Constraint { positions: positions.len(), facts }, positions)
    }

    /// Whether a draft with the strongest order over its positions suffices for a violation.
    pub fn suffices(
        &mut self,
        space: &mut Space<'_>,
        atoms: &[usize],
        positions: &BTreeSet<usize>,
    ) -> Limited<bool> {
        let draft = self.strongest(atoms.to_vec(), positions.clone());
        self.is_sufficient(space, &draft)
    }

    /// From now on looks for accepting traces of up to that many steps only: then what does not suffice does not
    /// suffice at all, but not the other way round.
    pub fn look_ahead(&mut self, horizon: usize) {
        self.horizon = horizon;
    }

    /// How often it was asked whether a draft suffices. Answers do not depend on the solver, so neither does this.
    pub fn questions(&self) -> u64 {
        self.questions
    }

    /// Whether a draft suffices for a violation, as far as accepting traces are looked for. A question whose answer
    /// follows from older ones is not put to the solver.
    pub fn is_sufficient(&mut self, space: &mut Space<'_>, draft: &Draft) -> Limited<bool> {
        self.questions += 1;
        let mut says = vec![false; self.placed.len()];
        draft.atoms.iter().for_each(|&a| says[a] = true);
        let known = self.sufficient.iter().filter(|known| known.size <= draft.atoms.len());
        let known = known.filter(|known| known.horizon >= self.horizon);
        if known.into_iter().any(|known| implies(draft, &says, &known.draft)) {
            return Ok(true);
        }
        let model = space.unrolling.model;
        // The newest first: questions that follow each other are alike.
        let (placed, occurrences, horizon) = (&self.placed, &self.occurrences, self.horizon);
        let mut known = self.insufficient.iter_mut().rev().filter(|known| known.trace.len() <= horizon);
        if known.any(|known| known.accepts(model, placed, occurrences, draft)) {
            return Ok(false);
        }
        match self.ask(space, draft)? {
            Sufficiency::Sufficient => {
                let (size, horizon) = (draft.atoms.len(), self.horizon);
                self.sufficient.push(Sufficient { draft: draft.clone(), horizon, size });
                Ok(true)
            }
            Sufficiency::Insufficient(trace, places) => {
                let mut at = vec![None; self.last + 1];
                draft.positions.iter().zip(places).for_each(|(&p, place)| at[p] = Some(place));
                let holds = vec![None; self.placed.len()];
                let occurs = vec![None; self.occurrences.len()];
                self.insufficient.push(Accepted { trace, at, holds, occurs });
                Ok(false)
            }
        }
    }

    /// Asks about a draft; the slots are the positions of the counterexample.
    fn ask(&self, space: &mut Space<'_>, draft: &Draft) -> Limited<Sufficiency> {
        let used: Vec<usize> = draft.positions.iter().copied().collect();
        space.sufficiency_within(self.horizon, &self.facts(draft, |p| p), &used)
    }

    /// The same for an accepting trace that somebody will look at.
    pub fn ask_for_show(&self, space: &mut Space<'_>, draft: &Draft) -> Limited<Sufficiency> {
        let used: Vec<usize> = draft.positions.iter().copied().collect();
        space.sufficiency_shown(&self.facts(draft, |p| p), &used)
    }

    fn facts(&self, draft: &Draft, number: impl Fn(usize) -> usize) -> Vec<Fact> {
        let atoms = draft.atoms.iter().map(|&a| {
            let placed = &self.placed[a];
            let positions = placed.positions.iter().map(|&p| number(p)).collect();
            Fact { kind: FactKind::Atom(placed.atom.clone()), positions }
        });
        let absent = draft.absent.iter().map(|a| a.fact(&self.occurrences, &number));
        let order = draft
            .order
            .iter()
            .map(|(kind, a, b)| Fact { kind: kind.clone(), positions: vec![number(*a), number(*b)] });
        atoms.chain(absent).chain(order).collect()
    }
}

impl Accepted {
    /// Whether the trace accepts another draft, too, at the same places.
    fn accepts(
        &mut self,
        model: &Model,
        placed: &[Placed],
        occurrences: &[Occurrences],
        draft: &Draft,
    ) -> bool {
        let (at, moments) = (&self.at, &self.trace.moments);
        let placed_so = |fact: &(FactKind, usize, usize)| match (&fact.0, at[fact.1], at[fact.2]) {
            (FactKind::Next, Some(a), Some(b)) => a + 1 == b,
            (_, Some(a), Some(b)) => a < b,
            _ => false,
        };
        draft.positions.iter().all(|&p| at[p].is_some())
            && draft.order.iter().all(placed_so)
            && draft.absent.iter().all(|absence| {
                let occurs = self.occurs[absence.what].get_or_insert_with(|| {
                    let atom = &occurrences[absence.what].atom;
                    (0..moments.len()).filter(|&t| atom.holds(model, moments, &[t])).collect()
                });
                let (from, to) = (absence.from.and_then(|p| at[p]), absence.to.and_then(|p| at[p]));
                !occurs.iter().any(|&t| from.is_none_or(|f| f < t) && to.is_none_or(|l| t < l))
            })
            && draft.atoms.iter().all(|&a| {
                *self.holds[a].get_or_insert_with(|| {
                    let places: Option<Vec<usize>> = placed[a].positions.iter().map(|&p| at[p]).collect();
                    places.is_some_and(|at| placed[a].atom.holds(model, moments, &at))
                })
            })
    }
}

/// Whether order facts lead from one position to another.
pub fn reaches(order: &[(FactKind, usize, usize)], from: usize, to: usize) -> bool {
    order.iter().any(|(_, a, b)| *a == from && (*b == to || reaches(order, *b, to)))
}

/// Whether whatever satisfies the strong draft, which says these facts, satisfies the weak one.
fn implies(strong: &Draft, says: &[bool], weak: &Draft) -> bool {
    weak.positions.is_subset(&strong.positions)
        && weak.atoms.iter().all(|&a| says[a])
        && weak.absent.iter().all(|absence| strong.absent.contains(absence))
        && weak.order.iter().all(|fact| match fact {
            (FactKind::Next, ..) => strong.order.contains(fact),
            (_, a, b) => reaches(&strong.order, *a, *b),
        })
}
