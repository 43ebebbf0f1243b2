//! Texts of resolved expressions mean what the expressions mean.

use crate::all_traces::all_traces;
use cladist::model::eval::eval_state;
use cladist::model::expr::Expr;
use cladist::model::types::Type;
use cladist::model::{Model, load, load_expression};
use std::path::Path;

/// The expressions of a model without bound names that have a text.
fn expressions(model: &Model) -> Vec<&Expr> {
    let guards = model.actions.iter().flat_map(|action| &action.requires);
    let properties = model.properties.iter().filter_map(|property| property.invariant());
    let parts = model.init.iter().chain(guards).chain(properties);
    let mut all = Vec::new();
    for part in parts {
        let mut rest = vec![part];
        while let Some(expr) = rest.pop() {
            all.push(expr);
            rest.extend(expr.children());
        }
    }
    // Literals of collections have no type by themselves.
    all.retain(|expr| {
        !expr.reads_names() && matches!(expr.ty, Type::Bool | Type::Int { .. } | Type::Enum(_))
    });
    all
}

#[test]
fn texts_of_expressions_are_read_as_the_same() {
    let mut compared = 0;
    for entry in std::fs::read_dir("specs").expect("specs") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|extension| extension != "sts") {
            continue;
        }
        compared += compare(&path);
    }
    assert!(compared > 300, "too few were compared: {compared}");
}

fn compare(path: &Path) -> usize {
    let model = load(path, &[]).model.expect("a model without mistakes");
    let Ok(traces) = all_traces(&model, 2, 2_000) else { return 0 };
    let (mut compared, mut unread) = (0, Vec::new());
    for expr in expressions(&model) {
        let Some(text) = model.text(expr, &|_| None) else { continue };
        let read = load_expression(&model, &text);
        let Some(observable) = read.found else {
            unread.push(text);
            continue;
        };
        for trace in &traces {
            for moment in &trace.moments {
                let (own, other) =
                    (eval_state(&model, expr, moment), eval_state(&model, &observable.expr, moment));
                assert_eq!(own, other, "{}: {text}", path.display());
            }
        }
        compared += 1;
    }
    // Constructors of variants are read with their fields only.
    assert!(unread.len() * 4 <= compared, "{}: these are not read: {unread:?}", path.display());
    compared
}
