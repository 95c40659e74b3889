"""Triton's own profiler around the calls that tools are shown."""

from __future__ import annotations

from typing import Any

#: What Proton is asked for, by the word that names it in a command.
OPTIONS: dict[str, dict[str, str]] = {
    # Times of launches, by the line of Python that each came from.
    "launches": {"context": "python"},
    # Where in a kernel's machine code warps were when they were looked at, by source line.
    "samples": {"context": "python", "backend": "cupti", "mode": "pcsampling"},
}


class Proton:
    """Writes a profile of all that is marked to `FILE.hatchet`."""

    def __init__(self, kind: str, file: str) -> None:
        """Raises ImportError where this Triton has no Proton, KeyError for a kind that there is none of."""
        import triton.profiler

        self._profiler: Any = triton.profiler
        self._options = OPTIONS[kind]
        self._file = file

    def mark(self, on: bool) -> None:
        if on:
            self._profiler.start(self._file, **self._options)
        else:
            self._profiler.finalize()
