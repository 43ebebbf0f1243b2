//! Vocabularies that the program found: what is said of a choice, and the result of a survey as text and JSON
//! (`docs/schema/vocabulary-1.json`).

use crate::shared::document::{VERSION, constants, diagnostic_document, seconds};
use crate::shared::verdict::{budget_word, classify_verdict, extent};
use crate::writing::columns::aligned;
use crate::writing::paint::Paint;
use classify::vocabulary::{
    AUTO, ChoiceSummary, Completeness, Cut, FEW_KINDS, Objection, Rating, SEARCH, Survey, SurveyEnd, Trial,
};
use classify::{Classification, Verdict};
use itertools::Itertools;
use kit::diagnostics::Diagnostic;
use lang::model::{Model, Property};
use serde::Serialize;
use serde_json::{Map, Value as Json};
use solvers::unroll::Lengths;
use std::fmt::Write;
use verify::document::{ClassifyVerdict, LengthsWord, StoredFinding};

/// A request for a survey of vocabularies.
#[derive(Debug)]
pub struct SurveyRequest<'a> {
    /// The model.
    pub model: &'a Model,
    /// The file of the model, as the user wrote it.
    pub file: &'a str,
    /// The property.
    pub property: &'a Property,
    /// The traces that were considered.
    pub lengths: Lengths,
    /// Warnings about the input.
    pub warnings: &'a [Diagnostic],
    /// Colours.
    pub paint: Paint,
}

/// How many vocabularies were tried: `best of 9 vocabularies tried`.
pub(crate) fn tried_text(chosen: &ChoiceSummary, what: &str) -> String {
    match chosen.tried {
        0 | 1 => "the only vocabulary tried".to_owned(),
        n => format!("{what} {n} vocabularies tried"),
    }
}

/// The number of trials that were cut short, and a note on vocabularies left out: `; one was cut short`, or nothing.
pub(crate) fn cut_text(chosen: &ChoiceSummary) -> String {
    let cut = match chosen.cut_short {
        0 => String::new(),
        1 => "; one was cut short".to_owned(),
        n => format!("; {n} were cut short"),
    };
    match chosen.left_out {
        true => format!("{cut}; others were left out after {} s, `--timeout` allows more", SEARCH.as_secs()),
        false => cut,
    }
}

/// How good a chosen vocabulary is known to be, and among how many.
pub fn chosen_text(chosen: &ChoiceSummary, result: &Classification) -> String {
    let of = |what: &str| tried_text(chosen, what);
    let cut = cut_text(chosen);
    let Rating { classes, restating, .. } = Rating::of(result);
    match result.verdict {
        Verdict::Complete if restating > 0 => {
            format!("{}; every one that suffices only restates the property{cut}", of("fewest classes among"))
        }
        Verdict::Complete if classes == 1 => format!("{}; there cannot be fewer classes{cut}", of("best of")),
        Verdict::Complete => format!("{}{cut}", of("fewest classes among")),
        Verdict::Holds | Verdict::Undecided { .. } => {
            "no violation is known, so nothing was compared".to_owned()
        }
        Verdict::Partial(_) | Verdict::TooWeak(_) | Verdict::Remainder => format!("{}{cut}", of("best of")),
    }
}

/// Why the classes with the best vocabulary that was found are no answer, in a sentence.
pub fn objection_text(objection: Objection, chosen: &ChoiceSummary) -> String {
    let tried = tried_text(chosen, "the best of");
    let some = |number: usize, one: &str, several: &str| match number {
        1 => format!("a class that {one}"),
        _ => format!("{number} classes that {several}"),
    };
    let gives = match objection {
        Objection::TooWeak => return format!("no good vocabulary was found: {tried} is too weak"),
        Objection::Incomplete(0) => "no class in its time".to_owned(),
        Objection::Incomplete(1) => "a class, and there may be others".to_owned(),
        Objection::Incomplete(classes) => format!("{classes} classes, and there may be others"),
        Objection::Many(classes) => format!("{classes} classes, more than {FEW_KINDS}"),
        Objection::Restating(n) => some(n, "only restates the property", "only restate the property"),
        Objection::Chance(n) => some(
            n,
            "is accidental (it names absent numbers or counts steps)",
            "are accidental (they name absent numbers or count steps)",
        ),
        Objection::OnBound(n) => some(n, "depends on the bound", "depend on the bound"),
    };
    format!("no good vocabulary was found: {tried} gives {gives}")
}

/// A line of the table.
struct SurveyLine<'a> {
    name: &'a str,
    predicates: Vec<String>,
    declaration: Option<String>,
    rating: Rating,
    result: &'a Classification,
    cut: Option<Cut>,
    seconds: Option<f64>,
}

impl<'a> SurveyLine<'a> {
    fn of(trial: &'a Trial) -> Self {
        Self {
            name: &trial.candidate.name,
            predicates: trial.candidate.predicates(),
            declaration: trial.candidate.declaration(),
            rating: trial.rating,
            result: &trial.result,
            cut: trial.cut,
            seconds: Some(trial.seconds),
        }
    }

    fn verdict(&self) -> String {
        match (self.rating.standing, self.cut) {
            (_, Some(Cut::Classes(most))) => format!("over {most}"),
            (Completeness::Complete, _) if self.result.verdict == Verdict::Holds => "holds".to_owned(),
            (Completeness::Complete, _) => "complete".to_owned(),
            (Completeness::Partial, _) => "partial".to_owned(),
            (Completeness::TooWeak, _) => "too weak".to_owned(),
            (Completeness::Undecided, _) => "undecided".to_owned(),
        }
    }

    /// The cells: name, verdict, classes, how much there is to read, seconds, remark.
    fn cells(&self) -> [String; 6] {
        let known = self.rating.standing == Completeness::Complete && self.rating.classes > 0;
        let number = |n: usize| if known { n.to_string() } else { String::new() };
        let remark = match self.rating.restating {
            0 => String::new(),
            n if n == self.rating.classes => "only restates the property".to_owned(),
            n => format!("{n} only restate the property"),
        };
        [
            self.name.to_owned(),
            self.verdict(),
            number(self.rating.classes),
            number(self.rating.length),
            self.seconds.map(|seconds| format!("{seconds:.2}")).unwrap_or_default(),
            remark,
        ]
    }
}

/// The trials of a choice, best first.
fn found(survey: &Survey) -> Vec<&Trial> {
    let mut found: Vec<&Trial> = survey.choice.trials.iter().collect();
    found.sort_by_key(|trial| trial.rating);
    found
}

fn chosen_line(survey: &Survey) -> SurveyLine<'_> {
    let choice = &survey.choice;
    SurveyLine {
        name: AUTO,
        predicates: choice.candidate.predicates(),
        declaration: choice.candidate.declaration(),
        rating: Rating::of(&choice.result),
        result: &choice.result,
        cut: None,
        seconds: None,
    }
}

/// The survey for the terminal: a table of vocabularies, what is never needed, and declarations to be pasted.
pub fn survey_text(request: &SurveyRequest<'_>, survey: &Survey) -> String {
    let mut out = String::new();
    let (model, paint) = (request.model, request.paint);
    let _ = writeln!(
        out,
        "vocabularies of {} ({}) for {}, traces of {}",
        model.name,
        request.file,
        request.property.name,
        extent(request.lengths)
    );
    if let Some(ended) = &survey.ended {
        let SurveyEnd { why, tried, of } = ended;
        let _ = writeln!(out, "{}", paint.bad(&format!("{why} after {tried} of {of} vocabularies")));
    }
    let all = found(survey);
    let mut lines: Vec<SurveyLine<'_>> = vec![chosen_line(survey)];
    lines.extend(survey.others.iter().map(SurveyLine::of));
    table(&mut out, paint, "declared", &survey.declared.iter().map(SurveyLine::of).collect::<Vec<_>>());
    if matches!(survey.choice.result.verdict, Verdict::Holds | Verdict::Undecided { .. }) {
        if !survey.is_violated() {
            let _ = writeln!(out, "\n  no violation is known, so no other vocabulary was searched for");
        }
        return out;
    }
    table(&mut out, paint, "found", &lines);
    let _ = writeln!(out, "\n  auto: {}", chosen_text(&survey.choice.chosen(), &survey.choice.result));
    let _ = writeln!(out, "  tried: {}; --json has all of them", outcomes_text(&all));
    if !survey.never_needed.is_empty() {
        let _ = writeln!(out, "\n{}", paint.bold("unused by every complete classification"));
        let _ = writeln!(out, "  {}", survey.never_needed.join(", "));
    }
    let _ = writeln!(out, "\n{}", paint.bold("ready to paste"));
    let predicates = lines.iter().flat_map(|line| &line.predicates).unique().flat_map(|text| text.lines());
    for declaration in predicates.chain(lines.iter().filter_map(|line| line.declaration.as_deref())) {
        let _ = writeln!(out, "  {declaration}");
    }
    out
}

/// How many vocabularies were tried, by what came of them.
fn outcomes_text(all: &[&Trial]) -> String {
    let count = |standing| all.iter().filter(|t| t.rating.standing == standing && t.cut.is_none()).count();
    let cut = all.iter().filter(|trial| trial.cut.is_some()).count();
    let parts = [
        (count(Completeness::Complete), "complete"),
        (count(Completeness::TooWeak), "too weak"),
        (cut, "cut short"),
    ];
    let parts = parts.into_iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}"));
    parts.collect::<Vec<_>>().join(", ")
}

fn table(out: &mut String, paint: Paint, head: &str, lines: &[SurveyLine<'_>]) {
    if lines.is_empty() {
        return;
    }
    let heads = [head, "verdict", "classes", "to read", "seconds", ""].map(str::to_owned);
    let rows = std::iter::once(heads).chain(lines.iter().map(SurveyLine::cells)).map(Vec::from);
    let mut lines = aligned(&rows.collect::<Vec<_>>(), |column| (2..5).contains(&column));
    lines[0] = paint.faint(&lines[0]);
    let _ = writeln!(out, "\n  {}", lines.join("\n  "));
}

/// The document of a survey.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct SurveyDocument {
    /// `cladist/vocabulary-1`.
    pub schema: &'static str,
    /// Version of this program.
    pub version: &'static str,
    /// The model's name.
    pub model: String,
    /// The file of the model, as the user wrote it.
    pub file: String,
    /// Constants with their values for this run.
    pub constants: Map<String, Json>,
    /// The property's name.
    pub property: String,
    /// The bound in steps.
    pub bound: usize,
    /// The bound as the greatest or the only number of steps.
    pub lengths: LengthsWord,
    /// The vocabularies that the model declares, in its order.
    pub declared: Vec<TrialDocument>,
    /// The vocabulary that the program chooses.
    pub chosen: TrialDocument,
    /// The known quality of the choice.
    pub chosen_text: String,
    /// Everything that was tried for that, best first.
    pub found: Vec<TrialDocument>,
    /// Those that the table for people shows beside it: other classes, without words that these do not use.
    pub others: Vec<TrialDocument>,
    /// Observables and predicates that were in complete vocabularies and in none of their classes.
    pub never_needed: Vec<String>,
    /// The limit that ended the survey; `null` if it is complete.
    pub ended: Option<EndedDocument>,
    /// Findings about the input.
    pub warnings: Vec<StoredFinding>,
}

/// Why a survey is not complete.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct EndedDocument {
    /// `time`, `memory` or `interrupt`.
    #[cfg_attr(feature = "schemas", schemars(extend("enum" = ["time", "memory", "interrupt"])))]
    pub reason: &'static str,
    /// The number of vocabularies tried.
    pub tried: usize,
    /// The number of vocabularies to be tried, as far as known.
    pub of: usize,
}

/// A vocabulary with what it gives.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct TrialDocument {
    /// Its name.
    pub name: String,
    /// The declarations of its predicates that the model lacks; missing if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub predicates: Vec<String>,
    /// Its declaration, to be pasted into the model after these predicates; `null` for one that the model has.
    pub declaration: Option<String>,
    /// The verdict of the classification with it.
    pub outcome: ClassifyVerdict,
    /// The reason why it was abandoned: `classes` if there were too many, `limit` for one of time or memory.
    #[cfg_attr(feature = "schemas", schemars(extend("enum" = ["classes", "limit", null])))]
    pub cut_short: Option<&'static str>,
    /// The number of classes known.
    pub classes: usize,
    /// The number of those that only restate the property.
    pub restating: usize,
    /// Facts, positions and individuals of all classes.
    pub length: usize,
    /// The constraints of the classes, in the paper's notation.
    pub constraints: Vec<String>,
    /// Seconds by the clock; `null` for a result that was taken from another line.
    pub seconds: Option<f64>,
}

/// The survey as a document.
pub fn survey_document(request: &SurveyRequest<'_>, survey: &Survey) -> SurveyDocument {
    let model = request.model;
    let document = |line: SurveyLine<'_>| TrialDocument {
        name: line.name.to_owned(),
        outcome: classify_verdict(line.result),
        cut_short: line.cut.map(|cut| match cut {
            Cut::Classes(_) => "classes",
            Cut::Limit | Cut::Ended => "limit",
        }),
        classes: line.rating.classes,
        restating: line.rating.restating,
        length: line.rating.length,
        constraints: line
            .result
            .classes
            .iter()
            .map(|c| c.constraint.show(model, &line.result.atoms))
            .collect(),
        seconds: line.seconds.map(seconds),
        predicates: line.predicates,
        declaration: line.declaration,
    };
    SurveyDocument {
        schema: "cladist/vocabulary-1",
        version: VERSION,
        model: model.name.clone(),
        file: request.file.to_owned(),
        constants: constants(model),
        property: request.property.name.clone(),
        bound: request.lengths.bound(),
        lengths: request.lengths.into(),
        declared: survey.declared.iter().map(SurveyLine::of).map(document).collect(),
        chosen: document(chosen_line(survey)),
        chosen_text: chosen_text(&survey.choice.chosen(), &survey.choice.result),
        found: found(survey).into_iter().map(SurveyLine::of).map(document).collect(),
        others: survey.others.iter().map(SurveyLine::of).map(document).collect(),
        never_needed: survey.never_needed.clone(),
        ended: survey.ended.map(|SurveyEnd { why, tried, of }| EndedDocument {
            reason: budget_word(why),
            tried,
            of,
        }),
        warnings: request.warnings.iter().map(|d| diagnostic_document(d, &model.sources)).collect(),
    }
}
