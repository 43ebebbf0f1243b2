//! The names of a text that is being edited.

use super::{LoadOptions, Reader, read_edited, root_of};
use crate::model::check;
use crate::model::names::Names;
use crate::syntax::ast::FileKind;
use rustc_hash::FxHashMap;
use std::path::Path;

/// The names of a model, library or component and of what it imports, from a text that is being edited; see
/// [`load_edited`](super::load_edited). Mistakes are no errors here: what cannot be read has no names, and if the budget ends, or the text is a
/// component, it is not known which records fields belong to.
pub fn names_edited(
    path: &Path,
    text: &str,
    options: &LoadOptions<'_>,
    edited: &dyn Fn(&Path) -> Option<String>,
) -> Names {
    let Ok(root) = root_of(path, options.root) else { return Names::default() };
    let read = |file: &Path| read_edited(&root, file, edited);
    let mut reader = Reader::new(&read, options.budget.clone());
    reader.read_root(&path.to_string_lossy(), text);
    let Reader { files, sources, exhausted, .. } = reader;
    let kind = files.first().and_then(|file| file.tree.header.as_ref()).map(|header| header.kind);
    let owners = match (exhausted, kind) {
        (Some(_), _) => FxHashMap::default(),
        (None, Some(FileKind::Library)) => {
            check::check_library(&files, &sources, &options.budget).field_owners
        }
        (None, _) => check::check_model(&files, &sources, &[], &options.budget).field_owners,
    };
    Names::new(&files, sources, owners)
}
