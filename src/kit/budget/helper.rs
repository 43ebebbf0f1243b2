//! Helper threads.

use std::thread::Builder;

/// The stack of a thread, in bytes: evaluation of expressions recurses as deep as they are nested.
const STACK: usize = 16 << 20;

/// Returns a builder of threads that do a part of the work of another one.
pub fn helper() -> Builder {
    Builder::new().stack_size(STACK)
}
