"""Autotuning without a clock: nothing is measured, and the configuration that is asked for wins."""

from __future__ import annotations

from typing import Any

from triton.runtime.autotuner import Autotuner


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
        self._tuned: dict[int, int] = {}

    def watch(self) -> None:
        """From here on each autotuner chooses anew when another configuration is wanted."""
        run = Autotuner.run

        def chosen(tuner: Autotuner, *args: Any, **kwargs: Any) -> object:
            self._asked = 0
            # The autotuner keeps one figure for equal configurations: the later one's would count.
            tuner.configs = list(dict.fromkeys(tuner.configs))
            if self._tuned.setdefault(id(tuner), 0) != self.wanted:
                tuner.cache.clear()
                self._tuned[id(tuner)] = self.wanted
            return run(tuner, *args, **kwargs)

        Autotuner.run = chosen

    def want(self, number: int) -> None:
        """The configuration of this number is to win from now on."""
        if number != self.wanted:
            self._choices.clear()
        self.wanted = number

    def rank(self, _: object, quantiles: list[float] | None = None, **__: object) -> list[float] | float:
        """A figure for the configuration that is looked at; the lowest wins."""
        value = -1.0 if self._asked == self.wanted else float(self._asked)
        self._asked += 1
        self.most = max(self.most, self._asked)
        return [value] * len(quantiles) if quantiles else value

    def told(self, name: str, configuration: object) -> str:
        """The choice as a sentence."""
        which = "its first configuration" if self.wanted == 0 else "configuration %d" % (self.wanted + 1)
        return "autotune of %s took %s: %s" % (name, which, configuration)
