//! Continuations where a text ends.

use super::input::{ModelParserState, Models, at_item};
use super::items;
use crate::syntax::lexer::{LexedModel, lex};
use crate::syntax::operators::TEMPORAL;
use crate::syntax::token::{ITEM_WORDS, STATEMENT_WORDS};
use kit::diagnostics::SourceId;
use kit::parsing::Expected;

/// The things that can stand at a place of a text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Completion {
    /// The words of the language.
    pub words: Vec<&'static str>,
    /// True for names of values, variables and the like.
    pub values: bool,
    /// True for names of types.
    pub types: bool,
    /// True for names of predicates.
    pub predicates: bool,
}

/// The things that can stand at the end of the beginning of a model, library or component, as far as the parser needs something there: no operators after an
/// operand.
pub fn completion(beginning: &str) -> Completion {
    let LexedModel { tokens, diagnostics, .. } = lex(SourceId::default(), beginning);
    let state = ModelParserState::new(&tokens, Models::new(beginning, &tokens, false), diagnostics);
    items::file(state.tokens_from(0));
    let expected = state.grammar.at_end.take();
    let declaration = tokens.windows(2).rev().find(|pair| at_item(&pair[0], &pair[1])).map(|pair| &pair[0]);
    let is_in = |words: &[&str]| declaration.is_some_and(|first| words.iter().any(|word| first.is(word)));
    // Where everything before is complete, a declaration.
    if expected.is_empty() {
        return Completion { words: ITEM_WORDS.to_vec(), ..Completion::default() };
    }
    let mut found = Completion::default();
    for expected in expected {
        found.add(expected, &is_in);
    }
    let mut seen = Vec::new();
    found.words.retain(|word| {
        !seen.contains(word) && {
            seen.push(*word);
            true
        }
    });
    found
}

impl Completion {
    fn add(&mut self, expected: Expected, is_in: &dyn Fn(&[&str]) -> bool) {
        let thing = match expected {
            Expected::Token(word) => {
                self.words.extend(word.starts_with(char::is_alphabetic).then_some(word));
                return;
            }
            Expected::Thing(thing) => thing,
        };
        match thing {
            "a declaration" => {
                self.words.extend(ITEM_WORDS);
                self.words.extend(["operation", "example", "counterexample"]);
            }
            "`model`, `library` or `component`" => self.words.extend(["model", "library", "component"]),
            "`type`, `value`, `observe`, `variable`, `function`" => {
                self.words.extend(["type", "value", "observe", "variable", "function"]);
            }
            "a statement" => {
                self.words.extend(STATEMENT_WORDS);
                self.words.push("let");
                self.values = true;
            }
            "an expression" | "a formula" | "a position" => {
                const WORDS: [&str; 10] =
                    ["true", "false", "none", "some", "not", "forall", "exists", "if", "map", "match"];
                self.words.extend(WORDS);
                if is_in(&["ltl", "ctl"]) {
                    self.words.extend(TEMPORAL.iter().map(|(_, word)| word));
                    self.words.push("next");
                }
                if is_in(&["pred"]) {
                    self.words.extend(["pre", "never", "established"]);
                }
                (self.values, self.predicates) = (true, true);
            }
            "a type" => {
                self.words
                    .extend(["bool", "enum", "set", "option", "record", "variant", "map", "seq", "bag"]);
                self.types = true;
            }
            "an item of a vocabulary" => {
                self.words.extend(["eq", "lacks", "absent", "order", "before", "next", "ground", "decisive"]);
                self.predicates = true;
            }
            "a pattern" | "a constructor" => {
                self.words.extend(["else", "none", "some", "true", "false"]);
                self.values = true;
            }
            "`between` or `before`" => self.words.extend(["between", "before"]),
            "a case" => self.values = true,
            _ => {}
        }
    }
}
