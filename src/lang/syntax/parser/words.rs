//! Words from other languages and misspelt words, with the keywords they stand for.

/// Words from other languages in place of the keyword of a declaration.
pub(super) const DECLARATION_SYNONYMS: &[(&str, &str)] = &[
    ("variable", "var"),
    ("variables", "var"),
    ("state", "var"),
    ("constant", "const"),
    ("let", "def"),
    ("val", "def"),
    ("fn", "def"),
    ("fun", "def"),
    ("func", "def"),
    ("function", "def"),
    ("define", "def"),
    ("pure", "def"),
    ("predicate", "pred"),
    ("rule", "action"),
    ("event", "action"),
    ("transition", "action"),
    ("trans", "action"),
    ("property", "invariant"),
    ("safety", "invariant"),
    ("assert", "invariant"),
    ("spec", "invariant"),
    ("struct", "type"),
    ("datatype", "type"),
    ("enum", "type"),
    ("record", "type"),
    ("fact", "assume"),
    ("fair", "fairness"),
    ("strongly", "fairness strong"),
    ("open", "import"),
    ("use", "import"),
    ("include", "import"),
    ("LTLSPEC", "ltl"),
    ("CTLSPEC", "ctl"),
    ("INVARSPEC", "invariant"),
    ("initial", "init"),
    ("inline", "operation"),
    ("procedure", "operation"),
    ("proc", "operation"),
    ("subroutine", "operation"),
    ("method", "operation"),
    ("proctype", "action"),
    ("process", "action"),
    ("instance", "import"),
    ("INSTANCE", "import"),
    ("EXTENDS", "import"),
    ("extends", "import"),
];

/// Words at the beginning of an example, with the right one.
pub(super) const EXAMPLES: &[(&str, &str)] = &[
    ("example", "example"),
    ("examples", "example"),
    ("counterexample", "counterexample"),
    ("counterexamples", "counterexample"),
    ("counter_example", "counterexample"),
    ("counter", "counterexample"),
    ("witness", "example"),
    ("scenario", "example"),
    ("test", "example"),
    ("run", "example"),
];

/// Words from other languages in place of the keyword of a statement.
pub(super) const STATEMENT_SYNONYMS: &[(&str, &str)] = &[
    ("assert", "require"),
    ("guard", "require"),
    ("when", "require"),
    ("pre", "require"),
    ("where", "require"),
    ("requires", "require"),
    ("for", "forall"),
    ("foreach", "forall"),
    ("all", "forall"),
    ("ensure", "constrain"),
    ("ensures", "constrain"),
    ("val", "let"),
    ("LET", "let"),
    ("local", "let"),
];

/// Words of other languages before a call.
pub(super) const CALLERS: &[&str] =
    &["run", "call", "do", "await", "perform", "exec", "invoke", "spawn", "start"];

/// Infix operators of other languages, with help on the spelling here.
pub(super) const INFIX_SYNONYMS: &[(&str, &str)] = &[
    ("implies", "implication is `=>`"),
    ("iff", "equivalence is `<=>`"),
    ("xor", "exclusive or of truth values is `!=`"),
    ("div", "division is `/`"),
    ("U", "write `f until g`; in `ctl` properties `A[f U g]` or `E[f U g]`"),
    ("W", "write `f weak until g`"),
    ("R", "write `f release g`"),
    ("V", "write `f release g`"),
    ("where", "names come before the expression that uses them: `let x = e in body`"),
];

/// Prefix operators of other languages, with help on the spelling here.
pub(super) const OPERAND_SYNONYMS: &[(&str, &str)] = &[
    ("all", "write `forall x in S: …`"),
    ("any", "write `exists x in S: …`"),
    ("exist", "write `exists x in S: …`"),
    ("let", LET),
    ("LET", LET),
    ("val", LET),
    ("sum", "write `sum x in S: e`"),
    ("SUM", "write `sum x in S: e`"),
    ("count", "write `count x in S: c`"),
    ("min", "write `min x in S: e`, or `min(a, b)`"),
    ("max", "write `max x in S: e`, or `max(a, b)`"),
    ("one", "write `(count x in S: c) = 1`"),
    ("lone", "write `(count x in S: c) <= 1`"),
    ("no", "write `not (exists x in S: …)`; of positions, `never e between t1 and t2`"),
    ("enabled", "write `enabled(a)`, or `enabled(a(p: v))`"),
    ("ENABLED", "write `enabled(a)`, or `enabled(a(p: v))`"),
    ("case", CASES),
    ("CASE", CASES),
    ("switch", CASES),
    ("choose", CHOICES),
    ("CHOOSE", CHOICES),
    ("nondet", CHOICES),
    ("G", "write `always e`; in `ctl` properties `AG e` or `EG e`"),
    ("F", "write `eventually e`; in `ctl` properties `AF e` or `EF e`"),
    ("X", "write `next e`; in `ctl` properties `AX e` or `EX e`"),
    ("globally", "write `always e`"),
    ("finally", "write `eventually e`"),
    ("H", "past operators are written in predicates: `never e before t`"),
    ("O", "past operators are written in predicates: `not (never e before t)`"),
    ("historically", "past operators are written in predicates: `never e before t`"),
    ("once", "past operators are written in predicates: `not (never e before t)`"),
    ("old", BEFORE),
    ("prev", BEFORE),
    ("previous", BEFORE),
    ("next", "`next e` is only allowed in `ltl` properties; the next value of x is `x'`"),
];

/// Words among these before a bound name and its domain.
pub(super) const BINDERS: &[&str] = &["forall", "exists", "map", "sum", "count", "min", "max"];

/// How to read the state before a step.
const BEFORE: &str =
    "the state before a step is read in predicates, `pre x@t`; in actions, `x` is the value before the step";
/// How to name a part of an expression.
pub(super) const LET: &str = "write `let x = e in body`";
const CASES: &str = "write `if c then a else if d then b else e`";
const CHOICES: &str =
    "an action parameter or `x' in S;` leaves a choice open; one member of a set is `min x in S: x`";

/// The keyword that a word from another language stands for, or that it resembles.
pub(super) fn similar(
    text: &str,
    words: &[&'static str],
    synonyms: &[(&str, &'static str)],
) -> Option<&'static str> {
    let meant = synonyms.iter().find(|(word, _)| *word == text).map(|(_, meant)| *meant);
    let small = text.to_lowercase();
    let closest = words.iter().map(|word| (strsim::osa_distance(&small, word), *word)).min();
    meant.or(closest
        .filter(|(distance, word)| *distance <= 2 && *distance * 2 < word.len())
        .map(|(_, word)| word))
}
