"""The model checker Cladist: run it, and read its results.

`classify` and `check` run the program and return what it found; `read` reads a stored result. The readers name what
programs ask for most; everything else is in `document`, as the schemas in `docs/schema` describe it.
"""

from .program import Failure, check, classify, find, run
from .results import (
    Cause,
    Check,
    Classification,
    Fact,
    Image,
    Individual,
    Kind,
    Property,
    TooWeak,
    UnknownSchema,
    Verdict,
    read,
    result_of,
)
from .traces import Change, State, Step, Trace

__all__ = [
    "Cause",
    "Change",
    "Check",
    "Classification",
    "Fact",
    "Failure",
    "Image",
    "Individual",
    "Kind",
    "Property",
    "State",
    "Step",
    "TooWeak",
    "Trace",
    "UnknownSchema",
    "Verdict",
    "check",
    "classify",
    "find",
    "read",
    "result_of",
    "run",
]
