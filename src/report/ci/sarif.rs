//! SARIF 2.1.0: the JSON that tools for code review read as the findings of an analysis.

use super::{Case, CaseStatus, CiFinding, SourcePlace, Suite};
use crate::shared::document::VERSION;
use serde_json::{Value as Json, json};
use verify::document::NoveltyWord;
use verify::sha256;

/// A run as a SARIF log: a rule for each property, and a result for each class, or each counterexample, with its trace as code flow.
/// A property that was not decided has a result of the kind `open`; one that is not violated has none.
pub fn sarif(suite: &Suite) -> Json {
    let rules: Vec<Json> = suite.cases.iter().map(rule).collect();
    let results: Vec<Json> =
        suite.cases.iter().enumerate().flat_map(|(index, case)| results(case, index)).collect();
    json!({
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {"name": "cladist", "version": VERSION, "rules": rules}},
            "columnKind": "unicodeCodePoints",
            "invocations": [invocation(suite)],
            "results": results,
        }],
    })
}

fn invocation(suite: &Suite) -> Json {
    let mut invocation = json!({"commandLine": suite.rerun, "executionSuccessful": true});
    if !suite.warnings.is_empty() {
        let warning = |text: &String| json!({"level": "warning", "message": {"text": text}});
        let warnings: Vec<Json> = suite.warnings.iter().map(warning).collect();
        invocation["toolExecutionNotifications"] = json!(warnings);
    }
    invocation
}

fn rule(case: &Case) -> Json {
    let text = case.doc.as_deref().unwrap_or(&case.property);
    json!({"id": case.property, "shortDescription": {"text": text}})
}

fn results(case: &Case, index: usize) -> Vec<Json> {
    let mut all: Vec<Json> = case.findings.iter().map(|finding| of_finding(case, index, finding)).collect();
    let is_open = case.status == CaseStatus::Undecided;
    if is_open || all.is_empty() && case.status == CaseStatus::Failed {
        let (kind, level) = if is_open { ("open", "none") } else { ("fail", "error") };
        all.push(json!({
            "ruleId": case.property,
            "ruleIndex": index,
            "kind": kind,
            "level": level,
            "message": {"text": format!("{}: {}", case.property, case.summary)},
            "locations": [location(&case.place)],
            "partialFingerprints": {"cladistFinding/v1": sha256(format!("{} {kind}", case.property).as_bytes())},
        }));
    }
    all
}

fn of_finding(case: &Case, index: usize, finding: &CiFinding) -> Json {
    let steps = finding.steps.iter().enumerate().map(|(number, step)| {
        let mut place = location(&step.place);
        place["message"] = json!({"text": format!("{number}: {}", step.label)});
        json!({"executionOrder": number + 1, "location": place})
    });
    let mut result = json!({
        "ruleId": case.property,
        "ruleIndex": index,
        "kind": "fail",
        "level": "error",
        "message": {"text": finding.message},
        "locations": [location(&case.place)],
        "codeFlows": [{"threadFlows": [{"locations": steps.collect::<Vec<Json>>()}]}],
        "partialFingerprints": {"cladistFinding/v1": sha256(finding.identity.as_bytes())},
    });
    let state = match finding.known {
        Some(NoveltyWord::Same) => Some("unchanged"),
        Some(NoveltyWord::Covered) => Some("updated"),
        Some(NoveltyWord::New) => Some("new"),
        Some(NoveltyWord::Open) | None => None,
    };
    if let Some(state) = state {
        result["baselineState"] = json!(state);
    }
    result
}

fn location(place: &SourcePlace) -> Json {
    let mut physical = json!({"artifactLocation": {"uri": uri(&place.file)}});
    if let Some((line, column)) = place.position {
        physical["region"] = json!({"startLine": line, "startColumn": column});
    }
    json!({"physicalLocation": physical})
}

/// A path as the reference of a URI: relative, unless the path is absolute.
pub fn uri(path: &str) -> String {
    let mut out = if path.starts_with('/') { "file://".to_owned() } else { String::new() };
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                out.push(byte as char)
            }
            byte => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}
