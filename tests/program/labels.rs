//! Labels in questions: what no step can be called is a mistake, what no step is called a doubt.

use std::process::Command;

/// The exit code of a command line, and what it says. Words are separated by ` | `.
fn run(line: &str) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cladist"));
    let output =
        command.current_dir(env!("CARGO_MANIFEST_DIR")).args(line.split(" | ")).output().expect("runs");
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// Command lines, and what is said of labels that no step of their models and texts can have.
const IMPOSSIBLE: &[(&str, [&str; 2])] = &[
    (
        "lts | tag | specs/mutex.sts | --formula | [true* . \"entr(p=P)\"] false",
        ["no action `entr`", "mean `enter`?"],
    ),
    (
        "lts | tag | specs/mutex.sts | --formula | [true* . enter] false",
        ["those of `enter` are enter(p=…)", "'enter.*'"],
    ),
    (
        "lts | tag | specs/mutex.sts | --formula | [true* . \"enter(q=P)\"] false",
        ["enter(p=…)", "--formula:1:10"],
    ),
    (
        "lts | tag | specs/mutex.sts | --formula | [true* . \"enter(p=R)\"] false",
        ["`R` is not a value", "P, Q"],
    ),
    (
        "lts | tag | specs/mutex.sts | --formula | [true* . 'entr.*'] false",
        ["begins with `entr`", "mean `enter`?"],
    ),
    (
        "lts | neighbours | specs/mutex.sts | --no-arguments | --formula | [\"enter(p=P)\"] false",
        ["--no-arguments", "`enter`"],
    ),
    (
        "lts | check | specs/mutex.sts | --formula | <true* . entr> true",
        ["no action `entr`", "mean `enter`?"],
    ),
    ("lts | check | specs/mutex.sts | --formula | <entr(1)> true", ["no action `entr`", "mean `enter`?"]),
    ("lts | inevitable | specs/mutex.sts | --actions | leave(p=P),entr", ["--actions:1:12", "mean `enter`?"]),
    (
        "lts | counterexample | specs/mutex.sts | -p | exclusion | --through | entr",
        ["--through:1:1", "mean `enter`?"],
    ),
    ("lts | counterexample | specs/mutex.sts | --actions | entr", ["--actions:1:1", "mean `enter`?"]),
    (
        "lts | info | specs/mutex.sts | -p | exclusion | --environment | entr",
        ["no action `entr`", "mean `enter`?"],
    ),
    (
        "lts | bugs | specs/mutex.sts | --formula | [true* . entr] false",
        ["no action `entr`", "mean `enter`?"],
    ),
    ("lts | minimize | specs/mutex.sts | --hide | entr.*", ["'entr.*' matches no label", "mean `enter`?"]),
    ("lts | minimize | specs/mutex.sts | --rename | entr=in", ["'entr' matches no label", "mean `enter`?"]),
    (
        "lts | bugs | specs/processes/alternating_bit.lnt | --formula | [PUTT] false",
        ["no gate `PUTT`", "mean `PUT`?"],
    ),
    (
        "lts | bugs | specs/processes/alternating_bit.lnt | --actions | PUTT",
        ["no gate `PUTT`", "mean `PUT`?"],
    ),
    (
        "lts | tag | specs/processes/alternating_bit.lnt | --formula | [\"PUTT !1\"] false",
        ["no gate `PUTT`", "mean `PUT`?"],
    ),
    ("ctl | specs/processes/alternating_bit.lnt | AG enabled(\"PUTT\")", ["no gate `PUTT`", "formula:1:12"]),
    (
        "ctl | specs/processes/alternating_bit.lnt | AG matches(\"PUTT.*\")",
        ["begins with `PUTT`", "mean `PUT`?"],
    ),
    (
        "ctl | specs/processes/alternating_bit.lnt | AG true | --fair | enabled(\"PUTT\")",
        ["no gate `PUTT`", "--fair:1:9"],
    ),
    (
        "lts | tag | tests/cli/lts/coin.aut | --strict-labels | --formula | [WON] false",
        ["no label `WON`", "mean `WIN`?"],
    ),
    (
        "lts | check | tests/cli/lts/coin.aut | --strict-labels | --formula | <WIN(1)> true",
        ["an action `WIN` with 1 value", "lts info"],
    ),
    (
        "ctl | tests/cli/lts/coin.aut | --strict-labels | EF enabled(\"WON\")",
        ["no label `WON`", "formula:1:12"],
    ),
    (
        "ctl | specs/three_states.sts | --strict-labels",
        ["--strict-labels is for explicit systems", "leave it out"],
    ),
];

#[test]
fn labels_that_cannot_be_are_mistakes() {
    for (line, parts) in IMPOSSIBLE {
        let (code, said) = run(line);
        assert_eq!(code, Some(2), "{line}\n{said}");
        assert!(
            said.starts_with("error: ") && parts.iter().all(|part| said.contains(part)),
            "{line}\n{said}"
        );
    }
}

/// What a step can be called, and none is, and whatever an explicit system does not have.
#[test]
fn labels_that_can_be_are_doubts() {
    for line in [
        "lts | tag | specs/increment_decrement.sts | --formula | [true* . start] false",
        "lts | tag | specs/mutex.sts | --formula | ['.*entr.*'] false",
        "lts | tag | specs/mutex.sts | --formula | ['e*ntr.*'] false",
        "lts | tag | specs/mutex.sts | --formula | ['enter(p=Z.*'] false",
        "lts | tag | specs/mutex.sts | --visible | enter | --formula | [true* . \"leave(p=P)\"] false",
        "lts | tag | specs/processes/alternating_bit.lnt | --formula | [\"PUT !none\"] false",
        "lts | check | tests/cli/lts/coin.aut | --formula | [WIN(1)] false",
        "lts | tag | tests/cli/lts/coin.aut | --formula | [WON] false",
        "ctl | tests/cli/lts/coin.aut | AG not enabled(\"WON\")",
    ] {
        let (code, said) = run(line);
        assert!(code == Some(0) && said.starts_with("warning: "), "{line}\n{code:?} {said}");
    }
    // What is renamed first may be hidden then.
    let (code, said) = run("lts | minimize | specs/mutex.sts | --rename | enter.*=IN | --hide | IN");
    assert!(code == Some(0) && said.is_empty(), "{code:?} {said}");
}
