//! Limits on the depth of texts and trees, and a stack that suffices for recursive passes over them.

use super::state::{AnyToken, Failed, Grammar, Parsed, Tokens};
use nom::Err;

/// The greatest nesting of brackets, statements and operators in a text.
pub const MAX_NESTING: usize = 200;

/// The greatest height of the tree of an expression, statement or type; a chain `a + b + …` is as high as it is long.
/// Every pass over the tree may recurse that deep.
pub const MAX_HEIGHT: usize = 500;

/// Runs a parser one level deeper; reports a text that is nested too deeply.
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

/// Records a new node on top of the tree built since [`nested`] began; `rest` is the input after it.
pub fn higher<T: AnyToken, G: Grammar<T>>(rest: Tokens<'_, T, G>) -> Result<(), Err<Failed>> {
    let height = rest.state.height.get() + 1;
    rest.state.height.set(height);
    if height > MAX_HEIGHT {
        return Err(rest.mistake(format!("more than {MAX_HEIGHT} operations in one expression"), G::TOO_LONG));
    }
    Ok(())
}

/// Stack size in bytes, sufficient for trees as high as expanded definitions can become.
const STACK: usize = 64 << 20;

/// Runs a function on a thread with a large stack, or on this one if no thread can be started.
pub fn with_large_stack<R: Send>(run: impl Fn() -> R + Sync) -> R {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, &run);
        match thread {
            Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(_) => run(),
        }
    })
}
