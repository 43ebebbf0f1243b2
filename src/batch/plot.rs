//! Classes, time and memory over the bounds, as one SVG picture.

use super::{Found, Row, Series, Summary};
use crate::report::escape_markup as escape;
use std::fmt::Write;

const WIDTH: f64 = 760.0;
const PANEL: f64 = 190.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 16.0;
const HEAD: f64 = 28.0;
const FOOT: f64 = 26.0;
const LEGEND_LINE: f64 = 20.0;

/// Colours that can be told apart on light and on dark ground, also by the colour-blind (Okabe and Ito,
/// Color universal design, 2008; yellow and black left out, because they vanish on one of the two).
const COLOURS: [&str; 6] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];
const DASHES: [&str; 3] = ["none", "7 4", "2 4"];

const STYLE: &str = "
text { font: 12px system-ui, sans-serif; fill: #333 }
.head { font-weight: 600; font-size: 13px }
.tick { text-anchor: end }
.bound { text-anchor: middle }
.grid { stroke: #888; stroke-opacity: .3 }
.line { fill: none; stroke-width: 1.8 }
@media (prefers-color-scheme: dark) { text { fill: #ddd } }
";

/// What a panel shows of a result.
type Quantity = fn(&Found) -> Option<f64>;

/// The picture: one line for each series, hollow points where a result is partial, none where there is
/// no result. A result for every length is a diamond at the bound that it was found with. Time has a logarithmic scale.
pub fn plot_svg(summary: &Summary) -> String {
    let panels: [(&str, Scale, Quantity); 3] = [
        ("classes", Scale::Linear, |f| Some(f.classes().count() as f64)),
        ("CPU seconds", Scale::Logarithmic, |f| f.statistics.cpu_seconds.map(|s| s.max(0.001))),
        ("peak memory, MB", Scale::Linear, |f| f.statistics.peak_memory_kb.map(|kb| kb as f64 / 1024.0)),
    ];
    let height = PANEL * panels.len() as f64 + LEGEND_LINE * summary.series.len() as f64 + 12.0;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\">\n\
         <title>{}: classes, time and memory over the bounds</title>\n<style>{STYLE}</style>\n",
        escape(&summary.plan)
    );
    for (number, (title, scale, quantity)) in panels.into_iter().enumerate() {
        panel(&mut out, summary, PANEL * number as f64, title, scale, quantity);
    }
    for (number, series) in summary.series.iter().enumerate() {
        let y = PANEL * panels.len() as f64 + LEGEND_LINE * (number as f64 + 0.5);
        let _ = writeln!(
            out,
            "<path class=\"line\" d=\"M{LEFT} {y}h36\" {}/><text x=\"{}\" y=\"{}\">{}</text>",
            pen(number),
            LEFT + 46.0,
            y + 4.0,
            escape(&summary.rows[series.entries[0].row].key.title())
        );
    }
    out.push_str("</svg>\n");
    out
}

/// A result in a panel.
struct Point {
    bound: f64,
    value: f64,
    partial: bool,
    /// Whether it is about every length, and so on no line.
    every: bool,
}

fn panel(out: &mut String, summary: &Summary, top: f64, title: &str, scale: Scale, quantity: Quantity) {
    let lines: Vec<Vec<Point>> =
        summary.series.iter().map(|series| points(&summary.rows, series, quantity)).collect();
    let mut bounds: Vec<usize> = summary.rows.iter().filter_map(Row::bound).collect();
    bounds.sort_unstable();
    bounds.dedup();
    let [first, last] = [bounds.first(), bounds.last()].map(|bound| bound.map_or(0.0, |&k| k as f64));
    let ticks = scale.ticks(lines.iter().flatten().map(|point| point.value));
    let across = |bound: f64| {
        let share = if last > first { (bound - first) / (last - first) } else { 0.5 };
        LEFT + 10.0 + share * (WIDTH - LEFT - RIGHT - 20.0)
    };
    let (low, high) = (ticks[0], ticks[ticks.len() - 1]);
    let up = |value: f64| {
        let share = (scale.place(value) - scale.place(low)) / (scale.place(high) - scale.place(low));
        top + PANEL - FOOT - share * (PANEL - HEAD - FOOT)
    };
    let _ = writeln!(out, "<text class=\"head\" x=\"{LEFT}\" y=\"{}\">{title}</text>", top + 16.0);
    for &tick in &ticks {
        let y = up(tick);
        let _ = writeln!(
            out,
            "<path class=\"grid\" d=\"M{LEFT} {y:.1}H{}\"/><text class=\"tick\" x=\"{}\" y=\"{:.1}\">{tick}</text>",
            WIDTH - RIGHT,
            LEFT - 8.0,
            y + 4.0
        );
    }
    // Where there are many bounds, only some of them have room for their numbers.
    for bound in bounds.iter().step_by(bounds.len().div_ceil(24).max(1)) {
        let (x, y) = (across(*bound as f64), top + PANEL - 8.0);
        let _ = writeln!(out, "<text class=\"bound\" x=\"{x:.1}\" y=\"{y}\">{bound}</text>");
    }
    for (number, line) in lines.iter().enumerate() {
        let bounded = line.iter().filter(|point| !point.every);
        let way: Vec<String> =
            bounded.map(|point| format!("{:.1} {:.1}", across(point.bound), up(point.value))).collect();
        if way.len() > 1 {
            let _ = writeln!(out, "<path class=\"line\" d=\"M{}\" {}/>", way.join("L"), pen(number));
        }
        let colour = COLOURS[number % COLOURS.len()];
        for point in line {
            let fill = if point.partial { "none" } else { colour };
            let (x, y) = (across(point.bound), up(point.value));
            let shape = match point.every {
                true => format!("<path d=\"M{x:.1} {:.1}l5 5l-5 5l-5 -5z\"", y - 5.0),
                false => format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.2\""),
            };
            let _ = writeln!(out, "{shape} fill=\"{fill}\" stroke=\"{colour}\"/>");
        }
    }
}

fn points(rows: &[Row], series: &Series, quantity: Quantity) -> Vec<Point> {
    let point = |row: &Row| {
        let found = row.found()?;
        let (bound, value) = (found.bound as f64, quantity(found)?);
        Some(Point { bound, value, partial: found.is_partial(), every: row.key.unbounded })
    };
    series.entries.iter().filter_map(|entry| point(&rows[entry.row])).collect()
}

fn pen(number: usize) -> String {
    let dash = DASHES[number / COLOURS.len() % DASHES.len()];
    format!("stroke=\"{}\" stroke-dasharray=\"{dash}\"", COLOURS[number % COLOURS.len()])
}

#[derive(Debug, Clone, Copy)]
enum Scale {
    /// From 0.
    Linear,
    /// From a power of ten.
    Logarithmic,
}

impl Scale {
    fn place(self, value: f64) -> f64 {
        match self {
            Scale::Linear => value,
            Scale::Logarithmic => value.log10(),
        }
    }

    /// Round values around all the given ones, at least two.
    fn ticks(self, values: impl Iterator<Item = f64>) -> Vec<f64> {
        let (low, high) = values.fold((f64::MAX, 0.0f64), |(low, high), v| (low.min(v), high.max(v)));
        match self {
            Scale::Linear => {
                let step = round_step(high / 4.0);
                let count = (high / step).ceil().max(1.0) as i32;
                (0..=count).map(|n| f64::from(n) * step).collect()
            }
            Scale::Logarithmic if high == 0.0 => vec![0.001, 1.0],
            Scale::Logarithmic => {
                let from = low.log10().floor() as i32;
                let to = (high.log10().ceil() as i32).max(from + 1);
                // Through text: 10⁻³ as a product is not what 0.001 is.
                (from..=to).map(|power| format!("1e{power}").parse().unwrap_or(1.0)).collect()
            }
        }
    }
}

/// The least of 1, 2, 5, 10, 20, 50, … that is not smaller.
fn round_step(least: f64) -> f64 {
    let steps = (0..).flat_map(|power| [1.0, 2.0, 5.0].map(|n| n * 10f64.powi(power)));
    steps.take(60).find(|step| *step >= least).unwrap_or(least)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_are_round_and_wide_enough() {
        let linear = |values: &[f64]| Scale::Linear.ticks(values.iter().copied());
        assert_eq!(linear(&[0.0, 3.0]), [0.0, 1.0, 2.0, 3.0]);
        assert_eq!(linear(&[12.0, 41.0]), [0.0, 20.0, 40.0, 60.0]);
        assert_eq!(linear(&[]), [0.0, 1.0]);
        let logarithmic = |values: &[f64]| Scale::Logarithmic.ticks(values.iter().copied());
        assert_eq!(logarithmic(&[0.004, 2.5]), [0.001, 0.01, 0.1, 1.0, 10.0]);
        assert_eq!(logarithmic(&[0.001]), [0.001, 0.01]);
        assert_eq!(logarithmic(&[]), [0.001, 1.0]);
    }
}
