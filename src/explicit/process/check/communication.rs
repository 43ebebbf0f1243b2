//! Actions, calls of processes, parallel composition, hiding.

use super::ProcessChecker;
use super::names::{RoutineScope, ScopedGate};
use super::types::GateChannel;
use crate::process::program::{ActionCode, ActionOffer, BOOL, BehaviourOp, Branch, CodeId, GateSlot, TypeId};
use crate::process::text::tree::{self, Behaviour, GatesSyntax, Parameter, ParameterMode, ProcessName};
use crate::process::value::ProcessValue;
use crate::process::{eval::ProcessEvaluator, program::ProcessProgram};
use kit::diagnostics::{Diagnostic, Span, nearest};
use std::rc::Rc;

/// The main process, whose behaviour is the system.
pub(super) struct Main {
    pub process: usize,
    pub arguments: Vec<ProcessValue>,
    pub gates: Vec<String>,
}

impl ProcessChecker {
    /// Checks an action: a communication if the name is a gate, otherwise the call of a process.
    pub(super) fn action(
        &mut self,
        action: &tree::ActionSyntax,
        span: Span,
        scope: &mut RoutineScope,
    ) -> BehaviourOp {
        let key = &action.name.key;
        let is_function = self.called.iter().any(|called| called.key == *key);
        if scope.function {
            if is_function {
                return self.eval(None, action, span, scope);
            }
            self.mistake(
                span,
                "this behaviour is only allowed in processes",
                "functions compute values without actions or choices",
            );
            return BehaviourOp::Null;
        }
        if let Some((gate, channel)) = scope.gate(key) {
            let channel = channel.clone();
            if let Some(gates) = &action.gates {
                let at = gates.list.first().map_or(action.name.span, |(_, name)| name.span);
                self.mistake(
                    at,
                    format!("{} is a gate and takes no gate arguments", action.name.shown),
                    "only processes take gate arguments",
                );
            }
            return self.communication(Some(gate), &channel, action, scope);
        }
        if let Some(process) = self.heads.iter().position(|head| head.name.key == *key) {
            if let Some(condition) = &action.condition {
                self.mistake(
                    condition.span,
                    "a process call cannot have a condition",
                    "write `only if E then P end if`",
                );
            }
            return self.call(process, action, scope);
        }
        if is_function {
            return self.eval(None, action, span, scope);
        }
        if key == "I" {
            return self.communication(None, &GateChannel::Any, action, scope);
        }
        let known: Vec<String> = scope.gates.iter().map(|gate| gate.key.clone()).collect();
        let known: Vec<String> =
            known.into_iter().chain(self.heads.iter().map(|h| h.name.key.clone())).collect();
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        self.unknown(
            &action.name,
            "gate or process",
            &known,
            "put gates in brackets after the name of the process",
        );
        BehaviourOp::Null
    }

    fn communication(
        &mut self,
        gate: Option<GateSlot>,
        channel: &GateChannel,
        action: &tree::ActionSyntax,
        scope: &mut RoutineScope,
    ) -> BehaviourOp {
        if gate.is_none() && !action.offers.is_empty() {
            self.mistake(action.name.span, "the internal action `i` has no offers", "write `i`");
        }
        let types = match channel {
            GateChannel::Any => vec![None; action.offers.len()],
            GateChannel::Of(name, profiles) => match self.profile(profiles, &action.offers, scope) {
                Some(types) => types.into_iter().map(Some).collect(),
                None if profiles.iter().flatten().any(|&of| self.is_vague(of)) => {
                    vec![None; action.offers.len()]
                }
                None => {
                    let shown: Vec<String> = profiles
                        .iter()
                        .map(|p| {
                            format!(
                                "({})",
                                p.iter().map(|&t| self.type_name(t)).collect::<Vec<_>>().join(", ")
                            )
                        })
                        .collect();
                    let message = format!(
                        "{} has the channel {}, which does not allow these offers",
                        action.name.shown, name
                    );
                    self.mistake(action.name.span, message, format!("its offers are {}", shown.join(" or ")));
                    // Report mistakes inside the offers, too.
                    vec![None; action.offers.len()]
                }
            },
        };
        let mut offers = Vec::new();
        for (offer, of) in action.offers.iter().zip(types) {
            match offer {
                tree::OfferSyntax::Send(value) => {
                    offers.extend(self.typed(value, of, &scope.variables).map(ActionOffer::Send));
                }
                tree::OfferSyntax::Receive(pattern) => {
                    let of = match of {
                        Some(of) => Some(of),
                        None => self.own_type(pattern, scope),
                    };
                    let pattern = of.and_then(|of| Some((of, self.pattern(pattern, of, scope)?)));
                    offers.extend(pattern.map(|(of, pattern)| ActionOffer::Receive(of, pattern)));
                }
                tree::OfferSyntax::Change(name) => {
                    self.mistake(name.span, "`!?` is only for calls", "write `!x` or `?x`");
                }
            }
        }
        let condition = match &action.condition {
            Some(condition) => self.typed(condition, Some(BOOL), &scope.variables),
            None => None,
        };
        BehaviourOp::Act(ActionCode { gate, offers, condition, after: Rc::default() })
    }

    /// The first profile of a channel that the offers fit.
    fn profile(
        &mut self,
        profiles: &[Vec<TypeId>],
        offers: &[tree::OfferSyntax],
        scope: &RoutineScope,
    ) -> Option<Vec<TypeId>> {
        let fits = |checker: &mut Self, profile: &Vec<TypeId>| {
            profile.len() == offers.len()
                && profile.iter().zip(offers).all(|(of, offer)| match offer {
                    tree::OfferSyntax::Send(value) => {
                        let found = checker.types_of(value, &scope.variables);
                        // An offer without any type is reported on its own.
                        found.is_empty() || found.contains(of)
                    }
                    tree::OfferSyntax::Receive(pattern) => {
                        let before = checker.mistakes.len();
                        checker.pattern(pattern, *of, scope);
                        let right = checker.mistakes.len() == before;
                        checker.mistakes.truncate(before);
                        right
                    }
                    // Reported on its own.
                    tree::OfferSyntax::Change(_) => true,
                })
        };
        profiles.iter().find(|profile| fits(self, profile)).cloned()
    }

    fn call(&mut self, process: usize, action: &tree::ActionSyntax, scope: &mut RoutineScope) -> BehaviourOp {
        let head = self.heads[process].clone();
        let gates = self.actual_gates(&head, action.gates.as_ref(), action.name.span, scope);
        let given = action.offers.len();
        if given != head.parameters.len() {
            let message = format!(
                "{} has {}, but is given {}",
                head.name.shown,
                counted(head.parameters.len(), "value parameter"),
                given
            );
            self.mistakes.push(
                Diagnostic::error(action.name.span, message)
                    .with_related(head.name.span, "defined here")
                    .with_help("give one value for each parameter"),
            );
        }
        match self.actual(&action.offers, &head.parameters, scope) {
            Some(actual) => BehaviourOp::Call {
                process,
                gates: gates.into(),
                arguments: actual.values,
                outs: actual.outs.into(),
                after: None,
            },
            None => BehaviourOp::Null,
        }
    }

    fn actual_gates(
        &mut self,
        head: &super::ProcessHead,
        given: Option<&GatesSyntax>,
        place: Span,
        scope: &RoutineScope,
    ) -> Vec<GateSlot> {
        let empty = GatesSyntax { list: Vec::new(), others: false };
        let given = given.unwrap_or(&empty);
        let named = given.list.iter().any(|(formal, _)| formal.is_some());
        if !named && !given.others && given.list.len() != head.gates.len() {
            let message = format!(
                "{} has {}, but is given {}",
                head.name.shown,
                counted(head.gates.len(), "gate"),
                given.list.len()
            );
            self.mistakes.push(
                Diagnostic::error(place, message).with_related(head.name.span, "defined here").with_help(
                    "pass one gate for each of its gates, or `[...]` for those with the same names",
                ),
            );
            return Vec::new();
        }
        let mut actual = Vec::new();
        for (at, (formal, channel)) in head.gates.iter().enumerate() {
            let by_name =
                given.list.iter().find(|(name, _)| name.as_ref().is_some_and(|n| n.key == formal.key));
            let found = match (by_name, given.list.get(at)) {
                (Some((_, gate)), _) => gate.clone(),
                (None, Some((None, gate))) if !named => gate.clone(),
                _ if given.others => ProcessName { span: place, ..formal.clone() },
                _ => {
                    let message = format!("{} needs a gate for {}", head.name.shown, formal.shown);
                    self.mistake(place, message, format!("write `{} -> G`, or `...`", formal.shown));
                    continue;
                }
            };
            actual.extend(self.gate(&found, channel, scope));
        }
        for (formal, gate) in &given.list {
            if let Some(formal) = formal
                && !head.gates.iter().any(|(name, _)| name.key == formal.key)
            {
                let message = format!("{} has no gate {}", head.name.shown, formal.shown);
                self.mistake(formal.span.to(gate.span), message, "name one of its gates before `->`");
            }
        }
        actual
    }

    /// Resolves an actual gate, and checks that it has the channel of the formal one.
    fn gate(&mut self, name: &ProcessName, wanted: &GateChannel, scope: &RoutineScope) -> Option<GateSlot> {
        let Some((slot, channel)) = scope.gate(&name.key) else {
            let known: Vec<&str> = scope.gates.iter().map(|gate| gate.key.as_str()).collect();
            self.unknown(name, "gate", &known, "put gates in brackets after the name of the process");
            return None;
        };
        if let (GateChannel::Of(found, a), GateChannel::Of(needed, b)) = (channel, wanted)
            && a != b
        {
            let message = format!("{} has the channel {}, but {} is needed here", name.shown, found, needed);
            self.mistake(name.span, message, "give a gate of the same channel");
        }
        Some(slot)
    }

    pub(super) fn par(
        &mut self,
        gates: &[ProcessName],
        branches: &[(Vec<ProcessName>, Behaviour)],
        scope: &mut RoutineScope,
    ) -> BehaviourOp {
        let all: Vec<Option<GateSlot>> =
            gates.iter().map(|name| self.gate(name, &GateChannel::Any, scope)).collect();
        let own: Vec<Vec<GateSlot>> = branches
            .iter()
            .map(|(names, _)| {
                names.iter().filter_map(|name| self.gate(name, &GateChannel::Any, scope)).collect()
            })
            .collect();
        let everybody: Rc<[usize]> = (0..branches.len()).collect();
        // A branch cannot leave a loop around the composition.
        let loops = std::mem::take(&mut scope.loops);
        let checked = branches.iter().enumerate().map(|(at, (_, body))| {
            let body = self.behaviour(body, scope);
            let mut meets: Vec<(GateSlot, Rc<[usize]>)> =
                all.iter().flatten().map(|&gate| (gate, everybody.clone())).collect();
            for &gate in own[at].iter().filter(|gate| !all.contains(&Some(**gate))) {
                let with = (0..branches.len()).filter(|&other| own[other].contains(&gate));
                meets.push((gate, with.collect()));
            }
            Branch { body, meets, writes: Box::default() }
        });
        let checked = checked.collect();
        scope.loops = loops;
        BehaviourOp::Par(checked)
    }

    pub(super) fn hide(
        &mut self,
        gates: &[Parameter],
        body: &Behaviour,
        span: Span,
        scope: &mut RoutineScope,
    ) -> CodeId {
        let before = scope.gates.len();
        let mut slots = Vec::new();
        for gate in gates {
            self.note(&gate.name);
            let channel = self.channel(&gate.of);
            // Every gate has a slot of its own, including those of other branches.
            let slot = GateSlot::new(scope.gate_slots);
            scope.gate_slots += 1;
            scope.gates.push(ScopedGate { key: gate.name.key.clone(), slot, channel });
            slots.push(slot);
        }
        let body = self.behaviour(body, scope);
        scope.gates.truncate(before);
        slots.into_iter().rev().fold(body, |body, slot| self.push(BehaviourOp::Hide(slot, body), span))
    }

    /// Resolves the call that is the system: that of `--main`, or of MAIN.
    pub(super) fn main(&mut self, call: Option<&tree::ActionSyntax>) -> Option<Main> {
        let key = call.map_or("MAIN", |call| call.name.key.as_str());
        let shown = call.map_or("MAIN", |call| call.name.shown.as_str());
        let Some(process) = self.heads.iter().position(|head| head.name.key == key) else {
            self.no_main_process(key, shown, call.map(|call| call.name.span));
            return None;
        };
        let head = self.heads[process].clone();
        let mut gates: Vec<String> = head.gates.iter().map(|(name, _)| name.key.clone()).collect();
        if let Some(given) = call.and_then(|call| call.gates.as_ref()) {
            let names: Vec<String> = given.list.iter().map(|(_, name)| name.key.clone()).collect();
            if names.len() != gates.len() {
                let message =
                    format!("{shown} has {}, but is given {}", counted(gates.len(), "gate"), names.len());
                let place = call.map_or(head.name.span, |call| call.name.span);
                self.mistake(place, message, "name each of its gates, or none");
                return None;
            }
            gates = names;
        }
        if head.parameters.iter().any(|(_, mode)| *mode != ParameterMode::In) {
            let message = format!("{shown} has parameters with `out`, so that it cannot be the main process");
            self.mistake(head.name.span, message, "call it from a process without them");
            return None;
        }
        let offers = call.map_or(&[][..], |call| &call.offers);
        if offers.len() != head.parameters.len() {
            let message = format!(
                "{shown} has {}, but is given {}",
                counted(head.parameters.len(), "value parameter"),
                offers.len()
            );
            let place = call.map_or(head.name.span, |call| call.name.span);
            let types: Vec<String> = head.parameters.iter().map(|(of, _)| self.type_name(*of)).collect();
            let help = match types.as_slice() {
                [] => format!("leave them out: --main {shown}"),
                types => format!("give a value of each type: --main \"{shown} ({})\"", types.join(", ")),
            };
            self.mistake(place, message, help);
            return None;
        }
        let program = ProcessProgram {
            types: self.types.clone(),
            functions: self.functions.clone(),
            processes: Vec::new(),
            code: self.code.clone(),
            main: 0,
            arguments: Vec::new(),
            gates: Vec::new(),
        };
        let mut arguments = Vec::new();
        for (offer, (of, _)) in offers.iter().zip(&head.parameters) {
            let tree::OfferSyntax::Send(value) = offer else {
                let place = call.map_or(head.name.span, |call| call.name.span);
                self.mistake(place, "the arguments of a process must be values", "`?` is only for actions");
                return None;
            };
            let value = self.typed(value, Some(*of), &[])?;
            match ProcessEvaluator::new(&program, self.budget.clone()).value(&value, &[]) {
                Ok(value) => arguments.push(value),
                Err(failure) => self.failed(failure, "give another value"),
            }
        }
        Some(Main { process, arguments, gates })
    }

    /// Reports that there is no main process.
    fn no_main_process(&mut self, key: &str, shown: &str, place: Option<Span>) {
        const MOST_SHOWN: usize = 8;
        let names: Vec<&str> = self.heads.iter().map(|head| head.name.shown.as_str()).collect();
        let help = match (names.as_slice(), nearest(key, names.iter().copied())) {
            ([], _) => "the text defines no process".to_owned(),
            (_, Some(meant)) => format!("did you mean {meant}?"),
            (names, None) => {
                let more = match names.len().saturating_sub(MOST_SHOWN) {
                    0 => String::new(),
                    more => format!(" and {more} more"),
                };
                let shown = names[..names.len().min(MOST_SHOWN)].join(", ");
                format!("choose the main process with --main: {shown}{more}")
            }
        };
        let message = format!("there is no process {shown}");
        let mistake = match place {
            Some(place) => Diagnostic::error(place, message),
            None => Diagnostic::error_without_place(message),
        };
        self.mistakes.push(mistake.with_help(help));
    }
}

/// `1 gate`, `2 gates`
fn counted(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}
