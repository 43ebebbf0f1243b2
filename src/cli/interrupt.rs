//! Ctrl-C, SIGTERM and SIGHUP: the first one stops the run, which prints what it has found; the second one ends it at once, as does
//! the first one where nothing asks for the flag. Temporary files are removed.

use super::watchdog::Watchdog;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

/// The flag, once something asks for it.
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

/// The flag that the signals set. Who takes it looks at it often from now on.
pub fn flag() -> Arc<AtomicBool> {
    FLAG.get_or_init(Arc::default).clone()
}
