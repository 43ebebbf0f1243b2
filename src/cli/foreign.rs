//! Files of other tools that are no models here, and the ways that lead here.

use cladist::diagnostics::Diagnostic;
use std::io::Read;
use std::path::Path;

/// Endings of names, with the thing that such a file is, and the way that leads here.
const ENDINGS: &[(&str, &str, &str)] = &[
    ("als", "a model of Alloy", "write its steps as actions of a model"),
    ("bcg", "a transition system of CADP", "`bcg_io FILE.bcg FILE.aut` writes it for `cladist lts`"),
    ("csp", "a system in CSP", "`cladist lts` reads process texts (`.lnt`) and systems in AUT"),
    ("lts", "a transition system of mCRL2", "`ltsconvert FILE.lts FILE.aut` writes it for `cladist lts`"),
    ("lus", "a program in Lustre", "write its nodes as modules in SMV, or as a model"),
    (
        "mcrl2",
        "a specification of mCRL2",
        "`mcrl22lps FILE.mcrl2 | lps2lts - FILE.aut` writes its transition system for `cladist lts`",
    ),
    ("pnml", "a Petri net", "write its transitions as actions of a model, or its state space in AUT"),
    ("prism", "a model of PRISM", "write its commands as actions; probabilities become choices"),
    ("pv", "a protocol of ProVerif", PROTOCOL),
    ("qnt", "a specification in Quint", QUINT),
    ("spthy", "a protocol of Tamarin", PROTOCOL),
];
const PROTOCOL: &str = "write its roles in the language of Scyther (`.spdl`)";
const QUINT: &str =
    "`quint compile --target json --invariant INV FILE.qnt > FILE.qnt.json` writes a file that is read";

/// Beginnings of texts, with the thing that such a file is, and the way that leads here.
const BEGINNINGS: &[(&[&str], &str, &str)] = &[
    (
        &["{\"stage\":\"compiling\"", "{\"modules\":["],
        "a document of Quint's compiler",
        "name it `….qnt.json`",
    ),
    (&["aag ", "aig "], "a circuit in AIGER", "name it `….aag` or `….aig`"),
    (
        &["des (", "des("],
        "a transition system in AUT",
        "`cladist lts` and `cladist ctl` read it; name it `….aut`",
    ),
    (&["MODULE main"], "a model in SMV", "name it `….smv`"),
    // After the number of the line.
    (&[" sort "], "a circuit in BTOR2", "name it `….btor2`"),
];

/// The most bytes of a file that are looked at.
const MOST_BYTES: u64 = 65_536;

/// Describes a file of another tool; `None` for other files.
pub fn foreign(path: &Path) -> Option<Diagnostic> {
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let by_name = ENDINGS.iter().find(|(own, ..)| *own == ending);
    let (thing, way) = match by_name {
        Some((_, thing, way)) => (*thing, *way),
        None if ending == "sts" => return None,
        None => {
            let mut bytes = Vec::new();
            std::fs::File::open(path).ok()?.take(MOST_BYTES).read_to_end(&mut bytes).ok()?;
            let text = String::from_utf8_lossy(&bytes);
            // Comments of BTOR2.
            let mut text = text.trim_start();
            while text.starts_with(';') {
                text = text.split_once('\n').map_or("", |(_, rest)| rest.trim_start());
            }
            let unnumbered = text.trim_start_matches(|c: char| c.is_ascii_digit());
            let begins = |(all, ..): &&(&[&str], _, _)| {
                all.iter().any(|own| text.starts_with(own) || unnumbered.starts_with(own))
            };
            let (_, thing, way) = BEGINNINGS.iter().find(begins)?;
            (*thing, *way)
        }
    };
    let message = format!("{}: this is {thing}, which is not read directly", path.display());
    Some(Diagnostic::error_without_place(message).with_help(way))
}
