//! States and the steps between them drawn as a graph: in layers, by their distance from the first state.

use crate::traces::sequence::{CHARACTER, svg_tag};
use crate::writing::columns::cut;
use crate::writing::markup::escape;
use kit::number::{rounded, to_usize};
use std::collections::BTreeMap;
use std::fmt::Write;
use unicode_width::UnicodeWidthStr;

/// More states are not drawn: nobody could read them.
const MOST: usize = 60;
/// The radius of a state, and the distances of columns and layers.
const RADIUS: f64 = 15.0;
const COLUMN: f64 = 150.0;
const LAYER: f64 = 84.0;
/// The most columns of a label, and the height of its line.
const LABEL: usize = 26;
const LINE: f64 = 15.0;
/// Where on an edge its label may stand, the best place first.
const PLACES: [f64; 7] = [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8];

/// A point, or a direction.
type Point = (f64, f64);

/// A rectangle: left, top, right, bottom.
type Frame = (f64, f64, f64, f64);

/// The curve of an edge: its ends and the point towards which it bends.
struct Curve {
    from: Point,
    bend: Point,
    to: Point,
}

impl Curve {
    fn at(&self, t: f64) -> Point {
        let part = |a: f64, b: f64, c: f64| (1.0 - t) * (1.0 - t) * a + 2.0 * t * (1.0 - t) * b + t * t * c;
        (part(self.from.0, self.bend.0, self.to.0), part(self.from.1, self.bend.1, self.to.1))
    }
}

/// The drawing; `None` with too many states, or without steps. An edge has the states from which and to which it leads, by index,
/// and its label.
pub fn graph_svg(states: usize, edges: &[(usize, usize, String)]) -> Option<String> {
    if states > MOST || edges.is_empty() {
        return None;
    }
    let centres = centres(states, edges);
    let mut labels: BTreeMap<(usize, usize), Vec<&str>> = BTreeMap::new();
    for (from, to, label) in edges {
        labels.entry((*from, *to)).or_default().push(label);
    }
    let mut taken: Vec<Frame> = centres.iter().map(|&(x, y)| around((x, y), RADIUS, RADIUS)).collect();
    let mut drawn = Vec::new();
    for (&(from, to), texts) in &labels {
        let curve = curve(&centres, labels.contains_key(&(to, from)), (from, to));
        let all = texts.join(", ");
        let shown = cut(&all, LABEL).into_owned();
        let half = (shown.width() * CHARACTER) as f64 / 2.0;
        let frames = PLACES.map(|t| around(curve.at(t), half, LINE / 2.0));
        let free = |frame: &&Frame| !taken.iter().any(|other| meet(frame, other));
        // A label without room is only the title of its edge, and in the list of the steps.
        let place = frames.iter().find(free).copied();
        taken.extend(place);
        drawn.push(((from, to), curve, place.map(|frame| (frame, shown)), all));
    }
    let bends = drawn.iter().map(|(_, curve, ..)| around(curve.at(0.5), 4.0, 4.0));
    let frames: Vec<Frame> = taken.iter().copied().chain(bends).collect();
    let least = |side: fn(&Frame) -> f64| frames.iter().map(side).fold(f64::INFINITY, f64::min) - 8.0;
    let most = |side: fn(&Frame) -> f64| frames.iter().map(side).fold(f64::NEG_INFINITY, f64::max) + 8.0;
    let (left, top) = (least(|f| f.0), least(|f| f.1));
    let (width, height) =
        [most(|f| f.2) - left, most(|f| f.3) - top].map(|size| to_usize(rounded(size.ceil()))).into();
    let moved = |(x, y): Point| (x - left, y - top);
    let mut out = format!("{}<title>Graph of the states</title>\n", svg_tag(width, height));
    for ((from, to), curve, label, all) in &drawn {
        let curve = Curve { from: moved(curve.from), bend: moved(curve.bend), to: moved(curve.to) };
        let label = label.as_ref().map(|(frame, text)| (moved(middle(frame)), text.as_str()));
        edge_svg(&mut out, &curve, label, &format!("{from} → {to}: {all}"));
    }
    for (state, &centre) in centres.iter().enumerate() {
        let (x, y) = moved(centre);
        let _ = writeln!(
            out,
            "<g data-step=\"{state}\"><circle class=\"node\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{RADIUS}\"/>\
             <text class=\"what\" x=\"{x:.1}\" y=\"{:.1}\">{state}</text></g>",
            y + 4.0
        );
    }
    out.push_str("</svg>\n");
    Some(out)
}

/// Where the states stand: in layers by distance, in each as near as may be to those that lead there.
fn centres(states: usize, edges: &[(usize, usize, String)]) -> Vec<Point> {
    let mut layers: Vec<Vec<usize>> = vec![vec![0]];
    let mut seen = vec![false; states];
    seen[0] = true;
    let mut centres = vec![(0.0, 0.0); states];
    loop {
        let last = layers.last().map_or(&[][..], Vec::as_slice);
        let mut next: Vec<usize> = Vec::new();
        for &from in last {
            for &(_, to, _) in edges.iter().filter(|edge| edge.0 == from) {
                if !std::mem::replace(&mut seen[to], true) {
                    next.push(to);
                }
            }
        }
        if next.is_empty() {
            // What nothing leads to stands below the others.
            next = (0..states).filter(|&state| !std::mem::replace(&mut seen[state], true)).collect();
        }
        if next.is_empty() {
            break;
        }
        layers.push(next);
    }
    for (layer, states) in layers.iter().enumerate() {
        let first = -COLUMN * (states.len() - 1) as f64 / 2.0;
        for (column, &state) in states.iter().enumerate() {
            centres[state] = (first + COLUMN * column as f64, LAYER * layer as f64);
        }
    }
    centres
}

/// How far an edge bends to one side or the other: the least that keeps it away from other states.
const BENDS: [f64; 13] =
    [0.0, 44.0, -44.0, 80.0, -80.0, 130.0, -130.0, 190.0, -190.0, 260.0, -260.0, 340.0, -340.0];

/// An edge is straight unless it has one in the other direction, or a state would be in its way.
fn curve(centres: &[Point], both: bool, (from, to): (usize, usize)) -> Curve {
    let (start, end) = (centres[from], centres[to]);
    if from == to {
        let (x, y) = start;
        return Curve {
            from: (x + RADIUS, y - 4.0),
            bend: (x + 4.0 * RADIUS, y + 1.5 * RADIUS),
            to: (x + 0.6 * RADIUS, y + 0.8 * RADIUS),
        };
    }
    let straight = middle(&(start.0, start.1, end.0, end.1));
    let (across, down) = (end.0 - start.0, end.1 - start.1);
    let length = across.hypot(down).max(1.0);
    let bent = |far: f64| {
        let bend = (straight.0 - far * down / length, straight.1 + far * across / length);
        Curve { from: towards(start, bend), bend, to: towards(end, bend) }
    };
    let others = || centres.iter().enumerate().filter(|(state, _)| *state != from && *state != to);
    let is_clear = |curve: &Curve| {
        (1..20).map(|part| curve.at(f64::from(part) / 20.0)).all(|point| {
            others().all(|(_, centre)| (centre.0 - point.0).hypot(centre.1 - point.1) > RADIUS + 6.0)
        })
    };
    // The two directions bend to different sides, as their vectors point to different ones.
    let curves = || BENDS.iter().skip(usize::from(both)).map(|&far| bent(far));
    curves().find(is_clear).unwrap_or_else(|| bent(BENDS[1]))
}

/// The point on the border of a state in the direction of another point.
fn towards(centre: Point, other: Point) -> Point {
    let (across, down) = (other.0 - centre.0, other.1 - centre.1);
    let length = across.hypot(down).max(1.0);
    (centre.0 + RADIUS * across / length, centre.1 + RADIUS * down / length)
}

/// A line with a head and its label.
fn edge_svg(out: &mut String, curve: &Curve, label: Option<(Point, &str)>, title: &str) {
    let Curve { from, bend, to } = curve;
    let (across, down) = (to.0 - bend.0, to.1 - bend.1);
    let length = across.hypot(down).max(1.0);
    let (across, down) = (across / length, down / length);
    let back = (to.0 - 9.0 * across, to.1 - 9.0 * down);
    let _ = write!(
        out,
        "<g><title>{}</title><path class=\"arrow\" d=\"M{:.1} {:.1} Q{:.1} {:.1} {:.1} {:.1}\"/>\
         <path class=\"head\" d=\"M{:.1} {:.1} L{:.1} {:.1} L{:.1} {:.1} z\"/>",
        escape(title),
        from.0,
        from.1,
        bend.0,
        bend.1,
        to.0,
        to.1,
        to.0,
        to.1,
        back.0 - 4.0 * down,
        back.1 + 4.0 * across,
        back.0 + 4.0 * down,
        back.1 - 4.0 * across,
    );
    if let Some(((x, y), text)) = label {
        let _ = write!(out, "<text class=\"what\" x=\"{x:.1}\" y=\"{:.1}\">{}</text>", y + 4.0, escape(text));
    }
    out.push_str("</g>\n");
}

fn around((x, y): Point, half_width: f64, half_height: f64) -> Frame {
    (x - half_width, y - half_height, x + half_width, y + half_height)
}

fn middle(frame: &Frame) -> Point {
    (f64::midpoint(frame.0, frame.2), f64::midpoint(frame.1, frame.3))
}

fn meet(one: &Frame, other: &Frame) -> bool {
    one.0 < other.2 && other.0 < one.2 && one.1 < other.3 && other.1 < one.3
}
