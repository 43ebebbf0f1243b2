//! Suggestions for unknown names.

use super::Diagnostic;

/// Returns the candidate closest to `name` in Damerau-Levenshtein distance, ignoring case, if that is small. `name` may
/// also be the last part of a candidate with dots. The name itself is not a candidate: it may be known as another item.
pub fn nearest<'n>(name: &str, candidates: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let length = name.chars().count();
    let most = (length / 3).max(1).min(length.saturating_sub(1));
    let last = |n: &str| n.rsplit('.').next().unwrap_or_default().to_lowercase();
    let scored = candidates.filter(|c| *c != name).map(|candidate| {
        let whole = strsim::osa_distance(&name.to_lowercase(), &candidate.to_lowercase());
        // If two candidates differ equally after the alias, the one with the closer alias.
        (whole.min(strsim::osa_distance(&last(name), &last(candidate))), whole, candidate)
    });
    scored.filter(|(distance, ..)| *distance <= most).min().map(|(.., candidate)| candidate)
}

/// Like [`nearest`], with other words for some candidates: pairs of a word and the candidate that it stands for.
pub fn nearest_word<'n>(
    name: &str,
    candidates: impl Iterator<Item = &'n str>,
    others: &[(&'n str, &'n str)],
) -> Option<&'n str> {
    let stands_for = |word: &str| others.iter().find(|(other, _)| other.eq_ignore_ascii_case(word));
    if let Some((_, candidate)) = stands_for(name) {
        return Some(candidate);
    }
    let found = nearest(name, candidates.chain(others.iter().map(|(other, _)| *other)))?;
    Some(stands_for(found).map_or(found, |(_, candidate)| candidate))
}

/// Returns the index of `name` among `names`; `what` describes the names, in the singular.
///
/// # Errors
/// [`unknown_name`], if there is no such name.
pub fn find_name(what: &str, name: &str, names: &[&str]) -> Result<usize, Diagnostic> {
    names.iter().position(|n| *n == name).ok_or_else(|| unknown_name(what, name, names))
}

/// The error for an unknown name: a note lists the known names, and help suggests the nearest one.
pub fn unknown_name(what: &str, name: &str, names: &[&str]) -> Diagnostic {
    let error = Diagnostic::error_without_place(format!("unknown {what} `{name}`"));
    let error = match names {
        [] => error.with_note(format!("the model has no {what}")),
        _ => error.with_note(format!("known names: {}", names.join(", "))),
    };
    match nearest(name, names.iter().copied()) {
        Some(meant) => error.with_help(format!("did you mean `{meant}`?")),
        None => error,
    }
}
