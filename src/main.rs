//! The command-line program; everything is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    cladist::cli::run(std::env::args_os())
}
