//! Claims as invariants of the generated model.
//!
//! A claim is about runs that have reached it and whose partners are all honest. Synchronisation and
//! agreement are those of C. Cremers, S. Mauw, E. de Vink, *Injective synchronisation: an extension of the
//! authentication hierarchy* (2006), in their non-injective forms: there are runs of the other roles with
//! which all communications that precede the claim took place.

use super::ClaimedProperty;
use super::attacker::{Attacker, Disclosure};
use super::condition::Condition;
use super::names::TakenNames;
use super::script::{Claimed, RoleScripts};
use super::terms::RoleTerms;
use super::tickets::FormLayout;
use super::value::{LeafTerm, equal};
use crate::protocol::ir::{Message, RoleClaim, RoleId, RoleTerm};
use itertools::Itertools;
use std::collections::BTreeMap;

#[derive(Debug)]
pub(super) struct TranslatedClaim {
    pub claim: ClaimedProperty,
    /// The value for the claim in the words for attacks.
    pub value: String,
    pub doc: String,
    /// The condition that the claim of run q is false.
    pub broken: Condition,
    pub holds: Condition,
    /// True for agreement and synchronisation.
    pub agreement: bool,
    /// True for injective agreement.
    pub injective: bool,
    /// The messages in which run `q` discloses a term that run `p` claims to be secret.
    pub disclosures: Vec<Disclosure>,
}

/// A communication: a message as one role sends and another one receives it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct CommunicationLabel {
    /// The name of the state variable with the runs that had sent it when it was received.
    pub name: String,
    pub shown: String,
    pub label: String,
    pub sender: RoleId,
    pub receiver: RoleId,
    sent_in: usize,
    received_in: usize,
    sent: RoleTerm,
    received: RoleTerm,
}

impl CommunicationLabel {
    /// Returns the condition that a run has sent the message with this content and these addresses.
    pub fn sent(
        &self,
        terms: &RoleTerms<'_>,
        run: &str,
        content: &LeafTerm,
        from: &LeafTerm,
        to: &LeafTerm,
        layout: &FormLayout,
    ) -> Condition {
        let of_run = |term: &RoleTerm| terms.value(self.sender, run, term, &|_| None);
        Condition::all([
            done(terms, run, self.sender, self.sent_in + 1),
            equal(&of_run(&RoleTerm::Agent(self.sender)), from, layout),
            equal(&of_run(&RoleTerm::Agent(self.receiver)), to, layout),
            equal(&of_run(&self.sent), content, layout),
        ])
    }

    /// Returns the condition that a run has received the message.
    fn received(&self, terms: &RoleTerms<'_>, run: &str) -> Condition {
        done(terms, run, self.receiver, self.received_in + 1)
    }

    /// Returns the condition that one run has sent the message that the other one has received, in any order.
    fn agreed(&self, terms: &RoleTerms<'_>, sender: &str, receiver: &str, layout: &FormLayout) -> Condition {
        let received = |term: &RoleTerm| terms.value(self.receiver, receiver, term, &|_| None);
        let content = received(&self.received);
        let from = received(&RoleTerm::Agent(self.sender));
        let to = received(&RoleTerm::Agent(self.receiver));
        Condition::all([
            self.received(terms, receiver),
            self.sent(terms, sender, &content, &from, &to, layout),
        ])
    }
}

/// Returns the condition that runs `q` and `p` are partners: of different roles of a protocol, with the same agents, and in agreement
/// about every message that both have exchanged.
pub(super) fn partners(
    terms: &RoleTerms<'_>,
    labels: &[CommunicationLabel],
    layout: &FormLayout,
) -> Condition {
    let script = terms.script;
    let plays =
        |run: &str, role: RoleId| Condition::Is(format!("role[{run}] = {}", terms.roles[role.index()]));
    let pairs = script.roles().flat_map(|own| {
        script.partners(own).iter().filter(move |role| **role != own).map(move |role| (own, *role))
    });
    Condition::any(pairs.map(|(own, other)| {
        let agents = script.partners(own).iter().map(|role| {
            let (a, b) = (terms.agent("q", *role).text, terms.agent("p", *role).text);
            Condition::Is(format!("{a} = {b}"))
        });
        let agree = labels.iter().filter_map(|label| {
            let (sender, receiver) = match (label.sender, label.receiver) {
                (from, to) if (from, to) == (own, other) => ("q", "p"),
                (from, to) if (from, to) == (other, own) => ("p", "q"),
                _ => return None,
            };
            let sent = done(terms, sender, label.sender, label.sent_in + 1);
            let both = Condition::all([sent, label.received(terms, receiver)]);
            Some(both.implies(label.agreed(terms, sender, receiver, layout)))
        });
        Condition::all([plays("q", own), plays("p", other)].into_iter().chain(agents).chain(agree))
    }))
}

fn done(terms: &RoleTerms<'_>, run: &str, role: RoleId, steps: usize) -> Condition {
    Condition::Is(format!("done({run}, {}, {steps})", terms.roles[role.index()]))
}

/// Returns the properties of all claims other than empty ones and `Running`. The communications are those of [`labels`].
pub(super) fn properties(
    terms: &RoleTerms<'_>,
    labels: &[CommunicationLabel],
    attacker: &mut Attacker<'_>,
    layout: &FormLayout,
) -> Vec<TranslatedClaim> {
    let mut properties = Vec::new();
    let mut names = TakenNames::default();
    for role in terms.script.roles() {
        for (number, step) in terms.script.steps(role).iter().enumerate() {
            for claimed in &step.claims {
                let context = ClaimPlace { terms, layout, labels, role, step: number };
                if let Some(property) = context.property(claimed, attacker, &mut names) {
                    properties.push(property);
                }
            }
        }
    }
    properties
}

/// Returns the communications of all protocols.
pub(super) fn labels(terms: &RoleTerms<'_>, names: &mut TakenNames) -> Vec<CommunicationLabel> {
    let script = terms.script;
    let mut labels = Vec::new();
    let several = script.protocols.protocols.iter().filter(|protocol| !protocol.helper).count() > 1;
    for receiver in script.roles() {
        let protocol = script.role(receiver).protocol;
        for (received_in, step) in script.steps(receiver).iter().enumerate() {
            let Some(received) = step.receives.filter(|received| !received.message.exempt) else { continue };
            let Some((sender, sent_in, message)) = sender_of(script, receiver, received.label) else {
                continue;
            };
            let shown = if several {
                format!("{} of {}", received.label, script.protocols.protocols[protocol.index()].name)
            } else {
                received.label.to_owned()
            };
            labels.push(CommunicationLabel {
                name: names.fresh(&format!("{}_{}_from", terms.roles[receiver.index()], received.label)),
                shown,
                label: received.label.to_owned(),
                sender,
                receiver,
                sent_in,
                received_in,
                sent: message.content.clone(),
                received: received.message.content.clone(),
            });
        }
    }
    labels
}

fn sender_of<'a>(
    script: &RoleScripts<'a>,
    receiver: RoleId,
    label: &str,
) -> Option<(RoleId, usize, &'a Message)> {
    let roles = script.partners(receiver).iter();
    roles.copied().find_map(|role| {
        script.steps(role).iter().enumerate().find_map(|(number, step)| {
            let sent = step.sends.iter().find(|sent| sent.label == label && !sent.message.exempt)?;
            Some((role, number, sent.message))
        })
    })
}

/// The place of a claim in a role.
struct ClaimPlace<'c, 'a> {
    terms: &'c RoleTerms<'a>,
    layout: &'c FormLayout,
    labels: &'c [CommunicationLabel],
    role: RoleId,
    step: usize,
}

/// The state variable with the number of steps that each run had taken when a run began.
pub(super) const EARLIER_STEPS: &str = "earlier_steps";

/// True if runs of a role claim that something was done since they began.
pub(super) fn is_about_recent(script: &RoleScripts<'_>, role: RoleId) -> bool {
    let mut claims = script.steps(role).iter().flat_map(|step| &step.claims);
    claims.any(|claimed| matches!(claimed.claim, RoleClaim::RecentlyAlive(_)))
}

/// The name of the run that claims.
const RUN: &str = "q";

impl ClaimPlace<'_, '_> {
    /// The name and the condition of an agreement on data, injective if no other run commits to the same.
    fn commitment(
        &self,
        role: RoleId,
        data: &[RoleTerm],
        injective: bool,
        attacker: &mut Attacker<'_>,
    ) -> (&'static str, Condition) {
        let values: Vec<LeafTerm> =
            data.iter().map(|term| self.terms.value(self.role, RUN, term, &|_| None)).collect();
        let running = self.running(role, &values, attacker);
        match injective {
            false => ("Commit", running),
            true => ("Icommit", Condition::all([running, self.repeated(role, data, attacker).negated()])),
        }
    }

    fn property(
        &self,
        claimed: &Claimed<'_>,
        attacker: &mut Attacker<'_>,
        names: &mut TakenNames,
    ) -> Option<TranslatedClaim> {
        let script = self.terms.script;
        let role = script.role(self.role);
        let value = |term: &RoleTerm| self.terms.value(self.role, RUN, term, &|_| None);
        let show = |term: &RoleTerm| script.protocols.show(self.role, term);
        let name = |role: RoleId| script.role(role).name.clone();
        let (claim, term, holds) = match claimed.claim {
            RoleClaim::Secret(term) => ("Secret", Some(show(term)), attacker.makes(&value(term)).negated()),
            RoleClaim::SessionKey(term) => ("SKR", Some(show(term)), attacker.makes(&value(term)).negated()),
            RoleClaim::Alive(of) => ("Alive", of.map(name), self.partners_act(*of, claimed, attacker)),
            RoleClaim::RecentlyAlive(of) => {
                ("Recentalive", of.map(name), self.partners_act(*of, claimed, attacker))
            }
            RoleClaim::WeakAgreement(of) => {
                ("Weakagree", of.map(name), self.partners_act(*of, claimed, attacker))
            }
            RoleClaim::NonInjectiveAgreement => (
                "Niagree",
                None,
                self.communications(claimed, attacker, |context, label, sender, receiver| {
                    label.agreed(context.terms, sender, receiver, context.layout)
                }),
            ),
            RoleClaim::NonInjectiveSynchronisation => (
                "Nisynch",
                None,
                self.communications(claimed, attacker, |_, label, sender, receiver| {
                    Condition::Is(format!("{sender} in {}[{receiver}]", label.name))
                }),
            ),
            RoleClaim::Commit { role, data, injective } => {
                let shown = data.iter().map(show).join(",");
                let (claim, holds) = self.commitment(*role, data, *injective, attacker);
                (claim, Some(format!("{},{shown}", script.role(*role).name)), holds)
            }
            RoleClaim::Reachable => ("Reachable", None, Condition::False),
            RoleClaim::Running { .. } | RoleClaim::Empty => return None,
        };
        let reached = Condition::all([
            done(self.terms, RUN, self.role, self.step + 1),
            Condition::Is(format!("honest({RUN})")),
            self.terms.threats.in_time(RUN, self.step + 1),
        ]);
        let value = match claimed.label {
            label if label.starts_with(|c: char| c.is_ascii_digit()) => format!("{}_{label}", role.name),
            label => label.to_owned(),
        };
        let protocol = &script.protocols.protocols[role.protocol.index()].name;
        let of = term.as_ref().map_or(String::new(), |term| format!(" of {term}"));
        let several = script.protocols.protocols.len() > 1;
        let where_ = if several { format!("{protocol}, ") } else { String::new() };
        let disclosures = match claimed.claim {
            RoleClaim::Secret(term) | RoleClaim::SessionKey(term) => {
                attacker.disclosures(&self.terms.value(self.role, "p", term, &|_| None))
            }
            _ => Vec::new(),
        };
        Some(TranslatedClaim {
            disclosures,
            claim: ClaimedProperty {
                property: names.fresh(&format!("claim_{}", claimed.label)),
                protocol: protocol.clone(),
                role: role.name.clone(),
                label: claimed.label.to_owned(),
                claim,
                term,
                reachability: *claimed.claim == RoleClaim::Reachable,
                reached: Condition::exists(RUN, "Run", reached.clone()).text(0),
            },
            value: attacker.names().fresh(&value),
            doc: format!("{claim}{of}, claimed by {where_}role {}.", role.name),
            broken: Condition::all([reached.clone(), holds.clone().negated()]),
            holds: Condition::forall(RUN, "Run", reached.implies(holds)),
            injective: matches!(claimed.claim, RoleClaim::Commit { injective: true, .. }),
            agreement: matches!(
                claimed.claim,
                RoleClaim::NonInjectiveAgreement | RoleClaim::NonInjectiveSynchronisation
            ),
        })
    }

    /// Returns the communications that precede the claim.
    fn preceding(&self, claimed: &Claimed<'_>) -> Vec<&CommunicationLabel> {
        let script = self.terms.script;
        let protocol = |role: RoleId| script.role(role).protocol;
        let labels = script.preceding(self.role, claimed);
        let precedes = |label: &&CommunicationLabel| {
            protocol(label.receiver) == protocol(self.role) && labels.contains(label.label.as_str())
        };
        self.labels.iter().filter(precedes).collect()
    }

    /// Returns the condition that there are runs of the other roles with which all preceding communications are `right`.
    fn communications(
        &self,
        claimed: &Claimed<'_>,
        attacker: &mut Attacker<'_>,
        right: impl Fn(&Self, &CommunicationLabel, &str, &str) -> Condition,
    ) -> Condition {
        let preceding = self.preceding(claimed);
        let mut scope = attacker.scope();
        let mut runs: BTreeMap<RoleId, String> = BTreeMap::from([(self.role, RUN.to_owned())]);
        for role in preceding.iter().flat_map(|label| [label.sender, label.receiver]) {
            runs.entry(role)
                .or_insert_with(|| scope.fresh(&format!("run_{}", self.terms.roles[role.index()])));
        }
        attacker.names().leave(&scope);
        let all =
            preceding.iter().map(|label| right(self, label, &runs[&label.sender], &runs[&label.receiver]));
        let all = Condition::all(all.collect::<Vec<_>>());
        let others = runs.iter().filter(|(role, _)| **role != self.role);
        others.fold(all, |body, (_, run)| Condition::exists(run, "Run", body))
    }

    /// Returns the condition that the partner in this role, or every partner, has taken a step, possibly in the claiming run itself: as
    /// claimed, with the same agents as partners, or since this run began. Helpers are no runs of agents.
    fn partners_act(
        &self,
        of: Option<RoleId>,
        claimed: &Claimed<'_>,
        attacker: &mut Attacker<'_>,
    ) -> Condition {
        let script = self.terms.script;
        let mut scope = attacker.scope();
        let run = scope.fresh("other");
        attacker.names().leave(&scope);
        let helps = |role: &RoleId| script.protocols.protocols[script.role(*role).protocol.index()].helper;
        let helpers = script.roles().filter(helps);
        let helpers =
            helpers.map(|role| Condition::Is(format!("role[{run}] != {}", self.terms.roles[role.index()])));
        let mut rest: Vec<Condition> = helpers.collect();
        if matches!(claimed.claim, RoleClaim::RecentlyAlive(_)) {
            rest.push(Condition::Is(format!("step[{run}] > {EARLIER_STEPS}[{RUN}][{run}]")));
        }
        if matches!(claimed.claim, RoleClaim::WeakAgreement(_)) {
            let has =
                |run: &str| Condition::exists("x", "Role", Condition::Is(format!("agents[{run}][x] = a")));
            let both = [has(RUN), has(&run)].map(|has| format!("({})", has.text(0))).join(" = ");
            rest.push(Condition::forall("a", "Agent", Condition::Is(both)));
        }
        let is_asked = |role: &&RoleId| of.map_or(**role != self.role, |of| of == **role);
        let partners = script.partners(self.role).iter().filter(is_asked);
        Condition::all(partners.map(|partner| {
            let agent = self.terms.agent(RUN, *partner).argument();
            let acts = Condition::Is(format!("actor({run}, {agent})"));
            Condition::exists(&run, "Run", Condition::all([acts].into_iter().chain(rest.iter().cloned())))
        }))
    }

    /// Returns the condition that another run of the same agent has come to the claim in time, with the same partner and data.
    fn repeated(&self, partner: RoleId, data: &[RoleTerm], attacker: &mut Attacker<'_>) -> Condition {
        let mut scope = attacker.scope();
        let run = scope.fresh("other");
        attacker.names().leave(&scope);
        let of = |run: &str| {
            LeafTerm::tuple(data.iter().map(|term| self.terms.value(self.role, run, term, &|_| None)))
        };
        let agents = [self.role, partner].map(|role| {
            let (a, b) = (self.terms.agent(RUN, role).text, self.terms.agent(&run, role).text);
            Condition::Is(format!("{a} = {b}"))
        });
        let differs = Condition::Is(format!("{run} != {RUN}"));
        let done = done(self.terms, &run, self.role, self.step + 1);
        let in_time = self.terms.threats.in_time(&run, self.step + 1);
        let same = equal(&of(&run), &of(RUN), self.layout);
        Condition::exists(
            &run,
            "Run",
            Condition::all([differs, done, in_time].into_iter().chain(agents).chain([same])),
        )
    }

    /// Returns the condition that a run of the role has claimed `Running` with the claimant, and the same data.
    fn running(&self, partner: RoleId, data: &[LeafTerm], attacker: &mut Attacker<'_>) -> Condition {
        let script = self.terms.script;
        let mut scope = attacker.scope();
        let run = scope.fresh("other");
        attacker.names().leave(&scope);
        let mut cases = Vec::new();
        for (number, step) in script.steps(partner).iter().enumerate() {
            for claimed in &step.claims {
                let RoleClaim::Running { role, data: other } = claimed.claim else { continue };
                let of_other = |term: &RoleTerm| self.terms.value(partner, &run, term, &|_| None);
                let same = match (other.is_empty(), data.is_empty()) {
                    (true, true) => Condition::True,
                    (false, false) => {
                        let other = LeafTerm::tuple(other.iter().map(of_other));
                        equal(&other, &LeafTerm::tuple(data.iter().cloned()), self.layout)
                    }
                    _ => Condition::False,
                };
                let agents = [(self.role, *role), (partner, partner)].map(|(own, other)| {
                    let (a, b) = (self.terms.agent(RUN, own).text, self.terms.agent(&run, other).text);
                    Condition::Is(format!("{a} = {b}"))
                });
                let done = done(self.terms, &run, partner, number + 1);
                cases.push(Condition::all([done].into_iter().chain(agents).chain([same])));
            }
        }
        Condition::exists(&run, "Run", Condition::any(cases))
    }
}
