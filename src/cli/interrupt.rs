//! Ctrl-C, SIGTERM and SIGHUP: the first one stops the run, which prints its results so far, within five seconds; the
//! second one ends it at once, as does the first one while no command uses the flag. Temporary files are removed. Jobs also end with their parent.

use super::watchdog::Watchdog;
use std::io::Read;
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
        watchdog.interrupted();
    });
}

/// Returns the flag that the signals set. Callers must check it often from then on.
pub fn flag() -> Arc<AtomicBool> {
    FLAG.get_or_init(Arc::default).clone()
}

/// Ends this process as soon as standard input ends. The parent holds the other end of that pipe and never writes to
/// it, so the input ends when the parent does, for any reason.
pub fn end_with_standard_input(watchdog: &Watchdog) {
    let watchdog = watchdog.clone();
    let watch = move || {
        let mut nothing = [0; 64];
        let mut stdin = std::io::stdin().lock();
        while stdin.read(&mut nothing).is_ok_and(|length| length > 0) {}
        watchdog.interrupt();
    };
    // Without the thread, a killed parent leaves its jobs running to their end.
    let _ = std::thread::Builder::new().name("parent".into()).spawn(watch);
}
