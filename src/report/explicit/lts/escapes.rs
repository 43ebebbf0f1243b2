//! `lts bugs --actions`: `docs/schema/lts-escapes-1.json`.

use super::bugs_text::listing;
use super::documents::{Findings, headline, place, sizes, verdict};
use super::words::size;
use crate::explicit::Report;
use crate::explicit::object::object;
use crate::shared::document::VERSION;
use crate::writing::paint::Paint;
use explicit::process::bugs::{Escape, EscapeKind, Escapes};
use kit::diagnostics::SourceMap;
use serde::Serialize;
use std::fmt::Write;

/// The result of `lts bugs --actions`.
pub struct EscapesReport<'a> {
    /// The file of the text.
    pub file: &'a str,
    /// The actions that every run should contain.
    pub actions: &'a [String],
    /// The result.
    pub found: &'a Escapes,
    /// The text and its modules.
    pub sources: &'a SourceMap,
    /// Warnings about the actions.
    pub warnings: Findings<'a>,
}

fn word(kind: EscapeKind) -> &'static str {
    match kind {
        EscapeKind::Loses => "loses",
        EscapeKind::Postpones => "postpones",
    }
}

impl Report for EscapesReport<'_> {
    fn document(&self) -> impl Serialize {
        let escape = |escape: &Escape| {
            object!({
                place: escape.place.map(|span| place(span, self.sources)),
                kind: word(escape.kind),
                labels: escape.labels.clone(),
                trace: escape.trace.clone(),
                instead: escape.instead.clone(),
            })
        };
        object!({
            schema: "cladist/lts-escapes-1",
            version: VERSION,
            ..verdict(self.found.holds()),
            possible: self.found.possible,
            file: self.file,
            actions: self.actions,
            lts: sizes(&self.found.lts),
            escapes: self.found.escapes.iter().map(escape).collect::<Vec<_>>(),
            warnings: self.warnings.documents(),
        })
    }

    fn text(&self, paint: Paint, _: usize) -> String {
        let found = self.found;
        let wanted = format!("every run contains {}", self.actions.join(", later "));
        let mut out = headline(found.holds(), &wanted, paint);
        let _ = writeln!(out, "  {:<15} {}", "system", size(self.file, &found.lts));
        if !found.possible {
            out.push_str("\nno run contains these actions at all\n");
            return out;
        }
        let marks: Vec<_> = found
            .escapes
            .iter()
            .filter_map(|escape| {
                let shown: fn(Paint, &str) -> String = match escape.kind {
                    EscapeKind::Loses => |paint, text| paint.bad(&format!("{text} loses")),
                    EscapeKind::Postpones => |paint, text| paint.doubtful(&format!("{text} postpones")),
                };
                Some((escape.place?, shown))
            })
            .collect();
        listing(self.sources, &marks, paint, &mut out);
        for (number, escape) in found.escapes.iter().enumerate() {
            let what = match escape.place {
                Some(span) => {
                    let action = self.sources.snippet(span).lines().next().unwrap_or_default();
                    format!("{action} at {}", self.sources.place(span))
                }
                None => "the end".to_owned(),
            };
            let does = match escape.kind {
                EscapeKind::Loses => "after it the actions are no longer possible",
                EscapeKind::Postpones => "it can be repeated forever without the actions",
            };
            let _ = writeln!(out, "\n{}", paint.bold(&format!("{}. {what}: {does}", number + 1)));
            let _ = writeln!(out, "   shortest trace: {}", escape.trace.join(", "));
            if !escape.instead.is_empty() {
                let shown: Vec<&str> = escape.instead.iter().take(5).map(String::as_str).collect();
                let _ = writeln!(out, "   instead of the last action: {}", paint.good(&shown.join(", ")));
            }
        }
        out
    }
}
