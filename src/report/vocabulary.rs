//! Vocabularies that the program found: what is said of a choice, and the table of a survey.

use crate::classify::{Classification, Verdict};
use crate::vocabulary::Chosen;

/// How good a chosen vocabulary is known to be, and among how many.
pub(super) fn chosen_text(chosen: &Chosen, result: &Classification) -> String {
    let tried = match chosen.tried {
        1 => "the only vocabulary tried".to_owned(),
        n => format!("{n} vocabularies tried"),
    };
    let cut = match chosen.cut_short {
        0 => String::new(),
        1 => "; one was cut short".to_owned(),
        n => format!("; {n} were cut short"),
    };
    let of = |what: &str| match chosen.tried {
        0 | 1 => tried.clone(),
        _ => format!("{what} {tried}"),
    };
    let kinds = result.classes.iter().filter(|class| !class.redundant).count();
    let restates = result.classes.iter().any(|class| class.restates);
    match result.verdict {
        Verdict::Complete if kinds == 1 && !restates => {
            format!("{}; there cannot be fewer classes{cut}", of("best of"))
        }
        Verdict::Complete if restates => {
            format!(
                "{}; with each that suffices, classes restate the property{cut}",
                of("fewest classes among")
            )
        }
        Verdict::Complete => format!("{}{cut}", of("fewest classes among")),
        Verdict::Holds | Verdict::Undecided { .. } => "no vocabulary is needed".to_owned(),
        Verdict::Partial(_) | Verdict::TooWeak(_) => format!("{}{cut}", of("best of")),
    }
}
