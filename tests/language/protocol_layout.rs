//! The layout of protocol files: only white space changes, and a second time nothing.

use super::protocol_files::published;
use crate::random::{Random, cases};
use cladist::diagnostics::SourceId;
use cladist::protocol::format;
use cladist::protocol::text::{SPDL, parse};
use regex_lite::Regex;

/// The tree of a text without places, and its comments. Blanks at the ends of lines do not count.
fn meaning(text: &str) -> (String, Vec<String>) {
    let (tree, mistakes) = parse(SourceId(0), text);
    assert!(mistakes.is_empty(), "{mistakes:?}\n{text}");
    let spans = Regex::new(r"Span \{[^}]*\}").expect("a pattern");
    let tree = spans.replace_all(&format!("{tree:?}"), "_").into_owned();
    let comments = SPDL.lex(SourceId(0), text).comments;
    let plain = |comment: &str| comment.replace("\r\n", "\n").trim_end().to_owned();
    (tree, comments.iter().map(|comment| plain(comment.text)).collect())
}

/// Lays out a text that can be read, and checks what always holds.
fn laid_out(text: &str) -> String {
    let formatted = format(text).expect("a text without mistakes");
    assert_eq!(meaning(&formatted), meaning(text), "{text}\nbecame\n{formatted}");
    let again = format(&formatted).expect("a text without mistakes");
    assert_eq!(again, formatted, "{text}");
    formatted
}

#[test]
fn published_files_keep_their_meaning() {
    let Some(paths) = published() else { return };
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("a text");
        laid_out(&text);
        laid_out(&text.replace('\n', "\r\n"));
    }
}

#[test]
fn white_space_is_canonical_and_comments_stay() {
    let text = "
# A protocol.


usertype  Key ,Stamp;const  pk2:Function ; secret sk2 : Function;
inversekeys (pk2 , sk2) ; option \"--auto\"
macro m=I,{R}k( I,R );
protocol  p( I,R ) // two roles
{

  singular role I { fresh a:Nonce;// made here
    var  T :Ticket, Nonce;

    /* the first
         message */
    send_1 ( I,R,{ I , a }{m}pk2,((a ,I)) );   # sent


    not match( T,a ); claim _I1( I,Secret,a) ;
    claim(I,Running,R,a); /* nothing */ };
  role R
  {
  }
  ;
  # the end
}
compromised(I,R),{I}sk2;untrusted  Eve;run p.I( I,R );";
    let expected = "\
# A protocol.

usertype Key, Stamp;
const pk2: Function;
secret sk2: Function;
inversekeys(pk2, sk2);
option \"--auto\";
macro m = I, {R}k(I, R);
protocol p(I, R) // two roles
{
    singular role I {
        fresh a: Nonce; // made here
        var T: Ticket, Nonce;

        /* the first
         message */
        send_1(I, R, {I, a}{m}pk2, ((a, I))); # sent

        not match(T, a);
        claim_I1(I, Secret, a);
        claim(I, Running, R, a); /* nothing */
    }
    role R {}
    # the end
}
compromised (I, R), {I}sk2;
untrusted Eve;
run p.I(I, R);
";
    assert_eq!(laid_out(text), expected);
    assert_eq!(laid_out(""), "");
    assert_eq!(laid_out("\u{feff}  # only a comment  "), "# only a comment\n");
}

#[test]
fn wide_statements_are_broken_between_terms() {
    let names: Vec<String> = (10..40).map(|number| format!("N{number}")).collect();
    let text = format!(
        "protocol p(I,R){{role I{{send_1(I,R,{{{}}}k(I,R),{});}}}}",
        names[..12].join(","),
        names.join(",")
    );
    let expected = "\
protocol p(I, R) {
    role I {
        send_1(I, R, {N10, N11, N12, N13, N14, N15, N16, N17, N18, N19, N20, N21}k(I, R), N10, N11,
            N12, N13, N14, N15, N16, N17, N18, N19, N20, N21, N22, N23, N24, N25, N26, N27, N28,
            N29, N30, N31, N32, N33, N34, N35, N36, N37, N38, N39);
    }
}
";
    assert_eq!(laid_out(&text), expected);
}

#[test]
fn a_text_with_mistakes_is_refused() {
    let mistakes = format("protocol p(I, R) { role I { send_1(I R); } }").expect_err("a comma is missing");
    assert_eq!(mistakes.len(), 1);
}

#[test]
fn the_program_replaces_files_that_are_laid_out_differently() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("p.spdl");
    let fmt = |options: &[&str]| {
        let mut program = std::process::Command::new(env!("CARGO_BIN_EXE_cladist"));
        let output = program.arg("fmt").args(options).arg(&path).output().expect("it runs");
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let (text, expected) = ("protocol p( I ){role I{}} // one", "protocol p(I) {\n    role I {}\n} // one\n");
    std::fs::write(&path, text).expect("written");
    assert_eq!(fmt(&["--check"]), (Some(10), format!("{}\n", path.display())));
    assert_eq!(fmt(&["--stdout"]), (Some(0), expected.to_owned()));
    assert_eq!(std::fs::read_to_string(&path).expect("a text"), text);
    assert_eq!(fmt(&[]), (Some(0), String::new()));
    assert_eq!(std::fs::read_to_string(&path).expect("a text"), expected);
    assert_eq!(fmt(&["--check"]), (Some(0), String::new()));
    // A file with mistakes stays as it is.
    std::fs::write(&path, "protocol p(I { }").expect("written");
    assert_eq!(fmt(&[]), (Some(2), String::new()));
    assert_eq!(std::fs::read_to_string(&path).expect("a text"), "protocol p(I { }");
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 1);
}

#[test]
fn random_texts_keep_their_meaning() {
    for seed in 0..cases(1000) {
        laid_out(&Writer::new(seed).file());
    }
}

/// Writes random texts that can be read, with white space and comments between any two tokens.
struct Writer {
    random: Random,
    text: String,
}

impl Writer {
    fn new(seed: u64) -> Self {
        Self { random: Random::new(seed), text: String::new() }
    }

    fn file(mut self) -> String {
        for _ in 0..self.random.below(6) {
            match self.random.below(6) {
                0 => self.keyword_with_names("usertype"),
                1 => self.keyword_with_terms(&["untrusted"]),
                2 => {
                    let word = *self.random.pick(&["option", "include"]);
                    self.tokens(&[word, "\"a file\""]);
                    self.maybe(";");
                }
                3 => self.protocol(),
                4 => {
                    self.tokens(&["run", "p", ".", "R", "("]);
                    self.terms(1);
                    self.tokens(&[")", ";"]);
                }
                _ => self.declaration(),
            }
        }
        self.gap();
        self.text
    }

    /// White space and comments; what is needed between two names.
    fn gap(&mut self) {
        if self.random.percent(60) {
            self.text.push(' ');
            return;
        }
        for _ in 0..self.random.below(4) {
            let gaps = [
                " ",
                "\n",
                "\r\n",
                "\t",
                "// one \n",
                "# two\n",
                "#\n",
                "/* three */",
                "/* four\n  lines */",
                "\n\n\n",
            ];
            let gap = *self.random.pick(&gaps);
            self.text.push_str(gap);
        }
        self.text.push(' ');
    }

    fn tokens(&mut self, tokens: &[&str]) {
        for token in tokens {
            self.gap();
            self.text.push_str(token);
        }
    }

    fn maybe(&mut self, token: &str) {
        if self.random.percent(30) {
            self.tokens(&[token]);
        }
    }

    fn name(&mut self) {
        let names = ["I", "R", "@x", "a-b", "Ni'", "kaochow-2", "1", "^", "protocols", "send-1", "!1"];
        let name = *self.random.pick(&names);
        self.tokens(&[name]);
    }

    fn names(&mut self) {
        self.name();
        for _ in 0..self.random.below(3) {
            self.tokens(&[","]);
            self.name();
        }
    }

    fn term(&mut self, depth: usize) {
        match self.random.below(if depth > 3 { 1 } else { 5 }) {
            0 | 1 => self.name(),
            2 => {
                self.name();
                self.tokens(&["("]);
                self.terms(depth + 1);
                self.tokens(&[")"]);
            }
            3 => {
                self.tokens(&["{"]);
                self.terms(depth + 1);
                self.tokens(&["}"]);
                self.term(depth + 1);
            }
            _ => {
                self.tokens(&["("]);
                self.terms(depth + 1);
                self.tokens(&[")"]);
            }
        }
    }

    fn terms(&mut self, depth: usize) {
        self.term(depth);
        for _ in 0..self.random.below(4) {
            self.tokens(&[","]);
            self.term(depth);
        }
    }

    fn keyword_with_names(&mut self, word: &str) {
        self.tokens(&[word]);
        self.names();
        self.tokens(&[";"]);
    }

    fn keyword_with_terms(&mut self, words: &[&str]) {
        self.tokens(words);
        self.terms(0);
        self.tokens(&[";"]);
    }

    fn declaration(&mut self) {
        match self.random.below(6) {
            0 => {
                let words: [&[&str]; 6] =
                    [&["const"], &["secret"], &["secret", "const"], &["fresh"], &["var"], &["secret", "var"]];
                let words = *self.random.pick(&words);
                self.tokens(words);
                self.names();
                if self.random.percent(70) {
                    self.tokens(&[":"]);
                    if words.contains(&"var") { self.names() } else { self.name() }
                }
                self.tokens(&[";"]);
            }
            1 => {
                let word = *self.random.pick(&["inversekeys", "inversekeyfunctions"]);
                self.tokens(&[word, "("]);
                self.terms(2);
                self.tokens(&[")", ";"]);
            }
            2 => self.keyword_with_terms(&["compromised"]),
            3 => {
                self.tokens(&["macro"]);
                self.name();
                self.keyword_with_terms(&["="]);
            }
            4 => {
                self.maybe("secret");
                self.keyword_with_names("hashfunction");
            }
            _ => self.keyword_with_names("function"),
        }
    }

    fn protocol(&mut self) {
        self.tokens(&["protocol"]);
        self.name();
        self.tokens(&["("]);
        self.names();
        self.tokens(&[")", "{"]);
        for _ in 0..self.random.below(4) {
            if self.random.percent(30) { self.declaration() } else { self.role() }
        }
        self.tokens(&["}"]);
        self.maybe(";");
    }

    fn role(&mut self) {
        self.maybe("singular");
        self.tokens(&["role"]);
        self.name();
        self.tokens(&["{"]);
        for _ in 0..self.random.below(5) {
            match self.random.below(6) {
                0 => self.declaration(),
                1 => self.keyword_with_terms(&["knows"]),
                2 => {
                    self.maybe("not");
                    self.tokens(&["match", "("]);
                    self.term(1);
                    self.tokens(&[","]);
                    self.term(1);
                    self.tokens(&[")", ";"]);
                }
                event => {
                    let word = *self.random.pick(&["send", "recv", "read", "claim"]);
                    self.tokens(&[word]);
                    if word != "claim" || event == 3 {
                        self.tokens(&["_"]);
                        self.name();
                    }
                    self.tokens(&["("]);
                    self.terms(1);
                    self.tokens(&[")", ";"]);
                }
            }
        }
        self.tokens(&["}"]);
        self.maybe(";");
    }
}
