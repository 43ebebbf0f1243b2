//! Encodes membership in a list of states, for questions to a solver.

use kit::budget::{Budget, Limited};
use lang::model::Model;
use lang::model::value::{State, Value};
use solvers::sat::{Answer, Backend, Circuit, Lit};
use solvers::unroll::{Lengths, Symbolic, Unrolling};

/// True if all initial states of a model are among these, and the circuit that was asked.
pub fn all_initial_are_among(
    states: &[State],
    model: &Model,
    backend: Backend,
    budget: &Budget,
) -> Limited<(bool, Circuit)> {
    let circuit = Circuit::new(backend.start(budget)).within(budget);
    let Unrolling { mut circuit, frames, .. } = Unrolling::new(model, Lengths::UpTo(0), circuit);
    let yes = circuit.yes();
    let mut rows: Vec<(Vec<Lit>, Lit)> =
        states.iter().map(|state| (literals(&circuit, &frames[0].state, state), yes)).collect();
    rows.sort_unstable();
    let listed = decision(&mut circuit, &rows, 0);
    match circuit.solve(&[!listed]) {
        Answer::Unsat => Ok((true, circuit)),
        Answer::Sat => Ok((false, circuit)),
        Answer::Unknown(why) => Err(why),
    }
}

/// True if one of the rows holds: all literals of its first part, from `depth` on, and its second part. The rows
/// are sorted, and the literals at one depth that differ exclude each other.
pub fn decision(circuit: &mut Circuit, rows: &[(Vec<Lit>, Lit)], depth: usize) -> Lit {
    let mut ways = Vec::new();
    for group in rows.chunk_by(|a, b| a.0.get(depth) == b.0.get(depth)) {
        let Some(&here) = group[0].0.get(depth) else {
            ways.push(group[0].1);
            continue;
        };
        let below = decision(circuit, group, depth + 1);
        ways.push(circuit.and(here, below));
    }
    circuit.any(&ways)
}

/// Returns the literals of `symbolic` having the values of `state`; all states give equally many.
pub fn literals(circuit: &Circuit, symbolic: &[Symbolic], state: &State) -> Vec<Lit> {
    let mut lits = Vec::new();
    for (symbolic, value) in symbolic.iter().zip(&state.0) {
        part_literals(circuit, symbolic, Some(value), &mut lits);
    }
    lits
}

/// Adds the literals of a part of a state; `None` means below an absent part, where the literals are true.
fn part_literals(circuit: &Circuit, symbolic: &Symbolic, value: Option<&Value>, lits: &mut Vec<Lit>) {
    let (yes, no) = (circuit.yes(), circuit.no());
    let polarity = |lit: Lit, holds: bool| if holds { lit } else { !lit };
    let presence = |present: Lit| value.map_or(yes, |v| polarity(present, *v != Value::None));
    match (symbolic, value) {
        (Symbolic::Bool(lit), Some(Value::Bool(holds))) => lits.push(polarity(*lit, *holds)),
        (Symbolic::Scalar(values), Some(value)) => {
            let at = values.binary_search_by(|(v, _)| v.cmp(value));
            lits.push(at.map_or(no, |at| values[at].1));
        }
        (Symbolic::Binary(number), value) => {
            let (said, n) = match value {
                Some(Value::Int(n)) => (number.could_be(*n), Some(*n)),
                Some(_) => (number.none != no, None),
                None => (true, None),
            };
            lits.push(if said { polarity(yes, true) } else { no });
            lits.push(value.map_or(yes, |_| polarity(number.there, n.is_some())));
            for (bit, lit) in number.open_bits() {
                lits.push(n.map_or(yes, |n| polarity(lit, n >> bit & 1 == 1)));
            }
        }
        (Symbolic::Bool(_) | Symbolic::Scalar(_), _) => lits.push(yes),
        (Symbolic::Set { present, members }, _) => {
            lits.push(presence(*present));
            let elements = match value {
                Some(Value::Set(elements)) => Some(elements),
                _ => None,
            };
            let listed = |e: &Value| members.binary_search_by(|(v, _)| v.cmp(e)).is_ok();
            lits.push(polarity(yes, elements.is_none_or(|set| set.iter().all(listed))));
            for (member, lit) in members {
                lits.push(elements.map_or(yes, |set| polarity(*lit, set.contains(member))));
            }
        }
        (Symbolic::Record { present, fields, .. }, _) => {
            lits.push(presence(*present));
            for (index, field) in fields.iter().enumerate() {
                let value = match value {
                    Some(Value::Record(_, values)) => values.get(index),
                    _ => None,
                };
                part_literals(circuit, field, value, lits);
            }
        }
        (Symbolic::Map { present, entries }, _) => {
            lits.push(presence(*present));
            for (key, entry) in entries {
                let value = match value {
                    Some(Value::Map(values)) => values.get(key),
                    _ => None,
                };
                part_literals(circuit, entry, value, lits);
            }
        }
    }
}
