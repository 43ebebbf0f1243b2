//! Names that do not exist: which one was probably meant.

use crate::diagnostics::Diagnostic;

/// The index of `name` among `names`, or an error with the nearest name and the whole list; `what`
/// is what the names stand for, in the singular.
pub fn find(what: &str, name: &str, names: &[&str]) -> Result<usize, Diagnostic> {
    if let Some(index) = names.iter().position(|n| *n == name) {
        return Ok(index);
    }
    let error = Diagnostic::error_without_place(format!("unknown {what} `{name}`"));
    let error = match names {
        [] => error.with_note(format!("the model has no {what}")),
        _ => error.with_note(format!("known names: {}", names.join(", "))),
    };
    Err(match nearest(name, names) {
        Some(meant) => error.with_help(format!("did you mean `{meant}`?")),
        None => error,
    })
}

/// The name nearest to `name`, if it is near enough for a slip. `replay` is near to `msgs.replay`.
pub fn nearest<'a>(name: &str, names: &[&'a str]) -> Option<&'a str> {
    let last = |n: &str| n.rsplit('.').next().unwrap_or_default().to_lowercase();
    // Of two that are equally near behind the alias, the one whose alias is nearer.
    let distances = names.iter().map(|&n| {
        let whole = distance(&name.to_lowercase(), &n.to_lowercase());
        (n, (whole.min(distance(&last(name), &last(n))), whole))
    });
    let (near, (distance, _)) = distances.min_by_key(|(_, distances)| *distances)?;
    (distance <= name.chars().count().div_ceil(3)).then_some(near)
}

/// The number of insertions, deletions, substitutions and swaps of neighbours between two words.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
    for (i, row) in table.iter_mut().enumerate() {
        row[0] = i;
    }
    for (j, cell) in table[0].iter_mut().enumerate() {
        *cell = j;
    }
    for i in 1..=a.len() {
        for j in 1..=b.len() {
            let changed = table[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = changed.min(table[i - 1][j] + 1).min(table[i][j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(table[i - 2][j - 2] + 1);
            }
            table[i][j] = best;
        }
    }
    table[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggests_only_what_is_near() {
        let names = ["secrecy", "agreement", "msgs.replay"];
        for (typed, expected) in [
            ("secercy", Some("secrecy")),
            ("Secrecy", Some("secrecy")),
            ("agreemnt", Some("agreement")),
            ("replay", Some("msgs.replay")),
            ("msg.replay", Some("msgs.replay")),
            ("liveness", None),
            ("x", None),
        ] {
            let error = find("property", typed, &names).expect_err("it does not exist");
            let expected = expected.map(|e| format!("did you mean `{e}`?"));
            assert_eq!(error.help, expected, "{typed}");
            assert_eq!(error.notes, ["known names: secrecy, agreement, msgs.replay"]);
        }
        let aliases = ["p.turns_into", "q.turns_into", "q.returns"];
        let error = find("predicate", "q.turn_into", &aliases).expect_err("it does not exist");
        assert_eq!(error.help.as_deref(), Some("did you mean `q.turns_into`?"));
        assert_eq!(find("property", "agreement", &names), Ok(1));
        let none = find("vocabulary", "v", &[]).expect_err("it does not exist");
        assert_eq!(none.notes, ["the model has no vocabulary"]);
    }
}
