//! The classes at a glance.

use crate::classes::numbers::short_number;
use crate::shared::images::images_words;
use crate::shared::request::ClassifyRequest;
use crate::writing::columns::{cut, padded, wrapped_facts};
use classify::{Class, Classification, Constraint, Count, Fact, FactKind, Restates, Tally, VariableNames};
use lang::model::Position;
use num_bigint::BigUint;
use solvers::unroll::Lengths;
use unicode_width::UnicodeWidthStr;

/// Constraints are not cut to fewer columns than this; where there is no room for them, lines are cut as a whole.
const LEAST: usize = 16;

/// Further lines of a constraint are indented by so many columns.
const HANG: usize = 2;

/// The table of the classes of a result.
#[derive(Debug, PartialEq, Eq)]
pub struct ClassTable {
    /// The heads of the columns of numbers.
    pub number_heads: Vec<&'static str>,
    /// One line for each class.
    pub lines: Vec<ClassLine>,
    /// Facts that all classes have, with `…` in place of their variables.
    pub in_all: Vec<String>,
}

/// The line of a class in the table.
#[derive(Debug, PartialEq, Eq)]
pub struct ClassLine {
    /// Its number; how soon its first counterexample violates the property; how many counterexamples it has, if they were counted.
    pub numbers: Vec<String>,
    /// The constraint in the paper's notation.
    pub constraint: String,
    /// The constraint with `…` in place of the variables and their domains.
    pub abridged: String,
    /// Its facts without those that all classes have; the same where nothing would be left.
    pub own: String,
    /// The remark that it is redundant, restates the property, is one step from it, or depends on the bound; else empty.
    pub remark: String,
}

impl ClassTable {
    /// True if there is a remark on any of the classes.
    pub fn has_remarks(&self) -> bool {
        self.lines.iter().any(|line| !line.remark.is_empty())
    }
}

/// The table of the classes. Traces of exact length do not differ in their numbers of steps, so it has the positions of their first
/// violations instead.
pub fn class_table(request: &ClassifyRequest<'_>, result: &Classification) -> ClassTable {
    let counts = result.counts.as_ref().and_then(|counts| counts.as_ref().ok());
    let counts = counts.map(|numbers| numbers.counts.as_slice());
    let sum = |of: &dyn Fn(&Tally) -> BigUint| counts.map(|c| first_violations(c, of));
    let overlapping = (0..result.classes.len()).any(|c| sum(&|t| t.of(c)) != sum(&|t| t.only(c)));
    let mut number_heads = vec!["class"];
    number_heads.push(match result.lengths {
        Lengths::UpTo(_) => "steps",
        Lengths::Exactly(_) => "violated at",
    });
    number_heads.extend(counts.map(|_| "counterexamples"));
    number_heads.extend(overlapping.then_some("in it alone"));
    let in_all = in_all(request, result);
    let line = |(index, class): (usize, &Class)| {
        let mut numbers = vec![(index + 1).to_string(), first_violation(request, class).to_string()];
        numbers.extend(sum(&|t| t.of(index)).map(|n| short_number(&n)));
        numbers.extend(sum(&|t| t.only(index)).filter(|_| overlapping).map(|n| short_number(&n)));
        ClassLine {
            numbers,
            constraint: class.constraint.show(request.asked.model, &result.atoms),
            abridged: abridged(request, result, &class.constraint),
            own: own(request, result, &class.constraint, &in_all),
            remark: remark(result, index),
        }
    };
    let lines = result.classes.iter().enumerate().map(line).collect();
    ClassTable { number_heads, lines, in_all }
}

/// How many counterexamples there are that end in their first violation, over all lengths.
fn first_violations(counts: &[Count], of: &dyn Fn(&Tally) -> BigUint) -> BigUint {
    counts.iter().map(|count| of(&count.first)).sum()
}

/// The position of the first violation in the representative: the last one, unless it goes on.
fn first_violation(request: &ClassifyRequest<'_>, class: &Class) -> Position {
    let trace = &class.representative;
    request.violation(trace).map_or(trace.last(), |(at, _)| at)
}

/// A constraint with its first facts only.
pub fn abridged(request: &ClassifyRequest<'_>, result: &Classification, constraint: &Constraint) -> String {
    let facts = constraint.show_facts(request.asked.model, &result.atoms);
    let quantified = constraint.positions > 0 || constraint.is_lifted();
    if quantified { format!("∃ … : {facts}") } else { facts }
}

/// A fact as text without its variables.
fn shape(request: &ClassifyRequest<'_>, result: &Classification, fact: &Fact) -> String {
    let blanks = |count: Option<usize>| vec!["…".to_owned(); count.map_or(0, |last| last + 1)];
    let names = VariableNames {
        positions: blanks(fact.positions.iter().map(|p| p.index()).max()),
        individuals: blanks(fact.individuals.iter().map(|v| v.index()).max()),
    };
    fact.show(request.asked.model, &result.atoms, &names)
}

/// The facts that all classes have, but for order, each as often as they all have it; none of a single class.
fn in_all(request: &ClassifyRequest<'_>, result: &Classification) -> Vec<String> {
    let shapes = |class: &Class| -> Vec<String> {
        let facts = class.constraint.facts.iter().filter(|fact| !matches!(fact.kind, FactKind::Order(_)));
        facts.map(|fact| shape(request, result, fact)).collect()
    };
    let mut classes = result.classes.iter().flat_map(Class::with_images).map(shapes);
    let first = classes.next().filter(|_| result.classes.len() > 1).unwrap_or_default();
    classes.fold(first, |mut common, mut others| {
        common.retain(|shape| take_out(&mut others, shape));
        common
    })
}

/// Takes one of these out of a list; says whether there was one.
fn take_out(list: &mut Vec<String>, text: &str) -> bool {
    let place = list.iter().position(|other| other == text);
    place.map(|place| list.remove(place)).is_some()
}

fn own(
    request: &ClassifyRequest<'_>,
    result: &Classification,
    constraint: &Constraint,
    in_all: &[String],
) -> String {
    let names = constraint.names(request.asked.model, &result.atoms);
    let mut left_out = in_all.to_vec();
    let own = constraint.facts.iter().filter(|fact| !take_out(&mut left_out, &shape(request, result, fact)));
    let own: Vec<String> = own.map(|fact| fact.show(request.asked.model, &result.atoms, &names)).collect();
    if own.is_empty() || own.len() == constraint.facts.len() {
        return abridged(request, result, constraint);
    }
    format!("… ∧ {}", own.join(" ∧ "))
}

fn remark(result: &Classification, index: usize) -> String {
    let class = &result.classes[index];
    let images = images_words(class.images.len());
    let names_a_step = class.restates == Restates::Step;
    let holding = [
        (!class.images.is_empty(), images.as_str()),
        (class.redundant, "redundant"),
        (class.restates == Restates::Property, "only restates the property"),
        (names_a_step && class.constraint.positions < 2, "last step only"),
        (names_a_step && class.constraint.positions >= 2, "last steps only"),
        (class.restates == Restates::Undecided, "perhaps restates the property"),
        (!class.sufficient, "does not suffice"),
        (result.rests_on_bound(index).is_some(), "depends on the bound"),
    ];
    remarks(&holding, ", ")
}

/// Treatment of a constraint that is too long for a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineOverflow {
    /// It is abridged; then the facts that all classes have are left out of it, and said once at the end; then it is cut. So each
    /// class has one line, which is enough where details follow.
    Cut,
    /// It is abridged; then it goes on in further lines.
    Wrap,
}

/// The table as lines of at most `width` columns, the head first; if wrapped, single words and remarks may be wider.
pub fn class_table_lines(table: &ClassTable, width: usize, overflow: LineOverflow) -> Vec<String> {
    let number_widths: Vec<usize> = (0..table.number_heads.len())
        .map(|column| {
            let cells = table.lines.iter().map(|line| line.numbers[column].width());
            cells.chain([table.number_heads[column].width()]).max().unwrap_or(0)
        })
        .collect();
    let numbers_width: usize = number_widths.iter().map(|w| w + 2).sum();
    let remark_width = table.lines.iter().map(|line| line.remark.width()).max().filter(|&w| w > 0);
    let room = width.saturating_sub(numbers_width + remark_width.map_or(0, |w| w + 2)).max(LEAST);
    let fits = |text: &String| text.width() <= room;
    let shown = |line: &ClassLine| {
        let text = [&line.constraint, &line.abridged].into_iter().find(|text| fits(text));
        match (text, overflow) {
            (Some(text), _) => vec![text.clone()],
            (None, LineOverflow::Cut) => vec![cut(&line.own, room).into_owned()],
            (None, LineOverflow::Wrap) => wrapped_facts(&line.abridged, room, HANG),
        }
    };
    let constraints: Vec<Vec<String>> = table.lines.iter().map(shown).collect();
    let head = "constraint".to_owned();
    let constraint_width = constraints.iter().flatten().chain([&head]).map(|c| c.width()).max().unwrap_or(0);
    let line = |numbers: &mut dyn Iterator<Item = &str>, constraint: &str, remark: &str| {
        let cells = numbers.zip(&number_widths).map(|(cell, width)| {
            let fill = " ".repeat(width - cell.width());
            format!("{fill}{cell}  ")
        });
        let line = format!("{}{}  {remark}", cells.collect::<String>(), padded(constraint, constraint_width));
        match overflow {
            LineOverflow::Cut => cut(line.trim_end(), width).into_owned(),
            LineOverflow::Wrap => line.trim_end().to_owned(),
        }
    };
    let heads = &mut table.number_heads.iter().copied();
    let mut lines = vec![line(heads, &head, remark_width.map_or("", |_| "remarks"))];
    for (class, constraint) in table.lines.iter().zip(&constraints) {
        let (first, more) = constraint.split_first().map_or(("", &[][..]), |(first, more)| (first, more));
        lines.push(line(&mut class.numbers.iter().map(String::as_str), first, &class.remark));
        lines.extend(more.iter().map(|text| format!("{}{text}", " ".repeat(numbers_width))));
    }
    let leaves_out = table.lines.iter().any(|line| !fits(&line.abridged) && line.own != line.abridged);
    if overflow == LineOverflow::Cut && leaves_out {
        let all = format!("{}in all: {}", " ".repeat(numbers_width), table.in_all.join(" ∧ "));
        lines.push(cut(&all, width).into_owned());
    }
    lines
}

/// Those remarks that hold, with this between them.
pub(crate) fn remarks(remarks: &[(bool, &str)], between: &str) -> String {
    let holding: Vec<&str> = remarks.iter().filter(|(holds, _)| *holds).map(|(_, text)| *text).collect();
    holding.join(between)
}
