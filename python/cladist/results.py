"""Results of `check` and `classify`."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeAlias

from .traces import Trace

Verdict: TypeAlias = Literal[
    "holds",
    "holds_unbounded",
    "complete",
    "complete_unbounded",
    "partial",
    "remainder",
    "too_weak",
    "undecided",
]
"""What `classify` found, up to the bound or for traces of every length: `complete` if every counterexample is in one of the classes."""

CheckVerdict: TypeAlias = Literal["checked", "types_only", "holds", "violated", "partial", "undecided"]
"""What `check` found: `checked` (`types_only` of a property) if nothing but types was asked for."""

Document: TypeAlias = Mapping[str, Any]


class UnknownSchema(ValueError):
    """The document is no result that this version can read."""


@dataclass(frozen=True)
class Individual:
    """A value that a class speaks of: `∃ p ∈ Process`, and who it is in the representative."""

    name: str
    type: str
    value: str


@dataclass(frozen=True)
class Fact:
    """A part of a constraint."""

    text: str
    """As the constraint has it: `enter.p@i = p1`."""
    words: str
    """In words: `at i, enter.p is p1`."""
    without: Trace | None
    """Why it is needed: a trace with the other facts of the class that violates nothing. `None` if the result has none."""
    document: Document = field(repr=False)


@dataclass(frozen=True)
class Image:
    """What a symmetry of the model makes of a class."""

    by: str
    """Which values change places: `Seat 1, 2, 3 in turn`."""
    kind: Kind
    """It as a class."""
    document: Document = field(repr=False)


@dataclass(frozen=True)
class Kind:
    """A class: a kind of violation."""

    id: int
    constraint: str
    """What all its traces have in common, and what suffices for the violation."""
    words: tuple[str, ...]
    """The same in words."""
    facts: tuple[Fact, ...]
    individuals: tuple[Individual, ...]
    positions: Mapping[str, int]
    """Where the position variables are in the representative: the number of the step, 0 for the initial state."""
    representative: Trace
    """A shortest trace of the class."""
    images: tuple[Image, ...]
    """What symmetries of the model make of it: it stands for these as well."""
    causes: tuple[int, ...]
    """Which of the causes occur in it, by their index in `Classification.causes`."""
    document: Document = field(repr=False)


@dataclass(frozen=True)
class Cause:
    """A kind of violation by its causes."""

    title: str
    """`withdraw(n) where n > bal, after deposit`."""
    traces: tuple[Trace, ...]
    """Its irreducible traces, a shortest one first."""
    document: Document = field(repr=False)


@dataclass(frozen=True)
class TooWeak:
    """Why a vocabulary is too weak: two traces that it cannot tell apart."""

    counterexample: Trace
    accepting: Trace
    """A trace with all facts of the counterexample that does not violate the property."""
    document: Document = field(repr=False)


@dataclass(frozen=True)
class Classification:
    """The result of `classify`: of an invariant, or of an `ltl` property, whose traces have loops."""

    model: str
    file: str
    property: str
    bound: int
    vocabulary: str | None
    """The words of the classes; `None` for kinds by their causes alone, the answer without a vocabulary."""
    verdict: Verdict
    summary: str
    """One sentence."""
    reason: str | None
    """Why the result is partial or undecided."""
    classes: tuple[Kind, ...]
    causes: tuple[Cause, ...]
    """The kinds by their causes: the whole answer without a vocabulary, beside the classes with `--tree`."""
    too_weak: TooWeak | None
    document: Document = field(repr=False)


@dataclass(frozen=True)
class Property:
    """A property that was checked."""

    name: str
    kind: str
    """`invariant` or `ltl`."""
    verdict: CheckVerdict
    counterexample: Trace | None
    reason: str | None
    document: Document = field(repr=False)


@dataclass(frozen=True)
class Check:
    """The result of `check`."""

    model: str
    file: str
    bound: int | None
    verdict: CheckVerdict
    properties: tuple[Property, ...]
    document: Document = field(repr=False)


def read(path: str | os.PathLike[str]) -> Check | Classification:
    """A stored result: a file that `--json` or `--out` wrote.

    Raises `OSError` if it cannot be read, `ValueError` if it is not JSON, and `UnknownSchema` if it is another document.
    """
    return result_of(json.loads(Path(path).read_text(encoding="utf-8")))


def result_of(document: Any) -> Check | Classification:
    """The result that a document describes. Raises `UnknownSchema` if it is another document."""
    schema = document.get("schema") if isinstance(document, Mapping) else None
    match schema:
        case "cladist/classify-1" | "cladist/classify-lassos-1":
            return _classification(document)
        case "cladist/causes-1":
            return _causes(document)
        case "cladist/check-1":
            return _check(document)
    raise UnknownSchema(f"no result of `check` or `classify` that can be read here: the schema is {schema!r}")


def _classification(document: Document) -> Classification:
    weak = document["too_weak"]
    return Classification(
        model=document["model"],
        file=document["file"],
        property=document["property"],
        bound=document["bound"],
        vocabulary=document["vocabulary"],
        verdict=document["verdict"],
        summary=document["summary"],
        reason=document["reason"],
        classes=tuple(map(_kind, document["classes"])),
        causes=tuple(map(_cause, document.get("tree", {}).get("kinds", ()))),
        too_weak=weak and TooWeak(Trace.of(weak["counterexample"]), Trace.of(weak["accepting"]), weak),
        document=document,
    )


def _causes(document: Document) -> Classification:
    return Classification(
        model=document["model"],
        file=document["file"],
        property=document["property"],
        bound=document["bound"],
        vocabulary=None,
        verdict=document["verdict"],
        summary=document["summary"],
        reason=document.get("reason"),
        classes=(),
        causes=tuple(map(_cause, document["kinds"])),
        too_weak=None,
        document=document,
    )


def _kind(document: Document) -> Kind:
    return Kind(
        id=document["id"],
        constraint=document["constraint"],
        words=tuple(document["words"]),
        facts=tuple(map(_fact, document["facts"])),
        individuals=tuple(Individual(**individual) for individual in document["individuals"]),
        positions=document.get("positions", {}),
        representative=Trace.of(document["representative"]),
        images=tuple(map(_image, document.get("images", ()))),
        causes=tuple(number - 1 for number in document.get("kinds", ())),
        document=document,
    )


def _cause(document: Document) -> Cause:
    return Cause(document["title"], tuple(Trace.of(way["trace"]) for way in document["ways"]), document)


def _image(document: Document) -> Image:
    return Image(document["by"], _kind(document["class"]), document)


def _fact(document: Document) -> Fact:
    without = document.get("needed")
    text = document["text"]
    return Fact(text, document.get("words", text), without and Trace.of(without), document)


def _check(document: Document) -> Check:
    return Check(
        model=document["model"],
        file=document["file"],
        bound=document["bound"],
        verdict=document["verdict"],
        properties=tuple(map(_property, document["properties"])),
        document=document,
    )


def _property(document: Document) -> Property:
    trace = document["counterexample"]
    return Property(
        name=document["name"],
        kind=document["kind"],
        verdict=document["verdict"],
        counterexample=trace and Trace.of(trace),
        reason=document["reason"],
        document=document,
    )
