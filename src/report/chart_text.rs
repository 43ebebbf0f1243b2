//! Message sequence charts of protocols as text: a lane for each run, the attacker between them.

use super::marks::Marks;
use super::{Paint, columns};
use crate::protocol::{Binding, Chart, ChartEvent, ChartRun, Happening};
use itertools::Itertools;
use std::fmt::Write;
use unicode_width::UnicodeWidthStr;

/// The least distance of two lifelines, in columns.
const LEAST: usize = 14;
/// The name over the lane of the attacker.
pub(super) const ATTACKER: &str = "Eve";

/// The lanes from left to right: the attacker is in the middle of the runs.
#[derive(Debug)]
pub(super) struct Lanes {
    /// What stands over each lane.
    pub heads: Vec<[String; 2]>,
    /// The number of lanes to the left of the attacker's.
    pub attacker: usize,
}

impl Lanes {
    pub fn of(chart: &Chart) -> Self {
        let attacker = chart.runs.len().div_ceil(2);
        let mut heads: Vec<[String; 2]> = chart.runs.iter().map(head).collect();
        heads.insert(attacker, [ATTACKER.to_owned(), String::new()]);
        Self { heads, attacker }
    }

    /// The lane of a run.
    pub fn of_run(&self, run: usize) -> usize {
        if run < self.attacker { run } else { run + 1 }
    }
}

/// Who a run is, and whom it takes for whom.
fn head(run: &ChartRun) -> [String; 2] {
    let beliefs = run.partners.iter().map(|(role, agent)| format!("{role} = {agent}")).join(", ");
    [format!("{}: {} as {}", run.name, run.agent, run.role), beliefs]
}

/// What is said beside an event. `numbers` are those of the messages.
pub(super) fn beside(event: &ChartEvent, index: usize, numbers: &[Option<usize>]) -> Vec<String> {
    match &event.what {
        Happening::Sent { content, .. } => vec![format!("{} {content}", reference(index, numbers))],
        Happening::Received { content, unchanged: false, bindings, .. } => [content.clone()]
            .into_iter()
            .chain(bindings.iter().map(|binding| from(binding, numbers)))
            .collect(),
        Happening::Received { content, bindings, .. } => {
            let sent = bindings.first().map(|binding| reference(binding.event, numbers)).unwrap_or_default();
            vec![format!("{sent} {content}")]
        }
        Happening::Claimed { labels, .. } => vec![format!("claims {}", labels.join(", "))],
        Happening::Lost(what) => vec![what.clone()],
    }
}

/// Where a part comes from.
fn from(binding: &Binding, numbers: &[Option<usize>]) -> String {
    let opened = match &binding.keys[..] {
        [] => String::new(),
        keys => format!(", opened with {}", keys.join(" and ")),
    };
    format!("{} is from {}{opened}", binding.part, reference(binding.event, numbers))
}

/// How a message is referred to.
fn reference(event: usize, numbers: &[Option<usize>]) -> String {
    numbers
        .get(event)
        .copied()
        .flatten()
        .map_or_else(|| "what was lost".to_owned(), |number| format!("({number})"))
}

/// For each event, its number if a message is sent.
pub(super) fn numbers(chart: &Chart) -> Vec<Option<usize>> {
    let mut sent = 0;
    let mut number = |event: &ChartEvent| {
        matches!(event.what, Happening::Sent { .. }).then(|| {
            sent += 1;
            sent
        })
    };
    chart.events.iter().map(&mut number).collect()
}

/// The chart as lines, each indented by `indent` columns.
pub(super) fn chart_text(
    chart: &Chart,
    marks: &Marks<'_>,
    width: usize,
    paint: Paint,
    indent: usize,
) -> String {
    let lanes = Lanes::of(chart);
    let margins: Vec<String> = chart.events.iter().map(|event| marks.margin(event.at)).collect();
    let margin_width = margins.iter().map(|margin| margin.width()).max().unwrap_or(0);
    let last = chart.events.last().map_or(0, |event| event.at);
    let number_width = last.to_string().len();
    let before = margin_width + usize::from(margin_width > 0) + number_width + 2;
    let centres = centres(&lanes);
    let right = centres.last().copied().unwrap_or(0) + 1;
    let pad = " ".repeat(indent);
    let mut out = String::new();
    for line in heads(&lanes, &centres) {
        let _ = writeln!(out, "{pad}{}{}", " ".repeat(before), paint.bold(line.trim_end()));
    }
    let numbers = numbers(chart);
    for (index, event) in chart.events.iter().enumerate() {
        let begins = index == 0 || chart.events[index - 1].at != event.at;
        let ends = chart.events.get(index + 1).is_none_or(|next| next.at != event.at);
        let margin = if begins {
            let fill = " ".repeat(margin_width - margins[index].width() + usize::from(margin_width > 0));
            format!("{}{fill}{:>number_width$}  ", paint.mark(&margins[index]), event.at)
        } else {
            " ".repeat(before)
        };
        let lane = lane_line(&lanes, &centres, event);
        let room = width.saturating_sub(indent + before + right + 2);
        let quiet = lifelines(&centres);
        let violation = marks.violation(event.at).filter(|_| ends).map(|text| format!("← {text}"));
        let mut said = beside(event, index, &numbers);
        let fits = said.iter().chain(&violation).all(|text| text.width() <= room);
        if !fits {
            // What is said goes below the lanes' own line, over the whole width.
            let _ = writeln!(out, "{pad}{margin}{lane}");
            for text in said.drain(..) {
                let _ = writeln!(out, "{pad}{}  {text}", " ".repeat(before));
            }
            if let Some(text) = violation {
                let _ = writeln!(out, "{pad}{}  {}", " ".repeat(before), paint.bad(&text));
            }
            continue;
        }
        let mut said = said.into_iter().chain(violation.map(|text| paint.bad(&text)));
        let first = said.next().unwrap_or_default();
        let _ = writeln!(
            out,
            "{pad}{margin}{}",
            format!("{}  {first}", columns::padded(&lane, right)).trim_end()
        );
        for text in said {
            let _ = writeln!(out, "{pad}{}{}  {text}", " ".repeat(before), columns::padded(&quiet, right));
        }
    }
    out
}

/// The columns of the lifelines.
fn centres(lanes: &Lanes) -> Vec<usize> {
    let widths: Vec<usize> =
        lanes.heads.iter().map(|head| head.iter().map(|line| line.width()).max().unwrap_or(0)).collect();
    let mut centres = vec![widths[0] / 2];
    for pair in widths.windows(2) {
        let distance = (pair[0].div_ceil(2) + pair[1].div_ceil(2) + 2).max(LEAST);
        centres.push(centres.last().copied().unwrap_or(0) + distance);
    }
    centres
}

fn heads(lanes: &Lanes, centres: &[usize]) -> Vec<String> {
    let line = |row: usize| {
        let mut line = String::new();
        for (head, centre) in lanes.heads.iter().zip(centres) {
            let begin = centre.saturating_sub(head[row].width() / 2);
            line = columns::padded(&line, begin);
            line.push_str(&head[row]);
        }
        line
    };
    [0, 1].map(line).into_iter().filter(|line| !line.trim().is_empty()).collect()
}

fn lifelines(centres: &[usize]) -> String {
    let mut line = vec![' '; centres.last().map_or(0, |last| last + 1)];
    centres.iter().for_each(|centre| line[*centre] = '│');
    line.into_iter().collect()
}

/// The lanes with what happens in them.
fn lane_line(lanes: &Lanes, centres: &[usize], event: &ChartEvent) -> String {
    let mut line: Vec<char> = lifelines(centres).chars().collect();
    let (from, to, label) = match &event.what {
        Happening::Sent { run, label, .. } => (lanes.of_run(*run), lanes.attacker, label),
        Happening::Received { run, label, .. } => (lanes.attacker, lanes.of_run(*run), label),
        Happening::Claimed { run, .. } => {
            line[centres[lanes.of_run(*run)]] = '●';
            return line.into_iter().collect();
        }
        Happening::Lost(_) => {
            line[centres[lanes.attacker]] = '◆';
            return line.into_iter().collect();
        }
    };
    let (from, to) = (centres[from], centres[to]);
    let (left, right) = (from.min(to), from.max(to));
    for cell in &mut line[left + 1..right] {
        *cell = if *cell == '│' { '┼' } else { '─' };
    }
    if from < to {
        (line[from], line[to - 1]) = ('├', '▶');
    } else {
        (line[from], line[to + 1]) = ('┤', '◀');
    }
    // The label lies next to the run, where no other lane crosses.
    let label: Vec<char> = format!(" {label} ").chars().collect();
    let near_run = match &event.what {
        Happening::Sent { .. } => from,
        _ => to,
    };
    let begin = if near_run == left { left + 3 } else { right.saturating_sub(2 + label.len()) };
    for (offset, character) in label.into_iter().enumerate() {
        if begin + offset < right - 1 && begin + offset > left {
            line[begin + offset] = character;
        }
    }
    line.into_iter().collect()
}
