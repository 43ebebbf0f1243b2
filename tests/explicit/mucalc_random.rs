//! Random formulas of the µ-calculus with data on random systems, in both spellings, against their definition: sets of states,
//! fixpoints by iteration from below or above, sequences of actions as relations.

use crate::random::{Random, cases};
use cladist::budget::Budget;
use cladist::diagnostics::SourceMap;
use cladist::lts::{Lts, LtsBuilder, StateId};
use cladist::mucalc::{self, FormulaResult, LabelParts, Language, check, parse, resolve};
use std::collections::BTreeSet;

/// The states of a random system.
const STATES: u32 = 5;

/// The values over which variables range in the definition: more than occur in labels.
const VALUES: i64 = 5;

/// What labels have as data: numbers below.
const IN_LABELS: usize = 3;

/// A label: `a(n)`, `b(n, m)`, `c`, or the invisible one.
type Label = (char, Vec<i64>);

struct System {
    steps: Vec<(u32, Label, u32)>,
    initial: u32,
}

fn label_text((name, data): &Label) -> String {
    match data.as_slice() {
        [] if *name == 't' => "tau".to_owned(),
        [] => name.to_string(),
        data => format!("{name}({})", data.iter().map(i64::to_string).collect::<Vec<_>>().join(",")),
    }
}

impl System {
    fn new(random: &mut Random) -> Self {
        let number = |random: &mut Random| random.below(IN_LABELS) as i64;
        let steps = (0..random.below(12)).map(|_| {
            let label = match random.below(6) {
                0 | 1 => ('a', vec![number(random)]),
                2 => ('b', vec![number(random), number(random)]),
                3 | 4 => ('c', vec![]),
                _ => ('t', vec![]),
            };
            (random.below(STATES as usize) as u32, label, random.below(STATES as usize) as u32)
        });
        let steps = steps.collect();
        Self { steps, initial: random.below(STATES as usize) as u32 }
    }

    fn lts(&self) -> Lts {
        let mut builder = LtsBuilder::new();
        for (from, label, to) in &self.steps {
            let label = builder.labels.intern(label_text(label).as_bytes());
            builder.add(StateId::from_u32(*from), label, StateId::from_u32(*to));
        }
        builder.finish(StateId::from_u32(self.initial), STATES)
    }
}

/// A number: a constant or a variable by its index.
#[derive(Debug, Clone)]
enum Number {
    Constant(i64),
    Variable(usize),
    /// One more, modulo 3.
    Next(usize),
}

#[derive(Debug, Clone)]
enum Set {
    All,
    Is(char, Vec<Number>),
    Not(Box<Set>),
    And(Box<Set>, Box<Set>),
    Or(Box<Set>, Box<Set>),
    /// For all values of a variable, or for one.
    Bind(bool, usize, Box<Set>),
}

#[derive(Debug, Clone)]
enum Sequences {
    One(Set),
    Then(Box<Sequences>, Box<Sequences>),
    Either(Box<Sequences>, Box<Sequences>),
    Star(Box<Sequences>),
    Plus(Box<Sequences>),
}

#[derive(Debug, Clone)]
enum Formula {
    Bool(bool),
    Equal(Number, Number),
    Not(Box<Formula>),
    And(Box<Formula>, Box<Formula>),
    Or(Box<Formula>, Box<Formula>),
    Modal(bool, Sequences, Box<Formula>),
    /// Greatest or least, with a parameter (a variable) and its first value if there is one.
    Fix(bool, usize, Option<(usize, Number)>, Box<Formula>),
    Call(usize, Option<Number>),
    Bind(bool, usize, Box<Formula>),
}

/// What is in scope while a formula is made up.
#[derive(Clone, Default)]
struct Scope {
    variables: Vec<usize>,
    /// Fixpoints with the polarity under which they were bound, and whether they have a parameter.
    fixpoints: Vec<(usize, bool, bool)>,
    positive: bool,
}

/// Makes up formulas.
struct Maker<'r> {
    random: &'r mut Random,
    variables: usize,
    fixpoints: usize,
}

impl Maker<'_> {
    fn number(&mut self, scope: &Scope) -> Number {
        match scope.variables.is_empty() || self.random.percent(20) {
            true => Number::Constant(self.random.below(IN_LABELS) as i64),
            false => Number::Variable(*self.random.pick(&scope.variables)),
        }
    }

    fn set(&mut self, scope: &Scope, depth: usize) -> Set {
        let boxed = |this: &mut Self| Box::new(this.set(scope, depth - 1));
        match if depth == 0 { 0 } else { self.random.below(10) } {
            0..=4 => match self.random.below(5) {
                0 => Set::All,
                1 => Set::Is('c', vec![]),
                2 => Set::Is('b', vec![self.number(scope), self.number(scope)]),
                _ => Set::Is('a', vec![self.number(scope)]),
            },
            5 | 6 => Set::Not(boxed(self)),
            7 => Set::And(boxed(self), boxed(self)),
            8 => Set::Or(boxed(self), boxed(self)),
            _ => {
                let (inner, variable) = self.bound(scope);
                Set::Bind(self.random.percent(50), variable, Box::new(self.set(&inner, depth - 1)))
            }
        }
    }

    fn bound(&mut self, scope: &Scope) -> (Scope, usize) {
        self.variables += 1;
        let mut inner = scope.clone();
        inner.variables.push(self.variables - 1);
        (inner, self.variables - 1)
    }

    fn sequences(&mut self, scope: &Scope, depth: usize) -> Sequences {
        let boxed = |this: &mut Self| Box::new(this.sequences(scope, depth - 1));
        match if depth == 0 { 0 } else { self.random.below(9) } {
            0..=3 => Sequences::One(self.set(scope, 2)),
            4 | 5 => Sequences::Then(boxed(self), boxed(self)),
            6 => Sequences::Either(boxed(self), boxed(self)),
            7 => Sequences::Star(boxed(self)),
            _ => Sequences::Plus(boxed(self)),
        }
    }

    fn formula(&mut self, scope: &Scope, depth: usize) -> Formula {
        if depth == 0 {
            return self.leaf(scope);
        }
        let boxed = |this: &mut Self, scope: &Scope| Box::new(this.formula(scope, depth - 1));
        match self.random.below(12) {
            0 => self.leaf(scope),
            1 => {
                let inner = Scope { positive: !scope.positive, ..scope.clone() };
                Formula::Not(boxed(self, &inner))
            }
            2 | 3 => Formula::And(boxed(self, scope), boxed(self, scope)),
            4 => Formula::Or(boxed(self, scope), boxed(self, scope)),
            5..=7 => {
                let all = self.random.percent(50);
                Formula::Modal(all, self.sequences(scope, 2), boxed(self, scope))
            }
            8..=10 => self.fix(scope, depth),
            _ => {
                let (inner, variable) = self.bound(scope);
                Formula::Bind(self.random.percent(50), variable, boxed(self, &inner))
            }
        }
    }

    fn fix(&mut self, scope: &Scope, depth: usize) -> Formula {
        let fixpoint = self.fixpoints;
        self.fixpoints += 1;
        let first = self.number(scope);
        let (mut inner, parameter) = match self.random.percent(30) {
            true => {
                let (inner, variable) = self.bound(scope);
                (inner, Some((variable, first)))
            }
            false => (scope.clone(), None),
        };
        inner.fixpoints.push((fixpoint, scope.positive, parameter.is_some()));
        let greatest = self.random.percent(50);
        Formula::Fix(greatest, fixpoint, parameter, Box::new(self.formula(&inner, depth - 1)))
    }

    fn leaf(&mut self, scope: &Scope) -> Formula {
        let usable: Vec<_> = scope.fixpoints.iter().filter(|f| f.1 == scope.positive).copied().collect();
        if !usable.is_empty() && self.random.percent(75) {
            let &(fixpoint, _, parameter) = self.random.pick(&usable);
            let argument = parameter.then(|| match scope.variables.is_empty() || self.random.percent(40) {
                true => self.number(scope),
                false => Number::Next(*self.random.pick(&scope.variables)),
            });
            return Formula::Call(fixpoint, argument);
        }
        match self.random.below(4) {
            0 if !scope.variables.is_empty() => Formula::Equal(self.number(scope), self.number(scope)),
            0 | 1 => Formula::Bool(true),
            _ => Formula::Bool(false),
        }
    }
}

/// How something is written.
struct Spelling {
    mcl: bool,
}

impl Spelling {
    fn word(&self, sign: &'static str) -> &'static str {
        match (sign, self.mcl) {
            ("!", true) => "not ",
            ("&&", true) => "and",
            ("||", true) => "or",
            _ => sign,
        }
    }

    fn number(&self, number: &Number) -> String {
        match number {
            Number::Constant(n) => n.to_string(),
            Number::Variable(v) => format!("x{v}"),
            Number::Next(v) => format!("(x{v} + 1) mod 3"),
        }
    }

    fn set(&self, set: &Set) -> String {
        let pair = |a: &Set, sign, b: &Set| format!("({} {} {})", self.set(a), self.word(sign), self.set(b));
        match set {
            Set::All => "true".to_owned(),
            Set::Is(name, data) if data.is_empty() => name.to_string(),
            Set::Is(name, data) => {
                let data: Vec<String> = data.iter().map(|n| self.number(n)).collect();
                format!("{name}({})", data.join(", "))
            }
            Set::Not(of) => format!("{}({})", self.word("!"), self.set(of)),
            Set::And(a, b) => pair(a, "&&", b),
            Set::Or(a, b) => pair(a, "||", b),
            Set::Bind(all, v, of) => {
                let word = if *all { "forall" } else { "exists" };
                format!("({word} x{v}: Nat . {})", self.set(of))
            }
        }
    }

    fn sequences(&self, sequences: &Sequences) -> String {
        match sequences {
            Sequences::One(set) => self.set(set),
            Sequences::Then(a, b) => format!("({} . {})", self.sequences(a), self.sequences(b)),
            Sequences::Either(a, b) => {
                let sign = if self.mcl { "|" } else { "+" };
                format!("({} {sign} {})", self.sequences(a), self.sequences(b))
            }
            Sequences::Star(of) => format!("({})*", self.sequences(of)),
            Sequences::Plus(of) => format!("({})+", self.sequences(of)),
        }
    }

    fn formula(&self, formula: &Formula) -> String {
        let pair = |a: &Formula, sign, b: &Formula| {
            format!("({} {} {})", self.formula(a), self.word(sign), self.formula(b))
        };
        match formula {
            Formula::Bool(value) => value.to_string(),
            Formula::Equal(a, b) => format!("val({} == {})", self.number(a), self.number(b)),
            Formula::Not(of) => format!("{}({})", self.word("!"), self.formula(of)),
            Formula::And(a, b) => pair(a, "&&", b),
            Formula::Or(a, b) => pair(a, "||", b),
            Formula::Modal(true, s, of) => format!("[{}] {}", self.sequences(s), self.formula(of)),
            Formula::Modal(false, s, of) => format!("<{}> {}", self.sequences(s), self.formula(of)),
            Formula::Fix(greatest, x, parameter, of) => {
                let word = if *greatest { "nu" } else { "mu" };
                let parameter = parameter.as_ref();
                let parameter = parameter.map(|(v, first)| format!("(x{v}: Nat = {})", self.number(first)));
                format!("({word} X{x}{} . {})", parameter.unwrap_or_default(), self.formula(of))
            }
            Formula::Call(x, None) => format!("X{x}"),
            Formula::Call(x, Some(argument)) => format!("X{x}({})", self.number(argument)),
            Formula::Bind(all, v, of) => {
                let word = if *all { "forall" } else { "exists" };
                format!("({word} x{v}: Nat . {})", self.formula(of))
            }
        }
    }
}

/// The meaning by definition.
struct Meaning<'s> {
    steps: &'s [(u32, Label, u32)],
    /// The values of variables.
    values: Vec<i64>,
    /// For each fixpoint its states, with a value of its parameter.
    fixpoints: Vec<BTreeSet<(u32, i64)>>,
}

impl Meaning<'_> {
    fn number(&self, number: &Number) -> i64 {
        match number {
            Number::Constant(n) => *n,
            Number::Variable(v) => self.values[*v],
            Number::Next(v) => (self.values[*v] + 1).rem_euclid(3),
        }
    }

    fn has(&mut self, set: &Set, label: &Label) -> bool {
        match set {
            Set::All => true,
            Set::Is(name, data) => {
                label.0 == *name && label.1 == data.iter().map(|n| self.number(n)).collect::<Vec<_>>()
            }
            Set::Not(of) => !self.has(of, label),
            Set::And(a, b) => self.has(a, label) && self.has(b, label),
            Set::Or(a, b) => self.has(a, label) || self.has(b, label),
            Set::Bind(all, v, of) => {
                let before = self.values[*v];
                let mut each = |value| {
                    self.values[*v] = value;
                    self.has(of, label)
                };
                let result = if *all { (0..VALUES).all(&mut each) } else { (0..VALUES).any(&mut each) };
                self.values[*v] = before;
                result
            }
        }
    }

    /// Which states sequences lead from and to.
    fn relation(&mut self, sequences: &Sequences) -> BTreeSet<(u32, u32)> {
        let then = |a: &BTreeSet<(u32, u32)>, b: &BTreeSet<(u32, u32)>| -> BTreeSet<(u32, u32)> {
            let pairs =
                a.iter().flat_map(|&(s, t)| b.iter().filter(move |p| p.0 == t).map(move |p| (s, p.1)));
            pairs.collect()
        };
        match sequences {
            Sequences::One(set) => {
                let steps = self.steps;
                steps.iter().filter(|(_, label, _)| self.has(set, label)).map(|(s, _, t)| (*s, *t)).collect()
            }
            Sequences::Then(a, b) => then(&self.relation(a), &self.relation(b)),
            Sequences::Either(a, b) => &self.relation(a) | &self.relation(b),
            Sequences::Star(of) | Sequences::Plus(of) => {
                let one = self.relation(of);
                let mut all: BTreeSet<_> = (0..STATES).map(|s| (s, s)).collect();
                loop {
                    let more = &all | &then(&all, &one);
                    if more == all {
                        break;
                    }
                    all = more;
                }
                if matches!(sequences, Sequences::Star(_)) { all } else { then(&one, &all) }
            }
        }
    }

    fn states(&mut self, formula: &Formula) -> BTreeSet<u32> {
        let all: BTreeSet<u32> = (0..STATES).collect();
        match formula {
            Formula::Bool(value) => {
                if *value {
                    all
                } else {
                    BTreeSet::new()
                }
            }
            Formula::Equal(a, b) => {
                if self.number(a) == self.number(b) {
                    all
                } else {
                    BTreeSet::new()
                }
            }
            Formula::Not(of) => &all - &self.states(of),
            Formula::And(a, b) => &self.states(a) & &self.states(b),
            Formula::Or(a, b) => &self.states(a) | &self.states(b),
            Formula::Modal(every, sequences, of) => {
                let (relation, good) = (self.relation(sequences), self.states(of));
                let holds = |s: &u32| {
                    let mut after = relation.iter().filter(|p| p.0 == *s).map(|p| good.contains(&p.1));
                    if *every { after.all(|g| g) } else { after.any(|g| g) }
                };
                all.into_iter().filter(holds).collect()
            }
            Formula::Fix(greatest, x, parameter, of) => {
                let range: Vec<i64> = if parameter.is_some() { (0..VALUES).collect() } else { vec![0] };
                let pairs = all.iter().flat_map(|&s| range.iter().map(move |&n| (s, n)));
                let outside = self.fixpoints[*x].clone();
                self.fixpoints[*x] = if *greatest { pairs.collect() } else { BTreeSet::new() };
                loop {
                    let mut next = BTreeSet::new();
                    for &n in &range {
                        let before =
                            parameter.as_ref().map(|(v, _)| std::mem::replace(&mut self.values[*v], n));
                        next.extend(self.states(of).into_iter().map(|s| (s, n)));
                        if let (Some((v, _)), Some(before)) = (parameter, before) {
                            self.values[*v] = before;
                        }
                    }
                    if next == self.fixpoints[*x] {
                        break;
                    }
                    self.fixpoints[*x] = next;
                }
                let found = std::mem::replace(&mut self.fixpoints[*x], outside);
                let first = parameter.as_ref().map_or(0, |(_, first)| self.number(first));
                found.into_iter().filter(|(_, n)| *n == first).map(|(s, _)| s).collect()
            }
            Formula::Call(x, argument) => {
                let n = argument.as_ref().map_or(0, |argument| self.number(argument));
                self.fixpoints[*x].iter().filter(|p| p.1 == n).map(|p| p.0).collect()
            }
            Formula::Bind(every, v, of) => {
                let before = self.values[*v];
                let mut result = if *every { all } else { BTreeSet::new() };
                for value in 0..VALUES {
                    self.values[*v] = value;
                    let states = self.states(of);
                    result = if *every { &result & &states } else { &result | &states };
                }
                self.values[*v] = before;
                result
            }
        }
    }
}

/// The answer of the library; `None` if a quantifier has no limit.
fn answer(text: &str, lts: &Lts, language: Language, unfold: bool) -> Option<FormulaResult> {
    let mut sources = SourceMap::new();
    let source = sources.add("formula", text);
    let nothing = |_: &str| Err(std::io::ErrorKind::NotFound.into());
    let tree = parse(&mut sources, (source, text), Some(language), &nothing);
    let tree = tree.unwrap_or_else(|found| panic!("{text}: {found:?}"));
    let parts = LabelParts::of(lts);
    let formula = match resolve(&tree, lts.labels(), &parts, &[]) {
        Ok(resolved) => resolved.formula,
        Err(found) => {
            let unlimited = |m: &str| m.contains("ranges over infinitely many");
            assert!(found.iter().all(|d| unlimited(&d.message)), "{text}: {found:?}");
            return None;
        }
    };
    let checked = check(&formula, lts, &parts, unfold, &Budget::unlimited());
    Some(checked.unwrap_or_else(|why| panic!("{text}: {why:?}")))
}

/// What is shown is a part of the system, and shows what it says also without the rest.
fn check_evidence(
    checked: &FormulaResult,
    system: &System,
    formula: &Formula,
    meaning: &mut Meaning<'_>,
    text: &str,
) {
    let Some(evidence) = &checked.evidence else {
        assert!(checked.holds, "nothing is shown for the violation of {text}");
        return;
    };
    let lts = system.lts();
    let number = |at: usize| evidence.states[at].state.to_u32();
    assert_eq!(number(0), system.initial, "{text}");
    let label = |label| lts.labels().text(label).into_owned();
    let part: Vec<_> =
        evidence.steps.iter().map(|s| (number(s.from), label(s.label), number(s.to))).collect();
    let kept: Vec<_> =
        system.steps.iter().filter(|(s, l, t)| part.contains(&(*s, label_text(l), *t))).cloned().collect();
    let distinct: BTreeSet<_> = kept.iter().cloned().collect();
    assert_eq!(distinct.len(), part.len(), "a step of {part:?} is none of the system: {text}");
    let mut alone =
        Meaning { steps: &kept, values: meaning.values.clone(), fixpoints: meaning.fixpoints.clone() };
    let holds = alone.states(formula).contains(&system.initial);
    assert_eq!(holds, checked.holds, "{part:?} does not show the verdict of {text}");
}

#[test]
fn verdicts_and_evidence_are_by_definition() {
    let (mut decided, mut violated, mut shown, mut whole) = (0, 0, 0, 0);
    let number = cases(6000);
    for seed in 0..number {
        let mut random = Random::new(seed);
        let system = System::new(&mut random);
        let mut maker = Maker { random: &mut random, variables: 0, fixpoints: 0 };
        let depth = 2 + maker.random.below(4);
        let formula = maker.formula(&Scope { positive: true, ..Scope::default() }, depth);
        let (variables, fixpoints) = (maker.variables, maker.fixpoints);
        let mcl = random.percent(50);
        let text = Spelling { mcl }.formula(&formula);
        let language = if mcl { Language::Mcl } else { Language::Mcrl2 };
        let lts = system.lts();
        let Some(checked) = answer(&text, &lts, language, true) else { continue };
        let (values, fixpoints) = (vec![0; variables], vec![BTreeSet::new(); fixpoints]);
        let mut meaning = Meaning { steps: &system.steps, values, fixpoints };
        let expected = meaning.states(&formula).contains(&system.initial);
        assert_eq!(checked.holds, expected, "{seed}: {text} on {:?} from {}", system.steps, system.initial);
        check_evidence(&checked, &system, &formula, &mut meaning, &text);
        // What is whole shows what it says, followed to the end or not.
        let brief = answer(&text, &lts, language, false).expect("it has an answer");
        if brief.evidence.as_ref().is_some_and(|evidence| evidence.whole) {
            check_evidence(&brief, &system, &formula, &mut meaning, &text);
            whole += 1;
        }
        decided += 1;
        violated += u64::from(!expected);
        shown += u64::from(checked.evidence.is_some());
    }
    // The cases are of all kinds.
    assert!(
        decided * 2 > number && violated * 5 > decided && (decided - violated) * 5 > decided,
        "{decided}"
    );
    assert!(shown > violated && whole * 4 > shown, "{shown} {whole}");
}

#[test]
fn one_line_is_read_like_the_whole() {
    let text = "% a comment\n[ true* . (* b *) a ]\n  false -- end";
    assert_eq!(mucalc::in_one_line(text), "[ true* . a ] false");
}
