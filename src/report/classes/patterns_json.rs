//! Minimal attack patterns of a claim as JSON: `docs/schema/patterns-1.json`.

use super::characterisation::{HOLDS, PatternRequest, sentence};
use crate::shared::document::{VERSION, chart_document, diagnostic_document, seconds, source_documents};
use import::protocol::{AttackKind, AttackPattern, Characterisation, Extent};
use serde::Serialize;
use std::collections::BTreeMap;
use verify::document::{ClaimWord, StoredChart, StoredFinding, StoredSource};

/// The document of the minimal attack patterns of a claim.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct PatternsDocument {
    /// `cladist/patterns-1`.
    schema: &'static str,
    /// The version of the program.
    version: &'static str,
    /// The name of the model.
    model: String,
    /// The file as the user wrote it.
    file: String,
    /// The texts of the protocol.
    sources: Vec<StoredSource>,
    /// The values of constants from `--set`, as text.
    set: BTreeMap<String, String>,
    /// The property in the model that the protocol becomes.
    property: String,
    /// The claim in its file.
    claim: PatternClaimDocument,
    /// The result.
    verdict: CharacterisationWord,
    /// The most runs for which the patterns are all; `null` for any number.
    complete_to: Option<usize>,
    /// The verdict in one line.
    summary: String,
    /// The fewest words that describe all patterns. A pattern is of the first kind of which it has the word.
    kinds: Vec<PatternKindDocument>,
    /// The minimal patterns, those of few runs first. None contains another one, and each was replayed.
    patterns: Vec<PatternDocument>,
    /// Seconds of the search.
    seconds: f64,
    /// The warnings.
    warnings: Vec<StoredFinding>,
    /// The command line that gives this result again; empty for a library.
    rerun: String,
}

/// A claim, as in its file.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct PatternClaimDocument {
    /// The protocol.
    protocol: String,
    /// The role that claims.
    role: String,
    /// The label, as in the file.
    label: String,
    /// The claim.
    claim: Option<ClaimWord>,
    /// The term that it is about; `null` without one.
    term: Option<String>,
}

/// The result of a search for minimal attack patterns.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
enum CharacterisationWord {
    /// There is no attack with any number of runs.
    Holds,
    /// Every attack contains one of the patterns.
    Complete,
    /// Attacks of more runs may contain none.
    Partial,
}

/// A kind of attacks.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct PatternKindDocument {
    /// A word of `std/protocols.pred`; `null` for patterns without any.
    word: Option<&'static str>,
    /// Indices of its patterns.
    patterns: Vec<usize>,
}

/// A minimal attack pattern.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct PatternDocument {
    /// The number of runs.
    #[cfg_attr(feature = "schemas", schemars(range(min = 1)))]
    runs: usize,
    /// The words of `std/protocols.pred` that it has, if agents differ where they can.
    words: Vec<&'static str>,
    /// The helper protocols of which runs receive something, without `@`.
    helpers: Vec<String>,
    /// The pattern as a message sequence chart; `null` if none can be drawn. Names in small letters are agents that may be any,
    /// and `?n#1` is any value that the attacker has.
    chart: Option<StoredChart>,
    /// The agent whose long-term keys the attacker has from the start, as in the chart; `null` without one.
    exposed: Option<String>,
}

/// The document of the minimal patterns of a claim.
pub fn patterns_document(request: &PatternRequest<'_>) -> PatternsDocument {
    let PatternRequest { found, model, property, claim, .. } = request;
    let kinds = found.kinds();
    let verdict = verdict(found);
    PatternsDocument {
        schema: "cladist/patterns-1",
        version: VERSION,
        model: model.name.clone(),
        file: request.file.to_owned(),
        sources: source_documents(&model.sources),
        set: request.set.iter().cloned().collect(),
        property: property.name.clone(),
        claim: PatternClaimDocument {
            protocol: claim.protocol.clone(),
            role: claim.role.clone(),
            label: claim.label.clone(),
            claim: ClaimWord::named(claim.claim),
            term: claim.term.clone(),
        },
        verdict,
        complete_to: match found.extent {
            Extent::AnyRuns => None,
            Extent::UpTo(runs) => Some(runs),
        },
        summary: match verdict {
            CharacterisationWord::Holds => HOLDS.to_owned(),
            _ => sentence(found, &kinds),
        },
        kinds: kinds.into_iter().map(kind_document).collect(),
        patterns: found.patterns.iter().map(pattern_document).collect(),
        seconds: seconds(request.seconds),
        warnings: request.warnings.iter().map(|of| diagnostic_document(of, &model.sources)).collect(),
        rerun: request.rerun.to_owned(),
    }
}

fn verdict(found: &Characterisation) -> CharacterisationWord {
    match (found.extent, found.patterns.is_empty()) {
        (Extent::AnyRuns, true) => CharacterisationWord::Holds,
        (Extent::AnyRuns, false) => CharacterisationWord::Complete,
        (Extent::UpTo(_), _) => CharacterisationWord::Partial,
    }
}

fn kind_document(AttackKind { word, patterns }: AttackKind) -> PatternKindDocument {
    PatternKindDocument { word, patterns }
}

fn pattern_document(pattern: &AttackPattern) -> PatternDocument {
    let AttackPattern { runs, words, helpers, chart, exposed } = pattern.clone();
    PatternDocument { runs, words, helpers, chart: chart.map(chart_document), exposed }
}
