//! A small model with a value of every kind of type, built by hand.
#![allow(dead_code)]

use super::build::*;
use cladist::diagnostics::Span;
use cladist::model::expr::*;
use cladist::model::types::*;
use cladist::model::value::*;
use cladist::model::*;
use std::collections::BTreeSet;
use std::sync::Arc;

pub const AGENT: EnumId = EnumId(1);
pub const PHASE: EnumId = EnumId(2);
pub const MESSAGE: RecordId = RecordId(0);

/// ```text
/// var net: option Message;  var phase: map Agent to Phase;  var knows: set of Agent;  var count: 0..2;
/// init { net = none; forall a in Agent: phase[a] = Idle; knows = { Eve }; count = 0; }
/// action send(a, b: Agent) {
///   require phase[a] = Idle and a != b;
///   net' = Message(sender: a, receiver: b, urgent: none);  phase'[a] = Busy;
/// }
/// action learn { require net is some; knows' = knows union { net.sender otherwise Eve }; }
/// action tick { count' = count + 1; }
/// action flip modifies net { constrain net'.sender = net.receiver; count' in { 0, 5 }; }
/// assume not (Alice in knows and Bob in knows);
/// assume count' >= count or phase' = phase;
/// invariant secret: not (Alice in knows);
/// ```
#[expect(clippy::too_many_lines, reason = "one model from top to bottom")]
pub fn postbox() -> Model {
    let agent = Type::Enum(AGENT);
    let mut types = Types::default();
    types.enums.push(enumeration("Action", &["send", "learn", "tick", "flip"]));
    types.enums.push(enumeration("Agent", &["Alice", "Bob", "Eve"]));
    types.enums.push(enumeration("Phase", &["Idle", "Busy"]));
    types.records.push(RecordDecl {
        name: "Message".into(),
        fields: vec![
            ("sender".into(), agent.clone()),
            ("receiver".into(), agent.clone()),
            ("urgent".into(), Type::Bool.optional()),
        ],
        constructors: Vec::new(),
        collection: None,
        span: Span::default(),
    });
    let mut m = empty_model("postbox", types, EnumId(0));
    m.variables = vec![
        variable("net", Type::Record(MESSAGE).optional()),
        variable("phase", Type::Map(Arc::new(agent.clone()), Arc::new(Type::Enum(PHASE)))),
        variable("knows", Type::Set(Arc::new(agent.clone()))),
        variable("count", int(0, 2)),
    ];
    m.locals = 3;
    let [k, a, b] = [0, 1, 2].map(|i| local(LocalId(i), agent.clone()));
    let everyone = constant(agents(&[0, 1, 2]), Type::Set(Arc::new(agent.clone())));
    let all_idle = ExprKind::Quant {
        quantifier: Quantifier::Forall,
        local: LocalId(0),
        set: Box::new(everyone),
        body: Box::new(eq(index(var(&m, "phase"), k), constant(phase(0), Type::Enum(PHASE)))),
    };
    m.init = vec![
        eq(var(&m, "net"), none(Type::Record(MESSAGE))),
        expr(all_idle, Type::Bool),
        eq(var(&m, "knows"), constant(agents(&[2]), Type::Set(Arc::new(agent.clone())))),
        eq(var(&m, "count"), number(0)),
    ];
    let mut send = action("send");
    send.params = vec![
        Local { name: "a".into(), local: LocalId(1), ty: agent.clone() },
        Local { name: "b".into(), local: LocalId(2), ty: agent.clone() },
    ];
    let idle = constant(phase(0), Type::Enum(PHASE));
    send.requires = vec![and(eq(index(var(&m, "phase"), a.clone()), idle), not(eq(a.clone(), b.clone())))];
    let message = expr(ExprKind::Record(vec![a.clone(), b, none(Type::Bool)]), Type::Record(MESSAGE));
    let busy = constant(phase(1), Type::Enum(PHASE));
    send.updates = vec![
        update(0, vec![], m.variables[0].ty.clone(), UpdateValue::Is(message)),
        update(1, vec![PathStep::Index(a)], Type::Enum(PHASE), UpdateValue::Is(busy)),
    ];
    let mut learn = action("learn");
    learn.requires = vec![is_some(var(&m, "net"))];
    let sender = field(&m.types, var(&m, "net"), 0);
    let learnt = set_literal(vec![otherwise(sender, constant(agent_value(2), agent.clone()))], agent);
    let union = set_operator(Op::Union, var(&m, "knows"), learnt);
    learn.updates = vec![update(2, vec![], m.variables[2].ty.clone(), UpdateValue::Is(union))];
    let mut tick = action("tick");
    let more = arithmetic(Op::Add, var(&m, "count"), number(1));
    tick.updates = vec![update(3, vec![], int(0, 2), UpdateValue::Is(more))];
    let mut flip = action("flip");
    flip.modifies = vec![VarId(0)];
    flip.constraints = vec![eq(field(&m.types, next(&m, "net"), 0), field(&m.types, var(&m, "net"), 1))];
    let values = set_literal(vec![number(0), number(5)], int(0, 5));
    flip.updates = vec![update(3, vec![], int(0, 2), UpdateValue::In(values))];
    m.actions = vec![send, learn, tick, flip];

    let knows =
        |m: &Model, who: u32| compare(Op::In, constant(agent_value(who), Type::Enum(AGENT)), var(m, "knows"));
    let forward = compare(Op::Le, var(&m, "count"), next(&m, "count"));
    let same = eq(next(&m, "phase"), var(&m, "phase"));
    m.assumptions = vec![
        Assumption { expr: not(and(knows(&m, 0), knows(&m, 1))), step: false, span: Span::default() },
        Assumption { expr: or(forward, same), step: true, span: Span::default() },
    ];
    m.properties = vec![Property {
        name: "secret".into(),
        doc: None,
        kind: PropertyKind::Invariant(not(knows(&m, 0))),
        span: Span::default(),
        formula: Span::default(),
    }];
    m.diagrams = vec![SequenceDiagram {
        alias: "msgs".into(),
        sent: is_some(var(&m, "net")),
        sender: field(&m.types, var(&m, "net"), 0),
        receiver: field(&m.types, var(&m, "net"), 1),
        content: field(&m.types, var(&m, "net"), 2),
        label: None,
        attacker: None,
    }];
    m
}

pub fn agent_value(i: u32) -> Value {
    Value::Enum(AGENT, i)
}

pub fn phase(i: u32) -> Value {
    Value::Enum(PHASE, i)
}

pub fn agents(members: &[u32]) -> Value {
    Value::Set(members.iter().map(|i| agent_value(*i)).collect::<BTreeSet<_>>())
}

pub fn message(sender: u32, receiver: u32) -> Value {
    Value::Record(MESSAGE, vec![agent_value(sender), agent_value(receiver), Value::None])
}

pub fn phases(values: [u32; 3]) -> Value {
    Value::Map((0..3).map(|i| (agent_value(i), phase(values[i as usize]))).collect())
}

pub fn state(net: Value, phase: Value, knows: Value, count: i64) -> State {
    State(vec![net, phase, knows, Value::Int(count)])
}

pub fn start() -> State {
    state(Value::None, phases([0, 0, 0]), agents(&[2]), 0)
}

pub fn label(action: usize, args: Vec<Value>) -> Label {
    Label { action, args }
}

/// `send(a=Alice,b=Bob)`, `learn`, `tick`, `flip`.
pub fn walk() -> Vec<Moment> {
    let sent = state(message(0, 1), phases([1, 0, 0]), agents(&[2]), 0);
    let learnt = state(message(0, 1), phases([1, 0, 0]), agents(&[0, 2]), 0);
    let ticked = state(message(0, 1), phases([1, 0, 0]), agents(&[0, 2]), 1);
    let flipped = state(message(1, 2), phases([1, 0, 0]), agents(&[0, 2]), 0);
    vec![
        Moment { label: None, state: start() },
        Moment { label: Some(label(0, vec![agent_value(0), agent_value(1)])), state: sent },
        Moment { label: Some(label(1, vec![])), state: learnt },
        Moment { label: Some(label(2, vec![])), state: ticked },
        Moment { label: Some(label(3, vec![])), state: flipped },
    ]
}
