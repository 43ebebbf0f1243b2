//! Which traces classes are shown with: where a model has wishes, others of the same length may be easier to read. Nothing else
//! depends on that.

use crate::facts::index::CandidateId;
use crate::oracles::oracle::{Condition, Oracle};
use crate::oracles::space::Space;
use crate::results::result::Class;
use crate::search::pool::Pool;
use kit::budget::Limited;
use lang::model::Position;
use lang::model::eval::eval_state;

/// Gives the class of a chosen candidate a representative of the same length that satisfies the first wish that it can. A canonical
/// one stays in no other class.
pub(crate) fn show_as_wished(
    space: &mut Space<'_>,
    pool: &mut Pool<'_, '_>,
    candidate: CandidateId,
    class: &mut Class,
) -> Limited<()> {
    let model = space.problem.model;
    let steps = space.steps_to_violation(&class.representative);
    let end = Position::after(steps);
    let is_canonical = class.canonical.as_ref() == Some(&class.representative);
    let others = if is_canonical { pool.others(candidate) } else { Vec::new() };
    for wish in &model.wishes {
        if eval_state(model, wish, class.representative.moment(end)).is_true() {
            return Ok(());
        }
        let mut conditions = pool.outside(&others);
        conditions.push(Condition::In(class.constraint.clone()));
        let mut assumed = space.literals(&conditions);
        assumed.push(space.state_truth(wish, end));
        let Some(trace) = space.counterexample(steps, &assumed)? else { continue };
        let elsewhere =
            others.iter().any(|&other| space.matches(&pool.candidate(other).constraint, &trace).is_some());
        let Some(assigned) = space.matches(&class.constraint, &trace).filter(|_| !elsewhere) else {
            continue;
        };
        if is_canonical {
            class.canonical = Some(trace.clone());
        }
        (class.representative, class.assigned) = (trace, assigned);
        return Ok(());
    }
    Ok(())
}
