//! What editors are told of the language.

use lang::syntax::token::WORDS;

#[test]
fn the_grammar_for_editors_has_all_keywords() {
    let grammar =
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/editors/vscode/syntaxes/cladist.tmLanguage.json"));
    let known: Vec<&str> = grammar.split(|c: char| !c.is_ascii_alphabetic()).collect();
    let missing: Vec<&&str> = WORDS.iter().filter(|word| !known.contains(word)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
