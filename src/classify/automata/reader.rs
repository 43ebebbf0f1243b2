//! Evaluates a letter at the arrivals of a graph, once for each combination of values of the variables that
//! it reads, and of the label if it reads that.

use crate::automata::letter::Letter;
use engines::explore::Graph;
use kit::number::to_u32;
use lang::model::Model;
use lang::model::expr::{ExprKind, VarId};
use lang::model::value::Value;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The values of variables in all states, numbered.
pub struct Codes<'g> {
    graph: &'g Graph,
    of_variables: Vec<Option<Vec<u32>>>,
    /// Codes of several variables together.
    known: FxHashMap<Vec<VarId>, Rc<[u32]>>,
}

impl<'g> Codes<'g> {
    /// Creates an empty numbering.
    pub fn new(model: &Model, graph: &'g Graph) -> Self {
        Self { graph, of_variables: vec![None; model.variables.len()], known: FxHashMap::default() }
    }

    /// Returns a number for each state; equal where all these variables have equal values.
    fn of(&mut self, variables: &[VarId]) -> Rc<[u32]> {
        if let Some(known) = self.known.get(variables) {
            return known.clone();
        }
        let mut codes = vec![0; self.graph.states.len()];
        for variable in variables {
            let mut pairs: FxHashMap<(u32, u32), u32> = FxHashMap::default();
            let of_variable = self.of_variable(*variable);
            for (code, value) in codes.iter_mut().zip(of_variable) {
                let next = to_u32(pairs.len());
                *code = *pairs.entry((*code, *value)).or_insert(next);
            }
        }
        let codes: Rc<[u32]> = codes.into();
        self.known.insert(variables.to_vec(), codes.clone());
        codes
    }

    fn of_variable(&mut self, variable: VarId) -> &[u32] {
        let index = variable.0 as usize;
        let states = &self.graph.states;
        self.of_variables[index].get_or_insert_with(|| {
            let mut numbers: FxHashMap<&Value, u32> = FxHashMap::default();
            let mut number = |value| {
                let next = to_u32(numbers.len());
                *numbers.entry(value).or_insert(next)
            };
            states.iter().map(|state| number(&state.0[index])).collect()
        })
    }
}

/// A letter with its memoised truth values.
pub struct LetterReader<'l> {
    letter: &'l Letter,
    reads_label: bool,
    /// For each state, the number of its combination of values.
    code: Rc<[u32]>,
    /// Truth values by these numbers, if the letter does not read the label.
    by_state: Vec<Option<bool>>,
    /// Truth values by labels and these numbers, if it does.
    by_label: FxHashMap<(Option<u32>, u32), bool>,
}

impl<'l> LetterReader<'l> {
    /// Creates a reader without any evaluated values.
    pub fn new(letter: &'l Letter, codes: &mut Codes<'_>) -> Self {
        let mut variables = Vec::new();
        letter.expr.walk(&mut |e| {
            if let ExprKind::Var(variable) = e.kind {
                variables.push(variable);
            }
        });
        variables.sort_unstable();
        variables.dedup();
        let code = codes.of(&variables);
        let distinct = code.iter().max().map_or(0, |&most| most as usize + 1);
        Self {
            letter,
            reads_label: letter.reads_label(),
            code,
            by_state: vec![None; distinct],
            by_label: FxHashMap::default(),
        }
    }

    /// True if it reads the label of the step that leads to the moment.
    pub fn reads_label(&self) -> bool {
        self.reads_label
    }

    /// True if the letter is true of an arrival, by the reference semantics.
    pub fn holds(&mut self, model: &Model, graph: &Graph, arrival: u32) -> bool {
        let code = self.code[graph.state_of(arrival)];
        let evaluate = || self.letter.holds(model, &graph.moment(arrival));
        if self.reads_label {
            let label = graph.arrivals[arrival as usize].label;
            *self.by_label.entry((label, code)).or_insert_with(evaluate)
        } else {
            *self.by_state[code as usize].get_or_insert_with(evaluate)
        }
    }
}
