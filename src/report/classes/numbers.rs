//! How many violating traces there are: tables for people, decimal strings for programs.

use crate::classes::beyond::{obstacle_text, obstacle_word};
use crate::writing::columns::aligned;
use classify::{Classification, Count, CountMethod, Tally, TraceNumbers};
use kit::number::{grouped, rounded, to_u8};
use num_bigint::BigUint;
use unicode_width::UnicodeWidthStr;
use verify::document::{CountedBy, StoredCount, StoredCounts, StoredShare};

/// At most so many lengths are shown in a table.
const MOST_ROWS: usize = 12;

/// Numbers with more digits than this are rounded in tables.
const MOST_DIGITS: usize = 12;

/// A table: what it is of, its head, and its rows.
#[derive(Debug, PartialEq, Eq)]
pub struct NumberTable {
    /// The unit that is counted.
    pub title: String,
    /// The heads of the columns; the first one is that of the lengths.
    pub head: Vec<String>,
    /// One for each length with any trace, and the sum.
    pub rows: Vec<Vec<String>>,
    /// For each row and each column but the first: how large the number is, from 0 to 100 on a logarithmic scale that ends at the
    /// largest one; nothing for rows that are left out, and for the sum.
    pub sizes: Vec<Vec<Option<u8>>>,
}

/// The document, if numbers were asked for.
pub fn counts_document(result: &Classification) -> Option<StoredCounts> {
    Some(match result.counts.as_ref()? {
        Ok(numbers) => {
            let list = |of: fn(&Count) -> &Tally| {
                numbers.counts.iter().map(|c| count_document(c.steps, of(c), result.classes.len())).collect()
            };
            StoredCounts {
                first_violations: Some(list(|c| &c.first)),
                violating: Some(list(|c| &c.violating)),
                method: Some(match numbers.method {
                    CountMethod::List(_) => CountedBy::States,
                    CountMethod::Diagrams => CountedBy::Diagrams,
                }),
                orbits: Some(numbers.orbits),
                reason: None,
                text: None,
            }
        }
        Err(obstacle) => StoredCounts {
            first_violations: None,
            violating: None,
            method: None,
            orbits: None,
            reason: Some(obstacle_word(obstacle)),
            text: Some(obstacle_text(obstacle)),
        },
    })
}

fn count_document(steps: usize, tally: &Tally, classes: usize) -> StoredCount {
    let class =
        |c: usize| StoredShare { id: c + 1, total: tally.of(c).to_string(), only: tally.only(c).to_string() };
    StoredCount {
        steps,
        total: tally.total().to_string(),
        outside: tally.outside().to_string(),
        classes: (0..classes).map(class).collect(),
    }
}

/// How numbers were found.
pub fn method_text(numbers: &TraceNumbers) -> &'static str {
    match (numbers.method, numbers.orbits) {
        (CountMethod::List(_), false) => "counted over a list of states",
        (CountMethod::Diagrams, false) => "counted over decision diagrams",
        (CountMethod::List(_), true) => {
            "counted over a list of states, with one representative of all traces that differ only in interchangeable values"
        }
        (CountMethod::Diagrams, true) => {
            "counted over decision diagrams, with one representative of all traces that differ only in interchangeable values"
        }
    }
}

/// The tables: of counterexamples that end in their first violation, and of violating traces of each length.
pub fn tables(counts: &[Count], classes: usize) -> Vec<NumberTable> {
    vec![
        table("counterexamples that end in their first violation, up to", counts, |c| &c.first, classes),
        table("traces with a violation anywhere, of up to", counts, |c| &c.violating, classes),
    ]
}

/// A column with its head and what it counts.
type Column = (String, Box<dyn Fn(&Tally) -> BigUint>);

fn table(title: &str, counts: &[Count], of: fn(&Count) -> &Tally, classes: usize) -> NumberTable {
    let any = |test: &dyn Fn(&Tally) -> bool| counts.iter().any(|count| test(of(count)));
    let outside = any(&|t| t.outside() != BigUint::ZERO);
    let mut columns: Vec<Column> = vec![("all".into(), Box::new(Tally::total))];
    for c in (0..classes).filter(|_| classes > 1 || outside) {
        columns.push((format!("class {}", c + 1), Box::new(move |t| t.of(c))));
        if any(&|t| t.of(c) != t.only(c)) {
            columns.push((format!("only {}", c + 1), Box::new(move |t| t.only(c))));
        }
    }
    if outside {
        columns.push(("in no class".into(), Box::new(Tally::outside)));
    }
    let head = std::iter::once("steps".to_owned()).chain(columns.iter().map(|c| c.0.clone())).collect();
    let row = |name: String, value: &dyn Fn(&Column) -> BigUint| -> Vec<String> {
        std::iter::once(name).chain(columns.iter().map(|c| short_number(&value(c)))).collect()
    };
    let shown: Vec<&Count> = counts.iter().filter(|c| !of(c).0.is_empty()).collect();
    let mut rows: Vec<Vec<String>> =
        shown.iter().map(|count| row(count.steps.to_string(), &|c| c.1(of(count)))).collect();
    let logarithms = |count: &&Count| columns.iter().map(|c| logarithm(&c.1(of(count)))).collect();
    let mut sizes = sizes(shown.iter().map(logarithms).collect());
    if rows.len() > MOST_ROWS {
        let left_out = rows.len() - MOST_ROWS + 1;
        let out = MOST_ROWS / 2..MOST_ROWS / 2 + left_out;
        rows.splice(out.clone(), [vec!["…".to_owned(); columns.len() + 1]]);
        sizes.splice(out, [vec![None; columns.len()]]);
    }
    sizes.push(vec![None; columns.len()]);
    rows.push(row("sum".into(), &|c| counts.iter().map(|count| c.1(of(count))).sum()));
    let title = match counts.last().map_or(0, |count| count.steps) {
        1 => format!("{title} 1 step"),
        steps => format!("{title} {steps} steps"),
    };
    NumberTable { title, head, rows, sizes }
}

/// The binary logarithm of n + 1.
fn logarithm(n: &BigUint) -> f64 {
    let n = n + 1u32;
    let small = n.bits().saturating_sub(53);
    let leading = u64::try_from(&n >> small).unwrap_or(u64::MAX);
    (leading as f64).log2() + small as f64
}

/// Logarithms as percentages of the largest one.
fn sizes(logarithms: Vec<Vec<f64>>) -> Vec<Vec<Option<u8>>> {
    let largest = logarithms.iter().flatten().fold(1.0_f64, |largest, &one| largest.max(one));
    let percent = |one: f64| Some(to_u8(rounded(100.0 * one / largest).clamp(0, 100)));
    logarithms.into_iter().map(|row| row.into_iter().map(percent).collect()).collect()
}

/// The table as lines, its columns right-aligned; as many columns beside each other as there is room for.
pub fn table_lines(table: &NumberTable, width: usize) -> Vec<String> {
    let size = |column: usize| {
        let cells = table.rows.iter().map(|row| &row[column]).chain([&table.head[column]]);
        cells.map(|cell| cell.width()).max().unwrap_or(0)
    };
    let mut lines = Vec::new();
    let mut begin = 1;
    while begin < table.head.len() {
        let mut end = begin;
        let mut used = size(0);
        while end < table.head.len() && (end == begin || used + 2 + size(end) <= width) {
            used += 2 + size(end);
            end += 1;
        }
        let rows = std::iter::once(&table.head).chain(&table.rows);
        let rows = rows.map(|row| [&row[..1], &row[begin..end]].concat());
        lines.extend(aligned(&rows.collect::<Vec<_>>(), |_| true));
        begin = end;
    }
    lines
}

/// A number for a table: with separators, or rounded to four digits where it is long.
pub fn short_number(n: &BigUint) -> String {
    let digits = n.to_string();
    if digits.len() <= MOST_DIGITS {
        return grouped(&digits);
    }
    let mut power = digits.len() - 1;
    let leading: u32 = digits[..5].parse().unwrap_or(0);
    let mut rounded = (leading + 5) / 10;
    if rounded == 10_000 {
        (rounded, power) = (1000, power + 1);
    }
    format!("{}.{:03}·10^{power}", rounded / 1000, rounded % 1000)
}
