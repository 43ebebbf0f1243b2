//! Limits on the depth of texts and trees, so that no text ends the stack of a pass that recurses.

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
