"""Documents of Cladist as typed dictionaries: what `--json` prints, by the schemas in `docs/schema`.

`cargo run --features schemas --example schemas` writes this file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypedDict

if TYPE_CHECKING:
    from typing_extensions import NotRequired, TypeAlias


class AnswerDocument(TypedDict):
    """The answer of a solver."""

    solver: str
    """The command."""
    answer: Literal["sat", "unsat", "unknown", None]
    """`sat`, `unsat` or `unknown`; `null` if there is none."""
    reason: str | None
    """The reason why there is none."""
    seconds: float
    """Seconds."""


class Baseline(TypedDict):
    """The comparison of the result with a stored one."""

    file: str
    """The stored result, as the user wrote it."""
    verdict: NewsWord
    """`nothing_new`, `new`, or `open`, if the budget ended before or not all classes are known."""
    classes: list[Novelty]
    """The comparison of each class of the result."""
    not_repeated: list[Known]
    """The classes of the stored result that no class repeats word for word."""


BasisWord: TypeAlias = "Literal['states', 'induction']"
"""The basis of a proof for every length.
`states`: All states were visited.
`induction`: A symbolic proof."""


class BatchDocument(TypedDict):
    """The results of a plan: `merged.json`, and `cladist batch PLAN --json`."""

    schema: Literal["cladist/batch-1"]
    version: str
    """The version of this program."""
    plan: str
    """The file of the plan, as the user wrote it."""
    total: int
    """The number of jobs."""
    done: int
    """The number of jobs with a result, partial ones included."""
    partial: int
    """The number of results that lack something: partial or undecided, not proved for every length, or not counted."""
    failed: int
    """The number of jobs that ended without a result."""
    missing: int
    """The number of jobs that were not run, or not to their end."""
    jobs: list[RowDocument]
    """The jobs in the order of the plan."""
    series: list[SeriesDocument]
    """The jobs by bound, with the fates of the classes."""


class CausesDocument(TypedDict):
    """The document of a causal tree."""

    schema: Literal["cladist/causes-1"]
    version: str
    """Version of this program."""
    model: str
    """The model's name."""
    file: str
    """The file of the model, as the user wrote it."""
    sources: list[Source]
    """The texts of the model and its imports, with their digests."""
    set: dict[str, str]
    """The values of `--set`, as text."""
    constants: Values
    """Constants with their values for this run."""
    property: str
    """The property's name."""
    fairness: NotRequired[Fairness]
    """For a linear-time property, its fairness conditions."""
    bound: int
    """The greatest number of steps."""
    verdict: CausesVerdict
    """The result of the search."""
    summary: str
    """The verdict in one sentence."""
    reason: NotRequired[WhyEnded]
    """The limit that ended the search."""
    kinds: list[Kind]
    """The kinds, those with the shortest traces first."""
    always: list[str]
    """Actions of which every violating trace up to the bound has a step."""
    complete_to: NotRequired[int]
    """The greatest number of steps up to which every violating trace is of one of the kinds."""
    narrowed_from: NotRequired[int]
    """The number of steps from which on traces with the deciding steps of a shorter one were omitted."""
    every_length: NotRequired[EveryTrace]
    """The violating traces of every length, if known."""
    defences: NotRequired[Defences]
    """The constants that stop kinds."""
    solver_calls: int
    """The number of questions to the solver."""
    seconds: float
    """Seconds from start to end."""
    checked_by: NotRequired[str]
    """The solver that confirmed that the kinds are all."""
    warnings: list[Finding]
    """Findings about the input."""
    rerun: str
    """The command line that gives this result again."""


CausesFate: TypeAlias = "Literal['safe', 'open']"
"""The fate of the worst state that a step leads to.
`safe`: No violation can follow.
`open`: A violation can follow, but need not."""


CausesVerdict: TypeAlias = "Literal['holds', 'complete', 'partial', 'undecided']"
"""The result of a search for kinds by their causes.
`holds`: There is no violation up to the bound (exit code 0).
`complete`: Every violating trace up to the bound is of one of the kinds (10).
`partial`: There may be other kinds (11).
`undecided`: No violation was found before a limit (5; 130 if interrupted)."""


class Certificate(TypedDict):
    """The proof that a claim holds for any number of runs."""

    protocol: str
    """The protocol."""
    role: str
    """The role that claims."""
    label: str
    """The label of the claim."""
    starts: list[int]
    """The patterns to begin with, by their numbers. None if every run that claims fulfils the claim by itself."""
    patterns: list[CertificatePattern]
    """All patterns."""


class CertificatePattern(TypedDict):
    """A pattern in a certificate."""

    pattern: str
    """The runs with their number, role, number of events and values, and the terms by which this pattern differs from others that come of the same one."""
    term: str
    """The term that is looked at."""
    before: list[int] | None
    """The run and the event before which the attacker has it; at some time, without them."""
    next: list[int]
    """The patterns that come of the ways to the term, by their numbers."""


class CertificatesDocument(TypedDict):
    """Certificates of claims that hold for any number of runs: `cladist export certificates FILE.spdl`."""

    schema: Literal["cladist/certificates-1"]
    version: str
    """Version of the program."""
    file: str
    """The file as the user wrote it."""
    sha256: str
    """SHA-256 of its bytes, as 64 hexadecimal digits."""
    set: dict[str, str]
    """The attacker's abilities and the matching of terms, as constants."""
    claims: list[Certificate]
    """The claims that hold for any number of runs."""


class Change(TypedDict):
    """A place whose value changed."""

    place: str
    """The place: `phase[Alice]`."""
    change: ChangeWord
    """`replaced`; `gained` or `lost` for an element of a set."""
    before: str | None
    """The value before, or the element that is lost, as text."""
    after: str | None
    """The value after, or the element that is gained, as text."""


ChangeWord: TypeAlias = "Literal['replaced', 'gained', 'lost']"
"""The kind of a change.
`replaced`: Another value takes its place.
`gained`: An element was added.
`lost`: An element was removed."""


CharacterisationWord: TypeAlias = "Literal['holds', 'complete', 'partial']"
"""The result of a search for minimal attack patterns.
`holds`: There is no attack with any number of runs.
`complete`: Every attack contains one of the patterns.
`partial`: Attacks of more runs may contain none."""


class Chart(TypedDict):
    """A message sequence chart."""

    runs: list[ChartedRun]
    """The active runs, in the order in which they begin."""
    events: list[ChartedEvent]
    """The events, in order."""


class ChartedBinding(TypedDict):
    """A part of a message with the attacker's source of it."""

    part: str
    """The part."""
    event: int
    """The index in `events` of the event from which the attacker has it."""
    opened_with: list[str]
    """The keys that opened that message, the outermost first."""


class ChartedEvent(TypedDict):
    """An event of a chart."""

    step: int
    """The step of the trace that it belongs to, from 1."""
    event: EventWord
    """`sent`, `received`, `claimed` or `lost`."""
    run: NotRequired[str]
    """The run; missing if keys or secrets get lost."""
    label: NotRequired[str]
    """The label of the message; missing if there is none."""
    content: NotRequired[str]
    """The message, or the lost term."""
    unchanged: NotRequired[bool]
    """For a received message, true if it was sent in this form."""
    bindings: NotRequired[list[ChartedBinding]]
    """For a received message, the parts that the attacker reuses from earlier messages."""
    claims: NotRequired[list[str]]
    """The labels of the claims."""


class ChartedRun(TypedDict):
    """A run: an agent in a role."""

    run: str
    """Its name in the model."""
    role: str
    """The role."""
    agent: str
    """The agent that plays it."""
    partners: dict[str, str]
    """The presumed partners: the agent of each other role."""


class CheckDocument(TypedDict):
    """The result of `cladist check`."""

    schema: Literal["cladist/check-1"]
    version: str
    """Version of this program."""
    kind: FileKindWord
    """`model` or `library`."""
    model: str | None
    """The model's name; `null` for a library."""
    file: str
    """The file, as the user wrote it."""
    sources: list[Source]
    """The texts of the model and its imports, with their digests."""
    set: dict[str, str]
    """The values of `--set`, as text."""
    constants: Values
    """Constants with their values for this run."""
    bound: int | None
    """The bound in steps; `null` when only types were checked."""
    lengths: LengthsWord | None
    """The meaning of the bound: the greatest or the only number of steps."""
    unbounded: bool
    """True if proofs for traces of every length were requested."""
    fairness: NotRequired[Fairness]
    """The fairness conditions given by the user; missing if no property needs them."""
    verdict: CheckVerdict
    """The verdict of the check as a whole, for which a claim `Reachable` is violated if its place is not reached."""
    properties: list[Property]
    """The requested properties."""
    warnings: list[Finding]
    """Findings about the input, including predicates and actions that never occur."""
    solver: str | None
    """The solver; `null` when none was used."""
    seconds: float
    """Seconds from start to end."""
    rerun: str
    """The command line that gives this result again."""
    runs: NotRequired[Runs]
    """The number of examined runs of a protocol; missing for a model."""
    claims: NotRequired[list[Claim]]
    """The claims of the roles of a protocol; missing for a model."""
    proofs: NotRequired[Proofs]
    """The proofs of unsatisfiable answers; missing unless requested."""


CheckVerdict: TypeAlias = "Literal['checked', 'holds', 'violated', 'partial', 'undecided']"
"""The verdict of a check in documents.
`checked`: The input is correct; only this was asked (exit code 0).
`holds`: No property is violated up to the bound, or in traces of any length if that was proved (0).
`violated`: Some property is violated, and all others were decided (10).
`partial`: Some property is violated; others were not decided, because the budget ended or because they are temporal (11).
`undecided`: No violation was found, and not every property was decided (5; 130 if interrupted)."""


class Choice(TypedDict):
    """The program's choice of a vocabulary."""

    predicates: NotRequired[list[str]]
    """The declarations of its predicates that the model lacks; missing if there are none."""
    declaration: str
    """Its declaration, to be pasted into the model after these predicates."""
    tried: int
    """The number of vocabularies tried."""
    cut_short: int
    """The number of those abandoned before all of their classes were known."""
    text: str
    """The known quality of the choice."""


class Claim(TypedDict):
    """A claim of a protocol with its result."""

    protocol: str
    """The protocol."""
    role: str
    """The claiming role."""
    label: str
    """The label, as in the file."""
    claim: ClaimWord
    """The kind of claim: `Secret`."""
    term: str | None
    """The claimed term; `null` if there is none."""
    verdict: PropertyVerdict
    """`holds`, `violated` or `undecided`."""
    steps: int | None
    """With `violated`: the steps of a shortest attack."""
    reached: bool | None
    """True if a run that the claim refers to reaches it within the bound; `null` if that was not decided."""
    patterns: NotRequired[Patterns]
    """The answer of attack patterns; missing where the runs that are looked at were given."""
    property: str
    """The name of the property."""


ClaimWord: TypeAlias = "Literal['Secret', 'SKR', 'Alive', 'Recentalive', 'Weakagree', 'Niagree', 'Nisynch', 'Commit', 'Icommit', 'Reachable']"
"""The claims of protocols, in the words of their language.
`Secret`: Only the partners know a term.
`SKR`: Only its partners know a session key.
`Alive`: The partners have been running the protocol.
`Recentalive`: … since the run of the claimant began.
`Weakagree`: The partners have been running the protocol with the claimant.
`Niagree`: The partners agree on the messages.
`Nisynch`: The partners agree on the messages and their order.
`Commit`: The partners agree on a term.
`Icommit`: The partners agree on a term, each run of one with a run of its own of the other.
`Reachable`: A run reaches this point."""


class Class(TypedDict):
    """A class."""

    id: int
    """The number of the class, from 1."""
    constraint: str
    """The constraint in the paper's notation."""
    words: list[str]
    """The constraint in words, one line for each fact, order facts as one line."""
    formula: TraceFormulaText
    """The constraint in the language of models, fact by fact."""
    positions: dict[str, int]
    """The position variables with their places in the representative; for infinite traces, `representative` shows these."""
    individuals: list[Individual]
    """The individuals of the constraint."""
    facts: list[Fact]
    """The facts of the constraint."""
    representative: Trace
    """A shortest counterexample of the class, which ends in its first violation; with an exact length, one with the earliest first violation."""
    violates: list[str]
    """The conjuncts of the property that fail where the representative first violates it."""
    canonical: Trace | None
    """A shortest counterexample that is in no other class."""
    decisive: NotRequired[list[Decisive]]
    """The decisive steps of the representative: those that the constraint of finite traces names; for infinite ones, the only one, or `null` if it is unknown."""
    redundant: bool
    """True if the other classes cover it."""
    sufficient: bool
    """True if the constraint implies a violation; only classes of a cover need not."""
    restates: bool | None
    """True if the facts alone violate the property, independently of the model; `null` if that was not decided."""
    restates_step: bool | None
    """True if they do so together with single steps of the model, from any state: the steps to the positions of the constraint, or the next ones. Then the constraint names the step that violates the property, but not how it became possible. `null` if that was not decided."""
    rests_on_bound: Longer | None
    """A shortest non-violating trace beyond the bound that satisfies the constraint: the class depends on the bound."""
    initial_facts: int
    """The number of facts before minimisation."""
    images: list[Image]
    """Its images under symmetries of the model, for which it stands as well."""
    kinds: NotRequired[list[int]]
    """The numbers of the kinds of `tree`, from 1, with a trace in the class or in an image of it; if there are none, of those whose steps the representative has. Missing unless requested."""


class ClassChange(TypedDict):
    """A class of either bound and its fate."""

    fate: Fate
    """Its fate."""
    constraint: str
    """The constraint in the paper's notation, by which classes are compared."""
    before: int | None
    """The number of the class at the smaller bound, from 1; `null` for a new class."""
    after: list[int]
    """Numbers at the greater bound: of the class itself, or of those that share its violations."""


ClassRequirement: TypeAlias = "Literal['sufficient', 'cover']"
"""The requirement on classes.
`sufficient`: Each implies a violation.
`cover`: Every counterexample is in one."""


class ClassifyDocument(TypedDict):
    """The result of `cladist classify`."""

    schema: Literal["cladist/classify-1"]
    version: str
    """Version of this program."""
    model: str
    """The model's name."""
    file: str
    """The file of the model, as the user wrote it."""
    sources: list[Source]
    """The texts of the model and its imports, with their digests."""
    set: dict[str, str]
    """The values of `--set`, as text."""
    constants: Values
    """Constants with their values for this run."""
    property: str
    """The property's name."""
    bound: int
    """The bound in steps."""
    lengths: LengthsWord
    """The meaning of the bound: the greatest or the only number of steps."""
    vocabulary: str
    """The vocabulary's name."""
    chosen: Choice | None
    """The choice of the vocabulary of finite traces, if the program chose it."""
    prefer: list[str]
    """Names in it whose facts are preferred, as requested."""
    hide: list[str]
    """Names in it whose facts were not used."""
    ground: list[str]
    """Names of types whose values were not to become individuals, as given on the command line; `all`, `none`."""
    seed: int
    """The seed of the solvers' search order; 0 is the default."""
    verdict: ClassifyVerdict
    """The verdict."""
    summary: str
    """The verdict in one sentence."""
    reason: WhyEnded | None
    """The reason why the result, or the cover of one that is too weak, is partial or undecided: `time`, `memory`, `interrupt`, `max_classes`, `start_with`."""
    depth: int | None
    """With `undecided`: no trace violates the property in fewer steps than this."""
    cover: Fewest | None
    """With `complete`, and for a complete cover with `too_weak`: `minimum` if no smaller choice of the found constraints covers every counterexample, `non_redundant` if a limit was reached and it is only known that no class can be omitted."""
    mode: ClassRequirement
    """`sufficient` if each class implies a violation, `cover` if every violating trace has one of them and they need not."""
    classes: list[Class]
    """The classes, shortest representatives first."""
    within: str | None
    """For a cover: the constraint of the class whose traces were covered; `null` if all were."""
    within_formula: TraceFormulaText | None
    """Like `within`, in the language of models."""
    combinations: list[Combination] | None
    """For a cover: the combinations of classes that occur, shortest traces first; `null` otherwise."""
    all_combinations: bool | None
    """For a cover: true if these are all combinations that occur; `null` otherwise."""
    remainder: Trace | None
    """For a cover: a shortest violating trace in which no fact of the vocabulary occurs."""
    necessary: list[str] | None
    """For a cover: the facts that every violating trace has, in the paper's notation; `null` otherwise."""
    necessary_facts: Necessary | None
    """The facts common to all violating traces; `null` without a violation, and if only those of one class were covered."""
    unclassified: Trace | None
    """With `partial`: a known counterexample that is in none of the classes."""
    too_weak: Pair | None
    """With `too_weak`: the violation and the accepted trace that share all facts."""
    repairs: list[Repair]
    """With `too_weak`: additions to the vocabulary with which all classes are known, the best one first."""
    horizon: Horizon | None
    """The result for finite traces beyond the bound of a complete result; `null` if they were not examined. For infinite traces, the number of steps up to which classes suffice for those that repeat."""
    horizon_missed: int | None
    """The number of steps up to which longer traces were to be examined, if time did not suffice; `null` otherwise."""
    unbounded: Unbounded | None
    """The result for traces of every length; `null` if not requested, or without any result."""
    counts: Counts | None
    """The numbers of violating traces; `null` if not requested."""
    tree: NotRequired[CausesDocument]
    """The kinds of violation by their causes: the document of the causal tree; missing unless requested."""
    statistics: Statistics
    """The resources used."""
    warnings: list[Finding]
    """Findings about the input."""
    solver: str
    """The solver."""
    checked_by: str | None
    """The solver of the self-check; `null` if it was not done. For partial and too weak results it checks only that each class suffices."""
    rerun: str
    """The command line that gives this result again."""
    proofs: NotRequired[Proofs]
    """The proofs of unsatisfiable answers; missing unless requested."""
    baseline: NotRequired[Baseline]
    """The comparison with a stored result; missing unless requested."""


ClassifyFate: TypeAlias = "Literal['safe', 'open']"
"""The fate of the worst state that a step leads to.
`safe`: No violation can follow.
`open`: A violation can follow, but need not."""


class ClassifyLassosClass(TypedDict):
    """A class."""

    id: int
    """The number of the class, from 1."""
    constraint: str
    """The constraint in the paper's notation."""
    words: list[str]
    """The constraint in words, one line for each fact, order facts as one line."""
    formula: LassoFormulaText
    """The constraint in the language of models, fact by fact."""
    individuals: list[Individual]
    """The individuals of the constraint."""
    facts: list[LassoFact]
    """The facts of the constraint."""
    distinct: list[str]
    """The constraints of infinite traces on the individuals alone: which of them differ."""
    representative: Trace
    """A shortest counterexample of the class, which ends in its first violation; with an exact length, one with the earliest first violation."""
    canonical: Trace | None
    """A shortest counterexample that is in no other class."""
    decisive: Decision | None
    """The decisive steps of the representative: those that the constraint of finite traces names; for infinite ones, the only one, or `null` if it is unknown."""
    sufficient: bool
    """True if the constraint implies a violation; only classes of a cover need not."""
    accepted: Trace | None
    """For a class of infinite traces that does not: a shortest one of it that satisfies the property."""
    restates: bool | None
    """True if the facts alone violate the property, independently of the model; `null` if that was not decided."""
    restates_step: bool | None
    """True if they do so together with single steps of the model, from any state: the steps to the positions of the constraint, or the next ones. Then the constraint names the step that violates the property, but not how it became possible. `null` if that was not decided."""
    images: list[ClassifyLassosImage]
    """Its images under symmetries of the model, for which it stands as well."""
    kinds: NotRequired[list[int]]
    """The numbers of the kinds of `tree`, from 1, with a trace in the class or in an image of it; if there are none, of those whose steps the representative has. Missing unless requested."""
    needed: list[Without]
    """The reason why each part of the constraint of infinite traces is needed; empty if the budget ended before."""


class ClassifyLassosDocument(TypedDict):
    """The result of `cladist classify` for a property of linear time."""

    schema: Literal["cladist/classify-lassos-1"]
    version: str
    """Version of this program."""
    model: str
    """The model's name."""
    file: str
    """The file of the model, as the user wrote it."""
    sources: list[Source]
    """The texts of the model and its imports, with their digests."""
    set: dict[str, str]
    """The values of `--set`, as text."""
    constants: Values
    """Constants with their values for this run."""
    property: str
    """The property's name."""
    bound: int
    """The bound in steps."""
    fairness: int
    """The number of fairness conditions of infinite traces."""
    ignore_fairness: bool
    """True if the conditions of the model were ignored."""
    fair: list[str]
    """The further given conditions, weak ones of actions or those of states, as written."""
    strongly_fair: list[str]
    """The given strong conditions of actions, as written."""
    vocabulary: str
    """The vocabulary's name."""
    declaration: str | None
    """The declaration of the vocabulary of infinite traces, if the program chose it."""
    prefer: list[str]
    """Names in it whose facts are preferred, as requested."""
    hide: list[str]
    """Names in it whose facts were not used."""
    ground: list[str]
    """Names of types whose values were not to become individuals, as given on the command line; `all`, `none`."""
    seed: int
    """The seed of the solvers' search order; 0 is the default."""
    verdict: ClassifyVerdict
    """The verdict."""
    summary: str
    """The verdict in one sentence."""
    reason: WhyEnded | None
    """The reason why the result, or the cover of one that is too weak, is partial or undecided: `time`, `memory`, `interrupt`, `max_classes`, `start_with`."""
    cover: Fewest | None
    """With `complete`, and for a complete cover with `too_weak`: `minimum` if no smaller choice of the found constraints covers every counterexample, `non_redundant` if a limit was reached and it is only known that no class can be omitted."""
    mode: ClassRequirement
    """`sufficient` if each class implies a violation, `cover` if every violating trace has one of them and they need not."""
    classes: list[ClassifyLassosClass]
    """The classes, shortest representatives first."""
    within: str | None
    """For a cover: the constraint of the class whose traces were covered; `null` if all were."""
    within_formula: LassoFormulaText | None
    """Like `within`, in the language of models."""
    combinations: list[Combination] | None
    """For a cover: the combinations of classes that occur, shortest traces first; `null` otherwise."""
    all_combinations: bool | None
    """For a cover: true if these are all combinations that occur; `null` otherwise."""
    remainder: Trace | None
    """For a cover: a shortest violating trace in which no fact of the vocabulary occurs."""
    necessary: list[str] | None
    """For a cover: the facts that every violating trace has, in the paper's notation; `null` otherwise."""
    necessary_facts: ClassifyLassosNecessary | None
    """The facts common to all violating traces; `null` without a violation, and if only those of one class were covered."""
    unclassified: Trace | None
    """With `partial`: a known counterexample that is in none of the classes."""
    too_weak: ClassifyLassosPair | None
    """With `too_weak`: the violation and the accepted trace that share all facts."""
    repairs: list[Repair]
    """With `too_weak`: additions to the vocabulary with which all classes are known, the best one first."""
    horizon: int
    """The result for finite traces beyond the bound of a complete result; `null` if they were not examined. For infinite traces, the number of steps up to which classes suffice for those that repeat."""
    unbounded: EveryLength | None
    """The result for traces of every length; `null` if not requested, or without any result."""
    tree: NotRequired[CausesDocument]
    """The kinds of violation by their causes: the document of the causal tree; missing unless requested."""
    statistics: LassoStatistics
    """The resources used."""
    warnings: list[Finding]
    """Findings about the input."""
    solver: str
    """The solver."""
    checked_by: str | None
    """The solver of the self-check; `null` if it was not done. For partial and too weak results it checks only that each class suffices."""
    rerun: str
    """The command line that gives this result again."""
    proofs: NotRequired[Proofs]
    """The proofs of unsatisfiable answers; missing unless requested."""
    baseline: NotRequired[Baseline]
    """The comparison with a stored result; missing unless requested."""


ClassifyLassosFate: TypeAlias = "Literal['safe', 'open']"
"""The fate of the worst state that a step leads to.
`safe`: No violation can follow.
`open`: A violation can follow, but need not."""


_ClassifyLassosImage = TypedDict("_ClassifyLassosImage", {"class": "ClassifyLassosClass"})


class ClassifyLassosImage(_ClassifyLassosImage):
    """The image of a class under a symmetry."""

    by: str
    """The cycles of exchanged values, in words."""
    moves: list[Move]
    """The moves of the values that do not stay fixed."""
    unmoved: list[Unmoved]
    """Records that stay fixed, although values in them move."""


class ClassifyLassosNecessary(TypedDict):
    """The facts common to violating traces."""

    full: bool
    """True if everything was examined, and not only quickly decided facts."""
    every_length: bool
    """True if they are common to violating traces of every length, and not only up to the bound."""
    always: list[ClassifyLassosShared]
    """The facts that every violating trace has."""
    never: list[ClassifyLassosShared]
    """The facts that no violating trace has."""
    undecided: list[str]
    """The undecided facts, in the paper's notation."""
    skipped: list[str]
    """Observables with too many values, which were not examined."""
    more: int
    """The number of facts omitted from a short list."""


class ClassifyLassosPair(TypedDict):
    """A violation and an accepted trace with the same facts."""

    counterexample: Trace
    """The violation."""
    accepting: Trace
    """The accepted trace."""
    constraint: str
    """The facts they share, in the paper's notation: for finite traces all, for infinite ones those about single atoms."""
    formula: LassoFormulaText
    """Like `constraint`, in the language of models."""


class ClassifyLassosShared(TypedDict):
    """A fact that all violating traces have, or none."""

    constraint: str
    """The fact in the paper's notation."""
    formula: LassoFormulaText
    """The fact in the language of models."""
    of_each: NotRequired[bool]
    """True if it holds for each of its individuals separately; missing if the formula expresses that."""
    telling: bool
    """True if it distinguishes violating traces from others."""


ClassifyVerdict: TypeAlias = "Literal['holds', 'holds_unbounded', 'complete', 'complete_unbounded', 'partial', 'remainder', 'too_weak', 'undecided']"
"""The verdict of a classification in documents.
`holds`: No violation up to the bound (exit code 0).
`holds_unbounded`: No violation in traces of any length (0).
`complete`: Violated; the classes cover all counterexamples up to the bound (10).
`complete_unbounded`: Violated; the classes cover all counterexamples of every length (10).
`partial`: Violated; there may be other classes (11).
`remainder`: Violated; some counterexamples are not covered (12).
`too_weak`: Violated; the vocabulary does not distinguish a violation from an accepted trace. The classes are then those of a cover, if there is one (12).
`undecided`: The budget ended before any result (5; 130 if interrupted)."""


class Combination(TypedDict):
    """Classes that occur together."""

    classes: list[int]
    """The ids of the classes."""
    steps: int
    """The length of the trace."""
    trace: Trace
    """A shortest violating trace with these classes and no others."""


class ComparedClass(TypedDict):
    """A class, which is compared by its text: representatives may differ."""

    id: int
    """Its number, from 1."""
    constraint: str
    """The constraint in the paper's notation."""


class Count(TypedDict):
    """The numbers of traces of one length."""

    steps: int
    """The number of steps."""
    total: str
    """All of them."""
    outside: str
    """Those in no class."""
    classes: list[Share]
    """Those of each class, in the order of the classes."""


CountedBy: TypeAlias = "Literal['states', 'diagrams']"
"""The method by which traces were counted.
`states`: Over a list of states.
`diagrams`: Over decision diagrams."""


class Counts(TypedDict):
    """The numbers of violating traces."""

    first_violations: list[Count] | None
    """Counterexamples that end in their first violation, by number of steps; `null` if they are not available."""
    violating: list[Count] | None
    """Traces with a violation anywhere, by number of steps."""
    method: CountedBy | None
    """The counting method: `states` over a list of states, `diagrams` over decision diagrams; `null` if the numbers are not available."""
    orbits: bool | None
    """True if one representative was counted of all traces that differ only in interchangeable values; `null` if the numbers are not available. The numbers are those of all traces."""
    reason: ObstacleWord | None
    """The reason why they are not available: `states`, `choices`, `class`, `combinations`, `nodes`, `time`, `memory`, `interrupt`."""
    text: str | None
    """The reason in words."""


class CtlDiagnostic(TypedDict):
    """A finding about the input."""

    severity: Literal["error", "warning", "note"]
    message: str
    """One sentence."""
    place: CtlPlace | None
    notes: list[str]
    """Causes without a place."""
    related: list[CtlDiagnosticRelatedItem]
    """Other places that explain it."""
    help: str | None
    """What to do about it."""


class CtlDiagnosticRelatedItem(TypedDict):
    place: CtlPlace
    message: str


_CtlDocument = TypedDict("_CtlDocument", {"class": "Literal['propositional', 'universal', 'existential', 'mixed']"})


class CtlDocument(_CtlDocument):
    """A property of branching time."""

    schema: Literal["cladist/ctl-1"]
    version: str
    """Version of the program."""
    file: str
    """The file as the user wrote it."""
    property: str | None
    """The name of the property; null for a formula of the command line."""
    formula: str
    """The formula as it was typed; that of a property in a normal form."""
    fairness: list[str]
    """What every path quantifier asks of its paths, each of them infinitely often."""
    strong_fairness: list[str]
    """Steps of which paths take one infinitely often if one is possible infinitely often, for each of these."""
    verdict: Literal["holds", "violated", "undecided"]
    holds: bool | None
    """Whether it holds in all initial states; null if that is not known."""
    definite: bool
    """Whether the verdict is about the whole system."""
    reason: str | None
    """Why it is undecided, or why nothing is shown."""
    basis: CtlDocumentBasis
    """What the verdict rests on."""
    scope: int | None
    """The greatest number of states of the parts that were looked at, where these were not all reachable states."""
    kind: Literal["path", "lasso", "subgraph", "none"]
    shows: str | None
    """What the counterexample or witness shows: the formula or its negation, negations pushed inwards. Texts longer than some 2,000 characters have `…` in the place of their longest operands, here and in the evidence."""
    states: list[CtlState]
    """Its states; the first one is initial."""
    transitions: list[CtlTransition]
    """Its transitions between states by their index."""
    loop: int | None
    """The state to which a lasso goes back."""
    length: int | None
    """How many transitions it has."""
    minimal: bool | None
    """Whether it is proved to be a smallest one: a path with fewest states, finite rather than a lasso; a subgraph with fewest transitions, then fewest states."""
    no_path: CtlDocumentNoPath
    """If it is a subgraph because no path was found."""
    evidence: list[CtlEvidence]
    """Why it shows what it shows. The first entry is the whole; every entry rests on all that it refers to."""
    warnings: list[CtlDiagnostic]
    """Findings about the input."""
    seconds: float
    """How long it took."""


class CtlDocumentBasis(TypedDict):
    """What the verdict rests on."""

    by: Literal["states", "diagrams", "scope", "proof"]
    states: int | str | None
    """All reachable states; a string of digits where the number has more than 64 bits."""
    transitions: int | None
    """Steps between them; each label counts."""
    proof: str | None
    """The proof in a few words."""


class CtlDocumentNoPath(TypedDict):
    """If it is a subgraph because no path was found."""

    impossible: bool
    """Whether no path without repeated states shows it, however long."""
    up_to_states: int | None
    """If that is not known: no path of up to so many states does."""


class CtlEvidence(TypedDict):
    state: int
    """An index of states."""
    formula: str
    """What holds there."""
    here: list[int]
    """What it rests on in the same state, as indices of evidence."""
    step: CtlEvidenceStep
    """The transition that it takes, and the evidence on which it rests there."""


class CtlEvidenceStep(TypedDict):
    """The transition that it takes, and the evidence on which it rests there."""

    to: int
    evidence: int


class CtlPlace(TypedDict):
    file: str
    """The file as the user wrote it."""
    line: int
    """From 1."""
    column: int
    """In characters, from 1."""


class CtlState(TypedDict):
    number: int | None
    """Its number in an explicit system; null in a model."""
    values: dict[str, Any] | None
    """The variables of a model with their values; null in an explicit system."""
    shows: list[str]
    """What holds there, as far as it is needed."""


_CtlTransition = TypedDict("_CtlTransition", {"from": "int"})


class CtlTransition(_CtlTransition):
    to: int
    labels: list[str]
    """The labels with which it can be taken."""
    serves: list[str]
    """What it is there for."""


class Decision(TypedDict):
    """The decisive step of an infinite counterexample."""

    position: int | None
    """The first position from which on the property cannot be met, counted on through the rounds of the loop; `null` if no step decides."""
    of_all: bool
    """True if all infinite traces were examined; otherwise those that repeat within the horizon."""
    words: str
    """The decisive step in words."""


class Decisive(TypedDict):
    """A decisive step of a representative."""

    position: int
    """The position that it leads to."""
    right: list[Right]
    """The alternative steps that do not lose."""
    may_rest: bool
    """True if omitting the step does not lose, either."""


class Defence(TypedDict):
    """A constant with its other value."""

    constant: str
    """The constant."""
    value: bool
    """The value other than that in the model."""
    stops: list[int]
    """The numbers of the kinds that it stops, from 1."""
    others_appear: NotRequired[bool]
    """True if it stops all kinds, and violations of other kinds appear."""


class Defences(TypedDict):
    """The constants that stop kinds."""

    constants: list[Defence]
    """The constants that were tried."""
    sufficient: NotRequired[list[list[int]]]
    """The smallest sets of constants with which the property holds up to the bound, by their numbers from 1."""
    costs: NotRequired[list[list[str]]]
    """By set the actions that happen within the bound as the model is, and no longer with the set; empty also where that is not known."""
    reason: NotRequired[WhyEnded]
    """The limit that ended the search."""


class DiffDocument(TypedDict):
    """The result of `cladist diff`."""

    schema: Literal["cladist/diff-1"]
    same: bool
    """True if both have the same classes and the same verdict."""
    verdicts: list[str]
    """The verdict of each."""
    asked: list[QuestionDifference]
    """Questions asked of one and not of the other, or of another text."""
    only_first: list[ComparedClass]
    """The classes of the first result that the second does not have."""
    only_second: list[ComparedClass]
    """The classes of the second result that the first does not have."""
    both: list[ComparedClass]
    """The classes of both, as the first result numbers them."""


class EndedDocument(TypedDict):
    """Why a survey is not complete."""

    reason: Literal["time", "memory", "interrupt"]
    """`time`, `memory` or `interrupt`."""
    tried: int
    """The number of vocabularies tried."""
    of: int
    """The number of vocabularies to be tried, as far as known."""


class EntryDocument(TypedDict):
    """A job of a series."""

    bound: int | None
    """The bound of the job in steps; `null` for an unbounded job without a bound to start from."""
    unbounded: bool
    """True if the job is about traces of every length."""
    index: int
    """The number of the job in the plan, from 0."""
    against: int | None
    """The smaller bound that its classes are compared with."""
    changes: list[ClassChange] | None
    """The fates of the classes; `null` if there are none to compare."""


class ErrorDocument(TypedDict):
    """Input that cannot be used, or a limit while it was loaded."""

    schema: Literal["cladist/error-1"]
    error: str
    """The first error in one line."""
    diagnostics: list[Finding]
    """All findings."""
    version: str
    """Version of this program."""


EventWord: TypeAlias = "Literal['sent', 'received', 'claimed', 'lost']"
"""The kinds of events in a chart.
`sent`: A message is sent.
`received`: A message is received.
`claimed`: A claim is made.
`lost`: A key or secret gets lost."""


class EveryLength(TypedDict):
    """The result for all infinite traces."""

    proved: bool
    """True if the verdict is about all of them."""
    states: int | None
    """The number of states listed for that."""
    bounds: list[int]
    """The bounds at which classes were searched for."""
    reason: str | None
    """The reason why it is not proved."""


class EveryTrace(TypedDict):
    """The result of a search for violating traces of every length."""

    covered: NotRequired[int | None]
    longer: NotRequired[int]


class ExampleDocument(TypedDict):
    """An example that was tested, for JSON."""

    kind: Literal["example", "counterexample"]
    """`example` or `counterexample`."""
    predicate: str
    """The predicate with what is passed to it, as written."""
    title: str | None
    """The doc comment, on one line."""
    place: Place
    """Its place."""
    model: str
    """The file of the model."""
    set: dict[str, str]
    """Constants with the values that they have in it, as written."""
    steps: list[str] | None
    """The steps that it names, as text; absent if it is about traces within a bound."""
    within: int | None
    """The greatest number of steps of its traces; absent if it names steps."""
    result: ExampleVerdict
    """The result."""
    reason: str
    """The finding, as text that follows the predicate."""
    notes: list[str]
    """More about it, a sentence each."""
    positions: list[ParameterPosition]
    """The positions at which the predicate holds, or nearly does, in the order of its parameters."""
    trace: Trace | None
    """The trace that shows it."""


ExampleVerdict: TypeAlias = "Literal['passed', 'failed', 'undecided']"
"""How a test of an example ended.
`passed`: It is as the example says.
`failed`: It is not.
`undecided`: A limit was reached first."""


class ExchangeDocument(TypedDict):
    """The manifest of an exchange bundle."""

    schema: Literal["cladist/exchange-1"]
    producer: str
    """The program that wrote it, with its version."""
    result: str
    """The file of the result."""
    result_schema: str
    """The schema of the result."""
    model: str
    """The file of the model."""
    root: str
    """The folder of imports."""
    set: dict[str, str]
    """Constants with other values than in the model, with the texts of their values."""
    obligations: list[ListedObligation]
    """The obligations."""
    files: list[ListedFile]
    """All files but the manifest."""


class Fact(TypedDict):
    """A fact of a class."""

    text: str
    """The fact in the paper's notation."""
    words: str
    """The fact in words."""
    kind: FactWord
    """`order`, `predicate`, `absence`, `individuals` or `observable`."""
    predicate: str | None
    """The predicate's name."""
    title: str | None
    """The predicate's title."""
    positions: list[str]
    """Its position variables."""
    individuals: list[str]
    """Its individuals."""
    source: str | None
    """The place where the predicate is defined: `file:line`."""
    needed: Trace | None
    """A non-violating trace that satisfies all other facts; `null` if the budget ended before."""


class FactText(TypedDict):
    """A fact of a formula."""

    holds: str
    """A truth value over the parameters, as the body of a predicate."""
    nowhere: NotRequired[StretchText]
    """The part of the trace in which that holds nowhere; missing for a fact that holds."""


FactWord: TypeAlias = "Literal['predicate', 'observable', 'absence', 'order', 'individuals']"
"""The kind of a fact.
`predicate`: A predicate holds.
`observable`: A value is observed.
`absence`: A fact holds nowhere between two positions.
`order`: A position comes before another one.
`individuals`: A relation of individuals alone."""


class Fairness(TypedDict):
    """The fairness conditions of infinite traces."""

    ignored: bool
    """True if the conditions of the model are ignored."""
    fair: list[str]
    """The given conditions, weak ones of actions or those of states, as written."""
    strongly_fair: list[str]
    """The given strong conditions of actions, as written."""


Fate: TypeAlias = "Literal['stays', 'new', 'replaced', 'split', 'gone']"
"""The fate of a class at the next bound.
`stays`: Both bounds have a class with this constraint.
`new`: Only the greater bound has it.
`replaced`: Only the smaller bound has it; as far as the known traces show, its violations are in one class of the greater bound.
`split`: Only the smaller bound has it; its violations are in several classes that only the greater bound has.
`gone`: Only the smaller bound has it; its known traces are in no class of the greater bound, which must have a partial result."""


Fewest: TypeAlias = "Literal['minimum', 'non_redundant']"
"""The minimality of the number of classes.
`minimum`: No smaller choice covers every counterexample.
`non_redundant`: None of them can be omitted."""


class FileDocument(TypedDict):
    """A file of the folder."""

    file: str
    """Its name."""
    sha256: str
    """Its SHA-256, in hexadecimal digits."""
    bytes: int
    """Its size in bytes."""


FileKindWord: TypeAlias = "Literal['model', 'library']"
"""The kind of the checked file.
`model`: A model.
`library`: A library."""


class Finding(TypedDict):
    """A finding about the input."""

    severity: SeverityWord
    """`error`, `warning` or `note`."""
    message: str
    """One sentence."""
    place: Place | None
    """The place it refers to."""
    notes: list[str]
    """Causes without a place."""
    related: list[Related]
    """Other places that explain it."""
    help: str | None
    """Advice on how to correct it."""


class Horizon(TypedDict):
    """The result for traces beyond the bound."""

    steps: int | None
    """The number of steps up to which they were examined; `null` for every length."""
    sufficient_up_to: int | None
    """The number of steps up to which the classes had to suffice, because those that suffice up to the bound depend on it; `null` if only the bound counted. Traces that show that a fact is needed may be as long."""
    uncovered: Longer | None
    """A shortest counterexample that is in no class; with the verdict `remainder`, one in which a usable fact of the vocabulary occurs."""


_Image = TypedDict("_Image", {"class": "Class"})


class Image(_Image):
    """The image of a class under a symmetry."""

    by: str
    """The cycles of exchanged values, in words."""
    moves: list[Move]
    """The moves of the values that do not stay fixed."""
    unmoved: list[Unmoved]
    """Records that stay fixed, although values in them move."""


class Individual(TypedDict):
    """An individual of a class."""

    name: str
    """Its name in the constraint."""
    type: str
    """The name of its type."""
    value: str
    """Its value in the representative."""


class JobDocument(TypedDict):
    """The stored result of a job of `cladist batch`."""

    schema: Literal["cladist/job-1"]
    checksum: str
    """SHA-256 of eight bytes with the length of this file (little endian), followed by its text, both with an empty string as checksum. A file whose checksum does not match is refused."""
    job: JobKey
    """The job."""
    outcome: JobOutcome
    """The status of the job."""
    exit_code: int | None
    """The exit code of the process; `null` if a signal ended it."""
    error: str | None
    """With `failed`: the end of the process in words, and that of its standard error."""
    result: dict[str, Any] | None
    """With `done`: a document of `classify-1`, or of `classify-lassos-1` for a property of linear time."""


class JobKey(TypedDict):
    """One classification with all its settings. Two jobs with the same key have the same result, except for time and memory."""

    model: str
    """The model's file as the plan names it."""
    sources: str
    """SHA-256 of the texts of the model and of the libraries that it imports."""
    property: str
    """The property's name."""
    claim: NotRequired[str]
    """The claim of a protocol file that the property stands for, if the plan asks by claims: `B1 Secret`."""
    vocabulary: str
    """The vocabulary's name."""
    constants: list[str]
    """Constants with other values than in the model: `NAME=VALUE`, by name."""
    bound: int | None
    """The bound in steps; with `unbounded` the one that the search begins with, if it is given."""
    exact: bool
    """True if only traces of exactly that many steps are examined."""
    unbounded: bool
    """True if the result is to be proved for traces of every length."""
    count: bool
    """True if the violating traces are counted."""
    environment: NotRequired[str]
    """The steps of the environment, if it is given and the vocabulary has words for what it can bring about."""
    ground: NotRequired[str]
    """The types of which classes name values, as `--ground` takes them, if the plan says so."""
    max_states: int | None
    """The most states that may be visited for these, if it is given."""
    solver: Literal["cadical", "varisat"]
    """The solver's name on the command line."""
    timeout_ms: int | None
    """The time limit in milliseconds."""
    memory_bytes: int | None
    """The memory limit in bytes."""
    max_classes: int | None
    """The limit of the number of classes."""
    keep_redundant: bool
    """True if redundant classes are kept."""
    verify: bool
    """True if the other solver checks the result."""
    version: str
    """Version of this program."""


JobOutcome: TypeAlias = "Literal['done', 'failed']"
"""How a job ended.
`done`: There is a result, whatever its verdict.
`failed`: There is none: the job crashed or ran out of memory."""


class JobsDocument(TypedDict):
    """The jobs of a plan: `cladist batch PLAN --list --json`."""

    schema: Literal["cladist/jobs-1"]
    version: str
    """The version of this program."""
    plan: str
    """The file of the plan, as the user wrote it."""
    jobs: list[ListedJob]
    """The jobs in the order of the plan."""


class Kind(TypedDict):
    """A kind of violation."""

    title: str
    """The kind in one line."""
    breaks: str
    """The steps that violate the property."""
    condition: list[str]
    """The conjuncts of the condition under which they do, in the case of the first trace."""
    is_whole: bool
    """True if there is no other case, or other kinds cover the other cases."""
    after: list[str]
    """The deciding steps."""
    in_this_order: bool
    """True if the same steps in another order are another kind."""
    decisive: Decisive | None
    """The step of the first trace from which on the violation is unavoidable, if known."""
    steps: int
    """The number of steps of its shortest traces."""
    pattern: Pattern
    """The traces that have these steps, in any order."""
    ways: list[Way]
    """Its irreducible traces, one of each pattern."""
    variants: list[Kind]
    """Kinds with more steps that contain this one."""


class Known(TypedDict):
    """A class of the stored result."""

    id: int
    """Its id there."""
    constraint: str
    """Its constraint in the paper's notation."""
    restored: bool
    """True if the model still has the names in it; otherwise it covers nothing."""


class Label(TypedDict):
    """The label of a step."""

    text: str
    """The label as text: `start(b=Eve)`."""
    action: str
    """The action."""
    arguments: Values
    """The values of its parameters, by name."""


class LassoFact(TypedDict):
    """A fact of a class of infinite counterexamples."""

    text: str
    """The fact as text."""
    when: Recurrence
    """`once`, `again` or `forever`."""


class LassoFactText(TypedDict):
    """A fact of a formula."""

    when: Recurrence
    """The positions at which the facts hold."""
    at: list[list[SaidText]]
    """The facts there. With `once` there can be several lists, for positions of which each is later than the one before."""
    after: NotRequired[list[SaidText]]
    """With `once`: the facts at every position after the last one."""


class LassoFormulaText(TypedDict):
    """A formula as text."""

    individuals: list[ParameterText]
    """The individuals that there are."""
    position: str
    """The name of the position that texts are about."""
    facts: list[LassoFactText]
    """The facts, all of which hold."""
    distinct: list[str]
    """Truth values over the individuals alone."""


class LassoStatistics(TypedDict):
    """The resources used by a classification of infinite traces."""

    counterexamples: int
    """The number of examined counterexamples."""
    solver_calls: int
    """The number of solver calls."""
    seconds: float
    """Seconds in total."""
    cpu_seconds: float | None
    """Seconds of processor time; `null` where the system does not report it."""
    peak_memory_kb: int | None
    """The greatest resident memory, in units of 1024 bytes; `null` where the system does not report it."""


LengthsWord: TypeAlias = "Literal['up_to', 'exactly']"
"""The meaning of a bound.
`up_to`: Traces of up to this many steps.
`exactly`: Traces of exactly this many steps."""


class ListedFile(TypedDict):
    """A file of a bundle."""

    path: str
    """Its path in the bundle, with `/` between names."""
    sha256: str
    """SHA-256 of its bytes, as 64 hexadecimal digits."""


class ListedJob(TypedDict):
    """A job and its command line."""

    index: int
    """The number in the plan, from 0."""
    name: str
    """The file name of the stored result, without its extension."""
    job: JobKey
    """Everything that the result depends on."""
    state: Literal["done", "failed", "missing"]
    """`done`, `failed` or `missing`."""
    command: str
    """The command line that runs the same classification."""


class ListedObligation(TypedDict):
    """An obligation in a manifest."""

    name: str
    """Its name."""
    claim: str
    """The claim."""
    kind: Literal["script", "evaluation", "open"]
    """The way it is decided: `script`, `evaluation` or `open`."""
    script: NotRequired[str]
    """With `script`: its file."""
    logic: NotRequired[str]
    """With `script`: the logic of the script."""
    answer: NotRequired[str]
    """With `script`: the required answer of a solver."""
    reason: NotRequired[str]
    """With `open`: the reason why the bundle does not decide it."""


class Longer(TypedDict):
    """A trace that is longer than the bound."""

    steps: int
    """The number of steps."""
    trace: Trace | None
    """The trace; `null` if it is too long to be shown."""


class LtsBugsDiagnostic(TypedDict):
    """A finding about the input."""

    severity: Literal["error", "warning", "note"]
    message: str
    """One sentence."""
    place: LtsBugsPlace | None
    notes: list[str]
    """Causes without a place."""
    related: list[LtsBugsDiagnosticRelatedItem]
    """Other places that explain it."""
    help: str | None
    """What to do about it."""


class LtsBugsDiagnosticRelatedItem(TypedDict):
    place: LtsBugsPlace
    message: str


class LtsBugsDocument(TypedDict):
    """The bugs of a process text."""

    schema: Literal["cladist/lts-bugs-1"]
    version: str
    """Version of the program."""
    verdict: Literal["holds", "violated", "partial"]
    """holds: the property holds (exit code 0). violated: it does not, and the whole system was analysed (10). partial: it does not, and there may be more bugs (11)."""
    holds: bool
    """Whether the property holds."""
    complete: bool
    """Whether the whole system was generated, with all that can be left out. If not, bugs are bugs, but of an unknown kind, and there may be more; the warnings say why."""
    by_parts: bool
    """Whether steps that do not matter to the property were merged (--by-parts): then sizes are those of what is left, there are no traces, and the paper's verdicts are `undecided`."""
    file: str
    """The file as the user wrote it."""
    property: str | None
    """The property of labels, blanks made one; null if an invariant is asked for."""
    invariant: NotRequired[str]
    """The invariant of the model, with -p."""
    environment: NotRequired[list[str]]
    """The steps of the environment as they were given, if there is one (--environment)."""
    inevitable: int
    """How many occurrences are inevitable bugs."""
    avoidable: int
    """How many are avoidable bugs."""
    undecided: int
    """How many are bugs of an unknown kind."""
    paper: LtsBugsDocumentPaper
    """What Algorithm 1 of the paper counts."""
    occurrences: list[LtsBugsOccurrence]
    """The occurrences of last actions in the order of the text."""
    lts: LtsBugsSystem
    final: LtsBugsDocumentFinal
    """The final counterexample LTS, in which inevitable bugs can be left out; 0 where the property holds."""
    counterexamples: list[LtsBugsDocumentCounterexamplesItem]
    """What the strategies of --strategy find in the final counterexample LTS."""
    warnings: list[LtsBugsDiagnostic]
    """What was found about the text and the property."""
    seconds: float
    """How long it took, reading included."""


class LtsBugsDocumentCounterexamplesItem(TypedDict):
    strategy: str
    """The strategy."""
    counterexample: None | LtsBugsRun
    """The counterexample; null if no counterexample is of this kind."""


class LtsBugsDocumentFinal(TypedDict):
    """The final counterexample LTS, in which inevitable bugs can be left out; 0 where the property holds."""

    states: int
    """Its states; what follows the violation, and where none is possible, is one each."""
    transitions: int
    """Its transitions."""
    faulty: int
    """Its faulty states."""


class LtsBugsDocumentPaper(TypedDict):
    """What Algorithm 1 of the paper counts."""

    inevitable: int
    """Inevitable bugs."""
    avoidable: int
    """Avoidable bugs."""


class LtsBugsOccurrence(TypedDict):
    file: str
    """The file of the text or of one of its modules."""
    line: int
    """The line, from 1."""
    column: int
    """The column in characters, from 1."""
    action: str
    """The action as it is written."""
    labels: list[str]
    """The labels of its transitions that are last ones."""
    verdict: Literal["none", "unknown", "undecided", "avoidable", "inevitable"]
    """`none`: it makes the first violation of no run. `inevitable`: it does, and every run has a violation without its dummy; `avoidable`: otherwise; `undecided`: the system is not complete, so that it is not known which of both; `unknown`: the part of it that there is does not tell whether it is a bug."""
    paper_verdict: Literal["none", "undecided", "avoidable", "inevitable"]
    """What Algorithm 1 of the paper finds; `undecided` if the system is incomplete."""
    difference: None | str
    """Why the paper's algorithm finds something else; null if it does not."""
    trace: list[str]
    """A shortest trace whose first violation it makes; empty if there is none. DUMMY1, DUMMY2, ... stand for occurrences that are left out."""
    leaves_out: bool
    """Whether occurrences are left out in the trace: without that, other violations come first."""
    avoided_by: None | LtsBugsOccurrenceAvoidedBy
    """The last choice of the trace that could have avoided the violation; null if there is none."""
    avoided_without: None | list[LtsBugsPlace]
    """Of an avoidable bug, if no choice of actions avoids a violation, also where inevitable bugs are left out: the places of the other occurrences each of which, left out as well, lets some run avoid it; empty if it takes several. Otherwise null."""
    traces: None | str
    """The number of traces that end with the first violation, made by this occurrence; a decimal number as text. Null if it is no bug or the system is not complete."""
    traces_up_to: None | int
    """Up to which length traces are counted."""
    probability: None | float
    """The probability that a run has a violation of which this occurrence makes the first one, if all transitions of a state are equally probable."""


class LtsBugsOccurrenceAvoidedBy(TypedDict):
    step: int
    """The index in the trace, from 1, of the action instead of which something else would have been right."""
    labels: list[str]
    """What would have been right."""


class LtsBugsPlace(TypedDict):
    file: str
    """The file as the user wrote it."""
    line: int
    """From 1."""
    column: int
    """In characters, from 1."""


class LtsBugsRun(TypedDict):
    length: int
    """Its number of actions."""
    shape: Literal["finite", "lasso", "path"]
    """`finite`: ends with the violation, or where there is no transition; `lasso`: repeats a cycle forever; `path`: stops at a neighbourhood."""
    loop_start: int | None
    """Of a lasso, the index of the first action of the loop; its last state is that where the loop begins."""
    actions: list[str]
    kept: list[int]
    """Which actions the abstraction keeps: indices into `actions`, from 0."""
    states: list[int]
    """Where it leads, one more than actions."""
    tags: list[Literal["correct", "incorrect", "neutral"]]
    """What each action decides."""
    right: list[list[str]]
    """For each action the labels that would have been correct at its place."""
    faulty: int
    """How many of the states, the last one not counted, have transitions with different tags."""
    neighbourhoods: int
    """How many of them have a neighbourhood."""
    probability: float
    """How probable it is that a run begins like this, if all transitions of a state are equally probable; of a lasso only the way to the loop counts."""
    certain: bool
    """Whether the run is known to be optimal for the strategy; false if the search was stopped early."""


class LtsBugsSystem(TypedDict):
    states: int
    """Its states, including unreachable ones."""
    transitions: int
    """Its transitions, equal ones counted once."""
    labels: int
    """The labels of its transitions."""


class LtsCheckDiagnostic(TypedDict):
    """A finding about the input."""

    severity: Literal["error", "warning", "note"]
    message: str
    """One sentence."""
    place: LtsCheckPlace | None
    notes: list[str]
    """Causes without a place."""
    related: list[LtsCheckDiagnosticRelatedItem]
    """Other places that explain it."""
    help: str | None
    """What to do about it."""


class LtsCheckDiagnosticRelatedItem(TypedDict):
    place: LtsCheckPlace
    message: str


class LtsCheckDocument(TypedDict):
    """A formula of the µ-calculus on an explicit system."""

    schema: Literal["cladist/lts-check-1"]
    version: str
    """Version of the program."""
    file: str
    """The file as the user wrote it."""
    property: str
    """The formula in one line, without comments."""
    verdict: Literal["holds", "violated"]
    holds: bool
    """Whether it holds in the initial state."""
    definite: Literal[True]
    """Whether the verdict is about the whole system; it always is."""
    lts: LtsCheckSystem
    positions: int
    """How many pairs of a state and a part of the formula were examined."""
    kind: Literal["path", "lasso", "subgraph", "none"]
    shows: str | None
    """What is shown: the formula or its negation, negations pushed inwards. Texts of more than 240 characters are cut, here and below."""
    unfolded: bool
    """Whether what is said of all transitions of a state is shown as well."""
    whole: bool
    """Whether what is shown suffices by itself. Otherwise it is a part: what some states say of all their transitions is a fact of the whole system, which is shown with --unfold. False where nothing is shown."""
    states: list[LtsCheckState]
    """Its states; the first one is initial."""
    transitions: list[LtsCheckTransition]
    """Its transitions between states by their index."""
    loop: int | None
    """The state to which a lasso goes back."""
    warnings: list[LtsCheckDiagnostic]
    """Findings about the input."""
    seconds: float
    """How long it took."""


class LtsCheckPlace(TypedDict):
    file: str
    """The file as the user wrote it."""
    line: int
    """From 1."""
    column: int
    """In characters, from 1."""


class LtsCheckState(TypedDict):
    number: int
    """Its number in the system."""
    shows: list[str]
    """What holds there, as far as it is needed."""


class LtsCheckSystem(TypedDict):
    states: int
    """Its states, including unreachable ones."""
    transitions: int
    """Its transitions, equal ones counted once."""
    labels: int
    """The labels of its transitions."""
    reduced_from: None | LtsCheckSystemReducedFrom
    """Its size before the reduction modulo strong bisimulation, whose states are numbered as by `cladist lts minimize`; null if it was not: only the systems of process texts are reduced, unless --no-reduce is given."""


class LtsCheckSystemReducedFrom(TypedDict):
    states: int
    """Its states."""
    transitions: int
    """Its transitions."""


_LtsCheckTransition = TypedDict("_LtsCheckTransition", {"from": "int"})


class LtsCheckTransition(_LtsCheckTransition):
    to: int
    label: str
    serves: list[str]
    """What it is there for."""


class LtsCompareDocument(TypedDict):
    """Two systems compared."""

    schema: Literal["cladist/lts-compare-1"]
    version: str
    """Version of the program."""
    files: list[str]
    """The files as the user wrote them: A and B."""
    systems: list[LtsCompareSystem]
    """Their sizes, with the labels that --rename and --hide gave them."""
    equivalence: Literal["strong", "branching", "weak", "trace"]
    """What was asked."""
    equivalent: bool
    """Whether the initial states are equivalent."""
    formula: None | LtsCompareFormula
    """A formula that holds in A and not in B, evaluated on both; null if they are equivalent, or none is shown."""
    trace: None | LtsCompareTrace
    """A shortest trace that only one of them has, performed on both; null if they are equivalent, or traces are not compared."""
    without: str | None
    """Why nothing is shown that tells the systems apart."""
    seconds: float
    """How long it took."""


class LtsCompareFormula(TypedDict):
    text: str
    """In the spelling of MCL, as `cladist lts check` reads it."""
    depth: int
    """The number of its modalities inside of each other."""
    modalities: int
    """The number of its modalities."""


class LtsCompareSystem(TypedDict):
    states: int
    """Its states, including unreachable ones."""
    transitions: int
    """Its transitions, equal ones counted once."""
    labels: int
    """The labels of its transitions."""


class LtsCompareTrace(TypedDict):
    of: Literal["A", "B"]
    """The system that has it."""
    labels: list[str]
    """Its visible labels."""


class LtsCounterexampleDiagnostic(TypedDict):
    """A finding about the input."""

    severity: Literal["error", "warning", "note"]
    message: str
    """One sentence."""
    place: LtsCounterexamplePlace | None
    notes: list[str]
    """Causes without a place."""
    related: list[LtsCounterexampleDiagnosticRelatedItem]
    """Other places that explain it."""
    help: str | None
    """What to do about it."""


class LtsCounterexampleDiagnosticRelatedItem(TypedDict):
    place: LtsCounterexamplePlace
    message: str


class LtsCounterexampleDocument(TypedDict):
    """A counterexample that a strategy chooses."""

    schema: Literal["cladist/lts-counterexample-1"]
    version: str
    """Version of the program."""
    holds: bool
    """Whether the property holds, or every run contains the actions."""
    verdict: Literal["holds", "violated"]
    """The same in a word."""
    file: str
    """The file as the user wrote it."""
    property: str | None
    """The property of labels, blanks made one; null if `actions` are asked for, or an invariant."""
    invariant: NotRequired[str]
    """The invariant of the model, with -p."""
    environment: NotRequired[list[str]]
    """The steps of the environment as they were given, if there is one (--environment)."""
    actions: None | list[str]
    """The actions that every run should contain in this order; null if there is a property."""
    strategy: Literal["readable", "random", "shortest", "longest", "faulty-first", "fewest-faulty", "most-faulty", "shortest-fewest-faulty", "most-probable", "least-probable", "closest-faulty", "closest-fewest-faulty", "neighbourhood"]
    """Which counterexample was asked for (--strategy)."""
    seed: int | None
    """The random seed; null for other strategies."""
    through: str | None
    """The pattern as it was written (--through); null if there was none."""
    lts: LtsCounterexampleSystem
    counterexample: None | LtsCounterexampleDocumentCounterexample
    """The counterexample; null if there is none."""
    reason: str | None
    """Why there is none although the property is violated; null otherwise."""
    warnings: list[LtsCounterexampleDiagnostic]
    """What was found about the property or the actions."""


class LtsCounterexampleDocumentCounterexample(TypedDict):
    length: int
    """Its number of actions."""
    shape: Literal["finite", "lasso", "path"]
    """`finite`: ends with the violation, or where there is no transition; `lasso`: repeats a cycle forever; `path`: stops at a neighbourhood."""
    loop_start: int | None
    """Of a lasso, the index of the first action of the loop; its last state is that where the loop begins."""
    actions: list[str]
    kept: list[int]
    """Which actions the abstraction keeps: indices into `actions`, from 0."""
    states: list[int]
    """Where it leads, one more than actions."""
    tags: list[Literal["correct", "incorrect", "neutral"]]
    """What each action decides."""
    right: list[list[str]]
    """For each action the labels that would have been correct at its place."""
    faulty: int
    """How many of the states, the last one not counted, have transitions with different tags."""
    neighbourhoods: int
    """How many of them have a neighbourhood."""
    probability: float
    """How probable it is that a run begins like this, if all transitions of a state are equally probable; of a lasso only the way to the loop counts."""
    certain: bool
    """Whether the run is known to be optimal for the strategy; false if the search was stopped early."""


class LtsCounterexamplePlace(TypedDict):
    file: str
    """The file as the user wrote it."""
    line: int
    """From 1."""
    column: int
    """In characters, from 1."""


class LtsCounterexampleSystem(TypedDict):
    states: int
    """Its states, including unreachable ones."""
    transitions: int
    """Its transitions, equal ones counted once."""
    labels: int
    """The labels of its transitions."""
    reduced_from: None | LtsCounterexampleSystemReducedFrom
    """Its size before the reduction modulo strong bisimulation, whose states are numbered as by `cladist lts minimize`; null if it was not: only the systems of process texts are reduced, unless --no-reduce is given."""


class LtsCounterexampleSystemReducedFrom(TypedDict):
    states: int
    """Its states."""
    transitions: int
    """Its transitions."""


class LtsEscapesDiagnostic(TypedDict):
    """A finding about the input."""

    severity: Literal["error", "warning", "note"]
    message: str
    """One sentence."""
    place: LtsEscapesPlace | None
    notes: list[str]
    """Causes without a place."""
    related: list[LtsEscapesDiagnosticRelatedItem]
    """Other places that explain it."""
    help: str | None
    """What to do about it."""


class LtsEscapesDiagnosticRelatedItem(TypedDict):
    place: LtsEscapesPlace
    message: str


class LtsEscapesDocument(TypedDict):
    """Where a process text gets away from actions."""

    schema: Literal["cladist/lts-escapes-1"]
    version: str
    """Version of the program."""
    verdict: Literal["holds", "violated"]
    """Whether every maximal run has the actions."""
    holds: bool
    """The same."""
    possible: bool
    """Whether some run has the actions; otherwise nothing escapes."""
    file: str
    """The file as the user wrote it."""
    actions: list[str]
    """The actions that every run should contain in this order."""
    lts: LtsEscapesSystem
    escapes: list[LtsEscapesEscape]
    """What gets away from the actions, in the order of the text; first the end of the system, if it does."""
    warnings: list[LtsEscapesDiagnostic]
    """What was found about the actions."""


class LtsEscapesEscape(TypedDict):
    place: None | LtsEscapesEscapePlace
    """Where the action stands; null for the end of the system."""
    kind: Literal["loses", "postpones"]
    """`loses`: the actions are no longer possible after it. `postpones`: it lies on a cycle that can be repeated forever without them."""
    labels: list[str]
    """The labels with which it does that."""
    trace: list[str]
    """A shortest trace that ends with it."""
    instead: list[str]
    """What could have been done instead of the last action of the trace."""


class LtsEscapesEscapePlace(TypedDict):
    file: str
    """The file of the text or of one of its modules."""
    line: int
    """The line, from 1."""
    column: int
    """The column in characters, from 1."""


class LtsEscapesPlace(TypedDict):
    file: str
    """The file as the user wrote it."""
    line: int
    """From 1."""
    column: int
    """In characters, from 1."""


class LtsEscapesSystem(TypedDict):
    states: int
    """Its states, including unreachable ones."""
    transitions: int
    """Its transitions, equal ones counted once."""
    labels: int
    """The labels of its transitions."""


class LtsGenerateDocument(TypedDict):
    """The system of a process text."""

    schema: Literal["cladist/lts-generate-1"]
    version: str
    """Version of the program."""
    verdict: Literal["complete", "undecided"]
    """complete: this is the whole system (exit code 0). undecided: a limit was reached first (5; 130 when interrupted)."""
    file: str
    """The file as the user wrote it."""
    complete: bool
    """Whether this is the whole system."""
    reason: None | str
    """Why it is incomplete; null if it is complete."""
    lts: LtsGenerateSystem
    unexplored: int
    """The number of its unexplored states, whose transitions may be missing."""
    reduced: None | LtsGenerateSystem
    """The system modulo strong bisimulation; null without --reduce, and if it is incomplete."""
    written: str | None
    """The file that it was written to, reduced if that is asked for; null if there is none."""


class LtsGenerateSystem(TypedDict):
    states: int
    """Its states, including unreachable ones."""
    transitions: int
    """Its transitions, equal ones counted once."""
    labels: int
    """The labels of its transitions."""


class LtsInevitableDiagnostic(TypedDict):
    """A finding about the input."""

    severity: Literal["error", "warning", "note"]
    message: str
    """One sentence."""
    place: LtsInevitablePlace | None
    notes: list[str]
    """Causes without a place."""
    related: list[LtsInevitableDiagnosticRelatedItem]
    """Other places that explain it."""
    help: str | None
    """What to do about it."""


class LtsInevitableDiagnosticRelatedItem(TypedDict):
    place: LtsInevitablePlace
    message: str


class LtsInevitableDocument(TypedDict):
    """Whether certain actions are inevitable."""

    schema: Literal["cladist/lts-inevitable-1"]
    version: str
    """Version of the program."""
    holds: bool
    """Whether every run contains the actions in their order, or satisfies the property."""
    verdict: Literal["holds", "violated"]
    """The same in a word."""
    file: str
    """The file as the user wrote it."""
    actions: list[str] | None
    """The actions that every run should contain in this order; null if a property is asked about."""
    property: NotRequired[str]
    """The property of the model that every run should satisfy, where one is asked about."""
    some: bool
    """Whether one neutral incoming transition is enough for a neighbourhood (--some)."""
    lts: LtsInevitableSystem
    counts: LtsInevitableDocumentCounts
    shortest: None | LtsInevitableDocumentShortest
    """A shortest run without the actions, a loop counted once; null if the property holds."""
    neighbourhoods: list[LtsInevitableDocumentNeighbourhoodsItem]
    """States where it is decided, those nearest to the initial state first; --limit says how many are listed. None if the actions are inevitable."""
    warnings: list[LtsInevitableDiagnostic]
    """What was found about the actions."""
    states: NotRequired[list[LtsInevitableDocumentStatesItem]]
    """With --full: how many of the actions are behind and before each reachable state."""
    transitions: NotRequired[list[LtsInevitableDocumentTransitionsItem]]
    """With --full: every reachable transition."""


class LtsInevitableDocumentCounts(TypedDict):
    correct: int
    """Reachable correct transitions: all runs through them contain the actions."""
    incorrect: int
    """Reachable transitions through which no run has them."""
    neutral: int
    """The others."""
    neighbourhoods: int
    """States where it is decided."""
    neighbourhood_kinds: list[int]
    """Those of them with correct and no incorrect transitions; with incorrect and no correct ones; with both and no neutral ones; with all three."""


class LtsInevitableDocumentNeighbourhoodsItem(TypedDict):
    state: int
    waiting: NotRequired[bool]
    """Whether something is waited for there, where a property is asked about."""
    kind: int
    """The index in `neighbourhood_kinds`."""
    path: list[str]
    """A shortest way to it."""
    incoming: list[LtsInevitableDocumentNeighbourhoodsItemIncomingItem]
    """The transitions that lead to it."""
    outgoing: list[LtsInevitableDocumentNeighbourhoodsItemOutgoingItem]
    """The transitions that leave it."""


class LtsInevitableDocumentNeighbourhoodsItemIncomingItem(TypedDict):
    label: str
    state: int
    waiting: NotRequired[bool]
    """Whether something is waited for there, where a property is asked about."""
    tag: Literal["correct", "incorrect", "neutral"]


class LtsInevitableDocumentNeighbourhoodsItemOutgoingItem(TypedDict):
    label: str
    state: int
    waiting: NotRequired[bool]
    """Whether something is waited for there, where a property is asked about."""
    tag: Literal["correct", "incorrect", "neutral"]


class LtsInevitableDocumentShortest(TypedDict):
    length: int
    """Its number of actions."""
    shape: Literal["finite", "lasso"]
    loop_start: int | None
    """Of a lasso, the index of the first action of the loop; its last state is that where the loop begins."""
    actions: list[str]
    kept: list[int]
    """Which actions are before or after a neighbourhood: indices into `actions`, from 0."""
    states: list[int]
    """Where it leads, one more than actions."""
    tags: list[Literal["correct", "incorrect", "neutral"]]
    """What each action decides."""
    right: list[list[str]]
    """For each action the labels that would have been correct at its place."""
    faulty: int
    """How many of the states, the last one not counted, have transitions with different tags."""
    neighbourhoods: int
    """How many of them have a neighbourhood."""
    probability: float
    """How probable it is that a run begins like this, if all transitions of a state are equally probable; of a lasso only the way to the loop counts."""
    certain: bool
    """Whether the run is known to be optimal for the strategy; false if the search was stopped early."""


class LtsInevitableDocumentStatesItem(TypedDict):
    state: int
    """The state."""
    max_prefix: int
    """The longest prefix that some path to it has."""
    common_prefix: int
    """The longest prefix that every path to it has."""
    max_suffix: int
    """The longest suffix that some run from it has."""
    common_suffix: int
    """The longest suffix that every run from it has."""
    neighbourhood: int | None
    """The kind of its neighbourhood: the index in `neighbourhood_kinds`; null if it has none."""


_LtsInevitableDocumentTransitionsItem = TypedDict("_LtsInevitableDocumentTransitionsItem", {"from": "int"})


class LtsInevitableDocumentTransitionsItem(_LtsInevitableDocumentTransitionsItem):
    label: str
    to: int
    """Its target."""
    tag: Literal["correct", "incorrect", "neutral"]


class LtsInevitablePlace(TypedDict):
    file: str
    """The file as the user wrote it."""
    line: int
    """From 1."""
    column: int
    """In characters, from 1."""


class LtsInevitableSystem(TypedDict):
    states: int
    """Its states, including unreachable ones."""
    transitions: int
    """Its transitions, equal ones counted once."""
    labels: int
    """The labels of its transitions."""
    reduced_from: None | LtsInevitableSystemReducedFrom
    """Its size before the reduction modulo strong bisimulation, whose states are numbered as by `cladist lts minimize`; null if it was not: only the systems of process texts are reduced, unless --no-reduce is given."""


class LtsInevitableSystemReducedFrom(TypedDict):
    states: int
    """Its states."""
    transitions: int
    """Its transitions."""


class LtsInfoDocument(TypedDict):
    """What an explicit system is like."""

    schema: Literal["cladist/lts-info-1"]
    version: str
    """Version of the program."""
    file: str
    """The file as the user wrote it."""
    initial: int
    """The initial state."""
    lts: LtsInfoSystem
    reachable: LtsInfoDocumentReachable
    deadlocks: list[int]
    """The reachable states without transitions, ascending."""
    deterministic: bool
    """Whether no reachable state has two transitions with one label."""
    invisible_transitions: int
    """Reachable transitions with the label `i` or `tau`."""
    components: LtsInfoDocumentComponents
    """The strongly connected components of the reachable states."""
    labels: list[LtsInfoDocumentLabelsItem]
    """All labels, the most frequent first."""
    property: NotRequired[LtsInfoDocumentProperty]
    """What can become of the states of a model, with -p."""


class LtsInfoDocumentComponents(TypedDict):
    """The strongly connected components of the reachable states."""

    count: int
    """How many there are."""
    cyclic: int
    """How many have a transition inside."""
    largest: int
    """States of the largest one."""


class LtsInfoDocumentLabelsItem(TypedDict):
    label: str
    """The label."""
    transitions: int
    """Reachable transitions with it."""


class LtsInfoDocumentProperty(TypedDict):
    """What can become of the states of a model, with -p."""

    property: None
    """Always null: the property is an invariant."""
    invariant: str
    """The invariant of the model, with -p."""
    environment: NotRequired[list[str]]
    """The steps of the environment as they were given, if there is one (--environment)."""
    holds: bool
    """Whether no violation can be reached."""
    states: LtsInfoDocumentPropertyStates
    """The states of the model by what can become of them."""
    decisive: list[LtsInfoDocumentPropertyDecisiveItem]
    """The labels of steps from open states to lost ones that come before any violation, those nearest to the initial state first."""


class LtsInfoDocumentPropertyDecisiveItem(TypedDict):
    label: str
    """The label."""
    steps: int
    """Decisive steps with it."""
    state: int
    """Of the states that they leave, one that is nearest to the initial state."""
    path: list[str]
    """The labels on a shortest path to that state."""
    instead: list[LtsInfoDocumentPropertyDecisiveItemInsteadItem]
    """What else can be done in that state without losing, safe labels first; steps of the environment are not listed."""
    always: list[str]
    """The labels that are possible, without losing, wherever a decisive step with this label is."""


class LtsInfoDocumentPropertyDecisiveItemInsteadItem(TypedDict):
    label: str
    """The label."""
    leads_to: Literal["safe", "open"]
    """What its steps lead to, at worst."""


class LtsInfoDocumentPropertyStates(TypedDict):
    """The states of the model by what can become of them."""

    lost: int
    """States that violate the invariant, or from which every maximal run does; with an environment, from which its steps alone lead to a violation."""
    safe: int
    """States from which no violation can be reached."""
    open: int
    """All others."""


class LtsInfoDocumentReachable(TypedDict):
    states: int
    """States that can be reached."""
    transitions: int
    """Transitions that leave them."""


class LtsInfoSystem(TypedDict):
    states: int
    """Its states, including unreachable ones."""
    transitions: int
    """Its transitions, equal ones counted once."""
    labels: int
    """The labels of its transitions."""


class LtsMinimizeDocument(TypedDict):
    """A system modulo bisimulation."""

    schema: Literal["cladist/lts-minimize-1"]
    version: str
    """Version of the program."""
    file: str
    """The file as the user wrote it."""
    lts: LtsMinimizeSystem
    quotient: LtsMinimizeSystem
    modulo: Literal["strong", "branching", "weak", "trace"]
    """The equivalence; branching and weak bisimulation are blind to divergence."""
    state_of: list[int | None] | None
    """For each state on a transition its state in the quotient; null for unreachable ones. Modulo traces, states are sets of states, and this is null."""


class LtsMinimizeSystem(TypedDict):
    states: int
    """Its states, including unreachable ones."""
    transitions: int
    """Its transitions, equal ones counted once."""
    labels: int
    """The labels of its transitions."""


class LtsNeighboursDiagnostic(TypedDict):
    """A finding about the input."""

    severity: Literal["error", "warning", "note"]
    message: str
    """One sentence."""
    place: LtsNeighboursPlace | None
    notes: list[str]
    """Causes without a place."""
    related: list[LtsNeighboursDiagnosticRelatedItem]
    """Other places that explain it."""
    help: str | None
    """What to do about it."""


class LtsNeighboursDiagnosticRelatedItem(TypedDict):
    place: LtsNeighboursPlace
    message: str


class LtsNeighboursDocument(TypedDict):
    """Where a violation could still be avoided."""

    schema: Literal["cladist/lts-neighbours-1"]
    version: str
    """Version of the program."""
    holds: bool
    """Whether the property holds."""
    verdict: Literal["holds", "violated"]
    """The same in a word."""
    file: str
    """The file as the user wrote it."""
    property: str | None
    """The property of labels, blanks made one; null if an invariant is asked for."""
    invariant: NotRequired[str]
    """The invariant of the model, with -p."""
    environment: NotRequired[list[str]]
    """The steps of the environment as they were given, if there is one (--environment)."""
    strict: bool
    """Whether a loop without a violation counts as a way to avoid it (--strict)."""
    literal: bool
    """Whether only traces in L(R) themselves are bad (--literal)."""
    lts: LtsNeighboursSystem
    total: int
    """How many neighbourhoods there are; --limit says how many are listed."""
    neighbourhoods: list[LtsNeighboursDocumentNeighbourhoodsItem]
    """Those nearest to the initial state first."""
    warnings: list[LtsNeighboursDiagnostic]
    """What was found about the property."""


class LtsNeighboursDocumentNeighbourhoodsItem(TypedDict):
    position: LtsNeighboursPosition
    path: list[str]
    """A shortest way to it."""
    incoming: list[LtsNeighboursDocumentNeighbourhoodsItemIncomingItem]
    """The transitions that lead to it."""
    outgoing: list[LtsNeighboursDocumentNeighbourhoodsItemOutgoingItem]
    """The transitions that leave it."""


class LtsNeighboursDocumentNeighbourhoodsItemIncomingItem(TypedDict):
    label: str
    position: LtsNeighboursPosition
    tag: Literal["correct", "incorrect", "neutral"]


class LtsNeighboursDocumentNeighbourhoodsItemOutgoingItem(TypedDict):
    label: str
    position: LtsNeighboursPosition
    tag: Literal["correct", "incorrect", "neutral"]


class LtsNeighboursPlace(TypedDict):
    file: str
    """The file as the user wrote it."""
    line: int
    """From 1."""
    column: int
    """In characters, from 1."""


class LtsNeighboursPosition(TypedDict):
    """A state of the system and how far the property has got."""

    state: int
    """The state of the system, as in its file."""
    phase: int
    """The state of the property's automaton, 0 at first."""


class LtsNeighboursSystem(TypedDict):
    states: int
    """Its states, including unreachable ones."""
    transitions: int
    """Its transitions, equal ones counted once."""
    labels: int
    """The labels of its transitions."""
    reduced_from: None | LtsNeighboursSystemReducedFrom
    """Its size before the reduction modulo strong bisimulation, whose states are numbered as by `cladist lts minimize`; null if it was not: only the systems of process texts are reduced, unless --no-reduce is given."""


class LtsNeighboursSystemReducedFrom(TypedDict):
    states: int
    """Its states."""
    transitions: int
    """Its transitions."""


class LtsTagDiagnostic(TypedDict):
    """A finding about the input."""

    severity: Literal["error", "warning", "note"]
    message: str
    """One sentence."""
    place: LtsTagPlace | None
    notes: list[str]
    """Causes without a place."""
    related: list[LtsTagDiagnosticRelatedItem]
    """Other places that explain it."""
    help: str | None
    """What to do about it."""


class LtsTagDiagnosticRelatedItem(TypedDict):
    place: LtsTagPlace
    message: str


class LtsTagDocument(TypedDict):
    """What leads into a violation."""

    schema: Literal["cladist/lts-tag-1"]
    version: str
    """Version of the program."""
    holds: bool
    """Whether the property holds."""
    verdict: Literal["holds", "violated"]
    """The same in a word."""
    file: str
    """The file as the user wrote it."""
    property: str | None
    """The property of labels, blanks made one; null if an invariant is asked for."""
    invariant: NotRequired[str]
    """The invariant of the model, with -p."""
    environment: NotRequired[list[str]]
    """The steps of the environment as they were given, if there is one (--environment)."""
    strict: bool
    """Whether a loop without a violation counts as a way to avoid it (--strict)."""
    literal: bool
    """Whether only traces in L(R) themselves are bad (--literal)."""
    lts: LtsTagSystem
    automaton: LtsTagDocumentAutomaton
    """The minimal automaton of the property."""
    counts: LtsTagDocumentCounts
    """Sizes of the tagged system, whose states are positions."""
    shortest: None | LtsTagDocumentShortest
    """A shortest counterexample up to its first violation; null if the property holds."""
    warnings: list[LtsTagDiagnostic]
    """What was found about the property."""
    transitions: NotRequired[list[LtsTagDocumentTransitionsItem]]
    """With --full: every transition of the tagged system."""


class LtsTagDocumentAutomaton(TypedDict):
    """The minimal automaton of the property."""

    states: int
    """Its states."""
    classes: int
    """The classes of labels that it tells apart."""


class LtsTagDocumentCounts(TypedDict):
    """Sizes of the tagged system, whose states are positions."""

    correct: int
    """Transitions out of the counterexample LTS: no violation is possible after them."""
    incorrect: int
    """Transitions after which the violation cannot be avoided any more, those after a violation included."""
    neutral: int
    """Transitions after which both is possible."""
    beyond: int
    """Transitions after a correct one."""
    faulty: int
    """States that transitions with different tags leave."""
    faulty_kinds: list[int]
    """Those of them with correct and neutral; incorrect and neutral; correct and incorrect; all three tags."""
    neighbourhoods: int
    """States of the counterexample LTS that a correct transition leaves."""
    frontier: int
    """States of the system at which they are."""
    counterexample_lts: LtsTagDocumentCountsCounterexampleLts
    """All traces that can still become a violation."""


class LtsTagDocumentCountsCounterexampleLts(TypedDict):
    """All traces that can still become a violation."""

    states: int
    """Its states."""
    transitions: int
    """Its transitions."""


class LtsTagDocumentShortest(TypedDict):
    length: int
    """Its number of actions."""
    actions: list[str]
    kept: list[int]
    """Which actions the abstraction keeps: indices into `actions`, from 0."""
    decisions: int
    """How many neighbourhoods (or faulty states, with --keep) it leads through."""
    positions: list[LtsTagPosition]
    """Where it leads, one more than actions."""


_LtsTagDocumentTransitionsItem = TypedDict("_LtsTagDocumentTransitionsItem", {"from": "LtsTagPosition"})


class LtsTagDocumentTransitionsItem(_LtsTagDocumentTransitionsItem):
    label: str
    to: LtsTagPosition
    tag: Literal["correct", "incorrect", "neutral"]


class LtsTagPlace(TypedDict):
    file: str
    """The file as the user wrote it."""
    line: int
    """From 1."""
    column: int
    """In characters, from 1."""


class LtsTagPosition(TypedDict):
    """A state of the system and how far the property has got."""

    state: int
    """The state of the system, as in its file."""
    phase: int
    """The state of the property's automaton, 0 at first."""


class LtsTagSystem(TypedDict):
    states: int
    """Its states, including unreachable ones."""
    transitions: int
    """Its transitions, equal ones counted once."""
    labels: int
    """The labels of its transitions."""
    reduced_from: None | LtsTagSystemReducedFrom
    """Its size before the reduction modulo strong bisimulation, whose states are numbered as by `cladist lts minimize`; null if it was not: only the systems of process texts are reduced, unless --no-reduce is given."""


class LtsTagSystemReducedFrom(TypedDict):
    states: int
    """Its states."""
    transitions: int
    """Its transitions."""


class LtsUndecidedDocument(TypedDict):
    """No result about an explicit system."""

    schema: Literal["cladist/lts-undecided-1"]
    version: str
    """Version of the program."""
    verdict: Literal["undecided"]
    reason: str
    """What was used up, and while doing what."""
    done: LtsUndecidedDocumentDone
    """How much of the part of the computation that was under way had been done; null where that is not counted."""


class LtsUndecidedDocumentDone(TypedDict):
    """How much of the part of the computation that was under way had been done; null where that is not counted."""

    number: int
    of: int | None
    """How much there is to do; null where that is not known."""
    what: str
    """What was counted: `transitions read`, `states explored`."""


class Missing(TypedDict):
    """An answer without a proof."""

    claim: str
    """The claim to be proved, in words."""
    reason: str
    """The reason why there is no proof."""


class Moment(TypedDict):
    """A state with the label of the step that led to it."""

    label: Label | None
    """The step that led here; `null` in the initial state."""
    state: Values
    """All variables with their values."""
    changes: list[Change]
    """The changes since the previous state, values as text."""
    positions: list[str]
    """The position variables of the constraint at this state."""
    shown: Values
    """The expressions of `--show` with their values."""


_Move = TypedDict("_Move", {"from": "str"})


class Move(_Move):
    """The move of a value."""

    type: str
    """The name of its type."""
    to: str
    """The value in its place."""


class Necessary(TypedDict):
    """The facts common to violating traces."""

    full: bool
    """True if everything was examined, and not only quickly decided facts."""
    every_length: bool
    """True if they are common to violating traces of every length, and not only up to the bound."""
    always: list[Shared]
    """The facts that every violating trace has."""
    never: list[Shared]
    """The facts that no violating trace has."""
    undecided: list[str]
    """The undecided facts, in the paper's notation."""
    skipped: list[str]
    """Observables with too many values, which were not examined."""
    more: int
    """The number of facts omitted from a short list."""


NewsWord: TypeAlias = "Literal['nothing_new', 'new', 'open']"
"""The comparison of a result with a stored one.
`nothing_new`: Nothing is new.
`new`: A class is new.
`open`: Some classes were not compared."""


class Novelty(TypedDict):
    """The comparison of a class."""

    id: int
    """The id of the class."""
    novelty: NoveltyWord
    """`same`, `covered`, `new` or `open`."""
    same_as: int | None
    """With `same`: the id of the class in the stored result."""
    trace: Trace | None
    """With `new`: a shortest violating trace that is in no class of the stored result."""
    reason: WhyEnded | None
    """With `open`: the limit that ended the comparison."""


NoveltyWord: TypeAlias = "Literal['same', 'covered', 'new', 'open']"
"""The standing of a class beside a stored result.
`same`: A class there has the same constraint.
`covered`: Classes there have all of its violating traces.
`new`: No class there has one of its violating traces.
`open`: The class was not compared."""


class ObligationDocument(TypedDict):
    """A proof obligation with its outcome."""

    name: str
    """Its name."""
    claim: str
    """Its meaning."""
    kind: Literal["script", "evaluation", "open"]
    """The way it is decided: `script`, `evaluation` or `open`."""
    standing: Literal["confirmed", "refused", "undecided"]
    """`confirmed`, `refused` or `undecided`."""
    reason: str | None
    """The reason why it is refused or undecided."""
    answers: list[AnswerDocument]
    """The answer of each solver."""


ObstacleWord: TypeAlias = "Literal['states', 'choices', 'class', 'combinations', 'broken', 'nodes', 'time', 'memory', 'interrupt']"
"""The reason why there is no proof, or no number.
`states`: There are too many states.
`choices`: Some state has too many choices.
`class`: A class is not decided over a list of states.
`combinations`: There are too many combinations of states with the classes' memory.
`broken`: The result fails for longer traces.
`nodes`: Decision diagrams grow too large.
`time`: The time ran out.
`memory`: The memory ran out.
`interrupt`: The run was interrupted."""


class Pair(TypedDict):
    """A violation and an accepted trace with the same facts."""

    counterexample: Trace
    """The violation."""
    accepting: Trace
    """The accepted trace."""
    constraint: str
    """The facts they share, in the paper's notation: for finite traces all, for infinite ones those about single atoms."""
    formula: TraceFormulaText
    """Like `constraint`, in the language of models."""
    differs: list[str]
    """The differences of finite traces at the matched positions."""


class ParameterPosition(TypedDict):
    """A position for a parameter of a predicate, for JSON."""

    name: str
    """The parameter, or the observable that is passed to the predicate."""
    position: int
    """The position."""


class ParameterText(TypedDict):
    """A variable of a formula."""

    name: str
    """Its name."""
    type: str
    """Its type in the language of models; `pos` for a position."""


class Pattern(TypedDict):
    """The traces with some steps, in the language of models."""

    finite: NotRequired[TraceFormulaText]
    infinite: NotRequired[LassoFormulaText]


class PatternClaimDocument(TypedDict):
    """A claim, as in its file."""

    protocol: str
    """The protocol."""
    role: str
    """The role that claims."""
    label: str
    """The label, as in the file."""
    claim: ClaimWord | None
    """The claim."""
    term: str | None
    """The term that it is about; `null` without one."""


class PatternDocument(TypedDict):
    """A minimal attack pattern."""

    runs: int
    """The number of runs."""
    words: list[str]
    """The words of `std/protocols.pred` that it has, if agents differ where they can."""
    helpers: list[str]
    """The helper protocols of which runs receive something, without `@`."""
    chart: Chart | None
    """The pattern as a message sequence chart; `null` if none can be drawn. Names in small letters are agents that may be any, and `?n#1` is any value that the attacker has."""
    exposed: str | None
    """The agent whose long-term keys the attacker has from the start, as in the chart; `null` without one."""


class PatternKindDocument(TypedDict):
    """A kind of attacks."""

    word: str | None
    """A word of `std/protocols.pred`; `null` for patterns without any."""
    patterns: list[int]
    """Indices of its patterns."""


class Patterns(TypedDict):
    """The answer of attack patterns to a claim, for any number of runs."""

    verdict: PatternsWord
    """`holds`, `attacked` or `open`."""
    runs: int | None
    """With `attacked`: the fewest runs of an attack. With `open`: there is no attack with up to so many runs. Otherwise `null`."""


class PatternsDocument(TypedDict):
    """The minimal attack patterns of a claim: `cladist classify FILE.spdl --json`."""

    schema: Literal["cladist/patterns-1"]
    version: str
    """The version of the program."""
    model: str
    """The name of the model."""
    file: str
    """The file as the user wrote it."""
    sources: list[Source]
    """The texts of the protocol."""
    set: dict[str, str]
    """The values of constants from `--set`, as text."""
    property: str
    """The property in the model that the protocol becomes."""
    claim: PatternClaimDocument
    """The claim in its file."""
    verdict: CharacterisationWord
    """The result."""
    complete_to: int | None
    """The most runs for which the patterns are all; `null` for any number."""
    summary: str
    """The verdict in one line."""
    kinds: list[PatternKindDocument]
    """The fewest words that describe all patterns. A pattern is of the first kind of which it has the word."""
    patterns: list[PatternDocument]
    """The minimal patterns, those of few runs first. None contains another one, and each was replayed."""
    seconds: float
    """Seconds of the search."""
    warnings: list[Finding]
    """The warnings."""
    rerun: str
    """The command line that gives this result again; empty for a library."""


PatternsWord: TypeAlias = "Literal['holds', 'attacked', 'open']"
"""The verdict of attack patterns.
`holds`: There is no attack with any number of runs.
`attacked`: There is one.
`open`: More runs may have one."""


class Place(TypedDict):
    """A place in a source."""

    file: str
    """The file."""
    line: int
    """The line, from 1."""
    column: int
    """The column in characters, from 1."""


class Proof(TypedDict):
    """The reason why a property holds in traces of every length."""

    method: ProofMethod
    """`explicit`, `diagrams`, `k_induction`, `ic3`, `affine` or `loops`."""
    states: int | None
    """With `explicit` and `diagrams`: the number of reachable states; `null` if only their orbits are known, or from 2⁶⁴ on."""
    visited: int | None
    """With `explicit`: the number of visited states, if symmetries made others superfluous."""
    symmetric: list[str]
    """With `visited`: the symmetries, in words."""
    k: int | None
    """With `k_induction`: the property holds before position k, and after k consecutive states in which it holds."""
    invariant: list[str]
    """With `ic3`: the conjuncts, in the language, of an invariant that holds initially, is preserved by every step, and implies the property. With `affine`: the relations."""
    checked_by: str | None
    """The solver that checked it again; `null` with `explicit`, `diagrams` and `affine`."""


ProofMethod: TypeAlias = "Literal['explicit', 'diagrams', 'k_induction', 'ic3', 'affine', 'loops']"
"""The method of a proof.
`explicit`: All states were visited.
`diagrams`: The reachable states were computed as decision diagrams.
`k_induction`: k-induction.
`ic3`: IC3.
`affine`: Affine relations between integers.
`loops`: No loop violates it, as proved over a model extended by an observer of loops."""


class Proofs(TypedDict):
    """Proofs of unsatisfiable answers."""

    folder: str
    """The folder, as the user wrote it."""
    proved: int
    """The number of unsatisfiable answers with a checked proof there."""
    missing: list[Missing]
    """The answers without a proof."""
    without: list[str]
    """The grounds of the result beside unsatisfiable answers, in words."""


class ProofsDocument(TypedDict):
    """The manifest of `--proofs`."""

    schema: Literal["cladist/proofs-1"]
    version: str
    """Version of this program."""
    file: str
    """The file of the model, as the user wrote it."""
    rerun: str
    """The command line that gives this result again."""
    solver: str
    """The solver that found the proofs."""
    proofs: list[ProvedDocument]
    """The proofs."""
    missing: list[Missing]
    """Premises of the result that have no proof."""
    without: list[str]
    """Premises of the result that are no unsatisfiable answer, in words."""


class Property(TypedDict):
    """A property with its result."""

    name: str
    """The declared name."""
    kind: PropertyKindWord
    """`invariant`, `deadlock`, `ltl` or `ctl`."""
    verdict: PropertyVerdict
    """`types_only`, `holds`, `violated` or `undecided`."""
    proof: Proof | None
    """The proof for traces of every length, if there is one."""
    counterexample: Trace | None
    """With `violated`: a shortest violating trace."""
    violates: list[str]
    """With `violated`: the conjuncts of the property that fail at its end."""
    reason: WhyUndecided | None
    """With `undecided`: `time`, `memory`, `interrupt`, `temporal` if this command does not decide it, `choices` or `states` if there are too many to list, or `formula` if it is too large for this method."""
    depth: int | None
    """With `undecided` for lack of budget: traces of fewer steps than this do not violate it."""


PropertyKindWord: TypeAlias = "Literal['invariant', 'deadlock', 'ltl', 'ctl']"
"""The kind of a property.
`invariant`: An invariant.
`deadlock`: The absence of states without successor.
`ltl`: A linear-time property.
`ctl`: A branching-time property."""


PropertyVerdict: TypeAlias = "Literal['types_only', 'holds', 'violated', 'undecided']"
"""The result for a property.
`types_only`: Only its types were checked.
`holds`: The property holds.
`violated`: The property is violated.
`undecided`: The property was not decided."""


class ProvedDocument(TypedDict):
    """An unsatisfiable answer with its proof."""

    claim: str
    """Its claim, in words."""
    clauses: FileDocument
    """The clauses, in DIMACS CNF."""
    variables: int
    """The number of their variables."""
    clause_count: int
    """The number of clauses."""
    proof: FileDocument
    """The proof, as LRAT text."""
    derived: int
    """The number of clauses that it derives."""
    deleted: int
    """The number of clauses that it deletes."""
    checked_by: list[str]
    """Who checked it: `cladist`, and with `--verify` another solver that refuted the clauses with a proof of its own."""
    solve_seconds: float
    """Seconds to find the proof."""
    check_seconds: float
    """Seconds to check it."""


class QuestionDifference(TypedDict):
    """Something that was asked differently."""

    field: str
    """The field of the documents."""
    first: Any
    """Its value in the first document; `null` where it is missing."""
    second: Any
    """Its value in the second document."""


class Reason(TypedDict):
    """A part of the condition of a step with the steps that it is due to."""

    step: NotRequired[int]
    """The number of the step, from 1; missing for an infinite trace as a whole."""
    condition: str
    """The part."""
    because: list[int]
    """The numbers of the steps that it is due to."""


Recurrence: TypeAlias = "Literal['again', 'forever', 'once']"
"""The positions of an infinite trace at which something holds.
`again`: At infinitely many positions.
`forever`: At all positions from some position on.
`once`: At some position."""


class Related(TypedDict):
    """Another place that explains a finding."""

    place: Place
    """The place."""
    message: str
    """The remark."""


class Repair(TypedDict):
    """An addition to a vocabulary."""

    predicates: NotRequired[list[str]]
    """The declarations of its predicates that the model lacks; missing if there are none."""
    add: str
    """The addition, as it stands between the braces of a vocabulary."""
    classes: int
    """The number of classes with it, which are all."""
    restating: int
    """The number of them that only restate the property."""
    length: int
    """The total number of facts, positions and individuals of all classes."""


class Right(TypedDict):
    """A step that does not lose."""

    label: str
    """Its label."""
    leads_to: ClassifyLassosFate
    """The worst fate of the states it leads to: `safe` or `open`."""


class RowDocument(TypedDict):
    """A job and its result."""

    index: int
    """The number in the plan, from 0."""
    name: str
    """The file name of the stored result, without its extension."""
    job: JobKey
    """Everything that the result depends on."""
    state: Literal["done", "failed", "missing"]
    """`done`, `failed` or `missing`."""
    verdict: ClassifyVerdict | None
    """The verdict, if it is done."""
    reason: str | None
    """The reason why the verdict is `partial` or `undecided`."""
    bound: int | None
    """The bound of the result in steps, if it is done: that of the job, or of an unbounded job the last one at which classes were searched."""
    traces: TracesDocument | None
    """The numbers of violating traces of all lengths up to that bound, if they were counted."""
    classes: list[str] | None
    """The constraints of the classes that are not redundant, if it is done."""
    cpu_seconds: float | None
    """Seconds of processor time."""
    seconds: float | None
    """Seconds of wall-clock time."""
    peak_memory_kb: int | None
    """The peak resident memory in units of 1024 bytes."""
    error: str | None
    """With `failed`: the reason."""


class Runs(TypedDict):
    """The examined runs of a protocol."""

    at_most: int
    """The most runs."""
    all_interleavings: bool
    """True if the verdicts cover all interleavings of this many runs, and not only those of up to `bound` steps."""


class SaidText(TypedDict):
    """Something that is so at a position, or not."""

    text: str
    """A truth value over the position and the individuals, as the body of a predicate."""
    holds: bool
    """True if it is so."""


class Seconds(TypedDict):
    """Seconds of wall-clock time by phase."""

    unroll: float
    """Building the unrolling."""
    search: float
    """Searching for counterexamples."""
    facts: float
    """Collecting facts."""
    minimise: float
    """Minimising constraints."""
    block: float
    """Building the blocking clauses."""
    redundancy: float
    """Removing redundant classes and finding canonical counterexamples."""
    necessary: float
    """Searching for facts that all violating traces have, or none."""
    verify: float
    """The self-check, possibly parallel to other phases."""
    prove: float
    """The proof for traces of every length."""
    count: float
    """Counting traces."""
    vocabularies: float
    """Trying other vocabularies: for the choice of one, for repairs, and for hints."""
    total: float
    """From start to end, hence at least the sum of all phases but the self-check."""


class SeriesDocument(TypedDict):
    """Jobs that differ only in the lengths of traces."""

    model: str
    """The model's file as the plan names it."""
    property: str
    """The name of the property."""
    vocabulary: str
    """The name of the vocabulary."""
    constants: list[str]
    """Constants with other values than in the model."""
    environment: NotRequired[str]
    """The steps of the environment, if they are given."""
    ground: NotRequired[str]
    """The types of which classes name values, if they are given."""
    bounds: list[EntryDocument]
    """One for each bound, smallest first, followed by those for every length."""


SeverityWord: TypeAlias = "Literal['error', 'warning', 'note']"
"""The severity of a finding.
`error`: An error.
`warning`: A warning.
`note`: A note."""


class Share(TypedDict):
    """The number of traces in a class."""

    id: int
    """The class, from 1."""
    total: str
    """Those in the class."""
    only: str
    """Those in this class and no other."""


class Shared(TypedDict):
    """A fact that all violating traces have, or none."""

    constraint: str
    """The fact in the paper's notation."""
    formula: TraceFormulaText
    """The fact in the language of models."""
    of_each: NotRequired[bool]
    """True if it holds for each of its individuals separately; missing if the formula expresses that."""
    telling: bool
    """True if it distinguishes violating traces from others."""


class SortedTrace(TypedDict):
    """A trace and what it is."""

    file: str
    """The file, as the user wrote it."""
    kind: Literal["refused"] | Literal["holds"] | Literal["violates"]
    why: NotRequired[str]
    """The reason."""
    state: NotRequired[int]
    """The first state that violates the property, from 0; missing for an infinite trace."""
    classes: NotRequired[list[int]]
    """The numbers of the classes that it is in, or of the kinds whose steps it has; empty if the result does not have its kind."""


class Source(TypedDict):
    """A text of a result's model."""

    file: str
    """Its path as read."""
    sha256: str
    """SHA-256 of its bytes, as 64 hexadecimal digits."""


class Statistics(TypedDict):
    """The resources used by a classification."""

    counterexamples: int
    """The number of examined counterexamples."""
    redundant: int
    """The number of constraints that preferences chose for one of these counterexamples, and that the classes made redundant."""
    solver_calls: int
    """The number of solver calls."""
    seconds: Seconds
    """Seconds by phase, and in total."""
    peak_variables: int
    """The greatest number of SAT variables in one solver."""
    peak_clauses: int
    """The greatest number of clauses in one solver."""
    cpu_seconds: float | None
    """Seconds of processor time; `null` where the system does not report it."""
    peak_memory_kb: int | None
    """The greatest resident memory in units of 1024 bytes; `null` where the system does not report it."""


class StretchText(TypedDict):
    """A part of a trace, its ends excluded."""

    at: str
    """The name of its positions in the fact."""
    after: str | None
    """The parameter that it begins after; `null` if it begins with the trace."""
    before: str | None
    """The parameter that it ends before; `null` if it ends with the trace."""


class TestDocument(TypedDict):
    """The result of `cladist test`."""

    schema: Literal["cladist/test-1"]
    version: str
    """Version of the program."""
    verdict: ExampleVerdict
    """`failed` if an example did, else `undecided` if one was not decided, else `passed`."""
    files: list[TestedFileDocument]
    """The files."""
    seconds: float
    """Seconds from start to end."""


class TestedFileDocument(TypedDict):
    """The examples of a file, for JSON."""

    file: str
    """The file as the user wrote it."""
    examples: list[ExampleDocument]
    """Its examples."""
    warnings: list[Finding]
    """Findings about the file."""


class Trace(TypedDict):
    """A trace."""

    steps: int
    """The number of steps."""
    states: list[Moment]
    """The states in order, one more than steps."""
    loop: NotRequired[int]
    """For an infinite trace: the position where its loop begins. The last state is the one there, followed by the steps from there on, for ever. Missing for a finite trace."""
    chart: NotRequired[Chart]
    """For a protocol: the trace as a message sequence chart; missing for a model."""


class TraceFormulaText(TypedDict):
    """A formula as text."""

    parameters: list[ParameterText]
    """The variables that are bound by "there are", positions first. Their names hide those of the model."""
    facts: list[FactText]
    """The facts, all of which hold."""
    of_each: NotRequired[bool]
    """True if there are such positions for each choice of the other variables, and not only for one."""


class TraceSortDocument(TypedDict):
    """The result of `cladist trace sort`."""

    schema: Literal["cladist/trace-sort-1"]
    property: str
    """The name of the property."""
    traces: list[SortedTrace]
    """The traces, in the order in which they were given."""


class TracesDocument(TypedDict):
    """Numbers of violating traces, summed over all lengths, as decimal strings."""

    first_violations: str | None
    """Counterexamples that end in their first violation; `null` where there are no numbers."""
    violating: str | None
    """Traces with a violation anywhere; `null` where there are no numbers."""
    reason: str | None
    """The reason why there are no numbers."""


class TrialDocument(TypedDict):
    """A vocabulary with what it gives."""

    name: str
    """Its name."""
    predicates: NotRequired[list[str]]
    """The declarations of its predicates that the model lacks; missing if there are none."""
    declaration: str | None
    """Its declaration, to be pasted into the model after these predicates; `null` for one that the model has."""
    outcome: ClassifyVerdict
    """The verdict of the classification with it."""
    cut_short: Literal["classes", "limit", None]
    """The reason why it was abandoned: `classes` if there were too many, `limit` for one of time or memory."""
    classes: int
    """The number of classes known."""
    restating: int
    """The number of those that only restate the property."""
    length: int
    """Facts, positions and individuals of all classes."""
    constraints: list[str]
    """The constraints of the classes, in the paper's notation."""
    seconds: float | None
    """Seconds by the clock; `null` for a result that was taken from another line."""


class Unbounded(TypedDict):
    """The result for every length."""

    proved: bool
    """True if the verdict is about traces of every length."""
    text: str
    """The result in words, with the effort of the proof, or the reason why there is none."""
    method: BasisWord | None
    """With `proved`: `states` if all were visited, `induction` for a symbolic proof."""
    states: int | None
    """With the method `states`: the number of states that non-violating traces lead to."""
    steps: int | None
    """With the method `states`: the number of steps from these."""
    combinations: int | None
    """With the method `states`: the number of combinations of these states with the classes' memory."""
    bounds: list[int] | None
    """With `proved`: the bounds in steps at which classes were searched for."""
    checked_by: str | None
    """With `proved`: the confirmation of the proof, `simulation and SOLVER` or a solver."""
    reason: ObstacleWord | None
    """Without a proof: `states`, `choices`, `class`, `combinations`, `broken`, `time`, `memory`, `interrupt`."""


class UncheckedDocument(TypedDict):
    """Something that a result claims and that is not checked."""

    path: str
    """Its place in the result, as a JSON pointer."""
    what: str
    """The part that is not checked."""


class Unmoved(TypedDict):
    """Records that stay fixed."""

    type: str
    """The name of their type."""
    field: str
    """The field that identifies them."""
    value: str
    """Its value in these records."""


Value: TypeAlias = "Any"


Values: TypeAlias = "dict[str, Value]"
"""Values by name: a string for a value of an enumeration, an integer, a truth value, `null` for none, an array for a set, an object for a record by its fields or a map by its keys."""


class VerifyDocument(TypedDict):
    """The result of `cladist verify`."""

    schema: Literal["cladist/verify-1"]
    version: str
    """Version of this program."""
    result: str
    """The result, as the user named it."""
    model: str
    """The model's name."""
    decision: Literal["accepted", "refused", "undecided"]
    """`accepted`, `refused` or `undecided`."""
    summary: str
    """The verdict in a sentence, with the number of claims that are not checked."""
    obligations: list[ObligationDocument]
    """The proof obligations with their outcomes."""
    not_checked: list[UncheckedDocument]
    """Claims of the result that are not checked."""
    notes: list[str]
    """Remarks about the bundle."""


class VocabularyDocument(TypedDict):
    """The result of `cladist vocabulary`."""

    schema: Literal["cladist/vocabulary-1"]
    version: str
    """Version of this program."""
    model: str
    """The model's name."""
    file: str
    """The file of the model, as the user wrote it."""
    constants: Values
    """Constants with their values for this run."""
    property: str
    """The property's name."""
    bound: int
    """The bound in steps."""
    lengths: LengthsWord
    """The bound as the greatest or the only number of steps."""
    declared: list[TrialDocument]
    """The vocabularies that the model declares, in its order."""
    chosen: TrialDocument
    """The vocabulary that the program chooses."""
    chosen_text: str
    """The known quality of the choice."""
    found: list[TrialDocument]
    """Everything that was tried for that, best first."""
    others: list[TrialDocument]
    """Those that the table for people shows beside it: other classes, without words that these do not use."""
    never_needed: list[str]
    """Observables and predicates that were in complete vocabularies and in none of their classes."""
    ended: EndedDocument | None
    """The limit that ended the survey; `null` if it is complete."""
    warnings: list[Finding]
    """Findings about the input."""


class Way(TypedDict):
    """An irreducible trace."""

    trace: Trace
    """The trace."""
    pattern: Pattern
    """The traces that have its steps."""
    reasons: list[Reason]
    """The reasons of its steps."""


WhyEnded: TypeAlias = "Literal['time', 'memory', 'interrupt', 'max_classes', 'start_with']"
"""The reason why a search ended before there was a result.
`time`: The time ran out.
`memory`: The memory ran out.
`interrupt`: The run was interrupted.
`max_classes`: There are as many classes as requested.
`start_with`: Only the given counterexamples were examined."""


WhyUndecided: TypeAlias = "Literal['time', 'memory', 'interrupt', 'temporal', 'choices', 'states', 'formula']"
"""The reason why a property is undecided.
`time`: The time ran out.
`memory`: The memory ran out.
`interrupt`: The run was interrupted.
`temporal`: The command does not decide such properties.
`choices`: Some state has too many choices to list.
`states`: There are too many states to list, or for decision diagrams.
`formula`: The formula is too large to be decided over a list of states, or depends on more than the state."""


class Without(TypedDict):
    """The reason why a part of a class is needed."""

    without: str
    """The constraint without that part."""
    trace: Trace
    """An infinite trace that satisfies this constraint and the property."""


SCHEMAS = frozenset(
    (
        "cladist/batch-1",
        "cladist/causes-1",
        "cladist/certificates-1",
        "cladist/check-1",
        "cladist/classify-1",
        "cladist/classify-lassos-1",
        "cladist/ctl-1",
        "cladist/diff-1",
        "cladist/error-1",
        "cladist/exchange-1",
        "cladist/job-1",
        "cladist/jobs-1",
        "cladist/lts-bugs-1",
        "cladist/lts-check-1",
        "cladist/lts-compare-1",
        "cladist/lts-counterexample-1",
        "cladist/lts-escapes-1",
        "cladist/lts-generate-1",
        "cladist/lts-inevitable-1",
        "cladist/lts-info-1",
        "cladist/lts-minimize-1",
        "cladist/lts-neighbours-1",
        "cladist/lts-tag-1",
        "cladist/lts-undecided-1",
        "cladist/patterns-1",
        "cladist/proofs-1",
        "cladist/test-1",
        "cladist/trace-sort-1",
        "cladist/verify-1",
        "cladist/vocabulary-1",
    )
)
"""The schemas of all documents."""


Document: TypeAlias = "BatchDocument | CausesDocument | CertificatesDocument | CheckDocument | ClassifyDocument | ClassifyLassosDocument | CtlDocument | DiffDocument | ErrorDocument | ExchangeDocument | JobDocument | JobsDocument | LtsBugsDocument | LtsCheckDocument | LtsCompareDocument | LtsCounterexampleDocument | LtsEscapesDocument | LtsGenerateDocument | LtsInevitableDocument | LtsInfoDocument | LtsMinimizeDocument | LtsNeighboursDocument | LtsTagDocument | LtsUndecidedDocument | PatternsDocument | ProofsDocument | TestDocument | TraceSortDocument | VerifyDocument | VocabularyDocument"
"""Any document."""
