//! The printer: tree to canonical text, which parses to the same tree.
//!
//! Parentheses are printed only where the tree needs them. Comments other than doc comments are not in the
//! tree and therefore not in the text. Unreadable parts print as `<unreadable>`.

mod expressions;

pub use expressions::print_expression;

use super::ast::{
    AstActionSteps, AstConstructor, AstExpr, AstParam, AstPathStep, AstTypeKind, ExampleBlock, File,
    FileKind, Header, Ident, Item, ItemKind, MatchArm, Requirement, RequirementKind, Stmt, StmtKind, Target,
    TypeExpr, VocabItem, VocabItemKind, VocabTerm, WrittenTraces,
};
use super::operators;
use expressions::{UNREADABLE, bindings_text, expression_at, expressions, patterns};

/// Prints a model or library.
pub fn print(file: &File) -> String {
    let mut printer = SyntaxPrinter { out: String::new(), indent: 0, continues: false };
    if let Some(header) = &file.header {
        printer.header(header);
    }
    let mut previous: Option<&Item> = None;
    for item in &file.items {
        if previous.map_or(file.header.is_some(), |previous| !belong_together(previous, item)) {
            printer.out.push('\n');
        }
        printer.item(item);
        previous = Some(item);
    }
    printer.out
}

struct SyntaxPrinter {
    out: String,
    indent: usize,
    /// True if the next line continues the last one.
    continues: bool,
}

impl SyntaxPrinter {
    fn line(&mut self, text: &str) {
        if !std::mem::take(&mut self.continues) {
            self.out.push_str(&"  ".repeat(self.indent));
        }
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn doc(&mut self, doc: Option<&str>) {
        for line in doc.into_iter().flat_map(|doc| doc.split('\n')) {
            self.line(format!("/// {line}").trim_end());
        }
    }

    /// Prints `head {`, the indented entries, and `}`.
    fn block<T>(&mut self, head: &str, entries: &[T], mut entry: impl FnMut(&mut Self, &T)) {
        if entries.is_empty() {
            return self.line(&format!("{head} {{}}"));
        }
        self.line(&format!("{head} {{"));
        self.indent += 1;
        for one in entries {
            entry(self, one);
        }
        self.indent -= 1;
        self.line("}");
    }

    fn header(&mut self, header: &Header) {
        self.doc(header.doc.as_deref());
        let word = match header.kind {
            FileKind::Model => "model",
            FileKind::Library => "library",
            FileKind::Component => "component",
        };
        self.line(&format!("{word} {};", header.name.name));
    }

    fn item(&mut self, item: &Item) {
        self.doc(item.doc.as_deref());
        let text = |expr: &AstExpr| print_expression(expr);
        match &item.kind {
            ItemKind::Import { path, alias, bindings, .. } => {
                let head = format!("import \"{path}\" as {}", alias.name);
                if bindings.is_empty() {
                    return self.line(&format!("{head};"));
                }
                self.line(&format!("{head} with {{"));
                self.indent += 1;
                for (name, value) in bindings {
                    self.line(&format!("{} = {},", name.name, text(value)));
                }
                self.indent -= 1;
                self.line("};");
            }
            ItemKind::Requires(requirements) => self.block("requires", requirements, Self::requirement),
            ItemKind::Const { name, ty, value } => {
                self.line(&format!("const {} : {} = {};", name.name, type_text(ty), text(value)));
            }
            ItemKind::Type { name, ty, symmetric } => {
                let mark = if *symmetric { "symmetric " } else { "" };
                self.line(&format!("{mark}type {} = {};", name.name, type_text(ty)));
            }
            ItemKind::Var { name, ty } => self.line(&format!("var {} : {};", name.name, type_text(ty))),
            ItemKind::Init(formulas) => self.block("init", formulas, |printer, formula| {
                printer.line(&format!("{};", text(formula)));
            }),
            ItemKind::Def { name, params, ty, body } => {
                let head = format!("def {}{}: {}", name.name, parameters(params), type_text(ty));
                self.line(&format!("{head} = {};", text(body)));
            }
            ItemKind::Action { name, params, modifies, body } => {
                let mut head = format!("action {}{}", name.name, parameters(params));
                if !modifies.is_empty() {
                    head.push_str(&format!(" modifies {}", names(modifies)));
                }
                self.block(&head, body, Self::statement);
            }
            ItemKind::Operation { name, params, body } => {
                let head = format!("operation {}{}", name.name, parameters(params));
                self.block(&head, body, Self::statement);
            }
            ItemKind::Assume(body) => self.line(&format!("assume {};", text(body))),
            ItemKind::Invariant { name, body } => {
                self.line(&format!("invariant {}: {};", name.name, text(body)))
            }
            ItemKind::Ltl { name, body } => self.line(&format!("ltl {}: {};", name.name, text(body))),
            ItemKind::Ctl { name, body } => self.line(&format!("ctl {}: {};", name.name, text(body))),
            ItemKind::Fairness(body) => self.line(&format!("fairness {};", text(body))),
            ItemKind::ActionFairness { strong, action, by } => {
                let strong = if *strong { "strong " } else { "" };
                let by: Vec<&str> = by.iter().map(|name| name.name.as_str()).collect();
                let by = if by.is_empty() { String::new() } else { format!("({})", by.join(", ")) };
                self.line(&format!("fairness {strong}action {}{by};", action.name));
            }
            ItemKind::Environment(steps) => {
                let steps: Vec<String> = steps.iter().map(action_steps).collect();
                self.line(&format!("environment {};", steps.join(", ")));
            }
            ItemKind::Example(example) => self.example(example),
            ItemKind::Pred { name, params, body } => {
                self.line(&format!("pred {}{} = {};", name.name, parameters(params), text(body)));
            }
            ItemKind::Vocabulary { name, terms } => {
                let terms: Vec<String> = terms.iter().map(term).collect();
                self.line(&format!("vocabulary {} = {};", name.name, terms.join(" + ")));
            }
        }
    }

    fn example(&mut self, example: &ExampleBlock) {
        let word = if example.counter { "counterexample" } else { "example" };
        let mut head = format!("{word} of {}", predicate_text(&example.predicate, example.args.as_deref()));
        if let Some((path, _)) = &example.model {
            head.push_str(&format!(" in \"{path}\""));
        }
        if !example.with.is_empty() {
            head.push_str(&format!(" with {{ {} }}", given_values(&example.with)));
        }
        match &example.traces {
            WrittenTraces::Within(bound) => {
                self.line(&format!("{head} within {};", print_expression(bound)));
            }
            WrittenTraces::Steps(steps) => self.block(&head, steps, |printer, steps| {
                printer.line(&format!("{};", action_steps(steps)));
            }),
        }
    }

    fn requirement(&mut self, requirement: &Requirement) {
        self.doc(requirement.doc.as_deref());
        let name = &requirement.name.name;
        let default = requirement.default.as_ref().map(|default| format!(" = {}", print_expression(default)));
        let default = default.unwrap_or_default();
        self.line(&match &requirement.kind {
            RequirementKind::Type => format!("type {name}{default};"),
            RequirementKind::Value(ty) => format!("value {name} : {}{default};", type_text(ty)),
            RequirementKind::Observe(ty) => format!("observe {name} : {}{default};", type_text(ty)),
            RequirementKind::Variable(ty) => format!("variable {name} : {};", type_text(ty)),
            RequirementKind::Function(params, ty) => {
                format!("function {name}{}: {};", parameters(params), type_text(ty))
            }
        });
    }

    fn statement(&mut self, statement: &Stmt) {
        match &statement.kind {
            StmtKind::Require(e) => self.line(&format!("require {};", print_expression(e))),
            StmtKind::Assign { target, value } => {
                self.line(&format!("{} = {};", target_text(target), print_expression(value)));
            }
            StmtKind::Choose { target, set } => {
                self.line(&format!("{} in {};", target_text(target), print_expression(set)));
            }
            StmtKind::If { .. } => self.choice("if", statement),
            StmtKind::Match { value, arms } => {
                self.block(&format!("match {}", print_expression(value)), arms, Self::case);
            }
            StmtKind::ForAll { var, domain, body } => {
                let domain = expression_at(domain, operators::RANGE);
                self.block(&format!("forall {} in {domain}", var.name), body, Self::statement);
            }
            StmtKind::Let(bindings) => {
                self.line(&format!("let {};", bindings_text(bindings)));
            }
            StmtKind::Call { operation, args } => {
                self.line(&format!("{}({});", operation.name, expressions(args)));
            }
            StmtKind::Constrain(formulas) => self.line(&format!("constrain {};", expressions(formulas))),
        }
    }

    /// `A(f) => { … }`
    fn case(&mut self, arm: &MatchArm<Vec<Stmt>>) {
        self.block(&format!("{} =>", patterns(&arm.patterns)), &arm.body, Self::statement);
    }

    /// `word e { … } else …`
    fn choice(&mut self, word: &str, statement: &Stmt) {
        let StmtKind::If { cond, then, otherwise } = &statement.kind else { return };
        self.block(&format!("{word} {}", print_expression(cond)), then, Self::statement);
        if otherwise.is_empty() {
            return;
        }
        self.out.pop();
        self.out.push(' ');
        self.continues = true;
        match otherwise.as_slice() {
            [nested] if matches!(nested.kind, StmtKind::If { .. }) => self.choice("else if", nested),
            _ => self.block("else", otherwise, Self::statement),
        }
    }
}

/// True if two declarations are printed without an empty line between them.
fn belong_together(first: &Item, second: &Item) -> bool {
    let is_line = |item: &Item| {
        let kind = &item.kind;
        matches!(kind, ItemKind::Const { .. } | ItemKind::Type { .. } | ItemKind::Var { .. })
            && item.doc.is_none()
    };
    is_line(first)
        && is_line(second)
        && std::mem::discriminant(&first.kind) == std::mem::discriminant(&second.kind)
}

/// `visit(u = Mallory)`
fn action_steps(steps: &AstActionSteps) -> String {
    match steps.with.is_empty() {
        true => steps.action.name.clone(),
        false => format!("{}({})", steps.action.name, given_values(&steps.with)),
    }
}

/// `x = e, y = f`
fn given_values(given: &[(Ident, AstExpr)]) -> String {
    let given = given.iter().map(|(name, value)| format!("{} = {}", name.name, print_expression(value)));
    given.collect::<Vec<_>>().join(", ")
}

fn names(names: &[Ident]) -> String {
    names.iter().map(|name| name.name.as_str()).collect::<Vec<_>>().join(", ")
}

/// `(x, y: T, z: U)`: consecutive parameters of one type are grouped.
fn parameters(params: &[AstParam]) -> String {
    if params.is_empty() {
        return String::new();
    }
    let mut out = String::new();
    for (at, param) in params.iter().enumerate() {
        out.push_str(&param.name.name);
        let ty = type_text(&param.ty);
        match params.get(at + 1) {
            Some(next) if type_text(&next.ty) == ty => out.push_str(", "),
            Some(_) => out.push_str(&format!(": {ty}, ")),
            None => out.push_str(&format!(": {ty}")),
        }
    }
    format!("({out})")
}

fn type_text(ty: &TypeExpr) -> String {
    let bound = |expr: &AstExpr| expression_at(expr, operators::OTHERWISE);
    match &ty.kind {
        AstTypeKind::Bool => "bool".into(),
        AstTypeKind::Range(lo, hi) => format!("{}..{}", bound(lo), bound(hi)),
        AstTypeKind::Enum(values) => format!("enum {{ {} }}", names(values)),
        AstTypeKind::Set(element) => format!("set of {}", type_text(element)),
        AstTypeKind::Option(inner) => format!("option {}", type_text(inner)),
        AstTypeKind::Record(fields) => {
            let fields: Vec<String> =
                fields.iter().map(|(name, ty)| format!("{}: {}", name.name, type_text(ty))).collect();
            format!("record {{ {} }}", fields.join(", "))
        }
        AstTypeKind::Collection { kind, element, most } => {
            format!("{} of {} max {}", kind.word(), type_text(element), bound(most))
        }
        AstTypeKind::Variant(constructors) => {
            let constructors: Vec<String> = constructors.iter().map(constructor_text).collect();
            format!("variant {{ {} }}", constructors.join(", "))
        }
        AstTypeKind::Map(key, value) => format!("map {} to {}", type_text(key), type_text(value)),
        AstTypeKind::Name(name) => name.clone(),
        AstTypeKind::Error => UNREADABLE.into(),
    }
}

/// `A(f: T)`
fn constructor_text(constructor: &AstConstructor) -> String {
    let fields: Vec<String> =
        constructor.fields.iter().map(|(name, ty)| format!("{}: {}", name.name, type_text(ty))).collect();
    let name = &constructor.name.name;
    if fields.is_empty() { name.clone() } else { format!("{name}({})", fields.join(", ")) }
}

fn target_text(target: &Target) -> String {
    let mut out = format!("{}'", target.name.name);
    for step in &target.path {
        match step {
            AstPathStep::Index(key) => out.push_str(&format!("[{}]", print_expression(key))),
            AstPathStep::Field(field) => out.push_str(&format!(".{}", field.name)),
        }
    }
    out
}

fn term(term: &VocabTerm) -> String {
    match term {
        VocabTerm::Name(name) => name.name.clone(),
        VocabTerm::Items(items) if items.is_empty() => "{}".into(),
        VocabTerm::Items(items) => {
            format!("{{ {} }}", items.iter().map(vocabulary_item).collect::<Vec<_>>().join(", "))
        }
    }
}

fn vocabulary_item(item: &VocabItem) -> String {
    match &item.kind {
        VocabItemKind::Eq { observables, across } => {
            format!("eq({}){}", expressions(observables), if *across { " across" } else { "" })
        }
        VocabItemKind::Lacks(observables) => format!("lacks({})", expressions(observables)),
        VocabItemKind::Absent(observables) => format!("absent({})", expressions(observables)),
        VocabItemKind::Before => "before".into(),
        VocabItemKind::Next => "next".into(),
        VocabItemKind::Ground(None) => "ground".into(),
        VocabItemKind::Ground(Some(types)) => {
            let types: Vec<&str> = types.iter().map(|name| name.name.as_str()).collect();
            format!("ground({})", types.join(", "))
        }
        VocabItemKind::Pred { path, args } => predicate_text(path, args.as_deref()),
    }
}

/// `alias.p(a)`
fn predicate_text(path: &[Ident], args: Option<&[AstExpr]>) -> String {
    let path = path.iter().map(|name| name.name.as_str()).collect::<Vec<_>>().join(".");
    match args {
        Some(args) => format!("{path}({})", expressions(args)),
        None => path,
    }
}
