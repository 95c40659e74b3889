"""Autotuning without a clock: nothing is measured, and the configuration that is asked for wins."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from triton.runtime.autotuner import Autotuner


#: What Triton's autotuner passes over, as it would on a GPU: by name, since their places differ by version.
_PASSED_OVER = {"OutOfResources", "CompileTimeAssertionFailure", "PTXASError"}


class Configurations:
    """Stands for the autotuner's benchmarks: no configuration is faster than another, so the first that the
    kernel's author wrote wins, or another one that is to be judged.
    """

    def __init__(self, choices: list[str]) -> None:
        """`choices`: what was chosen before; begins anew with another configuration."""
        self._choices = choices
        #: The number of the one that wins, from 0; the first where there are fewer.
        self.wanted = 0
        #: The most that any kernel has had to choose from.
        self.most = 1
        self._asked = 0
        #: Those that were found not to fit in the present call, and the one that wins.
        self._unfit: set[int] = set()
        self._best: tuple[float, int] | None = None
        self._tuned: dict[int, tuple[int, int]] = {}
        #: Whether configurations are run before one is chosen, and how many runs have asked for that.
        self._tries = False
        self._trials = 0

    def watch(self) -> None:
        """From here on each autotuner chooses anew when another configuration is wanted."""
        run = Autotuner.run

        def chosen(tuner: Autotuner, *args: Any, **kwargs: Any) -> object:
            # The autotuner keeps one figure for equal configurations: the later one's would count.
            tuner.configs = list(dict.fromkeys(tuner.configs))
            asked = self.wanted, self._trials
            if self._tuned.setdefault(id(tuner), (0, 0)) != asked:
                tuner.cache.clear()
                self._tuned[id(tuner)] = asked
            self._unfit = set()
            before = len(self._choices)
            while True:
                self._asked, self._best = 0, None
                try:
                    return run(tuner, *args, **kwargs)
                except Exception as error:
                    if not self._passes_over(error):
                        raise
                tuner.cache.clear()
                del self._choices[before:]

        Autotuner.run = chosen

    def _passes_over(self, error: Exception) -> bool:
        """Whether there is another configuration than the one that came to this."""
        if type(error).__name__ not in _PASSED_OVER or self._best is None:
            return False
        self._unfit.add(self._best[1])
        return len(self._unfit) < self._asked

    def want(self, number: int, tries: bool = False) -> None:
        """The configuration of this number is to win from now on. If the autotuner `tries`, it runs all of them
        on the arguments of the call before, as it does on a GPU in the first call.
        """
        if number != self.wanted:
            self._choices.clear()
        self.wanted = number
        self._tries = tries
        self._trials += tries

    def rank(
        self, kernel_call: Callable[[], object], quantiles: list[float] | None = None, **_: object
    ) -> list[float] | float:
        """A figure for the configuration that is looked at; the lowest wins."""
        number = self._asked
        self._asked += 1
        self.most = max(self.most, self._asked)
        if self._tries:
            kernel_call()
        value = -1.0 if number == self.wanted else float(number)
        value = math.inf if number in self._unfit else value
        self._best = min((value, number), self._best or (value, number))
        return [value] * len(quantiles) if quantiles else value

    def told(self, name: str, configuration: object) -> str:
        """The choice as a sentence."""
        number = self._best[1] if self._best else self.wanted
        which = "its first configuration" if number == 0 else "configuration %d" % (number + 1)
        return "autotune of %s took %s: %s" % (name, which, configuration)
