//! What can be typed after `cladist batch`.

use crate::cli::settings::{parse_count, parse_number};
use clap::{Args, ValueHint};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  cladist batch plans/bounds.toml --list            the jobs and their numbers
  cladist batch plans/bounds.toml --jobs 2          what has no result yet
  cladist batch plans/bounds.toml --out r --job 7   one job, as Slurm does
  cladist batch plans/bounds.toml --out r --merge   the table of what there is";

const DETAILS: &str = "\
A plan in TOML:
  [settings]                          # all optional
  solver = \"cadical\"                  # also memory, exact, max_classes,
  timeout = \"60s\"                     # max_states, keep_redundant, verify

  [[classify]]                        # all combinations of:
  models = [\"../specs/mutex.sts\"]     # relative to the plan
  properties = [\"exclusion\"]          # if left out, the first one of each model
  vocabularies = [\"steps\", \"states\"]  # if left out, the first one of each model
  bounds = { from = 2, to = 12, step = 2 }  # or a list
  unbounded = false                   # true: every length; bounds optional
  count = true                        # the numbers of violating traces
  constants = [[], [\"FIXED=true\"]]    # sets as of --set; may be left out

Results go to DIR/results, one file a job, named after all that the job depends on, so that the same \
command goes on where it was stopped, and a job whose plan or model has changed is run again.

Exit codes:
    0  all jobs ran to their end, whatever their verdicts
   11  some are missing, failed, or lack what was asked: partial,
       undecided, not for every length, without numbers
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
    /// Where the results are; PLAN.results beside the plan if not given
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub out: Option<PathBuf>,
    /// Run up to N jobs at a time, each in a process of its own; as many as there are processors if not
    /// given
    #[arg(long, value_name = "N", value_parser = parse_count, allow_negative_numbers = true)]
    pub jobs: Option<usize>,
    /// Imports of models have to come from this folder or below; if not given, from the nearest folder at or above each
    /// model that has a folder `predicates` or is the root of a repository, or else its own folder
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub root: Option<PathBuf>,
    /// Only print the jobs with their numbers
    #[arg(long, conflicts_with_all = ["jobs", "job", "chunk", "merge"])]
    pub list: bool,
    /// Only run job I; without I the one that SLURM_ARRAY_TASK_ID or else HQ_TASK_ID names
    #[arg(long, value_name = "I", num_args = 0..=1, value_parser = parse_number::<usize>, allow_negative_numbers = true)]
    pub job: Option<Option<usize>>,
    /// Only run every C-th job, from the one that --job or the environment names
    #[arg(long, value_name = "C", value_parser = parse_count, allow_negative_numbers = true)]
    pub chunk: Option<usize>,
    /// Run nothing, and make the tables of the results that there are
    #[arg(long, conflicts_with_all = ["jobs", "job", "chunk"])]
    pub merge: bool,
    /// Print one JSON document and nothing else on standard output
    #[arg(long)]
    pub json: bool,
}
