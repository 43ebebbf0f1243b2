//! Trace constraints in plain words.

use classify::{
    Assignment, Atom, AtomOrigin, Atoms, ComparisonOperand, Constraint, DomainId, Fact, FactKind,
    OrderRelation, PositionVar, Stretch, VariableNames, position_names,
};
use itertools::Itertools;
use kit::parsing::alternatives;
use lang::model::value::Value;
use lang::model::{Action, Model, Observable, Predicate};
use std::collections::BTreeSet;

/// A line of a constraint in words.
pub(crate) struct ConstraintLine {
    pub words: String,
    /// The numbers of its facts, ascending; none for individuals and positions without facts.
    pub facts: Vec<usize>,
}

impl ConstraintLine {
    /// A line without facts.
    pub fn bare(words: String) -> Self {
        Self { words, facts: Vec::new() }
    }
}

/// A constraint in words: one line for its individuals, if any, one for each fact about states or individuals, and one for
/// the order of the positions, if any. The facts keep their order.
pub fn constraint_words(model: &Model, atoms: &Atoms, constraint: &Constraint) -> Vec<String> {
    constraint_lines(model, atoms, constraint).into_iter().map(|line| line.words).collect()
}

/// The lines of [`constraint_words`] with their facts.
pub(crate) fn constraint_lines(model: &Model, atoms: &Atoms, constraint: &Constraint) -> Vec<ConstraintLine> {
    let names = constraint.names(model, atoms);
    let individuals = individual_words(model, atoms, &constraint.individuals, &names.individuals);
    let mut lines: Vec<ConstraintLine> = individuals.map(ConstraintLine::bare).into_iter().collect();
    let numbered = || constraint.facts.iter().enumerate();
    let untaken = Untaken::of(model, atoms, constraint);
    lines.extend(numbered().filter(|(_, fact)| !fact.is_order()).filter_map(|(number, fact)| {
        let (facts, words) = match untaken.iter().find(|u| u.facts.contains(&number)) {
            Some(untaken) if untaken.facts[0] == number => {
                (untaken.facts.clone(), untaken.words(model, constraint, &names))
            }
            Some(_) => return None,
            None => (vec![number], fact_words(model, atoms, fact, &names)),
        };
        Some(ConstraintLine { words, facts })
    }));
    lines.extend(order_words(constraint).map(|words| {
        let facts = numbered().filter(|(_, fact)| fact.is_order()).map(|(number, _)| number).collect();
        ConstraintLine { words, facts }
    }));
    lines.extend(bare_words(constraint).into_iter().map(ConstraintLine::bare));
    if lines.is_empty() {
        lines.push(ConstraintLine::bare("no condition: every trace is a violation".to_owned()));
    }
    lines
}

/// Several facts that arguments of steps to a position are `none`: together they say which actions it can only be.
struct Untaken {
    at: PositionVar,
    /// The numbers of the facts, at least two.
    facts: Vec<usize>,
    /// The arguments, and the actions that they are of.
    arguments: Vec<String>,
    actions: BTreeSet<usize>,
}

impl Untaken {
    fn of(model: &Model, atoms: &Atoms, constraint: &Constraint) -> Vec<Self> {
        let mut found: Vec<Self> = Vec::new();
        for (number, fact) in constraint.facts.iter().enumerate() {
            let FactKind::Atom(atom) = fact.kind else { continue };
            let AtomOrigin::Equal { observable, value } = &atoms.get(atom).origin else { continue };
            if value.constant() != Some(&Value::None) || !fact.individuals.is_empty() {
                continue;
            }
            let (at, text) = (fact.positions[0], observable.show(&[]));
            let is_argument = |action: &Action| {
                let mut params = action.params.iter();
                params.any(|param| text == format!("{}.{}", action.name, param.name))
            };
            let Some(action) = model.actions.iter().position(is_argument) else { continue };
            match found.iter_mut().find(|untaken| untaken.at == at) {
                Some(known) => {
                    known.facts.push(number);
                    known.arguments.push(text);
                    known.actions.insert(action);
                }
                None => {
                    let (facts, arguments) = (vec![number], vec![text]);
                    found.push(Self { at, facts, arguments, actions: BTreeSet::from([action]) });
                }
            }
        }
        found.retain(|untaken| untaken.actions.len() > 1);
        found
    }

    /// `at j, a.x and b.y are none: step j is c`.
    fn words(&self, model: &Model, constraint: &Constraint, names: &VariableNames) -> String {
        let (last, rest) = self.arguments.split_last().expect("there are several");
        let left = (0..model.actions.len()).filter(|action| !self.actions.contains(action));
        let left: Vec<String> = left.map(|action| model.actions[action].name.clone()).collect();
        let mut orders = constraint.facts.iter().filter(|fact| fact.is_order());
        let is_first = !orders.any(|fact| fact.positions[1] == self.at);
        let at = &names.positions[self.at.index()];
        let step = match (left.is_empty(), is_first) {
            (true, _) => format!("{at} is the initial state"),
            (false, true) => format!("step {at} is {}, or {at} is the initial state", alternatives(&left)),
            (false, false) => format!("step {at} is {}", alternatives(&left)),
        };
        format!("at {at}, {} and {last} are none: {step}", rest.join(", "))
    }
}

/// The individuals of a constraint, by their domains: `for some n1, n2 in Node`.
pub fn individual_words(
    model: &Model,
    atoms: &Atoms,
    domains: &[DomainId],
    names: &[String],
) -> Option<String> {
    let of_one = |domain: DomainId| {
        let named = domains.iter().zip(names).filter(|(d, _)| **d == domain);
        format!("{} in {}", named.map(|(_, name)| name).join(", "), model.types.name(atoms.type_of(domain)))
    };
    let all = domains.iter().unique().map(|&domain| of_one(domain)).join(" and ");
    (!all.is_empty()).then(|| format!("for some {all}"))
}

/// One fact in words.
pub fn fact_words(model: &Model, atoms: &Atoms, fact: &Fact, names: &VariableNames) -> String {
    let own = fact.own_names(names);
    let at = |n: usize| own.positions[n].as_str();
    match fact.kind {
        FactKind::Order(OrderRelation::Before) => format!("{} is before {}", at(0), at(1)),
        FactKind::Order(OrderRelation::Next) => format!("{} comes right after {}", at(1), at(0)),
        FactKind::Atom(atom) => atom_words(model, atoms.get(atom), &own),
        FactKind::Absent(atom, stretch) => {
            let stretch = match stretch {
                Stretch::Between => format!("between {} and {}", at(0), at(1)),
                Stretch::Before => format!("before {}", at(0)),
                Stretch::After => format!("after {}", at(0)),
            };
            format!("{stretch}, {}", absence(model, atoms.get(atom), &own))
        }
    }
}

/// The absence of an atom: `net.sender is never Eve`, and more natural forms for labels, truth values and presence.
pub(crate) fn absence(model: &Model, atom: &Atom, own: &VariableNames) -> String {
    let individuals = &own.individuals;
    let what = VariableNames { positions: Vec::new(), individuals: individuals.clone() };
    let (observable, value) = match &atom.origin {
        AtomOrigin::Equal { observable, value } | AtomOrigin::Member { observable, value } => {
            (observable, value)
        }
        AtomOrigin::Predicate { .. } => return format!("never {}", moment_words(model, atom, &what)),
        _ => return format!("never {}", atom.show(model, &what)),
    };
    let (observable, text) = (observable.show(individuals), value.show(model, individuals));
    let is_member = matches!(atom.origin, AtomOrigin::Member { .. });
    match (presence(&observable), value.constant().unwrap_or(&SOME)) {
        _ if is_member => format!("{observable} never contains {text}"),
        (Some(optional), Value::Bool(true)) => format!("there is never a value of {optional}"),
        (Some(optional), Value::Bool(false)) => format!("{optional} is never none"),
        (None, Value::Bool(true)) => format!("{observable} never holds"),
        (None, Value::Bool(false)) => format!("{observable} always holds"),
        (None, Value::None) if observable == "action" => "the initial state does not occur".to_owned(),
        (None, _) if observable == "action" => format!("no step is {text}"),
        _ => format!("{} is never {text}", Observable::constructed(&observable).unwrap_or(&observable)),
    }
}

/// The optional whose presence an observable is.
fn presence(observable: &str) -> Option<&str> {
    observable.strip_prefix('(').and_then(|o| o.strip_suffix(" is some)"))
}

/// An atom in words, with the names of what it is about.
pub(crate) fn atom_words(model: &Model, atom: &Atom, names: &VariableNames) -> String {
    let at = |n: usize| names.positions[n].as_str();
    let of = &names.individuals;
    match &atom.origin {
        AtomOrigin::Equal { observable, value } if observable.show(of) == "action" => {
            match value.constant() {
                Some(Value::None) => format!("{} is the initial state", at(0)),
                _ => format!("step {} is {}", at(0), value.show(model, of)),
            }
        }
        AtomOrigin::Equal { .. }
        | AtomOrigin::Member { .. }
        | AtomOrigin::NotMember { .. }
        | AtomOrigin::Bounded { .. } => {
            format!("at {}, {}", at(0), moment_words(model, atom, names))
        }
        AtomOrigin::Across { left, right } if left == right => {
            format!("{} is the same at {} and at {}", left.show(of), at(0), at(1))
        }
        AtomOrigin::Across { left, right } => {
            format!("{} at {} is {} at {}", left.show(of), at(0), right.show(of), at(1))
        }
        AtomOrigin::Ordered { left, right, strict } => {
            let how = if *strict { "less than" } else { "at most" };
            let right = if left == right { String::new() } else { format!("{} ", right.show(of)) };
            format!("{} at {} is {how} {right}at {}", left.show(of), at(0), at(1))
        }
        AtomOrigin::Shifted { left, right, by } => {
            let how = if *by < 0 { "less" } else { "more" };
            let left = if left == right { String::new() } else { format!("{} ", left.show(of)) };
            format!("{} at {} is {} {how} than {left}at {}", right.show(of), at(1), by.unsigned_abs(), at(0))
        }
        AtomOrigin::Distinct { left, right } => format!("{} is not {}", left.show(of), right.show(of)),
        AtomOrigin::Related { application, value } => {
            format!("{} is {}", application.show(of), value.show(of))
        }
        AtomOrigin::Written(text) => text.clone(),
        AtomOrigin::Predicate { .. } => moment_words(model, atom, names),
    }
}

/// An atom in words, as it stands where it is said in other words when it holds. Of predicates the positions that have names are named.
pub(crate) fn moment_words(model: &Model, atom: &Atom, names: &VariableNames) -> String {
    let of = &names.individuals;
    let value = |v: &ComparisonOperand| v.show(model, of);
    match &atom.origin {
        AtomOrigin::Equal { observable, value: v } => {
            equality(&observable.show(of), v.constant().unwrap_or(&SOME), &value(v))
        }
        AtomOrigin::Member { observable, value: v } => {
            format!("{} contains {}", observable.show(of), value(v))
        }
        AtomOrigin::NotMember { observable, value: v } => {
            format!("{} does not contain {}", observable.show(of), value(v))
        }
        AtomOrigin::Bounded { observable, threshold, below } => {
            let how = match threshold.sign(*below) {
                "<" => "less than",
                "<=" => "at most",
                ">" => "greater than",
                _ => "at least",
            };
            format!("{} is {how} {}", observable.show(of), threshold.number)
        }
        AtomOrigin::Predicate { predicate, .. } => {
            let predicate = &model.predicates[predicate.0 as usize];
            let call = atom.show(model, names);
            let place =
                predicate_place(model, predicate).map(|place| format!(" ({place})")).unwrap_or_default();
            match predicate.title() {
                Some(title) => format!("{call}: {title}{place}"),
                None => format!("{call}{place}"),
            }
        }
        _ => atom.show(model, names),
    }
}

/// Stands for any value that reads like an ordinary one.
const SOME: Value = Value::Int(0);

/// `net.sender is Alice`, and more natural forms for labels, truth values and presence.
fn equality(observable: &str, value: &Value, text: &str) -> String {
    match (presence(observable), value) {
        (Some(optional), Value::Bool(true)) => format!("there is a value of {optional}"),
        (Some(optional), Value::Bool(false)) => format!("{optional} is none"),
        (None, Value::Bool(true)) => format!("{observable} holds"),
        (None, Value::Bool(false)) => format!("{observable} does not hold"),
        (None, Value::None) if observable == "action" => "the state is initial".to_owned(),
        (None, _) if observable == "action" => format!("the step is {text}"),
        _ => format!("{} is {text}", Observable::constructed(observable).unwrap_or(observable)),
    }
}

/// The titles of the predicates among these atoms, if they have some.
pub(crate) fn predicate_titles<'a>(model: &Model, atoms: impl Iterator<Item = &'a Atom>) -> Option<String> {
    let titles = atoms.filter_map(|atom| match &atom.origin {
        AtomOrigin::Predicate { predicate, .. } => model.predicates[predicate.0 as usize].title(),
        _ => None,
    });
    let all = titles.unique().join("; ");
    (!all.is_empty()).then_some(all)
}

/// `predicates/messages.pred:17`; `None` for a predicate that the model does not declare itself.
pub(crate) fn predicate_place(model: &Model, predicate: &Predicate) -> Option<String> {
    let (line, _) = model.sources.line_column(predicate.span);
    predicate.added.is_none().then(|| format!("{}:{line}", model.sources.name(predicate.span.source)))
}

/// Sentences about positions that occur only in the order: `i is any earlier position: j is not the initial state`.
pub fn bare_words(constraint: &Constraint) -> Vec<String> {
    let names = position_names(constraint.positions);
    let name = |variable: PositionVar| names[variable.index()].as_str();
    let said: BTreeSet<PositionVar> = constraint
        .facts
        .iter()
        .filter(|fact| !fact.is_order())
        .flat_map(|fact| fact.positions.clone())
        .collect();
    let bare = (0..constraint.positions).map(PositionVar::new).filter(|variable| !said.contains(variable));
    bare.map(|own| {
        let beside = |at: usize, other: usize| {
            let mut orders =
                constraint.facts.iter().filter(|fact| fact.is_order() && fact.positions[at] == own);
            orders.next().map(|fact| name(fact.positions[other]))
        };
        let what = match (beside(1, 0), beside(0, 1)) {
            (None, Some(later)) => format!("any earlier position: {later} is not the initial state"),
            (Some(earlier), None) => format!("any later position: the trace goes on after {earlier}"),
            (Some(earlier), Some(later)) => format!("any position between {earlier} and {later}"),
            (None, None) => "any position".to_owned(),
        };
        format!("{} is {what}", name(own))
    })
    .collect()
}

/// All order facts as one phrase: `i before j immediately before k`. Order facts that do not form one chain give
/// several, joined by `and`.
pub fn order_words(constraint: &Constraint) -> Option<String> {
    let names = position_names(constraint.positions);
    let name = |variable: PositionVar| names[variable.index()].as_str();
    let mut steps: Vec<OrderStep> = Vec::new();
    for fact in &constraint.facts {
        let FactKind::Order(order) = fact.kind else { continue };
        let step = OrderStep { from: fact.positions[0], to: fact.positions[1], order };
        match steps.iter_mut().find(|s| (s.from, s.to) == (step.from, step.to)) {
            Some(known) => known.order = known.order.max(order),
            None => steps.push(step),
        }
    }
    let mut chains = Vec::new();
    while !steps.is_empty() {
        // Begin where no remaining step leads to; a contradictory cycle begins anywhere.
        let first = steps.iter().position(|s| steps.iter().all(|t| t.to != s.from)).unwrap_or(0);
        let mut step = steps.remove(first);
        let mut chain = format!("{} {} {}", name(step.from), step.word(), name(step.to));
        while let Some(next) = steps.iter().position(|s| s.from == step.to) {
            step = steps.remove(next);
            chain.push_str(&format!(" {} {}", step.word(), name(step.to)));
        }
        chains.push(chain);
    }
    (!chains.is_empty()).then(|| chains.join("; and "))
}

/// An order fact.
struct OrderStep {
    from: PositionVar,
    to: PositionVar,
    order: OrderRelation,
}

impl OrderStep {
    fn word(&self) -> &'static str {
        match self.order {
            OrderRelation::Next => "immediately before",
            OrderRelation::Before => "before",
        }
    }
}

/// Who the individuals of a class are in its representative: `, n1 = 2, n2 = 3`.
pub(crate) fn who_is_who(model: &Model, names: &VariableNames, assigned: &Assignment) -> String {
    let named = names.individuals.iter().zip(&assigned.individuals);
    named.map(|(name, value)| format!(", {name} = {}", model.types.show_value(value))).collect()
}
