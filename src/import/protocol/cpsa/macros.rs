//! Macros of CPSA: `(defmacro (name x y) body)`.

use super::list::{List, ListKind};
use kit::diagnostics::Diagnostic;
use std::collections::HashMap;

/// The most lists and names in an expanded file.
const MOST: usize = 200_000;

/// The most macros applied in the bodies of each other.
const MOST_NESTED: usize = 20;

const TOO_LARGE: &str = "the expanded file is too large";

struct Macro {
    parameters: Vec<String>,
    body: List,
}

/// Replaces applications of macros by their bodies, and takes the macros out.
///
/// # Errors
/// All mistakes in definitions, and the first application with a wrong number of arguments or too large an expansion.
pub fn expand(lists: Vec<List>) -> Result<Vec<List>, Vec<Diagnostic>> {
    let mut macros = HashMap::new();
    let (mut kept, mut mistakes) = (Vec::new(), Vec::new());
    for list in lists {
        let Some(("defmacro", rest)) = list.form() else {
            kept.push(list);
            continue;
        };
        let head: Option<Vec<String>> = rest
            .first()
            .and_then(|head| head.parts().iter().map(|part| Some(part.name()?.to_owned())).collect());
        match (head, rest.get(1)) {
            (Some(head), Some(body)) if !head.is_empty() => {
                let (name, parameters) = (head[0].clone(), head[1..].to_vec());
                macros.insert(name, Macro { parameters, body: body.clone() });
            }
            _ => {
                let help = "write `(defmacro (name x y) body)`";
                mistakes.push(Diagnostic::error(list.span, "a macro has a name and a body").with_help(help));
            }
        }
    }
    if !mistakes.is_empty() {
        return Err(mistakes);
    }
    let mut left = MOST;
    let expanded = kept.iter().map(|list| expanded(list, &macros, 0, &mut left));
    expanded.collect::<Result<_, _>>().map_err(|mistake| vec![*mistake])
}

fn expanded(
    list: &List,
    macros: &HashMap<String, Macro>,
    depth: usize,
    left: &mut usize,
) -> Result<List, Box<Diagnostic>> {
    let mistake =
        |message: String, help: &str| Box::new(Diagnostic::error(list.span, message).with_help(help));
    *left = left.checked_sub(1).ok_or_else(|| mistake(TOO_LARGE.to_owned(), "use fewer macros"))?;
    let ListKind::List(parts) = &list.kind else { return Ok(list.clone()) };
    if let Some((name, arguments)) = list.form()
        && let Some(Macro { parameters, body }) = macros.get(name)
    {
        if parameters.len() != arguments.len() {
            let message =
                format!("macro `{name}` takes {} arguments, not {}", parameters.len(), arguments.len());
            return Err(mistake(message, "give each parameter an argument"));
        }
        if depth >= MOST_NESTED {
            return Err(mistake(format!("macro `{name}` never ends"), "macros may not apply themselves"));
        }
        let values: HashMap<&str, &List> = parameters.iter().map(String::as_str).zip(arguments).collect();
        let body = with_values(body, &values, list, left);
        let body = body.ok_or_else(|| mistake(TOO_LARGE.to_owned(), "use fewer macros"))?;
        return expanded(&body, macros, depth + 1, left);
    }
    let mut all = Vec::new();
    for part in parts {
        let part = expanded(part, macros, depth, left)?;
        // `(^ a b)` stands for a and b.
        match part.form() {
            Some(("^", spliced)) => all.extend(spliced.iter().cloned()),
            _ => all.push(part),
        }
    }
    Ok(List { kind: ListKind::List(all), span: list.span })
}

/// The body of a macro with arguments for parameters, at the place of its application; nothing if it is too large.
fn with_values(body: &List, values: &HashMap<&str, &List>, at: &List, left: &mut usize) -> Option<List> {
    *left = left.checked_sub(1)?;
    let kind = match &body.kind {
        ListKind::Name(name) => match values.get(name.as_str()) {
            Some(value) => {
                *left = left.checked_sub(value.size())?;
                return Some((*value).clone());
            }
            None => body.kind.clone(),
        },
        ListKind::Text(_) => body.kind.clone(),
        ListKind::List(parts) => {
            let parts = parts.iter().map(|part| with_values(part, values, at, left));
            ListKind::List(parts.collect::<Option<_>>()?)
        }
    };
    Some(List { kind, span: at.span })
}
