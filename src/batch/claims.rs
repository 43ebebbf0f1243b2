//! The claims of protocol files, with the kinds of attacks on each of them.

use super::table::verdict;
use super::{Found, FoundClass, Row, Summary};
use crate::diagnostics::printable;
use crate::protocol::Scope;
use crate::report::ClassifyVerdict;
use itertools::Itertools;

/// A claim of a protocol file, and what is known of it.
#[derive(Debug, Clone, PartialEq)]
pub struct ClaimRow {
    /// The file without folder and ending.
    pub protocol: String,
    /// The label and what is claimed: `B1 Secret`.
    pub claim: String,
    /// `holds`, `attacks`, `reached`, `not reached`, or what is lacking: `partial (time)`, `missing`.
    pub verdict: String,
    /// The words of the classes, in alphabetical order; what is not in a word is in the paper's notation.
    pub kinds: Vec<String>,
    /// The most runs.
    pub runs: usize,
    /// The steps of a shortest attack, if there is one.
    pub steps: Option<usize>,
    /// Seconds of processor time, or of wall-clock time where that is unknown; `None` for a job that is not done.
    pub seconds: Option<f64>,
}

/// The claims of a plan, in its order.
pub fn claim_rows(summary: &Summary) -> Vec<ClaimRow> {
    summary.rows.iter().filter_map(claim_row).collect()
}

fn claim_row(row: &Row) -> Option<ClaimRow> {
    let claim = row.key.claim.clone()?;
    let is_of_a_place = claim.ends_with(" Reachable");
    let found = row.found();
    let classes = || found.into_iter().flat_map(Found::classes);
    let mut set = row.key.constants.iter().filter_map(|constant| constant.strip_prefix("RUNS="));
    Some(ClaimRow {
        protocol: row.key.model_name(),
        claim,
        verdict: match (found.map(|found| found.verdict), is_of_a_place) {
            (Some(ClassifyVerdict::Complete), false) => "attacks".to_owned(),
            (Some(ClassifyVerdict::Complete), true) => "reached".to_owned(),
            (Some(ClassifyVerdict::Holds), true) => "not reached".to_owned(),
            _ => verdict(row),
        },
        kinds: classes().map(FoundClass::word).sorted().collect(),
        runs: set.next_back().and_then(|runs| runs.parse().ok()).unwrap_or(Scope::default().runs),
        steps: classes().filter_map(|class| class.representative["steps"].as_u64()).min().map(|n| n as usize),
        seconds: found.map(|f| f.statistics.cpu_seconds.unwrap_or(f.statistics.seconds.total)),
    })
}

impl FoundClass {
    /// What the class says, without its variables: the names of its predicates without those of their libraries.
    fn word(&self) -> String {
        let mut words = self.facts.iter().map(|fact| match &fact.predicate {
            Some(name) => name.rsplit('.').next().unwrap_or_default().replace('_', " "),
            None => fact.text.clone(),
        });
        words.join(" ∧ ")
    }
}

/// The claims as a table in Markdown; `None` if the plan asks for none.
pub fn claims_markdown(summary: &Summary) -> Option<String> {
    let rows = claim_rows(summary);
    if rows.is_empty() {
        return None;
    }
    let head = "| protocol | claim | verdict | kinds | runs | steps | seconds |\n| --- | --- | --- | --- | ---: | ---: | ---: |\n";
    let lines = rows.iter().map(|row| {
        let ClaimRow { protocol, claim, verdict, kinds, runs, steps, seconds } = row;
        let kinds = if kinds.is_empty() { "–".to_owned() } else { kinds.join(", ") };
        let steps = steps.map_or_else(|| "–".to_owned(), |steps| steps.to_string());
        let seconds = seconds.map_or_else(|| "–".to_owned(), |seconds| format!("{seconds:.1}"));
        let cells = [protocol, claim, verdict, &kinds, &runs.to_string(), &steps, &seconds];
        format!("| {} |\n", cells.map(|cell| cell.replace('|', "\\|")).join(" | "))
    });
    Some(printable(&lines.fold(head.to_owned(), |table, line| table + &line)).into_owned())
}

#[cfg(test)]
mod tests {
    use super::super::State;
    use super::super::key::tests::key;
    use super::*;
    use serde_json::{Value as Json, json};

    fn class(id: usize, facts: Json, steps: usize, redundant: bool) -> Json {
        json!({
            "id": id, "constraint": "", "positions": {}, "facts": facts, "representative": { "steps": steps },
            "canonical": null, "redundant": redundant,
        })
    }

    fn done(verdict: &str, reason: Option<&str>, classes: Json) -> State {
        let statistics = json!({ "seconds": { "total": 2.5 } });
        let document = json!({ "verdict": verdict, "reason": reason, "bound": 6, "classes": classes, "statistics": statistics });
        State::Done(serde_json::from_value(document).expect("a result"))
    }

    fn row(index: usize, claim: Option<&str>, constants: &[&str], state: State) -> Row {
        let constants = constants.iter().map(ToString::to_string).collect();
        let key = super::super::Key {
            claim: claim.map(str::to_owned),
            constants,
            model: "a/p.spdl".into(),
            ..key(6)
        };
        Row { index, key, state }
    }

    #[test]
    fn a_claim_has_the_words_of_its_classes() {
        let predicate = |name: &str| json!({ "text": format!("{name}(B1, i)"), "predicate": name });
        let classes = json!([
            class(1, json!([predicate("attacks.replay"), { "text": "step@i = 2" }]), 5, false),
            class(2, json!([predicate("attacks.man_in_the_middle")]), 4, false),
            class(3, json!([predicate("attacks.oracle")]), 1, true),
        ]);
        let rows = vec![
            row(0, Some("B1 Secret"), &["AGENTS=2", "RUNS=4"], done("complete", None, classes)),
            row(1, Some("B2 Alive"), &[], done("holds", None, json!([]))),
            row(2, Some("B3 Alive"), &[], done("partial", Some("time"), json!([]))),
            row(3, Some("B4 Alive"), &[], State::Missing),
            row(4, Some("B5 Reachable"), &[], done("holds", None, json!([]))),
            row(5, None, &[], State::Missing),
        ];
        let summary = Summary { plan: "p.toml".into(), rows, series: Vec::new() };
        let expected = "\
| protocol | claim | verdict | kinds | runs | steps | seconds |
| --- | --- | --- | --- | ---: | ---: | ---: |
| p | B1 Secret | attacks | man in the middle, replay ∧ step@i = 2 | 4 | 4 | 2.5 |
| p | B2 Alive | holds | – | 3 | – | 2.5 |
| p | B3 Alive | partial (time) | – | 3 | – | 2.5 |
| p | B4 Alive | missing | – | 3 | – | – |
| p | B5 Reachable | not reached | – | 3 | – | 2.5 |
";
        assert_eq!(claims_markdown(&summary).as_deref(), Some(expected));
        let none = Summary { rows: summary.rows[5..].to_vec(), ..summary };
        assert_eq!(claims_markdown(&none), None);
    }
}
