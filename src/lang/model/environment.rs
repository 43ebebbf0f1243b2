//! Which steps of a model belong to its environment: an attacker, a network, a user.

use super::types::Type;
use super::value::{Label, Value};
use super::{Action, Local, Model};
use kit::diagnostics::nearest;
use kit::parsing::outside_brackets;

/// The steps of the environment: those of some actions, or of some actions with these arguments.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Environment {
    /// The steps, action by action.
    pub steps: Vec<ActionSteps>,
}

/// The steps of an action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActionSteps {
    /// The action, as an index into [`Model::actions`].
    pub action: usize,
    /// The values of some of its parameters; those of the others are any.
    pub with: Vec<ArgumentValue>,
}

/// A parameter with its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArgumentValue {
    /// The parameter, as an index into those of its action.
    pub param: usize,
    /// Its value.
    pub value: Value,
}

/// The model has no such steps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownStep {
    /// The missing thing: ``model ring has no action `send` ``.
    pub message: String,
    /// The ones that it has.
    pub help: String,
}

impl std::fmt::Display for UnknownStep {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.message, self.help)
    }
}

impl std::error::Error for UnknownStep {}

impl Environment {
    /// Reads steps as they are written on the command line, separated by commas: `xss, visit(u=Mallory)` are all steps of the
    /// action `xss`, and those of `visit` whose argument u is Mallory.
    ///
    /// # Errors
    /// For an action, a parameter or a value that the model does not have.
    pub fn parse(model: &Model, text: &str) -> Result<Self, UnknownStep> {
        let steps = outside_brackets(text, ',').into_iter().map(|piece| steps(model, piece.trim()));
        Ok(Self { steps: steps.collect::<Result<_, _>>()? })
    }

    /// True if a step with this label is one of the environment.
    pub fn has(&self, label: &Label) -> bool {
        self.steps.iter().any(|steps| {
            steps.action == label.action && steps.with.iter().all(|a| label.args[a.param] == a.value)
        })
    }

    /// The steps as they are written, one by one.
    pub fn names(&self, model: &Model) -> Vec<String> {
        let name = |steps: &ActionSteps| {
            let action = &model.actions[steps.action];
            let with = steps
                .with
                .iter()
                .map(|a| format!("{}={}", action.params[a.param].name, model.types.show_value(&a.value)));
            let with: Vec<String> = with.collect();
            if with.is_empty() { action.name.clone() } else { format!("{}({})", action.name, with.join(",")) }
        };
        self.steps.iter().map(name).collect()
    }
}

/// The steps of one action: `visit`, `visit(u=Mallory)`.
fn steps(model: &Model, text: &str) -> Result<ActionSteps, UnknownStep> {
    let (name, arguments) = match text.split_once('(') {
        None => (text, None),
        Some((name, rest)) => match rest.strip_suffix(')') {
            Some(inside) => (name.trim_end(), Some(inside)),
            None => {
                return Err(UnknownStep {
                    message: format!("`{text}` has no closing parenthesis"),
                    help: "write steps as `action` or `action(parameter=value)`".into(),
                });
            }
        },
    };
    let action = action(model, name)?;
    let arguments = arguments.map(|text| outside_brackets(text, ',')).unwrap_or_default();
    let with = arguments.into_iter().map(|argument| self::argument(model, action, argument));
    Ok(ActionSteps { action, with: with.collect::<Result<_, _>>()? })
}

fn action(model: &Model, name: &str) -> Result<usize, UnknownStep> {
    let actions = || model.actions.iter().map(|action| action.name.as_str());
    actions().position(|known| known == name).ok_or_else(|| {
        let message = format!("model {} has no action `{name}`", model.name);
        UnknownStep { message, help: meant("its actions are", name, actions()) }
    })
}

/// Sees to it that a step could have this label, as [`Model::show_label`] writes it. Values of types with more than a thousand of them are
/// not looked at.
///
/// # Errors
/// For an action or a value that the model does not have, and for other arguments than those of the action.
pub fn could_be_label(model: &Model, label: &str) -> Result<(), UnknownStep> {
    let (name, arguments) = label.split_once('(').map_or((label, None), |(name, rest)| (name, Some(rest)));
    let action = &model.actions[action(model, name)?];
    let form: Vec<String> = action.params.iter().map(|param| format!("{}=…", param.name)).collect();
    let other = || UnknownStep {
        message: match form.is_empty() {
            true => format!("`{label}` is no label: `{name}` has no arguments"),
            false => format!("`{label}` is no label: those of `{name}` are {name}({})", form.join(",")),
        },
        help: format!("the pattern '{name}.*' matches all of them"),
    };
    let arguments = match arguments {
        None if action.params.is_empty() => return Ok(()),
        Some(rest) => outside_brackets(rest.strip_suffix(')').ok_or_else(other)?, ','),
        None => return Err(other()),
    };
    if arguments.len() != action.params.len() {
        return Err(other());
    }
    for (param, argument) in action.params.iter().zip(arguments) {
        let value = argument.strip_prefix(&param.name).and_then(|rest| rest.strip_prefix('='));
        let value = value.ok_or_else(other)?;
        let is_looked_at =
            matches!(param.ty, Type::Int { .. }) || model.types.cardinality(&param.ty) <= MOST_VALUES;
        if is_looked_at && value_of(model, &param.ty, value).is_none() {
            return Err(no_value(model, action, param, value));
        }
    }
    Ok(())
}

/// The text that a parameter has no such value.
fn no_value(model: &Model, action: &Action, param: &Local, value: &str) -> UnknownStep {
    let message = format!("`{value}` is not a value of parameter `{}` of `{}`", param.name, action.name);
    UnknownStep { message, help: known_values(model, &param.ty, value) }
}

fn argument(model: &Model, action: usize, text: &str) -> Result<ArgumentValue, UnknownStep> {
    let action = &model.actions[action];
    let Some((name, value)) = text.split_once('=').map(|(name, value)| (name.trim(), value.trim())) else {
        let message = format!("`{}` in `{}(…)` is not an argument", text.trim(), action.name);
        return Err(UnknownStep { message, help: "write arguments as `parameter=value`".into() });
    };
    let names = || action.params.iter().map(|param| param.name.as_str());
    let Some(param) = names().position(|known| known == name) else {
        let message = format!("action `{}` has no parameter `{name}`", action.name);
        let help = match action.params.is_empty() {
            true => "it has no parameters".to_owned(),
            false => meant("its parameters are", name, names()),
        };
        return Err(UnknownStep { message, help });
    };
    match value_of(model, &action.params[param].ty, value) {
        Some(value) => Ok(ArgumentValue { param, value }),
        None => Err(no_value(model, action, &action.params[param], value)),
    }
}

/// Values of larger types are not listed.
const MOST_VALUES: u64 = 1000;

/// The value that a label shows as this text. Other values than integers are found among at most [`MOST_VALUES`].
fn value_of(model: &Model, ty: &Type, text: &str) -> Option<Value> {
    if let Type::Int { lo, hi } = ty {
        return text.parse().ok().filter(|n| lo <= n && n <= hi).map(Value::Int);
    }
    let without_spaces = |text: &str| text.split_whitespace().collect::<String>();
    let wanted = without_spaces(text);
    let small = model.types.cardinality(ty) <= MOST_VALUES;
    let mut values = if small { model.types.values(ty) } else { Vec::new() }.into_iter();
    values.find(|value| without_spaces(&model.types.show_value(value)) == wanted)
}

/// Which values there are, or which one was probably meant.
fn known_values(model: &Model, ty: &Type, text: &str) -> String {
    const SHOWN: u64 = 20;
    if model.types.cardinality(ty) > SHOWN {
        return format!("its type is {}", model.types.show(ty));
    }
    let known: Vec<String> = model.types.values(ty).iter().map(|v| model.types.show_value(v)).collect();
    meant("its values are", text, known.iter().map(String::as_str))
}

fn meant<'a>(are: &str, name: &str, known: impl Iterator<Item = &'a str> + Clone) -> String {
    match nearest(name, known.clone()) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => format!("{are} {}", known.collect::<Vec<_>>().join(", ")),
    }
}
