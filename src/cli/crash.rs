//! Mistakes of the program: one message instead of a flood.

use super::exit::Exit;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::{Arc, Mutex, PoisonError};

/// Runs `work`; a panic in it becomes a message on standard error and [`Exit::Internal`].
pub fn guard(work: impl FnOnce() -> Exit) -> Exit {
    let cause = Arc::new(Mutex::new(String::new()));
    let seen = Arc::clone(&cause);
    let usual = take_hook();
    set_hook(Box::new(move |info| {
        *seen.lock().unwrap_or_else(PoisonError::into_inner) = info.to_string();
    }));
    let result = catch_unwind(AssertUnwindSafe(work));
    set_hook(usual);
    result.unwrap_or_else(|_| {
        let cause = cause.lock().unwrap_or_else(PoisonError::into_inner);
        eprintln!("{}", message(&cause));
        Exit::Internal
    })
}

fn message(cause: &str) -> String {
    format!(
        "internal error: {cause}\n\
         This is a mistake in cladist {}, not in your input. Please report it with this message, the\n\
         command line, and the model, or the part of it that still shows the error.",
        env!("CARGO_PKG_VERSION")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_internal_error() {
        assert_eq!(guard(|| panic!("on purpose")), Exit::Internal);
        assert_eq!(guard(|| Exit::Violated), Exit::Violated);
    }

    #[test]
    fn the_message_says_what_to_report() {
        let text = message("index out of bounds");
        assert!(text.starts_with("internal error: index out of bounds\n"));
        assert!(text.contains("report it"));
    }
}
