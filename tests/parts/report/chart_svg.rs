//! Tests of `report::traces::chart_svg`.

use import::protocol::{Chart, ChartEvent, ChartRun, Happening};
use lang::model::Position;
use report::traces::chart_svg::*;
use report::writing::marks::Marks;

#[test]
fn a_drawing_says_what_it_shows_and_what_its_signs_mean() {
    let run = |name: &str, agent: &str| ChartRun {
        name: name.into(),
        role: "A".into(),
        agent: agent.into(),
        partners: vec![("B".into(), "Eve".into())],
    };
    let sent = |run| Happening::Sent { run, label: "1".into(), content: "Na#1".into() };
    let chart = Chart {
        runs: vec![run("r1", "Alice"), run("r2", "<Bob>")],
        events: vec![
            ChartEvent { at: Position::new(1), what: sent(0) },
            ChartEvent { at: Position::new(2), what: sent(1) },
        ],
    };
    let svg = chart_svg(&chart, &Marks::default());
    let title = "<title>Message sequence chart of r1: Alice as A, r2: &lt;Bob&gt; as A, and Eve</title>";
    assert!(svg.contains(title), "{svg}");
    for (_, text) in LEGEND {
        assert!(svg.contains(&format!(">{text}</text>")), "{svg}");
    }
    // The legend is below everything else.
    let ys = svg
        .match_indices(" y=\"")
        .map(|(at, _)| svg[at + 4..].split('"').next().and_then(|y| y.parse::<usize>().ok()).unwrap_or(0));
    let height = svg.split("viewBox=\"0 0 ").nth(1).and_then(|rest| rest.split(['"', ' ']).nth(1));
    let height: usize = height.and_then(|height| height.parse().ok()).expect("a height");
    assert!(ys.max().is_some_and(|y| y < height), "{svg}");
}
