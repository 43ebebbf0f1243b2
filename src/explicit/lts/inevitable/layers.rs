//! Paths of a given length through layers of nodes: of all of them the one that an abstraction makes shortest.

use crate::lts::graph::StateId;
use crate::lts::labels::LabelId;
use rustc_hash::FxHashMap;

pub type LayerNode = (StateId, u16);

/// The best path to a node: the number of actions kept, and its last step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct LayerPath {
    /// The number of actions that are kept.
    pub kept: usize,
    /// `None` at the start.
    before: Option<Before>,
}

/// The last step of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Before {
    node: LayerNode,
    label: LabelId,
    /// Which of that node's ways the path continues.
    shown: bool,
}

/// The best path to a node without neighbourhoods, and the best one with some.
pub type LayerPaths = [Option<LayerPath>; 2];

/// For each length the nodes at the end of paths of that length.
pub struct Layers {
    layers: Vec<FxHashMap<LayerNode, LayerPaths>>,
}

impl Layers {
    /// All paths of a length from a node; `after` gives the steps from a node at a given depth. The actions before and
    /// after a node that decides are kept.
    pub fn new(
        start: LayerNode,
        length: usize,
        decides: impl Fn(LayerNode) -> bool,
        after: impl Fn(LayerNode, usize, &mut Vec<(LabelId, LayerNode)>),
    ) -> Self {
        let mut first = [None, None];
        first[usize::from(decides(start))] = Some(LayerPath { kept: 0, before: None });
        let mut layers = vec![FxHashMap::from_iter([(start, first)])];
        let mut found = Vec::new();
        for depth in 0..length {
            let mut next: FxHashMap<LayerNode, LayerPaths> = FxHashMap::default();
            for (&node, ways) in &layers[depth] {
                let own = decides(node);
                after(node, depth, &mut found);
                for (label, to) in found.drain(..) {
                    let other = decides(to);
                    let best = next.entry(to).or_default();
                    for (shown, way) in [false, true].into_iter().zip(ways) {
                        let Some(way) = way else { continue };
                        let kept = way.kept + usize::from(own || other);
                        let candidate = LayerPath { kept, before: Some(Before { node, label, shown }) };
                        let slot = &mut best[usize::from(shown || other)];
                        *slot = Some(slot.map_or(candidate, |known| known.min(candidate)));
                    }
                }
            }
            layers.push(next);
        }
        Self { layers }
    }

    /// The best paths to the nodes of the last layer.
    pub fn ends(&self) -> impl Iterator<Item = (LayerNode, LayerPaths)> {
        self.layers[self.layers.len() - 1].iter().map(|(&node, &ways)| (node, ways))
    }

    /// The nodes and labels of a best path to a node of the last layer.
    pub fn path(&self, end: LayerNode, shown: bool) -> (Vec<LayerNode>, Vec<LabelId>) {
        let (mut nodes, mut labels) = (vec![end], Vec::new());
        let (mut at, mut shown) = (end, shown);
        for layer in self.layers.iter().rev() {
            let way = layer.get(&at).and_then(|ways| ways[usize::from(shown)]);
            let Some(before) = way.and_then(|way| way.before) else { break };
            nodes.push(before.node);
            labels.push(before.label);
            (at, shown) = (before.node, before.shown);
        }
        nodes.reverse();
        labels.reverse();
        (nodes, labels)
    }
}
