//! The declarations of a protocol file for a message list, and what the attacker has as one of the agents.

use super::knowledge::{POWER, plain, private};
use super::roles::{ATTACKER, AnbRoles, constant, is_variable, tag};
use super::tree::{AnbGoalKind, AnbTerm, AnbTermKind};
use crate::protocol::text::tree::{
    DeclarationKind, ProtocolDeclaration, ProtocolMember, SpdlItem, TermKind, TermSyntax,
};
use kit::diagnostics::Diagnostic;
use kit::parsing::Name;
use std::collections::BTreeSet;

impl AnbRoles<'_> {
    /// The types and the attacker.
    pub fn file_items(&self) -> Vec<SpdlItem> {
        let span = self.file.name.span;
        let name = |text: &str| Name { text: text.to_owned(), span };
        let others = self.file.types.iter().map(|(_, ty)| ty.text.as_str());
        let types: BTreeSet<&str> = others
            .filter(|ty| !["Agent", "Function", "Format"].contains(ty))
            .chain(["Number", "Goal"])
            .collect();
        let mut items = vec![SpdlItem::Usertype(types.into_iter().map(name).collect())];
        let is_compared =
            self.file.differ.iter().any(|(one, other)| [one, other].iter().any(|of| of.text == ATTACKER));
        if is_compared || !self.given().is_empty() {
            let (names, of) = (vec![name(ATTACKER)], Some(name("Agent")));
            let kind = DeclarationKind::Constant { names, of, secret: false };
            items.push(SpdlItem::Declaration(ProtocolDeclaration { kind, span }));
            items.push(SpdlItem::Untrusted(vec![TermSyntax {
                kind: TermKind::Name(ATTACKER.to_owned()),
                span,
            }]));
        }
        items
    }

    /// Functions, constants, and what the attacker has from the beginning.
    pub fn members(&self) -> Vec<ProtocolMember> {
        let span = self.file.name.span;
        let name = |text: String| Name { text, span };
        let symbol = |text: String, of: &str, secret: bool| DeclarationKind::Constant {
            names: vec![name(text)],
            of: Some(name(of.to_owned())),
            secret,
        };
        let mut kinds = Vec::new();
        for function in self.functions.key_pairs.iter().chain(&self.applied).collect::<BTreeSet<_>>() {
            let secret = !self.is_everybodys(function);
            if self.functions.key_pairs.contains(function) {
                kinds.push(symbol(function.clone(), "Function", secret));
                kinds.push(symbol(private(function), "Function", true));
                let pair = [function.clone(), private(function)];
                let pair = pair.map(|text| TermSyntax { kind: TermKind::Name(text), span });
                kinds.push(DeclarationKind::Inverse(pair.to_vec()));
            } else if self.functions.formats.contains(function) {
                kinds.push(symbol(function.clone(), "Function", false));
            } else {
                kinds.push(DeclarationKind::Function { names: vec![name(function.clone())], secret });
            }
        }
        kinds.extend(self.constants().into_iter().map(|(text, of, secret)| symbol(text, &of, secret)));
        for (number, goal) in self.file.goals.iter().enumerate() {
            if matches!(goal.kind, AnbGoalKind::Authentic { .. }) {
                kinds.push(symbol(tag(number), "Goal", false));
            }
        }
        let mut has_powers = false;
        for term in self.all_terms() {
            term.walk(&mut |part| has_powers |= matches!(part.kind, AnbTermKind::Power(_)));
        }
        if has_powers {
            kinds.push(DeclarationKind::Exponentiation(vec![name(POWER.to_owned())]));
        }
        let given = self.given();
        if !given.is_empty() {
            kinds.push(DeclarationKind::Compromised(given));
        }
        let declared = kinds.into_iter().map(|kind| ProtocolDeclaration { kind, span });
        declared.map(ProtocolMember::Declaration).collect()
    }

    /// The constants with their types, and true for those that the attacker does not know.
    fn constants(&self) -> Vec<(String, String, bool)> {
        let mut names: BTreeSet<&str> = self.all_terms().flat_map(AnbTerm::names).collect();
        names.extend(
            self.file.differ.iter().flat_map(|(one, other)| [one.text.as_str(), other.text.as_str()]),
        );
        names.extend(self.agents.iter().map(String::as_str));
        let names = names.into_iter().filter(|name| !is_variable(name) && *name != ATTACKER);
        let is_function = |name: &str| {
            self.type_of(name) == Some("Function") || self.applied.iter().any(|function| function == name)
        };
        let constants = names.filter(|name| !is_function(name)).map(|name| {
            if self.agents.iter().any(|agent| agent == name) {
                return (constant(name), "Agent".to_owned(), false);
            }
            let is_known = self.known_to_variables().any(|(_, term)| term.names().contains(&name));
            let of = self.type_of(name).unwrap_or("Number").to_owned();
            (name.to_owned(), of.clone(), !is_known && of != "Agent")
        });
        constants.collect()
    }

    /// The initial knowledge of agents that may be the attacker.
    fn known_to_variables(&self) -> impl Iterator<Item = (&str, &AnbTerm)> {
        let knowledge = self.file.knowledge.iter().filter(|(agent, _)| is_variable(&agent.text));
        knowledge.flat_map(|(agent, terms)| terms.iter().map(|term| (agent.text.as_str(), term)))
    }

    /// True if the attacker can apply a function to everything: if she has it as one of the agents, or has what it gives for others.
    fn is_everybodys(&self, function: &str) -> bool {
        self.known_to_variables().any(|(agent, term)| match &term.kind {
            AnbTermKind::Name(name) => name == function,
            AnbTermKind::Apply(of, _) => {
                of == function
                    && !term.names().contains(&agent)
                    && term.names().iter().any(|name| is_variable(name))
            }
            _ => false,
        })
    }

    /// The terms that the attacker has as one of the agents, and that secret functions do not give her.
    fn given(&self) -> Vec<TermSyntax> {
        let given = self.known_to_variables().filter(|(agent, term)| match &term.kind {
            AnbTermKind::Name(_) => false,
            AnbTermKind::Apply(..) | AnbTermKind::Inverse(_) => {
                !term.names().iter().any(|name| is_variable(name))
            }
            _ => !term.names().iter().any(|name| is_variable(name) && name != agent),
        });
        let given = given.filter_map(|(agent, term)| plain(&self.with_constants(agent, term)));
        let mut found: Vec<TermSyntax> = Vec::new();
        for term in given {
            if found.iter().all(|other| other.kind != term.kind) {
                found.push(term);
            }
        }
        found
    }

    /// A term with the attacker in the place of an agent, and constants for others.
    fn with_constants(&self, agent: &str, term: &AnbTerm) -> AnbTerm {
        let all =
            |terms: &[AnbTerm]| terms.iter().map(|term| self.with_constants(agent, term)).collect::<Vec<_>>();
        let pair = |terms: &[AnbTerm; 2]| Box::new([0, 1].map(|at| self.with_constants(agent, &terms[at])));
        let kind = match &term.kind {
            AnbTermKind::Name(name) if name == agent => AnbTermKind::Name(ATTACKER.to_owned()),
            AnbTermKind::Name(name) if self.agents.contains(name) => AnbTermKind::Name(constant(name)),
            AnbTermKind::Name(name) => AnbTermKind::Name(name.clone()),
            AnbTermKind::Apply(function, terms) => AnbTermKind::Apply(function.clone(), all(terms)),
            AnbTermKind::Inverse(of) => AnbTermKind::Inverse(Box::new(self.with_constants(agent, of))),
            AnbTermKind::Asymmetric(terms) => AnbTermKind::Asymmetric(pair(terms)),
            AnbTermKind::Symmetric(terms) => AnbTermKind::Symmetric(pair(terms)),
            AnbTermKind::Power(terms) => AnbTermKind::Power(all(terms)),
            AnbTermKind::Tuple(terms) => AnbTermKind::Tuple(all(terms)),
        };
        AnbTerm { kind, span: term.span }
    }

    /// Reports what the attacker would have as one of the agents and cannot be said.
    pub fn check_given(&self) -> Vec<Diagnostic> {
        let is_beyond = |agent: &str, term: &AnbTerm| {
            let is_foreign = |name: &&str| is_variable(name) && *name != agent;
            match &term.kind {
                AnbTermKind::Name(_) | AnbTermKind::Apply(..) => false,
                AnbTermKind::Inverse(_) => {
                    !term.names().contains(&agent) && term.names().iter().any(is_foreign)
                }
                _ => term.names().iter().any(is_foreign),
            }
        };
        let beyond = self.known_to_variables().filter(|(agent, term)| is_beyond(agent, term));
        let report = |(agent, term): (&str, &AnbTerm)| {
            let message = format!("{agent} knows `{}` of another agent from the beginning", term.show());
            Diagnostic::error(term.span, message).with_help("let the agent receive it in a message")
        };
        beyond.map(report).collect()
    }
}
