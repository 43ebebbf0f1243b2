//! Conditions for an expression to have a value: keys are present, indices are in range, and elements of sets
//! and keys of maps are within the limits of `--int`.
//!
//! Quint's simulator ends with an error if such a condition fails. Here, a step whose guards or values are
//! undefined does not exist, and an undefined invariant is violated. A step with a value beyond limits is lost; this is no such error.

use super::elaborate::Result;
use super::print_terms::TermPrinter;
use super::term::{Node, QuintBinder, QuintTerm};
use super::types::Ty;

impl TermPrinter<'_> {
    /// Returns the condition that no value in a term is beyond the limits of its place; `None` if none ever is.
    pub fn within_limits(&mut self, term: &QuintTerm) -> Result<Option<String>> {
        self.only_limits = true;
        let found = self.defined(term);
        self.only_limits = false;
        found
    }

    /// Returns the condition as a text; `None` if the term always has a value.
    pub fn defined(&mut self, term: &QuintTerm) -> Result<Option<String>> {
        self.counted()?;
        match &*term.node {
            Node::And(parts) => self.in_turn(parts, "and", "=>"),
            Node::Or(parts) => self.in_turn(parts, "or", "or"),
            Node::Infix("=>", a, b) => self.in_turn(&[a.clone(), b.clone()], "and", "=>"),
            Node::If(c, a, b) => {
                let condition = self.text(c)?;
                let first = self.defined(c)?;
                let then = self.defined(a)?.map(|d| format!("({condition} => {d})"));
                let otherwise = self.defined(b)?.map(|d| format!("({condition} or {d})"));
                Ok(both([first, then, otherwise]))
            }
            Node::Image(..)
            | Node::Flatten(..)
            | Node::Powerset(_)
            | Node::WithinLimits(_)
            | Node::Cross(_)
            | Node::Range(..)
            | Node::Quantified(..)
            | Node::Total(..)
            | Node::Filter(..)
            | Node::Select(..)
            | Node::Choose(..)
            | Node::MapBy(..) => self.of_set(term),
            Node::Build(bound, length, body, _) => self.within_length(term, (bound, length, body)),
            Node::Map(..) | Node::Put(..) | Node::Get(..) | Node::Change(..) => self.in_map(term),
            Node::Given(condition, value) => {
                let first = self.defined(condition)?;
                let text = self.text(condition)?;
                if text == "true" {
                    return Ok(both([first, self.defined(value)?]));
                }
                let then = self.defined(value)?.map(|d| format!("({text} => {d})"));
                Ok(both([first, then, Some(text).filter(|_| !self.only_limits)]))
            }
            Node::Nth(list, at) => {
                let parts = self.parts(term)?;
                let at = self.text(at)?;
                let length = match &*list.node {
                    Node::List(elements) => elements.len().to_string(),
                    _ => format!("length({})", self.text(list)?),
                };
                let ranges =
                    |(name, most): &(String, String)| at == format!("({name} - 1)") && *most == length;
                if self.only_limits || self.positions.iter().any(ranges) {
                    return Ok(parts);
                }
                Ok(both([parts, Some(format!("(0 <= {at} and {at} < {length})"))]))
            }
            Node::Infix("/" | "mod", _, by) if self.divisors(by).0 < 1 || self.may_leave(by) => {
                let may_leave = self.may_leave(by);
                let (parts, by, most) = (self.parts(term)?, self.text(by)?, self.divisors(by).1);
                Ok(match self.only_limits {
                    true => both([parts, may_leave.then(|| format!("(0 <= {by} and {by} <= {most})"))]),
                    false => both([parts, Some(format!("(1 <= {by} and {by} <= {most})"))]),
                })
            }
            Node::Fold(fold) => {
                let unfolded = self.unfolded(fold)?;
                self.defined(&unfolded)
            }
            Node::Rest(list) if !self.only_limits => {
                let parts = self.parts(term)?;
                let list = self.text(list)?;
                Ok(both([parts, Some(format!("(length({list}) > 0)"))]))
            }
            _ => self.parts(term),
        }
    }

    /// Returns the condition that a set, or what goes through one, has a value.
    fn of_set(&mut self, term: &QuintTerm) -> Result<Option<String>> {
        match &*term.node {
            Node::Image(bound, body) if self.may_miss(&self.element(term)?, body) => {
                let defined = self.everywhere(bound, body)?;
                let all = self.names.domain(&self.element(term)?, "Element")?;
                let (inside, domain) = (self.inside(body, &all)?, self.domain(&bound.domain)?);
                Ok(both([defined, Some(format!("(forall {} in {domain}: {inside})", bound.name))]))
            }
            Node::Flatten(bound, body) => {
                let (defined, inside) =
                    (self.everywhere(bound, body)?, self.members_inside(&self.element(term)?, body)?);
                let domain = self.domain(&bound.domain)?;
                Ok(both([
                    defined,
                    inside.map(|inside| format!("(forall {} in {domain}: {inside})", bound.name)),
                ]))
            }
            Node::Powerset(of) | Node::WithinLimits(of) => {
                let defined = self.defined(of)?;
                Ok(both([defined, self.members_inside(&self.element(of)?, of)?]))
            }
            Node::Cross(sets) => {
                let mut found = vec![self.parts(term)?];
                for set in sets {
                    found.push(self.members_inside(&self.element(set)?, set)?);
                }
                Ok(both(found))
            }
            Node::Quantified(_, bound, body)
            | Node::Total(bound, body)
            | Node::Filter(bound, body)
            | Node::Image(bound, body)
            | Node::Select(bound, body)
            | Node::MapBy(bound, body) => self.everywhere(bound, body),
            Node::Choose(bound, body) => {
                let defined = self.everywhere(bound, body)?;
                if self.only_limits {
                    return Ok(defined);
                }
                let (domain, body) = (self.domain(&bound.domain)?, self.text(body)?);
                Ok(both([defined, Some(format!("(exists {} in {domain}: {body})", bound.name))]))
            }
            Node::Range(lo, hi) => {
                let (parts, element) = (self.parts(term)?, self.element(term)?);
                if !self.may_miss(&element, lo) && !self.may_miss(&element, hi) {
                    return Ok(parts);
                }
                let all = self.names.domain(&element, "Element")?;
                let (lo, hi) = (self.text(lo)?, self.text(hi)?);
                Ok(both([parts, Some(format!("({hi} < {lo} or {lo} in {all} and {hi} in {all})"))]))
            }
            _ => self.parts(term),
        }
    }

    /// Returns the condition that a map has the key that is read or changed, and that its keys are within limits.
    fn in_map(&mut self, term: &QuintTerm) -> Result<Option<String>> {
        match &*term.node {
            Node::Map(entries) => {
                let (mut found, key_type) = (vec![self.parts(term)?], self.map_type(term)?.key);
                for (key, _) in entries {
                    if self.may_miss(&key_type, key) {
                        let all = self.names.domain(&key_type, "Key")?;
                        found.push(Some(self.inside(key, &all)?));
                    }
                }
                Ok(both(found))
            }
            Node::Put(map, key, _) => {
                let parts = self.parts(term)?;
                let ty = self.map_type(map)?;
                let inside = match self.may_miss(&ty.key, key) {
                    true => {
                        let all = self.names.domain(&ty.key, "Key")?;
                        Some(self.inside(key, &all)?)
                    }
                    false => None,
                };
                Ok(both([parts, inside]))
            }
            Node::Get(..) | Node::Change(..) if self.only_limits => self.parts(term),
            Node::Get(map, key) | Node::Change(map, key, _) => {
                let parts = self.parts(term)?;
                let ty = self.map_type(map)?;
                let entry = (self.text(map)?, self.text(key)?);
                let present = match (ty.total, self.may_miss(&ty.key, key)) {
                    _ if self.entries.contains(&entry) => None,
                    (true, false) => None,
                    (true, true) => Some(format!("({} in {})", entry.1, self.names.domain(&ty.key, "Key")?)),
                    (false, _) => Some(format!("({}[{}] is some)", entry.0, entry.1)),
                };
                Ok(both([parts, present]))
            }
            _ => self.parts(term),
        }
    }

    /// Returns the condition that a value is one of those of its place.
    fn inside(&mut self, value: &QuintTerm, all: &str) -> Result<String> {
        let text = self.text(value)?;
        Ok(match self.names.types.resolve(&value.ty) {
            Ty::Int(_) => format!("({text} in {all})"),
            _ => {
                let own = self.names.name("v");
                format!("(exists {own} in {all}: {own} = {text})")
            }
        })
    }

    /// Returns the condition that the members that are written out of a set have the type of elements; those of other sets are looked at there.
    fn members_inside(&mut self, element: &Ty, set: &QuintTerm) -> Result<Option<String>> {
        Ok(match &*set.node {
            Node::Set(members) => {
                let mut found = Vec::new();
                for member in members.iter().filter(|member| member.value().is_none()) {
                    if self.may_miss(element, member) {
                        let all = self.names.domain(element, "Element")?;
                        found.push(Some(self.inside(member, &all)?));
                    }
                }
                both(found)
            }
            Node::Infix(_, a, b) => {
                both([self.members_inside(element, a)?, self.members_inside(element, b)?])
            }
            Node::Given(_, set) | Node::Filter(QuintBinder { domain: set, .. }, _) => {
                self.members_inside(element, set)?
            }
            Node::If(c, a, b) => {
                let condition = self.text(c)?;
                let then = self.members_inside(element, a)?.map(|d| format!("({condition} => {d})"));
                let otherwise = self.members_inside(element, b)?.map(|d| format!("({condition} or {d})"));
                both([then, otherwise])
            }
            _ => None,
        })
    }

    /// Returns the condition that a list that is built is not too long, and that its elements have values.
    fn within_length(
        &mut self,
        term: &QuintTerm,
        (bound, length, body): (&QuintBinder, &QuintTerm, &QuintTerm),
    ) -> Result<Option<String>> {
        let (first, n, most) = (self.defined(length)?, self.text(length)?, self.longest(term)?);
        let mut each = Vec::new();
        for at in 1..=most {
            let number = self.position(bound, at);
            let own = self.defined(&body.with(&bound.name, &number))?;
            each.push(own.map(|own| format!("({n} < {at} or {own})")));
        }
        Ok(both([vec![first, Some(format!("({n} <= {most})"))], each].concat()))
    }

    fn parts(&mut self, term: &QuintTerm) -> Result<Option<String>> {
        let parts = term.parts().into_iter().map(|part| self.defined(part)).collect::<Result<Vec<_>>>()?;
        Ok(both(parts))
    }

    /// Combines the conditions of operands evaluated in order until one decides.
    fn in_turn(&mut self, parts: &[QuintTerm], joined: &str, then: &str) -> Result<Option<String>> {
        let mut found = Vec::new();
        for (at, part) in parts.iter().enumerate() {
            let known = self.entries.len();
            if joined == "and" {
                let present = self.present_by(&parts[..at], part)?;
                self.entries.extend(present);
            }
            let own = self.defined(part);
            self.entries.truncate(known);
            let Some(own) = own? else { continue };
            let before = parts[..at].iter().map(|part| self.text(part)).collect::<Result<Vec<_>>>()?;
            found.push(Some(match before.is_empty() {
                true => own,
                false => format!("(({}) {then} {own})", before.join(&format!(" {joined} "))),
            }));
        }
        Ok(both(found))
    }

    /// Returns the entries of maps that are present, by equations of their keys, for each value of the name of a quantifier.
    fn present_by(&mut self, before: &[QuintTerm], part: &QuintTerm) -> Result<Vec<(String, String)>> {
        let Node::Quantified("forall", bound, _) = &*part.node else { return Ok(Vec::new()) };
        let mut found = Vec::new();
        for condition in before {
            if let Node::Infix("=", keys, set) = &*condition.node
                && let Node::Keys(map) = &*keys.node
                && self.domain(set)? == self.domain(&bound.domain)?
            {
                found.push((self.text(map)?, bound.name.clone()));
            }
        }
        Ok(found)
    }

    /// Returns the type of the elements of a set.
    fn element(&self, set: &QuintTerm) -> Result<Ty> {
        match self.names.types.resolve(&set.ty) {
            Ty::Set(element) => Ok(*element),
            _ => Err("the type of a set is not known".into()),
        }
    }

    fn everywhere(&mut self, bound: &QuintBinder, body: &QuintTerm) -> Result<Option<String>> {
        let domain = self.defined(&bound.domain)?;
        let known = self.positions.len();
        if let Node::Range(lo, hi) = &*bound.domain.node
            && matches!(&*lo.node, Node::Int(1))
        {
            let most = self.text(hi)?;
            self.positions.push((bound.name.clone(), most));
        }
        let inner = self.defined(body);
        self.positions.truncate(known);
        let inner = match inner? {
            None => None,
            Some(inner) => {
                Some(format!("(forall {} in {}: {inner})", bound.name, self.domain(&bound.domain)?))
            }
        };
        Ok(both([domain, inner]))
    }
}

fn both(conditions: impl IntoIterator<Item = Option<String>>) -> Option<String> {
    let mut all: Vec<String> = Vec::new();
    for condition in conditions.into_iter().flatten() {
        if !all.contains(&condition) {
            all.push(condition);
        }
    }
    match all.len() {
        0 => None,
        1 => all.pop(),
        _ => Some(format!("({})", all.join(" and "))),
    }
}
