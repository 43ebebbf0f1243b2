//! Lookup of names: the error for an unknown name suggests the nearest known one.

use super::{Diagnostic, nearest};

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
