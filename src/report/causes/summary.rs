//! The result of a search for kinds as a whole, in words.

use super::CausalRequest;
use crate::classes::class_json::right_words;
use crate::shared::evaluate::property_headline;
use crate::shared::verdict::{ended, excluded, extent_of_lassos, fairness_words, steps, whole_extent};
use crate::writing::paint::Tone;
use classify::causes::defences::{Defence, Defences};
use classify::causes::kinds::CausalKind;
use classify::causes::question::{CausalProblem, EveryTrace};
use classify::causes::tree::CausalTree;
use itertools::Itertools;
use kit::budget::Exhausted;
use kit::number::counted;
use solvers::unroll::Lengths;
use verify::document::CausesVerdict;

/// The most smallest sets of defences that are shown.
const MOST_SETS: usize = 3;

/// The verdict of a causal tree.
pub fn causal_verdict(tree: &CausalTree) -> CausesVerdict {
    match (tree.kinds.is_empty(), tree.ended) {
        (true, None) => CausesVerdict::Holds,
        (true, Some(_)) => CausesVerdict::Undecided,
        (false, None) => CausesVerdict::Complete,
        (false, Some(_)) => CausesVerdict::Partial,
    }
}

/// The tone of a causal tree.
pub(super) fn causal_tone(tree: &CausalTree) -> Tone {
    match causal_verdict(tree) {
        CausesVerdict::Holds => Tone::Good,
        CausesVerdict::Undecided => Tone::Doubtful,
        CausesVerdict::Complete | CausesVerdict::Partial => Tone::Bad,
    }
}

/// The result of the search in one sentence.
pub fn causal_sentence(request: &CausalRequest<'_>, tree: &CausalTree) -> String {
    let kinds = match tree.kinds.len() {
        1 => "one kind of violation".to_owned(),
        n => format!("{n} kinds of violation"),
    };
    let cover = if tree.kinds.len() == 1 { "covers" } else { "cover" };
    let is_proved = matches!(tree.every_length, Some(EveryTrace::Covered { .. }));
    let every = |finite: &str, infinite: &str| match request.problem {
        CausalProblem::Invariant(_) => {
            let lengths = (!is_proved).then_some(Lengths::UpTo(request.bound));
            format!("{finite} of {}", whole_extent(lengths, &request.display))
        }
        CausalProblem::Linear(problem) => {
            extent_of_lassos(problem.fairness.len(), infinite, (!is_proved).then_some(request.bound))
        }
    };
    match (tree.kinds.is_empty(), tree.ended) {
        (true, None) => match request.problem {
            CausalProblem::Invariant(_) => format!("holds for all {}", every("traces", "")),
            CausalProblem::Linear(_) => {
                format!("holds: no {} violates the property", every("", "infinite trace"))
            }
        },
        (true, Some(why)) => {
            let depth = tree.complete_to.map_or(0, |steps| steps + 1);
            format!("undecided: {}; {}", ended(why), excluded(depth))
        }
        (false, None) => {
            format!("violated: {kinds} {cover} every {}", every("counterexample", "infinite counterexample"))
        }
        (false, Some(why)) => format!("violated: {kinds} found before {}; there may be others", ended(why)),
    }
}

/// The name of the property with its formula; that of a claim is one of the generated model, whose documentation has the claim.
pub fn property_words(request: &CausalRequest<'_>, full: bool) -> String {
    let doc = request.property.doc.as_deref().filter(|_| request.display.charts.is_some());
    let statement = doc.map_or_else(
        || {
            let place = match request.problem {
                CausalProblem::Invariant(problem) => problem.invariant.span,
                CausalProblem::Linear(_) => request.property.formula,
            };
            request.problem.model().sources.snippet(place)
        },
        |doc| doc.trim_end_matches('.'),
    );
    property_headline(&request.property.name, statement, full)
}

/// The conditions of fairness; `None` for finite traces.
pub fn fairness(request: &CausalRequest<'_>) -> Option<String> {
    match request.problem {
        CausalProblem::Invariant(_) => None,
        CausalProblem::Linear(problem) => {
            Some(fairness_words(problem.model, problem.fairness.len(), &request.given))
        }
    }
}

/// The bound, after a noun: ` of up to 10 steps`, or ` that repeats after up to 10 steps`.
fn within_bound(request: &CausalRequest<'_>, repeats: &str) -> String {
    let bound = steps(request.bound);
    match request.problem {
        CausalProblem::Invariant(_) => format!(" of up to {bound}"),
        CausalProblem::Linear(_) => format!(" that {repeats} after up to {bound}"),
    }
}

/// The length from which on there are other kinds, if it is known.
pub fn longer(request: &CausalRequest<'_>, tree: &CausalTree) -> Option<String> {
    let Some(EveryTrace::Longer(longer)) = tree.every_length else { return None };
    let line = match tree.kinds.is_empty() {
        true => "longer traces violate the property, the first one",
        false => "longer counterexamples are of other kinds, the first one",
    };
    let repeats = match request.problem {
        CausalProblem::Invariant(_) => "",
        CausalProblem::Linear(_) => "repeats ",
    };
    Some(format!("{line} {repeats}after {}: -k {longer}", steps(longer)))
}

/// Statements about all kinds: the length from which on there are others, and the steps of every counterexample.
pub fn statements(request: &CausalRequest<'_>, tree: &CausalTree) -> Vec<String> {
    let mut lines: Vec<String> = longer(request, tree).into_iter().collect();
    let always = tree.always(request.problem.model());
    if tree.kinds.len() > 1 && !always.is_empty() {
        let within = if tree.always_in_all { String::new() } else { within_bound(request, "repeats") };
        lines.push(format!("every counterexample{within} takes {}", always.join(" and ")));
    }
    lines
}

/// The step of the shown trace of a kind after which the violation can no longer be avoided, unless it is the last one.
pub fn decisive_words(tree: &CausalTree, kind: usize) -> Option<String> {
    let place =
        tree.decisive_of(kind).filter(|place| place.position < tree.kinds[kind].ways[0].trace.last())?;
    let instead = match place.right.is_empty() {
        true => String::new(),
        false => format!("; instead of step {}, {}", place.position, right_words(place)),
    };
    Some(format!("it cannot be avoided after step {}{instead}", place.position))
}

/// A constant with its other value: `CSRF_TOKEN = true`.
pub fn defence_text(defence: &Defence) -> String {
    format!("{} = {}", defence.constant, defence.value)
}

/// The defences of a model in words.
#[derive(Debug, Default)]
pub struct DefenceWords {
    /// Each defence that stops a kind, with the numbers of the kinds.
    pub stops: Vec<(String, String)>,
    /// A sentence about sets of defences.
    pub sets: Option<String>,
}

/// The defences that stop kinds, and the smallest sets that stop all of them.
pub fn defence_words(request: &CausalRequest<'_>, tree: &CausalTree) -> DefenceWords {
    let Some(found) = &tree.defences else { return DefenceWords::default() };
    if found.stopping.is_empty() {
        let sets = format!("the kinds that constants stop are not decided: {}", ended_words(request, found));
        return DefenceWords { stops: Vec::new(), sets: Some(sets) };
    }
    let stopped_by = |number: usize| {
        let stopped = (0..tree.kinds.len())
            .filter(move |&kind| found.stopping.get(kind).is_some_and(|stops| stops.contains(&number)));
        let kinds = stopped.map(|kind| (kind + 1).to_string()).join(", ");
        // Of a single constant, the line below says so.
        let has_others = found.others_appear(number) && found.defences.len() > 1;
        if has_others { format!("{kinds}, but others appear") } else { kinds }
    };
    let text = |number: usize| defence_text(&found.defences[number]);
    let rows = (0..found.defences.len()).map(|number| (text(number), stopped_by(number)));
    let stops: Vec<(String, String)> = rows.filter(|(_, kinds)| !kinds.is_empty()).collect();
    let bound = within_bound(request, if found.sufficient.is_empty() { "repeat" } else { "repeats" });
    let sets = match found.sufficient.as_slice() {
        [] if !found.tried_sets => Some(format!(
            "no set of constants is known to prevent every violation: {}",
            ended_words(request, found)
        )),
        [] if stops.is_empty() => None,
        [] if found.defences.len() == 1 => Some(format!("violations{bound} remain with it")),
        [] => Some(format!("violations{bound} remain with all of these constants together")),
        sets => {
            let texts = |(set, cost): (&Vec<usize>, &Vec<String>)| {
                let constants = set.iter().map(|&number| text(number)).join(", ");
                match cost.is_empty() {
                    true => constants,
                    false => format!("{constants} (then no {})", cost.join(", ")),
                }
            };
            let shown = sets.iter().zip(&found.costs).take(MOST_SETS).map(texts).join("; or ");
            let others = sets.len().saturating_sub(MOST_SETS);
            let others = if others == 0 { String::new() } else { format!("; or {others} other sets") };
            Some(format!("no violation{bound} with {shown}{others}"))
        }
    };
    DefenceWords { stops, sets }
}

/// The limit that ended the search for defences, in words.
fn ended_words(request: &CausalRequest<'_>, found: &Defences) -> &'static str {
    match found.ended {
        Some(Exhausted::Time) | None if !request.awaits_defences => {
            "it takes longer than a few seconds; --defences takes the time"
        }
        why => ended(why.unwrap_or(Exhausted::Time)),
    }
}

/// Counts and times of the search.
pub fn statistics(request: &CausalRequest<'_>, tree: &CausalTree) -> String {
    let checked = tree.checked_by.map_or(String::new(), |solver| format!("; checked again by {solver}"));
    let ways =
        tree.kinds.iter().flat_map(CausalKind::with_variants).map(|kind| kind.ways.len()).sum::<usize>();
    let many = match tree.narrowed_from {
        Some(from) => format!(" (from {} on, only one of each kind)", steps(from)),
        None => String::new(),
    };
    let calls = usize::try_from(tree.solver_calls).unwrap_or(usize::MAX);
    let counts = [(ways, "irreducible counterexample", many.as_str()), (calls, "solver call", "")];
    let counts = counts.into_iter().filter(|(count, ..)| *count > 0);
    let counts: String =
        counts.map(|(count, noun, more)| format!("{}{more}, ", counted(count, noun))).collect();
    format!("{counts}{:.2} s{checked}", request.seconds)
}
