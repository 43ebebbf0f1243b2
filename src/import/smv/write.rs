//! Writes a system as a model in the specification language.

use super::print::{PrintResult, SmvPrinter};
use super::step::{SmvStep, chosen, target};
use super::system::{FlatSystem, SmvProperty};
use super::term::{SmvNode, SmvTerm, SymbolId};
use super::text::tree::{SmvPropertyKind, Temporal, VariableKind};
use crate::written::{self, own_name};
use lang::syntax::NameSupply;
use std::cell::Cell;
use std::collections::HashMap;

/// Writes a model; `shown` is the path of its file for messages, and `name` that of the model.
///
/// # Errors
/// If the model is too large for a text.
pub(super) fn model_text(name: &str, shown: &str, system: &FlatSystem) -> PrintResult<String> {
    let mut names = NameSupply::new();
    let printer = printer(system, &mut names);
    let step = named(&mut names, "step");
    let mut text = types(&printer);
    text.extend(variables(&printer, &mut names));
    text.push(first_states(&printer)?);
    for (definition, name) in system.definitions.iter().zip(&printer.definitions) {
        let (ty, value) = (printer.ty(&definition.value.ty), printer.text(&definition.value)?);
        text.push(format!("def {name} : {ty} = {value};"));
    }
    text.push(action(&step, &printer)?);
    text.extend(assumptions(&printer)?);
    for formula in &system.justice {
        text.push(format!("fairness {};", printer.text(formula)?));
    }
    text.extend(properties(&printer)?);
    written::model_text(name, shown, &text)
}

/// Returns an unused name like another one.
fn named(names: &mut NameSupply, like: &str) -> String {
    names.unused(Some(&own_name(like)), "long")
}

fn printer<'s>(system: &'s FlatSystem, names: &mut NameSupply) -> SmvPrinter<'s> {
    let variables: Vec<String> = system
        .variables
        .iter()
        // A variable that is always assigned becomes a definition.
        .map(|variable| if variable.defined { String::new() } else { named(names, &variable.name) })
        .collect();
    let groups = system.symbols.types();
    let all = groups.iter().flatten().copied();
    let symbols = all.map(|id| (id, named(names, system.symbols.name(id)))).collect();
    let definitions = system.definitions.iter().map(|definition| named(names, &definition.name)).collect();
    let mut types: HashMap<SymbolId, String> = HashMap::new();
    for group in &groups {
        let root = system.symbols.ty(group[0]);
        types.insert(root, named(names, &type_name(root, system)));
    }
    let groups = groups.into_iter().map(|group| (system.symbols.ty(group[0]), group)).collect();
    SmvPrinter { system, variables, definitions, symbols, groups, types, printed: Cell::new(0) }
}

/// Returns a name for a type: that of the first variable with it, in camel case.
fn type_name(root: SymbolId, system: &FlatSystem) -> String {
    let has = |domain: &super::system::SmvDomain| match domain {
        super::system::SmvDomain::Symbols(all) => system.symbols.ty(all[0]) == root,
        _ => false,
    };
    let first = system.variables.iter().find(|variable| has(&variable.domain));
    let last = first.and_then(|variable| variable.name.rsplit('.').next()).unwrap_or("symbol");
    let words = last.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let capital = |word: &str| word[..1].to_ascii_uppercase() + &word[1..];
    words.map(capital).collect()
}

fn types(printer: &SmvPrinter<'_>) -> Vec<String> {
    let symbols = &printer.system.symbols;
    let line = |group: Vec<SymbolId>| {
        let values: Vec<&str> = group.iter().map(|symbol| printer.symbols[symbol].as_str()).collect();
        format!("type {} = enum {{ {} }};", printer.types[&symbols.ty(group[0])], values.join(", "))
    };
    symbols.types().into_iter().map(line).collect()
}

fn variables(printer: &SmvPrinter<'_>, names: &mut NameSupply) -> Vec<String> {
    let mut all = Vec::new();
    for (id, variable) in printer.system.variables.iter().enumerate() {
        if variable.kind != VariableKind::Input && !variable.defined {
            all.push(format!("var {} : {};", printer.variables[id], printer.variable_type(id).0));
        }
    }
    if all.is_empty() {
        // A model has a state.
        all.push(format!("var {} : 0..0;", named(names, "nothing")));
    }
    all
}

fn first_states(printer: &SmvPrinter<'_>) -> PrintResult<String> {
    let mut lines = Vec::new();
    for (place, term) in &printer.system.first {
        lines.push(format!("{};", chosen(&target(place, printer, false), term, printer)?));
    }
    for formula in printer.system.init.iter().flat_map(SmvTerm::conjuncts) {
        lines.push(format!("{};", printer.text(formula)?));
    }
    Ok(format!("init {{ {} }}", lines.join("\n")))
}

fn action(name: &str, printer: &SmvPrinter<'_>) -> PrintResult<String> {
    let (mut params, mut lines) = (Vec::new(), Vec::new());
    for (id, variable) in printer.system.variables.iter().enumerate() {
        if variable.kind != VariableKind::Input {
            continue;
        }
        let (ty, is_wider) = printer.variable_type(id);
        params.push(format!("{}: {ty}", printer.variables[id]));
        if is_wider {
            for place in variable.places(id) {
                let own = target(&place, printer, false);
                lines.push(format!("require {own} in {};", printer.domain(&variable.domain)));
            }
        }
    }
    let step = SmvStep::new(printer.system);
    lines.extend(step.statements(printer)?);
    let params = if params.is_empty() { String::new() } else { format!("({})", params.join(", ")) };
    let free = step.free(printer);
    let free = if free.is_empty() { String::new() } else { format!(" modifies {}", free.join(", ")) };
    Ok(format!("action {name}{params}{free} {{\n{}\n}}", lines.join("\n")))
}

/// Returns the conditions on all states.
fn assumptions(printer: &SmvPrinter<'_>) -> PrintResult<Vec<String>> {
    let system = printer.system;
    let mut all = Vec::new();
    for (id, variable) in system.variables.iter().enumerate() {
        if variable.kind == VariableKind::Input || variable.defined || !printer.variable_type(id).1 {
            continue;
        }
        for place in variable.places(id) {
            let own = target(&place, printer, false);
            all.push(format!("assume {own} in {};", printer.domain(&variable.domain)));
        }
    }
    for (place, term) in &system.always {
        all.push(format!("assume {};", chosen(&target(place, printer, false), term, printer)?));
    }
    for formula in system.invar.iter().flat_map(SmvTerm::conjuncts) {
        all.push(format!("assume {};", printer.text(formula)?));
    }
    Ok(all)
}

fn properties(printer: &SmvPrinter<'_>) -> PrintResult<Vec<String>> {
    let system = printer.system;
    let mut premises = Vec::new();
    for (p, q) in &system.compassion {
        let (p, q) = (printer.text(p)?, printer.text(q)?);
        premises.push(format!("((always (eventually {p})) => (always (eventually {q})))"));
    }
    let mut names = NameSupply::new();
    // Given names take precedence over generated ones.
    let mut given: Vec<Option<String>> = Vec::new();
    for property in &system.properties {
        given.push(property.name.as_ref().map(|name| named(&mut names, name)));
    }
    let mut counts: HashMap<&str, usize> = HashMap::new();
    let mut all = Vec::new();
    for (property, given) in system.properties.iter().zip(given) {
        let section = match property.kind {
            SmvPropertyKind::Invariant => "invarspec",
            SmvPropertyKind::Ctl => "ctlspec",
            SmvPropertyKind::Ltl => "ltlspec",
        };
        let count = counts.entry(section).or_default();
        *count += 1;
        let name = given.unwrap_or_else(|| named(&mut names, &format!("{section}_{count}")));
        all.push(written(property, &name, &premises, printer)?);
    }
    Ok(all)
}

/// Writes a property. `AG e` and `G e` become invariants, unless fairness excludes some of the reachable
/// states: then they are written as formulas about fair infinite traces.
fn written(
    property: &SmvProperty,
    name: &str,
    premises: &[String],
    printer: &SmvPrinter<'_>,
) -> PrintResult<String> {
    let formula = &property.formula;
    let is_fair = !printer.system.justice.is_empty() || !printer.system.compassion.is_empty();
    Ok(match (property.kind, &*formula.node) {
        (SmvPropertyKind::Invariant, _) => format!("invariant {name}: {};", printer.text(formula)?),
        (SmvPropertyKind::Ctl, SmvNode::Temporal(Temporal::AllAlways, inner))
            if !is_fair && !inner[0].is_temporal() =>
        {
            format!("invariant {name}: {};", printer.text(&inner[0])?)
        }
        (SmvPropertyKind::Ctl, _) => format!("ctl {name}: {};", printer.text(formula)?),
        (SmvPropertyKind::Ltl, SmvNode::Temporal(Temporal::Always, inner))
            if is_fair && premises.is_empty() && !inner[0].is_temporal() =>
        {
            format!("ltl {name}: not (eventually (not {}));", printer.text(&inner[0])?)
        }
        (SmvPropertyKind::Ltl, _) if premises.is_empty() => {
            format!("ltl {name}: {};", printer.text(formula)?)
        }
        (SmvPropertyKind::Ltl, _) => {
            format!("ltl {name}: ({}) => {};", premises.join(" and "), printer.text(formula)?)
        }
    })
}
