//! What the arguments mean: limits, and names looked up in the model.

use super::args::{RunArgs, ViewArgs};
use super::console::Console;
use super::refusal::Refusal;
use super::suggest::{find, unknown};
use super::{input, interrupt};
use cladist::budget::{Budget, usual_limit};
use cladist::classify::Preference;
use cladist::diagnostics::{Diagnostic, Severity};
use cladist::model::expr::{Expr, VarId};
use cladist::model::types::Type;
use cladist::model::{LoadOptions, Model, PredicateId, Property, PropertyKind, Vocabulary};
use cladist::report::{Paint, View, dead_end_notice, no_trace_notice, vacuity_notices};
use cladist::sat::Backend;
use cladist::unroll::{self, Checked, Lengths};
use std::str::FromStr;
use std::time::Duration;

/// `NAME=VALUE`.
pub fn parse_override(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() && !value.trim().is_empty() => {
            Ok((name.trim().to_owned(), value.trim().to_owned()))
        }
        _ => Err("write NAME=VALUE".to_owned()),
    }
}

/// A number of steps.
pub fn parse_bound(text: &str) -> Result<usize, String> {
    text.trim().parse().map_err(|_| "write a number of steps, 0 or more: 10".to_owned())
}

/// A number of things, at least one.
pub fn parse_count(text: &str) -> Result<usize, String> {
    let number = text.trim().parse().ok().filter(|n| *n > 0);
    number.ok_or_else(|| "write a number, 1 or more".to_owned())
}

/// The number of something, from 0.
pub fn parse_number<N: FromStr>(text: &str) -> Result<N, String> {
    text.trim().parse().map_err(|_| "write a whole number, 0 or more".to_owned())
}

/// Seconds, or a number with `ms`, `s`, `m` or `h`.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let wrong = || "write seconds, or a number with ms, s, m or h: 90, 10s, 5m, 1h".to_owned();
    let (number, unit) = split_unit(text);
    let number: f64 = number.parse().map_err(|_| wrong())?;
    let factor = match unit {
        "" | "s" => 1.0,
        "ms" => 0.001,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(wrong()),
    };
    Duration::try_from_secs_f64(number * factor).map_err(|_| wrong())
}

/// A number with B, K, M, G or T (powers of 1024). Nobody means bytes who says nothing.
pub fn parse_bytes(text: &str) -> Result<u64, String> {
    let wrong = || "write a number with K, M, G or T: 500M, 2G".to_owned();
    let (number, unit) = split_unit(text);
    let number: f64 = number.parse().map_err(|_| wrong())?;
    let unit = unit.to_uppercase();
    if unit.is_empty() {
        return Err(format!("the unit is missing: {number}M, {number}G, or {number}B for bytes"));
    }
    let power = match unit.strip_suffix("IB").or(unit.strip_suffix('B')).unwrap_or(&unit) {
        "" => 0,
        "K" => 1,
        "M" => 2,
        "G" => 3,
        "T" => 4,
        _ => return Err(wrong()),
    };
    Ok((number * 1024f64.powi(power)) as u64)
}

/// A number of bytes as [`parse_bytes`] reads it: `2G`, `1000B`.
pub fn bytes_text(bytes: u64) -> String {
    const UNITS: [&str; 5] = ["B", "K", "M", "G", "T"];
    let mut power = 0;
    while power + 1 < UNITS.len() && bytes > 0 && bytes.is_multiple_of(1 << (10 * (power + 1))) {
        power += 1;
    }
    format!("{}{}", bytes >> (10 * power), UNITS[power])
}

fn split_unit(text: &str) -> (&str, &str) {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    (&text[..end], text[end..].trim_start())
}

/// The limits of an engine; see [`limits`].
pub fn budget(args: &RunArgs) -> (Budget, Vec<Diagnostic>) {
    limits(args.timeout, args.memory)
}

/// How the model of an engine is read.
pub fn load_options<'a>(args: &'a RunArgs, budget: &Budget) -> LoadOptions<'a> {
    LoadOptions { overrides: &args.overrides, root: args.root.as_deref(), budget: budget.clone() }
}

/// The limits of a run; from here on Ctrl-C asks it to stop. The diagnostics say what will not work.
pub fn limits(timeout: Option<Duration>, memory: Option<u64>) -> (Budget, Vec<Diagnostic>) {
    let mut budget = Budget::unlimited().with_interrupt_flag(interrupt::flag());
    let mut doubts = Vec::new();
    if let Some(time) = timeout {
        budget = budget.with_timeout(time);
    }
    if let Some(bytes) = memory.or_else(usual_limit) {
        budget = budget.with_memory(bytes);
        if memory.is_some() && !Budget::memory_is_measurable() {
            let message = "--memory has no effect: this system does not tell how much memory is used";
            doubts
                .push(Diagnostic { severity: Severity::Warning, ..Diagnostic::error_without_place(message) });
        }
    }
    (budget, doubts)
}

/// What a model never does within the bound of the command, as far as there is time to see. Without a
/// bound, and far beyond what makes models do all they can, the search is shorter; and it never takes long.
pub fn vacuity(
    model: &Model,
    lengths: Option<Lengths>,
    backend: Backend,
    budget: &Budget,
) -> Vec<Diagnostic> {
    const USUAL: usize = 8;
    const ENOUGH: usize = 30;
    const PATIENCE: Duration = Duration::from_secs(10);
    if budget.exhausted().is_some() {
        return Vec::new();
    }
    let budget = &budget.at_most(PATIENCE);
    let bound = lengths.map_or(USUAL, Lengths::bound).min(ENOUGH);
    let mut notices = vacuity_notices(model, &unroll::vacuity(model, bound, backend, budget), bound);
    if let Some(lengths @ Lengths::Exactly(_)) = lengths
        && unroll::exists(model, lengths, backend, budget) == Some(false)
    {
        notices.push(no_trace_notice(lengths));
    }
    notices
}

/// A violation that traces of an exact length do not have, because it comes at the end of a trace that
/// cannot go on for so long; `None` also if the budget ends first.
pub fn dead_end(
    model: &Model,
    property: &Property,
    lengths: Lengths,
    backend: Backend,
    budget: &Budget,
) -> Option<Diagnostic> {
    let (Lengths::Exactly(bound), Some(invariant)) = (lengths, property.invariant()) else { return None };
    match unroll::check(model, invariant, Lengths::UpTo(bound), backend, budget, &mut ()) {
        Checked::Violated(trace) => Some(dead_end_notice(property, trace.len(), lengths)),
        Checked::Holds | Checked::Undecided { .. } => None,
    }
}

/// How traces of a model are shown.
pub fn view(args: &ViewArgs, model: &Model, console: &Console) -> Result<View, Refusal> {
    let variables: Vec<&str> = model.variables.iter().map(|v| v.name.as_str()).collect();
    let hidden =
        args.omit.iter().map(|name| find("variable", name, &variables).map(|index| VarId(index as u32)));
    Ok(View {
        full: args.full,
        shown: args.show.iter().map(|text| input::show_expression(model, text)).collect::<Result<_, _>>()?,
        hidden: hidden.collect::<Result<_, _>>()?,
        width: console.width(),
        paint: console.paint(),
    })
}

/// The same view without colours: for files and documents.
pub fn without_colour(view: &View) -> View {
    View { paint: Paint::default(), ..view.clone() }
}

/// The property with this name, whatever its kind.
pub fn property<'a>(model: &'a Model, name: &str) -> Result<&'a Property, Diagnostic> {
    let names: Vec<&str> = model.properties.iter().map(|p| p.name.as_str()).collect();
    Ok(&model.properties[find("property", name, &names)?])
}

/// The invariant with this name, or the first one.
pub fn invariant<'a>(model: &'a Model, name: Option<&str>) -> Result<(&'a Property, &'a Expr), Diagnostic> {
    let with_formula = |p: &'a Property| p.invariant().map(|formula| (p, formula));
    let Some(name) = name else {
        return model.properties.iter().find_map(with_formula).ok_or_else(|| {
            Diagnostic::error_without_place(format!("model {} has no invariant", model.name))
                .with_help("add one: `invariant name: formula;`")
        });
    };
    let Some(property) = model.properties.iter().find(|p| p.name == name) else {
        let names: Vec<&str> =
            model.properties.iter().filter_map(with_formula).map(|(p, _)| p.name.as_str()).collect();
        return Err(unknown("invariant", name, &names));
    };
    with_formula(property).ok_or_else(|| {
        let message = format!("property `{name}` is not an invariant, and this is done for these only");
        let invariants: Vec<&str> =
            model.properties.iter().filter(|p| p.invariant().is_some()).map(|p| p.name.as_str()).collect();
        let mut error = Diagnostic::error(property.span, message);
        if matches!(property.kind, PropertyKind::Ctl(_)) {
            error = error.with_help(format!("`cladist ctl MODEL -p {name}` decides it"));
        }
        match invariants.as_slice() {
            [] => error.with_note("the model has no invariant"),
            names => error.with_note(format!("invariants: {}", names.join(", "))),
        }
    })
}

/// The vocabulary with this name, or the first one.
pub fn vocabulary<'a>(model: &'a Model, name: Option<&str>) -> Result<&'a Vocabulary, Diagnostic> {
    let names: Vec<&str> = model.vocabularies.iter().map(|v| v.name.as_str()).collect();
    match name {
        Some(name) => Ok(&model.vocabularies[find("vocabulary", name, &names)?]),
        None => model.vocabularies.first().ok_or_else(|| {
            Diagnostic::error_without_place(format!("model {} has no vocabulary", model.name))
                .with_help("say which facts may be used: `vocabulary name = { eq(x, y), before };`")
        }),
    }
}

/// The part of a vocabulary that is left when some names are hidden, and what of it is preferred. All names that
/// mean nothing in it are errors, and those that are to be preferred and hidden, too.
pub fn vocabulary_part(
    model: &Model,
    vocabulary: &Vocabulary,
    prefer: &[String],
    hide: &[String],
) -> Result<(Vocabulary, Preference), Vec<Diagnostic>> {
    let mut errors = Vec::new();
    let known = vocabulary.names(model);
    let mut meant = |name: &String| {
        let items = vocabulary.meant_by(model, name);
        if items.is_empty() {
            errors.extend(find("observable or predicate", name.trim(), &known).err());
        }
        items
    };
    let hidden: Vec<usize> = hide.iter().flat_map(&mut meant).collect();
    let preferred: Vec<(&String, Vec<usize>)> = prefer.iter().map(|name| (name, meant(name))).collect();
    for (name, items) in &preferred {
        if !items.is_empty() && items.iter().all(|item| hidden.contains(item)) {
            let message = format!("`{}` cannot be preferred, because it is hidden", name.trim());
            errors.push(
                Diagnostic::error_without_place(message).with_help("leave it out of --prefer or --hide"),
            );
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let kept = (0..vocabulary.items.len()).filter(|item| !hidden.contains(item));
    let is_preferred = |item: &usize| preferred.iter().any(|(_, items)| items.contains(item));
    let items = kept.enumerate().filter(|(_, item)| is_preferred(item)).map(|(index, _)| index).collect();
    Ok((vocabulary.without(&hidden), Preference { items }))
}

/// The predicate over positions with this name.
pub fn predicate(model: &Model, name: &str) -> Result<PredicateId, Diagnostic> {
    let names: Vec<&str> = model.predicates.iter().map(|p| p.name.as_str()).collect();
    let index = find("predicate", name, &names)?;
    let predicate = &model.predicates[index];
    if predicate.params.iter().any(|p| p.ty != Type::Pos) {
        let message = format!("predicate `{name}` has parameters that are not positions");
        return Err(
            Diagnostic::error(predicate.span, message).with_help("wrap it in one that has only positions")
        );
    }
    Ok(PredicateId(index as u32))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;
    use cladist::diagnostics::Span;
    use cladist::model::{Observable, VocabularyItem};
    use std::collections::BTreeSet;

    #[test]
    fn durations() {
        for (text, milliseconds) in [
            ("90", 90_000),
            ("1.5", 1500),
            ("10s", 10_000),
            ("5m", 300_000),
            ("1h", 3_600_000),
            ("20 ms", 20),
        ] {
            assert_eq!(parse_duration(text), Ok(Duration::from_millis(milliseconds)), "{text}");
        }
        for text in ["", "s", "10x", "-3", "1h30m", "1e9h"] {
            assert!(parse_duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn sizes() {
        for (text, bytes) in
            [("4097B", 4097), ("500M", 500 << 20), ("2G", 2 << 30), ("1.5k", 1536), ("2GiB", 2 << 30)]
        {
            assert_eq!(parse_bytes(text), Ok(bytes), "{text}");
            assert_eq!(parse_bytes(&bytes_text(bytes)), Ok(bytes), "{text}");
        }
        assert_eq!([0, 1023, 2048, 3 << 40].map(bytes_text), ["0B", "1023B", "2K", "3T"]);
        assert!(parse_bytes("5").is_err_and(|help| help.contains("5G")));
        for text in ["", "M", "10X", "-1G"] {
            assert!(parse_bytes(text).is_err(), "{text}");
        }
    }

    #[test]
    fn overrides() {
        assert_eq!(parse_override("N=4"), Ok(("N".into(), "4".into())));
        assert_eq!(parse_override("F = a = b"), Ok(("F".into(), "a = b".into())));
        for text in ["N", "=4", "N="] {
            assert!(parse_override(text).is_err(), "{text}");
        }
    }

    #[test]
    fn unknown_names_of_the_vocabulary_are_all_told() {
        let model = fixture::model();
        let item = |text: &str| {
            let (expr, span) = (Expr::bool(true, Span::default()), Span::default());
            VocabularyItem::Equal(Observable { text: text.to_owned(), expr, span })
        };
        let items = vec![item("state[A]"), item("state[B]"), VocabularyItem::Before, item("turn")];
        let vocabulary = Vocabulary { items, ..model.vocabularies[0].clone() };
        let names = |list: &[&str]| -> Vec<String> { list.iter().map(ToString::to_string).collect() };
        let part = |prefer: &[&str], hide: &[&str]| {
            vocabulary_part(&model, &vocabulary, &names(prefer), &names(hide))
        };
        let errors = part(&["sate[A]"], &["rubbish", "turn", "stat"]).expect_err("they are unknown");
        let helps: Vec<_> = errors.iter().map(|e| e.help.as_deref()).collect();
        assert_eq!(helps, [None, Some("did you mean `state`?"), Some("did you mean `state[A]`?")]);
        assert_eq!(part(&["turn"], &["turn"]).expect_err("both").len(), 1);
        let (left, preference) = part(&["turn"], &[" state "]).expect("they are known");
        assert_eq!(left.items, [VocabularyItem::Before, item("turn")]);
        assert_eq!(preference.items, BTreeSet::from([1]));
        let (left, preference) = part(&["state"], &["state[ A ]"]).expect("they are known");
        assert_eq!(left.items, [item("state[B]"), VocabularyItem::Before, item("turn")]);
        assert_eq!(preference.items, BTreeSet::from([0]));
    }

    #[test]
    fn names_default_to_the_first_and_must_exist() {
        let model = fixture::model();
        assert_eq!(invariant(&model, None).map(|(p, _)| p.name.as_str()), Ok("safe"));
        assert_eq!(vocabulary(&model, None).map(|v| v.name.as_str()), Ok("generic"));
        assert_eq!(predicate(&model, "msgs.replay"), Ok(PredicateId(0)));
        let unknown = [
            invariant(&model, Some("save")).map(|_| ()).expect_err("unknown"),
            vocabulary(&model, Some("genric")).map(|_| ()).expect_err("unknown"),
            predicate(&model, "replay").map(|_| ()).expect_err("unknown"),
        ];
        for (error, meant) in unknown.iter().zip(["safe", "generic", "msgs.replay"]) {
            assert_eq!(error.help, Some(format!("did you mean `{meant}`?")));
        }
    }
}
