//! Reasons why a bad state is never reached, in a form that another solver can quickly check from newly built clauses.

use super::cube::StateLit;
use super::system::{ObservedModel, SystemPath};
use kit::budget::{Budget, Exhausted};
use lang::model::Position;
use solvers::sat::{Backend, Circuit, ClauseObligation, Lit, Unsolved};
use solvers::unroll::obligation;

/// The reason why a bad state is never reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Certificate {
    /// Clauses that hold in the initial states, are preserved by every step, and exclude the bad states.
    Invariant(Vec<Vec<StateLit>>),
    /// No state at a position below `k` is bad, and no bad state follows `k` consecutive states that are not bad.
    Induction {
        /// At least 0.
        k: usize,
        /// Pairs of positions whose states were assumed to differ in the second part. Paths can be cut short where a
        /// state recurs, so the assumption loses no trace.
        distinct: Vec<(Position, Position)>,
    },
}

/// A part of the claim of a certificate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CertificatePart {
    /// Every initial state satisfies the invariant.
    Initial,
    /// No state that satisfies the invariant is bad.
    Safe,
    /// Every step from a state that satisfies the invariant leads to another one.
    Preserved,
    /// No state at the first k positions is bad.
    Base,
    /// No bad state follows k consecutive states that are not bad.
    Step,
}

impl CertificatePart {
    /// Returns a short name, suitable for a file: `initial`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Initial => "initial",
            Self::Safe => "safe",
            Self::Preserved => "preserved",
            Self::Base => "base",
            Self::Step => "step",
        }
    }

    /// Returns the message for a part that is false.
    fn wrong(self) -> &'static str {
        match self {
            Self::Initial => "an initial state does not satisfy it",
            Self::Safe => "it does not exclude the violation",
            Self::Preserved => "a step does not preserve it",
            Self::Base => "something bad happens within its first steps",
            Self::Step => "something bad can follow on so many good states",
        }
    }
}

/// The result of checking a certificate again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CertificateCheck {
    /// The certificate is correct.
    Confirmed,
    /// The certificate is wrong, for this reason.
    Refused(&'static str),
    /// The budget ended first.
    Exhausted(Exhausted),
}

impl Certificate {
    /// Checks the certificate from scratch.
    pub fn check(&self, system: &ObservedModel<'_>, backend: Backend, budget: &Budget) -> CertificateCheck {
        let result = match self {
            Self::Invariant(clauses) => invariant(system, clauses, backend, budget),
            Self::Induction { k, distinct } => induction(system, *k, distinct, backend, budget),
        };
        match result {
            Ok(None) => CertificateCheck::Confirmed,
            Ok(Some(wrong)) => CertificateCheck::Refused(wrong),
            Err(why) => CertificateCheck::Exhausted(why),
        }
    }

    /// Returns the parts of its claim. Together they imply that no reachable state is bad.
    pub fn parts(&self) -> Vec<CertificatePart> {
        match self {
            Self::Invariant(_) => {
                vec![CertificatePart::Initial, CertificatePart::Safe, CertificatePart::Preserved]
            }
            Self::Induction { k: 0, .. } => vec![CertificatePart::Step],
            Self::Induction { .. } => vec![CertificatePart::Base, CertificatePart::Step],
        }
    }

    /// Returns clauses that are unsatisfiable iff one of [`Certificate::parts`] is true.
    ///
    /// # Errors
    /// If the budget ends before they are complete.
    ///
    /// # Panics
    /// If the certificate has no such part, or is malformed.
    pub fn obligation(
        &self,
        system: &ObservedModel<'_>,
        part: CertificatePart,
        budget: &Budget,
    ) -> Result<ClauseObligation, Exhausted> {
        let circuit = Circuit::recording(Box::new(Unsolved)).within(budget);
        let (mut path, question) = match (self, part) {
            (Self::Induction { k, .. }, CertificatePart::Base) => {
                let mut path = system.paths_from_start_in(circuit);
                let questions: Vec<Vec<Lit>> =
                    Position::all(*k).map(|position| base_question(&mut path, position)).collect();
                let circuit = &mut path.unrolling.circuit;
                let bad: Vec<Lit> = questions.iter().map(|question| circuit.all(question)).collect();
                let question = vec![circuit.any(&bad)];
                (path, question)
            }
            (Self::Induction { k, distinct }, CertificatePart::Step) => {
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

    /// Returns the clauses of an invariant in the language; none for induction.
    pub fn texts(&self, system: &ObservedModel<'_>) -> Vec<String> {
        let Self::Invariant(clauses) = self else { return Vec::new() };
        clauses.iter().map(|clause| clause_text(system, clause)).collect()
    }
}

fn clause_text(system: &ObservedModel<'_>, clause: &[StateLit]) -> String {
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
fn invariant_questions(
    path: &mut SystemPath<'_>,
    clauses: &[Vec<StateLit>],
) -> [(CertificatePart, Vec<Lit>); 3] {
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
        (CertificatePart::Initial, [path.initial(), vec![!holds[0]]].concat()),
        (CertificatePart::Safe, vec![holds[0], path.bad(now)]),
        (CertificatePart::Preserved, vec![path.reaches(next), holds[0], !holds[1]]),
    ]
}

/// Returns the question for a bad state at a position.
fn base_question(base: &mut SystemPath<'_>, position: Position) -> Vec<Lit> {
    base.grow_to(position);
    vec![base.reaches(position), base.bad(position)]
}

/// Returns the question for a bad state after k states that are not bad, from any state; `None` if two positions that
/// were to differ are not among them.
fn step_question(step: &mut SystemPath<'_>, k: usize, distinct: &[(Position, Position)]) -> Option<Vec<Lit>> {
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
    system: &ObservedModel<'_>,
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
    system: &ObservedModel<'_>,
    k: usize,
    distinct: &[(Position, Position)],
    backend: Backend,
    budget: &Budget,
) -> Result<Option<&'static str>, Exhausted> {
    let mut base = system.paths_from_start(backend, budget);
    for position in Position::all(k) {
        let question = base_question(&mut base, position);
        if base.unrolling.circuit.solve(&question).is_sat()? {
            return Ok(Some(CertificatePart::Base.wrong()));
        }
    }
    let mut step = system.paths_from_anywhere(backend, budget);
    let Some(question) = step_question(&mut step, k, distinct) else {
        return Ok(Some("it refers to positions that are not there"));
    };
    Ok(step.unrolling.circuit.solve(&question).is_sat()?.then_some(CertificatePart::Step.wrong()))
}

/// Returns the literal that the states at two positions differ.
pub(super) fn differ(path: &mut SystemPath<'_>, i: Position, j: Position) -> Lit {
    let (a, b) = (path.statements(i), path.statements(j));
    let circuit = &mut path.unrolling.circuit;
    let differences: Vec<Lit> = a.into_iter().zip(b).map(|(a, b)| circuit.xor(a, b)).collect();
    circuit.any(&differences)
}
