//! Plans: the text of a TOML file, parsed and checked without reading any model.

pub mod reader;

pub use reader::PlacedValue;

use kit::budget::{parse_bytes, parse_duration};
use kit::diagnostics::{Diagnostic, SourceId, Span, find_name};
use reader::{PlanReader, PlanTable};
use solvers::sat::Backend;
use solvers::unroll::{Lengths, MOST_STEPS};

/// A range with more bounds than this is taken for a typing error.
const MOST_BOUNDS: usize = 10_000;

/// A plan as it is written.
#[derive(Debug, Default)]
pub struct Plan {
    /// `[settings]`, which apply to all jobs.
    pub settings: Settings,
    /// The `[[classify]]` tables; each stands for all combinations of what it lists.
    pub groups: Vec<ClassifyGroup>,
}

/// The settings of all jobs; what is left out has the default of the command line.
#[derive(Debug, Default)]
pub struct Settings {
    /// `solver`.
    pub solver: Option<Backend>,
    /// `timeout`, in milliseconds.
    pub timeout_ms: Option<u64>,
    /// `memory`, in bytes.
    pub memory_bytes: Option<u64>,
    /// `max_classes`.
    pub max_classes: Option<usize>,
    /// `exact`.
    pub exact: bool,
    /// `unbounded`, for groups that do not set it.
    unbounded: Option<PlacedValue<bool>>,
    /// `count`, for groups that do not set it.
    count: bool,
    /// `max_states`; applies to jobs with `unbounded` or `count` only.
    pub max_states: Option<PlacedValue<usize>>,
    /// `keep_redundant`.
    pub keep_redundant: bool,
    /// `verify`.
    pub verify: bool,
}

/// One `[[classify]]` table.
#[derive(Debug)]
pub struct ClassifyGroup {
    /// Model files, relative to the plan.
    pub models: Vec<PlacedValue<String>>,
    /// Names of invariants; `None` stands for the first one of each model.
    pub properties: Option<Vec<PlacedValue<String>>>,
    /// Claims of protocol files, in place of properties.
    pub claims: Option<ClaimSelection>,
    /// Names of vocabularies; `None` stands for the first one of each model.
    pub vocabularies: Option<Vec<PlacedValue<String>>>,
    /// Bounds in steps; a single `None` for an unbounded job without a bound to start from, and for claims up to the ends of all runs.
    pub bounds: Vec<Option<usize>>,
    /// True if results are to be proved for traces of every length.
    pub unbounded: bool,
    /// True if violating traces are counted.
    pub count: bool,
    /// The steps of the environment, for vocabularies with `lost`, `safe`, `open` or `decisive`.
    pub environment: Option<PlacedValue<String>>,
    /// The types of which classes name values, as `--ground` takes them.
    pub ground: Option<PlacedValue<String>>,
    /// Sets of constants, each sorted by name: names and the texts of their values.
    pub constants: Vec<PlacedValue<Vec<(String, String)>>>,
    /// The place of the whole table.
    pub span: Span,
}

impl ClassifyGroup {
    /// True if states of the model are visited.
    pub fn explores(&self) -> bool {
        self.unbounded || self.count || self.environment.is_some()
    }
}

/// Parses and checks the text of a plan. With any mistake the plan is incomplete, and the second component
/// has all mistakes; nothing is read from disk.
pub fn read_plan(source: SourceId, text: &str) -> (Plan, Vec<Diagnostic>) {
    let mut reader = PlanReader::new(source);
    let entries = reader.parse(text);
    if !reader.problems.is_empty() {
        // Messages about the remains of a broken text would only mislead.
        return (Plan::default(), reader.problems);
    }
    let root = reader.root(&entries);
    reader.only(root, &["settings", "classify"]);
    let settings = reader.table(root, "settings", "[settings]");
    let settings = settings.map(|table| read_settings(&mut reader, table)).unwrap_or_default();
    let tables = reader.tables(root, "classify", "[[classify]]");
    if !reader.has(root, "classify") || tables.is_empty() && reader.problems.is_empty() {
        let help = "write `[[classify]]` with `models = [\"…\"]` and `bounds = [5, 10]` below it";
        reader.error_with_help(root.span, "the plan has no jobs", help);
    }
    let groups: Vec<ClassifyGroup> =
        tables.into_iter().map(|table| read_group(&mut reader, table, &settings)).collect();
    let explores = groups.iter().any(ClassifyGroup::explores);
    if let Some(max_states) = settings.max_states.as_ref().filter(|_| !explores) {
        let help = "it limits the states visited for `unbounded = true`, `count = true` and `environment`";
        reader.error_with_help(max_states.span, "`max_states` has no effect in this plan", help);
    }
    (Plan { settings, groups }, reader.problems)
}

fn read_settings(reader: &mut PlanReader, table: PlanTable<'_>) -> Settings {
    reader.only(
        table,
        &[
            "solver",
            "timeout",
            "memory",
            "exact",
            "unbounded",
            "count",
            "max_states",
            "max_classes",
            "keep_redundant",
            "verify",
        ],
    );
    let solver = reader.string(table, "solver").and_then(|name| {
        let names: Vec<String> = Backend::all().iter().map(ToString::to_string).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        match find_name("solver", &name.value, &names) {
            Ok(index) => Some(Backend::all()[index]),
            Err(error) => {
                reader.problems.push(Diagnostic { span: Some(name.span), ..error });
                None
            }
        }
    });
    let timeout = limit(reader, table, "timeout", parse_duration);
    let max_classes = at_least_one(reader, table, "max_classes");
    let max_states = at_least_one(reader, table, "max_states");
    Settings {
        solver,
        timeout_ms: timeout.map(|time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX)),
        memory_bytes: limit(reader, table, "memory", parse_bytes),
        max_classes: max_classes.map(|n| n.value),
        exact: is_set(reader, table, "exact"),
        unbounded: reader.flag(table, "unbounded"),
        count: is_set(reader, table, "count"),
        max_states,
        keep_redundant: is_set(reader, table, "keep_redundant"),
        verify: is_set(reader, table, "verify"),
    }
}

fn is_set(reader: &mut PlanReader, table: PlanTable<'_>, key: &str) -> bool {
    reader.flag(table, key).is_some_and(|flag| flag.value)
}

fn at_least_one(reader: &mut PlanReader, table: PlanTable<'_>, key: &str) -> Option<PlacedValue<usize>> {
    let number = reader.number(table, key)?;
    if number.value == 0 {
        reader.error(number.span, format!("`{key}` is at least 1"));
    }
    Some(number)
}

/// A limit in the notation of the command line.
fn limit<T>(
    reader: &mut PlanReader,
    table: PlanTable<'_>,
    key: &str,
    parse: fn(&str) -> Result<T, String>,
) -> Option<T> {
    let text = reader.string_or_number(table, key)?;
    parse(&text.value)
        .map_err(|help| reader.error_with_help(text.span, format!("invalid `{key}`"), &help))
        .ok()
}

fn read_group(reader: &mut PlanReader, table: PlanTable<'_>, settings: &Settings) -> ClassifyGroup {
    let keys = [
        "models",
        "properties",
        "claims",
        "vocabularies",
        "bounds",
        "unbounded",
        "count",
        "environment",
        "ground",
        "constants",
    ];
    reader.only(table, &keys);
    let by_claims = reader.has(table, "claims");
    if by_claims && reader.has(table, "properties") {
        let help = "a claim of a protocol file is a property: name them under `claims`";
        reader.error_with_help(table.span, "`claims` and `properties` exclude each other", help);
    }
    let unbounded = reader.flag(table, "unbounded").or_else(|| settings.unbounded.clone());
    let unbounded = unbounded.filter(|flag| flag.value);
    if let Some(flag) = unbounded.as_ref().filter(|_| settings.exact) {
        let help =
            "leave one of them out: `exact` is about traces of one length, `unbounded` of every length";
        reader.error_once(flag.span, "`exact` and `unbounded` exclude each other", help);
    }
    let bounds_help = "write `bounds = [5, 10]` or `bounds = { from = 2, to = 12, step = 2 }`, or `unbounded = true` for every length";
    for (key, help, needed) in [
        ("models", "name files, relative to the plan: `models = [\"mutex.sts\"]`", true),
        ("bounds", bounds_help, unbounded.is_none() && !by_claims),
    ] {
        if needed && !reader.has(table, key) {
            reader.error_with_help(table.span, format!("{} has no `{key}`", table.name), help);
        }
    }
    // The rest of a group with a mistake is read as well, so that all mistakes are found.
    let models = reader.strings(table, "models").unwrap_or_default();
    let properties = reader.strings(table, "properties");
    let claims = read_claims(reader, table);
    let vocabularies = reader.strings(table, "vocabularies");
    let bounds = match reader.has(table, "bounds") {
        true => read_bounds(reader, table).unwrap_or_default().into_iter().map(Some).collect(),
        false => vec![None],
    };
    let count = reader.flag(table, "count").map_or(settings.count, |flag| flag.value);
    let unbounded = unbounded.is_some();
    let environment = reader.string(table, "environment");
    let ground = reader.string(table, "ground");
    let constants = read_constants(reader, table);
    let span = table.span;
    ClassifyGroup {
        models,
        properties,
        claims,
        vocabularies,
        bounds,
        unbounded,
        count,
        environment,
        ground,
        constants,
        span,
    }
}

fn read_bounds(reader: &mut PlanReader, table: PlanTable<'_>) -> Option<Vec<usize>> {
    if !reader.is_table(table, "bounds") {
        let numbers = reader.numbers(table, "bounds")?;
        numbers.iter().for_each(|number| check_bound(reader, number));
        return Some(numbers.into_iter().map(|n| n.value).collect());
    }
    let range = reader.table(table, "bounds", "bounds")?;
    reader.only(range, &["from", "to", "step"]);
    let ends = ["from", "to"].map(|key| {
        if !reader.has(range, key) {
            let help = "write `bounds = { from = 2, to = 12, step = 2 }`; without `step` it is 1";
            reader.error_with_help(range.span, format!("the range has no `{key}`"), help);
        }
        reader.number(range, key)
    });
    let step = match reader.has(range, "step") {
        true => reader.number(range, "step")?,
        false => PlacedValue { value: 1, span: range.span },
    };
    let [Some(from), Some(to)] = ends else { return None };
    check_bound(reader, &to);
    if step.value == 0 {
        reader.error(step.span, "`step` is at least 1");
    } else if from.value > to.value {
        reader.error(range.span, format!("the range is empty: {} is greater than {}", from.value, to.value));
    } else if (to.value - from.value) / step.value >= MOST_BOUNDS {
        reader.error(range.span, format!("the range has more than {MOST_BOUNDS} bounds"));
    } else {
        return Some((from.value..=to.value).step_by(step.value).collect());
    }
    None
}

/// Reports a bound that no job can reach.
fn check_bound(reader: &mut PlanReader, bound: &PlacedValue<usize>) {
    if let Some(message) = Lengths::UpTo(bound.value).absurd() {
        reader.error_with_help(bound.span, message, &format!("{MOST_STEPS} is the greatest bound"));
    }
}

/// Splits `NAME=VALUE`; neither part may be empty.
///
/// # Errors
/// The message tells the expected form.
pub fn parse_override(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() && !value.trim().is_empty() => {
            Ok((name.trim().to_owned(), value.trim().to_owned()))
        }
        _ => Err("write NAME=VALUE".to_owned()),
    }
}

fn read_constants(reader: &mut PlanReader, table: PlanTable<'_>) -> Vec<PlacedValue<Vec<(String, String)>>> {
    if !reader.has(table, "constants") {
        return vec![PlacedValue { value: Vec::new(), span: table.span }];
    }
    let sets = reader.string_lists(table, "constants").unwrap_or_default();
    let read = |set: PlacedValue<Vec<PlacedValue<String>>>| {
        let mut pairs = Vec::new();
        for text in set.value {
            match parse_override(&text.value) {
                Ok(pair) => pairs.push(pair),
                Err(help) => {
                    let message = format!("`{}` does not set a constant", text.value);
                    reader.error_with_help(text.span, message, &help);
                }
            }
        }
        // The order has no meaning, so it must not make a different job.
        pairs.sort();
        PlacedValue { value: pairs, span: set.span }
    };
    sets.into_iter().map(read).collect()
}

/// The claims of protocol files that a group is about.
#[derive(Debug)]
pub enum ClaimSelection {
    /// `claims = "all"`.
    All,
    /// Those with these labels.
    Labelled(Vec<PlacedValue<String>>),
}

/// The value of the key `claims`.
pub fn read_claims(reader: &mut PlanReader, table: PlanTable<'_>) -> Option<ClaimSelection> {
    if !reader.is_string(table, "claims") {
        return reader.strings(table, "claims").map(ClaimSelection::Labelled);
    }
    let word = reader.string(table, "claims")?;
    if word.value != "all" {
        let help = "write `claims = \"all\"`, or list labels: `claims = [\"A1\", \"B1\"]`";
        reader.error_with_help(
            word.span,
            format!("`claims` is \"all\" or a list, not `{}`", word.value),
            help,
        );
    }
    Some(ClaimSelection::All)
}
