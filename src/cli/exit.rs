//! Exit codes. They are decided only here; `docs/exit-codes.md` lists the situations.

use cladist::budget::Exhausted;
use cladist::classify::{Classification, Comparison, TraceKind, Verdict};
use cladist::report::{CheckRequest, ExampleVerdict, PropertyOutcome, TestDocument};
use cladist::verify::CheckVerdict;
use std::process::ExitCode;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// The property holds up to the bound, or the question has no negative answer.
    Fine,
    /// Violated, and the result is complete.
    Violated,
    /// Violated, and the result is partial.
    Partial,
    /// Violated, and the vocabulary is too weak, or a cover leaves a remainder.
    TooWeak,
    /// A stored result makes a wrong claim.
    Refused,
    /// Undecided within the budget, or within the limits of loading.
    Undecided,
    /// Bad command line or input, or a result that could not be written.
    BadInput,
    /// A bug in this program.
    Internal,
    /// Interrupted before any result.
    Interrupted,
}

impl Exit {
    /// Returns the exit code of the process.
    pub fn code(self) -> u8 {
        match self {
            Exit::Fine => 0,
            Exit::Violated => 10,
            Exit::Partial => 11,
            Exit::TooWeak => 12,
            Exit::Refused => 13,
            Exit::Undecided => 5,
            Exit::BadInput => 2,
            Exit::Internal => 70,
            Exit::Interrupted => 130,
        }
    }

    /// Replaces codes for violations by 0 with `--exit-zero`.
    #[must_use]
    pub fn with_exit_zero(self, exit_zero: bool) -> Exit {
        match self {
            Exit::Violated | Exit::Partial | Exit::TooWeak if exit_zero => Exit::Fine,
            other => other,
        }
    }
}

impl FromIterator<Exit> for Exit {
    /// Returns the outcome of several consecutive results: violated if one is, and complete if all are.
    fn from_iter<I: IntoIterator<Item = Exit>>(results: I) -> Self {
        let results: Vec<Exit> = results.into_iter().collect();
        let worst = [Exit::Internal, Exit::Interrupted, Exit::BadInput];
        if let Some(worst) = worst.into_iter().find(|exit| results.contains(exit)) {
            return worst;
        }
        let any = |exits: &[Exit]| results.iter().any(|exit| exits.contains(exit));
        let undecided = any(&[Exit::Undecided]);
        match any(&[Exit::Violated, Exit::Partial, Exit::TooWeak]) {
            true if undecided || any(&[Exit::Partial]) => Exit::Partial,
            true if any(&[Exit::TooWeak]) => Exit::TooWeak,
            true => Exit::Violated,
            false if undecided => Exit::Undecided,
            false => Exit::Fine,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit.code())
    }
}

impl<K: TraceKind> From<&Classification<K>> for Exit {
    fn from(result: &Classification<K>) -> Self {
        match &result.verdict {
            Verdict::Holds => Exit::Fine,
            Verdict::Complete => Exit::Violated,
            Verdict::Partial(_) => Exit::Partial,
            Verdict::TooWeak(_) | Verdict::Remainder => Exit::TooWeak,
            Verdict::Undecided { why: Exhausted::Interrupt, .. } => Exit::Interrupted,
            Verdict::Undecided { .. } => Exit::Undecided,
        }
    }
}

impl Exit {
    /// Returns the outcome of a classification compared with a stored result: a complete one with only known kinds is
    /// fine.
    pub fn compared<K: TraceKind>(self, has_all: bool, comparison: &Comparison<K>) -> Self {
        match self {
            Exit::Violated if comparison.has_nothing_new(has_all) => Exit::Fine,
            Exit::Violated if comparison.open().is_some() && !comparison.is_new() => Exit::Partial,
            other => other,
        }
    }
}

impl From<&TestDocument> for Exit {
    fn from(document: &TestDocument) -> Self {
        let ends =
            document.files.iter().flat_map(|file| &file.examples).map(|example| match example.result {
                ExampleVerdict::Passed => Exit::Fine,
                ExampleVerdict::Failed => Exit::Violated,
                ExampleVerdict::Undecided => Exit::Undecided,
            });
        ends.collect()
    }
}

impl From<&CheckRequest<'_>> for Exit {
    fn from(request: &CheckRequest<'_>) -> Self {
        let interrupted = |outcome: &PropertyOutcome| {
            matches!(outcome, PropertyOutcome::Undecided { why: Exhausted::Interrupt, .. })
        };
        match request.verdict() {
            CheckVerdict::Checked | CheckVerdict::Holds => Exit::Fine,
            CheckVerdict::Violated => Exit::Violated,
            CheckVerdict::Partial => Exit::Partial,
            CheckVerdict::Undecided if request.properties.iter().any(|p| interrupted(&p.outcome)) => {
                Exit::Interrupted
            }
            CheckVerdict::Undecided => Exit::Undecided,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_results_end_like_the_worst_of_them() {
        let joined = |exits: &[Exit]| exits.iter().copied().collect::<Exit>();
        for (exits, expected) in [
            (&[Exit::Fine, Exit::Fine][..], Exit::Fine),
            (&[Exit::Fine, Exit::Violated], Exit::Violated),
            (&[Exit::Violated, Exit::TooWeak], Exit::TooWeak),
            (&[Exit::Violated, Exit::Undecided], Exit::Partial),
            (&[Exit::Partial, Exit::TooWeak], Exit::Partial),
            (&[Exit::Fine, Exit::Undecided], Exit::Undecided),
            (&[Exit::Violated, Exit::Interrupted], Exit::Interrupted),
        ] {
            assert_eq!(joined(exits), expected, "{exits:?}");
        }
    }
    use crate::fixture;

    #[test]
    fn every_verdict_has_its_exit_code() {
        for (verdict, name, code) in fixture::verdicts() {
            let exit = Exit::from(&fixture::classification(verdict));
            assert_eq!(exit.code(), code, "{name}");
            let zero = if (10..=12).contains(&code) { 0 } else { code };
            assert_eq!(exit.with_exit_zero(true).code(), zero, "{name}");
            assert_eq!(exit.with_exit_zero(false), exit, "{name}");
        }
    }
}
