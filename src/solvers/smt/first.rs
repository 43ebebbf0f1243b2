//! The initial state. What the `init` formulas fix is found by making them again with what is known so far, until nothing more
//! becomes known; so that constants go into all that follows.

use super::expression::Translator;
use super::script::Script;
use super::shape::{Leaves, NewSymbols, ValueName, unknown, well_formed};
use super::symbolic::TermValue;
use super::term::{Number, NumberForm, Term, TermRange, Terms, Truth, TruthForm};
use lang::model::Model;
use lang::model::expr::Expr;
use rustc_hash::FxHashMap;

/// Leaves that were made before, or what they are known to be.
struct KnownChoices<'s> {
    script: &'s mut Script,
    leaves: std::vec::IntoIter<Term>,
}

impl KnownChoices<'_> {
    fn next(&mut self) -> Term {
        self.leaves.next().unwrap_or_else(|| unreachable!("a type always has the same leaves"))
    }
}

impl Leaves for KnownChoices<'_> {
    fn terms(&mut self) -> &mut Terms {
        &mut self.script.terms
    }

    fn truth(&mut self, _: &str) -> Truth {
        match self.next() {
            Term::Truth(truth) => truth,
            Term::Number(_) => unreachable!("leaves come in the same order"),
        }
    }

    fn number(&mut self, _: &str, _: TermRange) -> Number {
        match self.next() {
            Term::Number(number) => number,
            Term::Truth(_) => unreachable!("leaves come in the same order"),
        }
    }
}

/// Something that has to hold in the initial state.
pub struct FirstDemand<'m> {
    /// Where it is written; `None` for what the types say.
    pub source: Option<&'m Expr>,
    pub formula: Truth,
}

/// The initial state.
pub struct FirstState<'m> {
    /// The values of the variables.
    pub state: Vec<TermValue>,
    /// The conditions that remain.
    pub demands: Vec<FirstDemand<'m>>,
}

/// Declares the values of the variables in the initial state, or defines them where they are known.
pub fn first_state<'m>(script: &mut Script, model: &'m Model) -> FirstState<'m> {
    let mut symbols = NewSymbols { script, made: Vec::new() };
    let state = values(&mut symbols, model);
    let symbols = symbols.made;
    let mut known: FxHashMap<Term, Term> = FxHashMap::default();
    let mut state = state;
    let commands = script.commands.len();
    loop {
        let demands = demands(script, model, &state);
        script.forget_after(commands);
        let before = known.len();
        for demand in &demands {
            learn(&mut script.terms, demand.formula, &mut known);
        }
        if known.len() == before || !script.terms.goes_on() {
            break;
        }
        let leaves: Vec<Term> =
            symbols.iter().map(|symbol| known.get(symbol).copied().unwrap_or(*symbol)).collect();
        state = values(&mut KnownChoices { script, leaves: leaves.into_iter() }, model);
    }
    for symbol in symbols {
        match known.get(&symbol) {
            Some(value) => script.define(symbol, *value),
            None => script.declare(symbol),
        }
    }
    let demands = demands(script, model, &state);
    FirstState { state, demands }
}

fn values(leaves: &mut dyn Leaves, model: &Model) -> Vec<TermValue> {
    let value = |variable: &lang::model::Variable| {
        unknown(leaves, &model.types, ValueName { place: &variable.name, when: "@0" }, &variable.ty)
    };
    model.variables.iter().map(value).collect()
}

fn demands<'m>(script: &mut Script, model: &'m Model, state: &[TermValue]) -> Vec<FirstDemand<'m>> {
    let mut demands = Vec::new();
    for (value, variable) in state.iter().zip(&model.variables) {
        let formula = well_formed(&mut script.terms, &model.types, value, &variable.ty);
        demands.push(FirstDemand { source: None, formula });
    }
    for source in &model.init {
        let formula = Translator::new(script, model, state).truth(source);
        demands.push(FirstDemand { source: Some(source), formula });
    }
    demands
}

/// Adds what a formula says of single symbols.
fn learn(terms: &mut Terms, formula: Truth, known: &mut FxHashMap<Term, Term>) {
    match terms.truth(formula).clone() {
        TruthForm::And(parts) => parts.iter().for_each(|part| learn(terms, *part, known)),
        TruthForm::Symbol(_) => {
            known.entry(Term::Truth(formula)).or_insert(Term::Truth(Terms::YES));
        }
        TruthForm::Not(inner) if matches!(terms.truth(inner), TruthForm::Symbol(_)) => {
            known.entry(Term::Truth(inner)).or_insert(Term::Truth(Terms::NO));
        }
        TruthForm::Equal(symbol, value)
            if matches!(terms.number(symbol), NumberForm::Symbol(_)) && terms.value(value).is_some() =>
        {
            known.entry(Term::Number(symbol)).or_insert(Term::Number(value));
        }
        _ => {}
    }
}
