//! No cycle of files inside a room of `src` beyond parent and child: reads the `use` declarations and paths
//! of every file, follows re-exports to where a name is defined, and looks for cycles.
//!
//! A child may use what its parent defines, and the parent its children. Tests inside files do not count.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// One file of the sources as a module.
#[derive(Debug, Default)]
struct Module {
    /// The modules that it declares.
    children: BTreeSet<String>,
    /// Names that it brings into scope, with the paths that they stand for; `pub use` among them.
    names: BTreeMap<String, Vec<String>>,
    /// Modules all of whose names it brings into scope.
    globs: Vec<Vec<String>>,
    /// Paths from the root that its code uses, re-exports left out.
    used: BTreeSet<Vec<String>>,
}

/// All modules by their paths from the root of the crate; the root itself has the empty path.
type Modules = BTreeMap<Vec<String>, Module>;

#[test]
fn files_form_no_cycles() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let folders = std::fs::read_dir(&src).expect("readable").map(|entry| entry.expect("readable").path());
    let roots = folders.flat_map(|folder| ["lib.rs", "mod.rs"].map(|root| folder.join(root)));
    let (mut seen, mut imports, mut texts) = (0, 0, Vec::new());
    for root in roots.filter(|root| root.exists()) {
        let modules = read_crate(root);
        let edges = edges(&modules);
        seen += modules.len();
        imports += edges.values().map(BTreeSet::len).sum::<usize>();
        texts.extend(cycles(&edges).iter().map(|cycle| describe(cycle, &edges)));
    }
    assert!(seen > 200, "only {seen} modules were found");
    assert!(imports > 500, "the imports were not recognised");
    assert!(texts.is_empty(), "files that import each other:\n{}", texts.join("\n"));
}

#[test]
fn a_cycle_is_found_through_a_re_export() {
    let file = |path: &[&str], text: &str| (owned(path), module(&owned(path), text));
    let modules: Modules = [
        file(&[], "mod room;"),
        file(&["room"], "mod a;\nmod b;\npub use a::A;\npub use b::B;\n"),
        file(&["room", "a"], "use super::B;\npub struct A;"),
        file(&["room", "b"], "use crate::room::{A, other};\npub struct B;"),
    ]
    .into();
    assert_eq!(cycles(&edges(&modules)), [[owned(&["room", "a"]), owned(&["room", "b"])]]);
}

#[test]
fn parents_and_children_may_use_each_other() {
    let file = |path: &[&str], text: &str| (owned(path), module(&owned(path), text));
    let modules: Modules = [
        file(&[], "mod room;"),
        file(&["room"], "mod a;\nmod b;\nuse a::A;\npub struct Own;"),
        file(&["room", "a"], "use super::{Own, b::B};\n#[cfg(test)]\nmod tests { use super::super::b::C; }"),
        file(&["room", "b"], "use super::Own; // super::a::A\n"),
    ]
    .into();
    assert_eq!(cycles(&edges(&modules)), Vec::<Vec<Vec<String>>>::new());
    assert!(edges(&modules)[&owned(&["room", "a"])].contains(&owned(&["room", "b"])));
}

fn owned(path: &[&str]) -> Vec<String> {
    path.iter().map(ToString::to_string).collect()
}

/// The modules of the crate, or room, with this root file.
fn read_crate(root: PathBuf) -> Modules {
    let mut modules = Modules::new();
    let mut open: Vec<(Vec<String>, PathBuf)> = vec![(Vec::new(), root)];
    while let Some((path, file)) = open.pop() {
        let text = std::fs::read_to_string(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        let module = module(&path, &text);
        let named_mod = file.file_name().is_some_and(|name| name == "mod.rs" || name == "lib.rs");
        let folder =
            if named_mod { file.parent().expect("a folder").to_owned() } else { file.with_extension("") };
        for child in &module.children {
            let mut path = path.clone();
            path.push(child.clone());
            let flat = folder.join(child).with_extension("rs");
            let file = if flat.exists() { flat } else { folder.join(child).join("mod.rs") };
            open.push((path, file));
        }
        match modules.get_mut(&path) {
            Some(root) => root.children.extend(module.children),
            None => _ = modules.insert(path, module),
        }
    }
    modules
}

/// Reads one file. What is only compiled for tests is left out: everything from a `#[cfg(test)]` before an inline module
/// on, and a single declaration after one.
fn module(path: &[String], text: &str) -> Module {
    let mut module = Module::default();
    let code = without_tests(text);
    let mut rest = String::new();
    for statement in code.split_inclusive([';', '{', '}']) {
        let trimmed = statement.trim();
        let declaration = trimmed.strip_suffix(';').map(|s| after_visibility(s.trim()));
        match declaration {
            Some(d) if d.starts_with("mod ") => {
                module.children.insert(d["mod ".len()..].trim().to_owned());
            }
            _ => rest.push_str(statement),
        }
    }
    let mut body = String::new();
    let mut at = rest.as_str();
    while let Some(start) = next_use(at) {
        body.push_str(&at[..start.keyword]);
        let end = at[start.keyword..].find(';').map_or(at.len(), |end| start.keyword + end);
        let re_export = start.public;
        for (name, path_used) in use_tree(path, &module.children, &at[start.tree..end]) {
            match name {
                Some(name) => drop(module.names.insert(name, path_used.clone())),
                None => module.globs.push(path_used.clone()),
            }
            if !re_export {
                module.used.insert(path_used);
            }
        }
        at = &at[(end + 1).min(at.len())..];
    }
    body.push_str(at);
    module.used.extend(paths(path, &module.children, &body));
    module
}

/// Where a `use` declaration stands.
struct UseAt {
    keyword: usize,
    tree: usize,
    public: bool,
}

fn next_use(text: &str) -> Option<UseAt> {
    let mut from = 0;
    while let Some(found) = text[from..].find("use ") {
        let keyword = from + found;
        let line = text[..keyword].rfind('\n').map_or(0, |end| end + 1);
        let before = text[line..keyword].trim();
        if before.is_empty() || before.starts_with("pub") && !before.contains(' ') {
            return Some(UseAt { keyword, tree: keyword + "use ".len(), public: !before.is_empty() });
        }
        from = keyword + "use ".len();
    }
    None
}

fn after_visibility(text: &str) -> &str {
    // Attributes and comments of the statement are before its last line.
    let line = text.rsplit('\n').next().unwrap_or(text).trim();
    let line = line.strip_prefix("pub(crate) ").or_else(|| line.strip_prefix("pub(super) ")).unwrap_or(line);
    line.strip_prefix("pub ").unwrap_or(line)
}

fn without_tests(text: &str) -> String {
    let mut code = String::new();
    let mut skip_declaration = false;
    for line in text.lines() {
        let line = line.split("//").next().unwrap_or("");
        let trimmed = line.trim();
        if trimmed.starts_with("#[cfg(test)]") || trimmed.starts_with("#[cfg(all(test") {
            skip_declaration = true;
        } else if skip_declaration && trimmed.starts_with("#[") {
        } else if skip_declaration {
            skip_declaration = false;
            if trimmed.ends_with('{') {
                break;
            }
        } else {
            code.push_str(line);
            code.push('\n');
        }
    }
    code
}

/// The names that a `use` tree brings into scope, each with its path from the root; no name for `*`.
fn use_tree(path: &[String], children: &BTreeSet<String>, tree: &str) -> Vec<(Option<String>, Vec<String>)> {
    let mut found = Vec::new();
    expand(tree.trim(), &[], &mut found);
    found
        .into_iter()
        .filter_map(|(name, segments)| Some((name, resolve(path, children, &segments)?)))
        .collect()
}

fn expand(tree: &str, prefix: &[String], found: &mut Vec<(Option<String>, Vec<String>)>) {
    let tree = tree.trim();
    if let Some(open) = tree.find('{') {
        let mut prefix = prefix.to_vec();
        prefix.extend(tree[..open].split("::").map(str::trim).filter(|s| !s.is_empty()).map(str::to_owned));
        let inner = &tree[open + 1..tree.rfind('}').unwrap_or(tree.len())];
        let (mut depth, mut start) = (0, 0);
        for (at, c) in inner.char_indices().chain([(inner.len(), ',')]) {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 0 => {
                    if !inner[start..at].trim().is_empty() {
                        expand(&inner[start..at], &prefix, found);
                    }
                    start = (at + 1).min(inner.len());
                }
                _ => {}
            }
        }
        return;
    }
    let (target, alias) = match tree.split_once(" as ") {
        Some((target, alias)) => (target, Some(alias.trim().to_owned())),
        None => (tree, None),
    };
    let mut segments = prefix.to_vec();
    segments.extend(target.split("::").map(|s| s.trim().to_owned()).filter(|s| !s.is_empty()));
    match segments.last().map(String::as_str) {
        Some("*") => {
            segments.pop();
            found.push((None, segments));
        }
        Some("self") => {
            segments.pop();
            found.push((alias.or_else(|| segments.last().cloned()), segments));
        }
        Some(last) => found.push((alias.or_else(|| Some(last.to_owned())), segments.clone())),
        None => {}
    }
}

/// A path from the root, if the first segment leads into this crate.
fn resolve(path: &[String], children: &BTreeSet<String>, segments: &[String]) -> Option<Vec<String>> {
    let mut at = match segments.first()?.as_str() {
        "crate" => Vec::new(),
        "self" => path.to_vec(),
        "super" => path[..path.len().checked_sub(1)?].to_vec(),
        child if children.contains(child) => {
            let mut at = path.to_vec();
            at.push(child.to_owned());
            at
        }
        _ => return None,
    };
    for segment in &segments[1..] {
        match segment.as_str() {
            "super" => drop(at.pop()?),
            segment => at.push(segment.to_owned()),
        }
    }
    Some(at)
}

/// The paths in code that begin with `crate`, `self`, `super` or a child module.
fn paths(path: &[String], children: &BTreeSet<String>, code: &str) -> Vec<Vec<String>> {
    let word = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    code.split(|c: char| !word(c))
        .filter(|text| text.contains("::") && !text.starts_with("::"))
        .filter_map(|text| {
            let segments: Vec<String> =
                text.split("::").filter(|s| !s.is_empty()).map(str::to_owned).collect();
            if segments.len() < 2 { None } else { resolve(path, children, &segments) }
        })
        .collect()
}

/// The module that defines what a path names: re-exports are followed.
fn definer(modules: &Modules, path: &[String]) -> Vec<String> {
    let mut path = path.to_vec();
    for _ in 0..16 {
        let longest = (0..=path.len()).rev().find(|&n| modules.contains_key(&path[..n])).unwrap_or(0);
        let module = &modules[&path[..longest]];
        let Some(name) = path.get(longest) else { return path };
        let through_glob = || {
            module
                .globs
                .iter()
                .find(|glob| modules.get(*glob).is_some_and(|m| m.names.contains_key(name)))
                .map(|glob| {
                    let mut target = glob.clone();
                    target.push(name.clone());
                    target
                })
        };
        let Some(mut target) = module.names.get(name).cloned().or_else(through_glob) else {
            return path[..longest].to_vec();
        };
        target.extend_from_slice(&path[longest + 1..]);
        if target == path {
            return path[..longest].to_vec();
        }
        path = target;
    }
    path
}

/// Which files use which others of the same room; a child's use of its parents is left out.
fn edges(modules: &Modules) -> Edges {
    let mut edges: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
    for (path, module) in modules {
        let targets = module.used.iter().map(|used| definer(modules, used));
        let same_room =
            targets.filter(|t| !t.is_empty() && t.first() == path.first() && !path.starts_with(t));
        edges.insert(path.clone(), same_room.collect());
    }
    edges
}

type Edges = BTreeMap<Vec<String>, BTreeSet<Vec<String>>>;

fn reachable<'a>(from: &'a Vec<String>, edges: &'a Edges) -> BTreeSet<&'a Vec<String>> {
    let mut seen = BTreeSet::new();
    let mut open = vec![from];
    while let Some(at) = open.pop() {
        open.extend(edges.get(at).into_iter().flatten().filter(|&to| seen.insert(to)));
    }
    seen
}

/// The strongly connected components of more than one file: the files that reach each other.
fn cycles(edges: &Edges) -> Vec<Vec<Vec<String>>> {
    let reach: BTreeMap<&Vec<String>, BTreeSet<&Vec<String>>> =
        edges.keys().map(|m| (m, reachable(m, edges))).collect();
    let mut cycles: Vec<Vec<Vec<String>>> = Vec::new();
    for (&module, from_here) in &reach {
        if cycles.iter().flatten().any(|m| m == module) {
            continue;
        }
        let back = |other: &&&Vec<String>| reach.get(**other).is_some_and(|r| r.contains(module));
        let component: Vec<Vec<String>> = from_here.iter().filter(back).map(|m| (*m).clone()).collect();
        if component.len() > 1 {
            cycles.push(component);
        }
    }
    cycles
}

fn describe(cycle: &[Vec<String>], edges: &Edges) -> String {
    let mut text = format!("a cycle of {} files:\n", cycle.len());
    for module in cycle {
        let used: Vec<String> =
            edges[module].iter().filter(|to| cycle.contains(to)).map(|to| to.join("::")).collect();
        text.push_str(&format!("  {} uses {}\n", module.join("::"), used.join(", ")));
    }
    text
}
