//! Verdicts: one word for programs, one sentence for people.

use super::images::{happens_words, with_images};
use super::{CheckRequest, Outcome, View, Wording};
use crate::budget::Exhausted;
use crate::classify::{Classification, Cover, Verdict, Why};
use crate::protocol::Charts;
use crate::unroll::Lengths;
use crate::verify::{CheckVerdict, ClassifyVerdict};

impl From<&Classification> for ClassifyVerdict {
    fn from(result: &Classification) -> Self {
        let unbounded = result.is_unbounded();
        match result.verdict {
            Verdict::Holds if unbounded => Self::HoldsUnbounded,
            Verdict::Holds => Self::Holds,
            Verdict::Complete if unbounded => Self::CompleteUnbounded,
            Verdict::Complete => Self::Complete,
            Verdict::Partial(_) => Self::Partial,
            Verdict::Remainder => Self::Remainder,
            Verdict::TooWeak(_) => Self::TooWeak,
            Verdict::Undecided { .. } => Self::Undecided,
        }
    }
}

impl CheckRequest<'_> {
    /// How the check as a whole ended.
    pub fn verdict(&self) -> CheckVerdict {
        let any = |wanted: fn(&Outcome) -> bool| self.properties.iter().any(|p| wanted(&p.outcome));
        let undecided = any(|o| {
            matches!(
                o,
                Outcome::Undecided { .. } | Outcome::Temporal | Outcome::Unlistable(_) | Outcome::Unlisted(_)
            )
        });
        match any(|o| matches!(o, Outcome::Violated(_) | Outcome::ViolatedForever(_))) {
            true if undecided => CheckVerdict::Partial,
            true => CheckVerdict::Violated,
            false if undecided => CheckVerdict::Undecided,
            false if any(|o| matches!(o, Outcome::Holds | Outcome::Proved(_))) => CheckVerdict::Holds,
            false => CheckVerdict::Checked,
        }
    }
}

/// The end of a classification in one sentence; `vocabulary` is the name of the vocabulary.
pub fn verdict_sentence(classification: &Classification, vocabulary: &str, view: &View) -> String {
    if let Some(cover) = &classification.cover {
        return cover_sentence(classification, cover, view);
    }
    let wording = view.wording;
    let past = wording.past();
    let extent = whole_extent(classification, view);
    let found = wording.kinds(classification.classes.iter().filter(|c| !c.redundant).count());
    let others = match classification.unclassified {
        Some(_) => "there are others",
        None => "there may be others",
    };
    match &classification.verdict {
        Verdict::Holds => wording.never(&extent),
        Verdict::Complete => {
            let cover = if found.starts_with("one") { "covers" } else { "cover" };
            format!("{past}: {found} {cover} {}", wording.every(&extent))
        }
        Verdict::Partial(Why::Exhausted(why)) if classification.classes.is_empty() => {
            format!("{past}; {} before {} was found", ended(*why), wording.kinds(0).replace("no ", "any "))
        }
        Verdict::Partial(Why::Exhausted(why)) => {
            format!("{past}: {found} found before {}; {others}", ended(*why))
        }
        Verdict::Partial(Why::Unproved(why)) => {
            let cover = if found.starts_with("one") { "covers" } else { "cover" };
            format!(
                "{past}: {found} {cover} {}; {} before longer ones were excluded",
                wording.every(&extent),
                ended(*why)
            )
        }
        Verdict::Partial(Why::MaxClasses) => {
            let images = with_images(classification.has_images());
            format!("{past}: {found} found,{images} as many as asked for; {others}")
        }
        Verdict::Partial(Why::StartWithOnly(why)) => format!(
            "{past}: {found} found among the {}s to start with; {} before the others were looked at",
            wording.trace(),
            ended(*why)
        ),
        Verdict::Remainder => format!("{past}: {found}; something is left over"),
        Verdict::TooWeak(_) => {
            let what = match wording {
                Wording::Violation => "a violation from an accepted trace",
                Wording::Arrival => "a trace that gets there from one that does not",
            };
            format!("{past}, but the vocabulary `{vocabulary}` cannot tell {what}")
        }
        Verdict::Undecided { why, depth } => format!("undecided: {}; {}", ended(*why), excluded(*depth)),
    }
}

/// The same of a cover.
fn cover_sentence(result: &Classification, cover: &Cover, view: &View) -> String {
    let wording = view.wording;
    let past = wording.past();
    let extent = whole_extent(result, view);
    let extent = if cover.context.is_some() { format!("{extent} in this class") } else { extent };
    let of_length = wording.of_length(&extent);
    let those = of_length.replacen("trace", "traces", 1).replace("gets there", "get there");
    let count = result.classes.len();
    let left_over = if cover.remainder.is_some() { "; something is left over" } else { "" };
    match &result.verdict {
        Verdict::Holds if cover.context.is_some() => format!("there is no {}", wording.of_length(&extent)),
        Verdict::Holds => wording.never(&extent),
        Verdict::Undecided { why, depth } => format!("undecided: {}; {}", ended(*why), excluded(*depth)),
        Verdict::Partial(Why::Exhausted(why) | Why::Unproved(why)) => format!(
            "{past}: {} found that {} in {} before {}{left_over}",
            things(count),
            if count == 1 { "happens" } else { "happen" },
            match wording {
                Wording::Violation => "violating traces",
                Wording::Arrival => "traces that get there",
            },
            ended(*why)
        ),
        Verdict::Complete if count == 1 => {
            format!("{past}: {} in every {of_length}", happens_words(1, result.has_images()))
        }
        Verdict::Complete => {
            format!("{past}: in every {of_length} {}", happens_words(count, result.has_images()))
        }
        _ if count == 0 && cover.context.is_some() => {
            format!("{past}: nothing is known that tells one {of_length} from another")
        }
        _ if count == 0 && cover.necessary.is_empty() && cover.predicates_only => {
            format!("{past}: no predicate of the vocabulary holds in a {of_length}")
        }
        _ if count == 0 && cover.necessary.is_empty() => {
            format!("{past}: nothing that the vocabulary names happens in a {of_length}")
        }
        _ if count == 0 => {
            let of = if varies(&cover.necessary, |c| c.individuals.len()) { OF_SOME_VALUE } else { "" };
            format!("{past}: what the vocabulary names happens in every {of_length}{of}, or in none")
        }
        _ if count == 1 => {
            let images = with_images(result.has_images());
            format!("{past}: one thing{images} happens in {those}; something is left over")
        }
        _ => {
            let images = with_images(result.has_images());
            format!("{past}: {count} things{images} happen in {those}; something is left over")
        }
    }
}

/// What is said where it is not so of each value by itself.
pub(super) const OF_SOME_VALUE: &str = ", of some value at least";

/// Whether something that every trace has is listed for any value, and for one of them after it; with so many individuals.
pub(super) fn varies<C>(necessary: &[C], individuals: impl Fn(&C) -> usize) -> bool {
    necessary.windows(2).any(|pair| individuals(&pair[0]) > individuals(&pair[1]))
}

fn things(n: usize) -> String {
    if n == 1 { "one thing".to_owned() } else { format!("{n} things") }
}

/// Which traces a classification is about: `up to 10 steps`, and of a protocol, with how many runs.
fn whole_extent(result: &Classification, view: &View) -> String {
    let lengths = match result.is_unbounded() {
        true => "any length".to_owned(),
        false => extent(result.lengths),
    };
    match &view.charts {
        Some(charts) => format!("{lengths} with {}", at_most_runs(charts)),
        None => lengths,
    }
}

/// `at most 3 runs`, as many as a protocol is looked at with.
pub(super) fn at_most_runs(charts: &Charts) -> String {
    match charts.runs() {
        1 => "at most one run".to_owned(),
        runs => format!("at most {runs} runs"),
    }
}

/// `up to 10 steps`, `exactly 24 steps (25 states)`.
pub(super) fn extent(lengths: Lengths) -> String {
    match lengths {
        Lengths::UpTo(bound) => format!("up to {}", steps(bound)),
        Lengths::Exactly(0) => "exactly 0 steps (1 state)".to_owned(),
        Lengths::Exactly(bound) => format!("exactly {} ({} states)", steps(bound), bound + 1),
    }
}

/// The heading of a trace that `what` says more of, and whose first violation comes as early as possible:
/// `a shortest counterexample of this class`.
pub(super) fn earliest(lengths: Lengths, what: &str, wording: Wording) -> String {
    let trace = wording.trace();
    match (lengths, wording) {
        (Lengths::UpTo(_), _) => format!("a shortest {trace} {what}"),
        (Lengths::Exactly(_), Wording::Violation) => {
            format!("a {trace} {what}, the violation as early as possible")
        }
        (Lengths::Exactly(_), Wording::Arrival) => format!("a {trace} {what}, there as early as possible"),
    }
}

/// `no violation in fewer than 7 steps`.
pub(super) fn excluded(depth: usize) -> String {
    match depth {
        0 => "nothing is known yet".to_owned(),
        1 => "no initial state violates it".to_owned(),
        n => format!("no violation in fewer than {n} steps"),
    }
}

/// `the time ran out`.
pub(super) fn ended(why: Exhausted) -> &'static str {
    match why {
        Exhausted::Time => "the time ran out",
        Exhausted::Memory => "the memory ran out",
        Exhausted::Interrupt => "the run was interrupted",
    }
}

/// `1 step`, `6 steps`.
pub fn steps(n: usize) -> String {
    if n == 1 { "1 step".to_owned() } else { format!("{n} steps") }
}

/// The word for what ended a budget.
pub(super) fn budget_word(why: Exhausted) -> &'static str {
    match why {
        Exhausted::Time => "time",
        Exhausted::Memory => "memory",
        Exhausted::Interrupt => "interrupt",
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture;
    use super::*;

    #[test]
    fn every_verdict_has_its_sentence() {
        let expected = [
            "holds for all traces of up to 10 steps",
            "violated: 2 kinds of violation cover every counterexample of up to 10 steps",
            "violated: 2 kinds of violation found before the time ran out; there may be others",
            "violated: 2 kinds of violation found before the run was interrupted; there may be others",
            "violated: 2 kinds of violation found, as many as asked for; there may be others",
            "violated: 2 kinds of violation found among the counterexamples to start with; \
             the memory ran out before the others were looked at",
            "violated, but the vocabulary `v` cannot tell a violation from an accepted trace",
            "undecided: the time ran out; no violation in fewer than 7 steps",
            "undecided: the memory ran out; no violation in fewer than 7 steps",
            "undecided: the run was interrupted; no violation in fewer than 7 steps",
        ];
        for ((verdict, ..), expected) in fixture::verdicts().into_iter().zip(expected) {
            assert_eq!(verdict_sentence(&fixture::classification(verdict), "v", &View::plain(80)), expected);
        }
    }

    #[test]
    fn places_are_reached_not_violated() {
        let arrival = View { wording: Wording::Arrival, ..View::plain(80) };
        let sentence = |verdict| verdict_sentence(&fixture::classification(verdict), "v", &arrival);
        assert_eq!(sentence(Verdict::Holds), "never reached in traces of up to 10 steps");
        let expected = "reached: 2 ways cover every trace of up to 10 steps that gets there";
        assert_eq!(sentence(Verdict::Complete), expected);
        for (verdict, ..) in fixture::verdicts() {
            let said = sentence(verdict);
            assert!(
                !said.contains("violat") && !said.contains("counterexample") || said.contains("undecided"),
                "{said}"
            );
        }
    }

    #[test]
    fn exact_lengths_are_given_in_steps_and_states() {
        let mut result = fixture::classification(Verdict::Holds);
        for (steps, expected) in [
            (0, "holds for all traces of exactly 0 steps (1 state)"),
            (1, "holds for all traces of exactly 1 step (2 states)"),
            (24, "holds for all traces of exactly 24 steps (25 states)"),
        ] {
            result.lengths = Lengths::Exactly(steps);
            assert_eq!(verdict_sentence(&result, "v", &View::plain(80)), expected);
        }
    }

    #[test]
    fn proofs_are_about_any_length() {
        let sentence = |verdict| verdict_sentence(&fixture::proved(verdict), "v", &View::plain(80));
        assert_eq!(sentence(Verdict::Holds), "holds for all traces of any length");
        let expected = "violated: 2 kinds of violation cover every counterexample of any length";
        assert_eq!(sentence(Verdict::Complete), expected);
    }

    #[test]
    fn redundant_classes_do_not_count() {
        let mut result = fixture::classification(Verdict::Complete);
        result.classes[1].redundant = true;
        assert!(
            verdict_sentence(&result, "v", &View::plain(80))
                .starts_with("violated: one kind of violation covers every")
        );
    }
}
