//! AUT, the textual format of CADP, mCRL2 and others: a header `des (initial, transitions, states)` and a
//! line `(from, label, to)` for each transition.

pub mod line;
mod lines;
mod mistakes;
pub mod packing;
mod read;

pub use line::AutFault;
pub use lines::{LineConsumer, pass};
pub use mistakes::Mistakes;
pub use packing::Packed;
pub use read::{ReadError, ReadOptions, read};

use super::graph::{Lts, LtsTransition};
use std::io::{self, Write};

/// Writes a system; equal systems give equal texts.
pub fn write(lts: &Lts, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "des ({}, {}, {})", lts.initial(), lts.transitions(), lts.declared_states())?;
    for LtsTransition { from, label, to } in lts.all_transitions() {
        write!(out, "({from}, ")?;
        write_label(lts.labels().get(label), out)?;
        writeln!(out, ", {to})")?;
    }
    Ok(())
}

/// Writes a label: as it is if it is an identifier or `*`, else between quotes.
pub fn write_label(label: &[u8], out: &mut dyn Write) -> io::Result<()> {
    let identifier = label.first().is_some_and(|b| b.is_ascii_alphabetic() || *b == b'_')
        && label.iter().all(|b| b.is_ascii_alphanumeric() || *b == b'_');
    if identifier || label == b"*" {
        return out.write_all(label);
    }
    out.write_all(b"\"")?;
    out.write_all(label)?;
    out.write_all(b"\"")
}
