//! Resolves names.

use super::operators::integer_of;
use super::{ReportedFailure, SmvElaborator, SmvMoment, SmvResult};
use crate::smv::evaluate::{SmvValue, constant};
use crate::smv::scopes::{ModuleEntity, ScopeId};
use crate::smv::system::{self, SmvDomain};
use crate::smv::term::{SmvNode, SmvTerm, SmvType, Traits, VariableId};
use crate::smv::text::tree::{SmvExpr, SmvExprKind, SmvOp, VariableKind};
use kit::diagnostics::{Diagnostic, Span, nearest};
use kit::number::to_i64;

/// The meaning of a name with dots and indices.
enum SmvNameMeaning<'f> {
    Value(SmvTerm),
    Instance(ScopeId),
    /// A variable with some indices, possibly fewer than its array has.
    Variable(VariableId, Vec<SmvTerm>),
    /// An array of definitions.
    Elements(&'f [SmvExpr], ScopeId),
}

impl<'f> SmvElaborator<'f> {
    /// Returns the value of a name.
    pub(super) fn named(&mut self, expr: &'f SmvExpr, place: SmvMoment) -> SmvResult<SmvTerm> {
        match self.meaning(expr, place)? {
            SmvNameMeaning::Value(term) => Ok(term),
            SmvNameMeaning::Variable(variable, indices) => self.read(variable, indices, place, expr.span),
            SmvNameMeaning::Instance(_) => {
                Err(self.wrong(expr.span, "an instance of a module is no value", "name a variable of it"))
            }
            SmvNameMeaning::Elements(..) => Err(self.whole_array(expr.span)),
        }
    }

    fn whole_array(&mut self, span: Span) -> ReportedFailure {
        self.wrong(span, "an array is no value", "name an element of it, like `a[0]`")
    }

    /// Returns the target of an assignment: a variable, or an element of an array.
    pub(in crate::smv) fn target(
        &mut self,
        expr: &'f SmvExpr,
        scope: ScopeId,
    ) -> SmvResult<system::SmvPlace> {
        let SmvNameMeaning::Variable(variable, indices) =
            self.meaning(expr, SmvMoment { scope, next: false })?
        else {
            let help =
                "only variables and elements of arrays are assigned; a definition has its value already";
            return Err(self.wrong(expr.span, "no variable is assigned here", help));
        };
        if indices.len() < self.system.variables[variable].indices.len() {
            return Err(self.wrong(expr.span, "an array is assigned", "assign each of its elements"));
        }
        let mut constants = Vec::new();
        for index in &indices {
            match constant(index, &self.system) {
                Some(SmvValue::Int(index)) => constants.push(index),
                _ => {
                    let help = "write `next(a[0]) := i = 0 ? e : a[0];` for each element";
                    return Err(self.wrong(
                        index.span,
                        "the index of an assigned element is no constant",
                        help,
                    ));
                }
            }
        }
        let bounds = self.system.variables[variable].indices.clone();
        for ((index, &(low, high)), term) in constants.iter().zip(&bounds).zip(&indices) {
            if !(low..=high).contains(index) {
                return Err(self.out_of_bounds(term, low, high));
            }
        }
        Ok(system::SmvPlace { variable, indices: constants })
    }

    fn out_of_bounds(&mut self, index: &SmvTerm, low: i64, high: i64) -> ReportedFailure {
        let help = format!("the indices of this array are {low}..{high}");
        self.wrong(index.span, "this index is out of bounds", help)
    }

    fn meaning(&mut self, expr: &'f SmvExpr, place: SmvMoment) -> SmvResult<SmvNameMeaning<'f>> {
        match &expr.kind {
            SmvExprKind::Itself => Ok(SmvNameMeaning::Instance(place.scope)),
            SmvExprKind::Name(name) => self.of_name(name, place.scope, place, expr.span, true),
            SmvExprKind::Dot(of, part) => match self.meaning(of, place)? {
                SmvNameMeaning::Instance(scope) => self.of_name(&part.text, scope, place, part.span, false),
                _ => Err(self.wrong(of.span, "this is no instance of a module", "only instances have parts")),
            },
            SmvExprKind::Index(of, index) => {
                if let Some((scope, name)) = self.indexed(expr, place)? {
                    return self.of_name(name, scope, place, expr.span, false);
                }
                let array = self.meaning(of, place)?;
                self.element(array, (of, index), place)
            }
            _ => Ok(SmvNameMeaning::Value(self.at(expr, place)?)),
        }
    }

    /// Returns the declared name with constant indices that an expression is: `x[0]`.
    fn indexed(&mut self, expr: &'f SmvExpr, place: SmvMoment) -> SmvResult<Option<(ScopeId, &'f str)>> {
        let (mut at, mut indices) = (expr, Vec::new());
        while let SmvExprKind::Index(of, index) = &at.kind {
            indices.push(&**index);
            at = of;
        }
        let (scope, base) = match &at.kind {
            SmvExprKind::Name(name) => (place.scope, name),
            SmvExprKind::Dot(of, part) => match self.meaning(of, place)? {
                SmvNameMeaning::Instance(scope) => (scope, &part.text),
                _ => return Ok(None),
            },
            _ => return Ok(None),
        };
        let prefix = format!("{base}[");
        if self.scopes[scope].names.contains_key(base.as_str())
            || !self.scopes[scope].names.keys().any(|name| name.starts_with(&prefix))
        {
            return Ok(None);
        }
        let mut name = base.clone();
        for index in indices.into_iter().rev() {
            let index = self.at(index, place)?;
            name += &format!("[{}]", self.constant_integer(&index)?);
        }
        Ok(self.scopes[scope].names.get_key_value(name.as_str()).map(|(name, _)| (scope, *name)))
    }

    fn element(
        &mut self,
        array: SmvNameMeaning<'f>,
        (of, index): (&'f SmvExpr, &'f SmvExpr),
        place: SmvMoment,
    ) -> SmvResult<SmvNameMeaning<'f>> {
        let at = integer_of(&self.at(index, place)?);
        self.expect(&at, &SmvType::Int(0, 0))?;
        self.plain(&at)?;
        match array {
            SmvNameMeaning::Variable(variable, mut indices) => {
                let depth = indices.len();
                let Some(&(low, high)) = self.system.variables[variable].indices.get(depth) else {
                    return Err(self.wrong(of.span, "this is no array", "only arrays have elements"));
                };
                if let SmvType::Int(least, most) = at.ty
                    && (most < low || least > high)
                {
                    return Err(self.out_of_bounds(&at, low, high));
                }
                indices.push(at);
                Ok(SmvNameMeaning::Variable(variable, indices))
            }
            SmvNameMeaning::Elements(elements, scope) => {
                let last = to_i64(elements.len()) - 1;
                if let Some(SmvValue::Int(index)) = constant(&at, &self.system) {
                    let chosen = usize::try_from(index).ok().and_then(|index| elements.get(index));
                    return match chosen {
                        Some(SmvExpr { kind: SmvExprKind::Array(inner), .. }) => {
                            Ok(SmvNameMeaning::Elements(inner, scope))
                        }
                        Some(element) => {
                            Ok(SmvNameMeaning::Value(self.at(element, SmvMoment { scope, ..place })?))
                        }
                        None => Err(self.out_of_bounds(&at, 0, last)),
                    };
                }
                let mut cases = Vec::new();
                for (number, element) in (0..).zip(elements) {
                    let number = self.number(number, at.span)?;
                    let is = SmvTerm::new(
                        SmvNode::Binary(SmvOp::Equal, at.clone(), number),
                        SmvType::Bool,
                        at.span,
                    );
                    cases.push((is, self.at(element, SmvMoment { scope, ..place })?));
                }
                Ok(SmvNameMeaning::Value(self.case(cases, of.span)?))
            }
            _ => Err(self.wrong(of.span, "this is no array", "only arrays have elements")),
        }
    }

    /// Resolves a name in an instance. A name without dots can also be a constant.
    fn of_name(
        &mut self,
        name: &'f str,
        scope: ScopeId,
        place: SmvMoment,
        span: Span,
        alone: bool,
    ) -> SmvResult<SmvNameMeaning<'f>> {
        let symbol = if alone { self.system.symbols.find(name) } else { None };
        let Some((entity, declared)) = self.scopes[scope].names.get(name).copied() else {
            if name == "running"
                && let Some(term) = self.running(self.scopes[scope].process, span)
            {
                return Ok(SmvNameMeaning::Value(term));
            }
            return match symbol {
                Some(symbol) => {
                    self.system.symbols.note(symbol);
                    Ok(SmvNameMeaning::Value(SmvTerm::new(
                        SmvNode::Symbol(symbol),
                        SmvType::Symbol(symbol),
                        span,
                    )))
                }
                None => Err(self.unknown(name, scope, span, alone)),
            };
        };
        if symbol.is_some() && scope == 0 {
            let message = format!("`{name}` is also a constant of an enumeration");
            let mistake = Diagnostic::error(span, message)
                .with_related(declared, "declared here")
                .with_help("give one of them another name");
            return Err(self.report(mistake));
        }
        match entity {
            ModuleEntity::Instance(inner) => Ok(SmvNameMeaning::Instance(inner)),
            ModuleEntity::Define(SmvExpr { kind: SmvExprKind::Array(elements), .. }, own) => {
                Ok(SmvNameMeaning::Elements(elements, own))
            }
            ModuleEntity::Define(body, own) => {
                Ok(SmvNameMeaning::Value(self.definition((scope, name), (body, own), place.next, span)?))
            }
            ModuleEntity::Parameter(argument, outer) => match &argument.kind {
                SmvExprKind::Name(_)
                | SmvExprKind::Itself
                | SmvExprKind::Dot(..)
                | SmvExprKind::Index(..) => {
                    self.argument(argument, SmvMoment { scope: outer, ..place }, span)
                }
                _ => Ok(SmvNameMeaning::Value(self.definition(
                    (scope, name),
                    (argument, outer),
                    place.next,
                    span,
                )?)),
            },
            ModuleEntity::Variable(..) => match self.variables.get(&(scope, name)).copied() {
                None => Err(self.wrong(span, "this is no constant", "bounds are constant")),
                Some(variable) => match self.always.get(&variable).copied() {
                    Some(body) => self.always_assigned((scope, name), variable, body, place, span),
                    None => Ok(SmvNameMeaning::Variable(variable, Vec::new())),
                },
            },
        }
    }

    /// Returns the condition that a process moves in the step, if there are processes.
    pub(in crate::smv) fn running(&mut self, process: ScopeId, span: Span) -> Option<SmvTerm> {
        let (variable, symbols) = self.selector.as_ref()?;
        let (variable, symbol) = (*variable, *symbols.get(&process)?);
        let traits = Traits { input: true, ..Traits::default() };
        let read = SmvNode::Read { variable, indices: Vec::new(), next: false };
        let read = SmvTerm::with_traits(read, SmvType::Symbol(symbol), traits, span);
        let symbol = SmvTerm::new(SmvNode::Symbol(symbol), SmvType::Symbol(symbol), span);
        Some(SmvTerm::new(SmvNode::Binary(SmvOp::Equal, read, symbol), SmvType::Bool, span))
    }

    fn argument(
        &mut self,
        argument: &'f SmvExpr,
        place: SmvMoment,
        span: Span,
    ) -> SmvResult<SmvNameMeaning<'f>> {
        // Arguments are resolved further out each time, but modules can be deeply nested.
        Ok(match self.meaning(argument, place)? {
            SmvNameMeaning::Value(term) => SmvNameMeaning::Value(SmvTerm { span, ..term }),
            other => other,
        })
    }

    /// Returns the value of a variable that is always assigned; the variable itself if there is a choice.
    fn always_assigned(
        &mut self,
        key: (ScopeId, &'f str),
        variable: VariableId,
        body: (&'f SmvExpr, ScopeId),
        place: SmvMoment,
        span: Span,
    ) -> SmvResult<SmvNameMeaning<'f>> {
        let now = self.definition(key, body, false, span)?;
        if matches!(now.ty, SmvType::Set(_)) || now.traits.next || now.traits.input {
            return Ok(SmvNameMeaning::Variable(variable, Vec::new()));
        }
        let term = if place.next { self.definition(key, body, true, span)? } else { now };
        Ok(SmvNameMeaning::Value(term))
    }

    fn unknown(&mut self, name: &str, scope: ScopeId, span: Span, alone: bool) -> ReportedFailure {
        let known = self.scopes[scope].names.keys().copied();
        let symbols = self.system.symbols.names().filter(|_| alone);
        let meant = nearest(name, known.chain(symbols)).map(str::to_owned);
        let help = match (meant, name.split_once('-')) {
            (_, Some((before, after))) if self.scopes[scope].names.contains_key(before) => {
                format!("`-` is part of names: write `{before} - {after}`")
            }
            (Some(meant), _) => format!("did you mean `{meant}`?"),
            (None, _) if name == "running" => "there is no `process`".to_owned(),
            (None, _) if alone => "declare it with `VAR`, `DEFINE` or `CONSTANTS`".to_owned(),
            (None, _) => format!("module `{}` does not declare it", self.scopes[scope].module.name.text),
        };
        self.wrong(span, format!("unknown name `{name}`"), help)
    }

    /// Reads a variable or an element of an array.
    pub(in crate::smv) fn read(
        &mut self,
        variable: VariableId,
        indices: Vec<SmvTerm>,
        place: SmvMoment,
        span: Span,
    ) -> SmvResult<SmvTerm> {
        let of = &self.system.variables[variable];
        if indices.len() < of.indices.len() {
            return Err(self.whole_array(span));
        }
        let ty = match (&of.domain, of.word) {
            (_, Some(word)) => SmvType::Word(word),
            (SmvDomain::Bool, _) => SmvType::Bool,
            (SmvDomain::Range(low, high), _) => SmvType::Int(*low, *high),
            (SmvDomain::Integers(all), _) => SmvType::Int(all[0], all[all.len() - 1]),
            (SmvDomain::Symbols(all), _) => SmvType::Symbol(all[0]),
        };
        let outside = |(index, (low, high)): (&SmvTerm, &(i64, i64))| match index.ty {
            SmvType::Int(least, most) => least < *low || most > *high,
            _ => true,
        };
        let partial = indices.iter().zip(&of.indices).any(outside);
        let input = of.kind == VariableKind::Input;
        let next = place.next && of.kind != VariableKind::Frozen;
        if input && next {
            let help = "an input is given for one step; make it a variable with `VAR`";
            return Err(self.wrong(span, "the next value of an input is read", help));
        }
        let traits = Traits { next, input, partial, ..Traits::default() };
        Ok(SmvTerm::with_traits(SmvNode::Read { variable, indices, next }, ty, traits, span))
    }
}
