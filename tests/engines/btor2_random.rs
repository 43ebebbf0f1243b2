//! Circuits in BTOR2: random ones against an evaluator of all inputs; malformed files.

use super::smv_models::holds;
use crate::random::{Random, seeds};
use cladist::btor2::{import_text, smv_text};
use cladist::budget::Budget;
use cladist::explore::Graph;
use cladist::ltl::Fairness;
use cladist::model::{LoadOptions, load_written};
use cladist::sat::Backend;
use cladist::unroll::{BoundedResult, Lengths, check};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

const STEPS: usize = 4;

/// The widths of the sorts that lines 1, 2, … declare.
const WIDTHS: [u32; 4] = [1, 2, 3, 4];

const UNARY: &[&str] = &["not", "inc", "dec", "neg", "redand", "redor", "redxor"];
const BITWISE: &[&str] = &["and", "nand", "nor", "or", "xnor", "xor"];
const NUMBERS: &[&str] =
    &["rol", "ror", "sll", "sra", "srl", "add", "mul", "sdiv", "udiv", "smod", "srem", "urem", "sub"];
const COMPARISONS: &[&str] = &[
    "eq", "neq", "sgt", "ugt", "sgte", "ugte", "slt", "ult", "slte", "ulte", "saddo", "uaddo", "sdivo",
    "smulo", "umulo", "ssubo", "usubo",
];

/// The meaning of a line.
enum Meaning {
    Constant(u64),
    Input,
    State { next: Option<i64>, initial: Option<i64> },
    Operator { what: &'static str, operands: Vec<i64>, numbers: Vec<u32> },
}

/// A line with a value; its number is that of its place.
struct Line {
    width: u32,
    meaning: Meaning,
}

struct Circuit {
    lines: Vec<Line>,
    bad: Vec<i64>,
    constraints: Vec<i64>,
    fair: Vec<i64>,
    justice: Vec<Vec<i64>>,
}

/// The number of the first line with a value.
const FIRST: i64 = 5;

fn all(width: u32) -> u64 {
    (1 << width) - 1
}

fn signed(value: u64, width: u32) -> i64 {
    let value = value as i64;
    if value >> (width - 1) & 1 == 1 { value - (1 << width) } else { value }
}

/// Evaluates an operator, from its definition.
fn applied(what: &str, width: u32, values: &[(u64, u32)], numbers: &[u32]) -> u64 {
    let own = values[0].1;
    let (a, b) = (values[0].0, values.get(1).map_or(0, |value| value.0));
    let (x, y) = (signed(a, own), values.get(1).map_or(0, |value| signed(value.0, value.1)));
    let least = -(1_i64 << (own - 1));
    let fits = |value: i64| least <= value && value < -least;
    let of = |value: i64| (value & all(width) as i64) as u64;
    let truth = u64::from;
    match what {
        "not" => !a & all(width),
        "inc" => a.wrapping_add(1) & all(width),
        "dec" => a.wrapping_sub(1) & all(width),
        "neg" => of(-x),
        "redand" => truth(a == all(own)),
        "redor" => truth(a != 0),
        "redxor" => u64::from(a.count_ones() % 2),
        "and" => a & b,
        "nand" => !(a & b) & all(width),
        "or" => a | b,
        "nor" => !(a | b) & all(width),
        "xor" => a ^ b,
        "xnor" | "iff" => !(a ^ b) & all(width),
        "implies" => (!a | b) & 1,
        "rol" | "ror" => {
            let by = (b % u64::from(width)) as u32;
            let by = if what == "rol" { by } else { (width - by) % width };
            (a << by | a >> (width - by)) & all(width)
        }
        "sll" => {
            if b < 64 {
                a << b & all(width)
            } else {
                0
            }
        }
        "srl" => {
            if b < 64 {
                a >> b
            } else {
                0
            }
        }
        "sra" => of(x >> b.min(62)),
        "add" => (a + b) & all(width),
        "sub" => a.wrapping_sub(b) & all(width),
        "mul" => (a * b) & all(width),
        "udiv" => a.checked_div(b).unwrap_or(all(width)),
        "urem" => a.checked_rem(b).unwrap_or(a),
        // Division by 0 gives the quotient -1 of what is not negative, and 1 of what is.
        "sdiv" => of(if y == 0 { if x < 0 { 1 } else { -1 } } else { x / y }),
        "srem" => of(if y == 0 { x } else { x % y }),
        "smod" => of(if y == 0 { x } else { x - y * (x as f64 / y as f64).floor() as i64 }),
        "eq" => truth(a == b),
        "neq" => truth(a != b),
        "sgt" => truth(x > y),
        "ugt" => truth(a > b),
        "sgte" => truth(x >= y),
        "ugte" => truth(a >= b),
        "slt" => truth(x < y),
        "ult" => truth(a < b),
        "slte" => truth(x <= y),
        "ulte" => truth(a <= b),
        "saddo" => truth(!fits(x + y)),
        "uaddo" => truth(a + b > all(own)),
        "ssubo" => truth(!fits(x - y)),
        "usubo" => truth(a < b),
        "smulo" => truth(!fits(x * y)),
        "umulo" => truth(a * b > all(own)),
        "sdivo" => truth(y != 0 && !fits(x / y)),
        "concat" => a << values[1].1 | b,
        "ite" => values[if a == 1 { 1 } else { 2 }].0,
        "slice" => a >> numbers[1] & all(width),
        "uext" => a,
        "sext" => of(x),
        _ => unreachable!("{what}"),
    }
}

impl Circuit {
    fn new(random: &mut Random) -> Self {
        let mut own = Self {
            lines: Vec::new(),
            bad: Vec::new(),
            constraints: Vec::new(),
            fair: Vec::new(),
            justice: Vec::new(),
        };
        for width in WIDTHS {
            let value = random.below(1 << width) as u64;
            own.lines.push(Line { width, meaning: Meaning::Constant(value) });
        }
        let (inputs, states) = (random.below(3), 1 + random.below(3));
        let mut bits = 0;
        for number in 0..inputs + states {
            let width = *random.pick(&WIDTHS[..3]);
            if bits + width > 8 {
                continue;
            }
            bits += width;
            let initial = random.percent(75).then(|| own.of_width(random, width));
            let meaning =
                if number < inputs { Meaning::Input } else { Meaning::State { next: None, initial } };
            own.lines.push(Line { width, meaning });
        }
        for _ in 0..4 + random.below(8) {
            let line = own.operator(random);
            own.lines.push(line);
        }
        for at in 0..own.lines.len() {
            let next = own.of_width(random, own.lines[at].width);
            if let Meaning::State { next: place, .. } = &mut own.lines[at].meaning
                && random.percent(90)
            {
                *place = Some(next);
            }
        }
        own.bad = (0..1 + random.below(2)).map(|_| own.of_width(random, 1)).collect();
        if random.percent(30) {
            own.constraints.push(own.of_width(random, 1));
        }
        own.fair = (0..random.below(2)).map(|_| own.of_width(random, 1)).collect();
        for _ in 0..1 + random.below(2) {
            own.justice.push((0..1 + random.below(3)).map(|_| own.of_width(random, 1)).collect());
        }
        own
    }

    /// A value of a width, perhaps inverted, likely a late one.
    fn of_width(&self, random: &mut Random, width: u32) -> i64 {
        let places: Vec<usize> = (0..self.lines.len()).filter(|&at| self.lines[at].width == width).collect();
        let late = places.len().saturating_sub(3);
        let place = if random.percent(60) { *random.pick(&places[late..]) } else { *random.pick(&places) };
        let id = FIRST + place as i64;
        if random.percent(20) { -id } else { id }
    }

    fn operator(&self, random: &mut Random) -> Line {
        let width = *random.pick(&WIDTHS);
        let line = |width, what, operands, numbers| Line {
            width,
            meaning: Meaning::Operator { what, operands, numbers },
        };
        match random.below(8) {
            0 => {
                let what = *random.pick(UNARY);
                let result = if what.starts_with("red") { 1 } else { width };
                line(result, what, vec![self.of_width(random, width)], Vec::new())
            }
            1 => {
                let what = *random.pick(BITWISE);
                line(
                    width,
                    what,
                    vec![self.of_width(random, width), self.of_width(random, width)],
                    Vec::new(),
                )
            }
            2 | 3 => {
                let what = *random.pick(COMPARISONS);
                line(1, what, vec![self.of_width(random, width), self.of_width(random, width)], Vec::new())
            }
            4 => {
                let operands = vec![
                    self.of_width(random, 1),
                    self.of_width(random, width),
                    self.of_width(random, width),
                ];
                line(width, "ite", operands, Vec::new())
            }
            5 => match random.below(4) {
                0 => {
                    let low = random.below(width as usize) as u32;
                    let high = low + random.below((width - low) as usize) as u32;
                    line(high - low + 1, "slice", vec![self.of_width(random, width)], vec![high, low])
                }
                1 | 2 => {
                    let more = random.below((5 - width) as usize) as u32;
                    let what = if random.percent(50) { "uext" } else { "sext" };
                    line(width + more, what, vec![self.of_width(random, width)], vec![more])
                }
                _ => {
                    let (a, b) = (1 + random.below(2) as u32, 1 + random.below(2) as u32);
                    line(
                        a + b,
                        "concat",
                        vec![self.of_width(random, a), self.of_width(random, b)],
                        Vec::new(),
                    )
                }
            },
            6 if width == 1 => {
                let what = if random.percent(50) { "iff" } else { "implies" };
                line(1, what, vec![self.of_width(random, 1), self.of_width(random, 1)], Vec::new())
            }
            _ => {
                let what = *random.pick(NUMBERS);
                line(
                    width,
                    what,
                    vec![self.of_width(random, width), self.of_width(random, width)],
                    Vec::new(),
                )
            }
        }
    }

    fn text(&self) -> String {
        let mut text = "; a random circuit\n".to_owned();
        for (id, width) in (1..).zip(WIDTHS) {
            let _ = writeln!(text, "{id} sort bitvec {width}");
        }
        for (id, line) in (FIRST..).zip(&self.lines) {
            let width = line.width;
            let _ = match &line.meaning {
                Meaning::Constant(value) if value % 2 == 0 => writeln!(text, "{id} constd {width} {value}"),
                Meaning::Constant(value) => {
                    writeln!(text, "{id} const {width} {value:0size$b}", size = width as usize)
                }
                Meaning::Input => writeln!(text, "{id} input {width} in:{id}"),
                Meaning::State { .. } => writeln!(text, "{id} state {width}"),
                Meaning::Operator { what, operands, numbers } => {
                    let operands: String = operands.iter().map(|of| format!(" {of}")).collect();
                    let numbers: String = numbers.iter().map(|number| format!(" {number}")).collect();
                    writeln!(text, "{id} {what} {width}{operands}{numbers}")
                }
            };
        }
        let mut id = FIRST + self.lines.len() as i64;
        let mut line = |rest: String| {
            let _ = writeln!(text, "{id} {rest}");
            id += 1;
        };
        for (state, own) in (FIRST..).zip(&self.lines) {
            if let Meaning::State { next, initial } = own.meaning {
                initial.into_iter().for_each(|value| line(format!("init {} {state} {value}", own.width)));
                next.into_iter().for_each(|value| line(format!("next {} {state} {value}", own.width)));
            }
        }
        self.bad.iter().for_each(|of| line(format!("bad {of}")));
        self.constraints.iter().for_each(|of| line(format!("constraint {of}")));
        self.fair.iter().for_each(|of| line(format!("fair {of}")));
        for all in &self.justice {
            let conditions: String = all.iter().map(|of| format!(" {of}")).collect();
            line(format!("justice {}{conditions}", all.len()));
        }
        text
    }

    /// The values of all lines, of variables and inputs as given.
    fn values(&self, given: &[u64]) -> Vec<u64> {
        let mut given = given.iter();
        let mut values: Vec<u64> = Vec::new();
        for line in &self.lines {
            let value = match &line.meaning {
                Meaning::Constant(value) => *value,
                Meaning::Input | Meaning::State { .. } => *given.next().expect("a value"),
                Meaning::Operator { what, operands, numbers } => {
                    let operands: Vec<(u64, u32)> =
                        operands.iter().map(|&of| self.operand(&values, of)).collect();
                    applied(what, line.width, &operands, numbers)
                }
            };
            values.push(value);
        }
        values
    }

    fn operand(&self, values: &[u64], of: i64) -> (u64, u32) {
        let at = (of.abs() - FIRST) as usize;
        let width = self.lines[at].width;
        (if of < 0 { !values[at] & all(width) } else { values[at] }, width)
    }

    fn is_true(&self, values: &[u64], of: i64) -> bool {
        self.operand(values, of).0 == 1
    }

    fn variables(&self) -> Vec<&Line> {
        self.lines
            .iter()
            .filter(|line| matches!(line.meaning, Meaning::Input | Meaning::State { .. }))
            .collect()
    }

    /// All assignments to variables and inputs.
    fn everything(&self) -> Vec<Vec<u64>> {
        self.variables().iter().fold(vec![Vec::new()], |all_so_far, line| {
            let more = |so_far: &Vec<u64>| {
                (0..=all(line.width)).map(|value| [so_far.clone(), vec![value]].concat()).collect::<Vec<_>>()
            };
            all_so_far.iter().flat_map(more).collect()
        })
    }

    /// The assignments that the constraints allow, with the values of all lines.
    fn allowed(&self) -> Vec<(Vec<u64>, Vec<u64>)> {
        let all = self.everything().into_iter().map(|given| (self.values(&given), given));
        all.filter(|(values, _)| self.constraints.iter().all(|&of| self.is_true(values, of))).collect()
    }

    /// True if the circuit begins with these values.
    fn begins(&self, values: &[u64]) -> bool {
        self.lines.iter().zip(values).all(|(line, value)| match line.meaning {
            Meaning::State { initial: Some(of), .. } => self.operand(values, of).0 == *value,
            _ => true,
        })
    }

    /// True if an assignment follows one with these values.
    fn follows(&self, values: &[u64], given: &[u64]) -> bool {
        self.variables().iter().zip(given).all(|(line, value)| match line.meaning {
            Meaning::State { next: Some(of), .. } => self.operand(values, of).0 == *value,
            _ => true,
        })
    }

    /// The places of the assignments that follow each one.
    fn successors(&self, allowed: &[(Vec<u64>, Vec<u64>)]) -> Vec<BTreeSet<usize>> {
        let of = |(values, _): &(Vec<u64>, Vec<u64>)| {
            (0..allowed.len()).filter(|&at| self.follows(values, &allowed[at].1)).collect()
        };
        allowed.iter().map(of).collect()
    }

    /// The number of steps to each bad state, up to [`STEPS`].
    fn depths(&self) -> Vec<Option<usize>> {
        let allowed = self.allowed();
        let successors = self.successors(&allowed);
        let mut now: BTreeSet<usize> = (0..allowed.len()).filter(|&at| self.begins(&allowed[at].0)).collect();
        let mut depths = vec![None; self.bad.len()];
        for step in 0..=STEPS {
            for &at in &now {
                for (depth, &of) in depths.iter_mut().zip(&self.bad) {
                    if depth.is_none() && self.is_true(&allowed[at].0, of) {
                        *depth = Some(step);
                    }
                }
            }
            now = now.iter().flat_map(|&at| successors[at].iter().copied()).collect();
        }
        depths
    }

    /// True for each `justice` with an infinite trace in which each of its conditions, and each fair one, holds again and again: in states of
    /// one circle of reachable states.
    fn just(&self) -> Vec<bool> {
        let allowed = self.allowed();
        let successors = self.successors(&allowed);
        let reached = |from: BTreeSet<usize>| {
            let (mut open, mut all) = (from.iter().copied().collect::<Vec<_>>(), from);
            while let Some(at) = open.pop() {
                open.extend(successors[at].iter().copied().filter(|&next| all.insert(next)));
            }
            all
        };
        let later: BTreeMap<usize, BTreeSet<usize>> =
            reached((0..allowed.len()).filter(|&at| self.begins(&allowed[at].0)).collect())
                .into_iter()
                .map(|at| (at, reached(successors[at].clone())))
                .collect();
        let is_just = |all: &Vec<i64>| {
            later.keys().filter(|at| later[*at].contains(at)).any(|at| {
                let circle = later[at].iter().filter(|other| later[*other].contains(at));
                let mut conditions = all.iter().chain(&self.fair);
                conditions.all(|&of| circle.clone().any(|&other| self.is_true(&allowed[other].0, of)))
            })
        };
        self.justice.iter().map(is_just).collect()
    }
}

#[test]
fn conditions_hold_again_and_again() {
    let unlimited = Budget::unlimited();
    let (mut violated, mut holding) = (0, 0);
    for seed in seeds(60) {
        let circuit = Circuit::new(&mut Random::new(seed));
        let text = circuit.text();
        let written =
            import_text("c", "c.btor2", &text).unwrap_or_else(|refused| panic!("{seed}: {refused:?}"));
        let loaded = load_written("c", &written, &LoadOptions::default());
        let model = loaded.model.unwrap_or_else(|| panic!("{seed}: {:?}\n{text}", loaded.diagnostics));
        let graph = Graph::explore(&model, None, 10_000, &unlimited).expect("few states");
        let fairness = Fairness::of_model(&model);
        for (number, just) in circuit.just().into_iter().enumerate() {
            let name = format!("justice_{number}");
            let property = model.properties.iter().find(|property| property.name == name);
            let found = holds(&model, &graph, &fairness, property.expect("a property"));
            assert_eq!(found, Some(!just), "{seed}: {name}\n{text}\n{written}");
            *(if just { &mut violated } else { &mut holding }) += 1;
        }
    }
    println!("{violated} violated, {holding} hold");
    assert!(violated > 10 && holding > 10, "{violated} violated, {holding} hold");
}

#[test]
fn circuits_do_what_the_format_says() {
    let (mut violated, mut holding) = (0, 0);
    for seed in seeds(60) {
        let circuit = Circuit::new(&mut Random::new(seed));
        let text = circuit.text();
        let written = import_text("c", "c.btor2", &text).unwrap_or_else(|refused| {
            panic!("{seed}: {:?}\n{text}\n{}", refused.diagnostics, smv_text(&text).expect("read"))
        });
        let loaded = load_written("c", &written, &LoadOptions::default());
        let model =
            loaded.model.unwrap_or_else(|| panic!("{seed}: {:?}\n{text}\n{written}", loaded.diagnostics));
        for (number, depth) in circuit.depths().into_iter().enumerate() {
            let name = format!("bad_{number}");
            let property = model.properties.iter().find(|property| property.name == name);
            let invariant = property.expect("a property").invariant().expect("an invariant");
            let found = check(
                &model,
                invariant,
                Lengths::UpTo(STEPS),
                Backend::Cadical,
                &Budget::unlimited(),
                &mut (),
            );
            let found = match found {
                BoundedResult::Violated(trace) => Some(trace.len()),
                BoundedResult::Holds => None,
                BoundedResult::Undecided { .. } => panic!("{seed}: undecided"),
            };
            assert_eq!(found, depth, "{seed}: bad_{number}\n{text}\n{written}");
            *(if depth.is_some() { &mut violated } else { &mut holding }) += 1;
        }
    }
    println!("{violated} violated, {holding} hold");
    assert!(violated > 10 && holding > 10, "{violated} violated, {holding} hold");
}

#[test]
fn constants_have_all_values_of_their_width() {
    for (constant, value) in [
        ("const 1 10", 2),
        ("consth 1 3", 3),
        ("consth 1 003", 3),
        ("consth 1 0", 0),
        ("constd 1 3", 3),
        ("constd 1 -2", 2),
        ("constd 1 -1", 3),
    ] {
        let text = smv_text(&format!("1 sort bitvec 2\n2 {constant}\n3 state 1 s\n4 init 1 3 2"));
        let text = text.unwrap_or_else(|why| panic!("{constant}: {why:?}"));
        assert!(text.contains(&format!("init(s) := 0ud2_{value};")), "{constant}: {text}");
    }
}

#[test]
fn malformed_circuits_are_refused_with_their_line() {
    for (text, line, part) in [
        ("1 sort bitvec 1\n2 state 3", 2, "`3` is no sort"),
        ("1 sort bitvec 64\n\n2 state 1", 3, "64 bits"),
        ("1 sort bitvec 4\n2 sort array 1 1\n3 state 2", 3, "arrays"),
        ("1 sort bitvec 4\n2 input 1\n3 bad 2", 3, "a condition is a bit"),
        ("1 sort bitvec 4\n1 input 1", 2, "line 1 follows line 1"),
        ("1 sort bitvec 4\n2 input 1\n3 sort bitvec 2\n4 add 3 2 2", 4, "the sort 2 bits"),
        ("1 sort bitvec 4\n2 input 1\n3 frobnicate 1 2", 3, "`frobnicate` is not known"),
        ("1 var 32", 1, "not known"),
        ("x", 1, "a number and a word"),
        ("1 sort bitvec 2\n2 const 1 12", 2, "digits"),
        ("1 sort bitvec 2\n2 input 1\n3 slice 1 2 1 2", 3, "no such bits"),
        ("1 sort bitvec 2\n2 state 1\n3 zero 1\n4 init 1 2 3\n5 init 1 2 3", 5, "another `init`"),
        ("1 sort bitvec 1\n2 justice 0", 2, "number of conditions"),
        ("1 sort bitvec 1\n2 input 1\n5 bad 2\n4 bad 2", 4, "line 4 follows line 5"),
        ("1 sort bitvec 1\n2 input 1\n3 bad 2\n3 constraint 2", 4, "line 3 follows line 3"),
        ("1 sort bitvec 2\n2 const 1 1111", 2, "`const` needs 2 binary digits"),
        ("1 sort bitvec 2\n2 const 1 1", 2, "`const` needs 2 binary digits"),
        ("1 sort bitvec 2\n2 consth 1 4", 2, "hexadecimal digits of at most 2 bits"),
        ("1 sort bitvec 2\n2 constd 1 4", 2, "a number in -2..3"),
        ("1 sort bitvec 2\n2 constd 1 -3", 2, "a number in -2..3"),
        ("1 sort bitvec 2\n2 constd 1 +1", 2, "a number in -2..3"),
        ("1 sort bitvec 1\n2 next", 2, "`next` needs a sort, a state and a value"),
        ("1 sort bitvec 1\n2 init 1", 2, "`init` needs a sort, a state and a value"),
        ("1 sort bitvec 1\n2 bad", 2, "`bad` needs a value"),
        ("1 sort bitvec 1\n2 state", 2, "`state` needs a sort"),
        (
            "1 sort bitvec 1\n2 state 1\n3 state 1\n4 init 1 2 3",
            4,
            "the first value of state 2 comes after it",
        ),
        ("1 sort bitvec 1\n2 state 1\n3 not 1 2\n4 init 1 2 -3", 4, "in line -3"),
    ] {
        let found = smv_text(text).expect_err(text);
        assert_eq!((found[0].line, found[0].message.contains(part)), (line, true), "{text}: {found:?}");
    }
}
