//! Writes the text of a model.

use super::alternative::StepAlternative;
use super::elaborate::{QuintElaborator, Result, UntranslatableReason, inside};
use super::print_terms::TermPrinter;
use super::print_types::{TypeNames, field_name};
use super::term::{Node, QuintTerm};
use super::types::Ty;
use super::value::QuintValue;
use crate::written::{self, RESULT};
use lang::syntax::{as_name, is_reserved};
use std::collections::BTreeSet;

/// The parts of a model other than its variables.
#[derive(Debug)]
pub(crate) struct ModelParts {
    pub initial: Vec<StepAlternative>,
    pub step: Vec<StepAlternative>,
    pub invariants: Vec<(String, QuintTerm)>,
    /// Conditions on steps: for each alternative, in their order.
    pub of_steps: Vec<(String, Vec<QuintTerm>)>,
    /// Properties of infinite traces.
    pub linear: Vec<(String, PrintedLtl)>,
    /// Groups of steps treated fairly.
    pub fair: Vec<Fair>,
    /// Conditions other than fairness on the traces that properties are about.
    pub premises: Vec<PrintedLtl>,
    pub rules: LanguageRules,
    /// The states that steps begin in.
    pub within: QuintTerm,
    /// Conditions on steps that formulas of linear time are about: for each alternative, in their order.
    pub marks: Vec<Vec<QuintTerm>>,
}

/// The name of the invariant that each state has a step.
pub const NO_DEADLOCK: &str = "no_deadlock";

/// The rules of a specification that differ between languages.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct LanguageRules {
    /// A step without a value, or with one that leaves a range, is an error, rather than no step.
    pub total: bool,
    /// A state without a step is an error.
    pub no_deadlock: bool,
    /// A trace may stay in a state for ever.
    pub stutters: bool,
}

impl Default for ModelParts {
    fn default() -> Self {
        Self {
            initial: Vec::new(),
            step: Vec::new(),
            invariants: Vec::new(),
            of_steps: Vec::new(),
            linear: Vec::new(),
            fair: Vec::new(),
            premises: Vec::new(),
            rules: LanguageRules::default(),
            within: QuintTerm::bool(true),
            marks: Vec::new(),
        }
    }
}

/// Steps that are treated fairly together.
#[derive(Debug, Clone, Default)]
pub(crate) struct Fair {
    pub strong: bool,
    /// The places of alternatives in `step`, with values for some of their parameters.
    pub steps: Vec<(usize, Vec<(QuintTerm, QuintTerm)>)>,
    /// The variables of which one at least changes.
    pub over: Vec<String>,
    /// The place of the condition on such steps in `marks`, and the condition that there is one, for steps that are no alternatives.
    pub formula: Option<(usize, QuintTerm)>,
}

/// A formula of linear time.
#[derive(Debug, Clone)]
pub(crate) enum PrintedLtl {
    State(QuintTerm),
    /// The next step satisfies a condition, by its place in `marks`.
    Step(usize),
    Always(Box<PrintedLtl>),
    Eventually(Box<PrintedLtl>),
    Not(Box<PrintedLtl>),
    All(Vec<PrintedLtl>),
    Any(Vec<PrintedLtl>),
}

impl PrintedLtl {
    /// Returns the places of the conditions on steps that violate the formula where they hold.
    fn denied(&self, is_denied: bool) -> Vec<usize> {
        match self {
            Self::State(_) => Vec::new(),
            Self::Step(mark) => is_denied.then_some(*mark).into_iter().collect(),
            Self::Always(inner) | Self::Eventually(inner) => inner.denied(is_denied),
            Self::Not(inner) => inner.denied(!is_denied),
            Self::All(parts) | Self::Any(parts) => {
                parts.iter().flat_map(|part| part.denied(is_denied)).collect()
            }
        }
    }
}

/// Writes a model; reports all errors.
pub(crate) fn model_text(
    name: &str,
    shown: &str,
    elaborator: &mut QuintElaborator<'_>,
    mut parts: ModelParts,
) -> std::result::Result<String, Vec<UntranslatableReason>> {
    elaborator.types.solve();
    let variables: Vec<(String, Ty)> = elaborator.variables.values().cloned().collect();
    let labels: BTreeSet<&str> = elaborator.sums.keys().copied().collect();
    let mut taken: BTreeSet<String> = elaborator.names.taken.clone();
    taken.extend(elaborator.names.choices.clone());
    taken.retain(|name| !labels.contains(name.as_str()) && !elaborator.words.contains(name));
    taken.extend(variables.iter().map(|(name, _)| name.clone()));
    let mut writer = QuintWriter {
        printer: TermPrinter::new(TypeNames::new(&elaborator.types, taken)),
        found: Vec::new(),
        marks: Vec::new(),
    };
    let mut text = Vec::new();
    for (name, ty) in &variables {
        let line = writer.printer.names.text(ty, name).map(|ty| format!("var {name} : {ty};"));
        text.extend(writer.kept(line.map_err(|found| inside(name, found))));
    }
    let initial = writer.initial(std::mem::take(&mut parts.initial), &variables, parts.rules);
    text.extend(writer.kept(initial.map_err(|found| inside("init", found))));
    let groups = parts.fair.iter().filter(|group| !group.steps.is_empty()).zip(1_usize..);
    let groups: Vec<(String, &Fair)> =
        groups.map(|(group, at)| (writer.printer.names.name(&format!("took_{at}")), group)).collect();
    text.extend(groups.iter().map(|(own, _)| declared(own, "is treated fairly")));
    for at in 1..=parts.marks.len() {
        let own = writer.printer.names.name(&format!("did_{at}"));
        text.push(declared(&own, "a property is about"));
        writer.marks.push(own);
    }
    let denied: BTreeSet<String> = parts
        .linear
        .iter()
        .flat_map(|(_, formula)| formula.denied(false))
        .map(|at| writer.marks[at].clone())
        .collect();
    let (mut actions, mut totals, mut partial) = (Vec::new(), Vec::new(), Vec::new());
    for (at, alternative) in parts.step.iter().enumerate() {
        let wanted = alternative.name.as_deref().or(alternative.part.as_deref());
        let wanted = as_name(wanted.unwrap_or("step"));
        let (mut own, mut number) = (wanted.clone(), 2);
        while is_reserved(&own) || !writer.printer.names.taken.insert(own.clone()) {
            own = format!("{wanted}_{number}");
            number += 1;
        }
        let mut marks = writer.marks(&groups, at, alternative).map_err(|found| vec![found])?;
        for (mark, conditions) in writer.marks.clone().iter().zip(&parts.marks) {
            let Some(condition) = conditions.get(at) else { continue };
            let condition = writer.doubtful(condition, denied.contains(mark)).map_err(|found| vec![found])?;
            marks += &format!("{mark}' = {condition}; ");
        }
        let action = writer.action(&own, alternative, &marks);
        text.extend(writer.kept(action.map_err(|found| inside(&wanted, found))));
        let total = writer.total(&own, alternative, &variables, parts.rules);
        let total = writer.kept(total.map_err(|found| inside(&wanted, found))).flatten();
        partial.push(total.is_some());
        totals.extend(total);
        actions.push(own);
    }
    let enabled = |at: usize| format!("enabled({})", actions[at]);
    if parts.rules.stutters {
        text.push(writer.stutter(&groups, &parts.within).map_err(|found| vec![found])?);
    }
    let (mut premise, fairness) =
        writer.fairness(&groups, &parts.step, &actions, &partial).map_err(|found| vec![found])?;
    text.extend(fairness);
    writer.fairness_by_formulas(&parts, &mut premise, &mut text).map_err(|found| vec![found])?;
    // Properties of the specification stand before those that every one has.
    writer.properties(&parts, &premise, &mut text);
    text.append(&mut totals);
    if parts.rules.no_deadlock && !actions.is_empty() {
        let name = writer.printer.names.name(NO_DEADLOCK);
        let able = (0..actions.len()).map(enabled).collect::<Vec<_>>().join(" or ");
        let within = writer.printer.text(&parts.within).map_err(|found| vec![found])?;
        let within = if within == "true" { String::new() } else { format!("{within} => ") };
        text.push(format!("invariant {name}: {within}({able});"));
    }
    if !writer.found.is_empty() {
        return Err(writer.found);
    }
    let items = [writer.printer.names.declarations, text].concat();
    written::model_text(name, shown, &items).map_err(|why| vec![not_written(why)])
}

struct QuintWriter<'t> {
    printer: TermPrinter<'t>,
    found: Vec<UntranslatableReason>,
    /// The variables that tell if the last step satisfies a condition.
    marks: Vec<String>,
}

/// Refuses a text.
fn not_written(why: String) -> UntranslatableReason {
    UntranslatableReason::helped(why, "choose smaller constants, or narrower limits: --int 0..9, --list 3")
}

/// Returns the variable that is true after some steps.
fn declared(mark: &str, which: &str) -> String {
    format!("/// True after a step that {which}.\nvar {mark} : bool;\ninit {{ {mark} = false; }}")
}

/// Returns the premise of strong fairness.
fn strong(able: &str, mark: &str) -> String {
    format!("((always (eventually {able})) => (always (eventually {mark}))) => ")
}

impl QuintWriter<'_> {
    /// Returns the assignments of marks that tell if a step is one of those treated fairly.
    fn marks(
        &mut self,
        groups: &[(String, &Fair)],
        at: usize,
        alternative: &StepAlternative,
    ) -> Result<String> {
        let mut marks = String::new();
        for (mark, group) in groups {
            let mut taken = Vec::new();
            for (_, given) in group.steps.iter().filter(|(step, _)| *step == at) {
                let same = given.iter().map(|(param, value)| self.equal(param, value));
                let mut same = same.collect::<Result<Vec<_>>>()?;
                same.extend(self.moves(alternative, &group.over)?);
                taken.push(if same.is_empty() { "true".into() } else { format!("({})", same.join(" and ")) });
            }
            let taken = if taken.is_empty() { "false".into() } else { taken.join(" or ") };
            marks += &format!("{mark}' = {taken}; ");
        }
        Ok(marks)
    }

    /// Returns the action that lets a trace stay in a state.
    fn stutter(&mut self, groups: &[(String, &Fair)], within: &QuintTerm) -> Result<String> {
        let name = self.printer.names.name("stutter");
        let within = self.condition(within)?;
        let within: Vec<String> = within.iter().map(|part| format!("require {part};")).collect();
        let marks = groups.iter().map(|(mark, _)| mark).chain(&self.marks);
        let marks: Vec<String> = marks.map(|mark| format!("{mark}' = false;")).collect();
        Ok(format!("action {name} {{ {} {} }}", within.join(" "), marks.join(" ")))
    }

    /// Returns the premise of linear properties that states strong fairness, and the items that state weak fairness. A step that may have
    /// no value counts as one that can be taken: a trace that ends before it is not fair.
    fn fairness(
        &mut self,
        groups: &[(String, &Fair)],
        step: &[StepAlternative],
        actions: &[String],
        partial: &[bool],
    ) -> Result<(String, Vec<String>)> {
        let (mut premise, mut items) = (String::new(), Vec::new());
        for (mark, group) in groups {
            let mut able = Vec::new();
            for (at, given) in &group.steps {
                let values = given.iter().map(|(param, value)| self.argument(param, value));
                let values = values.collect::<Result<Vec<_>>>()?;
                let values =
                    if values.is_empty() { String::new() } else { format!("({})", values.join(", ")) };
                able.push(match self.moves(&step[*at], &group.over)? {
                    None if !partial[*at] => format!("enabled({}{values})", actions[*at]),
                    moves => self.able(&step[*at], given, moves)?,
                });
            }
            let able = able.join(" or ");
            match group.strong {
                true => premise += &strong(&format!("({able})"), mark),
                false => items.push(format!("fairness not ({able}) or {mark};")),
            }
        }
        Ok((premise, items))
    }

    /// Adds the fairness of steps that are no alternatives, and other conditions, to the premise of linear properties, and to the items.
    fn fairness_by_formulas(
        &mut self,
        parts: &ModelParts,
        premise: &mut String,
        text: &mut Vec<String>,
    ) -> Result<()> {
        for group in &parts.fair {
            let Some((mark, able)) = &group.formula else { continue };
            let (able, mark) = (self.doubtful(able, false)?, &self.marks[*mark]);
            match group.strong {
                true => *premise += &strong(&able, mark),
                false => text.push(format!("fairness not {able} or {mark};")),
            }
        }
        for formula in &parts.premises {
            *premise += &format!("{} => ", self.linear(formula, true)?);
        }
        Ok(())
    }

    /// Adds the properties.
    fn properties(&mut self, parts: &ModelParts, premise: &str, text: &mut Vec<String>) {
        for (name, term) in &parts.invariants {
            let invariant = self.invariant(name, term);
            text.extend(self.kept(invariant.map_err(|found| inside(name, found))));
        }
        for (name, terms) in &parts.of_steps {
            let mut each = Vec::new();
            for (alternative, term) in parts.step.iter().zip(terms) {
                let formula = self.of_step(alternative, term).map_err(|found| inside(name, found));
                each.extend(self.kept(formula).flatten());
            }
            let each = if each.is_empty() { "true".into() } else { each.join(" and ") };
            text.push(format!("invariant {}: {each};", written::property_name(name)));
        }
        for (name, formula) in &parts.linear {
            let formula = self
                .linear(formula, false)
                .map(|text| format!("ltl {}: {premise}{text};", written::property_name(name)));
            text.extend(self.kept(formula.map_err(|found| inside(name, found))));
        }
    }

    fn kept<T>(&mut self, line: Result<T>) -> Option<T> {
        line.map_err(|found| self.found.push(found)).ok()
    }

    /// Returns a condition, after the conditions for it to have a value; nothing for one that is only about the limits of a choice.
    fn condition(&mut self, term: &QuintTerm) -> Result<Vec<String>> {
        if matches!(*term.node, Node::WithinLimits(_)) {
            return Ok(Vec::new());
        }
        let defined = self.printer.defined(term)?;
        let text = self.printer.text(term)?;
        Ok(defined.into_iter().chain(Some(text)).filter(|text| text != "true").collect())
    }

    fn initial(
        &mut self,
        alternatives: Vec<StepAlternative>,
        variables: &[(String, Ty)],
        rules: LanguageRules,
    ) -> Result<String> {
        let mut formulas = Vec::new();
        for alternative in alternatives {
            let alternative = self.without_parameters(alternative, variables);
            let mut parts = Vec::new();
            for condition in &alternative.conditions {
                self.total_initially(condition, rules)?;
                parts.extend(self.condition(condition)?);
            }
            for (name, value) in &alternative.assigned {
                if !value.is_name(name) {
                    self.total_initially(value, rules)?;
                    let own = variables.iter().find(|(own, _)| own == name);
                    if own.is_some_and(|(_, ty)| value.value().is_none() && self.printer.may_miss(ty, value))
                    {
                        return Err(beyond_limits(&format!("of `{name}`")));
                    }
                    parts.extend(self.printer.defined(value)?);
                    parts.push(format!("{name} = {}", self.printer.text(value)?));
                }
            }
            let mut params = String::new();
            for param in &alternative.params {
                let Node::Name(name) = &*param.node else { continue };
                params += &format!("exists {name} in {}: ", self.printer.names.domain(&param.ty, name)?);
            }
            formulas.push((params, parts));
        }
        if let [(params, parts)] = &formulas[..]
            && params.is_empty()
        {
            let lines: Vec<String> = parts.iter().map(|part| format!("{part};")).collect();
            return Ok(format!("init {{ {} }}", lines.join(" ")));
        }
        let formulas = formulas.into_iter().map(|(params, parts)| {
            let parts = if parts.is_empty() { "true".into() } else { parts.join(" and ") };
            format!("({params}({parts}))")
        });
        let all = formulas.collect::<Vec<_>>();
        Ok(format!("init {{ {}; }}", if all.is_empty() { "false".into() } else { all.join(" or ") }))
    }

    fn action(&mut self, name: &str, alternative: &StepAlternative, marks: &str) -> Result<String> {
        let mut params = Vec::new();
        for param in &alternative.params {
            let Node::Name(name) = &*param.node else { continue };
            if !matches!(self.printer.names.types.resolve(&param.ty), Ty::Int(_)) {
                self.printer.names.small(&param.ty, &format!("values of `{name}`"))?;
            }
            params.push(format!("{name}: {}", self.printer.names.text(&param.ty, name)?));
        }
        let mut lines: Vec<String> = Vec::new();
        for condition in &alternative.conditions {
            for part in self.condition(condition)? {
                let line = format!("require {part};");
                if !lines.contains(&line) {
                    lines.push(line);
                }
            }
        }
        let mut assigned = Vec::new();
        for (variable, value) in &alternative.assigned {
            if value.is_name(variable) {
                continue;
            }
            if let Some(defined) = self.printer.defined(value)? {
                let line = format!("require {defined};");
                if !lines.contains(&line) {
                    lines.push(line);
                }
            }
            let (target, value) = self.target(&format!("{variable}'"), variable, value)?;
            assigned.push(format!("{target} = {};", self.printer.text(&value)?));
        }
        let params = if params.is_empty() { String::new() } else { format!("({})", params.join(", ")) };
        Ok(format!("action {name}{params} {{ {} {} {marks} }}", lines.join(" "), assigned.join(" ")))
    }

    /// Rejects an initial value that may not exist, where this is an error, or may be beyond limits: no trace would show it.
    fn total_initially(&mut self, term: &QuintTerm, rules: LanguageRules) -> Result<()> {
        match self.printer.defined(term)? {
            Some(_) if rules.total => Err(UntranslatableReason::helped(
                "an initial value may not exist: it is that of a function, a sequence or CHOOSE",
                "write the value as a constant",
            )),
            Some(_) if self.printer.within_limits(term)?.is_some() => {
                Err(beyond_limits("of integers or lists"))
            }
            _ => Ok(()),
        }
    }

    /// Returns the condition that a step changes one of the variables; `None` if each of its steps does.
    fn moves(&mut self, alternative: &StepAlternative, over: &[String]) -> Result<Option<String>> {
        let mut changes = Vec::new();
        for (variable, value) in &alternative.assigned {
            if value.is_name(variable) || !over.contains(variable) {
                continue;
            }
            let (place, new) = self.target(variable, variable, value)?;
            match &*new.node {
                Node::Infix("+" | "-", old, by)
                    if self.printer.text(old)? == place
                        && matches!(by.value(), Some(QuintValue::Int(by)) if by != 0) =>
                {
                    return Ok(None);
                }
                _ => {}
            }
            let mut open: Vec<&QuintTerm> = alternative.conditions.iter().collect();
            while let Some(condition) = open.pop() {
                match &*condition.node {
                    Node::And(parts) => open.extend(parts),
                    Node::Infix("=", a, b) if self.printer.text(a)? == place => {
                        if let (Some(old), Some(new)) = (b.value(), new.value())
                            && old != new
                        {
                            return Ok(None);
                        }
                    }
                    _ => {}
                }
            }
            changes.push(format!("{} != {variable}", self.printer.text(value)?));
        }
        Ok(Some(if changes.is_empty() { "false".into() } else { format!("({})", changes.join(" or ")) }))
    }

    /// Returns the condition that an alternative with some values of its parameters has a step that changes a variable.
    fn able(
        &mut self,
        alternative: &StepAlternative,
        given: &[(QuintTerm, QuintTerm)],
        moves: Option<String>,
    ) -> Result<String> {
        let (domains, _) = self.over_parameters(alternative, "exists")?;
        let mut parts = Vec::new();
        for (param, value) in given {
            parts.push(self.equal(param, value)?);
        }
        for condition in &alternative.conditions {
            parts.extend(self.condition(condition)?);
        }
        for (_, value) in &alternative.assigned {
            parts.extend(self.printer.defined(value)?);
        }
        parts.extend(moves);
        let parts = if parts.is_empty() { "true".into() } else { parts.join(" and ") };
        Ok(format!("({domains}{parts})"))
    }

    /// Returns quantifiers over the parameters of an alternative, and the parameters as arguments of its action.
    fn over_parameters(&mut self, alternative: &StepAlternative, word: &str) -> Result<(String, String)> {
        let (mut domains, mut arguments) = (String::new(), Vec::new());
        for param in &alternative.params {
            let Node::Name(own) = &*param.node else { continue };
            domains += &format!("{word} {own} in {}: ", self.printer.names.domain(&param.ty, own)?);
            arguments.push(format!("{own}: {own}"));
        }
        let arguments =
            if arguments.is_empty() { String::new() } else { format!("({})", arguments.join(", ")) };
        Ok((domains, arguments))
    }

    /// Returns the condition that each step of an alternative satisfies a formula; `None` if it is true.
    fn of_step(&mut self, alternative: &StepAlternative, term: &QuintTerm) -> Result<Option<String>> {
        let goal = self.condition(term)?;
        if goal.is_empty() {
            return Ok(None);
        }
        let (domains, _) = self.over_parameters(alternative, "forall")?;
        let mut given = Vec::new();
        for condition in &alternative.conditions {
            given.extend(self.condition(condition)?);
        }
        let goal = goal.join(" and ");
        Ok(Some(match given.is_empty() {
            true => format!("({domains}({goal}))"),
            false => format!("({domains}(({}) => ({goal})))", given.join(" and ")),
        }))
    }

    fn equal(&mut self, param: &QuintTerm, value: &QuintTerm) -> Result<String> {
        Ok(format!("{} = {}", self.printer.text(param)?, self.printer.text(value)?))
    }

    fn argument(&mut self, param: &QuintTerm, value: &QuintTerm) -> Result<String> {
        Ok(format!("{}: {}", self.printer.text(param)?, self.printer.text(value)?))
    }

    /// Returns an invariant: where the conditions of an alternative hold, it has a next state. `None` if there always is one.
    /// Unless steps without a value are errors, a next state is missing only where a value leaves its limits.
    fn total(
        &mut self,
        name: &str,
        alternative: &StepAlternative,
        variables: &[(String, Ty)],
        rules: LanguageRules,
    ) -> Result<Option<String>> {
        let mut partial = false;
        let (mut given, mut within) = (Vec::new(), Vec::new());
        for (variable, value) in &alternative.assigned {
            let Some((_, ty)) = variables.iter().find(|(own, _)| own == variable) else { continue };
            if value.is_name(variable) {
                continue;
            }
            partial |= !self.printer.names.types.fits(&value.ty, ty);
            within.extend(self.printer.within_limits(value)?.filter(|_| !rules.total));
            match self.printer.defined(value)? {
                Some(_) if rules.total => partial = true,
                defined => given.extend(defined),
            }
        }
        let mut of_conditions = Vec::new();
        for condition in &alternative.conditions {
            of_conditions.push(match rules.total {
                true => self.printer.defined(condition)?,
                false => self.printer.within_limits(condition)?,
            });
        }
        if !partial && within.is_empty() && of_conditions.iter().all(Option::is_none) {
            return Ok(None);
        }
        let (domains, arguments) = self.over_parameters(alternative, "forall")?;
        let mut formula = format!("enabled({name}{arguments})");
        // Conditions that are only about limits are wanted; the others are given.
        given.retain(|condition| !within.contains(condition));
        let all = |parts: Vec<String>| parts.join(" and ");
        if !given.is_empty() {
            formula = format!("(({}) => {formula})", all(given));
        }
        formula = all(within.into_iter().chain([formula]).collect());
        for (condition, wanted) in alternative.conditions.iter().zip(of_conditions).rev() {
            let mut given = vec![self.printer.text(condition)?];
            given.extend(self.printer.defined(condition)?.filter(|_| !rules.total));
            given.retain(|part| part != "true" && wanted.as_ref() != Some(part));
            if !given.is_empty() {
                given.reverse();
                formula = format!("(({}) => ({formula}))", all(given));
            }
            formula = all(wanted.into_iter().chain([formula]).collect());
        }
        let mut base = name.to_owned();
        let mut own = self.printer.names.name(&format!("{base}{RESULT}"));
        while !own.ends_with(RESULT) {
            base.push('_');
            own = self.printer.names.name(&format!("{base}{RESULT}"));
        }
        Ok(Some(format!("invariant {own}: {domains}{formula};")))
    }

    /// Returns a condition that a property is about, or denies: where it has no value, the property is violated.
    fn doubtful(&mut self, term: &QuintTerm, is_denied: bool) -> Result<String> {
        match (self.printer.defined(term)?, is_denied) {
            (Some(defined), true) => Ok(format!("({defined} => {})", self.printer.text(term)?)),
            _ => {
                let parts = self.condition(term)?;
                Ok(if parts.is_empty() { "true".into() } else { format!("({})", parts.join(" and ")) })
            }
        }
    }

    fn linear(&mut self, formula: &PrintedLtl, is_denied: bool) -> Result<String> {
        let all = |writer: &mut Self, parts: &[PrintedLtl], word: &str, none: &str| {
            let texts =
                parts.iter().map(|part| writer.linear(part, is_denied)).collect::<Result<Vec<_>>>()?;
            Ok(if texts.is_empty() { none.to_owned() } else { format!("({})", texts.join(word)) })
        };
        match formula {
            PrintedLtl::State(term) => self.doubtful(term, is_denied),
            PrintedLtl::Step(mark) => Ok(format!("(next {})", self.marks[*mark])),
            PrintedLtl::Always(inner) => Ok(format!("(always {})", self.linear(inner, is_denied)?)),
            PrintedLtl::Eventually(inner) => Ok(format!("(eventually {})", self.linear(inner, is_denied)?)),
            PrintedLtl::Not(inner) => Ok(format!("(not {})", self.linear(inner, !is_denied)?)),
            PrintedLtl::All(parts) => all(self, parts, " and ", "true"),
            PrintedLtl::Any(parts) => all(self, parts, " or ", "false"),
        }
    }

    /// Returns the place that an assignment changes, and its new value: `x'[k] = v` rather than a whole map.
    fn target(&mut self, place: &str, old: &str, value: &QuintTerm) -> Result<(String, QuintTerm)> {
        match &*value.node {
            Node::Put(map, key, new) | Node::Change(map, key, new) if self.printer.text(map)? == old => {
                let ty = self.printer.map_type(map)?;
                if self.printer.may_miss(&ty.key, key) {
                    return Ok((place.to_owned(), value.clone()));
                }
                let k = self.printer.text(key)?;
                let (place, old) = (format!("{place}[{k}]"), format!("{old}[{k}]"));
                match ty.total {
                    true => self.target(&place, &old, new),
                    false => Ok((place, new.clone())),
                }
            }
            Node::Rec(fields) => {
                let mut changed = Vec::new();
                for (field, part) in fields {
                    let own = field_name(field);
                    if !matches!(&*part.node, Node::Field(..))
                        || self.printer.text(part)? != format!("{old}.{own}")
                    {
                        changed.push((own, part));
                    }
                }
                match &changed[..] {
                    [(field, part)] if fields.len() > 1 => {
                        self.target(&format!("{place}.{field}"), &format!("{old}.{field}"), part)
                    }
                    _ => Ok((place.to_owned(), value.clone())),
                }
            }
            _ => Ok((place.to_owned(), value.clone())),
        }
    }

    fn invariant(&mut self, name: &str, term: &QuintTerm) -> Result<String> {
        if !matches!(self.printer.names.types.resolve(&term.ty), Ty::Bool) {
            return Err("it is no truth value".into());
        }
        let parts = self.condition(term)?;
        let text = if parts.is_empty() { "true".into() } else { parts.join(" and ") };
        Ok(format!("invariant {}: {text};", written::property_name(name)))
    }

    /// Replaces chosen values that become values of variables by these variables.
    fn without_parameters(
        &self,
        mut alternative: StepAlternative,
        variables: &[(String, Ty)],
    ) -> StepAlternative {
        let mut kept = Vec::new();
        let mut replaced = BTreeSet::new();
        for param in std::mem::take(&mut alternative.params) {
            let Node::Name(name) = &*param.node else { continue };
            let types = self.printer.names.types;
            // Values of other types share their limits with those of the variable.
            let fits = |wanted: &String| match types.resolve(&param.ty) {
                Ty::Int(slot) if !types.is_limited(slot) => {
                    variables.iter().any(|(own, ty)| own == wanted && types.fits(&param.ty, ty))
                }
                _ => true,
            };
            let variable = alternative.assigned.iter().find(|(variable, value)| {
                value.is_name(name) && !replaced.contains(variable) && fits(variable)
            });
            let Some((variable, _)) = variable.cloned() else {
                kept.push(param);
                continue;
            };
            let Some((_, ty)) = variables.iter().find(|(own, _)| *own == variable) else { continue };
            let own = QuintTerm::new(Node::Name(variable.clone()), ty.clone());
            for condition in &mut alternative.conditions {
                *condition = condition.with(name, &own);
            }
            for (_, value) in &mut alternative.assigned {
                *value = value.with(name, &own);
            }
            replaced.insert(variable);
        }
        StepAlternative { params: kept, ..alternative }
    }
}

/// Refuses an initial value, which would be missing.
fn beyond_limits(of: &str) -> UntranslatableReason {
    let message = format!("an initial value may be beyond the limits {of}");
    UntranslatableReason::helped(message, "write the value as a constant, or give wider limits: --int 0..99")
}
