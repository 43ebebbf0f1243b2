//! Why something never happens, in a form that is quick to check again: by another solver, from clauses
//! made anew.

use super::statement::StateLit;
use super::system::{Path, System};
use kit::budget::{Budget, Exhausted};
use lang::model::Position;
use solvers::sat::{Backend, Circuit, Lit, Obligation, Unsolved};
use solvers::unroll::obligation;

/// Why something never happens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Certificate {
    /// Clauses that hold in the initial states, are preserved by every step, and exclude what is bad.
    Invariant(Vec<Vec<StateLit>>),
    /// Nothing bad happens at positions below `k`; and nowhere does it follow on k states in a row in which
    /// it has not happened.
    Induction {
        /// At least 0.
        k: usize,
        /// Pairs of positions whose states were taken to differ in the second part. A path may be cut short
        /// where a state comes back, so this takes nothing away.
        distinct: Vec<(Position, Position)>,
    },
}

/// A part of what a certificate claims.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Every initial state satisfies the invariant.
    Initial,
    /// No state that satisfies it is bad.
    Safe,
    /// Every step from a state that satisfies it leads to one that does.
    Preserved,
    /// Nothing bad happens at the first k positions.
    Base,
    /// Nothing bad follows on k states in a row in which it has not happened.
    Step,
}

impl Part {
    /// A short name, good for a file: `initial`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Initial => "initial",
            Self::Safe => "safe",
            Self::Preserved => "preserved",
            Self::Base => "base",
            Self::Step => "step",
        }
    }

    /// What is said if it is not true.
    fn wrong(self) -> &'static str {
        match self {
            Self::Initial => "an initial state does not satisfy it",
            Self::Safe => "it does not exclude what is bad",
            Self::Preserved => "a step does not preserve it",
            Self::Base => "something bad happens within its first steps",
            Self::Step => "something bad can follow on so many good states",
        }
    }
}

/// What checking a certificate again gave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Checked {
    /// It is right.
    Confirmed,
    /// It is wrong, for this reason.
    Refused(&'static str),
    /// The budget ended first.
    Exhausted(Exhausted),
}

impl Certificate {
    /// Checks it from scratch.
    pub fn check(&self, system: &System<'_>, backend: Backend, budget: &Budget) -> Checked {
        let result = match self {
            Self::Invariant(clauses) => invariant(system, clauses, backend, budget),
            Self::Induction { k, distinct } => induction(system, *k, distinct, backend, budget),
        };
        match result {
            Ok(None) => Checked::Confirmed,
            Ok(Some(wrong)) => Checked::Refused(wrong),
            Err(why) => Checked::Exhausted(why),
        }
    }

    /// What it claims. All of it together says that nothing bad ever happens.
    pub fn parts(&self) -> Vec<Part> {
        match self {
            Self::Invariant(_) => vec![Part::Initial, Part::Safe, Part::Preserved],
            Self::Induction { k: 0, .. } => vec![Part::Step],
            Self::Induction { .. } => vec![Part::Base, Part::Step],
        }
    }

    /// Clauses that are unsatisfiable iff one of [`Certificate::parts`] is true.
    ///
    /// # Errors
    /// If the budget ends before they are complete.
    ///
    /// # Panics
    /// If it has no such part, or is malformed.
    pub fn obligation(
        &self,
        system: &System<'_>,
        part: Part,
        budget: &Budget,
    ) -> Result<Obligation, Exhausted> {
        let circuit = Circuit::recording(Box::new(Unsolved)).within(budget);
        let (mut path, question) = match (self, part) {
            (Self::Induction { k, .. }, Part::Base) => {
                let mut path = system.paths_from_start_in(circuit);
                let questions: Vec<Vec<Lit>> =
                    Position::all(*k).map(|position| base_question(&mut path, position)).collect();
                let circuit = &mut path.unrolling.circuit;
                let bad: Vec<Lit> = questions.iter().map(|question| circuit.all(question)).collect();
                let question = vec![circuit.any(&bad)];
                (path, question)
            }
            (Self::Induction { k, distinct }, Part::Step) => {
                let mut path = system.paths_from_anywhere_in(circuit);
                let question = step_question(&mut path, *k, distinct).expect("positions that are there");
                (path, question)
            }
            (Self::Invariant(clauses), _) => {
                let mut path = system.paths_from_anywhere_in(circuit);
                let questions = invariant_questions(&mut path, clauses);
                let question = questions.into_iter().find(|(of, _)| *of == part);
                (path, question.expect("a part of an invariant").1)
            }
            (Self::Induction { .. }, _) => panic!("an induction has no part {part:?}"),
        };
        obligation(&mut path.unrolling, &question)
    }

    /// The clauses of an invariant, as the language writes them; none for induction.
    pub fn texts(&self, system: &System<'_>) -> Vec<String> {
        let Self::Invariant(clauses) = self else { return Vec::new() };
        clauses.iter().map(|clause| clause_text(system, clause)).collect()
    }
}

fn clause_text(system: &System<'_>, clause: &[StateLit]) -> String {
    if clause.is_empty() {
        return "false".into();
    }
    // Conditions first, conclusions last: `a and b => c or d`, `a and b => not c`.
    let (mut conclusions, mut conditions): (Vec<&StateLit>, Vec<&StateLit>) =
        clause.iter().partition(|is| is.holds);
    if conclusions.is_empty() {
        conclusions.extend(conditions.pop());
    }
    let texts = |list: &[&StateLit], holds: fn(&StateLit) -> bool, word: &str| {
        let texts: Vec<String> = list.iter().map(|is| system.text(is.statement, holds(is))).collect();
        texts.join(word)
    };
    let then = texts(&conclusions, |is| is.holds, " or ");
    if conditions.is_empty() {
        return then;
    }
    format!("{} => {then}", texts(&conditions, |_| true, " and "))
}

/// The questions about an invariant, as assumptions: whether it is false of an initial state, true of a bad one, or true before a
/// step and false after it.
fn invariant_questions(path: &mut Path<'_>, clauses: &[Vec<StateLit>]) -> [(Part, Vec<Lit>); 3] {
    let (now, next) = (Position::FIRST, Position::FIRST.next());
    path.grow_to(next);
    let holds = [now, next].map(|position| {
        let literals = path.statements(position);
        let clauses: Vec<Lit> = clauses
            .iter()
            .map(|clause| {
                let lits: Vec<Lit> = clause.iter().map(|is| is.lit(&literals)).collect();
                path.unrolling.circuit.any(&lits)
            })
            .collect();
        path.unrolling.circuit.all(&clauses)
    });
    [
        (Part::Initial, vec![path.initial(), !holds[0]]),
        (Part::Safe, vec![holds[0], path.bad(now)]),
        (Part::Preserved, vec![path.reaches(next), holds[0], !holds[1]]),
    ]
}

/// The question whether something bad happens at a position.
fn base_question(base: &mut Path<'_>, position: Position) -> Vec<Lit> {
    base.grow_to(position);
    vec![base.reaches(position), base.bad(position)]
}

/// The question whether something bad follows on k good states, from anywhere; `None` if two positions that were to differ are
/// not among them.
fn step_question(step: &mut Path<'_>, k: usize, distinct: &[(Position, Position)]) -> Option<Vec<Lit>> {
    let last = Position::after(k);
    step.grow_to(last);
    let mut assumptions = vec![step.reaches(last), step.bad(last)];
    for position in Position::all(k) {
        assumptions.push(!step.bad(position));
    }
    for &(i, j) in distinct {
        if i >= j || j > last {
            return None;
        }
        assumptions.push(differ(step, i, j));
    }
    Some(assumptions)
}

fn invariant(
    system: &System<'_>,
    clauses: &[Vec<StateLit>],
    backend: Backend,
    budget: &Budget,
) -> Result<Option<&'static str>, Exhausted> {
    let mut path = system.paths_from_anywhere(backend, budget);
    for (part, assumptions) in invariant_questions(&mut path, clauses) {
        if path.unrolling.circuit.solve(&assumptions).is_sat()? {
            return Ok(Some(part.wrong()));
        }
    }
    Ok(None)
}

fn induction(
    system: &System<'_>,
    k: usize,
    distinct: &[(Position, Position)],
    backend: Backend,
    budget: &Budget,
) -> Result<Option<&'static str>, Exhausted> {
    let mut base = system.paths_from_start(backend, budget);
    for position in Position::all(k) {
        let question = base_question(&mut base, position);
        if base.unrolling.circuit.solve(&question).is_sat()? {
            return Ok(Some(Part::Base.wrong()));
        }
    }
    let mut step = system.paths_from_anywhere(backend, budget);
    let Some(question) = step_question(&mut step, k, distinct) else {
        return Ok(Some("it speaks of positions that are not there"));
    };
    Ok(step.unrolling.circuit.solve(&question).is_sat()?.then_some(Part::Step.wrong()))
}

/// Whether two positions have different states.
pub(super) fn differ(path: &mut Path<'_>, i: Position, j: Position) -> Lit {
    let (a, b) = (path.statements(i), path.statements(j));
    let circuit = &mut path.unrolling.circuit;
    let differences: Vec<Lit> = a.into_iter().zip(b).map(|(a, b)| circuit.xor(a, b)).collect();
    circuit.any(&differences)
}
