//! Other labels for a system, as --rename and --hide say.

use super::command_error::CommandError;
use super::input::Input;
use super::shared_args::RelabelArgs;
use crate::cli::refusal::Refusal;
use cladist::diagnostics::Diagnostic;
use cladist::lts::property::Pattern;
use cladist::lts::{self, Relabelling};
use std::sync::Arc;

/// How labels are renamed: first those of --rename, then those of --hide.
pub fn relabellings(args: &RelabelArgs) -> Result<Vec<Relabelling>, Refusal> {
    let (mut rules, mut diagnostics) = (Vec::new(), Vec::new());
    let mut refuse = |message: String, help: &str| {
        diagnostics.push(Diagnostic::error_without_place(message).with_help(help));
    };
    for text in &args.rename {
        let rule = text.rsplit_once('=').map(|(pattern, label)| (Pattern::new(pattern), label));
        match rule {
            Some((Ok(pattern), label)) => rules.push(Relabelling::Rename(pattern, label.to_owned())),
            Some((Err(why), _)) => {
                refuse(format!("in --rename '{text}': {why}"), "example: --rename 'SEND.*=SEND'")
            }
            None => refuse(format!("--rename '{text}' has no new label"), "example: --rename 'SEND.*=SEND'"),
        }
    }
    for text in &args.hide {
        match Pattern::new(text) {
            Ok(pattern) => rules.push(Relabelling::Hide(pattern)),
            Err(why) => refuse(format!("in --hide '{text}': {why}"), "example: --hide 'SEND.*'"),
        }
    }
    if diagnostics.is_empty() { Ok(rules) } else { Err(Refusal { diagnostics, sources: Arc::default() }) }
}

/// Gives a system its labels.
///
/// # Errors
/// For a pattern that no label of such a system can match, and no new one does.
pub fn relabel(input: &mut Input, rules: &[Relabelling]) -> Result<(), CommandError> {
    let (mut new, mut mistakes): (Vec<&str>, Vec<Diagnostic>) = Default::default();
    for rule in rules {
        let (Relabelling::Rename(pattern, _) | Relabelling::Hide(pattern)) = rule;
        if !new.iter().any(|label| pattern.matches(label)) {
            mistakes.extend(input.known().excluded(pattern));
        }
        if let Relabelling::Rename(_, label) = rule {
            new.push(label);
        }
    }
    if !mistakes.is_empty() {
        return Err(Refusal { diagnostics: mistakes, sources: Arc::default() }.into());
    }
    if !rules.is_empty() {
        let relabelled = lts::relabel(&input.lts, rules, &input.budget);
        input.lts = relabelled.map_err(|why| input.ended("renaming the labels of", why))?;
    }
    Ok(())
}
