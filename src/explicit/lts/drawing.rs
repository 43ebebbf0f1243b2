//! The tagged system as a graph for Graphviz, in CLEAR's colours: correct transitions green, incorrect ones red and
//! dashed, neutral ones black and dotted; faulty states are filled, with a colour for each kind.

use super::dot::quoted;
use super::inevitable::{self, NeighbourhoodEntry};
use super::labels::{LabelId, Labels};
use super::safety::{self, Tag, TaggedStep, faulty_kind};
use crate::lts::graph::StateId;
use kit::budget::{Budget, Clock, Exhausted};
use kit::diagnostics::escaped;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, VecDeque};
use std::io::{self, Write};

/// Graphs with more nodes than this are unreadable.
pub const READABLE: usize = 1000;

/// The target of a transition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ArrowEnd {
    /// Another node, by its index.
    Node(usize),
    /// The sink where a violation is no longer possible.
    Right,
    /// The sink where a violation is unavoidable.
    Wrong,
}

/// A transition of the graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Arrow<E = ArrowEnd> {
    /// The label.
    pub label: LabelId,
    /// The target.
    pub end: E,
    /// The tag.
    pub tag: Tag,
}

/// A node of the graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DrawnNode {
    /// The state of the system.
    pub state: StateId,
    /// The text inside the node.
    pub name: String,
    /// The kind of faulty state by the tags that leave it, 0 to 3: correct and neutral, incorrect and neutral, correct
    /// and incorrect, all three.
    pub kind: Option<usize>,
    /// True if the node is drawn with the thick border of a neighbourhood.
    pub neighbourhood: bool,
    /// The transitions that leave it.
    pub out: Vec<Arrow>,
}

/// A place of a tagged system as it is drawn: its transitions still lead to places.
struct DrawnPlace {
    state: StateId,
    name: String,
    kind: Option<usize>,
    neighbourhood: bool,
    out: Vec<Arrow<Result<usize, ArrowEnd>>>,
}

/// A tagged system; the first node is the initial state. The states where the violation is unavoidable, and those where
/// it is impossible, are merged into one sink each.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Drawing {
    /// The nodes.
    pub nodes: Vec<DrawnNode>,
}

/// A part of a drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DrawnNeighbourhood {
    /// The state of the system in the middle.
    pub state: StateId,
    /// The maximum distance of other nodes, in transitions of either direction.
    pub radius: usize,
}

impl Drawing {
    /// The counterexample LTS of a safety property and its border.
    ///
    /// # Errors
    /// If the budget is exhausted.
    pub fn of_safety(analysis: &safety::SafetyAnalysis<'_>, budget: &Budget) -> Result<Self, Exhausted> {
        let product = &analysis.product;
        let several = product.automaton.states() > 2;
        let start = product.initial();
        if analysis.holds() {
            let initial = product.lts.initial();
            return Ok(Self::only(initial, product.lts.out(initial), Tag::Correct));
        }
        Self::spread(start.index(), budget, |place| {
            let position = safety::ProductPosition::new(place);
            let (state, phase) = product.parts(position);
            let out = analysis.tagged(position).map(|TaggedStep { label, end: to, tag }| {
                let end = match tag {
                    Tag::Correct => Err(ArrowEnd::Right),
                    _ if product.is_bad(to) => Err(ArrowEnd::Wrong),
                    _ => Ok(to.index()),
                };
                Arrow { label, end, tag }
            });
            let name = if several { format!("{state}\n{phase}") } else { state.to_string() };
            let kind = faulty_kind(analysis.tags(position));
            let neighbourhood = analysis.is_neighbourhood(position);
            DrawnPlace { state, name, kind, neighbourhood, out: out.collect() }
        })
    }

    /// A system with the tags of its transitions for a sequence of actions.
    ///
    /// # Errors
    /// If the budget is exhausted.
    pub fn of_inevitable(
        analysis: &inevitable::InevitabilityAnalysis<'_>,
        entered: NeighbourhoodEntry,
        budget: &Budget,
    ) -> Result<Self, Exhausted> {
        let lts = analysis.lts;
        if analysis.start_tag() != Tag::Neutral {
            return Ok(Self::only(lts.initial(), lts.out(lts.initial()), analysis.start_tag()));
        }
        // A state whose incoming and outgoing transitions all have the same tag is not drawn.
        let settled = |state: StateId, tag: Tag| {
            state != lts.initial() && analysis.incoming(state).all(|incoming| incoming.tag == tag)
        };
        Self::spread(lts.initial().index(), budget, |at| {
            let state = StateId::new(at);
            let out = analysis.tagged(state).map(|TaggedStep { label, end: to, tag }| {
                let end = match tag {
                    Tag::Correct if settled(to, tag) => Err(ArrowEnd::Right),
                    Tag::Incorrect if settled(to, tag) => Err(ArrowEnd::Wrong),
                    _ => Ok(to.index()),
                };
                Arrow { label, end, tag }
            });
            let neighbourhood = analysis.neighbourhood(state, entered).is_some();
            let kind = faulty_kind(analysis.tags(state));
            DrawnPlace { state, name: state.to_string(), kind, neighbourhood, out: out.collect() }
        })
    }

    /// A single state, because there is no choice anywhere.
    fn only(state: StateId, out: impl Iterator<Item = (LabelId, StateId)>, tag: Tag) -> Self {
        let end = if tag == Tag::Correct { ArrowEnd::Right } else { ArrowEnd::Wrong };
        let mut out: Vec<Arrow> = out.map(|(label, _)| Arrow { label, end, tag }).collect();
        out.dedup();
        Self {
            nodes: vec![DrawnNode { state, name: state.to_string(), kind: None, neighbourhood: false, out }],
        }
    }

    /// The reachable nodes in breadth-first order.
    fn spread(start: usize, budget: &Budget, look: impl Fn(usize) -> DrawnPlace) -> Result<Self, Exhausted> {
        let mut clock = Clock::new(budget, "nodes of the graph found");
        let mut places = vec![start];
        let mut numbers = FxHashMap::from_iter([(start, 0)]);
        let mut nodes = Vec::new();
        while nodes.len() < places.len() {
            clock.tick()?;
            clock.room_in(&numbers)?;
            let DrawnPlace { state, name, kind, neighbourhood, out } = look(places[nodes.len()]);
            let out = out.into_iter().map(|Arrow { label, end, tag }| {
                let end = end.map_or_else(
                    |end| end,
                    |place| {
                        ArrowEnd::Node(*numbers.entry(place).or_insert_with(|| {
                            places.push(place);
                            places.len() - 1
                        }))
                    },
                );
                Arrow { label, end, tag }
            });
            let mut out: Vec<Arrow> = out.collect();
            out.sort_unstable();
            out.dedup();
            nodes.push(DrawnNode { state, name, kind, neighbourhood, out });
        }
        Ok(Self { nodes })
    }

    /// The nodes within the radius; `None` if the graph does not contain the state.
    pub fn around(&self, around: DrawnNeighbourhood) -> Option<Vec<usize>> {
        let mut near: Vec<Vec<usize>> = vec![Vec::new(); self.nodes.len()];
        for (from, node) in self.nodes.iter().enumerate() {
            for &Arrow { end, .. } in &node.out {
                if let ArrowEnd::Node(to) = end {
                    near[from].push(to);
                    near[to].push(from);
                }
            }
        }
        let mut far = vec![usize::MAX; self.nodes.len()];
        let middle = (0..self.nodes.len()).filter(|&n| self.nodes[n].state == around.state);
        let mut queue: VecDeque<usize> = middle.collect();
        queue.iter().for_each(|&node| far[node] = 0);
        while let Some(node) = queue.pop_front() {
            let own = far[node];
            if own == around.radius {
                continue;
            }
            for &next in &near[node] {
                if far[next] == usize::MAX {
                    far[next] = own + 1;
                    queue.push_back(next);
                }
            }
        }
        let within: Vec<usize> = (0..self.nodes.len()).filter(|&node| far[node] != usize::MAX).collect();
        (!within.is_empty()).then_some(within)
    }

    /// Writes a part of the graph; transitions to other nodes end in a point, those from other nodes are omitted.
    pub fn write(&self, shown: &[usize], labels: &Labels, out: &mut dyn Write) -> io::Result<()> {
        let is_shown = |node: usize| shown.binary_search(&node).is_ok();
        writeln!(out, "digraph tagged {{\n  rankdir=LR;")?;
        writeln!(out, "  node [shape=circle, fontname=\"sans-serif\", fontsize=10];")?;
        writeln!(out, "  edge [fontname=\"sans-serif\", fontsize=9];")?;
        for &at in shown {
            let node = &self.nodes[at];
            let fill = node.kind.map_or(String::new(), |kind| {
                format!(
                    ", style=filled, fillcolor=\"{}\"",
                    ["#c7e9c0", "#fdd0a2", "#c6dbef", "#dadaeb"][kind]
                )
            });
            let shape = if at == 0 { ", shape=doublecircle" } else { "" };
            let pen = if node.neighbourhood { ", penwidth=3" } else { "" };
            writeln!(out, "  n{at} [label={}{shape}{pen}{fill}];", quoted(&node.name))?;
        }
        let visible = || shown.iter().flat_map(|&at| &self.nodes[at].out);
        for (end, text) in [
            (
                ArrowEnd::Right,
                "right [label=\"\", shape=square, width=0.3, style=filled, fillcolor=\"#238b45\"",
            ),
            (
                ArrowEnd::Wrong,
                "wrong [label=\"\", shape=square, width=0.3, style=filled, fillcolor=\"#cb181d\"",
            ),
        ] {
            if visible().any(|arrow| arrow.end == end) {
                writeln!(out, "  {text}];")?;
            }
        }
        // The ends of transitions to nodes that are not shown.
        for &at in shown {
            let is_cut = |end: ArrowEnd| matches!(end, ArrowEnd::Node(to) if !is_shown(to));
            if self.nodes[at].out.iter().any(|arrow| is_cut(arrow.end)) {
                writeln!(out, "  cut{at} [shape=point, color=grey];")?;
            }
        }
        for &at in shown {
            // Transitions to the same node with the same tag are one arrow with several labels.
            let mut arrows: BTreeMap<(String, Tag), Vec<LabelId>> = BTreeMap::new();
            for &Arrow { label, end, tag } in &self.nodes[at].out {
                let target = match end {
                    ArrowEnd::Node(to) if is_shown(to) => format!("n{to}"),
                    ArrowEnd::Node(_) => format!("cut{at}"),
                    ArrowEnd::Right => "right".to_owned(),
                    ArrowEnd::Wrong => "wrong".to_owned(),
                };
                arrows.entry((target, tag)).or_default().push(label);
            }
            for ((target, tag), mut numbers) in arrows {
                numbers.sort_unstable();
                numbers.dedup();
                let label = quoted(&several(&numbers, labels));
                writeln!(out, "  n{at} -> {target} [label={label}, {}];", style(tag))?;
            }
        }
        writeln!(out, "}}")
    }
}

fn style(tag: Tag) -> &'static str {
    match tag {
        Tag::Correct => "color=\"#238b45\", fontcolor=\"#238b45\"",
        Tag::Incorrect => "color=\"#cb181d\", fontcolor=\"#cb181d\", style=dashed",
        Tag::Neutral => "style=dotted",
    }
}

/// The first labels, one a line, long ones cut.
fn several(numbers: &[LabelId], labels: &Labels) -> String {
    const LONGEST: usize = 40;
    const MOST: usize = 6;
    let cut = |number: LabelId| {
        let text = labels.text(number);
        let end = text.char_indices().nth(LONGEST).map_or(text.len(), |(at, _)| at);
        let mut shown = escaped(&text[..end]).into_owned();
        if end < text.len() {
            shown.push('…');
        }
        shown
    };
    let mut lines: Vec<String> = numbers.iter().take(MOST).map(|&n| cut(n)).collect();
    if numbers.len() > MOST {
        lines.push(format!("and {} more", numbers.len() - MOST));
    }
    lines.join("\n")
}
