//! The claims that a group of a plan is about.

use super::reader::{PlacedValue, PlanReader, PlanTable};

/// The claims of protocol files that a group is about.
#[derive(Debug)]
pub enum ClaimSelection {
    /// `claims = "all"`.
    All,
    /// Those with these labels.
    Labelled(Vec<PlacedValue<String>>),
}

/// The value of the key `claims`.
pub fn read_claims(reader: &mut PlanReader, table: PlanTable<'_>) -> Option<ClaimSelection> {
    if !reader.is_string(table, "claims") {
        return reader.strings(table, "claims").map(ClaimSelection::Labelled);
    }
    let word = reader.string(table, "claims")?;
    if word.value != "all" {
        let help = "write `claims = \"all\"`, or list labels: `claims = [\"A1\", \"B1\"]`";
        reader.error_with_help(
            word.span,
            format!("`claims` is \"all\" or a list, not `{}`", word.value),
            help,
        );
    }
    Some(ClaimSelection::All)
}
