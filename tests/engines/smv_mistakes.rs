//! What is refused of SMV, with place and help.

use cladist::diagnostics::render;
use cladist::smv::import_text;

/// A text after `MODULE main` and a newline, and what is said of it: line, column, message, help.
type Refusal = (&'static str, (usize, usize), &'static str, &'static str);

const REFUSALS: &[Refusal] = &[
    // What is not read.
    ("VAR x : word[50];", (2, 14), "a word has 50 bits", "1 to 42"),
    ("VAR x : integer;", (2, 9), "`integer` is not supported", "range"),
    ("VAR x : real;", (2, 9), "`real` is not supported", "range"),
    ("VAR p : process m;", (2, 17), "unknown module `m`", "a type is"),
    ("VAR a : array integer of boolean;", (2, 15), "arrays have a constant range here", "0..3"),
    ("ISA m", (2, 5), "unknown module `m`", ""),
    ("VAR x : boolean; LTLSPEC O X x", (2, 26), "an operator of the future inside", "`H`"),
    ("VAR x : boolean; CTLSPEC EBF 0..300 x", (2, 26), "an operator is for 300 steps", "200"),
    ("INVAR 0ud8_3 = 1", (2, 16), "this is an integer, but a word is needed", "0ud8_1"),
    ("INVAR 0ud2_4 = 1", (2, 7), "expected an expression, but found `0ud2_4`", "42 bits"),
    ("VAR x : 0..7; INVAR x << 1 = 2", (2, 21), "this is no word", "word1"),
    ("VAR x : 0..7; INVAR x[1:0] = 2", (2, 21), "this is no word", "word1"),
    ("VAR x : word[2]; INVAR x[2:0] = x", (2, 24), "there are no such bits", "0 to 1"),
    ("#include \"m.smv\"", (2, 1), "lines of the C preprocessor are not read", "cpp"),
    ("VAR x : {TRUE, FALSE};", (2, 10), "truth values are in an enumeration", "`boolean`"),
    // Types.
    ("VAR x : boolean; INVAR x = 1", (2, 28), "this is an integer, but a truth value is needed", "TRUE"),
    ("VAR x : boolean; INVAR x + 1 = 1", (2, 24), "this is a truth value, but an integer is needed", "toint"),
    ("VAR x : 0..3; INVAR x", (2, 21), "this is an integer, but a truth value is needed", "bool(e)"),
    ("VAR x : {a}; INVAR x < 1", (2, 20), "this is a symbol, but an integer is needed", "different"),
    ("VAR x : 0..3; INVAR x = {1, 2}", (2, 25), "this is a set, but an integer is needed", "`in`"),
    (
        "VAR x : 0..3; ASSIGN next(x) := TRUE;",
        (2, 33),
        "this is a truth value, but an integer is needed",
        "toint",
    ),
    ("VAR x : boolean; INVARSPEC G x", (2, 28), "a temporal operator is in this property", "LTLSPEC"),
    ("VAR x : boolean; CTLSPEC G x", (2, 26), "an operator of LTL is in this property", "AG"),
    ("VAR x : boolean; LTLSPEC AG x", (2, 26), "an operator of CTL is in this property", "`G`"),
    ("VAR x : boolean; LTLSPEC G (AF x)", (2, 26), "operators of LTL and of CTL are in one formula", "AG EF"),
    ("VAR x : boolean; DEFINE d := G x;", (2, 30), "a temporal operator is in a definition", "LTLSPEC"),
    ("VAR x : 0..3; y : 0..3; INVAR x / y = 1", (2, 31), "this may have no value: a divisor is 0", "`case`"),
    // Names.
    ("INVAR y", (2, 7), "unknown name `y`", "VAR"),
    ("VAR level : 0..3; INVAR levels = 1", (2, 25), "unknown name `levels`", "did you mean `level`?"),
    ("VAR x : 0..3; INVAR x-1 = 1", (2, 21), "unknown name `x-1`", "write `x - 1`"),
    ("VAR x : boolean; x : boolean;", (2, 18), "`x` is declared twice", ""),
    ("VAR m : cell(1);", (2, 9), "unknown module `cell`", "a type is"),
    ("VAR m : main;", (2, 9), "modules are nested more than 100 deep", "contain itself"),
    ("VAR m : m1(1, 2); MODULE m1(p) VAR x : boolean;", (2, 9), "module `m1` has 1 parameters, but 2", ""),
    ("VAR m : m1; INVAR m.y MODULE m1 VAR x : boolean;", (2, 21), "unknown name `y`", "module `m1`"),
    (
        "VAR m : m1; INVAR m MODULE m1 VAR x : boolean;",
        (2, 19),
        "an instance of a module is no value",
        "variable",
    ),
    ("VAR a : array 0..1 of boolean; INVAR a", (2, 38), "an array is no value", "a[0]"),
    ("VAR a : array 0..1 of boolean; INVAR a[2]", (2, 40), "this index is out of bounds", "0..1"),
    ("VAR a : {x, y}; x : boolean; INVAR x", (2, 36), "`x` is also a constant", "another name"),
    // Assignments.
    ("VAR x : 0..3; ASSIGN next(x) := x + 1;", (2, 33), "`x` can get 4, which is none", "`mod`"),
    ("VAR x : 0..3; ASSIGN init(x) := {0, 4};", (2, 33), "`x` can get 4, which is none", "`mod`"),
    ("VAR x : {a, b}; y : {b, c}; ASSIGN next(x) := y;", (2, 47), "`x` can get c, which is none", "`case`"),
    ("VAR x : boolean; ASSIGN next(x) := case x : FALSE; esac;", (2, 36), "this may have no value", "`TRUE`"),
    ("VAR a : array 0..1 of boolean; i : 0..2; INVAR a[i]", (2, 48), "this may have no value", "`case`"),
    ("VAR a : array 0..1 of boolean; INVAR a[-1 mod -3]", (2, 38), "this may have no value", "`case`"),
    (
        "VAR x : 0..281474976710656; ASSIGN next(x) := x + 1;",
        (2, 47),
        "this can be 281474976710657",
        "integers lie",
    ),
    (
        "VAR x : 0..999999; IVAR i : 0..9; ASSIGN next(x) := x + i;",
        (2, 53),
        "this has too many values",
        "TRANS",
    ),
    ("VAR x : boolean; ASSIGN x := TRUE; next(x) := FALSE;", (2, 41), "`x` is assigned twice", "`case`"),
    (
        "VAR x : boolean; ASSIGN next(x) := next(y); next(y) := next(x); VAR y : boolean;",
        (2, 30),
        "depends on itself",
        "break",
    ),
    ("VAR x : boolean; y : boolean; ASSIGN x := y; y := x;", (2, 51), "`x` depends on itself", "break"),
    ("DEFINE d := !d;", (2, 14), "`d` depends on itself", "break"),
    ("FROZENVAR x : boolean; ASSIGN next(x) := x;", (2, 36), "`x` is a `FROZENVAR`", "init"),
    ("IVAR x : boolean; ASSIGN init(x) := TRUE;", (2, 31), "the input `x` is assigned", "VAR"),
    ("IVAR x : boolean; INVARSPEC x", (2, 29), "an input is read here", "VAR"),
    ("IVAR x : boolean; TRANS next(x)", (2, 30), "the next value of an input is read", "VAR"),
    ("VAR x : boolean; INIT next(x)", (2, 23), "the next state is read here", "TRANS"),
    ("VAR x : boolean; TRANS next(next(x))", (2, 29), "`next` is inside `next`", "inner"),
    (
        "VAR x : boolean; COMPASSION (x, x) CTLSPEC AF x",
        (2, 44),
        "`COMPASSION` is not supported together",
        "LTLSPEC",
    ),
    // Syntax.
    ("VAR x boolean;", (2, 7), "expected `:`, but found `boolean`", ""),
    ("VAR x : boolean INVAR x", (2, 17), "expected `;`, but found `INVAR`", ""),
    ("VAR x : boolean; INVAR x && x", (2, 27), "expected an expression, but found `&`", "single `&`"),
    ("VAR x : boolean; INVAR x == x", (2, 27), "expected an expression, but found `=`", "single `=`"),
    ("VAR x : boolean; ASSIGN next(x) = x;", (2, 33), "expected `:=`, but found `=`", "`:=`"),
    ("VAR x : boolean; INVAR (x", (3, 1), "expected `)`, but the model ends here", ""),
    ("INVARSPC x", (2, 1), "a section such as `VAR`", "INVARSPEC"),
    ("/-- never closed", (2, 1), "unterminated comment", "--/"),
    ("VAR x : 3..1;", (2, 9), "this range has no values", "bound"),
    ("VAR x : 0..y; y : 0..1;", (2, 12), "this is no constant", "constant"),
];

#[test]
fn what_is_refused_has_a_place_and_help() {
    let mut failures = Vec::new();
    for (rest, (line, column), message, help) in REFUSALS {
        let text = format!("MODULE main\n{rest}\n");
        let Err(refused) = import_text("m", "m.smv", &text) else {
            failures.push(format!("`{rest}` is read"));
            continue;
        };
        let first = &refused.diagnostics[0];
        let place = first.span.map(|span| refused.sources.line_column(span));
        let helped = first.help.as_deref().unwrap_or_default();
        if place != Some((*line, *column)) || !first.message.contains(message) || !helped.contains(help) {
            let shown: Vec<String> =
                refused.diagnostics.iter().map(|mistake| render(mistake, &refused.sources, false)).collect();
            failures.push(format!("`{rest}`:\n{}", shown.join("\n")));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn several_mistakes_are_found_in_one_run() {
    let text = "MODULE main\nVAR\n  x : integer;\n  y : boolean;\n  z boolean;\nASSIGN\n  next(y) := case y : FALSE TRUE : y; esac;\n  \
                init(y) = TRUE;\nINVARSPEC y &\nMODULE other\nVAR z : ;\n";
    let refused = import_text("m", "m.smv", text).expect_err("six mistakes");
    let lines: Vec<usize> = refused
        .diagnostics
        .iter()
        .filter_map(|mistake| mistake.span.map(|span| refused.sources.line_column(span).0))
        .collect();
    assert_eq!(lines, [3, 5, 7, 8, 10, 11], "{:?}", refused.diagnostics);
    let text = "MODULE main\nVAR\n  x : 0..1;\n  y : boolean;\nASSIGN\n  next(x) := x + 1;\n  init(y) := 3;\nINVAR q\nTRANS y = x\n";
    let refused = import_text("m", "m.smv", text).expect_err("four mistakes");
    assert_eq!(refused.diagnostics.len(), 4, "{:?}", refused.diagnostics);
}

#[test]
fn deep_and_large_texts_are_refused_or_read() {
    let deep = format!("MODULE main\nVAR x : boolean;\nINVAR {}x{}\n", "(".repeat(5_000), ")".repeat(5_000));
    assert!(import_text("m", "m.smv", &deep).is_err());
    let many = vec!["x"; 100_000].join(" & ");
    assert!(import_text("m", "m.smv", &format!("MODULE main\nVAR x : boolean;\nINVAR {many}\n")).is_err());
    // Definitions that read each other twice, so that writing them out would take for ever.
    let mut text = "MODULE main\nVAR x : boolean;\nDEFINE d0 := x;\n".to_owned();
    for number in 1..200 {
        text += &format!("d{number} := d{} & d{} | x;\n", number - 1, number - 1);
    }
    assert!(import_text("m", "m.smv", &format!("{text}INVAR d199\n")).is_ok());
    let refused = import_text("m", "m.smv", &format!("{text}TRANS next(d199)\n")).expect_err("too long");
    assert!(refused.diagnostics[0].message.contains("too long"), "{:?}", refused.diagnostics);
    // A chain from its end.
    let mut text = "MODULE main\nVAR x : boolean;\nDEFINE\n".to_owned();
    for number in 0..5_000 {
        text += &format!("d{number} := !d{};\n", number + 1);
    }
    let refused = import_text("m", "m.smv", &format!("{text}d5000 := x;\n")).expect_err("too deep");
    assert!(refused.diagnostics[0].message.contains("nested here"), "{:?}", refused.diagnostics);
    // Modules that each contain the next one twice.
    let mut text = "MODULE main\nVAR m : m0;\n".to_owned();
    for number in 0..60 {
        text += &format!("MODULE m{number}\nVAR a : m{0}; b : m{0};\n", number + 1);
    }
    let refused = import_text("m", "m.smv", &format!("{text}MODULE m60\n")).expect_err("too many");
    assert!(refused.diagnostics[0].message.contains("instances of modules"), "{:?}", refused.diagnostics);
}
