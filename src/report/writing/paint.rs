//! The few colours of the text reports, or none.

use anstyle::{AnsiColor, Style};

/// The tone in which an outcome is told: its colour, and the status in continuous integration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tone {
    Good,
    Doubtful,
    Bad,
}

/// Colours text with ANSI escapes, or leaves it as it is.
#[derive(Debug, Clone, Copy, Default)]
pub struct Paint {
    color: bool,
}

impl Paint {
    /// With `color`, escapes are used.
    pub fn new(color: bool) -> Self {
        Self { color }
    }

    /// Headings.
    pub fn bold(self, text: &str) -> String {
        self.apply(Style::new().bold(), text)
    }

    /// Less important text.
    pub fn faint(self, text: &str) -> String {
        self.apply(Style::new().dimmed(), text)
    }

    /// Violations.
    pub fn bad(self, text: &str) -> String {
        self.apply(Style::new().bold().fg_color(Some(AnsiColor::Red.into())), text)
    }

    /// Text of a good outcome.
    pub fn good(self, text: &str) -> String {
        self.apply(Style::new().bold().fg_color(Some(AnsiColor::Green.into())), text)
    }

    /// Text of an unknown outcome.
    pub fn doubtful(self, text: &str) -> String {
        self.apply(Style::new().bold().fg_color(Some(AnsiColor::Yellow.into())), text)
    }

    /// Text of an outcome.
    pub(crate) fn toned(self, tone: Tone, text: &str) -> String {
        match tone {
            Tone::Good => self.good(text),
            Tone::Doubtful => self.doubtful(text),
            Tone::Bad => self.bad(text),
        }
    }

    /// Positions of a constraint.
    pub fn mark(self, text: &str) -> String {
        self.apply(Style::new().bold().fg_color(Some(AnsiColor::Cyan.into())), text)
    }

    fn apply(self, style: Style, text: &str) -> String {
        if self.color && !text.is_empty() { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }
}
