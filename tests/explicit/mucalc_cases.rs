//! Formulas of the µ-calculus: what they mean, how they are written, what is wrong with them, what is shown.

use crate::lts_common::philosophers::philosophers;
use crate::{lts_common, process_common};
use cladist::budget::Budget;
use cladist::diagnostics::{Diagnostic, SourceMap};
use cladist::lts::Lts;
use cladist::mucalc::{
    CheckError, DeclaredSort, Evidence, EvidenceShape, FormulaResult, GameStopped, LabelParts, Language,
    check, parse, resolve,
};
use std::io::ErrorKind;
use std::path::Path;

/// The answer, or what is wrong.
fn asked(
    text: &str,
    lts: &Lts,
    language: Option<Language>,
    sorts: &[&str],
) -> Result<FormulaResult, Vec<Diagnostic>> {
    let mut sources = SourceMap::new();
    let source = sources.add("formula", text);
    let load = |name: &str| match name {
        "own.mcl" => Ok("macro TWICE (A) = (A) . (A) end_macro".to_owned()),
        _ => Err(ErrorKind::NotFound.into()),
    };
    let tree = parse(&mut sources, (source, text), language, &load)?;
    let parts = LabelParts::of(lts);
    let sorts: Vec<DeclaredSort> =
        sorts.iter().map(|sort| DeclaredSort::read(sort).expect("a sort")).collect();
    let formula = resolve(&tree, lts.labels(), &parts, &sorts)?.formula;
    match check(&formula, lts, &parts, false, &Budget::unlimited()) {
        Ok(checked) => Ok(checked),
        Err(CheckError::Stopped(GameStopped::Fault(fault))) => {
            Err(vec![Diagnostic::error(fault.span, fault.message)])
        }
        Err(other) => panic!("{text}: {other:?}"),
    }
}

fn checked(text: &str, lts: &Lts) -> FormulaResult {
    asked(text, lts, None, &[]).unwrap_or_else(|found| panic!("{text}: {found:?}"))
}

fn holds(text: &str, lts: &Lts) -> bool {
    checked(text, lts).holds
}

/// A machine: coins, then tea or coffee; it can break down after a coin, and tick for ever while broken.
const MACHINE: &str =
    "des (0, 6, 4)\n(0, coin, 1)\n(1, tea, 0)\n(1, coffee, 0)\n(1, break, 2)\n(2, tick, 2)\n(2, off, 3)\n";

/// Counters: up and down between 0 and 2, with what they show.
const COUNTER: &str =
    "des (0, 8, 3)\n(0, \"up(0,1)\", 1)\n(1, \"up(1,2)\", 2)\n(2, \"down(2,1)\", 1)\n(1, \"down(1,0)\", 0)
(0, \"show([0,0],low)\", 0)\n(1, \"show([0,1],low)\", 1)\n(2, \"show([1,0],high)\", 2)\n(2, \"a(1)|b\", 2)\n";

#[test]
fn operators_mean_what_they_say() {
    let machine = lts_common::system(MACHINE);
    for (formula, expected) in [
        ("<coin> true", true),
        ("<tea> true", false),
        ("[tea] false", true),
        ("[coin] <tea> true", true),
        ("<coin . break . tick*> [true] false", false),
        ("<coin . break . tick* . off> [true] false", true),
        ("[true*] <true> true", false),
        ("[(not off)*] <true> true", true),
        ("[true* . tea . tea] false", true),
        ("<(coin . (tea | coffee))* . coin . break> true", true),
        ("<coin . tea?> <coin> true", true),
        ("<(coin . tea){3}> <coin> true", true),
        ("<(coin . tea){3}> <tea> true", false),
        ("mu X . (<off> true or <true> X)", true),
        ("nu X . <not break> X", true),
        ("nu X . <coin or tick> X", false),
        ("mu X . [true] X", false),
        ("mu X . ([not coin] X)", true),
        // Tea infinitely often on some run; ticks for ever on some run that begins here.
        ("nu X . mu Y . (<tea> X or <not tea> Y)", true),
        ("mu X . nu Y . (<tick> Y or <not tick> X)", true),
        ("nu X . mu Y . (<off> X or <not off> Y)", false),
        ("<true* . tick> @", true),
        ("<true* . tick> true and <true*> <tick> @", true),
        ("[(true* . tick)+] -|", false),
        ("<coin> true => <coin> <break> true", true),
        ("<tea> true <=> <coffee> true", true),
        ("not (<coin> true equ <coffee> true) implies true", true),
        ("['t.*'] false && <'c.*'>true", true),
        ("[!'c.*'] false", true),
        ("[nil] <coin> true", true),
        // Signs and words, and comments of both languages.
        ("% a comment\n!<tea> true && (<coin> true || false) -- another\n (* and one *)", true),
        ("<coin && !tea> true", true),
        ("[coin => tea] false", true),
        // `+` between regular formulas is a choice, after one a repetition.
        ("<coin . (tea + break)> true", true),
        ("<coin+> true and [coin+ . coin] false", true),
        ("[!coin*.tea] false", true),
    ] {
        assert_eq!(holds(formula, &machine), expected, "{formula}");
    }
}

#[test]
fn data_of_labels_are_values() {
    let counter = lts_common::system(COUNTER);
    for (formula, expected) in [
        ("<up(0, 1)> <up(1, 2)> true", true),
        ("<up(0, 0 + 1) . down(1, 0)> true", true),
        ("exists n: Nat . <true* . up(n, n + 1)> val(n == 1)", true),
        ("forall n, m: Nat . [true* . up(n, m)] val(m == n + 1)", true),
        ("forall n, m: Nat . [true* . down(n, m)] val(m < n && n <= 2)", true),
        ("forall n: Nat . val(n < 3) => <true*> (exists m: Nat . <up(n, m)> true || <down(n, m)> true)", true),
        ("forall n: Nat . val(n <= 3) => <true*> (exists m: Nat . <up(n, m)> true || <down(n, m)> true)", false),
        ("exists n: Nat . val(n in [2, 5]) && <true*> exists m: Nat . <down(n, m)> true", true),
        ("[true* . exists n: Nat . up(n, n)] false", true),
        ("[!(exists n, m: Nat . up(n, m))] <true> true", true),
        ("<forall n: Nat . !up(n, 1)> true", true),
        ("forall x, y: Nat . [true* . show([x, y], high)] val(x > y)", true),
        ("forall n, m: Nat . [true* . up(n, m)] (m == n + 1)", true),
        ("forall n, m: Nat . [true* . up(n, m)] (m != n + 1)", false),
        ("exists x: Bit . <show([0, x], low)> true", true),
        ("forall s: Shown . [true* . show([1, 0], s)] val(s == high)", true),
        ("<true* . b|a(1)> true", true),
        ("<true* . a(1)> true", false),
        // What is shown is the number of steps up minus those down; it never goes beyond 2.
        ("nu X(n: Nat = 0) . (forall i: Nat . [up(i, i + 1)] X(n + 1)) && (forall i: Nat . [down(i + 1, i)] true)
          && (forall i, j: Nat . [down(i, j)] X(Int2Nat(n - 1))) && val(n <= 2)", true),
        ("nu X(n: Nat = 0) . (forall i, j: Nat . [up(i, j)] X(n + 1)) && (forall i, j: Nat . [down(i, j)] X(Int2Nat(n - 1)))
          && val(n < 2)", false),
        ("nu X(l: List(Nat) = []) . val(#l < 5) && <true> X(l ++ [1])", false),
        ("mu X(l: List(Nat) := []) . val(l == [1, 1]) || <true> X(1 |> l)", true),
        ("exists l: Pair . <true* . show(l, low)> val(l.0 == 0 && l.1 == 1)", true),
        ("forall l: Pair . [true* . show(l, low)] val(l.0 == 1)", false),
        ("mu X(seen: Set(Nat) = {}) . val(seen == {0, 1, 2}) || exists n, m: Nat . <up(n, m)> X(seen + {n, m})", true),
        ("mu X(seen: Set(Nat) = {}) . val(3 in seen) || exists n, m: Nat . <up(n, m) || down(n, m)> X(seen + {n, m})", false),
        ("val({1, 2} * {2, 3} == {2} && {1, 2, 1} - {1} == {2} && {} <= {1} && !({1} < {1}) && #{1, 1} == 1)", true),
        ("val(exists n: Nat . n < 3 && n * n == 4)", true),
        ("val(forall n: Nat . n < 3 => n * n < 4)", false),
        ("<exists n: Nat . val(n == 1) && up(0, n)> true", true),
        ("<val(exists n: Nat . n < 1 && n == 1)> true", false),
        ("forall n: Nat . [up(0, n)] (n in [1, 2])", true),
        ("<exists n: Nat . (n <= 0) && up(n, 1)> true", true),
        // True of all but finitely many numbers.
        ("exists n: Nat . val(n > 3)", true),
        ("forall n: Nat . <up(n, 1)> true", false),
        ("exists n: Nat . val(n < 3) => <up(n, n)> true", true),
        ("forall n: Int . val(n in [1, 2]) && <up(n, n)> true", false),
        ("act up, down: Nat # Nat; b; form <true*> exists f: Nat # Nat -> Bool . <up(1, 2)> true;", true),
        ("macro N = 2 end_macro macro small (n) = (n < N) end_macro exists n: Nat . val(small(n)) && <up(n, 1)> true", true),
        ("val(if(1 < 2, head([7]) == 7, false) && max(1, 2) mod 2 == 0 && 7 div 2 == 3)", true),
    ] {
        let checked = asked(formula, &counter, Some(Language::Mcrl2), &["Bit={0,1}"]);
        assert_eq!(checked.map(|c| c.holds).map_err(|f| format!("{formula}: {f:?}")), Ok(expected));
    }
}

#[test]
fn a_bar_is_a_choice_in_mcl_and_joins_actions_in_mcrl2() {
    let lts = lts_common::system("des (0, 2, 2)\n(0, \"a|b\", 1)\n(1, a, 1)\n");
    let verdict = |text: &str, language| asked(text, &lts, language, &[]).map(|checked| checked.holds);
    assert_eq!(verdict("<a|b> true", Some(Language::Mcrl2)), Ok(true));
    assert_eq!(verdict("<a|b> true", Some(Language::Mcl)), Ok(false));
    // By the signs, if it is not said.
    assert_eq!(verdict("<a|b> true && true", None), Ok(true));
    assert_eq!(verdict("<a|b> true and true", None), Ok(false));
    assert_eq!(verdict("<true . (a|b)> true", None), Ok(true));
}

#[test]
fn macros_and_libraries_are_expanded() {
    let machine = lts_common::system(MACHINE);
    for (formula, expected) in [
        ("macro SOON (A) = mu X . (<true> true and [not (A)] X) end_macro SOON (coin)", true),
        (
            "macro SOON (A) = mu X . (<true> true and [not (A)] X) end_macro [coin] SOON (tea or coffee)",
            false,
        ),
        ("macro DRINK = (tea or coffee) end_macro <coin . DRINK> true", true),
        (
            "macro P (A) = <A> true end_macro macro P (A, B) = <A . B> true end_macro P (coin) and P (coin, tea)",
            true,
        ),
        ("library own.mcl end_library <coin . tea . coin . TWICE (break | tick)> true", true),
        ("library standard.mcl end_library DEADLOCK_FREE", false),
        ("library standard.mcl end_library LIVELOCK_FREE", true),
        ("library standard.mcl end_library EF (DEADLOCK)", true),
        ("library standard.mcl end_library NEVER (true* . tea . tea)", true),
        ("library standard.mcl end_library POSSIBLE (true* . tick . tick)", true),
        ("library standard.mcl end_library ALWAYS (<coin> true or not <coin> true)", true),
        ("library standard.mcl end_library INEVITABLE (coin)", true),
        ("library standard.mcl end_library INEVITABLE (tea)", false),
        ("library standard.mcl end_library FAIRLY_INEVITABLE (tea)", false),
        ("library standard.mcl end_library FAIRLY_INEVITABLE (off or coffee)", true),
        ("library standard.mcl end_library RESPONSE (coin, tea or coffee or break)", true),
        ("library standard.mcl end_library RESPONSE (coin, tea or coffee)", false),
        ("library standard.mcl end_library PRECEDENCE (coin, tea)", true),
        ("library standard.mcl end_library PRECEDENCE (tea, break)", false),
        ("library standard.mcl end_library ABSENCE_BETWEEN (tick, coin, break)", true),
        ("library standard.mcl end_library AG (EF (<tick> true))", false),
        ("library standard.mcl end_library AF (<tea> true)", true),
        ("library standard.mcl end_library AF (DEADLOCK)", false),
        ("library standard.mcl end_library EG (not <off> true)", true),
        ("library standard.mcl end_library AU (<coin> true, <tea> true)", true),
        ("library standard.mcl end_library EU (not <tick> true, DEADLOCK)", false),
    ] {
        assert_eq!(holds(formula, &machine), expected, "{formula}");
    }
}

#[test]
fn mistakes_have_a_place_and_help() {
    let counter = lts_common::system(COUNTER);
    for (formula, messages) in [
        ("", &["the formula is empty"][..]),
        ("<up(0, 1)>", &["expected a formula"]),
        ("[true* . ] false", &["expected an action"]),
        ("<coin> true)", &["or the end of the formula, but found `)`"]),
        ("mu X . not X", &["`X` stands under a negation"]),
        ("mu X . (X => <true> X)", &["`X` stands under a negation"]),
        ("mu Xs . <true> Ys", &["there is no fixpoint or macro `Ys`"]),
        ("nu X(n: Nat = 0) . X", &["`X` has 1 parameters, but 0 values"]),
        ("<not (up(0, 1)*)> true", &["only single actions can be negated"]),
        ("<up(one, 1)> <up(two, 1)> true", &["`one` is no variable", "`two` is no variable"]),
        ("<up(f(1), 1)> true", &["`f` is no function that is known here"]),
        ("exists l: Lists . val(#l > 3)", &["`exists l: Lists` ranges over"]),
        ("forall n: Any . <up(n, 1)> true", &["`forall n: Any` ranges over"]),
        (
            "forall d: D . <true*> exists e: D . val(d != e)",
            &["`exists e: D` ranges over", "`forall d: D` ranges over"],
        ),
        ("val(1 + true)", &["+ cannot be applied to 1 and true"]),
        ("val(head([]) == 1)", &["this list is empty"]),
        ("val(1)", &["1 is no truth value"]),
        ("val(4 mod 0 == 0)", &["the divisor is not positive"]),
        ("<up(0,1)@3> true", &["expected"]),
        ("<'['> true", &["`[` is not closed by `]`"]),
        ("<a{20000}> true", &["at most 10000 repetitions"]),
        ("<\"a> true", &["this quotation is not closed"]),
        ("(* true", &["unterminated comment"]),
        ("macro A (B) = <B> true A (up)", &["`macro` has no `end_macro`"]),
        ("macro A (B = <B> true end_macro true", &["this is no definition of a macro"]),
        ("macro A (B) = A (B) end_macro A (up)", &["macro `A` uses itself"]),
        ("macro A (B) = <B> true end_macro A (up, down)", &["macro `A` has 1 arguments, but 2 are given"]),
        (
            "library none.mcl, no.mcl end_library true",
            &["cannot read library no.mcl", "cannot read library none.mcl"],
        ),
    ] {
        let found = asked(formula, &counter, None, &[]).expect_err(formula);
        let shown: Vec<&str> = found.iter().map(|d| d.message.as_str()).collect();
        for message in messages {
            assert!(shown.iter().any(|shown| shown.contains(message)), "{formula}: {shown:?}");
        }
        assert!(found.iter().all(|d| d.span.is_some()), "{formula}: {found:?}");
    }
    let long = vec!["<up> true"; 3_000].join(" and ");
    assert!(asked(&long, &counter, None, &[]).is_ok());
}

/// Nesting is limited before the stack ends that the main thread of the program usually has; not optimised, it takes more than tests have.
#[test]
fn deep_nesting_is_a_mistake() {
    let refused = || {
        let counter = lts_common::system(COUNTER);
        for text in ["(".repeat(100_000), "<up>".repeat(5_000) + "true", "not ".repeat(5_000) + "true"] {
            assert!(asked(&text, &counter, None, &[]).is_err());
        }
    };
    let thread = std::thread::Builder::new().stack_size(8 << 20).spawn(refused).expect("a thread");
    thread.join().expect("no overflow");
}

fn labels(evidence: &Evidence, lts: &Lts) -> Vec<String> {
    evidence.steps.iter().map(|step| lts.labels().text(step.label).into_owned()).collect()
}

#[test]
fn evidence_is_a_path_a_lasso_or_a_subgraph() {
    let machine = lts_common::system(MACHINE);
    for (formula, expected, shape, steps, shows) in [
        ("[true* . off] false", false, EvidenceShape::Path, "coin break off", "<true*> <off> true"),
        ("[true*] <true> true", false, EvidenceShape::Path, "coin break off", "<true*> [true] false"),
        ("<true* . tick> true", true, EvidenceShape::Lasso(2), "coin break tick", "<true*> <tick> true"),
        ("mu X . [not off] X", false, EvidenceShape::Lasso(2), "coin break tick", "nu X . <not off> X"),
        (
            "mu X . (<true> true and [not tick] X)",
            false,
            EvidenceShape::Path,
            "coin break off",
            "nu X . ([true] false or <not tick> X)",
        ),
        ("<coin> (<tea> true and <break> true)", true, EvidenceShape::Subgraph, "coin tea break", ""),
    ] {
        let checked = checked(formula, &machine);
        assert_eq!(checked.holds, expected, "{formula}");
        let evidence = checked.evidence.unwrap_or_else(|| panic!("nothing is shown for {formula}"));
        assert_eq!(labels(&evidence, &machine).join(" "), steps, "{formula}");
        assert_eq!(evidence.shape(), shape, "{formula}");
        assert!(shows.is_empty() || evidence.shows == shows, "{}", evidence.shows);
    }
    // That something holds everywhere cannot be seen on a part.
    assert!(checked("[true* . tea . tea] false", &machine).evidence.is_none());
}

#[test]
fn philosophers_starve_and_stop() {
    let (table, rows) = philosophers(4);
    assert!(!holds("[true*] <true> true", &table));
    let stopped = checked("[true*] <true> true", &table).evidence.expect("a counterexample");
    assert_eq!(stopped.steps.len(), 4, "all take their left forks: {:?}", labels(&stopped, &table));
    assert!(holds("<true* . 'EAT !0' . true* . 'EAT !2'> true", &table));
    // Nobody can eat while a neighbour does: between taking the right fork and dropping both.
    assert!(holds(
        "forall p: Nat . val(p < 4) => [true* . TAKE_R(p) . (!DROP(p))* . TAKE_L((p + 1) mod 4)] false",
        &table
    ));
    // The first one may never eat, though some other one does for ever.
    assert!(holds("nu X . <(not 'EAT !0')* . 'EAT !2'> X", &table));
    assert_eq!(table.states(), rows.len());
}

/// What is stated of the alternating bit protocol by those who publish it with mCRL2, in words of our own.
#[test]
fn the_alternating_bit_protocol_has_its_published_properties() {
    let text = std::fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("specs/processes/alternating_bit.lnt"),
    );
    let lts = process_common::system(&text.expect("the text"));
    for (formula, expected) in [
        // No deadlock.
        ("[true*] <true> true", true),
        // What is received was sent before, and nothing is received twice.
        ("forall d: Bool . [(!SEND(d))* . RECV(d)] false", true),
        (
            "[true*] forall d: Bool . [SEND(d) . (!SEND(d) && !RECV(d))* . RECV(d) . (!SEND(d))* . RECV(d)] false",
            true,
        ),
        // Received at last: not on all runs, but on those that do not lose for ever.
        ("[true*] forall d: Bool . [SEND(d)] mu X . (<true> true && [!RECV(d)] X)", false),
        ("[true*] forall d: Bool . [SEND(d)] nu Y . mu Z . ([!RECV(d) && !LOST] Z && [LOST] Y)", true),
        ("[true*] forall d: Bool . [SEND(d)] [(!RECV(d))*] <(!RECV(d))* . RECV(d)> true", true),
        // Messages can be lost for ever, and received for ever.
        ("<true*> nu X . mu Y . (<LOST> X || <!LOST> Y)", true),
        ("nu X . mu Y . (<RECV(true)> X || <!RECV(true)> Y)", true),
        // Sending a message that is possible again and again need not happen: there is another one.
        (
            "forall d: Bool . [true*] nu X. mu Y. nu Z. ([SEND(d)] X && ([SEND(d)] false || [!SEND(d)] Y) && [!SEND(d)] Z)",
            false,
        ),
    ] {
        let checked = asked(formula, &lts, Some(Language::Mcrl2), &[]);
        assert_eq!(checked.map(|c| c.holds).map_err(|f| format!("{formula}: {f:?}")), Ok(expected));
    }
}
