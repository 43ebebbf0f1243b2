//! The obligation of a job's record: its result is that of the job.

use super::Stored;
use super::document::{CheckVerdict, ClassifyVerdict, Job, LengthsWord, StoredResult};
use super::obligation::Obligation;

/// Returns the obligation that a record is whole, and that its result is that of its job.
pub(super) fn obligation(stored: &Stored, job: &Job) -> Obligation {
    let claim = "the record of the job is whole, and the result is that of the job";
    Obligation::evaluated("job", claim, job.is_whole.clone().and_then(|()| right(stored, job)))
}

fn right(stored: &Stored, Job { job, exit_code, .. }: &Job) -> Result<(), String> {
    let differs = |what: &str| Err(format!("the {what} of the job is another one"));
    let (property, vocabulary, bound, lengths, verdict) = match &stored.result {
        StoredResult::Classify(of) => {
            let vocabulary = of.chosen.is_none().then_some(&of.vocabulary);
            (Some(&of.property), vocabulary, Some(of.bound), Some(of.lengths), codes(of.verdict))
        }
        StoredResult::Lassos(of) => {
            let vocabulary = of.declaration.is_none().then_some(&of.vocabulary);
            (Some(&of.property), vocabulary, Some(of.bound), None, codes(of.verdict))
        }
        StoredResult::Causes(_) => return Err("a job has no causes".into()),
        StoredResult::Check(of) => (None, None, of.bound, of.lengths, codes_of_check(of.verdict)),
    };
    if property.is_some_and(|property| *property != job.property) {
        return differs("property");
    }
    if vocabulary.is_some_and(|vocabulary| *vocabulary != job.vocabulary) {
        return differs("vocabulary");
    }
    if !job.unbounded && bound != job.bound {
        return differs("bound");
    }
    if lengths.is_some_and(|lengths| (lengths == LengthsWord::Exactly) != job.exact) {
        return differs("meaning of the bound");
    }
    let mut given: Vec<String> = stored.set.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let mut wanted = job.constants.clone();
    given.sort_unstable();
    wanted.sort_unstable();
    if given != wanted {
        return differs("list of constants");
    }
    match exit_code.is_some_and(|code| verdict.contains(&code)) {
        true => Ok(()),
        false => Err("the exit code and the verdict do not match".into()),
    }
}

/// Returns the exit codes of a verdict.
fn codes(verdict: ClassifyVerdict) -> &'static [i32] {
    match verdict {
        ClassifyVerdict::Holds | ClassifyVerdict::HoldsUnbounded => &[0],
        ClassifyVerdict::Complete | ClassifyVerdict::CompleteUnbounded => &[10],
        ClassifyVerdict::Partial => &[11],
        ClassifyVerdict::Remainder | ClassifyVerdict::TooWeak => &[12],
        ClassifyVerdict::Undecided => &[5, 130],
    }
}

fn codes_of_check(verdict: CheckVerdict) -> &'static [i32] {
    match verdict {
        CheckVerdict::Checked | CheckVerdict::Holds => &[0],
        CheckVerdict::Violated => &[10],
        CheckVerdict::Partial => &[11],
        CheckVerdict::Undecided => &[5, 130],
    }
}
