//! Examples of predicates: a search for traces in which the predicate holds, among those that an example is about.

use crate::facts::atom::{Atom, AtomOrigin, Atoms};
use crate::facts::collect::Collector;
use crate::facts::index::AtomId;
use crate::facts::problem::Problem;
use crate::oracles::occurrence;
use crate::oracles::sat::SatOracle;
use crate::predicates::readings::{PartReader, PartReading};
use crate::predicates::step::{FalsePart, NoStep, NoStepReason, no_step};
use itertools::Itertools;
use kit::budget::{Budget, Exhausted, Limited};
use kit::diagnostics::Span;
use kit::number::to_u32;
use lang::model::expr::{Expr, ExprKind, LocalId, Op};
use lang::model::types::Type;
use lang::model::value::Value;
use lang::model::{
    ActionSteps, ExampleTraces, Local, Model, Observable, Position, PredicateArgument, PredicateId,
    TraceExample, Vocabulary, VocabularyItem, eval,
};
use lang::trace::Trace;
use solvers::sat::{Backend, Lit};
use solvers::unroll::Lengths;

/// The most places at which the missing parts of a predicate are counted.
const MOST_PLACES: usize = 20_000;

/// The answer about an example.
#[derive(Debug, Clone)]
pub enum ExampleFinding {
    /// The predicate holds in one of the traces: the first of the shortest.
    Somewhere(Sighting),
    /// The predicate holds in none of the traces of up to this many steps.
    NowhereWithin(usize),
    /// The predicate holds in no trace of the steps.
    Nowhere(Miss),
    /// There is no trace of the steps.
    Impossible(NoStep),
    /// The budget ended first.
    Undecided(Exhausted),
}

/// A place where a predicate holds.
#[derive(Debug, Clone)]
pub struct Sighting {
    /// The trace.
    pub trace: Trace,
    /// The positions that the predicate reads.
    pub positions: Vec<Position>,
    /// The names of the positions: parameters of the predicate, or texts of the observables passed to it.
    pub names: Vec<String>,
    /// The parts of the trace that the predicate reads there.
    pub readings: Vec<PartReading>,
}

/// A trace in which a predicate does not hold.
#[derive(Debug, Clone)]
pub struct Miss {
    /// The trace: the first one of the steps.
    pub trace: Trace,
    /// The positions at which least of the predicate is missing.
    pub positions: Vec<Position>,
    /// The names of the positions, as in [`Sighting::names`].
    pub names: Vec<String>,
    /// The parts of the predicate that are false there.
    pub missing: Vec<FalsePart>,
}

impl ExampleFinding {
    /// True if the predicate holds as the example says; `None` if that is not known.
    pub fn agrees(&self, example: &TraceExample) -> Option<bool> {
        match self {
            Self::Somewhere(_) => Some(!example.counter),
            Self::Nowhere(_) | Self::NowhereWithin(_) => Some(example.counter),
            Self::Impossible(_) => Some(false),
            Self::Undecided(_) => None,
        }
    }
}

/// Decides an example of a model.
pub fn decide(model: &Model, example: &TraceExample, backend: Backend, budget: &Budget) -> ExampleFinding {
    ExampleSearch::run(model, example, backend, budget).unwrap_or_else(ExampleFinding::Undecided)
}

struct ExampleSearch<'m> {
    model: &'m Model,
    oracle: SatOracle<'m>,
}

impl<'m> ExampleSearch<'m> {
    fn run(
        model: &Model,
        example: &TraceExample,
        backend: Backend,
        budget: &Budget,
    ) -> Limited<ExampleFinding> {
        let (bound, steps): (usize, &[(ActionSteps, Span)]) = match &example.traces {
            ExampleTraces::Within(bound) => (*bound, &[]),
            ExampleTraces::Steps(steps) => (steps.len(), steps),
        };
        let always = Expr::bool(true, Span::default());
        let (atoms, vocabulary) = (Atoms::default(), only(&example.items));
        let mut collector = Collector::new(model, &vocabulary, &atoms);
        let rows = rows(&mut collector, &example.items);
        let problem = Problem::new(model, &always);
        let oracle = SatOracle::unrolled(problem, &atoms, Lengths::UpTo(bound), backend, budget)?;
        let mut inquiry = ExampleSearch { model, oracle };
        let holds = occurrence::somewhere(&mut inquiry.oracle, &rows);
        let found = match &example.traces {
            ExampleTraces::Within(bound) => inquiry.shortest(holds, *bound)?,
            ExampleTraces::Steps(_) => {
                let taken = inquiry.taken(steps);
                if let Some(impossible) = inquiry.first_impossible(steps, &taken)? {
                    return Ok(ExampleFinding::Impossible(impossible));
                }
                let trace = inquiry.trace(bound, &[&taken[..], &[holds]].concat())?;
                if trace.is_none() {
                    let trace =
                        inquiry.trace(bound, &taken)?.unwrap_or_else(|| unreachable!("it is possible"));
                    return Ok(ExampleFinding::Nowhere(miss(model, &vocabulary, &atoms, &rows, trace)));
                }
                trace
            }
        };
        let Some(trace) = found else {
            return Ok(match inquiry.trace(0, &[])? {
                Some(_) => ExampleFinding::NowhereWithin(bound),
                None => ExampleFinding::Impossible(no_first_state()),
            });
        };
        let placed = collector.collect(&trace.moments, budget)?;
        let first =
            placed.into_iter().min_by_key(|p| (p.positions.iter().max().copied(), p.positions.clone()));
        let first = first.unwrap_or_else(|| {
            panic!("the encoding and the reference semantics disagree on `{}` in {trace:?}", example.text)
        });
        let atom = atoms.get(first.atom);
        let (names, known) = (names(model, &vocabulary, atom), known(atom, &first.positions));
        let named = parameters(model, atom);
        let readings = PartReader::of_trace(model, &trace.moments, known, &named).read(&atom.expr);
        Ok(ExampleFinding::Somewhere(Sighting { trace, positions: first.positions, names, readings }))
    }

    /// The first of the shortest traces in which a literal holds that, once true, holds in all longer ones.
    fn shortest(&mut self, holds: Lit, bound: usize) -> Limited<Option<Trace>> {
        if !self.is_possible(&[holds])? {
            return Ok(None);
        }
        let (mut least, mut most) = (0, self.oracle.unrolling.length().min(bound));
        while least < most {
            let middle = least.midpoint(most);
            let ends = self.oracle.unrolling.ends_at(middle);
            match self.is_possible(&[&ends[..], &[holds]].concat())? {
                true => most = middle,
                false => least = middle + 1,
            }
        }
        self.trace(most, &[holds])
    }

    /// Returns the first trace of `steps` steps under assumptions.
    fn trace(&mut self, steps: usize, assumed: &[Lit]) -> Limited<Option<Trace>> {
        let mut assumptions = self.oracle.unrolling.ends_at(steps);
        assumptions.extend(assumed);
        if !self.is_possible(&assumptions)? {
            return Ok(None);
        }
        self.oracle.unrolling.first_trace(steps, &assumptions)?;
        Ok(Some(self.oracle.unrolling.decode(steps)))
    }

    /// For each step, the literal of it being taken.
    fn taken(&mut self, steps: &[(ActionSteps, Span)]) -> Vec<Lit> {
        let formulas = steps.iter().map(|(steps, _)| label_formula(self.model, steps));
        let formulas: Vec<Expr> = formulas.collect();
        let positions = (1..).map(Position::after);
        positions.zip(&formulas).map(|(at, formula)| self.oracle.state_truth(formula, at)).collect()
    }

    /// Returns the first step that is impossible after those before it, with the reason.
    fn first_impossible(&mut self, steps: &[(ActionSteps, Span)], taken: &[Lit]) -> Limited<Option<NoStep>> {
        let ends = self.oracle.unrolling.ends_at(steps.len());
        if self.is_possible(&[&ends[..], taken].concat())? {
            return Ok(None);
        }
        let Some(mut before) = self.trace(0, &[])? else { return Ok(Some(no_first_state())) };
        for number in 1..=steps.len() {
            match self.trace(number, &taken[..number])? {
                Some(trace) => before = trace,
                None => return Ok(Some(no_step(self.model, before, &steps[number - 1].0))),
            }
        }
        Ok(None)
    }

    fn is_possible(&mut self, assumptions: &[Lit]) -> Limited<bool> {
        self.oracle.unrolling.circuit.solve(assumptions).is_sat()
    }
}

/// Returns a vocabulary of these items only.
pub(super) fn only(items: &[VocabularyItem]) -> Vocabulary {
    Vocabulary { name: String::new(), doc: None, items: items.to_vec(), span: Span::default() }
}

/// Returns the atoms of these items, each once.
fn rows(collector: &mut Collector<'_>, items: &[VocabularyItem]) -> Vec<AtomId> {
    let predicates: Vec<PredicateId> = items.iter().filter_map(predicate).unique().collect();
    predicates.into_iter().flat_map(|predicate| collector.instances(predicate)).collect()
}

/// Returns the predicate of an item.
pub(super) fn predicate(item: &VocabularyItem) -> Option<PredicateId> {
    match item {
        VocabularyItem::Predicate(id, _) => Some(*id),
        _ => None,
    }
}

fn no_first_state() -> NoStep {
    NoStep { step: 0, label: None, before: None, why: NoStepReason::Other }
}

/// The formula of the states to which one of these steps leads.
fn label_formula(model: &Model, steps: &ActionSteps) -> Expr {
    let span = Span::default();
    let is = |of: Observable, value: Value| {
        let (ty, observed) = (of.expr.ty.inner().clone(), Box::new(of.expr));
        let value = Box::new(Expr::constant(value, ty, span));
        Expr { kind: ExprKind::Binary(Op::Eq, observed, value), ty: Type::Bool, span }
    };
    let action = Value::Enum(model.action_enum, to_u32(steps.action));
    let arguments =
        steps.with.iter().map(|a| is(Observable::of_argument(model, steps.action, a.param), a.value.clone()));
    let parts = std::iter::once(is(Observable::of_action(model), action)).chain(arguments).collect();
    Expr::all(parts, span)
}

/// Returns names of the positions that an atom reads: parameters of its predicate, or texts of the observables passed to it.
fn names(model: &Model, vocabulary: &Vocabulary, atom: &Atom) -> Vec<String> {
    let Some(VocabularyItem::Predicate(id, args)) = vocabulary.items.get(atom.item) else {
        return Vec::new();
    };
    let params = &model.predicates[id.0 as usize].params;
    let name = |(param, arg): (&Local, &PredicateArgument)| match arg {
        PredicateArgument::Position => Some(param.name.clone()),
        PredicateArgument::Observed(of) => Some(of.text.clone()),
        PredicateArgument::Value { .. } => None,
    };
    params.iter().zip(args).filter_map(name).collect()
}

/// The last of the places where least is missing for a predicate to hold in a trace, with the parts that are false there.
fn miss(model: &Model, vocabulary: &Vocabulary, atoms: &Atoms, rows: &[AtomId], trace: Trace) -> Miss {
    let mut nearest: Option<(usize, AtomId, Vec<Position>)> = None;
    let mut looked_at = 0;
    for &row in rows {
        let atom = atoms.get(row);
        let places = (0..atom.params.len()).map(|_| trace.positions()).multi_cartesian_product();
        // An empty product has one empty place, which is skipped.
        for place in places.filter(|_| !atom.params.is_empty()) {
            looked_at += 1;
            if looked_at > MOST_PLACES {
                break;
            }
            let missing = missing_at(model, atom, &trace, &place);
            let is_nearer = |(least, known, _): &(usize, AtomId, Vec<Position>)| {
                missing < *least || missing == *least && *known == row
            };
            if nearest.as_ref().is_none_or(is_nearer) {
                nearest = Some((missing, row, place));
            }
        }
    }
    let Some((_, row, positions)) = nearest else {
        return Miss { trace, positions: Vec::new(), names: Vec::new(), missing: Vec::new() };
    };
    let atom = atoms.get(row);
    let (known, named) = (known(atom, &positions), parameters(model, atom));
    let failing = atom.conjuncts.iter().map(|part| &part.expr);
    let failing = failing.filter(|expr| !eval::eval_trace(model, expr, &trace.moments, &known).is_true());
    let part = |expr: &Expr| FalsePart {
        span: written(expr),
        readings: PartReader::of_trace(model, &trace.moments, known.clone(), &named).read(expr),
    };
    let missing = failing.map(part).collect();
    Miss { names: names(model, vocabulary, atom), trace, positions, missing }
}

/// Weighs the false conjuncts of an atom at a place. A false order of positions outweighs all others.
fn missing_at(model: &Model, atom: &Atom, trace: &Trace, place: &[Position]) -> usize {
    let known = known(atom, place);
    let fails = |expr: &Expr| !eval::eval_trace(model, expr, &trace.moments, &known).is_true();
    let weight = |expr: &Expr| if reads_trace(expr) { 1 } else { atom.conjuncts.len() + 1 };
    atom.conjuncts.iter().filter(|part| fails(&part.expr)).map(|part| weight(&part.expr)).sum()
}

/// Returns the parameters of an atom's predicate other than positions, with their names.
fn parameters<'m>(model: &'m Model, atom: &Atom) -> Vec<(LocalId, &'m str)> {
    let AtomOrigin::Predicate { predicate, .. } = &atom.origin else { return Vec::new() };
    let params = model.predicates[predicate.0 as usize].params.iter();
    params.filter(|param| param.ty != Type::Pos).map(|param| (param.local, param.name.as_str())).collect()
}

/// Returns the span of a formula, without its enclosing bindings.
fn written(expr: &Expr) -> Span {
    match &expr.kind {
        ExprKind::Let { body, .. } => written(body),
        _ => expr.span,
    }
}

fn known(atom: &Atom, place: &[Position]) -> Vec<(LocalId, Value)> {
    atom.params.iter().zip(place).map(|(&param, &at)| (param, at.into())).collect()
}

fn reads_trace(expr: &Expr) -> bool {
    let mut found = false;
    expr.walk(&mut |e| found |= matches!(e.kind, ExprKind::At { .. }));
    found
}
