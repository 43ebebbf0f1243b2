//! Random models of nodes in a ring or a row, as texts: for differential tests of symmetries that move all values of a type.

#![allow(dead_code)]

use super::random::Random;
use cladist::model::{Model, load_text};
use std::io::ErrorKind;

/// The text of the model of a seed: three or four nodes, numbers or names, each with a neighbour to one side, in a ring, and in some
/// models with one to the other side; or in a row. In some of them a node is singled out. Neighbours are written out, or given by a
/// definition.
pub fn ring_text(seed: u64) -> String {
    let mut rng = Random::new(seed ^ 0x1265);
    let numbers = rng.percent(70);
    let all: &[&str] = if numbers { &["1", "2", "3", "4"] } else { &["Ada", "Bea", "Cia", "Dea"] };
    let nodes = &all[..3 + rng.below(2)];
    let ty = if numbers { format!("1..{}", nodes.len()) } else { format!("enum {{ {} }}", nodes.join(", ")) };
    let row = rng.percent(30);
    let steps = nodes.len() - usize::from(row);
    // Whether b is beside a.
    let mut sides = vec![("a", "b")];
    if row || rng.percent(40) {
        sides.push(("b", "a"));
    }
    let beside: Vec<String> = (0..steps)
        .flat_map(|n| {
            let (from, to) = (nodes[n], nodes[(n + 1) % nodes.len()]);
            sides.iter().map(move |(a, b)| format!("{a} = {from} and {b} = {to}"))
        })
        .collect();
    let beside = beside.join(" or ");
    // Most definitions lead around the ring; some change the places of two nodes, and leave the others where they are.
    let defined = !row && rng.percent(40);
    let swapped = defined && rng.percent(40);
    let to = |n: usize| match n {
        0 | 1 if swapped => 1 - n,
        _ if swapped => n,
        _ => (n + 1) % nodes.len(),
    };
    let next = |of: &str| {
        let last = nodes.len() - 1;
        let steps = (0..last).map(|n| format!("if {of} = {} then {} else ", nodes[n], nodes[to(n)]));
        steps.chain([nodes[to(last)].to_owned()]).collect::<String>()
    };
    let after = if defined { format!("def after(a: Node): Node = {};", next("a")) } else { String::new() };
    let next = if defined { "after(n)".to_owned() } else { next("n") };
    let (actions, harm) = actions(&mut rng, nodes, (!row).then_some(&next));
    let mut words = vec![
        "eq(on)",
        "eq(lit)",
        "eq(token)",
        "eq(act0.n)",
        "eq(act1.n)",
        "eq(action)",
        "absent(act0.n)",
        "before",
    ];
    words.remove(rng.below(words.len()));
    words.remove(rng.below(words.len()));
    let start = if rng.percent(50) { "token in Node" } else { "forall a in Node: lit[a] = (token = a)" };
    format!(
        "model nodes;
         type Node = {ty};
         var on : set of Node;
         var lit : map Node to bool;
         var token : Node;
         {after}
         def beside(a: Node, b: Node): bool = {beside};
         init {{ on = {{}}; {start}; forall a in Node: lit[a] => token = a; }}
         {actions}
         invariant safe: not ({harm});
         vocabulary v = {{ {} }};",
        words.join(", ")
    )
}

/// Two or three actions, and what they must not lead to.
fn actions(rng: &mut Random, nodes: &[&str], next: Option<&String>) -> (String, String) {
    let special = nodes[rng.below(nodes.len())];
    let mut guards = vec![
        "n not in on".to_owned(),
        "n in on".to_owned(),
        "token != n".to_owned(),
        "token = n".to_owned(),
        "lit[n]".to_owned(),
        "exists b in Node: beside(n, b) and b in on".to_owned(),
        "forall b in Node: beside(n, b) => not lit[b]".to_owned(),
    ];
    let mut updates = vec![
        "on' = on union {n};".to_owned(),
        "on' = on minus {n};".to_owned(),
        "lit'[n] = true;".to_owned(),
        "lit'[n] = not lit[n];".to_owned(),
        "token' = n;".to_owned(),
    ];
    if let Some(next) = next {
        updates.extend([format!("token' = {next};"), format!("lit'[{next}] = true;")]);
    }
    let mut harms = vec![
        "exists a in Node: exists b in Node: beside(a, b) and a in on and b in on".to_owned(),
        "exists a in Node: exists b in Node: beside(a, b) and lit[a] and token = b".to_owned(),
        "exists a in Node: exists b in Node: beside(a, b) and lit[a] and not lit[b] and a in on".to_owned(),
        "exists a in Node: exists b in Node: a != b and lit[a] and lit[b]".to_owned(),
    ];
    if rng.percent(25) {
        guards.push(format!("n != {special}"));
        updates.push(format!("token' = {special};"));
        harms.push(format!("{special} in on"));
    }
    let target = |update: &String| update.split(['\'', '[']).next().unwrap_or_default().to_owned();
    let mut actions = String::new();
    for index in 0..2 + rng.below(2) {
        let guard = rng.pick(&guards).clone();
        let mut chosen: Vec<String> = Vec::new();
        for _ in 0..1 + rng.below(2) {
            let update = rng.pick(&updates).clone();
            if chosen.iter().all(|other| target(other) != target(&update)) {
                chosen.push(update);
            }
        }
        let guard = if rng.percent(50) { format!("require {guard};") } else { String::new() };
        actions += &format!("action act{index}(n: Node) {{ {guard} {} }}\n", chosen.join(" "));
    }
    (actions, rng.pick(&harms).clone())
}

/// The model of a seed.
pub fn ring_model(seed: u64) -> Model {
    let text = ring_text(seed);
    let loaded = load_text("nodes.sts", &text, &[], &|_| Err(ErrorKind::NotFound.into()));
    loaded.model.unwrap_or_else(|| panic!("{:?} in\n{text}", loaded.diagnostics))
}
