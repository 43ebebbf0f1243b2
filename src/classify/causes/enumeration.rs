//! The patterns of all irreducible violating traces, found by the solver.

use super::ground::{GroundPattern, GroundStep, counted_on};
use super::pattern::{ArgumentParts, CausePattern};
use super::question::CausalQuestion;
use super::way::Way;
use crate::facts::atom::Atoms;
use crate::facts::problem::Problem;
use crate::oracles::sat::SatOracle;
use itertools::Itertools;
use kit::budget::{Activity, Exhausted, Limited, Observer, Progress};
use lang::model::Position;
use lang::model::value::{Label, Value};
use lang::trace::Trace;
use rustc_hash::FxHashMap;
use solvers::sat::{Backend, Lit, Setup};
use solvers::unroll::Lengths;

/// The irreducible violating traces of up to a number of steps, one of each pattern, none of which contains another one.
#[derive(Debug, Clone, Default)]
pub struct Enumeration {
    /// The traces, the shortest first.
    pub found: Vec<Way>,
    /// The most steps of violating traces that all contain one of these.
    pub complete_to: Option<usize>,
    /// From this number of steps on, traces that contain the deciding steps of a shorter one were left out, because there are too many.
    pub narrowed_from: Option<usize>,
    /// True if the search ended because there are more patterns than were asked for.
    pub has_more: bool,
    /// The limit that ended the search, if one did.
    pub ended: Option<Exhausted>,
    /// The number of questions to the solver.
    pub solver_calls: u64,
}

/// After so many patterns, traces that contain the deciding steps of one that was found are of no further interest.
const MOST_PATTERNS: usize = 40;

struct PatternEnumeration<'m, 'a> {
    oracle: SatOracle<'m>,
    parts: &'a ArgumentParts,
    /// For each instance the literals of its occurrence at each position after the first.
    instances: FxHashMap<GroundStep, Vec<Lit>>,
    values: FxHashMap<(usize, usize, Value), Vec<Lit>>,
}

impl<'a> CausalQuestion<'a, Problem<'a>> {
    /// The irreducible violating traces.
    pub fn enumerate(&self, observer: &mut dyn Observer) -> Enumeration {
        let atoms = Atoms::default();
        let mut result = Enumeration::default();
        match PatternEnumeration::new(self, &atoms) {
            Ok(mut search) => {
                result.ended = search.run((self.bound, self.most), &mut result, observer).err();
                result.solver_calls = search.oracle.circuit().solver_calls();
            }
            Err(why) => result.ended = Some(why),
        }
        let patterns: Vec<CausePattern> = result.found.iter().map(|way| way.pattern.clone()).collect();
        result.keep_minimal(&mut |a, b| Ok(patterns[b].is_rooted_in(&patterns[a]))).expect("no limit");
        result
    }

    /// Asks a fresh solver whether every violating trace contains one of these patterns; its name.
    ///
    /// # Errors
    /// If the budget is exhausted first.
    ///
    /// # Panics
    /// If one does not, which is a bug in this program.
    pub fn check_complete(&self, patterns: &[&CausePattern], backend: Backend) -> Limited<&'static str> {
        let atoms = Atoms::default();
        let own = Self { solver: Setup { backend, ..self.solver }, ..*self };
        let mut search = PatternEnumeration::new(&own, &atoms)?;
        patterns.iter().for_each(|pattern| search.exclude(pattern));
        let left = search.oracle.any_counterexample(&[])?;
        assert!(left.is_none(), "a violating trace has none of the patterns: {left:?}");
        Ok(search.oracle.circuit().solver_name())
    }

    /// A shortest violating trace that contains none of these patterns.
    ///
    /// # Errors
    /// If the budget is exhausted first.
    pub fn shortest_without(&self, patterns: &[&CausePattern]) -> Limited<Option<Trace>> {
        let atoms = Atoms::default();
        let mut search = PatternEnumeration::new(self, &atoms)?;
        patterns.iter().for_each(|pattern| search.exclude(pattern));
        search.oracle.first_from(0, &[])
    }

    /// True if a trace with exactly these actions, which contains none of these patterns, ends in its first violation.
    ///
    /// # Errors
    /// If the budget is exhausted first.
    pub fn is_violated_by(&self, actions: &[usize], others: &[&CausePattern]) -> Limited<bool> {
        let atoms = Atoms::default();
        let own = Self { bound: actions.len(), ..*self };
        let mut search = PatternEnumeration::new(&own, &atoms)?;
        others
            .iter()
            .filter(|other| other.steps.len() <= actions.len())
            .for_each(|other| search.exclude(other));
        let mut oracle = search.oracle;
        let taken = |(at, action): (usize, &usize)| oracle.unrolling.frames[at + 1].actions[*action];
        let assumed: Vec<Lit> = actions.iter().enumerate().map(taken).collect();
        Ok(oracle.first_from(own.bound, &assumed)?.is_some())
    }

    /// The traces that consist of the steps of a pattern and end in their first violation, one of each sequence of actions, at most `most`.
    ///
    /// # Errors
    /// If the budget is exhausted first.
    pub fn orders(&self, pattern: &CausePattern, most: usize) -> Limited<Vec<Trace>> {
        let atoms = Atoms::default();
        let steps = pattern.steps.len();
        let own = Self { bound: steps, ..*self };
        let mut search = PatternEnumeration::new(&own, &atoms)?;
        let contains = search.contains(pattern);
        let mut found = Vec::new();
        while found.len() < most
            && let Some(trace) = search.oracle.counterexample(steps, &[contains])?
        {
            let taken =
                |(at, label): (usize, &Label)| !search.oracle.unrolling.frames[at + 1].actions[label.action];
            let clause: Vec<Lit> = trace.labels().enumerate().map(taken).collect();
            search.oracle.circuit().add_clause(&clause);
            found.push(trace);
        }
        Ok(found)
    }
}

impl Enumeration {
    /// Adds a way. `exclude` leaves out further traces that contain a pattern: that of the way or, of too many, that of its deciding steps.
    pub fn add(&mut self, way: Way, exclude: &mut dyn FnMut(&CausePattern)) {
        let is_narrowed = self.found.len() >= MOST_PATTERNS;
        if is_narrowed && self.narrowed_from.is_none() {
            self.narrowed_from = Some(way.trace.len());
            self.found.iter().for_each(|known| exclude(&known.deciding));
        }
        exclude(way.told(is_narrowed));
        self.found.push(way);
    }

    /// Keeps the ways that contain no other one, and of those that contain each other the first. `contains(a, b)` tells if all traces of a way contain
    /// the steps of another one. After traces were left out because of their deciding steps, each way counts.
    ///
    /// # Errors
    /// An error of `contains`.
    pub fn keep_minimal(&mut self, contains: &mut dyn FnMut(usize, usize) -> Limited<bool>) -> Limited<()> {
        if self.narrowed_from.is_some() {
            return Ok(());
        }
        let count = self.found.len();
        let mut kept = vec![true; count];
        for (a, b) in (0..count).cartesian_product(0..count).filter(|(a, b)| a != b) {
            if kept[a] && contains(a, b)? && (b < a || !contains(b, a)?) {
                kept[a] = false;
            }
        }
        let mut kept = kept.into_iter();
        self.found.retain(|_| kept.next() == Some(true));
        Ok(())
    }
}

impl<'m, 'a> PatternEnumeration<'m, 'a> {
    fn new(question: &CausalQuestion<'a, Problem<'a>>, atoms: &'m Atoms) -> Limited<Self>
    where
        'a: 'm,
    {
        let CausalQuestion { problem, parts, bound, solver, budget, .. } = *question;
        let oracle = SatOracle::unrolled(problem, atoms, Lengths::UpTo(bound), solver, budget)?;
        Ok(Self { oracle, parts, instances: FxHashMap::default(), values: FxHashMap::default() })
    }

    fn run(
        &mut self,
        (bound, most): (usize, usize),
        result: &mut Enumeration,
        observer: &mut dyn Observer,
    ) -> Limited<()> {
        let mut steps = 0;
        self.report(steps, result, observer);
        // One question about all lengths is faster than one about each.
        while self.oracle.any_counterexample(&[])?.is_some() {
            if result.found.len() >= most {
                result.has_more = true;
                return Ok(());
            }
            let trace = loop {
                if let Some(trace) = self.oracle.counterexample(steps, &[])? {
                    break trace;
                }
                self.oracle.settle(steps, &[]);
                result.complete_to = Some(steps);
                steps += 1;
                self.report(steps, result, observer);
            };
            let way = Way::new(self.oracle.problem, self.parts, trace);
            result.add(way, &mut |pattern| self.exclude(pattern));
            self.report(steps, result, observer);
        }
        result.complete_to = Some(bound);
        Ok(())
    }

    fn report(&mut self, depth: usize, result: &Enumeration, observer: &mut dyn Observer) {
        let circuit = self.oracle.circuit();
        observer.progress(&Progress {
            activity: Activity::Causes,
            depth,
            counterexamples: result.found.len(),
            solver_calls: circuit.solver_calls(),
            solver_seconds: circuit.solver_seconds(),
            ..Progress::default()
        });
    }

    /// From now on, no trace contains the pattern.
    fn exclude(&mut self, pattern: &CausePattern) {
        let contains = self.contains(pattern);
        self.oracle.circuit().add_clause(&[!contains]);
    }

    /// True if the trace contains the pattern, and its last step is of the first form.
    fn contains(&mut self, pattern: &CausePattern) -> Lit {
        let mut with = Vec::new();
        for GroundPattern { last, earlier } in pattern.grounded() {
            let Some(last) = last else {
                let initially = self.oracle.violating_after(0);
                return self.oracle.circuit().all(&initially);
            };
            let before: Vec<Vec<Lit>> =
                earlier.iter().map(|(forms, needed)| self.counted(forms, *needed)).collect();
            for (number, fits) in self.occurrences(&last).into_iter().enumerate() {
                let mut lits = self.oracle.violating_after(number + 1);
                lits.push(fits);
                lits.extend(before.iter().map(|up_to| up_to[number]));
                with.push(self.oracle.circuit().all(&lits));
            }
        }
        self.oracle.circuit().any(&with)
    }

    /// For each number of steps, whether at least `needed` of the first ones are of some of the forms.
    fn counted(&mut self, forms: &[GroundStep], needed: usize) -> Vec<Lit> {
        let places: Vec<Vec<Lit>> = forms.iter().map(|of| self.occurrences(of)).collect();
        let fitting = |at: usize| -> Vec<Lit> { places.iter().map(|lits| lits[at]).collect() };
        let fitting: Vec<Lit> =
            (0..places[0].len()).map(|at| self.oracle.circuit().any(&fitting(at))).collect();
        self.at_least(&fitting, needed)
    }

    /// For each number of literals, whether at least `number` of the first ones are true.
    fn at_least(&mut self, lits: &[Lit], number: usize) -> Vec<Lit> {
        let circuit = self.oracle.circuit();
        let mut counts = vec![circuit.no(); number];
        let mut found = vec![circuit.no()];
        for &lit in lits {
            counts = counted_on(circuit, &counts, lit);
            found.push(counts[number - 1]);
        }
        found
    }

    /// For each position after the first, whether the step to it is this one.
    fn occurrences(&mut self, of: &GroundStep) -> Vec<Lit> {
        if let Some(known) = self.instances.get(of) {
            return known.clone();
        }
        let positions: Vec<Position> = self.oracle.positions().skip(1).collect();
        let mut lits = Vec::new();
        let equal: Vec<Vec<Lit>> =
            of.given().map(|(part, value)| self.equal(of.action, part, value)).collect();
        for (number, position) in positions.into_iter().enumerate() {
            let taken = self.oracle.unrolling.frame(position).actions[of.action];
            let alive = self.oracle.alive(position);
            let all: Vec<Lit> =
                [taken, alive].into_iter().chain(equal.iter().map(|lits| lits[number])).collect();
            lits.push(self.oracle.circuit().all(&all));
        }
        self.instances.insert(of.clone(), lits.clone());
        lits
    }

    /// For each position after the first, whether a part of the arguments has this value.
    fn equal(&mut self, action: usize, part: usize, value: &Value) -> Vec<Lit> {
        let key = (action, part, value.clone());
        if let Some(known) = self.values.get(&key) {
            return known.clone();
        }
        let formula = self.parts.has_value(action, part, value);
        let positions: Vec<Position> = self.oracle.positions().skip(1).collect();
        let lits: Vec<Lit> =
            positions.into_iter().map(|position| self.oracle.state_truth(&formula, position)).collect();
        self.values.insert(key, lits.clone());
        lits
    }
}
