//! Random trees, driven by a string of bytes, so that proptest can shrink them.

use kit::diagnostics::Span;
use lang::syntax::ast::{
    Aggregate, AstActionSteps, AstConstructor, AstExpr, AstExprKind, AstParam, AstPathStep, AstPattern,
    AstPatternKind, AstTest, AstTypeKind, BinaryOp, CollectionKind, ExampleBlock, File, FileKind, Header,
    Ident, Item, ItemKind, MatchArm, Quantifier, Requirement, RequirementKind, Stmt, StmtKind, Target,
    TemporalOp, TypeExpr, VocabItem, VocabItemKind, VocabTerm, WrittenTraces,
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
            14 => ItemKind::Environment(self.list(1, |g| AstActionSteps {
                action: g.qualified_name(),
                with: g.list(0, |g| (g.name(), g.expr(2))),
            })),
            18 => ItemKind::Example(self.example()),
            15 => ItemKind::Pred { name, params: self.params(), body: self.expr(5) },
            _ => ItemKind::Vocabulary { name, terms: self.list(1, Self::term) },
        }
    }

    fn example(&mut self) -> ExampleBlock {
        let steps = |g: &mut Self| AstActionSteps {
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

    fn params(&mut self) -> Vec<AstParam> {
        self.list(0, |g| AstParam { name: g.name(), ty: g.ty(2) })
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
            0 => AstTypeKind::Bool,
            1 => AstTypeKind::Name(self.name().name),
            2 => AstTypeKind::Range(Box::new(self.expr(depth)), Box::new(self.expr(depth))),
            3 => AstTypeKind::Enum(self.list(1, Self::name)),
            4 => AstTypeKind::Set(Box::new(self.ty(depth - 1))),
            5 => AstTypeKind::Option(Box::new(self.ty(depth - 1))),
            6 => AstTypeKind::Record(self.list(1, |g| (g.name(), g.ty(depth - 1)))),
            8 => AstTypeKind::Collection {
                kind: [CollectionKind::Sequence, CollectionKind::Bag, CollectionKind::Set][self.below(3)],
                // A plain set at the end of the element type would take the `max`.
                element: Box::new(self.ty(0)),
                most: Box::new(AstExpr { kind: AstExprKind::Name(self.name().name), span: Span::default() }),
            },
            7 => AstTypeKind::Variant(self.list(1, |g| AstConstructor {
                name: g.name(),
                fields: g.list(0, |g| (g.name(), g.ty(depth - 1))),
            })),
            _ => AstTypeKind::Map(Box::new(self.ty(depth - 1)), Box::new(self.ty(depth - 1))),
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

    fn arm<B>(&mut self, body: impl FnOnce(&mut Self) -> B) -> MatchArm<B> {
        MatchArm { patterns: self.list(1, Self::pattern), body: body(self) }
    }

    fn pattern(&mut self) -> AstPattern {
        let constant = |kind| AstPatternKind::Value(AstExpr { kind, span: Span::default() });
        let kind = match self.below(6) {
            0 => AstPatternKind::Else,
            4 => AstPatternKind::Some(self.name()),
            1 => constant(AstExprKind::None),
            2 => constant(AstExprKind::Int(3)),
            _ => {
                let mut name = self.name();
                if name.name == "_" {
                    // Followed by `=>`, it is said to be `else`.
                    name.name = "a".to_string();
                }
                AstPatternKind::Name(name, self.list(0, |g| (g.name(), g.name())))
            }
        };
        AstPattern { kind, span: Span::default() }
    }

    fn target(&mut self) -> Target {
        let path = self.list(0, |g| match g.below(2) {
            0 => AstPathStep::Index(g.expr(2)),
            _ => AstPathStep::Field(g.name()),
        });
        Target { name: self.qualified_name(), path, span: Span::default() }
    }

    fn boxed(&mut self, depth: usize) -> Box<AstExpr> {
        Box::new(self.expr(depth))
    }

    fn domain(&mut self, depth: usize) -> Box<AstExpr> {
        if self.below(6) == 5 {
            return Box::new(AstExpr { kind: AstExprKind::Name("bool".to_string()), span: Span::default() });
        }
        self.boxed(depth)
    }

    fn fields(&mut self, depth: usize) -> Vec<(Ident, AstExpr)> {
        self.list(1, |g| (g.name(), g.expr(depth)))
    }

    pub fn expr(&mut self, depth: usize) -> AstExpr {
        let choices = if depth == 0 { 6 } else { 45 };
        let d = depth.saturating_sub(1);
        let kind = match self.below(choices) {
            0 => AstExprKind::Name(self.name().name),
            1 => AstExprKind::Bool(self.below(2) == 0),
            2 => AstExprKind::Int([0, 7, i64::MAX][self.below(3)]),
            3 => AstExprKind::None,
            4 => AstExprKind::Primed(self.qualified_name()),
            5 => AstExprKind::Name(["action", "A", "E", "U"][self.below(4)].to_string()),
            6 => AstExprKind::Some(self.boxed(d)),
            7 => AstExprKind::Field(self.boxed(d), self.name()),
            8 => AstExprKind::Index(self.boxed(d), self.boxed(d)),
            9 => AstExprKind::At(self.boxed(d), self.boxed(d)),
            10 => {
                let mut path = vec![self.name()];
                if self.below(2) == 0 {
                    path.push(self.name());
                }
                AstExprKind::Call { path, args: self.list(0, |g| g.expr(d)) }
            }
            11 => AstExprKind::Record { name: self.name(), fields: self.fields(d) },
            12 => AstExprKind::With(self.boxed(d), self.fields(d)),
            13 => AstExprKind::Set(self.list(0, |g| g.expr(d))),
            14 => AstExprKind::Filter { var: self.name(), domain: self.domain(d), cond: self.boxed(d) },
            15 => AstExprKind::Map { var: self.name(), domain: self.domain(d), body: self.boxed(d) },
            16 => AstExprKind::Range(self.boxed(d), self.boxed(d)),
            17 => AstExprKind::Size(self.boxed(d)),
            18 => AstExprKind::Not(self.boxed(d)),
            19 => AstExprKind::Neg(self.boxed(d)),
            20 => AstExprKind::Is {
                expr: self.boxed(d),
                test: match self.below(3) {
                    0 => AstTest::Some,
                    1 => AstTest::None,
                    _ => AstTest::Constructor(self.name()),
                },
            },
            31 => AstExprKind::List(self.list(0, |g| g.expr(d))),
            32 | 33 => {
                AstExprKind::Match { value: self.boxed(d), arms: self.list(0, |g| g.arm(|g| g.expr(d))) }
            }
            21 | 22 => AstExprKind::If(self.boxed(d), self.boxed(d), self.boxed(d)),
            23 | 24 => AstExprKind::Quant {
                quantifier: if self.below(2) == 0 { Quantifier::Forall } else { Quantifier::Exists },
                vars: self.list(1, Self::name),
                domain: self.domain(d),
                body: self.boxed(d),
            },
            25 => {
                use TemporalOp::{AllUntil, ExistsUntil, Release, Until, WeakUntil};
                let op = [Until, WeakUntil, Release, AllUntil, ExistsUntil][self.below(5)];
                AstExprKind::Temporal(op, vec![self.expr(d), self.expr(d)])
            }
            26 if !self.temporal && self.below(4) == 0 => AstExprKind::Temporal(
                TemporalOp::ExistsAlways,
                vec![self.expr(d), self.expr(d), self.expr(d)],
            ),
            26 => {
                let op = if self.temporal { TemporalOp::Next } else { TEMPORAL[self.below(TEMPORAL.len())] };
                AstExprKind::Temporal(op, vec![self.expr(d)])
            }
            27 | 28 => AstExprKind::Let { bindings: self.fields(d), body: self.boxed(d) },
            29 | 30 => AstExprKind::Aggregate {
                aggregate: Aggregate::ALL[self.below(4)],
                vars: self.list(1, Self::name),
                domain: self.domain(d),
                body: self.boxed(d),
            },
            34 | 35 => {
                let after = (self.below(2) == 0).then(|| self.boxed(d));
                AstExprKind::Never { value: self.boxed(d), after, before: self.boxed(d) }
            }
            _ => AstExprKind::Binary(BINARY[self.below(BINARY.len())], self.boxed(d), self.boxed(d)),
        };
        AstExpr { kind, span: Span::default() }
    }
}
