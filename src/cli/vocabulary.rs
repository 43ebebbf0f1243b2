//! `cladist vocabulary`: a comparison of the vocabularies of a model with each other and with generated ones.

use super::args::VocabularyArgs;
use super::console::Console;
use super::exit::Exit;
use super::progress::ProgressLine;
use super::refusal::UsageError;
use super::settings::{self, Opened};
use super::watchdog::{KnownResult, PartialResult};
use super::{bounds, fates, input, symmetric};
use cladist::budget::Exhausted;
use cladist::classify::{Options, Problem, Verdict};
use cladist::diagnostics::Diagnostic;
use cladist::explore::DEFAULT_SEARCH_LIMIT;
use cladist::model::Vocabulary;
use cladist::report::{Paint, SurveyRequest, survey_document, survey_text, to_json};
use cladist::vocabulary::{PartialSurvey, Survey, TrialQuestion, survey};

/// Runs `cladist vocabulary`.
pub fn run(args: &VocabularyArgs, console: &Console) -> Result<Exit, UsageError> {
    bounds::refuse_absurd(args.question.lengths())?;
    let Opened { budget, mut model, mut warnings } =
        settings::open(&args.question.model, &args.question.protocol, &args.run, console)?;
    if model.vocabularies.iter().any(|vocabulary| model.speaks_of_fates(vocabulary)) {
        let property = args.question.property.as_deref();
        let asked = fates::FateOptions { property, environment: None, max_states: DEFAULT_SEARCH_LIMIT };
        fates::decide(&mut model, &asked, &budget)?;
    }
    // Protocols have the library of attacks.
    if args.question.protocol.file.is_none() {
        settings::declare_conditions(&mut model, args.question.property.as_deref());
    }
    let refuse = |d: Diagnostic| UsageError { sources: model.sources.clone(), ..UsageError::from(d) };
    let (property, invariant) =
        settings::invariant(&model, args.question.property.as_deref()).map_err(refuse)?;
    warnings.extend(symmetric::insist(&model, &[property], &budget, console)?);
    let grounding = settings::grounding(&model, &args.ground)
        .map_err(|diagnostics| UsageError { diagnostics, sources: model.sources.clone() })?;
    let backend = args.solver.solver.backend();
    let options =
        Options { grounding, backend, check_backend: backend, ..Options::of(args.question.lengths()) };
    let problem = Problem::new(&model, invariant);
    let question = TrialQuestion { problem, options: &options, reach: None, prefer: &[], hide: &[] };
    let declared: Vec<Vocabulary> =
        model.vocabularies.iter().map(|v| settings::with_individuals(v, &args.ground)).collect();
    let file = args.question.model.to_string_lossy();
    let request = |warnings, paint| SurveyRequest {
        model: &model,
        file: &file,
        property,
        lengths: args.question.lengths(),
        warnings,
        paint,
    };
    let so_far = warnings.clone();
    let mut keep = |survey: PartialSurvey<'_>| {
        console.watchdog().keep(KnownResult::new(|why| {
            let (request, survey) = (request(&so_far, Paint::new(false)), survey(why));
            PartialResult {
                exit: exit(&survey),
                text: survey_text(&request, &survey),
                document: serde_json::to_value(survey_document(&request, &survey)).unwrap_or_default(),
            }
        }));
    };
    let last = Some(args.question.lengths().bound());
    let survey = survey(&question, &declared, &budget, &mut ProgressLine::new(console, last), &mut keep);
    if survey.choice.result.verdict == Verdict::Holds {
        // A property that no trace can violate may be one of a model without steps.
        let notices = settings::vacuity(&model, Some(args.question.lengths()), backend, &budget);
        console.diagnose(&notices, &model.sources);
        warnings.extend(notices);
    }
    if !input::is_written(&args.question.model) {
        let notices = settings::tell_nothing(&model, args.question.lengths().bound(), backend, &budget);
        console.diagnose(&notices, &model.sources);
        warnings.extend(notices);
    }
    let request = request(&warnings, console.paint());
    let result = match args.json {
        true => to_json(&survey_document(&request, &survey)),
        false => survey_text(&request, &survey),
    };
    console.print(&result)?;
    Ok(exit(&survey))
}

fn exit(survey: &Survey) -> Exit {
    match (&survey.choice.result.verdict, &survey.ended) {
        (_, Some(_)) if survey.is_violated() => Exit::Partial,
        (Verdict::Undecided { why: Exhausted::Interrupt, .. }, _) => Exit::Interrupted,
        (Verdict::Undecided { .. }, _) => Exit::Undecided,
        _ => Exit::Fine,
    }
}
