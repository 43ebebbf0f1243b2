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

from .results import Check, Classification, result_of

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
    result = _result("classify", model, *given, *options, property=property, bound=bound, constants=constants)
    assert isinstance(result, Classification)
    return result


def check(
    model: str | os.PathLike[str],
    *options: str,
    property: str | None = None,
    bound: int | None = None,
    constants: Mapping[str, object] | None = None,
) -> Check:
    """Checks properties up to a bound; without one, and without `"--unbounded"`, types only. Raises `Failure` if there is no result."""
    result = _result("check", model, *options, property=property, bound=bound, constants=constants)
    assert isinstance(result, Check)
    return result


def _result(
    command: str,
    model: str | os.PathLike[str],
    *options: str,
    property: str | None,
    bound: int | None,
    constants: Mapping[str, object] | None,
) -> Check | Classification:
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
    return result_of(json.loads(done.stdout))


def main() -> int:
    """Runs the program with the arguments of this process: `python -m cladist`."""
    command = [find(), *sys.argv[1:]]
    if sys.platform == "win32":
        return subprocess.run(command, check=False).returncode
    os.execv(command[0], command)
