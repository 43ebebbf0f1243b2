//! Stand-ins for what other parts of the library will supply.

use crate::diagnostics::{Diagnostic, SourceMap};
use crate::model::value::Moment;
use crate::model::{Model, Observable};
use crate::trace::Trace;
use std::path::Path;
use std::sync::Arc;

pub struct Loaded {
    pub model: Option<Model>,
    pub diagnostics: Vec<Diagnostic>,
    pub sources: Arc<SourceMap>,
}

pub fn load(path: &Path, _overrides: &[(String, String)]) -> Loaded {
    let diagnostics = vec![Diagnostic::error_without_place(format!("cannot read {}: not supported yet", path.display()))];
    Loaded { model: None, diagnostics, sources: Arc::default() }
}

pub fn show_expression(_model: &Model, text: &str) -> Result<Observable, Vec<Diagnostic>> {
    Err(vec![Diagnostic::error_without_place(format!("cannot show {text}: not supported yet"))])
}

pub fn check_trace(_model: &Model, _trace: &[Moment]) -> Result<(), Diagnostic> {
    Ok(())
}

pub fn first_violation(_model: &Model, _invariant: &crate::model::expr::Expr, _trace: &[Moment]) -> Option<usize> {
    None
}

pub fn read_itf(_model: &Model, _text: &str) -> Result<Trace, String> {
    Err("not supported yet".into())
}

pub fn write_itf(_model: &Model, _trace: &Trace) -> String {
    "{}\n".into()
}

pub fn mermaid(_model: &Model, _trace: &Trace) -> Option<String> {
    None
}
