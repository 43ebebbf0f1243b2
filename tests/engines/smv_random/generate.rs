//! Random texts in SMV, with few states.

use crate::random::Random;
use std::fmt::Write;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sort {
    Bool,
    Int,
    Symbol,
}

/// What can be read in a module.
#[derive(Debug, Clone, Default)]
struct Names {
    values: Vec<(String, Sort)>,
    /// Those that cannot be read after the step.
    inputs: Vec<(String, Sort)>,
    /// An array of truth values with the indices 0 and 1.
    array: bool,
}

/// Where an expression is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    State,
    Step,
    /// What is assigned with `next`; like a step, but rarely reads the state after it.
    Assigned,
}

struct Writer<'r> {
    rng: &'r mut Random,
    names: Names,
}

const SYMBOLS: &[&str] = &["a", "b", "none", "next-one"];
const TYPES: &[(&str, Sort)] = &[
    ("boolean", Sort::Bool),
    ("boolean", Sort::Bool),
    ("{a, b, none}", Sort::Symbol),
    ("{b, next-one}", Sort::Symbol),
    ("0..2", Sort::Int),
    ("{-1, 0, 2}", Sort::Int),
];

impl Writer<'_> {
    fn name(&mut self, sort: Sort, place: Place) -> Option<String> {
        let mut all: Vec<(String, bool)> = self
            .names
            .values
            .iter()
            .filter(|(_, own)| *own == sort)
            .map(|(name, _)| (name.clone(), true))
            .collect();
        if place != Place::State {
            let inputs = self.names.inputs.iter().filter(|(_, own)| *own == sort);
            all.extend(inputs.map(|(name, _)| (name.clone(), false)));
        }
        if all.is_empty() {
            return None;
        }
        let (name, is_state) = self.rng.pick(&all).clone();
        let often = if place == Place::Step { 40 } else { 10 };
        let next = place != Place::State && is_state && self.rng.percent(often);
        Some(if next { format!("next({name})") } else { name })
    }

    fn atom(&mut self, sort: Sort, place: Place) -> String {
        if self.rng.percent(75)
            && let Some(name) = self.name(sort, place)
        {
            return name;
        }
        match sort {
            Sort::Bool => self.rng.pick(&["TRUE", "FALSE"]).to_string(),
            Sort::Int => self.rng.pick(&["0", "1", "2", "-1"]).to_string(),
            Sort::Symbol => self.rng.pick(SYMBOLS).to_string(),
        }
    }

    fn expression(&mut self, sort: Sort, depth: usize, place: Place) -> String {
        if depth == 0 || self.rng.percent(20) {
            return self.atom(sort, place);
        }
        if self.rng.percent(15) {
            return self.case(sort, depth - 1, place, false);
        }
        let d = depth - 1;
        match sort {
            Sort::Symbol => self.atom(sort, place),
            Sort::Int => {
                let sign = *self.rng.pick(&["+", "-", "*", "mod 2", "/ 2", "mod -3", "count", "toint"]);
                match sign {
                    "count" => format!(
                        "count({}, {})",
                        self.expression(Sort::Bool, d, place),
                        self.expression(Sort::Bool, d, place)
                    ),
                    "toint" => format!("toint({})", self.expression(Sort::Bool, d, place)),
                    "+" | "-" | "*" => {
                        format!(
                            "({} {sign} {})",
                            self.expression(Sort::Int, d, place),
                            self.expression(Sort::Int, d, place)
                        )
                    }
                    _ => format!("({} {sign})", self.expression(Sort::Int, d, place)),
                }
            }
            Sort::Bool => self.formula(d, place),
        }
    }

    fn formula(&mut self, d: usize, place: Place) -> String {
        let choice = self.rng.below(10);
        let operand = |own: &mut Self| own.expression(Sort::Bool, d, place);
        match choice {
            0 => format!("!{}", operand(self)),
            // Without parentheses, precedence is what decides.
            1 | 2 => {
                let mut text = operand(self);
                for _ in 0..1 + self.rng.below(3) {
                    let sign = *self.rng.pick(&["&", "|", "xor", "xnor", "->", "<->"]);
                    let _ = write!(text, " {sign} {}", operand(self));
                }
                format!("({text})")
            }
            3 => format!("({} ? {} : {})", operand(self), operand(self), operand(self)),
            4 | 5 => {
                let sort = *self.rng.pick(&[Sort::Symbol, Sort::Int, Sort::Bool]);
                let (a, b) = (self.expression(sort, d, place), self.expression(sort, d, place));
                format!("(({a}) {} ({b}))", self.rng.pick(&["=", "!="]))
            }
            6 => {
                let (a, b) = (self.expression(Sort::Int, d, place), self.expression(Sort::Int, d, place));
                format!("({a} {} {b})", self.rng.pick(&["<", "<=", ">", ">="]))
            }
            7 => {
                let a = self.expression(Sort::Int, d, place);
                format!("({a} in {})", self.rng.pick(&["0..1", "{0, 2}", "{-1} union 1..2", "1"]))
            }
            8 => format!("({} in {{a, next-one}})", self.expression(Sort::Symbol, d, place)),
            _ if self.names.array => {
                let index = match self.rng.below(3) {
                    0 => "0".to_owned(),
                    1 => format!("toint({})", operand(self)),
                    // May be out of bounds.
                    _ => self.expression(Sort::Int, d.min(1), place),
                };
                format!("row[{index}]")
            }
            _ => operand(self),
        }
    }

    /// A case; one that applies is missing now and then.
    fn case(&mut self, sort: Sort, depth: usize, place: Place, sets: bool) -> String {
        let mut text = "case ".to_owned();
        let count = 1 + self.rng.below(2);
        for _ in 0..count {
            let condition = self.expression(Sort::Bool, depth, place);
            let value =
                if sets { self.choice(sort, depth, place) } else { self.expression(sort, depth, place) };
            let _ = write!(text, "{condition} : {value}; ");
        }
        if self.rng.percent(95) {
            let value =
                if sets { self.choice(sort, depth, place) } else { self.expression(sort, depth, place) };
            let _ = write!(text, "TRUE : {value}; ");
        }
        text + "esac"
    }

    /// What is assigned: a value, a set, or cases.
    fn choice(&mut self, sort: Sort, depth: usize, place: Place) -> String {
        match self.rng.below(4) {
            0 => {
                let (a, b) = (self.atom(sort, place), self.expression(sort, depth.min(1), place));
                format!("{{{a}, {b}}}")
            }
            1 if depth > 0 => self.case(sort, depth - 1, place, true),
            _ => self.expression(sort, depth, place),
        }
    }

    /// What is assigned to a variable, mostly with values that it can have.
    fn fitting(&mut self, ty: &str, sort: Sort, place: Place) -> String {
        let value = self.choice(sort, 2, place);
        let guard = match (ty, self.rng.percent(85)) {
            ("{a, b, none}", true) => self.rng.pick(&["a", "{none, b}", "{a, b, none}"]).to_string(),
            ("{b, next-one}", true) => "{b, next-one}".to_owned(),
            ("0..2", true) => {
                return format!("({}) mod 2 = 1 ? 1 : {{0, 2}}", self.expression(Sort::Int, 1, place));
            }
            ("{-1, 0, 2}", true) => {
                return format!("({}) > 0 ? 2 : {{0, -1}}", self.expression(Sort::Int, 1, place));
            }
            _ => return value,
        };
        format!("case {} : {guard}; TRUE : {}; esac", self.expression(Sort::Bool, 1, place), guard)
    }

    /// Assignments to a variable.
    fn assignments(&mut self, name: &str, ty: &str, sort: Sort, text: &mut String) {
        if self.rng.percent(60) {
            let value = self.fitting(ty, sort, Place::State);
            let _ = writeln!(text, "  init({name}) := {value};");
        }
        if self.rng.percent(75) {
            let value = self.fitting(ty, sort, Place::Assigned);
            let _ = writeln!(text, "  next({name}) := {value};");
        }
    }
}

/// A module with a variable, a definition and two parameters.
fn cell(rng: &mut Random) -> String {
    let (ty, sort) = *rng.pick(TYPES);
    let values = vec![("p".to_owned(), Sort::Bool), ("q".to_owned(), Sort::Int), ("x".to_owned(), sort)];
    let mut writer = Writer { rng, names: Names { values, ..Names::default() } };
    let mut text = format!("MODULE cell(p, q)\nVAR\n  x : {ty};\nASSIGN\n");
    writer.assignments("x", ty, sort, &mut text);
    let _ = writeln!(text, "DEFINE\n  d := {};", writer.expression(Sort::Bool, 2, Place::State));
    text
}

/// A random text: `main`, perhaps with an instance of another module.
pub fn text(rng: &mut Random) -> String {
    let has_cell = rng.percent(50);
    let mut text = if has_cell { cell(rng) } else { String::new() };
    // What `x` of the cell is.
    let cell_sort = match text.split("x : ").nth(1) {
        Some(ty) if ty.starts_with("boolean") => Sort::Bool,
        Some(ty) if ty.starts_with("{a") || ty.starts_with("{b") => Sort::Symbol,
        _ => Sort::Int,
    };
    text += "MODULE main\nCONSTANTS a, b, none, next-one;\n";
    let mut names = Names::default();
    if rng.percent(40) {
        let (ty, sort) = *rng.pick(TYPES);
        let _ = writeln!(text, "IVAR\n  i : {ty};");
        names.inputs.push(("i".to_owned(), sort));
    }
    if rng.percent(20) {
        let (ty, sort) = *rng.pick(TYPES);
        let _ = writeln!(text, "FROZENVAR\n  f : {ty};");
        names.values.push(("f".to_owned(), sort));
    }
    let variables: Vec<(&str, &str, Sort)> = ["x", "y", "init_"][..1 + rng.below(2) + usize::from(!has_cell)]
        .iter()
        .map(|name| {
            let (ty, sort) = *rng.pick(TYPES);
            (*name, ty, sort)
        })
        .collect();
    text += "VAR\n";
    for (name, ty, sort) in &variables {
        let _ = writeln!(text, "  {name} : {ty};");
        names.values.push(((*name).to_owned(), *sort));
    }
    names.array = rng.percent(25);
    if names.array {
        text += "  row : array 0..1 of boolean;\n";
    }
    let mut writer = Writer { rng, names };
    if has_cell {
        let (p, q) =
            (writer.expression(Sort::Bool, 1, Place::State), writer.expression(Sort::Int, 1, Place::State));
        let _ = writeln!(text, "  u : cell({p}, {q});");
        writer.names.values.extend([("u.x".to_owned(), cell_sort), ("u.d".to_owned(), Sort::Bool)]);
    }
    sections(&mut writer, &variables, &mut text);
    text
}

/// What follows the declarations of `main`.
fn sections(writer: &mut Writer<'_>, variables: &[(&str, &str, Sort)], text: &mut String) {
    text.push_str("ASSIGN\n");
    for (number, (name, ty, sort)) in variables.iter().enumerate() {
        if number == 0 && writer.rng.percent(15) {
            // Always assigned: what it reads must not read it.
            let all = writer.names.clone();
            writer.names.values.retain(|(other, _)| other != name && !other.starts_with("u."));
            let value = writer.fitting(ty, *sort, Place::State);
            writer.names = all;
            let _ = writeln!(text, "  {name} := {value};");
        } else {
            writer.assignments(name, ty, *sort, text);
        }
    }
    if writer.names.array {
        writer.assignments("row[0]", "boolean", Sort::Bool, text);
        writer.assignments("row[1]", "boolean", Sort::Bool, text);
    }
    if writer.rng.percent(50) {
        let _ = writeln!(text, "DEFINE\n  e := {};", writer.expression(Sort::Int, 2, Place::State));
        writer.names.values.push(("e".to_owned(), Sort::Int));
    }
    for (word, percent, place) in
        [("INIT", 20, Place::State), ("INVAR", 20, Place::State), ("TRANS", 40, Place::Step)]
    {
        if writer.rng.percent(percent) {
            let _ = writeln!(text, "{word} {};", writer.expression(Sort::Bool, 2, place));
        }
    }
    if writer.rng.percent(30) {
        let _ = writeln!(text, "JUSTICE {};", writer.expression(Sort::Bool, 1, Place::State));
    }
    for _ in 0..2 {
        let _ = writeln!(text, "INVARSPEC {};", writer.expression(Sort::Bool, 2, Place::State));
    }
    let _ = writeln!(text, "LTLSPEC F G !({})", writer.expression(Sort::Bool, 1, Place::State));
}
