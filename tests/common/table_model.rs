//! Random models in which tables say which agent may do what to which item, and when that harms, as texts: for differential tests of
//! individuals of several types, of which some can be free only where others are not.
#![allow(dead_code)]

use super::random::Random;
use cladist::model::{Model, load_text};
use itertools::Itertools;
use std::io::ErrorKind;

/// A formula that is true of some items and agents, each with this probability in per cent.
fn table(rng: &mut Random, items: &[&str], agents: &[&str], percent: usize) -> String {
    let cells: Vec<String> = items
        .iter()
        .cartesian_product(agents)
        .filter(|_| rng.percent(percent))
        .map(|(item, agent)| format!("i = {item} and a = {agent}"))
        .collect();
    if cells.is_empty() { "false".to_owned() } else { cells.join(" or ") }
}

/// The text of the model of a seed: two items of an enumeration or three of a range, two or three agents. One step warms a room, one moves
/// a clock; an agent does something to an item, which may need the clock, and may harm where the first room is warm, or in any case.
pub fn table_text(seed: u64) -> String {
    let mut rng = Random::new(seed ^ 0x7ab1e);
    let (ty, items) = [("enum { I1, I2 }", &["I1", "I2"][..]), ("1..3", &["1", "2", "3"][..])]
        [usize::from(seed.is_multiple_of(2))];
    let agents = &["Alice", "Bob", "Eve"][..if rng.percent(70) { 3 } else { 2 }];
    let impossible = table(&mut rng, items, agents, 20);
    let later = table(&mut rng, items, agents, 30);
    let share = [40, 60, 80][rng.below(3)];
    let harmful = table(&mut rng, items, agents, share);
    let when_warm = if rng.percent(60) { "warm[1] and " } else { "" };
    let this_room = if rng.percent(40) { "require r = 1;" } else { "" };
    let noted = if rng.percent(50) { "who' = a;" } else { "" };
    let mut words = vec!["warm", "act.i", "act.a", "used", "who"];
    words.remove(rng.below(words.len()));
    format!(
        "model tables;
         type Item = {ty};
         type Room = 1..2;
         type Agent = enum {{ {} }};
         var warm : map Room to bool;
         var used : map Item to bool;
         var clock : bool;
         var who : option Agent;
         var bad : bool;
         init {{ forall r in Room: not warm[r]; forall i in Item: not used[i]; not clock; who = none; not bad; }}
         action heat(r: Room) {{ {this_room} warm'[r] = true; }}
         action wait {{ clock' = true; }}
         action act(i: Item, a: Agent) {{
           require not ({impossible});
           require ({later}) => clock;
           bad' = {when_warm}({harmful});
           used'[i] = true;
           {noted}
         }}
         invariant safe: not bad;
         vocabulary v = {{ eq({}), before }};",
        agents.join(", "),
        words.join(", ")
    )
}

/// The model of a seed.
pub fn table_model(seed: u64) -> Model {
    let text = table_text(seed);
    let loaded = load_text("tables.sts", &text, &[], &|_| Err(ErrorKind::NotFound.into()));
    loaded.model.unwrap_or_else(|| panic!("{:?} in\n{text}", loaded.diagnostics))
}
