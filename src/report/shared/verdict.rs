//! Verdicts: one word for programs, one sentence for people.

use crate::shared::images::with_images;
use crate::shared::request::{CheckRequest, DisplayOptions, GivenFairness, PropertyOutcome};
use crate::writing::wording::Wording;
use classify::{Classification, Cover, TraceKind, Verdict, Why};
use engines::ltl::Fairness;
use import::protocol::Charts;
use kit::budget::Exhausted;
use lang::model::Model;
use solvers::unroll::Lengths;
use verify::document::{CheckVerdict, ClassifyVerdict, WhyEnded};

/// The verdict of a classification, in the word of its document.
pub fn classify_verdict<K: TraceKind>(result: &Classification<K>) -> ClassifyVerdict {
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
        let any = |wanted: fn(&PropertyOutcome) -> bool| self.properties.iter().any(|p| wanted(&p.outcome));
        let undecided = any(|o| {
            matches!(
                o,
                PropertyOutcome::Undecided { .. }
                    | PropertyOutcome::Temporal
                    | PropertyOutcome::Unlisted(_)
                    | PropertyOutcome::Branching { verdict: engines::ctl::CtlVerdict::Undecided(_), .. }
            )
        });
        let answered = |with: bool| self.properties.iter().any(|p| self.answer(p) == Some(with));
        match answered(false) {
            true if undecided => CheckVerdict::Partial,
            true => CheckVerdict::Violated,
            false if undecided => CheckVerdict::Undecided,
            false if answered(true) => CheckVerdict::Holds,
            false => CheckVerdict::Checked,
        }
    }
}

/// The words of a verdict, of finite or infinite traces, and what it is about.
pub(crate) struct VerdictWords<'a> {
    /// `violated`
    pub past: &'static str,
    pub vocabulary: &'a str,
    /// `3 kinds of violation`
    pub found: String,
    /// `any kind of violation`
    pub any_kind: String,
    /// `holds for all traces of up to 10 steps`
    pub holds: String,
    /// `every counterexample of up to 10 steps`
    pub every: String,
    /// The end of the search for longer ones: `excluded`.
    pub longer: &'static str,
    /// `counterexamples`
    pub traces: String,
    /// Traces that the vocabulary cannot tell apart: `a violating and a non-violating trace`.
    pub alike: &'static str,
    /// Of a cover: `violating trace of up to 10 steps in this class`, one and several of them.
    pub one: String,
    pub several: String,
    /// The article of one: `a`.
    pub article: &'static str,
    /// Those in which things were found before the search ended.
    pub searched: String,
    /// The lengths without violation, from the least depth that is undecided: `; no violation in fewer than 7 steps`.
    pub excluded: fn(usize) -> String,
}

/// Follows the verdict of a cover with a remainder.
const UNCOVERED: &str = "; others satisfy none of them";

impl VerdictWords<'_> {
    pub fn sentence<K: TraceKind>(
        &self,
        result: &Classification<K>,
        individuals: impl Fn(&K::Constraint) -> usize,
    ) -> String {
        if let Some(cover) = &result.cover {
            let sentence = self.of_cover(result, cover, individuals);
            return match result.verdict {
                Verdict::TooWeak(_) => {
                    format!("{sentence}; `{}` is too weak for classes that suffice", self.vocabulary)
                }
                _ => sentence,
            };
        }
        let Self { past, found, every, traces, .. } = self;
        let others = if result.unclassified.is_some() { "there are others" } else { "there may be others" };
        let cover = if found.starts_with("one") { "covers" } else { "cover" };
        match &result.verdict {
            Verdict::Holds => self.holds.clone(),
            Verdict::Complete => format!("{past}: {found} {cover} {every}"),
            Verdict::Partial(Why::Exhausted(why)) if result.classes.is_empty() => {
                format!("{past}; {} before {} was found", ended(*why), self.any_kind)
            }
            Verdict::Partial(Why::Exhausted(why)) => {
                format!("{past}: {found} found before {}; {others}", ended(*why))
            }
            Verdict::Partial(Why::Unproved(why)) => format!(
                "{past}: {found} {cover} {every}; {} before longer ones were {}",
                ended(*why),
                self.longer
            ),
            Verdict::Partial(Why::MaxClasses) => {
                let images = with_images(result.has_images());
                format!("{past}: {found} found,{images} as many as asked for; {others}")
            }
            Verdict::Partial(Why::StartWithOnly(why)) => format!(
                "{past}: {found} found among the {traces} to start with; {} before the others were examined",
                ended(*why)
            ),
            Verdict::Remainder => format!("{past}: {found}; some violations are in no class"),
            Verdict::TooWeak(_) => {
                format!(
                    "{past}, but the vocabulary `{}` is too weak: {} share all its facts",
                    self.vocabulary, self.alike
                )
            }
            Verdict::Undecided { why, depth } => self.undecided(*why, *depth),
        }
    }

    fn undecided(&self, why: Exhausted, depth: usize) -> String {
        format!("undecided: {}{}", ended(why), (self.excluded)(depth))
    }

    fn of_cover<K: TraceKind>(
        &self,
        result: &Classification<K>,
        cover: &Cover<K>,
        individuals: impl Fn(&K::Constraint) -> usize,
    ) -> String {
        let Self { past, one, several, article, .. } = self;
        let count = result.classes.len();
        let things = match (count, cover.predicates_only && cover.context.is_none()) {
            (1, true) => "one predicate".to_owned(),
            (1, false) => "one fact".to_owned(),
            (_, true) => format!("{count} predicates"),
            (_, false) => format!("{count} facts"),
        };
        let images = with_images(result.has_images());
        let covers = if count == 1 { "covers" } else { "cover" };
        match result.answer() {
            Verdict::Holds if cover.context.is_some() => format!("there is no {one}"),
            Verdict::Holds => self.holds.clone(),
            Verdict::Undecided { why, depth } => self.undecided(*why, *depth),
            Verdict::Partial(Why::Exhausted(why) | Why::Unproved(why)) => {
                let over = if cover.remainder.is_some() { UNCOVERED } else { "" };
                let searched = &self.searched;
                format!("{past}: {things} found in {searched} before {}{over}", ended(*why))
            }
            Verdict::Complete => format!("{past}: {things}{images} {covers} every {one}"),
            _ if count == 0 && cover.context.is_some() => {
                format!("{past}: no known fact distinguishes one {one} from another")
            }
            _ if count == 0 && cover.necessary.is_empty() && cover.predicates_only => {
                format!("{past}: no predicate of the vocabulary holds in {article} {one}")
            }
            _ if count == 0 && cover.necessary.is_empty() => {
                format!("{past}: no fact of the vocabulary holds in {article} {one}")
            }
            _ if count == 0 => {
                // Something is listed for any value, and for one of them after it.
                let varies = |pair: &[K::Constraint]| individuals(&pair[0]) > individuals(&pair[1]);
                let of = match cover.necessary.windows(2).any(varies) {
                    true => ", for at least one value",
                    false => "",
                };
                format!("{past}: each fact of the vocabulary holds in every {one}{of}, or in none")
            }
            _ => {
                let over = if count == 1 { "; others do not satisfy it" } else { UNCOVERED };
                format!("{past}: {things}{images} {covers} some {several}{over}")
            }
        }
    }
}

/// The end of a classification in one sentence; `vocabulary` is the name of the vocabulary.
pub fn verdict_sentence(result: &Classification, vocabulary: &str, display: &DisplayOptions) -> String {
    let wording = display.wording;
    let extent = whole_extent((!result.is_unbounded()).then_some(result.lengths), display);
    let in_class = match result.cover.as_ref().is_some_and(|cover| cover.context.is_some()) {
        true => format!("{extent} in this class"),
        false => extent.clone(),
    };
    let one = wording.of_length(&in_class);
    let words = VerdictWords {
        past: wording.past(),
        vocabulary,
        found: wording.kinds(result.classes.iter().filter(|class| !class.redundant).count()),
        any_kind: wording.kinds(0).replace("no ", "any "),
        holds: wording.never(&extent),
        every: wording.every(&extent),
        longer: "excluded",
        traces: format!("{}s", wording.trace()),
        alike: wording
            .choose("a violating and a non-violating trace", "a trace that gets there and one that does not"),
        several: one.replacen("trace", "traces", 1).replace("gets there", "get there"),
        one,
        article: "a",
        searched: wording.choose("violating traces", "traces that get there").to_owned(),
        excluded: |depth| format!("; {}", excluded(depth)),
    };
    words.sentence(result, |constraint| constraint.individuals.len())
}

/// Which traces a classification is about: `up to 10 steps`, and of a protocol, with how many runs.
pub fn whole_extent(lengths: Option<Lengths>, display: &DisplayOptions) -> String {
    let lengths = lengths.map_or_else(|| "any length".to_owned(), extent);
    match &display.charts {
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
    why.ran_out()
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
        (true, _) if more > 0 => "conditions of the model ignored".to_owned(),
        (true, _) => "ignored".to_owned(),
        (false, 0) if more > 0 => "none in the model".to_owned(),
        (false, 0) => "none: every infinite trace counts".to_owned(),
        (false, 1) => "1 condition of the model".to_owned(),
        (false, n) => format!("{n} conditions of the model"),
    };
    match more {
        0 => own,
        1 => format!("{own}; 1 more condition given"),
        n => format!("{own}; {n} more conditions given"),
    }
}

/// `fair infinite counterexample that repeats after up to 8 steps`: those of up to a bound, if there is one.
pub fn extent_of_lassos(fairness: usize, what: &str, bound: Option<usize>) -> String {
    let fair = if fairness > 0 { "fair " } else { "" };
    let within =
        bound.map_or_else(String::new, |bound| format!(" that repeats after up to {}", steps(bound)));
    format!("{fair}{what}{within}")
}
