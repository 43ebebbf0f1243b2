//! The claims of protocol files, with the kinds of attacks on each of them.

use super::table::verdict;
use super::{Found, FoundClass, Row, Summary};
use crate::diagnostics::printable;
use crate::verify::ClassifyVerdict;
use itertools::Itertools;

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
fn line(row: &Row) -> Option<String> {
    let claim = row.key.claim.clone()?;
    let is_of_a_place = claim.ends_with(" Reachable");
    let found = row.found();
    let classes = || found.into_iter().flat_map(Found::classes);
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

fn none() -> String {
    "–".to_owned()
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
