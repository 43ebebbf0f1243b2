//! Traces: as text, on pages, as drawings and charts.

pub mod align;
pub mod chart_svg;
pub mod chart_text;
pub mod graph_svg;
pub mod itf_text;
pub mod pair;
pub mod sequence;
pub mod stepper;
pub mod trace_text;
