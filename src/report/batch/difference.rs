//! Two stored results side by side: which classes each of them has alone, and what else differs. Nothing is searched.

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use std::fmt::Write;

/// The fields of a document that say what was asked.
const ASKED: [&str; 16] = [
    "model",
    "property",
    "set",
    "constants",
    "bound",
    "lengths",
    "vocabulary",
    "prefer",
    "hide",
    "ground",
    "mode",
    "within",
    "ignore_fairness",
    "fair",
    "strongly_fair",
    "sources",
];

/// The differences between two results; `docs/schema/diff-1.json`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct ResultDifference {
    /// `cladist/diff-1`.
    pub schema: &'static str,
    /// True if both have the same classes and the same verdict.
    pub same: bool,
    /// The verdict of each.
    pub verdicts: [String; 2],
    /// Questions asked of one and not of the other, or of another text.
    pub asked: Vec<QuestionDifference>,
    /// The classes of the first result that the second does not have.
    pub only_first: Vec<ComparedClass>,
    /// The classes of the second result that the first does not have.
    pub only_second: Vec<ComparedClass>,
    /// The classes of both, as the first result numbers them.
    pub both: Vec<ComparedClass>,
}

/// Something that was asked differently.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct QuestionDifference {
    /// The field of the documents.
    pub field: &'static str,
    /// Its value in the first document; `null` where it is missing.
    pub first: Json,
    /// Its value in the second document.
    pub second: Json,
}

/// A class, which is compared by its text: representatives may differ.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct ComparedClass {
    /// Its number, from 1.
    #[cfg_attr(feature = "schemas", schemars(range(min = 1)))]
    pub id: usize,
    /// The constraint in the paper's notation.
    pub constraint: String,
    /// Its images under symmetries, which it stands for as well.
    #[serde(default, skip_serializing)]
    #[cfg_attr(feature = "schemas", schemars(skip))]
    images: Vec<ComparedImage>,
}

/// An image of a class under a symmetry.
#[derive(Debug, Clone, PartialEq, Deserialize)]
struct ComparedImage {
    class: ComparedClass,
}

impl ComparedClass {
    /// The texts of it and its images.
    fn texts(&self) -> impl Iterator<Item = &str> {
        let images = self.images.iter().map(|image| image.class.constraint.as_str());
        std::iter::once(self.constraint.as_str()).chain(images)
    }
}

/// The differences between two documents of classifications; `None` if one of them is none. Values that were fixed in the model as
/// well as on the command line, and texts, are named as they stand in the documents.
pub fn difference(first: &Json, second: &Json) -> Option<ResultDifference> {
    let [of_first, of_second] = [classes(first)?, classes(second)?];
    let verdicts = [verdict(first)?, verdict(second)?];
    let missing = |from: &[ComparedClass], other: &[ComparedClass]| -> Vec<ComparedClass> {
        let has = |text: &str| other.iter().flat_map(ComparedClass::texts).any(|known| known == text);
        let is_missing = |class: &&ComparedClass| !class.texts().all(has);
        from.iter().filter(is_missing).cloned().collect()
    };
    let only_first = missing(&of_first, &of_second);
    let only_second = missing(&of_second, &of_first);
    let both = of_first.iter().filter(|class| !only_first.contains(class)).cloned().collect();
    let asked = ASKED.iter().filter_map(|&field| {
        let [first, second] = [first, second].map(|of| of.get(field).cloned().unwrap_or_default());
        (first != second).then_some(QuestionDifference { field, first, second })
    });
    Some(ResultDifference {
        schema: "cladist/diff-1",
        same: only_first.is_empty() && only_second.is_empty() && verdicts[0] == verdicts[1],
        verdicts,
        asked: asked.collect(),
        only_first,
        only_second,
        both,
    })
}

/// The classes of a document; nothing if it has none.
pub fn classes(document: &Json) -> Option<Vec<ComparedClass>> {
    Vec::<ComparedClass>::deserialize(document.get("classes")?).ok()
}

/// The verdict of a document.
pub fn verdict(document: &Json) -> Option<String> {
    document.get("verdict").and_then(Json::as_str).map(str::to_owned)
}

/// The differences as text for the terminal. `files` are the results as the user wrote them.
pub fn difference_text(difference: &ResultDifference, files: [&str; 2]) -> String {
    let mut out = String::new();
    let [first, second] = files;
    for asked in &difference.asked {
        // Writing to a string cannot fail.
        let _ = match asked.field {
            "sources" => writeln!(out, "the texts of the model differ"),
            field => writeln!(out, "{field}: {} in {first}, {} in {second}", asked.first, asked.second),
        };
    }
    let [was, is] = &difference.verdicts;
    if was != is {
        let _ = writeln!(out, "verdict: {was} in {first}, {is} in {second}");
    }
    let lists = [
        (format!("only in {first}"), '-', &difference.only_first),
        (format!("only in {second}"), '+', &difference.only_second),
        ("in both".to_owned(), ' ', &difference.both),
    ];
    for (title, sign, classes) in lists.iter().filter(|(_, _, classes)| !classes.is_empty()) {
        let _ = writeln!(out, "{title}");
        for class in *classes {
            let _ = writeln!(out, "{sign} {:>3}  {}", class.id, class.constraint);
        }
    }
    out.push_str(match difference.same {
        true => "the same classes and the same verdict\n",
        false => "the results differ\n",
    });
    out
}
