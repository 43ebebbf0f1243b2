//! The encoding of integers for the solver that answered.

use lang::model::Model;
use solvers::smt::Theory;
use solvers::unroll::IntegerForms;

/// In a few words: `integers as bits: balance, pay.amount`. `None` where there is nothing to say.
pub fn integers_in_short(model: &Model, theory: Option<Theory>) -> Option<String> {
    const MOST: usize = 8;
    let forms = IntegerForms::of(model);
    let names = forms.binary(model);
    match theory {
        None if names.is_empty() => None,
        None => Some(format!("integers as bits: {}", some_of(&names, MOST))),
        Some(_) if names.is_empty() && forms.one_hot(model).is_empty() => None,
        Some(theory) => Some(of_theory(theory).to_owned()),
    }
}

/// Line by line, for each variable and each parameter of an action that has integers: `--verbose`.
pub fn integers_text(model: &Model, theory: Option<Theory>) -> String {
    let forms = IntegerForms::of(model);
    let (binary, one_hot) = (forms.binary(model), forms.one_hot(model));
    if binary.is_empty() && one_hot.is_empty() {
        return "the model has no integers\n".into();
    }
    if let Some(theory) = theory {
        return format!("{}\n", of_theory(theory));
    }
    let line = |what: &str, names: &[String]| match names {
        [] => String::new(),
        names => format!("  {what:<28}{}\n", some_of(names, usize::MAX)),
    };
    let lines = [line("bits", &binary), line("one literal for each value", &one_hot)];
    format!("integers for the solver\n{}", lines.concat())
}

fn of_theory(theory: Theory) -> &'static str {
    match theory {
        Theory::Int => "integers of arithmetic",
        Theory::Bv => "integers as bit vectors",
    }
}

/// The first of some names, and how many more there are.
fn some_of(names: &[String], most: usize) -> String {
    let more = match names.len().saturating_sub(most) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{}{more}", names[..names.len().min(most)].join(", "))
}
