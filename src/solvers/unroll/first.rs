//! The first of all traces that satisfy given assumptions, in an order defined by the model, so that the trace
//! is independent of the solver and of chance.

use super::frame::Frame;
use super::frames::Unrolling;
use super::symbolic::Symbolic;
use crate::sat::{Answer, Circuit, Lit};
use kit::budget::Exhausted;
use lang::model::expr::VarId;
use lang::model::{Action, Position, UpdateValue};
use std::collections::BTreeSet;

impl Unrolling<'_> {
    /// After an answer [`Answer::Sat`] under `assumptions`: finds the trace that satisfies them and whose first
    /// `length` steps are least; afterwards it is the solver's assignment. The order is lexicographic: first
    /// the initial states by their values, variable by variable; then, step by step, the actions in the order
    /// of declaration, their arguments, and the values that the action leaves open.
    ///
    /// # Errors
    /// If the budget is exhausted first; there is no assignment then.
    pub fn first_trace(&mut self, length: usize, assumptions: &[Lit]) -> Result<(), Exhausted> {
        let frames = &self.frames[..=length];
        let places = frames.iter().map(|frame| PositionChoices::new(&self.circuit, frame)).collect();
        let mut search = FirstTraceSearch {
            circuit: &mut self.circuit,
            places,
            fixed: assumptions.to_vec(),
            assigned: true,
        };
        search.read();
        search.start_near(&self.decided)?;
        let variables: Vec<ChoiceGroup> =
            (0..self.model.variables.len()).map(ChoiceGroup::Variable).collect();
        search.fix(Position::FIRST, &variables)?;
        for position in Position::up_to(Position::after(length)).skip(1) {
            search.fix(position, &[ChoiceGroup::Action])?;
            let Some(taken) = search.places[position.index()].action[0].at else { continue };
            let open = left_open(&self.model.actions[taken]).into_iter();
            let open = open.map(|var| ChoiceGroup::Variable(var.0 as usize));
            let groups: Vec<ChoiceGroup> = [ChoiceGroup::Arguments(taken)].into_iter().chain(open).collect();
            search.fix(position, &groups)?;
        }
        if !search.assigned {
            let answer = search.solve(&[])?;
            debug_assert_eq!(answer, Answer::Sat);
        }
        self.decided = search.fixed.split_off(assumptions.len());
        Ok(())
    }
}

/// The variables whose new value the action leaves open.
fn left_open(action: &Action) -> BTreeSet<VarId> {
    let chosen = action.updates.iter().filter(|u| matches!(u.value, UpdateValue::In(_))).map(|u| u.var);
    action.modifies.iter().copied().chain(chosen).collect()
}

/// Literals of which at most one holds, in order of preference.
struct OpenChoice {
    lits: Vec<Lit>,
    /// The index of the one that holds in the assignment read last.
    at: Option<usize>,
}

/// The maximum number of queries spent on a prefix of the previous trace.
const TRIES: usize = 3;

struct PositionChoices {
    action: Vec<OpenChoice>,
    /// The choices of arguments, for each action.
    arguments: Vec<Vec<OpenChoice>>,
    variables: Vec<Vec<OpenChoice>>,
}

#[derive(Clone, Copy)]
enum ChoiceGroup {
    Action,
    Arguments(usize),
    Variable(usize),
}

impl PositionChoices {
    fn new(circuit: &Circuit, frame: &Frame) -> Self {
        let choices = |values: &[Symbolic]| {
            let mut list = Vec::new();
            values.iter().for_each(|value| add_choices(circuit, value, &mut list));
            list
        };
        Self {
            action: vec![OpenChoice { lits: frame.actions.clone(), at: None }],
            arguments: frame.args.iter().map(|args| choices(args)).collect(),
            variables: frame.state.iter().map(|value| choices(std::slice::from_ref(value))).collect(),
        }
    }

    fn group(&mut self, group: ChoiceGroup) -> &mut [OpenChoice] {
        match group {
            ChoiceGroup::Action => &mut self.action,
            ChoiceGroup::Arguments(action) => &mut self.arguments[action],
            ChoiceGroup::Variable(var) => &mut self.variables[var],
        }
    }
}

/// Appends the choices in a value that are left to the solver.
fn add_choices(circuit: &Circuit, value: &Symbolic, list: &mut Vec<OpenChoice>) {
    let mut add = |lits: Vec<Lit>| {
        if !lits.contains(&circuit.yes()) {
            list.push(OpenChoice { lits, at: None });
        }
    };
    match value {
        Symbolic::Bool(lit) => add(vec![!*lit, *lit]),
        Symbolic::Scalar(entries) => add(entries.iter().map(|(_, lit)| *lit).collect()),
        // From the first bit that tells numbers apart to the last, so that the least number comes first.
        Symbolic::Binary(number) => {
            add(vec![number.none, number.there]);
            add(vec![number.sign(), !number.sign()]);
            let bits: Vec<Lit> = number.unsigned_bits().collect();
            bits.into_iter().rev().for_each(|bit| add(vec![!bit, bit]));
        }
        Symbolic::Set { present, members } => {
            add(vec![!*present, *present]);
            members.iter().for_each(|(_, lit)| add(vec![!*lit, *lit]));
        }
        Symbolic::Record { present, fields, .. } => {
            add(vec![!*present, *present]);
            fields.iter().for_each(|field| add_choices(circuit, field, list));
        }
        Symbolic::Map { present, entries } => {
            add(vec![!*present, *present]);
            entries.iter().for_each(|(_, entry)| add_choices(circuit, entry, list));
        }
    }
}

struct FirstTraceSearch<'c> {
    circuit: &'c mut Circuit,
    places: Vec<PositionChoices>,
    /// The assumptions and the decisions so far.
    fixed: Vec<Lit>,
    /// True if the solver's assignment is still the one read last.
    assigned: bool,
}

impl FirstTraceSearch<'_> {
    /// Finds a trace that shares a prefix of these decisions, as long as a few queries can establish. The starting
    /// point does not affect the result, but a close one saves queries.
    fn start_near(&mut self, decisions: &[Lit]) -> Result<(), Exhausted> {
        let mut decisions = decisions;
        for _ in 0..TRIES {
            if decisions.is_empty() || self.solve(decisions)? == Answer::Sat {
                break;
            }
            let core = self.circuit.core();
            let last = decisions.iter().rposition(|lit| core.contains(lit));
            decisions = &decisions[..last.unwrap_or(0)];
        }
        Ok(())
    }

    /// Decides groups of choices in order: for each the first alternative that is consistent with what is fixed.
    fn fix(&mut self, position: Position, groups: &[ChoiceGroup]) -> Result<(), Exhausted> {
        let numbered = groups.iter().flat_map(|&group| {
            let count = self.places[position.index()].group(group).len();
            (0..count).map(move |number| (group, number))
        });
        let choices: Vec<(ChoiceGroup, usize)> = numbered.collect();
        self.decide(position, &choices)
    }

    /// Decides a list of choices. Often all of them can take their first alternatives together, which one query
    /// establishes; otherwise the halves are decided one after the other.
    fn decide(&mut self, position: Position, choices: &[(ChoiceGroup, usize)]) -> Result<(), Exhausted> {
        if let [(group, number)] = *choices {
            return self.decide_one(position, group, number);
        }
        let first = |search: &mut Self, &(group, number): &(ChoiceGroup, usize)| {
            let choice = &search.places[position.index()].group(group)[number];
            let least = choice.lits.iter().position(|&lit| lit != search.circuit.no());
            least.zip(choice.at).map(|(least, at)| (choice.lits[least], least == at))
        };
        let firsts: Vec<(Lit, bool)> = choices.iter().filter_map(|c| first(self, c)).collect();
        let lits: Vec<Lit> = firsts.iter().map(|f| f.0).collect();
        if firsts.iter().all(|f| f.1) || self.solve(&lits)? == Answer::Sat {
            self.fixed.extend(lits);
            return Ok(());
        }
        let (before, after) = choices.split_at(choices.len() / 2);
        self.decide(position, before)?;
        self.decide(position, after)
    }

    /// Decides one choice, alternative by alternative.
    fn decide_one(&mut self, position: Position, group: ChoiceGroup, number: usize) -> Result<(), Exhausted> {
        loop {
            let choice = &self.places[position.index()].group(group)[number];
            let Some(at) = choice.at else { return Ok(()) };
            let others: Vec<Lit> = choice.lits[at..].iter().map(|&lit| !lit).collect();
            let earlier = choice.lits[..at].iter().any(|&lit| lit != self.circuit.no());
            if !earlier || self.solve(&others)? == Answer::Unsat {
                let lit = self.places[position.index()].group(group)[number].lits[at];
                self.fixed.push(lit);
                return Ok(());
            }
        }
    }

    fn solve(&mut self, also: &[Lit]) -> Result<Answer, Exhausted> {
        let assumptions = [&self.fixed, also].concat();
        let answer = self.circuit.solve(&assumptions);
        self.assigned = answer == Answer::Sat;
        match answer {
            Answer::Sat => self.read(),
            Answer::Unsat => {}
            Answer::Unknown(why) => return Err(why),
        }
        Ok(answer)
    }

    fn read(&mut self) {
        let choices = self.places.iter_mut().flat_map(|place| {
            let arguments = place.arguments.iter_mut().flatten();
            place.action.iter_mut().chain(arguments).chain(place.variables.iter_mut().flatten())
        });
        for choice in choices {
            choice.at = choice.lits.iter().position(|&lit| self.circuit.value(lit));
        }
    }
}
