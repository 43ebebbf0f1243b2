//! Pages of headings, paragraphs, code and tables, as Markdown and HTML.

use crate::writing::page::{page, prose};
use itertools::Itertools;
use maud::{Markup, html};
use std::fmt::Write;

/// A part of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Block {
    /// A heading of this level, from 1.
    Heading(usize, String),
    /// A paragraph, in which code stands between backticks.
    Paragraph(String),
    /// Code, as it is written.
    Code(String),
    /// A table with its heads.
    Table(Vec<String>, Vec<Vec<String>>),
}

/// A page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reference {
    /// Its parts, in order; the first one is its title.
    pub blocks: Vec<Block>,
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
                Block::Heading(level, heading) => writeln!(text, "{} {heading}", "#".repeat(*level)),
                Block::Paragraph(paragraph) => writeln!(text, "{paragraph}"),
                Block::Code(code) => writeln!(text, "```\n{code}\n```"),
                Block::Table(heads, rows) => {
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
            Some(Block::Heading(_, heading)) => heading.replace('`', ""),
            _ => "Reference".to_owned(),
        };
        let body = html! {
            @for block in &self.blocks { (markup(block)) }
        };
        page(&title, None, &body)
    }
}

fn markup(block: &Block) -> Markup {
    html! {
        @match block {
            Block::Heading(1, heading) => h1 { (prose(heading)) },
            Block::Heading(2, heading) => h2 { (prose(heading)) },
            Block::Heading(_, heading) => h3 { (prose(heading)) },
            Block::Paragraph(paragraph) => p { (prose(paragraph)) },
            Block::Code(code) => pre { code { (code) } },
            Block::Table(heads, rows) => table {
                tr { @for head in heads { th { (prose(head)) } } }
                @for cells in rows { tr { @for cell in cells { td { (prose(cell)) } } } }
            },
        }
    }
}
