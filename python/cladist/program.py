"""The program: where it is, and how it is run."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from .results import Check, Classification, UnknownSchema, result_of

if TYPE_CHECKING:
    from typing_extensions import TypeAlias

    Option: TypeAlias = str | int | float | os.PathLike[str] | list[str] | tuple[str, ...] | None

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
    **keywords: Option,
) -> Classification:
    """Classifies the counterexamples of a property.

    Every other option of the command is a keyword, `timeout="60s"` or `unbounded=True`, or a word of its own, `"--unbounded"`.
    Raises `Failure` if there is no result.
    """
    keywords |= {"property": property, "vocabulary": vocabulary, "bound": bound}
    done = run(*_arguments("classify", model, options, constants, keywords))
    return _result(Classification, done)


def check(
    model: str | os.PathLike[str],
    *options: str,
    property: str | None = None,
    bound: int | None = None,
    constants: Mapping[str, object] | None = None,
    **keywords: Option,
) -> Check:
    """Checks properties up to a bound; without one, and without `unbounded=True`, types only. Options are those of `classify`.

    Raises `Failure` if there is no result.
    """
    keywords |= {"property": property, "bound": bound}
    done = run(*_arguments("check", model, options, constants, keywords))
    return _result(Check, done)


async def classify_async(
    model: str | os.PathLike[str], *options: str, constants: Mapping[str, object] | None = None, **keywords: Option
) -> Classification:
    """Like `classify`, beside other tasks of an event loop. The program ends when the task is cancelled."""
    return _result(Classification, await _run_async(_arguments("classify", model, options, constants, keywords)))


async def check_async(
    model: str | os.PathLike[str], *options: str, constants: Mapping[str, object] | None = None, **keywords: Option
) -> Check:
    """Like `check`, beside other tasks of an event loop. The program ends when the task is cancelled."""
    return _result(Check, await _run_async(_arguments("check", model, options, constants, keywords)))


def _arguments(
    command: str,
    model: str | os.PathLike[str],
    options: Sequence[str],
    constants: Mapping[str, object] | None,
    keywords: Mapping[str, Option],
) -> list[str]:
    arguments = [command, os.fspath(model), "--json", *options]
    for name, value in keywords.items():
        option = "--" + name.replace("_", "-")
        values: Sequence[Option] = value if isinstance(value, (list, tuple)) else [value]
        for each in values:
            if each is True:
                arguments.append(option)
            elif each is not None and each is not False:
                arguments.append(f"{option}={each}")
    for name, constant in (constants or {}).items():
        text = str(constant).lower() if isinstance(constant, bool) else str(constant)
        arguments += ["--set", f"{name}={text}"]
    return arguments


async def _run_async(arguments: Sequence[str]) -> subprocess.CompletedProcess[str]:
    pipe = asyncio.subprocess.PIPE
    program = await asyncio.create_subprocess_exec(find(), *arguments, stdout=pipe, stderr=pipe)
    try:
        output, errors = await program.communicate()
    finally:
        if program.returncode is None:
            program.kill()
            await program.wait()
    return subprocess.CompletedProcess(arguments, program.returncode or 0, output.decode(), errors.decode())


def _result(expected: type[R], done: subprocess.CompletedProcess[str]) -> R:
    if done.returncode in UNUSABLE or not done.stdout:
        raise Failure(done.returncode, done.stderr.strip() or f"cladist ended with exit code {done.returncode}")
    result = result_of(json.loads(done.stdout))
    if not isinstance(result, expected):
        raise UnknownSchema(f"another result than expected: {result!r:.200}; `read` and `result_of` read other documents")
    return result


def main() -> int:
    """Runs the program with the arguments of this process: `python -m cladist`."""
    command = [find(), *sys.argv[1:]]
    if sys.platform == "win32":
        return subprocess.run(command, check=False).returncode
    os.execv(command[0], command)
