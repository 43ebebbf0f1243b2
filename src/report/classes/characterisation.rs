//! Minimal attack patterns of a claim, with their kinds, for the terminal.

use crate::shared::evaluate::one_line;
use crate::shared::request::DisplayOptions;
use crate::traces::chart_text::chart_text;
use crate::writing::columns::wrapped;
use crate::writing::marks::Marks;
use import::protocol::{
    AttackKind, AttackPattern, Characterisation, Chart, ClaimedProperty, Extent, Happening,
};
use kit::diagnostics::Diagnostic;
use kit::number::counted;
use lang::model::{Model, Property};
use std::fmt::Write;

/// The minimal patterns of a claim as a result of their own.
pub struct PatternRequest<'a> {
    /// The patterns.
    pub found: &'a Characterisation,
    /// The model of few runs.
    pub model: &'a Model,
    /// The claim in that model.
    pub property: &'a Property,
    /// The claim in its file.
    pub claim: &'a ClaimedProperty,
    /// The file, as the user wrote it.
    pub file: &'a str,
    /// The constants that were set, as texts.
    pub set: &'a [(String, String)],
    /// The settings of charts.
    pub display: DisplayOptions,
    /// True for the verdict and the titles alone.
    pub brief: bool,
    /// The runs of the model.
    pub runs: usize,
    /// The seconds of the search.
    pub seconds: f64,
    /// Findings about the input.
    pub warnings: &'a [Diagnostic],
    /// The command line that gives this result again.
    pub rerun: &'a str,
}

/// The verdict without attacks.
pub const HOLDS: &str = "holds for any number of runs";

/// The whole report. Without patterns, there is none for any number of runs.
pub fn patterns_text(request: &PatternRequest<'_>) -> String {
    let PatternRequest { found, model, property, file, display, runs, seconds, .. } = request;
    let kinds = found.kinds();
    let claim = one_line(property.doc.as_deref().unwrap_or_default().trim_end_matches('.'));
    let mut out = match kinds.is_empty() {
        true => display.paint.good(HOLDS),
        false => display.paint.bad(&format!("violated: {}", sentence(found, &kinds))),
    };
    let _ = writeln!(out, "\n  property   {}: {claim}", property.name);
    let _ = writeln!(out, "  model      {} ({file})", model.name);
    if let Some(threats) = display.threats() {
        let _ = writeln!(out, "  threats    {threats}");
    }
    if request.brief {
        out.push_str(if kinds.is_empty() { "" } else { "\n" });
        (0..).zip(&kinds).for_each(|(index, kind)| title(&mut out, found, kind, index, display));
        return out;
    }
    kinds_text(&mut out, found, &kinds, display);
    if kinds.is_empty() || display.selected(&kinds).is_some() {
        return out;
    }
    let patterns = if found.patterns.len() == 1 { "the pattern was" } else { "each pattern was" };
    let _ = writeln!(out, "\n{}", display.paint.faint(&format!("{patterns} replayed, {seconds:.2} s")));
    if found.patterns.iter().all(|pattern| pattern.runs > *runs) {
        return out;
    }
    let more = format!(
        "with at most {}, --tree finds kinds of attacks by their causes, and -V {} finds classes",
        counted(*runs, "run"),
        property.name
    );
    let _ = writeln!(out, "{} {more}", display.paint.faint("more:"));
    out
}

/// The patterns below another result.
pub fn patterns_beside(found: &Characterisation, display: &DisplayOptions) -> String {
    let kinds = found.kinds();
    let mut out = format!("\npatterns: {}\n", sentence(found, &kinds));
    kinds_text(&mut out, found, &kinds, display);
    out
}

/// The number of patterns and kinds, and the runs for which they are all.
pub fn sentence(found: &Characterisation, kinds: &[AttackKind]) -> String {
    let runs = |runs: usize| counted(runs, "run");
    let kinds = counted(kinds.len(), "kind");
    // A pattern of more runs than those that were all examined may contain another one.
    let minimal = found.patterns.iter().filter(|pattern| found.covers(pattern.runs)).count();
    let (count, others) = (counted(minimal, "minimal pattern"), found.patterns.len() - minimal);
    let attacks = counted(others, "attack");
    match (found.patterns.is_empty(), found.extent) {
        (true, Extent::AnyRuns) => "none for any number of runs".to_owned(),
        (true, Extent::UpTo(0)) => "none found before the search was stopped".to_owned(),
        (true, Extent::UpTo(most)) => format!("none with up to {}; more were not examined", runs(most)),
        (false, Extent::AnyRuns) => format!("{count}, {kinds}, any number of runs"),
        (false, Extent::UpTo(0)) => {
            format!("{attacks}, {kinds}; the search was stopped, there may be others")
        }
        (false, Extent::UpTo(most)) if others == 0 => {
            format!("{count}, {kinds}, up to {}; more runs may have others", runs(most))
        }
        (false, Extent::UpTo(most)) if minimal == 0 => {
            format!("{attacks}, {kinds}, none with up to {}; more runs may have others", runs(most))
        }
        (false, Extent::UpTo(most)) => {
            format!(
                "{count} with up to {} and {attacks} with more, {kinds}; more runs may have others",
                runs(most)
            )
        }
    }
}

/// The kinds, each with the chart of a pattern with few runs and no other words if there is one; with `--full`, of each pattern.
fn kinds_text(out: &mut String, found: &Characterisation, kinds: &[AttackKind], display: &DisplayOptions) {
    let mut has_values = false;
    let alone = display.selected(kinds).map(|(number, _)| number - 1);
    for (index, kind) in kinds.iter().enumerate().filter(|(index, _)| alone.is_none_or(|only| only == *index))
    {
        out.push('\n');
        title(out, found, kind, index, display);
        let mut patterns: Vec<&AttackPattern> =
            kind.patterns.iter().map(|index| &found.patterns[*index]).collect();
        patterns.sort_by_key(|pattern| (pattern.runs, pattern.words.len()));
        let charts =
            patterns.into_iter().filter_map(|pattern| Some((pattern.chart.as_ref()?, &pattern.exposed)));
        for (number, (chart, exposed)) in
            charts.take(if display.full || alone.is_some() { usize::MAX } else { 1 }).enumerate()
        {
            if number > 0 {
                out.push_str("     or\n");
            }
            out.push_str(&chart_text(chart, &Marks::default(), display.width, display.paint, 5));
            if let Some(agent) = exposed {
                let _ = writeln!(out, "     Eve has the long-term keys of {agent} from the start");
            }
            has_values |= has_open_values(chart);
        }
    }
    if kinds.is_empty() {
        return;
    }
    let values = if has_values { "; `?n#1` is any value that she has" } else { "" };
    let legend = format!(
        "small letters are different agents, honest where a run is theirs or the claim is about them; Eve is the attacker{values}"
    );
    out.push('\n');
    for line in wrapped(&legend, display.width, 0) {
        let _ = writeln!(out, "{line}");
    }
}

/// True if a message has a value that may be any of the attacker's.
fn has_open_values(chart: &Chart) -> bool {
    chart.events.iter().any(|event| match &event.what {
        Happening::Sent { content, .. } | Happening::Received { content, .. } => content.contains('?'),
        Happening::Claimed { .. } | Happening::Lost(_) => false,
    })
}

/// `1  man in the middle (2 patterns of 2 to 3 runs)`.
fn title(
    out: &mut String,
    found: &Characterisation,
    kind: &AttackKind,
    index: usize,
    display: &DisplayOptions,
) {
    let runs = || kind.patterns.iter().map(|index| found.patterns[*index].runs);
    let (fewest, most) = (runs().min().unwrap_or_default(), runs().max().unwrap_or_default());
    let several = if fewest == most { String::new() } else { format!("{fewest} to ") };
    let word = kind.word.map_or("of no known kind".to_owned(), |word| word.replace('_', " "));
    let runs = counted(most, "run");
    let patterns = || kind.patterns.iter().map(|index| &found.patterns[*index]);
    let helpers = patterns().next().into_iter().flat_map(|first| &first.helpers);
    let helpers = helpers.filter(|helper| patterns().all(|pattern| pattern.helpers.contains(helper)));
    let helpers: String = helpers.map(|helper| format!(", with @{helper}")).collect();
    let count = counted(kind.patterns.len(), "pattern");
    let title = format!("{}  {word} ({count} of {several}{runs}{helpers})", index + 1);
    let _ = writeln!(out, "{}", display.paint.bold(&title));
}
