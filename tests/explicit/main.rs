//! Explicit systems and process texts.

#![allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss)]

#[path = "../lts_common/mod.rs"]
mod lts_common;
#[path = "../process_common/mod.rs"]
mod process_common;
#[path = "../common/random.rs"]
mod random;

mod decisive_models;
mod decisive_random;
mod lts_branching_random;
mod lts_cases;
mod lts_compare_random;
mod lts_data;
mod lts_drawing;
mod lts_export;
mod lts_graph_random;
mod lts_inevitable_random;
mod lts_inevitable_strategy_random;
mod lts_limits;
mod lts_published;
mod lts_safety_random;
mod lts_strategy_random;
mod lts_weak_random;
mod model_bugs;
mod mucalc_cases;
mod mucalc_published;
mod mucalc_random;
mod process_bugs;
mod process_cases;
mod process_data;
mod process_language;
mod process_random;
mod process_specs;
