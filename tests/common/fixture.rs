//! A small model and results about it, made by hand: what the tests of the exporters print.
// Each crate that shares this file uses a part of it.
#![allow(dead_code)]

use cladist::budget::Exhausted;
use cladist::classify::{
    Assignment, Atom, AtomOrigin, Atoms, Class, Classification, ComparisonOperand, Confirmed, Constraint,
    Count, CountMethod, Fact, FactKind, OrderRelation, Passed, PositionVar, Problem, Proof, ProofBasis,
    Seconds, Statistics, Tally, TooWeak, TraceNumbers, Unbounded, Verdict, Why,
};
use cladist::diagnostics::{SourceId, SourceMap, Span};
use cladist::model::expr::{Expr, ExprKind, LocalId, VarId};
use cladist::model::types::{EnumDecl, EnumId, Type, Types};
use cladist::model::value::{Label, Moment, State, Value};
use cladist::model::{
    Action, Constant, IntegerEncoding, Local, Model, Position, Predicate, PredicateId, Property,
    PropertyKind, Variable, Vocabulary,
};
use cladist::report::ClassifyRequest;
use cladist::trace::Trace;
use cladist::unroll::Lengths;
use cladist::verify::document::{StoredMissing, StoredProofs};
use kit::number::to_u32;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

const AGENT: EnumId = EnumId(0);

fn nowhere() -> Span {
    Span::default()
}

/// Two agents; `sender` is optional, `knows` a set, `busy` a map; `send(a)` and `idle`.
pub fn model() -> Model {
    let mut sources = SourceMap::new();
    let file = sources.add("toy.sts", "model toy;\ninvariant safe: not busy[Eve];\n");
    let library =
        sources.add("messages.pred", "library messages;\n\n/// …\npred replay(t1, t2: pos) = true;\n");
    let names = |names: &[&str]| names.iter().map(ToString::to_string).collect::<Vec<_>>();
    let agent = Type::Enum(AGENT);
    let enums = vec![
        EnumDecl { name: "Agent".into(), variants: names(&["Alice", "Eve"]), span: nowhere() },
        EnumDecl { name: "action".into(), variants: names(&["send", "idle"]), span: nowhere() },
    ];
    let types = Types { enums, ..Types::default() };
    let variable = |name: &str, ty: Type| Variable { name: name.into(), ty, doc: None, span: nowhere() };
    let action = |name: &str, params: Vec<Local>| Action {
        name: name.into(),
        doc: None,
        params,
        requires: Vec::new(),
        updates: Vec::new(),
        modifies: Vec::new(),
        constraints: Vec::new(),
        span: nowhere(),
    };
    let local = |name: &str, local: u32, ty: Type| Local { name: name.into(), local: LocalId(local), ty };
    Model {
        name: "toy".into(),
        doc: None,
        types,
        constants: vec![Constant {
            name: "N".into(),
            ty: Type::Int { lo: 0, hi: 9 },
            value: Value::Int(3),
            span: nowhere(),
        }],
        variables: vec![
            variable("sender", agent.clone().optional()),
            variable("knows", Type::Set(Arc::new(agent.clone()))),
            variable("busy", Type::Map(Arc::new(agent.clone()), Arc::new(Type::Bool))),
        ],
        init: Vec::new(),
        actions: vec![action("send", vec![local("a", 0, agent)]), action("idle", Vec::new())],
        action_enum: EnumId(1),
        assumptions: Vec::new(),
        properties: vec![Property {
            name: "safe".into(),
            doc: Some("Eve is never busy.".into()),
            kind: PropertyKind::Invariant(not_busy(Span::new(file, 27, 40))),
            span: Span::new(file, 11, 41),
            formula: Span::new(file, 27, 40),
        }],
        fairness: Vec::new(),
        action_fairness: Vec::new(),
        environment: None,
        fates: Vec::new(),
        predicates: vec![Predicate {
            name: "msgs.replay".into(),
            doc: Some("The attacker sends again\nwhat was sent before.".into()),
            params: vec![local("t1", 1, Type::Pos), local("t2", 2, Type::Pos)],
            body: Expr::bool(true, nowhere()),
            library: Some("messages".into()),
            added: None,
            span: Span::new(library, 29, 33),
        }],
        examples: Vec::new(),
        vocabularies: vec![Vocabulary {
            name: "generic".into(),
            doc: None,
            items: Vec::new(),
            span: nowhere(),
        }],
        diagrams: Vec::new(),
        definitions: Vec::new(),
        functions: Vec::new(),
        symmetric: Vec::new(),
        wishes: Vec::new(),
        integers: IntegerEncoding::Automatic,
        locals: 3,
        sources: Arc::new(sources),
        trees: Default::default(),
    }
}

/// `not busy[Eve]`
fn not_busy(span: Span) -> Expr {
    let agent = Type::Enum(AGENT);
    let busy = Type::Map(Arc::new(agent.clone()), Arc::new(Type::Bool));
    let busy = Expr { kind: ExprKind::Var(VarId(2)), ty: busy, span };
    let eve = Expr::constant(Value::Enum(AGENT, 1), agent, span);
    let entry = ExprKind::Index(Box::new(busy), Box::new(eve));
    Expr { kind: entry, ty: Type::Bool, span }.negated()
}

/// A value of `Agent`.
pub fn agent(model: &Model, name: &str) -> Value {
    let index = model.types.enums[0].variants.iter().position(|v| v == name).expect("an agent");
    Value::Enum(AGENT, to_u32(index))
}

fn fact(atoms: &Atoms, origin: AtomOrigin, positions: Vec<usize>) -> Fact {
    let params = positions.iter().map(|&p| LocalId(10 + to_u32(p))).collect();
    let span = Span::new(SourceId(0), 0, 5);
    let atom = atoms.add(Atom::new(origin, 0, params, Vec::new(), Expr::bool(true, span)));
    let positions = positions.into_iter().map(PositionVar::new).collect();
    Fact::about(FactKind::Atom(atom), positions)
}

/// `observable@position = value`.
pub fn equal(atoms: &Atoms, observable: &str, value: Value, position: usize) -> Fact {
    fact(
        atoms,
        AtomOrigin::Equal { observable: observable.into(), value: ComparisonOperand::Constant(value) },
        vec![position],
    )
}

/// `value in observable@position`.
pub fn member(atoms: &Atoms, observable: &str, value: Value, position: usize) -> Fact {
    fact(
        atoms,
        AtomOrigin::Member { observable: observable.into(), value: ComparisonOperand::Constant(value) },
        vec![position],
    )
}

/// `left@i = right@j`.
pub fn across(atoms: &Atoms, left: &str, right: &str) -> Fact {
    fact(atoms, AtomOrigin::Across { left: left.into(), right: right.into() }, vec![0, 1])
}

/// `msgs.replay(i, j)`.
pub fn replay(atoms: &Atoms) -> Fact {
    fact(
        atoms,
        AtomOrigin::Predicate { predicate: PredicateId(0), args: vec![Passed::Position, Passed::Position] },
        vec![0, 1],
    )
}

/// A moment from `sender`, `knows` and Eve's `busy`; `send` is `None`, `Some("")` for `idle`, else the
/// argument.
fn moment(step: Option<&str>, sender: Option<&str>, knows: &[&str], eve_busy: bool) -> Moment {
    let model = model();
    let label = step.map(|a| match a {
        "" => Label { action: 1, args: Vec::new() },
        a => Label { action: 0, args: vec![agent(&model, a)] },
    });
    let knows: BTreeSet<Value> = knows.iter().map(|a| agent(&model, a)).collect();
    let busy = BTreeMap::from([
        (agent(&model, "Alice"), Value::Bool(false)),
        (agent(&model, "Eve"), Value::Bool(eve_busy)),
    ]);
    let sender = sender.map_or(Value::None, |a| agent(&model, a));
    Moment { label, state: State(vec![sender, Value::Set(knows), Value::Map(busy)]) }
}

/// Three steps; Eve is busy at the end.
pub fn violating() -> Trace {
    Trace {
        moments: vec![
            moment(None, None, &[], false),
            moment(Some("Alice"), Some("Alice"), &["Alice"], false),
            moment(Some(""), Some("Alice"), &["Alice"], false),
            moment(Some("Eve"), Some("Eve"), &["Alice", "Eve"], true),
        ],
    }
}

/// Two steps without violation.
pub fn accepting() -> Trace {
    Trace {
        moments: vec![
            moment(None, None, &[], false),
            moment(Some("Alice"), Some("Alice"), &["Alice"], false),
            moment(Some("Eve"), Some("Eve"), &["Alice"], false),
        ],
    }
}

fn constraint(atoms: &Atoms) -> Constraint {
    let eve = agent(&model(), "Eve");
    let order = Fact::order(OrderRelation::Before, PositionVar::new(0), PositionVar::new(1));
    Constraint::ground(2, vec![replay(atoms), equal(atoms, "sender", eve, 1), order])
}

fn class(atoms: &Atoms, canonical: Option<Trace>) -> Class {
    let positions = [1, 3].map(Position::new).to_vec();
    let assigned = Assignment { positions, ..Assignment::default() };
    Class {
        needed: vec![accepting(); 3],
        canonical,
        initial_facts: 41,
        ..Class::of(constraint(atoms), violating(), assigned)
    }
}

/// A result with this verdict, and two classes where the verdict allows it.
pub fn classification(verdict: Verdict) -> Classification {
    let atoms = Atoms::default();
    let classes = match verdict {
        Verdict::Complete | Verdict::Partial(_) => {
            vec![class(&atoms, Some(violating())), class(&atoms, None)]
        }
        _ => {
            // A constraint of the verdict has the first atoms.
            constraint(&atoms);
            Vec::new()
        }
    };
    Classification {
        classes,
        atoms,
        minimum: true,
        checked_by: Some("varisat 0.2.2".into()),
        statistics: Statistics {
            counterexamples: 2,
            redundant: 0,
            solver_calls: 1234,
            seconds: Seconds { search: 0.25, minimise: 0.125, total: 0.5, ..Seconds::default() },
            peak_variables: 12345,
            peak_clauses: 67890,
            cpu_seconds: Some(0.51),
            peak_memory_kb: Some(20480),
        },
        ..Classification::new(verdict, Lengths::UpTo(10), "cadical 3.0.1".into())
    }
}

/// The same, proved for traces of every length, with numbers of traces.
pub fn proved(verdict: Verdict) -> Classification {
    let confirmed = Confirmed { by: "varisat 0.2.2".into(), solver_calls: 2, variables: 99, clauses: 999 };
    let proof = Proof {
        basis: ProofBasis::States { states: 1234, steps: 45_678, combinations: 2000 },
        bounds: vec![3, 10],
        confirmed,
    };
    let tally = |n: u64| Tally([(vec![0], n.into()), (vec![0, 1], 2u64.into())].into());
    let count = |steps, n| Count { steps, first: tally(n), violating: tally(3 * n) };
    Classification {
        unbounded: Some(Unbounded::Proved(proof)),
        counts: Some(Ok(TraceNumbers {
            orbits: false,
            method: CountMethod::List(10_000),
            counts: vec![count(3, 5), count(4, 1 << 60)],
        })),
        ..classification(verdict)
    }
}

/// All verdicts, with their names in JSON and their exit codes.
pub fn verdicts() -> Vec<(Verdict, &'static str, u8)> {
    let atoms = Atoms::default();
    let too_weak = TooWeak {
        counterexample: violating(),
        constraint: constraint(&atoms),
        atoms,
        accepting: accepting(),
        positions: [1, 2].map(Position::new).to_vec(),
        covered: None,
    };
    let undecided = |why| Verdict::Undecided { why, depth: 7 };
    vec![
        (Verdict::Holds, "holds", 0),
        (Verdict::Complete, "complete", 10),
        (Verdict::Partial(Why::Exhausted(Exhausted::Time)), "partial", 11),
        (Verdict::Partial(Why::Exhausted(Exhausted::Interrupt)), "partial", 11),
        (Verdict::Partial(Why::MaxClasses), "partial", 11),
        (Verdict::Partial(Why::StartWithOnly(Exhausted::Memory)), "partial", 11),
        (Verdict::TooWeak(Box::new(too_weak)), "too_weak", 12),
        (undecided(Exhausted::Time), "undecided", 5),
        (undecided(Exhausted::Memory), "undecided", 5),
        (undecided(Exhausted::Interrupt), "undecided", 130),
    ]
}

/// Fails unless the text is JSON that satisfies the schema.
pub fn assert_valid(schema: &str, text: &str) {
    let schema = serde_json::from_str(schema).expect("the schema is JSON");
    let validator = jsonschema::validator_for(&schema).expect("the schema is a schema");
    let instance = serde_json::from_str(text).expect("the document is JSON");
    let errors: Vec<String> =
        validator.iter_errors(&instance).map(|e| format!("{} at {}", e, e.instance_path())).collect();
    assert!(errors.is_empty(), "{errors:#?}\n{text}");
}

/// A request for a report on [`model`]'s first property, 80 columns wide, without colours.
pub fn request(model: &Model) -> ClassifyRequest<'_> {
    let property = &model.properties[0];
    let problem = Problem::of_property(model, property).expect("an invariant");
    let mut request = ClassifyRequest::plain(problem, property, &model.vocabularies[0], "toy.sts");
    request.asked.rerun = "cladist classify toy.sts -k 10";
    request
}

/// What a result says of proofs, one of which is missing.
pub fn proofs() -> StoredProofs {
    StoredProofs {
        folder: "proofs".into(),
        proved: 2,
        missing: vec![StoredMissing { claim: "it holds".into(), reason: "time limit reached".into() }],
        without: vec!["the other one holds: 3 states were visited".into()],
    }
}
