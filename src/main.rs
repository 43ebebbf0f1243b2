//! The command-line program over the library.

#![forbid(unsafe_code)]

mod cli;

// Unit tests share the hand-made results of the library's.
#[cfg(test)]
#[path = "../tests/common/fixture.rs"]
mod fixture;

use std::process::ExitCode;

/// Solvers allocate and free many small pieces: a tenth of the time of a classification is saved by this one.
#[cfg(target_os = "linux")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    cli::run(std::env::args_os())
}
