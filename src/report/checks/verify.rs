//! The result of verifying a result: as a table, and as JSON (`docs/schema/verify-1.json`).

use crate::shared::document::{VERSION, seconds};
use crate::writing::columns::aligned;
use crate::writing::paint::Paint;
use itertools::Itertools;
use serde::Serialize;
use verify::{Decision, ObligationOutcome, SettledObligation, SolverAnswer, Task, Unchecked, decision};

/// A verification and its outcome.
#[derive(Debug)]
pub struct VerifyRequest<'a> {
    /// The file of the result, or the folder of a bundle, as the user wrote it.
    pub file: &'a str,
    /// The name of the model.
    pub model: &'a str,
    /// The obligations with what came of them.
    pub settled: &'a [SettledObligation],
    /// Claims of the result that are not checked.
    pub unchecked: &'a [Unchecked],
    /// Remarks about the bundle.
    pub notes: &'a [String],
}

/// The result of `cladist verify` in JSON.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct VerifyDocument {
    /// `cladist/verify-1`.
    pub schema: &'static str,
    /// Version of this program.
    pub version: &'static str,
    /// The result, as the user named it.
    pub result: String,
    /// The model's name.
    pub model: String,
    /// `accepted`, `refused` or `undecided`.
    #[cfg_attr(feature = "schemas", schemars(extend("enum" = ["accepted", "refused", "undecided"])))]
    pub decision: &'static str,
    /// The verdict in a sentence, with the number of claims that are not checked.
    pub summary: String,
    /// The proof obligations with their outcomes.
    pub obligations: Vec<ObligationDocument>,
    /// Claims of the result that are not checked.
    pub not_checked: Vec<UncheckedDocument>,
    /// Remarks about the bundle.
    pub notes: Vec<String>,
}

/// Something that a result claims and that is not checked.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct UncheckedDocument {
    /// Its place in the result, as a JSON pointer.
    pub path: String,
    /// The part that is not checked.
    pub what: &'static str,
}

/// A proof obligation with its outcome.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct ObligationDocument {
    /// Its name.
    pub name: String,
    /// Its meaning.
    pub claim: String,
    /// The way it is decided: `script`, `evaluation` or `open`.
    #[cfg_attr(feature = "schemas", schemars(extend("enum" = ["script", "evaluation", "open"])))]
    pub kind: &'static str,
    /// `confirmed`, `refused` or `undecided`.
    #[cfg_attr(feature = "schemas", schemars(extend("enum" = ["confirmed", "refused", "undecided"])))]
    pub standing: &'static str,
    /// The reason why it is refused or undecided.
    pub reason: Option<String>,
    /// The answer of each solver.
    pub answers: Vec<AnswerDocument>,
}

/// The answer of a solver.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct AnswerDocument {
    /// The command.
    pub solver: String,
    /// `sat`, `unsat` or `unknown`; `null` if there is none.
    #[cfg_attr(feature = "schemas", schemars(extend("enum" = ["sat", "unsat", "unknown", null])))]
    pub answer: Option<&'static str>,
    /// The reason why there is none.
    pub reason: Option<String>,
    /// Seconds.
    pub seconds: f64,
}

/// The document of a verification.
pub fn verify_document(request: &VerifyRequest<'_>) -> VerifyDocument {
    let answer = |said: &SolverAnswer| AnswerDocument {
        solver: said.solver.clone(),
        answer: said.answer.as_ref().ok().map(|answer| answer.word()),
        reason: said.answer.as_ref().err().cloned(),
        seconds: seconds(said.seconds),
    };
    let obligation = |settled: &SettledObligation| {
        let (standing, reason) = words(&settled.standing());
        ObligationDocument {
            name: settled.obligation.name.clone(),
            claim: settled.obligation.claim.clone(),
            kind: match settled.obligation.task {
                Task::Ask(_) | Task::Written => "script",
                Task::Evaluated(_) => "evaluation",
                Task::Open(_) => "open",
            },
            standing,
            reason,
            answers: settled.answers.iter().map(answer).collect(),
        }
    };
    VerifyDocument {
        schema: "cladist/verify-1",
        version: VERSION,
        result: request.file.to_owned(),
        model: request.model.to_owned(),
        decision: decision_word(decision(request.settled)),
        summary: request.summary(Paint::new(false)),
        obligations: request.settled.iter().map(obligation).collect(),
        not_checked: request
            .unchecked
            .iter()
            .map(|of| UncheckedDocument { path: of.path.clone(), what: of.what })
            .collect(),
        notes: request.notes.to_vec(),
    }
}

impl VerifyRequest<'_> {
    /// The decision in a sentence, with how much is not checked.
    fn summary(&self, paint: Paint) -> String {
        let count = self.settled.len();
        let is_confirmed = |settled: &&SettledObligation| settled.standing() == ObligationOutcome::Confirmed;
        let confirmed = self.settled.iter().filter(is_confirmed).count();
        let unchecked = match self.unchecked.len() {
            0 => String::new(),
            1 => ", and one claim is not checked".to_owned(),
            n => format!(", and {n} claims are not checked"),
        };
        match decision(self.settled) {
            Decision::Accepted => {
                format!("{}: all {count} obligations are confirmed{unchecked}", paint.good("accepted"))
            }
            Decision::Refused => format!(
                "{}: the result is wrong; {confirmed} of {count} obligations are confirmed",
                paint.bad("refused")
            ),
            Decision::Undecided => format!(
                "undecided: {confirmed} of {count} obligations are confirmed, and none is refused{unchecked}"
            ),
        }
    }
}

/// The unchecked claims, one line for each kind: name, and places.
fn unchecked_lines(unchecked: &[Unchecked]) -> Vec<String> {
    let mut places: Vec<(&str, Vec<(String, usize)>)> = Vec::new();
    for Unchecked { path, what } in unchecked {
        let number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        let path = path.split('/').map(|part| if number(part) { "*" } else { part }).join("/");
        let index = places.iter().position(|(other, _)| other == what).unwrap_or_else(|| {
            places.push((what, Vec::new()));
            places.len() - 1
        });
        let of_kind = &mut places[index].1;
        match of_kind.iter_mut().find(|(other, _)| *other == path) {
            Some((_, count)) => *count += 1,
            None => of_kind.push((path, 1)),
        }
    }
    let place = |(path, count): &(String, usize)| match count {
        1 => path.clone(),
        count => format!("{path} ({count})"),
    };
    let line = |(what, paths): &(&str, Vec<(String, usize)>)| {
        format!("  {}: {what}", paths.iter().map(place).join(", "))
    };
    places.iter().map(line).collect()
}

/// A table of the obligations, and the decision.
pub fn verify_text(request: &VerifyRequest<'_>, paint: Paint) -> String {
    let mut rows = vec![["obligation", "must be", "is", "seconds"].map(str::to_owned).to_vec()];
    let mut remarks = Vec::new();
    for settled in request.settled {
        let (must, is, time) = cells(settled);
        rows.push(vec![settled.obligation.name.clone(), must.to_owned(), is, time]);
        if let (_, Some(reason)) = words(&settled.standing()) {
            remarks.push(format!("{}: {}: {reason}", settled.obligation.name, settled.obligation.claim));
        }
    }
    let summary = request.summary(paint);
    let mut text = format!("{summary}\n{}: a result about {}\n\n", request.file, request.model);
    aligned(&rows, |_| false).iter().for_each(|line| text += &format!("  {line}\n"));
    let remarks: Vec<&String> = remarks.iter().chain(request.notes).collect();
    if !remarks.is_empty() {
        text.push('\n');
        remarks.iter().for_each(|remark| text += &format!("{remark}\n"));
    }
    if !request.unchecked.is_empty() {
        text += "\nnot checked\n";
        unchecked_lines(request.unchecked).iter().for_each(|line| text += &format!("{line}\n"));
    }
    text
}

/// The cells of expectation, outcome, and time.
fn cells(settled: &SettledObligation) -> (&'static str, String, String) {
    match &settled.obligation.task {
        Task::Evaluated(Ok(())) => ("true", "true".into(), String::new()),
        Task::Evaluated(Err(_)) => ("true", "false".into(), String::new()),
        Task::Open(_) => ("", "not verified".into(), String::new()),
        Task::Ask(_) | Task::Written => {
            let answer =
                |said: &SolverAnswer| said.answer.as_ref().map_or("no answer", |answer| answer.word());
            let answers: Vec<&str> = settled.answers.iter().map(answer).collect();
            let times: Vec<String> =
                settled.answers.iter().map(|said| format!("{:.2}", said.seconds)).collect();
            let is = if answers.is_empty() { "not asked".to_owned() } else { answers.join(", ") };
            ("unsat", is, times.join(", "))
        }
    }
}

fn words(standing: &ObligationOutcome) -> (&'static str, Option<String>) {
    match standing {
        ObligationOutcome::Confirmed => ("confirmed", None),
        ObligationOutcome::Refused(why) => ("refused", Some(why.clone())),
        ObligationOutcome::Undecided(why) => ("undecided", Some(why.clone())),
    }
}

fn decision_word(decision: Decision) -> &'static str {
    match decision {
        Decision::Accepted => "accepted",
        Decision::Refused => "refused",
        Decision::Undecided => "undecided",
    }
}
