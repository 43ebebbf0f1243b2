//! Random trees, driven by a string of bytes, so that proptest can shrink them.

use kit::diagnostics::Span;
use lang::syntax::ast::{
    ActionSteps, Aggregate, Arm, BinaryOp, CollectionKind, Constructor, ExampleBlock, Expr, ExprKind, File,
    FileKind, Header, Ident, Item, ItemKind, Param, PathStep, Pattern, PatternKind, Quantifier, Requirement,
    RequirementKind, Stmt, StmtKind, Target, TemporalOp, Test, TypeExpr, TypeKind, VocabItem, VocabItemKind,
    VocabTerm, WrittenTraces,
};

const BINARY: [BinaryOp; 22] = [
    BinaryOp::Implies,
    BinaryOp::Iff,
    BinaryOp::Or,
    BinaryOp::And,
    BinaryOp::Eq,
    BinaryOp::Ne,
    BinaryOp::Lt,
    BinaryOp::Le,
    BinaryOp::Gt,
    BinaryOp::Ge,
    BinaryOp::In,
    BinaryOp::NotIn,
    BinaryOp::Subset,
    BinaryOp::Otherwise,
    BinaryOp::Union,
    BinaryOp::Intersect,
    BinaryOp::Minus,
    BinaryOp::Add,
    BinaryOp::Sub,
    BinaryOp::Mul,
    BinaryOp::Div,
    BinaryOp::Mod,
];
const TEMPORAL: [TemporalOp; 8] = [
    TemporalOp::Always,
    TemporalOp::Eventually,
    TemporalOp::AllNext,
    TemporalOp::AllEventually,
    TemporalOp::AllAlways,
    TemporalOp::ExistsNext,
    TemporalOp::ExistsEventually,
    TemporalOp::ExistsAlways,
];

/// Generates trees from bytes; once these are used up, the smallest trees.
pub(super) struct Generator<'a> {
    bytes: std::slice::Iter<'a, u8>,
    /// Whether `next e` may occur.
    temporal: bool,
}

impl<'a> Generator<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes: bytes.iter(), temporal: false }
    }

    pub fn file(&mut self) -> File {
        let kind = [FileKind::Model, FileKind::Library, FileKind::Component][self.below(3)];
        let header = Header { kind, name: self.name(), doc: self.doc() };
        let mut items = Vec::new();
        while self.bytes.len() > 0 && items.len() < 12 {
            let kind = self.item();
            items.push(Item { kind, doc: self.doc(), span: Span::default() });
        }
        File { header: Some(header), items }
    }

    /// A number less than `n`.
    fn below(&mut self, n: usize) -> usize {
        self.bytes.next().map_or(0, |&byte| usize::from(byte) % n)
    }

    fn name(&mut self) -> Ident {
        let names =
            ["a", "b", "net", "Alice", "x1", "T_2", "before", "_", "e", "u", "let", "sum", "count", "max"];
        Ident { name: names[self.below(names.len())].to_string(), span: Span::default() }
    }

    /// A name, perhaps that of a part of a component.
    fn qualified_name(&mut self) -> Ident {
        let mut whole = self.name();
        while self.below(4) == 1 {
            whole.name = format!("{}.{}", whole.name, self.name().name);
        }
        whole
    }

    fn doc(&mut self) -> Option<String> {
        [None, None, Some("What it is."), Some("One.\n\n  Two: ü // \"x\"")][self.below(4)]
            .map(str::to_string)
    }

    fn list<T>(&mut self, least: usize, mut one: impl FnMut(&mut Self) -> T) -> Vec<T> {
        let count = least + self.below(3);
        (0..count).map(|_| one(self)).collect()
    }

    fn item(&mut self) -> ItemKind {
        let name = self.name();
        match self.below(19) {
            0 => ItemKind::Var { name, ty: self.ty(3) },
            17 => ItemKind::Operation { name, params: self.params(), body: self.list(0, |g| g.statement(3)) },
            1 => ItemKind::Requires(self.list(0, |g| {
                let kind = match g.below(5) {
                    0 => RequirementKind::Type,
                    3 => RequirementKind::Variable(g.ty(2)),
                    4 => RequirementKind::Function(g.params(), g.ty(2)),
                    1 => RequirementKind::Value(g.ty(2)),
                    _ => RequirementKind::Observe(g.ty(2)),
                };
                let no_default = matches!(kind, RequirementKind::Variable(_) | RequirementKind::Function(..));
                let default = (!no_default && g.below(2) == 0).then(|| g.expr(3));
                Requirement { kind, name: g.name(), default, doc: g.doc() }
            })),
            2 => ItemKind::Const { name, ty: self.ty(2), value: self.expr(4) },
            3 => ItemKind::Type { name, ty: self.ty(4), symmetric: self.below(2) == 0 },
            4 => ItemKind::Import {
                path: ["../p.pred", "", "a b.ü"][self.below(3)].to_string(),
                path_span: Span::default(),
                alias: name,
                bindings: self.list(0, |g| (g.name(), g.expr(3))),
            },
            5 => ItemKind::Init(self.list(0, |g| g.expr(5))),
            6 => ItemKind::Def { name, params: self.params(), ty: self.ty(2), body: self.expr(5) },
            7 | 8 => ItemKind::Action {
                name,
                params: self.params(),
                modifies: self.list(0, Self::qualified_name),
                body: self.list(0, |g| g.statement(3)),
            },
            9 => ItemKind::Assume(self.expr(5)),
            10 => ItemKind::Invariant { name, body: self.expr(6) },
            11 => {
                self.temporal = true;
                let body = self.expr(6);
                self.temporal = false;
                ItemKind::Ltl { name, body }
            }
            12 => ItemKind::Ctl { name, body: self.expr(6) },
            13 if self.below(2) == 0 => ItemKind::ActionFairness {
                strong: self.below(2) == 0,
                action: self.qualified_name(),
                by: self.list(0, Self::name),
            },
            13 => ItemKind::Fairness(self.expr(3)),
            14 => ItemKind::Environment(self.list(1, |g| ActionSteps {
                action: g.qualified_name(),
                with: g.list(0, |g| (g.name(), g.expr(2))),
            })),
            18 => ItemKind::Example(self.example()),
            15 => ItemKind::Pred { name, params: self.params(), body: self.expr(5) },
            _ => ItemKind::Vocabulary { name, terms: self.list(1, Self::term) },
        }
    }

    fn example(&mut self) -> ExampleBlock {
        let steps = |g: &mut Self| ActionSteps {
            action: g.qualified_name(),
            with: g.list(0, |g| (g.name(), g.expr(2))),
        };
        ExampleBlock {
            counter: self.below(2) == 0,
            predicate: self.list(1, Self::name),
            args: (self.below(2) == 0).then(|| self.list(0, |g| g.expr(2))),
            subject: Span::default(),
            model: (self.below(2) == 0).then(|| ("a/b.sts".to_owned(), Span::default())),
            with: self.list(0, |g| (g.name(), g.expr(2))),
            traces: match self.below(2) {
                0 => WrittenTraces::Within(self.expr(2)),
                _ => WrittenTraces::Steps(self.list(0, steps)),
            },
        }
    }

    fn params(&mut self) -> Vec<Param> {
        self.list(0, |g| Param { name: g.name(), ty: g.ty(2) })
    }

    fn term(&mut self) -> VocabTerm {
        if self.below(2) == 0 {
            return VocabTerm::Name(self.name());
        }
        VocabTerm::Items(self.list(0, |g| {
            let kind = match g.below(6) {
                0 => VocabItemKind::Before,
                1 => VocabItemKind::Next,
                2 => VocabItemKind::Lacks(g.list(1, |g| g.expr(2))),
                3 => VocabItemKind::Absent(g.list(1, |g| g.expr(2))),
                4 => VocabItemKind::Eq { observables: g.list(1, |g| g.expr(2)), across: g.below(2) == 0 },
                _ => {
                    let mut path = g.list(1, Self::name);
                    // `before` alone is not a predicate.
                    path[0].name = "p".to_string();
                    VocabItemKind::Pred { path, args: (g.below(2) == 0).then(|| g.list(0, |g| g.expr(2))) }
                }
            };
            VocabItem { kind, span: Span::default() }
        }))
    }

    fn ty(&mut self, depth: usize) -> TypeExpr {
        let choices = if depth == 0 { 2 } else { 10 };
        let kind = match self.below(choices) {
            0 => TypeKind::Bool,
            1 => TypeKind::Name(self.name().name),
            2 => TypeKind::Range(Box::new(self.expr(depth)), Box::new(self.expr(depth))),
            3 => TypeKind::Enum(self.list(1, Self::name)),
            4 => TypeKind::Set(Box::new(self.ty(depth - 1))),
            5 => TypeKind::Option(Box::new(self.ty(depth - 1))),
            6 => TypeKind::Record(self.list(1, |g| (g.name(), g.ty(depth - 1)))),
            8 => TypeKind::Collection {
                kind: [CollectionKind::Sequence, CollectionKind::Bag, CollectionKind::Set][self.below(3)],
                // A plain set at the end of the element type would take the `max`.
                element: Box::new(self.ty(0)),
                most: Box::new(Expr { kind: ExprKind::Name(self.name().name), span: Span::default() }),
            },
            7 => TypeKind::Variant(self.list(1, |g| Constructor {
                name: g.name(),
                fields: g.list(0, |g| (g.name(), g.ty(depth - 1))),
            })),
            _ => TypeKind::Map(Box::new(self.ty(depth - 1)), Box::new(self.ty(depth - 1))),
        };
        TypeExpr { kind, span: Span::default() }
    }

    fn statement(&mut self, depth: usize) -> Stmt {
        let choices = if depth == 0 { 6 } else { 10 };
        let kind = match self.below(choices) {
            0 => StmtKind::Require(self.expr(4)),
            1 => StmtKind::Assign { target: self.target(), value: self.expr(4) },
            2 => StmtKind::Choose { target: self.target(), set: self.expr(4) },
            3 => StmtKind::Constrain(self.list(1, |g| g.expr(4))),
            4 => StmtKind::Let(self.list(1, |g| (g.name(), g.expr(3)))),
            5 => StmtKind::Call { operation: self.qualified_name(), args: self.list(0, |g| g.expr(3)) },
            6 => StmtKind::ForAll {
                var: self.name(),
                domain: self.domain(2),
                body: self.list(0, |g| g.statement(depth - 1)),
            },
            7 => StmtKind::Match {
                value: self.expr(3),
                arms: self.list(0, |g| g.arm(|g| g.list(0, |g| g.statement(depth - 1)))),
            },
            _ => StmtKind::If {
                cond: self.expr(3),
                then: self.list(0, |g| g.statement(depth - 1)),
                otherwise: self.list(0, |g| g.statement(depth - 1)),
            },
        };
        Stmt { kind, span: Span::default() }
    }

    fn arm<B>(&mut self, body: impl FnOnce(&mut Self) -> B) -> Arm<B> {
        Arm { patterns: self.list(1, Self::pattern), body: body(self) }
    }

    fn pattern(&mut self) -> Pattern {
        let constant = |kind| PatternKind::Value(Expr { kind, span: Span::default() });
        let kind = match self.below(6) {
            0 => PatternKind::Else,
            4 => PatternKind::Some(self.name()),
            1 => constant(ExprKind::None),
            2 => constant(ExprKind::Int(3)),
            _ => {
                let mut name = self.name();
                if name.name == "_" {
                    // Followed by `=>`, it is said to be `else`.
                    name.name = "a".to_string();
                }
                PatternKind::Name(name, self.list(0, |g| (g.name(), g.name())))
            }
        };
        Pattern { kind, span: Span::default() }
    }

    fn target(&mut self) -> Target {
        let path = self.list(0, |g| match g.below(2) {
            0 => PathStep::Index(g.expr(2)),
            _ => PathStep::Field(g.name()),
        });
        Target { name: self.qualified_name(), path, span: Span::default() }
    }

    fn boxed(&mut self, depth: usize) -> Box<Expr> {
        Box::new(self.expr(depth))
    }

    fn domain(&mut self, depth: usize) -> Box<Expr> {
        if self.below(6) == 5 {
            return Box::new(Expr { kind: ExprKind::Name("bool".to_string()), span: Span::default() });
        }
        self.boxed(depth)
    }

    fn fields(&mut self, depth: usize) -> Vec<(Ident, Expr)> {
        self.list(1, |g| (g.name(), g.expr(depth)))
    }

    pub fn expr(&mut self, depth: usize) -> Expr {
        let choices = if depth == 0 { 6 } else { 45 };
        let d = depth.saturating_sub(1);
        let kind = match self.below(choices) {
            0 => ExprKind::Name(self.name().name),
            1 => ExprKind::Bool(self.below(2) == 0),
            2 => ExprKind::Int([0, 7, i64::MAX][self.below(3)]),
            3 => ExprKind::None,
            4 => ExprKind::Primed(self.qualified_name()),
            5 => ExprKind::Name(["action", "A", "E", "U"][self.below(4)].to_string()),
            6 => ExprKind::Some(self.boxed(d)),
            7 => ExprKind::Field(self.boxed(d), self.name()),
            8 => ExprKind::Index(self.boxed(d), self.boxed(d)),
            9 => ExprKind::At(self.boxed(d), self.boxed(d)),
            10 => {
                let mut path = vec![self.name()];
                if self.below(2) == 0 {
                    path.push(self.name());
                }
                ExprKind::Call { path, args: self.list(0, |g| g.expr(d)) }
            }
            11 => ExprKind::Record { name: self.name(), fields: self.fields(d) },
            12 => ExprKind::With(self.boxed(d), self.fields(d)),
            13 => ExprKind::Set(self.list(0, |g| g.expr(d))),
            14 => ExprKind::Filter { var: self.name(), domain: self.domain(d), cond: self.boxed(d) },
            15 => ExprKind::Map { var: self.name(), domain: self.domain(d), body: self.boxed(d) },
            16 => ExprKind::Range(self.boxed(d), self.boxed(d)),
            17 => ExprKind::Size(self.boxed(d)),
            18 => ExprKind::Not(self.boxed(d)),
            19 => ExprKind::Neg(self.boxed(d)),
            20 => ExprKind::Is {
                expr: self.boxed(d),
                test: match self.below(3) {
                    0 => Test::Some,
                    1 => Test::None,
                    _ => Test::Constructor(self.name()),
                },
            },
            31 => ExprKind::List(self.list(0, |g| g.expr(d))),
            32 | 33 => ExprKind::Match { value: self.boxed(d), arms: self.list(0, |g| g.arm(|g| g.expr(d))) },
            21 | 22 => ExprKind::If(self.boxed(d), self.boxed(d), self.boxed(d)),
            23 | 24 => ExprKind::Quant {
                quantifier: if self.below(2) == 0 { Quantifier::Forall } else { Quantifier::Exists },
                vars: self.list(1, Self::name),
                domain: self.domain(d),
                body: self.boxed(d),
            },
            25 => {
                use TemporalOp::{AllUntil, ExistsUntil, Release, Until, WeakUntil};
                let op = [Until, WeakUntil, Release, AllUntil, ExistsUntil][self.below(5)];
                ExprKind::Temporal(op, vec![self.expr(d), self.expr(d)])
            }
            26 if !self.temporal && self.below(4) == 0 => {
                ExprKind::Temporal(TemporalOp::ExistsAlways, vec![self.expr(d), self.expr(d), self.expr(d)])
            }
            26 => {
                let op = if self.temporal { TemporalOp::Next } else { TEMPORAL[self.below(TEMPORAL.len())] };
                ExprKind::Temporal(op, vec![self.expr(d)])
            }
            27 | 28 => ExprKind::Let { bindings: self.fields(d), body: self.boxed(d) },
            29 | 30 => ExprKind::Aggregate {
                aggregate: Aggregate::ALL[self.below(4)],
                vars: self.list(1, Self::name),
                domain: self.domain(d),
                body: self.boxed(d),
            },
            34 | 35 => {
                let after = (self.below(2) == 0).then(|| self.boxed(d));
                ExprKind::Never { value: self.boxed(d), after, before: self.boxed(d) }
            }
            _ => ExprKind::Binary(BINARY[self.below(BINARY.len())], self.boxed(d), self.boxed(d)),
        };
        Expr { kind, span: Span::default() }
    }
}
