//! Interned labels.

use kit::index;
use kit::number::{to_u32, to_usize};
use rustc_hash::FxHasher;
use std::borrow::Cow;
use std::hash::Hasher;

index! {
    /// A label of a system.
    LabelId
}

/// The distinct labels of a system, numbered from 0 in the order of their first occurrence.
///
/// A label is a byte string, because files use UTF-8 or Latin-1, and are written as they were read.
#[derive(Debug, Clone, Default)]
pub struct Labels {
    bytes: Vec<u8>,
    /// The end of each label in `bytes`.
    ends: Vec<usize>,
    /// A hash table with open addressing: numbers plus one, 0 where a slot is free. Its length is a power
    /// of two, and at most half of it is used.
    slots: Vec<u32>,
}

impl Labels {
    /// The number of labels.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// True if there are no labels.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The index of a label, which is added if it is new.
    ///
    /// # Panics
    /// If there are 2³² distinct labels.
    pub fn intern(&mut self, label: &[u8]) -> LabelId {
        if self.ends.len() * 2 >= self.slots.len() {
            self.grow();
        }
        let slot = self.slot(label);
        match self.slots[slot] {
            0 => {
                let new = LabelId::new(self.ends.len());
                self.bytes.extend_from_slice(label);
                self.ends.push(self.bytes.len());
                self.slots[slot] = new.to_u32() + 1;
                new
            }
            taken => LabelId(taken - 1),
        }
    }

    /// The index of a label, if it was added before.
    pub fn find(&self, label: &[u8]) -> Option<LabelId> {
        if self.slots.is_empty() {
            return None;
        }
        self.slots[self.slot(label)].checked_sub(1).map(LabelId)
    }

    /// The bytes of a label.
    pub fn get(&self, label: LabelId) -> &[u8] {
        let at = label.index();
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.bytes[start..self.ends[at]]
    }

    /// A label as text: UTF-8 if valid, else Latin-1.
    pub fn text(&self, label: LabelId) -> Cow<'_, str> {
        as_text(self.get(label))
    }

    /// The indices of all labels, ascending.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = LabelId> + Clone + use<> {
        (0..to_u32(self.len())).map(LabelId)
    }

    /// True if a label is the invisible action: `i` as CADP writes it, or `tau` as mCRL2 does.
    pub fn is_invisible(&self, label: LabelId) -> bool {
        matches!(self.get(label), b"i" | b"tau")
    }

    /// The slot of a label, or the free one where it belongs.
    fn slot(&self, label: &[u8]) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = hash(label) & mask;
        loop {
            match self.slots[at] {
                0 => return at,
                taken if self.get(LabelId(taken - 1)) == label => return at,
                _ => at = (at + 1) & mask,
            }
        }
    }

    fn grow(&mut self) {
        self.slots = vec![0; (self.slots.len() * 2).max(64)];
        for label in self.ids() {
            let slot = self.slot(self.get(label));
            self.slots[slot] = label.0 + 1;
        }
    }
}

/// Bytes as text: UTF-8 if valid, else Latin-1.
pub fn as_text(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => bytes.iter().map(|&b| char::from(b)).collect::<String>().into(),
    }
}

fn hash(label: &[u8]) -> usize {
    let mut hasher = FxHasher::default();
    hasher.write(label);
    to_usize(hasher.finish() & usize::MAX as u64)
}
