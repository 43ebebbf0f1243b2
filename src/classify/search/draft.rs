//! Constraints under construction, over the facts of one counterexample, and the questions about them.

use crate::automata::listing::AcceptingTrace;
use crate::facts::absences::{Absence, strongest};
use crate::facts::atom::{Atom, Atoms};
use crate::facts::collect::{Occurrences, PlacedAtom};
use crate::facts::constraint::Constraint;
use crate::facts::fact::{Fact, FactKind, OrderRelation};
use crate::facts::index::{OccurrenceId, PlacedId, PositionVar};
use crate::oracles::oracle::Oracle;
use crate::oracles::sat::Sufficiency;
use kit::budget::Limited;
use lang::model::{Model, Position};
use lang::trace::Trace;
use std::collections::BTreeSet;

mod smallest;

/// Which order facts the vocabulary offers.
#[derive(Debug, Clone, Copy)]
pub struct Orders {
    /// True if `i < j` is offered.
    pub before: bool,
    /// True if `j = i + 1` is offered.
    pub next: bool,
}

/// A constraint under construction; positions are those of the counterexample.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    /// Facts of the counterexample.
    pub atoms: Vec<PlacedId>,
    /// Positions of the counterexample that have a variable.
    pub positions: BTreeSet<Position>,
    /// Absences.
    pub absent: Vec<Absence>,
    /// Order facts.
    pub order: Vec<Ordered>,
}

/// An order fact of a draft.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ordered {
    /// The earlier position.
    pub first: Position,
    /// The later position.
    pub second: Position,
    /// How the later one follows.
    pub order: OrderRelation,
}

/// The facts of one counterexample with the answers known so far.
pub struct CounterexampleFacts {
    /// The facts.
    pub placed: Vec<PlacedAtom>,
    /// Which order facts there are besides.
    pub orders: Orders,
    /// The last position of the counterexample.
    pub last: Position,
    /// Occurrences that absences may be about; empty unless they are needed.
    pub occurrences: Vec<Occurrences>,
    /// True if absences after the last position are useful.
    to_the_end: bool,
    /// The greatest length of accepting traces that are looked for.
    horizon: usize,
    sufficient: Vec<SufficientDraft>,
    insufficient: Vec<AcceptedDraft>,
    questions: u64,
}

/// A draft that suffices.
struct SufficientDraft {
    draft: Draft,
    /// Up to which length of accepting traces that is known.
    horizon: usize,
    /// How many facts it has, to tell quickly what it cannot be a part of.
    size: usize,
}

/// A draft that does not suffice: a trace without violation satisfies it.
struct AcceptedDraft {
    trace: Trace,
    /// For each position of the counterexample where the trace matches it.
    at: Vec<Option<Position>>,
    /// The facts of which it is known whether they hold at these places.
    asked: FactSet,
    /// Those of them that hold.
    holds: FactSet,
    /// For each thing that may be absent where it is in the trace, as far as that was asked.
    occurs: Vec<Option<Vec<Position>>>,
}

impl Draft {
    /// The number of its facts.
    pub fn size(&self) -> usize {
        self.atoms.len() + self.absent.len() + self.order.len()
    }

    /// The draft without one of its facts; atoms are numbered first, then absences, then order.
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

impl CounterexampleFacts {
    /// The facts of a counterexample with that last position.
    pub fn new(placed: Vec<PlacedAtom>, orders: Orders, last: Position) -> Self {
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

    /// Allows absences of these if nothing else suffices. `to_the_end` says whether absences after the last position are
    /// useful.
    pub fn allow_absences(
        &mut self,
        oracle: &mut dyn Oracle<'_>,
        absent: Vec<Occurrences>,
        to_the_end: bool,
    ) -> Limited<()> {
        let everything = self.everything();
        if absent.is_empty() || self.is_sufficient(oracle, &everything)? {
            return Ok(());
        }
        for what in absent {
            // That something holds nowhere is vacuous if it holds in no state at all.
            if oracle.may_hold(what.atom) {
                self.occurrences.push(what);
            }
        }
        self.to_the_end = to_the_end;
        self.insufficient.clear();
        Ok(())
    }

    /// Adds absences of these, wherever they do not hold.
    #[must_use]
    pub fn with_absences(self, absent: Vec<Occurrences>, to_the_end: bool) -> Self {
        Self { occurrences: absent, to_the_end, ..self }
    }

    /// Every position of the counterexample.
    pub fn all_positions(&self) -> BTreeSet<Position> {
        Position::up_to(self.last).collect()
    }

    /// A fact of the counterexample.
    pub fn placed(&self, id: PlacedId) -> &PlacedAtom {
        &self.placed[id.index()]
    }

    /// The atom of a fact.
    pub fn atom<'a>(&self, atoms: &'a Atoms, id: PlacedId) -> &'a Atom {
        atoms.get(self.placed(id).atom)
    }

    /// Something that may be absent.
    pub fn occurrences(&self, id: OccurrenceId) -> &Occurrences {
        &self.occurrences[id.index()]
    }

    /// All facts of the counterexample.
    pub fn all(&self) -> Vec<PlacedId> {
        (0..self.placed.len()).map(PlacedId::new).collect()
    }

    /// The positions that some facts read.
    pub fn positions_of(&self, facts: &[PlacedId]) -> BTreeSet<Position> {
        facts.iter().flat_map(|&a| self.placed(a).positions.iter().copied()).collect()
    }

    /// The strongest draft with these facts and positions: all order facts and absences over the positions that the
    /// vocabulary offers are added.
    pub fn strongest(&self, atoms: Vec<PlacedId>, positions: BTreeSet<Position>) -> Draft {
        let list: Vec<Position> = positions.iter().copied().collect();
        let mut order = Vec::new();
        for pair in list.windows(2) {
            let [first, second] = [pair[0], pair[1]];
            if self.orders.next && first.next() == second {
                order.push(Ordered { first, second, order: OrderRelation::Next });
            } else if self.orders.before {
                order.push(Ordered { first, second, order: OrderRelation::Before });
            }
        }
        let absent = self.strongest_absences(&positions);
        Draft { atoms, positions, absent, order }
    }

    /// The strongest absences over these positions.
    pub fn strongest_absences(&self, positions: &BTreeSet<Position>) -> Vec<Absence> {
        strongest(&self.occurrences, positions, self.to_the_end)
    }

    /// The constraint of all facts over all positions.
    pub fn everything(&self) -> Draft {
        self.strongest(self.all(), self.all_positions())
    }

    /// The draft as a constraint, positions numbered by their order, and where each of these lies.
    pub fn constraint(&self, draft: &Draft) -> (Constraint, Vec<Position>) {
        let positions: Vec<Position> = draft.positions.iter().copied().collect();
        let variable =
            |p: Position| PositionVar::new(positions.binary_search(&p).expect("a position with a variable"));
        let facts = self.facts(draft, variable);
        (Constraint::ground(positions.len(), facts), positions)
    }

    /// True if a draft with the strongest order over its positions suffices for a violation.
    pub fn suffices(
        &mut self,
        oracle: &mut dyn Oracle<'_>,
        atoms: &[PlacedId],
        positions: &BTreeSet<Position>,
    ) -> Limited<bool> {
        let draft = self.strongest(atoms.to_vec(), positions.clone());
        self.is_sufficient(oracle, &draft)
    }

    /// From now on looks for accepting traces of up to that many steps only: then a draft that is found not to suffice
    /// does not, but one that is found to suffice may still have longer accepting traces.
    pub fn look_ahead(&mut self, horizon: usize) {
        self.horizon = horizon;
    }

    /// How many times [`CounterexampleFacts::is_sufficient`] was called. Answers do not depend on the solver, so neither does this.
    pub fn questions(&self) -> u64 {
        self.questions
    }

    /// True if a draft suffices for a violation, as far as accepting traces are looked for. The solver is not called where
    /// the answer follows from earlier ones.
    pub fn is_sufficient(&mut self, oracle: &mut dyn Oracle<'_>, draft: &Draft) -> Limited<bool> {
        self.questions += 1;
        let mut says = FactSet::new(self.placed.len());
        draft.atoms.iter().for_each(|&a| says.insert(a));
        let known = self.sufficient.iter().filter(|known| known.size <= draft.atoms.len());
        let known = known.filter(|known| known.horizon >= self.horizon.min(oracle.longest()));
        if known.into_iter().any(|known| implies(draft, &says, &known.draft)) {
            return Ok(true);
        }
        let context = AnswerContext {
            model: oracle.problem().model,
            atoms: oracle.atoms(),
            placed: &self.placed,
            occurrences: &self.occurrences,
        };
        // The newest first: consecutive questions are alike.
        let horizon = self.horizon;
        let mut known = self.insufficient.iter_mut().rev().filter(|known| known.trace.len() <= horizon);
        if known.any(|known| known.accepts(&context, draft, &says)) {
            return Ok(false);
        }
        match self.ask(oracle, draft)? {
            Sufficiency::Sufficient(core) => {
                let draft = self.part(draft, &core.facts);
                let size = draft.atoms.len();
                self.sufficient.push(SufficientDraft { draft, horizon: core.steps, size });
                Ok(true)
            }
            Sufficiency::Insufficient(AcceptingTrace { trace, assigned }) => {
                let mut at = vec![None; self.last.steps() + 1];
                for (&p, place) in draft.positions.iter().zip(assigned.positions) {
                    at[p.index()] = Some(place);
                }
                let [asked, holds] = [FactSet::new(self.placed.len()), FactSet::new(self.placed.len())];
                let occurs = vec![None; self.occurrences.len()];
                self.insufficient.push(AcceptedDraft { trace, at, asked, holds, occurs });
                Ok(false)
            }
        }
    }

    /// A draft with these of its facts, by their numbers, and the positions that these read.
    fn part(&self, draft: &Draft, facts: &[usize]) -> Draft {
        let (absences, orders) = (draft.atoms.len(), draft.atoms.len() + draft.absent.len());
        let mut part =
            Draft { atoms: Vec::new(), positions: BTreeSet::new(), absent: Vec::new(), order: Vec::new() };
        for &fact in facts {
            if fact < absences {
                part.atoms.push(draft.atoms[fact]);
            } else if fact < orders {
                part.absent.push(draft.absent[fact - absences]);
            } else {
                part.order.push(draft.order[fact - orders]);
            }
        }
        part.positions = self.positions_of(&part.atoms);
        part.positions.extend(part.absent.iter().flat_map(|absence| [absence.from, absence.to]).flatten());
        part.positions.extend(part.order.iter().flat_map(|ordered| [ordered.first, ordered.second]));
        part
    }

    /// Asks about a draft. Each position of the counterexample has a variable of its own, whichever draft it is in.
    fn ask(&self, oracle: &mut dyn Oracle<'_>, draft: &Draft) -> Limited<Sufficiency> {
        let used: Vec<PositionVar> = draft.positions.iter().map(|&p| own_variable(p)).collect();
        oracle.sufficiency_within(self.horizon, &self.facts(draft, own_variable), &used)
    }

    /// As `ask`, for an accepting trace that is part of the result: the first of the shortest ones.
    pub fn ask_for_show(&self, oracle: &mut dyn Oracle<'_>, draft: &Draft) -> Limited<Sufficiency> {
        let used: Vec<PositionVar> = draft.positions.iter().map(|&p| own_variable(p)).collect();
        oracle.sufficiency_shown(&self.facts(draft, own_variable), &used)
    }

    fn facts(&self, draft: &Draft, variable: impl Fn(Position) -> PositionVar) -> Vec<Fact> {
        let atoms = draft.atoms.iter().map(|&a| {
            let placed = self.placed(a);
            let positions = placed.positions.iter().map(|&p| variable(p)).collect();
            Fact::about(FactKind::Atom(placed.atom), positions)
        });
        let absent = draft.absent.iter().map(|a| a.fact(&self.occurrences, &variable));
        let order = draft
            .order
            .iter()
            .map(|ordered| Fact::order(ordered.order, variable(ordered.first), variable(ordered.second)));
        atoms.chain(absent).chain(order).collect()
    }
}

/// The variable of a position of the counterexample, whichever draft it is in.
fn own_variable(at: Position) -> PositionVar {
    PositionVar::new(at.index())
}

struct FactSet(Vec<u64>);

impl FactSet {
    /// The empty set, of so many facts that there are.
    fn new(facts: usize) -> Self {
        Self(vec![0; facts.div_ceil(64)])
    }

    fn insert(&mut self, fact: PlacedId) {
        self.0[fact.index() / 64] |= 1 << (fact.index() % 64);
    }

    fn contains(&self, fact: PlacedId) -> bool {
        self.0[fact.index() / 64] >> (fact.index() % 64) & 1 == 1
    }

    /// True if a fact of it is in one set and not in the other.
    fn meets_difference(&self, with: &Self, without: &Self) -> bool {
        self.0.iter().zip(&with.0).zip(&without.0).any(|((a, b), c)| a & b & !c != 0)
    }
}

/// The context in which the answers of one counterexample's facts are evaluated.
struct AnswerContext<'a> {
    model: &'a Model,
    atoms: &'a Atoms,
    placed: &'a [PlacedAtom],
    occurrences: &'a [Occurrences],
}

impl AcceptedDraft {
    /// True if the trace accepts another draft, too, at the same positions.
    fn accepts(&mut self, context: &AnswerContext<'_>, draft: &Draft, says: &FactSet) -> bool {
        if says.meets_difference(&self.asked, &self.holds) {
            return false;
        }
        let AnswerContext { model, atoms, .. } = *context;
        let moments = &self.trace.moments;
        let at = |p: Position| self.at[p.index()];
        let in_order = |ordered: &Ordered| match (at(ordered.first), at(ordered.second)) {
            (Some(first), Some(second)) => ordered.order.holds(first, second),
            _ => false,
        };
        draft.positions.iter().all(|&p| at(p).is_some())
            && draft.order.iter().all(in_order)
            && draft.absent.iter().all(|absence| {
                let what = absence.what.index();
                let occurs = self.occurs[what].get_or_insert_with(|| {
                    let atom = atoms.get(context.occurrences[what].atom);
                    self.trace.positions().filter(|&t| atom.holds(model, moments, &[t], &[])).collect()
                });
                let (from, to) = (absence.from.and_then(at), absence.to.and_then(at));
                !occurs.iter().any(|&t| from.is_none_or(|f| f < t) && to.is_none_or(|l| t < l))
            })
            && draft.atoms.iter().all(|&a| {
                if self.asked.contains(a) {
                    return self.holds.contains(a);
                }
                let placed = &context.placed[a.index()];
                let places: Option<Vec<Position>> = placed.positions.iter().map(|&p| at(p)).collect();
                let holds = places.is_some_and(|at| atoms.get(placed.atom).holds(model, moments, &at, &[]));
                self.asked.insert(a);
                if holds {
                    self.holds.insert(a);
                }
                holds
            })
    }
}

/// True if order facts lead from one position to another.
pub fn reaches(order: &[Ordered], from: Position, to: Position) -> bool {
    order.iter().any(|o| o.first == from && (o.second == to || reaches(order, o.second, to)))
}

/// True if whatever satisfies the strong draft, which has these facts, satisfies the weak one.
fn implies(strong: &Draft, facts: &FactSet, weak: &Draft) -> bool {
    weak.atoms.iter().all(|&a| facts.contains(a))
        && weak.positions.is_subset(&strong.positions)
        && weak.absent.iter().all(|absence| strong.absent.contains(absence))
        && weak.order.iter().all(|ordered| match ordered.order {
            OrderRelation::Next => strong.order.contains(ordered),
            OrderRelation::Before => reaches(&strong.order, ordered.first, ordered.second),
        })
}
