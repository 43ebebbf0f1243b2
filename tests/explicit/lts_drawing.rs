//! What is drawn of a tagged system, and with what marks.

use crate::lts_common;
use cladist::lts::StateId;

use cladist::budget::Budget;
use cladist::lts::drawing::{ArrowEnd, Drawing, DrawnNeighbourhood};
use cladist::lts::inevitable::{self, NeighbourhoodEntry};
use cladist::lts::property::Closure;
use cladist::lts::safety::{Counts, Incorrect, SafetyAnalysis, Tag};
use lts_common::{actions, automaton, build, formulas, state, system, triples};
use proptest::prelude::*;
use std::collections::{BTreeSet, VecDeque};

const SHOP: &str = "des (0, 7, 6)\n(0, ORDER, 1)\n(1, PAY, 2)\n(1, SHIP, 3)\n(1, CANCEL, 4)\n(2, SHIP, 4)\n\
                    (3, PAY, 4)\n(3, \"SEND !reminder\", 3)\n";

fn drawn(text: &str, property: &str, use_it: impl FnOnce(&Drawing) -> String) -> String {
    let lts = system(text);
    let automaton = automaton(property, &lts, Closure::Prefix);
    let analysis =
        SafetyAnalysis::new(&lts, &automaton, Incorrect::NoWayOut, &Budget::unlimited()).expect("no limit");
    use_it(&Drawing::of_safety(&analysis, &Budget::unlimited()).expect("no limit"))
}

fn written(drawing: &Drawing, shown: &[usize], text: &str) -> String {
    let mut out = Vec::new();
    drawing.write(shown, system(text).labels(), &mut out).expect("to memory");
    String::from_utf8(out).expect("UTF-8")
}

#[test]
fn colours_lines_and_sinks() {
    let property = "[ (not PAY)* . SHIP ] false";
    let text = drawn(SHOP, property, |d| written(d, &(0..d.nodes.len()).collect::<Vec<_>>(), SHOP));
    let expected = "digraph tagged {
  rankdir=LR;
  node [shape=circle, fontname=\"sans-serif\", fontsize=10];
  edge [fontname=\"sans-serif\", fontsize=9];
  n0 [label=\"0\\n0\", shape=doublecircle];
  n1 [label=\"1\\n0\", penwidth=3, style=filled, fillcolor=\"#c6dbef\"];
  right [label=\"\", shape=square, width=0.3, style=filled, fillcolor=\"#238b45\"];
  wrong [label=\"\", shape=square, width=0.3, style=filled, fillcolor=\"#cb181d\"];
  n0 -> n1 [label=\"ORDER\", style=dotted];
  n1 -> right [label=\"PAY\\nCANCEL\", color=\"#238b45\", fontcolor=\"#238b45\"];
  n1 -> wrong [label=\"SHIP\", color=\"#cb181d\", fontcolor=\"#cb181d\", style=dashed];
}
";
    assert_eq!(text, expected);
}

#[test]
fn a_part_ends_in_points() {
    let line = "des (0, 4, 4)\n(0, A, 1)\n(1, B, 2)\n(2, C, 3)\n(1, \"say \"no\"\", 1)\n";
    let text = drawn(line, "[ true* . C ] false", |d| {
        assert_eq!(d.around(DrawnNeighbourhood { state: state(9), radius: 1 }), None);
        assert_eq!(d.around(DrawnNeighbourhood { state: state(1), radius: 1 }), Some(vec![0, 1, 2]));
        written(d, &d.around(DrawnNeighbourhood { state: state(1), radius: 0 }).expect("there"), line)
    });
    assert!(text.contains("n1 -> cut1 [label=\"B\""), "{text}");
    assert!(text.contains("n1 -> n1 [label=\"say \\\"no\\\"\""), "{text}");
    assert!(!text.contains("n0"), "{text}");
}

#[test]
fn settled_parts_of_inevitability_are_sinks() {
    let lts = system(SHOP);
    let steps = actions("ORDER,PAY", &lts);
    let analysis =
        inevitable::InevitabilityAnalysis::new(&lts, &steps, &Budget::unlimited()).expect("no limit");
    let drawing = Drawing::of_inevitable(&analysis, NeighbourhoodEntry::ByNeutralOnly, &Budget::unlimited())
        .expect("no limit");
    let ends: BTreeSet<ArrowEnd> =
        drawing.nodes.iter().flat_map(|n| n.out.iter().map(|arrow| arrow.end)).collect();
    // The state 4 is entered by correct and by incorrect transitions: it belongs to neither sink.
    assert!(ends.contains(&ArrowEnd::Right), "{drawing:?}");
    assert!(drawing.nodes.iter().any(|node| node.state == state(4)));
    assert_eq!(drawing.nodes[0].state, StateId::FIRST);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_drawn_is_what_is_counted((initial, triples) in triples(7), formula in formulas()) {
        let lts = build(initial, &triples);
        let automaton = automaton(&format!("[ {} ] false", formula.text()), &lts, Closure::Prefix);
        let analysis =
            SafetyAnalysis::new(&lts, &automaton, Incorrect::NoWayOut, &Budget::unlimited()).expect("no limit");
        if analysis.holds() || analysis.product.is_bad(analysis.product.initial()) {
            return Ok(());
        }
        let drawing = Drawing::of_safety(&analysis, &Budget::unlimited()).expect("no limit");
        let counts = Counts::new(&analysis, &Budget::unlimited()).expect("no limit");
        let count = |tag| drawing.nodes.iter().flat_map(|n| &n.out).filter(|arrow| arrow.tag == tag).count();
        // Several targets that are merged can make several transitions one.
        prop_assert!(count(Tag::Correct) <= counts.correct);
        prop_assert!(count(Tag::Correct) > 0 || counts.correct == 0);
        prop_assert_eq!(count(Tag::Neutral), counts.neutral);
        prop_assert_eq!(drawing.nodes.iter().filter(|n| n.neighbourhood).count(), counts.neighbourhoods);
        prop_assert_eq!(drawing.nodes.iter().filter(|n| n.kind.is_some()).count(), counts.faulty);

        // What is around a node is what undirected paths of that length lead to.
        let middle = drawing.nodes[drawing.nodes.len() / 2].state;
        let mut far = vec![usize::MAX; drawing.nodes.len()];
        let mut queue: VecDeque<usize> =
            (0..drawing.nodes.len()).filter(|&n| drawing.nodes[n].state == middle).collect();
        queue.iter().for_each(|&n| far[n] = 0);
        while let Some(node) = queue.pop_front() {
            for (other, there) in drawing.nodes.iter().enumerate() {
                let joined = there.out.iter().any(|arrow| arrow.end == ArrowEnd::Node(node))
                    || drawing.nodes[node].out.iter().any(|arrow| arrow.end == ArrowEnd::Node(other));
                if joined && far[other] == usize::MAX {
                    far[other] = far[node] + 1;
                    queue.push_back(other);
                }
            }
        }
        for radius in 0..3 {
            let expected: Vec<usize> = (0..far.len()).filter(|&n| far[n] <= radius).collect();
            prop_assert_eq!(drawing.around(DrawnNeighbourhood { state: middle, radius }), Some(expected));
        }
    }
}
