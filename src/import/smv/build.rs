//! Builds a system without modules from the tree of a text.

use super::elaborate::{ReportedFailure, SmvElaborator, SmvMoment, SmvResult};
use super::evaluate::{DomainFit, FITS_FUEL, SmvValue, circle, fit};
use super::scopes::{ModuleEntity, ModulePart, ScopeId, scopes};
use super::system::{FlatSystem, SmvDomain, SmvPlace, SmvProperty, SmvVariable};
use super::term::{SmvNode, SmvTerm, SmvType, SymbolId, VariableId};
use super::text::tree::{
    Assign, AssignKind, ConstraintKind, Name, SmvExpr, SmvFile, SmvOp, SmvPropertyKind, Temporal,
    VariableKind,
};
use crate::written::{RESULT, property_name};
use kit::diagnostics::{Diagnostic, Span};
use lang::syntax::as_name;
use std::cell::Cell;
use std::collections::{BTreeMap, HashMap};

/// Builds a system without modules.
///
/// # Errors
/// All mistakes found, in no order.
pub(super) fn build(file: &SmvFile) -> Result<FlatSystem, Vec<Diagnostic>> {
    let scopes = scopes(file)?;
    let count = scopes.len();
    let mut elaborator = SmvElaborator::new(scopes);
    elaborator.declare_symbols(file);
    (0..count).for_each(|scope| elaborator.declare_variables(scope));
    // Nothing else makes sense without the variables.
    if !elaborator.mistakes.is_empty() {
        return Err(elaborator.mistakes);
    }
    elaborator.declare_processes();
    let mut builder = SystemBuilder {
        elaborator,
        assigned: HashMap::new(),
        moves: BTreeMap::new(),
        remembered: HashMap::new(),
        spans: BTreeMap::new(),
        fuel: Cell::new(FITS_FUEL),
    };
    let targets = builder.targets(count);
    (0..count).for_each(|scope| builder.definitions(scope));
    for (scope, assign, target) in targets {
        // The mistake is already reported.
        _ = builder.assign(scope, assign, target);
    }
    for scope in 0..count {
        for part in builder.elaborator.scopes[scope].parts() {
            _ = builder.part(scope, &part);
        }
    }
    // The mistake is already reported.
    _ = builder.interleave();
    builder.break_circles();
    builder.unsupported();
    let SmvElaborator { system, mistakes, .. } = builder.elaborator;
    if mistakes.is_empty() { Ok(system) } else { Err(mistakes) }
}

struct SystemBuilder<'f> {
    elaborator: SmvElaborator<'f>,
    assigned: HashMap<(SmvPlace, AssignKind), Vec<(ScopeId, Span)>>,
    /// For each place that processes assign, the values by process.
    moves: BTreeMap<SmvPlace, Vec<(ScopeId, SmvTerm)>>,
    /// Variables that remember conditions, by their names.
    remembered: HashMap<String, VariableId>,
    /// The spans of a compassion constraint, and of the first CTL property.
    spans: BTreeMap<&'static str, Span>,
    /// The number of terms that may still be evaluated.
    fuel: Cell<u64>,
}

/// An assignment, its instance, and its target.
type PlacedAssign<'f> = (ScopeId, &'f Assign, SmvPlace);

impl<'f> SystemBuilder<'f> {
    /// Returns the targets of assignments; records the variables that are always assigned.
    fn targets(&mut self, scopes: usize) -> Vec<PlacedAssign<'f>> {
        let mut all = Vec::new();
        for scope in 0..scopes {
            for part in self.elaborator.scopes[scope].parts() {
                let ModulePart::Assign(assign) = part else { continue };
                let Ok(place) = self.elaborator.target(&assign.target, scope) else { continue };
                if self.check_target(assign, scope, &place).is_ok() {
                    all.push((scope, assign, place));
                }
            }
        }
        for (scope, assign, place) in &all {
            if assign.kind == AssignKind::Always && place.indices.is_empty() {
                self.elaborator.always.insert(place.variable, (&assign.value, *scope));
            }
        }
        all
    }

    /// Checks that a place can be assigned, and is not assigned elsewhere.
    fn check_target(&mut self, assign: &'f Assign, scope: ScopeId, place: &SmvPlace) -> SmvResult<()> {
        let span = assign.target.span;
        let name = self.elaborator.system.variables[place.variable].name.clone();
        match (self.elaborator.system.variables[place.variable].kind, assign.kind) {
            (VariableKind::State, _) | (VariableKind::Frozen, AssignKind::Init) => {}
            (VariableKind::Input, _) => {
                let help =
                    "inputs have any values; make it a variable with `VAR`, or restrict it with `TRANS`";
                return Err(self.elaborator.wrong(span, format!("the input `{name}` is assigned"), help));
            }
            (VariableKind::Frozen, _) => {
                let help = "it keeps its first value: write `init(…)`, or declare it with `VAR`";
                return Err(self.elaborator.wrong(span, format!("`{name}` is a `FROZENVAR`"), help));
            }
        }
        let others: &[AssignKind] = match assign.kind {
            AssignKind::Always => &[AssignKind::Always, AssignKind::Init, AssignKind::Next],
            AssignKind::Init => &[AssignKind::Init, AssignKind::Always],
            AssignKind::Next => &[AssignKind::Next, AssignKind::Always],
        };
        let process = self.elaborator.scopes[scope].process;
        let all = others.iter().flat_map(|kind| {
            let earlier = self.assigned.get(&(place.clone(), *kind)).into_iter().flatten();
            // Only one process moves in a step.
            earlier.filter(move |(other, _)| *kind != AssignKind::Next || *other == process)
        });
        if let Some(earlier) = all.map(|(_, span)| *span).next() {
            let mistake = Diagnostic::error(span, format!("`{name}` is assigned twice"))
                .with_related(earlier, "assigned here first")
                .with_help("put both into one assignment with `case`");
            self.elaborator.mistakes.push(mistake);
            return Err(ReportedFailure);
        }
        self.assigned.entry((place.clone(), assign.kind)).or_default().push((process, span));
        Ok(())
    }

    /// Elaborates the definitions of a module, used or not.
    fn definitions(&mut self, scope: ScopeId) {
        for name in self.elaborator.scopes[scope].order.clone() {
            let entity = self.elaborator.scopes[scope].names.get(name).copied();
            if let Some((ModuleEntity::Define(body, own), _)) = entity {
                // The mistake is already reported.
                _ = self.elaborator.define(scope, name, (body, own));
            }
        }
    }

    fn assign(&mut self, scope: ScopeId, assign: &'f Assign, place: SmvPlace) -> SmvResult<()> {
        let term = match (assign.kind, place.indices.as_slice()) {
            (AssignKind::Always, []) => self.elaborator.always_value(place.variable, assign.target.span)?,
            _ => self.elaborator.term(&assign.value, scope)?,
        };
        let term = SmvTerm { span: assign.value.span, ..term };
        let term = self.elaborator.suited(term, place.variable)?;
        if assign.kind != AssignKind::Next {
            self.state_only(&term)?;
        }
        let variable = &self.elaborator.system.variables[place.variable];
        let (name, domain) = (variable.name.clone(), variable.domain.clone());
        match assign.kind == AssignKind::Next && !term.traits.next && !term.traits.input {
            true => self.fits_in_each_state(&term, &place, (&name, &domain))?,
            false => self.fits(&term, Some((&name, &domain)))?,
        }
        let process = self.elaborator.scopes[scope].process;
        let system = &mut self.elaborator.system;
        match assign.kind {
            AssignKind::Init => system.first.push((place, term)),
            AssignKind::Next if self.elaborator.selector.is_some() => {
                self.moves.entry(place).or_default().push((process, term));
            }
            AssignKind::Next => system.next.push((place, term)),
            AssignKind::Always if place.indices.is_empty() && !matches!(term.ty, SmvType::Set(_)) => {
                system.variables[place.variable].defined = true;
            }
            AssignKind::Always => system.always.push((place, term)),
        }
        Ok(())
    }

    /// Reports terms that read a next state or an input.
    fn state_only(&mut self, term: &SmvTerm) -> SmvResult<()> {
        let traits = term.traits;
        if traits.next {
            let span = term.culprit(|traits| traits.next).span;
            let help = "only `next(x) := …` and `TRANS` refer to the next state; `X` does in `LTLSPEC`";
            return Err(self.elaborator.wrong(span, "the next state is read here", help));
        }
        if traits.input {
            let span = term.culprit(|traits| traits.input).span;
            let help = "inputs are read in `next(x) := …` and `TRANS` only; make it a variable with `VAR`";
            return Err(self.elaborator.wrong(span, "an input is read here", help));
        }
        Ok(())
    }

    /// Assigns what the process that moves assigns; other variables stay as they are.
    fn interleave(&mut self) -> SmvResult<()> {
        for (place, moves) in std::mem::take(&mut self.moves) {
            let span = moves[0].1.span;
            let mut cases = Vec::new();
            for (process, term) in moves {
                let running = self.elaborator.running(process, term.span).ok_or(ReportedFailure)?;
                cases.push((running, term));
            }
            let indices = place.indices.iter().map(|index| self.elaborator.number(*index, span));
            let indices = indices.collect::<SmvResult<Vec<_>>>()?;
            let now = SmvMoment { scope: 0, next: false };
            let same = self.elaborator.read(place.variable, indices, now, span)?;
            cases.push((SmvTerm::new(SmvNode::Bool(true), SmvType::Bool, span), same));
            let term = self.elaborator.case(cases, span)?;
            self.elaborator.system.next.push((place, term));
        }
        Ok(())
    }

    /// Returns a variable that says if a condition held before the last step; `first` in the first state.
    fn remember(&mut self, term: &SmvTerm, first: bool) -> SmvTerm {
        let span = term.span;
        let known = match (&*term.node, first) {
            (SmvNode::Read { variable, indices, .. }, false) if indices.is_empty() => {
                Some(format!("last_{}", self.elaborator.system.variables[*variable].name))
            }
            (SmvNode::Binary(SmvOp::Equal, a, b), false) => match (&*a.node, &*b.node) {
                (SmvNode::Read { indices, .. }, SmvNode::Symbol(symbol))
                    if indices.is_empty() && a.traits.input =>
                {
                    Some(format!("last_is_{}", self.elaborator.system.symbols.name(*symbol)))
                }
                _ => None,
            },
            _ => None,
        };
        let earlier = known.as_ref().and_then(|name| self.remembered.get(name)).copied();
        let variable = earlier.unwrap_or_else(|| {
            let system = &mut self.elaborator.system;
            let variable = system.variables.len();
            let name = known.clone().unwrap_or_else(|| format!("last_{}", self.remembered.len() + 1));
            self.remembered.insert(name.clone(), variable);
            let (kind, domain) = (VariableKind::State, SmvDomain::Bool);
            system.variables.push(SmvVariable {
                name,
                kind,
                indices: Vec::new(),
                domain,
                word: None,
                defined: false,
            });
            let place = SmvPlace { variable, indices: Vec::new() };
            system.first.push((place.clone(), SmvTerm::new(SmvNode::Bool(first), SmvType::Bool, span)));
            system.next.push((place, term.clone()));
            variable
        });
        SmvTerm::new(SmvNode::Read { variable, indices: Vec::new(), next: false }, SmvType::Bool, span)
    }

    /// Replaces operators of the past by variables that remember.
    fn without_past(&mut self, term: &SmvTerm) -> SmvTerm {
        if !term.is_temporal() {
            return term.clone();
        }
        let binary = |op, a, b| SmvTerm::new(SmvNode::Binary(op, a, b), SmvType::Bool, term.span);
        match &*term.node {
            SmvNode::Temporal(op, operands) => {
                let all: Vec<SmvTerm> = operands.iter().map(|operand| self.without_past(operand)).collect();
                match op {
                    Temporal::Yesterday => self.remember(&all[0], false),
                    Temporal::NotYesterdayNot => self.remember(&all[0], true),
                    Temporal::Once | Temporal::Historically | Temporal::Since | Temporal::Triggered => {
                        let first = matches!(op, Temporal::Historically | Temporal::Triggered);
                        let (outer, inner) =
                            if first { (SmvOp::And, SmvOp::Or) } else { (SmvOp::Or, SmvOp::And) };
                        let last = &all[all.len() - 1];
                        self.remembers_itself(first, |before| match all.as_slice() {
                            [a, _] => binary(outer, last.clone(), binary(inner, a.clone(), before)),
                            _ => binary(outer, last.clone(), before),
                        })
                    }
                    _ => SmvTerm::new(SmvNode::Temporal(*op, all), SmvType::Bool, term.span),
                }
            }
            SmvNode::Not(a) => SmvTerm::new(SmvNode::Not(self.without_past(a)), SmvType::Bool, term.span),
            SmvNode::Binary(op, a, b) => binary(*op, self.without_past(a), self.without_past(b)),
            _ => term.clone(),
        }
    }

    /// Returns a condition that reads its own value before the last step.
    fn remembers_itself(&mut self, first: bool, of: impl Fn(SmvTerm) -> SmvTerm) -> SmvTerm {
        let placeholder = SmvTerm::new(SmvNode::Bool(first), SmvType::Bool, Span::default());
        let before = self.remember(&placeholder, first);
        let term = of(before);
        if let Some((_, value)) = self.elaborator.system.next.last_mut() {
            *value = term.clone();
        }
        term
    }

    /// Reads inputs of a formula of LTL after their steps.
    fn with_inputs_remembered(&mut self, term: &SmvTerm) -> SmvTerm {
        if !term.traits.input {
            return term.clone();
        }
        match &*term.node {
            SmvNode::Temporal(op, all) => {
                let all = all.iter().map(|operand| self.with_inputs_remembered(operand)).collect();
                SmvTerm::new(SmvNode::Temporal(*op, all), SmvType::Bool, term.span)
            }
            SmvNode::Not(a) => {
                SmvTerm::new(SmvNode::Not(self.with_inputs_remembered(a)), SmvType::Bool, term.span)
            }
            SmvNode::Binary(
                op @ (SmvOp::And | SmvOp::Or | SmvOp::Implies | SmvOp::Iff | SmvOp::Xor),
                a,
                b,
            ) => {
                let (a, b) = (self.with_inputs_remembered(a), self.with_inputs_remembered(b));
                SmvTerm::new(SmvNode::Binary(*op, a, b), SmvType::Bool, term.span)
            }
            _ => {
                let after = self.remember(term, false);
                SmvTerm::new(SmvNode::Temporal(Temporal::Next, vec![after]), SmvType::Bool, term.span)
            }
        }
    }

    /// Elaborates a formula that holds infinitely often: before a step, or after it.
    fn fair_formula(&mut self, expr: &'f SmvExpr, scope: ScopeId) -> SmvResult<SmvTerm> {
        let term = self.elaborator.condition(expr, scope)?;
        if !term.traits.input || term.traits.next || term.is_temporal() {
            return self.state_formula(expr, scope);
        }
        self.fits(&term, None)?;
        Ok(self.remember(&term, false))
    }

    /// Elaborates a formula about one state.
    fn state_formula(&mut self, expr: &'f SmvExpr, scope: ScopeId) -> SmvResult<SmvTerm> {
        let term = self.elaborator.condition(expr, scope)?;
        self.state_only(&term)?;
        self.without_temporal(&term)?;
        self.fits(&term, None)?;
        Ok(term)
    }

    fn without_temporal(&mut self, term: &SmvTerm) -> SmvResult<()> {
        if !term.is_temporal() {
            return Ok(());
        }
        let span = term.culprit(|traits| traits.ltl || traits.ctl).span;
        let help = "temporal operators belong in `LTLSPEC` and `CTLSPEC`";
        Err(self.elaborator.wrong(span, "a temporal operator is not possible here", help))
    }

    /// Reports a next value that may be outside of the variable's domain. Where there are too many values to check, an invariant says that each reachable state has a next value.
    fn fits_in_each_state(
        &mut self,
        term: &SmvTerm,
        place: &SmvPlace,
        of: (&str, &SmvDomain),
    ) -> SmvResult<()> {
        let system = &self.elaborator.system;
        let formula = match fit(term, Some(of.1), system, &self.fuel) {
            DomainFit::Unknown => Valued { system, left: MOST_PARTS }.within(term, Some(of.1)),
            _ => None,
        };
        let Some(formula) = formula else { return self.fits(term, Some(of)) };
        let name = as_name(&format!("next_{}{RESULT}", place_name(place, system)));
        let system = &mut self.elaborator.system;
        system.properties.push(SmvProperty { kind: SmvPropertyKind::Invariant, name: Some(name), formula });
        Ok(())
    }

    /// Reports a term that may have no value, or one outside of the variable's domain.
    fn fits(&mut self, term: &SmvTerm, domain: Option<(&str, &SmvDomain)>) -> SmvResult<()> {
        if term.is_temporal() {
            let parts: Vec<SmvTerm> = term.node.parts().into_iter().cloned().collect();
            return parts.iter().try_for_each(|part| self.fits(part, None));
        }
        let system = &self.elaborator.system;
        let mistake = match fit(term, domain.map(|(_, domain)| domain), system, &self.fuel) {
            DomainFit::Always => return Ok(()),
            DomainFit::Not(inputs, value) => {
                let message = match (value, domain) {
                    (Some(value), Some((name, _))) => {
                        format!("`{name}` can get {}, which is none of its values", shown(value, system))
                    }
                    _ => "this may have no value: a divisor is 0, no case applies, or an index is out of bounds".to_owned(),
                };
                let places = inputs.iter().take(8).map(|((place, next), value)| {
                    let name = place_name(place, system);
                    let name = if *next { format!("next({name})") } else { name };
                    format!("{name} = {}", shown(*value, system))
                });
                let places: Vec<String> = places.collect();
                let mistake = Diagnostic::error(term.span, message)
                    .with_help("distinguish cases with `case`, the last one with `TRUE`; `mod` limits numbers");
                if places.is_empty() { mistake } else { mistake.with_note(format!("where {}", places.join(", "))) }
            }
            DomainFit::Unknown => Diagnostic::error(
                term.span,
                "this has too many values to check its range",
            )
            .with_help("write `TRANS next(x) = e`, where a value that does not fit is no step, and end `case` with `TRUE`"),
        };
        self.elaborator.mistakes.push(mistake);
        Err(ReportedFailure)
    }

    fn part(&mut self, scope: ScopeId, part: &ModulePart<'f>) -> SmvResult<()> {
        match part {
            ModulePart::Assign(_) => {}
            ModulePart::Constraint(ConstraintKind::Trans, formula) => {
                let term = self.elaborator.condition(formula, scope)?;
                self.without_temporal(&term)?;
                self.fits(&term, None)?;
                self.elaborator.system.trans.push(term);
            }
            ModulePart::Constraint(kind, formula) => {
                let term = self.state_formula(formula, scope)?;
                let system = &mut self.elaborator.system;
                if *kind == ConstraintKind::Init { &mut system.init } else { &mut system.invar }.push(term);
            }
            ModulePart::Justice(formula) => {
                let term = self.fair_formula(formula, scope)?;
                self.elaborator.system.justice.push(term);
            }
            ModulePart::Compassion(p, q) => {
                let pair = (self.fair_formula(p, scope)?, self.fair_formula(q, scope)?);
                self.spans.insert("compassion", p.span);
                self.elaborator.system.compassion.push(pair);
            }
            ModulePart::Property(kind, name, formula) => self.property(scope, *kind, *name, formula)?,
            ModulePart::Ignored(word, span) => {
                let ignored = &mut self.elaborator.system.ignored;
                if !ignored.contains(&(*word, *span)) {
                    ignored.push((*word, *span));
                }
            }
        }
        Ok(())
    }

    fn property(
        &mut self,
        scope: ScopeId,
        kind: SmvPropertyKind,
        name: Option<&Name>,
        formula: &'f SmvExpr,
    ) -> SmvResult<()> {
        let term = self.elaborator.condition(formula, scope)?;
        if kind != SmvPropertyKind::Ltl || term.traits.next {
            self.state_only(&term)?;
        }
        let (wrong, word, help) = match kind {
            SmvPropertyKind::Invariant => {
                (term.is_temporal(), "a temporal operator", "write `LTLSPEC` or `CTLSPEC`")
            }
            SmvPropertyKind::Ctl => {
                (term.traits.ltl, "an operator of LTL", "write `LTLSPEC`, or `AG`, `AF`, `AX`")
            }
            SmvPropertyKind::Ltl => {
                (term.traits.ctl, "an operator of CTL", "write `CTLSPEC`, or `G`, `F`, `X`")
            }
        };
        if wrong {
            let span = term.culprit(|traits| traits.ltl || traits.ctl).span;
            return Err(self.elaborator.wrong(span, format!("{word} is in this property"), help));
        }
        self.fits(&term, None)?;
        if kind == SmvPropertyKind::Ctl {
            self.spans.entry("ctl").or_insert(formula.span);
        }
        let term = self.without_past(&term);
        let term = self.with_inputs_remembered(&term);
        let path = &self.elaborator.scopes[scope].path;
        let name = name.map(|name| property_name(&format!("{path}{}", name.text)));
        self.elaborator.system.properties.push(SmvProperty { kind, name, formula: term });
        Ok(())
    }

    /// Reports assignments of one state that depend on each other.
    fn break_circles(&mut self) {
        let system = &self.elaborator.system;
        let found = [(&system.first, false), (&system.next, true), (&system.always, false)]
            .into_iter()
            .find_map(|(assigned, next)| circle(assigned, next, system));
        if let Some(place) = found {
            let span = self.assigned.iter().find(|((other, _), _)| *other == place).map(|(_, all)| all[0].1);
            let message = format!("the assignment of `{}` depends on itself", place_name(&place, system));
            let mistake = Diagnostic { span, ..Diagnostic::error_without_place(message) };
            self.elaborator.mistakes.push(mistake.with_help("break the circle, or write `TRANS` or `INVAR`"));
        }
    }

    /// Reports combinations that no property of the specification language can express.
    fn unsupported(&mut self) {
        if let (Some(_), Some(ctl)) = (self.spans.get("compassion"), self.spans.get("ctl")) {
            let help = "write the property as `LTLSPEC`, or leave out `COMPASSION`";
            self.elaborator.wrong(
                *ctl,
                "`COMPASSION` is not supported together with properties of CTL",
                help,
            );
        }
    }
}

/// The most parts of terms that an invariant is made for.
const MOST_PARTS: usize = 50_000;

/// Formulas that terms have values.
struct Valued<'s> {
    system: &'s FlatSystem,
    /// The number of parts that may still be looked at.
    left: usize,
}

impl Valued<'_> {
    /// Returns the formula that a term has a value; `None` if it is not known, or too long.
    fn valued(&mut self, term: &SmvTerm) -> Option<SmvTerm> {
        self.left = self.left.checked_sub(1)?;
        if !term.traits.partial {
            return Some(truth(true, term));
        }
        match &*term.node {
            SmvNode::Case(_) => self.within(term, None),
            SmvNode::Definition(id) => self.valued(&self.system.definitions[*id].value),
            SmvNode::Binary(SmvOp::Divide | SmvOp::Mod, ..) => None,
            SmvNode::Read { variable, indices, .. } => {
                let bounds = &self.system.variables[*variable].indices;
                let each = indices.iter().zip(bounds).map(|(index, (low, high))| {
                    let inside = self.within(index, Some(&SmvDomain::Range(*low, *high)))?;
                    Some(both(self.valued(index)?, inside))
                });
                each.collect::<Option<Vec<_>>>()?.into_iter().reduce(both)
            }
            node => {
                let each = node.parts().into_iter().map(|part| self.valued(part));
                each.collect::<Option<Vec<_>>>()?.into_iter().reduce(both)
            }
        }
    }

    /// Returns the formula that a value, or each of a set, is there, and in a domain.
    fn within(&mut self, term: &SmvTerm, domain: Option<&SmvDomain>) -> Option<SmvTerm> {
        let member = |node, ty| SmvTerm::new(node, ty, term.span);
        let node = match (&*term.node, domain) {
            (SmvNode::Case(cases), _) => {
                let mut each = Vec::new();
                for (condition, value) in cases {
                    let valued = self.valued(condition)?;
                    if condition.traits.partial {
                        each.push((not(valued), truth(false, term)));
                    }
                    each.push((condition.clone(), self.within(value, domain)?));
                }
                // Where no case applies, there is no value.
                each.push((truth(true, term), truth(false, term)));
                return Some(member(SmvNode::Case(each), SmvType::Bool));
            }
            (SmvNode::Set(members), _) => {
                let each = members.iter().map(|member| self.within(member, domain));
                return each.collect::<Option<Vec<_>>>()?.into_iter().reduce(both);
            }
            _ if matches!(term.ty, SmvType::Set(_)) => return None,
            (_, None | Some(SmvDomain::Bool)) => return self.valued(term),
            (_, Some(SmvDomain::Range(low, high))) => SmvNode::Range(*low, *high),
            (_, Some(SmvDomain::Integers(all))) => {
                SmvNode::Set(all.iter().map(|n| member(SmvNode::Int(*n), SmvType::Int(*n, *n))).collect())
            }
            (_, Some(SmvDomain::Symbols(all))) => {
                let symbol = |id: &SymbolId| {
                    member(SmvNode::Symbol(*id), SmvType::Symbol(self.system.symbols.ty(*id)))
                };
                SmvNode::Set(all.iter().map(symbol).collect())
            }
        };
        let set = member(node, SmvType::Set(Box::new(term.ty.clone())));
        Some(both(self.valued(term)?, member(SmvNode::Binary(SmvOp::In, term.clone(), set), SmvType::Bool)))
    }
}

fn truth(value: bool, like: &SmvTerm) -> SmvTerm {
    SmvTerm::new(SmvNode::Bool(value), SmvType::Bool, like.span)
}

fn not(a: SmvTerm) -> SmvTerm {
    let span = a.span;
    SmvTerm::new(SmvNode::Not(a), SmvType::Bool, span)
}

fn both(a: SmvTerm, b: SmvTerm) -> SmvTerm {
    match (&*a.node, &*b.node) {
        (SmvNode::Bool(true), _) => b,
        (_, SmvNode::Bool(true)) => a,
        _ => {
            let span = a.span;
            SmvTerm::new(SmvNode::Binary(SmvOp::And, a, b), SmvType::Bool, span)
        }
    }
}

/// Returns the name of a variable or an element.
pub(super) fn place_name(place: &SmvPlace, system: &FlatSystem) -> String {
    let indices: String = place.indices.iter().map(|index| format!("[{index}]")).collect();
    format!("{}{indices}", system.variables[place.variable].name)
}

fn shown(value: SmvValue, system: &FlatSystem) -> String {
    match value {
        SmvValue::Bool(value) => if value { "TRUE" } else { "FALSE" }.to_owned(),
        SmvValue::Int(value) => value.to_string(),
        SmvValue::Symbol(symbol) => system.symbols.name(symbol).to_owned(),
    }
}
