//! Random arithmetic on integers of small and large ranges: both encodings against the reference semantics.

use crate::random::{Random, cases};
use cladist::budget::Budget;
use cladist::model::eval::eval_state;
use cladist::model::expr::Expr;
use cladist::model::types::Type;
use cladist::model::value::{Moment, State, Value};
use cladist::model::{IntegerEncoding, Model, Position, load_text};
use cladist::sat::{Answer, Backend, Circuit};
use cladist::unroll::Unrolling;
use std::io::ErrorKind;

/// Where the integers of the variables a, b, c and o lie; the last one may be `none`.
type Ranges = [(i64, i64); 4];

/// Writes expressions over the variables.
struct Writer {
    rng: Random,
    /// The greatest constant.
    most: usize,
}

impl Writer {
    fn constant(&mut self) -> i64 {
        let n = self.rng.below(self.most + 1) as i64;
        match self.rng.below(4) {
            0 => -n,
            1 => n / 7,
            _ => n,
        }
    }

    fn divisor(&mut self) -> i64 {
        match self.rng.below(3) {
            0 => 1 << self.rng.below(5),
            1 => 1 + self.rng.below(12) as i64,
            _ => 1 + self.rng.below(self.most) as i64,
        }
    }

    fn int(&mut self, depth: usize) -> String {
        if depth == 0 {
            return match self.rng.below(5) {
                0 => self.constant().to_string(),
                at => ["a", "b", "c", "(o otherwise a)"][at - 1].to_owned(),
            };
        }
        let d = depth - 1;
        match self.rng.below(15) {
            0 | 1 => format!("({} + {})", self.int(d), self.int(d)),
            2 | 3 => format!("({} - {})", self.int(d), self.int(d)),
            4 => format!("({} * {})", self.int(d), self.constant()),
            5 => format!("({} * {})", self.int(d), self.int(0)),
            6 => format!("({} / {})", self.int(d), self.divisor()),
            7 => format!("({} mod {})", self.int(d), self.divisor()),
            8 => format!("(-({}))", self.int(d)),
            9 => format!("{}({}, {})", ["min", "max"][self.rng.below(2)], self.int(d), self.int(d)),
            10 => format!("(if {} then {} else {})", self.truth(d), self.int(d), self.int(d)),
            11 => format!("({} otherwise {})", self.optional(d), self.int(0)),
            12 => format!("(sum m in 1..3: m * {})", self.int(d)),
            13 if self.rng.percent(50) => {
                // Terms that cancel out, and selections by the same condition.
                let (cond, x) = (self.truth(d), self.int(0));
                let cases =
                    [(); 2].map(|()| format!("(if {cond} then {} + {x} else {})", self.int(0), self.int(0)));
                format!("({} {} {} - {x})", cases[0], ["+", "-"][self.rng.below(2)], cases[1])
            }
            13 => format!("(let n = {} in n + {})", self.int(d), ["n", "a - n", "1"][self.rng.below(3)]),
            _ => self.int(0),
        }
    }

    fn optional(&mut self, depth: usize) -> String {
        let d = depth.saturating_sub(1);
        match self.rng.below(if depth == 0 { 1 } else { 6 }) {
            0 => "o".to_owned(),
            1 => format!("(o + {})", self.int(d)),
            2 => format!("(o * {})", self.constant()),
            3 => format!("((o - {}) / {})", self.int(d), self.divisor()),
            4 => {
                let (word, cond) =
                    (["min", "max"][self.rng.below(2)], ["n < 3", "a < b", "n = a"][self.rng.below(3)]);
                format!("({word} n in {{ n in 1..4 : {cond} }}: {} + n)", self.optional(d))
            }
            _ => format!("(if {} then {} else none)", self.truth(d), self.optional(d)),
        }
    }

    fn truth(&mut self, depth: usize) -> String {
        let d = depth.saturating_sub(1);
        match self.rng.below(9) {
            0 => format!("({} = {})", self.int(d), self.int(0)),
            1 => format!("({} < {})", self.int(d), self.int(d)),
            2 => format!("({} <= {})", self.int(d), self.constant()),
            3 => format!("({} = {})", self.optional(d), self.int(0)),
            4 => format!("({} <= {})", self.optional(d), self.int(0)),
            5 => format!("({} is some)", self.optional(d)),
            6 => format!("({} = {})", self.optional(d), self.optional(d)),
            7 => format!("({} or {})", self.truth(d), self.truth(d)),
            _ => format!("(not {})", self.truth(d)),
        }
    }
}

fn model(ranges: &Ranges, items: &str) -> Option<Model> {
    let range = |at: usize| format!("{}..{}", ranges[at].0, ranges[at].1);
    let variables = format!(
        "model integers;\nvar a : {};\nvar b : {};\nvar c : {};\nvar o : option {};\n",
        range(0),
        range(1),
        range(2),
        range(3)
    );
    let text = variables + items;
    load_text("integers.sts", &text, &[], &|_| Err(ErrorKind::NotFound.into())).model
}

/// A state whose integers are bounds, small, or any.
fn state(rng: &mut Random, ranges: &Ranges) -> State {
    let mut values: Vec<Value> = Vec::new();
    for &(lo, hi) in ranges {
        let size = (hi - lo) as usize + 1;
        values.push(Value::Int(match rng.below(5) {
            0 => lo,
            1 => hi,
            2 => (rng.below(9) as i64 - 4).clamp(lo, hi),
            _ => lo + rng.below(size) as i64,
        }));
    }
    if rng.percent(25) {
        values[3] = Value::None;
    }
    State(values)
}

fn ranges(rng: &mut Random, most: usize) -> Ranges {
    std::array::from_fn(|_| {
        let largest = [3, 20, most][rng.below(3)].min(most);
        let size = 1 + rng.below(largest) as i64;
        let lo = match rng.below(3) {
            0 => 0,
            1 => -(rng.below(size as usize + 3) as i64),
            _ => rng.below(5) as i64 - 2,
        };
        (lo, lo + size)
    })
}

/// The values of expressions in a state are those that the encoding allows there, and no others.
fn compare(model: &Model, exprs: &[(&Expr, Value)], state: &State, text: &str) {
    let circuit = Circuit::new(Backend::Cadical.start_for_many_queries(&Budget::unlimited()));
    let mut unrolling = Unrolling::from_any_state(model, circuit);
    let frame = unrolling.frames[0].state.clone();
    let is_state = frame.iter().zip(&state.0).map(|(s, value)| s.is_value(&mut unrolling.circuit, value));
    let mut assumptions: Vec<_> = is_state.collect();
    for (formula, value) in exprs {
        let truth = unrolling.state_truth(formula, Position::FIRST);
        for (literal, wanted) in [(truth, true), (!truth, false)] {
            assumptions.push(literal);
            let found = unrolling.circuit.solve(&assumptions) == Answer::Sat;
            assert_eq!(found, value.is_true() == wanted, "{text}\n{state:?} {:?}", model.integers);
            assumptions.pop();
        }
    }
    assert_eq!(unrolling.circuit.solve(&assumptions), Answer::Sat);
    assert_eq!(unrolling.state_at(Position::FIRST), *state, "{text}");
}

/// Goes through random expressions over integers of up to so many values. How many were compared.
fn go_through(seeds: std::ops::Range<u64>, most: usize, encodings: &[IntegerEncoding]) -> u64 {
    let mut compared = 0;
    for seed in seeds {
        let mut rng = Random::new(seed);
        let ranges = ranges(&mut rng, most);
        let mut writer = Writer { rng, most };
        let (n, o, t) = (writer.int(3), writer.optional(2), writer.truth(3));
        // The value of an integer is what a comparison with it says.
        let items = format!(
            "def truth: bool = {t};\ndef number: bool = ({n}) = NUMBER;\ndef optional: bool = ({o}) = OPTION;\n"
        );
        for _ in 0..3 {
            let state = state(&mut writer.rng, &ranges);
            let moment = Moment { label: None, state: state.clone() };
            let guess = format!("{}", writer.constant());
            let text = items.replace("NUMBER", &guess).replace("OPTION", &guess);
            // Some expressions are outside of 64 bits.
            let Some(found) = model(&ranges, &text) else { continue };
            let mut exprs: Vec<(Expr, Value)> = Vec::new();
            for definition in &found.definitions {
                let value = eval_state(&found, &definition.expr, &moment);
                exprs.push((definition.expr.clone(), value));
            }
            let mut exact = exprs.clone();
            for (expr, _) in &exprs {
                exact.extend(exactly(&found, expr, &moment));
            }
            let listed: Vec<(&Expr, Value)> = exact.iter().map(|(e, v)| (e, v.clone())).collect();
            for &integers in encodings {
                let model = Model { integers, ..found.clone() };
                compare(&model, &listed, &state, &text);
            }
            compared += 1;
        }
    }
    compared
}

/// For a comparison of an integer with a constant: that it has exactly the value it has, and not the ones beside it.
fn exactly(model: &Model, expr: &Expr, moment: &Moment) -> Vec<(Expr, Value)> {
    use cladist::model::expr::{ExprKind, Op};
    let ExprKind::Binary(Op::Eq, left, _) = &expr.kind else { return Vec::new() };
    let Value::Int(n) = eval_state(model, left, moment) else { return Vec::new() };
    let near = [n, n.saturating_add(1), n.saturating_sub(1)];
    let equal = |m: &i64| {
        let ty = Type::Int { lo: *m, hi: *m };
        let constant = Expr::constant(Value::Int(*m), ty, expr.span);
        (Expr::binary_bool(Op::Eq, (**left).clone(), constant), Value::Bool(*m == n))
    };
    near.iter().map(equal).collect()
}

#[test]
fn small_integers_have_the_same_values_in_both_encodings() {
    let all = [IntegerEncoding::OneHot, IntegerEncoding::Binary, IntegerEncoding::Automatic];
    let compared = go_through(0..cases(60), 14, &all);
    assert!(compared >= cases(60) * 2, "only {compared}");
}

#[test]
fn large_integers_have_the_values_of_the_reference_semantics() {
    let encodings = [IntegerEncoding::Binary, IntegerEncoding::Automatic];
    let kinds = [
        (1_000_000, 4_000, 20),
        (2_000_000, 1_000_000, 20),
        (3_000_000, 2_000_000_000, 20),
        // Products of these are often outside of 64 bits.
        (4_000_000, 200_000_000_000_000, 8),
    ];
    for (first, most, least) in kinds {
        let compared = go_through(first..first + cases(40), most, &encodings);
        assert!(compared >= cases(least), "only {compared} of up to {most}");
    }
}
