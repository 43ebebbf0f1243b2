//! Words for the kinds of a causal tree.

use super::CausalRequest;
use crate::shared::evaluate::one_line;
use classify::Atoms;
use classify::causes::condition::ConditionCase;
use classify::causes::kinds::CausalKind;
use classify::causes::pattern::{ArgumentParts, ArgumentSlot, CausePattern, PatternStep, is_written};
use classify::causes::question::CausalProblem;
use classify::causes::reasons::{ConditionPart, guards};
use classify::causes::tree::CausalTree;
use classify::causes::way::Way;
use classify::facts::collect::{Collector, PlacedAtom};
use engines::ltl::Fairness;
use import::protocol::{WORDS, fewest_words};
use itertools::Itertools;
use lang::model::Model;
use lang::model::expr::{Expr, ExprKind, LocalId, Op};
use lang::model::types::Type;
use lang::model::value::{Label, Value};
use lang::trace::Trace;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// A longer condition is not shown.
const LONGEST_CONDITION: usize = 160;

/// The title of a kind: `withdraw(a) where taken + balance[a] > paid_in, after withdraw(a)`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CausalTitle {
    /// The step that breaks the property, with the names of its parameters as far as they matter.
    pub breaks: String,
    /// The conjuncts of the condition under which it does, in the case that the first trace meets.
    pub condition: Vec<String>,
    /// True if there is no other case, or other kinds have the other cases.
    pub is_whole: bool,
    /// The deciding steps before it, in the order of the first trace.
    pub after: Vec<String>,
}

impl CausalTitle {
    /// The title in one line.
    pub fn line(&self) -> String {
        let condition = match self.condition.is_empty() {
            true => String::new(),
            false if self.is_whole => format!(" where {}", self.condition.join(" and ")),
            false => format!(", for instance where {}", self.condition.join(" and ")),
        };
        let after = match self.after.split_last() {
            None => String::new(),
            Some((only, [])) => format!(", after {only}"),
            Some((last, others)) => format!(", after {} and {last}", others.join(", ")),
        };
        format!("{}{condition}{after}", self.breaks)
    }
}

/// The title of a kind in a tree.
pub fn causal_title(
    problem: CausalProblem<'_>,
    parts: &ArgumentParts,
    tree: &CausalTree,
    kind: &CausalKind,
) -> CausalTitle {
    let model = problem.model();
    let way = &kind.ways[0];
    let labels: Vec<&Label> = way.trace.labels().collect();
    let first = match &way.round {
        Some(round) => round.start.steps(),
        None => labels.len().saturating_sub(1),
    };
    let Some(root) = labels.get(first) else {
        let (breaks, condition, after) = ("an initial state".to_owned(), Vec::new(), Vec::new());
        return CausalTitle { breaks, condition, is_whole: true, after };
    };
    let params = &model.actions[root.action].params;
    let slots = kind.deciding.steps[0].slots.iter().zip(&parts.of[root.action]);
    let known: Vec<(LocalId, &[usize])> = slots
        .filter(|(slot, _)| matches!(slot, ArgumentSlot::Value(_)))
        .map(|(_, part)| (params[part.param()].local, part.fields()))
        .collect();
    let case = problem.condition(kind).unwrap_or_default();
    let is_whole = case.is_whole || has_other_cases(problem, tree, kind, &case);
    let condition = without_repetitions(model, case.parts, &known);
    let name = |local| {
        model.actions[root.action]
            .params
            .iter()
            .find(|param| param.local == local)
            .map(|param| param.name.clone())
    };
    let is_alone = condition.len() == 1;
    let text = |part: &Expr| {
        let text = model.text(part, &name)?;
        let is_tight = is_alone || !matches!(part.kind, ExprKind::Binary(Op::Or, ..) | ExprKind::If(..));
        Some(if is_tight { text } else { format!("({text})") })
    };
    let texts: Option<Vec<String>> = condition.iter().map(text).collect();
    let texts = texts.filter(|texts| texts.iter().map(String::len).sum::<usize>() <= LONGEST_CONDITION);
    let texts = texts.unwrap_or_default();
    // Variants of one kind may differ in individuals, so that it is about any.
    let is_same = |other: &CausalKind| other.deciding.is_same(&kind.deciding);
    let others = tree.kinds.iter().filter(|other| !other.with_variants().any(is_same));
    let mut others = others.flat_map(CausalKind::with_variants);
    let tells_others = others.any(|other| other.deciding.has_actions_of(&kind.deciding));
    let mut names = IndividualNames::of_root(model, parts, root, &kind.deciding, tells_others);
    let mentioned: Vec<LocalId> = if texts.is_empty() { Vec::new() } else { mentioned(&condition) };
    let (roots, others) = kind.deciding.steps.split_at(kind.deciding.roots);
    let mut breaks = names.root(&roots[0], root, &mentioned);
    if way.round.is_some() {
        let others = roots.iter().zip(&labels[first..]).skip(1).map(|(form, label)| names.step(form, label));
        let round = counted(std::iter::once(breaks).chain(others.collect::<Vec<_>>()).collect());
        breaks = match round.as_slice() {
            [only] if way.stays() => format!("{only} for ever"),
            [only] => format!("{only} again and again"),
            [others @ .., last] => format!("{} and {last} again and again", others.join(", ")),
            [] => String::new(),
        };
    }
    let mut decides = |steps: Vec<usize>, forms: &[PatternStep]| {
        counted(steps.iter().zip(forms).map(|(&step, form)| names.step(form, labels[step])).collect())
    };
    let after = decides(kind.told_steps(), others);
    CausalTitle { breaks, condition: texts, is_whole, after }
}

/// The title of a kind in one line; of a protocol with the names of attacks that all its traces have.
pub fn kind_title(request: &CausalRequest<'_>, tree: &CausalTree, kind: &CausalKind) -> String {
    let words = attack_words(request, kind).iter().map(|word| word.replace('_', " ")).join(", ");
    let words = if words.is_empty() { words } else { words + ": " };
    let order = if kind.in_this_order { ", in this order" } else { "" };
    format!("{words}{}{order}", variant_title(request, tree, kind))
}

/// The title of a variant of a kind in one line.
pub fn variant_title(request: &CausalRequest<'_>, tree: &CausalTree, variant: &CausalKind) -> String {
    causal_title(request.problem, request.parts, tree, variant).line()
}

/// Makes kinds of attacks on a protocol one that have a word in common, of the fewest words that describe all of them, as kinds
/// of attack patterns are.
pub fn join_by_words(request: &CausalRequest<'_>, tree: &mut CausalTree) {
    let words = tree.kinds.iter().map(|kind| attack_words(request, kind)).collect_vec();
    let words = words.iter().map(Vec::as_slice).collect_vec();
    tree.join(&fewest_words(&words));
}

/// The patterns of attacks that all traces of a kind of a protocol have: the predicates of the vocabulary of the claim that hold
/// in them, in the order of [`WORDS`].
fn attack_words(request: &CausalRequest<'_>, kind: &CausalKind) -> Vec<&'static str> {
    let model = request.problem.model();
    let claim = request.display.charts.as_ref().and_then(|_| model.vocabulary(&request.property.name));
    let Some(number) = claim else { return Vec::new() };
    let vocabulary = &model.vocabularies[number];
    let of_trace = |trace: &Trace| {
        let atoms = Atoms::default();
        let placed = Collector::new(model, vocabulary, &atoms).collect(&trace.moments, request.budget);
        let name = |placed: &PlacedAtom| {
            let name = &model.predicates[atoms.get(placed.atom).predicate()?.0 as usize].name;
            WORDS.into_iter().find(|word| Some(*word) == name.rsplit('.').next())
        };
        placed.unwrap_or_default().iter().filter_map(name).collect::<BTreeSet<_>>()
    };
    let ways = kind.with_variants().flat_map(|part| &part.ways);
    let common = ways.map(|way| of_trace(&way.trace)).reduce(|one, other| &one & &other).unwrap_or_default();
    WORDS.into_iter().filter(|word| common.contains(word)).collect()
}

/// True if another kind with the same last action has another case of its condition.
fn has_other_cases(
    problem: CausalProblem<'_>,
    tree: &CausalTree,
    kind: &CausalKind,
    case: &ConditionCase,
) -> bool {
    let mut others = tree.kinds.iter().filter(|other| other.breaking_action() == kind.breaking_action());
    let plain = |case: &ConditionCase| case.parts.iter().map(Expr::without_places).collect::<Vec<_>>();
    others.any(|other| problem.condition(other).is_some_and(|other| plain(&other) != plain(case)))
}

/// A condition without the presence of values that another part compares, without arguments whose values are `known`, and
/// without individuals for which a quantifier was written out.
fn without_repetitions(model: &Model, condition: Vec<Expr>, known: &[(LocalId, &[usize])]) -> Vec<Expr> {
    let plain: Vec<Expr> = condition.iter().map(Expr::without_places).collect();
    let compares = |expr: &Expr, of: &Expr| match &expr.kind {
        ExprKind::Binary(Op::Eq | Op::Lt | Op::Le | Op::In, a, b) => [a, b].iter().any(|side| {
            let has_default = matches!(side.kind, ExprKind::Binary(Op::Otherwise, ..));
            (!has_default || side.known_present().is_some())
                && side.without_places().any(&|e| e.kind == of.kind)
        }),
        _ => false,
    };
    let is_new = |(at, part): &(usize, &Expr)| match &part.kind {
        ExprKind::IsSome(of) => {
            !condition.iter().enumerate().any(|(other, expr)| other != *at && compares(expr, of))
        }
        _ => !is_about_argument(part, known),
    };
    let kept = plain.iter().enumerate().filter(is_new).map(|(at, _)| condition[at].clone());
    kept.filter(|part| !names_unwritten(model, part)).collect()
}

/// True for an argument with a known value that is a truth value, and for one that is compared with a value of an enumeration.
fn is_about_argument(expr: &Expr, known: &[(LocalId, &[usize])]) -> bool {
    let is_known = |e: &Expr| known.iter().any(|&(local, fields)| is_part(e, local, fields));
    let is_name = |e: &Expr| matches!(e.kind, ExprKind::Const(Value::Enum(..)));
    match &expr.kind {
        ExprKind::Not(inner) => is_about_argument(inner, known),
        ExprKind::Binary(Op::Eq, a, b) => is_known(a) && is_name(b) || is_name(a) && is_known(b),
        _ => is_known(expr),
    }
}

/// True for this part of an argument.
fn is_part(expr: &Expr, argument: LocalId, fields: &[usize]) -> bool {
    match (&expr.kind, fields.split_last()) {
        (ExprKind::Local(local), None) => *local == argument,
        (ExprKind::Field(of, field), Some((last, before))) => field == last && is_part(of, argument, before),
        _ => false,
    }
}

/// True if the expression has a value of an enumeration that the model does not name there.
fn names_unwritten(model: &Model, expr: &Expr) -> bool {
    if let Some(option) = expr.known_present() {
        return names_unwritten(model, option);
    }
    match &expr.kind {
        ExprKind::Const(value @ Value::Enum(..)) => !is_written(model, value, expr.span),
        _ => expr.children().into_iter().any(|part| names_unwritten(model, part)),
    }
}

/// The texts, equal ones once with their number.
fn counted(texts: Vec<String>) -> Vec<String> {
    let mut counts: Vec<(String, usize)> = Vec::new();
    for text in texts {
        match counts.iter_mut().find(|(known, _)| *known == text) {
            Some((_, count)) => *count += 1,
            None => counts.push((text, 1)),
        }
    }
    let said = |(text, count): (String, usize)| match count {
        1 => text,
        2 => format!("{text} twice"),
        n => format!("{text} {n} times"),
    };
    counts.into_iter().map(said).collect()
}

fn mentioned(condition: &[Expr]) -> Vec<LocalId> {
    let mut locals = Vec::new();
    for part in condition {
        part.walk(&mut |e| {
            if let ExprKind::Local(local) = e.kind {
                locals.push(local);
            }
        });
    }
    locals
}

/// Names of the individuals of a kind: those of the parameters that they were first passed to.
struct IndividualNames<'a> {
    model: &'a Model,
    parts: &'a ArgumentParts,
    root: &'a Label,
    /// By the number of the individual.
    of: FxHashMap<usize, String>,
    /// Names of other arguments of the last step.
    others: Vec<String>,
    /// True if another kind has the same actions, which differs in the individuals: those that the last step does not have are named `other`.
    tells_others: bool,
    /// The individuals that occur once, and not in the last step; true for those that have to differ from one there.
    single: FxHashMap<usize, bool>,
}

impl<'a> IndividualNames<'a> {
    fn of_root(
        model: &'a Model,
        parts: &'a ArgumentParts,
        root: &'a Label,
        told: &CausePattern,
        tells_others: bool,
    ) -> Self {
        let form = &told.steps[0];
        let (mut of, mut others) = (FxHashMap::default(), Vec::new());
        for (slot, (_, name)) in form.slots.iter().zip(parts.named(model, root.action)) {
            match slot {
                ArgumentSlot::Individual(number) => _ = of.entry(*number).or_insert(name),
                ArgumentSlot::Any => others.push(name),
                ArgumentSlot::Value(_) => {}
            }
        }
        let slots: Vec<&ArgumentSlot> = told.steps.iter().flat_map(|step| &step.slots).collect();
        let is_single = |number: &usize| {
            let own = slots.iter().filter(|slot| ***slot == ArgumentSlot::Individual(*number));
            own.count() == 1 && !of.contains_key(number)
        };
        let differs = |number: usize| {
            let mut pairs = told.different.iter();
            pairs.any(|(a, b)| *a == number && of.contains_key(b) || *b == number && of.contains_key(a))
        };
        let single = (0..told.individuals.len()).filter(is_single).map(|n| (n, differs(n))).collect();
        Self { model, parts, root, of, others, tells_others, single }
    }

    fn root(&self, form: &PatternStep, label: &Label, mentioned: &[LocalId]) -> String {
        let action = &self.model.actions[label.action];
        let args: Vec<String> = form
            .slots
            .iter()
            .zip(self.parts.named(self.model, label.action))
            .filter_map(|(slot, (part, name))| match slot {
                ArgumentSlot::Value(Value::None) => None,
                ArgumentSlot::Value(value) => Some(format!("{name}={}", self.model.types.show_value(value))),
                ArgumentSlot::Individual(number) => {
                    let known = &self.of[number];
                    Some(if *known == name { name } else { format!("{name}={known}") })
                }
                ArgumentSlot::Any => mentioned.contains(&action.params[part.param()].local).then_some(name),
            })
            .unique()
            .collect();
        applied(&action.name, &args)
    }

    /// A deciding step: `transfer(a=other, b=a)`.
    fn step(&mut self, form: &PatternStep, label: &Label) -> String {
        let mut args = Vec::new();
        for (slot, (part, name)) in form.slots.iter().zip(self.parts.named(self.model, label.action)) {
            let value = part.of(label);
            let said = match slot {
                ArgumentSlot::Value(Value::None) => continue,
                ArgumentSlot::Value(value) => self.model.types.show_value(value),
                ArgumentSlot::Individual(number) if self.single.get(number) == Some(&false) => continue,
                ArgumentSlot::Individual(number) if self.single.contains_key(number) => "other".to_owned(),
                ArgumentSlot::Individual(number) => match self.of.get(number) {
                    Some(known) => known.clone(),
                    None => {
                        let mut own = name.clone();
                        while self.of.values().chain(&self.others).any(|used| *used == own) {
                            own.push('\'');
                        }
                        self.of.insert(*number, own.clone());
                        own
                    }
                },
                ArgumentSlot::Any if !self.parts.is_role(value) && self.is_other(value, &part.ty) => {
                    "other".to_owned()
                }
                ArgumentSlot::Any => continue,
            };
            args.push(if said == name { name } else { format!("{name}={said}") });
        }
        applied(&self.model.actions[label.action].name, &args)
    }

    /// True if the last step has another individual of the type.
    fn is_other(&self, value: &Value, ty: &Type) -> bool {
        if !self.tells_others || !matches!(ty.inner(), Type::Enum(_)) {
            return false;
        }
        let of_root = &self.parts.of[self.root.action];
        let mut alike = of_root.iter().filter(|part| part.ty.inner() == ty.inner()).peekable();
        alike.peek().is_some() && alike.all(|part| part.of(self.root) != value)
    }
}

fn applied(action: &str, args: &[String]) -> String {
    if args.is_empty() { action.to_owned() } else { format!("{action}({})", args.join(", ")) }
}

/// The statement that a condition of fairness is met: `detect is not due`.
fn not_due(model: &Model, condition: &Fairness) -> String {
    match condition {
        Fairness::Again(expr) => {
            format!("{} again and again", one_line(model.sources.snippet(expr.span)))
        }
        Fairness::Action(action) => {
            let args: Vec<String> = action
                .arguments
                .iter()
                .map(|value| value.as_ref().map_or("_".to_owned(), |value| model.types.show_value(value)))
                .collect();
            format!("{} is not due", applied(&model.actions[action.action].name, &args))
        }
    }
}

/// A part of the condition of a step, with the steps of the trace that it is due to, by number from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReasonWords {
    /// The number of the step; `None` for what an infinite trace is as a whole.
    pub step: Option<usize>,
    /// The part.
    pub condition: String,
    /// The steps.
    pub because: Vec<usize>,
}

/// The reasons of the steps of a trace, the last step first.
pub fn reason_words(problem: CausalProblem<'_>, property: &str, way: &Way) -> Vec<ReasonWords> {
    let model = problem.model();
    let labels: Vec<&Label> = way.trace.labels().collect();
    let mut words = Vec::new();
    for (step, reasons) in way.reasons.of.iter().enumerate().rev() {
        let action = &model.actions[labels[step].action];
        let name = |local| {
            let at = action.params.iter().position(|param| param.local == local)?;
            Some(model.types.show_value(&labels[step].args[at]))
        };
        for reason in reasons {
            let condition = match reason.part {
                ConditionPart::Breaks => format!("{property} is violated"),
                ConditionPart::Fair(number) => match problem {
                    CausalProblem::Linear(problem) => not_due(model, &problem.fairness[number]),
                    CausalProblem::Invariant(_) => continue,
                },
                ConditionPart::Guard(number) => {
                    let guard = &guards(model, labels[step].action)[number];
                    let written = || model.sources.snippet(guard.span).split_whitespace().join(" ");
                    model.text(guard, &name).unwrap_or_else(written)
                }
            };
            let because = reason.steps.iter().map(|step| step + 1).collect();
            let is_whole = way.round.is_some() && !matches!(reason.part, ConditionPart::Guard(_));
            words.push(ReasonWords { step: (!is_whole).then_some(step + 1), condition, because });
        }
    }
    words
}
