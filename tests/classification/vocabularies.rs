//! Vocabularies that the program finds: they are complete, their declarations mean what was tried, and repairs repair.

use crate::all_traces::all_traces;
use crate::random_model::random_model;
use crate::symmetric_model::symmetric_text;
use cladist::budget::Budget;
use cladist::classify::{Classification, Grounding, Options, Problem, Restates, Verdict, classify};
use cladist::model::{LoadOptions, Model, Vocabulary, eval, load_text, load_text_with, load_with};
use cladist::unroll::Lengths;
use cladist::vocabulary::{
    Objection, Repair, Repairs, SearchEffort, Trial, TrialQuestion, VocabularyChoice, choose,
    declare_conditions, fewer, repairs, survey,
};
use itertools::Itertools;
use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How many random models of either kind.
const MODELS: u64 = 24;

fn options(bound: usize) -> Options {
    Options::of(Lengths::UpTo(bound))
}

fn question<'a>(problem: Problem<'a>, options: &'a Options) -> TrialQuestion<'a> {
    TrialQuestion { problem, options, reach: None, prefer: &[], hide: &[] }
}

fn chosen(model: &Model, options: &Options) -> VocabularyChoice {
    let problem = Problem::first(model).expect("an invariant");
    choose(&question(problem, options), SearchEffort::Thorough, &Budget::unlimited(), &mut (), &mut |_, _| {})
}

fn classified(model: &Model, vocabulary: &Vocabulary, options: &Options) -> Classification {
    let problem = Problem::first(model).expect("an invariant");
    classify(problem, vocabulary, options, &Budget::unlimited(), &mut ())
}

fn loaded(text: &str) -> Model {
    let loaded = load_text("m.sts", text, &[], &|_| Err(ErrorKind::NotFound.into()));
    loaded.model.unwrap_or_else(|| panic!("{text}\n{:?}", loaded.diagnostics))
}

/// A model with the predicates for the conditions of its violating steps.
fn with_conditions(text: &str) -> Model {
    let mut model = loaded(text);
    let invariant = model.properties.iter().find_map(|of| of.invariant().cloned()).expect("an invariant");
    declare_conditions(&mut model, &invariant);
    model
}

/// The items of a vocabulary, independent of where they were written.
fn said(vocabulary: &Vocabulary) -> Vec<String> {
    vocabulary.items.iter().map(|item| item.identity()).collect()
}

/// Compares a choice with all traces up to the bound: the classes have all violating traces and no other one.
fn agrees_with_enumeration(model: &Model, choice: &VocabularyChoice, bound: usize) {
    let traces = all_traces(model, bound, 200_000).expect("random models are small");
    let invariant = model.properties[0].invariant().expect("an invariant");
    let result = &choice.result;
    let mut violated = false;
    for trace in &traces {
        let violates = eval::first_violation(model, invariant, &trace.moments).is_some();
        let is_in =
            |c: &classify::Class| c.constraint.matches(model, &result.atoms, &trace.moments).is_some();
        assert_eq!(result.classes.iter().any(is_in), violates, "{}", model.name);
        violated |= violates;
    }
    let expected = if violated { Verdict::Complete } else { Verdict::Holds };
    assert_eq!(result.verdict, expected, "{}: {}", model.name, choice.chosen().declaration);
}

#[test]
fn random_models_always_get_a_complete_vocabulary() {
    let mut violated = 0;
    for seed in 0..MODELS {
        let (model, bound) = (random_model(seed), 2 + (seed % 3) as usize);
        let choice = chosen(&model, &options(bound));
        agrees_with_enumeration(&model, &choice, bound);
        if choice.result.verdict == Verdict::Complete {
            violated += 1;
            let best = choice.trials.iter().map(|trial| trial.rating).min().expect("something was tried");
            assert_eq!(cladist::vocabulary::Rating::of(&choice.result), best, "{}", model.name);
        }
    }
    assert!(violated > MODELS / 4, "only {violated} models are violated");
}

#[test]
fn what_is_pasted_means_what_was_tried() {
    let mut established = 0;
    for seed in 0..MODELS {
        let text = symmetric_text(seed);
        let model = with_conditions(&text);
        let options = options(3);
        let predicates = model.predicates.iter().filter_map(|of| of.added.clone()).join("\n");
        let choice = chosen(&model, &options);
        agrees_with_enumeration(&model, &choice, 3);
        for (number, trial) in choice.trials.iter().enumerate() {
            let candidate = trial.candidate.clone().named(&format!("pasted_{number}"));
            let declaration = candidate.declaration().expect("it was made of words");
            let pasted = loaded(&format!("{text}\n{predicates}\n{declaration}\n"));
            established += usize::from(!candidate.predicates().is_empty());
            let index = pasted.vocabulary(&candidate.name).expect("it was pasted");
            assert_eq!(said(&pasted.vocabularies[index]), said(&candidate.vocabulary), "{declaration}");
        }
        let name = "chosen_one";
        let declaration = choice.candidate.clone().named(name).declaration().expect("it was made of words");
        let pasted = loaded(&format!("{text}\n{predicates}\n{declaration}\n"));
        let again =
            classified(&pasted, &pasted.vocabularies[pasted.vocabulary(name).expect("pasted")], &options);
        let shown = |model: &Model, result: &Classification| -> Vec<String> {
            result.classes.iter().map(|c| c.constraint.show(model, &result.atoms)).collect()
        };
        assert_eq!(shown(&pasted, &again), shown(&model, &choice.result), "{declaration}");
    }
    assert!(established > 0, "no vocabulary had a predicate for a condition");
}

/// Where every step of an action violates the property, classes tell how its guard came to hold, and a vocabulary that is too weak is repaired
/// by the same predicates.
#[test]
fn classes_tell_which_step_established_a_condition() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/codes.sts");
    let text = std::fs::read_to_string(path).expect("a model");
    let (model, options) = (with_conditions(&text), options(6));
    let choice = chosen(&model, &options);
    agrees_with_enumeration(&model, &choice, 4);
    let shown: Vec<String> =
        choice.result.classes.iter().map(|c| c.constraint.show(&model, &choice.result.atoms)).collect();
    let after = |by: &str| format!("∃ i, j ∈ [0..len(ρ)] : inject_after_{by}(i, j)");
    assert_eq!(shown, [after("log_in"), after("referrer")]);
    let problem = Problem::first(&model).expect("an invariant");
    for hidden in ["knows", "action"] {
        let hide = [hidden.to_owned()];
        let question = TrialQuestion { hide: &hide, ..question(problem, &options) };
        let choice = choose(&question, SearchEffort::Brief, &Budget::unlimited(), &mut (), &mut |_, _| {});
        assert!(choice.trials.iter().all(|trial| trial.candidate.predicates().is_empty()), "{hidden}");
    }
    let repairs = proposals(&model, problem, &model.vocabularies[0], &options).expect("it is too weak");
    let first = &repairs.best[0];
    assert_eq!(first.text, "inject_after_log_in, inject_after_referrer");
    let declared = format!("{text} {}", first.predicates.join("\n"));
    let repaired = loaded(&pasted(&declared, "sent_codes", &first.text));
    let result = classified(&repaired, &repaired.vocabularies[0], &options);
    assert_eq!((result.verdict, result.classes.len()), (Verdict::Complete, 2));
}

#[test]
fn grounding_hiding_and_limits_of_classes_hold_for_what_is_found() {
    let mut hidden = 0;
    for seed in 0..MODELS / 2 {
        let model = with_conditions(&symmetric_text(seed));
        let ground = Options { grounding: Grounding::Everything, ..options(3) };
        let result = chosen(&model, &ground).result;
        assert!(result.classes.iter().all(|class| !class.constraint.is_lifted()));
        let hide = ["action".to_owned(), "held".to_owned()];
        let few = Options { max_classes: Some(1), ..options(3) };
        let problem = Problem::first(&model).expect("an invariant");
        let question = TrialQuestion { hide: &hide, ..question(problem, &few) };
        let choice = choose(&question, SearchEffort::Thorough, &Budget::unlimited(), &mut (), &mut |_, _| {});
        assert!(choice.result.classes.len() <= 1);
        for name in &hide {
            let meant = choice.candidate.vocabulary.meant_by(&model, name);
            assert!(meant.is_empty(), "{}", choice.chosen().declaration);
        }
        hidden += usize::from(choice.result.verdict == Verdict::Complete);
    }
    assert!(hidden > 0, "nothing was found without what is hidden");
}

#[test]
fn a_budget_that_ends_gives_the_best_so_far() {
    let model = spec("ns_sessions");
    let problem = Problem::first(&model).expect("an invariant");
    let options = options(6);
    let budget = Budget::unlimited();
    let mut told = 0;
    let mut stop = |_: &Trial, _: &cladist::vocabulary::ChoiceSummary| {
        told += 1;
        budget.interrupt();
    };
    let choice = choose(&question(problem, &options), SearchEffort::Thorough, &budget, &mut (), &mut stop);
    assert_eq!((told, choice.trials.len()), (1, 1), "the first trial is the best one so far");
    let verdict = &choice.result.verdict;
    assert!(matches!(verdict, Verdict::TooWeak(_) | Verdict::Partial(_) | Verdict::Complete), "{verdict:?}");
}

/// An answer that lacks classes, or has too many, is objected to.
#[test]
fn classes_that_are_no_answer_are_objected_to() {
    let model = spec("increment_decrement");
    let objection = |name: &str, most: Option<usize>| {
        let vocabulary = &model.vocabularies[model.vocabulary(name).expect("it is there")];
        classified(&model, vocabulary, &Options { max_classes: most, ..options(4) }).objection()
    };
    assert_eq!(objection("too_weak", None), Some(Objection::TooWeak));
    assert_eq!(objection("both", Some(1)), Some(Objection::Incomplete(1)));
    assert_eq!(objection("both", Some(0)), Some(Objection::Incomplete(0)));
    assert_eq!(objection("both", None), Some(Objection::Restating(2)));
    let text = "model m; var n: 0..9; init { n = 0; } action put(k: 1..9) { n' = k; } invariant small: n = 0;
        vocabulary v = { eq(put.k), ground };";
    let model = loaded(text);
    let all = classified(&model, &model.vocabularies[0], &options(1));
    assert_eq!(
        (all.verdict.clone(), all.objection()),
        (Verdict::Complete, Some(Objection::Many(all.classes.len())))
    );
    let held = loaded("model m; var b: bool; init { not b; } invariant i: not b; vocabulary v = { eq(b) };");
    assert_eq!(classified(&held, &held.vocabularies[0], &options(2)).objection(), None);
}

fn spec(name: &str) -> Model {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("specs").join(name).with_extension("sts");
    cladist::model::load(&path, &[]).model.expect("no mistakes")
}

#[test]
fn lowes_attack_is_found_without_a_vocabulary() {
    let mut model = spec("ns_sessions");
    model.vocabularies.clear();
    let choice = chosen(&model, &options(10));
    assert_eq!(choice.result.verdict, Verdict::Complete);
    assert!(choice.result.classes.len() <= 2, "{}", choice.chosen().declaration);
    assert!(choice.result.classes.iter().all(|class| class.restates != Restates::Property));
}

#[test]
fn a_survey_says_what_is_never_needed() {
    let text = "model m; var a: bool; var b: bool; init { not a; not b; }
        action one { a' = true; } action two { require a; b' = true; }
        invariant safe: not b; vocabulary v = { eq(a, b) };";
    let model = loaded(text);
    let problem = Problem::first(&model).expect("an invariant");
    let options = options(4);
    let survey =
        survey(&question(problem, &options), &model.vocabularies, &Budget::unlimited(), &mut (), &mut |_| {});
    assert_eq!(survey.declared.len(), 1);
    assert_eq!(survey.declared[0].rating.restating, 1, "`b` restates the property");
    assert_eq!(survey.choice.chosen().declaration, "vocabulary auto = { eq(action), before };");
    assert_eq!(survey.never_needed, ["a"]);
}

/// Additions to a vocabulary that is too weak.
fn proposals(
    model: &Model,
    problem: Problem<'_>,
    vocabulary: &Vocabulary,
    options: &Options,
) -> Option<Repairs> {
    let result = classify(problem, vocabulary, options, &Budget::unlimited(), &mut ());
    let Verdict::TooWeak(weak) = &result.verdict else { return None };
    let question = question(problem, options);
    // As long as the program takes for it.
    let budget = Budget::unlimited().with_timeout(Duration::from_secs(30));
    let repairs = repairs(&question, vocabulary, weak, SearchEffort::Brief, &budget, &mut ());
    for Repair { text, rating, .. } in &repairs.best {
        assert!(rating.restating < rating.classes, "{}: {text} says what the property says", model.name);
    }
    Some(repairs)
}

/// The text of a model in which this is added to a vocabulary.
fn pasted(text: &str, vocabulary: &str, addition: &str) -> String {
    let start = text.find(&format!("vocabulary {vocabulary} =")).expect("it is declared");
    let end = start + text[start..].find(';').expect("its end");
    format!("{} + {{ {addition} }}{}", &text[..end], &text[end..])
}

/// Where several sessions are classified without a word for which of them answers, that word is found.
#[test]
fn a_word_for_individuals_makes_fewer_classes() {
    let path = &Path::new(env!("CARGO_MANIFEST_DIR")).join("specs/ns_sessions.sts");
    let model = load_with(path, &LoadOptions::default()).model.expect("no mistakes");
    let options = options(8);
    let problem = Problem::first(&model).expect("an invariant");
    let phases = &model.vocabularies[model.vocabulary("phases").expect("it is there")];
    let result = classified(&model, phases, &options);
    assert_eq!((result.verdict.clone(), result.classes.len()), (Verdict::Complete, 4));
    let question = question(problem, &options);
    let found = fewer(&question, phases, &result, &Budget::unlimited(), &mut ()).expect("there is a word");
    assert_eq!((found.text.as_str(), found.rating.classes), ("eq(answer.s)", 1));
    let text = std::fs::read_to_string(path).expect("readable");
    let text = pasted(&text, "phases", &found.text);
    let read = |file: &Path| std::fs::read_to_string(file);
    let again = load_text_with(&path.to_string_lossy(), &text, &LoadOptions::default(), &read);
    let again = again.model.expect("it can be pasted");
    let phases = &again.vocabularies[again.vocabulary("phases").expect("it is there")];
    assert_eq!(classified(&again, phases, &options).classes.len(), 1);
    // With it, there is nothing to find.
    let answering = &model.vocabularies[model.vocabulary("answering").expect("it is there")];
    let result = classified(&model, answering, &options);
    assert!(fewer(&question, answering, &result, &Budget::unlimited(), &mut ()).is_none());
}

/// How many vocabularies of a file are too weak, and for how many of these there is a proposal.
#[derive(Debug, Default, PartialEq, Eq)]
struct Found {
    weak: usize,
    repaired: usize,
}

/// Pastes the first proposal for each vocabulary of a file that is too weak.
fn repair_file(path: &Path, only: &[&str]) -> Found {
    let text = std::fs::read_to_string(path).expect("readable");
    let model = load_with(path, &LoadOptions::default()).model.expect("no mistakes");
    let options = options(8);
    let mut found = Found::default();
    for vocabulary in model.vocabularies.iter().filter(|v| only.is_empty() || only.contains(&v.name.as_str()))
    {
        for property in model.properties.iter().filter(|p| p.invariant().is_some()) {
            let problem = Problem::of_property(&model, property).expect("an invariant");
            let Some(repairs) = proposals(&model, problem, vocabulary, &options) else { continue };
            found.weak += 1;
            found.repaired += usize::from(!repairs.best.is_empty());
            // The others were tried in the same way.
            for repair in repairs.best.iter().take(1) {
                let text = pasted(&text, &vocabulary.name, &repair.text);
                let root = path.parent().expect("a folder");
                let read = |file: &Path| std::fs::read_to_string(root.join(file));
                let loaded = load_text_with(&path.to_string_lossy(), &text, &LoadOptions::default(), &read);
                let again =
                    loaded.model.unwrap_or_else(|| panic!("{}: {:?}", repair.text, loaded.diagnostics));
                let index = again.vocabulary(&vocabulary.name).expect("it is still there");
                let invariant =
                    again.properties[again.property(&property.name).expect("still there")].invariant();
                let problem = Problem::new(&again, invariant.expect("an invariant"));
                let vocabulary = &again.vocabularies[index];
                let result = classify(problem, vocabulary, &options, &Budget::unlimited(), &mut ());
                assert_eq!(result.verdict, Verdict::Complete, "{}: {}", vocabulary.name, repair.text);
                assert_eq!(result.classes.len(), repair.rating.classes, "{}", repair.text);
            }
            let texts: BTreeSet<&str> = repairs.best.iter().map(|repair| repair.text.as_str()).collect();
            assert_eq!(texts.len(), repairs.best.len(), "no repair is proposed twice");
        }
    }
    found
}

#[test]
fn repairs_that_are_pasted_make_a_weak_vocabulary_complete() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (file, vocabulary) in [("specs/increment_decrement.sts", "too_weak"), ("tests/cli/across.sts", "v")] {
        assert_eq!(repair_file(&root.join(file), &[vocabulary]), Found { weak: 1, repaired: 1 }, "{file}");
    }
}

#[test]
fn repairs_of_published_models_are_pasted_too() {
    let Some(folder) = std::env::var_os("CLADIST_TEST_DATA") else {
        println!("skipped: CLADIST_TEST_DATA is not set");
        return;
    };
    let folder = PathBuf::from(folder).join("models");
    // The libraries that they import lie beside the folder of the models.
    let scratch = tempfile::tempdir().expect("a folder");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (from, to) in [(folder, "models"), (root.join("predicates"), "predicates")] {
        let to = scratch.path().join(to);
        std::fs::create_dir(&to).expect("a folder");
        for entry in std::fs::read_dir(from).expect("a folder") {
            let entry = entry.expect("readable");
            if entry.path().is_file() {
                std::fs::copy(entry.path(), to.join(entry.file_name())).expect("copied");
            }
        }
    }
    for (name, weak) in [("cache_coherence", 2), ("ring_election", 0), ("web_shop", 0)] {
        let file = scratch.path().join("models").join(name).with_extension("sts");
        assert!(repair_file(&file, &[]).weak >= weak, "{name}");
    }
}

#[test]
fn random_weak_vocabularies_are_repaired() {
    let mut weak = 0;
    for seed in 0..4 * MODELS {
        let text = symmetric_text(seed);
        let model = loaded(&text);
        let (problem, options) = (Problem::first(&model).expect("an invariant"), options(3));
        let Some(repairs) = proposals(&model, problem, &model.vocabularies[0], &options) else { continue };
        weak += 1;
        let again = loaded(&pasted(&text, &model.vocabularies[0].name, &repairs.best[0].text));
        let result = classified(&again, &again.vocabularies[0], &options);
        assert_eq!(result.verdict, Verdict::Complete, "{}\n{text}", repairs.best[0].text);
    }
    assert!(weak > 2, "only {weak} vocabularies are too weak");
}
