//! The facts of a constraint on a page: each knows the steps and places of a trace that it speaks of.

use crate::traces::stepper::Figure;
use crate::writing::words::{ConstraintLine, constraint_lines};
use classify::{Assignment, Atom, AtomOrigin, Atoms, Constraint, Fact, FactKind, Passed};
use itertools::Itertools;
use lang::model::{Model, Position};
use maud::{Markup, html};

/// The steps and places of a trace that facts speak of.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FactReach {
    /// Positions, ascending, each once.
    pub steps: Vec<Position>,
    /// Places of the state, or values that have places.
    pub places: Vec<String>,
}

impl FactReach {
    /// These steps, and these places.
    pub fn new(steps: Vec<Position>, places: Vec<String>) -> Self {
        Self { steps: steps.into_iter().sorted().dedup().collect(), places }
    }

    /// The steps and places that a fact speaks of.
    pub fn of(model: &Model, atoms: &Atoms, fact: &Fact, assigned: &Assignment, length: usize) -> Self {
        let at: Vec<Position> = fact.positions.iter().map(|p| assigned.positions[p.index()]).collect();
        let values: Vec<String> = fact
            .individuals
            .iter()
            .map(|v| model.types.show_value(&assigned.individuals[v.index()]))
            .collect();
        let (steps, places) = match fact.kind {
            FactKind::Order(_) => (at, Vec::new()),
            FactKind::Atom(atom) => (at, observables(atoms.get(atom), &values)),
            FactKind::Absent(atom, stretch) => {
                (stretch.range(&at, length).collect(), observables(atoms.get(atom), &values))
            }
        };
        Self::new(steps, places)
    }

    /// `step 3`, `steps 1 and 3`, `steps 2–5`; nothing for a fact that is about no position.
    pub fn words(&self) -> String {
        match self.steps[..] {
            [] => String::new(),
            [only] => format!("step {only}"),
            [first, .., last]
                if last.steps() - first.steps() == self.steps.len() - 1 && last > first.next() =>
            {
                format!("steps {first}–{last}")
            }
            [ref rest @ .., last] => format!("steps {} and {last}", rest.iter().join(", ")),
        }
    }
}

/// The observables that an atom names, with these values for its individuals.
pub(crate) fn observables<'a>(atom: &'a Atom, values: &[String]) -> Vec<String> {
    let phrases = match &atom.origin {
        AtomOrigin::Equal { observable, .. }
        | AtomOrigin::Member { observable, .. }
        | AtomOrigin::NotMember { observable, .. }
        | AtomOrigin::Bounded { observable, .. } => vec![observable],
        AtomOrigin::Across { left, right }
        | AtomOrigin::Ordered { left, right, .. }
        | AtomOrigin::Shifted { left, right, .. } => vec![left, right],
        AtomOrigin::Predicate { args, .. } => {
            let observed = |passed: &'a Passed| match passed {
                Passed::Observed(phrase) => Some(phrase),
                _ => None,
            };
            args.iter().filter_map(observed).collect()
        }
        AtomOrigin::Distinct { .. } | AtomOrigin::Related { .. } | AtomOrigin::Written(_) => Vec::new(),
    };
    let place = |text: String| match text.strip_prefix('(').and_then(|t| t.strip_suffix(" is some)")) {
        Some(optional) => optional.to_owned(),
        None => text,
    };
    phrases.into_iter().map(|phrase| place(phrase.show(values))).dedup().collect()
}

/// A line of a constraint in words, with the steps and places of its facts.
pub(crate) struct FactItem {
    line: ConstraintLine,
    reach: FactReach,
}

impl FactItem {
    /// A line whose facts have this reach each.
    pub fn of(line: ConstraintLine, reach: impl FnMut(usize) -> FactReach) -> Self {
        let all = line.facts.iter().copied().map(reach);
        let all = all.reduce(|all, one| {
            FactReach::new([all.steps, one.steps].concat(), [all.places, one.places].concat())
        });
        Self { line, reach: all.unwrap_or_default() }
    }
}

/// A constraint with facts that light up what they speak of in a figure: as a formula, then in words.
pub(crate) fn constraint_facts(
    (model, atoms): (&Model, &Atoms),
    constraint: &Constraint,
    assigned: &Assignment,
    figure: &Figure<'_>,
) -> Markup {
    let names = constraint.names(model, atoms);
    let length = figure.trace.moments.len();
    let reach = |fact: usize| FactReach::of(model, atoms, &constraint.facts[fact], assigned, length);
    let lines = constraint_lines(model, atoms, constraint).into_iter();
    let items: Vec<FactItem> = lines.map(|line| FactItem::of(line, reach)).collect();
    let texts: Vec<String> = constraint.facts.iter().map(|fact| fact.show(model, atoms, &names)).collect();
    formula_and_facts(figure, &constraint.show(model, atoms), (&texts, texts.len()), &items)
}

/// A constraint in the paper's notation with each of its facts by itself, of which the first `facts` have lines, then these lines.
pub(crate) fn formula_and_facts(
    figure: &Figure<'_>,
    whole: &str,
    (texts, facts): (&[String], usize),
    items: &[FactItem],
) -> Markup {
    let quantifiers = whole.strip_suffix(&texts.join(" ∧ ")).unwrap_or_default();
    html! {
        p.formula {
            @if texts.is_empty() { (whole) } @else {
                (quantifiers)
                @for (index, text) in texts.iter().enumerate() {
                    @if index > 0 { " ∧ " }
                    span data-fact=[(index < facts).then_some(index)] { (text) }
                }
            }
        }
        ul.facts { @for item in items { (fact_item(figure, item)) } }
    }
}

/// A line with the steps and places that it speaks of.
fn fact_item(
    figure: &Figure<'_>,
    FactItem { line: ConstraintLine { words, facts }, reach }: &FactItem,
) -> Markup {
    let fact = <[usize; 1]>::try_from(facts.as_slice()).ok().map(|[fact]| fact);
    let Some(first) = reach.steps.first() else { return html! { li { (words) } } };
    html! {
        li {
            a.fact href={ "#" (figure.step(*first)) } data-fact=[fact] data-steps=(reach.steps.iter().join(" "))
                data-places=[(!reach.places.is_empty()).then(|| reach.places.join("\n"))] { (words) }
            " " span.where { (reach.words()) }
        }
    }
}
