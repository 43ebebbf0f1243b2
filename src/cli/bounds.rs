//! Nonsensical bounds.

use super::refusal::UsageError;
use cladist::diagnostics::Diagnostic;
use cladist::unroll::{Lengths, MOST_STEPS};

/// Refuses a bound to which no model can be unrolled.
pub fn refuse_absurd(lengths: Lengths) -> Result<(), UsageError> {
    let Some(message) = lengths.absurd() else { return Ok(()) };
    let help = format!(
        "-k {MOST_STEPS} is the greatest bound; `check` and `classify` with --unbounded, and without -k, prove results for every length"
    );
    Err(Diagnostic::error_without_place(message).with_help(help).into())
}

/// Refuses a horizon that is nearer than the bound, except 0, which stands for none.
pub fn refuse_near_horizon(lengths: Lengths, horizon: Option<usize>) -> Result<(), UsageError> {
    let bound = lengths.bound();
    let Some(near) = horizon.filter(|&steps| steps > 0 && steps < bound) else { return Ok(()) };
    let message = format!("the horizon, {near}, is nearer than the bound, {bound}");
    let help = format!(
        "--horizon {} or more examines traces longer than -k {bound}; --horizon 0 examines none",
        bound + 1
    );
    Err(Diagnostic::error_without_place(message).with_help(help).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_refused_that_nobody_means() {
        assert!(refuse_absurd(Lengths::UpTo(MOST_STEPS)).is_ok());
        assert!(refuse_absurd(Lengths::UpTo(usize::MAX)).is_err());
        assert!(refuse_absurd(Lengths::Exactly(MOST_STEPS + 1)).is_err());
    }

    #[test]
    fn a_horizon_is_none_or_not_before_the_bound() {
        let ten = Lengths::UpTo(10);
        for (horizon, is_fine) in [(None, true), (Some(0), true), (Some(9), false), (Some(10), true)] {
            assert_eq!(refuse_near_horizon(ten, horizon).is_ok(), is_fine, "{horizon:?}");
        }
    }
}
