"""The model checker Cladist: run it, and read its results.

`classify` and `check` run the program and return the result, as do `classify_async` and `check_async`; `read` reads a stored
document, and `to_frame` makes a data frame of a result. `cladist.documents` has the
types of all documents; results of `classify` and `check` have theirs in `document`.
"""

from importlib.metadata import PackageNotFoundError, version

from . import documents
from .program import Failure, check, check_async, classify, classify_async, find, run
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
from .tables import count_rows, rows, to_frame
from .traces import Change, State, Step, Trace

try:
    __version__ = version("cladist")
except PackageNotFoundError:
    __version__ = "0"

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
    "check_async",
    "classify",
    "classify_async",
    "count_rows",
    "documents",
    "find",
    "read",
    "result_of",
    "rows",
    "run",
    "to_frame",
]
