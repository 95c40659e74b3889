"""Where in a candidate's own files an exception came from, and what it says."""

from __future__ import annotations

import os
import sys
import traceback

from ..source_files import without_folder


class Unsupported(Exception):
    """The launch needs something that the virtual GPU cannot be given."""


def diagnostic(error: BaseException, folder: str, file_name: str) -> dict:
    """The exception as a diagnostic; `folder` holds the candidate's files, `file_name` is named where none of them
    is to blame.
    """
    own = _own_frames(error, folder)
    position = _compilation_position(error) or ((own[-1].filename, own[-1].lineno) if own else None)
    file, line = position or (os.path.join(folder, file_name), 0)
    if isinstance(error, SyntaxError) and error.filename:
        file, line = error.filename, error.lineno or 0
    compilation = is_compilation(error)
    message = _words(error) or type(error).__name__
    cause = error.__cause__
    while cause is not None:
        message = _words(cause) or message
        cause = cause.__cause__
    if isinstance(error, ModuleNotFoundError):
        message = _lacks(message)
    if not compilation:
        message = "%s: %s%s" % (type(error).__name__, message, _trail(own, folder))
    return record(
        without_folder(os.path.realpath(file), folder),
        line,
        without_folder(message, folder),
        "triton" if compilation or isinstance(error, Unsupported) else "python",
    )


def _words(error: BaseException) -> str:
    """What an exception says; of a key that is missing the key alone says nothing."""
    said = getattr(error, "error_message", None) or str(error)
    return "there is no %s here" % said if said and isinstance(error, KeyError) else said


def absence(error: BaseException, file_name: str, line: int) -> dict:
    """A module that is not here, where the file could be imported without it."""
    message = "%s: what needs it cannot run" % _lacks(str(error))
    return {**record(file_name, line, message, "python"), "severity": "warning"}


def _lacks(message: str) -> str:
    return "%s, which %s lacks" % (message, sys.executable)


def _own_frames(error: BaseException, folder: str) -> list[traceback.FrameSummary]:
    return [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if os.path.realpath(frame.filename).startswith(folder + os.sep)
    ]


def _trail(frames: list[traceback.FrameSummary], folder: str) -> str:
    """The line that raised and who called it, from the last frames of a traceback."""
    if not frames:
        return ""
    callers = ", ".join(
        "%s:%s" % (without_folder(os.path.realpath(each.filename), folder), each.lineno)
        for each in reversed(frames[-3:-1])
    )
    called = ", called from %s" % callers if callers else ""
    return " (in %s: %s%s)" % (frames[-1].name, frames[-1].line or "?", called)


def record(file: str, line: int, message: str, source: str) -> dict:
    return {
        "severity": "error",
        "file": file,
        "line": line,
        "column": 0,
        "message": message.strip()[:4000],
        "source": source,
    }


def is_compilation(error: BaseException) -> bool:
    names = {kind.__name__ for kind in type(error).__mro__}
    return bool(names & {"CompilationError", "PTXASError", "SyntaxError"})


def _compilation_position(error: BaseException | None) -> tuple[str, int] | None:
    """File and line of a Triton compilation error; Triton counts lines from the `def` of the function it was
    compiling.
    """
    from triton.runtime import jit

    position = None
    while error is not None:
        source, line = getattr(error, "src", None), getattr(getattr(error, "node", None), "lineno", None)
        if source is not None and line is not None:
            for function in list(getattr(jit, "_triton_jit_function_registry", {}).values()):
                if function.src == source:
                    position = (
                        function.file_name
                        if hasattr(function, "file_name")
                        else function.fn.__code__.co_filename,
                        function.def_file_line_number + line - 1,
                    )
        error = error.__cause__
    return position
