//! The case of a classification, of finite or infinite traces.

use super::{Case, CaseStatus, CiFinding, DeclarationPlaces, Suite, unplaced};
use crate::classes::shown::ShownTrace;
use crate::view::{ClassView, ResultView};
use crate::writing::paint::Tone;
use verify::document::{NewsWord, NoveltyWord};

impl Suite {
    /// The case of a classification, with a finding for each class. If it was compared with a stored result in which nothing is new, it
    /// has passed. `is_written` tells that the program wrote the model, of the file that was given.
    pub fn of_classification(view: &ResultView<'_>, is_written: bool) -> Self {
        let (model, property) = (view.asked.model, view.asked.property);
        let places = DeclarationPlaces { model, file: view.asked.file, is_written };
        let finding = |message: String,
                       shown: &ShownTrace<'_>,
                       identity: String,
                       known: Option<NoveltyWord>| CiFinding {
            message,
            trace: shown.text(view.asked, 0),
            steps: places.steps(property, shown.trace),
            identity,
            known,
        };
        let of_class = |(index, class): (usize, &ClassView<'_>)| {
            let (constraint, words) = (&class.constraint, class.words.join("; "));
            let kind = format!("kind {} of violation ({})", index + 1, class.shown.extent);
            let novelty = view.compared.as_ref().and_then(|compared| compared.novelties.get(index));
            let known = novelty.map(|(word, ..)| *word);
            let message = format!("{}, {kind}: {constraint} ({words})", property.name);
            finding(message, &class.shown, format!("{}: {constraint}", property.name), known)
        };
        let remainder = view.cover.as_ref().and_then(|cover| cover.remainder.as_ref());
        let others = [
            view.pair.as_ref().map(|pair| (pair.finding, &pair.traces[0].1)),
            view.unclassified.as_ref().map(|(heading, shown)| (heading.as_str(), shown)),
            remainder.map(|(heading, shown)| (heading.as_str(), shown)),
        ];
        let others = others.into_iter().flatten().map(|(what, shown)| {
            let message = format!("{}: {what}", property.name);
            finding(message.clone(), shown, message, None)
        });
        let findings = view.classes.iter().enumerate().map(of_class).chain(others).collect();
        let summary = match &view.compared {
            Some(compared) => format!("{}; {}", view.sentence, compared.sentence),
            None => view.sentence.clone(),
        };
        let status = match (view.tone, &view.compared) {
            (Tone::Good, _) => CaseStatus::Passed,
            (Tone::Doubtful, _) => CaseStatus::Undecided,
            (Tone::Bad, Some(compared)) if compared.news == NewsWord::NothingNew => CaseStatus::Passed,
            (Tone::Bad, Some(compared)) if compared.is_undecided() => CaseStatus::Undecided,
            (Tone::Bad, _) => CaseStatus::Failed,
        };
        Self {
            model: model.name.clone(),
            rerun: view.asked.rerun.to_owned(),
            warnings: unplaced(view.asked.warnings),
            seconds: view.seconds,
            cases: vec![Case {
                property: property.name.clone(),
                doc: property.doc.clone(),
                place: places.of(property.span),
                status,
                summary,
                findings,
            }],
        }
    }
}
