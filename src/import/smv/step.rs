//! The step of a model: assigned values, free values, and constraints.

use super::print::{PrintResult, SmvPrinter, members};
use super::system::{FlatSystem, SmvDomain, SmvPlace, SmvVariable};
use super::term::{SmvNode, SmvTerm, SmvType, VariableId};
use super::text::tree::{SmvOp, VariableKind};
use std::collections::BTreeMap;

/// The greatest number of values of a set that a variable takes its next value from: the limit of the language.
const MOST_LISTED: u64 = 4096;

pub(super) struct SmvStep<'s> {
    /// Assignments of a value, or of a set to choose from, that do not read the state after the step.
    assigned: BTreeMap<SmvPlace, &'s SmvTerm>,
    /// Assignments that read the state after the step.
    related: Vec<(SmvPlace, &'s SmvTerm)>,
    constraints: Vec<&'s SmvTerm>,
}

impl<'s> SmvStep<'s> {
    /// Collects the step of a system. A conjunct `next(x) = e` of `TRANS` is equivalent to an assignment if x
    /// is not assigned otherwise: a misfit disables the step in both.
    pub fn new(system: &'s FlatSystem) -> Self {
        let mut step = Self { assigned: BTreeMap::new(), related: Vec::new(), constraints: Vec::new() };
        for (place, term) in &system.next {
            if term.traits.next {
                step.related.push((place.clone(), term));
            } else {
                step.assigned.insert(place.clone(), term);
            }
        }
        for conjunct in system.trans.iter().flat_map(SmvTerm::conjuncts) {
            match assignment(conjunct, system) {
                Some((place, value)) if step.is_unassigned(&place) => _ = step.assigned.insert(place, value),
                _ => step.constraints.push(conjunct),
            }
        }
        step.relate_choices(system);
        step
    }

    /// States the assignments of a variable as constraints where one is a choice, or an element is free, and its values are too
    /// many for a set.
    fn relate_choices(&mut self, system: &'s FlatSystem) {
        for (id, of) in system.variables.iter().enumerate().filter(|(_, of)| is_wide(of)) {
            let places = of.places(id);
            let is_chosen =
                |place| self.assigned.get(place).is_none_or(|term| matches!(term.ty, SmvType::Set(_)));
            if places.iter().any(is_chosen) {
                let assigned = std::mem::take(&mut self.assigned).into_iter();
                let (own, others): (Vec<_>, _) = assigned.partition(|(place, _)| place.variable == id);
                self.assigned = BTreeMap::from_iter::<Vec<_>>(others);
                self.related.extend(own);
            }
        }
    }

    fn is_unassigned(&self, place: &SmvPlace) -> bool {
        !self.assigned.contains_key(place) && self.related.iter().all(|(other, _)| other != place)
    }

    /// Returns the variables that take any value of a range with too many values for a set.
    pub fn free(&self, printer: &SmvPrinter<'_>) -> Vec<String> {
        let all = printer.system.variables.iter().enumerate();
        let free =
            all.filter(|(id, of)| of.kind == VariableKind::State && !of.defined && self.is_free(*id, of));
        free.map(|(id, _)| printer.variables[id].clone()).collect()
    }

    fn is_free(&self, id: VariableId, of: &SmvVariable) -> bool {
        is_wide(of) && of.places(id).iter().all(|place| !self.assigned.contains_key(place))
    }

    pub fn statements(&self, printer: &SmvPrinter<'_>) -> PrintResult<Vec<String>> {
        let mut all = Vec::new();
        for (variable, of) in printer.system.variables.iter().enumerate() {
            if of.kind != VariableKind::State || of.defined {
                continue;
            }
            let places = of.places(variable);
            for place in places {
                let target = target(&place, printer, true);
                match self.assigned.get(&place) {
                    Some(term) => all.extend(assign(&target, &place, term, printer)?),
                    None if self.is_free(variable, of) => {}
                    None => all.push(format!("{target} in {};", printer.domain(&of.domain))),
                }
            }
        }
        for (place, term) in &self.related {
            all.push(format!("constrain {};", chosen(&target(place, printer, true), term, printer)?));
        }
        for constraint in &self.constraints {
            all.push(format!("constrain {};", printer.text(constraint)?));
        }
        Ok(all)
    }
}

/// True if the values of a variable are too many for a set.
fn is_wide(of: &SmvVariable) -> bool {
    matches!(of.domain, SmvDomain::Range(..)) && of.domain.size() > MOST_LISTED
}

/// Matches `next(x) = e` or `next(x) in s`, where the right-hand side does not read the state after the step.
fn assignment<'s>(term: &'s SmvTerm, system: &FlatSystem) -> Option<(SmvPlace, &'s SmvTerm)> {
    let SmvNode::Binary(op @ (SmvOp::Equal | SmvOp::Iff | SmvOp::In), a, b) = &*term.node else {
        return None;
    };
    let sides = if *op == SmvOp::In { vec![(a, b)] } else { vec![(a, b), (b, a)] };
    sides.into_iter().find_map(|(read, value)| match &*read.node {
        SmvNode::Read { variable, indices, next: true } if !value.traits.next && !value.is_temporal() => {
            let constants = indices.iter().map(|index| match *index.node {
                SmvNode::Int(index) => Some(index),
                _ => None,
            });
            let indices = constants.collect::<Option<Vec<_>>>()?;
            // An element out of bounds is not assigned.
            let of = &system.variables[*variable];
            let inside =
                indices.iter().zip(&of.indices).all(|(index, (low, high))| low <= index && index <= high);
            inside.then_some((SmvPlace { variable: *variable, indices }, value))
        }
        _ => None,
    })
}

/// Returns the text of a variable or an element, primed if `next`.
pub(super) fn target(place: &SmvPlace, printer: &SmvPrinter<'_>, next: bool) -> String {
    let indices: String = place.indices.iter().map(|index| format!("[{index}]")).collect();
    format!("{}{}{indices}", printer.variables[place.variable], if next { "'" } else { "" })
}

/// Returns statements that assign a place; `None` if it keeps its value.
fn assign(
    target: &str,
    place: &SmvPlace,
    term: &SmvTerm,
    printer: &SmvPrinter<'_>,
) -> PrintResult<Option<String>> {
    Ok(match &*term.node {
        SmvNode::Case(cases) => {
            let mut text = String::new();
            for (number, (condition, value)) in cases.iter().enumerate() {
                let inner = assign(target, place, value, printer)?;
                let is_last = number + 1 == cases.len();
                if is_last && number > 0 && inner.is_none() {
                    break;
                }
                let inner = inner.unwrap_or_default();
                if number > 0 {
                    text += " else ";
                }
                // The cases are exhaustive, so the last one needs no condition.
                if is_last && number == 0 {
                    return Ok((!inner.is_empty()).then_some(inner));
                }
                text += &match is_last {
                    true => format!("{{ {inner} }}"),
                    false => format!("if {} {{ {inner} }}", printer.text(condition)?),
                };
            }
            Some(text)
        }
        SmvNode::Set(_) | SmvNode::Range(..) => match members(term).as_slice() {
            [only] if !matches!(only.ty, SmvType::Set(_)) => assign(target, place, only, printer)?,
            _ => Some(format!("{target} in {};", printer.set(term)?)),
        },
        SmvNode::Read { variable, indices, next: false } if *variable == place.variable => {
            let same = indices
                .iter()
                .zip(&place.indices)
                .all(|(a, b)| matches!(*a.node, SmvNode::Int(a) if a == *b));
            (!same).then(|| printer.text(term).map(|value| format!("{target} = {value};"))).transpose()?
        }
        _ => Some(format!("{target} = {};", printer.text(term)?)),
    })
}

/// Returns the formula that a place has a value, or one of a set.
pub(super) fn chosen(target: &str, term: &SmvTerm, printer: &SmvPrinter<'_>) -> PrintResult<String> {
    Ok(match &*term.node {
        SmvNode::Case(cases) => {
            let mut text = String::new();
            for (number, (condition, value)) in cases.iter().enumerate() {
                let inner = chosen(target, value, printer)?;
                if number + 1 < cases.len() {
                    text += &format!("if {} then {inner} else ", printer.text(condition)?);
                } else {
                    text += &inner;
                }
            }
            format!("({text})")
        }
        SmvNode::Set(_) | SmvNode::Range(..) => printer.membership(target, term)?,
        _ => format!("({target} = {})", printer.text(term)?),
    })
}
