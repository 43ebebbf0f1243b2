//! Definitions that could not be read, and missing types. Mistakes that may only follow from these are not reported.

use super::Checker;
use super::types::Channel;
use crate::process::program::{TypeId, TypeKind};
use crate::process::text::tree::{File, Lost, Name};

impl Checker {
    /// Declares types and channels whose definitions could not be read as unknown ones.
    pub(super) fn declare_lost(&mut self, files: &[File]) {
        self.lost = files.iter().flat_map(|file| &file.lost).cloned().collect();
        for Lost { word, name } in self.lost.clone() {
            let Some(name) = name else { continue };
            match word {
                "type" if !self.type_names.contains_key(&name.key) => {
                    let of = self.vague_type(&name);
                    self.type_names.insert(name.key, of);
                }
                "channel" => _ = self.channels.entry(name.key).or_insert(Channel::Any),
                _ => {}
            }
        }
    }

    /// Adds an unknown type with this name.
    pub(super) fn vague_type(&mut self, name: &Name) -> TypeId {
        let of = self.add_type(name.shown.clone(), TypeKind::Constructed(Vec::new()));
        self.vague.push(of);
        of
    }

    /// Whether a definition with one of these keywords could not be read.
    pub(super) fn lacks(&self, words: &[&str]) -> bool {
        self.lost.iter().any(|lost| lost.word.is_empty() || words.contains(&lost.word))
    }

    /// Whether there is an unreadable definition with one of these keywords that may have this name.
    pub(super) fn lacks_named(&self, words: &[&str], key: &str) -> bool {
        let may_be = |lost: &&Lost| lost.name.as_ref().is_none_or(|name| name.key == key);
        self.lost.iter().filter(may_be).any(|lost| lost.word.is_empty() || words.contains(&lost.word))
    }

    /// Whether an unknown name may belong to a definition that could not be read; `what` is the expected kind.
    pub(super) fn may_be_lost(&self, what: &str, key: &str) -> bool {
        match what {
            "type" | "channel" => self.lacks_named(&[what], key),
            "gate or process" => self.lacks_named(&["process"], key),
            "variable" | "gate" => false,
            // The definition of a type also introduces constructors and functions.
            _ => self.lacks(&["type"]) || self.lacks_named(&["function"], key),
        }
    }

    /// Whether a type is unknown.
    pub(super) fn is_vague(&self, of: TypeId) -> bool {
        self.vague.contains(&of)
    }
}
