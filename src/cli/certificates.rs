//! `cladist export certificates`: proofs that claims of protocols hold for any number of runs, and their check by `cladist verify`.

use super::claims::MOST;
use super::console::Console;
use super::exit::Exit;
use super::limits::LimitArgs;
use super::loading::OutputFileArgs;
use super::protocol_args::ScopeArgs;
use super::refusal::UsageError;
use super::settings;
use super::verify::{RESULT_LIMIT, VerifyArgs};
use cladist::budget::{Budget, Exhausted};
use cladist::diagnostics::{Diagnostic, TEXT_LIMIT, read_text, unreadable};
use cladist::model::LoadOptions;
use cladist::protocol::{
    Certificates, ClaimedProperty, NotProved, Patterns, Refused, Translation, is_protocol, translate_file,
};
use cladist::report::{VerifyRequest, to_json, verify_document, verify_text};
use cladist::verify::{Decision, Obligation, SettledObligation, Task, decision, sha256};
use clap::{Args, ValueHint};
use itertools::Itertools;
use serde::Deserialize;
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
pub struct ExportCertificatesArgs {
    /// The protocol (.spdl, .anb, .scm)
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    #[command(flatten)]
    pub output: OutputFileArgs,
    #[command(flatten)]
    pub scope: ScopeArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
}

pub fn export(args: &ExportCertificatesArgs, console: &Console) -> Result<Exit, UsageError> {
    let (budget, doubts) = settings::limits(args.limits.limits());
    console.diagnose(&doubts, &Default::default());
    let refuse = |message: String, help: &str| -> UsageError {
        Diagnostic::error_without_place(message).with_help(help.to_owned()).into()
    };
    let shown = args.file.display();
    if !is_protocol(&args.file) {
        return Err(Diagnostic::error_without_place(format!(
            "{shown} is no protocol file (.spdl, .anb, .scm)"
        ))
        .into());
    }
    if args.scope.runs.is_some() || args.scope.agents.is_some() {
        let message = "--runs and --agents restrict runs, and certificates are for any number of runs";
        return Err(refuse(message.to_owned(), "leave them out"));
    }
    let set = args.scope.overrides();
    let translation = translated(&args.file, &set, &budget)?;
    let (protocols, scope) = translation.charts.looked_at();
    let Some(patterns) = Patterns::new(protocols, scope).filter(|_| !protocols.have_powers()) else {
        let message = format!(
            "{shown}: there are no certificates with algebra (powers, exclusive or, equations), or with losses other than `actor` and `after`"
        );
        return Err(refuse(message, "`cladist check --proofs DIR` proves claims for few runs"));
    };
    let (mut claims, mut open) = (Vec::new(), Vec::new());
    let places = patterns.claims();
    for (number, ((role, event), claim)) in places.iter().zip(&translation.claims).enumerate() {
        let budget = budget.share(places.len() - number);
        match patterns.certificate(*role, *event, MOST, &budget) {
            Some(certificate) => claims.push(certificate),
            None => open.push(claim.label.as_str()),
        }
    }
    if !open.is_empty() {
        let message = format!("no certificate for {}: not shown for any number of runs", open.join(", "));
        console.diagnose(&[Diagnostic::warning_without_place(message)], &Default::default());
    }
    let document = Certificates {
        schema: Certificates::SCHEMA.to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        file: shown.to_string(),
        sha256: digest(&args.file)?,
        set: set.into_iter().collect(),
        claims,
    };
    args.output.write(&to_json(&document), console)?;
    Ok(match budget.exhausted() {
        Some(Exhausted::Interrupt) => Exit::Interrupted,
        Some(_) => Exit::Undecided,
        None => Exit::Fine,
    })
}

fn translated(file: &Path, set: &[(String, String)], budget: &Budget) -> Result<Translation, UsageError> {
    let options = LoadOptions { overrides: set, root: None, budget: budget.clone() };
    let refused =
        |refused: Refused| UsageError { diagnostics: refused.diagnostics, sources: refused.sources };
    Ok(translate_file(file, &options).map_err(refused)?.translation)
}

/// SHA-256 of the bytes of a protocol file.
fn digest(file: &Path) -> Result<String, UsageError> {
    let text = read_text(file, TEXT_LIMIT).map_err(|error| UsageError::from(unreadable(file, &error)))?;
    Ok(sha256(text.as_bytes()))
}

/// The part of a stored result that tells what it is.
#[derive(Deserialize)]
struct Head {
    schema: String,
}

/// Reads certificates; nothing if the file is something else.
pub fn read(path: &Path) -> Result<Option<Certificates>, UsageError> {
    let Ok(text) = read_text(path, RESULT_LIMIT) else { return Ok(None) };
    let head = text.contains(Certificates::SCHEMA).then(|| serde_json::from_str::<Head>(&text));
    if !head.is_some_and(|head| head.is_ok_and(|head| head.schema == Certificates::SCHEMA)) {
        return Ok(None);
    }
    let certificates = serde_json::from_str(&text).map_err(|error| {
        let message = format!("{} is not a list of certificates: {error}", path.display());
        Diagnostic::error_without_place(message).with_help("`cladist export certificates` writes one")
    })?;
    Ok(Some(certificates))
}

/// Checks certificates for the file that they are about.
pub fn verify(
    args: &VerifyArgs,
    certificates: &Certificates,
    budget: &Budget,
    console: &Console,
) -> Result<Exit, UsageError> {
    let shown = args.result.to_string_lossy();
    if args.exchange.is_some() || !args.solver.is_empty() {
        let message = "--exchange and --solver are about scripts, and certificates have none";
        return Err(Diagnostic::error_without_place(message).with_help("leave them out").into());
    }
    let file = args.model.clone().unwrap_or_else(|| PathBuf::from(&certificates.file));
    if !is_protocol(&file) || digest(&file)? != certificates.sha256 {
        let message = format!("{shown}: {} is not the file that it is about", file.display());
        let help = "`--model FILE` names that file, or write the certificates again";
        return Err(Diagnostic::error_without_place(message).with_help(help).into());
    }
    let set: Vec<(String, String)> = certificates.set.clone().into_iter().collect();
    let translation = translated(&file, &set, budget)?;
    let (protocols, scope) = translation.charts.looked_at();
    let settled = certificates.claims.iter().map(|certificate| {
        let task = match certificate.check(protocols, scope, budget) {
            Ok(()) => Task::Evaluated(Ok(())),
            Err(NotProved { exhausted: Some(_), reason, .. }) => Task::Open(reason),
            Err(NotProved { pattern, reason, .. }) => Task::Evaluated(Err(match pattern {
                Some(pattern) => format!("pattern {pattern}: {reason}"),
                None => reason,
            })),
        };
        let claim = format!(
            "{} of role {} of {} holds for any number of runs",
            certificate.label, certificate.role, certificate.protocol
        );
        let name = format!("{}.{}", certificate.protocol, certificate.label);
        let obligation = Obligation { name, claim, task };
        SettledObligation { obligation, answers: Vec::new() }
    });
    let settled: Vec<SettledObligation> = settled.collect();
    let mut notes = Vec::new();
    if !certificates.set.is_empty() {
        let constants = certificates.set.iter().map(|(name, value)| format!("{name} = {value}")).join(", ");
        notes.push(format!("the claims are proved with {constants}"));
    }
    let is_proved = |claim: &&ClaimedProperty| {
        certificates.claims.iter().any(|own| own.protocol == claim.protocol && own.label == claim.label)
    };
    let others: Vec<&ClaimedProperty> = translation.claims.iter().filter(|claim| !is_proved(claim)).collect();
    if !others.is_empty() {
        let others = others.iter().map(|claim| format!("{}.{}", claim.protocol, claim.label)).join(", ");
        notes.push(format!("without a certificate: {others}"));
    }
    let request = VerifyRequest {
        file: &shown,
        model: &file.to_string_lossy(),
        settled: &settled,
        unchecked: &[],
        notes: &notes,
    };
    console.print(&match args.json {
        true => to_json(&verify_document(&request)),
        false => verify_text(&request, console.paint()),
    })?;
    Ok(match decision(&settled) {
        Decision::Accepted => Exit::Fine,
        Decision::Refused => Exit::Refused,
        Decision::Undecided if budget.exhausted() == Some(Exhausted::Interrupt) => Exit::Interrupted,
        Decision::Undecided => Exit::Undecided,
    })
}
