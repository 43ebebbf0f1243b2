//! The claims of protocol files, with the kinds of attacks on each of them.

use super::table::verdict;
use super::{FoundClass, FoundClassification, Summary, SummaryRow};
use itertools::Itertools;
use kit::diagnostics::printable;
use verify::ClassifyVerdict;

/// The heads of the columns, and on which side their cells are.
const HEAD: &str = "\
| protocol | claim | verdict | kinds | runs | steps | seconds |
| --- | --- | --- | --- | ---: | ---: | ---: |
";

/// The claims of a plan as a table in Markdown, in the order of the plan; `None` if it asks for none.
///
/// *Kinds* are the words of the classes, in alphabetical order, and in the paper's notation what is not in a word; *steps* those of a
/// shortest attack; *seconds* those of processor time, or of wall-clock time where that is unknown.
pub fn claims_markdown(summary: &Summary) -> Option<String> {
    let lines: Vec<String> = summary.rows.iter().filter_map(line).collect();
    (!lines.is_empty()).then(|| printable(&format!("{HEAD}{}", lines.concat())).into_owned())
}

/// The line of a job that is about a claim.
fn line(row: &SummaryRow) -> Option<String> {
    let claim = row.key.claim.clone()?;
    let is_of_a_place = claim.ends_with(" Reachable");
    let found = row.found();
    let classes = || found.into_iter().flat_map(FoundClassification::classes);
    let verdict = match (found.map(|found| found.verdict), is_of_a_place) {
        (Some(ClassifyVerdict::Complete | ClassifyVerdict::CompleteUnbounded), false) => "attacks".to_owned(),
        (Some(ClassifyVerdict::Complete | ClassifyVerdict::CompleteUnbounded), true) => "reached".to_owned(),
        (Some(ClassifyVerdict::Holds | ClassifyVerdict::HoldsUnbounded), true) => "not reached".to_owned(),
        (Some(ClassifyVerdict::Holds | ClassifyVerdict::HoldsUnbounded), false) => "holds".to_owned(),
        _ => verdict(row),
    };
    let kinds = classes().map(FoundClass::word).sorted().join(", ");
    let steps = classes().filter_map(|class| class.representative["steps"].as_u64()).min();
    let seconds = found.map(|f| f.statistics.cpu_seconds.unwrap_or(f.statistics.seconds.total));
    let cells = [
        row.key.model_name(),
        claim,
        verdict,
        if kinds.is_empty() { none() } else { kinds },
        row.key.runs().to_string(),
        steps.map_or_else(none, |steps| steps.to_string()),
        seconds.map_or_else(none, |seconds| format!("{seconds:.1}")),
    ];
    Some(format!("| {} |\n", cells.map(|cell| cell.replace('|', "\\|")).join(" | ")))
}

/// The cell of a claim without a result.
pub fn none() -> String {
    "–".to_owned()
}

impl FoundClass {
    /// The class without its variables: the names of its predicates without those of their libraries.
    fn word(&self) -> String {
        let mut words = self.facts.iter().map(|fact| match &fact.predicate {
            Some(name) => name.rsplit('.').next().unwrap_or_default().replace('_', " "),
            None => fact.text.clone(),
        });
        words.join(" ∧ ")
    }
}
