//! The counterexample LTS, and the tagged one, as files.

use super::analysis::{SafetyAnalysis, Tag, TaggedStep};
use super::neighbourhood::faulty_kind;
use super::product::ProductPosition;
use crate::lts::aut::write_label;
use kit::budget::{Budget, Clock, Exhausted};
use rustc_hash::FxHashMap;
use std::io::{self, Write};

/// The counterexample LTS with its positions in the order in which a breadth-first search finds them.
#[derive(Debug)]
pub struct CounterexampleLts<'a> {
    analysis: &'a SafetyAnalysis<'a>,
    order: Vec<ProductPosition>,
    /// The place of each position in `order`.
    numbers: FxHashMap<ProductPosition, usize>,
    /// Transitions between its positions.
    inner: usize,
    /// Transitions that leave its positions.
    all: usize,
}

impl<'a> CounterexampleLts<'a> {
    /// Orders the positions. If the property holds, there are none.
    ///
    /// # Errors
    /// If the budget is exhausted.
    pub fn new(analysis: &'a SafetyAnalysis<'a>, budget: &Budget) -> Result<Self, Exhausted> {
        let mut clock = Clock::new(budget, "positions put in order");
        let mut found = Self { analysis, order: Vec::new(), numbers: FxHashMap::default(), inner: 0, all: 0 };
        if !analysis.holds() {
            found.order.push(analysis.product.initial());
            found.numbers.insert(analysis.product.initial(), 0);
        }
        let mut at = 0;
        while at < found.order.len() {
            for (_, after) in analysis.product.after(found.order[at]) {
                clock.tick()?;
                found.all += 1;
                if !analysis.is_violable(after) {
                    continue;
                }
                found.inner += 1;
                clock.room_in(&found.numbers)?;
                found.numbers.entry(after).or_insert_with(|| {
                    found.order.push(after);
                    found.order.len() - 1
                });
            }
            at += 1;
        }
        Ok(found)
    }

    /// Writes it as AUT: every trace that can still become a violation. If the property holds, it is one state without
    /// transitions.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write_aut(&self, out: &mut dyn Write) -> io::Result<()> {
        let product = &self.analysis.product;
        writeln!(out, "des (0, {}, {})", self.inner, self.order.len().max(1))?;
        for (number, &position) in self.order.iter().enumerate() {
            for (label, after) in product.after(position) {
                let Some(target) = self.numbers.get(&after) else { continue };
                write!(out, "({number}, ")?;
                write_label(product.lts.labels().get(label), out)?;
                writeln!(out, ", {target})")?;
            }
        }
        Ok(())
    }

    /// Writes the tagged system in the format of CLEAR's viewer: `(12:N:GR, "exit":GREEN, -1)`. Transitions are green
    /// (correct), red (incorrect) or black (neutral). A faulty state is marked `N` with its kind: `G` for correct and
    /// neutral, `R` for incorrect and neutral, `GR` for correct and incorrect, `GRB` for all three. After a correct
    /// transition comes the state -1.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write_autx(&self, out: &mut dyn Write) -> io::Result<()> {
        let analysis = self.analysis;
        let sink = self.inner < self.all || self.order.is_empty();
        writeln!(out, "des (0, {}, {})", self.all, self.order.len() + usize::from(sink))?;
        for (number, &position) in self.order.iter().enumerate() {
            let kind = faulty_kind(analysis.tags(position));
            let mark = kind.map_or("", |kind| [":N:G", ":N:R", ":N:GR", ":N:GRB"][kind]);
            for TaggedStep { label, end: after, tag } in analysis.tagged(position) {
                write!(out, "({number}{mark}, \"")?;
                out.write_all(analysis.product.lts.labels().get(label))?;
                let colour = match tag {
                    Tag::Correct => "GREEN",
                    Tag::Incorrect => "RED",
                    Tag::Neutral => "BLACK",
                };
                match self.numbers.get(&after) {
                    Some(target) => writeln!(out, "\":{colour}, {target})")?,
                    None => writeln!(out, "\":{colour}, -1)")?,
                }
            }
        }
        Ok(())
    }
}
