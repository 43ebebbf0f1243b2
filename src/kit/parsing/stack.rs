//! Room for passes that recurse as deep as trees are high.

/// Stack size in bytes, sufficient for trees as high as definitions that are written out can become.
const STACK: usize = 64 << 20;

/// Runs something on a thread with a large stack, or on this one if no thread can be started.
pub fn with_large_stack<R: Send>(run: impl Fn() -> R + Sync) -> R {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, &run);
        match thread {
            Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(_) => run(),
        }
    })
}
