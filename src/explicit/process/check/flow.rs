//! Live variables: the values of others are forgotten, so that states that differ only in them are one state.

use super::ProcessChecker;
use super::names::RoutineScope;
use crate::process::program::{
    ActionCode, ActionOffer, BehaviourOp, Branch, CaseArm, CasePattern, CodeId, ProcessExpr, ProcessExprKind,
    Slot,
};
use crate::process::text::tree::ParameterMode;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

type Set = BTreeSet<Slot>;

/// The state of the analysis of a body.
#[derive(Default)]
struct LiveVariables {
    /// The variables live after each loop around the place.
    after_loop: FxHashMap<CodeId, Set>,
    /// The variables live before each loop, as far as they are known.
    before_loop: FxHashMap<CodeId, Set>,
    /// Variables that may be used before they have a value.
    unset: Set,
    /// The parameters whose values at the end the caller gets.
    outs: Set,
}

impl ProcessChecker {
    /// Computes the live variables of all code of a body, at whose end the parameters `outs` matter. A variable that may be used without a value is a mistake, and so is
    /// one that two parallel branches share and one of them changes.
    pub(super) fn flow(&mut self, body: CodeId, scope: &RoutineScope) {
        let mut pass = LiveVariables {
            outs: scope.outs.iter().map(|(slot, _)| *slot).collect(),
            ..LiveVariables::default()
        };
        let outs = pass.outs.clone();
        let live = self.live(body, &outs, outs.is_empty(), &mut pass);
        let unset =
            scope.outs.iter().filter(|(slot, mode)| *mode == ParameterMode::Out && live.contains(slot));
        pass.unset.extend(unset.map(|(slot, _)| *slot));
        if !self.understood {
            return;
        }
        for slot in pass.unset {
            let (name, span) = &scope.declared[slot.index()];
            let message = format!("{} may be used before it has a value", name);
            self.mistake(*span, message, "assign to it on every path that leads to its use");
        }
        self.shared(body, scope);
    }

    /// The variables live before a piece of code, given those live `after` it. `last` is whether its process does nothing
    /// after it.
    fn live(&mut self, id: CodeId, after: &Set, last: bool, pass: &mut LiveVariables) -> Set {
        let mut op = std::mem::replace(&mut self.code[id.index()].op, BehaviourOp::Null);
        let live = self.live_before(id, &mut op, after, last, pass);
        let code = &mut self.code[id.index()];
        code.op = op;
        code.live = live.iter().copied().collect();
        live
    }

    fn live_before(
        &mut self,
        id: CodeId,
        op: &mut BehaviourOp,
        after: &Set,
        last: bool,
        pass: &mut LiveVariables,
    ) -> Set {
        match op {
            BehaviourOp::Stop | BehaviourOp::Fail(_) => Set::new(),
            BehaviourOp::Null => after.clone(),
            BehaviourOp::Act(act) => live_before_act(act, after),
            BehaviourOp::Call { arguments, outs, after: kept, .. } => {
                let mut live = if last { Set::new() } else { after.clone() };
                outs.iter().for_each(|(_, slot)| _ = live.remove(slot));
                *kept = (!last || !outs.is_empty()).then(|| live.iter().copied().collect());
                live.extend(arguments.iter().flatten().flat_map(uses));
                live
            }
            BehaviourOp::Eval { arguments, outs, result, .. } => {
                let mut live = after.clone();
                outs.iter().chain(result.iter()).for_each(|slot| _ = live.remove(slot));
                live.extend(arguments.iter().flatten().flat_map(uses));
                live
            }
            BehaviourOp::Assign(slot, value) => {
                let mut live = after.clone();
                live.remove(slot);
                live.extend(uses(value));
                live
            }
            BehaviourOp::AssignAny(slot, _, condition) => {
                let mut live = after.clone();
                live.extend(condition.iter().flat_map(uses));
                live.remove(slot);
                live
            }
            BehaviourOp::Sequence(first, second) => {
                let between = self.live(*second, after, last, pass);
                self.live(*first, &between, false, pass)
            }
            BehaviourOp::Var(slots, body) => {
                let mut live = self.live(*body, after, last, pass);
                pass.unset.extend(slots.iter().filter(|slot| live.remove(slot)));
                live
            }
            BehaviourOp::If { cases, otherwise } => {
                let mut live = self.live(*otherwise, after, last, pass);
                for (condition, body) in cases {
                    live.extend(uses(condition));
                    live.extend(self.live(*body, after, last, pass));
                }
                live
            }
            BehaviourOp::Case { values, arms } => {
                let mut live: Set = values.iter().flat_map(uses).collect();
                for arm in arms {
                    live.extend(self.live_before_arm(arm, after, last, pass));
                }
                live
            }
            BehaviourOp::Select(branches) => {
                branches.iter().flat_map(|&branch| self.live(branch, after, last, pass)).collect()
            }
            BehaviourOp::Par(branches) => self.live_before_branches(branches, after, last, pass),
            BehaviourOp::Loop(condition, body) => {
                self.live_before_loop(id, condition.as_ref(), *body, after, pass)
            }
            BehaviourOp::Break(left) => pass.after_loop.get(left).cloned().unwrap_or_default(),
            BehaviourOp::Hide(_, body) => self.live(*body, after, last, pass),
            BehaviourOp::Disrupt(first, second) => {
                // What interrupts finds the variables as they were at the beginning.
                let mut live = self.live(*first, after, last, pass);
                live.extend(self.live(*second, after, last, pass));
                live
            }
            BehaviourOp::Return(value) => uses(value).into_iter().chain(pass.outs.iter().copied()).collect(),
        }
    }

    fn live_before_arm(&mut self, arm: &CaseArm, after: &Set, last: bool, pass: &mut LiveVariables) -> Set {
        let mut live = self.live(arm.body, after, last, pass);
        live.extend(arm.condition.iter().flat_map(uses));
        let mut bound = Vec::new();
        arm.patterns.first().into_iter().flatten().for_each(|p| bound_in(p, &mut bound));
        bound.iter().for_each(|slot| _ = live.remove(slot));
        live
    }

    /// After a parallel composition, the values of a variable come from the branch that writes it.
    fn live_before_branches(
        &mut self,
        branches: &mut [Branch],
        after: &Set,
        last: bool,
        pass: &mut LiveVariables,
    ) -> Set {
        let (mut live, mut kept) = (Set::new(), after.clone());
        for branch in branches {
            let writes = self.writes(branch.body);
            writes.iter().for_each(|slot| _ = kept.remove(slot));
            let own: Set = after.intersection(&writes).copied().collect();
            live.extend(self.live(branch.body, &own, last, pass));
            branch.writes = own.into_iter().collect();
        }
        live.extend(kept);
        live
    }

    /// The least fixpoint of a loop. While loops around this one are iterated, what was live here only grows, so each
    /// iteration starts with the last one; nested loops would otherwise take time exponential in their depth.
    fn live_before_loop(
        &mut self,
        id: CodeId,
        condition: Option<&ProcessExpr>,
        body: CodeId,
        after: &Set,
        pass: &mut LiveVariables,
    ) -> Set {
        pass.after_loop.insert(id, after.clone());
        let mut live = pass.before_loop.remove(&id).unwrap_or_default();
        live.extend(condition.into_iter().flat_map(uses));
        if condition.is_some() {
            live.extend(after);
        }
        loop {
            let before = live.clone();
            live.extend(self.live(body, &before, false, pass));
            if live == before {
                pass.before_loop.insert(id, live.clone());
                return live;
            }
        }
    }

    fn writes(&self, id: CodeId) -> Set {
        let mut found = Set::new();
        self.visit(id, &mut |op| match op {
            BehaviourOp::Assign(slot, _) | BehaviourOp::AssignAny(slot, ..) => _ = found.insert(*slot),
            BehaviourOp::Call { outs, .. } => found.extend(outs.iter().map(|(_, slot)| *slot)),
            BehaviourOp::Eval { outs, result, .. } => found.extend(outs.iter().chain(result.iter())),
            BehaviourOp::Act(act) => found.extend(bound_by(act)),
            BehaviourOp::Case { arms, .. } => {
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

    fn reads(&self, id: CodeId) -> Set {
        let mut found = Set::new();
        self.visit(id, &mut |op| {
            let mut add = |expr: &ProcessExpr| found.extend(uses(expr));
            match op {
                BehaviourOp::Assign(_, value) | BehaviourOp::Return(value) => add(value),
                BehaviourOp::AssignAny(_, _, Some(condition)) | BehaviourOp::Loop(Some(condition), _) => {
                    add(condition)
                }
                BehaviourOp::Call { arguments, .. } | BehaviourOp::Eval { arguments, .. } => {
                    arguments.iter().flatten().for_each(add);
                }
                BehaviourOp::If { cases, .. } => cases.iter().for_each(|(condition, _)| add(condition)),
                BehaviourOp::Case { values, arms } => {
                    values.iter().for_each(&mut add);
                    arms.iter().filter_map(|arm| arm.condition.as_ref()).for_each(add);
                }
                BehaviourOp::Act(act) => {
                    act.condition.iter().for_each(&mut add);
                    for offer in &act.offers {
                        if let ActionOffer::Send(value) = offer {
                            add(value);
                        }
                    }
                }
                _ => {}
            }
        });
        found
    }

    /// Visits a node of the code and everything below it.
    fn visit(&self, id: CodeId, look: &mut dyn FnMut(&BehaviourOp)) {
        let op = &self.code[id.index()].op;
        look(op);
        match op {
            BehaviourOp::Sequence(a, b) | BehaviourOp::Disrupt(a, b) => {
                self.visit(*a, look);
                self.visit(*b, look);
            }
            BehaviourOp::Var(_, body) | BehaviourOp::Loop(_, body) | BehaviourOp::Hide(_, body) => {
                self.visit(*body, look)
            }
            BehaviourOp::If { cases, otherwise } => {
                cases.iter().for_each(|(_, body)| self.visit(*body, look));
                self.visit(*otherwise, look);
            }
            BehaviourOp::Case { arms, .. } => arms.iter().for_each(|arm| self.visit(arm.body, look)),
            BehaviourOp::Select(branches) => branches.iter().for_each(|&branch| self.visit(branch, look)),
            BehaviourOp::Par(branches) => branches.iter().for_each(|branch| self.visit(branch.body, look)),
            _ => {}
        }
    }

    fn shared(&mut self, body: CodeId, scope: &RoutineScope) {
        let mut found = Vec::new();
        let mut compositions = Vec::new();
        self.visit(body, &mut |op| {
            if let BehaviourOp::Par(branches) = op {
                compositions.push(branches.iter().map(|branch| branch.body).collect::<Vec<_>>());
            }
        });
        for branches in compositions {
            let writes: Vec<Set> = branches.iter().map(|&branch| self.writes(branch)).collect();
            // The number of branches that read or write each variable.
            let mut users: FxHashMap<Slot, usize> = FxHashMap::default();
            for (&branch, writes) in branches.iter().zip(&writes) {
                writes.union(&self.reads(branch)).for_each(|&slot| *users.entry(slot).or_default() += 1);
            }
            for (&branch, writes) in branches.iter().zip(&writes) {
                let shared = writes.iter().filter(|slot| users[slot] > 1);
                found.extend(shared.map(|&slot| (slot, self.code[branch.index()].span)));
            }
        }
        found.dedup_by_key(|(slot, _)| *slot);
        for (slot, span) in found {
            let (name, _) = &scope.declared[slot.index()];
            let message = format!("{} is assigned here and used in a parallel branch", name);
            self.mistake(span, message, "branches cannot share variables: exchange values on a gate");
        }
    }
}

fn uses(expr: &ProcessExpr) -> Vec<Slot> {
    match &expr.kind {
        ProcessExprKind::Value(_) => Vec::new(),
        ProcessExprKind::Variable(slot) => vec![*slot],
        ProcessExprKind::Construct(_, parts)
        | ProcessExprKind::Call(_, parts)
        | ProcessExprKind::Apply(_, parts)
        | ProcessExprKind::List(parts) => parts.iter().flat_map(uses).collect(),
    }
}

/// The variables live before an action; records those that are live after it.
fn live_before_act(act: &mut ActionCode, after: &Set) -> Set {
    act.after = after.iter().copied().collect();
    let mut live = after.clone();
    live.extend(act.condition.iter().flat_map(uses));
    bound_by(act).iter().for_each(|slot| _ = live.remove(slot));
    for offer in &act.offers {
        if let ActionOffer::Send(value) = offer {
            live.extend(uses(value));
        }
    }
    live
}

/// The variables that an action assigns.
fn bound_by(act: &ActionCode) -> Vec<Slot> {
    let mut bound = Vec::new();
    for offer in &act.offers {
        if let ActionOffer::Receive(_, pattern) = offer {
            bound_in(pattern, &mut bound);
        }
    }
    bound
}

fn bound_in(pattern: &CasePattern, bound: &mut Vec<Slot>) {
    match pattern {
        CasePattern::Any | CasePattern::Value(_) => {}
        CasePattern::Bind(slot) => bound.push(*slot),
        CasePattern::Constructed(_, parts) | CasePattern::List(parts) => {
            parts.iter().for_each(|p| bound_in(p, bound))
        }
        CasePattern::Cons(parts) => parts.iter().for_each(|p| bound_in(p, bound)),
    }
}
