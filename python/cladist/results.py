"""Results of `check` and `classify`: their documents, with classes, causes and traces as objects."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from . import documents
from .traces import Trace

if TYPE_CHECKING:
    from typing_extensions import TypeAlias

    AnyKind: TypeAlias = documents.Class | documents.ClassifyLassosClass
    AnyFact: TypeAlias = documents.Fact | documents.LassoFact
    AnyPair: TypeAlias = documents.Pair | documents.ClassifyLassosPair
    AnyImage: TypeAlias = documents.Image | documents.ClassifyLassosImage
    AnyClassification: TypeAlias = (
        documents.ClassifyDocument | documents.ClassifyLassosDocument | documents.CausesDocument
    )


class UnknownSchema(ValueError):
    """The schema of a document is unknown to this version."""


@dataclass(frozen=True)
class Fact:
    """A part of a constraint."""

    document: AnyFact

    @property
    def text(self) -> str:
        """The fact in the paper's notation: `enter.p@i = p1`."""
        return self.document["text"]

    @cached_property
    def without(self) -> Trace | None:
        """A trace with the other facts of the class that does not violate the property; `None` if the result has none."""
        needed = cast(Mapping[str, Any], self.document).get("needed")
        return needed and Trace.of(needed)


@dataclass(frozen=True)
class Image:
    """The image of a class under a symmetry of the model."""

    document: AnyImage

    @property
    def by(self) -> str:
        """The exchanged values: `Seat 1, 2, 3 in turn`."""
        return self.document["by"]

    @cached_property
    def kind(self) -> Kind:
        """The image as a class."""
        return Kind(self.document["class"])


@dataclass(frozen=True)
class Kind:
    """A class: a kind of violation."""

    document: AnyKind

    @property
    def constraint(self) -> str:
        """The constraint that all its traces satisfy, and that suffices for the violation."""
        return self.document["constraint"]

    @cached_property
    def facts(self) -> tuple[Fact, ...]:
        """The facts of the constraint."""
        return tuple(map(Fact, self.document["facts"]))

    @cached_property
    def representative(self) -> Trace:
        """A shortest trace of the class."""
        return Trace.of(self.document["representative"])

    @cached_property
    def images(self) -> tuple[Image, ...]:
        """Its images under symmetries of the model, for which it stands as well."""
        return tuple(map(Image, self.document["images"]))

    @property
    def causes(self) -> tuple[int, ...]:
        """The causes that occur in it, by their index in `Classification.causes`."""
        return tuple(number - 1 for number in self.document.get("kinds", ()))


@dataclass(frozen=True)
class Cause:
    """A kind of violation by its causes."""

    document: documents.Kind

    @property
    def title(self) -> str:
        """The kind in one line: `withdraw(n) where n > bal, after deposit`."""
        return self.document["title"]

    @cached_property
    def traces(self) -> tuple[Trace, ...]:
        """Its irreducible traces, a shortest one first."""
        return tuple(Trace.of(way["trace"]) for way in self.document["ways"])


@dataclass(frozen=True)
class TooWeak:
    """Two traces that a vocabulary does not distinguish."""

    document: AnyPair

    @cached_property
    def counterexample(self) -> Trace:
        """The violation."""
        return Trace.of(self.document["counterexample"])

    @cached_property
    def accepting(self) -> Trace:
        """A trace with all facts of the counterexample that does not violate the property."""
        return Trace.of(self.document["accepting"])


@dataclass(frozen=True, repr=False)
class Classification:
    """The result of `classify`: of an invariant, or of a property of linear time, whose traces have loops."""

    document: AnyClassification

    @property
    def verdict(self) -> str:
        """The verdict, up to the bound or for traces of every length: `complete` if every counterexample is in one of the classes."""
        return self.document["verdict"]

    @cached_property
    def classes(self) -> tuple[Kind, ...]:
        """The classes in the words of a vocabulary; none for kinds by their causes alone."""
        if self.document["schema"] == "cladist/causes-1":
            return ()
        return tuple(map(Kind, self.document["classes"]))

    @cached_property
    def causes(self) -> tuple[Cause, ...]:
        """The kinds by their causes: the whole answer without a vocabulary, beside the classes with `--tree`."""
        if self.document["schema"] == "cladist/causes-1":
            return tuple(map(Cause, self.document["kinds"]))
        tree = self.document.get("tree")
        return tuple(map(Cause, tree["kinds"])) if tree else ()

    @cached_property
    def too_weak(self) -> TooWeak | None:
        """The traces that the vocabulary does not distinguish, if it is too weak."""
        if self.document["schema"] == "cladist/causes-1":
            return None
        pair = self.document["too_weak"]
        return TooWeak(pair) if pair else None

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.verdict}, kinds: {len(self.classes or self.causes)}>"

    def _repr_html_(self) -> str:
        from .tables import html, rows

        return html(self.verdict, self.document.get("summary", ""), rows(self))


@dataclass(frozen=True)
class Property:
    """A property that was checked."""

    document: documents.Property

    @property
    def name(self) -> str:
        """Its name."""
        return self.document["name"]

    @property
    def verdict(self) -> str:
        """`types_only`, `holds`, `violated` or `undecided`."""
        return self.document["verdict"]

    @cached_property
    def counterexample(self) -> Trace | None:
        """A shortest violating trace."""
        trace = self.document["counterexample"]
        return Trace.of(trace) if trace else None


@dataclass(frozen=True, repr=False)
class Check:
    """The result of `check`."""

    document: documents.CheckDocument

    @property
    def verdict(self) -> str:
        """The verdict: `checked` if only types were requested."""
        return self.document["verdict"]

    @cached_property
    def properties(self) -> tuple[Property, ...]:
        """The requested properties."""
        return tuple(map(Property, self.document["properties"]))

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.verdict}, properties: {len(self.properties)}>"

    def _repr_html_(self) -> str:
        from .tables import html, rows

        return html(self.verdict, self.document["model"] or "", rows(self))


def read(path: str | os.PathLike[str]) -> Check | Classification | documents.Document:
    """Reads a file that `--json` or `--out` wrote: a result of `check` or `classify`, or another document as it is.

    Raises `OSError` if it cannot be read, `ValueError` if it is not JSON, and `UnknownSchema` if it is no document of Cladist.
    """
    return result_of(json.loads(Path(path).read_text(encoding="utf-8")))


def result_of(document: Any) -> Check | Classification | documents.Document:
    """Returns the result that a document describes, or the document. Raises `UnknownSchema` if its schema is unknown."""
    schema = document.get("schema") if isinstance(document, Mapping) else None
    match schema:
        case "cladist/classify-1" | "cladist/classify-lassos-1" | "cladist/causes-1":
            return Classification(cast("AnyClassification", document))
        case "cladist/check-1":
            return Check(cast(documents.CheckDocument, document))
    if schema not in documents.SCHEMAS:
        raise UnknownSchema(f"no document that can be read here: the schema is {schema!r}")
    return cast("documents.Document", document)
