//! Whether nodes are drawn as states.

/// An attribute: its name and its value.
pub type Attribute = (String, String);

/// The value of an attribute; the last one counts.
pub fn value<'a>(attributes: &'a [Attribute], name: &str) -> Option<&'a str> {
    attributes.iter().rfind(|(known, _)| known == name).map(|(_, value)| value.as_str())
}

/// How a node is drawn.
#[derive(Debug, Clone, Copy, Default)]
pub struct Drawn {
    /// As a point, or as text alone.
    without_shape: bool,
    /// Not at all.
    invisible: bool,
}

impl Drawn {
    /// Takes over what attributes say; what they do not say stays.
    pub fn set(&mut self, attributes: &[Attribute]) {
        if let Some(shape) = value(attributes, "shape") {
            self.without_shape = matches!(shape, "point" | "none" | "plaintext" | "plain");
        }
        if let Some(style) = value(attributes, "style") {
            self.invisible = style.contains("invis");
        }
    }

    /// Whether this is not how states are drawn.
    pub fn is_hidden(self) -> bool {
        self.without_shape || self.invisible
    }
}
