"""How many sizes of a long benchmark are run, and how long configurations are compared: on a GPU either takes
moments, on a CPU it may take seconds.
"""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Callable, Iterable, Iterator

#: The variable that holds the seconds for all reports of a program; 0: all sizes are run.
SECONDS = "KERNELWRIGHT_REPORT_SECONDS"
#: A report takes at most this share of the seconds that are left, so that later ones have some. Comparing
#: configurations outside of reports takes at most this share of all of them.
_SHARE = 0.5


class Pace:
    """Spreads the sizes that can be run in time over those that a report asks for, in their order; and knows
    when configurations have been compared for long enough.
    """

    def __init__(
        self, seconds: float, tell: Callable[[str], None], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._seconds = seconds
        self._tell = tell
        self._clock = clock
        self._spent = 0.0
        self._until = math.inf
        self._compared = 0.0

    @property
    def is_late(self) -> bool:
        """True in a report that has used up its share of the seconds: what can be left out is left out."""
        return self._clock() > self._until

    @property
    def has_compared_enough(self) -> bool:
        """True outside of reports once configurations were compared for their share of the seconds."""
        return 0 < self.comparing <= self._compared and math.isinf(self._until)

    @property
    def comparing(self) -> float:
        """The seconds for which configurations are compared outside of reports; 0: for ever."""
        return _SHARE * self._seconds

    @contextlib.contextmanager
    def compares(self) -> Iterator[None]:
        """A configuration is tried within; in reports that is part of their own time."""
        begun = self._clock()
        try:
            yield
        finally:
            if math.isinf(self._until):
                self._compared += self._clock() - begun

    def of(self, name: str, asked: Iterable) -> Iterator:
        """The sizes that are run; which were left out is told when the last has been run. The first is always
        among them.
        """
        sizes = list(asked)
        if self._seconds <= 0:
            yield from sizes
            return
        begun = self._clock()
        allowed = _SHARE * max(self._seconds - self._spent, 0)
        self._until = begun + allowed
        at, done = 0, 0
        while at < len(sizes):
            before = self._clock()
            yield sizes[at]
            done += 1
            now = self._clock()
            at += self._step(now - before, begun + allowed - now, len(sizes) - at - 1)
        self._until = math.inf
        spent = self._clock() - begun
        self._spent += spent
        if done < len(sizes):
            self._tell(
                "%s: %d of %d sizes were run in %.0f s, the others are left out; --report-seconds 0 runs all"
                % (name or "a report", done, len(sizes), spent)
            )

    @staticmethod
    def _step(last: float, left: float, following: int) -> int:
        """How far the next size is away, when each of the `following` ones takes as long as the last did."""
        if last <= 0:
            return 1
        affordable = math.floor(left / last)
        return following + 1 if affordable < 1 else max(1, math.ceil(following / affordable))
