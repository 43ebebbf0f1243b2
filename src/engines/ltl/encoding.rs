//! Lassos of an unrolling that satisfy a formula, as clauses.
//!
//! The linear incremental encoding of A. Biere, K. Heljanko, T. Junttila, T. Latvala and V. Schuppan, *Linear encodings
//! of bounded LTL model checking* (2006), for formulas without past operators. Each position passes its demands on to
//! the next one; the last position of a lasso passes them on to the beginning of its loop, through a single *entry*: a
//! state, and a literal for each part, which the beginning of the loop must match. Both ends of a loop are thus
//! compared with the entry, not with each other, and each position adds equally many clauses. A literal of a part
//! implies that the part holds, not the other way round.

use super::fairness::{Fairness, FairnessDemand, FairnessEvent};
use super::formula::{LtlFormula, LtlOp};
use kit::budget::Exhausted;
use lang::model::Position;
use lang::model::value::Value;
use lang::trace::Lasso;
use solvers::sat::{Answer, Lit};
use solvers::unroll::{Symbolic, Unrolling};

/// An event at some position of the loop, so far.
struct SeenEvent<'f> {
    what: LoopEvent<'f>,
    /// The literal that the event has happened since the loop began.
    lit: Lit,
}

/// The event that is recorded in the loop.
enum LoopEvent<'f> {
    /// A part of the formula holds, by its number.
    Part(usize),
    /// An event of a fairness condition.
    Event(FairnessEvent<'f>),
}

/// The encoding of the fair lasso traces that satisfy a formula; it follows an [`Unrolling`] as that grows.
pub struct LassoEncoding<'f> {
    formula: &'f LtlFormula,
    demands: Vec<FairnessDemand<'f>>,
    /// The literals of the parts at each position.
    parts: Vec<Vec<Lit>>,
    /// For each position but the last, the literal that the loop begins there.
    starts: Vec<Lit>,
    /// The disjunction of `starts`.
    begun: Lit,
    /// The state in which the loop begins and ends.
    entry_state: Vec<Symbolic>,
    /// The demands of the end of the loop on its beginning, for each part; false for parts without temporal operators.
    entry_parts: Vec<Lit>,
    /// The second operand of each `until`, by the part's number, then the events of fairness in the order of the demands.
    seen: Vec<SeenEvent<'f>>,
}

impl<'f> LassoEncoding<'f> {
    /// Creates the encoding for an unrolling that has only its initial state so far.
    pub fn new(unrolling: &mut Unrolling<'_>, formula: &'f LtlFormula, fairness: &'f [Fairness]) -> Self {
        let demands = Fairness::demands(fairness);
        let entry_state = unrolling.some_state();
        let circuit = &mut unrolling.circuit;
        let no = circuit.no();
        let nodes = formula.nodes().iter();
        let entry_parts = nodes.map(|node| if node.is_temporal() { circuit.fresh() } else { no }).collect();
        let untils = formula.nodes().iter().filter_map(|node| match node {
            LtlOp::Until(_, goal) => Some(LoopEvent::Part(goal.index())),
            _ => None,
        });
        let events = demands.iter().flat_map(|demand| demand.when.iter().chain(&demand.events));
        let watched = untils.chain(events.map(|&event| LoopEvent::Event(event)));
        let seen = watched.map(|what| SeenEvent { what, lit: no }).collect();
        let mut encoding = Self {
            formula,
            demands,
            parts: Vec::new(),
            starts: Vec::new(),
            begun: no,
            entry_state,
            entry_parts,
            seen,
        };
        encoding.add_parts(unrolling, Position::FIRST);
        encoding
    }

    /// Returns the literal that implies that the formula holds of the whole trace.
    pub fn root(&self) -> Lit {
        self.parts[0][self.formula.root.index()]
    }

    /// Returns for each position but the last the literal that the loop begins there.
    pub fn starts(&self) -> &[Lit] {
        &self.starts
    }

    /// Encodes the positions by which the unrolling has grown.
    ///
    /// # Errors
    /// If the circuit's budget is exhausted first; no more queries are possible then.
    pub fn grow(&mut self, unrolling: &mut Unrolling<'_>) -> Result<(), Exhausted> {
        let mut before = Position::new(self.parts.len() - 1);
        while before < unrolling.last() {
            unrolling.circuit.check_budget()?;
            self.add_parts(unrolling, before.next());
            self.pass_on(unrolling, before);
            before = before.next();
        }
        unrolling.circuit.exhausted().map_or(Ok(()), Err)
    }

    /// Returns a literal under which the current last position closes the loop fairly. It is valid for this length only
    /// and must be denied before the encoding grows.
    pub fn closed(&mut self, unrolling: &mut Unrolling<'_>) -> Lit {
        let last = Position::new(self.parts.len() - 1);
        let closed = unrolling.circuit.fresh();
        unrolling.circuit.add_clause(&[!closed, self.begun]);
        self.enter(unrolling, closed, last);
        let circuit = &mut unrolling.circuit;
        for part in self.formula.temporal() {
            circuit.add_clause(&[
                !closed,
                !self.parts[last.index()][part.index()],
                self.entry_parts[part.index()],
            ]);
        }
        let mut seen = self.seen.iter();
        let nodes = self.formula.nodes().iter().enumerate();
        let untils = nodes.filter(|(_, node)| matches!(node, LtlOp::Until(..)));
        for ((index, _), goal) in untils.zip(seen.by_ref()) {
            circuit.add_clause(&[!closed, !self.parts[last.index()][index], goal.lit]);
        }
        for demand in &self.demands {
            let mut clause = vec![!closed];
            clause.extend(demand.when.and_then(|_| seen.next()).map(|when| !when.lit));
            clause.extend(seen.by_ref().take(demand.events.len()).map(|event| event.lit));
            circuit.add_clause(&clause);
        }
        closed
    }

    /// Returns, after an answer [`Answer::Sat`] under `assumptions`, of the lassos with this number of steps that
    /// satisfy them one with the shortest stem, and of these the first one in the order of [`Unrolling::first_trace`].
    ///
    /// # Errors
    /// If the budget ends first.
    pub fn first(
        &self,
        unrolling: &mut Unrolling<'_>,
        steps: usize,
        mut assumptions: Vec<Lit>,
    ) -> Result<Lasso, Exhausted> {
        let starts = &self.starts[..steps];
        let mut start = self.start_found(unrolling, steps);
        for (earlier, &lit) in Position::range(Position::FIRST..start).zip(starts) {
            assumptions.push(lit);
            match unrolling.circuit.solve(&assumptions) {
                Answer::Sat => {
                    start = earlier;
                    break;
                }
                Answer::Unsat => _ = assumptions.pop(),
                Answer::Unknown(why) => return Err(why),
            }
        }
        if assumptions.last() != Some(&starts[start.index()]) {
            assumptions.push(starts[start.index()]);
            if let Answer::Unknown(why) = unrolling.circuit.solve(&assumptions) {
                return Err(why);
            }
        }
        unrolling.first_trace(steps, &assumptions)?;
        Ok(Lasso { trace: unrolling.decode(steps), start })
    }

    /// Returns, after an answer [`Answer::Sat`], the solver's lasso with this number of steps.
    pub fn found(&self, unrolling: &Unrolling<'_>, steps: usize) -> Lasso {
        Lasso { trace: unrolling.decode(steps), start: self.start_found(unrolling, steps) }
    }

    /// Returns the beginning of the loop in the solver's assignment.
    fn start_found(&self, unrolling: &Unrolling<'_>, steps: usize) -> Position {
        let start = self.starts[..steps].iter().position(|&start| unrolling.circuit.value(start));
        Position::new(start.unwrap_or_else(|| unreachable!("a closed lasso begins its loop")))
    }

    /// Adds the literals of the parts at a new position.
    fn add_parts(&mut self, unrolling: &mut Unrolling<'_>, position: Position) {
        let atoms: Vec<Lit> =
            self.formula.atoms().iter().map(|atom| unrolling.state_truth(atom, position)).collect();
        let circuit = &mut unrolling.circuit;
        let mut parts: Vec<Lit> = Vec::with_capacity(self.formula.nodes().len());
        for node in self.formula.nodes() {
            let lit = match *node {
                LtlOp::Constant(true) => circuit.yes(),
                LtlOp::Constant(false) => circuit.no(),
                LtlOp::Atom(atom, true) => atoms[atom],
                LtlOp::Atom(atom, false) => !atoms[atom],
                LtlOp::And(a, b) => circuit.and(parts[a.index()], parts[b.index()]),
                LtlOp::Or(a, b) => circuit.or(parts[a.index()], parts[b.index()]),
                LtlOp::Next(_) | LtlOp::Until(..) | LtlOp::Release(..) => circuit.fresh(),
            };
            parts.push(lit);
        }
        self.parts.push(parts);
    }

    /// Encodes the demands of a position on its successor, and its role in the loop.
    fn pass_on(&mut self, unrolling: &mut Unrolling<'_>, position: Position) {
        let circuit = &mut unrolling.circuit;
        let (here, next) = (&self.parts[position.index()], &self.parts[position.next().index()]);
        for (index, node) in self.formula.nodes().iter().enumerate() {
            let own = here[index];
            match *node {
                LtlOp::Next(a) => circuit.add_clause(&[!own, next[a.index()]]),
                LtlOp::Until(a, b) => {
                    circuit.add_clause(&[!own, here[b.index()], here[a.index()]]);
                    circuit.add_clause(&[!own, here[b.index()], next[index]]);
                }
                LtlOp::Release(a, b) => {
                    circuit.add_clause(&[!own, here[b.index()]]);
                    circuit.add_clause(&[!own, here[a.index()], next[index]]);
                }
                _ => {}
            }
        }
        let start = circuit.fresh();
        circuit.add_clause(&[!start, !self.begun]);
        self.begun = circuit.or(self.begun, start);
        self.starts.push(start);
        for part in self.formula.temporal() {
            circuit.add_clause(&[!start, !self.entry_parts[part.index()], here[part.index()]]);
        }
        self.enter(unrolling, start, position);
        let mut seen = std::mem::take(&mut self.seen);
        for SeenEvent { what, lit } in &mut seen {
            let happens = match what {
                LoopEvent::Part(part) => self.parts[position.index()][*part],
                LoopEvent::Event(event) => happens(unrolling, *event, position),
            };
            let in_loop = unrolling.circuit.and(self.begun, happens);
            *lit = unrolling.circuit.or(*lit, in_loop);
        }
        self.seen = seen;
    }

    /// Demands that the state at a position is the entry if `lit` holds.
    fn enter(&self, unrolling: &mut Unrolling<'_>, lit: Lit, position: Position) {
        for (variable, entry) in self.entry_state.iter().enumerate() {
            let value = unrolling.frame(position).state[variable].clone();
            let same = value.equal(&mut unrolling.circuit, entry);
            unrolling.circuit.add_clause(&[!lit, same]);
        }
    }
}

/// Returns the literal that an event happens at a position with a successor.
fn happens(unrolling: &mut Unrolling<'_>, event: FairnessEvent<'_>, position: Position) -> Lit {
    match event {
        FairnessEvent::Holds(expr) => unrolling.state_truth(expr, position),
        FairnessEvent::Fails(expr) => !unrolling.state_truth(expr, position),
        FairnessEvent::Taken(fairness) => {
            let frame = &unrolling.frames[position.next().index()];
            let circuit = &mut unrolling.circuit;
            let mut all = vec![frame.actions[fairness.action]];
            let arguments = frame.args[fairness.action].iter().zip(&fairness.arguments);
            let given = arguments.filter_map(|(value, wanted)| Some((value, wanted.as_ref()?)));
            let given: Vec<(&Symbolic, &Value)> = given.collect();
            all.extend(given.into_iter().map(|(value, wanted)| value.is_value(circuit, wanted)));
            circuit.all(&all)
        }
    }
}
