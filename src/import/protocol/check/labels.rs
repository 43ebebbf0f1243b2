//! Checks that the messages sent and received under one label are compatible: some message is an instance of both.
//!
//! Both sides are unified, syntactically and without types (J. A. Robinson: *A machine-oriented logic based on the
//! resolution principle*, 1965): variables of a role stand for any term, fresh values and agents in roles for themselves. Powers may be
//! equal to any others.

use super::{ProtocolChecker, Span};
use crate::protocol::ir::{EventKind, Message, Protocols, RoleId, RoleTerm, VariableId};
use crate::protocol::text::tree::Name;
use kit::diagnostics::Diagnostic;
use rustc_hash::FxHashMap;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MessageDirection {
    Send,
    Receive,
}

#[derive(Debug)]
struct LabelledEvent {
    label: Name,
    span: Span,
    role: RoleId,
    /// Its index in the role; `None` if it is erroneous.
    index: Option<usize>,
}

/// The messages of a protocol by their labels.
#[derive(Debug, Default)]
pub(super) struct MessageLabels {
    sent: Vec<LabelledEvent>,
    received: Vec<LabelledEvent>,
    sends: FxHashMap<String, usize>,
    receives: FxHashMap<String, usize>,
}

impl<'t> ProtocolChecker<'t> {
    /// Records the label of a message, the event number `index` of its role.
    pub(super) fn labelled(
        &mut self,
        labels: &mut MessageLabels,
        label: &Name,
        span: Span,
        what: MessageDirection,
        (role, index): (RoleId, Option<usize>),
    ) {
        let MessageLabels { sent, received, sends, receives } = labels;
        let (all, by_label, verb) = match what {
            MessageDirection::Send => (sent, sends, "sent"),
            MessageDirection::Receive => (received, receives, "received"),
        };
        if let Some(&first) = by_label.get(&label.text) {
            let message = format!("two messages with the label `{}` are {verb}", label.text);
            let mistake =
                Diagnostic::error(label.span, message).with_related(all[first].label.span, "the first one");
            self.diagnostics.push(mistake.with_help("give each message a label of its own"));
            return;
        }
        by_label.insert(label.text.clone(), all.len());
        all.push(LabelledEvent { label: label.clone(), span, role, index });
    }

    /// Checks that each label received is sent, and the reverse. Labels that begin with `!` are exempt.
    pub(super) fn check_labels(&mut self, labels: &MessageLabels) {
        let counts = |event: &&LabelledEvent| !event.label.text.starts_with('!');
        for received in labels.received.iter().filter(counts) {
            match labels.sends.get(&received.label.text) {
                None => {
                    let message = format!("no role sends a message with the label `{}`", received.label.text);
                    let help = "if that is intended, begin the label with `!`";
                    self.missing(Diagnostic::error(received.label.span, message).with_help(help));
                }
                Some(&sent) => self.check_pair(&labels.sent[sent], received),
            }
        }
        for sent in labels.sent.iter().filter(counts) {
            if !labels.receives.contains_key(&sent.label.text) {
                let message = format!("no role receives a message with the label `{}`", sent.label.text);
                let help = "if that is intended, begin the label with `!`";
                self.missing(Diagnostic::warning(sent.label.span, message).with_help(help));
            }
        }
    }

    fn check_pair(&mut self, sent: &LabelledEvent, received: &LabelledEvent) {
        let message = |event: &LabelledEvent| -> Option<&Message> {
            match &self.found.roles[event.role.index()].events[event.index?].kind {
                EventKind::Send(message) | EventKind::Receive(message) => Some(message),
                _ => None,
            }
        };
        let (Some(from), Some(to)) = (message(sent), message(received)) else { return };
        let name = |role: RoleId| &self.found.roles[role.index()].name;
        let (is_wrong, why) = if from.from != to.from {
            (true, format!("it is sent by `{}`, not by `{}`", name(from.from), name(to.from)))
        } else if from.to != to.to {
            (true, format!("it is sent to `{}`, not to `{}`", name(from.to), name(to.to)))
        } else {
            let mut unifier = Unifier { protocols: &self.found, values: FxHashMap::default(), steps: 0 };
            let (left, right) =
                (TupleRest::of(sent.role, &from.content), TupleRest::of(received.role, &to.content));
            match unifier.unify(left, right, 0) {
                Err(NoUnifier::Different) => (
                    false,
                    format!(
                        "no message matches both, so `{}` continues only with another message",
                        name(received.role)
                    ),
                ),
                Ok(()) | Err(NoUnifier::GivenUp) => return,
            }
        };
        let text =
            format!("the message received under label `{}` differs from the one sent", received.label.text);
        let make = if is_wrong { Diagnostic::error } else { Diagnostic::warning };
        let mistake = make(received.span, text).with_note(why);
        self.diagnostics.push(
            mistake
                .with_related(sent.span, "sent here")
                .with_help("if that is intended, begin the label with `!`"),
        );
    }
}

/// The greatest number of steps of a unification. Beyond it, terms count as compatible: they are checked again in each run.
const MOST_STEPS: usize = 100_000;

/// The greatest number of nested calls of a unification.
const MOST_DEPTH: usize = 2_000;

/// The reason why no unifier was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NoUnifier {
    Different,
    /// The search took too long.
    GivenUp,
}

/// The last components of a tuple of a role, or a single term, which is no tuple.
#[derive(Debug, Clone, Copy)]
struct TupleRest<'a> {
    role: RoleId,
    terms: &'a [RoleTerm],
}

impl<'a> TupleRest<'a> {
    fn of(role: RoleId, term: &'a RoleTerm) -> Self {
        Self::all(role, std::slice::from_ref(term))
    }

    fn all(role: RoleId, terms: &'a [RoleTerm]) -> Self {
        match terms {
            [RoleTerm::Tuple(terms)] => Self { role, terms },
            _ => Self { role, terms },
        }
    }
}

struct Unifier<'a> {
    protocols: &'a Protocols,
    values: FxHashMap<(RoleId, VariableId), TupleRest<'a>>,
    steps: usize,
}

impl<'a> Unifier<'a> {
    fn unify(
        &mut self,
        mut left: TupleRest<'a>,
        mut right: TupleRest<'a>,
        depth: usize,
    ) -> Result<(), NoUnifier> {
        loop {
            self.step(depth)?;
            (left, right) = (self.value(left), self.value(right));
            match (self.variable(left), self.variable(right)) {
                (Some(one), Some(other)) if one == other => return Ok(()),
                (Some(variable), _) => return self.bind(variable, right, depth),
                (_, Some(variable)) => return self.bind(variable, left, depth),
                (None, None) => {}
            }
            match (left.terms, right.terms) {
                ([one], [other]) => return self.terms((left.role, one), (right.role, other), depth),
                ([one, ones @ ..], [other, others @ ..]) if !ones.is_empty() && !others.is_empty() => {
                    self.unify(TupleRest::of(left.role, one), TupleRest::of(right.role, other), depth + 1)?;
                    left = TupleRest::all(left.role, ones);
                    right = TupleRest::all(right.role, others);
                }
                _ => return Err(NoUnifier::Different),
            }
        }
    }

    /// Unifies two terms that are neither tuples nor variables.
    fn terms(
        &mut self,
        (left, one): (RoleId, &'a RoleTerm),
        (right, other): (RoleId, &'a RoleTerm),
        depth: usize,
    ) -> Result<(), NoUnifier> {
        let same = match (one, other) {
            (RoleTerm::Agent(one), RoleTerm::Agent(other)) => one == other,
            (RoleTerm::Constant(one), RoleTerm::Constant(other)) => one == other,
            (RoleTerm::Variable(one), RoleTerm::Variable(other)) => left == right && one == other,
            (RoleTerm::Encrypted { body, key }, RoleTerm::Encrypted { body: body2, key: key2 }) => {
                self.unify(TupleRest::of(left, body), TupleRest::of(right, body2), depth + 1)?;
                return self.unify(TupleRest::of(left, key), TupleRest::of(right, key2), depth + 1);
            }
            (
                RoleTerm::Apply { function, arguments },
                RoleTerm::Apply { function: function2, arguments: arguments2 },
            ) if function == function2 => {
                if self.protocols.is_power(*function) {
                    return Ok(());
                }
                return self.unify(
                    TupleRest::all(left, arguments),
                    TupleRest::all(right, arguments2),
                    depth + 1,
                );
            }
            // Terms of a sum can cancel out.
            (RoleTerm::Apply { function, .. }, _) | (_, RoleTerm::Apply { function, .. })
                if self.protocols.is_sum(*function) =>
            {
                return Ok(());
            }
            // `f(x)` and `{x}f` are the same term.
            (RoleTerm::Apply { function, arguments }, RoleTerm::Encrypted { body, key })
                if **key == RoleTerm::Constant(*function) =>
            {
                return self.unify(TupleRest::all(left, arguments), TupleRest::of(right, body), depth + 1);
            }
            (RoleTerm::Encrypted { body, key }, RoleTerm::Apply { function, arguments })
                if **key == RoleTerm::Constant(*function) =>
            {
                return self.unify(TupleRest::of(left, body), TupleRest::all(right, arguments), depth + 1);
            }
            _ => false,
        };
        if same { Ok(()) } else { Err(NoUnifier::Different) }
    }

    fn step(&mut self, depth: usize) -> Result<(), NoUnifier> {
        self.steps += 1;
        if self.steps > MOST_STEPS || depth > MOST_DEPTH { Err(NoUnifier::GivenUp) } else { Ok(()) }
    }

    /// Resolves a part that is a variable with a value.
    fn value(&self, mut part: TupleRest<'a>) -> TupleRest<'a> {
        while let Some(value) = self.variable(part).and_then(|variable| self.values.get(&variable)) {
            part = *value;
        }
        part
    }

    /// Returns the variable of a part that consists of one.
    fn variable(&self, part: TupleRest<'a>) -> Option<(RoleId, VariableId)> {
        match part.terms {
            [RoleTerm::Variable(id)]
                if !self.protocols.roles[part.role.index()].variables[id.index()].fresh =>
            {
                Some((part.role, *id))
            }
            _ => None,
        }
    }

    fn bind(
        &mut self,
        variable: (RoleId, VariableId),
        value: TupleRest<'a>,
        depth: usize,
    ) -> Result<(), NoUnifier> {
        if self.occurs(variable, value, depth + 1)? {
            return Err(NoUnifier::Different);
        }
        self.values.insert(variable, value);
        Ok(())
    }

    /// True if a variable occurs in a part.
    fn occurs(
        &mut self,
        variable: (RoleId, VariableId),
        part: TupleRest<'a>,
        depth: usize,
    ) -> Result<bool, NoUnifier> {
        self.step(depth)?;
        let part = self.value(part);
        if let Some(own) = self.variable(part) {
            return Ok(own == variable);
        }
        for term in part.terms {
            let inner: [&'a [RoleTerm]; 2] = match term {
                RoleTerm::Agent(_) | RoleTerm::Constant(_) => continue,
                RoleTerm::Variable(_) => [std::slice::from_ref(term), &[]],
                RoleTerm::Tuple(terms) | RoleTerm::Apply { arguments: terms, .. } => [terms, &[]],
                RoleTerm::Encrypted { body, key } => [std::slice::from_ref(body), std::slice::from_ref(key)],
            };
            // A fresh value, or a variable that is the whole part, has no parts.
            if part.terms.len() == 1 && matches!(term, RoleTerm::Variable(_)) {
                continue;
            }
            for terms in inner.into_iter().filter(|terms| !terms.is_empty()) {
                if self.occurs(variable, TupleRest::all(part.role, terms), depth + 1)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }
}
