"""The model checker Cladist: run it, and read its results.

`classify` and `check` run the program and return the result; `read` reads a stored document. `cladist.documents` has the
types of all documents; results of `classify` and `check` have theirs in `document`.
"""

from . import documents
from .program import Failure, check, classify, find, run
from .results import (
    Cause,
    Check,
    Classification,
    Fact,
    Image,
    Kind,
    Property,
    TooWeak,
    UnknownSchema,
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
    "Kind",
    "Property",
    "State",
    "Step",
    "TooWeak",
    "Trace",
    "UnknownSchema",
    "check",
    "classify",
    "documents",
    "find",
    "read",
    "result_of",
    "run",
]
