//! Pages of headings, paragraphs, code and tables, as Markdown and HTML.

use crate::writing::page::{page, prose};
use itertools::Itertools;
use maud::{Markup, html};
use std::fmt::Write;

/// A part of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PageBlock {
    /// A heading of this level, from 1.
    Heading(usize, String),
    /// A paragraph, in which code stands between backticks.
    Paragraph(String),
    /// Code, as it is written.
    Code(String),
    /// A table with its heads.
    Table(Vec<String>, Vec<Vec<String>>),
}

/// A page that documents a model or a library.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reference {
    /// Its parts, in order; the first one is its title.
    pub blocks: Vec<PageBlock>,
}

impl Reference {
    /// The page as Markdown.
    pub fn markdown(&self) -> String {
        let mut text = String::new();
        for (index, block) in self.blocks.iter().enumerate() {
            if index > 0 {
                text.push('\n');
            }
            // Writing to a string cannot fail.
            let _ = match block {
                PageBlock::Heading(level, heading) => writeln!(text, "{} {heading}", "#".repeat(*level)),
                PageBlock::Paragraph(paragraph) => writeln!(text, "{paragraph}"),
                PageBlock::Code(code) => writeln!(text, "```\n{code}\n```"),
                PageBlock::Table(heads, rows) => {
                    let row = |cells: &[String]| {
                        let cells = cells.iter().map(|cell| cell.replace('|', "\\|"));
                        format!("| {} |", cells.map(|cell| cell.replace('\n', " ")).join(" | "))
                    };
                    let rule = heads.iter().map(|_| "---").join(" | ");
                    let rows = rows.iter().map(|cells| row(cells)).join("\n");
                    writeln!(text, "{}\n| {rule} |\n{rows}", row(heads))
                }
            };
        }
        text
    }

    /// The page as HTML, complete in itself.
    pub fn html(&self) -> String {
        let title = match self.blocks.first() {
            Some(PageBlock::Heading(_, heading)) => heading.replace('`', ""),
            _ => "Reference".to_owned(),
        };
        let body = html! {
            @for block in &self.blocks { (markup(block)) }
        };
        page(&title, None, &body)
    }
}

fn markup(block: &PageBlock) -> Markup {
    html! {
        @match block {
            PageBlock::Heading(1, heading) => h1 { (prose(heading)) },
            PageBlock::Heading(2, heading) => h2 { (prose(heading)) },
            PageBlock::Heading(_, heading) => h3 { (prose(heading)) },
            PageBlock::Paragraph(paragraph) => p { (prose(paragraph)) },
            PageBlock::Code(code) => pre { code { (code) } },
            PageBlock::Table(heads, rows) => table {
                tr { @for head in heads { th { (prose(head)) } } }
                @for cells in rows { tr { @for cell in cells { td { (prose(cell)) } } } }
            },
        }
    }
}
