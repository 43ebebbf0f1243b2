//! `lts generate`.

use super::convert::{format, write_lts};
use super::ended::Ended;
use super::process::{generated, stopped};
use super::process_args::GenerateArgs;
use crate::cli::console::Console;
use crate::cli::exit::Exit;
use crate::cli::refusal::Refusal;
use crate::cli::{progress, settings};
use crate::lts::quotient;
use crate::report::lts::{GenerateRequest, generate_document, generate_text};
use crate::report::to_json;
use std::path::Path;

/// Runs it. A system that is not complete is written, too.
pub fn run(args: &GenerateArgs, console: &Console) -> Result<Exit, Ended> {
    let out = match &args.out {
        Some(path) => Some((path, format(path)?)),
        None => None,
    };
    let on_stdout = args.out.as_deref() == Some(Path::new("-"));
    if on_stdout && args.json {
        return Err(Refusal::message("the system and --json cannot both go to standard output").into());
    }
    let (budget, doubts) = settings::limits(args.input.timeout, args.input.memory);
    let budget = budget.watched(progress::stages(console));
    console.diagnose(&doubts, &Default::default());
    let file = args.input.file.to_string_lossy().into_owned();
    let (generated, sources) = generated(&args.input, &budget)?;
    let (reason, exit) =
        match generated.stopped.as_ref().map(|trouble| stopped(&file, trouble, &sources, &budget)) {
            None => (None, Exit::Fine),
            Some(Ended::Gave { diagnostic, interrupted, .. }) => {
                console.diagnose(std::slice::from_ref(&diagnostic), &Default::default());
                (Some(diagnostic.message), if interrupted { Exit::Interrupted } else { Exit::Undecided })
            }
            Some(refused) => return Err(refused),
        };
    let reduced = args.reduce.then(|| quotient(&generated.lts, &budget)).transpose();
    let reduced = reduced.map_err(|why| Ended::exhausted(&format!("reducing {file}"), why, &budget))?;
    let reduced = reduced.map(|reduced| reduced.lts);
    if let Some((path, format)) = out {
        write_lts(reduced.as_ref().unwrap_or(&generated.lts), path, format, console)?;
    }
    let request = GenerateRequest {
        file: &file,
        generated: &generated.lts,
        unexplored: generated.unexplored.len(),
        reduced: reduced.as_ref(),
        reason: reason.as_deref(),
    };
    if args.json {
        console.print(&to_json(&generate_document(&request)))?;
    } else if !on_stdout {
        console.print(&generate_text(&request))?;
    }
    Ok(exit)
}
