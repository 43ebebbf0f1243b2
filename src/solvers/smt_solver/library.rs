//! z3 as a library of the system, in this process.

use super::values::{ScriptSymbol, SymbolSort};
use super::{NoAnswer, SmtAnswer};
use kit::budget::Budget;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;
use z3::ast::{BV, Bool, Int};
use z3::{Config, Context, Model, SatResult, Solver, with_z3_config};

/// How long it is waited between two looks at the budget.
const PAUSE: Duration = Duration::from_millis(5);

/// Asks about a script, and for the values of symbols if it has a model.
///
/// # Errors
/// If the budget ends, or the library does not read the script as it is.
pub fn ask(
    script: &str,
    symbols: &[ScriptSymbol],
    budget: &Budget,
) -> Result<(SmtAnswer, Vec<i128>), NoAnswer> {
    with_z3_config(&Config::new(), || {
        let solver = Solver::new();
        solver.from_string(script);
        // A script that the library does not understand leaves no trace but that its assertions are not there.
        let written = script.lines().filter(|line| line.starts_with("(assert ")).count();
        if solver.get_assertions().len() != written {
            return Err(NoAnswer::Failed("it does not understand the script".into()));
        }
        match watched(&solver, budget) {
            SatResult::Unsat => Ok((SmtAnswer::Unsat, Vec::new())),
            SatResult::Unknown => match budget.exhausted() {
                Some(why) => Err(NoAnswer::Exhausted(why)),
                None => Ok((SmtAnswer::Unknown, Vec::new())),
            },
            SatResult::Sat => {
                let model = solver.get_model();
                let values = model.and_then(|model| symbols.iter().map(|s| value(&model, s)).collect());
                let values =
                    values.ok_or_else(|| NoAnswer::Failed("its values are not understood".into()))?;
                Ok((SmtAnswer::Sat, values))
            }
        }
    })
}

/// Checks, and interrupts that when the budget ends.
fn watched(solver: &Solver, budget: &Budget) -> SatResult {
    let context = Context::thread_local();
    let handle = context.handle();
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                if budget.exhausted().is_some() {
                    handle.interrupt();
                }
                thread::sleep(PAUSE);
            }
        });
        let answer = solver.check();
        done.store(true, Ordering::Relaxed);
        answer
    })
}

fn value(model: &Model, symbol: &ScriptSymbol) -> Option<i128> {
    let name = symbol.name.as_str();
    match symbol.sort {
        SymbolSort::Bool => model.eval(&Bool::new_const(name), true)?.as_bool().map(i128::from),
        SymbolSort::Int => {
            model.eval(&Int::new_const(name), true)?.to_string().replace(['(', ')', ' '], "").parse().ok()
        }
        SymbolSort::Bits(width) => {
            let value = model.eval(&BV::new_const(name, width), true)?.to_int(true);
            model.eval(&value, true)?.to_string().replace(['(', ')', ' '], "").parse().ok()
        }
    }
}
