//! Process texts as they are in use: arrays, parameters that are assigned, types with a condition, strings, other names.

use crate::process_common::{does, mistakes};

#[test]
fn arrays_are_read_and_changed() {
    let text = |body: &str| {
        format!(
            "type BITS is array [1 .. 2] of bool end type
             type TABLE is array [0 .. 1] of BITS end type
             process MAIN [A, B: any] is {body} end process"
        )
    };
    does(
        &text("var x: BITS in x := BITS (false); x [2] := true; A (x, x [1], x [2]); stop end var"),
        &[(0, "A !BITS (FALSE, TRUE) !FALSE !TRUE", 1)],
    );
    does(
        &text("var t: TABLE in t := TABLE (BITS (false, true)); t [1][1] := t [0][2]; A (t); stop end var"),
        &[(0, "A !TABLE (BITS (FALSE, TRUE), BITS (TRUE, TRUE))", 1)],
    );
    // All values of an array type are received.
    does(
        &text("var x: BITS in A (?x) where x [1] == x [2]; B (x [1]); stop end var"),
        &[
            (0, "A !BITS (FALSE, FALSE)", 1),
            (0, "A !BITS (TRUE, TRUE)", 2),
            (1, "B !FALSE", 3),
            (2, "B !TRUE", 3),
        ],
    );
    does(
        "type LINE is array [-1 .. 1] of nat end type
         process MAIN [A: any] is
           var x: LINE, n: int in
             x := LINE (7, 8, 9);
             for n := -1 while n < 2 by n := n + 1 loop A (x [n]) end loop; stop
           end var
         end process",
        &[(0, "A !7", 1), (1, "A !8", 2), (2, "A !9", 3)],
    );
}

#[test]
fn functions_assign_parameters() {
    let functions = "
        function halve (in out n: nat, out odd: bool) is
          odd := n mod 2 == 1; n := n div 2
        end function
        function next (in out n: nat) : nat is
          n := n + 1; return n * 10
        end function
        function both (m: nat, out x: nat, out y: nat) is
          var n: nat in n := m; eval x := next (!?n); eval y := next (!?n) end var
        end function\n";
    let functions = functions.replace("n div 2", "div (n, 2)");
    let main = |body: &str| format!("{functions}process MAIN [A: any] is {body} end process");
    does(
        &main(
            "var n: nat, b: bool in n := 7; eval halve (!?n, ?b); A (n, b); halve (!?n, ?b); A (n, b); stop end var",
        ),
        &[(0, "A !3 !TRUE", 1), (1, "A !1 !TRUE", 2)],
    );
    does(&main("var x, y: nat in both (3, ?x, ?y); A (x, y); stop end var"), &[(0, "A !40 !50", 1)]);
}

#[test]
fn processes_assign_parameters() {
    does(
        "process GET [A: any] (out x: nat) is
           select A (!1); x := 1 [] A (!2); x := 2 end select
         end process
         process ADD [A: any] (m: nat, in out sum: nat) is A (sum); sum := sum + m end process
         process MAIN [A: any] is
           var x, s: nat in s := 0; GET [A] (?x); ADD [A] (x, !?s); ADD [A] (x, !?s); A (s); stop end var
         end process",
        &[
            (0, "A !1", 1),
            (1, "A !0", 2),
            (2, "A !1", 3),
            (3, "A !2", 4),
            (0, "A !2", 5),
            (5, "A !0", 6),
            (6, "A !2", 7),
            (7, "A !4", 4),
        ],
    );
    // A call at the end of a process that has such parameters itself still gives them back.
    does(
        "process ONE [A: any] (out x: nat) is A; x := 1 end process
         process TWO [A: any] (out x: nat) is ONE [A] (?x) end process
         process MAIN [A: any] is
           var x, y: nat in par TWO [A] (?x) || TWO [A] (?y) end par; A (x + y); stop end var
         end process",
        &[(0, "A", 1), (1, "A", 2), (2, "A !2", 3)],
    );
}

#[test]
fn types_have_conditions() {
    does(
        "type EVEN is x: nat where (x mod 2 == 0) and (x < 6) end type
         process MAIN [A: any] is var e: EVEN in A (?e); A (nat (e) + 1); stop end var end process",
        &[(0, "A !0", 1), (0, "A !2", 2), (0, "A !4", 3), (1, "A !1", 4), (2, "A !3", 4), (3, "A !5", 4)],
    );
    assert_eq!(
        mistakes(
            "type EVEN is x: nat where x mod 2 == 0 end type
             type NO is x: nat where x > 300 end type
             type FLAG is x: bool where x end type
             process MAIN [A: any] is var e: EVEN in e := 3; A (e) end var end process"
        ),
        [
            "2:42: no number type contains 300 (`!nat_sup N` at the beginning of the module allows larger numbers)",
            "3:30: a condition can only restrict a type of numbers that is defined before (check values where they are made)",
            "4:59: this is nat or int, but EVEN is needed here (numbers of EVEN are between 0 and 255 and satisfy a condition)",
        ]
    );
}

#[test]
fn strings_are_values() {
    does(
        "process MAIN [A: any] is
           var s: string in
             s := \"a b\"; A (s, s == \"a b\", s != \"\");
             case s in \"x\" -> A | any -> stop end case
           end var
         end process",
        &[(0, "A !\"a b\" !TRUE !TRUE", 1)],
    );
    // A text can use the name for a type of its own.
    does(
        "type string is x, y end type process MAIN [A: any] is A (x of string); stop end process",
        &[(0, "A !X", 1)],
    );
}

#[test]
fn operators_and_predefined_functions_have_names() {
    does(
        "module m with get, ==, < is
         type SORT is xor, and, or (n: nat), not with ==, \"!=\", < as \"before\" end type
         process MAIN [A: any] is
           A (xor, and, or (1), not, xor == and, before (xor, and), and (true, false));
           case and of SORT in xor -> stop | and -> A (or (2)); stop | any -> null end case
         end process
         end module",
        &[(0, "A !XOR !AND !OR (1) !NOT !FALSE !TRUE !FALSE", 1), (1, "A !OR (2)", 2)],
    );
    assert_eq!(
        mistakes("type T is A, B with plus as \"add\" end type process MAIN is stop end process"),
        ["1:21: T has no predefined function plus (name a predefined function before `as`)"]
    );
}

#[test]
fn fields_are_named() {
    does(
        "type PAIR is pair (x: nat, b: bool), none end type
         process MAIN [A: any] is
           var p: PAIR, n: nat in
             p := pair (b -> true, x -> 3); A (p, p.{x => 4, b -> false});
             case p in pair (b -> any bool, x -> n) -> A (n); stop | any -> null end case
           end var
         end process",
        &[(0, "A !PAIR (3, TRUE) !PAIR (4, FALSE)", 1), (1, "A !3", 2)],
    );
    assert_eq!(
        mistakes(
            "type PAIR is pair (x: nat, b: bool) end type
             process MAIN [A: any] is A (pair (x -> 1, c -> true)); A (pair (x -> 1)) end process"
        ),
        [
            "2:42: no constructor pair has fields with these names and types (give all fields of the constructor, each once)",
            "2:72: no constructor pair has fields with these names and types (give all fields of the constructor, each once)",
        ]
    );
}

#[test]
fn exceptions_and_assertions() {
    let function = "function f [E: none] (n: nat) : nat is
           if n == 0 then raise E else return n end if
         end function\n";
    does(
        &format!("{function}process MAIN [A, X: any] is A (f [E -> X] (1) + f [X] (2)); raise X end process"),
        &[(0, "A !3", 1), (1, "X", 2)],
    );
    does(
        "process MAIN [A, X: any] is
           var n: nat in A (?n) where n < 2; assert n == 1 raise X; A; stop end var
         end process",
        &[(0, "A !0", 1), (0, "A !1", 2), (1, "X", 3), (2, "A", 3)],
    );
    does(
        "function f (n: nat) : nat is
           require n > 0; ensure result < n; return n - 1
         end function
         process MAIN [A: any] is A (f (3)); stop end process",
        &[(0, "A !2", 1)],
    );
}

#[test]
fn what_interrupts_finds_the_variables_as_they_were() {
    does(
        "process MAIN [A, B: any] is
           var x: nat in x := 0; disrupt x := 1; A; x := 2; A (x) by B (x) end disrupt; B (x); stop end var
         end process",
        &[
            (0, "A", 1),
            (1, "A !2", 2),
            (2, "B !2", 4),
            (0, "B !0", 3),
            (1, "B !0", 3),
            (2, "B !0", 3),
            (3, "B !0", 4),
        ],
    );
}

#[test]
fn mistakes_in_calls_are_told() {
    assert_eq!(
        mistakes(
            "type A2 is array [3 .. 1] of nat end type
             function f (in out x: nat, out y: nat) is x := x + 1 end function
             function g (x: nat) : nat is return x end function
             process P [A: any] (out x: bool) is A end process
             process MAIN [A: any] is
               var n: nat, b: bool in
                 n := 1; f (n, ?n); f (!?n, ?b); P [A] (true); P [A] (?n); h (n); A (!?n);
                 n := f (n); n [1] := 2; eval b := g (1)
               end var
             end process"
        ),
        [
            "1:6: an array cannot have the indices 3 .. 1 (arrays have between 1 and 65536 elements)",
            "2:45: y may be used before it has a value (assign to it on every path that leads to its use)",
            "4:38: x may be used before it has a value (assign to it on every path that leads to its use)",
            "7:26: f cannot be called like this (its parameters are (in out nat, out nat); `in` takes a value, `out` takes `?x`, `in out` takes `!?x`)",
            "7:37: f cannot be called like this (its parameters are (in out nat, out nat); `in` takes a value, `out` takes `?x`, `in out` takes `!?x`)",
            "7:57: this argument must be a variable to be assigned (write `?x`)",
            "7:72: this is nat, but bool is needed here (use a variable of this type)",
            "7:76: there is no gate or process h (put gates in brackets after the name of the process)",
            "7:88: `!?` is only for calls (write `!x` or `?x`)",
            "8:23: f assigns parameters or has no result, so it is not an expression (call it as a statement: `eval x := f (e, ?y)`)",
            "8:30: there is no type of arrays (define a type: `type A is array [0 .. 3] of T end type`)",
            "8:42: g cannot be called like this (its parameters are (nat) : nat; `in` takes a value, `out` takes `?x`, `in out` takes `!?x`)",
        ]
    );
}

#[test]
fn mistakes_in_contracts_and_exceptions_are_told() {
    assert_eq!(
        mistakes(
            "function f (x: nat) : nat is return x; ensure x > 0 end function
             process MAIN [A: any] is raise Late end process"
        ),
        [
            "1:40: expected a behaviour, but found `ensure` (`ensure E;` stands at the beginning, after `is`, as `require E;` does)",
            "2:45: the process does not declare the exception Late (declare it after the name of the process: `process f [Late : none] (...)`)",
        ]
    );
}

#[test]
fn what_has_no_value_is_told_with_its_place() {
    for (text, message) in [
        (
            "type T is array [1 .. 2] of nat end type
             process MAIN [A: any] is var x: T in x := T (0); A (x [3]) end var end process",
            "3 is not an index of this array (1 to 2)",
        ),
        (
            "function f [E: none] : nat is raise E end function process MAIN [A: any] is A (f) end process",
            "the exception E is raised",
        ),
        (
            "function f (x: nat) : nat is ensure result > x; return x end function
             process MAIN [A: any] is A (f (1)) end process",
            "this assertion does not hold",
        ),
        (
            "type E is x: nat where x mod 2 == 0 end type
             process MAIN [A: any] is var e: E in e := 2; A (E (nat (e) + 1)) end var end process",
            "3 does not satisfy the condition of E",
        ),
    ] {
        let failure = crate::process_common::failure(text);
        assert_eq!(failure, message, "{text}");
    }
}

/// A comment without an end ends the text wherever it begins.
#[test]
fn comments_without_an_end_end_the_text() {
    let text = std::fs::read_to_string("specs/processes/burns_lynch_faulty.lnt").expect("a text");
    for end in (0..text.len()).step_by(61).filter(|&end| text.is_char_boundary(end)) {
        let found = mistakes(&format!("{} (* open", &text[..end]));
        assert!(!found.is_empty(), "cut at {end}");
    }
}
