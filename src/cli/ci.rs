//! `--junit` and `--sarif`: the files for continuous integration.

use super::args::OutputArgs;
use super::console::Console;
use super::export::write_file;
use super::refusal::UsageError;
use cladist::budget::Budget;
use cladist::report::ci::{Suite, junit, sarif};
use cladist::report::to_json;

pub fn write(args: &OutputArgs, suite: impl Fn() -> Suite, console: &Console) -> Result<(), UsageError> {
    let junit = args.junit.as_ref().map(|path| (path, junit(&suite())));
    let sarif = args.sarif.as_ref().map(|path| (path, to_json(&sarif(&suite()))));
    for (path, text) in junit.into_iter().chain(sarif) {
        write_file(path, &Budget::unlimited(), console.watchdog(), |out| out.write_all(text.as_bytes()))
            .map_err(|error| error.refusal(path))?;
    }
    Ok(())
}
