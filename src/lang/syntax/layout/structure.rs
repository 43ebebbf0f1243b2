//! Structure of the tokens of a text for the layout: brackets that belong together, blocks and their entries, and parts of
//! expressions that are indented when they begin a line. Most of it is read off the tree.

use crate::syntax::ast::{
    AstExpr, AstExprKind, AstTypeKind, ExampleBlock, File, Item, ItemKind, Stmt, StmtKind, TemporalOp,
    WrittenTraces,
};
use crate::syntax::token::{SyntaxKind, SyntaxToken};
use crate::syntax::walk::DeclarationPart;

#[derive(Debug, Clone, Default)]
pub(super) struct TokenRole {
    /// The other one of a pair of brackets.
    pub partner: Option<usize>,
    /// True if it is the brace that opens a block: a list of statements, requirements, formulas or cases.
    pub opens_block: bool,
    /// True if it is the first of a declaration, statement, requirement, formula or case.
    pub begins_entry: bool,
    /// True if it is a name that stands for an operator here, like `release`.
    pub is_operator: bool,
    /// True if it is a minus sign with one operand.
    pub is_negation: bool,
    /// True if it is a colon with space on both sides.
    pub is_wide_colon: bool,
    /// True if it is a brace without space inside: that of `EG{c} f`.
    pub is_tight: bool,
    /// True if it is the brace that opens a list of names, fields or items in a declaration.
    pub opens_list: bool,
    /// True if what a declaration is about begins after it.
    pub ends_head: bool,
    /// The keyword of the declaration, if the columns of such declarations can be aligned at this token.
    pub column_of: Option<&'static str>,
    /// The last tokens of the parts that begin after it, and are indented when they are on lines of their own.
    pub parts: Vec<usize>,
}

/// The roles of all tokens of a text that was read without mistakes.
pub(super) fn roles(tokens: &[SyntaxToken<'_>], file: &File) -> Vec<TokenRole> {
    let mut finder = Finder { tokens, roles: vec![TokenRole::default(); tokens.len()] };
    finder.brackets();
    for item in &file.items {
        finder.item(item);
    }
    finder.entries();
    finder.roles
}

struct Finder<'a> {
    tokens: &'a [SyntaxToken<'a>],
    roles: Vec<TokenRole>,
}

impl Finder<'_> {
    fn brackets(&mut self) {
        let mut open = Vec::new();
        for (at, token) in self.tokens.iter().enumerate() {
            match token.kind {
                SyntaxKind::Sign("(" | "[" | "{") => open.push(at),
                SyntaxKind::Sign(")" | "]" | "}") => {
                    if let Some(opening) = open.pop() {
                        self.roles[opening].partner = Some(at);
                        self.roles[at].partner = Some(opening);
                    }
                }
                SyntaxKind::Sign("-") => {
                    let before = at.checked_sub(1).map(|before| &self.tokens[before]);
                    self.roles[at].is_negation = !before.is_some_and(ends_operand);
                }
                _ => {}
            }
        }
    }

    /// The first token at or after a byte.
    fn at(&self, byte: u32) -> usize {
        self.tokens.partition_point(|token| token.span.start < byte)
    }

    /// The first opening brace at or after a token, brackets around parameters skipped.
    fn brace(&self, mut at: usize) -> Option<usize> {
        loop {
            match self.tokens.get(at)?.kind {
                SyntaxKind::Sign("{") => return Some(at),
                SyntaxKind::Sign("(" | "[") => at = self.roles[at].partner? + 1,
                _ => at += 1,
            }
        }
    }

    /// Notes that a block begins with the first brace at or after a token; gives the token after the block.
    fn block(&mut self, from: usize) -> Option<usize> {
        let open = self.brace(from)?;
        self.roles[open].opens_block = true;
        self.roles[open].partner.map(|close| close + 1)
    }

    fn item(&mut self, item: &Item) {
        match &item.kind {
            ItemKind::Requires(_) | ItemKind::Init(_) => {
                self.block(self.at(item.span.start));
            }
            ItemKind::Action { name, .. } | ItemKind::Operation { name, .. } => {
                self.block(self.at(name.span.end));
            }
            ItemKind::Example(ExampleBlock { traces: WrittenTraces::Steps(_), .. }) => {
                let close = self.at(item.span.end).saturating_sub(1);
                if let Some(open) = self.roles[close].partner {
                    self.roles[open].opens_block = true;
                }
            }
            _ => {}
        }
        item.walk(&mut |part| match part {
            DeclarationPart::Stmt(stmt) => self.statement(stmt),
            DeclarationPart::Expr(expr) => self.expression(expr),
            DeclarationPart::Type(ty) => {
                if let AstTypeKind::Collection { most, .. } = &ty.kind
                    && let Some(max) = self.at(most.span.start).checked_sub(1)
                {
                    self.roles[max].is_operator = true;
                }
            }
        });
    }

    fn statement(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::If { cond, .. } => {
                let after = self.block(self.at(cond.span.end));
                // Of `else if`, the statement after `else` knows its blocks.
                if let Some(after) = after
                    && self.tokens.get(after).is_some_and(|token| token.is("else"))
                    && self.tokens.get(after + 1).is_some_and(|token| token.is("{"))
                {
                    self.block(after + 1);
                }
            }
            StmtKind::ForAll { domain, .. } => {
                self.block(self.at(domain.span.end));
            }
            StmtKind::Match { value, arms } => {
                self.block(self.at(value.span.end));
                for arm in arms {
                    if let Some(pattern) = arm.patterns.last() {
                        self.block(self.at(pattern.span.end));
                    }
                }
            }
            StmtKind::Let(bindings) => bindings.iter().for_each(|(_, value)| self.part(value)),
            _ => {}
        }
    }

    fn expression(&mut self, expr: &AstExpr) {
        match &expr.kind {
            AstExprKind::Quant { body, .. }
            | AstExprKind::Map { body, .. }
            | AstExprKind::Aggregate { body, .. } => {
                self.part(body);
            }
            AstExprKind::Filter { domain, .. } => {
                let colon = self.at(domain.span.end);
                self.roles[colon].is_wide_colon = true;
            }
            AstExprKind::Let { bindings, body } => {
                bindings.iter().for_each(|(_, value)| self.part(value));
                self.part(body);
            }
            AstExprKind::If(_, then, otherwise) => {
                self.part(then);
                if !matches!(otherwise.kind, AstExprKind::If(..)) {
                    self.part(otherwise);
                }
            }
            AstExprKind::Match { arms, .. } => arms.iter().for_each(|arm| self.part(&arm.body)),
            AstExprKind::Record { fields, .. } | AstExprKind::With(_, fields) => {
                fields.iter().for_each(|(_, value)| self.part(value));
            }
            AstExprKind::Temporal(TemporalOp::Next, _) => {
                let next = self.at(expr.span.start);
                // Its parentheses belong to the span of an expression.
                let next = (next..).find(|&at| !self.tokens[at].is("("));
                self.roles[next.unwrap_or_default()].is_operator = true;
            }
            AstExprKind::Temporal(TemporalOp::ExistsAlways, operands) if operands.len() > 1 => {
                if let Some(open) = self.brace(self.at(expr.span.start)) {
                    let both = [Some(open), self.roles[open].partner];
                    both.into_iter().flatten().for_each(|brace| self.roles[brace].is_tight = true);
                }
            }
            AstExprKind::Temporal(_, operands) => {
                if let [left, right] = operands.as_slice() {
                    let between = self.at(left.span.end)..self.at(right.span.start);
                    between.for_each(|at| self.roles[at].is_operator = true);
                }
            }
            _ => {}
        }
    }

    /// Notes a part that is indented when it begins a line.
    fn part(&mut self, expr: &AstExpr) {
        let (first, after) = (self.at(expr.span.start), self.at(expr.span.end));
        if first > 0 && after > first {
            self.roles[first - 1].parts.push(after - 1);
        }
    }

    /// Entries of blocks, and the signs of declarations.
    fn entries(&mut self) {
        // The depth of brackets in each open block, and whether an entry may begin.
        let mut depths = vec![0_usize];
        let mut begins = true;
        let mut entry = BlockEntry::default();
        for at in 0..self.tokens.len() {
            let token = &self.tokens[at];
            let depth = depths.last().copied().unwrap_or_default();
            if begins && !token.is("}") && token.kind != SyntaxKind::End {
                self.roles[at].begins_entry = true;
                entry = BlockEntry::default();
                begins = false;
            }
            if depth == 0 {
                entry.token(token, &mut self.roles[at]);
            }
            self.roles[at].opens_list |= token.is("{")
                && at > 0
                && ["enum", "record", "variant", "with"].iter().any(|word| self.tokens[at - 1].is(word));
            match token.kind {
                SyntaxKind::Sign("{") if self.roles[at].opens_block => {
                    depths.push(0);
                    begins = true;
                }
                SyntaxKind::Sign("}") if self.closes_block(at) => {
                    depths.pop();
                    let follows = self.tokens.get(at + 1);
                    begins = !follows.is_some_and(|token| token.is("else") || token.is(","));
                }
                SyntaxKind::Sign("," | ";") if depth == 0 => {
                    begins = token.is(";") || at > 0 && self.closes_block(at - 1);
                }
                SyntaxKind::Sign("(" | "[" | "{") => change(&mut depths, 1),
                SyntaxKind::Sign(")" | "]" | "}") => change(&mut depths, -1),
                _ => {}
            }
        }
    }

    /// True if a token is the brace that closes a block.
    fn closes_block(&self, at: usize) -> bool {
        closes_block(&self.roles, at)
    }
}

/// True if a token is the brace that closes a block.
pub(super) fn closes_block(roles: &[TokenRole], at: usize) -> bool {
    roles[at].partner.is_some_and(|open| open < at && roles[open].opens_block)
}

fn change(depths: &mut [usize], by: isize) {
    if let Some(depth) = depths.last_mut() {
        *depth = depth.saturating_add_signed(by);
    }
}

/// How far a declaration or requirement has been seen.
#[derive(Default)]
struct BlockEntry {
    keyword: Option<&'static str>,
    /// True if there was another token.
    begun: bool,
    /// True if the sign after its name was found.
    named: bool,
}

impl BlockEntry {
    /// Goes on with a token outside of brackets.
    fn token(&mut self, token: &SyntaxToken<'_>, role: &mut TokenRole) {
        if !std::mem::replace(&mut self.begun, true) || self.keyword == Some("symmetric") {
            self.keyword = match token.kind {
                SyntaxKind::Word(word) => Some(word),
                SyntaxKind::Name if token.text == "variable" => Some("variable"),
                _ => None,
            };
            return;
        }
        let Some(keyword) = self.keyword else { return };
        role.opens_list |= keyword == "vocabulary" && token.is("{");
        let sign = match keyword {
            "var" | "const" | "value" | "observe" | "variable" | "invariant" | "ltl" | "ctl" => ":",
            "type" | "def" | "pred" => "=",
            _ => return,
        };
        if self.named || !token.is(sign) {
            return;
        }
        self.named = true;
        match keyword {
            "invariant" | "ltl" | "ctl" | "def" | "pred" => role.ends_head = true,
            _ => {
                role.is_wide_colon = sign == ":";
                role.column_of = Some(keyword);
            }
        }
    }
}

/// True if an operand can end with a token.
fn ends_operand(token: &SyntaxToken<'_>) -> bool {
    match token.kind {
        SyntaxKind::Name | SyntaxKind::Integer(_) | SyntaxKind::Text => true,
        SyntaxKind::Sign(sign) => [")", "]", "}", "'"].contains(&sign),
        SyntaxKind::Word(word) => ["true", "false", "none", "some", "bool", "action"].contains(&word),
        SyntaxKind::Foreign(_) | SyntaxKind::End => false,
    }
}
