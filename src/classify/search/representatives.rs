//! Representatives of classes: another trace of the same length may be easier to read, because no step can be left out, or because the model has
//! wishes. Nothing else depends on them.

use crate::causes::replay::shorter_violation;
use crate::facts::fact::Assignment;
use crate::facts::index::CandidateId;
use crate::oracles::oracle::{Oracle, SampleCondition};
use crate::oracles::sat::SatOracle;
use crate::results::result::Class;
use crate::search::pool::Pool;
use kit::budget::Limited;
use lang::model::Position;
use lang::model::eval::eval_state;
use lang::trace::Trace;
use solvers::sat::Lit;

/// The most other traces that are tried for one of which no step can be left out.
const MOST_OTHERS: usize = 4;

/// Gives the class of a chosen candidate a representative of the same length of which no step can be left out, if one of the first few traces
/// with other actions is such a one. A canonical one stays in no other class.
pub(crate) fn show_irreducible(
    oracle: &mut SatOracle<'_>,
    pool: &mut Pool<'_, '_>,
    candidate: CandidateId,
    class: &mut Class,
) -> Limited<()> {
    let steps = class.representative.len();
    let is_reducible =
        |oracle: &SatOracle<'_>, trace: &Trace| shorter_violation(oracle.problem, trace).is_some();
    if oracle.steps_to_violation(&class.representative) < steps
        || !is_reducible(oracle, &class.representative)
    {
        return Ok(());
    }
    let (mut assumed, mut known) = (Vec::new(), class.representative.clone());
    for _ in 0..MOST_OTHERS {
        oracle.within_budget()?;
        let others: Vec<Lit> = known
            .labels()
            .enumerate()
            .map(|(at, label)| !oracle.unrolling.frames[at + 1].actions[label.action])
            .collect();
        assumed.push(oracle.circuit().any(&others));
        match instead(oracle, pool, (candidate, class), &assumed)? {
            None => return Ok(()),
            Some((trace, assigned)) if !is_reducible(oracle, &trace) => {
                show(class, trace, assigned);
                return Ok(());
            }
            Some((trace, _)) => known = trace,
        }
    }
    Ok(())
}

/// Returns another trace of the class of the same length, under `assumed`.
fn instead(
    oracle: &mut SatOracle<'_>,
    pool: &mut Pool<'_, '_>,
    (candidate, class): (CandidateId, &Class),
    assumed: &[Lit],
) -> Limited<Option<(Trace, Assignment)>> {
    let is_canonical = class.canonical.as_ref() == Some(&class.representative);
    let others = if is_canonical { pool.others(candidate) } else { Vec::new() };
    let mut conditions = pool.outside(&others);
    conditions.push(SampleCondition::In(class.constraint.clone()));
    let mut all = oracle.literals(&conditions);
    all.extend(assumed);
    let steps = oracle.steps_to_violation(&class.representative);
    let Some(trace) = oracle.counterexample(steps, &all)? else { return Ok(None) };
    let elsewhere =
        others.iter().any(|&other| oracle.matches(&pool.candidate(other).constraint, &trace).is_some());
    Ok(oracle.matches(&class.constraint, &trace).filter(|_| !elsewhere).map(|assigned| (trace, assigned)))
}

/// Shows the class with a trace, which satisfies its constraint so.
fn show(class: &mut Class, trace: Trace, assigned: Assignment) {
    if class.canonical.as_ref() == Some(&class.representative) {
        class.canonical = Some(trace.clone());
    }
    (class.representative, class.assigned) = (trace, assigned);
}

/// Gives the class of a chosen candidate a representative of the same length that satisfies the first wish that it can. A canonical
/// one stays in no other class.
pub(crate) fn show_as_wished(
    oracle: &mut SatOracle<'_>,
    pool: &mut Pool<'_, '_>,
    candidate: CandidateId,
    class: &mut Class,
) -> Limited<()> {
    let model = oracle.problem.model;
    let steps = oracle.steps_to_violation(&class.representative);
    let end = Position::after(steps);
    for wish in &model.wishes {
        if eval_state(model, wish, class.representative.moment(end)).is_true() {
            return Ok(());
        }
        let wanted = oracle.state_truth(wish, end);
        if let Some((trace, assigned)) = instead(oracle, pool, (candidate, class), &[wanted])? {
            show(class, trace, assigned);
            return Ok(());
        }
    }
    Ok(())
}
