//! Classifications of all infinite traces, of however many steps: what holds up to a bound is decided over all states, and where a
//! lasso contradicts it, the classes are looked for anew up to its length.

use super::constraint::LassoConstraint;
use super::engine::classify_lassos;
use super::options::{LassoOptions, LassoProblem};
use super::result::{EveryLength, LassoClassification, LassoVerdict, Unlisted};
use super::watched::Watched;
use crate::budget::{Budget, Observer};
use crate::classify::options::Necessity;
use crate::explore::Graph;
use crate::ltl::NoProduct;
use crate::model::Vocabulary;
use crate::trace::Lasso;

/// Classifies all fair infinite traces that violate the formula, as [`classify_lassos`] does those up to a bound; it begins with the
/// bound of the options, looks for the decisive steps of their representatives, and for all that
/// counterexamples have in common if everything is asked about that. Where there are more than `max_states` states, or the product is too large, the result is about the last bound, and
/// says so; where the budget ends before a proof, the verdict is not one of those that a proof gives.
///
/// # Panics
/// Only on a bug in this program.
pub fn classify_every_lasso(
    problem: LassoProblem<'_>,
    vocabulary: &Vocabulary,
    options: &LassoOptions,
    max_states: usize,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> LassoClassification {
    // Most of the time is for the classes.
    let graph = Graph::explore(problem.model, None, max_states, &budget.share(4));
    let mut options = options.clone();
    let mut bounds = Vec::new();
    loop {
        bounds.push(options.bound);
        let mut result = classify_lassos(problem, vocabulary, &options, budget, observer);
        if !matches!(result.verdict, LassoVerdict::Holds | LassoVerdict::Complete | LassoVerdict::Remainder) {
            return result;
        }
        let graph = match &graph {
            Ok(graph) => graph,
            Err(why) => return result.left_open(Unlisted::States(why.clone())),
        };
        match contradiction(problem, graph, &result, budget) {
            Ok(None) => {
                result.unbounded = Some(EveryLength::Proved { states: graph.states.len(), bounds });
                result.add_decisions(problem, &options, Some(graph), budget);
                if options.necessity == Necessity::Full {
                    result.add_necessary(problem, vocabulary, &options, Some(graph), budget);
                }
                return result;
            }
            Ok(Some(lasso)) => {
                assert!(lasso.len() > options.bound, "the search over all states finds {lasso:?}");
                options.horizon += lasso.len() - options.bound;
                options.bound = lasso.len();
            }
            Err(why) => return result.left_open(Unlisted::Product(why)),
        }
    }
}

/// A fair lasso that contradicts a result for lassos up to a bound; `None` if there is none.
fn contradiction(
    problem: LassoProblem<'_>,
    graph: &Graph,
    result: &LassoClassification,
    budget: &Budget,
) -> Result<Option<Lasso>, NoProduct> {
    let watched =
        |constraints: &[&LassoConstraint]| Watched::new((problem, graph), &result.atoms, constraints, budget);
    let classes: Vec<&LassoConstraint> = result.classes.iter().map(|class| &class.constraint).collect();
    let of_classes = watched(&classes)?;
    // Where something is left over, classes have those lassos in which something happens.
    let left_over = result.cover.as_ref().filter(|_| result.verdict == LassoVerdict::Remainder);
    let others = left_over.map_or(&[][..], |cover| &cover.others);
    for other in others {
        let all: Vec<&LassoConstraint> = classes.iter().copied().chain([other]).collect();
        if let Some(lasso) = watched(&all)?.lasso(false, &[other], &classes, budget)? {
            return Ok(Some(lasso));
        }
    }
    let outside = match left_over {
        Some(_) => None,
        None => of_classes.lasso(false, &[], &classes, budget)?,
    };
    if outside.is_some() {
        return Ok(outside);
    }
    for necessary in result.cover.iter().flat_map(|cover| &cover.necessary) {
        if let Some(lasso) = watched(&[necessary])?.lasso(false, &[], &[necessary], budget)? {
            return Ok(Some(lasso));
        }
    }
    for class in result.classes.iter().filter(|class| class.accepted.is_none()) {
        if let Some(lasso) = of_classes.lasso(true, &[&class.constraint], &[], budget)? {
            return Ok(Some(lasso));
        }
    }
    Ok(None)
}
