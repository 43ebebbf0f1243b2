//! The syntax tree of Alice–Bob notation.

use kit::diagnostics::Span;
use kit::parsing::Name;

/// A file.
#[derive(Debug)]
pub struct AnbFile {
    pub name: Name,
    /// The names with their types.
    pub types: Vec<(Name, Name)>,
    /// Of agents, what they know from the beginning.
    pub knowledge: Vec<(Name, Vec<AnbTerm>)>,
    /// Pairs of agents that differ.
    pub differ: Vec<(Name, Name)>,
    pub actions: Vec<AnbAction>,
    pub goals: Vec<AnbGoal>,
}

/// A message from an agent to another one.
#[derive(Debug)]
pub struct AnbAction {
    pub from: Name,
    pub to: Name,
    pub content: AnbTerm,
}

#[derive(Debug)]
pub struct AnbGoal {
    pub kind: AnbGoalKind,
    pub content: AnbTerm,
    pub span: Span,
}

#[derive(Debug)]
pub enum AnbGoalKind {
    /// Nobody else gets to know it.
    Secret(Vec<Name>),
    /// The first agent is sure that the second one wants it to have this content; once, if that is injective.
    Authentic { agent: Name, of: Name, is_injective: bool },
}

/// A term with its place.
#[derive(Debug, Clone)]
pub struct AnbTerm {
    pub kind: AnbTermKind,
    pub span: Span,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum AnbTermKind {
    Name(String),
    Apply(String, Vec<AnbTerm>),
    /// `{m}k`: with the public key or the private key of a pair.
    Asymmetric(Box<[AnbTerm; 2]>),
    /// `{|m|}k`
    Symmetric(Box<[AnbTerm; 2]>),
    /// `inv(k)`: the other key of the pair.
    Inverse(Box<AnbTerm>),
    /// A base, which is no power, and its exponents in the order of their texts.
    Power(Vec<AnbTerm>),
    /// Two terms or more, none of which is a tuple.
    Tuple(Vec<AnbTerm>),
}

/// Terms are equal wherever they are.
impl PartialEq for AnbTerm {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind
    }
}

impl Eq for AnbTerm {}

impl std::hash::Hash for AnbTerm {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.kind.hash(state);
    }
}

impl AnbTerm {
    /// A tuple of terms, those of tuples among them; the term itself if it is one.
    pub fn tuple(terms: Vec<AnbTerm>, span: Span) -> Self {
        let flat = terms.into_iter().flat_map(|term| match term.kind {
            AnbTermKind::Tuple(parts) => parts,
            _ => vec![term],
        });
        let mut parts: Vec<AnbTerm> = flat.collect();
        match parts.len() {
            1 => AnbTerm { span, ..parts.swap_remove(0) },
            _ => AnbTerm { kind: AnbTermKind::Tuple(parts), span },
        }
    }

    /// A base raised to the power of an exponent.
    pub fn power(base: AnbTerm, exponent: AnbTerm, span: Span) -> Self {
        let mut parts = match base.kind {
            AnbTermKind::Power(parts) => parts,
            _ => vec![base],
        };
        parts.push(exponent);
        parts[1..].sort_by_cached_key(AnbTerm::show);
        AnbTerm { kind: AnbTermKind::Power(parts), span }
    }

    pub fn parts(&self) -> &[AnbTerm] {
        match &self.kind {
            AnbTermKind::Name(_) => &[],
            AnbTermKind::Apply(_, parts) | AnbTermKind::Tuple(parts) | AnbTermKind::Power(parts) => parts,
            AnbTermKind::Asymmetric(parts) | AnbTermKind::Symmetric(parts) => &**parts,
            AnbTermKind::Inverse(of) => std::slice::from_ref(of),
        }
    }

    /// Visits the term and all its parts.
    pub fn walk<'t>(&'t self, visit: &mut impl FnMut(&'t AnbTerm)) {
        visit(self);
        self.parts().iter().for_each(|part| part.walk(visit));
    }

    /// The names in it, functions apart, from left to right.
    pub fn names(&self) -> Vec<&str> {
        let mut found = Vec::new();
        self.walk(&mut |term| {
            if let AnbTermKind::Name(name) = &term.kind {
                found.push(name.as_str());
            }
        });
        found
    }

    /// The text as in a file.
    pub fn show(&self) -> String {
        let list = |terms: &[AnbTerm]| terms.iter().map(AnbTerm::show).collect::<Vec<_>>().join(",");
        match &self.kind {
            AnbTermKind::Name(name) => name.clone(),
            AnbTermKind::Apply(function, arguments) => format!("{function}({})", list(arguments)),
            AnbTermKind::Asymmetric(parts) => format!("{{{}}}{}", parts[0].show(), parts[1].show()),
            AnbTermKind::Symmetric(parts) => format!("{{|{}|}}{}", parts[0].show(), parts[1].show()),
            AnbTermKind::Inverse(of) => format!("inv({})", of.show()),
            AnbTermKind::Power(parts) => {
                let shown = parts.iter().map(AnbTerm::show);
                shown.reduce(|base, exponent| format!("exp({base},{exponent})")).unwrap_or_default()
            }
            AnbTermKind::Tuple(parts) => list(parts),
        }
    }
}
