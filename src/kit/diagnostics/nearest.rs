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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_words_stand_for_candidates() {
        let meant = |name| nearest_word(name, ["recv", "send"].into_iter(), &[("receive", "recv")]);
        for (typed, expected) in
            [("receive", Some("recv")), ("recieve", Some("recv")), ("snd", Some("send")), ("emit", None)]
        {
            assert_eq!(meant(typed), expected, "{typed}");
        }
    }

    #[test]
    fn only_what_is_near_is_meant() {
        let names = ["secrecy", "agreement", "msgs.replay"];
        for (typed, expected) in [
            ("secercy", Some("secrecy")),
            ("Secrecy", Some("secrecy")),
            ("agreemnt", Some("agreement")),
            ("replay", Some("msgs.replay")),
            ("msg.replay", Some("msgs.replay")),
            ("liveness", None),
            ("x", None),
        ] {
            assert_eq!(nearest(typed, names.into_iter()), expected, "{typed}");
        }
        let aliases = ["p.turns_into", "q.turns_into", "q.returns"];
        assert_eq!(nearest("q.turn_into", aliases.into_iter()), Some("q.turns_into"));
        assert_eq!(nearest("y", ["x", "y", "z"].into_iter()), None);
    }

    #[test]
    fn an_unknown_name_comes_with_the_known_ones() {
        let names = ["secrecy", "agreement", "msgs.replay"];
        let error = find_name("property", "secercy", &names).expect_err("it does not exist");
        assert_eq!(error.help.as_deref(), Some("did you mean `secrecy`?"));
        assert_eq!(error.notes, ["known names: secrecy, agreement, msgs.replay"]);
        assert_eq!(find_name("property", "agreement", &names), Ok(1));
        let none = find_name("vocabulary", "v", &[]).expect_err("it does not exist");
        assert_eq!(none.notes, ["the model has no vocabulary"]);
        assert_eq!(none.help, None);
    }
}
