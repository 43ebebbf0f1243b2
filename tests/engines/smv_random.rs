//! Models in SMV: random ones against a naive interpreter of their syntax trees, and against NuSMV where it is installed.

mod generate;
mod interpreter;

use crate::random::{Random, cases};
use crate::smv_models::holds;
use cladist::budget::Budget;
use cladist::diagnostics::{Diagnostic, SourceId};
use cladist::explore::Graph;
use cladist::ltl::Fairness;
use cladist::model::{Model, PropertyKind, load_text};
use cladist::sat::Backend;
use cladist::smv::import_text;
use cladist::smv::text::parse;
use cladist::smv::text::tree::{SmvExpr, SmvExprKind, SmvFile, SmvItem, SmvPropertyKind as Kind};
use cladist::unroll::{BoundedResult, Lengths, check};
use interpreter::{Interpreter, Misfit, State, Value, valuations};
use std::collections::BTreeSet;
use std::io::{ErrorKind, Write};
use std::process::Command;

/// Longer violations are not compared.
const STEPS: usize = 5;

/// Larger systems take too long.
const MOST_STEPS: usize = 12_000;

/// All that there is to know of a text.
struct Known {
    states: Vec<State>,
    /// For each number of steps the states that are reached with them, by number; the last ones are those of all numbers.
    layers: Vec<BTreeSet<usize>>,
    reached: BTreeSet<usize>,
    /// For each state those that follow it.
    next: Vec<Vec<usize>>,
}

/// Tries everything.
fn know(interpreter: &Interpreter<'_>) -> Result<Known, Misfit> {
    let (all, inputs) = (valuations(&interpreter.variables), valuations(&interpreter.inputs));
    let mut states = Vec::new();
    let mut first = BTreeSet::new();
    for state in &all {
        let is_first = interpreter.is_state(state, true)?;
        if interpreter.is_state(state, false)? {
            if is_first {
                first.insert(states.len());
            }
            states.push(state.clone());
        }
    }
    // What does not fit anywhere does not fit: also between states that do not exist.
    for from in &all {
        for to in &all {
            for input in &inputs {
                interpreter.is_step(from, to, input)?;
            }
        }
    }
    let mut next = Vec::new();
    for from in &states {
        let mut own = Vec::new();
        for (number, to) in states.iter().enumerate() {
            if inputs.iter().any(|input| interpreter.is_step(from, to, input).is_ok_and(|is| is)) {
                own.push(number);
            }
        }
        next.push(own);
    }
    let mut layers = vec![first];
    for step in 0..STEPS.max(states.len()) {
        layers.push(layers[step].iter().flat_map(|state| next[*state].iter().copied()).collect());
    }
    let reached = layers.iter().flatten().copied().collect();
    Ok(Known { states, layers, reached, next })
}

impl Known {
    /// Whether some infinite run has all of these formulas infinitely often.
    fn is_possible(&self, wanted: &[BTreeSet<usize>]) -> bool {
        let count = self.states.len();
        let mut follows = vec![vec![false; count]; count];
        for (from, next) in self.next.iter().enumerate() {
            next.iter().for_each(|to| follows[from][*to] = true);
        }
        for middle in 0..count {
            for from in 0..count {
                for to in 0..count {
                    follows[from][to] |= follows[from][middle] && follows[middle][to];
                }
            }
        }
        self.reached.iter().any(|&at| {
            let together = |other: &usize| follows[at][*other] && follows[*other][at];
            follows[at][at] && wanted.iter().all(|formula| formula.iter().any(together))
        })
    }
}

fn model(text: &str) -> Model {
    let loaded = load_text("random.sts", text, &[], &|_| Err(ErrorKind::NotFound.into()));
    loaded.model.unwrap_or_else(|| panic!("{:?} in\n{text}", loaded.diagnostics))
}

/// The properties of `main`, and what is just.
fn formulas(file: &SmvFile) -> (Vec<&SmvExpr>, Vec<&SmvExpr>, Vec<&SmvExpr>) {
    let main = file.modules.iter().find(|module| module.name.text == "main").expect("a main module");
    let (mut invariants, mut rare, mut just) = (Vec::new(), Vec::new(), Vec::new());
    for item in &main.items {
        match item {
            SmvItem::Property(Kind::Invariant, _, formula) => invariants.push(formula),
            // F G !e
            SmvItem::Property(_, _, SmvExpr { kind: SmvExprKind::Unary(_, inner), .. }) => {
                let SmvExprKind::Unary(_, not) = &inner.kind else { panic!("not generated") };
                let SmvExprKind::Unary(_, formula) = &not.kind else { panic!("not generated") };
                rare.push(&**formula);
            }
            SmvItem::Justice(formula) => just.push(formula),
            _ => {}
        }
    }
    (invariants, rare, just)
}

/// How many valuations of variables there are.
fn count(variables: &[(String, Vec<Value>)]) -> usize {
    variables.iter().map(|(_, values)| values.len()).product()
}

/// Whether it is about a circle, or an index that is never possible.
fn is_static(mistakes: &[Diagnostic]) -> bool {
    let messages = mistakes.iter().map(|mistake| mistake.message.as_str());
    messages.into_iter().all(|text| text.contains("depends on itself") || text.ends_with("out of bounds"))
}

/// Whether a formula has a value in all states, reached or not.
fn fits<'f>(interpreter: &Interpreter<'f>, formulas: &[&'f SmvExpr]) -> bool {
    let all = valuations(&interpreter.variables);
    formulas.iter().all(|formula| all.iter().all(|state| interpreter.holds(formula, state).is_ok()))
}

#[test]
fn models_do_what_an_interpreter_does() {
    let unlimited = Budget::unlimited();
    let (mut refused, mut circular) = (0, 0);
    let (mut violated, mut held, mut possible, mut impossible) = (0, 0, 0, 0);
    for seed in 0..cases(120) {
        let text = generate::text(&mut Random::new(seed + 77_000_000));
        let (file, mistakes) = parse(SourceId(0), &text);
        assert!(mistakes.is_empty(), "{seed}: {mistakes:?}\n{text}");
        let interpreter = Interpreter::new(&file);
        let (states, inputs) = (count(&interpreter.variables), count(&interpreter.inputs));
        if states * states * inputs > MOST_STEPS {
            continue;
        }
        let (invariants, rare, just) = formulas(&file);
        let every: Vec<&SmvExpr> = [&invariants[..], &rare[..], &just[..]].concat();
        let known = know(&interpreter).ok().filter(|_| fits(&interpreter, &every));
        let imported = import_text("random", "random.smv", &text);
        let (known, model) = match (known, imported) {
            (Some(known), Ok(text)) => (known, model(&text)),
            (None, Err(_)) => {
                refused += 1;
                continue;
            }
            // These are refused wherever they stand.
            (Some(_), Err(found)) if is_static(&found.diagnostics) => {
                circular += 1;
                continue;
            }
            // What is always assigned is a definition, whose variable has no other values.
            (None, Ok(_)) if text.contains("\n  x := ") => continue,
            (known, Err(found)) => panic!("{seed}: {:?}, {}\n{text}", found.diagnostics, known.is_some()),
            (None, Ok(_)) => panic!("{seed}: something has no value\n{text}"),
        };
        let graph = Graph::explore(&model, None, 10_000, &unlimited).expect("few states");
        assert_eq!(graph.states.len(), known.reached.len(), "{seed}\n{text}");
        let (finite, linear): (Vec<_>, Vec<_>) =
            model.properties.iter().partition(|property| matches!(property.kind, PropertyKind::Invariant(_)));
        assert_eq!((finite.len(), linear.len()), (invariants.len(), rare.len()), "{seed}");
        for (property, formula) in finite.iter().zip(&invariants) {
            let invariant = property.invariant().expect("an invariant");
            let found = check(&model, invariant, Lengths::UpTo(STEPS), Backend::Cadical, &unlimited, &mut ());
            let fails = |state: &usize| !interpreter.holds(formula, &known.states[*state]).expect("a value");
            let expected = known.layers[..=STEPS].iter().position(|layer| layer.iter().any(fails));
            match (found, expected) {
                (BoundedResult::Violated(trace), Some(steps)) => {
                    assert_eq!(trace.len(), steps, "{seed}\n{text}");
                    violated += 1;
                }
                (BoundedResult::Holds, None) => held += 1,
                (found, expected) => panic!("{seed}: {found:?}, {expected:?}\n{text}"),
            }
        }
        let fairness = Fairness::of_model(&model);
        for (property, formula) in linear.iter().zip(&rare) {
            let holds = holds(&model, &graph, &fairness, property).expect("not of CTL");
            let wanted: Vec<BTreeSet<usize>> = std::iter::once(formula)
                .chain(&just)
                .map(|formula| {
                    let all = 0..known.states.len();
                    all.filter(|state| interpreter.holds(formula, &known.states[*state]).expect("a value"))
                        .collect()
                })
                .collect();
            assert_eq!(holds, !known.is_possible(&wanted), "{seed}\n{text}");
            *if holds { &mut impossible } else { &mut possible } += 1;
        }
    }
    let counts = [refused, circular, violated, held, possible, impossible];
    println!(
        "{counts:?} refused, for other reasons; with violated invariants and others; with runs that are possible or not"
    );
    assert!(counts.iter().all(|count| *count > 2), "{counts:?}");
}

/// What NuSMV says: the number of reachable states, and for each kind of property whether each one holds. `None` if it refuses the model.
struct Said {
    states: usize,
    invariants: Vec<bool>,
    linear: Vec<bool>,
}

/// Asks NuSMV; the outer `None` if it is not installed.
fn nusmv(text: &str) -> Option<Option<Said>> {
    let file = tempfile::Builder::new().suffix(".smv").tempfile().expect("a file");
    std::fs::write(file.path(), text).expect("written");
    let output = Command::new("NuSMV").args(["-dcx", "-r"]).arg(file.path()).output().ok()?;
    let said = String::from_utf8_lossy(&output.stdout);
    // What holds or not can be printed on several lines.
    let verdicts = |kind: &str| {
        let all = said.split("\n-- ").filter(|part| part.starts_with(kind));
        let verdict = |part: &str| {
            let (holds, fails) = (part.find(" is true"), part.find(" is false"));
            holds.is_some_and(|holds| fails.is_none_or(|fails| holds < fails))
        };
        all.map(verdict).collect::<Vec<_>>()
    };
    let states = said.lines().find_map(|line| line.strip_prefix("reachable states: ")?.split(' ').next());
    Some(states.and_then(|states| states.parse::<f64>().ok()).filter(|_| output.status.success()).map(
        |states| Said {
            states: states as usize,
            invariants: verdicts("invariant"),
            linear: verdicts("specification"),
        },
    ))
}

#[test]
fn models_do_what_nusmv_does() {
    let unlimited = Budget::unlimited();
    let (mut refused, mut stricter, mut compared) = (0, 0, 0);
    for seed in 0..cases(150) {
        // The versions of NuSMV before 2.6 do not have `toint` of truth values.
        let text = generate::text(&mut Random::new(seed + 78_000_000)).replace("toint(", "count(");
        let Some(said) = nusmv(&text) else {
            let _ = writeln!(std::io::stderr(), "skipped: NuSMV is not installed");
            return;
        };
        let (said, model) = match (said, import_text("random", "random.smv", &text)) {
            (Some(said), Ok(text)) => (said, model(&text)),
            (None, Err(_)) => {
                refused += 1;
                continue;
            }
            (Some(_), Err(_)) => {
                stricter += 1;
                continue;
            }
            (None, Ok(_)) => panic!("{seed}: NuSMV refuses\n{text}"),
        };
        let graph = Graph::explore(&model, None, 10_000, &unlimited).expect("few states");
        assert_eq!(graph.states.len(), said.states, "{seed}\n{text}");
        let fairness = Fairness::of_model(&model);
        let (mut invariants, mut linear) = (Vec::new(), Vec::new());
        for property in &model.properties {
            let list =
                if matches!(property.kind, PropertyKind::Ltl(_)) { &mut linear } else { &mut invariants };
            list.push(holds(&model, &graph, &fairness, property).expect("not of CTL"));
        }
        assert_eq!((invariants, linear), (said.invariants, said.linear), "{seed}\n{text}");
        compared += 1;
    }
    println!("{compared} compared with NuSMV; {refused} refused, and {stricter} by Cladist only");
    assert!(compared > 30 && stricter < 30);
}
