//! Bodies of functions and processes.

use super::ProcessChecker;
use super::names::{RoutineScope, ScopedGate, variable};
use super::types::{DeclaredFunction, GateChannel};
use crate::process::program::{
    BOOL, BehaviourOp, CaseArm, CodeId, GateSlot, Process, ProcessExpr, ProcessExprKind, Slot, TypeId,
};
use crate::process::text::tree::{
    self, Behaviour, BehaviourKind, Parameter, ParameterMode, ProcessName, Routine,
};
use crate::process::value::ProcessValue;
use kit::diagnostics::Span;

impl ProcessChecker {
    pub(super) fn function_body(&mut self, function: &DeclaredFunction<'_>) {
        let DeclaredFunction { index, item, parameters } = function;
        let index = *index;
        let mut scope =
            RoutineScope { function: true, result: self.functions[index].result, ..RoutineScope::default() };
        self.declare_parameters(item, parameters, &mut scope);
        // Exceptions are declared like gates, but have no slots.
        let exception = |gate: &Parameter| ScopedGate {
            key: gate.name.key.clone(),
            slot: GateSlot::FIRST,
            channel: GateChannel::Any,
        };
        scope.gates = item.gates.iter().map(exception).collect();
        if let (Some(of), [condition, ..]) = (scope.result, item.ensured.as_slice()) {
            let name =
                ProcessName { key: "RESULT".to_owned(), shown: "result".to_owned(), span: condition.span };
            scope.result_slot = Some(scope.declare(&name, of));
        }
        let body = self.body(item, &mut scope);
        self.functions[index].body = body;
        self.functions[index].slots = scope.slots;
        self.flow(body, &scope);
    }

    /// Declares the parameters of a function or process.
    fn declare_parameters(&mut self, item: &Routine, types: &[TypeId], scope: &mut RoutineScope) {
        for (parameter, of) in item.parameters.iter().zip(types) {
            self.note(&parameter.name);
            let slot = scope.declare(&parameter.name, *of);
            if parameter.mode != ParameterMode::In {
                scope.outs.push((slot, parameter.mode));
            }
        }
        scope.ensured.clone_from(&item.ensured);
    }

    /// Checks the body of a function or process, and reports one that may end without a value.
    fn body(&mut self, item: &Routine, scope: &mut RoutineScope) -> CodeId {
        let body = self.behaviour(&item.body, scope);
        if item.ensured.is_empty() || scope.result.is_some() {
            return body;
        }
        let span = item.body.span;
        let done = self.push(BehaviourOp::Null, span);
        let checks = self.ensured(done, span, scope);
        self.push(BehaviourOp::Sequence(body, checks), span)
    }

    pub(super) fn process_body(&mut self, index: usize, item: &Routine) {
        let mut scope = RoutineScope::default();
        let head = self.heads[index].clone();
        for (slot, (name, channel)) in head.gates.iter().enumerate() {
            if scope.gate(&name.key).is_some() {
                self.mistake(name.span, format!("the gate {} is already defined", name.shown), "rename one");
            }
            let slot = GateSlot::new(slot);
            scope.gates.push(ScopedGate { key: name.key.clone(), slot, channel: channel.clone() });
        }
        scope.gate_slots = head.gates.len();
        let types: Vec<TypeId> = head.parameters.iter().map(|(of, _)| *of).collect();
        self.declare_parameters(item, &types, &mut scope);
        let body = self.body(item, &mut scope);
        self.processes.push(Process {
            name: item.name.shown.clone(),
            gates: head.gates.len(),
            parameters: head.parameters.len(),
            slots: scope.slots,
            body,
        });
        self.flow(body, &scope);
    }

    pub(super) fn behaviour(&mut self, behaviour: &Behaviour, scope: &mut RoutineScope) -> CodeId {
        let span = behaviour.span;
        let in_function = scope.function;
        let op = match &behaviour.kind {
            BehaviourKind::Null | BehaviourKind::Wrong => BehaviourOp::Null,
            BehaviourKind::Stop => BehaviourOp::Stop,
            BehaviourKind::Sequence(parts) => return self.sequence(parts, scope),
            BehaviourKind::Action(action) => self.action(action, span, scope),
            BehaviourKind::Assign(name, value) => self.assign(name, value, span, scope),
            BehaviourKind::AssignAny(name, of, condition) => {
                self.assign_any(name, of, condition.as_ref(), scope)
            }
            BehaviourKind::Var(parameters, body) => {
                let before = scope.variables.len();
                let slots = self.declare(parameters, scope);
                let body = self.behaviour(body, scope);
                scope.variables.truncate(before);
                BehaviourOp::Var(slots, body)
            }
            BehaviourKind::If { cases, otherwise, only } => {
                self.branches_of_if(cases, otherwise.as_deref(), *only, span, scope)
            }
            BehaviourKind::Case { values, variables, arms } => self.case(values, variables, arms, scope),
            BehaviourKind::Select(branches) => {
                BehaviourOp::Select(branches.iter().map(|branch| self.behaviour(branch, scope)).collect())
            }
            BehaviourKind::Par { gates, branches } => self.par(gates, branches, scope),
            BehaviourKind::Loop(label, body) => {
                return self.repeat(label.as_ref(), None, body, span, scope);
            }
            BehaviourKind::While(condition, body) => {
                return self.repeat(None, Some(condition), body, span, scope);
            }
            BehaviourKind::For { first, condition, step, body } => {
                let first = self.behaviour(first, scope);
                // An iteration is the body followed by the step.
                let turn = vec![(**body).clone(), (**step).clone()];
                let turn = Behaviour { kind: BehaviourKind::Sequence(turn), span: body.span };
                BehaviourOp::Sequence(first, self.repeat(None, Some(condition), &turn, span, scope))
            }
            BehaviourKind::Break(label) => self.leave(label.as_ref(), span, scope),
            BehaviourKind::Hide(gates, body) => return self.hide(gates, body, span, scope),
            BehaviourKind::Disrupt(first, second) => {
                BehaviourOp::Disrupt(self.behaviour(first, scope), self.behaviour(second, scope))
            }
            BehaviourKind::Return(value) => self.returned(value, span, scope),
            BehaviourKind::Raise(name) => self.raise(name, span, scope),
            BehaviourKind::Eval(target, call) => self.eval(target.as_ref(), call, span, scope),
            BehaviourKind::Assert(condition, exception) => {
                self.assert(condition, exception.as_ref(), span, scope)
            }
        };
        let only_in_processes = matches!(
            op,
            BehaviourOp::Stop
                | BehaviourOp::Act(_)
                | BehaviourOp::Call { .. }
                | BehaviourOp::AssignAny(..)
                | BehaviourOp::Select(_)
                | BehaviourOp::Par(_)
                | BehaviourOp::Disrupt(..)
        );
        if in_function && only_in_processes {
            self.mistake(
                span,
                "this behaviour is only allowed in processes",
                "functions compute values without actions or choices",
            );
            return self.push(BehaviourOp::Null, span);
        }
        self.push(op, span)
    }

    fn branches_of_if(
        &mut self,
        cases: &[(tree::ExprSyntax, Behaviour)],
        otherwise: Option<&Behaviour>,
        only: bool,
        span: Span,
        scope: &mut RoutineScope,
    ) -> BehaviourOp {
        let mut checked = Vec::new();
        for (condition, body) in cases {
            let condition = self.typed(condition, Some(BOOL), &scope.variables);
            let body = self.behaviour(body, scope);
            checked.extend(condition.map(|condition| (condition, body)));
        }
        let otherwise = match otherwise {
            Some(body) => self.behaviour(body, scope),
            None => self.push(if only { BehaviourOp::Stop } else { BehaviourOp::Null }, span),
        };
        BehaviourOp::If { cases: checked, otherwise }
    }

    /// `x := E`
    fn assign(
        &mut self,
        name: &ProcessName,
        value: &tree::ExprSyntax,
        span: Span,
        scope: &RoutineScope,
    ) -> BehaviourOp {
        let Some((slot, of)) = self.variable(name, scope) else { return BehaviourOp::Null };
        // After a mistake the variable counts as assigned, so that no further mistake follows from it.
        let wrong = ProcessExpr { kind: ProcessExprKind::Value(ProcessValue::truth(false)), of, span };
        BehaviourOp::Assign(slot, self.typed(value, Some(of), &scope.variables).unwrap_or(wrong))
    }

    fn sequence(&mut self, parts: &[Behaviour], scope: &mut RoutineScope) -> CodeId {
        let ids: Vec<CodeId> = parts.iter().map(|part| self.behaviour(part, scope)).collect();
        let spans: Vec<Span> = parts.iter().map(|part| part.span).collect();
        self.chain(&ids, &spans)
    }

    /// Sequential composition of code. Long chains are split in the middle, so that the tree stays shallow.
    fn chain(&mut self, ids: &[CodeId], spans: &[Span]) -> CodeId {
        const LONGEST: usize = 64;
        let span = spans[0].to(spans[spans.len() - 1]);
        let cut = match ids.len() {
            1 => return ids[0],
            length if length > LONGEST => length / 2,
            _ => 1,
        };
        let first = self.chain(&ids[..cut], &spans[..cut]);
        let rest = self.chain(&ids[cut..], &spans[cut..]);
        self.push(BehaviourOp::Sequence(first, rest), span)
    }

    /// The slot and type of a variable; `None` after a mistake.
    pub(super) fn variable(&mut self, name: &ProcessName, scope: &RoutineScope) -> Option<(Slot, TypeId)> {
        if let Some(variable) = variable(&scope.variables, &name.key) {
            return Some((variable.slot, variable.of));
        }
        let known: Vec<&str> = scope.variables.iter().map(|variable| variable.key.as_str()).collect();
        self.unknown(name, "variable", &known, "declare it: `var x : nat in ... end var`");
        None
    }

    fn declare(&mut self, parameters: &[Parameter], scope: &mut RoutineScope) -> Box<[Slot]> {
        let mut slots = Vec::new();
        for parameter in parameters {
            self.note(&parameter.name);
            // Declare it nevertheless; its wrong type was reported.
            let of = self.type_of(&parameter.of).unwrap_or(BOOL);
            slots.push(scope.declare(&parameter.name, of));
        }
        slots.into()
    }

    fn assign_any(
        &mut self,
        name: &ProcessName,
        of: &ProcessName,
        condition: Option<&tree::ExprSyntax>,
        scope: &mut RoutineScope,
    ) -> BehaviourOp {
        let (variable, of_name) = (self.variable(name, scope), of);
        let Some(of) = self.type_of(of_name) else { return BehaviourOp::Null };
        let condition = condition.and_then(|condition| self.typed(condition, Some(BOOL), &scope.variables));
        let Some((slot, own)) = variable else { return BehaviourOp::Null };
        if own != of {
            let message =
                format!("this is {}, but {} is needed here", self.type_name(of), self.type_name(own));
            self.mistake(of_name.span, message, "name the type of the variable");
        }
        BehaviourOp::AssignAny(slot, of, condition)
    }

    fn case(
        &mut self,
        values: &[tree::ExprSyntax],
        variables: &[Parameter],
        arms: &[tree::ArmSyntax],
        scope: &mut RoutineScope,
    ) -> BehaviourOp {
        let values: Vec<_> = values.iter().map(|value| self.typed(value, None, &scope.variables)).collect();
        let before = scope.variables.len();
        let slots = self.declare(variables, scope);
        let mut checked = Vec::new();
        for arm in arms {
            let mut patterns = Vec::new();
            for row in &arm.patterns {
                if row.len() != values.len() {
                    let message = format!("{} patterns for {} values", row.len(), values.len());
                    self.mistake(row[0].span, message, "give one for each value");
                }
                let of = values.iter().map(|value| value.as_ref().map(|value| value.of));
                let row: Vec<_> = row.iter().zip(of).map(|(p, of)| self.pattern(p, of?, scope)).collect();
                patterns.extend(row.into_iter().collect::<Option<Vec<_>>>());
            }
            let condition = match &arm.condition {
                Some(condition) => self.typed(condition, Some(BOOL), &scope.variables),
                None => None,
            };
            let body = self.behaviour(&arm.body, scope);
            checked.push(CaseArm { patterns, condition, body });
        }
        scope.variables.truncate(before);
        match values.into_iter().collect::<Option<Vec<_>>>() {
            Some(values) => {
                let span = values[0].span;
                let case = self.push(BehaviourOp::Case { values, arms: checked }, span);
                BehaviourOp::Var(slots, case)
            }
            None => BehaviourOp::Null,
        }
    }

    fn repeat(
        &mut self,
        label: Option<&ProcessName>,
        condition: Option<&tree::ExprSyntax>,
        body: &Behaviour,
        span: Span,
        scope: &mut RoutineScope,
    ) -> CodeId {
        let condition = condition.and_then(|condition| self.typed(condition, Some(BOOL), &scope.variables));
        let id = self.push(BehaviourOp::Null, span);
        scope.loops.push((label.map(|label| label.key.clone()), id));
        let body = self.behaviour(body, scope);
        scope.loops.pop();
        self.code[id.index()].op = BehaviourOp::Loop(condition, body);
        id
    }

    fn leave(&mut self, label: Option<&ProcessName>, span: Span, scope: &RoutineScope) -> BehaviourOp {
        let found = match label {
            None => scope.loops.last(),
            Some(label) => scope.loops.iter().rev().find(|(name, _)| name.as_ref() == Some(&label.key)),
        };
        match found {
            Some((_, id)) => BehaviourOp::Break(*id),
            None => {
                let message = match label {
                    Some(label) => format!("there is no enclosing loop {}", label.shown),
                    None => "there is no enclosing loop".to_owned(),
                };
                let help = "a branch of `par` cannot leave a loop around the `par`";
                self.mistake(span, message, help);
                BehaviourOp::Null
            }
        }
    }
}
