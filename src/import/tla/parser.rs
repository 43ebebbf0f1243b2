//! Modules as expressions of the shared intermediate representation.
//!
//! Names of a module are written `::name`, so that they differ from operators of the representation. Operators that it lacks begin
//! with `tla:`.

use super::lexer::{TlaToken, TlaTokenKind};
use crate::quint::elaborate::RECURSIVE;
use crate::quint::ir::{Lambda, QuintDefinition, QuintExpr, QuintParam};
use kit::diagnostics::{Diagnostic, Span};

/// The greatest depth of nested expressions.
const MOST_NESTED: usize = 200;

/// The greatest number of operators that are wrapped around others in a definition: `1 + 1 + …`.
const MOST_WRAPPED: usize = 4000;

/// The number of parts of expressions that are read for each token, as some are read twice.
const PARTS_OF_TOKEN: usize = 64;

#[derive(Debug, Clone, Default)]
pub(super) struct TlaModule {
    pub name: String,
    pub extends: Vec<(String, Span)>,
    pub constants: Vec<String>,
    pub variables: Vec<String>,
    pub definitions: Vec<(QuintDefinition, Span)>,
    pub instances: Vec<TlaInstance>,
    pub assumptions: Vec<(QuintExpr, Span)>,
    /// Operators that are declared as recursive.
    pub recursive: Vec<(String, Span)>,
}

/// `I == INSTANCE M WITH a <- e`; without a name, the definitions keep theirs.
#[derive(Debug, Clone)]
pub(super) struct TlaInstance {
    pub name: String,
    pub module: String,
    pub with: Vec<(String, QuintExpr)>,
    pub span: Span,
}

pub(super) type TlaResult<T> = Result<T, Diagnostic>;

pub(super) struct Parser<'t> {
    tokens: &'t [TlaToken],
    at: usize,
    /// Tokens in this column or before it end the expression.
    margin: Option<usize>,
    depth: usize,
    wrapped: usize,
    /// The number of parts that may still be read.
    left: usize,
    bound: usize,
    /// Instances inside LET.
    instances: Vec<TlaInstance>,
    end: Span,
}

pub(super) fn app(opcode: &str, args: Vec<QuintExpr>) -> QuintExpr {
    QuintExpr::App { opcode: opcode.to_owned(), args }
}

pub(super) fn name(name: &str) -> QuintExpr {
    QuintExpr::Name { name: name.to_owned() }
}

pub(super) fn text(value: &str) -> QuintExpr {
    QuintExpr::Str { value: value.to_owned() }
}

pub(super) fn lambda(params: Vec<String>, body: QuintExpr) -> QuintExpr {
    let params = params.into_iter().map(|name| QuintParam { name }).collect();
    QuintExpr::Lambda(Lambda { params, expr: Box::new(body) })
}

/// Infix operators: symbol, strength, and the operator of the representation.
const INFIX: &[(&str, u8, &str)] = &[
    ("=>", 1, "implies"),
    ("<=>", 2, "iff"),
    ("\\equiv", 2, "iff"),
    ("~>", 2, "tla:leads"),
    ("/\\", 3, "and"),
    ("\\land", 3, "and"),
    ("\\/", 3, "or"),
    ("\\lor", 3, "or"),
    ("=", 5, "tla:eq"),
    ("#", 5, "tla:neq"),
    ("/=", 5, "tla:neq"),
    ("<", 5, "ilt"),
    (">", 5, "igt"),
    ("<=", 5, "ilte"),
    ("=<", 5, "ilte"),
    ("\\leq", 5, "ilte"),
    (">=", 5, "igte"),
    ("\\geq", 5, "igte"),
    ("\\in", 5, "tla:in"),
    ("\\notin", 5, "tla:notin"),
    ("\\subseteq", 5, "tla:subset"),
    ("@@", 6, "tla:merge"),
    (":>", 7, "tla:single"),
    ("\\", 8, "exclude"),
    ("\\cup", 8, "tla:union"),
    ("\\union", 8, "tla:union"),
    ("\\cap", 8, "intersect"),
    ("\\intersect", 8, "intersect"),
    ("..", 9, "to"),
    ("+", 10, "iadd"),
    ("%", 10, "tla:mod"),
    ("-", 11, "isub"),
    ("*", 13, "imul"),
    ("\\div", 13, "tla:div"),
    ("\\o", 13, "tla:concat"),
    ("\\circ", 13, "tla:concat"),
    ("^", 14, "ipow"),
];

/// Infix operators that modules define, with their strengths.
const DEFINED: &[(&str, u8)] = &[
    ("\\prec", 5),
    ("\\preceq", 5),
    ("\\succ", 5),
    ("\\succeq", 5),
    ("\\ll", 5),
    ("\\gg", 5),
    ("\\sim", 5),
    ("\\simeq", 5),
    ("\\approx", 5),
    ("\\cong", 5),
    ("\\doteq", 5),
    ("\\asymp", 5),
    ("\\propto", 5),
    ("\\subset", 5),
    ("\\supset", 5),
    ("\\supseteq", 5),
    ("\\sqsubset", 5),
    ("\\sqsubseteq", 5),
    ("\\sqsupset", 5),
    ("\\sqsupseteq", 5),
    ("\\sqcap", 9),
    ("\\sqcup", 9),
    ("\\uplus", 9),
    ("\\oplus", 10),
    ("\\ominus", 11),
    ("\\otimes", 13),
    ("\\odot", 13),
    ("\\oslash", 13),
    ("\\star", 13),
    ("\\bullet", 13),
    ("\\bigcirc", 13),
    ("\\cdot", 13),
    ("\\wr", 9),
    ("++", 10),
    ("%%", 10),
    ("--", 11),
    ("|", 10),
    ("||", 10),
    ("&", 13),
    ("&&", 13),
    ("**", 13),
    ("//", 13),
    ("/", 13),
    ("^^", 14),
    ("##", 9),
    ("$", 9),
    ("$$", 9),
    ("??", 9),
];

const UNITS: &[&str] = &[
    "CONSTANT",
    "CONSTANTS",
    "VARIABLE",
    "VARIABLES",
    "ASSUME",
    "ASSUMPTION",
    "AXIOM",
    "THEOREM",
    "LEMMA",
    "PROPOSITION",
    "COROLLARY",
    "LOCAL",
    "INSTANCE",
    "RECURSIVE",
    "EXTENDS",
    "PROOF",
    "BY",
    "OBVIOUS",
    "OMITTED",
    "USE",
    "HIDE",
];

const WORDS: &[&str] = &[
    "IF",
    "THEN",
    "ELSE",
    "CASE",
    "OTHER",
    "LET",
    "IN",
    "EXCEPT",
    "CHOOSE",
    "LAMBDA",
    "WITH",
    "MODULE",
    "SUBSET",
    "UNION",
    "DOMAIN",
    "UNCHANGED",
    "ENABLED",
];

impl<'t> Parser<'t> {
    pub fn new(tokens: &'t [TlaToken], end: Span) -> Self {
        let left = PARTS_OF_TOKEN * (tokens.len() + PARTS_OF_TOKEN);
        Self { tokens, at: 0, margin: None, depth: 0, wrapped: 0, left, bound: 0, instances: Vec::new(), end }
    }

    fn peek(&self) -> Option<&'t TlaToken> {
        let token = self.tokens.get(self.at)?;
        match self.margin {
            Some(margin) if token.column <= margin => None,
            _ => Some(token),
        }
    }

    fn after(&self, number: usize) -> &'t str {
        self.tokens.get(self.at + number).map_or("", |token| token.text.as_str())
    }

    fn is(&self, text: &str) -> bool {
        self.peek().is_some_and(|token| token.kind != TlaTokenKind::Text && token.text == text)
    }

    fn eat(&mut self, text: &str) -> bool {
        let found = self.is(text);
        self.at += usize::from(found);
        found
    }

    fn span(&self) -> Span {
        self.tokens.get(self.at).map_or(self.end, |token| token.span)
    }

    fn expected(&self, wanted: &str) -> Diagnostic {
        let found = match self.tokens.get(self.at) {
            Some(token) => format!("`{}`", token.text),
            None => "the end of the file".into(),
        };
        Diagnostic::error(self.span(), format!("expected {wanted}, but found {found}"))
    }

    fn need(&mut self, text: &str) -> TlaResult<()> {
        match self.eat(text) {
            true => Ok(()),
            false => Err(self.expected(&format!("`{text}`"))),
        }
    }

    fn identifier(&mut self) -> TlaResult<String> {
        match self.peek() {
            Some(token)
                if token.kind == TlaTokenKind::Name
                    && !WORDS.contains(&token.text.as_str())
                    && !UNITS.contains(&token.text.as_str()) =>
            {
                self.at += 1;
                Ok(token.text.clone())
            }
            _ => Err(self.expected("a name")),
        }
    }

    /// Reads a module, and continues after mistakes at its next part.
    pub fn module(&mut self, mistakes: &mut Vec<Diagnostic>) -> TlaModule {
        let mut module = TlaModule::default();
        let head = (|| {
            if self.peek().is_some_and(|token| token.kind == TlaTokenKind::Line) {
                self.at += 1;
            }
            self.need("MODULE")?;
            self.identifier()
        })();
        match head {
            Ok(name) => module.name = name,
            Err(mistake) => {
                mistakes.push(mistake.with_help("a module begins with `---- MODULE Name ----`"));
                return module;
            }
        }
        while let Some(token) = self.tokens.get(self.at) {
            match token.kind {
                TlaTokenKind::End => break,
                TlaTokenKind::Line if self.after(1) == "MODULE" => {
                    mistakes.push(
                        Diagnostic::error(token.span, "a module within a module is not supported")
                            .with_help("move it into a file of its own"),
                    );
                    return module;
                }
                TlaTokenKind::Line => self.at += 1,
                _ => {
                    self.margin = None;
                    (self.depth, self.wrapped) = (0, 0);
                    let before = self.at;
                    if let Err(mistake) = self.unit(&mut module) {
                        mistakes.push(mistake);
                        self.at = self.at.max(before + 1);
                        self.skip();
                    }
                }
            }
        }
        module.instances.append(&mut self.instances);
        module
    }

    /// Goes to the next part of a module that begins in the first column.
    fn skip(&mut self) {
        while let Some(token) = self.tokens.get(self.at) {
            let begins = token.kind == TlaTokenKind::Name
                && token.column == 0
                && (UNITS[..13].contains(&token.text.as_str()) || matches!(self.after(1), "==" | "(" | "["));
            if begins || matches!(token.kind, TlaTokenKind::Line | TlaTokenKind::End) {
                return;
            }
            self.at += 1;
        }
    }

    fn unit(&mut self, module: &mut TlaModule) -> TlaResult<()> {
        let span = self.span();
        self.eat("LOCAL");
        let word = self.peek().map_or("", |token| token.text.as_str());
        match word {
            "EXTENDS" => {
                self.at += 1;
                loop {
                    let span = self.span();
                    module.extends.push((self.identifier()?, span));
                    if !self.eat(",") {
                        return Ok(());
                    }
                }
            }
            "CONSTANT" | "CONSTANTS" | "VARIABLE" | "VARIABLES" => {
                let is_constant = word.starts_with('C');
                self.places(is_constant, module)
            }
            "RECURSIVE" => {
                self.at += 1;
                let span = self.span();
                module.recursive.push((format!("::{}", self.identifier()?), span));
                self.skip();
                Ok(())
            }
            "ASSUME" | "ASSUMPTION" | "AXIOM" => {
                self.at += 1;
                let own = if self.after(1) == "==" { Some(self.identifier()?) } else { None };
                self.eat("==");
                let formula = self.expression()?;
                if let Some(own) = own {
                    let expr = formula.clone();
                    let definition =
                        QuintDefinition { name: format!("::{own}"), qualifier: "def".into(), expr };
                    module.definitions.push((definition, span));
                }
                module.assumptions.push((formula, span));
                Ok(())
            }
            "THEOREM" | "LEMMA" | "PROPOSITION" | "COROLLARY" | "PROOF" | "BY" | "OBVIOUS" | "OMITTED"
            | "USE" | "HIDE" => {
                self.at += 1;
                // The statement of a theorem with a name may be used elsewhere.
                if self.after(1) == "==" {
                    let begin = self.at;
                    match self.definition() {
                        Ok(statement) => module.definitions.push((statement, span)),
                        Err(_) => self.at = begin,
                    }
                }
                self.skip();
                Ok(())
            }
            "INSTANCE" => {
                module.instances.push(self.instance(String::new(), span)?);
                Ok(())
            }
            _ => {
                if self.after(1) == "==" && self.after(2) == "INSTANCE" {
                    let own = self.identifier()?;
                    self.at += 1;
                    module.instances.push(self.instance(own, span)?);
                    return Ok(());
                }
                module.definitions.push((self.definition()?, span));
                Ok(())
            }
        }
    }

    /// Reads the names of constants or variables.
    fn places(&mut self, is_constant: bool, module: &mut TlaModule) -> TlaResult<()> {
        self.at += 1;
        loop {
            let own = match self.eat("_") {
                true => {
                    let symbol = self.symbol()?;
                    self.need("_")?;
                    symbol
                }
                false => self.identifier()?,
            };
            if self.eat("(") {
                while !self.eat(")") {
                    self.at += 1;
                    if self.peek().is_none() {
                        return Err(self.expected("`)`"));
                    }
                }
            }
            match is_constant {
                true => module.constants.push(own),
                false => module.variables.push(own),
            }
            if !self.eat(",") {
                return Ok(());
            }
        }
    }

    fn instance(&mut self, own: String, span: Span) -> TlaResult<TlaInstance> {
        self.need("INSTANCE")?;
        let module = self.identifier()?;
        let mut with = Vec::new();
        if self.eat("WITH") {
            loop {
                let replaced = if self.after(1) == "<-" && self.symbol_at(0).is_some() {
                    self.symbol()?
                } else {
                    self.identifier()?
                };
                self.need("<-")?;
                let given = match (self.symbol_at(0), self.after(1)) {
                    (Some(_), "," | "" | "====") => name(&format!("::{}", self.symbol()?)),
                    (Some(_), _) if self.tokens.get(self.at + 1).is_none_or(|next| next.column == 0) => {
                        name(&format!("::{}", self.symbol()?))
                    }
                    _ => self.expression()?,
                };
                with.push((replaced, given));
                if !self.eat(",") {
                    break;
                }
            }
        }
        Ok(TlaInstance { name: own, module, with, span })
    }

    /// Reads `I == INSTANCE M` inside LET, which stands for an instance of the whole module.
    fn local_instance(&mut self) -> TlaResult<()> {
        let span = self.span();
        let own = self.identifier()?;
        self.at += 1;
        let instance = self.instance(own, span)?;
        let is_other = |other: &TlaInstance| other.name == instance.name && other.module != instance.module;
        if !instance.with.is_empty() || self.instances.iter().any(is_other) {
            let message = "INSTANCE inside LET is supported only without WITH, and under a name of its own";
            return Err(Diagnostic::error(span, message).with_help("move it out of LET"));
        }
        self.instances.push(instance);
        Ok(())
    }

    /// Returns the infix operator that is a number of tokens ahead, if modules define it.
    fn symbol_at(&self, number: usize) -> Option<&'t str> {
        let symbol = self.after(number);
        let is_known = DEFINED.iter().any(|(own, _)| *own == symbol);
        let is_infix = INFIX.iter().any(|(own, strength, _)| *own == symbol && *strength > 4);
        (is_known || is_infix).then_some(symbol)
    }

    fn symbol(&mut self) -> TlaResult<String> {
        match self.symbol_at(0) {
            Some(symbol) => {
                self.at += 1;
                Ok(symbol.to_owned())
            }
            None => Err(self.expected("a symbol")),
        }
    }

    /// Reads `F == e`, `F(a, b) == e`, `a + b == e` or `f[x \in S] == e`.
    fn definition(&mut self) -> TlaResult<QuintDefinition> {
        let mut own = self.identifier()?;
        let mut params = Vec::new();
        let mut over = None;
        if self.symbol_at(0).is_some() && self.after(2) == "==" {
            params.push(format!("::{own}"));
            own = self.symbol()?;
            params.push(format!("::{}", self.identifier()?));
        }
        if self.eat("(") {
            loop {
                if self.eat("_") {
                    params.push(format!("::{}", self.symbol()?));
                    self.need("_")?;
                } else {
                    params.push(format!("::{}", self.identifier()?));
                }
                if self.eat("(") {
                    while self.eat("_") || self.eat(",") {}
                    self.need(")")?;
                }
                if !self.eat(",") {
                    break;
                }
            }
            self.need(")")?;
        } else if self.eat("[") {
            over = Some(self.bounds()?);
            self.need("]")?;
        }
        if !self.eat("==") {
            let help = "operators written with symbols cannot be defined here";
            return Err(self.expected("`==`").with_help(help));
        }
        let mut expr = self.expression()?;
        let mut qualifier = "def";
        let own = format!("::{own}");
        if let Some(bounds) = over {
            if mentions(&expr, &own) {
                // Its values are computed where they are needed.
                qualifier = RECURSIVE;
                if let [(names, domain)] = &bounds[..]
                    && names.len() == 1
                {
                    expr = app("tla:over", vec![domain.clone(), expr]);
                }
                params = bounds.into_iter().flat_map(|(names, _)| names).collect();
            } else {
                expr = self.over("mapBy", bounds, expr)?;
            }
        }
        if !params.is_empty() {
            expr = lambda(params, expr);
        }
        Ok(QuintDefinition { name: own, qualifier: qualifier.into(), expr })
    }

    /// Reads an expression that ends before the next part.
    pub fn expression(&mut self) -> TlaResult<QuintExpr> {
        self.binary(0)
    }

    /// Reads an expression that is all there is.
    pub fn whole(mut self) -> TlaResult<QuintExpr> {
        let found = self.expression()?;
        match self.tokens.get(self.at) {
            None => Ok(found),
            Some(_) => Err(self.expected("the end of the value")),
        }
    }

    /// Counts an operator around another one.
    fn wrap(&mut self) -> TlaResult<()> {
        self.wrapped += 1;
        match self.wrapped > MOST_WRAPPED {
            true => Err(Diagnostic::error(self.span(), "a definition has too many operators")
                .with_help("split it into several definitions")),
            false => Ok(()),
        }
    }

    fn nested<T>(&mut self, run: impl FnOnce(&mut Self) -> TlaResult<T>) -> TlaResult<T> {
        self.left = self.left.saturating_sub(1);
        if self.depth > MOST_NESTED || self.left == 0 {
            return Err(Diagnostic::error(self.span(), "this is nested too deeply"));
        }
        self.depth += 1;
        let found = run(self);
        self.depth -= 1;
        found
    }

    fn binary(&mut self, least: u8) -> TlaResult<QuintExpr> {
        self.nested(|parser| {
            let mut left = parser.prefix()?;
            while let Some(token) = parser.peek() {
                if token.kind != TlaTokenKind::Symbol {
                    break;
                }
                if matches!(token.text.as_str(), "\\X" | "\\times") && least <= 10 {
                    let mut sets = vec![left];
                    while parser.eat("\\X") || parser.eat("\\times") {
                        sets.push(parser.binary(11)?);
                    }
                    left = app("tuples", sets);
                    continue;
                }
                let known = INFIX.iter().find(|(symbol, _, _)| token.text == *symbol);
                let defined = DEFINED.iter().find(|(symbol, _)| token.text == *symbol);
                let own = format!("::{}", token.text);
                let (strength, op) = match (known, defined) {
                    (Some(&(_, strength, op)), _) => (strength, op),
                    (None, Some(&(_, strength))) => (strength, own.as_str()),
                    (None, None) => break,
                };
                if strength < least {
                    break;
                }
                parser.at += 1;
                parser.wrap()?;
                let right = parser.binary(strength + 1)?;
                let alone = matches!(strength, 1 | 2 | 5);
                let again =
                    parser.peek().and_then(|next| INFIX.iter().find(|(symbol, _, _)| next.text == *symbol));
                let again = again.filter(|(_, other, _)| *other == strength);
                if let (Some((other, _, _)), true) = (again, alone || strength == 3)
                    && (alone || INFIX.iter().any(|(symbol, _, own)| symbol == other && *own != op))
                {
                    return Err(parser.expected("brackets, as in `(a => b) => c`"));
                }
                left = match (op, left) {
                    ("and" | "or", QuintExpr::App { opcode, mut args }) if opcode == op => {
                        args.push(right);
                        app(op, args)
                    }
                    (_, left) => app(op, vec![left, right]),
                };
            }
            Ok(left)
        })
    }

    fn prefix(&mut self) -> TlaResult<QuintExpr> {
        let Some(token) = self.peek() else { return Err(self.expected("an expression")) };
        let (op, strength) = match token.text.as_str() {
            _ if token.kind == TlaTokenKind::Text => return self.postfix(),
            "/\\" | "\\/" => return self.junction(token),
            "~" | "\\lnot" | "\\neg" => ("not", 4),
            "[]" => ("tla:always", 4),
            "<>" => ("tla:eventually", 4),
            "ENABLED" => ("tla:enabled", 4),
            "UNCHANGED" => ("tla:unchanged", 4),
            "SUBSET" => ("powerset", 9),
            "UNION" => ("flatten", 9),
            "DOMAIN" => ("tla:domain", 9),
            "-" => ("iuminus", 12),
            _ => return self.postfix(),
        };
        self.at += 1;
        Ok(app(op, vec![self.binary(strength)?]))
    }

    /// Reads a list of formulas, each after a symbol in one column.
    fn junction(&mut self, first: &TlaToken) -> TlaResult<QuintExpr> {
        let outer = self.margin;
        let mut parts = Vec::new();
        loop {
            self.margin = outer;
            match self.peek() {
                Some(token) if token.text == first.text && token.column == first.column => self.at += 1,
                _ => break,
            }
            self.margin = Some(first.column);
            let part = self.nested(Self::expression);
            self.margin = outer;
            parts.push(part?);
        }
        let op = if first.text == "/\\" { "and" } else { "or" };
        Ok(if parts.len() == 1 { parts.remove(0) } else { app(op, parts) })
    }

    fn postfix(&mut self) -> TlaResult<QuintExpr> {
        let mut left = self.primary()?;
        while let Some(token) = self.peek() {
            if token.kind != TlaTokenKind::Symbol {
                break;
            }
            match token.text.as_str() {
                "'" => {
                    self.at += 1;
                    self.wrap()?;
                    left = app("tla:prime", vec![left]);
                }
                "[" => {
                    self.at += 1;
                    self.wrap()?;
                    let keys = self.list("]")?;
                    left = app("tla:apply", vec![left, one(keys)]);
                }
                "." => {
                    self.at += 1;
                    self.wrap()?;
                    let field = self.identifier()?;
                    left = app("field", vec![left, text(&field)]);
                }
                _ => break,
            }
        }
        Ok(left)
    }

    /// Reads expressions after an opening bracket, and its end.
    fn list(&mut self, end: &str) -> TlaResult<Vec<QuintExpr>> {
        let mut found = Vec::new();
        if self.eat(end) {
            return Ok(found);
        }
        loop {
            if self.symbol_at(0).is_some_and(|symbol| symbol != "-")
                && (self.after(1) == "," || self.after(1) == end)
            {
                found.push(name(&format!("::{}", self.symbol()?)));
            } else {
                found.push(self.expression()?);
            }
            if !self.eat(",") {
                self.need(end)?;
                return Ok(found);
            }
        }
    }

    fn primary(&mut self) -> TlaResult<QuintExpr> {
        let Some(token) = self.peek() else { return Err(self.expected("an expression")) };
        match (&token.kind, token.text.as_str()) {
            (TlaTokenKind::Number, digits) => {
                let value: i64 =
                    digits.parse().map_err(|_| Diagnostic::error(token.span, "this number is too large"))?;
                self.at += 1;
                Ok(QuintExpr::Int { value: value.into() })
            }
            (TlaTokenKind::Text, value) => {
                self.at += 1;
                Ok(text(value))
            }
            (TlaTokenKind::Symbol, "(") => {
                self.at += 1;
                let inner = self.expression()?;
                self.need(")")?;
                Ok(inner)
            }
            (TlaTokenKind::Symbol, "<<") => {
                self.at += 1;
                let mut parts = Vec::new();
                if !self.eat(">>") {
                    loop {
                        parts.push(self.expression()?);
                        if !self.eat(",") {
                            break;
                        }
                    }
                    if self.eat(">>_") {
                        let (action, over) = (one(parts), self.postfix()?);
                        return Ok(app("tla:angle", vec![action, over]));
                    }
                    self.need(">>")?;
                }
                Ok(app("tla:tuple", parts))
            }
            (TlaTokenKind::Symbol, "{") => self.set(),
            (TlaTokenKind::Symbol, "[") => self.bracket(),
            (TlaTokenKind::Symbol, "\\A" | "\\E") => {
                self.at += 1;
                let op = if token.text == "\\A" { "forall" } else { "exists" };
                let bounds = self.bounds()?;
                self.need(":")?;
                let body = self.expression()?;
                // Each name ranges over its set in turn.
                Ok(bounds
                    .into_iter()
                    .rev()
                    .fold(body, |body, (names, set)| app(op, vec![set, lambda(names, body)])))
            }
            (TlaTokenKind::Symbol, "@") => {
                self.at += 1;
                Ok(name("@"))
            }
            (TlaTokenKind::Name, word) => self.word(word, token.span),
            _ => Err(self.expected("an expression")),
        }
    }

    fn word(&mut self, word: &str, span: Span) -> TlaResult<QuintExpr> {
        match word {
            "TRUE" | "FALSE" => {
                self.at += 1;
                Ok(QuintExpr::Bool { value: word == "TRUE" })
            }
            "BOOLEAN" => {
                self.at += 1;
                Ok(name("Bool"))
            }
            "Nat" | "Int" => {
                self.at += 1;
                Ok(name(word))
            }
            "IF" => {
                self.at += 1;
                let condition = self.expression()?;
                self.need("THEN")?;
                let then = self.expression()?;
                self.need("ELSE")?;
                Ok(app("ite", vec![condition, then, self.expression()?]))
            }
            "CASE" => self.case(),
            "LET" => self.let_in(),
            "CHOOSE" => self.choose(),
            "LAMBDA" => {
                self.at += 1;
                let mut params = Vec::new();
                loop {
                    params.push(format!("::{}", self.identifier()?));
                    if !self.eat(",") {
                        break;
                    }
                }
                self.need(":")?;
                Ok(lambda(params, self.expression()?))
            }
            _ if word.starts_with("WF_") || word.starts_with("SF_") => {
                self.at += 1;
                let over = match &word[3..] {
                    "" => self.primary()?,
                    over => name(&format!("::{over}")),
                };
                self.need("(")?;
                let action = self.expression()?;
                self.need(")")?;
                Ok(app(if word.starts_with('W') { "tla:weak" } else { "tla:strong" }, vec![action, over]))
            }
            _ => self.applied(span),
        }
    }

    /// Reads the cases after `CASE`.
    fn case(&mut self) -> TlaResult<QuintExpr> {
        self.at += 1;
        let mut cases = Vec::new();
        let mut other = None;
        loop {
            if self.eat("OTHER") {
                self.need("->")?;
                other = Some(self.expression()?);
                break;
            }
            self.wrap()?;
            let condition = self.expression()?;
            self.need("->")?;
            cases.push((condition, self.expression()?));
            if !self.eat("[]") {
                break;
            }
        }
        let last = match (other, cases.pop()) {
            (Some(other), None) => return Ok(other),
            (Some(other), Some((condition, value))) => app("ite", vec![condition, value, other]),
            (None, Some((condition, value))) => app("tla:only", vec![condition, value]),
            (None, None) => return Err(self.expected("a case")),
        };
        Ok(cases
            .into_iter()
            .rev()
            .fold(last, |other, (condition, value)| app("ite", vec![condition, value, other])))
    }

    /// Reads the definitions and the body after `LET`.
    fn let_in(&mut self) -> TlaResult<QuintExpr> {
        self.at += 1;
        let mut definitions = Vec::new();
        let mut recursive = Vec::new();
        while !self.eat("IN") {
            if self.after(2) == "INSTANCE" {
                self.local_instance()?;
                continue;
            }
            if self.eat("RECURSIVE") {
                loop {
                    recursive.push(format!("::{}", self.identifier()?));
                    if self.eat("(") {
                        while self.eat("_") || self.eat(",") {}
                        self.need(")")?;
                    }
                    if !self.eat(",") {
                        break;
                    }
                }
                continue;
            }
            self.eat("LOCAL");
            self.wrap()?;
            let mut definition = self.definition()?;
            if recursive.contains(&definition.name) && matches!(definition.expr, QuintExpr::Lambda(_)) {
                definition.qualifier = RECURSIVE.into();
            }
            definitions.push(definition);
        }
        let body = self.expression()?;
        Ok(definitions.into_iter().rev().fold(body, |body, definition| QuintExpr::Let {
            opdef: Box::new(definition),
            expr: Box::new(body),
        }))
    }

    /// Reads `CHOOSE x \\in S : p`.
    fn choose(&mut self) -> TlaResult<QuintExpr> {
        self.at += 1;
        let own = format!("::{}", self.identifier()?);
        if !self.eat("\\in") {
            self.need(":")?;
            self.expression()?;
            // A value outside of all sets, as a value of its own.
            return Ok(app("tla:anything", vec![text(&own[2..])]));
        }
        let set = self.binary(6)?;
        self.need(":")?;
        let body = self.expression()?;
        Ok(app("tla:choose", vec![set, lambda(vec![own], body)]))
    }

    /// Reads a name, possibly of an instance, with its arguments.
    fn applied(&mut self, span: Span) -> TlaResult<QuintExpr> {
        let mut full = self.identifier()?;
        if self.is("::") {
            // The name of a part, which only proofs need.
            self.at += 1;
            return self.expression();
        }
        while self.is("!") && self.tokens.get(self.at + 1).is_some_and(|next| next.kind == TlaTokenKind::Name)
        {
            self.at += 1;
            full = format!("{full}!{}", self.identifier()?);
        }
        let full = match full.rsplit_once('!') {
            Some((instance, own)) => format!("::{}::{own}", instance.replace('!', "::")),
            None => format!("::{full}"),
        };
        if self.is("!") {
            self.at += 1;
            if self.eat(":") {
                return Ok(name(&full));
            }
            match self.peek().map(|token| (&token.kind, token.text.parse::<i64>())) {
                Some((TlaTokenKind::Number, Ok(number))) => {
                    self.at += 1;
                    return Ok(app("tla:part", vec![name(&full), QuintExpr::Int { value: number.into() }]));
                }
                _ => return Err(self.expected("the number of a part, as in `Inv!2`")),
            }
        }
        if self.is("(") && self.tokens[self.at].span.start >= span.end {
            self.at += 1;
            return Ok(app(&full, self.list(")")?));
        }
        Ok(name(&full))
    }

    /// Reads `x, y \in S, <<a, b>> \in T`.
    fn bounds(&mut self) -> TlaResult<Vec<(Vec<String>, QuintExpr)>> {
        let mut found = Vec::new();
        loop {
            let mut names = Vec::new();
            loop {
                if self.eat("<<") {
                    let mut parts = Vec::new();
                    loop {
                        parts.push(format!("::{}", self.identifier()?));
                        if !self.eat(",") {
                            break;
                        }
                    }
                    self.need(">>")?;
                    names.push(parts);
                } else {
                    names.push(vec![format!("::{}", self.identifier()?)]);
                }
                if !self.eat(",") {
                    break;
                }
            }
            if !self.is("\\in") {
                return Err(self.expected("`\\in`").with_help("only names with a set can be gone through"));
            }
            self.at += 1;
            let set = self.binary(6)?;
            // Each name has its own copy of the set.
            let copied = size(&set).saturating_mul(names.len() - 1);
            self.left = self.left.saturating_sub(copied);
            self.wrap()?;
            found.extend(names.into_iter().map(|names| (names, set.clone())));
            if !self.eat(",") {
                return Ok(found);
            }
        }
    }

    /// Returns an operator over names in sets; several names go through a product.
    fn over(
        &mut self,
        op: &str,
        mut bounds: Vec<(Vec<String>, QuintExpr)>,
        body: QuintExpr,
    ) -> TlaResult<QuintExpr> {
        if bounds.len() == 1 {
            let (names, set) = bounds.remove(0);
            return Ok(app(op, vec![set, lambda(names, body)]));
        }
        let (names, sets): (Vec<Vec<String>>, Vec<QuintExpr>) = bounds.into_iter().unzip();
        if names.iter().any(|names| names.len() > 1) {
            return Err(Diagnostic::error(
                self.span(),
                "a tuple of names beside other names is not supported",
            ));
        }
        Ok(app(op, vec![app("tuples", sets), lambda(names.concat(), body)]))
    }

    /// Tries to read with a function, and goes back if it fails.
    fn attempt<T>(&mut self, run: impl FnOnce(&mut Self) -> TlaResult<T>) -> Option<T> {
        let (at, margin, depth) = (self.at, self.margin, self.depth);
        let found = run(self).ok();
        if found.is_none() {
            (self.at, self.margin, self.depth) = (at, margin, depth);
        }
        found
    }

    fn set(&mut self) -> TlaResult<QuintExpr> {
        self.need("{")?;
        let filtered = self.attempt(|parser| {
            let mut bounds = parser.bounds()?;
            parser.need(":")?;
            match bounds.len() {
                1 => Ok(bounds.remove(0)),
                _ => Err(parser.expected("one name")),
            }
        });
        if let Some((names, set)) = filtered {
            let body = self.expression()?;
            self.need("}")?;
            return Ok(app("filter", vec![set, lambda(names, body)]));
        }
        if self.eat("}") {
            return Ok(app("Set", Vec::new()));
        }
        let first = self.expression()?;
        if self.eat(":") {
            let bounds = self.bounds()?;
            self.need("}")?;
            return self.over("map", bounds, first);
        }
        let mut members = vec![first];
        while self.eat(",") {
            members.push(self.expression()?);
        }
        self.need("}")?;
        Ok(app("Set", members))
    }

    /// Reads functions, records, sets of these, `EXCEPT`, and `[A]_v`.
    fn bracket(&mut self) -> TlaResult<QuintExpr> {
        self.need("[")?;
        if self.after(1) == "|->" {
            return self.fields("|->", "Rec");
        }
        if self.peek().is_some_and(|token| token.kind == TlaTokenKind::Name) && self.after(1) == ":" {
            return self.fields(":", "tla:records");
        }
        let over = self.attempt(|parser| {
            let bounds = parser.bounds()?;
            parser.need("|->")?;
            Ok(bounds)
        });
        if let Some(bounds) = over {
            let body = self.expression()?;
            self.need("]")?;
            return self.over("mapBy", bounds, body);
        }
        let first = self.expression()?;
        if self.eat("->") {
            let values = self.expression()?;
            self.need("]")?;
            return Ok(app("setOfMaps", vec![first, values]));
        }
        if self.eat("]_") {
            let over = self.postfix()?;
            return Ok(app("tla:square", vec![first, over]));
        }
        self.need("EXCEPT")?;
        let mut result = first;
        loop {
            self.need("!")?;
            self.wrap()?;
            let mut keys = Vec::new();
            loop {
                if self.eat("[") {
                    keys.push(one(self.list("]")?));
                } else if self.eat(".") {
                    keys.push(text(&self.identifier()?));
                } else {
                    break;
                }
            }
            if keys.is_empty() {
                return Err(self.expected("`[` or `.`"));
            }
            self.need("=")?;
            let mut value = lambda(vec!["@".into()], self.expression()?);
            // The inner places are changed within the value at the outer ones.
            for key in keys.drain(1..).rev() {
                self.bound += 1;
                let old = format!("@{}", self.bound);
                value = lambda(vec![old.clone()], app("tla:except", vec![name(&old), key, value]));
            }
            result = app("tla:except", vec![result, keys.remove(0), value]);
            if !self.eat(",") {
                self.need("]")?;
                return Ok(result);
            }
        }
    }

    fn fields(&mut self, between: &str, op: &str) -> TlaResult<QuintExpr> {
        let mut parts = Vec::new();
        loop {
            parts.push(text(&self.identifier()?));
            self.need(between)?;
            parts.push(self.expression()?);
            if !self.eat(",") {
                self.need("]")?;
                return Ok(app(op, parts));
            }
        }
    }
}

/// True if a name occurs in an expression.
fn mentions(expr: &QuintExpr, wanted: &str) -> bool {
    match expr {
        QuintExpr::Name { name } => name == wanted,
        QuintExpr::App { opcode, args } => opcode == wanted || args.iter().any(|arg| mentions(arg, wanted)),
        QuintExpr::Lambda(lambda) => mentions(&lambda.expr, wanted),
        QuintExpr::Let { opdef, expr } => mentions(&opdef.expr, wanted) || mentions(expr, wanted),
        _ => false,
    }
}

/// Returns the number of parts of an expression.
fn size(expr: &QuintExpr) -> usize {
    match expr {
        QuintExpr::App { args, .. } => 1 + args.iter().map(size).sum::<usize>(),
        QuintExpr::Lambda(lambda) => 1 + size(&lambda.expr),
        QuintExpr::Let { opdef, expr } => 1 + size(&opdef.expr) + size(expr),
        _ => 1,
    }
}

/// Several arguments in brackets are a tuple.
fn one(mut parts: Vec<QuintExpr>) -> QuintExpr {
    if parts.len() == 1 { parts.remove(0) } else { app("tla:tuple", parts) }
}
