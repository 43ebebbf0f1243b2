//! The counterexample LTS, and the tagged one, as files.

use super::analysis::{Analysis, Tag};
use super::counts::faulty_kind;
use super::product::Position;
use crate::lts::aut::write_label;
use rustc_hash::FxHashMap;
use std::io::{self, Write};

/// The positions of the counterexample LTS in the order in which a breadth-first search finds them.
fn order(analysis: &Analysis<'_>) -> (Vec<Position>, FxHashMap<Position, usize>) {
    let initial = analysis.product.initial();
    let mut order = Vec::new();
    let mut numbers = FxHashMap::default();
    if !analysis.holds() {
        order.push(initial);
        numbers.insert(initial, 0);
    }
    let mut at = 0;
    while at < order.len() {
        for (_, after) in analysis.product.after(order[at]).filter(|&(_, p)| analysis.is_violable(p)) {
            numbers.entry(after).or_insert_with(|| {
                order.push(after);
                order.len() - 1
            });
        }
        at += 1;
    }
    (order, numbers)
}

/// Writes the counterexample LTS as AUT: every trace that can still become a violation. If the property holds, it
/// is one state without transitions.
pub fn write_counterexamples(analysis: &Analysis<'_>, out: &mut dyn Write) -> io::Result<()> {
    let (order, numbers) = order(analysis);
    let steps = |position| analysis.product.after(position).filter(|&(_, p)| analysis.is_violable(p));
    let transitions: usize = order.iter().map(|&p| steps(p).count()).sum();
    writeln!(out, "des (0, {transitions}, {})", order.len().max(1))?;
    for (number, &position) in order.iter().enumerate() {
        for (label, after) in steps(position) {
            write!(out, "({number}, ")?;
            write_label(analysis.product.lts.labels().get(label), out)?;
            writeln!(out, ", {})", numbers[&after])?;
        }
    }
    Ok(())
}

/// Writes the tagged system in the format of CLEAR's viewer: `(12:N:GR, "exit":GREEN, -1)`. Transitions are green
/// (correct), red (incorrect) or black (neutral). A faulty state is marked `N` with its kind: `G` for correct and
/// neutral, `R` for incorrect and neutral, `GR` for correct and incorrect, `GRB` for all three. What is correct for
/// good is the state -1.
pub fn write_autx(analysis: &Analysis<'_>, out: &mut dyn Write) -> io::Result<()> {
    let (order, numbers) = order(analysis);
    let transitions: usize = order.iter().map(|&p| analysis.tagged(p).count()).sum();
    let sink = order.iter().any(|&p| analysis.is_neighbourhood(p)) || order.is_empty();
    writeln!(out, "des (0, {transitions}, {})", order.len() + usize::from(sink))?;
    for (number, &position) in order.iter().enumerate() {
        let mark =
            faulty_kind(analysis.tags(position)).map_or("", |kind| [":N:G", ":N:R", ":N:GR", ":N:GRB"][kind]);
        for (label, after, tag) in analysis.tagged(position) {
            write!(out, "({number}{mark}, \"")?;
            out.write_all(analysis.product.lts.labels().get(label))?;
            let colour = match tag {
                Tag::Correct => "GREEN",
                Tag::Incorrect => "RED",
                Tag::Neutral => "BLACK",
            };
            match numbers.get(&after) {
                Some(target) => writeln!(out, "\":{colour}, {target})")?,
                None => writeln!(out, "\":{colour}, -1)")?,
            }
        }
    }
    Ok(())
}
