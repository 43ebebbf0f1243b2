//! Ctrl-C, SIGTERM and SIGHUP: the first one stops the run, which prints its results so far; the second one ends it at
//! once, as does the first one while no command uses the flag. Temporary files are removed.

use super::watchdog::Watchdog;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

/// The flag, once a command uses it.
static FLAG: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// Handles the signals from now on; if that is impossible, they end the program at once, and temporary files stay.
pub fn handle(watchdog: &Watchdog) {
    let watchdog = watchdog.clone();
    let _ = ctrlc::set_handler(move || {
        if FLAG.get().is_none_or(|flag| flag.swap(true, Ordering::Relaxed)) {
            watchdog.interrupt();
        }
    });
}

/// Returns the flag that the signals set. Callers must check it often from then on.
pub fn flag() -> Arc<AtomicBool> {
    FLAG.get_or_init(Arc::default).clone()
}
