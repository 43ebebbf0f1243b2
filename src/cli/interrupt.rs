//! Ctrl-C and SIGTERM: the first one stops the run, which prints what it has found; the second one ends it at once.

use super::exit::Exit;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that Ctrl-C and SIGTERM set. Only the first call in a process installs the handler; if that is
/// impossible, the signals end the program at once.
pub fn flag() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&flag);
    let _ = ctrlc::set_handler(move || {
        if seen.swap(true, Ordering::Relaxed) {
            std::process::exit(Exit::Interrupted.code().into());
        }
    });
    flag
}
