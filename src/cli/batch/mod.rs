//! `cladist batch`: a plan of many classifications, run here or by the scheduler of a cluster.

mod args;
mod jobs;
mod pool;
mod store;

use super::console::Console;
use super::exit::Exit;
use super::refusal::UsageError;
use super::settings;
pub use args::BatchArgs;
use cladist::batch::{
    JobState, Summary, SummaryRow, batch_document, changes_text, job_line, jobs_document, jobs_text,
    table_text,
};
use cladist::budget::{Budget, Exhausted};
use cladist::diagnostics::Diagnostic;
use cladist::report::to_json;
use jobs::BatchJob;
use pool::JobEnd;
use store::PlanStore;

pub fn run(args: &BatchArgs, console: &Console) -> Result<Exit, UsageError> {
    let (budget, doubts) = settings::limits(args.limits());
    console.diagnose(&doubts, &Default::default());
    console.watchdog().wait_for_jobs();
    let jobs = jobs::load(&args.plan, args.root.as_deref())?;
    let store = PlanStore::new(args.out.as_deref(), &args.plan);
    let plan = args.plan.to_string_lossy();
    if args.list {
        let rows: Vec<SummaryRow> = jobs.iter().map(|job| store.row(job).0).collect();
        let commands = jobs.iter().map(BatchJob::command_line).collect();
        let document = || to_json(&jobs_document(&plan, &rows, commands));
        console.print(&if args.json { document() } else { jobs_text(&rows) })?;
        return Ok(Exit::Fine);
    }
    let all = args.job.is_none() && args.chunk.is_none();
    let chosen: Vec<&BatchJob> = if all { jobs.iter().collect() } else { choose(args, &jobs)? };
    if !args.merge {
        run_missing(&chosen, args.jobs, &store, &budget, console)?;
    }
    // Later limits and interrupts do not end the writing of tables.
    let stopped = budget.exhausted();

    let (rows, doubts): (Vec<SummaryRow>, Vec<Option<Diagnostic>>) =
        chosen.iter().map(|job| store.row(job)).unzip();
    console.diagnose(&doubts.into_iter().flatten().collect::<Vec<_>>(), &Default::default());
    let models: Vec<_> = chosen.iter().map(|job| job.model.as_ref()).collect();
    let summary = Summary::new(plan.into_owned(), rows, &models);
    if all {
        store.write_tables(&summary, console)?;
    }
    let text = || match all {
        true => format!("{}\nclasses from bound to bound\n{}", table_text(&summary), changes_text(&summary)),
        false => table_text(&summary),
    };
    console.print(&if args.json { to_json(&batch_document(&summary)) } else { text() })?;
    Ok(exit(&summary, stopped))
}

fn exit(summary: &Summary, stopped: Option<Exhausted>) -> Exit {
    let unfinished = summary.missing() + summary.failed();
    let nothing = unfinished == summary.rows.len();
    match (unfinished + summary.partial(), stopped) {
        (0, _) => Exit::Fine,
        (_, Some(Exhausted::Interrupt)) if nothing => Exit::Interrupted,
        (_, Some(_)) if nothing => Exit::Undecided,
        _ => Exit::Partial,
    }
}

/// Returns the jobs of `--job` and `--chunk`.
fn choose<'j>(args: &BatchArgs, jobs: &'j [BatchJob]) -> Result<Vec<&'j BatchJob>, UsageError> {
    let first = match args.job.flatten() {
        Some(index) => index,
        None => from_environment()?,
    };
    let help = |message: String, help: String| Diagnostic::error_without_place(message).with_help(help);
    match args.chunk {
        Some(chunk) if first >= chunk => {
            let message = format!("job {first} is not the first of a chunk of {chunk}");
            Err(help(message, format!("with --chunk {chunk}, I ranges from 0 to {}", chunk - 1)).into())
        }
        // There may be more chunks than jobs.
        Some(chunk) => Ok(jobs.iter().skip(first).step_by(chunk).collect()),
        None => jobs.get(first).map(|job| vec![job]).ok_or_else(|| {
            let message = format!("there is no job {first}");
            help(message, format!("the plan has {} jobs, numbered from 0 to {}", jobs.len(), jobs.len() - 1))
                .into()
        }),
    }
}

/// Returns the number that the scheduler gave to this task of an array.
fn from_environment() -> Result<usize, UsageError> {
    const VARIABLES: [&str; 2] = ["SLURM_ARRAY_TASK_ID", "HQ_TASK_ID"];
    let set = VARIABLES.iter().find_map(|name| Some((name, std::env::var(name).ok()?)));
    let Some((name, value)) = set else {
        let message =
            "no job is selected: --job and --chunk were given no number, and this is not a task of an array";
        let help = format!("write --job I, or set {}", VARIABLES.join(" or "));
        return Err(Diagnostic::error_without_place(message).with_help(help).into());
    };
    value
        .parse()
        .map_err(|_| UsageError::message(format!("{name} is `{value}`, which is not the number of a job")))
}

/// Runs the jobs without a result, including failed ones, and reports how each of them ended.
fn run_missing(
    chosen: &[&BatchJob],
    workers: Option<usize>,
    store: &PlanStore,
    budget: &Budget,
    console: &Console,
) -> Result<(), UsageError> {
    let results = store.results(console)?;
    let missing: Vec<&BatchJob> =
        chosen.iter().filter(|job| !matches!(store.row(job).0.state, JobState::Done(_))).copied().collect();
    let processors = || std::thread::available_parallelism().map_or(1, usize::from);
    let width = missing.len().to_string().len();
    let mut count = 0;
    let pages = |job: &BatchJob| store.pages(job);
    pool::run(&missing, workers.unwrap_or_else(processors), budget, pages, |job, ended| {
        count += 1;
        let said = match ended {
            JobEnd::Record(record) => {
                store::write(&results, &record)?;
                let state = store::state(&record).unwrap_or_else(JobState::Failed);
                job_line(&SummaryRow { index: job.index, key: job.key.clone(), state })
            }
            JobEnd::Stopped => {
                job_line(&SummaryRow { index: job.index, key: job.key.clone(), state: JobState::Missing })
            }
            JobEnd::Changed => {
                format!(
                    "{}: the model changed during the run, so the job has no result; run it again",
                    job.key.label()
                )
            }
        };
        console.say(&format!("{count:>width$}/{} {said}\n", missing.len()));
        Ok(())
    })
}
