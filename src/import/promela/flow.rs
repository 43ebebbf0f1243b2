//! From statements to automata: the locations and steps that Spin has.

use super::listed::ListedText;
use super::names::{ProgramNames, ShapeKind, VariableShape};
use super::program::{
    CExpr, ControlEdge, ControlLocation, Proctype, PromelaProgram, PromelaTarget, StatementEffect,
};
use super::text::tree::{
    self, Initial, Name, PlaceSyntax, ProcessType, ProctypeRole, ProgramUnit, PromelaDeclaration,
    PromelaStmt, PromelaStmtKind,
};
use kit::diagnostics::{Diagnostic, Span};
use std::collections::{HashMap, HashSet};

/// Resolves the names of a program.
///
/// # Errors
/// A mistake, or a construct that is not read.
pub(super) fn resolve(tree: &tree::PromelaText) -> Result<PromelaProgram, Vec<Diagnostic>> {
    let mut names = ProgramNames { scopes: vec![HashMap::new()], ..ProgramNames::default() };
    let processes = || {
        tree.units.iter().filter_map(|unit| match unit {
            ProgramUnit::Process(process) => Some(process),
            _ => None,
        })
    };
    for (number, process) in processes().enumerate() {
        if names.types.insert(&process.name.text, number).is_some() {
            names.wrong(
                process.name.span,
                format!("`{}` is declared twice", process.name.text),
                "use another name",
            );
        }
    }
    for unit in &tree.units {
        match unit {
            ProgramUnit::Messages { set, names: all } => messages(&mut names, set.as_ref(), all),
            ProgramUnit::Typedef { name, fields } => {
                names.typedefs.insert(&name.text, fields);
            }
            _ => {}
        }
    }
    for unit in &tree.units {
        if let ProgramUnit::Variables(all) = unit {
            all.iter().for_each(|declaration| drop(names.declare(declaration)));
        }
    }
    // The parameters first, which `run` needs to know.
    let mut shapes = Vec::new();
    for (number, process) in processes().enumerate() {
        (names.owner, names.program) = (Some(number), names.program);
        names.scopes.push(HashMap::new());
        let params: Vec<VariableShape> = process.params.iter().map(|param| names.declare(param)).collect();
        let leaves = params.iter().flat_map(|shape| names.leaves(shape)).map(|(leaf, _)| leaf).collect();
        shapes.push(names.scopes.pop().expect("it was pushed"));
        names.program.processes.push(empty(process, leaves));
    }
    for (number, (process, scope)) in processes().zip(shapes).enumerate() {
        names.owner = Some(number);
        names.scopes.push(scope);
        body(&mut names, number, process);
        names.scopes.truncate(1);
    }
    names.owner = None;
    formulas(&mut names, tree);
    if processes().next().is_none() {
        names.mistakes.push(
            Diagnostic::error_without_place("the program has no processes")
                .with_help("add `init` or `active proctype`"),
        );
    }
    if names.mistakes.is_empty() { Ok(names.program) } else { Err(names.mistakes) }
}

fn empty(process: &ProcessType, params: Vec<usize>) -> Proctype {
    Proctype {
        name: process.name.text.clone(),
        active: 0,
        claim: matches!(process.role, ProctypeRole::Never),
        params,
        locals: Vec::new(),
        provided: None,
        nodes: Vec::new(),
        start: 0,
        end: 0,
        labels: Vec::new(),
        span: process.name.span,
    }
}

fn messages<'t>(names: &mut ProgramNames<'t>, set: Option<&'t Name>, all: &'t [Name]) {
    let own = set.map_or("mtype", |set| &set.text);
    let known = names.program.messages.iter().position(|(name, _)| name == own);
    let set = known.unwrap_or_else(|| {
        names.program.messages.push((own.to_owned(), Vec::new()));
        names.program.messages.len() - 1
    });
    for name in all {
        names.program.messages[set].1.push(name.text.clone());
        let number = names.program.messages[set].1.len();
        if names.values.insert(&name.text, (set, number)).is_some() {
            names.wrong(name.span, format!("`{}` is declared twice", name.text), "use another name");
        }
    }
}

fn formulas<'t>(names: &mut ProgramNames<'t>, tree: &'t tree::PromelaText) {
    names.formula = true;
    let mut number = 0;
    for unit in &tree.units {
        let ProgramUnit::Formula { name, formula } = unit else { continue };
        number += 1;
        let name = name.as_ref().map_or_else(|| format!("ltl_{number}"), |name| name.text.clone());
        let lowered = names.expr(formula);
        names.program.formulas.push((name, lowered, formula.span));
    }
}

fn body<'t>(names: &mut ProgramNames<'t>, number: usize, process: &'t ProcessType) {
    let active = match &process.role {
        ProctypeRole::Proctype { active: Some(count) } => names.constant(count),
        ProctypeRole::Init => 1,
        _ => 0,
    };
    names.formula = matches!(process.role, ProctypeRole::Never);
    let provided = process.provided.as_ref().map(|condition| names.expr(condition));
    let before = names.program.variables.len();
    let mut builder = FlowBuilder::new(names, process);
    let (start, end) = (builder.node(process.name.span), builder.node(process.end));
    builder.fresh = true;
    builder.sequence(&process.body, start, end);
    builder.gotos();
    let (nodes, labels, resolved) = builder.finish();
    let after = names.program.variables.len();
    let own = &mut names.program.processes[number];
    own.locals = own.params.iter().copied().chain(before..after).collect();
    (own.nodes, own.labels) = (nodes, labels);
    (own.start, own.end) = (resolved[start], resolved[end]);
    own.provided = provided;
    own.active = usize::try_from(active).unwrap_or(0);
    if active > 255 {
        names.wrong(process.name.span, "there are at most 255 processes", "start fewer");
    }
}

/// A location while it is built.
#[derive(Debug)]
struct LocationDraft {
    node: ControlLocation,
    /// It is this other one.
    alias: Option<usize>,
    /// Spin may list the jump to it although that is no step.
    jumps: bool,
    /// Its steps are also those of these.
    includes: Vec<usize>,
}

struct FlowBuilder<'n, 't> {
    names: &'n mut ProgramNames<'t>,
    drafts: Vec<LocationDraft>,
    /// The labels with the blocks around them.
    labels: Vec<(&'t str, Vec<usize>, usize)>,
    gotos: Vec<(&'t Name, Vec<usize>, usize)>,
    blocks: Vec<usize>,
    blocks_made: usize,
    breaks: Vec<usize>,
    atomic: bool,
    dstep: Option<usize>,
    dsteps: usize,
    /// No statement was seen in the body, so that declarations say what the first values are.
    fresh: bool,
    /// The statement is the first of an option.
    option: bool,
}

impl<'n, 't> FlowBuilder<'n, 't> {
    fn new(names: &'n mut ProgramNames<'t>, _: &'t ProcessType) -> Self {
        Self {
            names,
            drafts: Vec::new(),
            labels: Vec::new(),
            gotos: Vec::new(),
            blocks: Vec::new(),
            blocks_made: 0,
            breaks: Vec::new(),
            atomic: false,
            dstep: None,
            dsteps: 0,
            fresh: true,
            option: false,
        }
    }

    fn node(&mut self, span: Span) -> usize {
        let node = ControlLocation { edges: Vec::new(), span, atomic: self.atomic, dstep: self.dstep };
        self.drafts.push(LocationDraft { node, alias: None, jumps: false, includes: Vec::new() });
        self.drafts.len() - 1
    }

    fn edge(&mut self, at: usize, action: StatementEffect, to: usize, span: Span, listed: ListedText) {
        let (dstep, atomic) = (self.dstep, self.atomic);
        let edge = ControlEdge { action, to, span, dstep, atomic, jumps: false, listed };
        self.drafts[at].node.edges.push(edge);
        self.drafts[at].node.span = span;
    }

    /// Statements from one location to another.
    fn sequence(&mut self, all: &'t [PromelaStmt], at: usize, next: usize) {
        let mut all: Vec<&'t PromelaStmt> = all.iter().flat_map(flat).collect();
        // Declarations that need no step are no statements.
        let mut from = at;
        while let Some((&first, rest)) = all.split_first() {
            let declared = match &first.kind {
                PromelaStmtKind::Declare(list) => self.declare(list),
                _ => Vec::new(),
            };
            let steps = matches!(first.kind, PromelaStmtKind::Declare(_)).then_some(declared);
            let last = rest.iter().all(|later| matches!(later.kind, PromelaStmtKind::Declare(_)));
            match steps {
                Some(assignments) => {
                    for action in assignments {
                        let to = self.node(first.span);
                        let listed = match &action {
                            StatementEffect::Assign((leaf, _), _) => {
                                ListedText::Begins(self.names.program.variables[*leaf].name.clone())
                            }
                            _ => ListedText::Nothing,
                        };
                        self.edge(from, action, to, first.span, listed);
                        self.option = false;
                        from = to;
                    }
                }
                None if last => {
                    self.statement(first, from, next);
                    for later in rest {
                        if let PromelaStmtKind::Declare(list) = &later.kind {
                            drop(self.declare(list));
                        }
                    }
                    return;
                }
                None => {
                    let to = self.node(rest[0].span);
                    self.statement(first, from, to);
                    self.option = false;
                    from = to;
                }
            }
            all.remove(0);
        }
        self.drafts[from].alias = Some(next);
    }

    /// Declares variables; those that are declared after a statement get their values by steps. Of an array that is the first element, and
    /// for a structure nothing, as in Spin.
    fn declare(&mut self, list: &'t [PromelaDeclaration]) -> Vec<StatementEffect> {
        let mut all = Vec::new();
        for declaration in list {
            let shape = self.names.declare(declaration);
            if self.fresh || matches!(declaration.initial, Initial::Channel { .. }) {
                continue;
            }
            let ShapeKind::Leaf(leaf) = shape.kind else {
                all.push(StatementEffect::Skip);
                continue;
            };
            let variable = &mut self.names.program.variables[leaf];
            variable.changes = true;
            let first = variable.initial[0].clone();
            let indices = shape.size.map(|_| CExpr::Int(0));
            if indices.is_none() {
                variable.initial = vec![CExpr::Int(0)];
            }
            all.push(StatementEffect::Assign((leaf, indices.into_iter().collect()), first));
        }
        all
    }

    fn block(&mut self, all: &'t [PromelaStmt], at: usize, next: usize) {
        self.blocks_made += 1;
        self.blocks.push(self.blocks_made);
        self.names.scopes.push(HashMap::new());
        self.sequence(all, at, next);
        self.names.scopes.pop();
        self.blocks.pop();
    }

    fn statement(&mut self, stmt: &'t PromelaStmt, at: usize, next: usize) {
        let option = std::mem::take(&mut self.option);
        for label in &stmt.labels {
            let known =
                self.labels.iter().any(|(name, blocks, _)| *name == label.text && *blocks == self.blocks);
            if known {
                self.names.wrong(
                    label.span,
                    format!("the label `{}` is there twice", label.text),
                    "use another name",
                );
            }
            self.labels.push((&label.text, self.blocks.clone(), at));
        }
        if !matches!(stmt.kind, PromelaStmtKind::Declare(_)) {
            self.fresh = false;
        }
        let span = stmt.span;
        match &stmt.kind {
            PromelaStmtKind::Skip => self.edge(at, StatementEffect::Skip, next, span, ListedText::Nothing),
            PromelaStmtKind::Else if option => {
                self.edge(at, StatementEffect::Else, next, span, ListedText::of(&stmt.kind))
            }
            PromelaStmtKind::Else => {
                self.names.wrong(span, "`else` begins an option", "write `:: else -> …`")
            }
            PromelaStmtKind::Goto(_) | PromelaStmtKind::Break => self.jump(stmt, at, option),
            // The block is a location of its own, to which a loop at its beginning does not come back.
            PromelaStmtKind::Block(all) => {
                let inner = self.node(span);
                self.drafts[at].includes.push(inner);
                self.block(all, inner, next);
            }
            PromelaStmtKind::Sequence(all) => self.sequence(all, at, next),
            PromelaStmtKind::If(options) => self.options(options, at, next),
            PromelaStmtKind::Do(options) => {
                self.breaks.push(next);
                self.options(options, at, at);
                self.breaks.pop();
            }
            PromelaStmtKind::Atomic(all) | PromelaStmtKind::DStep(all) => {
                let outer = (self.atomic, self.dstep);
                match stmt.kind {
                    PromelaStmtKind::DStep(_) if self.dstep.is_none() => {
                        self.dsteps += 1;
                        self.dstep = Some(self.dsteps);
                    }
                    PromelaStmtKind::DStep(_) => {}
                    _ => self.atomic = true,
                }
                let inner = self.node(span);
                self.drafts[at].includes.push(inner);
                self.block(all, inner, next);
                (self.atomic, self.dstep) = outer;
            }
            _ => {
                if let Some(action) = self.action(stmt) {
                    let listed = match (&stmt.kind, &action) {
                        (_, StatementEffect::Skip) => ListedText::Nothing,
                        // Spin writes the fields of structures.
                        (
                            PromelaStmtKind::Send { values: written, .. },
                            StatementEffect::Send { values, .. },
                        ) if written.len() != values.len() => ListedText::channel(&stmt.kind),
                        (
                            PromelaStmtKind::Receive { pattern: written, .. },
                            StatementEffect::Receive { pattern, .. },
                        ) if written.len() != pattern.len() => ListedText::channel(&stmt.kind),
                        _ => ListedText::of(&stmt.kind),
                    };
                    self.edge(at, action, next, span, listed);
                }
            }
        }
        self.drafts[at].node.span = span;
    }

    /// `goto` and `break` are steps only where they are the first statement of an option.
    fn jump(&mut self, stmt: &'t PromelaStmt, at: usize, option: bool) {
        let from = match option {
            true => {
                let to = self.node(stmt.span);
                self.edge(at, StatementEffect::Skip, to, stmt.span, ListedText::Jump);
                to
            }
            false => at,
        };
        // In an `atomic` sequence, Spin lists the end of the loop as well.
        self.drafts[from].jumps = !option || self.atomic;
        match (&stmt.kind, self.breaks.last()) {
            (PromelaStmtKind::Goto(label), _) => self.gotos.push((label, self.blocks.clone(), from)),
            (_, Some(exit)) => self.drafts[from].alias = Some(*exit),
            (_, None) => self.names.wrong(stmt.span, "`break` outside of a loop", "use `goto`"),
        }
    }

    fn options(&mut self, options: &'t [Vec<PromelaStmt>], at: usize, next: usize) {
        let is_else = |option: &Vec<PromelaStmt>| {
            option.first().is_some_and(|first| matches!(first.kind, PromelaStmtKind::Else))
        };
        let (last, first): (Vec<&Vec<PromelaStmt>>, Vec<_>) =
            options.iter().partition(|option| is_else(option));
        if let [_, second, ..] = last[..] {
            self.names.wrong(second[0].span, "there are two `else` here", "remove one");
        }
        for option in first.into_iter().chain(last) {
            let guard = self.node(option[0].span);
            self.drafts[at].includes.push(guard);
            self.option = true;
            self.block(option, guard, next);
            self.option = false;
        }
    }

    fn target(&mut self, place: &'t PlaceSyntax) -> Option<PromelaTarget> {
        let name = &place.parts[0].0;
        if name.text == "_" {
            return None;
        }
        if self.names.values.contains_key(name.text.as_str())
            && !self.names.scopes.iter().any(|s| s.contains_key(name.text.as_str()))
        {
            self.names.wrong(
                place.span,
                format!("`{}` is a message, not a variable", name.text),
                "declare a variable",
            );
            return None;
        }
        let target = self.names.leaf_at(place)?;
        self.names.program.variables[target.0].changes = true;
        Some(target)
    }

    fn action(&mut self, stmt: &'t PromelaStmt) -> Option<StatementEffect> {
        Some(match &stmt.kind {
            PromelaStmtKind::Expr(tree::PromelaExpr {
                kind: tree::PromelaExprKind::Run(name, values),
                ..
            }) => self.run(name, values, None)?,
            PromelaStmtKind::Expr(e) => StatementEffect::Guard(self.names.expr(e)),
            PromelaStmtKind::Assign(
                place,
                tree::PromelaExpr { kind: tree::PromelaExprKind::Run(name, values), .. },
            ) => {
                let result = self.target(place);
                self.run(name, values, result)?
            }
            PromelaStmtKind::Assign(place, e) => {
                let value = self.names.expr(e);
                match self.target(place) {
                    Some(target) => StatementEffect::Assign(target, value),
                    None => StatementEffect::Skip,
                }
            }
            PromelaStmtKind::Assert(e) => StatementEffect::Assert(self.names.expr(e)),
            PromelaStmtKind::Send { channel, values, sorted } => {
                if *sorted {
                    let help = "use `!`, and look for messages with `??`";
                    self.names.wrong(stmt.span, "sorted send, `!!`, is not supported", help);
                }
                let channel = self.names.channel(channel);
                StatementEffect::Send { channel, values: self.names.message(values) }
            }
            PromelaStmtKind::Receive { channel, pattern, any, copy } => {
                let channel = self.names.channel(channel);
                StatementEffect::Receive {
                    channel,
                    pattern: self.names.pattern(pattern),
                    any: *any,
                    copy: *copy,
                }
            }
            _ => StatementEffect::Skip,
        })
    }

    fn run(
        &mut self,
        name: &'t Name,
        values: &'t [tree::PromelaExpr],
        result: Option<PromelaTarget>,
    ) -> Option<StatementEffect> {
        let Some(process) = self.names.types.get(name.text.as_str()).copied() else {
            self.names.wrong(
                name.span,
                format!("there is no process `{}`", name.text),
                "declare it with `proctype`",
            );
            return None;
        };
        let values = self.names.message(values);
        let wanted = self.names.program.processes[process].params.len();
        if values.len() != wanted {
            let message = format!("`{}` has {wanted} parameters, not {}", name.text, values.len());
            self.names.wrong(name.span, message, "give a value for each");
        }
        Some(StatementEffect::Run { process, values, result })
    }

    /// Lets each `goto` lead to its label: the nearest one, where blocks have labels of one name.
    fn gotos(&mut self) {
        for (name, blocks, from) in std::mem::take(&mut self.gotos) {
            let common = |other: &[usize]| blocks.iter().zip(other).take_while(|(a, b)| a == b).count();
            let all = self.labels.iter().filter(|(own, ..)| *own == name.text);
            match all.max_by_key(|(_, other, _)| (common(other), usize::MAX - other.len())) {
                Some((.., at)) => self.drafts[from].alias = Some(*at),
                None => {
                    let known =
                        kit::diagnostics::nearest(&name.text, self.labels.iter().map(|(own, ..)| *own));
                    let help = known.map_or("write it before a statement".to_owned(), |own| {
                        format!("did you mean `{own}`?")
                    });
                    self.names.wrong(name.span, format!("there is no label `{}`", name.text), help);
                }
            }
        }
    }

    /// The automaton, its labels, and the location that each draft became.
    fn finish(self) -> (Vec<ControlLocation>, Vec<(String, usize)>, Vec<usize>) {
        let drafts = &self.drafts;
        let mut resolved: Vec<usize> = (0..drafts.len()).collect();
        for (index, slot) in resolved.iter_mut().enumerate() {
            let mut seen = 0;
            while let Some(next) = drafts[*slot].alias.filter(|_| seen <= drafts.len()) {
                (*slot, seen) = (next, seen + 1);
            }
            if seen > drafts.len() {
                self.names.wrong(
                    drafts[index].node.span,
                    "these jumps lead nowhere but to each other",
                    "remove one",
                );
                break;
            }
        }
        let mut nodes: Vec<ControlLocation> = Vec::with_capacity(drafts.len());
        for (index, draft) in drafts.iter().enumerate() {
            let mut edges = Vec::new();
            collect(drafts, index, &resolved, &mut HashSet::new(), &mut edges);
            for edge in &mut edges {
                let next = |at: &usize| drafts[*at].alias.filter(|_| !drafts[*at].jumps);
                let mut places = std::iter::successors(Some(edge.to), next).take(drafts.len());
                edge.jumps = edge.atomic && places.any(|at| drafts[at].jumps);
                edge.to = resolved[edge.to];
            }
            nodes.push(ControlLocation { edges, ..draft.node.clone() });
        }
        let labels = self.labels.iter().map(|(name, _, at)| ((*name).to_owned(), resolved[*at])).collect();
        (nodes, labels, resolved)
    }
}

/// The edges of a location, those of its options included.
fn collect(
    drafts: &[LocationDraft],
    at: usize,
    resolved: &[usize],
    seen: &mut HashSet<usize>,
    edges: &mut Vec<ControlEdge>,
) {
    if !seen.insert(at) {
        return;
    }
    edges.extend(drafts[at].node.edges.iter().cloned());
    for inner in &drafts[at].includes {
        collect(drafts, resolved[*inner], resolved, seen, edges);
    }
}

/// A statement, or those that `for` and `select` stand for.
fn flat(stmt: &PromelaStmt) -> Vec<&PromelaStmt> {
    match &stmt.kind {
        PromelaStmtKind::Sequence(all) if stmt.labels.is_empty() => all.iter().flat_map(flat).collect(),
        _ => vec![stmt],
    }
}
