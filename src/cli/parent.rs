//! Jobs that end with their parent, even if that was killed by a signal that it cannot catch.

use super::watchdog::Watchdog;
use std::io::Read;

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
