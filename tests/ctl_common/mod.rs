//! Random systems and formulas of CTL, with the meaning of formulas written down a second time: by fixpoints, with
//! universal operators of their own, and without the library.
#![allow(dead_code, reason = "each test uses a part of it")]

pub use crate::random::Random;
use cladist::ctl::{CtlBuilder, CtlFormula, Structure, Subformula};
use cladist::lts::{Bits, StateId};

/// How many labels there are.
pub const LABELS: usize = 2;

/// A system: transitions by state, initial states, labels by state.
#[derive(Debug, Clone)]
pub struct System {
    pub steps: Vec<Vec<usize>>,
    pub initial: Vec<usize>,
    pub labels: Vec<[bool; LABELS]>,
}

impl System {
    /// At most so many states and transitions; all of it need not be reachable.
    pub fn random(random: &mut Random, states: usize, transitions: usize) -> Self {
        let states = 1 + states.saturating_sub(1 + random.below(3)).min(states - 1);
        let mut steps = vec![Vec::new(); states];
        for _ in 0..transitions / 3 + random.below(transitions) {
            if steps.iter().map(Vec::len).sum::<usize>() == transitions {
                break;
            }
            let (from, to) = (random.below(states), random.below(states));
            if !steps[from].contains(&to) {
                steps[from].push(to);
            }
        }
        let labels = (0..states).map(|_| std::array::from_fn(|_| random.below(2) == 0)).collect();
        let mut initial = vec![random.below(states)];
        if random.below(4) == 0 {
            initial.push(random.below(states));
            initial.sort_unstable();
            initial.dedup();
        }
        Self { steps, initial, labels }
    }

    pub fn states(&self) -> usize {
        self.steps.len()
    }

    pub fn edges(&self) -> Vec<(usize, usize)> {
        let all = self.steps.iter().enumerate();
        all.flat_map(|(from, to)| to.iter().map(move |&to| (from, to))).collect()
    }

    /// The same states with only some of the transitions.
    pub fn only(&self, edges: &[(usize, usize)]) -> Self {
        let mut steps = vec![Vec::new(); self.states()];
        edges.iter().for_each(|&(from, to)| steps[from].push(to));
        Self { steps, ..self.clone() }
    }

    pub fn structure(&self) -> Structure {
        let mut builder = cladist::lts::LtsBuilder::new();
        let label = builder.labels.intern(b"step");
        self.edges().iter().for_each(|&(from, to)| builder.add(StateId::new(from), label, StateId::new(to)));
        let initial = self.initial.iter().map(|&s| StateId::new(s)).collect();
        Structure::of(builder, self.states(), initial)
    }

    pub fn label_sets(&self) -> Vec<Bits> {
        let set = |label: usize| {
            let mut set = Bits::new(self.states());
            (0..self.states()).filter(|&s| self.labels[s][label]).for_each(|s| _ = set.insert(s));
            set
        };
        (0..LABELS).map(set).collect()
    }

    /// A model whose states are these, by the variable `s`.
    pub fn model_text(&self) -> String {
        let set = |states: &[usize]| {
            let states: Vec<String> = states.iter().map(ToString::to_string).collect();
            format!("{{{}}}", states.join(", "))
        };
        let mut text = format!("model generated;\ntype State = 0..{};\nvar s : State;\n", self.states() - 1);
        text += &format!("init {{ s in {}; }}\n", set(&self.initial));
        for (from, to) in self.steps.iter().enumerate().filter(|(_, to)| !to.is_empty()) {
            text += &format!("action from_{from} {{ require s = {from}; s' in {}; }}\n", set(to));
        }
        text
    }

    /// A label as an expression of that model.
    pub fn label_text(&self, label: usize) -> String {
        let states: Vec<String> =
            (0..self.states()).filter(|&s| self.labels[s][label]).map(|s| s.to_string()).collect();
        if states.is_empty() { "s > 1000".into() } else { format!("s in {{{}}}", states.join(", ")) }
    }
}

/// A formula.
#[derive(Debug, Clone)]
pub enum F {
    Label(usize),
    Not(Box<F>),
    And(Box<F>, Box<F>),
    Or(Box<F>, Box<F>),
    /// `AX`, `EX`, `AF`, `EF`, `AG`, `EG`, of all paths or of some.
    Next(bool, Box<F>),
    Eventually(bool, Box<F>),
    Always(bool, Box<F>),
    Until(bool, Box<F>, Box<F>),
    /// `EG{c} f`
    FairAlways(Box<F>, Box<F>),
}

impl F {
    pub fn random(random: &mut Random, depth: usize) -> Self {
        if depth == 0 || random.below(6) == 0 {
            return F::Label(random.below(LABELS));
        }
        let all = random.below(2) == 0;
        let mut part = || Box::new(F::random(random, depth - 1));
        let (a, b) = (part(), part());
        match random.below(9) {
            0 => F::Not(a),
            1 => F::And(a, b),
            2 => F::Or(a, b),
            3 => F::Next(all, a),
            4 => F::Eventually(all, a),
            5 => F::Always(all, a),
            6 | 7 => F::Until(all, a, b),
            _ => F::FairAlways(Box::new(F::Label(random.below(LABELS))), a),
        }
    }

    /// A formula that often takes more than one path to show: several operators about some path, together, or inside
    /// another one.
    pub fn branching(random: &mut Random) -> Self {
        let some = |random: &mut Random| {
            let (a, b) = (Box::new(F::random(random, 1)), Box::new(F::random(random, 1)));
            match random.below(4) {
                0 => F::Next(false, a),
                1 => F::Eventually(false, a),
                2 => F::Always(false, a),
                _ => F::Until(false, a, b),
            }
        };
        let both = F::And(Box::new(some(random)), Box::new(some(random)));
        match random.below(3) {
            0 => both,
            1 => F::And(Box::new(both), Box::new(some(random))),
            _ => F::Always(false, Box::new(F::And(Box::new(F::Label(0)), Box::new(some(random))))),
        }
    }

    /// The same as a formula of the library; `fair` are labels.
    pub fn formula(&self, fair: &[usize]) -> CtlFormula {
        let mut builder = CtlBuilder::new();
        let labels: Vec<Subformula> = (0..LABELS).map(|label| builder.label(["p", "q"][label])).collect();
        builder.only_fair(fair.iter().map(|&label| labels[label]).collect());
        let root = self.build(&mut builder, &labels);
        builder.finish(root)
    }

    fn build(&self, builder: &mut CtlBuilder, labels: &[Subformula]) -> Subformula {
        let mut part = |f: &F| f.build(builder, labels);
        match self {
            F::Label(label) => labels[*label],
            F::Not(a) => {
                let a = part(a);
                builder.not(a)
            }
            F::And(a, b) => {
                let (a, b) = (part(a), part(b));
                builder.and(a, b)
            }
            F::Or(a, b) => {
                let (a, b) = (part(a), part(b));
                builder.or(a, b)
            }
            F::Next(all, a) => {
                let a = part(a);
                if *all { builder.all_next(a) } else { builder.exists_next(a) }
            }
            F::Eventually(all, a) => {
                let a = part(a);
                if *all { builder.all_eventually(a) } else { builder.exists_eventually(a) }
            }
            F::Always(all, a) => {
                let a = part(a);
                if *all { builder.all_always(a) } else { builder.exists_always(a, Vec::new()) }
            }
            F::Until(all, a, b) => {
                let (a, b) = (part(a), part(b));
                if *all { builder.all_until(a, b) } else { builder.exists_until(a, b) }
            }
            F::FairAlways(c, a) => {
                let (c, a) = (part(c), part(a));
                builder.exists_always(a, vec![c])
            }
        }
    }
}

type Set = Vec<bool>;

/// Formulas by fixpoints. Operators that say something of some path, after negations are pushed inwards, see the steps
/// of `chosen`; the others, and everything below them, see those of `whole`.
pub struct Meaning<'a> {
    pub whole: &'a System,
    pub chosen: &'a System,
    pub fair: &'a [usize],
}

impl Meaning<'_> {
    /// Where a formula holds, or with `holds` false where it does not.
    pub fn of(&self, f: &F, holds: bool) -> Set {
        let states = self.whole.states();
        let pointwise = |a: Set, b: Set, both: bool| -> Set {
            (0..states).map(|s| if both { a[s] && b[s] } else { a[s] || b[s] }).collect()
        };
        // Of the operators, those that say something of all paths are evaluated on the whole system.
        let some = match f {
            F::Next(all, _) | F::Eventually(all, _) | F::Always(all, _) | F::Until(all, ..) => *all != holds,
            F::FairAlways(..) => holds,
            _ => true,
        };
        if !some {
            let whole = Meaning { whole: self.whole, chosen: self.whole, fair: self.fair };
            return whole.of(f, !holds).iter().map(|t| !t).collect();
        }
        let fair = self.label_sets(self.fair);
        match f {
            F::Label(label) => self.whole.labels.iter().map(|l| l[*label] == holds).collect(),
            F::Not(a) => self.of(a, !holds),
            F::And(a, b) => pointwise(self.of(a, holds), self.of(b, holds), holds),
            F::Or(a, b) => pointwise(self.of(a, holds), self.of(b, holds), !holds),
            F::Next(_, a) => self.before(&self.continued(&self.of(a, holds))),
            // Some path has it at last: EF f, or not AG f.
            F::Eventually(false, a) | F::Always(true, a) => {
                self.until(&vec![true; states], &self.continued(&self.of(a, holds)))
            }
            // Some path has it always: EG f, or not AF f.
            F::Always(false, a) | F::Eventually(true, a) => self.always(&self.of(a, holds), &fair),
            F::Until(false, a, b) => self.until(&self.of(a, true), &self.continued(&self.of(b, true))),
            F::Until(true, a, b) => {
                let (not_a, not_b) = (self.of(a, false), self.of(b, false));
                let neither = pointwise(not_a, not_b.clone(), true);
                let broken = self.until(&not_b, &self.continued(&neither));
                pointwise(broken, self.always(&not_b, &fair), false)
            }
            F::FairAlways(c, a) => {
                let mut conditions = fair;
                conditions.push(self.of(c, true));
                self.always(&self.of(a, true), &conditions)
            }
        }
    }

    fn label_sets(&self, labels: &[usize]) -> Vec<Set> {
        labels.iter().map(|&label| self.whole.labels.iter().map(|l| l[label]).collect()).collect()
    }

    /// Where a fair path begins, if paths are to be fair.
    fn continued(&self, set: &Set) -> Set {
        if self.fair.is_empty() {
            return set.clone();
        }
        let fair = self.always(&vec![true; set.len()], &self.label_sets(self.fair));
        set.iter().zip(&fair).map(|(a, b)| *a && *b).collect()
    }

    fn before(&self, set: &Set) -> Set {
        self.chosen.steps.iter().map(|to| to.iter().any(|&to| set[to])).collect()
    }

    /// The least fixpoint of Z = b or (a and EX Z).
    fn until(&self, a: &Set, b: &Set) -> Set {
        let mut set = b.clone();
        loop {
            let before = self.before(&set);
            let next: Set = (0..set.len()).map(|s| b[s] || (a[s] && before[s])).collect();
            if next == set {
                return set;
            }
            set = next;
        }
    }

    /// The greatest fixpoint of Z = a and, for each c, EX E[a U (Z and c)].
    fn always(&self, a: &Set, fair: &[Set]) -> Set {
        let anything = vec![vec![true; a.len()]];
        let fair = if fair.is_empty() { &anything } else { fair };
        let mut set = a.clone();
        loop {
            let mut next = set.clone();
            for c in fair {
                let goal: Set = (0..a.len()).map(|s| set[s] && c[s]).collect();
                let before = self.before(&self.until(a, &goal));
                next = (0..a.len()).map(|s| next[s] && a[s] && before[s]).collect();
            }
            if next == set {
                return set;
            }
            set = next;
        }
    }
}
