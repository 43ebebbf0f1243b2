//! Threads that help.

use std::thread::Builder;

/// The stack of a thread, in bytes: expressions are evaluated as deep as they are nested.
const STACK: usize = 16 << 20;

/// A thread that does a part of the work of another one.
pub fn helper() -> Builder {
    Builder::new().stack_size(STACK)
}
