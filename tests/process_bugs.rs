//! The bugs of small texts, and the published examples.

mod process_common;

use cladist::budget::Budget;
use cladist::diagnostics::SourceId;
use cladist::lts::property::{Automaton, Closure, parse};
use cladist::lts::safety::{Analysis, Counts, Incorrect};
use cladist::process::bugs::{Bugs, Limits, Verdict, count};
use process_common::{generated, program};

const LIMITS: Limits = Limits { most_states: 100_000, longest: 30 };

/// `[true* . EXEC . true* . CLOSE] false`, as in the listings.
const NO_CLOSE_AFTER_EXEC: &str = "[ true* . EXEC . true* . CLOSE ] false";

fn bugs(text: &str, property: &str) -> Bugs {
    let property = parse(SourceId::default(), property).expect("a property");
    count(&program(text), &property, LIMITS, &Budget::unlimited()).expect("a result")
}

/// For each occurrence its verdict and that of the paper.
fn verdicts(text: &str, property: &str) -> Vec<(Verdict, Verdict)> {
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
    let property = parse(SourceId::default(), "[ (not A)* . B ] false").expect("a property");
    let automaton = Automaton::new(&property, lts.labels(), Closure::Prefix).expect("small");
    let analysis =
        Analysis::new(&lts, &automaton, Incorrect::NoWayOut, &Budget::unlimited()).expect("no limit");
    let counts = Counts::new(&analysis);
    assert_eq!((counts.faulty, counts.faulty_kinds), (4, [1, 1, 1, 1]));
    assert_eq!(verdicts(LISTING_1, "[ (not A)* . B ] false"), [(Verdict::Avoidable, Verdict::Avoidable); 2]);
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
    assert_eq!(found.number(Verdict::Inevitable), 1);
    assert_eq!(found.occurrences.len(), 1);
    assert_eq!(found.occurrences[0].paper, Verdict::Inevitable);
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
        (Verdict::Avoidable, Verdict::Avoidable)
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
    use Verdict::{Avoidable, Inevitable, None};
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
    use Verdict::{Avoidable, None};
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
    assert_eq!(found.number(Verdict::Avoidable) + found.number(Verdict::Inevitable), 1);
}

#[test]
fn where_the_property_holds_nothing_is_a_bug() {
    let found = bugs("process Main [EXEC, CLOSE: any] is CLOSE; EXEC end process", NO_CLOSE_AFTER_EXEC);
    assert!(found.holds);
    assert_eq!(found.number(Verdict::None), 1);
}

#[test]
fn the_paper_misses_a_bug_that_only_staying_in_a_loop_avoids() {
    let text = "
process Main [EXEC, WORK, CLOSE: any] is
  EXEC; loop select WORK [] CLOSE end select end loop
end process";
    assert_eq!(verdicts(text, NO_CLOSE_AFTER_EXEC), [(Verdict::Avoidable, Verdict::None)]);
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
    let property = parse(SourceId::default(), NO_CLOSE_AFTER_EXEC).expect("a property");
    let limits = Limits { most_states: 50, ..LIMITS };
    let found = count(&program(text), &property, limits, &Budget::unlimited()).expect("a result");
    assert!(found.stopped.is_some() && !found.holds);
    assert_eq!(found.occurrences[0].verdict, Verdict::Undecided);
}

#[test]
fn an_incomplete_system_claims_nothing_of_what_was_not_generated() {
    // Within two states there is no run without ERR, and B's place is not reached.
    let text = "
process Main [A, B, ERR: any] is
  select ERR [] A; B end select
end process";
    let property = parse(SourceId::default(), "[ true* . ERR ] false").expect("a property");
    let limits = Limits { most_states: 2, ..LIMITS };
    let found = count(&program(text), &property, limits, &Budget::unlimited()).expect("a result");
    assert!(found.stopped.is_some());
    assert_eq!(found.occurrences[0].verdict, Verdict::Undecided);
    let whole = count(&program(text), &property, LIMITS, &Budget::unlimited()).expect("a result");
    assert_eq!(whole.occurrences[0].verdict, Verdict::Avoidable);
}
