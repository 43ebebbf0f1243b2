//! Checks of properties, and of stored results.

pub mod check_json;
pub mod check_page;
pub mod check_text;
pub mod tested;
pub mod verify;
