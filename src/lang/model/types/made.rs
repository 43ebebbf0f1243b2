//! Records that formulas make and nothing declares: collections that have grown, and records that contain them.

use super::{RecordDecl, RecordId};
use std::sync::{Arc, OnceLock};

/// A list that only grows, so that what is checked in the context of a model can add to what the model has: copies share it.
#[derive(Debug, Clone, Default)]
pub struct MadeRecords(Arc<Link>);

#[derive(Debug, Default)]
struct Link(OnceLock<Box<Node>>);

#[derive(Debug)]
struct Node {
    /// The declared record that this one is where collections in its fields have grown beyond their types.
    of: Option<RecordId>,
    decl: RecordDecl,
    next: Link,
}

impl MadeRecords {
    fn node(&self, index: u32) -> Option<&Node> {
        let nodes = std::iter::successors(self.0.0.get(), |node| node.next.0.get());
        nodes.map(|node| &**node).nth(index as usize)
    }

    /// The record at an index.
    pub fn get(&self, index: u32) -> Option<&RecordDecl> {
        Some(&self.node(index)?.decl)
    }

    /// The declared record that the one at an index is a larger form of.
    pub fn declared(&self, index: u32) -> Option<RecordId> {
        self.node(index)?.of
    }

    /// The index of a record; it is added unless there is the same one.
    pub fn index_of(&self, of: Option<RecordId>, decl: RecordDecl) -> u32 {
        let (mut link, mut made) = (&*self.0, Some(decl));
        for index in 0.. {
            let node = link.0.get_or_init(|| {
                let decl = made.take().unwrap_or_else(|| unreachable!("it is added once"));
                Box::new(Node { of, decl, next: Link::default() })
            });
            match &made {
                Some(decl) if !node.is(of, decl) => link = &node.next,
                _ => return index,
            }
        }
        unreachable!("the list has an end")
    }
}

impl Node {
    /// True if it has the same values.
    fn is(&self, of: Option<RecordId>, decl: &RecordDecl) -> bool {
        self.of == of && self.decl.collection == decl.collection && self.decl.fields == decl.fields
    }
}
