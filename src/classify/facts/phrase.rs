//! Texts with gaps for the names of individuals.

/// A text with gaps for names of individuals: `phase[·]`, `Message(from: ·, body: Hello)`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Phrase {
    pieces: Vec<Piece>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Piece {
    Text(String),
    /// Index of a value parameter of the atom.
    Gap(usize),
}

impl Phrase {
    /// Creates a phrase without gaps.
    pub fn text(text: impl Into<String>) -> Self {
        let mut phrase = Self::default();
        phrase.push(&text.into());
        phrase
    }

    /// Appends text.
    pub fn push(&mut self, text: &str) {
        match self.pieces.last_mut() {
            _ if text.is_empty() => {}
            Some(Piece::Text(before)) => before.push_str(text),
            _ => self.pieces.push(Piece::Text(text.to_owned())),
        }
    }

    /// Appends a gap for the value parameter with this index.
    pub fn push_gap(&mut self, param: usize) {
        self.pieces.push(Piece::Gap(param));
    }

    /// Appends another phrase.
    pub fn append(&mut self, other: Self) {
        for piece in other.pieces {
            match piece {
                Piece::Text(text) => self.push(&text),
                gap @ Piece::Gap(_) => self.pieces.push(gap),
            }
        }
    }

    /// Returns the text with the gaps filled.
    ///
    /// # Panics
    /// If there are fewer names than value parameters.
    pub fn show(&self, names: &[String]) -> String {
        let piece = |piece: &Piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Gap(param) => names[*param].clone(),
        };
        self.pieces.iter().map(piece).collect()
    }
}

impl From<&str> for Phrase {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}

impl From<String> for Phrase {
    fn from(text: String) -> Self {
        Self::text(text)
    }
}
