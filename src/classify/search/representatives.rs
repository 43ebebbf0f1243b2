//! Representatives of classes: another trace of the same length may be easier to read, because no step can be left out, or because the model has
//! wishes. Nothing else depends on them.

use crate::causes::replay::shorter_violation;
use crate::facts::fact::Assignment;
use crate::facts::index::CandidateId;
use crate::oracles::oracle::{Oracle, SampleCondition, Wish};
use crate::results::result::Class;
use crate::search::pool::Pool;
use kit::budget::{Budget, Limited};
use lang::model::Position;
use lang::model::eval::eval_state;
use lang::trace::Trace;

/// The most other traces that are tried for one of which no step can be left out.
const MOST_OTHERS: usize = 4;

/// Gives the class of a chosen candidate a representative of the same length of which no step can be left out, if one of the first few traces
/// with other actions is such a one. A canonical one stays in no other class.
pub(crate) fn show_irreducible(
    oracle: &mut dyn Oracle<'_>,
    pool: &mut Pool<'_, '_>,
    (candidate, class): (CandidateId, &mut Class),
    budget: &Budget,
) -> Limited<()> {
    let steps = class.representative.len();
    let problem = oracle.problem();
    let is_reducible = |trace: &Trace| shorter_violation(problem, trace).is_some();
    if oracle.steps_to_violation(&class.representative) < steps || !is_reducible(&class.representative) {
        return Ok(());
    }
    let mut known = vec![class.representative.clone()];
    for _ in 0..MOST_OTHERS {
        budget.check()?;
        match instead(oracle, pool, (candidate, class), Wish::OtherActions(&known))? {
            None => return Ok(()),
            Some((trace, assigned)) if !is_reducible(&trace) => {
                show(class, trace, assigned);
                return Ok(());
            }
            Some((trace, _)) => known.push(trace),
        }
    }
    Ok(())
}

/// Returns another trace of the class of the same length that satisfies a wish.
fn instead(
    oracle: &mut dyn Oracle<'_>,
    pool: &mut Pool<'_, '_>,
    (candidate, class): (CandidateId, &Class),
    wish: Wish<'_>,
) -> Limited<Option<(Trace, Assignment)>> {
    let is_canonical = class.canonical.as_ref() == Some(&class.representative);
    let others = if is_canonical { pool.choice.others(candidate) } else { Vec::new() };
    let mut conditions = pool.outside(&others);
    conditions.push(SampleCondition::In(class.constraint.clone()));
    let steps = oracle.steps_to_violation(&class.representative);
    let Some(trace) = oracle.wished(steps, &conditions, wish)? else { return Ok(None) };
    let elsewhere = others
        .iter()
        .any(|&other| oracle.matches(&pool.choice.candidate(other).constraint, &trace).is_some());
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
    oracle: &mut dyn Oracle<'_>,
    pool: &mut Pool<'_, '_>,
    (candidate, class): (CandidateId, &mut Class),
) -> Limited<()> {
    let model = oracle.problem().model;
    let end = Position::after(oracle.steps_to_violation(&class.representative));
    for wish in &model.wishes {
        if eval_state(model, wish, class.representative.moment(end)).is_true() {
            return Ok(());
        }
        let wanted = Wish::InViolation(wish);
        if let Some((trace, assigned)) = instead(oracle, pool, (candidate, class), wanted)? {
            show(class, trace, assigned);
            return Ok(());
        }
    }
    Ok(())
}
