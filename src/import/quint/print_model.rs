//! Writes the text of a model.

use super::actions::Alternative;
use super::elaborate::{Elaborator, Result, Unsupported, inside};
use super::print_terms::Printer;
use super::print_types::{TypeNames, field_name};
use super::term::{Node, Term};
use super::types::Ty;
use crate::written;
use lang::syntax::{as_name, is_reserved};
use std::collections::BTreeSet;

/// The parts of a model other than its variables.
#[derive(Debug)]
pub(super) struct ModelParts {
    pub initial: Vec<Alternative>,
    pub step: Vec<Alternative>,
    pub invariants: Vec<(String, Term)>,
}

/// Writes a model; reports all errors.
pub(super) fn model_text(
    name: &str,
    shown: &str,
    elaborator: &mut Elaborator<'_>,
    parts: ModelParts,
) -> std::result::Result<String, Vec<Unsupported>> {
    elaborator.types.solve();
    let variables: Vec<(String, Ty)> = elaborator.variables.values().cloned().collect();
    let labels: BTreeSet<&str> = elaborator.sums.keys().copied().collect();
    let mut taken: BTreeSet<String> = elaborator.names.taken.clone();
    taken.extend(elaborator.names.choices.clone());
    taken.retain(|name| !labels.contains(name.as_str()) && !elaborator.words.contains(name));
    taken.extend(variables.iter().map(|(name, _)| name.clone()));
    let mut writer =
        QuintWriter { printer: Printer::new(TypeNames::new(&elaborator.types, taken)), found: Vec::new() };
    let mut text = Vec::new();
    for (name, ty) in &variables {
        let line = writer.printer.names.text(ty, name).map(|ty| format!("var {name} : {ty};"));
        text.extend(writer.kept(line.map_err(|found| inside(name, found))));
    }
    let initial = writer.initial(parts.initial, &variables);
    text.extend(writer.kept(initial.map_err(|found| inside("init", found))));
    for alternative in &parts.step {
        let wanted = alternative.name.as_deref().or(alternative.part.as_deref());
        let wanted = as_name(wanted.unwrap_or("step"));
        let (mut own, mut number) = (wanted.clone(), 2);
        while is_reserved(&own) || !writer.printer.names.taken.insert(own.clone()) {
            own = format!("{wanted}_{number}");
            number += 1;
        }
        let action = writer.action(&own, alternative);
        text.extend(writer.kept(action.map_err(|found| inside(&wanted, found))));
    }
    for (name, term) in &parts.invariants {
        let invariant = writer.invariant(name, term);
        text.extend(writer.kept(invariant.map_err(|found| inside(name, found))));
    }
    if !writer.found.is_empty() {
        return Err(writer.found);
    }
    let items = [writer.printer.names.declarations, text].concat();
    written::model_text(name, shown, &items).map_err(|why| vec![why.into()])
}

struct QuintWriter<'t> {
    printer: Printer<'t>,
    found: Vec<Unsupported>,
}

impl QuintWriter<'_> {
    fn kept(&mut self, line: Result<String>) -> Option<String> {
        line.map_err(|found| self.found.push(found)).ok()
    }

    /// Returns a condition, after the conditions for it to have a value.
    fn condition(&mut self, term: &Term) -> Result<Vec<String>> {
        let defined = self.printer.defined(term)?;
        let text = self.printer.text(term)?;
        Ok(defined.into_iter().chain(Some(text)).filter(|text| text != "true").collect())
    }

    fn initial(&mut self, alternatives: Vec<Alternative>, variables: &[(String, Ty)]) -> Result<String> {
        let mut formulas = Vec::new();
        for alternative in alternatives {
            let alternative = without_parameters(alternative, variables);
            let mut parts = Vec::new();
            for condition in &alternative.conditions {
                parts.extend(self.condition(condition)?);
            }
            for (name, value) in &alternative.assigned {
                if !value.is_name(name) {
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
        Ok(format!("init {{ {}; }}", formulas.collect::<Vec<_>>().join(" or ")))
    }

    fn action(&mut self, name: &str, alternative: &Alternative) -> Result<String> {
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
            assigned.push(format!("{target} = {value};"));
        }
        let params = if params.is_empty() { String::new() } else { format!("({})", params.join(", ")) };
        Ok(format!("action {name}{params} {{ {} {} }}", lines.join(" "), assigned.join(" ")))
    }

    /// Returns the place that an assignment changes, and its new value: `x'[k] = v` rather than a whole map.
    fn target(&mut self, place: &str, old: &str, value: &Term) -> Result<(String, String)> {
        match &*value.node {
            Node::Put(map, key, new) | Node::Change(map, key, new) if self.printer.text(map)? == old => {
                let ty = self.printer.map_type(map)?;
                if self.printer.may_miss(&ty.key, key) {
                    return Ok((place.to_owned(), self.printer.text(value)?));
                }
                let k = self.printer.text(key)?;
                let (place, old) = (format!("{place}[{k}]"), format!("{old}[{k}]"));
                match ty.total {
                    true => self.target(&place, &old, new),
                    false => Ok((place, self.printer.text(new)?)),
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
                    _ => Ok((place.to_owned(), self.printer.text(value)?)),
                }
            }
            _ => Ok((place.to_owned(), self.printer.text(value)?)),
        }
    }

    fn invariant(&mut self, name: &str, term: &Term) -> Result<String> {
        if !matches!(self.printer.names.types.resolve(&term.ty), Ty::Bool) {
            return Err("it is no truth value".into());
        }
        let parts = self.condition(term)?;
        let text = if parts.is_empty() { "true".into() } else { parts.join(" and ") };
        Ok(format!("invariant {}: {text};", written::own_name(name)))
    }
}

/// Replaces chosen values that become values of variables by these variables.
fn without_parameters(mut alternative: Alternative, variables: &[(String, Ty)]) -> Alternative {
    let mut kept = Vec::new();
    let mut replaced = BTreeSet::new();
    for param in std::mem::take(&mut alternative.params) {
        let Node::Name(name) = &*param.node else { continue };
        let variable = alternative
            .assigned
            .iter()
            .find(|(variable, value)| value.is_name(name) && !replaced.contains(variable));
        let Some((variable, _)) = variable.cloned() else {
            kept.push(param);
            continue;
        };
        let Some((_, ty)) = variables.iter().find(|(own, _)| *own == variable) else { continue };
        let own = Term::new(Node::Name(variable.clone()), ty.clone());
        for condition in &mut alternative.conditions {
            *condition = condition.with(name, &own);
        }
        for (_, value) in &mut alternative.assigned {
            *value = value.with(name, &own);
        }
        replaced.insert(variable);
    }
    Alternative { params: kept, ..alternative }
}
