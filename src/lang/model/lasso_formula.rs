//! Formulas about infinite traces that repeat a part for ever: what is so at some position, again and again, or from some position on.
//!
//! This is what a class of infinite counterexamples says, as a text in the language of models. It is read again and evaluated here
//! without any of the engines that find such classes.

use super::expr::{Expr, ExprKind, LocalId};
use super::in_context::Unreadable;
use super::trace_formula::{FactText, ParameterText, TraceFormula, TraceFormulaText};
use super::types::Type;
use super::value::{Moment, Value};
use super::{FormulaVariable, Model, Position};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// The most values that all individuals of a formula can have together.
const MOST_CHOICES: usize = 4096;

/// A formula as text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct LassoFormulaText {
    /// The individuals that there are.
    pub individuals: Vec<ParameterText>,
    /// The name of the position that texts are about.
    pub position: String,
    /// The facts, all of which hold.
    pub facts: Vec<LassoFactText>,
    /// Truth values over the individuals alone.
    pub distinct: Vec<String>,
}

/// The positions of an infinite trace at which something holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Recurrence {
    /// At infinitely many positions.
    Again,
    /// At all positions from some position on.
    Forever,
    /// At some position.
    Once,
}

/// A fact of a formula.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct LassoFactText {
    /// The positions at which the facts hold.
    pub when: Recurrence,
    /// The facts there. With `once` there can be several lists, for positions of which each is later than the one before.
    #[cfg_attr(feature = "schemas", schemars(length(min = 1)))]
    pub at: Vec<Vec<SaidText>>,
    /// With `once`: the facts at every position after the last one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub after: Vec<SaidText>,
}

/// Something that is so at a position, or not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SaidText {
    /// A truth value over the position and the individuals, as the body of a predicate.
    pub text: String,
    /// True if it is so.
    pub holds: bool,
}

/// A formula about the infinite traces of a model.
#[derive(Debug, Clone)]
pub struct LassoFormula {
    /// Everything that is said, each as a fact, over the position, which is its first variable, and the individuals.
    said: TraceFormula,
    texts: Vec<String>,
    /// The facts.
    pub facts: Vec<RecurringFact>,
    /// The numbers of what is said of the individuals alone.
    pub distinct: Range<usize>,
    /// The values that the individuals can have together.
    pub choices: Vec<Vec<Value>>,
}

/// A fact of a formula.
#[derive(Debug, Clone)]
pub struct RecurringFact {
    /// When it is so.
    pub when: Recurrence,
    /// The facts at positions of which each is later than the one before; one list unless `when` is [`Recurrence::Once`].
    pub at: Vec<Vec<LassoLiteral>>,
    /// The facts at every position after the last one.
    pub after: Vec<LassoLiteral>,
}

/// Something that is so at a position, or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LassoLiteral {
    /// Its number in the formula.
    pub number: usize,
    /// True if it is so.
    pub holds: bool,
}

impl LassoFormulaText {
    /// The formulas that lack one part each: something that is said in a fact, in the order of the text, or that its positions up to one come
    /// before the others, or that individuals differ.
    pub fn weaker(&self) -> Vec<Self> {
        let mut list = Vec::new();
        for (index, fact) in self.facts.iter().enumerate() {
            list.extend(fact.weaker().into_iter().map(|parts| {
                let mut less = self.clone();
                less.facts.splice(index..=index, parts);
                less
            }));
        }
        for part in 0..self.distinct.len() {
            let mut less = self.clone();
            less.distinct.remove(part);
            list.push(less);
        }
        list
    }
}

impl LassoFactText {
    /// The rest of it without one of its parts each. Of positions about which nothing is left to say, there is only the last one, as
    /// something may be so after it.
    fn weaker(&self) -> Vec<Vec<Self>> {
        let mut list = Vec::new();
        for position in 0..self.at.len() {
            for part in 0..self.at[position].len() {
                let mut less = self.clone();
                less.at[position].remove(part);
                if less.at[position].is_empty() && position + 1 < less.at.len() {
                    less.at.remove(position);
                } else if less.at[position].is_empty() && position > 0 && less.after.is_empty() {
                    less.at.pop();
                }
                list.push(vec![less]);
            }
        }
        for part in 0..self.after.len() {
            let mut less = self.clone();
            less.after.remove(part);
            list.push(vec![less]);
        }
        for order in 1..self.at.len() {
            let (earlier, later) = self.at.split_at(order);
            let earlier = Self { at: earlier.to_vec(), after: Vec::new(), ..self.clone() };
            list.push(vec![earlier, Self { at: later.to_vec(), ..self.clone() }]);
        }
        list
    }
}

impl LassoFormula {
    /// Reads a formula about infinite traces of a model.
    ///
    /// # Errors
    /// If it is not one: unknown names, wrong types, texts about other positions than their own, individuals with very many values.
    pub fn read(model: &Model, text: &LassoFormulaText) -> Result<Self, Unreadable> {
        let wrong = Unreadable::because;
        let position = ParameterText { name: text.position.clone(), ty: "pos".into() };
        let mut texts: Vec<FactText> = Vec::new();
        let mut add = |text: &str| {
            texts.push(FactText { holds: text.to_owned(), nowhere: None });
            texts.len() - 1
        };
        let mut facts = Vec::new();
        for LassoFactText { when, at, after } in &text.facts {
            if at.is_empty() || *when != Recurrence::Once && (at.len() > 1 || !after.is_empty()) {
                return Err(wrong("a fact is about the wrong number of positions".into()));
            }
            let mut all = |list: &Vec<SaidText>| -> Vec<LassoLiteral> {
                list.iter().map(|said| LassoLiteral { number: add(&said.text), holds: said.holds }).collect()
            };
            let at = at.iter().map(&mut all).collect();
            facts.push(RecurringFact { when: *when, at, after: all(after) });
        }
        let first_distinct = texts.len();
        let of_individuals = text.distinct.iter().map(|text| FactText { holds: text.clone(), nowhere: None });
        texts.extend(of_individuals);
        let whole = TraceFormulaText {
            parameters: std::iter::once(position).chain(text.individuals.iter().cloned()).collect(),
            facts: texts,
            of_each: false,
        };
        let said = TraceFormula::read(model, &whole)?;
        for part in &said.parts {
            let own = part.reads.iter().find(|(variable, _)| *variable == 0).map(|(_, local)| *local);
            let is_distinct = part.fact >= first_distinct;
            if !reads_one_moment(&part.expr, own) || is_distinct && own.is_some() {
                return Err(wrong(format!("`{}` is about other positions", whole.facts[part.fact].holds)));
            }
        }
        let choices = choices(&said.variables[1..])
            .ok_or_else(|| wrong(format!("the individuals have more than {MOST_CHOICES} values together")))?;
        let distinct = first_distinct..first_distinct + text.distinct.len();
        let texts = whole.facts.into_iter().map(|fact| fact.holds).collect();
        let mut formula = Self { said, texts, facts, distinct, choices: Vec::new() };
        let differ = |values: &Vec<Value>| {
            formula.distinct.clone().all(|number| formula.is_so(model, number, &[], Position::FIRST, values))
        };
        formula.choices = choices.into_iter().filter(differ).collect();
        Ok(formula)
    }

    /// The text of something that is said.
    ///
    /// # Panics
    /// If nothing has this number.
    pub fn text(&self, number: usize) -> &str {
        &self.texts[number]
    }

    /// The individuals.
    pub fn individuals(&self) -> &[FormulaVariable] {
        &self.said.variables[1..]
    }

    /// The conjuncts of something that is said.
    pub fn parts(&self, number: usize) -> impl Iterator<Item = &super::TraceConjunct> {
        self.said.parts.iter().filter(move |part| part.fact == number)
    }

    /// True if it holds in the infinite trace that goes on from its last position as from `start`, whose state it ends in, by the
    /// reference semantics.
    pub fn holds(&self, model: &Model, trace: &[Moment], start: Position) -> bool {
        self.choices
            .iter()
            .any(|values| self.facts.iter().all(|fact| self.fact_holds(model, fact, trace, start, values)))
    }

    /// True if it holds in such a trace with these values of its individuals, where what happens once does so at these positions, each in
    /// the first round in which it can be later than the one before.
    pub fn holds_at(
        &self,
        model: &Model,
        trace: &[Moment],
        start: Position,
        values: &[Value],
        positions: &[Position],
    ) -> bool {
        let mut positions = positions.iter().copied();
        let end = Position::new(trace.len());
        let is_later = |before: Position, at: Position| at > before || at > start;
        self.choices.iter().any(|choice| choice == values)
            && self.facts.iter().all(|fact| {
                if fact.when != Recurrence::Once {
                    return self.fact_holds(model, fact, trace, start, values);
                }
                let own: Vec<Position> = positions.by_ref().take(fact.at.len()).collect();
                let here = |said: &[LassoLiteral], at: Position| {
                    said.iter().all(|said| self.is_so(model, said.number, trace, at, values) == said.holds)
                };
                let Some(&last) = own.last().filter(|_| own.len() == fact.at.len()) else { return false };
                let mut later = Position::range(last.next()..end).chain(Position::range(start.next()..end));
                own.windows(2).all(|pair| is_later(pair[0], pair[1]))
                    && own.iter().zip(&fact.at).all(|(at, said)| *at < end && here(said, *at))
                    && later.all(|at| here(&fact.after, at))
            })
    }

    /// True if what has this number is so at a position, if the individuals have these values.
    fn is_so(&self, model: &Model, number: usize, trace: &[Moment], at: Position, values: &[Value]) -> bool {
        let mut all = vec![at.into()];
        all.extend(values.iter().cloned());
        self.parts(number).all(|part| part.holds(model, trace, &all))
    }

    fn fact_holds(
        &self,
        model: &Model,
        fact: &RecurringFact,
        trace: &[Moment],
        start: Position,
        values: &[Value],
    ) -> bool {
        let end = Position::new(trace.len());
        let positions = || Position::all(trace.len());
        let here = |said: &[LassoLiteral], at: Position| {
            said.iter().all(|said| self.is_so(model, said.number, trace, at, values) == said.holds)
        };
        // The step that closes the loop comes again and again, and not the one that leads to its beginning.
        let mut round = Position::range(start.next()..end);
        match fact.when {
            Recurrence::Again => round.any(|at| here(&fact.at[0], at)),
            Recurrence::Forever => round.all(|at| here(&fact.at[0], at)),
            Recurrence::Once => {
                let after: Vec<bool> = positions().map(|at| here(&fact.after, at)).collect();
                let later =
                    |at: Position| Position::range(at.next()..end).chain(Position::range(start.next()..end));
                let mut rest: Vec<bool> =
                    positions().map(|at| later(at).all(|at| after[at.index()])).collect();
                for (index, said) in fact.at.iter().enumerate().rev() {
                    let now: Vec<bool> = positions().map(|at| rest[at.index()] && here(said, at)).collect();
                    if index == 0 {
                        return now.contains(&true);
                    }
                    rest = positions().map(|at| later(at).any(|at| now[at.index()])).collect();
                }
                false
            }
        }
    }
}

/// True if the truth of an expression depends on the state and the label at a position only, if it reads one.
pub fn reads_one_moment(expr: &Expr, position: Option<LocalId>) -> bool {
    reads_only(expr, &mut position.into_iter().collect())
}

/// Of an expression whose truth depends on the state and the label at one position only ([`reads_one_moment`]): the expression over that
/// state and label.
pub fn of_one_moment(expr: &Expr) -> Expr {
    match &expr.kind {
        ExprKind::At { value, .. } => (**value).clone(),
        ExprKind::Let { bindings, body } if bindings.iter().any(|(_, value)| value.ty == Type::Pos) => {
            let values = bindings.iter().filter(|(_, value)| value.ty != Type::Pos);
            let values: Vec<_> = values.map(|(local, value)| (*local, of_one_moment(value))).collect();
            Expr::with_names(&values, of_one_moment(body))
        }
        _ => {
            let mut result = expr.clone();
            result.for_each_child(&mut |child| *child = of_one_moment(child));
            result
        }
    }
}

/// True if an expression reads no positions but these, and says nothing of where they are.
fn reads_only(expr: &Expr, positions: &mut Vec<LocalId>) -> bool {
    match &expr.kind {
        ExprKind::At { value, at } => positions.contains(at) && !reads_earlier_step(value),
        ExprKind::Never { .. } => false,
        ExprKind::Local(_) => expr.ty != Type::Pos,
        ExprKind::Let { bindings, body } => {
            let simple = bindings.iter().all(|(local, value)| match value.kind {
                ExprKind::Local(same) if value.ty == Type::Pos => {
                    positions.push(*local);
                    positions.contains(&same)
                }
                _ => value.ty != Type::Pos && reads_only(value, positions),
            });
            simple && reads_only(body, positions)
        }
        _ => expr.children().into_iter().all(|child| reads_only(child, positions)),
    }
}

/// True if a state expression reads the label of the step to the state before, or what was before that: in a loop, these are not the same each time
/// around.
fn reads_earlier_step(expr: &Expr) -> bool {
    expr.any(&|e| matches!(&e.kind, ExprKind::Previous(value) if value.any(&Expr::is_of_step)))
}

/// The values that variables can have together; `None` if they are too many.
fn choices(variables: &[FormulaVariable]) -> Option<Vec<Vec<Value>>> {
    let mut all = vec![Vec::new()];
    for variable in variables {
        let values = variable.values.as_ref()?;
        if all.len().saturating_mul(values.len()) > MOST_CHOICES {
            return None;
        }
        let with = |before: &Vec<Value>| -> Vec<Vec<Value>> {
            values.iter().map(|value| [before.as_slice(), std::slice::from_ref(value)].concat()).collect()
        };
        all = all.iter().flat_map(with).collect();
    }
    Some(all)
}
