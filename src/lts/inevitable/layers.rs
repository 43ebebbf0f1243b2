//! Paths of a given length through layers of nodes: of all of them the one that an abstraction makes shortest.

use rustc_hash::FxHashMap;

/// A node of a layer.
pub type Node = (u32, u16);

/// The best way to a node: how many of its actions are kept, and where it comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Way {
    /// The number of actions that are kept.
    pub kept: usize,
    /// The node before with the label, and which of its ways it is; `None` at the start.
    before: Option<(Node, u32, bool)>,
}

/// The best way to a node that meets nothing which decides, and the best one that does.
pub type Ways = [Option<Way>; 2];

/// For each length the nodes that paths of it lead to.
pub struct Layers {
    layers: Vec<FxHashMap<Node, Ways>>,
}

impl Layers {
    /// All paths with so many transitions from a node; `after` says what may follow a node that is reached after
    /// so many. Where a node decides, the actions before and after it are kept.
    pub fn new(
        start: Node,
        length: usize,
        decides: impl Fn(Node) -> bool,
        after: impl Fn(Node, usize, &mut Vec<(u32, Node)>),
    ) -> Self {
        let mut first = [None, None];
        first[usize::from(decides(start))] = Some(Way { kept: 0, before: None });
        let mut layers = vec![FxHashMap::from_iter([(start, first)])];
        let mut found = Vec::new();
        for depth in 0..length {
            let mut next: FxHashMap<Node, Ways> = FxHashMap::default();
            for (&node, ways) in &layers[depth] {
                let own = decides(node);
                after(node, depth, &mut found);
                for (label, to) in found.drain(..) {
                    let other = decides(to);
                    let best = next.entry(to).or_default();
                    for (shown, way) in [false, true].into_iter().zip(ways) {
                        let Some(way) = way else { continue };
                        let kept = way.kept + usize::from(own || other);
                        let candidate = Way { kept, before: Some((node, label, shown)) };
                        let slot = &mut best[usize::from(shown || other)];
                        *slot = Some(slot.map_or(candidate, |known| known.min(candidate)));
                    }
                }
            }
            layers.push(next);
        }
        Self { layers }
    }

    /// The ways to the nodes at the end.
    pub fn ends(&self) -> impl Iterator<Item = (Node, Ways)> {
        self.layers[self.layers.len() - 1].iter().map(|(&node, &ways)| (node, ways))
    }

    /// A way to a node at the end: all nodes and labels of it.
    pub fn path(&self, end: Node, shown: bool) -> (Vec<Node>, Vec<u32>) {
        let (mut nodes, mut labels) = (vec![end], Vec::new());
        let (mut at, mut shown) = (end, shown);
        for layer in self.layers.iter().rev() {
            let way = layer.get(&at).and_then(|ways| ways[usize::from(shown)]);
            let Some((before, label, of)) = way.and_then(|way| way.before) else { break };
            nodes.push(before);
            labels.push(label);
            (at, shown) = (before, of);
        }
        nodes.reverse();
        labels.reverse();
        (nodes, labels)
    }
}
