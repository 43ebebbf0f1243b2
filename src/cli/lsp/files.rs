//! The models, libraries and components around a text: those that import it, open in the editor or stored beside it.

use super::OpenText;
use cladist::diagnostics::{TEXT_LIMIT, read_text};
use cladist::model::import_root;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The most stored files that are read.
const MOST_FILES: usize = 5_000;

/// The greatest depth of folders that are searched.
const MOST_FOLDERS: usize = 8;

/// Returns the texts that may use a name of a file: that of the file, and those that import it, directly or indirectly.
/// Open texts are taken from the editor.
pub fn importing(path: &Path, open: &BTreeMap<PathBuf, OpenText>) -> BTreeMap<PathBuf, String> {
    let mut texts: BTreeMap<PathBuf, String> = BTreeMap::new();
    if let Some(root) = root_of(path) {
        let mut paths = BTreeSet::new();
        collect(&root, MOST_FOLDERS, &mut paths);
        for path in paths {
            if let Ok(text) = read_text(&path, TEXT_LIMIT) {
                texts.insert(path, text);
            }
        }
    }
    texts.extend(open.iter().map(|(path, document)| (path.clone(), document.text.clone())));
    let mut found = BTreeSet::from([path.to_path_buf()]);
    loop {
        // A path in an import ends with the name of the file, after any folders.
        let names: Vec<String> = found
            .iter()
            .filter_map(|path| path.file_name().and_then(|name| name.to_str()))
            .flat_map(|name| [format!("/{name}\""), format!("\"{name}\"")])
            .collect();
        let imports = |text: &str| names.iter().any(|name| text.contains(name.as_str()));
        let more: Vec<PathBuf> = texts
            .iter()
            .filter(|(path, text)| !found.contains(*path) && imports(text))
            .map(|(path, _)| path.clone())
            .collect();
        if more.is_empty() {
            break;
        }
        found.extend(more);
    }
    texts.retain(|path, _| found.contains(path));
    texts
}

/// Returns the root folder of a file's imports, under the name in the path of the file, which may lead over symbolic
/// links.
fn root_of(path: &Path) -> Option<PathBuf> {
    let root = import_root(path)?;
    let is_root = |folder: &&Path| folder.canonicalize().is_ok_and(|folder| folder == root);
    Some(path.ancestors().skip(1).find(is_root).map_or_else(|| root.clone(), Path::to_path_buf))
}

/// Collects the models and libraries in a folder and its subfolders, except hidden folders and those of built files.
fn collect(folder: &Path, depth: usize, found: &mut BTreeSet<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        let Some(name) = name.to_str() else { continue };
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if is_folder && depth > 0 && !name.starts_with('.') && name != "target" && name != "node_modules" {
            collect(&path, depth - 1, found);
        } else if !is_folder
            && (name.ends_with(".sts") || name.ends_with(".pred"))
            && found.len() < MOST_FILES
        {
            found.insert(path);
        }
    }
}
