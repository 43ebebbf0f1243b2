//! The arguments of `cladist batch`.

use crate::cli::limits::CommandLimits;
use crate::cli::values::{parse_bytes, parse_count, parse_duration, parse_number};
use clap::{Args, ValueHint};
use std::path::PathBuf;
use std::time::Duration;

const EXAMPLES: &str = "\
Examples:
  cladist batch plans/bounds.toml --list            the jobs and their numbers
  cladist batch plans/bounds.toml --jobs 2          run jobs without a result
  cladist batch plans/bounds.toml --out r --job 7   run one job, as Slurm does
  cladist batch plans/bounds.toml --out r --merge   tables of stored results";

const DETAILS: &str = "\
A plan in TOML:
  [settings]                          # optional, for each job
  solver = \"cadical\"                  # also memory, exact, max_classes,
  timeout = \"60s\"                     # max_states, keep_redundant, verify

  [[classify]]                        # all combinations of:
  models = [\"../specs/mutex.sts\"]     # relative to the plan
  properties = [\"exclusion\"]          # default: the first one of each model
  vocabularies = [\"steps\", \"states\"]  # default: the first one of each model
  bounds = { from = 2, to = 12, step = 2 }  # or a list
  unbounded = false                   # true: every length; bounds optional
  count = true                        # count the violating traces
  constants = [[], [\"FIXED=true\"]]    # sets of --set values; optional
  environment = \"send\"                # as --environment; optional
  ground = \"Session\"                  # as --ground; optional

  [[classify]]
  models = [\"../specs/protocols\"]     # protocol files, or their folders
  claims = \"all\"                      # or labels; no bounds needed

Results go to DIR/results, one file per job, named after everything that the job depends on. The same \
command therefore continues where it was stopped, and a job whose plan or model has changed is run again. A stored \
result that was edited or damaged is refused.

Exit codes:
    0  all jobs have a complete result, whatever their verdicts
   11  some jobs are missing, failed, or lack a part of their result: partial,
       undecided, not proved for every length, not counted
    5  stopped by --timeout or --memory before any result
    2  bad command line, plan or model
   70  internal error
  130  interrupted before any result";

/// `batch`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, after_long_help = format!("{DETAILS}\n\n{EXAMPLES}"))]
pub struct BatchArgs {
    /// The plan (TOML)
    #[arg(value_name = "PLAN.toml", value_hint = ValueHint::FilePath)]
    pub plan: PathBuf,
    /// The folder for results [default: PLAN.results beside the plan]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub out: Option<PathBuf>,
    /// Run up to N jobs at a time, each in its own process [default: the number of processors]
    #[arg(long, value_name = "N", value_parser = parse_count, allow_negative_numbers = true)]
    pub jobs: Option<usize>,
    /// Root folder of imports [default: nearest folder at or above the model with `predicates` or a repository]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub root: Option<PathBuf>,
    /// Only print the jobs with their numbers
    #[arg(long, conflicts_with_all = ["jobs", "job", "chunk", "merge"])]
    pub list: bool,
    /// Run only job I [default: the value of SLURM_ARRAY_TASK_ID or HQ_TASK_ID]
    #[arg(long, value_name = "I", num_args = 0..=1, value_parser = parse_number::<usize>, allow_negative_numbers = true)]
    pub job: Option<Option<usize>>,
    /// Run every C-th job, starting at that of --job or the environment
    #[arg(long, value_name = "C", value_parser = parse_count, allow_negative_numbers = true)]
    pub chunk: Option<usize>,
    /// Only write the tables of the stored results
    #[arg(long, conflicts_with_all = ["jobs", "job", "chunk"])]
    pub merge: bool,
    /// Print one JSON document and nothing else on standard output
    #[arg(long)]
    pub json: bool,
    /// Time limit (90, 10s, 5m, 1h); the result is then partial
    ///
    /// All jobs are stopped, and the tables so far are written.
    /// The time limit of a single job is a setting of the plan.
    #[arg(long, value_name = "TIME", value_parser = parse_duration, allow_negative_numbers = true)]
    pub timeout: Option<Duration>,
    /// Memory limit (500M, 2G); the result is then partial
    ///
    /// All jobs are stopped when batch itself uses this memory. It holds the models of the plan and the stored results. The memory limit of a single job is a setting of
    /// the plan.
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes, allow_negative_numbers = true)]
    pub memory: Option<u64>,
}

impl BatchArgs {
    /// Returns the limits of the whole batch.
    pub fn limits(&self) -> CommandLimits {
        CommandLimits { timeout: self.timeout, memory: self.memory, threads: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cladist::batch::read_plan;
    use cladist::diagnostics::SourceMap;

    #[test]
    fn the_plan_of_the_help_text_is_in_order() {
        let plan = DETAILS.split("Results go to").next().unwrap_or_default();
        let lines: Vec<&str> = plan.lines().filter_map(|line| line.strip_prefix("  ")).collect();
        let text = lines.join("\n");
        let (plan, problems) = read_plan(SourceMap::new().add("plan.toml", &text), &text);
        assert_eq!(problems, [], "{text}");
        assert_eq!(plan.groups.len(), 2);
        assert!(plan.settings.timeout_ms.is_some());
    }
}
