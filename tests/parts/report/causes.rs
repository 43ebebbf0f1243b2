//! Tests of `report::causes`.

use report::classes::causes::*;

fn branch(head: &str, notes: &[&str], branches: Vec<Branch>) -> Branch {
    Branch { head: head.to_owned(), notes: notes.iter().map(|note| (*note).to_owned()).collect(), branches }
}

#[test]
fn branches_are_drawn_as_a_tree() {
    let deep = branch("1.2", &["c"], vec![branch("1.2.1", &["d", "e"], vec![])]);
    let tree = [branch("1", &["a"], vec![branch("1.1", &["b"], vec![]), deep]), branch("2", &[], vec![])];
    let expected = [
        "1",
        "│  a",
        "├─ 1.1",
        "│     b",
        "└─ 1.2",
        "   │  c",
        "   └─ 1.2.1",
        "         d",
        "         e",
        "2",
    ];
    assert_eq!(tree_lines(&tree), expected);
}
