//! All traces up to a length, to compare with on tiny models.

use engines::explore::{DEFAULT_SEARCH_LIMIT, TooMany, initial_states, successors};
use lang::model::Model;
use lang::model::value::{Label, Moment, State};
use lang::trace::Trace;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Returns all traces of at most `max_steps` steps, shorter ones first; traces of one length in ascending order. A
/// trace may end anywhere, so every prefix of a trace is included. Gives up when there are more than `limit`.
pub fn all_traces(model: &Model, max_steps: usize, limit: usize) -> Result<Vec<Trace>, TooMany> {
    let too_many = || TooMany { what: "traces".into(), limit };
    let mut known: FxHashMap<State, Rc<Vec<(Label, State)>>> = FxHashMap::default();
    let mut traces: Vec<Trace> = initial_states(model, DEFAULT_SEARCH_LIMIT)?
        .into_iter()
        .map(|state| Trace { moments: vec![Moment { label: None, state }] })
        .collect();
    let mut longest = 0..traces.len();
    for _ in 0..max_steps {
        for i in longest.clone() {
            if traces.len() > limit {
                return Err(too_many());
            }
            let last = &traces[i].moments[traces[i].len()].state;
            let steps = match known.get(last) {
                Some(steps) => Rc::clone(steps),
                None => {
                    let steps = Rc::new(successors(model, last, DEFAULT_SEARCH_LIMIT)?);
                    known.insert(last.clone(), Rc::clone(&steps));
                    steps
                }
            };
            for (label, state) in steps.iter() {
                let mut moments = traces[i].moments.clone();
                moments.push(Moment { label: Some(label.clone()), state: state.clone() });
                traces.push(Trace { moments });
            }
        }
        longest = longest.end..traces.len();
    }
    if traces.len() > limit { Err(too_many()) } else { Ok(traces) }
}
