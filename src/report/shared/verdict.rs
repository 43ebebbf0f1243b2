//! Verdicts: one word for programs, one sentence for people.

use crate::shared::images::{happens_words, with_images};
use crate::shared::request::{CheckRequest, GivenFairness, Outcome, View};
use crate::writing::wording::Wording;
use classify::{Classification, Cover, Verdict, Why};
use engines::ltl::Fairness;
use import::protocol::Charts;
use kit::budget::Exhausted;
use lang::model::Model;
use solvers::unroll::Lengths;
use verify::document::{CheckVerdict, ClassifyVerdict, WhyEnded};

/// The verdict of a classification, in the word of its document.
pub fn classify_verdict(result: &Classification) -> ClassifyVerdict {
    let unbounded = result.is_unbounded();
    match result.verdict {
        Verdict::Holds if unbounded => ClassifyVerdict::HoldsUnbounded,
        Verdict::Holds => ClassifyVerdict::Holds,
        Verdict::Complete if unbounded => ClassifyVerdict::CompleteUnbounded,
        Verdict::Complete => ClassifyVerdict::Complete,
        Verdict::Partial(_) => ClassifyVerdict::Partial,
        Verdict::Remainder => ClassifyVerdict::Remainder,
        Verdict::TooWeak(_) => ClassifyVerdict::TooWeak,
        Verdict::Undecided { .. } => ClassifyVerdict::Undecided,
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
    let is_weak = matches!(classification.verdict, Verdict::TooWeak(_));
    if let Some(cover) = &classification.cover {
        let sentence = cover_sentence(classification, cover, view);
        return if is_weak { sentence + &too_weak_for(vocabulary) } else { sentence };
    }
    let wording = view.wording;
    let past = wording.past();
    let extent = whole_extent((!classification.is_unbounded()).then_some(classification.lengths), view);
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

/// What the sentence about a cover ends with that is given in place of classes.
pub(crate) fn too_weak_for(vocabulary: &str) -> String {
    format!("; `{vocabulary}` is too weak for classes that suffice")
}

/// The same of a cover.
fn cover_sentence(result: &Classification, cover: &Cover, view: &View) -> String {
    let wording = view.wording;
    let past = wording.past();
    let extent = whole_extent((!result.is_unbounded()).then_some(result.lengths), view);
    let extent = if cover.context.is_some() { format!("{extent} in this class") } else { extent };
    let of_length = wording.of_length(&extent);
    let those = of_length.replacen("trace", "traces", 1).replace("gets there", "get there");
    let count = result.classes.len();
    let left_over = if cover.remainder.is_some() { "; something is left over" } else { "" };
    match result.answer() {
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
pub(crate) const OF_SOME_VALUE: &str = ", of some value at least";

/// Whether something that every trace has is listed for any value, and for one of them after it; with so many individuals.
pub(crate) fn varies<C>(necessary: &[C], individuals: impl Fn(&C) -> usize) -> bool {
    necessary.windows(2).any(|pair| individuals(&pair[0]) > individuals(&pair[1]))
}

fn things(n: usize) -> String {
    if n == 1 { "one thing".to_owned() } else { format!("{n} things") }
}

/// Which traces a classification is about: `up to 10 steps`, and of a protocol, with how many runs.
pub fn whole_extent(lengths: Option<Lengths>, view: &View) -> String {
    let lengths = lengths.map_or_else(|| "any length".to_owned(), extent);
    match &view.charts {
        Some(charts) => format!("{lengths} with {}", at_most_runs(charts)),
        None => lengths,
    }
}

/// `at most 3 runs`, as many as a protocol is looked at with.
pub fn at_most_runs(charts: &Charts) -> String {
    match charts.runs() {
        1 => "at most one run".to_owned(),
        runs => format!("at most {runs} runs"),
    }
}

/// `up to 10 steps`, `exactly 24 steps (25 states)`.
pub fn extent(lengths: Lengths) -> String {
    match lengths {
        Lengths::UpTo(bound) => format!("up to {}", steps(bound)),
        Lengths::Exactly(0) => "exactly 0 steps (1 state)".to_owned(),
        Lengths::Exactly(bound) => format!("exactly {} ({} states)", steps(bound), bound + 1),
    }
}

/// The heading of a trace that `what` says more of, and whose first violation comes as early as possible:
/// `a shortest counterexample of this class`.
pub fn earliest(lengths: Lengths, what: &str, wording: Wording) -> String {
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
pub fn excluded(depth: usize) -> String {
    match depth {
        0 => "nothing is known yet".to_owned(),
        1 => "no initial state violates it".to_owned(),
        n => format!("no violation in fewer than {n} steps"),
    }
}

/// `the time ran out`.
pub fn ended(why: Exhausted) -> &'static str {
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

/// Why a search ended before there was a result, in documents.
pub fn why_ended(why: Exhausted) -> WhyEnded {
    match why {
        Exhausted::Time => WhyEnded::Time,
        Exhausted::Memory => WhyEnded::Memory,
        Exhausted::Interrupt => WhyEnded::Interrupt,
    }
}

/// The word for what ended a budget.
pub fn budget_word(why: Exhausted) -> &'static str {
    match why {
        Exhausted::Time => "time",
        Exhausted::Memory => "memory",
        Exhausted::Interrupt => "interrupt",
    }
}

/// Which infinite traces were looked at.
pub fn fairness_words(model: &Model, fairness: usize, given: &GivenFairness<'_>) -> String {
    let declared = Fairness::of_model(model).len();
    let declared = if given.ignored { 0 } else { declared };
    let more = fairness.saturating_sub(declared);
    let own = match (given.ignored, declared) {
        (true, _) if more > 0 => "that of the model is ignored".to_owned(),
        (true, _) => "ignored".to_owned(),
        (false, 0) if more > 0 => "none in the model".to_owned(),
        (false, 0) => "none: every infinite trace counts".to_owned(),
        (false, 1) => "1 condition of the model".to_owned(),
        (false, n) => format!("{n} conditions of the model"),
    };
    match more {
        0 => own,
        1 => format!("{own}; 1 condition more was given"),
        n => format!("{own}; {n} conditions more were given"),
    }
}

/// `fair infinite counterexample that repeats after up to 8 steps`: those of up to a bound, if there is one.
pub fn extent_of_lassos(fairness: usize, what: &str, bound: Option<usize>) -> String {
    let fair = if fairness > 0 { "fair " } else { "" };
    let within =
        bound.map_or_else(String::new, |bound| format!(" that repeats after up to {}", steps(bound)));
    format!("{fair}{what}{within}")
}
