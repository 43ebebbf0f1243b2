//! The label names of a producer of steps.

use super::program::Called;

/// The label names of one producer, with the numbers of those that were needed.
#[derive(Default)]
pub struct LabelNames(Vec<(Called, Option<u32>)>);

impl LabelNames {
    /// Adds labels that the producer has numbered.
    pub fn extend(&mut self, called: impl Iterator<Item = Called>) {
        self.0.extend(called.map(|called| (called, None)));
    }

    /// Returns the number of a label, which is looked up once.
    pub fn number(&mut self, label: u32, look_up: impl FnOnce(&Called) -> u32) -> u32 {
        let (called, number) = &mut self.0[label as usize];
        *number.get_or_insert_with(|| look_up(called))
    }
}
