//! Wrong texts: what is reported, where, and what is said to do about it.

use super::{rendered, summaries};
use kit::diagnostics::SourceId;
use lang::syntax::ast::ItemKind;
use lang::syntax::{parse, parse_expression, parse_formula};

#[test]
fn every_mistake_has_place_cause_and_help() {
    let blocks: Vec<&str> = include_str!("mistakes.txt").trim_end().split("\n\n").skip(1).collect();
    assert!(blocks.len() > 150);
    let mut wrong = String::new();
    for block in blocks {
        let (head, expected) = block.split_once('\n').expect("a text and what is said about it");
        let (kind, text) = head.split_once(": ").unwrap_or((head.trim_end_matches(':'), ""));
        let text = text.replace('⏎', "\n");
        let text = match kind {
            "expression" | "formula" | "file" => text,
            "declaration" => format!("model m;\n{text}"),
            "statement" => format!("model m;\naction a {{\n{text}\n}}"),
            _ => panic!("unknown kind of text: {head}"),
        };
        let diagnostics = match kind {
            "expression" => parse_expression(SourceId(0), &text).1,
            "formula" => parse_formula(SourceId(0), &text).1,
            _ => parse(SourceId(0), &text).1,
        };
        assert!(diagnostics.iter().all(|d| d.is_error() && d.help.is_some()), "{head}: {diagnostics:?}");
        let found = summaries(&text, &diagnostics).join("\n");
        if found != expected {
            wrong += &format!("{head}\n{found}\n  but expected was\n{expected}\n\n");
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// A model with a mistake in nearly every line; the lines with mistakes are marked.
const MANY: &str = "\
model many;
import foo as m;                            //!
const N : 0..9 == 3;                        //!
type A = enum { X Y, Z };                   //!
type B = record { a: A; b: set A };         //! //!
var x : bool                                //!
var y : map A -> bool;                      //!
var z : A;
init {
  x = true && y;                            //!
  z = = X;                                  //!
  y[X] = false                              //!
}
def f(a: A): A = if a then b;               //!
action go(a A) {                            //!
  x = true;                                 //!
  x' = f(a b) + g(, c);                     //! //!
  require a < b < c;                        //!
  y'[X]' = { a, b ;                         //!
  if x then { x' = !x; }                    //!
  if x { x' = not; } else { z' = X }        //! //!
  z' = X;
}
action stay { }
invariant i: next(x) = True;                //! //!
invarient j: x;                             //!
ltl l: always (p implies q);                //!
vocabulary v = { eq(x, ), before next, p };  //!
pred last(t: pos) = x@t and $;              //!
";

#[test]
fn one_run_reports_the_mistakes_of_every_line() {
    let (file, diagnostics) = parse(SourceId(0), MANY);
    let found: Vec<usize> = summaries(MANY, &diagnostics)
        .iter()
        .map(|summary| summary.split_once(':').expect("line:column").0.parse().expect("a line"))
        .collect();
    let expected: Vec<usize> =
        MANY.lines().enumerate().flat_map(|(at, line)| vec![at + 1; line.matches("//!").count()]).collect();
    assert_eq!(found, expected, "{}", rendered(MANY));
    let names: Vec<&str> = file
        .items
        .iter()
        .filter_map(|item| match &item.kind {
            ItemKind::Action { name, .. } | ItemKind::Invariant { name, .. } | ItemKind::Var { name, .. } => {
                Some(name.name.as_str())
            }
            _ => None,
        })
        .collect();
    // What could be read is in the tree.
    assert_eq!(names, ["x", "z", "go", "stay", "i"]);
}

#[test]
fn as_users_see_it() {
    let text = "model m;\naction a {\n\tx' = f(1 + (y or z;\n  require a == b\n}";
    let expected = "\
error: expected `)`, found `;`
 --> t.sts:3:20
  |
3 |     x' = f(1 + (y or z;
  |                       ^
 --> t.sts:3:13
  |
3 |     x' = f(1 + (y or z;
  |                ^ this `(` is not closed
   = help: add `)` before `;`
error: `==` is not part of the language
 --> t.sts:4:13
  |
4 |   require a == b
  |             ^^
   = help: equality is a single `=`
error: missing `;`
 --> t.sts:4:17
  |
4 |   require a == b
  |                 ^
   = help: add `;` after `b`
";
    assert_eq!(rendered(text), expected);
}

#[test]
fn an_open_brace_is_shown() {
    let text = "model m;\naction a {\n  require b;\n\naction c {}";
    let (file, diagnostics) = parse(SourceId(0), text);
    assert_eq!(file.items.len(), 2);
    assert_eq!(diagnostics.len(), 1);
    assert_eq!(diagnostics[0].related[0].message, "this `{` is not closed");
    assert_eq!(diagnostics[0].related[0].span.start, 18);
}
