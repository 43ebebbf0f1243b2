//! Limits on the depth of texts and trees, and a stack for passes that recurse as deep, so that no text ends it.

use super::state::{AnyToken, Failed, Grammar, Parsed, Tokens};
use nom::Err;

/// How deeply brackets, statements and operators may nest in a text.
pub const MAX_NESTING: usize = 200;

/// How high the tree of an expression, statement or type may be; a chain `a + b + …` is as high as it is long. Every pass
/// over the tree may recurse that deep.
pub const MAX_HEIGHT: usize = 500;

/// Runs a parser one level deeper; too deep is a mistake of the text.
pub fn nested<'a, T: AnyToken + 'a, G: Grammar<T> + 'a, O>(
    input: Tokens<'a, T, G>,
    parser: impl FnOnce(Tokens<'a, T, G>) -> Parsed<'a, T, G, O>,
) -> Parsed<'a, T, G, O> {
    let state = input.state;
    if state.depth.get() >= MAX_NESTING {
        return Err(input.mistake(format!("nested more than {MAX_NESTING} levels deep"), G::TOO_DEEP));
    }
    state.depth.set(state.depth.get() + 1);
    let outer = state.height.replace(0);
    let result = parser(input);
    state.depth.set(state.depth.get() - 1);
    let result = result.and_then(|(rest, output)| higher(rest).map(|()| (rest, output)));
    state.height.set(state.height.get().max(outer));
    result
}

/// Notes that a node was put on top of what was built since [`nested`] began; `rest` is what follows it.
pub fn higher<T: AnyToken, G: Grammar<T>>(rest: Tokens<'_, T, G>) -> Result<(), Err<Failed>> {
    let height = rest.state.height.get() + 1;
    rest.state.height.set(height);
    if height > MAX_HEIGHT {
        return Err(rest.mistake(format!("more than {MAX_HEIGHT} operations in one expression"), G::TOO_LONG));
    }
    Ok(())
}

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
