//! Tests of `report::traces::chart_text`.

use import::protocol::{Chart, ChartEvent, ChartRun, Happening, SentPart};
use lang::model::Position;
use report::Paint;
use report::traces::chart_text::*;
use report::writing::marks::Marks;
use unicode_width::UnicodeWidthStr;

fn chart() -> Chart {
    let partners = |names: [&str; 2]| -> Vec<(String, String)> {
        ["B", "S"].into_iter().zip(names).map(|(role, agent)| (role.to_owned(), agent.to_owned())).collect()
    };
    let run = |name: &str, agents| ChartRun {
        name: name.into(),
        role: "A".into(),
        agent: "Alice".into(),
        partners: partners(agents),
    };
    let content = "Alice, {Na#1, Bob, Alice}k(Alice, Simon), {Na#1, Bob, Alice, Simon}k(Bob, Simon)";
    let bindings = vec![SentPart { part: content.into(), event: 0, keys: Vec::new() }];
    let (label, content) = ("1".to_owned(), content.to_owned());
    let sent = Happening::Sent { run: 0, label: label.clone(), content: content.clone() };
    let received = Happening::Received { run: 1, label, content, unchanged: true, bindings };
    Chart {
        runs: vec![run("r1", ["Bob", "Simon"]), run("r2", ["Eve", "Simon"]), run("r3", ["Eve", "Eve"])],
        events: vec![
            ChartEvent { at: Position::new(1), what: sent },
            ChartEvent { at: Position::new(2), what: received },
        ],
    }
}

#[test]
fn no_line_is_wider_than_asked_where_there_is_room_for_the_lanes() {
    for width in 70..140 {
        let text = chart_text(&chart(), &Marks::default(), width, Paint::default(), 2);
        assert!(text.lines().all(|line| line.width() <= width), "{width}:\n{text}");
    }
    assert!(chart_legend(60, true).iter().all(|line| line.width() <= 60));
}

#[test]
fn what_arrives_unchanged_is_written_once() {
    let text = chart_text(&chart(), &Marks::default(), 200, Paint::default(), 0);
    assert_eq!(text.matches("{Na#1, Bob, Alice}k(Alice, Simon)").count(), 1, "{text}");
    assert!(text.contains("  (1) unchanged\n"), "{text}");
}

#[test]
fn partners_have_lines_of_their_own_where_there_is_little_room() {
    let heads = |width| {
        let text = chart_text(&chart(), &Marks::default(), width, Paint::default(), 0);
        text.lines().take_while(|line| !line.contains('│')).count()
    };
    assert_eq!((heads(200), heads(90)), (2, 3));
}
