//! The knowledge of the attacker if keys depend on the terms that they open: the least fixpoint of opening
//! messages, unrolled to the greatest number of rounds that it can need.
//!
//! Facts depend on each other only through keys: otherwise, a fact consists of facts about smaller terms. So a
//! cycle of facts is cut at its *locks*: the keys, of messages of one role, whose construction needs facts of the
//! cycle. The state of a cycle is, for each lock, the runs for which it is open, and the resulting atomic terms.

use super::{Attacker, AttackerDefinition, AttackerFact, RUN};
use crate::protocol::ir::RoleId;
use crate::protocol::translate::condition::Condition;
use crate::protocol::translate::given::{OpenableKey, SentTerm};
use crate::protocol::translate::names::TakenNames;
use crate::protocol::translate::threats::ATTACKER;
use itertools::Itertools;
use std::collections::{BTreeMap, BTreeSet};

/// The name of the knowledge so far, within a cycle.
pub(super) const KNOWN: &str = "known";

/// Facts that depend on each other.
#[derive(Debug)]
pub(super) struct Cycle {
    pub members: BTreeSet<usize>,
    /// The names of the fields of the knowledge.
    fields: TakenNames,
    locks: Vec<Lock>,
}

/// The keys of messages of a role, the outermost first, some of which need facts of the cycle.
#[derive(Debug)]
struct Lock {
    role: RoleId,
    keys: Vec<OpenableKey>,
    /// The number of steps after which a run has sent such a message.
    steps: usize,
    /// The sum whose terms some of the keys are, as in [`SentTerm`].
    sum: Option<(usize, usize)>,
    /// The name of the field with the runs for which it is open.
    field: String,
}

impl Attacker<'_> {
    /// Returns all definitions used, directly or indirectly. Returns the names through `names`.
    pub fn definitions(mut self, runs: usize, names: &mut TakenNames) -> Vec<AttackerDefinition> {
        let mut uses: Vec<BTreeSet<usize>> = Vec::new();
        while uses.len() < self.facts.len() {
            self.called.clear();
            self.describe(uses.len());
            uses.push(std::mem::take(&mut self.called));
        }
        let mut definitions = Vec::new();
        let mut known: BTreeMap<usize, String> = BTreeMap::new();
        for members in cycles(&uses) {
            let (all, closure) = self.closure(&members, runs);
            definitions.extend(closure);
            known.extend(members.into_iter().map(|member| (member, all.clone())));
        }
        for number in 0..self.facts.len() {
            let mut definition = self.describe(number);
            if let Some(known) = known.get(&number) {
                definition.body = self.among(number, &definition, known);
            }
            definitions.push(definition);
        }
        *names = self.all_names;
        definitions
    }

    /// Returns the condition that a fact of a cycle is in its computed knowledge.
    fn among(&self, number: usize, definition: &AttackerDefinition, known: &str) -> Condition {
        let arguments = definition.parameters.iter().filter_map(|parameter| parameter.split(':').next());
        match self.facts[number] {
            AttackerFact::Atom(sort) => {
                Condition::Is(format!("{} in {known}.{}", arguments.collect::<String>(), self.field(sort)))
            }
            _ => {
                let arguments = arguments.chain([known]).join(", ");
                Condition::Is(format!("{}_with({arguments})", definition.name))
            }
        }
    }

    /// Returns the condition that the attacker can make the keys of a term that run `q` discloses.
    pub(super) fn opens(&mut self, given: usize) -> Condition {
        let SentTerm { role, steps, keys, sum, .. } = &self.given[given];
        let (role, steps, keys, sum) = (*role, *steps, keys.clone(), *sum);
        let before = std::mem::take(&mut self.called);
        let made = self.opens_all(&keys);
        let called = std::mem::replace(&mut self.called, before);
        let opens = match &mut self.within {
            Some(cycle) if !cycle.members.is_disjoint(&called) => {
                let field = cycle.lock(role, &keys, steps, sum);
                Condition::Is(format!("{RUN} in {KNOWN}.{field}"))
            }
            _ => made,
        };
        self.called.extend(called);
        opens
    }

    /// Returns the condition that the attacker can open each of these keys.
    fn opens_all(&mut self, keys: &[OpenableKey]) -> Condition {
        let opens = keys.iter().map(|OpenableKey { openers }| {
            let ways = openers.iter().map(|(is, opener)| Condition::all([is.clone(), self.makes(opener)]));
            Condition::any(ways.collect::<Vec<_>>())
        });
        Condition::all(opens.collect::<Vec<_>>())
    }

    /// Defines the knowledge of a cycle: returns the name of the definition of all of it, and the definitions that it needs.
    fn closure(&mut self, members: &BTreeSet<usize>, runs: usize) -> (String, Vec<AttackerDefinition>) {
        let [known_type, learns, opens, all] =
            ["Known", "learns", "opens", "known"].map(|wish| self.all_names.numbered(wish));
        let mut fields = TakenNames::default();
        for member in members {
            if let AttackerFact::Atom(sort) = self.facts[*member] {
                fields.fresh(self.field(sort));
            }
        }
        self.within = Some(Cycle { members: members.clone(), fields, locks: Vec::new() });
        let mut definitions = Vec::new();
        let mut atoms = Vec::new();
        for &member in members {
            let mut definition = self.describe(member);
            if let AttackerFact::Atom(sort) = self.facts[member] {
                let field = self.field(sort).to_owned();
                let (name, ty) = definition.parameters[0].split_once(": ").unwrap_or_default();
                let set = format!("{{ {name} in {ty} :\n      {} }}", definition.body.text(6));
                atoms.push((field, format!("set of {ty}"), set));
                continue;
            }
            definition.name = format!("{}_with", definition.name);
            definition.doc = format!("{} What is known so far is given.", definition.doc);
            definition.parameters.push(format!("{KNOWN}: {known_type}"));
            definitions.push(definition);
        }
        let (locks, rounds) = self.locks(runs);
        self.within = None;
        let pass = |fields: &[(String, String, String)]| {
            fields.iter().map(|(field, ..)| format!("{field}: {KNOWN}.{field}")).collect::<Vec<_>>()
        };
        let make = |fields: &[(String, String, String)]| {
            fields.iter().map(|(field, _, value)| format!("{field}: {value}")).collect::<Vec<_>>()
        };
        let record = |fields: Vec<String>| format!("{known_type}(\n    {})", fields.join(",\n    "));
        let nothing = atoms.iter().chain(&locks).map(|(field, ..)| format!("{field}: {{}}")).join(", ");
        let types = atoms.iter().chain(&locks).map(|(field, ty, _)| format!("{field}: {ty}")).collect();
        let phase = |name: &str, doc: &str, made: Vec<String>| AttackerDefinition {
            doc: format!("The knowledge of {ATTACKER} given this, {doc}."),
            name: name.to_owned(),
            parameters: vec![format!("{KNOWN}: {known_type}")],
            ty: known_type.clone(),
            body: Condition::Is(record(made)),
        };
        let nothing = format!("{known_type}({nothing})");
        let closed = (0..rounds)
            .fold(format!("{learns}({nothing})"), |known, _| format!("{learns}({opens}({known}))"));
        let head = AttackerDefinition {
            doc: format!(
                "The knowledge of {ATTACKER} of terms that are keys of each other, and the runs whose messages she opens with them."
            ),
            name: known_type.clone(),
            parameters: types,
            ty: String::new(),
            body: Condition::True,
        };
        let found = [head].into_iter().chain(definitions).chain([
            phase(&learns, "of opened terms", [make(&atoms), pass(&locks)].concat()),
            phase(&opens, "with what this opens", [pass(&atoms), make(&locks)].concat()),
            AttackerDefinition {
                doc: format!("All knowledge of {ATTACKER} of them."),
                name: all.clone(),
                parameters: Vec::new(),
                ty: known_type.clone(),
                body: Condition::Is(closed),
            },
        ]);
        (all, found.collect())
    }

    /// Returns the locks of the described cycle, as fields with their types and values, and the number of
    /// rounds after which all locks that can be opened are open.
    ///
    /// Knowledge grows monotonically, and the result of a round depends only on the open locks and their
    /// runs. So each round but the last opens a further lock for some run, or reaches the fixpoint. A run
    /// plays one role, so only the locks of its role can be open for it.
    fn locks(&mut self, runs: usize) -> (Vec<(String, String, String)>, usize) {
        let locks = self.within.as_mut().map(|cycle| std::mem::take(&mut cycle.locks)).unwrap_or_default();
        // The locks of a sum give more only when one of its terms becomes known.
        let rounds = |locks: Vec<&Lock>| {
            let sums = locks.iter().filter_map(|lock| lock.sum).into_grouping_map().max();
            locks.iter().filter(|lock| lock.sum.is_none()).count() + sums.into_values().sum::<usize>()
        };
        let of_roles = locks.iter().into_group_map_by(|lock| lock.role).into_values();
        let most = of_roles.map(rounds).max().unwrap_or(0);
        let fields = locks.into_iter().map(|Lock { role, keys, steps, field, .. }| {
            let role = &self.terms.roles[role.index()];
            let sent = Condition::Is(format!("done({RUN}, {role}, {steps})"));
            let open = Condition::all([sent, self.opens_all(&keys)]);
            (field, "set of Run".to_owned(), format!("{{ {RUN} in Run :\n      {} }}", open.text(6)))
        });
        (fields.collect(), runs * most)
    }
}

impl Cycle {
    /// Returns the field with the runs for which these keys are known.
    fn lock(
        &mut self,
        role: RoleId,
        keys: &[OpenableKey],
        steps: usize,
        sum: Option<(usize, usize)>,
    ) -> String {
        if let Some(lock) = self.locks.iter_mut().find(|lock| lock.role == role && lock.keys == keys) {
            lock.steps = lock.steps.min(steps);
            let same = lock.sum.map(|(number, _)| number) == sum.map(|(number, _)| number);
            lock.sum = lock.sum.max(sum).filter(|_| same);
            return lock.field.clone();
        }
        let field = self.fields.numbered("open");
        self.locks.push(Lock { role, keys: keys.to_vec(), steps, sum, field: field.clone() });
        field
    }
}

/// Returns the cycles of a graph: sets of nodes that reach each other, or one that reaches itself.
fn cycles(uses: &[BTreeSet<usize>]) -> Vec<BTreeSet<usize>> {
    let reach: Vec<BTreeSet<usize>> = (0..uses.len())
        .map(|start| {
            let mut reached = BTreeSet::new();
            let mut open: Vec<usize> = uses[start].iter().copied().collect();
            while let Some(node) = open.pop() {
                if reached.insert(node) {
                    open.extend(&uses[node]);
                }
            }
            reached
        })
        .collect();
    let cycle = |node: usize| -> BTreeSet<usize> {
        reach[node].iter().copied().filter(|other| reach[*other].contains(&node)).collect()
    };
    (0..uses.len()).map(cycle).filter(|members| !members.is_empty()).unique().collect()
}
