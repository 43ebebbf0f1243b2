//! The argument of `--around`.

use cladist::lts::StateId;
use cladist::lts::drawing::Around;

/// Reads `12` or `12:3`.
pub fn parse_around(text: &str) -> Result<Around, String> {
    const USUAL: usize = 3;
    let (state, radius) = text.split_once(':').map_or((text, None), |(state, radius)| (state, Some(radius)));
    let state = state
        .parse()
        .map(StateId::from_u32)
        .map_err(|_| format!("`{state}` is not a state number: write STATE or STATE:RADIUS"))?;
    let radius = match radius {
        None => USUAL,
        Some(text) => text
            .parse()
            .map_err(|_| format!("`{text}` is not a valid radius: write a number of transitions"))?,
    };
    Ok(Around { state, radius })
}
