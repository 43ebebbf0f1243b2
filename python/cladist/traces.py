"""Traces: what happens, and the states in between."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

State = Mapping[str, Any]
"""The values of the variables, as JSON has them."""


@dataclass(frozen=True)
class Change:
    """How a step changes a part of the state."""

    place: str
    """Where: `location[P]`."""
    change: str
    """`replaced`, or `gained` or `lost` for an element of a set."""
    before: str | None
    after: str | None


@dataclass(frozen=True)
class Step:
    """An action, and the state after it."""

    label: str
    """The action with its arguments: `enter(p=P)`."""
    action: str
    """The action alone."""
    arguments: Mapping[str, Any]
    """The values of its parameters."""
    state: State
    """The state after it."""
    changes: tuple[Change, ...]
    """What differs from the state before."""
    positions: tuple[str, ...]
    """The position variables of the class that stand for this step."""


@dataclass(frozen=True)
class Trace:
    """A trace: an initial state, and steps."""

    first: State
    steps: tuple[Step, ...]
    loop: int | None
    """The number of the state, from 0, to which an infinite trace comes back from its last state."""

    @property
    def states(self) -> tuple[State, ...]:
        """All states, the first one included."""
        return (self.first, *(step.state for step in self.steps))

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> Trace:
        """The trace that a document describes."""
        moments = document["states"]
        return cls(moments[0]["state"], tuple(map(_step, moments[1:])), document.get("loop"))


def _step(moment: Mapping[str, Any]) -> Step:
    label = moment["label"]
    return Step(
        label=label["text"],
        action=label["action"],
        arguments=label["arguments"],
        state=moment["state"],
        changes=tuple(Change(**change) for change in moment["changes"]),
        positions=tuple(moment["positions"]),
    )
