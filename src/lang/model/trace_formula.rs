//! Formulas about whole traces: that there are positions and values at which a conjunction of facts holds.
//!
//! This is what a trace constraint says (Definition 10 of Vick, Kang and Tripakis, *Counterexample classification*, 2023), as a
//! text in the language of models. It is read again and evaluated here without any of the engines that find such constraints.

use super::expr::{Expr, LocalId};
use super::in_context::{Unreadable, load_predicates};
use super::types::Type;
use super::value::{Moment, Value};
use super::{Model, Position, eval};
use serde::{Deserialize, Serialize};

/// The most values that a variable can have.
const MOST_VALUES: u64 = 4096;

/// A formula as text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TraceFormulaText {
    /// The variables that are bound by "there are", positions first. Their names hide those of the model.
    pub parameters: Vec<ParameterText>,
    /// The facts, all of which hold.
    pub facts: Vec<FactText>,
    /// True if there are such positions for each choice of the other variables, and not only for one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub of_each: bool,
}

/// A variable of a formula.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ParameterText {
    /// Its name.
    pub name: String,
    /// Its type in the language of models; `pos` for a position.
    #[serde(rename = "type")]
    pub ty: String,
}

/// A fact of a formula.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct FactText {
    /// A truth value over the parameters, as the body of a predicate.
    pub holds: String,
    /// The part of the trace in which that holds nowhere; missing for a fact that holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nowhere: Option<StretchText>,
}

/// A part of a trace, its ends excluded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StretchText {
    /// The name of its positions in the fact.
    pub at: String,
    /// The parameter that it begins after; `null` if it begins with the trace.
    pub after: Option<String>,
    /// The parameter that it ends before; `null` if it ends with the trace.
    pub before: Option<String>,
}

/// A formula about traces of a model.
#[derive(Debug, Clone)]
pub struct TraceFormula {
    /// Its variables.
    pub variables: Vec<FormulaVariable>,
    /// The conjuncts of its facts.
    pub parts: Vec<TraceConjunct>,
    /// True if there are such positions for each choice of the other variables, and not only for one.
    pub of_each: bool,
}

/// A variable of a formula.
#[derive(Debug, Clone)]
pub struct FormulaVariable {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// The values that it can have; `None` for a position.
    pub values: Option<Vec<Value>>,
}

/// A conjunct of a formula.
#[derive(Debug, Clone)]
pub struct TraceConjunct {
    /// The index of the fact that it belongs to.
    pub fact: usize,
    /// The variables that it reads, by index, with their names in `expr`. One may have several names.
    pub reads: Vec<(usize, LocalId)>,
    /// A truth value.
    pub expr: Expr,
    /// Where it holds nowhere; `None` if it holds.
    pub nowhere: Option<OpenInterval>,
}

/// A part of a trace, its ends excluded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpenInterval {
    /// The name of its positions in the expression.
    pub at: LocalId,
    /// The variable that it begins after.
    pub after: Option<usize>,
    /// The variable that it ends before.
    pub before: Option<usize>,
}

impl OpenInterval {
    /// The positions of a trace with `length` of them, where the variables have these values.
    pub fn range(self, values: &[Value], length: usize) -> impl Iterator<Item = Position> + use<> {
        let at = |variable: usize| match &values[variable] {
            Value::Int(at) => Position::from_u32(u32::try_from(*at).unwrap_or(0)),
            _ => Position::FIRST,
        };
        let (start, end) = (self.after.map(|after| at(after).next()), Position::new(length));
        Position::range(start.unwrap_or(Position::FIRST)..self.before.map_or(end, at).min(end))
    }
}

impl TraceFormula {
    /// Reads a formula about traces of a model.
    ///
    /// # Errors
    /// If it is not one: unknown names, wrong types, a variable with very many values.
    pub fn read(model: &Model, text: &TraceFormulaText) -> Result<Self, Unreadable> {
        let here = Unreadable::because;
        let declared = load_predicates(model, ("facts", &declarations(text)))?.found.unwrap_or_default();
        if declared.len() != text.facts.len() + 1 {
            return Err(here(format!("these are not {} facts", text.facts.len() + 1)));
        }
        let mut declared = declared.into_iter().map(|predicate| (predicate.params, predicate.body));
        let (variables, _) = declared.next().unwrap_or_else(|| unreachable!("there is one more than facts"));
        if variables.len() != text.parameters.len() {
            return Err(here("the parameters are not what they seem".into()));
        }
        let variables = variables
            .into_iter()
            .map(|param| {
                Ok(FormulaVariable { values: values(model, &param.ty)?, name: param.name, ty: param.ty })
            })
            .collect::<Result<_, String>>()
            .map_err(here)?;
        let mut parts = Vec::new();
        for (fact, (params, body)) in declared.enumerate() {
            let written = &text.facts[fact];
            let count = text.parameters.len();
            if params.len() != count + usize::from(written.nowhere.is_some()) {
                return Err(here(format!("the parameters of `{}` are not what they seem", written.holds)));
            }
            let index = |name: &Option<String>| match name {
                None => Ok(None),
                Some(name) => match params[..count].iter().position(|param| param.name == *name) {
                    Some(at) if params[at].ty == Type::Pos => Ok(Some(at)),
                    _ => Err(here(format!("`{name}` is no position of the formula"))),
                },
            };
            let nowhere = match &written.nowhere {
                None => None,
                Some(stretch) => Some(OpenInterval {
                    at: params[count].local,
                    after: index(&stretch.after)?,
                    before: index(&stretch.before)?,
                }),
            };
            let conjuncts = if nowhere.is_some() { vec![body] } else { body.split_conjuncts() };
            for expr in conjuncts {
                let mut reads: Vec<(usize, LocalId)> =
                    params[..count].iter().map(|param| param.local).enumerate().collect();
                reads.retain(|(variable, local)| {
                    let ends = nowhere.map(|stretch| [stretch.after, stretch.before]);
                    expr.reads_local(*local) || ends.is_some_and(|ends| ends.contains(&Some(*variable)))
                });
                parts.push(TraceConjunct { fact, reads, expr, nowhere });
            }
        }
        Ok(Self { variables, parts, of_each: text.of_each })
    }

    /// The formula without one of its facts; all variables stay.
    #[must_use]
    pub fn without(&self, fact: usize) -> Self {
        let mut less = self.clone();
        less.parts.retain(|part| part.fact != fact);
        less
    }

    /// True if it holds in a trace where its variables have these values; those of positions are numbers from 0.
    pub fn holds(&self, model: &Model, trace: &[Moment], values: &[Value]) -> bool {
        self.parts.iter().all(|part| part.holds(model, trace, values))
    }

    /// The values of its variables with which it first holds in a trace, by the reference semantics; `None` if there are none.
    pub fn matches(&self, model: &Model, trace: &[Moment]) -> Option<Vec<Value>> {
        let order = self.order_of_search();
        let place = |variable: usize| order.iter().position(|other| *other == variable);
        let mut decided: Vec<Vec<&TraceConjunct>> = vec![Vec::new(); order.len() + 1];
        for part in &self.parts {
            let last = part.reads.iter().filter_map(|(variable, _)| place(*variable)).max();
            decided[last.map_or(0, |last| last + 1)].push(part);
        }
        let search = AssignmentSearch { formula: self, model, trace, order, decided };
        let mut values = vec![Value::None; self.variables.len()];
        search.extend(0, &mut values).then_some(values)
    }

    /// Positions in their order, each value once it occurs in a part whose positions are there.
    fn order_of_search(&self) -> Vec<usize> {
        let is_position = |variable: &usize| self.variables[*variable].values.is_none();
        let mut order: Vec<usize> = Vec::new();
        let all = 0..self.variables.len();
        let (positions, mut others): (Vec<usize>, Vec<usize>) = all.partition(is_position);
        for position in positions {
            order.push(position);
            let occurs = |variable: &usize| {
                self.parts.iter().any(|part| {
                    let mut read = part.reads.iter().map(|(variable, _)| variable);
                    let own = read.clone().any(|read| read == variable);
                    own && read.all(|read| !is_position(read) || order.contains(read))
                        && part.reads.iter().any(|(read, _)| is_position(read))
                })
            };
            let now: Vec<usize> = others.iter().copied().filter(occurs).collect();
            others.retain(|variable| !now.contains(variable));
            order.extend(now);
        }
        order.extend(others);
        order
    }
}

impl TraceConjunct {
    /// True if it holds in a trace where the variables of its formula have these values.
    pub(super) fn holds(&self, model: &Model, trace: &[Moment], values: &[Value]) -> bool {
        let mut bound: Vec<(LocalId, Value)> =
            self.reads.iter().map(|(variable, local)| (*local, values[*variable].clone())).collect();
        let Some(nowhere) = self.nowhere else {
            return eval::eval_trace(model, &self.expr, trace, &bound).is_true();
        };
        bound.push((nowhere.at, Value::None));
        let last = bound.len() - 1;
        nowhere.range(values, trace.len()).all(|at| {
            bound[last].1 = at.into();
            !eval::eval_trace(model, &self.expr, trace, &bound).is_true()
        })
    }
}

/// The search for the values of all variables.
struct AssignmentSearch<'a> {
    formula: &'a TraceFormula,
    model: &'a Model,
    trace: &'a [Moment],
    order: Vec<usize>,
    /// For each number of variables that have a value the parts that can be evaluated then, and could not before.
    decided: Vec<Vec<&'a TraceConjunct>>,
}

impl AssignmentSearch<'_> {
    /// Backtracking over the variables in order.
    fn extend(&self, depth: usize, values: &mut Vec<Value>) -> bool {
        if !self.decided[depth].iter().all(|part| part.holds(self.model, self.trace, values)) {
            return false;
        }
        let Some(&variable) = self.order.get(depth) else { return true };
        let mut try_value = |value: Value| {
            values[variable] = value;
            self.extend(depth + 1, values)
        };
        match &self.formula.variables[variable].values {
            None => Position::all(self.trace.len()).any(|at| try_value(at.into())),
            Some(all) => all.iter().any(|value| try_value(value.clone())),
        }
    }
}

/// The facts as predicates of a library, after one that says nothing of the parameters.
fn declarations(text: &TraceFormulaText) -> String {
    let params: Vec<String> = text.parameters.iter().map(|p| format!("{}: {}", p.name, p.ty)).collect();
    let mut library = format!("library facts;\npred fact_0({}) = true;\n", params.join(", "));
    for (number, fact) in text.facts.iter().enumerate() {
        let at = fact.nowhere.iter().map(|stretch| format!("{}: pos", stretch.at));
        let params: Vec<String> = params.iter().cloned().chain(at).collect();
        library += &format!("pred fact_{}({}) = {};\n", number + 1, params.join(", "), fact.holds);
    }
    library
}

/// The values of a type; `None` for positions.
fn values(model: &Model, ty: &Type) -> Result<Option<Vec<Value>>, String> {
    match ty {
        Type::Pos => Ok(None),
        ty if model.types.cardinality(ty) <= MOST_VALUES => Ok(Some(model.types.values(ty))),
        ty => Err(format!("{} has more than {MOST_VALUES} values", model.types.name(ty))),
    }
}
