//! The compiled explorer against the reference semantics where values are awkward: integers beyond the range of the field
//! that they are put into, parts wider than a word, optional composites, and variables that are not packed at all.

use crate::build::*;
use crate::model_common::load;
use crate::random::Random;
use cladist::budget::Budget;
use cladist::explore::{ReachabilityResult, initial_states, reachable, successors, visit};
use cladist::model::Model;
use cladist::model::eval::Scope;
use cladist::model::expr::{Op, VarId};
use cladist::model::types::{EnumId, Type};
use cladist::model::value::{Label, State, Value};
use cladist::model::{PathStep, UpdateValue};
use std::sync::Arc;

const MODELS: u64 = 150;
/// States that are explored of each model.
const STATES: usize = 80;

/// Random expressions as text, over the variables of [`model_text`], a parameter `k : K` and a parameter `i : 0..2`.
struct Texts {
    rng: Random,
    /// The number of names that were bound.
    names: usize,
}

impl Texts {
    fn pick(&mut self, choices: &[&str]) -> String {
        (*self.rng.pick(choices)).to_string()
    }

    fn int(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.pick(&["n", "i", "0", "1", "2", "3", "r[k].n", "r[A].n"]);
        }
        let deeper = depth - 1;
        match self.rng.below(6) {
            0 => format!("({} + {})", self.int(deeper), self.int(0)),
            1 => format!("({} - {})", self.int(deeper), self.int(0)),
            2 => format!("({} * {})", self.int(0), self.int(0)),
            3 => {
                format!("(if {} then {} else {})", self.truth(deeper), self.int(deeper), self.int(deeper))
            }
            4 => format!("({} otherwise {})", self.optional_int(), self.int(deeper)),
            _ => self.int(deeper),
        }
    }

    fn optional_int(&mut self) -> String {
        match self.rng.below(5) {
            0 => "c.n".into(),
            1 => format!("m[{}]", self.pick(&["n", "i", "39"])),
            2 => format!("m[{}]", self.int(1)),
            3 => "b.c.n".into(),
            _ => format!("(c with (n: {})).n", self.int(1)),
        }
    }

    fn key(&mut self) -> String {
        self.pick(&["k", "A", "none", "c.who", "r[k].who", "b.c.who"])
    }

    fn cell(&mut self, depth: usize) -> String {
        match self.rng.below(if depth == 0 { 2 } else { 4 }) {
            0 => "r[k]".into(),
            1 => format!("Cell(n: {}, who: {})", self.int(depth), self.key()),
            2 => format!("(c otherwise {})", self.cell(depth - 1)),
            _ => format!("(r[k] with (n: {}))", self.int(depth)),
        }
    }

    fn optional_cell(&mut self, depth: usize) -> String {
        match self.rng.below(5) {
            0 => "c".into(),
            1 => "none".into(),
            2 => "b.c".into(),
            3 => format!("(c with (n: {}))", self.int(1)),
            _ => self.cell(depth),
        }
    }

    fn set(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.pick(&["s", "{ n, 79 }", "(b.s otherwise s)"]);
        }
        let deeper = depth - 1;
        match self.rng.below(5) {
            0 => format!("({} union {{ {} }})", self.set(deeper), self.int(1)),
            1 => format!("({} minus {{ {}, {} }})", self.set(deeper), self.int(1), self.optional_int()),
            2 => format!("(s intersect {})", self.set(deeper)),
            3 => {
                self.names += 1;
                let (name, limit) = (self.names, self.int(1));
                format!("{{ e{name} in s : e{name} < {limit} }}")
            }
            _ => self.set(deeper),
        }
    }

    fn optional_box(&mut self) -> String {
        match self.rng.below(5) {
            0 => "b".into(),
            1 => "none".into(),
            2 => format!("(b with (c: {}))", self.optional_cell(1)),
            3 => format!("(b with (s: {}))", self.set(1)),
            _ => format!("Box(s: {}, c: {})", self.set(1), self.optional_cell(1)),
        }
    }

    fn truth(&mut self, depth: usize) -> String {
        let deeper = depth.saturating_sub(1);
        match self.rng.below(if depth == 0 { 6 } else { 11 }) {
            0 => format!("{} < {}", self.int(deeper), self.int(0)),
            1 => format!("{} = {}", self.optional_int(), self.int(deeper)),
            2 => format!("{} <= {}", self.int(0), self.optional_int()),
            3 => format!("{} in s", self.int(deeper)),
            4 => self.pick(&["c is some", "b is none", "m[n] is some", "b.c is some"]),
            5 => format!("r[k].who = {}", self.key()),
            6 => format!("{} = {}", self.optional_cell(deeper), self.cell(0)),
            7 => format!("not ({})", self.truth(deeper)),
            8 => format!("({} or {})", self.truth(deeper), self.truth(deeper)),
            9 => {
                self.names += 1;
                let quantifier = self.pick(&["forall", "exists"]);
                let set = self.pick(&["s", "0..3"]);
                let (name, other) = (self.names, self.int(1));
                format!("({quantifier} e{name} in {set}: e{name} != {other})")
            }
            _ => format!("{{ {}, 3 }} subset s", self.int(1)),
        }
    }

    fn update(&mut self) -> String {
        match self.rng.below(9) {
            0 | 1 => format!("n' = {};", self.int(2)),
            2 => format!("c' = {};", self.optional_cell(2)),
            3 => format!("b' = {};", self.optional_box()),
            4 => format!("s' = {};", self.set(2)),
            5 => format!("m'[{}] = {};", self.pick(&["n", "i", "39"]), self.optional_int()),
            6 => {
                format!("m' = map x in 0..39: if x = {} then {} else m[x];", self.int(1), self.optional_int())
            }
            7 => format!("r'[k].n = {};", self.int(2)),
            _ => format!("r'[A] = {}; if i = 1 {{ r'[k] = {}; }}", self.cell(2), self.cell(1)),
        }
    }

    /// Updates of different variables.
    fn updates(&mut self) -> String {
        let mut updates: Vec<String> = Vec::new();
        for _ in 0..1 + self.rng.below(3) {
            let update = self.update();
            if !updates.iter().any(|other| other[..2] == update[..2]) {
                updates.push(update);
            }
        }
        updates.join(" ")
    }
}

fn model_text(seed: u64) -> String {
    let mut texts = Texts { rng: Random::new(seed), names: 0 };
    let mut text = String::from(
        "model wide;
        type K = enum { A, B };
        type Cell = record { n: 0..3, who: option K };
        type Box = record { s: set of 0..79, c: option Cell };
        var n : 0..5;
        var c : option Cell;
        var b : option Box;
        var s : set of 0..79;
        var m : map 0..39 to option 0..2;
        var r : map K to Cell;
        init { n = 1; c = none; b = none; s = { 1, 78 }; m = map x in 0..39: if x < 2 then x else none;
               r = map x in K: Cell(n: 0, who: x); }\n",
    );
    for action in ["go", "put", "swap"] {
        let condition = texts.truth(2);
        text += &format!("action {action}(k: K, i: 0..2) {{ require {condition}; {} }}\n", texts.updates());
    }
    let condition = texts.truth(2);
    text + &format!("invariant small: forall k in K: forall i in 0..2: {condition};\n")
}

/// The model of a seed, if the checker finds nothing wrong with what was written at random.
fn model(seed: u64) -> Option<Model> {
    load(&model_text(seed), &[]).model
}

/// Adds a variable that is not packed, a map from optional keys, with a condition on it and assignments to it.
fn with_interned(mut model: Model, seed: u64) -> Model {
    let mut rng = Random::new(seed);
    let number = model.types.enums.iter().position(|e| e.name == "K").expect("K");
    let id = EnumId(number as u32);
    let key = Type::Enum(id).optional();
    let ty = Type::Map(Arc::new(key.clone()), Arc::new(int(0, 3)));
    let keys = model.types.values(&key);
    let start = Value::Map(keys.iter().map(|key| (key.clone(), Value::Int(1))).collect());
    model.variables.push(variable("t", ty.clone()));
    model.init.push(eq(var(&model, "t"), constant(start, ty)));
    let at = VarId(model.variables.len() as u32 - 1);
    for action in 0..model.actions.len() {
        let mut entry = || index(var(&model, "t"), constant(rng.pick(&keys).clone(), key.clone()));
        let (read, other) = (entry(), entry());
        let place = PathStep::Index(constant(rng.pick(&keys).clone(), key.clone()));
        let limit = number_of(rng.below(4));
        model.actions[action].requires.push(compare(Op::Le, read, limit));
        let value = arithmetic(Op::Add, other, number_of(1));
        let value = UpdateValue::Is(value);
        model.actions[action].updates.push(update(at.0, vec![place], int(0, 3), value));
    }
    model
}

fn number_of(n: usize) -> cladist::model::expr::Expr {
    constant(Value::Int(n as i64), int(n as i64, n as i64))
}

/// Explores a part of the model; returns how many states and steps were compared.
fn compare_with_reference(model: &Model, seed: u64) -> (usize, usize) {
    let explored = reachable(model, STATES, &Budget::unlimited());
    assert_eq!(explored.states[..explored.initial], initial_states(model, 100_000).expect("few"));
    let mut edges = explored.edges.iter().peekable();
    let mut compared = 0;
    for from in 0..explored.explored {
        let expected = successors(model, &explored.states[from], 100_000).expect("few");
        let mut found: Vec<(Label, State)> = Vec::new();
        while let Some(edge) = edges.next_if(|edge| edge.from == from) {
            found.push((edge.label.clone(), explored.states[edge.to].clone()));
        }
        compared += expected.len();
        assert_eq!(found, expected, "seed {seed}, state {from}");
    }
    let invariant = model.properties[0].invariant().expect("an invariant");
    let bad = explored.states.iter().position(|s| !Scope::new(model).with_state(s).holds(invariant));
    let visited = visit(model, invariant, STATES, &Budget::unlimited());
    match (bad, visited) {
        (Some(first), visited) => {
            assert_eq!(visited, ReachabilityResult::Violated(explored.depths[first]), "seed {seed}")
        }
        (None, ReachabilityResult::Violated(depth)) => panic!("seed {seed}: violated after {depth} steps"),
        (None, _) => {}
    }
    (explored.explored, compared)
}

#[test]
fn awkward_values_are_explored_as_by_the_reference_semantics() {
    let (mut models, mut states, mut steps) = (0, 0, 0);
    for seed in 0..MODELS {
        let Some(mut model) = model(seed) else { continue };
        if seed % 3 == 0 {
            model = with_interned(model, seed);
        }
        let (more_states, more_steps) = compare_with_reference(&model, seed);
        models += 1;
        states += more_states;
        steps += more_steps;
    }
    println!("{models} models, {states} states, {steps} steps");
    assert!(models >= MODELS / 2 && states >= 5 * MODELS as usize && steps >= 30 * MODELS as usize);
}

/// A value outside of a field's range makes the step impossible, wherever the value is computed on the way.
#[test]
fn a_field_out_of_range_is_no_step() {
    let text = "model out;
        type Cell = record { n: 0..3, big: bool };
        var c : option Cell;
        var seen : bool;
        init { c = Cell(n: 2, big: false); seen = false; }
        action up { c' = c with (n: (c.n otherwise 0) + 1); }
        action compare { require (c with (n: (c.n otherwise 0) + 4)) != c; seen' = true; }
        invariant never: not seen;";
    let model = load(text, &[]).model.expect("a model");
    let reached = reachable(&model, 100, &Budget::unlimited());
    assert!(reached.complete());
    // n is 2 or 3, before and after `compare`.
    assert_eq!(reached.states.len(), 4);
}
