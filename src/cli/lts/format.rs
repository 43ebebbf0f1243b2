//! The formats of explicit systems, by the names of files.

use crate::cli::refusal::Refusal;
use cladist::diagnostics::Diagnostic;
use std::path::Path;

/// A format that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// AUT: any file with another name.
    Aut,
    /// AUT with tags, for the viewer of CLEAR.
    Tagged,
    /// FSM of mCRL2.
    Fsm,
    /// A graph in the DOT language of Graphviz.
    Dot,
}

impl Format {
    /// The format of a file, possibly compressed.
    ///
    /// # Errors
    /// If it is one that other programs convert; the help is the command that does.
    pub fn of(file: &Path) -> Result<Self, Refusal> {
        let name = file.to_string_lossy();
        let lower = name.to_lowercase();
        let stem = |ending: &str| &name[..name.len() - ending.len()];
        let refuse = |message: String, command: String| -> Result<Self, Refusal> {
            Err(Diagnostic::error_without_place(message).with_help(format!("convert it: {command}")).into())
        };
        let ends = |ending: &str| lower.ends_with(ending);
        if ends(".bcg") {
            let command = format!("bcg_io '{name}' '{}.aut'", stem(".bcg"));
            return refuse(format!("{name} is in BCG, the binary format of CADP"), command);
        }
        if ends(".lts") {
            let command = format!("ltsconvert '{name}' '{}.aut'", stem(".lts"));
            return refuse(format!("{name} is in LTS, the binary format of mCRL2"), command);
        }
        if ends(".xz") {
            let message = format!("{name} is compressed, and only gzip, bzip2 and zstd are understood");
            return refuse(message, format!("xz -dk '{name}'"));
        }
        let packed = [".gz", ".bz2", ".zst"].iter().find_map(|ending| lower.strip_suffix(ending));
        let plain = packed.unwrap_or(&lower);
        Ok(match () {
            () if plain.ends_with(".fsm") => Format::Fsm,
            () if plain.ends_with(".autx") => Format::Tagged,
            () if plain.ends_with(".dot") || plain.ends_with(".gv") => Format::Dot,
            () => Format::Aut,
        })
    }
}
