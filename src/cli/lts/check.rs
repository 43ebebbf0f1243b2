//! `lts check`.

use super::SystemCommand;
use super::args::{LanguageArg, LtsCheckArgs};
use super::command_error::{CommandError, conclude};
use super::convert::{refuse_stdout, write_page};
use super::input;
use super::property::text_of;
use crate::cli::console::Console;
use crate::cli::exit::Exit;
use crate::cli::limits::CommandLimits;
use crate::cli::refusal::UsageError;
use cladist::diagnostics::{Diagnostic, SourceMap, TEXT_LIMIT, read_text};
use cladist::mucalc::{
    CheckError, DeclaredSort, GameStopped, LabelParts, Language, check, in_one_line, parse, resolve,
};
use cladist::report::explicit::lts::{CheckReport, Findings};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

impl SystemCommand for LtsCheckArgs {
    fn limits_and_json(&self) -> (CommandLimits, bool) {
        (self.input.input.system.limits(), self.output.json)
    }

    fn run(&self, console: &Console) -> Result<Exit, CommandError> {
        let started = Instant::now();
        refuse_stdout(&[("--page", self.page.page.as_ref())])?;
        let (name, text) = text_of(&self.property)?;
        let mut sources = SourceMap::new();
        let source = sources.add(name, text.as_str());
        let refused =
            |diagnostics, sources: &SourceMap| UsageError { diagnostics, sources: Arc::new(sources.clone()) };
        let folder = self.property.formula_file.as_deref().and_then(Path::parent).unwrap_or(Path::new(""));
        let load = |name: &str| read_text(&folder.join(name), TEXT_LIMIT);
        let tree = parse(&mut sources, (source, &text), language(self), &load);
        let (tree, sorts) = match (tree, declared(&self.sort)) {
            (Ok(tree), Ok(sorts)) => (tree, sorts),
            (tree, sorts) => {
                let found = [tree.err(), sorts.err()].into_iter().flatten().flatten().collect();
                return Err(refused(found, &sources).into());
            }
        };
        let input = input::load_reduced(&self.input, None, console)?;
        let parts = LabelParts::of(&input.lts);
        let resolved = resolve(&tree, input.lts.labels(), &parts, &sorts);
        let resolved = resolved.map_err(|found| refused(found, &sources))?;
        let missing: Vec<_> = resolved.without_labels.iter().map(|(atom, span)| (atom, *span)).collect();
        let others = resolved.without_actions.iter().map(|action| input.known().without_action(action));
        let warnings = input.known().look_at(&missing, others.collect(), &sources, console)?;
        let checked = check(&resolved.formula, &input.lts, &parts, self.unfold, &input.budget);
        let checked = checked.map_err(|why| match why {
            CheckError::Stopped(GameStopped::Exhausted(why)) => input.ended("evaluating the formula on", why),
            CheckError::Stopped(GameStopped::Fault(fault)) => {
                let help =
                    "an expression must have a value wherever it is evaluated: guard it, as in val(q != [] && …)";
                let error = Diagnostic::error(fault.span, fault.message).with_help(help);
                CommandError::Refused(refused(vec![error], &sources))
            }
            CheckError::TooLarge(diagnostic) => CommandError::Refused((*diagnostic).into()),
        })?;
        let report = CheckReport {
            system: input.system(),
            property: &in_one_line(&text),
            checked: &checked,
            warnings: Findings(&warnings, &sources),
            seconds: started.elapsed().as_secs_f64(),
        };
        write_page(&self.page, console, |rerun| report.page(rerun))?;
        conclude(&report, checked.holds, &self.output, &input.budget, console)
    }
}

/// The spelling that was asked for, or that of the file.
fn language(args: &LtsCheckArgs) -> Option<Language> {
    let ending = args.property.formula_file.as_deref().and_then(Path::extension);
    match args.language {
        Some(LanguageArg::Mcl) => Some(Language::Mcl),
        Some(LanguageArg::Mcrl2) => Some(Language::Mcrl2),
        None if ending.is_some_and(|end| end.eq_ignore_ascii_case("mcf")) => Some(Language::Mcrl2),
        None if ending.is_some_and(|end| end.eq_ignore_ascii_case("mcl")) => Some(Language::Mcl),
        None => None,
    }
}

/// The sorts that were declared; the mistakes if there are any.
fn declared(texts: &[String]) -> Result<Vec<DeclaredSort>, Vec<Diagnostic>> {
    let (mut sorts, mut diagnostics) = (Vec::new(), Vec::new());
    for text in texts {
        match DeclaredSort::read(text) {
            Ok(sort) => sorts.push(sort),
            Err(message) => {
                let help = "example: --sort 'Phil={p1,p2,p3}'";
                diagnostics.push(Diagnostic::error_without_place(message).with_help(help));
            }
        }
    }
    if diagnostics.is_empty() { Ok(sorts) } else { Err(diagnostics) }
}
