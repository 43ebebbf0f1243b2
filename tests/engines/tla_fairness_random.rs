//! Random actions, fairness and temporal properties in TLA+ against their definitions, over all sets of steps that recur for ever.

use super::smv_models::holds;
use crate::random::{Random, seeds};
use cladist::budget::Budget;
use cladist::explore::Graph;
use cladist::limits::ValueLimits;
use cladist::ltl::Fairness;
use cladist::model::{LoadOptions, load_written};
use cladist::readers::RESULT;
use cladist::tla::import_text;
use std::collections::BTreeMap;
use std::io::ErrorKind;

/// The values of `x`, `y` and `p`, each 0 or 1, in the states `s` and `t` of a step.
#[derive(Clone, Copy)]
struct Point {
    s: usize,
    t: usize,
    p: usize,
}

fn points() -> impl Iterator<Item = Point> {
    (0..32).map(|at| Point { s: at / 8, t: at / 2 % 4, p: at % 2 })
}

fn x(state: usize) -> usize {
    state / 2
}

fn y(state: usize) -> usize {
    state % 2
}

/// A text, and the points where it is true, or 1.
#[derive(Debug, Clone)]
struct Term {
    text: String,
    table: u32,
}

impl Term {
    fn new(text: impl Into<String>, is_true: impl Fn(Point) -> bool) -> Self {
        let table =
            (0..).zip(points()).filter(|(_, point)| is_true(*point)).fold(0, |all, (at, _)| all | 1 << at);
        Self { text: text.into(), table }
    }

    fn at(&self, point: Point) -> bool {
        self.table >> (point.s * 8 + point.t * 2 + point.p) & 1 == 1
    }

    fn and(&self, other: &Self) -> Self {
        Self { text: format!("({} /\\ {})", self.text, other.text), table: self.table & other.table }
    }

    fn or(&self, other: &Self) -> Self {
        Self { text: format!("({} \\/ {})", self.text, other.text), table: self.table | other.table }
    }

    fn not(&self) -> Self {
        Self { text: format!("~({})", self.text), table: !self.table }
    }

    fn called(&self, text: impl Into<String>) -> Self {
        Self { text: text.into(), table: self.table }
    }

    /// Lets `p` have a value.
    fn given(&self, text: impl Into<String>, value: impl Fn(Point) -> usize) -> Self {
        Self::new(text, |point| self.at(Point { p: value(point), ..point }))
    }

    /// The formula for some `p` that a condition allows.
    fn for_some(&self, set: &str, allows: impl Fn(Point) -> bool) -> Self {
        Self::new(format!("(\\E p \\in {set} : {})", self.text), |point| {
            (0..2).any(|p| allows(Point { p, ..point }) && self.at(Point { p, ..point }))
        })
    }

    /// The steps, as places 4s + t, that satisfy it.
    fn steps(&self) -> u16 {
        points()
            .filter(|&point| point.p == 0 && self.at(point))
            .fold(0, |all, Point { s, t, .. }| all | 1 << (s * 4 + t))
    }

    /// The states where it has a step.
    fn enabled(&self) -> Self {
        Self::new(format!("ENABLED {}", self.text), |point| (0..4).any(|t| self.at(Point { t, ..point })))
    }
}

/// The variables after WF and the like.
#[derive(Debug, Clone, Copy)]
struct Subscript {
    text: &'static str,
    x: bool,
    y: bool,
}

const SUBSCRIPTS: &[Subscript] = &[
    Subscript { text: "vars", x: true, y: true },
    Subscript { text: "<<y, x>>", x: true, y: true },
    Subscript { text: "x", x: true, y: false },
    Subscript { text: "y", x: false, y: true },
];

impl Subscript {
    fn moves(self) -> Term {
        Term::new("", |Point { s, t, .. }| self.x && x(s) != x(t) || self.y && y(s) != y(t))
    }

    fn angle(self, action: &Term) -> Term {
        action.and(&self.moves()).called(format!("<<{}>>_{}", action.text, self.text))
    }
}

/// A formula about the steps that recur for ever.
#[derive(Debug, Clone)]
enum Recurring {
    /// One of these steps recurs.
    Some(u16),
    /// Only these steps recur.
    Only(u16),
    Not(Box<Recurring>),
    Any(Box<Recurring>, Box<Recurring>),
}

impl Recurring {
    fn holds(&self, steps: u16) -> bool {
        match self {
            Self::Some(some) => steps & some != 0,
            Self::Only(only) => steps & !only == 0,
            Self::Not(inner) => !inner.holds(steps),
            Self::Any(a, b) => a.holds(steps) || b.holds(steps),
        }
    }
}

#[derive(Debug)]
enum Property {
    Always(u16),
    Initially(u16),
    Eventually(u16),
    LeadsTo(u16, u16),
    Recurring(Recurring),
}

struct Writer<'r> {
    rng: &'r mut Random,
    /// True where `p` has a value.
    has_p: bool,
    actions: Vec<Term>,
}

impl Writer<'_> {
    fn value(&mut self, primed: &[char]) -> Term {
        let mut all = vec![
            Term::new("0", |_| false),
            Term::new("1", |_| true),
            Term::new("x", |point| x(point.s) == 1),
            Term::new("y", |point| y(point.s) == 1),
            Term::new("(1 - x)", |point| x(point.s) == 0),
            Term::new("(1 - y)", |point| y(point.s) == 0),
        ];
        if primed.contains(&'x') {
            all.push(Term::new("x'", |point| x(point.t) == 1));
        }
        if primed.contains(&'y') {
            all.push(Term::new("(1 - y')", |point| y(point.t) == 0));
        }
        if self.has_p {
            all.push(Term::new("p", |point| point.p == 1));
        }
        self.rng.pick(&all).clone()
    }

    fn compared(&mut self, primed: &[char]) -> Term {
        let (a, b) = (self.value(primed), self.value(primed));
        match self.rng.below(3) {
            0 => Term::new(format!("{} = {}", a.text, b.text), |point| a.at(point) == b.at(point)),
            1 => Term::new(format!("{} # {}", a.text, b.text), |point| a.at(point) != b.at(point)),
            _ => Term::new(format!("{} <= {}", a.text, b.text), |point| a.at(point) <= b.at(point)),
        }
    }

    /// Gives a variable a value.
    fn assigned(&mut self, variable: char, primed: &[char]) -> Term {
        let of = move |state: usize| if variable == 'x' { x(state) } else { y(state) };
        match self.rng.below(6) {
            0 => Term::new(format!("UNCHANGED {variable}"), |point| of(point.t) == of(point.s)),
            1 => Term::new(format!("{variable}' \\in {{0, 1}}"), |_| true),
            2 => {
                let (a, b) = (self.value(primed), self.value(primed));
                Term::new(format!("{variable}' \\in {{{}, {}}}", a.text, b.text), |point| {
                    let new = of(point.t) == 1;
                    new == a.at(point) || new == b.at(point)
                })
            }
            _ => {
                let a = self.value(primed);
                Term::new(format!("{variable}' = {}", a.text), |point| (of(point.t) == 1) == a.at(point))
            }
        }
    }

    fn action(&mut self, variables: &[char], depth: usize) -> Term {
        match self.rng.below(if depth == 0 { 4 } else { 8 }) {
            4 | 5 => self.action(variables, depth - 1).or(&self.action(variables, depth - 1)),
            6 => {
                let condition = self.compared(&[]);
                let (a, b) = (self.action(variables, depth - 1), self.action(variables, depth - 1));
                let text = format!("(IF {} THEN {} ELSE {})", condition.text, a.text, b.text);
                Term::new(text, |point| if condition.at(point) { a.at(point) } else { b.at(point) })
            }
            7 if !self.has_p => {
                self.has_p = true;
                let inner = self.action(variables, depth - 1);
                self.has_p = false;
                self.for_some_p(&inner)
            }
            _ => {
                let mut all =
                    if self.rng.percent(70) { self.compared(&[]) } else { Term::new("TRUE", |_| true) };
                for at in 0..variables.len() {
                    all = all.and(&self.assigned(variables[at], &variables[..at]));
                }
                if self.rng.percent(25) {
                    all = all.and(&self.compared(variables));
                }
                all
            }
        }
    }

    fn for_some_p(&mut self, inner: &Term) -> Term {
        match self.rng.below(4) {
            0 => inner.for_some("{x, 1}", |point| point.p == 1 || x(point.s) == 0),
            1 => inner.for_some("{q \\in {0, 1} : q # y}", |point| point.p != y(point.s)),
            _ => inner.for_some("{0, 1}", |_| true),
        }
    }

    /// An action that is named, or a part of the next-state relation.
    fn part(&mut self) -> Term {
        let [a, b, c] = [0, 1, 2].map(|at| self.actions[at].clone());
        match self.rng.below(10) {
            0 | 1 => a,
            2 => b,
            3 => c.called("C(p)").for_some("{0, 1}", |_| true),
            4 => self.for_some_p(&c.called("C(p)")),
            5 => c.given("C(0)", |_| 0),
            6 => c.given("C(1)", |_| 1),
            7 => c.given("C(1 - y)", |point| 1 - y(point.s)),
            8 => a.and(&self.compared(&['x', 'y'])),
            _ => {
                let condition = self.compared(&[]);
                let text = format!("(IF {} THEN A ELSE B)", condition.text);
                Term::new(text, |point| if condition.at(point) { a.at(point) } else { b.at(point) })
            }
        }
    }

    /// An action that fairness or a property is about.
    fn meant(&mut self) -> Term {
        match self.rng.below(5) {
            // D leaves a variable free, and E is the next-state relation.
            0 => self.actions[3].clone(),
            1 => self.actions[4].clone(),
            2 => self.part().or(&self.part()),
            _ => self.part(),
        }
    }

    fn state(&mut self) -> Term {
        let formula = match self.rng.below(4) {
            0 => self.meant().enabled(),
            1 => {
                let over = *self.rng.pick(SUBSCRIPTS);
                over.angle(&self.meant()).enabled()
            }
            _ => self.compared(&[]),
        };
        match self.rng.percent(30) {
            true => formula.not(),
            false => formula,
        }
    }

    /// A formula of fairness, with its text.
    fn fair(&mut self, action: &Term) -> (String, Recurring) {
        let over = *self.rng.pick(SUBSCRIPTS);
        let step = over.angle(action);
        let unable = step.enabled().not().steps();
        let (word, idle) = match self.rng.percent(50) {
            true => ("WF", Recurring::Some(unable)),
            false => ("SF", Recurring::Only(unable)),
        };
        let text = format!("{word}_{}({})", over.text, action.text);
        (text, Recurring::Any(Box::new(idle), Box::new(Recurring::Some(step.steps()))))
    }

    /// Fairness of C with each argument.
    fn fair_each(&self) -> (String, Recurring) {
        let steps = self.actions[2].clone();
        let each = [0, 1].map(|p| {
            let step = SUBSCRIPTS[0].angle(&steps.given("", |_| p));
            let idle = Box::new(Recurring::Some(step.enabled().not().steps()));
            Recurring::Not(Box::new(Recurring::Any(idle, Box::new(Recurring::Some(step.steps())))))
        });
        let [a, b] = each.map(Box::new);
        let both = Recurring::Not(Box::new(Recurring::Any(a, b)));
        ("\\A p \\in {0, 1} : WF_vars(C(p))".to_owned(), both)
    }

    fn recurring(&mut self, depth: usize) -> (String, Recurring) {
        match self.rng.below(if depth == 0 { 5 } else { 7 }) {
            0 => {
                let state = self.state();
                (format!("[]<>({})", state.text), Recurring::Some(state.steps()))
            }
            1 => {
                let state = self.state();
                (format!("<>[]({})", state.text), Recurring::Only(state.steps()))
            }
            2 => {
                let (over, action) = (*self.rng.pick(SUBSCRIPTS), self.meant());
                let step = over.angle(&action);
                (format!("[]<>{}", step.text), Recurring::Some(step.steps()))
            }
            3 => {
                let (over, action) = (*self.rng.pick(SUBSCRIPTS), self.meant());
                let steps = action.or(&over.moves().not()).steps();
                (format!("<>[][{}]_{}", action.text, over.text), Recurring::Only(steps))
            }
            4 => {
                let action = self.meant();
                self.fair(&action)
            }
            5 => {
                let (text, inner) = self.recurring(depth - 1);
                (format!("~({text})"), Recurring::Not(Box::new(inner)))
            }
            _ => {
                let ((a, first), (b, second)) = (self.recurring(depth - 1), self.recurring(depth - 1));
                let not = Recurring::Not(Box::new(first));
                (format!("(({a}) => ({b}))"), Recurring::Any(Box::new(not), Box::new(second)))
            }
        }
    }

    fn property(&mut self) -> (String, Property) {
        match self.rng.below(8) {
            0 => {
                let state = self.state();
                (format!("[]({})", state.text), Property::Always(state.steps()))
            }
            1 => {
                let (over, action) = (*self.rng.pick(SUBSCRIPTS), self.meant());
                let steps = action.or(&over.moves().not()).steps();
                (format!("[][{}]_{}", action.text, over.text), Property::Always(steps))
            }
            2 => {
                let state = self.state();
                (state.text.clone(), Property::Initially(state.steps()))
            }
            3 => {
                let state = self.state();
                (format!("<>({})", state.text), Property::Eventually(state.steps()))
            }
            4 => {
                let (from, to) = (self.state(), self.state());
                let text = format!("(({}) ~> ({}))", from.text, to.text);
                (text, Property::LeadsTo(from.steps(), to.steps()))
            }
            _ => {
                let (text, formula) = self.recurring(2);
                (text, Property::Recurring(formula))
            }
        }
    }
}

/// The steps that begin in states.
fn from(states: u8) -> u16 {
    (0..4).filter(|s| states >> s & 1 == 1).fold(0, |all, s| all | 0b1111 << (s * 4))
}

/// The states that are reached from others by some steps, these included.
fn reached(first: u8, steps: u16) -> u8 {
    let mut states = first;
    loop {
        let new = (0..16)
            .filter(|at| steps & from(states) & 1 << at != 0)
            .fold(states, |all, at| all | 1 << (at % 4));
        if new == states {
            return states;
        }
        states = new;
    }
}

/// The states that steps begin in.
fn sources(steps: u16) -> u8 {
    (0..4).filter(|&s| steps & from(1 << s) != 0).fold(0, |all, s| all | 1 << s)
}

/// True if a trace can take all of the steps again and again, and no others.
fn may_recur(steps: u16) -> bool {
    let states = sources(steps);
    (0..4).filter(|s| states >> s & 1 == 1).all(|s| reached(1 << s, steps) == states)
}

struct Known {
    first: u8,
    /// The steps of the specification, with those that change nothing.
    steps: u16,
    /// The sets of steps that a fair trace can take for ever.
    recurring: Vec<u16>,
}

impl Known {
    /// True if a fair trace from some states takes only some steps, and some for ever that violate a formula.
    fn some_trace(&self, first: u8, steps: u16, violated: impl Fn(u16) -> bool) -> bool {
        let states = reached(first, self.steps & steps);
        self.recurring.iter().any(|own| own & !(steps & from(states)) == 0 && violated(*own))
    }

    fn violates(&self, property: &Property) -> bool {
        let anything = |_: u16| true;
        match property {
            Property::Always(steps) => self.steps & from(reached(self.first, self.steps)) & !steps != 0,
            Property::Initially(steps) => self.some_trace(self.first & sources(!steps), u16::MAX, anything),
            Property::Eventually(steps) => self.some_trace(self.first, !steps, anything),
            Property::LeadsTo(from_steps, to) => {
                let all = reached(self.first, self.steps);
                self.some_trace(all & sources(from_steps & !to), !to, anything)
            }
            Property::Recurring(formula) => {
                self.some_trace(self.first, u16::MAX, |steps| !formula.holds(steps))
            }
        }
    }
}

/// Compares the verdicts on the properties of a random specification; returns the numbers of those that hold and are violated.
fn compare(seed: u64) -> Result<[usize; 2], String> {
    let rng = &mut Random::new(seed);
    let mut writer = Writer { rng, has_p: false, actions: Vec::new() };
    let mut module = "---- MODULE M ----\nEXTENDS Integers\nVARIABLES x, y\nvars == <<x, y>>\n".to_owned();
    for name in ["A", "B", "C(p)", "D"] {
        writer.has_p = name == "C(p)";
        let variables = match name {
            "D" => [vec!['x'], vec!['y'], vec!['x', 'y']][writer.rng.below(3)].clone(),
            _ => vec!['x', 'y'],
        };
        let action = writer.action(&variables, 2);
        module += &format!("{name} == {}\n", action.text);
        writer.actions.push(action.called(name));
    }
    writer.has_p = false;
    let mut next = writer.part();
    for _ in 0..writer.rng.below(3) {
        next = next.or(&writer.part());
    }
    module += &format!("E == {}\n", next.text);
    writer.actions.push(next.called("E"));
    let (first, init) =
        *writer.rng.pick(&[(0b0001_u8, "x = 0 /\\ y = 0"), (0b0011, "x = 0 /\\ y \\in {0, 1}")]);
    let mut fair = Vec::new();
    for _ in 0..writer.rng.below(3) {
        fair.push(match writer.rng.percent(20) {
            true => writer.fair_each(),
            false => {
                let action = writer.meant();
                writer.fair(&action)
            }
        });
    }
    let all: String = fair.iter().map(|(text, _)| format!(" /\\ ({text})")).collect();
    module +=
        &format!("Init == {init}\nSpec == Init /\\ [][E]_vars{all}\nTypeOK == x \\in 0..1 /\\ y \\in 0..1\n");
    let mut config = "SPECIFICATION Spec\nCHECK_DEADLOCK FALSE\nINVARIANT TypeOK\nPROPERTIES".to_owned();
    let steps = next.steps() | (0..4).fold(0, |all, s| all | 1 << (s * 4 + s));
    let is_fair = |steps: &u16| fair.iter().all(|(_, formula)| formula.holds(*steps));
    let recurring =
        (1..=u16::MAX).filter(|own| own & !steps == 0 && may_recur(*own)).filter(is_fair).collect();
    let known = Known { first, steps, recurring };
    let mut wanted = BTreeMap::new();
    for at in 0..6 {
        let (text, property) = writer.property();
        module += &format!("P{at} == {text}\n");
        config += &format!(" P{at}");
        wanted.insert(format!("P{at}"), !known.violates(&property));
    }
    module += "====\n";
    let beside = |name: &str| match name {
        "M.cfg" => Ok((name.to_owned(), config.clone())),
        _ => Err(ErrorKind::NotFound.into()),
    };
    let imported = import_text("M", "M.tla", &module, &ValueLimits::default(), &beside)
        .map_err(|refused| format!("{}\n{module}", refused.diagnostics[0].message))?;
    let loaded = load_written("M", &imported.text, &LoadOptions::default());
    let model = loaded.model.unwrap_or_else(|| panic!("seed {seed}\n{module}\n{:?}", loaded.diagnostics));
    let graph = Graph::explore(&model, None, 10_000, &Budget::unlimited()).map_err(|_| "many states")?;
    let fairness = Fairness::of_model(&model);
    let mut counts = [0, 0];
    for property in &model.properties {
        let found = holds(&model, &graph, &fairness, property).ok_or("a large formula")?;
        let Some(own) = wanted.get(&property.name) else {
            assert!(found && (property.name == "TypeOK" || property.name.ends_with(RESULT)), "seed {seed}");
            continue;
        };
        assert_eq!(found, *own, "seed {seed}: {}\n{module}\n{}", property.name, imported.text);
        counts[usize::from(!found)] += 1;
    }
    assert_eq!(counts[0] + counts[1], wanted.len(), "seed {seed}");
    Ok(counts)
}

#[test]
fn random_fairness_means_what_the_definitions_say() {
    let (mut holding, mut violated, mut refused) = (0, 0, BTreeMap::<String, usize>::new());
    for seed in seeds(150) {
        match compare(seed) {
            Ok([held, other]) => {
                holding += held;
                violated += other;
            }
            Err(message) => *refused.entry(message).or_default() += 1,
        }
    }
    let all: usize = refused.values().sum();
    assert!(
        holding > all && violated > all,
        "{holding} hold, {violated} are violated, refused: {refused:#?}"
    );
}
