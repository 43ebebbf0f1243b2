//! Reading graphs in the DOT language as systems.
//!
//! Nodes are states and edges transitions, whose labels are theirs. The initial state is the node to which an edge without a label leads
//! from a node that is not drawn as a state (a point, plain text, or invisible); otherwise the one with a double border, as
//! [`write`](super::write) draws it; otherwise the first one.

use super::token::{DotToken, DotTokenKind, DotTokens};
use crate::lts::aut::{AutFault, LineConsumer, Mistakes, ReadError, pass};
use crate::lts::graph::{Lts, LtsBuilder, StateId};
use kit::budget::{Budget, Clock, Exhausted, Stage};
use kit::diagnostics::Diagnostic;
use kit::number::to_u32;
use rustc_hash::FxHashMap;
use std::{io, mem};

/// The limit on the size of a text in bytes.
const LARGEST: usize = 1 << 30;

const DEEPEST: usize = 100;

const GRAPH: &str = "a system is written `digraph { 0 -> 1 [label=\"A\"]; 1 -> 0 [label=\"B\"] }`";

/// Reads a system; `name` is the file name in messages. Compression with gzip, bzip2 or zstd is detected.
///
/// # Errors
/// The mistakes in the file, or the exhausted budget.
pub fn read(input: impl io::Read, name: &str, budget: &Budget) -> Result<Lts, ReadError> {
    let mut text = GraphText { bytes: Vec::new(), lines: 0, mistakes: Mistakes::new(name) };
    if let Some(exhausted) = pass(input, &mut text, budget) {
        return Err(ReadError::Exhausted(exhausted));
    }
    let GraphText { bytes, mut mistakes, .. } = text;
    if bytes.len() > LARGEST {
        let message = format!("a graph of more than {} MiB is not read", LARGEST >> 20);
        mistakes.add(Diagnostic::error_without_place(message).with_help("write large systems as AUT"));
    }
    if !mistakes.found.is_empty() {
        return Err(ReadError::Mistakes(mistakes.found, mistakes.sources));
    }
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            // Labels that differ must not become equal.
            let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
            let number = 1 + valid.iter().filter(|&&byte| byte == b'\n').count();
            mistakes.add(
                Diagnostic::error_without_place(format!("line {number} is not UTF-8"))
                    .with_help("convert the file: `iconv -f LATIN1 -t UTF-8`, if that is its encoding"),
            );
            return Err(ReadError::Mistakes(mistakes.found, mistakes.sources));
        }
    };
    let mut reader = DotReader::new(&text, budget);
    match reader.graph() {
        Ok(()) => {}
        Err(DotFailure::Exhausted(why)) => return Err(ReadError::Exhausted(why)),
        Err(DotFailure::Fault(fault)) => reader.faults.push(fault),
    }
    match reader.finish(budget) {
        Ok(lts) => lts.map_err(ReadError::Exhausted),
        Err(faults) => {
            let bytes = text.as_bytes();
            for fault in faults {
                let before = &bytes[..fault.place.start.min(bytes.len())];
                let number = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
                let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
                let end = bytes[start..]
                    .iter()
                    .position(|&byte| byte == b'\n')
                    .map_or(bytes.len(), |at| start + at);
                let place =
                    fault.place.start - start..fault.place.end.min(end).max(fault.place.start) - start;
                mistakes.fault(number, &bytes[start..end], AutFault { place, ..fault });
            }
            Err(ReadError::Mistakes(mistakes.found, mistakes.sources))
        }
    }
}

/// The whole text: statements may have several lines.
struct GraphText {
    bytes: Vec<u8>,
    lines: usize,
    mistakes: Mistakes,
}

impl LineConsumer for GraphText {
    fn line(&mut self, text: &[u8]) {
        self.lines += 1;
        self.bytes.extend_from_slice(text);
        self.bytes.push(b'\n');
    }

    fn is_enough(&self) -> bool {
        self.bytes.len() > LARGEST
    }

    fn number(&self) -> usize {
        self.lines
    }

    fn mistakes(&mut self) -> &mut Mistakes {
        &mut self.mistakes
    }

    fn stage(&self) -> Stage {
        Stage { done: self.lines as u64, of: None, what: "lines read" }
    }
}

enum DotFailure {
    Fault(AutFault),
    Exhausted(Exhausted),
}

impl From<Exhausted> for DotFailure {
    fn from(why: Exhausted) -> Self {
        DotFailure::Exhausted(why)
    }
}

/// A node as far as it was read.
struct DotNode {
    name: String,
    drawn: NodeStyle,
    double: bool,
}

/// An edge: numbers of nodes, its label, and where it stands.
struct DotEdge {
    from: usize,
    to: usize,
    label: Option<String>,
    place: std::ops::Range<usize>,
}

impl DotEdge {
    /// True if nothing stands at it.
    fn is_blank(&self) -> bool {
        self.label.as_deref().is_none_or(str::is_empty)
    }
}

struct DotReader<'a> {
    tokens: DotTokens<'a>,
    next: DotToken,
    clock: Clock<'a>,
    numbers: FxHashMap<String, usize>,
    nodes: Vec<DotNode>,
    edges: Vec<DotEdge>,
    /// The label of edges that have none.
    default_label: Option<String>,
    /// How nodes are drawn that do not say so themselves.
    default_drawn: NodeStyle,
    faults: Vec<AutFault>,
}

impl<'a> DotReader<'a> {
    fn new(text: &'a str, budget: &'a Budget) -> Self {
        let mut tokens = DotTokens::new(text);
        let next = tokens.next();
        let clock = Clock::new(budget, "statements read");
        let (nodes, edges) = (Vec::new(), Vec::new());
        let numbers = FxHashMap::default();
        let (default_label, default_drawn) = (None, NodeStyle::default());
        let faults = Vec::new();
        Self { tokens, next, clock, numbers, nodes, edges, default_label, default_drawn, faults }
    }

    fn take(&mut self) -> DotToken {
        let next = self.tokens.next();
        mem::replace(&mut self.next, next)
    }

    fn at(&self, sign: char) -> bool {
        self.next.kind == DotTokenKind::Sign(sign)
    }

    fn eat(&mut self, sign: char) -> bool {
        let there = self.at(sign);
        if there {
            self.take();
        }
        there
    }

    fn at_word(&self, word: &str) -> bool {
        matches!(&self.next.kind, DotTokenKind::Id(text) if text.eq_ignore_ascii_case(word))
    }

    fn fault<T>(&self, message: impl Into<String>, help: &'static str) -> Result<T, DotFailure> {
        let place = match self.next.kind {
            DotTokenKind::Unclosed => self.next.place.start..self.next.place.start + 1,
            _ => self.next.place.clone(),
        };
        let message = match self.next.kind {
            DotTokenKind::Unclosed => {
                "this is not closed: a quotation, a comment or angle brackets".to_owned()
            }
            _ => message.into(),
        };
        Err(DotFailure::Fault(AutFault { place, message, help }))
    }

    fn expect(&mut self, sign: char) -> Result<(), DotFailure> {
        match self.eat(sign) {
            true => Ok(()),
            false => self.fault(format!("expected `{sign}`"), GRAPH),
        }
    }

    fn id(&mut self) -> Result<String, DotFailure> {
        match &mut self.next.kind {
            DotTokenKind::Id(text) => {
                let text = mem::take(text);
                self.take();
                Ok(text)
            }
            _ => self.fault("expected a name, a number or a quoted string", GRAPH),
        }
    }

    fn graph(&mut self) -> Result<(), DotFailure> {
        if self.at_word("strict") {
            self.take();
        }
        if self.at_word("graph") {
            return self.fault("the edges of this graph have no direction", "write `digraph` and `->`");
        }
        if !self.at_word("digraph") {
            return self.fault("expected `digraph`", GRAPH);
        }
        self.take();
        if matches!(self.next.kind, DotTokenKind::Id(_)) {
            self.take();
        }
        self.expect('{')?;
        self.statements(0)?;
        match self.next.kind {
            DotTokenKind::End => Ok(()),
            _ => self.fault("there is more after the graph", "a file has one system"),
        }
    }

    /// Statements with the closing brace.
    fn statements(&mut self, depth: usize) -> Result<(), DotFailure> {
        if depth > DEEPEST {
            return self.fault("subgraphs nest too deeply", "remove braces: they mean nothing here");
        }
        while !self.eat('}') {
            self.clock.tick()?;
            if self.eat(';') {
                continue;
            }
            if self.at_word("subgraph") {
                self.take();
                if matches!(self.next.kind, DotTokenKind::Id(_)) {
                    self.take();
                }
            }
            match self.eat('{') {
                true => {
                    // What a subgraph says of its edges and nodes holds there only.
                    let outer = (self.default_label.clone(), self.default_drawn);
                    self.statements(depth + 1)?;
                    (self.default_label, self.default_drawn) = outer;
                    if self.next.kind == DotTokenKind::Arrow {
                        return self.fault("an edge from a subgraph", "write an edge for each of its nodes");
                    }
                }
                false => self.statement()?,
            }
        }
        Ok(())
    }

    fn statement(&mut self) -> Result<(), DotFailure> {
        for word in ["node", "edge", "graph"] {
            if self.at_word(word) {
                self.take();
                let attributes = self.attributes()?;
                match word {
                    "edge" => {
                        let label = value(&attributes, "label").map(str::to_owned);
                        self.default_label = label.or(self.default_label.take());
                    }
                    "node" => self.default_drawn.set(&attributes),
                    _ => {}
                }
                return Ok(());
            }
        }
        let start = self.next.place.start;
        let first = self.id()?;
        if self.eat('=') {
            return self.id().map(|_| ());
        }
        let mut path = vec![self.node(first)?];
        while self.next.kind == DotTokenKind::Arrow {
            self.take();
            if self.at('{') || self.at_word("subgraph") {
                return self.fault("an edge to a subgraph", "write an edge for each of its nodes");
            }
            let name = self.id()?;
            path.push(self.node(name)?);
        }
        if self.at('-') {
            return self.fault("this edge has no direction", "write `->`");
        }
        let end = self.next.place.start;
        let attributes = self.attributes()?;
        if let [node] = path[..] {
            let node = &mut self.nodes[node];
            node.drawn.set(&attributes);
            node.double |= value(&attributes, "shape").is_some_and(|shape| shape.starts_with("double"))
                || value(&attributes, "peripheries") == Some("2");
            return Ok(());
        }
        let label = value(&attributes, "label").map(str::to_owned).or_else(|| self.default_label.clone());
        for pair in path.windows(2) {
            self.edges.push(DotEdge { from: pair[0], to: pair[1], label: label.clone(), place: start..end });
        }
        Ok(())
    }

    /// The number of a node, whose port is skipped.
    fn node(&mut self, name: String) -> Result<usize, DotFailure> {
        while self.eat(':') {
            self.id()?;
        }
        let fresh = self.nodes.len();
        if let Some(&known) = self.numbers.get(&name) {
            return Ok(known);
        }
        self.clock.room_in(&self.numbers)?;
        self.nodes.push(DotNode { name: name.clone(), drawn: self.default_drawn, double: false });
        self.numbers.insert(name, fresh);
        Ok(fresh)
    }

    /// `[a=b, c=d] [e=f]`
    fn attributes(&mut self) -> Result<Vec<Attribute>, DotFailure> {
        let mut all = Vec::new();
        while self.eat('[') {
            while !self.eat(']') {
                self.clock.tick()?;
                if self.eat(',') || self.eat(';') {
                    continue;
                }
                let name = self.id()?;
                self.expect('=')?;
                let mut value = self.id()?;
                // Quoted strings can be joined.
                while self.eat('+') {
                    value.push_str(&self.id()?);
                }
                all.push((name, value));
            }
        }
        Ok(all)
    }

    /// The system; the mistakes if there are any.
    fn finish(mut self, budget: &Budget) -> Result<Result<Lts, Exhausted>, Vec<AutFault>> {
        let kept = self.kept();
        let is_start = |edge: &&DotEdge| !kept[edge.from];
        let mut starts: Vec<usize> = self.edges.iter().filter(is_start).map(|edge| edge.to).collect();
        starts.sort_unstable();
        starts.dedup();
        if starts.is_empty() {
            starts = (0..self.nodes.len()).filter(|&node| self.nodes[node].double).collect();
        }
        let nothing = 0..0;
        if self.nodes.is_empty() && self.faults.is_empty() {
            let message = "the graph has no nodes, hence no initial state".to_owned();
            self.faults.push(AutFault { place: nothing.clone(), message, help: GRAPH });
        }
        if starts.len() > 1 {
            let names: Vec<&str> =
                starts.iter().take(3).map(|&node| self.nodes[node].name.as_str()).collect();
            let message = format!("several nodes look like initial states: {}", names.join(", "));
            let help = "mark one by an edge without a label: `start [shape=point]; start -> 0;`";
            self.faults.push(AutFault { place: nothing, message, help });
        }
        let missing = self.edges.iter().filter(|edge| edge.label.is_none() && !is_start(edge));
        let missing = missing.take(20).map(|edge| {
            let message = "this edge has no label".to_owned();
            AutFault {
                place: edge.place.clone(),
                message,
                help: "write `[label=\"…\"]` after it; `i` is the invisible action",
            }
        });
        let missing: Vec<AutFault> = missing.collect();
        self.faults.extend(missing);
        if !self.faults.is_empty() {
            return Err(self.faults);
        }
        let start = starts.first().copied().or_else(|| kept.iter().position(|&kept| kept));
        let states = self.states(&kept, start);
        let mut builder = LtsBuilder::new();
        for edge in &self.edges {
            if let (Some(from), Some(to), Some(label)) = (states[edge.from], states[edge.to], &edge.label) {
                let label = builder.labels.intern(label.as_bytes());
                builder.add(from, label, to);
            }
        }
        let initial = start.and_then(|start| states[start]).unwrap_or(StateId::FIRST);
        let declared = states.iter().flatten().map(|state| state.to_u32() + 1).max().unwrap_or(1);
        Ok(builder.finish_within(initial, declared, budget))
    }

    /// For each node, true if it is a state: one that is drawn, or that an edge leads to, or one with a label from. An edge from
    /// another node marks the initial state.
    fn kept(&self) -> Vec<bool> {
        let mut kept: Vec<bool> = self.nodes.iter().map(|node| !node.drawn.is_hidden()).collect();
        for edge in &self.edges {
            kept[edge.to] = true;
            kept[edge.from] |= !edge.is_blank();
        }
        kept
    }

    /// The state of each node that is one: its name if all names are numbers of states, else its place in the order of the text, where
    /// the initial state comes first.
    fn states(&self, kept: &[bool], initial: Option<usize>) -> Vec<Option<StateId>> {
        let most = 16 * to_u32(self.nodes.len()) + (1 << 10);
        let number = |node: &DotNode| {
            node.name
                .parse()
                .ok()
                .filter(|&n: &u32| n < most && n.to_string() == node.name)
                .map(StateId::from_u32)
        };
        let numbers: Vec<Option<StateId>> = self.nodes.iter().map(number).collect();
        if numbers.iter().zip(kept).all(|(number, kept)| number.is_some() || !kept) {
            return numbers.into_iter().zip(kept).map(|(number, &kept)| number.filter(|_| kept)).collect();
        }
        let others = (0..self.nodes.len()).filter(|&node| kept[node] && Some(node) != initial);
        let mut states = vec![None; self.nodes.len()];
        for (place, node) in initial.into_iter().chain(others).enumerate() {
            states[node] = Some(StateId::new(place));
        }
        states
    }
}

/// An attribute: its name and its value.
pub type Attribute = (String, String);

/// The value of an attribute; the last one counts.
pub fn value<'a>(attributes: &'a [Attribute], name: &str) -> Option<&'a str> {
    attributes.iter().rfind(|(known, _)| known == name).map(|(_, value)| value.as_str())
}

#[derive(Debug, Clone, Copy, Default)]
pub struct NodeStyle {
    /// As a point, or as text alone.
    without_shape: bool,
    /// Not at all.
    invisible: bool,
}

impl NodeStyle {
    /// Takes over what attributes say; what they do not say stays.
    pub fn set(&mut self, attributes: &[Attribute]) {
        if let Some(shape) = value(attributes, "shape") {
            self.without_shape = matches!(shape, "point" | "none" | "plaintext" | "plain");
        }
        if let Some(style) = value(attributes, "style") {
            self.invisible = style.contains("invis");
        }
    }

    /// True if this is not how states are drawn.
    pub fn is_hidden(self) -> bool {
        self.without_shape || self.invisible
    }
}
