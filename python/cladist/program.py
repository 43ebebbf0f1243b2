"""The program: where it is, and how it is run."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Mapping
from pathlib import Path
from typing import TypeVar

from .results import Check, Classification, UnknownSchema, result_of

R = TypeVar("R", Check, Classification)

UNUSABLE = (2, 70)
"""Exit codes without a result: the input cannot be used, or there is a mistake in the program."""


class Failure(RuntimeError):
    """The program gave no result. The message is what it said."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code
        """Its exit code."""


def find() -> str:
    """The path of the program: the environment variable CLADIST if it is set, what was installed with this package, or what is on the path.

    Raises `FileNotFoundError` if there is none.
    """
    if own := os.environ.get("CLADIST"):
        return own
    name = "cladist" + (sysconfig.get_config_var("EXE") or "")
    beside = Path(sysconfig.get_path("scripts"), name)
    if beside.is_file():
        return str(beside)
    if found := shutil.which(name):
        return found
    raise FileNotFoundError("the program cladist is neither beside this Python nor on the path")


def run(*arguments: str | os.PathLike[str], timeout: float | None = None) -> subprocess.CompletedProcess[str]:
    """Runs the program with these arguments, and returns what it wrote and its exit code, whatever that is.

    `timeout` is in seconds; after it the program is ended and `subprocess.TimeoutExpired` is raised. With the program's own
    `--timeout` there is a partial result instead.
    """
    command = [find(), *(os.fspath(argument) for argument in arguments)]
    return subprocess.run(command, capture_output=True, encoding="utf-8", timeout=timeout, check=False)


def classify(
    model: str | os.PathLike[str],
    *options: str,
    property: str | None = None,
    vocabulary: str | None = None,
    bound: int | None = None,
    constants: Mapping[str, object] | None = None,
) -> Classification:
    """Classifies the counterexamples of a property. `options` are others of the command line: `"--unbounded"`, `"--timeout", "60s"`.

    Raises `Failure` if there is no result.
    """
    given = ["-V", vocabulary] if vocabulary is not None else []
    return _result(Classification, "classify", model, *given, *options, property=property, bound=bound, constants=constants)


def check(
    model: str | os.PathLike[str],
    *options: str,
    property: str | None = None,
    bound: int | None = None,
    constants: Mapping[str, object] | None = None,
) -> Check:
    """Checks properties up to a bound; without one, and without `"--unbounded"`, types only. Raises `Failure` if there is no result."""
    return _result(Check, "check", model, *options, property=property, bound=bound, constants=constants)


def _result(
    expected: type[R],
    command: str,
    model: str | os.PathLike[str],
    *options: str,
    property: str | None,
    bound: int | None,
    constants: Mapping[str, object] | None,
) -> R:
    arguments = [command, os.fspath(model), "--json", *options]
    if property is not None:
        arguments += ["-p", property]
    if bound is not None:
        arguments += ["-k", str(bound)]
    for name, value in (constants or {}).items():
        text = str(value).lower() if isinstance(value, bool) else str(value)
        arguments += ["--set", f"{name}={text}"]
    done = run(*arguments)
    if done.returncode in UNUSABLE or not done.stdout:
        raise Failure(done.returncode, done.stderr.strip() or f"cladist ended with exit code {done.returncode}")
    result = result_of(json.loads(done.stdout))
    if not isinstance(result, expected):
        raise UnknownSchema(f"no result of `{command}`: {result!r:.200}; `read` and `result_of` read other documents")
    return result


def main() -> int:
    """Runs the program with the arguments of this process: `python -m cladist`."""
    command = [find(), *sys.argv[1:]]
    if sys.platform == "win32":
        return subprocess.run(command, check=False).returncode
    os.execv(command[0], command)
