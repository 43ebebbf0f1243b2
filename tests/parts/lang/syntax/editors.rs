//! What editors are told of the language.

use lang::syntax::token::WORDS;

#[test]
fn the_grammars_for_editors_have_all_keywords() {
    const GRAMMARS: [&str; 2] = [
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/editors/vscode/syntaxes/cladist.tmLanguage.json")),
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/editors/tree-sitter-cladist/grammar.js")),
    ];
    for grammar in GRAMMARS {
        let known: Vec<&str> = grammar.split(|c: char| !c.is_ascii_alphabetic()).collect();
        let missing: Vec<&&str> = WORDS.iter().filter(|word| !known.contains(word)).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }
}
