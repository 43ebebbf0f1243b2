//! Tests of `report::view`.

use crate::fixture;
use classify::vocabulary::{Rating, Repair, Repairs};
use classify::{Classification, Obstacle, Unbounded, UnknownReason, Verdict};
use engines::explore::Stop;
use report::Wording;
use report::view::finite::*;

fn report(verdict: Verdict) -> String {
    let model = fixture::model();
    result_view(&fixture::request(&model), &fixture::classification(verdict)).text()
}

#[test]
fn a_complete_classification() {
    let text = report(Verdict::Complete);
    let expected = "\
violated: 2 kinds of violation cover every counterexample of up to 10 steps
  property   safe: not busy[Eve]
  model      toy (toy.sts)
  vocabulary generic

  class  steps  constraint
      1      3  ∃ … : msgs.replay(i, j) ∧ sender@j = Eve ∧ i < j
      2      3  ∃ … : msgs.replay(i, j) ∧ sender@j = Eve ∧ i < j

class 1 of 2
  ∃ i, j ∈ [0..len(ρ)] : msgs.replay(i, j) ∧ sender@j = Eve ∧ i < j

  in words
    msgs.replay(i, j): The attacker sends again what was sent before
      (messages.pred:4)
    at j, sender is Eve
    i before j

  every fact is needed: dropping it admits these non-violating traces
    without msgs.replay(i, j): send(a=Alice) → send(a=Eve)
    without sender@j = Eve:    send(a=Alice) → send(a=Eve)
    without i < j:             send(a=Alice) → send(a=Eve)

  a shortest counterexample of this class (3 steps)
    0  initial state
         sender = none
         knows = {}
         busy = [Alice: false, Eve: false]
  i 1  send(a=Alice)
         sender: none → Alice
         knows gains Alice
    2  idle
  j 3  send(a=Eve)  ← violates safe
         sender: Alice → Eve
         knows gains Eve
         busy[Eve]: false → true

  it is in no other class

class 2 of 2
";
    assert!(text.starts_with(expected), "{text}");
    let end = "
2 counterexamples examined, 1,234 solver calls, 0.50 s (search 0.25, minimise 0.12)
cadical 3.0.1, at most 12,345 variables and 67,890 clauses; result checked again by varisat 0.2.2
again: cladist classify toy.sts -k 10
";
    assert!(text.ends_with(end), "{text}");
}

#[test]
fn what_is_in_one_class_alone_may_be_in_a_redundant_one() {
    let model = fixture::model();
    let request = fixture::request(&model);
    let mut result = fixture::classification(Verdict::Complete);
    let text = result_view(&request, &result).text();
    assert!(text.contains("\n  it is in no other class\n"), "{text}");
    result.classes[1].redundant = true;
    let text = result_view(&request, &result).text();
    assert!(text.contains("\n  it is in no other class but perhaps redundant ones\n"), "{text}");
    assert!(!text.contains("\n  it is in no other class\n"), "{text}");
}

#[test]
fn one_class_needs_no_table_but_in_brief() {
    let model = fixture::model();
    let request = fixture::request(&model);
    let mut result = fixture::classification(Verdict::Complete);
    result.classes.truncate(1);
    let head = "\n  class  steps  constraint\n";
    assert!(!result_view(&request, &result).text().contains(head));
    let expected = "\
violated: one kind of violation covers every counterexample of up to 10 steps
  property   safe: not busy[Eve]
  model      toy (toy.sts)
  vocabulary generic

  class  steps  constraint
      1      3  ∃ … : msgs.replay(i, j) ∧ sender@j = Eve ∧ i < j
";
    assert_eq!(result_view(&request, &result).brief(), expected);
    result.counts = Some(Err(Obstacle::States(Stop::States(1_000_000))));
    let obstacle = "\nnumbers of traces are not available: there are more than 1,000,000 states\n";
    assert_eq!(result_view(&request, &result).brief(), format!("{expected}{obstacle}"));
}

#[test]
fn in_brief_nothing_but_the_verdict_remains_without_classes() {
    let model = fixture::model();
    for verdict in fixture::verdicts().into_iter().map(|v| v.0) {
        let result = fixture::classification(verdict);
        if result.classes.is_empty() {
            let text = result_view(&fixture::request(&model), &result).brief();
            assert!(text.ends_with("\n  vocabulary generic\n"), "{text}");
        }
    }
}

#[test]
fn additions_are_shown_in_brief() {
    let model = fixture::model();
    let weak = fixture::verdicts().into_iter().map(|v| v.0).find(|v| matches!(v, Verdict::TooWeak(_)));
    let result = fixture::classification(weak.expect("there is one"));
    let rating = Rating::of(&fixture::classification(Verdict::Complete));
    let repair = Repair { predicates: Vec::new(), text: "eq(knows)".to_owned(), rating };
    let repairs = Repairs { best: vec![repair], ..Repairs::default() };
    let mut request = fixture::request(&model);
    request.asked.repairs = Some(&repairs);
    let text = result_view(&request, &result).brief();
    assert!(text.ends_with("\n  help: adding eq(knows) gives 2 classes, complete\n"), "{text}");
}

#[test]
fn longer_traces_that_were_not_examined_are_mentioned() {
    let model = fixture::model();
    let mut result = fixture::classification(Verdict::Complete);
    let text = |result: &_| result_view(&fixture::request(&model), result).text();
    assert!(!text(&result).contains("--horizon"));
    result.horizon_missed = Some(15);
    let expected = format!(
        "\nlonger traces ({} to 15 steps) were not checked: their share of the time was used up; \
         `--horizon 15` checks them\nagain: ",
        result.lengths.bound() + 1
    );
    assert!(text(&result).contains(&expected), "{}", text(&result));
}

#[test]
fn a_weak_vocabulary_shows_both_traces_and_help() {
    let weak = fixture::verdicts().into_iter().map(|v| v.0).find(|v| matches!(v, Verdict::TooWeak(_)));
    let text = report(weak.expect("there is one"));
    for expected in [
        "these two traces share every fact of the vocabulary\n",
        "\n  i   0 initial state                      1 send(a=Alice)\n",
        "\n  j   1 send(a=Alice)                      2 send(a=Eve)\n",
        "\n  help: the two differ at these positions in sender, knows, action\n",
        "\n  the violation (3 steps)\n",
        "\n  the accepted trace (2 steps)\n",
    ] {
        assert!(text.contains(expected), "{expected:?} in\n{text}");
    }
}

#[test]
fn what_was_checked_again_is_said() {
    let mut result = fixture::classification(Verdict::Holds);
    let end = |result: &Classification| {
        statistics_text(result, Wording::Violation).split_once("clauses").map(|p| p.1.to_owned())
    };
    let clauses = end(&result);
    assert_eq!(clauses.as_deref(), Some("; varisat 0.2.2 finds no counterexample of up to 10 steps either"));
    result.checked_by = None;
    assert_eq!(end(&result).as_deref(), Some(""));
    result.check_ended = Some(kit::budget::Exhausted::Time);
    assert_eq!(end(&result).as_deref(), Some("; the time ran out before the result was checked again"));
}

#[test]
fn lengths_and_numbers_have_their_places() {
    let model = fixture::model();
    let request = fixture::request(&model);
    let mut result = fixture::proved(Verdict::Complete);
    let text = result_view(&request, &result).text();
    let lengths = "\n  vocabulary generic\n  lengths    every length: proved over 1,234 states up to first \
                   violations and 45,678 steps, confirmed by varisat 0.2.2\n";
    assert!(text.contains(lengths), "{text}");
    let table = "
counterexamples that end in their first violation, up to 4 steps
  steps          all      class 1       only 1  class 2  only 2
      3            7            7            5        2       0
      4  1.153·10^18  1.153·10^18  1.153·10^18        2       0
    sum  1.153·10^18  1.153·10^18  1.153·10^18        4       0

traces with a violation anywhere, of up to 4 steps
";
    assert!(text.contains("\ncounted over a list of states\n"), "{text}");
    assert!(text.contains(table), "{text}");
    let obstacle = Obstacle::States(Stop::States(1_000_000));
    result.counts = Some(Err(obstacle.clone()));
    result.unbounded = Some(Unbounded::Open(UnknownReason::Obstacle(obstacle)));
    let text = result_view(&request, &result).text();
    for expected in [
        "\n  lengths    up to 10 steps; longer traces are undecided: there are more than 1,000,000 states\n",
        "\nnumbers of traces are not available: there are more than 1,000,000 states\n",
    ] {
        assert!(text.contains(expected), "{text}");
    }
}

#[test]
fn without_colour_there_is_no_escape() {
    for (verdict, ..) in fixture::verdicts() {
        assert!(!report(verdict).contains('\u{1b}'));
    }
}
