//! Random expressions, written as text: names, sums, least and greatest values, ranges narrowed by conditions, enabled
//! actions. The encoding, the explorer and the formulas for enabled actions against the reference semantics.

use crate::random::{Random, cases};
use cladist::budget::Budget;
use cladist::explore::{initial_states, reachable, successors};
use cladist::model::eval::{allows_step, eval_state};
use cladist::model::expr::Expr;
use cladist::model::value::{Moment, State, Value};
use cladist::model::{IntegerEncoding, Model, Position, load_text};
use cladist::sat::{Answer, Backend, Circuit};
use cladist::unroll::Unrolling;
use std::collections::BTreeSet;

pub(crate) const TYPES: &str = "model words;
type Node = 1..3;
type Color = enum { Red, Green };
type Pair = record { n: 0..1, c: option Color };
var x : Node;
var i : -1..1;
var oi : option 0..1;
var m : map Node to 0..1;
var r : Pair;
def after(n: Node): Node = if n = 3 then 1 else n + 1;
def pile(a: -1..3, b: option 0..1): bag of -1..3 max 3 = match b { none => { a }, 0 => {}, else => { a, a, x } };
def line(a: -1..3, b: option 0..1): seq of -1..3 max 3 = if b is none then [] else [a, b otherwise 3, a];
";
/// The states that the types allow.
const STATES: usize = 3 * 3 * 3 * 8 * 6;

/// Writes expressions; every one but the smallest in parentheses.
pub(crate) struct Writer {
    rng: Random,
    /// The integers that are bound around.
    bound: Vec<String>,
    /// Whether values after the step may be read.
    primes: bool,
    names: usize,
}

impl Writer {
    pub(crate) fn new(seed: u64) -> Self {
        Self { rng: Random::new(seed), bound: Vec::new(), primes: false, names: 0 }
    }

    fn name(&mut self) -> String {
        self.names += 1;
        format!("v{}", self.names)
    }

    fn var(&mut self, name: &str) -> String {
        let prime = self.primes && self.rng.percent(50);
        format!("{name}{}", if prime { "'" } else { "" })
    }

    /// Something over a name that is bound in it, which may be given a value before.
    fn under(&mut self, name: &str, write: impl FnOnce(&mut Self) -> String) -> String {
        self.bound.push(name.to_owned());
        let text = write(self);
        self.bound.pop();
        text
    }

    fn int(&mut self, depth: usize) -> String {
        let choice = if depth == 0 { self.rng.below(5) } else { self.rng.below(17) };
        let d = depth.saturating_sub(1);
        match choice {
            0 => ["0", "1", "2", "-1"][self.rng.below(4)].to_owned(),
            1 => self.var("x"),
            2 => self.var("i"),
            3 if !self.bound.is_empty() => self.rng.pick(&self.bound.clone()).clone(),
            3 | 4 => {
                let map = self.var("m");
                format!("{map}[{}]", ["x", "1", "after(x)"][self.rng.below(3)])
            }
            5 => format!("({} + {})", self.int(d), self.int(d)),
            6 => format!("({} - {})", self.int(d), self.int(d)),
            7 => format!("({} * {})", self.int(d), ["2", "-1"][self.rng.below(2)]),
            8 => format!("(if {} then {} else {})", self.truth(d), self.int(d), self.int(d)),
            9 => {
                let (name, value) = (self.name(), self.int(d));
                let body = self.under(&name, |w| w.int(d));
                format!("(let {name} = {value} in {body})")
            }
            10 | 11 => {
                let (name, domain) = (self.name(), self.elements(d));
                let body = self.under(&name, |w| w.int(d));
                format!("(sum {name} in {domain}: {body})")
            }
            12 => {
                let (name, other, domain) = (self.name(), self.name(), self.elements(d));
                let body = self.under(&name, |w| w.under(&other, |w| w.truth(d)));
                format!("(count {name}, {other} in {domain}: {body})")
            }
            13 => format!("({} otherwise {})", self.optional(d), self.int(0)),
            14 => format!("{}({}, {})", ["min", "max"][self.rng.below(2)], self.int(d), self.int(d)),
            15 => {
                // A key that the condition keeps inside.
                let (name, value) = (self.name(), self.int(d));
                let cond = ["NAME in Node", "NAME >= 1 and NAME <= 3", "not (NAME < 1 or NAME > 3)"];
                let cond = self.rng.pick(&cond).replace("NAME", &name);
                format!("(let {name} = {value} in if {cond} then m[{name}] else 7)")
            }
            _ => format!("size({})", self.set(d)),
        }
    }

    fn optional(&mut self, depth: usize) -> String {
        let d = depth.saturating_sub(1);
        match self.rng.below(if depth == 0 { 2 } else { 8 }) {
            0 => self.var("oi"),
            1 => format!("m[x + {}]", self.rng.below(2) + 1),
            2 | 3 => {
                let (name, domain) = (self.name(), self.elements(d));
                let body = self.under(&name, |w| w.int(d));
                format!("({} {name} in {domain}: {body})", ["min", "max"][self.rng.below(2)])
            }
            4 => {
                let (name, domain) = (self.name(), self.elements(d));
                let body = self.under(&name, |w| w.optional(d));
                format!("({} {name} in {domain}: {body})", ["min", "max", "sum"][self.rng.below(3)])
            }
            5 => format!("{}({}, {})", ["min", "max"][self.rng.below(2)], self.optional(d), self.optional(d)),
            6 => format!("(if {} then {} else none)", self.truth(d), self.optional(d)),
            _ => format!("({} + {})", self.optional(d), self.int(d)),
        }
    }

    fn set(&mut self, depth: usize) -> String {
        let d = depth.saturating_sub(1);
        match self.rng.below(if depth == 0 { 2 } else { 5 }) {
            0 => "(1..x)".to_owned(),
            1 => format!("{{ {}, {} }}", self.int(0), self.optional(0)),
            2 => format!("({} union {})", self.set(d), self.set(d)),
            3 => {
                let (name, value) = (self.name(), self.int(d));
                let body = self.under(&name, |w| w.set(d));
                format!("(let {name} = {value} in {body})")
            }
            _ => {
                let (name, domain) = (self.name(), self.domain(d));
                let body = self.under(&name, |w| w.truth(d));
                format!("{{ {name} in {domain} : {body} }}")
            }
        }
    }

    /// What sums and quantifiers range over: a set, or a collection with several copies of a value.
    fn elements(&mut self, depth: usize) -> String {
        match self.rng.below(4) {
            0 => format!("{}({}, {})", ["pile", "line"][self.rng.below(2)], self.int(0), self.optional(0)),
            _ => self.domain(depth),
        }
    }

    fn domain(&mut self, depth: usize) -> String {
        match self.rng.below(3) {
            0 => "Node".to_owned(),
            1 => "0..1".to_owned(),
            _ => self.set(depth),
        }
    }

    pub(crate) fn truth(&mut self, depth: usize) -> String {
        let d = depth.saturating_sub(1);
        match self.rng.below(if depth == 0 { 4 } else { 15 }) {
            0 => format!("{} = {}", self.int(d), self.int(0)),
            1 => format!("({} < {})", self.int(d), self.int(0)),
            2 => format!("({} = {})", self.optional(d), self.int(0)),
            3 => format!("{}.c = {}", self.var("r"), ["Red", "none"][self.rng.below(2)]),
            4 => format!("({} and {})", self.truth(d), self.truth(d)),
            5 => format!("({} or {})", self.truth(d), self.truth(d)),
            6 => format!("not ({})", self.truth(d)),
            7 => {
                let (name, domain) = (self.name(), self.elements(d));
                let body = self.under(&name, |w| w.truth(d));
                format!("({} {name} in {domain}: {body})", ["exists", "forall"][self.rng.below(2)])
            }
            8 => {
                let (name, value) = (self.name(), self.int(d));
                let body = self.under(&name, |w| w.truth(d));
                format!("(let {name} = {value} in {body})")
            }
            9 => format!("({} in {})", self.int(d), self.set(d)),
            10 => format!("({} < {})", self.int(d), self.int(d)),
            11 => format!(
                "(({} q in {{ q in Color : {} or q = r.c }}: q) = Red)",
                ["min", "max"][self.rng.below(2)],
                self.truth(d)
            ),
            12 => {
                let whole = ["r", "m", "oi"][self.rng.below(3)];
                let whole = self.var(whole);
                format!(
                    "occurs({}, {})",
                    if self.rng.percent(50) { self.int(d) } else { self.optional(d) },
                    whole
                )
            }
            13 => {
                let (r, n) = (self.var("r"), self.int(0));
                format!("alike({r}, Pair(n: {n}, c: Red), {})", ["Color", "Node"][self.rng.below(2)])
            }
            _ => format!("(if {} then {} else {})", self.truth(d), self.truth(d), self.truth(d)),
        }
    }

    /// An action that uses what it is given for its parameters.
    pub(crate) fn action(&mut self, name: &str) -> String {
        let mut lines = Vec::new();
        let params = ["", "(p: Node)", "(p: 0..2, q: option Color)"][self.rng.below(3)];
        if !params.is_empty() {
            self.bound.push("p".to_owned());
        }
        let relational = self.rng.percent(30);
        if self.rng.percent(50) {
            let known = self.name();
            lines.push(format!("let {known} = {};", self.int(2)));
            self.bound.push(known);
        }
        if self.rng.percent(70) {
            lines.push(format!("require {};", self.truth(2)));
        }
        if params.contains('q') {
            let who = ["q = r.c", "q is none or x = p"][self.rng.below(2)];
            lines.push(format!("require {who};"));
        }
        let key = if params.is_empty() { "after(x)" } else { "p" };
        let mut assigned = [
            format!("x' = {};", self.int(2)),
            format!("i' in {};", self.set(1)),
            format!("oi' = {};", self.optional(1)),
            format!("m'[{key}] = {}; m'[x] = {};", self.int(1), self.int(1)),
            format!("m' = map k in Node: if k = {key} then {} else m[k];", self.int(1)),
            format!("r'.n = {};", self.int(1)),
            format!("r' = Pair(n: {}, c: r.c);", self.int(1)),
            format!("r' = r with (n: {});", self.int(1)),
        ];
        let (map, record) = (3 + self.rng.below(2), 5 + self.rng.below(3));
        let used: Vec<usize> = [0, 1, 2, map, record].into_iter().filter(|_| self.rng.percent(40)).collect();
        for at in used {
            let line = std::mem::take(&mut assigned[at]);
            match self.rng.below(3) {
                0 => {
                    let cond = self.truth(1);
                    lines.push(format!("if {cond} {{ {line} }}"));
                }
                _ => lines.push(line),
            }
        }
        if self.rng.percent(25) || relational {
            self.primes = true;
            lines.push(format!("constrain {};", self.truth(2)));
            self.primes = false;
        }
        self.bound.clear();
        let modifies = match relational {
            true => [" modifies i", " modifies oi, i", " modifies m"][self.rng.below(3)],
            false => "",
        };
        format!("action {name}{params}{modifies} {{ {} }}\n", lines.join(" "))
    }
}

/// The model with these declarations, if it has no errors.
pub(crate) fn model(items: &str) -> Option<Model> {
    let text = format!("{TYPES}{items}");
    load_text("words.sts", &text, &[], &|_| Err(std::io::ErrorKind::NotFound.into())).model
}

/// The definition with this name, if it reads the state.
pub(crate) fn definition<'m>(model: &'m Model, name: &str) -> Option<&'m Expr> {
    model.definitions.iter().find(|d| d.text == name).map(|d| &d.expr)
}

pub(crate) fn all_states(model: &Model) -> Vec<State> {
    let columns = model.variables.iter().map(|v| model.types.values(&v.ty));
    let rows = columns.fold(vec![vec![]], |rows: Vec<Vec<Value>>, column| {
        rows.iter().flat_map(|row| column.iter().map(|v| [row.clone(), vec![v.clone()]].concat())).collect()
    });
    rows.into_iter().map(State).collect()
}

pub(crate) fn holds(model: &Model, expr: &Expr, state: &State) -> bool {
    eval_state(model, expr, &Moment { label: None, state: state.clone() }).is_true()
}

/// Compares the encoding of a formula with its value in some of the states, for both encodings of integers.
fn encoded(model: &Model, formula: &Expr, states: &[State], rng: &mut Random, text: &str) {
    for integers in [IntegerEncoding::OneHot, IntegerEncoding::Binary] {
        let model = Model { integers, ..model.clone() };
        encoded_in(&model, formula, states, rng, text);
    }
}

fn encoded_in(model: &Model, formula: &Expr, states: &[State], rng: &mut Random, text: &str) {
    let circuit = Circuit::new(Backend::Cadical.start_for_many_queries(&Budget::unlimited()));
    let mut unrolling = Unrolling::from_any_state(model, circuit);
    let truth = unrolling.state_truth(formula, Position::FIRST);
    for _ in 0..12 {
        let state = rng.pick(states);
        let frame = unrolling.frames[0].state.clone();
        let parts = frame.iter().zip(&state.0);
        let mut assumptions: Vec<_> =
            parts.map(|(symbolic, value)| symbolic.is_value(&mut unrolling.circuit, value)).collect();
        for (literal, wanted) in [(truth, true), (!truth, false)] {
            assumptions.push(literal);
            let found = unrolling.circuit.solve(&assumptions) == Answer::Sat;
            assert_eq!(found, holds(model, formula, state) == wanted, "{text}\n{state:?}");
            assumptions.pop();
        }
    }
}

#[test]
fn expressions_are_encoded_and_explored_as_they_are_evaluated() {
    let (mut tried, mut both_values) = (0, 0);
    for seed in 0..cases(400) {
        let mut writer = Writer::new(seed);
        let formula = writer.truth(3);
        // Some formulas are outside of the limits, such as sums of large sets.
        let Some(found) = model(&format!("def it: bool = {formula};\ninit {{ {formula}; }}\n")) else {
            continue;
        };
        let Some(expr) = definition(&found, "it") else { continue };
        tried += 1;
        let states = all_states(&found);
        assert_eq!(states.len(), STATES);
        let expected: Vec<State> = states.iter().filter(|s| holds(&found, expr, s)).cloned().collect();
        both_values += u64::from(!expected.is_empty() && expected.len() < STATES);
        let mut first = initial_states(&found, 1_000_000).expect("few");
        first.sort();
        assert_eq!(first, expected, "{formula}");
        encoded(&found, expr, &states, &mut writer.rng, &formula);
    }
    assert!(tried >= cases(400) * 3 / 4, "only {tried} models");
    assert!(both_values * 2 >= tried, "only {both_values} of {tried} formulas say something");
}

/// Ranges contain every value, also where conditions narrow them.
#[test]
fn values_are_of_the_types_of_their_expressions() {
    let (mut tried, mut narrow) = (0, 0);
    for seed in 0..cases(300) {
        let mut writer = Writer::new(seed + 9_000_000);
        let (cond, other) = (writer.truth(2), writer.truth(1));
        let (n, o) = (writer.int(2), writer.optional(2));
        let items = format!(
            "def n: -2000..2000 = if {cond} and {other} then {n} else {n} + 1;
             def o: option -2000..2000 = if {cond} or {other} then {o} else max({o}, x);\n"
        );
        let Some(found) = model(&items) else { continue };
        tried += 1;
        let expressions: Vec<&Expr> = ["n", "o"].iter().filter_map(|name| definition(&found, name)).collect();
        for state in all_states(&found) {
            let moment = Moment { label: None, state };
            for expr in &expressions {
                let value = eval_state(&found, expr, &moment);
                assert!(found.types.contains(&expr.ty, &value), "{items}{value:?}\n{:?}", moment.state);
            }
        }
        narrow += expressions.iter().filter(|e| found.types.cardinality(&e.ty) < 8).count();
    }
    assert!(tried >= cases(300) / 2 && narrow > 50, "{tried} models, {narrow} narrow types");
}

#[test]
fn steps_are_explored_as_they_are_evaluated() {
    let mut tried = 0;
    for seed in 0..cases(150) {
        let mut writer = Writer::new(seed + 7_000_000);
        let actions = writer.action("one") + &writer.action("two");
        let start = "init { x = 1; i = 0; oi = 1; m[1] = 1; m[2] = 0; m[3] = 0; r = Pair(n: 0, c: Red); }";
        let Some(found) = model(&format!("{actions}{start}\n")) else { continue };
        tried += 1;
        let mut known: BTreeSet<State> = initial_states(&found, 1_000).expect("one").into_iter().collect();
        let mut open: Vec<State> = known.iter().cloned().collect();
        while let Some(state) = open.pop() {
            for (label, after) in successors(&found, &state, 1_000_000).expect("few") {
                assert!(allows_step(&found, &state, &label, &after), "{actions}\n{state:?}");
                if known.insert(after.clone()) {
                    open.push(after);
                }
            }
        }
        let reached = reachable(&found, 100_000, &Budget::unlimited());
        assert_eq!(reached.states.len(), known.len(), "{actions}");
    }
    assert!(tried >= cases(150) / 2, "only {tried} models");
}

#[test]
fn actions_are_enabled_where_a_step_of_theirs_exists() {
    let (mut tried, mut both_values, mut given_too) = (0, 0, 0);
    for seed in 0..cases(300) {
        let mut writer = Writer::new(seed + 3_000_000);
        let mut items = writer.action("act");
        if writer.rng.percent(30) {
            items += &format!("assume {} or {};\n", writer.truth(1), writer.truth(1));
        }
        if writer.rng.percent(30) {
            writer.primes = true;
            items += &format!("assume {} or x' = x;\n", writer.truth(1));
            writer.primes = false;
        }
        let given = ["x", "2", "x - 1", "i + 1"][writer.rng.below(4)];
        items += "def it: bool = enabled(act);\n";
        if items.contains("(p: ") {
            items += &format!("def given: bool = enabled(act(p: {given}));\ndef which: -9..9 = {given};\n");
        }
        let Some(found) = model(&items) else { continue };
        let Some(it) = definition(&found, "it") else { continue };
        tried += 1;
        let about_states = || found.assumptions.iter().filter(|a| !a.step);
        let mut states = all_states(&found);
        states.retain(|s| about_states().all(|a| holds(&found, &a.expr, s)));
        let mut seen = BTreeSet::new();
        for _ in 0..150 {
            let Some(state) = (!states.is_empty()).then(|| writer.rng.pick(&states)) else { break };
            let steps = successors(&found, state, 1_000_000).expect("few");
            assert_eq!(holds(&found, it, state), !steps.is_empty(), "{items}\n{state:?}");
            seen.insert(steps.is_empty());
            if let Some(with) = definition(&found, "given") {
                let moment = Moment { label: None, state: state.clone() };
                let value = definition(&found, "which").map(|value| eval_state(&found, value, &moment));
                let value = value.unwrap_or(Value::Int(2));
                let some = steps.iter().any(|(label, _)| label.args[0] == value);
                assert_eq!(holds(&found, with, state), some, "{items}\n{state:?}");
                given_too += 1;
            }
        }
        both_values += u64::from(seen.len() == 2);
        if !states.is_empty() {
            encoded(&found, it, &states, &mut writer.rng, &items);
        }
    }
    // Other actions are always enabled.
    assert!(tried >= cases(300) / 5, "only {tried} models");
    assert!(given_too > 1_000, "only {given_too} states with arguments");
    assert!(
        both_values * 4 >= tried,
        "only {both_values} of {tried} actions are enabled in some states only"
    );
}
