//! Names from other languages, with help on how to write the same here.

/// Help for an unknown name; `what` is the kind of entity that was expected.
pub fn meant_by(what: &str, name: &str) -> Option<&'static str> {
    let table = match what {
        "type" => TYPES,
        "name" => VALUES,
        "definition or predicate" => FUNCTIONS,
        _ => return None,
    };
    table.iter().find(|(names, _)| names.contains(&name)).map(|(_, help)| *help)
}

/// Help for a function called as a method: `s.size()`.
pub fn method(name: &str) -> Option<&'static str> {
    METHODS.iter().find(|(names, _)| names.contains(&name)).map(|(_, help)| *help)
}

type MethodTable = &'static [(&'static [&'static str], &'static str)];

const TYPES: MethodTable = &[
    (
        &["Int", "integer", "Integer", "nat", "Nat", "natural", "number", "uint", "byte"],
        "integers are `int`, or those from `lo..hi`",
    ),
    (&["boolean", "Boolean", "BOOLEAN", "Bool", "BOOL"], "truth values are `bool`"),
    (&["string", "String", "str", "text"], "strings are not supported; declare `enum { … }`"),
    (
        &["list", "List", "seq", "Seq", "sequence", "array", "vector"],
        "a sequence is `seq of T max n`; a map from a range is `map 0..3 to T`",
    ),
];

const VALUES: MethodTable = &[
    (
        &["null", "Null", "NULL", "nil", "Nil", "None", "undefined", "NONE", "empty"],
        "an absent value is `none`, a value of every `option T`; the empty set is `{}`",
    ),
    (&["int", "Int", "integer", "nat", "Nat", "Integer"], "a set of integers has bounds: `lo..hi`"),
    (&["deadlock"], "a deadlock is `not EX true` in a `ctl` formula without fairness"),
];

const FUNCTIONS: MethodTable = &[
    (SIZES, SIZE),
    (
        &["min", "Min", "minimum", "MIN"],
        "the least member of a set is `min x in S: x`, the least of some values `min(a, b)`",
    ),
    (
        &["max", "Max", "maximum", "MAX"],
        "the greatest member of a set is `max x in S: x`, of some values `max(a, b)`",
    ),
    (&["sum", "Sum", "SUM"], "write `sum x in S: e`"),
    (FOLDS, FOLD),
    (&["ENABLED", "Enabled"], "write `enabled(a)`, or `enabled(a(p: v))`"),
    (&["case", "CASE", "switch", "cond", "ite", "ITE"], "write `if c then a else if d then b else e`"),
    (&["choose", "CHOOSE", "oneOf", "pick"], CHOICE),
    (&["Set"], "a set is `{ a, b }`"),
    (&["Append", "push", "push_back", "enqueue", "add_last", "snoc"], "write `append(q, e)`"),
    (&["Head", "head", "front", "peek", "hd"], "the first element of a sequence is `first(q)`"),
    (&["top", "back", "Last"], LAST),
    (&["Tail", "tail", "dequeue", "pop_front", "popFront", "shift", "tl"], REST),
    (&["Front", "pop_back", "popBack", "butlast", "dropLast", "drop_last"], POP),
    (&["Cons", "cons", "push_front", "pushFront", "unshift", "add_first"], PREPEND),
    (&["Concat", "append_all", "appendAll", "extend", "chain"], CONCAT),
    (
        &["removeAt", "RemoveAt", "delete_at", "deleteAt", "erase_at", "remove_index", "removeIndex"],
        REMOVE_AT,
    ),
    (&["List", "Seq"], "a sequence is `[a, b]`"),
    (&["abs", "Abs"], "write `if x < 0 then -x else x`"),
    (&["Some", "just", "Just"], "a present value is `some(e)`, or just `e`"),
    (&["G", "globally", "Globally"], "write `always e`; in `ctl` properties `AG e` or `EG e`"),
    (&["F", "finally", "Finally"], "write `eventually e`; in `ctl` properties `AF e` or `EF e`"),
    (&["X"], "write `next e`; in `ctl` properties `AX e` or `EX e`"),
    (&["old", "Old", "prev", "Prev", "previous", "before"], PRE),
    (&["never"], "write `always not e` in `ltl` properties, `never e between t1 and t2` in predicates"),
    (&["implies"], "implication is `=>`"),
    (&["iff"], "equivalence is `<=>`"),
    // Of a label in quotes.
    (&["enabled", "matches"], LABELS),
];

const METHODS: MethodTable = &[
    (SIZES, SIZE),
    (&["contains", "has", "includes", "member", "elem"], MEMBER),
    (&["union", "add", "insert", "push", "include"], "set union is `union`: `S union {x}`"),
    (&["remove", "exclude", "delete", "erase"], "set difference is `minus`: `S minus {x}`"),
    (&["append", "push_back"], "write `append(q, e)`"),
    (&["head", "front", "first"], "the first element of a sequence is `first(q)`"),
    (&["last", "top", "back"], LAST),
    (&["tail", "rest", "pop_front", "popFront", "dequeue"], REST),
    (&["pop", "pop_back", "popBack"], POP),
    (&["prepend", "push_front", "pushFront"], PREPEND),
    (&["concat", "extend", "addAll"], CONCAT),
    (&["removeAt", "remove_at", "deleteAt", "delete_at"], REMOVE_AT),
    (FOLDS, FOLD),
    (&["sum"], "write `sum x in S: x`"),
    (&["min", "minimum"], "write `min x in S: x`"),
    (&["max", "maximum"], "write `max x in S: x`"),
    (&["filter", "select"], "write `{ x in S : c }`"),
    (&["all", "every"], "write `forall x in S: …`"),
    (&["any"], "write `exists x in S: …`"),
    (&["oneOf", "chooseSome", "choose"], CHOICE),
    (&["get", "at"], "the entry of a map is `m[k]`"),
    (&["subseteq", "isSubset", "is_subset"], "write `S subset T`"),
    (&["isEmpty", "is_empty", "empty"], "write `S = {}`"),
];

const LAST: &str = "the last element of a sequence is `last(q)`";
const REST: &str = "a sequence without its first element is `rest(q)`, and the element `first(q)`";
const POP: &str = "a sequence without its last element is `pop(q)`, and the element `last(q)`";
const PREPEND: &str = "write `prepend(q, e)`";
const CONCAT: &str = "one sequence after another is `concat(q, r)`";
const REMOVE_AT: &str = "write `remove_at(q, i)`";
const PRE: &str =
    "the state before a step is read in predicates, `pre x@t`; in actions, `x` is the value before the step";
const SIZES: &[&str] = &["len", "length", "card", "cardinality", "Cardinality", "count", "size", "Len"];
const SIZE: &str = "the number of elements of a set is `size(S)`, of those with a property `count x in S: c`";
const FOLDS: &[&str] = &["fold", "foldl", "foldr", "foldLeft", "fold_left", "reduce"];
const FOLD: &str = "write `sum x in S: e`, `count x in S: c`, `min x in S: e` or `max x in S: e`";
const CHOICE: &str =
    "an action parameter or `x' in S;` leaves a choice open; one member of a set is `min x in S: x`";
const LABELS: &str = "formulas over a model refer to its variables, not to labels; formulas over labels are decided on a file \
                      written by `cladist export aut MODEL`";
const MEMBER: &str = "membership is `x in S`";
