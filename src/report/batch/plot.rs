//! Classes, time and memory over the bounds, as one SVG picture.

use super::{FoundClassification, Series, Summary, SummaryRow};
use crate::writing::markup::escape;
use kit::number::{rounded, to_i32};
use std::fmt::Write;

/// A panel with its axes, and what is around the drawn part of it.
const PANEL: (f64, f64) = (260.0, 104.0);
const LEFT: f64 = 52.0;
const RIGHT: f64 = 14.0;
const TOP: f64 = 8.0;
const FOOT: f64 = 22.0;
/// The line above the panels of a series, and the heads above all.
const TITLE: f64 = 24.0;
const HEAD: f64 = 26.0;
/// With more lines than this, every other one has a number.
const MOST_TICKS: usize = 5;

/// A colour for each column that can be told from light and from dark ground, also by the colour-blind (Okabe and Ito, Color
/// universal design, 2008).
const COLOURS: [&str; 3] = ["#0072b2", "#d55e00", "#009e73"];

const STYLE: &str = "
text { font: 12px system-ui, sans-serif; fill: #333 }
.head, .title { font-weight: 600; font-size: 13px }
.tick { text-anchor: end }
.bound { text-anchor: middle }
.grid { stroke: #888; stroke-opacity: .3 }
.line { fill: none; stroke-width: 1.8 }
@media (prefers-color-scheme: dark) { text { fill: #ddd } }
";

/// The quantity of a result that a panel shows.
type Quantity = fn(&FoundClassification) -> Option<f64>;

/// The picture: a row of panels for each series, with the same axes in all rows; hollow points where a result is partial, none
/// where there is no result. A result for every length is a diamond at the bound that it was found with. Time has a logarithmic
/// scale.
pub fn plot_svg(summary: &Summary) -> String {
    let columns: [(&str, Scale, Quantity); 3] = [
        ("classes", Scale::Linear, |f| Some(f.classes().count() as f64)),
        ("CPU seconds", Scale::Logarithmic, |f| f.statistics.cpu_seconds.map(|s| s.max(0.001))),
        ("peak memory, MB", Scale::Linear, |f| f.statistics.peak_memory_kb.map(|kb| kb as f64 / 1024.0)),
    ];
    let row = TITLE + PANEL.1;
    let (width, height) = (PANEL.0 * columns.len() as f64, HEAD + row * summary.series.len() as f64);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">\n\
         <title>{}: classes, time and memory over the bounds</title>\n<style>{STYLE}</style>\n",
        escape(&summary.plan)
    );
    for (number, series) in summary.series.iter().enumerate() {
        let title = escape(&summary.rows[series.entries[0].row].key.title());
        let y = HEAD + row * number as f64 + 16.0;
        let _ = writeln!(out, "<text class=\"title\" x=\"8\" y=\"{y}\">{title}</text>");
    }
    let mut bounds: Vec<usize> = summary.rows.iter().filter_map(SummaryRow::bound).collect();
    bounds.sort_unstable();
    bounds.dedup();
    for (column, (head, scale, quantity)) in columns.into_iter().enumerate() {
        let left = PANEL.0 * column as f64;
        let _ = writeln!(out, "<text class=\"head\" x=\"{}\" y=\"16\">{head}</text>", left + LEFT);
        let lines: Vec<Vec<Point>> =
            summary.series.iter().map(|series| points(&summary.rows, series, quantity)).collect();
        let ticks = scale.ticks(lines.iter().flatten().map(|point| point.value));
        for (number, line) in lines.iter().enumerate() {
            let top = HEAD + row * number as f64 + TITLE;
            let axes = Axes { left, top, scale, ticks: &ticks, bounds: &bounds };
            axes.draw(&mut out);
            draw(&mut out, &axes, line, COLOURS[column]);
        }
    }
    out.push_str("</svg>\n");
    out
}

/// A result in a panel.
struct Point {
    bound: f64,
    value: f64,
    partial: bool,
    /// True if it is about every length, and so on no line.
    every: bool,
}

/// Where a panel is, and what its axes say.
struct Axes<'a> {
    left: f64,
    top: f64,
    scale: Scale,
    ticks: &'a [f64],
    bounds: &'a [usize],
}

impl Axes<'_> {
    fn across(&self, bound: f64) -> f64 {
        let [first, last] =
            [self.bounds.first(), self.bounds.last()].map(|bound| bound.map_or(0.0, |&k| k as f64));
        let share = if last > first { (bound - first) / (last - first) } else { 0.5 };
        self.left + LEFT + 8.0 + share * (PANEL.0 - LEFT - RIGHT - 16.0)
    }

    fn up(&self, value: f64) -> f64 {
        let place = |value| self.scale.place(value);
        let (low, high) = (self.ticks[0], self.ticks[self.ticks.len() - 1]);
        let share = (place(value) - place(low)) / (place(high) - place(low));
        self.top + PANEL.1 - FOOT - share * (PANEL.1 - TOP - FOOT)
    }

    fn draw(&self, out: &mut String) {
        let every = if self.ticks.len() > MOST_TICKS { 2 } else { 1 };
        for (number, &tick) in self.ticks.iter().enumerate() {
            let y = self.up(tick);
            let (from, to) = (self.left + LEFT, self.left + PANEL.0 - RIGHT);
            let _ = writeln!(out, "<path class=\"grid\" d=\"M{from} {y:.1}H{to}\"/>");
            if number % every == 0 {
                let (x, y) = (self.left + LEFT - 6.0, y + 4.0);
                let _ = writeln!(out, "<text class=\"tick\" x=\"{x}\" y=\"{y:.1}\">{tick}</text>");
            }
        }
        // Where there are many bounds, only some of them have room for their numbers.
        for bound in self.bounds.iter().step_by(self.bounds.len().div_ceil(9).max(1)) {
            let (x, y) = (self.across(*bound as f64), self.top + PANEL.1 - 6.0);
            let _ = writeln!(out, "<text class=\"bound\" x=\"{x:.1}\" y=\"{y}\">{bound}</text>");
        }
    }
}

/// The results of a series in a panel.
fn draw(out: &mut String, axes: &Axes<'_>, line: &[Point], colour: &str) {
    let place = |point: &Point| (axes.across(point.bound), axes.up(point.value));
    let bounded = line.iter().filter(|point| !point.every).map(place);
    let way: Vec<String> = bounded.map(|(x, y)| format!("{x:.1} {y:.1}")).collect();
    if way.len() > 1 {
        let _ = writeln!(out, "<path class=\"line\" d=\"M{}\" stroke=\"{colour}\"/>", way.join("L"));
    }
    for point in line {
        let fill = if point.partial { "none" } else { colour };
        let (x, y) = place(point);
        let shape = match point.every {
            true => format!("<path d=\"M{x:.1} {:.1}l5 5l-5 5l-5 -5z\"", y - 5.0),
            false => format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.2\""),
        };
        let _ = writeln!(out, "{shape} fill=\"{fill}\" stroke=\"{colour}\"/>");
    }
}

fn points(rows: &[SummaryRow], series: &Series, quantity: Quantity) -> Vec<Point> {
    let point = |row: &SummaryRow| {
        let found = row.found()?;
        let (bound, value) = (found.bound as f64, quantity(found)?);
        Some(Point { bound, value, partial: found.is_partial(), every: row.key.unbounded })
    };
    series.entries.iter().filter_map(|entry| point(&rows[entry.row])).collect()
}

#[derive(Debug, Clone, Copy)]
/// The scale of an axis.
pub enum Scale {
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
    pub fn ticks(self, values: impl Iterator<Item = f64>) -> Vec<f64> {
        let (low, high) = values.fold((f64::MAX, 0.0f64), |(low, high), v| (low.min(v), high.max(v)));
        match self {
            Scale::Linear => {
                let step = round_step(high / 4.0);
                let count = to_i32(rounded((high / step).ceil()).max(1));
                (0..=count).map(|n| f64::from(n) * step).collect()
            }
            Scale::Logarithmic if high == 0.0 => vec![0.001, 1.0],
            Scale::Logarithmic => {
                let from = rounded(low.log10().floor());
                let to = rounded(high.log10().ceil()).max(from + 1);
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
