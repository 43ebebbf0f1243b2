//! Checks the tree of a protocol file and builds [`Protocols`]: names, types, roles, labels, claims. All
//! mistakes are reported in one run.

mod claims;
mod declarations;
mod equations;
mod events;
mod keys;
mod labels;
mod macros;
mod order;
mod protocols;
mod scope;
mod terms;

use super::ir::{Protocols, RoleId, RoleTerm, Symbol, SymbolId, TypeId};
use super::text::tree::{DeclarationKind, Name, ProtocolDeclaration, ProtocolFile, SpdlItem};
use equations::Undone;
use kit::budget::{Budget, Exhausted};
use kit::diagnostics::{Diagnostic, MISTAKES_SHOWN, Span, nearest_word};
use macros::TermMacros;
use order::Mention;
use rustc_hash::{FxHashMap, FxHashSet};
use scope::{DeclarationLevel, Scopes};

pub(super) struct CheckedProtocol {
    /// The contents of the file; absent if there is an error.
    pub protocols: Option<Protocols>,
    /// Errors and warnings.
    pub diagnostics: Vec<Diagnostic>,
    /// The limit that ended the check early.
    pub exhausted: Option<Exhausted>,
}

pub(super) fn check(file: &ProtocolFile, budget: &Budget) -> CheckedProtocol {
    let mut checker = ProtocolChecker {
        found: Protocols {
            types: Vec::new(),
            symbols: Vec::new(),
            protocols: Vec::new(),
            roles: Vec::new(),
            untrusted: Vec::new(),
            compromised: Vec::new(),
            equations: Vec::new(),
        },
        type_names: FxHashMap::default(),
        declared_types: Vec::new(),
        used_types: FxHashSet::default(),
        pair_types: FxHashSet::default(),
        untyped: None,
        scopes: Scopes::default(),
        role: None,
        macros: TermMacros::default(),
        mentions: Vec::new(),
        undone: Vec::new(),
        undoes: false,
        wanted: None,
        unknown: FxHashSet::default(),
        terms: 0,
        lost: file.lost,
        diagnostics: Vec::new(),
        budget,
        exhausted: None,
    };
    checker.predefined();
    checker.file(file);
    checker.widen_key_variables();
    checker.report_unused();
    let ProtocolChecker { found, lost, diagnostics, exhausted, .. } = checker;
    let wrong = lost || exhausted.is_some() || diagnostics.iter().any(Diagnostic::is_error);
    CheckedProtocol { protocols: (!wrong).then_some(found), diagnostics, exhausted }
}

/// Checks declarations, roles and events, and builds [`Protocols`] from them.
struct ProtocolChecker<'t> {
    found: Protocols,
    type_names: FxHashMap<String, TypeId>,
    /// The declared types with their places; the used ones are in `used_types`.
    declared_types: Vec<(TypeId, Name)>,
    used_types: FxHashSet<TypeId>,
    /// The types of halves of key pairs.
    pair_types: FxHashSet<TypeId>,
    /// The type of constants declared without one.
    untyped: Option<TypeId>,
    scopes: Scopes,
    role: Option<RoleId>,
    macros: TermMacros<'t>,
    /// The variables and fresh values of the event being checked, in order.
    mentions: Vec<Mention>,
    /// The comparisons that undo terms of the event being checked.
    undone: Vec<Undone>,
    /// True in terms that a role makes.
    undoes: bool,
    /// The pattern with which the next term is compared.
    wanted: Option<RoleTerm>,
    /// The unknown names of the role being checked that were already reported.
    unknown: FxHashSet<String>,
    /// The number of terms created.
    terms: usize,
    /// True if parts of the file could not be read: apparently missing items may be there.
    lost: bool,
    diagnostics: Vec<Diagnostic>,
    budget: &'t Budget,
    exhausted: Option<Exhausted>,
}

impl<'t> ProtocolChecker<'t> {
    /// Checks the items of a file. Names are declared before anything is checked; macros are visible from
    /// their definition on.
    fn file(&mut self, file: &'t ProtocolFile) {
        for item in &file.items {
            match item {
                SpdlItem::Usertype(names) => names.iter().for_each(|name| self.declare_type(name)),
                SpdlItem::Declaration(item) => self.declare_outside(item, DeclarationLevel::File),
                // Items of the included file are missing here.
                SpdlItem::Include(_) => self.lost = true,
                _ => {}
            }
        }
        for item in &file.items {
            if let SpdlItem::Declaration(ProtocolDeclaration {
                kind: DeclarationKind::Equation { left, right },
                ..
            }) = item
            {
                self.equation(left, right);
            }
        }
        for item in &file.items {
            if self.ended() {
                return;
            }
            match item {
                SpdlItem::Usertype(_) => {}
                SpdlItem::Declaration(item) => self.apply(item),
                SpdlItem::Untrusted(agents) => self.untrusted(agents),
                SpdlItem::Protocol(item) => self.protocol(item),
                SpdlItem::Run(span) => {
                    let message = "`run` is ignored: the number of runs is chosen on the command line";
                    self.diagnostics.push(Diagnostic::warning(*span, message));
                }
                SpdlItem::Options(span) => {
                    let message = "`option` is ignored: options are given on the command line";
                    self.diagnostics.push(Diagnostic::warning(*span, message));
                }
                SpdlItem::Include(span) => {
                    let help = "copy the contents of that file here";
                    self.mistake(*span, "`include` is not supported: a protocol file stands alone", help);
                }
            }
        }
    }

    /// True if the budget is exhausted.
    fn ended(&mut self) -> bool {
        self.exhausted = self.exhausted.or_else(|| self.budget.exhausted());
        self.exhausted.is_some()
    }

    fn mistake(&mut self, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.diagnostics.push(Diagnostic::error(span, message).with_help(help));
    }

    fn warn(&mut self, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.diagnostics.push(Diagnostic::warning(span, message).with_help(help));
    }

    /// Adds a diagnostic about a missing item, unless it may be in a part of the file that could not be read.
    fn missing(&mut self, diagnostic: Diagnostic) {
        if !self.lost {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Suggests a known name for a misspelt one: `others` are synonyms of known names. Makes no suggestion
    /// for mistakes beyond those shown.
    fn meant<'n>(
        &self,
        name: &str,
        known: impl Iterator<Item = &'n str>,
        others: &[(&'n str, &'n str)],
    ) -> Option<String> {
        let few = self.diagnostics.len() < 2 * MISTAKES_SHOWN;
        few.then(|| nearest_word(name, known, others))
            .flatten()
            .map(|meant| format!("did you mean `{meant}`?"))
    }

    /// Warns of unused declarations, if there are no errors.
    fn report_unused(&mut self) {
        if self.lost || self.exhausted.is_some() || self.diagnostics.iter().any(Diagnostic::is_error) {
            return;
        }
        let types = self.declared_types.iter().filter(|(id, _)| !self.used_types.contains(id));
        let types = types.map(|(_, name)| ("type", name));
        let declared = types.chain(self.scopes.unused()).chain(self.macros.unused());
        let warnings: Vec<Diagnostic> = declared
            .map(|(what, name)| Diagnostic::warning(name.span, format!("unused {what} `{}`", name.text)))
            .collect();
        self.diagnostics.extend(warnings);
    }
}
