//! A naive interpreter: behaviours as trees that are copied, rules written down a second time, nothing shared.

use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// A behaviour. Numbers are those of actions in the order of the text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum T {
    Null,
    Stop,
    Act(char, u32),
    /// Receives a value on a gate and sends it on another one.
    Relay(char, char, u32, u32),
    Send(char, u8, u32),
    /// Sends the variable.
    Show(char, u32),
    /// Receives the variable.
    Ask(char, u32),
    /// The variable becomes the next value.
    Next,
    /// What is done depends on whether the variable has this value.
    If(u8, Box<T>, Box<T>),
    Seq(Box<T>, Box<T>),
    Select(Vec<T>),
    Par(Vec<char>, Vec<T>),
    Hide(char, Box<T>),
    Disrupt(Box<T>, Box<T>),
    /// A loop: where it is in this turn, and a whole turn.
    Loop(Option<Box<T>>, Box<T>),
    Break,
}

/// What a behaviour can do: the label, the actions that take part, and what is left with the variable.
pub type Step = (String, Vec<u32>, T, u8);

/// How it can end: by leaving a loop or not, with the variable.
pub type End = (bool, u8);

/// The values of the variable.
const VALUES: u8 = 3;

/// The rules. Among `dummies` are the actions that can be left out.
#[expect(clippy::too_many_lines, reason = "one case for each construct")]
pub fn moves(t: &T, n: u8, dummies: &BTreeSet<u32>) -> (Vec<Step>, BTreeSet<End>) {
    let one = |label: String, who: u32, rest: T, n: u8| {
        let mut steps = vec![(label, vec![who], rest.clone(), n)];
        if dummies.contains(&who) {
            steps.push((format!("DUMMY {who}"), vec![], rest, n));
        }
        (steps, BTreeSet::new())
    };
    let map = |(steps, ends): (Vec<Step>, BTreeSet<End>), f: &dyn Fn(T) -> T| {
        (steps.into_iter().map(|(l, w, t, n)| (l, w, f(t), n)).collect::<Vec<Step>>(), ends)
    };
    match t {
        T::Null => (vec![], BTreeSet::from([(false, n)])),
        T::Stop => (vec![], BTreeSet::new()),
        T::Break => (vec![], BTreeSet::from([(true, n)])),
        T::Act(gate, id) => one(gate.to_string(), *id, T::Null, n),
        T::Send(gate, value, id) => one(format!("{gate} !{value}"), *id, T::Null, n),
        T::Show(gate, id) => one(format!("{gate} !{n}"), *id, T::Null, n),
        T::Ask(gate, id) => {
            let steps = (0..VALUES).map(|v| (format!("{gate} !{v}"), vec![*id], T::Null, v)).collect();
            (steps, BTreeSet::new())
        }
        T::Relay(from, to, a, b) => {
            let steps = (0..VALUES).map(|v| (format!("{from} !{v}"), vec![*a], T::Send(*to, v, *b), n));
            (steps.collect(), BTreeSet::new())
        }
        T::Next => (vec![], BTreeSet::from([(false, (n + 1) % VALUES)])),
        T::If(value, yes, no) => moves(if n == *value { yes } else { no }, n, dummies),
        T::Seq(first, second) => {
            let (mut steps, before) = map(moves(first, n, dummies), &|t| T::Seq(Box::new(t), second.clone()));
            let mut ends = BTreeSet::new();
            for (leaves, n) in before {
                if leaves {
                    ends.insert((true, n));
                } else {
                    let (more, after) = moves(second, n, dummies);
                    steps.extend(more);
                    ends.extend(after);
                }
            }
            (steps, ends)
        }
        T::Select(branches) => {
            let all = branches.iter().map(|branch| moves(branch, n, dummies));
            all.fold((vec![], BTreeSet::new()), |(mut steps, mut ends), (more, others)| {
                steps.extend(more);
                ends.extend(others);
                (steps, ends)
            })
        }
        T::Hide(gate, inner) => {
            let (steps, ends) = map(moves(inner, n, dummies), &|t| T::Hide(*gate, Box::new(t)));
            let hidden = |label: String| if label.starts_with(*gate) { "i".to_owned() } else { label };
            (steps.into_iter().map(|(l, w, t, n)| (hidden(l), w, t, n)).collect(), ends)
        }
        T::Disrupt(first, second) => {
            let (mut steps, mut ends) =
                map(moves(first, n, dummies), &|t| T::Disrupt(Box::new(t), second.clone()));
            let (more, others) = moves(second, n, dummies);
            steps.extend(more);
            ends.extend(others);
            (steps, ends)
        }
        T::Loop(turn, body) => {
            let now = turn.as_ref().unwrap_or(body);
            let (mut steps, inner) =
                map(moves(now, n, dummies), &|t| T::Loop(Some(Box::new(t)), body.clone()));
            let mut ends = BTreeSet::new();
            for (leaves, n) in inner {
                if leaves {
                    ends.insert((false, n));
                } else {
                    // A turn begins with an action, so it cannot end at once.
                    steps.extend(moves(&T::Loop(None, body.clone()), n, dummies).0);
                }
            }
            (steps, ends)
        }
        T::Par(gates, branches) => {
            let each: Vec<_> = branches.iter().map(|branch| moves(branch, n, dummies)).collect();
            let meets =
                |label: &str| !label.starts_with("DUMMY") && gates.iter().any(|g| label.starts_with(*g));
            let mut steps = Vec::new();
            for (at, (own, _)) in each.iter().enumerate() {
                for (label, who, t, n) in own.iter().filter(|(label, ..)| !meets(label)) {
                    let mut after = branches.clone();
                    after[at] = t.clone();
                    steps.push((label.clone(), who.clone(), T::Par(gates.clone(), after), *n));
                }
            }
            let labels: BTreeSet<&String> =
                each.iter().flat_map(|(own, _)| own.iter().map(|s| &s.0)).filter(|l| meets(l)).collect();
            for label in labels {
                let mut rows: Vec<(Vec<u32>, Vec<T>)> = vec![(vec![], vec![])];
                for (own, _) in &each {
                    let mut longer = Vec::new();
                    for (who, ts) in &rows {
                        for (_, other, t, _) in own.iter().filter(|s| s.0 == *label) {
                            let who = who.iter().chain(other).copied().collect();
                            longer.push((who, ts.iter().cloned().chain([t.clone()]).collect()));
                        }
                    }
                    rows = longer;
                }
                steps.extend(
                    rows.into_iter().map(|(who, ts)| (label.clone(), who, T::Par(gates.clone(), ts), n)),
                );
            }
            let ends = each.iter().all(|(_, ends)| ends.contains(&(false, n)));
            (steps, ends.then_some((false, n)).into_iter().collect())
        }
    }
}

/// For each state its steps: label, actions that take part, and the state after it.
pub type Rows = Vec<Vec<(String, Vec<u32>, usize)>>;

/// Everything that can be reached, with `exit` where it can end; `None` if these are more states than so many.
pub fn explore(t: &T, dummies: &BTreeSet<u32>, most: usize) -> Option<Rows> {
    let mut numbers: BTreeMap<(T, u8), usize> = BTreeMap::from([((t.clone(), 0), 0)]);
    let mut states = vec![(t.clone(), 0)];
    let mut rows = Vec::new();
    while rows.len() < states.len() {
        let (t, n) = states[rows.len()].clone();
        let (steps, ends) = moves(&t, n, dummies);
        let ending = (!ends.is_empty()).then(|| ("exit".to_owned(), vec![], T::Stop, 0));
        let mut row = Vec::new();
        for (label, who, t, n) in steps.into_iter().chain(ending) {
            let next = states.len();
            let number = *numbers.entry((t.clone(), n)).or_insert(next);
            if number == next {
                states.push((t, n));
            }
            row.push((label, who, number));
        }
        rows.push(row);
        if states.len() > most {
            return None;
        }
    }
    Some(rows)
}

/// The behaviour as a text, actions numbered anew.
pub fn text(t: &mut T) -> String {
    let mut body = String::new();
    write(t, &mut body, &mut 0, &mut 0);
    format!(
        "module RANDOM is
!nat_sup 2
function after (n: nat) : nat is
  case n in 0 -> return 1 | 1 -> return 2 | any -> return 0 end case
end function
process MAIN [A, B, C: any] is
var N: nat in N := 0;
{body}
end var
end process
end module
"
    )
}

fn write(t: &mut T, out: &mut String, id: &mut u32, variables: &mut u32) {
    let mut fresh = |own: &mut u32| {
        *own = *id;
        *id += 1;
    };
    match t {
        T::Null => out.push_str("null"),
        T::Stop => out.push_str("stop"),
        T::Break => out.push_str("break"),
        T::Next => out.push_str("N := after (N)"),
        T::Act(gate, own) => {
            fresh(own);
            let _ = write!(out, "{gate}");
        }
        T::Send(gate, value, own) => {
            fresh(own);
            let _ = write!(out, "{gate} (!{value} of nat)");
        }
        T::Show(gate, own) => {
            fresh(own);
            let _ = write!(out, "{gate} (N)");
        }
        T::Ask(gate, own) => {
            fresh(own);
            let _ = write!(out, "{gate} (?N)");
        }
        T::Relay(from, to, a, b) => {
            fresh(a);
            fresh(b);
            *variables += 1;
            let _ =
                write!(out, "var X{variables}: nat in {from} (?X{variables}); {to} (X{variables}) end var");
        }
        T::If(value, yes, no) => {
            let _ = writeln!(out, "if N == {value} then");
            write(yes, out, id, variables);
            out.push_str("\nelse\n");
            write(no, out, id, variables);
            out.push_str("\nend if");
        }
        T::Seq(first, second) => {
            write(first, out, id, variables);
            out.push_str(";\n");
            write(second, out, id, variables);
        }
        T::Select(branches) => several(branches, "select", "[]", out, id, variables),
        T::Par(gates, branches) => {
            let gates: Vec<String> = gates.iter().map(char::to_string).collect();
            let head =
                if gates.is_empty() { "par".to_owned() } else { format!("par {} in", gates.join(", ")) };
            several(branches, &head, "||", out, id, variables);
        }
        T::Hide(gate, inner) => {
            let _ = writeln!(out, "hide {gate}: any in");
            write(inner, out, id, variables);
            out.push_str("\nend hide");
        }
        T::Disrupt(first, second) => {
            out.push_str("disrupt\n");
            write(first, out, id, variables);
            out.push_str("\nby\n");
            write(second, out, id, variables);
            out.push_str("\nend disrupt");
        }
        T::Loop(_, body) => {
            out.push_str("loop\n");
            write(body, out, id, variables);
            out.push_str("\nend loop");
        }
    }
}

fn several(branches: &mut [T], head: &str, sign: &str, out: &mut String, id: &mut u32, variables: &mut u32) {
    let _ = writeln!(out, "{head}");
    for (at, branch) in branches.iter_mut().enumerate() {
        if at > 0 {
            let _ = writeln!(out, "\n{sign}");
        }
        write(branch, out, id, variables);
    }
    let word = head.split(' ').next().unwrap_or_default();
    let _ = write!(out, "\nend {word}");
}

fn gate() -> impl Strategy<Value = char> {
    prop::sample::select(vec!['A', 'B', 'C'])
}

/// Behaviours; `data` says whether there are values, `loops` whether there are loops.
pub fn behaviours(data: bool, loops: bool) -> BoxedStrategy<T> {
    let plain = prop_oneof![8 => gate().prop_map(|g| T::Act(g, 0)), 1 => Just(T::Null), 1 => Just(T::Stop)];
    let in_branch = match data {
        true => prop_oneof![
            4 => plain.clone(),
            1 => (gate(), gate()).prop_map(|(a, b)| T::Relay(a, b, 0, 0)),
            1 => (gate(), 0..VALUES).prop_map(|(g, v)| T::Send(g, v, 0)),
        ]
        .boxed(),
        false => plain.boxed(),
    };
    let inside = compose(in_branch.clone(), loops).boxed();
    let leaf = match data {
        true => prop_oneof![
            2 => in_branch,
            1 => gate().prop_map(|g| T::Show(g, 0)),
            1 => gate().prop_map(|g| T::Ask(g, 0)),
            1 => Just(T::Next),
        ]
        .boxed(),
        false => in_branch,
    };
    let gates = prop::collection::btree_set(gate(), 0..3).prop_map(|s| s.into_iter().collect::<Vec<_>>());
    let par = (gates, prop::collection::vec(inside, 2..4)).prop_map(|(g, b)| T::Par(g, b));
    let leaf = prop_oneof![3 => leaf, 1 => par];
    let whole = compose(leaf, loops);
    match data {
        true => {
            let choice = (0..VALUES, whole.clone(), whole.clone());
            let choice = choice.prop_map(|(v, a, b)| T::If(v, Box::new(a), Box::new(b)));
            let both = |(a, b)| T::Seq(Box::new(a), Box::new(b));
            prop_oneof![whole.clone(), (whole, choice).prop_map(both)].boxed()
        }
        false => whole.boxed(),
    }
}

fn compose(
    leaf: impl Strategy<Value = T> + Clone + 'static,
    loops: bool,
) -> impl Strategy<Value = T> + Clone {
    leaf.prop_recursive(4, 14, 3, move |inner| {
        let two = (inner.clone(), inner.clone());
        let gates = prop::collection::btree_set(gate(), 0..3).prop_map(|s| s.into_iter().collect::<Vec<_>>());
        // Branches of a parallel composition have no common variables: only what has none comes here.
        let closed = inner.clone().prop_filter("no variables", |t| !uses_variable(t));
        let turn = (gate(), inner.clone(), any::<bool>()).prop_map(|(g, t, leave)| {
            let act = Box::new(T::Act(g, 0));
            let rest = if leave { T::Select(vec![t, T::Break]) } else { t };
            T::Loop(None, Box::new(T::Seq(act, Box::new(rest))))
        });
        let both = two.clone().prop_map(|(a, b)| T::Seq(Box::new(a), Box::new(b)));
        prop_oneof![
            4 => both,
            3 => prop::collection::vec(inner.clone(), 2..4).prop_map(T::Select),
            3 => (gates, prop::collection::vec(closed, 2..3)).prop_map(|(g, b)| T::Par(g, b)),
            1 => (gate(), inner).prop_map(|(g, t)| T::Hide(g, Box::new(t))),
            1 => two.prop_filter("no variables", |(a, _)| !uses_variable(a))
                .prop_map(|(a, b)| T::Disrupt(Box::new(a), Box::new(b))),
            if loops { 2 } else { 0 } => turn,
        ]
    })
}

fn uses_variable(t: &T) -> bool {
    match t {
        T::Show(..) | T::Ask(..) | T::Next | T::If(..) => true,
        T::Seq(a, b) | T::Disrupt(a, b) => uses_variable(a) || uses_variable(b),
        T::Select(all) | T::Par(_, all) => all.iter().any(uses_variable),
        T::Hide(_, inner) | T::Loop(_, inner) => uses_variable(inner),
        _ => false,
    }
}
