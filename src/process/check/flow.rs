//! Which variables matter where: those that do not are forgotten, so that states that differ in them are one.

use super::Checker;
use super::names::Scope;
use crate::process::program::{Act, CodeId, Expr, ExprKind, Offer, Op, Pattern, Slot};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::rc::Rc;

type Set = BTreeSet<Slot>;

/// What is known while a body is looked at.
struct Pass {
    /// What is needed after each loop around the place.
    after_loop: FxHashMap<CodeId, Set>,
    /// Variables that may be used before they have a value.
    unset: Set,
    /// Variables that code changes which can be interrupted, and that are needed after that.
    lost: BTreeSet<(Slot, CodeId)>,
}

impl Checker {
    /// Notes for all code of a body which variables it needs; a variable that may have no value where it is used is a
    /// mistake, as is one that two parallel branches share and one of them changes.
    pub(super) fn flow(&mut self, body: CodeId, scope: &Scope) {
        let mut pass = Pass { after_loop: FxHashMap::default(), unset: Set::new(), lost: BTreeSet::new() };
        self.live(body, &Set::new(), true, &mut pass);
        if !self.understood {
            return;
        }
        for slot in pass.unset {
            let (name, span) = &scope.declared[slot as usize];
            let message = format!("{} may be used before it has a value", name);
            self.mistake(*span, message, "assign to it first, on every way to where it is used");
        }
        for (slot, code) in pass.lost {
            let (name, _) = &scope.declared[slot as usize];
            let message = format!("{} is changed here, and needed after an interruption", name);
            let span = self.code[code as usize].span;
            self.mistake(
                span,
                message,
                "whether it was changed is not known then: assign to it after `by` first",
            );
        }
        self.shared(body, scope);
    }

    /// What a piece of code needs, if so much is needed after it. `last` is whether its process does nothing after it.
    fn live(&mut self, id: CodeId, after: &Set, last: bool, pass: &mut Pass) -> Set {
        let op = std::mem::replace(&mut self.code[id as usize].op, Op::Null);
        let (op, live) = self.live_of(id, op, after, last, pass);
        let code = &mut self.code[id as usize];
        code.op = op;
        code.live = live.iter().copied().collect();
        live
    }

    fn live_of(&mut self, id: CodeId, op: Op, after: &Set, last: bool, pass: &mut Pass) -> (Op, Set) {
        let mut live = Set::new();
        let op = match op {
            Op::Stop | Op::Raise(_) => op,
            Op::Null => {
                live.clone_from(after);
                op
            }
            Op::Act(act) => {
                live.clone_from(after);
                live.extend(act.condition.iter().flat_map(uses));
                bound_by(&act).iter().for_each(|slot| _ = live.remove(slot));
                for offer in &act.offers {
                    if let Offer::Send(value) = offer {
                        live.extend(uses(value));
                    }
                }
                Op::Act(Act { after: after.iter().copied().collect(), ..act })
            }
            Op::Call { process, gates, arguments, .. } => {
                live.extend(arguments.iter().flat_map(uses));
                if !last {
                    live.extend(after);
                }
                let after = (!last).then(|| after.iter().copied().collect::<Rc<[Slot]>>());
                Op::Call { process, gates, arguments, after }
            }
            Op::Assign(slot, value) => {
                live.clone_from(after);
                live.remove(&slot);
                live.extend(uses(&value));
                Op::Assign(slot, value)
            }
            Op::AssignAny(slot, of, condition) => {
                live.clone_from(after);
                live.extend(condition.iter().flat_map(uses));
                live.remove(&slot);
                Op::AssignAny(slot, of, condition)
            }
            Op::Sequence(first, second) => {
                let between = self.live(second, after, last, pass);
                live = self.live(first, &between, false, pass);
                op
            }
            Op::Var(slots, body) => {
                live = self.live(body, after, last, pass);
                for slot in &slots {
                    if live.remove(slot) {
                        pass.unset.insert(*slot);
                    }
                }
                Op::Var(slots, body)
            }
            Op::If { cases, otherwise } => {
                live = self.live(otherwise, after, last, pass);
                for (condition, body) in &cases {
                    live.extend(uses(condition));
                    live.extend(self.live(*body, after, last, pass));
                }
                Op::If { cases, otherwise }
            }
            Op::Case { values, arms } => {
                for arm in &arms {
                    let mut needed = self.live(arm.body, after, last, pass);
                    needed.extend(arm.condition.iter().flat_map(uses));
                    let mut bound = Vec::new();
                    arm.patterns.first().into_iter().flatten().for_each(|p| bound_in(p, &mut bound));
                    bound.iter().for_each(|slot| _ = needed.remove(slot));
                    live.extend(needed);
                }
                live.extend(values.iter().flat_map(uses));
                Op::Case { values, arms }
            }
            Op::Select(branches) => {
                for &branch in &branches {
                    live.extend(self.live(branch, after, last, pass));
                }
                Op::Select(branches)
            }
            Op::Par(mut branches) => {
                let mut kept = after.clone();
                for branch in &mut branches {
                    let writes = self.writes(branch.body);
                    writes.iter().for_each(|slot| _ = kept.remove(slot));
                    let own: Set = after.intersection(&writes).copied().collect();
                    live.extend(self.live(branch.body, &own, last, pass));
                    branch.writes = own.into_iter().collect();
                }
                live.extend(kept);
                Op::Par(branches)
            }
            Op::Loop(condition, body) => {
                pass.after_loop.insert(id, after.clone());
                let needed: Set = condition.iter().flat_map(uses).collect();
                live.clone_from(&needed);
                if condition.is_some() {
                    live.extend(after);
                }
                loop {
                    let before = live.clone();
                    live.extend(self.live(body, &before, false, pass));
                    if live == before {
                        break;
                    }
                }
                Op::Loop(condition, body)
            }
            Op::Break(left) => {
                live.extend(pass.after_loop.get(&left).into_iter().flatten());
                op
            }
            Op::Hide(_, body) => {
                live = self.live(body, after, last, pass);
                op
            }
            Op::Disrupt(first, second) => {
                let needed = self.live(second, after, last, pass);
                pass.lost.extend(self.writes(first).intersection(&needed).map(|&slot| (slot, first)));
                live = self.live(first, after, last, pass);
                live.extend(needed);
                op
            }
            Op::Return(value) => {
                live.extend(uses(&value));
                Op::Return(value)
            }
        };
        (op, live)
    }

    /// The variables to which code gives values.
    fn writes(&self, id: CodeId) -> Set {
        let mut found = Set::new();
        self.visit(id, &mut |op| match op {
            Op::Assign(slot, _) | Op::AssignAny(slot, ..) => _ = found.insert(*slot),
            Op::Act(act) => found.extend(bound_by(act)),
            Op::Case { arms, .. } => {
                let mut bound = Vec::new();
                arms.iter()
                    .flat_map(|arm| arm.patterns.iter().flatten())
                    .for_each(|p| bound_in(p, &mut bound));
                found.extend(bound);
            }
            _ => {}
        });
        found
    }

    /// The variables whose values code looks at.
    fn reads(&self, id: CodeId) -> Set {
        let mut found = Set::new();
        self.visit(id, &mut |op| {
            let mut add = |expr: &Expr| found.extend(uses(expr));
            match op {
                Op::Assign(_, value) | Op::Return(value) => add(value),
                Op::AssignAny(_, _, Some(condition)) | Op::Loop(Some(condition), _) => add(condition),
                Op::Call { arguments, .. } => arguments.iter().for_each(add),
                Op::If { cases, .. } => cases.iter().for_each(|(condition, _)| add(condition)),
                Op::Case { values, arms } => {
                    values.iter().for_each(&mut add);
                    arms.iter().filter_map(|arm| arm.condition.as_ref()).for_each(add);
                }
                Op::Act(act) => {
                    act.condition.iter().for_each(&mut add);
                    for offer in &act.offers {
                        if let Offer::Send(value) = offer {
                            add(value);
                        }
                    }
                }
                _ => {}
            }
        });
        found
    }

    /// Code and everything in it.
    fn visit(&self, id: CodeId, look: &mut dyn FnMut(&Op)) {
        let op = &self.code[id as usize].op;
        look(op);
        match op {
            Op::Sequence(a, b) | Op::Disrupt(a, b) => {
                self.visit(*a, look);
                self.visit(*b, look);
            }
            Op::Var(_, body) | Op::Loop(_, body) | Op::Hide(_, body) => self.visit(*body, look),
            Op::If { cases, otherwise } => {
                cases.iter().for_each(|(_, body)| self.visit(*body, look));
                self.visit(*otherwise, look);
            }
            Op::Case { arms, .. } => arms.iter().for_each(|arm| self.visit(arm.body, look)),
            Op::Select(branches) => branches.iter().for_each(|&branch| self.visit(branch, look)),
            Op::Par(branches) => branches.iter().for_each(|branch| self.visit(branch.body, look)),
            _ => {}
        }
    }

    fn shared(&mut self, body: CodeId, scope: &Scope) {
        let mut found = Vec::new();
        let mut compositions = Vec::new();
        self.visit(body, &mut |op| {
            if let Op::Par(branches) = op {
                compositions.push(branches.iter().map(|branch| branch.body).collect::<Vec<_>>());
            }
        });
        for branches in compositions {
            for (at, &writer) in branches.iter().enumerate() {
                let writes = self.writes(writer);
                for (_, &other) in branches.iter().enumerate().filter(|(other, _)| *other != at) {
                    let touched: Set = self.writes(other).union(&self.reads(other)).copied().collect();
                    found.extend(
                        writes.intersection(&touched).map(|slot| (*slot, self.code[writer as usize].span)),
                    );
                }
            }
        }
        found.dedup_by_key(|(slot, _)| *slot);
        for (slot, span) in found {
            let (name, _) = &scope.declared[slot as usize];
            let message = format!("{} is changed here, and used in a parallel branch", name);
            self.mistake(span, message, "branches share no variables: exchange values on a gate");
        }
    }
}

/// The variables of an expression.
fn uses(expr: &Expr) -> Vec<Slot> {
    match &expr.kind {
        ExprKind::Value(_) => Vec::new(),
        ExprKind::Variable(slot) => vec![*slot],
        ExprKind::Construct(_, parts)
        | ExprKind::Call(_, parts)
        | ExprKind::Apply(_, parts)
        | ExprKind::List(parts) => parts.iter().flat_map(uses).collect(),
    }
}

/// The variables that an action gives values.
fn bound_by(act: &Act) -> Vec<Slot> {
    let mut bound = Vec::new();
    for offer in &act.offers {
        if let Offer::Receive(_, pattern) = offer {
            bound_in(pattern, &mut bound);
        }
    }
    bound
}

fn bound_in(pattern: &Pattern, bound: &mut Vec<Slot>) {
    match pattern {
        Pattern::Any | Pattern::Value(_) => {}
        Pattern::Bind(slot) => bound.push(*slot),
        Pattern::Constructed(_, parts) | Pattern::List(parts) => {
            parts.iter().for_each(|p| bound_in(p, bound))
        }
        Pattern::Cons(parts) => parts.iter().for_each(|p| bound_in(p, bound)),
    }
}
