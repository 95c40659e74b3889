"""What Triton's autotuner chose on the GPU, told after the calls: while they are timed nobody listens."""

from __future__ import annotations

import weakref
from typing import Any

from triton.runtime.autotuner import Autotuner


class Tuning:
    """Remembers the autotuned kernels of the process; to be made before the candidate is imported."""

    def __init__(self) -> None:
        self._tuners: list[weakref.ref] = []
        self._told: set[tuple[str, str]] = set()
        make = Autotuner.__init__

        def remember(tuner: Autotuner, *given: Any, **named: Any) -> None:
            make(tuner, *given, **named)
            self._tuners.append(weakref.ref(tuner))

        Autotuner.__init__ = remember

    def news(self) -> list[str]:
        """Choices that were not told yet, a sentence each."""
        sentences = []
        for tuner in (each() for each in self._tuners):
            for choice in dict(getattr(tuner, "cache", {})).values():
                if len(getattr(tuner, "configs", ())) < 2:
                    continue
                told = (getattr(tuner.base_fn, "__name__", "a kernel"), str(choice))
                if told not in self._told:
                    self._told.add(told)
                    sentences.append("autotune of %s took on the GPU: %s" % told)
        return sentences
