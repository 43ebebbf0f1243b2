//! A job that ends when `batch` is gone, even if that was killed by a signal that it cannot catch.

use super::exit::Exit;
use std::io::Read;

/// Ends this process as soon as standard input ends. `batch` holds the other end of that pipe and never
/// writes to it, so it ends when `batch` does, however that comes to pass.
pub fn end_with_standard_input() {
    let watch = || {
        let mut nothing = [0; 64];
        let mut stdin = std::io::stdin().lock();
        while stdin.read(&mut nothing).is_ok_and(|length| length > 0) {}
        std::process::exit(Exit::Interrupted.code().into());
    };
    // Without the thread, a killed `batch` leaves its jobs running to their end.
    let _ = std::thread::Builder::new().name("parent".into()).spawn(watch);
}
