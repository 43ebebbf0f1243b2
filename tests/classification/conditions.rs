//! Words for the conditions under which steps break an invariant, against the reference semantics.

use crate::all_traces::all_traces;
use crate::random::{cases, seeds};
use cladist::budget::Budget;
use cladist::classify::causes::condition::breaking_condition;
use cladist::classify::facts::collect::Collector;
use cladist::classify::{AtomOrigin, Atoms, ComparisonOperand, Problem};
use cladist::diagnostics::Span;
use cladist::model::eval::{Scope, arguments};
use cladist::model::expr::{Expr, ExprKind, Op};
use cladist::model::value::Value;
use cladist::model::{
    Action, FactText, Model, ParameterText, StretchText, TraceFormula, TraceFormulaText, Vocabulary,
    VocabularyItem, eval, load_text,
};
use cladist::trace::Trace;
use cladist::vocabulary::{Inventory, declare_conditions};
use std::collections::HashSet;
use std::io::ErrorKind;

/// A model of a balance with limits and rules that depend on the seed.
pub fn account(seed: u64) -> Model {
    let pick = |shift: u64, of: u64| seed / shift % of;
    let guard = ["true", "n <= bonus + 1", "n >= bonus", "n != bonus", "balance >= n"][pick(1, 5) as usize];
    let limit =
        ["balance >= 0", "balance >= bonus", "balance + bonus >= 0", "balance != 3"][pick(5, 4) as usize];
    let (start, most) = (pick(20, 3), 1 + pick(60, 3));
    let text = format!(
        "model account; var balance: -9..9; var bonus: 0..2; init {{ balance = {start}; bonus = 0; }}
         action deposit(n: 1..{most}) {{ balance' = balance + n; }}
         action withdraw(n: 1..3) {{ require {guard}; balance' = balance - n; }}
         action grant(b: 1..2) {{ bonus' = b; }}
         invariant limit: {limit};
         vocabulary v = {{ eq(balance) }};"
    );
    load_text("account.sts", &text, &[], &|_| Err(ErrorKind::NotFound.into())).model.expect("no mistakes")
}

/// The literals of the condition under which steps of an action break the invariant, alternatives one by one.
fn literals(problem: Problem<'_>, action: usize) -> Vec<Expr> {
    fn alternatives(literal: &Expr) -> Vec<Expr> {
        match &literal.kind {
            ExprKind::Binary(Op::Or, a, b) => [alternatives(a), alternatives(b)].concat(),
            _ => vec![literal.clone()],
        }
    }
    breaking_condition(problem, action).unwrap_or_default().iter().flat_map(alternatives).collect()
}

/// The words for the conditions under which steps break the invariant.
fn conditions(problem: Problem<'_>) -> Vocabulary {
    let leaves = Inventory::of(problem).literals.into_iter().flat_map(|word| word.leaves);
    let items = leaves.map(VocabularyItem::Equal).collect();
    Vocabulary { name: "conditions".into(), doc: None, items, span: Span::default() }
}

/// For each position of each trace, true if a step of the action leads there before which the literal holds, by the reference semantics.
fn by_definition(model: &Model, traces: &[Trace], action: usize, literal: &Expr) -> Vec<bool> {
    let holds = |trace: &Trace, at: usize| {
        let label = trace.moments[at].label.as_ref().filter(|label| label.action == action);
        label.is_some_and(|label| {
            let locals = arguments(&model.actions[action], &label.args);
            let before = &trace.moments[at - 1].state;
            Scope::new(model).with_state(before).with_locals(&locals).holds(literal)
        })
    };
    traces.iter().flat_map(|trace| (0..trace.moments.len()).map(move |at| holds(trace, at))).collect()
}

/// For each word, and each position of each trace, true if the facts of the trace say that the word is true there. They say that it is true or
/// false everywhere, and never both.
fn by_facts(model: &Model, traces: &[Trace], vocabulary: &Vocabulary) -> Vec<Vec<bool>> {
    let atoms = Atoms::default();
    let mut collector = Collector::new(model, vocabulary, &atoms);
    let mut all = vec![Vec::new(); vocabulary.items.len()];
    for trace in traces {
        let mut told = vec![vec![None; trace.moments.len()]; vocabulary.items.len()];
        for placed in collector.collect(&trace.moments, &Budget::unlimited()).expect("there is no budget") {
            let atom = atoms.get(placed.atom);
            let AtomOrigin::Equal { value: ComparisonOperand::Constant(Value::Bool(value)), .. } =
                atom.origin
            else {
                panic!("{:?} is no truth value", atom.origin)
            };
            let place = &mut told[atom.item][placed.positions[0].index()];
            assert_eq!(place.replace(value), None);
        }
        for (all, told) in all.iter_mut().zip(told) {
            all.extend(told.into_iter().map(|value| value.expect("a truth value at every position")));
        }
    }
    all
}

/// The facts of each word are those of a literal.
#[test]
fn words_for_conditions_mean_the_literals() {
    let (mut words, mut true_and_false) = (0, 0);
    for seed in seeds(240) {
        let model = account(seed);
        let problem = Problem::first(&model).expect("an invariant");
        let vocabulary = conditions(problem);
        let traces =
            all_traces(&model, 2 + (seed % 4 / 2) as usize, 200_000).expect("random models are small");
        let expected: HashSet<Vec<bool>> = (0..model.actions.len())
            .flat_map(|action| literals(problem, action).into_iter().map(move |literal| (action, literal)))
            .map(|(action, literal)| by_definition(&model, &traces, action, &literal))
            .collect();
        for (item, facts) in vocabulary.items.iter().zip(by_facts(&model, &traces, &vocabulary)) {
            words += 1;
            true_and_false += u64::from(facts.contains(&true));
            assert!(expected.contains(&facts), "seed {seed}: {}", item.identity());
        }
    }
    eprintln!("{words} words, {true_and_false} of them sometimes true");
    assert!(
        words > cases(60) && true_and_false > words / 2,
        "{words} words, {true_and_false} sometimes true"
    );
}

/// Of each violating step of which a part of the condition reads the state, a predicate tells how this part came to hold; and where the
/// condition is one part, a step of which it tells that violates the invariant.
#[test]
fn predicates_for_conditions_tell_of_every_violating_step() {
    let (mut told, mut exact) = (0, 0);
    for seed in seeds(120) {
        let mut model = account(seed);
        let invariant = model.properties[0].invariant().expect("an invariant").clone();
        let parts: Vec<Option<Vec<Expr>>> = {
            let problem = Problem::new(&model, &invariant);
            (0..model.actions.len()).map(|action| breaking_condition(problem, action)).collect()
        };
        declare_conditions(&mut model, &invariant);
        let predicates: Vec<(usize, TraceFormula)> = model
            .predicates
            .iter()
            .filter(|predicate| predicate.added.is_some())
            .map(|predicate| {
                let is_of = |action: &Action| predicate.name.starts_with(&format!("{}_", action.name));
                let action = model.actions.iter().position(is_of).expect("it is about a step");
                let names: Vec<&str> = predicate.params.iter().map(|param| param.name.as_str()).collect();
                let parameter = |name: &&str| ParameterText { name: (*name).to_owned(), ty: "pos".into() };
                let last = names.last().expect("a position").to_string();
                let fact = |holds: String| FactText { holds, nowhere: None };
                let is_last = StretchText { at: "rest".into(), after: Some(last.clone()), before: None };
                let facts = vec![
                    fact(format!("{}({})", predicate.name, names.join(", "))),
                    FactText { holds: "rest = rest".into(), nowhere: Some(is_last) },
                ];
                let parameters = names.iter().map(parameter).collect();
                let text = TraceFormulaText { parameters, facts, of_each: false };
                (action, TraceFormula::read(&model, &text).expect("a formula"))
            })
            .collect();
        for trace in all_traces(&model, 3, 200_000).expect("random models are small") {
            let Some(label) = trace.labels().next_back() else { continue };
            let Some(first) = eval::first_violation(&model, &invariant, &trace.moments) else {
                let [Some(parts)] = &parts[label.action..=label.action] else { continue };
                let own = predicates.iter().filter(|(action, _)| *action == label.action);
                if parts.len() == 1 && parts[0].reads_state() {
                    own.for_each(|(_, of)| {
                        assert!(of.matches(&model, &trace.moments).is_none(), "seed {seed}")
                    });
                    exact += 1;
                }
                continue;
            };
            let is_told = parts[label.action].iter().flatten().any(Expr::reads_state);
            if first.index() + 1 == trace.moments.len() && is_told {
                let holds = |(action, of): &(usize, TraceFormula)| {
                    *action == label.action && of.matches(&model, &trace.moments).is_some()
                };
                assert!(predicates.iter().any(holds), "seed {seed}: {}", model.properties[0].name);
                told += 1;
            }
        }
    }
    eprintln!("{told} violating steps, {exact} others");
    assert!(told > cases(500) && exact > cases(500), "{told} violating steps, {exact} others");
}
