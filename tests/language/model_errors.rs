//! Wrong models, each with one mistake: the message, what it points at, and the help.

use crate::model_common;

use cladist::diagnostics::{Severity, render};
use model_common::{Mistake, all, check_mistakes, load, load_with};

/// What every model below starts with.
const BASE: &str = "model m;
type Agent = enum { Alice, Bob, Eve };
type Nonce = enum { Na, Nb };
type Kind = enum { M1, M2 };
type Body = record { kind: Kind, key: Agent, n1: Nonce, n2: option Nonce, who: option Agent };
const N : 0..9 = 3;
const FIX : bool = false;
var x : Agent;
var y : option Agent;
var n : 0..3;
var b : Body;
var ob : option Body;
var flag : option bool;
var s : set of Nonce;
var phase : map Agent to Kind;
var peer : map Agent to option Agent;
var slots : map 0..3 to Agent;
def friend(a: Agent): Agent = if a = Alice then Bob else Alice;
";

const CASES: &[Mistake] = &[
    (
        "invariant i: n = \"text\";",
        "a string is not a value",
        "\"text\"",
        "string literals are not supported; declare `enum { … }`",
    ),
    (
        "symmetric type Pair = record { one: Agent, other: Agent };",
        "`Pair` cannot be symmetric: only enumerations and ranges of integers can",
        "Pair",
        "declare the enumerations and ranges that its values are made of symmetric",
    ),
    // The action that is named is not declared once more.
    (
        "action a(x: Agent) {} fair action a(x);",
        "expected a declaration, found `fair`",
        "fair",
        "did you mean `fairness`?",
    ),
    (
        "action go {} fairness go;",
        "`go` is an action, not a condition on states",
        "go",
        "to say that it is taken again and again if it stays enabled, write `fairness action go;`",
    ),
    (
        "action go(k: Agent) {} fairness go(k);",
        "`go(k)` is an action, not a condition on states",
        "go(k)",
        "to say that it is taken again and again if it stays enabled, write `fairness action go(k);`",
    ),
    // Numbers.
    (
        "var z : 300000000000000..300000000000001;",
        "the range 300000000000000..300000000000001 is not within -281474976710656..281474976710656",
        "300000000000000..300000000000001",
        "choose bounds closer to 0",
    ),
    (
        "invariant i: n * 4611686018427387904 = 0;",
        "`n * 4611686018427387904` may overflow a 64-bit integer",
        "n * 4611686018427387904",
        "narrow the operands' ranges",
    ),
    (
        "const C : 0..3 = 9223372036854775807 + 1 - 9223372036854775807;",
        "`9223372036854775807 + 1` may overflow a 64-bit integer",
        "9223372036854775807 + 1",
        "narrow the operands' ranges",
    ),
    (
        "const C : 0..3 = -(-9223372036854775807 - 1);",
        "`-(-9223372036854775807 - 1)` may overflow a 64-bit integer",
        "-(-9223372036854775807 - 1)",
        "narrow the operands' ranges",
    ),
    (
        "pred p(t1, t2: pos) = t2 = t1 + 5000000000;",
        "position offset out of range",
        "5000000000",
        "an offset must be less than 2147483648 steps",
    ),
    (
        "def up(k: 0..3): 0..3 = k + 1;",
        "`up` is 0..3, but the values of its body are 1..4",
        "k + 1",
        "declare that type, or exclude the others: `if … then … else …`, `min`, `max`",
    ),
    (
        "def up(k: 0..3): option 0..3 = if k = 2 then none else k + 1;",
        "`up` is option 0..3, but the values of its body are option 1..4",
        "if k = 2 then none else k + 1",
        "declare that type, or exclude the others: `if … then … else …`, `min`, `max`",
    ),
    (
        "def less: set of 0..3 = { n, n - 1 };",
        "`less` is set of 0..3, but the values of its body are set of -1..3",
        "{ n, n - 1 }",
        "declare that type, or exclude the others: `if … then … else …`, `min`, `max`",
    ),
    (
        "def all: map 0..3 to 0..3 = map k in 0..3: 2 * k;",
        "`all` is map 0..3 to 0..3, but the values of its body are map 0..3 to 0..6",
        "map k in 0..3: 2 * k",
        "declare that type, or exclude the others: `if … then … else …`, `min`, `max`",
    ),
    // Names of other languages.
    ("var z : integer;", "unknown type `integer`", "integer", "integers are `int`, or those from `lo..hi`"),
    ("var z : boolean;", "unknown type `boolean`", "boolean", "truth values are `bool`"),
    (
        "invariant i: y = null;",
        "unknown name `null`",
        "null",
        "an absent value is `none`, a value of every `option T`; the empty set is `{}`",
    ),
    (
        "invariant i: len(s) < 2;",
        "unknown definition or predicate `len`",
        "len",
        "the number of elements of a set is `size(S)`, of those with a property `count x in S: c`",
    ),
    ("invariant i: s.contains(Na);", "`s` is not an import", "s", "membership is `x in S`"),
    (
        "action a { s' = s + {Na}; }",
        "expected an integer, found set of Nonce",
        "s + {Na}",
        "write `s union {Na}`",
    ),
    (
        "action a { s' = s - Na; }",
        "expected an integer, found set of Nonce",
        "s - Na",
        "write `s minus {Na}`",
    ),
    (
        "action a { s' = s union Na; }",
        "expected a type, a range or a set, found Nonce",
        "Na",
        "write `{Na}` for the set with this one member",
    ),
    (
        "action a { n' = n' + 1; }",
        "`n'` cannot be read here",
        "n'",
        "`n` is its value before the step; next values can only be read in `constrain` and `assume`",
    ),
    // Names.
    ("type pos = 0..3;", "`pos` is already the type of positions", "pos", "choose another name"),
    (
        "action a { require x = Alise; }",
        "unknown name `Alise`",
        "Alise",
        "did you mean `Alice`? (enum Agent, specs/m.sts:2)",
    ),
    (
        "invariant i: phaze[Bob] = M1;",
        "unknown name `phaze`",
        "phaze",
        "did you mean `phase`? (variable, specs/m.sts:15)",
    ),
    (
        "invariant i: forall a in Agnets: a = Bob;",
        "unknown name `Agnets`",
        "Agnets",
        "did you mean `Agent`? (type, specs/m.sts:2)",
    ),
    (
        "invariant i: exists k in slotts: k = Bob;",
        "unknown name `slotts`",
        "slotts",
        "did you mean `slots`? (variable, specs/m.sts:17)",
    ),
    (
        "invariant i: freind(x) = Bob;",
        "unknown definition or predicate `freind`",
        "freind",
        "did you mean `friend`? (definition, specs/m.sts:18)",
    ),
    ("var z : Agnet;", "unknown type `Agnet`", "Agnet", "did you mean `Agent`? (type, specs/m.sts:2)"),
    ("action a(who: Agent) { require whom = Bob; }", "unknown name `whom`", "whom", "did you mean `who`?"),
    ("vocabulary v = { lost(x) };", "`lost` describes a whole state", "lost(x)", "write `lost`"),
    (
        "vocabulary v = { decisive(x) };",
        "`decisive` describes steps and actions",
        "decisive(x)",
        "write `decisive`, `decisive(action)` for the actions taken, or `decisive(a)` for an action a with its arguments",
    ),
    (
        "var lost : bool; vocabulary v = { lost };",
        "`lost` is a variable, not a predicate",
        "lost",
        "`eq(lost)` gives facts about its value",
    ),
    ("environment run;", "unknown action `run`", "run", ""),
    ("environment x;", "`x` is a variable, not an action", "x", "an environment is made of actions"),
    (
        "action a(who: Agent) {} environment a(whom = Bob);",
        "action `a` has no parameter `whom`",
        "whom",
        "did you mean `who`?",
    ),
    (
        "action a {} environment a(who = Bob);",
        "action `a` has no parameter `who`",
        "who",
        "it has no parameters",
    ),
    ("action a(i: 0..2) {} environment a(i = 3);", "parameter `i` is 0..2, not 3", "3", ""),
    (
        "action a(who: Agent) {} environment a(who = x);",
        "`x` depends on the state, but a constant is needed here",
        "x",
        "",
    ),
    (
        "action a(who: Agent) {} environment a(who = Na);",
        "parameter `who` is Agent, not Nonce",
        "Na",
        "the value is Nonce because of `enum Nonce` (specs/m.sts:3)",
    ),
    (
        "action a(q: Agent) {} environment a(q = Eve, q = Bob);",
        "`q` is given twice",
        "q",
        "give it one value",
    ),
    ("action a { m' = Bob; }", "unknown variable `m`", "m", ""),
    ("var x : bool;", "`x` is declared twice", "x", "rename one of them"),
    ("action x { }", "`x` is both a variable and an action", "x", "rename one of them"),
    (
        "type Other = enum { Zoe, Bob };",
        "`Bob` is a value of both enum Agent and enum Other",
        "Bob",
        "rename one of them",
    ),
    ("invariant i: x = Agent;", "`Agent` is a type, not a value", "Agent", ""),
    ("var z : Bob;", "`Bob` is a value of an enumeration, not a type", "Bob", ""),
    (
        "invariant i: x; invariant j: x = Bob;",
        "expected a truth value, found Agent",
        "x",
        "it is Agent because of `var x : Agent` (specs/m.sts:8)",
    ),
    // Types.
    (
        "invariant i: x = 3;",
        "cannot compare Agent with 3",
        "x = 3",
        "left side is Agent because of `var x : Agent` (specs/m.sts:8)",
    ),
    (
        "invariant i: x = b.kind;",
        "cannot compare Agent with Kind",
        "x = b.kind",
        "left side is Agent because of `var x : Agent` (specs/m.sts:8)",
    ),
    (
        "invariant i: x < 2;",
        "cannot compare Agent with 2",
        "x < 2",
        "left side is Agent because of `var x : Agent` (specs/m.sts:8)",
    ),
    (
        "invariant i: s < s;",
        "set of Nonce is not ordered",
        "s < s",
        "only integers, values of one enumeration and positions are ordered",
    ),
    (
        "invariant i: x in s;",
        "Agent cannot be a member of a set of Nonce",
        "x in s",
        "`x` is Agent because of `var x : Agent` (specs/m.sts:8)",
    ),
    (
        "invariant i: size(x) = 1;",
        "expected a type, a range or a set, found Agent",
        "x",
        "it is Agent because of `var x : Agent` (specs/m.sts:8)",
    ),
    (
        "invariant i: n + x = 1;",
        "expected an integer, found Agent",
        "x",
        "it is Agent because of `var x : Agent` (specs/m.sts:8)",
    ),
    (
        "invariant i: { Na, Bob } = s;",
        "the elements of a set have incompatible types: Nonce and Agent",
        "Bob",
        "",
    ),
    (
        "invariant i: (if n = 1 then Bob else M1) = x;",
        "the branches have incompatible types: Agent and Kind",
        "(if n = 1 then Bob else M1)",
        "",
    ),
    ("invariant i: flag;", "`flag` may be `none` instead of true or false", "flag", "write `flag = true`"),
    (
        "invariant i: x.key = Bob;",
        "Agent has no fields",
        "key",
        "it is Agent because of `var x : Agent` (specs/m.sts:8)",
    ),
    ("invariant i: b.kye = Bob;", "`Body` has no field `kye`", "kye", "did you mean `key`?"),
    ("invariant i: x[Bob] = M1;", "Agent is not a map", "x", ""),
    (
        "invariant i: phase[n] = M1;",
        "this map has keys of type Agent, not 0..3",
        "n",
        "the key is 0..3 because of `var n : 0..3` (specs/m.sts:10)",
    ),
    ("invariant i: n / n = 1;", "can only divide by a positive constant, not `n`", "n", ""),
    ("invariant i: n mod 0 = 1;", "can only take remainders by a positive constant, not `0`", "0", ""),
    (
        "invariant i: friend(M1) = Bob;",
        "`a` of `friend` is Agent, not Kind",
        "M1",
        "the value is Kind because of `enum Kind` (specs/m.sts:4)",
    ),
    (
        "invariant i: friend(y) = Bob;",
        "`y` may be `none`, but `a` of `friend` is Agent",
        "y",
        "`y otherwise …` supplies a default; where a condition says `y is some`, it is a value",
    ),
    ("invariant i: friend(x, x) = Bob;", "`friend` takes 1 argument, 2 given", "friend(x, x)", ""),
    (
        "var z : set of 0..4096;",
        "0..4096 has 4097 values, too many for the elements of a set",
        "0..4096",
        "at most 4096 are allowed: use a smaller type",
    ),
    (
        "var z : map Body to bool; type Big = record { a: Body, c: Body }; var w : set of Big;",
        "Big has 20736 values, too many for the elements of a set",
        "Big",
        "at most 4096 are allowed: use a smaller type",
    ),
    ("var z : 5..3;", "the range 5..3 is empty", "5..3", "write the smaller bound first"),
    ("var z : 0..n;", "`n` depends on the state, but a constant is needed here", "n", ""),
    (
        "type T = record { t: option T };",
        "type `T` contains itself",
        "T",
        "types are finite: break the cycle",
    ),
    (
        "type T = option option Agent;",
        "options cannot be nested",
        "option option Agent",
        "write `option Agent`",
    ),
    ("var z : set of option Agent;", "a set cannot contain `none`", "option Agent", "write `set of Agent`"),
    ("var z : pos;", "only parameters of predicates can be of type `pos`", "pos", ""),
    // Constants.
    (
        "const M : 0..9 = K; const K : 0..9 = 1;",
        "constant `K` is used before its declaration",
        "K",
        "move the declaration up",
    ),
    ("const M : 0..9 = 10;", "const `M` is 0..9, not 10", "10", ""),
    ("const M : Agent = x;", "`x` depends on the state, but a constant is needed here", "x", ""),
    // Definitions.
    (
        "def f(a: Agent): Agent = g(a); def g(a: Agent): Agent = f(a);",
        "definition `f` is recursive: f → g → f",
        "f",
        "recursion is not supported",
    ),
    ("def f(a: Agent): Kind = a; invariant i: f(x) = M1;", "`f` is Kind, not Agent", "a", ""),
    // Records.
    (
        "action a { b' = Body(kind: M1, key: x, n1: Na, n2: none); }",
        "`Body` is missing field `who`",
        "Body(kind: M1, key: x, n1: Na, n2: none)",
        "fields are kind, key, n1, n2, who",
    ),
    (
        "action a { b' = Body(kind: M1, key: x, n1: Na); }",
        "`Body` is missing fields `n2`, `who`",
        "Body(kind: M1, key: x, n1: Na)",
        "fields are kind, key, n1, n2, who",
    ),
    ("action a { b' = b with (kind: M1, kind: M2); }", "field `kind` is given twice", "kind", ""),
    (
        "action a { b' = b with (kind: Na); }",
        "field `kind` is Kind, not Nonce",
        "Na",
        "the value is Nonce because of `enum Nonce` (specs/m.sts:3)",
    ),
    (
        "action a { b' = b with (sort: M1); }",
        "`Body` has no field `sort`",
        "sort",
        "fields are kind, key, n1, n2, who",
    ),
    // Actions.
    (
        "action a { x' = y; }",
        "`y` may be `none`, but `x` is Agent",
        "y",
        "`y otherwise …` supplies a default; where a condition says `y is some`, it is a value",
    ),
    (
        "action a { x' = M1; }",
        "`x` is Agent, not Kind",
        "M1",
        "the value is Kind because of `enum Kind` (specs/m.sts:4)",
    ),
    (
        "action a { phase'[Alice] = M1; phase'[Alice] = M2; }",
        "action `a` assigns phase[Alice] twice",
        "phase'[Alice]",
        "",
    ),
    (
        "action a { phase'[x] = M1; forall q in Agent { phase'[x] = M2; } }",
        "action `a` assigns phase[x] twice",
        "phase'[x]",
        "",
    ),
    ("action a { x' = Bob; if n = 1 { x' = Eve; } }", "action `a` assigns x twice", "x'", ""),
    (
        "action a { b'.key = Bob; b' = b; }",
        "action `a` assigns both b.key and b",
        "b'",
        "one is part of the other",
    ),
    (
        "action a { ob'.key = Bob; }",
        "`ob` may be `none`, so its parts cannot be assigned",
        "ob'.key",
        "write `ob' = ob with (…)`",
    ),
    (
        "action a { N' = 3; }",
        "`N` is a constant and cannot be assigned",
        "N",
        "only variables can be assigned",
    ),
    ("action a { slots'[7] = Bob; }", "7 is never a key of this map", "7", "its keys are 0..3"),
    (
        "action a { peer'[y] = Bob; }",
        "the key `y` may be `none`",
        "y",
        "put `require y is some;` before it, or write `y otherwise …`",
    ),
    ("action a { x' in Kind; }", "`x` is Agent, but this is a set of Kind", "Kind", ""),
    (
        "action a { require x' = Bob; }",
        "`x'` cannot be read here",
        "x'",
        "`x` is its value before the step; next values can only be read in `constrain` and `assume`",
    ),
    ("action a modifies N { }", "`N` is a constant, not a variable", "N", ""),
    ("action a(p, p: Agent) { }", "parameter `p` is declared twice", "p", ""),
    (
        "action a { forall q in s { phase'[Bob] = M1; } }",
        "the domain of a `forall` statement must be constant",
        "s",
        "range over a type, and put the statements into an `if`",
    ),
    // Labels and positions.
    (
        "action a(k: Agent) { } invariant i: a.k = Bob;",
        "`a.k` is the label of a step, which cannot be read here",
        "a.k",
        "labels can only be read in predicates and vocabularies",
    ),
    (
        "action a { } invariant i: action is some;",
        "`action` is the label of a step, which cannot be read here",
        "action",
        "labels can only be read in predicates and vocabularies",
    ),
    (
        "action a(k: Agent) { } pred p(t: pos) = a.j@t = Bob;",
        "action `a` has no parameter `j`",
        "j",
        "its parameters are k",
    ),
    ("pred p(t: pos) = x = Bob;", "`x` is read without a position", "x", "`x@t` reads it at position `t`"),
    (
        "pred p(t: pos) = friend(x)@t = Bob and friend(x) = Bob;",
        "`x` is read without a position",
        "x",
        "`x@t` reads it at position `t`",
    ),
    (
        "pred p(t: pos) = x@n = Bob;",
        "`n` is not a position parameter",
        "n",
        "`@` is followed by the name of a parameter of type `pos`",
    ),
    (
        "invariant i: x@n = Bob;",
        "`@` needs a position, but there is none here",
        "x@n",
        "only predicates have positions: their parameters of type `pos`",
    ),
    (
        "pred p(t: pos) = exists u in pos: t < u;",
        "quantifiers cannot range over positions",
        "pos",
        "add a parameter of type `pos` to the predicate",
    ),
    ("pred p(t: pos) = t = 3;", "cannot compare pos with 3", "t = 3", ""),
    ("pred p(t: pos) = q(t, t); pred q(t: pos) = x@t = Bob;", "`q` takes 1 argument, 2 given", "q(t, t)", ""),
    (
        "pred p(t: pos) = q(x@t); pred q(t: pos) = x@t = Bob;",
        "`x@t` is not a position parameter",
        "x@t",
        "`t` of `q` is a position (specs/m.sts:19)",
    ),
    (
        "pred p(t: pos) = x@t = Bob; invariant i: p(n);",
        "predicate `p` cannot be used here",
        "p(n)",
        "predicates can only be used in predicates and vocabularies; elsewhere, use a `def`",
    ),
    // Properties.
    (
        "ltl l: always (AG x = Bob);",
        "`AG` is a ctl operator, but this is an ltl property",
        "(AG x = Bob)",
        "use `always`",
    ),
    (
        "ctl l: AG always x = Bob;",
        "`always` is an ltl operator, but this is a ctl property",
        "always x = Bob",
        "use `AG` for all paths or `EG` for some path",
    ),
    ("invariant i: x = Bob; ltl i: always x = Bob;", "property `i` is declared twice", "i", ""),
    (
        "ltl l: forall a in s: always a in s;",
        "the domain of a quantifier over temporal formulas must be constant",
        "s",
        "range over a type, and restrict its values in the body",
    ),
    // Vocabularies.
    (
        "pred p(k: bool) = k; vocabulary v = { p };",
        "no variable or part of a variable has type bool, which `p` needs",
        "p",
        "`p(k)` leaves it open; for flag, declare the parameter as `k: option bool`",
    ),
    (
        "pred p(k: Agent) = k = Bob; vocabulary v = { p(y) };",
        "`k` of `p` is Agent, not option Agent",
        "y",
        "declare the parameter as `k: option Agent`",
    ),
    (
        "pred p(k, l: Agent, i: pos) = x@i = k; vocabulary v = { p(x) };",
        "`p` has 2 value parameters, 1 given",
        "p(x)",
        "write `p(k, l)` with k: Agent, l: Agent, or `p` for all that fit",
    ),
    (
        "pred p(k: Agent, i: pos) = x@i = k; vocabulary v = { p(x, n) };",
        "`i` of `p` is a position",
        "n",
        "facts choose positions: give each a new name, or leave all of them out",
    ),
    (
        "pred p(k: Agent, i: pos) = x@i = k; vocabulary v = { p(x, t, t) };",
        "`p` has 1 value parameter, 3 given",
        "p(x, t, t)",
        "write `p(k)` with k: Agent, or `p` for all that fit; positions are not passed here",
    ),
    (
        "pred p(i, j: pos) = x@i = x@j; vocabulary v = { p(t, t) };",
        "`j` of `p` is a position",
        "t",
        "facts choose positions: give each a new name, or leave all of them out",
    ),
    (
        "pred p(k: Agent) = k = Bob; vocabulary v = { p(Bob) };",
        "this does not depend on the trace: `p` has no position",
        "p(Bob)",
        "pass an observable",
    ),
    (
        "pred p(k: Agent, i: pos) = x@i = k; vocabulary v = { p(Alise) };",
        "unknown name `Alise`",
        "Alise",
        "did you mean `Alice`? (enum Agent, specs/m.sts:2)",
    ),
    (
        "pred p(k: Agent, i: pos) = x@i = k; vocabulary v = { p(3) };",
        "`k` of `p` is Agent, not 3..3",
        "3",
        "",
    ),
    (
        "pred p(k: set of Agent, i: pos) = x@i in k; vocabulary v = { p(some_set) };",
        "`some_set` would stand for too many values of type set of Agent",
        "some_set",
        "pass an observable or a value",
    ),
    (
        "pred p(i: pos) = x@i = Bob; vocabulary v = { p(x) };",
        "`i` of `p` is a position",
        "x",
        "facts choose positions: give each a new name, or leave all of them out",
    ),
    ("vocabulary v = { eq(N) };", "`N` does not depend on the state", "N", ""),
    (
        "vocabulary v = { lacks(x) };",
        "`x` contains no set",
        "x",
        "`lacks` states that a value is not in a set",
    ),
    (
        "vocabulary v = { order() };",
        "`order` needs an observable",
        "order()",
        "write `order(x, y)` to compare integers x and y",
    ),
    (
        "vocabulary v = { order(b) };",
        "`b` contains no integer",
        "b",
        "`order` compares integers; `before` is the order of positions",
    ),
    ("vocabulary v = { absent(N) };", "`N` does not depend on the state", "N", ""),
    ("vocabulary v = { absent(nonsense) };", "unknown name `nonsense`", "nonsense", ""),
    (
        "vocabulary generic = { eq(x) }; vocabulary v = genric + { before };",
        "unknown vocabulary `genric`",
        "genric",
        "did you mean `generic`?",
    ),
    ("vocabulary v = w; vocabulary w = v;", "vocabulary `v` contains itself", "v", ""),
    ("vocabulary v = { replay };", "unknown predicate `replay`", "replay", ""),
    ("vocabulary v = { eq(x), befor };", "unknown predicate `befor`", "befor", "did you mean `before`?"),
    (
        "vocabulary v = { x };",
        "`x` is a variable, not a predicate",
        "x",
        "`eq(x)` gives facts about its value",
    ),
    (
        "pred p(t: pos, k: 1..2) = k = 1; vocabulary v = { p };",
        "no variable or part of a variable has type 1..2, which `p` needs",
        "p",
        "`p(k)` leaves it open; otherwise pass an observable or a value for `k`",
    ),
    // Names, sums, enabled actions.
    ("invariant i: (sum a in Agent: a) = 1;", "expected an integer, found Agent", "a", ""),
    (
        "invariant i: (count a in Agent: n) = 1;",
        "expected a truth value, found 0..3",
        "n",
        "it is 0..3 because of `var n : 0..3` (specs/m.sts:10)",
    ),
    (
        "invariant i: (min a in s: n) < 3 and (min a in s: n) + 1 = n and n' = 1;",
        "`n'` cannot be read here",
        "n'",
        "`n` is its value before the step; next values can only be read in `constrain` and `assume`",
    ),
    (
        "invariant i: (max a in Agent: b) = b;",
        "expected an integer, found Body",
        "b",
        "it is Body because of `var b : Body` (specs/m.sts:11)",
    ),
    (
        "action a { n' = min k in s: n; }",
        "`min k in s: n` may be `none`, but `n` is 0..3",
        "min k in s: n",
        "`min k in s: n otherwise …` supplies a default",
    ),
    ("invariant i: min(n, x) = 1;", "cannot compare 0..3 with Agent", "x", ""),
    (
        "invariant i: min(n) = 1;",
        "unknown definition or predicate `min`",
        "min",
        "the least member of a set is `min x in S: x`, the least of some values `min(a, b)`",
    ),
    (
        "invariant i: count(s) = 1;",
        "unknown definition or predicate `count`",
        "count",
        "the number of elements of a set is `size(S)`, of those with a property `count x in S: c`",
    ),
    ("invariant i: sum(s) = 1;", "unknown definition or predicate `sum`", "sum", "write `sum x in S: e`"),
    (
        "invariant i: s.fold(0, n) = 1;",
        "`s` is not an import",
        "s",
        "write `sum x in S: e`, `count x in S: c`, `min x in S: e` or `max x in S: e`",
    ),
    ("invariant i: s.filter(n) = s;", "`s` is not an import", "s", "write `{ x in S : c }`"),
    (
        "invariant i: (sum k in 0..3: k * 4611686018427387904) = n;",
        "`k * 4611686018427387904` may overflow a 64-bit integer",
        "k * 4611686018427387904",
        "narrow the operands' ranges",
    ),
    (
        "invariant i: (sum k in 0..3: (n - k) * 2305843009213693952) = n;",
        "`(sum k in 0..3: (n - k) * 2305843009213693952)` may overflow a 64-bit integer",
        "(sum k in 0..3: (n - k) * 2305843009213693952)",
        "narrow the operands' ranges",
    ),
    (
        "pred p(t1: pos) = let t2 = t1 + 1 in n@t1 = 1;",
        "`let` cannot name a position",
        "t1 + 1",
        "add a parameter of type `pos`, such as `t2`, and say `t2 = t1 + 1`",
    ),
    (
        "invariant i: let z = if n = 1 then none else none in z = y;",
        "the type of `if n = 1 then none else none` is unknown",
        "if n = 1 then none else none",
        "write the value where it is used",
    ),
    ("invariant i: let z = n in z' = n;", "`z` is a bound name; only variables have a next value", "z", ""),
    (
        "ltl l: let z = n + 1 in always n < z;",
        "`z` is a value of one state, and the formula is about several",
        "n + 1",
        "use `def`, which is read in each state, or put the `let` into a part without temporal operators",
    ),
    (
        "ctl l: (sum k in 0..3: EF n = k) = 1;",
        "a temporal operator cannot occur inside a state expression",
        "(sum k in 0..3: EF n = k) = 1",
        "only `not`, `and`, `or`, `=>`, `<=>`, `if` and quantifiers can be applied to temporal formulas",
    ),
    ("action a { if n = 1 { let k = 2; } n' = k; }", "unknown name `k`", "k", ""),
    (
        "const C : bool = enabled(go); action go { require n = 1; }",
        "`enabled(go)` depends on the state, but a constant is needed here",
        "enabled(go)",
        "",
    ),
    (
        "action go { require n = 1; } pred p(t: pos) = enabled(go);",
        "`enabled(go)` is read without a position",
        "enabled(go)",
        "`enabled(go)@t` reads it at position `t`",
    ),
    (
        "action go { require enabled(stay); } action stay {}",
        "which steps exist cannot depend on which steps are enabled",
        "enabled(stay)",
        "`enabled` cannot be read in actions and assumptions: repeat the conditions of the action, as a `def` for both",
    ),
    (
        "def can: bool = enabled(stay); action stay { require n = 1; } assume can;",
        "which steps exist cannot depend on which steps are enabled",
        "can",
        "`enabled` cannot be read in actions and assumptions: repeat the conditions of the action, as a `def` for both",
    ),
    (
        "invariant i: enabled(n);",
        "`n` is a variable, not an action",
        "n",
        "write `enabled(a)`, or `enabled(a(p: v))` with some of its arguments",
    ),
    (
        "invariant i: enabled(go_nov); action go_now {}",
        "unknown action `go_nov`",
        "go_nov",
        "did you mean `go_now`? (action, specs/m.sts:19)",
    ),
    (
        "invariant i: enabled(go(Bob)); action go(a: Agent) {}",
        "the arguments of an action are given by name",
        "enabled(go(Bob))",
        "write `enabled(go(p: v))`",
    ),
    (
        "invariant i: enabled(go(b: Bob)); action go(a: Agent) {}",
        "action `go` has no parameter `b`",
        "b",
        "its parameters are a",
    ),
    (
        "invariant i: enabled(go(a: Bob, a: Eve)); action go(a: Agent) {}",
        "`a` is given twice",
        "a",
        "give it one value",
    ),
    (
        "invariant i: enabled(go(a: n)); action go(a: Agent) {}",
        "parameter `a` is Agent, not 0..3",
        "n",
        "the value is 0..3 because of `var n : 0..3` (specs/m.sts:10)",
    ),
    (
        "invariant i: enabled(n = 1);",
        "`enabled` is about one action",
        "enabled(n = 1)",
        "write `enabled(a)`, or `enabled(a(p: v))` with some of its arguments",
    ),
    (
        "var wide : map 0..9 to 0..9; invariant i: enabled(go); action go modifies wide { constrain wide'[0] > wide[0]; }",
        "`enabled(go)` would try too many values of `wide`, which `go` modifies",
        "enabled(go)",
        "assign `wide`, or give it a type with at most 4096 values",
    ),
    (
        "invariant i: slots[n + 1] = Bob and n = slots[0];",
        "cannot compare 0..3 with Agent",
        "n = slots[0]",
        "left side is 0..3 because of `var n : 0..3` (specs/m.sts:10)",
    ),
    (
        "action a { x' = slots[n + 1]; }",
        "`slots[n + 1]` may be `none`, but `x` is Agent",
        "slots[n + 1]",
        "`slots[n + 1] otherwise …` supplies a default",
    ),
    (
        "requires { type T; }",
        "only libraries and components can have `requires`",
        "requires { type T; }",
        "declare it in the model itself",
    ),
];

#[test]
fn each_mistake_gives_its_message() {
    let load = |items: &str| load(&format!("{BASE}{items}\n"), &[]);
    check_mistakes(CASES, load);
}

#[test]
fn notes_and_related_places_are_as_designed() {
    let text = format!("{BASE}action finish {{\n  phase'[Alice] = M1;\n  phase'[Alice] = M2;\n}}\n");
    let loaded = load(&text, &[]);
    let shown = render(&loaded.diagnostics[0], &loaded.sources, false);
    let expected = "error: action `finish` assigns phase[Alice] twice
  --> specs/m.sts:21:3
   |
21 |   phase'[Alice] = M2;
   |   ^^^^^^^^^^^^^
  --> specs/m.sts:20:3
   |
20 |   phase'[Alice] = M1;
   |   ^^^^^^^^^^^^^ first assigned here
";
    assert_eq!(shown, expected);
}

/// The entry of a map may be absent because of a key whose range is too wide.
#[test]
fn keys_that_may_be_outside_are_explained() {
    let cases = [
        ("def up(k: 0..3): 0..4 = k + 1; action a { x' = slots[up(n)]; }", "up(n)", "1..4"),
        ("def up(k: 0..3): 0..4 = if k = 2 then 0 else k + 1; invariant i: enemies[up(n)];", "up(n)", "0..4"),
        ("invariant i: n > 0 and enemies[n + 1];", "n + 1", "1..4"),
        ("def same(k: 0..3): 0..3 = k; invariant i: enemies[same(n + 1)];", "same(n + 1)", "1..4"),
    ];
    for (items, key, range) in cases {
        let text = format!("{BASE}var enemies : map 0..3 to bool;\n{items}\n");
        let loaded = load(&text, &[]);
        let note = format!("the key `{key}` is {range}, and the keys are 0..3: exclude the others with `if`");
        let errors: Vec<_> = loaded.diagnostics.iter().filter(|d| d.is_error()).collect();
        assert_eq!(errors.len(), 1, "{items}");
        assert_eq!(errors[0].notes, [note], "{items}");
    }
    let good = [
        "def up(k: 0..3): 0..3 = if k = 3 then 0 else k + 1; invariant i: enemies[up(n)];",
        // Nothing is left of n where the definition looks for less than 3.
        "def up(k: 0..3): 0..3 = if k = 3 then 0 else k + 1; invariant i: n = 3 and (if n = 3 then enemies[up(n)] else true);",
    ];
    for items in good {
        let loaded = load(&format!("{BASE}var enemies : map 0..3 to bool;\n{items}\n"), &[]);
        assert!(loaded.diagnostics.is_empty(), "{}", all(&loaded.diagnostics, &loaded.sources));
    }
}

#[test]
fn a_value_from_outside_has_to_fit() {
    let cases = [
        ("FIX", "2", "--set FIX=2: the value is not of type bool", "true or false"),
        ("N", "12", "--set N=12: the value is not of type 0..9", "an integer from 0 to 9"),
        ("N", "1 +", "--set N=1 +: the value is not of type 0..9", "an integer from 0 to 9"),
        ("N", "x", "--set N=x: the value is not of type 0..9", "an integer from 0 to 9"),
        ("WHO", "Zoe", "--set WHO=Zoe: the value is not of type option Agent", "none, or Alice, Bob or Eve"),
        ("FIXX", "true", "unknown constant `FIXX` in --set FIXX=true", "did you mean `FIX`?"),
        ("Q", "1", "unknown constant `Q` in --set Q=1", "constants are N, FIX, WHO"),
    ];
    for (name, value, message, help) in cases {
        let loaded = load(&format!("{BASE}const WHO : option Agent = none;\n"), &[(name, value)]);
        assert_eq!(loaded.diagnostics.len(), 1, "{}", all(&loaded.diagnostics, &loaded.sources));
        assert_eq!(loaded.diagnostics[0].message, message);
        assert_eq!(loaded.diagnostics[0].help.as_deref(), Some(help));
        assert_eq!(loaded.diagnostics[0].span, None);
    }
}

/// Imports of the message library: bindings; message; place; help or note.
const IMPORTS: &[Mistake] = &[
    (
        "Agent = Agent, sent = n = 1, sender = y, receiver = y, Attacker = Eve, Content = Body",
        "import `msgs` does not bind `content`, required by predicates/messages.pred:11",
        "msgs",
        "add `content = …`",
    ),
    (
        "Content = Bodi, sent = n = 1, sender = y, receiver = y, content = ob, Attacker = Eve",
        "unknown type `Bodi`",
        "Bodi",
        "did you mean `Body`? (type, specs/m.sts:5)",
    ),
    (
        "Content = Body, sent = n = 1, sender = y, reciever = y, content = ob, receiver = y, Attacker = Eve",
        "the library imported as `msgs` does not require `reciever`",
        "reciever",
        "did you mean `receiver`?",
    ),
    (
        "Content = Body, sent = n, sender = y, receiver = y, content = ob, Attacker = Eve",
        "import `msgs` needs `sent` of type bool, not 0..3",
        "n",
        "it is required by predicates/messages.pred:8",
    ),
    (
        "Content = Body, sent = n = 1, sender = n, receiver = y, content = ob, Attacker = Eve",
        "import `msgs` needs `sender` of type option Agent, not 0..3",
        "n",
        "it is required by predicates/messages.pred:9",
    ),
    (
        "Content = Body, sent = flag, sender = y, receiver = y, content = ob, Attacker = Eve",
        "import `msgs` needs `sent` of type bool, not option bool",
        "flag",
        "`sent = … otherwise …` supplies a default",
    ),
    (
        "Content = Body, sent = n = 1, sender = y, receiver = y, content = ob, Attacker = x",
        "`x` depends on the state, but a constant is needed here",
        "x",
        "",
    ),
    (
        "Content = Body, sent = n = 1, sender = y, receiver = y, content = ob, Attacker = Eve, sent = true",
        "`sent` is bound twice",
        "sent",
        "",
    ),
    (
        "Content = Bob, sent = n = 1, sender = y, receiver = y, content = ob, Attacker = Eve",
        "`Bob` is a value of an enumeration, not a type",
        "Bob",
        "",
    ),
    (
        "Content = 3, sent = n = 1, sender = y, receiver = y, content = ob, Attacker = Eve",
        "`Content` must be bound to a type",
        "3",
        "write the name of a type",
    ),
];

#[test]
fn each_wrong_import_gives_its_message() {
    check_mistakes(IMPORTS, |bindings| {
        let import = format!("import \"../predicates/messages.pred\" as msgs with {{ {bindings} }};\n");
        load(&format!("{BASE}{import}vocabulary v = {{ eq(x), msgs.replay }};\n"), &[])
    });
}

#[test]
fn files_that_cannot_be_imported() {
    let import = |path: &str| format!("{BASE}import \"{path}\" as l;\n");
    let files = [
        ("specs/a.pred", "library a; import \"b.pred\" as b;"),
        ("specs/b.pred", "library b; import \"a.pred\" as a;"),
        ("specs/other.sts", "model other;"),
        ("specs/wrong.pred", "library wrong; requires { type T; observe o : T; } pred p(t: pos) = o@t = 3;"),
        ("specs/state.pred", "library state; var x : bool;"),
    ];
    let cases = [
        ("nowhere.pred", "cannot read specs/nowhere.pred: there is no such file", "specs/m.sts:19:8"),
        ("a.pred", "cyclic import: specs/a.pred → specs/b.pred → specs/a.pred", "specs/b.pred:1:19"),
        ("m.sts", "cyclic import: specs/m.sts → specs/m.sts", "specs/m.sts:19:8"),
        ("other.sts", "this is a model, not a library", "specs/m.sts:19:8"),
        ("state.pred", "a library cannot declare variables", "specs/state.pred:1:16"),
    ];
    for (path, message, place) in cases {
        let loaded = load_with(&import(path), &[], &files);
        let shown = all(&loaded.diagnostics, &loaded.sources);
        assert_eq!(loaded.diagnostics.len(), 1, "{shown}");
        assert_eq!(loaded.diagnostics[0].message, message);
        assert_eq!(loaded.diagnostics[0].span.map(|s| loaded.sources.place(s)).as_deref(), Some(place));
    }
    // A mistake in a library is told once, in the library, however often it is imported.
    let twice = format!(
        "{BASE}import \"wrong.pred\" as k with {{ T = Agent, o = x }};
import \"wrong.pred\" as l with {{ T = Kind, o = b.kind }};
vocabulary v = {{ k.p, l.p }};\n"
    );
    let loaded = load_with(&twice, &[], &files);
    assert_eq!(loaded.diagnostics.len(), 1, "{}", all(&loaded.diagnostics, &loaded.sources));
    assert_eq!(loaded.diagnostics[0].message, "cannot compare T with 3");
    assert_eq!(
        loaded.diagnostics[0].notes,
        ["left side is T because of `observe o : T` (specs/wrong.pred:1)"]
    );
}

#[test]
fn all_that_is_wrong_with_imports_is_reported_at_once() {
    let text = format!(
        "{BASE}import \"nowhere.pred\" as k;
import \"../predicates/messages.pred\" as l with {{ Content = Body, sent = n, sender = x, reciever = y, content = zz }};
import \"../predicates/messages.pred\" as m with {{ sent = n, sender = y, receiver = y, content = ob, Attacker = Eve }};
"
    );
    let loaded = load(&text, &[]);
    let found: Vec<&str> = loaded.diagnostics.iter().map(|d| d.message.as_str()).collect();
    assert_eq!(
        found,
        [
            "cannot read specs/nowhere.pred: there is no such file",
            "import `l` does not bind `Attacker`, required by predicates/messages.pred:7",
            "import `l` does not bind `receiver`, required by predicates/messages.pred:10",
            "import `l` needs `sent` of type bool, not 0..3",
            "the library imported as `l` does not require `reciever`",
            "unknown name `zz`",
            "import `m` does not bind `Content`, required by predicates/messages.pred:6",
            "import `m` needs `sent` of type bool, not 0..3",
        ]
    );
}

/// Things that are allowed but look wrong: warning; place.
const WARNINGS: &[(&str, &str, &str)] = &[
    ("invariant i: n = 7;", "`n = 7` is never true", "n = 7"),
    ("invariant i: n != 7;", "`n != 7` is always true", "n != 7"),
    ("invariant i: 5 <= n;", "`5 <= n` is never true", "5 <= n"),
    ("invariant i: n > 3;", "`n > 3` is never true", "n > 3"),
    (
        "pred p(k: 0..3) = k > 4;",
        "`k > 4` is never true of arguments that fit the types of their parameters",
        "k > 4",
    ),
    (
        "def big(some_of: set of Agent max 1): bool = size(some_of) = 2;",
        "`size(some_of) = 2` is never true of arguments that fit the types of their parameters",
        "size(some_of) = 2",
    ),
    ("pred p(t: pos) = n@t > 4;", "`n@t > 4` is never true", "n@t > 4"),
    ("action a(k: 0..3) { require k > 4; }", "`k > 4` is never true", "k > 4"),
    ("invariant i: x is some;", "`x` is Agent, which is never `none`", "x is some"),
    ("invariant i: (x otherwise Bob) = Eve;", "`x` is Agent, which is never `none`", "x"),
    ("action a { n' = 9; }", "9 is never in 0..3", "9"),
    ("init { n = 0; } action a { }", "no action assigns `n`, so it keeps its initial value", "n"),
    (
        "action a(x: Agent) { require x = Bob; }",
        "`x` shadows a name declared outside (variable, specs/m.sts:8)",
        "x",
    ),
    ("invariant i: slots[n + 9] = Bob;", "9..12 is never a key of this map", "n + 9"),
    ("pred p(t: pos) = y@t != Bob;", "`y@t != Bob` is also true where `y` is `none`", "y@t != Bob"),
    (
        "pred p(t: pos) = n@t = 1 or Bob != peer[x]@t;",
        "`Bob != peer[x]@t` is also true where `peer[x]` is `none`",
        "Bob != peer[x]@t",
    ),
    (
        "pred p(t: pos) = y@t = Eve or y@t != Bob;",
        "`y@t != Bob` is also true where `y` is `none`",
        "y@t != Bob",
    ),
    (
        "pred p(t: pos) = none = y@t and y@t != Bob;",
        "`y@t != Bob` is also true where `y` is `none`",
        "y@t != Bob",
    ),
    (
        "pred p(t, u: pos) = y@t = peer[x]@u;",
        "`y@t = peer[x]@u` is also true where both are `none`",
        "y@t = peer[x]@u",
    ),
    (
        "action go(p: Agent) { y' = p; } pred p(t, u: pos) = t < u and go.p@t = go.p@u;",
        "`go.p@t = go.p@u` is also true where both are `none`",
        "go.p@t = go.p@u",
    ),
    (
        "pred k(t: pos) = n@t = 1; pred p(t, u: pos) = k(t) and y@u is none or y@t = peer[x]@u;",
        "`y@t = peer[x]@u` is also true where both are `none`",
        "y@t = peer[x]@u",
    ),
    (
        "pred p(t, u: pos) = y@u is none or y@t != Bob;",
        "`y@t != Bob` is also true where `y` is `none`",
        "y@t != Bob",
    ),
];

#[test]
fn each_doubtful_thing_gives_its_warning() {
    let mut failures = Vec::new();
    for (items, message, place) in WARNINGS {
        let loaded = load(&format!("{BASE}{items}\n"), &[]);
        let shown = all(&loaded.diagnostics, &loaded.sources);
        let one = loaded.diagnostics.len() == 1 && loaded.model.is_some();
        let wanted = loaded.diagnostics.first().is_some_and(|d| {
            let found = d.span.map(|s| loaded.sources.snippet(s)).unwrap_or_default();
            d.severity == Severity::Warning && d.message == *message && found == *place
        });
        if !one || !wanted {
            failures.push(format!("{items}\n  expected {message} | {place}\n{shown}"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n----\n"));
}

/// Things that look like the ones above and are fine.
#[test]
fn what_is_meant_gives_no_warning() {
    let items = "
pred p(t: pos) = y@t is some and y@t != Bob;
pred q(t, u: pos) = y@t = Eve and y@t != Bob and y@t != y@u;
pred r(t: pos) = y@t is some => y@t != Bob;
pred g0(t: pos) = none = y@t or y@t != Bob;
pred g1(t: pos) = y@t is none or n@t = 1 or y@t != Bob;
pred g2(t: pos) = y@t != Bob or n@t = 1 and n@t < 2 or y@t = none;
pred g3(t: pos) = not (y@t is none) and y@t != Bob and (n@t = 1 or y@t != Eve);
pred g4(t: pos) = if y@t is none then n@t = 1 else y@t != Bob;
pred g5(t: pos) = y@t != Bob => y@t is none;
pred h0(t, u: pos) = y@t is some and y@t = peer[x]@u and peer[x]@u != Eve;
pred h1(t, u: pos) = t < u and y@t = y@u;
pred h2(t, u: pos) = x@t = y@t and y@t = peer[x]@u;
pred h3(t: pos) = y@t is some;
pred h4(t, u: pos) = h3(u) and y@u = peer[x]@t;
pred h5(t, u: pos) = h4(u, t) and peer[x]@u = ob.who@t;
pred h6(t, u: pos) = action@t = end_with and end_with.p@t = y@u;
pred h7(t, u: pos) = end_with.k@t < 2 and end_with.p@t = y@u;
pred h8(t, u: pos) = end_with.k@t = 1 and end_with.k@u = end_with.k@t + 1 and end_with.k@u = any_number.k@t;
invariant i: N > 5 => n = 0;
invariant j: y != Bob;
init { y = Bob; slots[0] = Bob; n > 0; x = Alice; b.key = Bob; flag = none; }
action a { forall k in 0..3 { if k = 2 { slots'[k] = Bob; } } }
action any_other modifies y { constrain y' != Bob; }
action end { x' = Bob; }
action end_with(p: Agent, k: 0..3) { y' = p; }
action any_number(k: 0..3) { n' = k; }
action fixed { if FIX { flag' = true; } }
";
    let loaded = load(&format!("{BASE}{items}"), &[]);
    assert!(loaded.diagnostics.is_empty(), "{}", all(&loaded.diagnostics, &loaded.sources));
    assert_eq!(loaded.model.map(|m| m.actions[0].updates.len()), Some(1));
}

/// One run reports every mistake.
#[test]
fn mistakes_do_not_hide_each_other() {
    let items = "
invariant i: x = Alise and phase[Bobb] = M3;
def f(a: Agent): Agent = g(a);
action a { require f(x) = Bob; y' = f(Alice); x' = none; }
";
    let loaded = load(&format!("{BASE}{items}"), &[]);
    let messages: Vec<&str> = loaded.diagnostics.iter().map(|d| d.message.as_str()).collect();
    let expected = [
        "unknown name `Alise`",
        "unknown name `Bobb`",
        "unknown name `M3`",
        "unknown definition or predicate `g`",
        "`x` is Agent, not none",
    ];
    assert_eq!(messages, expected);
}

/// Small texts that mean very much.
#[test]
fn what_expands_to_too_much_is_an_error() {
    let chain = |count: usize, body: &dyn Fn(usize) -> String| {
        let defs = (1..=count).map(|i| format!("def f{i}(a: Agent): bool = {};\n", body(i - 1)));
        let defs: String = defs.collect();
        format!("{BASE}def f0(a: Agent): bool = a = x;\n{defs}invariant i: f{count}(x);\n")
    };
    let nested = |i: usize| format!("{}f{i}(a){}", "(not ".repeat(50), ")".repeat(50));
    let cases = [
        // The arguments are all different.
        (
            chain(40, &|i| format!("f{i}(friend(a)) or f{i}(if x = a then a else friend(a))")),
            "this expands to too many expressions",
        ),
        (chain(60, &nested), "this expands to too many expressions"),
        (
            format!("{BASE}const K : bool = forall a, b, c, d in 0..4095: a = b or c = d or a < 4096;\n"),
            "this is not a constant expression",
        ),
        (
            format!(
                "{BASE}action a {{ forall p in 0..4095 {{ forall q in 0..4095 {{ require p != n or q != n; }} }} }}\n"
            ),
            "this expands to too many expressions",
        ),
    ];
    let reversed = |text: &str| {
        let (base, rest) = text.split_at(BASE.len());
        base.to_string() + &rest.lines().rev().map(|l| format!("{l}\n")).collect::<String>()
    };
    let backwards: Vec<_> = cases[1..2].iter().map(|(text, message)| (reversed(text), *message)).collect();
    for (text, message) in cases.into_iter().chain(backwards) {
        let loaded = load(&text, &[]);
        let errors: Vec<_> = loaded.diagnostics.iter().filter(|d| d.is_error()).collect();
        let shown = all(&loaded.diagnostics, &loaded.sources);
        assert!(errors.first().is_some_and(|d| d.message.starts_with(message)), "{message}\n{shown:.2000}");
    }
    let vocabularies: String = (0..5000).map(|i| format!("vocabulary v{i} = v{};\n", i + 1)).collect();
    let types: String = (0..5000).map(|i| format!("type T{i} = option T{};\n", i + 1)).collect();
    for text in [vocabularies, types] {
        assert!(load(&format!("{BASE}{text}"), &[]).model.is_none());
    }
}

/// Words that are special in some places only are names elsewhere, whatever follows them.
#[test]
fn words_of_some_places_are_names_elsewhere() {
    for name in ["function", "operation", "variable", "component", "record", "enumeration"] {
        for rest in ["and (x = 0)", "or (x = 1)", "=> (x = 0)", "in {true}", "= (x = 0)", "!= (x = 1)"] {
            let text = format!(
                "model m; var {name} : bool; var x : 0..3; init {{ x = 0; {name} {rest}; }} \
                 action go() {{ x' = 1; {name}' = not {name}; }} invariant small: {name} or (x < 3);"
            );
            let loaded = load(&text, &[]);
            let is_keyword = name == "record";
            assert_eq!(loaded.model.is_some(), !is_keyword, "{text}: {:?}", loaded.diagnostics);
        }
    }
}

#[test]
fn what_follows_from_a_value_that_never_fits_is_said_of_the_action() {
    let notes = |action: &str| {
        let loaded = load(&format!("{BASE}{action}"), &[]);
        loaded.diagnostics.into_iter().flat_map(|d| d.notes).collect::<Vec<String>>()
    };
    assert_eq!(notes("action go { n' = 9; }"), ["`n` is 0..3, so action `go` has no step"]);
    let guarded = notes("action go { if x = Bob { n' = 9; } else { n' = 1; } }");
    assert_eq!(guarded, ["`n` is 0..3, so action `go` has no step that does this"]);
}

#[test]
fn the_word_action_as_a_name_is_one_mistake() {
    let text = "model m; var action: bool; init { not action; } action go { action' = true; } \
                action stop { require action; action' = false; } fairness action stop; \
                invariant fine: action = false or action; pred p(i: pos) = action@i; \
                vocabulary v = { eq(action), p };";
    let loaded = load(text, &[]);
    let shown = all(&loaded.diagnostics, &loaded.sources);
    let messages: Vec<&str> = loaded.diagnostics.iter().map(|d| d.message.as_str()).collect();
    assert_eq!(messages, ["expected a name, found the keyword `action`"], "{shown}");
}
