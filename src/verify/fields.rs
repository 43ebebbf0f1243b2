//! The treatment of each field of a stored result by verification: established, not checked, or not a claim.
//!
//! `docs/verify.md` shows the table, and a test compares both with the schemas.

use super::Stored;
use super::document::StoredResult;
use itertools::Itertools;
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// Fields of some parts of documents that are treated alike.
#[derive(Debug, Clone, Copy)]
pub struct FieldGroup {
    /// The parts: whole documents, and their components.
    pub parts: &'static [&'static str],
    /// Paths below a part; `[]` stands for the elements of a list.
    pub fields: &'static [&'static str],
    /// Their treatment.
    pub standing: FieldStanding,
    /// The way they are established, or the part of them that is not checked.
    pub how: &'static str,
}

/// The treatment of a field by verification.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldStanding {
    /// The field must be correct, or the result is refused.
    Established,
    /// The field and its components are not checked.
    NotChecked,
    /// The field is not checked with some values, and established with others.
    NotCheckedWhere(FieldValues),
    /// The field describes how the result was made, not the model or its traces.
    Origin,
    /// The field is a part with fields of its own.
    Part(&'static str),
}

/// Values of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldValues {
    /// All values, including a missing one.
    Any,
    /// All but `false` and 0.
    Some,
    /// `false`.
    False,
    /// A verdict that depends on the expressiveness of the vocabulary.
    Vocabulary,
    /// `minimum` for more than one class.
    Minimum,
    /// Any value if the verdict is `partial` or `undecided`.
    Partial,
}

/// A claim of a result that is not checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unchecked {
    /// Its place in the document, as a JSON pointer (RFC 6901).
    pub path: String,
    /// The part of it that is not checked.
    pub what: &'static str,
}

use FieldStanding::{Established, NotChecked, NotCheckedWhere, Origin, Part};

const RESULTS: &[&str] = &["classify", "lassos", "causes", "check"];
const CLASSIFIED: &[&str] = &["classify", "lassos"];
const CLASSES: &[&str] = &["class", "lasso_class"];

/// A row of the table.
const fn row(
    parts: &'static [&'static str],
    fields: &'static [&'static str],
    standing: FieldStanding,
    how: &'static str,
) -> FieldGroup {
    FieldGroup { parts, fields, standing, how }
}

/// All fields of the documents that are verified.
pub const FIELDS: &[FieldGroup] = &[
    row(
        RESULTS,
        &["schema", "sources[].sha256", "set", "constants", "model"],
        Established,
        "`document`: the model is loaded from these texts with these constants",
    ),
    row(RESULTS, &["version", "file", "sources[].file", "rerun"], Origin, "the program and its files"),
    row(&["classify", "lassos", "check"], &["solver"], Origin, "the program and its files"),
    row(RESULTS, &["warnings"], NotChecked, "findings about the model and the vocabulary"),
    row(
        CLASSIFIED,
        &["property", "mode"],
        Established,
        "`document`: the model has it; the fields that go with it and with the verdict are present, and no others",
    ),
    row(
        &["classify", "lassos", "causes"],
        &["bound"],
        Established,
        "every obligation is about traces within it",
    ),
    row(&["classify"], &["depth"], Established, "`depth`"),
    row(&["classify"], &["lengths"], Established, "every obligation is about traces of these lengths"),
    row(
        &["lassos"],
        &["horizon", "fairness", "ignore_fairness", "fair[]", "strongly_fair[]"],
        Established,
        "every obligation is about infinite traces that meet these conditions; classes suffice up to the horizon",
    ),
    row(
        CLASSIFIED,
        &["vocabulary"],
        NotChecked,
        "the membership of the facts in this vocabulary; the model has one of this name, or the program made it",
    ),
    row(
        CLASSIFIED,
        &["verdict"],
        NotCheckedWhere(FieldValues::Vocabulary),
        "the weakness of the vocabulary; everything else is established by `holds`, `complete`, `unclassified`, `remainder`, `too-weak`, `every-length`",
    ),
    row(&["classify", "lassos", "causes"], &["summary"], NotChecked, "the verdict in a sentence"),
    row(
        CLASSIFIED,
        &["cover"],
        NotCheckedWhere(FieldValues::Minimum),
        "the minimum of classes; that none is superfluous is established by `class-N-alone`",
    ),
    row(
        CLASSIFIED,
        &["reason", "prefer", "hide", "ground", "seed", "statistics"],
        Origin,
        "the request, and the course of the search",
    ),
    row(
        &["classify"],
        &["chosen.tried", "chosen.cut_short", "horizon_missed"],
        Origin,
        "the course of the search",
    ),
    row(
        &["classify"],
        &["chosen.declaration", "chosen.text"],
        NotChecked,
        "the vocabulary that the program made",
    ),
    row(&["lassos"], &["declaration"], NotChecked, "the vocabulary that the program made"),
    row(&["classify"], &["classes[]"], Part("class"), ""),
    row(&["lassos"], &["classes[]"], Part("lasso_class"), ""),
    row(
        CLASSIFIED,
        &["within"],
        Established,
        "`within`: the text agrees with the formula, and only these counterexamples count",
    ),
    row(&["classify"], &["within_formula"], Part("formula"), ""),
    row(&["lassos"], &["within_formula"], Part("lasso_formula"), ""),
    row(CLASSIFIED, &["combinations[]"], Part("combination"), ""),
    row(
        CLASSIFIED,
        &["all_combinations"],
        NotCheckedWhere(FieldValues::False),
        "the existence of others; their absence is established by `combinations-N`",
    ),
    row(CLASSIFIED, &["remainder", "unclassified"], Part("trace"), ""),
    row(CLASSIFIED, &["necessary"], NotChecked, "facts that all counterexamples of a cover share"),
    row(CLASSIFIED, &["necessary_facts.every_length"], Established, "`shared-every-length`, open"),
    row(
        CLASSIFIED,
        &["necessary_facts.full", "necessary_facts.more"],
        NotCheckedWhere(FieldValues::Some),
        "the number of facts that counterexamples share",
    ),
    row(
        CLASSIFIED,
        &["necessary_facts.undecided", "necessary_facts.skipped"],
        Origin,
        "the course of the search",
    ),
    row(&["classify"], &["necessary_facts.always[]", "necessary_facts.never[]"], Part("shared"), ""),
    row(&["lassos"], &["necessary_facts.always[]", "necessary_facts.never[]"], Part("lasso_shared"), ""),
    row(&["classify"], &["too_weak"], Part("pair"), ""),
    row(&["lassos"], &["too_weak"], Part("lasso_pair"), ""),
    row(CLASSIFIED, &["repairs"], NotChecked, "the effect of additions to the vocabulary"),
    row(
        &["classify"],
        &["horizon.steps"],
        NotCheckedWhere(FieldValues::Any),
        "the horizon of the search beyond the bound",
    ),
    row(&["classify"], &["horizon.sufficient_up_to"], Established, "`class-N-sufficient`"),
    row(&["classify"], &["horizon.uncovered"], Part("longer"), ""),
    row(CLASSIFIED, &["unbounded.proved"], Established, "`every-length`, open"),
    row(
        CLASSIFIED,
        &["unbounded"],
        NotChecked,
        "the cost of a proof for every length, or the reason for none",
    ),
    row(&["classify"], &["counts"], NotChecked, "numbers of traces"),
    row(CLASSIFIED, &["tree"], Part("causes"), ""),
    row(CLASSIFIED, &["checked_by"], NotChecked, "earlier checks of the result"),
    row(
        &["classify", "check"],
        &["proofs"],
        NotChecked,
        "the proofs of unsatisfiable answers; `check proof` and others check them",
    ),
    row(CLASSIFIED, &["baseline"], NotChecked, "the comparison with another result"),
    row(CLASSES, &["id"], Established, "`document`: from 1, in order"),
    row(CLASSES, &["constraint", "individuals[].name", "individuals[].type"], Established, "`class-N-texts`"),
    row(&["class"], &["formula"], Part("formula"), ""),
    row(&["lasso_class"], &["formula"], Part("lasso_formula"), ""),
    row(CLASSES, &["words"], NotChecked, "classes and facts in words"),
    row(CLASSES, &["individuals[].value"], Established, "`class-N-trace`"),
    row(&["class"], &["positions", "violates[]"], Established, "`class-N-trace`"),
    row(&["class"], &["facts[]"], Part("fact"), ""),
    row(&["lasso_class"], &["facts[].text", "facts[].when", "distinct[]"], Established, "`class-N-texts`"),
    row(CLASSES, &["representative", "canonical"], Part("trace"), ""),
    row(&["lasso_class"], &["accepted", "needed[].trace"], Part("trace"), ""),
    row(&["lasso_class"], &["needed[].without"], Established, "`class-N-needed-M`"),
    row(CLASSES, &["decisive"], NotChecked, "the decisive steps"),
    row(&["class"], &["redundant"], Established, "`class-N-redundant`, `class-N-alone`"),
    row(
        &["class"],
        &["sufficient"],
        NotCheckedWhere(FieldValues::False),
        "insufficiency; sufficiency is established by `class-N-sufficient`",
    ),
    row(&["lasso_class"], &["sufficient"], Established, "`class-N-sufficient`, `class-N-accepted`"),
    row(CLASSES, &["restates"], NotChecked, "the mark of classes that only restate the property"),
    row(CLASSES, &["restates_step"], NotChecked, "the mark of classes that only restate the property"),
    row(&["class"], &["rests_on_bound"], Part("longer"), ""),
    row(&["class"], &["initial_facts"], Origin, "the course of the search"),
    row(&["class"], &["images[]"], Part("image"), ""),
    row(&["lasso_class"], &["images[]"], Part("lasso_image"), ""),
    row(CLASSES, &["kinds[]"], Established, "`class-N-kinds`"),
    row(
        &["fact"],
        &["text", "kind", "predicate", "title", "positions[]", "individuals[]", "source"],
        Established,
        "`class-N-texts`",
    ),
    row(&["fact"], &["words"], NotChecked, "classes and facts in words"),
    row(&["fact"], &["needed"], Part("trace"), ""),
    row(
        &["formula"],
        &[
            "parameters[].name",
            "parameters[].type",
            "facts[].holds",
            "facts[].nowhere.at",
            "facts[].nowhere.after",
            "facts[].nowhere.before",
            "of_each",
        ],
        Established,
        "every obligation about the class or the fact reads them",
    ),
    row(
        &["lasso_formula"],
        &[
            "individuals[].name",
            "individuals[].type",
            "position",
            "facts[].when",
            "facts[].at[][].text",
            "facts[].at[][].holds",
            "facts[].after[].text",
            "facts[].after[].holds",
            "distinct[]",
        ],
        Established,
        "every obligation about the class or the fact reads them",
    ),
    row(&["shared", "lasso_shared"], &["constraint"], Established, "`always-N`, `never-N`"),
    row(&["lasso_shared"], &["of_each"], Established, "`always-N`, `never-N`"),
    row(&["shared"], &["formula"], Part("formula"), ""),
    row(&["lasso_shared"], &["formula"], Part("lasso_formula"), ""),
    row(
        &["shared", "lasso_shared"],
        &["telling"],
        NotChecked,
        "the power of shared facts to distinguish violating traces",
    ),
    row(&["pair", "lasso_pair"], &["counterexample", "accepting"], Part("trace"), ""),
    row(&["pair", "lasso_pair"], &["constraint"], Established, "`too-weak`"),
    row(&["pair"], &["formula"], Part("formula"), ""),
    row(&["lasso_pair"], &["formula"], Part("lasso_formula"), ""),
    row(&["pair"], &["differs"], NotChecked, "differences outside the vocabulary"),
    row(
        &["image", "lasso_image"],
        &[
            "by",
            "moves[].type",
            "moves[].from",
            "moves[].to",
            "unmoved[].type",
            "unmoved[].field",
            "unmoved[].value",
        ],
        Established,
        "`class-N-image-M-moved`",
    ),
    row(&["image"], &["class"], Part("class"), ""),
    row(&["lasso_image"], &["class"], Part("lasso_class"), ""),
    row(&["combination"], &["classes[]", "steps"], Established, "`document`, `combination-N`"),
    row(&["combination", "longer"], &["trace"], Part("trace"), ""),
    row(&["longer"], &["steps"], Established, "`class-N-longer`, `beyond`"),
    row(
        &["trace"],
        &[
            "steps",
            "loop",
            "states[].label.text",
            "states[].label.action",
            "states[].label.arguments",
            "states[].state",
            "states[].changes[].place",
            "states[].changes[].change",
            "states[].changes[].before",
            "states[].changes[].after",
            "states[].positions[]",
            "states[].shown",
        ],
        Established,
        "evaluation, wherever a trace is shown",
    ),
    row(&["trace"], &["chart"], NotChecked, "message sequence charts"),
    row(
        &["causes"],
        &["property", "verdict", "fairness.ignored", "fairness.fair[]", "fairness.strongly_fair[]"],
        Established,
        "`document`, `holds`, `complete`, and every obligation about a trace",
    ),
    row(
        &["causes"],
        &["complete_to"],
        NotCheckedWhere(FieldValues::Partial),
        "completeness for fewer steps only",
    ),
    row(
        &["causes"],
        &["reason", "narrowed_from", "solver_calls", "seconds", "checked_by"],
        Origin,
        "the course of the search",
    ),
    row(&["causes"], &["kinds[]"], Part("kind"), ""),
    row(&["causes"], &["always[]"], Established, "`always-ACTION`"),
    row(&["causes"], &["every_length"], NotChecked, "violating traces of every length"),
    row(&["causes"], &["defences"], NotChecked, "the constants that stop kinds"),
    row(&["kind"], &["title", "breaks", "condition", "is_whole", "after"], NotChecked, "kinds in words"),
    row(
        &["kind"],
        &["in_this_order"],
        NotCheckedWhere(FieldValues::Some),
        "the constants that distinguish orders",
    ),
    row(&["kind"], &["decisive"], NotChecked, "the step that decides"),
    row(&["kind"], &["steps"], Established, "`document`: those of its first trace"),
    row(&["kind"], &["ways[]"], Part("way"), ""),
    row(&["kind"], &["variants[]"], Part("kind"), ""),
    row(&["kind", "way"], &["pattern.finite"], Part("formula"), ""),
    row(&["kind", "way"], &["pattern.infinite"], Part("lasso_formula"), ""),
    row(&["way"], &["trace"], Part("trace"), ""),
    row(&["way"], &["reasons"], NotChecked, "the steps that cause others"),
    row(
        &["check"],
        &[
            "kind",
            "bound",
            "lengths",
            "unbounded",
            "verdict",
            "fairness.ignored",
            "fairness.fair[]",
            "fairness.strongly_fair[]",
        ],
        Established,
        "`document`, and every obligation about a property",
    ),
    row(&["check"], &["properties[]"], Part("property"), ""),
    row(&["check"], &["seconds"], Origin, "the course of the search"),
    row(
        &["check"],
        &["claims[].verdict", "claims[].steps", "claims[].property"],
        Established,
        "`document`: equal to those of the property",
    ),
    row(
        &["check"],
        &[
            "claims[].protocol",
            "claims[].role",
            "claims[].label",
            "claims[].claim",
            "claims[].term",
            "claims[].reached",
            "claims[].patterns.verdict",
            "claims[].patterns.runs",
        ],
        NotChecked,
        "the claim that a property stands for, its reachability, and the verdict of attack patterns",
    ),
    row(
        &["check"],
        &["runs.at_most", "runs.all_interleavings"],
        NotChecked,
        "the number of runs of a protocol",
    ),
    row(
        &["property"],
        &["name", "kind", "verdict", "violates[]", "depth"],
        Established,
        "`document`, `violated-P`, `shortest-P`, `holds-P`, `depth-P`, `every-length-P`",
    ),
    row(&["property"], &["counterexample"], Part("trace"), ""),
    row(&["property"], &["reason"], Origin, "the reason for the end of the search"),
    row(&["property"], &["proof.method", "proof.k", "proof.invariant[]"], Established, "`every-length-P`"),
    row(&["property"], &["proof"], NotChecked, "the cost of a proof, and its earlier check"),
    row(
        &["job"],
        &[
            "schema",
            "checksum",
            "outcome",
            "error",
            "exit_code",
            "job.property",
            "job.vocabulary",
            "job.constants[]",
            "job.bound",
            "job.exact",
        ],
        Established,
        "`job`: the record is whole, and its result is that of the job",
    ),
    row(&["job"], &["job"], Origin, "the request"),
    row(&["job"], &["result"], Part("classify"), ""),
];

/// The rows by part and path.
type FieldRows = BTreeMap<(&'static str, &'static str), &'static FieldGroup>;

fn rows() -> &'static FieldRows {
    static ROWS: OnceLock<FieldRows> = OnceLock::new();
    ROWS.get_or_init(|| {
        let of = |group: &'static FieldGroup| {
            let parts = group.parts.iter().copied().cartesian_product(group.fields.iter().copied());
            parts.map(move |field| (field, group))
        };
        FIELDS.iter().flat_map(of).collect()
    })
}

/// Returns the row of the value that a JSON pointer into a document leads to, or else that of the nearest value above
/// it. `part` is the kind of document: `classify`, `lassos`, `causes`, `check`, `job`.
pub fn row_of(part: &'static str, pointer: &str) -> Option<&'static FieldGroup> {
    let (mut part, mut path, mut found) = (part, String::new(), None);
    for token in pointer.split('/').skip(1) {
        path = below(&path, token.parse::<usize>().is_err().then_some(token));
        match rows().get(&(part, path.as_str())) {
            Some(FieldGroup { standing: Part(other), .. }) => {
                (part, path, found) = (other, String::new(), None)
            }
            Some(row) => found = Some(*row),
            None => {}
        }
    }
    found
}

/// Returns the path of an entry of an object, or of an element of a list.
fn below(path: &str, key: Option<&str>) -> String {
    match key {
        None => format!("{path}[]"),
        Some(key) if path.is_empty() => key.to_owned(),
        Some(key) => format!("{path}.{key}"),
    }
}

impl Stored {
    /// Returns the claims of the result that are not checked, in the order of the document.
    pub fn unchecked(&self) -> Vec<Unchecked> {
        let part = match self.result {
            StoredResult::Classify(_) => "classify",
            StoredResult::Lassos(_) => "lassos",
            StoredResult::Causes(_) => "causes",
            StoredResult::Check(_) => "check",
        };
        let mut list = Vec::new();
        walk(&self.json, (part, String::new(), &self.json), self.below, &mut list);
        list
    }
}

/// Collects the unchecked claims of a value at a path below a part; `whole` is the value of the part.
fn walk(
    value: &Json,
    (part, path, whole): (&'static str, String, &Json),
    pointer: &str,
    list: &mut Vec<Unchecked>,
) {
    let says_something = match value {
        Json::Null => false,
        Json::Array(elements) => !elements.is_empty(),
        Json::Object(entries) => !entries.is_empty(),
        _ => true,
    };
    let row = rows().get(&(part, path.as_str())).filter(|_| !path.is_empty());
    let (standing, what) =
        row.map_or((None, "a field that is not known"), |row| (Some(row.standing), row.how));
    let is_unchecked = match standing {
        Some(Established | Origin) => return,
        Some(NotChecked) => says_something,
        Some(NotCheckedWhere(values)) => values.are(value, whole),
        Some(Part(_)) | None => !matches!(value, Json::Array(_) | Json::Object(_)) && says_something,
    };
    if is_unchecked {
        list.push(Unchecked { path: pointer.to_owned(), what });
    }
    let (part, path, whole) = match standing {
        Some(Part(other)) => (other, String::new(), value),
        None => (part, path, whole),
        Some(_) => return,
    };
    match value {
        Json::Array(elements) => {
            for (number, element) in elements.iter().enumerate() {
                walk(element, (part, below(&path, None), whole), &format!("{pointer}/{number}"), list);
            }
        }
        Json::Object(entries) => {
            for (key, entry) in entries {
                let token = key.replace('~', "~0").replace('/', "~1");
                walk(entry, (part, below(&path, Some(key)), whole), &format!("{pointer}/{token}"), list);
            }
        }
        _ => {}
    }
}

impl FieldValues {
    /// True if a value of a field is one of these, in a part of a document.
    fn are(self, value: &Json, whole: &Json) -> bool {
        match self {
            Self::Any => true,
            Self::Some => *value != Json::Bool(false) && *value != 0,
            Self::False => *value == Json::Bool(false),
            Self::Vocabulary => {
                ["remainder", "too_weak"].iter().any(|word| *value == **word) || !whole["remainder"].is_null()
            }
            Self::Partial => whole["verdict"] == "partial" || whole["verdict"] == "undecided",
            Self::Minimum => {
                let classes = whole["classes"].as_array().into_iter().flatten();
                *value == "minimum" && classes.filter(|class| class["redundant"] != true).count() > 1
            }
        }
    }
}
