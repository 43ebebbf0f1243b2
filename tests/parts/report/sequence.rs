//! Tests of `report::traces::sequence`.

use lang::model::Position;
use report::traces::sequence::*;
use unicode_width::UnicodeWidthStr;

fn message(from: usize, to: usize) -> SequenceRow {
    let arrow = SequenceMessage { from, to, lines: vec!["m".into()], content: "m".into() };
    SequenceRow { at: Position::new(1), label: String::new(), arrow: Some(arrow) }
}

#[test]
fn the_attacker_is_between_the_others_and_arrows_are_short() {
    let rows = [message(0, 1), message(1, 2), message(2, 0), message(0, 1)];
    assert_eq!(order(3, &rows, Some(1)), [0, 1, 2]);
    assert_eq!(order(3, &rows, Some(0)), [1, 0, 2]);
    // Without an attacker, only the arrows count: 0 and 3 are neighbours.
    assert_eq!(order(4, &[message(0, 3), message(0, 3), message(1, 2)], None), [0, 3, 1, 2]);
    assert_eq!(order(9, &rows, Some(1)), (0..9).collect::<Vec<_>>());
}

#[test]
fn long_texts_are_broken_then_cut() {
    assert_eq!(lines("M1, Eve, Na"), ["M1, Eve, Na"]);
    let long = "abcdefgh, ".repeat(20);
    let cut = lines(&long);
    assert_eq!(cut.len(), 3);
    assert!(cut.iter().all(|line| line.width() <= MOST), "{cut:?}");
    assert!(cut[2].ends_with('…'), "{cut:?}");
}
