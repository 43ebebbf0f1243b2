//! The view of a classification for the terminal.

use super::{CanonicalView, ClassView, CoverView, NeededView, PairView, ResultView};
use crate::classes::class_table::{LineOverflow, class_table_lines};
use crate::classes::numbers::table_lines;
use crate::classes::shown::ShownTrace;
use crate::classes::weakness::repair_texts;
use crate::shared::evaluate::property_headline;
use crate::shared::images::images_lines;
use crate::traces::chart_text::chart_legend;
use crate::writing::columns::{padded, wrapped};
use std::fmt::Write;
use unicode_width::UnicodeWidthStr;

impl ResultView<'_> {
    /// The report, brief if requested, then the comparison with a stored result, if there is one.
    pub fn terminal(&self, brief: bool) -> String {
        let report = match self.asked.display.selected(&self.classes) {
            Some((number, class)) => {
                let mut out = self.verdict();
                self.class(&mut out, class, number);
                out
            }
            None if brief => self.brief(),
            None => self.text(),
        };
        let compared = self.compared.as_ref().map(|compared| compared.text(self.asked, brief));
        report + &compared.unwrap_or_default()
    }

    /// The whole report: the verdict, a table of the classes if there are several, then their details.
    pub fn text(&self) -> String {
        let (asked, paint) = (self.asked, self.asked.display.paint);
        let mut out = self.verdict();
        if self.classes.len() > 1 {
            self.table(&mut out, LineOverflow::Cut);
        }
        for (index, class) in self.classes.iter().enumerate() {
            self.class(&mut out, class, index + 1);
        }
        if let Some((heading, shown)) = &self.unclassified {
            let _ = writeln!(out, "\n{heading} ({})", shown.extent);
            out.push_str(&shown.text(asked, 2));
        }
        if let Some(cover) = &self.cover {
            self.cover(&mut out, cover);
        }
        if let Some(pair) = &self.pair {
            self.pair(&mut out, pair);
        }
        if let Some(causes) = &self.causes {
            let _ = writeln!(out, "\n{}", paint.bold("causes"));
            self.indented(&mut out, &causes.sentence, 2);
            causes
                .elsewhere
                .iter()
                .for_each(|kind| self.indented(&mut out, &format!("in no class: {kind}"), 2));
        }
        for list in &self.necessary {
            self.section(&mut out, &list.title, &list.lines);
        }
        match &self.counts {
            None => {}
            Some(Err(why)) => _ = writeln!(out, "\n{why}"),
            Some(Ok((tables, method))) => {
                for table in tables {
                    let width = asked.display.width.saturating_sub(2);
                    self.section(&mut out, &table.title, &table_lines(table, width));
                }
                let _ = writeln!(out, "\n{method}");
            }
        }
        let is_drawn = !self.classes.is_empty() || self.unclassified.is_some();
        if asked.display.charts.is_some() && is_drawn {
            let _ = writeln!(out, "\n{}", paint.faint(&chart_legend(asked.display.width, true).join("\n")));
        }
        let _ = writeln!(out, "\n{}", self.statistics);
        let _ = writeln!(out, "{} {}", paint.faint("again:"), asked.rerun);
        out
    }

    /// The verdict and the table of the classes, without any details.
    pub fn brief(&self) -> String {
        let mut out = self.verdict();
        if !self.classes.is_empty() {
            self.table(&mut out, LineOverflow::Wrap);
        }
        if let Some(Err(why)) = &self.counts {
            let _ = writeln!(out, "\n{why}");
        }
        let repairs = self.asked.repairs.iter().flat_map(|repairs| &repairs.best);
        for text in repairs.flat_map(repair_texts) {
            let _ = writeln!(out, "  help: {text}");
        }
        out
    }

    /// The verdict, and what it is about.
    fn verdict(&self) -> String {
        let asked = self.asked;
        let headline = asked.display.paint.toned(self.tone, &self.sentence);
        // The formula of a claim is one of the generated model; its documentation says what is claimed.
        let doc = asked.property.doc.as_deref().filter(|_| asked.display.charts.is_some());
        let statement = doc.map_or(self.formula, |doc| doc.trim_end_matches('.'));
        let vocabulary = match asked.chosen {
            Some(chosen) => chosen.declaration.trim_start_matches("vocabulary "),
            None => &asked.vocabulary.name,
        };
        let rows = [
            ("property", property_headline(&asked.property.name, statement, asked.display.full)),
            ("model", format!("{} ({})", asked.model.name, asked.file)),
            ("vocabulary", vocabulary.to_owned()),
        ];
        let added = asked.chosen.iter().flat_map(|chosen| &chosen.predicates);
        let added = added
            .flat_map(|text| text.lines().next_back())
            .map(|text| ("predicate", text.trim_start_matches("pred ").to_owned()));
        let of = |name: &'static str, text: &Option<String>| text.clone().map(|text| (name, text));
        let rows = rows.into_iter().chain(added).chain(of("threats", &asked.display.threats()));
        let rows = rows.chain(of("chosen", &self.chosen)).chain(of("within", &self.within));
        let mut out = format!("{headline}\n");
        for (name, text) in rows.chain(self.rows.iter().cloned()) {
            let _ = writeln!(out, "  {name:<10} {text}");
        }
        out
    }

    fn table(&self, out: &mut String, overflow: LineOverflow) {
        let view = &self.asked.display;
        let mut lines = class_table_lines(&self.table, view.width.saturating_sub(2), overflow);
        lines[0] = view.paint.faint(&lines[0]);
        out.push('\n');
        lines.iter().for_each(|line| _ = writeln!(out, "  {line}"));
    }

    /// A title with lines below it; nothing without these.
    fn section(&self, out: &mut String, title: &str, lines: &[String]) {
        if !lines.is_empty() {
            let _ = writeln!(out, "\n{}", self.asked.display.paint.bold(title));
            lines.iter().for_each(|line| _ = writeln!(out, "  {line}"));
        }
    }

    /// A text in lines, indented.
    fn indented(&self, out: &mut String, text: &str, indent: usize) {
        let lines = wrapped(text, self.asked.display.width.saturating_sub(indent), 3);
        lines.iter().for_each(|line| _ = writeln!(out, "{:indent$}{line}", ""));
    }

    fn labels(&self, out: &mut String, shown: &ShownTrace<'_>, indent: usize) {
        let width = self.asked.display.width.saturating_sub(indent);
        let lines = shown.label_lines(self.asked.model, width);
        lines.iter().for_each(|line| _ = writeln!(out, "{:indent$}{line}", ""));
    }

    fn class(&self, out: &mut String, class: &ClassView<'_>, number: usize) {
        let (model, view) = (self.asked.model, &self.asked.display);
        let title = view.paint.bold(&format!("class {number} of {}", self.classes.len()));
        let _ = writeln!(out, "\n{title}{}\n  {}", class.remark, class.constraint);
        images_lines(model, &class.images).iter().for_each(|line| _ = writeln!(out, "  {line}"));
        let _ = writeln!(out, "\n  in words");
        for line in class.words.iter().flat_map(|line| wrapped(line, view.width.saturating_sub(4), 2)) {
            let _ = writeln!(out, "    {line}");
        }
        if !class.causes.is_empty() {
            out.push_str("\n  by cause\n");
            class.causes.iter().for_each(|kind| self.indented(out, kind, 4));
        }
        if let Some(needed) = &class.needed {
            let _ = writeln!(out, "\n  {}", needed.sentence);
            self.needed(out, needed);
        }
        for (note, shown) in &class.notes {
            let _ = writeln!(out, "\n  {note}");
            shown.iter().for_each(|shown| self.labels(out, shown, 4));
        }
        let _ = writeln!(out, "\n  {} ({}{})", class.heading, class.shown.extent, class.who);
        out.push_str(&class.shown.text(self.asked, 2));
        for sentence in &class.decisive {
            let lines = wrapped(sentence, view.width.saturating_sub(2), 2);
            let _ = writeln!(out, "\n  {}", lines.join("\n  "));
        }
        match &class.canonical {
            CanonicalView::Unknown => {}
            CanonicalView::Shown(_) | CanonicalView::Other(..) if self.classes.len() == 1 => {}
            CanonicalView::Shown(sentence) => _ = writeln!(out, "\n  {sentence}"),
            CanonicalView::Other(heading, shown) => {
                let _ = writeln!(out, "\n  {heading} ({})", shown.extent);
                self.labels(out, shown, 4);
            }
        }
    }

    /// For each part the trace that shows why it is needed: beside it where it fits, in a column where all of them do; else below.
    fn needed(&self, out: &mut String, needed: &NeededView<'_>) {
        let width = self.asked.display.width;
        let widest = needed.parts.iter().map(|(head, _)| head.width()).max().unwrap_or(0);
        let fits = |head: usize, labels: &str| needed.beside && 4 + head + 1 + labels.width() <= width;
        let labels = |shown: &ShownTrace<'_>| shown.labels(self.asked.model);
        let all_fit = needed.parts.iter().all(|(_, shown)| fits(widest, &labels(shown)));
        for (head, shown) in &needed.parts {
            let head = if all_fit { padded(head, widest) } else { head.clone() };
            let labels = labels(shown);
            if fits(head.width(), &labels) {
                let _ = writeln!(out, "    {head} {labels}");
            } else {
                let _ = writeln!(out, "    {head}");
                self.labels(out, shown, 6);
            }
        }
    }

    /// The parts of a cover beside its classes: combinations, and a trace that is left over.
    fn cover(&self, out: &mut String, cover: &CoverView<'_>) {
        let paint = self.asked.display.paint;
        if self.classes.len() > 1 && !cover.combinations.is_empty() {
            let _ = writeln!(out, "\n{}", paint.bold("classes that occur together"));
            for (classes, shown) in &cover.combinations {
                let numbers: Vec<String> = classes.iter().map(|class| (class + 1).to_string()).collect();
                let alone = if let [_] = classes.as_slice() { " alone" } else { "" };
                let _ = writeln!(out, "  {}{alone} ({})", numbers.join(" and "), shown.extent);
                self.labels(out, shown, 4);
            }
            cover.more.iter().for_each(|more| _ = writeln!(out, "  {more}"));
        }
        self.section(out, &cover.necessary.title, &cover.necessary.lines);
        if !cover.skipped.is_empty() {
            let skipped = cover.skipped.join(", ");
            let _ = writeln!(out, "\nnot examined, because they have too many values: {skipped}");
        }
        if let Some((heading, shown)) = &cover.remainder {
            let _ = writeln!(out, "\n{} ({})\n  {heading}", paint.bold("remainder"), shown.extent);
            out.push_str(&shown.text(self.asked, 2));
        }
        cover.nothing.iter().for_each(|nothing| _ = writeln!(out, "\n{nothing}"));
    }

    fn pair(&self, out: &mut String, pair: &PairView<'_>) {
        let paint = self.asked.display.paint;
        let _ = writeln!(out, "\n{}", paint.bold(pair.title));
        for line in pair.beside.iter().flat_map(|(lines, _)| lines) {
            let _ = writeln!(out, "  {line}");
        }
        pair.advice.iter().for_each(|line| _ = writeln!(out, "  {} {line}", paint.bold("help:")));
        for (heading, shown) in &pair.traces {
            let _ = writeln!(out, "\n  {heading} ({})", shown.extent);
            out.push_str(&shown.text(self.asked, 2));
        }
    }
}
