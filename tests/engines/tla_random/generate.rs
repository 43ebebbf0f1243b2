//! Random specifications in TLA+, with few states.

use super::tree::{Act, Expr, GREATEST, LONGEST, Sort, Spec, WORDS};
use crate::random::Random;

struct Writer<'r> {
    rng: &'r mut Random,
    spec: Spec,
    /// Names bound where an expression is.
    scope: Vec<(String, Sort)>,
    /// Variables that can be read in this state, and in the next one.
    known: Vec<String>,
    primed: Vec<String>,
}

const BOUND: &[&str] = &["p", "q", "r", "e", "k", "t1", "t2", "t3", "t4", "t5", "t6", "t7", "t8", "t9"];

fn op(template: &'static str, operands: Vec<Expr>) -> Expr {
    Expr::Op(template, operands)
}

fn name(name: &str) -> Expr {
    Expr::Name(name.to_owned())
}

fn boxed(sort: Sort) -> Box<Sort> {
    Box::new(sort)
}

impl Writer<'_> {
    fn fresh(&self) -> Option<String> {
        let free = |own: &&&str| self.scope.iter().all(|(other, _)| other != **own);
        BOUND.iter().find(free).map(|own| (*own).to_owned())
    }

    fn simple_sort(&mut self) -> Sort {
        self.rng.pick(&[Sort::Bool, Sort::Int, Sort::Word]).clone()
    }

    fn sort(&mut self) -> Sort {
        let inner = self.simple_sort();
        match self.rng.below(12) {
            0..=1 => Sort::Int,
            2 => Sort::Bool,
            3 => Sort::Word,
            4..=5 => Sort::Set(boxed(inner)),
            6..=7 => Sort::Fun(boxed(inner)),
            8..=9 => Sort::Seq(boxed(inner)),
            10 => Sort::Rec,
            _ => match self.rng.below(6) {
                0 => Sort::Pair,
                1 => Sort::Set(boxed(Sort::Pair)),
                2 => Sort::Set(boxed(Sort::Rec)),
                3 => Sort::Fun(boxed(Sort::Set(boxed(Sort::Word)))),
                4 => Sort::Fun(boxed(Sort::Rec)),
                _ => Sort::Set(boxed(Sort::Set(boxed(Sort::Word)))),
            },
        }
    }

    /// A name with a value of a sort, if there is one.
    fn read(&mut self, sort: &Sort) -> Option<Expr> {
        let mut all: Vec<Expr> =
            self.scope.iter().filter(|(_, own)| own == sort).map(|(own, _)| name(own)).collect();
        for (variable, own) in &self.spec.variables {
            if own == sort && self.known.contains(variable) {
                all.push(name(variable));
            }
            if own == sort && self.primed.contains(variable) {
                all.push(Expr::Primed(variable.clone()));
            }
        }
        (!all.is_empty()).then(|| self.rng.pick(&all).clone())
    }

    fn literal(&mut self, sort: &Sort) -> Expr {
        match sort {
            Sort::Bool => Expr::Bool(self.rng.percent(50)),
            Sort::Int => Expr::Int(self.rng.below(4) as i64),
            Sort::Word => Expr::Word(WORDS[self.rng.below(3)]),
            Sort::Set(of) => {
                let count = self.rng.below(3);
                Expr::Set((0..count).map(|_| self.literal(of)).collect())
            }
            Sort::Fun(to) => {
                let own = self.fresh().unwrap_or_else(|| "z".into());
                let value = self.literal(to);
                Expr::Over("[1 \\in 2 |-> 3]", own, Box::new(name("Few")), Box::new(value))
            }
            Sort::Seq(of) => {
                // A sequence of two values is a tuple where nothing else is known.
                let count = if self.rng.percent(5) { LONGEST } else { self.rng.below(LONGEST) };
                Expr::Seq((0..count).map(|_| self.literal(of)).collect())
            }
            Sort::Rec => {
                let operands = vec![self.literal(&Sort::Int), self.literal(&Sort::Bool)];
                op("[n |-> _, on |-> _]", operands)
            }
            Sort::Pair => Expr::Seq(vec![self.literal(&Sort::Int), self.literal(&Sort::Word)]),
        }
    }

    /// An expression over a name in a set.
    fn over(
        &mut self,
        template: &'static str,
        domain: Expr,
        of: &Sort,
        body: impl FnOnce(&mut Self, &str) -> Expr,
    ) -> Option<Expr> {
        let own = self.fresh()?;
        self.scope.push((own.clone(), of.clone()));
        let body = body(self, &own);
        self.scope.pop();
        Some(Expr::Over(template, own, Box::new(domain), Box::new(body)))
    }

    /// A formula about one variable.
    fn about_variable(&mut self) -> Expr {
        let variable = self.rng.pick(&self.known).clone();
        let sort = self.sort_of(&variable);
        match sort {
            Sort::Int => op("(_ <= _)", vec![name(&variable), Expr::Int(self.rng.below(3) as i64)]),
            Sort::Seq(_) => op("(_ < _)", vec![op("Len(_)", vec![name(&variable)]), Expr::Int(2)]),
            _ => {
                let template = *self.rng.pick(&["(_ = _)", "(_ # _)"]);
                let other = self.literal(&sort);
                op(template, vec![name(&variable), other])
            }
        }
    }

    fn many(&mut self, sorts: &[&Sort], depth: usize) -> Vec<Expr> {
        sorts.iter().map(|sort| self.expr(sort, depth)).collect()
    }

    fn expr(&mut self, sort: &Sort, depth: usize) -> Expr {
        if depth == 0 || self.rng.percent(20) {
            let known = if self.rng.percent(85) { self.read(sort) } else { None };
            return known.unwrap_or_else(|| match sort {
                Sort::Bool if !self.known.is_empty() && self.rng.percent(80) => self.about_variable(),
                sort => self.literal(sort),
            });
        }
        let less = depth - 1;
        let found = match self.rng.below(10) {
            0 => {
                let mut operands = vec![self.expr(&Sort::Bool, less)];
                operands.extend(self.many(&[sort, sort], less));
                Some(op("(IF _ THEN _ ELSE _)", operands))
            }
            1 => match self.rng.below(5) {
                0 => {
                    let cases = vec![(self.expr(&Sort::Bool, less), self.expr(sort, less))];
                    let other = self.rng.percent(90).then(|| Box::new(self.expr(sort, less)));
                    Some(Expr::Case(cases, other))
                }
                1 => self.bound(sort, less),
                2 => {
                    let all: Vec<(String, Vec<String>, Expr)> = self.spec.operators.clone();
                    let wanted = format!("Op{}", if *sort == Sort::Int { 0 } else { 1 });
                    let known = all.iter().find(|(own, ..)| *own == wanted);
                    match (sort, known) {
                        (Sort::Int | Sort::Bool, Some(_)) => {
                            let args = self.many(&[&Sort::Int, &Sort::Word], less);
                            Some(Expr::Call(wanted, args))
                        }
                        _ => None,
                    }
                }
                3 => self.chosen(sort, less),
                _ => {
                    let function = Sort::Fun(boxed(sort.clone()));
                    let key = self.key(less);
                    Some(op("_[_]", vec![self.read(&function).unwrap_or(self.literal(&function)), key]))
                }
            },
            _ => self.own(sort, less),
        };
        found.unwrap_or_else(|| self.literal(sort))
    }

    /// A word that is in the domain of functions in most cases.
    fn key(&mut self, depth: usize) -> Expr {
        match self.rng.below(10) {
            0 => self.expr(&Sort::Word, depth),
            1..=4 => match self.scope.iter().find(|(own, sort)| own == "k" && *sort == Sort::Word) {
                Some(_) => name("k"),
                None => Expr::Word("b"),
            },
            _ => Expr::Word(WORDS[self.rng.below(2)]),
        }
    }

    fn bound(&mut self, sort: &Sort, depth: usize) -> Option<Expr> {
        let own = self.fresh()?;
        let of = self.sort();
        let value = self.expr(&of, depth);
        self.scope.push((own.clone(), of));
        let body = self.expr(sort, depth);
        self.scope.pop();
        Some(Expr::Let(own, Box::new(value), Box::new(body)))
    }

    /// A member of a set that is determined.
    fn chosen(&mut self, sort: &Sort, depth: usize) -> Option<Expr> {
        let domain = match sort {
            Sort::Int => op("(_.._)", vec![Expr::Int(0), Expr::Int(GREATEST)]),
            Sort::Word => Expr::Set(WORDS.iter().map(|word| Expr::Word(word)).collect()),
            _ => return None,
        };
        let wanted = self.expr(sort, depth);
        if *sort == Sort::Int && self.rng.percent(50) {
            let own = self.fresh()?;
            self.scope.push((own.clone(), Sort::Int));
            let condition = self.expr(&Sort::Bool, depth);
            self.scope.pop();
            let all = Expr::Over("{1 \\in 2 : 3}", own, Box::new(domain), Box::new(condition));
            let all = op("(_ \\cup _)", vec![all, Expr::Set(vec![Expr::Int(3)])]);
            // The least one of those that satisfy a condition.
            let whole = op("(_.._)", vec![Expr::Int(0), Expr::Int(GREATEST)]);
            return self.over("(CHOOSE 1 \\in 2 : 3)", whole, &Sort::Int, |writer, least| {
                let each = writer.over("(\\A 1 \\in 2 : 3)", all.clone(), &Sort::Int, |_, other| {
                    op("(_ <= _)", vec![name(least), name(other)])
                });
                op("(_ /\\ _)", vec![op("(_ \\in _)", vec![name(least), all]), each.expect("a name")])
            });
        }
        self.over("(CHOOSE 1 \\in 2 : 3)", domain, sort, |_, own| op("(_ = _)", vec![name(own), wanted]))
    }

    /// An expression with an operator for values of a sort.
    fn own(&mut self, sort: &Sort, depth: usize) -> Option<Expr> {
        let int = &Sort::Int;
        match sort {
            Sort::Int => Some(match self.rng.below(10) {
                0..=4 => {
                    let template = *self.rng.pick(&["(_ + _)", "(_ - _)", "(_ + _)", "(_ * _)"]);
                    op(template, self.many(&[int, int], depth))
                }
                5 => op("(-_)", self.many(&[int], depth)),
                6 => {
                    let template = *self.rng.pick(&["(_ \\div _)", "(_ % _)"]);
                    let divisor = match self.rng.percent(85) {
                        true => Expr::Int(1 + self.rng.below(3) as i64),
                        false => self.expr(int, depth),
                    };
                    op(template, vec![self.expr(int, depth), divisor])
                }
                7 => {
                    let of = self.simple_sort();
                    op("Cardinality(_)", self.many(&[&Sort::Set(boxed(of))], depth))
                }
                8 => {
                    let of = self.simple_sort();
                    op("Len(_)", vec![self.read(&Sort::Seq(boxed(of)))?])
                }
                _ => self.part(sort, depth)?,
            }),
            Sort::Bool => self.formula(depth),
            Sort::Word => self.part(sort, depth),
            Sort::Set(of) => self.set(of, depth),
            Sort::Fun(to) => match self.rng.below(5) {
                0..=1 => self
                    .over("[1 \\in 2 |-> 3]", name("Few"), &Sort::Word, |writer, _| writer.kept(to, depth)),
                2 => {
                    let operands = vec![self.kept(to, depth), self.kept(to, depth)];
                    Some(op("(\"a\" :> _ @@ \"b\" :> _)", operands))
                }
                _ => self.changed(sort, to, depth),
            },
            Sort::Seq(of) => {
                let old = self.read(sort)?;
                match self.rng.below(4) {
                    0 => Some(op("Tail(_)", vec![old])),
                    1 => {
                        let element = self.kept(of, depth);
                        Some(Expr::Seq(vec![element]))
                    }
                    _ => {
                        let template = *self.rng.pick(&["Append(_, _)", "Append(_, _)", "(_ \\o <<_>>)"]);
                        let longer = op(template, vec![old.clone(), self.kept(of, depth)]);
                        if self.rng.percent(5) {
                            return Some(longer);
                        }
                        let short = op("(_ < _)", vec![op("Len(_)", vec![old.clone()]), Expr::Int(2)]);
                        let other = if self.rng.percent(50) { Expr::Seq(Vec::new()) } else { old };
                        Some(op("(IF _ THEN _ ELSE _)", vec![short, longer, other]))
                    }
                }
            }
            Sort::Rec => match self.rng.below(2) {
                0 => {
                    let operands = vec![self.kept(int, depth), self.expr(&Sort::Bool, depth)];
                    Some(op("[n |-> _, on |-> _]", operands))
                }
                _ => {
                    let old = self.read(sort)?;
                    let (field, of) = *self.rng.pick(&[("n", int), ("on", &Sort::Bool)]);
                    self.scope.push(("@".into(), of.clone()));
                    let value = self.kept(of, depth);
                    self.scope.pop();
                    Some(Expr::Except(Box::new(old), vec![(vec![Expr::Word(field)], value)]))
                }
            },
            Sort::Pair => Some(Expr::Seq(vec![self.kept(int, depth), self.expr(&Sort::Word, depth)])),
        }
    }

    /// A function with other values at one or two places.
    fn changed(&mut self, sort: &Sort, to: &Sort, depth: usize) -> Option<Expr> {
        let old = self.read(sort)?;
        let count = 1 + self.rng.below(2);
        let changes = (0..count).map(|_| {
            let mut places = vec![self.key(depth)];
            let inner = match to {
                Sort::Rec if self.rng.percent(50) => {
                    places.push(Expr::Word("n"));
                    Sort::Int
                }
                _ => to.clone(),
            };
            self.scope.push(("@".into(), inner.clone()));
            let value = self.kept(&inner, depth);
            self.scope.pop();
            (places, value)
        });
        let changes = changes.collect();
        Some(Expr::Except(Box::new(old), changes))
    }

    /// A part of a function, record, tuple or sequence.
    fn part(&mut self, sort: &Sort, depth: usize) -> Option<Expr> {
        for _ in 0..4 {
            let found = match self.rng.below(4) {
                0 => {
                    let function = self.read(&Sort::Fun(boxed(sort.clone())));
                    function.map(|function| op("_[_]", vec![function, self.key(depth)]))
                }
                1 => {
                    let list = self.read(&Sort::Seq(boxed(sort.clone())));
                    list.map(|list| match self.rng.percent(70) {
                        // Of one that has elements.
                        true => {
                            let some = op("(_ > 0)", vec![op("Len(_)", vec![list.clone()])]);
                            let other = self.literal(sort);
                            op("(IF _ THEN _ ELSE _)", vec![some, op("Head(_)", vec![list]), other])
                        }
                        false => op("_[_]", vec![list, Expr::Int(1 + self.rng.below(2) as i64)]),
                    })
                }
                2 => self.read(&Sort::Pair).and_then(|pair| match sort {
                    Sort::Int => Some(op("_[_]", vec![pair, Expr::Int(1)])),
                    Sort::Word => Some(op("_[_]", vec![pair, Expr::Int(2)])),
                    _ => None,
                }),
                _ => match sort {
                    Sort::Int => Some(op("(_).n", self.many(&[&Sort::Rec], depth))),
                    Sort::Bool => Some(op("(_).on", self.many(&[&Sort::Rec], depth))),
                    _ => None,
                },
            };
            if found.is_some() {
                return found;
            }
        }
        None
    }

    fn set(&mut self, of: &Sort, depth: usize) -> Option<Expr> {
        let sort = &Sort::Set(boxed(of.clone()));
        match self.rng.below(8) {
            0 => {
                let count = 1 + self.rng.below(2);
                Some(Expr::Set((0..count).map(|_| self.kept(of, depth)).collect()))
            }
            1 => {
                let domain = self.expr(sort, depth);
                self.over("{1 \\in 2 : 3}", domain, of, |writer, _| writer.expr(&Sort::Bool, depth))
            }
            2 => {
                let from = self.simple_sort();
                let domain = self.expr(&Sort::Set(boxed(from.clone())), depth);
                self.over("{3 : 1 \\in 2}", domain, &from, |writer, _| writer.kept(of, depth))
            }
            3 if *of == Sort::Int => {
                let low = Expr::Int(self.rng.below(3) as i64);
                Some(op("(_.._)", vec![low, self.kept(of, depth)]))
            }
            3 if *of == Sort::Word => Some(match self.read(&Sort::Fun(boxed(Sort::Int))) {
                Some(function) => op("DOMAIN _", vec![function]),
                None => name("Few"),
            }),
            3 if *of == Sort::Bool => Some(op("BOOLEAN", Vec::new())),
            3 if *of == Sort::Set(boxed(Sort::Word)) => {
                Some(op("(SUBSET _)", self.many(&[&Sort::Set(boxed(Sort::Word))], depth)))
            }
            3 if *of == Sort::Pair => {
                let sets = [&Sort::Set(boxed(Sort::Int)), &Sort::Set(boxed(Sort::Word))];
                Some(op("(_ \\X _)", self.many(&sets, depth)))
            }
            _ => {
                let template = *self.rng.pick(&["(_ \\cup _)", "(_ \\cap _)", "(_ \\ _)"]);
                Some(op(template, self.many(&[sort, sort], depth)))
            }
        }
    }

    fn formula(&mut self, depth: usize) -> Option<Expr> {
        let (bool, int) = (&Sort::Bool, &Sort::Int);
        let of = self.simple_sort();
        let set = Sort::Set(boxed(of.clone()));
        match self.rng.below(12) {
            0..=2 => {
                let template =
                    *self.rng.pick(&["(_ /\\ _)", "(_ \\/ _)", "(_ => _)", "(_ <=> _)", "(_ /\\ _)"]);
                Some(op(template, self.many(&[bool, bool], depth)))
            }
            3 => Some(op("(~_)", self.many(&[bool], depth))),
            4..=5 => {
                let template = *self.rng.pick(&["(_ < _)", "(_ <= _)", "(_ >= _)"]);
                Some(op(template, self.many(&[int, int], depth)))
            }
            6..=7 => {
                let same = self.sort();
                let template = *self.rng.pick(&["(_ = _)", "(_ # _)"]);
                Some(op(template, self.many(&[&same, &same], depth)))
            }
            8 => {
                let template = *self.rng.pick(&["(_ \\in _)", "(_ \\notin _)"]);
                Some(op(template, self.many(&[&of, &set], depth)))
            }
            9 => match self.rng.below(3) {
                0 => {
                    let function = Sort::Fun(boxed(Sort::Bool));
                    Some(op("(_ \\in [Few -> BOOLEAN])", self.many(&[&function], depth)))
                }
                _ => Some(op("(_ \\subseteq _)", self.many(&[&set, &set], depth))),
            },
            10 => {
                let template = *self.rng.pick(&["(\\A 1 \\in 2 : 3)", "(\\E 1 \\in 2 : 3)"]);
                let domain = self.expr(&set, depth);
                self.over(template, domain, &of, |writer, _| writer.expr(&Sort::Bool, depth))
            }
            _ => self.part(bool, depth),
        }
    }

    /// An expression for a variable, whose integers are within their bounds in most cases.
    fn kept(&mut self, sort: &Sort, depth: usize) -> Expr {
        let found = self.expr(sort, depth);
        match (sort, &found) {
            (Sort::Int, Expr::Op("(_ + _)" | "(_ - _)" | "(_ * _)" | "(-_)", _) | Expr::Let(..))
                if !self.rng.percent(4) =>
            {
                op("(_ % _)", vec![found, Expr::Int(4)])
            }
            _ => found,
        }
    }

    /// A constant set of a sort for `x' \in S`.
    fn choices(&mut self, sort: &Sort) -> Expr {
        match sort {
            Sort::Fun(to) if **to == Sort::Bool && self.rng.percent(70) => op("[Few -> BOOLEAN]", Vec::new()),
            _ => self.expr(&Sort::Set(boxed(sort.clone())), 1),
        }
    }

    /// A formula that gives these variables values.
    fn act(&mut self, variables: &[String], depth: usize) -> Act {
        let before = self.primed.clone();
        let made = match self.rng.below(if depth == 0 { 1 } else { 7 }) {
            0..=3 => {
                let mut parts = Vec::new();
                for _ in 0..self.rng.below(4) / 2 {
                    parts.push(Act::Is(self.expr(&Sort::Bool, 2)));
                }
                let mut left: Vec<String> = variables.to_vec();
                self.rng.shuffle(&mut left);
                let mut kept = Vec::new();
                for variable in left {
                    let sort = self.sort_of(&variable);
                    match self.rng.below(10) {
                        0..=3 => kept.push(variable),
                        4 => {
                            let set = self.choices(&sort);
                            parts.push(Act::GivesAny(variable.clone(), set));
                            self.primed.push(variable);
                        }
                        _ => {
                            let value = self.kept(&sort, 2);
                            parts.push(Act::Gives(variable.clone(), value));
                            self.primed.push(variable);
                        }
                    }
                }
                if self.rng.percent(15) {
                    parts.push(Act::Is(self.expr(&Sort::Bool, 2)));
                }
                if !kept.is_empty() {
                    parts.push(Act::Unchanged(kept));
                }
                if parts.is_empty() { Act::Is(Expr::Bool(true)) } else { Act::And(parts) }
            }
            4 => {
                let first = self.act(variables, depth - 1);
                self.primed.clone_from(&before);
                Act::Or(vec![first, self.act(variables, depth - 1)])
            }
            5 => {
                let condition = self.expr(&Sort::Bool, 2);
                let first = self.act(variables, depth - 1);
                self.primed.clone_from(&before);
                Act::If(condition, Box::new(first), Box::new(self.act(variables, depth - 1)))
            }
            _ => {
                let own = self.fresh().expect("a name");
                let of = self.simple_sort();
                let is_let = self.rng.percent(30);
                let value = match is_let {
                    true => self.expr(&of, 2),
                    false => self.expr(&Sort::Set(boxed(of.clone())), 2),
                };
                self.scope.push((own.clone(), of));
                let body = Box::new(self.act(variables, depth - 1));
                self.scope.pop();
                if is_let { Act::Let(own, value, body) } else { Act::Exists(own, value, body) }
            }
        };
        self.primed = before;
        made
    }

    fn sort_of(&self, variable: &str) -> Sort {
        let (_, sort) = self.spec.variables.iter().find(|(own, _)| own == variable).expect("a variable");
        sort.clone()
    }
}

pub fn specification(rng: &mut Random) -> Spec {
    let mut writer =
        Writer { rng, spec: Spec::default(), scope: Vec::new(), known: Vec::new(), primed: Vec::new() };
    let count = 2 + writer.rng.below(2);
    let names: Vec<String> = ["x", "y", "z"][..count].iter().map(|own| (*own).to_owned()).collect();
    for own in &names {
        let sort = if own == "y" { writer.simple_sort() } else { writer.sort() };
        writer.spec.variables.push((own.clone(), sort));
    }
    // Operators read their parameters, and variables.
    writer.known.clone_from(&names);
    for (own, sort) in [("Op0", Sort::Int), ("Op1", Sort::Bool)] {
        writer.scope = vec![("a1".into(), Sort::Int), ("a2".into(), Sort::Word)];
        let body = writer.expr(&sort, 2);
        writer.spec.operators.push((own.into(), vec!["a1".into(), "a2".into()], body));
    }
    writer.scope.clear();
    writer.known.clear();
    let operators = std::mem::take(&mut writer.spec.operators);
    for own in &names {
        let sort = writer.sort_of(own);
        let given = match writer.rng.percent(25) {
            true => Act::GivesAny(own.clone(), writer.choices(&sort)),
            false => {
                let depth = usize::from(writer.rng.percent(30));
                Act::Gives(own.clone(), writer.kept(&sort, depth))
            }
        };
        writer.spec.init.push(given);
        writer.known.push(own.clone());
    }
    writer.spec.operators = operators;
    for at in 0..1 + writer.rng.below(3) {
        let own = format!("Act{at}");
        if writer.rng.percent(40) {
            let sort = writer.simple_sort();
            let set = writer.expr(&Sort::Set(boxed(sort.clone())), 1);
            writer.scope.push(("k".into(), sort));
            let body = writer.act(&names, 2);
            writer.scope.pop();
            writer.spec.actions.push((own.clone(), vec!["k".into()], body));
            let call = Act::Call(own, vec![name("v")]);
            writer.spec.next.push(Act::Exists("v".into(), set, Box::new(call)));
        } else {
            let body = writer.act(&names, 2);
            writer.spec.actions.push((own.clone(), Vec::new(), body));
            writer.spec.next.push(Act::Call(own, Vec::new()));
        }
    }
    let fits = writer.spec.variables.iter().map(|(own, sort)| Expr::Fits(Box::new(name(own)), sort.clone()));
    let fits = fits.reduce(|a, b| op("(_ /\\ _)", vec![a, b])).expect("a variable");
    writer.spec.invariants.push(("TypeOK".into(), fits));
    for at in 0..2 {
        let formula = writer.expr(&Sort::Bool, 3);
        writer.spec.invariants.push((format!("Inv{at}"), formula));
    }
    if writer.rng.percent(15) {
        writer.spec.constraint = Some(writer.expr(&Sort::Bool, 2));
    }
    if writer.rng.percent(30) {
        writer.primed.clone_from(&names);
        writer.spec.steps = Some(writer.expr(&Sort::Bool, 3));
        writer.primed.clear();
    }
    writer.spec
}
