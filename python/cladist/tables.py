"""Results as tables: rows, data frames of pandas, and HTML for notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from importlib import import_module
from typing import Any, cast

from . import documents
from .results import Check, Classification


def rows(result: Classification | Check | documents.Document) -> list[dict[str, object]]:
    """The table of a result: a row for each class or kind, for each checked property, or for each job of a batch.

    Raises `TypeError` for a document of another command.
    """
    if isinstance(result, Classification):
        classes = [(kind.constraint, kind.representative, len(kind.images)) for kind in result.classes]
        kinds = [(cause.title, cause.traces[0], 0) for cause in result.causes]
        return [
            {
                "number": number,
                "kind": text,
                "steps": len(trace.steps),
                "loop": trace.loop,
                "images": images,
                "trace": "; ".join(step.label for step in trace.steps),
            }
            for number, (text, trace, images) in enumerate(classes or kinds, 1)
        ]
    if isinstance(result, Check):
        return [
            {
                "property": found.name,
                "verdict": found.verdict,
                "steps": len(found.counterexample.steps) if found.counterexample else None,
            }
            for found in result.properties
        ]
    if result["schema"] == "cladist/batch-1":
        return [_job(job) for job in result["jobs"]]
    raise TypeError(f"a document of {result['schema']} is no table: its fields are in the document")


def _job(row: documents.RowDocument) -> dict[str, object]:
    job = cast(Mapping[str, Any], row["job"])
    key = {name: value for name, value in job.items() if isinstance(value, (str, int, float, bool))}
    classes = row["classes"]
    measured = {name: row[name] for name in ("state", "verdict", "reason", "bound", "cpu_seconds", "seconds", "peak_memory_kb")}
    return {**key, **measured, "classes": None if classes is None else len(classes), "error": row["error"]}


def count_rows(result: Classification) -> list[dict[str, object]]:
    """The numbers of violating traces by length: of all, of each class, and of no class. Empty unless the result has `count=True`."""
    counts = cast(Mapping[str, Any], result.document).get("counts") or {}
    table: list[dict[str, object]] = []
    for kind in ("first_violations", "violating"):
        for count in counts.get(kind) or ():
            # Numbers of traces have no limit, so documents have them as text.
            shares = {f"class {share['id']}": int(share["total"]) for share in count["classes"]}
            of_all = {"total": int(count["total"]), "outside": int(count["outside"])}
            table.append({"traces": kind, "steps": count["steps"], **of_all, **shares})
    return table


def to_frame(table: Classification | Check | documents.Document | Sequence[Mapping[str, object]]) -> Any:
    """The rows of a result, or of `count_rows`, as a `pandas.DataFrame`. Raises `ImportError` without pandas."""
    return import_module("pandas").DataFrame(table if isinstance(table, Sequence) else rows(table))


def html(verdict: str, summary: str, table: Iterable[Mapping[str, object]]) -> str:
    """A table for notebooks, without scripts and styles."""
    listed = list(table)
    caption = f"<caption><strong>{escape(verdict)}</strong> {escape(summary)}</caption>"
    if not listed:
        return f"<table>{caption}</table>"
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in listed[0])
    body = "".join(
        "<tr>" + "".join(f"<td>{'' if value is None else escape(str(value))}</td>" for value in row.values()) + "</tr>"
        for row in listed
    )
    return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
