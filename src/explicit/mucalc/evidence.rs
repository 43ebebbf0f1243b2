//! Evidence of a verdict: the winner's moves as a part of the system.

use super::equations::{EquationKind, Equations};
use super::expr::DataFault;
use super::game::{Game, GamePosition};
use super::solve::Solution;
use crate::lts::{LabelId, StateId};
use rustc_hash::{FxHashMap, FxHashSet};

/// A part of a system that shows why a formula holds, or why its negation does.
#[derive(Debug, Clone)]
pub struct Evidence {
    /// The formula that it shows, or its negation with negations pushed inwards.
    pub shows: String,
    /// Its states, the initial one first.
    pub states: Vec<EvidenceState>,
    /// Its transitions.
    pub steps: Vec<EvidenceStep>,
    /// True if all that is said of *all* transitions of a state is shown as well; otherwise it is a fact of the whole system.
    pub unfolded: bool,
    /// True if nothing is such a fact: what is shown suffices by itself.
    pub whole: bool,
}

/// A state that is shown.
#[derive(Debug, Clone)]
pub struct EvidenceState {
    /// Its number in the system.
    pub state: StateId,
    /// Formulas that hold there, as far as they are needed.
    pub holds: Vec<String>,
}

/// A transition that is shown, between states by their index.
#[derive(Debug, Clone)]
pub struct EvidenceStep {
    /// From this state.
    pub from: usize,
    /// Its label.
    pub label: LabelId,
    /// To this state.
    pub to: usize,
    /// The formulas that it is there for.
    pub serves: Vec<String>,
}

/// The form of evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EvidenceShape {
    /// Each state is left by one transition to the next.
    Path,
    /// A path whose last transition goes back to this state.
    Lasso(usize),
    /// Anything else.
    Subgraph,
}

impl Evidence {
    /// Its form.
    pub fn shape(&self) -> EvidenceShape {
        let forward = |at: usize| self.steps.get(at).is_some_and(|step| (step.from, step.to) == (at, at + 1));
        let chain = (0..self.states.len().saturating_sub(1)).all(forward);
        match (chain, self.steps.get(self.states.len().saturating_sub(1)..)) {
            (true, Some([])) => EvidenceShape::Path,
            (true, Some([back])) if back.from + 1 == self.states.len() => EvidenceShape::Lasso(back.to),
            _ => EvidenceShape::Subgraph,
        }
    }
}

/// The winner's moves from the first position on, as far as they are needed; `texts` are the equations of what is shown. `None`
/// if there are more than `most` states.
///
/// # Errors
/// If an expression has no value.
pub fn evidence(
    game: &mut Game<'_>,
    solution: &Solution,
    texts: &Equations,
    unfold: bool,
    most: usize,
) -> Result<Option<Evidence>, DataFault> {
    let Some(shower) = solution.won(0) else { unreachable!("the game was solved") };
    let mut collected = Collected::default();
    let mut open = vec![0];
    let mut seen = FxHashSet::from_iter([0]);
    let mut whole = true;
    let mut at = 0;
    while let Some(&number) = open.get(at) {
        at += 1;
        let position = game.position(number);
        let text = text(game, texts, position);
        let own = game.is_deniers(number) != shower;
        let modal = match game.equations.form(position.form).kind {
            EquationKind::Modal { action, .. } => Some(action),
            _ => None,
        };
        collected.state(position.state, &text);
        let next: Vec<u32> = match solution.choice(number) {
            Some(choice) if own => vec![choice],
            // What is said of all transitions.
            _ if modal.is_some() && !unfold => {
                whole &= game.moves(number).next().is_none();
                Vec::new()
            }
            _ => game.moves(number).map(|one| game.target(one)).collect(),
        };
        for to in next {
            if seen.insert(to) {
                open.push(to);
            }
            let Some(action) = modal else { continue };
            let labels = game.labels(action, position.environment)?;
            let target = game.position(to).state;
            let all = game.lts.out(position.state);
            let used = all.filter(|&(label, state)| state == target && labels.has(label.index()));
            // One step is enough to show that there is one.
            let used: Vec<LabelId> =
                used.map(|(label, _)| label).take(if own { 1 } else { usize::MAX }).collect();
            for label in used {
                collected.step(position.state, label, target, &text);
            }
        }
        if collected.states.len() > most {
            return Ok(None);
        }
    }
    let shows = text_of_root(texts);
    Ok(Some(Evidence { shows, states: collected.states, steps: collected.steps, unfolded: unfold, whole }))
}

fn text_of_root(texts: &Equations) -> String {
    texts.form(texts.root).text.to_string()
}

/// A position as text: its formula, with the values of variables.
fn text(game: &Game<'_>, texts: &Equations, position: GamePosition) -> String {
    let mut text = texts.form(position.form).text.to_string();
    let values = game.values(position.environment).iter().enumerate();
    let values =
        values.filter_map(|(slot, value)| Some(format!("{} = {}", texts.slots[slot], value.as_ref()?)));
    let values: Vec<String> = values.collect();
    if !values.is_empty() {
        text = format!("{text} with {}", values.join(", "));
    }
    text
}

/// States and steps, each once.
#[derive(Default)]
struct Collected {
    states: Vec<EvidenceState>,
    numbers: FxHashMap<StateId, usize>,
    steps: Vec<EvidenceStep>,
    known: FxHashMap<(usize, LabelId, usize), usize>,
}

impl Collected {
    fn number(&mut self, state: StateId) -> usize {
        let fresh = self.states.len();
        let number = *self.numbers.entry(state).or_insert(fresh);
        if number == fresh {
            self.states.push(EvidenceState { state, holds: Vec::new() });
        }
        number
    }

    fn state(&mut self, state: StateId, text: &str) {
        let number = self.number(state);
        let holds = &mut self.states[number].holds;
        if text != "true" && holds.iter().all(|known| known != text) {
            holds.push(text.to_owned());
        }
    }

    fn step(&mut self, from: StateId, label: LabelId, to: StateId, text: &str) {
        let (from, to) = (self.number(from), self.number(to));
        let fresh = self.steps.len();
        let at = *self.known.entry((from, label, to)).or_insert(fresh);
        if at == fresh {
            self.steps.push(EvidenceStep { from, label, to, serves: Vec::new() });
        }
        let serves = &mut self.steps[at].serves;
        if serves.iter().all(|known| known != text) {
            serves.push(text.to_owned());
        }
    }
}
