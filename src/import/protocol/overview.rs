//! Claims for an overview: the end of each role, and the secrecy of everything that it makes or receives.

use super::ir::{Event, EventKind, Protocols, Role, RoleClaim, RoleTerm, VariableId};
use rustc_hash::FxHashSet;

/// Replaces the claims of all roles but those of helpers: at its end, each claims that this place can be reached, and that each of its fresh
/// values and variables, other than agents and functions, is secret. `Running` stays, as it is no claim of its own. No label is used
/// twice; with several protocols, labels begin with their names.
pub(super) fn claim_everything(protocols: &mut Protocols) {
    let Protocols { types, roles, protocols, .. } = protocols;
    let several = protocols.iter().filter(|protocol| !protocol.helper).count() > 1;
    let mut taken = FxHashSet::default();
    let mut free = |mut label: String| {
        while !taken.insert(label.clone()) {
            label.push('_');
        }
        label
    };
    for role in roles.iter_mut().filter(|role| !protocols[role.protocol.index()].helper) {
        let place = match several {
            true => format!("{}_{}", protocols[role.protocol.index()].name, role.name),
            false => role.name.clone(),
        };
        let is_asked = |event: &Event| matches!(&event.kind, EventKind::Claim(claim) if !matches!(claim, RoleClaim::Running { .. } | RoleClaim::Empty));
        role.events.retain(|event| !is_asked(event));
        let is_secret = |variable: &VariableId| {
            let described = &role.variables[variable.index()];
            let is_other = |name: &str| described.types.iter().any(|ty| types[ty.index()] == name);
            occurs(role, *variable) && !is_other("Agent") && !is_other("Function")
        };
        let variables: Vec<VariableId> =
            (0..role.variables.len()).map(VariableId::new).filter(is_secret).collect();
        let secrets = variables.into_iter().map(|variable| {
            let name = &role.variables[variable.index()].name;
            (free(format!("{place}_{name}")), RoleClaim::Secret(RoleTerm::Variable(variable)))
        });
        let secrets: Vec<(String, RoleClaim)> = secrets.collect();
        let claims = [(free(format!("{place}_end")), RoleClaim::Reachable)].into_iter().chain(secrets);
        let events: Vec<Event> = claims
            .map(|(label, claim)| Event { label, kind: EventKind::Claim(claim), span: role.span })
            .collect();
        role.events.extend(events);
    }
}

/// True if a role sends or receives a value.
fn occurs(role: &Role, variable: VariableId) -> bool {
    role.events.iter().any(|event| match &event.kind {
        EventKind::Send(message) | EventKind::Receive(message) => {
            message.content.variables().contains(&variable)
        }
        EventKind::Match { .. } | EventKind::Claim(_) => false,
    })
}
