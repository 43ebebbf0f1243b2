//! Fairness conditions on infinite traces.

use lang::model::expr::Expr;
use lang::model::value::Label;
use lang::model::{ActionFairness, LoadedFairness, Model, load_fairness};

/// A condition on infinite traces; those that do not meet it are not considered.
#[derive(Debug, Clone, PartialEq)]
pub enum Fairness {
    /// The state formula holds infinitely often.
    Again(Expr),
    /// Steps of an action are not postponed for ever.
    Action(ActionFairness),
}

impl Fairness {
    /// Returns the conditions of a model.
    pub fn of_model(model: &Model) -> Vec<Self> {
        let states = model.fairness.iter().cloned().map(Self::Again);
        states.chain(model.action_fairness.iter().cloned().map(Self::Action)).collect()
    }

    /// Returns the conditions of a model, unless they are to be ignored, and those of texts as [`load_fairness`] reads
    /// them: weak ones of actions or those of states, and strong ones of actions.
    ///
    /// # Errors
    /// The diagnostics of the first text that is not a condition.
    pub fn demanded(
        model: &Model,
        ignore: bool,
        fair: &[String],
        strongly_fair: &[String],
    ) -> Result<Vec<Self>, LoadedFairness> {
        let mut all = if ignore { Vec::new() } else { Self::of_model(model) };
        let weak = fair.iter().map(|text| ("--fair", text, false));
        let strong = strongly_fair.iter().map(|text| ("--strongly-fair", text, true));
        for (name, text, is_strong) in weak.chain(strong) {
            let loaded = load_fairness(model, name, text, is_strong);
            let Some((states, actions)) = &loaded.found else { return Err(loaded) };
            all.extend(states.iter().cloned().map(Self::Again));
            all.extend(actions.iter().cloned().map(Self::Action));
        }
        Ok(all)
    }

    /// Returns the conditions in terms of events that recur.
    pub(super) fn demands(all: &[Self]) -> Vec<FairnessDemand<'_>> {
        all.iter().map(Self::demand).collect()
    }

    fn demand(&self) -> FairnessDemand<'_> {
        match self {
            Self::Again(expr) => FairnessDemand { when: None, events: vec![FairnessEvent::Holds(expr)] },
            Self::Action(action) if action.strong => FairnessDemand {
                when: Some(FairnessEvent::Holds(&action.enabled)),
                events: vec![FairnessEvent::Taken(action)],
            },
            Self::Action(action) => FairnessDemand {
                when: None,
                events: vec![FairnessEvent::Fails(&action.enabled), FairnessEvent::Taken(action)],
            },
        }
    }
}

/// One of these events happens infinitely often, if `when` does.
#[derive(Debug, Clone)]
pub(super) struct FairnessDemand<'a> {
    pub when: Option<FairnessEvent<'a>>,
    pub events: Vec<FairnessEvent<'a>>,
}

/// An event at a position of an infinite trace.
#[derive(Debug, Clone, Copy)]
pub(super) enum FairnessEvent<'a> {
    /// The state formula holds.
    Holds(&'a Expr),
    /// The state formula does not hold.
    Fails(&'a Expr),
    /// The next step matches the condition.
    Taken(&'a ActionFairness),
}

/// True if a condition applies to a step.
pub fn is_meant(fairness: &ActionFairness, label: &Label) -> bool {
    let mut arguments = fairness.arguments.iter().zip(&label.args);
    label.action == fairness.action
        && arguments.all(|(wanted, given)| wanted.as_ref().is_none_or(|wanted| wanted == given))
}
