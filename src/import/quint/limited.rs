//! Limits of values that have none, and need some. They are guessed, and a step beyond them is an error.

use super::elaborate::ReasonKind;
use super::types::TypeTable;
use crate::limits::ValueLimits;
use kit::diagnostics::Diagnostic;

/// Limits of the lengths of sequences that are tried, one after the other.
const LENGTHS: &[usize] = &[8, 5, 3];

/// Words of warnings about limits that are guessed.
pub const GUESSED: &str = "without bounds that are known are limited to";

/// A mistake, and the kind of reason for it.
pub(crate) type LimitedMistake = (ReasonKind, Diagnostic);

/// A text with warnings, or mistakes.
pub(crate) type Limited = Result<(String, Vec<Diagnostic>), Vec<LimitedMistake>>;

/// Words of a language for limits that are guessed.
pub(crate) struct GuessWords {
    /// Limits of integers that are tried, one after the other, where a specification has none and needs some.
    pub integers: &'static [(i64, i64)],
    /// Its lists, in the plural.
    pub lists: &'static str,
    /// Advice on how to bound integers.
    pub of_integers: &'static str,
    /// Advice on how to bound lists.
    pub of_lists: &'static str,
}

/// Translates a specification within limits, of which it is told if they are guessed. Where it needs limits and has none, some are tried.
pub(crate) fn within_limits(
    options: &ValueLimits,
    words: &GuessWords,
    translate: &mut dyn FnMut(&ValueLimits, bool) -> Limited,
) -> Limited {
    let mut first = translate(options, false);
    let (mut integers, mut lengths) = (words.integers.iter(), LENGTHS.iter());
    let mut tried = options.clone();
    loop {
        let Err(found) = &first else { return first };
        let needs = |kind: ReasonKind| found.iter().any(|(own, _)| *own == kind);
        let before = (tried.integers, tried.lists);
        let too_many = needs(ReasonKind::TooManyValues);
        if options.lists.is_none() && (needs(ReasonKind::EndlessLists) || too_many && tried.lists.is_some()) {
            tried.lists = lengths.next().copied().or(tried.lists);
        }
        if options.integers.is_none() && (needs(ReasonKind::EndlessIntegers) || too_many) {
            tried.integers = integers.next().copied().or(tried.integers);
        }
        if (tried.integers, tried.lists) == before {
            return first;
        }
        match translate(&tried, true) {
            Ok((text, mut warnings)) => {
                warnings.extend(guessed(options, &tried, words));
                return Ok((text, warnings));
            }
            Err(found) => {
                let is_endless = |(kind, _): &LimitedMistake| {
                    matches!(
                        kind,
                        ReasonKind::EndlessIntegers | ReasonKind::EndlessLists | ReasonKind::TooManyValues
                    )
                };
                match found.iter().all(is_endless) {
                    true => first = Err(found),
                    false => return first,
                }
            }
        }
    }
}

/// Returns a warning about sets without an end that are used within the limits of a user.
pub(crate) fn cut(types: &TypeTable) -> Option<Diagnostic> {
    let (lo, hi) = types.integers.filter(|_| types.cuts)?;
    let message =
        format!("`Nat` and `Int` have the integers of {lo}..{hi} only, where their members are listed");
    Some(Diagnostic::warning_without_place(message).with_help("properties that hold do so within --int"))
}

/// Returns warnings about the limits that are guessed.
fn guessed(options: &ValueLimits, tried: &ValueLimits, words: &GuessWords) -> Vec<Diagnostic> {
    let warning = |values: &str, limits: String, help: &str| {
        let message = format!("{values} {GUESSED} {limits}: a step beyond is an error");
        Diagnostic::warning_without_place(message).with_help(help)
    };
    let integers = tried.integers.filter(|_| options.integers.is_none());
    let lists = tried.lists.filter(|_| options.lists.is_none());
    let integers = integers.map(|(lo, hi)| warning("integers", format!("{lo}..{hi}"), words.of_integers));
    let lists = lists.map(|most| warning(words.lists, format!("{most} elements"), words.of_lists));
    integers.into_iter().chain(lists).collect()
}
