//! Patterns in the language of models, so that they can be read again without the engine that found them.

use super::pattern::{ArgumentParts, ArgumentSlot, CausePattern, PatternStep};
use crate::facts::formula::{ChosenNames, mark};
use lang::model::{
    FactText, LassoFactText, LassoFormulaText, Model, Observable, ParameterText, Recurrence, SaidText,
    StretchText, TraceFormulaText,
};

/// Texts about the steps of a pattern, with marks for its variables: the individuals, then positions.
struct PatternTexts<'a> {
    model: &'a Model,
    parts: &'a ArgumentParts,
    /// The types of the individuals.
    types: Vec<String>,
}

impl PatternTexts<'_> {
    /// The conjuncts under which the step at a position is of a form.
    fn of(&mut self, form: &PatternStep, at: &str) -> Vec<String> {
        let action = &self.model.actions[form.action];
        let before = format!("{}.", action.name);
        let (mut texts, mut arguments) = (Vec::new(), Vec::new());
        for (slot, (part, name)) in
            form.slots.iter().zip(self.parts.named_after(self.model, form.action, &before))
        {
            let constructed = Observable::constructed(&name);
            let value = match slot {
                // Constructors are no values that variables stand for.
                ArgumentSlot::Individual(_) if constructed.is_some() => continue,
                ArgumentSlot::Any => continue,
                ArgumentSlot::Value(value) => self.model.types.show_value(value),
                ArgumentSlot::Individual(n) => {
                    self.types[*n] = self.model.types.name(part.ty.inner());
                    mark(*n)
                }
            };
            let param = &action.params[part.param()].name;
            match constructed {
                Some(of) => texts.push(format!("({of})@{at} is {value}")),
                None if name[before.len()..] == *param => arguments.push(format!("{param}: {value}")),
                None => texts.push(format!("({name})@{at} = {value}")),
            }
        }
        texts.insert(0, format!("{}({})@{at}", action.name, arguments.join(", ")));
        texts
    }

    /// The differences between individuals that have a text.
    fn different(&self, pattern: &CausePattern) -> impl Iterator<Item = String> {
        let told = pattern
            .different
            .iter()
            .filter(|(one, other)| [one, other].iter().all(|&&number| !self.types[number].is_empty()));
        told.map(|&(one, other)| format!("{} != {}", mark(one), mark(other)))
    }
}

impl CausePattern {
    /// The finite traces that contain the pattern, and whose last step is of its first form.
    pub fn formula(&self, model: &Model, parts: &ArgumentParts) -> TraceFormulaText {
        let count = self.individuals.len();
        let mut texts = PatternTexts { model, parts, types: vec![String::new(); count] };
        let at = |step: usize| mark(count + step);
        let holds = |holds: String| FactText { holds, nowhere: None };
        let mut facts: Vec<FactText> = Vec::new();
        for (step, form) in self.steps.iter().enumerate() {
            facts.extend(texts.of(form, &at(step)).into_iter().map(holds));
        }
        // The first position is the last one of the trace, and steps of one action are several.
        let (positions, last) = (self.steps.len().max(1), at(0));
        let other = mark(count + positions);
        let nowhere = |after, before| FactText {
            holds: format!("{other} = {other}"),
            nowhere: Some(StretchText { at: other.clone(), after, before }),
        };
        facts.extend(texts.different(self).map(holds));
        facts.push(nowhere(Some(last.clone()), None));
        // A violation in an initial state is one in the first position.
        facts.extend(self.steps.is_empty().then(|| nowhere(None, Some(last))));
        for (second, form) in self.steps.iter().enumerate() {
            let alike = (0..second).filter(|&first| self.steps[first].action == form.action);
            facts.extend(alike.map(|first| holds(format!("{} != {}", at(first), at(second)))));
        }
        let individuals = (1..=count).map(|n| format!("x{n}"));
        let of_steps = (0..positions).map(|n| if n == 0 { "last".into() } else { format!("i{n}") });
        let wanted: Vec<String> = individuals.chain(of_steps).chain(["t".into()]).collect();
        let names =
            ChosenNames::new(facts.iter().map(|fact| fact.holds.as_str()), wanted.iter().map(String::as_str));
        let facts = facts.into_iter().map(|fact| names.put_fact(fact)).collect();
        let types = texts.types.into_iter().chain((0..positions).map(|_| "pos".to_owned()));
        let parameter = |(name, ty): (&String, String)| ParameterText { name: name.clone(), ty };
        let mut parameters: Vec<ParameterText> = names.0.iter().zip(types).map(parameter).collect();
        parameters.rotate_left(count);
        parameters.retain(|parameter| !parameter.ty.is_empty());
        TraceFormulaText { parameters, facts, of_each: false }
    }

    /// The infinite traces in which the first steps are taken again and again, and the others at some position, the pairs in their order.
    pub fn recurrence(&self, model: &Model, parts: &ArgumentParts) -> LassoFormulaText {
        let count = self.individuals.len();
        let at = mark(count);
        let mut texts = PatternTexts { model, parts, types: vec![String::new(); count] };
        let said = |text: String| SaidText { text, holds: true };
        let forms: Vec<Vec<SaidText>> =
            self.steps.iter().map(|form| texts.of(form, &at).into_iter().map(said).collect()).collect();
        let fact = |when: Recurrence, at: Vec<Vec<SaidText>>| LassoFactText { when, at, after: Vec::new() };
        let (roots, stem) = forms.split_at(self.roots);
        let again = roots.iter().map(|said| fact(Recurrence::Again, vec![said.clone()]));
        let pairs = self
            .ordered
            .iter()
            .map(|&(first, second)| fact(Recurrence::Once, vec![stem[first].clone(), stem[second].clone()]));
        let is_alone = |number: &usize| !self.ordered.iter().any(|(a, b)| a == number || b == number);
        let alone = (0..stem.len()).filter(is_alone).map(|n| fact(Recurrence::Once, vec![stem[n].clone()]));
        let mut facts: Vec<LassoFactText> = again.chain(pairs).chain(alone).collect();
        let different: Vec<String> = texts.different(self).collect();
        let all = facts.iter().flat_map(|fact| &fact.at).flatten().map(|said| said.text.as_str());
        let all = all.chain(different.iter().map(String::as_str));
        let wanted: Vec<String> = (1..=count).map(|n| format!("x{n}")).chain(["t".to_owned()]).collect();
        let names = ChosenNames::new(all, wanted.iter().map(String::as_str));
        for said in facts.iter_mut().flat_map(|fact| &mut fact.at).flatten() {
            said.text = names.put(std::mem::take(&mut said.text));
        }
        let individuals = names.0.iter().zip(texts.types).filter(|(_, ty)| !ty.is_empty());
        LassoFormulaText {
            individuals: individuals.map(|(name, ty)| ParameterText { name: name.clone(), ty }).collect(),
            position: names.put(at),
            facts,
            distinct: different.into_iter().map(|text| names.put(text)).collect(),
        }
    }
}
