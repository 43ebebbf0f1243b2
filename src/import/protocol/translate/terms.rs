//! Maps the terms of a protocol to types, state variables and constants of the generated model.

use super::names::TakenNames;
use super::scope::Matching;
use super::script::RoleScripts;
use super::threats::{ATTACKER, Threats};
use super::value::{LeafKind, LeafTerm, ModelExpr};
use crate::protocol::ir::{
    EventKind, ProtocolSymbolKind, Role, RoleId, RoleTerm, RoleVariable, SymbolId, TypeId, VariableId,
};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// A type of atomic terms.
#[derive(Debug)]
pub(super) struct Atomic {
    /// The record type: a name and the run that created it.
    pub type_name: String,
    pub names_type: String,
    /// The names of fresh values and constants.
    pub names: Vec<String>,
    /// The names that the attacker knows from the start.
    pub public: Vec<String>,
    /// The attacker's own names, at least one: with each run, each gives a value of hers.
    pub own_names: Vec<String>,
    /// The constant for the attacker's own value.
    pub own: String,
}

/// The types of the generated model.
#[derive(Debug)]
pub(super) struct Sorts {
    atomic: BTreeMap<TypeId, Atomic>,
    /// The names of the honest agents.
    pub honest: Vec<String>,
    /// The record for an absent term of any kind.
    pub no_ticket: String,
}

impl Sorts {
    pub fn name(&self, sort: LeafKind) -> &str {
        match sort {
            LeafKind::Agent => "Agent",
            LeafKind::Atom(ty) => &self.atomic[&ty].type_name,
            LeafKind::Ticket => "Ticket",
        }
    }

    pub fn attackers(&self, sort: LeafKind) -> &str {
        match sort {
            LeafKind::Agent => ATTACKER,
            LeafKind::Atom(ty) => &self.atomic[&ty].own,
            LeafKind::Ticket => &self.no_ticket,
        }
    }

    /// Returns the types of atomic terms.
    pub fn atomic(&self) -> &BTreeMap<TypeId, Atomic> {
        &self.atomic
    }
}

/// The names for the variables and fresh values of roles.
#[derive(Debug)]
pub(super) struct RoleTerms<'a> {
    pub script: &'a RoleScripts<'a>,
    pub sorts: Sorts,
    /// The names of fresh values and state variables.
    names: FxHashMap<(RoleId, VariableId), String>,
    pub roles: Vec<String>,
    constants: Vec<Option<String>>,
    /// The name of the first run.
    pub first_run: String,
    /// The abilities of the attacker besides the network.
    pub threats: Threats,
}

impl<'a> RoleTerms<'a> {
    pub fn new(
        script: &'a RoleScripts<'a>,
        honest: Vec<String>,
        threats: Threats,
        first_run: String,
        names: &mut TakenNames,
    ) -> Self {
        let protocols = script.protocols;
        let several = |name: &str| protocols.roles.iter().filter(|role| role.name == name).count() > 1;
        let roles: Vec<String> = protocols
            .roles
            .iter()
            .map(|role| {
                if several(&role.name) {
                    let protocol = &protocols.protocols[role.protocol.index()].name;
                    names.fresh(&format!("{protocol}_{}", role.name))
                } else {
                    names.fresh(&role.name)
                }
            })
            .collect();
        let mut sorts = Sorts { atomic: BTreeMap::new(), honest, no_ticket: names.fresh("no_ticket") };
        let mut of = FxHashMap::default();
        for role in script.roles() {
            for (number, variable) in script.role(role).variables.iter().enumerate() {
                let name = names.fresh(&format!("{}_{}", roles[role.index()], variable.name));
                if let LeafKind::Atom(ty) = sort_of(script, variable) {
                    let atomic = atomic(&mut sorts, script, ty, names);
                    if variable.fresh {
                        atomic.names.push(name.clone());
                        if threats.reveals.random {
                            atomic.public.push(name.clone());
                        }
                    }
                }
                of.insert((role, VariableId::new(number)), name);
            }
        }
        let mut constants = Vec::new();
        for symbol in &protocols.symbols {
            constants.push(match symbol.kind {
                ProtocolSymbolKind::Constant(ty) if protocols.types[ty.index()] == "Agent" => {
                    let trusted = !protocols.untrusted.contains(&SymbolId::new(constants.len()));
                    let name = if trusted { names.fresh(&symbol.name) } else { ATTACKER.to_owned() };
                    if trusted {
                        sorts.honest.push(name.clone());
                    }
                    Some(name)
                }
                ProtocolSymbolKind::Constant(ty) => {
                    let name = names.fresh(&symbol.name);
                    let atomic = atomic(&mut sorts, script, ty, names);
                    atomic.names.push(name.clone());
                    if !symbol.secret {
                        atomic.public.push(name.clone());
                    }
                    Some(name)
                }
                _ => None,
            });
        }
        Self { script, sorts, names: of, roles, constants, first_run, threats }
    }

    /// Iterates over the received variables of a role, with their names and kinds.
    pub fn received(&self, role: RoleId) -> impl Iterator<Item = (VariableId, &str, LeafKind)> {
        let variables = self.script.role(role).variables.iter().enumerate();
        variables.filter(|(_, variable)| !variable.fresh).map(move |(number, variable)| {
            let id = VariableId::new(number);
            (id, self.names[&(role, id)].as_str(), sort_of(self.script, variable))
        })
    }

    /// Iterates over the fresh values of a role.
    pub fn generated(&self, role: RoleId) -> impl Iterator<Item = RoleTerm> {
        let variables = self.script.role(role).variables.iter().enumerate();
        let fresh = variables.filter(|(_, variable)| variable.fresh);
        fresh.map(|(number, _)| RoleTerm::Variable(VariableId::new(number)))
    }

    /// Returns the name of a variable's state variable, or of a fresh value.
    pub fn name(&self, role: RoleId, variable: VariableId) -> &str {
        &self.names[&(role, variable)]
    }

    /// Returns the name in the file of the variable or fresh value with this name in the model.
    pub fn variable_of(&self, name: &str) -> Option<&str> {
        let ((role, variable), _) = self.names.iter().find(|(_, other)| *other == name)?;
        Some(&self.script.role(*role).variables[variable.index()].name)
    }

    pub fn sort(&self, role: RoleId, variable: VariableId) -> LeafKind {
        sort_of(self.script, &self.script.role(role).variables[variable.index()])
    }

    /// Returns the declared kind of a variable, regardless of matching.
    pub fn declared(&self, role: RoleId, variable: VariableId) -> LeafKind {
        declared(self.script, &self.script.role(role).variables[variable.index()])
    }

    /// Returns the agent that a run assumes for a role.
    pub fn agent(&self, run: &str, role: RoleId) -> ModelExpr {
        ModelExpr {
            text: format!("agents[{run}][{}]", self.roles[role.index()]),
            default: Some(ATTACKER.to_owned()),
        }
    }

    /// Returns the record of an atomic term.
    pub fn record(&self, sort: TypeId, name: &str, run: &str) -> String {
        format!("{}(name: {name}, run: {run})", self.sorts.atomic[&sort].type_name)
    }

    pub fn kept(&self, role: RoleId, variable: VariableId, run: &str) -> ModelExpr {
        let default = self.sorts.attackers(self.sort(role, variable)).to_owned();
        ModelExpr { text: format!("{}[{run}]", self.name(role, variable)), default: Some(default) }
    }

    /// Returns a term of a role, in a run. `given` has the variables that do not have their values yet.
    pub fn value(
        &self,
        role: RoleId,
        run: &str,
        term: &RoleTerm,
        given: &dyn Fn(VariableId) -> Option<ModelExpr>,
    ) -> LeafTerm {
        let all = |terms: &[RoleTerm]| {
            terms.iter().map(|term| self.value(role, run, term, given)).collect::<Vec<_>>()
        };
        match term {
            RoleTerm::Agent(other) => LeafTerm::Agent(self.agent(run, *other)),
            RoleTerm::Variable(variable) => {
                let sort = self.sort(role, *variable);
                let described = &self.script.role(role).variables[variable.index()];
                if let (true, LeafKind::Atom(sort)) = (described.fresh, sort) {
                    let name = self.name(role, *variable).to_owned();
                    let text = self.record(sort, &name, run);
                    return LeafTerm::Fresh { sort, name, run: run.to_owned(), text };
                }
                let place = given(*variable).unwrap_or_else(|| self.kept(role, *variable, run));
                match sort {
                    LeafKind::Agent => LeafTerm::Agent(place),
                    LeafKind::Atom(sort) => LeafTerm::Atom(sort, place),
                    LeafKind::Ticket => LeafTerm::Ticket(place),
                }
            }
            RoleTerm::Constant(symbol) => self.symbol(*symbol),
            RoleTerm::Tuple(terms) => LeafTerm::tuple(all(terms)),
            // `{x}f` and `f(x)` are the same term.
            RoleTerm::Encrypted { body, key } if matches!(**key, RoleTerm::Constant(symbol) if self.is_function(symbol)) =>
            {
                let RoleTerm::Constant(function) = **key else { unreachable!("it was examined") };
                match self.value(role, run, body, given) {
                    LeafTerm::Tuple(values) => LeafTerm::Apply(function, values),
                    value => LeafTerm::Apply(function, vec![value]),
                }
            }
            RoleTerm::Encrypted { body, key } => {
                let body = self.value(role, run, body, given);
                LeafTerm::Encrypted(Box::new(body), Box::new(self.value(role, run, key, given)))
            }
            RoleTerm::Apply { function, arguments } if self.script.protocols.is_power(*function) => {
                let mut parts = all(arguments);
                let exponents = parts.split_off(1);
                LeafTerm::power(*function, parts.remove(0), exponents)
            }
            RoleTerm::Apply { function, arguments } if self.script.protocols.is_sum(*function) => {
                LeafTerm::sum(*function, all(arguments))
            }
            RoleTerm::Apply { function, arguments } => match LeafTerm::tuple(all(arguments)) {
                LeafTerm::Tuple(values) => LeafTerm::Apply(*function, values),
                value => LeafTerm::Apply(*function, vec![value]),
            },
        }
    }

    /// Returns a constant or function as a term of its own.
    pub fn symbol(&self, symbol: SymbolId) -> LeafTerm {
        match self.script.protocols.symbols[symbol.index()].kind {
            ProtocolSymbolKind::Constant(ty) => {
                let name = self.constants[symbol.index()].as_deref().unwrap_or_default();
                if self.script.protocols.types[ty.index()] == "Agent" {
                    LeafTerm::Agent(ModelExpr::present(name))
                } else {
                    LeafTerm::Atom(ty, ModelExpr::present(self.record(ty, name, &self.first_run)))
                }
            }
            _ => LeafTerm::Constant(symbol),
        }
    }

    /// Iterates over all symbols as terms of their own, in their order.
    pub fn symbols(&self) -> impl Iterator<Item = LeafTerm> {
        (0..self.constants.len()).map(|number| self.symbol(SymbolId::new(number)))
    }

    /// Iterates over the constants other than functions with a declared inverse other than themselves, each with its inverse.
    pub fn inverses(&self) -> impl Iterator<Item = (LeafTerm, LeafTerm)> {
        let described = self.script.protocols.symbols.iter();
        self.symbols().zip(described).enumerate().filter_map(|(number, (value, described))| {
            let inverse = described.inverse.filter(|inverse| inverse.index() != number)?;
            matches!(described.kind, ProtocolSymbolKind::Constant(_)).then(|| (value, self.symbol(inverse)))
        })
    }

    fn is_function(&self, symbol: SymbolId) -> bool {
        !matches!(self.script.protocols.symbols[symbol.index()].kind, ProtocolSymbolKind::Constant(_))
    }
}

/// Returns the kind of a variable: without typed matching, any term.
fn sort_of(script: &RoleScripts<'_>, variable: &RoleVariable) -> LeafKind {
    let typed = script.matching == Matching::Typed || variable.fresh;
    if typed { declared(script, variable) } else { LeafKind::Ticket }
}

/// Returns the declared kind of a variable: any term if its type is open, or there are several. Fresh values are atomic.
fn declared(script: &RoleScripts<'_>, variable: &RoleVariable) -> LeafKind {
    if variable.fresh {
        return LeafKind::Atom(variable.types.first().copied().unwrap_or(TypeId::FIRST));
    }
    match variable.types[..] {
        [ty] => match script.protocols.types[ty.index()].as_str() {
            "Agent" => LeafKind::Agent,
            "Ticket" | "Function" => LeafKind::Ticket,
            _ => LeafKind::Atom(ty),
        },
        _ => LeafKind::Ticket,
    }
}

fn atomic<'s>(
    sorts: &'s mut Sorts,
    script: &RoleScripts<'_>,
    ty: TypeId,
    names: &mut TakenNames,
) -> &'s mut Atomic {
    sorts.atomic.entry(ty).or_insert_with(|| {
        let name = &script.protocols.types[ty.index()];
        let (type_name, names_type) = (names.fresh(name), names.fresh(&format!("{name}Name")));
        let own_name = |number| match number {
            0 => format!("{ATTACKER}_{name}"),
            _ => format!("{ATTACKER}_{name}_{}", number + 1),
        };
        let own_names = (0..most_unequal(script, ty)).map(|number| names.fresh(&own_name(number))).collect();
        let own = names.fresh(&format!("{ATTACKER}s_{name}"));
        Atomic { type_name, names_type, names: Vec::new(), public: Vec::new(), own_names, own }
    })
}

/// Returns the greatest number of different values of a type that one run can need. Only `not match` distinguishes
/// values that a run received; replacing all other values of the attacker by one makes no other step impossible.
fn most_unequal(script: &RoleScripts<'_>, ty: TypeId) -> usize {
    let of_role = |role: &Role| {
        let sort = |id: VariableId| sort_of(script, &role.variables[id.index()]);
        let unequal: BTreeSet<VariableId> = role
            .events
            .iter()
            .filter_map(|event| match &event.kind {
                EventKind::Match { pattern, term, equal: false } => Some([pattern, term]),
                _ => None,
            })
            .flatten()
            .flat_map(RoleTerm::variables)
            .collect();
        // A term of any kind can contain every other variable.
        let any = unequal.iter().any(|&id| sort(id) == LeafKind::Ticket);
        let can_be = |&(id, variable): &(VariableId, &RoleVariable)| {
            !variable.fresh
                && (any || unequal.contains(&id))
                && [LeafKind::Ticket, LeafKind::Atom(ty)].contains(&sort(id))
        };
        role.variables
            .iter()
            .enumerate()
            .map(|(n, variable)| (VariableId::new(n), variable))
            .filter(can_be)
            .count()
    };
    script.roles().map(|role| of_role(script.role(role))).max().unwrap_or(0).max(1)
}
