//! Bugs in this program: a panic becomes one message with instructions for reporting it.

use super::exit::Exit;
use cladist::diagnostics::printable;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::{Arc, Mutex, PoisonError};

/// Runs `work`; a panic in it becomes a message on standard error and [`Exit::Internal`].
pub fn guard(work: impl FnOnce() -> Exit) -> Exit {
    guarded(work, &Arc::new(Mutex::new(String::new())))
}

/// Like [`guard`], leaving the cause in `cause`.
fn guarded(work: impl FnOnce() -> Exit, cause: &Arc<Mutex<String>>) -> Exit {
    let seen = Arc::clone(cause);
    let usual = take_hook();
    set_hook(Box::new(move |info| {
        // A panic of a thread also makes the waiting thread panic; only the first panic has the cause.
        let mut cause = seen.lock().unwrap_or_else(PoisonError::into_inner);
        if cause.is_empty() {
            *cause = info.to_string();
        }
    }));
    let result = catch_unwind(AssertUnwindSafe(work));
    set_hook(usual);
    result.unwrap_or_else(|_| {
        let cause = cause.lock().unwrap_or_else(PoisonError::into_inner);
        let message = message(&printable(&cause));
        // If standard error is closed, the failure is ignored.
        let _ = writeln!(std::io::stderr().lock(), "{message}");
        Exit::Internal
    })
}

fn message(cause: &str) -> String {
    format!(
        "internal error: {cause}\n\
         This is a bug in cladist {}, not in your input. Please report it with this message, the command\n\
         line, and the model, or a smaller one that still shows the error.",
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
    fn the_cause_is_that_of_the_thread_that_panicked_first() {
        let first = Arc::new(Mutex::new(String::new()));
        let inner = || -> Exit {
            std::thread::scope(|scope| scope.spawn(|| panic!("in a thread")).join().map(|()| Exit::Violated))
                .unwrap_or_else(|_| panic!("a scoped thread panicked"))
        };
        assert_eq!(guarded(inner, &first), Exit::Internal);
        assert!(first.lock().expect("not poisoned").contains("in a thread"));
    }

    #[test]
    fn the_message_says_what_to_report() {
        let text = message("index out of bounds");
        assert!(text.starts_with("internal error: index out of bounds\n"));
        assert!(text.contains("report it"));
    }
}
