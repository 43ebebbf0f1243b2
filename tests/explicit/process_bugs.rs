//! The bugs of small texts, and the published examples.

use crate::process_common;

use cladist::budget::Budget;
use cladist::diagnostics::SourceId;
use cladist::lts::bugs::{BugVerdict, Bugs};
use cladist::lts::property::{Closure, LabelAutomaton};
use cladist::lts::safety::{Counts, Incorrect, SafetyAnalysis};
use cladist::mucalc::parse_property;
use cladist::process::bugs::{BugsError, CountLimits, TextBugs, count, count_by_parts};
use cladist::process::semantics::StopReason;
use process_common::{generated, program};

const LIMITS: CountLimits = CountLimits { most_states: 100_000, longest: 30 };

/// `[true* . EXEC . true* . CLOSE] false`, as in the listings.
const NO_CLOSE_AFTER_EXEC: &str = "[ true* . EXEC . true* . CLOSE ] false";

fn counted(text: &str, property: &str) -> TextBugs {
    let property = parse_property(SourceId::default(), property).expect("a property");
    count(&program(text), &property, LIMITS, &Budget::unlimited()).expect("a result")
}

fn bugs(text: &str, property: &str) -> Bugs {
    counted(text, property).bugs
}

/// For each occurrence its verdict and that of the paper.
fn verdicts(text: &str, property: &str) -> Vec<(BugVerdict, BugVerdict)> {
    bugs(text, property).occurrences.iter().map(|o| (o.verdict, o.paper)).collect()
}

const LISTING_1: &str = "
process main [INIT1, INIT2, EXEC1, EXEC2, EXEC3, A, B : any] is
  INIT1 ;
  select B ; A [] EXEC1 end select ;
  select
    A
  []
    INIT2 ;
    select
      par EXEC2 ; A || B end par
    []
      EXEC3
    end select
  end select
end process";

#[test]
fn listing_1_has_a_faulty_state_of_each_kind() {
    let lts = generated(&program(LISTING_1)).lts;
    let property = parse_property(SourceId::default(), "[ (not A)* . B ] false").expect("a property");
    let automaton = LabelAutomaton::new(&property, lts.labels(), Closure::Prefix).expect("small");
    let analysis =
        SafetyAnalysis::new(&lts, &automaton, Incorrect::NoWayOut, &Budget::unlimited()).expect("no limit");
    let counts = Counts::new(&analysis, &Budget::unlimited()).expect("no limit");
    assert_eq!((counts.faulty, counts.faulty_kinds), (4, [1, 1, 1, 1]));
    assert_eq!(
        verdicts(LISTING_1, "[ (not A)* . B ] false"),
        [(BugVerdict::Avoidable, BugVerdict::Avoidable); 2]
    );
}

#[test]
fn listing_2_has_an_inevitable_bug() {
    let text = "
process Main [INIT, EXEC, CLOSE, AA, BB, CC: any] is
  INIT;
  EXEC;
  select
    AA; BB
  []
    CC
  end select;
  CLOSE
end process";
    let found = bugs(text, NO_CLOSE_AFTER_EXEC);
    assert_eq!(found.number(BugVerdict::Inevitable), 1);
    assert_eq!(found.occurrences.len(), 1);
    assert_eq!(found.occurrences[0].paper, BugVerdict::Inevitable);
    let rank = found.occurrences[0].rank.as_ref().expect("a bug");
    assert_eq!((rank.traces.to_string(), rank.up_to), ("2".to_owned(), 30));
    assert!((rank.probability - 1.0).abs() < 1e-9);
    assert_eq!(found.occurrences[0].way.as_ref().expect("a way").labels, ["INIT", "EXEC", "CC", "CLOSE"]);
}

#[test]
fn listing_3_has_an_avoidable_bug() {
    let text = "
process Main [INIT, EXEC, CLOSE, AA, BB, CC: any] is
  INIT;
  EXEC;
  select
    AA; BB
  []
    CC;
    CLOSE
  end select
end process";
    let found = bugs(text, NO_CLOSE_AFTER_EXEC);
    assert_eq!(found.occurrences.len(), 1);
    assert_eq!(
        (found.occurrences[0].verdict, found.occurrences[0].paper),
        (BugVerdict::Avoidable, BugVerdict::Avoidable)
    );
    let way = found.occurrences[0].way.as_ref().expect("a way");
    assert_eq!(way.avoided_by, Some((2, vec!["AA".to_owned()])));
    assert!((found.occurrences[0].rank.as_ref().expect("a bug").probability - 0.5).abs() < 1e-9);
}

const LISTING_4: &str = "
process Main [INIT, EXEC, CLOSE, AA, BB, CC: any] is
  INIT;
  select
    AA; EXEC; BB; CLOSE      (* 1st (avoidable) bug *)
  []
    CLOSE; CC                (* Not a bug *)
  []
    par
      CLOSE                  (* 2nd (avoidable) bug *)
    ||
      EXEC
    end par
  end select;
  EXEC; CLOSE                (* 3rd (inevitable) bug *)
end process";

#[test]
fn listing_4_has_two_avoidable_bugs_and_an_inevitable_one() {
    use BugVerdict::{Avoidable, Inevitable, None};
    let expected = [(Avoidable, Avoidable), (None, None), (Avoidable, Avoidable), (Inevitable, Inevitable)];
    assert_eq!(verdicts(LISTING_4, NO_CLOSE_AFTER_EXEC), expected);
    // The final counterexample LTS keeps the dummy of the inevitable bug.
    let found = bugs(LISTING_4, NO_CLOSE_AFTER_EXEC);
    let size = found.final_lts.size;
    assert_eq!((size.states, size.transitions, size.faulty), (12, 14, 2));
    assert!(found.final_lts.lts.labels().find(b"DUMMY4").is_some());
    let probabilities: f64 =
        found.occurrences.iter().filter_map(|o| o.rank.as_ref()).map(|rank| rank.probability).sum();
    assert!((probabilities - 1.0).abs() < 1e-9, "every run has a violation");
}

#[test]
fn a_dummy_at_a_state_that_is_faulty_for_another_reason_is_no_bug() {
    let text = "
process Main [INIT, EXEC, CLOSE: any] is
  INIT; select CLOSE; stop [] EXEC; CLOSE end select
end process";
    use BugVerdict::{Avoidable, None};
    assert_eq!(verdicts(text, NO_CLOSE_AFTER_EXEC), [(None, Avoidable), (Avoidable, Avoidable)]);
}

#[test]
fn an_occurrence_in_a_process_that_is_called_twice_is_one() {
    let text = "
process Main [EXEC, CLOSE, AA: any] is
  P [EXEC]; select P [CLOSE] [] AA; P [CLOSE] end select
end process
process P [G: any] is G end process";
    let found = bugs(text, NO_CLOSE_AFTER_EXEC);
    assert_eq!(found.occurrences.len(), 1);
    assert_eq!(found.number(BugVerdict::Avoidable) + found.number(BugVerdict::Inevitable), 1);
}

#[test]
fn where_the_property_holds_nothing_is_a_bug() {
    let found = bugs("process Main [EXEC, CLOSE: any] is CLOSE; EXEC end process", NO_CLOSE_AFTER_EXEC);
    assert!(found.holds);
    assert_eq!(found.number(BugVerdict::None), 1);
}

#[test]
fn the_paper_misses_a_bug_that_only_staying_in_a_loop_avoids() {
    let text = "
process Main [EXEC, WORK, CLOSE: any] is
  EXEC; loop select WORK [] CLOSE end select end loop
end process";
    assert_eq!(verdicts(text, NO_CLOSE_AFTER_EXEC), [(BugVerdict::Avoidable, BugVerdict::None)]);
}

#[test]
fn an_incomplete_system_decides_what_is_certain() {
    let text = "
module M is
!nat_sup 10000
process Main [EXEC, CLOSE, AA: any] is
  EXEC; select CLOSE; P [CLOSE, AA] (0) [] P [CLOSE, AA] (0) end select
end process
process P [CLOSE, AA: any] (x: nat) is
  AA (x); P [CLOSE, AA] (x + 1)
end process
end module";
    let property = parse_property(SourceId::default(), NO_CLOSE_AFTER_EXEC).expect("a property");
    let limits = CountLimits { most_states: 50, ..LIMITS };
    let found = count(&program(text), &property, limits, &Budget::unlimited()).expect("a result");
    assert!(found.stopped.is_some() && found.bugs.partial && !found.bugs.holds);
    assert_eq!(found.bugs.occurrences[0].verdict, BugVerdict::Undecided);
}

#[test]
fn an_incomplete_system_claims_nothing_of_what_was_not_generated() {
    // Within two states there is no run without ERR, and B's place is not reached.
    let text = "
process Main [A, B, ERR: any] is
  select ERR [] A; B end select
end process";
    let property = parse_property(SourceId::default(), "[ true* . ERR ] false").expect("a property");
    let limits = CountLimits { most_states: 2, ..LIMITS };
    let found = count(&program(text), &property, limits, &Budget::unlimited()).expect("a result");
    assert!(found.stopped.is_some());
    assert_eq!(found.bugs.occurrences[0].verdict, BugVerdict::Undecided);
    // After A there could be another ERR.
    assert_eq!(found.bugs.occurrences[0].way.as_ref().expect("a way").avoided_by, None);
    let whole = count(&program(text), &property, LIMITS, &Budget::unlimited()).expect("a result");
    assert_eq!(whole.bugs.occurrences[0].verdict, BugVerdict::Avoidable);
}

#[test]
fn runs_that_come_to_what_cannot_be_computed_do_not_count() {
    // Nothing fails as long as nothing is left out. With the first action left out, n can be 0.
    let text = "
process Main [A, SKIP, B, CLOSE: any] is
  var n: nat in
    par A in
      select A (?n of nat) [] SKIP; n := 1 end select;
      B (n - 1);
      CLOSE
    ||
      A (1 of nat)
    end par
  end var
end process";
    use BugVerdict::{Avoidable, Inevitable};
    let found = counted(text, "[ true* . ('A !1' | CLOSE) ] false");
    let verdicts: Vec<BugVerdict> = found.bugs.occurrences.iter().map(|o| o.verdict).collect();
    assert_eq!(verdicts, [Avoidable, Inevitable, Avoidable]);
    let (failure, trace) = found.fails.expect("a place");
    assert_eq!(
        (failure.message.as_str(), trace),
        ("-1 is not in nat (0 to 255)", vec!["(left out)".to_owned()])
    );
    assert!(found.stopped.is_none() && found.bugs.complete);
    // What fails although nothing is left out is an error.
    let property = parse_property(SourceId::default(), "[ true* . CLOSE ] false").expect("a property");
    let wrong = program(&text.replace("n := 1", "n := 0"));
    let found = count(&wrong, &property, LIMITS, &Budget::unlimited());
    assert!(matches!(found, Err(BugsError::Failure(_))));
}

#[test]
fn a_bug_that_only_leaving_out_another_action_avoids_says_so() {
    let found = bugs("process Main [A: any] is A; A end process", "[ A . A ] false");
    let [first, second] = found.occurrences.as_slice() else { panic!("two occurrences") };
    assert_eq!((first.verdict, second.verdict), (BugVerdict::None, BugVerdict::Avoidable));
    assert_eq!((&first.avoided_without, &second.avoided_without), (&None, &Some(vec![first.span])));
    // Where a choice avoids it, there is nothing to say.
    let found =
        bugs("process Main [A, B: any] is A; select A [] B end select end process", "[ A . A ] false");
    assert_eq!(
        (found.occurrences[1].verdict, &found.occurrences[1].avoided_without),
        (BugVerdict::Avoidable, &None)
    );
    // One of the others is not enough: the second and the third, or the first and the third.
    let found = bugs("process Main [A: any] is A; A; A; A end process", "[ A . A ] false");
    assert!(found.occurrences.iter().all(|o| o.verdict != BugVerdict::Inevitable));
    assert_eq!(found.occurrences[3].avoided_without, Some(Vec::new()));
}

/// A list cannot be left out: it could be any.
const LISTS: &str = "
module M is
type L is list of nat end type
process Main [A, CLOSE, B: any] is
  var l: L in
    par A in A (?l); CLOSE || A ({1, 2}) end par
  end var
end process
end module";

#[test]
fn what_is_too_much_to_be_left_out_leaves_the_kind_open() {
    let found = counted(LISTS, "[ true* . 'A.*' ] false");
    assert!(
        !found.bugs.holds && found.bugs.complete && matches!(found.stopped, Some(StopReason::Failure(..)))
    );
    let verdicts: Vec<BugVerdict> = found.bugs.occurrences.iter().map(|o| o.verdict).collect();
    assert_eq!(verdicts, [BugVerdict::Undecided; 2]);
    // The property is about the system in which nothing is left out.
    let found = counted(LISTS, "[ true* . CLOSE . true* . 'A.*' ] false");
    assert!(found.bugs.holds && found.bugs.complete && found.stopped.is_none());
}

#[test]
fn what_can_be_left_out_changes_no_probability() {
    // Two ways to do A and then nothing, of which one blocks what could be left out.
    let text = "
process Main [A, X, C: any] is
  select A; par C in P [C] || stop end par [] A; stop [] X; P [C] end select
end process
process P [C: any] is C end process";
    let found = bugs(text, "[ true* . X . true* . C ] false");
    assert_eq!(found.occurrences.len(), 1);
    let probability = found.occurrences[0].rank.as_ref().expect("a bug").probability;
    assert!((probability - 0.5).abs() < 1e-9, "{probability}");
}

/// So many independent choices between two ways, one after the other of which violates the property.
fn choices(number: usize) -> String {
    let branch = |n: usize| format!("select A{n}; B{n} [] C{n}; D{n} end select");
    let gates: Vec<String> =
        (1..=number).flat_map(|n| ["A", "B", "C", "D"].map(|g| format!("{g}{n}"))).collect();
    let branches: Vec<String> = (1..=number).map(branch).collect();
    format!("process MAIN [{}: any] is par {} end par end process", gates.join(", "), branches.join(" || "))
}

#[test]
fn many_parallel_choices_are_counted_by_parts() {
    let property =
        parse_property(SourceId::default(), "[ true* . B1 . true* . D2 ] false").expect("a property");
    let (limits, unlimited) = (CountLimits { most_states: 10_000, ..LIMITS }, Budget::unlimited());
    let verdicts = |bugs: &Bugs| -> Vec<(BugVerdict, Vec<String>)> {
        bugs.occurrences.iter().map(|o| (o.verdict, o.actions.clone())).collect()
    };
    let few = program(&choices(4));
    let direct = count(&few, &property, limits, &unlimited).expect("a result");
    assert!(direct.stopped.is_none());
    let by_parts = count_by_parts(&few, &property, limits.most_states, &unlimited).expect("a result");
    assert_eq!(verdicts(&by_parts), verdicts(&direct.bugs));
    let many = count_by_parts(&program(&choices(10)), &property, limits.most_states, &unlimited);
    let many = many.expect("a result");
    assert_eq!(verdicts(&many), verdicts(&direct.bugs));
    assert!(many.original.states < 50, "{:?}", many.original);
    // Without, there are more states than are allowed.
    let direct = count(&program(&choices(10)), &property, limits, &unlimited).expect("a result");
    assert!(direct.stopped.is_some());
}
