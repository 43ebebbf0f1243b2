//! All interleavings of a few runs: the operational semantics, one event a step.

use super::deduce::Knowledge;
use super::term::{Bindings, Name, Term};
use super::text::{Event, Message, Protocol, Role};
use std::collections::BTreeSet;
use std::rc::Rc;

/// An event of a run, by its place in its role.
pub type Place = (usize, usize);

/// A run and what it has done.
#[derive(Clone)]
pub struct Run<'a> {
    pub protocol: &'a Protocol,
    pub role: &'a Role,
    /// The number of its events that have happened.
    pub done: usize,
    /// How many events of each run had happened when it began.
    pub done_before: Vec<usize>,
    pub bindings: Bindings,
}

impl<'a> Run<'a> {
    pub fn agent(&self, role: &Name) -> &Term {
        &self.bindings[role]
    }

    /// The agent who plays it.
    pub fn actor(&self) -> &Term {
        self.agent(&self.role.name)
    }

    /// What has happened, in order.
    pub fn past(&self) -> &'a [Event] {
        &self.role.events[..self.done]
    }

    /// A message of it, with what its names stand for.
    pub fn message(&self, message: &Message) -> Message {
        let of = |term: &Term| term.under(&self.bindings);
        Message {
            label: message.label.clone(),
            from: of(&message.from),
            to: of(&message.to),
            text: of(&message.text),
        }
    }
}

#[derive(Clone)]
pub struct State<'a> {
    pub runs: Vec<Run<'a>>,
    pub knowledge: Rc<Knowledge>,
    /// Where the same message of the same label was sent, and was received later.
    pub delivered: BTreeSet<(Place, Place)>,
}

impl<'a> State<'a> {
    /// What the next event of a run can lead to.
    pub fn steps(&self, number: usize) -> Vec<State<'a>> {
        let run = &self.runs[number];
        let Some(event) = run.role.events.get(run.done) else { return vec![] };
        let kinds = &run.role.variables;
        match event {
            Event::Send(message) => {
                let mut next = self.after(number, run.bindings.clone());
                Rc::make_mut(&mut next.knowledge).hear(&run.message(message).text);
                vec![next]
            }
            Event::Receive(message) => {
                let any = self.candidates(run, &message.text);
                let all = self.knowledge.instances(&message.text, kinds, &any, &run.bindings);
                let mut steps: Vec<_> =
                    all.into_iter().map(|bindings| self.after(number, bindings)).collect();
                steps.iter_mut().for_each(|next| next.note_delivery(number));
                steps
            }
            Event::Compare { pattern, term, equal } => {
                match (pattern.matches(&term.under(&run.bindings), kinds, &run.bindings), equal) {
                    (Some(bindings), true) => vec![self.after(number, bindings)],
                    (None, false) => vec![self.after(number, run.bindings.clone())],
                    _ => vec![],
                }
            }
            Event::Claim { .. } => vec![self.after(number, run.bindings.clone())],
        }
    }

    /// The state after the next event of a run, with what names stand for in that run then.
    fn after(&self, number: usize, bindings: Bindings) -> Self {
        let mut next = self.clone();
        if self.runs[number].done == 0 && self.runs[number].role.claims_recentness() {
            next.runs[number].done_before = self.runs.iter().map(|run| run.done).collect();
        }
        next.runs[number].done += 1;
        next.runs[number].bindings = bindings;
        next
    }

    /// The run has just received something: notes where the same was sent before.
    fn note_delivery(&mut self, number: usize) {
        let receiver = &self.runs[number];
        let Some(Event::Receive(received)) = receiver.past().last() else { return };
        let received = receiver.message(received);
        let here = (number, receiver.done - 1);
        let mut sent = vec![];
        for (other, run) in self.runs.iter().enumerate() {
            if run.protocol.name == receiver.protocol.name {
                let is_sent =
                    |event: &Event| matches!(event, Event::Send(message) if run.message(message) == received);
                let places = run.past().iter().enumerate().filter(|(_, event)| is_sent(event));
                sent.extend(places.map(|(place, _)| ((other, place), here)));
            }
        }
        self.delivered.extend(sent);
    }
}
