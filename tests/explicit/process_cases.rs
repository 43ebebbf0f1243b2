//! The process language: what is accepted, what it means, what is said about mistakes.

use crate::{lts_common, process_common};
use cladist::lts::LabelId;

use cladist::budget::{Budget, Exhausted};
use cladist::process::semantics::{GenerateOptions, StopReason, generate};
use cladist::process::{load, load_text};
use process_common::{bisimilar, checked, does, main, mistakes, program, system};
use std::time::Duration;

#[test]
fn every_operator_has_its_rule() {
    does("stop", &[]);
    does("null", &[(0, "exit", 1)]);
    does("i; A", &[(0, "i", 1), (1, "A", 2), (2, "exit", 3)]);
    does("A; null; null; B;", &[(0, "A", 1), (1, "B", 2), (2, "exit", 3)]);
    does("select A; stop [] B end select", &[(0, "A", 1), (0, "B", 2), (2, "exit", 3)]);
    does("alt A; stop [] stop end alt", &[(0, "A", 1)]);
    // What can end at once lets what follows begin at once.
    does("select A [] null end select; B; stop", &[(0, "A", 1), (0, "B", 2), (1, "B", 2)]);
    does("loop A end loop", &[(0, "A", 0)]);
    does(
        "loop L in A; loop select B [] break L end select end loop end loop; C; stop",
        &[(0, "A", 1), (1, "B", 1), (1, "C", 2)],
    );
    does("loop select null [] A end select end loop", &[(0, "A", 0)]);
    does(
        "disrupt A; B by C; stop end disrupt",
        &[(0, "A", 1), (1, "B", 2), (0, "C", 3), (1, "C", 3), (2, "C", 3), (2, "exit", 3)],
    );
    does("hide A: any in A; B; stop end hide", &[(0, "i", 1), (1, "B", 2)]);
    does("only if false then A end if", &[]);
    does("only if true then A; stop end if", &[(0, "A", 1)]);
    does("if false then A elsif true then B; stop else C end if", &[(0, "B", 1)]);
    does("if false then A end if; B; stop", &[(0, "B", 1)]);
}

#[test]
fn branches_meet_on_gates() {
    does("par A; stop || B; stop end par", &[(0, "A", 1), (0, "B", 2), (1, "B", 3), (2, "A", 3)]);
    does("par A in A; B || A end par", &[(0, "A", 1), (1, "B", 2), (2, "exit", 3)]);
    does("par A, B in A || B end par", &[]);
    // Gates before a branch: those that have a gate meet there.
    does(
        "par A -> A; stop || A -> A; stop || A; stop end par",
        &[(0, "A", 1), (0, "A", 2), (1, "A", 3), (2, "A", 3)],
    );
    // All have to be done at the same time.
    does("par A; stop || null end par", &[(0, "A", 1)]);
    does(
        "par select A [] null end select || null end par; B; stop",
        &[(0, "A", 1), (0, "B", 2), (1, "B", 2)],
    );
    // A hidden gate of the same name is another gate.
    does("par A in A; stop || hide A: any in A end hide; B; stop end par", &[(0, "i", 1), (1, "B", 2)]);
}

#[test]
fn values_are_offered_received_and_compared() {
    does(
        "var x: bool in A (?x); B (x, !true); stop end var",
        &[(0, "A !TRUE", 1), (0, "A !FALSE", 2), (1, "B !TRUE !TRUE", 3), (2, "B !FALSE !TRUE", 3)],
    );
    does("var x: bool in A (?x) where not (x); stop end var", &[(0, "A !FALSE", 1)]);
    does("A (?any bool); stop", &[(0, "A !TRUE", 1), (0, "A !FALSE", 1)]);
    does(
        "par A in A (3 of nat); stop || var x: nat in A (?x); B (x + 1); stop end var end par",
        &[(0, "A !3", 1), (1, "B !4", 2)],
    );
    // Different numbers of offers, types or values do not meet.
    does("par A in A (true) || A end par", &[]);
    does("par A in A (1 of nat) || A (1 of int) end par", &[]);
    does("par A in A (1 of nat) || A (2 of nat) end par", &[]);
    does("var x: bool in x := any bool where x; A (x); stop end var", &[(0, "A !TRUE", 1)]);
    does(
        "var n: nat in for n := 0 while n < 2 by n := n + 1 loop A (n) end loop end var; stop",
        &[(0, "A !0", 1), (1, "A !1", 2)],
    );
    does(
        "var n: nat in n := 2; while n > 0 loop A (n); n := n - 1 end loop; stop end var",
        &[(0, "A !2", 1), (1, "A !1", 2)],
    );
    // Variables of branches come together.
    does(
        "var x, y: nat in par x := 1; A || y := 2 end par; B (x, y); stop end var",
        &[(0, "A", 1), (1, "B !1 !2", 2)],
    );
}

#[test]
fn types_functions_and_patterns() {
    does(
        "module M is
type colour is RED, GREEN, BLUE with \"==\" end type
type small is range 1 .. 2 of nat end type
type pair is pair (left: colour, right: small) end type
type colours is list of colour end type
type some is set of colour end type
channel c is (colour), (pair, bool) end channel
function next (x: colour) : colour is
  case x in RED -> return GREEN | GREEN -> return BLUE | any -> return RED end case
end function
function count (xs: colours) : nat is
  case xs in var tail: colours in nil -> return 0 | cons (any, tail) -> return 1 + count (tail) end case
end function
process MAIN [A: c, B, C: any] is
  var p: pair, x: colour in
    A (next (BLUE));
    p := pair (GREEN, 2);
    A (p, p.right == 2);
    p := p.{left -> next (p.left)};
    B (get_left (p));
    case p in pair (x, any) where x == BLUE -> B (x) | any -> stop end case;
    B (count ({RED, RED}), head ({BLUE} of colours), {RED, GREEN, RED} of some);
    C (small (1));
    stop
  end var
end process
end module",
        &[
            (0, "A !RED", 1),
            (1, "A !PAIR (GREEN, 2) !TRUE", 2),
            (2, "B !BLUE", 3),
            (3, "B !BLUE", 4),
            (4, "B !2 !BLUE !{RED, GREEN}", 5),
            (5, "C !1", 6),
        ],
    );
}

#[test]
fn processes_are_called_with_gates_and_values() {
    does(
        "process MAIN [A, B: any] is P [A -> B, ...] (1) end process
process P [A, B: any] (n: nat) is A (n); only if n < 2 then Q [B, A]; P [...] (n + 1) end if end process
process Q [X, Y: any] is X; Y end process",
        &[(0, "B !1", 1), (1, "B", 2), (2, "B", 3), (3, "B !2", 4)],
    );
    let players = load_text(
        "p.lnt",
        "process P [G: any] (n: nat, b: bool) is G (n, b); stop end process",
        Some("p [NOTE] (7, false)"),
        &Budget::unlimited(),
    );
    assert!(bisimilar(
        &process_common::generated(&checked(players)).lts,
        &lts_common::system("des (0, 1, 2)\n(0, \"NOTE !7 !FALSE\", 1)\n")
    ));
}

#[test]
fn modules_are_read_from_files_beside() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("written");
    write("Types.lnt", "module TYPES is type t is ONE, TWO end type end module");
    write("main.lnt", "module main (types) is process MAIN [A: any] is A (ONE); stop end process end module");
    write("bad.lnt", "module bad (typos) is process MAIN is stop end process end module");
    let own = process_common::generated(&checked(load(
        &folder.path().join("main.lnt"),
        None,
        &Budget::unlimited(),
    )))
    .lts;
    assert_eq!(own.labels().text(LabelId::FIRST), "A !ONE");
    let bad = load(&folder.path().join("bad.lnt"), None, &Budget::unlimited());
    assert_eq!(bad.mistakes[0].message, "there is no module typos");
}

#[test]
fn variables_that_are_not_needed_any_more_make_no_states() {
    let lts = system(&main("var x: nat in loop A (?x) where x < 10 end loop end var"));
    assert_eq!((lts.states(), lts.transitions()), (1, 10));
}

#[test]
fn recursion_at_the_end_makes_no_states() {
    assert_eq!(system("process MAIN [A, B: any] is A; B; MAIN [A, B] end process").states(), 2);
}

#[test]
fn what_follows_from_a_missing_type_is_not_reported() {
    let text = "type color is RED, GREEN end type
channel c is (colr) end channel
function f (x: colr): color is return x end function
process P [A: any] (x: colr) is if x == RED then A end if; select A (x) [] null end select end process
process MAIN [A: c, B: any] is
  var y: colr in y := RED; A (y); A (f (GREEN)); P [B] (RED); y := nothing end var
end process";
    let missing = |place: &str| format!("{place}: there is no type colr (did you mean color?)");
    assert_eq!(
        mistakes(text),
        [
            missing("2:15"),
            missing("3:16"),
            missing("4:24"),
            missing("6:10"),
            "6:68: there is no variable or constructor nothing (declare it: `var x : nat in ... end var`)"
                .to_owned(),
        ]
    );
}

#[test]
fn every_mistake_is_reported() {
    let text = "process MAIN [A, B: any] (n: nut) is
  A (x);
  select B [] C end par;
  n := true;
  P [A] (1);
  if A then B end if;
  A !1
end process
process P [A, B: any] is A B end process";
    assert_eq!(
        mistakes(text),
        [
            "1:30: there is no type nut (did you mean nat?)",
            "2:6: there is no variable or constructor x (declare it: `var x : nat in ... end var`)",
            "3:15: there is no gate or process C (put gates in brackets after the name of the process)",
            "3:17: expected `end select`, but found `end par` (write `end select`)",
            "5:3: P has 2 gates, but is given 1 (pass one gate for each of its gates, or `[...]` for those with the same names)",
            "5:3: P has 0 value parameters, but is given 1 (give one value for each parameter)",
            "6:6: there is no variable or constructor A (declare it: `var x : nat in ... end var`)",
            "7:5: expected `[` or `(`, but found `!` (put offers in parentheses, separated by commas: `G (!e, ?x)`)",
            "9:28: expected `[`, `(`, `where` or `;`, but found `B`",
        ]
    );
    let text = "process MAIN [A, B: any] (n: nut) is
  A (x);
  select B [] D end select;
  n := 1;
  P [A] (1);
  if 3 then B end if;
  var y: nat in A (y) end var;
  var z: nat in z := 300; par z := 1 || A (z) end par end var;
  break
end process
process P [A, B: any] is A; A (1 + true) end process";
    assert_eq!(
        mistakes(text),
        [
            "1:30: there is no type nut (did you mean nat?)",
            "2:6: there is no variable or constructor x (declare it: `var x : nat in ... end var`)",
            "3:15: there is no gate or process D (put gates in brackets after the name of the process)",
            "5:3: P has 2 gates, but is given 1 (pass one gate for each of its gates, or `[...]` for those with the same names)",
            "5:3: P has 0 value parameters, but is given 1 (give one value for each parameter)",
            "6:6: this is nat or int, but bool is needed here (write an expression of type bool)",
            "7:7: y may be used before it has a value (assign to it on every path that leads to its use)",
            "8:22: no number type contains 300 (`!nat_sup N` at the beginning of the module allows larger numbers)",
            "8:31: z is assigned here and used in a parallel branch (branches cannot share variables: exchange values on a gate)",
            "9:3: there is no enclosing loop (a branch of `par` cannot leave a loop around the `par`)",
            "11:32: + is not defined for (nat or int, bool) (check the types of the operands or arguments)",
        ]
    );
}

#[test]
fn what_is_not_supported_is_named() {
    for (text, message) in [
        (
            "process MAIN (out x: nat) is x := 1 end process",
            "1:9: MAIN has parameters with `out`, so that it cannot be the main process (call it from a process without them)",
        ),
        (
            "module m with == as eq is process MAIN is stop end process end module",
            "1:10: other names for functions of all types are not supported (give them after the definition of a type, or call them by their usual names)",
        ),
        (
            "process MAIN [A: any] is par A#2 in A || A end par end process",
            "1:30: `par` with a number of branches that meet (`G#2`) is not supported (list the gates on which branches synchronise instead)",
        ),
        (
            "process MAIN is trap x: none is stop in stop end trap end process",
            "1:17: `trap` is not supported (docs/processes.md lists the supported constructs)",
        ),
        (
            "process MAIN [A: any] is A (1.5) end process",
            "1:29: expected an expression or `)`, but found `1.5` (real numbers and character literals are not supported)",
        ),
        (
            "process MAIN (x: real) is stop end process",
            "1:18: the type real is not supported (use bool, nat, int, string, ranges, enumerations, records, lists or arrays)",
        ),
        (
            "function f : nat is !external null end function",
            "1:21: definitions in another language (`!external`) are not supported (define it in the language itself)",
        ),
    ] {
        let found = mistakes(text);
        assert!(found.iter().any(|m| m == message), "{text}\n{found:#?}");
    }
}

#[test]
fn broken_texts_never_break_the_parser() {
    let text = "module M is
type t is A, B (x: nat) end type
function f (x: t) : nat is case x in var n: nat in A -> return 1 | B (n) -> return n end case end function
process MAIN [G, H: any] is
  var x: t in
    loop L in
      select G (?x); H (f (x)) where f (x) > 0 [] par G in G || G end par [] break L end select
    end loop
  end var
end process
end module";
    assert!(mistakes(text).is_empty(), "{:?}", mistakes(text));
    for at in 0..text.len() {
        mistakes(&text[..at]);
        mistakes(&text[at..]);
        for with in ["end", ";", "(", "]", "é", "||", "process", "--"] {
            mistakes(&format!("{}{with}{}", &text[..at], &text[at + 1..]));
        }
    }
    let lts = system(&main(&["A"; 20_000].join("; ")));
    assert_eq!(lts.states(), 20_002);
    let deep = format!(
        "process MAIN [A: any] is {} A {} end process",
        "select ".repeat(5000),
        "end select ".repeat(5000)
    );
    assert!(mistakes(&deep)[0].contains("nested more than"));
    let long = format!("process MAIN [A: any] is A ({} 1) end process", "1 + ".repeat(5000));
    assert!(mistakes(&long)[0].contains("more than 500 operations"));
    // Each of these alone is within the limits; the tree of both would be 40,000 high.
    let (open, sums) = ("(".repeat(150), format!("{})", " + 1".repeat(200)).repeat(150));
    let high = format!("process MAIN [A: any] is A ({open}1{sums}) end process");
    assert!(mistakes(&high)[0].contains("more than 500 operations"));
    let typed = format!("process MAIN [A: any] is A (1{}) end process", " of nat".repeat(100_000));
    assert!(mistakes(&typed)[0].contains("more than 500 operations"));
}

#[test]
fn live_variables_of_nested_loops_take_no_exponential_time() {
    let text = format!(
        "process MAIN [A: any] is var x: nat in x := 0; {} A (x); x := 1 {} end var end process",
        "loop ".repeat(150),
        "end loop ".repeat(150)
    );
    assert_eq!(system(&text).states(), 2);
}

#[test]
fn files_that_are_too_large_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("large.lnt");
    std::fs::write(&path, " ".repeat((4 << 20) + 1)).expect("written");
    let loaded = load(&path, None, &Budget::unlimited());
    assert!(loaded.mistakes[0].message.contains("larger than 4 MiB"), "{:?}", loaded.mistakes);
}

#[test]
#[cfg(unix)]
fn devices_are_refused() {
    let loaded = load(std::path::Path::new("/dev/zero"), None, &Budget::unlimited());
    assert!(loaded.mistakes[0].message.contains("not a regular file"), "{:?}", loaded.mistakes);
}

fn trouble(text: &str, most_states: usize) -> StopReason {
    let options = GenerateOptions { most_states, ..GenerateOptions::default() };
    let generated = generate(&program(text), options, &Budget::unlimited());
    generated.stopped.expect("it cannot be generated")
}

#[test]
fn what_cannot_be_computed_is_reported_with_the_way_there() {
    for (body, message, way) in [
        (
            "var n: nat in n := 250; loop A (n); n := n + 2 end loop end var",
            "256 is not in nat (0 to 255)",
            vec!["A !250", "A !252", "A !254"],
        ),
        ("var n: nat in n := 0; A (1 mod n) end var", "division by zero", vec![]),
        ("var n: nat in n := 0; loop n := n + 1 end loop end var", "256 is not in nat (0 to 255)", vec![]),
        (
            "var n: nat in n := 2; B; case n in 1 -> null | 3 -> A end case end var",
            "no branch of this `case` matches the value",
            vec!["B"],
        ),
    ] {
        let text = main(body);
        match trouble(&text, 1000) {
            StopReason::Failure(failure, trace) => assert_eq!(
                (failure.message.as_str(), trace),
                (message, way.iter().map(|s| (*s).to_owned()).collect()),
                "{body}"
            ),
            other => panic!("{other:?}"),
        }
    }
    // A process that begins with itself.
    let text = "process MAIN [A: any] is select P [A] [] A end select end process
process P [A: any] is par P [A] || A end par end process";
    assert!(matches!(trouble(text, 1000), StopReason::Failure(..)));
    // A loop that does nothing does nothing.
    assert_eq!(system(&main("loop null end loop")).transitions(), 0);
}

#[test]
fn limits_end_generating() {
    let text = "module M is !nat_sup 1000000
process MAIN [A: any] is P [A] (0) end process
process P [A: any] (n: nat) is A; P [A] (n + 1) end process end module";
    assert_eq!(trouble(text, 100), StopReason::States(100));
    let budget = Budget::unlimited();
    budget.interrupt();
    let options = GenerateOptions { most_states: 100, ..GenerateOptions::default() };
    let generated = generate(&program(text), options, &budget);
    assert_eq!(generated.stopped, Some(StopReason::Budget(Exhausted::Interrupt)));
    // Calls that are not at the end grow without end, too.
    let text = "process MAIN [A: any] is A; MAIN [A]; A end process";
    assert_eq!(trouble(text, 100), StopReason::States(100));
}

#[test]
fn limits_end_the_computation_of_arguments() {
    let text = "module M is type L is list of nat end type
        function slow (n: nat): L is
          var l: L in l := {}; loop l := append (n, append (n, l)) end loop end var
        end function
        process P [A: any] (l: L) is A (l); stop end process end module";
    let spent = Budget::unlimited().with_timeout(Duration::ZERO);
    let loaded = load_text("p.lnt", text, Some("P (slow (0))"), &spent);
    assert!(loaded.program.is_none());
    assert_eq!((loaded.exhausted, loaded.mistakes), (Some(Exhausted::Time), Vec::new()));
    // What needs no time is there all the same.
    assert_eq!(load_text("p.lnt", text, Some("P ({})"), &spent).exhausted, None);
}

#[test]
fn files_that_cannot_be_read_are_told_as_models_are() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &[u8]| std::fs::write(folder.path().join(name), text).expect("written");
    write("latin.lnt", b"module latin is -- \xe9\nend module");
    write("user.lnt", b"module user (latin) is process MAIN is stop end process end module");
    for (name, why) in [
        ("none.lnt", "there is no such file"),
        ("latin.lnt", "it is not UTF-8 text"),
        (".", "it is a directory"),
    ] {
        let path = folder.path().join(name);
        let text = load(&path, None, &Budget::unlimited());
        let message = format!("cannot read {}: {why}", path.display());
        assert_eq!(text.mistakes[0].message, message);
        assert_eq!(cladist::model::load(&path, &[]).diagnostics[0].message, message);
    }
    let used = load(&folder.path().join("user.lnt"), None, &Budget::unlimited());
    assert!(used.mistakes[0].message.ends_with("latin.lnt: it is not UTF-8 text"), "{:?}", used.mistakes);
}

#[test]
fn limits_end_what_is_done_inside_of_one_state() {
    let budget = || Budget::unlimited().with_timeout(Duration::from_millis(50));
    let any = ["v", "w", "x", "y", "z"].map(|name| format!("{name} := any nat;")).concat();
    for body in [
        // Ways to end without an action.
        format!("var v, w, x, y, z: nat in {any} A (v, w, x, y, z) end var"),
        // Ways to end together.
        format!(
            "var v, w, x, y, z: nat in par {} end par; A (v, w, x, y, z) end var",
            any.replace(';', " || ").trim_end_matches(" || ")
        ),
        // Ways to meet.
        format!("par A in {} end par", vec!["select A [] A; B [] A; C end select"; 40].join(" || ")),
        // Steps of a function.
        "A (slow (0))".to_owned(),
    ] {
        let text = format!(
            "module M is type L is list of nat end type
             function slow (n: nat): L is
               var l: L in l := {{}}; loop l := append (n, append (n, l)) end loop end var
             end function
             {} end module",
            main(&body)
        );
        let options = GenerateOptions { most_states: 1000, ..GenerateOptions::default() };
        let generated = generate(&program(&text), options, &budget());
        assert_eq!(generated.stopped, Some(StopReason::Budget(Exhausted::Time)), "{body}");
        assert!(!generated.unexplored.is_empty());
    }
}

#[test]
fn values_that_grow_without_end_are_refused() {
    let text = |kind: &str, turn: &str| {
        format!(
            "module M is type T is {kind} end type
             process MAIN [A: any] is var t: T in t := NIL; loop t := {turn} end loop end var end process
             end module"
        )
    };
    for (kind, turn, message) in [
        // Twice as many parts each time, which take no room.
        ("list of T", "{t, t}", "this value has more than 1048576 parts"),
        ("NIL, P (x, y: T)", "P (t, t)", "this value has more than 1048576 parts"),
    ] {
        match trouble(&text(kind, turn), 1000) {
            StopReason::Failure(failure, _) => assert_eq!(failure.message, message),
            other => panic!("{other:?}"),
        }
    }
    let deep = "module M is type T is NIL, P (x: T) end type
        function deep (n: int): T is
          var t: T, i: int in t := NIL; loop t := P (t) end loop end var
        end function
        process MAIN [A: any] is A (deep (1)) end process
        end module";
    match trouble(deep, 1000) {
        StopReason::Failure(failure, _) => {
            assert_eq!(failure.message, "values are nested more than 5000 deep");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn names_are_shown_as_they_are_written() {
    let text = "module M is
type Colour is Red, Green end type
process Main [Put: any] (limit: nat) is
  var Mine: Colour in
    Mine := limit;
    Mine := Rde;
    put (mien);
    Putt (1);
    Mian [Put] (1)
  end var
end process
end module";
    assert_eq!(
        mistakes(text),
        [
            "5:13: this is nat, but Colour is needed here (write an expression of type Colour)",
            "6:13: there is no variable or constructor Rde (did you mean Red?)",
            "7:10: there is no variable or constructor mien (did you mean Mine?)",
            "8:5: there is no gate or process Putt (did you mean Put?)",
            "9:5: there is no gate or process Mian (did you mean Main?)",
        ]
    );
}

#[test]
fn mistakes_of_the_rest_are_told_where_a_definition_cannot_be_read() {
    // Nothing is said that is a mistake only because something could not be read.
    let text = "module M is
type T is A B end type
type R is range 0 . 3 of nat end type
channel C is (nat end channel
function f (x nat): nat is return x end function
process P [G: any] (x) is G end process
process Main [G: C, H: any] is
  var t: T, r: R, n: nat in
    t := A; r := 2; n := f (1) + r; n := true;
    case t in A -> H | B -> null end case;
    G (?n, t.x); H (?any T); P [H] (1);
    n := n + t; Q [H]; H (false and 1)
  end var
end process
end module";
    let found = mistakes(text);
    let places: Vec<&str> = found.iter().map(|m| m.split(": ").next().unwrap_or_default()).collect();
    assert_eq!(places, ["2:13", "3:21", "4:19", "5:15", "6:22", "9:42", "12:17", "12:27"], "{found:#?}");
}
