//! The reference semantics: operators and `none`, positions, labels, initial states, steps, traces.

use crate::postbox;

use crate::build::*;
use cladist::model::eval::{
    FaultCause, check_trace, eval_state, eval_step, eval_trace, first_violation, is_initial,
};
use cladist::model::expr::*;
use cladist::model::types::Type;
use cladist::model::value::{Moment, Value};
use cladist::model::{Model, PathStep, Position, UpdateValue};
use postbox::*;
use std::sync::Arc;

fn binary(op: Op, a: Value, b: Value) -> Value {
    let ty = Type::Bool;
    let e =
        expr(ExprKind::Binary(op, Box::new(constant(a, ty.clone())), Box::new(constant(b, ty.clone()))), ty);
    eval_state(&postbox(), &e, &walk()[1])
}

#[test]
fn binary_operators() {
    use Op::*;
    use Value::{Bool, Int, None};
    let set = |members: &[i64]| Value::Set(members.iter().map(|n| Int(*n)).collect());
    let cases = [
        (And, Bool(true), Bool(true), Bool(true)),
        (And, Bool(true), Bool(false), Bool(false)),
        (Or, Bool(false), Bool(true), Bool(true)),
        (Or, Bool(false), Bool(false), Bool(false)),
        (Eq, Int(3), Int(3), Bool(true)),
        (Eq, None, None, Bool(true)),
        (Eq, None, Int(0), Bool(false)),
        (Lt, Int(-1), Int(0), Bool(true)),
        (Lt, agent_value(0), agent_value(2), Bool(true)),
        (Lt, agent_value(2), agent_value(0), Bool(false)),
        (Lt, None, Int(0), Bool(false)),
        (Lt, Int(0), None, Bool(false)),
        (Le, Int(2), Int(2), Bool(true)),
        (Le, None, None, Bool(false)),
        (In, Int(1), set(&[1, 2]), Bool(true)),
        (In, Int(3), set(&[1, 2]), Bool(false)),
        (In, None, set(&[1]), Bool(false)),
        (In, Int(1), None, Bool(false)),
        (Subset, set(&[1]), set(&[1, 2]), Bool(true)),
        (Subset, set(&[3]), set(&[1, 2]), Bool(false)),
        (Subset, None, set(&[1, 2]), Bool(false)),
        (Otherwise, None, Int(4), Int(4)),
        (Otherwise, Int(3), Int(4), Int(3)),
        (Otherwise, None, None, None),
        (Union, set(&[1]), set(&[2]), set(&[1, 2])),
        (Intersect, set(&[1, 2]), set(&[2, 3]), set(&[2])),
        (Minus, set(&[1, 2]), set(&[2, 3]), set(&[1])),
        (Union, None, set(&[2]), None),
        (Add, Int(2), Int(-5), Int(-3)),
        (Add, None, Int(1), None),
        (Sub, Int(2), Int(5), Int(-3)),
        (Mul, Int(-2), Int(5), Int(-10)),
        (Mul, Int(i64::MAX), Int(2), Int(i64::MAX)),
        (Div, Int(-7), Int(2), Int(-4)),
        (Div, Int(7), Int(2), Int(3)),
        (Mod, Int(-7), Int(2), Int(1)),
        (Mod, Int(7), Int(4), Int(3)),
        (Div, None, Int(2), None),
        (Mod, Int(1), None, None),
    ];
    for (op, a, b, expected) in cases {
        assert_eq!(binary(op, a.clone(), b.clone()), expected, "{a:?} {op:?} {b:?}");
    }
}

/// Expressions over the postbox in its initial state (nothing in the net) and after `send(Alice, Bob)`.
#[test]
fn expressions_over_states() {
    let m = postbox();
    let agent = Type::Enum(AGENT);
    let (net, phase_var, knows) = (var(&m, "net"), var(&m, "phase"), var(&m, "knows"));
    let (k, other) = (LocalId(0), LocalId(1));
    let alice = constant(agent_value(0), agent.clone());
    let sender = field(&m.types, net.clone(), 0);
    let with = expr(
        ExprKind::With(Box::new(net.clone()), vec![(1, constant(agent_value(2), agent.clone()))]),
        net.ty.clone(),
    );
    let everyone = constant(agents(&[0, 1, 2]), Type::Set(Arc::new(agent.clone())));
    let busy = |who: Expr| eq(index(phase_var.clone(), who), constant(phase(1), Type::Enum(PHASE)));
    let quant = |quantifier| {
        let (set, body) = (Box::new(everyone.clone()), Box::new(busy(local(k, agent.clone()))));
        expr(ExprKind::Quant { quantifier, local: k, set, body }, Type::Bool)
    };
    let filter = expr(
        ExprKind::Filter {
            local: k,
            set: Box::new(everyone.clone()),
            cond: Box::new(busy(local(k, agent.clone()))),
        },
        everyone.ty.clone(),
    );
    let size = |set: Expr| expr(ExprKind::Size(Box::new(set)), int(0, 3));
    let map_of = expr(
        ExprKind::MapOf { local: k, body: Box::new(compare(Op::In, local(k, agent.clone()), knows.clone())) },
        Type::Map(Arc::new(agent.clone()), Arc::new(Type::Bool)),
    );
    // let other = net.sender in (let other = Eve in other) — the inner name hides the outer one.
    let hiding = expr(
        ExprKind::Let {
            bindings: vec![(other, sender.clone())],
            body: Box::new(expr(
                ExprKind::Let {
                    bindings: vec![(other, constant(agent_value(2), agent.clone()))],
                    body: Box::new(local(other, agent.clone())),
                },
                agent.clone(),
            )),
        },
        agent.clone(),
    );
    let negative = |e: Expr| expr(ExprKind::Neg(Box::new(e)), int(-9, 9).optional());
    let in_map =
        |m: [bool; 3]| Value::Map((0..3).map(|i| (agent_value(i), Value::Bool(m[i as usize]))).collect());
    let b = Value::Bool;
    let cases = [
        (sender.clone(), Value::None, agent_value(0)),
        (is_some(net.clone()), b(false), b(true)),
        (is_some(field(&m.types, net.clone(), 2)), b(false), b(false)),
        (with, Value::None, message(0, 2)),
        (index(phase_var.clone(), alice.clone()), phase(0), phase(1)),
        (index(phase_var.clone(), sender.clone()), Value::None, phase(1)),
        (eq(sender.clone(), alice.clone()), b(false), b(true)),
        (not(eq(sender.clone(), alice.clone())), b(true), b(false)),
        (compare(Op::Lt, sender.clone(), constant(agent_value(2), agent.clone())), b(false), b(true)),
        (set_literal(vec![sender.clone(), alice.clone()], agent.clone()), agents(&[0]), agents(&[0])),
        (quant(Quantifier::Forall), b(false), b(false)),
        (quant(Quantifier::Exists), b(false), b(true)),
        (filter.clone(), agents(&[]), agents(&[0])),
        (size(filter), Value::Int(0), Value::Int(1)),
        (map_of, in_map([false, false, true]), in_map([false, false, true])),
        (hiding, agent_value(2), agent_value(2)),
        (if_then_else(is_some(net.clone()), number(1), number(2)), Value::Int(2), Value::Int(1)),
        (negative(number(3)), Value::Int(-3), Value::Int(-3)),
        (negative(none(int(0, 1))), Value::None, Value::None),
        (expr(ExprKind::ActionLabel, Type::Enum(m.action_enum)), Value::None, Value::Enum(m.action_enum, 0)),
        (expr(ExprKind::LabelArg { action: 0, param: 1 }, agent.clone()), Value::None, agent_value(1)),
    ];
    let walk = walk();
    for (e, first, second) in cases {
        assert_eq!(eval_state(&m, &e, &walk[0]), first, "state 0: {e:?}");
        assert_eq!(eval_state(&m, &e, &walk[1]), second, "state 1: {e:?}");
    }
    let arg = expr(ExprKind::LabelArg { action: 0, param: 1 }, agent);
    assert_eq!(eval_state(&m, &arg, &walk[2]), Value::None, "another action was taken");
}

/// Sums, least and greatest values over all agents, of whom none is busy in the initial state and Alice in the second.
#[test]
fn folds_over_states() {
    let m = postbox();
    let agent = Type::Enum(AGENT);
    let (phase_var, who) = (var(&m, "phase"), local(LocalId(0), Type::Enum(AGENT)));
    let fold = |fold, some: Expr, other: Expr| {
        let ty = some.ty.clone().optional();
        let busy = eq(index(phase_var.clone(), who.clone()), constant(phase(1), Type::Enum(PHASE)));
        let body = Box::new(if_then_else(busy, some, other));
        let set = Box::new(constant(agents(&[0, 1, 2]), Type::Set(Arc::new(agent.clone()))));
        expr(ExprKind::Fold { fold, local: LocalId(0), set, body }, ty)
    };
    let none_of = || none(agent.clone());
    let cases = [
        (fold(Fold::Sum, number(5), number(-2)), Value::Int(-6), Value::Int(1)),
        (fold(Fold::Sum, none(int(0, 1)), number(1)), Value::Int(3), Value::None),
        (fold(Fold::Sum, number(i64::MAX), number(1)), Value::Int(3), Value::Int(i64::MAX)),
        (fold(Fold::Least, who.clone(), none_of()), Value::None, agent_value(0)),
        (fold(Fold::Greatest, none_of(), who.clone()), agent_value(2), agent_value(2)),
        (fold(Fold::Least, none_of(), who.clone()), agent_value(0), agent_value(1)),
        (fold(Fold::Greatest, number(3), number(7)), Value::Int(7), Value::Int(7)),
    ];
    let walk = walk();
    for (e, first, second) in cases {
        assert_eq!(eval_state(&m, &e, &walk[0]), first, "state 0: {e:?}");
        assert_eq!(eval_state(&m, &e, &walk[1]), second, "state 1: {e:?}");
    }
}

#[test]
fn expressions_over_steps_and_traces() {
    let m = postbox();
    let walk = walk();
    let grows = compare(Op::Subset, var(&m, "knows"), next(&m, "knows"));
    assert_eq!(eval_step(&m, &grows, &walk[1], &walk[2].state, &[]), Value::Bool(true));
    assert_eq!(eval_step(&m, &grows, &walk[2], &walk[1].state, &[]), Value::Bool(false));
    let param = eq(local(LocalId(1), Type::Enum(AGENT)), constant(agent_value(2), Type::Enum(AGENT)));
    let bound = [(LocalId(1), agent_value(2))];
    assert_eq!(eval_step(&m, &param, &walk[0], &walk[1].state, &bound), Value::Bool(true));

    // t2 = t1 + 1 and knows@t1 != knows@t2
    let [t1, t2] = [LocalId(0), LocalId(1)];
    let [p1, p2] = [t1, t2].map(|t| local(t, Type::Pos));
    let successor = expr(ExprKind::Binary(Op::Add, Box::new(p1.clone()), Box::new(number(1))), Type::Pos);
    let pred = and(eq(p2, successor), not(eq(at(var(&m, "knows"), t1), at(var(&m, "knows"), t2))));
    let mut found = Vec::new();
    for i in 0..walk.len() as i64 {
        for j in 0..walk.len() as i64 {
            let bound = [(t1, Value::Int(i)), (t2, Value::Int(j))];
            if eval_trace(&m, &pred, &walk, &bound).is_true() {
                found.push((i, j));
            }
        }
    }
    assert_eq!(found, [(1, 2)]);
    let outside = eval_trace(&m, &at(var(&m, "count"), t1), &walk, &[(t1, Value::Int(9))]);
    assert_eq!(outside, Value::None);
}

#[test]
fn initial_states() {
    let m = postbox();
    assert!(is_initial(&m, &start()));
    for other in [
        state(message(0, 1), phases([0, 0, 0]), agents(&[2]), 0),
        state(Value::None, phases([0, 0, 1]), agents(&[2]), 0),
        state(Value::None, phases([0, 0, 0]), agents(&[]), 0),
        state(Value::None, phases([0, 0, 0]), agents(&[2]), 1),
    ] {
        assert!(!is_initial(&m, &other), "{other:?}");
    }
}

/// Each case changes a correct trace and names the fault that comes of it.
#[test]
fn faults_of_traces() {
    type Change = fn(&mut Model, &mut Vec<Moment>);
    let cases: [(&str, Change); 18] = [
        ("", |_, _| {}),
        ("a trace needs at least one state", |_, t| t.clear()),
        ("state 0 is not an initial state: it has a label, although no step leads to it", |_, t| {
            t[0].label = Some(label(2, vec![]));
        }),
        ("state 0 is not an initial state: init formula 4 does not hold", |_, t| {
            t[0].state.0[3] = Value::Int(1);
        }),
        ("state 0 is not an initial state: the value of `count` is not in 0..2", |_, t| {
            t[0].state.0[3] = Value::Int(7);
        }),
        ("state 0 is not an initial state: the state has 3 values, but the model has 4 variables", |_, t| {
            t[0].state.0.pop();
        }),
        ("step 2 is impossible: it has no label", |_, t| t[2].label = None),
        ("step 2 is impossible: the model has no action with index 9", |_, t| {
            t[2].label = Some(label(9, vec![]));
        }),
        ("step 1 is impossible: action `send` takes 2 arguments, 0 given", |_, t| {
            t[1].label = Some(label(0, vec![]));
        }),
        ("step 1 is impossible: the argument `b` of action `send` is not in Agent", |_, t| {
            t[1].label = Some(label(0, vec![agent_value(0), Value::None]));
        }),
        ("step 1 is impossible: requirement 1 of action `send` does not hold", |_, t| {
            t[1].label = Some(label(0, vec![agent_value(0), agent_value(0)]));
        }),
        (
            "step 1 is impossible: action `send` sets `phase[Alice]` to Busy, but the trace does not",
            |_, t| t[1].state.0[1] = phases([0, 0, 0]),
        ),
        ("step 1 is impossible: `phase[Eve]` changes, but the action does not assign it", |_, t| {
            t[1].state.0[1] = phases([1, 0, 1])
        }),
        ("step 2 is impossible: state assumption 1 does not hold", |_, t| {
            // Bob as the sender, so that Bob is learnt by step 4, which ticks in vain before.
            t[1].label = Some(label(0, vec![agent_value(0), agent_value(1)]));
            t[2].state.0[2] = agents(&[0, 1, 2]);
            t[1].state.0[2] = agents(&[1, 2]);
            t[0].state.0[2] = agents(&[1, 2]);
        }),
        ("step 4 is impossible: constraint 1 of action `flip` does not hold", |_, t| {
            t[4].state.0[0] = message(0, 1);
        }),
        (
            "step 4 is impossible: action `flip` sets `count` to a member of {0, 5}, but the trace does not",
            |_, t| t[4].state.0[3] = Value::Int(1),
        ),
        (
            "step 3 is impossible: action `tick` assigns 3 to a place in `count`, which is not in 0..2",
            |m, _| {
                let three = arithmetic(Op::Add, var(m, "count"), number(3));
                m.actions[2].updates[0].value = UpdateValue::Is(three);
            },
        ),
        ("step 1 is impossible: action `send` assigns an entry of `phase` that does not exist", |m, _| {
            m.actions[0].updates[1].path = vec![PathStep::Index(none(Type::Enum(AGENT)))];
        }),
    ];
    for (expected, change) in cases {
        let (mut model, mut trace) = (postbox(), walk());
        change(&mut model, &mut trace);
        // The one case that needs it: anybody may be known at the start.
        if expected.contains("state assumption") {
            model.init.remove(2);
        }
        let message = check_trace(&model, &trace).err().map_or(String::new(), |f| f.message(&model));
        assert_eq!(message, expected);
    }
}

#[test]
fn a_broken_step_assumption_is_named() {
    let mut m = postbox();
    // Makes send set the count back.
    let zero = UpdateValue::Is(number(0));
    m.actions[0].updates.push(update(3, vec![], int(0, 2), zero));
    let one = state(Value::None, phases([0, 0, 0]), agents(&[2]), 1);
    let sent = state(message(0, 1), phases([1, 0, 0]), agents(&[2]), 0);
    let trace = [
        Moment { label: None, state: start() },
        Moment { label: Some(label(2, vec![])), state: one },
        Moment { label: Some(label(0, vec![agent_value(0), agent_value(1)])), state: sent },
    ];
    let fault = check_trace(&m, &trace).unwrap_err();
    assert_eq!((fault.position, &fault.cause), (Position::new(2), &FaultCause::Assumption(1)));
    assert_eq!(fault.message(&m), "step 2 is impossible: step assumption 2 does not hold");
    assert!(fault.diagnostic(&m).span.is_some());
}

#[test]
fn places_assigned_twice_have_to_agree() {
    let mut m = postbox();
    let eve = constant(agent_value(2), Type::Enum(AGENT));
    let idle = constant(phase(0), Type::Enum(PHASE));
    let eve_idle = update(1, vec![PathStep::Index(eve)], Type::Enum(PHASE), UpdateValue::Is(idle));
    m.actions[0].updates.push(eve_idle);
    check_trace(&m, &walk()).unwrap();
    // Alice is not Eve, so nothing was wrong; Eve herself cannot send now.
    let by_eve = [
        Moment { label: None, state: start() },
        Moment {
            label: Some(label(0, vec![agent_value(2), agent_value(1)])),
            state: state(message(2, 1), phases([0, 0, 1]), agents(&[2]), 0),
        },
    ];
    let fault = check_trace(&m, &by_eve).unwrap_err();
    assert!(matches!(fault.cause, FaultCause::Assigned { action: 0, update: 2, .. }), "{fault:?}");
}

#[test]
fn a_guarded_assignment_does_nothing_where_its_guard_is_false() {
    let mut m = postbox();
    m.actions[2].updates[0].guard = Some(is_some(var(&m, "net")));
    let tick = |count| Moment {
        label: Some(label(2, vec![])),
        state: state(Value::None, phases([0, 0, 0]), agents(&[2]), count),
    };
    let first = Moment { label: None, state: start() };
    assert!(check_trace(&m, &[first.clone(), tick(0)]).is_ok());
    assert!(check_trace(&m, &[first, tick(1)]).is_err());
}

#[test]
fn the_first_violation() {
    let m = postbox();
    let invariant = m.properties[0].invariant().unwrap();
    assert_eq!(first_violation(&m, invariant, &walk()), Some(Position::new(2)));
    assert_eq!(first_violation(&m, invariant, &walk()[..2]), None);
}
