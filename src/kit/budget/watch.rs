//! The stage that a long computation has reached, for progress reports.

use crate::number::thousands;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// The progress of one part of a long computation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stage {
    /// The number of units done; `what` names the units.
    pub done: u64,
    /// The total, if known in advance.
    pub of: Option<u64>,
    /// The words after the number: `transitions read`.
    pub what: &'static str,
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let done = thousands(self.done);
        match self.of {
            Some(of) => write!(f, "{done} of {} {}", thousands(of), self.what),
            None => write!(f, "{done} {}", self.what),
        }
    }
}

/// Called with every stage.
type Teller = Box<dyn Fn(&Stage) + Send + Sync>;

/// Keeps the last stage, shared by all clones.
#[derive(Clone, Default)]
pub struct Watch {
    shared: Option<Arc<(Teller, Mutex<Option<Stage>>)>>,
}

impl Watch {
    /// Also calls `tell` with every stage.
    pub fn new(tell: impl Fn(&Stage) + Send + Sync + 'static) -> Self {
        Self { shared: Some(Arc::new((Box::new(tell), Mutex::default()))) }
    }

    /// Reports another stage. Does nothing for the default watch.
    pub fn at(&self, stage: Stage) {
        if let Some((tell, last)) = self.shared.as_deref() {
            *last.lock().unwrap_or_else(PoisonError::into_inner) = Some(stage);
            tell(&stage);
        }
    }

    /// The stage reported last; `None` for the default watch.
    pub fn last(&self) -> Option<Stage> {
        let (_, last) = self.shared.as_deref()?;
        *last.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Watch").field(&self.last()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_stage_is_kept_and_every_one_told() {
        let told = Arc::new(Mutex::new(Vec::new()));
        let list = told.clone();
        let watch = Watch::new(move |stage| list.lock().expect("no panic").push(stage.to_string()));
        let other = watch.clone();
        assert_eq!(watch.last(), None);
        watch.at(Stage { done: 1, of: Some(3), what: "lines read" });
        let stage = Stage { done: 2, of: None, what: "lines sorted" };
        watch.at(stage);
        assert_eq!(other.last(), Some(stage));
        assert_eq!(*told.lock().expect("no panic"), ["1 of 3 lines read", "2 lines sorted"]);
        Watch::default().at(stage);
    }
}
