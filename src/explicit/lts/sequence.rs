//! Sequences of actions, one after the other with anything between them.

use super::bits::Bits;
use super::labels::{LabelId, Labels};
use super::property::{LabelAtom, LabelPattern};
use kit::diagnostics::{Diagnostic, SourceId, Span};

/// The maximum length of a sequence.
pub const MOST_ACTIONS: usize = 1000;

/// A sequence of actions, before it is applied to a system.
#[derive(Debug, Clone)]
pub struct Sequence {
    parts: Vec<(LabelAtom, Span)>,
}

impl Sequence {
    /// Parses actions separated by commas: plain labels (`SEND !1`, `move(p=P,q=1)`), labels in double quotes, patterns
    /// for whole labels in single quotes, and `tau`. A comma inside quotes, parentheses or brackets belongs to the
    /// label.
    ///
    /// # Errors
    /// All mistakes; never empty.
    pub fn parse(source: SourceId, text: &str) -> Result<Self, Vec<Diagnostic>> {
        let (mut parts, mut mistakes) = (Vec::new(), Vec::new());
        for (start, end) in pieces(text) {
            let piece = text[start..end].trim();
            let start = start + (text[start..end].len() - text[start..end].trim_start().len());
            let span = Span::new(source, start, start + piece.len());
            match atom(piece) {
                Ok(atom) => parts.push((atom, span)),
                Err((message, help)) => mistakes.push(Diagnostic::error(span, message).with_help(help)),
            }
        }
        if parts.len() > MOST_ACTIONS {
            let whole = Span::new(source, 0, text.len());
            let message =
                format!("there are {} actions, but at most {MOST_ACTIONS} are supported", parts.len());
            mistakes.push(Diagnostic::error(whole, message).with_help("use fewer actions"));
        }
        if mistakes.is_empty() { Ok(Self { parts }) } else { Err(mistakes) }
    }

    /// The actions as they are written: labels as they are, an empty one as two quotes, patterns between single quotes.
    pub fn names(&self) -> Vec<String> {
        let name = |(atom, _): &(LabelAtom, Span)| match atom {
            LabelAtom::Label(label) if label.is_empty() => "\"\"".to_owned(),
            LabelAtom::Label(label) => label.clone(),
            LabelAtom::Pattern(pattern) => format!("'{}'", pattern.text()),
            LabelAtom::Invisible => "tau".to_owned(),
        };
        self.parts.iter().map(name).collect()
    }

    /// The actions that match no label of a system: probably mistakes.
    pub fn without_labels(&self, labels: &Labels) -> Vec<(&LabelAtom, Span)> {
        let missing = |atom: &LabelAtom| !labels.ids().any(|label| atom.matches(labels, label));
        self.parts.iter().filter(|(atom, _)| missing(atom)).map(|(atom, span)| (atom, *span)).collect()
    }

    /// The sequence over the labels of a system.
    pub fn over(&self, labels: &Labels) -> LabelSequence {
        let length = self.parts.len();
        let mut is = Bits::new(labels.len() * length);
        for label in labels.ids() {
            for (at, _) in self.parts.iter().enumerate().filter(|(_, (atom, _))| atom.matches(labels, label))
            {
                is.insert(label.index() * length + at);
            }
        }
        LabelSequence { length, is }
    }
}

/// Where the parts of a text are, between commas that are in no quotes or brackets.
fn pieces(text: &str) -> Vec<(usize, usize)> {
    let (mut found, mut start, mut depth, mut quote) = (Vec::new(), 0, 0usize, None);
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') if text[start..at].trim().is_empty() => quote = Some(c),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth = depth.saturating_sub(1),
            (None, ',') if depth == 0 => {
                found.push((start, at));
                start = at + 1;
            }
            _ => {}
        }
    }
    found.push((start, text.len()));
    found
}

fn atom(piece: &str) -> Result<LabelAtom, (String, &'static str)> {
    let inside = |quote: char| {
        let inner = piece.strip_prefix(quote)?;
        Some(inner.strip_suffix(quote).ok_or_else(|| {
            ("the quote is not closed at the end of the action".to_owned(), "close it before the next comma")
        }))
    };
    if let Some(label) = inside('"') {
        return Ok(LabelAtom::Label(label?.to_owned()));
    }
    if let Some(pattern) = inside('\'') {
        let help = "put a literal label in double quotes";
        return Ok(LabelAtom::Pattern(LabelPattern::new(pattern?).map_err(|message| (message, help))?));
    }
    match piece {
        "" => {
            Err(("an action is missing here".to_owned(), "separate actions by single commas: REQUEST,REPLY"))
        }
        "tau" => Ok(LabelAtom::Invisible),
        label => Ok(LabelAtom::Label(label.to_owned())),
    }
}

/// A sequence over the labels of one system. How much of it has been matched is a number from 0 to its length.
#[derive(Debug, Clone)]
pub struct LabelSequence {
    length: usize,
    /// Which labels are which action, at `label * length + action`.
    is: Bits,
}

impl LabelSequence {
    /// The sequence without actions.
    pub fn none() -> Self {
        Self { length: 0, is: Bits::new(0) }
    }

    /// The number of actions.
    pub fn len(&self) -> usize {
        self.length
    }

    /// True if there are no actions.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// True if a label is the action with this number.
    #[inline]
    pub fn is(&self, label: LabelId, action: usize) -> bool {
        self.is.has(label.index() * self.length + action)
    }

    /// The length of the matched prefix after a label, given that before it.
    #[inline]
    pub fn forward(&self, label: LabelId, matched: usize) -> usize {
        matched + usize::from(matched < self.length && self.is(label, matched))
    }
}
