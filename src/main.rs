//! The command-line program over the library.

#![forbid(unsafe_code)]

mod cli;

// Unit tests share the hand-made results of the library's.
#[cfg(test)]
#[path = "../tests/common/fixture.rs"]
mod fixture;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run(std::env::args_os())
}
