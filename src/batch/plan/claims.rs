//! The claims that a group of a plan is about.

use super::reader::{Placed, Reader, Table};

/// The claims of protocol files that a group is about.
#[derive(Debug)]
pub enum Claims {
    /// `claims = "all"`.
    All,
    /// Those with these labels.
    Labelled(Vec<Placed<String>>),
}

/// The value of the key `claims`.
pub(super) fn read_claims(reader: &mut Reader, table: Table<'_>) -> Option<Claims> {
    if !reader.is_string(table, "claims") {
        return reader.strings(table, "claims").map(Claims::Labelled);
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
    Some(Claims::All)
}

#[cfg(test)]
mod tests {
    use super::super::read_plan;
    use super::*;
    use crate::diagnostics::SourceMap;

    #[test]
    fn claims_need_no_bounds() {
        let text =
            "[[classify]]\nmodels=['p']\nclaims='all'\n[[classify]]\nmodels=['p']\nclaims=['A1']\nbounds=[2]";
        let (plan, problems) = read_plan(SourceMap::new().add("plan.toml", text), text);
        assert_eq!(problems, []);
        let [all, some] = &plan.groups[..] else { panic!("two groups: {plan:?}") };
        assert!(matches!(all.claims, Some(Claims::All)) && all.bounds == [None]);
        let Some(Claims::Labelled(labels)) = &some.claims else { panic!("labels: {some:?}") };
        assert_eq!((labels[0].value.as_str(), &some.bounds), ("A1", &vec![Some(2)]));
    }
}
