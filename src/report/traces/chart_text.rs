//! Message sequence charts of protocols as text: a lane for each run, the attacker between them.

use crate::writing::columns::{padded, wrapped};
use crate::writing::marks::Marks;
use crate::writing::paint::Paint;
use import::protocol::{Chart, ChartEvent, ChartRun, Happening, SentPart};
use lang::model::Position;
use std::fmt::Write;
use unicode_width::UnicodeWidthStr;

/// The least distance of two lifelines, in columns.
const LEAST: usize = 14;
/// The least width of what is said beside the lanes; where there is less room, it is said below.
const LEAST_SAID: usize = 34;
/// How far the further lines of something that is said are indented.
const HANG: usize = 4;
/// The name over the lane of the attacker.
pub const ATTACKER: &str = "Eve";

/// The lanes from left to right: the attacker is in the middle of the runs.
#[derive(Debug)]
pub struct ChartLanes {
    /// The heads of the lanes, line by line.
    pub heads: Vec<Vec<String>>,
    /// The number of lanes to the left of the attacker's.
    pub attacker: usize,
}

impl ChartLanes {
    /// With all partners of a run on one line, or each on a line of its own.
    pub fn of(chart: &Chart, narrow: bool) -> Self {
        let attacker = chart.runs.len().div_ceil(2);
        let mut heads: Vec<Vec<String>> = chart.runs.iter().map(|run| head(run, narrow)).collect();
        heads.insert(attacker, vec![ATTACKER.to_owned()]);
        Self { heads, attacker }
    }

    /// The lane of a run.
    pub fn of_run(&self, run: usize) -> usize {
        if run < self.attacker { run } else { run + 1 }
    }
}

/// Who a run is, and whom it takes for whom.
fn head(run: &ChartRun, narrow: bool) -> Vec<String> {
    let mut beliefs: Vec<String> =
        run.partners.iter().map(|(role, agent)| format!("{role} = {agent}")).collect();
    if !narrow {
        beliefs = vec![beliefs.join(", ")];
    }
    [format!("{}: {} as {}", run.name, run.agent, run.role)].into_iter().chain(beliefs).collect()
}

/// The notes beside an event. `numbers` are those of the messages.
pub fn beside(event: &ChartEvent, index: usize, numbers: &[Option<usize>]) -> Vec<String> {
    match &event.what {
        Happening::Sent { content, .. } => vec![format!("{} {content}", reference(index, numbers))],
        Happening::Received { content, unchanged: false, bindings, .. } => [content.clone()]
            .into_iter()
            .chain(bindings.iter().map(|binding| from(binding, numbers)))
            .collect(),
        Happening::Received { bindings, .. } => {
            let sent = bindings.first().map(|binding| reference(binding.event, numbers)).unwrap_or_default();
            vec![format!("{sent} unchanged")]
        }
        Happening::Claimed { labels, .. } => vec![format!("claims {}", labels.join(", "))],
        Happening::Lost(what) => vec![what.clone()],
    }
}

/// Where a part comes from.
fn from(binding: &SentPart, numbers: &[Option<usize>]) -> String {
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
        .map_or_else(|| "revealed".to_owned(), |number| format!("({number})"))
}

/// For each event, its number if a message is sent.
pub fn numbers(chart: &Chart) -> Vec<Option<usize>> {
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
pub fn chart_text(chart: &Chart, marks: &Marks<'_>, width: usize, paint: Paint, indent: usize) -> String {
    let margins: Vec<String> = chart.events.iter().map(|event| marks.margin(event.at)).collect();
    let margin_width = margins.iter().map(|margin| margin.width()).max().unwrap_or(0);
    let last = chart.events.last().map_or(Position::FIRST, |event| event.at);
    let number_width = last.to_string().len();
    let before = margin_width + usize::from(margin_width > 0) + number_width + 2;
    let layout = |narrow| {
        let lanes = ChartLanes::of(chart, narrow);
        let centres = centres(&lanes);
        let right = centres.last().copied().unwrap_or(0) + 1;
        let room = width.saturating_sub(indent + before + right + 2);
        (lanes, centres, right, room)
    };
    let mut chosen = layout(false);
    if chosen.3 < LEAST_SAID {
        chosen = layout(true);
    }
    let (lanes, centres, right, room) = chosen;
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
        let quiet = lifelines(&centres);
        let violation = marks.remark(event.at).filter(|_| ends).map(|text| format!("← {text}"));
        let is_beside = room >= LEAST_SAID;
        let most = if is_beside { room } else { width.saturating_sub(indent + before + 2) };
        let lines = |text: &String| wrapped(text, most, HANG);
        let said: Vec<String> = beside(event, index, &numbers).iter().flat_map(lines).collect();
        let violation: Vec<String> = violation.iter().flat_map(lines).map(|line| paint.bad(&line)).collect();
        let mut said = said.into_iter().chain(violation);
        let first = if is_beside { said.next().unwrap_or_default() } else { String::new() };
        let _ = writeln!(out, "{pad}{margin}{}", format!("{}  {first}", padded(&lane, right)).trim_end());
        let quiet = if is_beside { padded(&quiet, right) } else { String::new() };
        for text in said {
            let _ = writeln!(out, "{pad}{}{quiet}  {text}", " ".repeat(before));
        }
    }
    out
}

/// The legend of charts, to be printed once, in lines of at most `width` columns. `positions` tells whether positions of a class are
/// marked.
pub fn chart_legend(width: usize, positions: bool) -> Vec<String> {
    let mut legend = String::from(
        "charts: r1, r2 are runs, below them whom they take for whom; a name with #1 is what r1 made for it, \
         one with #Eve what Eve made; an arrow has the label of its message, (1) is the first message that was sent, \
         and `(1) unchanged` that message, passed on as it was; on the left are the steps of the model",
    );
    if positions {
        legend.push_str(", and i is the step that the class names");
    }
    wrapped(&legend, width, 2)
}

/// The columns of the lifelines.
fn centres(lanes: &ChartLanes) -> Vec<usize> {
    let widest = |head: &Vec<String>| head.iter().map(|line| line.width()).max().unwrap_or(0);
    let widths: Vec<usize> = lanes.heads.iter().map(widest).collect();
    let mut centres = vec![widths[0] / 2];
    for pair in widths.windows(2) {
        let distance = (pair[0].div_ceil(2) + pair[1].div_ceil(2) + 2).max(LEAST);
        centres.push(centres.last().copied().unwrap_or(0) + distance);
    }
    centres
}

/// The heads of the lanes.
pub fn heads(lanes: &ChartLanes, centres: &[usize]) -> Vec<String> {
    let line = |row: usize| {
        let mut line = String::new();
        for (head, centre) in lanes.heads.iter().zip(centres) {
            let text = head.get(row).map_or("", String::as_str);
            line = padded(&line, centre.saturating_sub(text.width() / 2));
            line.push_str(text);
        }
        line
    };
    let rows = lanes.heads.iter().map(Vec::len).max().unwrap_or(0);
    (0..rows).map(line).filter(|line| !line.trim().is_empty()).collect()
}

fn lifelines(centres: &[usize]) -> String {
    let mut line = vec![' '; centres.last().map_or(0, |last| last + 1)];
    centres.iter().for_each(|centre| line[*centre] = '│');
    line.into_iter().collect()
}

/// The lanes with what happens in them.
fn lane_line(lanes: &ChartLanes, centres: &[usize], event: &ChartEvent) -> String {
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
