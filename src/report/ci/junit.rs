//! JUnit: the XML that systems of continuous integration read as the result of tests.

use super::{Case, CaseStatus, Suite};
use crate::writing::markup::escape as escape_markup;
use std::fmt::Write;
use verify::document::NoveltyWord;

/// A run as a JUnit document, one test case for each property. A violated property is a failure; one that was not decided is an error;
/// one of which only the types were checked is skipped.
///
/// There is no element or attribute but those of the schema of Jenkins (`junit-10.xsd`), which others read as well.
pub fn junit(suite: &Suite) -> String {
    let count = |status| suite.cases.iter().filter(|case| case.status == status).count();
    let numbers = format!(
        "tests=\"{}\" failures=\"{}\" errors=\"{}\"",
        suite.cases.len(),
        count(CaseStatus::Failed),
        count(CaseStatus::Undecided)
    );
    let (skipped, time) = (count(CaseStatus::Skipped), format!("time=\"{:.3}\"", suite.seconds));
    let model = xml(&suite.model);
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"cladist\" {numbers} {time}>\n  \
         <testsuite name=\"{model}\" {numbers} skipped=\"{skipped}\" {time}>\n"
    );
    for case in &suite.cases {
        write_case(&mut out, suite, case);
    }
    if !suite.warnings.is_empty() {
        let _ = writeln!(out, "    <system-err>{}</system-err>", xml(&suite.warnings.join("\n")));
    }
    out.push_str("  </testsuite>\n</testsuites>\n");
    out
}

fn write_case(out: &mut String, suite: &Suite, case: &Case) {
    let (name, model) = (xml(&case.property), xml(&suite.model));
    // Writing to a string cannot fail.
    let _ = write!(out, "    <testcase name=\"{name}\" classname=\"{model}\"");
    let (element, kind) = match case.status {
        CaseStatus::Passed => {
            out.push_str("/>\n");
            return;
        }
        CaseStatus::Failed => ("failure", " type=\"violated\""),
        CaseStatus::Undecided => ("error", " type=\"undecided\""),
        CaseStatus::Skipped => ("skipped", ""),
    };
    let _ = write!(out, ">\n      <{element} message=\"{}\"{kind}", xml(&case.summary));
    if case.status == CaseStatus::Skipped {
        out.push_str("/>\n    </testcase>\n");
        return;
    }
    let line = case.place.position.map(|(line, _)| format!(":{line}")).unwrap_or_default();
    let mut text = format!("{}{line}\n", case.place.file);
    for finding in &case.findings {
        let known = match finding.known {
            Some(NoveltyWord::Same | NoveltyWord::Covered) => "known: ",
            Some(NoveltyWord::New) => "new: ",
            Some(NoveltyWord::Open) | None => "",
        };
        let _ = writeln!(text, "{known}{}\n{}", finding.message, finding.trace);
    }
    let _ = writeln!(text, "again: {}", suite.rerun);
    let _ = writeln!(out, ">{}</{element}>\n    </testcase>", xml(&text));
}

/// A text escaped for XML, without what may not stand there at all.
fn xml(text: &str) -> String {
    escape_markup(text).replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}")
}
