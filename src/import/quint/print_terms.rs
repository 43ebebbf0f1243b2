//! Prints terms in the language of models, with more parentheses than needed.

use super::elaborate::{ReasonKind, Result, UntranslatableReason};
use super::print_types::{TypeNames, field_name};
use super::term::{Fold, Node, QuintBinder, QuintTerm};
use super::types::{Ty, TypeSlot, divisors};
use super::value::QuintValue;
use kit::number::to_usize;

/// The greatest number of terms printed or visited.
const MOST_PRINTED: usize = 200_000;

/// The most values of a type that CHOOSE is written out for.
const MOST_CHOSEN: usize = 128;

/// The most divisors that a quotient is written out for.
const MOST_DIVISORS: i128 = 64;

/// Prints terms, and the conditions for them to have a value.
#[derive(Debug)]
pub(crate) struct TermPrinter<'t> {
    pub names: TypeNames<'t>,
    /// Names that range over the positions of a list, from 1, with the text of its length.
    pub positions: Vec<(String, String)>,
    /// Maps and keys that are present, as texts.
    pub entries: Vec<(String, String)>,
    /// True if conditions for values to exist are only about limits.
    pub only_limits: bool,
    printed: usize,
}

/// The type of a map: the type of its keys, and true if each key has a value.
pub(crate) struct MapType {
    pub key: Ty,
    pub total: bool,
}

impl<'t> TermPrinter<'t> {
    pub fn new(names: TypeNames<'t>) -> Self {
        Self { names, positions: Vec::new(), entries: Vec::new(), only_limits: false, printed: 0 }
    }

    /// Counts a visited term, within the limit on their number.
    pub fn counted(&mut self) -> Result<()> {
        self.printed += 1;
        match self.printed > MOST_PRINTED {
            true => Err("the text gets too long once definitions are written out".into()),
            false => Ok(()),
        }
    }

    /// Returns a term in parentheses, unless it is atomic.
    pub fn text(&mut self, term: &QuintTerm) -> Result<String> {
        self.counted()?;
        Ok(match &*term.node {
            Node::Bool(b) => b.to_string(),
            Node::Int(n) if *n < 0 => format!("({n})"),
            Node::Int(n) => n.to_string(),
            Node::Str(word) => {
                self.names.text(&term.ty, "Text")?;
                self.names.word(word)
            }
            Node::Name(name) => name.clone(),
            Node::Set(members) => {
                if let Ty::Set(element) = self.names.types.resolve(&term.ty) {
                    self.names.small(&element, "elements of a set")?;
                }
                format!("{{ {} }}", self.list(members)?)
            }
            Node::List(elements) => format!("[{}]", self.list(elements)?),
            Node::Tup(parts) => {
                let parts = (1..).zip(parts).map(|(at, part)| (format!("_{at}"), part.clone()));
                self.record(&term.ty, &parts.collect::<Vec<_>>())?
            }
            Node::Rec(fields) => self.record(&term.ty, fields)?,
            Node::Infix(op, a, b) => self.infix(op, a, b)?,
            Node::Not(a) => match &*a.node {
                Node::Infix("=", x, y) => self.pair("!=", x, y)?,
                Node::Infix("in", x, y) if matches!(&*y.node, Node::Keys(_)) || self.has_lists(y) => {
                    format!("(not {})", self.infix("in", x, y)?)
                }
                Node::Infix("in", x, y) => format!("({} not in {})", self.text(x)?, self.domain(y)?),
                _ => format!("(not {})", self.text(a)?),
            },
            Node::Minus(a) => format!("(-{})", self.text(a)?),
            Node::And(parts) => self.joined(parts, "and")?,
            Node::Or(parts) => self.joined(parts, "or")?,
            Node::If(c, a, b) => {
                format!("(if {} then {} else {})", self.text(c)?, self.text(a)?, self.text(b)?)
            }
            Node::Quantified(word, bound, body) => self.over(word, bound, body)?,
            Node::WithinLimits(_) => "true".into(),
            Node::Total(bound, body) => self.over("sum", bound, body)?,
            Node::Size(set) => format!("size({})", self.text(set)?),
            Node::Field(a, field) => format!("{}.{}", self.text(a)?, field_name(field)),
            Node::Sum(..) | Node::Is(..) | Node::Payload(..) => self.constructed(term)?,
            Node::Get(..) | Node::Put(..) | Node::Change(..) | Node::Map(_) | Node::MapBy(..) => {
                self.map(term)?
            }
            Node::Nth(list, at) if matches!(*list.node, Node::List(_)) => self.listed(list, at)?,
            Node::Nth(list, at) => {
                let element = format!("{}[{}]", self.text(list)?, self.text(at)?);
                self.present(element, &term.ty)?
            }
            Node::Concat(a, b) => format!("concat({}, {})", self.text(a)?, self.text(b)?),
            Node::Build(bound, length, body, like) => self.built(term, bound, length, body, like)?,
            Node::Choose(bound, body) => self.chosen(term, bound, body)?,
            Node::Append(list, element) => format!("append({}, {})", self.text(list)?, self.text(element)?),
            Node::Fold(fold) => {
                let unfolded = self.unfolded(fold)?;
                self.text(&unfolded)?
            }
            Node::Rest(list) => format!("rest({})", self.text(list)?),
            Node::Given(_, value) => self.text(value)?,
            Node::Length(list) => format!("length({})", self.text(list)?),
            Node::Filter(..) | Node::Image(..) | Node::Keys(_) | Node::Range(..) | Node::Powerset(_) => {
                self.comprehension(term)?
            }
            Node::Cross(_) | Node::Maps(..) | Node::Select(..) | Node::Flatten(..) | Node::Universe => {
                self.comprehension(term)?
            }
        })
    }

    /// Returns the constructor and payload of a value: a tuple is a sequence, if its place got sequences later.
    fn as_sequence(&self, term: &QuintTerm, label: &str, payload: &QuintTerm) -> (String, QuintTerm) {
        let given = (label.to_owned(), payload.clone());
        let (Ty::Sum(sorts), Node::Tup(parts)) = (self.names.types.resolve(&term.ty), &*payload.node) else {
            return given;
        };
        let own = |wanted: &str| sorts.iter().find(|(sort, _)| sort == wanted);
        match (own(label), own("Seq")) {
            (None, Some((sort, ty))) => (sort.clone(), QuintTerm::new(Node::List(parts.clone()), ty.clone())),
            _ => given,
        }
    }

    /// Returns a value with a constructor, a test of its constructor, or its part.
    fn constructed(&mut self, term: &QuintTerm) -> Result<String> {
        Ok(match &*term.node {
            Node::Sum(label, payload) => {
                let (label, payload) = &self.as_sequence(term, label, payload);
                let constructor = self.names.constructor(&term.ty, label)?;
                match constructor.field {
                    None => constructor.name,
                    Some(field) => format!("{}({field}: {})", constructor.name, self.text(payload)?),
                }
            }
            Node::Is(a, label) => {
                let constructor = self.names.constructor(&a.ty, label)?;
                match (constructor.only, constructor.plain) {
                    (true, _) => "true".into(),
                    (_, true) => format!("({} = {})", self.text(a)?, constructor.name),
                    _ => format!("({} is {})", self.text(a)?, constructor.name),
                }
            }
            Node::Payload(a, label) => {
                let constructor = self.names.constructor(&a.ty, label)?;
                let field =
                    constructor.field.ok_or("the argument of a constructor without a value is used")?;
                let part = format!("{}.{field}", self.text(a)?);
                if constructor.everywhere { part } else { self.present(part, &term.ty)? }
            }
            _ => return Err("a value without a constructor is used as one".into()),
        })
    }

    fn list(&mut self, terms: &[QuintTerm]) -> Result<String> {
        let texts = terms.iter().map(|term| self.text(term)).collect::<Result<Vec<_>>>()?;
        Ok(texts.join(", "))
    }

    fn joined(&mut self, terms: &[QuintTerm], word: &str) -> Result<String> {
        let texts = terms.iter().map(|term| self.text(term)).collect::<Result<Vec<_>>>()?;
        let (neutral, decisive) = if word == "and" { ("true", "false") } else { ("false", "true") };
        let kept: Vec<String> = texts.into_iter().filter(|text| text != neutral).collect();
        Ok(match kept.len() {
            0 => neutral.into(),
            _ if kept.iter().any(|text| text == decisive) => decisive.into(),
            _ => format!("({})", kept.join(&format!(" {word} "))),
        })
    }

    fn pair(&mut self, op: &str, a: &QuintTerm, b: &QuintTerm) -> Result<String> {
        Ok(format!("({} {op} {})", self.text(a)?, self.text(b)?))
    }

    fn infix(&mut self, op: &str, a: &QuintTerm, b: &QuintTerm) -> Result<String> {
        match (op, &*a.node, &*b.node) {
            ("in", ..) if self.is_certain(a, b) => Ok("true".into()),
            ("in", _, Node::Keys(map)) if self.is_entry(map, a)? => {
                Ok(format!("({}[{}] is some)", self.text(map)?, self.text(a)?))
            }
            // Lists are written where they are compared.
            ("in", _, Node::Set(members)) if self.has_lists(b) => {
                let each = members.iter().map(|member| self.pair("=", a, member));
                Ok(format!("({})", each.collect::<Result<Vec<_>>>()?.join(" or ")))
            }
            ("in", _, Node::If(condition, then, other)) if self.has_lists(b) => {
                let condition = self.text(condition)?;
                let (then, other) = (self.infix("in", a, then)?, self.infix("in", a, other)?);
                Ok(format!("(if {condition} then {then} else {other})"))
            }
            ("in", _, Node::Given(_, set)) if self.has_lists(b) => self.infix("in", a, set),
            ("in", ..) => Ok(format!("({} in {})", self.text(a)?, self.domain(b)?)),
            // All keys of a total map.
            ("=", Node::Keys(map), _) if self.map_type(map)?.total && self.is_everything(b) => {
                Ok("true".into())
            }
            ("/" | "mod", ..) => {
                if let Ty::Int(slot) = self.names.types.resolve(&a.ty)
                    && self.names.types.bounds(slot).0 < 0
                    && !self.names.types.rounds_down
                {
                    return Err(
                        "a number that may be negative is divided, which Quint rounds otherwise".into()
                    );
                }
                self.quotient(op, a, b)
            }
            _ => self.pair(op, a, b),
        }
    }

    /// Returns the range of a divisor.
    pub fn divisors(&self, by: &QuintTerm) -> (i128, i128) {
        match (self.names.types.resolve(&by.ty), by.value()) {
            (_, Some(QuintValue::Int(by))) => (by.into(), by.into()),
            (Ty::Int(slot), _) => self.names.types.bounds(slot),
            _ => (1, 1),
        }
    }

    /// Returns a quotient or remainder: one for each divisor.
    fn quotient(&mut self, op: &str, a: &QuintTerm, by: &QuintTerm) -> Result<String> {
        let (lo, hi) = self.divisors(by);
        if lo < 0 && !(op == "mod" && self.names.types.rounds_down) {
            return Err("the divisor may be negative".into());
        }
        let (least, most) = divisors((lo, hi));
        if most - least >= MOST_DIVISORS {
            return Err(format!("the divisor has more than {MOST_DIVISORS} possible values").into());
        }
        let (a, by) = (self.text(a)?, self.text(by)?);
        let each = (least..most).map(|one| format!("if {by} = {one} then {a} {op} {one} else "));
        Ok(format!("({}{a} {op} {most})", each.collect::<String>()))
    }

    /// True if the members of a set are lists that are written out.
    fn has_lists(&self, set: &QuintTerm) -> bool {
        let Ty::Set(element) = self.names.types.resolve(&set.ty) else { return false };
        let is_written = match &*set.node {
            Node::Set(members) => !members.is_empty(),
            Node::If(_, then, other) => self.has_lists(then) || self.has_lists(other),
            Node::Given(_, set) => self.has_lists(set),
            _ => false,
        };
        is_written && matches!(self.names.types.resolve(&element), Ty::List(..))
    }

    fn record(&mut self, ty: &Ty, fields: &[(String, QuintTerm)]) -> Result<String> {
        let name = self.names.text(ty, "Record")?;
        let mut parts = Vec::new();
        for (field, part) in fields {
            parts.push(format!("{}: {}", field_name(field), self.text(part)?));
        }
        Ok(format!("{name}({})", parts.join(", ")))
    }

    fn over(&mut self, word: &str, bound: &QuintBinder, body: &QuintTerm) -> Result<String> {
        Ok(format!("({word} {} in {}: {})", bound.name, self.domain(&bound.domain)?, self.text(body)?))
    }

    /// Returns an optional value, with a default where it is absent.
    pub fn present(&mut self, text: String, ty: &Ty) -> Result<String> {
        Ok(format!("({text} otherwise {})", self.default(ty)?))
    }

    /// Returns a default value of a type.
    fn default(&mut self, ty: &Ty) -> Result<String> {
        Ok(match self.names.types.resolve(ty) {
            Ty::Bool | Ty::Open(_) => "false".into(),
            Ty::Int(slot) => match self.names.types.bounds(slot) {
                (lo, hi) if lo <= 0 && 0 <= hi => "0".into(),
                (lo, _) => format!("({lo})"),
            },
            Ty::Str(slot) => {
                self.names.text(ty, "Text")?;
                let first = self.names.types.words(slot).first().cloned();
                self.names.word(&first.ok_or("a string has no value")?)
            }
            Ty::Set(_) => "{}".into(),
            Ty::List(..) => "[]".into(),
            Ty::Map(key, value, slot) => {
                let total = self.names.types.total(&key, slot);
                let (k, keys) = (self.names.name("k"), self.names.keys(&key)?);
                let value = if total { self.default(&value)? } else { "none".into() };
                format!("(map {k} in {keys}: {value})")
            }
            Ty::Tup(parts) => {
                let parts: Vec<(String, Ty)> =
                    (1..).zip(parts).map(|(at, p)| (format!("_{at}"), p)).collect();
                self.default_record(ty, &parts)?
            }
            Ty::Rec(fields) => self.default_record(ty, &fields)?,
            Ty::Union(_) => return Err("a value of several sorts is not known".into()),
            Ty::Sum(constructors) => {
                let (label, payload) =
                    constructors.first().cloned().ok_or("a sum type has no constructors")?;
                let constructor = self.names.constructor(ty, &label)?;
                match constructor.field {
                    None => constructor.name,
                    Some(field) => format!("{}({field}: {})", constructor.name, self.default(&payload)?),
                }
            }
        })
    }

    fn default_record(&mut self, ty: &Ty, fields: &[(String, Ty)]) -> Result<String> {
        let name = self.names.text(ty, "Record")?;
        let mut parts = Vec::new();
        for (field, ty) in fields {
            parts.push(format!("{}: {}", field_name(field), self.default(ty)?));
        }
        Ok(format!("{name}({})", parts.join(", ")))
    }

    /// Returns the text of a set to iterate over, or to test membership in.
    pub fn domain(&mut self, set: &QuintTerm) -> Result<String> {
        let element = match self.names.types.resolve(&set.ty) {
            Ty::Set(element) => *element,
            _ => return self.text(set),
        };
        if let Some(members) = set.members() {
            let numbers = members.iter().map(QuintValue::integer).collect::<Option<Vec<_>>>();
            if let Some([first, .., last]) = numbers.as_deref()
                && to_usize(last.abs_diff(*first)) + 1 == members.len()
            {
                return Ok(format!("{first}..{last}"));
            }
        }
        if self.is_everything(set) { self.names.domain(&element, "Element") } else { self.text(set) }
    }

    /// True if a set certainly has all values of its element type.
    fn is_everything(&self, set: &QuintTerm) -> bool {
        let Ty::Set(element) = self.names.types.resolve(&set.ty) else { return false };
        let all = self.names.types.cardinality(&element);
        match (&*set.node, set.members()) {
            (Node::Universe, _) => true,
            (_, Some(members)) => !members.is_empty() && Some(members.len() as u128) == all,
            (Node::Keys(map), _) => match self.names.types.resolve(&map.ty) {
                Ty::Map(key, _, slot) => self.names.types.total(&key, slot),
                _ => false,
            },
            _ => false,
        }
    }

    /// True if entries of a map are options, and exist for each value of an expression.
    fn is_entry(&self, map: &QuintTerm, key: &QuintTerm) -> Result<bool> {
        let ty = self.map_type(map)?;
        Ok(!ty.total && !self.may_miss(&ty.key, key))
    }

    /// True if a set has all values that an expression can have.
    fn is_certain(&self, element: &QuintTerm, set: &QuintTerm) -> bool {
        let Ty::Set(all) = self.names.types.resolve(&set.ty) else { return false };
        self.is_everything(set) && !self.may_miss(&all, element)
    }

    /// Writes a set as a comprehension.
    fn comprehension(&mut self, set: &QuintTerm) -> Result<String> {
        if let Node::Filter(bound, body) | Node::Select(bound, body) = &*set.node {
            return Ok(format!(
                "{{ {} in {} : {} }}",
                bound.name,
                self.domain(&bound.domain)?,
                self.text(body)?
            ));
        }
        let Ty::Set(element) = self.names.types.resolve(&set.ty) else {
            return Err("the type of a set is not known".into());
        };
        let (name, all) = (self.names.name("v"), self.names.domain(&element, "Element")?);
        let condition = match &*set.node {
            Node::Image(bound, body) => {
                let body = self.text(body)?;
                format!("exists {} in {}: {body} = {name}", bound.name, self.domain(&bound.domain)?)
            }
            Node::Range(lo, hi) => format!("{} <= {name} and {name} <= {}", self.text(lo)?, self.text(hi)?),
            Node::Flatten(bound, body) => {
                let body = self.domain(body)?;
                format!("exists {} in {}: {name} in {body}", bound.name, self.domain(&bound.domain)?)
            }
            Node::Universe => "true".into(),
            Node::Powerset(of) => format!("{name} subset {}", self.text(of)?),
            Node::Cross(sets) => {
                let mut parts = Vec::new();
                for (at, set) in (1..).zip(sets) {
                    parts.push(format!("{name}._{at} in {}", self.domain(set)?));
                }
                parts.join(" and ")
            }
            Node::Keys(map) => match self.map_type(map)?.total {
                true => "true".into(),
                false => format!("{}[{name}] is some", self.text(map)?),
            },
            _ => return Err(UntranslatableReason::from("a set of maps is used as a value")),
        };
        Ok(format!("{{ {name} in {all} : {condition} }}"))
    }

    pub fn map_type(&self, map: &QuintTerm) -> Result<MapType> {
        match self.names.types.resolve(&map.ty) {
            Ty::Map(key, _, slot) => {
                let total = self.names.types.total(&key, slot);
                Ok(MapType { key: *key, total })
            }
            _ => Err("the type of a map is not known".into()),
        }
    }

    /// True if a key may be outside of the key type of a map, or a value outside of the element type of a set.
    pub fn may_miss(&self, keys: &Ty, key: &QuintTerm) -> bool {
        let bounds = |slot: TypeSlot| self.names.types.bounds(slot);
        match (self.names.types.resolve(keys), self.names.types.resolve(&key.ty), &*key.node) {
            (Ty::Int(own), Ty::Int(given), _) => {
                bounds(given).0 < bounds(own).0 || bounds(given).1 > bounds(own).1 || self.may_leave(key)
            }
            (_, _, Node::Given(_, value)) => self.may_miss(keys, value),
            (_, _, Node::If(_, a, b)) => self.may_miss(keys, a) || self.may_miss(keys, b),
            (Ty::Tup(own), _, Node::Tup(parts)) => {
                own.iter().zip(parts).any(|(own, part)| self.may_miss(own, part))
            }
            (Ty::Rec(own), _, Node::Rec(fields)) => own.iter().any(|(name, own)| {
                fields.iter().any(|(field, part)| field == name && self.may_miss(own, part))
            }),
            (Ty::Sum(own), _, Node::Sum(label, part)) => {
                own.iter().any(|(other, own)| other == label && self.may_miss(own, part))
            }
            (Ty::Map(_, value, _), _, Node::MapBy(_, body)) => self.may_miss(&value, body),
            (Ty::Map(own, value, _), _, Node::Map(entries)) => {
                entries.iter().any(|(key, part)| self.may_miss(&own, key) || self.may_miss(&value, part))
            }
            (Ty::Set(own) | Ty::List(own, _), _, Node::Set(parts) | Node::List(parts)) => {
                parts.iter().any(|part| self.may_miss(&own, part))
            }
            (
                own @ (Ty::Tup(_) | Ty::Rec(_) | Ty::Sum(_) | Ty::List(..) | Ty::Set(_) | Ty::Map(..)),
                _,
                _,
            ) => !Self::is_read(key) && self.names.types.may_leave(&own),
            _ => false,
        }
    }

    /// True if a value is read from a place, of whose values it is one.
    fn is_read(term: &QuintTerm) -> bool {
        matches!(
            &*term.node,
            Node::Name(_) | Node::Field(..) | Node::Payload(..) | Node::Get(..) | Node::Nth(..)
        )
    }

    /// True if a limited integer may be outside of its range: one that is computed, not read from a place of that range.
    pub fn may_leave(&self, number: &QuintTerm) -> bool {
        match self.names.types.resolve(&number.ty) {
            Ty::Int(slot) => !Self::is_read(number) && self.names.types.is_limited(slot),
            _ => false,
        }
    }

    /// Returns the element at a position of a list whose elements are written out.
    fn listed(&mut self, list: &QuintTerm, at: &QuintTerm) -> Result<String> {
        let Node::List(elements) = &*list.node else { return Err("this is no list".into()) };
        let Some((last, others)) = elements.split_last() else {
            return Err("an empty list has no elements".into());
        };
        let at = self.text(at)?;
        let mut text = String::new();
        for (number, element) in others.iter().enumerate() {
            text += &format!("if {at} = {number} then {} else ", self.text(element)?);
        }
        Ok(format!("({text}{})", self.text(last)?))
    }

    /// Returns a list by the lengths that it may have.
    fn built(
        &mut self,
        list: &QuintTerm,
        bound: &QuintBinder,
        length: &QuintTerm,
        body: &QuintTerm,
        like: &Option<QuintTerm>,
    ) -> Result<String> {
        let most = self.longest(list)?;
        let (n, mut text) = (self.text(length)?, String::new());
        if let Some(like) = like {
            // A branch that is never taken tells the type of the literals.
            text = format!("if false then {} else ", self.text(like)?);
        }
        let mut elements = Vec::new();
        for at in 1..=most {
            text += &format!("if {n} < {at} then [{}] else ", elements.join(", "));
            let at = self.position(bound, at);
            elements.push(self.text(&body.with(&bound.name, &at))?);
        }
        Ok(format!("({text}[{}])", elements.join(", ")))
    }

    /// Returns a fold by the lengths that its list may have.
    pub fn unfolded(&self, fold: &Fold) -> Result<QuintTerm> {
        let Ty::List(element, _) = self.names.types.resolve(&fold.list.ty) else {
            return Err("the type of a list is not known".into());
        };
        let most = self.longest(&fold.list)?;
        let shorter = |length: usize| {
            let ty = fold.list.ty.clone();
            let bound = QuintTerm::new(Node::Int(i64::try_from(length).unwrap_or(i64::MAX)), ty.clone());
            let own = QuintTerm::new(Node::Length(fold.list.clone()), ty);
            QuintTerm::new(Node::Infix("<", own, bound), Ty::Bool)
        };
        let each = (1..=most).rev().fold(fold.of_length(most, &element), |longer, length| {
            let node = Node::If(shorter(length), fold.of_length(length - 1, &element), longer);
            QuintTerm::new(node, fold.first.ty.clone())
        });
        Ok(each)
    }

    /// Returns a position of a list as a term.
    pub fn position(&self, bound: &QuintBinder, at: usize) -> QuintTerm {
        let ty = match self.names.types.resolve(&bound.domain.ty) {
            Ty::Set(element) => *element,
            other => other,
        };
        QuintTerm::new(Node::Int(i64::try_from(at).unwrap_or(i64::MAX)), ty)
    }

    /// Returns the greatest length of the lists of a type.
    pub fn longest(&self, list: &QuintTerm) -> Result<usize> {
        match self.names.types.resolve(&list.ty) {
            Ty::List(_, slot) => self.names.types.length(slot).ok_or_else(|| {
                UntranslatableReason::helped(
                    "a list gets longer without an end",
                    "give their greatest length: --list 4",
                )
                .of(ReasonKind::EndlessLists)
            }),
            _ => Err("the type of a list is not known".into()),
        }
    }

    /// Returns the first element of a set that satisfies a condition.
    fn chosen(&mut self, term: &QuintTerm, bound: &QuintBinder, body: &QuintTerm) -> Result<String> {
        let (domain, name) = (self.domain(&bound.domain)?, &bound.name);
        if let Ty::Int(_) | Ty::Str(_) = self.names.types.resolve(&term.ty) {
            let body = self.text(body)?;
            return self
                .present(format!("(min {name} in {{ {name} in {domain} : {body} }}: {name})"), &term.ty);
        }
        let all = self.names.types.values(&term.ty, MOST_CHOSEN).ok_or_else(|| {
            UntranslatableReason::from(format!(
                "CHOOSE is about a set with more than {MOST_CHOSEN} possible members"
            ))
        })?;
        let mut text = String::new();
        for value in all {
            let (shown, own) = (self.text(&value)?, body.with(name, &value));
            text += &format!("if {shown} in {domain} and {} then {shown} else ", self.text(&own)?);
        }
        Ok(format!("({text}{})", self.default(&term.ty)?))
    }

    fn map(&mut self, term: &QuintTerm) -> Result<String> {
        match &*term.node {
            Node::Get(map, key) => {
                let ty = self.map_type(map)?;
                let entry = format!("{}[{}]", self.text(map)?, self.text(key)?);
                match ty.total && !self.may_miss(&ty.key, key) {
                    true => Ok(entry),
                    false => self.present(entry, &term.ty),
                }
            }
            Node::Put(map, key, value) | Node::Change(map, key, value) => {
                let ty = self.map_type(map)?;
                let (k, keys) = (self.names.name("k"), self.names.keys(&ty.key)?);
                let (key, value, map) = (self.text(key)?, self.text(value)?, self.text(map)?);
                let value = if ty.total { value } else { format!("some({value})") };
                Ok(format!("(map {k} in {keys}: if {k} = {key} then {value} else {map}[{k}])"))
            }
            Node::Map(entries) => {
                let ty = self.map_type(term)?;
                let (k, keys) = (self.names.name("k"), self.names.keys(&ty.key)?);
                let mut rest = if ty.total { String::new() } else { "none".into() };
                for (key, value) in entries {
                    let value = self.text(value)?;
                    let value = if ty.total { value } else { format!("some({value})") };
                    rest = match rest.is_empty() {
                        true => value,
                        false => format!("if {k} = {} then {value} else {rest}", self.text(key)?),
                    };
                }
                Ok(format!("(map {k} in {keys}: {rest})"))
            }
            Node::MapBy(bound, body) => {
                let ty = self.map_type(term)?;
                let keys = self.names.keys(&ty.key)?;
                let body = self.text(body)?;
                match ty.total {
                    true => Ok(format!("(map {} in {keys}: {body})", bound.name)),
                    false => {
                        let domain = self.domain(&bound.domain)?;
                        let condition = format!("{} in {domain}", bound.name);
                        Ok(format!(
                            "(map {} in {keys}: if {condition} then some({body}) else none)",
                            bound.name
                        ))
                    }
                }
            }
            _ => Err("a value that is not a map is used as a map".into()),
        }
    }
}
