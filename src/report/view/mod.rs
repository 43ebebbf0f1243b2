//! A classification as it is shown: one view of finite and infinite traces, of which `text`, `page` and the cases for continuous
//! integration are made.

pub mod finite;
pub mod infinite;
mod page;
mod text;

use crate::classes::baseline::ShownComparison;
use crate::classes::class_table::ClassTable;
use crate::classes::necessary::FactList;
use crate::classes::numbers::NumberTable;
use crate::classes::overlap::Overlaps;
use crate::classes::shown::ShownTrace;
use crate::shared::images::ShownImage;
use crate::shared::request::{CausesOfClasses, CommonRequest};
use crate::traces::stepper::Figure;
use crate::writing::paint::Tone;
use classify::{AtStart, Cover, TraceKind, Verdict};
use maud::Markup;

/// A part of a page that is drawn only if there is one.
pub(crate) type DrawnPart<'a> = Box<dyn Fn() -> Markup + 'a>;

/// A classification as it is shown.
pub struct ResultView<'a> {
    pub(crate) asked: &'a CommonRequest<'a>,
    pub(crate) tone: Tone,
    pub(crate) sentence: String,
    /// The property's formula, as it is written.
    pub(crate) formula: &'a str,
    /// How the vocabulary was chosen, if the program did that.
    pub(crate) chosen: Option<String>,
    /// The class that was covered alone.
    pub(crate) within: Option<String>,
    /// Other lines about the result as a whole, with their names: `fairness`, `lengths`.
    pub(crate) rows: Vec<(&'static str, String)>,
    pub(crate) table: ClassTable,
    pub(crate) compared: Option<ShownComparison<'a>>,
    pub(crate) classes: Vec<ClassView<'a>>,
    /// A counterexample in no class, with its heading.
    pub(crate) unclassified: Option<(String, ShownTrace<'a>)>,
    pub(crate) cover: Option<CoverView<'a>>,
    pub(crate) pair: Option<PairView<'a>>,
    /// The causes of all classes; `None` unless requested.
    pub(crate) causes: Option<CausesView>,
    pub(crate) necessary: Vec<FactList>,
    pub(crate) overlaps: Option<Overlaps>,
    /// Tables of numbers of traces with how they were counted, or why there are none.
    pub(crate) counts: Option<Result<(Vec<NumberTable>, &'static str), String>>,
    pub(crate) statistics: String,
    pub(crate) seconds: f64,
}

/// A class with its counterexample.
pub(crate) struct ClassView<'a> {
    /// The doc comments of its predicates.
    pub title: Option<String>,
    /// Remarks before it is read: ` (depends on the bound)`, or nothing.
    pub remark: String,
    pub constraint: String,
    /// The constraint in words, a line each.
    pub words: Vec<String>,
    /// The facts as a page shows them.
    pub facts: Box<dyn Fn(&Figure<'_>) -> Markup + 'a>,
    pub images: Vec<ShownImage<'a>>,
    /// Why no part can be left out.
    pub needed: Option<NeededView<'a>>,
    /// Sentences about it, each with a trace that shows it.
    pub notes: Vec<(String, Option<ShownTrace<'a>>)>,
    /// The kinds by their causes of which a trace is in it, with their numbers.
    pub causes: Vec<String>,
    /// `a shortest counterexample of this class`
    pub heading: String,
    /// Who its individuals are: `, n1 = 2`.
    pub who: String,
    pub shown: ShownTrace<'a>,
    /// Sentences about decisive steps.
    pub decisive: Vec<String>,
    pub canonical: CanonicalView<'a>,
}

/// Which counterexample is in one class alone.
pub(crate) enum CanonicalView<'a> {
    Unknown,
    /// The one that is shown: a sentence that says so.
    Shown(String),
    /// Another one, with its heading.
    Other(String, ShownTrace<'a>),
}

/// For each part of a class the trace that shows why it is needed.
pub(crate) struct NeededView<'a> {
    pub sentence: String,
    pub parts: Vec<(String, ShownTrace<'a>)>,
    /// Traces are put beside the parts where they fit.
    pub beside: bool,
    pub page: DrawnPart<'a>,
}

/// The sentences of a cover beside its classes.
pub(crate) struct CoverView<'a> {
    /// Which classes occur together, with a shortest trace.
    pub combinations: Vec<(Vec<usize>, ShownTrace<'a>)>,
    /// `A shortest trace`
    pub shortest: &'static str,
    /// The sentence about other combinations, if there may be some.
    pub more: Option<String>,
    pub necessary: FactList,
    pub skipped: &'a [String],
    /// A trace that is left over, with its heading.
    pub remainder: Option<(String, ShownTrace<'a>)>,
    /// The sentence that nothing violates the property where no class happens, if this is known.
    pub nothing: Option<String>,
}

/// Two traces that a vocabulary cannot tell apart.
pub(crate) struct PairView<'a> {
    pub title: &'static str,
    pub advice: Vec<String>,
    /// Them beside each other, as lines and for a page.
    pub beside: Option<(Vec<String>, DrawnPart<'a>)>,
    /// The violation, and the accepted trace, with their headings.
    pub traces: [(&'static str, ShownTrace<'a>); 2],
    /// `a counterexample that the vocabulary cannot tell from an accepted trace`
    pub finding: &'static str,
}

/// The causes of all classes.
pub(crate) struct CausesView {
    /// The number of kinds, and the counterexamples that they cover.
    pub sentence: String,
    /// The kinds of which no trace is in a class, with their numbers.
    pub elsewhere: Vec<String>,
}

impl CausesView {
    fn of(asked: &CommonRequest<'_>) -> Option<Self> {
        let CausesOfClasses { document, titles, of_classes } = asked.causes?;
        let outside = (1..=titles.len()).filter(|kind| of_classes.iter().all(|of| !of.contains(kind)));
        Some(Self {
            sentence: document.summary.trim_start_matches("violated: ").to_owned(),
            elsewhere: numbered(titles, outside),
        })
    }
}

/// The kinds by their causes of which a trace is in a class.
fn causes_of(asked: &CommonRequest<'_>, class: usize) -> Vec<String> {
    let kinds = asked.kinds_in(class).unwrap_or_default();
    asked.causes.map(|causes| numbered(&causes.titles, kinds.into_iter())).unwrap_or_default()
}

fn numbered(titles: &[String], kinds: impl Iterator<Item = usize>) -> Vec<String> {
    kinds.map(|kind| format!("{kind}  {}", titles[kind - 1])).collect()
}

type ConstraintText<'w, K> = Box<dyn Fn(&<K as TraceKind>::Constraint) -> String + 'w>;

/// How a cover is told.
pub(crate) struct CoverWords<'w, 'a, K: TraceKind> {
    pub shortest: &'static str,
    /// The lengths that combinations were looked for up to, if the classes are about more.
    pub within: Option<String>,
    /// The head of what all counterexamples have.
    pub necessary: &'static str,
    pub shown: Box<dyn Fn(&'a K::Trace) -> ShownTrace<'a> + 'w>,
    pub text: ConstraintText<'w, K>,
    /// The heading of a trace that is left over, of which this is special.
    pub left_over: Box<dyn Fn(&str) -> String + 'w>,
    /// The sentence that nothing violates the property where no class happens, if the cover is complete.
    pub nothing: Option<String>,
}

impl<'a, K: TraceKind> CoverWords<'_, 'a, K> {
    fn view(self, cover: &'a Cover<K>) -> CoverView<'a> {
        let combinations = cover.combinations.iter();
        let necessary = cover.necessary.iter().enumerate();
        // A fact that holds from the start is necessary for no reason.
        let from_start = |index: usize| match cover.at_start.get(index) {
            Some(AtStart::Always) => "  (in every initial state)",
            _ => "",
        };
        let remainder = cover.remainder.as_ref();
        CoverView {
            combinations: combinations.map(|c| (c.classes.clone(), (self.shown)(&c.trace))).collect(),
            shortest: self.shortest,
            more: (!cover.all).then(|| match self.within {
                Some(within) => format!("these are of traces of {within}; there may be more"),
                None => "there may be more".to_owned(),
            }),
            necessary: FactList {
                title: self.necessary.to_owned(),
                lines: necessary.map(|(n, c)| (self.text)(c) + from_start(n)).collect(),
            },
            skipped: &cover.skipped,
            remainder: remainder.map(|t| ((self.left_over)(left_over(cover)), (self.shown)(t))),
            nothing: self.nothing,
        }
    }
}

/// Returns the special feature of a trace that a cover leaves over.
fn left_over<K: TraceKind>(cover: &Cover<K>) -> &'static str {
    match (cover.context.is_some(), cover.necessary.is_empty()) {
        (true, _) => "of this class outside the cover",
        (false, true) if cover.predicates_only => "in which no predicate of the vocabulary holds",
        (false, true) if !cover.skipped.is_empty() => "in which no examined fact holds",
        (false, true) => "in which no fact of the vocabulary holds",
        (false, false) if !cover.skipped.is_empty() => {
            "in which no examined fact holds except those of every violating trace"
        }
        (false, false) => "in which no fact of the vocabulary holds except those of every violating trace",
    }
}

/// Returns the tone in which a verdict is told.
fn tone<K: TraceKind>(verdict: &Verdict<K>) -> Tone {
    match verdict {
        Verdict::Holds => Tone::Good,
        Verdict::Undecided { .. } => Tone::Doubtful,
        _ => Tone::Bad,
    }
}

fn in_parentheses(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!(" ({text})") }
}
